// Compares ways to cut cells for mass splitting: bisection of bodies, as in the engine, bisection of links, and cell-like blocks (Tsuda
// 2009). Also compares sizes of cells. Measures the split bodies, the convergence on one problem, how calm the engine comes to rest with
// its own cells, and how long cells may be kept.
import { isBetween, isLess, isOnce } from '../lib/claims.mjs';
import { bisect, cutBodies, geometricColors, growCells, histogram, permutation } from '../lib/orderings.mjs';
import { bars } from '../lib/plot.mjs';
import { extractProblem, violation } from '../lib/problem.mjs';
import { short } from '../lib/report.mjs';
import { advance, breathe, buildScene, open } from '../lib/run.mjs';
import { cutSplitting, iterate, METHODS } from '../methods/index.mjs';

/** Links and bodies a cell of the engine may have. */
const LINKS = 128;
const BODIES = 96;
/** A tail of two seconds counts as the end of a run. */
const TAIL = 120;

const CUTS = [
  { label: 'bodies', cut: (links, p) => cutBodies(links, p.center, LINKS) },
  { label: 'links', cut: (links) => bisect(links, LINKS) },
  { label: 'cell-like', cut: (links) => growCells(links, LINKS, BODIES) },
  { label: 'cell-like, a block a cell', cut: (links) => growCells(links, LINKS, BODIES, false) },
  // By their own bodies alone, as many links and bodies of others as come.
  ...[32, 64, 96].map((bodies) => ({
    label: `cells of ${bodies} bodies`,
    cut: (links, p) => cutBodies(links, p.center, Infinity, { bodies, cap: Infinity }),
  })),
];

/** Scenes by their names in tables; standing structures have no seed of their own. */
function scenesOf(quick) {
  return [
    { label: 'boxes-small', name: 'boxes-small', options: { scale: quick ? 0.15 : 1 } },
    { label: 'spheres', name: 'spheres', options: { count: quick ? 100 : 1000 } },
    { label: 'mixed', name: 'mixed', options: { count: quick ? 60 : 600 } },
    { label: 'wall', name: 'wall', options: { scale: quick ? 0.3 : 1 }, stands: true },
    // In the engine half the base: sixty rows take minutes a run.
    {
      label: 'pyramid',
      name: 'pyramid',
      options: { scale: quick ? 0.3 : 1 },
      engine: { scale: quick ? 0.3 : 0.5 },
      stands: true,
    },
  ];
}

/** A scene of a seed. What stands is moved across its plane, body by body, by up to a millimeter: nothing overlaps then. */
function seededScene({ name, options, stands }, seed, others = {}) {
  const scene = buildScene(name, { seed, ...options, ...others });
  if (!stands) return scene;
  const { count, density, position } = scene.bodies;
  const draw = permutation(count, seed);
  for (let i = 0; i < count; i++) if (density[i] > 0) position[3 * i + 2] += 1e-3 * ((2 * draw[i]) / (count - 1) - 1);
  return scene;
}

/** What a cut splits: links by cell in one problem. */
function describe(problem, cells) {
  const { links } = problem;
  const lists = [];
  links.forEach((_, l) => {
    lists[cells[l]] ??= [];
    lists[cells[l]].push(l);
  });
  const parts = new Map();
  const colors = [];
  for (const list of lists) {
    const members = list.map((l) => links[l]);
    for (const b of new Set(members.flatMap(({ a, b }) => [a, b]))) if (b >= 0) parts.set(b, (parts.get(b) ?? 0) + 1);
    colors.push(histogram(geometricColors(members)).length);
  }
  const counts = [...parts.values()];
  const sum = (values) => values.reduce((s, x) => s + x, 0);
  return {
    cells: lists.length,
    linksOfCell: links.length / lists.length,
    subBodies: sum(counts) / counts.length,
    borders: counts.filter((n) => n > 1).length / counts.length,
    colors: sum(colors) / colors.length,
    mostColors: Math.max(...colors),
  };
}

/** Passes until the mean violation is down to shares of its start; null where that is not reached. */
function passes(problem, method, limit) {
  const { values } = iterate(
    problem,
    method,
    limit,
    (v) => violation(problem, v),
    (now, first) => now <= 0.01 * first,
  );
  return [0.1, 0.01].map((share) => {
    const at = values.findIndex((x) => x <= share * values[0]);
    return at < 0 ? null : at;
  });
}

/**
 * Runs the engine for `steps`: rms speed over the tail, and the bodies that the cells split in its last step. With `kept` cells are
 * cut again after that many steps, by setting another limit of bodies, which cells of neighbors do not reach.
 */
async function settle(scene, steps, kept = Infinity) {
  const run = await open(scene, { solver: 'cell-split' });
  let squares = 0;
  let samples = 0;
  await advance(run, steps, (step) => {
    if (step % kept === 0) run.world.set({ cellBodyCap: BODIES - ((step / kept) & 1) });
    if (step <= steps - TAIL) return;
    squares += run.world.measure().rmsSpeed ** 2;
    samples++;
  });
  const { cells, splitBodies, colors } = run.world.profile;
  const { sideways } = run.motion.displacement(run.read());
  const touching = run.world.readLabels('contacts');
  let bodies = 0;
  for (const i of run.motion.moving) if (touching[i] > 0 && touching[i] < 0xffffffff) bodies++;
  const result = { rms: Math.sqrt(squares / samples), sideways, cells, colors, borders: splitBodies / Math.max(1, bodies) };
  run.dispose();
  return result;
}

/** What a body's share in a cell is in proportion to: of the rows of normals on it there, and their impulses of now. */
const SHARES = [
  { label: 'even', options: {} },
  { label: 'by rows', options: { weigh: (_p, _b, rows) => rows.length } },
  {
    label: 'by what rows do to the body',
    options: { weigh: (p, b, rows) => rows.reduce((s, i) => s + (p.a[i] === b ? p.kA[i] : p.kB[i]), 0) },
  },
  ...[0.05, 0.2, 0.5].map((even) => ({
    label: `by impulse, ${100 * even} % even`,
    options: { weigh: (_p, _b, rows, z) => rows.reduce((s, i) => s + z[i], 0), even },
  })),
];

const percent = (share) => `${Math.round(100 * share)} %`;
const slashed = (values) => values.map((v) => (v === null ? '-' : short(v, 2))).join(' / ');

export const cells = {
  name: 'cells',
  page: 'talus',
  title: 'ways to cut cells and their size: borders, colors, convergence; calm of the engine',
  // Minutes a seed: nothing here is a verdict on a paper.
  seeds: { quick: 1, full: 3 },
  async run({ quick, seeds, progress, kept }) {
    const steps = quick ? 240 : 1200;
    const limit = quick ? 100 : 4000;
    const scenes = scenesOf(quick);
    const rows = [];
    const calm = [];
    const data = [];
    const total = scenes.length * (1 + seeds.length);
    let done = 0;
    for (const kind of scenes) {
      progress(done++ / total, `${kind.label}: one problem`);
      const run = await open(seededScene(kind, 1), { solver: 'pgs' });
      await advance(run, 240);
      const problem = extractProblem(run);
      run.dispose();
      const sequential = passes(problem, METHODS.PGS, limit);
      for (const { label, cut } of CUTS) {
        await breathe();
        const d = describe(problem, cut(problem.links, problem));
        const [tenth, hundredth] = passes(problem, cutSplitting(cut, { sweeps: 2 }), limit);
        rows.push([
          kind.label,
          label,
          problem.links.length,
          d.cells,
          d.linksOfCell,
          d.subBodies,
          percent(d.borders),
          `${short(d.colors, 2)} / ${d.mostColors}`,
          slashed([tenth, hundredth]),
          slashed(sequential),
        ]);
        data.push({ scene: kind.label, cut: label, links: problem.links.length, ...d, tenth, hundredth, pgs: sequential[1] });
      }
      const ends = [];
      for (const seed of seeds) {
        progress(done++ / total, `${kind.label}: seed ${seed}`);
        const key = { name: kind.name, options: kind.options, engine: kind.engine, stands: kind.stands, steps, seed };
        ends.push(await kept(key, () => settle(seededScene(kind, seed, kind.engine), steps)));
      }
      calm.push([
        kind.label,
        slashed(ends.map((e) => e.rms)),
        kind.stands ? slashed(ends.map((e) => 1000 * e.sideways)) : null,
        ends.at(-1).cells,
        percent(ends.at(-1).borders),
        ends.at(-1).colors,
      ]);
      ends.forEach((e, i) => {
        data.push({ scene: kind.label, seed: seeds[i], ...e });
      });
    }
    const of = (key, cut) => data.filter((d) => d.cut === cut && d[key] !== undefined && d.links);
    const range = (key, cut) => {
      const values = of(key, cut).map((d) => d[key]);
      return `${short(Math.min(...values))} to ${short(Math.max(...values))}`;
    };
    return {
      heading: 'Ways to cut cells',
      claims: scenes.flatMap(({ label }) => {
        const parts = (cut) => data.find((d) => d.scene === label && d.cut === cut).subBodies;
        return [
          isOnce({
            claim: `${label}, one frame: sub-bodies per body by bisection of bodies, over those of cell-like blocks`,
            ours: parts('bodies') / parts('cell-like'),
            unit: 'times',
          }),
          isBetween({
            claim: `${label}: rms speed of cell-split at the end`,
            paper: '-',
            values: data.filter((d) => d.scene === label && d.seed !== undefined).map((d) => 1000 * d.rms),
            unit: 'mm/s',
          }),
        ];
      }),
      paper:
        'Tsuda grows blocks breadth first over the contact graph and solves those of a batch at once, batch after batch. Here the blocks of all batches are cells of mass splitting and work at once, on sub-bodies.',
      ours: `One problem per scene, settled for 4 s, double precision, from zero. The tables have the bodies that a cut into cells of at most ${LINKS} manifolds and ${BODIES} bodies splits, and the passes of two sweeps until the mean violation is 10 and 1 % of its start. Then the engine, cell-split at its preset, ${short(steps / 60)} s awake: rms speed over the last two seconds, seeds ${seeds.join(', ')} (standing structures start with each body up to 1 mm out of the plane).`,
      agreement: `Bisection of bodies has ${range('subBodies', 'bodies')} sub-bodies a body in these scenes, of links ${range('subBodies', 'links')}, cell-like blocks ${range('subBodies', 'cell-like')}.`,
      notes: [
        'The pyramid has a base of 60 in the first table and of 30 in the second. PGS: one sweep a pass. The engine adds what the lab leaves out: islands that fit are packed whole.',
      ],
      tables: [
        {
          title: 'One problem, by code of the lab',
          head: [
            'scene',
            'cut',
            'links',
            'cells',
            'links a cell',
            'sub-bodies a body',
            'bodies on borders',
            'colors, mean / max',
            'passes to 10 / 1 %',
            'PGS to 10 / 1 %',
          ],
          rows,
        },
        {
          title: 'In the engine',
          head: ['scene', 'rms, m/s', 'sideways, mm', 'cells', 'bodies on borders', 'most colors'],
          rows: calm,
        },
      ],
      plots: [
        {
          name: 'cells-sub-bodies',
          caption: 'Sub-bodies a body by cut.',
          svg: bars(
            data.filter((d) => d.links).map((d) => ({ x: d.scene, y: d.subBodies, series: d.cut })),
            { xLabel: 'scene', yLabel: 'sub-bodies a body' },
          ),
        },
      ],
      csv: { cells: data.filter((d) => d.links), 'cells-calm': data.filter((d) => !d.links) },
    };
  },
};

export const shares = {
  name: 'cells-shares',
  page: 'talus',
  title: 'even shares of the mass of split bodies against others',
  seeds: { quick: 1, full: 1 },
  async run({ quick, progress }) {
    const limit = quick ? 60 : 300;
    const scenes = scenesOf(quick);
    const rows = [];
    const data = [];
    for (const kind of scenes) {
      const run = await open(seededScene(kind, 1), { solver: 'pgs' });
      await advance(run, 240);
      const problem = extractProblem(run);
      run.dispose();
      for (const { label, options } of SHARES) {
        progress(data.length / (scenes.length * SHARES.length), `${kind.label}: ${label}`);
        await breathe();
        const { values } = iterate(problem, cutSplitting(CUTS[0].cut, { sweeps: 2, ...options }), limit, (v) =>
          violation(problem, v),
        );
        const reach = (share) => {
          const at = values.findIndex((x) => x <= share * values[0]);
          return at < 0 ? null : at;
        };
        const after = (n) => values[Math.min(n, values.length - 1)] / values[0];
        rows.push([kind.label, label, slashed([reach(0.1), reach(0.01)]), slashed([after(16), after(64)])]);
        data.push({
          scene: kind.label,
          shares: label,
          tenth: reach(0.1),
          hundredth: reach(0.01),
          after16: after(16),
          after64: after(64),
        });
      }
    }
    const even = data.filter((d) => d.shares === 'even');
    const better = SHARES.slice(1).map(({ label }) => {
      const gains = even.map((e) => data.find((d) => d.scene === e.scene && d.shares === label).after64 / e.after64);
      return `${label} ${short(Math.min(...gains))} to ${short(Math.max(...gains))}`;
    });
    return {
      heading: 'Shares of split bodies',
      claims: SHARES.slice(1).map(({ label }) => {
        const gains = even.map((e) => data.find((d) => d.scene === e.scene && d.shares === label).after64 / e.after64);
        return isOnce({
          claim: `violation left after 64 passes over that of even shares, one frame of each scene: ${label}`,
          paper: '-',
          ours: `${short(Math.min(...gains))} to ${short(Math.max(...gains))}`,
          unit: 'times',
        });
      }),
      paper: 'Tonge splits a body into equal parts; the proof holds for any positive shares.',
      ours: `The problems of “cells”, cut by bisection, passes of two sweeps from zero: passes until the mean violation is 10 and 1 % of its start (at most ${limit}), and what is left of it after 16 and 64. Shares follow the rows of normals on a body in each cell, their effect on the body, or the impulses of the pass before with a part that stays even.`,
      agreement: `Violation left after 64 passes, relative to even shares: ${better.join('; ')}.`,
      tables: [{ title: 'Passes by shares', head: ['scene', 'shares', 'passes to 10 / 1 %', 'left after 16 / 64'], rows }],
      csv: { 'cells-shares': data },
    };
  },
};

export const keptCells = {
  name: 'cells-kept',
  page: 'talus',
  title: 'cells kept for 1, 32, 120 steps or by the rule: calm of what stands',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept: keep }) {
    const steps = quick ? 240 : 900;
    const scenes = scenesOf(quick).filter(({ stands }) => stands);
    if (!quick) Object.assign(scenes.at(-1), { label: 'pyramid, base 20', options: { scale: 1 / 3 } });
    const spans = [
      { label: '1 step', kept: 1 },
      { label: '32 steps', kept: 32 },
      { label: '120 steps', kept: 120 },
      { label: 'the rule', kept: Infinity },
    ];
    const rows = [];
    const data = [];
    const total = scenes.length * spans.length * seeds.length;
    let done = 0;
    for (const kind of scenes) {
      for (const { label, kept } of spans) {
        const ends = [];
        for (const seed of seeds) {
          progress(done++ / total, `${kind.label}: ${label}, seed ${seed}`);
          const key = { name: kind.name, options: kind.options, kept: label, steps, seed };
          ends.push(await keep(key, () => settle(seededScene(kind, seed), steps, kept)));
        }
        rows.push([
          kind.label,
          label,
          slashed(ends.map((e) => e.rms)),
          slashed(ends.map((e) => 1000 * e.sideways)),
          percent(ends.at(-1).borders),
        ]);
        ends.forEach(({ rms, sideways, borders }, i) => {
          data.push({ scene: kind.label, kept: label, seed: seeds[i], rms, sideways, borders });
        });
      }
    }
    const span = (scene, test) => {
      const values = data.filter((d) => d.scene === scene && test(d)).map((d) => d.rms);
      return `${short(Math.min(...values), 2)} to ${short(Math.max(...values), 2)}`;
    };
    const both = (scene) =>
      `${scene}: ${span(scene, (d) => d.kept === '1 step')} m/s cut in every step, ${span(scene, (d) => d.kept !== '1 step')} m/s kept`;
    return {
      heading: 'How long cells may be kept',
      claims: scenes.flatMap(({ label }) => {
        const of = (kept) => data.filter((d) => d.scene === label && d.kept === kept).map((d) => d.rms);
        return [
          isLess({
            claim: `${label}: calmer with cells kept by the rule than cut in every step`,
            paper: 'our own claim',
            a: of('the rule'),
            b: of('1 step'),
          }),
        ];
      }),
      paper: 'Tsuda orders the links again in every step. Mass splitting works with any cells, so it may keep old ones.',
      ours: `cell-split at its preset, ${short(steps / 60)} s awake, rms speed over the last two seconds, seeds ${seeds.join(', ')} (each body up to 1 mm out of the plane at the start). Kept so many steps: after them all cells are cut again, by alternating the limit between ${BODIES - 1} and ${BODIES} bodies. The rule: cells are kept while the graph does not change and mended where it does; all are cut again when an eighth of the links has changed, or at the first change after 120 steps.`,
      agreement: `${scenes.map(({ label }) => both(label)).join('; ')}.`,
      tables: [
        {
          title: 'Calm by age of the cells',
          head: ['scene', 'kept', 'rms, m/s', 'sideways, mm', 'bodies on borders'],
          rows,
        },
      ],
      csv: { 'cells-kept': data },
    };
  },
};
