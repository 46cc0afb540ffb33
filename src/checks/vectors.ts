// Vectors and rotations as callers have them: arrays and typed arrays by index, or objects with x, y, z (and w) such as those of
// three.js, whose components may be accessors. Arrays are read and written in place; nothing is allocated for them.
import { TalusError } from './errors';
import { messageOf, show } from './show';

const KEYS = ['x', 'y', 'z', 'w'] as const;

/** Returns whether a value can be read by index like an array. */
function isIndexed(value: object): value is ArrayLike<number> {
  return typeof (value as ArrayLike<number>).length === 'number';
}

function form(size: number): string {
  return size === 3 ? '{ x, y, z }' : '{ x, y, z, w }';
}

/**
 * Returns the `size` components of a vector or rotation, each finite and up to `limit`: the array itself, or a copy of an
 * object's.
 */
export function checkComponents(value: unknown, name: string, size: 3 | 4, limit: number): ArrayLike<number> {
  if (value !== null && typeof value === 'object') {
    if (isIndexed(value)) {
      if (value.length !== size) {
        const turn = size === 4 ? ': rotations are quaternions x y z w' : '';
        throw new TalusError('invalid-argument', `${name} must hold ${size} numbers, got ${value.length}${turn}`);
      }
      for (let i = 0; i < size; i++) {
        const x = value[i];
        if (!(typeof x === 'number' && x >= -limit && x <= limit)) {
          throw new TalusError('invalid-argument', `${name}[${i}] must be a finite number up to ${limit}, got ${show(x)}`);
        }
      }
      return value;
    }
    if ('x' in value) {
      const copy: number[] = [];
      for (let i = 0; i < size; i++) {
        const x = (value as Record<string, unknown>)[KEYS[i]!];
        if (!(typeof x === 'number' && x >= -limit && x <= limit)) {
          const what = `${name}.${KEYS[i]} must be a finite number up to ${limit}, got ${show(x)}`;
          throw new TalusError('invalid-argument', i === 3 ? `${what}: rotations are quaternions` : what);
        }
        copy.push(x);
      }
      return copy;
    }
  }
  throw new TalusError('invalid-argument', `${name} must be an array of ${size} numbers or ${form(size)}, got ${show(value)}`);
}

/**
 * Writes `size` numbers of `from`, from index `at` on, to the caller's `out`: by index if it has a length, else to x, y, z (and
 * w).
 * @throws TalusError `invalid-argument` if it has neither, is too short, or cannot be written
 */
export function writeComponents<T>(from: ArrayLike<number>, at: number, size: 3 | 4, out: T, name = 'out'): T {
  if (out === null || typeof out !== 'object') refuse(out, size, name);
  try {
    if (isIndexed(out)) {
      if (ArrayBuffer.isView(out) && out.length < size) refuse(out, size, name);
      const to = out as unknown as { [index: number]: number };
      for (let k = 0; k < size; k++) to[k] = from[at + k]!;
    } else if ('x' in out) {
      const to = out as unknown as { x: number; y: number; z: number; w: number };
      to.x = from[at]!;
      to.y = from[at + 1]!;
      to.z = from[at + 2]!;
      if (size === 4) to.w = from[at + 3]!;
    } else refuse(out, size, name);
  } catch (error) {
    if (error instanceof TalusError) throw error;
    throw new TalusError('invalid-argument', `${name} cannot be written: ${messageOf(error)}`);
  }
  return out;
}

function refuse(out: unknown, size: number, name: string): never {
  throw new TalusError(
    'invalid-argument',
    `${name} must be an array that takes ${size} numbers or ${form(size)}, got ${show(out)}`,
  );
}
