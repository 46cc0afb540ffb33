// Augmented Vertex Block Descent (Giles, Diaz, Yuksel 2025) in the same tables as the other methods: residual an iteration, calm and depth
// of stack, wall and pile, mass ratios, chains; at equal sweeps and at equal time.
import { medianInterval } from '../../bench/lib/intervals.mjs';
import { median } from '../../bench/lib/stats.mjs';
import { isLess, isOnce } from '../lib/claims.mjs';
import { lines } from '../lib/plot.mjs';
import { short } from '../lib/report.mjs';
import { advance, available, breathe, buildScene, oneStep, open } from '../lib/run.mjs';

const DEFAULT = 'default (wide, balanced)';
const shown = ({ value, low, high }, scale) =>
  low === high ? short(scale * value) : `${short(scale * value)} (${short(scale * low)} to ${short(scale * high)})`;

/** Time of the solver of one step of a settled wall, ms: what equal time means. */
async function cost(options, steps) {
  const run = await open(buildScene('wall', { scale: 8 / 30 }), { ...options, sleep: false });
  const times = [];
  await advance(run, steps, () => times.push(run.world.profile.solve));
  run.dispose();
  return median(times.slice(steps >> 1));
}

async function variants(equal) {
  const avbd = (label, extra) => ({ label: `avbd, ${label}`, options: { solver: 'avbd', ...extra } });
  const { can, missing } = await available([
    { label: DEFAULT, options: {} },
    { label: 'pgs, balanced', options: { solver: 'pgs' } },
    { label: 'pgs, one step of 10, Baumgarte', options: { solver: 'pgs', ...(await oneStep(10)) } },
    { label: 'pair-split, balanced', options: { solver: 'pair-split' } },
    { label: 'cell-split, balanced', options: { solver: 'cell-split' } },
    avbd(`${equal} iteration${equal > 1 ? 's' : ''} (the time of pgs)`, { iterations: equal }),
    avbd('10 iterations', {}),
    avbd('24 iterations (the sweeps of the default)', { iterations: 24 }),
    avbd('10, alpha 0.95 instead of post-stabilization', { avbdPostStabilize: false, avbdErrorKept: 0.95 }),
    avbd('10, alpha 0.99 instead of post-stabilization', { avbdPostStabilize: false }),
    avbd('10, beta 3e5', { avbdRamp: 3e5 }),
    avbd('10, beta 1e6', { avbdRamp: 1e6 }),
    avbd('4 substeps of 3', { integration: 'substeps', substeps: 4, sweeps: 3 }),
    avbd('10 substeps of 1', { integration: 'substeps', substeps: 10, sweeps: 1 }),
  ]);
  return { can, missing };
}

/** Residual of one step of k iterations from nothing, as `tonge-engine` measures it. */
async function residuals(quick, progress) {
  const counts = [1, 2, 4, 8, 16, 32, 64];
  const rows = [];
  const data = [];
  const scenes = [
    { label: 'stack of 10', name: 'stack', options: { scale: 0.5 }, frame: 120 },
    { label: 'wall of 8 layers', name: 'wall', options: { scale: 8 / 30 }, frame: 120 },
    { label: 'pile of boxes', name: 'boxes-small', options: { seed: 1, count: quick ? 30 : 200 }, frame: 240 },
  ];
  for (const { label, name, options, frame } of scenes) {
    progress(label);
    const run = await open(buildScene(name, options), { solver: 'pgs', sleep: false });
    await advance(run, frame);
    for (const solver of ['pgs', 'pair-split', 'cell-split', 'avbd']) {
      const row = [label, solver];
      for (const k of counts) {
        const twin = await run.world.clone();
        const other = { ...(await oneStep(k, { solver })), stabilizationFactor: 0 };
        twin.set({ warmStart: 0, ...(solver === 'avbd' ? { solver, integration: 'one-step', iterations: k } : other) });
        twin.step();
        const { residualRms } = twin.measure();
        row.push(1000 * residualRms);
        data.push({ scene: label, solver, iterations: k, residual: residualRms });
        twin.dispose();
      }
      rows.push(row);
      await breathe();
    }
    run.dispose();
  }
  return { rows, data, counts };
}

const SCENES = [
  { label: 'stack of 10', name: 'stack', options: { scale: 0.5 } },
  { label: 'wall of 8 layers', name: 'wall', options: { scale: 8 / 30 } },
  { label: 'pile of 60', name: 'boxes-small', options: { count: 60 }, chance: true },
];

/** Calm, depth and time of all variants in all scenes. */
async function dynamics(can, quick, seeds, progress, kept) {
  const steps = quick ? 120 : 480;
  const rows = [];
  const data = [];
  for (const [k, { label, options }] of can.entries()) {
    for (const scene of SCENES) {
      progress((k + SCENES.indexOf(scene) / SCENES.length) / can.length, `${label}: ${scene.label}`);
      const runs = [];
      for (const seed of scene.chance ? seeds : [1]) {
        const result = await kept({ scene, options, steps, seed }, async () => {
          const run = await open(buildScene(scene.name, { seed, ...scene.options }), {
            ...options,
            seed,
            sleep: false,
            warn: false,
          });
          const speeds = [];
          const times = [];
          let deepest = 0;
          await advance(run, steps, (step) => {
            times.push(run.world.profile.solve);
            const m = run.world.measure();
            deepest = Math.max(deepest, m.penetrationMax);
            if (step > steps - 60) speeds.push(m.rmsSpeed);
          });
          const m = run.world.measure();
          const moved = scene.chance ? 0 : run.motion.displacement(run.read()).farthest;
          const fell = run.motion.lost(run.read()) > 0 || !(moved < 0.3) || !Number.isFinite(m.penetrationMean);
          run.dispose();
          return { rms: median(speeds), depth: m.penetrationMean, deepest, ms: median(times), fell };
        });
        runs.push(result);
        data.push({ method: label, scene: scene.label, seed, ...result });
      }
      const of = (key) => medianInterval(runs.map((r) => r[key]));
      const falls = runs.filter((r) => r.fell).length;
      rows.push([
        scene.label,
        label,
        falls > 0 ? `falls in ${falls} of ${runs.length}` : shown(of('rms'), 1000),
        shown(of('depth'), 1000),
        shown(of('deepest'), 1000),
        of('ms').value,
      ]);
    }
  }
  rows.sort((a, b) => SCENES.findIndex((s) => s.label === a[0]) - SCENES.findIndex((s) => s.label === b[0]));
  return { rows, data };
}

/** A block on five slabs, and a box at the end of a chain of twenty links. */
async function loads(quick, progress) {
  const ratios = quick ? [10, 1000] : [10, 100, 1000];
  const steps = quick ? 240 : 600;
  const avbd = (label, extra = {}) => ({ label: `avbd, ${label}`, options: { solver: 'avbd', ...extra } });
  const list = [
    { label: DEFAULT, options: {} },
    { label: 'cell-split, balanced', options: { solver: 'cell-split' } },
    { label: 'pgs, balanced', options: { solver: 'pgs' }, contacts: true },
    { label: 'pair-split, balanced', options: { solver: 'pair-split' }, contacts: true },
    avbd('10 iterations'),
    avbd('10, beta 1e6', { avbdRamp: 1e6 }),
    avbd('24, beta 1e6', { iterations: 24, avbdRamp: 1e6 }),
    avbd('24, beta 1e7', { iterations: 24, avbdRamp: 1e7 }),
  ];
  const slabs = [];
  const chains = [];
  for (const { label, options, contacts } of list) {
    for (const ratio of ratios) {
      progress(`${label}, 1:${ratio}`);
      const run = await open(buildScene('slabs', { massRatio: ratio }), { ...options, warn: false });
      let deepest = 0;
      await advance(run, steps, () => {
        deepest = Math.max(deepest, run.world.measure().penetrationMax);
      });
      const moved = run.motion.displacement(run.read());
      const m = run.world.measure();
      slabs.push([
        label,
        ratio,
        moved.farthest < 0.1 ? 'stands' : 'fell',
        1000 * deepest,
        1000 * m.penetrationMax,
        1000 * m.rmsSpeed,
      ]);
      run.dispose();
      if (contacts) continue;
      chains.push([label, ratio, ...(await chain(options, ratio, steps))]);
      await breathe();
    }
  }
  return { slabs, chains };
}

/** Worst and last stretch of a chain (mm) that swings with a box at its end, and energy that it has at the end over what it began with. */
async function chain(options, ratio, steps) {
  const scene = buildScene('stack', { scale: 0.05 });
  const run = await open(scene, { ...options, sleep: false, warn: false });
  const { world } = run;
  const bar = (mass, [a, b, c]) => ({
    mass,
    inertia: [((b * b + c * c) * mass) / 3, ((a * a + c * c) * mass) / 3, ((a * a + b * b) * mass) / 3, 0, 0, 0],
  });
  // High above the scene, without colliders.
  const height = 100;
  let last = null;
  const all = [];
  for (let i = 0; i < 20; i++) {
    const id = world.createBody({ position: [0.2 * i + 0.1, height, 0], mass: bar(1, [0.1, 0.03, 0.03]) });
    world.createJoint({ type: 'ball', bodyA: last, bodyB: id, anchor: [0.2 * i, height, 0], frictionLever: 0 });
    all.push({ id, mass: 1 });
    last = id;
  }
  const end = world.createBody({ position: [4.25, height, 0], mass: bar(ratio, [0.25, 0.25, 0.25]) });
  world.createJoint({ type: 'ball', bodyA: last, bodyB: end, anchor: [4, height, 0], frictionLever: 0 });
  all.push({ id: end, mass: ratio });
  const total = all.reduce((sum, { mass }) => sum + mass, 0);
  let worst = 0;
  let stretch = 0;
  let highest = 0;
  for (let i = 0; i < steps; i++) {
    world.step();
    const [x, y, z] = world.getPosition(end, [0, 0, 0]);
    stretch = Math.hypot(x, y - height, z) - 4.25;
    worst = Math.max(worst, stretch);
    let energy = 0;
    for (const { id, mass } of all) {
      const v = Math.hypot(...world.getLinearVelocity(id, [0, 0, 0]));
      energy += mass * (0.5 * v * v + 9.81 * (world.getPosition(id, [0, 0, 0])[1] - height));
    }
    highest = energy / (9.81 * 4 * total);
  }
  run.dispose();
  return [1000 * worst, 1000 * Math.max(stretch, 0), highest];
}

export const avbd = {
  name: 'avbd',
  page: 'talus',
  title: 'Augmented Vertex Block Descent against the solvers of talus',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const steps = quick ? 40 : 120;
    const [pgs, ours] = [await cost({ solver: 'pgs' }, steps), await cost({ solver: 'avbd' }, steps)];
    // Iterations and the one of post-stabilization.
    const equal = Math.max(1, Math.round((11 * pgs) / ours) - 1);
    const { can, missing } = await variants(equal);
    const convergence = await residuals(quick, (what) => progress(0.05, what));
    const { rows, data } = await dynamics(
      quick ? can.filter((_, i) => i % 3 === 0) : can,
      quick,
      seeds,
      (share, what) => progress(0.1 + 0.7 * share, what),
      kept,
    );
    const { slabs, chains } = await loads(quick, (what) => progress(0.9, what));
    const row = (scene, method) => data.filter((d) => d.scene === scene && d.method === method);
    const calmer = SCENES.filter(({ label }) => {
      const of = (method) => median(row(label, method).map((d) => d.rms));
      return of('avbd, 10 iterations') < of(DEFAULT);
    });
    const ratio =
      median(row('wall of 8 layers', 'avbd, 10 iterations').map((d) => d.ms)) /
      median(row('wall of 8 layers', DEFAULT).map((d) => d.ms));
    return {
      heading: 'AVBD beside the solvers of talus',
      claims: [
        ...[DEFAULT, 'pgs, balanced', 'cell-split, balanced'].flatMap((other) => {
          const pile = (method, key) => row('pile of 60', method).map((d) => d[key]);
          if (pile(other, 'rms').length === 0) return [];
          return [
            ['rms', 'speed at the end'],
            ['deepest', 'deepest overlap'],
          ].map(([key, what]) =>
            isLess({
              claim: `pile of 60, 10 iterations: ${what} over that of ${other}`,
              paper: '-',
              a: pile('avbd, 10 iterations', key),
              b: pile(other, key),
            }),
          );
        }),
        isOnce({ claim: 'time of the solver on a wall over that of the default', ours: ratio, unit: 'times' }),
      ],
      paper:
        'Giles, Diaz and Yuksel report stable stacks, chains with mass ratios of 1:50,000 and stiff joints at few iterations.',
      ours: `The method in WASM, scalar and in double precision; ${seeds.length} seeds where chance plays (median, and the interval of the median), ${quick ? 2 : 8} s each. Penalties are by mass.`,
      agreement: `With 10 iterations AVBD is calmer than the default in ${calmer.length} of 3 scenes${calmer.length > 0 ? ` (${calmer.map((s) => s.label).join(', ')})` : ''}; its solver takes ${short(ratio)} times as long on the wall. As long as pgs it takes with ${equal}.`,
      notes: [
        'AVBD here is written to be read, without SIMD and on one thread: compare its time with pgs, which is scalar too.',
        'Residual: rms of what is missing to complementarity after one step from zero impulses and least penalties. AVBD carries its penalties from step to step, so this is its weakest moment.',
        ...missing.map((m) => `Left out: ${m.label} (${m.reason}).`),
      ],
      tables: [
        {
          title: 'Residual of one step of k iterations from nothing, mm/s rms',
          head: ['scene', 'solver', ...convergence.counts.map(String)],
          rows: convergence.rows,
        },
        {
          title: 'Calm and depth',
          head: ['scene', 'method', 'rms at the end, mm/s', 'mean overlap, mm', 'deepest ever, mm', 'solver, ms'],
          rows,
        },
        {
          title: 'A block on five slabs',
          head: ['method', 'ratio', 'result', 'deepest ever, mm', 'overlap at the end, mm', 'rms, mm/s'],
          rows: slabs,
        },
        {
          title: 'A box at the end of a chain of twenty links that swings',
          head: [
            'method',
            'ratio',
            'worst stretch, mm',
            'stretch at the end, mm',
            'energy at the end, over the fall by its length',
          ],
          rows: chains,
        },
      ],
      plots: [
        {
          name: 'avbd-residual',
          caption: 'Residual of the pile after one step from nothing.',
          svg: lines(
            convergence.data
              .filter((d) => d.scene === 'pile of boxes' && d.residual < 10)
              .map((d) => ({ x: d.iterations, y: 1000 * d.residual, series: d.solver })),
            { xLabel: 'iterations', yLabel: 'residual (mm/s)', logX: true, logY: true, points: true },
          ),
        },
      ],
      csv: { avbd: data, 'avbd-residual': convergence.data },
    };
  },
};
