// Connectors in React: crosses gather in the middle. The pointer pushes them, a click changes the colors.
import { Canvas, useThree } from '@react-three/fiber';
import { useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { BallCollider, CuboidCollider, Physics, RigidBody, useBeforePhysicsStep } from 'talus/react';
import { MathUtils, Quaternion, Vector3 } from 'three';

const ACCENTS = ['#4060ff', '#20ffa0', '#ff4060', '#ffcc00'];
const DARK = { color: '#444', roughness: 0.1, metalness: 0.2 };
const LIGHT = { color: 'white', roughness: 0.1, metalness: 0.1 };
const ARMS = [
  [0.38, 1.27, 0.38],
  [1.27, 0.38, 0.38],
  [0.38, 0.38, 1.27],
];

/** Three boxes across each other, pulled to the middle by a force that grows with the way. */
function Connector({ material, light }) {
  const body = useRef(null);
  const [position, rotation] = useMemo(() => {
    const place = [0, 0, 0].map(() => MathUtils.randFloatSpread(16));
    return [place, new Quaternion().random()];
  }, []);
  useBeforePhysicsStep(() => {
    const { current } = body;
    current.applyImpulse(current.translation().multiplyScalar(-0.05 * current.mass()), true);
  });
  return (
    <RigidBody
      ref={body}
      position={position}
      quaternion={rotation}
      linearDamping={4}
      angularDamping={1}
      friction={0.1}
      colliders={false}
    >
      {ARMS.map((size) => (
        <group key={size}>
          <CuboidCollider args={size} />
          <mesh castShadow receiveShadow>
            <boxGeometry args={size.map((half) => 2 * half)} />
            <meshStandardMaterial {...material} />
          </mesh>
        </group>
      ))}
      {light && <pointLight intensity={40} distance={6} color={material.color} />}
    </RigidBody>
  );
}

/** A ball that nobody sees, where the pointer is. */
function Pointer() {
  const ball = useRef(null);
  const { pointer, viewport } = useThree();
  const at = new Vector3();
  useBeforePhysicsStep(() => {
    at.set((pointer.x * viewport.width) / 2, (pointer.y * viewport.height) / 2, 0);
    ball.current.setNextKinematicTranslation(at);
  });
  return (
    <RigidBody ref={ball} type="kinematicPosition" position={[0, 0, 0]} colliders={false}>
      <BallCollider args={[1.2]} />
    </RigidBody>
  );
}

function App() {
  const [accent, setAccent] = useState(0);
  const glow = { ...DARK, color: ACCENTS[accent] };
  const materials = [DARK, DARK, DARK, LIGHT, LIGHT, LIGHT, glow, glow, glow];
  return (
    <Canvas
      shadows="percentage"
      camera={{ position: [0, 0, 15], fov: 35, near: 1, far: 40 }}
      onPointerMissed={() => setAccent((accent + 1) % ACCENTS.length)}
    >
      <color attach="background" args={['#141622']} />
      <hemisphereLight args={['#cfd8ff', '#30324a', 2]} />
      <directionalLight position={[5, 8, 10]} intensity={3} castShadow />
      <Physics gravity={[0, 0, 0]}>
        <Pointer />
        {[...materials, ...materials].map((material, i) => (
          <Connector key={i} material={material} light={i === 7} />
        ))}
      </Physics>
    </Canvas>
  );
}

createRoot(document.body.appendChild(Object.assign(document.createElement('div'), { style: 'height: 100vh' }))).render(<App />);
