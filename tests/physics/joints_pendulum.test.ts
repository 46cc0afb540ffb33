// Pendulums against their closed forms: period of a bob, of a rigid body, of a large swing; energy of a frictionless one.
import { describe, expect, test } from 'vitest';
import type { BodyId, JointDesc, World } from '../../src/study/index';
import { DT, GRAVITY, position, steps, type V3 } from '../helpers/ground';
import { ballMass, bar, boxMass, ghost, JOINT_SOLVERS, jointWorld, period, totals } from '../helpers/joint_worlds';

/** Complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
function elliptic(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  while (Math.abs(a - b) > 1e-15) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/** Angle of a body about the point it hangs on, in the plane x y. */
const angle = (world: World, id: BodyId, [x, y]: V3) => {
  const p = position(world, id);
  return Math.atan2(p[0] - x, y - p[1]);
};

/** Period over some seconds. */
function swing(world: World, id: BodyId, at: V3, seconds: number): number {
  const samples: number[] = [];
  for (let i = 0; i < seconds * 60; i++) {
    world.step();
    samples.push(angle(world, id, at));
  }
  return period(samples, DT);
}

const TOP: V3 = [1, 5, -2];
const below = (way: number, a: number): V3 => [TOP[0] + way * Math.sin(a), TOP[1] - way * Math.cos(a), TOP[2]];
const turnZ = (a: number) => [0, 0, Math.sin(a / 2), Math.cos(a / 2)];

/** Joints that let a body swing in the plane x y. */
const KINDS: [string, Partial<JointDesc> & Pick<JointDesc, 'type'>][] = [
  ['ball', { type: 'ball', frictionLever: 0 }],
  ['hinge', { type: 'hinge', axis: [0, 0, 1], frictionLever: 0 }],
  ['cone-twist', { type: 'cone-twist', axis: [0, -1, 0], frictionLever: 0 }],
  ['cylindrical', { type: 'cylindrical', axis: [0, 0, 1] }],
  ['six-axis', { type: 'six-axis', axes: { x: { locked: true }, y: { locked: true }, z: { locked: true } } }],
];

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  test.each(KINDS)('a bob on a %s swings by sqrt(l / g)', async (name, kind) => {
    for (const substeps of [12, 'auto'] as const) {
      const world = await jointWorld({ solver, substeps });
      const bob = ghost(world, below(1, 0.05), ballMass(2, 0.1), { rotation: turnZ(0.05) });
      world.createJoint({ ...kind, bodyB: bob, anchor: TOP });
      const exact = 2 * Math.PI * Math.sqrt((1 + 0.4 * 0.01) / GRAVITY) * (1 + 0.05 ** 2 / 16);
      bar(`period, ${name}, ${substeps}`, Math.abs(swing(world, bob, TOP, 12) / exact - 1), 0.005);
    }
  });

  test('a rod on a distance joint swings so too', async () => {
    const world = await jointWorld({ solver });
    const bob = ghost(world, below(1, 0.05), ballMass(2, 0.01));
    world.createJoint({ type: 'distance', bodyB: bob, anchorA: TOP, anchorB: [0, 0, 0], length: 1 });
    const exact = 2 * Math.PI * Math.sqrt(1 / GRAVITY) * (1 + 0.05 ** 2 / 16);
    bar('period, distance', Math.abs(swing(world, bob, TOP, 12) / exact - 1), 0.005);
  });

  test('a rigid body swings by its moment of inertia, from a static body as from the world', async () => {
    const half: V3 = [0.1, 0.5, 0.2];
    const moment = (3 / 3) * (half[0] ** 2 + half[1] ** 2) + 3 * 0.4 ** 2; // about its pivot, 0.4 m above its center
    const exact = 2 * Math.PI * Math.sqrt(moment / (3 * GRAVITY * 0.4)) * (1 + 0.05 ** 2 / 16);
    for (const fixed of [false, true]) {
      const world = await jointWorld({ solver });
      const bodyA = fixed ? world.createBody({ type: 'static', position: [3, 3, 3], rotation: [0.5, 0.5, 0.5, 0.5] }) : null;
      const bodyB = ghost(world, below(0.4, 0.05), boxMass(3, half), { rotation: turnZ(0.05) });
      world.createJoint({ type: 'hinge', bodyA, bodyB, anchor: TOP, axis: [0, 0, 1], frictionLever: 0 });
      bar(`compound period, ${fixed ? 'static body' : 'world'}`, Math.abs(swing(world, bodyB, TOP, 12) / exact - 1), 0.005);
    }
  });

  test('a large swing takes its elliptic integral', async () => {
    const world = await jointWorld({ solver });
    const start = Math.PI / 3;
    const bob = ghost(world, below(1, start), ballMass(1, 0.05), { rotation: turnZ(start) });
    world.createJoint({ type: 'hinge', bodyB: bob, anchor: TOP, axis: [0, 0, 1], frictionLever: 0 });
    const exact = 4 * Math.sqrt((1 + 0.4 * 0.0025) / GRAVITY) * elliptic(Math.sin(start / 2));
    bar('first period at 60 degrees', Math.abs(swing(world, bob, TOP, 4.4) / exact - 1), 0.005);
  });

  test('a frictionless pendulum at 60 degrees never gains energy and keeps three quarters of it for a minute', async () => {
    const world = await jointWorld({ solver });
    const start = Math.PI / 3;
    const bob = ghost(world, below(1, start), ballMass(1, 0.05), { rotation: turnZ(start) });
    world.createJoint({ type: 'hinge', bodyB: bob, anchor: TOP, axis: [0, 0, 1], frictionLever: 0 });
    const energy = () => {
      const now = totals(world, [bob]);
      return now.kinetic + now.potential - GRAVITY * (TOP[1] - 1);
    };
    const first = energy();
    let most = first;
    const heights = [1 - Math.cos(start)];
    for (let i = 0; i < 3600; i++) {
      world.step();
      most = Math.max(most, energy());
      heights.push(1 - Math.cos(angle(world, bob, TOP)));
    }
    // Highest points of the swings, by the parabola through the three samples about each.
    const tops = [heights[0]!];
    for (let i = 1; i + 1 < heights.length; i++) {
      const [a, b, c] = [heights[i - 1]!, heights[i]!, heights[i + 1]!];
      if (b > a && b >= c) tops.push(b - (a - c) ** 2 / (8 * (a - 2 * b + c)));
    }
    const swings = tops.length - 1;
    const gain = Math.max(...tops.slice(1).map((top, i) => top / tops[i]! - 1));
    expect(swings).toBeGreaterThan(50);
    // Within a swing the energy of an explicit step sways by omega h / 2: 0.25 %.
    bar('energy, most of the first', most / first - 1, 0.005);
    bar('gain of a swing on the one before', gain, 1e-3);
    bar('gain of a swing on the first', Math.max(...tops) / tops[0]! - 1, 1e-3);
    bar('height lost in 60 s', 1 - tops.at(-1)! / tops[0]!, 0.25);
    bar('energy lost in 60 s', 1 - energy() / first, 0.25);
  });

  test('a double pendulum keeps its energy to what the single one loses', async () => {
    const world = await jointWorld({ solver });
    const [a, b] = [ghost(world, [1, 5, 0], ballMass(1, 0.05)), ghost(world, [2, 5, 0], ballMass(1, 0.05))];
    world.createJoint({ type: 'ball', bodyB: a, anchor: [0, 5, 0], frictionLever: 0 });
    world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [1, 5, 0], frictionLever: 0 });
    const floor = GRAVITY * (4 + 3);
    const energy = () => {
      const now = totals(world, [a, b]);
      return now.kinetic + now.potential - floor;
    };
    const first = energy();
    let most = first;
    for (let i = 0; i < 600; i++) {
      world.step();
      most = Math.max(most, energy());
    }
    bar('double pendulum: gain', most / first - 1, 0.01);
    bar('double pendulum: lost in 10 s', 1 - energy() / first, 0.25);
    steps(world, 1);
  });
});
