// `npm run lab`: the laboratory. It repeats tables and figures of the papers behind talus and answers questions of our own, one
// experiment by name, one chapter (a paper), or all of them.
//
//   npm run lab -- [names...] [--chapters tonge2012,...] [--quick] [--seeds n] [--budget minutes] [--fresh] [--out folder]
//
// Quick mode runs small scenes with a seed or two and writes to build/lab. Full mode writes to lab/results/<date>_<machine>. Each run of a
// seed is written as soon as it is done: the same command goes on where an earlier one stopped, as long as engine and experiment are the
// same. The lab runs on the CPU alone, and uses a GPU if there is one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { machine, table } from '../bench/lib/report.mjs';
import { EXPERIMENTS } from './experiments/index.mjs';
import { BudgetSpent, buildFingerprint, experimentFingerprint, Keeper } from './lib/keep.mjs';
import { claimCells, short, writePages, writeSection } from './lib/report.mjs';
import { loadStudy } from './lib/run.mjs';

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false, short: 'q' },
    chapters: { type: 'string' },
    seeds: { type: 'string' },
    budget: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    out: { type: 'string' },
    help: { type: 'boolean', default: false, short: 'h' },
  },
});
const names = EXPERIMENTS.map((e) => e.name);
const chapters = [...new Set(EXPERIMENTS.map((e) => e.page))];
const seedsOf = ({ seeds }) => (args.quick ? (seeds?.quick ?? 1) : (seeds?.full ?? 12));
if (args.help) {
  console.log(`Usage: npm run lab -- [experiments] [options]

  --chapters a,b    only these: ${chapters.join(', ')}
  --quick           small scenes, few seeds: nothing is decided, everything is run; writes to build/lab
  --seeds n         as many seeds instead of those of the experiment
  --budget minutes  stop after that time, with all finished runs kept
  --fresh           forget earlier runs of this build instead of going on
  --out folder

Experiments (chapter, seeds in full):`);
  for (const e of EXPERIMENTS)
    console.log(`  ${e.name.padEnd(20)} ${e.page.padEnd(11)} ${String(e.seeds?.full ?? 12).padStart(2)}  ${e.title}`);
  process.exit(0);
}

function refuse(message) {
  console.error(message);
  process.exit(1);
}
for (const name of positionals) {
  if (!names.includes(name)) refuse(`unknown experiment '${name}'; one of ${names.join(', ')}`);
}
const wanted = args.chapters?.split(',') ?? [];
for (const chapter of wanted) {
  if (!chapters.includes(chapter)) refuse(`unknown chapter '${chapter}'; one of ${chapters.join(', ')}`);
}
/** A positive number of an option; undefined where it is not given. */
function positive(option) {
  if (args[option] === undefined) return undefined;
  const value = Number(args[option]);
  if (!(value > 0)) refuse(`--${option} needs a positive number, not '${args[option]}'`);
  return value;
}
const seedCount = positive('seeds');
if (seedCount !== undefined && !Number.isInteger(seedCount)) refuse(`--seeds needs a whole number, not '${args.seeds}'`);
const budget = positive('budget') ?? Number.POSITIVE_INFINITY;
const everything = positionals.length === 0 && wanted.length === 0;
const chosen = EXPERIMENTS.filter((e) => everything || positionals.includes(e.name) || wanted.includes(e.page));

if (!existsSync(resolve(import.meta.dirname, '../dist/study.js'))) refuse('dist/ is missing: run `npm run build` first');
await loadStudy();
// Of what is loaded now: sources may change while the lab runs.
const build = buildFingerprint();
const fingerprints = new Map(chosen.map(({ name }) => [name, experimentFingerprint(name, build)]));
const slug = machine()
  .cpu.toLowerCase()
  .replace(/\((r|tm)\)|cpu|processor|@/g, '')
  .replace(/[^a-z0-9.]+/g, '-')
  .replace(/^-|-$/g, '');

/** The folder of today, or an earlier one of this machine and this build, so that a run can go on past midnight. */
function resultFolder() {
  if (args.out) return resolve(args.out);
  if (args.quick) return resolve(import.meta.dirname, '../build/lab');
  const results = resolve(import.meta.dirname, 'results');
  const ours = `${slug}-${machine().cores}-cores`;
  const buildOf = (name) => {
    const path = join(results, name, 'raw/build.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).build : null;
  };
  const earlier = readdirSync(results).filter((name) => name.endsWith(`_${ours}`) && buildOf(name) === build);
  const found = args.fresh ? undefined : earlier.sort().at(-1);
  return resolve(results, found ?? `${new Date().toISOString().slice(0, 10)}_${ours}`);
}
const folder = resultFolder();
const started = performance.now();
const mayGoOn = () => (performance.now() - started) / 60000 < budget;

/** Whether a section of this build with these seeds is there. */
function isDone(experiment, fingerprint, seeds) {
  const path = join(folder, `${experiment.name}.json`);
  if (args.fresh || !existsSync(path)) return false;
  const { fingerprint: other, mode, seeds: count } = JSON.parse(readFileSync(path, 'utf8'));
  return other === fingerprint && mode === (args.quick ? 'quick' : 'full') && count === seeds.length;
}

let failed = 0;
let spent = false;
mkdirSync(join(folder, 'raw'), { recursive: true });
writeFileSync(join(folder, 'raw/build.json'), `${JSON.stringify({ build, date: new Date().toISOString() })}\n`);
for (const experiment of chosen) {
  const { name } = experiment;
  const fingerprint = fingerprints.get(name);
  const seeds = Array.from({ length: seedCount ?? seedsOf(experiment) }, (_, i) => i + 1);
  if (isDone(experiment, fingerprint, seeds)) {
    console.log(`${name}: done before with this build`);
    continue;
  }
  if (!mayGoOn()) {
    spent = true;
    break;
  }
  const keeper = new Keeper(folder, name, fingerprint, { fresh: args.fresh, mayGoOn });
  const bar = new cliProgress.SingleBar(
    { format: `${name.padEnd(18)} {bar} {percentage}% {what}`, hideCursor: true, clearOnComplete: true, noTTYOutput: false },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1000, 0, { what: '' });
  const begun = process.cpuUsage();
  try {
    const section = await experiment.run({
      quick: args.quick,
      seeds,
      /** A run that is kept: see Keeper. */
      kept: (key, compute) => keeper.run(key, compute),
      /** Share done, 0 to 1, and at what. */
      progress: (share, what = '') => bar.update(Math.round(1000 * share), { what }),
    });
    bar.stop();
    const { user, system } = process.cpuUsage(begun);
    const seconds = (user + system) / 1e6 + keeper.secondsFound;
    const mode = args.quick ? 'quick' : 'full';
    const kept = writeSection(folder, experiment, section, { seconds, mode, fingerprint, seeds: seeds.length });
    console.log(`\n${name} (${seconds.toFixed(1)} s of processor time): ${section.heading}`);
    console.log(table(['', 'paper', 'ours', '95 % (n)', 'verdict'], kept.claims.map(claimCells)));
    for (const t of section.tables ?? []) {
      console.log(t.title);
      console.log(
        table(
          t.head,
          t.rows.map((row) => row.map((v) => (typeof v === 'number' ? short(v) : String(v ?? '-')))),
        ),
      );
    }
    console.log(section.agreement);
    for (const note of section.notes ?? []) console.log(`(${note})`);
  } catch (error) {
    bar.stop();
    if (error instanceof BudgetSpent) {
      console.log(`${name}: ${keeper.found + keeper.made} runs kept, ${keeper.secondsMade.toFixed(0)} s of them now`);
      spent = true;
      break;
    }
    failed++;
    console.error(`${name} failed: ${error.stack}`);
  }
}
for (const path of writePages(folder, names)) console.log(`written ${path}`);
if (spent) console.log(`The ${budget} minutes are over. The same command goes on where this one stopped.`);
// Dawn's threads would keep the process alive.
process.exit(failed === 0 ? 0 : 1);
