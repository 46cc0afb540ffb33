// From how many bodies a GPU pays: a step on the GPU against the same step on WASM, with one thread and with eight, for a class of machines
// and a runtime.
import { CHROME, DEVICE_CLASSES, type DeviceClass, NODE, RUNTIMES, type Runtime, residentGroups } from './devices';
import { bytes, type Table } from './kernels';
import { DATA, type ModelData, stepAt, timesAt } from './scenes';
import { answerOf, type PassTime, passOn } from './time';

/** A step on a machine, ms. */
export interface StepEstimate {
  /** On WASM: one thread, eight threads. */
  wasm: number;
  threads: number;
  /** With WebGPU: the main thread's part, the pass, and the whole step in the best and in the worst case of the runtime. */
  main: number;
  pass: PassTime;
  step: readonly [number, number];
}

/** A step of a scene on a class of machines. */
export function estimate(
  scene: string,
  bodies: number,
  device: DeviceClass,
  runtime: Runtime,
  from: ModelData = DATA,
): StepEstimate {
  const times = timesAt(scene, bodies, from);
  const step = stepAt(scene, bodies, from);
  const pass = passOn(device, step);
  const main = times.main / device.cpu;
  const whole = (end: 0 | 1) => main + pass.all + answerOf(runtime, step.bytesDown, end);
  return {
    wasm: times.wasm / device.cpu,
    threads: times.threads / device.cpu,
    main,
    pass,
    step: [whole(0), whole(1)],
  };
}

/** Sizes that are looked at. */
const LEAST = 250;
export const MOST = 200_000;
const SIZES_OF_A_DOUBLING = 8;

/**
 * The number of bodies from which a step on the GPU is faster at every larger size up to MOST; null if it never is. `end`: 0 for the best
 * case of the runtime, 1 for the worst.
 */
export function paysFrom(
  scene: string,
  device: DeviceClass,
  runtime: Runtime,
  end: 0 | 1,
  against: 'wasm' | 'threads',
  from: ModelData = DATA,
): number | null {
  let found: number | null = null;
  for (let bodies = MOST; bodies >= LEAST; bodies /= 2 ** (1 / SIZES_OF_A_DOUBLING)) {
    const one = estimate(scene, bodies, device, runtime, from);
    if (one.step[end] >= one[against]) break;
    found = bodies;
  }
  return found;
}

const count = (value: number) => Number(value.toPrecision(2)).toLocaleString('en');

/** The best and the worst case in words. */
function range(best: number | null, worst: number | null): string {
  if (best === null) return 'never';
  const from = count(best);
  if (worst === null) return `${from}, or never`;
  return count(worst) === from ? from : `${from} to ${count(worst)}`;
}

/** Bodies of a scene from which each class of machines gains by its GPU. */
export function payoffTable(scene: string, from: ModelData = DATA): Table {
  const cases = RUNTIMES.flatMap((runtime) => (['wasm', 'threads'] as const).map((against) => ({ runtime, against })));
  const name = { wasm: '1 thread', threads: '8 threads' };
  return {
    head: ['machine', ...cases.map(({ runtime, against }) => `${runtime.name}, against ${name[against]}`)],
    rows: DEVICE_CLASSES.map((device) => [
      device.name,
      ...cases.map(({ runtime, against }) =>
        range(paysFrom(scene, device, runtime, 0, against, from), paysFrom(scene, device, runtime, 1, against, from)),
      ),
    ]),
  };
}

/** Scenes of the table of large steps. */
export const LARGE: readonly (readonly [scene: string, bodies: number, name: string])[] = [
  ['boxes', 20_000, '20,000 boxes'],
  ['bricks', 110_000, '110,000 bricks'],
];

const ms = (value: number) => (value < 10 ? value.toPrecision(2) : value.toFixed(0));

/** Steps of large scenes on each class of machines, ms. */
export function largeTable(from: ModelData = DATA): Table {
  const rows = LARGE.flatMap(([scene, bodies, name]) =>
    DEVICE_CLASSES.map((device) => {
      const node = estimate(scene, bodies, device, NODE, from);
      const chrome = estimate(scene, bodies, device, CHROME, from);
      const { dispatches, chain, bytes: moved, all } = node.pass;
      return [
        name,
        device.name,
        ms(node.wasm),
        ms(node.threads),
        ms(node.main),
        `${ms(all)} (${ms(dispatches)} + ${ms(chain)} + ${ms(moved)})`,
        ...[node, chrome].map(({ step }) => `${ms(step[0])} to ${ms(step[1])}`),
      ];
    }),
  );
  const head = [
    'scene at rest',
    'machine',
    'WASM',
    '8 threads',
    'main thread',
    'pass (dispatches + chain + bytes)',
    'step, Node',
  ];
  return { head: [...head, 'step, Chrome'], rows };
}

/** The numbers of the model as a table. */
export function deviceTable(): Table {
  return {
    head: ['machine', 'clock, MHz', 'cells at once', 'memory, GB/s', 'cache', 'dispatch, us', 'processor', 'source'],
    rows: DEVICE_CLASSES.map((d) => [
      d.name,
      String(d.mhz),
      count(residentGroups(d)),
      String(d.memory),
      `${bytes(1e6 * d.cache)}, ${d.cacheBandwidth} GB/s`,
      String(d.dispatch),
      String(d.cpu),
      d.source,
    ]),
  };
}
