// Scenes in React Three Fiber, in StrictMode, for react.test.ts to drive through `window.talus`.
import { Canvas, type CanvasProps, useFrame } from '@react-three/fiber';
import {
  Fragment,
  createElement as h,
  type ReactNode,
  type RefObject,
  StrictMode,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import { createRoot } from 'react-dom/client';
import { BoxGeometry, type InstancedMesh, type Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from 'three';
import { Character } from '../../../src/controllers/index';
import {
  BallCollider,
  CapsuleCollider,
  CuboidCollider,
  HeightfieldCollider,
  HullCollider,
  InstancedRigidBodies,
  type InstanceProps,
  type JointApi,
  MeshCollider,
  Physics,
  type PhysicsProps,
  RigidBody,
  type RigidBodyApi,
  type RigidBodyProps,
  type TalusContext,
  TrimeshCollider,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useFixedJoint,
  useJoint,
  usePrismaticJoint,
  useRevoluteJoint,
  useRopeJoint,
  useSphericalJoint,
  useSpringJoint,
  useTalus,
} from '../../../src/react/index';

const log: string[] = [];
const refs: Record<string, RigidBodyApi | null> = {};
const joints: Record<string, RefObject<JointApi | null>> = {};
const meshes: Record<string, Mesh | null> = {};
let context: TalusContext | null = null;
/** All that were seen since a scene began. */
const contexts = new Set<TalusContext>();
let instances: (RigidBodyApi | null)[] | null = null;
let setProps: (change: Record<string, unknown>) => void = () => undefined;
let counts = { before: 0, after: 0 };
/** What each frame found: s since the one before, steps so far, and how long the last was, s. */
let frames: { delta: number; steps: number; dt: number }[] = [];

function Watch(): null {
  context = useTalus();
  contexts.add(context);
  const { world } = context;
  useFrame((_state, delta) => {
    frames.push({ delta, steps: world.stepCount, dt: world.settings.dt });
  });
  useBeforePhysicsStep(() => {
    counts.before++;
  });
  useAfterPhysicsStep((world) => {
    if (world.stepCount > 0) counts.after++;
  });
  return null;
}

const ref = (name: string) => (api: RigidBodyApi | null) => {
  refs[name] = api;
};
const box = (size: [number, number, number], color: string, name?: string) =>
  h(
    'mesh',
    {
      castShadow: true,
      receiveShadow: true,
      ref: (mesh: Mesh | null) => {
        if (name) meshes[name] = mesh;
      },
    },
    h('boxGeometry', { args: size }),
    h('meshStandardMaterial', { color }),
  );
const floor = (props: Partial<RigidBodyProps> = {}) =>
  h(RigidBody, { type: 'fixed', position: [0, -0.5, 0], ...props, key: 'floor' }, box([20, 1, 20], '#8a8f98'));

/** A character that walks, drawn where it is between steps. */
let walker: Character | null = null;
let feet: number[] = [];
function Walker(): null {
  const { world } = useTalus();
  useEffect(() => {
    const made = new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [0, 0, 0] });
    walker = made;
    return () => made.dispose();
  }, [world]);
  useFrame(() => {
    if (walker) feet.push(walker.getPose([0, 0, 0])[0]!);
  });
  return null;
}

const scenes: Record<string, (props: Record<string, never>) => ReactNode> = {
  basics: (props) => [
    floor(),
    h(
      RigidBody,
      {
        key: 'crate',
        ref: ref('crate'),
        position: [0, 3, 0],
        rotation: [0, 0.4, 0],
        density: 100,
        friction: 0.7,
        userData: { loot: 3 },
        onCollisionEnter: ({ target, other, event }) =>
          log.push(`hit ${target.rigidBody === refs.crate} ${other.rigidBody?.type} ${event.impulse > 100}`),
        onCollisionExit: () => log.push('left'),
        onSleep: () => log.push('sleep'),
        onWake: () => log.push('wake'),
        ...props,
      },
      box([1, 1, 1], 'orange', 'crate'),
    ),
  ],
  colliders: () => [
    floor({ onIntersectionEnter: () => log.push('wrong') }),
    h(
      RigidBody,
      { key: 'compound', ref: ref('compound'), position: [0, 2, 0], colliders: false },
      h(BallCollider, { args: [0.5], position: [-1, 0, 0], density: 100 }),
      h(CapsuleCollider, { args: [0.5, 0.25], position: [1, 0, 0], rotation: [0, 0, Math.PI / 2] }),
      h(HullCollider, { args: [[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]] }),
      h(MeshCollider, { type: 'ball' }, h('mesh', { scale: 0.5, position: [0, 1, 0] }, h('sphereGeometry'))),
    ),
    h(
      RigidBody,
      { key: 'mixed', ref: ref('mixed'), position: [5, 2, 0], colliders: 'cuboid' },
      box([1, 1, 1], 'teal'),
      h(MeshCollider, { type: 'hull' }, h('mesh', { position: [0, 1, 0] }, h('torusGeometry', { args: [0.5, 0.2] }))),
    ),
    h(
      RigidBody,
      { key: 'zone', ref: ref('zone'), type: 'fixed', colliders: false, position: [0, 1, 0] },
      h(CuboidCollider, {
        args: [2, 1, 2],
        sensor: true,
        onIntersectionEnter: ({ other }) => log.push(`enter ${other.rigidBody === refs.compound}`),
        onIntersectionExit: () => log.push('exit'),
      }),
    ),
    h(TrimeshCollider, {
      key: 'tri',
      position: [-6, 0, 0],
      args: [
        [-1, 0, -1, -1, 0, 1, 1, 0, 1],
        [0, 1, 2],
      ],
    }),
    h(HeightfieldCollider, { key: 'field', position: [0, -9, 0], args: [2, 2, [0, 0, 0, 0], 4] }),
  ],
  joints: () => h(Joints),
  instances: (props) => h(Many, props as unknown as { instances: InstanceProps[] }),
  /** What rests in one way or another, and what falls. */
  resting: (props) => [
    floor(),
    h(RigidBody, { key: 'off', enabled: false, position: [4, 3, 0] }, box([1, 1, 1], 'gray')),
    h(
      RigidBody,
      { key: 'lift', ref: ref('lift'), type: 'kinematicPosition', position: [-4, 1, 0] },
      box([1, 0.2, 1], 'teal', 'lift'),
    ),
    h(RigidBody, { key: 'crate', ref: ref('crate'), position: [0, 1, 0], ...props }, box([1, 1, 1], 'orange', 'crate')),
  ],
  walking: () => [
    floor(),
    h(RigidBody, { key: 'crate', position: [4, 4, 4] }, box([1, 1, 1], 'orange')),
    h(Walker, { key: 'walker' }),
  ],
  suspends: () => [floor(), h(Late, { key: 'late' })],
  toggles: (props) => [floor(), ...(props.isOn ? [...Array(10).keys()].map((i) => h(Toggled, { key: i, x: i - 5 })) : [])],
  picture: () => [
    floor(),
    ...[...Array(30).keys()].map((i) =>
      h(
        RigidBody,
        { key: i, position: [(i % 3) - 1, 0.5 + Math.floor(i / 3) * 1.05, 0], rotation: [0, i, 0] },
        box([0.9, 0.9, 0.9], `hsl(${i * 12}, 70%, 55%)`),
      ),
    ),
    h(
      RigidBody,
      { key: 'ball', colliders: 'ball', position: [-8, 3, 0], linearVelocity: [18, 2, 0], density: 4000 },
      h('mesh', null, h('sphereGeometry', { args: [0.8] }), h('meshStandardMaterial', { color: 'crimson' })),
    ),
  ],
};

/** What a child waits for: a model that is loading. */
let loading: Promise<void> | null = null;
function Late(): ReactNode {
  loading ??= new Promise((done) => setTimeout(done, 300));
  use(loading);
  return h(RigidBody, { position: [0, 2, 0], ref: ref('late') }, box([1, 1, 1], 'teal'));
}

function Toggled({ x }: { x: number }): ReactNode {
  return h(
    RigidBody,
    { position: [x, 3, 0], colliders: false, ref: ref('toggled') },
    h('mesh', null, h('boxGeometry'), h('meshStandardMaterial')),
    h(BallCollider, { args: [0.3 + 0.01 * x] }),
  );
}

function Joints(): ReactNode {
  const a = useRef<RigidBodyApi>(null);
  const b = useRef<RigidBodyApi>(null);
  const c = useRef<RigidBodyApi>(null);
  const d = useRef<RigidBodyApi>(null);
  const e = useRef<RigidBodyApi>(null);
  const f = useRef<RigidBodyApi>(null);
  const g = useRef<RigidBodyApi>(null);
  joints.hinge = useRevoluteJoint(a, b, [
    [0.6, 0, 0],
    [-0.6, 0, 0],
    [0, 0, 1],
    [-0.5, 0.5],
  ]);
  joints.ball = useSphericalJoint(b, c, [
    [0.6, 0, 0],
    [-0.6, 0, 0],
  ]);
  joints.rope = useRopeJoint(a, d, [[0, 0, 0], [0, 0, 0], 2]);
  joints.spring = useSpringJoint(a, e, [[0, 0, 0], [0, 0, 0], 1, 20_000, 100]);
  joints.slider = usePrismaticJoint(a, f, [
    [0, 0, 2],
    [0, 0, 0],
    [0, 1, 0],
    [-1, 0],
  ]);
  joints.fixed = useFixedJoint(a, g, [
    [0, 0, -2],
    [0, 0, 0, 1],
    [0, 0, 0],
    [0, 0, 0, 1],
  ]);
  joints.world = useJoint(null, c, { type: 'distance', anchorA: [3, 9, 0], anchorB: [0, 0, 0], limit: { min: 0, max: 6 } });
  const places: [RefObject<RigidBodyApi | null>, [number, number, number]][] = [
    [a, [0, 6, 0]],
    [b, [1.2, 6, 0]],
    [c, [2.4, 6, 0]],
    [d, [0, 4.5, 0]],
    [e, [-2, 6, 0]],
    [f, [0, 6, 2]],
    [g, [0, 6, -2]],
  ];
  return places.map(([body, position], i) =>
    h(
      RigidBody,
      {
        key: i,
        ref: (api: RigidBodyApi | null) => {
          body.current = api;
          refs[`j${i}`] = api;
        },
        position,
        type: i === 0 ? 'fixed' : 'dynamic',
      },
      box([1, 0.3, 0.3], '#48a'),
    ),
  );
}

const geometry = new BoxGeometry(0.5, 0.5, 0.5);
const material = new MeshStandardMaterial({ color: 'skyblue' });
let instanced: InstancedMesh | null = null;
function Many({ instances: list }: { instances: InstanceProps[] }): ReactNode {
  return [
    floor(),
    h(
      InstancedRigidBodies,
      {
        key: 'many',
        instances: list,
        restitution: 0.1,
        ref: (all: (RigidBodyApi | null)[] | null) => {
          instances = all;
        },
        onCollisionEnter: () => log.push('instance'),
      },
      h('instancedMesh', {
        args: [geometry, material, 1000],
        ref: (mesh: InstancedMesh | null) => {
          instanced = mesh;
        },
      }),
    ),
  ];
}

interface SceneProps {
  physics?: PhysicsProps;
  canvas?: Partial<CanvasProps>;
}
/** Those that a scene begins with. */
let first: SceneProps = {};

function App({ scene }: { scene: string }): ReactNode {
  const [{ physics = {}, canvas = {}, ...props }, set] = useState<SceneProps>(first);
  setProps = (change) => set((old) => ({ ...old, ...change }));
  return h(
    Canvas,
    { camera: { position: [6, 6, 12], fov: 45 }, shadows: true, gl: { preserveDrawingBuffer: true }, ...canvas },
    h('ambientLight', { intensity: 0.6 }),
    h('directionalLight', { position: [6, 12, 8], intensity: 2, castShadow: true }),
    h('color', { attach: 'background', args: ['#dfe6ee'] }),
    h(
      Physics,
      // That of water: what impulses and springs of these scenes are made for.
      { density: 1000, ...physics },
      h(Watch, { key: 'watch' }),
      h(Fragment, { key: 'scene' }, scenes[scene]!(props as Record<string, never>)),
    ),
  );
}

let root: ReturnType<typeof createRoot> | null = null;
const harness = {
  log,
  refs,
  joints,
  meshes,
  Vector3,
  SphereGeometry,
  get context() {
    return context!;
  },
  contexts,
  get counts() {
    return counts;
  },
  get frames() {
    return frames;
  },
  get instances() {
    return instances!;
  },
  get instanced() {
    return instanced!;
  },
  set(change: Record<string, unknown>) {
    setProps(change);
  },
  async show(scene: string, props: Record<string, unknown> = {}) {
    await harness.hide();
    log.length = 0;
    counts = { before: 0, after: 0 };
    frames = [];
    context = null;
    contexts.clear();
    first = props;
    root = createRoot(document.getElementById('root')!);
    root.render(h(StrictMode, null, h(App, { scene })));
    await harness.until(() => context !== null && context.world.stepCount > 12);
  },
  async hide() {
    root?.unmount();
    root = null;
    await new Promise((done) => setTimeout(done, 50));
  },
  walker: () => walker!,
  /** Where the character was drawn in each frame since the last call, x. */
  takeFeet() {
    const found = feet;
    feet = [];
    return found;
  },
  async until(test: () => unknown, ms = 30_000) {
    const end = performance.now() + ms;
    const isTrue = () => {
      try {
        return test();
      } catch (error) {
        // The world of a component that begins again.
        if ((error as { code?: string }).code === 'disposed') return false;
        throw error;
      }
    };
    while (!isTrue()) {
      if (performance.now() > end) throw new Error(`waited in vain for ${test}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  },
};
export type Harness = typeof harness;
(window as unknown as { talus: Harness }).talus = harness;
