// What components of a world share: the world, what draws it, who listens to which body and collider, and calls around steps.
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
import type { RigidBodyApi } from './body_api';

/** One of the two that meet, as handlers see it. */
export interface CollisionSide {
  /** Null where the body was not made by a component. */
  rigidBody: RigidBodyApi | null;
  rigidBodyObject: Object3D | null;
  body: BodyId;
  collider: ColliderId;
  /** What a collider component draws about itself, or null. */
  colliderObject: Object3D | null;
}

/** What handlers of collisions and intersections are given. */
export interface CollisionPayload {
  target: CollisionSide;
  other: CollisionSide;
  /** As it is in `world.events`: point, normal from A to B, impulse, approach speed. */
  event: ContactEvent;
  /** Whether the target is body B of the event. */
  flipped: boolean;
}

/** Handlers of a body or a collider. */
export interface CollisionHandlers {
  onCollisionEnter?: (payload: CollisionPayload) => void;
  onCollisionExit?: (payload: CollisionPayload) => void;
  onIntersectionEnter?: (payload: CollisionPayload) => void;
  onIntersectionExit?: (payload: CollisionPayload) => void;
  /** Every step while they touch; `event.force` in newtons, and `event.impulse`. */
  onContactForce?: (payload: CollisionPayload) => void;
}

/** Of bodies alone. */
export interface BodyHandlers extends CollisionHandlers {
  onSleep?: () => void;
  onWake?: () => void;
}

/** Which handler an event calls. */
const HANDLERS = {
  begin: 'onCollisionEnter',
  end: 'onCollisionExit',
  'sensor-begin': 'onIntersectionEnter',
  'sensor-end': 'onIntersectionExit',
  persist: 'onContactForce',
} as const;
type Told = keyof typeof HANDLERS;

/** Shapes that bodies get from the meshes in them: `cuboid`, `ball` and `trimesh` are `box`, `sphere` and `mesh`. */
export type AutoColliders = ShapeKind | 'cuboid' | 'ball' | 'trimesh' | false;

const KINDS: Record<string, ShapeKind> = { cuboid: 'box', ball: 'sphere', trimesh: 'mesh' };

export function kindOf(colliders: Exclude<AutoColliders, false>): ShapeKind {
  return KINDS[colliders] ?? (colliders as ShapeKind);
}

type StepCall = (world: World) => void;

/** The world of a `Physics` component, while it is there. */
export class TalusContext {
  readonly bodies = new Map<BodyId, { api: RigidBodyApi; handlers: { current: BodyHandlers } }>();
  readonly colliders = new Map<ColliderId, { object: Object3D | null; handlers: { current: CollisionHandlers } }>();
  /** What is drawn of bodies that no object is bound to: those of characters and of skinned ragdolls. */
  readonly objects = new Map<BodyId, Object3D>();
  /** Calls before and after steps, in the order in which their components came. */
  readonly beforeStep = new Set<{ current: StepCall }>();
  readonly afterStep = new Set<{ current: StepCall }>();
  isPaused = false;
  isDebug = false;
  /** Default shapes of bodies. */
  autoColliders: AutoColliders = 'auto';
  shapeOptions: Pick<ShapeOptions, 'decompose' | 'maxVertices'> = {};
  private readonly ends = new Map<EventKind, () => void>();

  constructor(
    readonly world: World,
    readonly physics: ThreePhysics,
  ) {}

  /** Asks for a frame, where they come on demand. @internal */
  redraw: () => void = () => undefined;

  /** Where pictures are drawn while steps wait: after a step by hand at its end. @internal */
  drawn: number | undefined;

  /** Makes the steps of a frame with the calls around them, and draws it. @internal */
  advance(seconds: number, options: Pick<AdvanceOptions, 'maxSteps' | 'interpolate'>): void {
    const beforeStep = () => {
      for (const call of this.beforeStep) call.current(this.world);
    };
    const afterStep = () => {
      for (const call of this.afterStep) call.current(this.world);
    };
    this.drawn = undefined;
    this.physics.update(seconds, { ...options, beforeStep, afterStep });
  }

  /** Makes a step of that length by hand, and draws it; steps of frames stay as long as they were. */
  step(seconds: number): void {
    const { world } = this;
    const { dt } = world.settings;
    for (const call of this.beforeStep) call.current(world);
    world.set({ dt: seconds });
    try {
      world.step();
    } finally {
      world.set({ dt });
    }
    for (const call of this.afterStep) call.current(world);
    this.drawn = 1;
    this.physics.sync(1);
    this.redraw();
  }

  /** Listens to what handlers ask for, from now on. */
  listen(handlers: BodyHandlers): void {
    for (const [kind, name] of Object.entries(HANDLERS) as [Told, keyof CollisionHandlers][]) {
      if (handlers[name] && !this.ends.has(kind))
        this.ends.set(
          kind,
          this.world.on(kind, (event) => this.tell(kind, event)),
        );
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

  private side(body: BodyId, collider: ColliderId): CollisionSide {
    return {
      rigidBody: this.bodies.get(body)?.api ?? null,
      rigidBodyObject: this.objects.get(body) ?? this.physics.objectOf(body),
      body,
      collider,
      colliderObject: this.colliders.get(collider)?.object ?? null,
    };
  }

  private tell(kind: Told, event: ContactEvent): void {
    const name = HANDLERS[kind];
    const a = () => this.side(event.bodyA, event.colliderA);
    const b = () => this.side(event.bodyB, event.colliderB);
    // Looked up first: a handler may take bodies away.
    const calls = [
      [this.bodies.get(event.bodyA)?.handlers, false],
      [this.colliders.get(event.colliderA)?.handlers, false],
      [this.bodies.get(event.bodyB)?.handlers, true],
      [this.colliders.get(event.colliderB)?.handlers, true],
    ] as const;
    for (const [handlers, flipped] of calls) {
      const call = handlers?.current[name];
      if (call) call({ target: flipped ? b() : a(), other: flipped ? a() : b(), event, flipped });
    }
  }

  dispose(): void {
    for (const end of this.ends.values()) end();
    this.ends.clear();
    this.physics.dispose();
  }
}

export const PhysicsContext = createContext<TalusContext | null>(null);

/**
 * The world of the `Physics` component around, what draws it, and `step`.
 * @throws TalusError outside of one
 */
export function useTalus(): TalusContext {
  const context = useContext(PhysicsContext);
  if (!context) throw new TalusError('invalid-argument', 'useTalus and components of talus belong inside of <Physics>');
  return context;
}
