// What a measured report says of GPUs: how long one may take to win each group, what the model expects of classes of devices, and the
// device that was measured as the model sees it.
import { measured } from '../analysis';
import type { ProfileReport } from '../types';
import { dispatchesOf, type Step } from './counts';
import { CHROME, DEVICE_CLASSES, NODE, type Runtime } from './devices';
import { stepOfResult } from './estimate';
import { answerOf, passOn, turns } from './time';

/** What a GPU has to do to win a group. */
export interface Need {
  scene: string;
  bodies: number;
  contender: string;
  /** Default solver on WASM, ms per step. */
  wasm: number;
  /** The path to the GPU on this thread, without waiting, ms. */
  main: number;
  /** Time left for pass and answer, ms: negative if no GPU could win. */
  left: number;
  /** Pass, and whole step in the best and the worst case of the runtime, on each device class, ms. */
  classes: { name: string; pass: number; step: readonly [number, number] }[];
  counts: Step;
  dispatches: number;
  /** Rounds that come one after the other, and bytes of the step. */
  turns: number;
  bytes: number;
  /** The pass by the GPU's clock, ms, or null. */
  pass: number | null;
}

/** The runtime of a report. */
export function runtimeOf(report: Pick<ProfileReport, 'environment'>): Runtime {
  return report.environment.kind === 'node' ? NODE : CHROME;
}

/** What GPUs need, for every group in which the default WASM solver and cell splitting on WebGPU were measured. */
export function needs(report: Pick<ProfileReport, 'matrix' | 'results' | 'environment'>): Need[] {
  const list = measured(report.results);
  const onWasm = report.matrix.contenders.find((c) => c.backend === 'wasm');
  const onGpu = new Set(report.matrix.contenders.filter((c) => c.backend === 'webgpu').map((c) => c.id));
  const runtime = runtimeOf(report);
  const found: Need[] = [];
  for (const r of list) {
    if (!onGpu.has(r.contender) || !r.stages) continue;
    const counts = stepOfResult(r);
    const wasm = list.find((other) => other.contender === onWasm?.id && other.scene === r.scene && other.size === r.size);
    if (!counts || !wasm) continue;
    const main = r.stages.broadphase + r.stages.contacts + r.stages.solve + r.stages.finish;
    const classes = DEVICE_CLASSES.map((device) => {
      const pass = passOn(device, counts).all;
      const stepAt = (end: 0 | 1) => main + pass + answerOf(runtime, counts.bytesDown, end);
      return { name: device.name, pass, step: [stepAt(0), stepAt(1)] as const };
    });
    found.push({
      scene: r.scene,
      bodies: r.bodies,
      contender: r.contender,
      wasm: wasm.wall.median,
      main,
      left: wasm.wall.median - main,
      classes,
      counts,
      dispatches: dispatchesOf(counts),
      turns: turns(counts),
      bytes: counts.bytes,
      pass: r.gpu?.pass?.median ?? null,
    });
  }
  return found;
}

/** A measured pass: rounds in turn, bytes, ms. */
export interface Sample {
  turns: number;
  bytes: number;
  pass: number;
}

/** A measured device as the model sees it: ms per round in turn, ms per byte, and how far off that is. */
export interface Fit {
  perTurn: number;
  perByte: number;
  points: number;
  /** Largest ratio of a predicted pass to a measured one, or of measured to predicted. */
  worst: number;
}

/**
 * Fits `pass = perTurn * turns + perByte * bytes` to passes, both at least 0, by least squares of the relative error. Null with less than
 * three of them.
 */
export function fitDevice(samples: readonly Sample[]): Fit | null {
  if (samples.length < 3) return null;
  let [dd, db, bb, d, b] = [0, 0, 0, 0, 0];
  for (const one of samples) {
    const [x, y] = [one.turns / one.pass, one.bytes / one.pass];
    dd += x * x;
    db += x * y;
    bb += y * y;
    d += x;
    b += y;
  }
  const determinant = dd * bb - db * db;
  let perTurn = determinant > 1e-9 * dd * bb ? (d * bb - b * db) / determinant : -1;
  let perByte = determinant > 1e-9 * dd * bb ? (b * dd - d * db) / determinant : -1;
  if (perTurn < 0 || perByte < 0) {
    // The better of the two ends.
    const ofBytes = b / bb;
    const ofTurns = d / dd;
    const errorOf = (turn: number, byte: number) =>
      samples.reduce((sum, one) => sum + ((turn * one.turns + byte * one.bytes) / one.pass - 1) ** 2, 0);
    [perTurn, perByte] = errorOf(0, ofBytes) < errorOf(ofTurns, 0) ? [0, ofBytes] : [ofTurns, 0];
  }
  const worst = Math.max(
    ...samples.map((one) => {
      const ratio = (perTurn * one.turns + perByte * one.bytes) / one.pass;
      return Math.max(ratio, 1 / ratio);
    }),
  );
  return { perTurn, perByte, points: samples.length, worst };
}

/** The device of a report as the model sees it, or null where it told too few passes. */
export function fitOf(report: Pick<ProfileReport, 'matrix' | 'results' | 'environment'>): Fit | null {
  return fitDevice(needs(report).flatMap(({ turns: depth, bytes, pass }) => (pass ? [{ turns: depth, bytes, pass }] : [])));
}
