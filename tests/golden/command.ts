// What scripts/golden.mjs bundles to play runs in plain Node: the runs, what compares them, and worlds of both entries of the package.
export { createWorld } from '../helpers/worlds';
export { ADVICE, changesOf } from './compare';
export { playGolden, settingsOf } from './run';
export { ALL_RUNS, FULL_RUNS, PRODUCT_RUNS, STUDY_RUNS } from './runs';
