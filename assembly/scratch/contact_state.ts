// Scratch of the contacts stage: rotations and relative pose of the pair at hand, outputs of the narrow phase, old points.
import { Header, MANIFOLD_OUT_STRIDE, OLD_MANIFOLD_STRIDE, OLD_POINT_STRIDE, OldManifold, OldPoint } from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { thisThread } from '../threads/team';

// Offsets in the block.
export const BODY_A_COLUMNS: usize = 0; // rotation of body A, three columns of 16 bytes
export const BODY_B_COLUMNS: usize = 48;
export const SHAPE_A_COLUMNS: usize = 96; // world rotation of shape A
export const SHAPE_B_COLUMNS: usize = 144;
export const REL_POSE: usize = 192; // RelPose of shape B in the frame of shape A
export const LOCAL_A_COLUMNS: usize = 240; // rotation of shape A in its body
export const LOCAL_B_COLUMNS: usize = 288;
export const POSE_BYTES: usize = 336; // all of the above
export const OUTPUTS: usize = POSE_BYTES; // ManifoldOut[MAX_OUTPUTS]
export const MAX_OUTPUTS: u32 = 32;
export const AHEAD_OUTPUTS: usize = OUTPUTS + MANIFOLD_OUT_STRIDE * <usize>MAX_OUTPUTS; // ManifoldOut[MAX_OUTPUTS]
const OLD_MANIFOLDS: usize = AHEAD_OUTPUTS + MANIFOLD_OUT_STRIDE * <usize>MAX_OUTPUTS; // OldManifold[MAX_OUTPUTS]
const OLD_POINTS: usize = OLD_MANIFOLDS + OLD_MANIFOLD_STRIDE * <usize>MAX_OUTPUTS; // OldPoint[4 * MAX_OUTPUTS]
export const NEIGHBORHOOD: usize = OLD_POINTS + OLD_POINT_STRIDE * <usize>(4 * MAX_OUTPUTS); // neighbors.ts
export const NEIGHBORHOOD_BYTES: usize = 416 + MANIFOLD_OUT_STRIDE * <usize>MAX_OUTPUTS;
export const LOOK_AHEAD: usize = NEIGHBORHOOD + NEIGHBORHOOD_BYTES; // state of speculative.ts
export const LOOK_AHEAD_BYTES: usize = 2048;
export const LOSSES: usize = LOOK_AHEAD + LOOK_AHEAD_BYTES; // lost loads (unload.ts): xyz, body
export const MAX_LOSSES: u32 = 256;
export const GIVEN_UP: usize = LOSSES + 16 * <usize>MAX_LOSSES; // points: x y z impulse, normal, collider
export const MAX_GIVEN_UP: u32 = 64;
export const GIVEN_UP_COUNT: usize = GIVEN_UP + 32 * <usize>MAX_GIVEN_UP;
export const SHARED_FACE_WALK: usize = GIVEN_UP_COUNT + 4; // number of the pair walk
export const SHARED_FACES: usize = GIVEN_UP_COUNT + 16; // SharedFace[SHARED_FACE_COUNT], by collider (shared_faces.ts)
export const SHARED_FACE_BYTES: usize = 192;
export const SHARED_FACE_COUNT: u32 = 64;
export const PAIR_MOTION: usize = SHARED_FACES + SHARED_FACE_BYTES * <usize>SHARED_FACE_COUNT; // motion.ts
export const CACHE_COPY: usize = PAIR_MOTION + 16; // axis cache of a pair that is tested ahead of the walk
export const ARENA_AT: usize = PAIR_MOTION + 20; // what is left to a thread of its piece of the arena (tests.ts)
export const ARENA_END: usize = PAIR_MOTION + 24;
export const WALK_TEST: usize = PAIR_MOTION + 32; // Test of the pair that the walk looks at, and what it names (tests.ts)
export const WALK_HEAD: usize = PAIR_MOTION + 48;
/** Bytes of a block. */
export const STATE_BYTES: usize = PAIR_MOTION + 128;
if (OLD_MANIFOLD_STRIDE != OLD_MANIFOLD_STRIDE || OLD_POINT_STRIDE != OLD_POINT_STRIDE) ERROR('sizes of old contacts');

/** The block of this thread. */
export function contactState(): usize {
  return <usize>header().contactState + <usize>thisThread() * STATE_BYTES;
}

export function oldManifold(k: u32): OldManifold {
  return changetype<OldManifold>(contactState() + OLD_MANIFOLDS + <usize>k * OLD_MANIFOLD_STRIDE);
}
export function oldPoint(k: u32): OldPoint {
  return changetype<OldPoint>(contactState() + OLD_POINTS + <usize>k * OLD_POINT_STRIDE);
}

/** Blocks for so many threads, that of the first as it is. False without memory (header error set). */
export function reserveContactStates(count: u32, had: u32): bool {
  const fresh: usize = allocate(<usize>count * STATE_BYTES);
  if (fresh == 0) return false;
  const h: Header = header();
  if (h.contactState != 0) {
    memory.copy(fresh, h.contactState, STATE_BYTES);
    release(h.contactState, <usize>had * STATE_BYTES);
  }
  h.contactState = <u32>fresh;
  return true;
}
