// Puts a scene on stage: its shapes, bodies and joints in a talus world, by the public API, in the order of the scene.
import type { BodyId, ColliderDesc, JointId, ShapeDesc, World } from '../src/index';
import { jointSettings } from './joint_settings';
import { DYNAMIC, type Scene, type SceneTraits, type ShapeDef, STATIC } from './types';

/** What is called of a world. */
export type StageWorld = Pick<World, 'createShape' | 'createBody' | 'createJoint'>;

/** A shape as the engine takes it. */
export function shapeDesc(def: Exclude<ShapeDef, { type: 'compound' }>): ShapeDesc {
  if (def.type !== 'heightfield') return def;
  const { originX, originZ, ...rest } = def;
  return { ...rest, origin: [originX, 0, originZ] };
}

/** What a trait is in the words of the engine. */
export function traitSettings({ surfaceVelocity, oneWay, bullet, rollingResistance, scenery }: SceneTraits) {
  const collider: Partial<ColliderDesc> = {
    ...(surfaceVelocity ? { surfaceVelocity } : {}),
    ...(oneWay ? { oneWay } : {}),
    ...(rollingResistance !== undefined ? { rollingResistance } : {}),
    ...(scenery ? { sensor: true, mask: 0 } : {}),
  };
  return { collider, body: bullet ? { bullet } : {} };
}

/** Makes everything of a scene; answers the ids, in its order. */
export function populate(world: StageWorld, scene: Scene): { bodies: BodyId[]; joints: JointId[] } {
  const { bodies, shapes } = scene;
  const ids = shapes.map((def) => (def.type === 'compound' ? null : world.createShape(shapeDesc(def))));
  const traits = new Map(scene.traits?.map((one) => [one.body, traitSettings(one)]));
  const made: BodyId[] = [];
  for (let i = 0; i < bodies.count; i++) {
    const index = bodies.shape[i]!;
    const def = shapes[index]!;
    const own = traits.get(i);
    const material = {
      density: bodies.density[i]!,
      friction: bodies.friction[i]!,
      restitution: bodies.restitution[i]!,
      ...own?.collider,
    };
    const colliders =
      def.type === 'compound'
        ? def.children.map((c) => ({ shape: ids[c.shape]!, position: c.position, rotation: c.rotation, ...material }))
        : [{ shape: ids[index]!, ...material }];
    made.push(
      world.createBody({
        type: bodies.type[i] === STATIC ? 'static' : bodies.type[i] === DYNAMIC ? 'dynamic' : 'kinematic',
        position: bodies.position.subarray(3 * i, 3 * i + 3),
        rotation: bodies.rotation.subarray(4 * i, 4 * i + 4),
        linearVelocity: bodies.linearVelocity.subarray(3 * i, 3 * i + 3),
        angularVelocity: bodies.angularVelocity.subarray(3 * i, 3 * i + 3),
        colliders,
        ...own?.body,
      }),
    );
  }
  const joints = (scene.joints ?? []).map((joint) =>
    world.createJoint({ ...jointSettings(joint), bodyA: made[joint.bodyA] ?? null, bodyB: made[joint.bodyB]! }),
  );
  return { bodies: made, joints };
}
