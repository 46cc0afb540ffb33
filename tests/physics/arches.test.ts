// Masonry arches without mortar. Whether one stands is a question of geometry alone (Milankovitch 1907, Heyman 1969): a line of
// thrust must stay inside the stones at every joint. So contacts that lose the lever of a joint, or that give way, fell it.
import { describe, expect, test } from 'vitest';
import { groundWorld, position } from '../helpers/ground';
import { bar } from '../helpers/joint_worlds';

const DEPTH = 0.5;

/**
 * Least thickness over mean radius of a semicircle of `stones` (odd) that has a line of thrust: horizontal at the crown by symmetry,
 * through every joint between the radii `inner` and `outer`. For many stones it tends to 0.1075.
 */
function leastThickness(stones: number): number {
  const angle = Math.PI / stones;
  const stands = (thickness: number): boolean => {
    const [inner, outer] = [1 - thickness / 2, 1 + thickness / 2];
    const area = (outer ** 2 - inner ** 2) / 2;
    // Of the stones from the crown to each joint: weight, its moment about the center, sine and cosine of the joint's angle.
    const joints = Array.from({ length: (stones + 1) / 2 }, (_, j) => {
      const phi = (j + 0.5) * angle;
      const moment = ((outer ** 3 - inner ** 3) / 3) * (1 - Math.cos(phi));
      return { weight: area * phi, moment, sin: Math.sin(phi), cos: Math.cos(phi) };
    });
    // The thrust line crosses a joint at (moment of the crown's thrust + moment) / (weight sin + thrust cos).
    for (let thrust = 0.001; thrust < 2; thrust += 0.001) {
      let [low, high] = [-Infinity, Infinity];
      for (const { weight, moment, sin, cos } of joints) {
        const force = weight * sin + thrust * area * cos;
        low = Math.max(low, inner * force - moment);
        high = Math.min(high, outer * force - moment);
      }
      if (low <= high) return true;
    }
    return false;
  };
  let [falls, holds] = [0.02, 0.3];
  while (holds - falls > 1e-4) {
    const middle = (falls + holds) / 2;
    if (stands(middle)) holds = middle;
    else falls = middle;
  }
  return holds;
}

/** How far the crown has come down after 20 s, in mean radii. `thickness` is in mean radii, `radius` is the mean radius (m). */
async function sag(stones: number, thickness: number, radius: number, options = {}): Promise<number> {
  const { world } = await groundWorld({ sleep: false, ...options }, { friction: 1 });
  const angle = Math.PI / stones;
  const ring = [1 - thickness / 2, 1 + thickness / 2].map((r) => r * radius);
  const bodies = Array.from({ length: stones }, (_, i) => {
    const middle = (i + 0.5) * angle;
    const origin = [radius * Math.cos(middle), radius * Math.sin(middle)];
    const points = [i, i + 1].flatMap((side) =>
      ring.flatMap((r) =>
        [-1, 1].flatMap((z) => [
          r * Math.cos(side * angle) - origin[0]!,
          r * Math.sin(side * angle) - origin[1]!,
          (z * DEPTH) / 2,
        ]),
      ),
    );
    const shape = world.createShape({ type: 'hull', points });
    return world.createBody({ shape, position: [origin[0]!, origin[1]!, 0], friction: 1 });
  });
  for (let i = 0; i < 60 * 20; i++) world.step();
  return 1 - position(world, bodies[(stones - 1) / 2]!)[1] / radius;
}

test('a semicircle of 15 stones needs a thickness of 0.106 radii, one of many stones 0.1075', () => {
  expect(leastThickness(15)).toBeCloseTo(0.106, 3);
  expect(leastThickness(201)).toBeCloseTo(0.1075, 3);
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
