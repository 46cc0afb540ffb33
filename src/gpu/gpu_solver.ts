// The contact solver on WebGPU. A step is one command buffer with one compute pass:
//   spread (bodies -> slots), remap (carried impulses), island (cells of whole islands, all substeps in one dispatch),
//   solve x (1 warm + 2 a substep) for cells that share bodies, finalise (means, deltas, poses).
// Body state and impulses stay on the GPU; uploaded are contacts, index maps and what the CPU changed. The result comes back
// through a ring of staging buffers and is never waited for here.
// The protocol with the host is that of step_solver.ts.
import { TalusError } from '../errors';
import {
  GpuBody,
  GpuDelta,
  HEADER_PTR,
  Header,
  NONE,
  SOLVER_CELL_SPLIT,
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
import { GrowingBuffer } from './buffers';
import type { GpuDevice } from './device';
import { type BufferName, bindKernel, createKernels, type Kernel, lanes } from './pipelines';
import type { KernelName } from './shader';
import { type GpuSolverOptions, StepSolver } from './step_solver';

/** What the solver needs of the core. */
export interface GpuCore {
  /** Packs the active manifolds; 0 if memory is out (error bits in the header). */
  packGpu(): number;
  /** Takes the result that was copied to splitState.readback. */
  applyGpuResult(): void;
  /** The GPU holds nothing any more. */
  forgetGpu(): void;
}

const bytesPerVec4 = 16;

/** Cell mass splitting on one device. */
export class GpuSolver extends StepSolver {
  private readonly kernels: Record<KernelName, Kernel>;
  private readonly core: GpuCore;
  private readonly buffers: Record<Exclude<BufferName, 'impulses' | 'oldImpulses'>, GrowingBuffer>;
  /** Impulses of this step and of the last one, swapped every step. */
  private readonly impulses: [GrowingBuffer, GrowingBuffer];
  private parity = 0;
  /** Bind groups by parity; emptied when a buffer is replaced. */
  private groups: [Partial<Record<KernelName, GPUBindGroup>>, Partial<Record<KernelName, GPUBindGroup>>] = [{}, {}];

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
    super(device, memory, options);
    this.kernels = kernels;
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
    core.forgetGpu();
  }

  get poseBuffer(): GPUBuffer {
    return this.buffers.poses.buffer;
  }

  get twin(): number {
    return SOLVER_CELL_SPLIT;
  }

  shield(index: number): void {
    const state = this.state();
    if (index < state('bodyCount')) new DataView(this.memory.buffer).setUint32(state('owners') + 4 * index, NONE, true);
  }

  protected pack(): number {
    if (this.core.packGpu() === 0) return -1;
    const state = this.state();
    this.stats.freshLinks = state('freshCount');
    this.stats.dirtyBodies = state('dirtyBodies');
    this.parity ^= 1;
    return state('readbackBytes');
  }

  protected take(result: Uint8Array): boolean {
    new Uint8Array(this.memory.buffer, this.state()('readback'), result.length).set(result);
    this.core.applyGpuResult();
    return true;
  }

  protected forget(): void {
    this.core.forgetGpu();
  }

  protected release(): void {
    for (const buffer of [...Object.values(this.buffers), ...this.impulses]) buffer.destroy();
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
  protected reserve(): void {
    const { buffers, parity } = this;
    const state = this.state();
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
    this.impulses[parity].ensure(
      (state('pointCount') + state('linkCount') * (state('linkStateSize') + state('rolling'))) * bytesPerVec4,
    );
  }

  /** Writes what the CPU made this step, straight from linear memory; returns the bytes. */
  protected upload(): number {
    const state = this.state();
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
  protected encode(encoder: GPUCommandEncoder, descriptor: GPUComputePassDescriptor): number {
    const state = this.state();
    const pass = encoder.beginComputePass(descriptor);
    const passes = state('passCount');
    const closed = state('closedCellCount');
    const open = state('cellCount') - closed;
    let dispatches = 0;
    const dispatch = (name: KernelName, step: number, groups: number) => {
      if (groups === 0) return;
      pass.setBindGroup(0, this.group(name), [step * SPLIT_STEP_SLOT]);
      pass.dispatchWorkgroups(groups);
      dispatches++;
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
    return dispatches;
  }

  /** Copies the result behind each other into a staging buffer, in the order that applyGpuResult expects. */
  protected copyResult(encoder: GPUCommandEncoder, target: GPUBuffer): void {
    const state = this.state();
    let at = 0;
    const copy = (buffer: GPUBuffer, size: number) => {
      if (size > 0) encoder.copyBufferToBuffer(buffer, 0, target, at, size);
      at += size;
    };
    copy(this.buffers.bodies.buffer, state('bodyCount') * GpuBody.STRIDE);
    copy(this.buffers.deltas.buffer, state('bodyCount') * GpuDelta.STRIDE);
    const impulses = state('pointCount') + state('linkCount') * (state('linkStateSize') + state('rolling'));
    copy(this.impulses[this.parity].buffer, impulses * bytesPerVec4);
  }
}
