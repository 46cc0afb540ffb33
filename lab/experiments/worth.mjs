// Compares every solver and every setting of the papers with the default: how calm and how deep a stack, a wall and a pile end with it, and
// its cost.
import { median } from '../../bench/lib/stats.mjs';
import { isCase, isLess } from '../lib/claims.mjs';
import { short } from '../lib/report.mjs';
import { advance, available, buildScene, oneStep, open } from '../lib/run.mjs';

const DEFAULT = 'default (wide, balanced)';

async function variants() {
  const list = [{ label: DEFAULT, options: {} }];
  for (const solver of [
    'colored',
    'pgs',
    'cell-order',
    'nncg',
    'cell-split',
    'pair-split',
    'scalar-split',
    'jacobi-line-search',
    'jacobi-spectral',
    'jacobi-average',
    'jacobi-assembled',
    'jacobi',
    'pair-split-printed',
  ]) {
    list.push({ label: `solver ${solver}, balanced`, options: { solver } });
  }
  // With contacts as stiff as those of pair-split, which these cannot follow: why their presets are softer.
  const stiff = { substeps: 20, sweeps: 4, contactHertzRatio: 0.08 };
  for (const solver of ['scalar-split', 'jacobi-spectral']) {
    list.push({ label: `solver ${solver}, 20 x 4 at 0.08`, options: { solver, ...stiff } });
  }
  const one = async (solver, iterations, extra = {}) => ({ solver, ...(await oneStep(iterations, { solver })), ...extra });
  list.push({ label: 'one step, pgs 30, Baumgarte', options: await one('pgs', 30) });
  list.push({ label: 'one step, pgs 30, Baumgarte, slop 5 mm', options: await one('pgs', 30, { linearSlop: 0.005 }) });
  list.push({ label: 'one step, pgs 30, projection', options: await one('pgs', 30, { stabilization: 'projection' }) });
  list.push({ label: 'one step, pair-split 30, Baumgarte', options: await one('pair-split', 30) });
  const set = (label, options) => list.push({ label: `pgs, ${label}`, options: { solver: 'pgs', ...options } });
  set('pyramid friction', { frictionModel: 'pyramid' });
  set('staggered pyramid', { frictionModel: 'pyramid-staggered' });
  set('random tangent', { frictionModel: 'random-tangent' });
  set('permutation', { permutation: true });
  set('slop 5 mm', { linearSlop: 0.005 });
  set('warm start 0.9', { warmStart: 0.9 });
  set('no warm start', { warmStart: 0 });
  set('no relax pass', { relax: false });
  set('Baumgarte in substeps', { stabilization: 'baumgarte' });
  set('weight amplification 1.4', { weightAmplification: 1.4 });
  set('shock propagation 0.5', { shockPropagation: 0.5 });
  set('aggressive sleep', { aggressiveSleep: true });
  return list;
}

export const worth = {
  name: 'methods',
  page: 'talus',
  title: 'by how much each method is worse than the default',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const all = await variants();
    // Solvers of one's own (docs/own_solver.md) are objects.
    const chosen = quick ? all.filter(({ options }, i) => i % 7 === 0 || typeof options.solver === 'object') : all;
    const { can, missing } = await available(chosen);
    const steps = quick ? 120 : 480;
    const scenes = [
      { label: 'stack of 10', name: 'stack', options: { scale: 0.5 }, seeds: [1] },
      { label: 'wall of 8 layers', name: 'wall', options: { scale: 8 / 30 }, seeds: [1] },
      { label: 'pile of 60', name: 'boxes-small', options: { count: quick ? 30 : 60 }, seeds },
    ];
    const results = new Map();
    const data = [];
    const total = can.length * scenes.length;
    let done = 0;
    for (const { label, options } of can) {
      const row = {};
      for (const scene of scenes) {
        progress(done++ / total, `${label}: ${scene.label}`);
        const runs = [];
        for (const seed of scene.seeds) {
          runs.push(
            await kept({ name: scene.name, scene: scene.options, options, steps, seed }, async () => {
              const run = await open(buildScene(scene.name, { seed, ...scene.options }), { ...options, seed });
              const speeds = [];
              const times = [];
              await advance(run, steps, (step) => {
                times.push(run.world.profile.solve);
                if (step > steps - 60) speeds.push(run.world.measure().rmsSpeed);
              });
              const m = run.world.measure();
              const state = run.read();
              const moved = scene.name === 'boxes-small' ? 0 : run.motion.displacement(state).farthest;
              const fell = run.motion.lost(state) > 0 || !(moved < 0.3) || !Number.isFinite(m.penetrationMean);
              run.dispose();
              return { rms: median(speeds), depth: m.penetrationMean, ms: median(times), fell };
            }),
          );
          data.push({ method: label, scene: scene.label, seed, ...runs.at(-1) });
        }
        row[scene.label] = {
          rms: Math.max(...runs.map((r) => r.rms)),
          depth: median(runs.map((r) => r.depth)),
          ms: median(runs.map((r) => r.ms)),
          fell: runs.some((r) => r.fell),
        };
      }
      results.set(label, row);
    }
    const base = results.get(DEFAULT);
    /** Of the pile, seed by seed. */
    const speedsOf = (label) =>
      data
        .filter((d) => d.method === label && d.scene === scenes[2].label)
        .map((d) => (d.fell ? Number.POSITIVE_INFINITY : d.rms));
    const [stack, wall, pile] = scenes.map((s) => s.label);
    const speed = (cell) => (cell.fell ? 'falls' : 1000 * cell.rms);
    const rows = [...results].map(([label, row]) => [
      label,
      speed(row[stack]),
      speed(row[wall]),
      speed(row[pile]),
      1000 * row[wall].depth,
      1000 * row[pile].depth,
      row[wall].ms / base[wall].ms,
      row[pile].ms / base[pile].ms,
    ]);
    const worse = [...results].filter(([label, row]) => {
      const calm = [stack, wall, pile].every((s) => !row[s].fell && row[s].rms <= Math.max(10 * base[s].rms, 1e-6));
      return label !== DEFAULT && !calm;
    });
    const falls = [...results].filter(([, row]) => [stack, wall].some((s) => row[s].fell)).map(([label]) => label);
    return {
      heading: 'Every method beside the default',
      claims: [
        isCase({
          claim: 'methods and settings that leave stack, wall or pile ten times as fast as the default',
          paper: '-',
          ours: `${worse.length} of ${results.size - 1}`,
          remark: 'stack and wall are one case each; of the pile the worst of the seeds',
        }),
        ...[...results.keys()]
          .filter((label) => /^(one step|solver (pair|scalar)-split, balanced)/.test(label))
          .map((label) =>
            isLess({
              claim: `${pile}: default calmer than ${label}`,
              paper: 'our own claim',
              a: speedsOf(DEFAULT),
              b: speedsOf(label),
            }),
          ),
      ],
      paper: 'Each paper compares its method with one or two others.',
      ours: `Stack of ten, wall of eight layers of ten, pile of ${quick ? 30 : 60} boxes (${seeds.length} seed${seeds.length > 1 ? 's' : ''}, the worst), ${short(steps / 60)} s: median rms speed in the last second, mean overlap, median time of the solver over that of the default.`,
      agreement: `Of ${results.size - 1} methods and settings ${worse.length} leave one of the scenes at more than ten times the speed that the default leaves it at (and above 0.001 mm/s); stack or wall fall with ${falls.join('; ') || 'none'}.`,
      notes: [
        'wide is SIMD, pgs its scalar twin; the solvers and settings on scalar rows are written to be read, so their time is that of an oracle.',
        ...missing.map((m) => `Left out: ${m.label} (${m.reason}).`),
      ],
      tables: [
        {
          title: 'At the end',
          head: [
            'method',
            `${stack}: rms, mm/s`,
            `${wall}: rms, mm/s`,
            `${pile}: rms, mm/s`,
            'wall: overlap, mm',
            'pile: overlap, mm',
            'wall: time / default',
            'pile: time / default',
          ],
          rows,
        },
      ],
      csv: { methods: data },
    };
  },
};
