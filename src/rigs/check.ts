// Checks of what callers pass to the rigs, in the words of the errors of the product. Each throws a TalusError 'invalid-argument'
// that names the argument and what it must be.
import { type Quat, TalusError, type Vec3 } from '../index';
import { normalized, type Turn, type Vector } from './turns';

/** Throws 'invalid-argument': `name` must be `what`, and is not. */
export function refuse(name: string, what: string, value: unknown): never {
  const got = typeof value === 'string' ? `'${value}'` : value !== null && typeof value === 'object' ? 'object' : String(value);
  throw new TalusError('invalid-argument', `${name} must be ${what}, got ${got}`);
}

/** A finite number within [min, max]. */
export function number(value: unknown, name: string, min: number, max: number): number {
  if (typeof value !== 'number' || !(value >= min && value <= max)) refuse(name, `a finite number from ${min} to ${max}`, value);
  return value;
}

/** A whole number within [min, max]. */
export function whole(value: unknown, name: string, min: number, max: number): number {
  if (!Number.isInteger(value)) refuse(name, `a whole number from ${min} to ${max}`, value);
  return number(value, name, min, max);
}

/** One of a list of words. */
export function word<T extends string>(value: unknown, name: string, words: readonly T[]): T {
  if (!words.includes(value as T)) refuse(name, `one of ${words.map((one) => `'${one}'`).join(', ')}`, value);
  return value as T;
}

function components(value: unknown, name: string, size: number): number[] {
  const form = `an array of ${size} finite numbers or an object with x, y${size === 4 ? ', z and w' : ' and z'}`;
  if (value === null || typeof value !== 'object') refuse(name, form, value);
  const list = value as ArrayLike<number>;
  const parts = value as { x: number; y: number; z: number; w: number };
  const isList = typeof list.length === 'number';
  if (isList && list.length !== size) refuse(name, form, `one of ${list.length}`);
  const out = isList ? Array.from(list) : [parts.x, parts.y, parts.z, parts.w].slice(0, size);
  for (const x of out) if (typeof x !== 'number' || !(Math.abs(x) <= 1e6)) refuse(name, form, value);
  return out;
}

export function vector(value: Vec3 | undefined, name: string): Vector {
  return components(value, name, 3) as unknown as Vector;
}

/** A vector that points somewhere, as one of length 1. */
export function direction(value: Vec3 | undefined, name: string): Vector {
  const v = vector(value, name);
  const length = Math.hypot(...v);
  if (!(length > 1e-9)) refuse(name, 'a vector with a direction', 'one of length 0');
  return [v[0] / length, v[1] / length, v[2] / length];
}

export function rotation(value: Quat | undefined, name: string): Turn {
  const q = components(value, name, 4) as unknown as Turn;
  if (!(Math.hypot(...q) > 1e-6)) refuse(name, 'a rotation x y z w', 'one of length 0');
  return normalized(q);
}

/** An object with no other keys than these: a misspelled option would be ignored in silence otherwise. */
export function keys(value: unknown, name: string, known: readonly string[]): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) refuse(name, 'an object', value);
  for (const key in value) {
    if (!known.includes(key)) throw new TalusError('invalid-argument', `${name} has no '${key}'; known: ${known.join(', ')}`);
  }
}
