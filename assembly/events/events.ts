// Event rows of a step (EventRow), in the order of their stages: ends and sensors from the pair walk, waking bodies
// (rest_events.ts), begins with their hits, which are known after the solver (impacts.ts), persists and hits of touching pairs
// (follow.ts), bodies that fell asleep, and joints that broke.
import { EVENT_ROW_STRIDE, EventRow, Header, NONE } from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';

export const EVENT_BEGIN: u32 = 1;
export const EVENT_END: u32 = 2;
export const EVENT_SENSOR_BEGIN: u32 = 3;
export const EVENT_SENSOR_END: u32 = 4;
export const EVENT_JOINT_BREAK: u32 = 5; // colliderA: the joint
export const EVENT_PERSIST: u32 = 6;
export const EVENT_HIT: u32 = 7;
export const EVENT_SLEEP: u32 = 8;
export const EVENT_WAKE: u32 = 9;
export const EVENT_STOPPED: u32 = 10; // colliderA: the body, colliderB: STOPPED_BY_* shifted down

// Room that is taken with the first event, 8 KB: enough for the busiest step of most worlds.
const LEAST_ROWS: u32 = 256;

/** Room for more events. False without memory (header error set). */
export function reserveEvents(more: u32): bool {
  const h: Header = header();
  const base: usize = changetype<usize>(h);
  return ensureArray(base + offsetof<Header>('events'), EVENT_ROW_STRIDE, max<u32>(h.eventCount + more, LEAST_ROWS));
}

/** A new row, without impact. 0 without memory (header error set). */
export function pushEvent(kind: u32, colliderA: u32, colliderB: u32): usize {
  if (!reserveEvents(1)) return 0;
  const h: Header = header();
  const at: usize = <usize>h.events + <usize>h.eventCount * EVENT_ROW_STRIDE;
  const row: EventRow = changetype<EventRow>(at);
  memory.fill(at, 0, EVENT_ROW_STRIDE);
  row.kind = kind;
  row.colliderA = colliderA;
  row.colliderB = colliderB;
  row.manifold = NONE;
  h.eventCount++;
  return at;
}

/** Numbers of the last event: the manifold that was hit hardest, a point of it (NONE: none), impulse (N s) and speed (m/s). */
export function setImpact(at: usize, manifold: u32, point: u32, impulse: f32, speed: f32): void {
  const row: EventRow = changetype<EventRow>(at);
  row.manifold = manifold;
  row.point = point;
  // Of bodies that were stopped it may be no number.
  row.impulse = impulse < Infinity ? impulse : 0;
  row.approachSpeed = speed < Infinity ? speed : 0;
}
