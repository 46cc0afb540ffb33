// The `TalusWorker` of `talus/worker`: its thread has all of `talus`, with WebGPU.
import type { WorkerLike } from '../platform/scope';
import { TalusWorker as Base } from './talus_worker';

/**
 * `new Worker(new URL('./worker_thread.js', import.meta.url), { type: 'module' })`, which bundlers know: vite.config.ts writes it in
 * the built package, for the sources have no such file.
 */
declare const __TALUS_THREAD__: WorkerLike;

/**
 * A world in a thread of its own, with the calls of `World`. What returns nothing is sent, in order, at the end of the current task;
 * what makes something returns its id at once; what reads the world returns a promise. Poses are those of the last `frame()`.
 */
export class TalusWorker extends Base {
  /** @internal */
  protected static override readonly thread = { file: 'worker_thread.js', start: () => __TALUS_THREAD__ };
}
