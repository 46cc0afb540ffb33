// GPU buffers that grow with the scene, by half at least, and never shrink. Contents survive growth only on request. A buffer
// that may be invalid after an error is dropped and created again.

/** Throws RangeError for a buffer larger than the device takes. */
function checkSize(label: string, bytes: number, most: number): void {
  if (bytes > most) throw new RangeError(`${label}: ${bytes} bytes, the device takes at most ${most}`);
}

let copy = new Uint8Array(0);

/** Writes bytes of linear memory to a buffer. Shared memory is copied first: some WebGPU implementations refuse it. */
export function writeMemory(
  queue: GPUQueue,
  to: GPUBuffer,
  at: number,
  source: ArrayBufferLike,
  address: number,
  bytes: number,
): void {
  if (source instanceof ArrayBuffer) {
    queue.writeBuffer(to, at, source, address, bytes);
    return;
  }
  if (copy.length < bytes) copy = new Uint8Array(bytes + (bytes >> 1));
  copy.set(new Uint8Array(source, address, bytes));
  queue.writeBuffer(to, at, copy, 0, bytes);
}

/** A buffer that is replaced by a larger one when needed, so that views of it can be dropped. */
export class GrowingBuffer {
  buffer: GPUBuffer;
  private readonly device: GPUDevice;
  private readonly label: string;
  private readonly usage: number;
  private readonly onReplace: () => void;
  private isGone = false;

  /** `onReplace` is called after the buffer object has changed. */
  constructor(device: GPUDevice, label: string, usage: number, onReplace: () => void, bytes = 256) {
    this.device = device;
    this.label = label;
    this.usage = usage;
    this.onReplace = onReplace;
    this.buffer = device.createBuffer({ label, size: bytes, usage });
  }

  /**
   * Makes room for `bytes`. `keep`: the old contents are copied, before anything that is written or submitted after this call.
   * Throws RangeError, with nothing changed, if the device cannot bind that much.
   */
  ensure(bytes: number, keep = false): void {
    const held = this.isGone ? 0 : this.buffer.size;
    if (bytes <= held && held > 0) return;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.device.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    checkSize(this.label, bytes, most - (most % 256));
    const size = Math.min(Math.ceil(Math.max(bytes, held * 1.5, 256) / 256) * 256, most - (most % 256));
    const old = this.buffer;
    this.buffer = this.device.createBuffer({ label: this.label, size, usage: this.usage });
    this.isGone = false;
    if (keep && held > 0) {
      const encoder = this.device.createCommandEncoder({ label: `${this.label} grows` });
      encoder.copyBufferToBuffer(old, 0, this.buffer, 0, old.size);
      this.device.queue.submit([encoder.finish()]);
    }
    old.destroy();
    this.onReplace();
  }

  /** Frees the memory; the next ensure() creates another, empty buffer. */
  destroy(): void {
    this.isGone = true;
    this.buffer.destroy();
  }
}

/** A buffer that the CPU reads. It is free, or taken until its result has been read. */
export interface Staging {
  buffer: GPUBuffer;
  /** Its usable bytes; 0: it must be replaced. */
  size: number;
  isFree: boolean;
}

/** Staging buffers taken in turn, so that no submit ever copies into one whose map is pending. */
export class StagingRing {
  private readonly device: GPUDevice;
  private readonly slots: Staging[] = [];
  private next = 0;

  constructor(device: GPUDevice, count = 3) {
    this.device = device;
    for (let i = 0; i < count; i++) this.slots.push({ buffer: this.create(256), size: 256, isFree: true });
  }

  private create(size: number): GPUBuffer {
    return this.device.createBuffer({ label: 'talus staging', size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  }

  /** True if take() would give a buffer. */
  get hasFree(): boolean {
    return this.slots.some((slot) => slot.isFree);
  }

  /**
   * Returns a free staging buffer of at least `bytes`. Throws if all are in use, and RangeError beyond the limit of the device.
   */
  take(bytes: number): Staging {
    for (let i = 0; i < this.slots.length; i++) {
      const slot = this.slots[(this.next + i) % this.slots.length];
      if (!slot.isFree) continue;
      if (slot.size < bytes) {
        const { maxBufferSize } = this.device.limits;
        checkSize('talus staging', bytes, maxBufferSize);
        const size = Math.min(Math.ceil((bytes * 1.5) / 256) * 256, maxBufferSize);
        this.free(slot, true);
        slot.buffer = this.create(size);
        slot.size = size;
      }
      this.next = (this.next + i + 1) % this.slots.length;
      slot.isFree = false;
      return slot;
    }
    throw new Error('all staging buffers wait');
  }

  /** Frees a staging buffer; with `drop` it is replaced by another one. */
  free(slot: Staging, drop = false): void {
    slot.isFree = true;
    if (!drop) return;
    slot.buffer.destroy();
    slot.size = 0;
  }

  destroy(): void {
    for (const slot of this.slots) slot.buffer.destroy();
  }
}
