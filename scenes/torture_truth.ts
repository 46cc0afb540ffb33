// The closed form of each torture scene (torture.ts) with the numbers of that scene, and what counts as standing, toppled or reached. The
// bench and the demo judge every engine by these. In: a scene. Out: one number.
import { dominoSpeed, flipTime, leastArchThickness, pendulumPeriod } from './closed_forms';
import { ARCH, PRECESSION, RACKET, WRECKING_BALL } from './torture';
import { type Scene, STATIC } from './types';

/** An arch stands while no stone is farther from where it was built, m: the distance within which the bodies of a structure stand. */
export const STANDS = 0.1;
/** A gyroscope whose axis has left the level by this angle has toppled, degrees. */
export const TOPPLES = 45;
/** Tiles between which the speed of the wave is measured: after the push is forgotten, before the end of the row. */
export const WAVE = { from: 15, to: 50 } as const;
/** Cosine of the lean at which a tile has been reached: 5 degrees. */
export const LEANS = Math.cos((5 * Math.PI) / 180);

/** Moments of inertia about the axes of a compound of boxes whose axes are its own, for a density of 1. */
function momentsOf(scene: Scene, body: number): [number, number, number] {
  const def = scene.shapes[scene.bodies.shape[body]!]!;
  if (def.type !== 'compound') throw new Error('moments are known of compounds of boxes alone');
  const boxes = def.children.map(({ shape, position }) => {
    const child = scene.shapes[shape]!;
    if (child.type !== 'box') throw new Error('moments are known of compounds of boxes alone');
    const half = child.halfExtents;
    return { half, position, mass: 8 * half[0] * half[1] * half[2] };
  });
  const total = boxes.reduce((sum, { mass }) => sum + mass, 0);
  const center = [0, 1, 2].map((k) => boxes.reduce((sum, box) => sum + box.mass * box.position[k]!, 0) / total);
  return [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3] as const;
    return boxes.reduce((sum, { half, position, mass }) => {
      const away = (position[i]! - center[i]!) ** 2 + (position[j]! - center[j]!) ** 2;
      return sum + mass * ((half[i]! ** 2 + half[j]! ** 2) / 3 + away);
    }, 0);
  }) as [number, number, number];
}

/** Time between two flips of the handle, s. */
function flipTimeOf(scene: Scene): number {
  const moments = momentsOf(scene, scene.parts!.handle as number);
  const spin = [RACKET.wobble, RACKET.spin, 0];
  const order = [0, 1, 2].sort((a, b) => moments[a]! - moments[b]!);
  return flipTime(
    order.map((k) => moments[k]!),
    order.map((k) => spin[k]!),
  );
}

/** Speed of the wave through the row of dominoes, m/s. */
function waveSpeedOf({ bodies, shapes, gravity }: Scene): number {
  const [first, second] = [...bodies.type.keys()].filter((i) => bodies.type[i] !== STATIC) as [number, number];
  const def = shapes[bodies.shape[first]!]!;
  if (def.type !== 'box') throw new Error('dominoes are boxes');
  const [x, y] = def.halfExtents;
  return dominoSpeed({
    height: 2 * y,
    thickness: 2 * x,
    gap: bodies.position[3 * second]! - bodies.position[3 * first]! - 2 * x,
    friction: bodies.friction[first]!,
    gravity: -gravity[1],
  });
}

/**
 * The closed form of a torture scene. Arch: least thickness that stands, mean radii. Gyroscope: precession, rad/s. Wrecking ball: period,
 * s. Racket: time between flips, s. Dominoes: speed of the wave, m/s.
 */
export function truthOf(scene: Scene): number {
  switch (scene.name) {
    case 'arch':
      return leastArchThickness(ARCH.stones);
    case 'gyroscope':
      return PRECESSION;
    case 'wrecking-ball': {
      const { links, pitch, massRatio, angle } = WRECKING_BALL;
      return pendulumPeriod(links * pitch, -scene.gravity[1], angle, links / massRatio);
    }
    case 'racket':
      return flipTimeOf(scene);
    case 'domino':
      return waveSpeedOf(scene);
    default:
      throw new Error(`the scene '${scene.name}' has no closed form`);
  }
}
