// The JSON of a glTF file as far as physics reads it, and checked access to its fields, since a file may contain anything.
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import { checkInteger, checkNumber, checkVec3 } from '../checks/validate';

/** An object of the file; its fields are checked when they are read. */
export type Json = Readonly<Record<string, unknown>>;

/** The JSON of a glTF file. */
export interface GltfJson {
  readonly [key: string]: unknown;
}

/** Returns an object of the file, or undefined. */
export function objectAt(of: unknown, key: string, path: string): Json | undefined {
  const value = (of as Json | undefined)?.[key];
  if (value === undefined) return undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new TalusError('invalid-argument', `gltf: ${path}.${key} must be an object, got ${show(value)}`);
  }
  return value as Json;
}

/** Returns a list of the file; a missing list is empty. */
export function listAt(of: unknown, key: string, path: string): readonly unknown[] {
  const value = (of as Json | undefined)?.[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    throw new TalusError('invalid-argument', `gltf: ${path}.${key} must be an array, got ${show(value)}`);
  }
  return value;
}

/** Lists of objects that were checked before: each element that is read asks for its list. */
const checked = new WeakSet<object>();

/** Returns a list of objects. */
export function objectsAt(of: unknown, key: string, path: string): readonly Json[] {
  const list = listAt(of, key, path);
  if (checked.has(list)) return list as readonly Json[];
  // By index: a list made by a program may have holes.
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (value === null || typeof value !== 'object')
      throw new TalusError('invalid-argument', `gltf: ${path}.${key}[${i}] must be an object, got ${show(value)}`);
  }
  checked.add(list);
  return list as readonly Json[];
}

/** Returns an index into a list of `length` elements, or undefined. */
export function indexAt(of: Json, key: string, path: string, length: number): number | undefined {
  const value = of[key];
  // -1 stands for none in the OMI extensions.
  if (value === undefined || value === -1) return undefined;
  if (length === 0) {
    throw new TalusError('invalid-argument', `gltf: ${path}.${key} is ${show(value)}, but the list that it points into is empty`);
  }
  return checkInteger(value, `gltf: ${path}.${key}`, 0, length - 1);
}

/** Returns a number, or `other` if it is missing. */
export function numberAt<T>(of: Json, key: string, path: string, other: T, min?: number, max?: number): number | T {
  return of[key] === undefined ? other : checkNumber(of[key], `gltf: ${path}.${key}`, min, max);
}

/** Returns three numbers, or undefined. */
export function vectorAt(of: Json, key: string, path: string): [number, number, number] | undefined {
  if (of[key] === undefined) return undefined;
  const v = checkVec3(of[key], `gltf: ${path}.${key}`);
  return [v[0]!, v[1]!, v[2]!];
}

/** Returns a list of words. */
export function wordsAt(of: Json, key: string, path: string): readonly string[] {
  return listAt(of, key, path).map((value, i) => {
    if (typeof value !== 'string')
      throw new TalusError('invalid-argument', `gltf: ${path}.${key}[${i}] must be a string, got ${show(value)}`);
    return value;
  });
}
