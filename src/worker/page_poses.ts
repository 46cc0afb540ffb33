// Poses in a page: the newest buffer of the thread, interpolated in this thread between the two steps in it. A body that is not
// in a buffer yet is at the place of its creation.
import { epochNow, FRESH, HEAD, PoseBuffer, sentBuffer, sharedBuffers } from './messages';

const EMPTY = new PoseBuffer(new ArrayBuffer(128), 0, 0);

export class PagePoses {
  /** The buffer in use until the next `refresh`. */
  now = EMPTY;
  alpha = 1;
  private control: Int32Array | null = null;
  private buffers: PoseBuffer[] = [];
  private front = 0;
  /** The newest buffer that arrived and is not in use yet, and buffers to send back. */
  private sent: PoseBuffer | null = null;
  private readonly done: ArrayBuffer[] = [];
  /** By slot: the call that created the body, and its pose then. */
  private readonly made: number[] = [];
  private start = new Float32Array(0);
  /** Shifts of the origin: number of the call, offset. Poses in buffers from before a shift are not moved yet. */
  private readonly shifts: [call: number, offset: readonly number[]][] = [];
  /** Slots without a position, such as those of wheels. */
  private readonly others = new Set<number>();
  /** The pose that was read last: x y z, then x y z w. */
  readonly pose = new Float32Array(7);

  share(memory: SharedArrayBuffer): void {
    const { control, buffers } = sharedBuffers(memory);
    this.control = control;
    this.buffers = buffers;
    this.front = 0;
  }

  receive(buffer: ArrayBuffer): void {
    if (this.sent) this.done.push(this.sent.buffer as ArrayBuffer);
    this.sent = sentBuffer(buffer);
  }

  /** Returns the buffers to send back. */
  takeDone(): ArrayBuffer[] {
    return this.done.splice(0);
  }

  /** Takes the newest poses, and the time at which to draw. */
  refresh(): void {
    if (this.control) {
      if ((Atomics.load(this.control, 0) & FRESH) !== 0) {
        this.front = Atomics.exchange(this.control, 0, this.front) & 3;
        this.now = this.buffers[this.front]!;
        this.catchUp();
      }
    } else if (this.sent) {
      if (this.now !== EMPTY) this.done.push(this.now.buffer as ArrayBuffer);
      this.now = this.sent;
      this.sent = null;
      this.catchUp();
    }
    const { head } = this.now;
    const time = head[HEAD.time]!;
    const alpha = time === 0 ? head[HEAD.alpha]! : (epochNow() - time) / head[HEAD.length]!;
    this.alpha = Math.min(Math.max(alpha, 0), 1);
  }

  /** Records a shift of the origin by a call: all poses that are read from now on are shifted. */
  shift(call: number, offset: readonly number[]): void {
    this.shifts.push([call, offset]);
    this.moveAll(offset);
    this.moveStarts(offset);
  }

  /** Removes a shift whose call was refused. Returns the way back, or null if it is no longer known. */
  unshift(call: number): readonly number[] | null {
    const at = this.shifts.findIndex(([one]) => one === call);
    if (at < 0) return null;
    const back = this.shifts[at]![1].map((x) => -x);
    this.shifts.splice(at, 1);
    if (this.now.head[HEAD.calls]! < call) this.moveAll(back);
    this.moveStarts(back);
    return back;
  }

  /** Forgets shifts that the thread has done: it sends nothing older any more. */
  forget(calls: number): void {
    const done = Math.min(calls, this.now.head[HEAD.calls]!);
    while (this.shifts.length > 0 && this.shifts[0]![0] <= done) this.shifts.shift();
  }

  /** Returns the offset that data from after so many calls still lacks. */
  behind(calls: number): number[] {
    const sum = [0, 0, 0];
    for (const [call, offset] of this.shifts) if (call > calls) for (let k = 0; k < 3; k++) sum[k] = sum[k]! + offset[k]!;
    return sum;
  }

  /** Shifts a new buffer by the shifts that it does not contain. */
  private catchUp(): void {
    if (this.shifts.length > 0) this.moveAll(this.behind(this.now.head[HEAD.calls]!));
  }

  private moveStarts(offset: readonly number[]): void {
    const { start } = this;
    for (let at = 0; at < start.length; at += 8) for (let k = 0; k < 3; k++) start[at + k] = start[at + k]! + offset[k]!;
  }

  private moveAll(offset: readonly number[]): void {
    if (this.now === EMPTY) return;
    const { positions, pastPositions, capacity } = this.now;
    for (let slot = 0; slot < capacity; slot++) {
      if (this.others.has(slot)) continue;
      for (let k = 0; k < 3; k++) {
        positions[4 * slot + k] = positions[4 * slot + k]! + offset[k]!;
        pastPositions[4 * slot + k] = pastPositions[4 * slot + k]! + offset[k]!;
      }
    }
  }

  /** Records a body that a call creates at a pose, or a slot whose numbers are not a position. */
  place(slot: number, call: number, position: ArrayLike<number>, rotation: ArrayLike<number>, isPosition = true): void {
    this.made[slot] = call;
    if (isPosition) this.others.delete(slot);
    else this.others.add(slot);
    if (8 * slot >= this.start.length) {
      const grown = new Float32Array(Math.max(512, 16 * slot));
      grown.set(this.start);
      this.start = grown;
    }
    for (let k = 0; k < 3; k++) this.start[8 * slot + k] = position[k]!;
    for (let k = 0; k < 4; k++) this.start[8 * slot + 4 + k] = rotation[k]!;
  }

  /** Returns whether the buffer in use has the body in a slot. */
  has(slot: number): boolean {
    return slot < this.now.capacity && this.made[slot]! <= this.now.head[HEAD.calls]!;
  }

  /** Interpolates the pose of the body in a slot into `pose`. */
  mix(slot: number, alpha: number): Float32Array {
    const { pose, now } = this;
    if (!this.has(slot)) {
      for (let k = 0; k < 3; k++) pose[k] = this.start[8 * slot + k]!;
      for (let k = 0; k < 4; k++) pose[3 + k] = this.start[8 * slot + 4 + k]!;
      return pose;
    }
    const p = 4 * slot;
    const back = 1 - alpha;
    const { positions, rotations, pastPositions, pastRotations } = now;
    for (let k = 0; k < 3; k++) pose[k] = positions[p + k]! + (pastPositions[p + k]! - positions[p + k]!) * back;
    const [x, y, z, w] = [rotations[p]!, rotations[p + 1]!, rotations[p + 2]!, rotations[p + 3]!];
    if (back === 0) {
      for (let k = 0; k < 4; k++) pose[3 + k] = rotations[p + k]!;
      return pose;
    }
    const [a, b, c, d] = [pastRotations[p]!, pastRotations[p + 1]!, pastRotations[p + 2]!, pastRotations[p + 3]!];
    const side = x * a + y * b + z * c + w * d < 0 ? -1 : 1;
    const mx = x + (side * a - x) * back;
    const my = y + (side * b - y) * back;
    const mz = z + (side * c - z) * back;
    const mw = w + (side * d - w) * back;
    const unit = 1 / Math.sqrt(Math.max(mx * mx + my * my + mz * mz + mw * mw, 1e-30));
    pose[3] = mx * unit;
    pose[4] = my * unit;
    pose[5] = mz * unit;
    pose[6] = mw * unit;
    return pose;
  }

  /** Writes the matrix of the body in a slot, in columns; `at` is the index of its first float. */
  matrix(slot: number, alpha: number, scales: Float32Array | undefined, i: number, out: Float32Array, at: number): void {
    const pose = this.mix(slot, alpha);
    const [x, y, z, w] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
    const sx = scales ? scales[3 * i]! : 1;
    const sy = scales ? scales[3 * i + 1]! : 1;
    const sz = scales ? scales[3 * i + 2]! : 1;
    out[at] = (1 - 2 * (y * y + z * z)) * sx;
    out[at + 1] = 2 * (x * y + w * z) * sx;
    out[at + 2] = 2 * (x * z - w * y) * sx;
    out[at + 3] = 0;
    out[at + 4] = 2 * (x * y - w * z) * sy;
    out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
    out[at + 6] = 2 * (y * z + w * x) * sy;
    out[at + 7] = 0;
    out[at + 8] = 2 * (x * z + w * y) * sz;
    out[at + 9] = 2 * (y * z - w * x) * sz;
    out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
    out[at + 11] = 0;
    out[at + 12] = pose[0]!;
    out[at + 13] = pose[1]!;
    out[at + 14] = pose[2]!;
    out[at + 15] = 1;
  }
}
