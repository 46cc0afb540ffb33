// When two shapes that move and turn first meet: conservative advancement (Mirtich, Impulse-based Dynamic Simulation of Rigid
// Body Systems, 1996; Zhang, Lee, Kim, Interactive Continuous Collision Detection for Non-Convex Polyhedra, 2006).
//
// The shapes are apart by f along an axis n. Along n they come nearer by at most -n . dv + |wA x n| reachA + |wB x n| reachB a
// second, so nothing happens for f over that rate: the time moves there, GJK gives a new axis, until the distance is down to
// `target`. It stops early where even the axis at hand shows that they cannot meet in time. No meeting is missed, and none is
// made up: at the time returned the shapes are that near.
//
// Cores are shrunk by a hair (`skin`), so that a small overlap still has a distance and a direction: target may be negative.
// In: a Motion. Out: the time, the axis at that time (Motion.n), the pose (RelPose in the Motion, frame of the GjkState).
import { SHAPE_CAPSULE, Shape } from '../layout.generated';
import { cross3, dot3 } from '../math/lane';
import { inverseRotate3, quatFromRotationVector, quatMul, quatNormalize, rotate3, storeRotation } from '../math/quat';
import { CORES, GJK_OVERLAP, GjkState, gjkOn, gjkWitness, setFrame, supportA, supportB } from './gjk';
import { SUPPORT_ROW_STRIDE, SupportRow, innerRadius, writeShrunk } from './support';

/** No meeting. */
export const NEVER: f32 = -1;
/** Most that a core is shrunk by (m), and most as a share of the inner radius. */
const SKIN: f32 = 3e-3;
const SKIN_SHARE: f32 = 0.1;
/** The advance ends this far (share of the skin) before the target: it is only reached in the limit. */
const TOLERANCE: f32 = 0.1;
const MAX_ROUNDS: u32 = 64;

/** Two shapes in motion. World directions; positions are relative, so distance from the origin costs nothing. */
@unmanaged
export class Motion {
  qa: v128; // rotations of the shapes at time 0
  qb: v128;
  oa: v128; // from the centers that they turn about to the origins of the shapes, at time 0
  ob: v128;
  d: v128; // center of B less center of A, at time 0
  dv: v128; // velocity of B's center less that of A's
  wa: v128; // angular velocities
  wb: v128;
  n: v128; // axis from A to B: first guess, then that of the last distance
  arm: v128; // where A is met, relative to the center that it turns about (markMeeting)
  rel: v128; // RelPose at the time of setPose: three rows of 16 bytes
  rel1: v128;
  rel2: v128;
  a0: v128; // columns of A's rotation at that time
  a1: v128;
  a2: v128;
  b0: v128;
  b1: v128;
  b2: v128;
  reachA: f32; // farthest point of a shape from the center that it turns about
  reachB: f32;
  target: f32; // distance at which they meet (m)
  skin: f32; // most that the cores of A and B are shrunk by, together
  strict: u32; // 1: cores nearer than the target at the start meet where half of that distance is left
  at: f32; // time of the pose, NaN if there is none
  pad0: u32;
  pad1: u32;
}

/** Bytes of a Motion with its GjkState behind it. */
export const MOTION_BYTES: usize = offsetof<Motion>() + offsetof<GjkState>() + 16;
export function gjkOf(m: Motion): usize {
  return changetype<usize>(m) + offsetof<Motion>();
}

/** Writes the core of a shape to the row at `row`; returns how much it was shrunk by. */
export function writeSweptCore(row: usize, shape: usize): f32 {
  if (changetype<Shape>(shape).type <= SHAPE_CAPSULE) {
    writeShrunk(row, shape, 0);
    return min<f32>(SKIN, SKIN_SHARE * changetype<Shape>(shape).p0);
  }
  const inner: f32 = innerRadius(shape);
  writeShrunk(row, shape, min<f32>(SKIN_SHARE, SKIN / inner));
  return changetype<SupportRow>(row).margin;
}

function turned(w: v128, t: f32, q: v128): v128 {
  return quatNormalize(quatMul(quatFromRotationVector(f32x4.mul(w, f32x4.splat(t))), q));
}

function isTurning(w: v128): bool {
  return dot3(w, w) > 0;
}

/** x of the GjkState's frame and Motion.rel for time t. */
export function setPose(m: Motion, t: f32): void {
  m.at = t;
  const p: usize = changetype<usize>(m);
  const a: usize = p + offsetof<Motion>('a0'),
    b: usize = p + offsetof<Motion>('b0'),
    rel: usize = p + offsetof<Motion>('rel');
  let o: v128 = f32x4.add(m.d, f32x4.mul(m.dv, f32x4.splat(t)));
  if (isTurning(m.wa)) {
    const turn: v128 = quatNormalize(quatFromRotationVector(f32x4.mul(m.wa, f32x4.splat(t))));
    storeRotation(turn, a);
    o = f32x4.sub(o, rotate3(a, m.oa));
    storeRotation(quatNormalize(quatMul(turn, m.qa)), a);
  } else {
    o = f32x4.sub(o, m.oa);
    storeRotation(m.qa, a);
  }
  if (isTurning(m.wb)) {
    const turn: v128 = quatNormalize(quatFromRotationVector(f32x4.mul(m.wb, f32x4.splat(t))));
    storeRotation(turn, b);
    o = f32x4.add(o, rotate3(b, m.ob));
    storeRotation(quatNormalize(quatMul(turn, m.qb)), b);
  } else {
    o = f32x4.add(o, m.ob);
    storeRotation(m.qb, b);
  }
  o = inverseRotate3(a, o);
  v128.store(rel, f32x4.replace_lane(inverseRotate3(a, m.b0), 3, f32x4.extract_lane(o, 0)));
  v128.store(rel, f32x4.replace_lane(inverseRotate3(a, m.b1), 3, f32x4.extract_lane(o, 1)), 16);
  v128.store(rel, f32x4.replace_lane(inverseRotate3(a, m.b2), 3, f32x4.extract_lane(o, 2)), 32);
  setFrame(gjkOf(m), rel);
}

/** Most that the shapes come nearer along the unit axis n in a second. */
export function closingBound(m: Motion, n: v128): f32 {
  const ta: v128 = cross3(m.wa, n),
    tb: v128 = cross3(m.wb, n);
  return sqrt<f32>(dot3(ta, ta)) * m.reachA + sqrt<f32>(dot3(tb, tb)) * m.reachB - dot3(m.dv, n);
}

/**
 * First time in [t0, t1] at which the two cores are within the target of each other, NEVER if there is none. The axis of
 * that moment is left in Motion.n (as it was where the cores overlap at once), the pose in rel and the GjkState.
 */
export function advance(m: Motion, t0: f32, t1: f32): f32 {
  const g: usize = gjkOf(m);
  const a: usize = changetype<usize>(m) + offsetof<Motion>('a0');
  const margins: f32 = changetype<SupportRow>(g + CORES).margin + changetype<SupportRow>(g + CORES + SUPPORT_ROW_STRIDE).margin;
  let target: f32 = m.target,
    tolerance: f32 = TOLERANCE * m.skin;
  let t: f32 = t0;
  for (let round: u32 = 0; round < MAX_ROUNDS; ++round) {
    if (m.at != t) setPose(m, t);
    // The axis at hand may prove that they do not meet in time.
    let n: v128 = inverseRotate3(a, m.n);
    const along: f32 = dot3(n, f32x4.sub(supportB(g, CORES, f32x4.neg(n)), supportA(g, CORES, n))) - margins;
    let rate: f32 = closingBound(m, m.n);
    if (along > target && along - target > rate * (t1 - t)) return NEVER;
    if (gjkOn(g, CORES, n) == GJK_OVERLAP) return t;
    const s = changetype<GjkState>(g);
    const distance: f32 = s.distance - margins;
    n = f32x4.mul(s.v, f32x4.splat(<f32>-1 / s.distance));
    m.n = f32x4.replace_lane(rotate3(a, n), 3, 0);
    if (distance <= target + tolerance) {
      if (round != 0 || m.strict == 0 || distance <= 0) return t;
      target = <f32>0.4 * distance;
      tolerance = <f32>0.1 * distance;
    }
    rate = closingBound(m, m.n);
    if (distance - target > rate * (t1 - t)) return NEVER;
    t += (distance - target) / rate;
  }
  return t;
}

/** Writes Motion.arm for the distance just found, at time t. Uses up the pose. */
export function markMeeting(m: Motion, t: f32): void {
  const g: usize = gjkOf(m);
  const a: usize = changetype<usize>(m) + offsetof<Motion>('a0');
  const margin: v128 = f32x4.mul(m.n, f32x4.splat(changetype<SupportRow>(g + CORES).margin));
  const onA: v128 = f32x4.add(rotate3(a, gjkWitness(g)), margin);
  m.at = f32.NaN;
  storeRotation(turned(m.wa, t, f32x4(0, 0, 0, 1)), a);
  m.arm = f32x4.add(onA, rotate3(a, m.oa));
}
