// A body of PlayCanvas on a body of the world. Fields that depend on its shape are written when they are next needed.
import type { Entity, PhysicsWorld, Quat, Vec3 } from 'playcanvas';
import { TalusError } from '../checks/errors';
import type { Pushes } from '../engines/pushes';
import type { World } from '../index';
import type { BodyId, BodyType } from '../types';
import { type Part, type PlayShape, type ShapeUser, turnOf, vectorOf } from './shapes';

type Body = ReturnType<PhysicsWorld['createBody']>;
export type PlayBodyDesc = Parameters<PhysicsWorld['createBody']>[0];

/** Data that bodies share. */
export interface Bench {
  world: World;
  pushes: Pushes;
  dirty: Set<PlayBody>;
}

const NO_DAMPING = 1000;

/** Returns the damping rate: PlayCanvas gives the share of the speed that is lost per second. */
const rateOf = (damping: number): number =>
  damping >= 1 ? NO_DAMPING : Math.min(NO_DAMPING, -Math.log(1 - Math.max(0, damping)));
const within = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
const locked = ({ x, y, z }: Vec3): string => (x === 0 ? 'x' : '') + (y === 0 ? 'y' : '') + (z === 0 ? 'z' : '');

export class PlayBody implements Body, ShapeUser {
  readonly id: BodyId;
  readonly type: BodyType;
  readonly isTrigger: boolean;
  entity: Entity | null;
  /** `entity.rigidbody.body`: its id in the world. */
  nativeBody: { readonly id: BodyId } | null;
  /** Whether the contacts of each step are requested. */
  wantsContacts = false;
  private readonly shape: PlayShape;
  private parts: readonly Part[] = [];
  private mass: number;
  private friction = 0.5;
  private rolling = 0;
  private restitution = 0;
  private category = 1;
  private mask = 0xffff;
  private aim: readonly number[] = [];
  /** Step in which it was first found asleep: it is drawn once more. */
  private restedAt = -1;
  private isHullTold = false;

  constructor(
    private readonly bench: Bench,
    desc: PlayBodyDesc,
  ) {
    this.isTrigger = !!desc.noContactResponse;
    this.type = this.isTrigger ? 'kinematic' : (desc.type as BodyType);
    this.shape = desc.shape as PlayShape;
    this.mass = desc.mass;
    this.entity = desc.entity;
    this.checkSurfaces();
    this.id = bench.world.createBody({
      type: this.type,
      position: vectorOf(desc.position),
      rotation: turnOf(desc.rotation),
      enabled: false,
      colliders: [],
      ...(this.type === 'dynamic' ? { mass: this.massDesc() } : {}),
    });
    this.nativeBody = { id: this.id };
    this.shape.users.add(this);
    this.touch();
  }

  get isAlive(): boolean {
    return this.bench.world.isAlive(this.id);
  }

  touch(): void {
    this.bench.dirty.add(this);
  }

  private massDesc() {
    const mass = within(this.mass, 1e-9, 1e12);
    return { mass, center: [0, 0, 0] as const, inertia: this.shape.inertia.map((x) => x * mass) };
  }

  /** Writes mass, colliders and their surface, if any of them has changed. */
  flush(): void {
    const { world, dirty } = this.bench;
    if (!dirty.delete(this) || !this.isAlive) return;
    this.checkSurfaces();
    if (this.type === 'dynamic') world.setMass(this.id, this.massDesc());
    const parts = this.shape.parts(this.type === 'dynamic');
    const known = world.collidersOf(this.id);
    const isKept = parts.length === known.length && parts.every((part, i) => part.shape === this.parts[i]!.shape);
    if (!isKept) for (const collider of known) world.removeCollider(collider);
    const rest = {
      friction: within(this.friction, 0, 100),
      restitution: within(this.restitution, 0, 1),
      rollingResistance: within(this.rolling, 0, 1),
      frictionCombine: 'multiply',
      restitutionCombine: 'multiply',
      rollingResistanceCombine: 'multiply',
      category: this.category >>> 0,
      mask: this.mask >>> 0,
      sensor: this.isTrigger,
      density: 1000,
      persistEvents: this.wantsContacts,
    } as const;
    parts.forEach((part, i) => {
      const before = this.parts[i];
      if (!isKept) world.addCollider(this.id, { ...part, ...rest });
      else if (`${part.position},${part.rotation}` === `${before!.position},${before!.rotation}`)
        world.setCollider(known[i]!, rest);
      else world.setCollider(known[i]!, { ...part, ...rest });
    });
    this.parts = parts;
  }

  /** Surfaces have no mass: a dynamic body gets the hull of a mesh, and no heightfield. */
  private checkSurfaces(): void {
    if (this.type !== 'dynamic') return;
    const name = this.entity?.name;
    if (this.shape.has('heightfield')) {
      throw new TalusError('unsupported', `a heightfield has no mass: make the rigidbody of '${name}' static or kinematic`);
    }
    if (this.isHullTold || !this.shape.isHulled) return;
    this.isHullTold = true;
    console.warn(
      `talus: the mesh of the dynamic entity '${name}' collides as its convex hull: give createTalusPhysics a library for convex parts as decompose, or set convexHull, or use a compound of convex shapes`,
    );
  }

  /** Adds the body to the simulation. */
  enter(group: number | undefined, mask: number | undefined): void {
    this.category = group ?? 1;
    this.mask = mask ?? 0xffff;
    this.touch();
    this.flush();
    this.bench.world.setEnabled(this.id, true);
    this.restedAt = -1;
  }

  leave(): void {
    if (this.isAlive) this.bench.world.setEnabled(this.id, false);
  }

  destroy(): void {
    this.bench.dirty.delete(this);
    if (this.isAlive) this.bench.world.removeBody(this.id);
    this.nativeBody = null;
    this.shape.users.delete(this);
    this.shape.free();
  }

  /** Requests the contacts of each step. */
  wantContacts(): void {
    if (this.wantsContacts) return;
    this.wantsContacts = true;
    this.touch();
  }

  setFriction(friction: number): void {
    this.friction = friction;
    this.touch();
  }

  setRollingFriction(friction: number): void {
    this.rolling = friction;
    this.touch();
  }

  setRestitution(restitution: number): void {
    this.restitution = restitution;
    this.touch();
  }

  setDamping(linear: number, angular: number): void {
    this.bench.world.setDamping(this.id, rateOf(linear), rateOf(angular));
  }

  /** Sets which axes of the world are free: 0 locks an axis, anything else leaves it free. */
  setLinearFactor(factor: Vec3): void {
    this.bench.world.setLocks(this.id, { translation: locked(factor) });
  }

  setAngularFactor(factor: Vec3): void {
    this.bench.world.setLocks(this.id, { rotation: locked(factor) });
  }

  setGravityScale(scale: number): void {
    this.bench.world.setGravityScale(this.id, within(scale, -1000, 1000));
  }

  setLinearVelocity(velocity: Vec3): void {
    if (this.type !== 'static') this.bench.world.setLinearVelocity(this.id, velocity);
  }

  getLinearVelocity(velocity: Vec3): void {
    this.bench.world.getLinearVelocity(this.id, velocity);
  }

  setAngularVelocity(velocity: Vec3): void {
    if (this.type !== 'static') this.bench.world.setAngularVelocity(this.id, velocity);
  }

  getAngularVelocity(velocity: Vec3): void {
    this.bench.world.getAngularVelocity(this.id, velocity);
  }

  setMass(mass: number): void {
    this.mass = mass;
    this.touch();
  }

  isActive(): boolean {
    const { world } = this.bench;
    if (!world.isEnabled(this.id)) return false;
    if (!world.isAsleep(this.id)) {
      this.restedAt = -1;
      return true;
    }
    if (this.restedAt < 0) this.restedAt = world.stepCount;
    return this.restedAt === world.stepCount;
  }

  activate(): void {
    if (this.isAlive) this.bench.world.wake(this.id);
  }

  setTransform(position: Vec3, rotation: Quat): void {
    const { world } = this.bench;
    const q = turnOf(rotation);
    const pose = [position.x, position.y, position.z, ...q];
    // A trigger is put where it is each frame.
    if (this.isTrigger && pose.every((x, i) => x === this.aim[i])) return;
    this.aim = pose;
    world.teleport(this.id, position, q);
    if (!this.isTrigger) this.activate();
  }

  getTransform(position: Vec3, rotation: Quat): void {
    this.bench.world.getPose(this.id, position, rotation);
  }

  setKinematicTarget(position: Vec3, rotation: Quat): void {
    const q = turnOf(rotation);
    const pose = [position.x, position.y, position.z, ...q];
    if (pose.every((x, i) => x === this.aim[i])) return;
    this.aim = pose;
    this.bench.pushes.aim(this, vectorOf(position), q);
  }

  private at(offset: Vec3): [number, number, number] {
    const [x, y, z] = this.bench.world.getPosition(this.id, [0, 0, 0]) as [number, number, number];
    return [x + offset.x, y + offset.y, z + offset.z];
  }

  applyForce(force: Vec3, relativePoint: Vec3): void {
    if (this.isPushed()) this.bench.pushes.force(this, vectorOf(force), this.at(relativePoint));
  }

  applyTorque(torque: Vec3): void {
    if (this.isPushed()) this.bench.pushes.torque(this, vectorOf(torque));
  }

  applyImpulse(impulse: Vec3, relativePoint: Vec3): void {
    if (this.isPushed()) this.bench.world.applyImpulse(this.id, impulse, this.at(relativePoint));
  }

  applyTorqueImpulse(torque: Vec3): void {
    if (this.isPushed()) this.bench.world.applyAngularImpulse(this.id, torque);
  }

  private isPushed(): boolean {
    if (this.type !== 'dynamic') return false;
    this.flush();
    return true;
  }
}
