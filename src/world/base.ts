// The common base of all parts of a world: the core and its memory, the host's own state, settings, and the guards of all calls.
// A world is a chain of classes, one subject each, from here to World (docs/host.md).
import { Backend } from '../backend/backend';
import type { GpuFaults } from '../backend/report';
import type { MassOverride } from '../bodies/check';
import { TalusError } from '../checks/errors';
import { Profile } from '../debug/profile';
import { openWarnings, type Warnings } from '../debug/warnings';
import { ContactEvents, type StoppedBody } from '../events/contact_events';
import { Listeners } from '../events/listeners';
import { Controllers } from '../frames/controllers';
import type { StepSolver } from '../gpu/step_solver';
import { Header, SOLVER_EXTERNAL } from '../layout.generated';
import type { Edition } from '../options/edition';
import { askForSleep, checkTakesJoints, type EditionTypes, type OpenOptions, ownSettings } from '../options/options';
import { MAX_SLOTS } from '../registry/ids';
import { Registry } from '../registry/registry';
import type { MassProperties } from '../shapes/mass';
import { threadsOf } from '../threads/count';
import { ThreadTeam } from '../threads/team';
import type { BodyId } from '../types';
import type { CoreExports } from '../wasm/core';
import type { LoadedCore } from '../wasm/load';
import type { LinearMemory } from '../wasm/memory';
import { takeSeat } from '../wasm/seats';

/** Problems inside of steps since the world was created. None of them stops the world. */
export interface Faults extends GpuFaults {
  /**
   * True if a body reached infinite or NaN values (forces or sizes beyond single precision). The body was stopped in place, in
   * the same step.
   */
  notFinite: boolean;
  /** Number of such stops. A body counts once in every step that stopped it. */
  stopped: number;
  /** The last body that was stopped this way, or null. */
  lastStopped: BodyId | null;
  /** The bodies stopped in the latest step that stopped any, each with the cause. The next such step creates a new list. */
  stops: readonly StoppedBody[];
  /** Number of times that a body was slowed down to `maxLinearSpeed` or `maxAngularSpeed`, over all steps. */
  speedLimited: number;
}

/** Returns the fields of an object that are not undefined. */
function definedOf<O extends object>(object: O): { [K in keyof O]?: Exclude<O[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as O;
}

/** The base of all parts of a `World`. */
export abstract class BaseWorld<T extends EditionTypes> {
  /** Milliseconds of each stage of the last step. */
  readonly profile = new Profile();
  /** Contact events of the last step. */
  readonly events: ContactEvents;
  /** Problems that steps recovered from since the world was created, such as a frozen body or a lost GPU device. */
  readonly faults: Faults = {
    notFinite: false,
    stopped: 0,
    lastStopped: null,
    stops: [],
    speedLimited: 0,
    deviceLost: null,
    gpuFailures: 0,
    gpuError: null,
  };

  /** @internal */
  protected readonly core: CoreExports;
  /** @internal */
  protected readonly memory: LinearMemory;
  /** @internal */
  protected readonly edition: Edition<T>;
  /** @internal */
  protected readonly registry: Registry;
  /** @internal */
  protected readonly backend: Backend;
  /** @internal Null if warnings are off. */
  protected readonly warnings: Warnings | null;
  /** @internal As it was asked for, for clones. */
  protected readonly opened: Pick<OpenOptions, 'wasm' | 'warn' | 'threadChoice' | 'threadWorker'>;
  /** @internal Null in a world with one thread; `threadsReason` then says why, if more were requested. */
  protected readonly team: ThreadTeam | null;
  private readonly alone: string;
  /** @internal */
  protected readonly listeners = new Listeners();
  /** @internal */
  protected readonly movers = new Controllers();
  /** @internal Mass properties at unit density by shape slot; null for surfaces. */
  protected readonly shapeMasses: (MassProperties | null)[] = [];
  /** @internal By shape slot: a number that no other shape ever had, 0 for free slots. */
  protected readonly geometry: number[] = [];
  /** @internal Bodies whose mass does not follow from their colliders alone, by slot. */
  protected readonly massOverrides = new Map<number, MassOverride>();
  /** @internal User data of bodies, by slot. */
  protected readonly userData = new Map<number, unknown>();
  /** @internal Kinematic targets of the next step: id, position, rotation of each. */
  protected readonly targets: number[] = [];
  /** @internal The GPU solver that has a step in flight. */
  protected flying: StepSolver | null = null;
  /** @internal Calls to run after the step in flight. */
  protected readonly deferred: (() => void)[] = [];
  /** @internal Offset (m) by which the origin has moved since that step began. */
  protected readonly drift: [number, number, number] = [0, 0, 0];
  /** @internal */
  protected asked: T['asked'];
  /** @internal */
  protected resolved: T['settings'];
  /** @internal */
  protected closed = false;

  /** @internal */
  constructor(loaded: LoadedCore, options: T['asked'] & OpenOptions, edition: Edition<T>) {
    const { exports: core, memory, shared, alone } = loaded;
    takeSeat(memory.tenant);
    this.edition = edition;
    this.core = core;
    this.memory = memory;
    this.registry = new Registry(memory);
    this.events = new ContactEvents(memory, core, this.registry);
    const { backend = 'wasm', bodyCapacity, device, wasm, warn, threadChoice, threadWorker, ...settings } = options;
    this.opened = definedOf({ wasm, warn, threadChoice, threadWorker });
    this.warnings = openWarnings(warn, core, memory, this.registry);
    const isFixed = threadChoice === 'always';
    this.team = shared && new ThreadTeam(memory, core, shared, threadsOf(options.threads), isFixed, threadWorker);
    this.alone = alone;
    if (backend !== 'wasm') memory.tenant.stays = true;
    this.backend = new Backend(backend, device, memory, core, edition.gpu, this.faults);
    this.asked = ownSettings<T['asked']>(settings);
    this.resolved = this.resolve(this.asked, backend === 'webgpu');
    this.applySettings();
    if (bodyCapacity !== undefined) this.reserve(bodyCapacity, bodyCapacity);
  }

  /** @internal */
  async open(): Promise<void> {
    await this.backend.open(this.family);
  }

  /** All settings in force. `solver` is the requested one; `activeSolver` is the solver that runs. */
  get settings(): Readonly<T['settings']> {
    this.alive();
    // That workers cannot be started is heard of later.
    if (this.team && this.team.threads !== this.resolved.threads)
      this.resolved = { ...this.resolved, ...this.countThreads(this.asked) };
    return this.resolved;
  }

  /** @internal */
  protected resolve(asked: T['asked'], onGpu: boolean): T['settings'] {
    return { ...this.edition.resolve(asked, onGpu), ...this.countThreads(asked) };
  }

  private countThreads({ threads: asked }: T['asked']): Pick<T['settings'], 'threads' | 'threadsReason'> {
    const { team, alone } = this;
    const wanted = threadsOf(asked);
    team?.limit(wanted);
    const most = team?.most ?? 1;
    const isTooMany = wanted > most && !alone;
    const reason = isTooMany ? `the world was made for ${most} (createWorld({ threads }))` : alone;
    const onOneCore = asked === 'auto' ? "'auto' found one core" : '';
    return { threads: team?.threads ?? 1, threadsReason: wanted > 1 ? team?.reason || reason : onOneCore };
  }

  /**
   * Changes settings, from the next step on. Settings that you named before stay; a preset fills in the others.
   * @throws TalusError `invalid-argument`
   */
  set(settings: T['asked']): void {
    this.alive();
    this.edition.checkSettings(settings);
    const asked: T['asked'] = { ...this.asked, ...ownSettings(settings) };
    this.edition.checkBackend(this.backend.asked, asked);
    if (this.hasJoints) this.checkTakesJoints(this.edition.resolve(asked, false));
    // A new preset is meant to be seen: it replaces effort that was asked for before it.
    if (settings.preset !== undefined) {
      for (const key of ['substeps', 'sweeps', 'contactHertzRatio'] as const) if (settings[key] === undefined) delete asked[key];
    }
    this.asked = asked;
    this.resolved = this.resolve(asked, this.memory.headerU32(Header.solver) === SOLVER_EXTERNAL);
    this.afterFlight(() => this.applySettings());
  }

  /** @internal */
  protected applySettings(): void {
    this.edition.write(this.memory, this.resolved);
  }

  /** @internal Name of the solver that the settings select on WebGPU. */
  protected get family(): string {
    return this.edition.familyOf(this.resolved);
  }

  /** @internal */
  protected get hasJoints(): boolean {
    return this.memory.headerU32(Header.jointAlive) > 0;
  }

  /** @internal Throws 'unsupported' if the settings select a solver, on WASM, that takes no joints. */
  protected checkTakesJoints(settings: T['settings']): void {
    checkTakesJoints(this.edition.activeOf(settings, false, true), this.edition.jointSolvers.wasm);
  }

  /** @internal */
  protected askForSleep(): void {
    if (this.closed) return;
    takeSeat(this.memory.tenant);
    askForSleep(this.memory, 2, this.listeners.has('sleep') || this.listeners.has('wake'));
  }

  /** @internal Runs a call now, or after the step in flight, which would overwrite its effect. */
  protected afterFlight(call: () => void): void {
    if (this.flying) this.deferred.push(call);
    else call();
  }

  /** @internal A world point for a call that may wait for the step in flight: its place when the call runs. */
  protected movingPoint(point: ArrayLike<number>): () => [number, number, number] {
    const { drift } = this;
    const [x, y, z] = drift;
    return () => [point[0]! + (drift[0] - x), point[1]! + (drift[1] - y), point[2]! + (drift[2] - z)];
  }

  /** @internal As `afterFlight`, if the body still exists then. */
  protected onBody(id: BodyId, call: () => void): void {
    this.afterFlight(() => {
      if (this.registry.hasBody(id)) call();
    });
  }

  /**
   * @internal A body created while a step is in flight may get the slot of an earlier body in that step: the step's result must
   * not reach it.
   */
  protected shield(index: number): void {
    this.flying?.shield(index);
  }

  /** @internal */
  protected alive(): void {
    if (this.closed) throw new TalusError('disposed', 'this world was disposed: create another one by createWorld()');
    takeSeat(this.memory.tenant);
  }

  /** @internal */
  protected outOfMemory(): never {
    const size = this.memory.headerU32(Header.errorSize);
    throw new TalusError('out-of-memory', `linear memory cannot grow by ${size} bytes`);
  }

  /** @internal Throws if a call of the core returned 0 because memory ran out. */
  protected checkMemory(result: number): void {
    if (result === 0) this.outOfMemory();
  }

  /** @internal */
  protected roomFor(countOffset: number, more: number, what: string): number {
    const count = this.memory.headerU32(countOffset) + more;
    if (count > MAX_SLOTS) throw new TalusError('out-of-memory', `a world holds at most ${MAX_SLOTS} ${what}`);
    return count;
  }

  /** @internal Makes room before anything is created, so that creation itself cannot fail halfway. */
  protected reserve(bodies: number, colliders: number): void {
    const bodyCount = this.roomFor(Header.bodyCount, bodies, 'bodies');
    const colliderCount = this.roomFor(Header.colliderCount, colliders, 'colliders');
    this.checkMemory(this.core.reserveSlots(bodyCount, colliderCount));
  }
}
