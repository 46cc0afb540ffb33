// The public API of talus/playcanvas: physics of PlayCanvas applications, for its own rigidbody, collision and joint components.
import { createWorld, type WorldOptions } from '../index';
import { type TalusPhysicsOptions, TalusPhysicsWorld } from './physics_world';

export { createHeightfield, type Heightfield, type HeightfieldMesh, type HeightfieldSamples } from './heightfields';
export { installPhysics, type TalusPhysicsOptions, TalusPhysicsWorld } from './physics_world';

/**
 * A physics world for `AppOptions.physicsWorld`, with a world of its own.
 * @throws TalusError as `createWorld`
 */
export async function createTalusPhysics(options: WorldOptions & TalusPhysicsOptions = {}): Promise<TalusPhysicsWorld> {
  const { ownsWorld, ...world } = options;
  return new TalusPhysicsWorld(await createWorld(world), ownsWorld === undefined ? {} : { ownsWorld });
}
