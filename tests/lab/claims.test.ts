// Intervals from few seeds against values from tables, and verdicts: none on chance from fewer than twelve seeds.
import { describe, expect, it } from 'vitest';
import {
  binomialBelow,
  LEAST_SEEDS,
  meanInterval,
  medianInterval,
  pairedRatio,
  seedsToDecide,
  shareInterval,
  signTest,
  studentQuantile,
} from '../../bench/lib/intervals.mjs';
import { median } from '../../bench/lib/stats.mjs';
import { checkClaims, countVerdicts, isAlike, isBetween, isCase, isLess, isMostly, isOpen } from '../../lab/lib/claims.mjs';

const spread = (n: number, f: (i: number) => number) => Array.from({ length: n }, (_, i) => f(i));

describe('statistics', () => {
  it('the median of an even count lies in the middle', () => {
    expect(median([1, 3])).toBe(2);
    expect(median([4, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 2])).toBe(Number.POSITIVE_INFINITY);
    expect(median([])).toBe(0);
  });

  it('Student quantiles as in tables', () => {
    for (const [freedom, t] of [
      [1, 12.706],
      [5, 2.571],
      [11, 2.201],
      [29, 2.045],
      [1000, 1.962],
    ])
      expect(studentQuantile(0.975, freedom)).toBeCloseTo(t, 3);
  });

  it('binomial sums, the sign test, and shares', () => {
    expect(binomialBelow(2, 5, 0.5)).toBeCloseTo(0.5, 12);
    expect(binomialBelow(0, 10, 0.5)).toBeCloseTo(2 ** -10, 12);
    expect(signTest(5, 1)).toBeCloseTo(14 / 64, 10);
    expect(signTest(12, 0)).toBeCloseTo(2 * 2 ** -12, 10);
    expect(signTest(0, 0)).toBe(1);
    // Clopper and Pearson: 0 of 10 has 0 to 1 - 0.025^(1/10); 3 of 10 has 0.0667 to 0.6525.
    expect(shareInterval(0, 10).high).toBeCloseTo(1 - 0.025 ** 0.1, 8);
    expect(shareInterval(3, 10)).toMatchObject({ low: expect.closeTo(0.0667, 4), high: expect.closeTo(0.6525, 4) });
  });

  it('the interval of a median: third from either end of twelve, none of five', () => {
    expect(medianInterval(spread(12, (i) => i + 1))).toEqual({ value: 6.5, low: 3, high: 10, n: 12 });
    expect(medianInterval(spread(6, (i) => i + 1))).toMatchObject({ low: 1, high: 6 });
    expect(medianInterval(spread(30, (i) => i + 1))).toMatchObject({ low: 10, high: 21 });
    expect(medianInterval([1, 2, 3, 4, 5])).toMatchObject({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
  });

  it('the interval of a mean, and ratios of pairs by logarithms', () => {
    // Student's own sleep data: mean 1.58, standard deviation 1.23, 95 % from 0.70 to 2.46.
    const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];
    expect(meanInterval(sleep)).toMatchObject({
      value: expect.closeTo(1.58, 6),
      low: expect.closeTo(0.7, 3),
      high: expect.closeTo(2.46, 3),
    });
    const r = pairedRatio([2, 8, 4], [1, 2, 2]);
    expect(r).toMatchObject({ value: expect.closeTo(16 ** (1 / 3), 9), n: 3, wins: 0, by: 'logs' });
    expect(r.low).toBeLessThan(r.value);
    expect(pairedRatio([1, 1], [1, 1]).value).toBe(1);
  });

  it('a run that flew apart does not spoil the rest: ranks instead of logarithms', () => {
    const a = [...spread(12, (i) => 1 + i / 100), Number.NaN];
    const r = pairedRatio(
      a,
      a.map(() => 2),
    );
    expect(r.by).toBe('ranks');
    expect(r.high).toBeLessThan(1);
    expect(r.wins).toBe(12);
  });

  it('covers the truth 95 times in a hundred', () => {
    // A small generator (mulberry32), so that the test is the same in every run.
    let state = 5;
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let logs = 0;
    let ranks = 0;
    const tries = 2000;
    for (let k = 0; k < tries; k++) {
      const values = spread(12, () => Math.exp(1.5 * normal()));
      const ratio = pairedRatio(
        values,
        values.map(() => 1),
      );
      if (ratio.low < 1 && ratio.high > 1) logs++;
      const middle = medianInterval(values);
      if (middle.low < 1 && middle.high > 1) ranks++;
    }
    expect(logs / tries).toBeCloseTo(0.95, 1);
    expect(ranks / tries).toBeGreaterThan(0.94);
  });

  it('seeds that would decide: a factor of two at the spread of a card house', () => {
    // Standard deviation 0.7 of the decadic logarithm.
    expect(seedsToDecide(Math.log(2), 0.7 * Math.LN10)).toBe(43);
    expect(seedsToDecide(0, 1)).toBeNull();
    expect(seedsToDecide(10, 1)).toBe(LEAST_SEEDS);
  });
});

describe('verdicts', () => {
  const calm = (n: number) => spread(n, (i) => 1 + 0.1 * Math.sin(i));
  const row = { claim: 'a is calmer than b', paper: 'less' };

  it('three answers from twelve seeds on, and only one from fewer', () => {
    const b = (n: number, factor: number) => calm(n).map((x, i) => factor * x * (1 + 0.3 * Math.sin(7 * i)));
    expect(isLess({ ...row, a: calm(12), b: b(12, 3) }).verdict).toBe('agrees');
    expect(isLess({ ...row, a: calm(12), b: b(12, 0.3) }).verdict).toBe('contradicts');
    const open = isLess({ ...row, a: calm(12), b: b(12, 1.05) });
    expect(open).toMatchObject({ verdict: 'undecided', n: 12, chance: true });
    expect(open.needed).toBeGreaterThan(12);
    expect(isLess({ ...row, paper: '-', a: calm(12), b: b(12, 3) }).verdict).toBe('measured');
    for (const n of [2, 3, 11]) {
      expect(isLess({ ...row, a: calm(n), b: b(n, 100) })).toMatchObject({
        verdict: 'undecided',
        why: `only ${n} of at least 12 seeds`,
      });
      expect(isAlike({ ...row, a: calm(n), b: calm(n), within: 2 }).verdict).toBe('undecided');
      expect(isBetween({ ...row, values: calm(n), low: 0, high: 2 }).verdict).toBe('undecided');
      expect(isMostly({ ...row, hits: n, n }).verdict).toBe('undecided');
    }
  });

  it('one run decides nothing and is only measured', () => {
    const measured = { verdict: 'measured', why: 'one run, which decides nothing' };
    expect(isLess({ ...row, a: calm(1), b: calm(1).map((x) => 100 * x) })).toMatchObject(measured);
    expect(isBetween({ ...row, values: calm(1), low: 0, high: 2 })).toMatchObject(measured);
    expect(isMostly({ ...row, hits: 1, n: 1 })).toMatchObject(measured);
  });

  it('the six seeds of the card house decide nothing, as thirty of the same would', () => {
    const ratios = [0.17, 0.9, 0.2, 2.7, 0.5, 1.4];
    const pair = (times: number) => {
      const a = Array.from({ length: times }, () => ratios).flat();
      return isLess({ ...row, a, b: a.map(() => 1) });
    };
    expect(pair(1).verdict).toBe('undecided');
    expect(pair(5).verdict).toBe('agrees');
  });

  it('alike, between, mostly', () => {
    expect(isAlike({ ...row, a: calm(12), b: calm(12), within: 2 }).verdict).toBe('agrees');
    expect(isAlike({ ...row, a: calm(12), b: calm(12).map((x) => 9 * x), within: 2 }).verdict).toBe('contradicts');
    expect(isBetween({ ...row, values: calm(12), low: 0.5, high: 1.5 }).verdict).toBe('agrees');
    expect(isBetween({ ...row, values: calm(12), low: 2 }).verdict).toBe('contradicts');
    expect(isBetween({ ...row, values: calm(12), low: 1 }).verdict).toBe('undecided');
    expect(isBetween({ ...row, values: calm(3) }).verdict).toBe('measured');
    expect(isMostly({ ...row, hits: 12, n: 12 }).verdict).toBe('agrees');
    expect(isMostly({ ...row, hits: 7, n: 12 }).verdict).toBe('undecided');
    expect(isMostly({ ...row, hits: 0, n: 12 }).verdict).toBe('contradicts');
  });

  it('what is not random is one case, and what a machine lacks stays open', () => {
    expect(isCase({ ...row, ours: 3, holds: false })).toMatchObject({
      verdict: 'contradicts',
      n: 1,
      chance: false,
      interval: null,
    });
    expect(isCase({ ...row, ours: 3 }).verdict).toBe('measured');
    expect(isOpen({ ...row, why: 'no GPU' }).verdict).toBe('undecided');
  });

  it('a section with a verdict from too few seeds, or without one, is not written', () => {
    const good = isLess({ ...row, a: calm(3), b: calm(3) });
    checkClaims([good, isCase({ ...row, ours: 1, holds: true })], 'x');
    expect(() => checkClaims([{ ...good, verdict: 'agrees' }], 'x')).toThrow('3 of at least 12 seeds');
    expect(() => checkClaims([{ ...good, verdict: undefined }], 'x')).toThrow('has no verdict');
    expect(() => checkClaims([{ ...good, interval: null }], 'x')).toThrow('no interval');
    expect(() => checkClaims([], 'x')).toThrow('at least one row');
    expect(countVerdicts([good, good, isCase({ ...row, ours: 1, holds: true })])).toBe('1 agrees, 2 undecided');
  });
});
