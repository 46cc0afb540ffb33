// Our own questions: order dependence, mass ratios under load, granularity of cells, substeps against iterations.
import { median } from '../../bench/lib/stats.mjs';
import { isBetween, isCase, isLess, isOnce } from '../lib/claims.mjs';
import { permutation } from '../lib/orderings.mjs';
import { figures, lines } from '../lib/plot.mjs';
import { extractProblem, massDistance, violation } from '../lib/problem.mjs';
import { short } from '../lib/report.mjs';
import { advance, available, breathe, buildScene, oneStep, oneStepNote, open } from '../lib/run.mjs';
import { cellSplitting, iterate, METHODS } from '../methods/index.mjs';

/** The same problem with its links renumbered: order is what the solver gets, nothing else changes. */
function reordered(p, seed) {
  const order = permutation(p.links.length, seed);
  return { ...p, links: Array.from(order, (l) => p.links[l]) };
}

/** The scene with its bodies, poses as given by a state, created in another order. */
function shuffledScene(scene, state, seed) {
  const n = scene.bodies.count;
  const fixed = [];
  const moving = [];
  for (let i = 0; i < n; i++) (scene.bodies.density[i] > 0 ? moving : fixed).push(i);
  const order = [...fixed, ...Array.from(permutation(moving.length, seed), (k) => moving[k])];
  const pick = (array, width) => {
    const out = new array.constructor(array.length);
    order.forEach((from, to) => {
      for (let k = 0; k < width; k++) out[width * to + k] = array[width * from + k];
    });
    return out;
  };
  const b = {
    ...scene.bodies,
    position: Float32Array.from(state.position),
    rotation: Float32Array.from(state.rotation),
    linearVelocity: Float32Array.from(state.linear),
    angularVelocity: Float32Array.from(state.angular),
  };
  const widths = {
    type: 1,
    shape: 1,
    position: 3,
    rotation: 4,
    linearVelocity: 3,
    angularVelocity: 3,
    density: 1,
    friction: 1,
    restitution: 1,
  };
  const bodies = { count: n };
  for (const [key, width] of Object.entries(widths)) bodies[key] = pick(b[key], width);
  return { scene: { ...scene, bodies }, order };
}

export const order = {
  name: 'order',
  page: 'talus',
  title: 'how much the result depends on the order of contacts and bodies',
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress }) {
    const run = await open(buildScene('boxes-small', { seed: 1, scale: quick ? 0.1 : 0.6 }), { solver: 'pgs' });
    await advance(run, 240);
    const problem = extractProblem(run);
    const names = [
      'PGS',
      'PGS, colored',
      'PGS, cell-like 64',
      'Jacobi, line search',
      'Jacobi, averaged',
      'scalar splitting',
      'pair splitting',
      'cells of 64',
      'cells of 128, 2 sweeps',
    ];
    const shuffles = quick ? 3 : 8;
    const exact = iterate(problem, METHODS['cells of 128, 2 sweeps'], quick ? 300 : 1500, () => 0).v;
    const start = massDistance(problem, problem.v0, exact);
    const rows = [];
    const data = [];
    for (let k = 0; k < names.length; k++) {
      progress(k / (names.length + 4), names[k]);
      for (const count of [8, 32]) {
        const base = iterate(problem, METHODS[names[k]], count, () => 0).v;
        let largest = 0;
        for (let s = 1; s <= shuffles; s++) {
          await breathe();
          largest = Math.max(
            largest,
            massDistance(problem, base, iterate(reordered(problem, s), METHODS[names[k]], count, () => 0).v),
          );
        }
        const error = massDistance(problem, base, exact);
        rows.push([names[k], count, error / start, largest / start, largest / error]);
        data.push({ method: names[k], iterations: count, error: error / start, difference: largest / start });
      }
    }
    // The engine in single precision: the settled state as a new scene, with bodies created in another order; one step.
    const state = run.read();
    const inEngine = [];
    for (const solver of ['wide', 'colored', 'pgs', 'cell-order', 'pair-split', 'cell-split', 'scalar-split', 'jacobi-average']) {
      progress(0.8, `engine: ${solver}`);
      const speeds = [];
      let failed = false;
      for (let s = 0; s <= shuffles && !failed; s++) {
        const { scene, order: list } = s === 0 ? shuffledScene(run.scene, state, 0) : shuffledScene(run.scene, state, s);
        let other;
        try {
          other = await open(scene, { solver });
        } catch (error) {
          if (error.code !== 'invalid-argument') throw error;
          failed = true;
          continue;
        }
        other.step();
        const read = other.read();
        const v = new Float64Array(3 * scene.bodies.count);
        list.forEach((from, to) => {
          for (let k = 0; k < 3; k++) v[3 * from + k] = read.linear[3 * to + k];
        });
        speeds.push(v);
        other.dispose();
      }
      if (failed) continue;
      let largest = 0;
      let squares = 0;
      for (const v of speeds.slice(1)) {
        v.forEach((x, i) => {
          largest = Math.max(largest, Math.abs(x - speeds[0][i]));
          squares += (x - speeds[0][i]) ** 2;
        });
      }
      inEngine.push([solver, 1000 * largest, 1000 * Math.sqrt(squares / (speeds.length - 1) / speeds[0].length)]);
    }
    run.dispose();
    const at32 = (name) => rows.find((r) => r[0] === name && r[1] === 32);
    const of = (name) => short(inEngine.find((r) => r[0] === name)?.[2] ?? Number.NaN);
    return {
      heading: 'Order dependence',
      claims: [
        isCase({
          claim: 'pair splitting: what another order of links moves, over its own error',
          paper: 'does not depend on the order',
          ours: at32('pair splitting')[4],
          holds: at32('pair splitting')[4] < 1e-9,
          remark: 'rounding, in double precision',
        }),
        isCase({
          claim: 'Gauss-Seidel: the same',
          paper: 'depends on the order',
          ours: at32('PGS')[4],
          holds: at32('PGS')[4] > 1e-3,
        }),
        isCase({
          claim: 'cells of 64 (order within a cell matters): the same',
          paper: '-',
          ours: at32('cells of 64')[4],
        }),
        isOnce({
          claim: 'pair-split in the engine: what another order of bodies moves',
          paper: '-',
          ours: of('pair-split'),
          unit: 'mm/s rms',
          remark: `wide: ${of('wide')} mm/s; the narrow phase swaps the sides of a pair, so contacts differ`,
        }),
      ],
      paper: 'Tonge: the result of Gauss-Seidel depends on the order of the contacts; mass splitting by pairs does not.',
      ours: `A pile of ${problem.bodies} boxes: links renumbered at random ${shuffles} times, double precision, error and largest difference in the mass norm relative to the error at the start. Below, the engine in single precision: the same state with bodies created in ${shuffles} other orders, velocities after one step at its preset.`,
      agreement: `Another order of links moves Gauss-Seidel by ${short(100 * at32('PGS')[4])} % of its own error, cells of 64 by ${short(100 * at32('cells of 64')[4])} %, pair splitting by rounding only; in the engine another order of bodies moves pair-split by ${of('pair-split')} mm/s rms and wide by ${of('wide')} mm/s.`,
      tables: [
        {
          title: 'Static problem, double precision',
          head: ['method', 'iterations', 'error', 'largest difference by order', 'difference / error'],
          rows,
        },
        {
          title: 'In the engine, single precision, one step at preset',
          head: ['solver', 'largest difference, mm/s', 'rms difference, mm/s'],
          rows: inEngine,
        },
      ],
      csv: { order: data },
    };
  },
};

export const massRatio = {
  name: 'mass-ratio',
  page: 'talus',
  title: 'a block on slabs, mass ratios 1:1 to 1:1000',
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress }) {
    const ratios = quick ? [10, 100, 1000] : [1, 3, 10, 30, 100, 300, 1000];
    const steps = quick ? 240 : 600;
    const { can, missing } = await available([
      { label: 'wide, fast', options: { solver: 'wide', preset: 'fast' } },
      { label: 'wide, balanced', options: { solver: 'wide', preset: 'balanced' } },
      { label: 'wide, high', options: { solver: 'wide', preset: 'high' } },
      { label: 'cell-split, balanced', options: { solver: 'cell-split', preset: 'balanced' } },
      { label: 'pair-split, balanced', options: { solver: 'pair-split', preset: 'balanced' } },
      { label: 'PGS, one step of 30', options: { solver: 'pgs', ...(await oneStep(30)) } },
      { label: 'pair splitting, one step of 30', options: await oneStep(30, { solver: 'pair-split' }) },
      { label: 'PGS 30, weight amplification 1.4', options: { solver: 'pgs', ...(await oneStep(30)), weightAmplification: 1.4 } },
      { label: 'PGS 30, shock propagation', options: { solver: 'pgs', ...(await oneStep(30)), shockPropagation: 0.5 } },
    ]);
    const rows = [];
    const data = [];
    for (let k = 0; k < can.length; k++) {
      for (const massRatioValue of ratios) {
        progress((k + ratios.indexOf(massRatioValue) / ratios.length) / can.length, `${can[k].label}, 1:${massRatioValue}`);
        const run = await open(buildScene('slabs', { massRatio: massRatioValue }), can[k].options);
        await advance(run, steps);
        const m = run.world.measure();
        const moved = run.motion.displacement(run.read());
        const stands = moved.farthest < 0.1;
        rows.push([
          can[k].label,
          massRatioValue,
          stands ? 'stands' : 'fell',
          1000 * m.penetrationMax,
          1000 * moved.sunk,
          100 * moved.sideways,
          1000 * m.rmsSpeed,
        ]);
        data.push({
          method: can[k].label,
          ratio: massRatioValue,
          stands,
          depth: m.penetrationMax,
          sunk: moved.sunk,
          sideways: moved.sideways,
          rms: m.rmsSpeed,
        });
        run.dispose();
      }
    }
    const limit = (label) => Math.max(0, ...data.filter((d) => d.method === label && d.stands).map((d) => d.ratio));
    return {
      heading: 'Mass ratios under load',
      claims: can.map(({ label }) =>
        isCase({
          claim: `heaviest block that stands: ${label}`,
          paper: '-',
          ours: limit(label) > 0 ? `1:${limit(label)}` : 'none of these',
        }),
      ),
      paper: 'No paper gives numbers; Tonge’s fracture scene has large mass ratios, Tsuda amplifies weights for stacks.',
      ours: `A block on five slabs, the block as heavy as the ratio says, ${short(steps / 60)} s: largest overlap, sinking, sideways motion. Standing means that nothing moved by 10 cm.`,
      agreement: `By default a block of ${limit('wide, balanced')} times the mass of a slab stands on five of them, with one step of 30 Gauss-Seidel iterations ${limit('PGS, one step of 30') || 'none of these'}.`,
      notes: [...missing.map((m) => `Left out: ${m.label} (${m.reason.split(';')[0]}).`), await oneStepNote()].filter(Boolean),
      tables: [
        {
          title: 'Block on five slabs',
          head: ['method', 'ratio', 'result', 'overlap, mm', 'sunk, mm', 'sideways, cm', 'rms, mm/s'],
          rows,
        },
      ],
      plots: figures(
        'mass-ratio',
        'Largest overlap against mass ratio.',
        data.map((d) => ({ x: d.ratio, y: 1000 * d.depth, series: d.method })),
        { xLabel: 'mass ratio', yLabel: 'overlap (mm)', logX: true, logY: true, points: true },
      ),
      csv: { 'mass-ratio': data },
    };
  },
};

export const granularity = {
  name: 'granularity',
  page: 'talus',
  title: 'size of cells against convergence, split bodies and time',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const sizes = quick ? [4, 16, 64, 128] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
    const limit = quick ? 150 : 250;
    const scale = quick ? 0.2 : 1;
    const runs = [];
    for (const [s, seed] of seeds.entries()) {
      runs.push(
        await kept({ sizes, limit, scale, seed }, async () => {
          const run = await open(buildScene('boxes-small', { seed, scale }), { solver: 'pgs' });
          await advance(run, 240);
          const problem = extractProblem(run);
          const reach = (method) => {
            const { values, parts } = iterate(problem, method, limit, (v) => violation(problem, v));
            const tenth = values.findIndex((x) => x <= 0.1 * values[0]);
            return { tenth: tenth < 0 ? null : tenth, parts };
          };
          const pgs = reach(METHODS.PGS).tenth;
          const found = [];
          for (const [k, g] of sizes.entries()) {
            progress((s + k / sizes.length) / seeds.length, `seed ${seed}, g = ${g}`);
            await breathe();
            const once = reach(cellSplitting(g));
            await breathe();
            const twice = reach(cellSplitting(g, 2));
            const split = once.parts.filter((n) => n > 1).length;
            const used = once.parts.filter((n) => n > 0);
            const twin = await run.world.clone();
            twin.set({ solver: 'cell-split', granularity: g });
            const times = [];
            for (let i = 0; i < (quick ? 4 : 20); i++) {
              twin.step();
              times.push(twin.profile.solve);
            }
            const m = twin.measure();
            found.push({
              granularity: g,
              once: once.tenth,
              twice: twice.tenth,
              parts: used.reduce((a, b) => a + b, 0) / used.length,
              split: (100 * split) / used.length,
              cells: twin.profile.cells,
              engineSplit: twin.profile.splitBodies,
              ms: median(times),
              residual: m.residualRms,
            });
            twin.dispose();
          }
          run.dispose();
          return { bodies: problem.bodies, links: problem.links.length, pgs, found };
        }),
      );
    }
    const problem = runs[0];
    /** Over seeds; more iterations than the limit count as infinite. */
    const of = (k, key) => runs.map((r) => r.found[k][key] ?? Number.POSITIVE_INFINITY);
    const or = (value) => (Number.isFinite(value) ? value : null);
    const pgs = or(median(runs.map((r) => r.pgs ?? Number.POSITIVE_INFINITY)));
    const rows = sizes.map((g, k) => [
      g,
      or(median(of(k, 'once'))),
      or(median(of(k, 'twice'))),
      ...['parts', 'split', 'cells', 'engineSplit', 'ms'].map((key) => median(of(k, key))),
      1000 * median(of(k, 'residual')),
    ]);
    const data = runs.flatMap((r, i) => r.found.map((f) => ({ seed: seeds[i], ...f })));
    const smallest = 0;
    const large = sizes.indexOf(128);
    const first = rows.find((r) => r[0] === (quick ? 4 : 1));
    const big = rows.find((r) => r[0] === 128);
    return {
      heading: 'Granularity of cells',
      claims: [
        isLess({
          claim: `iterations to a tenth of the violation, cells of 128 less than cells of ${sizes[smallest]}`,
          paper: 'our own claim',
          a: of(large, 'once'),
          b: of(smallest, 'once'),
        }),
        isLess({
          claim: 'residual after a step of the engine, cells of 128 less than the smallest',
          paper: 'our own claim',
          a: of(large, 'residual'),
          b: of(smallest, 'residual'),
        }),
      ],
      paper: 'Tonge’s blocks are body pairs (g = 1 here, where a pair has one manifold); Tsuda calls the granularity flexible.',
      ours: `A settled pile of ${problem.bodies} boxes, ${problem.links.length} manifolds: iterations until the mean violation is a tenth (double precision, from zero; PGS needs ${pgs ?? `more than ${limit}`}), share of split bodies, and the engine’s solver time at preset.`,
      agreement: `From g = ${first[0]} to 128 the iterations fall from ${first[1] ?? `more than ${limit}`} to ${big[1] ?? `more than ${limit}`} with one sweep and from ${first[2] ?? `more than ${limit}`} to ${big[2] ?? `more than ${limit}`} with two: coarse cells are worth it until they are too few for the machine.`,
      tables: [
        {
          title: 'Cells of g manifolds',
          head: [
            'g',
            'iterations to 10 %',
            'with 2 sweeps',
            'sub-bodies a body',
            '% of bodies split',
            'cells in the engine',
            'split bodies in the engine',
            'solver, ms',
            'residual, mm/s',
          ],
          rows,
        },
      ],
      plots: [
        {
          name: 'granularity',
          caption: 'Iterations until a tenth of the violation, medians of seeds.',
          svg: lines(
            rows.flatMap((d) => [
              { x: d[0], y: d[1] ?? Number.NaN, series: '1 sweep' },
              { x: d[0], y: d[2] ?? Number.NaN, series: '2 sweeps' },
            ]),
            { xLabel: 'manifolds in a cell', yLabel: 'iterations', logX: true, points: true },
          ),
        },
      ],
      csv: { granularity: data },
    };
  },
};

export const substeps = {
  name: 'substeps',
  page: 'talus',
  title: 'substeps against iterations at equal work, and the slow sway of walls',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const steps = quick ? 300 : 1200;
    const work = 12;
    const variants = [];
    for (const [count, sweeps] of [
      [1, 12],
      [2, 6],
      [3, 4],
      [4, 3],
      [6, 2],
      [12, 1],
    ]) {
      variants.push({
        label: `${count} x ${sweeps}`,
        options: { solver: 'wide', substeps: count, sweeps, contactHertzRatio: 0.125 },
      });
    }
    const one = await oneStep(2 * work);
    if (one.integration) variants.push({ label: `one step of ${2 * work}`, options: { solver: 'pgs', ...one } });
    const scenes = [
      { label: 'wall', name: 'wall', options: { scale: quick ? 0.5 : 1 }, seeds: [1] },
      { label: 'stack', name: 'stack', options: {}, seeds },
      { label: 'card house', name: 'cardhouse', options: {}, seeds: [1] },
      { label: 'pile', name: 'boxes-small', options: { scale: quick ? 0.1 : 0.5 }, seeds },
    ];
    const rows = [];
    const data = [];
    const speeds = {};
    const total = scenes.length * variants.length;
    let done = 0;
    for (const { label, name, options, seeds: list } of scenes) {
      for (const variant of variants) {
        progress(done++ / total, `${label}: ${variant.label}`);
        const ends = [];
        for (const [i, seed] of list.entries()) {
          ends.push(
            await kept({ name, options, settings: variant.options, steps, seed }, async () => {
              const run = await open(buildScene(name, { seed, ...options }), variant.options);
              const tail = [];
              const curve = [];
              await advance(run, steps, (step) => {
                if (step % 6 !== 0) return;
                const { rmsSpeed } = run.world.measure();
                if (step > steps - 120) tail.push(rmsSpeed);
                if (i === 0) curve.push([step, rmsSpeed]);
              });
              const m = run.world.measure();
              const moved = run.motion.displacement(run.read());
              run.dispose();
              return { rms: median(tail), sideways: moved.sideways, depth: m.penetrationMax, curve };
            }),
          );
        }
        for (const [step, rms] of ends[0].curve) data.push({ scene: label, method: variant.label, step, rms });
        speeds[`${label}|${variant.label}`] = ends.map((e) => e.rms);
        const pick = (key) => median(ends.map((e) => e[key]));
        rows.push([
          label,
          variant.label,
          1000 * pick('rms'),
          standsStill(label) ? 100 * pick('sideways') : null,
          1000 * pick('depth'),
        ]);
      }
    }
    const of = (scene, method) => rows.find((r) => r[0] === scene && r[1] === method);
    const wall = [of('wall', '1 x 12'), of('wall', '12 x 1')];
    const pile = [of('pile', '1 x 12'), of('pile', '12 x 1')];
    return {
      heading: 'Substeps or iterations',
      claims: [
        isCase({
          claim: 'wall: speed at the end, 12 x 1 over 1 x 12',
          paper: 'our own claim',
          ours: wall[1][2] / wall[0][2],
          unit: 'times',
          holds: wall[1][2] < wall[0][2],
        }),
        ...['stack', 'pile'].map((label) =>
          isLess({
            claim: `${label}: calmer with 12 x 1 than with 1 x 12`,
            paper: 'our own claim',
            a: speeds[`${label}|12 x 1`],
            b: speeds[`${label}|1 x 12`],
          }),
        ),
        isBetween({
          claim: 'pile: rms speed at the end with 12 x 1',
          paper: '-',
          values: speeds['pile|12 x 1'].map((x) => 1000 * x),
          unit: 'mm/s',
        }),
      ],
      paper: 'All three papers iterate over one step; we cut the step.',
      ours: `Equal work: ${work} soft and ${work} rigid sweeps a step as substeps x sweeps, solver wide, ${short(steps / 60)} s; speed over the last two seconds (median of ${seeds.length} seed${seeds.length > 1 ? 's' : ''} where the scene is random), farthest sideways motion, depth. The curves show how slowly walls and stacks come to rest.`,
      agreement: `The wall moves sideways by ${short(wall[0][3])} cm with 1 x 12 and ${short(wall[1][3])} cm with 12 x 1, and sways at ${short(wall[0][2])} against ${short(wall[1][2])} mm/s at the end; the pile ends at ${short(pile[0][2])} against ${short(pile[1][2])} mm/s.`,
      notes: [
        `A 30-layer wall below 0.01 mm/s after 20 s is the aim; ${quick ? 'quick mode has 15 layers and 5 s' : `at 12 x 1 it has ${short(wall[1][2])} mm/s`}.`,
        one.integration ? '' : 'This build has no one-step integration: the row for it is missing.',
      ].filter(Boolean),
      tables: [{ title: 'Equal work', head: ['scene', 'substeps x sweeps', 'rms, mm/s', 'sideways, cm', 'overlap, mm'], rows }],
      plots: scenes.flatMap(({ label, name }) =>
        figures(
          `substeps-${name}`,
          `${label}: rms speed.`,
          data
            .filter((d) => d.scene === label)
            .map((d) => ({ x: d.step / 60, y: Math.max(1000 * d.rms, 1e-6), series: d.method })),
          { xLabel: 'time (s)', yLabel: 'rms speed (mm/s)', logY: true },
        ),
      ),
      csv: { substeps: data },
    };
  },
};

/** Whether the scene of a label stands from the start, so that displacement means something. */
function standsStill(label) {
  return label !== 'pile';
}
