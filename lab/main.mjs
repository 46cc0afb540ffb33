// `npm run lab`: the laboratory. It reproduces tables and figures of the papers behind talus and answers questions of our own, one
// experiment by name, or all of them.
//
//   npm run lab -- [names...] [--quick] [--seeds 3] [--out folder]
//
// Quick mode runs small scenes and few seeds, everything in less than three minutes, and writes to build/lab. Full mode writes to
// lab/results/<date>_<machine>. The lab runs on the CPU alone, and uses a GPU if there is one.
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { machine, table } from '../bench/lib/report.mjs';
import { EXPERIMENTS } from './experiments/index.mjs';
import { short, writePages, writeSection } from './lib/report.mjs';

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false, short: 'q' },
    seeds: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false, short: 'h' },
  },
});
if (args.help) {
  console.log(`Usage: npm run lab -- [experiments] [--quick] [--seeds n] [--out folder]\n`);
  for (const { name, page, title } of EXPERIMENTS) console.log(`  ${name.padEnd(20)} ${page.padEnd(10)} ${title}`);
  process.exit(0);
}
const names = EXPERIMENTS.map((e) => e.name);
for (const name of positionals) {
  if (!names.includes(name)) {
    console.error(`unknown experiment '${name}'; one of ${names.join(', ')}`);
    process.exit(1);
  }
}
const chosen = EXPERIMENTS.filter((e) => positionals.length === 0 || positionals.includes(e.name));
const slug = machine()
  .cpu.toLowerCase()
  .replace(/\((r|tm)\)|cpu|processor|@/g, '')
  .replace(/[^a-z0-9.]+/g, '-')
  .replace(/^-|-$/g, '');
const standard = args.quick
  ? resolve(import.meta.dirname, '../build/lab')
  : resolve(import.meta.dirname, 'results', `${new Date().toISOString().slice(0, 10)}_${slug}-${machine().cores}-cores`);
const folder = args.out ? resolve(args.out) : standard;
const seedCount = Number(args.seeds ?? (args.quick ? 1 : 3));

let failed = 0;
for (const experiment of chosen) {
  const bar = new cliProgress.SingleBar(
    {
      format: `${experiment.name.padEnd(18)} {bar} {percentage}% {what}`,
      hideCursor: true,
      clearOnComplete: true,
      noTTYOutput: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1000, 0, { what: '' });
  const begun = performance.now();
  try {
    const section = await experiment.run({
      quick: args.quick,
      seeds: Array.from({ length: seedCount }, (_, i) => i + 1),
      /** Share done, 0 to 1, and at what. */
      progress: (share, what = '') => bar.update(Math.round(1000 * share), { what }),
    });
    bar.stop();
    const seconds = (performance.now() - begun) / 1000;
    writeSection(folder, experiment.name, experiment.page, section, seconds, args.quick ? 'quick' : 'full');
    console.log(`\n${experiment.name} (${seconds.toFixed(1)} s): ${section.heading}`);
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
    failed++;
    console.error(`${experiment.name} failed: ${error.stack}`);
  }
}
for (const path of writePages(folder, names)) console.log(`written ${path}`);
// Dawn's threads would keep the process alive.
process.exit(failed === 0 ? 0 : 1);
