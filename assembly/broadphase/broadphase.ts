// Broad phase: fat boxes in two trees (moving, static).
//
// A collider takes part only when its body moved further than the slack of its fat box: bodies at rest cost one comparison.
// Colliders that left their box are listed; constraints/find_pairs.ts asks the trees what they overlap now. Pairs whose boxes
// parted are dropped when the pair walk next looks at them (pairs/walk.ts).
// Input: poses, velocities, header.motions. Output: header.aabbs, trees, the list of colliders that moved.
import { awakeBody } from '../bodies/awake';
import { FLAG_TYPE, boxAt, coldAt, colliderAt, isDisabled, rowAt, typeOf } from '../bodies/rows';
import {
  Aabb,
  BODY_COLD_STRIDE,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_STATIC,
  BodyCold,
  BodyRow,
  BoxTree,
  BroadphaseState,
  COLLIDER_DISABLED,
  COLLIDER_SEES_STATIC,
  COLLIDER_SENSOR,
  CONTACT_RULE_STRIDE,
  Collider,
  ContactRule,
  Header,
  NONE,
  RULE_GROUPS,
  RULE_NO_CONTACT,
} from '../layout.generated';
import { movedBy } from '../math/shift';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { colliderBounds } from '../shapes/bounds';
import { threadBlock } from '../threads/team';
import { buildTree, refitLevels, setLeaf } from './bvh4';
import { broadphaseState, reserveBroadphase } from './state';

// Slack of a padded box: an eighth of the body's extent within these bounds (m). The lower bound keeps small bodies from being
// inserted again in every step, the upper one keeps large bodies from pairing with everything near.
const FAT_MIN: f32 = 0.02;
const FAT_MAX: f32 = 0.05;
// A box follows the velocity this many steps ahead, so that a falling body is not inserted again in every step.
const SWEEP_STEPS: f32 = 2;

function treeOf(body: u32): BoxTree {
  const s: BroadphaseState = broadphaseState();
  return changetype<BoxTree>(<usize>(typeOf(body) == BODY_STATIC ? s.statics : s.moving));
}

/** Marks a collider as moved: the trees are asked for it in the next update. */
export function markMoved(index: u32): void {
  const s: BroadphaseState = broadphaseState();
  if (hasMoved(index) || colliderAt(index).leaf == NONE) return;
  store<u32>(<usize>s.movedStamps + ((<usize>index) << 2), s.stamp);
  store<u32>(<usize>s.moved + ((<usize>s.movedCount) << 2), index);
  s.movedCount++;
}

/** Whether a collider is in the list of moved colliders. */
export function hasMoved(index: u32): bool {
  const s: BroadphaseState = broadphaseState();
  return load<u32>(<usize>s.movedStamps + ((<usize>index) << 2)) == s.stamp;
}

/** Entry k of the list of colliders that moved; NONE if it is gone since. */
export function movedCollider(k: u32): u32 {
  const index: u32 = load<u32>(<usize>broadphaseState().moved + ((<usize>k) << 2));
  return colliderAt(index).leaf == NONE ? NONE : index;
}

/** Empties the list of colliders that moved. */
export function forgetMoved(): void {
  const s: BroadphaseState = broadphaseState();
  s.movedCount = 0;
  s.stamp++;
}

/**
 * Refreshes the fat box of a collider. `force` writes it always; otherwise only if the box no longer holds the collider
 * and the motion of the next step. Returns whether it was written.
 */
function updateBox(index: u32, body: u32, force: bool): bool {
  const h: Header = header();
  const bounds: usize = threadBlock();
  colliderBounds(index, bounds);
  let lo: v128 = changetype<Aabb>(bounds).min,
    hi: v128 = changetype<Aabb>(bounds).max;
  const box: Aabb = boxAt(index);
  const cold: BodyCold = coldAt(body);
  const zero: v128 = f32x4.splat(0);
  if ((cold.flags & FLAG_TYPE) == BODY_STATIC) {
    box.min = lo;
    box.max = hi;
    return true;
  }
  const row: BodyRow = rowAt(body);
  const v: v128 = f32x4.replace_lane(row.v, 3, 0);
  const w: v128 = row.w;
  const w2: v128 = f32x4.mul(w, w);
  const spin: f32 = sqrt<f32>(f32x4.extract_lane(w2, 0) + f32x4.extract_lane(w2, 1) + f32x4.extract_lane(w2, 2));
  const turn: v128 = f32x4.splat(min<f32>(spin * h.dt, 2) * cold.extent);
  const reserve: v128 = f32x4.splat(h.speculativeMargin * <f32>0.5);
  const sweep: v128 = f32x4.mul(v, f32x4.splat(h.dt));
  const grow: v128 = f32x4.add(reserve, turn);
  const needLo: v128 = f32x4.sub(f32x4.add(lo, f32x4.pmin(sweep, zero)), grow);
  const needHi: v128 = f32x4.add(f32x4.add(hi, f32x4.pmax(sweep, zero)), grow);
  if (!force) {
    const inside: v128 = v128.and(f32x4.ge(needLo, box.min), f32x4.le(needHi, box.max));
    if ((i32x4.bitmask(inside) & 7) == 7) return false;
  }
  const fat: f32 = max<f32>(FAT_MIN, min<f32>(FAT_MAX, cold.extent * <f32>0.125));
  const ahead: v128 = f32x4.mul(sweep, f32x4.splat(SWEEP_STEPS));
  const margin: v128 = f32x4.add(grow, f32x4.splat(fat));
  lo = f32x4.sub(f32x4.add(lo, f32x4.pmin(ahead, zero)), margin);
  hi = f32x4.add(f32x4.add(hi, f32x4.pmax(ahead, zero)), margin);
  box.min = lo;
  box.max = hi;
  return true;
}

/** The slot of a body starts a new life. */
export function resetBox(body: u32): void {
  store<f64>(<usize>broadphaseState().boxBudgets + ((<usize>body) << 3), 0);
}

/** A collider was created or enabled: box, leaf, moved list. Its body must have its pose and type. */
export function addProxy(index: u32): bool {
  if (!reserveBroadphase()) return false;
  const c: Collider = colliderAt(index);
  if ((c.flags & COLLIDER_DISABLED) != 0 || isDisabled(c.body)) return true;
  const tree: BoxTree = treeOf(c.body);
  const treePtr: usize = changetype<usize>(tree);
  if (!ensureArray(treePtr + offsetof<BoxTree>('leaves'), 4, tree.leafCount + 1)) return false;
  updateBox(index, c.body, true);
  c.leaf = tree.leafCount;
  store<u32>(<usize>tree.leaves + ((<usize>tree.leafCount) << 2), index);
  tree.leafCount++;
  tree.dirty = 1;
  markMoved(index);
  return true;
}

/** A collider without pairs is about to go: so does its leaf. Its body still has the type it was added with. */
export function removeProxy(index: u32): void {
  const c: Collider = colliderAt(index);
  if (c.leaf == NONE) return;
  const tree: BoxTree = treeOf(c.body);
  store<u32>(<usize>tree.leaves + ((<usize>c.leaf) << 2), NONE);
  tree.empty++;
  if (c.leaf < tree.built) setLeaf(tree, c.leaf, f32x4.splat(f32.MAX_VALUE), f32x4.splat(-f32.MAX_VALUE), true);
  // An entry of the moved list without a leaf is passed over. It keeps its stamp: who has the slot next takes the entry over, so
  // that the list has each collider once, however many are made and removed between steps.
  c.leaf = NONE;
}

/**
 * A collider was teleported, or its shape changed: computes its box again; the next step queries the trees for it. For its pairs:
 * renewPairs.
 */
export function moveProxy(index: u32): void {
  const c: Collider = colliderAt(index);
  if (c.leaf == NONE) return;
  updateBox(index, c.body, true);
  const tree: BoxTree = treeOf(c.body);
  const box: Aabb = boxAt(index);
  if (c.leaf < tree.built) setLeaf(tree, c.leaf, box.min, box.max, true);
  markMoved(index);
}

/** Share of a coordinate that is more than its rounding. */
const HAIR: f32 = <f32>1.2e-7;

/**
 * All bodies have moved by the OriginOffset at `by`: moves boxes and leaves with them. Nothing counts as moved, so
 * a box must not reach farther than the old one, which its pairs were found for. It is recomputed within that, or it would
 * grow with each shift.
 */
export function shiftBoxes(by: usize): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.colliderCount; i++) {
    const c: Collider = colliderAt(i);
    if (c.body == NONE || c.leaf == NONE) continue;
    const box: Aabb = boxAt(i);
    const min: v128 = movedBy(box.min, by),
      max: v128 = movedBy(box.max, by);
    const low: v128 = f32x4.sub(min, f32x4.mul(f32x4.abs(min), f32x4.splat(HAIR))),
      high: v128 = f32x4.add(max, f32x4.mul(f32x4.abs(max), f32x4.splat(HAIR)));
    box.min = low;
    box.max = high;
    const isFixed: bool = typeOf(c.body) == BODY_STATIC;
    const holds: bool = isFixed || !updateBox(i, c.body, false);
    if (holds) updateBox(i, c.body, true);
    if (isFixed) continue;
    box.min = holds ? f32x4.pmax(box.min, low) : low;
    box.max = holds ? f32x4.pmin(box.max, high) : high;
  }
  shiftLeaves(changetype<BoxTree>(<usize>broadphaseState().moving));
  shiftLeaves(changetype<BoxTree>(<usize>broadphaseState().statics));
}

/** Leaves of a tree hold the boxes that there are. */
function shiftLeaves(tree: BoxTree): void {
  for (let leaf: u32 = 0; leaf < tree.built; leaf++) {
    const index: u32 = load<u32>(<usize>tree.leaves + ((<usize>leaf) << 2));
    // A tree that is to be built has more leaves than its levels know.
    if (index != NONE) setLeaf(tree, leaf, boxAt(index).min, boxAt(index).max, tree.dirty != 0);
  }
  if (tree.dirty == 0) refitLevels(tree);
}

/** Whether a rule keeps two groups from colliding. */
function isForbidden(a: u32, b: u32): bool {
  const rule: usize = <usize>header().rules + <usize>(min<u32>(a, b) * RULE_GROUPS + max<u32>(a, b)) * CONTACT_RULE_STRIDE;
  return (changetype<ContactRule>(rule).flags & RULE_NO_CONTACT) != 0;
}

/** Whether two colliders may interact at all: filters, body types, not the same body. */
export function mayCollide(a: Collider, b: Collider): bool {
  if (a.body == b.body) return false;
  if ((a.category & b.mask) == 0 || (b.category & a.mask) == 0) return false;
  if (header().rules != 0 && isForbidden(a.group, b.group)) return false;
  const ta: u32 = typeOf(a.body),
    tb: u32 = typeOf(b.body);
  if (ta == BODY_DYNAMIC || tb == BODY_DYNAMIC) return true;
  // Without a dynamic body there is nothing to solve: only sensors need the pair; of two statics only if a collider asks for it.
  if (ta == BODY_KINEMATIC || tb == BODY_KINEMATIC) return ((a.flags | b.flags) & COLLIDER_SENSOR) != 0;
  return seesStatic(a) || seesStatic(b);
}

function seesStatic(c: Collider): bool {
  return (c.flags & (COLLIDER_SENSOR | COLLIDER_SEES_STATIC)) == (COLLIDER_SENSOR | COLLIDER_SEES_STATIC);
}

/** Whether the fat boxes of a pair still overlap. */
export function boxesOverlap(a: u32, b: u32): bool {
  const p: Aabb = boxAt(a),
    q: Aabb = boxAt(b);
  const apart: v128 = v128.or(f32x4.gt(p.min, q.max), f32x4.gt(q.min, p.max));
  return (i32x4.bitmask(apart) & 7) == 0;
}

function prepareTree(tree: BoxTree): bool {
  if (tree.dirty != 0 || tree.moved > tree.leafCount || tree.empty << 1 > tree.leafCount) return buildTree(tree);
  return true;
}

/** Boxes and trees of this step. False without memory (header error set, state consistent). */
export function updateBroadphase(): bool {
  if (!reserveBroadphase()) return false;
  const h: Header = header();
  const s: BroadphaseState = broadphaseState();
  const motions: usize = h.motions,
    budgets: usize = s.boxBudgets;
  const colds: usize = h.bodyColds;
  const moving: BoxTree = changetype<BoxTree>(<usize>s.moving);
  const statics: BoxTree = changetype<BoxTree>(<usize>s.statics);
  const count: u32 = h.awakeCount;
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    if (load<f64>(motions + ((<usize>i) << 3)) <= load<f64>(budgets + ((<usize>i) << 3))) continue;
    const cold: BodyCold = changetype<BodyCold>(colds + <usize>i * BODY_COLD_STRIDE);
    const fat: f32 = max<f32>(FAT_MIN, min<f32>(FAT_MAX, cold.extent * <f32>0.125));
    let fresh: bool = true;
    let c: u32 = cold.firstCollider;
    while (c != NONE) {
      if (updateBox(c, i, false)) markMoved(c);
      else fresh = false;
      c = colliderAt(c).next;
    }
    // A fresh box holds `fat` of any motion; a box that was merely found to be wide enough is looked at again next step.
    const path: f64 = load<f64>(<usize>h.paths + ((<usize>i) << 3));
    store<f64>(budgets + ((<usize>i) << 3), fresh ? path + <f64>fat : path);
  }
  h.movedColliders = s.movedCount;
  if (s.movedCount == 0) return true;

  // Leaves of colliders that moved.
  if (moving.dirty == 0) {
    moving.moved += s.movedCount;
    if (moving.moved <= moving.leafCount) {
      const path: bool = s.movedCount << 3 < moving.leafCount;
      for (let k: u32 = 0; k < s.movedCount; k++) {
        const index: u32 = movedCollider(k);
        if (index == NONE || typeOf(colliderAt(index).body) == BODY_STATIC) continue;
        const box: Aabb = boxAt(index);
        setLeaf(moving, colliderAt(index).leaf, box.min, box.max, path);
      }
      if (!path) refitLevels(moving);
    }
  }
  return prepareTree(moving) && prepareTree(statics);
}
