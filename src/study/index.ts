// The public API of talus/study: that of talus, with the published methods (docs/methods.md) as further solvers and options.
// Where a name is the same, the thing is a superset.
export * from '../common';
export { createWorld } from './create_world';
export type {
  Accumulation,
  FrictionModel,
  Integration,
  Mean,
  MethodParameters,
  OrderingName,
  OrderingReport,
  SpectralRadius,
  Stabilization,
} from './methods';
export type { Settings, SolverName, WorldOptions, WorldSettings } from './options';
export { defineSolver, type OwnSolver, type RowIteration, type SolverDefinition } from './own_solver';
export { applyRow, type RowArrays, Rows, rowSpeed } from './rows';
export type { ActiveSolver, OwnName } from './solvers';
export type { StudyFaults as Faults, World } from './world';
