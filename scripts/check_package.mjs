// What a user gets from the registry: `npm run check` runs this after the build. Packs the package, has publint and attw look at the
// tarball, and compiles a small program against it with the oldest and the newest TypeScript that are supported, under every
// kind of module resolution and without skipLibCheck, with and without the DOM library and the types of WebGPU; and others with
// three.js and React, with Babylon.js, with PlayCanvas. Builds the scene of the README with Vite.
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build/consumer');
/** A declaration as large as this holds something else than types: the core as text would have 260 kB. */
const DECLARATION_BYTES = 40_000;

const PROGRAM = `
import { type BodyId, createWorld, type QueryHit, TalusError, type Vec3, type World, type WorldOptions } from 'talus';
import { createWorld as createStudy, type World as StudyWorld, type WorldOptions as StudyOptions } from 'talus/study';
import { createNet, createRagdoll, type Ragdoll } from 'talus/rigs';
import { Character, Vehicle } from 'talus/controllers';
import { loadPhysics, readGlb } from 'talus/gltf';
import { type StepEvents, TalusWorker } from 'talus/worker';
import address from 'talus/talus.wasm';
import 'talus/gpu';
import 'talus/thread';
import { createWorld as createSlim, type World as SlimWorld, type WorldOptions as SlimOptions } from 'talus/slim';
import { TalusWorker as SlimWorker } from 'talus/slim/worker';
import { Character as SingleCharacter, createWorld as createSingle } from 'talus/single';

class Vector {
  constructor(public x: number, public y: number, public z: number) {}
}
class Rotation {
  get x() { return 0; }
  set x(_: number) {}
  y = 0;
  z = 0;
  w = 1;
}

const options: WorldOptions = { gravity: new Vector(0, -9.81, 0), preset: 'high', wasm: new Uint8Array(8) };
export async function main(): Promise<number> {
  const world: World = await createWorld(options);
  const shape = world.createShape({ type: 'box', halfExtents: { x: 1, y: 1, z: 1 } });
  const many: World = await createWorld({ threads: 'auto', threadChoice: 'always', threadWorker: '/thread.js' });
  const { threads, threadsReason }: { readonly threads: number; readonly threadsReason: string } = many.settings;
  many.set({ ...world.settings, threads: threads + threadsReason.length + many.profile.threads });
  // @ts-expect-error no number
  many.set({ threads: 'all' });
  const body: BodyId = world.createBody({ shape, position: [0, 1, 0], rotation: new Rotation() });
  const at: Vector = world.getPosition(body, new Vector(0, 0, 0));
  const typed: Float32Array = world.getRotation(body, new Float32Array(4));
  const list: number[] = world.getPosition(body, [0, 0, 0]);
  const hit: QueryHit | null = world.castRay(at, [0, -1, 0] as const satisfies Vec3);
  for (const event of world.events) if (event.kind === 'begin') world.removeBody(event.bodyA);
  const { json, buffers } = readGlb(new Uint8Array(8));
  loadPhysics(world, json, { buffers, position: at }).onTrigger(({ kind, body }) => kind === 'enter' && world.wake(body));
  const poses = world.gpuPoses;
  if (poses) poses.buffer.destroy();
  const { alpha }: { readonly alpha: number } = world.advance(0.1, { afterStep: () => undefined });
  world.getPose(body, at, new Rotation(), alpha);
  const drawn: number = world.readMatrices(typed, { bodies: new Uint32Array(1), scales: new Float32Array(3) });
  const far: TalusWorker = await TalusWorker.create({ gravity: [0, -1, 0], shared: false });
  const there: BodyId = far.createBody({ shape: far.createShape({ type: 'sphere', radius: 1 }) });
  far.applyImpulse(there, [0, drawn, 0]);
  const met: QueryHit | null = await far.castRay(at, [0, -1, 0]);
  const { dt }: { readonly dt: number } = await far.settings;
  const speed: [number, number, number] = await far.getLinearVelocity(there);
  const told: StepEvents[] = far.takeEvents();
  far.start({ speed: dt + speed.length + told.length + (met ? 1 : 0) });
  // @ts-expect-error misspelled
  far.applyImpuls(there, [0, 1, 0]);
  // @ts-expect-error a promise
  (far.castRay(at, [0, -1, 0])).body;
  const name: string = address;
  const study: StudyWorld = await createStudy({ ...options, solver: 'pair-split', frictionModel: 'pyramid' } satisfies StudyOptions);
  study.set({ stabilization: 'baumgarte' });
  const doll: Ragdoll = createRagdoll(study, { bodies: 17, position: new Vector(0, 1, 0) });
  doll.setPose({ head: new Rotation() }, 0.5);
  createNet(world, { corner: [0, 3, 0], right: [1, 0, 0], down: [0, -1, 0], columns: 4, rows: 4, radius: 0.05 });
  const player = new Character(world, { shape: { type: 'sphere', radius: 1 }, position: new Vector(0, 1, 0) });
  player.getPosition(new Vector(0, 0, 0));
  new Vehicle(world, { body, wheels: [{ position: [0, 0, 0], radius: 1 }] }).controls.steering = 1;
  player.walk({ velocity: new Vector(1, 0, 0) });
  const slim: SlimWorld = await createSlim({ wasm: address, sleep: false } satisfies SlimOptions);
  const same: World = slim;
  await createSlim({ wasm: new Uint8Array(8) });
  // @ts-expect-error no core
  await createSlim({ wasm: 7 });
  // @ts-expect-error an address is for talus/slim
  await createWorld({ wasm: address });
  const thread: SlimWorker = await SlimWorker.create({ wasm: address, shared: false });
  thread.applyImpulse(there, [0, 1, 0]);
  // @ts-expect-error made by create
  new TalusWorker({}, {});
  new SingleCharacter(await createSingle(), { shape: { type: 'sphere', radius: 1 }, position: [0, 1, 0] }).getPosition(same.getPosition(body, [0, 0, 0]));
  // @ts-expect-error misspelled
  createRagdoll(world, { heigth: 2 });
  // @ts-expect-error a solver of talus/study
  world.set({ solver: 'pair-split' });
  // @ts-expect-error an option of talus/study
  await createWorld({ frictionModel: 'pyramid' });
  // A package that resolves to nothing gives any, which allows all of these.
  // @ts-expect-error a shape is no body
  world.getPosition(shape, list);
  // @ts-expect-error misspelled
  world.createBody({ shap: shape });
  // @ts-expect-error a step takes no time
  world.step(1 / 60);
  // @ts-expect-error no vector
  world.teleport(body, 'there');
  // @ts-expect-error no address
  const wrong: number = address;
  // @ts-expect-error unknown code
  if (new TalusError('stale-handle', '').code === 'stale') return wrong;
  return at.x + typed[0]! + list[0]! + (hit ? hit.distance : 0) + name.length;
}
`;
/** With the types of WebGPU its own types go in and come out; without them a device can still be passed. */
const WITH_GPU = `
import type { GpuPoses, World } from 'talus';
export async function gpu(world: World, device: GPUDevice, poses: GpuPoses): Promise<GPUBuffer> {
  await world.setBackend('webgpu', device);
  // @ts-expect-error no device
  await world.setBackend('webgpu', new Date());
  const own: GPUDevice = poses.device;
  own.createBuffer({ size: 4, usage: 1 });
  return poses.buffer;
}
`;
const WITHOUT_GPU = `
import type { GpuPoses, World } from 'talus';
export async function gpu(world: World, poses: GpuPoses): Promise<number> {
  await world.setBackend('webgpu', poses.device);
  // @ts-expect-error no device
  await world.setBackend('webgpu', new Date());
  return poses.buffer.size;
}
`;

/** Entries for engines, with the packages that their users bring. */
const WITH_THREE = `
import { type BodyId, createWorld, type DebugLines } from 'talus';
import { DebugRenderer, shapesFromGeometry, type ShapePart, ThreePhysics } from 'talus/three';
import { canDrawOnGpu, GpuInstances } from 'talus/three/webgpu';
import { addPhysics, type GltfIssue, type GltfPhysics, registerPhysics } from 'talus/gltf';
import { createElement, type RefObject } from 'react';
import {
  Character, type CharacterApi, Physics, Ragdoll, RigidBody, type RigidBodyApi, useRevoluteJoint, Vehicle, type VehicleApi, Wheel,
} from 'talus/react';
import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export async function draw(renderer: WebGPURenderer): Promise<number> {
  const world = await createWorld();
  const physics = new ThreePhysics(world);
  const one: BodyId = physics.add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()), { friction: 0.5, shape: 'hull' });
  const many: BodyId[] = physics.add(new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3), { type: 'static' });
  const place: Vector3 = world.getPosition(one, new Vector3());
  world.teleport(one, place, new Quaternion());
  const parts: ShapePart[] = shapesFromGeometry(new BoxGeometry());
  const lines: DebugLines = world.readDebugLines({ contacts: false });
  physics.attach(new DebugRenderer(world, { bounds: true }));
  if (canDrawOnGpu(renderer)) physics.attach(new GpuInstances(world, renderer));
  const level: GltfPhysics = await addPhysics(physics, await registerPhysics(new GLTFLoader()).loadAsync('level.glb'), { maxVertices: 32 });
  const issues: readonly GltfIssue[] = level.unsupported;
  physics.follow(new Mesh(), level.body(issues[0]?.node ?? 'crate'));
  // @ts-expect-error no such option
  await addPhysics(physics, await new GLTFLoader().loadAsync('level.glb'), { buffers: [] });
  // @ts-expect-error misspelled
  physics.add(new Mesh(), { fricton: 1 });
  // @ts-expect-error a number is no object
  physics.add(3);
  return many.length + parts.length + lines.count;
}
export function Door({ frame, leaf }: { frame: { current: RigidBodyApi | null }; leaf: { current: RigidBodyApi | null } }) {
  const joint = useRevoluteJoint(frame, leaf, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
  joint.current?.setLimits(0, 1);
  const body: Vector3 | undefined = leaf.current?.translation();
  // @ts-expect-error no such type
  createElement(RigidBody, { type: 'heavy' });
  return createElement(Physics, { gravity: [0, -1, 0] }, createElement(RigidBody, { colliders: 'cuboid', position: body ?? [0, 0, 0] }));
}
export function Players({ hero, car }: { hero: RefObject<CharacterApi | null>; car: RefObject<VehicleApi | null> }) {
  const speed: number = Math.hypot(...(hero.current?.velocity ?? [0, 0, 0])) + (car.current?.speed ?? 0);
  // @ts-expect-error no such way to face
  createElement(Character, { facing: 'up' });
  return [
    createElement(Character, { key: 'hero', ref: hero, input: () => ({ forward: true, joystick: { x: 0, y: speed } }), position: [0, 0, 1] }),
    createElement(Vehicle, { key: 'car', ref: car, mass: 1200, drive: { torque: 900 } }, createElement(Wheel, { radius: 0.4, driven: true })),
    createElement(Ragdoll, { key: 'doll', height: 1.8, onSleep: () => hero.current?.walk(), children: ({ name }) => name }),
  ];
}
`;
const WITH_BABYLON = `
import { createWorld, type BodyId } from 'talus';
import { createTalusPlugin, type SleepEvent, TalusPlugin } from 'talus/babylon';
import { MeshBuilder } from '@babylonjs/core/Meshes/meshBuilder.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { PhysicsAggregate } from '@babylonjs/core/Physics/v2/physicsAggregate.js';
import { PhysicsShapeType } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { Scene } from '@babylonjs/core/scene.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';

export async function start(): Promise<number> {
  const scene = new Scene(new NullEngine());
  const decompose = (positions: Float64Array) => [positions];
  const options = { origin: new Vector3(0, 9, 0), decompose, maxQueryCollectorHits: 8 };
  const plugin: TalusPlugin = await createTalusPlugin({ preset: 'high', useDeltaForWorldStep: false, ...options });
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const { body } = new PhysicsAggregate(MeshBuilder.CreateBox('box', {}, scene), PhysicsShapeType.BOX, { mass: 1 }, scene);
  const id: BodyId = body._pluginData.id;
  plugin.onBodySleepObservable.add(({ isAsleep }: SleepEvent) => plugin.world.setBullet(id, isAsleep));
  // @ts-expect-error no such option
  new TalusPlugin(await createWorld(), { useDelta: true });
  // @ts-expect-error no world
  new TalusPlugin(createWorld());
  return plugin.world.bodyCount;
}
`;
const WITH_PLAYCANVAS = `
import { type BodyId, createWorld } from 'talus';
import { createHeightfield, createTalusPhysics, type Heightfield, installPhysics, TalusPhysicsWorld } from 'talus/playcanvas';
import { Application, Entity, Vec3 } from 'playcanvas';

export async function start(canvas: HTMLCanvasElement): Promise<BodyId | null> {
  const physicsWorld: TalusPhysicsWorld = await createTalusPhysics({ preset: 'high' });
  const app = new Application(canvas, { physicsWorld });
  const entity = new Entity('crate', app);
  entity.addComponent('collision', { type: 'box', halfExtents: new Vec3(1, 1, 1) });
  entity.addComponent('rigidbody', { type: 'dynamic', mass: 2 });
  const render: Heightfield = createHeightfield({ nx: 2, nz: 2, heights: new Float32Array(4), spacing: [1, 2], origin: [0, 0, 0] });
  new Entity('ground', app).addComponent('collision', { type: 'mesh', render });
  installPhysics(app, new TalusPhysicsWorld(await createWorld(), { ownsWorld: false }));
  const known: Entity | null = physicsWorld.entityOf(physicsWorld.bodyOf(entity)!);
  // @ts-expect-error no world
  new TalusPhysicsWorld(createWorld());
  return known && physicsWorld.bodyOf(known);
}
`;
const PEERS = [
  '@babylonjs/core',
  'playcanvas',
  'three',
  'react',
  'react-dom',
  'scheduler',
  'csstype',
  '@types/three',
  '@types/react',
  '@react-three/fiber',
  '@webgpu/types',
];

const OLDEST = 'typescript-5.4';
const NEWEST = 'typescript';
const RESOLUTIONS = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

const runAside = promisify(execFile);

function run(command, args, cwd = root) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
}

/** Packs into build/consumer, unpacks as a dependency; the path of the tarball. */
function pack() {
  rmSync(folder, { recursive: true, force: true });
  const to = join(folder, 'node_modules/talus');
  mkdirSync(to, { recursive: true });
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  const tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  run('tar', ['-xzf', tarball, '-C', to, '--strip-components=1']);
  return tarball;
}

/**
 * A program in a folder of its own, compiled in one run of the compiler; resolves to one line a finding.
 * @param {string} typescript the package of the compiler
 * @param {{ module: string, moduleResolution: string }} resolution
 * @param {string[]} lib
 * @param {string[]} types packages whose types are global
 * @param {Record<string, string>} files text by name
 * @param {(line: string) => boolean} isOurs of a message: false where it is about the declarations of others
 */
async function compile(typescript, { module, moduleResolution }, lib, types, files, isOurs = () => true) {
  const what = `${typescript} ${moduleResolution} [${lib}] [${types}] ${Object.keys(files)}`;
  const project = mkdtempSync(join(folder, 'program-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  const compilerOptions = {
    target: 'es2022',
    module,
    moduleResolution,
    lib,
    types,
    strict: true,
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  try {
    await runAside(process.execPath, [join(root, 'node_modules', typescript, 'bin/tsc'), '-p', '.'], { cwd: project });
    return [];
  } catch (error) {
    const lines = `${error.stdout}`.trim().split('\n').filter(isOurs).slice(0, 20);
    return lines.map((line) => `${what}: ${line}`);
  }
}

/** Compiles `talus` alone, under all that users have. */
function programs() {
  /** @type {(() => Promise<string[]>)[]} */
  const jobs = [];
  const add = (typescript, resolution, lib, types) => {
    // The DOM library of the newest one has WebGPU.
    const knowsGpu = types.includes('@webgpu/types') || (typescript === NEWEST && lib.includes('DOM'));
    const files = { 'main.ts': PROGRAM, 'gpu.ts': knowsGpu ? WITH_GPU : WITHOUT_GPU };
    jobs.push(() => compile(typescript, resolution, lib, types, files));
  };
  for (const typescript of [OLDEST, NEWEST]) {
    for (const resolution of RESOLUTIONS) add(typescript, resolution, ['ES2022', 'DOM'], []);
    add(typescript, RESOLUTIONS[1], ['ES2022'], []);
  }
  add(OLDEST, RESOLUTIONS[2], ['ES2022', 'DOM'], ['@webgpu/types']);
  return jobs;
}

/** Compiles against the packages that users bring, all in one program; errors in their own declarations are theirs. */
function programsWithPeers() {
  const isOurs = (line) => /^(\w+\.ts|(\.\.\/)*node_modules\/talus\/)/.test(line);
  const files = { 'with_three.ts': WITH_THREE, 'with_babylon.ts': WITH_BABYLON, 'with_playcanvas.ts': WITH_PLAYCANVAS };
  // What differs between node16 and nodenext is tried without them.
  return [OLDEST, NEWEST].flatMap((typescript) =>
    RESOLUTIONS.slice(1).map(
      (resolution) => () => compile(typescript, resolution, ['ES2022', 'DOM'], ['@webgpu/types'], files, isOurs),
    ),
  );
}

/** What jobs find, as many at once as there are cores. */
async function findAll(jobs) {
  const waiting = jobs.values();
  const findings = [];
  const work = async () => {
    for (const job of waiting) findings.push(...(await job()));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return findings;
}

/** Packages that users bring, beside the packed one. */
function linkPeers() {
  for (const name of PEERS) {
    const at = join(folder, 'node_modules', name);
    if (!existsSync(join(root, 'node_modules', name))) continue;
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules', name)), at);
  }
}

/** Builds the scene of the README, in an empty project with the packed package. */
async function buildScene() {
  const [, code] = /```javascript\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'node_modules/talus/README.md'), 'utf8'));
  writeFileSync(join(folder, 'main.js'), code);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>');
  try {
    const { build } = await import('vite');
    await build({ root: folder, configFile: false, logLevel: 'silent', build: { minify: false, reportCompressedSize: false } });
    return [];
  } catch (error) {
    return [`scene of the README: ${error.message}`];
  }
}

/** All findings, one line each. */
export async function checkPackage() {
  const tarball = pack();
  const findings = [];
  for (const [name, ...args] of [
    ['publint', '--strict', tarball],
    // Modules only, as package.json says: what CommonJS would make of it is no matter.
    ['attw', tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'],
  ]) {
    try {
      run(process.execPath, [join(root, 'node_modules/.bin', name), ...args]);
    } catch (error) {
      findings.push(`${name}: ${error.stdout}${error.stderr}`);
    }
  }
  let bytes = 0;
  for (const name of readdirSync(join(folder, 'node_modules/talus/dist'), { recursive: true }).map(String)) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(join(folder, 'node_modules/talus/dist', name), 'utf8');
    const size = Buffer.byteLength(text);
    bytes += size;
    if (/[A-Za-z0-9+/]{200}/.test(text)) findings.push(`dist/${name}: holds what looks like base64`);
    if (size > DECLARATION_BYTES) findings.push(`dist/${name}: ${size} bytes of declarations, at most ${DECLARATION_BYTES}`);
  }
  if (bytes === 0) findings.push('dist: no declarations');
  // Those of talus alone first: there it finds no package but itself.
  findings.push(...(await findAll(programs())));
  linkPeers();
  findings.push(...(await findAll(programsWithPeers())));
  findings.push(...(await buildScene()));
  return findings;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = await checkPackage();
  if (findings.length > 0) {
    console.error(findings.join('\n'));
    process.exit(1);
  }
}
