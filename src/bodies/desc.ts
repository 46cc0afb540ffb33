// Descriptions of bodies and colliders by the caller. If you add or remove a name here, do so in keys.ts too.
import type { BodyType, CombineRule, Quat, ShapeId, Vec3 } from '../types';
import type { BodyTraits } from './traits';

/** Surface and filter of a collider. */
export interface MaterialDesc {
  /** Coulomb coefficient of friction, 0 to 100; default 0.6. */
  friction?: number;
  /** Bounciness: speed after an impact divided by speed before, 0 to 1; default 0. */
  restitution?: number;
  /**
   * Torque against rolling, divided by normal force and radius, 0 to 1; default 0.02. It acts on spheres, capsules, cylinders and
   * cones; if both surfaces are round, the radius is 1 / (1 / r + 1 / r'). A ball rests on slopes up to the arctangent of this
   * value, and slows down by 5/7 of it times gravity. It acts up to the friction, since nothing rolls without friction.
   */
  rollingResistance?: number;
  /**
   * Friction against spin about the contact normal: torque divided by normal force, m, 0 to 1000; default 0. A face resists spin
   * by friction over its own size; a ball on a point needs this value to stop spinning. It acts only if there is friction.
   */
  spinningFriction?: number;
  /** How the frictions of two colliders combine; default `geometric`: the square root of their product. */
  frictionCombine?: CombineRule;
  /** How restitutions combine; default `max`. */
  restitutionCombine?: CombineRule;
  /** How rolling resistances combine; default `geometric`. */
  rollingResistanceCombine?: CombineRule;
  /** How spinning frictions combine; default `max`. */
  spinningFrictionCombine?: CombineRule;
  /** Group for contact rules (`World.setContactRule`), 0 to 63; default 0. */
  group?: number;
  /**
   * Categories that the collider belongs to, as bits; default 1. Two colliders collide if the mask of each contains a category of
   * the other.
   */
  category?: number;
  /** Categories that the collider collides with, as bits; default all. */
  mask?: number;
}

/** Events that a collider sends beside begin and end. */
export interface ColliderEvents {
  /** Whether it sends a persist event with the force in every step in which it keeps touching something; default false. */
  persistEvents?: boolean;
  /**
   * Impact speed from which this collider sends hit events (m/s, 0 to 1e6), whatever the other collider asks for. Default null:
   * the setting `hitSpeed` of the world.
   */
  hitSpeed?: number | null;
  /**
   * Impulse (N s, 0 to 1e15) that a hit must also have; default null: any. If no `hitSpeed` is set anywhere, hits have at least 1
   * m/s.
   */
  hitImpulse?: number | null;
  /** Whether a sensor on a static body also reports static bodies; default false. */
  seesStatic?: boolean;
}

/** A collider: a shape on a body, with its surface and filter. */
export interface ColliderDesc extends MaterialDesc, ColliderEvents {
  shape: ShapeId;
  /** Shape origin relative to the body origin (body frame, m); default 0 0 0. */
  position?: Vec3;
  /** Rotation of the shape in the body frame; default none. */
  rotation?: Quat;
  /** Density, kg/m3, 0 to 1e9; default 1000, and 0 for sensors. Surfaces (mesh, heightfield) have no mass. */
  density?: number;
  /** Mass in kg instead of a density, 0 to 1e12. */
  mass?: number;
  /** Whether it only reports overlaps and makes no contacts (a trigger); default false. */
  sensor?: boolean;
  /**
   * Velocity of its surface (shape frame, m/s); default 0 0 0. Friction carries touching bodies along, as a conveyor belt does.
   */
  surfaceVelocity?: Vec3;
  /** Angular velocity of its surface about its origin (shape frame, rad/s), as of a turntable; default 0 0 0. */
  surfaceSpin?: Vec3;
  /**
   * Direction in which other bodies pass through it (shape frame, any length); default 0 0 0: none. A platform that you can jump
   * onto from below has [0, 1, 0].
   */
  oneWay?: Vec3;
  /** Whether it takes part in collisions and queries; default true. Its mass counts in any case. */
  enabled?: boolean;
}

/** Mass, center of mass (body frame, m) and inertia about it (kg m2, body axes, [xx, yy, zz, xy, xz, yz]). */
export interface MassDesc {
  mass: number;
  center?: Vec3;
  inertia: ArrayLike<number>;
}

/** A body with its colliders: either `shape` (with the fields of one collider) or `colliders`. */
export interface BodyDesc extends Partial<Omit<ColliderDesc, 'mass' | 'enabled'>>, BodyTraits {
  /** `dynamic` (default), `kinematic` or `static`. */
  type?: BodyType;
  /** Origin of the body (world, m); default 0 0 0. */
  position?: Vec3;
  /** Rotation of the body (world); default none. */
  rotation?: Quat;
  /** Velocity of the center of mass (world, m/s); default 0. */
  linearVelocity?: Vec3;
  /** Angular velocity (world, rad/s); default 0. */
  angularVelocity?: Vec3;
  /** Several shapes on one body. */
  colliders?: readonly ColliderDesc[];
  /**
   * Mass in kg, or mass, center and inertia. It replaces the mass of the colliders. A number keeps their distribution of mass;
   * sensors have no density, so their volumes count. A kinematic body gets it when it becomes dynamic; static bodies are refused
   * with it.
   */
  mass?: number | MassDesc;
  /** Any value of your own: `getUserData`. */
  userData?: unknown;
  /** Factor on gravity, -1000 to 1000; default 1. */
  gravityScale?: number;
  /** Damping of the linear velocity, 1/s, 0 to 1000; default 0. */
  linearDamping?: number;
  /** Damping of the angular velocity, 1/s, 0 to 1000; default 0. */
  angularDamping?: number;
  /**
   * Whether the body passes through no moving body, however slender or slow it is; default false. Without it this holds for
   * bodies that move farther than their size in a step. It costs about as much as a fast body. Static and kinematic bodies keep
   * the flag, but it has no effect on them.
   */
  bullet?: boolean;
}

/**
 * Many bodies of one shape each, from arrays with one element (or three, four) per body. Where a field has a singular form too,
 * that is one value for all.
 */
export interface BodiesDesc
  extends Pick<
    BodyDesc,
    | 'type'
    | 'shape'
    | 'density'
    | 'gravityScale'
    | 'linearDamping'
    | 'angularDamping'
    | 'bullet'
    | keyof MaterialDesc
    | keyof ColliderEvents
    | keyof BodyTraits
  > {
  count: number;
  /** Body types by index: 0 static, 1 kinematic, 2 dynamic. */
  types?: ArrayLike<number>;
  /** Shapes of the bodies. Ids need more than 32 bits: use an array or a Float64Array. */
  shapes?: ArrayLike<ShapeId>;
  /** Origins, x y z per body (world, m). */
  positions: ArrayLike<number>;
  /** Rotations, x y z w per body. */
  rotations?: ArrayLike<number>;
  /** Velocities of the centers of mass, x y z per body (m/s). */
  linearVelocities?: ArrayLike<number>;
  /** Angular velocities, x y z per body (rad/s). */
  angularVelocities?: ArrayLike<number>;
  /** Densities, kg/m3. */
  densities?: ArrayLike<number>;
  frictions?: ArrayLike<number>;
  restitutions?: ArrayLike<number>;
  rollingResistances?: ArrayLike<number>;
  /** Tags, 32 bits per body. */
  tags?: ArrayLike<number>;
}
