// docs/own_solver.md: whoever pastes its code has a solver that runs; the complete examples are the files of the repository.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createWorld, type OwnSolver, Rows } from '../../src/study/index';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const page = read('docs/own_solver.md');
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!);
const [small, example, world] = blocks('js') as [string, string, string];

const folder = resolve(root, 'build/own_solver_guide');
mkdirSync(folder, { recursive: true });
/** Pastes code into a file and runs it. The package is its source, by the alias of vitest.config.ts. */
function paste(name: string, code: string): Promise<Record<string, OwnSolver>> {
  const file = resolve(folder, name);
  writeFileSync(file, code);
  return import(/* @vite-ignore */ file);
}

// A pasted file waits for the server, which may be compiling a core for another test.
vi.setConfig({ testTimeout: 400_000 });
afterEach(() => vi.restoreAllMocks());

test('the complete examples are the files of the lab and of the core', () => {
  expect(blocks('js')).toHaveLength(3);
  expect(example).toBe(read('lab/methods/nncg.mjs'));
  expect(example.split('\n').length).toBeLessThan(60);
  const [core] = blocks('ts');
  expect(core!.length).toBeGreaterThan(500);
  expect(read('assembly/study/methods/nncg.ts')).toContain(core);
});

test('the smallest solver sweeps as pgs does', async () => {
  const { mySweep } = await paste('my_sweep.mjs', small);
  const ends = await Promise.all(
    [mySweep!, 'pgs' as const].map(async (solver) => {
      const world = await createWorld({ solver, frictionModel: 'pyramid-staggered', integration: 'one-step' });
      const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
      world.createBody({ type: 'static', shape, position: [0, -0.5, 0] });
      world.createBody({ shape, position: [0.1, 0.5, 0], linearVelocity: [0.5, 0, 0] });
      for (let i = 0; i < 10; i++) world.step();
      return Array.from(world.velocities.slice(16, 32));
    }),
  );
  for (const [k, x] of ends[0]!.entries()) expect(x).toBeCloseTo(ends[1]![k]!, 5);
});

test('the solver of step 1 runs in the world of step 3', async () => {
  const lines: unknown[][] = [];
  vi.spyOn(console, 'log').mockImplementation((...line) => {
    lines.push(line);
  });
  await paste('nncg.mjs', example);
  await paste('main.mjs', world);
  expect(lines).toHaveLength(1);
  expect(lines[0]![0]).toBe('conjugate-gradient');
  expect(lines[0]![1]).toBeLessThan(0.01);
});

test('the table of members names those of Rows, all of them', () => {
  const section = page.slice(page.indexOf('### The rows'), page.indexOf('## Step 2'));
  const named = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name]) => name!),
  );
  const empty = new Rows({} as never);
  const members = [...Object.keys(empty), ...Object.getOwnPropertyNames(Rows.prototype)].filter((name) => name !== 'constructor');
  expect(named.toSorted()).toEqual(members.toSorted());
});

test('files that it names exist', () => {
  const files = [...page.matchAll(/`((?:lab|assembly|src|tests|scripts|shaders)\/[\w./]+\.\w+)`/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) expect(() => read(file), file).not.toThrow();
});
