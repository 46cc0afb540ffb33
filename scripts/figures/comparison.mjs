// The two tables that compare talus with other engines, from the result files of the bench: time, what still stands and errors of scenes
// (`speed`), and the scenes with a closed form (`torture`). README, docs/performance.md and the site show them; `siteFigures` has the same
// as data.
import { cellOf, closedText } from '../../bench/lib/torture_cells.mjs';
import { ENGINES, measuredOn, newest, read, row } from './results.mjs';

const SPEED_ENGINES = ['talus', 'rapier', 'havok'];
const TORTURE_ENGINES = ['talus', 'rapier', 'jolt', 'havok'];

/**
 * Scenes of the first table: result file, name, whether the slowest second counts instead of the halves.
 * @type {[file: string, name: string, landing?: boolean][]}
 */
const SPEED = [
  ['boxes', '5,160 boxes on a mesh'],
  ['chess', '1,000 chess pieces'],
  ['hulls', '2,000 hulls'],
  ['mixed', '2,000 bodies of all shapes'],
  ['spheres', '5,000 spheres'],
  ['fracture', '280 pieces that break apart'],
  ['pyramid', 'pyramid of 1,830 boxes'],
  ['wall', 'wall of 300 bricks'],
  ['cardhouse', 'house of 48 cards'],
  ['joints_ragdolls150', '150 ragdolls on a heap'],
  ['joints_ragdolls150', 'the ragdolls in the second in which they land', true],
  ['joints_bridge', 'bridge of 60 planks under boxes'],
  ['joints_capsule-chain', 'chain of 25 capsules'],
  ['joints_hanging-chain_1000', "chain under 1,000 times a link's mass"],
  ['joints_car', 'car'],
  ['joints_joint-grid', 'net of 10,000 spheres'],
  ['joints_joint-grid_576', 'net of 576 spheres'],
  ['junkyard', 'junkyard: 10,584 rocks that are ploughed'],
  ['washer', 'washer: 8,000 boxes in a drum that turns'],
  ['convex-pile', 'convex pile: 5,120 hulls that fall apart'],
  ['rain', 'rain of 300 humans'],
];

const milliseconds = (/** @type {number} */ ms) => (ms < 10 ? ms.toPrecision(2) : ms.toFixed(0));
/** Millimeters of a length in meters. */
const millimeters = (/** @type {number} */ m) => {
  const mm = 1000 * m;
  return mm < 0.001 ? '0' : Number(mm.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 });
};

/** Share of bodies or joints that are where they belong; undefined where nothing should stand. */
const standing = (/** @type {any} */ result) => result.held ?? result.stands?.end.within10cm;

/** Rows of the first table as data; times in ms, lengths in m. */
function speedData() {
  /** @type {any[]} */
  const files = [];
  const rows = [];
  for (const [file, name, landing] of SPEED) {
    const found = newest(`${file}.json`);
    if (!found) continue;
    files.push(found);
    const engines = SPEED_ENGINES.map((engine) => {
      const one = found.results.find((/** @type {any} */ result) => result.engine === engine);
      if (!one || one.failed) throw new Error(`${file}.json has no result of ${engine}`);
      return {
        engine,
        version: one.version,
        times: landing ? [one.msLanding] : [one.msFirstHalf, one.msSecondHalf],
        stands: landing ? undefined : standing(one),
        gap: landing ? undefined : one.gapMax,
        overlap: landing || one.gapMax !== undefined ? undefined : one.depth?.mean,
      };
    });
    rows.push({ scene: file, name, engines });
  }
  return { rows, files };
}

/** @param {any[]} engines @param {(one: any) => string | undefined} get */
function triple(engines, get) {
  const all = engines.map(get);
  return all.includes(undefined) ? '' : all.join(', ');
}

function speedTable() {
  const { rows, files } = speedData();
  const versions = rows[0].engines.map((/** @type {any} */ { engine, version }) =>
    engine === 'rapier' ? `Rapier (SIMD) ${version}` : `${ENGINES[engine]} ${version}`,
  );
  const lines = [
    row(['scene', ...versions, 'still stands, %', 'overlap or gap, mm']),
    row(['---', ...versions.map(() => '---'), '---', '---']).replaceAll(' ', ''),
  ];
  for (const { name, engines } of rows) {
    const sums = engines.map(({ times }) => times.reduce((/** @type {number} */ sum, /** @type {number} */ ms) => sum + ms, 0));
    const best = Math.min(...sums);
    const cells = engines.map(({ times }, k) => {
      const text = times.map(milliseconds).join(' / ');
      return sums[k] === best ? `**${text}**` : text;
    });
    const stands = triple(engines, (one) =>
      one.stands === undefined || one.stands === null ? undefined : `${Math.round(100 * one.stands)}`,
    );
    const gaps = triple(engines, ({ gap }) => (gap === undefined ? undefined : millimeters(gap)));
    const overlaps = triple(engines, ({ overlap }) =>
      overlap === undefined || overlap === null ? undefined : millimeters(overlap),
    );
    lines.push(row([name, ...cells, stands, gaps ? `gap ${gaps}` : overlaps]));
  }
  return `${lines.join('\n')}\n\n${measuredOn(files)}\n${calmSentence()}`;
}

/** How calm the boxes are, and how far the ragdolls' joints are beyond their limits. */
function calmSentence() {
  const of = (/** @type {any} */ file, /** @type {string} */ key) =>
    SPEED_ENGINES.map((engine) => file.results.find((/** @type {any} */ one) => one.engine === engine)[key]);
  const boxes = newest('boxes.json');
  const speeds = of(boxes, 'rmsSpeed').map(millimeters);
  const ragdolls = newest('joints_ragdolls150.json');
  const angles = of(ragdolls, 'limitMax').map((/** @type {number} */ angle) => angle.toPrecision(angle < 10 ? 1 : 3));
  return [
    `In the last 2 s of 10 s the 5,160 boxes have an rms speed of ${list(speeds)} mm/s.`,
    `The joints of the ragdolls are beyond their limits by at most ${list(angles)} degrees.`,
  ].join(' ');
}

const list = (/** @type {string[]} */ values) => `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`;

function tortureTable() {
  const file = newest('torture.json');
  const head = ['', 'closed form', ...TORTURE_ENGINES.map((engine) => `${ENGINES[engine]} ${file.engines[engine].version}`)];
  const lines = [row(head), row(head.map(() => '---')).replaceAll(' ', '')];
  for (const { quantity, unit, closed, engines } of file.results) {
    const cells = TORTURE_ENGINES.map((engine) => cellOf(engines[engine], unit));
    lines.push(row([unit ? `${quantity}, ${unit}` : quantity, closedText(closed), ...cells]));
  }
  return `${lines.join('\n')}\n\n${highTable(file)}\n\n${measuredOn([file])}`;
}

/** What Rapier and Jolt make of the same scenes with more iterations than by default. */
function highTable(/** @type {any} */ file) {
  const of = (/** @type {string} */ engine) => file.engines[engine].settings;
  const [rapier, jolt] = [of('rapier:high'), of('jolt:high')];
  const usual = of('jolt');
  const head = [
    'with more iterations',
    'closed form',
    `Rapier: ${rapier.solverIterations} instead of ${of('rapier').solverIterations}`,
    `Jolt: ${jolt.velocitySteps} + ${jolt.positionSteps} instead of ${usual.velocitySteps} + ${usual.positionSteps}, gyroscopic forces on`,
  ];
  const lines = [row(head), row(head.map(() => '---')).replaceAll(' ', '')];
  for (const { label, unit, closed, engines } of file.results.filter((/** @type {any} */ one) => one.label)) {
    const cells = ['rapier:high', 'jolt:high'].map((engine) => cellOf(engines[engine], unit));
    lines.push(row([unit ? `${label}, ${unit}` : label, closedText(closed), ...cells]));
  }
  return lines.join('\n');
}

/** Both tables as Markdown, by name. */
export const COMPARISONS = { speed: speedTable, torture: tortureTable };

/**
 * The figures of both tables and the sizes of the package as data, for pages that draw them in their own way. Times in ms per step (first and
 * second half of the run, or the one of the slowest second), lengths in m, shares from 0 to 1, sizes in bytes, errors in %.
 */
export function siteFigures() {
  const { rows, files } = speedData();
  const torture = newest('torture.json');
  const { entries } = JSON.parse(read('bench/results/sizes.json'));
  return {
    speed: { source: measuredOn(files), rows },
    torture: {
      source: measuredOn([torture]),
      rows: torture.results.map((/** @type {any} */ one) => ({
        ...one,
        cells: Object.fromEntries(Object.keys(one.engines).map((engine) => [engine, cellOf(one.engines[engine], one.unit)])),
      })),
    },
    sizes: { talus: entries.talus.brotli, gpu: entries['talus/gpu'].added },
  };
}
