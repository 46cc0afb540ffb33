// The numbers of the model, all in one place: what is the same everywhere, classes of devices, runtimes, and processors. Each has its unit
// and where it comes from. `fitted` numbers follow from measurements, which calibration.ts lists and a test holds in a band; the others
// are from data sheets, or estimates that say so.

import { workgroupBytes } from './workgroup';

/**
 * Cycles of a round: 32 lanes of a cell each load a link with its points, solve it and meet at a barrier. Fitted to ten scenes on an NVIDIA
 * H200 at full clock; at a sixth of the clock a round takes six times as long. It belongs to the build that was measured (see the result
 * file): measure again after a change of `solve` that makes this chain shorter.
 */
export const ROUND_CYCLES = 4700;
/** Contact points of the link that a round waits for. */
export const POINTS_OF_ROUND = 4;
/** Share of the bandwidth of a data sheet that such loads get. Fitted to two Macs. */
export const BANDWIDTH_SHARE = 0.7;
/** Most workgroups that a core keeps at the same time, however little memory they take. */
const MOST_GROUPS = 32;

/** What a GPU is to the model. */
export interface DeviceClass {
  name: string;
  /** Clock under load, MHz. */
  mhz: number;
  /** Cores (SM, Apple GPU core, dual subslice, shader processor), and workgroup memory of each, kB. */
  cores: number;
  groupMemory: number;
  /** Bandwidth of the memory, GB/s. */
  memory: number;
  /** Last cache: MB, and GB/s at that clock. */
  cache: number;
  cacheBandwidth: number;
  /** From the end of a dispatch to the start of one that depends on it, us. */
  dispatch: number;
  /** Speed of a processor core of such a machine, as a multiple of that of the measured steps (an Intel Xeon of a cloud). */
  cpu: number;
  source: string;
}

export const H200: DeviceClass = {
  name: 'NVIDIA H200',
  mhz: 1980,
  cores: 132,
  groupMemory: 227,
  memory: 4800,
  cache: 50,
  cacheBandwidth: 5500,
  dispatch: 4,
  cpu: 1,
  source: 'data sheet; dispatch and cache bandwidth fitted',
};

export const H100: DeviceClass = { ...H200, name: 'NVIDIA H100', memory: 3350 };

export const M4_MAX: DeviceClass = {
  name: 'Apple M4 Max',
  mhz: 1578,
  cores: 40,
  groupMemory: 60,
  memory: 546,
  cache: 48,
  cacheBandwidth: 900,
  dispatch: 6,
  cpu: 2,
  source: 'data sheet; dispatch and cache bandwidth fitted; workgroup memory, cache and processor estimated',
};

export const M1_PRO: DeviceClass = {
  name: 'Apple M1 Pro',
  mhz: 1296,
  cores: 16,
  groupMemory: 60,
  memory: 200,
  cache: 12,
  cacheBandwidth: 330,
  dispatch: 10,
  cpu: 1.2,
  source:
    'data sheet; dispatch and cache fitted (half of the cache, which the processor uses too); workgroup memory and processor estimated',
};

/** Classes that the report and the docs tell about, from large to small. */
export const DEVICE_CLASSES: readonly DeviceClass[] = [
  H200,
  M4_MAX,
  {
    name: 'RTX 4060 laptop',
    mhz: 2000,
    cores: 24,
    groupMemory: 100,
    memory: 256,
    cache: 32,
    cacheBandwidth: 1500,
    dispatch: 5,
    cpu: 1.3,
    source: 'data sheet; dispatch as H200; cache bandwidth and processor estimated',
  },
  M1_PRO,
  {
    name: 'Intel Iris Xe',
    mhz: 1300,
    cores: 6,
    groupMemory: 128,
    memory: 60,
    cache: 3.8,
    cacheBandwidth: 200,
    dispatch: 12,
    cpu: 1.1,
    source: 'data sheet; dispatch, cache bandwidth and processor estimated',
  },
  {
    name: 'phone (Adreno 740)',
    mhz: 680,
    cores: 6,
    groupMemory: 32,
    memory: 67,
    cache: 3,
    cacheBandwidth: 130,
    dispatch: 16,
    cpu: 1,
    source: 'estimated but for the memory',
  },
];

const GROUP = workgroupBytes('solve');

/** Workgroups of `solve` that run at the same time. */
export function residentGroups(device: DeviceClass): number {
  return device.cores * Math.min(MOST_GROUPS, Math.floor((1024 * device.groupMemory) / GROUP));
}

/** How a runtime answers. Two numbers are the best and the worst case. */
export interface Runtime {
  name: string;
  /** From the end of the pass to the mapped result, ms. */
  answer: readonly [number, number];
  /** Bandwidth of the readback, GB/s. */
  readback: readonly [number, number];
  source: string;
}

export const NODE: Runtime = {
  name: 'Node',
  answer: [0.035, 2],
  readback: [40, 5],
  source: 'best: H200 by Dawn on Linux (profile/rest.json); worst: estimated',
};

export const CHROME: Runtime = {
  name: 'Chrome',
  answer: [5, 15],
  readback: [5, 3],
  source: 'https://github.com/gpuweb/gpuweb/issues/4432; bandwidth estimated',
};

export const RUNTIMES: readonly Runtime[] = [NODE, CHROME];
