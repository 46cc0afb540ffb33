// Vectors and rotations to what a caller gave: by index, or to x, y, z (and w).
import type { QuatSink, Vec3Sink } from '../index';

export function write<T extends Vec3Sink | QuatSink>(out: T, from: readonly number[], size: 3 | 4): T {
  if ('x' in out) {
    const to = out as { x: number; y: number; z: number; w: number };
    to.x = from[0]!;
    to.y = from[1]!;
    to.z = from[2]!;
    if (size === 4) to.w = from[3]!;
  } else {
    const to = out as { [index: number]: number };
    for (let i = 0; i < size; i++) to[i] = from[i]!;
  }
  return out;
}
