// Six-axis joints whose swing passes half a turn, where swing and twist have no value: what is locked stays locked and costs no energy,
// what is limited or driven lets go there. A body without gravity is thrown about a point of the world, over seeds.
import { describe, expect, test } from 'vitest';
import type { JointAxes, World } from '../../src/study/index';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const LOCKED = { locked: true } as const;
const within = (angle: number) => ({ limit: { min: -angle, max: angle } });

interface Course {
  /** Largest kinetic energy over that of the first steps. */
  gain: number;
  /** Kinetic energy at the end over that of the first steps. */
  end: number;
  /** Largest swing, rad. */
  swing: number;
  /** Largest angle by which a locked one is off, rad. */
  error: number;
}

/** How far a turn x y z w is from what a joint locks, rad: z of B beside a plane of frame A, the twist of a turn. */
function errorOf([x, y, z, w]: readonly number[], axes: JointAxes): number {
  const asin = (s: number) => Math.abs(Math.asin(Math.max(-1, Math.min(1, s))));
  return Math.max(
    axes.twist?.locked ? 2 * asin(z!) : 0,
    axes.swingX?.locked ? asin(2 * (y! * z! - w! * x!)) : 0,
    axes.swingY?.locked ? asin(2 * (x! * z! + w! * y!)) : 0,
  );
}

async function throwAbout(axes: JointAxes, seed: number, solver: 'wide' | 'cell-split', steps: number): Promise<Course> {
  const random = seeded(seed);
  const world: World = await createWorld({ solver, sleep: false, gravity: [0, 0, 0], warn: false });
  const box = (half: [number, number, number]) => world.createShape({ type: 'box', halfExtents: half });
  const bodyA = world.createBody({ type: 'static', shape: box([0.1, 0.1, 0.1]), position: [0, 0, 0] });
  const shape = box([0.1 + 0.2 * random(), 0.1 + 0.2 * random(), 0.4]);
  const bodyB = world.createBody({ shape, position: [0, 0, 0.6], mass: 10 });
  const point = { x: LOCKED, y: LOCKED, z: LOCKED };
  world.createJoint({ type: 'six-axis', bodyA, bodyB, anchor: [0, 0, 0], axes: { ...point, ...axes } });
  const spin = [8, 8, 4].map((most) => most * (random() - 0.5)) as [number, number, number];
  world.setVelocity(bodyB, [0.6 * spin[1], -0.6 * spin[0], 0], spin);
  // The first steps take what the joint does not allow.
  for (let i = 0; i < 5; i++) world.step();
  const start = world.measure().kineticEnergy;
  const course: Course = { gain: 1, end: 1, swing: 0, error: 0 };
  for (let i = 0; i < steps; i++) {
    world.step();
    course.end = world.measure().kineticEnergy / start;
    course.gain = Math.max(course.gain, course.end);
    const turn = world.getRotation(bodyB, [0, 0, 0, 1]);
    course.swing = Math.max(course.swing, 2 * Math.asin(Math.min(1, Math.hypot(turn[0], turn[1]))));
    course.error = Math.max(course.error, errorOf(turn, axes));
  }
  world.dispose();
  return course;
}

describe.each(['wide', 'cell-split'] as const)('%s', (solver) => {
  test.each<[string, JointAxes]>([
    ['twist', { twist: LOCKED }],
    ['swing about x', { swingX: LOCKED }],
    ['swing about y', { swingY: LOCKED }],
    ['twist and swing about x', { twist: LOCKED, swingX: LOCKED }],
    ['twist and swing about y', { twist: LOCKED, swingY: LOCKED }],
  ])('locked %s: holds through half a turn, and keeps the energy', async (_, axes) => {
    let swing = 0;
    for (const seed of SEEDS) {
      const course = await throwAbout(axes, seed, solver, 300);
      expect(course.gain, `seed ${seed}`).toBeLessThan(1.005);
      // Ten rigid turns are not free of loss in substeps.
      expect(course.end, `seed ${seed}`).toBeGreaterThan(0.9);
      expect(course.error, `seed ${seed}`).toBeLessThan(0.01);
      swing = Math.max(swing, course.swing);
    }
    expect(swing).toBeGreaterThan(3.1);
  });

  test.each<[string, JointAxes, number]>([
    ['a limit of the second axis of a universal joint', { swingX: LOCKED, swingY: within(2) }, 1.01],
    ['a limit of the twist of a universal joint', { swingX: LOCKED, twist: within(1) }, 1.01],
    ['limits of both swings, far from half a turn', { swingX: within(0.5), swingY: within(0.5) }, 1.01],
    // Beyond half a turn the angle may lie outside of its limits. It is put back, and a body that is turned has another inertia.
    ['a limit of the twist', { twist: within(0.5) }, 6],
    ['a limit of one swing', { swingX: within(0.5) }, 6],
    ['limits of both swings, near half a turn', { swingX: within(2.5), swingY: within(2.5) }, 6],
    ['a limit of a swing, the twist locked', { twist: LOCKED, swingX: within(2) }, 6],
  ])('%s gives no energy', async (_, axes, most) => {
    for (const seed of SEEDS) expect((await throwAbout(axes, seed, solver, 600)).gain, `seed ${seed}`).toBeLessThan(most);
  });
});
