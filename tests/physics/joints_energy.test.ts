// Chains on frictionless joints, let go from the horizontal: however they whip, they never have more energy than at the start.
import { describe, test } from 'vitest';
import type { BodyId, WorldOptions } from '../../src/index';
import { GRAVITY, type V3 } from '../helpers/ground';
import { ballMass, bar, boxMass, ghost, jointWorld } from '../helpers/joint_worlds';
import { everyNth, isLong } from '../helpers/long';
import { seeded } from '../helpers/random';

const LINK = 0.2;

/** Largest energy above that of the start, in m g l of the whole chain, and the largest gap of its joints. */
async function swing(
  type: 'ball' | 'hinge',
  links: number,
  ratio: number,
  half: number,
  seconds: number,
  tilt = 0,
  options: WorldOptions = {},
) {
  const world = await jointWorld({ substeps: 'auto', ...options });
  const along = (way: number): V3 => [way * Math.cos(tilt), way * Math.sin(tilt), 0];
  const turned = { rotation: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)] as [number, number, number, number] };
  const bodies: BodyId[] = [];
  const masses: number[] = [];
  const joints = [];
  const add = (body: BodyId, mass: number, lever: number) => {
    joints.push(
      world.createJoint({
        type,
        bodyA: bodies.at(-1) ?? null,
        bodyB: body,
        anchorA: bodies.length === 0 ? [0, 0, 0] : [LINK / 2, 0, 0],
        anchorB: [-lever, 0, 0],
        frictionLever: 0,
        ...(type === 'hinge' ? { axis: [0, 0, 1] as V3 } : {}),
      }),
    );
    bodies.push(body);
    masses.push(mass);
  };
  for (let i = 0; i < links; i++) add(ghost(world, along(LINK * (i + 0.5)), boxMass(1, [0.09, half, half]), turned), 1, LINK / 2);
  if (ratio > 0) add(ghost(world, along(LINK * links + 0.1), ballMass(ratio, 0.08), turned), ratio, 0.1);
  const height = () => bodies.reduce((sum, body, i) => sum + masses[i]! * GRAVITY * world.getPosition(body, [0, 0, 0])[1], 0);
  const start = height();
  const unit = masses.reduce((sum, m) => sum + m, 0) * GRAVITY * LINK * links;
  let most = 0;
  for (let i = 0; i < 60 * seconds; i++) {
    world.step();
    most = Math.max(most, (height() + world.measure().kineticEnergy - start) / unit);
  }
  return most;
}

describe.each(['ball', 'hinge'] as const)('%s', (type) => {
  test.each(everyNth([3, 10, 30], 2))('%s equal links of any thickness', async (links) => {
    for (const half of everyNth([0.01, 0.02, 0.04, 0.08], 3))
      bar(`half width ${half}`, await swing(type, links, 0, half, 12), 0.01);
  });

  test.each(everyNth([1, 3, 10, 30, 100], 2))('a load of %s links', async (ratio) => {
    for (const links of everyNth([3, 10, 30], 2)) {
      for (const half of everyNth([0.01, 0.04, 0.08], 2)) bar(`${links} links`, await swing(type, links, ratio, half, 10), 0.01);
    }
  });

  test.each(everyNth([0, 1, 100], 2))("with preset 'high' and a load of %s links", async (ratio) => {
    const high: WorldOptions = { preset: 'high' };
    for (const links of everyNth([3, 10, 30], 2)) {
      for (const half of everyNth([0.01, 0.02, 0.08], 2))
        bar(`${links} links`, await swing(type, links, ratio, half, 10, 0, high), 0.01);
    }
  });

  test('from any angle', async () => {
    const random = seeded(31);
    for (let k = 0; k < (isLong ? 12 : 3); k++) {
      const [links, ratio, half] = [3 + Math.floor(12 * random()), random() < 0.5 ? 0 : 100 * random(), 0.01 + 0.07 * random()];
      bar('energy', await swing(type, links, ratio, half, 10, 2 * (random() - 0.5)), 0.01);
    }
  });

  test('a load of 1,000 links does not get out of hand', async () => {
    for (const half of everyNth([0.01, 0.02, 0.04, 0.08], 3))
      bar(`half width ${half}`, await swing(type, 10, 1000, half, 15), 0.1);
  });

  test.each([3000, 10_000])('a load of %s links makes no energy', async (ratio) => {
    for (const links of everyNth([5, 10, 20], 2)) {
      for (const half of everyNth([0.01, 0.02, 0.08], 2))
        bar(`${links} links of ${half}`, await swing(type, links, ratio, half, 10), 0.03);
    }
  });
});
