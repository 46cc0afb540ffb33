// A scene of the scene library as a world, by the public API.
import { populate } from '../../scenes/stage';
import type { Scene } from '../../scenes/types';
import type { World, WorldOptions } from '../../src/study/index';
import { createWorld } from './worlds';

/** A world with the bodies and joints of a scene, in its order: body i has slot i. */
export async function sceneWorld(scene: Scene, options: WorldOptions = {}, create = createWorld): Promise<World> {
  const world = await create({ gravity: scene.gravity, dt: scene.dt, ...options });
  populate(world, scene);
  return world;
}
