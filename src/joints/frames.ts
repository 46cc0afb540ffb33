// Frames of joints in double precision: rotations, poses of bodies, and the frame for an axis.
import { Header, NONE } from '../layout.generated';
import type { LinearMemory } from '../wasm/memory';

export type Numbers = ArrayLike<number>;
export type Vector = [number, number, number];
/** Unit quaternion x y z w. */
export type Turn = [number, number, number, number];
/** Origin (world, m) and rotation (unit quaternion x y z w) of a body. */
export interface Pose {
  position: number[];
  rotation: number[];
}

export const Z_AXIS = [0, 0, 1];

export const dot = (a: Numbers, b: Numbers) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
export const cross = (a: Numbers, b: Numbers): Vector => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];
/** a + k b. */
export const along = (a: Numbers, k: number, b: Numbers): Vector => [a[0]! + k * b[0]!, a[1]! + k * b[1]!, a[2]! + k * b[2]!];
export const distance = (a: Numbers, b: Numbers) => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

/** Returns a vector or a quaternion scaled to length 1. */
export function unit<T extends number[]>(v: T): T;
export function unit(v: Numbers): number[];
export function unit(v: Numbers): number[] {
  const array = Array.from(v);
  const length = Math.hypot(...array);
  return array.map((x) => x / length);
}

export const conjugate = (q: Numbers): Turn => [-q[0]!, -q[1]!, -q[2]!, q[3]!];

/** Returns the rotation q after the rotation p. */
export function multiply(q: Numbers, p: Numbers): Turn {
  const xyz = along(along(cross(q, p), q[3]!, p), p[3]!, q);
  return [...xyz, q[3]! * p[3]! - dot(q, p)];
}

/** Returns a vector rotated by a quaternion. */
export function turn(q: Numbers, v: Numbers): Vector {
  const t = cross(q, v);
  return along(along(v, 2 * q[3]!, t), 2, cross(q, t));
}

export const aroundAxis = (axis: Numbers, angle: number): Turn => {
  const s = Math.sin(angle / 2);
  return [axis[0]! * s, axis[1]! * s, axis[2]! * s, Math.cos(angle / 2)];
};

/** Returns the smallest rotation from one unit vector to another. */
export function arc(from: Numbers, to: Numbers): Turn {
  const w = 1 + dot(from, to);
  if (w > 1e-9) return unit([...cross(from, to), w]);
  // Half a turn, about anything square to them.
  return [...unit(cross(from, Math.abs(from[0]!) < 0.5 ? [1, 0, 0] : [0, 1, 0])), 0];
}

/** Returns a frame with z along the unit vector `z`, and y as close to `y` as possible. */
export function frameAlong(z: Numbers, y?: Numbers): Turn {
  const frame = arc(Z_AXIS, z);
  if (!y) return frame;
  const side = turn(frame, [0, 1, 0]);
  return multiply(aroundAxis(z, Math.atan2(dot(cross(side, y), z), dot(side, y))), frame);
}

/** Returns the pose of a body slot; NONE: the world. */
export function poseOf(memory: LinearMemory, body: number): Pose {
  if (body === NONE) return { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
  const read = (offset: number, size: number) => {
    const at = (memory.headerU32(offset) >>> 2) + 4 * body;
    return Array.from(memory.f32.subarray(at, at + size));
  };
  return { position: read(Header.positions, 3), rotation: read(Header.rotations, 4) };
}

/** Converts a point from the frame of a body to the world. */
export const toWorld = (pose: Pose, p: Numbers) => along(turn(pose.rotation, p), 1, pose.position);
/** Converts a point from the world to the frame of a body. */
export const toBody = (pose: Pose, p: Numbers) => turn(conjugate(pose.rotation), along(p, -1, pose.position));
