// Impacts of free pairs: two bodies that nothing else is near, and that move far relative to each other in the step.
//
// Rows have the arms, normals and inertia of one pose per step. If bodies move or turn far before they meet, and again for the
// rest of the step, no single pose is right, and angular momentum is not kept. But two free bodies need no rows: they act on each
// other alone. The solver's result for them is dropped, and from the start of the step
//   - they fly to where their shapes meet (flight.ts);
//   - there each contact is one point of the world, at which both get the impulse (meeting.ts);
//   - they fly on with their new velocities, until they meet again or the step is over.
// So momentum, and angular momentum about any point, are kept to rounding for all shapes and speeds, wherever they meet. These
// impacts are not among those of bounce.ts, which have the pose of the solver; but they share its records and its solver.
//
//   listMeetings  before the solver: lists such pairs, and stores the velocities of their bodies
//   flyMeetings   after it
//
// Input: BodyRow, BodyAccel, poses, contacts. Output: BodyRow; BodyDelta as the whole motion of the step (FLAG_HELD); the
// impulses of the step, none of which warm-starts the next one.
import {
  BodyCold,
  COLLIDER_ONE_WAY,
  COLLIDER_SURFACE,
  Collider,
  FLYER_STRIDE,
  Header,
  IMPACT_LINK_STRIDE,
  ImpactState,
  MANIFOLD_STRIDE,
  Manifold,
  NONE,
  PairCold,
  SHAPE_MESH,
} from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { FLAG_ASLEEP, FLAG_LOCKS, FLAG_LONE, coldAt, colliderAt, isDynamic, rowAt } from '../bodies/rows';
import { between } from '../ccd/against_static';
import { swingOf } from '../ccd/speculative';
import { firstJoint } from '../constraints/joints';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import { firstEndOf, nextEndOf } from '../constraints/pair_lists';
import { pairCold } from '../constraints/pair_rows';
import { keepVelocity, reserveVelocities } from '../events/approach';
import { substepRateOf } from '../lanes/batches';
import { subW } from '../math/lane';
import { length3 } from '../math/vec3';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { shapeAt } from '../shapes/shapes';
import { SENSOR, begin, finish, fly, nextMeeting, otherOf, withPartner } from './flight';
import { forgetStep } from './give_back';
import { MOST_POINTS, meet } from './meeting';
import { slipAt, spinOf, velocityOf } from './rows';
import { flyerAt, impactState, reserveState, room } from './state';

// Where no point of a body is faster (m/s) nothing is far.
const LEAST_SPEED: f32 = 3;
// Bodies that go this share of the smaller inner radius against each other in a step go far.
const FAR: f32 = 0.8;
// Longest turn of a flight for which it is taken for a turn about one axis (rad), and most flights of a step.
const TURN: f32 = 0.5;
const FLIGHTS: u32 = 48;
// Bodies inside each other fly this share of the smaller inner radius at a time, at most so often.
const INSIDE: f32 = 0.4;
const FLIGHTS_INSIDE: u32 = 512;
// Bit of PairCold.flags.
const TOUCHING: u32 = 1;

/** Way (m) of two bodies against each other in the step, turns left aside. */
function wayBetween(a: u32, b: u32): f32 {
  return length3(subW(velocityOf(b), velocityOf(a))) * header().dt;
}

/** A way of two bodies against each other (m) that is far. */
function farBetween(a: u32, b: u32): f32 {
  return FAR * min<f32>(coldAt(a).inner, coldAt(b).inner);
}

/**
 * Whether two bodies may move far relative to each other in the step: by their displacements, and by the rotation of parts that
 * stick out.
 */
function mayGoFar(a: u32, b: u32): bool {
  const swings: f32 = swingOf(coldAt(a), spinOf(a)) + swingOf(coldAt(b), spinOf(b));
  return wayBetween(a, b) + swings * header().dt > farBetween(a, b);
}

/**
 * The one body that a free body may come to in the step, where they may go far against each other; else NONE, as where there are
 * more, or none, or where anything holds it.
 */
function partnerOf(body: u32): u32 {
  const cold: BodyCold = coldAt(body);
  if (!isDynamic(body) || (cold.flags & (FLAG_LOCKS | FLAG_ASLEEP)) != 0 || !(rowAt(body).invMass > 0)) return NONE;
  if (header().jointAlive != 0 && firstJoint(body) != NONE) return NONE;
  let partner: u32 = NONE;
  for (let end: u32 = firstEndOf(body); end != NONE; end = nextEndOf(end)) {
    const other: u32 = otherOf(end, body);
    const pair: PairCold = pairCold(end >> 1);
    if (other == partner || (pair.flags & SENSOR) != 0) continue;
    if (pair.manifold == NONE) {
      if (!isDynamic(other)) continue;
      const d: v128 = between(body, other);
      if (length3(d) > cold.extent + coldAt(other).extent + wayBetween(body, other)) continue;
    }
    if (partner != NONE || !mayGoFar(body, other)) return NONE;
    partner = other;
  }
  return partner;
}

/** Whether a collider has nothing that only rows support: one-way sides, moving surfaces, meshes. */
function isPlain(c: Collider): bool {
  return (c.flags & (COLLIDER_ONE_WAY | COLLIDER_SURFACE)) == 0 && shapeAt(c.shape).type < SHAPE_MESH;
}

/** Whether two candidate bodies move far relative to each other: of touching ones, only closing or sliding ones count. */
function goesFar(a: u32, b: u32): bool {
  const dt: f32 = header().dt;
  const extent: f32 = min<f32>(coldAt(a).extent, coldAt(b).extent);
  const far: f32 = farBetween(a, b);
  let touching: bool = false,
    goes: bool = length3(subW(spinOf(b), spinOf(a))) * extent * dt > far;
  for (let end: u32 = withPartner(firstEndOf(a), a, b); end != NONE; end = withPartner(nextEndOf(end), a, b)) {
    const cold: PairCold = pairCold(end >> 1);
    if (!isPlain(colliderAt(cold.colliderA)) || !isPlain(colliderAt(cold.colliderB))) return false;
    if ((cold.flags & TOUCHING) != 0) touching = true;
    for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
      const m: Manifold = manifoldAt(index);
      for (let k: u32 = 0; k < m.count; k++) if (length3(slipAt(m, pointOf(m, k))) * dt > far) goes = true;
    }
  }
  return goes || !touching;
}

/** Lists free pairs that move far. Returns false without memory (header error set). */
export function listMeetings(): bool {
  const h: Header = header();
  if (h.impactState != 0) dropList(impactState()); // of a step that ended early
  if (!(h.fastest + h.hardest > LEAST_SPEED)) return true;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const a: u32 = awakeBody(k);
    const cold: BodyCold = coldAt(a);
    if ((cold.flags & FLAG_LONE) != 0) continue;
    if (!((length3(velocityOf(a)) + length3(spinOf(a)) * cold.extent) * h.dt > <f32>0.5 * FAR * cold.inner)) continue;
    const b: u32 = partnerOf(a);
    if (b == NONE || partnerOf(b) != a || !goesFar(a, b)) continue;
    if (!list(a, b)) return false;
  }
  return true;
}

/** False without memory. */
function list(a: u32, b: u32): bool {
  if (!reserveVelocities() || !reserveState()) return false;
  const s: ImpactState = impactState();
  if (
    !room(s, offsetof<ImpactState>('flyers'), FLYER_STRIDE, 2) ||
    !room(s, offsetof<ImpactState>('metLinks'), IMPACT_LINK_STRIDE, MOST_POINTS) ||
    !room(s, offsetof<ImpactState>('metContacts'), MANIFOLD_STRIDE, MOST_POINTS) ||
    !room(s, offsetof<ImpactState>('metList'), 4, MOST_POINTS) ||
    !room(s, offsetof<ImpactState>('meetings'), 8, s.meetingCount + 1)
  )
    return false;
  put32(s.meetings, 2 * s.meetingCount, a);
  put32(s.meetings, 2 * s.meetingCount + 1, b);
  s.meetingCount++;
  keepVelocity(a);
  keepVelocity(b);
  coldAt(a).flags |= FLAG_LONE;
  coldAt(b).flags |= FLAG_LONE;
  header().someMarked = 1;
  return true;
}

function dropList(s: ImpactState): void {
  for (let i: u32 = 0; i < 2 * s.meetingCount; i++) {
    const body: u32 = at32(s.meetings, i);
    if (body != NONE) coldAt(body).flags &= ~FLAG_LONE;
  }
  s.meetingCount = 0;
}

/** Takes the pairs of the list through the step. */
export function flyMeetings(): void {
  if (header().impactState == 0) return;
  const s: ImpactState = impactState();
  for (let i: u32 = 0; i < s.meetingCount; i++) {
    // A pair that stayed inside each other is checked again (ccd/against_moving.ts).
    if (!flyBoth(s, at32(s.meetings, 2 * i), at32(s.meetings, 2 * i + 1))) put32(s.meetings, 2 * i + 1, NONE);
  }
}

/** Takes two bodies through the step. Returns false where they were inside each other and flew too long to look at all of it. */
function flyBoth(s: ImpactState, a: u32, b: u32): bool {
  const h: Header = header();
  begin(flyerAt(s, 0), a);
  begin(flyerAt(s, 1), b);
  for (let end: u32 = withPartner(firstEndOf(a), a, b); end != NONE; end = withPartner(nextEndOf(end), a, b)) {
    for (let index: u32 = pairCold(end >> 1).manifold; index != NONE; index = manifoldAt(index).next) forgetStep(index);
  }
  const h1: f32 = 1 / substepRateOf(a, b);
  const inner: f32 = min<f32>(coldAt(a).inner, coldAt(b).inner);
  let left: f32 = h.dt;
  let inside: u32 = 0;
  for (let k: u32 = 0; k < FLIGHTS && left > 0; ) {
    const depth: f32 = meet(s);
    const turns: f32 = length3(spinOf(a)) * coldAt(a).extent + length3(spinOf(b)) * coldAt(b).extent;
    const spin: f32 = max<f32>(length3(spinOf(a)), length3(spinOf(b)));
    let time: f32 = min<f32>(left, max<f32>(TURN / max<f32>(spin, <f32>1e-6), (2 * h.dt) / <f32>FLIGHTS));
    const met: f32 = nextMeeting(s, time, h1, depth);
    if (met > 0) time = met;
    if (met == 0 && inside++ < FLIGHTS_INSIDE) {
      time = min<f32>(time, (INSIDE * inner) / (length3(subW(velocityOf(b), velocityOf(a))) + turns + <f32>1e-6));
    } else k++;
    fly(flyerAt(s, 0), time, h1);
    fly(flyerAt(s, 1), time, h1);
    left -= time;
  }
  for (let side: u32 = 0; side < 2; side++) {
    fly(flyerAt(s, side), left, h1);
    finish(flyerAt(s, side));
  }
  return inside < FLIGHTS_INSIDE;
}
