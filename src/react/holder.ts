// The body behind a component: created when the component's group and the colliders in it exist, changed as props change, removed
// with it.
import { createContext } from 'react';
import { type Object3D, Quaternion, Vector3 } from 'three';
import type { BodyId, BodyType, ColliderDesc, ColliderId } from '../index';
import type { ShapeKind } from '../three/index';
import type { RigidBodyApi } from './apis';
import { typeOf } from './body_types';
import type { BuiltColliders, ColliderEntry } from './built';
import { withContactSkin } from './contact_skin';
import { type AutoColliders, kindOf, type TalusContext } from './context';
import type { BodyHandlers } from './events';
import { allowBounce } from './foreign_props';
import { quietly, same } from './guard';
import { askedMass } from './mass';
import { guarded, warnOnce } from './report';
import { type BodyTraitsProps, bodyDesc, bodyTraits, changeBody, weighs, weightOf, withTraits } from './traits';

/** Props of a body that this file reads. */
export interface HeldProps extends BodyTraitsProps, BodyHandlers {
  /** Whether invisible meshes become shapes too; default false. */
  includeInvisible?: boolean;
}

/** Components that own a body or a collider mark their groups with this. */
export const MARK = 'talusComponent';
export const isMarked = (object: Object3D) => object.userData[MARK] === true;

/** Returns the kind of shape that a body can have. Dynamic bodies take no triangles, but their convex parts or their hull. */
export function solidKind(kind: ShapeKind, type: BodyType, canCut: boolean, label: string): ShapeKind {
  if (kind !== 'mesh' || type !== 'dynamic') return kind;
  const [instead, what] = canCut
    ? (['decomposition', 'the convex parts that decompose finds'] as const)
    : (['hull', 'the convex hull; give Physics the prop decompose for a closer fit'] as const);
  warnOnce(`trimesh ${label}`, `${label}: triangles have no volume: its colliders are ${what}`);
  return instead;
}

interface Part {
  /** Its colliders, followed by their twins. */
  ids: ColliderId[];
  free: () => void;
}
const NOTHING: Part = { ids: [], free: () => undefined };

export class BodyHolder {
  private readonly entries = new Map<ColliderEntry, Part>();
  private auto: Part = NOTHING;
  private id: BodyId | null = null;
  private group: Object3D | null = null;
  private kind: AutoColliders = false;
  private props: HeldProps = {};
  /** Whether it should be dynamic but has no mass yet, and is held in place. */
  private isHeld = false;
  private isPlaceholder = false;

  constructor(
    readonly context: TalusContext,
    readonly api: RigidBodyApi,
    private readonly handlers: { current: BodyHandlers },
  ) {}

  private get traits(): Partial<ColliderDesc> {
    return bodyTraits(this.props, this.props, this.api.label, this.context.density);
  }

  /** Creates the body at the group, with the colliders that exist by now. Errors are reported; then there is no body. */
  create(group: Object3D, props: HeldProps, kind: AutoColliders): void {
    this.group = group;
    this.props = props;
    this.kind = kind;
    guarded(this.api.label, 'the body is left out', () => this.make(group));
  }

  private make(group: Object3D): void {
    const { world, physics, bodies } = this.context;
    const { props, traits } = this;
    const type = typeOf(props.type ?? 'dynamic');
    const built: { entry: ColliderEntry | null; part: BuiltColliders }[] = [];
    try {
      if (this.kind !== false) built.push({ entry: null, part: this.ofMeshes(group, this.kind, type) });
      for (const entry of this.entries.keys()) {
        const part = guarded(entry.label, 'it is left out', () => entry.build(group, type));
        if (part) built.push({ entry, part });
      }
      for (const one of built) one.part = this.skinned(one.part, one.entry?.label);
      const colliders = built.flatMap(({ part }) => part.colliders).map((one) => withTraits(traits, one));
      allowBounce(world, colliders);
      const weight = weightOf(props, colliders);
      if (weight.type === 'dynamic' && built.some(({ part }) => part.isSurface)) {
        warnOnce(`surface ${this.api.label}`, `${this.api.label}: a heightfield has no mass: the body stands still`);
        Object.assign(weight, { type: 'static', mass: undefined });
      }
      group.updateWorldMatrix(true, false);
      const [position, rotation] = [new Vector3(), new Quaternion()];
      group.matrixWorld.decompose(position, rotation, new Vector3());
      const mass = weight.mass === undefined ? {} : { mass: weight.mass };
      const id = world.createBody({ ...bodyDesc(props, weight.type), ...mass, position, rotation, colliders });
      this.id = id;
      this.isHeld = weight.isHeld;
      this.isPlaceholder = !colliders.some(weighs);
    } catch (error) {
      for (const { part } of built) part.free();
      throw error;
    }
    const id = this.id!;
    const ids = world.collidersOf(id);
    for (const { entry, part } of built) {
      const own: Part = { ids: ids.splice(0, part.colliders.length), free: part.free };
      this.twin(id, own, part);
      if (entry === null) this.auto = own;
      else this.announce(entry, own);
    }
    bodies.set(id, { api: this.api, handlers: this.handlers });
    this.context.listen(props);
    physics.bind(group, id);
    this.api.set(id);
  }

  /** Returns colliders for the meshes in the group that belong to no other component in it. */
  private ofMeshes(group: Object3D, auto: Exclude<AutoColliders, false>, type: BodyType): BuiltColliders {
    const { physics, shapeOptions } = this.context;
    const shape = solidKind(kindOf(auto), type, shapeOptions.decompose !== undefined, this.api.label);
    const isLeftOut = this.props.includeInvisible ? isMarked : (object: Object3D) => isMarked(object) || !object.visible;
    const { colliders, used } = physics.collidersOf(group, { ...shapeOptions, shape, type }, group, isLeftOut);
    return { colliders, free: () => physics.shapes.release(used), isSurface: shape === 'heightfield' };
  }

  private skinned(part: BuiltColliders, label = this.api.label): BuiltColliders {
    return withContactSkin(this.context.world, part, part.skin ?? this.props.contactSkin, this.traits, label);
  }

  private twin(id: BodyId, own: Part, { types = this.props.activeCollisionTypes }: BuiltColliders): void {
    own.ids.push(...this.context.addTwins(id, own.ids, types));
  }

  private announce(entry: ColliderEntry, part: Part): void {
    this.entries.set(entry, part);
    for (const id of part.ids) this.context.colliders.set(id, entry);
    if (part.ids[0] !== undefined) this.context.adopt(part.ids[0], entry.api);
    this.context.listen(entry.handlers.current);
  }

  destroy(): void {
    const { world, physics, bodies } = this.context;
    const { id, group } = this;
    if (id === null) return;
    this.id = null;
    this.api.set(null);
    bodies.delete(id);
    if (group && physics.bodiesOf(group)[0] === id) physics.unbind(group);
    quietly(() => world.isAlive(id) && world.removeBody(id));
    this.drop(this.auto);
    this.auto = NOTHING;
    for (const [entry, part] of this.entries) {
      this.drop(part);
      this.entries.set(entry, NOTHING);
    }
  }

  private drop(part: Part): void {
    this.context.forget(part.ids);
    quietly(part.free);
  }

  /** Adds the collider of a component: with the body, or later. */
  add(entry: ColliderEntry): void {
    this.entries.set(entry, NOTHING);
    guarded(entry.label, 'it is left out', () => this.addLater(entry));
  }

  private addLater(entry: ColliderEntry): void {
    const { world } = this.context;
    const { id, group } = this;
    if (id === null || !group || !world.isAlive(id)) return;
    const built = this.skinned(entry.build(group, this.isHeld ? 'dynamic' : world.getType(id)), entry.label);
    const colliders = built.colliders.map((one) => withTraits(this.traits, one));
    allowBounce(world, colliders);
    const part: Part = { ids: [], free: built.free };
    try {
      for (const collider of colliders) part.ids.push(world.addCollider(id, collider));
    } catch (error) {
      for (const collider of part.ids) world.removeCollider(collider);
      part.free();
      throw error;
    }
    this.twin(id, part, built);
    this.announce(entry, part);
    if (!this.isPlaceholder || !colliders.some(weighs)) return;
    this.isPlaceholder = false;
    if (this.isHeld) world.setType(id, 'dynamic');
    this.isHeld = false;
    world.setMass(id, askedMass(this.props));
  }

  /** Removes the collider of a component: alone, or with the body. */
  remove(entry: ColliderEntry): void {
    const { world } = this.context;
    const part = this.entries.get(entry);
    this.entries.delete(entry);
    if (!part) return;
    quietly(() => {
      for (const collider of part.ids) {
        if (this.id === null || !world.isAlive(this.id)) continue;
        if (this.isLast(collider)) this.unload(this.id);
        world.removeCollider(collider);
      }
    });
    this.drop(part);
  }

  /** Called before its last collider with mass is removed: it gets the mass of its props, or is held. */
  private unload(id: BodyId): void {
    const { world } = this.context;
    const { mass, isHeld } = weightOf(this.props, []);
    this.isPlaceholder = true;
    this.isHeld = isHeld;
    if (!isHeld) world.setMass(id, mass);
    else {
      world.setType(id, 'kinematic');
      world.setVelocity(id, [0, 0, 0], [0, 0, 0]);
    }
  }

  private isLast(collider: ColliderId): boolean {
    const { world } = this.context;
    if (world.getType(this.id!) !== 'dynamic') return false;
    return world.collidersOf(this.id!).every((other) => other === collider || !weighs(world.getCollider(other)));
  }

  /** Applies changed props. */
  change(props: HeldProps): void {
    const before = this.props;
    this.props = props;
    const { id } = this;
    if (id === null || !this.context.world.isAlive(id)) return;
    this.context.listen(props);
    guarded(this.api.label, 'the change is left out', () => this.apply(id, props, before));
  }

  private apply(id: BodyId, props: HeldProps, before: HeldProps): void {
    const { world, density } = this.context;
    const { label } = this.api;
    const type = typeOf(props.type ?? 'dynamic');
    if (props.type !== undefined && type !== typeOf(before.type ?? 'dynamic')) {
      try {
        world.setType(id, type);
        this.isHeld = false;
      } catch {
        // Its colliders are not for that type: triangles on a dynamic body, or none that weighs anything.
        this.remake(props);
        return;
      }
    }
    changeBody(world, id, props, before);
    if (world.getType(id) !== 'static' && !same(askedMass(props), askedMass(before))) {
      if (this.isHeld) {
        this.remake(props);
        return;
      }
      world.setMass(id, this.isPlaceholder ? weightOf(props, []).mass : askedMass(props));
    }
    const [traits, old] = [bodyTraits(props, props, label, density), bodyTraits(before, before, label, density)];
    if (!same(traits, old)) {
      for (const collider of this.auto.ids) if (!this.context.twins.has(collider)) world.setCollider(collider, traits);
    }
  }

  /** Replaces this body by another one. */
  private remake(props: HeldProps): void {
    const group = this.group!;
    this.destroy();
    this.create(group, props, this.kind);
  }

  /** Moves the body after its props have moved the group. */
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
