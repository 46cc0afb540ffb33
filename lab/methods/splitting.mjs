// Mass splitting by blocks (Tonge 2012, eq. 35-38; as printed eq. 16 and Algorithm 1): blocks of a body pair, or cells of many pairs.
import { bisect } from '../lib/orderings.mjs';
import { applyRow, rowSpeed } from '../lib/problem.mjs';
import { bounded, rowsOf } from './helpers.mjs';

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

/** Cell splitting with any cut: `cut` gives the cell of each link. Options are those of blockSplit. */
export const cutSplitting = (cut, options = {}) => blockSplit((p) => cut(p.links, p), options);

/** Cell splitting of any granularity. */
export const cellSplitting = (size, sweeps = 1) => cutSplitting((links) => bisect(links, size), { sweeps });

/** By their names in figures. */
export const splittingMethods = {
  'pair splitting': blockSplit(pairCells, { sorted: true }),
  'pair splitting, as printed': blockSplit(pairCells, { sorted: true, printed: true }),
  'cells of 16': blockSplit((p) => bisect(p.links, 16)),
  'cells of 64': blockSplit((p) => bisect(p.links, 64)),
  'cells of 128': blockSplit((p) => bisect(p.links, 128)),
  'cells of 128, 2 sweeps': blockSplit((p) => bisect(p.links, 128), { sweeps: 2 }),
};
