// What all solvers on WebGPU share: one command buffer a step, its result through a ring of staging buffers that is never
// waited for, the loss of the device. A family of methods says what is packed, uploaded, dispatched and copied back.
//
// One step, seen by the host:
//   core.stepBroadphase(); core.stepContacts();   contacts are ready, header.solver = SOLVER_EXTERNAL
//   solver.submit();                              packs, uploads, encodes, submits
//   ... later: if (solver.poll() === 'ready')     or: await solver.result()
//   solver.apply(); core.stepEnd();               velocities, deltas, impulses are back; poses are integrated
// If submit() or apply() says no, the step is void (`fault` says why) or the device lost: either way nothing of it has reached
// linear memory, so the same step can be solved by the twin in WASM and ended as usual.
//
// What makes a step void: an error in one of the three scopes around all that it creates and submits; a result without its stamp
// (solver, step, bodies, submission: 16 bytes that the command buffer copies behind the result); no result in time; a scene beyond
// the limits of the device. After an error all buffers are made anew, and all is told again.

import { messageOf } from '../checks/show';
import { HEADER_PTR, Header } from '../layout.generated';
import { type Staging, StagingRing } from './buffers';
import { type DeviceLoss, type GpuDevice, onDeviceLoss } from './device';

/**
 * State of a step. `hung`: the step failed because no result came in time; it becomes `idle` again when the result comes after
 * all.
 */
export type SolverStatus = 'idle' | 'pending' | 'ready' | 'hung' | 'lost';

/** Why a step failed. */
export interface StepFault {
  /**
   * `limit`: the scene is beyond the limits of the device; `memory`: its memory is out; `error`: another error; `late`: no result
   * in time.
   */
  kind: 'limit' | 'memory' | 'error' | 'late';
  message: string;
}

/** Overdue results get this many milliseconds more: this thread may have been busy, and results wait behind its work. */
const GRACE = 10;
/** Milliseconds between two empty submits while result() waits: some browsers deliver a map only when they get work. */
const NUDGE = 4;

const SCOPES = ['internal', 'out-of-memory', 'validation'] as const;
const STAMP_BYTES = 16;
const TIME_BYTES = 16;

let solvers = 0;

/** Numbers of the last step. */
export interface GpuStepStats {
  dispatches: number;
  /** Uploaded bytes, without the stamp. */
  uploadBytes: number;
  readbackBytes: number;
  /** Number of uploaded contacts: new ones, and contacts that the CPU changed. */
  edits: number;
  dirtyBodies: number;
  /** Milliseconds on the CPU: cells and slots; packing the changes; uploading them; encoding and submitting. */
  partitionMs: number;
  packMs: number;
  uploadMs: number;
  encodeMs: number;
  /** Milliseconds from submit to the mapped result and the end of the error scopes. */
  latencyMs: number;
  /** Milliseconds of the compute pass by timestamps; NaN without them. */
  gpuMs: number;
  /** Milliseconds of which all timestamps so far are multiples: the resolution of gpuMs. NaN without timestamps. */
  gpuTickMs: number;
  /** Milliseconds on the CPU: copying the result out of its buffer; applying it to the world. */
  readbackMs: number;
  applyMs: number;
}

export interface GpuSolverOptions {
  /** Whether to measure the compute pass with timestamps, if the device has them. */
  timestamps?: boolean;
}

/** A step in flight: its result, and how long to wait for it. */
interface Flight {
  staging: Staging;
  bytes: number;
  /** The result, its stamp and its times, once they have arrived. */
  mapped: ArrayBuffer | null;
  stamp: Uint32Array<ArrayBuffer>;
  submitted: number;
  /** Time at which it was first found overdue; 0: not yet. */
  overdue: number;
  done: Promise<void>;
  /** Of `StepSolver.result`, once somebody waits. */
  result?: Promise<SolverStatus>;
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
    gpuTickMs: Number.NaN,
    readbackMs: 0,
    applyMs: 0,
  };
  /** Called once when the device is lost. The world's state in linear memory is that of the last applied step. */
  onLost: ((loss: DeviceLoss) => void) | null = null;
  /** Why submit() or apply() has returned false, or poll() has returned `hung`; null: for another reason. */
  fault: StepFault | null = null;
  /** Milliseconds after submit beyond which the result of a step is no longer awaited. */
  patience = Infinity;

  protected readonly gpu: GPUDevice;
  protected readonly memory: WebAssembly.Memory;
  private readonly ring: StagingRing;
  private readonly timing: { set: GPUQuerySet; resolved: GPUBuffer } | null = null;
  private readonly unwatch: () => void;
  private current: SolverStatus = 'idle';
  private inFlight: Flight | null = null;
  private readonly id = ++solvers;
  private submits = 0;
  /** Copied after each result. */
  private readonly stamp: GPUBuffer;
  /** Common divisor of all timestamps, ns. */
  private tick = 0n;

  protected constructor(device: GpuDevice, memory: WebAssembly.Memory, options: GpuSolverOptions) {
    this.device = device;
    this.gpu = device.device;
    this.memory = memory;
    this.ring = new StagingRing(this.gpu);
    this.stamp = this.gpu.createBuffer({ size: STAMP_BYTES, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
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

  /** Poses of body origins after the last submitted step: GpuPose per body (position and w = 1, rotation), 32 bytes apart. */
  abstract get poseBuffer(): GPUBuffer;

  /** SOLVER_* of the twin that solves the packed step on WASM if the GPU does not. */
  abstract get twin(): number;

  /** Keeps the result of the step in flight from the body that is in this slot now. */
  abstract shield(index: number): void;

  /**
   * Packs the step in linear memory; returns the bytes of its result, or of what is expected of it, or -1 if memory is out (error bits
   * in the header).
   */
  protected abstract pack(): number;
  /** Makes room in all buffers. Throws RangeError if the scene is too large for the device. */
  protected abstract reserve(): void;
  /** Uploads the data of the CPU; returns the number of bytes. */
  protected abstract upload(): number;
  /** Encodes the step; returns the number of dispatches. */
  protected abstract encode(encoder: GPUCommandEncoder, pass: GPUComputePassDescriptor): number;
  /** Copies the result into a staging buffer. */
  protected abstract copyResult(encoder: GPUCommandEncoder, target: GPUBuffer): void;
  /** Returns the bytes of the whole result if this one was cut short, to copy it again; otherwise 0. */
  protected missing(_result: Uint8Array): number {
    return 0;
  }
  /** Applies the result; returns false if it is invalid, with nothing changed. */
  protected abstract take(result: Uint8Array): boolean;
  /** Resets the record of what the GPU holds, or drops the packed step. */
  protected abstract forget(): void;
  /** Frees the buffers. */
  protected abstract release(): void;

  /** Returns `pending` until the result of the last submit has arrived, then `ready` until apply(). Never blocks. */
  poll(): SolverStatus {
    const flight = this.inFlight;
    if (this.current === 'pending' && flight) {
      // Some browsers deliver a map only when they see work: an empty submit costs nothing.
      this.gpu.queue.submit([]);
      const now = performance.now();
      const waited = now - flight.submitted;
      if (waited > this.patience) flight.overdue ||= now;
      if (flight.overdue > 0 && now - flight.overdue > GRACE) {
        this.current = 'hung';
        this.void('late', `no result in ${Math.round(waited)} ms`);
      }
    }
    return this.current;
  }

  /**
   * Resolves when poll() would not say `pending` any more of the step that is in flight now. One promise per flight, so
   * waiting callers go on in the order of their calls.
   */
  result(): Promise<SolverStatus> {
    const flight = this.inFlight;
    if (!flight) return Promise.resolve(this.current);
    flight.result ??= this.watch(flight);
    return flight.result;
  }

  private async watch(flight: Flight): Promise<SolverStatus> {
    while (this.poll() === 'pending' && this.inFlight === flight) {
      await Promise.race([flight.done, new Promise((resolve) => setTimeout(resolve, NUDGE))]);
    }
    return this.current;
  }

  /**
   * Packs, uploads and submits one step. Returns false, with nothing sent, if the last result was not applied yet, the device is
   * lost, memory is out (error bits in the header), or for the reason in `fault`.
   */
  submit(): boolean {
    this.fault = null;
    if (this.current !== 'idle' || !this.ring.hasFree) return false;
    const { gpu, stats } = this;
    const started = performance.now();
    stats.partitionMs = 0;
    const bytes = this.pack();
    if (bytes < 0) return false;
    const packed = performance.now();
    let flight: Flight | null = null;
    let map: Promise<undefined> | null = null;
    let thrown: unknown;
    // Popped before anybody else can push: the device may be shared.
    for (const filter of SCOPES) gpu.pushErrorScope(filter);
    try {
      const staging = this.ring.take(bytes + STAMP_BYTES + TIME_BYTES);
      flight = {
        staging,
        bytes,
        mapped: null,
        stamp: this.stampOf(++this.submits),
        submitted: 0,
        overdue: 0,
        done: Promise.resolve(),
      };
      map = this.send(flight);
    } catch (error) {
      thrown = error;
    }
    const arrival = Promise.allSettled([map, ...SCOPES.map(() => gpu.popErrorScope())]);
    if (!flight || !map) {
      this.drop(thrown instanceof RangeError ? 'limit' : 'error', messageOf(thrown), flight);
      return false;
    }
    const sent = flight;
    sent.submitted = performance.now();
    stats.packMs = packed - started - stats.partitionMs;
    stats.encodeMs = sent.submitted - packed - stats.uploadMs;
    stats.readbackBytes = bytes;
    this.current = 'pending';
    this.inFlight = sent;
    sent.done = arrival.then(([mapped, ...scopes]) => this.arrive(sent, mapped.status === 'fulfilled', scopes));
    return true;
  }

  /** Returns the stamp of a step: solver, steps done, bodies, submission. */
  private stampOf(submit: number): Uint32Array<ArrayBuffer> {
    const header = new DataView(this.memory.buffer, HEADER_PTR);
    return Uint32Array.of(this.id, header.getUint32(Header.stepCount, true), header.getUint32(Header.bodyCount, true), submit);
  }

  /** Uploads, encodes and submits the packed step, and requests its map. */
  private send(flight: Flight): Promise<undefined> {
    const { timing, stats, gpu } = this;
    this.reserve();
    const reserved = performance.now();
    stats.uploadBytes = this.upload();
    stats.uploadMs = performance.now() - reserved;
    gpu.queue.writeBuffer(this.stamp, 0, flight.stamp);
    const timestampWrites = timing && { querySet: timing.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const encoder = gpu.createCommandEncoder({ label: 'talus step' });
    stats.dispatches = this.encode(encoder, { label: 'talus step', ...(timestampWrites ? { timestampWrites } : {}) });
    if (timing) encoder.resolveQuerySet(timing.set, 0, 2, timing.resolved, 0);
    return this.fetch(encoder, flight);
  }

  /** Copies the result, its stamp and its times into the staging buffer of a flight, submits, and requests the map. */
  private fetch(encoder: GPUCommandEncoder, { staging, bytes }: Flight): Promise<undefined> {
    const { timing } = this;
    this.copyResult(encoder, staging.buffer);
    encoder.copyBufferToBuffer(this.stamp, 0, staging.buffer, bytes, STAMP_BYTES);
    if (timing) encoder.copyBufferToBuffer(timing.resolved, 0, staging.buffer, bytes + STAMP_BYTES, TIME_BYTES);
    this.gpu.queue.submit([encoder.finish()]);
    return staging.buffer.mapAsync(GPUMapMode.READ, 0, bytes + STAMP_BYTES + TIME_BYTES);
  }

  /** The result was longer than expected: copies all of it, from the buffers on the GPU, where it still lies. */
  private fetchAgain(flight: Flight, bytes: number): Promise<void> {
    const { gpu } = this;
    flight.staging.buffer.unmap();
    this.ring.free(flight.staging);
    flight.mapped = null;
    let map: Promise<undefined> | null = null;
    let thrown: unknown;
    for (const filter of SCOPES) gpu.pushErrorScope(filter);
    try {
      flight.staging = this.ring.take(bytes + STAMP_BYTES + TIME_BYTES);
      flight.bytes = bytes;
      map = this.fetch(gpu.createCommandEncoder({ label: 'talus result' }), flight);
    } catch (error) {
      thrown = error;
    }
    const arrival = Promise.allSettled([map, ...SCOPES.map(() => gpu.popErrorScope())]);
    if (!map) {
      this.current = 'ready';
      this.void(thrown instanceof RangeError ? 'limit' : 'error', messageOf(thrown));
      return Promise.resolve();
    }
    this.stats.readbackBytes += bytes;
    return arrival.then(([mapped, ...scopes]) => this.arrive(flight, mapped.status === 'fulfilled', scopes));
  }

  /** Handles the end of the map and of the error scopes; `scopes` are in the order they were popped. */
  private arrive(
    flight: Flight,
    isMapped: boolean,
    scopes: PromiseSettledResult<GPUError | null | undefined>[],
  ): Promise<void> | undefined {
    if (this.inFlight !== flight) {
      // Too late, or the solver is gone.
      if (this.current !== 'hung') return undefined;
      this.ring.free(flight.staging, true);
      this.current = 'idle';
      return undefined;
    }
    const [validation, memory, internal] = scopes.map((scope): { message: string } | null | undefined =>
      scope.status === 'fulfilled' ? scope.value : isMapped ? scope.reason : null,
    );
    const error = memory ?? validation ?? internal;
    this.stats.latencyMs = performance.now() - flight.submitted;
    if (error) {
      this.current = 'ready';
      this.ring.free(flight.staging, true);
      this.void(memory ? 'memory' : 'error', error.message);
    } else if (isMapped && this.open(flight)) {
      const bytes = this.missing(new Uint8Array(flight.mapped!, 0, flight.bytes));
      if (bytes > 0) return this.fetchAgain(flight, bytes);
      this.current = 'ready';
    } else {
      // The device is lost: its handler reports it, here only the wait ends.
      this.current = 'lost';
      this.forget();
    }
    return undefined;
  }

  /** Makes the mapped result readable; false if the device was lost after it had arrived and before it reported the loss. */
  private open(flight: Flight): boolean {
    try {
      flight.mapped = flight.staging.buffer.getMappedRange(0, flight.bytes + STAMP_BYTES + TIME_BYTES);
    } catch {
      return false;
    }
    return true;
  }

  /** Marks the step as failed: the contents of the GPU are no longer relied on. */
  private void(kind: StepFault['kind'], message: string): void {
    this.fault = { kind, message };
    this.inFlight = null;
    this.forget();
  }

  /** As `void`; buffers may be invalid, so the next step creates all of them again. */
  private drop(kind: StepFault['kind'], message: string, flight: Flight | null): void {
    this.void(kind, message);
    if (flight) this.ring.free(flight.staging, true);
    this.release();
  }

  /**
   * Applies a result that is ready; call it before the poses are integrated. Returns false if there is none, or if it is invalid:
   * then nothing has changed.
   */
  apply(): boolean {
    const flight = this.inFlight;
    if (this.current !== 'ready') return false;
    this.current = 'idle';
    if (!flight) {
      this.release();
      return false;
    }
    const { bytes, stamp, mapped } = flight;
    if (!mapped || mapped.byteLength === 0) {
      // The device was lost after the result had arrived and before it reported the loss.
      this.current = 'lost';
      this.inFlight = null;
      this.forget();
      return false;
    }
    const found = new Uint32Array(mapped, bytes, 4);
    const isOwn = found.every((word, i) => word === stamp[i]) && this.stampOf(0)[1] === stamp[1];
    if (!isOwn) {
      this.drop('error', `the result has the stamp ${found}, the step ${stamp}`, flight);
      return false;
    }
    if (this.timing) this.readTime(new BigUint64Array(mapped.slice(bytes + STAMP_BYTES)));
    const taken = this.take(new Uint8Array(mapped, 0, bytes));
    flight.staging.buffer.unmap();
    this.ring.free(flight.staging);
    this.inFlight = null;
    return taken;
  }

  private readTime(times: BigUint64Array): void {
    const { stats } = this;
    stats.gpuMs = Number(times[1]! - times[0]!) / 1e6;
    // Their greatest common divisor: where clocks are made coarse, it is the step of the clock after a few results.
    for (let time of times) {
      while (time > 0n) [this.tick, time] = [time, this.tick % time];
    }
    stats.gpuTickMs = Number(this.tick) / 1e6;
  }

  /** Frees everything; the device too, if it was opened for this solver. */
  destroy(): void {
    this.unwatch();
    this.current = 'lost';
    this.inFlight = null;
    this.forget();
    this.release();
    this.ring.destroy();
    this.stamp.destroy();
    this.timing?.resolved.destroy();
    this.timing?.set.destroy();
    if (this.device.isOwned) this.gpu.destroy();
  }
}
