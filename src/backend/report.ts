// The report of a world about where its contacts are solved, and about problems with WebGPU.
import type { BackendName } from '../options/options';

/** Problems with WebGPU: fields of `World.faults`. */
export interface GpuFaults {
  /** Why the WebGPU device was lost; WASM solved the step that was in flight. Null if that never happened. */
  deviceLost: string | null;
  /**
   * Number of steps begun on WebGPU that WASM solved instead, without losses: a device error, a late or wrong result, or a scene
   * beyond the limits of the device. After three in a row, or one beyond the limits, the GPU is given up (`backendReport`).
   */
  gpuFailures: number;
  /** Reason of the last such failure. Null if there was none. */
  gpuError: string | null;
}

/** Where contacts are solved and why: `World.backendReport`. Times are from the last nine steps on each backend at most. */
export interface BackendReport {
  /** The backend that the world requested. */
  asked: BackendName;
  /** Backend of the next step. */
  active: 'wasm' | 'webgpu';
  /** Whether 'auto' is timing WebGPU: some steps are solved there. */
  isTrial: boolean;
  /** Why this backend is active, as a sentence for people. */
  reason: string;
  /**
   * Median milliseconds of the solver per step: on WASM; and on WebGPU until the result has arrived and was applied. NaN without
   * steps.
   */
  wasmMs: number;
  gpuMs: number;
  /** Number of steps in each median, 0 to 9. */
  wasmSteps: number;
  gpuSteps: number;
  /**
   * `stepCount` from which 'auto' tries WebGPU again. It does so earlier if the number of contacts doubles or halves. Null: no
   * trial is due, because WebGPU is in use or impossible, or there are too few contacts.
   */
  nextTrial: number | null;
  /** The last problem with WebGPU in this world. Null if there was none. */
  lastError: string | null;
}
