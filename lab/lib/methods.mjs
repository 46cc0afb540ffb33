// The iterations of Tonge 2012 as printed, in double precision on a problem of problem.mjs: one iteration is a pass over the
// normals and one over the friction rows with the bounds that follow (staggered friction, as in all of the paper's graphs).
// `syncs` counts global synchronizations per iteration on a parallel machine, sequential PGS as one.
import { accelerated } from './momentum.mjs';
import { bisect, cellLike, geometricColors, histogram, permutation } from './orderings.mjs';
import { applyRow, rowSpeed } from './problem.mjs';

/** New impulse of a row, boxed (eq. 39). */
function bounded(p, z, row, value) {
  if (row < p.points) return Math.max(0, value);
  const most = p.friction * z[(row - p.points) >> 1];
  return Math.max(-most, Math.min(most, value));
}

const allLinks = (p) => Int32Array.from(p.links, (_, l) => l);

/** Rows of a stage (0 normals, 1 friction) in the order of a list of links. */
function rowsOf(p, links, stage) {
  const rows = [];
  for (const l of links) {
    for (const i of p.links[l].points) {
      if (stage === 0) rows.push(i);
      else rows.push(p.points + 2 * i, p.points + 2 * i + 1);
    }
  }
  return Int32Array.from(rows);
}

/** Gauss-Seidel over links in an order (eq. 14). */
function gaussSeidel(order, syncs) {
  return (p) => {
    const links = order(p);
    const stages = [0, 1].map((stage) => rowsOf(p, links, stage));
    return {
      syncs: syncs(p),
      iterate(v, z) {
        for (const rows of stages) {
          for (const row of rows) {
            const dz = bounded(p, z, row, z[row] - (rowSpeed(p, row, v) + p.bias[row]) / (p.kA[row] + p.kB[row])) - z[row];
            z[row] += dz;
            applyRow(p, row, v, dz);
          }
        }
      },
    };
  };
}

function byColor(p) {
  const colors = geometricColors(p.links);
  return allLinks(p).sort((x, y) => colors[x] - colors[y] || x - y);
}

/** Contacts on each body: what eq. 12 and 15 divide by. */
function contactCounts(p) {
  const n = new Float64Array(p.bodies);
  for (let i = 0; i < p.points; i++) for (const b of [p.a[i], p.b[i]]) if (b >= 0) n[b]++;
  return n;
}

/** All rows at once; `step` answers the impulse changes of a stage, `spread` how they reach the bodies. */
function simultaneous(make, syncs = 1) {
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

const full = (p) => (row) => 1 / (p.kA[row] + p.kB[row]);

/** alpha of eq. 10, no farther than the bounds allow. */
function lineSearch(p) {
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
    let alpha = Math.max(0, -slope / curvature);
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

/**
 * Block splitting (eq. 35-38): cells work on sub-bodies of mass m / k, the body is their mean. `printed` updates velocities in a
 * cell with the whole mass, as eq. 16 and Algorithm 1 say; `sorted` blocks solve their contacts in one order however links are
 * numbered. `weigh` gives shares that are not even: it returns the weight of a body in a cell, from the normal rows on the body in that
 * cell and their current impulses. It is called again before every pass. A part `even` of each share stays even.
 */
function blockSplit(partition, { sweeps = 1, printed = false, sorted = false, weigh = null, even = 0 } = {}) {
  return (p) => {
    const cellOf = partition(p);
    const cells = [];
    p.links.forEach((_, l) => {
      cells[cellOf[l]] ??= [];
      cells[cellOf[l]].push(l);
    });
    const list = cells.filter(Boolean);
    if (sorted) for (const links of list) links.sort((x, y) => p.links[x].points[0] - p.links[y].points[0]);
    const parts = new Float64Array(p.bodies);
    const members = list.map((links) => {
      const set = new Set(links.flatMap((l) => [p.links[l].a, p.links[l].b]).filter((b) => b >= 0));
      for (const b of set) parts[b]++;
      return Int32Array.from(set);
    });
    const stages = [0, 1].map((stage) => list.map((links) => rowsOf(p, links, stage)));
    const shares = members.map((set) => Float64Array.from(set, (b) => 1 / parts[b]));
    const touching = weigh && members.map((set, c) => rowsOfBodies(p, set, stages[0][c]));
    const factor = new Float64Array(p.bodies); // 1 / share, in the cell at work
    const total = new Float64Array(p.bodies);
    const u = new Float64Array(6 * p.bodies);
    const sum = new Float64Array(6 * p.bodies);
    return {
      syncs: 2,
      cells: list.length,
      parts,
      iterate(v, z) {
        for (const blocks of stages) {
          sum.fill(0);
          if (weigh) {
            total.fill(0);
            members.forEach((set, c) => {
              set.forEach((b, i) => {
                shares[c][i] = weigh(p, b, touching[c][i], z);
                total[b] += shares[c][i];
              });
            });
            members.forEach((set, c) => {
              set.forEach((b, i) => {
                const part = 1 / parts[b];
                shares[c][i] = total[b] > 0 ? even * part + ((1 - even) * shares[c][i]) / total[b] : part;
              });
            });
          }
          blocks.forEach((rows, c) => {
            members[c].forEach((b, i) => {
              factor[b] = 1 / shares[c][i];
              for (let k = 6 * b; k < 6 * b + 6; k++) u[k] = v[k];
            });
            for (let s = 0; s < sweeps; s++) {
              for (const row of rows) {
                const a = p.a[row] >= 0 ? factor[p.a[row]] : 0;
                const b = p.b[row] >= 0 ? factor[p.b[row]] : 0;
                const goal = z[row] - (rowSpeed(p, row, u) + p.bias[row]) / (a * p.kA[row] + b * p.kB[row]);
                const dz = bounded(p, z, row, goal) - z[row];
                z[row] += dz;
                if (printed) applyRow(p, row, u, dz);
                else applyRow(p, row, u, dz, a, b);
                if (printed) applyRow(p, row, sum, dz);
              }
            }
            if (printed) return;
            members[c].forEach((b, i) => {
              for (let k = 6 * b; k < 6 * b + 6; k++) sum[k] += (u[k] - v[k]) * shares[c][i];
            });
          });
          for (let k = 0; k < sum.length; k++) v[k] += sum[k];
        }
      },
    };
  };
}

/** Of each body the rows of a list that act on it. */
function rowsOfBodies(p, bodies, rows) {
  const lists = new Map(Array.from(bodies, (b) => [b, []]));
  for (const row of rows) for (const b of [p.a[row], p.b[row]]) lists.get(b)?.push(row);
  return Array.from(bodies, (b) => lists.get(b));
}

/** A block a pair of bodies, which may have several manifolds. */
function pairCells(p) {
  const cells = new Map();
  return Int32Array.from(p.links, ({ slotA, slotB }) => {
    const key = `${Math.min(slotA, slotB)},${Math.max(slotA, slotB)}`;
    if (!cells.has(key)) cells.set(key, cells.size);
    return cells.get(key);
  });
}

const PLAIN = {
  PGS: gaussSeidel(allLinks, () => 2),
  'PGS, shuffled': gaussSeidel(
    (p) => permutation(p.links.length, 7),
    () => 2,
  ),
  'PGS, colored': gaussSeidel(byColor, (p) => 2 * histogram(geometricColors(p.links)).length),
  'PGS, cell-like 64': gaussSeidel(
    (p) => Int32Array.from(cellLike(p.links, 64).flat(2)),
    (p) => 2 * cellLike(p.links, 64).length,
  ),
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
  'pair splitting': blockSplit(pairCells, { sorted: true }),
  'pair splitting, as printed': blockSplit(pairCells, { sorted: true, printed: true }),
  'cells of 16': blockSplit((p) => bisect(p.links, 16)),
  'cells of 64': blockSplit((p) => bisect(p.links, 64)),
  'cells of 128': blockSplit((p) => bisect(p.links, 128)),
  'cells of 128, 2 sweeps': blockSplit((p) => bisect(p.links, 128), { sweeps: 2 }),
};

/** All methods by name: what the figures call them, and how to make one for a problem. */
export const METHODS = {
  ...PLAIN,
  'PGS, accelerated': accelerated(PLAIN.PGS, { restart: 'objective' }),
  'scalar splitting, accelerated': accelerated(PLAIN['scalar splitting']),
  'pair splitting, accelerated': accelerated(PLAIN['pair splitting'], { restart: 'objective' }),
  'cells of 128, accelerated': accelerated(PLAIN['cells of 128'], { restart: 'objective' }),
  'Jacobi, spectral, accelerated': accelerated(
    simultaneous((p) => {
      // Half of the step that converges by itself.
      const omega = [0, 1].map((stage) => 0.95 / spectralRadius(p, stage));
      const scale = full(p);
      return { scale: (row, stage) => Math.min(1, omega[stage]) * scale(row) };
    }),
  ),
};

/** Cell splitting with any cut: `cut` gives the cell of each link. Options are those of blockSplit. */
export const cutSplitting = (cut, options = {}) => blockSplit((p) => cut(p.links, p), options);

/** Cell splitting of any granularity. */
export const cellSplitting = (size, sweeps = 1) => cutSplitting((links) => bisect(links, size), { sweeps });

/** Velocities after `iterations` from rest impulses, and a measure after each; no more of them once `until` holds of a measure. */
export function iterate(p, method, iterations, measure, until = () => false) {
  const { iterate: once, syncs, ...rest } = method(p);
  const v = Float64Array.from(p.v0);
  const z = new Float64Array(p.rows);
  const values = [measure(v, z)];
  for (let i = 0; i < iterations && !until(values.at(-1), values[0]); i++) {
    once(v, z);
    values.push(measure(v, z));
  }
  return { values, syncs, v, z, ...rest };
}
