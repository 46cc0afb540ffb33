// The public API of talus.
export * from './common';
export type { ActiveSolver, Settings, SolverName, WorldOptions, WorldSettings } from './options/options';
export type { Faults } from './world/base';
export { createWorld } from './world/create_world';
export type { World } from './world/world';
