// `talus/slim`: the public API of `talus` without the inlined core, which is fetched.
export * from '../common';
export type { ActiveSolver, Settings, SolverName, WorldSettings } from '../options/options';
export type { Faults } from '../world/base';
export type { World } from '../world/world';
export { createWorld } from './create_world';
export type { SlimWasmSource, SlimWorldOptions as WorldOptions } from './options';
