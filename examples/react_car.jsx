// Car in React: W A S D drive, space is the handbrake. Hands off, it drives by itself, over ramps and into dolls.
import { Canvas, useFrame } from '@react-three/fiber';
import { useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { InstancedRigidBodies, Physics, Ragdoll, RigidBody, Vehicle, Wheel } from 'talus/react';
import { Vector3 } from 'three';

const NAMES = { KeyW: 'forward', KeyS: 'backward', KeyA: 'leftward', KeyD: 'rightward', Space: 'handbrake' };
const keys = {};
let touched = Number.NEGATIVE_INFINITY; // ms
const press = ({ code, type }) => {
  keys[NAMES[code]] = type === 'keydown';
  touched = performance.now();
};
for (const type of ['keydown', 'keyup']) addEventListener(type, press);
/** As the getter of drei's `useKeyboardControls`. */
function input() {
  const now = performance.now();
  return now - touched < 3000 ? keys : { forward: 0.5, leftward: Math.sin(now / 2500) > 0.6 ? 0.3 : 0 };
}

// Low, so that it does not roll over: kg, m, kg m2.
const mass = { mass: 1200, center: [0, -0.3, 0], inertia: [1700, 1900, 400, 0, 0, 0] };
function Car() {
  const chassis = useRef(null);
  useFrame(({ camera }, seconds) => {
    const at = chassis.current.localToWorld(new Vector3(0, 4, -9)).setY(4.5);
    camera.position.lerp(at, 1 - Math.exp(-3 * seconds)); // as fast at any frame rate
    camera.lookAt(chassis.current.getWorldPosition(at));
  });
  return (
    <Vehicle input={input} position={[0, 0.9, 0]} mass={mass} drive={{ torque: 1800, topSpeed: 35 }} steering={0.5}>
      <group ref={chassis}>
        <mesh castShadow>
          <boxGeometry args={[1.8, 0.6, 4]} />
          <meshStandardMaterial color="#c8664a" />
        </mesh>
        <mesh castShadow position={[0, 0.5, -0.3]}>
          <boxGeometry args={[1.5, 0.5, 1.8]} />
          <meshStandardMaterial color="#2f3e4d" />
        </mesh>
      </group>
      {[-0.9, 0.9].flatMap((x) =>
        [1.3, -1.3].map((z) => (
          <Wheel key={`${x} ${z}`} position={[x, -0.4, z]} radius={0.4} steered={z > 0} driven={z < 0} handbrake={z < 0}>
            <mesh castShadow rotation={[0, 0, Math.PI / 2]}>
              <cylinderGeometry args={[0.4, 0.4, 0.3, 24]} />
              <meshStandardMaterial color="#1f2933" flatShading />
            </mesh>
          </Wheel>
        )),
      )}
    </Vehicle>
  );
}

/** A part of a doll, as what it collides with. */
function Limb({ shape, position, rotation, color }) {
  return (
    <mesh castShadow position={position} quaternion={rotation}>
      {shape.type === 'box' && <boxGeometry args={shape.halfExtents.map((half) => 2 * half)} />}
      {shape.type === 'sphere' && <sphereGeometry args={[shape.radius, 24, 12]} />}
      {shape.type === 'capsule' && <capsuleGeometry args={[shape.radius, 2 * shape.halfHeight, 8, 16]} />}
      <meshStandardMaterial color={color} />
    </mesh>
  );
}
const COLORS = ['#4a7a8c', '#6f9a76', '#9a6a8c', '#e0b36a'];
const dolls = Array.from({ length: 8 }, (_, i) => ({
  position: [1.6 * (i % 4) - 2.4, 0, 22 + 3 * Math.floor(i / 4)],
  color: COLORS[i % 4],
}));
const crates = Array.from({ length: 40 }, (_, i) => ({ key: i, position: [25 * Math.sin(i), 0.5, 55 + 30 * Math.cos(2.3 * i)] }));

createRoot(document.body.appendChild(Object.assign(document.createElement('div'), { style: 'height: 100vh' }))).render(
  <Canvas shadows="percentage" camera={{ fov: 45, position: [0, 5, -10] }}>
    <color attach="background" args={['#dfe6ec']} />
    <fog attach="fog" args={['#dfe6ec', 20, 80]} />
    <hemisphereLight args={['white', '#64748b', 1.5]} />
    <directionalLight position={[10, 20, 12]} intensity={3} castShadow shadow-mapSize={2048}>
      <orthographicCamera attach="shadow-camera" args={[-40, 40, 40, -40]} />
    </directionalLight>
    <gridHelper args={[300, 60, '#8fa0ae', '#9fb0bd']} position={[0, 0.01, 0]} />
    <Physics density={60}>
      <RigidBody type="fixed">
        <mesh receiveShadow position={[0, -0.5, 0]}>
          <boxGeometry args={[300, 1, 300]} />
          <meshStandardMaterial color="#b0bdc8" />
        </mesh>
        <mesh castShadow receiveShadow position={[0, 0.6, 14]} rotation={[-0.2, 0, 0]}>
          <boxGeometry args={[5, 0.3, 8]} />
          <meshStandardMaterial color="#94a3b0" />
        </mesh>
      </RigidBody>
      <InstancedRigidBodies instances={crates} colliders="cuboid">
        <instancedMesh args={[undefined, undefined, 40]} castShadow receiveShadow>
          <boxGeometry />
          <meshStandardMaterial color="#e0b36a" />
        </instancedMesh>
      </InstancedRigidBodies>
      {dolls.map(({ position, color }, i) => (
        <Ragdoll key={i} position={position} density={1000} frictionLever={0.1}>
          {(part) => <Limb {...part} color={color} />}
        </Ragdoll>
      ))}
      <Car />
    </Physics>
  </Canvas>,
);
