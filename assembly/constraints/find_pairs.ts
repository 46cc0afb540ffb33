// New pairs: colliders that left their fat boxes ask the trees for what they overlap now.
// Input: BroadphaseState.moved, trees. Output: pairs (pair_store.ts).
import { AABB_STRIDE, BODY_STATIC, Header, NONE, SHAPE_MESH, SHAPE_PLANE, SHAPE_STRIDE, Shape } from '../layout.generated';
import { colliderAt, typeOf } from '../bodies/rows';
import { forgetMoved, hasMoved, mayCollide, movedCollider } from '../broadphase/broadphase';
import { queryTree } from '../broadphase/bvh4';
import { BroadphaseState, Tree, broadphaseState } from '../broadphase/state';
import { header } from '../memory/header';
import { isBeyondPlane } from '../shapes/bounds';
import { keepsApart } from './joints';
import { storePair } from './pair_store';

/**
 * Two boxes overlap: a pair, unless it is there, the colliders cannot interact or a joint keeps their bodies apart. False without
 * memory.
 */
function addPair(i: u32, j: u32): bool {
  const shapes: usize = header().shapes;
  let a: u32 = i,
    b: u32 = j;
  const ti: u32 = changetype<Shape>(shapes + <usize>colliderAt(i).shape * SHAPE_STRIDE).type;
  const tj: u32 = changetype<Shape>(shapes + <usize>colliderAt(j).shape * SHAPE_STRIDE).type;
  if (ti > tj || (ti == tj && i > j)) {
    a = j;
    b = i;
  }
  if (ti >= SHAPE_MESH && tj >= SHAPE_MESH) return true;
  if (!mayCollide(colliderAt(a), colliderAt(b)) || keepsApart(colliderAt(a).body, colliderAt(b).body)) return true;
  // A plane that is not level has the whole world for a box. Where it never moves, boxes on its far side stay there.
  if (max<u32>(ti, tj) == SHAPE_PLANE && typeOf(colliderAt(b).body) == BODY_STATIC) {
    const box: usize = <usize>header().aabbs + <usize>a * AABB_STRIDE;
    if (isBeyondPlane(b, v128.load(box), v128.load(box, 16), broadphaseState().scratch)) return true;
  }
  return storePair(a, b);
}

/** Pairs of the colliders that moved. False without memory (header error set): they are asked for again in the next step. */
export function findPairs(): bool {
  const h: Header = header();
  const s: BroadphaseState = broadphaseState();
  const moving: Tree = changetype<Tree>(<usize>s.moving);
  const statics: Tree = changetype<Tree>(<usize>s.statics);
  const hits: usize = s.hits;
  const movedCount: u32 = s.movedCount;
  for (let k: u32 = 0; k < movedCount; k++) {
    const index: u32 = movedCollider(k);
    if (index == NONE) continue;
    const box: usize = <usize>h.aabbs + <usize>index * AABB_STRIDE;
    const lo: v128 = v128.load(box),
      hi: v128 = v128.load(box, 16);
    const isStatic: bool = typeOf(colliderAt(index).body) == BODY_STATIC;
    const found: u32 = queryTree(moving, lo, hi, hits);
    for (let j: u32 = 0; j < found; j++) {
      const other: u32 = load<u32>(hits + ((<usize>j) << 2));
      if (other == index) continue;
      // Two moved colliders find each other: the one with the larger index adds the pair, a static one leaves it to the other.
      if ((isStatic || other > index) && hasMoved(other)) continue;
      if (!addPair(index, other)) return false;
    }
    if (!isStatic || (h.eventsAsked & 2) != 0) {
      const walls: u32 = queryTree(statics, lo, hi, hits);
      for (let j: u32 = 0; j < walls; j++) {
        if (!addPair(index, load<u32>(hits + ((<usize>j) << 2)))) return false;
      }
    }
  }
  forgetMoved();
  return true;
}
