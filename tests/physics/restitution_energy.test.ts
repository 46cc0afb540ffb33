// Energy of bouncing bodies: perfect restitution without friction in a closed box keeps it, any other loses some; momentum and
// the height of a bounce do not depend on where in a step the impact falls.
import { describe, expect, test } from 'vitest';
import type { BodyId, World, WorldOptions } from '../../src/study/index';
import { position, SOLVERS } from '../helpers/ground';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

const SHAPES = {
  sphere: { type: 'sphere', radius: 0.4 },
  cube: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
  box: { type: 'box', halfExtents: [0.5, 0.3, 0.4] },
  capsule: { type: 'capsule', radius: 0.3, halfHeight: 0.3 },
} as const;
type Kind = keyof typeof SHAPES;

/** Bodies that fly about in a closed box of half width `half` without gravity, up to 5 m/s and 5 rad/s an axis. */
async function gas(kinds: Kind[], count: number, half: number, restitution: number, friction: number, options: WorldOptions) {
  const world = await createWorld({ gravity: [0, 0, 0], ...options });
  const material = { friction, restitution };
  for (let axis = 0; axis < 3; axis++) {
    const wall = world.createShape({ type: 'box', halfExtents: [0, 1, 2].map((k) => (k === axis ? 2 : half + 4)) });
    for (const side of [-1, 1]) {
      const at = [0, 1, 2].map((k) => (k === axis ? side * (half + 2) : 0));
      world.createBody({ type: 'static', shape: wall, position: at, ...material });
    }
  }
  const shapes = kinds.map((kind) => world.createShape(SHAPES[kind]));
  const next = seeded(7);
  const spread = (size: number) => [0, 1, 2].map(() => size * (next() - 0.5));
  const side = Math.ceil(Math.cbrt(count));
  const ids: BodyId[] = [];
  for (let i = 0; i < count; i++) {
    const cell = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    const at = cell.map((k) => ((k - (side - 1) / 2) * (2 * half - 2)) / side + 0.2 * (next() - 0.5));
    ids.push(
      world.createBody({
        shape: shapes[i % shapes.length]!,
        position: at,
        rotation: [...spread(1), next() - 0.5],
        linearVelocity: spread(10),
        angularVelocity: spread(10),
        ...material,
      }),
    );
  }
  return { world, ids };
}

/** Largest and last kinetic energy over `seconds`, as shares of the first. */
function energies(world: World, seconds: number): { most: number; last: number } {
  const first = world.measure().kineticEnergy;
  let most = 0;
  let last = 0;
  for (let i = 0; i < seconds * 60; i++) {
    world.step();
    last = world.measure().kineticEnergy / first;
    most = Math.max(most, last);
  }
  return { most, last };
}

describe.each(SOLVERS)('%s', (solver) => {
  test('60 bodies of three shapes with restitution 1 keep their energy for 10 s', async () => {
    const { world, ids } = await gas(['box', 'sphere', 'capsule'], 60, 4, 1, 0, { solver });
    const { most, last } = energies(world, 10);
    expect(most).toBeLessThan(1.01);
    expect(last).toBeGreaterThan(0.9);
    for (const id of ids) expect(Math.max(...position(world, id).map(Math.abs))).toBeLessThan(4);
  });
});

test.each(['sphere', 'cube', 'box', 'capsule'] as Kind[])('a %s alone between walls keeps its energy for 20 s', async (kind) => {
  // Without a threshold, so that no slow impact loses what it has.
  const { world } = await gas([kind], 1, 3, 1, 0, { restitutionThreshold: 0 });
  const { most, last } = energies(world, 20);
  expect(most).toBeLessThan(1.002);
  expect(last).toBeGreaterThan(0.99);
});

test.each([
  [0.5, 0],
  [0.9, 0],
  [1, 0.5],
])('with restitution %f and friction %f energy never rises over its start', async (restitution, friction) => {
  const { world } = await gas(['box', 'sphere', 'capsule'], 60, 4, restitution, friction, {});
  const { most, last } = energies(world, 6);
  expect(most).toBeLessThan(1.001);
  expect(last).toBeLessThan(0.8);
});

test('a ball with restitution 1 comes back to the height it fell from, wherever in a step it hits', async () => {
  for (const height of [1, 1.013, 1.029, 1.055, 3.3]) {
    const world = await createWorld({ substeps: 12 });
    const material = { restitution: 1, friction: 0 };
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [5, 1, 5] }),
      position: [0, -1, 0],
      ...material,
    });
    const shape = world.createShape({ type: 'sphere', radius: 0.25 });
    const ball = world.createBody({ shape, position: [0, 0.25 + height, 0], ...material });
    let top = 0;
    let hit = false;
    for (let i = 0; i < 150; i++) {
      world.step();
      hit = hit || world.getLinearVelocity(ball, [0, 0, 0])[1]! > 0;
      if (hit) top = Math.max(top, position(world, ball)[1] - 0.25);
    }
    expect(Math.abs(top / height - 1), `from ${height} m`).toBeLessThan(0.01);
  }
});
