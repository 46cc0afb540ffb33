// Converts props of bodies and colliders into descriptions for the engine.
import { COLLIDER_TRAITS } from '../bodies/keys';
import type { BodyDesc, BodyId, BodyType, ColliderDesc, MassDesc, World } from '../index';
import { type RigidBodyType, typeOf } from './body_types';
import type { CollisionHandlers } from './events';
import { type ForeignSurface, takeSurface, type UnusedProps, warnUnused } from './foreign_props';
import { same } from './guard';
import { askedMass, type MassProperties } from './mass';

/** Surface and filter of colliders, as props. */
export interface ColliderTraits
  extends Omit<ColliderDesc, 'shape' | 'position' | 'rotation' | 'mass' | 'enabled'>,
    ForeignSurface,
    UnusedProps {
  /** `ActiveCollisionTypes`: requests events of kinematic and static bodies that touch each other. They stop nothing. */
  activeCollisionTypes?: number;
  /**
   * Distance (m) at which the collider keeps others off. It enlarges balls, boxes, capsules and cylinders. A change applies to
   * new bodies only.
   */
  contactSkin?: number;
  /** Category and mask packed as in Rapier: memberships in the high 16 bits, filter in the low 16 bits (`interactionGroups`). */
  collisionGroups?: number;
  /** On a body: all of its mass, in the form of Rapier or of this engine. On a collider only its `mass` counts. */
  massProperties?: MassProperties | MassDesc;
}

/** Fields with which a body is created; changes are applied to it. */
export interface BodyTraitsProps extends ColliderTraits {
  /** Type of the body; default `dynamic`. */
  type?: RigidBodyType;
  linearVelocity?: BodyDesc['linearVelocity'];
  angularVelocity?: BodyDesc['angularVelocity'];
  /** Mass in kg, instead of the mass by density. */
  mass?: number;
  gravityScale?: number;
  linearDamping?: number;
  angularDamping?: number;
  /** Whether it passes through no moving body, however slender it is: `bullet`. */
  ccd?: boolean;
  canSleep?: boolean;
  enabled?: boolean;
  lockTranslations?: boolean;
  lockRotations?: boolean;
  /** Axes along which it may move. */
  enabledTranslations?: readonly [boolean, boolean, boolean];
  enabledRotations?: readonly [boolean, boolean, boolean];
}

/**
 * Packs category and mask into one number, as in Rapier and react-three-rapier. Each is a group or a list of groups from 0 to 15.
 */
export function interactionGroups(memberships: number | readonly number[], filters?: number | readonly number[]): number {
  const bits = (groups: number | readonly number[]) => [groups].flat().reduce<number>((sum, group) => sum | (1 << group), 0);
  return ((bits(memberships) << 16) | (filters === undefined ? 0xffff : bits(filters))) >>> 0;
}

/** Defaults of colliders: as in Rapier they belong to all groups and average their surfaces. */
const DEFAULTS: Partial<ColliderDesc> = {
  friction: 0.5,
  frictionCombine: 'average',
  restitutionCombine: 'average',
  category: 0xffff,
};

/** Returns the traits of a collider's props. */
export function colliderTraits(props: ColliderTraits, handlers: CollisionHandlers, label: string): Partial<ColliderDesc> {
  const out: Record<string, unknown> = {};
  for (const key of COLLIDER_TRAITS) if (props[key] !== undefined) out[key] = props[key];
  if (props.collisionGroups !== undefined) {
    out.category ??= props.collisionGroups >>> 16;
    out.mask ??= props.collisionGroups & 0xffff;
  }
  if (handlers.onContactForce) out.persistEvents = true;
  takeSurface(label, props, out as Partial<ColliderDesc>);
  warnUnused(label, props);
  return out as Partial<ColliderDesc>;
}

/** Returns all traits of the colliders of a body, with defaults for props that are left out. */
export function bodyTraits(
  props: BodyTraitsProps,
  handlers: CollisionHandlers,
  label: string,
  density: number,
): Partial<ColliderDesc> {
  return { ...DEFAULTS, density, ...colliderTraits(props, handlers, label) };
}

/** Returns a collider with the traits of its body where it has none of its own. A mass replaces the density. */
export function withTraits(traits: Partial<ColliderDesc>, collider: ColliderDesc): ColliderDesc {
  const out = { ...traits, ...collider };
  if (out.mass !== undefined) delete out.density;
  return out;
}

export function locksOf(props: BodyTraitsProps): { translation: string; rotation: string } {
  const axes = (all: boolean | undefined, enabled: readonly boolean[] | undefined) =>
    all ? 'xyz' : ['x', 'y', 'z'].filter((_, k) => enabled && !enabled[k]).join('');
  return {
    translation: axes(props.lockTranslations, props.enabledTranslations),
    rotation: axes(props.lockRotations, props.enabledRotations),
  };
}

/** Returns the description for `createBody` without colliders, mass and pose. */
export function bodyDesc(props: BodyTraitsProps, type: BodyType): BodyDesc {
  const desc: BodyDesc = { type, locks: locksOf(props) };
  const moves = type !== 'static';
  if (moves && props.linearVelocity !== undefined) desc.linearVelocity = props.linearVelocity;
  if (moves && props.angularVelocity !== undefined) desc.angularVelocity = props.angularVelocity;
  for (const key of ['gravityScale', 'linearDamping', 'angularDamping', 'enabled'] as const) {
    if (props[key] !== undefined) (desc as Record<string, unknown>)[key] = props[key];
  }
  if (props.ccd !== undefined) desc.bullet = props.ccd;
  if (props.canSleep !== undefined) desc.allowSleep = props.canSleep;
  return desc;
}

/** Applies changed props to a body, except its type and its colliders. */
export function changeBody(world: World, body: BodyId, props: BodyTraitsProps, before: BodyTraitsProps): void {
  const isNew = (key: keyof BodyTraitsProps) => props[key] !== undefined && !same(props[key], before[key]);
  const moves = world.getType(body) !== 'static';
  if (moves && isNew('linearVelocity')) world.setLinearVelocity(body, props.linearVelocity!);
  if (moves && isNew('angularVelocity')) world.setAngularVelocity(body, props.angularVelocity!);
  if (isNew('gravityScale')) world.setGravityScale(body, props.gravityScale!);
  if (isNew('linearDamping') || isNew('angularDamping')) {
    const linear = props.linearDamping ?? world.getLinearDamping(body);
    world.setDamping(body, linear, props.angularDamping ?? world.getAngularDamping(body));
  }
  if (isNew('ccd')) world.setBullet(body, props.ccd!);
  if (isNew('canSleep')) world.setAllowSleep(body, props.canSleep!);
  if (isNew('enabled')) world.setEnabled(body, props.enabled!);
  if (!same(locksOf(props), locksOf(before))) world.setLocks(body, locksOf(props));
}

/** Returns the mass properties of a body without colliders that have mass: those of a ball of radius 1. */
function bareMass(mass: number | MassDesc): MassDesc {
  if (typeof mass !== 'number') return mass;
  return { mass, inertia: [0.4 * mass, 0.4 * mass, 0.4 * mass, 0, 0, 0] };
}

export function weighs(collider: ColliderDesc): boolean {
  return collider.mass !== undefined ? collider.mass > 0 : collider.density !== 0;
}

/**
 * Returns how a body gets its mass. A dynamic body without any mass is held in place, as if infinitely heavy (Rapier's has an
 * inverse mass of 0).
 */
export function weightOf(
  props: BodyTraitsProps,
  colliders: readonly ColliderDesc[],
): { type: BodyType; mass: number | MassDesc | undefined; isHeld: boolean } {
  const type = typeOf(props.type ?? 'dynamic');
  const mass = askedMass(props);
  if (type === 'static') return { type, mass: undefined, isHeld: false };
  if (colliders.some(weighs)) return { type, mass, isHeld: false };
  if (mass !== undefined) return { type, mass: bareMass(mass), isHeld: false };
  return { type: 'kinematic', mass: undefined, isHeld: type === 'dynamic' };
}
