// Ray casts against triangle meshes and heightfields. Convention of ray_shapes.ts: t in lengths of the direction, or RAY_MISS.
// Both sides of a triangle are hit, or the front alone; the normal looks against the ray.
//
// The triangle test is watertight (Woop, Benthin and Wald 2013, Watertight Ray/Triangle Intersection): vertices are sheared
// into the ray's frame once, and the two triangles at an edge evaluate the same expression there, so no ray slips between them.
// The (up to four) triangles of a leaf are first tested at once in single precision: those whose edge functions surely have
// both signs are left out. The tree is walked nearest child first, eight children at once (boxes.ts); the heightfield by the
// cells under the ray, blocks of 8 x 8 whose heights the ray misses skipped.
import {
  BoxWalk,
  HEIGHT_RANGE_STRIDE,
  HeightRange,
  HeightfieldBlob,
  MESH_LEAF,
  MESH_TRIANGLE_STRIDE,
  MESH_WIDE_NODE_STRIDE,
  MeshBlob,
  MeshTriangle,
  MeshWideNode,
  NONE,
  Ray,
  RayHit,
  SHEARED_RAY,
  SHEARED_ROWS,
  SHEARED_WALK,
  Shape,
  ShearedRay,
  Surface,
} from '../layout.generated';
import { cross3, dot3, vec3W } from '../math/lane';
import { putVector } from '../memory/words';
import { NOTHING, beginWalk, entered, nearestOf, nextOf } from './boxes';
import { RAY_MISS } from './ray_shapes';
import { clusterBuffer, sampleAt, surface, unit } from './surface';

/** Relative widening of the far side of boxes. */
const WIDEN: f32 = 1.0000004;
/** A direction component smaller than this part of the largest counts as zero. */
const TINY: f32 = 1e-20;

// The ray in its own axes: z is the largest component of the direction. Lives behind the stack of the walk; rows of a triangle,
// then the BoxWalk, follow.

function sheared(c: Surface): ShearedRay {
  return changetype<ShearedRay>(clusterBuffer(c) + SHEARED_RAY);
}

// Component k (byte offset) of a row in memory.
function at(row: usize, k: u32): f32 {
  return load<f32>(row + k);
}

function shear(s: ShearedRay, r: Ray, front: bool): void {
  s.front = front;
  const x: f32 = abs<f32>(r.dx);
  const y: f32 = abs<f32>(r.dy);
  const z: f32 = abs<f32>(r.dz);
  // Nothing foretells the axis: no branch.
  const kz: u32 = select<u32>(2, select<u32>(0, 1, x > y), select<f32>(x, y, x > y) <= z);
  const kx: u32 = select<u32>(0, kz + 1, kz == 2);
  const ky: u32 = select<u32>(0, kx + 1, kx == 2);
  const d: usize = changetype<usize>(r) + offsetof<Ray>('dx');
  const dz: f32 = at(d, kz << 2);
  s.kx = kx << 2;
  s.ky = ky << 2;
  s.kz = kz << 2;
  s.sx = at(d, kx << 2) / dz;
  s.sy = at(d, ky << 2) / dz;
  s.sz = 1 / dz;
  s.origin = vec3W(r.x, r.y, r.z);
  s.best = r.maxT;
  s.triangle = NONE;
}

// The triangle with corners in the three rows before the state (written by store of v128): lowers best if hit nearer.
function testTriangle(s: ShearedRay, index: u32, a: v128, b: v128, d: v128): void {
  const rows: usize = changetype<usize>(s) + SHEARED_ROWS;
  putVector(rows, 0, f32x4.sub(a, s.origin));
  putVector(rows, 1, f32x4.sub(b, s.origin));
  putVector(rows, 2, f32x4.sub(d, s.origin));
  const kx: u32 = s.kx;
  const ky: u32 = s.ky;
  const kz: u32 = s.kz;
  const az: f32 = at(rows, kz);
  const bz: f32 = at(rows + 16, kz);
  const cz: f32 = at(rows + 32, kz);
  const ax: f32 = at(rows, kx) - s.sx * az;
  const ay: f32 = at(rows, ky) - s.sy * az;
  const bx: f32 = at(rows + 16, kx) - s.sx * bz;
  const by: f32 = at(rows + 16, ky) - s.sy * bz;
  const cx: f32 = at(rows + 32, kx) - s.sx * cz;
  const cy: f32 = at(rows + 32, ky) - s.sy * cz;
  // Edge functions in double: products of two floats are exact there, so their sign is that of the real number.
  const u: f64 = <f64>cx * <f64>by - <f64>cy * <f64>bx;
  const v: f64 = <f64>ax * <f64>cy - <f64>ay * <f64>cx;
  const w: f64 = <f64>bx * <f64>ay - <f64>by * <f64>ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return;
  const det: f64 = u + v + w;
  if (det == 0 || (s.front != 0 && det * <f64>s.sz < 0)) return;
  const t: f32 = <f32>((<f64>s.sz * (u * <f64>az + v * <f64>bz + w * <f64>cz)) / det);
  if (!(t >= 0 && t <= s.best)) return;
  if (t == s.best && s.triangle != NONE) return;
  s.best = t;
  s.triangle = index;
}

// Edge function p - q of sheared vertices in four lanes, towards zero by more than rounding can have changed it. Its sign bit
// is set where the edge function is surely negative, with `more` = -0 where it is surely positive.
// @ts-ignore: decorator
@inline
function signed(p: v128, q: v128, more: v128): v128 {
  const sum: v128 = f32x4.add(f32x4.abs(p), f32x4.abs(q));
  const bound: v128 = f32x4.add(f32x4.mul(sum, f32x4.splat(1.5e-7)), f32x4.splat(1e-37)); // products may underflow
  const e: v128 = f32x4.sub(p, q);
  return f32x4.add(v128.xor(e, more), bound);
}

// Lanes of the `count` (1 to 4) triangles at `row` that may be hit: their edge functions do not surely have both signs.
function sharedSigns(s: ShearedRay, row: usize, count: u32, vertices: usize): u32 {
  const row1: usize = row + (count > 1 ? MESH_TRIANGLE_STRIDE : 0);
  const row2: usize = row1 + (count > 2 ? MESH_TRIANGLE_STRIDE : 0);
  const row3: usize = row2 + (count > 3 ? MESH_TRIANGLE_STRIDE : 0);
  const o: v128 = s.origin;
  const ox: v128 = v128.shuffle<f32>(o, o, 0, 0, 0, 0),
    oy: v128 = v128.shuffle<f32>(o, o, 1, 1, 1, 1),
    oz: v128 = v128.shuffle<f32>(o, o, 2, 2, 2, 2);
  const sx: v128 = f32x4.splat(s.sx),
    sy: v128 = f32x4.splat(s.sy);
  const kz: u32 = s.kz;
  let ax: v128 = o,
    ay: v128 = o,
    bx: v128 = o,
    by: v128 = o,
    cx: v128 = o,
    cy: v128 = o;
  for (let k: u32 = 0; k < 3; ++k) {
    const at: usize = (<usize>k) << 2;
    const p0: v128 = v128.load(vertices + ((<usize>load<u32>(row + at)) << 4));
    const p1: v128 = v128.load(vertices + ((<usize>load<u32>(row1 + at)) << 4));
    const p2: v128 = v128.load(vertices + ((<usize>load<u32>(row2 + at)) << 4));
    const p3: v128 = v128.load(vertices + ((<usize>load<u32>(row3 + at)) << 4));
    const l01: v128 = v128.shuffle<f32>(p0, p1, 0, 4, 1, 5),
      l23: v128 = v128.shuffle<f32>(p2, p3, 0, 4, 1, 5);
    const x: v128 = f32x4.sub(v128.shuffle<f32>(l01, l23, 0, 1, 4, 5), ox);
    const y: v128 = f32x4.sub(v128.shuffle<f32>(l01, l23, 2, 3, 6, 7), oy);
    const z: v128 = f32x4.sub(
      v128.shuffle<f32>(v128.shuffle<f32>(p0, p1, 2, 6, 2, 6), v128.shuffle<f32>(p2, p3, 2, 6, 2, 6), 0, 1, 4, 5),
      oz,
    );
    // The axes in the order kx ky kz of the ray.
    const u: v128 = kz == 8 ? x : kz == 0 ? y : z;
    const v: v128 = kz == 8 ? y : kz == 0 ? z : x;
    const w: v128 = kz == 8 ? z : kz == 0 ? x : y;
    cx = f32x4.sub(u, f32x4.mul(sx, w));
    cy = f32x4.sub(v, f32x4.mul(sy, w));
    if (k == 0) {
      ax = cx;
      ay = cy;
    } else if (k == 1) {
      bx = cx;
      by = cy;
    }
  }
  const zero: v128 = f32x4.splat(0),
    minus: v128 = i32x4.splat(0x80000000);
  const pu: v128 = f32x4.mul(cx, by),
    qu: v128 = f32x4.mul(cy, bx);
  const pv: v128 = f32x4.mul(ax, cy),
    qv: v128 = f32x4.mul(ay, cx);
  const pw: v128 = f32x4.mul(bx, ay),
    qw: v128 = f32x4.mul(by, ax);
  const negative: v128 = v128.or(v128.or(signed(pu, qu, zero), signed(pv, qv, zero)), signed(pw, qw, zero));
  const positive: v128 = v128.or(v128.or(signed(pu, qu, minus), signed(pv, qv, minus)), signed(pw, qw, minus));
  return ~(<u32>i32x4.bitmask(v128.and(negative, positive))) & ((1 << count) - 1);
}

// 1 / d, finite where d is (nearly) zero: 0 times it stays 0.
function inverse(d: f32, scale: f32): f32 {
  const least: f32 = scale * TINY;
  return abs<f32>(d) > least ? 1 / d : d < 0 ? -1 / least : 1 / least;
}

function finish(s: ShearedRay, r: Ray, out: usize, feature: usize, n: v128): f32 {
  const against: v128 = dot3(n, vec3W(r.dx, r.dy, r.dz)) > 0 ? f32x4.neg(n) : n;
  const h = changetype<RayHit>(out);
  h.nx = f32x4.extract_lane(against, 0);
  h.ny = f32x4.extract_lane(against, 1);
  h.nz = f32x4.extract_lane(against, 2);
  h.t = s.best;
  if (feature != 0) store<u32>(feature, s.triangle);
  return s.best;
}

/**
 * Casts the Ray at `ray` (frame of the mesh) against mesh `shape`: the nearest hit on either side of a triangle. Returns t and
 * writes the RayHit at `out` and the triangle (blob order) at `feature` (unless 0), or returns RAY_MISS and writes nothing. With
 * `front` it passes through the backs of triangles.
 */
export function rayMesh(shape: usize, ray: usize, out: usize, feature: usize, front: bool): f32 {
  const c = surface();
  const r = changetype<Ray>(ray);
  const s = sheared(c);
  shear(s, r, front);
  const blob: usize = changetype<Shape>(shape).dataPtr;
  const h = changetype<MeshBlob>(blob);
  const nodes: usize = blob + h.wideOffset;
  const triangles: usize = blob + h.trianglesOffset;
  const vertices: usize = blob + h.verticesOffset;
  const w = changetype<BoxWalk>(changetype<usize>(s) + SHEARED_WALK);
  const d: v128 = vec3W(r.dx, r.dy, r.dz);
  // Finite where a component is (nearly) zero: 0 times it stays 0.
  const minus: v128 = i32x4.splat(0x80000000);
  const least: v128 = f32x4.splat(abs<f32>(at(changetype<usize>(r) + offsetof<Ray>('dx'), s.kz)) * TINY);
  const i: v128 = f32x4.div(f32x4.splat(1), v128.or(f32x4.pmax(f32x4.abs(d), least), v128.and(d, minus)));
  beginWalk(w, true, s.origin, i, f32x4.splat(0), clusterBuffer(c));
  const keys: usize = changetype<usize>(w) + offsetof<BoxWalk>('keys0');
  let link: u32 = 0;
  while (true) {
    if ((link & MESH_LEAF) != 0) {
      const first: u32 = (link & ~MESH_LEAF) >> 3;
      let met: u32 = sharedSigns(s, triangles + <usize>first * MESH_TRIANGLE_STRIDE, link & 7, vertices);
      for (; met != 0; met &= met - 1) {
        const i: u32 = first + ctz<u32>(met);
        const t = changetype<MeshTriangle>(triangles + <usize>i * MESH_TRIANGLE_STRIDE);
        testTriangle(
          s,
          i,
          v128.load(vertices + ((<usize>t.a) << 4)),
          v128.load(vertices + ((<usize>t.b) << 4)),
          v128.load(vertices + ((<usize>t.c) << 4)),
        );
      }
    } else {
      const node: usize = nodes + <usize>link * MESH_WIDE_NODE_STRIDE;
      const hits: u32 =
        entered(w, node, s.best, keys) | (entered(w, node + offsetof<MeshWideNode>('minX1'), s.best, keys + 16) << 4);
      const nearest: i64 = nearestOf(w, node + offsetof<MeshWideNode>('children0'), hits);
      if (nearest != NOTHING) {
        link = <u32>nearest;
        continue;
      }
    }
    const next: i64 = nextOf(w, s.best);
    if (next == NOTHING) break;
    link = <u32>next;
  }
  if (s.triangle == NONE) return RAY_MISS;
  return finish(s, r, out, feature, changetype<MeshTriangle>(triangles + <usize>s.triangle * MESH_TRIANGLE_STRIDE).n);
}

// Overlap of the ray with low <= o + t d <= high as a clipped interval; the widened far end guards against rounding.
function enter(o: f32, i: f32, low: f32, high: f32, t: f32): f32 {
  return max<f32>(t, min<f32>((low - o) * i, (high - o) * i));
}
function leave(o: f32, i: f32, low: f32, high: f32, t: f32): f32 {
  return min<f32>(t, max<f32>((low - o) * i, (high - o) * i) * WIDEN);
}

/**
 * Casts the Ray at `ray` (frame of the heightfield) against heightfield `shape`, as rayMesh; `feature` gets the triangle's
 * index in the grid.
 */
export function rayHeightfield(shape: usize, ray: usize, out: usize, feature: usize, front: bool): f32 {
  const c = surface();
  const r = changetype<Ray>(ray);
  const s = sheared(c);
  shear(s, r, front);
  const blob: usize = changetype<Shape>(shape).dataPtr;
  const h = changetype<HeightfieldBlob>(blob);
  const scale: f32 = max<f32>(abs<f32>(r.dx), max<f32>(abs<f32>(r.dy), abs<f32>(r.dz)));
  const ix: f32 = inverse(r.dx, scale);
  const iy: f32 = inverse(r.dy, scale);
  const iz: f32 = inverse(r.dz, scale);
  const lastI: i32 = <i32>h.nx - 2;
  const lastJ: i32 = <i32>h.nz - 2;
  const sizeX: f32 = h.spacingX;
  const sizeZ: f32 = h.spacingZ;
  const blocks: usize = blob + h.blocksOffset;
  const blocksX: i32 = <i32>h.blocksX;
  const blocksZ: i32 = <i32>h.blocksZ;
  // Rows of blocks that the ray crosses, from its entry on, so that the first hit ends the cast early.
  const forwardZ: bool = r.dz >= 0;
  const forwardX: bool = r.dx >= 0;
  // A hair around every border: neighbors overlap rather than leave a gap.
  const hairX: f32 =
    <f32>1e-4 * sizeX + <f32>1e-6 * max<f32>(abs<f32>(h.originX), abs<f32>(h.originX + <f32>(lastI + 1) * sizeX));
  const hairZ: f32 =
    <f32>1e-4 * sizeZ + <f32>1e-6 * max<f32>(abs<f32>(h.originZ), abs<f32>(h.originZ + <f32>(lastJ + 1) * sizeZ));
  s.inverseX = ix;
  s.inverseZ = iz;
  s.hairX = hairX;
  s.hairZ = hairZ;
  for (let stepZ: i32 = 0; stepZ < blocksZ; ++stepZ) {
    const bj: i32 = forwardZ ? stepZ : blocksZ - 1 - stepZ;
    const rowLow: f32 = h.originZ + <f32>(bj << 3) * sizeZ - hairZ;
    const rowHigh: f32 = h.originZ + <f32>min<i32>((bj << 3) + 8, lastJ + 1) * sizeZ + hairZ;
    const rowIn: f32 = enter(r.z, iz, rowLow, rowHigh, 0);
    const rowOut: f32 = leave(r.z, iz, rowLow, rowHigh, s.best);
    if (rowIn > s.best) break; // rows behind are farther
    if (rowIn > rowOut) continue;
    // Blocks of the row between where the ray enters and leaves it.
    const xa: f32 = (r.x + rowIn * r.dx - h.originX) * h.invSpacingX;
    const xb: f32 = (r.x + rowOut * r.dx - h.originX) * h.invSpacingX;
    const slack: f32 = 1 + abs<f32>(xa) * <f32>1e-5 + abs<f32>(xb) * <f32>1e-5;
    const b0: i32 = blockOf(min<f32>(xa, xb) - slack, blocksX - 1);
    const b1: i32 = blockOf(max<f32>(xa, xb) + slack, blocksX - 1);
    for (let stepX: i32 = 0; stepX <= b1 - b0; ++stepX) {
      const bi: i32 = forwardX ? b0 + stepX : b1 - stepX;
      const range = changetype<HeightRange>(blocks + <usize>(<u32>bj * <u32>blocksX + <u32>bi) * HEIGHT_RANGE_STRIDE);
      const low: f32 = range.low;
      const high: f32 = range.high;
      if (!(low <= high)) continue;
      const hairY: f32 = <f32>1e-6 * max<f32>(abs<f32>(low), abs<f32>(high));
      const x0: f32 = h.originX + <f32>(bi << 3) * sizeX - hairX;
      const x1: f32 = h.originX + <f32>min<i32>((bi << 3) + 8, lastI + 1) * sizeX + hairX;
      const tIn: f32 = enter(r.y, iy, low - hairY, high + hairY, enter(r.x, ix, x0, x1, rowIn));
      const tOut: f32 = leave(r.y, iy, low - hairY, high + hairY, leave(r.x, ix, x0, x1, rowOut));
      if (tIn > tOut || tIn > s.best) continue;
      castBlock(s, r, blob, bi, bj, tIn, tOut);
    }
  }
  if (s.triangle == NONE) return RAY_MISS;
  const cells: u32 = h.nx - 1;
  const cell: u32 = s.triangle >> 1;
  const i: i32 = <i32>(cell % cells);
  const j: i32 = <i32>(cell / cells);
  const a: v128 = sampleAt(blob, i, j);
  const d: v128 = sampleAt(blob, i + 1, j + 1);
  const e: v128 = (s.triangle & 1) == 0 ? sampleAt(blob, i, j + 1) : sampleAt(blob, i + 1, j);
  const n: v128 = unit(
    (s.triangle & 1) == 0 ? cross3(f32x4.sub(e, a), f32x4.sub(d, a)) : cross3(f32x4.sub(d, a), f32x4.sub(e, a)),
  );
  return finish(s, r, out, feature, n);
}

function blockOf(x: f32, last: i32): i32 {
  const b: f32 = x * 0.125;
  return b > 0 ? (b < <f32>last ? <i32>b : last) : 0;
}

// All cells of a block that the ray passes over between tIn and tOut.
function castBlock(s: ShearedRay, r: Ray, blob: usize, bi: i32, bj: i32, tIn: f32, tOut: f32): void {
  const ix: f32 = s.inverseX,
    iz: f32 = s.inverseZ,
    hairX: f32 = s.hairX,
    hairZ: f32 = s.hairZ;
  const h = changetype<HeightfieldBlob>(blob);
  const endJ: i32 = min<i32>((bj << 3) + 7, <i32>h.nz - 2);
  const endI: i32 = min<i32>((bi << 3) + 7, <i32>h.nx - 2);
  for (let j: i32 = bj << 3; j <= endJ; ++j) {
    const z0: f32 = h.originZ + <f32>j * h.spacingZ - hairZ;
    const z1: f32 = h.originZ + <f32>(j + 1) * h.spacingZ + hairZ;
    const rowIn: f32 = enter(r.z, iz, z0, z1, tIn);
    const rowOut: f32 = leave(r.z, iz, z0, z1, tOut);
    if (rowIn > rowOut) continue;
    for (let i: i32 = bi << 3; i <= endI; ++i) {
      const x0: f32 = h.originX + <f32>i * h.spacingX - hairX;
      const x1: f32 = h.originX + <f32>(i + 1) * h.spacingX + hairX;
      if (enter(r.x, ix, x0, x1, rowIn) > leave(r.x, ix, x0, x1, rowOut)) continue;
      const a: v128 = sampleAt(blob, i, j);
      const d: v128 = sampleAt(blob, i + 1, j + 1);
      const index: u32 = (<u32>j * (h.nx - 1) + <u32>i) << 1;
      // A hole has NaN coordinates: its edge functions are NaN and t fails every comparison.
      testTriangle(s, index, a, sampleAt(blob, i, j + 1), d);
      testTriangle(s, index + 1, a, d, sampleAt(blob, i + 1, j));
    }
  }
}
