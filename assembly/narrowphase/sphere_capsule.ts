// Closed forms for spheres and capsules: sphere-sphere, sphere-capsule, sphere-box, capsule-capsule.
//
// Every test: closest points of the cores (center, axis segment, box), normal between them, separation = distance less the
// radii. Where the cores touch the normal is any direction that separates the shapes by the shortest way.
// Signature and frames: the narrow-phase contract (frame of A, normal from A to B, points on A, separation < 0 inside).
// Segment-segment distance: Ericson, Real-Time Collision Detection (2005), 5.1.9, with the cross product in place of
// 1 - cos^2, which keeps near-parallel axes exact in f32.
import { RelPose, Shape } from '../layout.generated';
import { cross3, dot3, vec3W } from '../math/lane';
import { addScaled3, perpendicular3, rotate3, rotateInverse3, scale3, x3, y3, z3 } from '../math/vec3';
import { writeGap, writeHead, writePoint, writeSingle } from './manifold_out';

/** Squares of lengths below this are 0: their inverse root would leave the f32 range. */
const TINY2: f32 = 1e-30;
/** sin^2 of the angle up to which two capsules rest on each other along a line (about 3 degrees). */
const PARALLEL_SIN2: f32 = 0.0025;

/** Translation of a RelPose: center of B in the frame of A. */
function centerOf(rel: usize): v128 {
  const r = changetype<RelPose>(rel);
  return vec3W(r.tx, r.ty, r.tz);
}

// Two balls of radius ra about the origin and rb about q. The normal is `fallback` where q is shorter than the root of noise2.
function ballBall(q: v128, ra: f32, rb: f32, fallback: v128, noise2: f32, out: usize, margin: f32): u32 {
  const d2: f32 = dot3(q, q);
  const limit: f32 = ra + rb + margin;
  if (d2 > limit * limit) return writeGap(out, sqrt<f32>(d2) - ra - rb);
  const d: f32 = sqrt<f32>(d2);
  const n: v128 = d2 > noise2 ? scale3(q, <f32>1 / d) : fallback;
  return writeSingle(out, n, scale3(n, ra), d - ra - rb);
}

/** Sphere A against sphere B: one point. Coinciding centers separate along +y of A. `cache` is not used. */
export function collideSphereSphere(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  return ballBall(centerOf(rel), changetype<Shape>(shapeA).p0, changetype<Shape>(shapeB).p0, vec3W(0, 1, 0), TINY2, out, margin);
}

/** Sphere A against capsule B: one point. A center on the axis separates at right angles to it. `cache` is not used. */
export function collideSphereCapsule(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const capsule = changetype<Shape>(shapeB);
  const axis: v128 = changetype<RelPose>(rel).c1;
  const t: v128 = centerOf(rel);
  const h: f32 = capsule.p1;
  const u: f32 = max<f32>(-h, min<f32>(h, -dot3(t, axis)));
  // Rounding moves a center on the axis along it by some ulps of h: that is no direction.
  const noise2: f32 = max<f32>(TINY2, h * h * 1e-12);
  return ballBall(addScaled3(t, axis, u), changetype<Shape>(shapeA).p0, capsule.p0, perpendicular3(axis), noise2, out, margin);
}

/** Sphere A against box B: one point, exact outside and inside (nearest face). `cache` is not used. */
export function collideSphereBox(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const box = changetype<Shape>(shapeB);
  const r: f32 = changetype<Shape>(shapeA).p0;
  const pose = changetype<RelPose>(rel);
  const c0: v128 = pose.c0;
  const c1: v128 = pose.c1;
  const c2: v128 = pose.c2;
  // Sphere center in the frame of the box, and the nearest point of the box to it.
  const c: v128 = f32x4.neg(rotateInverse3(c0, c1, c2, centerOf(rel)));
  const h: v128 = vec3W(box.p0, box.p1, box.p2);
  const nearest: v128 = f32x4.pmax(f32x4.neg(h), f32x4.pmin(h, c));
  const d: v128 = f32x4.sub(nearest, c);
  const d2: f32 = dot3(d, d);
  const limit: f32 = r + margin;
  if (d2 > limit * limit) return writeGap(out, sqrt<f32>(d2) - r);
  if (d2 > TINY2) {
    // Outside, however near: differences to the faces are exact, so the normal lies between those of the faces.
    const distance: f32 = sqrt<f32>(d2);
    const n: v128 = rotate3(c0, c1, c2, scale3(d, <f32>1 / distance));
    return writeSingle(out, n, scale3(n, r), distance - r);
  }
  // Inside: out through the nearest face.
  const depth: v128 = f32x4.sub(h, f32x4.abs(c));
  const dx: f32 = x3(depth),
    dy: f32 = y3(depth),
    dz: f32 = z3(depth);
  let axis: v128 = c0;
  let at: f32 = x3(c);
  let least: f32 = dx;
  if (dy < least) {
    axis = c1;
    at = y3(c);
    least = dy;
  }
  if (dz < least) {
    axis = c2;
    at = z3(c);
    least = dz;
  }
  // Rounding may leave the center outside by less than the square root of TINY2.
  least = max<f32>(least, 0);
  const n: v128 = at >= 0 ? f32x4.neg(axis) : axis;
  return writeSingle(out, n, scale3(n, r), -least - r);
}

/**
 * Capsule A against capsule B: two points where the axes are within 3 degrees of parallel and overlap, else one. Crossing
 * axes separate along their common perpendicular. `cache` is not used.
 */
export function collideCapsuleCapsule(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const a = changetype<Shape>(shapeA);
  const b = changetype<Shape>(shapeB);
  const ra: f32 = a.p0;
  const ha: f32 = a.p1;
  const rb: f32 = b.p0;
  const hb: f32 = b.p1;
  const axis: v128 = changetype<RelPose>(rel).c1; // of B; that of A is y
  const t: v128 = centerOf(rel);
  const cosine: f32 = y3(axis);
  const ax: f32 = x3(axis),
    az: f32 = z3(axis);
  const sin2: f32 = ax * ax + az * az;
  const ty: f32 = y3(t);
  const ta: f32 = dot3(t, axis);

  // Range of the axis of A that the axis of B covers, seen along the axis of A.
  const reach: f32 = hb * abs<f32>(cosine);
  const low: f32 = max<f32>(-ha, ty - reach);
  const high: f32 = min<f32>(ha, ty + reach);

  // Parameters s on A (point y = s) and u on B (point t + axis u) of the closest points.
  let s: f32;
  if (sin2 > 1e-5) {
    s = max<f32>(-ha, min<f32>(ha, (ty - ta * cosine) / sin2));
  } else {
    s = low <= high ? (low + high) * 0.5 : max<f32>(-ha, min<f32>(ha, ty));
  }
  let u: f32 = s * cosine - ta;
  if (u > hb || u < -hb) {
    u = u > hb ? hb : -hb;
    s = max<f32>(-ha, min<f32>(ha, ty + u * cosine));
  }
  const p: v128 = vec3W(0, s, 0);
  const q: v128 = addScaled3(t, axis, u);
  let d: v128 = f32x4.sub(q, p);
  const insideA: bool = s > -ha && s < ha;
  const insideB: bool = u > -hb && u < hb;
  // Between the ends d is perpendicular to the axes. Rounding along them would tilt the normal of close axes.
  if (insideA && insideB && sin2 > <f32>0.01) {
    const cross: v128 = cross3(vec3W(0, 1, 0), axis);
    d = scale3(cross, dot3(cross, t) / sin2);
  } else if (insideB) {
    d = addScaled3(d, axis, -dot3(d, axis));
  } else if (insideA) {
    d = vec3W(x3(d), 0, z3(d));
  }
  const d2: f32 = dot3(d, d);
  const limit: f32 = ra + rb + margin;
  if (d2 > limit * limit) return writeGap(out, sqrt<f32>(d2) - ra - rb);
  const distance: f32 = sqrt<f32>(d2);

  let n: v128;
  const noise: f32 = (ha + hb) * 1e-6;
  if (d2 > TINY2 && distance > noise) {
    n = scale3(d, <f32>1 / distance);
  } else {
    // The axes meet: every direction at right angles to both separates by the radii.
    if (sin2 > 1e-8) {
      const cross: v128 = cross3(vec3W(0, 1, 0), axis);
      n = scale3(cross, <f32>1 / sqrt<f32>(dot3(cross, cross)));
    } else {
      n = vec3W(1, 0, 0);
    }
    if (dot3(n, t) < 0) n = f32x4.neg(n);
  }

  const least: f32 = distance - ra - rb;
  // Two points: the ends of the overlap, as long as the normal stands on the axis there (not past the ends).
  if (sin2 < PARALLEL_SIN2 && high - low > (ha + hb) * 1e-3 && abs<f32>(y3(n)) < 0.1) {
    // Heights of the two axes along n at both ends of the overlap; the point of B is where its axis has the same y.
    const slope: f32 = <f32>1 / cosine;
    const qLow: v128 = addScaled3(t, axis, (low - ty) * slope);
    const qHigh: v128 = addScaled3(t, axis, (high - ty) * slope);
    const sLow: f32 = dot3(n, f32x4.sub(qLow, vec3W(0, low, 0))) - ra - rb;
    const sHigh: f32 = dot3(n, f32x4.sub(qHigh, vec3W(0, high, 0))) - ra - rb;
    // Both within reach, and no shallower than the closest points say.
    if (sLow <= margin && sHigh <= margin && min<f32>(sLow, sHigh) <= least + 0.01 * (ra + rb)) {
      writeHead(out, 2, n, min<f32>(sLow, sHigh));
      writePoint(out, 0, addScaled3(vec3W(0, low, 0), n, ra), sLow);
      writePoint(out, 1, addScaled3(vec3W(0, high, 0), n, ra), sHigh);
      return 1;
    }
  }
  return writeSingle(out, n, addScaled3(p, n, ra), least);
}
