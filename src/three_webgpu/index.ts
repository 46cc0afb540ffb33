// The public API of talus/three/webgpu: instances of three's WebGPURenderer that are placed on the GPU, by the poses of a world
// that steps on the same device. No pose passes through the CPU. If the world steps on WASM, its poses are uploaded in one piece.
import { type InstancedMesh, REVISION } from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { checkKeys, checkNumber, checkTyped } from '../checks/validate';
import { type BodyId, TalusError, type World } from '../index';
import { adopterOf } from './adopter';
import { BoundMesh } from './bound_mesh';
import { checkMaterial } from './materials';
import { Placer } from './placing';
import { PoseSets } from './pose_sets';

/** The calls of a world that drawing on the GPU uses. */
export type GpuWorld = Pick<
  World,
  | 'gpuPoses'
  | 'indexOf'
  | 'isAlive'
  | 'posesVersion'
  | 'positions'
  | 'readMatrices'
  | 'readPoses'
  | 'rotations'
  | 'slotsVersion'
  | 'slotCount'
  | 'stepCount'
>;

/** Options of `GpuInstances.bind`. */
export interface GpuBindOptions {
  /** Three factors per instance; default those of the present matrices of the mesh. */
  scales?: Float32Array;
}

/** The first revision of three.js whose instanced meshes read their matrices from a storage buffer, and can change to one. */
const OLDEST_THREE = 186;
/**
 * After up to as many steps in one frame, instances move along the line from the frame before. After more, that line is too coarse,
 * and the poses before the last step come from the CPU.
 */
const MOST_STEPS = 8;

/** Returns the device of a renderer, if it is initialized and has one. */
function findDevice(renderer: WebGPURenderer): GPUDevice | null {
  const { isWebGPUBackend, device } = renderer.backend as unknown as { isWebGPUBackend?: boolean; device?: GPUDevice };
  return isWebGPUBackend === true && device !== undefined ? device : null;
}

const isThreeNewEnough = (): boolean => Number.parseInt(REVISION, 10) >= OLDEST_THREE;

/** Returns whether an initialized renderer can draw by `GpuInstances`: it has a WebGPU device, and three.js is r186 or later. */
export function canDrawOnGpu(renderer: WebGPURenderer): boolean {
  return isThreeNewEnough() && findDevice(renderer) !== null;
}

/**
 * Returns the device of an initialized renderer, for `createWorld({ device })`.
 * @throws TalusError `unsupported` if there is none
 */
export function deviceOf(renderer: WebGPURenderer): GPUDevice {
  const device = findDevice(renderer);
  if (!device) {
    throw new TalusError(
      'unsupported',
      'the renderer has no WebGPU device: `await renderer.init()` first, and draw by ThreePhysics where it falls back to WebGL',
    );
  }
  return device;
}

/**
 * Draws instanced meshes of a world on the GPU. Call `sync` in each frame, after the world's steps, or attach it by
 * `ThreePhysics.attach`. Materials, shadows, culling and rays work as with any other instanced mesh, and the parents of a mesh may
 * be moved, turned and scaled before `sync`.
 */
export class GpuInstances {
  /** Number of frames whose poses came from the GPU, and from the CPU. */
  readonly taken: { gpu: number; cpu: number };
  private readonly sets: PoseSets;
  private readonly placer: Placer;
  private readonly bound = new Map<InstancedMesh, BoundMesh>();
  private readonly owners = new Map<BodyId, { object: InstancedMesh; instance: number }>();
  private step = -1;
  /** Number of steps between the two poses on the GPU. */
  private steps = 1;
  /** `slotsVersion` and `posesVersion` at that step. */
  private version = -1;
  private posesVersion = -1;
  private past = { positions: new Float32Array(0), rotations: new Float32Array(0) };

  /** @throws TalusError `unsupported` if the renderer has no WebGPU device, or if three.js is older than r186 */
  constructor(
    readonly world: GpuWorld,
    private readonly renderer: WebGPURenderer,
  ) {
    const device = deviceOf(renderer);
    if (!isThreeNewEnough()) {
      throw new TalusError(
        'unsupported',
        `GpuInstances need three.js r${OLDEST_THREE} or later, this is r${REVISION}: update three, or draw by ThreePhysics`,
      );
    }
    this.sets = new PoseSets(device, 'talus poses');
    this.placer = new Placer(adopterOf(renderer.backend), this.sets);
    this.taken = this.sets.taken;
  }

  /**
   * Draws the instances of a mesh by as many bodies, from the next `sync` on, until `unbind`. Its material stays as it is. The
   * scales of the instances are read from its present matrices, or given by `scales`.
   * @throws TalusError `invalid-argument` if it is bound already, if it is no InstancedMesh or has fewer instances;
   * `unsupported` for a material that a WebGPURenderer cannot draw, such as a ShaderMaterial; `stale-handle`
   */
  bind(mesh: InstancedMesh, bodies: ArrayLike<BodyId>, options: GpuBindOptions = {}): void {
    checkKeys(options, 'options', ['scales']);
    if (mesh?.isInstancedMesh !== true) {
      throw new TalusError('invalid-argument', 'mesh must be an InstancedMesh; draw other objects by ThreePhysics.bind');
    }
    if (this.bound.has(mesh)) throw new TalusError('invalid-argument', 'the mesh is bound already: unbind it first');
    const list = Array.from(bodies);
    for (const body of list) this.world.indexOf(body);
    if (list.length > mesh.instanceMatrix.count) {
      throw new TalusError(
        'invalid-argument',
        `the InstancedMesh has room for ${mesh.instanceMatrix.count}, got ${list.length} bodies`,
      );
    }
    const { scales } = options;
    if (scales !== undefined) checkTyped(scales, 'options.scales', 'Float32Array', 3 * list.length);
    for (const material of [mesh.material].flat()) checkMaterial(this.renderer, material);
    this.bound.set(mesh, new BoundMesh(this.placer, this.world, mesh, list, scales, () => this.unbind(mesh)));
    for (const [instance, body] of list.entries()) this.owners.set(body, { object: mesh, instance });
    this.version = -1;
  }

  /** Returns the mesh and the instance that a body draws, or null. `ThreePhysics.castRay` asks for it. */
  ownerOf(body: BodyId): { object: InstancedMesh; instance: number } | null {
    return this.owners.get(body) ?? null;
  }

  /** Unbinds a mesh. Its instances stay where they are, and are drawn by its matrices from now on. */
  unbind(mesh: InstancedMesh): void {
    const bound = this.bound.get(mesh);
    if (!bound) return;
    this.bound.delete(mesh);
    for (const body of bound.bodies) if (this.owners.get(body)?.object === mesh) this.owners.delete(body);
    bound.end();
  }

  /**
   * Updates the poses, at `alpha` from 0 to 1 between the last two steps (`frame.alpha` of `advance`); default 1. Call it after the
   * steps of a frame and after you have moved parents of meshes, and before you render.
   * @throws TalusError `invalid-argument`
   */
  sync(alpha = 1): void {
    checkNumber(alpha, 'alpha', 0, 1);
    const { world, sets, bound } = this;
    const { slotsVersion, posesVersion, slotCount, stepCount } = world;
    let isOther = this.version === -1;
    if (slotsVersion !== this.version) for (const mesh of bound.values()) isOther = mesh.findSlots() || isOther;
    this.version = slotsVersion;
    isOther = sets.reserve(slotCount) || posesVersion !== this.posesVersion || isOther;
    this.posesVersion = posesVersion;
    const steps = stepCount - this.step;
    this.step = stepCount;
    if (isOther || steps < 0 || steps > MOST_STEPS) this.takeFromCpu(slotCount);
    else if (steps > 0) {
      this.steps = steps;
      sets.take(world, slotCount, false);
      for (const mesh of bound.values()) mesh.take(world.positions);
    }
    sets.keepComing(world);
    this.place(alpha);
  }

  /** Takes over the poses after the last step and before it as the CPU knows them. */
  private takeFromCpu(slots: number): void {
    const { world } = this;
    if (this.past.positions.length !== 4 * slots)
      this.past = { positions: new Float32Array(4 * slots), rotations: new Float32Array(4 * slots) };
    const { past } = this;
    world.readPoses(past.positions, past.rotations, { alpha: 0 });
    this.steps = 1;
    this.sets.put(world, slots, past);
    for (const mesh of this.bound.values()) {
      mesh.take(past.positions);
      mesh.take(world.positions);
    }
  }

  private place(alpha: number): void {
    if (this.bound.size === 0) return;
    const { device } = this.placer;
    const encoder = device.createCommandEncoder({ label: 'talus placing' });
    // `alpha` lies within the last step of those since the last frame.
    const blend = (this.steps - 1 + alpha) / this.steps;
    for (const mesh of this.bound.values()) mesh.place(encoder, blend, alpha);
    device.queue.submit([encoder.finish()]);
  }

  /** Unbinds all meshes and frees the buffers. */
  dispose(): void {
    for (const mesh of [...this.bound.keys()]) this.unbind(mesh);
    this.sets.dispose();
    this.version = -1;
  }
}
