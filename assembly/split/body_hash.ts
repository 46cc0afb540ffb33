// Hash of a GpuBody. A GpuMotion with another one belongs to an older state of the body, and is void. Twin:
// shaders/shared/body_hash.wgsl.
import { centerAt, coldAt, isDynamic, rotationOf, rowAt } from '../bodies/rows';
import { firstJoint } from '../constraints/joints';
import {
  BodyCenter,
  BodyCold,
  BodyRow,
  GPU_BODY_STRIDE,
  GPU_MOTION_STRIDE,
  GpuBody,
  GpuMotion,
  NONE,
  SplitState,
} from '../layout.generated';
import { withW3 } from '../math/vec3';

/** Writes a body as it is now to its place in SplitState.bodies, and returns that. */
export function imageOf(s: SplitState, i: u32): GpuBody {
  const out: GpuBody = changetype<GpuBody>(<usize>s.bodies + <usize>i * GPU_BODY_STRIDE);
  const cold: BodyCold = coldAt(i);
  const row: BodyRow = rowAt(i);
  const center: BodyCenter = centerAt(i);
  out.center = withW3(center.xyz, row.invMass);
  out.centerLow = withW3(center.l, cold.comX);
  out.rotation = rotationOf(i);
  out.v = withW3(row.v, cold.comY);
  out.w = withW3(row.w, cold.comZ);
  return out;
}

/** Hash in three lanes, the index of the body in the last. */
export function hashOf(b: GpuBody, body: u32): v128 {
  const hash: v128 = v128.xor(
    v128.xor(i32x4.mul(b.center, i32x4.splat(0x9e3779b1)), i32x4.mul(b.centerLow, i32x4.splat(0x85ebca77))),
    v128.xor(
      i32x4.mul(b.rotation, i32x4.splat(0xc2b2ae3d)),
      v128.xor(i32x4.mul(b.v, i32x4.splat(0x27d4eb2f)), i32x4.mul(b.w, i32x4.splat(0x165667b1))),
    ),
  );
  const first: i32 = i32x4.extract_lane(hash, 0) ^ (i32x4.extract_lane(hash, 3) * 0x9e3779b1);
  return i32x4.replace_lane(i32x4.replace_lane(hash, 0, first), 3, body);
}

/** The hash in the fourth words of a motion. */
export function hashIn(motion: GpuMotion): v128 {
  return v128.shuffle<i32>(
    v128.shuffle<i32>(motion.v, motion.w, 3, 7, 3, 7),
    v128.shuffle<i32>(motion.d, motion.p, 3, 7, 3, 7),
    0,
    1,
    4,
    5,
  );
}

/** What the twin of the GPU knows of the motion of a body since its last report. */
export function motionAt(s: SplitState, body: u32): GpuMotion {
  return changetype<GpuMotion>(<usize>s.motions + <usize>body * GPU_MOTION_STRIDE);
}

/** Whether that motion belongs to the body as it is: nobody has changed the body since. */
export function isQuietSince(s: SplitState, body: u32): bool {
  return !v128.any_true(v128.xor(hashOf(imageOf(s, body), body), hashIn(motionAt(s, body))));
}

/**
 * How far a body reaches from its center (m), below 0 if it reports every motion: joints measure gaps between poses, and what the
 * host moves must arrive.
 */
export function reachOf(body: u32): f32 {
  const extent: f32 = coldAt(body).extent;
  return isDynamic(body) && firstJoint(body) == NONE ? extent : -max<f32>(extent, 1e-6);
}
