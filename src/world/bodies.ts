// A world, part: bodies. Creating, removing and reading them, one by one or as views of all.

import { type BodyState, readBody, readMass } from '../bodies/body_state';
import { checkBodiesDesc, checkBodyDesc, checkCarries, checkMassOverride, pick, resolveMass } from '../bodies/check';
import type { BodiesDesc, BodyDesc, MassDesc } from '../bodies/desc';
import { applyTraits, writeTag } from '../bodies/traits';
import { checkBits, checkInteger, checkWord } from '../checks/validate';
import { writeComponents } from '../checks/vectors';
import { BODY_DYNAMIC, BODY_STATIC, BodyCold, BodyRow, Header } from '../layout.generated';
import type { EditionTypes } from '../options/options';
import { MAX_SLOTS } from '../registry/ids';
import { BODY_TYPES, type BodyId, type BodyType, type ColliderId, type QuatSink, type Vec3Sink } from '../types';
import { ArrayView } from '../wasm/memory';
import { takeSeat } from '../wasm/seats';
import { ColliderWorld } from './colliders';

/** Part of `World`: bodies. */
export abstract class BodyWorld<T extends EditionTypes> extends ColliderWorld<T> {
  private readonly positionView = new ArrayView(this.memory, Header.positions, Header.bodyCount, 4);
  private readonly rotationView = new ArrayView(this.memory, Header.rotations, Header.bodyCount, 4);
  private readonly velocityView = new ArrayView(this.memory, Header.bodyRows, Header.bodyCount, BodyRow.STRIDE / 4);
  private readonly tagView = new ArrayView<Uint32Array>(this.memory, Header.tags, Header.bodyCount, 1, Uint32Array);

  /**
   * Creates a body with its colliders and returns its id.
   * @throws TalusError `invalid-argument`, `stale-handle` (a shape), `unsupported`, `out-of-memory`
   */
  createBody(desc: BodyDesc): BodyId {
    this.alive();
    const body = checkBodyDesc(desc, this.registry, this.shapeMasses);
    this.reserve(1, body.colliders.length);
    this.roomForHits(
      body.colliders.length,
      body.colliders.map((collider) => collider.events),
    );
    const p = body.position;
    const q = body.rotation;
    const index = this.core.createBody(body.type, p[0]!, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, q[3]!);
    this.shield(index);
    if (body.mass) this.writeMass(index, body.mass);
    const v = body.linearVelocity;
    const w = body.angularVelocity;
    if (body.type !== BODY_STATIC) this.core.setVelocity(index, v[0]!, v[1]!, v[2]!, w[0]!, w[1]!, w[2]!);
    this.core.setMotion(index, body.gravityScale, body.linearDamping, body.angularDamping);
    if (body.bullet) this.core.setBullet(index, true);
    for (const collider of body.colliders) this.attach(index, collider);
    if (body.override !== undefined) this.massOverrides.set(index, body.override);
    if (desc.userData !== undefined) this.userData.set(index, desc.userData);
    applyTraits(this.core, this.memory, index, body.traits);
    return this.registry.bodyIdAt(index);
  }

  /**
   * Creates many bodies of one shape each from arrays and returns their ids. Far cheaper per body than `createBody`.
   * @throws TalusError `invalid-argument`, `stale-handle` (a shape), `unsupported`, `out-of-memory`; then no body is created
   */
  createBodies(desc: BodiesDesc): BodyId[] {
    this.alive();
    const bodies = checkBodiesDesc(desc, this.registry, this.shapeMasses);
    this.reserve(bodies.count, bodies.count);
    this.roomForHits(bodies.count, [bodies.events]);
    const { positions: p, rotations: q, linearVelocities: v, angularVelocities: w, material } = bodies;
    // Filled first, so that it holds numbers as objects: read from an array of doubles each use of an id would allocate one.
    const ids: BodyId[] = new Array(bodies.count).fill(null);
    const plainMotion = bodies.gravityScale === 1 && bodies.linearDamping === 0 && bodies.angularDamping === 0;
    for (let i = 0; i < bodies.count; i++) {
      const type = pick(bodies.types, i);
      const shape = pick(bodies.shapes, i);
      const density = pick(bodies.densities, i);
      const a = 3 * i;
      const b = 4 * i;
      const index = q
        ? this.core.createBody(type, p[a]!, p[a + 1]!, p[a + 2]!, q[b]!, q[b + 1]!, q[b + 2]!, q[b + 3]!)
        : this.core.createBody(type, p[a]!, p[a + 1]!, p[a + 2]!, 0, 0, 0, 1);
      this.shield(index);
      if (type === BODY_DYNAMIC) this.writeMass(index, this.shapeMasses[shape]!, density);
      if (type !== BODY_STATIC && (v || w)) {
        this.core.setVelocity(
          index,
          v?.[a] ?? 0,
          v?.[a + 1] ?? 0,
          v?.[a + 2] ?? 0,
          w?.[a] ?? 0,
          w?.[a + 1] ?? 0,
          w?.[a + 2] ?? 0,
        );
      }
      if (!plainMotion) this.core.setMotion(index, bodies.gravityScale, bodies.linearDamping, bodies.angularDamping);
      if (bodies.bullet) this.core.setBullet(index, true);
      const collider = this.core.createCollider(
        index,
        shape,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        pick(bodies.frictions, i),
        pick(bodies.restitutions, i),
        pick(bodies.rollingResistances, i),
        material.combine,
        material.category,
        material.mask,
        0,
        density,
      );
      if (bodies.events.flags !== 0) this.ask(collider, bodies.events);
      if (material.group !== 0 || material.spinningFriction !== 0)
        this.core.setPassage(this.registry.collidersOf(index)[0]!, 0, 0, 0, material.group, material.spinningFriction);
      applyTraits(this.core, this.memory, index, bodies.traits);
      if (bodies.tags) writeTag(this.memory, index, bodies.tags[i]! >>> 0);
      ids[i] = this.registry.bodyIdAt(index);
    }
    return ids;
  }

  /**
   * Removes a body with its colliders and joints. The next step emits `end` events for its contacts.
   * @throws TalusError `stale-handle`
   */
  removeBody(id: BodyId): void {
    this.alive();
    const index = this.registry.body(id);
    const known = new Map<number, { body: BodyId; collider: ColliderId }>();
    for (const collider of this.registry.collidersOf(index)) {
      known.set(collider, { body: id, collider: this.registry.colliderIdAt(collider) });
    }
    if (this.flying) this.events.capture();
    this.core.removeBody(index);
    this.massOverrides.delete(index);
    this.userData.delete(index);
    this.events.capture(known);
    this.removals++;
  }

  /** @internal Number of removed bodies and restored states. */
  protected removals = 0;
  /** @internal Number of changes of poses outside of steps. */
  protected relocations = 0;

  /** A number that changes when bodies are removed or a snapshot is restored. If you store slots, look them up again then. */
  get slotsVersion(): number {
    this.alive();
    return this.removals;
  }

  /**
   * A number that changes when bodies move without a step: by `teleport`, `shift` or `restore`. If you keep poses, such as in a
   * buffer on the GPU, read them again then.
   */
  get posesVersion(): number {
    this.alive();
    return this.relocations;
  }

  /** Returns whether an id is that of an existing body. */
  isAlive(id: BodyId): boolean {
    if (this.closed) return false;
    takeSeat(this.memory.tenant);
    return this.registry.hasBody(id);
  }

  /** Number of bodies. */
  get bodyCount(): number {
    this.alive();
    return this.memory.headerU32(Header.bodyAlive);
  }

  /** Number of slots in the views, free ones included. The slot of a body is `indexOf(id)`. */
  get slotCount(): number {
    this.alive();
    return this.memory.headerU32(Header.bodyCount);
  }

  /**
   * Returns the slot of a body in `positions`, `rotations` and `velocities`. It never changes while the body exists.
   * @throws TalusError `stale-handle`
   */
  indexOf(id: BodyId): number {
    this.alive();
    return this.registry.body(id);
  }

  /** Returns the body in a slot, or null. */
  bodyAt(index: number): BodyId | null {
    this.alive();
    checkInteger(index, 'index', 0, MAX_SLOTS);
    if (index >= this.slotCount || !this.registry.bodyAlive(index)) return null;
    return this.registry.bodyIdAt(index);
  }

  /** Returns the present state of a body, with every field that `createBody` takes. */
  getBody(id: BodyId): BodyState {
    this.alive();
    const index = this.registry.body(id);
    return readBody(this.memory, this.registry, index, this.userData.get(index));
  }

  /** Returns the type of a body: `dynamic`, `kinematic` or `static`. */
  getType(id: BodyId): BodyType {
    this.alive();
    return BODY_TYPES[this.registry.bodyType(this.registry.body(id))]!;
  }

  /**
   * Changes the type of a body. A body that becomes dynamic gets the mass of its colliders, or the mass set by `setMass`. A body
   * that has the type already stays as it is.
   * @throws TalusError `invalid-argument` if it would be dynamic without mass, `unsupported` for surfaces that would move
   */
  setType(id: BodyId, type: BodyType): void {
    this.alive();
    const index = this.registry.body(id);
    const code = checkWord(type, 'type', BODY_TYPES);
    const colliders = this.readColliders(index);
    for (const collider of colliders) checkCarries(code, collider.shape, this.shapeMasses);
    const override = this.massOverrides.get(index);
    const mass = code === BODY_DYNAMIC ? resolveMass(colliders, this.shapeMasses, override) : null;
    this.onBody(id, () => {
      // It would drop the contacts, and with them the impulses that the next step starts from.
      if (this.registry.bodyType(index) === code) return;
      this.core.setBodyType(index, code);
      if (mass) this.writeMass(index, mass);
    });
  }

  /** Returns the mass of a body in kg; 0 for bodies that are not dynamic. */
  getMass(id: BodyId): number {
    this.alive();
    return this.memory.f32[this.registry.coldWord(this.registry.body(id), BodyCold.mass)]!;
  }

  /**
   * Replaces the mass of a body: kg, or mass, center and inertia. `undefined` returns to the mass of its colliders. A body that
   * is not dynamic gets the mass when it becomes dynamic.
   */
  setMass(id: BodyId, mass: number | MassDesc | undefined): void {
    this.alive();
    const index = this.registry.body(id);
    const override = checkMassOverride(mass, 'mass');
    const isDynamic = this.registry.isDynamic(index);
    const total = isDynamic ? resolveMass(this.readColliders(index), this.shapeMasses, override) : null;
    if (override === undefined) this.massOverrides.delete(index);
    else this.massOverrides.set(index, override);
    if (total) this.onBody(id, () => this.writeMass(index, total));
  }

  /** Returns mass (kg), center of mass (body frame, m) and inertia about it (kg m2, body axes); zero unless dynamic. */
  getMassProperties(id: BodyId): Required<MassDesc> {
    this.alive();
    return readMass(this.memory, this.registry, this.registry.body(id));
  }

  /** Writes the center of mass of a body (body frame, m) to `out` and returns `out`. */
  getCenterOfMass<T extends Vec3Sink>(id: BodyId, out: T): T {
    this.alive();
    return writeComponents(this.memory.f32, this.registry.coldWord(this.registry.body(id), BodyCold.comX), 3, out);
  }

  /** Returns the value that you stored with a body by `setUserData`. */
  getUserData(id: BodyId): unknown {
    this.alive();
    return this.userData.get(this.registry.body(id));
  }

  /**
   * Stores any value with a body until the body is removed; `undefined` deletes it. A clone of the world shares the same values.
   */
  setUserData(id: BodyId, value: unknown): void {
    this.alive();
    const index = this.registry.body(id);
    if (value === undefined) this.userData.delete(index);
    else this.userData.set(index, value);
  }

  /** Returns the tag of a body: 32 bits of your own, stored in the core, as in `tags`. */
  getTag(id: BodyId): number {
    this.alive();
    return this.tags[this.registry.body(id)]!;
  }

  /** Sets the tag of a body: 32 bits of your own, an integer from 0 to 2^32 - 1. */
  setTag(id: BodyId, tag: number): void {
    this.alive();
    writeTag(this.memory, this.registry.body(id), checkBits(tag, 'tag'));
  }

  /**
   * Origins of all bodies: 4 floats per slot, x y z (world, m) and 1; four zeros in a free slot. This is a view of live memory:
   * do not write to it, and get it again after you create bodies, since memory may have moved.
   */
  get positions(): Float32Array {
    this.alive();
    return this.positionView.current;
  }

  /** Rotations of all bodies: 4 floats per slot, unit quaternion x y z w. A view, as `positions`. */
  get rotations(): Float32Array {
    this.alive();
    return this.rotationView.current;
  }

  /**
   * Velocities of all bodies: 16 floats per slot. 0 to 2: linear velocity of the center of mass (world, m/s); 3: inverse mass
   * (1/kg); 4 to 6: angular velocity (world, rad/s). A view, as `positions`.
   */
  get velocities(): Float32Array {
    this.alive();
    return this.velocityView.current;
  }

  /** Tags of all bodies, 32 bits per slot; 0 in a slot that was never used. A view, as `positions`, but you may write to it. */
  get tags(): Uint32Array {
    this.alive();
    return this.tagView.current;
  }

  /**
   * Writes the origin of a body (world, m) to `out` and returns it. `out` is an array, or an object with x, y, z such as a
   * `THREE.Vector3`.
   */
  getPosition<T extends Vec3Sink>(id: BodyId, out: T): T {
    return writeComponents(this.positions, 4 * this.registry.body(id), 3, out);
  }

  /**
   * Writes the rotation of a body (unit quaternion x y z w) to `out` and returns it. `out` is an array, or an object with x, y,
   * z, w.
   */
  getRotation<T extends QuatSink>(id: BodyId, out: T): T {
    return writeComponents(this.rotations, 4 * this.registry.body(id), 4, out);
  }

  /** Writes the velocity of the center of mass of a body (world, m/s) to `out` and returns it. */
  getLinearVelocity<T extends Vec3Sink>(id: BodyId, out: T): T {
    return writeComponents(this.velocities, (BodyRow.STRIDE / 4) * this.registry.body(id), 3, out);
  }

  /** Writes the angular velocity of a body (world, rad/s) to `out` and returns it. */
  getAngularVelocity<T extends Vec3Sink>(id: BodyId, out: T): T {
    return writeComponents(this.velocities, (BodyRow.STRIDE / 4) * this.registry.body(id) + BodyRow.wx / 4, 3, out);
  }
}
