// Statistics of the profiling runs: order statistics of the milliseconds of steps, power laws through scaling curves, and
// the size from which one curve stays below another. Pure functions.

/** Order statistics of a sample. Times in ms. */
export interface Summary {
  count: number;
  median: number;
  /** Bounds of the median at 95 % confidence, by order statistics (binomial). Steps follow each other, so they are a guide. */
  low: number;
  high: number;
  p95: number;
  min: number;
  max: number;
  mean: number;
}

/** Value below which the share `q` (0..1) of an ascending sample lies, interpolated between its elements; NaN for none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = Math.min(Math.max(q, 0), 1) * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}

/** Median, 95th percentile and the rest of a sample; values that are not finite are left out. */
export function summarize(values: ArrayLike<number>): Summary {
  const sorted = Float64Array.from(Array.from(values).filter(Number.isFinite)).sort();
  const n = sorted.length;
  if (n === 0) {
    const none = Number.NaN;
    return { count: 0, median: none, low: none, high: none, p95: none, min: none, max: none, mean: none };
  }
  const spread = 0.98 * Math.sqrt(n);
  return {
    count: n,
    median: quantile(sorted, 0.5),
    low: sorted[Math.max(0, Math.floor((n - 1) / 2 - spread))]!,
    high: sorted[Math.min(n - 1, Math.ceil((n - 1) / 2 + spread))]!,
    p95: quantile(sorted, 0.95),
    min: sorted[0]!,
    max: sorted[n - 1]!,
    mean: sorted.reduce((sum, value) => sum + value, 0) / n,
  };
}

/** y = factor * x ^ slope. */
export interface PowerLaw {
  /** 1: twice the bodies, twice the time. */
  slope: number;
  factor: number;
  /** Share of the variance of log y that the law explains, 0..1. */
  r2: number;
  points: number;
}

/** Least squares through (log x, log y); null with fewer than three points of different x. */
export function fitPowerLaw(points: readonly (readonly [number, number])[]): PowerLaw | null {
  const logs = points.filter(([x, y]) => x > 0 && y > 0 && x * y < Infinity).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  if (new Set(logs.map(([x]) => x)).size < 3) return null;
  const n = logs.length;
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / n;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const [x, y] of logs) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  const slope = xy / xx;
  const r2 = yy === 0 ? 1 : Math.min(1, (xy * xy) / (xx * yy));
  return { slope, factor: Math.exp(meanY - slope * meanX), r2, points: n };
}

/** From which size a challenger is faster than a holder. */
export type Crossover =
  /** Faster from `size` on; the sizes next to it were measured, `size` lies between them on straight lines in log-log. */
  | { kind: 'at'; size: number; between: readonly [number, number] }
  /** Faster at every measured size. */
  | { kind: 'always' }
  /** Slower at the largest measured size, by `ratio`; `guess` is where the power laws meet, if within ten times that size. */
  | { kind: 'never'; ratio: number; guess: number | null }
  /** No size at which both were measured. */
  | { kind: 'unknown' };

/** How far beyond the largest measured size the power laws are followed. */
const REACH = 10;

/** Points are [size, ms]; those at sizes that only one of them has are not looked at. */
export function findCrossover(
  holder: readonly (readonly [number, number])[],
  challenger: readonly (readonly [number, number])[],
): Crossover {
  const theirs = new Map(challenger);
  const pairs = holder
    .filter(([size, ms]) => ms > 0 && (theirs.get(size) ?? 0) > 0)
    .map(([size, ms]) => ({ size, ratio: theirs.get(size)! / ms, ms, other: theirs.get(size)! }))
    .sort((a, b) => a.size - b.size);
  const last = pairs.at(-1);
  if (last === undefined) return { kind: 'unknown' };
  if (last.ratio >= 1) {
    const a = fitPowerLaw(pairs.map((p) => [p.size, p.ms]));
    const b = fitPowerLaw(pairs.map((p) => [p.size, p.other]));
    let guess: number | null = null;
    if (a && b && b.slope < a.slope) {
      const size = Math.exp(Math.log(b.factor / a.factor) / (a.slope - b.slope));
      if (size > last.size && size <= REACH * last.size) guess = size;
    }
    return { kind: 'never', ratio: last.ratio, guess };
  }
  // The last size at which it loses: it wins at all larger ones, so one lucky point in between does not count.
  const lost = pairs.findLastIndex((p) => p.ratio >= 1);
  if (lost < 0) return { kind: 'always' };
  const below = pairs[lost]!;
  const above = pairs[lost + 1]!;
  const t = Math.log(below.ratio) / (Math.log(below.ratio) - Math.log(above.ratio));
  const size = Math.exp(Math.log(below.size) + t * (Math.log(above.size) - Math.log(below.size)));
  return { kind: 'at', size, between: [below.size, above.size] };
}
