// Babylon.js's physics of version 2 on a world of talus: implements the interface of its engine by the other files of this
// folder.
import { BoundingBox } from '@babylonjs/core/Culling/boundingBox.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Observable } from '@babylonjs/core/Misc/observable.js';
import type { IPhysicsPointProximityQuery } from '@babylonjs/core/Physics/physicsPointProximityQuery.js';
import type { IRaycastQuery, PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import type { IPhysicsShapeCastQuery } from '@babylonjs/core/Physics/physicsShapeCastQuery.js';
import type { IPhysicsShapeProximityCastQuery } from '@babylonjs/core/Physics/physicsShapeProximityCastQuery.js';
import type { ProximityCastResult } from '@babylonjs/core/Physics/proximityCastResult.js';
import type { ShapeCastResult } from '@babylonjs/core/Physics/shapeCastResult.js';
import {
  PhysicsActivationControl as Activation,
  type ConstrainedBodyPair,
  type IBasePhysicsCollisionEvent,
  type IPhysicsCollisionEvent,
  type IPhysicsEnginePluginV2,
  type PhysicsConstraintAxisLimitMode as Mode,
  type PhysicsMotionType as Motion,
  type PhysicsConstraintAxis,
  type PhysicsConstraintMotorType,
  type PhysicsMassProperties,
  type PhysicsShapeParameters,
  type PhysicsShapeType,
  PhysicsPrestepType as Prestep,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import type { PhysicsConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import type { PhysicsMaterial } from '@babylonjs/core/Physics/v2/physicsMaterial.js';
import type { PhysicsShape } from '@babylonjs/core/Physics/v2/physicsShape.js';
import type { Nullable } from '@babylonjs/core/types.js';
import { TalusError } from '../checks/errors';
import type { Decompose, Decomposer } from '../engines/decompose';
import { Pushes } from '../engines/pushes';
import type { World } from '../index';
import type { BodyId } from '../types';
import { type Bench, BodyData, EVENT_BITS } from './bodies';
import { collectors } from './collectors';
import { type AxisState, ConstraintData } from './constraints';
import { Events, type SleepEvent } from './events';
import { readShape } from './geometry';
import { instancesOf, Nodes, newInstances, readInstance } from './nodes';
import { Origin } from './origin';

import { BabylonQueries, dataOf } from './queries';
import { type ShapeBench, ShapeData } from './shapes';
import { turnOf, vectorOf } from './vectors';

/** Options of `TalusPlugin`. */
export interface TalusPluginOptions {
  /**
   * Whether a frame simulates the time that it lasts, in steps of the engine's time step (`setTimeStep`), with nodes drawn
   * between the last two steps; default true. If false, each frame is one step, however long it took.
   */
  useDeltaForWorldStep?: boolean;
  /** Whether `dispose` (also that of the scene) closes the world; default true. */
  ownsWorld?: boolean;
  /**
   * Cuts the mesh of a `PhysicsShapeType.MESH` on a dynamic body into convex parts: a function from positions and indices to the
   * points of each part, or a library such as vhacd-js. Without it the body gets the convex hull of the mesh.
   */
  decompose?: Decomposer | Decompose;
  /**
   * Position of the world's origin in the scene; default 0 0 0. Use it for scenes far away from their origin (floating origin):
   * nodes keep their large coordinates, and bodies have small ones. It does not move.
   */
  origin?: Vector3;
  /** Largest number of hits of `raycastMulti`, nearest first, 1 or more; default Infinity. */
  maxQueryCollectorHits?: number;
}

type Body = PhysicsBody;

/**
 * Physics plugin for `scene.enablePhysics(gravity, plugin)`. It implements all of Babylon.js's physics v2, with the exceptions in
 * docs/babylon.md.
 */
export class TalusPlugin implements IPhysicsEnginePluginV2 {
  readonly name = 'TalusPlugin';
  /** The world of talus, for everything that Babylon.js has no call for. */
  readonly world: World;
  readonly onCollisionObservable: Observable<IPhysicsCollisionEvent>;
  readonly onCollisionEndedObservable: Observable<IBasePhysicsCollisionEvent>;
  readonly onTriggerCollisionObservable: Observable<IBasePhysicsCollisionEvent>;
  /** Notifies observers of bodies that fell asleep or woke. */
  readonly onBodySleepObservable: Observable<SleepEvent>;
  /** @internal The calls that Babylon.js's character controller uses. */
  readonly _hknp: object;
  /** @internal Bodies by id, for the character controller. */
  readonly _bodies = new Map<BodyId, BodyData>();
  private readonly bench: Bench;
  private readonly shapeBench: ShapeBench;
  private readonly told = new Set<string>();
  private readonly events: Events;
  private readonly nodes: Nodes;
  private readonly queries: BabylonQueries;
  private readonly pushes: Pushes;
  private readonly constraints = new Set<ConstraintData>();
  private readonly useDelta: boolean;
  private readonly ownsWorld: boolean;
  private isClosed = false;

  /** `world` comes from `createWorld`; from `enablePhysics` on it has gravity and time step of the scene. */
  constructor(world: World, options: TalusPluginOptions = {}) {
    if (typeof world?.createBody !== 'function') {
      throw new TalusError('invalid-argument', 'new TalusPlugin(world): pass the result of `await createWorld()`');
    }
    this.world = world;
    this.useDelta = options.useDeltaForWorldStep ?? true;
    this.ownsWorld = options.ownsWorld ?? true;
    const origin = new Origin(options.origin ?? Vector3.ZeroReadOnly);
    if (![origin.x, origin.y, origin.z].every(Number.isFinite)) {
      throw new TalusError('invalid-argument', `origin must be a Vector3 of finite numbers, got ${options.origin}`);
    }
    this.bench = { world, origin, dirty: new Set() };
    const { decompose = null } = options;
    this.shapeBench = { world, flush: () => this.flush(), decompose, tell: (text) => this.tell(text) };
    this.events = new Events(world, this._bodies, origin);
    this.nodes = new Nodes(world, origin);
    this.pushes = new Pushes(world);
    this.queries = new BabylonQueries(world, this._bodies, () => this.flush(), origin);
    this._hknp = collectors(this.queries);
    this.setMaxQueryCollectorHits(options.maxQueryCollectorHits ?? Number.POSITIVE_INFINITY);
    this.onCollisionObservable = this.events.onCollision;
    this.onCollisionEndedObservable = this.events.onEnded;
    this.onTriggerCollisionObservable = this.events.onTrigger;
    this.onBodySleepObservable = this.events.onSleep;
  }

  /** Logs a line, once for each text. */
  private tell(text: string): void {
    if (this.told.has(text)) return;
    this.told.add(text);
    console.warn(`talus: ${text}`);
  }

  // Steps

  getPluginVersion(): number {
    return 2;
  }

  isSupported(): boolean {
    return true;
  }

  setGravity(gravity: Vector3): void {
    this.world.set({ gravity });
  }

  getGravity(): Vector3 {
    return Vector3.FromArray(vectorOfSetting(this.world.settings.gravity));
  }

  /** Sets the length of a step, s, 1e-5 to 0.1. */
  setTimeStep(timeStep: number): void {
    this.world.set({ dt: timeStep });
  }

  getTimeStep(): number {
    return this.world.settings.dt;
  }

  setVelocityLimits(maxLinearVelocity: number, maxAngularVelocity: number): void {
    this.world.set({ maxLinearSpeed: maxLinearVelocity, maxAngularSpeed: maxAngularVelocity });
  }

  getMaxLinearVelocity(): number {
    return this.world.settings.maxLinearSpeed;
  }

  getMaxAngularVelocity(): number {
    return this.world.settings.maxAngularSpeed;
  }

  executeStep(delta: number, bodies: Body[]): void {
    if (this.isClosed) return;
    this.flush();
    for (const body of bodies) if (!body.disablePreStep) this.setPhysicsBodyTransformation(body, body.transformNode);
    const { world, pushes } = this;
    const beforeStep = (): void => {
      pushes.beforeStep();
      for (const constraint of this.constraints) constraint.beforeStep();
    };
    const afterStep = (): void => this.events.gather();
    pushes.frame(this.useDelta ? delta / world.settings.dt : 1);
    let alpha = 1;
    if (this.useDelta) alpha = world.advance(delta, { beforeStep, afterStep }).alpha;
    else {
      beforeStep();
      if (world.step()) afterStep();
    }
    for (const body of bodies) if (!body.disableSync) this.nodes.write(body, body.transformNode, alpha);
    this.events.tell();
  }

  /** Writes the changes of bodies since the last step. */
  private flush(): void {
    for (const body of this.bench.dirty) body.flush();
  }

  /** Moves a body to its node, as its pre-step type says. */
  setPhysicsBodyTransformation(body: Body, node: TransformNode): void {
    if (body.getPrestepType() === Prestep.DISABLED) return;
    this.nodes.read(body, node, (data, position, rotation) =>
      this.pushes.aim(data, this.bench.origin.enter(position), turnOf(rotation)),
    );
  }

  // Bodies

  private one(body: Body, index?: number): BodyData {
    const data = (body._pluginDataInstances.length > 0 ? body._pluginDataInstances[index ?? 0] : body._pluginData) as BodyData;
    if (!data) throw new TalusError('stale-handle', `the PhysicsBody is disposed, or has no instance ${index}`);
    return data;
  }

  private each(body: Body, index: number | undefined, act: (data: BodyData) => void): void {
    if (body._pluginDataInstances.length > 0 && index === undefined) for (const data of body._pluginDataInstances) act(data);
    else act(this.one(body, index));
  }

  private make(body: Body, index: number, motion: Motion, position: Vector3, rotation: Quaternion): BodyData {
    const data = new BodyData(this.bench, body, index, motion, position, rotation);
    this._bodies.set(data.id, data);
    if (body.startAsleep) this.pushes.sleepLater(data);
    return data;
  }

  private drop(data: BodyData): void {
    this._bodies.delete(data.id);
    this.events.forget(data);
    data.dispose();
  }

  initBody(body: Body, motionType: Motion, position: Vector3, orientation: Quaternion): void {
    body._pluginData = this.make(body, 0, motionType, position, orientation);
  }

  initBodyInstances(body: Body, motionType: Motion, mesh: Mesh): void {
    this.fitInstances(body, motionType, mesh);
  }

  /** Updates the bodies of thin instances. Call it when the number of thin instances has changed. */
  updateBodyInstances(body: Body, mesh: Mesh): void {
    this.fitInstances(body, this.getMotionType(body), mesh);
  }

  private fitInstances(body: Body, motion: Motion, mesh: Mesh): void {
    const { matrices, count } = instancesOf(mesh);
    const list = body._pluginDataInstances as BodyData[];
    while (list.length > count) this.drop(list.pop()!);
    const position = new Vector3();
    const rotation = new Quaternion();
    while (list.length < count) {
      readInstance(matrices, list.length, position, rotation);
      const data = this.make(body, list.length, motion, position, rotation);
      const first = list[0];
      if (first) {
        data.massProps = first.massProps;
        data.eventMask = first.eventMask;
        data.setShape(first.shape);
      }
      list.push(data);
    }
    this.nodes.instances.set(body, newInstances(this.world, list, matrices));
  }

  removeBody(body: Body): void {
    if (this.isClosed) return;
    for (const data of body._pluginDataInstances as BodyData[]) this.drop(data);
    if (body._pluginData) this.drop(body._pluginData as BodyData);
  }

  /** Does nothing: `removeBody` has done all. */
  disposeBody(_body: Body): void {}

  get numBodies(): number {
    return this._bodies.size;
  }

  sync(body: Body): void {
    this.syncTransform(body, body.transformNode);
  }

  syncTransform(body: Body, transformNode: TransformNode): void {
    if (!this.isClosed) this.nodes.write(body, transformNode, 1);
  }

  setShape(body: Body, shape: Nullable<PhysicsShape>): void {
    if (this.isClosed) return;
    const data = shape ? dataOf(shape._pluginData) : null;
    this.each(body, undefined, (one) => one.setShape(data));
  }

  getShape(body: Body): Nullable<PhysicsShape> {
    return this.one(body).shape?.owner ?? null;
  }

  setMotionType(body: Body, motionType: Motion, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => {
      data.motion = motionType;
      data.touch();
    });
  }

  getMotionType(body: Body, instanceIndex?: number): Motion {
    return this.one(body, instanceIndex).motion;
  }

  /** Sets whether a body sleeps. ALWAYS_ACTIVE: never. ALWAYS_INACTIVE: until something wakes it. */
  setActivationControl(body: Body, controlMode: Activation): void {
    this.each(body, undefined, (data) => {
      this.world.setAllowSleep(data.id, controlMode !== Activation.ALWAYS_ACTIVE);
      if (controlMode === Activation.ALWAYS_ACTIVE) this.world.wake(data.id);
      else if (controlMode === Activation.ALWAYS_INACTIVE) this.pushes.sleepLater(data);
    });
  }

  /** Returns the mass properties by the shape and its density. */
  computeMassProperties(body: Body, instanceIndex?: number): PhysicsMassProperties {
    const { mass, center, inertia } = this.one(body, instanceIndex).ownMass();
    return {
      mass,
      centerOfMass: Vector3.FromArray(center),
      inertia: Vector3.FromArray(inertia.map((x) => x / mass)),
      inertiaOrientation: Quaternion.Identity(),
    };
  }

  setMassProperties(body: Body, massProps: PhysicsMassProperties, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => {
      data.massProps = { ...massProps };
      data.touch();
    });
  }

  getMassProperties(body: Body, instanceIndex?: number): PhysicsMassProperties {
    return this.one(body, instanceIndex).mass();
  }

  setLinearDamping(body: Body, damping: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ id }) => this.world.setDamping(id, damping, this.world.getAngularDamping(id)));
  }

  getLinearDamping(body: Body, instanceIndex?: number): number {
    return this.world.getLinearDamping(this.one(body, instanceIndex).id);
  }

  setAngularDamping(body: Body, damping: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ id }) => this.world.setDamping(id, this.world.getLinearDamping(id), damping));
  }

  getAngularDamping(body: Body, instanceIndex?: number): number {
    return this.world.getAngularDamping(this.one(body, instanceIndex).id);
  }

  setLinearVelocity(body: Body, linVel: Vector3, instanceIndex?: number): void {
    this.moving(body, instanceIndex, (data) => this.world.setLinearVelocity(data.id, linVel));
  }

  getLinearVelocityToRef(body: Body, linVel: Vector3, instanceIndex?: number): void {
    this.world.getLinearVelocity(this.one(body, instanceIndex).id, linVel);
  }

  setAngularVelocity(body: Body, angVel: Vector3, instanceIndex?: number): void {
    this.moving(body, instanceIndex, (data) => this.world.setAngularVelocity(data.id, angVel));
  }

  getAngularVelocityToRef(body: Body, angVel: Vector3, instanceIndex?: number): void {
    this.world.getAngularVelocity(this.one(body, instanceIndex).id, angVel);
  }

  /** Acts on bodies that have a velocity, or are dynamic. Other bodies ignore it, as in Babylon.js. */
  private moving(body: Body, index: number | undefined, act: (data: BodyData) => void, isDynamic = false): void {
    this.each(body, index, (data) => {
      data.flush();
      const { type } = data;
      if (isDynamic ? type === 'dynamic' : type !== 'static') act(data);
    });
  }

  /** Applies an impulse (N s) at a world point, or without one at the center of mass. */
  applyImpulse(body: Body, impulse: Vector3, location?: Vector3, instanceIndex?: number): void {
    const point = location && this.bench.origin.enter(location);
    this.moving(body, instanceIndex, ({ id }) => this.world.applyImpulse(id, impulse, point), true);
  }

  applyAngularImpulse(body: Body, angularImpulse: Vector3, instanceIndex?: number): void {
    this.moving(body, instanceIndex, ({ id }) => this.world.applyAngularImpulse(id, angularImpulse), true);
  }

  /** Applies a force (N) at a world point, for this frame. */
  applyForce(body: Body, force: Vector3, location: Vector3, instanceIndex?: number): void {
    this.moving(body, instanceIndex, (data) => this.pushes.force(data, vectorOf(force), this.bench.origin.enter(location)), true);
  }

  /** Applies a torque (N m), for this frame. */
  applyTorque(body: Body, torque: Vector3, instanceIndex?: number): void {
    this.moving(body, instanceIndex, (data) => this.pushes.torque(data, vectorOf(torque)), true);
  }

  setGravityFactor(body: Body, factor: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ id }) => this.world.setGravityScale(id, factor));
  }

  getGravityFactor(body: Body, instanceIndex?: number): number {
    return this.world.getGravityScale(this.one(body, instanceIndex).id);
  }

  /** Sets the pose of the body at the end of this frame. It moves there and pushes bodies in its way. */
  setTargetTransform(body: Body, position: Vector3, rotation: Quaternion, instanceIndex?: number): void {
    this.moving(body, instanceIndex, (data) => this.pushes.aim(data, this.bench.origin.enter(position), turnOf(rotation)));
  }

  getBodyGeometry(body: Body): { positions: Float32Array; indices: Uint32Array } {
    const { positions, indices } = this.one(body).shape?.triangles() ?? { positions: [], indices: [] };
    return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
  }

  getBodyBoundingBox(body: Body): BoundingBox {
    const { minimum, maximum } = this.getBoundingBox(body.shape!);
    return new BoundingBox(minimum, maximum, body.transformNode.getWorldMatrix());
  }

  // Events

  setEventMask(body: Body, eventMask: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => {
      data.eventMask = eventMask;
      data.touch();
    });
  }

  getEventMask(body: Body, instanceIndex?: number): number {
    return this.one(body, instanceIndex).eventMask;
  }

  setCollisionCallbackEnabled(body: Body, enabled: boolean, instanceIndex?: number): void {
    const { COLLISION_STARTED, COLLISION_CONTINUED, COLLISION_FINISHED } = EVENT_BITS;
    const bits = COLLISION_STARTED | COLLISION_CONTINUED | COLLISION_FINISHED;
    this.switchEvents(body, bits, enabled, instanceIndex);
  }

  setCollisionEndedCallbackEnabled(body: Body, enabled: boolean, instanceIndex?: number): void {
    this.switchEvents(body, EVENT_BITS.COLLISION_FINISHED, enabled, instanceIndex);
  }

  private switchEvents(body: Body, bits: number, enabled: boolean, index: number | undefined): void {
    if (this.isClosed) return;
    this.each(body, index, (data) => {
      data.eventMask = enabled ? data.eventMask | bits : data.eventMask & ~bits;
      data.touch();
    });
  }

  getCollisionObservable(body: Body, instanceIndex?: number): Observable<IPhysicsCollisionEvent> {
    return this.events.collisionsOf(this.one(body, instanceIndex));
  }

  getCollisionEndedObservable(body: Body, instanceIndex?: number): Observable<IBasePhysicsCollisionEvent> {
    return this.events.endsOf(this.one(body, instanceIndex));
  }

  // Shapes

  initShape(shape: PhysicsShape, type: PhysicsShapeType, options: PhysicsShapeParameters): void {
    const { desc, position, rotation, meshName } = readShape(type, options);
    shape._pluginData = new ShapeData(this.shapeBench, shape, desc, position, rotation, meshName);
  }

  getShapeType(shape: PhysicsShape): PhysicsShapeType {
    return shape.type ?? dataOf(shape._pluginData).owner.type;
  }

  private change(
    shape: PhysicsShape,
    changes: Partial<Pick<ShapeData, 'material' | 'membership' | 'collideWith' | 'density' | 'isTrigger'>>,
  ): void {
    const data = dataOf(shape._pluginData);
    Object.assign(data, changes);
    data.changed();
  }

  setShapeFilterMembershipMask(shape: PhysicsShape, membershipMask: number): void {
    this.change(shape, { membership: membershipMask });
  }

  getShapeFilterMembershipMask(shape: PhysicsShape): number {
    return dataOf(shape._pluginData).membership ?? ~0;
  }

  setShapeFilterCollideMask(shape: PhysicsShape, collideMask: number): void {
    this.change(shape, { collideWith: collideMask });
  }

  getShapeFilterCollideMask(shape: PhysicsShape): number {
    return dataOf(shape._pluginData).collideWith ?? ~0;
  }

  /**
   * Sets the material. `friction` is used for holding and sliding: bodies have one coefficient, and `staticFriction` is stored
   * but not used. Restitution counts from 0 to 1. A warning says so once if a material asks for more.
   */
  setMaterial(shape: PhysicsShape, material: PhysicsMaterial): void {
    const { friction = 0.5, staticFriction = friction, restitution = 0 } = material;
    if (staticFriction !== friction) {
      this.tell('staticFriction of materials is not used: bodies have one coefficient, friction');
    }
    if (!(restitution >= 0 && restitution <= 1)) {
      this.tell('restitution of materials is limited to 0 to 1');
    }
    this.change(shape, { material: { ...material } });
  }

  getMaterial(shape: PhysicsShape): PhysicsMaterial {
    return { ...(dataOf(shape._pluginData).material ?? { friction: 0.5, restitution: 0 }) };
  }

  /** Sets the density, kg/m3. */
  setDensity(shape: PhysicsShape, density: number): void {
    this.change(shape, { density });
  }

  getDensity(shape: PhysicsShape): number {
    return dataOf(shape._pluginData).density ?? 1000;
  }

  setTrigger(shape: PhysicsShape, isTrigger: boolean): void {
    this.change(shape, { isTrigger });
  }

  addChild(shape: PhysicsShape, newChild: PhysicsShape, translation?: Vector3, rotation?: Quaternion, scale?: Vector3): void {
    dataOf(shape._pluginData).add({
      shape: dataOf(newChild._pluginData),
      position: vectorOf(translation),
      rotation: turnOf(rotation),
      scale: vectorOf(scale, [1, 1, 1]),
    });
  }

  removeChild(shape: PhysicsShape, childIndex: number): void {
    dataOf(shape._pluginData).remove(childIndex);
  }

  getNumChildren(shape: PhysicsShape): number {
    return dataOf(shape._pluginData).children.length;
  }

  getBoundingBox(shape: PhysicsShape): BoundingBox {
    const { min, max } = dataOf(shape._pluginData).bounds();
    return new BoundingBox(Vector3.FromArray(min), Vector3.FromArray(max), Matrix.IdentityReadOnly);
  }

  /** Disposes a shape. Bodies that still have it keep it. */
  disposeShape(shape: PhysicsShape): void {
    if (!this.isClosed) dataOf(shape._pluginData).dispose();
    shape._pluginData = undefined;
  }

  // Constraints

  private of(constraint: PhysicsConstraint): ConstraintData {
    let data = constraint._pluginData as ConstraintData | undefined;
    if (!data) {
      data = new ConstraintData(this.world, constraint);
      constraint._pluginData = data;
      this.constraints.add(data);
    }
    return data;
  }

  /**
   * Creates a constraint. Bodies of thin instances need an index each; without one there is no constraint, and a warning says so.
   */
  initConstraint(
    constraint: PhysicsConstraint,
    body: Body,
    childBody: Body,
    instanceIndex?: number,
    childInstanceIndex?: number,
  ): void {
    const isOpen = (one: Body, index?: number): boolean => one._pluginDataInstances.length > 0 && index === undefined;
    if (isOpen(body, instanceIndex) || isOpen(childBody, childInstanceIndex)) {
      const name = (isOpen(body, instanceIndex) ? body : childBody).transformNode.name;
      console.warn(
        `talus: no constraint was added, because '${name}' has thin instances: addConstraint needs the index of one of them`,
      );
      return;
    }
    this.of(constraint).add(this.one(body, instanceIndex), this.one(childBody, childInstanceIndex));
  }

  addConstraint(
    body: Body,
    childBody: Body,
    constraint: PhysicsConstraint,
    instanceIndex?: number,
    childInstanceIndex?: number,
  ): void {
    this.initConstraint(constraint, body, childBody, instanceIndex, childInstanceIndex);
  }

  setEnabled(constraint: PhysicsConstraint, isEnabled: boolean): void {
    this.of(constraint).isEnabled = isEnabled;
    this.of(constraint).renew();
  }

  getEnabled(constraint: PhysicsConstraint): boolean {
    return this.of(constraint).isEnabled;
  }

  setCollisionsEnabled(constraint: PhysicsConstraint, isEnabled: boolean): void {
    this.of(constraint).collides = isEnabled;
    this.of(constraint).renew();
  }

  getCollisionsEnabled(constraint: PhysicsConstraint): boolean {
    return this.of(constraint).collides;
  }

  private axis(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): AxisState {
    const state = this.of(constraint).axes[axis];
    if (!state) throw new TalusError('invalid-argument', `axis must be a PhysicsConstraintAxis, got ${axis}`);
    return state;
  }

  private setAxis(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, changes: Partial<AxisState>): void {
    Object.assign(this.axis(constraint, axis), changes);
    this.of(constraint).renew();
  }

  setAxisFriction(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, friction: number): void {
    this.setAxis(constraint, axis, { friction });
  }

  getAxisFriction(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number {
    return this.axis(constraint, axis).friction;
  }

  setAxisMode(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, limitMode: Mode): void {
    this.setAxis(constraint, axis, { mode: limitMode });
  }

  getAxisMode(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): Mode {
    return this.axis(constraint, axis).mode;
  }

  setAxisMinLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, minLimit: number): void {
    this.setAxis(constraint, axis, { min: minLimit });
  }

  getAxisMinLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number {
    return this.axis(constraint, axis).min;
  }

  setAxisMaxLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, limit: number): void {
    this.setAxis(constraint, axis, { max: limit });
  }

  getAxisMaxLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number {
    return this.axis(constraint, axis).max;
  }

  /**
   * Sets the type of a motor. VELOCITY drives the child relative to the parent, m/s or rad/s; POSITION drives it to a position, m
   * or rad.
   */
  setAxisMotorType(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, motorType: PhysicsConstraintMotorType): void {
    this.setAxis(constraint, axis, { motor: motorType });
  }

  getAxisMotorType(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): PhysicsConstraintMotorType {
    return this.axis(constraint, axis).motor;
  }

  setAxisMotorTarget(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, target: number): void {
    this.setAxis(constraint, axis, { target });
  }

  getAxisMotorTarget(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number {
    return this.axis(constraint, axis).target;
  }

  /** Sets the largest force (N) or torque (N m) of a motor. */
  setAxisMotorMaxForce(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, maxForce: number): void {
    this.setAxis(constraint, axis, { maxForce });
  }

  getAxisMotorMaxForce(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number {
    return this.axis(constraint, axis).maxForce;
  }

  disposeConstraint(constraint: PhysicsConstraint): void {
    const data = constraint._pluginData as ConstraintData | undefined;
    if (!data) return;
    if (!this.isClosed) data.dispose();
    this.constraints.delete(data);
    constraint._pluginData = undefined;
  }

  getBodiesUsingConstraint(constraint: PhysicsConstraint): ConstrainedBodyPair[] {
    return this.of(constraint)
      .pairs.filter(({ a, b }) => a.isAlive && b.isAlive)
      .map(({ a, b }) => ({ parentBody: a.body, parentBodyIndex: a.index, childBody: b.body, childBodyIndex: b.index }));
  }

  // Queries

  /** Sets the largest number of hits of a raycast into an empty array, 1 or more; Infinity: all. */
  setMaxQueryCollectorHits(maxQueryCollectorHits: number): void {
    if (!(maxQueryCollectorHits >= 1)) {
      throw new TalusError('invalid-argument', `maxQueryCollectorHits must be a number from 1 on, got ${maxQueryCollectorHits}`);
    }
    this.queries.maxHits = Math.floor(maxQueryCollectorHits);
  }

  getMaxQueryCollectorHits(): number {
    return this.queries.maxHits;
  }

  /**
   * Casts a ray. A single result gets the nearest hit. An array gets as many hits as it has elements; an empty array gets all
   * hits up to `maxQueryCollectorHits`, nearest first.
   */
  raycast(from: Vector3, to: Vector3, result: PhysicsRaycastResult | PhysicsRaycastResult[], query?: IRaycastQuery): void {
    this.queries.raycast(from, to, result, query);
  }

  pointProximity(query: IPhysicsPointProximityQuery, result: ProximityCastResult): void {
    this.queries.pointProximity(query, result);
  }

  shapeProximity(
    query: IPhysicsShapeProximityCastQuery,
    inputShapeResult: ProximityCastResult,
    hitShapeResult: ProximityCastResult,
  ): void {
    this.queries.shapeProximity(query, inputShapeResult, hitShapeResult);
  }

  shapeCast(query: IPhysicsShapeCastQuery, inputShapeResult: ShapeCastResult, hitShapeResult: ShapeCastResult): void {
    this.queries.shapeCast(query, inputShapeResult, hitShapeResult);
  }

  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.events.dispose();
    this._bodies.clear();
    this.constraints.clear();
    if (this.ownsWorld) this.world.dispose();
  }
}

function vectorOfSetting(gravity: ArrayLike<number> | { x: number; y: number; z: number }): number[] {
  return 'x' in gravity ? [gravity.x, gravity.y, gravity.z] : Array.from(gravity);
}
