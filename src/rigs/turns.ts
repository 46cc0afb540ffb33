// Vectors and unit quaternions x y z w of rigs, beside those of joints: used once per rig and once per pose.
import { cross, dot, unit as ofLengthOne, type Turn, type Vector } from '../joints/frames';

export { arc, conjugate, cross, dot, multiply, type Turn, turn, unit as normalized, type Vector } from '../joints/frames';

export const NO_TURN: Turn = [0, 0, 0, 1];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, k: number): Vector => [a[0] * k, a[1] * k, a[2] * k];
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
export const between = (a: Vector, b: Vector, t: number): Vector => add(a, scale(sub(b, a), t));

/** Returns a vector scaled to length 1; `fallback` if it is too short. */
export function unit(a: Vector, fallback: Vector): Vector {
  const l = length(a);
  return l > 1e-9 ? scale(a, 1 / l) : fallback;
}

/** Returns some unit vector perpendicular to a unit vector. */
export function across(a: Vector): Vector {
  return unit(cross(a, Math.abs(a[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]), [0, 0, 1]);
}

/** Returns the rotation whose columns are three perpendicular unit vectors of a right-handed frame. */
export function frameOf(x: Vector, y: Vector, z: Vector): Turn {
  const trace = x[0] + y[1] + z[2];
  const q: Turn =
    trace > 0
      ? [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace]
      : x[0] > y[1] && x[0] > z[2]
        ? [1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2], y[2] - z[1]]
        : y[1] > z[2]
          ? [y[0] + x[1], 1 + y[1] - x[0] - z[2], z[1] + y[2], z[0] - x[2]]
          : [z[0] + x[2], z[1] + y[2], 1 + z[2] - x[0] - y[1], x[1] - y[0]];
  return ofLengthOne(q);
}

/** Returns a frame with this z. */
export function frameAbout(z: Vector): Turn {
  const x = across(z);
  return frameOf(x, cross(z, x), z);
}

/** Returns the swing about x and y (a rotation vector) and then the twist about z of a rotation, rad, as joints measure them. */
export function swingTwist(q: Turn): { swingX: number; swingY: number; twist: number } {
  const [x, y, z, w] = q[3] < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
  const swing = 2 * Math.atan2(Math.hypot(x, y), Math.hypot(z, w));
  const zx = 2 * (x * z + w * y);
  const zy = 2 * (y * z - w * x);
  const s = Math.hypot(zx, zy);
  const k = s > 1e-9 ? swing / s : 1;
  return { swingX: -zy * k, swingY: zx * k, twist: 2 * Math.atan2(z, w) };
}

/** Returns the smallest distance of two segments. */
export function segmentDistance(a: Vector, b: Vector, c: Vector, d: Vector): number {
  const u = sub(b, a);
  const v = sub(d, c);
  const w = sub(a, c);
  const clamp = (x: number) => Math.min(Math.max(x, 0), 1);
  const uu = Math.max(dot(u, u), 1e-12);
  const vv = Math.max(dot(v, v), 1e-12);
  const uv = dot(u, v);
  const det = uu * vv - uv * uv;
  let s = det > 1e-12 * uu * vv ? clamp((uv * dot(v, w) - vv * dot(u, w)) / det) : 0;
  const t = clamp((uv * s + dot(v, w)) / vv);
  s = clamp((uv * t - dot(u, w)) / uu);
  return length(sub(add(a, scale(u, s)), add(c, scale(v, t))));
}
