// Checks vectors, rotations and words that callers pass to rigs and controllers (by checks/validate.ts), and returns them as new
// tuples.

import { checkPosition, checkQuat, checkWord, fail } from '../checks/validate';
import type { Quat, Vec3 } from '../index';
import { normalized, type Turn, type Vector } from './turns';

/** Checks a world, which may be missing or not awaited. */
export function checkWorld(world: unknown, call: string): void {
  if (typeof (world as { createBody?: unknown } | null | undefined)?.createBody === 'function') return;
  fail('world', `the world of ${call}: await createWorld()`, world);
}

/** Checks that a value is one of a list of words. */
export function word<T extends string>(value: unknown, name: string, words: readonly T[]): T {
  return words[checkWord(value, name, words)]!;
}

export function vector(value: Vec3 | undefined, name: string): Vector {
  const v = checkPosition(value, name);
  return [v[0]!, v[1]!, v[2]!];
}

/** Checks a vector that must not be zero; returns it with length 1. */
export function direction(value: Vec3 | undefined, name: string): Vector {
  const v = vector(value, name);
  const length = Math.hypot(...v);
  if (!(length > 1e-9)) fail(name, 'a vector with a direction', v);
  return [v[0] / length, v[1] / length, v[2] / length];
}

export function rotation(value: Quat | undefined, name: string): Turn {
  const q = checkQuat(value, name);
  return normalized([q[0]!, q[1]!, q[2]!, q[3]!]);
}
