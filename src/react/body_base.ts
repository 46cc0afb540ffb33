// The calls of the world for a body, with the names of Rapier; apis.ts adds those that return its colliders.
import { Quaternion, Vector3 } from 'three';
import {
  type BodyId,
  type BodyType,
  type ColliderId,
  type MassDesc,
  type Quat,
  TalusError,
  type Vec3,
  type World,
} from '../index';
import { numberOf, type RigidBodyType, typeOf } from './body_types';
import type { LastingForces } from './forces';
import { askedMass, sumOf } from './mass';
import { labelOf, warnOnce } from './report';
import { toQuaternion, toVector } from './vectors';

/** Returns the axes that are not enabled, as `Locks` names them. */
function lockedAxes(...enabled: readonly boolean[]): string {
  return ['x', 'y', 'z'].filter((_, k) => !enabled[k]).join('');
}

/** A body. Getters return new `Vector3`s and `Quaternion`s unless you pass `out`; calls accept vectors in any form. */
export class BodyBase {
  private own: BodyId | null;
  /** Name of the component in messages. @internal */
  label = labelOf('RigidBody');

  constructor(
    readonly world: World,
    private readonly forces: LastingForces,
    id: BodyId | null,
  ) {
    this.own = id;
  }

  /**
   * Id of the body, for the calls of `world`. @throws TalusError `stale-handle` if the body is not created yet, or was removed
   */
  get id(): BodyId {
    if (this.own === null) throw new TalusError('stale-handle', 'the body of this component is not created yet, or was removed');
    return this.own;
  }

  /** @internal */
  set(id: BodyId | null): void {
    if (this.own !== null) this.forces.forget(this.own);
    this.own = id;
    for (const call of [...this.watchers]) call();
  }

  private readonly watchers = new Set<() => void>();

  /** Calls `call` when the component creates another body; returns a function that ends it. */
  onChange(call: () => void): () => void {
    this.watchers.add(call);
    return () => {
      this.watchers.delete(call);
    };
  }

  /** Returns whether the body exists. */
  isValid(): boolean {
    return this.own !== null && this.world.isAlive(this.own);
  }

  /** Id of the body, as `id`. */
  get handle(): BodyId {
    return this.id;
  }

  /**
   * Returns whether a call is possible for the type of the body. If not, the call does nothing, as in Rapier, and a warning says
   * so once.
   */
  private acts(call: string, ...types: BodyType[]): boolean {
    const type = this.world.getType(this.id);
    if (types.includes(type)) return true;
    warnOnce(`${this.label} ${call}`, `${this.label}: ${call} does nothing: the body is ${type}, not ${types.join(' or ')}`);
    return false;
  }

  // ------------------------------------------------------------------------------------------------------- pose

  translation(out: Vector3 = new Vector3()): Vector3 {
    return this.world.getPosition(this.id, out);
  }

  rotation(out: Quaternion = new Quaternion()): Quaternion {
    return this.world.getRotation(this.id, out);
  }

  setTranslation(position: Vec3, wakeUp = true): void {
    this.world.teleport(this.id, position);
    if (wakeUp) this.wakeUp();
  }

  setRotation(rotation: Quat, wakeUp = true): void {
    this.world.teleport(this.id, this.translation(), rotation);
    if (wakeUp) this.wakeUp();
  }

  private target: { step: number; position: Vec3; rotation: Quat } | null = null;

  /** Sets the position of a kinematic body at the end of the next step (m). */
  setNextKinematicTranslation(position: Vec3): void {
    this.moveTo(position, undefined);
  }

  setNextKinematicRotation(rotation: Quat): void {
    this.moveTo(undefined, rotation);
  }

  /** Sets the target of a step: calls for position and rotation are combined. */
  private moveTo(position: Vec3 | undefined, rotation: Quat | undefined): void {
    if (!this.acts('setNextKinematic...', 'kinematic')) return;
    const step = this.world.stepCount;
    const before = this.target?.step === step ? this.target : null;
    this.target = {
      step,
      position: position ?? before?.position ?? this.translation(),
      rotation: rotation ?? before?.rotation ?? this.rotation(),
    };
    this.world.moveKinematic(this.id, this.target.position, this.target.rotation);
  }

  /**
   * Returns the position of a kinematic body at the end of the next step, if it has a target; otherwise its present position (m).
   */
  nextTranslation(): Vector3 {
    return this.target?.step === this.world.stepCount ? toVector(this.target.position) : this.translation();
  }

  nextRotation(): Quaternion {
    return this.target?.step === this.world.stepCount ? toQuaternion(this.target.rotation) : this.rotation();
  }

  // ----------------------------------------------------------------------------------------------------- motion

  linvel(out: Vector3 = new Vector3()): Vector3 {
    return this.world.getLinearVelocity(this.id, out);
  }

  angvel(out: Vector3 = new Vector3()): Vector3 {
    return this.world.getAngularVelocity(this.id, out);
  }

  setLinvel(velocity: Vec3, _wakeUp = true): void {
    if (this.acts('setLinvel', 'dynamic', 'kinematic')) this.world.setLinearVelocity(this.id, velocity);
  }

  setAngvel(velocity: Vec3, _wakeUp = true): void {
    if (this.acts('setAngvel', 'dynamic', 'kinematic')) this.world.setAngularVelocity(this.id, velocity);
  }

  /** Returns the velocity of the point of the body at a world point, m/s. */
  velocityAtPoint(point: Vec3): Vector3 {
    return this.angvel().cross(toVector(point).sub(this.worldCom())).add(this.linvel());
  }

  /** Returns whether its velocity is not zero. */
  isMoving(): boolean {
    return this.linvel().lengthSq() + this.angvel().lengthSq() > 0;
  }

  applyImpulse(impulse: Vec3, _wakeUp = true): void {
    if (this.acts('applyImpulse', 'dynamic')) this.world.applyImpulse(this.id, impulse);
  }

  applyImpulseAtPoint(impulse: Vec3, point: Vec3, _wakeUp = true): void {
    if (this.acts('applyImpulseAtPoint', 'dynamic')) this.world.applyImpulse(this.id, impulse, point);
  }

  applyTorqueImpulse(impulse: Vec3, _wakeUp = true): void {
    if (this.acts('applyTorqueImpulse', 'dynamic')) this.world.applyAngularImpulse(this.id, impulse);
  }

  /** Adds a force (N) that acts in every step until `resetForces`. (`world.addForce` acts in the next step only.) */
  addForce(force: Vec3, wakeUp = true): void {
    if (this.acts('addForce', 'dynamic')) this.forces.add(this.id, toVector(force), null, wakeUp);
  }

  /** As `addForce`, at a world point (m). Its torque stays that of the present pose. */
  addForceAtPoint(force: Vec3, point: Vec3, wakeUp = true): void {
    if (!this.acts('addForceAtPoint', 'dynamic')) return;
    const f = toVector(force);
    this.forces.add(this.id, f, toVector(point).sub(this.worldCom()).cross(f), wakeUp);
  }

  /** Adds a torque (N m) that acts in every step until `resetTorques`. */
  addTorque(torque: Vec3, wakeUp = true): void {
    if (this.acts('addTorque', 'dynamic')) this.forces.add(this.id, null, toVector(torque), wakeUp);
  }

  /** Removes all forces of `addForce`. */
  resetForces(wakeUp = true): void {
    this.forces.reset(this.id, 'force', wakeUp);
  }

  resetTorques(wakeUp = true): void {
    this.forces.reset(this.id, 'torque', wakeUp);
  }

  /** Returns the sum of `addForce`, N. */
  userForce(): Vector3 {
    return this.forces.of(this.id).force.clone();
  }

  userTorque(): Vector3 {
    return this.forces.of(this.id).torque.clone();
  }

  gravityScale(): number {
    return this.world.getGravityScale(this.id);
  }

  setGravityScale(scale: number, _wakeUp = true): void {
    this.world.setGravityScale(this.id, scale);
  }

  linearDamping(): number {
    return this.world.getLinearDamping(this.id);
  }

  angularDamping(): number {
    return this.world.getAngularDamping(this.id);
  }

  setLinearDamping(damping: number): void {
    this.world.setDamping(this.id, damping, this.angularDamping());
  }

  setAngularDamping(damping: number): void {
    this.world.setDamping(this.id, this.linearDamping(), damping);
  }

  // ------------------------------------------------------------------------------------------------------ traits

  mass(): number {
    return this.world.getMass(this.id);
  }

  /** Returns the inverse mass, 1/kg; 0 for bodies that are not dynamic. */
  invMass(): number {
    const mass = this.mass();
    return mass > 0 ? 1 / mass : 0;
  }

  /** Returns the inverse mass along each axis, 1/kg; 0 along locked axes. */
  effectiveInvMass(): Vector3 {
    const { translation } = this.world.getLocks(this.id);
    const along = (axis: string) => (String(translation).includes(axis) ? 0 : this.invMass());
    return new Vector3(along('x'), along('y'), along('z'));
  }

  /** Returns the center of mass in the body frame, m. */
  localCom(): Vector3 {
    return this.world.getCenterOfMass(this.id, new Vector3());
  }

  /** Returns the center of mass (world, m). */
  worldCom(): Vector3 {
    return this.localCom().applyQuaternion(this.rotation()).add(this.translation());
  }

  /** Adds mass (kg) to that of the colliders. */
  setAdditionalMass(mass: number, _wakeUp = true): void {
    this.world.setMass(this.id, undefined);
    const own = this.isDynamic() ? this.mass() : 0;
    this.world.setMass(this.id, own + mass);
  }

  /** Adds mass, center and inertia to those of the colliders. */
  setAdditionalMassProperties(mass: number, center: Vec3, inertia: Vec3, frame: Quat, _wakeUp = true): void {
    if (!this.acts('setAdditionalMassProperties', 'dynamic')) return;
    const { world } = this;
    world.setMass(this.id, undefined);
    const more = { mass, centerOfMass: center, principalAngularInertia: inertia, angularInertiaLocalFrame: frame };
    world.setMass(this.id, sumOf(world.getMassProperties(this.id), askedMass({ massProperties: more }) as MassDesc));
  }

  /** Removes additional mass: the body has the mass of its colliders again. */
  recomputeMassPropertiesFromColliders(): void {
    this.world.setMass(this.id, undefined);
  }

  /** Returns Rapier's number of the type: 0 dynamic, 1 fixed, 2 kinematic. */
  bodyType(): number {
    return numberOf(this.type);
  }

  get type(): BodyType {
    return this.world.getType(this.id);
  }

  /** Sets the type, by name or by Rapier's number. */
  setBodyType(type: RigidBodyType | number, _wakeUp = true): void {
    this.world.setType(this.id, typeOf(type));
  }

  isDynamic(): boolean {
    return this.type === 'dynamic';
  }

  isFixed(): boolean {
    return this.type === 'static';
  }

  isKinematic(): boolean {
    return this.type === 'kinematic';
  }

  isSleeping(): boolean {
    return this.world.isAsleep(this.id);
  }

  sleep(): void {
    if (this.acts('sleep', 'dynamic')) this.world.sleep(this.id);
  }

  wakeUp(): void {
    this.world.wake(this.id);
  }

  isEnabled(): boolean {
    return this.world.isEnabled(this.id);
  }

  setEnabled(enabled: boolean): void {
    this.world.setEnabled(this.id, enabled);
  }

  isCcdEnabled(): boolean {
    return this.world.isBullet(this.id);
  }

  enableCcd(enabled: boolean): void {
    this.world.setBullet(this.id, enabled);
  }

  lockTranslations(locked: boolean, _wakeUp = true): void {
    this.world.setLocks(this.id, { translation: locked ? 'xyz' : '' });
  }

  lockRotations(locked: boolean, _wakeUp = true): void {
    this.world.setLocks(this.id, { rotation: locked ? 'xyz' : '' });
  }

  setEnabledTranslations(x: boolean, y: boolean, z: boolean, _wakeUp = true): void {
    this.world.setLocks(this.id, { translation: lockedAxes(x, y, z) });
  }

  setEnabledRotations(x: boolean, y: boolean, z: boolean, _wakeUp = true): void {
    this.world.setLocks(this.id, { rotation: lockedAxes(x, y, z) });
  }

  /** Its colliders, in the order of creation. */
  get colliders(): ColliderId[] {
    return this.world.collidersOf(this.id);
  }

  numColliders(): number {
    return this.colliders.length;
  }

  dominanceGroup(): number {
    return 0;
  }

  setDominanceGroup(_group: number): void {
    this.unused('setDominanceGroup', 'make the body heavier, or kinematic');
  }

  setAdditionalSolverIterations(_count: number): void {
    this.unused('setAdditionalSolverIterations', 'use substeps of Physics');
  }

  setSoftCcdPrediction(_distance: number): void {
    this.unused('setSoftCcdPrediction', 'fast bodies pass through nothing by themselves');
  }

  private unused(call: string, instead: string): void {
    warnOnce(call, `${this.label}: ${call} has no effect: ${instead}`);
  }

  get userData(): unknown {
    return this.world.getUserData(this.id);
  }

  set userData(value: unknown) {
    this.world.setUserData(this.id, value);
  }
}
