// One body of the world with its settings from Babylon.js. Fields that depend on its shape are written when they are next needed.

import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import {
  PhysicsMotionType as Motion,
  type PhysicsMassProperties,
  type PhysicsMotionType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import type { MassDesc, World } from '../index';
import { type Turn, turn, type Vector } from '../rigs/turns';
import type { BodyId, BodyType, ColliderId } from '../types';
import type { Origin } from './origin';
import type { Part, ShapeData, ShapeMass } from './shapes';
import { turnOf, vectorOf } from './vectors';

/** Bits of event masks, by PhysicsEventType. */
export const EVENT_BITS = {
  COLLISION_STARTED: 1,
  COLLISION_CONTINUED: 2,
  COLLISION_FINISHED: 4,
  TRIGGER_ENTERED: 8,
  TRIGGER_EXITED: 16,
} as const;

/** Angular damping of Babylon.js bodies by default, 1/s. */
const ANGULAR_DAMPING = 0.1;

/** Data that bodies share: the world, and the bodies with changes to be written. */
export interface Bench {
  world: World;
  origin: Origin;
  dirty: Set<BodyData>;
}

export class BodyData {
  readonly id: BodyId;
  /** Id in the form that Babylon.js' character controller expects. */
  readonly hpBodyId: readonly [BodyId];
  motion: PhysicsMotionType;
  massProps: PhysicsMassProperties = {};
  shape: ShapeData | null = null;
  eventMask = 0;
  /** Position and rotation of the node as last written: a pre-step detects by them that the caller has moved it. */
  readonly drawn: Float64Array = new Float64Array(7);
  private parts: readonly Part[] = [];
  private locked = '';
  private colliders: ColliderId[] = [];

  constructor(
    readonly bench: Bench,
    readonly body: PhysicsBody,
    readonly index: number,
    motion: PhysicsMotionType,
    position: Vector3,
    rotation: Quaternion,
  ) {
    this.motion = motion;
    this.id = bench.world.createBody({
      type: this.type,
      position: bench.origin.enter(position),
      rotation: turnOf(rotation),
      angularDamping: ANGULAR_DAMPING,
      ...(this.type === 'dynamic' ? { mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } } : {}),
      colliders: [],
    });
    this.hpBodyId = [this.id];
    this.remember(position, rotation);
    bench.dirty.add(this);
  }

  get isAlive(): boolean {
    return this.bench.world.isAlive(this.id);
  }

  /** Its type; a body of infinite mass is kinematic. */
  get type(): BodyType {
    if (this.motion === Motion.STATIC) return 'static';
    return this.motion === Motion.ANIMATED || this.massProps.mass === 0 ? 'kinematic' : 'dynamic';
  }

  /** Returns the shape that a collider was created for. */
  sourceOf(collider: ColliderId): ShapeData | undefined {
    return this.parts[this.colliders.indexOf(collider)]?.source;
  }

  /** Marks the body as changed: it is written before the next step or query. */
  touch(): void {
    this.bench.dirty.add(this);
  }

  setShape(shape: ShapeData | null): void {
    if (shape === this.shape) return;
    const before = this.shape;
    this.shape = shape;
    shape?.bodies.add(this);
    this.touch();
    if (!before) return;
    // At once, so that a shape without users can be released.
    this.clear();
    before.bodies.delete(this);
    before.free();
  }

  private clear(): void {
    for (const collider of this.colliders) this.bench.world.removeCollider(collider);
    this.colliders = [];
    this.parts = [];
  }

  /** Writes type, colliders and mass, if any of them has changed. */
  flush(): void {
    const { world, dirty } = this.bench;
    if (!dirty.delete(this) || !this.isAlive) return;
    const { type } = this;
    const parts = this.shape?.parts(type === 'dynamic') ?? [];
    const wantsPersist = (this.eventMask & EVENT_BITS.COLLISION_CONTINUED) !== 0;
    const isSame = (a: Part, b: Part | undefined): boolean =>
      a.shape === b?.shape && `${a.position},${a.rotation}` === `${b.position},${b.rotation}`;
    const isKept = parts.length === this.parts.length && parts.every((part, i) => isSame(part, this.parts[i]));
    if (!isKept) this.clear();
    if (world.getType(this.id) !== type) world.setType(this.id, type);
    if (type === 'dynamic') {
      world.setMass(this.id, this.fullMass());
      const rotation = this.locks();
      if (rotation !== this.locked) world.setLocks(this.id, { rotation });
      this.locked = rotation;
    }
    this.colliders = parts.map(({ shape, position, rotation, rest }, i) => {
      const desc = { ...rest, persistEvents: wantsPersist };
      const known = isKept ? this.colliders[i] : undefined;
      if (known === undefined) return world.addCollider(this.id, { shape, position, rotation, ...desc });
      world.setCollider(known, desc);
      return known;
    });
    this.parts = parts;
  }

  /** Returns mass properties as the caller gave them; missing ones follow from the shape. Inertia is for a mass of 1 kg. */
  mass(): Required<PhysicsMassProperties> {
    const { massProps: given } = this;
    const own = this.ownMass();
    return {
      mass: given.mass ?? own.mass,
      centerOfMass: given.centerOfMass?.clone() ?? Vector3.FromArray(own.center),
      inertia: given.inertia?.clone() ?? Vector3.FromArray(own.inertia.map((x) => x / own.mass)),
      inertiaOrientation: given.inertiaOrientation?.clone() ?? Quaternion.Identity(),
    };
  }

  ownMass(): ShapeMass {
    return this.shape?.mass ?? { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] };
  }

  private fullMass(): MassDesc {
    const { massProps: given } = this;
    const own = this.ownMass();
    const mass = Math.min(Math.max(given.mass ?? own.mass, 1e-9), 1e12);
    const center = vectorOf(given.centerOfMass, own.center);
    let inertia = own.inertia.map((x) => (x * mass) / own.mass);
    if (given.inertia) {
      const principal = vectorOf(given.inertia);
      const largest = Math.max(...principal);
      // An axis of inertia 0 is locked (`locks`); the tensor only needs some number there.
      const diagonal = principal.map((x) => mass * (x > 0 ? x : largest > 0 ? largest : 1)) as Vector;
      inertia = turnTensor(diagonal, turnOf(given.inertiaOrientation));
    }
    return { mass, center, inertia };
  }

  /** Returns the axes whose inertia is given as 0, which means infinite. */
  private locks(): string {
    const inertia = this.massProps.inertia;
    if (!inertia) return '';
    return (inertia.x === 0 ? 'x' : '') + (inertia.y === 0 ? 'y' : '') + (inertia.z === 0 ? 'z' : '');
  }

  remember({ x, y, z }: Vector3, q: Quaternion): void {
    const { drawn } = this;
    drawn[0] = x;
    drawn[1] = y;
    drawn[2] = z;
    drawn[3] = q.x;
    drawn[4] = q.y;
    drawn[5] = q.z;
    drawn[6] = q.w;
  }

  /** Returns whether the caller has moved the node since. */
  isMoved({ x, y, z }: Vector3, q: Quaternion): boolean {
    return [x, y, z, q.x, q.y, q.z, q.w].some((value, i) => value !== this.drawn[i]);
  }

  dispose(): void {
    this.bench.dirty.delete(this);
    if (this.isAlive) this.bench.world.removeBody(this.id);
    this.colliders = [];
    this.parts = [];
    const { shape } = this;
    this.shape = null;
    shape?.bodies.delete(this);
    shape?.free();
  }
}

/** Returns the inertia xx yy zz xy xz yz of principal moments along rotated axes. */
function turnTensor(moments: Vector, rotation: Turn): number[] {
  const axes = [turn(rotation, [1, 0, 0]), turn(rotation, [0, 1, 0]), turn(rotation, [0, 0, 1])];
  const at = (i: number, j: number): number => axes.reduce((sum, axis, k) => sum + moments[k]! * axis[i]! * axis[j]!, 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}
