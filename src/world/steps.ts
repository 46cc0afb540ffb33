// A world, part: steps and frames as callers ask for them, what is called after them, and which backend does them.
import type { BackendReport } from '../backend/report';
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

/** Poses of all bodies as they lie on the GPU: `World.gpuPoses`. Good until the next step; ask again then. */
export interface GpuPoses {
  /** The device that the buffer belongs to. */
  device: WebGpuDevice;
  /** 32 bytes per body slot: position of the origin (world, m) and 1, then the rotation as a quaternion x y z w. STORAGE and COPY_SRC. */
  buffer: WebGpuBuffer;
  /** Slots that are in the buffer, from the first on; free ones hold anything. */
  count: number;
  /** The step after which these poses are: `stepCount` once it is finished, one more while the GPU works on it. */
  step: number;
  /** The first step of those up to `step` that were all left to the GPU: a copy of an earlier one's poses is void if it is greater. */
  since: number;
}

function refuseTime(call: string, dt: unknown): never {
  throw new TalusError(
    'invalid-argument',
    `${call} takes no time (got ${show(dt)}): steps are as long as the setting dt says, world.set({ dt: 1 / 120 })`,
  );
}

/** `World`, part: steps, frames, listeners, backends. */
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
  /** End of the last `stepAsync`. */
  private running: Promise<void> = Promise.resolve();

  /**
   * Advances the world by `settings.dt`; never waits. On WASM the step is done when the call returns, and it returns true.
   * On WebGPU it applies the result of the last step and begins the next one. If that result has not arrived yet, it does nothing
   * and returns false: call again with the next frame. Views show the last finished step. While a
   * step is in flight, calls that set poses, velocities, masses or types take effect when it is done.
   * @throws TalusError `out-of-memory`: then no body has moved; `worker` if a thread ended in the middle of it (docs/threads.md);
   * `invalid-argument` if it is given a time
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
   * As `step`, but resolves when the step is done, on any backend. Calls wait for each other.
   * @throws TalusError `out-of-memory`, `disposed`; `invalid-argument` if it is given a time
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
   * A frame of `seconds`: makes the steps of `settings.dt` that are due, none or several, and keeps the rest of the time for the next
   * call. `frame.alpha` is where pictures lie between the last two steps; `getPose`, `readPoses` and `readMatrices` take it from
   * here. Never waits. On WebGPU a call begins one step; the others that are due begin as soon as the result before them has arrived,
   * between this call and the next one. Listeners, controllers, `beforeStep` and `afterStep` of such steps are called then; what they
   * throw is thrown by the next call. Time that steps cannot make up for is dropped (`frame.dropped`).
   * Returns the same object each time.
   * @throws TalusError `invalid-argument`, `out-of-memory`; `unsupported` within a call of its own `beforeStep` or `afterStep`
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
    this.goOnLater();
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'callbacks of several steps threw');
    const { dt } = this.resolved;
    this.backend.pace(seconds, frame.dropped, clock.overdue(dt), dt);
    this.warnings?.frame(seconds, dt, frame, this.flying === null ? 0 : profile.gpu);
    return frame;
  }

  /** Begins the next step that is due when the result of the step in flight has arrived. */
  private goOnLater(): void {
    const { flying, clock, steps } = this;
    const step = this.memory.headerU32(Header.stepCount) + 1;
    if (!flying || this.awaited === step || !clock.goesOn(steps)) return;
    this.awaited = step;
    void flying.result().then(() => {
      this.awaited = 0;
      // Somebody else may have landed it, or disposed of the world.
      if (this.closed || this.flying !== flying) return;
      takeSeat(this.memory.tenant);
      if (this.memory.headerU32(Header.stepCount) + 1 !== step) return;
      try {
        clock.goOn(steps);
      } catch (error) {
        this.errorsBetween.push(error);
      }
      if (!this.closed && this.memory.headerU32(Header.stepCount) >= step) this.goOnLater();
    });
  }

  /** Throws inside of calls that a step makes. */
  private checkIdle(): void {
    this.listeners.checkIdle();
    this.movers.checkIdle();
  }

  /**
   * Where pictures lie between the last two steps, 0 to 1, as the last `advance` has left it (`frame.alpha`); 1 before any. The
   * poses of bodies and of controllers are read there by default.
   */
  get alpha(): number {
    this.alive();
    return this.clock.frame.alpha;
  }

  /**
   * Has the world call `controller` in each of its steps from the next one on. Controllers are called in the order in which they were
   * added; what they throw is thrown by the call that ends the step, and the world goes on. Returns what removes it. A snapshot holds what
   * they save; a clone has none.
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

  /** What the clock drives. */
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

  /** Resolves when no step is in flight on the GPU: at once on WASM, else with the result of `step()` taken over. */
  async settle(): Promise<void> {
    this.alive();
    while (this.flying) await this.arrive();
  }

  /**
   * Calls `listener` with each event of a kind once the step is done: at the end of `step` on WASM; on WebGPU when a result is
   * applied, in `stepAsync` or in `step` before the next one begins. It may call anything but `step`: bodies it makes or
   * removes are there or gone at once, as after any step. Whatever listeners throw is thrown by that call when all have been called;
   * the world goes on. Returns what ends it.
   * @throws TalusError `invalid-argument`
   */
  on<K extends EventKind>(kind: K, listener: EventListener<K>): () => void {
    return this.listen(kind, listener, false);
  }

  /** As `on`, for the next event alone. */
  once<K extends EventKind>(kind: K, listener: EventListener<K>): () => void {
    return this.listen(kind, listener, true);
  }

  /** Ends all that `on` and `once` began with this listener. */
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
   * Writes where a body is drawn to `position` (origin; world, m) and `rotation` (unit quaternion x y z w). That is between the last two
   * steps, at `alpha` from 0 to 1, by default that of the last `advance`. A body that is new or was teleported since is where it
   * is. Either may be null. Keeps the poses before steps from the first such call or `advance` on.
   * @throws TalusError `stale-handle`, `invalid-argument`
   */
  getPose(id: BodyId, position: Vec3Sink | null, rotation: QuatSink | null = null, alpha = this.clock.frame.alpha): void {
    this.alive();
    this.poses.pose(this.registry.body(id), position, rotation, alpha);
  }

  /**
   * Poses of many bodies between the last two steps, as `getPose`, into arrays of the caller: four floats per body each, as in
   * `positions` and `rotations`. Returns how many.
   * @throws TalusError `invalid-argument` for arrays that are too short, `out-of-memory`
   */
  readPoses(positions: Float32Array, rotations: Float32Array, options: PoseOptions = {}): number {
    this.alive();
    return this.poses.poses(positions, rotations, options, this.clock.frame.alpha);
  }

  /**
   * The same as 4x4 matrices, 16 floats per body in columns: what `instanceMatrix.array` of a `THREE.InstancedMesh` holds. Returns how
   * many.
   * @throws TalusError `invalid-argument` for arrays that are too short, `out-of-memory`
   */
  readMatrices(out: Float32Array, options: MatrixOptions = {}): number {
    this.alive();
    return this.poses.matrices(out, options, this.clock.frame.alpha);
  }

  /**
   * Body poses on the GPU, for renderers that share the device. Null where the last step was solved on WASM. What has been
   * created or moved since that step was begun is not in them yet.
   */
  get gpuPoses(): GpuPoses | null {
    this.alive();
    const { posed } = this;
    if (!posed || posed.solver.poll() === 'lost') return null;
    const { solver, count, step, since } = posed;
    return { device: solver.device.device, buffer: solver.poseBuffer, count, step, since };
  }

  /** Backend of the next step: what `backend: 'auto'` has chosen, or where a lost device has left the world. */
  get activeBackend(): 'wasm' | 'webgpu' {
    this.alive();
    return this.chooseGpu() ? 'webgpu' : 'wasm';
  }

  /** Where contacts are solved and why, with the times that rest on; a snapshot. */
  get backendReport(): BackendReport {
    this.alive();
    return this.backend.describe(this.profile.contactCount, this.family, this.stepCount, this.barred);
  }

  /** Solver of the next step, on the active backend: that of the settings but for `auto`, and `cell-split` on WebGPU. */
  get activeSolver(): T['solver'] {
    return this.edition.activeOf(this.resolved, this.activeBackend === 'webgpu');
  }

  /**
   * Changes where contacts are solved, from the next step on, without losing anything: bodies, contacts and the impulses they
   * carry stay. Resolves when the backend is ready; until then steps go on as before. An open GPU device is kept for the next
   * change back. `device` is used where none is open yet.
   * @throws TalusError `invalid-argument`, `unsupported` (a solver that WebGPU does not have), `gpu` if there is none: then the
   * backend stays what it was
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
