// Colliders that pass through a sensor within a step: apart from it at the start and at the end, and inside in between.
//
// The pair walk reports overlaps with sensors at the start of a step, and notes pairs that are closer than their bodies move in
// the step. Once the final motion of the step is known, each noted pair is swept over it, forwards for the time of entry and
// backwards for the time of exit. A collider that is inside at the end is reported by the walk of the next step. Events of all
// pairs are sorted by these times.
// Input: noted pairs, BodyDelta, poses. Output: sensor events with their times.
import {
  Collider,
  EVENT_ROW_STRIDE,
  EventRow,
  Header,
  Motion,
  NONE,
  SHAPE_MESH,
  SHAPE_STRIDE,
  SUPPORT_ROW_STRIDE,
  Shape,
} from '../layout.generated';
import { sweptSpin } from '../bodies/limits';
import { colliderAt } from '../bodies/rows';
import { quatFromRotationVector, quatMul, quatNormalize } from '../math/quat';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { advance, gjkOf, writeSweptCore } from '../narrowphase/advance';
import { advanceSurface } from '../narrowphase/advance_surface';
import { CORES } from '../narrowphase/gjk';
import { EVENT_SENSOR_BEGIN, EVENT_SENSOR_END, pushEvent } from '../events/events';
import { beginMotion, between, guessAxis, otherTurn } from './against_static';
import { turnedAfter } from './speculative';

// A collider that overlaps by this share of the skin of its core is inside the sensor: twice the tolerance of the advance, so
// that the narrow phase agrees with the sweep about the end of the step.
const IN: f32 = 0.2;

/** Notes a pair that is apart from its sensor, and may go through it in this step. False without memory (header error set). */
export function noteCrossing(colliderA: u32, colliderB: u32): bool {
  const h: Header = header();
  const base: usize = changetype<usize>(h);
  const n: u32 = h.crossingCount;
  if (!ensureArray(base + offsetof<Header>('crossings'), 8, n + 1)) return false;
  put32(h.crossings, 2 * n, colliderA);
  put32(h.crossings, 2 * n + 1, colliderB);
  h.crossingCount = n + 1;
  return true;
}

/**
 * Emits the events of colliders that pass through sensors in this step, in the order of their times. Call it before bodies are
 * moved.
 */
export function tellCrossings(): void {
  const h: Header = header();
  const first: u32 = h.eventCount;
  for (let i: u32 = 0; i < h.crossingCount; i++) tell(at32(h.crossings, 2 * i), at32(h.crossings, 2 * i + 1));
  h.crossingCount = 0;
  if (h.eventCount - first > 2) sortEvents(first);
}

function tell(a: u32, b: u32): void {
  const h: Header = header();
  const ca: Collider = colliderAt(a),
    cb: Collider = colliderAt(b);
  const m: Motion = beginMotion(ca, cb, between(ca.body, cb.body));
  m.wa = sweptSpin(otherTurn(ca.body), 1);
  m.wb = sweptSpin(otherTurn(cb.body), 1);
  const shapeA: usize = <usize>h.shapes + <usize>ca.shape * SHAPE_STRIDE,
    shapeB: usize = <usize>h.shapes + <usize>cb.shape * SHAPE_STRIDE;
  const entered: f32 = firstIn(m, shapeA, shapeB);
  if (!(entered > 0)) return;
  turnBack(m);
  const back: f32 = firstIn(m, shapeA, shapeB);
  if (!(back > 0)) return;
  tellAt(EVENT_SENSOR_BEGIN, a, b, entered * h.dt);
  tellAt(EVENT_SENSOR_END, a, b, max<f32>(entered, 1 - back) * h.dt);
}

function tellAt(kind: u32, a: u32, b: u32, time: f32): void {
  const at: usize = pushEvent(kind, a, b);
  if (at != 0) changetype<EventRow>(at).time = time;
}

/** Share of a motion at which its shapes first overlap; below 0: they do not. */
function firstIn(m: Motion, shapeA: usize, shapeB: usize): f32 {
  const cores: usize = gjkOf(m) + CORES;
  guessAxis(m);
  m.skin = writeSweptCore(cores, shapeA);
  const onSurface: bool = changetype<Shape>(shapeB).type >= SHAPE_MESH;
  if (!onSurface) m.skin += writeSweptCore(cores + SUPPORT_ROW_STRIDE, shapeB);
  m.target = -IN * m.skin;
  m.strict = 0;
  m.at = f32.NaN;
  return onSurface ? advanceSurface(m, shapeA, shapeB, 1, 0, NONE) : advance(m, 0, 1);
}

/** The same motion from its end to its start. */
function turnBack(m: Motion): void {
  m.oa = turnedAfter(m.wa, 1, m.oa);
  m.ob = turnedAfter(m.wb, 1, m.ob);
  m.qa = quatNormalize(quatMul(quatFromRotationVector(m.wa), m.qa));
  m.qb = quatNormalize(quatMul(quatFromRotationVector(m.wb), m.qb));
  m.d = f32x4.add(m.d, m.dv);
  m.dv = f32x4.neg(m.dv);
  m.wa = f32x4.neg(m.wa);
  m.wb = f32x4.neg(m.wb);
}

/** Whether an event comes before another one: earlier, or at the same time, a begin before an end, and by their colliders. */
function isBefore(p: usize, q: usize): bool {
  const a: EventRow = changetype<EventRow>(p),
    b: EventRow = changetype<EventRow>(q);
  if (a.time != b.time) return a.time < b.time;
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.colliderA != b.colliderA ? a.colliderA < b.colliderA : a.colliderB < b.colliderB;
}

/** Sorts the events from `first` on, by insertion at gaps that shrink (D. L. Shell, 1959). */
function sortEvents(first: u32): void {
  const h: Header = header();
  const rows: usize = <usize>h.events + <usize>first * EVENT_ROW_STRIDE;
  const count: u32 = h.eventCount - first;
  const spare: usize = h.scratch;
  let gap: u32 = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let i: u32 = gap; i < count; i++) {
      memory.copy(spare, rows + <usize>i * EVENT_ROW_STRIDE, EVENT_ROW_STRIDE);
      let k: u32 = i;
      for (; k >= gap && isBefore(spare, rows + <usize>(k - gap) * EVENT_ROW_STRIDE); k -= gap)
        memory.copy(rows + <usize>k * EVENT_ROW_STRIDE, rows + <usize>(k - gap) * EVENT_ROW_STRIDE, EVENT_ROW_STRIDE);
      memory.copy(rows + <usize>k * EVENT_ROW_STRIDE, spare, EVENT_ROW_STRIDE);
    }
  }
}
