// Types of bodies by their names and numbers in both engines.
import type { BodyType } from '../index';

/** Types by Rapier's numbers. */
const BY_NUMBER: readonly (BodyType | undefined)[] = ['dynamic', 'static', 'kinematic', 'kinematic'];
const BY_NAME: Record<string, BodyType> = {
  fixed: 'static',
  kinematicPosition: 'kinematic',
  kinematicVelocity: 'kinematic',
};
const NUMBERS: Record<BodyType, number> = { dynamic: 0, static: 1, kinematic: 2 };

/** Names of types in react-three-rapier. */
export type RigidBodyTypeString = 'dynamic' | 'fixed' | 'kinematicPosition' | 'kinematicVelocity';

/** Types of `RigidBody`: those of talus, and `fixed`, `kinematicPosition`, `kinematicVelocity`. */
export type RigidBodyType = BodyType | RigidBodyTypeString;

export function typeOf(type: RigidBodyType | number): BodyType {
  if (typeof type === 'number') return BY_NUMBER[type] ?? (String(type) as BodyType);
  return BY_NAME[type] ?? (type as BodyType);
}

/** Returns Rapier's number of a type; both kinds of kinematic types are 2. */
export const numberOf = (type: BodyType) => NUMBERS[type];
