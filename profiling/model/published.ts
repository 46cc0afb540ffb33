// Times of a solver on GPUs of Apple that its author has published: three-avbd (sbobyn), a block descent solver in WGSL by colors of bodies. They
// calibrate latencies and bandwidths of the model where we have measured nothing. Figures are those of
// https://github.com/sbobyn/three-avbd/tree/main/docs/data/bench3d, files m4-max.json and m1pro-mbp-16c.json of 2026-09-24: `solve` of each
// scene, in Node with Dawn. Sizes of its records and the lanes of its kernel are those of src/avbd3d/gpu/layout.ts and solver.ts there.
import { BANDWIDTH_SHARE, type DeviceClass, M1_PRO, M4_MAX, POINTS_OF_ROUND, ROUND_CYCLES } from './devices';

export interface PublishedScene {
  device: DeviceClass;
  scene: string;
  iterations: number;
  bodies: number;
  joints: number;
  contacts: number;
  colors: number;
  /** The solver's part of the GPU's time, ms. */
  solve: number;
}

type Row = [scene: string, iterations: number, bodies: number, joints: number, contacts: number, colors: number, solve: number];

const rowsOf = (device: DeviceClass, rows: Row[]): PublishedScene[] =>
  rows.map(([scene, iterations, bodies, joints, contacts, colors, solve]) => ({
    device,
    scene,
    iterations,
    bodies,
    joints,
    contacts,
    colors,
    solve,
  }));

export const PUBLISHED: readonly PublishedScene[] = [
  ...rowsOf(M4_MAX, [
    ['Wall smash 2k', 10, 2002, 0, 22432, 17, 2.097152],
    ['Chain mail 1.6k', 10, 1602, 3120, 6, 6, 0.589824],
    ['Brick ring 9k', 4, 9132, 0, 95042, 8, 0.65536],
    ['Brick gables 6.7k', 3, 6723, 0, 42121, 9, 0.393216],
    ['Jointed drop 6k', 10, 6025, 12484, 18531, 19, 1.835008],
    ['Brick ring 110k', 4, 110442, 0, 1234461, 9, 5.373952],
    ['Jointed drop 34k', 10, 34097, 71064, 109612, 30, 4.784128],
    ['Brick gables 506k', 3, 505923, 0, 4423656, 10, 14.680064],
    ['Settled pile 32k', 4, 32001, 0, 150951, 9, 1.048576],
    ['Box columns 100k', 4, 100001, 0, 400000, 3, 1.376256],
  ]),
  ...rowsOf(M1_PRO, [
    ['Wall smash 2k', 10, 2002, 0, 22495, 17, 2.818048],
    ['Chain mail 1.6k', 10, 1602, 3120, 7, 5, 0.98304],
    ['Brick ring 9k', 4, 9132, 0, 94850, 8, 1.441792],
    ['Brick gables 6.7k', 3, 6723, 0, 42306, 9, 0.851968],
    ['Jointed drop 6k', 10, 6025, 12484, 18896, 19, 3.801088],
    ['Brick ring 110k', 4, 110442, 0, 1234534, 10, 11.010048],
    ['Jointed drop 34k', 10, 34097, 71064, 111163, 30, 10.289152],
    ['Brick gables 506k', 3, 505923, 0, 4421035, 10, 31.064064],
    ['Settled pile 32k', 4, 32001, 0, 151637, 9, 2.883584],
    ['Box columns 100k', 4, 100001, 0, 400000, 3, 4.325376],
  ]),
];

/** Bytes of its records; a body's pose now and at the start of the step is the first part of its record. */
const CONTACT = 64;
const MANIFOLD = 32;
const JOINT = 128;
const POSES = 64;
/** Of a body, what its own update reads and writes beside. */
const UPDATE = 192;
/** Points of its manifolds: 4.4 to 5.6 between bricks (docs/FINDINGS.md there). */
const POINTS = 5;
/** Colors that are dispatched empty, and the dispatch of the dual update. */
const SPARE_COLORS = 3;
const DUAL = 1;

/** A color waits for its slowest body, which has about so many times the contacts of the mean. */
const SLOWEST = 2;

/** Lanes that share a body of a color with so many bodies. */
const lanesOf = (bodies: number) => (bodies >= 32_768 ? 2 : bodies >= 4096 ? 4 : 8);

/** Bytes that an iteration moves: each body reads its contacts and joints, then the dual update reads and writes each once. */
function iterationBytes({ bodies, joints, contacts }: PublishedScene): number {
  const contact = 2 * CONTACT + 2 * CONTACT + (3 * (MANIFOLD + 2 * POSES)) / POINTS;
  const joint = 2 * JOINT + 2 * JOINT + 3 * 2 * POSES;
  return contacts * contact + joints * joint + bodies * UPDATE;
}

/** Bytes of the records that an iteration goes over. */
function workingSet(scene: PublishedScene): number {
  const { bodies, joints, contacts } = scene;
  return contacts * (CONTACT + MANIFOLD / POINTS) + joints * JOINT + bodies * (POSES + UPDATE / 2);
}

/** Time of the solver by our model, ms: its dispatches, the contacts that one lane takes after the other, its bytes. */
export function publishedTime(scene: PublishedScene): number {
  const { device, iterations, bodies, joints, contacts, colors } = scene;
  const dispatches = iterations * (colors + SPARE_COLORS + DUAL) * device.dispatch;
  const inLane = Math.max(1, (2 * (contacts + joints)) / bodies / lanesOf(bodies / colors)) * SLOWEST;
  const chain = (iterations * colors * inLane * (ROUND_CYCLES / POINTS_OF_ROUND)) / device.mhz;
  const cached = workingSet(scene) <= 1e6 * device.cache;
  const bandwidth = BANDWIDTH_SHARE * (cached ? device.cacheBandwidth : device.memory);
  return (dispatches + chain) / 1e3 + (iterations * iterationBytes(scene)) / bandwidth / 1e6;
}
