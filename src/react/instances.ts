// <InstancedRigidBodies>: a body for each instance of the <instancedMesh> in it.
import { createElement, type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import { Euler, type Group, type InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import type { BodyId, Quat, ShapeId, Vec3 } from '../index';
import { RigidBodyApi, typeOf } from './body_api';
import { type AutoColliders, type BodyHandlers, kindOf, type TalusContext, useTalus } from './context';
import { quietly, useLatest } from './guard';
import { type BodyTraitsProps, bodyDesc, colliderTraits, MARK, massOf } from './holder';

/** One body. What it has wins over the props of all. */
export interface InstanceProps extends BodyTraitsProps {
  /** Its name among the instances, by which it stays the same body when the list changes. */
  key: string | number;
  position?: Vec3;
  /** Angles as in `rotation` of an object (rad, XYZ), or a quaternion. */
  rotation?: Vec3 | Euler;
  quaternion?: Quat;
  /** One factor, or three. */
  scale?: number | Vec3;
  userData?: unknown;
}

export interface InstancedRigidBodiesProps extends BodyTraitsProps, BodyHandlers {
  ref?: Ref<(RigidBodyApi | null)[]>;
  /** One `<instancedMesh args={[geometry, material, count]}>` with room for all. */
  children?: ReactNode;
  instances: readonly InstanceProps[];
  /** Shape from the geometry; default that of `Physics`. */
  colliders?: Exclude<AutoColliders, false>;
}

interface Instance {
  api: RigidBodyApi;
  id: BodyId;
  scale: Vector3;
  used: ShapeId[];
}

const matrix = new Matrix4();
const vector = (value: Vec3 | undefined, otherwise: number) => {
  if (value === undefined) return new Vector3(otherwise, otherwise, otherwise);
  return 'x' in value ? new Vector3(value.x, value.y, value.z) : new Vector3(value[0], value[1], value[2]);
};

function turnOf({ rotation, quaternion }: InstanceProps): Quaternion {
  if (quaternion !== undefined) {
    return 'x' in quaternion
      ? new Quaternion(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
      : new Quaternion(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  }
  if (rotation === undefined) return new Quaternion();
  if (rotation instanceof Euler) return new Quaternion().setFromEuler(rotation);
  const { x, y, z } = vector(rotation, 0);
  return new Quaternion().setFromEuler(new Euler(x, y, z));
}

/** The bodies of a component. */
class Instances {
  private readonly live = new Map<string | number, Instance>();
  private mesh: InstancedMesh | null = null;

  constructor(
    private readonly context: TalusContext,
    private readonly props: { current: InstancedRigidBodiesProps },
  ) {}

  /** Bodies for those that are new, none for those that went; others go on. */
  update(group: Group, apis: (RigidBodyApi | null)[]): void {
    const { world, physics } = this.context;
    const { instances } = this.props.current;
    const mesh = group.getObjectByProperty('isInstancedMesh', true as never) as InstancedMesh | undefined;
    if (!mesh) throw new Error('<InstancedRigidBodies> needs an <instancedMesh> in it');
    if (this.mesh) physics.unbind(this.mesh);
    this.mesh = mesh;
    const keys = new Set(instances.map(({ key }) => key));
    for (const key of [...this.live.keys()]) if (!keys.has(key)) this.drop(key);
    mesh.updateWorldMatrix(true, false);
    const list = instances.map((instance) => this.live.get(instance.key) ?? this.make(mesh, instance));
    apis.length = 0;
    apis.push(...list.map(({ api }) => api));
    mesh.count = Math.min(list.length, mesh.instanceMatrix.count);
    const scales = new Float32Array(3 * list.length);
    for (const [i, { scale }] of list.entries()) scale.toArray(scales, 3 * i);
    physics.bind(
      mesh,
      list.map(({ id }) => id).filter((id) => world.isAlive(id)),
      { scales },
    );
    physics.sync();
  }

  private make(mesh: InstancedMesh, instance: InstanceProps): Instance {
    const { world, physics, autoColliders, shapeOptions } = this.context;
    const { ref: _ref, children: _children, instances: _instances, colliders, ...shared } = this.props.current;
    const props = { ...shared, ...instance };
    const size = typeof instance.scale === 'number' ? vector(undefined, instance.scale) : vector(instance.scale, 1);
    matrix.compose(vector(instance.position, 0), turnOf(instance), size).premultiply(mesh.matrixWorld);
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    matrix.decompose(position, rotation, scale);
    const auto = colliders ?? (autoColliders === false ? 'auto' : autoColliders);
    const type = typeOf(props.type ?? 'dynamic');
    const shapes = physics.shapes.of(mesh.geometry, { ...shapeOptions, shape: kindOf(auto) }, scale, type);
    const traits = colliderTraits(props, props);
    const parts = shapes.map((part) => ({ ...traits, shape: part.shape, position: part.position, rotation: part.rotation }));
    const used = shapes.map(({ shape }) => shape);
    const id = world.createBody({ ...bodyDesc(props), ...massOf(props, parts), position, rotation, colliders: parts });
    if (instance.userData !== undefined) world.setUserData(id, instance.userData);
    const api = new RigidBodyApi(world, id);
    this.context.bodies.set(id, { api, handlers: this.props });
    const made = { api, id, scale, used };
    this.live.set(instance.key, made);
    return made;
  }

  private drop(key: string | number): void {
    const { world, physics, bodies } = this.context;
    const { id, api, used } = this.live.get(key)!;
    this.live.delete(key);
    bodies.delete(id);
    api.set(null);
    quietly(() => {
      if (world.isAlive(id)) world.removeBody(id);
      physics.shapes.release(used);
    });
  }

  destroy(): void {
    const { mesh } = this;
    if (mesh) quietly(() => this.context.physics.unbind(mesh));
    this.mesh = null;
    for (const key of [...this.live.keys()]) this.drop(key);
  }
}

/** Many bodies, drawn by one instanced mesh; the ref is a list of what refs of bodies hold. */
export function InstancedRigidBodies(props: InstancedRigidBodiesProps): ReactNode {
  const { ref, children, instances } = props;
  const context = useTalus();
  const group = useRef<Group>(null);
  const latest = useLatest(props);
  const apis = useMemo<(RigidBodyApi | null)[]>(() => [], []);
  const all = useMemo(() => new Instances(context, latest), [context, latest]);
  useLayoutEffect(() => () => all.destroy(), [all]);
  useLayoutEffect(() => all.update(group.current!, apis), [all, apis, instances]);
  useLayoutEffect(() => context.listen(latest.current));
  useImperativeHandle(ref, () => apis, [apis]);
  return createElement('group', { ref: group, userData: { [MARK]: true } }, children);
}
