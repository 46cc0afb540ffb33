// Counted scenes (scenes.json, written by bench/kernels.mjs) and the times of their steps on processors, in any size.
import { type Step, scaled } from './counts';
import data from './scenes.json';
import { stepOf } from './traffic';

/** A scene at rest, as bench/kernels.mjs counts it. */
export interface CountedScene extends Step {
  scene: string;
  size: number;
  /** Main thread with WebGPU, without the copy of the result, and a step on WASM, ms; on the machine that counted. */
  mainMs: number;
  wasmMs: number;
}

/** A measured step, ms: on WASM with one thread and with eight; the main thread's part with WebGPU. */
export interface StepTimes {
  wasm: number;
  threads: number;
  main: number;
}

/** What the model takes of measurements. */
export interface ModelData {
  date: string;
  measured: { from: string; adapter: string; cpu: string; steps: ({ scene: string; bodies: number } & StepTimes)[] };
  results: CountedScene[];
}

const found = data as unknown as ModelData;
/** Data of this build: what bytes the counts mean follows from its structs. */
export const DATA: ModelData = { ...found, results: found.results.map((one) => ({ ...one, ...stepOf(one) })) };

/** A scene that ends above this size in no measurement is in proportion to the largest one of this scene. */
const REFERENCE = 'boxes';

const bySize = <T extends { bodies: number }>(list: T[]) => list.toSorted((a, b) => a.bodies - b.bodies);

/** A step of a scene with so many bodies: that of the counted size that is nearest, in proportion. */
export function stepAt(scene: string, bodies: number, from: ModelData = DATA): Step {
  const list = from.results.filter((one) => one.scene === scene);
  const distance = (one: CountedScene) => Math.abs(Math.log(one.bodies / bodies));
  const nearest = list.toSorted((a, b) => distance(a) - distance(b))[0];
  if (!nearest)
    throw new Error(`scene '${scene}' is not counted; one of ${[...new Set(from.results.map((one) => one.scene))].join(', ')}`);
  return scaled(nearest, bodies);
}

/** A value at a size on straight lines in log-log between measured points, beyond them in proportion to the size. */
function between(points: { bodies: number; value: number }[], bodies: number): number {
  const first = points[0]!;
  const last = points.at(-1)!;
  if (bodies <= first.bodies) return (first.value * bodies) / first.bodies;
  if (bodies >= last.bodies) return (last.value * bodies) / last.bodies;
  const at = points.findIndex((point) => point.bodies >= bodies);
  const [a, b] = [points[at - 1]!, points[at]!];
  const t = Math.log(bodies / a.bodies) / Math.log(b.bodies / a.bodies);
  return Math.exp((1 - t) * Math.log(a.value) + t * Math.log(b.value));
}

/**
 * Times of a step on the processor of the measured steps. A scene that was not measured there takes the time of boxes, times the ratio of
 * the two scenes on the machine that counted them.
 */
export function timesAt(scene: string, bodies: number, from: ModelData = DATA): StepTimes {
  const { steps } = from.measured;
  const measured = bySize(steps.filter((one) => one.scene === scene));
  if (measured.length > 0) {
    const of = (key: keyof StepTimes) =>
      between(
        measured.map((one) => ({ bodies: one.bodies, value: one[key] })),
        bodies,
      );
    return { wasm: of('wasm'), threads: of('threads'), main: of('main') };
  }
  const counted = bySize(from.results.filter((one) => one.scene === scene)).at(-1);
  const reference = bySize(from.results.filter((one) => one.scene === REFERENCE)).at(-1);
  if (!counted || !reference) throw new Error(`scene '${scene}' was neither measured nor counted`);
  const base = timesAt(REFERENCE, reference.bodies, from);
  const wasm = ((base.wasm * counted.wasmMs) / reference.wasmMs) * (bodies / counted.bodies);
  const main = ((base.main * counted.mainMs) / reference.mainMs) * (bodies / counted.bodies);
  return { wasm, threads: (wasm * base.threads) / base.wasm, main };
}
