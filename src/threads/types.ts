// Options of threads, for callers.
import type { WorkerLike } from '../platform/scope';

/** Number of threads, the calling one included; `auto`: one per core, 8 at most. */
export type ThreadCount = number | 'auto';

/** How many of them a step uses: the number that is fastest by the clock, or always all. */
export type ThreadChoiceName = 'measured' | 'always';

/** The address of `talus/thread`, or a function that starts a worker with it. */
export type ThreadWorker = string | (() => WorkerLike);
