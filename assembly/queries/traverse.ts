// The colliders that a query is run against: those in the two trees of the broad phase whose boxes it may hit, nearest boxes
// first.
//
// Boxes are those of the last step's broad phase; bodies may have moved since. The part of a body's path that its box does not
// allow for (`slack`, nearly always 0) widens every box, so nothing is missed. Colliders added since are outside of the nodes of
// their tree: they are tested one by one, before the nodes.
import { FLAG_ALIVE, FLAG_TYPE, boxAt, coldAt, colliderAt } from '../bodies/rows';
import { broadphaseState } from '../broadphase/state';
import {
  Aabb,
  BODY_STATIC,
  BOX_NODE_STRIDE,
  BoxTree,
  BoxWalk,
  BroadphaseState,
  Header,
  NONE,
  QUERY_ALL,
  QUERY_CAST,
  QUERY_RAY,
  QueryState,
} from '../layout.generated';
import { header } from '../memory/header';
import { NOTHING, beginWalk, boxDistance2, entered, enteredBox, inverse, near, nearestOf, nextOf } from '../narrowphase/boxes';
import { ask } from './pairs';
import { admits, childrenOf, isDone, sortHits, worldStack, worldWalk } from './state';

// Words of children: a collider, or a node of a level: LEAF | collider, level << LEVEL | index in the level.
const LEAF: u32 = 0x80000000;
const LEVEL: u32 = 27;

/** Farthest that any point of a moving body may lie outside of its fat box, m; found once a step. */
export function boxSlack(q: QueryState): f32 {
  const h: Header = header();
  if (q.slackStep == h.stepCount + 1) return q.slack;
  const s: BroadphaseState = broadphaseState();
  let slack: f64 = 0;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const flags: u32 = coldAt(i).flags;
    if ((flags & FLAG_ALIVE) == 0 || (flags & FLAG_TYPE) == BODY_STATIC) continue;
    const beyond: f64 = load<f64>(<usize>h.paths + ((<usize>i) << 3)) - load<f64>(<usize>s.boxBudgets + ((<usize>i) << 3));
    slack = max<f64>(slack, beyond);
  }
  q.slackStep = h.stepCount + 1;
  q.slack = <f32>slack;
  return q.slack;
}

function traverse(q: QueryState, tree: BoxTree, along: bool, o: v128, i: v128, half: v128): void {
  const leaves: usize = tree.leaves;
  const built: u32 = tree.built;
  // Colliders that no node knows.
  for (let k: u32 = built; k < tree.leafCount; k++) {
    const c: u32 = load<u32>(leaves + ((<usize>k) << 2));
    if (c == NONE) continue;
    const box: Aabb = boxAt(c);
    const meets: bool = along
      ? enteredBox(box.min, box.max, o, i, half, q.best) >= 0
      : boxDistance2(box.min, box.max, o, half) <= limitOf(q, false);
    if (!meets || !admits(q, colliderAt(c), c)) continue;
    ask(q, colliderAt(c), c);
    if (isDone(q)) return;
  }
  if (built == 0) return;
  const w: BoxWalk = worldWalk(q);
  const nodes: usize = tree.nodes,
    levels: usize = tree.levels;
  const keys: usize = changetype<usize>(w) + offsetof<BoxWalk>('keys0');
  const children: usize = childrenOf(q);
  let entry: u32 = (tree.levelCount - 1) << LEVEL;
  let best: f32 = limitOf(q, along);
  while (true) {
    if ((entry & LEAF) != 0) {
      const c: u32 = entry & ~LEAF;
      if (admits(q, colliderAt(c), c)) {
        ask(q, colliderAt(c), c);
        if (isDone(q)) return;
        best = limitOf(q, along);
      }
    } else {
      const level: u32 = entry >> LEVEL;
      const first: u32 = (entry & ((1 << LEVEL) - 1)) << 2;
      const node: usize = nodes + <usize>((load<u32>(levels + ((<usize>level) << 2)) << 2) + first) * (BOX_NODE_STRIDE / 4);
      const hits: u32 = along ? entered(w, node, best, keys) : near(w, node, best, keys);
      // NONE stays NONE.
      const below: v128 =
        level == 0
          ? v128.or(v128.load(leaves + ((<usize>first) << 2)), i32x4.splat(LEAF))
          : v128.or(i32x4(first, first + 1, first + 2, first + 3), i32x4.splat((level - 1) << LEVEL));
      v128.store(children, below);
      const nearest: i64 = nearestOf(w, children, hits);
      if (nearest != NOTHING) {
        entry = <u32>nearest;
        continue;
      }
    }
    const next: i64 = nextOf(w, best);
    if (next == NOTHING) return;
    entry = <u32>next;
  }
}

/** Keys beyond it are of no use any more. */
function limitOf(q: QueryState, along: bool): f32 {
  if (along) return q.best;
  const reach: f32 = max<f32>(q.best, 0);
  return reach * reach;
}

/** Puts the question of the QueryState, whose kind, mode, best, center and half are set, to all that may have an answer. */
export function askAll(q: QueryState): void {
  q.hitCount = 0;
  const along: bool = q.kind == QUERY_RAY || q.kind == QUERY_CAST;
  const i: v128 = inverse(q.d);
  const half: v128 = f32x4.add(q.half, f32x4.splat(boxSlack(q)));
  // For both trees: the walk over the first leaves nothing on the stack, or nothing more is asked.
  beginWalk(worldWalk(q), along, q.center, i, half, worldStack(q));
  const s: BroadphaseState = broadphaseState();
  traverse(q, changetype<BoxTree>(<usize>s.statics), along, q.center, i, half);
  if (!isDone(q)) traverse(q, changetype<BoxTree>(<usize>s.moving), along, q.center, i, half);
  if (q.mode == QUERY_ALL) sortHits(q);
}
