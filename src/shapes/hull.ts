// Convex hulls: from a cloud of points to polygons, edges and planes, and from there to the HullBlob the core reads.
//
// Quickhull (Barber, Dobkin, Huhdanpaa 1996) in double precision. Real models are full of coplanar and collinear points,
// which break the topology of naive hulls. So every point is first moved by a fixed pseudo-random JOGGLE that is far above
// rounding and far below MERGE: the points are then in general position and quickhull makes a clean triangulation. After
// that triangles whose vertices lie within MERGE of one plane become one face (with the true positions), vertices that only
// two faces share go, and the result is checked: closed, convex, Euler's formula. If the check fails the merge runs again
// with a wider tolerance. All tolerances are fractions of the size of the cloud.
import { TalusError } from '../checks/errors';
import { HullBlob } from '../layout.generated';
import { type MassProperties, polyhedronMass } from './mass';

/** Largest number of vertices of a hull. */
export const MAX_HULL_VERTICES = 128;

const WELD = 1e-6; // points closer than this are one
const WELD_MOST = 1e-3; // or this, if nothing finer works
const JOGGLE = 1e-8;
const NEAR = 4 * JOGGLE; // points this little outside add nothing
const DENSE = 2048; // most vertices before merging: more than 128 true ones are certain by then
const MERGE = 5e-6; // vertices nearer than this to the plane of a face belong to it
const MERGE_RETRIES = 5; // each four times wider
const FLAT = 1e-4; // clouds thinner than this are degenerate

/** A convex polyhedron with merged faces. */
export interface ConvexHull {
  /** x y z of each vertex (m), shape frame. */
  readonly vertices: Float64Array;
  /** Vertex indices of each face, counterclockwise seen from outside. */
  readonly faces: readonly (readonly number[])[];
  /** Outward unit normal and offset d (n . p = d) of each face, 4 numbers per face. No vertex lies above its plane. */
  readonly planes: Float64Array;
  /** Vertex a, vertex b, face left of a -> b viewed from outside, face right of it: 4 numbers per edge. */
  readonly edges: Uint16Array;
  /** Volume, centroid and inertia at unit density. */
  readonly mass: MassProperties;
}

/** Options of `convexHull`. */
export interface HullOptions {
  /**
   * Largest number of vertices to keep, 4..128. A hull with more is simplified. It is rebuilt from its most extreme vertices,
   * each chosen as the farthest one outside of the hull so far, so the result lies inside of the true hull. Without this option
   * more than 128 vertices are an error.
   */
  maxVertices?: number;
}

interface Triangle {
  v: [number, number, number];
  /** Triangle across the edge v[i] -> v[i + 1]. */
  next: [Triangle, Triangle, Triangle];
  nx: number;
  ny: number;
  nz: number;
  d: number;
  outside: number[];
  farthest: number;
  height: number;
  alive: boolean;
  mark: number;
}

/** Returns a fixed number in [-1, 1) for each integer. */
function noise(i: number): number {
  let h = Math.imul(i + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2147483648 - 1;
}

/** Triangulated hull of points in general position; stops at `limit` vertices. `seeds` are four points far apart. */
function quickhull(p: Float64Array, seeds: readonly number[], limit: number): Triangle[] {
  const make = (a: number, b: number, c: number): Triangle => {
    const ux = p[3 * b]! - p[3 * a]!;
    const uy = p[3 * b + 1]! - p[3 * a + 1]!;
    const uz = p[3 * b + 2]! - p[3 * a + 2]!;
    const vx = p[3 * c]! - p[3 * a]!;
    const vy = p[3 * c + 1]! - p[3 * a + 1]!;
    const vz = p[3 * c + 2]! - p[3 * a + 2]!;
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const length = Math.hypot(nx, ny, nz);
    nx /= length;
    ny /= length;
    nz /= length;
    const d = nx * p[3 * a]! + ny * p[3 * a + 1]! + nz * p[3 * a + 2]!;
    return {
      v: [a, b, c],
      next: [] as unknown as Triangle['next'],
      nx,
      ny,
      nz,
      d,
      outside: [],
      farthest: -1,
      height: 0,
      alive: true,
      mark: 0,
    };
  };
  const above = (t: Triangle, i: number): number => t.nx * p[3 * i]! + t.ny * p[3 * i + 1]! + t.nz * p[3 * i + 2]! - t.d;
  const assign = (points: readonly number[], triangles: readonly Triangle[]): void => {
    for (const i of points) {
      let best = 0;
      let owner: Triangle | undefined;
      for (const t of triangles) {
        const h = above(t, i);
        if (h > best) {
          best = h;
          owner = t;
        }
      }
      if (!owner) continue;
      owner.outside.push(i);
      if (best > owner.height) {
        owner.height = best;
        owner.farthest = i;
      }
    }
  };

  let [a, b, c, d] = seeds as [number, number, number, number];
  if (above(make(a, b, c), d) > 0) [b, c] = [c, b];
  const live = new Set<Triangle>([make(a, b, c), make(a, c, d), make(c, b, d), make(b, a, d)]);
  const start = [...live];
  for (const t of start) {
    t.next = [0, 1, 2].map((k) => {
      const from = t.v[k]!;
      const to = t.v[(k + 1) % 3]!;
      return start.find((s) => s !== t && s.v.includes(from) && s.v.includes(to))!;
    }) as Triangle['next'];
  }
  const others: number[] = [];
  for (let i = 0; i < p.length / 3; i++) if (!seeds.includes(i)) others.push(i);
  assign(others, start);

  const uses = new Map<number, number>(seeds.map((s) => [s, 3]));
  let round = 0;
  while (uses.size < limit) {
    let eyeFace: Triangle | undefined;
    for (const t of live) if (t.farthest >= 0 && (!eyeFace || t.height > eyeFace.height)) eyeFace = t;
    if (!eyeFace || eyeFace.height < NEAR) break;
    const eye = eyeFace.farthest;
    round++;
    // Faces the eye sees, and the edges where sight ends, in order around the hole.
    const visible: Triangle[] = [eyeFace];
    eyeFace.mark = round;
    const rim = new Map<number, { to: number; beyond: Triangle }>();
    for (let k = 0; k < visible.length; k++) {
      const t = visible[k]!;
      t.next.forEach((n, e) => {
        if (n.mark === round) return;
        if (above(n, eye) > 0) {
          n.mark = round;
          visible.push(n);
        } else rim.set(t.v[e]!, { to: t.v[(e + 1) % 3]!, beyond: n });
      });
    }
    const orphans: number[] = [];
    for (const t of visible) {
      t.alive = false;
      live.delete(t);
      for (const i of t.outside) if (i !== eye) orphans.push(i);
      for (const v of t.v) {
        const left = uses.get(v)! - 1;
        if (left === 0) uses.delete(v);
        else uses.set(v, left);
      }
    }
    const fan: Triangle[] = [];
    const from0 = rim.keys().next().value!;
    let from = from0;
    do {
      const edge = rim.get(from);
      if (!edge || fan.length > rim.size)
        throw new TalusError(
          'degenerate-shape',
          'The hull of these points has no clean outline; remove points that nearly coincide.',
        );
      const t = make(from, edge.to, eye);
      t.next[0] = edge.beyond;
      const back = edge.beyond.v.indexOf(edge.to);
      edge.beyond.next[back] = t;
      fan.push(t);
      for (const v of t.v) uses.set(v, (uses.get(v) ?? 0) + 1);
      from = edge.to;
    } while (from !== from0);
    fan.forEach((t, k) => {
      t.next[1] = fan[(k + 1) % fan.length]!;
      t.next[2] = fan[(k + fan.length - 1) % fan.length]!;
      live.add(t);
    });
    assign(orphans, fan);
  }
  return [...live];
}

/** Area vector (twice the area, outward) of a polygon: Newell's method. */
function areaVector(p: Float64Array, loop: readonly number[]): [number, number, number] {
  const n: [number, number, number] = [0, 0, 0];
  const o = loop[0]! * 3;
  for (let k = 2; k < loop.length; k++) {
    const a = loop[k - 1]! * 3;
    const b = loop[k]! * 3;
    const ux = p[a]! - p[o]!;
    const uy = p[a + 1]! - p[o + 1]!;
    const uz = p[a + 2]! - p[o + 2]!;
    const vx = p[b]! - p[o]!;
    const vy = p[b + 1]! - p[o + 1]!;
    const vz = p[b + 2]! - p[o + 2]!;
    n[0] += uy * vz - uz * vy;
    n[1] += uz * vx - ux * vz;
    n[2] += ux * vy - uy * vx;
  }
  return n;
}

/** Merges triangles into faces; undefined if the result is not a clean convex polyhedron at this tolerance. */
function mergeFaces(p: Float64Array, triangles: readonly Triangle[], tolerance: number): Omit<ConvexHull, 'mass'> | undefined {
  // Regions grow from the largest triangles, whose planes are the surest.
  const order = triangles.map((t) => ({ t, n: areaVector(p, t.v) })).map(({ t, n }) => ({ t, n, area: Math.hypot(...n) }));
  order.sort((x, y) => y.area - x.area);
  const region = new Map<Triangle, number>();
  let regions = 0;
  for (const { t: seed, n, area } of order) {
    if (region.has(seed)) continue;
    if (!(area > 0)) return undefined;
    const [nx, ny, nz] = [n[0] / area, n[1] / area, n[2] / area];
    const d = nx * p[3 * seed.v[0]]! + ny * p[3 * seed.v[0] + 1]! + nz * p[3 * seed.v[0] + 2]!;
    const id = regions++;
    region.set(seed, id);
    const stack = [seed];
    for (let t = stack.pop(); t; t = stack.pop()) {
      for (const s of t.next) {
        if (region.has(s)) continue;
        if (s.v.every((v) => Math.abs(nx * p[3 * v]! + ny * p[3 * v + 1]! + nz * p[3 * v + 2]! - d) <= tolerance)) {
          region.set(s, id);
          stack.push(s);
        }
      }
    }
  }

  // Outline of each region: directed edges whose other side is another region; it must be one loop.
  const outlines: Map<number, number>[] = Array.from({ length: regions }, () => new Map());
  for (const t of triangles) {
    const id = region.get(t)!;
    for (let e = 0; e < 3; e++) {
      if (region.get(t.next[e]!) === id) continue;
      const outline = outlines[id]!;
      if (outline.has(t.v[e]!)) return undefined;
      outline.set(t.v[e]!, t.v[(e + 1) % 3]!);
    }
  }
  const loops: number[][] = [];
  for (const outline of outlines) {
    if (outline.size < 3) return undefined;
    const loop: number[] = [];
    const first = outline.keys().next().value!;
    let v = first;
    do {
      loop.push(v);
      v = outline.get(v)!;
    } while (v !== first && v !== undefined && loop.length <= outline.size);
    if (loop.length !== outline.size) return undefined;
    loops.push(loop);
  }

  // Vertices between only two faces lie on an edge: they go.
  const degree = new Map<number, number>();
  for (const loop of loops) for (const v of loop) degree.set(v, (degree.get(v) ?? 0) + 1);
  const faces = loops.map((loop) => loop.filter((v) => degree.get(v)! > 2));
  if (faces.some((f) => f.length < 3) || faces.length < 4) return undefined;

  const names = new Map<number, number>();
  for (const f of faces) for (const v of f) if (!names.has(v)) names.set(v, 0);
  const sorted = [...names.keys()].sort((a, b) => a - b);
  sorted.forEach((v, i) => {
    names.set(v, i);
  });
  const vertices = new Float64Array(sorted.length * 3);
  sorted.forEach((v, i) => {
    vertices.set(p.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  const named = faces.map((f) => f.map((v) => names.get(v)!));

  // Planes touch the hull from outside. Every vertex of a face must lie near it: this is the check of convexity.
  const planes = new Float64Array(named.length * 4);
  for (let f = 0; f < named.length; f++) {
    const n = areaVector(vertices, named[f]!);
    const area = Math.hypot(...n);
    if (!(area > 0)) return undefined;
    let d = -Infinity;
    let low = Infinity;
    const [nx, ny, nz] = [n[0] / area, n[1] / area, n[2] / area];
    const height = (v: number): number => nx * vertices[3 * v]! + ny * vertices[3 * v + 1]! + nz * vertices[3 * v + 2]!;
    for (const v of named[f]!) low = Math.min(low, height(v));
    for (let v = 0; v < sorted.length; v++) d = Math.max(d, height(v));
    if (d - low > 4 * tolerance) return undefined;
    planes.set([nx, ny, nz, d], 4 * f);
  }

  // Edges: each must have a face on either side, and the faces must meet at a convex angle.
  const left = new Map<number, number>();
  named.forEach((loop, f) => {
    loop.forEach((v, k) => {
      left.set(v * 65536 + loop[(k + 1) % loop.length]!, f);
    });
  });
  const edges: number[] = [];
  for (const [key, f] of left) {
    const a = Math.floor(key / 65536);
    const b = key % 65536;
    if (a > b && left.has(b * 65536 + a)) continue; // met from the other side
    const g = left.get(b * 65536 + a);
    if (g === undefined || g === f) return undefined;
    const cross = [
      planes[4 * f + 1]! * planes[4 * g + 2]! - planes[4 * f + 2]! * planes[4 * g + 1]!,
      planes[4 * f + 2]! * planes[4 * g]! - planes[4 * f]! * planes[4 * g + 2]!,
      planes[4 * f]! * planes[4 * g + 1]! - planes[4 * f + 1]! * planes[4 * g]!,
    ];
    let along = 0;
    for (let k = 0; k < 3; k++) along += cross[k]! * (vertices[3 * b + k]! - vertices[3 * a + k]!);
    if (!(along > 0)) return undefined;
    edges.push(a, b, f, g);
  }
  if (sorted.length - edges.length / 4 + named.length !== 2) return undefined;
  return { vertices, faces: named, planes, edges: Uint16Array.from(edges) };
}

/** Returns the indices of points that stay after welding points closer than `tolerance` to an earlier one. */
function weld(p: ArrayLike<number>, tolerance: number): number[] {
  // Cells of a hashed grid, much larger than the tolerance: most points look into one cell only.
  const cell = 16 * tolerance;
  const hash = (x: number, y: number, z: number): number =>
    Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
  const cells = new Map<number, number[]>();
  const kept: number[] = [];
  const hasTwin = (i: number): boolean => {
    const [x, y, z] = [p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!];
    for (let cx = Math.floor((x - tolerance) / cell); cx <= Math.floor((x + tolerance) / cell); cx++) {
      for (let cy = Math.floor((y - tolerance) / cell); cy <= Math.floor((y + tolerance) / cell); cy++) {
        for (let cz = Math.floor((z - tolerance) / cell); cz <= Math.floor((z + tolerance) / cell); cz++) {
          for (const j of cells.get(hash(cx, cy, cz)) ?? []) {
            if (Math.hypot(x - p[3 * j]!, y - p[3 * j + 1]!, z - p[3 * j + 2]!) <= tolerance) return true;
          }
        }
      }
    }
    return false;
  };
  for (let i = 0; i < p.length / 3; i++) {
    if (hasTwin(i)) continue;
    kept.push(i);
    const key = hash(Math.floor(p[3 * i]! / cell), Math.floor(p[3 * i + 1]! / cell), Math.floor(p[3 * i + 2]! / cell));
    const list = cells.get(key);
    if (list) list.push(i);
    else cells.set(key, [i]);
  }
  return kept;
}

/** Returns four points far apart, or the reason why there are none. */
function farApart(p: Float64Array, size: number): number[] {
  const count = p.length / 3;
  const at = (i: number, k: number): number => p[3 * i + k]!;
  const pick = (score: (i: number) => number): [number, number] => {
    let best = 0;
    let value = -1;
    for (let i = 0; i < count; i++) {
      const s = score(i);
      if (s > value) {
        value = s;
        best = i;
      }
    }
    return [best, value];
  };
  const flat = (what: string): TalusError =>
    new TalusError(
      'degenerate-shape',
      `A convex hull needs volume: all points ${what} (within ${FLAT} of their extent). Add points or thickness.`,
    );
  const [a] = pick((i) => -at(i, 0) + size * 1e6);
  const [b, ab] = pick((i) => Math.hypot(at(i, 0) - at(a, 0), at(i, 1) - at(a, 1), at(i, 2) - at(a, 2)));
  if (ab === 0) throw flat('coincide');
  const u = [0, 1, 2].map((k) => (at(b, k) - at(a, k)) / ab) as [number, number, number];
  const [c, ac] = pick((i) => {
    const w = [0, 1, 2].map((k) => at(i, k) - at(a, k)) as [number, number, number];
    return Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]);
  });
  if (ac < FLAT * size) throw flat('lie on a line');
  const n = areaVector(p, [a, b, c]);
  const area = Math.hypot(...n);
  const [d, ad] = pick(
    (i) => Math.abs(n[0] * (at(i, 0) - at(a, 0)) + n[1] * (at(i, 1) - at(a, 1)) + n[2] * (at(i, 2) - at(a, 2))) / area,
  );
  if (ad < FLAT * size) throw flat('lie in a plane');
  return [a, b, c, d];
}

/**
 * Returns the convex hull of points x y z x y z ... (m). Coplanar triangles are merged. Points inside, on faces, on edges, and
 * duplicates are left out.
 * @throws TalusError `invalid-argument` for a wrong length, values that are not finite, or more than 128 hull vertices without
 * `maxVertices`; `degenerate-shape` for fewer than 4 points or a cloud without volume.
 */
export function convexHull(points: ArrayLike<number>, options: HullOptions = {}): ConvexHull {
  const limit = options.maxVertices ?? MAX_HULL_VERTICES;
  if (!Number.isInteger(limit) || limit < 4 || limit > MAX_HULL_VERTICES) {
    throw new TalusError('invalid-argument', `maxVertices must be an integer from 4 to ${MAX_HULL_VERTICES}; it is ${limit}.`);
  }
  if (points.length % 3 !== 0) {
    throw new TalusError(
      'invalid-argument',
      `Points are x y z triples, so their length must be a multiple of 3; it is ${points.length}.`,
    );
  }
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i]))
      throw new TalusError(
        'invalid-argument',
        `Point ${Math.floor(i / 3)} has a coordinate that is not a finite number: ${points[i]}.`,
      );
  }
  if (points.length < 12)
    throw new TalusError('degenerate-shape', `A convex hull needs at least 4 points; there are ${points.length / 3}.`);

  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, points[i]!);
    high[i % 3] = Math.max(high[i % 3]!, points[i]!);
  }
  const size = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
  if (!(size > 0)) throw new TalusError('degenerate-shape', 'A convex hull needs volume: all points coincide. Add points.');
  // From the middle of the bounds, in units of their extent.
  let unit: Float64Array = new Float64Array(points.length);
  for (let i = 0; i < points.length; i++) unit[i] = (points[i]! - (low[i % 3]! + high[i % 3]!) / 2) / size;

  const attempt = (kept: readonly number[], most: number): Omit<ConvexHull, 'mass'> | undefined => {
    const p = new Float64Array(kept.length * 3);
    kept.forEach((i, k) => {
      p.set(unit.subarray(3 * i, 3 * i + 3), 3 * k);
    });
    const seeds = farApart(p, 1);
    const moved = p.map((x, i) => x + JOGGLE * noise(i));
    const triangles = quickhull(moved, seeds, most);
    let tolerance = MERGE;
    for (let retry = 0; retry <= MERGE_RETRIES; retry++, tolerance *= 4) {
      const hull = mergeFaces(p, triangles, tolerance);
      if (hull) return hull;
    }
    return undefined;
  };
  // Crowds of points that nearly coincide can defeat the merge; then coarser welding thins them out.
  const build = (most: number): Omit<ConvexHull, 'mass'> => {
    for (let tolerance = WELD; tolerance < 10 * WELD_MOST; tolerance *= 10) {
      const hull = attempt(weld(unit, tolerance), most);
      if (hull) return hull;
    }
    throw new TalusError(
      'degenerate-shape',
      'The hull of these points is too thin or too sharp for a clean polyhedron; add thickness or remove points that nearly coincide.',
    );
  };

  // Farthest points come first, so a few times the limit holds the extreme vertices of a cloud of any size.
  let hull = build(options.maxVertices === undefined ? DENSE : 4 * limit);
  if (hull.vertices.length / 3 > limit) {
    if (options.maxVertices === undefined) {
      throw new TalusError(
        'invalid-argument',
        `The hull has more than ${MAX_HULL_VERTICES} vertices (${hull.vertices.length / 3} or more). Pass maxVertices to simplify it, or give fewer points.`,
      );
    }
    unit = hull.vertices;
    hull = build(limit);
  }
  for (let f = 0; f < hull.faces.length; f++) {
    let back = Infinity;
    for (let v = 0; v < hull.vertices.length; v += 3) {
      back = Math.min(
        back,
        hull.planes[4 * f]! * hull.vertices[v]! +
          hull.planes[4 * f + 1]! * hull.vertices[v + 1]! +
          hull.planes[4 * f + 2]! * hull.vertices[v + 2]!,
      );
    }
    if (hull.planes[4 * f + 3]! - back < FLAT) {
      throw new TalusError(
        'degenerate-shape',
        `A convex hull needs volume: the points are thinner than ${FLAT} of their extent. Add thickness.`,
      );
    }
  }

  const vertices = hull.vertices.map((x, i) => x * size + (low[i % 3]! + high[i % 3]!) / 2);
  const planes = hull.planes.slice();
  for (let f = 0; f < hull.faces.length; f++) {
    let middle = 0;
    for (let k = 0; k < 3; k++) middle += planes[4 * f + k]! * (low[k]! + high[k]!) * 0.5;
    planes[4 * f + 3] = planes[4 * f + 3]! * size + middle;
  }
  return { vertices, faces: hull.faces, planes, edges: hull.edges, mass: polyhedronMass(vertices, hull.faces) };
}

const align16 = (bytes: number): number => (bytes + 15) & ~15;

/**
 * Returns the HullBlob of a hull: the data that Shape.dataPtr of a hull points at (see docs/memory-map.md), 16-byte aligned
 * inside.
 */
export function cookHull(hull: ConvexHull): ArrayBuffer {
  const vertexCount = hull.vertices.length / 3;
  const faceCount = hull.faces.length;
  const edgeCount = hull.edges.length / 4;
  const vertexGroups = Math.ceil(vertexCount / 4);
  const faceGroups = Math.ceil(faceCount / 4);
  const loopBytes = hull.faces.reduce((sum, f) => sum + f.length, 0);
  let cursor: number = align16(HullBlob.STRIDE);
  const take = (bytes: number): number => {
    const at = cursor;
    cursor = align16(cursor + bytes);
    return at;
  };
  const verticesOffset = take(vertexCount * 16);
  const verticesWOffset = take(vertexGroups * 48);
  const planesOffset = take(faceCount * 16);
  const planesWOffset = take(faceGroups * 64);
  const loopStartsOffset = take((faceCount + 1) * 2);
  const loopsOffset = take(loopBytes);
  const edgesOffset = take(edgeCount * 4);
  const edgeCosinesOffset = take(edgeCount * 4);
  const blob = new ArrayBuffer(cursor);
  const f32 = new Float32Array(blob);
  const u8 = new Uint8Array(blob);
  const u16 = new Uint16Array(blob);
  const u32 = new Uint32Array(blob);

  const v = Float32Array.from(hull.vertices);
  for (let i = 0; i < vertexCount; i++) f32.set(v.subarray(3 * i, 3 * i + 3), verticesOffset / 4 + 4 * i);
  for (let i = 0; i < vertexGroups * 4; i++) {
    const from = Math.min(i, vertexCount - 1);
    for (let k = 0; k < 3; k++) f32[verticesWOffset / 4 + (i >> 2) * 12 + k * 4 + (i & 3)] = v[3 * from + k]!;
  }

  // Planes of the rounded vertices: the offset is the highest vertex along the rounded normal.
  const n = Float32Array.from(hull.planes);
  let minExtent = Infinity;
  for (let f = 0; f < faceCount; f++) {
    let top = -Infinity;
    let back = Infinity;
    for (let i = 0; i < vertexCount; i++) {
      const h = n[4 * f]! * v[3 * i]! + n[4 * f + 1]! * v[3 * i + 1]! + n[4 * f + 2]! * v[3 * i + 2]!;
      top = Math.max(top, h);
      back = Math.min(back, h);
    }
    n[4 * f + 3] = top;
    minExtent = Math.min(minExtent, top - back);
    f32.set(n.subarray(4 * f, 4 * f + 4), planesOffset / 4 + 4 * f);
  }
  for (let i = 0; i < faceGroups * 4; i++) {
    const from = Math.min(i, faceCount - 1);
    for (let k = 0; k < 4; k++) f32[planesWOffset / 4 + (i >> 2) * 16 + k * 4 + (i & 3)] = n[4 * from + k]!;
  }

  let entry = 0;
  hull.faces.forEach((loop, f) => {
    u16[loopStartsOffset / 2 + f] = entry;
    for (const i of loop) u8[loopsOffset + entry++] = i;
  });
  u16[loopStartsOffset / 2 + faceCount] = entry;
  for (let e = 0; e < edgeCount; e++) {
    for (let k = 0; k < 4; k++) u8[edgesOffset + 4 * e + k] = hull.edges[4 * e + k]!;
    const f = 4 * hull.edges[4 * e + 2]!;
    const g = 4 * hull.edges[4 * e + 3]!;
    f32[edgeCosinesOffset / 4 + e] =
      hull.planes[f]! * hull.planes[g]! + hull.planes[f + 1]! * hull.planes[g + 1]! + hull.planes[f + 2]! * hull.planes[g + 2]!;
  }

  const center = Float32Array.from(hull.mass.center);
  let innerRadius = Infinity;
  for (let f = 0; f < faceCount; f++) {
    innerRadius = Math.min(
      innerRadius,
      n[4 * f + 3]! - n[4 * f]! * center[0]! - n[4 * f + 1]! * center[1]! - n[4 * f + 2]! * center[2]!,
    );
  }
  let outerRadius = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertexCount; i++) {
    outerRadius = Math.max(
      outerRadius,
      Math.hypot(v[3 * i]! - center[0]!, v[3 * i + 1]! - center[1]!, v[3 * i + 2]! - center[2]!),
    );
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, v[3 * i + k]!);
      high[k] = Math.max(high[k]!, v[3 * i + k]!);
    }
  }
  const integers: [number, number][] = [
    [HullBlob.vertexCount, vertexCount],
    [HullBlob.faceCount, faceCount],
    [HullBlob.edgeCount, edgeCount],
    [HullBlob.blobBytes, cursor],
    [HullBlob.vertexGroups, vertexGroups],
    [HullBlob.faceGroups, faceGroups],
    [HullBlob.maxFaceVertices, Math.max(...hull.faces.map((f) => f.length))],
    [HullBlob.verticesOffset, verticesOffset],
    [HullBlob.verticesWOffset, verticesWOffset],
    [HullBlob.planesOffset, planesOffset],
    [HullBlob.planesWOffset, planesWOffset],
    [HullBlob.loopStartsOffset, loopStartsOffset],
    [HullBlob.loopsOffset, loopsOffset],
    [HullBlob.edgesOffset, edgesOffset],
    [HullBlob.edgeCosinesOffset, edgeCosinesOffset],
  ];
  for (const [offset, value] of integers) u32[offset / 4] = value;
  f32[HullBlob.innerRadius / 4] = Math.max(0, innerRadius) * (1 - 1e-6);
  f32[HullBlob.outerRadius / 4] = outerRadius;
  f32[HullBlob.minExtent / 4] = minExtent;
  f32.set(center, HullBlob.centroidX / 4);
  f32.set(low, HullBlob.minX / 4);
  f32.set(high, HullBlob.maxX / 4);
  return blob;
}
