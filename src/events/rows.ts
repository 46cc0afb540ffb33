// Events in arrays that grow and are reused: contact events as columns, bodies as a list of ids.
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import type { BodyId } from '../types';

/** Numbers per event: point, normal, impulse, separation, approach speed, time. */
export const VALUES = 10;

/** Contact events: a kind, four ids and VALUES numbers each. */
export class EventRows {
  count = 0;
  kinds: Uint8Array = new Uint8Array(64);
  /** bodyA, bodyB, colliderA, colliderB. */
  ids: Float64Array = new Float64Array(4 * 64);
  values: Float32Array = new Float32Array(VALUES * 64);

  /** Adds a row of zeros; returns its index. */
  add(kind: number, bodyA: number, bodyB: number, colliderA: number, colliderB: number): number {
    const i = this.count++;
    if (i === this.kinds.length) {
      this.kinds = larger(this.kinds, new Uint8Array(2 * this.kinds.length));
      this.ids = larger(this.ids, new Float64Array(2 * this.ids.length));
      this.values = larger(this.values, new Float32Array(2 * this.values.length));
    }
    this.kinds[i] = kind;
    this.ids[4 * i] = bodyA;
    this.ids[4 * i + 1] = bodyB;
    this.ids[4 * i + 2] = colliderA;
    this.ids[4 * i + 3] = colliderB;
    this.values.fill(0, VALUES * i, VALUES * (i + 1));
    return i;
  }
}

function larger<T extends Uint8Array | Float32Array | Float64Array>(old: T, made: T): T {
  made.set(old);
  return made;
}

/** A list of `count` bodies of the last step. Reading it allocates nothing. */
export class BodyList implements Iterable<BodyId> {
  count = 0;
  /** The first `count` numbers are the ids. Replaced when it has to grow. */
  ids: Float64Array = new Float64Array(16);

  /** @internal */
  add(id: BodyId): void {
    if (this.count === this.ids.length) this.ids = larger(this.ids, new Float64Array(2 * this.count));
    this.ids[this.count++] = id;
  }

  /**
   * Returns the body at an index.
   * @throws TalusError `invalid-argument`
   */
  at(i: number): BodyId {
    if (!(Number.isInteger(i) && i >= 0 && i < this.count)) {
      throw new TalusError('invalid-argument', `entry ${show(i)} does not exist: there are ${this.count}, counted from 0`);
    }
    return this.ids[i]! as BodyId;
  }

  *[Symbol.iterator](): Iterator<BodyId> {
    for (let i = 0; i < this.count; i++) yield this.ids[i]! as BodyId;
  }
}
