// The pass that writes the matrices of instances on the GPU, once per frame and mesh. three reads them as it reads any other
// instance matrices, so materials, shadows and further passes need nothing of their own.
import type { InstancedBufferAttribute, Matrix4 } from 'three';
import { StorageInstancedBufferAttribute } from 'three/webgpu';
import type { Adopter } from './adopter';
import shader from './placing.wgsl?raw';
import type { PoseSets } from './pose_sets';

const LANES = 64;
const MATRIX_BYTES = 64;
const INSTANCE_WORDS = 4;
/** A matrix and four numbers. */
const FRAME_WORDS = 20;

/** The pipeline, for all meshes of a device. */
export class Placer {
  readonly device: GPUDevice;
  readonly pipeline: GPUComputePipeline;

  constructor(
    readonly home: Adopter,
    readonly sets: PoseSets,
  ) {
    this.device = home.device;
    const module = this.device.createShaderModule({ label: 'talus placing', code: shader });
    this.pipeline = this.device.createComputePipeline({
      label: 'talus placing',
      layout: 'auto',
      compute: { module, entryPoint: 'main' },
    });
  }
}

/** Matrices of one mesh on the GPU. */
export class PlacedMatrices {
  /** For `InstancedMesh.instanceMatrix`. Its array on the CPU is that of `original`, and never uploaded. */
  readonly attribute: InstancedBufferAttribute;
  private readonly matrices: GPUBuffer;
  private readonly instances: GPUBuffer;
  private readonly frameBuffer: GPUBuffer;
  private readonly frame = new Float32Array(FRAME_WORDS);
  private readonly frameWords = new Uint32Array(this.frame.buffer);
  private readonly items: Float32Array<ArrayBuffer>;
  private readonly itemWords: Uint32Array<ArrayBuffer>;
  private group: GPUBindGroup | null = null;
  private poses: GPUBuffer | null = null;
  /** Matrices of the last frame, once three has asked for them. */
  private past: GPUBuffer | null = null;

  /** `scales`: three factors per instance, or undefined for 1. */
  constructor(
    private readonly placer: Placer,
    original: InstancedBufferAttribute,
    private readonly count: number,
    scales: Float32Array | undefined,
  ) {
    const { device } = placer;
    const room = Math.max(1, original.count);
    const buffer = (name: string, size: number, usage: number) =>
      device.createBuffer({ label: `talus ${name}`, size, usage: usage | GPUBufferUsage.COPY_DST });
    this.matrices = this.matrixBuffer(room);
    this.instances = buffer('instances', room * INSTANCE_WORDS * 4, GPUBufferUsage.STORAGE);
    this.frameBuffer = buffer('frame', FRAME_WORDS * 4, GPUBufferUsage.UNIFORM);
    this.items = new Float32Array(room * INSTANCE_WORDS).fill(1);
    this.itemWords = new Uint32Array(this.items.buffer);
    if (scales) for (let i = 0; i < count; i++) this.items.set(scales.subarray(3 * i, 3 * i + 3), INSTANCE_WORDS * i);
    this.attribute = this.adopted(original.array as Float32Array, this.matrices);
    this.attribute.clone = () => this.keepPast(room);
  }

  private matrixBuffer(count: number): GPUBuffer {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    return this.placer.device.createBuffer({ label: 'talus matrices', size: count * MATRIX_BYTES, usage });
  }

  private adopted(array: Float32Array, buffer: GPUBuffer): StorageInstancedBufferAttribute {
    const attribute = new StorageInstancedBufferAttribute(array, 16);
    this.placer.home.adopt(attribute, buffer);
    // An upload would replace the matrices by those of the CPU. `needsUpdate` and DynamicDrawUsage ask for one.
    const ignored = (value: number): PropertyDescriptor => ({ get: () => value, set: () => undefined });
    return Object.defineProperties(attribute, { version: ignored(0), usage: ignored(attribute.usage) });
  }

  /** three clones the attribute for motion vectors: the clone holds the matrices of the last frame. */
  private keepPast(room: number): InstancedBufferAttribute & StorageInstancedBufferAttribute {
    const past = this.matrixBuffer(room);
    const { device } = this.placer;
    const encoder = device.createCommandEncoder({ label: 'talus matrices' });
    encoder.copyBufferToBuffer(this.matrices, 0, past, 0, past.size);
    device.queue.submit([encoder.finish()]);
    this.past?.destroy();
    this.past = past;
    const attribute = this.adopted(new Float32Array(16 * room), past);
    const { dispose } = attribute as unknown as { dispose(): void };
    Object.assign(attribute, {
      dispose: () => {
        if (this.past === past) this.past = null;
        dispose.call(attribute);
      },
    });
    return attribute;
  }

  /** Uploads the slots of all bodies; 0xffffffff for none. */
  setSlots(slots: Uint32Array): void {
    for (let i = 0; i < this.count; i++) this.itemWords[INSTANCE_WORDS * i + 3] = slots[i]!;
    this.placer.device.queue.writeBuffer(this.instances, 0, this.items);
  }

  /** Adds the pass for this frame to an encoder. `home`: from the world to the frame of the mesh. */
  place(encoder: GPUCommandEncoder, home: Matrix4, blend: number): void {
    const { device, pipeline, sets } = this.placer;
    const { frame, frameWords, count } = this;
    if (count === 0) return;
    if (this.past) encoder.copyBufferToBuffer(this.matrices, 0, this.past, 0, this.past.size);
    home.toArray(frame);
    frameWords[16] = sets.nowAt;
    frameWords[17] = sets.beforeAt;
    frameWords[18] = count;
    frame[19] = blend;
    device.queue.writeBuffer(this.frameBuffer, 0, frame);
    if (this.poses !== sets.buffer || !this.group) {
      this.poses = sets.buffer!;
      const buffers = [this.frameBuffer, this.poses, this.instances, this.matrices];
      const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
      this.group = device.createBindGroup({ label: 'talus placing', layout: pipeline.getBindGroupLayout(0), entries });
    }
    const pass = encoder.beginComputePass({ label: 'talus placing' });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.group);
    pass.dispatchWorkgroups(Math.ceil(count / LANES));
    pass.end();
  }

  /** Frees the buffers. */
  dispose(): void {
    // three drops its record of the buffer.
    (this.attribute as unknown as { dispose(): void }).dispose();
    for (const buffer of [this.matrices, this.instances, this.frameBuffer, this.past]) buffer?.destroy();
    this.past = null;
  }
}
