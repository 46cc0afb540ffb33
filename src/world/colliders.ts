// A world, part: shapes, colliders and their materials.

import { checkColliderEvents, checkEventKeys, readColliderEvents } from '../bodies/asked_events';
import {
  type CheckedCollider,
  type CheckedMaterial,
  checkCarries,
  checkColliderDesc,
  checkMaterial,
  checkMaterialKeys,
  resolveMass,
} from '../bodies/check';
import { type ColliderState, changedCollider, colliderState, materialOf, writeSurface } from '../bodies/collider_state';
import { type ContactRule, readRule, writeRule } from '../bodies/contact_rules';
import type { ColliderDesc, ColliderEvents, MaterialDesc } from '../bodies/desc';
import { TalusError } from '../checks/errors';
import { BodyCold, COLLIDER_HITS, Collider, Header } from '../layout.generated';
import type { EditionTypes } from '../options/options';
import type { MassProperties } from '../shapes/mass';
import { readShape } from '../shapes/read';
import { cookShape, type ShapeDesc, shapeExtent } from '../shapes/shape';
import { newGeometry } from '../state/host';
import type { BodyId, ColliderId, ShapeId } from '../types';
import { NO_INDEX } from '../wasm/core';
import { StepWorld } from './steps';

/** Part of `World`: shapes and colliders. */
export abstract class ColliderWorld<T extends EditionTypes> extends StepWorld<T> {
  /**
   * Creates a shape, which any number of colliders can share, and returns its id.
   * @throws TalusError `invalid-argument`, `degenerate-shape`, `out-of-memory`
   */
  createShape(desc: ShapeDesc): ShapeId {
    this.alive();
    const shape = cookShape(desc);
    this.roomFor(Header.shapeCount, 1, 'shapes');
    this.checkMemory(this.core.reserveShapes(this.memory.headerU32(Header.shapeCount) + 1));
    let address = 0;
    const bytes = shape.blob?.byteLength ?? 0;
    if (shape.blob) {
      address = this.core.allocate(bytes) >>> 0;
      this.checkMemory(address);
      this.memory.write(address, shape.blob);
    }
    const [a, b] = [shape.min, shape.max];
    const [p0, p1, p2] = shape.p;
    const extent = shapeExtent(shape);
    const index = this.core.createShape(shape.type, p0, p1, p2, extent, address, bytes, a[0]!, a[1]!, a[2]!, b[0]!, b[1]!, b[2]!);
    this.shapeMasses[index] = shape.mass;
    this.geometry[index] = newGeometry();
    return this.registry.shapeIdAt(index);
  }

  /**
   * Returns the description of a shape, in single precision; `createShape` creates an equal shape from it. A hull has only its
   * own vertices as points, a mesh its welded vertices. Copies all geometry.
   * @throws TalusError `stale-handle`
   */
  getShape(id: ShapeId): ShapeDesc {
    this.alive();
    return readShape(this.memory, this.registry, this.registry.shape(id));
  }

  /**
   * Removes a shape and frees its memory.
   * @throws TalusError `stale-handle`; `in-use` while a collider has it
   */
  removeShape(id: ShapeId): void {
    this.alive();
    const index = this.registry.shape(id);
    const users = this.registry.shapeUsers(index);
    if (users > 0) throw new TalusError('in-use', `shape ${id} is used by ${users} colliders: remove them first`);
    this.core.removeShape(index);
    this.shapeMasses[index] = null;
    this.geometry[index] = 0;
  }

  /**
   * Adds a collider to a body and returns its id. The mass of a dynamic body is updated.
   * @throws TalusError `invalid-argument`, `stale-handle`, `unsupported`, `out-of-memory`
   */
  addCollider(body: BodyId, desc: ColliderDesc): ColliderId {
    this.alive();
    const index = this.registry.body(body);
    const collider = checkColliderDesc(desc, this.registry, this.shapeMasses);
    checkCarries(this.registry.bodyType(index), collider.shape, this.shapeMasses);
    const mass = this.massWith(index, [...this.readColliders(index), collider]);
    this.reserve(0, 1);
    this.roomForHits(1, [collider.events]);
    const id = this.registry.colliderIdAt(this.attach(index, collider));
    if (mass) this.onBody(body, () => this.writeMass(index, mass));
    return id;
  }

  /**
   * Removes a collider from its body. The mass of a dynamic body is updated.
   * @throws TalusError `stale-handle`; `invalid-argument` if a dynamic body would be left without mass
   */
  removeCollider(id: ColliderId): void {
    this.alive();
    const collider = this.registry.collider(id);
    const index = this.registry.ownerOf(collider);
    const rest = this.registry.collidersOf(index).filter((other) => other !== collider);
    const mass = this.massWith(
      index,
      rest.map((other) => this.readCollider(other)),
    );
    const body = this.registry.bodyIdAt(index);
    if (this.flying) this.events.capture();
    this.core.removeCollider(collider);
    this.events.capture(new Map([[collider, { body, collider: id }]]));
    if (mass) this.onBody(body, () => this.writeMass(index, mass));
  }

  /** Returns the colliders of a body, in the order in which they were created. */
  collidersOf(body: BodyId): ColliderId[] {
    this.alive();
    return this.registry.collidersOf(this.registry.body(body)).map((collider) => this.registry.colliderIdAt(collider));
  }

  /** Returns the body of a collider. */
  bodyOf(collider: ColliderId): BodyId {
    this.alive();
    return this.registry.bodyIdAt(this.registry.ownerOf(this.registry.collider(collider)));
  }

  /**
   * Returns the present state of a collider: shape, pose in its body, mass, surface, filter, whether it is a sensor and enabled.
   */
  getCollider(id: ColliderId): ColliderState {
    this.alive();
    const collider = this.registry.collider(id);
    const body = this.registry.bodyIdAt(this.registry.ownerOf(collider));
    return colliderState(this.readCollider(collider), body, this.registry, this.shapeMasses, this.getColliderEvents(id));
  }

  /**
   * Changes a collider, from the next step on. Fields that you leave out stay. A new `shape`, `position`, `rotation`, `sensor` or
   * `enabled` ends its contacts (with their events); the next step finds them again. The mass of its body follows shape, pose,
   * density and mass.
   * @throws TalusError `invalid-argument` (also if a dynamic body would be left without mass), `stale-handle`, `unsupported`
   */
  setCollider(id: ColliderId, changes: Partial<ColliderDesc>): void {
    this.alive();
    const collider = this.registry.collider(id);
    const index = this.registry.ownerOf(collider);
    const before = this.readCollider(collider);
    const after = changedCollider(changes, before, this.registry, this.shapeMasses);
    const asked = checkColliderEvents(changes, 'changes', this.getColliderEvents(id));
    checkCarries(this.registry.bodyType(index), after.shape, this.shapeMasses);
    const { position: p, rotation: q } = after;
    // A collider at its present place would lose its contacts, and with them the impulses that the next step starts from. Rotations
    // are normalized: up to a rounding step they are the same.
    const isPlaced =
      [0, 1, 2].some((k) => Math.fround(p[k]!) !== Math.fround(before.position[k]!)) ||
      [0, 1, 2, 3].some((k) => Math.abs(q[k]! - before.rotation[k]!) > 2 ** -23);
    const isShaped = after.shape !== before.shape;
    const isWeighed = isPlaced || isShaped || after.density !== before.density;
    const others = this.registry.collidersOf(index).map((other) => (other === collider ? after : this.readCollider(other)));
    const mass = isWeighed ? this.massWith(index, others) : null;
    this.roomForHits(0, [asked]);
    this.memory.f32[this.registry.colliderWord(collider, Collider.density)] = after.density;
    if (isPlaced || isShaped || after.flags !== before.flags) {
      if (this.flying) this.events.capture();
      const x = isPlaced ? p[0]! : Number.NaN;
      this.core.changeCollider(collider, after.shape, x, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, q[3]!, after.flags);
    }
    this.ask(collider, asked);
    this.writeMaterial(collider, after);
    writeSurface(this.core, collider, after, before);
    if (mass) this.onBody(this.registry.bodyIdAt(index), () => this.writeMass(index, mass));
  }

  /** Returns surface and filter of a collider. */
  getMaterial(id: ColliderId): Required<MaterialDesc> {
    this.alive();
    return materialOf(this.readCollider(this.registry.collider(id)));
  }

  /**
   * Changes surface or filter of a collider, from the next step on, also for contacts at rest. Fields that you leave out stay. A
   * new friction, rolling resistance or filter wakes the bodies it touches; a new restitution acts at the next impact.
   */
  setMaterial(id: ColliderId, material: MaterialDesc): void {
    this.alive();
    const collider = this.registry.collider(id);
    checkMaterialKeys(material);
    const before = this.readCollider(collider);
    const after = { ...before, ...checkMaterial(material, 'material', before) };
    this.writeMaterial(collider, after);
    writeSurface(this.core, collider, after, before);
  }

  /** Returns which events a collider sends beside begin and end. */
  getColliderEvents(id: ColliderId): Required<ColliderEvents> {
    this.alive();
    return readColliderEvents(this.memory, this.registry, this.registry.collider(id));
  }

  /**
   * Sets which events a collider sends beside begin and end. Fields that you leave out stay. Wakes nothing.
   * @throws TalusError `invalid-argument`, `stale-handle`, `out-of-memory`
   */
  setColliderEvents(id: ColliderId, events: ColliderEvents): void {
    const before = this.getColliderEvents(id);
    checkEventKeys(events);
    const asked = checkColliderEvents(events, 'events', before);
    this.roomForHits(0, [asked]);
    this.ask(this.registry.collider(id), asked);
  }

  /**
   * Sets a rule for all contacts between colliders of two groups (`group`, 0 to 63; may be the same), from the next step on. Its
   * values replace those of the materials; null removes the rule. The order of the groups does not matter. Sleeping bodies that
   * it concerns wake.
   * @throws TalusError `invalid-argument`, `out-of-memory`
   */
  setContactRule(groupA: number, groupB: number, rule: ContactRule | null): void {
    this.alive();
    if (this.flying) this.events.capture();
    this.checkMemory(writeRule(this.core, groupA, groupB, rule));
  }

  /** Returns the rule of two groups, or null. */
  getContactRule(groupA: number, groupB: number): ContactRule | null {
    this.alive();
    return readRule(this.memory, groupA, groupB);
  }

  private writeMaterial(collider: number, m: CheckedMaterial): void {
    this.core.setCollider(collider, m.friction, m.restitution, m.rollingResistance, m.combine, m.category, m.mask);
  }

  /** @internal Makes room for thresholds of hits, if any are requested. */
  protected roomForHits(more: number, asked: readonly CheckedCollider['events'][]): void {
    if (asked.every(({ flags }) => (flags & COLLIDER_HITS) === 0)) return;
    this.checkMemory(this.core.reserveHits(this.memory.headerU32(Header.colliderCount) + more));
  }

  /** @internal */
  protected writeMass(index: number, m: MassProperties, density = 1): void {
    const [x, y, z] = m.center;
    const [xx, yy, zz, xy, xz, yz] = m.inertia;
    const d = density;
    this.core.setMassProperties(index, m.mass * d, x, y, z, xx * d, yy * d, zz * d, xy * d, xz * d, yz * d);
  }

  private massWith(index: number, colliders: readonly CheckedCollider[]): MassProperties | null {
    if (!this.registry.isDynamic(index)) return null;
    return resolveMass(colliders, this.shapeMasses, this.massOverrides.get(index));
  }

  /** @internal */
  protected attach(index: number, c: CheckedCollider): number {
    const p = c.position;
    const q = c.rotation;
    const collider = this.core.createCollider(
      index,
      c.shape,
      p[0]!,
      p[1]!,
      p[2]!,
      q[0]!,
      q[1]!,
      q[2]!,
      q[3]!,
      c.friction,
      c.restitution,
      c.rollingResistance,
      c.combine,
      c.category,
      c.mask,
      c.flags,
      c.density,
    );
    if (collider === NO_INDEX) this.outOfMemory();
    if (c.events.flags !== 0) this.ask(collider, c.events);
    writeSurface(this.core, collider, c);
    return collider;
  }

  /** @internal */
  protected ask(collider: number, { flags, hitSpeed, hitImpulse }: CheckedCollider['events']): void {
    this.core.setColliderEvents(collider, flags, hitSpeed, hitImpulse);
  }

  /** A collider as described, with its pose relative to the body origin. */
  private readCollider(collider: number): CheckedCollider {
    const at = this.registry.colliderWord(collider, 0);
    const f32 = this.memory.f32;
    const u32 = this.memory.u32;
    const f = (offset: number) => f32[at + offset / 4]!;
    const com = this.registry.coldWord(u32[at + Collider.body / 4]!, BodyCold.comX);
    return {
      shape: u32[at + Collider.shape / 4]!,
      position: [f(Collider.x) + f32[com]!, f(Collider.y) + f32[com + 1]!, f(Collider.z) + f32[com + 2]!],
      rotation: [f(Collider.qx), f(Collider.qy), f(Collider.qz), f(Collider.qw)],
      density: f(Collider.density),
      friction: f(Collider.friction),
      restitution: f(Collider.restitution),
      rollingResistance: f(Collider.rollingResistance),
      spinningFriction: f(Collider.spinningFriction),
      group: u32[at + Collider.group / 4]!,
      surfaceVelocity: [f(Collider.surfaceX), f(Collider.surfaceY), f(Collider.surfaceZ)],
      surfaceSpin: [f(Collider.surfaceWx), f(Collider.surfaceWy), f(Collider.surfaceWz)],
      oneWay: [f(Collider.openX), f(Collider.openY), f(Collider.openZ)],
      combine: u32[at + Collider.combine / 4]!,
      category: u32[at + Collider.category / 4]!,
      mask: u32[at + Collider.mask / 4]!,
      flags: u32[at + Collider.flags / 4]! & 0xff,
      events: checkColliderEvents(readColliderEvents(this.memory, this.registry, collider), 'events'),
    };
  }

  /** @internal */
  protected readColliders(index: number): CheckedCollider[] {
    return this.registry.collidersOf(index).map((collider) => this.readCollider(collider));
  }
}
