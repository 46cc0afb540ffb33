// Poses of bodies between the last two steps, one at a time or all at once into a caller's arrays. The core mixes four bodies at a
// time in chunks that stay in the cache (assembly/queries/poses.ts).

import { checkKeys, checkNumber, checkTyped } from '../checks/validate';
import { writeComponents } from '../checks/vectors';
import { HEADER_PTR, Header, PastPose, POSE_CHUNK } from '../layout.generated';
import type { QuatSink, Vec3Sink } from '../types';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';

/** Options of `World.readPoses`. */
export interface PoseOptions {
  /**
   * Slots of the bodies (`world.indexOf`), in the order of the output. A slot without a body, such as 0xffffffff, gives zeros.
   * Default: all slots.
   */
  bodies?: Uint32Array;
  /** 1 for the poses after the last step, 0 for those before it. Default: that of the last `advance`; 1 before any. */
  alpha?: number;
}

/** Options of `World.readMatrices`. */
export interface MatrixOptions extends PoseOptions {
  /** Three factors per body along its axes, for geometry shared by bodies of many sizes. */
  scales?: Float32Array;
}

const CHUNK_FLOATS = 16 * POSE_CHUNK;

export class PoseReader {
  private readonly core: CoreExports;
  private readonly memory: LinearMemory;
  /** Throws 'out-of-memory' for a result of 0. */
  private readonly checkMemory: (result: number) => void;
  /** Memory of a chunk, and its halves for positions and rotations. */
  private chunk = new Float32Array(0);
  private head = this.chunk;
  private tail = this.chunk;
  private readonly mixed = new Float32Array(7);

  constructor(core: CoreExports, memory: LinearMemory, checkMemory: (result: number) => void) {
    this.core = core;
    this.memory = memory;
    this.checkMemory = checkMemory;
  }

  /** From now on, steps store the poses before them. */
  keep(): void {
    if (this.memory.headerU32(Header.pastPoses) === 0) this.checkMemory(this.core.keepPoses());
  }

  /** Writes the pose of the body in a slot. */
  pose(slot: number, position: Vec3Sink | null, rotation: QuatSink | null, alpha: number): void {
    checkNumber(alpha, 'alpha', 0, 1);
    if (alpha < 1) this.keep();
    const { u32, f32 } = this.memory;
    const header = HEADER_PTR >>> 2;
    const at = (u32[header + Header.positions / 4]! >>> 2) + 4 * slot;
    const turn = (u32[header + Header.rotations / 4]! >>> 2) + 4 * slot;
    const { mixed } = this;
    for (let k = 0; k < 3; k++) mixed[k] = f32[at + k]!;
    for (let k = 0; k < 4; k++) mixed[3 + k] = f32[turn + k]!;
    const past = (u32[header + Header.pastPoses / 4]! + slot * PastPose.STRIDE) >>> 2;
    const kept = slot < u32[header + Header.pastPosesCapacity / 4]!;
    const step = u32[header + Header.stepCount / 4]!;
    // Before the first step there is none before it.
    if (kept && alpha < 1 && step !== 0 && u32[past + PastPose.step / 4] === step) {
      mix(f32, past, past + PastPose.rotation / 4, mixed, 1 - alpha);
    }
    if (position !== null) writeComponents(mixed, 0, 3, position);
    if (rotation !== null) writeComponents(mixed, 3, 4, rotation);
  }

  /** Writes the poses of many bodies; returns their number. */
  poses(positions: Float32Array, rotations: Float32Array, options: PoseOptions, alpha: number): number {
    checkKeys(options, 'options', ['bodies', 'alpha']);
    const blend = this.checkOptions(options, alpha);
    const count = this.countOf(options);
    checkTyped(positions, 'positions', 'Float32Array', 4 * count);
    checkTyped(rotations, 'rotations', 'Float32Array', 4 * count);
    this.prepare(count, options, undefined, blend);
    const listed = options.bodies === undefined ? 0 : 1;
    for (let from = 0; from < count; from += POSE_CHUNK) {
      const size = Math.min(POSE_CHUNK, count - from);
      this.core.readPoses(from, size, listed, blend, 0, 0);
      positions.set(size === POSE_CHUNK ? this.head : this.head.subarray(0, 4 * size), 4 * from);
      rotations.set(size === POSE_CHUNK ? this.tail : this.tail.subarray(0, 4 * size), 4 * from);
    }
    return count;
  }

  /** Writes the matrices of many bodies; returns their number. */
  matrices(out: Float32Array, options: MatrixOptions, alpha: number): number {
    checkKeys(options, 'options', ['bodies', 'alpha', 'scales']);
    const blend = this.checkOptions(options, alpha);
    const { scales } = options;
    const count = this.countOf(options);
    checkTyped(out, 'out', 'Float32Array', 16 * count);
    if (scales !== undefined) checkTyped(scales, 'options.scales', 'Float32Array', 3 * count);
    this.prepare(count, options, scales, blend);
    const listed = options.bodies === undefined ? 0 : 1;
    for (let from = 0; from < count; from += POSE_CHUNK) {
      const size = Math.min(POSE_CHUNK, count - from);
      this.core.readPoses(from, size, listed, blend, 1, scales === undefined ? 0 : 1);
      out.set(size === POSE_CHUNK ? this.chunk : this.chunk.subarray(0, 16 * size), 16 * from);
    }
    return count;
  }

  private checkOptions({ bodies, alpha }: PoseOptions, usual: number): number {
    if (bodies !== undefined) checkTyped(bodies, 'options.bodies', 'Uint32Array');
    return alpha === undefined ? usual : checkNumber(alpha, 'options.alpha', 0, 1);
  }

  private countOf({ bodies }: PoseOptions): number {
    return bodies === undefined ? this.memory.headerU32(Header.bodyCount) : bodies.length;
  }

  /** Copies lists to the core; returns views of its chunk. */
  private prepare(count: number, { bodies }: PoseOptions, scales: Float32Array | undefined, alpha: number): void {
    if (alpha < 1) this.keep();
    const { memory } = this;
    this.checkMemory(this.core.reservePoseLists(bodies !== undefined || scales !== undefined ? count + 4 : 0));
    const lists = memory.headerU32(Header.poseLists) >>> 2;
    if (bodies !== undefined) memory.u32.set(bodies, lists);
    if (scales !== undefined) {
      const at = lists + memory.headerU32(Header.poseListsCapacity);
      memory.f32.set(scales.length === 3 * count ? scales : scales.subarray(0, 3 * count), at);
    }
    const buffer = memory.f32.buffer as ArrayBuffer;
    const address = memory.headerU32(Header.poseChunk);
    if (this.chunk.buffer === buffer && this.chunk.byteOffset === address) return;
    this.chunk = new Float32Array(buffer, address, CHUNK_FLOATS);
    this.head = this.chunk.subarray(0, 4 * POSE_CHUNK);
    this.tail = this.chunk.subarray(4 * POSE_CHUNK, 8 * POSE_CHUNK);
  }
}

/** Mixes the share `back` of an earlier pose into `from`; rotations take the shorter way around. */
function mix(from: Float32Array, position: number, rotation: number, pose: Float32Array, back: number): void {
  for (let k = 0; k < 3; k++) pose[k] = pose[k]! + (from[position + k]! - pose[k]!) * back;
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += pose[3 + k]! * from[rotation + k]!;
  let length2 = 0;
  const side = dot < 0 ? -1 : 1;
  for (let k = 0; k < 4; k++) {
    const q = pose[3 + k]! + (side * from[rotation + k]! - pose[3 + k]!) * back;
    pose[3 + k] = q;
    length2 += q * q;
  }
  const unit = 1 / Math.sqrt(Math.max(length2, 1e-30));
  for (let k = 3; k < 7; k++) pose[k] = pose[k]! * unit;
}
