// SKILL.md: each of its blocks runs as it stands, and the pages that it names exist.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'build/skill');
const text = readFileSync(join(root, 'SKILL.md'), 'utf8');
const blocks = [...text.matchAll(/^\*\*(\d+)\. .*\n+```js\n([\s\S]*?)```/gm)].map(
  ([, number, code]) => [number!, code!] as const,
);

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has ten patterns and ten mistakes', () => {
  expect(blocks.map(([number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect([...text.slice(text.indexOf('## Ten mistakes')).matchAll(/^\d+\. /gm)]).toHaveLength(10);
});

// 'talus' is this package's own name: what runs is dist/.
test.each(blocks)('pattern %s runs', async (number, code) => {
  const file = join(folder, `pattern_${number}.mjs`);
  writeFileSync(file, code);
  await import(/* @vite-ignore */ pathToFileURL(file).href);
});

test('the pages that it names exist, with their sections', () => {
  for (const [, path, sections] of text.matchAll(/(docs\/\w+\.md)(?:, ([^|]+?))? [|]$/gm)) {
    expect(existsSync(join(root, path!)), path).toBe(true);
    const page = readFileSync(join(root, path!), 'utf8');
    if (sections && !sections.startsWith('docs/')) expect(page, `${path}: ${sections}`).toContain(`## ${sections}`);
  }
});

test('the calls that it names are calls of a world', async () => {
  const { createWorld } = await import('../../src/index');
  const world = await createWorld();
  const calls = [...text.matchAll(/world\.(\w+)/g)].map(([, name]) => name!);
  expect(calls.length).toBeGreaterThan(40);
  for (const name of calls) expect(name in world, name).toBe(true);
});
