// Nesterov's acceleration of the papers' iterations (lab/methods/momentum.mjs, assembly/study/methods/momentum.ts): on single frames from
// impulses of zero, at equal iterations and at equal time, and in the engine with substeps and warm start, where few passes hide it.
import { pairedRatio } from '../../bench/lib/intervals.mjs';
import { median } from '../../bench/lib/stats.mjs';
import { isAlike, isLess } from '../lib/claims.mjs';
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

export const acceleration = {
  name: 'nesterov',
  page: 'talus',
  title: 'Nesterov’s acceleration of the iterations, one frame',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const problems = [];
    const data = [];
    const list = scenes(quick).flatMap((s) => (s.seeds ? seeds : [1]).map((seed) => ({ ...s, seed })));
    for (let k = 0; k < list.length; k++) {
      const { label, name, options, frame, seed } = list[k];
      progress(k / list.length, `${label}, seed ${seed}`);
      const curves = await kept({ name, options, frame, seed }, async () => {
        const run = await open(buildScene(name, { seed, ...options }), { solver: 'pgs' });
        await advance(run, frame);
        const p = extractProblem(run);
        run.dispose();
        const found = {};
        for (const method of NAMES) {
          await breathe();
          const { values } = iterate(p, METHODS[method], COUNTS.at(-1), (v) => violation(p, v));
          found[method] = Object.fromEntries(COUNTS.map((i) => [i, values[i] / values[0]]));
        }
        return found;
      });
      for (const method of NAMES) {
        for (const i of COUNTS) data.push({ scene: label, seed, method, iterations: i, violation: curves[method][i] });
      }
      problems.push({ label, curves });
    }
    const labels = [...new Set(problems.map((p) => p.label))];
    const middle = (label, method, i) => 100 * median(problems.filter((p) => p.label === label).map((p) => p.curves[method][i]));
    const rows = labels.flatMap((label) =>
      NAMES.map((method) => [label, method, ...COUNTS.map((i) => middle(label, method, i))]),
    );
    const of = (method, i) => problems.map((p) => p.curves[method][i]);
    const ratios = PAIRS.flatMap(([plain, fast]) =>
      COUNTS.map((i) => {
        const ratio = pairedRatio(of(fast, i), of(plain, i));
        return [fast, i, ratio.value, ratio.low, ratio.high, `${ratio.wins} of ${ratio.n}`];
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
      claims: [
        ...[30, 50, 100].map((i) =>
          isLess({
            claim: `pair splitting after ${i} iterations: violation accelerated over plain`,
            paper: '-',
            a: of('pair splitting, accelerated', i),
            b: of('pair splitting', i),
          }),
        ),
        ...['PGS', 'Jacobi, line search'].map((other) =>
          isLess({
            claim: `after 100 iterations: accelerated pair splitting over ${other}`,
            paper: '-',
            a: of('pair splitting, accelerated', 100),
            b: of(other, 100),
          }),
        ),
      ],
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

const ONE_STEP = {
  integration: 'one-step',
  iterations: 30,
  stabilization: 'baumgarte',
  linearSlop: 0.005,
  frictionModel: 'pyramid-staggered',
};
const pairs = (substeps, sweeps, contactHertzRatio) => ({ solver: 'pair-split', substeps, sweeps, contactHertzRatio });
/** Small cells: the scenes are small. */
const cells = (substeps, sweeps, contactHertzRatio) => ({
  solver: 'cell-split',
  substeps,
  sweeps,
  contactHertzRatio,
  mean: 'iteration',
  granularity: 32,
});
const ENGINE = [
  ['pair-split, 20 x 4 at 0.065 (balanced)', pairs(20, 4, 0.065)],
  ['pair-split, 10 x 8 at 0.1', pairs(10, 8, 0.1)],
  ['pair-split, 5 x 16 at 0.1', pairs(5, 16, 0.1)],
  ['cell-split, 12 x 2 at 0.125', cells(12, 2, 0.125)],
  ['cell-split, 6 x 4 at 0.2', cells(6, 4, 0.2)],
  ['scalar-split, 20 x 4 at 0.04 (balanced)', { solver: 'scalar-split', preset: 'balanced' }],
  ['pair-split, one step of 30', { ...ONE_STEP, solver: 'pair-split' }],
  ['pgs, one step of 30', { ...ONE_STEP, solver: 'pgs' }],
];

export const accelerationInEngine = {
  name: 'nesterov-engine',
  page: 'talus',
  title: 'Nesterov’s acceleration with substeps and warm start',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const steps = quick ? 60 : 360;
    const runs = [
      { label: 'wall of 8 layers', name: 'wall', options: { scale: 8 / 30 }, seed: 1, stands: true },
      ...seeds.map((seed) => ({ label: 'pile of 60', name: 'boxes-small', options: { count: 60 }, seed })),
    ];
    const labels = [...new Set(runs.map((r) => r.label))];
    const rows = [];
    const data = [];
    let done = 0;
    for (const [label, options] of ENGINE) {
      for (const nesterov of [false, true]) {
        const found = new Map(labels.map((l) => [l, []]));
        for (const { label: scene, name, options: size, seed, stands } of runs) {
          progress(done++ / (2 * ENGINE.length * runs.length), `${label}: ${scene}`);
          const result = await kept({ name, size, options, nesterov, steps, seed }, async () => {
            const run = await open(buildScene(name, { seed, ...size }), { ...options, nesterov, sleep: false });
            const speeds = [];
            const begin = process.cpuUsage();
            await advance(run, steps, (step) => {
              if (step > steps - 60) speeds.push(run.world.measure().rmsSpeed);
            });
            const time = process.cpuUsage(begin).user / 1e6 / steps;
            const depth = run.world.measure().penetrationMean;
            const moved = stands ? run.motion.displacement(run.read()).farthest : 0;
            const fell = !(moved < 0.3) || !Number.isFinite(depth);
            run.dispose();
            return { fell, rms: fell ? Number.NaN : median(speeds), depth, time };
          });
          found.get(scene).push(result);
          data.push({ solver: label, nesterov, scene, seed, ...result });
        }
        const of = (scene, key) => found.get(scene).map((x) => 1000 * x[key]);
        const [wall, pile] = labels;
        rows.push([
          nesterov ? `${label}, accelerated` : label,
          of(wall, 'rms').some(Number.isNaN) ? 'falls' : median(of(wall, 'rms')),
          median(of(pile, 'rms')),
          Math.min(...of(pile, 'rms')),
          Math.max(...of(pile, 'rms')),
          median(of(wall, 'depth')),
          median(of(pile, 'depth')),
          median(of(wall, 'time')),
          median(of(pile, 'time')),
        ]);
      }
    }
    return {
      heading: 'Nesterov’s acceleration in the engine',
      claims: ENGINE.filter(([label]) => !label.startsWith('pgs')).map(([label]) => {
        const speeds = (nesterov) =>
          data.filter((d) => d.solver === label && d.nesterov === nesterov && d.scene === 'pile of 60').map((d) => d.rms);
        return isAlike({
          claim: `${label}, pile of 60: speed at the end, accelerated over plain`,
          paper: '-',
          a: speeds(true),
          b: speeds(false),
          within: 2,
        });
      }),
      paper: 'In no paper.',
      ours: `A wall and ${seeds.length} piles for ${steps / 60} s, with substeps and warm start, and with one step of 30 iterations: rms speed over the last second, mean overlap, processor time of a step.`,
      agreement:
        'With substeps there is little to gain: beta is 0 after the first iteration, 0.25 after the second and 0.4 after the third, and warm start has done most of the work. With one step of many iterations it calms walls and piles.',
      tables: [
        {
          title: 'Calm and depth',
          head: [
            'solver',
            'wall, mm/s',
            'pile, median, mm/s',
            'least',
            'most',
            'overlap, wall, mm',
            'overlap, pile, mm',
            'step, wall, ms',
            'step, pile, ms',
          ],
          rows,
        },
      ],
      csv: { 'nesterov-engine': data },
    };
  },
};
