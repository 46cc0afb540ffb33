// The request of a profiling run (Matrix) and its answer (ProfileReport): plain data that survives JSON unchanged. Times in ms, lengths
// in m, speeds in m/s, energies in J, data in bytes.
import type { Crossover, PowerLaw, Summary } from './statistics';

/** A way of simulating that is measured: talus on a backend with a solver, or another engine. */
export interface Contender {
  /** `wasm:wide`, `webgpu:cell-split`, `rapier`, ...: unique in a matrix. */
  id: string;
  engine: string;
  /** Null for other engines. */
  backend: 'wasm' | 'webgpu' | null;
  solver: string | null;
  /** Threads of its world, as the option of that name; one without it. */
  threads?: number | 'auto';
}

export type Preset = 'fast' | 'balanced' | 'high';

/** The runs that are asked for: every scene at every size with every contender, and how long each is measured. */
export interface Matrix {
  mode: string;
  scenes: string[];
  /** Bodies, about: scenes round to what they can be built of. */
  sizes: number[];
  contenders: Contender[];
  preset: Preset;
  seed: number;
  /** Simulated seconds from the start of a scene to the state that all contenders start from. */
  settleSeconds: number;
  /** Steps that a contender does in a row before it is the next one's turn. */
  block: number;
  /** Steps of each contender that are not counted. */
  warmup: number;
  /** Steps of each contender that are measured. */
  steps: number;
  /** Seconds of measured steps after which a contender stops taking part in a group; it does `leastSteps` at least (three on a software adapter). */
  contenderSeconds: number;
  leastSteps: number;
  /** Seconds for the whole run, or null: contenders get less time, down to `leastSteps` steps, when it runs out. */
  budgetSeconds: number | null;
  /** Bodies up to which overlap is measured by the bench's own geometry. It costs seconds for 10,000. */
  depthLimit: number;
  /** The largest size that a software adapter is given. */
  softwareLimit: number;
  /** The largest size that other engines are given, by name; those not named take all. */
  engineLimits: Record<string, number>;
}

/** Where a run was made. */
export interface Environment {
  kind: 'node' | 'browser';
  /** `Node 22.1.0`, or the browser as it calls itself. */
  runtime: string;
  cpu: string;
  cores: number;
  memoryGb: number | null;
  os: string;
  /** Version of talus, and the commit where it is known. */
  version: string;
  commit: string | null;
  /** Null where there is none; then `reason` says why. */
  adapter: AdapterInfo | null;
  reason: string | null;
  /** Load average at the start, where the platform tells: above 1 something else was running. */
  load: number | null;
  /** Smallest step of the clock, ms. */
  clock: number;
}

export interface AdapterInfo {
  name: string;
  software: boolean;
  /** Version of the driver, as far as it is known. */
  driver: string | null;
  /** Whether the compute pass can be timed by the GPU's clock. */
  timestamps: boolean;
}

/** The bare link to a device, measured without the solver. */
export interface LinkProbe {
  /** From an empty submission to a mapped buffer of 16 bytes, ms. */
  roundTrip: Summary;
  /** Bytes of a transfer, and ms of writing and waiting, and of copying out and mapping. */
  transfers: { bytes: number; upload: Summary; readback: Summary }[];
}

/** State of a scene that the contenders start from. */
export interface Group {
  key: string;
  scene: string;
  size: number;
  title: string;
  /** Dynamic bodies. */
  bodies: number;
  triangles: number;
  settleSteps: number;
  settleMs: number;
  /** Root mean square speed at the start of the measurement. */
  rmsSpeed: number;
}

/** Stages of a step on this thread and beside it. `wait`: from submission to result, not covered by work here. */
export const STAGES = ['broadphase', 'contacts', 'solve', 'wait', 'finish'] as const;
export type Stage = (typeof STAGES)[number];

/** Parts of `solve` on WebGPU, as in `world.profile`. */
export const GPU_PARTS = ['partition', 'pack', 'upload', 'encode', 'readback', 'apply'] as const;
export type GpuPart = (typeof GPU_PARTS)[number];

/** Overlap of body pairs that overlap at all. */
export interface Overlap {
  count: number;
  mean: number;
  p99: number;
  max: number;
}

/** What the GPU did in a step; medians. */
export interface GpuTraffic {
  dispatches: number;
  bytesUp: number;
  bytesDown: number;
  /** From submission to the mapped result. */
  latency: Summary;
  /** The compute pass by the GPU's clock; null where it tells no time. */
  pass: Summary | null;
  /** Milliseconds that clock moves by: `pass` is no more exact. Null with it. */
  tick: number | null;
  /** Substeps of the last step, and sweeps of each of its passes. Absent in older reports. */
  substeps?: number;
  sweeps?: number;
  /** Parts of `solve`, ms. Absent in older reports. */
  parts?: Record<GpuPart, number>;
}

/** One contender in one group. */
export interface Result {
  key: string;
  scene: string;
  size: number;
  bodies: number;
  contender: string;
  /** False if it was cut short by cancelling: a run that goes on does it again. */
  complete: boolean;
  /** Why there are no numbers, or null. */
  failed: string | null;
  /** Left out on purpose (software adapter, an engine's limit), or null. */
  skipped: string | null;
  warmup: number;
  steps: number;
  /** Call to finished step, ms. */
  wall: Summary | null;
  /**
   * Processor time of all threads in a step, ms, where the platform tells. Other programs do not lengthen it as they do `wall`,
   * but a step on the GPU that keeps no thread busy costs none.
   */
  cpu: Summary | null;
  /** Every measured step, ms. */
  series: number[];
  /** Threads that the world may use, and that a step was shared among (median). Only where a contender asks for threads. */
  threads?: { most: number; used: number };
  /** Medians, ms; null for engines that do not tell. */
  stages: Record<Stage, number> | null;
  gpu: GpuTraffic | null;
  createMs: number;
  counts: { pairs: number; contacts: number; colors: number; cells: number; splitBodies: number; memory: number } | null;
  /** Over the second half of the measured steps, with masses of our own. */
  calm: { rmsSpeed: number; maxSpeed: number; energyMean: number } | null;
  /** On the last poses, by the bench's geometry; null above `depthLimit`. */
  overlap: Overlap | null;
  /** What talus says of itself: overlap over its contacts, residual of the contact problem. */
  own: { penetrationMean: number; penetrationP99: number; penetrationMax: number; residualRms: number } | null;
  /** Bodies outside the bounds of the scene. */
  lost: number;
}

/** What follows from the results. */
export interface Analysis {
  fits: { scene: string; contender: string; law: PowerLaw }[];
  crossovers: { scene: string; holder: string; challenger: string; crossover: Crossover }[];
}

export const FORMAT = 'talus-profile';
export const FORMAT_VERSION = 1;

export interface ProfileReport {
  format: typeof FORMAT;
  formatVersion: typeof FORMAT_VERSION;
  started: string;
  finished: string | null;
  state: 'running' | 'complete' | 'cancelled';
  matrix: Matrix;
  environment: Environment;
  link: LinkProbe | null;
  groups: Group[];
  results: Result[];
  analysis: Analysis;
}
