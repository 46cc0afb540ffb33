// The page of the demos: one of them in React Three Fiber's StrictMode, driven by demos.test.ts through `window.demos`.
import { Canvas, useFrame } from '@react-three/fiber';
import { StrictMode, Suspense, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { Physics, type RapierContext, RigidBody, useAfterPhysicsStep, useRapier } from 'talus/react';
import { bodies } from './bodies';
import { errors } from './errors';
import { events } from './events';
import { filters } from './filters';
import type { DemoHarness } from './harness';
import { instances } from './instances';
import { joints } from './joints';
import type { Demo, Stage } from './kit';
import { shapes } from './shapes';
import { worlds } from './worlds';

const DEMOS: Record<string, Demo> = { shapes, bodies, events, joints, instances, worlds, filters, errors };
const MOST_MS = 90_000;

let rapier: RapierContext | null = null;
let steps = 0;
let frames = 0;
let setPaused: (isPaused: boolean) => void = () => undefined;

function Probe() {
  rapier = useRapier();
  useAfterPhysicsStep(() => {
    steps++;
  });
  useFrame(() => {
    frames++;
  });
  return null;
}

function App({ demo: { Scene } }: { demo: Demo }) {
  const [paused, set] = useState(false);
  setPaused = set;
  return (
    <Suspense fallback="Loading...">
      <Canvas dpr={1} camera={{ position: [0, 4, 22] }} gl={{ preserveDrawingBuffer: true }}>
        <StrictMode>
          <Physics paused={paused} timeStep={1 / 60}>
            <directionalLight position={[10, 10, 10]} intensity={2} />
            <ambientLight />
            <color attach="background" args={['#cde']} />
            <Scene />
            <RigidBody type="fixed" colliders="cuboid" name="floor">
              <mesh position={[0, -6, 0]} scale={[100, 2, 100]}>
                <boxGeometry />
                <meshStandardMaterial color="#9ab" />
              </mesh>
            </RigidBody>
            <Probe />
          </Physics>
        </StrictMode>
      </Canvas>
    </Suspense>
  );
}

async function until(condition: () => unknown): Promise<void> {
  const end = performance.now() + MOST_MS;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${condition}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

const stage: Stage = {
  rapier: () => rapier!,
  steps: (count) => {
    const last = steps + count;
    return until(() => steps >= last);
  },
  until,
  pause: (isPaused) => setPaused(isPaused),
};

let root: Root | null = null;

const harness: DemoHarness = {
  names: Object.keys(DEMOS),
  async run(name) {
    root?.unmount();
    [rapier, steps, frames] = [null, 0, 0];
    const demo = DEMOS[name]!;
    root = createRoot(document.getElementById('root')!);
    root.render(<App demo={demo} />);
    await until(() => rapier && frames > 1);
    const claims = await demo.verify(stage);
    return { ...claims, 'the canvas is there': document.querySelector('canvas') !== null && frames > 2 };
  },
};
Object.assign(window, { demos: harness });
