// When a moving convex shape first meets a mesh or heightfield, which may move and turn: advance.ts against each triangle on
// the way.
//
// The way, as seen from the surface, is cut into slices of about the size of the shape; the triangles in the box of a slice are
// asked in turn, up to the first meeting found so far, and the first slice with a meeting ends the search. What the shape touches
// at time 0, or only slides along, is no meeting: ordinary contacts hold it.
// In: a Motion whose B is the surface, A's core in the GjkState. Out: as advance(); closing speed limit `slow`.
import {
  GjkState,
  HeightfieldBlob,
  MESH_LEAF,
  MESH_NODE_STRIDE,
  MESH_TRIANGLE_STRIDE,
  MOTION_SWEEP,
  MeshBlob,
  MeshNode,
  MeshTriangle,
  Motion,
  NONE,
  SHAPE_MESH,
  SHAPE_PLANE,
  SUPPORT_ROW_STRIDE,
  Shape,
  SupportRow,
  SurfaceSweep,
} from '../layout.generated';
import { cross3, dot3 } from '../math/lane';
import { inverseRotate3, rotate3, storeRotation } from '../math/quat';
import { addScaled3, perpendicular3, rotate3 as turned3 } from '../math/vec3';
import { NEVER, advance, gjkOf, markMeeting, setPose } from './advance';
import { CORES, fromB, supportA, toB } from './gjk';
import { planeNormal, planePoint } from './plane';
import { writeTriangleSupport } from './support';
import { sampleAt, stackBuffer, surface } from './surface';

const MAX_SLICES: f32 = 64;
// Largest triangle that stands for a plane (m): its normal is squared.
const FAR: f32 = 1e6;
// Share of the time up to the first meeting found by which another one must be earlier.
const TIE: f32 = 0.02;

/** Whether the last advanceSurface passed over triangles that were met at time 0. */
export function touchedAtStart(m: Motion): bool {
  return changetype<SurfaceSweep>(sweepOf(m)).touched != 0;
}

export function forgetTouches(m: Motion): void {
  changetype<SurfaceSweep>(sweepOf(m)).touched = 0;
}

function sweepOf(m: Motion): usize {
  return changetype<usize>(m) + MOTION_SWEEP;
}

/** Farthest that the triangle reaches from the center that B turns about, from which B's origin lies at `o` (frame of B). */
function reachOf(s: SurfaceSweep, o: v128): f32 {
  const a: v128 = f32x4.add(s.v0, o),
    b: v128 = f32x4.add(s.v1, o),
    c: v128 = f32x4.add(s.v2, o);
  return sqrt<f32>(max<f32>(max<f32>(dot3(a, a), dot3(b, b)), dot3(c, c)));
}

/** Asks the triangle in v0 v1 v2. */
function meet(m: Motion, s: SurfaceSweep): void {
  if (s.looks != 0) {
    s.touched = 1;
    return;
  }
  const normal: v128 = cross3(f32x4.sub(s.v1, s.v0), f32x4.sub(s.v2, s.v0));
  const n2: f32 = dot3(normal, normal);
  if (!(n2 > 0)) return;
  // First guess: the normal of the triangle, away from A. B's frame is that of the world turned by its rotation.
  if (m.at != s.from) setPose(m, s.from);
  const g: usize = gjkOf(m);
  const origin: v128 = toB(g, f32x4.neg(changetype<GjkState>(g).t));
  const b: usize = changetype<usize>(m) + offsetof<Motion>('b0');
  const k: f32 = (dot3(normal, f32x4.sub(origin, s.v0)) >= 0 ? <f32>-1 : <f32>1) / sqrt<f32>(n2);
  m.n = f32x4.replace_lane(rotate3(b, f32x4.mul(normal, f32x4.splat(k))), 3, 0);
  if (dot3(m.wb, m.wb) > 0) m.reachB = reachOf(s, inverseRotate3(b, m.cb));
  // Of meetings at nearly one time the first one found will do: the triangles of a plane are reached together.
  const until: f32 = s.best < s.to ? s.best - TIE * (s.best - s.from) : s.best;
  const t: f32 = advance(m, s.from, until);
  // Triangles that were met before the slice began were ignored there.
  if (t == 0) s.touched = 1;
  if (t < 0 || t <= s.from || t >= s.best) return;
  markMeeting(m);
  const armB: v128 = f32x4.sub(m.arm, f32x4.add(m.d, f32x4.mul(m.dv, f32x4.splat(t))));
  if (dot3(m.n, f32x4.sub(f32x4.sub(cross3(m.wa, m.arm), m.dv), cross3(m.wb, armB))) < s.slow) return;
  s.best = t;
  s.axis = m.n;
  s.arm = m.arm;
}

function meetMesh(m: Motion, s: SurfaceSweep, blob: usize): void {
  const h = changetype<MeshBlob>(blob);
  const vertices: usize = blob + h.verticesOffset;
  const low: v128 = s.low,
    high: v128 = s.high;
  const stack: usize = stackBuffer(surface());
  store<u32>(stack, 0);
  let top: usize = stack + 4;
  while (top > stack) {
    top -= 4;
    const node: usize = blob + h.nodesOffset + <usize>load<u32>(top) * MESH_NODE_STRIDE;
    const boxes = changetype<MeshNode>(node);
    const x: v128 = v128.and(
      f32x4.le(boxes.minX, v128.shuffle<f32>(high, high, 0, 0, 0, 0)),
      f32x4.ge(boxes.maxX, v128.shuffle<f32>(low, low, 0, 0, 0, 0)),
    );
    const y: v128 = v128.and(
      f32x4.le(boxes.minY, v128.shuffle<f32>(high, high, 1, 1, 1, 1)),
      f32x4.ge(boxes.maxY, v128.shuffle<f32>(low, low, 1, 1, 1, 1)),
    );
    const z: v128 = v128.and(
      f32x4.le(boxes.minZ, v128.shuffle<f32>(high, high, 2, 2, 2, 2)),
      f32x4.ge(boxes.maxZ, v128.shuffle<f32>(low, low, 2, 2, 2, 2)),
    );
    let hits: u32 = <u32>i32x4.bitmask(v128.and(v128.and(x, y), z));
    while (hits != 0) {
      const lane: u32 = ctz<u32>(hits);
      hits &= hits - 1;
      const child: u32 = load<u32>(node + ((<usize>lane) << 2), offsetof<MeshNode>('children'));
      if ((child & MESH_LEAF) == 0) {
        store<u32>(top, child);
        top += 4;
        continue;
      }
      if (child == NONE) continue;
      const first: u32 = (child & ~MESH_LEAF) >> 3;
      const end: u32 = first + (child & 7);
      for (let i: u32 = first; i < end; ++i) {
        const t = changetype<MeshTriangle>(blob + h.trianglesOffset + <usize>i * MESH_TRIANGLE_STRIDE);
        s.v0 = v128.load(vertices + ((<usize>t.a) << 4));
        s.v1 = v128.load(vertices + ((<usize>t.b) << 4));
        s.v2 = v128.load(vertices + ((<usize>t.c) << 4));
        if (inBox(s)) meet(m, s);
      }
    }
  }
}

// Whether the box of the triangle meets that of the slice.
function inBox(s: SurfaceSweep): bool {
  const min3: v128 = f32x4.pmin(f32x4.pmin(s.v0, s.v1), s.v2);
  const max3: v128 = f32x4.pmax(f32x4.pmax(s.v0, s.v1), s.v2);
  const apart: v128 = v128.or(f32x4.gt(min3, s.high), f32x4.lt(max3, s.low));
  return (i32x4.bitmask(apart) & 7) == 0;
}

// Cell that holds coordinate x (in cells), within 0..last.
function cellOf(x: f32, last: i32): i32 {
  return x > 0 ? (x < <f32>last ? <i32>x : last) : 0;
}

/** A triangle of a heightfield; false for a hole. */
function loadCell(s: SurfaceSweep, blob: usize, i: i32, j: i32, half: u32): bool {
  s.v0 = sampleAt(blob, i, j);
  s.v1 = half == 0 ? sampleAt(blob, i, j + 1) : sampleAt(blob, i + 1, j + 1);
  s.v2 = half == 0 ? sampleAt(blob, i + 1, j + 1) : sampleAt(blob, i + 1, j);
  return f32x4.extract_lane(s.v0, 1) + f32x4.extract_lane(s.v1, 1) + f32x4.extract_lane(s.v2, 1) < Infinity; // false for NaN
}

function meetHeightfield(m: Motion, s: SurfaceSweep, blob: usize): void {
  const h = changetype<HeightfieldBlob>(blob);
  const lastI: i32 = <i32>h.nx - 2;
  const lastJ: i32 = <i32>h.nz - 2;
  if (f32x4.extract_lane(s.low, 1) > h.maxY || f32x4.extract_lane(s.high, 1) < h.minY) return;
  const slack: f32 = <f32>1e-3; // cell borders are rounded
  const fromX: f32 = (f32x4.extract_lane(s.low, 0) - h.originX) * h.invSpacingX - slack;
  const toX: f32 = (f32x4.extract_lane(s.high, 0) - h.originX) * h.invSpacingX + slack;
  const fromZ: f32 = (f32x4.extract_lane(s.low, 2) - h.originZ) * h.invSpacingZ - slack;
  const toZ: f32 = (f32x4.extract_lane(s.high, 2) - h.originZ) * h.invSpacingZ + slack;
  if (!(toX >= 0 && toZ >= 0 && fromX <= <f32>(lastI + 1) && fromZ <= <f32>(lastJ + 1))) return;
  const i1: i32 = cellOf(toX, lastI),
    j1: i32 = cellOf(toZ, lastJ);
  for (let j: i32 = cellOf(fromZ, lastJ); j <= j1; ++j) {
    for (let i: i32 = cellOf(fromX, lastI); i <= i1; ++i) {
      for (let half: u32 = 0; half < 2; ++half) {
        if (loadCell(s, blob, i, j, half) && inBox(s)) meet(m, s);
      }
    }
  }
}

/** Against a plane: its triangle around the slice. A shape that lies in the half-space as a whole meets nothing from behind. */
function meetPlane(m: Motion, s: SurfaceSweep, shape: usize): void {
  const n: v128 = planeNormal(shape);
  const half: v128 = f32x4.mul(f32x4.sub(s.high, s.low), f32x4.splat(0.5));
  const center: v128 = f32x4.add(s.low, half);
  const height: f32 = dot3(n, f32x4.sub(center, planePoint(shape)));
  if (height > dot3(f32x4.abs(n), half)) return;
  if (s.looks == 0) {
    if (m.at != s.from) setPose(m, s.from);
    const g: usize = gjkOf(m);
    const f = changetype<GjkState>(g);
    const up: v128 = turned3(f.c0, f.c1, f.c2, n);
    const top: v128 = f32x4.sub(supportA(g, CORES, up), fromB(g, planePoint(shape)));
    if (dot3(up, top) + changetype<SupportRow>(g + CORES).margin < 0) {
      s.touched = 1;
      return;
    }
  }
  const middle: v128 = addScaled3(center, n, -height);
  const u: v128 = perpendicular3(n);
  const v: v128 = cross3(n, u);
  // The circle in it has twice the diagonal of the slice for a radius.
  const r: f32 = min<f32>(FAR, 8 * sqrt<f32>(dot3(half, half)));
  s.v0 = f32x4.replace_lane(addScaled3(middle, u, r), 3, 0);
  s.v1 = f32x4.replace_lane(addScaled3(addScaled3(middle, u, <f32>-0.5 * r), v, <f32>0.8660254 * r), 3, 0);
  s.v2 = f32x4.replace_lane(addScaled3(addScaled3(middle, u, <f32>-0.5 * r), v, <f32>-0.8660254 * r), 3, 0);
  meet(m, s);
}

/** Asks the surface in the box of the slice. */
function meetSurface(m: Motion, s: SurfaceSweep, shapeB: usize): void {
  const b: Shape = changetype<Shape>(shapeB);
  if (b.type == SHAPE_MESH) meetMesh(m, s, b.dataPtr);
  else if (b.type == SHAPE_PLANE) meetPlane(m, s, shapeB);
  else meetHeightfield(m, s, b.dataPtr);
}

/** The triangle that will probably be met first, by its index in the blob. */
function loadHint(s: SurfaceSweep, shapeB: usize, index: u32): bool {
  const blob: usize = changetype<Shape>(shapeB).dataPtr;
  if (changetype<Shape>(shapeB).type == SHAPE_MESH) {
    const h = changetype<MeshBlob>(blob);
    const t = changetype<MeshTriangle>(blob + h.trianglesOffset + <usize>index * MESH_TRIANGLE_STRIDE);
    s.v0 = v128.load(blob + h.verticesOffset + ((<usize>t.a) << 4));
    s.v1 = v128.load(blob + h.verticesOffset + ((<usize>t.b) << 4));
    s.v2 = v128.load(blob + h.verticesOffset + ((<usize>t.c) << 4));
    return true;
  }
  const cells: u32 = changetype<HeightfieldBlob>(blob).nx - 1;
  return loadCell(s, blob, <i32>((index >> 1) % cells), <i32>((index >> 1) / cells), index & 1);
}

/** Whether triangles lie around the path of A from time 0 to 1, whatever its rotation. */
export function isNearSurface(m: Motion, shapeA: usize, shapeB: usize): bool {
  const s = changetype<SurfaceSweep>(sweepOf(m));
  const reach: v128 = f32x4.splat(changetype<Shape>(shapeA).extent + 2 * sqrt<f32>(dot3(m.oa, m.oa)));
  const b: usize = changetype<usize>(m) + offsetof<Motion>('b0');
  storeRotation(m.qb, b);
  const start: v128 = inverseRotate3(b, f32x4.sub(m.oa, f32x4.add(m.d, m.ob)));
  const end: v128 = f32x4.sub(start, inverseRotate3(b, m.dv));
  s.low = f32x4.sub(f32x4.pmin(start, end), reach);
  s.high = f32x4.add(f32x4.pmax(start, end), reach);
  s.touched = 0;
  s.looks = 1;
  meetSurface(m, s, shapeB);
  s.looks = 0;
  return s.touched != 0;
}

/**
 * First time in [0, t1] at which A meets the surface `shapeB` closing faster than `slow` (m/s), NEVER if there is none; its
 * axis in Motion.n. The core of A must lie in the GjkState. If `hint` is not NONE, a meeting with that triangle is enough.
 */
export function advanceSurface(m: Motion, shapeA: usize, shapeB: usize, t1: f32, slow: f32, hint: u32): f32 {
  const s = changetype<SurfaceSweep>(sweepOf(m));
  const g: usize = gjkOf(m);
  if (changetype<Shape>(shapeB).type == SHAPE_PLANE) hint = NONE;
  const extent: f32 = changetype<Shape>(shapeA).extent;
  writeTriangleSupport(g + CORES + SUPPORT_ROW_STRIDE, changetype<usize>(s));
  const speed: f32 = sqrt<f32>(dot3(m.dv, m.dv)),
    spin: f32 = sqrt<f32>(dot3(m.wb, m.wb));
  // Seen from a surface that turns, A goes round its center too.
  const around: f32 = sqrt<f32>(dot3(m.d, m.d)) + sqrt<f32>(dot3(m.oa, m.oa)) + speed * t1;
  const length: f32 = (speed + spin * around) * t1;
  const slices: f32 = max<f32>(1, min<f32>(MAX_SLICES, ceil<f32>(length / (2 * extent))));
  // How far the origin of A may leave the chord of a slice by turning about the center.
  let bulge: f32 = (sqrt<f32>(dot3(m.wa, m.wa) * dot3(m.oa, m.oa)) * t1) / slices;
  // Nor is the chord straight there: an eighth of the acceleration, by the square of the time.
  const time: f32 = t1 / slices;
  bulge += <f32>0.125 * (spin * around + 2 * speed) * spin * time * time;
  const reach: v128 = f32x4.splat(extent + bulge + m.skin);
  const lap: f32 = length > 0 ? (m.skin * t1) / length : 0;
  s.slow = slow;
  s.touched = 0;
  s.looks = 0;
  setPose(m, 0);
  let start: v128 = toB(g, f32x4.neg(changetype<GjkState>(g).t));
  for (let k: f32 = 0; k < slices; ++k) {
    const to: f32 = (t1 * (k + 1)) / slices;
    setPose(m, to);
    const end: v128 = toB(g, f32x4.neg(changetype<GjkState>(g).t));
    s.low = f32x4.sub(f32x4.pmin(start, end), reach);
    s.high = f32x4.add(f32x4.pmax(start, end), reach);
    // Starts a little before the end of the last slice, so that an impact just at its end is found here.
    s.from = max<f32>(0, (t1 * k) / slices - lap);
    s.best = to;
    s.to = to;
    if (k == 0 && hint != NONE && loadHint(s, shapeB, hint)) meet(m, s);
    if (hint == NONE || s.best == to) meetSurface(m, s, shapeB);
    if (s.best < to) {
      m.n = s.axis;
      m.arm = s.arm;
      return s.best;
    }
    start = end;
  }
  return NEVER;
}
