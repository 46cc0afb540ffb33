// Mistakes: what cannot be made is reported by the name of its component, and the rest of the scene goes on.
import { createRef } from 'react';
import {
  BallCollider,
  CoefficientCombineRule,
  ConvexHullCollider,
  HeightfieldCollider,
  InstancedRigidBodies,
  type RapierRigidBody,
  RigidBody,
} from 'talus/react';
import { type Demo, near } from './kit';

const good = createRef<RapierRigidBody>();
const bad = createRef<RapierRigidBody>();
const partly = createRef<RapierRigidBody>();
const many = createRef<(RapierRigidBody | null)[]>();

export const errors: Demo = {
  Scene: () => (
    <group>
      <RigidBody
        ref={good}
        name="good"
        position={[0, 3, 0]}
        solverGroups={1}
        softCcdPrediction={0.1}
        dominanceGroup={1}
        frictionCombineRule={CoefficientCombineRule.Min}
      >
        <mesh>
          <boxGeometry />
          <meshStandardMaterial color="green" />
        </mesh>
      </RigidBody>
      <RigidBody ref={bad} name="bad" friction={-1} position={[3, 3, 0]}>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
      <RigidBody ref={partly} name="partly" colliders={false} position={[-3, 3, 0]}>
        <BallCollider args={[0.5]} />
        <ConvexHullCollider name="flat" args={[[0, 0, 0, 1, 0, 0, 2, 0, 0]]} />
      </RigidBody>
      <HeightfieldCollider name="short" args={[2, 2, [0, 0, 0], { x: 1, y: 1, z: 1 }]} position={[9, 9, 9]} />
      <InstancedRigidBodies
        ref={many}
        name="crowd"
        instances={[
          { key: 'a', position: [5, 3, 0] },
          { key: 'b', position: [7, 3, 0], restitution: -2 },
        ]}
      >
        <instancedMesh args={[undefined, undefined, 2]}>
          <boxGeometry />
          <meshStandardMaterial />
        </instancedMesh>
      </InstancedRigidBodies>
    </group>
  ),
  async verify({ steps }) {
    await steps(120);
    return {
      'the rest of the scene goes on': near(good.current!.translation().y, -4.5, 0.02),
      'a body that cannot be made has no ref': bad.current === null,
      'a body without its bad collider falls': partly.current!.numColliders() === 1 && partly.current!.translation().y < -4,
      'an instance that cannot be made is left out':
        many.current!.length === 2 && many.current![1] === null && many.current![0] !== null,
    };
  },
};
