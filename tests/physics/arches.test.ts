// Masonry arches without mortar. Whether one stands is a question of geometry alone (Milankovitch 1907, Heyman 1969): a line of
// thrust must stay inside the stones at every joint. So contacts that lose the lever of a joint, or that give way, fell it.
import { describe, expect, test } from 'vitest';
import { create } from '../../bench/engines/talus.mjs';
import { createState } from '../../bench/lib/state.mjs';
import { buildScene, leastArchThickness } from '../../scenes/index';
import * as api from '../../src/index';
import { bar } from '../helpers/joint_worlds';

/** How far the crown has come down after 20 s, in mean radii. `thickness` is in mean radii, `radius` is the mean radius (m). */
async function sag(stones: number, thickness: number, radius: number, options = {}): Promise<number> {
  const scene = buildScene('arch', { count: stones, thickness, radius });
  const engine = await create(scene, options, api);
  for (let i = 0; i < 60 * 20; i++) engine.step();
  const state = createState(scene.bodies.count);
  engine.read(state);
  engine.dispose();
  // The floor is body 0.
  return 1 - state.position[3 * ((stones + 1) / 2) + 1]! / radius;
}

test('a semicircle of 15 stones needs a thickness of 0.106 radii, one of many stones 0.1075', () => {
  expect(leastArchThickness(15)).toBeCloseTo(0.106, 3);
  expect(leastArchThickness(201)).toBeCloseTo(0.1075, 3);
});

describe('15 stones', () => {
  test.each([0.15, 0.12, 0.115])('of %s radii stand over a span of 10 m', async (thickness) => {
    bar('sag (radii)', await sag(15, thickness, 5), 0.005);
  });

  test('of 0.105 radii fall', async () => {
    expect(await sag(15, 0.105, 5)).toBeGreaterThan(0.5);
  });

  // Depth of contacts does not shrink with the stones: a small arch needs stiffer contacts, which more substeps have.
  test.each([0.12, 0.115])("of %s radii stand over a span of 4 m with preset 'high'", async (thickness) => {
    bar('sag (radii)', await sag(15, thickness, 2, { preset: 'high' }), 0.005);
  });

  test("of 0.105 radii fall with preset 'high'", async () => {
    expect(await sag(15, 0.105, 2, { preset: 'high' })).toBeGreaterThan(0.5);
  });
});

test("31 stones of 0.12 radii stand with preset 'high'", async () => {
  bar('sag (radii)', await sag(31, 0.12, 5, { preset: 'high' }), 0.005);
});
