// The calls of a world that are possible from another thread, and their kinds: the one list that page and thread share.
import type { World } from '../index';

/** Calls without an answer. They are sent with the next batch, and `onerror` gets their errors. */
export const COMMANDS = [
  'set',
  'removeShape',
  'removeBody',
  'wake',
  'teleport',
  'setVelocity',
  'setLinearVelocity',
  'setAngularVelocity',
  'addForce',
  'addTorque',
  'applyImpulse',
  'applyAngularImpulse',
  'moveKinematic',
  'setGravityScale',
  'setDamping',
  'setType',
  'setEnabled',
  'setLocks',
  'setSpeedLimits',
  'setAllowSleep',
  'setTag',
  'sleep',
  'applyGravityField',
  'applyBuoyancy',
  'setMass',
  'removeCollider',
  'setMaterial',
  'setCollider',
  'setContactRule',
  'setBullet',
  'setColliderEvents',
  'setJoint',
  'removeJoint',
] as const;

/** Calls that return an id at once, which the page creates. */
export const MAKERS = ['createShape', 'createBody', 'createBodies', 'createJoint', 'addCollider'] as const;

/** Calls that return a promise. */
export const READS = [
  'isAsleep',
  'isBullet',
  'getColliderEvents',
  'getMass',
  'getType',
  'collidersOf',
  'bodyOf',
  'hasJoint',
  'jointsOf',
  'getJoint',
  'castRay',
  'castRayAny',
  'castShape',
  'castShapeAny',
  'overlapShapeAny',
  'closestPoint',
  'closestToShape',
  'contactPair',
  'applyExplosion',
  'getShape',
  'getBody',
  'getMassProperties',
  'getGravityScale',
  'getLinearDamping',
  'getAngularDamping',
  'getSpeedLimits',
  'getLocks',
  'getAllowSleep',
  'getTag',
  'isEnabled',
  'getCollider',
  'getMaterial',
  'getContactRule',
  'measure',
  'snapshot',
  'hash',
  'setBackend',
  'readContacts',
  'readBounds',
  'readJointLines',
  'readDebugLines',
  'readLabels',
] as const;

/** Calls that write three numbers to `out`: the promise resolves to one of these. */
export const VECTORS = ['getLinearVelocity', 'getAngularVelocity', 'getCenterOfMass'] as const;

/** Queries that write a list to their last argument: the promise resolves to the list. */
export const LISTS = [
  'castRayAll',
  'castShapeAll',
  'overlapShape',
  'overlapPoint',
  'overlapBounds',
  'closestPointAll',
  'contactShape',
] as const;

/** Batches, which write arrays to their last argument: the promise resolves to these. */
export const BATCHES = ['castRays', 'castShapes'] as const;

/** Properties: each is a promise in the page. */
export const GETTERS = ['settings', 'jointCount', 'activeBackend', 'backendReport', 'activeSolver', 'faults', 'profile'] as const;

/** Calls that a `TalusWorker` answers by itself, from the last poses that arrived. */
export const OWN = [
  'step',
  'advance',
  'dispose',
  'isAlive',
  'bodyCount',
  'slotCount',
  'indexOf',
  'bodyAt',
  'positions',
  'rotations',
  'sleepingCount',
  'stepCount',
  'alpha',
  'getPosition',
  'getRotation',
  'getPose',
  'readPoses',
  'readMatrices',
  'shift',
  'on',
  'once',
  'off',
] as const;

/**
 * Calls of a world that a remote world lacks: events of one step (`takeEvents` has those of all steps), views of another thread's
 * memory, a device (which cannot be sent), and a second world. `restore` would change ids. User data belong to the page.
 * Controllers would run in the page; `createCharacter` and `createVehicle` create some that run in the thread.
 */
export const LEFT_OUT = [
  'events',
  'stepAsync',
  'velocities',
  'clone',
  'gpuPoses',
  'restore',
  'settle',
  'slotsVersion',
  'posesVersion',
  'tags',
  'getUserData',
  'setUserData',
  'addController',
  'controllers',
] as const;

/** Fields of results that are slots, by call: they are converted to slots of the page. */
export const SLOTS: Readonly<Record<string, readonly string[]>> = { readContacts: ['bodyA', 'bodyB'] };

type Result<K extends keyof World> = World[K] extends (...args: never) => infer R ? Awaited<R> : never;
type Arguments<K extends keyof World> = World[K] extends (...args: infer A) => unknown ? A : never;

type ButLast<A extends readonly unknown[]> = A extends readonly [...infer Rest, unknown] ? Rest : never;
type Last<A extends readonly unknown[]> = A extends readonly [...unknown[], infer L] ? L : never;

/** The calls above, as a page has them. */
export type RemoteCalls = {
  readonly [K in (typeof COMMANDS)[number]]: (...args: Arguments<K>) => void;
} & {
  readonly [K in (typeof MAKERS)[number]]: (...args: Arguments<K>) => Result<K>;
} & {
  readonly [K in (typeof READS)[number]]: (...args: Arguments<K>) => Promise<Result<K>>;
} & {
  readonly [K in (typeof VECTORS)[number]]: (id: Parameters<World[K]>[0]) => Promise<[number, number, number]>;
} & {
  readonly [K in (typeof LISTS)[number]]: (...args: ButLast<Arguments<K>>) => Promise<Last<Arguments<K>>>;
} & {
  readonly [K in (typeof BATCHES)[number]]: (...args: ButLast<Arguments<K>>) => Promise<Required<Last<Arguments<K>>>>;
} & {
  readonly [K in (typeof GETTERS)[number]]: Promise<World[K]>;
};
