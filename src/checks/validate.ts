// Checks of arguments. Each throws a TalusError 'invalid-argument' that names the argument and what it must be; none allocates
// unless it throws.
import { TalusError } from './errors';
import { meant, show } from './show';
import { checkComponents } from './vectors';

/** Largest distance of a coordinate from the origin, m: beyond it single precision is coarser than 6 cm. */
export const MAX_COORDINATE = 1e6;
/** Smallest and largest length of a shape, m. */
export const MIN_LENGTH = 1e-4;
export const MAX_LENGTH = 1e5;
/** Largest speed, force, mass and the like that single precision squares without overflow. */
export const MAX_MAGNITUDE = 1e15;

/** Throws 'invalid-argument': `name` must be `what`, and is not; `hint` says what to do. */
export function fail(name: string, what: string, value: unknown, hint = ''): never {
  throw new TalusError('invalid-argument', `${name} must be ${what}, got ${show(value)}${hint}`);
}

/** Checks a finite number within [min, max]; returns it. */
export function checkNumber(value: unknown, name: string, min = -MAX_MAGNITUDE, max = MAX_MAGNITUDE): number {
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    const range = min === -MAX_MAGNITUDE && max === MAX_MAGNITUDE ? '' : ` from ${min} to ${max}`;
    const text = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
    fail(name, `a finite number${range}`, value, text ? ': a string is not a number, convert it with Number(...)' : '');
  }
  return value;
}

/**
 * Checks an angle within [min, max], rad; returns it. A whole number out of range may well be in degrees, and the message says
 * so.
 */
export function checkAngle(value: unknown, name: string, min: number, max: number): number {
  if (Number.isInteger(value) && ((value as number) > max || (value as number) < min)) {
    const degrees = `: angles are in radians; ${value} degrees are ${value} * Math.PI / 180`;
    fail(name, `an angle from ${+min.toFixed(4)} to ${+max.toFixed(4)} rad`, value, degrees);
  }
  return checkNumber(value, name, min, max);
}

/** Checks a whole number within [min, max]; returns it. */
export function checkInteger(value: unknown, name: string, min: number, max: number, or = ''): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    fail(name, `${or}a whole number from ${min} to ${max}`, value);
  }
  return value;
}

/** Checks a length of a shape, m; returns it. */
export function checkLength(value: unknown, name: string, min = MIN_LENGTH): number {
  return checkNumber(value, name, min, MAX_LENGTH);
}

/** Checks that a value is one of a list of words; returns its index. */
export function checkWord(value: unknown, name: string, words: readonly string[]): number {
  const index = words.indexOf(value as string);
  if (index < 0) fail(name, `one of ${words.map((word) => `'${word}'`).join(', ')}`, value, meant(value, words));
  return index;
}

export function checkBoolean(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') fail(name, 'true or false', value);
  return value;
}

/** Checks 32 bits, as for categories and masks; returns them as an unsigned number. */
export function checkBits(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 32) {
    fail(name, 'a whole number of 32 bits', value);
  }
  return value >>> 0;
}

/** Checks an array of `length` finite numbers, none larger than `limit`. */
export function checkArray(value: unknown, name: string, length: number, limit = MAX_MAGNITUDE): ArrayLike<number> {
  const array = value as ArrayLike<number>;
  if (value === null || typeof value !== 'object' || typeof array.length !== 'number') fail(name, 'an array of numbers', value);
  if (array.length !== length) {
    throw new TalusError('invalid-argument', `${name} must hold ${length} numbers, got ${array.length}`);
  }
  for (let i = 0; i < length; i++) {
    const x = array[i];
    if (typeof x !== 'number' || !(x >= -limit && x <= limit)) {
      throw new TalusError('invalid-argument', `${name}[${i}] must be a finite number up to ${limit}, got ${show(x)}`);
    }
  }
  return array;
}

/**
 * Checks an array of numbers of any length and value, as geometry comes in. NaN may have a meaning there, and the code that knows
 * the geometry checks ranges.
 */
export function checkNumbers(value: unknown, name: string): ArrayLike<number> {
  const array = value as ArrayLike<number>;
  if (value === null || typeof value !== 'object' || typeof array.length !== 'number') fail(name, 'an array of numbers', value);
  if (!(Number.isInteger(array.length) && array.length >= 0)) fail(`${name}.length`, 'a whole number', array.length);
  const isTyped = ArrayBuffer.isView(value) && !(value instanceof BigInt64Array || value instanceof BigUint64Array);
  if (isTyped) return array;
  for (let i = 0; i < array.length; i++) {
    if (typeof array[i] !== 'number')
      throw new TalusError('invalid-argument', `${name}[${i}] must be a number, got ${show(array[i])}`);
  }
  return array;
}

/** Checks a vector of three finite numbers. */
export function checkVec3(value: unknown, name: string, limit = MAX_MAGNITUDE): ArrayLike<number> {
  return checkComponents(value, name, 3, limit);
}

/** Checks a position in the world or in a body, m. */
export function checkPosition(value: unknown, name: string): ArrayLike<number> {
  return checkComponents(value, name, 3, MAX_COORDINATE);
}

/** Checks a rotation x y z w whose length can be normalized. */
export function checkQuat(value: unknown, name: string): ArrayLike<number> {
  return checkTurns(checkComponents(value, name, 4, 1e6), name, 1);
}

/** Checks `count` rotations x y z w in one array. */
export function checkQuats(value: unknown, name: string, count: number): ArrayLike<number> {
  return checkTurns(checkArray(value, name, 4 * count, 1e6), name, count);
}

function checkTurns(array: ArrayLike<number>, name: string, count: number): ArrayLike<number> {
  for (let i = 0; i < 4 * count; i += 4) {
    const x = array[i]!;
    const y = array[i + 1]!;
    const z = array[i + 2]!;
    const w = array[i + 3]!;
    if (!(x * x + y * y + z * z + w * w > 1e-12)) {
      const which = count === 1 ? name : `${name} of element ${i / 4}`;
      throw new TalusError('invalid-argument', `${which} must be a rotation x y z w: its length is zero`);
    }
  }
  return array;
}

/** Checks that an object has no other keys than these: a misspelled option would be silently ignored otherwise. */
export function checkKeys(value: unknown, name: string, keys: readonly string[]): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) fail(name, 'an object', value);
  for (const key in value) if (!keys.includes(key)) failKey(name, key, keys);
}

/** Throws 'invalid-argument' for a key that `name` does not have. */
export function failKey(name: string, key: string, keys: readonly string[]): never {
  throw new TalusError('invalid-argument', `${name} has no '${key}'${meant(key, keys)}; known: ${keys.join(', ')}`);
}

/** Checks a typed array of a caller, of any realm, with at least `least` numbers; returns it. */
export function checkTyped(
  value: unknown,
  name: string,
  type: 'Uint32Array' | 'Float32Array' | 'Uint8Array',
  least = 0,
): ArrayLike<number> {
  if (Object.prototype.toString.call(value) !== `[object ${type}]`) fail(name, `a ${type}`, value);
  const array = value as ArrayLike<number>;
  if (array.length < least) throw new TalusError('invalid-argument', `${name} must hold ${least} numbers, has ${array.length}`);
  return array;
}
