// The search of the built site, asked what newcomers ask; and SKILL.md, which has to name what answers them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
// @ts-expect-error a script of the site, without types
import { find, OPTIONS } from '../../site/assets/find.js';
import { QUESTIONS } from './questions';

// By its path: it belongs to the site, whose packages need not be installed where types are checked.
const { default: MiniSearch } = await import(join(import.meta.dirname, '../../site/node_modules/minisearch/dist/es/index.js'));
const index = MiniSearch.loadJSON(readFileSync(join(inject('site'), 'search.json'), 'utf8'), OPTIONS);
const skill = readFileSync(join(import.meta.dirname, '../../SKILL.md'), 'utf8');

test('forty questions', () => expect(QUESTIONS).toHaveLength(40));

test.each(QUESTIONS)('"%s" is answered', (typed, answer, pages) => {
  const [first] = find(index, typed);
  expect(pages.map((page) => `${page}.html`)).toContain(first.id.replace(/#.*/, ''));
  expect(first.about).not.toMatch(/<\w/);
  for (const word of answer) expect(skill).toContain(word);
});

test.each([
  ['World.createBody', 'createbody'],
  ['castRays', 'castrays'],
  ['castRay', 'castray'],
  ['getLinearVelocity', 'getlinearvelocity'],
  ['setBullet()', 'setbullet'],
])('the name %s leads to it first', (typed, id) => {
  expect(find(index, typed)[0].id).toBe(`reference/index/interfaces/World.html#${id}`);
});

test('nothing that a class inherits from three.js is found', () => {
  const hits: { id: string }[] = find(index, 'raycast', 50);
  expect(hits.filter(({ id }) => /DebugRenderer\.html#raycast/.test(id))).toEqual([]);
});
