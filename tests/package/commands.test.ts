// Commands that the docs name: each names a script, a file and options that exist, and either runs in a short form or says why not.
// `node scripts/doc_commands.mjs` runs them; CI does so on the built package.
import { expect, test } from 'vitest';
import {
  collect,
  commandsIn,
  isLeftOut,
  NOT_RUN,
  reasonNotToRun,
  resolveCommand,
  shortForm,
  withoutSizes,
} from '../../scripts/doc_commands.mjs';

const commands = [...collect()];

test('commands are found in blocks and spans, across lines', () => {
  const page = [
    'Run `npm run\n  bench -- --scene boxes` or `npm install talus`, not `nodes`.',
    '```',
    'npm ci && npm test   # all of it',
    'A=1 npx vitest run tests/src',
    '```',
    '```js',
    'node bench/no.mjs',
    '```',
  ].join('\n');
  expect(commandsIn(page).toSorted()).toEqual(['A=1 npx vitest run tests/src', 'npm run bench -- --scene boxes', 'npm test']);
  expect(commands.length).toBeGreaterThan(50);
});

test.each(commands)('%s (%s)', (command) => {
  const { program } = resolveCommand(command);
  if (reasonNotToRun(command) === undefined && program !== 'vitest') expect(shortForm(command)[0]).toBe(program);
});

test.each([
  ['npm run bnch', /no script 'bnch'/],
  ['npm run bench -- --scenes boxes', /no option --scenes/],
  ['npm run release -- --dry', /no option --dry/],
  ['node bench/hybird.mjs', /there is no bench\/hybird\.mjs/],
  ['node bench/calm.mjs --second 3', /no option --second/],
  ['npx vitest run tests/nothing', /there is no tests\/nothing/],
  ['npm run lab -- no-such', /no experiment no-such/],
])('%s is refused', (command, message) => {
  expect(() => resolveCommand(command)).toThrow(message);
});

test('of commands that differ in sizes alone the short form runs one', () => {
  const kind = (command: string) => withoutSizes(shortForm(command));
  expect(kind('npm run bench -- --scene boxes --steps 600')).toBe(kind('npm run bench'));
  expect(kind('npm run fuzz -- --seed 45')).toBe(kind('npm run fuzz'));
  expect(kind('npm run bench -- --engines talus')).not.toBe(kind('npm run bench'));
});

test('the short form leaves out what is slow, and what another command of the same program has run', () => {
  const programs = new Set(['bench/compare.mjs']);
  expect(isLeftOut('node bench/hybrid.mjs', ['README.md'], programs)).toBe(true);
  expect(isLeftOut('npm run bench', ['docs/performance.md'], programs)).toBe(true);
  expect(isLeftOut('npm run bench', ['README.md', 'docs/performance.md'], programs)).toBe(false);
  expect(isLeftOut('node bench/flat.mjs', ['bench/README.md'], programs)).toBe(false);
});

test('what is not run is named by a doc', () => {
  const named = commands.flatMap(([command]) => [command, resolveCommand(command).script]);
  for (const [name, reason] of NOT_RUN) {
    expect(named, name).toContain(name);
    expect(reason).not.toBe('');
  }
});
