// The host's calls for queries: a single query, a batch of rays or shape casts, the contact of two shapes at two poses. All read
// the world as its views show it, and change nothing that a step reads: the bits stay the same. Queries and results lie in the
// QueryState.
import {
  BATCH_VECTOR_STRIDE,
  BatchVector,
  NONE,
  QUERY_ALL,
  QUERY_BATCH,
  QUERY_BOUNDS,
  QUERY_DISTANCE,
  QUERY_HIT_STRIDE,
  QUERY_OVERLAP,
  QUERY_RAY,
  QueryHit,
  QueryState,
  Rotation,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { vec3W } from '../math/lane';
import { quatNormalize, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { JOB_QUERIES, closeJob, finishTask, isAlone, openJob, takeTask, thisThread } from '../threads/team';
import { askPoints, askShape } from './pairs';
import { batchHits, copyHit, passOn, query, queryOf } from './state';
import { askAll, boxSlack } from './traverse';

// Entries of a task.
const RANGE: u32 = 16;

/** Sets the querying shape, rotated by the quaternion at `rotation`, and its bounds in the world. */
function setAsker(q: QueryState, rotation: usize): void {
  const at: usize = changetype<usize>(q);
  const columns: usize = at + offsetof<QueryState>('a0');
  const origin: v128 = f32x4.replace_lane(q.o, 3, 0);
  if (q.kind == QUERY_RAY) {
    q.center = origin;
    q.half = f32x4.splat(0);
    return;
  }
  if (q.kind == QUERY_BOUNDS) {
    q.center = origin;
    q.half = q.d;
    return;
  }
  if (q.shape == NONE) {
    q.shapeA = <u32>(at + offsetof<QueryState>('point0'));
    storeRotation(f32x4(0, 0, 0, 1), columns);
    q.center = origin;
    q.half = f32x4.splat(0);
    return;
  }
  q.shapeA = header().shapes + q.shape * <u32>SHAPE_STRIDE;
  storeRotation(quatNormalize(v128.load(rotation)), columns);
  const s = changetype<Shape>(<usize>q.shapeA);
  const low: v128 = vec3W(s.minX, s.minY, s.minZ),
    high: v128 = vec3W(s.maxX, s.maxY, s.maxZ);
  const half: v128 = f32x4.mul(f32x4.sub(high, low), f32x4.splat(0.500005));
  q.center = f32x4.add(origin, rotate3(columns, f32x4.mul(f32x4.add(high, low), f32x4.splat(0.5))));
  const axes = changetype<Rotation>(columns);
  q.half = f32x4.add(
    f32x4.add(
      f32x4.mul(f32x4.abs(axes.x), f32x4.splat(f32x4.extract_lane(half, 0))),
      f32x4.mul(f32x4.abs(axes.y), f32x4.splat(f32x4.extract_lane(half, 1))),
    ),
    f32x4.mul(f32x4.abs(axes.z), f32x4.splat(f32x4.extract_lane(half, 2))),
  );
}

/**
 * Answers the question in the QueryState: kind and mode QUERY_*. Returns the number of answers, at QueryState.hits; NONE if
 * there is no memory for all.
 */
export function runQuery(kind: u32, mode: u32): u32 {
  const q: QueryState = query();
  q.kind = kind;
  q.mode = mode;
  q.best = kind == QUERY_OVERLAP || kind == QUERY_BOUNDS ? 0 : q.reach;
  q.full = 0;
  q.placed = NONE;
  const error: u32 = header().error;
  setAsker(q, changetype<usize>(q) + offsetof<QueryState>('qx'));
  askAll(q);
  header().error = error; // that of a step in flight
  return q.full != 0 ? NONE : q.hitCount;
}

/**
 * Runs `QueryState.count` rays (QUERY_RAY) or casts of the shape (QUERY_CAST, with rotations if `turned`) at QueryState.batch,
 * which holds starts, directions, rotations, then one QueryHit each; collider NONE for a miss. Directions of rays may have any
 * length but zero; those of casts are displacements. Returns how many hit.
 */
export function runBatch(kind: u32, mode: u32, turned: bool): u32 {
  const q: QueryState = query();
  const reach: f32 = q.reach;
  const tasks: u32 = (q.count + RANGE - 1) / RANGE;
  q.kind = kind;
  q.mode = mode;
  q.turned = turned ? 1 : 0;
  q.placed = NONE;
  q.met = 0;
  if (isAlone() || tasks < 4 || q.others == 0) {
    askRange(q, 0, q.count);
  } else {
    boxSlack(q);
    passOn(q);
    openJob(JOB_QUERIES, tasks);
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      askTask(task);
      finishTask();
    }
    closeJob();
  }
  q.reach = reach;
  return q.met;
}

/** A task of the job. */
export function askTask(task: u32): void {
  const first: u32 = task * RANGE;
  const q: QueryState = queryOf(thisThread());
  askRange(q, first, min<u32>(first + RANGE, q.count));
}

/** Entries first to end - 1 of the batch, to the block of a thread; the number of hits to that of the first. */
function askRange(q: QueryState, first: u32, end: u32): void {
  const at: usize = changetype<usize>(q);
  const starts: usize = q.batch;
  const ways: usize = starts + <usize>QUERY_BATCH * BATCH_VECTOR_STRIDE;
  const turns: usize = ways + <usize>QUERY_BATCH * BATCH_VECTOR_STRIDE;
  const reach: f32 = q.reach,
    count: f32 = reinterpret<f32>(q.count);
  const isRay: bool = q.kind == QUERY_RAY,
    turned: bool = q.turned != 0;
  let met: u32 = 0;
  let out: usize = batchHits(q) + <usize>first * QUERY_HIT_STRIDE;
  for (let k: usize = first; k < <usize>end; k++, out += QUERY_HIT_STRIDE) {
    const start = changetype<BatchVector>(starts + k * BATCH_VECTOR_STRIDE),
      way = changetype<BatchVector>(ways + k * BATCH_VECTOR_STRIDE);
    // Whole rows: reading a row right after it was written in parts would stall.
    q.o = f32x4(start.x, start.y, start.z, reach);
    const x: f64 = way.x,
      y: f64 = way.y,
      z: f64 = way.z;
    const length: f64 = sqrt<f64>(x * x + y * y + z * z);
    const inverse: f64 = length > 0 ? 1 / length : 0;
    q.d = f32x4(<f32>(x * inverse), <f32>(y * inverse), <f32>(z * inverse), count);
    q.best = isRay ? reach : <f32>length;
    setAsker(q, turned ? turns + (k << 4) : at + offsetof<QueryState>('qx'));
    askAll(q);
    if (q.hitCount != 0) {
      met++;
      copyHit(out, q.hits);
    } else {
      changetype<QueryHit>(out).collider = NONE;
    }
  }
  atomic.add<u32>(changetype<usize>(query()) + offsetof<QueryState>('met'), met);
}

/**
 * The contact of shape q.shape at its pose with q.shapeB at the other (type of A <= type of B, A no surface), within q.reach.
 * Of the answers the first has the nearest points, or the deepest; then the points of all manifolds follow. Points and normals
 * are those of B. Returns the number of answers, NONE without memory.
 */
export function runContact(): u32 {
  const q: QueryState = query();
  const at: usize = changetype<usize>(q);
  q.kind = QUERY_DISTANCE;
  q.mode = QUERY_ALL;
  q.hitCount = 0;
  q.full = 0;
  q.collider = 0;
  q.placed = NONE;
  q.best = q.reach;
  setAsker(q, at + offsetof<QueryState>('qx'));
  q.originB = f32x4.replace_lane(q.b, 3, 0);
  storeRotation(quatNormalize(q.bq), at + offsetof<QueryState>('b0'));
  const shape: usize = <usize>header().shapes + <usize>q.shapeB * SHAPE_STRIDE;
  q.typeB = changetype<Shape>(shape).type;
  askShape(q, shape);
  const error: u32 = header().error;
  if (q.hitCount != 0) askPoints(q, shape);
  header().error = error;
  return q.full != 0 ? NONE : q.hitCount;
}
