// What demo scenes wear: every look is finite, ropes reach both of their ends, and physics takes no notice of any of it.
import { describe, expect, test } from 'vitest';
import { ENTRIES } from '../../demo/src/catalog';
import { dressOf } from '../../demo/src/dress';
import { SCENE_FRAMES } from '../../demo/src/scene_frames';
import { Simulation } from '../../demo/src/simulation';
import { turn } from '../../scenes/frames';

const DRESSED = ENTRIES.filter(({ isDressed }) => isDressed);
const optionsOf = (count: readonly number[] | undefined) => ({ seed: 1, ...(count ? { count: 400 } : {}) });

describe('dressed scenes', () => {
  test.each(DRESSED.map((entry) => [entry.name, entry] as const))('%s moves as it does without', async (_name, entry) => {
    const scene = entry.build(optionsOf(entry.count));
    const dress = dressOf(scene)!;
    expect(dress).not.toBeNull();
    const [plain, dressed] = [await Simulation.create(scene, {}), await Simulation.create(scene, {}, dress)];
    for (let i = 0; i < 60; i++) {
      plain.step();
      dressed.step();
    }
    expect(dressed.world.bodyCount).toBe(plain.world.bodyCount);
    expect([...dressed.world.positions]).toEqual([...plain.world.positions]);
    expect([...dressed.world.rotations]).toEqual([...plain.world.rotations]);
    const numbers = [
      ...[...dressed.looks.values(), ...dressed.casts.flatMap((cast) => cast.things.map(({ parts }) => parts))].flatMap((parts) =>
        parts.flatMap((part) => [...part.position, ...part.rotation, part.tone ?? 1]),
      ),
      ...dressed.casts.flatMap((cast) => [...cast.positions, ...cast.rotations]),
    ];
    expect(numbers.every(Number.isFinite)).toBe(true);
    // Something is worn: other parts on bodies, or things beside them.
    expect(dressed.casts.length > 0 || [...dressed.looks.values()].some((parts) => parts.length > 3)).toBe(true);
    plain.dispose();
    dressed.dispose();
  });

  test('the rope of the arm goes from the arm to the load at any time', async () => {
    const entry = ENTRIES.find(({ name }) => name === 'arm')!;
    const scene = entry.build({ seed: 1 });
    const simulation = await Simulation.create(scene, {}, dressOf(scene));
    const [rope] = simulation.casts;
    const { anchorA, anchorB, bodyA, bodyB } = scene.joints!.find(({ type }) => type === 'distance')!;
    for (let i = 0; i < 120; i++) {
      simulation.step();
      const { positions } = rope!;
      const last = 4 * (rope!.slotCount - 1);
      for (const [at, body, anchor] of [
        [0, bodyA, anchorA],
        [last, bodyB, anchorB],
      ] as const) {
        const slot = simulation.slotOf(body);
        const [x, y, z, w] = simulation.world.rotations.slice(4 * slot, 4 * slot + 4) as unknown as [
          number,
          number,
          number,
          number,
        ];
        const arm = turn([x, y, z, w], anchor);
        const away = Math.hypot(
          ...[0, 1, 2].map((k) => positions[at + k]! - simulation.world.positions[4 * slot + k]! - arm[k]!),
        );
        // The middle of the last piece, which is 0.12 m long.
        expect(away).toBeLessThan(0.075);
      }
    }
    simulation.dispose();
  });

  test('every scene but those with a player has a box for the camera', () => {
    const without = ENTRIES.filter(({ steer }) => !steer).filter(({ name }) => !SCENE_FRAMES[name]);
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
