// Messages between page and thread, and the buffers with poses.
import type { ContactEvent, Frame, WorldOptions } from '../index';
import type { BodyId, JointId } from '../types';

/** The events of one step. */
export interface StepEvents {
  /** `stepCount` after the step. */
  step: number;
  contacts: ContactEvent[];
  jointBreaks: JointId[];
  /** Bodies that fell asleep, and bodies that woke. */
  sleeps: BodyId[];
  wakes: BodyId[];
}

/** How the thread steps by itself. */
export interface RunOptions {
  /** Simulated seconds per second, 0.001 to 1000. Default 1. */
  speed?: number;
  /** Largest number of steps per round, as for `World.advance`. */
  maxSteps?: number;
}

/** Name, arguments, id of the created thing (first of many; 0: none), ticket of the answer (0: none). */
export type Call = [name: string, args: unknown[], handles: readonly number[], ticket: number];

export type ToThread = { init: WorldOptions; shared: boolean } | { calls: Call[]; count: number } | { buffers: ArrayBuffer[] };

export interface Refusal {
  code: string;
  message: string;
}

export interface FromThread {
  /** The world exists. */
  ready?: true;
  /** The world cannot continue, or was refused. */
  failed?: Refusal;
  /** Three buffers with poses and their control word. */
  shared?: SharedArrayBuffer;
  /** One of them, sent. */
  poses?: ArrayBuffer;
  answers?: [ticket: number, value: unknown, refusal: Refusal | null][];
  /** Commands that were refused. */
  refused?: [call: string, refusal: Refusal, handles: readonly number[]][];
  events?: StepEvents[];
  /** Number of calls that were done when the points of these events were recorded. */
  calls?: number;
}

/** Shifts the points of contact events with the origin. */
export function shiftPoints(contacts: readonly ContactEvent[], offset: readonly number[]): void {
  for (const { point, normal } of contacts) {
    // Events without a contact have neither.
    if (normal.every((x) => x === 0)) continue;
    for (let k = 0; k < 3; k++) point[k] = point[k]! + offset[k]!;
  }
}

/** A copy of `Frame` with further numbers for the page. */
export type SentFrame = Frame;

/** Doubles at the start of a buffer with poses. */
export const HEAD = {
  /** Time (ms since 1970) at which to draw the poses before the last step. 0: `alpha` applies. */
  time: 0,
  /** Milliseconds from there to the poses after it. */
  length: 1,
  alpha: 2,
  stepCount: 3,
  /** Number of calls that were done. */
  calls: 4,
  bodyCount: 5,
  sleepingCount: 6,
  /** Milliseconds of the last step. */
  stepMs: 7,
  /** Time that the thread has dropped so far, s. */
  dropped: 8,
  dt: 9,
} as const;
export const HEAD_BYTES = 128;
/** Bytes per body: position and rotation after the last step and before it, in four blocks. */
export const POSE_BYTES = 64;
/** Bytes before the three buffers of shared memory: a word that names the one in the middle, and FRESH if it is new. */
export const CONTROL_BYTES = 64;
export const FRESH = 4;

/** A buffer with poses of `capacity` bodies. */
export class PoseBuffer {
  readonly head: Float64Array;
  readonly positions: Float32Array;
  readonly rotations: Float32Array;
  readonly pastPositions: Float32Array;
  readonly pastRotations: Float32Array;

  constructor(
    readonly buffer: ArrayBufferLike,
    start: number,
    readonly capacity: number,
  ) {
    const block = (i: number) => new Float32Array(buffer, start + HEAD_BYTES + 16 * i * capacity, 4 * capacity);
    this.head = new Float64Array(buffer, start, HEAD_BYTES / 8);
    this.positions = block(0);
    this.rotations = block(1);
    this.pastPositions = block(2);
    this.pastRotations = block(3);
  }
}

/** Returns the bytes of a buffer for so many bodies. */
export function bufferBytes(capacity: number): number {
  return HEAD_BYTES + POSE_BYTES * capacity;
}

/** Returns the three buffers in shared memory. */
export function sharedBuffers(shared: SharedArrayBuffer): { control: Int32Array; buffers: PoseBuffer[] } {
  const bytes = (shared.byteLength - CONTROL_BYTES) / 3;
  const capacity = (bytes - HEAD_BYTES) / POSE_BYTES;
  const buffers = [0, 1, 2].map((i) => new PoseBuffer(shared, CONTROL_BYTES + i * bytes, capacity));
  return { control: new Int32Array(shared, 0, 1), buffers };
}

/** Returns a buffer that was sent. */
export function sentBuffer(buffer: ArrayBuffer): PoseBuffer {
  return new PoseBuffer(buffer, 0, (buffer.byteLength - HEAD_BYTES) / POSE_BYTES);
}

/** Returns ms since 1970, as fine as the clock of this thread: the same for page and thread. */
export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}
