// Lanes at work. A group of 32 lanes solves a cell color by color, in rounds of 32 links, and waits behind each color: a lane without a link
// in the last round of a color does nothing. This counts them in the cells as they are uploaded (assembly/split/pack.ts).

/** Links that a group solves side by side. */
export const LANES = 32;
const CELL_WORDS = 8;
const [LINKS, COLORS, COLOR_COUNT, CONTACT_COLORS] = [1, 4, 5, 7];

/**
 * Counts the lanes of a pass, and of all sweeps of a step.
 * @param {Uint32Array} words the buffer `cells`: 8 words a cell, then the ends of the colors
 * @param {number} substeps of the step
 * @param {number} sweeps of a soft or a relax pass
 */
export function countLanes(words, substeps, sweeps) {
  // The ends of the colors begin behind the last cell.
  const cells = words.length === 0 ? 0 : words[COLORS] / CELL_WORDS;
  const count = { cells, links: 0, rounds: 0, mostRounds: 0, sweptLinks: 0, sweptRounds: 0 };
  const contactSweeps = 1 + 2 * substeps * sweeps;
  // Joints turn, and have one more sweep for that in each substep but the first.
  const jointSweeps = contactSweeps + substeps - 1;
  for (let cell = 0; cell < cells; cell++) {
    const at = CELL_WORDS * cell;
    let begin = 0;
    let rounds = 0;
    for (let color = 0; color < words[at + COLOR_COUNT]; color++) {
      const end = words[words[at + COLORS] + color];
      const ofColor = Math.ceil((end - begin) / LANES);
      const times = color < words[at + CONTACT_COLORS] ? contactSweeps : jointSweeps;
      rounds += ofColor;
      count.sweptRounds += times * ofColor;
      count.sweptLinks += times * (end - begin);
      begin = end;
    }
    if (begin !== words[at + LINKS]) throw new Error(`cell ${cell} has ${words[at + LINKS]} links, its colors ${begin}`);
    count.links += begin;
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
