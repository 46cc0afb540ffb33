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

/** Props with `args` as react-three-rapier has them. */
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
/** Rapier's: cells along z and x, heights (columns along z, m) and the size of the whole (m, heights are times y). */
export type HeightfieldArgs = readonly [
  cellsZ: number,
  cellsX: number,
  heights: ArrayLike<number>,
  size: { readonly x: number; readonly y: number; readonly z: number },
];
/** This engine's: samples along x and z, heights (rows along x, m), distance of samples (m). */
export type HeightfieldSamples = readonly [
  nx: number,
  nz: number,
  heights: ArrayLike<number>,
  spacing: number | readonly [number, number],
];

/** `args`: half the edges along x, y, z, m. */
export const CuboidCollider = byArgs<CuboidArgs>('CuboidCollider', (halfExtents) => ({ type: 'box', halfExtents }));
/** The same. */
export const BoxCollider = CuboidCollider;
/** `args`: radius, m. */
export const BallCollider = byArgs<BallArgs>('BallCollider', ([radius]) => ({ type: 'sphere', radius }));
/** `args`: half the height of the straight part and radius, m. */
export const CapsuleCollider = byArgs<CapsuleArgs>('CapsuleCollider', ([halfHeight, radius]) => ({
  type: 'capsule',
  halfHeight,
  radius,
}));
/** `args`: half the height and radius, m. */
export const CylinderCollider = byArgs<CylinderArgs>('CylinderCollider', ([halfHeight, radius]) => ({
  type: 'cylinder',
  halfHeight,
  radius,
}));
/** `args`: half the height and radius, m. */
export const ConeCollider = byArgs<ConeArgs>('ConeCollider', ([halfHeight, radius]) => ({ type: 'cone', halfHeight, radius }));
const hullOf = ([points]: ConvexHullArgs): ShapeDesc => ({ type: 'hull', points, maxVertices: 64 });
/** `args`: points, x y z each, m. */
export const HullCollider = byArgs<ConvexHullArgs>('HullCollider', hullOf);
/** The same. */
export const ConvexHullCollider = byArgs<ConvexHullArgs>('ConvexHullCollider', hullOf);
/** `args`: positions, x y z each (m), and indices. On a dynamic body it is the convex hull, or its parts by `decompose` of `Physics`. */
export const TrimeshCollider = byArgs<TrimeshArgs>('TrimeshCollider', ([positions, indices]) => ({
  type: 'mesh',
  positions,
  indices,
  degenerate: 'skip',
}));
/** `args`: half the edges without the border, and the radius of the border, m: a hull with rounded edges. */
export const RoundCuboidCollider = byArgs<RoundCuboidArgs>('RoundCuboidCollider', roundBox);
/** `args`: half the height and radius without the border, and the radius of the border, m: a hull with 16 sides. */
export const RoundCylinderCollider = byArgs<RoundCylinderArgs>('RoundCylinderCollider', roundCylinder);
/** `args`: half the height and radius without the border, and the radius of the border, m: a hull with 16 sides. */
export const RoundConeCollider = byArgs<RoundConeArgs>('RoundConeCollider', roundCone);
/** `args` of Rapier (the last has x, y and z) or of this engine. About its middle. A dynamic body with it stands still. */
export const HeightfieldCollider = byArgs<HeightfieldArgs | HeightfieldSamples>('HeightfieldCollider', heightfieldShape);

/** Colliders from the meshes in it, of another kind than those of its body: `type` default `hull`. */
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

/** Names of shapes, as react-three-rapier has them. */
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
