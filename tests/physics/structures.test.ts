// Dry structures that hold by weight and friction alone: a row of dominoes that falls to its end, a tower with bricks taken out,
// a wall of stones of many widths.
import { expect, test } from 'vitest';
import type { BodyId } from '../../src/index';
import { groundWorld, position, rotate, type V3 } from '../helpers/ground';
import { bar, rmsSpeed } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';
import type { AnyWorld } from '../helpers/worlds';

/** Cosine of the lean of a body. */
const upright = (world: AnyWorld, id: BodyId) => rotate(world.getRotation(id, [0, 0, 0, 1]), [0, 1, 0])[1];

const distance = (a: V3, b: V3) => Math.hypot(...a.map((x, k) => x - b[k]!));

test('of 200 dominoes all fall, one after the other, at one speed', async () => {
  const { world } = await groundWorld();
  const shape = world.createShape({ type: 'box', halfExtents: [0.06, 0.5, 0.25] });
  const count = 200;
  const tiles = Array.from({ length: count }, (_, i) => world.createBody({ shape, position: [0.5 * i, 0.5, 0] }));
  world.setVelocity(tiles[0]!, [1, 0, 0]);
  world.setAngularVelocity(tiles[0]!, [0, 0, -2]);
  /** Step in which each tile has come to lean by 30 degrees. */
  const fallen: number[] = [];
  for (let i = 0; i < 60 * 40 && fallen.length < count; i++) {
    world.step();
    while (fallen.length < count && upright(world, tiles[fallen.length]!) < Math.cos(Math.PI / 6)) fallen.push(i);
    // Nothing falls ahead of the wave.
    const ahead = tiles[fallen.length + 10];
    if (ahead !== undefined) expect(upright(world, ahead)).toBeGreaterThan(0.999);
  }
  expect(fallen.length).toBe(count);
  const [early, late] = [fallen[100]! - fallen[20]!, fallen[190]! - fallen[110]!];
  bar('speed of the wave, late over early', Math.abs(late / early - 1), 0.03);
  bar('sideways (m)', Math.max(...tiles.map((tile) => Math.abs(position(world, tile)[2]))), 0.01);
});

test('a tower of 18 levels of three bricks stands with three bricks taken out', async () => {
  const { world } = await groundWorld({ sleep: false });
  const shape = world.createShape({ type: 'box', halfExtents: [0.375, 0.075, 0.125] });
  // Level and place in it: a middle brick, and one on either side.
  const out = new Set(['1 1', '6 0', '11 2']);
  const bricks: BodyId[] = [];
  for (let level = 0; level < 18; level++) {
    for (let k = 0; k < 3; k++) {
      if (out.has(`${level} ${k}`)) continue;
      const aside = 0.25 * (k - 1);
      const y = 0.075 + 0.15 * level;
      const across = { position: [aside, y, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] };
      bricks.push(world.createBody({ shape, ...(level % 2 === 1 ? across : { position: [0, y, aside] }) }));
    }
  }
  const start = bricks.map((brick) => position(world, brick));
  for (let i = 0; i < 1200; i++) world.step();
  const moved = bricks.map((brick, i) => position(world, brick).map((x, k) => x - start[i]![k]!));
  bar('drift of the top (m)', Math.max(...moved.slice(-3).map(([x, , z]) => Math.hypot(x!, z!))), 0.01);
  bar('sunk (m)', Math.max(...moved.map(([, y]) => -y!)), 0.01);
  bar('rms speed (m/s)', rmsSpeed(world, bricks), 1e-4);
});

test.each([1, 2, 3])('a dry wall of 12 courses of stones of many widths stands still (seed %i)', async (seed) => {
  const { world } = await groundWorld({ sleep: false });
  const random = seeded(seed);
  const stones: BodyId[] = [];
  let y = 0;
  for (let course = 0; course < 12; course++) {
    const height = 0.15 + 0.1 * random();
    for (let x = -2; x < 2; ) {
      // No stone is left narrower than 0.3 m.
      const rest = 2 - x;
      const width = rest < 0.9 ? rest : 0.3 + 0.3 * random();
      const shape = world.createShape({ type: 'box', halfExtents: [width / 2, height / 2, 0.2] });
      stones.push(world.createBody({ shape, position: [x + width / 2, y + height / 2, 0] }));
      x += width;
    }
    y += height;
  }
  const start = stones.map((stone) => position(world, stone));
  for (let i = 0; i < 900; i++) world.step();
  bar('moved (m)', Math.max(...stones.map((stone, i) => distance(position(world, stone), start[i]!))), 0.01);
  bar('rms speed (m/s)', rmsSpeed(world, stones), 1e-4);
});
