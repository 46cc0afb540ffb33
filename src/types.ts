// Words that every file of the API shares: vectors, ids, body types.
//
// Units: m, kg, s, rad. Frames: right-handed; "world" unless a docstring says "body" (origin and axes of the body).

declare const brand: unique symbol;

/** Id of a body. Ids are plain numbers, safe integers of up to 53 bits: compare them, sort them, use them as keys of a Map. */
export type BodyId = number & { readonly [brand]: 'body' };
/** Id of a shape, which any number of colliders can share. */
export type ShapeId = number & { readonly [brand]: 'shape' };
/** Id of a collider: a shape on a body. */
export type ColliderId = number & { readonly [brand]: 'collider' };
/** Id of a joint between two bodies, or between a body and the world. */
export type JointId = number & { readonly [brand]: 'joint' };

/** A vector x y z: an array or typed array of three numbers, or an object with x, y and z, such as a `THREE.Vector3`. */
export type Vec3 = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };
/** A rotation as a quaternion x y z w, in an array or an object; of any length above 0 (it is normalized). */
export type Quat = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
/** Anything that takes numbers by index: an array or typed array. */
export type NumberSink = { [index: number]: number };
/** Where a getter writes a vector: an array, or an object with x, y and z. */
export type Vec3Sink = NumberSink | { x: number; y: number; z: number };
/** Where a getter writes a rotation: an array, or an object with x, y, z and w. */
export type QuatSink = NumberSink | { x: number; y: number; z: number; w: number };

/**
 * Type of a body.
 * - `dynamic`: moves by forces and contacts
 * - `kinematic`: moves by its velocity, as if of infinite mass
 * - `static`: never moves (you may teleport it)
 */
export type BodyType = 'static' | 'kinematic' | 'dynamic';

/** Index of each body type in the core. */
export const BODY_TYPES: readonly BodyType[] = ['static', 'kinematic', 'dynamic'];

/**
 * How the coefficients of two colliders combine into one. If the two colliders have different rules, the later one in this list
 * wins.
 */
export type CombineRule = 'average' | 'multiply' | 'min' | 'max' | 'geometric';

/** Index of each rule in the core. */
export const COMBINE_RULES: readonly CombineRule[] = ['average', 'multiply', 'min', 'max', 'geometric'];
