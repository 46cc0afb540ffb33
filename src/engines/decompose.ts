// Convex parts of meshes that are not convex, by a library of the user's choice, since dynamic bodies cannot have surfaces.
import { TalusError } from '../checks/errors';

/** A convex part of a decomposition: x y z per point, or an object that has them. */
export type ConvexPart = ArrayLike<number> | { readonly positions: ArrayLike<number> };
/** Cuts a mesh into convex parts: positions x y z each, and three indices per triangle. */
export type Decompose = (positions: Float64Array, indices: Uint32Array) => Iterable<ConvexPart>;
/** A library for convex decomposition, as `ConvexMeshDecomposition` of vhacd-js. */
export interface Decomposer {
  computeConvexHulls(mesh: { positions: Float64Array; indices: Uint32Array }): Iterable<ConvexPart>;
}

/**
 * Returns the points of each convex part.
 * @throws TalusError 'degenerate-shape' if there are none
 */
export function convexParts(
  decompose: Decomposer | Decompose,
  positions: Float64Array,
  indices: Uint32Array,
): ArrayLike<number>[] {
  const parts =
    typeof decompose === 'function' ? decompose(positions, indices) : decompose.computeConvexHulls({ positions, indices });
  const points = Array.from(parts, (one) => ('positions' in one ? one.positions : one));
  if (points.length === 0) throw new TalusError('degenerate-shape', 'the decomposition has no parts');
  return points;
}
