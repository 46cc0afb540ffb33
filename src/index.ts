// The public API of talus.
export * from './common';
export { createWorld } from './create_world';
export type { ActiveSolver, Settings, SolverName, WorldOptions, WorldSettings } from './options';
export type { World } from './world';
export type { Faults } from './world/base';
