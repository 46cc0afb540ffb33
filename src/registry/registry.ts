// Slots of the core for the host: rows of bodies, colliders, shapes and joints in linear memory, and detection of stale ids.
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import {
  BODY_ALIVE,
  BODY_ASLEEP,
  BODY_BULLET,
  BODY_DYNAMIC,
  BODY_TYPE_BITS,
  BodyCold,
  BodyNode,
  Collider,
  HEADER_PTR,
  Header,
  JOINT_ALIVE,
  Joint,
  NONE,
  Shape,
} from '../layout.generated';
import type { BodyId, ColliderId, JointId, ShapeId } from '../types';
import type { LinearMemory } from '../wasm/memory';
import {
  BODY_KIND,
  COLLIDER_KIND,
  generationOf,
  idTag,
  JOINT_KIND,
  KIND_NAMES,
  kindOf,
  makeId,
  newWorldOffset,
  SHAPE_KIND,
  slotOf,
  tagOf,
} from './ids';

const SHAPE_ALIVE = 1;

// Words of the header.
const BODY_COUNT = (HEADER_PTR + Header.bodyCount) >>> 2;
const BODY_COLDS = (HEADER_PTR + Header.bodyColds) >>> 2;
const COLLIDER_COUNT = (HEADER_PTR + Header.colliderCount) >>> 2;
const COLLIDERS = (HEADER_PTR + Header.colliders) >>> 2;
const SHAPE_COUNT = (HEADER_PTR + Header.shapeCount) >>> 2;
const SHAPES = (HEADER_PTR + Header.shapes) >>> 2;
const JOINT_COUNT = (HEADER_PTR + Header.jointCount) >>> 2;
const JOINTS = (HEADER_PTR + Header.joints) >>> 2;
/** The call that creates an id of each kind, for messages. */
const MAKERS: readonly string[] = ['', 'world.createBody()', 'world.createShape()', 'world.addCollider()', 'world.createJoint()'];
/** Bits 8-31 of Collider.flags count how often the slot was reused. */
const COLLIDER_GENERATION_SHIFT = 8;

/** Reads rows of the core and converts ids to indices. */
export class Registry {
  private readonly memory: LinearMemory;
  /** Makes the ids of this world differ from those of others; a copy of a world has the offset of its original. */
  offset = newWorldOffset();

  constructor(memory: LinearMemory) {
    this.memory = memory;
  }

  /** Returns the u32 index of a field of a body's cold row. */
  coldWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.bodyColds) + index * BodyCold.STRIDE + offset) >>> 2;
  }

  colliderWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.colliders) + index * Collider.STRIDE + offset) >>> 2;
  }

  shapeWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.shapes) + index * Shape.STRIDE + offset) >>> 2;
  }

  jointWord(index: number, offset: number): number {
    return (this.memory.headerU32(Header.joints) + index * Joint.STRIDE + offset) >>> 2;
  }

  /** Returns the type (BODY_*) of a body. */
  bodyType(index: number): number {
    return this.memory.u32[this.coldWord(index, BodyCold.flags)]! & BODY_TYPE_BITS;
  }

  isAsleep(index: number): boolean {
    return (this.memory.u32[this.coldWord(index, BodyCold.flags)]! & BODY_ASLEEP) !== 0;
  }

  isDynamic(index: number): boolean {
    return this.bodyType(index) === BODY_DYNAMIC;
  }

  isBullet(index: number): boolean {
    return (this.memory.u32[this.coldWord(index, BodyCold.flags)]! & BODY_BULLET) !== 0;
  }

  /** Returns whether a slot holds a body. */
  bodyAlive(index: number): boolean {
    return (this.memory.u32[this.coldWord(index, BodyCold.flags)]! & BODY_ALIVE) !== 0;
  }

  /** Returns the part of an id beside its slot. `u32` is all of memory, passed in since the getter is slow. */
  private bodyTag(index: number, u32: Uint32Array): number {
    return idTag(BODY_KIND, u32[(u32[BODY_COLDS]! + index * BodyCold.STRIDE + BodyCold.generation) >>> 2]!, this.offset);
  }

  private colliderTag(index: number, u32: Uint32Array): number {
    const flags = u32[(u32[COLLIDERS]! + index * Collider.STRIDE + Collider.flags) >>> 2]!;
    return idTag(COLLIDER_KIND, flags >>> COLLIDER_GENERATION_SHIFT, this.offset);
  }

  private shapeTag(index: number, u32: Uint32Array): number {
    return idTag(SHAPE_KIND, u32[(u32[SHAPES]! + index * Shape.STRIDE + Shape.generation) >>> 2]!, this.offset);
  }

  private jointTag(index: number, u32: Uint32Array): number {
    return idTag(JOINT_KIND, u32[(u32[JOINTS]! + index * Joint.STRIDE + Joint.generation) >>> 2]!, this.offset);
  }

  /** Returns the id of the body in a slot. `u32`, here and below: all of memory, for callers that ask many times. */
  bodyIdAt(index: number, u32: Uint32Array = this.memory.u32): BodyId {
    return makeId(index, this.bodyTag(index, u32)) as BodyId;
  }

  colliderIdAt(index: number, u32: Uint32Array = this.memory.u32): ColliderId {
    return makeId(index, this.colliderTag(index, u32)) as ColliderId;
  }

  shapeIdAt(index: number): ShapeId {
    return makeId(index, this.shapeTag(index, this.memory.u32)) as ShapeId;
  }

  jointIdAt(index: number): JointId {
    return makeId(index, this.jointTag(index, this.memory.u32)) as JointId;
  }

  /** Returns the slot of a body; -1 if it does not exist. */
  private findBody(id: unknown): number {
    if (typeof id !== 'number') return -1;
    const tag = tagOf(id);
    const index = slotOf(id, tag);
    const { u32 } = this.memory;
    if (index < 0 || index >= u32[BODY_COUNT]! || this.bodyTag(index, u32) !== tag) return -1;
    return (u32[(u32[BODY_COLDS]! + index * BodyCold.STRIDE + BodyCold.flags) >>> 2]! & BODY_ALIVE) !== 0 ? index : -1;
  }

  /** Returns whether an id is that of an existing body. */
  hasBody(id: BodyId): boolean {
    return this.findBody(id) >= 0;
  }

  /** Returns the slot of a body; throws 'stale-handle'. */
  body(id: BodyId): number {
    const index = this.findBody(id);
    return index >= 0 ? index : this.stale(BODY_KIND, id, BODY_COUNT, (slot, u32) => this.bodyTag(slot, u32));
  }

  /** Returns the slot of the body of a collider. */
  ownerOf(collider: number, u32: Uint32Array = this.memory.u32): number {
    return u32[(u32[COLLIDERS]! + collider * Collider.STRIDE + Collider.body) >>> 2]!;
  }

  /** Returns the slots of the colliders of a body, in the order of creation. */
  collidersOf(body: number): number[] {
    const list: number[] = [];
    let collider = this.memory.u32[this.coldWord(body, BodyCold.firstCollider)]!;
    while (collider !== NONE) {
      list.push(collider);
      collider = this.memory.u32[this.colliderWord(collider, Collider.next)]!;
    }
    return list.reverse(); // the list of the core starts with the latest
  }

  /** Returns the number of colliders that use a shape. */
  shapeUsers(index: number): number {
    return this.memory.u32[this.shapeWord(index, Shape.users)]!;
  }

  private findCollider(id: unknown): number {
    if (typeof id !== 'number') return -1;
    const tag = tagOf(id);
    const index = slotOf(id, tag);
    const { u32 } = this.memory;
    if (index < 0 || index >= u32[COLLIDER_COUNT]! || this.colliderTag(index, u32) !== tag) return -1;
    return u32[(u32[COLLIDERS]! + index * Collider.STRIDE + Collider.body) >>> 2] !== NONE ? index : -1;
  }

  /** Returns the slot of a collider; throws 'stale-handle'. */
  collider(id: ColliderId): number {
    const index = this.findCollider(id);
    return index >= 0 ? index : this.stale(COLLIDER_KIND, id, COLLIDER_COUNT, (slot, u32) => this.colliderTag(slot, u32));
  }

  private findShape(id: unknown): number {
    if (typeof id !== 'number') return -1;
    const tag = tagOf(id);
    const index = slotOf(id, tag);
    const { u32 } = this.memory;
    if (index < 0 || index >= u32[SHAPE_COUNT]! || this.shapeTag(index, u32) !== tag) return -1;
    return (u32[(u32[SHAPES]! + index * Shape.STRIDE + Shape.flags) >>> 2]! & SHAPE_ALIVE) !== 0 ? index : -1;
  }

  /** Returns the slot of a shape; throws 'stale-handle'. */
  shape(id: ShapeId): number {
    const index = this.findShape(id);
    return index >= 0 ? index : this.stale(SHAPE_KIND, id, SHAPE_COUNT, (slot, u32) => this.shapeTag(slot, u32));
  }

  private findJoint(id: unknown): number {
    if (typeof id !== 'number') return -1;
    const tag = tagOf(id);
    const index = slotOf(id, tag);
    const { u32 } = this.memory;
    if (index < 0 || index >= u32[JOINT_COUNT]! || this.jointTag(index, u32) !== tag) return -1;
    return (u32[(u32[JOINTS]! + index * Joint.STRIDE + Joint.flags) >>> 2]! & JOINT_ALIVE) !== 0 ? index : -1;
  }

  hasJoint(id: JointId): boolean {
    return this.findJoint(id) >= 0;
  }

  /** Returns the slot of a joint; throws 'stale-handle'. */
  joint(id: JointId): number {
    const index = this.findJoint(id);
    return index >= 0 ? index : this.stale(JOINT_KIND, id, JOINT_COUNT, (slot, u32) => this.jointTag(slot, u32));
  }

  /** Returns the slots of the joints of a body, the latest first. */
  jointsOf(body: number): number[] {
    const list: number[] = [];
    const { u32 } = this.memory;
    let end = u32[(this.memory.headerU32(Header.bodyNodes) + body * BodyNode.STRIDE + BodyNode.firstJoint) >>> 2]!;
    while (end !== NONE) {
      list.push(end >>> 1);
      end = u32[this.jointWord(end >>> 1, (end & 1) === 0 ? Joint.nextA : Joint.nextB)]!;
    }
    return list;
  }

  /** Throws 'stale-handle', with the reason as far as the id shows it. `count` is the header word with the slots of that kind. */
  private stale(kind: number, id: unknown, count: number, tagAt: (slot: number, u32: Uint32Array) => number): never {
    const name = KIND_NAMES[kind]!;
    if (typeof id !== 'number' || slotOf(id, tagOf(id)) < 0) {
      throw new TalusError('stale-handle', `${show(id)} is not the id of a ${name}: ${MAKERS[kind]} returns one`);
    }
    const other = KIND_NAMES[kindOf(id)];
    if (other !== undefined && other !== name) {
      const ways: Record<string, string> = { bodycollider: 'world.collidersOf(id)', colliderbody: 'world.bodyOf(id)' };
      const way = ways[other + name] ?? MAKERS[kind];
      throw new TalusError(
        'stale-handle',
        `${id} is the id of a ${other}, but the id of a ${name} is needed: ${way} returns one`,
      );
    }
    let why = `it was removed or never existed: ids come from ${MAKERS[kind]}`;
    if (other !== undefined) {
      const slot = slotOf(id, tagOf(id));
      const { u32 } = this.memory;
      const lives = slot < u32[count]! ? generationOf(makeId(slot, tagAt(slot, u32)), this.offset) : -1;
      const gone = kind === JOINT_KIND ? 'it was removed, alone or with one of its bodies' : 'it was removed';
      why = generationOf(id, this.offset) <= lives ? gone : 'it belongs to another world and is valid only there';
    }
    throw new TalusError('stale-handle', `${name} ${id} does not exist: ${why}`);
  }
}
