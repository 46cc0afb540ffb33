// Data that the components of a world share: the world, the object that draws it, listeners by body and collider, and calls
// around steps.
import { createContext, useContext } from 'react';
import type { Object3D } from 'three';
import {
  type AdvanceOptions,
  type BodyId,
  type ColliderId,
  type ContactEvent,
  type EventKind,
  TalusError,
  type World,
} from '../index';
import type { ShapeKind, ShapeOptions, ThreePhysics } from '../three/index';
import { ColliderApi, type RigidBodyApi } from './apis';
import {
  type BodyHandlers,
  type CollisionHandlers,
  type CollisionTarget,
  HANDLED,
  HANDLERS,
  type HandledKind,
  payloadOf,
} from './events';
import { PairFilters } from './filters';
import { LastingForces } from './forces';
import { driveMotors } from './joint_api';
import { type StepWorld, stepWorldOf } from './rapier_world';
import { Twins } from './twins';

/** Kind of shapes that bodies get from their meshes. `cuboid`, `ball` and `trimesh` are `box`, `sphere` and `mesh`. */
export type AutoColliders = ShapeKind | 'cuboid' | 'ball' | 'trimesh' | false;

const KINDS: Record<string, ShapeKind> = { cuboid: 'box', ball: 'sphere', trimesh: 'mesh' };

export function kindOf(colliders: Exclude<AutoColliders, false>): ShapeKind {
  return KINDS[colliders] ?? (colliders as ShapeKind);
}

type StepCall = (world: StepWorld) => void;

/** The world of a `Physics` component, and everything that components share, while it is mounted. */
export class TalusContext {
  readonly bodies = new Map<BodyId, { api: RigidBodyApi; handlers: { current: BodyHandlers } }>();
  /** Colliders of components. */
  readonly colliders = new Map<ColliderId, { object: Object3D | null; handlers: { current: CollisionHandlers } }>();
  /** Objects of bodies without a binding: models of characters, bones of skinned ragdolls. */
  readonly objects = new Map<BodyId, Object3D>();
  private readonly apis = new Map<ColliderId, ColliderApi>();
  /** @internal */
  readonly filters: PairFilters;
  /** @internal */
  readonly forces: LastingForces;
  /** @internal */
  readonly twins: Twins;
  /** Calls before and after steps, in the order of their components. */
  readonly beforeStep = new Set<{ current: StepCall }>();
  readonly afterStep = new Set<{ current: StepCall }>();
  /**
   * Bodies whose components have not run their effects yet. No step comes in between, so that effects find bodies where props put
   * them. @internal
   */
  readonly unsettled = new Set<object>();
  isPaused = false;
  /**
   * Whether its component was unmounted. Children may live on for some frames: `StrictMode` with a `Suspense` around unmounts and
   * mounts it again.
   * @internal
   */
  isDisposed = false;
  isDebug = false;
  /** Default shapes of bodies. */
  autoColliders: AutoColliders = 'auto';
  shapeOptions: Pick<ShapeOptions, 'decompose' | 'maxVertices'> = {};
  /** Default density, kg/m3. */
  density = 1;
  private readonly ends = new Map<EventKind, () => void>();

  constructor(
    readonly world: World,
    readonly physics: ThreePhysics,
  ) {
    this.filters = new PairFilters(world);
    this.forces = new LastingForces(world);
    this.twins = new Twins(world);
    this.stepWorld = stepWorldOf(this);
  }

  /** The world with Rapier's names too, for calls before and after steps. */
  readonly stepWorld: StepWorld;

  /** Requests a frame, if frames come on demand. @internal */
  redraw: () => void = () => undefined;

  /** Where to draw while steps are paused: at the end of a manual step. @internal */
  drawn: number | undefined;

  /** Runs the steps of a frame with the calls around them, and draws it. @internal */
  advance(seconds: number, options: Pick<AdvanceOptions, 'maxSteps' | 'interpolate'>): void {
    this.drawn = undefined;
    this.physics.update(seconds, { ...options, beforeStep: () => this.begin(), afterStep: () => this.end() });
  }

  private begin(): void {
    for (const call of this.beforeStep) call.current(this.stepWorld);
    this.forces.apply();
    driveMotors(this.world);
    this.filters.beforeStep();
  }

  private end(): void {
    for (const call of this.afterStep) call.current(this.stepWorld);
  }

  /** Makes one step of this length, and draws it. The length of steps in frames does not change. */
  step(seconds: number): void {
    const { world } = this;
    const { dt } = world.settings;
    this.begin();
    world.set({ dt: seconds });
    try {
      world.step();
    } finally {
      world.set({ dt });
    }
    this.end();
    this.drawn = 1;
    this.physics.sync(1);
    this.redraw();
  }

  /** Starts listening to the events that handlers need. */
  listen(handlers: BodyHandlers): void {
    for (const kind of HANDLED) {
      if (this.ends.has(kind) || !HANDLERS[kind].some((name) => handlers[name])) continue;
      this.hear(kind);
    }
    if (handlers.onSleep && !this.ends.has('sleep')) {
      this.ends.set(
        'sleep',
        this.world.on('sleep', ({ body }) => this.bodies.get(body)?.handlers.current.onSleep?.()),
      );
    }
    if (handlers.onWake && !this.ends.has('wake')) {
      this.ends.set(
        'wake',
        this.world.on('wake', ({ body }) => this.bodies.get(body)?.handlers.current.onWake?.()),
      );
    }
  }

  private hear(kind: HandledKind): void {
    if (!this.ends.has(kind))
      this.ends.set(
        kind,
        this.world.on(kind, (event) => this.tell(event)),
      );
  }

  /** Adds colliders that report contacts between kinematic and static bodies, if requested. @internal */
  addTwins(body: BodyId, colliders: readonly ColliderId[], types: number | undefined): ColliderId[] {
    const twins = this.twins.add(body, colliders, types);
    if (twins.length === 0) return twins;
    this.hear('sensor-begin');
    this.hear('sensor-end');
    return twins;
  }

  /** Returns the calls of a collider; the same object each time while the collider exists. */
  colliderOf(id: ColliderId): ColliderApi {
    let api = this.apis.get(id);
    if (!api) {
      api = new ColliderApi(this, id);
      this.apis.set(id, api);
    }
    return api;
  }

  /** Registers the calls of a collider that a component's ref holds. @internal */
  adopt(id: ColliderId, api: ColliderApi): void {
    api.set(id);
    this.apis.set(id, api);
  }

  /** Forgets removed colliders. @internal */
  forget(ids: readonly ColliderId[]): void {
    for (const id of ids) {
      this.colliders.delete(id);
      this.filters.setHooks(id, 0);
      this.twins.forget(id);
      this.apis.get(id)?.set(null);
      this.apis.delete(id);
    }
  }

  private side(body: BodyId, collider: ColliderId): CollisionTarget {
    const side: CollisionTarget = { body, collider: this.colliderOf(collider) };
    const rigidBody = this.bodies.get(body)?.api;
    const rigidBodyObject = this.objects.get(body) ?? this.physics.objectOf(body);
    const colliderObject = this.colliders.get(collider)?.object;
    if (rigidBody) side.rigidBody = rigidBody;
    if (rigidBodyObject) side.rigidBodyObject = rigidBodyObject;
    if (colliderObject) side.colliderObject = colliderObject;
    return side;
  }

  private tell(told: ContactEvent): void {
    const event = this.twins.translate(told);
    if (!event || !this.filters.hears(event)) return;
    const kind = event.kind as HandledKind;
    // Looked up first: a handler may take bodies away.
    const listeners = [
      [this.bodies.get(event.bodyA)?.handlers, false],
      [this.colliders.get(event.colliderA)?.handlers, false],
      [this.bodies.get(event.bodyB)?.handlers, true],
      [this.colliders.get(event.colliderB)?.handlers, true],
    ] as const;
    let sides: [CollisionTarget, CollisionTarget] | undefined;
    for (const [handlers, flipped] of listeners) {
      for (const name of HANDLERS[kind]) {
        const call = handlers?.current[name];
        // As in Rapier: contacts without a force are not reported.
        if (!call || (name === 'onContactForce' && event.force === 0)) continue;
        sides ??= [this.side(event.bodyA, event.colliderA), this.side(event.bodyB, event.colliderB)];
        const [a, b] = sides;
        call(flipped ? payloadOf(name, b, a, event, flipped) : payloadOf(name, a, b, event, flipped));
      }
    }
  }

  dispose(): void {
    this.isDisposed = true;
    for (const end of this.ends.values()) end();
    this.ends.clear();
    this.physics.dispose();
  }
}

export const PhysicsContext = createContext<TalusContext | null>(null);

/**
 * Returns the context of the `Physics` component around: its world, the object that draws it, and `step`.
 * @throws TalusError outside of a `Physics` component
 */
export function useTalus(): TalusContext {
  const context = useContext(PhysicsContext);
  if (!context) throw new TalusError('invalid-argument', 'useTalus and components of talus belong inside of <Physics>');
  return context;
}
