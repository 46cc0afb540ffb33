// Options of threads, as callers see them.
import type { WorkerLike } from '../platform/scope';

/** The setting `threads`: how many, the calling thread included; `auto`: as many as the machine has cores, 8 at most. */
export type ThreadCount = number | 'auto';

/** How many of them a step takes: as many as are fastest by the clock, or always all. */
export type ThreadChoiceName = 'measured' | 'always';

/** The address of `talus/thread`, or what starts a worker with it. */
export type ThreadWorker = string | (() => WorkerLike);
