// Softness of joints against an implicit spring, rows of a swing against differences of its angle, bounds of single rows: in double
// precision.
import { expect, it } from 'vitest';
import { Manifold, SOLVER_PGS } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { coreMemory } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';
import { multiply, rotationOf, scale, turned, unit } from '../../helpers/vectors';

const { core, floats, room, readFloats } = coreMemory();
const random = seeded(31);
const some = (count: number) => Array.from({ length: count }, () => Math.fround(2 * random() - 1));

it('a soft row of a joint does what a damped spring does that is advanced implicitly', () => {
  for (const [h, soft] of [
    [1 / 240, 1 / 240],
    [1 / 600, 1 / 200],
    [1 / 90, 1 / 720],
  ] as const) {
    const omega = (2 * Math.PI * 0.25) / soft;
    expect(core.jointOmega(soft) / omega).toBeCloseTo(1, 6);
    const rate = core.jointRate(h, omega);
    const firmness = core.jointFirmness(h, omega);
    for (let k = 0; k < 5; k++) {
      const [x, v] = some(2) as [number, number];
      // v1 = v - h (omega^2 (x + h v1) + 2 zeta omega v1), zeta = 2.
      const spring = (v - h * omega ** 2 * x) / (1 + h * omega * (4 + h * omega));
      const row = v - (firmness / (1 + firmness)) * (v + rate * x);
      expect(Math.abs(row - spring)).toBeLessThan(1e-5 * (1 + rate));
    }
  }
});

it('an error of a joint is taken out by its rate, but at no more than 10 m/s', () => {
  for (const rate of [3, 40, 900]) {
    for (const error of [0, 1e-3, 0.04, 0.3, 5, 200]) {
      const capped = core.testCappedRate(rate, error * error);
      expect(capped / (error === 0 ? rate : Math.min(rate, 10 / error))).toBeCloseTo(1, 5);
    }
  }
});

it('an angle is regular away from a swing of half a turn', () => {
  for (const sum of [2, 1, 0.101]) expect(core.testIsRegular(sum)).toBe(1);
  for (const sum of [0.099, 0.01, 0, -1e-6]) expect(core.testIsRegular(sum)).toBe(0);
});

it('rows of a swing have the speed of the swing vector', () => {
  const vectorOf = (q: readonly number[]) => {
    const z = turned(q, [0, 0, 1]);
    const sine = Math.hypot(z[0]!, z[1]!);
    return scale([-z[1]!, z[0]!], Math.atan2(sine, z[2]!) / sine);
  };
  for (let k = 0; k < 12; k++) {
    const q = unit([...some(2), 0.4 * random(), 0.5 + random()]).map(Math.fround);
    const w = some(3);
    const d = 1e-5;
    const [ahead, behind] = [d, -d].map((t) => vectorOf(multiply(rotationOf(scale(w, t)), unit(q)))) as [number[], number[]];
    const out = room(32);
    core.testSwingRows(floats(q), out);
    const rows = readFloats(out, 8);
    for (const i of [0, 1]) {
      const speed = [0, 1, 2].reduce((sum, n) => sum + rows[4 * i + n]! * w[n]!, 0);
      expect(Math.abs(speed - (ahead[i]! - behind[i]!) / (2 * d))).toBeLessThan(1e-4);
    }
  }
});

it('a face is unsettled where a sweep changed an impulse by more than a millionth', () => {
  for (let lane = 0; lane < 4; lane++) {
    const old = [0, 3, 0.5, 40];
    const by = (share: number, from = old[lane]!) => {
      const z = [...old];
      z[lane] = from + share * Math.max(from, 1);
      return core.testIsUnsettled(floats(z), floats(old));
    };
    expect(core.testIsUnsettled(floats(old), floats(old))).toBe(0);
    expect(by(1e-4)).toBe(1);
    if (old[lane]! > 1) expect(by(-1e-4)).toBe(1);
    if (old[lane]! > 1) expect(by(5e-7)).toBe(0);
  }
});

it('a row is barred where less than a share of the inverse masses of all sub-bodies is left to move', () => {
  const world = new BoxWorld();
  world.core.setSolver(SOLVER_PGS);
  world.box([0, 0, 0], [0.5, 0.3, 0.4], { density: 100 });
  world.box([0.1, 0.599, 0], [0.4, 0.3, 0.2], { density: 700 });
  world.step();
  expect(new Uint32Array(world.memory.buffer)[(world.core.manifoldAt(0) + Manifold.count) >>> 2]).toBeGreaterThan(0);
  const [a, b] = [1 / (100 * 8 * 0.5 * 0.3 * 0.4), 1 / (700 * 8 * 0.4 * 0.3 * 0.2)];
  const share = (kA: number, kB: number) => {
    // The bound, found by halves.
    let [low, high] = [0, kA * a + kB * b];
    for (let i = 0; i < 60; i++) {
      const k = (low + high) / 2;
      if (world.core.testIsBarred(0, k, kA, kB)) low = k;
      else high = k;
    }
    return high / (kA * a + kB * b);
  };
  const whole = share(1, 1);
  expect(whole).toBeGreaterThan(0);
  expect(whole).toBeLessThan(1e-2);
  for (const [kA, kB] of [
    [1, 7],
    [5, 1],
    [2, 3],
  ] as const)
    expect(share(kA, kB) / whole).toBeCloseTo(1, 4);
});
