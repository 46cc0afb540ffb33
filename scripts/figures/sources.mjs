// Measured figures in sentences and hand-made tables need a source: a result file under bench/results that their section links, and in which
// the number stands to the digits that are printed. In: a page as Markdown. Out: the figures without a source. Generated tables and
// sentences (scripts/figures.mjs) have theirs. tests/scripts/sources.test.ts runs this on the pages that tell what was measured.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { RESULTS, read } from './results.mjs';
import { pattern } from './templates.mjs';

const root = join(import.meta.dirname, '../..');

/** Pages whose figures are looked at. */
export const SOURCED = [
  'README.md',
  'docs/performance.md',
  'docs/gpu.md',
  ...readdirSync(join(root, 'docs/integrations')).map((name) => `docs/integrations/${name}`),
];

/**
 * Figures that are no results of a run, with the reason. `figure` as it is found; `section` for all of a section.
 * @type {{ file: string, figure?: string, section?: string, reason: string }[]}
 */
export const EXCEPTIONS = [
  { file: 'docs/performance.md', section: 'Their figures', reason: 'cited from the pages that the section links' },
  { file: 'docs/performance.md', figure: '16.7 ms', reason: '1 / 60 s' },
  { file: 'docs/performance.md', figure: '8 ms', reason: 'advice: half of a frame' },
  { file: 'docs/gpu.md', figure: '0.5 mm', reason: 'a threshold of the code' },
  { file: 'docs/gpu.md', section: 'Reports', reason: 'thresholds of the code' },
  { file: 'docs/gpu.md', section: 'Lanes at work', reason: 'rejected ways to cut cells, whose code is gone' },
  { file: 'docs/gpu.md', figure: '0.05 m/s', reason: 'an experiment whose code is gone' },
  { file: 'docs/gpu.md', figure: '10 to 40 us', reason: 'an experiment whose code is gone' },
  { file: 'docs/gpu.md', figure: '65.5 us', reason: 'what browsers round times to' },
  { file: 'docs/gpu.md', figure: '17.5 ms', reason: 'an experiment whose code is gone' },
  { file: 'docs/gpu.md', figure: '4,535 kB', reason: 'an experiment whose code is gone' },
  // The run of the landing boxes was not saved.
  ...['2.56', '19.2', '2.93', '2.74', '0.08', '0.03', '4.89', '32.9'].map((figure) => ({
    file: 'docs/gpu.md',
    figure,
    reason: 'of `node bench/hybrid.mjs`, not saved',
  })),
  { file: 'docs/gpu.md', section: 'Joints', reason: 'found by tests, which bound it' },
  { file: 'docs/gpu.md', section: 'Same bits?', reason: 'found by tests, which bound it' },
  { file: 'docs/gpu.md', section: 'Jacobi', reason: 'found by tests, which bound it' },
  { file: 'docs/gpu.md', figure: '80 %', reason: 'a threshold of the code' },
  { file: 'docs/gpu.md', figure: '5 to 15 ms', reason: 'published: gpuweb issue 4432, which docs/profiling.md links' },
];

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?(?:e-?\\d+)?';
const JOIN = '\\s*(?:,|/|to|and|or|against|instead of|of)\\s*';
/** What a printed number may be a multiple of, by its unit. */
const UNITS = {
  ms: [1, 1e3],
  µs: [1, 1e3, 1e6],
  us: [1, 1e3, 1e6],
  kB: [1, 1e-3],
  MB: [1, 1e-6, 2 ** -20],
  mm: [1, 1e3],
  'mm/s': [1, 1e3],
  'm/s': [1],
  '%': [1, 100],
  times: [1],
};
const QUANTITY = new RegExp(`(?<![\\w.])(${NUMBER}(?:${JOIN}${NUMBER})*)\\s*(mm/s|m/s|ms|µs|us|kB|MB|mm|times|%)(?![\\w/])`, 'g');
/** 63 of 63; 0.4 to 0.75 of the time. */
const COUNT = /(?<![\w.,])(\d[\d,]*) of (\d[\d,]*)(?![\w.]| ?(?:ms|%))/g;
const SHARE = new RegExp(`(?<![\\w.])(0\\.\\d+(?:${JOIN}0\\.\\d+)*) of (?:the|our|its|that) time`, 'g');

/** @typedef {{ text: string, numbers: number[], digits: number[], scales: number[], isRatio: boolean }} Figure */

/** Values and the half of their last printed digit. */
function numbersIn(/** @type {string} */ text) {
  const found = [...text.matchAll(new RegExp(NUMBER, 'g'))].map(([one]) => one.replaceAll(',', ''));
  const numbers = found.map(Number);
  const digits = found.map((one) => {
    const [mantissa, exponent] = one.split('e');
    return 0.5 * 10 ** (Number(exponent ?? 0) - (mantissa?.split('.')[1]?.length ?? 0));
  });
  return { numbers, digits };
}

/** Measured figures of a text. */
export function figuresIn(/** @type {string} */ text) {
  /** @type {Figure[]} */
  const figures = [];
  const add = (/** @type {string} */ whole, /** @type {string} */ part, /** @type {number[]} */ scales, isRatio = false) =>
    figures.push({ text: whole.replace(/\s+/g, ' '), ...numbersIn(part), scales, isRatio });
  const lines = text.split('\n');
  const cells = lines.filter((line) => line.startsWith('|')).slice(2);
  const prose = lines.filter((line) => !line.startsWith('|')).join('\n');
  for (const [whole, part, unit] of prose.matchAll(QUANTITY))
    add(whole, part ?? '', UNITS[/** @type {keyof typeof UNITS} */ (unit)], unit === 'times');
  for (const [whole] of prose.matchAll(COUNT)) add(whole, whole, [1]);
  for (const [whole, part] of prose.matchAll(SHARE)) add(whole, part ?? '', [1], true);
  for (const line of cells) for (const [one] of line.matchAll(/(?<![\w.])\d[\d,]*\.\d+(?![\w.])/g)) add(one, one, [1, 1e3, 100]);
  return figures;
}

/** @type {Map<string, number[]>} */
const known = new Map();
/** All numbers of a result file, in order. */
function numbersOf(/** @type {string} */ path) {
  let numbers = known.get(path);
  if (!numbers) {
    numbers = [...read(path).matchAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g)].map(Number).sort((a, b) => a - b);
    known.set(path, numbers);
  }
  return numbers;
}

/** Ratios of the times of two engines in a result file. */
function ratiosOf(/** @type {string} */ path) {
  if (!path.endsWith('.json')) return [];
  const { results } = JSON.parse(read(path));
  if (!Array.isArray(results)) return [];
  const ratios = [];
  for (const key of ['msFirstHalf', 'msSecondHalf', 'msMean', 'msLanding'])
    for (const a of results) for (const b of results) if (a[key] && b[key]) ratios.push(a[key] / b[key]);
  return ratios;
}

/** Whether a sorted list has a number in a range. */
function hasBetween(/** @type {number[]} */ sorted, /** @type {number} */ low, /** @type {number} */ high) {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (/** @type {number} */ (sorted[middle]) < low) from = middle + 1;
    else to = middle;
  }
  return from < sorted.length && /** @type {number} */ (sorted[from]) <= high;
}

/** Whether all numbers of a figure stand in the files. */
function isIn(/** @type {Figure} */ { numbers, digits, scales, isRatio }, /** @type {string[]} */ files) {
  return numbers.every((value, k) => {
    const half = (digits[k] ?? 0) * (1 + 1e-9);
    const isPrinted = files.some((file) =>
      scales.some((scale) => hasBetween(numbersOf(file), (value - half) / scale, (value + half) / scale)),
    );
    // Ratios may be rounded to a twentieth.
    const near = Math.max(half, 0.025);
    return isPrinted || (isRatio && files.some((file) => ratiosOf(file).some((ratio) => Math.abs(ratio - value) <= near)));
  });
}

/** Files of results and the program that wrote each, for those that say so. */
function written() {
  const found = [];
  for (const folder of readdirSync(join(root, RESULTS))) {
    if (!statSync(join(root, RESULTS, folder)).isDirectory()) continue;
    for (const name of readdirSync(join(root, RESULTS, folder)).filter((one) => one.endsWith('.json'))) {
      const path = `${RESULTS}/${folder}/${name}`;
      const program = /"command": "node (bench\/\w+\.mjs)/.exec(read(path))?.[1];
      if (program) found.push({ path, program });
    }
  }
  return found;
}
const WRITTEN = written();

/** Result files that a text links or names: files, all files of folders, and those of the programs that it names. */
function filesNamed(/** @type {string} */ text, /** @type {string[]} */ folders) {
  const files = new Set();
  const add = (/** @type {string} */ path) => {
    // A report as a page has its numbers in a file beside it.
    const plain = path.replace(/\.html$/, '.json');
    if (!existsSync(join(root, plain))) return;
    if (!statSync(join(root, plain)).isDirectory()) {
      files.add(plain);
      if (existsSync(join(root, plain.replace(/\.json$/, '.csv')))) files.add(plain.replace(/\.json$/, '.csv'));
    } else for (const name of readdirSync(join(root, plain))) if (/\.(json|csv|txt)$/.test(name)) files.add(`${plain}/${name}`);
  };
  for (const [path] of text.matchAll(/bench\/results\/[\w./-]*[\w-]/g)) add(path);
  // A file of a folder that the page links elsewhere.
  for (const [, name] of text.matchAll(/`([\w./-]+\.(?:json|csv|txt|html))`/g))
    for (const folder of folders) add(`${folder}/${name}`);
  for (const [program] of text.matchAll(/bench\/\w+\.mjs/g))
    for (const one of WRITTEN) if (one.program === program) add(one.path);
  return files;
}

/** Sections of a page by their headings, each with the level. */
function sections(/** @type {string} */ text) {
  return text.split(/^(?=#{1,6} )/m).map((part) => ({ title: /^#+ (.*)/.exec(part)?.[1] ?? '', text: part }));
}

const anchorOf = (/** @type {string} */ title) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** Sources of sections that a text links on other pages, one step far. */
function linkedSources(/** @type {string} */ file, /** @type {string} */ text) {
  /** @type {string[]} */
  const files = [];
  for (const [, path, anchor] of text.matchAll(/\]\(([\w./-]+\.md)#([\w-]+)\)/g)) {
    const target = posix.join(posix.dirname(file), path ?? '');
    if (!existsSync(join(root, target))) continue;
    const page = readFileSync(join(root, target), 'utf8');
    const section = sections(page).find(({ title }) => anchorOf(title) === anchor);
    if (section) files.push(...filesNamed(section.text, foldersOf(page)));
  }
  return files;
}

const foldersOf = (/** @type {string} */ text) =>
  [...new Set([...text.matchAll(/bench\/results\/[\w.-]*[\w-]/g)].map(([path]) => path))].filter(
    (path) => existsSync(join(root, path)) && statSync(join(root, path)).isDirectory(),
  );

/**
 * Figures of a page that have no source.
 * @param {string} file
 * @param {string} text of the page
 * @param {typeof EXCEPTIONS} exceptions
 * @param {[file: string, template: string][]} templates of generated sentences
 */
export function unsourced(file, text, exceptions, templates) {
  const own = exceptions.filter((one) => one.file === file);
  const folders = foldersOf(text);
  const findings = [];
  for (const section of sections(text)) {
    if (own.some((one) => one.section === section.title)) continue;
    let plain = section.text.replace(/<!-- figures: [\s\S]*?<!-- \/figures -->/g, '').replace(/^```[\s\S]*?^```/gm, '');
    for (const [one, template] of templates) if (one === file) plain = plain.replace(pattern(template), '');
    const linked = [...filesNamed(section.text, folders), ...linkedSources(file, section.text)];
    // README, and the opening of a page, sum up what the page shows with links below.
    const sumsUp = file === 'README.md' || /^# /.test(section.text);
    const files = linked.length === 0 && sumsUp ? [...filesNamed(text, folders)] : linked;
    for (const block of plain.split(/\n{2,}/)) {
      for (const figure of figuresIn(block)) {
        if (own.some((one) => one.figure === figure.text) || isIn(figure, files)) continue;
        findings.push(`${file}, '${section.title}': ${figure.text}`);
      }
    }
  }
  return findings;
}
