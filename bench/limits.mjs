// The limits of talus and of other engines (docs/limits.md): a value of a small scene grows until the scene fails.
//
//   node bench/limits.mjs                                 all of them, 12 seeds each
//   node bench/limits.mjs --only mass-ratio,stack-height --engines talus,rapier
//   node bench/limits.mjs --save                          writes bench/results/<date>_<machine>/limits.json, which the page is made from
//
// Engines have their defaults (sleeping off, damping 0). `high` is more effort (the preset of talus, iterations of lib/torture.mjs), `ccd`
// continuous collision for all bodies. The limit of an engine is the largest value up to which the scene holds with all seeds. No number
// here is a time; `memory` counts the bytes of a world of talus.
import cliProgress from 'cli-progress';
import { readArgs } from './lib/args.mjs';
import { ENVELOPES, memoryRows, playEnvelope } from './lib/envelopes.mjs';
import { medianInterval } from './lib/intervals.mjs';
import { provenance, save, short, table } from './lib/report.mjs';
import { mean } from './lib/stats.mjs';
import { HIGH } from './lib/torture.mjs';

/** Options of engines and variants beside those of HIGH. The warnings of talus are about what this program does on purpose. */
const VARIANTS = {
  talus: { warn: false },
  'talus:high': { warn: false, preset: 'high' },
  rapier: {},
  'rapier:ccd': { ccd: true },
  jolt: {},
  'jolt:ccd': { ccd: true },
  havok: {},
  ...HIGH,
};

const MEMORY = 'memory';
const NAMES = [...Object.keys(ENVELOPES), MEMORY];
/** After so many values in a row that hold with no seed, larger ones are not tried. */
const ENOUGH_FAILED = 2;

const args = readArgs(
  {
    only: { type: 'string' },
    engines: { type: 'string' },
    seeds: { type: 'string', default: '12' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false, short: 'h' },
  },
  { only: 'speed', engines: 'talus', seeds: '1' },
);
if (args.help) {
  console.log(`Usage: node bench/limits.mjs [options]
  --only     some of ${NAMES.join(', ')}   [all]
  --engines  some of ${Object.keys(VARIANTS).join(', ')}   [those of each limit]
  --seeds    arrangements per value   [12]
  --save     write bench/results/<date>_<machine>/limits.json`);
  process.exit(0);
}

const wanted = args.only?.split(',') ?? NAMES;
for (const name of wanted) if (!NAMES.includes(name)) throw new Error(`no limit '${name}'; one of ${NAMES.join(', ')}`);
const seedCount = Number(args.seeds);
const header = provenance('node bench/limits.mjs');

/** An engine by its name or by name and variant. */
async function factory(spec) {
  if (!Object.hasOwn(VARIANTS, spec)) throw new Error(`no engine '${spec}'; one of ${Object.keys(VARIANTS).join(', ')}`);
  const { create } = await import(`./engines/${spec.split(':')[0]}.mjs`);
  return (scene) => create(scene, VARIANTS[spec]);
}

/** The middle of some measures, with the interval of a median. */
function middleOf(measures, average) {
  if (measures.length === 0) return { measure: null };
  if (average) return { measure: mean(measures) };
  const { value, low, high } = medianInterval(measures);
  return { measure: value, low, high };
}

/** All values of one engine: rows, and the largest value up to which all seeds hold (null if not even the least). */
async function climb(name, spec, onRun) {
  const { values, chance = true, average = false } = ENVELOPES[name];
  const make = await factory(spec);
  const seeds = Array.from({ length: chance ? seedCount : 1 }, (_, i) => i + 1);
  const rows = [];
  let limit = null;
  let isUnbroken = true;
  let failed = 0;
  for (const value of values) {
    if (failed >= ENOUGH_FAILED) break;
    const runs = [];
    for (const seed of seeds) {
      runs.push(await playEnvelope(name, make, value, seed));
      versions[spec.split(':')[0]] ??= runs.at(-1).version;
      onRun(`${name}, ${spec}, ${value}`);
    }
    const held = runs.filter(({ holds }) => holds).length;
    isUnbroken &&= held === seeds.length;
    if (isUnbroken) limit = value;
    failed = held === 0 ? failed + 1 : 0;
    const measures = runs.map(({ measure }) => measure).filter((m) => m !== null);
    rows.push({ envelope: name, engine: spec, value, seeds: seeds.length, held, ...middleOf(measures, average) });
  }
  return { rows, limit };
}

const list = (name) =>
  args.engines?.split(',').filter((spec) => ENVELOPES[name].engines.includes(spec)) ?? ENVELOPES[name].engines;
const results = [];
/** What was measured, with the limit of each engine: null where not even the least value holds. */
const limits = [];
const versions = {};
for (const name of wanted) {
  if (name === MEMORY) continue;
  const { title, value, values, measure, holds, chance = true, linear = false, average = false } = ENVELOPES[name];
  const engines = list(name);
  const bar = new cliProgress.SingleBar(
    { format: '{bar} {percentage}% {what}', clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(engines.length * values.length * (chance ? seedCount : 1), 0, { what: name });
  const found = {};
  const cells = new Map(values.map((v) => [v, new Map()]));
  for (const spec of engines) {
    const { rows, limit } = await climb(name, spec, (what) => bar.increment(1, { what }));
    results.push(...rows);
    found[spec] = limit;
    for (const row of rows) cells.get(row.value).set(spec, row);
  }
  bar.stop();
  limits.push({ name, title, value, values, measure, holds, linear, average, engines: found });
  const cell = (row) => (row ? `${short(row.measure)}${row.held === row.seeds ? '' : `  (${row.held} of ${row.seeds})`}` : '');
  console.log(
    `\n${title}\nHolds: ${holds}. Cells: ${measure}, ${average ? 'mean' : 'median'}; in brackets the seeds that hold, where not all do.`,
  );
  console.log(
    table(
      [value, ...engines],
      values.map((v) => [v, ...engines.map((spec) => cell(cells.get(v).get(spec)))]),
    ),
  );
  console.log(`Limit: ${engines.map((spec) => `${spec} ${found[spec] ?? `below ${values[0]}`}`).join(', ')}`);
}
let memory = [];
if (wanted.includes(MEMORY)) {
  memory = await memoryRows(args.quick);
  console.log('\nMemory of a world of talus: towers of ten boxes');
  console.log(
    table(
      ['boxes', 'MB', 'bytes per box'],
      memory.map(({ bodies, bytes }) => [bodies, short(bytes / 2 ** 20), short(bytes / bodies)]),
    ),
  );
}
if (args.save) console.log(`saved ${save('limits', { ...header, versions, limits, memory }, results)}`);
// Engines with threads of their own would keep the process alive.
process.exit(0);
