// All experiments in the order of the pages.
import { substepRule, sway } from './calm.mjs';
import { cells, keptCells, shares } from './cells.mjs';
import { creep } from './creep.mjs';
import { approaches, iterations as dattaIterations, tangent } from './datta.mjs';
import { acceleration, accelerationInEngine } from './nesterov.mjs';
import { granularity, massRatio, order, substeps } from './own.mjs';
import { colors, convergence, engineConvergence, jitter, table1 } from './tonge.mjs';
import { onGpu } from './tonge_gpu.mjs';
import { batches, jitterOfRagdolls, rest } from './tsuda.mjs';
import { worth } from './worth.mjs';

export const EXPERIMENTS = [
  convergence,
  engineConvergence,
  jitter,
  table1,
  colors,
  onGpu,
  rest,
  jitterOfRagdolls,
  batches,
  dattaIterations,
  approaches,
  tangent,
  order,
  acceleration,
  accelerationInEngine,
  massRatio,
  granularity,
  cells,
  keptCells,
  shares,
  substeps,
  sway,
  substepRule,
  creep,
  worth,
];
