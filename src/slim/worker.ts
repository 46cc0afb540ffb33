// `talus/slim/worker`: a world in a thread of its own, whose core is fetched and which has no WebGPU.

import type { WorkerLike } from '../platform/scope';
import { threadsOf } from '../threads/count';
import { TalusWorker as Base, type TalusWorkerOptions as BaseOptions } from '../worker/talus_worker';
import { sourceOf } from './fetch_core';
import type { SlimWasmSource } from './options';

export { TalusError, type TalusErrorCode } from '../checks/errors';
export type { WorkerLike } from '../platform/scope';
export type { RemoteCalls } from '../worker/calls';
export type { RunOptions, StepEvents } from '../worker/messages';
export { WorkerCharacter, WorkerVehicle } from '../worker/players';
export type { WorkerFrame } from '../worker/talus_worker';
export type { SlimWasmSource } from './options';

/** As in worker/full.ts. */
declare const __TALUS_SLIM_THREAD__: WorkerLike;

/** Options of `TalusWorker.create`: those of `talus/worker`, and the place of the core. */
export interface TalusWorkerOptions extends Omit<BaseOptions, 'wasm'> {
  /** Where the core is. Default: `talus.wasm` beside the module of the thread, which fetches it. */
  wasm?: SlimWasmSource;
}

/** As `TalusWorker` of `talus/worker`. */
export class TalusWorker extends Base {
  /** @internal */
  protected static override readonly thread = { file: 'slim_worker_thread.js', start: () => __TALUS_SLIM_THREAD__ };

  /**
   * Starts a thread with an empty world.
   * @throws TalusError as `createWorld` of `talus/slim`; `worker` if the thread cannot be started, `unsupported` if there are no
   * workers
   */
  static override async create(options: TalusWorkerOptions = {}): Promise<TalusWorker> {
    const { wasm, ...rest } = options;
    // A thread knows no address relative to the page, and cannot be sent responses; modules and bytes can be sent.
    const sent = wasm === undefined ? rest : { ...rest, wasm: await sourceOf(wasm, threadsOf(rest.threads)) };
    // biome-ignore lint/complexity/noThisInStatic: it makes one of this class
    return super.create(sent as BaseOptions);
  }
}
