// Tonge, Benevolenski, Voroshilov 2012: figure 6 (convergence), eq. 12, table 1 (frame time), figure 3 (constraints per color).
import { performance } from 'node:perf_hooks';
import { openAdapter } from '../../bench/lib/gpu.mjs';
import { median, quantile } from '../../bench/lib/stats.mjs';
import { countVerdicts, isBetween, isCase, isLess, isMostly, isOnce, isOpen } from '../lib/claims.mjs';
import { bisect, cellLike, geometricColors, histogram } from '../lib/orderings.mjs';
import { bars, figures, lines } from '../lib/plot.mjs';
import { extractProblem, violation } from '../lib/problem.mjs';
import { short } from '../lib/report.mjs';
import { advance, available, breathe, buildScene, oneStep, oneStepNote, open } from '../lib/run.mjs';
import { fourScenes, sceneOf, seededScenes } from '../lib/scenes.mjs';
import { iterate, METHODS } from '../methods/index.mjs';

const at = (values, k) => values[Math.min(k, values.length - 1)];

/** First index at which a curve is at or below the share of its start and stays a number; null if never. */
function reaches(values, share) {
  const k = values.findIndex((x) => x <= share * values[0]);
  return k < 0 ? null : k;
}

/** The methods whose order the figure shows; they are run with all seeds. */
const [PGS, SEARCH, PRINTED_SEARCH, PAIR] = ['PGS', 'Jacobi, line search', 'Jacobi, line search as printed', 'pair splitting'];
/** The three curves of the figure, and three of ours. */
const SHOWN = [PGS, SEARCH, PAIR, 'PGS, colored', 'scalar splitting', 'cells of 128'];

export const convergence = {
  name: 'tonge-convergence',
  page: 'tonge2012',
  title: 'average constraint violation against iteration (figure 6, middle)',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const count = quick ? 40 : 100;
    const names = Object.keys(METHODS);
    const scenes = [
      ...seededScenes(quick).map((scene) => ({ ...scene, seeds })),
      // The whole pile takes minutes a seed: once, and no verdict from it.
      ...(quick ? [] : [{ ...fourScenes(false)[0], label: 'boxes (5,160)', seeds: [1] }]),
    ];
    const data = [];
    const tables = [];
    const plots = [];
    const claims = [];
    const total = scenes.reduce((sum, scene) => sum + scene.seeds.length, 0);
    let done = 0;
    for (const kind of scenes) {
      const { label, name, options, frame, nudge } = kind;
      const runs = [];
      for (const seed of kind.seeds) {
        const methods = seed === kind.seeds[0] ? names : [PGS, SEARCH, PRINTED_SEARCH, PAIR];
        runs.push(
          await kept({ name, options, frame, nudge, seed, count, methods }, async () => {
            progress(done / total, `${label}: seed ${seed}, simulating`);
            const run = await open(sceneOf(kind, seed), { solver: 'pgs' });
            await advance(run, frame);
            const problem = extractProblem(run);
            run.dispose();
            const curves = {};
            const syncs = {};
            for (const [k, method] of methods.entries()) {
              progress((done + k / methods.length) / total, `${label}: seed ${seed}, ${method}`);
              await breathe();
              const result = iterate(problem, METHODS[method], count, (v) => violation(problem, v));
              curves[method] = result.values;
              syncs[method] = result.syncs;
            }
            return { bodies: problem.bodies, links: problem.links.length, points: problem.points, curves, syncs };
          }),
        );
        done++;
      }
      const [first] = runs;
      for (const [i, { curves, syncs }] of runs.entries()) {
        for (const [method, values] of Object.entries(curves)) {
          values.forEach((y, k) => {
            const isRound = k <= 10 || k % 5 === 0;
            if (isRound)
              data.push({ scene: label, seed: kind.seeds[i], method, iteration: k, syncs: k * syncs[method], violation: y });
          });
        }
      }
      const rows = names.map((method) => {
        const values = first.curves[method];
        const tenth = reaches(values, 0.1);
        const percent = (i) => (100 * at(values, i)) / values[0];
        const sync = first.syncs[method];
        return [method, sync, percent(5), percent(10), percent(30), percent(count), tenth, tenth === null ? null : tenth * sync];
      });
      tables.push({
        title: `${label}, seed ${kind.seeds[0]}: ${first.bodies} bodies, ${first.links} manifolds, ${first.points} contacts; violation in % of ${short(1000 * first.curves[PGS][0])} mm/s`,
        head: [
          'method',
          'syncs per iteration',
          'after 5',
          'after 10',
          'after 30',
          `after ${count}`,
          'iterations to 10 %',
          'syncs to 10 %',
        ],
        rows,
      });
      const start = first.curves[PGS][0];
      const of = (x) =>
        names.flatMap((method) =>
          first.curves[method].flatMap((y, k) =>
            y < 3 * start ? [{ x: x === 'syncs' ? k * first.syncs[method] : k, y: 1000 * y, series: method }] : [],
          ),
        );
      const file = `tonge-convergence-${name}${label.includes('5,160') ? '-all' : ''}`;
      const axes = { yLabel: 'violation (mm/s)', logY: true };
      const byIteration = of('iteration');
      plots.push(
        {
          name: `${file}-paper`,
          caption: `${label}: the three curves of the paper’s figure, from impulses of zero, seed ${kind.seeds[0]}.`,
          svg: lines(
            byIteration.filter((d) => [PGS, SEARCH, PAIR].includes(d.series)),
            { xLabel: 'iteration', ...axes },
          ),
        },
        ...figures(file, `${label}: with methods of ours.`, byIteration, { xLabel: 'iteration', ...axes }, SHOWN).map((plot) => ({
          ...plot,
          behind: true,
        })),
        ...figures(
          `${file}-syncs`,
          `${label}: against global synchronizations.`,
          of('syncs').filter((d) => d.x <= 4 * count && SHOWN.includes(d.series)),
          { xLabel: 'global synchronizations', ...axes },
          SHOWN,
        ).map((plot) => ({ ...plot, behind: true })),
      );
      const after = (method, k) => runs.map(({ curves }) => at(curves[method], k));
      const order = (paper, lesser, greater, k, remark) =>
        claims.push(
          isLess({
            claim: `${label}: ${lesser} below ${greater} at ${k} iterations`,
            paper,
            a: after(lesser, k),
            b: after(greater, k),
            remark,
          }),
        );
      order('PGS converges faster in all tests', PGS, PAIR, 30);
      order('splitting is better below 50', PAIR, SEARCH, 5);
      order('splitting is better below 50', PAIR, SEARCH, 30);
      if (!quick) {
        order('splitting is better below 50', PAIR, PRINTED_SEARCH, 30, 'eq. 10 without bounds on its step');
        order('line search is better beyond 50', SEARCH, PAIR, 100);
      }
    }
    const early = claims.filter((row) => row.paper.endsWith('below 50'));
    return {
      heading: 'Figure 6, middle: convergence',
      claims,
      paper:
        'Average constraint violation against iteration for mass splitting, Jacobi with line search and PGS, staggered friction. PGS converges fastest in all tests; mass splitting is better than line search below 50 iterations, line search better beyond.',
      ours: `A frame of each scene, taken from the engine and solved in double precision from zero impulses, with the paper’s staggered friction; ${count} iterations. Three methods over all seeds, all others over the first seed. The chain has no draw of its own: its links start with up to 1 mm/s at random.`,
      agreement: `That PGS converges fastest: ${countVerdicts(claims.filter((row) => row.paper.startsWith('PGS')))}. That splitting beats line search below 50 iterations: ${countVerdicts(early)}.`,
      notes: [
        'A block sees each body as light as all its pairs ask for, whatever they carry, while the step of line search follows what is violated. The figure does not say whether impulses were carried over; here they start at zero.',
        'Line search comes in three forms. “Jacobi, line search” ends its step where an impulse would leave its bounds. “As printed” (eq. 10) has no such end, so impulses may leave their bounds. “To 1” goes no farther than plain Jacobi.',
        'The as-printed form of eq. 16 (whole mass inside a block) is in the tables beside the corrected one. It overshoots where the blocks of a body hold several contacts at nearly one place and can diverge there.',
        'Line search needs twice as many synchronizations an iteration as splitting, for its sums.',
      ],
      tables,
      plots,
      csv: { 'tonge-convergence': data },
    };
  },
};

/** A stack on which eq. 12 with the number of bodies diverges. */
const STACK = { name: 'stack', options: { scale: 0.5 } };

export const averaged = {
  name: 'tonge-averaged',
  page: 'tonge2012',
  title: 'eq. 12 (Bridson) by bodies and by contacts on a stack of ten',
  async run({ quick, progress, kept }) {
    const count = 100;
    const names = ['Jacobi, averaged by bodies', 'Jacobi, averaged', 'scalar splitting', 'pair splitting', PGS];
    const curves = await kept({ ...STACK, count, names, frame: 60 }, async () => {
      progress(0.2, 'stack of ten');
      const run = await open(sceneOf(STACK, 1), { solver: 'pgs' });
      await advance(run, 60);
      const problem = extractProblem(run);
      run.dispose();
      return Object.fromEntries(
        names.map((name) => [name, iterate(problem, METHODS[name], count, (v) => violation(problem, v)).values]),
      );
    });
    const percent = (name, k) => (100 * at(curves[name], k)) / curves[name][0];
    return {
      heading: 'Equation 12: impulses divided by the bodies in contact',
      claims: [
        isCase({
          claim: 'eq. 12, divided by the bodies in contact, on a stack of ten',
          paper: 'no proof that it converges',
          ours: percent(names[0], count),
          unit: '% of the violation after 100 iterations',
          holds: percent(names[0], count) > 100,
          remark: 'it diverges: a body has four contacts with each neighbor, and two neighbors',
        }),
        isCase({
          claim: 'the same divided by the contacts of a body',
          paper: '-',
          ours: percent(names[1], count),
          unit: '% of the violation after 100 iterations',
        }),
      ],
      paper:
        'Bridson’s modification for cloth divides the impulse applied to a body by the number of bodies that touch it. The paper says that neither conditions nor a proof of convergence are given.',
      ours: `A stack of ten boxes after a second, double precision, from zero impulses, ${count} iterations.${quick ? ' The same in quick mode.' : ''}`,
      agreement: `Divided by bodies the stack of ten ends at ${short(percent(names[0], count))} % of its violation, divided by contacts at ${short(percent(names[1], count))} %.`,
      tables: [
        {
          title: 'Violation in % of its start',
          head: ['method', 'after 5', 'after 10', 'after 30', 'after 100'],
          rows: names.map((name) => [name, ...[5, 10, 30, 100].map((k) => percent(name, k))]),
        },
      ],
      plots: [
        {
          name: 'tonge-averaged',
          caption: 'Stack of ten: violation against iteration.',
          svg: lines(
            names.flatMap((series) => curves[series].map((y, x) => ({ x, y: 1000 * y, series }))),
            { xLabel: 'iteration', yLabel: 'violation (mm/s)', logY: true },
          ),
        },
      ],
      csv: {
        'tonge-averaged': names.flatMap((method) => curves[method].map((y, k) => ({ method, iteration: k, violation: y }))),
      },
    };
  },
};

/** Solvers of the engine that the figure is about, and what stands in for them here. */
const ENGINE_SOLVERS = [
  'pgs',
  'colored',
  'cell-order',
  'nncg',
  'pair-split',
  'pair-split-printed',
  'cell-split',
  'scalar-split',
  'jacobi-line-search',
  'jacobi-spectral',
  'jacobi-average',
];

export const engineConvergence = {
  name: 'tonge-engine',
  page: 'tonge2012',
  title: 'the same question to the solvers of the engine, single precision',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const counts = [1, 2, 4, 8, 16, 32, 64];
    // As in the paper: no stabilization in the problem, staggered friction.
    const optionsOf = async (solver, k) => ({
      warmStart: 0,
      ...(await oneStep(k, { solver })),
      stabilizationFactor: 0,
      frictionModel: 'pyramid-staggered',
    });
    const { can, missing } = await available(
      await Promise.all(ENGINE_SOLVERS.map(async (solver) => ({ label: solver, options: await optionsOf(solver, 8) }))),
    );
    const solvers = can.map(({ label }) => label);
    const scenes = seededScenes(quick);
    const data = [];
    const rows = [];
    const claims = [];
    const medians = [];
    for (const [s, kind] of scenes.entries()) {
      const { label, name, options, frame, nudge } = kind;
      const runs = [];
      for (const [i, seed] of seeds.entries()) {
        runs.push(
          await kept({ name, options, frame, nudge, seed, counts, solvers }, async () => {
            progress((s + i / seeds.length) / scenes.length, `${label}, seed ${seed}`);
            const run = await open(sceneOf(kind, seed), { solver: 'pgs' });
            await advance(run, frame);
            const residuals = {};
            for (const solver of solvers) {
              residuals[solver] = [];
              for (const k of counts) {
                const twin = await run.world.clone();
                twin.set(await optionsOf(solver, k));
                twin.step();
                residuals[solver].push(twin.measure().residualRms);
                twin.dispose();
              }
              await breathe();
            }
            run.dispose();
            return residuals;
          }),
        );
      }
      for (const solver of solvers) {
        const middle = counts.map((_, k) => median(runs.map((r) => r[solver][k])));
        rows.push([label, solver, ...middle.map((x) => 1000 * x)]);
        for (const [k, iterations] of counts.entries()) {
          medians.push({ scene: label, solver, iterations, residual: middle[k] });
          for (const [i, r] of runs.entries())
            data.push({ scene: label, seed: seeds[i], solver, iterations, residual: r[solver][k] });
        }
      }
      const at32 = (solver) => runs.map((r) => r[solver]?.[counts.indexOf(32)] ?? Number.NaN);
      for (const [a, b, paper] of [
        ['pgs', 'pair-split', 'PGS converges faster in all tests'],
        ['pair-split', 'jacobi-line-search', 'splitting is better below 50'],
        ['cell-split', 'pair-split', '-'],
      ]) {
        if (!solvers.includes(a) || !solvers.includes(b)) continue;
        claims.push(isLess({ claim: `${label}: ${a} below ${b} at 32 iterations`, paper, a: at32(a), b: at32(b) }));
      }
    }
    return {
      heading: 'Figure 6, middle, in the engine',
      claims,
      paper: 'As above: PGS first, mass splitting before line search below 50 iterations.',
      ours: 'The same frames, one step of k iterations from zero impulses by the engine’s solvers in single precision, without stabilization and with staggered friction: root mean square of what is missing to complementarity.',
      agreement: `In single precision, in the engine: ${countVerdicts(claims)}.`,
      notes: [
        'Gap speeds count with the gap before the step, for which the velocities were solved. Friction is not part of this residual: staggered, its bounds move with every iteration, and what it stirs up in the normals is the rest that remains.',
        'The line search of the engine goes no farther than Jacobi where friction is at its bounds.',
        ...missing.map((m) => `Left out: ${m.label} (${m.reason}).`),
      ],
      tables: [{ title: 'Residual, mm/s rms, median of seeds', head: ['scene', 'solver', ...counts.map(String)], rows }],
      plots: scenes.flatMap(({ label, name }) =>
        figures(
          `tonge-engine-${name}`,
          `${label}: residual after one step, median of ${seeds.length} seed${seeds.length > 1 ? 's' : ''}.`,
          medians
            .filter((d) => d.scene === label && d.residual < 1)
            .map((d) => ({ x: d.iterations, y: 1000 * d.residual, series: d.solver })),
          { xLabel: 'iterations', yLabel: 'residual (mm/s)', logX: true, logY: true, points: true },
          ['pgs', 'pair-split', 'jacobi-line-search', 'colored', 'cell-split', 'scalar-split'],
        ),
      ),
      csv: { 'tonge-engine': data },
    };
  },
};

/** Frame times of table 1, ms: PGS, block mass splitting (CUDA on a GTX 580). */
const PAPER_TIMES = {
  Boxes: [17.7, 15.7],
  Chain: [12.4, 5.2],
  Chess: [24.9, 25.5],
  'Card house': [4.8, 3.5],
  Fracture: [7.8, 7.0],
};

export const table1 = {
  name: 'tonge-table1',
  page: 'tonge2012',
  title: 'frame times (table 1)',
  async run({ quick, progress }) {
    const scale = quick ? 0.1 : 1;
    const scenes = [
      { label: 'Boxes', name: 'boxes', options: { scale }, settle: quick ? 120 : 240 },
      { label: 'Chain', name: 'chain', options: {}, settle: 120 },
      { label: 'Chess', name: 'chess', options: { scale }, settle: quick ? 120 : 240 },
      { label: 'Card house', name: 'cardhouse-hit', options: {}, settle: 120 },
      { label: 'Fracture', name: 'fracture', options: { scale: quick ? 0.3 : 1 }, settle: 60 },
    ];
    const steps = quick ? 10 : 30;
    const { can: variants, missing } = await available([
      { label: 'colored PGS, 5', options: { solver: 'colored', ...(await oneStep(5)) } },
      { label: 'pair splitting, 30', options: await oneStep(30, { solver: 'pair-split' }) },
      { label: 'wide, balanced', options: { solver: 'wide', preset: 'balanced' } },
      { label: 'colored, balanced', options: { solver: 'colored', preset: 'balanced' } },
      { label: 'cell-split, balanced', options: { solver: 'cell-split', preset: 'balanced' } },
    ]);
    const adapter = await openAdapter();
    const rows = [];
    const data = [];
    let ratio = 0;
    for (let s = 0; s < scenes.length; s++) {
      const { label, name, options, settle } = scenes[s];
      progress(s / scenes.length, `${label}: settling`);
      const run = await open(buildScene(name, { seed: 1, ...options }));
      await advance(run, settle);
      const bodies = run.scene.checks.dynamicCount;
      const [pgs, splitting] = PAPER_TIMES[label];
      rows.push([label, bodies, 'paper: PGS on a GTX 580', pgs, '', '', '']);
      rows.push([label, bodies, 'paper: block mass splitting on a GTX 580', splitting, '', '', '']);
      const times = {};
      const measure = async (method, world, count, gpu) => {
        const total = [];
        const solve = [];
        for (let i = 0; i < count; i++) {
          const begun = performance.now();
          if (gpu) await world.stepAsync();
          else world.step();
          total.push(performance.now() - begun);
          solve.push(gpu ? world.profile.gpu : world.profile.solve);
          await breathe();
        }
        times[method] = median(solve);
        const row = {
          scene: label,
          bodies,
          method,
          ms: median(total),
          p95: quantile(total, 0.95),
          solve: median(solve),
          contacts: world.profile.contactCount,
        };
        data.push(row);
        rows.push([label, bodies, method, row.ms, row.p95, row.solve, row.contacts]);
      };
      for (let k = 0; k < variants.length; k++) {
        progress((s + k / variants.length) / scenes.length, `${label}: ${variants[k].label}`);
        const twin = await run.world.clone();
        twin.set(variants[k].options);
        await measure(variants[k].label, twin, steps, false);
        twin.dispose();
      }
      // A software adapter takes seconds per frame for the large scenes.
      if (adapter.name !== null && !(quick && adapter.software && bodies > 30)) {
        progress((s + 0.95) / scenes.length, `${label}: GPU`);
        const device = await adapter.requestDevice();
        const twin = await run.world.clone({ backend: 'webgpu', device });
        twin.set({ solver: 'auto', preset: 'balanced' });
        await measure(
          `GPU, cell-split, balanced${adapter.software ? ' (software adapter)' : ''}`,
          twin,
          adapter.software ? 2 : steps,
          true,
        );
        twin.dispose();
        device.destroy();
      }
      ratio += times['pair splitting, 30'] / times['colored PGS, 5'] / scenes.length;
      run.dispose();
    }
    const gpu = data.filter((d) => d.method.startsWith('GPU'));
    const gpuRow = {
      claim: 'splitting 30 takes about the time of colored PGS 5 on a GPU',
      paper: '0.9 times (boxes), 0.4 to 1.0',
      ours: gpu.length > 0 ? `${short(gpu[0].ms)} ms a frame of ${gpu[0].scene}` : '-',
    };
    return {
      heading: 'Table 1: frame times',
      claims: [
        isOnce({
          claim: 'time of splitting 30 over colored PGS 5, one CPU thread',
          paper: '0.9 on a GPU',
          ours: ratio,
          unit: 'times, mean of the scenes',
          remark: 'a CPU thread does not wait for colors: six times the sweeps are six times the work',
        }),
        adapter.name === null || adapter.software
          ? isOpen({ ...gpuRow, why: adapter.software ? 'a software adapter says nothing about a GPU' : 'no GPU here' })
          : isOpen({ ...gpuRow, why: 'see tonge-gpu for both methods on this GPU' }),
      ],
      paper:
        'Frame time of parallel PGS (5 iterations) and block mass splitting (30 iterations), CUDA on a GTX 580: boxes 17.7 and 15.7 ms, chain 12.4 and 5.2, chess 24.9 and 25.5, card house 4.8 and 3.5, fracture 7.8 and 7.0. 30 iterations of splitting cost about as much as 5 of PGS, since PGS has to color and to synchronize.',
      ours: `Our scenes of the same sizes${quick ? ' (boxes, chess and fracture scaled down in quick mode)' : ''}, settled, then ${steps} frames of each method from the same state, one thread; whole frame with collision detection, and the solver alone.`,
      agreement: `On one CPU thread 30 iterations of pair splitting cost ${short(ratio, 2)} times 5 of colored PGS (mean of the scenes); on 512 cores, where PGS waits for colors, the paper found about the same cost.`,
      notes: [
        adapter.name === null
          ? `No GPU: ${adapter.reason}`
          : `GPU: ${adapter.name}${adapter.software ? '. This is a software adapter: its times say nothing about a GPU and are here to show that the path runs' : ''}.`,
        'Milliseconds depend on the load of the machine; see the line below.',
        'One step with Baumgarte stabilization runs on the scalar rows that are kept for comparing methods; ours are SIMD. Compare the two methods of the paper with each other, and ours with each other.',
        ...missing.map((m) => `Left out: ${m.label} (${m.reason}).`),
        await oneStepNote(),
      ].filter(Boolean),
      tables: [
        {
          title: 'Frame times, ms',
          head: ['scene', 'bodies', 'method', 'frame, median', 'frame, 95 %', 'solver', 'contacts'],
          rows,
        },
      ],
      plots: [
        {
          name: 'tonge-table1',
          caption: 'Solver time on one CPU thread.',
          svg: bars(
            data.filter((d) => !d.method.startsWith('GPU')).map((d) => ({ x: d.scene, y: d.solve, series: d.method })),
            { xLabel: '', yLabel: 'solver (ms, log)', logY: true },
          ),
        },
      ],
      csv: { 'tonge-table1': data },
    };
  },
};

/** Most links of a body that moves: Δ of the paper. */
function mostLinks(links) {
  const counts = new Map();
  for (const { a, b } of links) for (const body of [a, b]) if (body >= 0) counts.set(body, (counts.get(body) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

export const colors = {
  name: 'tonge-colors',
  page: 'tonge2012',
  title: 'constraints per color and per cell (figure 3)',
  seeds: { quick: 2, full: 12 },
  async run({ quick, seeds, progress }) {
    const rows = [];
    const data = [];
    const cellRows = [];
    let shares = [];
    const bounds = [];
    for (let s = 0; s < seeds.length; s++) {
      progress(s / seeds.length, `seed ${seeds[s]}`);
      const run = await open(buildScene('fracture', { seed: seeds[s], scale: quick ? 0.4 : 1 }), { solver: 'pgs' });
      await advance(run, 40);
      const p = extractProblem(run);
      const color = geometricColors(p.links);
      const weights = p.links.map((l) => l.points.length);
      const byLinks = histogram(color);
      bounds.push({ degree: mostLinks(p.links), colors: byLinks.length });
      const byContacts = histogram(color, weights);
      const twin = await run.world.clone();
      twin.set({ solver: 'colored' });
      twin.step();
      const share = byLinks.slice(0, 4).reduce((a, b) => a + b, 0) / p.links.length;
      shares = [...shares, share];
      rows.push([
        seeds[s],
        p.bodies,
        p.links.length,
        p.points,
        byLinks.length,
        twin.profile.colors,
        byLinks[0],
        byLinks.at(-1),
        100 * share,
        bounds.at(-1).degree,
      ]);
      twin.dispose();
      for (const [c, n] of byLinks.entries()) data.push({ seed: seeds[s], color: c, manifolds: n, contacts: byContacts[c] });
      for (const size of [16, 32, 64, 128]) {
        const cells = bisect(p.links, size);
        const sizes = histogram(cells);
        const batches = cellLike(p.links, size);
        const parts = new Map();
        p.links.forEach(({ a, b }, l) => {
          for (const body of [a, b]) {
            if (body < 0) continue;
            if (!parts.has(body)) parts.set(body, new Set());
            parts.get(body).add(cells[l]);
          }
        });
        const mean = [...parts.values()].reduce((n, set) => n + set.size, 0) / parts.size;
        cellRows.push([
          seeds[s],
          size,
          sizes.length,
          Math.min(...sizes),
          Math.max(...sizes),
          mean,
          batches.length,
          batches.map((b) => b.flat().length).join(' '),
        ]);
      }
      run.dispose();
    }
    const first = data.filter((d) => d.seed === seeds[0]);
    return {
      heading: 'Figure 3: constraints per color',
      paper:
        'A frame of the fracture scene, 277 bodies and 665 contacts: the greedy coloring needs 15 colors, and the first few of them hold most of the constraints while the last ones hold a handful, so that most cores are idle most of the time.',
      ours: 'Our fracture scene in the moment the columns break: greedy coloring of the manifolds (lab and engine), and the same contacts cut into cells of up to g manifolds, all of which work at once.',
      claims: [
        isBetween({
          claim: 'colors of the fracture scene',
          paper: '15',
          values: rows.map((r) => r[4]),
          low: 12,
          high: 18,
          remark: 'within a fifth of the paper’s number',
        }),
        isBetween({
          claim: 'share of the manifolds in the first four colors',
          paper: 'most of them',
          values: shares.map((x) => 100 * x),
          low: 50,
          unit: '%',
        }),
        isMostly({
          claim: 'greedy colors at least Δ and at most 2 Δ - 1',
          paper: 'Vizing: Δ or Δ + 1 would do; greedy at most 2 Δ - 1',
          hits: bounds.filter(({ degree, colors: n }) => n >= degree && n <= 2 * degree - 1).length,
          n: bounds.length,
          remark: `Δ ${[...new Set(bounds.map((b) => b.degree))].sort((a, b) => a - b).join(', ')}`,
        }),
        isBetween({
          claim: 'batches of cell-like ordering at g = 64, same frame',
          paper: '-',
          values: cellRows.filter((r) => r[1] === 64).map((r) => r[6]),
        }),
      ],
      agreement: `The fracture scene needs ${short(median(rows.map((r) => r[4])))} colors, with ${Math.round(100 * median(shares))} % of the manifolds in the first four and ${short(median(rows.map((r) => r[7])))} in the last: the paper’s histogram.`,
      tables: [
        {
          title: 'Colors',
          head: [
            'seed',
            'bodies',
            'manifolds',
            'contacts',
            'colors',
            'colors in the engine',
            'in the first',
            'in the last',
            '% in the first four',
            'most manifolds of a body',
          ],
          rows,
        },
        {
          title: 'Cells and cell-like batches of the same frames',
          head: ['seed', 'g', 'cells', 'smallest', 'largest', 'sub-bodies a body', 'batches', 'manifolds by batch'],
          rows: cellRows,
        },
      ],
      plots: [
        {
          name: 'tonge-colors',
          caption: `Constraints by color, seed ${seeds[0]}.`,
          svg: bars(
            first.flatMap((d) => [
              { x: d.color, y: d.manifolds, series: 'manifolds' },
              { x: d.color, y: d.contacts, series: 'contacts' },
            ]),
            { xLabel: 'color', yLabel: 'constraints' },
          ),
        },
      ],
      csv: { 'tonge-colors': data },
    };
  },
};
