// README.md: its hello world runs and prints what the text says; its links lead somewhere.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');

afterEach(() => vi.restoreAllMocks());

test('hello world', async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readme)!;
  expect(code!.trim().split('\n').length).toBeLessThanOrEqual(15);
  const [, said] = /the last line printed is `([^`]+)`/.exec(readme)!;
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    lines.push(line);
  });
  const file = resolve(root, 'build/readme_hello.ts');
  mkdirSync(resolve(root, 'build'), { recursive: true });
  // The package by its source: `dist/` need not be built.
  writeFileSync(file, code!.replace("'talus'", "'../src/index'"));
  await import(/* @vite-ignore */ file);
  expect(lines.slice(0, 2)).toEqual(['0.50', '1.50']);
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toBe(said);
});

test('links lead to files', () => {
  // Of files that the package lacks the README links the repository.
  const { homepage } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) =>
    match[1]!.replace(new RegExp(`^${homepage.split('#')[0]}/(?:blob|tree)/main/`), ''),
  );
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect(existsSync(resolve(root, link)), link).toBe(true);
});
