// Characters, vehicles and ragdolls in React Three Fiber, in StrictMode, for controllers.test.ts to drive through `window.talus`: frames come
// when a test asks for them, at the rate that it asks for.
import { Canvas, type RootState, useFrame, useThree } from '@react-three/fiber';
import { createElement as h, type ReactNode, StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Bone,
  BoxGeometry,
  Float32BufferAttribute,
  type Group,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
  Skeleton,
  SkinnedMesh,
  Uint16BufferAttribute,
  Vector3,
} from 'three';
import type { WheelDesc } from '../../../src/controllers/index';
import {
  Character,
  type CharacterApi,
  type CharacterInput,
  type CharacterProps,
  Physics,
  Ragdoll,
  type RagdollApi,
  type RagdollPart,
  type RagdollProps,
  RigidBody,
  type RigidBodyApi,
  type RigidBodyProps,
  type TalusContext,
  useBeforePhysicsStep,
  useCharacter,
  useRagdoll,
  useTalus,
  useVehicle,
  Vehicle,
  type VehicleApi,
  type VehicleInput,
  type VehicleProps,
  Wheel,
} from '../../../src/react/index';
import { humanSkeleton } from '../../../src/rigs/index';

const log: string[] = [];
const refs: Record<string, never> = {};
const objects: Record<string, Object3D> = {};
let context: TalusContext | null = null;
let root3: RootState | null = null;
let setProps: (change: Record<string, unknown>) => void = () => undefined;
/** What is down, for the getters. */
const keys: CharacterInput & VehicleInput = {};
/** Called in each frame by a component that was mounted before the ragdoll's, as animations are. */
let animate: (() => void) | null = null;

const ref = (name: string) => (found: unknown) => {
  if (found) refs[name] = found as never;
  else delete refs[name];
};
const object = (name: string) => (found: Object3D | null) => {
  if (found) objects[name] = found;
  else delete objects[name];
};
const box = (size: [number, number, number], color = '#8a8f98') =>
  h('mesh', { castShadow: true, receiveShadow: true }, h('boxGeometry', { args: size }), h('meshStandardMaterial', { color }));
const fixed = (
  key: string,
  position: [number, number, number],
  size: [number, number, number],
  props: Partial<RigidBodyProps> = {},
) => h(RigidBody, { key, type: 'fixed', position, ...props }, box(size));
const floor = fixed('floor', [0, -0.5, 0], [400, 1, 400]);

/** Where `useFrame` of a child found the character. */
const seen = new Vector3();
function Watch(): null {
  context = useTalus();
  root3 = useThree();
  // As a camera that follows.
  useFrame(() => {
    objects.walker?.getWorldPosition(seen);
  });
  return null;
}

/** Version of the props whose effects have run; -1 while nothing is mounted. */
let settled = -1;
let version = 0;
let hasFailed = false;
addEventListener('error', () => {
  hasFailed = true;
});
function Settle({ at }: { at: number }): null {
  useEffect(() => {
    settled = at;
    return () => {
      settled = -1;
    };
  }, [at]);
  return null;
}

/** A kinematic body that turns by `rate` and rises by `speed`. */
function Platform({ rate = 0, speed = 0 }: { rate?: number; speed?: number }): ReactNode {
  const body = useRef<RigidBodyApi>(null);
  useBeforePhysicsStep((world) => {
    const time = (world.stepCount + 1) / 60;
    body.current?.setNextKinematicTranslation([0, -0.5 + speed * time, 0]);
    body.current?.setNextKinematicRotation([0, Math.sin((rate * time) / 2), 0, Math.cos((rate * time) / 2)]);
  });
  return h(RigidBody, { ref: body, type: 'kinematicPosition', position: [0, -0.5, 0] }, box([8, 1, 8], '#6f9a76'));
}

/** A human of bones, each with a box that follows it. */
function makeModel(): Group['children'][0] {
  const rest = humanSkeleton();
  const bones = rest.map(({ name }) => Object.assign(new Bone(), { name }));
  for (const [i, { parent, position }] of rest.entries()) {
    const home = parent < 0 ? null : rest[parent]!.position;
    bones[i]!.position.set(position[0] - (home?.[0] ?? 0), position[1] - (home?.[1] ?? 0), position[2] - (home?.[2] ?? 0));
    if (parent >= 0) bones[parent]!.add(bones[i]!);
  }
  const [points, normals, indices, skin, weights] = [[], [], [], [], []] as number[][] as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  const cube = new BoxGeometry(0.12, 0.12, 0.12);
  for (const [i, { position }] of rest.entries()) {
    const [p, n, first] = [cube.getAttribute('position'), cube.getAttribute('normal'), points.length / 3];
    for (let k = 0; k < p.count; k++) {
      points.push(p.getX(k) + position[0], p.getY(k) + position[1], p.getZ(k) + position[2]);
      normals.push(n.getX(k), n.getY(k), n.getZ(k));
      skin.push(i, 0, 0, 0);
      weights.push(1, 0, 0, 0);
    }
    for (const k of cube.index!.array) indices.push(first + k);
  }
  const geometry = new BoxGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  geometry.deleteAttribute('uv');
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(skin, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  geometry.setIndex(indices);
  geometry.clearGroups();
  const mesh = new SkinnedMesh(geometry, new MeshStandardMaterial({ color: '#c8664a' }));
  mesh.add(bones[0]!);
  mesh.bind(new Skeleton(bones));
  return mesh;
}

/** A model whose bones an animation writes in each frame, as `useAnimations` of drei does. */
function Model(): ReactNode {
  const [model] = useState(makeModel);
  objects.model = model;
  useFrame(() => animate?.());
  return h('primitive', { object: model });
}

const WHEELS: WheelDesc[] = [-0.8, 0.8].flatMap((x) => [
  { position: [x, -0.4, 1.3], radius: 0.4, steered: true },
  { position: [x, -0.4, -1.3], radius: 0.4, driven: true, handbrake: true },
]);
const MASS = { mass: 1200, center: [0, -0.3, 0] as [number, number, number], inertia: [1700, 1900, 400, 0, 0, 0] };
const tire = h(
  'mesh',
  { rotation: [0, 0, Math.PI / 2] },
  h('cylinderGeometry', { args: [0.4, 0.4, 0.3, 24] }),
  h('meshStandardMaterial', { color: '#1f2933' }),
);

/** A car of one's own: `useVehicle` on a body that is there. */
function OwnCar(): ReactNode {
  const body = useRef<RigidBodyApi>(null);
  const car = useVehicle(body, { wheels: WHEELS, drive: { torque: 1800 }, input: () => keys });
  refs.car = car as never;
  return h(RigidBody, { ref: body, position: [0, 0.8, 0], mass: MASS as never }, box([1.8, 0.6, 4], '#c8664a'));
}

function Own(): ReactNode {
  const body = useRef<Group>(null);
  const model = useRef<Group>(null);
  refs.walker = useCharacter(body, { input: () => keys, ahead: [1, 0, 0] }) as never;
  refs.doll = useRagdoll(model) as never;
  refs.human = useRagdoll(null, { height: 1.2 }) as never;
  return [
    h('group', { key: 'walker', ref: body, position: [0, 0, 3] }, box([0.5, 1.8, 0.5])),
    h('group', { key: 'model', ref: model, position: [3, 1, 0] }, h(Model)),
  ];
}

type Props = Record<string, never>;
const scenes: Record<string, (props: Props) => ReactNode> = {
  walk: ({ more, walls, gone, ...props }) => [
    floor,
    walls,
    gone
      ? null
      : h(
          Character,
          { key: 'walker', ref: ref('walker'), name: 'player', input: () => keys, ...(props as CharacterProps) },
          h('group', { ref: object('walker') }, box([0.4, 1.8, 0.4], '#c8664a')),
        ),
    more,
  ],
  ride: (props) => [
    h(Platform, { key: 'platform', rate: 0.8, speed: 0.5 }),
    h(
      Character,
      { key: 'walker', ref: ref('walker'), position: [2, 0, 0], ...(props as CharacterProps) },
      h('group', { ref: object('walker') }),
    ),
  ],
  drive: ({ wheels = 4, tires, gone, ...props }) => [
    floor,
    gone
      ? null
      : h(
          Vehicle,
          {
            key: 'car',
            ref: ref('car'),
            body: ref('chassis'),
            position: [0, 0.8, 0],
            mass: MASS,
            drive: { torque: 1800, topSpeed: 35 },
            input: () => keys,
            ...(props as unknown as VehicleProps),
          } as VehicleProps,
          h('group', { key: 'body', ref: object('car') }, box([1.8, 0.6, 4], '#c8664a')),
          WHEELS.slice(0, wheels).map(({ position, ...wheel }, i) =>
            h(
              Wheel,
              {
                ...wheel,
                key: i,
                ref: object(`wheel${i}`),
                position: position as [number, number, number],
                ...(tires as object),
              },
              tire,
            ),
          ),
        ),
  ],
  doll: ({ gone, late, ...props }) => [
    floor,
    gone
      ? null
      : h(Ragdoll, { key: 'doll', ref: ref('doll'), position: [0, 1, 0], ...(props as RagdollProps) }, late ? null : h(Model)),
  ],
  parts: (props) => [
    floor,
    h(Ragdoll, { key: 'doll', ref: ref('doll'), position: [0, 1, 0], ...(props as RagdollProps) }, (({
      name,
      shape,
      position,
      rotation,
    }: RagdollPart) =>
      h(
        'mesh',
        { ref: object(name), position: position as never, quaternion: rotation as never, userData: { shape: shape.type } },
        h('boxGeometry', { args: [0.1, 0.1, 0.1] }),
        h('meshStandardMaterial'),
      )) as never),
  ],
  own: () => [floor, h(Own, { key: 'own' })],
  ownCar: () => [floor, h(OwnCar, { key: 'own' })],
};

let first: Record<string, unknown> = {};
function App({ scene }: { scene: string }): ReactNode {
  const [{ physics = {}, frameloop = 'never', at, ...props }, set] = useState(first as Record<string, never>);
  setProps = (change) => set((old: Record<string, never>) => ({ ...old, ...(change as Record<string, never>) }));
  return h(
    Canvas,
    { camera: { position: [0, 4, 9], fov: 45 }, frameloop, gl: { preserveDrawingBuffer: true } },
    h('ambientLight', { intensity: 0.8 }),
    h('directionalLight', { position: [6, 12, 8], intensity: 2 }),
    h('color', { attach: 'background', args: ['#dfe6ee'] }),
    h(Physics, physics as object, h(Watch, { key: 'watch' }), scenes[scene]!(props as Props), h(Settle, { at })),
  );
}

let root: ReturnType<typeof createRoot> | null = null;
/** Of the renderer, while frames do not paint. */
let painter: RootState['gl']['render'] | null = null;
let time = 0;
const harness = {
  log,
  refs: refs as unknown as {
    walker: CharacterApi;
    car: VehicleApi;
    chassis: RigidBodyApi;
    doll: RagdollApi;
  },
  /** Those of hooks. */
  hooks: refs as unknown as {
    walker: { current: CharacterApi | null };
    car: { current: VehicleApi | null };
    doll: { current: RagdollApi | null };
    human: { current: RagdollApi | null };
  },
  objects,
  seen,
  keys,
  h,
  fixed,
  RigidBody,
  Vector3,
  Quaternion,
  get context() {
    return context!;
  },
  get state() {
    return root3!;
  },
  set animate(call: (() => void) | null) {
    animate = call;
  },
  press(down: CharacterInput & VehicleInput) {
    for (const key of Object.keys(keys)) delete keys[key as never];
    Object.assign(keys, down);
  },
  /** Frames at a rate, each told to `call` after it. They are not painted: software takes long. */
  frames(hz: number, seconds: number, call: (frame: number) => void = () => undefined) {
    const count = Math.round(hz * seconds);
    const { scene, gl } = root3!;
    gl.render = () => scene.updateMatrixWorld();
    for (let i = 0; i < count; i++) {
      time += 1 / hz;
      root3!.advance(time);
      call(i);
    }
  },
  /** One frame that is painted. */
  paint() {
    root3!.gl.render = painter!;
    time += 1 / 60;
    root3!.advance(time);
  },
  at: (name: string) => objects[name]!.getWorldPosition(new Vector3()),
  turnOf: (name: string) => {
    const front = new Vector3(0, 0, 1).applyQuaternion(objects[name]!.getWorldQuaternion(new Quaternion()));
    return Math.atan2(front.x, front.z);
  },
  async set(change: Record<string, unknown>) {
    hasFailed = false;
    setProps({ ...change, at: ++version });
    await harness.until(() => settled === version || hasFailed);
  },
  async show(scene: string, props: Record<string, unknown> = {}) {
    await harness.hide();
    log.length = 0;
    for (const name of Object.keys(objects)) delete objects[name];
    context = null;
    time = 0;
    first = { ...props, at: ++version };
    animate = null;
    harness.press({});
    root = createRoot(document.getElementById('root')!);
    root.render(h(StrictMode, null, h(App, { scene })));
    await harness.until(() => settled === version);
    painter = root3!.gl.render;
  },
  async hide() {
    root?.unmount();
    root = null;
    await harness.until(() => settled === -1);
  },
  async until(test: () => unknown, ms = 30_000) {
    const end = performance.now() + ms;
    while (!test()) {
      if (performance.now() > end) throw new Error(`waited in vain for ${test}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  },
};
export type Harness = typeof harness;
(window as unknown as { talus: Harness }).talus = harness;
