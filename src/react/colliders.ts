// Collider components: shapes of a body beside or instead of those of its meshes; outside of a body, on a static one of their own.
import type { ThreeElements } from '@react-three/fiber';
import { createElement, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react';
import { type Group, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { BodyId, ColliderDesc, ShapeDesc, ShapeId } from '../index';
import type { ShapeKind } from '../three/index';
import { type CollisionHandlers, kindOf, type TalusContext, useTalus } from './context';
import { quietly, useLatest, useStable } from './guard';
import { BodyContext, type BodyHolder, type ColliderEntry, type ColliderTraits, colliderTraits, isMarked, MARK } from './holder';

type GroupProps = ThreeElements['group'];

/** What all collider components take. */
export interface ColliderProps
  extends ColliderTraits,
    CollisionHandlers,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'name'> {
  children?: ReactNode;
  /** kg, instead of what density gives. */
  mass?: number;
}

const matrix = new Matrix4();
const UNIT = new Vector3(1, 1, 1);

/** A shape in a frame that is scaled; round ones by the larger of their factors. */
export function scaleShape(shape: ShapeDesc, scale: Vector3): ShapeDesc {
  const [x, y, z] = scale.toArray().map(Math.abs) as [number, number, number];
  const points = (from: ArrayLike<number>) => Float64Array.from(from, (value, i) => value * scale.getComponent(i % 3));
  switch (shape.type) {
    case 'sphere':
      return { ...shape, radius: shape.radius * Math.max(x, y, z) };
    case 'box': {
      const h = shape.halfExtents;
      const [a, b, c] = 'x' in h ? [h.x, h.y, h.z] : [h[0]!, h[1]!, h[2]!];
      return { ...shape, halfExtents: [a * x, b * y, c * z] };
    }
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { ...shape, radius: shape.radius * Math.max(x, z), halfHeight: shape.halfHeight * y };
    case 'hull':
      return { ...shape, points: points(shape.points) };
    case 'mesh':
      return { ...shape, positions: points(shape.positions) };
    case 'plane':
      return shape.offset === undefined ? shape : { ...shape, offset: shape.offset * Math.max(x, y, z) };
    case 'heightfield': {
      const { spacing, origin } = shape;
      const [a, b] = typeof spacing === 'number' ? [spacing, spacing] : [spacing[0]!, spacing[1]!];
      const o = origin === undefined ? [0, 0, 0] : 'x' in origin ? [origin.x, origin.y, origin.z] : Array.from(origin);
      return {
        ...shape,
        spacing: [a * x, b * z],
        origin: [o[0]! * x, o[1]! * y, o[2]! * z],
        heights: Float32Array.from(shape.heights, (height) => height * y),
      };
    }
  }
}

class Entry implements ColliderEntry {
  private own: ShapeId[] = [];

  constructor(
    private readonly context: TalusContext,
    private readonly group: { current: Object3D | null },
    private readonly props: { current: ColliderProps & { shape?: ShapeDesc; type?: ShapeKind } },
    private readonly isStatic: () => boolean,
  ) {}

  get object(): Object3D | null {
    return this.group.current;
  }

  get handlers() {
    return this.props;
  }

  build(frame: Object3D): { colliders: ColliderDesc[]; used: ShapeId[] } {
    const { context } = this;
    const { shape, type, mass, ...props } = this.props.current;
    const group = this.group.current!;
    const traits: Partial<ColliderDesc> = { ...colliderTraits(props, props), ...(mass !== undefined && { mass }) };
    if (shape === undefined) {
      const options = { ...context.shapeOptions, shape: type ?? 'hull', type: this.isStatic() ? ('static' as const) : undefined };
      const { colliders, used } = context.physics.collidersOf(group, stripped(options), frame, isMarked);
      return { colliders: colliders.map((one) => ({ ...traits, ...one })), used };
    }
    frame.updateWorldMatrix(true, false);
    group.updateWorldMatrix(true, false);
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    frame.matrixWorld.decompose(position, rotation, scale);
    matrix.compose(position, rotation, UNIT).invert().multiply(group.matrixWorld).decompose(position, rotation, scale);
    const id = context.world.createShape(scaleShape(shape, scale));
    this.own.push(id);
    return { colliders: [{ ...traits, shape: id, position, rotation }], used: [] };
  }

  /** After the colliders are gone. */
  freeShapes(): void {
    for (const shape of this.own) {
      try {
        this.context.world.removeShape(shape);
      } catch {
        // Still on a body, with which it goes; or gone with the world.
      }
    }
    this.own = [];
  }
}

function stripped<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

type AnyProps = ColliderProps & { shape?: ShapeDesc; type?: ShapeKind };

/** A collider of any shape: `<Collider shape={{ type: 'cone', radius: 1, halfHeight: 2 }} />`. */
export function Collider(props: ColliderProps & { shape: ShapeDesc }): ReactNode {
  return createElement(AnyCollider, props);
}

function AnyCollider(props: AnyProps): ReactNode {
  const { children, position, rotation, quaternion, scale, name } = props;
  const context = useTalus();
  const holder = useContext(BodyContext);
  const group = useRef<Group>(null);
  const latest = useLatest(props);
  const handlerKey = useStable({ ...traitsOnly(props), position, rotation, quaternion, scale });
  const shape = useStable(props.shape);
  const kind = props.type;

  const entry = useMemo(
    () => new Entry(context, group, latest, () => holder === null || holder.isStatic),
    [context, latest, holder],
  );

  useLayoutEffect(() => {
    const end = holder ? inBody(holder, entry) : alone(context, entry, group.current!);
    return () => {
      end();
      entry.freeShapes();
    };
  }, [context, holder, entry, handlerKey, shape, kind]);

  useLayoutEffect(() => context.listen(latest.current));

  const given = { position, rotation, quaternion, scale, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement('group', { ...pose, ref: group, userData: { [MARK]: true } }, children);
}

function traitsOnly(props: AnyProps): object {
  return { ...colliderTraits(props, props), mass: props.mass };
}

function inBody(holder: BodyHolder, entry: Entry): () => void {
  holder.add(entry);
  return () => holder.remove(entry);
}

/** On a static body where the group is. */
function alone(context: TalusContext, entry: Entry, group: Object3D): () => void {
  const { world, physics } = context;
  const { colliders, used } = entry.build(group);
  const [position, rotation] = [new Vector3(), new Quaternion()];
  group.updateWorldMatrix(true, false);
  group.matrixWorld.decompose(position, rotation, new Vector3());
  const body: BodyId = world.createBody({ type: 'static', position, rotation, colliders });
  const ids = world.collidersOf(body);
  for (const id of ids) context.colliders.set(id, entry);
  return () => {
    for (const id of ids) context.colliders.delete(id);
    quietly(() => {
      if (world.isAlive(body)) world.removeBody(body);
      physics.shapes.release(used);
    });
  };
}

/** Props with `args` as react-three-rapier has them. */
export type ArgsProps<A extends readonly unknown[]> = ColliderProps & { args: A };

function byArgs<A extends readonly unknown[]>(name: string, shapeOf: (args: A) => ShapeDesc) {
  const component = ({ args, ...props }: ArgsProps<A>): ReactNode => {
    const stable = useStable(args);
    const shape = useMemo(() => shapeOf(stable), [stable]);
    return createElement(AnyCollider, { ...props, shape });
  };
  return Object.assign(component, { displayName: name });
}

/** `args`: half the edges along x, y, z, m. */
export const CuboidCollider = byArgs<readonly [number, number, number]>('CuboidCollider', (halfExtents) => ({
  type: 'box',
  halfExtents,
}));
/** The same. */
export const BoxCollider = CuboidCollider;
/** `args`: radius, m. */
export const BallCollider = byArgs<readonly [number]>('BallCollider', ([radius]) => ({ type: 'sphere', radius }));
/** `args`: half the height of the straight part and radius, m. */
export const CapsuleCollider = byArgs<readonly [number, number]>('CapsuleCollider', ([halfHeight, radius]) => ({
  type: 'capsule',
  halfHeight,
  radius,
}));
/** `args`: half the height and radius, m. */
export const CylinderCollider = byArgs<readonly [number, number]>('CylinderCollider', ([halfHeight, radius]) => ({
  type: 'cylinder',
  halfHeight,
  radius,
}));
/** `args`: half the height and radius, m. */
export const ConeCollider = byArgs<readonly [number, number]>('ConeCollider', ([halfHeight, radius]) => ({
  type: 'cone',
  halfHeight,
  radius,
}));
/** `args`: points, x y z each, m. */
export const HullCollider = byArgs<readonly [ArrayLike<number>]>('HullCollider', ([points]) => ({
  type: 'hull',
  points,
  maxVertices: 64,
}));
/** The same. */
export const ConvexHullCollider = HullCollider;
/** `args`: positions, x y z each (m), and indices. Static and kinematic bodies. */
export const TrimeshCollider = byArgs<readonly [ArrayLike<number>, ArrayLike<number>]>(
  'TrimeshCollider',
  ([positions, indices]) => ({ type: 'mesh', positions, indices, degenerate: 'skip' }),
);
/** `args`: samples along x and z, heights (rows along x, m), distance of samples (m). About its middle. Static and kinematic bodies. */
export const HeightfieldCollider = byArgs<readonly [number, number, ArrayLike<number>, number | readonly [number, number]]>(
  'HeightfieldCollider',
  ([nx, nz, heights, spacing]) => {
    const [x, z] = typeof spacing === 'number' ? [spacing, spacing] : spacing;
    return { type: 'heightfield', nx, nz, heights, spacing: [x, z], origin: [-((nx - 1) * x) / 2, 0, -((nz - 1) * z) / 2] };
  },
);

/** Colliders from the meshes in it, of another kind than those of its body: `type` default `hull`; `trimesh` for bodies that are not dynamic. */
export function MeshCollider({ type = 'hull', ...props }: ColliderProps & { type?: ShapeKind | 'cuboid' | 'ball' | 'trimesh' }) {
  return createElement(AnyCollider, { ...props, type: kindOf(type) });
}
