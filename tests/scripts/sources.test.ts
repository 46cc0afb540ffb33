// Measured figures in the docs have a source: a generated table, a result file that the section links and that has the number, or an
// exception with a reason.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXCEPTIONS, figuresIn, SOURCED, unsourced } from '../../scripts/figures/sources.mjs';
import { TEMPLATES } from '../../scripts/figures.mjs';

const root = join(import.meta.dirname, '../..');
const generated: [string, string][] = TEMPLATES;

test.each<string>(SOURCED)('%s: each figure has a source', (file) => {
  expect(unsourced(file, readFileSync(join(root, file), 'utf8'), EXCEPTIONS, generated)).toEqual([]);
});

test('exceptions are of pages that exist, and few', () => {
  for (const { file, reason } of EXCEPTIONS) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(reason.length, reason).toBeGreaterThan(6);
  }
  expect(EXCEPTIONS.length).toBeLessThan(30);
});

describe('figures', () => {
  const found = (text: string) => figuresIn(text).map((figure: { text: string }) => figure.text);

  test('are numbers with a unit, counts and shares', () => {
    expect(found('It takes 12.3 ms, or 0.5 to 0.7 µs, and 188 kB; 2.9 times as long.')).toEqual([
      '12.3 ms',
      '0.5 to 0.7 µs',
      '188 kB',
      '2.9 times',
    ]);
    expect(found('63 of 63 pass, in 0.4 to\n0.75 of the time.')).toEqual(['63 of 63', '0.4 to 0.75 of the time']);
    expect(found('| a | b |\n|---|---|\n| 1.5 / 2.25 | 12 |')).toEqual(['1.5', '2.25']);
    expect(found('Boxes of 12 m, 60 Hz, v1.2, `dt: 0.1`.')).toEqual([]);
  });
});

describe('a source', () => {
  const folder = 'bench/results/2026-11-26_amd-epyc-2-cores';
  const { results } = JSON.parse(readFileSync(join(root, folder, 'wall.json'), 'utf8'));
  const ms: number = results[0].msFirstHalf;
  const page = (sentence: string, link = `${folder}/wall.json`) => `# Page\n\n## Times\n\n${sentence} [Results](${link}).\n`;
  const check = (text: string) => unsourced('docs/page.md', text, [], []);

  test('has the number to the printed digits', () => {
    expect(check(page(`A wall takes ${ms.toFixed(2)} ms.`))).toEqual([]);
    expect(check(page(`A wall takes ${(ms * 1000).toFixed(0)} µs.`))).toEqual([]);
    expect(check(page('A wall takes 98.76 ms.'))).toEqual(["docs/page.md, 'Times': 98.76 ms"]);
  });

  test('is linked by the section, and exists', () => {
    const sentence = `A wall takes ${ms.toFixed(2)} ms.`;
    expect(check(page(sentence, 'bench/results/none.json'))).toHaveLength(1);
    expect(check(`${page('Here.')}\n## Elsewhere\n\n${sentence}\n`)).toHaveLength(1);
  });

  test('of a ratio is the ratio of two engines', () => {
    const ratio = results[0].msFirstHalf / results[1].msFirstHalf;
    expect(check(page(`It takes ${ratio.toFixed(2)} of the time.`))).toEqual([]);
    expect(check(page('It takes 0.07 of the time.'))).toHaveLength(1);
  });

  test('is a generated table, a generated sentence or an exception', () => {
    expect(check('## Times\n\n<!-- figures: speed -->\n\nIt takes 98.76 ms.\n\n<!-- /figures -->\n')).toEqual([]);
    const text = '## Times\n\nIt takes 98.76 ms.\n';
    expect(unsourced('docs/page.md', text, [], [['docs/page.md', 'It takes {time} ms.']])).toEqual([]);
    expect(unsourced('docs/page.md', text, [{ file: 'docs/page.md', figure: '98.76 ms', reason: 'a test' }], [])).toEqual([]);
    expect(check(text)).toHaveLength(1);
  });
});
