// The number of threads for the setting `threads`.
import { coresHere } from '../platform/shared_core';
import type { ThreadCount } from './types';

/** Largest number of threads for `auto`: more threads share one memory and bring little. */
const MOST_AUTO = 8;
/** Largest number of threads, as in assembly/threads/team.ts. */
export const MOST_THREADS = 64;

/** Returns the number of threads for a setting on this machine. */
export function threadsOf(asked: ThreadCount | undefined): number {
  if (asked !== 'auto') return asked ?? 1;
  return Math.max(1, Math.min(coresHere(), MOST_AUTO));
}
