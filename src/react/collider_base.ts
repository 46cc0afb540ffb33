// The calls of the world for a collider, with the names of Rapier; apis.ts adds the call that returns its body.
import { Quaternion, Vector3 } from 'three';
import {
  type ColliderDesc,
  type ColliderId,
  type ColliderState,
  type Quat,
  type ShapeDesc,
  TalusError,
  type Vec3,
  type World,
} from '../index';
import type { PairFilters } from './filters';
import { allowBounce, combineNumber, takeSurface } from './foreign_props';
import { warnOnce } from './report';
import { toVector } from './vectors';

/** A collider. Getters return new `Vector3`s and `Quaternion`s; calls accept vectors in any form. */
export class ColliderBase {
  private own: ColliderId | null;

  constructor(
    readonly world: World,
    private readonly filters: PairFilters,
    id: ColliderId | null,
  ) {
    this.own = id;
  }

  /**
   * Id of the collider, for the calls of `world`. @throws TalusError `stale-handle` if the collider is not created yet, or was
   * removed
   */
  get id(): ColliderId {
    if (this.own === null)
      throw new TalusError('stale-handle', 'the collider of this component is not created yet, or was removed');
    return this.own;
  }

  /** Id of the collider, as `id`. */
  get handle(): ColliderId {
    return this.id;
  }

  /** @internal */
  set(id: ColliderId | null): void {
    this.own = id;
  }

  isValid(): boolean {
    const { own, world } = this;
    if (own === null) return false;
    try {
      return world.isAlive(world.bodyOf(own));
    } catch {
      return false;
    }
  }

  /** Its present state, with all fields. */
  get state(): ColliderState {
    return this.world.getCollider(this.id);
  }

  /** Changes some of its fields. */
  change(changes: Partial<ColliderDesc>): void {
    this.world.setCollider(this.id, changes);
  }

  // ------------------------------------------------------------------------------------------------------- pose

  translationWrtParent(): Vector3 {
    return toVector(this.state.position);
  }

  rotationWrtParent(): Quaternion {
    const { rotation } = this.state;
    return new Quaternion().fromArray(Array.from(rotation as ArrayLike<number>));
  }

  setTranslationWrtParent(position: Vec3): void {
    this.change({ position });
  }

  setRotationWrtParent(rotation: Quat): void {
    this.change({ rotation });
  }

  /** Returns its position (world, m). */
  translation(): Vector3 {
    const { world } = this;
    const body = world.bodyOf(this.id);
    const turn = world.getRotation(body, new Quaternion());
    return this.translationWrtParent().applyQuaternion(turn).add(world.getPosition(body, new Vector3()));
  }

  rotation(): Quaternion {
    const { world } = this;
    return world.getRotation(world.bodyOf(this.id), new Quaternion()).multiply(this.rotationWrtParent());
  }

  // ------------------------------------------------------------------------------------------------------ shape

  /** Its shape, as the engine has it; this copies all geometry. */
  get shape(): ShapeDesc {
    return this.world.getShape(this.state.shape);
  }

  /** Returns its radius, m; undefined for shapes without one. */
  radius(): number | undefined {
    const { shape } = this;
    return 'radius' in shape ? shape.radius : undefined;
  }

  halfHeight(): number | undefined {
    const { shape } = this;
    return 'halfHeight' in shape ? shape.halfHeight : undefined;
  }

  halfExtents(): Vector3 | undefined {
    const { shape } = this;
    return shape.type === 'box' ? toVector(shape.halfExtents) : undefined;
  }

  // ---------------------------------------------------------------------------------------------------- surface

  friction(): number {
    return this.state.friction!;
  }

  setFriction(friction: number): void {
    this.change({ friction });
  }

  restitution(): number {
    return this.state.restitution!;
  }

  /** Sets its restitution; values above 1 count as 1. */
  setRestitution(restitution: number): void {
    const changes: Partial<ColliderDesc> = { restitution };
    takeSurface('collider.setRestitution', {}, changes);
    allowBounce(this.world, [changes]);
    this.change(changes);
  }

  frictionCombineRule(): number {
    return combineNumber(this.state.frictionCombine!);
  }

  setFrictionCombineRule(rule: number): void {
    const changes: Partial<ColliderDesc> = {};
    takeSurface('', { frictionCombineRule: rule }, changes);
    this.change(changes);
  }

  restitutionCombineRule(): number {
    return combineNumber(this.state.restitutionCombine!);
  }

  setRestitutionCombineRule(rule: number): void {
    const changes: Partial<ColliderDesc> = {};
    takeSurface('', { restitutionCombineRule: rule }, changes);
    this.change(changes);
  }

  /** Returns its density, kg/m3. */
  density(): number {
    return this.state.density!;
  }

  setDensity(density: number): void {
    this.change({ density });
  }

  /** Sets its mass in kg, instead of the mass by density. */
  setMass(mass: number): void {
    this.change({ mass });
  }

  // ----------------------------------------------------------------------------------------------------- filter

  /** Returns its memberships in the high 16 bits, and its filter in the low 16 bits. */
  collisionGroups(): number {
    const { category, mask } = this.state;
    return (((category! & 0xffff) << 16) | (mask! & 0xffff)) >>> 0;
  }

  setCollisionGroups(groups: number): void {
    this.change({ category: (groups >>> 16) & 0xffff, mask: groups & 0xffff });
  }

  isSensor(): boolean {
    return this.state.sensor === true;
  }

  setSensor(sensor: boolean): void {
    this.change({ sensor });
  }

  isEnabled(): boolean {
    return this.state.enabled !== false;
  }

  setEnabled(enabled: boolean): void {
    this.change({ enabled });
  }

  activeHooks(): number {
    return this.filters.hooksOf(this.id);
  }

  /** Sets which filter hooks decide about it: `ActiveHooks`. */
  setActiveHooks(hooks: number): void {
    this.filters.setHooks(this.id, hooks);
  }

  /** Does nothing: handlers request their events by themselves. */
  setActiveEvents(_events: number): void {}

  setSolverGroups(_groups: number): void {
    this.unused('setSolverGroups', 'use setCollisionGroups, or group with world.setContactRule');
  }

  setActiveCollisionTypes(_types: number): void {
    this.unused('setActiveCollisionTypes', 'for kinematic and static bodies use a collider with sensor and seesStatic');
  }

  setContactSkin(_skin: number): void {
    this.unused('setContactSkin', 'make the shape larger');
  }

  private unused(call: string, instead: string): void {
    warnOnce(call, `collider.${call} has no effect: ${instead}`);
  }
}
