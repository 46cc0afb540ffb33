// The pages for the documentation of other communities (docs/integrations): figures are those of the results that they name, commands and
// links lead to files. Their code runs in engine_docs.test.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = 'docs/integrations';
const pages = readdirSync(join(root, folder)).map((name) => ({ name, text: readFileSync(join(root, folder, name), 'utf8') }));

/** Results by what a row of a table is called. */
const SCENES: Record<string, string> = {
  '5,160 boxes on a mesh': 'boxes',
  '1,000 chess pieces': 'chess',
  '2,000 bodies of all shapes': 'mixed',
  'pyramid of 1,830 boxes': 'pyramid',
  'wall of 300 bricks': 'wall',
  'bridge of 60 planks under boxes': 'joints_bridge',
  'chain of 25 capsules': 'joints_capsule-chain',
};

/** Rows of a result, by engine. */
function resultsOf(path: string): Map<string, Record<string, string>> {
  const [head, ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('"', '').split(','));
  return new Map(rows.map((row) => [row[0]!, Object.fromEntries(head!.map((name, i) => [name, row[i] ?? '']))]));
}

describe.each(pages)('$name', ({ text }) => {
  test('figures are those of the results', () => {
    const [, results] = /`(bench\/results\/[\w-]+)`/.exec(text)!;
    const rows = [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()));
    const head = rows.find((row) => row[0] === 'scene');
    const engines = head?.slice(1, -1).map((cell) => /^\w+/.exec(cell)![0].toLowerCase());
    const scenes = rows.filter(([name]) => name! in SCENES);
    if (engines) expect(scenes.length).toBeGreaterThan(4);
    for (const [name, ...cells] of scenes) {
      const found = resultsOf(join(root, results!, `${SCENES[name!]}.csv`));
      engines!.forEach((engine, i) => {
        const row = found.get(engine)!;
        const times = cells[i]!.split(' / ');
        for (const [k, column] of ['msFirstHalf', 'msSecondHalf'].entries()) {
          const digits = times[k]!.split('.')[1]?.length ?? 0;
          expect(Number(row[column]).toFixed(digits), `${name}, ${engine}, ${column}`).toBe(times[k]);
        }
      });
      const shares = engines!
        .map((engine) => found.get(engine)!['stands.end.within10cm'] ?? found.get(engine)!.held)
        .filter((share) => share !== undefined);
      const said = [...cells.at(-1)!.matchAll(/(\d+) %/g)].map(([, share]) => Number(share));
      if (shares.length > 0 && said.length > 0)
        expect(said, name).toEqual(shares.map((share) => Math.round(100 * Number(share))));
    }
  });

  test('commands and links lead to files, the license is named', () => {
    for (const [, paths] of text.matchAll(/npx vitest run (.*)/g)) {
      for (const path of paths!.split(' ')) expect(existsSync(join(root, path)), path).toBe(true);
    }
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [, script] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty(script!);
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (link!.startsWith('https://')) continue;
      const [path, hash] = link!.split('#');
      const target = posix.join(folder, path!);
      const headings = [...readFileSync(join(root, target), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
        heading!
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      if (hash) expect(headings, link).toContain(hash);
    }
    for (const [, path] of text.matchAll(/`(bench\/results\/[\w-]+)`/g)) expect(existsSync(join(root, path!)), path).toBe(true);
    expect(text).toMatch(/^## License\n\nMIT/m);
  });
});
