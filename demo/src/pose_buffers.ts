// Body poses and colors in storage buffers for the vertex shader. Where the solver runs on the same device, poses are copied
// from its buffer, GPU to GPU; otherwise the CPU writes them.
//
// A copy, although three could bind the solver's buffer itself: the solver overwrites it with every step and replaces it when
// bodies outgrow it, pictures between steps need the step before too, and the solver's poses are a step ahead of everything else
// on the page (contacts, plots, hands). So there are three sets: the step before the last one, the last one, and the one that
// the GPU works on, which becomes the last one when its result is there. 32 bytes a body and step.
import type { MeshStandardNodeMaterial } from 'three/webgpu';
import type { World } from '../../src/study/index';
import { BodyInputs, bodyMaterial, placeholder } from './body_nodes';
import type { BodyStore, Finish } from './drawing';

const POSE_BYTES = 32;
const POSE_FLOATS = 8;
const SETS = 3;

/** Makes three use a buffer of ours for an attribute, and gives back both. */
export interface Adopter {
  readonly device: GPUDevice;
  adopt(attribute: object, buffer: GPUBuffer): void;
}

/** A buffer of ours that a storage node reads. */
class Backing {
  buffer: GPUBuffer | null = null;
  private attribute = placeholder();

  constructor(
    private readonly home: Adopter,
    private readonly node: { value: unknown },
    private readonly label: string,
  ) {}

  /** Another buffer of that size; the contents are lost. */
  replace(size: number): void {
    this.destroy();
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    this.buffer = this.home.device.createBuffer({ label: this.label, size, usage });
    this.attribute = placeholder();
    this.home.adopt(this.attribute, this.buffer);
    this.node.value = this.attribute;
  }

  destroy(): void {
    // Tells three to forget its side of it, and destroys the buffer if three has seen it.
    (this.attribute as unknown as { dispose(): void }).dispose();
    this.buffer?.destroy();
    this.buffer = null;
  }
}

export class PoseBuffers implements BodyStore {
  colors = new Uint8Array(0);
  readonly taken = { gpu: 0, cpu: 0 };
  private readonly inputs = new BodyInputs();
  private readonly poses: Backing;
  private readonly paint: Backing;
  private capacity = 0;
  /** Which set holds what. */
  private now = 0;
  private before = 1;
  private coming = 2;
  /** The step in `coming`; 0 for none. */
  private comingStep = 0;
  private mixed = new Float32Array(0);

  constructor(private readonly home: Adopter) {
    this.poses = new Backing(home, this.inputs.poses, 'demo poses');
    this.paint = new Backing(home, this.inputs.colors, 'demo colors');
  }

  get blend(): number {
    return this.inputs.blend.value;
  }

  set blend(value: number) {
    this.inputs.blend.value = value;
  }

  take(world: World, jump: boolean): void {
    const grown = this.reserve(world.positions.length / 4);
    const poses = world.gpuPoses;
    const shared = poses?.device === this.home.device ? poses : null;
    const { now, before, coming } = this;
    if (jump || grown) {
      // What was made just now is on the CPU alone.
      this.write(world, now);
      this.write(world, before);
      this.comingStep = 0;
    } else if (this.comingStep > 0 && this.comingStep === world.stepCount && shared && shared.since <= this.comingStep) {
      [this.now, this.before, this.coming] = [coming, now, before];
      this.taken.gpu++;
    } else {
      [this.now, this.before] = [before, now];
      if (shared && shared.step === world.stepCount) {
        this.copy(shared.buffer, shared.count, this.now);
        this.taken.gpu++;
      } else this.write(world, this.now);
    }
    this.inputs.now.value = this.now * this.capacity * 2;
    this.inputs.before.value = this.before * this.capacity * 2;
    // After a jump the step in flight may have begun without the new bodies.
    this.comingStep = 0;
    if (!jump && shared && shared.step > world.stepCount) {
      this.copy(shared.buffer, shared.count, this.coming);
      this.comingStep = shared.step;
    }
  }

  /** Room for body slots; true if poses are lost by that. */
  private reserve(slots: number): boolean {
    if (slots <= this.capacity) return false;
    this.capacity = Math.max(64, slots, Math.ceil(1.5 * this.capacity));
    this.poses.replace(SETS * this.capacity * POSE_BYTES);
    this.paint.replace(this.capacity * 4);
    const colors = new Uint8Array(4 * this.capacity);
    colors.set(this.colors);
    this.colors = colors;
    this.mixed = new Float32Array(this.capacity * POSE_FLOATS);
    return true;
  }

  private write({ positions, rotations }: World, set: number): void {
    const { mixed } = this;
    const slots = positions.length / 4;
    for (let i = 0; i < slots; i++) {
      for (let k = 0; k < 4; k++) {
        mixed[POSE_FLOATS * i + k] = positions[4 * i + k]!;
        mixed[POSE_FLOATS * i + 4 + k] = rotations[4 * i + k]!;
      }
    }
    const { queue } = this.home.device;
    queue.writeBuffer(this.poses.buffer!, set * this.capacity * POSE_BYTES, mixed, 0, slots * POSE_FLOATS);
    this.taken.cpu++;
  }

  private copy(from: GPUBuffer, count: number, set: number): void {
    const { device } = this.home;
    const bytes = Math.min(count, this.capacity) * POSE_BYTES;
    const encoder = device.createCommandEncoder({ label: 'demo poses' });
    encoder.copyBufferToBuffer(from, 0, this.poses.buffer!, set * this.capacity * POSE_BYTES, bytes);
    device.queue.submit([encoder.finish()]);
  }

  colorsChanged(): void {
    this.home.device.queue.writeBuffer(this.paint.buffer!, 0, this.colors);
  }

  material(instanced: boolean, finish: Finish | null): MeshStandardNodeMaterial {
    return bodyMaterial(this.inputs, instanced, finish);
  }

  /** three puts the same position node into the shadow map. */
  shadowMaterial(): null {
    return null;
  }

  dispose(): void {
    this.poses.destroy();
    this.paint.destroy();
  }
}
