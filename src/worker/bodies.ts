// The page's own ids, given before the thread has created anything. Bodies have dense slots, which are reused; each id of a body
// contains the generation of its slot. Ids of a world of the thread start above these.

import { TalusError } from '../index';
import { BODY_KIND, COLLIDER_KIND, JOINT_KIND, kindOf, makeId, SHAPE_KIND } from '../registry/ids';
import type { BodyId } from '../types';

const SLOT_RANGE = 2 ** 24;
const KIND_RANGE = 8;
/** Smallest stamp of the page: all ids are then 2^50 at least, and less than those of the first world of a thread. */
const LEAST_STAMP = 2 ** 23;
const STAMPS = 2 ** 25 - LEAST_STAMP;
/** Distance from the stamps of one TalusWorker to those of the next. */
const STRIDE = 5_000_011;

/** Kind of the id that each call creates. */
export const KINDS: Readonly<Record<string, number>> = {
  createShape: SHAPE_KIND,
  createJoint: JOINT_KIND,
  addCollider: COLLIDER_KIND,
};

let workers = 0;

export class PageIds {
  /** Id of the body in each slot; 0: none. */
  private readonly bodies: number[] = [];
  private readonly lives: number[] = [];
  private readonly free: number[] = [];
  private made = 0;
  private readonly offset = workers++ * STRIDE;

  /** Number of slots so far. */
  get slotCount(): number {
    return this.bodies.length;
  }

  private tag(kind: number, stamp: number): number {
    return kind + KIND_RANGE * (LEAST_STAMP + ((this.offset + stamp) % STAMPS));
  }

  /** Returns an id for something that is not a body. */
  make(kind: number): number {
    const count = this.made++;
    return makeId(count % SLOT_RANGE, this.tag(kind, Math.floor(count / SLOT_RANGE)));
  }

  makeBody(): BodyId {
    const slot = this.free.pop() ?? this.bodies.length;
    if (slot === SLOT_RANGE - 1) throw new TalusError('out-of-memory', `a world holds at most ${slot} bodies`);
    const life = this.lives[slot] ?? 0;
    this.lives[slot] = life + 1;
    const id = makeId(slot, this.tag(BODY_KIND, life));
    this.bodies[slot] = id;
    return id as BodyId;
  }

  /** Returns a slot for poses of something that is not a body. */
  takeSlot(): number {
    const slot = this.free.pop() ?? this.bodies.length;
    this.bodies[slot] = 0;
    return slot;
  }

  giveSlot(slot: number): void {
    this.free.push(slot);
  }

  dropBody(id: number): void {
    const slot = id % SLOT_RANGE;
    if (this.bodies[slot] !== id) return;
    this.bodies[slot] = 0;
    this.free.push(slot);
  }

  hasBody(id: unknown): boolean {
    return typeof id === 'number' && this.bodies[id % SLOT_RANGE] === id;
  }

  bodyAt(slot: number): BodyId | null {
    return ((this.bodies[slot] ?? 0) || null) as BodyId | null;
  }

  /** Returns the slot of a body; throws 'stale-handle'. */
  slot(id: unknown): number {
    if (!this.hasBody(id))
      throw new TalusError('stale-handle', `body ${String(id)} does not exist: it was removed, or is of another world`);
    return (id as number) % SLOT_RANGE;
  }

  /** Returns the id itself, to be sent; throws 'stale-handle' for removed bodies. */
  readonly check = (id: number): number => {
    if (kindOf(id) === BODY_KIND) this.slot(id);
    return id;
  };
}
