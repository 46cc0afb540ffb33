// Cooks a static triangle mesh into a MeshBlob (layout in docs/memory-map.md): welded vertices, triangles with their front
// normals and the kind of each edge, and a four-wide bounding volume tree.
//
// In: positions and indices of any size. Out: one ArrayBuffer, all offsets relative to its start. Geometry is computed in
// double precision; the boxes of the tree are exact because vertices are single precision. Triangles are stored in the order
// of the tree's leaves; MeshTriangle.source keeps the caller's index.
// Tree: binned surface area heuristic (Wald 2007, On fast construction of SAH-based bounding volume hierarchies), the
// largest child of a node is split until it has four. Queries walk the same tree with up to eight children a node (Wald, Benthin and
// Boulos 2008, Getting rid of packets): children of the largest boxes take their place.
import { TalusError } from '../checks/errors';
import {
  EDGE_BOUNDARY,
  EDGE_CONCAVE,
  EDGE_CONVEX,
  EDGE_FLAT,
  MESH_LEAF,
  MeshBlob,
  MeshNode,
  MeshTriangle,
  MeshWideNode,
  NONE,
} from '../layout.generated';

/** How a mesh is cooked. */
export interface MeshOptions {
  /**
   * Merge vertices with equal coordinates (default true). Triangles that share no vertices have no neighbors: without
   * neighbors every edge is a boundary, and bodies that slide over it feel it.
   */
  weld?: boolean;
  /** What to do with a triangle without area: throw (default), or leave it out. */
  degenerate?: 'error' | 'skip';
}

/** A cooked mesh: the blob to copy into linear memory (16-byte aligned) and its bounds in the shape frame (m). */
export interface CookedMesh {
  blob: ArrayBuffer;
  vertexCount: number;
  triangleCount: number;
  min: [number, number, number];
  max: [number, number, number];
}

/** Most triangles of a leaf. */
const LEAF_TRIANGLES = 4;
const BINS = 16;
/** From this depth on nodes are halved by count, which bounds the depth and so the stack of a traversal. */
const SAH_DEPTH = 40;
/** A triangle is degenerate if its height is below this fraction of its longest edge: its normal would be noise. */
const THIN = 1e-7;
/** Neighbors whose normals differ by less continue the plane: 0.8 degrees (cosine 0.9999, as in surface.ts). */
const FLAT_ANGLE = Math.acos(0.9999);
/** Triangles looked at where more than two meet at an edge. */
const MAX_FAN = 64;
const MAX_TRIANGLES = 2 ** 28 - 1;

/**
 * Cooks a triangle mesh. `positions` holds x y z per vertex (m, shape frame), `indices` three vertices per triangle,
 * counterclockwise seen from the front. Throws TalusError 'invalid-argument' for empty or malformed arrays, coordinates
 * that are not finite and indices out of range, and 'degenerate-shape' for a triangle without area; each names the index.
 */
export function cookMesh(positions: ArrayLike<number>, indices: ArrayLike<number>, options: MeshOptions = {}): CookedMesh {
  validate(positions, indices);
  const { vertices, remap } = options.weld === false ? copyVertices(positions) : weldVertices(positions);
  const surface = buildTriangles(vertices, indices, remap, options.degenerate ?? 'error');
  if (surface.count === 0) throw new TalusError('degenerate-shape', 'A mesh needs at least one triangle with an area.');
  const tree = buildTree(vertices, surface);
  return writeBlob(vertices, surface, tree);
}

function validate(positions: ArrayLike<number>, indices: ArrayLike<number>): void {
  if (positions.length === 0 || positions.length % 3 !== 0)
    throw new TalusError('invalid-argument', `Mesh positions must be x y z triples; got ${positions.length} numbers.`);
  if (indices.length === 0 || indices.length % 3 !== 0)
    throw new TalusError('invalid-argument', `Mesh indices must be triples; got ${indices.length} numbers.`);
  if (indices.length / 3 > MAX_TRIANGLES)
    throw new TalusError('unsupported', `A mesh can have at most ${MAX_TRIANGLES} triangles; got ${indices.length / 3}.`);
  for (let i = 0; i < positions.length; i++) {
    // Coordinates beyond 1e18 m overflow single precision once squared.
    if (!(Math.abs(positions[i]) < 1e18))
      throw new TalusError(
        'invalid-argument',
        `Mesh vertex ${Math.floor(i / 3)} has a coordinate that is not finite: ${positions[i]}.`,
      );
  }
  const count = positions.length / 3;
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (!(v >= 0 && v < count && Number.isInteger(v)))
      throw new TalusError(
        'invalid-argument',
        `Mesh triangle ${Math.floor(i / 3)} names vertex ${v}, but there are ${count} vertices (0 to ${count - 1}).`,
      );
  }
}

interface Vertices {
  /** x y z per vertex, single precision values. */
  vertices: Float32Array;
  /** New index of each vertex of the caller. */
  remap: Uint32Array;
}

function copyVertices(positions: ArrayLike<number>): Vertices {
  const vertices = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i++) vertices[i] = positions[i] + 0; // -0 becomes 0
  const remap = new Uint32Array(positions.length / 3);
  for (let i = 0; i < remap.length; i++) remap[i] = i;
  return { vertices, remap };
}

/** Merges vertices whose single-precision coordinates are equal; the first of equals stays. */
function weldVertices(positions: ArrayLike<number>): Vertices {
  const { vertices, remap } = copyVertices(positions);
  const bits = new Uint32Array(vertices.buffer);
  const count = remap.length;
  let size = 16;
  while (size < count * 2) size *= 2;
  const slots = new Uint32Array(size).fill(NONE);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const x = bits[3 * i];
    const y = bits[3 * i + 1];
    const z = bits[3 * i + 2];
    let slot = mix(mix(mix(0x9e3779b9, x), y), z) & (size - 1);
    for (;;) {
      const at = slots[slot];
      if (at === NONE) {
        slots[slot] = kept;
        bits[3 * kept] = x;
        bits[3 * kept + 1] = y;
        bits[3 * kept + 2] = z;
        remap[i] = kept++;
        break;
      }
      if (bits[3 * at] === x && bits[3 * at + 1] === y && bits[3 * at + 2] === z) {
        remap[i] = at;
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  return { vertices: vertices.slice(0, 3 * kept), remap };
}

/** One round of a multiplicative hash. */
function mix(hash: number, value: number): number {
  const h = Math.imul(hash ^ value, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

interface Surface {
  count: number;
  /** Three vertices per triangle. */
  corners: Uint32Array;
  /** Unit front normal per triangle, double precision. */
  normals: Float64Array;
  /** Index of the caller per triangle. */
  source: Uint32Array;
}

function buildTriangles(
  vertices: Float32Array,
  indices: ArrayLike<number>,
  remap: Uint32Array,
  degenerate: 'error' | 'skip',
): Surface {
  const total = indices.length / 3;
  const corners = new Uint32Array(indices.length);
  const normals = new Float64Array(indices.length);
  const source = new Uint32Array(total);
  let count = 0;
  for (let t = 0; t < total; t++) {
    const a = remap[indices[3 * t]];
    const b = remap[indices[3 * t + 1]];
    const c = remap[indices[3 * t + 2]];
    const ux = vertices[3 * b] - vertices[3 * a];
    const uy = vertices[3 * b + 1] - vertices[3 * a + 1];
    const uz = vertices[3 * b + 2] - vertices[3 * a + 2];
    const vx = vertices[3 * c] - vertices[3 * a];
    const vy = vertices[3 * c + 1] - vertices[3 * a + 1];
    const vz = vertices[3 * c + 2] - vertices[3 * a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = Math.hypot(nx, ny, nz);
    const longest2 = Math.max(
      ux * ux + uy * uy + uz * uz,
      vx * vx + vy * vy + vz * vz,
      (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2,
    );
    if (!(area > THIN * longest2)) {
      if (degenerate === 'skip') continue;
      throw new TalusError(
        'degenerate-shape',
        `Mesh triangle ${t} (vertices ${indices[3 * t]}, ${indices[3 * t + 1]}, ${indices[3 * t + 2]}) has no area. ` +
          "Remove it, or cook with degenerate: 'skip'.",
      );
    }
    corners[3 * count] = a;
    corners[3 * count + 1] = b;
    corners[3 * count + 2] = c;
    normals[3 * count] = nx / area;
    normals[3 * count + 1] = ny / area;
    normals[3 * count + 2] = nz / area;
    source[count++] = t;
  }
  return { count, corners, normals, source };
}

interface Tree {
  /** Triangles in leaf order. */
  order: Uint32Array;
  /** MeshNode rows as floats and as words. */
  nodes: Float32Array<ArrayBuffer>;
  nodeCount: number;
  depth: number;
}

/** Words of a MeshNode. */
const NODE_WORDS = MeshNode.STRIDE / 4;

class TreeBuilder {
  readonly order: Uint32Array;
  nodes = new Float32Array(16 * NODE_WORDS);
  words = new Uint32Array(this.nodes.buffer);
  nodeCount = 0;
  depth = 0;
  private readonly low: Float32Array;
  private readonly high: Float32Array;
  private readonly box = new Float64Array(6);
  private readonly binCount = new Uint32Array(BINS);
  private readonly binBox = new Float64Array(6 * BINS);
  private readonly rightArea = new Float64Array(BINS);

  constructor(vertices: Float32Array, surface: Surface) {
    const { count, corners } = surface;
    this.order = new Uint32Array(count);
    this.low = new Float32Array(3 * count);
    this.high = new Float32Array(3 * count);
    for (let t = 0; t < count; t++) {
      this.order[t] = t;
      for (let k = 0; k < 3; k++) {
        const a = vertices[3 * corners[3 * t] + k];
        const b = vertices[3 * corners[3 * t + 1] + k];
        const c = vertices[3 * corners[3 * t + 2] + k];
        this.low[3 * t + k] = Math.min(a, b, c);
        this.high[3 * t + k] = Math.max(a, b, c);
      }
    }
  }

  /** Half the surface of the box of a run of triangles, left in `box`. */
  private bound(first: number, count: number): number {
    const { box, low, high, order } = this;
    box.fill(Number.POSITIVE_INFINITY, 0, 3);
    box.fill(Number.NEGATIVE_INFINITY, 3, 6);
    for (let i = first; i < first + count; i++) {
      const t = 3 * order[i];
      for (let k = 0; k < 3; k++) {
        if (low[t + k] < box[k]) box[k] = low[t + k];
        if (high[t + k] > box[k + 3]) box[k + 3] = high[t + k];
      }
    }
    return halfSurface(box, 0);
  }

  /** Splits a run in two, reorders it, and returns the size of the first part. */
  private split(first: number, count: number, depth: number): number {
    const { low, high, order, binBox, binCount, rightArea } = this;
    // Bounds of the doubled centers.
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (let i = first; i < first + count; i++) {
      const t = 3 * order[i];
      for (let k = 0; k < 3; k++) {
        const c = low[t + k] + high[t + k];
        if (c < min[k]) min[k] = c;
        if (c > max[k]) max[k] = c;
      }
    }
    let bestCost = Number.POSITIVE_INFINITY;
    let bestAxis = -1;
    let bestBin = 0;
    if (depth < SAH_DEPTH) {
      for (let k = 0; k < 3; k++) {
        const span = max[k] - min[k];
        if (!(span > 0)) continue;
        const scale = BINS / span;
        binCount.fill(0);
        for (let b = 0; b < BINS; b++) {
          binBox.fill(Number.POSITIVE_INFINITY, 6 * b, 6 * b + 3);
          binBox.fill(Number.NEGATIVE_INFINITY, 6 * b + 3, 6 * b + 6);
        }
        for (let i = first; i < first + count; i++) {
          const t = 3 * order[i];
          const b = Math.min(BINS - 1, Math.floor((low[t + k] + high[t + k] - min[k]) * scale));
          binCount[b]++;
          for (let m = 0; m < 3; m++) {
            if (low[t + m] < binBox[6 * b + m]) binBox[6 * b + m] = low[t + m];
            if (high[t + m] > binBox[6 * b + m + 3]) binBox[6 * b + m + 3] = high[t + m];
          }
        }
        const sweep = this.box;
        emptyBox(sweep);
        let right = 0;
        for (let b = BINS - 1; b > 0; b--) {
          growBox(sweep, binBox, 6 * b);
          right += binCount[b];
          rightArea[b] = right === 0 ? 0 : right * halfSurface(sweep, 0);
        }
        emptyBox(sweep);
        let left = 0;
        for (let b = 0; b < BINS - 1; b++) {
          growBox(sweep, binBox, 6 * b);
          left += binCount[b];
          if (left === 0 || left === count) continue;
          const cost = left * halfSurface(sweep, 0) + rightArea[b + 1];
          if (cost < bestCost) {
            bestCost = cost;
            bestAxis = k;
            bestBin = b;
          }
        }
      }
    }
    if (bestAxis >= 0) {
      const scale = BINS / (max[bestAxis] - min[bestAxis]);
      let i = first;
      let j = first + count - 1;
      while (i <= j) {
        const t = order[i];
        const c = low[3 * t + bestAxis] + high[3 * t + bestAxis];
        if (Math.min(BINS - 1, Math.floor((c - min[bestAxis]) * scale)) <= bestBin) i++;
        else {
          order[i] = order[j];
          order[j--] = t;
        }
      }
      return i - first;
    }
    // All centers in one place, or too deep: halve by count, along the longest axis.
    let axis = 0;
    for (let k = 1; k < 3; k++) if (max[k] - min[k] > max[axis] - min[axis]) axis = k;
    const run = order.subarray(first, first + count);
    run.sort((a, b) => low[3 * a + axis] + high[3 * a + axis] - low[3 * b + axis] - high[3 * b + axis] || a - b);
    return count >> 1;
  }

  /** Builds the node of a run and its subtree; returns its index. */
  build(first: number, count: number, depth: number): number {
    const node = this.nodeCount++;
    if (depth + 1 > this.depth) this.depth = depth + 1;
    if (this.nodeCount * NODE_WORDS > this.nodes.length) {
      const grown = new Float32Array(this.nodes.length * 2);
      grown.set(this.nodes);
      this.nodes = grown;
      this.words = new Uint32Array(grown.buffer);
    }
    const runs = [{ first, count, cost: count > LEAF_TRIANGLES ? this.bound(first, count) * count : -1 }];
    while (runs.length < 4) {
      let widest = 0;
      for (let i = 1; i < runs.length; i++) if (runs[i].cost > runs[widest].cost) widest = i;
      const run = runs[widest];
      if (run.count <= LEAF_TRIANGLES) break;
      const left = this.split(run.first, run.count, depth);
      const halves = [
        { first: run.first, count: left },
        { first: run.first + left, count: run.count - left },
      ].map((h) => ({ ...h, cost: h.count > LEAF_TRIANGLES ? this.bound(h.first, h.count) * h.count : -1 }));
      runs.splice(widest, 1, ...halves);
    }
    for (let lane = 0; lane < 4; lane++) {
      const at = node * NODE_WORDS + lane;
      const run = runs[lane];
      if (run === undefined) {
        for (let k = 0; k < 3; k++) {
          this.nodes[at + 4 * k] = Number.POSITIVE_INFINITY;
          this.nodes[at + 4 * (k + 3)] = Number.NEGATIVE_INFINITY;
        }
        this.words[at + 24] = NONE;
        continue;
      }
      this.bound(run.first, run.count);
      for (let k = 0; k < 6; k++) this.nodes[at + 4 * k] = this.box[k];
      // The arrays may move while children are built: write the link afterwards.
      const child =
        run.count <= LEAF_TRIANGLES
          ? (MESH_LEAF | (run.first << 3) | run.count) >>> 0
          : this.build(run.first, run.count, depth + 1);
      this.words[at + 24] = child;
    }
    return node;
  }
}

function emptyBox(box: Float64Array): void {
  box.fill(Number.POSITIVE_INFINITY, 0, 3);
  box.fill(Number.NEGATIVE_INFINITY, 3, 6);
}

function growBox(box: Float64Array, other: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    if (other[at + k] < box[k]) box[k] = other[at + k];
    if (other[at + k + 3] > box[k + 3]) box[k + 3] = other[at + k + 3];
  }
}

function halfSurface(box: Float64Array, at: number): number {
  const x = box[at + 3] - box[at];
  const y = box[at + 4] - box[at + 1];
  const z = box[at + 5] - box[at + 2];
  return x < 0 ? 0 : x * y + y * z + z * x;
}

function buildTree(vertices: Float32Array, surface: Surface): Tree {
  const builder = new TreeBuilder(vertices, surface);
  builder.build(0, surface.count, 0);
  return { order: builder.order, nodes: builder.nodes, nodeCount: builder.nodeCount, depth: builder.depth };
}

const WIDE = 8;
const WIDE_WORDS = MeshWideNode.STRIDE / 4;

/** The tree with up to eight children a node: rows of MeshWideNode. */
function widen({ nodes, nodeCount }: Tree): Float32Array {
  const words = new Uint32Array(nodes.buffer);
  const wide = new Float32Array(nodeCount * WIDE_WORDS);
  const links = new Uint32Array(wide.buffer);
  const box = new Float64Array(6);
  let count = 0;
  /** Lanes of a node: the words of their minX. */
  const lanesOf = (node: number) => {
    const first = node * NODE_WORDS;
    return [first, first + 1, first + 2, first + 3].filter((lane) => words[lane + 24] !== NONE);
  };
  const area = (lane: number) => {
    for (let k = 0; k < 6; k++) box[k] = nodes[lane + 4 * k]!;
    return halfSurface(box, 0);
  };
  const build = (node: number): number => {
    const at = WIDE_WORDS * count++;
    const lanes = lanesOf(node);
    for (;;) {
      let best = -1;
      let bestArea = -1;
      for (let i = 0; i < lanes.length; i++) {
        const link = words[lanes[i]! + 24]!;
        if ((link & MESH_LEAF) !== 0 || lanes.length - 1 + lanesOf(link).length > WIDE) continue;
        if (area(lanes[i]!) > bestArea) {
          best = i;
          bestArea = area(lanes[i]!);
        }
      }
      if (best < 0) break;
      lanes.splice(best, 1, ...lanesOf(words[lanes[best]! + 24]!));
    }
    for (let i = 0; i < WIDE; i++) {
      const lane = lanes[i];
      const to = at + (i >> 2) * (MeshWideNode.minX1 / 4) + (i & 3);
      for (let k = 0; k < 6; k++) {
        wide[to + 4 * k] = lane === undefined ? (k < 3 ? Infinity : -Infinity) : nodes[lane + 4 * k]!;
      }
      const link = lane === undefined ? NONE : words[lane + 24]!;
      links[at + MeshWideNode.children0 / 4 + i] = link === NONE || (link & MESH_LEAF) !== 0 ? link : build(link);
    }
    return at / WIDE_WORDS;
  };
  build(0);
  return wide.subarray(0, count * WIDE_WORDS);
}

interface Neighbors {
  /** Triangle (index of the surface) behind edge 3 t + k, NONE at a boundary. */
  neighbor: Uint32Array;
  /** MeshTriangle.edges. */
  edges: Uint32Array;
}

/**
 * Neighbors and kinds of all edges. Where more than two triangles meet, the neighbor is the one met first when turning from
 * the triangle through its front; neighbors wound the same way round are preferred.
 */
function findNeighbors(vertices: Float32Array, surface: Surface): Neighbors {
  const { count, corners, normals } = surface;
  const halfEdges = 3 * count;
  let size = 16;
  while (size < halfEdges) size *= 2;
  const heads = new Uint32Array(size).fill(NONE);
  const next = new Uint32Array(halfEdges);
  const slotOf = (a: number, b: number) => mix(mix(0x9e3779b9, Math.min(a, b)), Math.max(a, b)) & (size - 1);
  const tail = (e: number) => corners[e];
  const head = (e: number) => corners[e % 3 === 2 ? e - 2 : e + 1];
  for (let e = halfEdges - 1; e >= 0; e--) {
    const slot = slotOf(tail(e), head(e));
    next[e] = heads[slot];
    heads[slot] = e;
  }
  const neighbor = new Uint32Array(halfEdges).fill(NONE);
  const edges = new Uint32Array(count);
  for (let e = 0; e < halfEdges; e++) {
    const t = Math.floor(e / 3);
    const k = e - 3 * t;
    const a = tail(e);
    const b = head(e);
    const nx = normals[3 * t];
    const ny = normals[3 * t + 1];
    const nz = normals[3 * t + 2];
    const dx = vertices[3 * b] - vertices[3 * a];
    const dy = vertices[3 * b + 1] - vertices[3 * a + 1];
    const dz = vertices[3 * b + 2] - vertices[3 * a + 2];
    // Into the triangle, perpendicular to the edge; as long as the edge.
    const ux = ny * dz - nz * dy;
    const uy = nz * dx - nx * dz;
    const uz = nx * dy - ny * dx;
    let bestAngle = Number.POSITIVE_INFINITY;
    let bestFlip = true;
    let best = NONE;
    let seen = 0;
    for (let f = heads[slotOf(a, b)]; f !== NONE && seen < MAX_FAN; f = next[f]) {
      const other = Math.floor(f / 3);
      const flip = tail(f) === a && head(f) === b;
      if (other === t || (!flip && !(tail(f) === b && head(f) === a))) continue;
      seen++;
      if (flip && !bestFlip) continue;
      const sign = flip ? -1 : 1;
      const mx = sign * normals[3 * other];
      const my = sign * normals[3 * other + 1];
      const mz = sign * normals[3 * other + 2];
      // Into the neighbor, whose edge runs the other way.
      const gx = dy * mz - dz * my;
      const gy = dz * mx - dx * mz;
      const gz = dx * my - dy * mx;
      let angle = Math.atan2(Math.hypot(dx, dy, dz) * (gx * nx + gy * ny + gz * nz), gx * ux + gy * uy + gz * uz);
      if (angle < 1e-6) angle += 2 * Math.PI; // folded onto its own back
      if ((!flip && bestFlip) || angle < bestAngle) {
        bestAngle = angle;
        bestFlip = flip;
        best = f;
      }
    }
    let kind: number = EDGE_BOUNDARY;
    if (best !== NONE) {
      neighbor[e] = Math.floor(best / 3);
      kind = Math.abs(bestAngle - Math.PI) < FLAT_ANGLE ? EDGE_FLAT : bestAngle > Math.PI ? EDGE_CONVEX : EDGE_CONCAVE;
      if (bestFlip) edges[t] |= 256 << k;
    }
    edges[t] |= kind << (2 * k);
  }
  return { neighbor, edges };
}

const align16 = (bytes: number) => (bytes + 15) & ~15;

function writeBlob(vertices: Float32Array, surface: Surface, tree: Tree): CookedMesh {
  const { neighbor, edges } = findNeighbors(vertices, surface);
  const vertexCount = vertices.length / 3;
  const { count } = surface;
  const verticesOffset = align16(MeshBlob.STRIDE);
  const trianglesOffset = verticesOffset + 16 * vertexCount;
  const nodesOffset = align16(trianglesOffset + MeshTriangle.STRIDE * count);
  const wide = widen(tree);
  const wideOffset = nodesOffset + MeshNode.STRIDE * tree.nodeCount;
  const bytes = wideOffset + wide.byteLength;
  if (bytes >= 2 ** 31) throw new TalusError('unsupported', `The mesh needs ${bytes} bytes; a blob is limited to 2 GiB.`);
  const blob = new ArrayBuffer(bytes);
  const u32 = new Uint32Array(blob);
  const f32 = new Float32Array(blob);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];

  for (let v = 0; v < vertexCount; v++) {
    for (let k = 0; k < 3; k++) f32[verticesOffset / 4 + 4 * v + k] = vertices[3 * v + k];
  }
  const place = new Uint32Array(count); // surface index -> blob index
  for (let i = 0; i < count; i++) place[tree.order[i]] = i;
  for (let i = 0; i < count; i++) {
    const t = tree.order[i];
    const at = (trianglesOffset + MeshTriangle.STRIDE * i) / 4;
    for (let k = 0; k < 3; k++) {
      const v = surface.corners[3 * t + k];
      u32[at + MeshTriangle.a / 4 + k] = v;
      f32[at + MeshTriangle.nx / 4 + k] = surface.normals[3 * t + k] + 0;
      const other = neighbor[3 * t + k];
      u32[at + MeshTriangle.neighbor0 / 4 + k] = other === NONE ? NONE : place[other];
      for (let c = 0; c < 3; c++) {
        const x = vertices[3 * v + c];
        if (x < min[c]) min[c] = x;
        if (x > max[c]) max[c] = x;
      }
    }
    u32[at + MeshTriangle.source / 4] = surface.source[t];
    u32[at + MeshTriangle.edges / 4] = edges[t];
  }
  f32.set(tree.nodes.subarray(0, tree.nodeCount * NODE_WORDS), nodesOffset / 4);
  f32.set(wide, wideOffset / 4);

  u32[MeshBlob.vertexCount / 4] = vertexCount;
  u32[MeshBlob.triangleCount / 4] = count;
  u32[MeshBlob.nodeCount / 4] = tree.nodeCount;
  u32[MeshBlob.blobBytes / 4] = bytes;
  u32[MeshBlob.verticesOffset / 4] = verticesOffset;
  u32[MeshBlob.trianglesOffset / 4] = trianglesOffset;
  u32[MeshBlob.nodesOffset / 4] = nodesOffset;
  u32[MeshBlob.depth / 4] = tree.depth;
  u32[MeshBlob.wideOffset / 4] = wideOffset;
  u32[MeshBlob.wideCount / 4] = wide.length / WIDE_WORDS;
  f32.set(min, MeshBlob.minX / 4);
  f32.set(max, MeshBlob.maxX / 4);
  return { blob, vertexCount, triangleCount: count, min, max };
}
