// Source maps of the package: a stack trace leads to the line of the source, though the build changes its files after minifying.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shiftMappings } from '../../scripts/edit_chunk.mjs';
import { makeProject, type Project } from '../helpers/worker_package';

const root = join(import.meta.dirname, '../..');
let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project?.remove());

test('a stack trace names the lines of the sources', () => {
  writeFileSync(
    join(project.folder, 'throws.mjs'),
    `import { createWorld } from 'talus';
import { createRope } from 'talus/rigs';
const world = await createWorld();
for (const wrong of [
  () => world.createShape({ type: 'box', halfExtents: [1, -1, 1] }),
  () => createRope(world, { from: [0, 1, 0], to: [0, 1, 0] }),
]) {
  try {
    wrong();
  } catch (error) {
    console.log(error.stack);
  }
}`,
  );
  const out = execFileSync(process.execPath, ['--enable-source-maps', join(project.folder, 'throws.mjs')], { encoding: 'utf8' });
  const places = [...out.matchAll(/\(?([^\s(]*\/src\/[\w/]+\.ts):(\d+):(\d+)\)?/g)];
  expect(places.length).toBeGreaterThan(6);
  for (const [, path, line] of places) {
    const text = readFileSync(join(root, path!.slice(path!.indexOf('/src/'))), 'utf8').split('\n')[Number(line) - 1];
    expect(text, `${path}:${line}`).toMatch(/[()]|new |throw/);
  }
  expect(out).toMatch(/cookShape .*\/src\/shapes\/shape\.ts/);
  expect(out).toMatch(/\/src\/rigs\/\w+\.ts/);
});

test('each file with code has a map that carries its sources, and no map is without a file', () => {
  for (const file of readdirSync(project.dist).filter((name) => name.endsWith('.map'))) {
    expect(existsSync(join(project.dist, file.slice(0, -'.map'.length))), file).toBe(true);
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(project.dist, file), 'utf8'));
    expect(sourcesContent, file).toHaveLength(sources.length);
    expect(sourcesContent.every((text: unknown) => typeof text === 'string')).toBe(true);
  }
  expect(existsSync(join(project.dist, 'engine.js.map'))).toBe(true);
});

test('edits shift a map: insertion, replacement, a new line', () => {
  // Columns 0, 4 and 8 of one line, from columns 0, 4 and 8 of the source.
  const before = 'aaa bbb ccc';
  const edits = [
    { start: 0, text: '//\n' },
    { start: 4, end: 7, text: 'longer' },
    { start: 8, text: '\n' },
  ];
  const after = '//\naaa longer \nccc';
  // The second segment lay in what was replaced.
  expect(shiftMappings('AAAA,IAAI,IAAI', before, after, edits)).toBe(';AAAA;AAAQ');
});
