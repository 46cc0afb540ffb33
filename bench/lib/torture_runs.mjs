// Runs of the torture scenes (`npm run bench -- --torture`): every engine plays each of them, the results become rows of the table with
// their closed forms. In: names of scenes and of engines. Out: the rows, for the terminal and for torture.json.
import { runLockstep } from './run.mjs';
import { buildScene, TORTURE, truth } from './scenes.mjs';
import { HIGH, ROWS, resultOf, THICKNESS, THIN, WATCHES } from './torture.mjs';
import { cellOf, closedText } from './torture_cells.mjs';

/** Engines that run unless others are named. */
export const TORTURE_ENGINES = ['talus', 'rapier', 'jolt', 'havok', 'cannon', ...Object.keys(HIGH)];

/** An engine by its name or, with more iterations, by a name of HIGH. */
async function factory(spec) {
  const [name, kind] = spec.split(':');
  if (!TORTURE_ENGINES.includes(spec)) throw new Error(`unknown engine '${spec}'; one of ${TORTURE_ENGINES.join(', ')}`);
  const { create } = await import(`../engines/${name}.mjs`);
  return { name: spec, create: (scene) => create(scene, kind ? HIGH[spec] : {}) };
}

async function play(name, options, factories, steps) {
  const scene = buildScene(name, options);
  const observer = () => new WATCHES[name](scene);
  // What the run measures by itself has names of its own.
  const results = await runLockstep(scene, factories, { steps, observer, depth: false });
  return results.map(({ state: _state, extra: _extra, ...rest }) => rest);
}

/** The least thickness with which an arch stands, by halving; null where even the largest falls. */
async function leastThickness(one, steps) {
  const stands = async (thickness) => {
    const [result] = await play('arch', { thickness }, [one], steps);
    return result.failed === null && result.fallsAt === null;
  };
  let [low, high] = [THICKNESS.falls, THICKNESS.stands];
  if (!(await stands(high))) return null;
  while (high - low > THICKNESS.tolerance) {
    const middle = (low + high) / 2;
    if (await stands(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Results of the arch: as it is, too thin, and the least thickness. */
async function playArch(factories, steps) {
  const thick = await play('arch', {}, factories, steps);
  const least = truth.truthOf(buildScene('arch'));
  const thin = await play('arch', { thickness: THIN * least }, factories, steps);
  const pick = ({ fallsAt, drift }) => ({ stands: fallsAt === null, fallsAt, drift });
  const results = [];
  for (const [k, one] of factories.entries()) {
    const { engine, version, settings, failed } = thick[k];
    if (failed) results.push({ engine, failed });
    else
      results.push({
        engine,
        version,
        settings,
        failed,
        arch: pick(thick[k]),
        thin: pick(thin[k]),
        least: await leastThickness(one, steps),
      });
  }
  return results;
}

/**
 * Plays torture scenes.
 * @param {string[]} names of scenes
 * @param {string[]} engines
 * @param {{ steps?: number, progress?: (name: string) => void }} options `steps`: instead of those that each scene asks for
 * @returns rows (`scene`, `quantity`, `unit`, `closed`, `engines`: value, error in %, outcome) and the engines with their settings
 */
export async function torture(names, engines, { steps = undefined, progress = () => {} } = {}) {
  for (const name of names) {
    if (!Object.hasOwn(TORTURE, name)) throw new Error(`no torture scene '${name}'; one of ${Object.keys(TORTURE).join(', ')}`);
  }
  const factories = await Promise.all(engines.map(factory));
  const rows = [];
  const known = new Map();
  for (const name of names) {
    progress(name);
    const count = steps ?? TORTURE[name].steps;
    const results = await (name === 'arch' ? playArch(factories, count) : play(name, {}, factories, count));
    for (const { engine, version, settings } of results) if (version) known.set(engine, { version, settings });
    for (const row of ROWS[name]) {
      const values = Object.fromEntries(results.map((result) => [result.engine, resultOf(row, result)]));
      rows.push({ scene: name, quantity: row.quantity, label: row.label, unit: row.unit, closed: row.closed(), engines: values });
    }
  }
  return { rows, engines: Object.fromEntries(known) };
}

/** Head and rows of the table. */
export function tortureTable({ rows, engines }) {
  const names = Object.keys(engines);
  const head = ['', 'closed form', ...names.map((name) => `${name} ${engines[name].version}`)];
  const body = rows.map(({ quantity, unit, closed, engines: values }) => [
    unit ? `${quantity}, ${unit}` : quantity,
    closedText(closed),
    ...names.map((name) => cellOf(values[name], unit)),
  ]);
  return { head, body };
}
