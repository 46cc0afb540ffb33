// Which colliders a question is put to: those of the broad phase's two trees whose boxes it may meet, nearest boxes first.
//
// Boxes are as the last step's broad phase left them; bodies have moved since. The part of a body's path that its box does
// not allow for (`slack`, nearly always 0) widens every box, so nothing is missed. Colliders added since wait outside of
// the nodes of their tree: these are asked one by one, before the nodes.
import { AABB_STRIDE, BODY_STATIC, Header, NONE, QUERY_CAST, QUERY_RAY, QUERY_ALL, QueryState } from '../layout.generated';
import { FLAG_ALIVE, FLAG_TYPE, coldAt, colliderAt } from '../bodies/rows';
import { NODE_STRIDE } from '../broadphase/bvh4';
import { BroadphaseState, Tree, broadphaseState } from '../broadphase/state';
import { header } from '../memory/header';
import { boxDistance2, entered, enteredBox, inverse, near, nearPlane } from './boxes';
import { ask } from './pairs';
import { admits, isDone, keysOf, sortHits, worldStack } from './state';

// What lies on the stack: a collider, or a node of a level: LEAF | collider, level << LEVEL | index in the level.
const LEAF: u32 = 0x80000000;
const LEVEL: u32 = 27;

/** Farthest that any point of a moving body may lie outside of its fat box, m; found once a step. */
function boxSlack(q: QueryState): f32 {
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

function traverse(q: QueryState, tree: Tree, along: bool, o: v128, i: v128, half: v128): void {
  const leaves: usize = tree.leaves;
  const built: u32 = tree.built;
  // Colliders that no node knows.
  for (let k: u32 = built; k < tree.leafCount; k++) {
    const c: u32 = load<u32>(leaves + ((<usize>k) << 2));
    if (c == NONE) continue;
    const box: usize = <usize>header().aabbs + <usize>c * AABB_STRIDE;
    const meets: bool = along
      ? enteredBox(v128.load(box), v128.load(box, 16), o, i, half, q.best) >= 0
      : boxDistance2(v128.load(box), v128.load(box, 16), o, half) <= limitOf(q, false);
    if (!meets || !admits(q, colliderAt(c), c)) continue;
    ask(q, colliderAt(c), c);
    if (isDone(q)) return;
  }
  if (built == 0) return;
  const ox: v128 = v128.shuffle<f32>(o, o, 0, 0, 0, 0),
    oy: v128 = v128.shuffle<f32>(o, o, 1, 1, 1, 1),
    oz: v128 = v128.shuffle<f32>(o, o, 2, 2, 2, 2);
  const ix: v128 = v128.shuffle<f32>(i, i, 0, 0, 0, 0),
    iy: v128 = v128.shuffle<f32>(i, i, 1, 1, 1, 1),
    iz: v128 = v128.shuffle<f32>(i, i, 2, 2, 2, 2);
  const hx: v128 = v128.shuffle<f32>(half, half, 0, 0, 0, 0),
    hy: v128 = v128.shuffle<f32>(half, half, 1, 1, 1, 1),
    hz: v128 = v128.shuffle<f32>(half, half, 2, 2, 2, 2);
  const nx: usize = nearPlane(f32x4.extract_lane(i, 0)),
    ny: usize = nearPlane(f32x4.extract_lane(i, 1)),
    nz: usize = nearPlane(f32x4.extract_lane(i, 2));
  // The planes that come first are half of the sides nearer, the others that much farther.
  const ahead: v128 = v128.xor(half, v128.and(i, i32x4.splat(0x80000000)));
  const start: v128 = f32x4.add(o, ahead),
    end: v128 = f32x4.sub(o, ahead);
  const sx: v128 = v128.shuffle<f32>(start, start, 0, 0, 0, 0),
    sy: v128 = v128.shuffle<f32>(start, start, 1, 1, 1, 1),
    sz: v128 = v128.shuffle<f32>(start, start, 2, 2, 2, 2);
  const ex: v128 = v128.shuffle<f32>(end, end, 0, 0, 0, 0),
    ey: v128 = v128.shuffle<f32>(end, end, 1, 1, 1, 1),
    ez: v128 = v128.shuffle<f32>(end, end, 2, 2, 2, 2);
  const nodes: usize = tree.nodes,
    levels: usize = tree.levels;
  const keys: usize = keysOf(q);
  const stack: usize = worldStack(q);
  let top: usize = stack;
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
      const node: usize = nodes + <usize>((load<u32>(levels + ((<usize>level) << 2)) << 2) + first) * (NODE_STRIDE / 4);
      let hits: u32 = along
        ? entered(node, nx, ny, nz, sx, sy, sz, ex, ey, ez, ix, iy, iz, best, keys)
        : near(node, ox, oy, oz, hx, hy, hz, best, keys);
      // Insert by distance, nearest on top of the stack.
      const base: usize = top;
      for (; hits != 0; hits &= hits - 1) {
        const lane: u32 = ctz<u32>(hits);
        let child: u32 = first + lane;
        if (level == 0) {
          child = load<u32>(leaves + ((<usize>child) << 2));
          if (child == NONE) continue;
          child |= LEAF;
        } else {
          child |= (level - 1) << LEVEL;
        }
        const key: f32 = load<f32>(keys + ((<usize>lane) << 2));
        let place: usize = top;
        while (place > base && load<f32>(place - 8, 4) < key) {
          store<u32>(place, load<u32>(place - 8));
          store<f32>(place, load<f32>(place - 8, 4), 4);
          place -= 8;
        }
        store<u32>(place, child);
        store<f32>(place, key, 4);
        top += 8;
      }
    }
    do {
      if (top == stack) return;
      top -= 8;
    } while (load<f32>(top, 4) > best);
    entry = load<u32>(top);
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
  const at: usize = changetype<usize>(q);
  const along: bool = q.kind == QUERY_RAY || q.kind == QUERY_CAST;
  const d: v128 = v128.load(at, offsetof<QueryState>('dx'));
  const i: v128 = f32x4(
    inverse(f32x4.extract_lane(d, 0)),
    inverse(f32x4.extract_lane(d, 1)),
    inverse(f32x4.extract_lane(d, 2)),
    0,
  );
  const half: v128 = f32x4.add(q.half, f32x4.splat(boxSlack(q)));
  const s: BroadphaseState = broadphaseState();
  traverse(q, changetype<Tree>(<usize>s.statics), along, q.center, i, half);
  if (!isDone(q)) traverse(q, changetype<Tree>(<usize>s.moving), along, q.center, i, half);
  if (q.mode == QUERY_ALL) sortHits(q);
}
