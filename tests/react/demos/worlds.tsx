// The world: useRapier, attraction of all bodies, rays, snapshots, steps by hand, pause.
import { useFrame } from '@react-three/fiber';
import { createRef } from 'react';
import { type RapierRigidBody, RigidBody, useAfterPhysicsStep, useBeforePhysicsStep, useRapier, vec3 } from 'talus/react';
import { type Demo, near } from './kit';

const pulled = createRef<RapierRigidBody>();
const falling = createRef<RapierRigidBody>();
const renders: boolean[] = [];
const counts = { before: 0, after: 0, frames: 0 };
let isPulling = true;

function Attractor() {
  const { isPaused } = useRapier();
  renders.push(isPaused);
  useBeforePhysicsStep((world) => {
    counts.before++;
    if (!isPulling) return;
    world.bodies.forEach((body) => {
      if (!body.isDynamic() || body.collider(0).collisionGroups() === 0) return;
      const to = vec3(body.translation()).multiplyScalar(-1);
      if (to.length() < 5) body.applyImpulse(to.normalize().multiplyScalar(0.3 * body.mass()), true);
    });
  });
  useAfterPhysicsStep(() => {
    counts.after++;
  });
  useFrame(() => {
    counts.frames++;
  });
  return null;
}

export const worlds: Demo = {
  Scene: () => (
    <group>
      <RigidBody ref={pulled} position={[3, 0, 0]} colliders="ball" linearDamping={2}>
        <mesh>
          <sphereGeometry args={[0.5]} />
          <meshStandardMaterial color="green" />
        </mesh>
      </RigidBody>
      <RigidBody ref={falling} position={[8, 5, 0]} colliders="ball">
        <mesh>
          <sphereGeometry args={[0.5]} />
          <meshStandardMaterial color="orange" />
        </mesh>
      </RigidBody>
      <Attractor />
    </group>
  ),
  async verify({ steps, rapier, pause, until }) {
    await steps(60);
    const { world, setWorld, rapier: module, rigidBodyStates } = rapier();
    const distance = pulled.current!.translation().length();
    isPulling = false;
    const hit = world.castRay(new module.Ray({ x: 8, y: 20, z: 0 }, { x: 0, y: -2, z: 0 }), 100, true);
    pause(true);
    await until(() => rapier().isPaused);
    const bytes = world.takeSnapshot();
    const before = falling.current!.translation();
    const { stepCount } = world;
    rapier().step(1 / 60);
    const moved = world.stepCount === stepCount + 1;
    falling.current!.setTranslation({ x: 0, y: 30, z: 0 }, true);
    setWorld(module.World.restoreSnapshot(bytes));
    const back = falling.current!.translation().distanceTo(before);
    const state = rigidBodyStates.get(falling.current!.handle);
    world.gravity = { x: 0, y: 5, z: 0 };
    pause(false);
    await until(() => falling.current!.linvel().y > 1);
    return {
      'a call before steps pulls all bodies': distance < 2.5,
      'a ray is in lengths of its direction': hit !== null && near(hit.timeOfImpact * 2, 20 - (before.y + 0.5), 1.5),
      'it finds the collider': hit?.collider.parent() === falling.current,
      'a step by hand is one step': moved,
      'a snapshot brings back what was': back < 1e-6,
      'states know bodies and objects': state?.rigidBody === falling.current && state.object !== null,
      'components render again when the world is paused': renders.includes(true) && renders.at(-1) === false,
      'calls around steps are as many': Math.abs(counts.before - counts.after) <= 1 && counts.frames > 0,
      'gravity can be set': near(world.gravity.y, 5, 1e-6),
    };
  },
};
