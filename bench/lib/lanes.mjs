// Lanes at work. A group of 32 lanes solves a cell color by color, in rounds of 32 links, and waits behind each color: a lane without a link
// in the last round of a color does nothing. This counts them in the cells as they are uploaded (assembly/split/pack.ts).

/** Links that a group solves side by side. */
export const LANES = 32;
/** Words of a SplitCell (scripts/layout.schema.mjs); `colors` is an index into the same array, where the ends of the colors stand. */
export const CELL_WORDS = 8;
export const CELL = { links: 1, slots: 3, colors: 4, colorCount: 5, closed: 6, contactColors: 7 };

/** Links of each color of a cell. */
export function colorsOf(words, cell) {
  const at = CELL_WORDS * cell;
  const first = words[at + CELL.colors];
  const ends = [...words.subarray(first, first + words[at + CELL.colorCount])];
  return ends.map((end, i) => end - (ends[i - 1] ?? 0));
}

/** Joints of a cell: the links of the colors behind those of contacts. */
export function jointsOf(words, cell) {
  const contactColors = words[CELL_WORDS * cell + CELL.contactColors];
  return colorsOf(words, cell)
    .slice(contactColors)
    .reduce((sum, links) => sum + links, 0);
}

export const isJointed = (words, cell) => jointsOf(words, cell) > 0;

/** Rounds in which a group solves so many links. */
export const roundsOf = (links) => Math.ceil(links / LANES);

/**
 * Counts the lanes of a pass, and of all sweeps of a step.
 * @param {Uint32Array} words the buffer `cells`: 8 words a cell, then the ends of the colors
 * @param {number} substeps of the step
 * @param {number} sweeps of a soft or a relax pass
 */
export function countLanes(words, substeps, sweeps) {
  // The ends of the colors begin behind the last cell.
  const cells = words.length === 0 ? 0 : words[CELL.colors] / CELL_WORDS;
  const count = { cells, links: 0, rounds: 0, mostRounds: 0, sweptLinks: 0, sweptRounds: 0 };
  const contactSweeps = 1 + 2 * substeps * sweeps;
  // Joints turn, and have one more sweep for that in each substep but the first.
  const jointSweeps = contactSweeps + substeps - 1;
  for (let cell = 0; cell < cells; cell++) {
    const at = CELL_WORDS * cell;
    let links = 0;
    let rounds = 0;
    for (const [color, size] of colorsOf(words, cell).entries()) {
      const times = color < words[at + CELL.contactColors] ? contactSweeps : jointSweeps;
      links += size;
      rounds += roundsOf(size);
      count.sweptRounds += times * roundsOf(size);
      count.sweptLinks += times * size;
    }
    if (links !== words[at + CELL.links])
      throw new Error(`cell ${cell} has ${words[at + CELL.links]} links, its colors ${links}`);
    count.links += links;
    count.rounds += rounds;
    count.mostRounds = Math.max(count.mostRounds, rounds);
  }
  return count;
}

/** Sums of counts, for all steps seen. */
export function addLanes(sum, count) {
  for (const [name, value] of Object.entries(count)) {
    sum[name] = name === 'mostRounds' ? Math.max(sum[name] ?? 0, value) : (sum[name] ?? 0) + value;
  }
  return sum;
}

/** Share of the lanes that work, in percent. */
export const share = (links, rounds) => (rounds === 0 ? 0 : (100 * links) / (LANES * rounds));
