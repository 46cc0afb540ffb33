// Plays random calls on one world and holds a model against it: what a well-formed call may be refused with, what a refused call
// leaves as it was, what reads back, which things live, which pairs touch; and that no number anywhere is not finite.
import {
  type BodyId,
  type ColliderId,
  createWorld,
  EVENT_KINDS,
  type EventKind,
  TalusError,
  type World,
} from '../../../src/index';
import { stepWork, sweepRounds } from '../../helpers/step_work';
import { type Arg, CALLS, type Call, PROPERTIES } from './calls';
import { type Any, Draw, NOTHING, WRONG } from './draw';
import { agrees, Model, type ModelState } from './model';

/** What listeners throw: it comes out of the step. */
class Own extends Error {}

interface Kept {
  bytes: Uint8Array;
  state: ModelState;
  hash: number;
  isLocal: boolean;
}

interface Counts {
  calls: number;
  /** Refused of those that were spoiled on purpose, and of the others. */
  refused: number;
  declined: number;
  spoiled: number;
  steps: number;
  contacts: number;
  joints: number;
  events: number;
  /** Bodies stopped in extreme worlds, and in ordinary ones with joints. */
  stopped: number;
  stoppedByJoints: number;
  restored: number;
}

export const noCounts = (): Counts => ({
  calls: 0,
  refused: 0,
  declined: 0,
  spoiled: 0,
  steps: 0,
  contacts: 0,
  joints: 0,
  events: 0,
  stopped: 0,
  stoppedByJoints: 0,
  restored: 0,
});

/** Of spoiled calls: in how many all bytes of a snapshot are compared, beside hash and views. */
const DEEP_SHARE = 0.05;
const SPOILED_SHARE = 0.15;
const TOTAL = CALLS.reduce((sum, one) => sum + one.weight, 0);
const MOST_BODIES = 40;
/**
 * Work of a step over the median of its world, and where sizes and speeds are extreme. A median below the least (0.2 ms) counts as
 * that: most steps of some worlds are empty.
 */
const MOST_WORK = 50;
const MOST_EXTREME_WORK = 250;
const LEAST_MEDIAN = 200;
const MOST_EXTREME_BODIES = 12;

export class Driver {
  readonly world: World;
  readonly draw: Draw;
  readonly model = new Model();
  readonly counts: Counts;
  private readonly kept: Kept[] = [];
  private listeners: ((event: Any) => void)[] = [];
  private readonly ends: (() => void)[] = [];
  /** Whether there are joints. */
  readonly isJointed: boolean;
  /** Id of a body of another world. */
  private readonly foreign: number;
  private depth = 0;
  private log: string[] = [];

  constructor(world: World, draw: Draw, counts: Counts, foreign: number, isJointed: boolean) {
    this.isJointed = isJointed;
    this.world = world;
    this.draw = draw;
    this.counts = counts;
    this.foreign = foreign;
  }

  /** A tray, so that most bodies stay and meet. */
  async floor(): Promise<void> {
    const place = async (method: string, desc: Any) => this.make(CALLS.find((one) => one.method === method)!, [desc], false);
    await place('createShape', { type: 'box', halfExtents: [5, 0.5, 5] });
    await place('createShape', { type: 'box', halfExtents: [5, 2, 0.5] });
    const [base, side] = [...this.model.state.shapes.keys()];
    const h = Math.SQRT1_2;
    const sides = [0, 1, 2, 3].map((i) => ({
      shape: side,
      position: [
        [0, 1, 5],
        [0, 1, -5],
        [5, 1, 0],
        [-5, 1, 0],
      ][i],
      rotation: i < 2 ? [0, 0, 0, 1] : [0, h, 0, h],
    }));
    await place('createBody', { type: 'static', colliders: [{ shape: base, position: [0, -1, 0] }, ...sides] });
  }

  // --------------------------------------------------------------------------------------------------- arguments

  private one<K>(from: Map<K, Any>): Any {
    return from.size === 0 ? NOTHING : this.draw.pick([...from.keys()]);
  }
  body(): Any {
    return this.one(this.model.state.bodies);
  }
  kinematic(): Any {
    const list = [...this.model.state.bodies].filter(([, { type }]) => type === 'kinematic');
    return list.length === 0 ? this.body() : this.draw.pick(list)[0];
  }
  collider(): Any {
    return this.one(this.model.state.colliders);
  }
  joint(): Any {
    return this.one(this.model.state.joints);
  }
  shape(): Any {
    return this.one(this.model.state.shapes);
  }
  convex(): Any {
    const list = [...this.model.state.shapes].filter(([, { isSurface }]) => !isSurface);
    return list.length === 0 ? NOTHING : this.draw.pick(list)[0];
  }
  /** Another body: in ordinary worlds one that is not far, since a lever of many times the size of a body is no ordinary joint. */
  neighbor(body: BodyId): Any {
    if (this.draw.isExtreme) return this.body();
    const at = this.world.getPosition(body, [0, 0, 0]);
    for (const id of this.model.state.bodies.keys()) {
      const [x, y, z] = this.world.getPosition(id, [0, 0, 0]);
      if (id !== body && Math.hypot(x - at[0]!, y - at[1]!, z - at[2]!) < 1.2) return id;
    }
    return NOTHING;
  }
  /** A point by a body. */
  near(body: BodyId): Any {
    if (this.draw.isExtreme) return this.draw.place();
    return this.world.getPosition(body, [0, 0, 0]).map((x) => x + this.draw.range(-0.5, 0.5));
  }
  bodyOrNull(): Any {
    const id = this.body();
    return id === NOTHING ? null : id;
  }
  colliderOrNull(): Any {
    const id = this.collider();
    return id === NOTHING ? null : id;
  }
  slots(): Uint32Array {
    return Uint32Array.from({ length: this.draw.int(0, 9) }, () => (this.draw.chance(0.2) ? 0xffffffff : this.draw.int(0, 40)));
  }
  typeOf(id: BodyId): string {
    return this.model.state.bodies.get(id)!.type;
  }
  /** As a caller would write it: vectors as arrays. */
  plain(value: Any): Any {
    return value !== null && typeof value === 'object' && 'x' in value ? [value.x, value.y, value.z] : value;
  }

  /** A filter of queries that may ask a query itself. */
  filter(collider: ColliderId, body: BodyId): boolean {
    this.expectSame('filter', this.model.state.colliders.get(collider)?.body, body);
    if (this.depth < 2 && this.draw.chance(0.2)) {
      this.depth++;
      this.world.castRayAny([0, 5, 0], [0, -1, 0], { filter: (c, b) => this.filter(c, b) });
      this.depth--;
    }
    return (collider + body) % 3 !== 0;
  }

  /** A callback: asks, removes, throws, or tries what is not allowed. */
  listener(): (event: Any) => void {
    const kind = this.draw.int(0, 5);
    const listener = (event: Any) => {
      if (this.counts.events++ > 1e9) return;
      if (kind === 0) throw new Own('by the listener');
      if (kind === 1) {
        let code = '';
        try {
          this.world.step();
        } catch (error) {
          code = (error as TalusError).code;
        }
        this.expectSame('step in a callback', code, 'unsupported');
      }
      const id = event.bodyA ?? event.body;
      if (kind === 2 && id !== undefined && this.world.isAlive(id) && this.draw.chance(0.2)) {
        this.world.removeBody(id);
        this.model.removeBody(id);
      }
      if (kind === 3) this.world.castRay([0, 5, 0], [0, -1, 0]);
    };
    this.listeners.push(listener);
    return listener;
  }
  oldListener(): Any {
    return this.listeners.length > 0 && this.draw.chance(0.8) ? this.draw.pick(this.listeners) : () => 0;
  }
  listens(_args: Any[], end: Any): void {
    this.ends.push(end);
    // Not too many at a time, or all that is done is to throw.
    if (this.ends.length > 4) this.ends.shift()!();
  }

  // ------------------------------------------------------------------------------------------------ what must hold

  private fail(what: string): never {
    throw new Error(`${what}\nlast calls:\n${this.log.slice(-12).join('\n')}`);
  }
  expectSame(what: string, got: Any, wanted: Any): void {
    if (!Object.is(got, wanted)) this.fail(`${what}: ${String(got)} where ${String(wanted)} belongs`);
  }
  expectAgrees(what: string, got: Any, wanted: Any): void {
    if (!agrees(got, wanted)) this.fail(`${what}: ${text(got)} where ${text(wanted)} was set`);
  }
  expectNear(what: string, got: readonly number[], wanted: Any): void {
    const list = this.plain(wanted);
    for (let k = 0; k < got.length; k++) {
      if (!agrees(got[k], list[k])) this.fail(`${what}: ${text(got)} where ${text(list)} was set`);
    }
  }
  /** Every number in a value, however deep. */
  expectFinite(what: string, value: Any): void {
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.fail(`${what}: ${value}`);
    } else if (ArrayBuffer.isView(value)) {
      const list = value as unknown as ArrayLike<number>;
      for (let i = 0; i < list.length; i++) if (!Number.isFinite(list[i])) this.fail(`${what}[${i}]: ${list[i]}`);
    } else if (value !== null && typeof value === 'object') {
      for (const key of Object.keys(value)) this.expectFinite(`${what}.${key}`, value[key]);
    }
  }
  sleepers(): number {
    let count = 0;
    for (const id of this.model.state.bodies.keys()) if (this.world.isAsleep(id)) count++;
    return count;
  }

  /** Hits, contacts and lists of ids: finite, of living colliders, in order. */
  checkAnswers(method: string, args: Any[], result: Any): void {
    const { colliders } = this.model.state;
    const out = args[args.length - 1];
    const hits = Array.isArray(out) ? out.slice(0, result) : [result];
    let last = -Infinity;
    for (const hit of hits) {
      if (typeof hit === 'number' && Array.isArray(out)) this.expectSame(`${method} id`, colliders.has(hit as ColliderId), true);
      if (hit === null || typeof hit !== 'object') continue;
      if ('collider' in hit) this.expectSame(`${method} body`, colliders.get(hit.collider)?.body, hit.body);
      this.expectFinite(`${method} point`, hit.point ?? hit.pointA);
      this.expectFinite(`${method} normal`, hit.normal);
      this.expectFinite(`${method} distance`, hit.distance);
      if (hits.length > 1 && hit.distance < last) this.fail(`${method}: ${hit.distance} after ${last}`);
      last = hit.distance;
    }
    if (method === 'castRays' || method === 'castShapes') {
      // Arrays that are left out of `out` are not filled.
      const { distances, colliders: ids, bodies } = out;
      for (let i = 0; i < 4 && distances && ids; i++) {
        const isHit = distances[i] < Number.POSITIVE_INFINITY;
        this.expectSame(method, ids[i] !== 0, isHit);
        if (isHit && bodies) this.expectSame(method, colliders.get(ids[i])?.body, bodies[i]);
      }
    }
  }

  /** After one step (or several): poses, faults, events. */
  stepped(isSeveral = false): void {
    const { world, counts, model } = this;
    counts.steps++;
    counts.contacts += world.profile.contactCount;
    if (!isSeveral) this.work.push(stepWork(world, this.rounds));
    this.checkViews();
    const { events } = world;
    this.expectFinite('values of events', events.values.subarray(0, 9 * events.count));
    const { touching } = model.state;
    if (isSeveral) touching.clear();
    for (let i = 0; i < events.count && !isSeveral; i++) {
      const kind = events.kind(i);
      const [a, b] = [events.colliderA(i), events.colliderB(i)].sort((x, y) => x - y);
      const pair = `${kind.startsWith('sensor') ? 's' : ''}${a} ${b}`;
      const isKnown = this.isTracked && touching.has(pair);
      if (kind.endsWith('begin')) {
        if (isKnown) this.fail(`${kind} of ${pair}, which touches already`);
        touching.add(pair);
      } else if (kind.endsWith('end')) {
        if (this.isTracked && !isKnown) this.fail(`${kind} of ${pair}, which does not touch`);
        touching.delete(pair);
      }
    }
    if (isSeveral) this.isTracked = false;
    for (const id of events.jointBreaks) if (world.hasJoint(id)) this.expectSame('broken', world.getJoint(id).broken, true);
  }
  /** Work of each step, and rounds before the call at hand. */
  readonly work: number[] = [];
  private rounds = 0;

  /** No step costs so much more than others of its world that a frame would hang in it, whatever was asked for. */
  checkWork(): void {
    const sorted = [...this.work].sort((a, b) => a - b);
    const [median, most] = [sorted[sorted.length >> 1]!, sorted.at(-1)!];
    const factor = this.draw.isExtreme ? MOST_EXTREME_WORK : MOST_WORK;
    if (most > factor * Math.max(median, LEAST_MEDIAN))
      this.fail(`step ${this.work.indexOf(most)} did the work of ${most}, the median is ${median}`);
  }
  /** Whether every begin so far was seen: `advance` shows the events of its last step only. */
  private isTracked = true;

  checkViews(): void {
    const { world } = this;
    this.expectFinite('positions', world.positions);
    this.expectFinite('rotations', world.rotations);
    this.expectFinite('velocities', world.velocities);
    const { rotations } = world;
    for (const id of this.model.state.bodies.keys()) {
      const at = 4 * world.indexOf(id);
      const [x, y, z, w] = rotations.subarray(at, at + 4) as unknown as [number, number, number, number];
      const n = x * x + y * y + z * z + w * w;
      if (!(Math.abs(n - 1) < 2e-5)) this.fail(`rotation of ${id} has the square ${n}`);
    }
    this.checkFaults();
  }

  private checkFaults(): void {
    const { faults } = this.world;
    // Joints can be asked for what cannot be met, such as nets that contradict themselves; contacts alone never stop a body.
    if (!this.draw.isExtreme && !this.isJointed && faults.stopped > 0) {
      const joints = [...this.model.state.joints.keys()].map((id) => text(this.world.getJoint(id).settings));
      this.fail(`${text(faults.stops)} in an ordinary world, ${this.world.activeSolver}; joints:\n${joints.join('\n')}`);
    }
    if (faults.notFinite !== faults.stopped > 0) this.fail(`faults: notFinite ${faults.notFinite}, stopped ${faults.stopped}`);
    // Each with the body and a reason.
    this.expectSame('faults.stops', faults.stops.length > 0, faults.stopped > 0);
    this.expectSame('faults.lastStopped', faults.stops.at(-1)?.body ?? null, faults.lastStopped);
    for (const { cause } of faults.stops) this.expectSame('cause', ['velocity', 'force', 'motion'].includes(cause), true);
  }

  /** The model against all that can be asked. */
  checkModel(): void {
    const { world, model } = this;
    const { bodies, colliders, joints, gone, told } = model.state;
    for (const [name, check] of Object.entries(PROPERTIES)) check(this, (world as Any)[name]);
    for (const [id, body] of bodies) {
      this.expectSame(`getType(${id})`, world.getType(id), body.type);
      this.expectSame(`bodyAt(indexOf(${id}))`, world.bodyAt(world.indexOf(id)), id);
      this.expectSame(`collidersOf(${id})`, [...world.collidersOf(id)].sort().join(), [...body.colliders].sort().join());
      const mine = [...joints].filter(([, ends]) => ends.includes(id)).map(([joint]) => joint);
      this.expectSame(`jointsOf(${id})`, [...world.jointsOf(id)].sort().join(), mine.sort().join());
    }
    for (const [id, { body }] of colliders) this.expectSame(`bodyOf(${id})`, world.bodyOf(id), body);
    for (const id of gone.bodies.slice(-20)) this.expectSame(`isAlive(${id})`, world.isAlive(id), false);
    for (const id of gone.joints.slice(-20)) this.expectSame(`hasJoint(${id})`, world.hasJoint(id), false);
    for (const { getter, id, value } of told.values()) this.expectAgrees(`${getter}(${id})`, (world as Any)[getter](id), value);
  }

  // --------------------------------------------------------------------------------------------------- snapshots

  keepSnapshot(bytes: Uint8Array, isLocal: boolean): void {
    this.kept.push({ bytes, state: this.model.copy(), hash: this.world.hash(), isLocal });
    if (this.kept.length > 3) this.kept.shift();
  }
  snapshotBytes(): Any {
    return this.kept.length === 0 ? NOTHING : this.draw.pick(this.kept).bytes;
  }
  restored(bytes: Uint8Array): void {
    const one = this.kept.find((each) => each.bytes === bytes)!;
    if (!one) return;
    this.model.state = structuredClone(one.state);
    this.isTracked = false;
    this.counts.restored++;
    this.expectSame('hash after restore', this.world.hash(), one.hash);
    this.checkModel();
  }
  /** A clone is the same, goes on with the same bits, and leaves the world alone. */
  async checkClone(twin: World): Promise<void> {
    const before = this.world.hash();
    this.expectSame('hash of the clone', twin.hash(), before);
    twin.step();
    this.expectSame('hash after a step of the clone', this.world.hash(), before);
    const listening = this.ends.splice(0);
    for (const end of listening) end();
    for (const listener of this.listeners) for (const kind of LISTENED) this.world.off(kind, listener);
    this.world.step();
    this.stepped();
    this.expectSame('hash of world and clone a step later', this.world.hash(), twin.hash());
    twin.dispose();
  }

  // -------------------------------------------------------------------------------------------------------- calls

  private choose(): Call {
    const { bodies } = this.model.state;
    let at = this.draw.range(0, TOTAL);
    for (const one of CALLS) {
      at -= one.weight;
      if (at < 0) {
        const most = this.draw.isExtreme ? MOST_EXTREME_BODIES : MOST_BODIES;
        const isFull = bodies.size >= most && one.method.startsWith('createBod');
        return isFull ? CALLS.find(({ method }) => method === 'removeBody')! : one;
      }
    }
    return CALLS[0]!;
  }

  /** One wrong value, or a wrong id, in place of an argument or of a field of one; returns whether there was a place. */
  private spoil(args: Any[]): boolean {
    if (args.length === 0) return false;
    const i = this.draw.int(0, args.length - 1);
    const wrong = this.wrong();
    const arg = args[i];
    const isPlain = arg !== null && typeof arg === 'object' && !Array.isArray(arg) && !ArrayBuffer.isView(arg);
    if (isPlain && this.draw.chance(0.7) && Object.keys(arg).length > 0) {
      const key = this.draw.pick(Object.keys(arg));
      args[i] = { ...arg, [key]: wrong };
    } else args[i] = wrong;
    return true;
  }
  private wrong(): Any {
    const { gone } = this.model.state;
    if (this.draw.chance(0.3)) {
      const list: Any[] = [this.foreign, this.body(), this.collider(), this.shape(), this.joint()];
      for (const ids of [gone.bodies, gone.colliders, gone.shapes, gone.joints] as number[][])
        if (ids.length > 0) list.push(this.draw.pick(ids));
      return this.draw.pick(list.filter((id) => id !== NOTHING));
    }
    return this.draw.pick(WRONG)();
  }

  /** One call of the table. */
  async play(): Promise<void> {
    const one = this.choose();
    if (one.method === 'createJoint' && !this.isJointed) return;
    const args = one.args.map((arg: Arg) => arg(this));
    if (args.some((arg) => arg === NOTHING || (arg && typeof arg === 'object' && Object.values(arg).includes(NOTHING)))) return;
    const isSpoiled = this.draw.chance(SPOILED_SHARE) && this.spoil(args);
    await this.make(one, args, isSpoiled);
  }

  private async make(one: Call, args: Any[], isSpoiled: boolean): Promise<void> {
    const { world, counts, model } = this;
    counts.calls++;
    if (isSpoiled) counts.spoiled++;
    this.log.push(`${counts.calls} ${one.method}(${args.map(text).join(', ')})${isSpoiled ? ' spoiled' : ''}`);
    if (this.log.length > 40) this.log.splice(0, 20);
    const before = this.state(isSpoiled);
    this.rounds = sweepRounds(world);
    const must = isSpoiled ? false : one.refuses?.(this, args);
    const merged = one.reads && !isSpoiled ? this.expected(one, args) : undefined;
    let result: Any;
    let error: Any;
    try {
      result = (world as Any)[one.method](...args);
      if (result instanceof Promise) result = await result;
    } catch (caught) {
      error = caught;
    }
    const isOwn = error instanceof Own || (error instanceof AggregateError && error.errors.every((each) => each instanceof Own));
    if (error !== undefined && !isOwn) {
      if (!(error instanceof TalusError)) this.fail(`${one.method} threw ${error?.stack ?? error}`);
      if (error.code === 'disposed' || error.code === 'busy') this.fail(`${one.method} threw ${error.code}`);
      if (isSpoiled) counts.refused++;
      else {
        counts.declined++;
        const isKnown = error.code === must || one.may?.includes(error.code) || this.mayDecline(error.code);
        if (!isKnown) this.fail(`a well-formed ${one.method} was refused: ${error.code}, ${error.message}`);
      }
      this.expectUnchanged(one.method, before, isSpoiled);
      return;
    }
    if (must) this.fail(`${one.method} was not refused with ${must}`);
    if (isOwn && !STEPS.has(one.method)) this.fail(`${one.method} threw what a listener threw`);
    if (isOwn && one.method === 'advance') {
      // It stopped on the way, after a step.
      model.state.touching.clear();
      this.isTracked = false;
      return;
    }
    const accepted = isSpoiled ? 'spoiled' : 'good';
    try {
      const done = one.after?.(this, args, result);
      if (done instanceof Promise) await done;
    } catch (failure) {
      this.fail(`after ${accepted} ${one.method}: ${(failure as Error).stack}`);
    }
    if (one.reads && !isSpoiled) {
      const [getter] = one.reads;
      this.expectAgrees(`${getter} after ${one.method}`, (world as Any)[getter](args[0]), merged);
      model.tell(getter, args[0], merged);
    } else if (one.reads) model.tell(one.reads[0], args[0], structuredClone((world as Any)[one.reads[0]](args[0])));
  }

  /** What a getter must say after its setter: of objects what was not named is as before. */
  private expected(one: Call, args: Any[]): Any {
    const [getter, at] = one.reads!;
    const now = (this.world as Any)[getter](args[0]);
    const set = args[at];
    return set !== null && typeof set === 'object' && !Array.isArray(set) ? structuredClone({ ...now, ...set }) : set;
  }

  /** In extreme worlds geometry may have no volume, or a mass may be none. */
  private mayDecline(code: string): boolean {
    return this.draw.isExtreme && ['invalid-argument', 'degenerate-shape', 'unsupported'].includes(code);
  }

  private state(isSpoiled: boolean): Any {
    const { world } = this;
    const hash = world.hash();
    if (!isSpoiled) return { hash };
    const views = [world.positions, world.rotations, world.velocities].map((view) => view.slice());
    return { hash, views, bytes: this.draw.chance(DEEP_SHARE) ? world.snapshot() : undefined };
  }
  private expectUnchanged(method: string, before: Any, isSpoiled: boolean): void {
    const { world } = this;
    this.expectSame(`hash after a refused ${method}`, world.hash(), before.hash);
    if (!isSpoiled) return;
    for (const [i, view] of [world.positions, world.rotations, world.velocities].entries()) {
      if (Buffer.compare(bytesOf(view), bytesOf(before.views[i])) !== 0) this.fail(`a refused ${method} changed view ${i}`);
    }
    if (before.bytes && Buffer.compare(world.snapshot(), before.bytes) !== 0) this.fail(`a refused ${method} changed a snapshot`);
  }

  /** Every call on the closed world is refused with 'disposed', but for `isAlive` and `dispose`. */
  async end(): Promise<void> {
    const { world } = this;
    this.checkModel();
    const { stopped } = world.faults;
    if (this.draw.isExtreme) this.counts.stopped += stopped;
    else this.counts.stoppedByJoints += stopped;
    const calls = CALLS.map((one) => [one.method, one.args.map((arg: Arg) => arg(this))] as const);
    world.dispose();
    for (const [method, args] of calls) {
      let code = 'none';
      try {
        await (world as Any)[method](...args);
      } catch (error) {
        code = (error as TalusError).code;
      }
      if (method !== 'isAlive') this.expectSame(`${method} of a closed world`, code, 'disposed');
    }
    world.dispose();
  }
}

const STEPS = new Set(['step', 'stepAsync', 'advance', 'clone']);
const LISTENED: readonly EventKind[] = [...EVENT_KINDS, 'joint-break', 'sleep', 'wake'];
const bytesOf = (view: Float32Array) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

/** A value in a message, short. */
function text(value: Any): string {
  if (typeof value === 'symbol' || typeof value === 'function' || typeof value === 'bigint') return String(value).slice(0, 30);
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${(value as Float32Array).length})`;
  try {
    return (JSON.stringify(value, (_key, v) => (typeof v === 'bigint' ? `${v}n` : v)) ?? String(value)).slice(0, 300);
  } catch {
    return String(value);
  }
}

/** A world of a seed: `calls` random calls and the end. A failure names the seed. */
export async function playWorld(seed: number, calls: number, counts: Counts): Promise<void> {
  const draw = new Draw(seed, seed % 3 === 2);
  const other = await createWorld({ warn: false });
  const foreign = other.createBody({ type: 'kinematic' });
  const driver = new Driver(await createWorld({ warn: false }), draw, counts, foreign, seed % 2 === 0);
  const from = counts.calls;
  try {
    await driver.floor();
    for (let i = 0; counts.calls - from < calls; i++) {
      await driver.play();
      if (i % 50 === 49) driver.checkModel();
    }
    await driver.end();
    driver.checkWork();
  } catch (error) {
    throw new Error(`TALUS_FUZZ_SEED=${seed}: ${(error as Error).stack}`);
  }
}
