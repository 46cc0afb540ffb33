// Figures in README and docs come from result files: `node scripts/figures.mjs` writes them, `--check` says which differ, `--measure`
// measures the sizes of the built package first. In: bench/results. Out: the docs. A figure in a sentence is found by a template, which is
// that sentence with `{name}` where the figure stands; a table stands between two comments, `<!-- figures: NAME -->` and
// `<!-- /figures -->`. Sentences without a template may have any figure but sizes: tests/scripts/figures.test.ts sees to that.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureSizes } from './figures/sizes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SIZES = 'bench/results/sizes.json';
/** A size in the docs may be off by this much, in bytes, before it has to be measured again. */
export const TOLERANCE = 500;

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const kilo = (/** @type {number} */ bytes) => Math.round(bytes / 1000).toString();
const seconds = (/** @type {any} */ one) => `${Math.round(one.install + one.build + one.first / 1000)} s`;

export const loadSizes = () => JSON.parse(read(SIZES));

/** The newest run of `npm run try:packages -- --save bench/results/DATE_packages`. */
function loadPackages() {
  const names = readdirSync(join(root, 'bench/results')).filter((name) => name.endsWith('_packages'));
  const newest = names.sort().at(-1);
  return { date: newest?.slice(0, 10), ...JSON.parse(read(`bench/results/${newest}/packages.json`)) };
}

/** Values by name, for templates. */
export function values() {
  const { entries } = loadSizes();
  const brotli = (/** @type {string} */ entry) => kilo(entries[entry].brotli);
  const added = (/** @type {string} */ entry) => kilo(entries[entry].added);
  return {
    talus: brotli('talus'),
    withGpu: kilo(entries.talus.brotli + entries['talus/gpu'].added),
    gpu: added('talus/gpu'),
    thread: brotli('talus/thread'),
    inlined: kilo(entries.talus.raw - entries['talus/slim'].raw),
    wasm: kilo(entries['talus/talus.wasm'].raw),
  };
}

/**
 * Where figures stand in sentences.
 * @type {[file: string, template: string][]}
 */
export const TEMPLATES = [
  ['README.md', '**Small.** {talus} kB with brotli; WebGPU adds {gpu} kB, and only if you import it.'],
  ['docs/packaging.md', 'The host of WebGPU and its shaders are {gpu} kB (brotli) that most pages do not need'],
  ['docs/packaging.md', 'no {inlined} kB of script are parsed'],
  ['docs/performance.md', '`talus` is {talus} kB (brotli) with its core inlined.'],
  ['docs/performance.md', 'Leave out `talus/gpu` where nobody asks for it: {gpu} kB.'],
  ['docs/threads.md', 'serve the file of `talus/thread` ({thread} kB, it imports nothing)'],
];

/**
 * Tables by name.
 * @type {Record<string, () => string>}
 */
export const TABLES = {
  entries: entriesTable,
  tools: toolsTable,
  published: () => publishedTable(''),
  'published-sleep': () => publishedTable('_sleep'),
};

const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;

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

/** The newest folder of results that has a file. */
function newestWith(/** @type {string} */ file) {
  const folders = readdirSync(join(root, 'bench/results')).sort();
  return folders.findLast((name) => existsSync(join(root, 'bench/results', name, file)));
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
    const file = `${scene}${kind}.json`;
    const folder = newestWith(file);
    if (!folder) continue;
    folders.add(folder);
    const { results } = JSON.parse(read(`bench/results/${folder}/${file}`));
    const cells = engines.map((engine) => {
      const one = results.find((/** @type {any} */ result) => result.engine === engine);
      if (!one || one.failed) return '';
      return `${number(one.msMean)} / ${number(one.msP95)}${one.verdict === 'collapsed' ? ', collapsed' : ''}`;
    });
    lines.push(row([name, results[0].bodies.toLocaleString('en'), ...cells]));
  }
  const sources = [...folders].map(
    (folder) => `[\`${folder}\`](https://github.com/talus-physics/talus/tree/main/bench/results/${folder})`,
  );
  return `${lines.join('\n')}\n\nResults: ${sources.join(', ')}.`;
}

/** A template as an expression whose groups are the figures; lines may break anywhere. */
function pattern(/** @type {string} */ template) {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+');
  return new RegExp(escaped.replace(/\{(\w+)\}/g, '(?<$1>[\\d.,]+)'), 'd');
}

/**
 * A page with all figures as they are in the results, and those sentences that it lacks.
 * @param {string} file
 * @param {string} text
 * @param {Record<string, string>} known
 */
export function render(file, text, known) {
  /** @type {string[]} */
  const missing = [];
  let page = text;
  for (const [, template] of TEMPLATES.filter(([one]) => one === file)) {
    const match = pattern(template).exec(page);
    if (!match) {
      missing.push(template);
      continue;
    }
    const places = Object.entries(match.indices?.groups ?? {}).sort(([, [a]], [, [b]]) => b - a);
    for (const [name, [start, end]] of places) page = page.slice(0, start) + known[name] + page.slice(end);
  }
  page = page.replace(/(<!-- figures: ([\w-]+) -->\n)[\s\S]*?(\n<!-- \/figures -->)/g, (all, head, name, tail) => {
    if (TABLES[name]) return `${head}\n${TABLES[name]()}\n${tail}`;
    missing.push(`a table named ${name}`);
    return all;
  });
  return { page, missing };
}

/** Pages that may have figures. */
export function pages() {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'memory-map.md');
  return ['README.md', 'SKILL.md', ...docs.map((name) => `docs/${name}`)];
}

/** Findings, a line each; none where all figures are those of the results. */
export function checkFigures() {
  const findings = [];
  const known = values();
  for (const file of pages()) {
    const text = read(file);
    const { page, missing } = render(file, text, known);
    for (const one of missing) findings.push(`${file}: no sentence like '${one}' (scripts/figures.mjs)`);
    if (page !== text) findings.push(`${file}: figures differ from bench/results: run node scripts/figures.mjs`);
  }
  const recorded = loadSizes().entries;
  if (!existsSync(join(root, 'dist/index.js'))) return findings;
  for (const [entry, { brotli }] of Object.entries(measureSizes(root).entries)) {
    if (Math.abs(brotli - (recorded[entry]?.brotli ?? 0)) > TOLERANCE)
      findings.push(`${entry} has ${brotli} bytes with brotli: run node scripts/figures.mjs --measure`);
  }
  return findings;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values: args } = parseArgs({ options: { check: { type: 'boolean' }, measure: { type: 'boolean' } } });
  if (args.measure) {
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(join(root, SIZES), `${JSON.stringify({ date, ...measureSizes(root) }, null, 1)}\n`);
  }
  if (!args.check) for (const file of pages()) writeFileSync(join(root, file), render(file, read(file), values()).page);
  const findings = checkFigures();
  for (const one of findings) console.log(one);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
