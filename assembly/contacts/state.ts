// Scratch of the contacts stage: rotations and relative pose of the pair at hand, outputs of the narrow phase, old points.
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';

// Offsets in the block.
// @ts-ignore: decorator
@inline export const BODY_A_COLUMNS: usize = 0; // rotation of body A, three columns of 16 bytes
// @ts-ignore: decorator
@inline export const BODY_B_COLUMNS: usize = 48;
// @ts-ignore: decorator
@inline export const SHAPE_A_COLUMNS: usize = 96; // world rotation of shape A
// @ts-ignore: decorator
@inline export const SHAPE_B_COLUMNS: usize = 144;
// @ts-ignore: decorator
@inline export const REL_POSE: usize = 192; // RelPose of shape B in the frame of shape A
// @ts-ignore: decorator
@inline export const LOCAL_A_COLUMNS: usize = 240; // rotation of shape A in its body
// @ts-ignore: decorator
@inline export const LOCAL_B_COLUMNS: usize = 288;
// @ts-ignore: decorator
@inline export const OUTPUTS: usize = 336; // ManifoldOut[MAX_OUTPUTS]
// @ts-ignore: decorator
@inline export const MAX_OUTPUTS: u32 = 32;
// @ts-ignore: decorator
@inline export const OLD_MANIFOLDS: usize = 336 + 96 * 32; // 48 bytes each: normal, tangent (frame of A), three impulses
// @ts-ignore: decorator
@inline export const OLD_MANIFOLD_STRIDE: usize = 48;
// @ts-ignore: decorator
@inline export const OLD_POINTS: usize = OLD_MANIFOLDS + 48 * 32; // 32 bytes each: anchor on A, impulse, manifold, taken
// @ts-ignore: decorator
@inline export const OLD_POINT_STRIDE: usize = 32;
// @ts-ignore: decorator
@inline const STATE_BYTES: usize = OLD_POINTS + 32 * 128;

// @ts-ignore: decorator
@inline
export function contactState(): usize {
  return header().contactState;
}

export function initContactState(): bool {
  header().contactState = <u32>allocate(STATE_BYTES);
  return header().contactState != 0;
}
