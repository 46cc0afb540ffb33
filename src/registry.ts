// Slots of the core as the host sees them: rows of bodies, colliders and shapes in linear memory, and ids that know when
// they are stale.
import { TalusError } from './errors';
import { BODY_DYNAMIC, BodyCold, Collider, Header, NONE, Shape } from './layout.generated';
import type { LinearMemory } from './memory';
import { type BodyId, type ColliderId, idGeneration, idIndex, makeId, type ShapeId } from './types';
import { show } from './validate';

const BODY_TYPE_BITS = 3;
const BODY_ALIVE = 1 << 8;
const SHAPE_ALIVE = 1;

function stale(kind: string, id: unknown): never {
  const what = typeof id === 'number' ? `${kind} ${id} does not exist: it was removed` : `${show(id)} is not the id of a ${kind}`;
  throw new TalusError('stale-handle', what);
}

/** Reads rows and turns ids into indices. */
export class Registry {
  private readonly memory: LinearMemory;

  constructor(memory: LinearMemory) {
    this.memory = memory;
  }

  /** u32 index of a field of a body's cold row. */
  coldWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.bodyColds) + index * BodyCold.STRIDE + offset) >>> 2;
  }

  colliderWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.colliders) + index * Collider.STRIDE + offset) >>> 2;
  }

  shapeWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.shapes) + index * Shape.STRIDE + offset) >>> 2;
  }

  /** BODY_* of a living body. */
  bodyType(index: number): number {
    return this.memory.u32[this.coldWord(index, BodyCold.flags)]! & BODY_TYPE_BITS;
  }

  isDynamic(index: number): boolean {
    return this.bodyType(index) === BODY_DYNAMIC;
  }

  /** Whether a slot holds a body now. */
  bodyAlive(index: number): boolean {
    return (this.memory.u32[this.coldWord(index, BodyCold.flags)]! & BODY_ALIVE) !== 0;
  }

  bodyIdAt(index: number): BodyId {
    return makeId(index, this.memory.u32[this.coldWord(index, BodyCold.generation)]!) as BodyId;
  }

  colliderIdAt(index: number): ColliderId {
    return makeId(index, this.memory.u32[this.colliderWord(index, Collider.flags)]! >>> 16) as ColliderId;
  }

  shapeIdAt(index: number): ShapeId {
    return makeId(index, this.memory.u32[this.shapeWord(index, Shape.generation)]!) as ShapeId;
  }

  /** Whether an id is that of a living body. */
  hasBody(id: BodyId): boolean {
    if (!Number.isSafeInteger(id) || id < 0) return false;
    const index = idIndex(id);
    if (index >= this.memory.headerU32(Header.bodyCount) || !this.bodyAlive(index)) return false;
    return this.memory.u32[this.coldWord(index, BodyCold.generation)] === idGeneration(id);
  }

  /** Slot of a living body; throws 'stale-handle'. */
  body(id: BodyId): number {
    if (!this.hasBody(id)) stale('body', id);
    return idIndex(id);
  }

  hasCollider(id: ColliderId): boolean {
    if (!Number.isSafeInteger(id) || id < 0) return false;
    const index = idIndex(id);
    if (index >= this.memory.headerU32(Header.colliderCount)) return false;
    const u32 = this.memory.u32;
    if (u32[this.colliderWord(index, Collider.body)] === NONE) return false;
    return u32[this.colliderWord(index, Collider.flags)]! >>> 16 === idGeneration(id);
  }

  /** Slot of the body of a living collider. */
  ownerOf(collider: number): number {
    return this.memory.u32[this.colliderWord(collider, Collider.body)]!;
  }

  /** Slots of the colliders of a body, the latest first. */
  collidersOf(body: number): number[] {
    const list: number[] = [];
    let collider = this.memory.u32[this.coldWord(body, BodyCold.firstCollider)]!;
    while (collider !== NONE) {
      list.push(collider);
      collider = this.memory.u32[this.colliderWord(collider, Collider.next)]!;
    }
    return list;
  }

  /** Colliders that use a shape. */
  shapeUsers(index: number): number {
    return this.memory.u32[this.shapeWord(index, Shape.users)]!;
  }

  /** Slot of a living collider; throws 'stale-handle'. */
  collider(id: ColliderId): number {
    if (!this.hasCollider(id)) stale('collider', id);
    return idIndex(id);
  }

  hasShape(id: ShapeId): boolean {
    if (!Number.isSafeInteger(id) || id < 0) return false;
    const index = idIndex(id);
    if (index >= this.memory.headerU32(Header.shapeCount)) return false;
    const u32 = this.memory.u32;
    if ((u32[this.shapeWord(index, Shape.flags)]! & SHAPE_ALIVE) === 0) return false;
    return u32[this.shapeWord(index, Shape.generation)] === idGeneration(id);
  }

  /** Slot of a living shape; throws 'stale-handle'. */
  shape(id: ShapeId): number {
    if (!this.hasShape(id)) stale('shape', id);
    return idIndex(id);
  }
}
