// Rotations and frames of scenes, with nothing but +, -, *, / and Math.sqrt (see random.ts). Quaternions are xyzw.
import type { Quat, Vec3 } from './types';

export const ALONG_X: Quat = [0, 0, -Math.SQRT1_2, Math.SQRT1_2];
/** Lays a shape whose axis is y along z. */
export const ALONG_Z: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

export function inverse(q: Quat): Quat {
  return [-q[0], -q[1], -q[2], q[3]];
}

/** First `b`, then `a`; normalized. */
export function join(a: Quat, b: Quat): Quat {
  const x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  const y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  const z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  const w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  return [x * k, y * k, z * k, w * k];
}

export function turn(q: Quat, v: Vec3): Vec3 {
  const x = 2 * (q[1] * v[2] - q[2] * v[1]);
  const y = 2 * (q[2] * v[0] - q[0] * v[2]);
  const z = 2 * (q[0] * v[1] - q[1] * v[0]);
  return [v[0] + q[3] * x + q[1] * z - q[2] * y, v[1] + q[3] * y + q[2] * x - q[0] * z, v[2] + q[3] * z + q[0] * y - q[1] * x];
}

export function unit(v: Vec3): Vec3 {
  const k = 1 / Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return [v[0] * k, v[1] * k, v[2] * k];
}

/** Shortest rotation that takes one direction to another; about any axis upright on it where they are opposite. */
export function swing(from: Vec3, to: Vec3): Quat {
  const w = 1 + from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  if (w < 1e-9) {
    const s = acrossOf(from);
    return [s[0], s[1], s[2], 0];
  }
  const x = from[1] * to[2] - from[2] * to[1];
  const y = from[2] * to[0] - from[0] * to[2];
  const z = from[0] * to[1] - from[1] * to[0];
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  return [x * k, y * k, z * k, w * k];
}

/** A direction upright on another. */
function acrossOf(v: Vec3): Vec3 {
  return Math.abs(v[0]) < 0.7 ? unit([0, v[2], -v[1]]) : unit([-v[2], 0, v[0]]);
}

/** The frame whose axis z is `axis` and whose axis x is `side` (upright on it; any if left out). */
export function frameOf(axis: Vec3, side: Vec3 = acrossOf(axis)): Quat {
  const toAxis = swing([0, 0, 1], axis);
  const x = turn(toAxis, [1, 0, 0]);
  const cos = x[0] * side[0] + x[1] * side[1] + x[2] * side[2];
  // About the axis, by the angle from x to the side: half angles by square roots.
  const sin =
    axis[0] * (x[1] * side[2] - x[2] * side[1]) +
    axis[1] * (x[2] * side[0] - x[0] * side[2]) +
    axis[2] * (x[0] * side[1] - x[1] * side[0]);
  const w = Math.sqrt(Math.max(0, (1 + cos) / 2));
  const s = Math.sqrt(Math.max(0, (1 - cos) / 2)) * (sin < 0 ? -1 : 1);
  return join([s * axis[0], s * axis[1], s * axis[2], w], toAxis);
}

/** Radians. */
export function degrees(angle: number): number {
  return (angle / 180) * Math.PI;
}
