// Intervals from few seeds, and what they decide: for the laboratory and for programs of the bench that compare over seeds.
//
// Energies and speeds of settled piles spread over a factor of ten and more between seeds, and their logarithms are close to normal. Two
// methods are therefore compared seed by seed through the ratio of their results: the geometric mean of the ratios with Student's interval
// of the mean of their logarithms (Student 1908; Fleming and Wallace 1986 on why the mean of ratios is geometric). Where a run flew apart
// the ratio is infinite or zero, and the interval is that of the median by order statistics, which assumes nothing but independent seeds
// (Conover, Practical Nonparametric Statistics, chapter 3). Shares of seeds have the exact interval of Clopper and Pearson (1934).
import { median } from './stats.mjs';

/** No verdict on a row that depends on chance comes from fewer seeds. */
export const LEAST_SEEDS = 12;

/** ln Gamma(x) for x > 0 (Lanczos, g = 7, nine terms). */
function logGamma(x) {
  const c = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  let sum = c[0];
  for (let i = 1; i < c.length; i++) sum += c[i] / (x - 1 + i);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Regularized incomplete beta function I_x(a, b), by its continued fraction (modified Lentz). */
export function incompleteBeta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const tiny = 1e-300;
  const safe = (value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let f = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    f *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    f *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * f;
}

/** The x in [low, high] at which a rising function passes 0, by halving. */
function root(rising, low, high) {
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Quantile of Student's t distribution: P(T < t) = p for p >= 0.5. */
export function studentQuantile(p, freedom) {
  const below = (t) => 1 - 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  return root((t) => below(t) - p, 0, 1e4);
}

/** P(X <= k) of a binomial distribution. */
export const binomialBelow = (k, n, p) => (k < 0 ? 0 : k >= n ? 1 : incompleteBeta(1 - p, n - k, k + 1));

/** Exact two-sided sign test: how probable it is that at least as uneven a split comes by chance. Ties are left out. */
export function signTest(wins, losses) {
  const n = wins + losses;
  return n === 0 ? 1 : Math.min(1, 2 * binomialBelow(Math.min(wins, losses), n, 0.5));
}

/** Exact 95 % interval of a share: `hits` of `n` seeds (Clopper and Pearson). */
export function shareInterval(hits, n, level = 0.95) {
  const tail = (1 - level) / 2;
  return {
    value: n === 0 ? Number.NaN : hits / n,
    low: hits === 0 ? 0 : root((p) => incompleteBeta(p, hits, n - hits + 1) - tail, 0, 1),
    high: hits === n ? 1 : root((p) => incompleteBeta(p, hits + 1, n - hits) - (1 - tail), 0, 1),
    n,
  };
}

/**
 * Median with the narrowest interval of two order statistics, one as far from below as the other from above, that covers the median of
 * the distribution with at least 95 %. Fewer than six values have no such interval: it is then -Infinity to Infinity. Values may be
 * infinite.
 */
export function medianInterval(values, level = 0.95) {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  let rank = -1;
  while (2 * binomialBelow(rank + 1, n, 0.5) <= 1 - level && rank + 1 < n - 1 - (rank + 1)) rank++;
  const value = n === 0 ? Number.NaN : median(values);
  if (rank < 0) return { value, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, n };
  return { value, low: sorted[rank], high: sorted[n - 1 - rank], n };
}

/** Mean and Student's interval of it, of numbers that are all finite; fewer than two have no interval. */
export function meanInterval(values, level = 0.95) {
  const n = values.length;
  const value = values.reduce((sum, x) => sum + x, 0) / n;
  if (n < 2) return { value, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, deviation: Number.NaN, n };
  const deviation = Math.sqrt(values.reduce((sum, x) => sum + (x - value) ** 2, 0) / (n - 1));
  const half = (studentQuantile(0.5 + level / 2, n - 1) * deviation) / Math.sqrt(n);
  return { value, low: value - half, high: value + half, deviation, n };
}

/** Logarithm of a / b; numbers that are no numbers count as infinite: the run flew apart. */
function logRatio(a, b) {
  const [x, y] = [a, b].map((v) => (Number.isNaN(v) ? Number.POSITIVE_INFINITY : v));
  if (x === y) return 0;
  return Math.log(x) - Math.log(y);
}

/**
 * Ratio a / b over paired seeds, with a 95 % interval: geometric mean and Student's interval of the logarithms, or the median and its
 * interval by order statistics if a ratio is not finite.
 * @param {number[]} a Result of each seed, not negative.
 * @param {number[]} b Result of the same seeds.
 * @returns {{ value: number, low: number, high: number, n: number, wins: number, p: number, deviation: number, by: 'logs' | 'ranks' }}
 *   `wins`: seeds with a < b; `p` of the sign test; `deviation` of the natural logarithms.
 */
export function pairedRatio(a, b, level = 0.95) {
  if (a.length !== b.length) throw new Error(`pairs need as many of each: ${a.length} and ${b.length}`);
  const logs = a.map((x, i) => logRatio(x, b[i]));
  const wins = logs.filter((x) => x < 0).length;
  const losses = logs.filter((x) => x > 0).length;
  const finite = logs.every(Number.isFinite);
  const { value, low, high, n, deviation = Number.NaN } = finite ? meanInterval(logs, level) : medianInterval(logs, level);
  const shared = { n, wins, p: signTest(wins, losses), deviation, by: finite ? 'logs' : 'ranks' };
  return { value: Math.exp(value), low: Math.exp(low), high: Math.exp(high), ...shared };
}

/**
 * About how many seeds would decide: with so many, a difference as large as the measured one is found at the 5 % level four times in
 * five (n = ((1.96 + 0.84) s / d)^2). Null if the measured difference is nothing, or without a spread to go by.
 * @param {number} difference Of the mean (of logarithms) from what it is compared with.
 * @param {number} deviation Standard deviation of one seed.
 */
export function seedsToDecide(difference, deviation) {
  if (!(Math.abs(difference) > 0) || !Number.isFinite(deviation)) return null;
  return Math.max(LEAST_SEEDS, Math.ceil(((1.96 + 0.8416) * deviation * (1 / Math.abs(difference))) ** 2));
}
