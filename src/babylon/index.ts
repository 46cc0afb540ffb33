// The public API of talus/babylon: physics of Babylon.js scenes, version 2 of its interface.
import '@babylonjs/core/Physics/physicsEngineComponent.js';
import { createWorld, type WorldOptions } from '../index';
import { TalusPlugin, type TalusPluginOptions } from './plugin';

export type { ConvexPart, Decomposer } from '../engines/decompose';
export type { SleepEvent } from './events';
export { TalusPlugin, type TalusPluginOptions } from './plugin';

/**
 * Creates a plugin with a world of its own: `scene.enablePhysics(gravity, await createTalusPlugin())`.
 * @throws TalusError as `createWorld`
 */
export async function createTalusPlugin(options: WorldOptions & TalusPluginOptions = {}): Promise<TalusPlugin> {
  const { useDeltaForWorldStep, ownsWorld, decompose, origin, maxQueryCollectorHits, ...world } = options;
  const plugin: TalusPluginOptions = {};
  if (useDeltaForWorldStep !== undefined) plugin.useDeltaForWorldStep = useDeltaForWorldStep;
  if (ownsWorld !== undefined) plugin.ownsWorld = ownsWorld;
  if (decompose !== undefined) plugin.decompose = decompose;
  if (origin !== undefined) plugin.origin = origin;
  if (maxQueryCollectorHits !== undefined) plugin.maxQueryCollectorHits = maxQueryCollectorHits;
  return new TalusPlugin(await createWorld(world), plugin);
}
