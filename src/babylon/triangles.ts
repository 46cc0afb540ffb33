// Triangles and bounds of shapes, for drawing and for hulls of shapes that are scaled along their axes.
import type { ShapeDesc } from '../index';
import { type Turn, turn, type Vector } from '../rigs/turns';
import { convexHull } from '../shapes/hull';
import { components } from './vectors';

/** Positions x y z each (m), and three indices per triangle, counterclockwise viewed from outside. */
export interface Triangles {
  positions: number[];
  indices: number[];
}

const SIDES = 24;
const RINGS = 6;

/** Returns a body of revolution about y, from radius and height of each ring, bottom up; the first and last ring are closed. */
function revolve(rings: readonly (readonly [radius: number, height: number])[]): Triangles {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [radius, height] of rings) {
    for (let i = 0; i < SIDES; i++) {
      const angle = (2 * Math.PI * i) / SIDES;
      positions.push(radius * Math.cos(angle), height, radius * Math.sin(angle));
    }
  }
  for (let r = 0; r + 1 < rings.length; r++) {
    for (let i = 0; i < SIDES; i++) {
      const [a, b] = [r * SIDES + i, r * SIDES + ((i + 1) % SIDES)];
      indices.push(a, a + SIDES, b, b, a + SIDES, b + SIDES);
    }
  }
  const top = (rings.length - 1) * SIDES;
  for (let i = 1; i + 1 < SIDES; i++) indices.push(0, i, i + 1, top, top + i + 1, top + i);
  return { positions, indices };
}

function dome(radius: number, height: number, from: number, to: number): [number, number][] {
  return Array.from({ length: RINGS + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / RINGS;
    return [radius * Math.cos(angle), height + radius * Math.sin(angle)];
  });
}

function box([x, y, z]: Vector): Triangles {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ] as const;
  return { positions, indices: faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]) };
}

/** Returns a shape as triangles, in its own frame. */
export function trianglesOf(desc: ShapeDesc): Triangles {
  switch (desc.type) {
    case 'sphere':
      return revolve(dome(desc.radius, 0, -Math.PI / 2, Math.PI / 2));
    case 'capsule':
      return revolve([
        ...dome(desc.radius, -desc.halfHeight, -Math.PI / 2, 0),
        ...dome(desc.radius, desc.halfHeight, 0, Math.PI / 2),
      ]);
    case 'cylinder':
      return revolve([
        [desc.radius, -desc.halfHeight],
        [desc.radius, desc.halfHeight],
      ]);
    case 'cone':
      return revolve([
        [desc.radius, -desc.halfHeight],
        [0, desc.halfHeight],
      ]);
    case 'box':
      return box(components(desc.halfExtents));
    case 'hull': {
      const { vertices, faces } = convexHull(desc.points, { maxVertices: desc.maxVertices ?? 128 });
      return {
        positions: Array.from(vertices),
        indices: faces.flatMap((face) => face.slice(2).flatMap((c, i) => [face[0]!, face[i + 1]!, c])),
      };
    }
    case 'mesh':
      return { positions: Array.from(desc.positions), indices: Array.from(desc.indices) };
    case 'heightfield': {
      const [dx, dz] = typeof desc.spacing === 'number' ? [desc.spacing, desc.spacing] : [desc.spacing[0]!, desc.spacing[1]!];
      const [ox, oy, oz] = components(desc.origin ?? [0, 0, 0]);
      const positions: number[] = [];
      const indices: number[] = [];
      for (let j = 0; j < desc.nz; j++) {
        for (let i = 0; i < desc.nx; i++) {
          positions.push(ox + i * dx, oy + desc.heights[j * desc.nx + i]!, oz + j * dz);
          if (i === 0 || j === 0) continue;
          const d = j * desc.nx + i;
          const [a, b, c] = [d - desc.nx - 1, d - desc.nx, d - 1];
          indices.push(a, d, b, a, c, d);
        }
      }
      return { positions, indices };
    }
    case 'plane':
      return { positions: [], indices: [] };
  }
}

/** Enlarges `min` and `max` by a shape at a pose. */
export function growBounds(desc: ShapeDesc, at: Vector, rotation: Turn, min: Vector, max: Vector): void {
  const grow = (point: Vector, by: Vector): void => {
    for (let i = 0; i < 3; i++) {
      min[i] = Math.min(min[i]!, point[i]! - by[i]!);
      max[i] = Math.max(max[i]!, point[i]! + by[i]!);
    }
  };
  if (desc.type === 'sphere' || desc.type === 'capsule') {
    const half = desc.type === 'sphere' ? 0 : desc.halfHeight;
    const axis = turn(rotation, [0, half, 0]);
    grow(at, axis.map((x) => Math.abs(x) + desc.radius) as Vector);
  } else if (desc.type === 'cylinder') {
    const axis = turn(rotation, [0, 1, 0]);
    const across = (x: number): number => desc.radius * Math.sqrt(Math.max(0, 1 - x * x));
    grow(at, axis.map((x) => Math.abs(x) * desc.halfHeight + across(x)) as Vector);
  } else {
    const { positions } = trianglesOf(desc);
    for (let i = 0; i < positions.length; i += 3) {
      const p = turn(rotation, [positions[i]!, positions[i + 1]!, positions[i + 2]!]);
      grow([at[0] + p[0], at[1] + p[1], at[2] + p[2]], [0, 0, 0]);
    }
  }
}
