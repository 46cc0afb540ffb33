// docs/migrate.md: names of other engines are in the types of their packages, and calls of talus are calls of a world.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../src/index';

const root = resolve(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/migrate.md'), 'utf8');

/** Types of a package, of all its files below a folder. */
function typesOf(folder: string): string {
  const path = join(root, 'node_modules', folder);
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
}

/** Rows of a section: what is in code spans of the first and of the second column. */
function rowsOf(section: string): [theirs: string[], ours: string[]][] {
  const from = guide.indexOf(`\n## ${section}\n`);
  const to = guide.indexOf('\n## ', from + 1);
  const spans = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code!);
  return Array.from(guide.slice(from, to < 0 ? undefined : to).matchAll(/^\| (.+) \|$/gm), ([, row]) => {
    const [theirs, ours] = row!.split(/ ?\| /);
    return [spans(theirs!), spans(ours!)];
  });
}

/** Names of classes and calls in code: with a capital letter, or before a bracket. Strings and properties of options are left out. */
function namesIn(code: string): string[] {
  const bare = code.replace(/'[^']*'/g, '');
  return Array.from(bare.matchAll(/\b([A-Z]\w{2,}|\w+(?=\())/g), ([name]) => name).filter(
    (name) => !/^(RAPIER|CANNON)$/.test(name),
  );
}

/** Sections, where their types are, and names that are not in them. */
const ENGINES: [section: string, folders: string[], others: string[]][] = [
  ['Rapier', ['@dimforge/rapier3d-simd-compat'], []],
  // The package of jolt has the types of its plain build alone: the function that loads it is the default export.
  ['Jolt', ['jolt-physics/dist'], ['initJolt']],
  ['cannon-es', ['cannon-es/dist'], []],
  [
    'Havok',
    ['@babylonjs/havok', '@babylonjs/core/Physics/v2', '@babylonjs/core/Debug'],
    ['HavokPhysics', 'createTalusPlugin', 'enablePhysics'],
  ],
];

describe.each(ENGINES)('%s', (section, folders, others) => {
  const types = folders.map(typesOf).join('\n');
  const known = new Set(types.match(/\w+/g));
  test('names are in the types of its package', () => {
    const names = rowsOf(section).flatMap(([theirs]) => theirs.flatMap(namesIn));
    expect(names.length).toBeGreaterThan(40);
    expect([...new Set(names)].filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });
});

test('rows have what is theirs, what is ours and what differs', () => {
  const rows = Array.from(guide.slice(guide.indexOf('\n## Rapier\n')).matchAll(/^\|.*$/gm), ([row]) => row!);
  expect(rows.length).toBeGreaterThan(250);
  for (const row of rows) {
    const cells = row.slice(1, -1).split('|');
    expect(cells, row).toHaveLength(3);
    expect(cells[0]!.trim(), row).not.toBe('');
    if (!cells[0]!.trim().startsWith('**')) expect(cells[1]!.trim(), row).not.toBe('');
    expect(row).not.toContain(';;');
  }
});

test('calls of talus are those of a world, a character, a vehicle, or of an entry', async () => {
  const world = await createWorld();
  const entries = ['three', 'rigs', 'controllers', 'react', 'babylon'];
  const elsewhere = readFileSync(join(root, 'api/report.txt'), 'utf8');
  const names = ['Rapier', 'cannon-es', 'Havok', 'ammo', 'Jolt'].flatMap((section) =>
    rowsOf(section).flatMap(([, ours]) =>
      ours.flatMap((code) => Array.from(code.matchAll(/(?<!\w)([a-z]\w+)\(/g), ([, name]) => name!)),
    ),
  );
  expect(names.length).toBeGreaterThan(150);
  expect(entries.every((entry) => elsewhere.includes(`# talus/${entry}`))).toBe(true);
  const lost = [...new Set(names)].filter((name) => !(name in world) && !new RegExp(`\\b${name}\\b`).test(elsewhere));
  expect(lost).toEqual([]);
});
