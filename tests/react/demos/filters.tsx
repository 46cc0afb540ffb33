// Filter hooks: a platform that lets a ball through from below, and a sensor that hears of one ball alone.
import { createRef, useEffect } from 'react';
import {
  BallCollider,
  CuboidCollider,
  type RapierCollider,
  type RapierRigidBody,
  RigidBody,
  useBeforePhysicsStep,
  useFilterContactPair,
  useFilterIntersectionPair,
  useRapier,
} from 'talus/react';
import type { Demo } from './kit';

const platform = createRef<RapierRigidBody>();
const board = createRef<RapierCollider>();
const jumper = createRef<RapierRigidBody>();
const walker = createRef<RapierRigidBody>();
const gate = createRef<RapierCollider>();
const state = { y: 0, speed: 0, asked: 0, highest: -10 };
const log: string[] = [];

function Platform() {
  const { rapier } = useRapier();
  useBeforePhysicsStep(() => {
    if (!jumper.current) return;
    state.y = jumper.current.translation().y;
    state.speed = jumper.current.linvel().y;
    state.highest = Math.max(state.highest, state.y);
  });
  useFilterContactPair((_collider1, _collider2, body1, body2) => {
    const pair = [body1, body2];
    if (!pair.includes(platform.current!.handle) || !pair.includes(jumper.current!.handle)) return null;
    state.asked++;
    return state.speed < 0 && state.y > 0 ? rapier.SolverFlags.COMPUTE_IMPULSE : rapier.SolverFlags.EMPTY;
  });
  useFilterIntersectionPair((_collider1, _collider2, body1, body2) => [body1, body2].includes(walker.current!.handle));
  useEffect(() => {
    board.current?.setActiveHooks(rapier.ActiveHooks.FILTER_CONTACT_PAIRS);
    gate.current?.setActiveHooks(rapier.ActiveHooks.FILTER_INTERSECTION_PAIRS);
  }, [rapier]);
  return (
    <RigidBody type="fixed" ref={platform}>
      <CuboidCollider args={[4, 0.1, 4]} ref={board} />
      <mesh>
        <boxGeometry args={[8, 0.2, 8]} />
        <meshStandardMaterial color="orange" transparent opacity={0.5} />
      </mesh>
    </RigidBody>
  );
}

export const filters: Demo = {
  Scene: () => (
    <group>
      <Platform />
      <RigidBody ref={jumper} position={[0, -4, 0]} colliders="ball" linearVelocity={[0, 12, 0]}>
        <mesh>
          <sphereGeometry args={[0.5]} />
          <meshStandardMaterial color="red" />
        </mesh>
      </RigidBody>
      <RigidBody ref={walker} position={[2, 5, 0]} colliders="ball">
        <mesh>
          <sphereGeometry args={[0.4]} />
        </mesh>
      </RigidBody>
      <RigidBody type="fixed" position={[8, -2, 0]}>
        <CuboidCollider
          ref={gate}
          sensor
          args={[1, 1, 1]}
          onIntersectionEnter={() => log.push('in')}
          onIntersectionExit={() => log.push('out')}
        />
      </RigidBody>
      <RigidBody position={[8, 3, 0]} colliders={false}>
        <BallCollider args={[0.3]} />
      </RigidBody>
    </group>
  ),
  async verify({ steps }) {
    await steps(200);
    const ball = jumper.current!.translation();
    const other = walker.current!.translation();
    return {
      'the hook is asked': state.asked > 10,
      'the ball jumps through': state.highest > 1,
      'it comes to rest on top': ball.y > 0.55 && ball.y < 0.7,
      'what is not asked about lies on the platform': other.y > 0.4 && other.y < 0.6,
      'a refused overlap is not heard of': log.length === 0,
    };
  },
};
