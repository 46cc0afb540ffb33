// Puts a scene on stage: its shapes, bodies and joints in a talus world, by the public API, in the order of the scene.
import type { BodyId, ColliderDesc, JointId, ShapeDesc, World } from '../src/index';
import { jointSettings } from './joint_settings';
import { DYNAMIC, type Scene, type SceneTraits, type ShapeDef, STATIC } from './types';

/** What is called of a world. */
export type StageWorld = Pick<World, 'createShape' | 'createBody' | 'createJoint'>;

/** What is called of a world whose bodies leave again. */
type WaveWorld = StageWorld & Pick<World, 'removeBody' | 'removeJoint'>;

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

/** Makes the shapes of a scene; answers what makes a body or a joint of it, by its index. */
function maker(world: StageWorld, scene: Scene, made: readonly BodyId[]) {
  const { bodies, shapes } = scene;
  const ids = shapes.map((def) => (def.type === 'compound' ? null : world.createShape(shapeDesc(def))));
  const traits = new Map(scene.traits?.map((one) => [one.body, traitSettings(one)]));
  const body = (i: number): BodyId => {
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
    return world.createBody({
      type: bodies.type[i] === STATIC ? 'static' : bodies.type[i] === DYNAMIC ? 'dynamic' : 'kinematic',
      position: bodies.position.subarray(3 * i, 3 * i + 3),
      rotation: bodies.rotation.subarray(4 * i, 4 * i + 4),
      linearVelocity: bodies.linearVelocity.subarray(3 * i, 3 * i + 3),
      angularVelocity: bodies.angularVelocity.subarray(3 * i, 3 * i + 3),
      colliders,
      ...own?.body,
    });
  };
  const joint = (i: number): JointId => {
    const desc = scene.joints![i]!;
    return world.createJoint({ ...jointSettings(desc), bodyA: made[desc.bodyA] ?? null, bodyB: made[desc.bodyB]! });
  };
  return { body, joint };
}

/** Makes everything of a scene; answers the ids, in its order. */
export function populate(world: StageWorld, scene: Scene): { bodies: BodyId[]; joints: JointId[] } {
  const bodies: BodyId[] = [];
  const { body, joint } = maker(world, scene, bodies);
  for (let i = 0; i < scene.bodies.count; i++) bodies.push(body(i));
  return { bodies, joints: (scene.joints ?? []).map((_, i) => joint(i)) };
}

/**
 * Makes what is there at the start of a scene. Answers the ids of its bodies by their index, and what brings in and takes away the bodies
 * and joints of its waves.
 */
export function stage(world: WaveWorld, scene: Scene, first: { bodies: readonly number[]; joints: readonly number[] }) {
  const bodies: BodyId[] = [];
  const joints: JointId[] = [];
  const make = maker(world, scene, bodies);
  const add = (newBodies: readonly number[], newJoints: readonly number[]) => {
    for (const i of newBodies) bodies[i] = make.body(i);
    for (const i of newJoints) joints[i] = make.joint(i);
  };
  const remove = (oldBodies: readonly number[], oldJoints: readonly number[]) => {
    for (const i of oldJoints) world.removeJoint(joints[i]!);
    for (const i of oldBodies) world.removeBody(bodies[i]!);
  };
  add(first.bodies, first.joints);
  return { bodies, add, remove };
}
