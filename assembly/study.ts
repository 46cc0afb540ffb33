// Entry of the core of `talus/study`: that of the product (index.ts), whose worlds have the solvers and measures of the study
// hooked in (memory/hook.ts), and what it exports beside.
import { initWorld as initProduct } from './step';
import { initColoredLanes } from './study/colored_lanes';
import { initGapBias } from './study/gap_bias';
import { initPointFriction } from './study/friction/point_friction';
import { initStudySolver } from './study/step_solver';

export * from './index';
export { packRows, applyRows, dropRows } from './study/methods/gpu_rows';
export { orderReport } from './study/methods/report';
export { step } from './step';

/** In place of that of the product. */
export function initWorld(): bool {
  if (!initProduct()) return false;
  initPointFriction();
  initStudySolver();
  initGapBias();
  return initColoredLanes();
}
