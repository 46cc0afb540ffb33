// Rows, bounds and counts that the methods of the papers share, on a problem of lib/problem.mjs. Rows 0..points-1 are normals, the others
// tangents. One iteration is a pass over the normals and one over the tangents with the bounds that follow (staggered friction, as in all
// graphs of Tonge 2012).

/** New impulse of a row, boxed (eq. 39). */
export function bounded(p, z, row, value) {
  if (row < p.points) return Math.max(0, value);
  const most = p.friction * z[(row - p.points) >> 1];
  return Math.max(-most, Math.min(most, value));
}

export const allLinks = (p) => Int32Array.from(p.links, (_, l) => l);

/** Rows of a stage (0 normals, 1 friction) in the order of a list of links. */
export function rowsOf(p, links, stage) {
  const rows = [];
  for (const l of links) {
    for (const i of p.links[l].points) {
      if (stage === 0) rows.push(i);
      else rows.push(p.points + 2 * i, p.points + 2 * i + 1);
    }
  }
  return Int32Array.from(rows);
}

/** Contacts on each body: what eq. 12 and 15 divide by. */
export function contactCounts(p) {
  const n = new Float64Array(p.bodies);
  for (let i = 0; i < p.points; i++) for (const b of [p.a[i], p.b[i]]) if (b >= 0) n[b]++;
  return n;
}

/** 1 / K of each row. */
export const full = (p) => (row) => 1 / (p.kA[row] + p.kB[row]);
