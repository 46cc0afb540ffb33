// Rapier with its standard settings and no damping.
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { DYNAMIC, type Scene, type ShapeDef } from '../../../scenes/types';
import { four, type Rival, type RivalOptions, three } from './rival';

const vector = ([x, y, z]: readonly number[]) => ({ x: x!, y: y!, z: z! });
const quaternion = ([x, y, z, w]: readonly number[]) => ({ x: x!, y: y!, z: z!, w: w! });

function colliderOf(def: ShapeDef): RAPIER.ColliderDesc {
  const { ColliderDesc } = RAPIER;
  switch (def.type) {
    case 'sphere':
      return ColliderDesc.ball(def.radius);
    case 'capsule':
      return ColliderDesc.capsule(def.halfHeight, def.radius);
    case 'cylinder':
      return ColliderDesc.cylinder(def.halfHeight, def.radius);
    case 'box':
      return ColliderDesc.cuboid(...def.halfExtents);
    case 'hull':
      return ColliderDesc.convexHull(def.points)!;
    default:
      throw new Error(`Rapier has no '${def.type}' here.`);
  }
}

export async function openRapier(scene: Scene, { sleep }: RivalOptions): Promise<Rival> {
  await RAPIER.init();
  const world = new RAPIER.World(vector(scene.gravity));
  world.timestep = scene.dt;
  const { bodies, shapes } = scene;
  const { RigidBodyDesc, JointData } = RAPIER;
  const list = Array.from({ length: bodies.count }, (_, i) => {
    const moves = bodies.type[i] === DYNAMIC;
    const desc = (moves ? RigidBodyDesc.dynamic() : RigidBodyDesc.fixed())
      .setTranslation(...three(bodies.position, i))
      .setRotation(quaternion(four(bodies.rotation, i)));
    if (moves) {
      desc
        .setLinvel(...three(bodies.linearVelocity, i))
        .setAngvel(vector(three(bodies.angularVelocity, i)))
        .setCanSleep(sleep)
        .setLinearDamping(0)
        .setAngularDamping(0);
    }
    const body = world.createRigidBody(desc);
    const def = shapes[bodies.shape[i]!]!;
    const parts =
      def.type === 'compound'
        ? def.children.map((child) =>
            colliderOf(shapes[child.shape]!)
              .setTranslation(...child.position)
              .setRotation(quaternion(child.rotation)),
          )
        : [colliderOf(def)];
    for (const part of parts) {
      part.setFriction(bodies.friction[i]!).setRestitution(bodies.restitution[i]!).setDensity(bodies.density[i]!);
      world.createCollider(part, body);
    }
    return body;
  });
  let ground: RAPIER.RigidBody | undefined;
  for (const joint of scene.joints ?? []) {
    if (joint.type !== 'ball') throw new Error(`Rapier has no '${joint.type}' joint here.`);
    ground ??= world.createRigidBody(RigidBodyDesc.fixed());
    const data = JointData.spherical(vector(joint.anchorA), vector(joint.anchorB));
    const made = world.createImpulseJoint(data, list[joint.bodyA] ?? ground, list[joint.bodyB]!, true);
    made.setContactsEnabled(joint.collide);
  }
  return {
    name: `Rapier ${RAPIER.version()}`,
    step: () => world.step(),
    read(positions, rotations) {
      list.forEach((body, i) => {
        const [p, q] = [body.translation(), body.rotation()];
        positions.set([p.x, p.y, p.z], 4 * i);
        rotations.set([q.x, q.y, q.z, q.w], 4 * i);
      });
    },
    dispose: () => world.free(),
  };
}
