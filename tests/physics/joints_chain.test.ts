// Chains under loads of many times a link's mass: they do not stretch and hang still.
import { describe, expect, test } from 'vitest';
import { createChain } from '../../src/rigs/index';
import { GRAVITY, position, steps, type V3 } from '../helpers/ground';
import { ballMass, bar, ghost, JOINT_SOLVERS, jointWorld, rmsSpeed } from '../helpers/joint_worlds';

const LINKS = 25;
const LINK = 0.2;

/** A chain of capsules with a load of some links' mass at its end, at an angle from the vertical. */
async function loadedChain(solver: (typeof JOINT_SOLVERS)[number], ratio: number, angle = 0, substeps = 12) {
  const world = await jointWorld({ solver, substeps });
  const down = (way: number): V3 => [way * Math.sin(angle), -way * Math.cos(angle), 0];
  const chain = createChain(world, {
    points: Array.from({ length: LINKS + 1 }, (_, i) => down(LINK * i)),
    radius: 0.04,
    start: 'world',
  });
  const mass = ratio * world.getMass(chain.bodies[0]!);
  const radius = 0.1 * Math.cbrt(ratio);
  const load = ghost(world, down(LINK * LINKS), ballMass(mass, radius));
  const joint = world.createJoint({ type: 'ball', bodyA: chain.bodies.at(-1)!, bodyB: load, anchor: down(LINK * LINKS) });
  const joints = [...chain.joints, joint];
  /** What the gaps of all joints add to its length. */
  const stretch = () => joints.reduce((sum, id) => sum + world.getJoint(id).gap, 0) / (LINKS * LINK);
  return { world, chain, load, joint, mass, stretch };
}

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  test.each([
    [1, 1e-3],
    [100, 1e-3],
    [1000, 1e-3],
    [50_000, 1e-2],
  ])('a chain of 25 links carries %s times the mass of one', async (ratio, most) => {
    const { world, chain, load, joint, mass, stretch } = await loadedChain(solver, ratio);
    let worst = 0;
    for (let i = 0; i < 480; i++) {
      world.step();
      worst = Math.max(worst, stretch());
    }
    bar(`chain 1:${ratio}: stretch at 8 s`, stretch(), most);
    bar(`chain 1:${ratio}: largest stretch`, worst, most);
    bar(`chain 1:${ratio}: rms speed (m/s)`, rmsSpeed(world, [...chain.bodies, load]), 1e-3);
    // The load hangs where it hung.
    bar(`chain 1:${ratio}: load off (m)`, Math.abs(position(world, load)[1] + LINKS * LINK), most * LINKS * LINK);
    // Forces at both ends: the load, and all of it.
    bar(`chain 1:${ratio}: force on the load off`, Math.abs(world.getJoint(joint).force[1] / (mass * GRAVITY) - 1), 0.01);
    const links = chain.bodies.reduce((sum, id) => sum + world.getMass(id), 0);
    const top = world.getJoint(chain.joints[0]!).force[1];
    bar(`chain 1:${ratio}: force at the top off`, Math.abs(top / ((mass + links) * GRAVITY) - 1), 0.01);
  });

  test.each([
    [1000, 1e-3, 12],
    // The load swings a link by many rad a substep (docs/joint_trees.md, "Light links under loads").
    [50_000, 1e-2, 8],
    [50_000, 1e-2, 12],
  ])('pushed aside, it carries %s times the mass of a link as well', async (ratio, most, substeps) => {
    const { world, chain, stretch } = await loadedChain(solver, ratio, 0, substeps);
    world.setVelocity(chain.bodies[12]!, [1, 0, 0]);
    let worst = 0;
    for (let i = 0; i < 480; i++) {
      world.step();
      worst = Math.max(worst, stretch());
    }
    bar(`chain 1:${ratio}, pushed: largest stretch`, worst, most);
  });

  test.each([
    [1, 1e-3, 12],
    [100, 1e-3, 12],
    [1000, 1e-3, 8],
    [5000, 1e-3, 12],
  ])('swinging from 60 degrees with %s times the mass of a link, it stretches as little', async (ratio, most, substeps) => {
    const { world, load, stretch } = await loadedChain(solver, ratio, Math.PI / 3, substeps);
    let worst = 0;
    let low = 0;
    for (let i = 0; i < 600; i++) {
      world.step();
      worst = Math.max(worst, stretch());
      low = Math.min(low, position(world, load)[1]);
    }
    bar(`swinging chain 1:${ratio}: largest stretch`, worst, most);
    expect(-low).toBeLessThan(LINKS * LINK * (1 + most) + 1e-3);
    expect(-low).toBeGreaterThan(0.95 * LINKS * LINK);
  });

  test('a heavy load on a chain that does not hang on the world', async () => {
    // Two loads of 1,000 links on the ends of a chain over nothing: they fly apart and are caught.
    const { world, chain, load } = await loadedChain(solver, 1000);
    world.removeJoint(chain.joints[0]!);
    world.set({ gravity: [0, 0, 0] });
    const other = ghost(world, [0, 0, 0], ballMass(world.getMass(load), 1));
    const joint = world.createJoint({ type: 'ball', bodyA: other, bodyB: chain.bodies[0]!, anchor: [0, 0, 0] });
    world.setVelocity(other, [0, 0.5, 0]);
    world.setVelocity(load, [0, -0.5, 0]);
    steps(world, 120);
    const gaps = chain.joints.slice(1).reduce((sum, id) => sum + world.getJoint(id).gap, world.getJoint(joint).gap);
    bar('two loads on a chain: stretch', gaps / (LINKS * LINK), 1e-3);
    // What was between them is gone: an inelastic pull.
    const apart = world.getLinearVelocity(other, [0, 0, 0])[1]! - world.getLinearVelocity(load, [0, 0, 0])[1]!;
    bar('two loads on a chain: still apart at (m/s)', Math.abs(apart), 0.01);
  });

  test('a bridge between two walls hangs in its catenary', async () => {
    const world = await jointWorld({ solver });
    const n = 40;
    // A parabola near the catenary of an arc of 1.05 times the span.
    const span = 6;
    const sag = span * Math.sqrt((3 / 8) * 0.05);
    const points = Array.from({ length: n + 1 }, (_, i) => {
      const x = (span * i) / n;
      return [x, (-4 * sag * x * (span - x)) / span ** 2, 0] as V3;
    });
    const chain = createChain(world, {
      points,
      radius: 0.03,
      start: 'world',
      end: 'world',
      frictionTorque: 0.05,
      frictionLever: 0,
    });
    steps(world, 1200);
    // Lowest point of the catenary with the chain's length: y = a (cosh(x / a) - 1), 2 a sinh(span / 2 a) = length.
    const length = points.slice(1).reduce((sum, p, i) => sum + Math.hypot(...p.map((x, k) => x - points[i]![k]!)), 0);
    let [low, high] = [0.1, 100];
    for (let i = 0; i < 100; i++) {
      const a = Math.sqrt(low * high);
      if (2 * a * Math.sinh(span / (2 * a)) > length) low = a;
      else high = a;
    }
    const depth = low * (Math.cosh(span / (2 * low)) - 1);
    const ends = chain.bodies.map((id) => position(world, id)[1]);
    bar('catenary: depth off', Math.abs(-Math.min(...ends) / depth - 1), 0.01);
    bar('catenary: largest gap (m)', Math.max(...chain.joints.map((id) => world.getJoint(id).gap)), 1e-3);
    bar('catenary: rms speed (m/s)', rmsSpeed(world, chain.bodies), 1e-2);
  });
});
