// The thread of a TalusWorker: a world, the calls that arrive for it, and its steps. Poses go out after each step, into shared
// memory or as messages. Inside, ids are the world's own; ids that the page gave are translated on arrival.
import { createBatchHits, TalusError, type World, type WorldOptions } from '../index';
import { NONE } from '../layout.generated';
import type { NodePort, Scope } from '../platform/scope';
import type { BodyId, ColliderId, JointId, ShapeId } from '../types';
import { BATCHES, GETTERS, LISTS, SLOTS, VECTORS } from './calls';
import { copyOut, isId } from './copy';
import {
  bufferBytes,
  type Call,
  CONTROL_BYTES,
  epochNow,
  FRESH,
  type FromThread,
  HEAD,
  type PoseBuffer,
  type Refusal,
  type RunOptions,
  type StepEvents,
  sentBuffer,
  sharedBuffers,
  shiftPoints,
  type ToThread,
} from './messages';
import { ThreadPlayers } from './thread_players';

const SLOT_RANGE = 2 ** 24;
/** Share of a step by which the delay of drawing falls per step. */
const CALM = 0.01;
/** Milliseconds between looks at a GPU. */
const LOOK_MS = 1;
/** Largest number of buffers on their way at once. */
const SENT_BUFFERS = 3;
/** Calls with an answer that change poses. */
const CHANGES = ['advance', 'stop'];

const scope = globalThis as unknown as Scope;
const node: NodePort | null =
  typeof scope.postMessage === 'function' ? null : scope.process!.getBuiltinModule('node:worker_threads').parentPort;
const post = (message: FromThread, transfer: unknown[] = []) => (node ?? scope).postMessage!(message, transfer);

function refusalOf(error: unknown): Refusal | null {
  return error instanceof TalusError ? { code: error.code, message: error.message } : null;
}

/** Returns the arguments of a call with its output as the last one, and empty options if there are none. */
function withOut(method: (...all: never[]) => unknown, args: readonly unknown[], out: unknown): unknown[] {
  const all = args.slice(0, method.length - 1);
  while (all.length < method.length - 1) all.push({});
  return [...all, out];
}

class Thread {
  /** Ids of the page to ids of the world, and back. */
  private readonly ids = new Map<number, number>();
  private readonly handles = new Map<number, number>();
  /** The world's slot of each slot of the page. */
  private slots = new Uint32Array(64).fill(NONE);
  private slotCount = 0;
  private calls = 0;
  /** Resolves at the end of all calls so far. */
  private work: Promise<void> = Promise.resolve();
  private out: FromThread = {};
  private readonly transfer: unknown[] = [];
  private readonly players: ThreadPlayers;
  // Poses
  private control: Int32Array | null = null;
  private buffers: PoseBuffer[] = [];
  private back = 2;
  private readonly free: PoseBuffer[] = [];
  private made = 0;
  private capacity = 0;
  /** Whether poses have changed since they were sent. */
  private stale = false;
  // Steps
  private running: Required<Pick<RunOptions, 'speed'>> & RunOptions = { speed: 1 };
  private timer: unknown = null;
  private last = 0;
  private alpha = 1;
  /** Milliseconds by which drawing lags behind the time at which steps are due. */
  private lag = 0;
  /** Time (ms since 1970) at which the last step was due; 0 if the page says when to step. */
  private due = 0;
  private dropped = 0;
  private seen = 0;

  constructor(
    private readonly world: World,
    private readonly shared: boolean,
  ) {
    this.players = new ThreadPlayers(world, (handle, id) => this.adoptBody(handle, id));
    world.advance(0); // poses before steps are kept from here on
    this.publish();
    this.send();
  }

  take(message: ToThread): void {
    if ('buffers' in message) {
      for (const buffer of message.buffers) this.recycle(buffer);
      if (this.stale) this.publish();
      this.send();
    } else if ('calls' in message) {
      this.work = this.work.then(() => this.perform(message.calls, message.count)).catch(crash);
    }
  }

  private async perform(calls: Call[], count: number): Promise<void> {
    let changed = false;
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i]!;
      this.calls = count - calls.length + i + 1;
      changed ||= call[3] === 0 || CHANGES.includes(call[0]);
      const pending = this.begin(call);
      if (!pending || call[0] !== 'step') continue;
      // Later calls are meant for the world after the step; its poses are out already.
      await pending;
      changed = false;
    }
    if ((changed && this.timer === null) || Math.max(this.slotCount, this.players.slotCount) > this.capacity) this.publish();
    this.send();
  }

  /** Runs a call; returns a promise if its answer comes later. */
  private begin([name, args, handles, ticket]: Call): Promise<void> | null {
    const answer = (value: unknown) => {
      if (ticket === 0) return;
      this.out.answers ??= [];
      this.out.answers.push([ticket, copyOut(value, this.toHandle, this.transfer), null]);
    };
    const refuse = (error: unknown) => {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      refusal.message = refusal.message.replace(/\b\d{16}\b/g, (id) => String(this.toHandle(Number(id))));
      if (ticket !== 0) {
        this.out.answers ??= [];
        this.out.answers.push([ticket, null, refusal]);
      } else {
        this.out.refused ??= [];
        this.out.refused.push([name, refusal, handles]);
      }
    };
    try {
      const value = this.call(name, args.map(this.toId) as never[], handles);
      if (!(value instanceof Promise)) {
        answer(value);
        return null;
      }
      return value.then(answer, refuse).then(() => this.send(), crash);
    } catch (error) {
      refuse(error);
      return null;
    }
  }

  private call(name: string, args: never[], handles: readonly number[]): unknown {
    const { world } = this;
    switch (name) {
      case 'createShape':
      case 'createJoint':
      case 'addCollider':
        return this.adopt(handles[0]!, (world[name] as (...all: never[]) => number)(...args));
      case 'createBody':
        return this.adoptBody(handles[0]!, (world.createBody as (...all: never[]) => BodyId)(...args));
      case 'createBodies':
        return this.adoptBodies(handles, (world.createBodies as (...all: never[]) => BodyId[])(...args));
      case 'shift':
        return this.shift(args[0]!);
      case 'removeBody':
        return this.removeBody(args[0]!);
      case 'removeShape':
        world.removeShape(args[0]!);
        return this.drop(args[0]! as ShapeId);
      case 'removeCollider':
        world.removeCollider(args[0]!);
        return this.drop(args[0]! as ColliderId);
      case 'removeJoint':
        world.removeJoint(args[0]!);
        return this.drop(args[0]! as JointId);
      case 'createCharacter':
        return this.players.makeCharacter(args[0]!, args[1]!, args[2]!, handles[0] ?? 0);
      case 'createVehicle':
        return this.players.makeVehicle(args[0]!, args[1]!, args[2]!);
      case 'player':
        return this.tellPlayer(args[0]!, args[1]!, args[2]!, handles);
      case 'step':
        return this.step();
      case 'advance':
        return this.advance(args[0]!, args[1]!);
      case 'start':
        return this.start(args[0]!);
      case 'stop':
        return this.stop();
      case 'readLabels':
        return this.labels((world.readLabels as (...all: never[]) => Uint32Array)(...args));
      case 'nothing':
        return undefined;
    }
    if ((GETTERS as readonly string[]).includes(name)) return world[name as (typeof GETTERS)[number]];
    if ((VECTORS as readonly string[]).includes(name)) {
      return world[name as (typeof VECTORS)[number]](args[0]!, [0, 0, 0]);
    }
    const method = world[name as keyof World] as unknown as (...all: never[]) => unknown;
    if ((LISTS as readonly string[]).includes(name)) {
      const list: unknown[] = [];
      list.length = method.apply(world, withOut(method, args, list) as never[]) as number;
      return list;
    }
    if ((BATCHES as readonly string[]).includes(name)) {
      const from = args[name === 'castRays' ? 0 : 1] as ArrayLike<number> | undefined;
      const hits = createBatchHits(Math.floor((from?.length ?? 0) / 3));
      method.apply(world, withOut(method, args, hits) as never[]);
      return hits;
    }
    const result = method.apply(world, args);
    for (const key of SLOTS[name] ?? []) this.pageSlots((result as Record<string, Uint32Array>)[key]!);
    return result;
  }

  /** Shifts the origin. The page knows that data sent before is not shifted. */
  private shift(offset: [number, number, number]): void {
    this.world.shift(offset);
    this.out.calls = this.calls;
    for (const { contacts } of this.out.events ?? []) shiftPoints(contacts, offset);
  }

  // --------------------------------------------------------------------------------------------------------- ids

  private readonly toHandle = (id: number): number => this.handles.get(id) ?? id;

  /** Converts ids of the page in a message, in place. */
  private readonly toId = (value: unknown): unknown => {
    if (typeof value === 'number') return isId(value) ? (this.ids.get(value) ?? value) : value;
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value) || value instanceof Float64Array) {
      for (let i = 0; i < value.length; i++) value[i] = this.toId(value[i]) as number;
    } else if (Object.getPrototypeOf(value) === Object.prototype) {
      const object = value as Record<string, unknown>;
      for (const key in object) object[key] = this.toId(object[key]);
    }
    return value;
  };

  private adopt(handle: number, id: number): void {
    this.ids.set(handle, id);
    this.handles.set(id, handle);
  }

  private adoptBody(handle: number, id: BodyId): void {
    this.adopt(handle, id);
    const slot = handle % SLOT_RANGE;
    this.slotCount = Math.max(this.slotCount, slot + 1);
    this.growSlots();
    this.slots[slot] = this.world.indexOf(id);
  }

  private growSlots(): void {
    if (this.slotCount <= this.slots.length) return;
    const grown = new Uint32Array(2 ** Math.ceil(Math.log2(this.slotCount))).fill(NONE);
    grown.set(this.slots);
    this.slots = grown;
  }

  private tellPlayer(number: number, name: string, args: readonly unknown[], handles: readonly number[]): unknown {
    const result = this.players.call(number, name, args);
    if (name === 'dispose' && handles[0]) {
      this.drop(this.toId(handles[0]) as number);
      this.slots[handles[0] % SLOT_RANGE] = NONE;
    }
    return result;
  }

  private adoptBodies(handles: readonly number[], ids: readonly BodyId[]): void {
    for (let i = 0; i < ids.length; i++) this.adoptBody(handles[i]!, ids[i]!);
  }

  private removeBody(id: BodyId): void {
    const { world } = this;
    const gone: number[] = world.isAlive(id) ? [...world.jointsOf(id), ...world.collidersOf(id)] : [];
    const handle = this.toHandle(id);
    world.removeBody(id);
    for (const one of gone) this.drop(one);
    this.drop(id);
    this.slots[handle % SLOT_RANGE] = NONE;
  }

  private drop(id: number): void {
    const handle = this.handles.get(id);
    if (handle === undefined) return;
    this.handles.delete(id);
    this.ids.delete(handle);
  }

  /** Converts slots of the world to those of the page, in place. */
  private pageSlots(slots: Uint32Array): void {
    for (let i = 0; i < slots.length; i++) {
      const id = this.world.bodyAt(slots[i]!);
      slots[i] = id === null ? NONE : this.toHandle(id) % SLOT_RANGE;
    }
  }

  /** Returns labels by slots of the page. */
  private labels(labels: Uint32Array): Uint32Array {
    return Uint32Array.from({ length: this.slotCount }, (_, i) => labels[this.slots[i]!] ?? NONE);
  }

  // ------------------------------------------------------------------------------------------------------- steps

  private refuseRunning(name: string): void {
    if (this.timer !== null) throw new TalusError('unsupported', `${name}: the thread steps by itself, stop() it first`);
  }

  private async step(): Promise<void> {
    this.refuseRunning('step');
    await this.world.stepAsync();
    this.alpha = 1;
    this.due = 0;
    this.collect();
    this.publish(true); // before the answer
  }

  private advance(seconds: number, options: object): unknown {
    this.refuseRunning('advance');
    const frame = this.world.advance(seconds, { ...options, afterStep: this.collect });
    this.alpha = frame.alpha;
    this.dropped += frame.dropped;
    this.due = 0;
    return { ...frame };
  }

  private start(options: RunOptions): void {
    this.running = { speed: 1, ...options };
    if (this.timer !== null) return;
    this.last = performance.now();
    this.lag = 0;
    this.timer = setTimeout(this.tick, 0);
  }

  private stop(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer as number);
    this.timer = null;
    this.due = 0;
    this.alpha = 1;
  }

  private readonly tick = (): void => {
    try {
      this.run();
    } catch (error) {
      crash(error);
    }
  };

  private run(): void {
    const { world } = this;
    const { speed, maxSteps } = this.running;
    const now = performance.now();
    const seconds = ((now - this.last) / 1000) * speed;
    this.last = now;
    const before = world.stepCount;
    const bound = maxSteps === undefined ? {} : { maxSteps };
    const frame = world.advance(seconds, { ...bound, afterStep: this.collect });
    this.dropped += frame.dropped;
    const length = (1000 * world.settings.dt) / speed;
    if (world.stepCount !== before) {
      const due = performance.timeOrigin + now - frame.alpha * length;
      this.due = due;
      // Pictures wait as long as steps take, evenly.
      this.lag = Math.min(Math.max(epochNow() - due, this.lag - CALM * length), 2 * length);
      this.publish();
    }
    this.send();
    const spent = performance.now() - now;
    const wait = frame.waiting ? LOOK_MS : Math.max((1 - frame.alpha) * length - spent, 0);
    this.timer = setTimeout(this.tick, wait);
  }

  /** Collects the events of the step that was just finished. */
  private readonly collect = (): void => {
    const { events, stepCount } = this.world;
    if (stepCount === this.seen) return;
    this.seen = stepCount;
    const sleeps = [...events.sleeps];
    const wakes = [...events.wakes];
    if (events.count + events.jointBreaks.length + sleeps.length + wakes.length === 0) return;
    const told: StepEvents = { step: stepCount, contacts: [...events], jointBreaks: [...events.jointBreaks], sleeps, wakes };
    this.out.events ??= [];
    this.out.events.push(copyOut(told, this.toHandle, this.transfer) as StepEvents);
  };

  // ------------------------------------------------------------------------------------------------------- poses

  private recycle(buffer: ArrayBuffer): void {
    const poses = sentBuffer(buffer);
    if (poses.capacity !== this.capacity) return;
    if (this.made > SENT_BUFFERS) this.made--;
    else this.free.push(poses);
  }

  /** Makes room for the poses of all bodies. */
  private grow(): void {
    this.slotCount = Math.max(this.slotCount, this.players.slotCount);
    this.growSlots();
    if (this.capacity > 0 && this.slotCount <= this.capacity) return;
    this.capacity = Math.max(64, 2 ** Math.ceil(Math.log2(this.slotCount)));
    this.free.length = 0;
    this.made = 0;
    if (!this.shared) return;
    const memory = new SharedArrayBuffer(CONTROL_BYTES + 3 * bufferBytes(this.capacity));
    const { control, buffers } = sharedBuffers(memory);
    control[0] = 1;
    this.control = control;
    this.buffers = buffers;
    this.back = 2;
    this.out.shared = memory;
  }

  /** Publishes the present poses. `always`: with one more buffer if the page has all of them. */
  private publish(always = false): void {
    this.grow();
    this.stale = true;
    let to = this.control ? this.buffers[this.back] : this.free.pop();
    if (to === undefined) {
      if (this.made >= SENT_BUFFERS && !always) return; // with the page: it gets the newest when one comes back
      this.made++;
      to = sentBuffer(new ArrayBuffer(bufferBytes(this.capacity)));
    }
    this.stale = false;
    const { world } = this;
    const bodies = this.slots.subarray(0, this.slotCount);
    world.readPoses(to.positions, to.rotations, { bodies, alpha: 1 });
    world.readPoses(to.pastPositions, to.pastRotations, { bodies, alpha: 0 });
    this.players.write(to);
    const { head } = to;
    const running = this.due > 0;
    head[HEAD.time] = running ? this.due + this.lag : 0;
    head[HEAD.length] = (1000 * world.settings.dt) / this.running.speed;
    head[HEAD.alpha] = this.alpha;
    head[HEAD.stepCount] = world.stepCount;
    head[HEAD.calls] = this.calls;
    head[HEAD.bodyCount] = world.bodyCount;
    head[HEAD.sleepingCount] = world.sleepingCount;
    head[HEAD.stepMs] = world.profile.total;
    head[HEAD.dropped] = this.dropped;
    head[HEAD.dt] = world.settings.dt;
    if (this.control) this.back = Atomics.exchange(this.control, 0, this.back | FRESH) & 3;
    else {
      this.out.poses = to.buffer as ArrayBuffer;
      this.transfer.push(to.buffer);
      this.send();
    }
  }

  /** Sends all news in one message. */
  private send(): void {
    const { out, transfer } = this;
    for (const _ in out) {
      this.out = {};
      out.calls = this.calls;
      post(out, transfer);
      transfer.length = 0;
      return;
    }
  }
}

function crash(error: unknown): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  post({ failed: refusalOf(error) ?? { code: 'worker', message } });
}

let thread: Promise<Thread | null> | null = null;

function take(message: ToThread, createWorld: (options: WorldOptions) => Promise<World>): void {
  if ('init' in message) {
    thread = createWorld(message.init).then(
      (world) => {
        const made = new Thread(world, message.shared);
        post({ ready: true });
        return made;
      },
      (error) => {
        crash(error);
        return null;
      },
    );
    return;
  }
  thread?.then((one) => one?.take(message));
}

/** Makes this thread the thread of a TalusWorker, with worlds of the entry that has `createWorld`. */
export function serve(createWorld: (options: WorldOptions) => Promise<World>): void {
  if (node) node.on('message', (message: ToThread) => take(message, createWorld));
  else scope.onmessage = (event) => take(event.data as ToThread, createWorld);
}
