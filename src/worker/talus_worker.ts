// A world in a thread of its own, for the page: commands go out in batches, answers come as promises, poses lie in shared memory or
// come as messages. The page never waits: it draws what the thread has finished.

import { checkInteger, checkKeys, checkNumber, checkPosition, checkTyped } from '../checks/validate';
import { writeComponents } from '../checks/vectors';
import type { CharacterDesc, VehicleDesc } from '../controllers/index';
import {
  type EventKind,
  type EventListener,
  type Frame,
  type MatrixOptions,
  type PoseOptions,
  TalusError,
  type TalusErrorCode,
  type WorldOptions,
} from '../index';
import type { Scope, WorkerLike } from '../platform/scope';
import type { BodyId, QuatSink, Vec3, Vec3Sink } from '../types';
import { KINDS, PageIds } from './bodies';
import { BATCHES, COMMANDS, GETTERS, LISTS, READS, type RemoteCalls, VECTORS } from './calls';
import { copyOut } from './copy';
import { type Call, type FromThread, HEAD, type Refusal, type RunOptions, type StepEvents, shiftPoints } from './messages';
import { PagePoses } from './page_poses';
import { type PlayersPage, startOf, WorkerCharacter, WorkerVehicle } from './players';
import { type Link, spawn, type ThreadFile } from './spawn';

/** Options of `TalusWorker.create`: those of `createWorld`, except for a device, which cannot be sent; and the following. */
export interface TalusWorkerOptions extends Omit<WorldOptions, 'device' | 'warn'> {
  /** Whether the thread logs development warnings; default true, and false in production builds. */
  warn?: boolean;
  /** Whether poses lie in shared memory. Default: if the page is cross-origin isolated. */
  shared?: boolean;
  /** Starts the thread if the package cannot do so by itself: returns a module worker with `talus/worker-thread`. */
  worker?: () => WorkerLike;
}

/** Result of `TalusWorker.frame`. */
export interface WorkerFrame {
  /** Steps finished since the last call. */
  readonly steps: number;
  /** Where between the last two finished steps to draw, 0 to 1. */
  readonly alpha: number;
  /** Time (s) that the thread has dropped since the last call because steps took too long. */
  readonly dropped: number;
  /** Milliseconds of the last step. */
  readonly stepMs: number;
}

/** Largest number of events that are kept for a page that does not take them. */
const MOST_EVENTS = 65_536;

const scope = globalThis as unknown as Scope;

function errorOf({ code, message }: Refusal): TalusError {
  return new TalusError(code as TalusErrorCode, message);
}

interface Waiting {
  resolve(value: never): void;
  reject(error: TalusError): void;
}

/** Sends the calls below. */
abstract class Sender {
  /** @internal */
  abstract send(name: string, args: readonly unknown[], handles?: readonly number[]): void;
  /** @internal */
  abstract ask(name: string, args: readonly unknown[]): Promise<never>;
}

for (const name of COMMANDS) {
  define(name, {
    value(this: Sender, ...args: unknown[]) {
      this.send(name, args);
    },
  });
}
for (const name of [...READS, ...VECTORS, ...LISTS, ...BATCHES]) {
  define(name, {
    value(this: Sender, ...args: unknown[]) {
      return this.ask(name, args);
    },
  });
}
for (const name of GETTERS) {
  define(name, {
    get(this: Sender) {
      return this.ask(name, []);
    },
  });
}

function define(name: string, property: PropertyDescriptor): void {
  Object.defineProperty(Sender.prototype, name, { configurable: true, ...property });
}

const Remote = Sender as unknown as abstract new () => Sender & RemoteCalls;

/**
 * A world in a thread of its own, with the calls of `World`. Calls that return nothing are sent, in order, at the end of the
 * current task. Calls that create something return its id at once. Calls that read the world return a promise. Poses are those of
 * the last `frame()`.
 */
export class TalusWorker extends Remote {
  /** @internal The module that runs in the thread: each entry has its own. */
  protected static readonly thread: ThreadFile;

  /** Called with the error of a refused call that returns nothing, and its name; and with the error by which the thread ended. */
  onerror: ((error: TalusError, call: string) => void) | null = null;
  /** Called with the events of each step that had any, before `takeEvents` returns them. */
  onevents: ((events: StepEvents) => void) | null = null;

  private readonly ids = new PageIds();
  private readonly poses = new PagePoses();
  private readonly link: Link;
  private readonly waiting = new Map<number, Waiting>();
  private queue: Call[] = [];
  private transfer: unknown[] = [];
  private tickets = 0;
  /** Number of calls so far. */
  private calls = 0;
  private kept: StepEvents[] = [];
  private readonly listeners: { kind: EventKind; call: (event: never) => void; once: boolean }[] = [];
  private keptCount = 0;
  private ended: TalusError | null = null;
  private ready: Waiting | null = null;
  private readonly seen = { steps: 0, dropped: 0 };

  /** By `create`. */
  protected constructor(options: TalusWorkerOptions, inside: unknown) {
    super();
    const { ready, thread } = inside as { ready: Waiting; thread: ThreadFile };
    this.ready = ready;
    const { shared, worker, ...init } = options;
    const can = typeof SharedArrayBuffer === 'function' && scope.crossOriginIsolated !== false;
    if (shared === true && !can) {
      throw new TalusError('unsupported', 'shared: true needs a page that is cross-origin isolated (headers COOP and COEP)');
    }
    if ('device' in init) throw new TalusError('unsupported', 'options.device: a GPU device cannot be sent to another thread');
    const transfer: unknown[] = [];
    const sent = copyOut(init, (id) => id, transfer) as WorldOptions;
    this.link = spawn(
      thread,
      worker,
      (message) => this.take(message),
      (why) => this.end(new TalusError('worker', `the thread of the world has ended: ${why}`)),
    );
    this.link.post({ init: sent, shared: shared ?? can }, transfer);
  }

  /**
   * Starts a thread with an empty world.
   * @throws TalusError as `createWorld`; `worker` if the thread cannot be started, `unsupported` if there are no workers
   */
  static create(options: TalusWorkerOptions = {}): Promise<TalusWorker> {
    return new Promise<TalusWorker>((resolve, reject) => {
      const made: TalusWorker = new this(options, {
        ready: { resolve: () => resolve(made), reject },
        // biome-ignore lint/complexity/noThisInStatic: each entry has a class of its own
        thread: this.thread,
      });
    });
  }

  // ------------------------------------------------------------------------------------------------------- calls

  /** @internal */
  override send(name: string, args: readonly unknown[], handles: readonly number[] = []): void {
    this.put(name, args, handles, 0);
    if (name === 'removeBody') this.ids.dropBody(args[0] as number);
  }

  /** @internal */
  override ask(name: string, args: readonly unknown[]): Promise<never> {
    return new Promise((resolve, reject) => {
      const ticket = ++this.tickets;
      this.put(name, args, [], ticket);
      this.waiting.set(ticket, { resolve, reject });
    });
  }

  private put(name: string, args: readonly unknown[], handles: readonly number[], ticket: number): void {
    this.alive();
    const sent = args.map((arg) => copyOut(arg, this.ids.check, this.transfer));
    if (this.queue.length === 0) queueMicrotask(this.flush);
    this.queue.push([name, sent, handles, ticket]);
    this.calls++;
  }

  /** Sends the collected calls, by itself at the end of the current task. */
  private readonly flush = (): void => {
    const { queue, transfer } = this;
    if (queue.length === 0 || this.ended) return;
    this.queue = [];
    this.transfer = [];
    this.link.post({ calls: queue, count: this.calls }, transfer);
  };

  private alive(): void {
    if (this.ended) throw new TalusError(this.ended.code, this.ended.message);
  }

  createShape: RemoteCalls['createShape'] = (desc) => this.make('createShape', [desc]) as never;
  createJoint: RemoteCalls['createJoint'] = (desc) => this.make('createJoint', [desc]) as never;
  addCollider: RemoteCalls['addCollider'] = (body, desc) => this.make('addCollider', [body, desc]) as never;

  private make(name: string, args: readonly unknown[]): number {
    this.alive();
    const id = this.ids.make(KINDS[name]!);
    this.send(name, args, [id]);
    return id;
  }

  createBody: RemoteCalls['createBody'] = (desc) => {
    this.alive();
    const id = this.ids.makeBody();
    try {
      this.send('createBody', [desc], [id]);
    } catch (error) {
      this.ids.dropBody(id);
      throw error;
    }
    const { position, rotation } = (desc ?? {}) as { position?: unknown; rotation?: unknown };
    this.poses.place(this.ids.slot(id), this.calls, numbers(position, ORIGIN), numbers(rotation, UPRIGHT));
    return id;
  };

  createBodies: RemoteCalls['createBodies'] = (desc) => {
    this.alive();
    const count = checkInteger(desc?.count, 'bodies.count', 0, 2 ** 24 - 1);
    const ids = Array.from({ length: count }, () => this.ids.makeBody());
    try {
      this.send('createBodies', [desc], ids);
    } catch (error) {
      for (const id of ids) this.ids.dropBody(id);
      throw error;
    }
    const { positions, rotations } = desc;
    for (let i = 0; i < count; i++) {
      const at = [positions?.[3 * i] ?? 0, positions?.[3 * i + 1] ?? 0, positions?.[3 * i + 2] ?? 0];
      const turn = rotations ? [0, 1, 2, 3].map((k) => rotations[4 * i + k] ?? 0) : UPRIGHT;
      this.poses.place(this.ids.slot(ids[i]), this.calls, at, turn);
    }
    return ids;
  };

  // ------------------------------------------------------------------------------------------------- controllers

  private readonly players: PlayersPage = {
    tell: (player, call, args) => this.send('player', [player, call, args]),
    ask: (player, call, args) => this.ask('player', [player, call, args]),
    drop: (player, slots, body) => {
      for (const slot of slots) this.ids.giveSlot(slot);
      if (!this.ended) this.send('player', [player, 'dispose', []], body === null ? [] : [body]);
      if (body !== null) this.ids.dropBody(body);
    },
    read: (slot, alpha) => {
      this.alive();
      return this.poses.mix(slot, alpha);
    },
    flag: (slot) => (this.poses.has(slot) ? this.poses.now.positions[4 * slot + 3]! : 0),
    getPose: (id, position, rotation, alpha) => this.getPose(id, position, rotation, alpha),
    alpha: () => this.alpha,
  };
  private playerCount = 0;

  /**
   * Creates a character that the world moves in the thread, with the calls of `Character` of `talus/controllers`.
   * @throws TalusError `invalid-argument`
   */
  createCharacter(desc: CharacterDesc): WorkerCharacter {
    this.alive();
    const { feet, hasBody } = startOf(desc);
    const number = ++this.playerCount;
    const slot = this.ids.takeSlot();
    const body = hasBody ? this.ids.makeBody() : null;
    this.send('createCharacter', [number, desc, [slot]], body === null ? [] : [body]);
    this.poses.place(slot, this.calls, feet, UPRIGHT);
    if (body !== null) this.poses.place(this.ids.slot(body), this.calls, feet, UPRIGHT);
    return new WorkerCharacter(this.players, number, [slot], body);
  }

  /**
   * Creates a vehicle that the world drives in the thread, with the calls of `Vehicle` of `talus/controllers`, except `grip`.
   * @throws TalusError `invalid-argument`, `stale-handle`, `unsupported` for a function
   */
  createVehicle(desc: VehicleDesc): WorkerVehicle {
    this.alive();
    const number = ++this.playerCount;
    const slots: number[] = [];
    // The constructor checks the description.
    const vehicle = new WorkerVehicle(this.players, number, slots, desc);
    this.ids.slot(desc.body);
    slots.push(...desc.wheels.map(() => this.ids.takeSlot()));
    try {
      this.send('createVehicle', [number, desc, slots]);
    } catch (error) {
      for (const slot of slots) this.ids.giveSlot(slot);
      throw error;
    }
    for (const slot of slots) this.poses.place(slot, this.calls, ORIGIN, UPRIGHT, false);
    return vehicle;
  }

  // ------------------------------------------------------------------------------------------------------- steps

  /** Starts stepping in the thread, one `dt` per `dt` of real time; never faster than it can. */
  start(options: RunOptions = {}): void {
    checkKeys(options, 'options', ['speed', 'maxSteps']);
    if (options.speed !== undefined) checkNumber(options.speed, 'options.speed', 0.001, 1000);
    if (options.maxSteps !== undefined) checkInteger(options.maxSteps, 'options.maxSteps', 1, 10_000);
    this.send('start', [options]);
  }

  /** Stops stepping. Resolves when no step is running any more. */
  stop(): Promise<void> {
    return this.ask('stop', []);
  }

  /** Makes one step. Resolves when it is done and its poses have arrived. Refused while the thread steps by itself. */
  step(): Promise<void> {
    return this.ask('step', []);
  }

  /** As `World.advance`. Refused while the thread steps by itself. */
  advance(seconds: number, options: { maxSteps?: number; maxMs?: number } = {}): Promise<Frame> {
    return this.ask('advance', [seconds, options]);
  }

  /** Resolves when all calls so far are done. */
  flushed(): Promise<void> {
    return this.ask('nothing', []);
  }

  /**
   * Call it at the start of each frame. It takes the newest poses that the thread has finished, and finds where between them to
   * draw. All poses that you read until the next call belong to that moment.
   */
  frame(): WorkerFrame {
    this.alive();
    this.poses.refresh();
    this.giveBack();
    const { head } = this.poses.now;
    const { seen } = this;
    const frame = {
      steps: head[HEAD.stepCount]! - seen.steps,
      alpha: this.poses.alpha,
      dropped: head[HEAD.dropped]! - seen.dropped,
      stepMs: head[HEAD.stepMs]!,
    };
    seen.steps = head[HEAD.stepCount]!;
    seen.dropped = head[HEAD.dropped]!;
    return frame;
  }

  private giveBack(): void {
    const done = this.poses.takeDone();
    if (done.length > 0 && !this.ended) this.link.post({ buffers: done }, done);
  }

  // ------------------------------------------------------------------------------------------------------- poses

  /** Number of steps done, as of the last `frame()`, like the following getters. */
  get stepCount(): number {
    return this.head(HEAD.stepCount);
  }

  /** Where between the last two steps to draw, 0 to 1, as of the last `frame()`. Poses are interpolated there by default. */
  get alpha(): number {
    this.alive();
    return this.poses.alpha;
  }

  get bodyCount(): number {
    return this.head(HEAD.bodyCount);
  }

  get sleepingCount(): number {
    return this.head(HEAD.sleepingCount);
  }

  private head(field: number): number {
    this.alive();
    return this.poses.now.head[field]!;
  }

  /** Returns whether an id is that of a body that was created and not removed. */
  isAlive(id: BodyId): boolean {
    return !this.ended && this.ids.hasBody(id);
  }

  /**
   * Number of slots of `positions`, `rotations`, `readPoses` and `readMatrices`. They are the page's own slots, different from
   * those of the thread.
   */
  get slotCount(): number {
    this.alive();
    return this.ids.slotCount;
  }

  /**
   * Returns the slot of a body, at once.
   * @throws TalusError `stale-handle`
   */
  indexOf(id: BodyId): number {
    this.alive();
    return this.ids.slot(id);
  }

  bodyAt(index: number): BodyId | null {
    this.alive();
    return this.ids.bodyAt(index);
  }

  /**
   * Origins after the last step, 4 floats per slot, in memory from the thread: valid until the next `frame()`. Do not write to
   * it.
   */
  get positions(): Float32Array {
    this.alive();
    return this.poses.now.positions;
  }

  /** Rotations after the last step, 4 floats per slot, unit quaternion x y z w. As `positions`. */
  get rotations(): Float32Array {
    this.alive();
    return this.poses.now.rotations;
  }

  /** As `World.getPosition`: after the last step, as of the last `frame()`. */
  getPosition<T extends Vec3Sink>(id: BodyId, out: T): T {
    this.getPose(id, out, null, 1);
    return out;
  }

  /** As `World.getRotation`. */
  getRotation<T extends QuatSink>(id: BodyId, out: T): T {
    this.getPose(id, null, out, 1);
    return out;
  }

  /** As `World.getPose`: the pose at which to draw a body in the frame of the last `frame()`. */
  getPose(id: BodyId, position: Vec3Sink | null, rotation: QuatSink | null = null, alpha = this.poses.alpha): void {
    this.alive();
    const pose = this.poses.mix(this.ids.slot(id), alpha);
    if (position !== null) writeComponents(pose, 0, 3, position, 'position');
    if (rotation !== null) writeComponents(pose, 3, 4, rotation, 'rotation');
  }

  /** As `World.readPoses`, by slots of the page. */
  readPoses(positions: Float32Array, rotations: Float32Array, options: PoseOptions = {}): number {
    const { bodies, count, alpha } = this.list(options);
    checkTyped(positions, 'positions', 'Float32Array', 4 * count);
    checkTyped(rotations, 'rotations', 'Float32Array', 4 * count);
    for (let i = 0; i < count; i++) {
      const slot = bodies ? bodies[i]! : i;
      const lives = this.ids.bodyAt(slot) !== null;
      const pose = lives ? this.poses.mix(slot, alpha) : NOTHING;
      for (let k = 0; k < 3; k++) positions[4 * i + k] = pose[k]!;
      positions[4 * i + 3] = lives ? 1 : 0;
      for (let k = 0; k < 4; k++) rotations[4 * i + k] = pose[3 + k]!;
    }
    return count;
  }

  /** As `World.readMatrices`, by slots of the page. */
  readMatrices(out: Float32Array, options: MatrixOptions = {}): number {
    const { bodies, count, alpha } = this.list(options);
    checkTyped(out, 'out', 'Float32Array', 16 * count);
    const { scales } = options;
    if (scales !== undefined) checkTyped(scales, 'options.scales', 'Float32Array', 3 * count);
    for (let i = 0; i < count; i++) {
      const slot = bodies ? bodies[i]! : i;
      if (this.ids.bodyAt(slot) !== null) this.poses.matrix(slot, alpha, scales, i, out, 16 * i);
      else {
        out.fill(0, 16 * i, 16 * i + 15);
        out[16 * i + 15] = 1;
      }
    }
    return count;
  }

  private list({ bodies, alpha = this.poses.alpha }: PoseOptions): {
    bodies: Uint32Array | undefined;
    count: number;
    alpha: number;
  } {
    this.alive();
    if (bodies !== undefined) checkTyped(bodies, 'options.bodies', 'Uint32Array');
    checkNumber(alpha, 'options.alpha', 0, 1);
    return { bodies, count: bodies === undefined ? this.ids.slotCount : bodies.length, alpha };
  }

  /**
   * As `World.shift`, in order with the calls before it. All poses and events that the page reads or gets from now on are
   * shifted, whatever the thread has done so far. So move your camera by the same offset now. Answers to earlier calls are not
   * shifted.
   * @throws TalusError `invalid-argument`. Other errors of `World.shift` go to `onerror`, and then nothing has moved.
   */
  shift(offset: Vec3): void {
    const given = checkPosition(offset, 'offset');
    const by: [number, number, number] = [given[0]!, given[1]!, given[2]!];
    const call = this.calls + 1;
    this.send('shift', [by], [call]);
    this.poses.shift(call, by);
    for (const { contacts } of this.kept) shiftPoints(contacts, by);
  }

  // ------------------------------------------------------------------------------------------------------ events

  /** Returns the events of all steps that have arrived since the last call, oldest first. */
  takeEvents(): StepEvents[] {
    this.alive();
    const { kept } = this;
    this.kept = [];
    this.keptCount = 0;
    return kept;
  }

  /** As `World.on`: calls the listener when the events of a step have arrived. Returns a function that removes it. */
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
    for (const one of this.listeners.filter((one) => one.kind === kind && one.call === listener)) this.unlisten(one);
  }

  private listen(kind: EventKind, call: (event: never) => void, once: boolean): () => void {
    this.alive();
    if (typeof call !== 'function') throw new TalusError('invalid-argument', 'listener must be a function');
    const one = { kind, call, once };
    this.listeners.push(one);
    return () => this.unlisten(one);
  }

  private unlisten(one: (typeof this.listeners)[number]): void {
    const at = this.listeners.indexOf(one);
    if (at >= 0) this.listeners.splice(at, 1);
  }

  private dispatch(kind: EventKind, event: unknown): void {
    for (const one of [...this.listeners]) {
      if (one.kind !== kind || !this.listeners.includes(one)) continue;
      if (one.once) this.unlisten(one);
      one.call(event as never);
    }
  }

  private tellAll({ contacts, jointBreaks, sleeps, wakes }: StepEvents): void {
    for (const event of contacts) this.dispatch(event.kind, event);
    for (const joint of jointBreaks) this.dispatch('joint-break', { kind: 'joint-break', joint });
    for (const body of sleeps) this.dispatch('sleep', { kind: 'sleep', body });
    for (const body of wakes) this.dispatch('wake', { kind: 'wake', body });
  }

  private keep(events: StepEvents): void {
    this.kept.push(events);
    this.keptCount += size(events);
    while (this.keptCount > MOST_EVENTS) {
      const oldest = this.kept.shift()!;
      this.keptCount -= size(oldest);
    }
    this.onevents?.(events);
    if (this.listeners.length > 0) this.tellAll(events);
  }

  // --------------------------------------------------------------------------------------------------- the thread

  private take(message: FromThread): void {
    if (this.ended) return;
    if (message.shared) this.poses.share(message.shared);
    if (message.poses) {
      this.poses.receive(message.poses);
      this.giveBack();
    }
    const behind = this.poses.behind(message.calls ?? 0);
    for (const events of message.events ?? []) {
      shiftPoints(events.contacts, behind);
      this.keep(events);
    }
    for (const [call, refusal, handles] of message.refused ?? []) {
      if (call === 'shift') {
        const back = this.poses.unshift(handles[0]!);
        if (back) for (const { contacts } of this.kept) shiftPoints(contacts, back);
      } else for (const handle of handles) this.ids.dropBody(handle);
      this.tell(errorOf(refusal), call);
    }
    for (const [ticket, value, refusal] of message.answers ?? []) {
      const asked = this.waiting.get(ticket);
      this.waiting.delete(ticket);
      if (refusal) asked?.reject(errorOf(refusal));
      else {
        // Poses of the answered calls are available when the promise resolves.
        this.poses.refresh();
        this.giveBack();
        asked?.resolve(value as never);
      }
    }
    this.poses.forget(message.calls ?? 0);
    if (message.failed) this.end(errorOf(message.failed));
    if (message.ready) {
      this.poses.refresh();
      this.ready?.resolve(undefined as never);
      this.ready = null;
    }
  }

  private tell(error: TalusError, call: string): void {
    if (this.onerror) this.onerror(error, call);
    else if (scope.reportError) scope.reportError(error);
    else console.error(`${call}: ${error.message}`);
  }

  /** Handles a thread that has ended or is unusable. */
  private end(error: TalusError): void {
    if (this.ended) return;
    this.ended = error;
    this.link.end();
    for (const asked of this.waiting.values()) asked.reject(error);
    this.waiting.clear();
    if (this.ready) this.ready.reject(error);
    else if (error.code !== 'disposed') this.tell(error, 'thread');
    this.ready = null;
  }

  /** Ends the thread at once. Promises without an answer are rejected with 'disposed', as is every later call. */
  dispose(): void {
    this.end(new TalusError('disposed', 'this world was disposed'));
  }
}

function size({ contacts, jointBreaks, sleeps, wakes }: StepEvents): number {
  return contacts.length + jointBreaks.length + sleeps.length + wakes.length;
}

const ORIGIN = [0, 0, 0];
const UPRIGHT = [0, 0, 0, 1];
const NOTHING = new Float32Array(7);

/** Returns the components of a value that may be a vector; the thread checks it. */
function numbers(value: unknown, usual: readonly number[]): ArrayLike<number> {
  if (value === null || typeof value !== 'object') return usual;
  if ('length' in value) return value as ArrayLike<number>;
  const { x, y, z, w } = value as Record<string, number>;
  return [x!, y!, z!, w!];
}
