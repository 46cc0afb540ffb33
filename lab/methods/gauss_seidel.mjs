// Projected Gauss-Seidel (Tonge 2012, eq. 14) in several orders of links, one of them colored, one cell-like (Tsuda 2009).
import { cellLike, geometricColors, histogram, permutation } from '../lib/orderings.mjs';
import { applyRow, rowSpeed } from '../lib/problem.mjs';
import { allLinks, bounded, rowsOf } from './helpers.mjs';

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

/** By their names in figures. */
export const gaussSeidelMethods = {
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
};
