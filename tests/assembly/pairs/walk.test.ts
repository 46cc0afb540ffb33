// Contacts of balls that move among each other against all pairs of them, in double precision and in every step.
import { expect, it } from 'vitest';
import { HEADER_PTR, Header, Manifold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';

it.each([
  [3, 1],
  [8, 12],
])(
  'balls that overlap have a contact of their depth, those farther apart than they go in a step have none; seed %i, speed %f m/s',
  (seed, fast) => {
    const world = new BoxWorld();
    const random = seeded(seed);
    const some = (k: number) => [0, 1, 2].map(() => k * (2 * random() - 1));
    world.setF32(Header.gravityX, 1.1);
    world.setF32(Header.gravityY, -3);
    const count = 34;
    const radii = Array.from({ length: count }, () => 0.15 + 0.3 * random());
    for (const [i, radius] of radii.entries()) {
      const fixed = i % 9 === 4;
      world.sphere(
        [1.7, 1.4, 1.2].map((k) => k * (2 * random() - 1)),
        radius,
        { type: fixed ? 0 : 2, density: 400 + 1500 * random() },
      );
      if (!fixed) world.core.setVelocity(i, ...some(fast), ...some(3));
    }
    const { core } = world;
    let [overlaps, ended] = [0, 0];
    let had = new Set<string>();
    for (let step = 0; step < 24; step++) {
      expect(core.stepBroadphase()).toBe(0);
      expect(core.stepContacts()).toBe(0);
      const view = new DataView(world.memory.buffer);
      const margin = view.getFloat32(HEADER_PTR + Header.speculativeMargin, true);
      const found = new Map<string, { n: number[]; separation: number }>();
      for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
        const at = core.readManifold(m) >>> 0;
        if (view.getUint32(at + Manifold.count, true) === 0) continue;
        const [a, b] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
        expect(found.has(`${a},${b}`) || a >= b).toBe(false);
        const n = [0, 4, 8].map((k) => view.getFloat32(at + Manifold.nx + k, true));
        found.set(`${a},${b}`, { n, separation: view.getFloat32(at + Manifold.separation0, true) });
      }
      const at = radii.map((_, i) => world.position(i));
      const speeds = radii.map((_, i) => world.linearVelocity(i));
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) {
          if (a % 9 === 4 && b % 9 === 4) {
            if (found.has(`${a},${b}`)) throw new Error(`contact of fixed balls ${a}, ${b}`);
            continue;
          }
          const d = at[b]!.map((v, k) => v - at[a]![k]!);
          const distance = Math.hypot(...d);
          const gap = distance - radii[a]! - radii[b]!;
          const contact = found.get(`${a},${b}`);
          if (gap < 0) {
            overlaps++;
            expect([step, a, b, contact !== undefined]).toEqual([step, a, b, true]);
            // A contact that is kept for a while has its old direction: off by less than the way to the next test.
            expect(Math.abs(contact!.separation - gap)).toBeLessThan(5e-4);
            for (let k = 0; k < 3; k++) expect(Math.abs(contact!.n[k]! - d[k]! / distance)).toBeLessThan(0.04);
          }
          const way = Math.hypot(...speeds[b]!.map((v, k) => v - speeds[a]![k]!)) / 60;
          // What turns brings nearer counts too, of a ball beside a fixed one: at most 20 rad/s here.
          if (gap > margin + way + 0.02 + (20 / 60) * 0.45) if (contact) throw new Error(`step ${step}: ${a}, ${b} are apart`);
        }
      }
      for (const key of had) if (!found.has(key)) ended++;
      had = new Set(found.keys());
      expect(core.stepSolve()).toBe(0);
      expect(core.stepEnd()).toBe(0);
    }
    expect(overlaps).toBeGreaterThan(40);
    expect(ended).toBeGreaterThan(10);
  },
);
