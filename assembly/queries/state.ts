// The block of the queries at Header.queryState: the query as the host writes it, the results, and scratch that no step reads.
// Also which colliders a query admits, and how its results are kept: the nearest, the first one found, or all in order.
import { typeOf } from '../bodies/rows';
import {
  BoxWalk,
  COLLIDER_BOUNDS,
  COLLIDER_SENSOR,
  Collider,
  Header,
  MESH_STACK,
  MESH_WALK,
  NONE,
  QUERY_ALL,
  QUERY_ANY,
  QUERY_BATCH,
  QUERY_BLOCK_STRIDE,
  QUERY_BY_CATEGORY,
  QUERY_CHILDREN,
  QUERY_HIT_STRIDE,
  QUERY_OUTPUTS,
  QUERY_SENSORS,
  QUERY_SKIP_SOLIDS,
  QUERY_SKIP_TYPES,
  QUERY_STATE_STRIDE,
  QueryHit,
  QueryState,
  WORLD_STACK,
  WORLD_WALK,
} from '../layout.generated';
import { allocate, ensureArray, release } from '../memory/allocator';
import { header } from '../memory/header';
import { putVector, vectorAt } from '../memory/words';
import { isAlone, team } from '../threads/team';

// Of a thread beside the first: its one hit is behind.
const OTHER_BYTES: usize = QUERY_BLOCK_STRIDE + 64;
/** Bytes of an entry of the batch before its hit. */
const BATCH_ROW: usize = (3 + 3 + 4) * 4;

export function query(): QueryState {
  return changetype<QueryState>(<usize>header().queryState);
}
/** The block of a thread. */
export function queryOf(thread: u32): QueryState {
  const q: QueryState = query();
  return thread == 0 ? q : changetype<QueryState>(<usize>q.others + <usize>(thread - 1) * OTHER_BYTES);
}
/** Puts the question of the first thread to the others. */
export function passOn(q: QueryState): void {
  for (let thread: u32 = 1; thread < team().capacity; thread++) {
    const at: usize = changetype<usize>(queryOf(thread));
    memory.copy(at, changetype<usize>(q), QUERY_STATE_STRIDE);
    changetype<QueryState>(at).hits = <u32>(at + QUERY_BLOCK_STRIDE);
    if (q.shape == NONE) changetype<QueryState>(at).shapeA = <u32>(at + offsetof<QueryState>('point0'));
  }
}
/** Nodes of the trees of colliders that are still to visit. */
export function worldStack(q: QueryState): usize {
  return changetype<usize>(q) + WORLD_STACK;
}
/** The same of the tree of a mesh. */
export function surfaceStack(q: QueryState): usize {
  return changetype<usize>(q) + MESH_STACK;
}
/** The walk over a tree of colliders, and that over the tree of a mesh within it. */
export function worldWalk(q: QueryState): BoxWalk {
  return changetype<BoxWalk>(changetype<usize>(q) + WORLD_WALK);
}
export function surfaceWalk(q: QueryState): BoxWalk {
  return changetype<BoxWalk>(changetype<usize>(q) + MESH_WALK);
}
/** The four children of a node of a tree of colliders. */
export function childrenOf(q: QueryState): usize {
  return changetype<usize>(q) + QUERY_CHILDREN;
}
/** ManifoldOut[MAX_MESH_MANIFOLDS]. */
export function outputsOf(q: QueryState): usize {
  return changetype<usize>(q) + QUERY_OUTPUTS;
}
/** Bounds of a collider, with their scratch. */
export function boundsOf(q: QueryState): usize {
  return changetype<usize>(q) + COLLIDER_BOUNDS;
}
export function hitAt(q: QueryState, index: u32): QueryHit {
  return changetype<QueryHit>(<usize>q.hits + <usize>index * QUERY_HIT_STRIDE);
}
/** Hits of the batch: behind the starts, directions and rotations. */
export function batchHits(q: QueryState): usize {
  return <usize>q.batch + <usize>QUERY_BATCH * BATCH_ROW;
}

/**
 * Makes the block (and, if `batch` is not 0, that of batches) unless it is there, and returns the address of the QueryState; 0
 * (header error set) without memory.
 */
export function queryState(batch: u32): usize {
  const h: Header = header();
  if (h.queryState == 0) {
    h.queryState = <u32>allocate(QUERY_BLOCK_STRIDE);
    if (h.queryState == 0) return 0;
  }
  const q: QueryState = query();
  if (!reserveHits(q, 1)) return 0;
  if (batch != 0 && q.batch == 0) {
    q.batch = <u32>allocate(<usize>QUERY_BATCH * (BATCH_ROW + QUERY_HIT_STRIDE));
    if (q.batch == 0) return 0;
  }
  if (batch != 0 && !isAlone() && !reserveOthers(q)) return 0;
  return changetype<usize>(q);
}

/** Blocks for the other threads, their number in the line before them. False without memory (header error set). */
function reserveOthers(q: QueryState): bool {
  const count: u32 = team().capacity - 1;
  const had: u32 = q.others == 0 ? 0 : load<u32>(<usize>q.others - 64);
  if (had >= count) return true;
  const block: usize = allocate(64 + <usize>count * OTHER_BYTES);
  if (block == 0) return false;
  if (had != 0) release(<usize>q.others - 64, 64 + <usize>had * OTHER_BYTES);
  store<u32>(block, count);
  q.others = <u32>block + 64;
  return true;
}

function reserveHits(q: QueryState, count: u32): bool {
  const at: usize = changetype<usize>(q);
  return ensureArray(at + offsetof<QueryState>('hits'), QUERY_HIT_STRIDE, count);
}

/** Whether a question is put to a collider at all. */
export function admits(q: QueryState, c: Collider, index: u32): bool {
  const flags: u32 = q.flags;
  if ((c.category & q.mask) == 0 || c.body == q.excludeBody || index == q.excludeCollider) return false;
  if ((c.flags & COLLIDER_SENSOR) != 0 ? (flags & QUERY_SENSORS) == 0 : (flags & QUERY_SKIP_SOLIDS) != 0) return false;
  if ((flags & QUERY_BY_CATEGORY) != 0 && (c.mask & q.category) == 0) return false;
  return (flags & QUERY_SKIP_TYPES) == 0 || (flags & (1 << typeOf(c.body))) == 0;
}

/** Whether nothing more has to be found. */
export function isDone(q: QueryState): bool {
  return q.mode == QUERY_ANY && q.hitCount != 0;
}

/** Order of results: nearest first, at the start the deepest first, then by collider, whatever the order of the trees. */
function before(a: QueryHit, b: QueryHit): bool {
  if (a.distance != b.distance) return a.distance < b.distance;
  if (a.penetration != b.penetration) return a.penetration > b.penetration;
  return a.collider != b.collider ? a.collider < b.collider : a.feature < b.feature;
}

/** Keeps an answer: `n` and `p` are normal and point in the world, rows x y z _. */
export function keep(q: QueryState, distance: f32, penetration: f32, feature: u32, n: v128, p: v128): void {
  const mode: u32 = q.mode;
  const count: u32 = q.hitCount;
  if (mode == QUERY_ALL) {
    if (!reserveHits(q, count + 1)) {
      q.full = 1;
      return;
    }
  }
  const hit: QueryHit = hitAt(q, mode == QUERY_ALL ? count : 0);
  if (mode != QUERY_ALL && count != 0) {
    if (distance > hit.distance) return;
    if (distance == hit.distance) {
      if (penetration < hit.penetration) return;
      if (penetration == hit.penetration && q.collider > hit.collider) return;
    }
  }
  hit.n = n;
  hit.xyz = p;
  hit.collider = q.collider;
  hit.feature = feature;
  hit.distance = distance;
  hit.penetration = penetration;
  if (mode == QUERY_ALL) {
    q.hitCount = count + 1;
  } else {
    q.hitCount = 1;
    q.best = distance;
  }
}

/** Copies a QueryHit. */
export function copyHit(to: usize, from: usize): void {
  for (let k: u32 = 0; k < 3; k++) putVector(to, k, vectorAt(from, k));
}

function swap(a: usize, b: usize): void {
  for (let k: usize = 0; k < QUERY_HIT_STRIDE; k += 16) {
    const row: v128 = v128.load(a + k);
    v128.store(a + k, v128.load(b + k));
    v128.store(b + k, row);
  }
}

/** Sorts the answers: heap sort, in place. */
export function sortHits(q: QueryState): void {
  const n: u32 = q.hitCount;
  let end: u32 = n;
  let start: u32 = n >> 1;
  while (end > 1) {
    if (start > 0) {
      start--;
    } else {
      end--;
      swap(changetype<usize>(hitAt(q, end)), changetype<usize>(hitAt(q, 0)));
    }
    let root: u32 = start;
    while (true) {
      let child: u32 = 2 * root + 1;
      if (child >= end) break;
      if (child + 1 < end && before(hitAt(q, child), hitAt(q, child + 1))) child++;
      if (!before(hitAt(q, root), hitAt(q, child))) break;
      swap(changetype<usize>(hitAt(q, root)), changetype<usize>(hitAt(q, child)));
      root = child;
    }
  }
}
