// Events: collisions with their manifold, sensors, forces of contacts, sleep; handlers of bodies and of colliders.
import { useFrame } from '@react-three/fiber';
import { createRef, useCallback, useState } from 'react';
import {
  ActiveCollisionTypes,
  BallCollider,
  type CollisionEnterHandler,
  type ContactForceHandler,
  CuboidCollider,
  interactionGroups,
  type RapierRigidBody,
  RigidBody,
  type RigidBodyOptions,
} from 'talus/react';
import { type Demo, near } from './kit';

const log: string[] = [];
const forces: number[] = [];
let point: { x: number; y: number; z: number } | null | undefined;
let other: string | undefined;
let ballRef: RapierRigidBody | null = null;
const passing = createRef<RapierRigidBody>();
const dropped = createRef<RapierRigidBody>();
const sweeper = createRef<RapierRigidBody>();
let swept = 0;

interface BallProps extends RigidBodyOptions {
  color: string;
}

function Ball({ color, ...props }: BallProps) {
  const [isHit, setHit] = useState(false);
  const onEnter: CollisionEnterHandler = useCallback((payload) => {
    setHit(true);
    const { manifold, target, rigidBodyObject, collider } = payload;
    point ??= manifold?.solverContactPoint(0);
    other ??= rigidBodyObject?.name;
    log.push(
      `enter ${target.rigidBody === ballRef} ${collider.parent() === payload.other.rigidBody} ${manifold.normal().length().toFixed(1)}`,
    );
  }, []);
  return (
    <RigidBody
      ref={(body) => {
        ballRef = body;
      }}
      {...props}
      colliders="ball"
      onCollisionEnter={onEnter}
      onCollisionExit={() => log.push('exit')}
      onSleep={() => log.push('sleep')}
    >
      <mesh>
        <sphereGeometry args={[0.5]} />
        <meshStandardMaterial color={isHit ? 'blue' : color} />
      </mesh>
    </RigidBody>
  );
}

const onForce: ContactForceHandler = ({ totalForceMagnitude, totalForce, maxForceMagnitude }) => {
  if (maxForceMagnitude === totalForceMagnitude && totalForce.length() > 0) forces.push(totalForceMagnitude);
};

/** A kinematic body that goes to and fro through a static one. */
function Sweeper() {
  useFrame(() => {
    swept += 0.05;
    sweeper.current?.setTranslation({ x: -9 + 2 * Math.sin(swept), y: 2, z: 0 }, true);
  });
  return (
    <group>
      <RigidBody
        ref={sweeper}
        colliders="ball"
        type="kinematicPosition"
        activeCollisionTypes={ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.KINEMATIC_FIXED}
        onCollisionEnter={({ other: { rigidBodyObject } }) => log.push(`meets ${rigidBodyObject?.name}`)}
        onCollisionExit={() => log.push('leaves')}
      >
        <mesh>
          <sphereGeometry args={[0.5]} />
        </mesh>
      </RigidBody>
      <RigidBody type="fixed" name="wall" position={[-9, 2, 0]} colliders="cuboid">
        <mesh>
          <boxGeometry args={[0.2, 2, 2]} />
        </mesh>
      </RigidBody>
    </group>
  );
}

function Scene() {
  return (
    <group>
      <Sweeper />
      <Ball color="red" position={[0, 2, 0]} />
      <RigidBody ref={dropped} position={[4, 6, 0]} colliders="cuboid" restitution={1.5} onContactForce={onForce}>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
      <RigidBody type="fixed" name="gate" position={[-4, 0, 0]}>
        <CuboidCollider
          args={[1, 1, 1]}
          sensor
          onIntersectionEnter={({ other: { rigidBodyObject } }) => log.push(`in ${rigidBodyObject?.name}`)}
          onIntersectionExit={() => log.push('out')}
        />
      </RigidBody>
      <RigidBody name="stone" position={[-4, 5, 0]} colliders={false} collisionGroups={interactionGroups([1])}>
        <BallCollider args={[0.3]} />
      </RigidBody>
      <RigidBody ref={passing} name="ghost" position={[8, 4, 0]} collisionGroups={interactionGroups(2, [3])} colliders="ball">
        <mesh>
          <sphereGeometry args={[0.4]} />
        </mesh>
      </RigidBody>
    </group>
  );
}

export const events: Demo = {
  Scene,
  async verify({ until }) {
    await until(() => log.includes('out') && forces.length > 0 && log.includes('sleep') && log.includes('leaves'));
    return {
      'payloads have both sides and the fields of Rapier': log.some((line) => line === 'enter true true 1.0'),
      'the manifold has the point': !!point && near(point.y, -5, 0.05) && near(point.x, 0, 0.05),
      'kinematic bodies hear of static ones, where they ask for it':
        log.indexOf('leaves') > log.indexOf('meets wall') && log.includes('meets wall'),
      'what makes that possible is not among their colliders': sweeper.current!.numColliders() === 1,
      'the other object has its name': other === 'floor',
      'a sensor tells who comes and goes': log.includes('in stone') && log.indexOf('out') > log.indexOf('in stone'),
      'the force of an impact is told in its step': forces[0]! > 500,
      'restitution above 1 halves off a floor without any': dropped.current!.isValid(),
      // All groups by default: a body that meets group 3 alone meets the floor, which is in all.
      'bodies without groups are in all of them': passing.current!.translation().y > -5.1,
    };
  },
};
