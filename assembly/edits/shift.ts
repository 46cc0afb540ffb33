// Shifts the origin of the world: every position changes by one offset, and nothing else. No body wakes, no contact begins or
// ends, impulses stay.
//
// Contacts depend on relative positions, and BodyCenter has a center as a sum of two floats, which is shifted in double
// precision. So relative positions change by less than a micrometer, wherever the origin is. Positions, past poses, boxes and
// world points of joints are single floats and are rounded once.
// Input: offset. Output: BodyCenter, positions, PastPose, Aabb, trees, world points of Joint.
import { FLAG_ALIVE, centerAt, coldAt } from '../bodies/rows';
import { shiftBoxes } from '../broadphase/broadphase';
import { jointAt } from '../constraints/joints';
import {
  BodyCenter,
  BodyCold,
  Header,
  JOINT_ALIVE,
  JOINT_PULLEY,
  Joint,
  NONE,
  OriginOffset,
  PAST_POSE_STRIDE,
  ROTATION_STRIDE,
} from '../layout.generated';
import { rotate3, storeRotation } from '../math/quat';
import { movedBy } from '../math/shift';
import { header } from '../memory/header';
import { splitState } from '../memory/split_state';
import { putXyz } from '../memory/words';

/** Where the OriginOffset lies in the scratch of the header. */
const OFFSET: usize = 128;

/**
 * Moves the world by an offset (m). Returns 0; or, with nothing changed, 1 + the index of a body that would come to lie
 * farther than `most` (m) from the origin along an axis, and farther than it does.
 */
export function moveOrigin(x: f64, y: f64, z: f64, most: f64): u32 {
  const h: Header = header();
  const by: usize = <usize>h.scratch + OFFSET;
  const offset: OriginOffset = changetype<OriginOffset>(by);
  offset.x = x;
  offset.y = y;
  offset.z = z;
  offset.pad0 = 0;
  for (let i: u32 = 0; i < h.bodyCount; i++) if (isAlive(i) && leaves(i, by, most)) return i + 1;
  for (let i: u32 = 0; i < h.bodyCount; i++) if (isAlive(i)) moveBody(i, by);
  shiftBoxes(by);
  for (let i: u32 = 0; i < h.jointCount; i++) movePoints(jointAt(i), by);
  // The GPU holds world points of joints, too: another stamp makes the next step send them.
  if (h.splitState != 0) splitState().heldJoints = h.jointStamp - 1;
  return 0;
}

function isAlive(body: u32): bool {
  return (coldAt(body).flags & FLAG_ALIVE) != 0;
}

function leaves(body: u32, by: usize, most: f64): bool {
  const at: usize = <usize>header().positions + ((<usize>body) << 4);
  for (let axis: usize = 0; axis < 3; axis++) {
    const from: f64 = load<f32>(at + (axis << 2));
    const to: f64 = abs<f64>(from + load<f64>(by + (axis << 3)));
    if (to > most && to > abs<f64>(from)) return true;
  }
  return false;
}

function moveBody(body: u32, by: usize): void {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  const center: usize = changetype<usize>(centerAt(body));
  const columns: usize = h.scratch,
    com: usize = columns + ROTATION_STRIDE;
  storeRotation(v128.load(<usize>h.rotations + ((<usize>body) << 4)), columns);
  v128.store(com, rotate3(columns, f32x4(cold.comX, cold.comY, cold.comZ, 0)));
  for (let axis: usize = 0; axis < 3; axis++) {
    const at: usize = center + (axis << 2);
    const sum: f64 = <f64>load<f32>(at) + <f64>load<f32>(at, offsetof<BodyCenter>('lx')) + load<f64>(by + (axis << 3));
    const high: f32 = <f32>sum;
    store<f32>(at, high);
    store<f32>(at, <f32>(sum - <f64>high), offsetof<BodyCenter>('lx'));
    store<f32>(<usize>h.positions + ((<usize>body) << 4) + (axis << 2), <f32>(sum - <f64>load<f32>(com + (axis << 2))));
  }
  if (body < h.pastPosesCapacity) movePoint(<usize>h.pastPoses + <usize>body * PAST_POSE_STRIDE, by);
}

/** World points of a joint: the anchor on the world; of a pulley the points that its rope goes over. */
function movePoints(joint: Joint, by: usize): void {
  if ((joint.flags & JOINT_ALIVE) == 0) return;
  const at: usize = changetype<usize>(joint);
  if (joint.bodyA == NONE) movePoint(at + offsetof<Joint>('anchorAx'), by);
  if (joint.kind != JOINT_PULLEY) return;
  movePoint(at + offsetof<Joint>('frameAx'), by);
  movePoint(at + offsetof<Joint>('frameBx'), by);
}

function movePoint(at: usize, by: usize): void {
  putXyz(at, movedBy(v128.load(at), by));
}
