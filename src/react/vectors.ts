// Vectors, rotations and angles: copies as classes of three.js, by the short names that react-three-rapier has for them.
import { Euler, Quaternion, Vector3 } from 'three';
import type { Quat, Vec3 } from '../index';

/** Returns a new `Vector3` from anything with x, y and z; zero without one. */
export function vec3({ x, y, z }: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 }): Vector3 {
  return new Vector3(x, y, z);
}

/** Returns a new `Quaternion` from anything with x, y, z and w; no rotation without one. */
export function quat({ x, y, z, w }: { x: number; y: number; z: number; w: number } = { x: 0, y: 0, z: 0, w: 1 }): Quaternion {
  return new Quaternion(x, y, z, w);
}

/** Returns a new `Euler` from anything with x, y and z (rad, order XYZ); zero without one. */
export function euler({ x, y, z }: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 }): Euler {
  return new Euler(x, y, z);
}

/** A vector in props: a `Vec3`, or one number for all three. */
export type VectorProp = Vec3 | number;

/** Returns a new vector from a prop. */
export function toVector(value: VectorProp | undefined, otherwise = 0): Vector3 {
  if (value === undefined) return new Vector3(otherwise, otherwise, otherwise);
  if (typeof value === 'number') return new Vector3(value, value, value);
  return 'x' in value ? new Vector3(value.x, value.y, value.z) : new Vector3(value[0], value[1], value[2]);
}

/** Returns a new rotation from a quaternion in any form. */
export function toQuaternion(value: Quat): Quaternion {
  return 'x' in value
    ? new Quaternion(value.x, value.y, value.z, value.w)
    : new Quaternion(value[0], value[1], value[2], value[3]);
}

export type Vector3Tuple = [x: number, y: number, z: number];
export type Vector4Tuple = [x: number, y: number, z: number, w: number];
export type Boolean3Tuple = [x: boolean, y: boolean, z: boolean];
export type Vector3Object = { x: number; y: number; z: number };
