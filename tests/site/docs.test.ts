// Every block of JavaScript in the pages of the guide runs, in Node, on the built package; what a block takes as given is in docs_given.mjs.
// README.md and start.md have tests of their own (tests/src), own_solver.md too (tests/study), those of three.js, React, Babylon.js, PlayCanvas and glTF run in a page (tests/package/engine_docs.test.ts).
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GUIDE } from '../../site/chapters.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'build/docs_blocks');
/** Pages whose blocks run elsewhere. */
const ELSEWHERE = ['start', 'own_solver', 'three', 'react', 'babylon', 'playcanvas', 'gltf'].map((page) => `docs/${page}.md`);
const guide: { chapters: { parts: { file: string }[] }[] }[] = GUIDE;
const pages = new Set(guide.flatMap(({ chapters }) => chapters.flatMap(({ parts }) => parts.map(({ file }) => file))));

interface Block {
  name: string;
  code: string;
  kind: string;
}

const blocks: Block[] = [...pages]
  .filter((page) => !ELSEWHERE.includes(page))
  .flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const found: Block[] = [];
    let section = '';
    let count = 0;
    for (const [, title, kind, code] of text.matchAll(/^##+ (.*)$|^```(js|javascript|ts|jsx|mjs)\n([\s\S]*?)^```/gm)) {
      if (title !== undefined) {
        section = title;
        count = 0;
      } else found.push({ name: `${basename(page, '.md')} ${section} ${count++}`, code: code!, kind: kind! });
    }
    return found;
  });

/** A module: imports first, what is given as globals, the block in a scope of its own, and what it made to `after`. */
function moduleOf({ name, code }: Block): string {
  const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line);
  const body = code.replace(/^import .*$\n?/gm, '');
  const made = [...body.matchAll(/^(?:const|function|let) (\w+)/gm)].map(([, made]) => made);
  return `${imports.join('\n')}
import { given } from '../../tests/site/docs_given.mjs';
const all = await given(${JSON.stringify(name)});
const before = new Map(Object.keys(all).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
for (const [name, value] of Object.entries(all)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
{
${body}
await all.after?.({ ${made.join(', ')} });
}
// The next block has its own: a stand-in for Worker is no worker.
for (const [name, own] of before) own ? Object.defineProperty(globalThis, name, own) : delete globalThis[name];
`;
}

const results = new Map<string, string>();

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  blocks.forEach((block, i) => {
    writeFileSync(join(folder, `${i}.mjs`), moduleOf(block));
  });
  const runner = `const say = console.log;
console.log = console.warn = () => undefined;
for (const [i, name] of ${JSON.stringify(blocks.map(({ name }) => name))}.entries()) {
  let error = '';
  try { await import(\`./\${i}.mjs\`); } catch (thrown) { error = String(thrown?.stack ?? thrown).slice(0, 600); }
  say(JSON.stringify([name, error]));
}
process.exit(0);`;
  writeFileSync(join(folder, 'main.mjs'), runner);
  const output = execFileSync(process.execPath, [join(folder, 'main.mjs')], { cwd: root, encoding: 'utf8', timeout: 60_000 });
  for (const line of output.trim().split('\n')) {
    const [name, error] = JSON.parse(line) as [string, string];
    results.set(name, error);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there are blocks, all JavaScript', () => {
  expect(blocks.length).toBeGreaterThan(25);
  for (const { kind, name } of blocks) expect(kind, name).toBe('js');
});

test.each(blocks.map(({ name }) => name))('%s', (name) => {
  expect(results.get(name)).toBe('');
});
