// Joints: a car on motors, ropes and pendulums on anchors without colliders, all hooks.
import { useFrame } from '@react-three/fiber';
import { createRef, type RefObject, useRef } from 'react';
import {
  BallCollider,
  CylinderCollider,
  type JointApi,
  type RapierRigidBody,
  RigidBody,
  useFixedJoint,
  useImpulseJoint,
  usePrismaticJoint,
  useRapier,
  useRevoluteJoint,
  useRopeJoint,
  useSphericalJoint,
  useSpringJoint,
  type Vector3Tuple,
} from 'talus/react';
import { type Demo, near } from './kit';

const chassis = createRef<RapierRigidBody>();
const bob = createRef<RapierRigidBody>();
const pendulum = createRef<RapierRigidBody>();
const welded = createRef<RapierRigidBody>();
const sprung = createRef<RapierRigidBody>();
const slid = createRef<RapierRigidBody>();
const door = createRef<RapierRigidBody>();
let hinge: RefObject<JointApi | null>;

function Wheel({ body, at }: { body: RefObject<RapierRigidBody>; at: Vector3Tuple }) {
  const wheel = useRef<RapierRigidBody>(null!);
  const joint = useRevoluteJoint(body, wheel, [at, [0, 0, 0], [0, 0, 1]]);
  useFrame(() => {
    joint.current?.configureMotorVelocity(20, 10);
  });
  return (
    <RigidBody ref={wheel} position={[at[0], at[1] - 4, at[2] - 6]} colliders={false}>
      <CylinderCollider args={[0.25, 0.5]} rotation={[Math.PI / 2, 0, 0]} friction={1} />
      <mesh rotation={[Math.PI / 2, 0, 0]}>
        <cylinderGeometry args={[0.5, 0.5, 0.5]} />
        <meshStandardMaterial color="gray" />
      </mesh>
    </RigidBody>
  );
}

function Car() {
  const corners: Vector3Tuple[] = [
    [-1.5, 0, 1],
    [-1.5, 0, -1],
    [1.5, 0, 1],
    [1.5, 0, -1],
  ];
  return (
    <group>
      <RigidBody ref={chassis} position={[0, -4, -6]} colliders="cuboid">
        <mesh scale={[3, 0.5, 1]}>
          <boxGeometry />
          <meshStandardMaterial color="red" />
        </mesh>
      </RigidBody>
      {corners.map((at) => (
        <Wheel key={at.join()} body={chassis as RefObject<RapierRigidBody>} at={at} />
      ))}
    </group>
  );
}

function Anchored() {
  const anchor = useRef<RapierRigidBody>(null!);
  const { rapier } = useRapier();
  useSphericalJoint(anchor, pendulum as RefObject<RapierRigidBody>, [
    [0, 0, 0],
    [0, 2, 0],
  ]);
  useRopeJoint(anchor, bob as RefObject<RapierRigidBody>, [[0, 0, 0], [0, 0, 0], 3]);
  useFixedJoint(anchor, welded as RefObject<RapierRigidBody>, [
    [-3, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 0],
    [0, 0, 0, 1],
  ]);
  useSpringJoint(anchor, sprung as RefObject<RapierRigidBody>, [[5, 0, 0], [0, 0, 0], 1, 100, 5]);
  usePrismaticJoint(anchor, slid as RefObject<RapierRigidBody>, [
    [-6, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
    [-1, 0],
  ]);
  const data = rapier.JointData.revolute([-9, 0, 0], [0, 0, -1], [0, 1, 0]);
  hinge = useImpulseJoint(anchor, door as RefObject<RapierRigidBody>, data);
  const ball = (ref: RefObject<RapierRigidBody | null>, position: Vector3Tuple) => (
    <RigidBody ref={ref} position={position} colliders={false} canSleep={false}>
      <BallCollider args={[0.3]} />
      <mesh>
        <sphereGeometry args={[0.3]} />
        <meshStandardMaterial color="gold" />
      </mesh>
    </RigidBody>
  );
  return (
    <group>
      <RigidBody ref={anchor} position={[0, 4, 0]} />
      {ball(pendulum, [0, 2, 0])}
      {ball(bob, [2, 2, 0])}
      {ball(welded, [-3, 4, 0])}
      {ball(sprung, [5, 3, 0])}
      {ball(slid, [-6, 4, 0])}
      {ball(door, [-9, 4, 1])}
    </group>
  );
}

export const joints: Demo = {
  Scene: () => (
    <group>
      <Car />
      <Anchored />
    </group>
  ),
  async verify({ steps }) {
    await steps(120);
    hinge.current!.configureMotorPosition(1, 60, 15);
    await steps(120);
    const distance = (body: RefObject<RapierRigidBody | null>) =>
      body.current!.translation().distanceTo({ x: 0, y: 4, z: 0 } as never);
    const car = chassis.current!;
    return {
      'a car drives by its motors': Math.abs(car.translation().x) > 5 && Math.abs(car.linvel().x) > 2,
      'it stays upright': Math.abs(car.rotation().w) > 0.9,
      'a body without colliders holds what hangs on it': near(distance(pendulum), 2, 0.02),
      'a rope is no longer than it is': distance(bob) < 3.02,
      'a weld holds': near(welded.current!.translation().y, 4, 0.02),
      'a spring gives way by its weight': near(sprung.current!.translation().distanceTo({ x: 5, y: 4, z: 0 } as never), 1, 0.3),
      'a slider ends at its limit': near(slid.current!.translation().y, 3, 0.02),
      'a motor goes to its place': near(hinge.current!.state().place, 1, 0.1),
    };
  },
};
