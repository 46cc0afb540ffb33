// A world, part: how a step is carried out. On WASM at once; on WebGPU in two halves, between which it is in flight.
import { throwCollected } from '../checks/collected';
import type { GpuStepStats, StepSolver } from '../gpu/step_solver';
import { BODY_KINEMATIC, ERROR_NOT_FINITE, ERROR_OUT_OF_MEMORY, Header, SOLVER_EXTERNAL } from '../layout.generated';
import type { EditionTypes } from '../options/options';
import type { BodyId } from '../types';
import { BaseWorld } from './base';

/** Fields of Profile for the parts of the solver's time on WebGPU. */
const GPU_PARTS = ['partition', 'pack', 'upload', 'encode', 'readback', 'apply'] as const;

/** Numbers of a kinematic target: id, position, rotation. */
const TARGET_SIZE = 8;

/** Part of `World`: how a step is carried out. */
export abstract class FlightWorld<T extends EditionTypes> extends BaseWorld<T> {
  /** Length of the part of `targets` that belongs to the step that was begun; later entries came while it was in flight. */
  private begunTargets = 0;
  /**
   * @internal The solver whose pose buffer holds the last step that was begun, the number of its bodies, and the number of that
   * step.
   */
  protected posed: { solver: StepSolver; count: number; step: number; since: number } | null = null;

  /** Number of steps done. */
  get stepCount(): number {
    this.alive();
    return this.memory.headerU32(Header.stepCount);
  }

  /** Adapts the settings to the backend that solves the next step. */
  private fitBackend(onGpu: boolean): void {
    const solver = onGpu ? SOLVER_EXTERNAL : this.edition.codeOf(this.resolved, this.hasJoints);
    if (this.memory.headerU32(Header.solver) === solver) return;
    this.core.setSolver(solver);
    this.resolved = this.resolve(this.asked, onGpu);
    this.applySettings();
  }

  /** @internal The GPU solver of the next step, or null if WASM solves it. */
  protected chooseGpu(): StepSolver | null {
    return this.barred ? null : this.backend.choose(this.profile.contactCount, this.family);
  }

  /** @internal Why WebGPU may not solve the next step; '' if it may. */
  protected get barred(): string {
    if (!this.hasJoints) return '';
    const { activeOf, jointSolvers } = this.edition;
    return jointSolvers.webgpu.includes(activeOf(this.resolved, true, true)) ? '' : 'WebGPU does not solve joints';
  }

  /** @internal Applies the step in flight if the GPU has finished it; returns false if it has not. */
  protected landed(): boolean {
    const { flying } = this;
    if (!flying) return true;
    if (flying.poll() === 'pending') return false;
    this.land(flying);
    return true;
  }

  /** @internal Waits for the step in flight, if there is one, and applies its result. */
  protected async arrive(): Promise<void> {
    const flight = this.flying;
    if (!flight) return;
    await flight.result();
    // Whoever waited, too, may have landed it and begun the next step.
    if (this.flying === flight && !this.closed) this.landed();
  }

  /** @internal A whole step on WASM. */
  protected stepHere(): void {
    const { core, profile, team } = this;
    team?.check();
    this.callBefore();
    this.posed = null;
    this.fitBackend(false);
    this.memory.setHeaderU32(Header.reportChanges, 0);
    this.beginStep();
    const start = performance.now();
    team?.open(true);
    core.stepBroadphase();
    const pairs = performance.now();
    core.stepContacts();
    const ready = performance.now();
    core.stepSolve();
    const solved = performance.now();
    const error = core.stepEnd();
    const end = performance.now();
    team?.close(true, error);
    profile.backend = 'wasm';
    profile.threads = team?.used ?? 1;
    profile.broadphase = pairs - start;
    profile.contacts = ready - pairs;
    profile.solve = solved - ready;
    this.splitSolve();
    profile.finish = end - solved;
    this.endStep(error);
    profile.total = performance.now() - start;
    if (!this.barred) this.backend.report(false, profile.solve, profile.contactCount, this.family);
    this.callAfter();
  }

  /** @internal The first half of a step on WebGPU: everything up to the submission. */
  protected launch(gpu: StepSolver): void {
    const { core, profile, team } = this;
    team?.check();
    this.callBefore();
    this.fitBackend(true);
    this.memory.setHeaderU32(Header.reportChanges, 1);
    this.beginStep();
    const start = performance.now();
    team?.open(true);
    core.stepBroadphase();
    const pairs = performance.now();
    const error = core.stepContacts();
    const ready = performance.now();
    team?.close(true, error);
    if ((error & ERROR_OUT_OF_MEMORY) !== 0) this.outOfMemory();
    profile.backend = 'webgpu';
    profile.threads = team?.used ?? 1;
    profile.broadphase = pairs - start;
    profile.contacts = ready - pairs;
    this.edition.configure(gpu, this.resolved);
    const submitted = gpu.submit();
    profile.solve = performance.now() - ready;
    if (submitted) {
      this.flying = gpu;
      const step = this.stepCount + 1;
      this.posed = { solver: gpu, count: this.memory.headerU32(Header.bodyCount), step, since: this.posed?.since ?? step };
      return;
    }
    if ((this.memory.headerU32(Header.error) & ERROR_OUT_OF_MEMORY) !== 0) this.outOfMemory();
    this.finishOnWasm(gpu);
  }

  /** The second half of a step on WebGPU: its result has arrived, or never will. */
  private land(gpu: StepSolver): void {
    const { profile } = this;
    const start = performance.now();
    this.flying = null;
    if (!gpu.apply()) {
      this.refused(gpu);
      this.finishOnWasm(gpu);
      return;
    }
    const applied = performance.now();
    this.team?.open(false);
    const error = this.core.stepEnd();
    const end = performance.now();
    this.team?.close(false, error);
    profile.solve += applied - start;
    this.splitSolve(gpu.stats);
    profile.finish = end - applied;
    this.endStep(error);
    profile.total = profile.broadphase + profile.contacts + profile.solve + (performance.now() - applied);
    this.backend.report(true, profile.solve + profile.gpu, profile.contactCount, this.family);
    this.runDeferred();
    this.callAfter();
  }

  /** @internal Called when the result of a step cannot be used. */
  protected refused(_gpu: StepSolver): void {}

  /** Profiles the parts of the solver on WebGPU; zeros on WASM. */
  private splitSolve(stats?: GpuStepStats): void {
    const { profile } = this;
    for (const part of GPU_PARTS) profile[part] = stats?.[`${part}Ms`] ?? 0;
    profile.gpu = stats?.latencyMs ?? 0;
    profile.gpuPass = stats?.gpuMs ?? 0;
    profile.gpuTick = stats?.gpuTickMs ?? 0;
    profile.dispatches = stats?.dispatches ?? 0;
    profile.bytesUp = stats?.uploadBytes ?? 0;
    profile.bytesDown = stats?.readbackBytes ?? 0;
  }

  /** The GPU did not solve the step: its twin on WASM solves the same contacts. */
  private finishOnWasm(gpu: StepSolver): void {
    this.posed = null;
    this.backend.failed(gpu, this.memory.headerU32(Header.contactCount), this.family);
    const { profile } = this;
    const start = performance.now();
    this.core.setSolver(gpu.twin);
    this.team?.open(false);
    this.core.stepSolve();
    const solved = performance.now();
    const error = this.core.stepEnd();
    this.team?.close(false, error);
    profile.backend = 'wasm';
    profile.solve += solved - start;
    this.splitSolve();
    profile.finish = performance.now() - solved;
    this.endStep(error);
    profile.total = profile.broadphase + profile.contacts + profile.solve + (performance.now() - solved);
    this.runDeferred();
    this.callAfter();
  }

  private runDeferred(): void {
    for (const call of this.deferred) call();
    this.deferred.length = 0;
    this.drift.fill(0);
  }

  private beginStep(): void {
    const { targets } = this;
    const dt = this.resolved.dt;
    this.begunTargets = targets.length;
    for (let i = 0; i < targets.length; i += TARGET_SIZE) {
      const id = targets[i]! as BodyId;
      if (!this.registry.hasBody(id)) continue;
      const index = this.registry.body(id);
      if (this.registry.bodyType(index) !== BODY_KINEMATIC) continue;
      this.core.moveKinematic(
        index,
        targets[i + 1]!,
        targets[i + 2]!,
        targets[i + 3]!,
        targets[i + 4]!,
        targets[i + 5]!,
        targets[i + 6]!,
        targets[i + 7]!,
        dt,
      );
    }
    this.events.capture();
  }

  private endStep(error: number): void {
    const { targets, memory, profile } = this;
    if ((error & ERROR_OUT_OF_MEMORY) !== 0) this.outOfMemory();
    this.faults.speedLimited += memory.headerU32(Header.limitedCount);
    for (let i = 0; i < this.begunTargets; i += TARGET_SIZE) {
      const id = targets[i]! as BodyId;
      if (!this.registry.hasBody(id)) continue;
      const index = this.registry.body(id);
      if (this.registry.bodyType(index) === BODY_KINEMATIC) this.core.setVelocity(index, 0, 0, 0, 0, 0, 0);
    }
    targets.copyWithin(0, this.begunTargets);
    targets.length -= this.begunTargets;
    this.begunTargets = 0;
    this.events.collect();
    if ((error & ERROR_NOT_FINITE) !== 0) this.reportStopped();
    profile.substeps = memory.headerU32(Header.stepSubsteps);
    profile.bodies = memory.headerU32(Header.bodyAlive);
    profile.pairs = memory.headerU32(Header.pairCount);
    profile.contactCount = memory.headerU32(Header.contactCount);
    profile.colors = memory.headerU32(Header.colorCount);
    profile.batches = memory.headerU32(Header.batchCount);
    profile.cells = memory.headerU32(Header.cellCount);
    profile.splitBodies = memory.headerU32(Header.splitBodyCount);
    profile.fullTests = memory.headerU32(Header.fullTests);
    profile.memory = memory.headerU32(Header.memoryUsed);
  }

  private reportStopped(): void {
    const { faults, events } = this;
    faults.notFinite = true;
    faults.stops = events.stops;
    events.stops = [];
    faults.stopped += faults.stops.length;
    faults.lastStopped = faults.stops.at(-1)?.body ?? null;
  }

  /** @internal Moves targets, and poses on the GPU, after a shift of the origin. */
  protected shiftFlight(offset: readonly [number, number, number]): void {
    const { targets, drift } = this;
    for (let i = 0; i < targets.length; i += TARGET_SIZE) for (let k = 0; k < 3; k++) targets[i + 1 + k]! += offset[k]!;
    if (this.flying) for (let k = 0; k < 3; k++) drift[k]! += offset[k]!;
    this.posed = null;
  }

  private readonly isClosed = () => this.closed;

  /** Calls `beforeStep` of all controllers. */
  private callBefore(): void {
    this.movers.before(this.resolved.dt, this.isClosed);
    this.alive();
  }

  /** Calls `afterStep` of all controllers, then the listeners. Throws their errors after all of them were called. */
  private callAfter(): void {
    const errors = this.movers.after(this.isClosed);
    if (!this.listeners.isEmpty) {
      errors.push(...this.listeners.dispatch(this.events, this.isClosed));
      this.askForSleep(); // those of `once` are gone
    }
    throwCollected(errors, 'several callbacks of one step threw');
    if (!this.closed) this.warnings?.step();
  }
}
