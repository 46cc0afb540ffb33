// Tables of the model of GPUs (profiling/model/): traffic and lanes of each kernel, from how many bodies a GPU pays, steps of large scenes, and
// the calibration. In: profiling/model/scenes.json (node bench/kernels.mjs --save) and the measurements of GPUs in bench/results. Out: Markdown.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { row } from './results.mjs';

const root = join(import.meta.dirname, '../..');
/** @param {string} path */
const load = async (path) => (await runnerImport(join(root, path), { configFile: false, logLevel: 'error' })).module;
/** @type {any} */
const kernels = await load('profiling/model/kernels.ts');
/** @type {any} */
const payoff = await load('profiling/model/payoff.ts');
/** @type {any} */
const scenes = await load('profiling/model/scenes.ts');
/** @type {any} */
const calibration = await load('profiling/node/calibration.ts');

/** @param {{ head: string[], rows: string[][] }} table */
function markdown({ head, rows }) {
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n');
}

/** Scenes of the table of kernels. */
const KERNEL_SCENES = [
  ['boxes', 5160, '5,160 boxes at rest'],
  ['bricks', 110000, 'Walls of 110,000 bricks at rest'],
];

function kernelTables() {
  return KERNEL_SCENES.map(([scene, size, title]) => {
    const counts = scenes.DATA.results.find((/** @type {any} */ one) => one.scene === scene && one.size === size);
    if (!counts) throw new Error(`profiling/model/scenes.json lacks ${scene}:${size}: run node bench/kernels.mjs --save`);
    const perBody = Math.round(
      kernels.kernelUses(counts).reduce((/** @type {number} */ sum, /** @type {any} */ use) => sum + use.bytes, 0) /
        counts.bodies,
    );
    const perVisit = Math.round(kernels.visitBytes(counts));
    const { head, rows } = kernels.kernelTable(counts);
    const words = `${counts.substeps} substeps of ${counts.sweeps} sweeps, ${(counts.points / counts.links).toFixed(1)} points per link`;
    const sum = `${perBody.toLocaleString('en')} bytes per body and step; ${perVisit} bytes for each sweep over a link`;
    return `**${title}** (${words}; ${sum}):\n\n${markdown({ head, rows })}`;
  }).join('\n\n');
}

/**
 * Tables by name.
 * @type {Record<string, () => string>}
 */
export const MODEL_TABLES = {
  kernels: kernelTables,
  payoff: () => markdown(payoff.payoffTable('boxes')),
  'payoff-towers': () => markdown(payoff.payoffTable('towers')),
  large: () => markdown(payoff.largeTable()),
  devices: () => markdown(payoff.deviceTable()),
  calibration: () => markdown(calibration.calibrationTable(calibration.calibrate(root))),
  'calibration-summary': () => markdown(calibration.calibrationSummary(calibration.calibrate(root))),
};
