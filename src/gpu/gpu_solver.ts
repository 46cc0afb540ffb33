// The contact solver on WebGPU. A step is one command buffer with one compute pass:
//   edit (contacts that are new or changed), spread (bodies -> slots), prepare (contacts -> rows), island (cells of whole
//   islands, all substeps in one dispatch; island_joints where they have joints), solve x (1 warm + 1 or 2 a substep) for cells
//   that share bodies, finalise (means, motions, poses; reports bodies), collect (reports contacts).
// The kernel island_joints compiles when the first such island comes. Until it is there they go through the passes of solve.
// Bodies, contacts, impulses, cells and slots stay on the GPU; uploaded is what changed, and only changes beyond a tolerance are
// reported back. Reports lie in two lists on the GPU, whose lengths the CPU does not know before. So it copies as many as it expects
// from the last steps, and all of them by another copy if there were more. The result comes back through a ring of staging buffers and
// is never waited for here.
// The protocol with the host is that of step_solver.ts.
import { TalusError } from '../checks/errors';
import {
  GPU_JOINT_ROWS,
  GPU_RANGES,
  GPU_REPORT_BEAT,
  GPU_REPORT_HEAD,
  GPU_REPORTED_ROWS,
  GpuBody,
  GpuContact,
  GpuEdit,
  GpuMotion,
  GpuTraits,
  HEADER_PTR,
  Header,
  NONE,
  SOLVER_CELL_SPLIT,
  SPLIT_CONTINUED,
  SPLIT_FIRST_SUBSTEP,
  SPLIT_MORE_STEPS,
  SPLIT_SOFT,
  SPLIT_STEP_SLOT,
  SplitLink,
  SplitMember,
  SplitRow,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { GrowingBuffer, writeMemory } from './buffers';
import type { GpuDevice } from './device';
import { type BufferName, bindKernel, createKernel, createKernels, type Kernel, type Kernels, lanes } from './pipelines';
import type { KernelName } from './shader';
import { type GpuSolverOptions, StepSolver } from './step_solver';

/** The functions of the core that the solver needs. */
export interface GpuCore {
  /**
   * Updates or recomputes cells and slots of the active manifolds; returns 0 if memory is out (error bits in the header).
   * `jointIslands`: 1 if islands with joints have a kernel of their own.
   */
  layOutGpu(jointIslands: number): number;
  /** Packs the changes; returns 0 if memory is out. */
  packGpu(): number;
  /** Applies the result that was copied to splitState.readback. */
  applyGpuResult(): void;
  /** Resets the record of what the GPU holds: nothing. */
  forgetGpu(): void;
}

const bytesPerVec4 = 16;
const HEAD_BYTES = 4 * GPU_REPORT_HEAD;
/** More reports are expected than came last, by this factor and this number. */
const MORE_REPORTS = 1.25;
const SPARE_REPORTS = 32;

/** Cell mass splitting on one device. */
export class GpuSolver extends StepSolver {
  private readonly kernels: Kernels;
  /** The kernel of islands with joints: compiled once they come; null before that, and if it does not compile. */
  private islandJoints: Kernel | null = null;
  private isCompiling = false;
  private readonly core: GpuCore;
  private readonly buffers: Record<BufferName, GrowingBuffer>;
  /** Emptied when a buffer is replaced. */
  private groups: Partial<Record<KernelName, GPUBindGroup>> = {};
  /** The parameters on the GPU. */
  private steps = new Uint32Array(0);
  /** Reports that a result has room for: of bodies, of links. */
  private readonly room = { bodies: 0, links: 0 };
  /** Whether motions on the GPU are void, since the CPU has forgotten them. */
  private isStale = true;

  /** Compiles the kernels and creates a solver for the world in `memory`. Throws TalusError 'gpu' if that fails. */
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

  private constructor(device: GpuDevice, kernels: Kernels, memory: WebAssembly.Memory, core: GpuCore, options: GpuSolverOptions) {
    super(device, memory, options);
    this.kernels = kernels;
    this.core = core;
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const drop = () => {
      this.groups = {};
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
      members: make('members'),
      contacts: make('contacts'),
      edits: make('edits'),
      impulses: make('impulses'),
      jointResults: make('jointResults'),
      reported: make('reported'),
      bodyReports: make('bodyReports'),
      linkReports: make('linkReports'),
      bodies: make('bodies'),
      traits: make('traits'),
      motions: make('motions'),
      joints: make('joints'),
      poses: make('poses', storage | GPUBufferUsage.VERTEX),
    };
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
    if (index >= state(SplitState.bodyCount)) return;
    const view = new DataView(this.memory.buffer);
    view.setUint32(state(SplitState.owners) + 4 * index, NONE, true);
    // Slots must be assigned again.
    view.setUint32(view.getUint32(HEADER_PTR + Header.splitState, true) + SplitState.layout, 0, true);
  }

  protected pack(): number {
    const started = performance.now();
    if (this.core.layOutGpu(this.islandJoints ? 1 : 0) === 0) return -1;
    this.stats.partitionMs = performance.now() - started;
    if (this.state()(SplitState.heldBodies) === 0) this.isStale = true;
    if (this.core.packGpu() === 0) return -1;
    const state = this.state();
    if (state(SplitState.closedCellCount) > state(SplitState.islandCellCount)) this.compileIslandJoints();
    this.stats.edits = state(SplitState.editCount);
    this.stats.dirtyBodies = state(SplitState.dirtyBodies);
    const { room } = this;
    const bodies = state(SplitState.bodyCount);
    const links = state(SplitState.linkCount);
    // What was just uploaded reports in this step.
    const due = state(SplitState.dirtyBodies) + Math.ceil(bodies / GPU_REPORT_BEAT) + SPARE_REPORTS;
    room.bodies = Math.min(bodies, Math.max(room.bodies, due));
    room.links = Math.min(links, Math.max(room.links, state(SplitState.editCount) + SPARE_REPORTS));
    return this.resultBytes();
  }

  /** Compiles the kernel for islands with joints, once. Steps do not wait for it, nor need it. */
  private compileIslandJoints(): void {
    if (this.isCompiling) return;
    this.isCompiling = true;
    createKernel(this.gpu, 'island_joints').then(
      (kernel) => {
        this.islandJoints = kernel;
      },
      () => {}, // the device is lost, or its compiler fails at this kernel: islands keep to the passes
    );
  }

  private resultBytes(): number {
    const state = this.state();
    const { bodies, links } = this.room;
    const linkBytes = 4 * state(SplitState.linkReportWords);
    return 2 * HEAD_BYTES + bodies * GpuMotion.STRIDE + links * linkBytes + state(SplitState.jointResultRows) * bytesPerVec4;
  }

  /** Returns how many reports of bodies and links a result says there are. */
  private reportsIn(result: Uint8Array): { bodies: number; links: number } {
    const view = new DataView(result.buffer, result.byteOffset, result.byteLength);
    return {
      bodies: view.getUint32(0, true),
      links: view.getUint32(HEAD_BYTES + this.room.bodies * GpuMotion.STRIDE, true),
    };
  }

  protected override missing(result: Uint8Array): number {
    const { room } = this;
    const { bodies, links } = this.reportsIn(result);
    if (bodies <= room.bodies && links <= room.links) return 0;
    const state = this.state();
    room.bodies = Math.min(Math.max(room.bodies, bodies), state(SplitState.bodyCount));
    room.links = Math.min(Math.max(room.links, links), state(SplitState.linkCount));
    return this.resultBytes();
  }

  protected take(result: Uint8Array): boolean {
    const { room } = this;
    const started = performance.now();
    const view = new DataView(this.memory.buffer);
    const base = view.getUint32(HEADER_PTR + Header.splitState, true);
    const state = this.state();
    const reports = this.reportsIn(result);
    const bodies = Math.min(reports.bodies, room.bodies);
    const links = Math.min(reports.links, room.links);
    view.setUint32(base + SplitState.bodyReports, bodies, true);
    view.setUint32(base + SplitState.linkReports, links, true);
    const bytes = new Uint8Array(this.memory.buffer, state(SplitState.readback));
    const linkBytes = 4 * state(SplitState.linkReportWords);
    let from = 0;
    let to = 0;
    const copy = (head: number, used: number, size: number) => {
      bytes.set(result.subarray(from + head, from + head + used), to);
      to += used;
      from += head + size;
    };
    copy(HEAD_BYTES, bodies * GpuMotion.STRIDE, room.bodies * GpuMotion.STRIDE);
    copy(HEAD_BYTES, links * linkBytes, room.links * linkBytes);
    const jointBytes = state(SplitState.jointResultRows) * bytesPerVec4;
    copy(0, jointBytes, jointBytes);
    room.bodies = Math.max(Math.ceil(bodies * MORE_REPORTS) + SPARE_REPORTS, room.bodies >> 1);
    room.links = Math.max(Math.ceil(links * MORE_REPORTS) + SPARE_REPORTS, room.links >> 1);
    const copied = performance.now();
    this.core.applyGpuResult();
    this.stats.readbackMs = copied - started;
    this.stats.applyMs = performance.now() - copied;
    return true;
  }

  protected forget(): void {
    this.core.forgetGpu();
    this.steps = new Uint32Array(0);
    this.isStale = true;
  }

  protected release(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  /** Returns a reader of the core's SplitState, by the offset of a field. Valid until memory grows. */
  private state(): (offset: number) => number {
    const view = new DataView(this.memory.buffer);
    const base = view.getUint32(HEADER_PTR + Header.splitState, true);
    return (offset) => view.getUint32(base + offset, true);
  }

  private kernel(name: KernelName): Kernel {
    return name === 'island_joints' ? this.islandJoints! : this.kernels[name];
  }

  private group(name: KernelName): GPUBindGroup {
    let group = this.groups[name];
    if (!group) {
      group = bindKernel(this.gpu, name, this.kernel(name).layout, (buffer) => this.buffers[buffer].buffer);
      this.groups[name] = group;
    }
    return group;
  }

  /** Makes room in all buffers. Their contents on the GPU are kept when they grow. */
  protected reserve(): void {
    const { buffers } = this;
    const state = this.state();
    const bodies = state(SplitState.bodyCount);
    const links = state(SplitState.linkCount);
    const rowBytes = state(SplitState.impulseStride) * bytesPerVec4;
    const header = new DataView(this.memory.buffer, HEADER_PTR);
    const manifolds = header.getUint32(Header.manifoldCount, true);
    const joints = header.getUint32(Header.jointCount, true);
    buffers.steps.ensure((state(SplitState.passCount) + SPLIT_MORE_STEPS) * SPLIT_STEP_SLOT);
    buffers.cells.ensure(state(SplitState.cellBytes), true);
    buffers.members.ensure(links * SplitMember.STRIDE, true);
    buffers.contacts.ensure(manifolds * GpuContact.STRIDE, true);
    buffers.edits.ensure(state(SplitState.editCount) * GpuEdit.STRIDE);
    buffers.impulses.ensure(manifolds * rowBytes, true);
    buffers.joints.ensure(state(SplitState.jointCount) > 0 ? joints * GPU_JOINT_ROWS * bytesPerVec4 : 0, true);
    buffers.jointResults.ensure(state(SplitState.jointResultRows) * bytesPerVec4);
    buffers.reported.ensure(manifolds * GPU_REPORTED_ROWS * bytesPerVec4, true);
    buffers.bodyReports.ensure(HEAD_BYTES + bodies * GpuMotion.STRIDE);
    buffers.linkReports.ensure(HEAD_BYTES + links * 4 * state(SplitState.linkReportWords));
    buffers.links.ensure(links * SplitLink.STRIDE);
    buffers.points.ensure(links * state(SplitState.pointRows) * bytesPerVec4);
    buffers.slots.ensure(state(SplitState.slotCount) * SplitSlot.STRIDE, true);
    buffers.slotStates.ensure(state(SplitState.slotCount) * SplitSlotState.STRIDE);
    buffers.rows.ensure(state(SplitState.rowCount) * 4 * SplitRow.STRIDE);
    buffers.owners.ensure(bodies * 4, true);
    buffers.bodies.ensure(bodies * GpuBody.STRIDE, true);
    buffers.traits.ensure(bodies * GpuTraits.STRIDE, true);
    buffers.motions.ensure(bodies * GpuMotion.STRIDE, true);
    buffers.poses.ensure(bodies * 32);
  }

  /** Uploads the changes, straight from linear memory; returns the number of bytes. */
  protected upload(): number {
    const state = this.state();
    const { queue } = this.gpu;
    const source = this.memory.buffer;
    let total = 0;
    const write = (name: BufferName, address: number, bytes: number, at = 0) => {
      if (bytes === 0) return;
      writeMemory(queue, this.buffers[name].buffer, at, source, address, bytes);
      total += bytes;
    };
    const steps = new Uint32Array(
      source,
      state(SplitState.steps),
      ((state(SplitState.passCount) + SPLIT_MORE_STEPS) * SPLIT_STEP_SLOT) / 4,
    );
    if (this.changeSteps(steps)) write('steps', state(SplitState.steps), steps.byteLength);
    if (state(SplitState.layout) !== state(SplitState.heldLayout)) {
      write('cells', state(SplitState.cells), state(SplitState.cellBytes));
      write('members', state(SplitState.members), state(SplitState.linkCount) * SplitMember.STRIDE);
      write('slots', state(SplitState.slots), state(SplitState.slotCount) * SplitSlot.STRIDE);
      write('owners', state(SplitState.owners), state(SplitState.bodyCount) * 4);
    }
    write('edits', state(SplitState.edits), state(SplitState.editCount) * GpuEdit.STRIDE);
    const ranges = (name: 'bodies' | 'traits' | 'joints', base: number, stride: number, first: number, count: number) => {
      const list = new Uint32Array(source, state(SplitState.dirty) + 8 * first, 2 * count);
      for (let i = 0; i < list.length; i += 2) {
        write(name, base + list[i] * stride, list[i + 1] * stride, list[i] * stride);
      }
    };
    ranges('bodies', state(SplitState.bodies), GpuBody.STRIDE, 0, state(SplitState.dirtyCount));
    ranges('joints', state(SplitState.joints), GPU_JOINT_ROWS * bytesPerVec4, 2 * GPU_RANGES, state(SplitState.jointRanges));
    ranges('traits', state(SplitState.traits), GpuTraits.STRIDE, GPU_RANGES, state(SplitState.traitRanges));
    return total;
  }

  /** Returns whether the parameters differ from those on the GPU; stores them. */
  private changeSteps(steps: Uint32Array): boolean {
    if (steps.length === this.steps.length && steps.every((word, i) => word === this.steps[i])) return false;
    this.steps = steps.slice();
    return true;
  }

  /** Returns the first link of the cells that go through the passes. */
  private firstLink(): number {
    return this.steps[SplitStep.firstLink / 4]!;
  }

  /**
   * Returns whether joints turn before a pass: not before the soft pass of the first substep, which the warm start has prepared.
   */
  private turnsJoints(pass: number): boolean {
    const at = (pass * SPLIT_STEP_SLOT) / 4;
    const mode = this.steps[at + SplitStep.mode / 4];
    const flags = this.steps[at + SplitStep.flags / 4]!;
    return (flags & SPLIT_CONTINUED) === 0 && (mode !== SPLIT_SOFT || (flags & SPLIT_FIRST_SUBSTEP) === 0);
  }

  /** Encodes the compute pass. */
  protected encode(encoder: GPUCommandEncoder, descriptor: GPUComputePassDescriptor): number {
    const state = this.state();
    const { buffers } = this;
    if (this.isStale) encoder.clearBuffer(buffers.motions.buffer);
    this.isStale = false;
    encoder.clearBuffer(buffers.linkReports.buffer, 0, HEAD_BYTES);
    const stepCount = new DataView(this.memory.buffer, HEADER_PTR).getUint32(Header.stepCount, true);
    this.gpu.queue.writeBuffer(buffers.bodyReports.buffer, 0, Uint32Array.of(0, stepCount, 0, 0));
    const pass = encoder.beginComputePass(descriptor);
    const passes = state(SplitState.passCount);
    const most = this.gpu.limits.maxComputeWorkgroupsPerDimension;
    let dispatches = 0;
    const dispatch = (name: KernelName, step: number, groups: number) => {
      if (groups === 0) return;
      pass.setBindGroup(0, this.group(name), [step * SPLIT_STEP_SLOT]);
      pass.dispatchWorkgroups(Math.min(groups, most), Math.ceil(groups / most));
      dispatches++;
    };
    const over = (name: KernelName, count: number) => Math.ceil(count / lanes[name]);
    const use = (name: KernelName) => pass.setPipeline(this.kernel(name).pipeline);
    const single = (name: KernelName, step: number, count: number) => {
      use(name);
      dispatch(name, passes + step, over(name, count));
    };
    single('edit', 0, state(SplitState.editCount));
    single('spread', 1, state(SplitState.slotCount));
    single('prepare', 2, state(SplitState.linkCount));
    if (state(SplitState.jointCount) > 0) single('joint', 2, state(SplitState.linkCount));
    const hasJoints = state(SplitState.jointCount) > 0;
    const islands = state(SplitState.islandCellCount);
    const plain = state(SplitState.plainCellCount);
    if (plain > 0) {
      use('island');
      dispatch('island', passes + 3, plain);
    }
    if (islands > plain) {
      use('island_joints');
      dispatch('island_joints', passes + 4, islands - plain);
    }
    const shared = state(SplitState.cellCount) - islands;
    const turning = over('turn', state(SplitState.linkCount) - this.firstLink());
    if (shared > 0) use('solve');
    for (let i = 0; shared > 0 && i < passes; i++) {
      if (hasJoints && this.turnsJoints(i)) {
        use('turn');
        dispatch('turn', i, turning);
        use('solve');
      }
      dispatch('solve', i, shared);
    }
    single('finalise', 5, state(SplitState.bodyCount));
    single('collect', 6, state(SplitState.linkCount));
    pass.end();
    return dispatches;
  }

  /** Copies the parts of the result one after the other into a staging buffer, in the order that applyGpuResult expects. */
  protected copyResult(encoder: GPUCommandEncoder, target: GPUBuffer): void {
    const state = this.state();
    let at = 0;
    const copy = (buffer: GPUBuffer, size: number) => {
      if (size > 0) encoder.copyBufferToBuffer(buffer, 0, target, at, size);
      at += size;
    };
    copy(this.buffers.bodyReports.buffer, HEAD_BYTES + this.room.bodies * GpuMotion.STRIDE);
    copy(this.buffers.linkReports.buffer, HEAD_BYTES + this.room.links * 4 * state(SplitState.linkReportWords));
    copy(this.buffers.jointResults.buffer, state(SplitState.jointResultRows) * bytesPerVec4);
  }
}
