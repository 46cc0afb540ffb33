// Collider components by their shapes, with `args` as react-three-rapier has them.
import { createElement, type ReactNode, useMemo } from 'react';
import { type ShapeDesc, TalusError } from '../index';
import type { ShapeKind } from '../three/index';
import { BaseCollider, type ColliderProps } from './collider';
import { kindOf } from './context';
import { useStable } from './guard';
import { heightfieldShape } from './heightfield_args';
import { labelOf, report } from './report';
import { roundBox, roundCone, roundCylinder } from './round_shapes';

/** Props with `args`, as in react-three-rapier. */
export type ArgsProps<A extends readonly unknown[]> = ColliderProps & { args: A };

function byArgs<A extends readonly unknown[]>(component: string, shapeOf: (args: A) => ShapeDesc) {
  const Component = ({ args, ...props }: ArgsProps<A>): ReactNode => {
    const stable = useStable(args);
    const shape = useMemo(() => () => shapeOf(stable), [stable]);
    return createElement(BaseCollider, { ...props, shape, component });
  };
  return Object.assign(Component, { displayName: component });
}

export type CuboidArgs = readonly [halfWidth: number, halfHeight: number, halfDepth: number];
export type BallArgs = readonly [radius: number];
export type CapsuleArgs = readonly [halfHeight: number, radius: number];
export type CylinderArgs = readonly [halfHeight: number, radius: number];
export type ConeArgs = readonly [halfHeight: number, radius: number];
export type ConvexHullArgs = readonly [points: ArrayLike<number>];
export type TrimeshArgs = readonly [positions: ArrayLike<number>, indices: ArrayLike<number>];
export type RoundCuboidArgs = readonly [halfWidth: number, halfHeight: number, halfDepth: number, borderRadius: number];
export type RoundCylinderArgs = readonly [halfHeight: number, radius: number, borderRadius: number];
export type RoundConeArgs = readonly [halfHeight: number, radius: number, borderRadius: number];
/**
 * Arguments of Rapier: cells along z and x, heights (columns along z, m), and the size of the whole (m; heights are multiplied by
 * y).
 */
export type HeightfieldArgs = readonly [
  cellsZ: number,
  cellsX: number,
  heights: ArrayLike<number>,
  size: { readonly x: number; readonly y: number; readonly z: number },
];
/** Arguments of this engine: samples along x and z, heights (rows along x, m), distance between samples (m). */
export type HeightfieldSamples = readonly [
  nx: number,
  nz: number,
  heights: ArrayLike<number>,
  spacing: number | readonly [number, number],
];

/** A box. `args`: half the edges along x, y, z, m. */
export const CuboidCollider = byArgs<CuboidArgs>('CuboidCollider', (halfExtents) => ({ type: 'box', halfExtents }));
/** The same as `CuboidCollider`. */
export const BoxCollider = CuboidCollider;
/** A ball. `args`: radius, m. */
export const BallCollider = byArgs<BallArgs>('BallCollider', ([radius]) => ({ type: 'sphere', radius }));
/** A capsule along y. `args`: half the height of the straight part, and radius, m. */
export const CapsuleCollider = byArgs<CapsuleArgs>('CapsuleCollider', ([halfHeight, radius]) => ({
  type: 'capsule',
  halfHeight,
  radius,
}));
/** A cylinder along y. `args`: half the height, and radius, m. */
export const CylinderCollider = byArgs<CylinderArgs>('CylinderCollider', ([halfHeight, radius]) => ({
  type: 'cylinder',
  halfHeight,
  radius,
}));
/** A cone along y. `args`: half the height, and radius, m. */
export const ConeCollider = byArgs<ConeArgs>('ConeCollider', ([halfHeight, radius]) => ({ type: 'cone', halfHeight, radius }));
const hullOf = ([points]: ConvexHullArgs): ShapeDesc => ({ type: 'hull', points, maxVertices: 64 });
/** A convex hull. `args`: points, x y z each, m. */
export const HullCollider = byArgs<ConvexHullArgs>('HullCollider', hullOf);
/** The same as `HullCollider`. */
export const ConvexHullCollider = byArgs<ConvexHullArgs>('ConvexHullCollider', hullOf);
/**
 * A triangle mesh. `args`: positions, x y z each (m), and indices. On a dynamic body it becomes the convex hull, or convex parts
 * by `decompose` of `Physics`.
 */
export const TrimeshCollider = byArgs<TrimeshArgs>('TrimeshCollider', ([positions, indices]) => ({
  type: 'mesh',
  positions,
  indices,
  degenerate: 'skip',
}));
/** A box with rounded edges, as a hull. `args`: half the edges without the border, and the radius of the border, m. */
export const RoundCuboidCollider = byArgs<RoundCuboidArgs>('RoundCuboidCollider', roundBox);
/**
 * A cylinder with a rounded border, as a hull with 16 sides. `args`: half the height and radius without the border, and the
 * radius of the border, m.
 */
export const RoundCylinderCollider = byArgs<RoundCylinderArgs>('RoundCylinderCollider', roundCylinder);
/**
 * A cone with a rounded border, as a hull with 16 sides. `args`: half the height and radius without the border, and the radius of
 * the border, m.
 */
export const RoundConeCollider = byArgs<RoundConeArgs>('RoundConeCollider', roundCone);
/**
 * A heightfield about its middle. `args` are those of Rapier (the last has x, y and z) or of this engine. A dynamic body with it
 * does not move.
 */
export const HeightfieldCollider = byArgs<HeightfieldArgs | HeightfieldSamples>('HeightfieldCollider', heightfieldShape);

/** Builds colliders from the meshes in it, of another kind than those of its body: `type`, default `hull`. */
export function MeshCollider({
  type = 'hull',
  ...props
}: ColliderProps & { type?: ShapeKind | 'cuboid' | 'ball' | 'trimesh' | false }): ReactNode {
  if (type === false) return createElement('group', null, props.children);
  return createElement(BaseCollider, { ...props, type: kindOf(type), component: 'MeshCollider' });
}

const BY_SHAPE = {
  cuboid: CuboidCollider,
  ball: BallCollider,
  capsule: CapsuleCollider,
  cylinder: CylinderCollider,
  cone: ConeCollider,
  convexHull: ConvexHullCollider,
  trimesh: TrimeshCollider,
  heightfield: HeightfieldCollider,
  roundCuboid: RoundCuboidCollider,
  roundCylinder: RoundCylinderCollider,
  roundCone: RoundConeCollider,
} as const;

/** Names of shapes in react-three-rapier. */
export type ColliderShape = keyof typeof BY_SHAPE;

/** The collider component of a shape by its name: `<AnyCollider shape="cuboid" args={[1, 1, 1]} />`. */
export function AnyCollider({ shape, ...props }: ColliderProps & { shape: ColliderShape; args: readonly unknown[] }): ReactNode {
  const Component = BY_SHAPE[shape] as unknown as (props: ColliderProps & { args: readonly unknown[] }) => ReactNode;
  if (Component) return createElement(Component, props);
  report(
    labelOf('AnyCollider', props.name),
    new TalusError('invalid-argument', `shape must be one of ${Object.keys(BY_SHAPE).join(', ')}, got '${shape}'`),
    'it is left out',
  );
  return null;
}
