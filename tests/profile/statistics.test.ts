// Statistics of the profiling runs against closed forms.
import { describe, expect, it } from 'vitest';
import { findCrossover, fitPowerLaw, quantile, summarize } from '../../profiling/statistics';

const law = (factor: number, slope: number, sizes: number[]) => sizes.map((n): [number, number] => [n, factor * n ** slope]);

describe('order statistics', () => {
  it('interpolates quantiles', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.5)).toBe(30);
    expect(quantile([10, 20], 0.25)).toBe(12.5);
    expect(quantile([7], 0.95)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('summarizes 1..100', () => {
    const s = summarize(Array.from({ length: 100 }, (_, i) => 100 - i));
    expect(s).toMatchObject({ count: 100, median: 50.5, min: 1, max: 100, mean: 50.5 });
    expect(s.p95).toBeCloseTo(95.05, 10);
    // Binomial: ranks 50.5 -+ 9.8 hold the median with 95 %.
    expect(s.low).toBe(40);
    expect(s.high).toBe(61);
  });

  it('leaves out what is not finite and says so when nothing is left', () => {
    expect(summarize([Number.NaN, 3, Infinity]).count).toBe(1);
    expect(summarize([Number.NaN]).count).toBe(0);
    expect(summarize([]).median).toBeNaN();
  });

  it('is not moved by outliers', () => {
    expect(summarize([1, 1, 1, 1, 1, 1, 1, 1, 1000]).median).toBe(1);
  });
});

describe('power law', () => {
  it('finds an exact law', () => {
    const fit = fitPowerLaw(law(0.002, 1.25, [1000, 2000, 5000, 100_000]))!;
    expect(fit.slope).toBeCloseTo(1.25, 10);
    expect(fit.factor).toBeCloseTo(0.002, 10);
    expect(fit.r2).toBeCloseTo(1, 10);
    expect(fit.points).toBe(4);
  });

  it('averages scatter in the logarithm', () => {
    const fit = fitPowerLaw([
      [1, 2],
      [10, 5],
      [100, 200],
      [1000, 500],
    ])!;
    // Slope by hand: sum of dx dy / sum of dx2 over log10.
    const x = [0, 1, 2, 3];
    const y = [2, 5, 200, 500].map(Math.log10);
    const slope = x.reduce((s, v, i) => s + (v - 1.5) * y[i]!, 0) / 5;
    expect(fit.slope).toBeCloseTo(slope, 10);
    expect(fit.r2).toBeLessThan(1);
  });

  it('wants three sizes', () => {
    expect(fitPowerLaw(law(1, 1, [10, 20]))).toBeNull();
    expect(
      fitPowerLaw([
        [10, 1],
        [10, 2],
        [20, 3],
      ]),
    ).toBeNull();
    expect(
      fitPowerLaw([
        [10, 1],
        [20, 0],
        [40, 3],
      ]),
    ).toBeNull();
  });
});

describe('crossover', () => {
  const sizes = [1000, 2000, 5000, 10_000, 20_000];

  it('finds where two laws meet', () => {
    // 0.001 n and 0.1 n^0.5 meet at n = 10,000.
    const found = findCrossover(law(0.001, 1, [1000, 5000, 20_000]), law(0.1, 0.5, [1000, 5000, 20_000]));
    expect(found.kind).toBe('at');
    if (found.kind !== 'at') return;
    expect(found.size).toBeCloseTo(10_000, 5);
    expect(found.between).toEqual([5000, 20_000]);
  });

  it('tells always from never', () => {
    expect(findCrossover(law(0.002, 1, sizes), law(0.001, 1, sizes))).toEqual({ kind: 'always' });
    const never = findCrossover(law(0.001, 1, sizes), law(0.004, 1, sizes));
    expect(never).toMatchObject({ kind: 'never', guess: null });
    expect(never.kind === 'never' && never.ratio).toBeCloseTo(4, 10);
  });

  it('guesses only within ten times the largest size', () => {
    // They meet at 40,000 (10^4 * 4): measured up to 20,000.
    const near = findCrossover(law(0.001, 1, sizes), law(0.2, 0.5, sizes));
    expect(near.kind === 'never' && near.guess).toBeCloseTo(40_000, 3);
    const far = findCrossover(law(0.001, 1, sizes), law(1, 0.5, sizes));
    expect(far).toMatchObject({ kind: 'never', guess: null });
  });

  it('does not believe one lucky size', () => {
    const holder = law(0.001, 1, sizes);
    const challenger = holder.map(([n, ms], i): [number, number] => [n, ms * [2, 0.9, 1.5, 0.8, 0.5][i]!]);
    const found = findCrossover(holder, challenger);
    expect(found.kind === 'at' && found.between).toEqual([5000, 10_000]);
  });

  it('looks only at sizes that both have', () => {
    expect(findCrossover(law(1, 1, [10]), law(1, 1, [20]))).toEqual({ kind: 'unknown' });
    expect(findCrossover(law(1, 1, [10, 20]), law(0.5, 1, [20, 40]))).toEqual({ kind: 'always' });
  });
});
