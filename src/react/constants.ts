// Numbers that code for Rapier names: by value the same as there, so that masks and comparisons carry over.

/** How the coefficients of two colliders become one. */
export const CoefficientCombineRule = { Average: 0, Min: 1, Multiply: 2, Max: 3 } as const;
export type CoefficientCombineRule = (typeof CoefficientCombineRule)[keyof typeof CoefficientCombineRule];

/** Types of bodies, as `bodyType()` returns them. */
export const BODY_TYPE_NUMBERS = { Dynamic: 0, Fixed: 1, KinematicPositionBased: 2, KinematicVelocityBased: 3 } as const;

/** What a filter hook answers. */
export const SolverFlags = { EMPTY: 0, COMPUTE_IMPULSE: 1 } as const;

/** Which hooks a collider is put to (`setActiveHooks`). */
export const ActiveHooks = { NONE: 0, FILTER_CONTACT_PAIRS: 1, FILTER_INTERSECTION_PAIRS: 2 } as const;

/** Events of a collider. Here handlers ask for them by themselves. */
export const ActiveEvents = { NONE: 0, COLLISION_EVENTS: 1, CONTACT_FORCE_EVENTS: 2 } as const;

/** Pairs of body types that meet. */
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

/** How strong motors of joints are: accelerations, whatever the masses are, or forces. */
export const MotorModel = { AccelerationBased: 0, ForceBased: 1 } as const;
