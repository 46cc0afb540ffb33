// `talus/slim`: the public API of `talus` without the inlined core, which is fetched.
export * from '../common';
export type { ActiveSolver, Settings, SolverName, WorldSettings } from '../options';
export type { World } from '../world';
export type { Faults } from '../world/base';
export { createWorld } from './create_world';
export type { SlimWasmSource, SlimWorldOptions as WorldOptions } from './options';
