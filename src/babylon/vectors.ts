// Converts vectors between Babylon.js and the core.
import type { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Turn, Vector } from '../rigs/turns';
import type { Vec3 } from '../types';

export const NO_SCALE: Vector = [1, 1, 1];

export function components(v: Vec3): Vector {
  return 'x' in v ? [v.x, v.y, v.z] : [v[0]!, v[1]!, v[2]!];
}

export function vectorOf(v: Vector3 | null | undefined, other: Vector = [0, 0, 0]): Vector {
  return v ? [v.x, v.y, v.z] : other;
}

export function turnOf(q: Quaternion | null | undefined): Turn {
  if (!q) return [0, 0, 0, 1];
  const length = Math.hypot(q.x, q.y, q.z, q.w);
  return length > 0 ? [q.x / length, q.y / length, q.z / length, q.w / length] : [0, 0, 0, 1];
}
