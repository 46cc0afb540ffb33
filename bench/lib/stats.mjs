// Order statistics of small arrays.

/** Value below which the share `q` (0..1) of the sorted values lies (nearest rank); 0 for none. */
export function quantile(values, q) {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** 0 for none. */
export const mean = (values) => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);

/** Middle value of the sorted values, the mean of the two middle ones of an even count; 0 for none. */
export function median(values) {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1 || sorted[middle] === sorted[middle - 1]) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Count, mean, 99th percentile and maximum. */
export function summary(values) {
  const total = values.reduce((s, v) => s + v, 0);
  return {
    count: values.length,
    mean: values.length ? total / values.length : 0,
    p99: quantile(values, 0.99),
    max: values.reduce((m, v) => Math.max(m, v), 0),
  };
}
