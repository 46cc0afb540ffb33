// `node lab/try.mjs FILE|NAME...`: tries solvers of your own (docs/own_solver.md). Each FILE is a module that exports what `defineSolver`
// returned, a NAME that of a solver of talus/study, which is tried in the engine only.
// Prints how they converge on static problems in double precision, and how they do in the engine, beside Gauss-Seidel and pair splitting.
// It takes a minute; `--static` leaves the engine out, `--quick` all but the first scene and most of the steps.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createWorld } from 'talus/study';
import { table } from '../bench/lib/report.mjs';
import { extractProblem, violation } from './lib/problem.mjs';
import { short } from './lib/report.mjs';
import { onRows } from './lib/rows.mjs';
import { advance, buildScene, open } from './lib/run.mjs';
import { iterate, METHODS } from './methods/index.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { static: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
const solvers = [];
for (const file of positionals) {
  if (!/[./]/.test(file)) {
    try {
      const world = await createWorld({ solver: file });
      world.dispose();
    } catch (error) {
      console.error(error.message);
      process.exit(1);
    }
    solvers.push(file);
    continue;
  }
  if (!existsSync(file)) {
    console.error(`There is no file ${file}`);
    process.exit(1);
  }
  const module = await import(pathToFileURL(resolve(file)).href);
  const found = Object.values(module).filter((value) => typeof value?.start === 'function');
  if (found.length === 0) throw new Error(`${file} exports no solver: export const solver = defineSolver({ name, start })`);
  solvers.push(...found);
}
if (solvers.length === 0) {
  console.error('Usage: node lab/try.mjs FILE|NAME... [--static] [--quick]');
  process.exit(1);
}

/** Scenes, and the step at which their contacts are taken. */
const ALL = [
  { label: 'stack of 10', name: 'stack', options: { scale: 0.5 }, frame: 60 },
  { label: 'wall of 8 layers', name: 'wall', options: { scale: 8 / 30 }, frame: 60 },
  { label: 'card house', name: 'cardhouse', options: {}, frame: 100 },
  { label: 'pile of 60', name: 'boxes-small', options: { count: 60 }, frame: 200 },
];
const SCENES = values.quick ? ALL.slice(0, 1) : ALL;
const STEPS = values.quick ? 60 : 240;
const COUNTS = [5, 10, 30, 100];
const scene = ({ name, options }) => buildScene(name, { seed: 1, ...options });
const print = (title, head, rows) => {
  const cell = (value) => (typeof value === 'number' ? short(value) : value);
  console.log(`\n${title}`);
  console.log(
    table(
      head,
      rows.map((row) => row.map(cell)),
    ),
  );
};

for (const one of solvers.some((solver) => solver.start) ? SCENES : []) {
  const run = await open(scene(one), { solver: 'pgs' });
  await advance(run, one.frame);
  const problem = extractProblem(run);
  run.dispose();
  const methods = { PGS: METHODS.PGS, 'pair splitting': METHODS['pair splitting'] };
  for (const solver of solvers) if (solver.start) methods[solver.name] = onRows(solver);
  const rows = Object.entries(methods).map(([name, method]) => {
    const { values } = iterate(problem, method, COUNTS.at(-1), (v) => violation(problem, v));
    return [name, ...COUNTS.map((count) => (100 * values[count]) / values[0])];
  });
  const title = `${one.label}, static: violation in % of its start after iterations (${problem.points} contacts)`;
  print(title, ['method', ...COUNTS.map(String)], rows);
}
if (values.static) process.exit(0);

const frictionModel = 'pyramid-staggered';
for (const one of SCENES.slice(0, 2)) {
  const rows = [];
  for (const solver of ['pgs', 'pair-split', ...solvers]) {
    const row = [solver.name ?? solver];
    for (const iterations of COUNTS) {
      const settings = { solver, frictionModel, integration: 'one-step', iterations, stabilization: 'baumgarte', warmStart: 0 };
      const run = await open(scene(one), settings);
      run.step();
      row.push(1000 * run.world.measure().residualRms);
      run.dispose();
    }
    const run = await open(scene(one), {
      solver,
      frictionModel,
      substeps: 12,
      sweeps: 4,
      contactHertzRatio: 0.065,
      sleep: false,
    });
    let ms = 0;
    await advance(run, STEPS, () => {
      ms += run.world.profile.solve / STEPS;
    });
    const { rmsSpeed } = run.world.measure();
    rows.push([...row, 1000 * rmsSpeed, ms]);
    run.dispose();
  }
  const columns = COUNTS.map((count) => `residual, ${count}`);
  print(
    `${one.label}, engine: residual (mm/s) of one step from impulses of zero after iterations; rms speed (mm/s) after ${STEPS / 60} s of 12 substeps x 4 sweeps`,
    ['solver', ...columns, 'rms speed', 'ms per step'],
    rows,
  );
}
process.exit(0);
