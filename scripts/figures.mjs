// Figures in README and docs come from result files: `node scripts/figures.mjs` writes them, `--check` says which differ, `--measure`
// measures the sizes of the built package first. In: bench/results. Out: the docs. A figure in a sentence is found by a template, which is
// that sentence with `{name}` where the figure stands; a table stands between two comments, `<!-- figures: NAME -->` and
// `<!-- /figures -->`. Sentences without a template may have any figure but sizes: tests/scripts/figures.test.ts sees to that.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureSizes } from './figures/sizes.mjs';
import { kilo, loadSizes, SIZES, TABLES } from './figures/tables.mjs';
import { pattern } from './figures/templates.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** A size in the docs may be off by this much, in bytes, before it has to be measured again. */
export const TOLERANCE = 500;

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

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
  ['docs/faq.md', 'talus is {talus} kB with brotli, core included, and WebGPU adds {gpu} kB if you import it.'],
  ['docs/packaging.md', 'The host of WebGPU and its shaders are {gpu} kB (brotli) that most pages do not need'],
  ['docs/packaging.md', 'no {inlined} kB of script are parsed'],
  ['docs/performance.md', '`talus` is {talus} kB (brotli) with its core inlined.'],
  ['docs/performance.md', 'Leave out `talus/gpu` where nobody asks for it: {gpu} kB.'],
  ['docs/threads.md', 'serve the file of `talus/thread` ({thread} kB, it imports nothing)'],
];

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
  page = page.replace(/(<!-- figures: ([\w-]+) -->\n)(?:[\s\S]*?\n)?(<!-- \/figures -->)/g, (all, head, name, tail) => {
    if (TABLES[name]) return `${head}\n${TABLES[name]()}\n\n${tail}`;
    missing.push(`a table named ${name}`);
    return all;
  });
  return { page, missing };
}

/** A page without its generated tables and the figures of its generated sentences. */
export function withoutGenerated(/** @type {string} */ file, /** @type {string} */ text) {
  let rest = text.replace(/<!-- figures: [\s\S]*?<!-- \/figures -->/g, '');
  for (const [, template] of TEMPLATES.filter(([one]) => one === file)) rest = rest.replace(pattern(template), '');
  return rest;
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
