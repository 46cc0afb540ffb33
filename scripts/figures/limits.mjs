// Tables of docs/limits.md from the newest limits.json of bench/results (bench/limits.mjs): up to which values each engine holds, and the
// memory of a world.
import { ENGINES, measuredOn, newest, row } from './results.mjs';

const number = (/** @type {number} */ value) => value.toLocaleString('en', { maximumSignificantDigits: 3 });

/**
 * A limit in words: the largest value that was tried has no limit that we know.
 * @param {any} one Of `limits`.
 * @param {string} spec
 */
function cell({ values, engines }, spec) {
  if (!(spec in engines)) return '';
  const limit = engines[spec];
  if (limit === null) return `below ${number(values[0])}`;
  return limit === values.at(-1) ? `${number(limit)} or more` : number(limit);
}

/** Both cells of an engine that has a variant. */
const both = (/** @type {any} */ one, /** @type {string} */ name) =>
  [name, `${name}:high`, `${name}:ccd`]
    .map((spec) => cell(one, spec))
    .filter((text) => text !== '')
    .join(' / ');

function limitsTable() {
  const file = newest('limits.json');
  const head = ['value that grows', ...Object.values(ENGINES)];
  const lines = [row(head), row(head.map(() => '---')).replaceAll(' ', '')];
  for (const one of file.limits) {
    const what = one.name.startsWith('speed') ? one.title : one.title.split(':')[0];
    const bold = (/** @type {string} */ text, /** @type {string} */ name) => (name === 'talus' ? `**${text}**` : text);
    lines.push(row([`${what} (${one.value})`, ...Object.keys(ENGINES).map((name) => bold(both(one, name), name))]));
  }
  const versions = Object.entries(file.versions).map(([name, version]) => `${ENGINES[name]} ${version}`);
  return `${lines.join('\n')}\n\n${versions.join(', ')}. ${measuredOn([file])}`;
}

function memoryTable() {
  const { memory } = newest('limits.json');
  const lines = [row(['boxes in towers of ten', 'MB', 'bytes per box']), '|---|---|---|'];
  for (const { bodies, bytes } of memory)
    lines.push(row([number(bodies), number(bytes / 1e6), Math.round(bytes / bodies).toLocaleString('en')]));
  return lines.join('\n');
}

/** Tables by name. */
export const LIMIT_TABLES = { limits: limitsTable, memory: memoryTable };
