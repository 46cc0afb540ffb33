// When two shapes that move and turn first meet: conservative advancement (Mirtich, Impulse-based Dynamic Simulation of Rigid
// Body Systems, 1996; Zhang, Lee, Kim, Interactive Continuous Collision Detection for Non-Convex Polyhedra, 2006).
//
// The shapes are apart by f along an axis n. Along n they come nearer by at most -n . dv + |wA x n| reachA + |wB x n| reachB a
// second, so nothing happens for f over that rate: the time moves there, GJK gives a new axis, until the distance is down to
// `target`. That rate is far too much for a long body whose far end turns away from the other shape: it would take hundreds of
// steps to leave. So where it decides nothing, the speeds of the points that are nearest count, and a bound of how fast these
// change (safeTime): a step is of the order of sqrt(f) and not of f. The advance stops early where even the axis at hand shows
// that they cannot meet in time. No meeting is missed, and none is made up: at the time returned the shapes are that near.
//
// Cores are shrunk by a hair (`skin`), so that a small overlap still has a distance and a direction: target may be negative.
// In: a Motion. Out: the time, the axis at that time (Motion.n), the pose (RelPose in the Motion, frame of the GjkState).
import {
  GjkState,
  MOTION_GJK,
  Motion,
  NarrowState,
  RelPose,
  SHAPE_CAPSULE,
  SUPPORT_ROW_STRIDE,
  Shape,
  SupportRow,
} from '../layout.generated';
import { cross3, dot3 } from '../math/lane';
import { inverseRotate3, quatFromRotationVector, quatMul, quatNormalize, rotate3, storeRotation } from '../math/quat';
import { CORES, GJK_OVERLAP, gjkOn, gjkWitness, setFrame, supportA, supportB } from './gjk';
import { narrowState } from './state';
import { innerRadius, writeShrunk } from './support';

/** No meeting. */
export const NEVER: f32 = -1;
/** Most that a core is shrunk by (m), and most as a share of the inner radius. */
const SKIN: f32 = 3e-3;
const SKIN_SHARE: f32 = 0.1;
/** The advance ends this far (share of the skin) before the target: it is only reached in the limit. */
const TOLERANCE: f32 = 0.1;
// More than three times what a body of 1 m takes that turns by 2.5 rad and stays just off the target all the time.
const MAX_ROUNDS: u32 = 256;
// How far ahead a step of it looks, in times in which the bend of the paths alone uses up the gap.
const LOOK: f32 = 4;

export function gjkOf(m: Motion): usize {
  return changetype<usize>(m) + MOTION_GJK;
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

/** Columns of rotation q after time t at angular velocity w, to `out`; returns where the offset o is then. */
function turnTo(w: v128, t: f32, q: v128, o: v128, out: usize): v128 {
  if (t == 0 || !(dot3(w, w) > 0)) {
    storeRotation(q, out);
    return o;
  }
  const turn: v128 = quatNormalize(quatFromRotationVector(f32x4.mul(w, f32x4.splat(t))));
  if (dot3(o, o) > 0) {
    storeRotation(turn, out);
    o = rotate3(out, o);
  }
  storeRotation(quatNormalize(quatMul(turn, q)), out);
  return o;
}

/** x of the GjkState's frame and Motion.rel for time t. */
export function setPose(m: Motion, t: f32): void {
  m.at = t;
  const p: usize = changetype<usize>(m);
  const a: usize = p + offsetof<Motion>('a0'),
    b: usize = p + offsetof<Motion>('b0'),
    rel: usize = p + offsetof<Motion>('rel');
  m.ca = turnTo(m.wa, t, m.qa, m.oa, a);
  m.cb = turnTo(m.wb, t, m.qb, m.ob, b);
  const o: v128 = inverseRotate3(a, f32x4.add(m.d, f32x4.add(f32x4.mul(m.dv, f32x4.splat(t)), f32x4.sub(m.cb, m.ca))));
  const pose = changetype<RelPose>(rel);
  pose.c0 = f32x4.replace_lane(inverseRotate3(a, m.b0), 3, f32x4.extract_lane(o, 0));
  pose.c1 = f32x4.replace_lane(inverseRotate3(a, m.b1), 3, f32x4.extract_lane(o, 1));
  pose.c2 = f32x4.replace_lane(inverseRotate3(a, m.b2), 3, f32x4.extract_lane(o, 2));
  setFrame(gjkOf(m), rel);
}

/**
 * Time, `rest` at most, for which the cores keep more than the target apart. At the pose at hand they are `core` apart along the
 * unit axis n (`local` in the frame of A), `gap` more than the target and the margins.
 *
 * Points of A move along n by the circle that they are on: at (n x w) . r, which changes by |w| |n x w| |r| a second at most. The
 * largest of n . r + t (n x w) . r is A's support along n + t (n x w), and convex in t: a chord is above it.
 */
function safeTime(m: Motion, n: v128, local: v128, core: f32, gap: f32, rest: f32): f32 {
  const ta: v128 = cross3(m.wa, n),
    tb: v128 = cross3(m.wb, n);
  const opening: f32 = dot3(m.dv, n);
  const swingA: f32 = sqrt<f32>(dot3(ta, ta)) * m.reachA,
    swingB: f32 = sqrt<f32>(dot3(tb, tb)) * m.reachB;
  const rate: f32 = swingA + swingB - opening; // the most that any two points near each other
  if (gap > rate * rest) return rest;
  const bend: f32 = sqrt<f32>(dot3(m.wa, m.wa)) * swingA + sqrt<f32>(dot3(m.wb, m.wb)) * swingB;
  if (!(bend > 0)) return gap / rate;
  const time: f32 = min<f32>(rest, LOOK * sqrt<f32>(gap / bend));
  const g: usize = gjkOf(m);
  const a: usize = changetype<usize>(m) + offsetof<Motion>('a0');
  const k: v128 = f32x4.splat(time);
  const localB: v128 = inverseRotate3(a, tb);
  const alongA: v128 = f32x4.sub(local, f32x4.mul(inverseRotate3(a, ta), k)),
    alongB: v128 = f32x4.sub(local, f32x4.mul(localB, k));
  const then: f32 =
    dot3(alongB, supportB(g, CORES, f32x4.neg(alongB))) -
    dot3(alongA, supportA(g, CORES, alongA)) +
    time * (opening + dot3(ta, m.ca) - dot3(tb, m.cb) + dot3(localB, changetype<GjkState>(g).t));
  const slope: f32 = (then - core) / time;
  const root: f32 = sqrt<f32>(slope * slope + 2 * bend * gap);
  const safe: f32 = slope > 0 ? (slope + root) / bend : (2 * gap) / (root - slope);
  return max<f32>(min<f32>(safe, time), gap / rate);
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
  const counts: NarrowState = narrowState();
  for (let round: u32 = 0; round < MAX_ROUNDS; ++round) {
    counts.rounds++;
    if (m.at != t) setPose(m, t);
    const rest: f32 = t1 - t;
    // The axis at hand may prove that they do not meet in time.
    let n: v128 = inverseRotate3(a, m.n);
    const along: f32 = dot3(n, f32x4.sub(supportB(g, CORES, f32x4.neg(n)), supportA(g, CORES, n)));
    let gap: f32 = along - margins - target;
    if (gap > 0 && safeTime(m, m.n, n, along, gap, rest) >= rest) return NEVER;
    if (gjkOn(g, CORES, n) == GJK_OVERLAP) return t;
    const s = changetype<GjkState>(g);
    const distance: f32 = s.distance;
    n = f32x4.mul(s.v, f32x4.splat(<f32>-1 / distance));
    m.n = f32x4.replace_lane(rotate3(a, n), 3, 0);
    gap = distance - margins - target;
    if (gap <= tolerance) {
      if (round != 0 || m.strict == 0 || distance <= margins) return t;
      target = <f32>0.4 * (distance - margins);
      tolerance = <f32>0.1 * (distance - margins);
      gap = distance - margins - target;
    }
    const safe: f32 = safeTime(m, m.n, n, distance, gap, rest);
    if (safe >= rest) return NEVER;
    t += safe;
  }
  return t;
}

/** Writes Motion.arm for the distance just found. */
export function markMeeting(m: Motion): void {
  const g: usize = gjkOf(m);
  const a: usize = changetype<usize>(m) + offsetof<Motion>('a0');
  const margin: v128 = f32x4.mul(m.n, f32x4.splat(changetype<SupportRow>(g + CORES).margin));
  m.arm = f32x4.add(f32x4.add(rotate3(a, gjkWitness(g)), margin), m.ca);
}
