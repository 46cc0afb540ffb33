// Scratch of the contacts stage: rotations and relative pose of the pair at hand, outputs of the narrow phase, old points.
import { Header, MANIFOLD_OUT_STRIDE } from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { thisThread } from '../threads/team';

/** What a manifold passes on to those that replace it (manifolds/match.ts); its points are columns. */
@unmanaged
export class OldManifold {
  normal: v128; // in the frame of body A
  tangent: v128;
  friction: v128; // impulses along both tangents, about the normal
  rolling: v128; // impulses about both tangents
  x: v128; // anchors on A, or on B if A is fixed
  y: v128;
  z: v128;
  impulse: v128; // of the points
  excess: v128;
  gone: v128; // all bits where there is no point, or it was taken
  taken: u32; // 1: a new manifold has it
  pad0: u32;
  pad1: u64;
}

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
const OLD_MANIFOLD_STRIDE: usize = 176;
export const NEIGHBORHOOD: usize = OLD_MANIFOLDS + OLD_MANIFOLD_STRIDE * <usize>MAX_OUTPUTS; // neighbors.ts
export const NEIGHBORHOOD_BYTES: usize = 416 + MANIFOLD_OUT_STRIDE * <usize>MAX_OUTPUTS;
export const LOOK_AHEAD: usize = NEIGHBORHOOD + NEIGHBORHOOD_BYTES; // state of speculative.ts
export const LOOK_AHEAD_BYTES: usize = 2048;
export const LOSSES: usize = LOOK_AHEAD + LOOK_AHEAD_BYTES; // lost loads (unload.ts): xyz, body
export const MAX_LOSSES: u32 = 256;
export const OFFERS: usize = LOSSES + 16 * <usize>MAX_LOSSES; // points: x y z impulse, normal, collider
export const MAX_OFFERS: u32 = 64;
export const OFFER_COUNT: usize = OFFERS + 32 * <usize>MAX_OFFERS;
export const SHARED_FACE_WALK: usize = OFFER_COUNT + 4; // number of the pair walk
export const SHARED_FACES: usize = OFFER_COUNT + 16; // SharedFace[SHARED_FACE_COUNT], by collider (shared_faces.ts)
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
if (offsetof<OldManifold>() != OLD_MANIFOLD_STRIDE) ERROR('OldManifold: size');

/** The block of this thread. */
export function contactState(): usize {
  return <usize>header().contactState + <usize>thisThread() * STATE_BYTES;
}

export function oldManifold(k: u32): OldManifold {
  return changetype<OldManifold>(contactState() + OLD_MANIFOLDS + <usize>k * OLD_MANIFOLD_STRIDE);
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
