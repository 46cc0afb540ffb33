// Tables of the docs, as Markdown, from the result files in bench/results: sizes of the entries, hello worlds by tool, costs of scenes, scenes
// that others publish, facts about the package, and those of comparison.mjs and model.mjs. scripts/figures.mjs puts them into the pages.
import { COMPARISONS } from './comparison.mjs';
import { LIMIT_TABLES } from './limits.mjs';
import { MODEL_TABLES } from './model.mjs';
import { links, measuredOn, newest, newestWith, read, row } from './results.mjs';

export const SIZES = 'bench/results/sizes.json';

export const kilo = (/** @type {number} */ bytes) => Math.round(bytes / 1000).toString();
const seconds = (/** @type {any} */ one) => `${Math.round(one.install + one.build + one.first / 1000)} s`;

export const loadSizes = () => JSON.parse(read(SIZES));

/** The newest run of `npm run try:packages -- --save bench/results/DATE_packages`. */
function loadPackages() {
  const folder = newestWith('packages.json');
  return { date: folder?.slice(0, 10), ...JSON.parse(read(`bench/results/${folder}/packages.json`)) };
}

/**
 * Tables by name.
 * @type {Record<string, () => string>}
 */
export const TABLES = {
  entries: entriesTable,
  tools: toolsTable,
  costs: costsTable,
  published: () => publishedTable(''),
  'published-sleep': () => publishedTable('_sleep'),
  ...COMPARISONS,
  ...LIMIT_TABLES,
  ...MODEL_TABLES,
  facts,
};

/** The line under the first paragraph of README. */
function facts() {
  const { version, license } = JSON.parse(read('package.json'));
  const { entries } = loadSizes();
  return `Version ${version} · ${kilo(entries.talus.brotli)} kB with brotli · no dependencies · ${license} license`;
}

/** What each entry loads. */
function entriesTable() {
  const { date, entries } = loadSizes();
  const lines = ['| entry | raw kB | brotli kB | on top of `talus` |', '|---|---|---|---|'];
  for (const [entry, { raw, brotli, added }] of Object.entries(entries)) {
    const apart = entry === 'talus' || added === brotli || entry.startsWith('talus/slim') || entry.endsWith('-thread');
    lines.push(row([`\`${entry}\``, kilo(raw), (brotli / 1000).toFixed(1), apart ? '' : (added / 1000).toFixed(1)]));
  }
  return `${lines.join('\n')}\n\nMeasured on the build of ${date}.`;
}

/** Hello worlds by tool, beside other engines. */
function toolsTable() {
  const { date, machine, results } = loadPackages();
  const find = (/** @type {string} */ tool, /** @type {string} */ use) =>
    results.find((/** @type {any} */ one) => one.tool === tool && one.use.startsWith(use));
  const other = (/** @type {any} */ one) => (one?.ok ? `${kilo(one.brotli)}${one.asIs ? '' : ' (1)'}` : '');
  const lines = ['| tool | talus | talus/slim | Rapier | Havok | from install | from opening |', '|---|---|---|---|---|---|---|'];
  for (const tool of ['Vite', 'esbuild', 'Rollup', 'Rspack', 'Parcel', 'Next.js', 'import map']) {
    const plain = find(tool, 'talus');
    if (!plain?.ok) continue;
    const slim = find(tool, 'talus/slim');
    lines.push(
      row([
        `${tool} ${plain.version}`.trim(),
        `${kilo(plain.raw)} / ${kilo(plain.gzip)} / ${kilo(plain.brotli)}`,
        slim?.ok ? `${kilo(slim.brotli)}${slim.use.includes('copied') ? ' (1)' : ''}` : '',
        other(plain.rapier),
        other(plain.havok),
        seconds(plain),
        `${Math.round(plain.first)} ms`,
      ]),
    );
  }
  return `${lines.join('\n')}\n\nMeasured ${date} on ${machine} (\`npm run try:packages\`).`;
}

/** Scenes that others publish, by the names of their result files, and how the page calls them. */
const PUBLISHED = [
  ['pyramid-20', 'pyramid of 20 rows'],
  ['pyramid-50', 'pyramid of 50 rows'],
  ['pyramid-100', 'pyramid of 100 rows'],
  ['pile-1000', 'pile of 1,000'],
  ['pile-4000', 'pile of 4,000'],
  ['many-pyramids', '196 pyramids of 10 rows'],
  ['hanging-grid', 'hanging net of 100 x 100'],
  ['junkyard', 'junkyard'],
  ['washer', 'washer'],
  ['convex-pile', 'convex pile'],
  ['rain', 'rain'],
];

/** Scenes whose costs are told, by the names of their result files, and how the page calls them. */
const COSTS = [
  ['cardhouse', 'card house'],
  ['wall', 'wall of bricks'],
  ['chess', 'chess pieces'],
  ['pyramid', 'pyramid of boxes'],
  ['hulls', 'hulls'],
  ['mixed', 'all shapes'],
  ['spheres', 'spheres'],
  ['boxes', 'boxes in a heap'],
  ['joints_ragdolls150', '150 ragdolls'],
  ['joints_hanging-chain_1000', 'chain of 25 links, 1,000 times their mass below'],
];

/** What steps of talus cost: ms per step in both halves of a run, counts and the share of the solver at its end. */
function costsTable() {
  const lines = [
    '| scene | bodies | contact points | substeps | falling, ms | at rest but awake, ms | share of the solver |',
    '|---|---|---|---|---|---|---|',
  ];
  const files = [];
  const number = (/** @type {number} */ ms) => (ms < 10 ? ms.toPrecision(2) : ms.toFixed(0));
  const count = (/** @type {number} */ value) => value.toLocaleString('en');
  for (const [scene, name] of COSTS) {
    const file = newest(`${scene}.json`);
    files.push(file);
    const { msFirstHalf, msSecondHalf, extra } = file.results.find((/** @type {any} */ one) => one.engine === 'talus');
    const share = `${Math.round((100 * extra.solve) / extra.total)} %`;
    const times = [number(msFirstHalf), number(msSecondHalf)];
    lines.push(row([name ?? '', count(extra.bodies), count(extra.contactCount), count(extra.substeps), ...times, share]));
  }
  return `${lines.join('\n')}\n\n${measuredOn(files)}`;
}

/**
 * Times of talus and others in scenes that others publish: ms per step, mean and 95th percentile.
 * @param {'' | '_sleep'} kind of the runs
 */
function publishedTable(kind) {
  const engines = ['talus', 'havok', 'rapier', 'jolt'];
  const lines = ['| scene | bodies | talus | Havok | Rapier | Jolt |', '|---|---|---|---|---|---|'];
  const folders = new Set();
  const number = (/** @type {number} */ ms) => (ms < 10 ? ms.toPrecision(2) : ms.toFixed(0));
  for (const [scene, name] of PUBLISHED) {
    const found = newest(`${scene}${kind}.json`);
    if (!found) continue;
    const { folder, results } = found;
    folders.add(folder);
    const cells = engines.map((engine) => {
      const one = results.find((/** @type {any} */ result) => result.engine === engine);
      if (!one || one.failed) return '';
      return `${number(one.msMean)} / ${number(one.msP95)}${one.verdict === 'collapsed' ? ', collapsed' : ''}`;
    });
    lines.push(row([name, results[0].bodies.toLocaleString('en'), ...cells]));
  }
  return `${lines.join('\n')}\n\nResults: ${links(folders)}.`;
}
