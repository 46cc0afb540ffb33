// `talus/worker`: a world in a thread of its own.
export { TalusError, type TalusErrorCode } from '../index';
export type { RemoteCalls } from './calls';
export type { RunOptions, StepEvents } from './messages';
export type { WorkerLike } from './scope';
export { TalusWorker, type TalusWorkerOptions, type WorkerFrame } from './talus_worker';
