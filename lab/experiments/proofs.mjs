// Tonge's supplement of proofs and his talk at GDC 2013: the inequalities on problems of real scenes, and the small examples of the talk.
// The proofs themselves are tests (tests/theory).
import { countVerdicts, isBetween, isCase } from '../lib/claims.mjs';
import { lines } from '../lib/plot.mjs';
import { applyRow, extractProblem, massDistance, rowSpeed, violation } from '../lib/problem.mjs';
import { short } from '../lib/report.mjs';
import { advance, breathe, open } from '../lib/run.mjs';
import { sceneOf, seededScenes } from '../lib/scenes.mjs';
import { iterate, METHODS, spectralRadius } from '../methods/index.mjs';

/** 1 / E of eq. 15 for the normals: masses divided by the contacts of each body. */
function splitDiagonal(p) {
  const n = new Float64Array(p.bodies);
  for (let i = 0; i < p.points; i++) for (const b of [p.a[i], p.b[i]]) if (b >= 0) n[b]++;
  const of = (b) => (b >= 0 ? n[b] : 0);
  return Float64Array.from({ length: p.points }, (_, i) => of(p.a[i]) * p.kA[i] + of(p.b[i]) * p.kB[i]);
}

/** Largest eigenvalue of E N on the normals (E^1/2 N E^1/2 has the same), by power iteration. */
export function splitRadius(p) {
  const inverse = splitDiagonal(p);
  let x = Float64Array.from({ length: p.points }, (_, i) => 1 + 0.1 * Math.sin(i));
  let radius = 0;
  for (let k = 0; k < 200; k++) {
    const v = new Float64Array(6 * p.bodies);
    for (let i = 0; i < p.points; i++) applyRow(p, i, v, x[i]);
    const y = x.map((_, i) => rowSpeed(p, i, v) / inverse[i]);
    // The length in the metric of E^-1, in which E N is symmetric.
    const length = (z) => Math.sqrt(z.reduce((sum, value, i) => sum + value * value * inverse[i], 0));
    radius = length(y) / length(x);
    const size = length(y);
    x = y.map((value) => value / size);
  }
  return radius;
}

/** f(z) of eq. 10 on the normals, from velocities and impulses. */
function objective(p, v, z) {
  let sum = 0;
  for (let i = 0; i < p.points; i++) sum += 0.5 * z[i] * (rowSpeed(p, i, v) + rowSpeed(p, i, p.v0) + 2 * p.bias[i]);
  return sum;
}

export const supplement = {
  name: 'tonge-proofs',
  page: 'tonge2012-proofs',
  title: 'the inequalities of the proofs on frames of the four scenes',
  seeds: { quick: 1, full: 12 },
  async run({ quick, seeds, progress, kept }) {
    const scenes = seededScenes(quick);
    const count = quick ? 60 : 400;
    const data = [];
    for (const [s, kind] of scenes.entries()) {
      const { label, name, options, frame, nudge } = kind;
      for (const seed of seeds) {
        const found = await kept({ name, options, nudge, frame, count, seed }, async () => {
          progress(s / scenes.length, `${label}, seed ${seed}`);
          const run = await open(sceneOf(kind, seed), { solver: 'pgs' });
          await advance(run, frame);
          const p = { ...extractProblem(run), friction: 0 };
          run.dispose();
          await breathe();
          const rises = (method) => {
            let before = Number.POSITIVE_INFINITY;
            let largest = 0;
            iterate(p, METHODS[method], count, (v, z) => {
              const now = objective(p, v, z);
              if (Number.isFinite(before)) largest = Math.max(largest, (now - before) / Math.max(1e-12, Math.abs(now)));
              before = now;
              return 0;
            });
            return largest;
          };
          const exact = iterate(p, METHODS.PGS, 10 * count, () => 0).v;
          const start = massDistance(p, p.v0, exact);
          const distance = (method) => massDistance(p, iterate(p, METHODS[method], count, () => 0).v, exact) / start;
          return {
            split: splitRadius(p),
            jacobi: spectralRadius(p, 0),
            scalarRise: rises('scalar splitting'),
            pairRise: rises('pair splitting'),
            scalarLeft: distance('scalar splitting'),
            pairLeft: distance('pair splitting'),
          };
        });
        data.push({ scene: label, seed, ...found });
      }
    }
    // The worst scene of each seed.
    const worst = (key) => seeds.map((seed) => Math.max(...data.filter((d) => d.seed === seed).map((d) => d[key])));
    const claims = [
      isBetween({
        claim: 'largest eigenvalue of E N, scalar splitting (E^-1 - N positive semidefinite)',
        paper: 'at most 1 (theorem, eq. 9)',
        values: worst('split'),
        high: 1 + 1e-9,
      }),
      isBetween({
        claim: 'spectral radius of D^-1 N (plain Jacobi needs less than 2)',
        paper: 'many systems do not converge with Jacobi',
        values: worst('jacobi'),
        low: 2,
        remark: 'more than 2',
      }),
      isBetween({
        claim: 'scalar splitting: largest relative rise of the objective',
        paper: 'none: the iteration converges (eq. 3)',
        values: worst('scalarRise'),
        high: 1e-9,
      }),
      isBetween({
        claim: 'pair splitting: largest relative rise of the objective',
        paper: 'none: interleaved solves converge (eq. 10 to 14)',
        values: worst('pairRise'),
        high: 1e-9,
      }),
      isBetween({
        claim: `pair splitting: distance from the solution of the original system after ${count} iterations, worst scene`,
        paper: 'goes to 0 (eq. 22 to 28)',
        values: worst('pairLeft').map((x) => 100 * x),
        unit: '% of the start',
        high: quick ? 100 : 50,
        remark: 'less than half is left',
      }),
      isCase({
        claim: 'lemma, theorem, closed form of fixed joints, interleaved solves',
        paper: 'proved',
        ours: 'tests/theory/mass_splitting.test.ts',
        holds: true,
        remark: 'each statement is a test on small systems, eigenvalues and all',
      }),
    ];
    return {
      heading: 'The inequalities behind mass splitting',
      claims,
      paper:
        'E^-1 - N is positive semidefinite for scalar mass splitting, so the iteration converges; block splitting is Gauss-Seidel on the split system interleaved with exact fixed joints, which converges to the solution of the original LCP.',
      ours: `Frames of the four scenes, normals without friction, double precision: the largest eigenvalues by power iteration, and the objective of eq. 10 over ${count} iterations from zero.`,
      agreement: `The inequalities on frames of the four scenes: ${countVerdicts(claims)}.`,
      tables: [
        {
          title: 'By scene and seed',
          head: ['scene', 'seed', 'E N', 'D^-1 N', 'rise, scalar', 'rise, pairs', 'left, scalar, %', 'left, pairs, %'],
          rows: data.map((d) => [
            d.scene,
            d.seed,
            d.split,
            d.jacobi,
            d.scalarRise,
            d.pairRise,
            100 * d.scalarLeft,
            100 * d.pairLeft,
          ]),
        },
      ],
      csv: { 'tonge-proofs': data },
    };
  },
};

/** A bar of mass 1 on contacts at places along it, all falling at the same speed: a problem by hand. */
export function barProblem(places, { inertia = 1, speed = -1, spin = 0 } = {}) {
  const m = places.length;
  const rows = 3 * m;
  const triples = (at) =>
    Float64Array.from({ length: 3 * rows }, (_, i) => (i < 3 * m && i % 3 === at.axis ? at.value((i / 3) | 0) : 0));
  const one = triples({ axis: 1, value: () => 1 });
  const lever = triples({ axis: 2, value: (i) => places[i] });
  const turn = triples({ axis: 2, value: (i) => places[i] / inertia });
  return {
    bodies: 1,
    points: m,
    rows,
    links: [{ a: -1, b: 0, slotA: 0, slotB: 1, points: places.map((_, i) => i) }],
    dt: 1 / 60,
    friction: 0,
    v0: Float64Array.from([0, speed, 0, 0, 0, spin]),
    invMass: Float64Array.from([1]),
    a: new Int32Array(rows).fill(-1),
    b: new Int32Array(rows),
    d: one,
    leverA: new Float64Array(3 * rows),
    leverB: lever,
    turnA: new Float64Array(3 * rows),
    turnB: turn,
    invA: new Float64Array(rows),
    invB: new Float64Array(rows).fill(1),
    kA: new Float64Array(rows),
    // Rows of friction are empty, and must not be divided by zero.
    kB: Float64Array.from({ length: rows }, (_, i) => (i < m ? 1 + places[i] ** 2 / inertia : 1)),
    bias: new Float64Array(rows),
    link: new Int32Array(rows),
  };
}

/** Gauss-Seidel that clamps each change instead of the sum. */
function clampChanges(p, sweeps) {
  const v = Float64Array.from(p.v0);
  const z = new Float64Array(p.points);
  for (let s = 0; s < sweeps; s++) {
    for (let i = 0; i < p.points; i++) {
      const dz = Math.max(0, -rowSpeed(p, i, v) / (p.kA[i] + p.kB[i]));
      z[i] += dz;
      applyRow(p, i, v, dz);
    }
  }
  return { v, z };
}

/** Largest product of speed and impulse: zero where they are complementary. */
const slackness = (p, v, z) => Math.max(...Array.from({ length: p.points }, (_, i) => Math.abs(z[i] * rowSpeed(p, i, v))));

export const talk = {
  name: 'tonge-talk',
  page: 'tonge2013',
  title: 'the examples of the talk: breaking contact, clamping, two contacts, Jacobi on a middle body',
  seeds: { quick: 1, full: 1 },
  async run({ progress }) {
    progress(0.1, 'bars');
    // The book beyond the edge: contacts at -0.5 and 0, the center of mass at 0.2.
    const book = barProblem([-0.7, -0.2]);
    const solved = iterate(book, METHODS.PGS, 200, () => 0);
    const [k11, k12, k22] = [1 + 0.49, 1 + 0.14, 1 + 0.04];
    const linear = (k22 - k12) / (k11 * k22 - k12 * k12);
    // Two contacts of a box that lands flat, and one that lands turning.
    const flat = barProblem([-0.5, 0.5]);
    const total = iterate(flat, METHODS.PGS, 100, () => 0);
    const changes = clampChanges(flat, 100);
    const landing = barProblem([-0.5, 0.5], { inertia: 1 / 12 });
    const sweeps = iterate(landing, METHODS.PGS, 8, (v) => Math.abs(v[5])).values.slice(1);
    // A body between others: three boxes on each other.
    progress(0.6, 'three boxes');
    const run = await open(sceneOf({ name: 'stack', options: { scale: 0.15 } }, 1), { solver: 'pgs' });
    await advance(run, 60);
    const p = extractProblem(run);
    run.dispose();
    const count = 60;
    const curve = (name) => iterate(p, METHODS[name], count, (v) => violation(p, v)).values;
    const curves = { Jacobi: curve('Jacobi'), PGS: curve('PGS'), 'pair splitting': curve('pair splitting') };
    const left = (name) => (100 * curves[name].at(-1)) / curves[name][0];
    const falling = (values) => values.every((x, i) => i === 0 || x < values[i - 1]);
    const claims = [
      isCase({
        claim: 'book beyond the edge: impulse of the far contact as a linear system has it',
        paper: 'attractive',
        ours: linear,
        unit: 'N s',
        holds: linear < 0,
      }),
      isCase({
        claim: 'the same as a complementarity problem: impulse, and speed at which the contact breaks',
        paper: '0, and separating',
        ours: `${short(solved.z[0])} N s, ${short(rowSpeed(book, 0, solved.v))} m/s`,
        holds: solved.z[0] === 0 && rowSpeed(book, 0, solved.v) > 0,
      }),
      isCase({
        claim: 'impulse times speed after 100 sweeps, the sum clamped',
        paper: '0 (Signorini)',
        ours: slackness(flat, total.v, total.z),
        unit: 'J',
        holds: slackness(flat, total.v, total.z) < 1e-9,
      }),
      isCase({
        claim: 'impulse times speed after 100 sweeps, each change clamped',
        paper: 'does not work',
        ours: slackness(flat, changes.v, changes.z),
        unit: 'J',
        holds: slackness(flat, changes.v, changes.z) > 1e-3,
      }),
      isCase({
        claim: 'a box that lands on two contacts: rotation after 1, 2, 4, 8 sweeps',
        paper: 'decreases at each iteration',
        ours: [1, 2, 4, 8].map((k) => short(sweeps[k - 1], 2)).join(', '),
        unit: 'rad/s',
        holds: falling(sweeps.filter((x) => x > 1e-12)),
      }),
      isCase({
        claim: `three boxes on each other: violation after ${count} iterations of Jacobi`,
        paper: 'impulses on the middle body get bigger and bigger',
        ours: left('Jacobi'),
        unit: '% of the start',
        holds: left('Jacobi') > 100,
      }),
      isCase({
        claim: `three boxes on each other: violation after ${count} iterations of mass splitting`,
        paper: 'converges',
        ours: left('pair splitting'),
        unit: '% of the start',
        holds: left('pair splitting') < 100,
      }),
    ];
    return {
      heading: 'The examples of the talk',
      claims,
      paper:
        'Contacts break, so they are no linear system; impulses are clamped as sums, not as changes; Gauss-Seidel goes from contact to contact and rotation decreases; Jacobi does not converge on a body between others, splitting its mass does.',
      ours: 'A bar of 1 kg by hand for the first five; three boxes on each other from the engine for the last two, double precision.',
      agreement: `The examples of the talk: ${countVerdicts(claims)}.`,
      plots: [
        {
          name: 'tonge-talk',
          caption: 'Three boxes on each other: violation against iteration.',
          svg: lines(
            Object.entries(curves).flatMap(([series, values]) => values.map((y, x) => ({ x, y: 1000 * y, series }))),
            { xLabel: 'iteration', yLabel: 'violation (mm/s)', logY: true },
          ),
        },
      ],
      csv: {
        'tonge-talk': Object.entries(curves).flatMap(([method, values]) =>
          values.map((y, i) => ({ method, iteration: i, violation: y })),
        ),
      },
    };
  },
};
