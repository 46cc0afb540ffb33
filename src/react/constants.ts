// Numbers that code for Rapier names: by value the same as there, so that masks and comparisons carry over.

/** How the coefficients of two colliders combine. */
export const CoefficientCombineRule = { Average: 0, Min: 1, Multiply: 2, Max: 3 } as const;
export type CoefficientCombineRule = (typeof CoefficientCombineRule)[keyof typeof CoefficientCombineRule];

/** Rapier's numbers for types of bodies, which `bodyType()` returns. */
export const BODY_TYPE_NUMBERS = { Dynamic: 0, Fixed: 1, KinematicPositionBased: 2, KinematicVelocityBased: 3 } as const;

/** Results of a filter hook. */
export const SolverFlags = { EMPTY: 0, COMPUTE_IMPULSE: 1 } as const;

/** Which hooks decide about a collider (`setActiveHooks`). */
export const ActiveHooks = { NONE: 0, FILTER_CONTACT_PAIRS: 1, FILTER_INTERSECTION_PAIRS: 2 } as const;

/** Events of a collider. Here they have no effect: handlers request their events by themselves. */
export const ActiveEvents = { NONE: 0, COLLISION_EVENTS: 1, CONTACT_FORCE_EVENTS: 2 } as const;

/** Pairs of body types that collide. */
export const ActiveCollisionTypes = {
  DYNAMIC_DYNAMIC: 1,
  DYNAMIC_FIXED: 2,
  DYNAMIC_KINEMATIC: 12,
  DEFAULT: 15,
  FIXED_FIXED: 32,
  KINEMATIC_FIXED: 8704,
  KINEMATIC_KINEMATIC: 52224,
  ALL: 60943,
} as const;

/** What factors of joint motors mean: accelerations, independent of the masses, or forces. */
export const MotorModel = { AccelerationBased: 0, ForceBased: 1 } as const;
