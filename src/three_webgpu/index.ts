// The public API of talus/three/webgpu: instances of three's WebGPURenderer that are placed on the GPU, by the poses of a world that steps
// on the same device. No pose passes through the CPU; where the world steps on WASM its poses are uploaded, all in one piece.
//
// Poses are copied, GPU to GPU: the solver overwrites its buffer with every step, pictures between steps need the step before too, and the
// solver is a step ahead of what `world.positions` shows. So there are three sets: the step before the last one, the last one,
// and the one that the GPU works on, which becomes the last one when its result is there. 32 bytes a body and step.
import { type InstancedMesh, type Material, Matrix4 } from 'three';
import { MeshBasicNodeMaterial, MeshStandardNodeMaterial, StorageBufferAttribute, type WebGPURenderer } from 'three/webgpu';
import { type BodyId, TalusError, type World } from '../index';
import { type MeshInputs, PoseInputs, placeholder, poseNode } from './nodes';

/** The calls of a world that drawing on the GPU makes. */
export type GpuWorld = Pick<
  World,
  'gpuPoses' | 'indexOf' | 'isAlive' | 'positions' | 'rotations' | 'slotsVersion' | 'slotCount' | 'stepCount'
>;

/** Options of `GpuInstances.bind`. */
export interface GpuBindOptions {
  /** Three factors an instance; default those of the matrices that the mesh has now. */
  scales?: Float32Array;
}

/** What of three's backend is used beyond its types: its device, and the record that it keeps of an attribute. */
interface Backend {
  device?: GPUDevice;
  get(attribute: object): { buffer?: GPUBuffer };
}

interface Bound {
  mesh: InstancedMesh;
  bodies: readonly BodyId[];
  inputs: MeshInputs;
  material: Material | Material[];
  wasCulled: boolean;
}

const POSE_BYTES = 32;
const SETS = 3;
const GONE = 0xffffffff;
const matrix = new Matrix4();

function backendOf(renderer: WebGPURenderer): Backend & { device: GPUDevice } {
  const backend = renderer.backend as unknown as Backend & { isWebGPUBackend?: boolean };
  if (!backend.isWebGPUBackend || !backend.device) {
    throw new TalusError(
      'unsupported',
      'the renderer has no WebGPU device: `await renderer.init()` first, and draw by ThreePhysics where it falls back to WebGL',
    );
  }
  return backend as Backend & { device: GPUDevice };
}

/** Whether a renderer that was initialized can draw by `GpuInstances`. */
export function canDrawOnGpu(renderer: WebGPURenderer): boolean {
  const { isWebGPUBackend, device } = renderer.backend as unknown as { isWebGPUBackend?: boolean; device?: unknown };
  return isWebGPUBackend === true && device !== undefined;
}

/** The device of a renderer that was initialized: what `createWorld({ device })` takes. */
export function deviceOf(renderer: WebGPURenderer): GPUDevice {
  return backendOf(renderer).device;
}

/**
 * Draws instanced meshes of a world on the GPU. Call `sync` after the world's steps, each frame, or have `ThreePhysics.attach` do it.
 * The meshes must lie in the world as it is (no moved parents), and their materials be node materials or of the standard kinds.
 */
export class GpuInstances {
  /** Frames whose poses came from the GPU, and from the CPU. */
  readonly taken = { gpu: 0, cpu: 0 };
  private readonly backend: Backend & { device: GPUDevice };
  private readonly inputs = new PoseInputs();
  private readonly bound = new Map<InstancedMesh, Bound>();
  private buffer: GPUBuffer | null = null;
  private attribute = placeholder();
  private capacity = 0;
  private mixed = new Float32Array(0);
  private now = 0;
  private before = 1;
  private coming = 2;
  /** The step in `coming`; 0 for none. */
  private comingStep = 0;
  private step = -1;
  private version = -1;

  /** @throws TalusError `unsupported` where the renderer has no WebGPU device */
  constructor(
    readonly world: GpuWorld,
    renderer: WebGPURenderer,
  ) {
    this.backend = backendOf(renderer);
  }

  /**
   * Draws the instances of a mesh by as many bodies. Its material is replaced by one that places vertices, until `unbind`.
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

  /** A material that looks the same and places vertices. */
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
    (copy as MeshStandardNodeMaterial).positionNode = poseNode(this.inputs, inputs);
    return copy;
  }

  /** Ends the drawing of a mesh, which gets back its material; instances are where their matrices say. */
  unbind(mesh: InstancedMesh): void {
    const bound = this.bound.get(mesh);
    if (!bound) return;
    this.bound.delete(mesh);
    for (const material of [mesh.material].flat()) material.dispose();
    mesh.material = bound.material;
    mesh.frustumCulled = bound.wasCulled;
    for (const attribute of Object.values(bound.inputs)) (attribute as unknown as { dispose(): void }).dispose();
  }

  /** Brings the poses up to date: at `alpha` from 0 to 1 between the last two steps (`frame.alpha` of `advance`), default 1. */
  sync(alpha = 1): void {
    const { world } = this;
    this.inputs.blend.value = alpha;
    const isOther = world.slotsVersion !== this.version;
    this.version = world.slotsVersion;
    if (isOther) this.findSlots();
    const isGrown = this.reserve(world.slotCount);
    if (world.stepCount === this.step && !isGrown && !isOther) {
      this.keepComing();
      return;
    }
    const poses = world.gpuPoses;
    const shared = poses?.device === this.backend.device ? poses : null;
    const { now, before, coming } = this;
    const isNext = world.stepCount === this.step + 1;
    this.step = world.stepCount;
    if (isGrown || isOther || !isNext) {
      // What was made or came back just now is on the CPU alone, and there may be no step before this one.
      this.write(now);
      this.write(before);
      this.comingStep = 0;
    } else if (this.comingStep > 0 && this.comingStep === world.stepCount && shared && shared.since <= this.comingStep) {
      [this.now, this.before, this.coming] = [coming, now, before];
      this.taken.gpu++;
    } else {
      [this.now, this.before] = [before, now];
      if (shared && shared.step === world.stepCount) {
        this.copy(shared.buffer as GPUBuffer, shared.count, this.now);
        this.taken.gpu++;
      } else this.write(this.now);
    }
    this.comingStep = 0;
    this.inputs.now.value = this.now * this.capacity * 2;
    this.inputs.before.value = this.before * this.capacity * 2;
    this.keepComing();
  }

  /** Poses of the step that the GPU works on, for when it is done. */
  private keepComing(): void {
    const poses = this.world.gpuPoses;
    if (!poses || poses.device !== this.backend.device || poses.step <= this.world.stepCount || poses.step === this.comingStep)
      return;
    this.copy(poses.buffer as GPUBuffer, poses.count, this.coming);
    this.comingStep = poses.step;
  }

  private findSlots(): void {
    for (const { bodies, inputs } of this.bound.values()) {
      for (const [i, body] of bodies.entries()) {
        inputs.slots.array[i] = this.world.isAlive(body) ? this.world.indexOf(body) : GONE;
      }
      inputs.slots.needsUpdate = true;
    }
  }

  /** Room for body slots; true if poses are lost by that. */
  private reserve(slots: number): boolean {
    if (slots <= this.capacity) return false;
    this.capacity = Math.max(64, slots, Math.ceil(1.5 * this.capacity));
    this.mixed = new Float32Array(8 * this.capacity);
    this.free();
    const { device } = this.backend;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    this.buffer = device.createBuffer({ label: 'talus poses', size: SETS * this.capacity * POSE_BYTES, usage });
    this.attribute = placeholder();
    // three finds this buffer on the record of the attribute, and makes none.
    this.backend.get(this.attribute).buffer = this.buffer;
    (this.inputs.poses as unknown as { value: unknown }).value = this.attribute;
    return true;
  }

  private free(): void {
    (this.attribute as unknown as { dispose(): void }).dispose();
    this.buffer?.destroy();
    this.buffer = null;
  }

  /** From the CPU. */
  private write(set: number): void {
    const { positions, rotations, slotCount } = this.world;
    const { mixed } = this;
    for (let i = 0; i < slotCount; i++) {
      for (let k = 0; k < 4; k++) {
        mixed[8 * i + k] = positions[4 * i + k]!;
        mixed[8 * i + 4 + k] = rotations[4 * i + k]!;
      }
    }
    this.backend.device.queue.writeBuffer(this.buffer!, set * this.capacity * POSE_BYTES, mixed, 0, 8 * slotCount);
    this.taken.cpu++;
  }

  private copy(from: GPUBuffer, count: number, set: number): void {
    const { device } = this.backend;
    const encoder = device.createCommandEncoder({ label: 'talus poses' });
    const bytes = Math.min(count, this.capacity) * POSE_BYTES;
    encoder.copyBufferToBuffer(from, 0, this.buffer!, set * this.capacity * POSE_BYTES, bytes);
    device.queue.submit([encoder.finish()]);
  }

  /** Unbinds all meshes and frees the buffer. */
  dispose(): void {
    for (const mesh of [...this.bound.keys()]) this.unbind(mesh);
    this.free();
    this.capacity = 0;
  }
}
