// Shapes: collider components with refs, from meshes, round ones, heightfields, triangles on dynamic bodies, compounds.
import { createRef } from 'react';
import {
  AnyCollider,
  BallCollider,
  CapsuleCollider,
  ConeCollider,
  ConvexHullCollider,
  CuboidCollider,
  CylinderCollider,
  HeightfieldCollider,
  MeshCollider,
  type RapierCollider,
  type RapierRigidBody,
  RigidBody,
  type RigidBodyProps,
  RoundConeCollider,
  RoundCuboidCollider,
  RoundCylinderCollider,
  TrimeshCollider,
} from 'talus/react';
import { TorusGeometry } from 'three';
import { type Demo, near } from './kit';

const CELLS = 9;
const heights = Array.from({ length: (CELLS + 1) ** 2 }, (_, i) => (i % 2 ? 0.4 : 0));
const torus = new TorusGeometry(0.6, 0.25, 8, 16);
const round = createRef<RapierCollider>();
const skinned = createRef<RapierRigidBody>();
const alone = createRef<RapierCollider>();
const field = createRef<RapierRigidBody>();
const hidden = createRef<RapierRigidBody>();
const shown = createRef<RapierRigidBody>();
const bodies = Array.from({ length: 12 }, () => createRef<RapierRigidBody>());
const LYING = bodies.map((_, i) => i);

function Shape({ index, ...props }: RigidBodyProps & { index: number }) {
  return <RigidBody ref={bodies[index]!} position={[index * 2 - 11, 2, 0]} colliders={false} {...props} />;
}

function Scene() {
  return (
    <group>
      <Shape index={0}>
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </Shape>
      <Shape index={1}>
        <RoundCuboidCollider ref={round} args={[0.3, 0.3, 0.3, 0.2]} />
      </Shape>
      <Shape index={2}>
        <BallCollider args={[0.5]} />
      </Shape>
      <Shape index={3}>
        <CapsuleCollider args={[0.5, 0.4]} />
      </Shape>
      <Shape index={4}>
        <CylinderCollider args={[0.5, 0.4]} />
      </Shape>
      <Shape index={5}>
        <ConeCollider args={[0.5, 0.4]} />
      </Shape>
      <Shape index={6}>
        <RoundConeCollider args={[0.5, 0.4, 0.1]} />
      </Shape>
      <Shape index={7}>
        <RoundCylinderCollider args={[0.4, 0.3, 0.1]} />
      </Shape>
      <Shape index={8}>
        <ConvexHullCollider args={[torus.attributes.position!.array]} />
      </Shape>
      <Shape index={9} name="ring">
        <TrimeshCollider args={[torus.attributes.position!.array, torus.index?.array || []]} mass={1} />
      </Shape>
      <Shape index={10} colliders="trimesh">
        <mesh geometry={torus}>
          <meshStandardMaterial color="orange" />
        </mesh>
      </Shape>
      <Shape index={11}>
        <AnyCollider shape="cuboid" args={[0.3, 0.3, 0.3]} position={[0.5, 0, 0]} />
        <MeshCollider type="ball">
          <mesh position={[-0.5, 0, 0]}>
            <sphereGeometry args={[0.3]} />
          </mesh>
        </MeshCollider>
      </Shape>

      <RigidBody ref={skinned} colliders="ball" position={[-8, 2, 6]} contactSkin={0.5}>
        <mesh>
          <sphereGeometry args={[1]} />
        </mesh>
      </RigidBody>
      <RigidBody ref={field} colliders={false} position={[0, -2, -8]}>
        <HeightfieldCollider args={[CELLS, CELLS, heights, { x: 10, y: 1, z: 10 }]} />
      </RigidBody>
      <RigidBody ref={hidden} colliders="cuboid" position={[0, 8, 6]}>
        <mesh>
          <boxGeometry />
        </mesh>
        <mesh visible={false} position={[2, 0, 0]}>
          <boxGeometry />
        </mesh>
      </RigidBody>
      <RigidBody ref={shown} colliders="cuboid" includeInvisible position={[6, 8, 6]}>
        <mesh visible={false}>
          <boxGeometry />
        </mesh>
      </RigidBody>
      <group position={[0, -4, 8]}>
        <CuboidCollider ref={alone} args={[1, 1, 1]} rotation={[0.1, 0, 0]} />
      </group>
    </group>
  );
}

export const shapes: Demo = {
  Scene,
  async verify({ steps, rapier }) {
    await steps(150);
    const { world } = rapier();
    const lying = LYING.filter((i) => {
      const { y } = bodies[i]!.current!.translation();
      return y > -5.1 && y < -3;
    });
    const hit = world.castRay([0.55, 5, -8.55], [0, -1, 0], { excludeBody: hidden.current!.id });
    return {
      'every body lies on the floor': lying.length === LYING.length,
      'a collider has a ref with its body': round.current?.parent() === bodies[1]!.current,
      'a round box is as large as its border says': near(bodies[1]!.current!.translation().y, -4.5, 0.02),
      'triangles of a dynamic body have a mass': near(bodies[9]!.current!.mass(), 1, 1e-4),
      'a contact skin keeps off, and weighs nothing':
        near(skinned.current!.translation().y, -3.5, 0.02) && near(skinned.current!.mass(), (4 / 3) * Math.PI, 1e-3),
      'a compound has its parts': bodies[11]!.current!.numColliders() === 2,
      'a dynamic heightfield stands still': near(field.current!.translation().y, -2, 1e-6),
      'the heightfield is where Rapier has it': hit !== null && near(hit.point[1]!, -1.8, 0.21),
      'invisible meshes count only if asked for': hidden.current!.numColliders() === 1 && shown.current!.numColliders() === 1,
      'a collider outside of a body has a ref': alone.current?.isValid() === true && alone.current.parent() === null,
      'masses are those of Rapier': near(bodies[0]!.current!.mass(), 1, 1e-4),
    };
  },
};
