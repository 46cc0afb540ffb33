// A physics world of PlayCanvas on one of talus: its components, joints, contacts and raycasts use the objects created here.
import { type AppBase, type Entity, PhysicsWorld, RaycastResult, Vec3 } from 'playcanvas';
import { TalusError } from '../checks/errors';
import type { Decompose, Decomposer } from '../engines/decompose';
import { Pushes } from '../engines/pushes';
import type { QueryHitArrays, RayOptions, World } from '../index';
import type { BodyId } from '../types';
import { type Bench, PlayBody, type PlayBodyDesc } from './body';
import { Contacts } from './contacts';
import { PlayJoint, type PlayJointDesc } from './joint';
import { PlayShape, type PlayShapeDesc, type ShapeBench, turnOf, vectorOf } from './shapes';

type Body = ReturnType<PhysicsWorld['createBody']>;
type Joint = ReturnType<PhysicsWorld['createJoint']>;
type Position = Parameters<PhysicsWorld['addCompoundChild']>[2];
type Rotation = Parameters<PhysicsWorld['addCompoundChild']>[3];
type RayFilter = NonNullable<Parameters<PhysicsWorld['raycastAll']>[2]>;

/** A ray shorter than this stays where it begins: inside the shape that it begins in. */
const NOWHERE = 1e-6;

/** Options of `TalusPhysicsWorld`. */
export interface TalusPhysicsOptions {
  /** Whether the world is closed with the application; default true. */
  ownsWorld?: boolean;
  /**
   * Cuts meshes (collisions of type 'mesh' without `convexHull`) of dynamic bodies into convex parts: a function from positions
   * and indices to the points of each part, or a library such as vhacd-js. Without it the body gets the convex hull of the mesh.
   */
  decompose?: Decomposer | Decompose;
}

/** The physics world for `AppOptions.physicsWorld`, or `physicsWorld` of the options of `pc.Application`. */
export class TalusPhysicsWorld extends PhysicsWorld {
  /** The world of talus, for everything that PlayCanvas has no call for. */
  override readonly nativeWorld: World;
  private readonly bodies = new Map<BodyId, PlayBody>();
  private readonly bench: Bench;
  private readonly shapeBench: ShapeBench;
  private readonly contacts: Contacts;
  private readonly hits: QueryHitArrays[] = [];
  private readonly ownsWorld: boolean;
  private isClosed = false;

  /** `world` comes from `createWorld`; gravity and time step are those of PlayCanvas. */
  constructor(world: World, options: TalusPhysicsOptions = {}) {
    super();
    if (typeof world?.createBody !== 'function') {
      throw new TalusError('invalid-argument', 'new TalusPhysicsWorld(world): pass the result of `await createWorld()`');
    }
    this.nativeWorld = world;
    this.ownsWorld = options.ownsWorld ?? true;
    this.bench = { world, pushes: new Pushes(world), dirty: new Set() };
    this.shapeBench = { world, flush: () => this.flush(), decompose: options.decompose ?? null };
    this.contacts = new Contacts(world, this.bodies);
  }

  override get supportsMeshScaling(): boolean {
    return true;
  }

  override destroy(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.bodies.clear();
    if (this.ownsWorld) this.nativeWorld.dispose();
  }

  override setGravity(gravity: Vec3): void {
    this.nativeWorld.set({ gravity });
  }

  override step(dt: number, maxSubSteps: number, fixedTimeStep: number): void {
    const { nativeWorld: world } = this;
    const { pushes } = this.bench;
    if (world.settings.dt !== fixedTimeStep) world.set({ dt: fixedTimeStep });
    this.flush();
    pushes.frame(dt / fixedTimeStep);
    const wantsAll = this.isHeard();
    world.advance(dt, {
      maxSteps: Math.max(1, maxSubSteps),
      beforeStep: () => pushes.beforeStep(),
      afterStep: () => this.contacts.pass(this.contactListener, wantsAll),
    });
  }

  /** Returns whether the rigid body system itself has a listener, which gets all contacts. */
  private isHeard(): boolean {
    for (const { entity } of this.bodies.values()) {
      const system = (entity?.rigidbody ?? entity?.collision)?.system.app.systems.rigidbody;
      if (system) return system.hasEvent('contact');
    }
    return false;
  }

  private flush(): void {
    for (const body of this.bench.dirty) body.flush();
  }

  override createBody(desc: PlayBodyDesc): Body {
    const body = new PlayBody(this.bench, desc);
    this.bodies.set(body.id, body);
    return body;
  }

  override destroyBody(body: Body): void {
    if (this.isClosed) return;
    const own = body as PlayBody;
    this.contacts.forget(own);
    this.bodies.delete(own.id);
    own.destroy();
  }

  override addBody(body: Body, group?: number, mask?: number): void {
    (body as PlayBody).enter(group, mask);
  }

  override removeBody(body: Body): void {
    if (this.isClosed) return;
    this.contacts.forget(body as PlayBody);
    (body as PlayBody).leave();
  }

  override createShape(desc: PlayShapeDesc): PlayShape {
    return new PlayShape(this.shapeBench, desc);
  }

  override destroyShape(shape: object): void {
    if (!this.isClosed) (shape as PlayShape).destroy();
  }

  override addCompoundChild(compound: object, child: object, position: Position, rotation: Rotation): void {
    (compound as PlayShape).place(child as PlayShape, vectorOf(position), turnOf(rotation));
  }

  override updateCompoundChild(compound: object, child: object, position: Position, rotation: Rotation): void {
    this.addCompoundChild(compound, child, position, rotation);
  }

  override removeCompoundChild(compound: object, child: object): void {
    if (!this.isClosed) (compound as PlayShape).remove(child as PlayShape);
  }

  override getCompoundChildCount(compound: object): number {
    return (compound as PlayShape).children.length;
  }

  override createJoint(desc: PlayJointDesc): Joint {
    return new PlayJoint(this.nativeWorld, () => this.nativeWorld.settings.dt, desc);
  }

  override destroyJoint(joint: Joint): void {
    if (!this.isClosed) (joint as PlayJoint).destroy();
  }

  override raycastFirst(start: Vec3, end: Vec3, options?: RayFilter): RaycastResult | null {
    return this.cast(start, end, options, true)[0] ?? null;
  }

  /** Returns all hits, nearest first. */
  override raycastAll(start: Vec3, end: Vec3, options?: RayFilter): RaycastResult[] {
    return this.cast(start, end, options, false);
  }

  private cast(start: Vec3, end: Vec3, options: RayFilter = {}, isFirst: boolean): RaycastResult[] {
    this.flush();
    const way = [end.x - start.x, end.y - start.y, end.z - start.z];
    const maxDistance = Math.hypot(...way);
    if (!(maxDistance > 0)) return [];
    const ray: RayOptions = {
      maxDistance,
      sensors: true,
      category: (options.filterCollisionGroup ?? 1) >>> 0,
      mask: (options.filterCollisionMask ?? ~0) >>> 0,
      backFaces: options.hitBackFaces ?? true,
    };
    const { filterTags, filterCallback } = options;
    const count = this.nativeWorld.castRayAll(start, way, ray, this.hits);
    const results: RaycastResult[] = [];
    for (const hit of this.hits.slice(0, count)) {
      const entity = this.bodies.get(hit.body)?.entity;
      // A ray does not meet the shape that it begins in.
      if (!entity || hit.distance < NOWHERE) continue;
      if (filterTags && !entity.tags.has(...filterTags)) continue;
      if (filterCallback && !filterCallback(entity)) continue;
      results.push(new RaycastResult(entity, new Vec3(...hit.point), new Vec3(...hit.normal), hit.fraction));
      if (isFirst) break;
    }
    return results;
  }

  /** Returns the id of the body of an entity in `nativeWorld`; null if it has none. */
  bodyOf(entity: Entity): BodyId | null {
    const body = entity.rigidbody?.body as unknown as { id: BodyId } | null | undefined;
    return body?.id ?? null;
  }

  /** Returns the entity of a body. */
  entityOf(body: BodyId): Entity | null {
    return this.bodies.get(body)?.entity ?? null;
  }
}

/** Gives a running application without physics the world `world`, which then simulates its rigid bodies. */
export function installPhysics(app: AppBase, world: TalusPhysicsWorld): void {
  const system = app.systems.rigidbody;
  if (!system) throw new TalusError('unsupported', 'the application has no RigidBodyComponentSystem');
  if (system.physicsWorld) throw new TalusError('unsupported', 'the application has a physics world already');
  system.setPhysicsWorld(world);
}
