// Creep of resting piles: does slop cause it, and how much does each cure help, alone and together? Measures speeds of bodies that should
// be at rest, on four shapes and several seeds, in single precision in the engine.
//
// With slop a soft contact between 0 and -slop has a damper and no spring: a body on it sinks with
//   g h / (1 + a2),  a2 = h w (2 zeta + h w),  w = 2 pi ratio / h (twice that on static bodies),  h = dt / substeps
// until the slop is used up.
import { median } from '../../bench/lib/stats.mjs';
import { countVerdicts, isCase, isLess } from '../lib/claims.mjs';
import { figures } from '../lib/plot.mjs';
import { short } from '../lib/report.mjs';
import { advance, available, buildScene, open } from '../lib/run.mjs';

const SLOP = 0.005;
const BASE = 'old: slop 5 mm, no recycling, pyramid';
const ALL = 'all three';

/** Sinking speed of one body on a static one, m/s. */
function sinkSpeed({ dt, substeps, contactHertzRatio, dampingRatio }) {
  const h = dt / substeps;
  const w = 2 * 2 * Math.PI * contactHertzRatio;
  return (9.81 * h) / (1 + w * (2 * dampingRatio + w));
}

/** The mixed scenes of round bodies: capsules alone come from the heap with its boxes left out. */
function pile(kind, seed, quick) {
  if (kind === 'boxes') return buildScene('boxes-small', { seed, count: quick ? 50 : 150 });
  if (kind === 'spheres') return buildScene('spheres', { seed, count: quick ? 50 : 150 });
  if (kind === 'hulls') return buildScene('hulls', { seed, count: quick ? 40 : 150 });
  const scene = buildScene('heap', { seed, count: quick ? 80 : 240 });
  const keep = [];
  const { bodies, shapes } = scene;
  for (let i = 0; i < bodies.count; i++) if (bodies.type[i] === 0 || shapes[bodies.shape[i]].type === 'capsule') keep.push(i);
  const pick = (array, width) =>
    array.constructor.from(keep.flatMap((i) => Array.from(array.subarray(width * i, width * i + width))));
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
  const kept = { count: keep.length };
  for (const [key, width] of Object.entries(widths)) kept[key] = pick(bodies[key], width);
  return { ...scene, bodies: kept, checks: { ...scene.checks, dynamicCount: keep.length - 5 } };
}

export const creep = {
  name: 'creep',
  page: 'talus',
  title: 'creep of resting piles: slop, recycling, friction model, stiffness',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    // One box on the floor against the formula.
    const single = [];
    for (const [substepCount, ratio] of [
      [8, 0.125],
      [8, 0.16],
      [12, 0.125],
    ]) {
      const options = { solver: 'wide', substeps: substepCount, contactHertzRatio: ratio, linearSlop: SLOP };
      const run = await open(buildScene('rest'), options);
      await advance(run, 60);
      const from = run.world.positions[4 * run.scene.bodies.type.indexOf(2) + 1];
      await advance(run, 60);
      const to = run.world.positions[4 * run.scene.bodies.type.indexOf(2) + 1];
      single.push([substepCount, ratio, 1000 * sinkSpeed(run.world.settings), 1000 * (from - to)]);
      run.dispose();
    }
    // The old recipe and its cures: no slop, contacts carried over, friction by manifold with a twist row; each alone, all
    // pairs, all three. One solver for all, in one order.
    const parts = [
      ['no slop', { linearSlop: 0 }, { linearSlop: SLOP }],
      ['recycling', { recycleDistance: 0.005 }, { recycleDistance: 0 }],
      ['patch friction', { frictionModel: 'patch' }, { frictionModel: 'pyramid' }],
    ];
    const list = [];
    for (let bits = 0; bits < 8; bits++) {
      const cures = parts.filter((_, k) => bits & (1 << k)).map(([name]) => name);
      const label = bits === 0 ? BASE : bits === 7 ? ALL : cures.join(' + ');
      const settings = parts.map(([, on, off], k) => (bits & (1 << k) ? on : off));
      list.push({ label, options: Object.assign({ solver: 'pgs' }, ...settings) });
    }
    const old = { solver: 'pgs', linearSlop: SLOP, recycleDistance: 0, frictionModel: 'pyramid' };
    const extra = [
      { label: 'old, slop 1 mm', options: { ...old, linearSlop: 0.001 } },
      { label: 'old, zeta 1', options: { ...old, dampingRatio: 1 } },
      { label: 'old, ratio 0.16', options: { ...old, contactHertzRatio: 0.16 } },
      { label: 'old, 4 sweeps', options: { ...old, sweeps: 4 } },
      { label: 'old, no relax pass', options: { ...old, relax: false } },
      { label: 'old, rigid (Baumgarte 0.2)', options: { ...old, stabilization: 'baumgarte' } },
      { label: 'all three, recycling 2 cm', options: { solver: 'pgs', recycleDistance: 0.02 } },
      { label: 'default (wide)', options: { solver: 'wide' } },
    ];
    const settings = quick ? [list[0], list[1], list[6], list[7]] : [...list, ...extra];
    const { can: variants } = await available(settings);
    const kinds = ['boxes', 'spheres', 'capsules', 'hulls'];
    const steps = quick ? 600 : 720;
    const rows = [];
    const data = [];
    const speeds = {};
    const curve = [];
    const total = kinds.length * variants.length * seeds.length;
    let done = 0;
    for (const kind of kinds) {
      for (const { label, options } of variants) {
        const medians = [];
        const rms = [];
        for (const seed of seeds) {
          progress(done++ / total, `${kind}: ${label}`);
          const result = await kept({ kind, quick, options, steps, seed }, async () => {
            const scene = pile(kind, seed, quick);
            const run = await open(scene, { preset: 'balanced', ...options });
            const energy = new Float64Array(scene.bodies.count);
            const points = [];
            let samples = 0;
            let squares = 0;
            await advance(run, steps, (step) => {
              if (step % 30 === 0 && seed === seeds[0]) points.push([step, run.world.measure().rmsSpeed]);
              if (step <= steps - 120 || step % 6 !== 0) return;
              const { linear } = run.read();
              for (let i = 0; i < scene.bodies.count; i++) {
                const v2 = linear[3 * i] ** 2 + linear[3 * i + 1] ** 2 + linear[3 * i + 2] ** 2;
                energy[i] += v2;
                squares += v2;
              }
              samples++;
            });
            const moving = run.motion.moving;
            run.dispose();
            return {
              median: Math.sqrt(median(moving.map((i) => energy[i] / samples))),
              rms: Math.sqrt(squares / samples / moving.length),
              points,
            };
          });
          for (const [step, speed] of result.points) curve.push({ kind, method: label, step, rms: speed });
          medians.push(result.median);
          rms.push(result.rms);
          data.push({ kind, method: label, seed, median: result.median, rms: result.rms });
        }
        speeds[`${kind}|${label}`] = medians;
        rows.push([kind, label, 1000 * Math.max(...medians), 1000 * median(rms), 1000 * Math.max(...rms)]);
      }
    }
    const of = (kind, label) => rows.find((r) => r[0] === kind && r[1] === label);
    const ratio = (label, base, column = 2) => kinds.map((k) => of(k, base)[column] / Math.max(1e-9, of(k, label)[column]));
    const spread = (values) => values.map((f, i) => `${short(f, 2)} (${kinds[i]})`).join(', ');
    const error = Math.max(...single.map((r) => Math.abs(r[3] / r[2] - 1)));
    // Speed of the median body, seed by seed.
    const advice = 'slop of millimeters is the first means';
    const claims = [
      isCase({
        claim: 'one box: sinking speed from the closed form, largest error',
        paper: 'our own formula',
        ours: 100 * error,
        unit: '%',
        holds: error < 0.1,
        remark: 'within 10 %',
      }),
      ...kinds.map((kind) =>
        isLess({
          claim: `${kind}: median body calmer with slop than without, old recipe`,
          paper: advice,
          a: speeds[`${kind}|${BASE}`],
          b: speeds[`${kind}|no slop`],
        }),
      ),
      ...kinds.map((kind) =>
        isLess({
          claim: `${kind}: the same with recycling and patch friction`,
          paper: advice,
          a: speeds[`${kind}|recycling + patch friction`],
          b: speeds[`${kind}|${ALL}`],
        }),
      ),
    ];
    const slopAlone = ratio('no slop', BASE);
    const last = ratio(ALL, 'recycling + patch friction');
    return {
      heading: 'Creep of resting piles',
      claims,
      paper:
        'No paper looks at it; Tsuda recommends a slop of a few millimeters as the first means of stabilization, and soft contacts with slop are common.',
      ours: `One box on a floor against the closed form of the sinking speed; piles of boxes, spheres, capsules and hulls dropped and left for ${short(steps / 60)} s, ${seeds.length} seed${seeds.length > 1 ? 's' : ''}: speed of the median body (largest over seeds) and rms over all bodies in the last two seconds.`,
      agreement: `Taking the slop out slows the median body of the old recipe by factors of ${spread(slopAlone)}, and with recycling and patch friction in place by ${spread(last)}. That slop calms: ${countVerdicts(claims.filter((row) => row.paper === advice))}.`,
      tables: [
        {
          title: 'One box with a slop of 5 mm: sinking speed, mm/s',
          head: ['substeps', 'hertz ratio', 'formula', 'measured'],
          rows: single,
        },
        {
          title: 'Piles at the end, mm/s',
          head: ['shape', 'setting', 'median body, worst seed', 'rms, median seed', 'rms, worst seed'],
          rows,
        },
      ],
      plots: kinds.flatMap((kind) =>
        figures(
          `creep-${kind}`,
          `${kind}: rms speed, seed ${seeds[0]}.`,
          curve
            .filter((d) => d.kind === kind)
            .map((d) => ({ x: d.step / 60, y: Math.max(1000 * d.rms, 1e-7), series: d.method })),
          { xLabel: 'time (s)', yLabel: 'rms speed (mm/s)', logY: true },
          [BASE, 'no slop', 'recycling + patch friction', ALL, 'old, rigid (Baumgarte 0.2)', 'default (wide)'],
        ),
      ),
      csv: { creep: data },
    };
  },
};
