// A scene of the scene library as a world, by the public API.

import { jointSettings, type Scene, type ShapeDef, STATIC } from '../../scenes/index';
import type { BodyId, ShapeDesc, ShapeId, World, WorldOptions } from '../../src/study/index';
import { createWorld } from './worlds';

function shapeDesc(def: Exclude<ShapeDef, { type: 'compound' }>): ShapeDesc {
  if (def.type !== 'heightfield') return def;
  const { originX, originZ, ...rest } = def;
  return { ...rest, origin: [originX, 0, originZ] };
}

/** A world with the bodies and joints of a scene, in its order: body i has slot i. */
export async function sceneWorld(scene: Scene, options: WorldOptions = {}, create = createWorld): Promise<World> {
  const world = await create({ gravity: scene.gravity, dt: scene.dt, ...options });
  const ids: (ShapeId | null)[] = scene.shapes.map((def) => (def.type === 'compound' ? null : world.createShape(shapeDesc(def))));
  const { bodies } = scene;
  const made: BodyId[] = [];
  for (let i = 0; i < bodies.count; i++) {
    const def = scene.shapes[bodies.shape[i]!]!;
    const material = { density: bodies.density[i]!, friction: bodies.friction[i]!, restitution: bodies.restitution[i]! };
    const parts =
      def.type === 'compound'
        ? def.children.map((c) => ({ shape: ids[c.shape]!, position: c.position, rotation: c.rotation, ...material }))
        : [{ shape: ids[bodies.shape[i]!]!, ...material }];
    const id = world.createBody({
      type: bodies.type[i] === STATIC ? 'static' : 'dynamic',
      position: bodies.position.subarray(3 * i, 3 * i + 3),
      rotation: bodies.rotation.subarray(4 * i, 4 * i + 4),
      linearVelocity: bodies.linearVelocity.subarray(3 * i, 3 * i + 3),
      angularVelocity: bodies.angularVelocity.subarray(3 * i, 3 * i + 3),
      colliders: parts,
    });
    made.push(id);
  }
  for (const joint of scene.joints ?? []) {
    world.createJoint({ ...jointSettings(joint), bodyA: made[joint.bodyA] ?? null, bodyB: made[joint.bodyB]! });
  }
  return world;
}
