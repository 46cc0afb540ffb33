// The runs of the golden table: every scene of the library with default settings, a few with each other setting of the product, each
// solver of talus/study once, and the full size of the scenes that the table otherwise plays smaller.
import { PUBLISHED, SCENE_NAMES, type SceneOptions, TORTURE } from '../../scenes/index';
import { RUNNING_SOLVERS } from '../../src/study/solvers';
import type { GoldenRun } from './run';

/** Steps at which the state is looked at. */
const STEPS = [1, 60, 200, 600];
const STUDY_STEPS = [1, 30, 120];

/** Scenes that take more than two seconds of processor time at full size, and what makes them small. */
const SMALLER: Readonly<Record<string, SceneOptions>> = {
  boxes: { scale: 0.06 },
  'boxes-small': { scale: 0.2 },
  spheres: { scale: 0.1 },
  hulls: { scale: 0.08 },
  rubble: { scale: 0.08 },
  mixed: { scale: 0.08 },
  heap: { scale: 0.2 },
  chess: { scale: 0.1 },
  ragdolls150: { scale: 0.1 },
  'joint-grid': { scale: 0.04 },
  'pyramid-100': { scale: 0.3 },
  'pile-1000': { scale: 0.15 },
  'pile-4000': { scale: 0.05 },
  'many-pyramids': { scale: 0.02 },
  'hanging-grid': { scale: 0.04 },
  junkyard: { scale: 0.04 },
  washer: { scale: 0.02 },
  'convex-pile': { scale: 0.04 },
  rain: { scale: 0.05 },
};

const LIBRARY = [...SCENE_NAMES, ...Object.keys(TORTURE), ...Object.values(PUBLISHED).flatMap((family) => Object.keys(family))];

/** The library with default settings; scenes that take long are smaller. */
const SCENES: GoldenRun[] = LIBRARY.map((scene) => ({ name: scene, scene, options: SMALLER[scene] ?? {}, steps: STEPS }));

/** The smaller scenes at full size. */
export const FULL_RUNS: GoldenRun[] = Object.keys(SMALLER).map((scene) => ({ name: `${scene}, full size`, scene, steps: STEPS }));

const MIXED = { scene: 'mixed', options: { count: 80 } };
const DOLLS = { scene: 'ragdolls150', options: { count: 6 } };

const SETTINGS: Omit<GoldenRun, 'steps'>[] = [
  { name: 'mixed, preset fast', ...MIXED, settings: { preset: 'fast' } },
  { name: 'mixed, preset high', ...MIXED, settings: { preset: 'high' } },
  { name: 'mixed, cell-split', ...MIXED, settings: { solver: 'cell-split' } },
  { name: 'mixed, no sleep', ...MIXED, settings: { sleep: false } },
  { name: 'mixed, substeps auto', ...MIXED, settings: { substeps: 'auto' } },
  { name: 'mixed, 8 substeps, 2 sweeps', ...MIXED, settings: { substeps: 8, sweeps: 2 } },
  { name: 'mixed, no warm start', ...MIXED, settings: { warmStart: 0 } },
  { name: 'mixed, no recycling', ...MIXED, settings: { recycleDistance: 0 } },
  {
    name: 'mixed, contact stiffness',
    ...MIXED,
    settings: { contactHertzRatio: 0.1, dampingRatio: 5, pushSpeed: 1, linearSlop: 0.002 },
  },
  { name: 'mixed, speculative margin', ...MIXED, settings: { speculativeMargin: 0.05 } },
  { name: 'mixed, 240 steps per second', ...MIXED, settings: { dt: 1 / 240 } },
  { name: 'mixed, slow bodies', ...MIXED, settings: { maxLinearSpeed: 4, maxAngularSpeed: 6 } },
  { name: 'mixed, small impacts bounce', ...MIXED, settings: { restitutionThreshold: 0.1 } },
  { name: 'mixed, quick to sleep', ...MIXED, settings: { sleepSpeed: 0.1, sleepTime: 0.2 } },
  { name: 'mixed, in a plane', ...MIXED, locks: { translation: 'z', rotation: 'xy' } },
  { name: 'ragdolls150, preset high', ...DOLLS, settings: { preset: 'high' } },
  { name: 'ragdolls150, cell-split', ...DOLLS, settings: { solver: 'cell-split' } },
  { name: 'ragdolls150, substeps auto', ...DOLLS, settings: { substeps: 'auto' } },
  { name: 'bridge, cell-split', scene: 'bridge', settings: { solver: 'cell-split' } },
  { name: 'bullets, preset fast', scene: 'bullets', settings: { preset: 'fast' } },
  { name: 'wall, cell-split', scene: 'wall', settings: { solver: 'cell-split', granularity: 60, seed: 7 } },
];

/** Runs of the product, in the order of the table. */
export const PRODUCT_RUNS: GoldenRun[] = [...SCENES, ...SETTINGS.map((run) => ({ ...run, steps: STEPS }))];

/** A pile makes plain Jacobi diverge, as the literature says; on a slope it solves a single body. */
const studyScene = (solver: string) => (solver === 'jacobi' ? { scene: 'slope' } : { scene: 'mixed', options: { count: 30 } });

/** The solvers of talus/study that the product does not have. */
export const STUDY_RUNS: GoldenRun[] = RUNNING_SOLVERS.filter((solver) => !['wide', 'cell-split'].includes(solver)).map(
  (solver) => ({
    name: `study, ${solver}`,
    ...studyScene(solver),
    settings: { solver },
    steps: STUDY_STEPS,
  }),
);

/** All runs of the table. */
export const ALL_RUNS: GoldenRun[] = [...PRODUCT_RUNS, ...STUDY_RUNS, ...FULL_RUNS];

/** Runs that together use every part of a step: shapes, joints, controllers, water, fast bodies, both solvers. */
const SHORT = [
  'stack',
  'cardhouse-hit',
  'hanging-chain',
  'car',
  'course',
  'bullets',
  'water',
  'mixed, cell-split',
  'mixed, in a plane',
];

/** A quick part of the table, up to 200 steps. */
export const SHORT_RUNS: GoldenRun[] = PRODUCT_RUNS.filter(({ name }) => SHORT.includes(name)).map((run) => ({
  ...run,
  steps: run.steps.filter((step) => step <= 200),
}));
