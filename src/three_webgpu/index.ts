// The public API of talus/three/webgpu: instances of three's WebGPURenderer that are placed on the GPU, by the poses of a world
// that steps on the same device. No pose passes through the CPU. If the world steps on WASM, its poses are uploaded in one piece.
import { type InstancedMesh, type Material, Matrix4 } from 'three';
import { MeshBasicNodeMaterial, MeshStandardNodeMaterial, StorageBufferAttribute, type WebGPURenderer } from 'three/webgpu';
import { type BodyId, TalusError, type World } from '../index';
import { type MeshInputs, poseNode } from './nodes';
import { adopterOf, PoseSets } from './pose_sets';

/** The calls of a world that drawing on the GPU uses. */
export type GpuWorld = Pick<
  World,
  'gpuPoses' | 'indexOf' | 'isAlive' | 'positions' | 'rotations' | 'slotsVersion' | 'slotCount' | 'stepCount'
>;

/** Options of `GpuInstances.bind`. */
export interface GpuBindOptions {
  /** Three factors per instance; default those of the present matrices of the mesh. */
  scales?: Float32Array;
}

interface Bound {
  mesh: InstancedMesh;
  bodies: readonly BodyId[];
  inputs: MeshInputs;
  material: Material | Material[];
  wasCulled: boolean;
}

const GONE = 0xffffffff;
const matrix = new Matrix4();

/** Returns whether an initialized renderer can draw by `GpuInstances`. */
export function canDrawOnGpu(renderer: WebGPURenderer): boolean {
  const { isWebGPUBackend, device } = renderer.backend as unknown as { isWebGPUBackend?: boolean; device?: unknown };
  return isWebGPUBackend === true && device !== undefined;
}

/** Returns the device of an initialized renderer, for `createWorld({ device })`. */
export function deviceOf(renderer: WebGPURenderer): GPUDevice {
  if (!canDrawOnGpu(renderer)) {
    throw new TalusError(
      'unsupported',
      'the renderer has no WebGPU device: `await renderer.init()` first, and draw by ThreePhysics where it falls back to WebGL',
    );
  }
  return (renderer.backend as unknown as { device: GPUDevice }).device;
}

/**
 * Draws instanced meshes of a world on the GPU. Call `sync` in each frame, after the world's steps, or attach it by
 * `ThreePhysics.attach`. The meshes must lie in the world without moved parents, and their materials must be node materials or of
 * the standard kinds.
 */
export class GpuInstances {
  /** Number of frames whose poses came from the GPU, and from the CPU. */
  readonly taken: { gpu: number; cpu: number };
  private readonly sets: PoseSets;
  private readonly bound = new Map<InstancedMesh, Bound>();
  private step = -1;
  private version = -1;

  /** @throws TalusError `unsupported` if the renderer has no WebGPU device */
  constructor(
    readonly world: GpuWorld,
    renderer: WebGPURenderer,
  ) {
    deviceOf(renderer);
    this.sets = new PoseSets(adopterOf(renderer.backend), 'talus poses');
    this.taken = this.sets.taken;
  }

  /**
   * Draws the instances of a mesh by as many bodies. Until `unbind`, its material is replaced by one that places vertices.
   * @throws TalusError `invalid-argument`, `stale-handle`
   */
  bind(mesh: InstancedMesh, bodies: ArrayLike<BodyId>, options: GpuBindOptions = {}): void {
    if (this.bound.has(mesh)) throw new TalusError('invalid-argument', 'the mesh is bound already: unbind it first');
    const list = Array.from(bodies);
    for (const body of list) this.world.indexOf(body);
    if (list.length > mesh.instanceMatrix.count) {
      throw new TalusError(
        'invalid-argument',
        `the InstancedMesh has room for ${mesh.instanceMatrix.count}, got ${list.length} bodies`,
      );
    }
    const count = Math.max(1, list.length);
    const slots = new StorageBufferAttribute(new Uint32Array(count).fill(GONE), 1);
    const scales = new StorageBufferAttribute(new Float32Array(4 * count).fill(1), 4);
    for (let i = 0; i < list.length; i++) {
      mesh.getMatrixAt(i, matrix);
      for (let k = 0; k < 3; k++) {
        const e = matrix.elements;
        const own = Math.hypot(e[4 * k]!, e[4 * k + 1]!, e[4 * k + 2]!) || 1;
        scales.array[4 * i + k] = options.scales ? options.scales[3 * i + k]! : own;
      }
    }
    const inputs = { slots, scales };
    const { material, frustumCulled: wasCulled } = mesh;
    const placed = (one: Material) => this.placed(one, inputs);
    this.bound.set(mesh, { mesh, bodies: list, inputs, material, wasCulled });
    mesh.material = Array.isArray(material) ? material.map(placed) : placed(material);
    mesh.frustumCulled = false;
    mesh.count = list.length;
    this.version = -1;
  }

  /** Returns a material that looks the same and places vertices. */
  private placed(material: Material, inputs: MeshInputs): Material {
    const isNode = (material as { isNodeMaterial?: boolean }).isNodeMaterial === true;
    const isBasic = (material as { isMeshBasicMaterial?: boolean }).isMeshBasicMaterial === true;
    const copy = isNode ? material.clone() : isBasic ? new MeshBasicNodeMaterial() : new MeshStandardNodeMaterial();
    if (!isNode) {
      for (const key of Object.keys(material)) {
        if (key in copy && !['uuid', 'id', 'type', 'version'].includes(key) && !key.startsWith('_')) {
          const value = (material as unknown as Record<string, unknown>)[key];
          (copy as unknown as Record<string, unknown>)[key] = value;
        }
      }
    }
    (copy as MeshStandardNodeMaterial).positionNode = poseNode(this.sets.inputs, inputs);
    return copy;
  }

  /** Unbinds a mesh and gives back its material; its instances are then drawn by their matrices. */
  unbind(mesh: InstancedMesh): void {
    const bound = this.bound.get(mesh);
    if (!bound) return;
    this.bound.delete(mesh);
    for (const material of [mesh.material].flat()) material.dispose();
    mesh.material = bound.material;
    mesh.frustumCulled = bound.wasCulled;
    for (const attribute of Object.values(bound.inputs)) (attribute as unknown as { dispose(): void }).dispose();
  }

  /** Updates the poses, at `alpha` from 0 to 1 between the last two steps (`frame.alpha` of `advance`); default 1. */
  sync(alpha = 1): void {
    const { world, sets } = this;
    sets.inputs.blend.value = alpha;
    const { slotsVersion, slotCount, stepCount } = world;
    const isOther = slotsVersion !== this.version;
    this.version = slotsVersion;
    if (isOther) this.findSlots();
    const isGrown = sets.reserve(slotCount);
    if (stepCount !== this.step || isGrown || isOther) {
      const isNext = stepCount === this.step + 1;
      this.step = stepCount;
      sets.take(world, slotCount, isGrown || isOther || !isNext);
    }
    sets.keepComing(world);
  }

  private findSlots(): void {
    for (const { bodies, inputs } of this.bound.values()) {
      for (const [i, body] of bodies.entries()) {
        inputs.slots.array[i] = this.world.isAlive(body) ? this.world.indexOf(body) : GONE;
      }
      inputs.slots.needsUpdate = true;
    }
  }

  /** Unbinds all meshes and frees the buffer. */
  dispose(): void {
    for (const mesh of [...this.bound.keys()]) this.unbind(mesh);
    this.sets.dispose();
  }
}
