// Nesterov's acceleration of the papers' iterations (lab/methods/momentum.mjs, assembly/study/methods/momentum.ts): on single frames from
// impulses of zero, at equal iterations and at equal time, and in the engine with substeps and warm start, where few passes hide it.
import { median } from '../../bench/lib/stats.mjs';
import { extractProblem, violation } from '../lib/problem.mjs';
import { short } from '../lib/report.mjs';
import { advance, breathe, buildScene, open } from '../lib/run.mjs';
import { iterate, METHODS } from '../methods/index.mjs';

/** Scenes of one frame; with chance where `seeds`. */
const scenes = (quick) => [
  { label: 'stack of 10', name: 'stack', options: { scale: 0.5 }, frame: 30 },
  { label: 'stack of 20', name: 'stack', options: { scale: 1 }, frame: 30 },
  { label: 'wall of 8 layers', name: 'wall', options: { scale: 8 / 30 }, frame: 30 },
  ...(quick ? [] : [{ label: 'wall of 15 layers', name: 'wall', options: { scale: 0.5 }, frame: 30 }]),
  { label: 'boxes', name: 'boxes', options: { scale: 0.04 }, frame: 150, seeds: true },
  { label: 'chain', name: 'chain', options: {}, frame: 120 },
  { label: 'card house', name: 'cardhouse-hit', options: {}, frame: 100, seeds: true },
  { label: 'fracture', name: 'fracture', options: { scale: 0.3 }, frame: 50, seeds: true },
];

const COUNTS = [10, 30, 50, 100];
const PAIRS = [
  ['PGS', 'PGS, accelerated'],
  ['pair splitting', 'pair splitting, accelerated'],
  ['scalar splitting', 'scalar splitting, accelerated'],
  ['cells of 128', 'cells of 128, accelerated'],
  ['Jacobi, spectral', 'Jacobi, spectral, accelerated'],
];
const NAMES = [...PAIRS.flat(), 'Jacobi, line search'];

const geometric = (values) => Math.exp(values.reduce((sum, x) => sum + Math.log(x), 0) / values.length);

/** 95 % of a geometric mean by the standard error of the logarithms. */
function interval(values) {
  const logs = values.map(Math.log);
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  const error = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, logs.length - 1) / logs.length);
  return [Math.exp(mean - 1.96 * error), Math.exp(mean + 1.96 * error)];
}

export const acceleration = {
  name: 'nesterov',
  page: 'talus',
  title: 'Nesterov’s acceleration of the iterations, one frame',
  async run({ quick, progress }) {
    const seeds = quick ? [1] : [1, 2, 3, 4, 5, 6];
    const problems = [];
    const data = [];
    const list = scenes(quick).flatMap((s) => (s.seeds ? seeds : [1]).map((seed) => ({ ...s, seed })));
    for (let k = 0; k < list.length; k++) {
      const { label, name, options, frame, seed } = list[k];
      progress(k / list.length, `${label}, seed ${seed}`);
      const run = await open(buildScene(name, { seed, ...options }), { solver: 'pgs' });
      await advance(run, frame);
      const p = extractProblem(run);
      run.dispose();
      const curves = {};
      for (const method of NAMES) {
        await breathe();
        const start = performance.now();
        const { values } = iterate(p, METHODS[method], COUNTS.at(-1), (v) => violation(p, v));
        curves[method] = { values: values.map((x) => x / values[0]), time: performance.now() - start };
        for (const i of COUNTS) data.push({ scene: label, seed, method, iterations: i, violation: curves[method].values[i] });
      }
      problems.push({ label, curves });
    }
    const labels = [...new Set(problems.map((p) => p.label))];
    const middle = (label, method, i) =>
      100 * median(problems.filter((p) => p.label === label).map((p) => p.curves[method].values[i]));
    const rows = labels.flatMap((label) =>
      NAMES.map((method) => [label, method, ...COUNTS.map((i) => middle(label, method, i))]),
    );
    const of = (method, i) => problems.map((p) => p.curves[method].values[i]);
    const ratios = PAIRS.flatMap(([plain, fast]) =>
      COUNTS.map((i) => {
        const all = of(fast, i).map((x, k) => x / of(plain, i)[k]);
        return [fast, i, geometric(all), ...interval(all), `${all.filter((x) => x < 1).length} of ${all.length}`];
      }),
    );
    const below = (method, other, i) => of(method, i).filter((x, k) => x < of(other, i)[k]).length;
    const duels = [
      ['pair splitting, accelerated', 'PGS'],
      ['pair splitting, accelerated', 'Jacobi, line search'],
      ['scalar splitting, accelerated', 'PGS'],
      ['scalar splitting, accelerated', 'Jacobi, line search'],
      ['cells of 128, accelerated', 'PGS'],
      ['PGS, accelerated', 'PGS'],
    ].map(([a, b]) => [a, b, ...COUNTS.map((i) => `${below(a, b, i)} of ${problems.length}`)]);
    const ratio = (fast, i) => ratios.find((r) => r[0] === fast && r[1] === i);
    const pair = (i) => short(ratio('pair splitting, accelerated', i)[2], 2);
    return {
      heading: 'Nesterov’s acceleration',
      paper: 'In no paper. Tonge accelerates nothing; Mazhar and others 2015 accelerate projected gradients.',
      ours: `${problems.length} frames in double precision, staggered friction, impulses of zero: violation as a share of its start. Each method alone and accelerated with restarts.`,
      agreement: `Pair splitting, accelerated, has ${pair(30)}, ${pair(50)} and ${pair(100)} times the violation of plain pair splitting after 30, 50 and 100 iterations (geometric means). It is below PGS in ${below('pair splitting, accelerated', 'PGS', 100)} of ${problems.length} frames after 100 and in ${below('pair splitting, accelerated', 'PGS', 30)} after 30. Before the tenth iteration it gains nothing.`,
      tables: [
        {
          title: 'Violation in % of its start, median over seeds',
          head: ['scene', 'method', ...COUNTS.map((i) => `after ${i}`)],
          rows,
        },
        {
          title: 'Accelerated over plain: geometric mean over frames, 95 %, frames below 1',
          head: ['method', 'iterations', 'ratio', 'from', 'to', 'below'],
          rows: ratios,
        },
        {
          title: 'Frames in which one is below the other',
          head: ['one', 'other', ...COUNTS.map((i) => `after ${i}`)],
          rows: duels,
        },
      ],
      csv: { nesterov: data },
    };
  },
};
