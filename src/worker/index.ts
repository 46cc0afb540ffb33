// `talus/worker`: a world in a thread of its own.
export { TalusError, type TalusErrorCode } from '../index';
export type { WorkerLike } from '../platform/scope';
export type { RemoteCalls } from './calls';
export { TalusWorker } from './full';
export type { RunOptions, StepEvents } from './messages';
export { WorkerCharacter, WorkerVehicle } from './players';
export type { TalusWorkerOptions, WorkerFrame } from './talus_worker';
