// How slowly tall walls come to rest, and which settings help. How many substeps an island needs to be calm and shallow, and a rule that
// computes the number from the contact graph.
import { median } from '../../bench/lib/stats.mjs';
import { isBetween, isCase, isMostly, isOnce } from '../lib/claims.mjs';
import { islandsOf, SUBSTEP_RULE, substepsFor } from '../lib/islands.mjs';
import { figures } from '../lib/plot.mjs';
import { short } from '../lib/report.mjs';
import { advance, buildScene, open } from '../lib/run.mjs';

/** The aim for a wall of 30 layers after 20 s, m/s. */
const SWAY_AIM = 1e-5;

export const sway = {
  name: 'sway',
  page: 'talus',
  title: 'slow sway of walls and stacks: substeps, stiffness, damping, what it costs',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const steps = quick ? 240 : 1200;
    const variants = [];
    const add = (group, label, options) =>
      variants.push({ group, label, options: { solver: 'wide', substeps: 12, sweeps: 1, contactHertzRatio: 0.125, ...options } });
    for (const substeps of quick ? [6, 12] : [6, 8, 10, 11, 12, 14, 16, 20]) {
      add('substeps', `${substeps} substeps`, { substeps });
    }
    // The same stiffness in hertz as 12 x 0.125, with other substeps.
    for (const substeps of quick ? [16] : [8, 16, 20]) {
      const contactHertzRatio = (12 * 0.125) / substeps;
      add('substeps, hertz of 12 x 0.125', `${substeps} substeps, ratio ${short(contactHertzRatio)}`, {
        substeps,
        contactHertzRatio,
      });
    }
    for (const contactHertzRatio of quick ? [0.16] : [0.08, 0.1, 0.14, 0.16]) {
      add('hertz ratio at 12 substeps', `ratio ${contactHertzRatio}`, { contactHertzRatio });
    }
    for (const dampingRatio of quick ? [] : [1, 3, 5, 20])
      add('damping at 12 substeps', `zeta ${dampingRatio}`, { dampingRatio });
    for (const sweeps of quick ? [] : [2, 4]) add('sweeps at 12 substeps', `${sweeps} sweeps`, { sweeps });
    for (const sweeps of quick ? [] : [2, 4]) add('sweeps at 8 substeps', `8 x ${sweeps} sweeps`, { sweeps, substeps: 8 });
    if (!quick) {
      add('no relax pass at 12 substeps', 'no relax', { relax: false });
      add('no recycling at 12 substeps', 'no recycling', { recycleDistance: 0 });
      add('slop at 12 substeps', 'slop 5 mm', { linearSlop: 0.005 });
    }
    const scenes = [
      { label: 'wall', name: 'wall', options: { scale: quick ? 0.4 : 1 }, seeds: [1] },
      { label: 'stack', name: 'stack', options: {}, seeds: quick ? [1] : seeds },
    ];
    // Whether damping does a pile any harm.
    if (!quick) scenes.push({ label: 'pile', name: 'boxes-small', options: { count: 300 }, seeds, group: /^damping/ });
    const rows = [];
    const data = [];
    const speeds = {};
    const total = scenes.length * variants.length;
    let done = 0;
    for (const { label, name, options, seeds: list, group: only } of scenes) {
      for (const { group, label: variant, options: settings } of variants) {
        if (only && !only.test(group) && variant !== '12 substeps') continue;
        progress(done++ / total, `${label}: ${variant}`);
        const ends = [];
        for (const [i, seed] of list.entries()) {
          ends.push(
            await kept({ name, options, settings, steps, seed }, async () => {
              const run = await open(buildScene(name, { seed, ...options }), settings);
              const times = [];
              const curve = [];
              let squares = 0;
              let samples = 0;
              let calmSince = null;
              await advance(run, steps, (step) => {
                times.push(run.world.profile.solve);
                if (step % 6 !== 0) return;
                const { rmsSpeed } = run.world.measure();
                if (rmsSpeed >= SWAY_AIM) calmSince = null;
                else calmSince ??= step / 60;
                if (step > steps - 120) {
                  squares += rmsSpeed ** 2;
                  samples++;
                }
                if (i === 0 && step % 12 === 0) curve.push([step, rmsSpeed]);
              });
              const m = run.world.measure();
              const moved = run.motion.displacement(run.read());
              run.dispose();
              return {
                rms: Math.sqrt(squares / samples),
                sideways: moved.sideways,
                depth: m.penetrationMean,
                calmSince,
                ms: median(times),
                curve,
              };
            }),
          );
        }
        for (const [step, rms] of ends[0].curve) data.push({ scene: label, group, method: variant, step, rms });
        speeds[`${label}|${variant}`] = ends.map((e) => e.rms);
        const worst = (key) => Math.max(...ends.map((e) => e[key]));
        const calm = ends.map((e) => e.calmSince);
        rows.push([
          label,
          group,
          variant,
          1000 * worst('rms'),
          calm.includes(null) ? 'not yet' : Math.max(...calm),
          label === 'pile' ? null : 1000 * worst('sideways'),
          1000 * worst('depth'),
          worst('ms'),
        ]);
      }
    }
    const wall = rows.filter((r) => r[0] === 'wall');
    const stands = (r) => r[5] < 10;
    const reached = wall.filter((r) => r[3] < 1000 * SWAY_AIM && stands(r));
    const cheapest = [...reached].sort((a, b) => a[7] - b[7])[0];
    const fallen = wall.filter((r) => r[5] >= 100).map((r) => r[2]);
    const base = wall.find((r) => r[2] === '12 substeps');
    return {
      heading: 'Sway of walls and stacks',
      claims: [
        isCase({
          claim: `wall of ${quick ? '12' : '30'} layers, default: speed after ${short(steps / 60)} s`,
          paper: quick ? '-' : 'our own aim: 0.01 mm/s',
          ours: base[3],
          unit: 'mm/s',
          holds: base[3] < 1000 * SWAY_AIM,
        }),
        isBetween({
          claim: `stack of 20, default: speed after ${short(steps / 60)} s`,
          paper: '-',
          values: speeds['stack|12 substeps'].map((x) => 1000 * x),
          unit: 'mm/s',
        }),
        isCase({
          claim: 'wall: settings that end below 0.01 mm/s and stand',
          paper: '-',
          ours: `${reached.length} of ${wall.length}`,
        }),
      ],
      paper:
        'No paper looks at it. A wall of 30 layers and a stack of 20 are elastic columns that hardly damp their own slow sway.',
      ours: `Wall of ${quick ? '12' : '30'} layers of ten bricks and stack of 20 boxes${quick ? '' : ', and a pile of 300 for what damping does to it'}, solver wide, ${short(steps / 60)} s: rms speed over the last two seconds, since when it has stayed below ${1000 * SWAY_AIM} mm/s, sideways motion, mean overlap, median time of the solver${quick ? '' : `; stack and pile: worst of ${seeds.length} seeds`}.`,
      agreement: `The wall ends at ${short(base[3])} mm/s by default; ${reached.length} of ${wall.length} settings end below 0.01 mm/s and stand${cheapest ? `, the cheapest ${cheapest[2]} at ${short(cheapest[7] / base[7], 2)} times the time` : ''}; it falls with ${fallen.join(', ') || 'none'}.`,
      tables: [
        {
          title: 'At the end',
          head: [
            'scene',
            'varied',
            'setting',
            'rms, mm/s',
            'below 0.01 mm/s since, s',
            'sideways, mm',
            'mean overlap, mm',
            'solver, ms',
          ],
          rows,
        },
      ],
      plots: scenes.flatMap(({ label }) =>
        [...new Set(data.filter((d) => d.scene === label).map((d) => d.group))].slice(0, quick ? 1 : 4).flatMap((group, k) =>
          figures(
            `sway-${label}-${k}`,
            `${label}: ${group}.`,
            data
              .filter((d) => d.scene === label && d.group === group)
              .map((d) => ({ x: d.step / 60, y: Math.max(1000 * d.rms, 1e-6), series: d.method })),
            { xLabel: 'time (s)', yLabel: 'rms speed (mm/s)', logY: true },
          ).map((plot) => (k === 0 ? plot : { ...plot, behind: true })),
        ),
      ),
      csv: { sway: data },
    };
  },
};

/**
 * Bars of a scene that is to be calm and shallow at its end, m/s and m. In piles with round bodies some roll for ever at any
 * number of substeps: `rolling` is the speed of the runs with many.
 */
function passes({ stands, rms, sideways, mean, p99, most, lost }, rolling = 0) {
  if (lost > 0 || !(mean <= 1e-3)) return false;
  if (stands) return sideways <= 0.01 && rms <= 1e-3;
  return rms <= Math.max(1e-4, 2 * rolling) && p99 <= 5e-3 && most <= 20e-3;
}

/** Runs a scene and measures it over its last two seconds. `choose` may change the substeps while it runs. */
async function settle(scene, substeps, steps, stands, choose) {
  const run = await open(scene, { solver: 'wide', sweeps: 1, contactHertzRatio: 0.125, substeps });
  let squares = 0;
  let samples = 0;
  let work = 0;
  let tail = 0;
  let ms = 0;
  await advance(run, steps, (step) => {
    const current = run.world.profile.substeps;
    work += current;
    ms += run.world.profile.solve;
    if (step > steps - 120) {
      squares += run.world.measure().rmsSpeed ** 2;
      samples++;
      tail += current;
    }
    choose?.(run, step);
  });
  const m = run.world.measure();
  const state = run.read();
  const islands = islandsOf(run).sort((a, b) => b.count - a.count);
  const result = {
    stands,
    rms: Math.sqrt(squares / samples),
    sideways: run.motion.displacement(state).sideways,
    mean: m.penetrationMean,
    p99: m.penetrationP99,
    most: m.penetrationMax,
    lost: run.motion.lost(state),
    substeps: work / steps,
    lastSubsteps: tail / samples,
    ms: ms / steps,
    bodies: run.motion.moving.length,
    islands,
  };
  run.dispose();
  return result;
}

/** Islands that the rule was made from, and others that it was not. */
function kinds(quick) {
  const stack = (n) => ({ label: `stack of ${n}`, name: 'stack', options: { scale: n / 20 }, stands: true, random: true });
  const wall = (n) => ({ label: `wall of ${n} layers`, name: 'wall', options: { scale: n / 30 }, stands: true });
  const pyramid = (n) => ({ label: `pyramid, base ${n}`, name: 'pyramid', options: { scale: n / 60 }, stands: true });
  const pile = (count) => ({ label: `pile of ${count} boxes`, name: 'boxes-small', options: { count }, random: true });
  const spheres = (count) => ({ label: `${count} spheres`, name: 'spheres', options: { count }, random: true });
  const slabs = (r) => ({ label: `block on slabs, 1:${r}`, name: 'slabs', options: { massRatio: r }, stands: true });
  const single = { label: 'single box', name: 'rest', options: {}, stands: true };
  const cards = { label: 'card house', name: 'cardhouse', options: {}, stands: true };
  const hulls = (count) => ({ label: `${count} hulls`, name: 'hulls', options: { count }, random: true });
  const heap = (count) => ({ label: `heap of ${count}`, name: 'heap', options: { count }, random: true });
  if (quick) return { made: [single, stack(3), pile(30)], other: [wall(5)] };
  return {
    made: [
      single,
      stack(2),
      stack(5),
      stack(10),
      stack(20),
      wall(5),
      wall(10),
      wall(20),
      wall(30),
      pyramid(10),
      pyramid(20),
      pyramid(40),
      pile(30),
      pile(200),
      spheres(100),
      slabs(3),
      slabs(30),
    ],
    other: [
      stack(3),
      stack(7),
      stack(15),
      wall(15),
      wall(25),
      pyramid(30),
      pile(500),
      pile(1000),
      spheres(300),
      hulls(200),
      heap(200),
      cards,
      slabs(10),
      slabs(100),
    ],
  };
}

export const substepRule = {
  name: 'substep-rule',
  page: 'talus',
  title: 'a rule for the substeps of an island that keeps calm and depth',
  seeds: { quick: 1, full: 3 },
  async run({ quick, seeds, progress, kept }) {
    const steps = quick ? 480 : 1200;
    const ladder = quick ? [2, 4, 8] : [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 20];
    const sets = kinds(quick);
    const list = [...sets.made.map((k) => ({ ...k, made: true })), ...sets.other.map((k) => ({ ...k, made: false }))];
    const rows = [];
    const data = [];
    const found = [];
    for (let k = 0; k < list.length; k++) {
      const { label, name, options, stands = false, random = false, made } = list[k];
      for (const seed of random ? (options.count >= 500 ? seeds.slice(0, 1) : seeds) : [1]) {
        let needed = null;
        let last = null;
        let rolling = 0;
        // From above, so that a lucky run below a failing one does not count.
        for (const substeps of [...ladder].reverse()) {
          progress(k / list.length, `${label}, seed ${seed}: ${substeps} substeps`);
          const r = await kept({ name, options, substeps, steps, seed }, () =>
            settle(buildScene(name, { seed, ...options }), substeps, steps, stands),
          );
          if (substeps >= 10 && r.rms < 0.1) rolling = Math.max(rolling, r.rms);
          const ok = passes(r, rolling);
          const { islands, ...plain } = r;
          data.push({
            island: label,
            seed,
            ...plain,
            substeps,
            passes: ok,
            height: islands[0]?.height,
            meanLoad: islands[0]?.meanLoad,
          });
          if (!ok) break;
          needed = substeps;
          last = r;
        }
        const largest = last?.islands[0];
        const rule = largest ? substepsFor(largest) : null;
        found.push({ label, seed, made, needed, rule, ...largest });
        rows.push([
          label,
          seed,
          made ? 'yes' : 'no',
          largest?.count,
          largest?.height,
          largest?.meanLoad,
          largest?.massRatio,
          needed ?? `> ${ladder.at(-1)}`,
          rule,
        ]);
      }
    }
    const judged = found.filter((f) => f.needed !== null);
    const short_ = judged.filter((f) => f.rule < f.needed);
    const fresh = judged.filter((f) => !f.made);
    const freshShort = fresh.filter((f) => f.rule < f.needed);

    // Islands of several kinds, each a world of its own, whose substeps follow the rule as they build up and settle.
    const mixture = quick
      ? [{ name: 'stack', options: { scale: 0.15 }, stands: true, count: 2 }]
      : [
          { name: 'rest', options: {}, stands: true, count: 40 },
          { name: 'stack', options: { scale: 3 / 20 }, stands: true, count: 20 },
          { name: 'stack', options: { scale: 8 / 20 }, stands: true, count: 5 },
          { name: 'wall', options: { scale: 6 / 30 }, stands: true, count: 3 },
          { name: 'wall', options: { scale: 12 / 30 }, stands: true, count: 2 },
          { name: 'pyramid', options: { scale: 12 / 60 }, stands: true, count: 2 },
          { name: 'boxes-small', options: { count: 60 }, stands: false, count: 4 },
          { name: 'boxes-small', options: { count: 300 }, stands: false, count: 1 },
          { name: 'spheres', options: { count: 60 }, stands: false, count: 2 },
          { name: 'wall', options: { scale: 1 }, stands: true, count: 1 },
        ];
    const check = [];
    const sums = { rule: { body: 0, ms: 0, misses: 0 }, all: { body: 0, ms: 0, misses: 0 } };
    for (const [i, { name, options, stands, count }] of mixture.entries()) {
      for (const mode of ['rule', 'all']) {
        progress(0.9 + (0.1 * i) / mixture.length, `mixture: ${name}, ${mode}`);
        let misses = 0;
        let body = 0;
        let ms = 0;
        let size = 0;
        let worst = 0;
        let end = 0;
        for (let copy = 0; copy < (quick ? 1 : Math.min(count, 3)); copy++) {
          const seed = 11 + copy;
          let wanted = 12;
          // Every quarter second; up at once, down only after a second of wanting less.
          let lower = 0;
          const choose = (run, step) => {
            if (step % 15 !== 0) return;
            const most = Math.max(SUBSTEP_RULE.least, ...islandsOf(run).map(substepsFor));
            lower = most < wanted ? lower + 1 : 0;
            if (most > wanted || lower >= 4) {
              wanted = most;
              run.world.set({ substeps: wanted });
              lower = 0;
            }
          };
          const r = await kept({ name, options, mode, steps, seed }, () =>
            settle(buildScene(name, { seed, ...options }), 12, steps, stands, mode === 'rule' ? choose : undefined),
          );
          if (!passes(r, name === 'spheres' ? 0.05 : 0)) misses++;
          body += r.bodies * r.substeps;
          end += r.bodies * r.lastSubsteps;
          size += r.bodies;
          ms += r.ms;
          worst = Math.max(worst, r.rms);
        }
        const share = count / (quick ? 1 : Math.min(count, 3));
        sums[mode].body += share * body;
        sums[mode].ms += share * ms;
        sums[mode].misses += misses;
        check.push([
          name === 'boxes-small' ? `pile of ${options.count} boxes` : buildScene(name, { seed: 11, ...options }).title,
          count,
          mode === 'rule' ? 'by the rule' : '12',
          body / size,
          end / size,
          misses,
          1000 * worst,
          ms,
        ]);
      }
    }
    const saved = 1 - sums.rule.body / sums.all.body;
    return {
      heading: 'A rule for fewer substeps',
      claims: [
        isMostly({
          claim: 'cases in which the rule gives enough substeps',
          paper: 'our own claim: more than four of five',
          hits: judged.length - short_.length,
          n: judged.length,
          more: 0.8,
          unit: 'cases',
          remark: 'each case an island, some of them seeds of one kind',
        }),
        isMostly({
          claim: 'the same of cases that the rule was not made from',
          paper: 'our own claim: more than four of five',
          hits: fresh.length - freshShort.length,
          n: fresh.length,
          more: 0.8,
          unit: 'cases',
        }),
        isOnce({
          claim: 'work where islands choose by the rule, over 12 substeps for all',
          paper: '-',
          ours: (100 * sums.rule.body) / sums.all.body,
          unit: '%',
        }),
      ],
      paper: 'All three papers use one number of iterations for a whole scene.',
      ours: `Islands of different kind, size and mass ratio, solver wide, ${short(steps / 60)} s: least substeps from which on upwards all runs are calm and shallow (standing: rms speed 1 mm/s, 1 cm sideways, mean overlap 1 mm; piles: 0.1 mm/s, overlap 1 mm mean, 5 mm for 99 %, 20 mm most). Beside them what can be read off the contact graph: bodies, height above fixed bodies, load (mean over bodies of what they bear over their own mass), largest mass ratio, and the rule. Where round bodies roll for ever at any number of substeps they may do so at twice the speed of the runs with ten or more. ${quick ? '' : `Random islands with ${seeds.length} seeds. Some kinds were used to find the rule, others were not.`}`,
      agreement: `Rule: substeps = ${SUBSTEP_RULE.text}: enough in ${judged.length - short_.length} of ${judged.length} cases (${fresh.length - freshShort.length} of ${fresh.length} that it was not made from)${short_.length ? `, too few for ${[...new Set(short_.map((f) => `${f.label} (${f.rule} for ${f.needed})`))].join(', ')}` : ''}; ${short(100 * (1 - saved), 2)} % of the work of 12 substeps for all, with ${sums.rule.misses} misses (${sums.all.misses} with 12).`,
      tables: [
        {
          title: 'Substeps needed',
          head: ['island', 'seed', 'used for the rule', 'bodies', 'height', 'load', 'mass ratio', 'needed', 'rule'],
          rows,
        },
        {
          title: 'Islands that choose by the rule',
          head: [
            'island',
            'how many',
            'substeps',
            'mean over the run',
            'at the end',
            'runs that miss a bar',
            'rms, mm/s',
            'solver, ms',
          ],
          rows: check,
        },
      ],
      plots: figures(
        'substep-rule',
        'Substeps needed and the rule for bodies of equal mass, against the height of the island.',
        [
          ...judged.map((f) => ({ x: f.height, y: f.needed, series: f.label.match(/[a-z]{4,}/)[0] })),
          ...Array.from({ length: 45 }, (_, i) => ({ x: i + 1, y: substepsFor({ height: i + 1, meanLoad: 1 }), series: 'rule' })),
        ].sort((a, b) => a.x - b.x),
        { xLabel: 'height of the island', yLabel: 'substeps', points: true },
        ['rule', 'stack', 'wall', 'pyramid', 'pile', 'spheres'],
      ),
      csv: { 'substep-rule': data },
    };
  },
};
