// Events: collisions with their manifold, sensors, forces of contacts, sleep; handlers of bodies and of colliders.
import { createRef, useCallback, useState } from 'react';
import {
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

function Scene() {
  return (
    <group>
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
    await until(() => log.includes('out') && forces.length > 0 && log.includes('sleep'));
    return {
      'payloads have both sides and the fields of Rapier': log.some((line) => line === 'enter true true 1.0'),
      'the manifold has the point': !!point && near(point.y, -5, 0.05) && near(point.x, 0, 0.05),
      'the other object has its name': other === 'floor',
      'a sensor tells who comes and goes': log.includes('in stone') && log.indexOf('out') > log.indexOf('in stone'),
      'the force of an impact is told in its step': forces[0]! > 500,
      'restitution above 1 halves off a floor without any': dropped.current!.isValid(),
      // All groups by default: a body that meets group 3 alone meets the floor, which is in all.
      'bodies without groups are in all of them': passing.current!.translation().y > -5.1,
    };
  },
};
