// Words that every file of the API shares: vectors, ids, body types.
//
// Units: m, kg, s, rad. Frames: right-handed; "world" unless a docstring says "body" (origin and axes of the body).

declare const brand: unique symbol;

/** A body. Ids are plain numbers, safe integers of up to 53 bits: compare them, sort them, use them as keys of a Map. */
export type BodyId = number & { readonly [brand]: 'body' };
/** A shape, shared by any number of colliders. */
export type ShapeId = number & { readonly [brand]: 'shape' };
/** A shape on a body. */
export type ColliderId = number & { readonly [brand]: 'collider' };
/** A joint between two bodies, or of one and the world. */
export type JointId = number & { readonly [brand]: 'joint' };

/** x y z: an array or typed array of three numbers, or an object with x, y and z, as the vectors of three.js. */
export type Vec3 = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };
/** x y z w of a rotation, in an array or an object; of any length > 0 (it is normalized). */
export type Quat = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
/** Takes numbers by index: an array or typed array. */
export type NumberSink = { [index: number]: number };
/** Where a getter writes a vector: an array, or an object with x, y and z. */
export type Vec3Sink = NumberSink | { x: number; y: number; z: number };
/** Where a getter writes a rotation: an array, or an object with x, y, z and w. */
export type QuatSink = NumberSink | { x: number; y: number; z: number; w: number };

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
