// The washer of the benchmark that Box3D publishes (erincatto/box3d, shared/benchmarks.c): a drum that turns, open at its ends, with
// four lifters, and 8,000 small cubes in it. Sizes, places and speeds are as published; gravity is 10 m/s2.
import { BOX3D_GRAVITY } from './box3d_piles';
import { IDENTITY, SceneBuilder } from './builder';
import { cosSin } from './trig';
import type { Scene, SceneOptions, Vec3 } from './types';

const STAVES = 36;
/** A stave reaches this far beyond its part of the circle on both sides, so that nothing slips between two. */
const OVERLAP = Math.PI / 180;
const CENTER: Vec3 = [0, 21, 0];
const HALF_LENGTH = 10;
const [LIFTER_RADIUS, INNER_RADIUS, OUTER_RADIUS] = [14, 16, 18];
/** Degrees per second about z. */
const SPEED = 25;

/** Hull between two radii and two angles, along the drum. */
function stave(inner: number, outer: number, from: number, to: number): Float32Array {
  const points: number[] = [];
  for (const z of [-HALF_LENGTH, HALF_LENGTH]) {
    for (const angle of [from, to]) {
      const [cos, sin] = cosSin(angle);
      points.push(inner * cos, inner * sin, z, outer * cos, outer * sin, z);
    }
  }
  return Float32Array.from(points);
}

/** 20 by 20 by 20 cubes of 0.4 m in the drum. Some leave it by its open ends, as they should. */
export function washer(options: SceneOptions = {}): Scene {
  const side = Math.max(2, Math.round(20 * Math.cbrt(options.scale ?? 1)));
  const builder = new SceneBuilder();
  builder.fixed(builder.box(60, 1, 60), [0, -1, 0]);
  const parts: number[] = [];
  for (let i = 0; i < STAVES; i++) {
    const [from, to] = [(i * Math.PI) / 18, ((i + 1) * Math.PI) / 18];
    const hull = (points: Float32Array) => parts.push(builder.shape({ type: 'hull', points }));
    hull(stave(INNER_RADIUS, OUTER_RADIUS, from - OVERLAP, to + OVERLAP));
    if (i % 9 === 0) hull(stave(LIFTER_RADIUS, INNER_RADIUS, from, to));
  }
  const drum = builder.compound(parts.map((shape) => ({ shape, position: [0, 0, 0], rotation: IDENTITY })));
  builder.kinematic(drum, CENTER, {
    angularVelocity: [0, 0, (SPEED * Math.PI) / 180],
    linearVelocity: [0.001, -0.002, 0],
  });
  const cube = builder.box(0.2, 0.2, 0.2);
  const start = -0.4 * side;
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      for (let k = 0; k < side; k++) {
        builder.dynamic(cube, [start + 0.8 * i, CENTER[1] + start + 0.8 * j, start + 0.8 * k]);
      }
    }
  }
  const scene = builder.build('washer', `${side ** 3} cubes in a drum that turns`, 0, {
    drum: { center: CENTER, radius: OUTER_RADIUS, halfLength: HALF_LENGTH },
    bounds: { min: [-60, -1, -60], max: [60, 60, 60] },
  });
  return { ...scene, gravity: BOX3D_GRAVITY };
}
