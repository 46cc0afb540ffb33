// Shapes with a round border. The engine has none: these are hulls of points on them, with exact flat sides and size.
import type { HullDesc } from '../index';

/** Number of sides of round hulls. */
const SIDES = 16;
/** Angles of a border from its side to its end, rad. */
const RISE = [0, Math.PI / 4, Math.PI / 2];
const HALF = Math.SQRT1_2;
const THIRD = 1 / Math.sqrt(3);
/** Directions of an eighth of a ball. */
const CORNER: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [HALF, HALF, 0],
  [HALF, 0, HALF],
  [0, HALF, HALF],
  [THIRD, THIRD, THIRD],
];

const hull = (points: number[]): HullDesc => ({ type: 'hull', points, maxVertices: 128 });

export function roundBox([x, y, z, border]: readonly [number, number, number, number]): HullDesc {
  const points: number[] = [];
  for (let corner = 0; corner < 8; corner++) {
    const [i, j, k] = [corner & 1 ? -1 : 1, corner & 2 ? -1 : 1, corner & 4 ? -1 : 1];
    for (const [a, b, c] of CORNER) points.push(i * (x + border * a), j * (y + border * b), k * (z + border * c));
  }
  return hull(points);
}

/** Returns the hull of rings about y: [radius, height] each. */
function rings(profile: readonly (readonly [number, number])[]): HullDesc {
  const points: number[] = [];
  for (const [radius, height] of profile) {
    for (let side = 0; side < (radius > 0 ? SIDES : 1); side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      points.push(radius * Math.cos(angle), height, radius * Math.sin(angle));
    }
  }
  return hull(points);
}

export function roundCylinder([half, radius, border]: readonly [number, number, number]): HullDesc {
  const profile = RISE.flatMap((angle) => {
    const [r, h] = [radius + border * Math.cos(angle), half + border * Math.sin(angle)];
    return [
      [r, h],
      [r, -h],
    ] as const;
  });
  return rings(profile);
}

export function roundCone([half, radius, border]: readonly [number, number, number]): HullDesc {
  // Out of the slope.
  const slope = Math.atan2(radius, 2 * half);
  const around = (r: number, h: number, angles: readonly number[]) =>
    angles.map((angle) => [r + border * Math.cos(angle), h + border * Math.sin(angle)] as const);
  const base = around(radius, -half, [-Math.PI / 2, -Math.PI / 4, 0, slope]);
  const tip = around(0, half, [slope, (slope + Math.PI / 2) / 2]);
  return rings([...base, ...tip, [0, half + border]]);
}
