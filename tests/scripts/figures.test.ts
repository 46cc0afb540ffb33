// Figures in the docs: each is that of a result file, and no size stands there without one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { siteFigures } from '../../scripts/figures/comparison.mjs';
import { pages, render, values, withoutGenerated } from '../../scripts/figures.mjs';

const root = join(import.meta.dirname, '../..');
const known = values();
const texts: [string, string][] = pages().map((file: string) => [file, readFileSync(join(root, file), 'utf8')]);

test.each(texts)('%s has the figures of the results', (file, text) => {
  const { page, missing } = render(file, text, known);
  expect(missing).toEqual([]);
  expect(page === text, 'run node scripts/figures.mjs').toBe(true);
});

test('a figure is replaced, wherever lines break', () => {
  const text = '* **Small.** 12 kB with\n  brotli; WebGPU adds 3.5 kB, and only\nif you import it.';
  const { page, missing } = render('README.md', text, { ...known, talus: '200', gpu: '20' });
  expect(missing).toEqual([]);
  expect(page).toBe('* **Small.** 200 kB with\n  brotli; WebGPU adds 20 kB, and only\nif you import it.');
  expect(render('README.md', 'Small.', known).missing).toHaveLength(1);
});

/** Bytes of traffic, memory and snapshots, which are no sizes of files; each line as its page has it. */
const OTHER =
  /of 64 bytes|MB (up|take|local|compile)|kB (up|down)|a snapshot|MB at its fullest|a wall of 300|MB in a browser|1 KiB|readbacks of|45 MB|budget of 1 MB|110 kB|of 1000 bytes|a room of 41 boxes/i;

test('no page tells a size that has no source', () => {
  for (const [file, text] of texts) {
    const rest: string = withoutGenerated(file, text);
    const lines = rest.split('\n').filter((line) => /\d\s*[kM]B\b/.test(line) && !OTHER.test(line));
    expect(lines, file).toEqual([]);
  }
});

test('the site gets the figures of the tables as data', () => {
  const { speed, torture, sizes } = siteFigures();
  expect(speed.rows.length).toBeGreaterThan(15);
  for (const { name, engines } of speed.rows)
    expect(
      engines.map(({ engine }: { engine: string }) => engine),
      name,
    ).toEqual(['talus', 'rapier', 'havok']);
  expect(speed.source).toMatch(/^Measured \d{4}-\d\d-\d\d on /);
  for (const { quantity, cells } of torture.rows) expect(cells.talus, quantity).toMatch(/./);
  expect(sizes.talus).toBeGreaterThan(1e5);
});
