// Contact events of a step, as rows of four words: kind, collider A, collider B, manifold (NONE for ends and sensors).
import { Header } from '../layout.generated';
import { ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';

// @ts-ignore: decorator
@inline export const EVENT_BEGIN: u32 = 1;
// @ts-ignore: decorator
@inline export const EVENT_END: u32 = 2;
// @ts-ignore: decorator
@inline export const EVENT_SENSOR_BEGIN: u32 = 3;
// @ts-ignore: decorator
@inline export const EVENT_SENSOR_END: u32 = 4;

export function pushEvent(kind: u32, colliderA: u32, colliderB: u32, manifold: u32): void {
  const h: Header = header();
  const base: usize = changetype<usize>(h);
  if (!ensureCapacity(base + offsetof<Header>('events'), base + offsetof<Header>('eventCapacity'), 16, h.eventCount + 1)) return;
  const p: usize = <usize>h.events + ((<usize>h.eventCount) << 4);
  store<u32>(p, kind);
  store<u32>(p, colliderA, 4);
  store<u32>(p, colliderB, 8);
  store<u32>(p, manifold, 12);
  h.eventCount++;
}
