// Every measured time of a GPU beside the time by the model. In: the files of bench/results that have passes of a hardware GPU, and the
// published times of published.ts. Out: rows, which the docs show and a test holds in a band.
import type { ProfileReport } from '../types';
import { NO_CELLS, type Step, scaled, withDispatches } from './counts';
import { type DeviceClass, H100, H200, NODE } from './devices';
import { stepOfResult } from './estimate';
import { PUBLISHED, publishedTime } from './published';
import { DATA, type ModelData } from './scenes';
import { answerOf, passOn } from './time';

/** A row of bench/gpu_clock.mjs. */
export interface ClockRow {
  scene: string;
  bodies: number;
  way: string;
  step: number;
  main: number;
  pass: number | null;
  least: number | null;
  dispatches: number;
  mhz: number | null;
}

/** Steps of the scenes of a measurement, with the bytes of the build that was measured (node bench/kernels.mjs --json). */
export interface MeasuredCounts {
  results: (Step & { scene: string; size: number })[];
}

/** A measured time beside that of the model, ms. */
export interface Calibrated {
  device: string;
  scene: string;
  what: string;
  measured: number;
  /** By the model; at the highest and at the lowest clock where the clock is not known. */
  model: readonly [number, number];
  /** Model over measured; 1 for a time between the two. */
  ratio: number;
}

function row(device: string, scene: string, what: string, measured: number, fast: number, slow = fast): Calibrated {
  const nearest = Math.min(Math.max(measured, fast), slow);
  return { device, scene, what, measured, model: [fast, slow], ratio: nearest / measured };
}

/** No measured time is off by more than this factor. */
export const BAND = 1.5;

/** Clock of an NVIDIA card with little to do, MHz: the lowest that bench/gpu_clock.mjs saw. */
const IDLE_MHZ = 345;

/** A pass whose median is within this factor of its shortest ran at one clock. */
const STEADY = 1.1;

const onGpu = (one: ClockRow): one is ClockRow & { pass: number; least: number; mhz: number } =>
  one.pass !== null && one.least !== null && one.mhz !== null;

/**
 * Passes and answers of bench/gpu_clock.mjs. Those at a lower clock count where the clock stood still while they were measured; it is read
 * right after them, so one with the time of the full clock had that.
 */
export function clockRows(rows: readonly ClockRow[], counted: MeasuredCounts, device: DeviceClass = H200): Calibrated[] {
  const found: Calibrated[] = [];
  const full = new Map<string, number>();
  for (const one of rows) if (onGpu(one) && one.way.endsWith('awake')) full.set(`${one.scene} ${one.bodies}`, one.pass);
  for (const one of rows) {
    if (!onGpu(one) || one.pass > STEADY * one.least) continue;
    const isSlow = one.mhz < device.mhz;
    if (isSlow && one.pass < STEADY * full.get(`${one.scene} ${one.bodies}`)!) continue;
    const counts = counted.results.find((c) => c.scene === one.scene && Math.abs(c.bodies - one.bodies) <= 1);
    if (!counts) continue;
    const name = `${one.bodies.toLocaleString('en')} ${one.scene}`;
    const pass = passOn(device, withDispatches(counts, one.dispatches), one.mhz).all;
    found.push(row(device.name, name, `pass, ${one.mhz.toLocaleString('en')} MHz`, one.pass, pass));
    if (isSlow || !one.way.endsWith('awake')) continue;
    found.push(row(device.name, name, 'answer', one.step - one.main - one.pass, answerOf(NODE, counts.bytesDown, 0)));
  }
  return found;
}

/** Readbacks without a solver, of a profiling run. */
export function linkRows(
  link: { transfers: readonly { bytes: number; readback: { median: number } }[] },
  device: DeviceClass = H200,
): Calibrated[] {
  return link.transfers.map(({ bytes, readback }) =>
    row(device.name, `${(bytes / 1e6).toPrecision(2)} MB`, 'readback', readback.median, answerOf(NODE, bytes, 0)),
  );
}

/** Published times. */
export function publishedRows(): Calibrated[] {
  return PUBLISHED.map((one) => row(one.device.name, one.scene, 'published solver', one.solve, publishedTime(one)));
}

/** Steps of bench/pace.mjs, from the submission to the answer. Its boxes lie in stacks of ten, as those of `towers`. */
export function paceRows(
  rows: readonly { bodies: number; dt: string; backend: string; answer: number }[],
  counted: MeasuredCounts,
  device: DeviceClass = H100,
): Calibrated[] {
  const towers = counted.results.filter((one) => one.scene === 'towers');
  return rows.flatMap((one) => {
    if (one.backend !== 'webgpu') return [];
    const distance = ({ bodies }: Step) => Math.abs(Math.log(bodies / one.bodies));
    const counts = scaled(towers.toSorted((a, b) => distance(a) - distance(b))[0]!, one.bodies);
    const answer = answerOf(NODE, counts.bytesDown, 0);
    const at = (mhz: number) => passOn(device, counts, mhz).all + answer;
    const name = `${one.bodies.toLocaleString('en')} in stacks, ${one.dt} s`;
    return [row(device.name, name, 'pass and answer', one.answer, at(device.mhz), at(IDLE_MHZ))];
  });
}

/**
 * Passes of a profiling run. It knows neither the clock nor whether a dispatch was `island` or `edit`, so the model has two ends: none of
 * islands at full clock, and islands at the clock of an idle card.
 */
export function reportRows(
  report: Pick<ProfileReport, 'results'>,
  counted: MeasuredCounts,
  device: DeviceClass = H200,
): Calibrated[] {
  const data = { ...DATA, results: counted.results } as unknown as ModelData;
  return report.results.flatMap((one) => {
    const counts = one.gpu?.pass ? stepOfResult(one, data) : null;
    if (!counts || !one.gpu?.pass) return [];
    const least = counts.solve.cells > 0 ? { ...counts, island: NO_CELLS } : counts;
    const fast = passOn(device, least, device.mhz).all;
    const slow = passOn(device, counts, IDLE_MHZ).all;
    const name = `${one.bodies.toLocaleString('en')} ${one.scene}`;
    return [row(device.name, name, 'pass', one.gpu.pass.median, fast, slow)];
  });
}

/** Largest factor between model and measurement. */
export function worst(rows: readonly Calibrated[]): number {
  return Math.max(...rows.map(({ ratio }) => Math.max(ratio, 1 / ratio)));
}
