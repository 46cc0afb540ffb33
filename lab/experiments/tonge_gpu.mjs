// Tonge, Benevolenski, Voroshilov 2012 where the paper ran it: mass splitting by body pair against parallel Gauss-Seidel by graph
// colors, both on the GPU (WebGPU). Dispatches of a pass, passes to the same residual, time of a step, contacts a second.
import { availableParallelism, loadavg } from 'node:os';
import { openAdapter } from '../../bench/lib/gpu.mjs';
import { lines } from '../lib/plot.mjs';
import { short } from '../lib/report.mjs';
import { advance, breathe, buildScene, oneStep, open } from '../lib/run.mjs';
import { fourScenes } from './tonge.mjs';

const PAIRS = { solver: 'pair-split', label: 'pairs' };
const COLORS = { solver: 'colored', label: 'colors' };

/** Passes at which residuals are looked at, and beyond which nobody looks. */
const LADDER = [1, 2, 4, 5, 8, 16, 30, 64, 128, 256];
const LADDER_QUICK = [1, 5, 30, 64];

/** The passes of the paper's table 1, which cost the same there. */
const PAPER = { colors: 5, pairs: 30 };

/** Steps timed of each method; the first one compiles and is left out, the least of the others counts. */
const TIMED = { hardware: 24, software: 4 };

/** As in the paper: one step from zero impulses, no stabilization, staggered friction. */
const optionsOf = async (solver, passes) => ({
  ...(await oneStep(passes, { solver })),
  warmStart: 0,
  stabilizationFactor: 0,
  frictionModel: 'pyramid-staggered',
});

/** A copy of the world on the device, with the method of the paper. */
async function twinOf(run, solver, passes, device) {
  const twin = await run.world.clone();
  twin.set(await optionsOf(solver, passes));
  if (device) await twin.setBackend('webgpu', device);
  return twin;
}

/** One step of `passes` from the state of the run; residual (m/s rms), dispatches, colors. */
async function look(run, solver, passes, device) {
  const twin = await twinOf(run, solver, passes, device);
  await twin.stepAsync();
  if (device && twin.profile.backend !== 'webgpu') throw new Error(`${solver} was not solved on the GPU`);
  const { residualRms, contactCount } = twin.measure();
  const { dispatches, colors } = twin.profile;
  twin.dispose();
  await breathe();
  return { residual: residualRms, contacts: contactCount, dispatches, colors };
}

/** Milliseconds a step of `passes`: of the compute pass by the clock of the GPU, and from packing to the result. */
async function time(run, solver, passes, device, steps) {
  const twin = await twinOf(run, solver, passes, device);
  const whole = [];
  const pass = [];
  let contacts = 0;
  for (let i = 0; i <= steps; i++) {
    await twin.stepAsync();
    if (i === 0) continue;
    if (device && twin.profile.backend !== 'webgpu') throw new Error(`${solver} was not solved on the GPU`);
    whole.push(twin.profile.solve + twin.profile.gpu);
    pass.push(twin.profile.gpuPass);
    contacts = twin.profile.contactCount;
  }
  twin.dispose();
  await breathe();
  const milliseconds = Math.min(...whole);
  return { milliseconds, pass: device ? Math.min(...pass) : null, rate: (1000 * contacts) / Math.max(1e-6, milliseconds) };
}

/** Fewest passes whose residual is at most `target`: between two rungs of the ladder by halving; null beyond the last rung. */
async function passesTo(target, curve, residualAt) {
  const rung = curve.findIndex(({ residual }) => residual <= target);
  if (rung < 0) return null;
  let high = curve[rung].passes;
  let low = rung === 0 ? 0 : curve[rung - 1].passes;
  while (high - low > Math.max(1, high >> 4)) {
    const middle = (low + high) >> 1;
    if ((await residualAt(middle)) <= target) high = middle;
    else low = middle;
  }
  return high;
}

export const onGpu = {
  name: 'tonge-gpu',
  page: 'tonge2012',
  title: 'mass splitting by pairs against colored Gauss-Seidel on WebGPU',
  async run({ quick, progress }) {
    const adapter = await openAdapter();
    const device = adapter.name === null ? null : await adapter.requestDevice();
    // A software adapter takes seconds a step for the large scenes.
    const small = quick || device === null || adapter.software;
    const scenes = fourScenes(small).filter(({ label }) => !quick || label === 'fracture');
    const ladder = quick ? LADDER_QUICK : LADDER;
    const steps = device && !adapter.software ? TIMED.hardware : TIMED.software;
    const where = device === null ? 'WASM' : adapter.software ? 'software adapter' : 'GPU';
    const data = [];
    const residuals = [];
    const rows = [];
    const times = [];
    const timeData = [];
    for (let s = 0; s < scenes.length; s++) {
      const { label, name, options, frame } = scenes[s];
      const share = (part, what) => progress((s + part) / scenes.length, `${label}: ${what}`);
      share(0, 'simulating');
      const run = await open(buildScene(name, { seed: 1, ...options }), { solver: 'pgs' });
      await advance(run, frame);
      const curves = {};
      for (const { solver, label: method } of [PAIRS, COLORS]) {
        const curve = [];
        for (const passes of ladder) {
          share(0.1 + 0.3 * (curve.length / ladder.length + (solver === 'colored' ? 1 : 0)), `${method}, ${passes} passes`);
          const found = { passes, ...(await look(run, solver, passes, device)) };
          curve.push(found);
          data.push({ scene: label, method, ...found });
        }
        curves[method] = curve;
      }
      const { pairs, colors } = curves;
      const bodies = run.world.measure().dynamicCount;
      const at = (curve, passes) => curve.find((c) => c.passes === passes);
      // Dispatches that one pass more costs: what comes before and after all passes is left out.
      const perPass = (curve) =>
        device === null ? null : (curve.at(-1).dispatches - curve[0].dispatches) / (curve.at(-1).passes - curve[0].passes);
      const target = at(colors, PAPER.colors).residual;
      share(0.8, 'passes to the same residual');
      const needed = await passesTo(target, pairs, async (n) => (await look(run, PAIRS.solver, n, device)).residual);
      rows.push([
        label,
        bodies,
        pairs[0].contacts,
        colors[0].colors,
        perPass(pairs),
        perPass(colors),
        1000 * at(pairs, PAPER.pairs).residual,
        1000 * target,
        needed,
        needed === null || device === null ? null : needed * perPass(pairs),
        device === null ? null : PAPER.colors * perPass(colors),
      ]);
      residuals.push([label, ...[pairs, colors].flatMap((curve) => curve.map((c) => 1000 * c.residual))]);
      share(0.9, 'times');
      for (const [{ solver, label: method }, passes] of [
        [COLORS, PAPER.colors],
        [PAIRS, PAPER.pairs],
        ...(needed === null ? [] : [[PAIRS, needed]]),
      ]) {
        const { milliseconds, pass, rate } = await time(run, solver, passes, device, steps);
        times.push([label, method, passes, where, pass, milliseconds, rate]);
        timeData.push({ scene: label, method, passes, adapter: where, pass, milliseconds, rate });
      }
      run.dispose();
    }
    device?.destroy();
    const list = (k) => rows.map((r) => (r[k] === null ? 'more than 256' : short(r[k], 3))).join(', ');
    const ahead = rows.filter((r) => r[6] <= r[7]).map((r) => r[0]);
    const fewer = rows.filter((r) => r[9] !== null && r[9] <= r[10]).map((r) => r[0]);
    const named = (names) => (names.length === 0 ? 'no scene' : names.length === rows.length ? 'all scenes' : names.join(', '));
    return {
      heading: 'Mass splitting against parallel Gauss-Seidel on the GPU',
      paper:
        'Block mass splitting and PGS by graph colors, both in CUDA on a GTX 580. 30 iterations of splitting take about the time of 5 of PGS (table 1: boxes 15.7 and 17.7 ms, chain 5.2 and 12.4, card house 3.5 and 4.8, fracture 7.0 and 7.8), since PGS starts a kernel a color; PGS converges faster an iteration.',
      ours: `Both on WebGPU, on the same rows, staggered friction, one step from zero impulses: pairs take a dispatch over pairs and one over bodies for normals and again for friction, whatever touches; colors a dispatch each. A frame of ${scenes.map((s) => s.label).join(', ')}${small ? ', boxes and fracture scaled down' : ''}. Residual: root mean square of what is missing to complementarity of the normals.`,
      agreement: `A pass takes ${list(4)} dispatches by pairs and ${list(5)} by colors (${rows.map((r) => r[0]).join(', ')}). 30 passes of pairs end at or below the residual of 5 of colors in ${named(ahead)}; to reach it they need ${list(8)} passes, ${list(9)} dispatches against ${list(10)}: fewer dispatches in ${named(fewer)}.${
        device === null
          ? ' There is no WebGPU adapter here: dispatches and times of a GPU are missing.'
          : adapter.software
            ? ' Times are those of a software adapter on the cores of the CPU: they say nothing about a GPU, which has lanes for all pairs at once and waits between dispatches.'
            : ` On this GPU 30 passes of pairs take ${rows.map(([label]) => short(timeOf(times, label, 'pairs', PAPER.pairs) / timeOf(times, label, 'colors', PAPER.colors), 2)).join(', ')} times the compute pass of 5 of colors.`
      }`,
      notes: [
        device === null
          ? `No GPU: ${adapter.reason}. Residuals are those of WASM, which has the same bits.`
          : `GPU: ${adapter.name}${adapter.software ? '. This is a software adapter: its times say nothing about a GPU and are here to show that the path runs' : ''}.`,
        `Times are the least of ${steps} steps: of the compute pass by the clock of the device, and of the solver from packing to the result. Contacts a second go with the latter.`,
        `Load of the machine over the last minute, of ${availableParallelism()} cores: ${short(loadavg()[0])}.`,
      ],
      tables: [
        {
          title: 'Passes and dispatches',
          head: [
            'scene',
            'bodies',
            'contacts',
            'colors',
            'dispatches a pass, pairs',
            'dispatches a pass, colors',
            'residual, pairs 30, mm/s',
            'residual, colors 5, mm/s',
            'passes of pairs to the latter',
            'dispatches of these',
            'dispatches of colors 5',
          ],
          rows,
        },
        {
          title: `Milliseconds a step (${where}${adapter.software ? ': says nothing about a GPU' : ''})`,
          head: ['scene', 'method', 'passes', 'on', 'compute pass, ms', 'packing to result, ms', 'contacts a second'],
          rows: times,
        },
        {
          title: 'Residual, mm/s rms',
          head: ['scene', ...['pairs', 'colors'].flatMap((method) => ladder.map((n) => `${method}, ${n}`))],
          rows: residuals,
        },
      ],
      plots: scenes.map(({ label, name }) => ({
        name: `tonge-gpu-${name}`,
        caption: `${label}: residual after one step against dispatches of its passes.`,
        svg: lines(
          data
            .filter((d) => d.scene === label && d.residual < 10)
            .map((d) => ({ x: Math.max(1, d.dispatches), y: 1000 * d.residual, series: d.method })),
          { xLabel: 'dispatches', yLabel: 'residual (mm/s)', logX: true, logY: true, points: true },
        ),
      })),
      csv: { 'tonge-gpu': data, 'tonge-gpu-times': timeData },
    };
  },
};

const timeOf = (times, label, method, passes) =>
  times.find((t) => t[0] === label && t[1] === method && t[2] === passes)?.[4] ?? Number.NaN;
