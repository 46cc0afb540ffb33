// The public API of talus/playcanvas: physics of PlayCanvas applications, for its own rigidbody, collision and joint components.
import { createWorld, type WorldOptions } from '../index';
import { type TalusPhysicsOptions, TalusPhysicsWorld } from './physics_world';

export type { ConvexPart, Decomposer } from '../engines/decompose';
export { createHeightfield, type Heightfield, type HeightfieldMesh, type HeightfieldSamples } from './heightfields';
export { installPhysics, type TalusPhysicsOptions, TalusPhysicsWorld } from './physics_world';

/**
 * Creates a physics world for `AppOptions.physicsWorld`, with a world of its own.
 * @throws TalusError as `createWorld`
 */
export async function createTalusPhysics(options: WorldOptions & TalusPhysicsOptions = {}): Promise<TalusPhysicsWorld> {
  const { ownsWorld, decompose, ...world } = options;
  const physics: TalusPhysicsOptions = {};
  if (ownsWorld !== undefined) physics.ownsWorld = ownsWorld;
  if (decompose !== undefined) physics.decompose = decompose;
  return new TalusPhysicsWorld(await createWorld(world), physics);
}
