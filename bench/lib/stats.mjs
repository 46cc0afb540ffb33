// Order statistics of small arrays.

/** Value below which the share `q` (0..1) of the sorted values lies (nearest rank); 0 for none. */
export function quantile(values, q) {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** 0 for none. */
export const mean = (values) => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);

export const median = (values) => quantile(values, 0.5);

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
