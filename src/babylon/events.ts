// Events of the world as observables of Babylon.js: collected after each step of a frame, and sent when nodes are in place.
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Observable } from '@babylonjs/core/Misc/observable.js';
import {
  type IBasePhysicsCollisionEvent,
  type IPhysicsCollisionEvent,
  PhysicsEventType as Kind,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import type { ContactEvent, World } from '../index';
import type { BodyId } from '../types';
import { type BodyData, EVENT_BITS } from './bodies';
import type { Origin } from './origin';

/** A body that fell asleep or woke. */
export interface SleepEvent {
  body: PhysicsBody;
  /** Index of the thin instance. */
  index: number;
  isAsleep: boolean;
}

const KINDS: Partial<Record<ContactEvent['kind'], Kind>> = {
  begin: Kind.COLLISION_STARTED,
  persist: Kind.COLLISION_CONTINUED,
  end: Kind.COLLISION_FINISHED,
  'sensor-begin': Kind.TRIGGER_ENTERED,
  'sensor-end': Kind.TRIGGER_EXITED,
};

type Told = { event: ContactEvent; type: Kind; a: BodyData; b: BodyData };

export class Events {
  readonly onCollision = new Observable<IPhysicsCollisionEvent>();
  readonly onEnded = new Observable<IBasePhysicsCollisionEvent>();
  readonly onTrigger = new Observable<IBasePhysicsCollisionEvent>();
  readonly onSleep: Observable<SleepEvent>;
  private readonly ofBody = new Map<BodyId, Observable<IPhysicsCollisionEvent>>();
  private readonly endedOfBody = new Map<BodyId, Observable<IBasePhysicsCollisionEvent>>();
  private waiting: Told[] = [];
  private slept: SleepEvent[] = [];
  private isListening = false;

  constructor(
    private readonly world: World,
    private readonly bodies: ReadonlyMap<BodyId, BodyData>,
    private readonly origin: Origin,
  ) {
    this.onSleep = new Observable<SleepEvent>(() => this.listenForSleep());
  }

  /** Requests sleep events only while somebody listens: they cost a little time. */
  private listenForSleep(): void {
    if (this.isListening) return;
    this.isListening = true;
    for (const kind of ['sleep', 'wake'] as const) {
      this.world.on(kind, ({ body }) => {
        const data = this.bodies.get(body);
        if (data) this.slept.push({ body: data.body, index: data.index, isAsleep: kind === 'sleep' });
      });
    }
  }

  collisionsOf(body: BodyData): Observable<IPhysicsCollisionEvent> {
    return observableOf(this.ofBody, body.id);
  }

  endsOf(body: BodyData): Observable<IBasePhysicsCollisionEvent> {
    return observableOf(this.endedOfBody, body.id);
  }

  forget(body: BodyData): void {
    this.ofBody.delete(body.id);
    this.endedOfBody.delete(body.id);
  }

  /** Collects the requested events after a step. */
  gather(): void {
    for (const event of this.world.events) {
      const type = KINDS[event.kind];
      const a = this.bodies.get(event.bodyA);
      const b = this.bodies.get(event.bodyB);
      if (type === undefined || !a || !b) continue;
      const isTrigger = event.kind === 'sensor-begin' || event.kind === 'sensor-end';
      if (!isTrigger && ((a.eventMask | b.eventMask) & EVENT_BITS[type]) === 0) continue;
      this.waiting.push({ event, type, a, b });
    }
  }

  /** Notifies observers, which may do anything, even change the list of later notifications. */
  tell(): void {
    const { waiting, slept } = this;
    if (waiting.length === 0 && slept.length === 0) return;
    this.waiting = [];
    this.slept = [];
    for (const { event, type, a, b } of waiting) {
      const base = { collider: a.body, colliderIndex: a.index, collidedAgainst: b.body, collidedAgainstIndex: b.index, type };
      if (type === Kind.TRIGGER_ENTERED || type === Kind.TRIGGER_EXITED) this.onTrigger.notifyObservers(base);
      else if (type === Kind.COLLISION_FINISHED) {
        this.onEnded.notifyObservers(base);
        this.endedOfBody.get(a.id)?.notifyObservers(base);
        this.endedOfBody.get(b.id)?.notifyObservers(turned(base));
      } else {
        const normal = Vector3.FromArray(event.normal);
        const { separation: distance, impulse } = event;
        const full = { ...base, point: Vector3.FromArray(this.origin.leave(event.point)), normal, distance, impulse };
        this.onCollision.notifyObservers(full);
        this.ofBody.get(a.id)?.notifyObservers(full);
        // The point of B: on its surface, across the gap.
        const onB = full.point.add(normal.scale(distance));
        this.ofBody.get(b.id)?.notifyObservers({ ...turned(base), point: onB, normal: normal.negate(), distance, impulse });
      }
    }
    for (const event of slept) if (!event.body.isDisposed) this.onSleep.notifyObservers(event);
  }

  dispose(): void {
    for (const observable of [this.onCollision, this.onEnded, this.onTrigger, this.onSleep]) observable.clear();
    this.ofBody.clear();
    this.endedOfBody.clear();
  }
}

function turned(event: IBasePhysicsCollisionEvent): IBasePhysicsCollisionEvent {
  return {
    collider: event.collidedAgainst,
    colliderIndex: event.collidedAgainstIndex,
    collidedAgainst: event.collider,
    collidedAgainstIndex: event.colliderIndex,
    type: event.type,
  };
}

function observableOf<E>(map: Map<BodyId, Observable<E>>, id: BodyId): Observable<E> {
  let observable = map.get(id);
  if (!observable) {
    observable = new Observable<E>();
    map.set(id, observable);
  }
  return observable;
}
