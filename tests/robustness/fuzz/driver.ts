// Plays random calls on one world and holds a model against it: what a well-formed call may be refused with, what a refused call
// leaves as it was, what reads back, which things live, which pairs touch; and that no number anywhere is not finite. All calls are
// recorded as data (record.ts), so that a world can be played again without some of them.
import type { Character, Vehicle } from '../../../src/controllers/index';
import {
  type BodyId,
  type ColliderId,
  createWorld,
  EVENT_KINDS,
  type EventKind,
  TalusError,
  type World,
} from '../../../src/index';
import { Header } from '../../../src/layout.generated';
import type { Rig } from '../../../src/rigs/index';
import type { LinearMemory } from '../../../src/wasm/memory';
import { stepWork, sweepRounds } from '../../helpers/step_work';
import { type Arg, CALLS, type Call, PROPERTIES } from './calls';
import { type Any, Draw, NOTHING, WRONG } from './draw';
import { invoke, isOfWorld } from './invoke';
import { Model, type ModelState } from './model';
import { type Played, Recorder, refsOf } from './record';
import { type Failure, isRefusedWhenDisposed, type Proof } from './script';
import {
  agrees,
  checkFinite,
  checkSameItems,
  checkViews,
  filterOf,
  followEvents,
  ListenerError,
  listenerOf,
} from './script_parts';
import { shrink } from './shrink';

interface Kept {
  bytes: Uint8Array;
  state: ModelState;
  hash: number;
  isLocal: boolean;
  players: Set<Player>;
  rigs: Set<Rig>;
}

export type Player = Character | Vehicle;
const isCharacter = (one: Player): one is Character => 'walk' in one;

export interface Counts {
  calls: number;
  /** Refused of those that were spoiled on purpose, and of the others. */
  refused: number;
  declined: number;
  spoiled: number;
  steps: number;
  /** Calls of `advance`. */
  frames: number;
  contacts: number;
  joints: number;
  rigs: number;
  /** Steps of each character and vehicle. */
  playerSteps: number;
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
  frames: 0,
  contacts: 0,
  joints: 0,
  rigs: 0,
  playerSteps: 0,
  events: 0,
  stopped: 0,
  stoppedByJoints: 0,
  restored: 0,
});

/** A failure of a world: what was expected, and how a script shows it. */
export class Fault extends Error implements Failure {
  readonly kind: string;
  readonly proof?: Proof;
  readonly mustRefuse?: string;
  readonly changed?: boolean;

  constructor(what: string, detail: string, more: Evidence = {}) {
    super(`${what}${detail}`);
    this.kind = what.split('\n')[0]!.replace(/\d[\d.]*(e[+-]?\d+)?/g, '#');
    Object.assign(this, more);
  }
}
type Evidence = Pick<Failure, 'proof' | 'mustRefuse' | 'changed'>;

/** What a seed decides about its world. */
export interface Kind {
  isExtreme: boolean;
  /** Whether there are joints and rigs. */
  isJointed: boolean;
  /** Whether there are characters and vehicles. */
  isPlayed: boolean;
  /** Whether most steps are those of frames of changing length. */
  isFramed: boolean;
}
export const kindOf = (seed: number): Kind => ({
  isExtreme: seed % 3 === 2,
  isJointed: seed % 2 === 0,
  isPlayed: seed % 3 !== 2 && seed % 5 < 2,
  isFramed: seed % 7 === 3,
});

/** A further check after each call, for tests of the shrinker: fails by `driver.fail`. */
export type Plant = (driver: Driver, call: Played) => void;

/** One call in so many that was spoiled compares all bytes of a snapshot, beside hash and views. */
const DEEP_EVERY = 20;
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
const MOST_PLAYERS = 4;
/** Steps are listed for the check of work up to this number: worlds of a soak have more. */
const MOST_WORK_LISTED = 20_000;

export class Driver {
  readonly world: World;
  readonly draw: Draw;
  readonly model = new Model();
  readonly counts: Counts;
  readonly kind: Kind;
  /** All calls so far. */
  readonly calls: Played[] = [];
  readonly players = new Set<Player>();
  readonly rigs = new Set<Rig>();
  private readonly recorder: Recorder;
  private readonly kept: Kept[] = [];
  private listeners: ((event: Any) => void)[] = [];
  private readonly ends: (() => void)[] = [];
  private isDisposed = false;
  private made = 0;
  private log: string[] = [];
  private result: Any;
  private readonly plant: Plant | undefined;

  constructor(world: World, draw: Draw, counts: Counts, foreign: number, kind: Kind, plant?: Plant) {
    this.kind = kind;
    this.world = world;
    this.draw = draw;
    this.counts = counts;
    this.plant = plant;
    this.recorder = new Recorder({
      foreign,
      listener: (which) =>
        listenerOf(
          world,
          which,
          (id) => this.model.state.bodies.has(id as BodyId),
          (id) => this.model.removeBody(id as BodyId),
        ),
      filter: () => filterOf(world, (collider, body) => this.expectSame('filter', this.ownerOf(collider as ColliderId), body)),
    });
  }

  /** A tray, so that most bodies stay and meet. */
  async floor(): Promise<void> {
    const place = async (method: string, desc: Any) =>
      this.make(
        CALLS.findIndex((one) => one.method === method),
        [desc],
        false,
      );
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
    const list = [...this.model.state.shapes].filter(([, { isOfRig }]) => !isOfRig);
    return list.length === 0 ? NOTHING : this.draw.pick(list)[0];
  }
  convex(): Any {
    const list = [...this.model.state.shapes].filter(([, { isSurface, isOfRig }]) => !isSurface && !isOfRig);
    return list.length === 0 ? NOTHING : this.draw.pick(list)[0];
  }
  /** A value that is no data, by its name (record.ts). */
  source(name: string): Any {
    return this.recorder.source(name);
  }
  character(): Any {
    const list = [...this.players].filter(isCharacter);
    return list.length === 0 ? NOTHING : this.draw.pick(list);
  }
  vehicle(): Any {
    const list = [...this.players].filter((one) => !isCharacter(one));
    return list.length === 0 ? NOTHING : this.draw.pick(list);
  }
  rig(): Any {
    return this.rigs.size === 0 ? NOTHING : this.draw.pick([...this.rigs]);
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

  /** A callback: asks, removes, throws, or tries what is not allowed. */
  listener(): (event: Any) => void {
    const listener = this.source(`listener ${this.listeners.length} ${this.draw.int(0, 5)}`);
    this.listeners.push(listener);
    return listener;
  }
  oldListener(): Any {
    return this.listeners.length > 0 && this.draw.chance(0.8) ? this.draw.pick(this.listeners) : this.source('none');
  }
  listens(_args: Any[], end: Any): void {
    this.ends.push(end);
    // Not too many at a time, or all that is done is to throw.
    if (this.ends.length > 4) this.ends.shift()!();
  }

  // ------------------------------------------------------------------------------------------------ what must hold

  /** Ends the world with a failure. Digits of `what` do not matter for its kind; `detail` does not at all. */
  fail(what: string, detail = '', more: Evidence = {}): never {
    throw new Fault(what, `${detail}\nlast calls:\n${this.log.slice(-12).join('\n')}`, more);
  }
  /** Runs a check of the scripts. */
  private part(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (error instanceof Fault) throw error;
      this.fail((error as Error).message);
    }
  }
  /** How a script shows that a value is wrong: by a read that is under way, or as the result of the call. */
  private proofOf(check: Proof['check'], what: string, got: Any, wanted?: Any): Evidence {
    const read = this.reading?.() ?? (Object.is(got, this.result) && got !== undefined ? 'result' : undefined);
    if (read === undefined) return {};
    return { proof: { check, what, read, ...(wanted === undefined ? {} : { wanted: this.recorder.encode(wanted) }) } };
  }
  /** The getter that is checked. */
  private reading: (() => Proof['read']) | undefined;
  expectSame(what: string, got: Any, wanted: Any): void {
    if (!Object.is(got, wanted))
      this.fail(what, `: ${String(got)} instead of ${String(wanted)}`, this.proofOf('checkAgrees', what, got, wanted));
  }
  expectAgrees(what: string, got: Any, wanted: Any): void {
    if (!agrees(got, wanted))
      this.fail(what, `: ${text(got)} where ${text(wanted)} was set`, this.proofOf('checkAgrees', what, got, wanted));
  }
  expectNear(what: string, got: readonly number[], wanted: Any): void {
    const list = this.plain(wanted);
    for (let k = 0; k < got.length; k++) {
      if (!agrees(got[k], list[k])) this.fail(what, `: ${text(got)} where ${text(list)} was set`);
    }
  }
  /** Every number in a value, however deep. */
  expectFinite(what: string, value: Any): void {
    try {
      checkFinite(what, value);
    } catch (error) {
      this.fail((error as Error).message, '', this.proofOf('checkFinite', what, value));
    }
  }
  /** A getter of the world. */
  private expectRead(check: 'checkAgrees' | 'checkSameItems', method: string, args: Any[], wanted: Any): void {
    const got = (this.world as Any)[method](...args);
    this.reading = () => ({ method, args: args.map((arg) => this.recorder.encode(arg)) });
    if (check === 'checkAgrees') this.expectAgrees(method, got, wanted);
    else {
      try {
        checkSameItems(method, got, wanted);
      } catch (error) {
        this.fail(`${method} has other items`, `: ${(error as Error).message}`, this.proofOf(check, method, got, wanted));
      }
    }
    this.reading = undefined;
  }
  /** The body of a collider: one of the model, or of a character. */
  ownerOf(collider: ColliderId): BodyId | undefined {
    const known = this.model.state.colliders.get(collider)?.body;
    if (known !== undefined) return known;
    for (const body of this.playerBodies()) if (this.world.collidersOf(body).includes(collider)) return body;
    return undefined;
  }
  /** Bodies of characters, and those that a restored snapshot had of characters which are gone. */
  playerBodies(): BodyId[] {
    const list = [...this.model.state.orphans];
    for (const one of this.players)
      if (isCharacter(one) && one.body !== null && this.world.isAlive(one.body)) list.push(one.body);
    return [...new Set(list)];
  }
  sleepers(): number {
    let count = 0;
    for (const id of [...this.model.state.bodies.keys(), ...this.playerBodies()]) if (this.world.isAsleep(id)) count++;
    return count;
  }

  /** Hits, contacts and lists of ids: finite, of living colliders, in order. */
  checkAnswers(method: string, args: Any[], result: Any): void {
    const out = args[args.length - 1];
    const hits = Array.isArray(out) ? out.slice(0, result) : [result];
    let last = -Infinity;
    for (const hit of hits) {
      if (typeof hit === 'number' && Array.isArray(out))
        this.expectSame(`${method} id`, this.ownerOf(hit as ColliderId) !== undefined, true);
      if (hit === null || typeof hit !== 'object') continue;
      if ('collider' in hit) this.expectSame(`${method} body`, this.ownerOf(hit.collider), hit.body);
      this.expectFinite(`${method} point`, hit.point ?? hit.pointA);
      this.expectFinite(`${method} normal`, hit.normal);
      this.expectFinite(`${method} distance`, hit.distance);
      if (hits.length > 1 && hit.distance < last) this.fail(`${method} is out of order`, `: ${hit.distance} after ${last}`);
      last = hit.distance;
    }
    if (method === 'castRays' || method === 'castShapes') {
      // Arrays that are left out of `out` are not filled.
      const { distances, colliders: ids, bodies } = out;
      for (let i = 0; i < 4 && distances && ids; i++) {
        const isHit = distances[i] < Number.POSITIVE_INFINITY;
        this.expectSame(method, ids[i] !== 0, isHit);
        if (isHit && bodies) this.expectSame(method, this.ownerOf(ids[i]), bodies[i]);
      }
    }
  }

  /** After one step (or several): poses, faults, events. */
  stepped(isSeveral = false): void {
    const { world, counts, model } = this;
    counts.steps++;
    counts.contacts += world.profile.contactCount;
    counts.playerSteps += this.players.size;
    if (!isSeveral && this.work.length < MOST_WORK_LISTED) this.work.push(stepWork(world, this.rounds));
    this.checkViews();
    const { touching } = model.state;
    if (isSeveral) {
      touching.clear();
      this.isTracked = false;
    } else this.part(() => followEvents(world, touching, this.isTracked));
    counts.events += world.events.count;
  }
  /** Work of each step, and rounds before the call at hand. */
  readonly work: number[] = [];
  private rounds = 0;

  /** No step costs so much more than others of its world that a frame would hang in it, whatever was asked for. */
  checkWork(): void {
    const sorted = [...this.work].sort((a, b) => a - b);
    const [median, most] = [sorted[sorted.length >> 1]!, sorted.at(-1)!];
    const factor = this.kind.isExtreme ? MOST_EXTREME_WORK : MOST_WORK;
    if (most > factor * Math.max(median, LEAST_MEDIAN))
      this.fail('work of a step', `: step ${this.work.indexOf(most)} did the work of ${most}, the median is ${median}`);
  }
  /** Whether every begin so far was seen: `advance` shows the events of its last step only. */
  private isTracked = true;

  checkViews(): void {
    const { world } = this;
    const slots = new Set([...this.model.state.bodies.keys()].map((id) => world.indexOf(id)));
    this.part(() => checkViews(world, (slot) => slots.has(slot)));
    const { faults } = world;
    // Joints can be asked for what cannot be met, such as nets that contradict themselves; contacts alone never stop a body.
    if (!this.kind.isExtreme && !this.kind.isJointed && faults.stopped > 0)
      this.fail('a body was stopped in an ordinary world', `: ${text(faults.stops)}, ${world.activeSolver}`);
  }

  /** The model against all that can be asked. */
  checkModel(): void {
    const { world, model } = this;
    const { bodies, colliders, joints, gone, told } = model.state;
    for (const [name, check] of Object.entries(PROPERTIES)) {
      const got = (world as Any)[name];
      this.reading = () => ({ property: name });
      check(this, got);
      this.reading = undefined;
    }
    const held = new Map<BodyId, number[]>();
    for (const [joint, ends] of joints)
      for (const id of new Set(ends)) if (id !== null) held.set(id, [...(held.get(id) ?? []), joint]);
    for (const [id, body] of bodies) {
      this.expectRead('checkAgrees', 'getType', [id], body.type);
      this.expectSame(`bodyAt(indexOf(${id}))`, world.bodyAt(world.indexOf(id)), id);
      this.expectRead('checkSameItems', 'collidersOf', [id], body.colliders);
      this.expectRead('checkSameItems', 'jointsOf', [id], held.get(id) ?? []);
    }
    for (const [id, { body }] of colliders) this.expectRead('checkAgrees', 'bodyOf', [id], body);
    for (const id of gone.bodies.slice(-20)) this.expectRead('checkAgrees', 'isAlive', [id], false);
    for (const id of gone.joints.slice(-20)) this.expectRead('checkAgrees', 'hasJoint', [id], false);
    for (const { getter, id, value } of told.values()) this.expectRead('checkAgrees', getter, [id], value);
    for (const one of this.players) if (isCharacter(one)) this.expectFinite('state of a character', one.save());
  }

  // --------------------------------------------------------------------------------------------------- snapshots

  keepSnapshot(bytes: Uint8Array, isLocal: boolean): void {
    const state = this.model.copy();
    state.orphans = new Set(this.playerBodies());
    const own = { players: new Set(this.players), rigs: new Set(this.rigs) };
    this.kept.push({ bytes, state, hash: this.world.hash(), isLocal, ...own });
    if (this.kept.length > 3) this.kept.shift();
  }
  snapshotBytes(): Any {
    return this.kept.length === 0 ? NOTHING : this.draw.pick(this.kept).bytes;
  }
  /** Bytes of a snapshot with a byte changed or the end missing. */
  damagedBytes(): Any {
    const bytes = this.snapshotBytes();
    if (bytes === NOTHING) return NOTHING;
    const cut = this.draw.chance(0.3) ? this.draw.int(1, bytes.length - 1) : 0;
    const xor = cut > 0 ? 0 : this.draw.int(1, 255);
    return this.recorder.damaged(bytes, this.draw.int(0, bytes.length - cut - 1), xor, cut);
  }
  restored(bytes: Uint8Array): void {
    const one = this.kept.find((each) => each.bytes === bytes)!;
    if (!one) return;
    // Programs drop what they made since.
    for (const player of [...this.players]) {
      if (one.players.has(player)) continue;
      player.dispose();
      this.players.delete(player);
    }
    for (const rig of [...this.rigs]) if (!one.rigs.has(rig)) this.rigs.delete(rig);
    this.model.state = structuredClone(one.state);
    for (const player of this.players)
      if (isCharacter(player) && player.body !== null) this.model.state.orphans.delete(player.body);
    this.isTracked = false;
    this.counts.restored++;
    this.expectSame('hash after restore', this.world.hash(), one.hash);
    this.checkModel();
    // What is left of the world before the restore must not tell in a step after it: the second restore comes from another past.
    this.endListeners();
    const next = () => {
      this.rounds = sweepRounds(this.world);
      this.world.step();
      this.stepped();
      return this.world.hash();
    };
    const first = next();
    this.world.restore(bytes);
    this.model.state.touching = structuredClone(one.state.touching);
    this.isTracked = false;
    this.expectSame('hash a step after a second restore', next(), first);
  }
  /** A clone is the same, goes on with the same bits, and leaves the world alone. */
  async checkClone(twin: World): Promise<void> {
    const before = this.world.hash();
    this.expectSame('hash of the clone', twin.hash(), before);
    // A vehicle without a dynamic body does nothing, and cannot be cloned.
    for (const one of this.players)
      if (isCharacter(one) || this.model.state.bodies.get(one.body)?.type === 'dynamic') one.clone(twin);
    twin.step();
    this.expectSame('hash after a step of the clone', this.world.hash(), before);
    this.endListeners();
    this.world.step();
    this.stepped();
    this.expectSame('hash of world and clone a step later', this.world.hash(), twin.hash());
    twin.dispose();
  }
  private endListeners(): void {
    for (const end of this.ends.splice(0)) end();
    for (const listener of this.listeners) for (const kind of LISTENED) this.world.off(kind, listener);
  }

  // ----------------------------------------------------------------------------------------- characters and rigs

  addPlayer(one: Player): void {
    this.players.add(one);
  }
  removePlayer(one: Player): void {
    this.players.delete(one);
  }
  addRig(rig: Rig): void {
    const { world, model } = this;
    this.rigs.add(rig);
    this.counts.rigs++;
    for (const id of rig.bodies) {
      const colliders = [...world.collidersOf(id)];
      const shapes = colliders.map((collider) => world.getCollider(collider).shape);
      for (const shape of shapes) model.addShape(shape, false, true);
      model.addBody(id, world.getType(id), colliders, shapes);
    }
    for (const id of rig.joints) {
      const { bodyA, bodyB } = world.getJoint(id);
      model.state.joints.set(id, [bodyA, bodyB]);
    }
  }
  removeRig(rig: Rig): void {
    const { world, model } = this;
    this.rigs.delete(rig);
    for (const id of [...model.state.joints.keys()]) if (!world.hasJoint(id)) model.removeJoint(id);
    for (const id of [...model.state.bodies.keys()]) if (!world.isAlive(id)) model.removeBody(id);
    for (const [id, { isOfRig }] of [...model.state.shapes]) if (isOfRig && model.usersOf(id) === 0) model.removeShape(id);
  }

  /** Removes everything. A step later there are no contacts, pairs, events or joints left. */
  private clear(): void {
    const { world, model } = this;
    this.endListeners();
    for (const one of this.players) one.dispose();
    this.players.clear();
    for (const rig of this.rigs) rig.dispose();
    this.rigs.clear();
    const orphaned = [...model.state.orphans].flatMap((id) =>
      world.collidersOf(id).map((collider) => world.getCollider(collider).shape),
    );
    for (const id of [...model.state.bodies.keys(), ...model.state.orphans]) if (world.isAlive(id)) world.removeBody(id);
    for (const id of orphaned) if (!model.state.shapes.has(id)) world.removeShape(id);
    for (const [id, { isOfRig }] of model.state.shapes) if (!isOfRig || isKnown(world, id)) world.removeShape(id);
    this.kept.length = 0;
    this.listeners = [];
    model.state = new Model().state;
    this.isTracked = true;
    this.work.length = 0;
    world.step();
    for (const name of ['bodyCount', 'jointCount', 'sleepingCount'] as const)
      this.expectSame(`${name} of an empty world`, world[name], 0);
    for (const name of ['manifoldAlive', 'pairCount', 'contactCount'] as const)
      this.expectSame(`${name} of an empty world`, this.header(name), 0);
    world.step();
    this.expectSame('events of an empty world', world.events.count, 0);
  }
  /** A word of the header of the core. */
  header(name: keyof typeof Header): number {
    return (this.world as unknown as { memory: LinearMemory }).memory.headerU32(Header[name]);
  }
  /** Pages of memory, of all worlds that share it. */
  get pages(): number {
    return (this.world as unknown as { memory: LinearMemory }).memory.memory.buffer.byteLength / 65536;
  }

  // -------------------------------------------------------------------------------------------------------- calls

  /** The row of the next call. */
  private choose(): number {
    const { bodies } = this.model.state;
    let at = this.draw.range(0, TOTAL);
    let row = 0;
    while (row < CALLS.length - 1) {
      at -= CALLS[row]!.weight;
      if (at < 0) break;
      row++;
    }
    const { method } = CALLS[row]!;
    const most = this.kind.isExtreme ? MOST_EXTREME_BODIES : MOST_BODIES;
    if (bodies.size >= most && MAKES_BODIES.test(method)) return ROWS.get('removeBody')!;
    if (method === 'step' && this.kind.isFramed && this.draw.chance(0.7)) return ROWS.get('advance')!;
    return row;
  }
  /** Whether the world has calls of this name. */
  private mayPlay(method: string): boolean {
    if (NEEDS_JOINTS.test(method)) return this.kind.isJointed;
    if (!method.startsWith('new ')) return true;
    return this.kind.isPlayed && this.players.size < MOST_PLAYERS;
  }

  /** One wrong value, or a wrong id, in place of an argument or of a field of one; returns whether there was a place. */
  private spoil({ method, isPlain }: Call, args: Any[]): boolean {
    const first = method.includes('.') ? 1 : 0;
    if (isPlain || args.length <= first) return false;
    const i = this.draw.int(first, args.length - 1);
    const wrong = this.wrong();
    const arg = args[i];
    const hasFields = arg !== null && typeof arg === 'object' && !Array.isArray(arg) && !ArrayBuffer.isView(arg);
    if (hasFields && this.draw.chance(0.7) && Object.keys(arg).length > 0) {
      const key = this.draw.pick(Object.keys(arg));
      args[i] = { ...arg, [key]: wrong };
    } else args[i] = wrong;
    return true;
  }
  private wrong(): Any {
    const { gone } = this.model.state;
    if (this.draw.chance(0.3)) {
      const list: Any[] = [this.source('foreign'), this.body(), this.collider(), this.shape(), this.joint()];
      for (const ids of [gone.bodies, gone.colliders, gone.shapes, gone.joints] as number[][])
        if (ids.length > 0) list.push(this.draw.pick(ids));
      return this.draw.pick(list.filter((id) => id !== NOTHING));
    }
    return this.source(`wrong - ${this.draw.int(0, WRONG.length - 1)}`);
  }

  /** One call of the table. */
  async play(): Promise<void> {
    const row = this.choose();
    const one = CALLS[row]!;
    if (!this.mayPlay(one.method)) return;
    const args = one.args.map((arg: Arg) => arg(this));
    if (args.some((arg) => arg === NOTHING || (arg && typeof arg === 'object' && Object.values(arg).includes(NOTHING)))) return;
    const isSpoiled = this.draw.chance(SPOILED_SHARE) && this.spoil(one, args);
    await this.make(row, args, isSpoiled);
  }

  /** An act of the driver, recorded like a call: `#check`, `#clear`, `#work` or `#dispose`. */
  async act(method: string): Promise<void> {
    this.calls.push({ number: this.made++, row: -1, method, args: [], isSpoiled: false, isRefused: false, gives: {} });
    if (method === '#check') this.checkModel();
    else if (method === '#clear') this.clear();
    else if (method === '#work') this.checkWork();
    else {
      this.world.dispose();
      this.isDisposed = true;
    }
  }

  /** A recorded call; left out if what it needs is missing. */
  async replay(call: Played): Promise<void> {
    if (call.row < 0) {
      if (call.method !== '#dispose' || !this.isDisposed) await this.act(call.method);
      return;
    }
    const decoded = call.args.map((arg) => this.recorder.decode(arg));
    if (decoded.some((one) => one === undefined)) return;
    const { bodies, colliders, joints, shapes } = this.model.state;
    const isAlive = (ref: string) => {
      const id = this.recorder.decode({ ref })!.value;
      if (typeof id !== 'number') return !('dispose' in id) || this.players.has(id) || this.rigs.has(id);
      return [bodies, colliders, joints, shapes].some((map) => (map as Map<number, Any>).has(id));
    };
    if (!call.isSpoiled && !this.isDisposed && !call.args.flatMap(refsOf).every(isAlive)) return;
    const args = decoded.map((one) => one!.value);
    await this.make(call.row, args, call.isSpoiled, call.number);
  }

  private async make(row: number, args: Any[], isSpoiled: boolean, number = this.made): Promise<void> {
    const { world, counts, model } = this;
    const one = CALLS[row]!;
    const call: Played = {
      number,
      row,
      method: one.method,
      args: args.map((arg) => this.recorder.encode(arg)),
      isSpoiled,
      isRefused: false,
      gives: {},
    };
    this.calls.push(call);
    this.made = number + 1;
    this.result = undefined;
    if (this.isDisposed) {
      await this.makeDisposed(one.method, args);
      return;
    }
    counts.calls++;
    if (isSpoiled) counts.spoiled++;
    this.log.push(`${number} ${one.method}(${args.map(text).join(', ')})${isSpoiled ? ' spoiled' : ''}`);
    if (this.log.length > 40) this.log.splice(0, 20);
    // A rig or character that is refused half way leaves slots that were used: the hash is the same, not all bytes.
    const isDeep = isSpoiled && isOfWorld(one.method);
    const before = this.state(isDeep);
    this.rounds = sweepRounds(world);
    const must = isSpoiled ? false : one.refuses?.(this, args);
    const merged = one.reads && !isSpoiled ? this.expected(one, args) : undefined;
    let result: Any;
    let error: Any;
    try {
      result = invoke(world, one.method, args);
      if (result instanceof Promise) result = await result;
    } catch (caught) {
      error = caught;
    }
    const isOwn =
      error instanceof ListenerError ||
      (error instanceof AggregateError && error.errors.every((each) => each instanceof ListenerError));
    if (error !== undefined && !isOwn) {
      if (!(error instanceof TalusError)) this.fail(`${one.method} threw ${error}`, `\n${error?.stack}`);
      if (error.code === 'disposed' || error.code === 'busy') this.fail(`${one.method} threw ${error.code}`);
      call.isRefused = true;
      if (isSpoiled) counts.refused++;
      else {
        counts.declined++;
        const isKnown = error.code === must || one.may?.includes(error.code) || this.mayDecline(error.code);
        if (!isKnown) {
          call.isRefused = false;
          this.fail(`a well-formed ${one.method} was refused: ${error.code}, ${error.message}`);
        }
      }
      this.expectUnchanged(one.method, before, isDeep);
      this.plant?.(this, call);
      return;
    }
    if (must) this.fail(`${one.method} was not refused with ${must}`, '', { mustRefuse: must });
    if (isOwn && !STEPS.has(one.method)) this.fail(`${one.method} threw what a listener threw`);
    this.nameResults(call, result);
    if (isOwn && one.method === 'advance') {
      // It stopped on the way, after a step.
      model.state.touching.clear();
      this.isTracked = false;
      return;
    }
    this.result = result;
    try {
      const done = one.after?.(this, args, result);
      if (done instanceof Promise) await done;
    } catch (failure) {
      if (failure instanceof Fault) throw failure;
      this.fail(`after ${isSpoiled ? 'spoiled' : 'good'} ${one.method}: ${failure}`, `\n${(failure as Error).stack}`);
    }
    this.result = undefined;
    if (one.reads && !isSpoiled) {
      const [getter] = one.reads;
      this.expectRead('checkAgrees', getter, [args[0]], merged);
      model.tell(getter, args[0], merged);
    } else if (one.reads) model.tell(one.reads[0], args[0], structuredClone((world as Any)[one.reads[0]](args[0])));
    this.plant?.(this, call);
  }

  /** A call on the disposed world. */
  private async makeDisposed(method: string, args: Any[]): Promise<void> {
    if (!isRefusedWhenDisposed(method)) return;
    let code = 'none';
    try {
      await (this.world as Any)[method](...args);
    } catch (error) {
      code = (error as TalusError).code;
    }
    if (code !== 'disposed') this.fail(`${method} of a disposed world: ${code}`, '', { mustRefuse: 'disposed' });
  }

  /** Names of the ids and objects that a call returned. */
  private nameResults(call: Played, result: Any): void {
    const { method, number: n } = call;
    const give = (value: Any, ref: string, source: string) => {
      this.recorder.name(value, ref);
      call.gives[ref] = source;
    };
    const giveBody = (id: BodyId, ref: string, source: string) => {
      give(id, ref, source);
      for (const [k, collider] of [...this.world.collidersOf(id)].entries())
        give(collider, `${ref}c${k}`, `world.collidersOf(${source})[${k}]`);
    };
    if (method === 'createBody') giveBody(result, `${n}`, '$');
    else if (method === 'createBodies') for (const [i, id] of result.entries()) giveBody(id, `${n}[${i}]`, `$[${i}]`);
    else if (/^create(Chain|Rope|Net|Ragdoll)$/.test(method)) {
      give(result, `${n}`, '$');
      for (const [i, id] of result.bodies.entries()) giveBody(id, `${n}.bodies[${i}]`, `$.bodies[${i}]`);
      for (const [i, id] of result.joints.entries()) give(id, `${n}.joints[${i}]`, `$.joints[${i}]`);
    } else if (/^(createShape|createJoint|addCollider|new .*)$/.test(method)) give(result, `${n}`, '$');
    else if (method === 'snapshot') give(result, `${n}`, '$');
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
    return this.kind.isExtreme && ['invalid-argument', 'degenerate-shape', 'unsupported'].includes(code);
  }

  private state(isDeep: boolean): Any {
    const { world } = this;
    const hash = world.hash();
    if (!isDeep) return { hash };
    const views = [world.positions, world.rotations, world.velocities].map((view) => view.slice());
    return { hash, views, bytes: this.counts.spoiled % DEEP_EVERY === 0 ? world.snapshot() : undefined };
  }
  private expectUnchanged(method: string, before: Any, isDeep: boolean): void {
    const { world } = this;
    if (world.hash() !== before.hash) this.fail(`a refused ${method} changed the hash`, '', { changed: true });
    if (!isDeep) return;
    for (const [i, view] of [world.positions, world.rotations, world.velocities].entries()) {
      if (Buffer.compare(bytesOf(view), bytesOf(before.views[i])) !== 0) this.fail(`a refused ${method} changed view ${i}`);
    }
    if (before.bytes && Buffer.compare(world.snapshot(), before.bytes) !== 0) this.fail(`a refused ${method} changed a snapshot`);
  }

  /** What the world came to, with an error that ended it. */
  failed(error: unknown): Outcome {
    const fault = error instanceof Fault ? error : new Fault(String(error), `\n${(error as Error)?.stack ?? ''}`);
    return { fault, calls: this.calls };
  }

  /** Every call on the disposed world is refused with 'disposed', but for `isAlive` and `dispose`. */
  async end(): Promise<void> {
    const { world } = this;
    await this.act('#check');
    const { stopped } = world.faults;
    if (this.kind.isExtreme) this.counts.stopped += stopped;
    else this.counts.stoppedByJoints += stopped;
    await this.act('#work');
    const calls = CALLS.map((one) => one.args.map((arg: Arg) => arg(this)));
    await this.act('#dispose');
    for (const [row, args] of calls.entries()) await this.make(row, args, false);
    world.dispose();
  }
}

/** Whether a world has a shape. */
function isKnown(world: World, shape: Any): boolean {
  try {
    world.getShape(shape);
    return true;
  } catch {
    return false;
  }
}

const ROWS = new Map(CALLS.map(({ method }, row) => [method, row]));
const MAKES_BODIES = /^create(Body|Bodies|Chain|Rope|Net|Ragdoll)$/;
const NEEDS_JOINTS = /^create(Joint|Chain|Rope|Net|Ragdoll)$/;
/** Calls that run listeners. */
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

/** A driver on a fresh world of a seed. */
export async function driverOf(seed: number, counts: Counts, plant?: Plant): Promise<Driver> {
  const kind = kindOf(seed);
  const other = await createWorld({ warn: false });
  const foreign = other.createBody({ type: 'kinematic' });
  return new Driver(await createWorld({ warn: false }), new Draw(seed, kind.isExtreme), counts, foreign, kind, plant);
}

/** What a world of a seed came to. */
export interface Outcome {
  fault: Fault | null;
  calls: readonly Played[];
}

/** Plays a world of a seed: `calls` random calls, and the end. */
export async function playWorld(seed: number, calls: number, counts: Counts, plant?: Plant): Promise<Outcome> {
  const driver = await driverOf(seed, counts, plant);
  const from = counts.calls;
  try {
    await driver.floor();
    for (let i = 0; counts.calls - from < calls; i++) {
      await driver.play();
      if (i % 50 === 49) await driver.act('#check');
    }
    await driver.end();
    return { fault: null, calls: driver.calls };
  } catch (error) {
    driver.world.dispose();
    return driver.failed(error);
  }
}

/** Plays recorded calls on a fresh world; without those that need what is missing. Returns the calls that were made. */
export async function replayCalls(seed: number, calls: readonly Played[], plant?: Plant): Promise<Outcome> {
  const driver = await driverOf(seed, noCounts(), plant);
  try {
    for (const call of calls) await driver.replay(call);
    return { fault: null, calls: driver.calls };
  } catch (error) {
    return driver.failed(error);
  } finally {
    driver.world.dispose();
  }
}

/** The smallest list of calls found that fails in the same way, with its failure. */
export async function shrinkWorld(seed: number, outcome: Outcome, most?: number, plant?: Plant): Promise<Outcome> {
  const { kind } = outcome.fault!;
  const fails = async (some: readonly Played[]) => (await replayCalls(seed, some, plant)).fault?.kind === kind;
  if (!(await fails(outcome.calls))) return outcome;
  return await replayCalls(seed, await shrink(outcome.calls, fails, most), plant);
}
