// The names of all fields of colliders, in one place: code that checks, splits or passes on descriptions reads them here. They
// are compared with the types by `satisfies`: a new, removed or misspelled field does not compile.
import type { ColliderDesc, ColliderEvents, MaterialDesc } from './desc';

/** Names of the fields of an object. */
export const keysOf = <T extends object>(all: T) => Object.keys(all) as (keyof T)[];

/** Surface and filter. */
export const MATERIAL_KEYS = keysOf({
  friction: 1,
  restitution: 1,
  rollingResistance: 1,
  frictionCombine: 1,
  restitutionCombine: 1,
  rollingResistanceCombine: 1,
  spinningFriction: 1,
  spinningFrictionCombine: 1,
  group: 1,
  category: 1,
  mask: 1,
} satisfies Record<keyof MaterialDesc, 1>);

/** Names of the fields of `ColliderEvents`. */
export const EVENT_KEYS = keysOf({
  persistEvents: 1,
  hitSpeed: 1,
  hitImpulse: 1,
  seesStatic: 1,
} satisfies Record<keyof ColliderEvents, 1>);

/** Fields of a collider, except shape, pose, and fields that a body has too for the whole body. */
export type ColliderTrait = Exclude<keyof ColliderDesc, 'shape' | 'position' | 'rotation' | 'mass' | 'enabled'>;

export const COLLIDER_TRAITS: readonly ColliderTrait[] = [
  ...keysOf({
    density: 1,
    sensor: 1,
    surfaceVelocity: 1,
    surfaceSpin: 1,
    oneWay: 1,
  } satisfies Record<Exclude<ColliderTrait, keyof MaterialDesc | keyof ColliderEvents>, 1>),
  ...EVENT_KEYS,
  ...MATERIAL_KEYS,
];
