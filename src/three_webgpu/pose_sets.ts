// Poses of a world in a storage buffer of the renderer's device. If the solver runs on that device they are copied from its
// buffer, GPU to GPU; otherwise the CPU writes them.
//
// Why a copy, although three could bind the solver's buffer itself: the solver overwrites it with every step and replaces it when
// it has to grow; interpolation needs the previous step too; and the solver is a step ahead of `world.positions`. So there are
// three sets: the step before the last one, the last one, and the step that the GPU works on, which becomes the last one when its
// result has arrived. 32 bytes per body and step.
import type { World } from '../index';

const POSE_BYTES = 32;
const POSE_FLOATS = 8;
const SETS = 3;

/** The parts of a world that poses are read from: worlds of `talus` and of `talus/study`. */
export type PoseWorld = Pick<World, 'gpuPoses' | 'positions' | 'rotations' | 'stepCount'>;

/** Four floats per slot, as `positions` and `rotations` of a world. */
export type Poses = Pick<World, 'positions' | 'rotations'>;

export class PoseSets {
  /** Number of times that poses came from the GPU, and from the CPU. */
  readonly taken = { gpu: 0, cpu: 0 };
  /** Number of body slots that fit. */
  capacity = 0;
  /** Two vec4 per slot: position (w is 0 if the slot is free) and rotation; the three sets one after the other. */
  buffer: GPUBuffer | null = null;
  /** Which set holds which step. */
  private now = 0;
  private before = 1;
  private coming = 2;
  /** The step in `coming`; 0 for none. */
  private comingStep = 0;
  /** The step that the GPU had begun when poses came from the CPU: it may not know of the changes that they bring. */
  private oldStep = 0;
  private mixed = new Float32Array(0);

  constructor(
    private readonly device: GPUDevice,
    private readonly label: string,
  ) {}

  /** Index of the first vec4 of the set of the last step. */
  get nowAt(): number {
    return this.now * this.capacity * 2;
  }

  /** Index of the first vec4 of the set of the step before it. */
  get beforeAt(): number {
    return this.before * this.capacity * 2;
  }

  /** Makes room for body slots; returns true if the buffer was replaced, which loses all poses. */
  reserve(slots: number): boolean {
    if (slots <= this.capacity) return false;
    this.capacity = Math.max(64, slots, Math.ceil(1.5 * this.capacity));
    this.buffer?.destroy();
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    this.buffer = this.device.createBuffer({ label: this.label, size: SETS * this.capacity * POSE_BYTES, usage });
    this.mixed = new Float32Array(POSE_FLOATS * this.capacity);
    return true;
  }

  /** Stores the poses of the first `slots` slots after a step. `jump`: there are no poses of the same bodies before them. */
  take(world: PoseWorld, slots: number, jump: boolean): void {
    const shared = this.sharedOf(world);
    const { now, before, coming } = this;
    if (jump) this.put(world, slots, world);
    else if (this.comingStep > 0 && this.comingStep === world.stepCount && shared && shared.since <= this.comingStep) {
      [this.now, this.before, this.coming] = [coming, now, before];
      this.taken.gpu++;
    } else {
      [this.now, this.before] = [before, now];
      if (shared && shared.step === world.stepCount && shared.step !== this.oldStep) {
        this.copy(shared.buffer as GPUBuffer, shared.count, this.now);
        this.taken.gpu++;
      } else this.write(world, world, slots, this.now);
    }
    this.comingStep = 0;
  }

  /**
   * Stores poses from the CPU, after the last step and before it: bodies that were created, moved or restored just now are there
   * alone.
   */
  put(world: PoseWorld, slots: number, before: Poses): void {
    this.write(world, world, slots, this.now);
    this.write(before, world, slots, this.before);
    this.comingStep = 0;
    this.oldStep = this.sharedOf(world)?.step ?? 0;
  }

  /** Stores the poses of the step that the GPU works on, for the time when it is done. */
  keepComing(world: PoseWorld): void {
    const shared = this.sharedOf(world);
    if (!shared || shared.step <= world.stepCount) return;
    if (shared.step === this.comingStep || shared.step === this.oldStep) return;
    this.copy(shared.buffer as GPUBuffer, shared.count, this.coming);
    this.comingStep = shared.step;
  }

  private sharedOf(world: PoseWorld): World['gpuPoses'] {
    const poses = world.gpuPoses;
    return poses?.device === this.device ? poses : null;
  }

  /** Uploads poses. `present`: poses that tell which slots are free. */
  private write({ positions, rotations }: Poses, present: Poses, slots: number, set: number): void {
    const { mixed } = this;
    const flags = present.positions;
    for (let i = 0; i < slots; i++) {
      for (let k = 0; k < 4; k++) {
        mixed[POSE_FLOATS * i + k] = positions[4 * i + k]!;
        mixed[POSE_FLOATS * i + 4 + k] = rotations[4 * i + k]!;
      }
      mixed[POSE_FLOATS * i + 3] = flags[4 * i + 3]!;
    }
    this.device.queue.writeBuffer(this.buffer!, set * this.capacity * POSE_BYTES, mixed, 0, slots * POSE_FLOATS);
    this.taken.cpu++;
  }

  private copy(from: GPUBuffer, count: number, set: number): void {
    const { device } = this;
    const bytes = Math.min(count, this.capacity) * POSE_BYTES;
    const encoder = device.createCommandEncoder({ label: this.label });
    encoder.copyBufferToBuffer(from, 0, this.buffer!, set * this.capacity * POSE_BYTES, bytes);
    device.queue.submit([encoder.finish()]);
  }

  /** Frees the buffer. */
  dispose(): void {
    this.buffer?.destroy();
    this.buffer = null;
    this.capacity = 0;
  }
}
