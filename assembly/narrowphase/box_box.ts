// Box against box: separating axes (Gottschalk 1996: 3 + 3 face normals, 9 edge crosses), then the incident face clipped
// against the rectangle of the reference face, or the closest points of two edges.
//
// All 15 separations come from lane arithmetic: one lane an axis. The six face axes alone decide most separated pairs.
// Edge radii of B are taken on the axis as stored instead of by the identity e_k . (e_i x c_j) = +-R: the identity has an
// absolute error of one ulp, which the division by a small sine would blow up for large boxes.
//
// cache: axis 1..15 (1-3 face of A, 4-6 face of B, 7-15 edge 3i + j) in bits 0-3, bit 4 set if the normal points along
// the negative axis. It gives hysteresis: a face stays the reference until another is better by half the bias, an edge must
// beat the faces by the whole bias and keeps its place down to half of it, so resting boxes do not flicker.
import { MANIFOLD_OUT_STRIDE, ManifoldOut, RelPose, Shape } from '../layout.generated';
import { absW, cross3, dot3, joinHighW, joinLowW, mulW, splatW, subW, vec3W, zipHighW, zipLowW } from '../math/lane';
import { putVector } from '../memory/words';
import { CLIP_TOLERANCE } from './clip';
import { collideCorners } from './hull_hull';
import { nearlyParallel, writePatch } from './patch';
import { polygonBufferA, polygonWork } from './polyhedron';
import { NEAR, writePoints } from './reduce';

/** Edge crosses with a squared sine below this are parallel: the faces decide. */
const MIN_SINE2: f32 = 1e-6;
/** Bias between axes as a fraction of the smallest half extent of both boxes. */
const SIZE_BIAS: f32 = 1e-3;
/** Bias as a fraction of the depth. */
const DEPTH_BIAS: f32 = 0.02;

/** Cosine between the normals of crossed edges and of a face up to which the faces count as nearly parallel. */
const NEAR_COSINE: f32 = 0.94;

// Lanes y z x and z x y of a vector.
function nextW(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 2, 0, 3);
}
function afterNextW(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 0, 1, 3);
}

function max3(v: v128): f32 {
  return max<f32>(max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)), f32x4.extract_lane(v, 2));
}

// Separations on the axes e_i x c_j, one lane a j. p, q: rows of R such that the axis has the components p, q in the plane
// across e_i; tp, tq, hp, hq: components of t and of the half extents of A there.
function edgeSeparations(p: v128, q: v128, tp: f32, tq: f32, hp: f32, hq: f32, b: v128): v128 {
  // axis = (-q, p) in the plane; p of column k on it: p_k (-q_j) + q_k p_j
  const length2: v128 = f32x4.add(mulW(p, p), mulW(q, q));
  const distance: v128 = absW(subW(mulW(splatW(tq), p), mulW(splatW(tp), q)));
  const reachA: v128 = f32x4.add(mulW(splatW(hp), absW(q)), mulW(splatW(hq), absW(p)));
  const b1: v128 = mulW(nextW(b), absW(subW(mulW(nextW(q), p), mulW(nextW(p), q))));
  const b2: v128 = mulW(afterNextW(b), absW(subW(mulW(afterNextW(q), p), mulW(afterNextW(p), q))));
  const s: v128 = subW(subW(distance, reachA), f32x4.add(b1, b2));
  return v128.bitselect(f32x4.div(s, f32x4.sqrt(length2)), splatW(-Infinity), f32x4.gt(length2, splatW(MIN_SINE2)));
}

// Clips against sign * coordinate <= h, the coordinate `offset` bytes into a row; tolerance as in clip.ts.
function clipAxis(src: usize, count: u32, dst: usize, offset: usize, sign: f32, h: f32, tolerance: f32): u32 {
  if (count == 0) return 0;
  let out: usize = dst;
  let p: v128 = v128.load(src + ((<usize>count - 1) << 4));
  let dp: f32 = sign * load<f32>(src + ((<usize>count - 1) << 4) + offset) - h;
  const end: usize = src + ((<usize>count) << 4);
  for (let at: usize = src; at < end; at += 16) {
    const q: v128 = v128.load(at);
    const dq: f32 = sign * load<f32>(at + offset) - h;
    if (dq > tolerance) {
      if (dp < 0) {
        v128.store(out, f32x4.add(p, mulW(subW(q, p), splatW(dp / (dp - dq)))));
        out += 16;
      }
    } else {
      if (dp > tolerance && dq < 0) {
        v128.store(out, f32x4.add(q, mulW(subW(p, q), splatW(dq / (dq - dp)))));
        out += 16;
      }
      v128.store(out, q);
      out += 16;
    }
    p = q;
    dp = dq;
  }
  return <u32>((out - dst) >> 4);
}

// Candidates x y z s at `polygon`, in the frame of the reference box: face k (sign) of the box with half extents h against
// the box with half extents b, axes d0 d1 d2 and center t in that frame. `project`: points move onto the reference face.
function facePoints(
  polygon: usize,
  work: usize,
  k: u32,
  sign: f32,
  h: v128,
  d0: v128,
  d1: v128,
  d2: v128,
  t: v128,
  b: v128,
  margin: f32,
  project: bool,
): u32 {
  // Turn the axes so that the face normal is z.
  if (k == 0) {
    h = nextW(h);
    d0 = nextW(d0);
    d1 = nextW(d1);
    d2 = nextW(d2);
    t = nextW(t);
  } else if (k == 1) {
    h = afterNextW(h);
    d0 = afterNextW(d0);
    d1 = afterNextW(d1);
    d2 = afterNextW(d2);
    t = afterNextW(t);
  }
  const hx: f32 = f32x4.extract_lane(h, 0);
  const hy: f32 = f32x4.extract_lane(h, 1);
  const hz: f32 = f32x4.extract_lane(h, 2);

  // Incident face: the face whose normal is most opposed to the reference normal.
  const z0: f32 = f32x4.extract_lane(d0, 2);
  const z1: f32 = f32x4.extract_lane(d1, 2);
  const z2: f32 = f32x4.extract_lane(d2, 2);
  const e0: v128 = mulW(d0, splatW(f32x4.extract_lane(b, 0)));
  const e1: v128 = mulW(d1, splatW(f32x4.extract_lane(b, 1)));
  const e2: v128 = mulW(d2, splatW(f32x4.extract_lane(b, 2)));
  let z: f32 = z0;
  let w: v128 = e0;
  let u: v128 = e1;
  let v: v128 = e2;
  if (abs<f32>(z1) > abs<f32>(z)) {
    z = z1;
    w = e1;
    u = e2;
    v = e0;
  }
  if (abs<f32>(z2) > abs<f32>(z)) {
    z = z2;
    w = e2;
    u = e0;
    v = e1;
  }
  const center: v128 = z * sign > 0 ? subW(t, w) : f32x4.add(t, w);
  const plus: v128 = f32x4.add(u, v);
  const minus: v128 = subW(u, v);
  const v0: v128 = f32x4.add(center, plus);
  const v1: v128 = subW(center, minus);
  const v2: v128 = subW(center, plus);
  const v3: v128 = f32x4.add(center, minus);
  putVector(polygon, 0, v0);
  putVector(polygon, 1, v1);
  putVector(polygon, 2, v2);
  putVector(polygon, 3, v3);

  const high: v128 = f32x4.pmax(f32x4.pmax(v0, v1), f32x4.pmax(v2, v3));
  const low: v128 = f32x4.pmin(f32x4.pmin(v0, v1), f32x4.pmin(v2, v3));
  const tx: f32 = CLIP_TOLERANCE * hx;
  const ty: f32 = CLIP_TOLERANCE * hy;
  let src: usize = polygon;
  let dst: usize = work;
  let count: u32 = 4;
  if (f32x4.extract_lane(high, 0) - hx > tx) {
    count = clipAxis(src, count, dst, 0, 1, hx, tx);
    src = dst;
    dst = dst == work ? polygon : work;
  }
  if (-f32x4.extract_lane(low, 0) - hx > tx) {
    count = clipAxis(src, count, dst, 0, -1, hx, tx);
    src = dst;
    dst = dst == work ? polygon : work;
  }
  if (f32x4.extract_lane(high, 1) - hy > ty) {
    count = clipAxis(src, count, dst, 4, 1, hy, ty);
    src = dst;
    dst = dst == work ? polygon : work;
  }
  if (-f32x4.extract_lane(low, 1) - hy > ty) {
    count = clipAxis(src, count, dst, 4, -1, hy, ty);
    src = dst;
  }
  if (count == 0) {
    // Rounding may empty the clip of boxes that overlap by a hair: the lowest vertex, moved into the rectangle, stands in.
    let q: v128 = v0;
    if (sign * f32x4.extract_lane(v1, 2) < sign * f32x4.extract_lane(q, 2)) q = v1;
    if (sign * f32x4.extract_lane(v2, 2) < sign * f32x4.extract_lane(q, 2)) q = v2;
    if (sign * f32x4.extract_lane(v3, 2) < sign * f32x4.extract_lane(q, 2)) q = v3;
    if (sign * f32x4.extract_lane(q, 2) - hz > 0) return 0;
    q = f32x4.replace_lane(q, 0, max<f32>(-hx, min<f32>(hx, f32x4.extract_lane(q, 0))));
    q = f32x4.replace_lane(q, 1, max<f32>(-hy, min<f32>(hy, f32x4.extract_lane(q, 1))));
    src = polygon;
    v128.store(src, q);
    count = 1;
  }

  let out: usize = polygon;
  const end: usize = src + ((<usize>count) << 4);
  for (let at: usize = src; at < end; at += 16) {
    let q: v128 = v128.load(at);
    const s: f32 = sign * f32x4.extract_lane(q, 2) - hz;
    if (!(s <= margin)) continue;
    if (project) q = f32x4.replace_lane(q, 2, sign * hz);
    q = f32x4.replace_lane(q, 3, s);
    v128.store(out, k == 0 ? afterNextW(q) : k == 1 ? nextW(q) : q);
    out += 16;
  }
  return <u32>((out - polygon) >> 4);
}

/**
 * Points of face axis `axis` (1..3 of A, 4..6 of B) to `polygon`, on A, with their separations; the normal from A to B, which
 * looks along sign times the axis, to `m`. Returns their number.
 */
function faceManifold(
  polygon: usize,
  axis: u32,
  sign: f32,
  a: v128,
  b: v128,
  c0: v128,
  c1: v128,
  c2: v128,
  r0: v128,
  r1: v128,
  r2: v128,
  t: v128,
  tB: v128,
  margin: f32,
  m: ManifoldOut,
): u32 {
  if (axis < 4) {
    const k: u32 = axis - 1;
    m.nx = k == 0 ? sign : 0;
    m.ny = k == 1 ? sign : 0;
    m.nz = k == 2 ? sign : 0;
    return facePoints(polygon, polygonWork(), k, sign, a, c0, c1, c2, t, b, margin, true);
  }
  const k: u32 = axis - 4;
  // The reference face of B looks against the normal.
  const count: u32 = facePoints(polygon, polygonWork(), k, -sign, b, r0, r1, r2, f32x4.neg(tB), a, margin, false);
  const end: usize = polygon + ((<usize>count) << 4);
  for (let at: usize = polygon; at < end; at += 16) {
    const p: v128 = v128.load(at);
    const q: v128 = f32x4.add(
      f32x4.add(mulW(c0, v128.shuffle<f32>(p, p, 0, 0, 0, 0)), mulW(c1, v128.shuffle<f32>(p, p, 1, 1, 1, 1))),
      f32x4.add(mulW(c2, v128.shuffle<f32>(p, p, 2, 2, 2, 2)), t),
    );
    v128.store(at, f32x4.replace_lane(q, 3, f32x4.extract_lane(p, 3)));
  }
  const ck: v128 = mulW(k == 0 ? c0 : k == 1 ? c1 : c2, splatW(sign));
  m.nx = f32x4.extract_lane(ck, 0);
  m.ny = f32x4.extract_lane(ck, 1);
  m.nz = f32x4.extract_lane(ck, 2);
  return count;
}

/** Box (A) against box (B): contract of every narrow-phase test; crossed edges under nearly parallel faces give two manifolds. */
export function collideBoxBox(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const sa = changetype<Shape>(shapeA);
  const sb = changetype<Shape>(shapeB);
  const m = changetype<ManifoldOut>(out);
  m.feature = 0;
  const ax: f32 = sa.p0;
  const ay: f32 = sa.p1;
  const az: f32 = sa.p2;
  const bx: f32 = sb.p0;
  const by: f32 = sb.p1;
  const bz: f32 = sb.p2;
  const a: v128 = vec3W(ax, ay, az);
  const b: v128 = vec3W(bx, by, bz);

  // Columns of R carry t in lane 3, so one transpose gives the rows r0 r1 r2 and t.
  const pose = changetype<RelPose>(rel);
  const c0: v128 = pose.c0;
  const c1: v128 = pose.c1;
  const c2: v128 = pose.c2;
  const low01: v128 = zipLowW(c0, c1);
  const high01: v128 = zipHighW(c0, c1);
  const low2: v128 = zipLowW(c2, splatW(0));
  const high2: v128 = zipHighW(c2, splatW(0));
  const r0: v128 = joinLowW(low01, low2);
  const r1: v128 = joinHighW(low01, low2);
  const r2: v128 = joinLowW(high01, high2);
  const t: v128 = joinHighW(high01, high2);
  const tx: f32 = f32x4.extract_lane(t, 0);
  const ty: f32 = f32x4.extract_lane(t, 1);
  const tz: f32 = f32x4.extract_lane(t, 2);

  // Face axes; lane 3 is -Infinity.
  const reachB: v128 = f32x4.add(f32x4.add(mulW(absW(c0), splatW(bx)), mulW(absW(c1), splatW(by))), mulW(absW(c2), splatW(bz)));
  const reachA: v128 = f32x4.add(f32x4.add(mulW(absW(r0), splatW(ax)), mulW(absW(r1), splatW(ay))), mulW(absW(r2), splatW(az)));
  const tB: v128 = f32x4.add(f32x4.add(mulW(r0, splatW(tx)), mulW(r1, splatW(ty))), mulW(r2, splatW(tz)));
  const sA: v128 = subW(subW(absW(t), f32x4.replace_lane(a, 3, Infinity)), reachB);
  const sB: v128 = subW(subW(absW(tB), f32x4.replace_lane(b, 3, Infinity)), reachA);
  const faceA: f32 = max3(sA);
  const faceB: f32 = max3(sB);
  // Each box lies in its bounds in the frame of the other: the distance of the bounds is a bound for both.
  const farA: v128 = f32x4.pmax(sA, splatW(0));
  const farB: v128 = f32x4.pmax(sB, splatW(0));
  const bound: f32 = sqrt<f32>(max<f32>(dot3(farA, farA), dot3(farB, farB)));
  if (bound > 2 * margin) {
    m.gap = bound;
    return 0;
  }

  const e0: v128 = edgeSeparations(r1, r2, ty, tz, ay, az, b);
  const e1: v128 = edgeSeparations(r2, r0, tz, tx, az, ax, b);
  const e2: v128 = edgeSeparations(r0, r1, tx, ty, ax, ay, b);
  const edge: f32 = max3(f32x4.pmax(e0, f32x4.pmax(e1, e2)));
  const gap: f32 = max<f32>(bound, edge);
  if (gap > margin) {
    m.gap = gap;
    return 0;
  }

  // Choose the axis.
  const before: u32 = load<u32>(cache);
  const kept: u32 = before & 15;
  let face: f32 = max<f32>(faceA, faceB);
  const bias: f32 =
    SIZE_BIAS * min<f32>(min<f32>(ax, min<f32>(ay, az)), min<f32>(bx, min<f32>(by, bz))) + DEPTH_BIAS * max<f32>(0, -face);
  let axis: u32 = 0;
  if (edge > face + (kept > 6 ? 0.5 * bias : bias)) {
    let best: f32 = edge - (kept > 6 ? 0.5 * bias : 0);
    if (kept > 6) {
      const k: u32 = kept - 7;
      const row: v128 = k < 3 ? e0 : k < 6 ? e1 : e2;
      const j: u32 = k < 3 ? k : k < 6 ? k - 3 : k - 6;
      const s: f32 = j == 0 ? f32x4.extract_lane(row, 0) : j == 1 ? f32x4.extract_lane(row, 1) : f32x4.extract_lane(row, 2);
      if (s >= best && s > face) axis = kept;
    }
    if (axis == 0) {
      best = edge;
      axis =
        f32x4.extract_lane(e0, 0) == best
          ? 7
          : f32x4.extract_lane(e0, 1) == best
            ? 8
            : f32x4.extract_lane(e0, 2) == best
              ? 9
              : f32x4.extract_lane(e1, 0) == best
                ? 10
                : f32x4.extract_lane(e1, 1) == best
                  ? 11
                  : f32x4.extract_lane(e1, 2) == best
                    ? 12
                    : f32x4.extract_lane(e2, 0) == best
                      ? 13
                      : f32x4.extract_lane(e2, 1) == best
                        ? 14
                        : 15;
    }
  } else {
    if (kept - 1 < 6) {
      const row: v128 = kept < 4 ? sA : sB;
      const k: u32 = kept < 4 ? kept - 1 : kept - 4;
      const s: f32 = k == 0 ? f32x4.extract_lane(row, 0) : k == 1 ? f32x4.extract_lane(row, 1) : f32x4.extract_lane(row, 2);
      if (s >= face - 0.5 * bias) axis = kept;
    }
    if (axis == 0) {
      // A before B unless B is better by the bias, so that a new pair of parallel faces starts the same way everywhere.
      const row: v128 = faceB > faceA + bias ? sB : sA;
      face = faceB > faceA + bias ? faceB : faceA;
      axis = f32x4.extract_lane(row, 0) == face ? 1 : f32x4.extract_lane(row, 1) == face ? 2 : 3;
      if (faceB > faceA + bias) axis += 3;
    }
  }

  const polygon: usize = polygonBufferA();
  if (axis > 6) {
    const k: u32 = axis - 7;
    const i: u32 = k < 3 ? 0 : k < 6 ? 1 : 2;
    const j: u32 = k - 3 * i;
    const cj: v128 = j == 0 ? c0 : j == 1 ? c1 : c2;
    const ei: v128 = vec3W(i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0);
    const raw: v128 = cross3(ei, cj);
    let n: v128 = f32x4.div(raw, splatW(sqrt<f32>(dot3(raw, raw))));
    const along: f32 = dot3(n, t);
    const negative: bool = abs<f32>(along) < 0.25 * bias && kept == axis ? (before & 16) != 0 : along < 0;
    if (negative) n = f32x4.neg(n);
    store<u32>(cache, axis | (negative ? 16 : 0));
    // The supporting edges: center of A's edge (component i is 0) and of B's.
    const sign: v128 = v128.bitselect(splatW(1), splatW(-1), f32x4.ge(n, splatW(0)));
    const pA: v128 = mulW(mulW(a, sign), subW(splatW(1), ei));
    let pB: v128 = t;
    if (j != 0) pB = dot3(n, c0) > 0 ? subW(pB, mulW(c0, splatW(bx))) : f32x4.add(pB, mulW(c0, splatW(bx)));
    if (j != 1) pB = dot3(n, c1) > 0 ? subW(pB, mulW(c1, splatW(by))) : f32x4.add(pB, mulW(c1, splatW(by)));
    if (j != 2) pB = dot3(n, c2) > 0 ? subW(pB, mulW(c2, splatW(bz))) : f32x4.add(pB, mulW(c2, splatW(bz)));
    const d: v128 = subW(pB, pA);
    const di: f32 = dot3(ei, d);
    const dj: f32 = dot3(cj, d);
    const r: f32 = dot3(ei, cj);
    const half: f32 = i == 0 ? ax : i == 1 ? ay : az;
    // Closest points of the two segments: apart, the lines may meet beyond an end.
    const halfB: f32 = j == 0 ? bx : j == 1 ? by : bz;
    let alpha: f32 = max<f32>(-half, min<f32>(half, (di - r * dj) / dot3(raw, raw)));
    const beta: f32 = max<f32>(-halfB, min<f32>(halfB, alpha * r - dj));
    alpha = max<f32>(-half, min<f32>(half, beta * r + di));
    m.nx = f32x4.extract_lane(n, 0);
    m.ny = f32x4.extract_lane(n, 1);
    m.nz = f32x4.extract_lane(n, 2);
    v128.store(out, f32x4.replace_lane(f32x4.add(pA, mulW(ei, splatW(alpha))), 3, dot3(n, d)), offsetof<ManifoldOut>('x0'));
    m.count = 1;
    m.gap = gap;
    // The patch of the best face, if that is nearly parallel (patch.ts).
    const rowF: v128 = faceB > faceA ? sB : sA;
    const f: u32 = f32x4.extract_lane(rowF, 0) == face ? 0 : f32x4.extract_lane(rowF, 1) == face ? 1 : 2;
    const nf: v128 =
      faceB > faceA
        ? f == 0
          ? c0
          : f == 1
            ? c1
            : c2
        : f == 0
          ? f32x4(1, 0, 0, 0)
          : f == 1
            ? f32x4(0, 1, 0, 0)
            : f32x4(0, 0, 1, 0);
    if (!nearlyParallel(out, nf, NEAR_COSINE)) return 1;
    const mp = changetype<ManifoldOut>(out + MANIFOLD_OUT_STRIDE);
    const found: u32 = faceManifold(
      polygon,
      faceB > faceA ? f + 4 : f + 1,
      dot3(n, nf) < 0 ? -1 : 1,
      a,
      b,
      c0,
      c1,
      c2,
      r0,
      r1,
      r2,
      t,
      tB,
      margin,
      mp,
    );
    return 1 + writePatch(polygon, found, out, bias, Infinity, NEAR * margin);
  }

  const k: u32 = axis < 4 ? axis - 1 : axis - 4;
  const row: v128 = axis < 4 ? t : tB;
  const along: f32 = k == 0 ? f32x4.extract_lane(row, 0) : k == 1 ? f32x4.extract_lane(row, 1) : f32x4.extract_lane(row, 2);
  const negative: bool = abs<f32>(along) < 0.25 * bias && kept == axis ? (before & 16) != 0 : along < 0;
  store<u32>(cache, axis | (negative ? 16 : 0));
  const count: u32 = faceManifold(polygon, axis, negative ? -1 : 1, a, b, c0, c1, c2, r0, r1, r2, t, tB, margin, m);
  m.gap = gap;
  const written: u32 = writePoints(polygon, count, out, NEAR * margin);
  if (written != 0) return written;
  return collideCorners(shapeA, shapeB, rel, out, margin);
}
