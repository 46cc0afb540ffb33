// The contact solver on WebGPU. A step is one command buffer with one compute pass:
//   spread (bodies -> slots), remap (carried impulses), island (cells of whole islands, all substeps in one dispatch),
//   solve x (1 warm + 2 a substep + 1 if anything bounces) for cells that share bodies, finalise (means, deltas, poses).
// Body state and impulses stay on the GPU; uploaded are contacts, index maps and what the CPU changed. The result comes back
// through a ring of staging buffers and is never waited for here.
//
// One step, seen by the host:
//   core.stepBroadphase(); core.stepContacts();   contacts are ready, header.solver = SOLVER_EXTERNAL
//   solver.submit();                              packs, uploads, encodes, submits
//   ... later: if (solver.poll() === 'ready')     or: await solver.result()
//   solver.apply(); core.stepEnd();               velocities, deltas, impulses are back; poses are integrated
// If the device is lost in between, poll() says 'lost': nothing of the step has reached linear memory, so the same step can
// be solved by core.solveCellSplit() and ended as usual.
import { TalusError } from '../errors';
import {
  GpuBody,
  GpuDelta,
  HEADER_PTR,
  Header,
  SPLIT_STEP_SLOT,
  SplitFresh,
  SplitLink,
  SplitMap,
  SplitPoint,
  SplitRow,
  SplitSlot,
  SplitSlotState,
  SplitState,
} from '../layout.generated';
import { GrowingBuffer, type Staging, StagingRing } from './buffers';
import type { DeviceLoss, GpuDevice } from './device';
import { type BufferName, bindKernel, createKernels, type Kernel, lanes } from './pipelines';
import type { KernelName } from './shader';

/** What the solver needs of the core. */
export interface GpuCore {
  /** Packs the active manifolds; 0 if memory is out (error bits in the header). */
  packGpu(): number;
  /** Takes the result that was copied to splitState.readback. */
  applyGpuResult(): void;
  /** The GPU holds nothing any more. */
  forgetGpu(): void;
}

export type SolverStatus = 'idle' | 'pending' | 'ready' | 'lost';

/** Numbers of the last step. */
export interface GpuStepStats {
  dispatches: number;
  uploadBytes: number;
  readbackBytes: number;
  /** Links whose impulses were uploaded instead of moved on the GPU. */
  freshLinks: number;
  dirtyBodies: number;
  /** Milliseconds of packing, and of uploading, encoding and submitting, on the CPU. */
  packMs: number;
  encodeMs: number;
  /** Milliseconds from submit to the mapped result. */
  latencyMs: number;
  /** Milliseconds of the compute pass by timestamps; NaN without them. */
  gpuMs: number;
}

export interface GpuSolverOptions {
  /** Measure the compute pass with timestamps, if the device has them. */
  timestamps?: boolean;
}

const bytesPerVec4 = 16;

/** Solves the contacts of one world on one device. */
export class GpuSolver {
  readonly device: GpuDevice;
  readonly stats: GpuStepStats = {
    dispatches: 0,
    uploadBytes: 0,
    readbackBytes: 0,
    freshLinks: 0,
    dirtyBodies: 0,
    packMs: 0,
    encodeMs: 0,
    latencyMs: 0,
    gpuMs: Number.NaN,
  };
  /** Called once when the device is gone; the world's state in linear memory is that of the last applied step. */
  onLost: ((loss: DeviceLoss) => void) | null = null;

  private readonly gpu: GPUDevice;
  private readonly kernels: Record<KernelName, Kernel>;
  private readonly memory: WebAssembly.Memory;
  private readonly core: GpuCore;
  private readonly buffers: Record<Exclude<BufferName, 'impulses' | 'oldImpulses'>, GrowingBuffer>;
  /** Impulses of this step and of the last one, swapped every step. */
  private readonly impulses: [GrowingBuffer, GrowingBuffer];
  private parity = 0;
  /** Bind groups by parity; emptied when a buffer is replaced. */
  private groups: [Partial<Record<KernelName, GPUBindGroup>>, Partial<Record<KernelName, GPUBindGroup>>] = [{}, {}];
  private readonly ring: StagingRing;
  private readonly timing: { set: GPUQuerySet; resolved: GPUBuffer } | null = null;
  private current: SolverStatus = 'idle';
  private inFlight: { staging: Staging; bytes: number; done: Promise<void> } | null = null;

  /** Compiles the kernels and makes a solver for the world in `memory`. Throws TalusError 'gpu' if that fails. */
  static async create(
    device: GpuDevice,
    memory: WebAssembly.Memory,
    core: GpuCore,
    options: GpuSolverOptions = {},
  ): Promise<GpuSolver> {
    try {
      return new GpuSolver(device, await createKernels(device.device), memory, core, options);
    } catch (error) {
      throw new TalusError('gpu', `the GPU solver could not be set up: ${error instanceof Error ? error.message : error}`);
    }
  }

  private constructor(
    device: GpuDevice,
    kernels: Record<KernelName, Kernel>,
    memory: WebAssembly.Memory,
    core: GpuCore,
    options: GpuSolverOptions,
  ) {
    this.device = device;
    this.gpu = device.device;
    this.kernels = kernels;
    this.memory = memory;
    this.core = core;
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const drop = () => {
      this.groups = [{}, {}];
    };
    const make = (name: string, usage = storage) => new GrowingBuffer(this.gpu, `talus ${name}`, usage, drop);
    this.buffers = {
      steps: make('steps', GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST),
      cells: make('cells'),
      links: make('links'),
      points: make('points'),
      slots: make('slots'),
      slotStates: make('slotStates'),
      rows: make('rows'),
      owners: make('owners'),
      maps: make('maps'),
      fresh: make('fresh'),
      bodies: make('bodies'),
      deltas: make('deltas'),
      poses: make('poses', storage | GPUBufferUsage.VERTEX),
    };
    this.impulses = [make('impulses 0'), make('impulses 1')];
    this.ring = new StagingRing(this.gpu);
    if (options.timestamps && this.gpu.features.has('timestamp-query')) {
      this.timing = {
        set: this.gpu.createQuerySet({ type: 'timestamp', count: 2 }),
        resolved: this.gpu.createBuffer({ size: 256, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC }),
      };
    }
    core.forgetGpu();
    device.lost.then((loss) => {
      if (this.current === 'lost') return;
      this.current = 'lost';
      this.inFlight = null;
      this.core.forgetGpu();
      this.onLost?.(loss);
    });
  }

  /** Poses of body origins after the last submitted step: GpuPose a body (position and w = 1, rotation), 32 bytes apart. */
  get poseBuffer(): GPUBuffer {
    return this.buffers.poses.buffer;
  }

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
    if (this.core.packGpu() === 0) return false;
    const packed = performance.now();
    const state = this.state();
    const bytes = state('readbackBytes');
    const staging = this.ring.take(bytes + 16);
    if (!staging) {
      // Cannot happen: asked above. What was packed as known to the GPU is not.
      this.core.forgetGpu();
      return false;
    }
    this.parity ^= 1;
    try {
      this.reserve(state);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.core.forgetGpu();
      return false;
    }
    const encoder = this.gpu.createCommandEncoder({ label: 'talus step' });
    this.stats.uploadBytes = this.upload(state);
    this.encode(state, encoder);
    this.copyResult(state, encoder, staging.buffer, bytes);
    this.gpu.queue.submit([encoder.finish()]);
    const submitted = performance.now();
    this.stats.packMs = packed - started;
    this.stats.encodeMs = submitted - packed;
    this.stats.readbackBytes = bytes;
    this.stats.freshLinks = state('freshCount');
    this.stats.dirtyBodies = state('dirtyBodies');
    this.await(staging, bytes, submitted);
    return true;
  }

  /** Applies a result that is ready: call before the poses are integrated. Returns false if none is. */
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
      this.core.forgetGpu();
      return false;
    }
    const target = this.state()('readback');
    new Uint8Array(this.memory.buffer, target, flight.bytes).set(new Uint8Array(mapped, 0, flight.bytes));
    if (this.timing) {
      const [begin, end] = new BigUint64Array(mapped.slice(flight.bytes, flight.bytes + 16));
      this.stats.gpuMs = Number(end - begin) / 1e6;
    }
    buffer.unmap();
    flight.staging.state = 'free';
    this.inFlight = null;
    this.current = 'idle';
    this.core.applyGpuResult();
    return true;
  }

  /** Gives everything back; the device too, if it was opened for this solver. */
  destroy(): void {
    this.current = 'lost';
    this.core.forgetGpu();
    for (const buffer of [...Object.values(this.buffers), ...this.impulses]) buffer.destroy();
    this.ring.destroy();
    this.timing?.resolved.destroy();
    this.timing?.set.destroy();
    if (this.device.isOwned) this.gpu.destroy();
  }

  /** Reader of the core's SplitState. Good until memory grows. */
  private state(): (field: keyof typeof SplitState) => number {
    const view = new DataView(this.memory.buffer);
    const base = view.getUint32(HEADER_PTR + Header.splitState, true);
    return (field) => view.getUint32(base + SplitState[field], true);
  }

  private buffer(name: BufferName, parity: number): GPUBuffer {
    switch (name) {
      case 'impulses':
        return this.impulses[parity].buffer;
      case 'oldImpulses':
        return this.impulses[parity ^ 1].buffer;
      default:
        return this.buffers[name].buffer;
    }
  }

  private group(name: KernelName): GPUBindGroup {
    const { parity } = this;
    let group = this.groups[parity][name];
    if (!group) {
      group = bindKernel(this.gpu, name, this.kernels[name].layout, (buffer) => this.buffer(buffer, parity));
      this.groups[parity][name] = group;
    }
    return group;
  }

  /** Room in all buffers. Only bodies carry over when they grow; the last step's impulses are not touched. */
  private reserve(state: (field: keyof typeof SplitState) => number): void {
    const { buffers, parity } = this;
    const bodies = state('bodyCount');
    buffers.steps.ensure((state('passCount') + 4) * SPLIT_STEP_SLOT);
    buffers.cells.ensure(state('cellBytes'));
    buffers.links.ensure(state('linkCount') * SplitLink.STRIDE);
    buffers.points.ensure(state('pointCount') * SplitPoint.STRIDE);
    buffers.slots.ensure(state('slotCount') * SplitSlot.STRIDE);
    buffers.slotStates.ensure(state('slotCount') * SplitSlotState.STRIDE);
    buffers.rows.ensure(state('rowCount') * 2 * SplitRow.STRIDE);
    buffers.owners.ensure(bodies * 4);
    buffers.maps.ensure(state('linkCount') * SplitMap.STRIDE);
    buffers.fresh.ensure(state('freshCount') * SplitFresh.STRIDE);
    buffers.bodies.ensure(bodies * GpuBody.STRIDE, true);
    buffers.deltas.ensure(bodies * GpuDelta.STRIDE);
    buffers.poses.ensure(bodies * 32);
    this.impulses[parity].ensure((state('pointCount') + state('linkCount') * state('linkStateSize')) * bytesPerVec4);
  }

  /** Writes what the CPU made this step, straight from linear memory; returns the bytes. */
  private upload(state: (field: keyof typeof SplitState) => number): number {
    const { queue } = this.gpu;
    const source = this.memory.buffer;
    let total = 0;
    const write = (name: keyof GpuSolver['buffers'], address: number, bytes: number, at = 0) => {
      if (bytes === 0) return;
      queue.writeBuffer(this.buffers[name].buffer, at, source, address, bytes);
      total += bytes;
    };
    write('steps', state('steps'), (state('passCount') + 4) * SPLIT_STEP_SLOT);
    write('cells', state('cells'), state('cellBytes'));
    write('links', state('links'), state('linkCount') * SplitLink.STRIDE);
    write('points', state('points'), state('pointCount') * SplitPoint.STRIDE);
    write('slots', state('slots'), state('slotCount') * SplitSlot.STRIDE);
    write('owners', state('owners'), state('bodyCount') * 4);
    write('maps', state('maps'), state('linkCount') * SplitMap.STRIDE);
    write('fresh', state('fresh'), state('freshCount') * SplitFresh.STRIDE);
    const ranges = new Uint32Array(source, state('dirty'), state('dirtyCount') * 2);
    for (let i = 0; i < ranges.length; i += 2) {
      const at = ranges[i] * GpuBody.STRIDE;
      write('bodies', state('bodies') + at, ranges[i + 1] * GpuBody.STRIDE, at);
    }
    return total;
  }

  /** The compute pass. */
  private encode(state: (field: keyof typeof SplitState) => number, encoder: GPUCommandEncoder): void {
    const timestampWrites = this.timing && { querySet: this.timing.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass({ label: 'talus step', ...(timestampWrites ? { timestampWrites } : {}) });
    const passes = state('passCount');
    const closed = state('closedCellCount');
    const open = state('cellCount') - closed;
    this.stats.dispatches = 0;
    const dispatch = (name: KernelName, step: number, groups: number) => {
      if (groups === 0) return;
      pass.setBindGroup(0, this.group(name), [step * SPLIT_STEP_SLOT]);
      pass.dispatchWorkgroups(groups);
      this.stats.dispatches++;
    };
    const over = (name: KernelName, count: number) => Math.ceil(count / lanes[name]);
    const use = (name: KernelName) => pass.setPipeline(this.kernels[name].pipeline);
    use('spread');
    dispatch('spread', passes, over('spread', state('slotCount')));
    use('remap');
    dispatch('remap', passes + 1, over('remap', state('linkCount')));
    if (closed > 0) {
      use('island');
      dispatch('island', passes + 2, closed);
    }
    if (open > 0) {
      use('solve');
      for (let i = 0; i < passes; i++) dispatch('solve', i, open);
    }
    use('finalise');
    dispatch('finalise', passes + 3, over('finalise', state('bodyCount')));
    pass.end();
  }

  /** Copies the result behind each other into a staging buffer, in the order that applyGpuResult expects. */
  private copyResult(
    state: (field: keyof typeof SplitState) => number,
    encoder: GPUCommandEncoder,
    target: GPUBuffer,
    bytes: number,
  ): void {
    let at = 0;
    const copy = (buffer: GPUBuffer, size: number) => {
      if (size > 0) encoder.copyBufferToBuffer(buffer, 0, target, at, size);
      at += size;
    };
    copy(this.buffers.bodies.buffer, state('bodyCount') * GpuBody.STRIDE);
    copy(this.buffers.deltas.buffer, state('bodyCount') * GpuDelta.STRIDE);
    const impulses = state('pointCount') + state('linkCount') * state('linkStateSize');
    copy(this.impulses[this.parity].buffer, impulses * bytesPerVec4);
    if (this.timing) {
      encoder.resolveQuerySet(this.timing.set, 0, 2, this.timing.resolved, 0);
      encoder.copyBufferToBuffer(this.timing.resolved, 0, target, bytes, 16);
    }
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
        // Rejected: the device is lost or the solver destroyed. The loss handler tells; here only the wait ends.
        this.current = 'lost';
        this.core.forgetGpu();
      },
    );
    this.inFlight = { staging, bytes, done };
  }
}
