// Room for many bodies and colliders at once: what the arrays of all stages would take is added up first, and linear memory
// grows once or not at all, so a call that is refused leaves it as it was.
import { AABB_STRIDE, COLLIDER_STRIDE, Header } from '../layout.generated';
import { broadphaseBytes } from '../broadphase/state';
import { blockBytes, ensureRoom } from '../memory/allocator';
import { header } from '../memory/header';
import { grownCapacity } from '../shapes/shapes';
import { BODY_ARRAYS, bodyArrayStride, reserveBodies, reserveColliders } from './bodies';

/** Makes room for `bodies` and `colliders` in all. Returns false (header error set, nothing changed) without memory. */
export function reserveSlots(bodies: u32, colliders: u32): bool {
  const h: Header = header();
  let bytes: u64 = 0;
  let bodyCapacity: u32 = h.bodyCapacity;
  if (bodies > bodyCapacity) {
    bodyCapacity = grownCapacity(bodyCapacity, bodies);
    for (let i: u32 = 0; i < BODY_ARRAYS; i++) bytes += blockBytes(<u64>bodyArrayStride(i) * <u64>bodyCapacity);
    bytes += blockBytes((<u64>BODY_ARRAYS) << 2);
  }
  let colliderCapacity: u32 = h.colliderCapacity;
  if (colliders > colliderCapacity) {
    colliderCapacity = grownCapacity(colliderCapacity, colliders);
    bytes += blockBytes(<u64>AABB_STRIDE * <u64>colliderCapacity) + blockBytes(<u64>COLLIDER_STRIDE * <u64>colliderCapacity);
  }
  if (bytes == 0) return true;
  bytes += broadphaseBytes(bodyCapacity, colliderCapacity);
  return ensureRoom(bytes) && reserveBodies(bodies) && reserveColliders(colliders);
}
