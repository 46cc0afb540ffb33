// Reduction of contact candidates to at most four points of a manifold.
//
// In: rows x y z s (16 bytes each; position on A and separation, frame of A) and the normal already written to the
// manifold. Out: x0..s3 and count of a ManifoldOut. Rule: the deepest point, the farthest from it, the one that spans the
// largest triangle with these two, the one that adds most area to the three; if all lie on one line, the deepest point, both
// ends and what lies deepest below the lines between them. Each choice is made among the points that are nearly as deep as the
// deepest, and among all only where these add nothing: a point that touches before the next test must be there, or a body that
// rocks falls on it, is thrown back and never rests, while one that is far away only has to be there when it comes near. The
// points kept are written in the order of the candidates, which changes less from step to step than the order of selection.
import { CONTACT_POINT_STRIDE, ContactPoint, MANIFOLD_OUT_STRIDE, ManifoldOut } from '../layout.generated';
import { cross3, dot3, splatW } from '../math/lane';
import { header } from '../memory/header';

/** Points within this fraction of the speculative margin of the deepest go first (2 mm with the usual margin). */
export const NEAR: f32 = 0.1;

/** Points closer than this fraction of the size of the candidate set are one point. */
const WELD: f32 = 2e-4;
/** A point adds to a patch if it adds more than this fraction of the square of the patch's size. */
const AREA: f32 = 2e-3;
/** Separations that differ by less than this fraction of `near` are equal: then the point farthest out is taken as deepest. */
const TIE: f32 = 0.01;
/** By this (m) at most: in fast bodies `near` is large, and the deepest point must stay the deepest. */
const TIE_MOST: f32 = 2e-5;

/** A point outside of a triangle by less than this fraction of its height counts as over it. */
const RIM: f32 = 0.03;
/** A point in the plane of the patch, outside by less than this, adds little: an octagon needs no second manifold. */
const REACH: f32 = 1;
/**
 * Nor does one below the patch by less than this fraction of `near`: as little as a tie. A box on a ridge rocks for ever between
 * two supports of which the patch keeps one in turn.
 */
const DIP: f32 = TIE;

/**
 * `near` of reducePoints for a test with `margin` (m): a point carries before the next test if it lies within NEAR of the
 * speculative margin, or if the approach in this step, which is the rest of the margin, may bring it down.
 */
export function nearOf(margin: f32): f32 {
  const still: f32 = min<f32>(margin, header().speculativeMargin);
  return NEAR * still + (margin - still);
}

function distance2(a: v128, b: v128): f32 {
  const d: v128 = f32x4.sub(a, b);
  return dot3(d, d);
}

/** Separation of candidate i of those at `points`. */
export function separationAt(points: usize, i: u32): f32 {
  return changetype<ContactPoint>(points + <usize>i * CONTACT_POINT_STRIDE).separation;
}

// Is the row `at` a better choice than `found`? Of two at one place (two triangles report their common corner) the deeper one is.
function beats(score: f32, most: f32, at: usize, found: usize): bool {
  return score > most || (found != 0 && score > most * <f32>0.99999 && separationAt(at, 0) < separationAt(found, 0));
}

// The row not above `limit` that is farthest from `from`, if farther than sqrt(least2), else 0.
function farthest(points: usize, end: usize, from: v128, limit: f32, least2: f32): usize {
  let found: usize = 0;
  for (let at: usize = points; at < end; at += 16) {
    if (separationAt(at, 0) > limit) continue;
    const d2: f32 = distance2(v128.load(at), from);
    if (beats(d2, least2, at, found)) {
      least2 = max<f32>(d2, least2);
      found = at;
    }
  }
  return found;
}

// The row not above `limit` that is farthest from a line through p0 on either side, if by more than `least`, else 0.
function widest(points: usize, end: usize, p0: v128, side: v128, limit: f32, least: f32): usize {
  let found: usize = 0;
  for (let at: usize = points; at < end; at += 16) {
    if (separationAt(at, 0) > limit) continue;
    const area: f32 = abs<f32>(dot3(side, f32x4.sub(v128.load(at), p0)));
    if (beats(area, least, at, found)) {
      least = max<f32>(area, least);
      found = at;
    }
  }
  return found;
}

// The row not above `limit` that adds the largest triangle to p0 p1 p2 (outward normals of their sides given), else 0.
function outermost(
  points: usize,
  end: usize,
  p0: v128,
  p1: v128,
  out01: v128,
  out12: v128,
  out20: v128,
  limit: f32,
  least: f32,
): usize {
  let found: usize = 0;
  for (let at: usize = points; at < end; at += 16) {
    if (separationAt(at, 0) > limit) continue;
    const q: v128 = v128.load(at);
    const d0: v128 = f32x4.sub(q, p0);
    const area: f32 = max<f32>(max<f32>(dot3(out01, d0), dot3(out20, d0)), dot3(out12, f32x4.sub(q, p1)));
    if (beats(area, least, at, found)) {
      least = max<f32>(area, least);
      found = at;
    }
  }
  return found;
}

// Of the rows of a line that are not above `limit`, the one deepest below the polyline through the rows a, b and c (0: none) of
// it, if by more than `least`, else 0: on a line over ridges a body rocks from one ridge to the other.
function lowest(points: usize, end: usize, a: usize, b: usize, c: usize, limit: f32, least: f32): usize {
  const p0: v128 = v128.load(a);
  const along: v128 = f32x4.sub(v128.load(b), p0);
  let found: usize = 0;
  for (let at: usize = points; at < end; at += 16) {
    if (separationAt(at, 0) > limit) continue;
    const x: f32 = dot3(along, f32x4.sub(v128.load(at), p0));
    let left: f32 = -Infinity,
      right: f32 = Infinity,
      from: f32 = 0,
      to: f32 = 0;
    for (let k: u32 = 0; k < 3; k++) {
      const row: usize = k == 0 ? a : k == 1 ? b : c;
      if (row == 0) continue;
      const y: f32 = dot3(along, f32x4.sub(v128.load(row), p0));
      if (y <= x && y > left) {
        left = y;
        from = separationAt(row, 0);
      }
      if (y >= x && y < right) {
        right = y;
        to = separationAt(row, 0);
      }
    }
    // Not a number at and beyond the ends.
    const dip: f32 = from + ((to - from) * (x - left)) / (right - left) - separationAt(at, 0);
    if (dip > least) {
      least = dip;
      found = at;
    }
  }
  return found;
}

// Does the triangle p0 p1 p2 stand in for the row q? 2: q lies over the triangle, not below its plane; 1: beyond its rim, not
// below its plane; 0: over the triangle and below its plane; -1: elsewhere.
function standsIn(q: v128, p0: v128, p1: v128, p2: v128, n: v128, tolerance: f32): i32 {
  const e1: v128 = f32x4.sub(p1, p0);
  const e2: v128 = f32x4.sub(p2, p0);
  const d: v128 = f32x4.sub(q, p0);
  const area: f32 = dot3(n, cross3(e1, e2));
  if (area == 0) return -1;
  const l1: f32 = dot3(n, cross3(d, e2)) / area;
  const l2: f32 = dot3(n, cross3(e1, d)) / area;
  const least: f32 = min<f32>(min<f32>(l1, l2), 1 - l1 - l2);
  if (!(least >= -REACH)) return -1;
  const over: bool = least >= -RIM;
  const height: f32 = l1 * f32x4.extract_lane(e1, 3) + l2 * f32x4.extract_lane(e2, 3);
  if (f32x4.extract_lane(d, 3) >= height - tolerance) return over ? 2 : 1;
  return over ? 0 : -1;
}

function same(p: v128, q: v128): bool {
  return i32x4.all_true(f32x4.eq(p, q));
}

/**
 * Moves the candidates to the front that may carry before the next test and that the points of the manifold at `out` (written by
 * reducePoints from the same rows) do not stand in for: within `near` of the deepest, and outside of the patch or below it.
 * Returns how many: they belong in a manifold of their own.
 */
function leftOver(points: usize, count: u32, out: usize, near: f32): u32 {
  const m = changetype<ManifoldOut>(out);
  if (count <= 4 || m.count < 3) return 0;
  const end: usize = points + ((<usize>count) << 4);
  const n: v128 = v128.load(out, offsetof<ManifoldOut>('nx'));
  const p0: v128 = v128.load(out, offsetof<ManifoldOut>('x0'));
  const p1: v128 = v128.load(out, offsetof<ManifoldOut>('x0') + 16);
  const p2: v128 = v128.load(out, offsetof<ManifoldOut>('x0') + 32);
  const p3: v128 = v128.load(out, offsetof<ManifoldOut>('x0') + 48);
  const four: bool = m.count == 4;
  if (!four) {
    // Points on a line need no more than its ends and the deepest.
    const e1: v128 = f32x4.sub(p1, p0);
    const e2: v128 = f32x4.sub(p2, p0);
    if (abs<f32>(dot3(n, cross3(e1, e2))) <= 2 * AREA * max<f32>(dot3(e1, e1), dot3(e2, e2))) return 0;
  }
  let deepest: f32 = min<f32>(min<f32>(f32x4.extract_lane(p0, 3), f32x4.extract_lane(p1, 3)), f32x4.extract_lane(p2, 3));
  if (four) deepest = min<f32>(deepest, f32x4.extract_lane(p3, 3));
  const limit: f32 = deepest + near;
  const touching: f32 = deepest + min<f32>(near, NEAR * header().speculativeMargin);
  const tolerance: f32 = DIP * near;
  // For a fast body, points count as near even if they touch only when it falls: over a rim the four would reach into the air,
  // and the supporting points would be left out.
  let highest: f32 = max<f32>(max<f32>(f32x4.extract_lane(p0, 3), f32x4.extract_lane(p1, 3)), f32x4.extract_lane(p2, 3));
  if (four) highest = max<f32>(highest, f32x4.extract_lane(p3, 3));
  const reaches: bool = highest > touching;
  let to: usize = points;
  for (let at: usize = points; at < end; at += 16) {
    const q: v128 = v128.load(at);
    if (f32x4.extract_lane(q, 3) > limit || same(q, p0) || same(q, p1) || same(q, p2) || (four && same(q, p3))) continue;
    let best: i32 = standsIn(q, p0, p1, p2, n, tolerance);
    let below: bool = best == 0;
    if (four && best != 2) {
      const s1: i32 = standsIn(q, p0, p1, p3, n, tolerance);
      const s2: i32 = standsIn(q, p0, p2, p3, n, tolerance);
      const s3: i32 = standsIn(q, p1, p2, p3, n, tolerance);
      best = max<i32>(max<i32>(best, s1), max<i32>(s2, s3));
      below = below || s1 == 0 || s2 == 0 || s3 == 0;
    }
    if (best == 2 || (best == 1 && !below && !(reaches && f32x4.extract_lane(q, 3) <= touching))) continue;
    v128.store(to, q);
    to += 16;
  }
  return <u32>((to - points) >> 4);
}

/**
 * Chooses at most 4 of `count` candidates (any number; rows x y z s at `points`) and writes them and their number to the
 * manifold at `out`, whose nx ny nz must be set. Points within `near` (m, >= 0) of the deepest go first. Returns the number
 * of points: 0 only for count 0.
 */
export function reducePoints(points: usize, count: u32, out: usize, near: f32): u32 {
  const m = changetype<ManifoldOut>(out);
  if (count == 0) {
    m.count = 0;
    return 0;
  }
  const target: usize = out + offsetof<ManifoldOut>('x0');
  const end: usize = points + ((<usize>count) << 4);

  let deepest: f32 = Infinity;
  let sum: v128 = splatW(0);
  for (let at: usize = points; at < end; at += 16) {
    deepest = min<f32>(deepest, separationAt(at, 0));
    sum = f32x4.add(sum, v128.load(at));
  }
  let first: usize = points;
  if (count > 2) {
    // Which corner of a level patch is deepest by a rounding error would decide the four.
    first = farthest(points, end, f32x4.mul(sum, splatW(1 / <f32>count)), deepest + min<f32>(TIE * near, TIE_MOST), -1);
  } else {
    while (separationAt(first, 0) > deepest) first += 16;
  }
  const p0: v128 = v128.load(first);
  const far: usize = farthest(points, end, p0, Infinity, 0);
  if (far == 0) {
    v128.store(target, p0);
    m.count = 1;
    return 1;
  }
  const far2: f32 = distance2(v128.load(far), p0);
  const twin2: f32 = far2 * (WELD * WELD);

  let kept: usize = target;
  const least: f32 = far2 * AREA;
  const n: v128 = v128.load(out, offsetof<ManifoldOut>('nx'));
  if (count <= 4 && (count == 2 || widest(points, end, p0, cross3(n, f32x4.sub(v128.load(far), p0)), Infinity, least) != 0)) {
    // All of them, less near-duplicates; of two the earlier row stays, and the deepest always.
    for (let at: usize = points; at < end; at += 16) {
      const p: v128 = v128.load(at);
      let twin: bool = at != first && distance2(p, p0) <= twin2;
      if (at != first) {
        for (let k: usize = target; k < kept && !twin; k += 16) twin = distance2(p, v128.load(k)) <= twin2;
      }
      if (twin) continue;
      v128.store(kept, p);
      kept += 16;
    }
    m.count = <u32>((kept - target) >> 4);
    return m.count;
  }

  const limit: f32 = deepest + near;
  let second: usize = farthest(points, end, p0, limit, twin2);
  if (second == 0) second = far;
  const p1: v128 = v128.load(second);
  const side: v128 = cross3(n, f32x4.sub(p1, p0));
  let third: usize = widest(points, end, p0, side, limit, least);
  if (third == 0) third = widest(points, end, p0, side, Infinity, least);
  let fourth: usize = 0;
  if (third == 0) {
    // All on a line, with the deepest point somewhere between: the end on its other side carries too.
    third = farthest(points, end, p1, Infinity, distance2(p0, p1) * (1 + 2 * WELD));
    if (third == 0) third = lowest(points, end, first, second, 0, limit, DIP * near);
    fourth = lowest(points, end, first, second, third, limit, DIP * near);
  } else {
    const p2: v128 = v128.load(third);
    const turn: v128 = splatW(dot3(side, f32x4.sub(p2, p0)) > 0 ? -1 : 1);
    const up: v128 = f32x4.mul(n, turn);
    const out01: v128 = f32x4.mul(side, turn);
    const out12: v128 = cross3(up, f32x4.sub(p2, p1));
    const out20: v128 = cross3(up, f32x4.sub(p0, p2));
    fourth = outermost(points, end, p0, p1, out01, out12, out20, limit, least);
    if (fourth == 0) fourth = outermost(points, end, p0, p1, out01, out12, out20, Infinity, least);
  }

  for (let at: usize = points; at < end; at += 16) {
    if (at != first && at != second && at != third && at != fourth) continue;
    v128.store(kept, v128.load(at));
    kept += 16;
  }
  m.count = <u32>((kept - target) >> 4);
  return m.count;
}

/**
 * Writes the candidates (rows x y z s at `points`, may be reordered) to the manifold at `out`, whose normal, gap and feature are
 * set, and those it has no room for to the next one. Returns the number of manifolds written: 0 without candidates, at most 2.
 */
export function writePoints(points: usize, count: u32, out: usize, near: f32): u32 {
  if (reducePoints(points, count, out, near) == 0) return 0;
  const left: u32 = leftOver(points, count, out, near);
  if (left == 0) return 1;
  memory.copy(out + MANIFOLD_OUT_STRIDE, out, offsetof<ManifoldOut>('x0'));
  // Touching points come first: the first manifold gets the outermost ones.
  reducePoints(points, left, out + MANIFOLD_OUT_STRIDE, min<f32>(near, NEAR * header().speculativeMargin));
  return 2;
}
