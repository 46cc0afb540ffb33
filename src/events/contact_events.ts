// Events of a step as arrays: no callback runs inside a step, and reading them allocates nothing.
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import { writeComponents } from '../checks/vectors';
import { BodyCenter, EventRow, HEADER_PTR, Header, Manifold, NONE } from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { BodyId, ColliderId, JointId, Vec3Sink } from '../types';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';
import { BodyList, EventRows, VALUES } from './rows';

/**
 * Kind of a contact event.
 * - `begin`, `end`: two colliders began or stopped touching
 * - `sensor-begin`, `sensor-end`: a collider began or stopped overlapping a sensor
 * - `persist`: two colliders kept touching; sent if one of them asks for it (`persistEvents`)
 * - `hit`: an impact above a threshold (`hitSpeed`, `hitImpulse`), also of colliders that touched before
 */
export type ContactEventKind = 'begin' | 'end' | 'sensor-begin' | 'sensor-end' | 'persist' | 'hit';

/** Kinds of contact events; the index is the number in `events.kinds`. */
export const EVENT_KINDS: readonly ContactEventKind[] = ['begin', 'end', 'sensor-begin', 'sensor-end', 'persist', 'hit'];
/** Number of a kind by EventRow.kind; JOINT_BREAK, SLEEP and WAKE are not contact events. */
const NUMBERS = [-1, 0, 1, 2, 3, -1, 4, 5];
const JOINT_BREAK = 5;
const SLEEP = 8;
const WAKE = 9;
const STOPPED = 10;
// Word offsets in a Manifold row.
const BODY_A_WORD = Manifold.bodyA / 4;
const NORMAL_WORD = Manifold.nx / 4;
const SEPARATION_WORD = Manifold.separation0 / 4;
const ANCHOR_WORD = Manifold.rax0 / 4;
const POINT_WORDS = (Manifold.separation1 - Manifold.separation0) / 4;
// Word offsets in an EventRow.
const ROW_WORDS = EventRow.STRIDE / 4;
const BODY_CENTERS = (HEADER_PTR + Header.bodyCenters) >>> 2;
const MANIFOLD_WORD = EventRow.manifold / 4;
const IMPULSE_WORD = EventRow.impulse / 4;
const SPEED_WORD = EventRow.approachSpeed / 4;
const POINT_WORD = EventRow.point / 4;
const TIME_WORD = EventRow.time / 4;

/**
 * Why a body was stopped:
 * - `velocity`: its velocity was not finite at the start of the step
 * - `force`: the sum of its forces and torques was beyond single precision
 * - `motion`: its contacts and joints had no finite solution (sizes or masses too far apart)
 */
export type StopCause = 'velocity' | 'force' | 'motion';
const STOP_CAUSES: readonly StopCause[] = ['velocity', 'force', 'motion'];

/** A body that was stopped because its motion was not finite. */
export interface StoppedBody {
  body: BodyId;
  cause: StopCause;
}

/** One event as an object. `end` has no numbers, `sensor-begin` and `sensor-end` have only a time; other numbers are then 0. */
export interface ContactEvent {
  kind: ContactEventKind;
  bodyA: BodyId;
  bodyB: BodyId;
  colliderA: ColliderId;
  colliderB: ColliderId;
  /** Point on the surface of A at the deepest contact; of a hit at the fastest contact (world, m). */
  point: [number, number, number];
  /** Unit normal from A to B (world). */
  normal: [number, number, number];
  /**
   * Impulse of the impact along the normals, restitution included, summed over all contact points of the two colliders (N s). It
   * includes the weight carried in the rest of that step. For persist: the impulse of the step.
   */
  impulse: number;
  /** Mean normal force of the step: the impulse divided by the length of the step (N). */
  force: number;
  /**
   * Speed along the normal at that contact at the start of the step of the impact (m/s); positive if the bodies approached. 0 for
   * persist.
   */
  approachSpeed: number;
  /** Separation at that contact (m); negative where they overlap. */
  separation: number;
  /**
   * Time from the start of the step (s) at which a collider that passes through a sensor within the step enters or leaves it. 0
   * for all other events.
   */
  time: number;
}

/**
 * Contact events of the last step. Each pair of colliders sends one begin when it starts to touch and one end when it stops. If
 * you remove a touching collider or body, the ends come with the next step. A begin comes in the step in which the bodies meet,
 * and has the numbers of that impact. Sensors report colliders that overlap them at the start of the step, and colliders that
 * pass through them within it.
 * The order is fixed: ends of removed bodies; ends and sensors; begins, each followed by its hit; persists, and hits of pairs
 * that touched before; last the sensors that were passed, by time. Events are valid until the next step. If you remove bodies
 * meanwhile, their ids are stale (`world.isAlive`).
 */
export class ContactEvents implements Iterable<ContactEvent> {
  private readonly memory: LinearMemory;
  private readonly core: CoreExports;
  private readonly registry: Registry;
  private rows = new EventRows();
  /** Events of the next step that are already known: calls between steps create ends. */
  private pending = new EventRows();
  private breaks: readonly JointId[] = [];
  private pendingBreaks: JointId[] = [];
  private asleep = new BodyList();
  private pendingSleeps = new BodyList();
  private awake = new BodyList();
  private pendingWakes = new BodyList();
  /** @internal Bodies that the last step stopped; the world collects them. */
  stops: StoppedBody[] = [];
  /** Length of the last step, s. */
  private dt = 1 / 60;

  /** @internal */
  constructor(memory: LinearMemory, core: CoreExports, registry: Registry) {
    this.memory = memory;
    this.core = core;
    this.registry = registry;
  }

  /** @internal Returns the events kept for the next step, as numbers. */
  save(): number[] {
    const { pending, pendingSleeps, pendingWakes, pendingBreaks } = this;
    const list = [pending.count, pendingSleeps.count, pendingWakes.count];
    for (let i = 0; i < pending.count; i++) {
      list.push(pending.kinds[i]!, ...pending.ids.subarray(4 * i, 4 * i + 4));
      list.push(...pending.values.subarray(VALUES * i, VALUES * (i + 1)));
    }
    list.push(...pendingSleeps, ...pendingWakes, ...pendingBreaks);
    return list;
  }

  /** @internal Restores saved events; there was no step since. */
  load(list: readonly number[]): void {
    const [rows, sleeps, wakes] = list as [number, number, number];
    for (const part of [this.rows, this.pending, this.asleep, this.pendingSleeps, this.awake, this.pendingWakes]) part.count = 0;
    let at = 3;
    for (let i = 0; i < rows; i++) {
      const [kind, bodyA, bodyB, colliderA, colliderB] = list.slice(at, at + 5) as [number, number, number, number, number];
      const to = this.pending.add(kind, bodyA, bodyB, colliderA, colliderB);
      this.pending.values.set(list.slice(at + 5, at + 5 + VALUES), VALUES * to);
      at += 5 + VALUES;
    }
    for (const end = at + sleeps; at < end; at++) this.pendingSleeps.add(list[at] as BodyId);
    for (const end = at + wakes; at < end; at++) this.pendingWakes.add(list[at] as BodyId);
    this.pendingBreaks = list.slice(at) as JointId[];
    this.breaks = [];
  }

  /** Joints that broke in the last step, in the order of their slots. They still exist, disabled. */
  get jointBreaks(): readonly JointId[] {
    return this.breaks;
  }

  /** Bodies that fell asleep in the last step. Only with the setting `sleepEvents`, or while there is a listener. */
  get sleeps(): BodyList {
    return this.asleep;
  }

  /** Bodies that woke in the last step or before it, and are still awake and alive; as `sleeps`. */
  get wakes(): BodyList {
    return this.awake;
  }

  /** Number of contact events; the other calls take an index below it. */
  get count(): number {
    return this.rows.count;
  }

  /**
   * Kind of each event, as an index of `EVENT_KINDS`. Read only; the next step replaces this array, and also `ids` and `values`.
   */
  get kinds(): Uint8Array {
    return this.rows.kinds;
  }

  /** Four ids per event: bodyA, bodyB, colliderA, colliderB. */
  get ids(): Float64Array {
    return this.rows.ids;
  }

  /** Ten numbers per event: point x y z, normal x y z, impulse, separation, approach speed, time. */
  get values(): Float32Array {
    return this.rows.values;
  }

  kind(i: number): ContactEventKind {
    return EVENT_KINDS[this.rows.kinds[this.check(i)]!]!;
  }

  bodyA(i: number): BodyId {
    return this.rows.ids[4 * this.check(i)]! as BodyId;
  }

  bodyB(i: number): BodyId {
    return this.rows.ids[4 * this.check(i) + 1]! as BodyId;
  }

  colliderA(i: number): ColliderId {
    return this.rows.ids[4 * this.check(i) + 2]! as ColliderId;
  }

  colliderB(i: number): ColliderId {
    return this.rows.ids[4 * this.check(i) + 3]! as ColliderId;
  }

  /** Writes the point of an event (world, m) to `out` and returns it. */
  point<T extends Vec3Sink>(i: number, out: T): T {
    return writeComponents(this.rows.values, VALUES * this.check(i), 3, out);
  }

  /** Writes the normal of an event (world, unit, from A to B) to `out` and returns it. */
  normal<T extends Vec3Sink>(i: number, out: T): T {
    return writeComponents(this.rows.values, VALUES * this.check(i) + 3, 3, out);
  }

  /**
   * Returns the impulse of the impact along the normals, restitution included, over all contact points (N s); for persist that of
   * the step.
   */
  impulse(i: number): number {
    return this.rows.values[VALUES * this.check(i) + 6]!;
  }

  /** Returns the mean normal force of the step, over all contact points (N). */
  force(i: number): number {
    return this.impulse(i) / this.dt;
  }

  /** Returns the separation at the point (m); negative where they overlap. */
  separation(i: number): number {
    return this.rows.values[VALUES * this.check(i) + 7]!;
  }

  /** Returns the speed along the normal before the impact, at the point (m/s), of a begin or hit; positive if approaching. */
  approachSpeed(i: number): number {
    return this.rows.values[VALUES * this.check(i) + 8]!;
  }

  /**
   * Returns the time from the start of the step (s) at which a sensor that was passed within the step is entered or left;
   * otherwise 0.
   */
  time(i: number): number {
    return this.rows.values[VALUES * this.check(i) + 9]!;
  }

  /** Returns an event as a new object. */
  get(i: number): ContactEvent {
    return {
      kind: this.kind(i),
      bodyA: this.bodyA(i),
      bodyB: this.bodyB(i),
      colliderA: this.colliderA(i),
      colliderB: this.colliderB(i),
      point: this.point(i, [0, 0, 0]),
      normal: this.normal(i, [0, 0, 0]),
      impulse: this.impulse(i),
      force: this.force(i),
      approachSpeed: this.approachSpeed(i),
      separation: this.separation(i),
      time: this.time(i),
    };
  }

  *[Symbol.iterator](): Iterator<ContactEvent> {
    for (let i = 0; i < this.count; i++) yield this.get(i);
  }

  private check(i: number): number {
    if (!(Number.isInteger(i) && i >= 0 && i < this.count)) {
      throw new TalusError('invalid-argument', `event ${show(i)} does not exist: there are ${this.count}, counted from 0`);
    }
    return i;
  }

  /**
   * Reads the rows in the core. `known` has colliders that are removed already.
   * @internal
   */
  capture(known?: ReadonlyMap<number, { body: BodyId; collider: ColliderId }>): void {
    const count = this.memory.headerU32(Header.eventCount);
    if (count === 0) return;
    const { pending, registry } = this;
    const row = this.memory.headerU32(Header.events) >>> 2;
    for (let i = row; i < row + ROW_WORDS * count; i += ROW_WORDS) {
      const { u32 } = this.memory; // reading an impact may move memory
      const kind = u32[i]!;
      const a = u32[i + 1]!;
      if (kind === JOINT_BREAK) this.pendingBreaks.push(registry.jointIdAt(a));
      else if (kind === SLEEP) this.pendingSleeps.add(registry.bodyIdAt(a));
      else if (kind === WAKE) this.pendingWakes.add(registry.bodyIdAt(a));
      else if (kind === STOPPED) this.stops.push({ body: registry.bodyIdAt(a), cause: STOP_CAUSES[u32[i + 2]!]! });
      else {
        const b = u32[i + 2]!;
        const ofA = known?.get(a);
        const ofB = known?.get(b);
        const to = pending.add(
          NUMBERS[kind]!,
          ofA?.body ?? registry.bodyIdAt(registry.ownerOf(a, u32), u32),
          ofB?.body ?? registry.bodyIdAt(registry.ownerOf(b, u32), u32),
          ofA?.collider ?? registry.colliderIdAt(a, u32),
          ofB?.collider ?? registry.colliderIdAt(b, u32),
        );
        pending.values[VALUES * to + 9] = this.memory.f32[i + TIME_WORD]!;
        if (u32[i + MANIFOLD_WORD] !== NONE) this.readImpact(i, pending.values, VALUES * to, registry.ownerOf(a, u32));
      }
    }
    this.memory.setHeaderU32(Header.eventCount, 0);
  }

  /**
   * Moves the points with a shift of the origin.
   * @internal
   */
  shift(x: number, y: number, z: number): void {
    for (const { values, count } of [this.rows, this.pending]) {
      for (let at = 0; at < VALUES * count; at += VALUES) {
        // Events without a contact have neither point nor normal.
        if (values[at + 3] === 0 && values[at + 4] === 0 && values[at + 5] === 0) continue;
        values[at] = values[at]! + x;
        values[at + 1] = values[at + 1]! + y;
        values[at + 2] = values[at + 2]! + z;
      }
    }
  }

  /**
   * After a step: collects the pending events and those in the core.
   * @internal
   */
  collect(): void {
    this.capture();
    this.dt = this.memory.headerF32(Header.dt);
    const { rows, asleep, awake } = this;
    this.rows = this.pending;
    this.asleep = this.pendingSleeps;
    this.awake = this.pendingWakes;
    this.pending = rows;
    this.pendingSleeps = asleep;
    this.pendingWakes = awake;
    rows.count = 0;
    asleep.count = 0;
    awake.count = 0;
    if (this.breaks.length > 0 || this.pendingBreaks.length > 0) {
      this.breaks = this.pendingBreaks;
      this.pendingBreaks = [];
    }
  }

  /** Reads the numbers of the event at word `row`; the normal is turned to point away from `bodyA`. */
  private readImpact(row: number, out: Float32Array, to: number, bodyA: number): void {
    const m = (this.core.readManifold(this.memory.u32[row + MANIFOLD_WORD]!) >>> 0) >>> 2;
    const { f32, u32 } = this.memory;
    const point = m + u32[row + POINT_WORD]! * POINT_WORDS;
    const first = u32[m + BODY_A_WORD]!;
    const sign = first === bodyA ? 1 : -1;
    const center = (u32[BODY_CENTERS]! + first * BodyCenter.STRIDE) >>> 2;
    for (let k = 0; k < 3; k++) {
      out[to + k] = f32[center + k]! + f32[point + ANCHOR_WORD + k]!;
      out[to + 3 + k] = sign * f32[m + NORMAL_WORD + k]!;
    }
    out[to + 6] = f32[row + IMPULSE_WORD]!;
    out[to + 7] = f32[point + SEPARATION_WORD]!;
    out[to + 8] = f32[row + SPEED_WORD]!;
    // Values of bodies that were stopped may be NaN.
    for (let k = to; k < to + VALUES; k++) if (!Number.isFinite(out[k])) out[k] = 0;
  }
}
