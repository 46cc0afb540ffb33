// Instances: many bodies of one mesh, their colliders from nodes, a list that changes.
import { createRef, useState } from 'react';
import {
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  type InstancedRigidBodyProps,
  type RapierRigidBody,
} from 'talus/react';
import type { InstancedMesh } from 'three';
import { type Demo, near } from './kit';

const plain = createRef<RapierRigidBody[]>();
const compound = createRef<RapierRigidBody[]>();
const mesh = createRef<InstancedMesh>();
let setCount: (count: number) => void = () => undefined;
let hits = 0;

const make = (i: number): InstancedRigidBodyProps => ({
  key: i,
  position: [(i % 5) * 2 - 5, 1 + Math.floor(i / 5) * 2, 0],
  rotation: [0, i, 0],
  scale: [1 + (i % 2), 1, 1],
  ...(i === 3 && {
    onCollisionEnter: () => {
      hits++;
    },
  }),
});

function Plain() {
  const [count, set] = useState(20);
  setCount = set;
  return (
    <InstancedRigidBodies
      ref={plain}
      instances={Array.from({ length: count }, (_, i) => make(i))}
      colliders="cuboid"
      linearDamping={0.1}
    >
      <instancedMesh ref={mesh} args={[undefined, undefined, 50]} count={count}>
        <boxGeometry />
        <meshStandardMaterial color="skyblue" />
      </instancedMesh>
    </InstancedRigidBodies>
  );
}

const nodes = [
  <BallCollider key="a" args={[0.4]} position={[-0.5, 0, 0]} />,
  <CuboidCollider key="b" args={[0.3, 0.3, 0.3]} position={[0.5, 0, 0]} />,
];

function Scene() {
  return (
    <group>
      <Plain />
      <group scale={0.5}>
        <InstancedRigidBodies
          ref={compound}
          colliders={false}
          colliderNodes={nodes}
          instances={Array.from({ length: 10 }, (_, i) => ({
            key: i,
            position: [i * 3 - 15, 4, 12],
            scale: [1, 1 + (i % 2), 1],
          }))}
        >
          <instancedMesh args={[undefined, undefined, 10]}>
            <boxGeometry args={[1.6, 0.6, 0.6]} />
            <meshStandardMaterial color="yellow" />
          </instancedMesh>
        </InstancedRigidBodies>
      </group>
    </group>
  );
}

export const instances: Demo = {
  Scene,
  async verify({ steps, until }) {
    await steps(120);
    const kept = plain.current![5]!.handle;
    const [one, two] = [compound.current![0]!, compound.current![1]!];
    const damping = plain.current![0]!.linearDamping();
    const y = one.translation().y;
    one.applyImpulse({ x: 0, y: 2 * one.mass(), z: 0 }, true);
    const speed = one.linvel().y;
    setCount(8);
    await until(() => plain.current!.length === 8);
    return {
      'all fall and lie': plain.current!.every((body) => body.translation().y > -5) && near(y, -4.8, 0.08),
      'nodes are colliders of each body': one.numColliders() === 2,
      'they are as large as their instance': near(two.collider(1).halfExtents()!.y / one.collider(1).halfExtents()!.y, 2, 1e-4),
      'the scale of the group counts': near(one.collider(0).radius()!, 0.2, 1e-5),
      'refs are bodies': near(speed, 2, 0.05) && near(damping, 0.1, 1e-6),
      'a shorter list keeps what stays': plain.current![5]!.handle === kept && mesh.current!.count === 8,
      'an instance has handlers of its own': hits > 0,
    };
  },
};
