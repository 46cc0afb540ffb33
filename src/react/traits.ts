// What props of bodies and colliders come to in descriptions of the engine.
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
  /** `ActiveCollisionTypes`: events of kinematic and static bodies that meet each other, which stop nothing. */
  activeCollisionTypes?: number;
  /** m: keeps others off by that; balls, boxes, capsules and cylinders are larger by it. When it changes, it counts for new bodies. */
  contactSkin?: number;
  /** As Rapier packs them: memberships in the high 16 bits, filter in the low ones (`interactionGroups`). */
  collisionGroups?: number;
  /** Of a body: all of its mass, as Rapier or this engine describes it. On a collider its `mass` counts. */
  massProperties?: MassProperties | MassDesc;
}

/** What a body is made with, and what changes it when it changes. */
export interface BodyTraitsProps extends ColliderTraits {
  /** Default `dynamic`. */
  type?: RigidBodyType;
  linearVelocity?: BodyDesc['linearVelocity'];
  angularVelocity?: BodyDesc['angularVelocity'];
  /** kg, instead of what density gives. */
  mass?: number;
  gravityScale?: number;
  linearDamping?: number;
  angularDamping?: number;
  /** Passes through nothing that moves, however slender: `bullet`. */
  ccd?: boolean;
  canSleep?: boolean;
  enabled?: boolean;
  lockTranslations?: boolean;
  lockRotations?: boolean;
  /** Axes along which it moves. */
  enabledTranslations?: readonly [boolean, boolean, boolean];
  enabledRotations?: readonly [boolean, boolean, boolean];
}

/** Category and mask in one number, as Rapier and react-three-rapier have them: lists of groups from 0 to 15. */
export function interactionGroups(memberships: number | readonly number[], filters?: number | readonly number[]): number {
  const bits = (groups: number | readonly number[]) => [groups].flat().reduce<number>((sum, group) => sum | (1 << group), 0);
  return ((bits(memberships) << 16) | (filters === undefined ? 0xffff : bits(filters))) >>> 0;
}

/** What colliders have where no prop says otherwise: as in Rapier they belong to all groups and average their surfaces. */
const DEFAULTS: Partial<ColliderDesc> = {
  friction: 0.5,
  frictionCombine: 'average',
  restitutionCombine: 'average',
  category: 0xffff,
};

/** The traits of props. */
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

/** All traits of the colliders of a body, with defaults where its props say nothing. */
export function bodyTraits(
  props: BodyTraitsProps,
  handlers: CollisionHandlers,
  label: string,
  density: number,
): Partial<ColliderDesc> {
  return { ...DEFAULTS, density, ...colliderTraits(props, handlers, label) };
}

/** A collider with the traits of its body where it has none of its own. A mass replaces the density. */
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

/** What `createBody` takes of props, without colliders, mass and pose. */
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

/** Changes a body by the props that are not as they were; its type and its colliders are not among them. */
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

/** The mass of a body that has no colliders which weigh anything: that of a ball of radius 1. */
function bareMass(mass: number | MassDesc): MassDesc {
  if (typeof mass !== 'number') return mass;
  return { mass, inertia: [0.4 * mass, 0.4 * mass, 0.4 * mass, 0, 0, 0] };
}

export function weighs(collider: ColliderDesc): boolean {
  return collider.mass !== undefined ? collider.mass > 0 : collider.density !== 0;
}

/** How a body is made: a dynamic one without any mass is held where it is, as if infinitely heavy (Rapier's has an inverse mass of 0). */
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
