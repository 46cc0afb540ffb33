// Vectors, quaternions x y z w and symmetric matrices xx yy zz xy xz yz in double precision, plainly, for oracles of tests.
import { columnsOf } from './random';

export type Vec = readonly number[];

export const add = (a: Vec, b: Vec): number[] => a.map((x, i) => x + b[i]!);
export const sub = (a: Vec, b: Vec): number[] => a.map((x, i) => x - b[i]!);
export const scale = (a: Vec, k: number): number[] => a.map((x) => x * k);
export const dot = (a: Vec, b: Vec): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
export const norm = (a: Vec): number => Math.hypot(...a);
export const unit = (a: Vec): number[] => scale(a, 1 / norm(a));

export function cross(a: Vec, b: Vec): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

/** The product of two quaternions: the rotation `b`, then `a`. */
export function multiply(a: Vec, b: Vec): number[] {
  const [x, y, z, w] = a as [number, number, number, number];
  const [p, q, r, s] = b as [number, number, number, number];
  return [
    w * p + x * s + y * r - z * q,
    w * q - x * r + y * s + z * p,
    w * r + x * q - y * p + z * s,
    w * s - x * p - y * q - z * r,
  ];
}

export const conjugate = (q: Vec): number[] => [-q[0]!, -q[1]!, -q[2]!, q[3]!];

/** A vector turned by a quaternion of any length but 0. */
export function turned(q: Vec, v: Vec): number[] {
  const c = columnsOf(q);
  return [0, 1, 2].map((i) => c[0][i]! * v[0]! + c[1][i]! * v[1]! + c[2][i]! * v[2]!);
}
export const turnedBack = (q: Vec, v: Vec): number[] => columnsOf(q).map((c) => dot(c, v));

/** Rotation by a rotation vector, rad. */
export function rotationOf(vector: Vec): number[] {
  const angle = norm(vector);
  if (angle === 0) return [0, 0, 0, 1];
  const s = Math.sin(angle / 2) / angle;
  return [vector[0]! * s, vector[1]! * s, vector[2]! * s, Math.cos(angle / 2)];
}

/** Rotation vector of a rotation, the short way, rad. */
export function rotationVector(q: Vec): number[] {
  const g = q[3]! < 0 ? scale(q, -1) : q;
  const s = Math.hypot(g[0]!, g[1]!, g[2]!);
  const k = s < 1e-12 ? 2 : (2 * Math.atan2(s, g[3]!)) / s;
  return [g[0]! * k, g[1]! * k, g[2]! * k];
}

export function timesSymmetric(m: Vec, v: Vec): number[] {
  const [xx, yy, zz, xy, xz, yz] = m as [number, number, number, number, number, number];
  const [x, y, z] = v as [number, number, number];
  return [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z];
}

/** Inverse of a symmetric matrix, times a vector. */
export function solveSymmetric(m: Vec, v: Vec): number[] {
  const [xx, yy, zz, xy, xz, yz] = m as [number, number, number, number, number, number];
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const det = xx * a + xy * b + xz * c;
  return scale(
    [
      a * v[0]! + b * v[1]! + c * v[2]!,
      b * v[0]! + (xx * zz - xz * xz) * v[1]! + (xy * xz - xx * yz) * v[2]!,
      c * v[0]! + (xy * xz - xx * yz) * v[1]! + (xx * yy - xy * xy) * v[2]!,
    ],
    1 / det,
  );
}
