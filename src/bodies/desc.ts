// What a caller says bodies and colliders are. A name more, or one less, is one more or less in keys.ts too.
import type { BodyType, CombineRule, Quat, ShapeId, Vec3 } from '../types';
import type { BodyTraits } from './traits';

/** Surface and filter of a collider. */
export interface MaterialDesc {
  /** Coulomb coefficient, 0 to 100; default 0.6. */
  friction?: number;
  /** Speed after an impact over speed before, 0 to 1; default 0. */
  restitution?: number;
  /**
   * Torque against rolling over normal force and radius, 0 to 1; default 0.02. Spheres, capsules, cylinders and cones have it,
   * with 1 / (1 / r + 1 / r') for the radius where both are round. A ball rests on
   * slopes up to its arctangent and slows down by 5/7 of it times gravity. It counts up to the friction: without that nothing rolls.
   */
  rollingResistance?: number;
  /**
   * Lever of the normal force against spin about the normal, m, 0 to 1000; default 0. Faces resist spin by friction over their own
   * size; a ball on a point needs this to stop spinning. It counts where there is friction.
   */
  spinningFriction?: number;
  /** Default `geometric`: the square root of the product. */
  frictionCombine?: CombineRule;
  /** Default `max`. */
  restitutionCombine?: CombineRule;
  /** Default `geometric`. */
  rollingResistanceCombine?: CombineRule;
  /** Default `max`. */
  spinningFrictionCombine?: CombineRule;
  /** Group of contact rules (`World.setContactRule`), 0 to 63; default 0. */
  group?: number;
  /** Bits of the categories it belongs to; default 1. Two colliders meet if each has a category that the other's mask has. */
  category?: number;
  /** Bits of the categories it meets; default all. */
  mask?: number;
}

/** Events that a collider sends beside begin and end. */
export interface ColliderEvents {
  /** Sends a persist event with the force in every step in which it goes on touching something; default false. */
  persistEvents?: boolean;
  /**
   * m/s, 0 to 1e6: impacts of this collider at least as fast are hits, whatever the other one asks for. Default null: the setting
   * `hitSpeed` of the world.
   */
  hitSpeed?: number | null;
  /** N s, 0 to 1e15: hits must have this impulse too; default null: any. Without a `hitSpeed` anywhere they have 1 m/s at least. */
  hitImpulse?: number | null;
  /** A sensor on a static body reports static bodies too; default false. */
  seesStatic?: boolean;
}

/** A shape on a body. */
export interface ColliderDesc extends MaterialDesc, ColliderEvents {
  shape: ShapeId;
  /** Shape origin relative to the body origin, body frame, m; default 0 0 0. */
  position?: Vec3;
  /** Shape axes in the body frame; default none. */
  rotation?: Quat;
  /** kg/m3, 0 to 1e9; default 1000, 0 for sensors. Surfaces (mesh, heightfield) have no mass. */
  density?: number;
  /** kg instead of a density, 0 to 1e12. */
  mass?: number;
  /** Reports overlaps and makes no contacts; default false. */
  sensor?: boolean;
  /** Velocity of its surface, shape frame, m/s; default 0 0 0: friction carries along what touches it, as a belt does. */
  surfaceVelocity?: Vec3;
  /** Angular velocity of its surface about its origin, shape frame, rad/s; default 0 0 0: a turntable that stands still. */
  surfaceSpin?: Vec3;
  /**
   * Direction in which other bodies pass through it (shape frame, of any length); default 0 0 0: none do. A platform that
   * is jumped on from below has [0, 1, 0].
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

/** A body and its colliders: either `shape` (with the fields of one collider) or `colliders`. */
export interface BodyDesc extends Partial<Omit<ColliderDesc, 'mass' | 'enabled'>>, BodyTraits {
  /** Default `dynamic`. */
  type?: BodyType;
  /** Body origin, world, m; default 0 0 0. */
  position?: Vec3;
  /** Body axes, world; default none. */
  rotation?: Quat;
  /** Of the center of mass, world, m/s; default 0. */
  linearVelocity?: Vec3;
  /** World, rad/s; default 0. */
  angularVelocity?: Vec3;
  /** Several shapes on one body. */
  colliders?: readonly ColliderDesc[];
  /**
   * kg, or everything: replaces the mass that follows from the colliders (a number keeps their distribution; sensors alone, which have
   * no density, give that of their volumes). Kinematic bodies have it once they become dynamic; static ones are refused with it.
   */
  mass?: number | MassDesc;
  /** Anything of the caller's own: `getUserData`. */
  userData?: unknown;
  /** Factor on gravity, -1000 to 1000; default 1. */
  gravityScale?: number;
  /** 1/s, 0 to 1000; default 0. */
  linearDamping?: number;
  /** 1/s, 0 to 1000; default 0. */
  angularDamping?: number;
  /**
   * Default false. Bodies that move farther than their size in a step pass through nothing; a bullet passes through nothing however
   * slender or slow it is. It costs about as much as a fast body does. Means nothing to static and kinematic bodies, which keep it.
   */
  bullet?: boolean;
}

/**
 * Many bodies of one shape each, from arrays: one element (three, four) a body. Where both are offered, the singular name
 * is one value for all.
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
  /** Ids need more than 32 bits: an array or a Float64Array. */
  shapes?: ArrayLike<ShapeId>;
  /** x y z, m. */
  positions: ArrayLike<number>;
  /** x y z w. */
  rotations?: ArrayLike<number>;
  /** x y z, m/s. */
  linearVelocities?: ArrayLike<number>;
  /** x y z, rad/s. */
  angularVelocities?: ArrayLike<number>;
  /** kg/m3. */
  densities?: ArrayLike<number>;
  frictions?: ArrayLike<number>;
  restitutions?: ArrayLike<number>;
  rollingResistances?: ArrayLike<number>;
  /** 32 bits each. */
  tags?: ArrayLike<number>;
}
