// What a world tells of where its contacts are solved, and of what went wrong there.
import type { BackendName } from '../options/options';

/** What went wrong with WebGPU: fields of `World.faults`. */
export interface GpuFaults {
  /** The WebGPU device was lost, and why; the step it was at was solved on WASM. Null if that never happened. */
  deviceLost: string | null;
  /**
   * Steps begun on WebGPU that WASM solved in its place, losses aside: an error of the device, a result that came late or was another
   * one, a scene beyond the limits of the device. After three in a row, or one beyond the limits, the GPU is given up (`backendReport`).
   */
  gpuFailures: number;
  /** Why the last of them was. Null if there was none. */
  gpuError: string | null;
}

/** Where contacts are solved and why: `World.backendReport`. Numbers are those of the last nine steps on each backend at most. */
export interface BackendReport {
  /** What the world was asked for. */
  asked: BackendName;
  /** Backend of the next step. */
  active: 'wasm' | 'webgpu';
  /** 'auto' is at work on a choice: some steps are solved on WebGPU to be timed. */
  isTrial: boolean;
  /** Why it is the active one, for people to read. */
  reason: string;
  /** Median milliseconds of the solver a step: on WASM; on WebGPU until the result is there and taken over. NaN without steps. */
  wasmMs: number;
  gpuMs: number;
  /** Steps in each median, 0 to 9. */
  wasmSteps: number;
  gpuSteps: number;
  /**
   * `stepCount` from which 'auto' tries WebGPU again; it does so earlier when the number of contacts has doubled or halved. Null: no
   * trial is due: WebGPU is in use or out of question, or there are too few contacts.
   */
  nextTrial: number | null;
  /** The last thing that went wrong with WebGPU in this world. Null if nothing has. */
  lastError: string | null;
}
