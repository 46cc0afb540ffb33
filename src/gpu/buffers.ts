// GPU buffers that grow with the scene: by half at least, never shrink. Contents survive growth only where asked for.

/** A buffer that is replaced by a larger one when needed, so that views of it can be dropped. */
export class GrowingBuffer {
  buffer: GPUBuffer;
  private readonly device: GPUDevice;
  private readonly label: string;
  private readonly usage: number;
  private readonly onReplace: () => void;

  /** `onReplace` is called after the buffer object has changed. */
  constructor(device: GPUDevice, label: string, usage: number, onReplace: () => void, bytes = 256) {
    this.device = device;
    this.label = label;
    this.usage = usage;
    this.onReplace = onReplace;
    this.buffer = device.createBuffer({ label, size: bytes, usage });
  }

  /**
   * Room for `bytes`. `keep`: the old contents are copied, before anything that is written or submitted after this call.
   * Throws RangeError, with nothing changed, beyond what the device can bind.
   */
  ensure(bytes: number, keep = false): void {
    if (bytes <= this.buffer.size) return;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.device.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    if (bytes > most) throw new RangeError(`${this.label}: ${bytes} bytes, the device binds at most ${most}`);
    const size = Math.min(Math.ceil(Math.max(bytes, this.buffer.size * 1.5) / 256) * 256, most);
    const old = this.buffer;
    this.buffer = this.device.createBuffer({ label: this.label, size, usage: this.usage });
    if (keep) {
      const encoder = this.device.createCommandEncoder({ label: `${this.label} grows` });
      encoder.copyBufferToBuffer(old, 0, this.buffer, 0, old.size);
      this.device.queue.submit([encoder.finish()]);
    }
    old.destroy();
    this.onReplace();
  }

  destroy(): void {
    this.buffer.destroy();
  }
}

/** A buffer that the CPU reads: free, waiting for its map, or mapped. */
export interface Staging {
  buffer: GPUBuffer;
  state: 'free' | 'pending' | 'mapped';
}

/** Staging buffers taken in turn, so that no submit ever copies into one whose map is pending. */
export class StagingRing {
  private readonly device: GPUDevice;
  private readonly slots: Staging[] = [];
  private next = 0;

  constructor(device: GPUDevice, count = 3) {
    this.device = device;
    for (let i = 0; i < count; i++) this.slots.push({ buffer: this.create(256), state: 'free' });
  }

  private create(size: number): GPUBuffer {
    return this.device.createBuffer({ label: 'talus staging', size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  }

  /** True if take() would give a buffer. */
  get hasFree(): boolean {
    return this.slots.some((slot) => slot.state === 'free');
  }

  /** A free staging buffer of at least `bytes`, or null if all wait. */
  take(bytes: number): Staging | null {
    for (let i = 0; i < this.slots.length; i++) {
      const slot = this.slots[(this.next + i) % this.slots.length];
      if (slot.state !== 'free') continue;
      this.next = (this.next + i + 1) % this.slots.length;
      if (slot.buffer.size < bytes) {
        slot.buffer.destroy();
        slot.buffer = this.create(Math.ceil((bytes * 1.5) / 256) * 256);
      }
      return slot;
    }
    return null;
  }

  destroy(): void {
    for (const slot of this.slots) slot.buffer.destroy();
  }
}
