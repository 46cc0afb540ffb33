// All experiments in the order of the pages.
import { substepRule, sway } from './calm.mjs';
import { cells, keptCells, shares } from './cells.mjs';
import { creep } from './creep.mjs';
import { approaches, iterations as dattaIterations, framesPerSecond, norms, penetration, shapes, tangent } from './datta.mjs';
import { acceleration, accelerationInEngine } from './nesterov.mjs';
import { granularity, massRatio, order, substeps } from './own.mjs';
import { supplement, talk } from './proofs.mjs';
import { averaged, colors, convergence, engineConvergence, table1 } from './tonge.mjs';
import { onGpu } from './tonge_gpu.mjs';
import { bounce, jitter, precision } from './tonge_jitter.mjs';
import { batches, jitterOfRagdolls, rest } from './tsuda.mjs';
import { worth } from './worth.mjs';

export const EXPERIMENTS = [
  convergence,
  engineConvergence,
  averaged,
  jitter,
  bounce,
  precision,
  table1,
  colors,
  onGpu,
  supplement,
  talk,
  rest,
  jitterOfRagdolls,
  batches,
  dattaIterations,
  penetration,
  framesPerSecond,
  shapes,
  approaches,
  norms,
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
