// Character in React: W A S D walk, shift runs, space jumps, dragging turns the camera. Stairs, slopes, lifts, a seesaw and crates.
import { Canvas, useFrame, useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Character, InstancedRigidBodies, Physics, RigidBody, useBeforePhysicsStep, useRevoluteJoint } from 'talus/react';
import { Vector3 } from 'three';

const NAMES = { KeyW: 'forward', KeyS: 'backward', KeyA: 'leftward', KeyD: 'rightward', Space: 'jump', ShiftLeft: 'run' };
const keys = {};
let touched = Number.NEGATIVE_INFINITY; // ms
const press = ({ code, type }) => {
  keys[NAMES[code]] = type === 'keydown';
  touched = performance.now();
};
for (const type of ['keydown', 'keyup']) addEventListener(type, press);
/** As the getter of drei's `useKeyboardControls`. Nobody there: a walk in circles. */
function input() {
  const now = performance.now();
  return now - touched < 3000 ? keys : { joystick: { x: Math.cos(now / 2000), y: Math.sin(now / 2000) } };
}

/** A mesh that is a body. */
function Block({ size, color = '#94a3b0', ...body }) {
  return (
    <RigidBody type="fixed" {...body}>
      <mesh castShadow receiveShadow>
        <boxGeometry args={size} />
        <meshStandardMaterial color={color} />
      </mesh>
    </RigidBody>
  );
}
/** A kinematic body that goes where `move` has it after so many seconds: position, turn about y. */
function Mover({ move, ...block }) {
  const body = useRef(null);
  useBeforePhysicsStep((world) => {
    const [position, turn] = move((world.stepCount + 1) / 60);
    body.current.setNextKinematicTranslation(position);
    body.current.setNextKinematicRotation([0, Math.sin(turn / 2), 0, Math.cos(turn / 2)]);
  });
  return <Block ref={body} type="kinematicPosition" position={move(0)[0]} {...block} />;
}
function Seesaw() {
  const [base, plank] = [useRef(null), useRef(null)];
  useRevoluteJoint(base, plank, [
    [0, 0.4, 0],
    [0, 0, 0],
    [0, 0, 1],
  ]);
  return [
    <Block key="base" ref={base} size={[0.3, 0.8, 2]} position={[-1, 0.4, 8]} />,
    <Block key="plank" ref={plank} type="dynamic" density={120} size={[6, 0.15, 2]} position={[-1, 0.8, 8]} color="#9a6a8c" />,
  ];
}
const crates = Array.from({ length: 18 }, (_, i) => ({
  key: i,
  position: [0.85 * (i % 6) - 2, 0.4 + 0.8 * Math.floor(i / 6), -7],
}));
const lift = (t) => [[-2.2 + 2 * Math.cos(t / 2), 1.35 + 1.1 * Math.sin(t), -11], 0];
const disc = (t) => [[4, 0.1, 4], t];

function Walker() {
  const model = useRef(null);
  const view = useRef({ yaw: 0.6, pitch: 0.4 });
  const { gl } = useThree();
  useEffect(() => {
    gl.domElement.onpointermove = ({ buttons, movementX, movementY }) => {
      if (!buttons) return;
      view.current.yaw -= movementX / 200;
      view.current.pitch = Math.min(Math.max(view.current.pitch + movementY / 200, 0.05), 1.4);
    };
  }, [gl]);
  useFrame(({ camera }) => {
    const at = model.current.getWorldPosition(new Vector3());
    camera.position.setFromSphericalCoords(7, Math.PI / 2 - view.current.pitch, view.current.yaw).add(at);
    camera.lookAt(at.setY(at.y + 0.5));
  });
  const turn = (angle) => {
    view.current.yaw += angle;
  };
  return (
    <Character input={input} onGroundTurn={turn} position={[0, 0, 2]} speed={3} runSpeed={6} jumpSpeed={5}>
      <group ref={model} position={[0, 0.9, 0]}>
        <mesh castShadow>
          <capsuleGeometry args={[0.3, 1.2, 8, 24]} />
          <meshStandardMaterial color="#c8664a" />
        </mesh>
        <mesh position={[0, 0.55, 0.22]}>
          <boxGeometry args={[0.36, 0.14, 0.2]} />
          <meshStandardMaterial color="#1f2933" />
        </mesh>
      </group>
    </Character>
  );
}

createRoot(document.body.appendChild(Object.assign(document.createElement('div'), { style: 'height: 100vh' }))).render(
  <Canvas shadows="percentage" camera={{ fov: 45 }}>
    <color attach="background" args={['#dfe6ec']} />
    <fog attach="fog" args={['#dfe6ec', 20, 80]} />
    <hemisphereLight args={['white', '#64748b', 1.5]} />
    <directionalLight position={[7, 14, 8]} intensity={3} castShadow shadow-mapSize={2048}>
      <orthographicCamera attach="shadow-camera" args={[-18, 18, 18, -18]} />
    </directionalLight>
    <Physics>
      <Block size={[200, 1, 200]} position={[0, -0.5, 0]} color="#b0bdc8" />
      {Array.from({ length: 10 }, (_, i) => (
        <Block key={i} size={[3, 0.25, 0.6]} position={[-6, 0.125 + 0.25 * i, -3 - 0.6 * i]} />
      ))}
      <Block size={[3, 2.5, 4]} position={[-6, 1.25, -11]} />
      {[0.3, 0.6, 1].map((angle, i) => (
        <Block key={angle} size={[2, 0.3, 8]} position={[5 + 2.5 * i, 1, -6]} rotation={[angle, 0, 0]} />
      ))}
      <Mover size={[3, 0.3, 3]} color="#4a7a8c" move={lift} />
      <Mover size={[4, 0.2, 4]} color="#6f9a76" move={disc} />
      <Seesaw />
      <InstancedRigidBodies instances={crates} colliders="cuboid" density={40}>
        <instancedMesh args={[undefined, undefined, 18]} castShadow receiveShadow>
          <boxGeometry args={[0.8, 0.8, 0.8]} />
          <meshStandardMaterial color="#e0b36a" />
        </instancedMesh>
      </InstancedRigidBodies>
      <Walker />
    </Physics>
  </Canvas>,
);
