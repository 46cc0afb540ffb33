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
export type { ActiveSolver } from './solvers';
export type { StudyFaults as Faults, World } from './world';
