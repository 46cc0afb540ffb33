// Time of a step by the model. A pass is the sum of three parts:
//
//   dispatches   their number times the latency of one
//   chain        rounds that wait for each other (colors of a cell, sweeps, passes) times the cycles of a round, once for each wave of
//                cells that the device cannot run at the same time
//   bytes        traffic of all kernels over the bandwidth: of the cache, where what the passes go over again and again fits
//
// and a step on the GPU is the main thread's part, the pass, and the way back of the result.
import {
  type CellCounts,
  dispatchesOf,
  islandPasses,
  NO_CELLS,
  type Passes,
  type Step,
  type StepCounts,
  visitsOf,
} from './counts';
import { BANDWIDTH_SHARE, type DeviceClass, ROUND_CYCLES, type Runtime, residentGroups } from './devices';

/** Parts of a pass, ms. */
export interface PassTime {
  dispatches: number;
  chain: number;
  bytes: number;
  all: number;
}

/** Rounds of a set of cells that come one after the other; loading and storing the bodies of a cell takes one more each pass. */
function turnsOf(set: CellCounts, passes: Passes, sweeps: number, resident: number): number {
  if (set.cells === 0) return 0;
  const waves = Math.max(1, set.cells / resident);
  const loads = passes.warm + passes.soft + passes.relax + passes.substep;
  return visitsOf(passes, sweeps) * Math.max(set.rounds, waves * set.meanRounds) + loads * waves;
}

/** Rounds of a step that come one after the other on a device that runs so many cells at the same time. */
export function turns(counts: StepCounts, resident = Infinity): number {
  const { island, islandJoints = NO_CELLS, solve, passes, substeps, sweeps } = counts;
  const whole = islandPasses(substeps);
  return (
    turnsOf(island, whole, sweeps, resident) +
    turnsOf(islandJoints, whole, sweeps, resident) +
    turnsOf(solve, passes, sweeps, resident)
  );
}

/** Bandwidth that the passes get, GB/s, at a clock (MHz). */
export function bandwidthOf(device: DeviceClass, bytes: number, mhz = device.mhz): number {
  const cached = bytes <= 1e6 * device.cache;
  return BANDWIDTH_SHARE * (cached ? Math.max(device.memory, device.cacheBandwidth) * (mhz / device.mhz) : device.memory);
}

/** Time of a compute pass. `mhz`: another clock of the device. */
export function passOn(device: DeviceClass, step: Step, mhz = device.mhz): PassTime {
  const dispatches = (dispatchesOf(step) * device.dispatch) / 1e3;
  const chain = (turns(step, residentGroups(device)) * ROUND_CYCLES) / mhz / 1e3;
  const bytes = step.bytes / bandwidthOf(device, step.workingSet, mhz) / 1e6;
  return { dispatches, chain, bytes, all: dispatches + chain + bytes };
}

/** From the end of the pass to the result in memory, ms. `end`: 0 in the best case, 1 in the worst. */
export function answerOf(runtime: Runtime, bytesDown: number, end: 0 | 1): number {
  return runtime.answer[end] + bytesDown / runtime.readback[end] / 1e6;
}
