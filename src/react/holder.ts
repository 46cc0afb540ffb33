// The body behind a component: made when the component's group and the colliders in it are there, changed as props change, gone with it.
import { createContext } from 'react';
import { type Object3D, Quaternion, Vector3 } from 'three';
import { COLLIDER_TRAITS } from '../bodies/keys';
import type { BodyDesc, BodyId, BodyType, ColliderDesc, ColliderId, MassDesc, ShapeId } from '../index';
import { type RigidBodyApi, type RigidBodyType, typeOf } from './body_api';
import { type AutoColliders, type BodyHandlers, type CollisionHandlers, kindOf, type TalusContext } from './context';
import { quietly, same } from './guard';

/** Surface and filter of colliders, as props. */
export interface ColliderTraits extends Omit<ColliderDesc, 'shape' | 'position' | 'rotation' | 'mass' | 'enabled'> {
  /** As Rapier packs them: memberships in the high 16 bits, filter in the low ones (`interactionGroups`). */
  collisionGroups?: number;
}

/** What a body is made with, and what changes it when it changes. */
export interface BodyTraitsProps extends ColliderTraits {
  /** Default `dynamic`. */
  type?: RigidBodyType;
  linearVelocity?: BodyDesc['linearVelocity'];
  angularVelocity?: BodyDesc['angularVelocity'];
  /** kg, instead of what density gives. */
  mass?: number | MassDesc;
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

/** A collider component of a body. */
export interface ColliderEntry {
  /** Colliders in the frame of an object, by shapes that are given back with `used`. */
  build(frame: Object3D): { colliders: ColliderDesc[]; used: ShapeId[] };
  readonly object: Object3D | null;
  readonly handlers: { current: CollisionHandlers };
}

/** Of a body without colliders that have mass. */
const PLACEHOLDER: MassDesc = { mass: 1, inertia: [0.4, 0.4, 0.4, 0, 0, 0] };

/** Category and mask in one number, as Rapier and react-three-rapier have them: lists of groups from 0 to 15. */
export function interactionGroups(memberships: number | readonly number[], filters?: number | readonly number[]): number {
  const bits = (groups: number | readonly number[]) => [groups].flat().reduce<number>((sum, group) => sum | (1 << group), 0);
  return ((bits(memberships) << 16) | (filters === undefined ? 0xffff : bits(filters))) >>> 0;
}

/** What of props colliders are made with. */
export function colliderTraits(props: ColliderTraits, handlers: CollisionHandlers): Partial<ColliderDesc> {
  const out: Record<string, unknown> = {};
  for (const key of COLLIDER_TRAITS) if (props[key] !== undefined) out[key] = props[key];
  if (props.collisionGroups !== undefined) {
    out.category ??= props.collisionGroups >>> 16;
    out.mask ??= props.collisionGroups & 0xffff;
  }
  if (handlers.onContactForce) out.persistEvents = true;
  return out as Partial<ColliderDesc>;
}

function locksOf(props: BodyTraitsProps): { translation: string; rotation: string } {
  const axes = (all: boolean | undefined, enabled: readonly boolean[] | undefined) =>
    all ? 'xyz' : ['x', 'y', 'z'].filter((_, k) => enabled && !enabled[k]).join('');
  return {
    translation: axes(props.lockTranslations, props.enabledTranslations),
    rotation: axes(props.lockRotations, props.enabledRotations),
  };
}

/** What `createBody` takes of props, without colliders and pose. */
export function bodyDesc(props: BodyTraitsProps): BodyDesc {
  const desc: BodyDesc = { type: typeOf(props.type ?? 'dynamic'), locks: locksOf(props) };
  const isStatic = desc.type === 'static';
  if (!isStatic && props.linearVelocity !== undefined) desc.linearVelocity = props.linearVelocity;
  if (!isStatic && props.angularVelocity !== undefined) desc.angularVelocity = props.angularVelocity;
  for (const key of ['gravityScale', 'linearDamping', 'angularDamping', 'enabled'] as const) {
    if (props[key] !== undefined) (desc as Record<string, unknown>)[key] = props[key];
  }
  if (props.ccd !== undefined) desc.bullet = props.ccd;
  if (props.canSleep !== undefined) desc.allowSleep = props.canSleep;
  return desc;
}

/** The mass to ask for, where the colliders may have none. */
export function massOf(props: BodyTraitsProps, colliders: readonly ColliderDesc[]): { mass?: number | MassDesc } {
  if (typeOf(props.type ?? 'dynamic') === 'static') return {};
  const { mass } = props;
  if (colliders.some(weighs)) return mass === undefined ? {} : { mass };
  if (typeof mass !== 'number') return { mass: mass ?? PLACEHOLDER };
  return { mass: { mass, inertia: [0.4 * mass, 0.4 * mass, 0.4 * mass, 0, 0, 0] } };
}

function weighs(collider: ColliderDesc): boolean {
  return collider.sensor ? (collider.density ?? 0) > 0 : collider.density !== 0;
}

/** Components that own a body or a collider mark their groups by this. */
export const MARK = 'talusComponent';
export const isMarked = (object: Object3D) => object.userData[MARK] === true;

export class BodyHolder {
  private readonly entries = new Map<ColliderEntry, { ids: ColliderId[]; used: ShapeId[] }>();
  private auto: { ids: ColliderId[]; used: ShapeId[] } = { ids: [], used: [] };
  private id: BodyId | null = null;
  private group: Object3D | null = null;
  private props: BodyTraitsProps & BodyHandlers = {};
  private isPlaceholder = false;

  constructor(
    readonly context: TalusContext,
    readonly api: RigidBodyApi,
    private readonly handlers: { current: BodyHandlers },
  ) {}

  /** Whether the body never moves. */
  get isStatic(): boolean {
    return typeOf(this.props.type ?? 'dynamic') === 'static';
  }

  /** Makes the body where the group is, of the colliders that are there by now. */
  create(group: Object3D, props: BodyTraitsProps & BodyHandlers, kind: AutoColliders): void {
    const { world, physics, shapeOptions } = this.context;
    this.group = group;
    this.props = props;
    const traits = colliderTraits(props, props);
    const type: BodyType = typeOf(props.type ?? 'dynamic');
    const built = [...this.entries.keys()].map((entry) => ({ entry, ...entry.build(group) }));
    const auto =
      kind === false
        ? { colliders: [], used: [] }
        : physics.collidersOf(group, { ...shapeOptions, shape: kindOf(kind), type }, group, isMarked);
    const colliders = [...auto.colliders, ...built.flatMap((part) => part.colliders)].map((one) => ({ ...traits, ...one }));
    group.updateWorldMatrix(true, false);
    const [position, rotation] = [new Vector3(), new Quaternion()];
    group.matrixWorld.decompose(position, rotation, new Vector3());
    const mass = massOf(props, colliders);
    const id = world.createBody({ ...bodyDesc(props), ...mass, position, rotation, colliders });
    this.isPlaceholder = !colliders.some(weighs);
    this.id = id;
    const ids = world.collidersOf(id);
    this.auto = { ids: ids.splice(0, auto.colliders.length), used: auto.used };
    for (const { entry, colliders: own, used } of built) this.entries.set(entry, { ids: ids.splice(0, own.length), used });
    for (const entry of this.entries.keys()) this.announce(entry);
    this.context.bodies.set(id, { api: this.api, handlers: this.handlers });
    this.context.listen(props);
    physics.bind(group, id);
    this.api.set(id);
  }

  private announce(entry: ColliderEntry): void {
    for (const id of this.entries.get(entry)!.ids) this.context.colliders.set(id, entry);
    this.context.listen(entry.handlers.current);
  }

  destroy(): void {
    const { world, physics, bodies, colliders } = this.context;
    const { id, group } = this;
    if (id === null) return;
    this.id = null;
    this.api.set(null);
    bodies.delete(id);
    if (group && physics.bodiesOf(group)[0] === id) physics.unbind(group);
    quietly(() => world.isAlive(id) && world.removeBody(id));
    for (const part of [this.auto, ...this.entries.values()]) {
      for (const collider of part.ids) colliders.delete(collider);
      quietly(() => physics.shapes.release(part.used));
      part.ids = [];
      part.used = [];
    }
  }

  /** A collider component came: with the body, or later. */
  add(entry: ColliderEntry): void {
    const { world } = this.context;
    const part = { ids: [] as ColliderId[], used: [] as ShapeId[] };
    this.entries.set(entry, part);
    const { id, group } = this;
    if (id === null || !group || !world.isAlive(id)) return;
    const { colliders, used } = entry.build(group);
    const traits = colliderTraits(this.props, this.props);
    part.used = used;
    for (const collider of colliders) part.ids.push(world.addCollider(id, { ...traits, ...collider }));
    this.announce(entry);
    if (this.isPlaceholder && colliders.some(weighs)) {
      world.setMass(id, this.props.mass);
      this.isPlaceholder = false;
    }
  }

  /** It goes: alone, or with the body. */
  remove(entry: ColliderEntry): void {
    const { world, physics } = this.context;
    const part = this.entries.get(entry);
    this.entries.delete(entry);
    if (!part) return;
    quietly(() => {
      for (const collider of part.ids) {
        this.context.colliders.delete(collider);
        if (this.id === null || !world.isAlive(this.id)) continue;
        // Without its last collider a body that moves still has a mass.
        if (this.isLast(collider)) {
          world.setMass(this.id, massOf(this.props, []).mass);
          this.isPlaceholder = true;
        }
        world.removeCollider(collider);
      }
      physics.shapes.release(part.used);
    });
  }

  private isLast(collider: ColliderId): boolean {
    const { world } = this.context;
    if (world.getType(this.id!) !== 'dynamic') return false;
    return world.collidersOf(this.id!).every((other) => other === collider || !weighs(world.getCollider(other)));
  }

  /** Takes over props that are not as they were. */
  change(props: BodyTraitsProps & BodyHandlers): void {
    const before = this.props;
    this.props = props;
    const { id } = this;
    const { world } = this.context;
    if (id === null || !world.isAlive(id)) return;
    const isNew = (key: keyof BodyTraitsProps) => props[key] !== undefined && !same(props[key], before[key]);
    this.context.listen(props);
    if (isNew('type')) world.setType(id, typeOf(props.type!));
    const moves = world.getType(id) !== 'static';
    if (moves && isNew('linearVelocity')) world.setLinearVelocity(id, props.linearVelocity!);
    if (moves && isNew('angularVelocity')) world.setAngularVelocity(id, props.angularVelocity!);
    if (moves && !same(props.mass, before.mass)) world.setMass(id, this.isPlaceholder ? massOf(props, []).mass : props.mass);
    if (isNew('gravityScale')) world.setGravityScale(id, props.gravityScale!);
    if (isNew('linearDamping') || isNew('angularDamping')) {
      world.setDamping(
        id,
        props.linearDamping ?? world.getLinearDamping(id),
        props.angularDamping ?? world.getAngularDamping(id),
      );
    }
    if (isNew('ccd')) world.setBullet(id, props.ccd!);
    if (isNew('canSleep')) world.setAllowSleep(id, props.canSleep!);
    if (isNew('enabled')) world.setEnabled(id, props.enabled!);
    if (!same(locksOf(props), locksOf(before))) world.setLocks(id, locksOf(props));
    const [traits, old] = [colliderTraits(props, props), colliderTraits(before, before)];
    if (!same(traits, old)) for (const collider of this.auto.ids) world.setCollider(collider, traits);
  }

  /** The group was put somewhere else by its props. */
  teleport(isTurned: boolean): void {
    const { id, group } = this;
    const { world } = this.context;
    if (id === null || !group || !world.isAlive(id)) return;
    group.updateWorldMatrix(true, false);
    const [position, rotation] = [new Vector3(), new Quaternion()];
    group.matrixWorld.decompose(position, rotation, new Vector3());
    world.teleport(id, position, isTurned ? rotation : world.getRotation(id, rotation));
    world.wake(id);
  }
}

export const BodyContext = createContext<BodyHolder | null>(null);
