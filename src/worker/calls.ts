// What of a world can be called from another thread, and how: the one list that page and thread share.
import type { World } from '../world';

/** Nothing comes back: sent with the next batch; a refusal is told to `onerror`. */
export const COMMANDS = [
  'set',
  'removeShape',
  'removeBody',
  'wake',
  'teleport',
  'setVelocity',
  'addForce',
  'addTorque',
  'applyImpulse',
  'applyAngularImpulse',
  'moveKinematic',
  'setGravityScale',
  'setDamping',
  'setType',
  'setMass',
  'removeCollider',
  'setMaterial',
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
  'measure',
  'snapshot',
  'hash',
  'setBackend',
  'readContacts',
  'readBounds',
  'readJointLines',
  'readLabels',
] as const;

/** The same, for calls that write three numbers to `out`: the promise is one of these. */
export const VECTORS = ['getLinearVelocity', 'getAngularVelocity', 'getCenterOfMass'] as const;

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
  'getPosition',
  'getRotation',
  'getPose',
  'readPoses',
  'readMatrices',
  'on',
  'once',
  'off',
] as const;

/** What there is not: events of one step (`takeEvents` has those of all), views of memory of another thread, a device that cannot be sent, a second world; `restore` would change ids. */
export const LEFT_OUT = ['events', 'stepAsync', 'velocities', 'clone', 'gpuPoses', 'restore', 'settle'] as const;

/** Slots in results, by call: they are made those of the page. */
export const SLOTS: Readonly<Record<string, readonly string[]>> = { readContacts: ['bodyA', 'bodyB'] };

type Result<K extends keyof World> = World[K] extends (...args: never) => infer R ? Awaited<R> : never;
type Arguments<K extends keyof World> = World[K] extends (...args: infer A) => unknown ? A : never;

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
  readonly [K in (typeof GETTERS)[number]]: Promise<World[K]>;
};
