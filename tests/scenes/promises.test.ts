// What scenes without an act show: no impact in a row adds energy, discs go round as their closed form says, light plates carry heavy
// blocks.
import { describe, expect, test } from 'vitest';
import { COLUMNS, CRADLES } from '../../scenes/cradle';
import { DISCS, precession, WHEEL } from '../../scenes/euler_disc';
import { turn } from '../../scenes/frames';
import { buildScene } from '../../scenes/index';
import { APART, BLOCK_MASSES } from '../../scenes/plates';
import { populate } from '../../scenes/stage';
import type { Quat, Vec3 } from '../../scenes/types';
import { type BodyId, createWorld, type World } from '../../src/index';

const GRAVITY = 9.81;
/** Height of a ball of a cradle that hangs, m. */
const HANGING = 0.6;

async function staged(name: string) {
  const scene = buildScene(name);
  const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, sleep: false });
  const { bodies } = populate(world, scene);
  const part = (key: string) => [scene.parts![key]!].flat().map((index) => bodies[index]!);
  return { world, part };
}

const place = (world: World, body: BodyId) => world.getPosition(body, [0, 0, 0]) as unknown as Vec3;
/** Direction of the axis of a cylinder. */
const axis = (world: World, body: BodyId) => turn(world.getRotation(body, [0, 0, 0, 1]) as unknown as Quat, [0, 1, 0]);

/** Splits a list into lists of these lengths. */
function split<T>(list: readonly T[], lengths: readonly number[]): T[][] {
  let from = 0;
  return lengths.map((length) => {
    from += length;
    return list.slice(from - length, from);
  });
}

test('cradle: no row gains energy; where balls hang apart, as many leave as were pulled', async () => {
  const { world, part } = await staged('cradle');
  const cradles = split(
    part('cradles'),
    CRADLES.map(({ balls }) => balls),
  );
  const rows = [...cradles, ...split(part('columns'), COLUMNS)];
  const start = new Map(rows.flat().map((body) => [body, place(world, body)[1]]));
  // Height over the lowest place that a ball can have: hanging, or on the balls below.
  const low = (row: BodyId[], i: number) =>
    cradles.includes(row) ? start.get(row.at(-1)!)! : start.get(row[i]!)! - start.get(row[0]!)! + 0.15;
  const energyOf = (row: BodyId[]) =>
    row.reduce((sum, body, i) => {
      const v = Math.hypot(...(world.getLinearVelocity(body, [0, 0, 0]) as number[]));
      return sum + world.getMass(body) * (v ** 2 / 2 + GRAVITY * (place(world, body)[1] - low(row, i)));
    }, 0);
  const first = rows.map(energyOf);
  const most = rows.map(() => 0);
  const highest = new Map(cradles.flat().map((body) => [body, 0]));
  for (let i = 0; i < 2400; i++) {
    world.step();
    for (const [k, row] of rows.entries()) most[k] = Math.max(most[k]!, energyOf(row) / first[k]!);
    // The swing to the other side that follows the first impact.
    if (i < 200 || i > 420) continue;
    for (const body of highest.keys()) highest.set(body, Math.max(highest.get(body)!, place(world, body)[1] - HANGING));
  }
  for (const share of most) expect(share).toBeLessThan(1.001);
  for (const [k, { balls, pulled, gap }] of CRADLES.entries()) {
    if (gap === 0) continue;
    // Pulled balls start 0.8 m up.
    for (const [i, body] of cradles[k]!.entries()) {
      if (i < balls - pulled) expect(highest.get(body)).toBeLessThan(0.05);
      else expect(highest.get(body)).toBeGreaterThan(0.7);
    }
  }
});

describe('euler-disc', () => {
  test('disc and coin go round within 10 % of their closed form', async () => {
    const { world, part } = await staged('euler-disc');
    const discs = part('discs');
    const last = discs.map(() => Number.NaN);
    const angle = discs.map(() => 0);
    const expected = discs.map(() => 0);
    for (let i = 0; i < 15; i++) {
      world.step();
      for (const [k, disc] of discs.entries()) {
        const up = axis(world, disc);
        const now = Math.atan2(up[2], up[0]);
        if (i > 0) {
          const d = now - last[k]!;
          angle[k]! += d - 2 * Math.PI * Math.round(d / (2 * Math.PI));
          expected[k]! += precession(DISCS[k]!.radius, Math.sqrt(1 - up[1] ** 2)) / 60;
        }
        last[k] = now;
      }
    }
    for (const k of discs.keys()) expect(Math.abs(Math.abs(angle[k]!) / expected[k]! - 1)).toBeLessThan(0.1);
  });

  test('the wheel rolls on at 5 m/s and still leans after 3 s', async () => {
    const { world, part } = await staged('euler-disc');
    const [wheel] = part('wheel') as [BodyId];
    for (let i = 0; i < 180; i++) world.step();
    expect((Math.asin(Math.abs(axis(world, wheel)[1])) * 180) / Math.PI).toBeGreaterThan(11);
    const speed = Math.hypot(...(world.getLinearVelocity(wheel, [0, 0, 0]) as number[]));
    expect(Math.abs(speed / WHEEL.speed - 1)).toBeLessThan(0.03);
  });
});

test('plates: all stacks stand; blocks of 10 and 100 kg sink less than 2 cm in 10 s', async () => {
  const { world, part } = await staged('plates');
  const blocks = part('blocks');
  const start = blocks.map((block) => place(world, block)[1]);
  for (let i = 0; i < 600; i++) world.step();
  for (const [k, block] of blocks.entries()) {
    const [x, y, z] = place(world, block);
    const sunk = start[k]! - y;
    expect(sunk, `${BLOCK_MASSES[k]} kg`).toBeLessThan(BLOCK_MASSES[k]! <= 100 ? 0.02 : 0.1);
    expect(Math.hypot(x - APART * (k - 1), z)).toBeLessThan(0.05);
  }
});
