// What a ref of a body holds: the calls of the world for that body, by the names that users of react-three-rapier know.
import { Quaternion, Vector3 } from 'three';
import { type BodyId, type BodyType, type ColliderId, type Quat, TalusError, type Vec3, type World } from '../index';

/** Numbers of body types as Rapier has them. */
const RAPIER_TYPES: readonly (BodyType | undefined)[] = ['dynamic', 'static', 'kinematic', 'kinematic'];
const TYPE_NAMES: Record<string, BodyType> = {
  fixed: 'static',
  kinematicPosition: 'kinematic',
  kinematicVelocity: 'kinematic',
};

/** Types of `RigidBody`: those of talus, and `fixed`, `kinematicPosition`, `kinematicVelocity`. */
export type RigidBodyType = BodyType | 'fixed' | 'kinematicPosition' | 'kinematicVelocity';

export function typeOf(type: RigidBodyType | number): BodyType {
  if (typeof type === 'number') return RAPIER_TYPES[type] ?? (String(type) as BodyType);
  return TYPE_NAMES[type] ?? (type as BodyType);
}

/** Of three axes: those that are not in use. */
function lockedAxes(...enabled: readonly boolean[]): string {
  return ['x', 'y', 'z'].filter((_, k) => !enabled[k]).join('');
}

/** A body. Vectors come as `Vector3` and `Quaternion`, new ones each call unless `out` is given; calls take any form of them. */
export class RigidBodyApi {
  private own: BodyId | null;

  constructor(
    readonly world: World,
    id: BodyId | null = null,
  ) {
    this.own = id;
  }

  /** For the calls of `world`. @throws TalusError `stale-handle` if the body is not made yet, or gone */
  get id(): BodyId {
    if (this.own === null) throw new TalusError('stale-handle', 'the body of this component is not made yet, or is gone');
    return this.own;
  }

  /** @internal */
  set(id: BodyId | null): void {
    this.own = id;
    for (const call of [...this.watchers]) call();
  }

  private readonly watchers = new Set<() => void>();

  /** Calls `call` when the component makes another body; returns what ends that. */
  onChange(call: () => void): () => void {
    this.watchers.add(call);
    return () => {
      this.watchers.delete(call);
    };
  }

  /** Whether the body is there. */
  isValid(): boolean {
    return this.own !== null && this.world.isAlive(this.own);
  }

  /** The same as `id`. */
  get handle(): BodyId {
    return this.id;
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

  /** Of a kinematic body: where it is at the end of the next step. */
  setNextKinematicTranslation(position: Vec3): void {
    this.moveTo(position, undefined);
  }

  setNextKinematicRotation(rotation: Quat): void {
    this.moveTo(undefined, rotation);
  }

  /** Both calls of one step make one target. */
  private moveTo(position: Vec3 | undefined, rotation: Quat | undefined): void {
    const step = this.world.stepCount;
    const before = this.target?.step === step ? this.target : null;
    this.target = {
      step,
      position: position ?? before?.position ?? this.translation(),
      rotation: rotation ?? before?.rotation ?? this.rotation(),
    };
    this.world.moveKinematic(this.id, this.target.position, this.target.rotation);
  }

  // ----------------------------------------------------------------------------------------------------- motion

  linvel(out: Vector3 = new Vector3()): Vector3 {
    return this.world.getLinearVelocity(this.id, out);
  }

  angvel(out: Vector3 = new Vector3()): Vector3 {
    return this.world.getAngularVelocity(this.id, out);
  }

  setLinvel(velocity: Vec3, _wakeUp = true): void {
    this.world.setLinearVelocity(this.id, velocity);
  }

  setAngvel(velocity: Vec3, _wakeUp = true): void {
    this.world.setAngularVelocity(this.id, velocity);
  }

  applyImpulse(impulse: Vec3, _wakeUp = true): void {
    this.world.applyImpulse(this.id, impulse);
  }

  applyImpulseAtPoint(impulse: Vec3, point: Vec3, _wakeUp = true): void {
    this.world.applyImpulse(this.id, impulse, point);
  }

  applyTorqueImpulse(impulse: Vec3, _wakeUp = true): void {
    this.world.applyAngularImpulse(this.id, impulse);
  }

  /** In the next step alone: call it before each (`useBeforePhysicsStep`). In Rapier forces last until they are reset. */
  addForce(force: Vec3, _wakeUp = true): void {
    this.world.addForce(this.id, force);
  }

  /** As `addForce`, at a point of the world. */
  addForceAtPoint(force: Vec3, point: Vec3, _wakeUp = true): void {
    this.world.addForce(this.id, force, point);
  }

  /** As `addForce`. */
  addTorque(torque: Vec3, _wakeUp = true): void {
    this.world.addTorque(this.id, torque);
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

  bodyType(): BodyType {
    return this.world.getType(this.id);
  }

  /** By name, or by the numbers of Rapier. */
  setBodyType(type: RigidBodyType | number, _wakeUp = true): void {
    this.world.setType(this.id, typeOf(type));
  }

  isDynamic(): boolean {
    return this.bodyType() === 'dynamic';
  }

  isFixed(): boolean {
    return this.bodyType() === 'static';
  }

  isKinematic(): boolean {
    return this.bodyType() === 'kinematic';
  }

  isSleeping(): boolean {
    return this.world.isAsleep(this.id);
  }

  sleep(): void {
    this.world.sleep(this.id);
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

  /** In the order in which they were made. */
  get colliders(): ColliderId[] {
    return this.world.collidersOf(this.id);
  }

  numColliders(): number {
    return this.colliders.length;
  }

  collider(index: number): ColliderId | undefined {
    return this.colliders[index];
  }

  get userData(): unknown {
    return this.world.getUserData(this.id);
  }

  set userData(value: unknown) {
    this.world.setUserData(this.id, value);
  }
}
