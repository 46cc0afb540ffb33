// The probe that fits the demo to a machine: how it measures, with a clock of the test's own, and what follows from what it finds.
import { describe, expect, it } from 'vitest';
import { VISITOR_SIZES } from '../../bench/visitors/report';
import { ENTRIES } from '../../demo/src/catalog';
import { isSlow, keepProbe, keptProbe, measureProbe, openingScene, probeWorld, stepMs } from '../../demo/src/probe';
import { MEASURE_COSTS, SCENE_COSTS } from '../../demo/src/scene_costs';
import { createWorld } from '../../src/study/index';

/** A world whose steps take so long by a clock of its own; `ms` gets the number of the step. */
function clocked(ms: (step: number) => number) {
  let time = 0;
  const counts = { steps: 0, disposed: 0 };
  const world = {
    step: () => {
      time += ms(counts.steps++);
    },
    dispose: () => {
      counts.disposed++;
    },
  };
  return { world, counts, now: () => time };
}

describe('measuring', () => {
  it('finds the time of a step and takes a tenth of a second for it', () => {
    const { world, counts, now } = clocked(() => 0.25);
    expect(measureProbe(world, now)).toBeCloseTo(0.25, 6);
    expect(now()).toBeGreaterThan(100);
    expect(now()).toBeLessThan(150);
    expect(counts.disposed).toBe(1);
  });

  it('does not count slow first steps, nor a stretch that was disturbed', () => {
    const { world, now } = clocked((step) => (step < 40 ? 1 : step === 100 ? 30 : 0.25));
    expect(measureProbe(world, now)).toBeCloseTo(0.25, 6);
  });

  it('ends soon on the slowest machine', () => {
    const { world, counts, now } = clocked(() => 20);
    expect(measureProbe(world, now)).toBeCloseTo(20, 6);
    expect(counts.steps).toBeLessThan(20);
  });

  it('is not far off by a clock that moves by a millisecond', () => {
    const { world, now } = clocked(() => 0.25);
    expect(Math.abs(measureProbe(world, () => Math.floor(now())) / 0.25 - 1)).toBeLessThan(0.1);
  });

  it('steps a world whose bodies touch at once and stay awake', async () => {
    const world = (await probeWorld(createWorld)) as Awaited<ReturnType<typeof createWorld>>;
    world.step();
    const first = world.profile.contactCount;
    for (let i = 0; i < 200; i++) world.step();
    expect(first).toBeGreaterThan(1000);
    expect(world.profile.contactCount / first).toBeCloseTo(1, 0);
    expect(world.sleepingCount).toBe(0);
    world.dispose();
  });
});

describe('keeping', () => {
  const store = (text: string | null = null) => {
    let kept = text;
    return {
      getItem: () => kept,
      setItem: (_: string, value: string) => {
        kept = value;
      },
    };
  };

  it('gives back what the same version has found', () => {
    const storage = store();
    expect(keptProbe('1.0.0', storage)).toBeNull();
    keepProbe('1.0.0', 0.3, storage);
    expect(keptProbe('1.0.0', storage)).toBe(0.3);
    expect(keptProbe('1.0.1', storage)).toBeNull();
  });

  it('takes what it cannot read for nothing, and needs no storage', () => {
    for (const text of ['', 'x', '3', '{"version":"1.0.0"}', '{"version":"1.0.0","ms":-1}', '{"version":"1.0.0","ms":"2"}x'])
      expect(keptProbe('1.0.0', store(text))).toBeNull();
    const refuse = () => {
      throw new Error('denied');
    };
    expect(keptProbe('1.0.0', { getItem: refuse })).toBeNull();
    expect(() => keepProbe('1.0.0', 1, { setItem: refuse })).not.toThrow();
  });
});

describe('what follows', () => {
  it('knows what every scene and size costs', () => {
    const fixed = ENTRIES.filter(({ adaptive }) => !adaptive).map(({ name }) => name);
    expect(Object.keys(SCENE_COSTS).toSorted()).toEqual(fixed.toSorted());
    for (const cost of Object.values(SCENE_COSTS)) expect(cost).toBeGreaterThan(0);
    expect(Object.keys(MEASURE_COSTS).map(Number)).toEqual([...VISITOR_SIZES]);
    expect(MEASURE_COSTS[250]!).toBeLessThan(MEASURE_COSTS[1000]!);
    expect(MEASURE_COSTS[1000]!).toBeLessThan(MEASURE_COSTS[4000]!);
  });

  it('opens with smaller piles on slower machines, never with one that is marked as slow while a smaller one is not', () => {
    const seen: string[] = [];
    let last = Infinity;
    for (let ms = 0.005; ms < 10; ms *= 1.1) {
      const { scene, count } = openingScene(ms, false);
      const boxes = count || { boxes: 5160, 'boxes-small': 1000 }[scene as 'boxes'];
      expect(boxes).toBeLessThanOrEqual(last);
      if (count === 0) expect(isSlow(scene, ms)).toBe(false);
      last = boxes;
      if (seen.at(-1) !== `${scene} ${count}`) seen.push(`${scene} ${count}`);
    }
    expect(seen).toEqual(['boxes 0', 'boxes 2500', 'boxes-small 0', 'boxes-small 500', 'boxes-small 200']);
  });

  it('keeps the large pile from narrow screens', () => {
    expect(openingScene(0.005, true)).toEqual({ scene: 'boxes-small', count: 0 });
  });

  it('marks scenes by their cost, and none that fits itself to the machine', () => {
    expect(isSlow('slabs', 0.2)).toBe(false);
    expect(isSlow('boxes', 0.2)).toBe(true);
    expect(isSlow('boxes', 0.005)).toBe(false);
    expect(stepMs('many', 100)).toBe(0);
  });
});
