// The description of a character, checked, with defaults.

import { checkAngle, checkKeys, checkNumber, checkWord, fail } from '../checks/validate';
import type { ShapeDesc, Vec3 } from '../index';
import { direction, vector } from '../rigs/check';
import { arc, type Turn, type Vector } from '../rigs/turns';

export interface CharacterDesc {
  /** A convex shape whose y axis is up; a capsule is best. The character creates and owns it. */
  shape: ShapeDesc;
  /** Position of its feet (world, m): the lowest point of the shape on its y axis. */
  position: Vec3;
  /** Up direction (world); default 0 1 0. */
  up?: Vec3;
  /** Mass, kg, for pushing bodies and for its weight on the ground; default 80. */
  mass?: number;
  /** Largest force with which it pushes a body, N; default 2000. */
  pushForce?: number;
  /** Highest step that it climbs, m; default 0.35. */
  stepHeight?: number;
  /** Steepest ground that it can walk on, rad; default 0.87 (50 degrees). */
  maxSlope?: number;
  /** How far down it follows the ground when walking downhill, m; default 0.3. */
  snap?: number;
  /** Distance that it keeps from surfaces, m; default 0.01. */
  skin?: number;
  /** Acceleration towards the wanted velocity, on the ground and in the air, m/s2; default 40 and 8. */
  acceleration?: number;
  airAcceleration?: number;
  /** Factor on gravity; default 1. */
  gravityScale?: number;
  /** Categories that it collides with, 32 bits; default all. */
  mask?: number;
  /**
   * A kinematic body that follows it. `sensor` (default) triggers sensors and stops nothing; `solid` also makes bodies bounce off
   * it and queries hit it; `none` creates no body.
   */
  presence?: 'none' | 'sensor' | 'solid';
  /** Category of that body; default 1. */
  category?: number;
}

/** Wish of a character: how it shall move. */
export interface Walk {
  /** Velocity relative to the ground (world, m/s); its part along the up direction does not count; default 0. */
  velocity?: Vec3;
  /** Speed of a jump (m/s) in the next step, if it is grounded then; default 0: no jump. */
  jump?: number;
}

const KEYS = [
  ...[
    'shape',
    'position',
    'up',
    'mass',
    'pushForce',
    'stepHeight',
    'maxSlope',
    'snap',
    'skin',
    'acceleration',
    'airAcceleration',
  ],
  ...['gravityScale', 'mask', 'presence', 'category'],
];

/** Returns the distance from the origin of a shape down to its feet, m. */
export function feetOf(shape: ShapeDesc): number {
  switch (shape?.type) {
    case 'sphere':
      return shape.radius;
    case 'capsule':
      return shape.radius + shape.halfHeight;
    case 'cylinder':
    case 'cone':
      return shape.halfHeight;
    case 'box': {
      const h = shape.halfExtents;
      return 'x' in h ? h.y : h[1]!;
    }
    case 'hull': {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 1; i < shape.points.length; i += 3) least = Math.min(least, shape.points[i]!);
      return -least;
    }
    default:
      return fail('character.shape', 'a convex shape', shape?.type);
  }
}

/**
 * Checks a description and fills in defaults.
 * @throws TalusError `invalid-argument` that names the wrong field
 */
export function checkCharacter(desc: CharacterDesc) {
  checkKeys(desc, 'character', KEYS);
  const set = (key: keyof CharacterDesc, fallback: number, min: number, max: number) =>
    desc[key] === undefined ? fallback : checkNumber(desc[key], `character.${key}`, min, max);
  const bits = (key: 'mask' | 'category', fallback: number) => {
    const value = set(key, fallback, 0, 0xffffffff);
    if (!Number.isInteger(value)) fail(`character.${key}`, '32 bits', value);
    return value;
  };
  const up = direction(desc.up ?? [0, 1, 0], 'character.up');
  const presence = desc.presence ?? 'sensor';
  checkWord(presence, 'character.presence', ['none', 'sensor', 'solid']);
  return {
    given: desc,
    shape: desc.shape,
    feet: feetOf(desc.shape),
    position: vector(desc.position, 'character.position') as Vector,
    up,
    rotation: arc([0, 1, 0], up) as Turn,
    mass: set('mass', 80, 1e-3, 1e6),
    pushForce: set('pushForce', 2000, 0, 1e9),
    stepHeight: set('stepHeight', 0.35, 0, 100),
    slope: Math.cos(desc.maxSlope === undefined ? 0.87 : checkAngle(desc.maxSlope, 'character.maxSlope', 0, 1.55)),
    snap: set('snap', 0.3, 0, 100),
    skin: set('skin', 0.01, 1e-4, 1),
    acceleration: set('acceleration', 40, 0, 1e6),
    airAcceleration: set('airAcceleration', 8, 0, 1e6),
    gravityScale: set('gravityScale', 1, -100, 100),
    mask: bits('mask', 0xffffffff),
    presence,
    category: bits('category', 1),
  };
}

export function checkWalk(walk: Walk): void {
  checkKeys(walk, 'walk', ['velocity', 'jump']);
  if (walk.velocity !== undefined) vector(walk.velocity, 'walk.velocity');
  if (walk.jump !== undefined) checkNumber(walk.jump, 'walk.jump', 0, 1000);
}
