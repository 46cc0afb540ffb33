// Bodies: in groups that are moved, turned and scaled; types that change; locks, damping, kinematic targets, calls of refs.
import { useFrame } from '@react-three/fiber';
import { createRef, useEffect, useRef, useState } from 'react';
import { euler, quat, type RapierRigidBody, RigidBody, type RigidBodyTypeString, vec3 } from 'talus/react';
import { Euler, type Mesh, Quaternion, Vector3 } from 'three';
import { type Demo, near } from './kit';

const spun = createRef<RapierRigidBody>();
const changing = createRef<RapierRigidBody>();
const locked = createRef<RapierRigidBody>();
const platform = createRef<RapierRigidBody>();
const rider = createRef<RapierRigidBody>();
const turned = createRef<RapierRigidBody>();
const nested = createRef<RapierRigidBody>();
const nestedMesh = createRef<Mesh>();
const pushed = createRef<RapierRigidBody>();
let setType: (type: RigidBodyTypeString) => void = () => undefined;
let clock = 0;

const Box = ({ color = 'orange' }: { color?: string }) => (
  <mesh>
    <boxGeometry />
    <meshStandardMaterial color={color} />
  </mesh>
);

function Spun() {
  useEffect(() => {
    spun.current?.applyTorqueImpulse({ x: 0, y: 0.5, z: 0 }, true);
  }, []);
  return (
    <RigidBody ref={spun} gravityScale={0} position={[-8, 3, 0]} colliders="cuboid">
      <Box />
    </RigidBody>
  );
}

function Changing() {
  const [type, set] = useState<RigidBodyTypeString>('fixed');
  setType = set;
  return (
    <RigidBody ref={changing} name="changing" type={type} colliders="trimesh" position={[-5, 3, 0]}>
      <Box color="gold" />
    </RigidBody>
  );
}

function Moved() {
  const time = useRef(0);
  useFrame((_, delta) => {
    time.current += delta;
    clock = time.current;
    platform.current?.setNextKinematicTranslation({ x: 4 + Math.sin(time.current), y: -3, z: 0 });
    platform.current?.setNextKinematicRotation(new Quaternion().setFromEuler(new Euler(0, time.current, 0)));
    turned.current?.setRotation(quat().setFromEuler(euler({ x: 0, y: 1, z: 0 })), true);
  });
  return (
    <group>
      <RigidBody ref={platform} type="kinematicPosition" position={[4, -3, 0]} colliders="cuboid" friction={1}>
        <mesh scale={[4, 0.5, 4]}>
          <boxGeometry />
          <meshStandardMaterial color="teal" />
        </mesh>
      </RigidBody>
      <RigidBody ref={rider} position={[4, -1, 0]} friction={1}>
        <Box color="crimson" />
      </RigidBody>
      <RigidBody ref={turned} type="fixed" position={[10, 0, 0]} canSleep={false}>
        <Box />
      </RigidBody>
    </group>
  );
}

function Scene() {
  return (
    <group>
      <Spun />
      <Changing />
      <Moved />
      <RigidBody
        ref={locked}
        position={[-2, 3, 0]}
        enabledTranslations={[true, false, true]}
        enabledRotations={[true, false, false]}
      >
        <Box />
      </RigidBody>
      <RigidBody ref={pushed} position={[0, 5, -4]} gravityScale={0} linearDamping={0}>
        <Box color="pink" />
      </RigidBody>
      <group rotation={[0, Math.PI / 2, 0]} position={[0, 2, 3]} scale={2}>
        <RigidBody ref={nested} position={[1, 0, 0]} colliders="cuboid">
          <mesh ref={nestedMesh}>
            <boxGeometry />
          </mesh>
        </RigidBody>
      </group>
    </group>
  );
}

export const bodies: Demo = {
  Scene,
  async verify({ steps, until, rapier }) {
    const { world } = rapier();
    const first = changing.current!.isFixed();
    setType('dynamic');
    await until(() => changing.current?.isDynamic());
    const body = pushed.current!;
    const mass = body.mass();
    body.addForce({ x: 2 * mass, y: 0, z: 0 }, true);
    const force = body.userForce().x;
    const begun = world.stepCount;
    await steps(30);
    const seconds = (world.stepCount - begun) / 60;
    body.resetForces(true);
    const speed = body.linvel().x;
    await steps(30);
    const after = body.linvel().x;
    body.setAdditionalMass(3, true);
    const more = body.mass();
    body.setAngvel({ x: 0, y: 1, z: 0 }, true);
    const atPoint = body.velocityAtPoint(body.worldCom().add(vec3({ x: 1, y: 0, z: 0 })));
    await steps(90);
    const drawn = nestedMesh.current!.getWorldPosition(new Vector3());
    spun.current!.setNextKinematicTranslation({ x: 0, y: 0, z: 0 });
    return {
      'an effect finds the body, with the mass that Rapier gives it': near(spun.current!.angvel().y, 0.5 * 6, 0.01),
      'a body of triangles becomes dynamic and falls': first && changing.current!.translation().y < -4,
      'locks hold': near(locked.current!.translation().y, 3, 1e-3),
      'a force lasts until it is reset':
        near(speed, 2 * seconds, 1e-3) && near(after, speed, 1e-3) && near(force, 2 * mass, 1e-6),
      'a mass comes on top': near(more, mass + 3, 1e-3),
      'the velocity of a point turns with the body': near(atPoint.z, -1, 0.05),
      'a platform carries what is on it': Math.abs(rider.current!.translation().y + 2.25) < 0.1 && clock > 0,
      'a turned body stays turned': near(turned.current!.rotation().y, Math.sin(0.5), 1e-3),
      'a body in a scaled group has the size that is drawn': near(nested.current!.translation().y, -4, 0.02),
      'it is drawn where it is': near(drawn.z, nested.current!.translation().z, 0.01) && near(drawn.z, 1, 0.2),
      'numbers of types are those of Rapier': changing.current!.bodyType() === 0 && turned.current!.bodyType() === 1,
      'a call for another type does nothing': near(spun.current!.translation().x, -8, 0.1),
    };
  },
};
