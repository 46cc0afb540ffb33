// A model of a step on GPUs that were not measured. A measured step gives the work of the solver; four numbers describe a device. The model
// also answers the reverse question: how long may a GPU take to win?
//
//   pass = dispatches * dispatch + depth * ceil(cells / workgroups) * barrier + bytes / bandwidth
//
// depth is the longest chain of colors that wait for each other: passes times colors. The numbers of the device classes are
// orders of magnitude from vendors' data sheets and published latencies, not measurements, and a report says so beside them. If a
// device reports the time of its passes, the model is fitted to it instead (fitDevice), and its error is shown. On an NVIDIA H200 the
// large card was several times too fast (docs/gpu.md, "On hardware").
import { measured } from './analysis';
import type { ProfileReport, Result } from './types';

/** What a device is to the model. Times in microseconds, bandwidth in GB/s. */
export interface DeviceClass {
  name: string;
  /** Between the end of a dispatch and the start of the next. */
  dispatch: number;
  /** A color of a cell: its loads, its arithmetic, a barrier. */
  barrier: number;
  /** Workgroups of one subgroup that run at the same time. */
  workgroups: number;
  /** Of its memory or, where all fits, its cache. */
  bandwidth: number;
  /** From submission to the mapped result, without the pass. */
  link: number;
}

/** Estimates. */
export const DEVICE_CLASSES: readonly DeviceClass[] = [
  { name: 'phone', dispatch: 20, barrier: 2.5, workgroups: 48, bandwidth: 30, link: 4000 },
  { name: 'integrated', dispatch: 10, barrier: 1.5, workgroups: 128, bandwidth: 60, link: 2500 },
  { name: 'desktop card', dispatch: 5, barrier: 1, workgroups: 800, bandwidth: 400, link: 1500 },
  { name: 'large card', dispatch: 4, barrier: 0.6, workgroups: 3000, bandwidth: 1500, link: 1000 },
];

/** Bytes that one sweep moves for a contact point: its row, its impulses there and back, its share of the link. */
const BYTES_OF_A_POINT = 128;

/** What a step asks of a device. */
export interface Work {
  dispatches: number;
  /** Colors that come one after the other. */
  depth: number;
  cells: number;
  bytes: number;
}

/** Work of a measured step of the splitting solver, or null if that is not what it was. */
export function workOf(result: Result): Work | null {
  const { gpu, counts } = result;
  if (!gpu?.substeps || !gpu.sweeps || !counts || counts.cells === 0) return null;
  const passes = 1 + 2 * gpu.substeps * gpu.sweeps;
  return {
    dispatches: gpu.dispatches,
    depth: passes * counts.colors,
    cells: counts.cells,
    bytes: passes * counts.contacts * BYTES_OF_A_POINT,
  };
}

/** Milliseconds of the compute pass on a device. */
export function passOn(device: DeviceClass, work: Work): number {
  const waves = Math.ceil(work.cells / device.workgroups);
  return (work.dispatches * device.dispatch + work.depth * waves * device.barrier) / 1e3 + work.bytes / device.bandwidth / 1e6;
}

/** A measured device as the model sees it: ms per color in turn, ms per byte, and how far off that is. */
export interface Fit {
  perColor: number;
  perByte: number;
  points: number;
  /** Largest ratio of a predicted pass to a measured one, or of measured to predicted. */
  worst: number;
}

/**
 * Fits `pass = perColor * depth + perByte * bytes` to passes (ms), both at least 0, by least squares of the relative error. Null
 * with less than three of them.
 */
export function fitDevice(samples: readonly { work: Work; pass: number }[]): Fit | null {
  if (samples.length < 3) return null;
  let [dd, db, bb, d, b] = [0, 0, 0, 0, 0];
  for (const { work, pass } of samples) {
    const [x, y] = [work.depth / pass, work.bytes / pass];
    dd += x * x;
    db += x * y;
    bb += y * y;
    d += x;
    b += y;
  }
  const determinant = dd * bb - db * db;
  let perColor = determinant > 1e-9 * dd * bb ? (d * bb - b * db) / determinant : -1;
  let perByte = determinant > 1e-9 * dd * bb ? (b * dd - d * db) / determinant : -1;
  if (perColor < 0 || perByte < 0) {
    // The better of the two ends.
    const ofBytes = b / bb;
    const ofColors = d / dd;
    const errorOf = (color: number, byte: number) =>
      samples.reduce((sum, { work, pass }) => sum + ((color * work.depth + byte * work.bytes) / pass - 1) ** 2, 0);
    [perColor, perByte] = errorOf(0, ofBytes) < errorOf(ofColors, 0) ? [0, ofBytes] : [ofColors, 0];
  }
  const worst = Math.max(
    ...samples.map(({ work, pass }) => {
      const ratio = (perColor * work.depth + perByte * work.bytes) / pass;
      return Math.max(ratio, 1 / ratio);
    }),
  );
  return { perColor, perByte, points: samples.length, worst };
}

/** What a GPU has to do to win a group. */
export interface Need {
  scene: string;
  bodies: number;
  contender: string;
  /** Default solver on WASM, ms per step. */
  wasm: number;
  /** The path to the GPU on this thread, without waiting, ms. */
  main: number;
  /** Time left for pass and link, ms: negative if no GPU could win. */
  left: number;
  /** Pass and whole step of each device class, ms. */
  classes: { name: string; pass: number; step: number }[];
  work: Work;
  /** The pass by the GPU's clock, ms, or null. */
  pass: number | null;
}

/** What GPUs need, for every group in which the default WASM solver and a splitting solver on WebGPU were measured. */
export function needs(report: Pick<ProfileReport, 'matrix' | 'results'>): Need[] {
  const list = measured(report.results);
  const onWasm = report.matrix.contenders.find((c) => c.backend === 'wasm');
  const onGpu = new Set(report.matrix.contenders.filter((c) => c.backend === 'webgpu').map((c) => c.id));
  const found: Need[] = [];
  for (const r of list) {
    if (!onGpu.has(r.contender) || !r.stages) continue;
    const work = workOf(r);
    const wasm = list.find((other) => other.contender === onWasm?.id && other.scene === r.scene && other.size === r.size);
    if (!work || !wasm) continue;
    const main = r.stages.broadphase + r.stages.contacts + r.stages.solve + r.stages.finish;
    const classes = DEVICE_CLASSES.map((device) => {
      const pass = passOn(device, work);
      return { name: device.name, pass, step: main + pass + device.link / 1e3 };
    });
    found.push({
      scene: r.scene,
      bodies: r.bodies,
      contender: r.contender,
      wasm: wasm.wall.median,
      main,
      left: wasm.wall.median - main,
      classes,
      work,
      pass: r.gpu?.pass?.median ?? null,
    });
  }
  return found;
}

/** The device of a report as the model sees it, or null where it told too few passes. */
export function fitOf(report: Pick<ProfileReport, 'matrix' | 'results'>): Fit | null {
  return fitDevice(needs(report).flatMap(({ work, pass }) => (pass === null || !(pass > 0) ? [] : [{ work, pass }])));
}
