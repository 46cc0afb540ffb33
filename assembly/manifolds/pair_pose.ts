// Relative pose of the two shapes of a pair, from the rotations of its bodies and the difference of their centers.
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  COLLIDER_ALIGNED,
  Collider,
  LOCAL_A_COLUMNS,
  LOCAL_B_COLUMNS,
  REL_POSE,
  RelPose,
  SHAPE_A_COLUMNS,
  SHAPE_B_COLUMNS,
} from '../layout.generated';
import { inverseRotate3, rotate3, storeRotation } from '../math/quat';

/**
 * Rotations of both shapes and the RelPose of B in A to the block at `s` (offsets of state.ts), in which the rotations of both
 * bodies lie. `d` = x_B - x_A (centers).
 */
export function storePairPose(s: usize, ca: Collider, cb: Collider, d: v128): void {
  let t: v128 = d;
  const pa: usize = changetype<usize>(ca),
    pb: usize = changetype<usize>(cb);
  if ((ca.flags & COLLIDER_ALIGNED) != 0) {
    memory.copy(s + SHAPE_A_COLUMNS, s + BODY_A_COLUMNS, 48);
  } else {
    const q: v128 = ca.q;
    storeRotation(q, s + LOCAL_A_COLUMNS);
    for (let k: usize = 0; k < 48; k += 16)
      v128.store(s + SHAPE_A_COLUMNS + k, rotate3(s + BODY_A_COLUMNS, v128.load(s + LOCAL_A_COLUMNS + k)));
    t = f32x4.sub(t, rotate3(s + BODY_A_COLUMNS, ca.xyz));
  }
  if ((cb.flags & COLLIDER_ALIGNED) != 0) {
    memory.copy(s + SHAPE_B_COLUMNS, s + BODY_B_COLUMNS, 48);
  } else {
    const q: v128 = v128.load(pb, offsetof<Collider>('qx'));
    storeRotation(q, s + LOCAL_B_COLUMNS);
    for (let k: usize = 0; k < 48; k += 16)
      v128.store(s + SHAPE_B_COLUMNS + k, rotate3(s + BODY_B_COLUMNS, v128.load(s + LOCAL_B_COLUMNS + k)));
    t = f32x4.add(t, rotate3(s + BODY_B_COLUMNS, v128.load(pb, offsetof<Collider>('x'))));
  }
  const rel: v128 = inverseRotate3(s + SHAPE_A_COLUMNS, t);
  for (let k: usize = 0; k < 3; k++) {
    const axis: v128 = inverseRotate3(s + SHAPE_A_COLUMNS, v128.load(s + SHAPE_B_COLUMNS + (k << 4)));
    v128.store(s + REL_POSE + (k << 4), axis);
  }
  const pose = changetype<RelPose>(s + REL_POSE);
  pose.tx = f32x4.extract_lane(rel, 0);
  pose.ty = f32x4.extract_lane(rel, 1);
  pose.tz = f32x4.extract_lane(rel, 2);
}
