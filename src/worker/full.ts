// The `TalusWorker` of `talus/worker`: its thread has all of `talus`, with WebGPU.
import type { WorkerLike } from '../platform/scope';
import { TalusWorker as Base } from './talus_worker';

/**
 * `new Worker(new URL('./worker_thread.js', import.meta.url), { type: 'module' })`, the form that bundlers recognize.
 * vite.config.ts writes it into the built package, since the sources have no such file.
 */
declare const __TALUS_THREAD__: WorkerLike;

/**
 * A world in a thread of its own, with the calls of `World`. Calls that return nothing are sent, in order, at the end of the
 * current task. Calls that create something return its id at once. Calls that read the world return a promise. Poses are those of
 * the last `frame()`.
 */
export class TalusWorker extends Base {
  /** @internal */
  protected static override readonly thread = { file: 'worker_thread.js', start: () => __TALUS_THREAD__ };
}
