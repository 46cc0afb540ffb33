// The world with the names of Rapier's, as far as both mean the same. docs/react.md lists the missing ones.
import { Vector3 } from 'three';
import type { BodyId, JointDesc, JointId, QueryFilter, RayOptions, Vec3, World } from '../index';
import { type ApiScope, type ColliderApi, RigidBodyApi } from './apis';
import { JointApi } from './joint_api';
import { type JointData, optionsOf } from './joint_data';
import { toVector } from './vectors';

/** A ray, as Rapier's queries take it. */
export class Ray {
  constructor(
    public origin: Vec3,
    public dir: Vec3,
  ) {}

  /** Returns the point at a time of impact. */
  pointAt(t: number): Vector3 {
    return toVector(this.origin).addScaledVector(toVector(this.dir), t);
  }
}

/** Hit of a ray. `timeOfImpact` is in lengths of the ray's direction. */
export interface RayHit {
  collider: ColliderApi;
  timeOfImpact: number;
  /** The same as `timeOfImpact`, by its former name. */
  toi: number;
  normal: Vector3;
}

/** Bytes of a snapshot, which `setWorld` restores. */
export class WorldSnapshot {
  constructor(readonly bytes: Uint8Array) {}
}

export class RapierWorld {
  constructor(private readonly scope: ApiScope) {}

  private get talus(): World {
    return this.scope.world;
  }

  /** Acceleration by gravity, m/s2. */
  get gravity(): Vector3 {
    return new Vector3().fromArray(Array.from(this.talus.settings.gravity as ArrayLike<number>));
  }

  set gravity(value: Vec3) {
    this.talus.set({ gravity: value });
  }

  /** Length of a step, s. */
  get timestep(): number {
    return this.talus.settings.dt;
  }

  set timestep(dt: number) {
    this.talus.set({ dt });
  }

  // ----------------------------------------------------------------------------------------- bodies and colliders

  getRigidBody(handle: number): RigidBodyApi | null {
    const id = handle as BodyId;
    if (!this.talus.isAlive(id)) return null;
    return this.scope.bodies.get(id)?.api ?? new RigidBodyApi(this.scope, id);
  }

  getCollider(handle: number): ColliderApi {
    return this.scope.colliderOf(handle as ColliderApi['id']);
  }

  forEachRigidBody(call: (body: RigidBodyApi) => void): void {
    const { talus } = this;
    for (let i = 0; i < talus.slotCount; i++) {
      const id = talus.bodyAt(i);
      if (id !== null) call(this.getRigidBody(id)!);
    }
  }

  /** Calls `call` for each dynamic or kinematic body that is awake. */
  forEachActiveRigidBody(call: (body: RigidBodyApi) => void): void {
    this.forEachRigidBody((body) => {
      if (!body.isFixed() && !body.isSleeping()) call(body);
    });
  }

  forEachCollider(call: (collider: ColliderApi) => void): void {
    this.forEachRigidBody((body) => {
      for (const id of body.colliders) call(this.getCollider(id));
    });
  }

  get bodies(): BodySet {
    return new BodySet(this);
  }

  removeRigidBody(body: RigidBodyApi): void {
    this.talus.removeBody(body.id);
  }

  removeCollider(collider: ColliderApi, _wakeUp = true): void {
    this.talus.removeCollider(collider.id);
  }

  // ------------------------------------------------------------------------------------------------------- joints

  createImpulseJoint(data: JointData, body1: RigidBodyApi, body2: RigidBodyApi, _wakeUp = true): JointApi {
    const desc: JointDesc = { ...optionsOf(data), bodyA: body1.id, bodyB: body2.id };
    return new JointApi(this.talus, this.talus.createJoint(desc));
  }

  removeImpulseJoint(joint: JointApi, _wakeUp = true): void {
    joint.drop();
    this.talus.removeJoint(joint.id);
  }

  getImpulseJoint(handle: number): JointApi | null {
    const id = handle as JointId;
    return this.talus.hasJoint(id) ? new JointApi(this.talus, id) : null;
  }

  // ------------------------------------------------------------------------------------------------------ queries

  /** Returns the nearest hit of a ray, or null; `maxToi` is in lengths of its direction. */
  castRayAndGetNormal(
    ray: Ray,
    maxToi: number,
    solid: boolean,
    _flags?: number,
    groups?: number,
    excludeCollider?: ColliderApi | null,
    excludeBody?: RigidBodyApi | null,
    predicate?: (collider: ColliderApi) => boolean,
  ): RayHit | null {
    const { scope } = this;
    const length = toVector(ray.dir).length();
    const filter: QueryFilter = {};
    if (groups !== undefined) {
      filter.category = groups >>> 16;
      filter.mask = groups & 0xffff;
    }
    if (excludeCollider) filter.excludeCollider = excludeCollider.id;
    if (excludeBody) filter.excludeBody = excludeBody.id;
    filter.filter = (collider) => !scope.twins.has(collider) && (!predicate || predicate(scope.colliderOf(collider)));
    const options: RayOptions = { ...filter, solid, maxDistance: Math.min(maxToi * length, 1e6), sensors: true };
    const hit = this.talus.castRay(ray.origin, ray.dir, options);
    if (!hit) return null;
    const toi = hit.distance / length;
    return { collider: scope.colliderOf(hit.collider), timeOfImpact: toi, toi, normal: new Vector3().fromArray(hit.normal) };
  }

  // ---------------------------------------------------------------------------------------------------- snapshots

  takeSnapshot(): Uint8Array {
    return this.talus.snapshot();
  }
}

/** The bodies of a world, with the calls of Rapier's set. */
class BodySet {
  constructor(private readonly world: RapierWorld) {}

  len(): number {
    let count = 0;
    this.forEach(() => {
      count++;
    });
    return count;
  }

  get(handle: number): RigidBodyApi | null {
    return this.world.getRigidBody(handle);
  }

  forEach(call: (body: RigidBodyApi) => void): void {
    this.world.forEachRigidBody(call);
  }

  getAll(): RigidBodyApi[] {
    const all: RigidBodyApi[] = [];
    this.forEach((body) => {
      all.push(body);
    });
    return all;
  }
}

/** A ray cast in the form of either engine. */
type CastRay = (...args: Parameters<RapierWorld['castRayAndGetNormal']>) => RayHit | null;

/** A world with the calls of both engines. `castRay` takes a `Ray`, or origin and direction. */
export type StepWorld = RapierWorld & Omit<World, 'castRay'> & { castRay: CastRay & World['castRay'] };

/** Returns the world of a context with the calls of both engines. */
export function stepWorldOf(scope: ApiScope): StepWorld {
  const { world } = scope;
  const own = new RapierWorld(scope);
  const calls = new Map<PropertyKey, unknown>();
  const castRay = (first: unknown, ...rest: unknown[]) =>
    first instanceof Ray
      ? own.castRayAndGetNormal(first, ...(rest as [number, boolean]))
      : world.castRay(first as Vec3, ...(rest as [Vec3]));
  calls.set('castRay', castRay);
  return new Proxy(own, {
    get(target, key) {
      const known = calls.get(key);
      if (known) return known;
      const from: object = key in target ? target : world;
      const value: unknown = Reflect.get(from, key, from);
      if (typeof value !== 'function') return value;
      const call: unknown = value.bind(from);
      calls.set(key, call);
      return call;
    },
    set: (target, key, value) => Reflect.set(key in target ? target : world, key, value),
    has: (target, key) => key in target || key in world,
    getPrototypeOf: () => Object.getPrototypeOf(world),
  }) as never;
}
