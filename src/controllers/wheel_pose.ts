// The pose at which to draw a wheel, from the pose of the vehicle's body and the state of its spring, steering and axle.

import { writeComponents } from '../checks/vectors';
import type { QuatSink, Vec3Sink } from '../index';
import { add, multiply, scale, type Turn, turn, type Vector } from '../rigs/turns';

/** Returns the pose of a wheel, from its place in the body and the pose of the body. */
export function wheelPose(
  { up, left }: { up: Vector; left: Vector },
  place: Vector,
  origin: Vector,
  q: Turn,
  position: Vec3Sink,
  rotation: QuatSink,
  { travel, steer, angle }: { travel: number; steer: number; angle: number },
): void {
  writeComponents(add(origin, turn(q, add(place, scale(up, travel)))), 0, 3, position);
  writeComponents(multiply(multiply(q, about(up, steer)), about(left, angle)), 0, 4, rotation);
}

/** Returns a rotation about an axis of length 1 by an angle, rad. */
export function about(axis: Vector, angle: number): Turn {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}
