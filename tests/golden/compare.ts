// Compares a run with its line of the golden table, and says in words what has changed: from which step on, and by how much.
import type { Checkpoint, Checkpoints } from './run';

/** Checkpoints of all runs, by the name of the run. */
export type GoldenTable = Record<string, Checkpoints>;

/** What to do about a difference. */
export const ADVICE =
  'Results differ from tests/golden/hashes.json. `npm run golden` shows what has changed in which scenes. If you meant to change the ' +
  'physics, `npm run golden -- --write` writes the new results: commit them with the change.';

const isSame = (a: Checkpoint, b: Checkpoint) => a.hash === b.hash && a.contactHash === b.contactHash;

/** The part of the checkpoints of a table that a run looks at. */
export function partOf(table: Checkpoints | undefined, seen: Checkpoints): Checkpoints {
  return Object.fromEntries(Object.entries(table ?? {}).filter(([step]) => step in seen));
}

/**
 * Returns what differs between the table and what a run showed, as lines of text; an empty string if all hashes are equal. Steps that the
 * run did not look at do not count.
 */
export function changesOf(name: string, table: Checkpoints | undefined, seen: Checkpoints): string {
  if (!table) return `${name}: not in the table`;
  const steps = Object.keys(seen).map(Number);
  const missing = steps.filter((step) => !table[step]);
  if (missing.length > 0) return `${name}: the table lacks step ${missing.join(', ')}`;
  const parted = steps.filter((step) => !isSame(table[step]!, seen[step]!));
  if (parted.length === 0) return '';
  const first = parted[0]!;
  const before = steps.filter((step) => step < first).at(-1) ?? 0;
  const last = steps.at(-1)!;
  const [old, now] = [table[last]!, seen[last]!];
  const change = (word: string, key: Exclude<keyof Checkpoint, 'hash' | 'contactHash'>, unit = '') =>
    `${word} ${old[key]}${old[key] === now[key] ? '' : ` -> ${now[key]}`}${unit}`;
  return [
    `${name}: differs from a step between ${before + 1} and ${first} on`,
    `  at step ${last}: ${change('depth', 'depth', ' mm')}, ${change('rms speed', 'speed', ' mm/s')}, ` +
      `${change('asleep', 'asleep')}, ${change('contacts', 'contacts')}`,
  ].join('\n');
}
