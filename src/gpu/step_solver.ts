// What all solvers on WebGPU share: one command buffer a step, its result through a ring of staging buffers that is never
// waited for, the loss of the device. A family of methods says what is packed, uploaded, dispatched and copied back.
//
// One step, seen by the host:
//   core.stepBroadphase(); core.stepContacts();   contacts are ready, header.solver = SOLVER_EXTERNAL
//   solver.submit();                              packs, uploads, encodes, submits
//   ... later: if (solver.poll() === 'ready')     or: await solver.result()
//   solver.apply(); core.stepEnd();               velocities, deltas, impulses are back; poses are integrated
// If the device is lost in between, poll() says 'lost', and if apply() says no, the result is void: either way nothing of the
// step has reached linear memory, so the same step can be solved by the twin in WASM and ended as usual.
import { type Staging, StagingRing } from './buffers';
import { type DeviceLoss, type GpuDevice, onDeviceLoss } from './device';

export type SolverStatus = 'idle' | 'pending' | 'ready' | 'lost';

/** Numbers of the last step. */
export interface GpuStepStats {
  dispatches: number;
  uploadBytes: number;
  readbackBytes: number;
  /** Contacts that were uploaded: new ones, and those that the CPU changed. */
  edits: number;
  dirtyBodies: number;
  /** Milliseconds on the CPU: cells and slots; packing what has changed; uploading it; encoding and submitting. */
  partitionMs: number;
  packMs: number;
  uploadMs: number;
  encodeMs: number;
  /** Milliseconds from submit to the mapped result. */
  latencyMs: number;
  /** Milliseconds of the compute pass by timestamps; NaN without them. */
  gpuMs: number;
  /** Milliseconds on the CPU: copying the result out of its buffer; applying it to the world. */
  readbackMs: number;
  applyMs: number;
}

export interface GpuSolverOptions {
  /** Measure the compute pass with timestamps, if the device has them. */
  timestamps?: boolean;
}

/** Solves the contacts of one world on one device. */
export abstract class StepSolver {
  readonly device: GpuDevice;
  readonly stats: GpuStepStats = {
    dispatches: 0,
    uploadBytes: 0,
    readbackBytes: 0,
    edits: 0,
    dirtyBodies: 0,
    partitionMs: 0,
    packMs: 0,
    uploadMs: 0,
    encodeMs: 0,
    latencyMs: 0,
    gpuMs: Number.NaN,
    readbackMs: 0,
    applyMs: 0,
  };
  /** Called once when the device is gone; the world's state in linear memory is that of the last applied step. */
  onLost: ((loss: DeviceLoss) => void) | null = null;

  protected readonly gpu: GPUDevice;
  protected readonly memory: WebAssembly.Memory;
  private readonly ring: StagingRing;
  private readonly timing: { set: GPUQuerySet; resolved: GPUBuffer } | null = null;
  private readonly unwatch: () => void;
  private current: SolverStatus = 'idle';
  private inFlight: { staging: Staging; bytes: number; done: Promise<void> } | null = null;

  protected constructor(device: GpuDevice, memory: WebAssembly.Memory, options: GpuSolverOptions) {
    this.device = device;
    this.gpu = device.device;
    this.memory = memory;
    this.ring = new StagingRing(this.gpu);
    if (options.timestamps && this.gpu.features.has('timestamp-query')) {
      this.timing = {
        set: this.gpu.createQuerySet({ type: 'timestamp', count: 2 }),
        resolved: this.gpu.createBuffer({ size: 256, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC }),
      };
    }
    this.unwatch = onDeviceLoss(device, (loss) => {
      if (this.current === 'lost') return;
      this.current = 'lost';
      this.inFlight = null;
      this.forget();
      this.onLost?.(loss);
    });
  }

  /** Poses of body origins after the last submitted step: GpuPose a body (position and w = 1, rotation), 32 bytes apart. */
  abstract get poseBuffer(): GPUBuffer;

  /** SOLVER_* of the twin that solves the packed step on WASM if the GPU does not. */
  abstract get twin(): number;

  /** The result of the step in flight must not reach the body that is in this slot now. */
  abstract shield(index: number): void;

  /** Packs the step in linear memory; bytes of its result, or -1 if memory is out (error bits in the header). */
  protected abstract pack(): number;
  /** Room in all buffers. Throws RangeError where the scene is too large for the device. */
  protected abstract reserve(): void;
  /** Writes what the CPU made; returns the bytes. */
  protected abstract upload(): number;
  /** Encodes the step; returns the dispatches. */
  protected abstract encode(encoder: GPUCommandEncoder, pass: GPUComputePassDescriptor): number;
  /** Copies the result into a staging buffer. */
  protected abstract copyResult(encoder: GPUCommandEncoder, target: GPUBuffer): void;
  /** Takes the result over; false if it is void, with nothing changed. */
  protected abstract take(result: Uint8Array): boolean;
  /** The GPU holds nothing any more, or what was packed will not be solved there. */
  protected abstract forget(): void;
  /** Gives the buffers back. */
  protected abstract release(): void;

  /** `pending` until the result of the last submit has arrived, then `ready` until apply(). Never blocks. */
  poll(): SolverStatus {
    // Some browsers deliver a map only when they see work: an empty submit costs nothing.
    if (this.current === 'pending') this.gpu.queue.submit([]);
    return this.current;
  }

  /** Resolves when poll() would not say `pending` any more. */
  async result(): Promise<SolverStatus> {
    await this.inFlight?.done;
    return this.current;
  }

  /**
   * Packs, uploads and submits one step. Returns false, with nothing sent, if the last result was not applied yet, the device
   * is lost, the scene is too large for it, or memory is out (error bits in the header).
   */
  submit(): boolean {
    if (this.current !== 'idle' || !this.ring.hasFree) return false;
    const started = performance.now();
    this.stats.partitionMs = 0;
    const bytes = this.pack();
    if (bytes < 0) return false;
    const packed = performance.now();
    const staging = this.ring.take(bytes + 16);
    if (!staging) {
      // Cannot happen: asked above. What was packed as known to the GPU is not.
      this.forget();
      return false;
    }
    try {
      this.reserve();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.forget();
      return false;
    }
    const { timing, stats } = this;
    const timestampWrites = timing && { querySet: timing.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const encoder = this.gpu.createCommandEncoder({ label: 'talus step' });
    const reserved = performance.now();
    stats.uploadBytes = this.upload();
    const uploaded = performance.now();
    stats.dispatches = this.encode(encoder, { label: 'talus step', ...(timestampWrites ? { timestampWrites } : {}) });
    this.copyResult(encoder, staging.buffer);
    if (timing) {
      encoder.resolveQuerySet(timing.set, 0, 2, timing.resolved, 0);
      encoder.copyBufferToBuffer(timing.resolved, 0, staging.buffer, bytes, 16);
    }
    this.gpu.queue.submit([encoder.finish()]);
    const submitted = performance.now();
    stats.packMs = packed - started - stats.partitionMs;
    stats.uploadMs = uploaded - reserved;
    stats.encodeMs = submitted - packed - stats.uploadMs;
    stats.readbackBytes = bytes;
    this.await(staging, bytes, submitted);
    return true;
  }

  /**
   * Applies a result that is ready: call before the poses are integrated. Returns false if there is none, or if it is void:
   * then nothing has changed.
   */
  apply(): boolean {
    const flight = this.inFlight;
    if (this.current !== 'ready' || !flight) return false;
    const { buffer } = flight.staging;
    const length = flight.bytes + (this.timing ? 16 : 0);
    let mapped: ArrayBuffer;
    try {
      mapped = buffer.getMappedRange(0, Math.max(length, 16));
    } catch {
      // The device went after the result had arrived and before it told of its loss.
      this.current = 'lost';
      this.inFlight = null;
      this.forget();
      return false;
    }
    if (this.timing) {
      const [begin, end] = new BigUint64Array(mapped.slice(flight.bytes, flight.bytes + 16));
      this.stats.gpuMs = Number(end - begin) / 1e6;
    }
    const taken = this.take(new Uint8Array(mapped, 0, flight.bytes));
    buffer.unmap();
    flight.staging.state = 'free';
    this.inFlight = null;
    this.current = 'idle';
    return taken;
  }

  /** Gives everything back; the device too, if it was opened for this solver. */
  destroy(): void {
    this.unwatch();
    this.current = 'lost';
    this.inFlight = null;
    this.forget();
    this.release();
    this.ring.destroy();
    this.timing?.resolved.destroy();
    this.timing?.set.destroy();
    if (this.device.isOwned) this.gpu.destroy();
  }

  private await(staging: Staging, bytes: number, submitted: number): void {
    this.current = 'pending';
    staging.state = 'pending';
    const length = Math.max(bytes + (this.timing ? 16 : 0), 16);
    const done = staging.buffer.mapAsync(GPUMapMode.READ, 0, length).then(
      () => {
        staging.state = 'mapped';
        if (this.current !== 'pending') return;
        this.stats.latencyMs = performance.now() - submitted;
        this.current = 'ready';
      },
      () => {
        // Rejected: the device is lost or the solver destroyed. The loss handler tells; here only the wait ends. Once that has
        // been said, another solver may be at work on what would be forgotten here.
        if (this.inFlight?.staging !== staging) return;
        this.current = 'lost';
        this.forget();
      },
    );
    this.inFlight = { staging, bytes, done };
  }
}
