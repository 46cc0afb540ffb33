// Measures a joint: its coordinates from the poses of its bodies. Slow and plain, for callers, tests and debug lines.
// Source: swing and twist as docs/joint_solver.md, "Six axes".
import { jointAt } from '../constraints/joints';
import { JOINT_DISTANCE, Joint, NONE, SCRATCH_JOINT } from '../layout.generated';
import { inverseRotate3, quatMul, rotate3, storeRotation } from '../math/quat';
import { length3, w3, x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { putVector } from '../memory/words';
import { anglesOf, quatBetween } from '../rows/joint_angles';

/** Anchor of a joint in the world; body NONE: the anchor itself. Leaves the rotation of the body at Header.scratch. */
function anchorOf(body: u32, anchor: v128): v128 {
  const rotation: usize = header().scratch;
  const h: usize = (<usize>body) << 4;
  storeRotation(body == NONE ? f32x4(0, 0, 0, 1) : v128.load(<usize>header().rotations + h), rotation);
  if (body == NONE) return anchor;
  return f32x4.add(v128.load(<usize>header().positions + h), rotate3(rotation, anchor));
}

function frameOf(body: u32, frame: v128): v128 {
  return body == NONE ? frame : quatMul(v128.load(<usize>header().rotations + ((<usize>body) << 4)), frame);
}

/**
 * Writes f32[16] and returns their address: anchor B relative to anchor A along the axes of frame A (m; of a distance: the
 * distance, 0, 0), swing about x and y, twist about z (rad, within half a turn), total swing, distance of the anchors; anchor A,
 * 0; anchor B, 0 (world, m).
 */
export function measureJoint(index: u32): usize {
  const joint: Joint = jointAt(index);
  const base: usize = changetype<usize>(joint);
  const out: usize = <usize>header().scratch + SCRATCH_JOINT;
  const b: v128 = anchorOf(joint.bodyB, v128.load(base + offsetof<Joint>('anchorBx')));
  const a: v128 = anchorOf(joint.bodyA, v128.load(base + offsetof<Joint>('anchorAx')));
  const frame: v128 = frameOf(joint.bodyA, v128.load(base + offsetof<Joint>('frameAx')));
  const e: v128 = f32x4.replace_lane(f32x4.sub(b, a), 3, 0);
  const gap: f32 = length3(e);
  storeRotation(frame, header().scratch);
  const along: v128 = joint.kind == JOINT_DISTANCE ? f32x4(gap, 0, 0, 0) : inverseRotate3(header().scratch, e);
  const frameB: v128 = frameOf(joint.bodyB, v128.load(base + offsetof<Joint>('frameBx')));
  const g: v128 = quatBetween(frame, frameB);
  const angles: v128 = anglesOf(g);
  putVector(out, 0, f32x4(x3(along), y3(along), z3(along), x3(angles)));
  putVector(out, 1, f32x4(y3(angles), z3(angles), w3(angles), gap));
  putVector(out, 2, f32x4.replace_lane(a, 3, 0));
  putVector(out, 3, f32x4.replace_lane(b, 3, 0));
  return out;
}
