// The Jacobi family (Tonge 2012, eq. 9 to 12 and 15): all rows of a stage see the same velocities.
import { applyRow, rowSpeed } from '../lib/problem.mjs';
import { allLinks, bounded, contactCounts, full, rowsOf } from './helpers.mjs';

/** All rows at once; `step` answers the impulse changes of a stage, `spread` how they reach the bodies. */
export function simultaneous(make, syncs = 1) {
  return (p) => {
    const tools = make(p);
    const stages = [0, 1].map((stage) => rowsOf(p, allLinks(p), stage));
    const change = new Float64Array(p.rows);
    return {
      syncs: syncs * 2,
      iterate(v, z) {
        stages.forEach((rows, stage) => {
          for (const row of rows) {
            const goal = z[row] - tools.scale(row, stage) * (rowSpeed(p, row, v) + p.bias[row]);
            change[row] = bounded(p, z, row, goal) - z[row];
          }
          const factor = tools.factor ? tools.factor(rows, change, v, z) : 1;
          for (const row of rows) {
            const dz = factor * change[row];
            z[row] += dz;
            applyRow(p, row, v, dz, tools.shareA?.(row) ?? 1, tools.shareB?.(row) ?? 1);
          }
        });
      },
    };
  };
}

/**
 * alpha of eq. 10: as printed the least of f along the line, wherever that is (`bounds` false), or no farther than the bounds of the
 * impulses allow, or than `most`.
 */
function lineSearch(p, { bounds = true, most: longest = Infinity } = {}) {
  const dv = new Float64Array(6 * p.bodies);
  return (rows, change, v, z) => {
    dv.fill(0);
    let slope = 0;
    for (const row of rows) {
      slope += change[row] * (rowSpeed(p, row, v) + p.bias[row]);
      applyRow(p, row, dv, change[row]);
    }
    let curvature = 0;
    for (const row of rows) curvature += change[row] * rowSpeed(p, row, dv);
    if (!(curvature > 0)) return 1;
    let alpha = Math.min(longest, Math.max(0, -slope / curvature));
    if (!bounds) return alpha;
    for (const row of rows) {
      const dz = change[row];
      if (dz === 0) continue;
      const most = row < p.points ? Infinity : p.friction * z[(row - p.points) >> 1];
      const room = dz > 0 ? most - z[row] : z[row] + (row < p.points ? 0 : most);
      alpha = Math.min(alpha, room / Math.abs(dz));
    }
    return alpha;
  };
}

/** Largest eigenvalue of D^-1 N on the rows of a stage: by power iteration, or bounded by the largest row sum of |D^-1 N|. */
export function spectralRadius(p, stage, bound = false) {
  const rows = rowsOf(p, allLinks(p), stage);
  const scale = full(p);
  if (bound) {
    // |N_ij| from both rows' levers; only rows that share a body count.
    const around = Array.from({ length: p.bodies }, () => []);
    for (const row of rows) for (const b of [p.a[row], p.b[row]]) if (b >= 0) around[b].push(row);
    const v = new Float64Array(6 * p.bodies);
    let most = 0;
    for (const row of rows) {
      applyRow(p, row, v, 1);
      let sum = 0;
      const seen = new Set();
      for (const b of [p.a[row], p.b[row]]) if (b >= 0) for (const other of around[b]) seen.add(other);
      for (const other of seen) sum += Math.abs(rowSpeed(p, other, v));
      most = Math.max(most, sum * scale(row));
      for (const b of [p.a[row], p.b[row]]) if (b >= 0) v.fill(0, 6 * b, 6 * b + 6);
    }
    return most;
  }
  const x = new Float64Array(p.rows);
  for (const row of rows) x[row] = 1 + 0.1 * Math.sin(row);
  let radius = 1;
  for (let k = 0; k < 60; k++) {
    const v = new Float64Array(6 * p.bodies);
    for (const row of rows) applyRow(p, row, v, x[row]);
    let norm = 0;
    for (const row of rows) {
      x[row] = rowSpeed(p, row, v) * scale(row);
      norm = Math.max(norm, Math.abs(x[row]));
    }
    if (norm === 0) return 1;
    for (const row of rows) x[row] /= norm;
    radius = norm;
  }
  return radius;
}

/** By their names in figures. */
export const jacobiMethods = {
  Jacobi: simultaneous((p) => ({ scale: full(p) })),
  'Jacobi, line search': simultaneous((p) => ({ scale: full(p), factor: lineSearch(p) }), 2),
  'Jacobi, spectral': simultaneous((p) => {
    const omega = [0, 1].map((stage) => 1.9 / spectralRadius(p, stage));
    const scale = full(p);
    return { scale: (row, stage) => Math.min(1, omega[stage]) * scale(row) };
  }),
  'Jacobi, 1-norm bound': simultaneous((p) => {
    const omega = [0, 1].map((stage) => 1.9 / spectralRadius(p, stage, true));
    const scale = full(p);
    return { scale: (row, stage) => Math.min(1, omega[stage]) * scale(row) };
  }),
  // Eq. 12 divides by the bodies in contact with a body: too little where a pair has several contacts.
  'Jacobi, averaged by bodies': simultaneous((p) => {
    const n = new Float64Array(p.bodies);
    for (const { a, b } of p.links) for (const body of [a, b]) if (body >= 0) n[body]++;
    const share = (b) => (b >= 0 ? 1 / n[b] : 0);
    return { scale: full(p), shareA: (row) => share(p.a[row]), shareB: (row) => share(p.b[row]) };
  }),
  'Jacobi, averaged': simultaneous((p) => {
    const n = contactCounts(p);
    const share = (b) => (b >= 0 ? 1 / n[b] : 0);
    return { scale: full(p), shareA: (row) => share(p.a[row]), shareB: (row) => share(p.b[row]) };
  }),
  'scalar splitting': simultaneous((p) => {
    const n = contactCounts(p);
    const of = (b) => (b >= 0 ? n[b] : 0);
    // Two tangents a contact: twice as many rows share the mass.
    return { scale: (row, stage) => 1 / ((stage + 1) * (of(p.a[row]) * p.kA[row] + of(p.b[row]) * p.kB[row])) };
  }),
};

/** Eq. 10 as printed, where z + alpha d may leave the bounds; and no step beyond that of Jacobi, as the engine searches. */
export const printedSearches = {
  'Jacobi, line search as printed': simultaneous((p) => ({ scale: full(p), factor: lineSearch(p, { bounds: false }) }), 2),
  'Jacobi, line search to 1': simultaneous((p) => ({ scale: full(p), factor: lineSearch(p, { bounds: false, most: 1 }) }), 2),
};
