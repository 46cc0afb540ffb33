// <InstancedRigidBodies>: a body for each instance of the <instancedMesh> in it.
import type { ThreeElements } from '@react-three/fiber';
import {
  createElement,
  Fragment,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { Euler, type Group, type InstancedMesh, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { BodyId, Quat } from '../index';
import { RigidBodyApi } from './apis';
import { typeOf } from './body_types';
import type { BuiltColliders } from './built';
import { withContactSkin } from './contact_skin';
import { type AutoColliders, kindOf, type TalusContext, useTalus } from './context';
import type { BodyHandlers } from './events';
import { allowBounce } from './foreign_props';
import { quietly, same, useLatest } from './guard';
import { MARK, solidKind } from './holder';
import { guarded, labelOf, report } from './report';
import { Template, TemplateContext } from './template';
import { type BodyTraitsProps, bodyDesc, bodyTraits, changeBody, weightOf, withTraits } from './traits';
import { toQuaternion, toVector, type VectorProp } from './vectors';

type GroupProps = ThreeElements['group'];

/** One body. Its fields win over the props of all. */
export interface InstanceProps extends BodyTraitsProps, BodyHandlers {
  /** Its key among the instances: it stays the same body when the list changes. */
  key: string | number;
  position?: VectorProp;
  /** Rotation: angles as in `rotation` of an object (rad, XYZ), or a quaternion. */
  rotation?: VectorProp | Euler;
  quaternion?: Quat;
  /** Scale: one factor, or three. */
  scale?: VectorProp;
  name?: string;
  userData?: unknown;
}

export interface InstancedRigidBodiesProps
  extends BodyTraitsProps,
    BodyHandlers,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'name'> {
  ref?: Ref<(RigidBodyApi | null)[]>;
  /** One `<instancedMesh args={[geometry, material, count]}>` that is large enough for all. */
  children?: ReactNode;
  instances: readonly InstanceProps[];
  /** Kind of shape from the geometry; default that of `Physics`. `false`: only `colliderNodes`. */
  colliders?: AutoColliders;
  /** Collider components that every body gets, scaled as its instance. Their refs belong to none of the bodies. */
  colliderNodes?: readonly ReactNode[];
}

interface Instance {
  api: RigidBodyApi;
  id: BodyId;
  scale: Vector3;
  props: BodyTraitsProps & BodyHandlers;
  handlers: { current: BodyHandlers };
  colliders: number;
  free: () => void;
}

const matrix = new Matrix4();

function turnOf({ rotation, quaternion }: InstanceProps): Quaternion {
  if (quaternion !== undefined) return toQuaternion(quaternion);
  if (rotation === undefined) return new Quaternion();
  if (rotation instanceof Euler) return new Quaternion().setFromEuler(rotation);
  const { x, y, z } = toVector(rotation);
  return new Quaternion().setFromEuler(new Euler(x, y, z));
}

/** The bodies of a component. */
class Instances {
  private readonly live = new Map<string | number, Instance>();
  private mesh: InstancedMesh | null = null;

  constructor(
    private readonly context: TalusContext,
    private readonly props: { current: InstancedRigidBodiesProps },
    private readonly template: Template,
  ) {}

  private get label(): string {
    return labelOf('InstancedRigidBodies', this.props.current.name);
  }

  /** Creates bodies for new instances and removes those of former ones. */
  update(group: Group, apis: (RigidBodyApi | null)[]): void {
    const { world, physics } = this.context;
    const { instances } = this.props.current;
    const mesh = group.getObjectByProperty('isInstancedMesh', true as never) as InstancedMesh | undefined;
    if (!mesh) throw new Error('there is no <instancedMesh> in it');
    if (this.mesh) physics.unbind(this.mesh);
    this.mesh = mesh;
    const keys = new Set(instances.map(({ key }) => key));
    for (const key of [...this.live.keys()]) if (!keys.has(key)) this.drop(key);
    mesh.updateWorldMatrix(true, false);
    const list = instances.map((instance) => this.live.get(instance.key) ?? this.tryMake(mesh, instance));
    apis.length = 0;
    apis.push(...list.map((made) => made?.api ?? null));
    const there = list.filter((made) => made !== null);
    mesh.count = Math.min(there.length, mesh.instanceMatrix.count);
    const scales = new Float32Array(3 * there.length);
    for (const [i, { scale }] of there.entries()) scale.toArray(scales, 3 * i);
    physics.bind(
      mesh,
      there.map(({ id }) => id).filter((id) => world.isAlive(id)),
      { scales },
    );
    physics.sync();
  }

  /** Returns the props of all, with those of one instance. */
  private propsOf(instance: InstanceProps): BodyTraitsProps & BodyHandlers & Pick<InstancedRigidBodiesProps, 'colliders'> {
    const {
      ref: _ref,
      children: _children,
      position: _p,
      rotation: _r,
      quaternion: _q,
      scale: _s,
      ...shared
    } = this.props.current;
    return { ...shared, ...instance };
  }

  private tryMake(mesh: InstancedMesh, instance: InstanceProps): Instance | null {
    return guarded(`${this.label} instance ${instance.key}`, 'this one is left out', () => this.make(mesh, instance));
  }

  private make(mesh: InstancedMesh, instance: InstanceProps): Instance {
    const { world, bodies, density } = this.context;
    const props = this.propsOf(instance);
    matrix.compose(toVector(instance.position), turnOf(instance), toVector(instance.scale, 1)).premultiply(mesh.matrixWorld);
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    matrix.decompose(position, rotation, scale);
    const type = typeOf(props.type ?? 'dynamic');
    const built = [this.template.build(scale, type)];
    const auto = props.colliders ?? this.context.autoColliders;
    if (auto !== false) built.unshift({ ...this.ofGeometry(mesh, auto, scale, props), entries: [] });
    const free = () => {
      for (const part of built) part.free();
    };
    try {
      const traits = bodyTraits(props, props, this.label, density);
      for (const [i, part] of built.entries()) {
        built[i] = { ...part, ...withContactSkin(world, part, part.skin ?? props.contactSkin, traits, this.label) };
      }
      const parts = built.flatMap(({ colliders }) => colliders).map((one) => withTraits(traits, one));
      allowBounce(world, parts);
      const weight = weightOf(props, parts);
      const mass = weight.mass === undefined ? {} : { mass: weight.mass };
      const id = world.createBody({ ...bodyDesc(props, weight.type), ...mass, position, rotation, colliders: parts });
      if (instance.userData !== undefined) world.setUserData(id, instance.userData);
      const api = new RigidBodyApi(this.context, id);
      api.label = `${this.label} instance ${instance.key}`;
      const handlers = { current: props };
      bodies.set(id, { api, handlers });
      this.context.listen(props);
      const colliders = parts.length - built.at(-1)!.colliders.length;
      for (const [i, entry] of built.at(-1)!.entries.entries()) {
        this.context.colliders.set(world.collidersOf(id)[colliders + i]!, { object: null, handlers: entry.handlers });
        this.context.listen(entry.handlers.current);
      }
      const made = { api, id, scale, props, handlers, colliders, free };
      this.live.set(instance.key, made);
      return made;
    } catch (error) {
      free();
      throw error;
    }
  }

  private ofGeometry(
    mesh: InstancedMesh,
    auto: Exclude<AutoColliders, false>,
    scale: Vector3,
    props: BodyTraitsProps,
  ): BuiltColliders {
    const { physics, shapeOptions } = this.context;
    const type = typeOf(props.type ?? 'dynamic');
    const shape = solidKind(kindOf(auto), type, shapeOptions.decompose !== undefined, this.label);
    const parts = physics.shapes.of(mesh.geometry, { ...shapeOptions, shape }, scale, type);
    return {
      colliders: parts.map((part) => ({ shape: part.shape, position: part.position, rotation: part.rotation })),
      free: () => physics.shapes.release(parts.map((part) => part.shape)),
      isSurface: false,
    };
  }

  /** Applies changed props. */
  change(): void {
    const { world, density } = this.context;
    for (const instance of this.props.current.instances) {
      const made = this.live.get(instance.key);
      if (!made || !world.isAlive(made.id)) continue;
      const props = this.propsOf(instance);
      const before = made.props;
      made.props = props;
      made.handlers.current = props;
      this.context.listen(props);
      guarded(made.api.label, 'the change is left out', () => {
        const type = typeOf(props.type ?? 'dynamic');
        if (type !== typeOf(before.type ?? 'dynamic')) world.setType(made.id, type);
        changeBody(world, made.id, props, before);
        const [traits, old] = [props, before].map((one) => bodyTraits(one, one, this.label, density)) as [object, object];
        if (same(traits, old)) return;
        for (const collider of world.collidersOf(made.id).slice(0, made.colliders)) world.setCollider(collider, traits);
      });
    }
  }

  private drop(key: string | number): void {
    const { world, bodies } = this.context;
    const { id, api, free } = this.live.get(key)!;
    this.live.delete(key);
    bodies.delete(id);
    quietly(() => {
      this.context.forget(world.isAlive(id) ? world.collidersOf(id) : []);
      api.set(null);
      if (world.isAlive(id)) world.removeBody(id);
      free();
    });
  }

  destroy(): void {
    const { mesh } = this;
    if (mesh) quietly(() => this.context.physics.unbind(mesh));
    this.mesh = null;
    for (const key of [...this.live.keys()]) this.drop(key);
  }

  fail(error: unknown): void {
    report(this.label, error, 'its bodies are left out');
  }
}

/** Many bodies, drawn by one instanced mesh. The ref is a list of the same values as refs of `RigidBody`. */
export function InstancedRigidBodies(props: InstancedRigidBodiesProps): ReactNode {
  const { ref, children, instances, colliderNodes = [], position, rotation, quaternion, scale, name } = props;
  const context = useTalus();
  const group = useRef<Group>(null);
  const nodes = useRef<Object3D>(null);
  const latest = useLatest(props);
  const apis = useMemo<(RigidBodyApi | null)[]>(() => [], []);
  const template = useMemo(() => new Template(nodes), []);
  const all = useMemo(() => new Instances(context, latest, template), [context, latest, template]);
  useLayoutEffect(
    () => () => {
      context.unsettled.delete(all);
      all.destroy();
    },
    [context, all],
  );
  useLayoutEffect(() => {
    try {
      all.update(group.current!, apis);
    } catch (error) {
      all.fail(error);
    }
    context.unsettled.add(all);
  }, [context, all, apis, instances]);
  useEffect(() => {
    context.unsettled.delete(all);
  }, [context, all, instances]);
  useLayoutEffect(() => all.change());
  useImperativeHandle(ref, () => apis, [apis]);
  const given = { position, rotation, quaternion, scale, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement(
    'group',
    { ...pose, ref: group, userData: { [MARK]: true } },
    children,
    // Where the colliders of all bodies are described; nothing in it is drawn.
    createElement(
      TemplateContext,
      { value: template },
      createElement(
        'group',
        { ref: nodes, visible: false },
        ...colliderNodes.map((node, i) => createElement(Fragment, { key: i }, node)),
      ),
    ),
  );
}
