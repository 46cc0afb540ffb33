// Words that every file of the API shares: vectors, ids, body types.
//
// Units: m, kg, s, rad. Frames: right-handed; "world" unless a docstring says "body" (origin and axes of the body).

declare const brand: unique symbol;

/** A body: index of its slot plus generation * 2^24. A plain number, comparable, usable as a Map key. */
export type BodyId = number & { readonly [brand]: 'body' };
/** A shape, shared by any number of colliders. */
export type ShapeId = number & { readonly [brand]: 'shape' };
/** A shape on a body. */
export type ColliderId = number & { readonly [brand]: 'collider' };

/** x y z: an array or typed array of three numbers. */
export type Vec3 = ArrayLike<number>;
/** x y z w of a rotation: an array or typed array of four numbers, of any length > 0 (it is normalized). */
export type Quat = ArrayLike<number>;
/** Where a getter writes: anything that takes numbers by index. */
export type NumberSink = { [index: number]: number };

/**
 * - `dynamic`: moves by forces and contacts
 * - `kinematic`: moves by its velocity, as if of infinite mass
 * - `static`: never moves (teleporting it is allowed)
 */
export type BodyType = 'static' | 'kinematic' | 'dynamic';

/** Index of each body type in the core. */
export const BODY_TYPES: readonly BodyType[] = ['static', 'kinematic', 'dynamic'];

/** How the coefficients of two colliders become one; of two different rules the later in this list wins. */
export type CombineRule = 'average' | 'multiply' | 'min' | 'max' | 'geometric';

/** Index of each rule in the core. */
export const COMBINE_RULES: readonly CombineRule[] = ['average', 'multiply', 'min', 'max', 'geometric'];

/** Bits of an id below the generation. */
const INDEX_RANGE = 2 ** 24;

/** The id of a slot in its `generation`-th life. A safe integer. */
export function makeId(index: number, generation: number): number {
  return index + generation * INDEX_RANGE;
}

/** Slot index of an id. */
export function idIndex(id: number): number {
  return id % INDEX_RANGE;
}

/** Generation of an id. */
export function idGeneration(id: number): number {
  return Math.floor(id / INDEX_RANGE);
}

/** Most slots of one kind. */
export const MAX_SLOTS = INDEX_RANGE - 1;
