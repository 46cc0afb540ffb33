// Touching pairs for PlayCanvas, which wants all pairs after each step. The world reports begin and end; in between the pairs are
// kept here.
import type { ContactPoint, PhysicsWorld, Vec3 } from 'playcanvas';
import type { ContactEvent, World } from '../index';
import { conjugate, type Turn, turn, type Vector } from '../rigs/turns';
import type { BodyId } from '../types';
import type { PlayBody } from './body';

type Listener = NonNullable<PhysicsWorld['contactListener']>;

/** Two bodies that touch, by one or more colliders each. */
interface Pair {
  a: PlayBody;
  b: PlayBody;
  /** The latest event of each two colliders. */
  contacts: ContactEvent[];
}

const keyOf = (a: BodyId, b: BodyId): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
const isSame = (a: ContactEvent, b: ContactEvent): boolean => a.colliderA === b.colliderA && a.colliderB === b.colliderB;
const write = (out: Vec3, [x, y, z]: Vector): void => {
  out.set(x, y, z);
};

export class Contacts {
  private readonly pairs = new Map<string, Pair>();
  /** The pair passed to listeners, reused for every call. */
  private readonly told = {
    entityA: null as unknown as NonNullable<PlayBody['entity']>,
    entityB: null as unknown as NonNullable<PlayBody['entity']>,
    triggerA: false,
    triggerB: false,
    contactCount: 0,
    readContact: (index: number, out: ContactPoint): void => this.read(index, out),
  };
  private now: Pair | null = null;

  constructor(
    private readonly world: World,
    private readonly bodies: ReadonlyMap<BodyId, PlayBody>,
  ) {}

  /** Removes a body that leaves the simulation: it touches nothing. */
  forget(body: PlayBody): void {
    for (const [key, { a, b }] of this.pairs) if (a === body || b === body) this.pairs.delete(key);
  }

  /** Passes contacts to the listener after a step. */
  pass(listener: Listener | null, wantsAll: boolean): void {
    for (const event of this.world.events) this.take(event);
    if (!listener) return;
    listener.onContactsBegin();
    const { told } = this;
    for (const pair of this.pairs.values()) {
      const { a, b, contacts } = pair;
      if (!a.entity || !b.entity) continue;
      told.entityA = a.entity;
      told.entityB = b.entity;
      told.triggerA = a.isTrigger;
      told.triggerB = b.isTrigger;
      told.contactCount = contacts.length;
      this.now = pair;
      for (const one of [a, b]) {
        if (!one.wantsContacts && !one.isTrigger && (wantsAll || hearsContacts(one))) one.wantContacts();
      }
      listener.onContactPair(told);
    }
    this.now = null;
    listener.onContactsEnd();
  }

  private take(event: ContactEvent): void {
    const { kind, bodyA, bodyB } = event;
    const a = this.bodies.get(bodyA);
    const b = this.bodies.get(bodyB);
    if (!a || !b || kind === 'hit') return;
    const key = keyOf(bodyA, bodyB);
    const known = this.pairs.get(key);
    const isEnd = kind === 'end' || kind === 'sensor-end';
    if (isEnd) {
      if (!known) return;
      const index = known.contacts.findIndex((other) => isSame(other, event));
      if (index >= 0) known.contacts.splice(index, 1);
      if (known.contacts.length === 0) this.pairs.delete(key);
    } else if (known) {
      const index = known.contacts.findIndex((other) => isSame(other, event));
      known.contacts[index < 0 ? known.contacts.length : index] = event;
    } else this.pairs.set(key, { a, b, contacts: [event] });
  }

  /** Reads the points on both bodies; the normal is that of B, towards A. */
  private read(index: number, out: ContactPoint): void {
    const { a, b, contacts } = this.now!;
    const event = contacts[index]!;
    const isTurned = event.bodyA !== a.id;
    const sign = isTurned ? 1 : -1;
    const onFirst = event.point;
    const onSecond = onFirst.map((x, i) => x + event.separation * event.normal[i]!) as Vector;
    const [onA, onB] = isTurned ? [onSecond, onFirst] : [onFirst, onSecond];
    write(out.point, onA);
    write(out.pointOther, onB);
    write(out.localPoint, this.local(a, onA));
    write(out.localPointOther, this.local(b, onB));
    write(out.normal, event.normal.map((x) => sign * x) as Vector);
    out.impulse = event.impulse;
  }

  private local(body: PlayBody, point: Vector): Vector {
    const at = this.world.getPosition(body.id, [0, 0, 0]) as Vector;
    const q = this.world.getRotation(body.id, [0, 0, 0, 1]) as Turn;
    return turn(conjugate(q), [point[0] - at[0], point[1] - at[1], point[2] - at[2]]);
  }
}

function hearsContacts({ entity }: PlayBody): boolean {
  return !!entity?.rigidbody?.hasEvent('contact') || !!entity?.collision?.hasEvent('contact');
}
