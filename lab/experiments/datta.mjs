// Datta 2017: contacts per second, overlap over five minutes (tables 1 and 2) and frames per second (figures), two ways of Jacobi as the
// number of contacts grows, the bound of eq. 8, stability by shapes, and one random friction tangent against two.
import { availableParallelism, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { openAdapter } from '../../bench/lib/gpu.mjs';
import { median } from '../../bench/lib/stats.mjs';
import { countVerdicts, isAlike, isBetween, isCase, isLess, isMostly, isOnce, isOpen } from '../lib/claims.mjs';
import { lines } from '../lib/plot.mjs';
import { applyRow, extractProblem, rowSpeed, violation } from '../lib/problem.mjs';
import { short } from '../lib/report.mjs';
import { advance, available, breathe, buildScene, frictionNames, oneStep, oneStepNote, open } from '../lib/run.mjs';

/** Iterations of the paper's tables: contacts per second, overlap, and whether it grows. */
const PAPER = [
  { label: 'PGS, 5', solver: 'pgs', n: 5, rate: 165751, overlap: 1.23, grows: true },
  { label: 'PGS, 10', solver: 'pgs', n: 10, rate: 128276, overlap: 0.45, grows: true },
  { label: 'PGS, 20', solver: 'pgs', n: 20, rate: 84864, overlap: 0.023, grows: false },
  { label: 'Jacobi, 60', solver: 'jacobi-accumulate', n: 60, rate: 157557, overlap: 0.022, grows: true },
  { label: 'Jacobi, 120', solver: 'jacobi-accumulate', n: 120, rate: 135214, overlap: 0.017, grows: true },
];

export const iterations = {
  name: 'datta-iterations',
  page: 'datta2017',
  title: 'contacts per second (tables 1 and 2)',
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress, kept }) {
    const list = [];
    for (const { label, solver, n } of PAPER) list.push({ label, n, options: { solver, ...(await oneStep(n, { solver })) } });
    for (const solver of ['jacobi-spectral', 'jacobi-average', 'pair-split']) {
      for (const n of quick ? [60] : [60, 120])
        list.push({ label: `${solver}, ${n}`, n, options: { solver, ...(await oneStep(n, { solver })) } });
    }
    list.push({ label: 'wide, balanced', n: 24, options: { solver: 'wide', preset: 'balanced' } });
    const { can, missing } = await available(list);
    const count = quick ? 50 : 450;
    const steps = quick ? 180 : 720;
    const rows = PAPER.map(({ label, rate }) => [`paper: ${label}`, '', rate, null]);
    const data = [];
    for (const [k, { label, n, options }] of can.entries()) {
      const { rate, contacts, depth } = await kept({ count, steps, options }, async () => {
        const run = await open(buildScene('boxes-small', { seed: 1, count }), options);
        const seconds = [];
        await advance(run, steps, (step) => {
          if (step > steps - 60) seconds.push(run.world.profile.solve / 1000);
          if (step % 30 === 0) progress((k + step / steps) / can.length, label);
        });
        const m = run.world.measure();
        run.dispose();
        return { rate: m.contactCount / Math.max(1e-9, median(seconds)), contacts: m.contactCount, depth: m.penetrationMean };
      });
      rows.push([label, contacts, rate, 1000 * depth]);
      data.push({ method: label, iterations: n, rate, contacts, depth });
    }
    const of = (label) => data.find((d) => d.method === label)?.rate;
    const loss = of('PGS, 5') / of('PGS, 20');
    const more = data.find((d) => d.method === 'Jacobi, 60');
    return {
      heading: 'Tables 1 and 2: contacts per second',
      claims: [
        isOnce({
          claim: 'PGS of 5 iterations, contacts per second on one CPU thread',
          paper: '165,751 (i5 2500)',
          ours: of('PGS, 5'),
          remark: 'belongs to the machine',
        }),
        isOnce({
          claim: 'contacts per second at 5 over those at 20 iterations',
          paper: '1.95',
          ours: loss,
          unit: 'times',
          remark: 'a step that costs sweeps alone would lose 4 times',
        }),
        isOpen({
          claim: 'Jacobi of 60 iterations, contacts per second on a GPU',
          paper: '157,557 (HD 7970)',
          ours: more ? `${short(more.rate)} on one CPU thread` : '-',
          why: 'measured without a GPU: datta-approaches has the GPU where there is one',
        }),
      ],
      paper:
        'PGS on a CPU with 5, 10 and 20 iterations: 165,751, 128,276 and 84,864 contacts per second. Jacobi on a GPU with 60 and 120 iterations: 157,557 and 135,214.',
      ours: `${count} boxes dropped on a mesh, ${steps} steps; contacts per second of the solver alone, with friction, on one CPU thread, median of the last second; Baumgarte stabilization of 0.2.`,
      agreement: `PGS solves ${[5, 10, 20].map((n) => short(of(`PGS, ${n}`))).join(', ')} contacts per second at 5, 10 and 20 iterations, ${short(of('PGS, 5') / 165751, 2)} times the paper’s at 5.`,
      notes: [...missing.map((m) => `Left out: ${m.label} (this build has no such solver).`), await oneStepNote()].filter(
        Boolean,
      ),
      tables: [{ title: 'Contacts a second', head: ['method', 'contacts', 'contacts per second', 'mean overlap, mm'], rows }],
      csv: { 'datta-iterations': data },
    };
  },
};

/** Steps of the paper's five minutes. */
const FIVE_MINUTES = 18000;

export const penetration = {
  name: 'datta-penetration',
  page: 'datta2017',
  title: 'inter-penetration over five minutes (tables 1 and 2)',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    // A small pile with many seeds; the paper's pile takes most of an hour for its five minutes, so one of them, once.
    const sizes = quick
      ? [{ count: 30, seeds, steps: 600, span: 'from 2 to 10 s', end: '10 s' }]
      : [
          { count: 40, seeds, steps: FIVE_MINUTES, span: 'from 1 to 5 minutes', end: '5 minutes' },
          { count: 450, seeds: [1], steps: FIVE_MINUTES / 5, span: 'from 12 s to a minute', end: 'a minute' },
        ];
    const rows = [];
    const data = [];
    const claims = [];
    const curves = [];
    const total = sizes.reduce((sum, size) => sum + size.seeds.length * PAPER.length, 0);
    let done = 0;
    for (const { count, seeds: used, steps, span, end } of sizes) {
      const ends = {};
      const early = {};
      for (const { label, solver, n, overlap, grows } of PAPER) {
        // Datta does not stabilize: overlap is only reported.
        const options = { solver, ...(await oneStep(n, { solver })), stabilizationFactor: 0 };
        const runs = [];
        for (const [i, seed] of used.entries()) {
          runs.push(
            await kept({ count, steps, options, seed }, async () => {
              const run = await open(buildScene('boxes-small', { seed, count }), { ...options, seed });
              const curve = [];
              await advance(run, steps, (step) => {
                if (step % (steps / 60) !== 0) return;
                progress((done + step / steps) / total, `${count} boxes: ${label}, seed ${seed}`);
                curve.push([step / 60, 1000 * run.world.measure().penetrationMean]);
              });
              const lost = run.motion.lost(run.read());
              run.dispose();
              return { curve, lost };
            }),
          );
          done++;
          const { curve, lost } = runs.at(-1);
          data.push({ bodies: count, method: label, seed, early: curve[11][1], end: curve.at(-1)[1], lost });
          if (i === 0) for (const [x, y] of curve) curves.push({ count, x, y, series: label });
        }
        // After a fifth of the time (a minute of five) and at the end.
        early[label] = runs.map((r) => r.curve[11][1]);
        ends[label] = runs.map((r) => r.curve.at(-1)[1]);
        rows.push([
          count,
          label,
          used.length,
          median(early[label]),
          median(ends[label]),
          median(ends[label].map((x, i) => x / early[label][i])),
          overlap,
          grows ? 'grows' : '',
          Math.max(...runs.map((r) => r.lost)),
        ]);
        const name = `${count} boxes, ${label}`;
        claims.push(
          grows
            ? isLess({
                claim: `${name}: overlap grows ${span}`,
                paper: 'grows with time',
                a: early[label],
                b: ends[label],
              })
            : isAlike({
                claim: `${name}: overlap stays ${span}`,
                paper: 'does not grow',
                a: ends[label],
                b: early[label],
                within: 1.1,
                remark: 'within a tenth',
              }),
        );
      }
      for (const [a, b] of [
        ['PGS, 10', 'PGS, 5'],
        ['PGS, 20', 'PGS, 10'],
      ])
        claims.push(
          isLess({
            claim: `${count} boxes: overlap after ${end}, ${a} less than ${b}`,
            paper: a === 'PGS, 10' ? '0.45 against 1.23' : '0.023 against 0.45',
            a: ends[a],
            b: ends[b],
          }),
        );
      claims.push(
        isLess({
          claim: `${count} boxes: overlap after ${end}, Jacobi, 60 no more than PGS, 20`,
          paper: '0.022 against 0.023',
          a: ends['Jacobi, 60'],
          b: ends['PGS, 20'],
          factor: 1.25,
          remark: 'up to a quarter more counts as no more',
        }),
      );
    }
    return {
      heading: 'Tables 1 and 2: inter-penetration over five minutes',
      claims,
      paper:
        'After five minutes average overlaps of 1.23, 0.45 and 0.023 (unit not given) by PGS with 5, 10 and 20 iterations, 0.022 and 0.017 by Jacobi with 60 and 120. All but PGS with 20 grow with time. Penetration is not stabilized, so it piles up.',
      ours: `Boxes dropped on a mesh, not stabilized: mean overlap of touching contacts after a fifth of the time and at the end. ${quick ? '30 boxes for ten seconds.' : '40 boxes for five minutes with all seeds, and the paper’s 450 once for a minute.'}`,
      agreement: `${quick ? 'In ten seconds' : 'In five minutes'}: ${countVerdicts(claims)}.`,
      notes: [
        'Jacobi with masses divided by the contacts of a body; the paper does not say which of its two scalings it measured.',
        'Millimeters here; the paper gives no unit, so only orders and growth are compared.',
      ],
      tables: [
        {
          title: 'Mean overlap, mm, medians of seeds',
          head: ['boxes', 'method', 'seeds', 'after a fifth', 'at the end', 'growth', 'paper’s overlap', 'paper', 'lost'],
          rows,
        },
      ],
      plots: sizes.map(({ count }) => ({
        name: `datta-penetration-${count}`,
        caption: `${count} boxes: mean overlap of touching contacts, seed 1.`,
        svg: lines(
          curves.filter((d) => d.count === count),
          { xLabel: 'time (s)', yLabel: 'mean overlap (mm)', logY: true },
        ),
      })),
      csv: { 'datta-penetration': data },
    };
  },
};

export const shapes = {
  name: 'datta-shapes',
  page: 'datta2017',
  title: 'stability of Jacobi on boxes and on mixed shapes (section 3.7)',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const count = quick ? 60 : 450;
    const steps = quick ? 240 : 900;
    const scenes = [
      { label: `${count} boxes`, name: 'boxes-small', options: { count } },
      { label: `${count} mixed shapes`, name: 'mixed', options: { count } },
    ];
    const one = async (solver, extra = {}) => ({ solver, ...(await oneStep(60, { solver })), ...extra });
    const FIRST = 'first approach (divided by contacts)';
    const SECOND = 'second approach (spectral radius)';
    const LESS = 'first approach, half of D';
    const REFERENCE = 'PGS, 20';
    const { can } = await available([
      { label: REFERENCE, options: { solver: 'pgs', ...(await oneStep(20)) } },
      { label: FIRST, options: await one('jacobi-accumulate') },
      { label: SECOND, options: await one('jacobi-spectral') },
      { label: LESS, options: await one('jacobi-accumulate', { omega: 0.5 }) },
      { label: 'plain Jacobi', options: await one('jacobi') },
    ]);
    const rows = [];
    const data = [];
    const stable = {};
    const reference = {};
    const total = scenes.length * can.length * seeds.length;
    let done = 0;
    for (const { label: scene, name, options } of scenes) {
      for (const { label: method, options: settings } of can) {
        const runs = [];
        for (const seed of seeds) {
          progress(done++ / total, `${scene}: ${method}, seed ${seed}`);
          runs.push(
            await kept({ name, options, settings, steps, seed }, async () => {
              const run = await open(buildScene(name, { seed, ...options }), { ...settings, seed });
              const tail = [];
              await advance(run, steps, (step) => {
                if (step > steps - 60) tail.push(run.world.measure().rmsSpeed);
              });
              const lost = run.motion.lost(run.read());
              run.dispose();
              return { speed: median(tail), lost };
            }),
          );
          data.push({ scene, method, seed, ...runs.at(-1) });
        }
        if (method === REFERENCE) reference[scene] = runs.map((r) => r.speed);
        // Round bodies roll for long by any method: only more motion than by the reference counts.
        const isStable = (r, i) => r.lost === 0 && r.speed < Math.max(0.3, 3 * reference[scene][i]);
        stable[`${scene}|${method}`] = runs.filter(isStable).length;
        rows.push([
          scene,
          method,
          `${stable[`${scene}|${method}`]} of ${seeds.length}`,
          1000 * median(runs.map((r) => r.speed)),
          1000 * Math.max(...runs.map((r) => r.speed)),
          Math.max(...runs.map((r) => r.lost)),
        ]);
      }
    }
    const [boxes, mixed] = scenes.map((s) => s.label);
    const n = seeds.length;
    const share = (claim, paper, hits, more) => isMostly({ claim, paper, hits, n, more });
    const claims = [
      share(`${boxes}: first approach stable`, 'stable', stable[`${boxes}|${FIRST}`]),
      share(`${mixed}: first approach unstable, at least sometimes`, 'sometimes unstable', n - stable[`${mixed}|${FIRST}`], 0),
      share(`${boxes}: second approach stable`, 'stable for any shape and count', stable[`${boxes}|${SECOND}`]),
      share(`${mixed}: second approach stable`, 'stable for any shape and count', stable[`${mixed}|${SECOND}`]),
      stable[`${mixed}|${LESS}`] === undefined
        ? isOpen({
            claim: `${mixed}: first approach stable with less of D`,
            paper: 'in which case we further reduce D',
            why: 'this build has no setting for it',
          })
        : share(
            `${mixed}: first approach stable with half of D`,
            'in which case we further reduce D',
            stable[`${mixed}|${LESS}`],
          ),
    ];
    return {
      heading: 'Stability of Jacobi by shapes',
      claims,
      paper:
        'Masses divided by contacts: reasonably stable, a random pile of 450 regular objects; a mixture of regular and irregular shapes is sometimes unstable beyond a few hundred, in which case D is reduced further. Scaled by the spectral radius: stable for any object shape and count, but slow to converge.',
      ours: `60 iterations over one step, Baumgarte 0.2; ${count} boxes, and ${count} boxes, spheres, capsules and hulls, ${short(steps / 60)} s. Stable: nothing lost, and an rms speed in the last second below 0.3 m/s or below three times that of PGS with 20 iterations from the same seed.`,
      agreement: `Stable piles of mixed shapes: ${stable[`${mixed}|${FIRST}`]} of ${n} with the first approach, ${stable[`${mixed}|${SECOND}`]} of ${n} with the second.`,
      tables: [
        {
          title: 'At the end',
          head: ['scene', 'method', 'stable', 'rms, median, mm/s', 'rms, largest, mm/s', 'lost, most'],
          rows,
        },
      ],
      csv: { 'datta-shapes': data },
    };
  },
};

export const framesPerSecond = {
  name: 'datta-fps',
  page: 'datta2017',
  title: 'physics frames per second against bodies (figures 1 to 3)',
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress, kept }) {
    const sizes = quick ? [50, 150] : [100, 200, 450, 1000, 2000];
    const settle = quick ? 90 : 240;
    const { can } = await available(
      await Promise.all([
        ...PAPER.map(async ({ label, solver, n }) => ({ label, options: { solver, ...(await oneStep(n, { solver })) } })),
        { label: 'wide, balanced', options: { solver: 'wide', preset: 'balanced' } },
      ]),
    );
    const data = [];
    const rows = [];
    for (const [s, count] of sizes.entries()) {
      const times = await kept({ count, settle, variants: can.map((v) => v.options) }, async () => {
        progress(s / sizes.length, `${count} boxes`);
        const run = await open(buildScene(count > 1000 ? 'boxes' : 'boxes-small', { seed: 1, count }), { solver: 'pgs' });
        await advance(run, settle);
        const out = {};
        for (const { label, options } of can) {
          const twin = await run.world.clone();
          twin.set(options);
          const ms = [];
          for (let i = 0; i < 20; i++) {
            const begun = performance.now();
            twin.step();
            if (i > 2) ms.push(performance.now() - begun);
          }
          out[label] = { fps: 1000 / median(ms), contacts: twin.measure().contactCount };
          twin.dispose();
          await breathe();
        }
        run.dispose();
        return out;
      });
      for (const { label } of can) data.push({ bodies: count, method: label, ...times[label] });
      rows.push([count, times[can[0].label].contacts, ...can.map(({ label }) => times[label].fps)]);
    }
    const middle = quick ? sizes.at(-1) : 450;
    const fps = data.find((d) => d.bodies === middle && d.method === 'PGS, 5').fps;
    return {
      heading: 'Figures 1 to 3: physics frames per second',
      claims: [
        isCase({
          claim: `${middle} boxes, PGS of 5 iterations: physics frames per second on one CPU thread`,
          paper: 'hundreds of objects are bound by graphics, not physics (30 FPS)',
          ours: fps,
          holds: fps > 30,
          remark: 'WebAssembly on a CPU, nothing is rendered',
        }),
        isOpen({
          claim: 'Jacobi on a GPU scales to more bodies than PGS on a CPU',
          paper: 'figure 3',
          why: 'no hardware GPU: all frames per second here are those of software',
        }),
      ],
      paper:
        'Frames per second of rendering and physics against the number of cubes with PGS of 5 iterations (figure 1), and of PGS and Jacobi (figure 3). The figures have no numbers in the text; objects are added until rendering falls to 30 FPS.',
      ours: `Piles of boxes on a mesh, settled for ${short(settle / 60)} s; whole steps per second of each method from the same state, on one CPU thread in WebAssembly, median of 17. Software: nothing is rendered and no GPU takes part.`,
      agreement: `${middle} boxes run at ${short(fps)} steps per second with PGS of 5 iterations (software, no rendering).`,
      notes: [`Load of the machine over the last minute, of ${availableParallelism()} cores: ${short(loadavg()[0])}.`],
      tables: [{ title: 'Physics frames per second (software)', head: ['boxes', 'contacts', ...can.map((v) => v.label)], rows }],
      plots: [
        {
          name: 'datta-fps',
          caption: 'Physics frames per second against boxes; software, one CPU thread, no rendering.',
          svg: lines(
            data.map((d) => ({ x: d.bodies, y: d.fps, series: d.method })),
            { xLabel: 'boxes', yLabel: 'frames per second (software)', logX: true, logY: true, points: true },
          ),
        },
      ],
      csv: { 'datta-fps': data },
    };
  },
};

/** Approach 2: the rows of A = J M^-1 J' that are not zero, and the iteration on impulses alone. */
function assemble(p, rows) {
  const around = Array.from({ length: p.bodies }, () => []);
  for (const row of rows) for (const b of [p.a[row], p.b[row]]) if (b >= 0) around[b].push(row);
  const starts = new Int32Array(rows.length + 1);
  const columns = [];
  const values = [];
  const v = new Float64Array(6 * p.bodies);
  rows.forEach((row, i) => {
    applyRow(p, row, v, 1);
    const seen = new Set();
    for (const b of [p.a[row], p.b[row]]) if (b >= 0) for (const other of around[b]) seen.add(other);
    for (const other of [...seen].sort((x, y) => x - y)) {
      columns.push(other);
      values.push(rowSpeed(p, other, v));
    }
    starts[i + 1] = columns.length;
    for (const b of [p.a[row], p.b[row]]) if (b >= 0) v.fill(0, 6 * b, 6 * b + 6);
  });
  return { starts, columns: Int32Array.from(columns), values: Float64Array.from(values) };
}

/** Milliseconds of the body, least of `count` runs: what else runs on the machine only adds to it. */
function time(count, body) {
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    body();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** Ways of Jacobi in the engine: the two approaches, and how the first one adds. WASM has the one order. */
const WAYS = [
  { way: '1, WASM', solver: 'jacobi-accumulate' },
  { way: '2, WASM', solver: 'jacobi-assembled' },
  { way: '1a, GPU, fixed point', solver: 'jacobi-accumulate', accumulation: 'fixed-point' },
  { way: '1b, GPU, compare-exchange', solver: 'jacobi-accumulate', accumulation: 'compare-exchange' },
  { way: '1c, GPU, segmented', solver: 'jacobi-accumulate', accumulation: 'segmented' },
  { way: '2, GPU', solver: 'jacobi-assembled', accumulation: 'segmented' },
];

/** Steps of each way from the state of `run`, the least of which counts; the first one compiles and is left out. */
const WAY_STEPS = { gpu: 4, wasm: 12 };

/**
 * Milliseconds of the solver by each way, `count` iterations of one step: on the GPU from packing to the result, and of its
 * pass alone by its clock.
 */
async function engineWays(run, count, device) {
  const out = [];
  for (const { way, solver, accumulation } of WAYS) {
    if (accumulation !== undefined && device === null) continue;
    const twin = await run.world.clone();
    twin.set({ solver, ...(await oneStep(count, { solver })) });
    if (accumulation) {
      await twin.setBackend('webgpu', device);
      twin.set({ accumulation });
    }
    const times = [];
    const passes = [];
    for (let i = 0; i < (accumulation ? WAY_STEPS.gpu : WAY_STEPS.wasm); i++) {
      await twin.stepAsync();
      if (i === 0) continue;
      times.push(twin.profile.solve + twin.profile.gpu);
      passes.push(twin.profile.gpuPass);
    }
    if (accumulation && twin.profile.backend !== 'webgpu') throw new Error(`${way} was not solved on the GPU`);
    const m = twin.measure();
    const milliseconds = Math.min(...times);
    out.push({
      way,
      contacts: m.contactCount,
      milliseconds,
      pass: accumulation ? Math.min(...passes) : null,
      dispatches: twin.profile.dispatches,
      bytesUp: twin.profile.bytesUp,
      rate: (1000 * m.contactCount) / Math.max(1e-6, milliseconds),
      residual: m.residualRms,
    });
    twin.dispose();
    await breathe();
  }
  return out;
}

export const approaches = {
  name: 'datta-approaches',
  page: 'datta2017',
  title: 'Jacobi by velocities (approach 1) against assembled A (approach 2)',
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress }) {
    const sizes = quick ? [50, 150, 400] : [100, 300, 1000, 3000];
    const count = 20;
    const rows = [];
    const data = [];
    const adapter = await openAdapter();
    const device = adapter.name === null ? null : await adapter.requestDevice();
    // A software adapter takes seconds per step for the large piles.
    const most = adapter.software ? (quick ? 150 : 1000) : Infinity;
    const gpuRows = [];
    const gpuData = [];
    for (let s = 0; s < sizes.length; s++) {
      progress(s / sizes.length, `${sizes[s]} boxes`);
      const run = await open(buildScene(sizes[s] > 1000 ? 'boxes' : 'boxes-small', { seed: 1, count: sizes[s] }), {
        solver: 'pgs',
      });
      await advance(run, 180);
      const p = extractProblem(run);
      const normals = Array.from({ length: p.points }, (_, i) => i);
      const scale = normals.map((i) => 1 / (p.kA[i] + p.kB[i]));
      const n = new Float64Array(p.bodies);
      for (const i of normals) for (const b of [p.a[i], p.b[i]]) if (b >= 0) n[b]++;
      // Mass divided by the contacts on each body (Datta 3.7, first approach; Tonge eq. 15).
      for (const i of normals) scale[i] = 1 / ((p.a[i] >= 0 ? n[p.a[i]] * p.kA[i] : 0) + (p.b[i] >= 0 ? n[p.b[i]] * p.kB[i] : 0));
      let matrix;
      const assembly = time(4, () => {
        matrix = assemble(p, normals);
      });
      const z = new Float64Array(p.points);
      const dz = new Float64Array(p.points);
      const v = new Float64Array(6 * p.bodies);
      const q = normals.map((i) => rowSpeed(p, i, p.v0) + p.bias[i]);
      await breathe();
      const first = time(9, () => {
        z.fill(0);
        v.set(p.v0);
        for (let k = 0; k < count; k++) {
          for (const i of normals) dz[i] = Math.max(0, z[i] - scale[i] * (rowSpeed(p, i, v) + p.bias[i])) - z[i];
          for (const i of normals) {
            z[i] += dz[i];
            applyRow(p, i, v, dz[i]);
          }
        }
      });
      const byVelocity = Float64Array.from(z);
      const second = time(9, () => {
        z.fill(0);
        const next = new Float64Array(p.points);
        for (let k = 0; k < count; k++) {
          for (let i = 0; i < p.points; i++) {
            let sum = q[i];
            for (let j = matrix.starts[i]; j < matrix.starts[i + 1]; j++) sum += matrix.values[j] * z[matrix.columns[j]];
            next[i] = Math.max(0, z[i] - scale[i] * sum);
          }
          z.set(next);
        }
      });
      let difference = 0;
      let largest = 0;
      z.forEach((x, i) => {
        difference = Math.max(difference, Math.abs(x - byVelocity[i]));
        largest = Math.max(largest, Math.abs(x));
      });
      const ways = await engineWays(run, count, sizes[s] <= most ? device : null);
      gpuRows.push([p.bodies, ways[0].contacts, ...WAYS.map(({ way }) => ways.find((w) => w.way === way)?.rate ?? null)]);
      gpuData.push(...ways.map((w) => ({ bodies: p.bodies, ...w })));
      rows.push([
        p.bodies,
        p.points,
        matrix.columns.length / p.points,
        first,
        second,
        assembly,
        (assembly + second) / first,
        difference / largest,
      ]);
      data.push({
        bodies: p.bodies,
        contacts: p.points,
        nonzeros: matrix.columns.length,
        approach1: first,
        approach2: second,
        assembly,
      });
      run.dispose();
    }
    device?.destroy();
    const ratios = rows.map((r) => r[6]);
    const last = (device && gpuRows.findLast((r) => r.at(-1) !== null)) ?? gpuRows.at(-1);
    const named = (values) => values.map((v) => short(v)).join(', ');
    const engine =
      device === null
        ? ` In the engine on WASM, with friction, approach 1 solves ${short(last[2])} contacts per second of the largest pile and approach 2 ${short(last[3])}.`
        : ` In the engine, with friction, contacts per second of a pile of ${last[0]} bodies: on WASM ${named(last.slice(2, 4))} (approaches 1, 2); on the ${adapter.software ? 'software adapter, which says nothing about a GPU,' : 'GPU'} ${named(last.slice(4))} (1 in fixed point, by compare-exchange, in segments; 2).`;
    const gpuClaim = {
      claim: 'approach 1 faster than approach 2 on a GPU',
      paper: 'much faster',
    };
    return {
      heading: 'Approach 1 against approach 2',
      claims: [
        isCase({
          claim: `largest pile: time of approach 2 with assembly over approach 1, one CPU thread`,
          paper: 'approach 1 is much faster',
          ours: ratios.at(-1),
          unit: 'times',
          holds: ratios.at(-1) > 1,
        }),
        isOnce({
          claim: 'that ratio on the largest pile over that on the smallest',
          paper: 'approach 2 does not scale (A is dense)',
          ours: ratios.at(-1) / ratios[0],
          unit: 'times',
          remark: 'A is sparse here, so a row does not get longer with the pile',
        }),
        isCase({
          claim: 'both give the same impulses (largest difference)',
          paper: 'the same iteration',
          ours: Math.max(...rows.map((r) => r[7])),
          holds: Math.max(...rows.map((r) => r[7])) < 1e-9,
        }),
        device === null || adapter.software
          ? isOpen({ ...gpuClaim, why: device === null ? 'no GPU here' : 'a software adapter says nothing about a GPU' })
          : isCase({
              ...gpuClaim,
              ours: Math.max(...last.slice(4, 7)) / last[7],
              unit: 'times',
              holds: Math.max(...last.slice(4, 7)) > last[7],
            }),
      ],
      paper:
        'Approach 1 updates body velocities with atomic adds in every iteration; approach 2 assembles A = J M^-1 J^T once and multiplies. Approach 2 reads O(contacts) numbers a row there (A is dense) and does not scale; approach 1 is much faster.',
      ours: `Both on normals only, ${count} iterations with masses divided by the contacts on each body, double precision on one CPU thread, with A kept sparse: a row has only the contacts of its two bodies.`,
      agreement: `With assembly approach 2 costs ${ratios.map((r) => short(r, 2)).join(', ')} times approach 1 as contacts grow.${engine}`,
      notes: [
        'Milliseconds of plain JavaScript, the least of nine runs. The engine solves normals and friction; its times are the least of several steps, from packing to the result, assembly of A in each step of approach 2 included.',
        'Approach 1 adds as in the paper by compare-exchange, since WGSL has no atomic addition of floats; in fixed point and in segments it gives the same bits every time.',
        `Load of the machine over the last minute, of ${availableParallelism()} cores: ${short(loadavg()[0])}.`,
        adapter.name === null
          ? `No GPU: ${adapter.reason}`
          : `GPU: ${adapter.name}${adapter.software ? '. This is a software adapter: its times say nothing about a GPU and are here to show that the path runs' : ''}.`,
      ],
      tables: [
        {
          title: `${count} iterations`,
          head: [
            'bodies',
            'contacts',
            'entries a row of A',
            'approach 1, ms',
            'approach 2, ms',
            'assembly, ms',
            '(assembly + 2) / 1',
            'largest difference',
          ],
          rows,
        },
        {
          title: `Contacts a second in the engine, one step of ${count} iterations${adapter.software ? ' (the GPU is a software adapter)' : ''}`,
          head: ['bodies', 'contacts', ...WAYS.map(({ way }) => way)],
          rows: gpuRows,
        },
      ],
      plots: [
        {
          name: 'datta-ways',
          caption: `Contacts a second in the engine${adapter.software ? '; the GPU is a software adapter' : ''}.`,
          svg: lines(
            gpuData.map((d) => ({ x: d.contacts, y: d.rate, series: d.way })),
            { xLabel: 'contacts', yLabel: 'contacts per second', logX: true, logY: true, points: true },
          ),
        },
        {
          name: 'datta-approaches',
          caption: 'Time against contacts.',
          svg: lines(
            data.flatMap((d) => [
              { x: d.contacts, y: d.approach1, series: 'approach 1' },
              { x: d.contacts, y: d.approach2, series: 'approach 2' },
              { x: d.contacts, y: d.approach2 + d.assembly, series: 'approach 2 with assembly' },
            ]),
            { xLabel: 'contacts', yLabel: 'ms', logX: true, logY: true, points: true },
          ),
        },
      ],
      csv: { 'datta-approaches': data, 'datta-ways': gpuData },
    };
  },
};

/** Norms of S = D^-1/2 A D^-1/2, which has the eigenvalues of D^-1 A and no unit: its largest eigenvalue and its 1-norm. */
export function normsOf(p) {
  const normals = Array.from({ length: p.points }, (_, i) => i);
  const { starts, columns, values } = assemble(p, normals);
  const root = normals.map((i) => Math.sqrt(p.kA[i] + p.kB[i]));
  let one = 0;
  for (const i of normals) {
    let sum = 0;
    for (let j = starts[i]; j < starts[i + 1]; j++) sum += Math.abs(values[j]) / (root[i] * root[columns[j]]);
    one = Math.max(one, sum);
  }
  let x = Float64Array.from(normals, (i) => 1 + 0.1 * Math.sin(i));
  let radius = 0;
  for (let k = 0; k < 300; k++) {
    const y = new Float64Array(p.points);
    let length = 0;
    for (const i of normals) {
      for (let j = starts[i]; j < starts[i + 1]; j++) y[i] += (values[j] * x[columns[j]]) / (root[i] * root[columns[j]]);
      length += y[i] * y[i];
    }
    radius = Math.sqrt(length);
    x = y.map((value) => value / radius);
  }
  return { n: p.points, one, two: radius };
}

/** Mean violation after each iteration of Jacobi on normals with D^-1 times `omega`, or with masses divided by contacts (null). */
function jacobiCurve(p, omega, count) {
  const z = new Float64Array(p.points);
  const v = Float64Array.from(p.v0);
  const on = new Float64Array(p.bodies);
  for (let i = 0; i < p.points; i++) for (const b of [p.a[i], p.b[i]]) if (b >= 0) on[b]++;
  const weight = (b) => (b >= 0 ? on[b] : 0);
  const values = [violation(p, v)];
  for (let k = 0; k < count; k++) {
    const steps = new Float64Array(p.points);
    for (let i = 0; i < p.points; i++) {
      const scale = omega === null ? 1 / (weight(p.a[i]) * p.kA[i] + weight(p.b[i]) * p.kB[i]) : omega / (p.kA[i] + p.kB[i]);
      steps[i] = Math.max(0, z[i] - scale * (rowSpeed(p, i, v) + p.bias[i])) - z[i];
    }
    for (let i = 0; i < p.points; i++) {
      z[i] += steps[i];
      applyRow(p, i, v, steps[i]);
    }
    values.push(violation(p, v));
  }
  return values;
}

export const norms = {
  name: 'datta-norm',
  page: 'datta2017',
  title: 'the bound of the spectral radius by the 1-norm (eq. 5 to 8)',
  seeds: { quick: 2, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const count = quick ? 60 : 200;
    const limit = 60;
    const WAYS_TO_SCALE = ['divided by contacts', '2 / radius', '2 / 1-norm', '2 / (root n 1-norm)'];
    const runs = [];
    for (const [s, seed] of seeds.entries()) {
      runs.push(
        await kept({ count, limit, seed }, async () => {
          progress(s / seeds.length, `seed ${seed}`);
          const run = await open(buildScene('boxes-small', { seed, count }), { solver: 'pgs' });
          await advance(run, 180);
          const p = extractProblem(run);
          run.dispose();
          const found = normsOf(p);
          const bound = Math.sqrt(found.n) * found.one;
          const omegas = [null, 1.9 / found.two, 1.9 / found.one, 1.9 / bound];
          return { ...found, curves: omegas.map((omega) => jacobiCurve(p, omega, limit)) };
        }),
      );
    }
    const left = (way) => runs.map(({ curves }) => curves[way][limit] / curves[way][0]);
    return {
      heading: 'Equation 8: a bound of the spectral radius',
      claims: [
        isBetween({
          claim: '2-norm over root n times 1-norm',
          paper: 'at most 1 (eq. 8)',
          values: runs.map((r) => r.two / (Math.sqrt(r.n) * r.one)),
          high: 1,
        }),
        isBetween({
          claim: '2-norm over the 1-norm itself: root n is not needed',
          paper: '-',
          values: runs.map((r) => r.two / r.one),
        }),
        isLess({
          claim: `violation after ${limit} iterations, first approach less than second with eq. 8`,
          paper: 'the second is slow to converge',
          a: left(0),
          b: left(3),
        }),
        isLess({
          claim: 'the same with the 1-norm without root n',
          paper: '-',
          a: left(0),
          b: left(2),
        }),
      ],
      paper:
        'D^-1 is scaled by at most 2 / rho(A); the 2-norm of A, which is rho(A) since A is symmetric, is bounded by root n times the 1-norm (n contacts). The second approach is stable for any shape and count, but slow to converge and of order n squared.',
      ours: `Normals of a settled pile of ${count} boxes, double precision. The matrix is scaled to D^-1/2 A D^-1/2, so that eigenvalues have no unit: A as printed has one over mass, and 2 / rho(A) D^-1 would have that of mass squared.`,
      agreement: `For a symmetric matrix the 1-norm alone bounds the 2-norm; the factor root n of eq. 8 (here ${short(Math.sqrt(median(runs.map((r) => r.n))))}) only makes steps shorter: after ${limit} iterations ${WAYS_TO_SCALE.map((way, i) => `${short(100 * median(left(i)), 2)} % (${way})`).join(', ')} of the violation are left.`,
      tables: [
        {
          title: 'Norms, and violation left in % by scaling of D^-1',
          head: ['seed', 'contacts', '2-norm', '1-norm', 'root n 1-norm', ...WAYS_TO_SCALE],
          rows: runs.map((r, i) => [
            seeds[i],
            r.n,
            r.two,
            r.one,
            Math.sqrt(r.n) * r.one,
            ...WAYS_TO_SCALE.map((_, k) => (100 * r.curves[k][limit]) / r.curves[k][0]),
          ]),
        },
      ],
      plots: [
        {
          name: 'datta-norm',
          caption: `Violation against iteration by scaling, normals only, seed ${seeds[0]}.`,
          svg: lines(
            WAYS_TO_SCALE.flatMap((series, k) => runs[0].curves[k].map((y, x) => ({ x, y: 1000 * y, series }))),
            { xLabel: 'iteration', yLabel: 'violation (mm/s)', logY: true },
          ),
        },
      ],
      csv: { 'datta-norm': runs.map(({ curves: _curves, ...r }, i) => ({ seed: seeds[i], ...r })) },
    };
  },
};

/** A box of 1 m that stands on a floor, to be pushed. */
function slidingScene(friction) {
  const scene = buildScene('rest', {});
  const { bodies } = scene;
  for (let i = 0; i < bodies.count; i++) bodies.friction[i] = friction;
  return scene;
}

export const tangent = {
  name: 'datta-tangent',
  page: 'datta2017',
  title: 'one random friction tangent against two',
  seeds: { quick: 3, full: 30 },
  async run({ quick, seeds, progress }) {
    const mu = 0.5;
    const speed = 6;
    const friction = await frictionNames();
    const { can, missing } = await available([
      { label: 'two tangents a manifold (circle)', options: { solver: 'pgs', frictionModel: friction.circle } },
      { label: 'two tangents a point (pyramid)', options: { solver: 'pgs', frictionModel: friction.pyramid } },
      { label: 'one random tangent', options: { solver: 'pgs', frictionModel: 'random-tangent' } },
    ]);
    const expected = (speed * speed) / (2 * mu * 9.81);
    const rows = [];
    const data = [];
    // Over all rates and directions, of each seed: mean way over the exact one, and farthest aside.
    const bySeed = Object.fromEntries(can.map(({ label }) => [label, seeds.map(() => ({ ways: [], sides: [] }))]));
    for (const { label, options } of can) {
      for (const rate of [60, 240]) {
        for (const angle of [0, 30, 45]) {
          const ways = [];
          const sides = [];
          for (const seed of seeds) {
            progress(0.5, `${label}, ${rate} Hz, ${angle} degrees`);
            const scene = slidingScene(mu);
            const box = scene.bodies.type.indexOf(2);
            const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
            scene.bodies.position.set([-5 * c, 0.5, -5 * s], 3 * box);
            scene.bodies.linearVelocity.set([speed * c, 0, speed * s], 3 * box);
            const run = await open({ ...scene, dt: 1 / rate }, { ...options, seed });
            const steps = Math.round(2.5 * rate);
            await advance(run, steps, (step) => {
              if (step % Math.round(rate / 30) !== 0 || angle !== 30 || seed !== seeds[0]) return;
              const x = run.world.positions[4 * box] + 5 * c;
              const z = run.world.positions[4 * box + 2] + 5 * s;
              data.push({ method: label, rate, along: x * c + z * s, aside: z * c - x * s });
            });
            const x = run.world.positions[4 * box] + 5 * c;
            const z = run.world.positions[4 * box + 2] + 5 * s;
            ways.push(x * c + z * s);
            sides.push(Math.abs(z * c - x * s));
            const mine = bySeed[label][seeds.indexOf(seed)];
            mine.ways.push((x * c + z * s) / expected);
            mine.sides.push(Math.abs(z * c - x * s));
            run.dispose();
          }
          rows.push([label, rate, angle, median(ways), median(ways) / expected, 1000 * Math.max(...sides)]);
        }
      }
    }
    // Cost of a pass over the rows: a pile of boxes.
    const costs = [];
    for (const { label, options } of can) {
      const run = await open(buildScene('boxes-small', { seed: 1, scale: quick ? 0.1 : 0.45 }), options);
      const times = [];
      await advance(run, quick ? 150 : 300, (step) => {
        if (step > (quick ? 120 : 240)) times.push(run.world.profile.solve);
      });
      const contacts = run.world.measure().contactCount;
      const least = Math.min(...times);
      costs.push([label, contacts, least, (1e6 * least) / contacts / run.world.profile.substeps / 2]);
      run.dispose();
    }
    const manifold = rows.filter((r) => r[0].includes('circle'));
    const point = rows.filter((r) => r[0].includes('pyramid'));
    const random = rows.filter((r) => r[0].includes('random'));
    const spread = (list, k) => `${short(Math.min(...list.map((r) => r[k])))} to ${short(Math.max(...list.map((r) => r[k])))}`;
    const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
    const [circle, oneRandom] = [can[0].label, 'one random tangent'];
    const sidesOf = (label) => bySeed[label].map(({ sides }) => 1000 * Math.max(...sides));
    const costOf = (label) => costs.find((r) => r[0] === label)?.[3];
    return {
      heading: 'One random tangent',
      claims: random.length
        ? [
            isBetween({
              claim: 'way until rest over the exact one',
              paper: 'as with two tangents in the mean',
              values: bySeed[oneRandom].map(({ ways }) => mean(ways)),
              low: 0.95,
              high: 1.05,
              remark: 'within 5 %',
            }),
            isLess({
              claim: 'farthest aside with a circular bound, a tenth of that with one tangent',
              paper: 'bodies go along a zig-zag path',
              a: sidesOf(circle),
              b: sidesOf(oneRandom),
              factor: 0.1,
            }),
            isOnce({
              claim: 'time per contact and pass, one tangent over two at a point',
              paper: 'a third of the rows less',
              ours: costOf(oneRandom) / costOf('two tangents a point (pyramid)'),
              unit: 'times',
              remark: 'belongs to the machine',
            }),
          ]
        : [isOpen({ claim: 'way until rest over the exact one', paper: '1', why: 'this build has no random tangent' })],
      paper:
        'One friction direction drawn at random in each step, with the coefficient times pi / 2, has the effect of two in the mean and saves a third of the rows; bodies go along a zig-zag path before they rest.',
      ours: `A box that slides at ${speed} m/s over a floor with a coefficient of ${mu}, in three directions and at two step rates: way until rest (exactly ${short(expected)} m) and how far aside it goes. Below, the cost of a pile.`,
      agreement: random.length
        ? `The box stops after ${spread(random, 4)} of the exact way with one random tangent and goes up to ${short(Math.max(...random.map((r) => r[5])))} mm aside, against ${spread(manifold, 4)} and ${short(Math.max(...manifold.map((r) => r[5])))} mm with a circular bound.`
        : `Two tangents a manifold with a circular bound stop the box after ${spread(manifold, 4)} of the exact way, the pyramid after ${spread(point, 4)}.`,
      notes: missing.map((m) => `Left out: ${m.label} (this build has no such friction model).`),
      tables: [
        {
          title: 'Sliding box',
          head: ['friction', 'steps per second', 'direction, degrees', 'way, m', 'way / exact', 'aside, mm'],
          rows,
        },
        {
          title: 'Cost on a pile',
          head: ['friction', 'contacts', 'solver, least ms per step', 'ns per contact and pass'],
          rows: costs,
        },
      ],
      plots: [
        {
          name: 'datta-tangent',
          caption: 'Path of the box thrown at 30 degrees, 60 steps per second: sideways against along.',
          svg: lines(
            data.filter((d) => d.rate === 60).map((d) => ({ x: d.along, y: 1000 * d.aside, series: d.method })),
            { xLabel: 'along (m)', yLabel: 'aside (mm)' },
          ),
        },
      ],
      csv: { 'datta-tangent': data },
    };
  },
};
