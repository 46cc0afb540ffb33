// The public API of talus.
export * from './common';
export { createWorld } from './create_world';
export type { ActiveSolver, Settings, SolverName, WorldOptions, WorldSettings } from './options';
export type { Faults, World } from './world';
