// Finds the state of a manifold: impulses and separations of its points, impulses of friction, twist and rolling, the sum of the
// step.
//
// The state lies in one place at a time:
// - in the lane, where sweeps read and write it, while the manifold has a lane (lanes.ts);
// - in its record, if it has none, because it is asleep or the solver has no lanes. On the GPU that is the last report
//   (split/collect.ts).
// Code outside of the solvers asks here, by manifold, and need not know the place. A record that was filled again holds the new
// state until its lane takes it (storeState).
// Input, output: ContactGroup, ContactPoints, ContactSide, ContactSidePoints; Manifold.
import {
  CONTACT_POINTS_STRIDE,
  CONTACT_SIDE_POINTS_STRIDE,
  ContactGroup,
  ContactPoints,
  ContactSide,
  ContactSidePoints,
  MANIFOLD_POINT_STRIDE,
  Manifold,
  ManifoldPoint,
  NONE,
} from '../layout.generated';
import { noteChange } from '../constraints/held';
import { excessIn, manifoldAt, pointOf } from '../constraints/manifolds';
import { header } from '../memory/header';
import { groupAt, pointsOf, pointsOfGroup, sideAt, sidePointsOf } from './lane_layout';

/** Address of the words of lane `lane` (Manifold.lane) in its group: a column lies at this address + its offset. */
export function laneGroup(lane: u32): usize {
  return changetype<usize>(groupAt(lane >> 2)) + ((<usize>(lane & 3)) << 2);
}
/** The same beside the group. */
export function laneSide(lane: u32): usize {
  return changetype<usize>(sideAt(lane >> 2)) + ((<usize>(lane & 3)) << 2);
}
/** Words of point i of a lane of a group of k points, and beside it. */
function lanePoint(lane: usize, k: u32, i: u32): usize {
  return changetype<usize>(pointsOf(changetype<ContactGroup>(lane), k, i));
}
/** Words of point i of lane `lane`. */
function pointOfLane(lane: u32, i: u32): usize {
  return lanePoint(laneGroup(lane), pointsOfGroup(lane >> 2), i);
}
export function laneSidePoint(lane: usize, i: u32): usize {
  return changetype<usize>(sidePointsOf(changetype<ContactSide>(lane), i));
}

/** N s: normal impulse of a point, a substep. */
export function impulseOf(m: Manifold, i: u32): f32 {
  if (m.lane != NONE) return load<f32>(pointOfLane(m.lane, i), offsetof<ContactPoints>('impulse'));
  return pointOf(m, i).impulse;
}

/** m: separation of a point. */
export function separationOf(m: Manifold, i: u32): f32 {
  if (m.lane != NONE) return load<f32>(pointOfLane(m.lane, i), offsetof<ContactPoints>('separation'));
  return pointOf(m, i).separation;
}

/** N s: largest normal impulse of a point in a substep of the last step. */
export function largestImpulseOf(m: Manifold, i: u32): f32 {
  if (m.lane == NONE) {
    return pointOf(m, i).maxImpulse;
  }
  const most: f32 = load<f32>(laneSidePoint(laneSide(m.lane), i), offsetof<ContactSidePoints>('maxImpulse'));
  return max<f32>(most, impulseOf(m, i));
}

/**
 * N s: parts of the impulses of the points that the next warm start leaves out; they move with the impulses. A lane keeps its own
 * as long as the impulse in it stays: an impulse that arrives from elsewhere counts as a lasting load.
 */
export function excessesOf(m: Manifold): v128 {
  if (m.lane != NONE) return f32x4.splat(0);
  return v128.load(excessIn(m, 0));
}

/** Impulses of friction along both tangents (N s) and about the normal (N m s), a substep; 0. */
export function frictionOf(m: Manifold): v128 {
  if (m.lane == NONE) {
    return f32x4(m.tangentImpulse1, m.tangentImpulse2, m.twistImpulse, 0);
  }
  const g: usize = laneGroup(m.lane);
  return f32x4(
    load<f32>(g, offsetof<ContactGroup>('tangentImpulse1')),
    load<f32>(g, offsetof<ContactGroup>('tangentImpulse2')),
    load<f32>(g, offsetof<ContactGroup>('twistImpulse')),
    0,
  );
}

/** N m s: impulses of rolling resistance about both tangents, a substep; 0 0. */
export function rollingOf(m: Manifold): v128 {
  if (header().anyRolling == 0) return f32x4.splat(0);
  if (m.lane == NONE) {
    return f32x4(m.rollImpulse1, m.rollImpulse2, 0, 0);
  }
  const side: usize = laneSide(m.lane);
  return f32x4(
    load<f32>(side, offsetof<ContactSide>('rollImpulse1')),
    load<f32>(side, offsetof<ContactSide>('rollImpulse2')),
    0,
    0,
  );
}

/** Bytes from the impulse, or the separation, of a point to that of the next. */
export function stateStride(m: Manifold): usize {
  return m.lane != NONE ? CONTACT_POINTS_STRIDE : MANIFOLD_POINT_STRIDE;
}
/** Address of the separation of the first point. */
export function separationsOf(m: Manifold): usize {
  if (m.lane != NONE) return pointOfLane(m.lane, 0) + offsetof<ContactPoints>('separation');
  return changetype<usize>(pointOf(m, 0)) + offsetof<ManifoldPoint>('separation');
}

/** Address of the normal impulse of the first point. */
export function impulsesOf(m: Manifold): usize {
  if (m.lane != NONE) return pointOfLane(m.lane, 0) + offsetof<ContactPoints>('impulse');
  return changetype<usize>(pointOf(m, 0)) + offsetof<ManifoldPoint>('impulse');
}

/** Copies the state of a manifold into a record, its own or an image of it. */
export function copyState(m: Manifold, to: Manifold): void {
  const friction: v128 = frictionOf(m),
    rolling: v128 = rollingOf(m);
  to.tangentImpulse1 = f32x4.extract_lane(friction, 0);
  to.tangentImpulse2 = f32x4.extract_lane(friction, 1);
  to.twistImpulse = f32x4.extract_lane(friction, 2);
  to.rollImpulse1 = f32x4.extract_lane(rolling, 0);
  to.rollImpulse2 = f32x4.extract_lane(rolling, 1);
  v128.store(excessIn(to, 0), excessesOf(m));
  for (let i: u32 = 0; i < m.count; i++) {
    const point: ManifoldPoint = pointOf(to, i);
    point.separation = separationOf(m, i);
    point.impulse = impulseOf(m, i);
    point.maxImpulse = largestImpulseOf(m, i);
  }
}

/** A point of a lane has another impulse than sweeps gave it: it is taken as a load that lasts. */
function setLaneImpulse(p: usize, q: usize, impulse: f32): void {
  if (impulse == load<f32>(p, offsetof<ContactPoints>('impulse'))) return;
  store<f32>(p, impulse, offsetof<ContactPoints>('impulse'));
  store<f32>(q, impulse, offsetof<ContactSidePoints>('previous'));
  store<f32>(q, 0, offsetof<ContactSidePoints>('excess'));
}

/** The state in the record of a manifold becomes that of its lane. */
export function storeState(m: Manifold): void {
  const g: usize = laneGroup(m.lane),
    side: usize = laneSide(m.lane);
  const k: u32 = m.count;
  store<f32>(g, m.tangentImpulse1, offsetof<ContactGroup>('tangentImpulse1'));
  store<f32>(g, m.tangentImpulse2, offsetof<ContactGroup>('tangentImpulse2'));
  store<f32>(g, m.twistImpulse, offsetof<ContactGroup>('twistImpulse'));
  if (header().anyRolling != 0) {
    store<f32>(side, m.rollImpulse1, offsetof<ContactSide>('rollImpulse1'));
    store<f32>(side, m.rollImpulse2, offsetof<ContactSide>('rollImpulse2'));
  }
  let p: usize = lanePoint(g, k, 0),
    q: usize = laneSidePoint(side, 0);
  for (let i: u32 = 0; i < k; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    store<f32>(p, point.separation, offsetof<ContactPoints>('separation'));
    setLaneImpulse(p, q, point.impulse);
    p += CONTACT_POINTS_STRIDE;
    q += CONTACT_SIDE_POINTS_STRIDE;
  }
}

/** Scales all impulses of a manifold. */
export function scaleImpulses(m: Manifold, factor: f32): void {
  if (m.lane == NONE) {
    m.tangentImpulse1 *= factor;
    m.tangentImpulse2 *= factor;
    m.twistImpulse *= factor;
    m.rollImpulse1 *= factor;
    m.rollImpulse2 *= factor;
    for (let i: u32 = 0; i < m.count; i++) pointOf(m, i).impulse *= factor;
    v128.store(excessIn(m, 0), f32x4.splat(0));
    return;
  }
  const g: usize = laneGroup(m.lane),
    side: usize = laneSide(m.lane);
  scale(g + offsetof<ContactGroup>('tangentImpulse1'), factor);
  scale(g + offsetof<ContactGroup>('tangentImpulse2'), factor);
  scale(g + offsetof<ContactGroup>('twistImpulse'), factor);
  scale(side + offsetof<ContactSide>('rollImpulse1'), factor);
  scale(side + offsetof<ContactSide>('rollImpulse2'), factor);
  for (let i: u32 = 0; i < m.count; i++) {
    const p: usize = lanePoint(g, m.count, i);
    setLaneImpulse(p, laneSidePoint(side, i), factor * load<f32>(p, offsetof<ContactPoints>('impulse')));
  }
}

function scale(at: usize, factor: f32): void {
  store<f32>(at, load<f32>(at) * factor);
}

/** Forgets the impulses of a manifold that the next step would start with. */
export function clearImpulses(m: Manifold): void {
  if (m.lane != NONE) {
    clearLane(m);
    return;
  }
  m.tangentImpulse1 = 0;
  m.tangentImpulse2 = 0;
  m.twistImpulse = 0;
  m.rollImpulse1 = 0;
  m.rollImpulse2 = 0;
  for (let i: u32 = 0; i < m.count; i++) pointOf(m, i).impulse = 0;
  v128.store(excessIn(m, 0), f32x4.splat(0));
}

/** Forgets them, what the last step did, and a separation that is no number. */
export function clearState(m: Manifold): void {
  clearImpulses(m);
  if (m.lane == NONE) {
    m.stepImpulse = 0;
    for (let i: u32 = 0; i < m.count; i++) pointOf(m, i).maxImpulse = 0;
  }
  const at: usize = separationsOf(m);
  const stride: usize = stateStride(m);
  for (let i: u32 = 0; i < m.count; i++) {
    const s: usize = at + <usize>i * stride;
    if (!(abs<f32>(load<f32>(s)) < Infinity)) store<f32>(s, 0);
  }
}

/** Friction of a manifold as it stands now, to its lane. */
export function setLaneFriction(m: Manifold): void {
  if (m.lane == NONE) return;
  store<f32>(laneGroup(m.lane), m.friction, offsetof<ContactGroup>('friction'));
  store<f32>(laneGroup(m.lane), m.friction * m.twistRadius, offsetof<ContactGroup>('twistFriction'));
}

/** Whether a fast impact is awaited in a manifold in this step: its points are then settled where they are struck. */
export function setStruck(index: u32, struck: bool): void {
  const m: Manifold = manifoldAt(index);
  if (m.lane == NONE) {
    if ((m.struck != 0) == struck) return;
    m.struck = struck ? 1 : 0;
    noteChange(index);
    return;
  }
  const side: ContactSide = sideAt(m.lane >> 2);
  const bit: u32 = 1 << (m.lane & 3);
  side.struck = struck ? side.struck | bit : side.struck & ~bit;
}

/** Whether the impulses of a manifold are summed up in the next step; the sum starts at 0. */
export function setSummed(m: Manifold, summed: bool): void {
  if (m.lane != NONE) store<f32>(laneSide(m.lane), summed ? <f32>0 : f32.NEGATIVE_INFINITY, offsetof<ContactSide>('stepImpulse'));
}

/** N s: normal impulse that the step has just given a manifold that is summed: points, substeps, restitution. */
export function stepImpulse(m: Manifold): f32 {
  if (m.lane != NONE) return load<f32>(laneSide(m.lane), offsetof<ContactSide>('stepImpulse'));
  return m.stepImpulse;
}

/** Adds what came after the substeps, restitution, to the impulse of the step. */
export function addStepImpulse(m: Manifold, impulse: f32): void {
  if (m.lane == NONE) {
    m.stepImpulse += impulse;
    return;
  }
  const side: usize = laneSide(m.lane);
  // -infinity where nothing is summed.
  const before: f32 = load<f32>(side, offsetof<ContactSide>('stepImpulse'));
  store<f32>(side, before + impulse, offsetof<ContactSide>('stepImpulse'));
}

/** Forgets all impulses of a lane. */
function clearLane(m: Manifold): void {
  const g: usize = laneGroup(m.lane),
    side: usize = laneSide(m.lane);
  store<f32>(g, 0, offsetof<ContactGroup>('tangentImpulse1'));
  store<f32>(g, 0, offsetof<ContactGroup>('tangentImpulse2'));
  store<f32>(g, 0, offsetof<ContactGroup>('twistImpulse'));
  store<f32>(side, 0, offsetof<ContactSide>('rollImpulse1'));
  store<f32>(side, 0, offsetof<ContactSide>('rollImpulse2'));
  if (load<f32>(side, offsetof<ContactSide>('stepImpulse')) != f32.NEGATIVE_INFINITY)
    store<f32>(side, 0, offsetof<ContactSide>('stepImpulse'));
  for (let i: u32 = 0; i < m.count; i++) {
    store<f32>(lanePoint(g, m.count, i), 0, offsetof<ContactPoints>('impulse'));
    const q: usize = laneSidePoint(side, i);
    store<f32>(q, 0, offsetof<ContactSidePoints>('previous'));
    store<f32>(q, 0, offsetof<ContactSidePoints>('excess'));
    store<f32>(q, 0, offsetof<ContactSidePoints>('maxImpulse'));
  }
}

/** An impulse came after the substeps: the largest of a manifold in the step, which has met at its first point. */
export function hit(m: Manifold, impulse: f32): void {
  const most: f32 = max<f32>(largestImpulseOf(m, 0), impulse);
  const separation: usize = separationsOf(m);
  if (m.lane != NONE) store<f32>(laneSidePoint(laneSide(m.lane), 0), most, offsetof<ContactSidePoints>('maxImpulse'));
  else pointOf(m, 0).maxImpulse = most;
  store<f32>(separation, min<f32>(load<f32>(separation), 0));
}
