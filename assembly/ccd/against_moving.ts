// Time of impact of fast bodies against moving bodies, after the solver: the last guard that keeps them from passing through each
// other.
//
// Bodies that meet in free motion have a contact before the solver runs (speculative.ts), and exchange their momentum there. But
// a hit changes the motion of a body within the step: it may then meet the next one of a row, pass its partner, or swing about a
// joint. So a collider of a dynamic body that moves farther than its size in the step (of a bullet: farther than its inner
// radius) is swept over the real motion against all other moving bodies, as against_static.ts does against fixed ones. The motion
// of the body ends where its core, shrunk by half of its inner radius, would enter another body; for the rest of the step it
// moves along with that body. Velocities stay: the next step finds the contact and passes all momentum from one body to the
// other. A cut motion may cause further cuts, so this runs in rounds until no motion is cut any more.
// Input: BodyDelta, poses, trees. Output: BodyDelta of the bodies that are held up.
import { awakeBody } from '../bodies/awake';
import { FLAG_LONE, FLAG_TYPE, boxAt, coldAt, colliderAt, deltaAt, isDynamic } from '../bodies/rows';
import { mayCollide } from '../broadphase/broadphase';
import { isLeafBox, queryTree, setLeaf } from '../broadphase/bvh4';
import { broadphaseState } from '../broadphase/state';
import { keepsApart } from '../constraints/joints';
import {
  BODY_CENTER_STRIDE,
  BODY_DYNAMIC,
  BodyCold,
  BodyDelta,
  BoxTree,
  COLLIDER_SENSOR,
  Collider,
  Header,
  ImpactState,
  NONE,
  SHAPE_MESH,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { cross3, dot3 } from '../math/lane';
import { header } from '../memory/header';
import { at32 } from '../memory/words';
import { narrowState } from '../narrowphase/state';
import { innerRadius } from '../narrowphase/support';
import {
  SHARE,
  between,
  duePairs,
  followTurn,
  holdUp,
  isSwift,
  otherTurn,
  reachOfMotion,
  shift,
  stopAt,
  turn,
} from './against_static';
import { holdJointed } from './hold_jointed';
import { swingOf } from './speculative';

// Rounds over the fast bodies.
const ROUNDS: u32 = 8;
// Rounds of advancement for each awake body after which no further round over the bodies begins. A pile of bodies that all go
// farther than their size and cut each other's motions would take a hundred times what a step takes.
const ADVANCES: u32 = 100;
// A motion that would end this near its end (share of the inner radius) is left alone: it ended there in the round before.
const NEAR_END: f32 = 0.25;

function movers(): BoxTree {
  return changetype<BoxTree>(<usize>broadphaseState().moving);
}

/** Where a body is at any time of the step: a box around its extent, low and high end. */
function sweptLow(body: u32, cold: BodyCold): v128 {
  const center: v128 = v128.load(<usize>header().bodyCenters + <usize>body * BODY_CENTER_STRIDE);
  return f32x4.sub(f32x4.add(center, f32x4.pmin(f32x4.splat(0), shift(body))), f32x4.splat(cold.extent));
}
function sweptHigh(body: u32, cold: BodyCold): v128 {
  const center: v128 = v128.load(<usize>header().bodyCenters + <usize>body * BODY_CENTER_STRIDE);
  return f32x4.add(f32x4.add(center, f32x4.pmax(f32x4.splat(0), shift(body))), f32x4.splat(cold.extent));
}

/** Leaves of bodies that were sent out of their fat boxes hold the motion of the step. */
function widenLeaves(): void {
  const h: Header = header();
  const tree: BoxTree = movers();
  if (tree.dirty != 0) return;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const i: u32 = awakeBody(k);
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_TYPE) != BODY_DYNAMIC) continue;
    const low: v128 = sweptLow(i, cold),
      high: v128 = sweptHigh(i, cold);
    if (!(dot3(f32x4.sub(high, low), f32x4.sub(high, low)) < <f32>1e12)) continue;
    for (let index: u32 = cold.firstCollider; index != NONE; index = colliderAt(index).next) {
      const boxLow: v128 = boxAt(index).min,
        boxHigh: v128 = boxAt(index).max;
      const inside: v128 = v128.and(f32x4.ge(low, boxLow), f32x4.le(high, boxHigh));
      const leaf: u32 = colliderAt(index).leaf;
      // A collider that is not enabled has none.
      if ((i32x4.bitmask(inside) & 7) == 7 || leaf == NONE) continue;
      setLeaf(tree, leaf, f32x4.pmin(low, boxLow), f32x4.pmax(high, boxHigh), true);
    }
  }
}

/** All leaves hold their fat boxes again. */
function narrowLeaves(): void {
  const h: Header = header();
  const tree: BoxTree = movers();
  if (tree.dirty != 0) return;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    for (let index: u32 = coldAt(awakeBody(k)).firstCollider; index != NONE; index = colliderAt(index).next) {
      const low: v128 = boxAt(index).min,
        high: v128 = boxAt(index).max;
      const leaf: u32 = colliderAt(index).leaf;
      if (leaf != NONE && !isLeafBox(tree, leaf, low, high)) setLeaf(tree, leaf, low, high, true);
    }
  }
}

/** Whether two bodies were a free pair in this step (impacts/meetings.ts): their impact is done. */
function haveMet(a: u32, b: u32): bool {
  const s: ImpactState = changetype<ImpactState>(<usize>header().impactState);
  for (let i: u32 = 0; i < 2 * s.meetingCount; i++) if (at32(s.meetings, i) == a) return at32(s.meetings, i ^ 1) == b;
  return false;
}

/** Whether collider o, of a body that may move, can stop collider c. */
function mayStop(c: Collider, o: Collider): bool {
  if (((c.flags | o.flags) & COLLIDER_SENSOR) != 0 || !mayCollide(c, o) || keepsApart(c.body, o.body)) return false;
  return (coldAt(c.body).flags & coldAt(o.body).flags & FLAG_LONE) == 0 || !haveMet(c.body, o.body);
}

/** How far two bodies go against each other in the step. */
function reachAgainst(a: u32, b: u32): f32 {
  const d: v128 = f32x4.sub(shift(b), shift(a));
  return sqrt<f32>(dot3(d, d)) + swingOf(coldAt(a), turn(a)) + swingOf(coldAt(b), turn(b));
}

/**
 * Moves a dynamic body by the share k of its motion, and from there on along with the point of body o at its place. The remaining
 * share of its rotation is done as free motion: momentum stays.
 */
function goAlong(body: u32, k: f32, o: u32): void {
  const delta: BodyDelta = deltaAt(body);
  const share: v128 = f32x4.splat(k),
    rest: v128 = f32x4.splat(1 - k);
  const d: v128 = f32x4.mul(shift(body), share);
  const r: v128 = f32x4.sub(f32x4.sub(d, f32x4.mul(shift(o), share)), between(body, o));
  const way: v128 = f32x4.add(f32x4.mul(shift(o), rest), cross3(f32x4.mul(otherTurn(o), rest), r));
  delta.d = f32x4.replace_lane(f32x4.add(d, way), 3, 0);
  const p: v128 = f32x4.mul(turn(body), share);
  followTurn(body, p);
  delta.p = p;
  duePairs(body);
}

/** Checks the path of a fast body against moving bodies; from the second round on, also against fixed shapes. */
function limitAmong(body: u32, cold: BodyCold, trees: u32): bool {
  const h: Header = header();
  const state = broadphaseState();
  let best: f32 = 1;
  let carrier: u32 = NONE;
  for (let index: u32 = cold.firstCollider; index != NONE; index = colliderAt(index).next) {
    const c: Collider = colliderAt(index);
    const shape: usize = <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE;
    if ((c.flags & COLLIDER_SENSOR) != 0 || changetype<Shape>(shape).type >= SHAPE_MESH) continue;
    const inner: f32 = innerRadius(shape);
    const low: v128 = sweptLow(body, cold),
      high: v128 = sweptHigh(body, cold);
    for (let tree: u32 = 0; tree < trees; tree++) {
      const found: u32 = queryTree(tree == 0 ? movers() : changetype<BoxTree>(<usize>state.statics), low, high, state.hits);
      for (let k: u32 = 0; k < found; k++) {
        const o: Collider = colliderAt(load<u32>(<usize>state.hits + ((<usize>k) << 2)));
        if (trees == 1 && !isDynamic(o.body)) continue;
        if (!mayStop(c, o)) continue;
        const reach: f32 = reachAgainst(body, o.body);
        if (!(reach > SHARE * inner && reach < <f32>1e6)) continue;
        const share: f32 = holdUp(c, o);
        if (share >= best || (1 - share) * reach <= NEAR_END * inner) continue;
        best = share;
        carrier = o.body;
      }
    }
  }
  if (carrier == NONE) return false;
  if (isDynamic(carrier)) goAlong(body, best, carrier);
  else stopAt(body, best, carrier, f32x4.splat(0), f32x4.splat(0));
  holdJointed(body, best);
  return true;
}

/** Shortens the motion of fast bodies that would pass through each other. Behind limitMotion, before finishBodies. */
export function limitMeetings(): void {
  const h: Header = header();
  const before: u32 = narrowState().rounds;
  for (let round: u32 = 0; round < ROUNDS; round++) {
    widenLeaves();
    let changed: bool = false;
    for (let k: u32 = 0; k < h.awakeCount; k++) {
      const i: u32 = awakeBody(k);
      const cold: BodyCold = coldAt(i);
      if ((cold.flags & FLAG_TYPE) != BODY_DYNAMIC) continue;
      const reach: f32 = reachOfMotion(i, cold);
      if (isSwift(cold, reach) && reach < <f32>1e6 && limitAmong(i, cold, round == 0 ? 1 : 2)) changed = true;
    }
    if (!changed || narrowState().rounds - before > ADVANCES * h.awakeCount) break;
  }
  narrowLeaves();
}
