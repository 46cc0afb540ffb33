// Reads bench/results: the newest folder that has a file, and lines of Markdown tables about it. Tables of figures are made with these.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
export const RESULTS = 'bench/results';
const PAGE = 'https://github.com/talus-physics/talus/tree/main';

/** Text of a file of the repository. */
export const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/** Engines as the docs call them, by the names of the bench. @type {Record<string, string>} */
export const ENGINES = { talus: 'talus', rapier: 'Rapier', jolt: 'Jolt', havok: 'Havok' };

/** A line of a table. */
export const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;

/** The newest folder of results that has a file; undefined without one. */
export function newestWith(/** @type {string} */ file) {
  const folders = readdirSync(join(root, RESULTS)).sort();
  return folders.findLast((name) => existsSync(join(root, RESULTS, name, file)));
}

/**
 * The newest result file of a name, with the folder it lies in; undefined without one.
 * @param {string} file
 * @returns {any}
 */
export function newest(file) {
  const folder = newestWith(file);
  return folder && { folder, ...JSON.parse(read(`${RESULTS}/${folder}/${file}`)) };
}

/** Links to folders of results. */
export const links = (/** @type {Iterable<string>} */ folders) =>
  [...folders].map((folder) => `[\`${folder}\`](${PAGE}/${RESULTS}/${folder})`).join(', ');

/**
 * On what results were measured: date, machine, load, folders.
 * @param {any[]} files
 */
export function measuredOn(files) {
  const of = (/** @type {(file: any) => string} */ get) => [...new Set(files.map(get))].sort().join(', ');
  const loads = files.map(({ machine }) => machine.loadAverage).sort((a, b) => a - b);
  const load = [...new Set([loads[0], loads.at(-1)].map((value) => value.toFixed(1)))].join(' to ');
  const machine = of((file) => `${file.machine.cpu} with ${file.machine.cores} cores, Node ${file.machine.node.slice(1)}`);
  const folders = links(new Set(files.map(({ folder }) => folder)));
  return `Measured ${of(({ date }) => date.slice(0, 10))} on ${machine}, load average ${load}: ${folders}.`;
}
