// Every kernel has its twin on the CPU in a file of the same name, says so, and stands in the table of docs/gpu.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const kernels = readdirSync(resolve(root, 'shaders'))
  .filter((name) => name.endsWith('.wgsl'))
  .map((name) => name.slice(0, -'.wgsl'.length));
/** Files that compute nothing: indices, words of rows, layouts. */
const BARE = ['groups', 'rows', 'layout.generated', 'jacobi_layout.generated'];
const shared = readdirSync(resolve(root, 'shaders/shared'))
  .map((name) => name.slice(0, -'.wgsl'.length))
  .filter((name) => !BARE.includes(name));

/** Rows of the table: shader, the first file of its twin. */
function twins(): Map<string, string> {
  const text = readFileSync(resolve(root, 'docs/gpu.md'), 'utf8').split('## Twins')[1]!.split('\n## ')[0]!;
  const rows = [...text.matchAll(/^\| (`[^|]+`) \| `([^`]+)`/gm)].filter((row) => row[1]!.includes('.wgsl'));
  return new Map(rows.flatMap((row) => [...row[1]!.matchAll(/`([^`]+)\.wgsl`/g)].map((one) => [one[1]!, row[2]!])));
}

test('the table names every file of the shaders that computes, and files that are there', () => {
  expect([...twins().keys()].sort()).toEqual([...kernels, ...shared.map((name) => `shared/${name}`)].sort());
  for (const twin of twins().values()) expect(existsSync(resolve(root, 'assembly', twin)), twin).toBe(true);
});

test.each(kernels)('%s.wgsl has its twin in a file of its name, and each names the other', (name) => {
  const twin = twins().get(name)!;
  const text = readFileSync(resolve(root, 'shaders', `${name}.wgsl`), 'utf8');
  const head = (code: string) =>
    code
      .split('\n')
      .slice(
        0,
        code.split('\n').findIndex((line) => !line.startsWith('//')),
      )
      .map((line) => line.slice(3))
      .join(' ');
  expect(head(text)).toContain(`assembly/${twin}`);
  // Poses are integrated for all solvers at one place.
  if (name === 'jacobi_pose') return;
  // Islands with and without joints are two kernels and one function.
  const file = name === 'island_joints' ? 'island' : name;
  expect(twin).toBe(`${/^(jacobi|sweep)_/.test(name) ? 'study/methods' : 'split'}/${file}.ts`);
  expect(head(readFileSync(resolve(root, 'assembly', twin), 'utf8'))).toContain(`shaders/${name}.wgsl`);
});
