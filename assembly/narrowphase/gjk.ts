// Distance of two convex cores by GJK (Gilbert, Johnson, Keerthi 1988; sub-distance by Voronoi regions after Ericson 2005,
// 5.1.5 and 9.5) in f32, without allocation, at most MAX_ITERATIONS supports.
//
// Works on C = A - B in the frame of A: v is the point of C nearest the origin, so v/|v| points from B to A. The search is
// monotone: a simplex that does not come nearer ends it, so rounding can stop it early but never make it cycle.
// In: a GjkState with a frame (setFrame) and two pairs of SupportRows: `cores` (rounded) and `solids` (true shapes).
// Out: v, |v|, the simplex, witness points on request.
import { GjkState, RelPose, SUPPORT_ROW_STRIDE, SupportRow } from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { rotate3, withW3, x3, y3, z3 } from '../math/vec3';
import { supportCore } from './support';

const MAX_ITERATIONS: u32 = 40;
/** Squared distances below this share of the largest simplex point count as touching. */
const TOUCHING2: f32 = 1e-13;
/** The search ends when the lower bound reaches v^2 up to this share. */
const CONVERGED: f32 = 1e-6;

/** Result of gjk: cores apart, v is valid. */
export const GJK_APART: u32 = 0;
/** Result of gjk: cores overlap or touch within rounding. */
export const GJK_OVERLAP: u32 = 1;

/** Byte offset of the pair of core rows in a GjkState. */
export const CORES: usize = offsetof<GjkState>('coreA0');
/** Byte offset of the pair of true shapes in a GjkState. */
export const SOLIDS: usize = offsetof<GjkState>('solidA0');
const W: usize = offsetof<GjkState>('w0');
const A: usize = offsetof<GjkState>('a0');

/** Takes the pose of B in the frame of A from a RelPose. */
export function setFrame(g: usize, rel: usize): void {
  const s = changetype<GjkState>(g);
  const r = changetype<RelPose>(rel);
  s.c0 = withW3(r.c0, 0);
  s.c1 = withW3(r.c1, 0);
  s.c2 = withW3(r.c2, 0);
  s.t = vec3W(r.tx, r.ty, r.tz);
  s.r0 = vec3W(r.c0x, r.c1x, r.c2x);
  s.r1 = vec3W(r.c0y, r.c1y, r.c2y);
  s.r2 = vec3W(r.c0z, r.c1z, r.c2z);
}

/** B has the frame of A. */
export function setSameFrame(g: usize): void {
  const s = changetype<GjkState>(g);
  s.c0 = s.r0 = vec3W(1, 0, 0);
  s.c1 = s.r1 = vec3W(0, 1, 0);
  s.c2 = s.r2 = vec3W(0, 0, 1);
  s.t = splatW(0);
}

/** Farthest point of A along d, in the frame of A; `rows` is CORES or SOLIDS. */
export function supportA(g: usize, rows: usize, d: v128): v128 {
  return supportCore(g + rows, d);
}

/** A direction of the frame of A in the frame of B. */
export function toB(g: usize, d: v128): v128 {
  const s = changetype<GjkState>(g);
  return rotate3(s.r0, s.r1, s.r2, d);
}

/** A point of the frame of B in the frame of A. */
export function fromB(g: usize, p: v128): v128 {
  const s = changetype<GjkState>(g);
  return f32x4.add(rotate3(s.c0, s.c1, s.c2, p), s.t);
}

/** Farthest point of B along d, in the frame of A. */
export function supportB(g: usize, rows: usize, d: v128): v128 {
  return fromB(g, supportCore(g + rows + SUPPORT_ROW_STRIDE, toB(g, d)));
}

/**
 * Signed distance of the true shapes along the unit axis n (A to B): a lower bound of their distance, exact if n is the
 * normal; negative: depth along n.
 */
export function axisSeparation(g: usize, n: v128): f32 {
  const a: v128 = supportA(g, SOLIDS, n);
  const b: v128 = supportB(g, SOLIDS, f32x4.neg(n));
  const margins: f32 = changetype<SupportRow>(g + SOLIDS).margin + changetype<SupportRow>(g + SOLIDS + SUPPORT_ROW_STRIDE).margin;
  return dot3(n, f32x4.sub(b, a)) - margins;
}

// Nearest point to the origin of the segment p q; bits 1 (p) and 2 (q) of the mask.
function nearestOnSegment(s: GjkState, p: v128, q: v128, bitP: u32, bitQ: u32): v128 {
  const d: v128 = f32x4.sub(q, p);
  const t: f32 = -dot3(p, d);
  if (!(t > 0)) {
    s.mask = bitP;
    return p;
  }
  const d2: f32 = dot3(d, d);
  if (t >= d2) {
    s.mask = bitQ;
    return q;
  }
  s.mask = bitP | bitQ;
  // From the nearer end: the rounding of t/d2 is multiplied by a shorter way.
  if (t + t <= d2) return f32x4.add(p, f32x4.mul(d, splatW(t / d2)));
  return f32x4.add(q, f32x4.mul(d, splatW((t - d2) / d2)));
}

// Nearest point to the origin of the triangle a b c; sets the mask of the vertices that span it.
function nearestOnTriangle(s: GjkState, a: v128, b: v128, c: v128, bitA: u32, bitB: u32, bitC: u32): v128 {
  const ab: v128 = f32x4.sub(b, a);
  const ac: v128 = f32x4.sub(c, a);
  const bc: v128 = f32x4.sub(c, b);
  const ab2: f32 = dot3(ab, ab),
    ac2: f32 = dot3(ac, ac),
    bc2: f32 = dot3(bc, bc);
  // The two shorter edges give the better normal.
  const n: v128 = bc2 < ac2 ? cross3(ab, bc) : cross3(ab, ac);
  const n2: f32 = dot3(n, n);
  if (n2 > <f32>1e-12 * ab2 * min<f32>(ac2, bc2)) {
    const d1: f32 = -dot3(ab, a),
      d2: f32 = -dot3(ac, a);
    if (d1 <= 0 && d2 <= 0) {
      s.mask = bitA;
      return a;
    }
    const d3: f32 = -dot3(ab, b),
      d4: f32 = -dot3(ac, b);
    if (d3 >= 0 && d4 <= d3) {
      s.mask = bitB;
      return b;
    }
    const d5: f32 = -dot3(ab, c),
      d6: f32 = -dot3(ac, c);
    if (d6 >= 0 && d5 <= d6) {
      s.mask = bitC;
      return c;
    }
    // n . (p x q) has the sign of the barycentric coordinate of the vertex opposite to p q.
    const wc: f32 = dot3(n, cross3(a, b));
    if (wc <= 0 && d1 >= 0 && d3 <= 0) return nearestOnSegment(s, a, b, bitA, bitB);
    const wb: f32 = dot3(n, cross3(c, a));
    if (wb <= 0 && d2 >= 0 && d6 <= 0) return nearestOnSegment(s, a, c, bitA, bitC);
    const wa: f32 = dot3(n, cross3(b, c));
    if (wa <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return nearestOnSegment(s, b, c, bitB, bitC);
    if (wa > 0 && wb > 0 && wc > 0) {
      s.mask = bitA | bitB | bitC;
      // The vertex nearest the plane's foot has the least rounding in n . vertex.
      const a2: f32 = dot3(a, a),
        b2: f32 = dot3(b, b),
        c2: f32 = dot3(c, c);
      const near: v128 = a2 <= b2 && a2 <= c2 ? a : b2 <= c2 ? b : c;
      return f32x4.mul(n, splatW(dot3(n, near) / n2));
    }
  }
  // A needle, or signs that rounding made inconsistent: the best edge.
  let v: v128 = nearestOnSegment(s, a, b, bitA, bitB);
  let mask: u32 = s.mask;
  let least: f32 = dot3(v, v);
  const u: v128 = nearestOnSegment(s, a, c, bitA, bitC);
  const u2: f32 = dot3(u, u);
  if (u2 < least) {
    v = u;
    least = u2;
    mask = s.mask;
  }
  const x: v128 = nearestOnSegment(s, b, c, bitB, bitC);
  if (dot3(x, x) < least) {
    v = x;
    mask = s.mask;
  }
  s.mask = mask;
  return v;
}

// True if the origin is not strictly on the side of d of the plane a b c.
function outsideFace(a: v128, b: v128, c: v128, d: v128): bool {
  const n: v128 = cross3(f32x4.sub(b, a), f32x4.sub(c, a));
  const origin: f32 = -dot3(n, a);
  const other: f32 = dot3(n, f32x4.sub(d, a));
  return !(origin * other > 0);
}

// Nearest point to the origin of the tetrahedron; mask 15 and zero if it contains the origin.
function nearestOnTetrahedron(s: GjkState): v128 {
  const a: v128 = s.w0,
    b: v128 = s.w1,
    c: v128 = s.w2,
    d: v128 = s.w3;
  let v: v128 = splatW(0);
  let least: f32 = Infinity;
  let mask: u32 = 15;
  if (outsideFace(a, b, d, c)) {
    v = nearestOnTriangle(s, a, b, d, 1, 2, 8);
    least = dot3(v, v);
    mask = s.mask;
  }
  if (outsideFace(a, c, d, b)) {
    const u: v128 = nearestOnTriangle(s, a, c, d, 1, 4, 8);
    const u2: f32 = dot3(u, u);
    if (u2 < least) {
      v = u;
      least = u2;
      mask = s.mask;
    }
  }
  if (outsideFace(b, c, d, a)) {
    const u: v128 = nearestOnTriangle(s, b, c, d, 2, 4, 8);
    const u2: f32 = dot3(u, u);
    if (u2 < least) {
      v = u;
      least = u2;
      mask = s.mask;
    }
  }
  if (outsideFace(a, b, c, d)) {
    const u: v128 = nearestOnTriangle(s, a, b, c, 1, 2, 4);
    const u2: f32 = dot3(u, u);
    if (u2 < least) {
      v = u;
      mask = s.mask;
    }
  }
  s.mask = mask;
  return v;
}

/**
 * Distance of the cores of a GjkState. `start` is a guess of the direction from A to B (any length, not zero). Writes v
 * (nearest point of A - B to the origin), distance = |v|, and the simplex. Returns GJK_APART or GJK_OVERLAP.
 */
export function gjk(g: usize, start: v128): u32 {
  return gjkOn(g, CORES, start);
}

/** gjk on the pair of rows at `rows` (CORES or SOLIDS) without their margins. */
export function gjkOn(g: usize, rows: usize, start: v128): u32 {
  const s = changetype<GjkState>(g);
  let v: v128 = f32x4.neg(start);
  let v2: f32 = Infinity;
  let scale2: f32 = 0;
  let count: u32 = 0;
  let separated: bool = false;
  for (let iteration: u32 = 0; iteration < MAX_ITERATIONS; ++iteration) {
    const d: v128 = f32x4.neg(v);
    const a: v128 = supportA(g, rows, d);
    const w: v128 = withW3(f32x4.sub(a, supportB(g, rows, v)), 0);
    const vw: f32 = dot3(v, w);
    // v separates: the cores do not overlap, even if a flat tetrahedron says so later.
    if (vw > 0 && vw * vw > <f32>1e-10 * dot3(v, v) * dot3(w, w)) separated = true;
    if (count > 0) {
      if (v2 - vw <= CONVERGED * v2) break;
      // A point that is there already adds nothing.
      let known: bool = false;
      for (let i: u32 = 0; i < count; ++i) {
        if (!v128.any_true(f32x4.ne(v128.load(g + W + ((<usize>i) << 4)), w))) known = true;
      }
      if (known) break;
    }
    scale2 = max<f32>(scale2, dot3(w, w));
    v128.store(g + W + ((<usize>count) << 4), w);
    v128.store(g + A + ((<usize>count) << 4), a);
    let u: v128;
    if (count == 0) {
      s.mask = 1;
      u = w;
    } else if (count == 1) {
      u = nearestOnSegment(s, s.w0, s.w1, 1, 2);
    } else if (count == 2) {
      u = nearestOnTriangle(s, s.w0, s.w1, s.w2, 1, 2, 4);
    } else {
      u = nearestOnTetrahedron(s);
    }
    const u2: f32 = dot3(u, u);
    if (!(u2 < v2) || (separated && s.mask == 15)) break; // rounding: the simplex before this point stays
    const stalled: bool = v2 - u2 < CONVERGED * <f32>0.1 * v2;
    v = u;
    v2 = u2;
    const mask: u32 = s.mask;
    let kept: u32 = 0;
    for (let i: u32 = 0; i <= count; ++i) {
      if ((mask & (1 << i)) == 0) continue;
      if (kept != i) {
        v128.store(g + W + ((<usize>kept) << 4), v128.load(g + W + ((<usize>i) << 4)));
        v128.store(g + A + ((<usize>kept) << 4), v128.load(g + A + ((<usize>i) << 4)));
      }
      ++kept;
    }
    count = kept;
    if (count == 4 || v2 <= TOUCHING2 * scale2) {
      s.count = count;
      s.v = v;
      s.scale2 = scale2;
      s.distance = 0;
      return GJK_OVERLAP;
    }
    if (stalled) break;
  }
  s.count = count;
  s.v = v;
  s.scale2 = scale2;
  s.distance = sqrt<f32>(v2);
  return GJK_APART;
}

/** Nearest point of the core of A, from the simplex of the last gjk that returned GJK_APART; that of B is this minus v. */
export function gjkWitness(g: usize): v128 {
  const s = changetype<GjkState>(g);
  const count: u32 = s.count;
  if (count == 1) return s.a0;
  const v: v128 = s.v;
  if (count == 2) {
    const d: v128 = f32x4.sub(s.w1, s.w0);
    const d2: f32 = dot3(d, d);
    const t: f32 = d2 > 0 ? max<f32>(0, min<f32>(1, dot3(f32x4.sub(v, s.w0), d) / d2)) : 0;
    return f32x4.add(s.a0, f32x4.mul(f32x4.sub(s.a1, s.a0), splatW(t)));
  }
  const p: v128 = f32x4.sub(s.w0, v);
  const q: v128 = f32x4.sub(s.w1, v);
  const r: v128 = f32x4.sub(s.w2, v);
  const n: v128 = cross3(f32x4.sub(s.w1, s.w0), f32x4.sub(s.w2, s.w0));
  const wa: f32 = max<f32>(0, dot3(n, cross3(q, r)));
  const wb: f32 = max<f32>(0, dot3(n, cross3(r, p)));
  const wc: f32 = max<f32>(0, dot3(n, cross3(p, q)));
  const sum: f32 = wa + wb + wc;
  if (!(sum > 0)) return s.a0;
  const k: f32 = <f32>1 / sum;
  return f32x4.add(f32x4.add(f32x4.mul(s.a0, splatW(wa * k)), f32x4.mul(s.a1, splatW(wb * k))), f32x4.mul(s.a2, splatW(wc * k)));
}

/** A unit direction in 32 bits, never 0: two 15-bit octahedral coordinates and a mark. Error below 1e-4. */
export function packDirection(n: v128): u32 {
  const k: f32 = <f32>1 / (abs<f32>(x3(n)) + abs<f32>(y3(n)) + abs<f32>(z3(n)));
  let x: f32 = x3(n) * k;
  let y: f32 = y3(n) * k;
  if (z3(n) < 0) {
    const fold: f32 = x;
    x = (<f32>1 - abs<f32>(y)) * (x < 0 ? <f32>-1 : <f32>1);
    y = (<f32>1 - abs<f32>(fold)) * (y < 0 ? <f32>-1 : <f32>1);
  }
  const ux: u32 = <u32>(x * 16383 + 16384.5);
  const uy: u32 = <u32>(y * 16383 + 16384.5);
  return 0x80000000 | (ux << 15) | uy;
}

/** The unit direction of packDirection. */
export function unpackDirection(packed: u32): v128 {
  let x: f32 = (<f32>((packed >> 15) & 0x7fff) - 16384) * <f32>(1.0 / 16383.0);
  let y: f32 = (<f32>(packed & 0x7fff) - 16384) * <f32>(1.0 / 16383.0);
  const z: f32 = <f32>1 - abs<f32>(x) - abs<f32>(y);
  if (z < 0) {
    const fold: f32 = x;
    x = (<f32>1 - abs<f32>(y)) * (x < 0 ? <f32>-1 : <f32>1);
    y = (<f32>1 - abs<f32>(fold)) * (y < 0 ? <f32>-1 : <f32>1);
  }
  const k: f32 = <f32>1 / sqrt<f32>(x * x + y * y + z * z);
  return vec3W(x * k, y * k, z * k);
}
