// Orderings of rows and links for parallel Gauss-Seidel, and partitions into cells, written from the papers on plain arrays
// and independent of the engine's own. A link is { a, b }: two bodies, -1 where the body does not move.

/**
 * Algebraic multi-color ordering as in Tsuda 2009 (after Mifune): row i takes the smallest color that no earlier row j with
 * A_ij != 0 has. A_ij is not zero if the rows share a body.
 * @param {{ a: number, b: number }[]} rows
 * @returns {Int32Array} Color of each row.
 */
export function algebraicColors(rows) {
  const taken = new Map();
  const colors = new Int32Array(rows.length);
  rows.forEach(({ a, b }, i) => {
    const sets = [a, b]
      .filter((body) => body >= 0)
      .map((body) => {
        if (!taken.has(body)) taken.set(body, new Set());
        return taken.get(body);
      });
    let m = 0;
    while (sets.some((set) => set.has(m))) m++;
    colors[i] = m;
    for (const set of sets) set.add(m);
  });
  return colors;
}

/** Geometric multi-color ordering: the same rule on links instead of rows. */
export const geometricColors = algebraicColors;

/**
 * Cell-like ordering of Tsuda 2009, CellLikeOrdering and SearchAroundBody: batches of blocks; blocks of a batch share no body.
 * A block ends at `granularity` links, or where the next link would bring it above `cap` bodies.
 *
 * The slides print the condition on a link as: none of its bodies is in a block B_pq with p != i or q != j, where i is the batch and j the
 * block at work. Bodies of earlier batches would then be barred for ever, and the loop over batches would not end while a link between
 * them is left. It has to be p = i and q != j: only the other blocks of the same batch bar a body.
 * @returns {number[][][]} Links by batch and block.
 */
export function cellLike(links, granularity, cap = Infinity) {
  const around = new Map();
  links.forEach((link, l) => {
    for (const body of [link.a, link.b]) {
      if (body < 0) continue;
      if (!around.has(body)) around.set(body, []);
      around.get(body).push(l);
    }
  });
  const bodies = [...around.keys()].sort((x, y) => x - y);
  const free = new Uint8Array(links.length).fill(1);
  let left = links.reduce((n, { a, b }) => n + (a >= 0 || b >= 0 ? 1 : 0), 0);
  const batches = [];
  while (left > 0) {
    const owner = new Map();
    const batch = [];
    for (const seed of bodies) {
      if (owner.has(seed)) continue;
      const id = batch.length;
      const block = [];
      const queue = [];
      let body = seed;
      let size = 0;
      search: for (;;) {
        for (const l of around.get(body)) {
          if (block.length >= granularity) break search;
          if (!free[l]) continue;
          const ends = [links[l].a, links[l].b].filter((x) => x >= 0);
          if (ends.some((x) => owner.has(x) && owner.get(x) !== id)) continue;
          const fresh = ends.filter((x) => !owner.has(x)).length;
          if (size + fresh > cap) break search;
          size += fresh;
          free[l] = 0;
          left--;
          block.push(l);
          for (const x of ends) {
            if (owner.has(x)) continue;
            owner.set(x, id);
            queue.push(x);
          }
        }
        if (queue.length === 0) break;
        body = queue.shift();
      }
      if (block.length > 0) batch.push(block);
    }
    batches.push(batch);
  }
  return batches;
}

/** Numbers of points sorted along the longest side of their bounds; point i lies at `at(i)`. */
function alongBounds(list, at) {
  let axis = 0;
  let widest = -1;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (const i of list) {
      low = Math.min(low, at(i)[k]);
      high = Math.max(high, at(i)[k]);
    }
    if (high - low > widest) {
      widest = high - low;
      axis = k;
    }
  }
  return [...list].sort((x, y) => at(x)[axis] - at(y)[axis] || x - y);
}

/**
 * Cells by recursive bisection of link midpoints along the longer side of their bounds, at most `size` links each.
 * @returns {Int32Array} Cell of each link.
 */
export function bisect(links, size) {
  const cells = new Int32Array(links.length);
  let count = 0;
  const split = (list) => {
    if (list.length <= size) {
      for (const l of list) cells[l] = count;
      count++;
      return;
    }
    const sorted = alongBounds(list, (l) => links[l].middle);
    // Full cells to the left, so that only one cell is left short.
    const half = Math.ceil(Math.ceil(sorted.length / size) / 2) * size;
    split(sorted.slice(0, half));
    split(sorted.slice(half));
  };
  split(links.map((_, l) => l));
  return cells;
}

/**
 * Cells by recursive bisection of the bodies, whose positions are `center` (three numbers per body). A cell takes the links among its
 * bodies and the links that earlier cells have left to them. It fills its room with links to bodies of later cells. `size` links per
 * cell; the fewest cells that could hold all are tried first, or with `bodies` cells of so many bodies.
 * @returns {Int32Array} Cell of each link.
 */
export function cutBodies(links, center, size, { bodies = 0, cap = 96 } = {}) {
  const around = new Map();
  links.forEach(({ a, b }, l) => {
    for (const x of [a, b]) {
      if (x < 0) continue;
      if (!around.has(x)) around.set(x, []);
      around.get(x).push(l);
    }
  });
  const cells = new Int32Array(links.length).fill(-1);
  const reached = new Set();
  const isReached = (x) => x < 0 || reached.has(x);
  const membersOf = (list) => new Set(list.flatMap((l) => [links[l].a, links[l].b]).filter((x) => x >= 0)).size;
  let count = 0;
  const split = (list, wanted) => {
    if (wanted <= 1) {
      for (const x of list) reached.add(x);
      const free = [...new Set(list.flatMap((x) => around.get(x)))].filter((l) => cells[l] < 0);
      const own = free.filter((l) => isReached(links[l].a) && isReached(links[l].b));
      if (list.length === 1 || (own.length <= size && membersOf(own) <= cap)) {
        for (const l of free) {
          if (own.length >= size) break;
          if (isReached(links[l].a) && isReached(links[l].b)) continue;
          if (membersOf([...own, l]) > cap) break;
          own.push(l);
        }
        for (const l of own) cells[l] = count;
        if (own.length > 0) count++;
        return;
      }
      for (const x of list) reached.delete(x);
    }
    const n = Math.max(wanted, 2);
    const sorted = alongBounds(list, (x) => center.subarray(3 * x, 3 * x + 3));
    const left = Math.max(Math.floor((sorted.length * (n >> 1)) / n), 1);
    split(sorted.slice(0, left), n >> 1);
    split(sorted.slice(left), n - (n >> 1));
  };
  split([...around.keys()], Math.ceil(bodies > 0 ? around.size / bodies : links.length / size));
  return cells;
}

/**
 * Cells of mass splitting from cell-like ordering: its blocks, those of all batches alike. Packed, blocks that leave room share
 * a cell with the next ones of the order (next fit).
 * @returns {Int32Array} Cell of each link.
 */
export function growCells(links, granularity, cap = 96, packed = true) {
  const cells = new Int32Array(links.length);
  let cell = -1;
  let room = 0;
  let bodyRoom = 0;
  for (const block of cellLike(links, granularity, cap).flat()) {
    const bodies = new Set(block.flatMap((l) => [links[l].a, links[l].b]).filter((x) => x >= 0)).size;
    if (!packed || block.length > room || bodies > bodyRoom) {
      cell++;
      room = granularity;
      bodyRoom = cap;
    }
    room -= block.length;
    bodyRoom -= bodies;
    for (const l of block) cells[l] = cell;
  }
  return cells;
}

/** Links that the condition as printed (see `cellLike`) leaves without a batch for ever: they touch a body of the first batch. */
export function leftByPrintedCondition(links, granularity) {
  const [first = []] = cellLike(links, granularity);
  const placed = new Set(first.flat());
  const barred = new Set(first.flat().flatMap((l) => [links[l].a, links[l].b]));
  return links.filter(({ a, b }, l) => !placed.has(l) && [a, b].some((body) => body >= 0 && barred.has(body))).length;
}

/** How many values fall on each color. */
export function histogram(colors, weights = null) {
  const out = [];
  colors.forEach((c, i) => {
    while (out.length <= c) out.push(0);
    out[c] += weights ? weights[i] : 1;
  });
  return out;
}

/** A permutation of 0..n-1 from a seed (Fisher-Yates on a small 32-bit generator). */
export function permutation(n, seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const out = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}
