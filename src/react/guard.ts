// Small helpers of components.
import { useRef } from 'react';
import { TalusError } from '../index';

/** Runs a cleanup function, and ignores errors about a world or body that was removed before. */
export function quietly(call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof TalusError && (error.code === 'disposed' || error.code === 'stale-handle'))) throw error;
  }
}

/** Returns whether props are equal; lists and plain objects are compared by their contents. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, i) => same(value, b[i]));
  if (Object.getPrototypeOf(a) !== Object.prototype || Object.getPrototypeOf(b) !== Object.prototype) {
    const equals = (a as { equals?: (other: unknown) => boolean }).equals;
    return typeof equals === 'function' && a.constructor === b.constructor && equals.call(a, b);
  }
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => same((a as never)[key], (b as never)[key]));
}

/** Returns the value of an earlier render as long as the new one is equal. */
export function useStable<T>(value: T): T {
  const kept = useRef(value);
  if (!same(kept.current, value)) kept.current = value;
  return kept.current;
}

/** Returns a ref to the latest value, for later calls. */
export function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
