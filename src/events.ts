// Contact events of a step, as arrays: no callback runs inside a step, and reading them allocates nothing.
import { show, TalusError } from './errors';
import { BodyCenter, EventRow, Header, Manifold, NONE } from './layout.generated';
import type { LinearMemory } from './memory';
import type { Registry } from './registry';
import type { BodyId, ColliderId, JointId, Vec3Sink } from './types';
import { writeComponents } from './vectors';
import type { CoreExports } from './wasm/core';

/**
 * - `begin`, `end`: two colliders began or ceased to touch
 * - `sensor-begin`, `sensor-end`: a collider began or ceased to overlap a sensor
 */
export type ContactEventKind = 'begin' | 'end' | 'sensor-begin' | 'sensor-end';

const KINDS: readonly ContactEventKind[] = ['begin', 'end', 'sensor-begin', 'sensor-end'];
const BEGIN = 0;
/** Kind of a row, less 1, that tells of a joint. */
const JOINT_BREAK = 4;
// Numbers a begin event carries: point, normal, impulse, separation, approach speed.
const FLOATS = 9;
const PENDING_SIZE = 5 + FLOATS;
// Word offsets in a Manifold row.
const BODY_A_WORD = Manifold.bodyA / 4;
const NORMAL_WORD = Manifold.nx / 4;
const SEPARATION_WORD = Manifold.separation0 / 4;
const ANCHOR_WORD = Manifold.rax0 / 4;
const POINT_WORDS = (Manifold.separation1 - Manifold.separation0) / 4;
// Word offsets in an EventRow.
const ROW_WORDS = EventRow.STRIDE / 4;
const MANIFOLD_WORD = EventRow.manifold / 4;
const IMPULSE_WORD = EventRow.impulse / 4;
const SPEED_WORD = EventRow.approachSpeed / 4;
const DEEPEST_WORD = EventRow.point / 4;

/** One event as an object. */
export interface ContactEvent {
  kind: ContactEventKind;
  bodyA: BodyId;
  bodyB: BodyId;
  colliderA: ColliderId;
  colliderB: ColliderId;
  /** World, m: on the surface of A at the deepest contact. Zero unless `kind` is `begin`. */
  point: [number, number, number];
  /** World, unit, from A to B. Zero unless `kind` is `begin`. */
  normal: [number, number, number];
  /**
   * N s: impulse of the impact along the normals, restitution included, summed over all contact points of the two colliders; it
   * has the weight carried in the rest of that step in it. 0 unless `kind` is `begin`.
   */
  impulse: number;
  /**
   * m/s: speed along the normal at the deepest contact at the start of the step of the impact; positive where the bodies
   * approached. 0 unless `kind` is `begin`.
   */
  approachSpeed: number;
  /** m, at the deepest contact; negative inside. 0 unless `kind` is `begin`. */
  separation: number;
}

/**
 * Events of the last step. Each pair of colliders sends one begin when it starts to touch and one end when it stops; removing
 * a collider or body that touches sends the ends with the next step. A begin comes with the step in which the bodies meet, and
 * carries that impact. Sensors tell what overlapped at the start of the step. The order is fixed: ends of removed bodies, then
 * ends and sensors, then begins. Valid until the next step, also
 * where the bodies are removed meanwhile: then their ids are stale, as `world.isAlive` tells.
 */
export class ContactEvents implements Iterable<ContactEvent> {
  private readonly memory: LinearMemory;
  private readonly core: CoreExports;
  private readonly registry: Registry;
  private size = 0;
  private kinds = new Uint8Array(64);
  /** bodyA, bodyB, colliderA, colliderB an event. */
  private ids = new Float64Array(64 * 4);
  private floats = new Float32Array(64 * FLOATS);
  private breaks: readonly JointId[] = [];
  /** Events that calls between steps made, as kind, four ids and the numbers of a begin event each. */
  private readonly pending: number[] = [];
  private pendingBreaks: JointId[] = [];

  /** @internal */
  constructor(memory: LinearMemory, core: CoreExports, registry: Registry) {
    this.memory = memory;
    this.core = core;
    this.registry = registry;
  }

  /** Joints that broke in the last step, in the order of their slots. They still are, not enabled. */
  get jointBreaks(): readonly JointId[] {
    return this.breaks;
  }

  /** Number of contact events; the other calls take an index below it. */
  get count(): number {
    return this.size;
  }

  kind(i: number): ContactEventKind {
    return KINDS[this.kinds[this.check(i)]!]!;
  }

  bodyA(i: number): BodyId {
    return this.ids[4 * this.check(i)]! as BodyId;
  }

  bodyB(i: number): BodyId {
    return this.ids[4 * this.check(i) + 1]! as BodyId;
  }

  colliderA(i: number): ColliderId {
    return this.ids[4 * this.check(i) + 2]! as ColliderId;
  }

  colliderB(i: number): ColliderId {
    return this.ids[4 * this.check(i) + 3]! as ColliderId;
  }

  /** Writes the point of a begin event (world, m) to `out`. */
  point<T extends Vec3Sink>(i: number, out: T): T {
    return this.read(i, 0, out);
  }

  /** Writes the normal of a begin event (world, unit, from A to B) to `out`. */
  normal<T extends Vec3Sink>(i: number, out: T): T {
    return this.read(i, 3, out);
  }

  /** N s: impulse of the impact of a begin event along the normals, restitution included, over all contact points. */
  impulse(i: number): number {
    return this.floats[FLOATS * this.check(i) + 6]!;
  }

  /** m, at the deepest point of a begin event; negative inside. */
  separation(i: number): number {
    return this.floats[FLOATS * this.check(i) + 7]!;
  }

  /** m/s of a begin event: speed along the normal before the impact, at the deepest point; positive if approaching. */
  approachSpeed(i: number): number {
    return this.floats[FLOATS * this.check(i) + 8]!;
  }

  /** An event as an object of its own. */
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
      approachSpeed: this.approachSpeed(i),
      separation: this.separation(i),
    };
  }

  *[Symbol.iterator](): Iterator<ContactEvent> {
    for (let i = 0; i < this.size; i++) yield this.get(i);
  }

  private check(i: number): number {
    if (!(Number.isInteger(i) && i >= 0 && i < this.size)) {
      throw new TalusError('invalid-argument', `event ${show(i)} does not exist: there are ${this.size}, counted from 0`);
    }
    return i;
  }

  private read<T extends Vec3Sink>(i: number, offset: number, out: T): T {
    return writeComponents(this.floats, FLOATS * this.check(i) + offset, 3, out);
  }

  /**
   * Takes over the rows that calls between steps have left in the core. `known` names colliders that are gone already.
   * @internal
   */
  capture(known?: ReadonlyMap<number, { body: BodyId; collider: ColliderId }>): void {
    const count = this.memory.headerU32(Header.eventCount);
    if (count === 0) return;
    const row = this.memory.headerU32(Header.events) >>> 2;
    const u32 = this.memory.u32;
    for (let i = row; i < row + ROW_WORDS * count; i += ROW_WORDS) {
      const kind = u32[i]! - 1;
      const a = u32[i + 1]!;
      if (kind === JOINT_BREAK) {
        this.pendingBreaks.push(this.registry.jointIdAt(a));
        continue;
      }
      const b = u32[i + 2]!;
      const ofA = known?.get(a);
      const ofB = known?.get(b);
      this.pending.push(
        kind,
        ofA?.body ?? this.bodyOf(a),
        ofB?.body ?? this.bodyOf(b),
        ofA?.collider ?? this.registry.colliderIdAt(a),
        ofB?.collider ?? this.registry.colliderIdAt(b),
      );
      const numbers = new Float32Array(FLOATS);
      if (kind === BEGIN && u32[i + MANIFOLD_WORD] !== NONE) this.readImpact(i, numbers, 0, this.registry.ownerOf(a));
      this.pending.push(...numbers);
    }
    this.memory.setHeaderU32(Header.eventCount, 0);
  }

  /**
   * After a step: the events are those that were pending and those in the core.
   * @internal
   */
  collect(): void {
    const pending = this.pending;
    const earlier = pending.length / PENDING_SIZE;
    const count = this.memory.headerU32(Header.eventCount);
    this.reserve(earlier + count);
    for (let i = 0; i < earlier; i++) {
      const from = PENDING_SIZE * i;
      this.kinds[i] = pending[from]!;
      for (let k = 0; k < 4; k++) this.ids[4 * i + k] = pending[from + 1 + k]!;
      for (let k = 0; k < FLOATS; k++) this.floats[FLOATS * i + k] = pending[from + 5 + k]!;
    }
    pending.length = 0;
    const row = this.memory.headerU32(Header.events) >>> 2;
    let to = earlier - 1;
    for (let i = 0; i < count; i++) {
      const u32 = this.memory.u32;
      const at = row + ROW_WORDS * i;
      const a = u32[at + 1]!;
      const b = u32[at + 2]!;
      const kind = u32[at]! - 1;
      if (kind === JOINT_BREAK) {
        this.pendingBreaks.push(this.registry.jointIdAt(a));
        continue;
      }
      to++;
      this.kinds[to] = kind;
      this.ids[4 * to] = this.bodyOf(a);
      this.ids[4 * to + 1] = this.bodyOf(b);
      this.ids[4 * to + 2] = this.registry.colliderIdAt(a);
      this.ids[4 * to + 3] = this.registry.colliderIdAt(b);
      this.floats.fill(0, FLOATS * to, FLOATS * (to + 1));
      if (kind !== BEGIN || u32[at + MANIFOLD_WORD] === NONE) continue;
      this.readImpact(at, this.floats, FLOATS * to, this.registry.ownerOf(a));
    }
    this.size = to + 1;
    if (this.breaks.length > 0 || this.pendingBreaks.length > 0) {
      this.breaks = this.pendingBreaks;
      this.pendingBreaks = [];
    }
    this.memory.setHeaderU32(Header.eventCount, 0);
  }

  private bodyOf(collider: number): BodyId {
    return this.registry.bodyIdAt(this.registry.ownerOf(collider));
  }

  private reserve(count: number): void {
    if (count <= this.kinds.length) return;
    const capacity = 2 ** Math.ceil(Math.log2(count));
    this.kinds = new Uint8Array(capacity);
    this.ids = new Float64Array(capacity * 4);
    this.floats = new Float32Array(capacity * FLOATS);
  }

  /** Numbers of the begin event at word `row`; the normal is turned to point away from `bodyA`. */
  private readImpact(row: number, out: Float32Array, to: number, bodyA: number): void {
    const m = (this.core.readManifold(this.memory.u32[row + MANIFOLD_WORD]!) >>> 0) >>> 2;
    const f32 = this.memory.f32;
    const u32 = this.memory.u32;
    const point = m + u32[row + DEEPEST_WORD]! * POINT_WORDS;
    const first = u32[m + BODY_A_WORD]!;
    const sign = first === bodyA ? 1 : -1;
    const center = (this.memory.headerU32(Header.bodyCenters) + first * BodyCenter.STRIDE) >>> 2;
    for (let k = 0; k < 3; k++) {
      out[to + k] = f32[center + k]! + f32[point + ANCHOR_WORD + k]!;
      out[to + 3 + k] = sign * f32[m + NORMAL_WORD + k]!;
    }
    out[to + 6] = f32[row + IMPULSE_WORD]!;
    out[to + 7] = f32[point + SEPARATION_WORD]!;
    out[to + 8] = f32[row + SPEED_WORD]!;
  }
}
