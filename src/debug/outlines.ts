// Outlines of shapes as line segments in the shape frame, computed once per shape: x y z per point, two points per segment.
import {
  HeightfieldBlob,
  HullBlob,
  MeshBlob,
  MeshTriangle,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import type { LinearMemory } from '../wasm/memory';

type Point = readonly [number, number, number];

const SEGMENTS = 24;
/** Half the side (m) of the drawn part of a plane, and the number of lines each way from its middle. */
const PLANE_SIZE = 10;
const PLANE_LINES = 5;

/** Writes a circle in the plane of axes u and v. */
function circle(out: number[], at: Point, radius: number, u: number, v: number, from = 0, to = 2 * Math.PI): void {
  const count = Math.round((SEGMENTS * (to - from)) / (2 * Math.PI));
  for (let k = 0; k < count; k++) {
    for (const phi of [from + ((to - from) * k) / count, from + ((to - from) * (k + 1)) / count]) {
      const point = [...at];
      point[u]! += radius * Math.cos(phi);
      point[v]! += radius * Math.sin(phi);
      out.push(...point);
    }
  }
}

function round(out: number[], type: number, radius: number, half: number): void {
  if (type === SHAPE_SPHERE) {
    for (const [u, v] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const)
      circle(out, [0, 0, 0], radius, u, v);
    return;
  }
  circle(out, [0, -half, 0], radius, 2, 0);
  if (type !== SHAPE_CONE) circle(out, [0, half, 0], radius, 2, 0);
  for (const [x, z] of [
    [radius, 0],
    [-radius, 0],
    [0, radius],
    [0, -radius],
  ] as const) {
    const top = type === SHAPE_CONE ? [0, half, 0] : [x, half, z];
    out.push(x, -half, z, ...top);
  }
  if (type !== SHAPE_CAPSULE) return;
  for (const u of [0, 2]) {
    circle(out, [0, half, 0], radius, u, 1, 0, Math.PI);
    circle(out, [0, -half, 0], radius, u, 1, Math.PI, 2 * Math.PI);
  }
}

function box(out: number[], [x, y, z]: Point): void {
  for (const a of [-1, 1]) {
    for (const b of [-1, 1]) {
      out.push(-x, a * y, b * z, x, a * y, b * z);
      out.push(a * x, -y, b * z, a * x, y, b * z);
      out.push(a * x, b * y, -z, a * x, b * y, z);
    }
  }
}

function hull(out: number[], memory: LinearMemory, blob: number): void {
  const { u32, f32 } = memory;
  const vertices = (blob + u32[(blob + HullBlob.verticesOffset) >>> 2]!) >>> 2;
  const edges = (blob + u32[(blob + HullBlob.edgesOffset) >>> 2]!) >>> 2;
  for (let e = 0; e < u32[(blob + HullBlob.edgeCount) >>> 2]!; e++) {
    const word = u32[edges + e]!; // vertices in the low bytes
    for (const v of [word & 255, (word >>> 8) & 255]) {
      for (let k = 0; k < 3; k++) out.push(f32[vertices + 4 * v + k]!);
    }
  }
}

/** Writes each edge once, or twice if only one triangle has it. */
function mesh(out: number[], memory: LinearMemory, blob: number): void {
  const { u32, f32 } = memory;
  const vertices = (blob + u32[(blob + MeshBlob.verticesOffset) >>> 2]!) >>> 2;
  const triangles = (blob + u32[(blob + MeshBlob.trianglesOffset) >>> 2]!) >>> 2;
  for (let t = 0; t < u32[(blob + MeshBlob.triangleCount) >>> 2]!; t++) {
    const at = triangles + (t * MeshTriangle.STRIDE) / 4;
    for (let k = 0; k < 3; k++) {
      const neighbor = u32[at + MeshTriangle.neighbor0 / 4 + k]!;
      if (neighbor < t) continue;
      for (const v of [u32[at + k]!, u32[at + ((k + 1) % 3)]!]) {
        for (let axis = 0; axis < 3; axis++) out.push(f32[vertices + 4 * v + axis]!);
      }
    }
  }
}

/** Edges from a sample of a heightfield: the other sample, and the third corners of the triangles on both sides. */
const FIELD_EDGES = [
  [1, 0, 1, 1, 0, -1],
  [0, 1, 1, 1, -1, 0],
  [1, 1, 0, 1, 1, 0],
] as const;

/** Writes the edges of triangles that are not holes. */
function heightfield(out: number[], memory: LinearMemory, blob: number): void {
  const { u32, f32 } = memory;
  const [nx, nz] = [u32[(blob + HeightfieldBlob.nx) >>> 2]!, u32[(blob + HeightfieldBlob.nz) >>> 2]!];
  const heights = (blob + u32[(blob + HeightfieldBlob.heightsOffset) >>> 2]!) >>> 2;
  const f = (offset: number) => f32[(blob + offset) >>> 2]!;
  const height = (i: number, j: number) => (i < 0 || j < 0 || i >= nx || j >= nz ? Number.NaN : f32[heights + j * nx + i]!);
  const push = (i: number, j: number) =>
    out.push(
      f(HeightfieldBlob.originX) + i * f(HeightfieldBlob.spacingX),
      height(i, j),
      f(HeightfieldBlob.originZ) + j * f(HeightfieldBlob.spacingZ),
    );
  for (let j = 0; j < nz; j++) {
    for (let i = 0; i < nx; i++) {
      for (const [di, dj, ai, aj, bi, bj] of FIELD_EDGES) {
        if (Number.isNaN(height(i, j) + height(i + di, j + dj))) continue;
        if (Number.isNaN(height(i + ai, j + aj)) && Number.isNaN(height(i + bi, j + bj))) continue;
        push(i, j);
        push(i + di, j + dj);
      }
    }
  }
}

/** Writes a part of a plane about its foot, and its normal. */
function plane(out: number[], foot: Point, normal: Point): void {
  const least = normal.map(Math.abs).indexOf(Math.min(...normal.map(Math.abs)));
  const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const u = cross(normal, [+(least === 0), +(least === 1), +(least === 2)]);
  const size = PLANE_SIZE / Math.hypot(...u);
  const v = cross(normal, u);
  const at = (a: number, b: number) => foot.map((x, k) => x + size * (a * u[k]! + b * v[k]!));
  for (let k = -PLANE_LINES; k <= PLANE_LINES; k++) {
    const t = k / PLANE_LINES;
    out.push(...at(t, -1), ...at(t, 1), ...at(-1, t), ...at(1, t));
  }
  out.push(...foot, ...foot.map((x, k) => x + normal[k]!));
}

/** Returns the outline of the shape in a slot. */
export function outlineOf(memory: LinearMemory, shape: number): Float32Array {
  const { u32, f32 } = memory;
  const at = (u32: number) => shape + u32 / 4;
  const type = u32[at(Shape.type)]!;
  const [p0, p1, p2] = [f32[at(Shape.p0)]!, f32[at(Shape.p1)]!, f32[at(Shape.p2)]!];
  const blob = u32[at(Shape.dataPtr)]!;
  const out: number[] = [];
  if (type === SHAPE_BOX) box(out, [p0, p1, p2]);
  else if (type === SHAPE_PLANE) plane(out, [f32[at(Shape.minX)]!, f32[at(Shape.minY)]!, f32[at(Shape.minZ)]!], [p0, p1, p2]);
  else if (type === SHAPE_HULL) hull(out, memory, blob);
  else if (type === SHAPE_MESH) mesh(out, memory, blob);
  else if (type === SHAPE_HEIGHTFIELD) heightfield(out, memory, blob);
  else if (type === SHAPE_SPHERE || type === SHAPE_CAPSULE || type === SHAPE_CYLINDER || type === SHAPE_CONE)
    round(out, type, p0, p1);
  return Float32Array.from(out);
}
