// Instances on the GPU without a picture: the matrices that the pass writes, bounds for culling, rays of three, and what is refused.
// A record of buffers stands for three's backend.
import {
  BatchedMesh,
  BoxGeometry,
  Frustum,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshPhysicalMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Raycaster,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BodyId, createWorld, type World } from '../../src/index';
import { ThreePhysics } from '../../src/three/index';
import { canDrawOnGpu, GpuInstances } from '../../src/three_webgpu/index';
import { readBuffer, useDevice } from '../helpers/gpu';

const COUNT = 12;
/** Classes that three's WebGPURenderer draws; its library has more. */
const KNOWN = ['MeshBasicMaterial', 'MeshPhysicalMaterial'];

const gpu = useDevice();

function fakeRenderer() {
  const records = new Map<object, { buffer?: GPUBuffer }>();
  const get = (attribute: object) => {
    if (!records.has(attribute)) records.set(attribute, {});
    return records.get(attribute)!;
  };
  const backend = { isWebGPUBackend: true, device: gpu.device, get };
  const library = { getMaterialNodeClass: (type: string) => (KNOWN.includes(type) ? Object : null) };
  return { renderer: { backend, library } as unknown as WebGPURenderer, get };
}

/** Boxes above each other in a grid, of different sizes. */
function crates(): InstancedMesh {
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), COUNT + 3);
  mesh.count = COUNT;
  for (let i = 0; i < COUNT; i++) {
    const at = new Matrix4().makeRotationY(0.3 * i).scale(new Vector3(0.5 + 0.05 * i, 0.5, 0.4));
    mesh.setMatrixAt(i, at.setPosition((i % 4) * 1.5, 2 + Math.floor(i / 4), 0));
  }
  return mesh;
}

let world: World;
let physics: ThreePhysics;
let instances: GpuInstances;
let get: (attribute: object) => { buffer?: GPUBuffer };

beforeEach(async () => {
  world = await createWorld();
  physics = new ThreePhysics(world);
  const fake = fakeRenderer();
  get = fake.get;
  instances = new GpuInstances(world, fake.renderer);
  const floor = world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] });
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
});

/** Gives a mesh bodies and draws it on the GPU. */
function bind(mesh: InstancedMesh): BodyId[] {
  const bodies = physics.add(mesh, { density: 200, angularVelocity: [1, 2, 0] });
  physics.unbind(mesh);
  instances.bind(mesh, bodies);
  return bodies;
}

async function onGpu(mesh: InstancedMesh): Promise<Float32Array> {
  const { buffer } = get(mesh.instanceMatrix);
  return new Float32Array(await readBuffer(gpu.device, buffer!, 64 * mesh.count));
}

/** Matrices of bodies in the world, by the CPU. */
function onCpu(bodies: readonly BodyId[], mesh: InstancedMesh, alpha: number): Float32Array {
  const slots = Uint32Array.from(bodies, (body) => (world.isAlive(body) ? world.indexOf(body) : 0xffffffff));
  const scales = new Float32Array(bodies.length * 3);
  for (let i = 0; i < bodies.length; i++) scales.set([0.5 + 0.05 * i, 0.5, 0.4], 3 * i);
  const out = new Float32Array(16 * bodies.length);
  world.readMatrices(out, { bodies: slots, scales, alpha });
  const home = mesh.matrixWorld.clone().invert();
  const at = new Matrix4();
  for (let i = 0; i < bodies.length; i++)
    at.fromArray(out, 16 * i)
      .premultiply(home)
      .toArray(out, 16 * i);
  return out;
}

function expectClose(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 2e-6): void {
  expect(a.length).toBe(b.length);
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  expect(worst).toBeLessThan(tolerance);
}

describe('matrices', () => {
  it.each([0, 0.4, 1])('are those of readMatrices at alpha %d', async (alpha) => {
    const mesh = crates();
    const bodies = bind(mesh);
    world.readPoses(new Float32Array(4 * 64), new Float32Array(4 * 64), { alpha: 0 }); // steps keep the poses before them
    for (let i = 0; i < 20; i++) {
      world.step();
      instances.sync(alpha);
    }
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, alpha));
    expect(gpu.errors).toEqual([]);
  });

  it('lie on the line between frames when a frame has several steps', async () => {
    const mesh = crates();
    const bodies = bind(mesh);
    instances.sync();
    const from = onCpu(bodies, mesh, 1);
    for (let i = 0; i < 3; i++) world.step();
    const to = onCpu(bodies, mesh, 1);
    instances.sync(0.5);
    const found = await onGpu(mesh);
    const height = (matrices: Float32Array) => matrices[13]!;
    expect(height(found)).toBeCloseTo(height(from) + (2.5 / 3) * (height(to) - height(from)), 5);
    instances.sync(1);
    expectClose(await onGpu(mesh), to);
    // After many steps the CPU knows better where they were.
    for (let i = 0; i < 20; i++) world.step();
    instances.sync(0);
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, 0));
  });

  it('follow bodies that move without a step, at once and without a smear', async () => {
    const mesh = crates();
    const bodies = bind(mesh);
    physics.attach(instances);
    for (let i = 0; i < 10; i++) physics.update(1 / 50);
    physics.shift(new Vector3(-500, 0, 20));
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, world.alpha), 1e-4);
    physics.update(1 / 50);
    world.teleport(bodies[2]!, [7, 8, 9]);
    instances.sync(0.5);
    const found = await onGpu(mesh);
    expectClose(found, onCpu(bodies, mesh, 0.5), 1e-4);
    expect([...found.slice(44, 47)]).toEqual([7, 8, 9]);
    const { gpu: _, ...taken } = instances.taken;
    // With nothing to take over, nothing is.
    instances.sync(0.7);
    expect(instances.taken).toMatchObject(taken);
  });

  it('follow a mesh below moved, turned and scaled parents', async () => {
    const parent = new Group();
    parent.position.set(3, 1, -2);
    parent.rotation.set(0.3, 0.5, 0.1);
    parent.scale.setScalar(2);
    const mesh = crates();
    const bodies = bind(mesh);
    parent.add(mesh);
    world.step();
    instances.sync();
    expect(mesh.matrixWorld.elements[0]).not.toBe(1);
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, 1), 1e-5);
    parent.position.x += 5;
    instances.sync();
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, 1), 1e-5);
  });

  it('are zero without a body, and there again after a snapshot is restored', async () => {
    const mesh = crates();
    const bodies = bind(mesh);
    world.step();
    instances.sync();
    const snapshot = world.snapshot();
    world.removeBody(bodies[3]!);
    instances.sync();
    expect((await onGpu(mesh)).slice(48, 64)).toEqual(new Float32Array(16));
    world.restore(snapshot);
    instances.sync();
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, 1));
  });

  it('stay on the GPU when somebody asks for an upload', () => {
    const mesh = crates();
    bind(mesh);
    const { version } = mesh.instanceMatrix;
    mesh.instanceMatrix.needsUpdate = true;
    expect(mesh.instanceMatrix.version).toBe(version);
  });

  it('of the last frame go to the clone that three makes for motion vectors', async () => {
    const mesh = crates();
    const bodies = bind(mesh);
    world.step();
    instances.sync();
    const past = mesh.instanceMatrix.clone();
    const before = onCpu(bodies, mesh, 1);
    world.step();
    instances.sync(1);
    const found = new Float32Array(await readBuffer(gpu.device, get(past).buffer!, 64 * COUNT));
    expectClose(found, before);
    expectClose(await onGpu(mesh), onCpu(bodies, mesh, 1));
    expect(gpu.errors).toEqual([]);
  });
});

describe('culling', () => {
  /** Whether a camera would draw the mesh, as the renderer decides it. */
  function isSeen(mesh: InstancedMesh, camera: PerspectiveCamera | OrthographicCamera): boolean {
    camera.updateMatrixWorld();
    const view = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return new Frustum().setFromProjectionMatrix(view).intersectsObject(mesh);
  }

  it('follows the bodies for every camera, below moved parents too', () => {
    const parent = new Group();
    const mesh = crates();
    const bodies = bind(mesh);
    parent.add(mesh);
    parent.position.set(0, 50, 0);
    parent.scale.setScalar(3);
    const eye = new PerspectiveCamera(45, 1.5, 0.1, 60);
    eye.position.set(3, 3, 15);
    const sun = new OrthographicCamera(-8, 8, 8, -8, 0.1, 40);
    sun.position.set(3, 20, 0);
    sun.rotation.x = -Math.PI / 2;
    instances.sync();
    expect(mesh.frustumCulled).toBe(true);
    expect([isSeen(mesh, eye), isSeen(mesh, sun)]).toEqual([true, true]);
    // Behind the camera, and still in the light.
    eye.rotation.y = Math.PI;
    expect([isSeen(mesh, eye), isSeen(mesh, sun)]).toEqual([false, true]);
    for (const [i, body] of bodies.entries()) world.teleport(body, [-200 + 2 * i, 3, 15]);
    world.step();
    instances.sync();
    // Between two steps they may still be seen on their way.
    world.step();
    instances.sync();
    eye.rotation.y = 0;
    expect([isSeen(mesh, eye), isSeen(mesh, sun)]).toEqual([false, false]);
    eye.rotation.y = Math.PI / 2;
    eye.far = 400;
    eye.updateProjectionMatrix();
    expect([isSeen(mesh, eye), isSeen(mesh, sun)]).toEqual([true, false]);
  });

  it('encloses every vertex between two steps, with geometry off its center', () => {
    const mesh = crates();
    mesh.geometry.translate(0, 0.7, 0);
    const bodies = bind(mesh);
    const corner = new Vector3();
    const at = new Matrix4();
    for (let step = 0; step < 40; step++) {
      world.step();
      for (const alpha of [0, 0.5, 1]) {
        instances.sync(alpha);
        const matrices = onCpu(bodies, mesh, alpha);
        const { center, radius } = mesh.boundingSphere!;
        for (let i = 0; i < COUNT; i++) {
          at.fromArray(matrices, 16 * i);
          for (let v = 0; v < mesh.geometry.attributes.position!.count; v++) {
            corner.fromBufferAttribute(mesh.geometry.attributes.position!, v).applyMatrix4(at);
            expect(corner.distanceTo(center)).toBeLessThan(radius);
          }
        }
      }
    }
  });

  it('is left out where the mesh says so', () => {
    const mesh = crates();
    mesh.frustumCulled = false;
    const bodies = bind(mesh);
    mesh.frustumCulled = false;
    instances.sync();
    expect(mesh.boundingSphere).toBe(null);
    expect(bodies.length).toBe(COUNT);
  });
});

describe('rays of three', () => {
  /** Hits on the same mesh drawn by matrices from the CPU. */
  function hits(mesh: InstancedMesh, ray: Raycaster) {
    return ray
      .intersectObject(mesh)
      .map(({ instanceId, point, normal, distance, face }) => ({ instanceId, point, normal, distance, face: face!.normal }));
  }

  it.each([false, true])('meet what rays on the CPU path meet (moved parent: %s)', (isMoved) => {
    const parent = new Group();
    if (isMoved) {
      parent.position.set(1, 2, 3);
      parent.rotation.y = 0.4;
    }
    const twin = crates();
    const mesh = crates();
    const bodies = physics.add(twin, { density: 200, angularVelocity: [1, 2, 0] });
    instances.bind(mesh, bodies);
    parent.add(twin, mesh);
    physics.attach(instances);
    let met = 0;
    for (let frame = 0; frame < 30; frame++) {
      physics.update(1 / 50);
      for (let k = 0; k < 4; k++) {
        const ray = new Raycaster(new Vector3(k * 1.5 + 0.1, 10, 0.05), new Vector3(0.02, -1, 0.01).normalize());
        const [ours, theirs] = [hits(mesh, ray), hits(twin, ray)];
        expect(ours).toEqual(theirs);
        met += ours.length;
      }
    }
    expect(met).toBeGreaterThan(200);
  });

  it('and boxes read the matrices of the frame, once each', () => {
    const mesh = crates();
    bind(mesh);
    let reads = 0;
    const { readMatrices } = world;
    world.readMatrices = (...args) => {
      reads++;
      return readMatrices.apply(world, args);
    };
    for (let frame = 0; frame < 3; frame++) {
      world.step();
      instances.sync();
    }
    expect(reads).toBe(0);
    mesh.computeBoundingBox();
    new Raycaster(new Vector3(0, 10, 0), new Vector3(0, -1, 0)).intersectObject(mesh);
    expect(reads).toBe(1);
    expect(mesh.boundingBox!.max.y).toBeLessThan(5);
    instances.sync();
    expect(mesh.boundingBox).toBe(null);
  });

  it('and castRay name the same instance', () => {
    const mesh = crates();
    const bodies = bind(mesh);
    physics.attach(instances);
    physics.update(1 / 30);
    const ray = new Raycaster(new Vector3(1.5, 10, 0), new Vector3(0, -1, 0));
    const hit = physics.castRay(ray)!;
    expect([hit.object, hit.instance]).toEqual([mesh, ray.intersectObject(mesh)[0]!.instanceId]);
    expect(bodies[hit.instance]).toBe(hit.body);
    expect(physics.objectOf(bodies[3]!)).toBe(mesh);
    instances.unbind(mesh);
    expect([physics.objectOf(bodies[3]!), physics.instanceOf(bodies[3]!)]).toEqual([null, -1]);
  });

  it('do not meet a removed body, nor the one that got its slot', () => {
    const mesh = crates();
    const bodies = bind(mesh);
    instances.sync();
    const last = bodies.at(-1)!;
    const at = world.getPosition(last, new Vector3());
    const down = (x: number) => new Raycaster(new Vector3(x, 10, 0), new Vector3(0, -1, 0));
    const slot = world.indexOf(last);
    world.removeBody(last);
    const other = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 1 }), position: [-9, 5, 0] });
    expect(world.indexOf(other)).toBe(slot);
    expect(down(-9).intersectObject(mesh)).toEqual([]);
    expect(down(at.x).intersectObject(mesh)[0]!.instanceId).toBe(COUNT - 5);
  });

  it('do not fail after the world was disposed', () => {
    const mesh = crates();
    bind(mesh);
    instances.sync();
    world.dispose();
    const ray = new Raycaster(new Vector3(0, 10, 0), new Vector3(0, -1, 0));
    expect(() => ray.intersectObject(mesh)).not.toThrow();
    expect(() => instances.dispose()).not.toThrow();
  });
});

describe('binding', () => {
  it('leaves the material and gives everything else back', () => {
    const mesh = crates();
    mesh.material = new MeshPhysicalMaterial({ clearcoat: 1 });
    const { material, instanceMatrix } = mesh;
    const bodies = physics.add(mesh, { density: 200 });
    physics.unbind(mesh);
    const box = new Matrix4();
    mesh.count = COUNT + 1;
    instances.bind(mesh, bodies);
    expect(mesh.material).toBe(material);
    expect(mesh.count).toBe(COUNT);
    for (let i = 0; i < 10; i++) world.step();
    instances.sync();
    const version = instanceMatrix.version;
    instances.unbind(mesh);
    expect(mesh.instanceMatrix).toBe(instanceMatrix);
    expect(instanceMatrix.version).toBeGreaterThan(version);
    expect([mesh.count, mesh.frustumCulled, mesh.boundingSphere]).toEqual([COUNT + 1, true, null]);
    expect(Object.hasOwn(mesh, 'getMatrixAt')).toBe(false);
    mesh.getMatrixAt(5, box);
    expectClose(box.elements, onCpu(bodies, mesh, 1).slice(80, 96), 1e-5);
    instances.unbind(mesh);
    instances.bind(mesh, bodies);
    instances.sync();
    expect(gpu.errors).toEqual([]);
  });

  it('leaves the instances where they are when everything is disposed', () => {
    const mesh = crates();
    const bodies = bind(mesh);
    physics.attach(instances);
    for (let i = 0; i < 10; i++) physics.update(1 / 60);
    const last = onCpu(bodies, mesh, world.alpha);
    physics.dispose();
    expectClose(mesh.instanceMatrix.array.slice(0, 16 * COUNT), last);
  });

  it('ends when the mesh is disposed', () => {
    const mesh = crates();
    const { instanceMatrix } = mesh;
    bind(mesh);
    instances.sync();
    let events = 0;
    mesh.addEventListener('dispose', () => events++);
    mesh.dispose();
    expect(mesh.instanceMatrix).toBe(instanceMatrix);
    expect(events).toBe(1);
    instances.sync();
  });

  it('refuses what cannot be drawn, with a sentence', () => {
    const mesh = crates();
    const bodies = physics.add(mesh, { density: 200 });
    physics.unbind(mesh);
    const wrong = (act: () => void) => {
      try {
        act();
      } catch (error) {
        return `${(error as { code: string }).code}: ${(error as Error).message}`;
      }
      return 'nothing';
    };
    const other = new BatchedMesh(1, 10, 10) as unknown as InstancedMesh;
    expect(wrong(() => instances.bind(other, bodies))).toMatch(/^invalid-argument: mesh must be an InstancedMesh/);
    expect(wrong(() => instances.bind(null as never, bodies))).toMatch(/^invalid-argument: mesh must be/);
    expect(wrong(() => instances.bind(mesh, bodies, { scales: new Float32Array(3) }))).toMatch(/^invalid-argument: .*scales/);
    expect(wrong(() => instances.bind(mesh, bodies, { scale: 1 } as never))).toMatch(/^invalid-argument: .*scale/);
    expect(wrong(() => instances.bind(mesh, [...bodies, ...bodies]))).toMatch(/^invalid-argument: .*room/);
    for (const material of [new ShaderMaterial(), new MeshDepthMaterial(), [new MeshBasicMaterial(), new ShaderMaterial()]]) {
      mesh.material = material as never;
      expect(wrong(() => instances.bind(mesh, bodies))).toMatch(
        /^unsupported: a WebGPURenderer cannot draw a (Shader|MeshDepth)Material: use a node material/,
      );
    }
    expect(mesh.instanceMatrix).not.toHaveProperty('isStorageInstancedBufferAttribute');
    mesh.material = new MeshBasicMaterial();
    instances.bind(mesh, bodies);
    expect(wrong(() => instances.bind(mesh, bodies))).toMatch(/^invalid-argument: .*already/);
    expect(wrong(() => instances.sync(2))).toMatch(/^invalid-argument: .*alpha/);
    expect(canDrawOnGpu({ backend: { isWebGPUBackend: false } } as never)).toBe(false);
    expect(wrong(() => new GpuInstances(world, { backend: {} } as never))).toMatch(/^unsupported: .*no WebGPU device/);
  });

  it('draws several meshes, and bodies that come later', async () => {
    const first = crates();
    const bodies = bind(first);
    instances.sync();
    const second = new InstancedMesh(new SphereGeometry(), new MeshBasicMaterial(), 200);
    for (let i = 0; i < 200; i++) second.setMatrixAt(i, new Matrix4().makeTranslation(3 * i, 30, 0));
    bind(second);
    world.step();
    instances.sync();
    expectClose(await onGpu(first), onCpu(bodies, first, 1));
    const matrices = await onGpu(second);
    for (let i = 0; i < 200; i++) expect(matrices[16 * i + 12]).toBeCloseTo(3 * i, 4);
    expect(gpu.errors).toEqual([]);
  });
});
