// docs/start.md: whoever pastes the code of each step where the page says has the example of that step, which the tests of the site run.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(root, 'docs/start.md'), 'utf8');
const EXAMPLES = ['start_1_floor', 'start_2_crate', 'start_3_crates', 'start_4_push', 'start_5_character'];

/** An example without its first line, which is its title. */
const read = (name: string) => readFileSync(resolve(root, `examples/${name}.js`), 'utf8').replace(/^.*\n/, '');
/** Blocks of JavaScript of each step. */
const steps = page
  .split(/^## /m)
  .filter((section) => /^Step \d:/.test(section))
  .map((section) => ({ section, blocks: [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!) }));

/** A step put into the file so far: a block with imports goes to the top, the loop replaces the loop, all else goes above it. */
function paste(file: string, block: string): string {
  const loop = file.indexOf('// The loop');
  if (block.startsWith('import ')) return file.replace(/^.*\n/, (first) => first + block);
  if (block.startsWith('// The loop')) return file.slice(0, loop) + block;
  return `${file.slice(0, loop)}${block}\n${file.slice(loop)}`;
}

test('five steps, each with the live frame of its example', () => {
  expect(steps.length).toBe(5);
  for (const [i, { section }] of steps.entries()) {
    const frames = [...section.matchAll(/^\[!\[[^\]]+\]\(\S+\/(\w+)\.jpg\?raw=true\)\]\(\.\.\/examples\/(\w+)\.js\)$/gm)];
    expect(frames.map(([, picture, example]) => [picture, example])).toEqual([[EXAMPLES[i], EXAMPLES[i]]]);
    if (i > 0) expect(section, `step ${i + 1}`).toContain('**Change a number and see:**');
  }
});

test.each(EXAMPLES)('%s is what the page says up to there', (name) => {
  const [first, ...more] = steps.slice(0, EXAMPLES.indexOf(name) + 1).flatMap(({ blocks }) => blocks);
  expect(more.reduce(paste, first!)).toBe(read(name));
});
