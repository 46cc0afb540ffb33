// Arguments of collision handlers: both sides, the event of the engine, and the fields that Rapier's handlers have.
import { type Object3D, Vector3 } from 'three';
import type { BodyId, ContactEvent } from '../index';
import type { ColliderApi, RigidBodyApi } from './apis';

/** One of the two participants of a collision. */
export interface CollisionTarget {
  /** Undefined if no component created the body. */
  rigidBody?: RigidBodyApi;
  collider: ColliderApi;
  rigidBodyObject?: Object3D;
  /** The object of the collider component, if it has one. */
  colliderObject?: Object3D;
  body: BodyId;
}

/** Argument of the handlers of collisions and intersections. The fields beside `target` and `other` are those of `other`. */
export interface CollisionPayload extends CollisionTarget {
  target: CollisionTarget;
  other: CollisionTarget;
  /** The event of `world.events`: point, normal from A to B, impulse, approach speed. */
  event: ContactEvent;
  /** Whether the target is body B of the event. */
  flipped: boolean;
}

/** The contact of an event with the calls of Rapier's manifold: its deepest point. */
export class ContactManifold {
  constructor(private readonly event: ContactEvent) {}

  /** Returns the unit normal from A to B of the event (world). */
  normal(): Vector3 {
    return new Vector3().fromArray(this.event.normal);
  }

  numContacts(): number {
    return 1;
  }

  numSolverContacts(): number {
    return 1;
  }

  /** Returns the contact point (world, m). */
  solverContactPoint(index: number): Vector3 | null {
    return index === 0 ? new Vector3().fromArray(this.event.point) : null;
  }

  /** Returns the separation (m); negative where the colliders overlap. */
  contactDist(_index: number): number {
    return this.event.separation;
  }

  solverContactDist(_index: number): number {
    return this.event.separation;
  }

  /** Returns the impulse, N s. */
  contactImpulse(_index: number): number {
    return this.event.impulse;
  }
}

export interface CollisionEnterPayload extends CollisionPayload {
  manifold: ContactManifold;
}
export type CollisionExitPayload = CollisionPayload;
export type IntersectionEnterPayload = CollisionPayload;
export type IntersectionExitPayload = CollisionPayload;

/** Argument of `onContactForce`. Forces are means over the step, along the normal of the contact, N. */
export interface ContactForcePayload extends CollisionPayload {
  totalForce: Vector3;
  totalForceMagnitude: number;
  maxForceDirection: Vector3;
  maxForceMagnitude: number;
}

export type CollisionEnterHandler = (payload: CollisionEnterPayload) => void;
export type CollisionExitHandler = (payload: CollisionExitPayload) => void;
export type IntersectionEnterHandler = (payload: IntersectionEnterPayload) => void;
export type IntersectionExitHandler = (payload: IntersectionExitPayload) => void;
export type ContactForceHandler = (payload: ContactForcePayload) => void;

/** Handlers of a body or a collider. */
export interface CollisionHandlers {
  onCollisionEnter?: CollisionEnterHandler;
  onCollisionExit?: CollisionExitHandler;
  onIntersectionEnter?: IntersectionEnterHandler;
  onIntersectionExit?: IntersectionExitHandler;
  /** Called in every step in which they press on each other, from the first step on. */
  onContactForce?: ContactForceHandler;
}

/** Handlers of bodies only. */
export interface BodyHandlers extends CollisionHandlers {
  onSleep?: () => void;
  onWake?: () => void;
}

/** The handlers that an event calls. */
export const HANDLERS = {
  begin: ['onCollisionEnter', 'onContactForce'],
  end: ['onCollisionExit'],
  'sensor-begin': ['onIntersectionEnter'],
  'sensor-end': ['onIntersectionExit'],
  persist: ['onContactForce'],
} as const;
export type HandledKind = keyof typeof HANDLERS;
export const HANDLED = Object.keys(HANDLERS) as HandledKind[];

/** Returns the payload of a handler by its name. */
export function payloadOf(
  name: keyof CollisionHandlers,
  target: CollisionTarget,
  other: CollisionTarget,
  event: ContactEvent,
  flipped: boolean,
): CollisionEnterPayload & ContactForcePayload {
  const payload: CollisionPayload = { ...other, target, other, event, flipped };
  if (name === 'onCollisionEnter') Object.assign(payload, { manifold: new ContactManifold(event) });
  if (name === 'onContactForce') {
    const direction = new Vector3().fromArray(event.normal);
    Object.assign(payload, {
      totalForce: direction.clone().multiplyScalar(event.force),
      totalForceMagnitude: event.force,
      maxForceDirection: direction,
      maxForceMagnitude: event.force,
    });
  }
  return payload as CollisionEnterPayload & ContactForcePayload;
}
