// What of a world can be called from another thread, and how: the one list that page and thread share.
import type { World } from '../index';

/** Calls without an answer: sent with the next batch; `onerror` gets errors. */
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

/** They answer with an id at once: the page makes it. */
export const MAKERS = ['createShape', 'createBody', 'createBodies', 'createJoint', 'addCollider'] as const;

/** They answer with a promise. */
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

/** The same, for calls that write three numbers to `out`: the promise is one of these. */
export const VECTORS = ['getLinearVelocity', 'getAngularVelocity', 'getCenterOfMass'] as const;

/** Queries that write a list to their last argument: the promise is the list. */
export const LISTS = [
  'castRayAll',
  'castShapeAll',
  'overlapShape',
  'overlapPoint',
  'overlapBounds',
  'closestPointAll',
  'contactShape',
] as const;

/** Batches, which write arrays to their last argument: the promise is these. */
export const BATCHES = ['castRays', 'castShapes'] as const;

/** Properties: the page has a promise of each. */
export const GETTERS = ['settings', 'jointCount', 'activeBackend', 'backendReport', 'activeSolver', 'faults', 'profile'] as const;

/** What a `TalusWorker` has by itself, from the last poses that came. */
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
 * Calls of a world that a remote world lacks: events of one step (`takeEvents` has those of all steps), views of memory of another thread,
 * a device, which cannot be sent, and a second world. `restore` would change ids. User data belong to the page. Controllers would
 * run in the page; `createCharacter` and `createVehicle` make some that run in the thread.
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
  'tags',
  'getUserData',
  'setUserData',
  'addController',
  'controllers',
] as const;

/** Slots in results, by call: they are made those of the page. */
export const SLOTS: Readonly<Record<string, readonly string[]>> = { readContacts: ['bodyA', 'bodyB'] };

type Result<K extends keyof World> = World[K] extends (...args: never) => infer R ? Awaited<R> : never;
type Arguments<K extends keyof World> = World[K] extends (...args: infer A) => unknown ? A : never;

type ButLast<A extends readonly unknown[]> = A extends readonly [...infer Rest, unknown] ? Rest : never;
type Last<A extends readonly unknown[]> = A extends readonly [...unknown[], infer L] ? L : never;

/** The calls above, as a page sees them. */
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
