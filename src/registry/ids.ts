// Ids of bodies, shapes, colliders and joints: plain numbers that contain their kind, their world and the generation of their
// slot.
//
//   id = slot + 2^24 (kind + 8 stamp),  stamp = (generation + offset of the world) mod 2^26
//
// 24 bits of slot, 3 of kind (from 1 on, so that no small number is an id) and 26 of stamp make a safe integer. The generation
// counts how often the slot was reused. Each world has another offset: multiples of the golden ratio keep those of n worlds at
// least 2^26 / 3n apart, so an id is mistaken for one of another world only if that many reuses lie between the two.

export const BODY_KIND = 1;
export const SHAPE_KIND = 2;
export const COLLIDER_KIND = 3;
export const JOINT_KIND = 4;
/** Names of kinds, for messages. */
export const KIND_NAMES: readonly (string | undefined)[] = [undefined, 'body', 'shape', 'collider', 'joint'];

const SLOT_RANGE = 2 ** 24;
const KIND_BITS = 3;
const KIND_RANGE = 2 ** KIND_BITS;
const STAMP_MASK = 2 ** 26 - 1;
/** 2^26 over the golden ratio, odd. */
const WORLD_STRIDE = 41_475_559;

/** Largest number of slots of one kind. */
export const MAX_SLOTS = SLOT_RANGE - 1;

let worlds = 0;

/** Returns the offset of the stamps of a new world. */
export function newWorldOffset(): number {
  worlds++;
  return Math.imul(worlds, WORLD_STRIDE) & STAMP_MASK;
}

/** Returns the part of an id above its slot: kind and stamp, in 29 bits. */
export function idTag(kind: number, generation: number, offset: number): number {
  return kind + KIND_RANGE * ((generation + offset) & STAMP_MASK);
}

/** Returns the id of a slot. */
export function makeId(slot: number, tag: number): number {
  return slot + tag * SLOT_RANGE;
}

/** Returns kind and stamp of an id. Here and below integers have 32 bits: other numbers would be allocated. */
export function tagOf(id: number): number {
  return (id / SLOT_RANGE) | 0;
}

/** Returns the slot of an id with that tag; -1 for any other value. */
export function slotOf(id: number, tag: number): number {
  const slot = (id - tag * SLOT_RANGE) | 0;
  return slot + tag * SLOT_RANGE === id ? slot : -1;
}

/** Returns the kind of an id; 0 for numbers that no world gives. */
export function kindOf(id: number): number {
  return tagOf(id) % KIND_RANGE;
}

/** Returns the generation of an id of a world; for an id of another world the result has no meaning. */
export function generationOf(id: number, offset: number): number {
  return ((tagOf(id) >> KIND_BITS) - offset) & STAMP_MASK;
}
