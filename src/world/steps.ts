// A world, part: the calls for steps and frames, listeners after them, and the choice of the backend.
import type { BackendReport } from '../backend/report';
import { throwCollected } from '../checks/collected';
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import { checkWord } from '../checks/validate';
import type { EventKind, EventListener } from '../events/listeners';
import { type AdvanceOptions, Clock, checkAdvance, type Frame, type Steps } from '../frames/clock';
import type { Controller } from '../frames/controllers';
import { type MatrixOptions, type PoseOptions, PoseReader } from '../frames/poses';
import type { WebGpuBuffer, WebGpuDevice } from '../gpu/types';
import { Header } from '../layout.generated';
import { BACKEND_NAMES, type BackendName, checkDevice, type EditionTypes } from '../options/options';
import type { BodyId, QuatSink, Vec3Sink } from '../types';
import { takeSeat } from '../wasm/seats';
import { FlightWorld } from './flight';

/** Poses of all bodies in a GPU buffer: `World.gpuPoses`. They are valid until the next step; get them again then. */
export interface GpuPoses {
  /** The device that owns the buffer. */
  device: WebGpuDevice;
  /** 32 bytes per body slot: position of the origin (world, m) and 1, then the rotation as a quaternion x y z w. STORAGE and COPY_SRC. */
  buffer: WebGpuBuffer;
  /** Number of slots in the buffer, from the first on; free slots hold anything. */
  count: number;
  /**
   * Number of the step that produces these poses: `stepCount` after that step. It is one more than `stepCount` while the GPU
   * works on it.
   */
  step: number;
  /**
   * First step of the unbroken series up to `step` that the GPU solved. If it is greater than the step of an older copy of poses,
   * that copy is void.
   */
  since: number;
}

function refuseTime(call: string, dt: unknown): never {
  throw new TalusError(
    'invalid-argument',
    `${call} takes no time (got ${show(dt)}): the length of a step is the setting dt, world.set({ dt: 1 / 120 })`,
  );
}

/** Part of `World`: steps, frames, listeners, backends. */
export abstract class StepWorld<T extends EditionTypes> extends FlightWorld<T> {
  /** @internal */
  protected readonly clock = new Clock();
  private readonly steps = this.stepper();
  /** The step in flight whose result the next step waits for between two calls of `advance`; 0: none. */
  private awaited = 0;
  /** What callbacks have thrown between two calls. */
  private readonly errorsBetween: unknown[] = [];
  /** @internal */
  protected readonly poses = new PoseReader(this.core, this.memory, (result) => this.checkMemory(result));
  /** Resolves at the end of the last `stepAsync`. */
  private running: Promise<void> = Promise.resolve();

  /**
   * Advances the world by `settings.dt`. It never waits.
   *
   * On WASM the step is done when the call returns, and it returns true. On WebGPU it applies the result of the last step and
   * begins the next one. If that result has not arrived yet, it does nothing and returns false: call it again in the next frame.
   * Views show the last finished step. While a step is in flight, calls that set poses, velocities, masses or types take effect
   * after it.
   * @throws TalusError `out-of-memory`: then no body has moved; `worker` if a thread ended in the middle of it (docs/threads.md);
   * `invalid-argument` if you pass a time
   */
  step(): boolean;
  step(dt?: unknown): boolean {
    this.alive();
    if (dt !== undefined) refuseTime('step', dt);
    this.checkIdle();
    if (!this.landed()) return false;
    const gpu = this.chooseGpu();
    if (gpu) this.launch(gpu);
    else this.stepHere();
    return true;
  }

  /**
   * As `step`, but the promise resolves when the step is done, on any backend. Calls wait for each other.
   * @throws TalusError `out-of-memory`, `disposed`; `invalid-argument` if you pass a time
   */
  stepAsync(): Promise<void>;
  stepAsync(dt?: unknown): Promise<void> {
    const next = this.running.then(async () => {
      this.alive();
      if (dt !== undefined) refuseTime('stepAsync', dt);
      await this.settle();
      this.alive();
      let gpu = this.chooseGpu();
      if (!gpu) {
        await this.backend.ready(this.family);
        await this.settle();
        gpu = this.chooseGpu();
      }
      if (gpu) {
        this.launch(gpu);
        await this.arrive();
      } else this.stepHere();
    });
    this.running = next.catch(() => undefined);
    return next;
  }

  /**
   * Advances the world by a frame of `seconds`. It runs the fixed steps of `settings.dt` that are due, none or several, and keeps
   * the remaining time for the next call.
   *
   * `frame.alpha` says where between the last two steps to draw; `getPose`, `readPoses` and `readMatrices` use it by default. The
   * call never waits. On WebGPU it begins one step. Each further step that is due begins when the result before it has arrived,
   * between this call and the next one. Listeners, controllers, `beforeStep` and `afterStep` are called then. The next call throws
   * what they have thrown. Time that steps cannot catch up with is dropped (`frame.dropped`).
   * Returns the same object each time.
   * @throws TalusError `invalid-argument`, `out-of-memory`; `unsupported` inside its own `beforeStep` or `afterStep`
   */
  advance(seconds: number, options: AdvanceOptions = {}): Frame {
    this.alive();
    this.checkIdle();
    checkAdvance(seconds, options);
    if (options.interpolate !== false) this.poses.keep();
    const errors = this.errorsBetween.splice(0);
    const { clock, profile } = this;
    const { frame } = clock;
    try {
      clock.advance(this.steps, seconds, options);
    } catch (error) {
      errors.push(error);
    }
    profile.pace = clock.pace;
    this.resumeLater();
    throwCollected(errors, 'callbacks of several steps threw');
    const { dt } = this.resolved;
    this.backend.pace(seconds, frame.dropped, clock.overdue(dt), dt);
    this.warnings?.frame(seconds, dt, frame, this.flying === null ? 0 : profile.gpu);
    return frame;
  }

  /** Begins the next step that is due when the result of the step in flight has arrived. */
  private resumeLater(): void {
    const { flying, clock, steps } = this;
    const step = this.memory.headerU32(Header.stepCount) + 1;
    if (!flying || this.awaited === step || !clock.canResume(steps)) return;
    this.awaited = step;
    void flying.result().then(() => {
      this.awaited = 0;
      // Somebody else may have landed it, or disposed of the world.
      if (this.closed || this.flying !== flying) return;
      takeSeat(this.memory.tenant);
      if (this.memory.headerU32(Header.stepCount) + 1 !== step) return;
      try {
        clock.resume(steps);
      } catch (error) {
        this.errorsBetween.push(error);
      }
      if (!this.closed && this.memory.headerU32(Header.stepCount) >= step) this.resumeLater();
    });
  }

  /** Throws inside of calls that a step makes. */
  private checkIdle(): void {
    this.listeners.checkIdle();
    this.movers.checkIdle();
  }

  /**
   * Where between the last two steps to draw, 0 to 1, as the last `advance` left it (`frame.alpha`); 1 before the first. Poses of
   * bodies and of controllers are interpolated there by default.
   */
  get alpha(): number {
    this.alive();
    return this.clock.frame.alpha;
  }

  /**
   * Adds a controller, which the world calls in each of its steps from the next one on, in the order of adding. Returns a
   * function that removes it. The call that ends the step throws the controller's errors; the world goes on. A snapshot contains
   * the state that controllers save; a clone has no controllers.
   * @throws TalusError `invalid-argument`
   */
  addController(controller: Controller): () => void {
    this.alive();
    return this.movers.add(controller);
  }

  /** The controllers of this world, in the order in which it calls them. */
  get controllers(): readonly Controller[] {
    this.alive();
    return this.movers.list;
  }

  /** The functions that the clock calls. */
  private stepper(): Steps {
    const world = this;
    return {
      get dt() {
        return world.resolved.dt;
      },
      get stepCount() {
        return world.memory.headerU32(Header.stepCount);
      },
      get isFlying() {
        return world.flying !== null;
      },
      land: () => this.landed(),
      step: () => this.step(),
    };
  }

  /**
   * Resolves when no step is in flight on the GPU: at once on WASM, otherwise when the results of `step()`, or of all steps of the last
   * `advance`, were applied.
   */
  async settle(): Promise<void> {
    this.alive();
    while (this.flying) await this.arrive();
  }

  /**
   * Calls `listener` with each event of a kind after the step. Returns a function that removes the listener. On WASM the calls
   * come at the end of `step`. On WebGPU they come when a result is applied: in `stepAsync`, or in `step` before the next step
   * begins.
   *
   * A listener may call anything but `step`. Bodies that it creates or removes appear or disappear at once. If listeners throw,
   * that call throws their errors after all listeners were called; the world goes on.
   * @throws TalusError `invalid-argument`
   */
  on<K extends EventKind>(kind: K, listener: EventListener<K>): () => void {
    return this.listen(kind, listener, false);
  }

  /** As `on`, but only for the next event. */
  once<K extends EventKind>(kind: K, listener: EventListener<K>): () => void {
    return this.listen(kind, listener, true);
  }

  /** Removes a listener, whether `on` or `once` added it. */
  off<K extends EventKind>(kind: K, listener: EventListener<K>): void {
    this.alive();
    this.listeners.remove(kind, listener);
    this.askForSleep();
  }

  private listen<K extends EventKind>(kind: K, listener: EventListener<K>, isOnce: boolean): () => void {
    this.alive();
    const end = this.listeners.add(kind, listener, isOnce);
    this.askForSleep();
    return () => {
      end();
      this.askForSleep();
    };
  }

  /**
   * Writes the pose at which to draw a body: `position` (origin; world, m) and `rotation` (unit quaternion x y z w). The pose is
   * interpolated between the last two steps, at `alpha` from 0 to 1, by default that of the last `advance`. A body that was
   * created or teleported since then is not interpolated. Either sink may be null. The first such call, or `advance`, starts the
   * recording of poses before steps.
   * @throws TalusError `stale-handle`, `invalid-argument`
   */
  getPose(id: BodyId, position: Vec3Sink | null, rotation: QuatSink | null = null, alpha = this.clock.frame.alpha): void {
    this.alive();
    this.poses.pose(this.registry.body(id), position, rotation, alpha);
  }

  /**
   * Writes the poses of many bodies between the last two steps, as `getPose`, into your arrays: four floats per body in each, as
   * in `positions` and `rotations`. Returns the number of bodies.
   * @throws TalusError `invalid-argument` for arrays that are too short, `out-of-memory`
   */
  readPoses(positions: Float32Array, rotations: Float32Array, options: PoseOptions = {}): number {
    this.alive();
    return this.poses.poses(positions, rotations, options, this.clock.frame.alpha);
  }

  /**
   * Writes the same poses as 4x4 matrices, 16 floats per body in columns, the layout of `instanceMatrix.array` of a
   * `THREE.InstancedMesh`. Returns the number of bodies.
   * @throws TalusError `invalid-argument` for arrays that are too short, `out-of-memory`
   */
  readMatrices(out: Float32Array, options: MatrixOptions = {}): number {
    this.alive();
    return this.poses.matrices(out, options, this.clock.frame.alpha);
  }

  /**
   * Body poses on the GPU, for renderers that share the device. Null if the last step was solved on WASM. Bodies that you created
   * or moved since that step began are not in them yet.
   */
  get gpuPoses(): GpuPoses | null {
    this.alive();
    const { posed } = this;
    if (!posed || posed.solver.poll() === 'lost') return null;
    const { solver, count, step, since } = posed;
    return { device: solver.device.device, buffer: solver.poseBuffer, count, step, since };
  }

  /** Backend of the next step: the choice of `backend: 'auto'`, or the fallback after a lost device. */
  get activeBackend(): 'wasm' | 'webgpu' {
    this.alive();
    return this.chooseGpu() ? 'webgpu' : 'wasm';
  }

  /** Where contacts are solved and why, with the measured times behind the choice; a snapshot. */
  get backendReport(): BackendReport {
    this.alive();
    return this.backend.describe(this.profile.contactCount, this.family, this.stepCount, this.barred);
  }

  /**
   * Solver of the next step, on the active backend. It is the solver of the settings, except for `auto`, and `cell-split` on
   * WebGPU.
   */
  get activeSolver(): T['solver'] {
    return this.edition.activeOf(this.resolved, this.activeBackend === 'webgpu', this.hasJoints);
  }

  /**
   * Changes where contacts are solved, from the next step on. Bodies, contacts and their stored impulses stay. Resolves when the
   * backend is ready; until then steps continue as before. An open GPU device is kept for the next change back. `device` is used
   * if none is open yet.
   * @throws TalusError `invalid-argument`, `unsupported` (a solver that WebGPU does not have), `gpu` if there is no device: then
   * the backend does not change
   */
  async setBackend(backend: BackendName, device?: WebGpuDevice): Promise<void> {
    this.alive();
    checkWord(backend, 'backend', BACKEND_NAMES);
    this.edition.checkBackend(backend, this.asked);
    if (device !== undefined) checkDevice(device, 'device');
    if (backend !== 'wasm') this.memory.tenant.stays = true;
    await this.backend.ask(backend, device, this.family);
  }
}
