// Methods on scalar rows on WebGPU: Jacobi (Datta 2017, approaches 1 and 2, and its relatives of Tonge 2012), mass splitting by
// body pair and Gauss-Seidel by graph colors (Tonge 2012). The rows come from the builder of the WASM core, uploaded once a step
// with the bodies; a step is one command buffer with one compute pass:
//   [assemble], then for every substep: prepare, apply (gravity, warm start), and for every iteration
//   rows + apply (approach 1: steps from velocities, then velocities from steps) or product (approach 2), or pair + mean, or
//   color once a color; then [projection], [relax]; at the end pose.
// What adds the rows of a body: `accumulation`. The order of passes: row_plan.ts. The protocol with the host is that of
// src/gpu/step_solver.ts; the twin is assembly/study/methods.
import { TalusError } from '../../checks/errors';
import { GrowingBuffer, writeMemory } from '../../gpu/buffers';
import type { GpuDevice } from '../../gpu/device';
import { bindBuffers } from '../../gpu/pipelines';
import { type GpuSolverOptions, StepSolver } from '../../gpu/step_solver';
import {
  FRICTION_PYRAMID_STAGGERED,
  GpuPose,
  HEADER_PTR,
  Header,
  JacobiBody,
  JacobiBodyState,
  JacobiRow,
  JacobiStep,
  MethodState,
  SOLVER_JACOBI_ACCUMULATE,
  SPLIT_STEP_SLOT,
  STABILIZE_PROJECTION,
} from '../../layout.generated';
import type { Accumulation } from '../methods';
import { passesOf, type RowPasses } from '../solvers';
import { keyOf, ROW_LANES, type RowBuffer, RowPipelines, rowBindings } from './row_pipelines';
import { FLAG, type Plan, type PlanSettings, planStep } from './row_plan';
import type { RowKernel } from './shader';

/** The functions of the core that the solver needs. */
export interface RowCore {
  /** Packs the rows of a SOLVER_* code; returns 0 if memory is out (error bits in the header). */
  packRows(method: number): number;
  /** Applies the result that was copied to methodState.gpuResult. */
  applyRows(): void;
  /** Drops a packed step that the GPU will not solve. */
  dropRows(): void;
}

/**
 * Regions of `states`, with one number per row (shaders/shared/rows.wgsl), and the number of regions that are read back beside
 * the impulses.
 */
const REGIONS = 14;
const REGION_MOST = 2;
const REGION_EXCESS = 3;
const REGION_TOTAL = 12;
/** Words of `sums` before the first body, and words per body. */
const SUM_WORDS = 8;
/** Largest number of workgroups in a row in WebGPU. */
const MAX_GROUPS = 65535;
/** Numbers before the sums of `momentum` (shaders/shared/momentum.wgsl). */
const MOMENTUM_HEAD = 4;
/** Bytes after the result: the flag of sums out of range. */
const FLAG_BYTES = 16;

/** Velocities of the two sub-bodies of a pair. */
const PAIR_BYTES = 64;

/** Solves the contacts of one world on one device by a method on rows. */
export class RowSolver extends StepSolver {
  /** Number of steps whose fixed-point sums left their range: apply() refused them. */
  saturated = 0;
  /** Whether the sums of the last result left their range. */
  overflowed = false;

  /** SOLVER_* code of the method. */
  private method: number = SOLVER_JACOBI_ACCUMULATE;
  private passes: RowPasses = 'jacobi';
  private accumulation: Accumulation = 'segmented';
  private readonly pipelines: RowPipelines;
  private readonly core: RowCore;
  private readonly buffers: Record<RowBuffer, GrowingBuffer>;
  /** Bind groups by pipeline; emptied when a buffer is replaced. */
  private groups = new Map<string, GPUBindGroup>();
  private plan: Plan = { kinds: [], passes: [], half: 0 };
  private planKey = '';
  private atomic = false;

  /** Compiles the kernels and creates a solver for the world in `memory`. Throws TalusError 'gpu' if that fails. */
  static async create(
    device: GpuDevice,
    memory: WebAssembly.Memory,
    core: RowCore,
    options: GpuSolverOptions = {},
  ): Promise<RowSolver> {
    try {
      return new RowSolver(device, await RowPipelines.create(device.device), memory, core, options);
    } catch (error) {
      throw new TalusError('gpu', `the GPU solver could not be set up: ${error instanceof Error ? error.message : error}`);
    }
  }

  private constructor(
    device: GpuDevice,
    pipelines: RowPipelines,
    memory: WebAssembly.Memory,
    core: RowCore,
    options: GpuSolverOptions,
  ) {
    super(device, memory, options);
    this.pipelines = pipelines;
    this.core = core;
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const drop = () => this.groups.clear();
    const make = (name: string, usage = storage) => new GrowingBuffer(this.gpu, `talus jacobi ${name}`, usage, drop);
    this.buffers = {
      steps: make('steps', GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST),
      rows: make('rows'),
      bodies: make('bodies'),
      bodyStates: make('bodyStates'),
      states: make('states'),
      lists: make('lists'),
      sums: make('sums'),
      saved: make('saved'),
      spans: make('spans'),
      entries: make('entries'),
      links: make('links'),
      blocks: make('blocks'),
      subs: make('subs'),
      parts: make('parts'),
      momentum: make('momentum'),
      poses: make('poses', storage | GPUBufferUsage.VERTEX),
    };
  }

  get poseBuffer(): GPUBuffer {
    return this.buffers.poses.buffer;
  }

  get twin(): number {
    return this.method;
  }

  /** Sets how the next step is solved: SOLVER_*, and the way of adding. */
  configure(method: number, accumulation: Accumulation): void {
    this.method = method;
    this.passes = passesOf(method);
    this.accumulation = accumulation;
  }

  shield(index: number): void {
    const state = this.state();
    if (index >= state('gpuBodyCount')) return;
    const moving = state('gpuBodies') + index * JacobiBody.STRIDE + JacobiBody.inertia1 + 8;
    new DataView(this.memory.buffer).setFloat32(moving, 0, true);
  }

  protected pack(): number {
    this.overflowed = false;
    if (this.core.packRows(this.method) === 0) return -1;
    const header = this.header();
    const { passes } = this;
    this.atomic = this.accumulation !== 'segmented' && passes === 'jacobi';
    const meanAPass = header.u32('meanEachSweep') === 0;
    const settings: PlanSettings = {
      substeps: header.u32('stepSubsteps'),
      sweeps: Math.max(1, header.u32('sweeps')),
      relax: header.u32('relax') !== 0,
      projection: header.u32('stabilization') === STABILIZE_PROJECTION,
      staggered: header.u32('frictionModel') === FRICTION_PYRAMID_STAGGERED,
      assembled: passes === 'assembled',
      atomic: this.atomic,
      rest: header.u32('aggressiveSleep') !== 0,
      pairs: passes === 'pairs',
      meanAPass,
      colors: passes === 'colors' ? this.state()('gpuBlockCount') : null,
      momentum: header.u32('nesterov') !== 0 && passes === 'jacobi',
      backwards: header.u32('permutation') === 0,
    };
    const key = JSON.stringify(settings);
    if (key !== this.planKey) {
      this.plan = planStep(settings);
      this.planKey = key;
    }
    return this.state()('gpuResultBytes') + FLAG_BYTES;
  }

  protected reserve(): void {
    const { buffers } = this;
    const state = this.state();
    const rows = state('rowCount');
    const bodies = state('gpuBodyCount');
    if (Math.max(rows, bodies) > MAX_GROUPS * ROW_LANES) throw new RangeError(`${rows} rows are too many for one dispatch`);
    buffers.steps.ensure(this.plan.kinds.length * SPLIT_STEP_SLOT);
    buffers.rows.ensure(rows * JacobiRow.STRIDE);
    buffers.bodies.ensure((bodies + 1) * JacobiBody.STRIDE);
    buffers.bodyStates.ensure((bodies + 1) * JacobiBodyState.STRIDE);
    buffers.states.ensure(rows * REGIONS * 4);
    buffers.lists.ensure((bodies + 1 + 2 * rows) * 4);
    buffers.sums.ensure((bodies + 1) * SUM_WORDS * 4);
    buffers.saved.ensure(bodies * 64);
    buffers.momentum.ensure((MOMENTUM_HEAD + 2 * this.shareGroups()) * 4);
    buffers.poses.ensure(bodies * GpuPose.STRIDE);
    buffers.links.ensure((state('gpuLinkCount') + state('jointCount')) * 8);
    if (this.passes === 'pairs') {
      const pairs = state('gpuBlockCount');
      buffers.blocks.ensure((pairs + 1) * 4);
      buffers.subs.ensure(pairs * PAIR_BYTES);
      buffers.parts.ensure((bodies + 1 + this.word('gpuParts', bodies)) * 4);
    }
    if (this.passes !== 'assembled') return;
    buffers.spans.ensure(rows * 8);
    buffers.entries.ensure(state('gpuEntries') * 8);
  }

  protected upload(): number {
    const { queue } = this.gpu;
    const source = this.memory.buffer;
    const state = this.state();
    const rows = state('rowCount');
    const bodies = state('gpuBodyCount');
    let total = 0;
    const write = (name: RowBuffer, address: number, bytes: number, at = 0) => {
      if (bytes === 0) return;
      writeMemory(queue, this.buffers[name].buffer, at, source, address, bytes);
      total += bytes;
    };
    const steps = this.packSteps();
    queue.writeBuffer(this.buffers.steps.buffer, 0, steps);
    total += steps.byteLength;
    write('rows', state('gpuRows'), rows * JacobiRow.STRIDE);
    write('bodies', state('gpuBodies'), (bodies + 1) * JacobiBody.STRIDE);
    // Carried impulses go to the half that is read first, what the warm start leaves out of them to its own region.
    write('states', state('gpuImpulses'), rows * 4);
    write('states', state('gpuImpulses') + rows * 4, rows * 4, REGION_EXCESS * rows * 4);
    write('lists', state('bodyRowStarts'), (bodies + 1) * 4);
    write('lists', state('bodyRowList'), this.word('bodyRowStarts', bodies) * 4, (bodies + 1) * 4);
    if (this.passes === 'pairs' || this.passes === 'colors')
      write('links', state('gpuLinkRows'), (state('gpuLinkCount') + state('jointCount')) * 8);
    if (this.passes === 'pairs') {
      write('blocks', state('gpuBlocks'), (state('gpuBlockCount') + 1) * 4);
      write('parts', state('gpuParts'), (bodies + 1 + this.word('gpuParts', bodies)) * 4);
    }
    if (this.passes === 'assembled') write('spans', state('gpuSpans'), rows * 8);
    return total;
  }

  /** Returns a word of an array of the core. The word after the starts of lists is the end of the last list. */
  private word(array: keyof typeof MethodState, index: number): number {
    return new DataView(this.memory.buffer).getUint32(this.state()(array) + 4 * index, true);
  }

  /** Returns the number of workgroups that write a sum of the restart test of momentum. */
  private shareGroups(): number {
    return Math.ceil(this.state()('rowCount') / ROW_LANES);
  }

  /** Returns the links of a color, or all pairs: first and end. */
  private blocksOf(color: number): [number, number] {
    if (this.passes !== 'colors') return [0, this.state()('gpuBlockCount')];
    return [this.word('gpuBlocks', color), this.word('gpuBlocks', color + 1)];
  }

  /** Returns the JacobiStep of every kind of pass. */
  private packSteps(): ArrayBuffer {
    const header = this.header();
    const state = this.state();
    const { kinds } = this.plan;
    const out = new DataView(new ArrayBuffer(kinds.length * SPLIT_STEP_SLOT));
    const rows = state('rowCount');
    const view = new DataView(this.memory.buffer);
    const own = (field: keyof typeof MethodState) => view.getFloat32(header.u32('methodState') + MethodState[field], true);
    const substeps = header.u32('stepSubsteps');
    const h = Math.fround(header.f32('dt') / substeps);
    const groups = this.shareGroups();
    kinds.forEach(({ flags, mode, part, half, color }, i) => {
      const u32 = (field: keyof typeof JacobiStep, value: number) =>
        out.setUint32(i * SPLIT_STEP_SLOT + JacobiStep[field], value, true);
      const f32 = (field: keyof typeof JacobiStep, value: number) =>
        out.setFloat32(i * SPLIT_STEP_SLOT + JacobiStep[field], value, true);
      u32('flags', flags);
      u32('mode', mode);
      u32('part', part);
      u32('stabilization', header.u32('stabilization'));
      u32('rowCount', rows);
      u32('bodyCount', state('gpuBodyCount'));
      u32('zRead', half * rows);
      u32('zWrite', (half ^ 1) * rows);
      f32('h', h);
      f32('omega', own(part === 2 ? 'omega1' : 'omega0'));
      f32('warmStart', (flags & FLAG.FIRST) !== 0 ? header.f32('warmStart') : 1);
      f32('slop', header.f32('linearSlop'));
      f32('rate', own('gpuRate'));
      f32('rateStatic', own('gpuRateStatic'));
      f32('gamma', own('gpuGamma'));
      f32('gammaStatic', own('gpuGammaStatic'));
      f32('pushSpeed', header.f32('pushSpeed'));
      f32('factor', header.f32('stabilizationFactor'));
      f32('rest', own('gpuRest'));
      f32('jointRate', own('jointRate'));
      f32('jointGamma', own('jointGamma'));
      u32('literal', header.u32('aggressiveSleep') === 2 ? 1 : 0);
      const [first, last] = this.blocksOf(color);
      u32('first', first);
      u32('last', last);
      u32('groups', groups);
      u32('sweeps', header.u32('meanEachSweep') === 0 ? Math.max(1, header.u32('sweeps')) : 1);
      u32('passes', header.u32('frictionModel') === FRICTION_PYRAMID_STAGGERED ? 2 : 1);
    });
    return out.buffer as ArrayBuffer;
  }

  protected encode(encoder: GPUCommandEncoder, descriptor: GPUComputePassDescriptor): number {
    const state = this.state();
    const rows = state('rowCount');
    const bodies = state('gpuBodyCount');
    const lanesOf: Record<Exclude<RowKernel, 'color'>, number> = {
      // One more than there are bodies: the world.
      prepare: Math.max(rows, bodies + 1),
      rows,
      apply: bodies,
      assemble: rows,
      product: rows,
      pose: bodies,
      pair: state('gpuBlockCount'),
      mean: bodies,
    };
    // Of every kind of pass; each color has kinds of its own.
    const lanesOfColor = this.plan.kinds.map(({ color }) => {
      const [first, last] = this.blocksOf(color);
      return last - first;
    });
    if (this.atomic) encoder.clearBuffer(this.buffers.sums.buffer, 0, (bodies + 1) * SUM_WORDS * 4);
    const accumulation = this.atomic ? this.accumulation : 'segmented';
    const pass = encoder.beginComputePass(descriptor);
    let dispatches = 0;
    let current: RowKernel | null = null;
    for (const { kernel, kind } of this.plan.passes) {
      const groups = Math.ceil((kernel === 'color' ? lanesOfColor[kind]! : lanesOf[kernel]) / ROW_LANES);
      if (groups === 0) continue;
      if (kernel !== current) pass.setPipeline(this.pipelines.get(kernel, accumulation).pipeline);
      current = kernel;
      pass.setBindGroup(0, this.group(kernel, accumulation), [kind * SPLIT_STEP_SLOT]);
      pass.dispatchWorkgroups(groups);
      dispatches++;
    }
    pass.end();
    return dispatches;
  }

  protected copyResult(encoder: GPUCommandEncoder, target: GPUBuffer): void {
    const state = this.state();
    const rows = state('rowCount') * 4;
    const { bodyStates, states, sums } = this.buffers;
    let at = 0;
    const copy = (buffer: GPUBuffer, from: number, size: number) => {
      if (size > 0) encoder.copyBufferToBuffer(buffer, from, target, at, size);
      at += size;
    };
    copy(bodyStates.buffer, 0, state('gpuBodyCount') * JacobiBodyState.STRIDE);
    copy(states.buffer, this.plan.half * rows, rows);
    copy(states.buffer, REGION_MOST * rows, rows);
    copy(states.buffer, REGION_EXCESS * rows, rows);
    copy(states.buffer, REGION_TOTAL * rows, rows);
    copy(sums.buffer, 0, FLAG_BYTES);
  }

  protected take(result: Uint8Array): boolean {
    const bytes = result.length - FLAG_BYTES;
    const flag = new DataView(result.buffer, result.byteOffset + bytes).getUint32(0, true);
    if (this.atomic && this.accumulation === 'fixed-point' && flag !== 0) {
      this.saturated++;
      this.overflowed = true;
      this.forget();
      return false;
    }
    new Uint8Array(this.memory.buffer, this.state()('gpuResult'), bytes).set(result.subarray(0, bytes));
    this.core.applyRows();
    return true;
  }

  protected forget(): void {
    this.core.dropRows();
  }

  protected release(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  /** Returns a reader of the core's MethodState. Valid until memory grows. */
  private state(): (field: keyof typeof MethodState) => number {
    const view = new DataView(this.memory.buffer);
    const base = view.getUint32(HEADER_PTR + Header.methodState, true);
    return (field) => view.getUint32(base + MethodState[field], true);
  }

  private header() {
    const view = new DataView(this.memory.buffer);
    return {
      u32: (field: keyof typeof Header) => view.getUint32(HEADER_PTR + Header[field], true),
      f32: (field: keyof typeof Header) => view.getFloat32(HEADER_PTR + Header[field], true),
    };
  }

  private group(kernel: RowKernel, accumulation: Accumulation): GPUBindGroup {
    const key = keyOf(kernel, accumulation);
    let group = this.groups.get(key);
    if (!group) {
      const buffers = rowBindings[kernel].map(([name, type]) => [this.buffers[name].buffer, type] as const);
      group = bindBuffers(this.gpu, key, this.pipelines.get(kernel, accumulation).layout, buffers, JacobiStep.STRIDE);
      this.groups.set(key, group);
    }
    return group;
  }
}
