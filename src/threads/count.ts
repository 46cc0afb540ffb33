// How many threads the setting `threads` stands for.
import { coresHere } from '../platform/shared_core';
import type { ThreadCount } from './types';

/** Threads that `auto` stands for at most: more share one memory and bring little. */
const MOST_AUTO = 8;
/** As in assembly/threads/team.ts. */
export const MOST_THREADS = 64;

/** Threads that a setting stands for on this machine. */
export function threadsOf(asked: ThreadCount | undefined): number {
  if (asked !== 'auto') return asked ?? 1;
  return Math.max(1, Math.min(coresHere(), MOST_AUTO));
}
