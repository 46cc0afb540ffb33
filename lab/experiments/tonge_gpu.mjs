// Tonge, Benevolenski, Voroshilov 2012 on the GPU, as in the paper: mass splitting by body pair against parallel Gauss-Seidel by graph
// colors, both on WebGPU. Dispatches per pass, passes to the same residual, time per step, contacts per second.
import { availableParallelism, loadavg } from 'node:os';
import { openAdapter } from '../../bench/lib/gpu.mjs';
import { isCase, isOnce, isOpen } from '../lib/claims.mjs';
import { lines } from '../lib/plot.mjs';
import { short } from '../lib/report.mjs';
import { advance, breathe, buildScene, oneStep, open } from '../lib/run.mjs';
import { fourScenes } from '../lib/scenes.mjs';

const PAIRS = { solver: 'pair-split', label: 'pairs' };
const COLORS = { solver: 'colored', label: 'colors' };

/** Passes at which residuals are looked at, and beyond which nobody looks. */
const LADDER = [1, 2, 4, 5, 8, 16, 30, 64, 128, 256];
const LADDER_QUICK = [1, 5, 30, 64];

/** The passes of the paper's table 1, which cost the same there. */
const PAPER = { colors: 5, pairs: 30 };

/** Passes of colors whose residuals pairs are to reach: those of the paper, and more. */
const TARGETS = [PAPER.colors, 30];

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
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress }) {
    const adapter = await openAdapter();
    const device = adapter.name === null ? null : await adapter.requestDevice();
    // A software adapter takes seconds per step for the large scenes.
    const small = quick || device === null || adapter.software;
    const scenes = fourScenes(small).filter(({ label }) => !quick || label === 'fracture');
    const ladder = quick ? LADDER_QUICK : LADDER;
    const steps = device && !adapter.software ? TIMED.hardware : TIMED.software;
    const where = device === null ? 'WASM' : adapter.software ? 'software adapter' : 'GPU';
    const data = [];
    const residuals = [];
    const targets = [];
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
      // Dispatches of one more pass, without the dispatches before and after all passes.
      const perPass = (curve) =>
        device === null ? null : (curve.at(-1).dispatches - curve[0].dispatches) / (curve.at(-1).passes - curve[0].passes);
      const dispatches = (passes, curve) => (passes === null || device === null ? null : passes * perPass(curve));
      rows.push([label, bodies, pairs[0].contacts, colors[0].colors, perPass(pairs), perPass(colors)]);
      for (const passes of TARGETS.slice(0, quick ? 1 : undefined)) {
        share(0.8, `passes to the residual of ${passes} of colors`);
        const { residual } = at(colors, passes);
        const needed = await passesTo(residual, pairs, async (n) => (await look(run, PAIRS.solver, n, device)).residual);
        const same = { scene: label, residual, colors: passes, colorDispatches: dispatches(passes, colors), pairs: needed };
        targets.push({ ...same, pairDispatches: dispatches(needed, pairs), at30: at(pairs, PAPER.pairs).residual });
      }
      residuals.push([label, ...[pairs, colors].flatMap((curve) => curve.map((c) => 1000 * c.residual))]);
      share(0.9, 'times');
      const { pairs: needed } = targets.find((t) => t.scene === label && t.colors === PAPER.colors);
      for (const [{ solver, label: method }, passes] of [
        [COLORS, PAPER.colors],
        [PAIRS, PAPER.pairs],
        ...(needed === null || needed === PAPER.pairs ? [] : [[PAIRS, needed]]),
      ]) {
        const { milliseconds, pass, rate } = await time(run, solver, passes, device, steps);
        times.push([label, method, passes, where, pass, milliseconds, rate]);
        timeData.push({ scene: label, method, passes, adapter: where, pass, milliseconds, rate });
      }
      run.dispose();
    }
    device?.destroy();
    const each = (values) => values.map((x) => (x === null ? 'more' : short(x, 3))).join(', ');
    const named = (names) => (names.length === 0 ? 'no scene' : names.length === rows.length ? 'all scenes' : names.join(', '));
    const most = ladder.at(-1);
    /** What pairs need to the residual of so many passes of colors. */
    const reached = (passes) => {
      const list = targets.filter((t) => t.colors === passes);
      const fewer = list.filter((t) => t.pairDispatches !== null && t.pairDispatches <= t.colorDispatches).map((t) => t.scene);
      const beyond = list.some((t) => t.pairs === null) ? ` ('more': than ${most})` : '';
      const counts = `To the residual of ${passes} passes of colors pairs need ${each(list.map((t) => t.pairs))} passes${beyond}`;
      if (device === null) return `${counts}.`;
      return `${counts}, that is ${each(list.map((t) => t.pairDispatches))} dispatches against ${each(list.map((t) => t.colorDispatches))}: fewer in ${named(fewer)}.`;
    };
    const first = targets.filter((t) => t.colors === PAPER.colors);
    const ahead = first.filter((t) => t.at30 <= t.residual).map((t) => t.scene);
    return {
      heading: 'Mass splitting against parallel Gauss-Seidel on the GPU',
      claims: [
        isCase({
          claim: 'dispatches of a pass: fewer by pairs than by colors in every scene',
          paper: 'PGS has to synchronize for each color',
          ours: device === null ? '-' : rows.map((r) => `${short(r[4])} against ${short(r[5])}`).join(', '),
          holds: device === null ? undefined : rows.every((r) => r[4] < r[5]),
        }),
        ...rows.map(([label]) => {
          const claim = `${label}: compute pass of 30 of pairs over 5 of colors`;
          const paper = 'about 1 (0.4 to 1.0)';
          if (device === null) return isOpen({ claim, paper, why: 'no GPU here' });
          const ours = timeOf(times, label, 'pairs', PAPER.pairs) / timeOf(times, label, 'colors', PAPER.colors);
          if (adapter.software) return isOpen({ claim, paper, why: 'a software adapter says nothing about a GPU' });
          return isCase({
            claim,
            paper,
            ours,
            unit: 'times',
            holds: ours < 1.5,
            remark: `less than 1.5; least of ${steps} steps`,
          });
        }),
        ...first.map((t) =>
          isOnce({
            claim: `${t.scene}, one frame: passes of pairs to the residual of 5 of colors`,
            paper: '-',
            ours: t.pairs ?? `more than ${most}`,
            remark: `30 passes ${t.at30 <= t.residual ? 'reach' : 'do not reach'} it`,
          }),
        ),
      ],
      paper:
        'Block mass splitting and PGS by graph colors, both in CUDA on a GTX 580. 30 iterations of splitting take about the time of 5 of PGS (table 1: boxes 15.7 and 17.7 ms, chain 5.2 and 12.4, card house 3.5 and 4.8, fracture 7.0 and 7.8), since PGS has to color and to synchronize; PGS converges faster an iteration.',
      ours: `Both on WebGPU, on the same rows, staggered friction, one step from zero impulses: pairs take a dispatch over pairs and one over bodies for normals and again for friction, whatever touches; colors a dispatch each. A frame of ${scenes.map((s) => s.label).join(', ')}${small ? ', boxes and fracture scaled down' : ''}. Residual: root mean square of what is missing to complementarity of the normals.`,
      agreement: `${device === null ? '' : `A pass takes ${each(rows.map((r) => r[4]))} dispatches by pairs and ${each(rows.map((r) => r[5]))} by colors (${rows.map((r) => r[0]).join(', ')}). `}30 passes of pairs end at or below the residual of 5 of colors in ${named(ahead)}. ${[...new Set(targets.map((t) => t.colors))].map(reached).join(' ')}${
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
          title: 'Dispatches of a pass',
          head: ['scene', 'bodies', 'contacts', 'colors', 'by pairs', 'by colors'],
          rows,
        },
        {
          title: 'To the same residual',
          head: ['scene', 'residual, mm/s', 'passes, colors', 'dispatches, colors', 'passes, pairs', 'dispatches, pairs'],
          rows: targets.map((t) => [
            t.scene,
            1000 * t.residual,
            t.colors,
            t.colorDispatches,
            t.pairs ?? `more than ${most}`,
            t.pairDispatches,
          ]),
        },
        {
          title: `Milliseconds a step (${where}${adapter.software ? ': says nothing about a GPU' : ''})`,
          head: ['scene', 'method', 'passes', 'on', 'compute pass, ms', 'packing to result, ms', 'contacts per second'],
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
      csv: { 'tonge-gpu': data, 'tonge-gpu-same': targets, 'tonge-gpu-times': timeData },
    };
  },
};

const timeOf = (times, label, method, passes) =>
  times.find((t) => t[0] === label && t[1] === method && t[2] === passes)?.[4] ?? Number.NaN;
