// `npm run golden [-- --write] [--full] [--only TEXT] [--arm64 [RUN...]]`: plays the runs of the golden table (tests/golden/hashes.json)
// in Node and prints what has changed: in which scenes, from which step on, and by how much in depth, calm, sleep and contacts.
//
//   --write   writes the results into the table; without --full the runs at full size stay as they are
//   --full    all runs at full size too, then all of the product with 2, 3 and 8 threads and in Chromium, with 1 and 3 threads
//   --only    runs whose name has that text
//   --times   the processor time of each run too
//   --arm64   instead of all that: a part of the table on Node for arm64 under QEMU (scripts/golden/arm64.mjs)
//
// Exit code 1 if results differ and are not written. It compiles the cores if they have changed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { playOnArm64 } from './golden/arm64.mjs';
import { bundle } from './golden/bundle.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const path = join(root, 'tests/golden/hashes.json');

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    times: { type: 'boolean', default: false },
    arm64: { type: 'boolean', default: false },
  },
});

/** The table as text: a line per checkpoint. */
function textOf(table) {
  const line = (checkpoint) =>
    `{ ${Object.entries(checkpoint)
      .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(', ')} }`;
  const runs = Object.entries(table).map(([name, checkpoints]) => {
    const lines = Object.entries(checkpoints).map(([step, checkpoint]) => `    "${step}": ${line(checkpoint)}`);
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${runs.join(',\n')}\n}\n`;
}

/** Writes the table, in the order of the runs. */
function writeTable(golden, table) {
  const rows = golden.ALL_RUNS.filter(({ name }) => table[name]).map(({ name }) => [name, table[name]]);
  writeFileSync(path, textOf(Object.fromEntries(rows)));
}

/** Plays runs on one thread. Returns the new table and whether it differs from the old one. */
async function playAll(golden, old) {
  const { ALL_RUNS, FULL_RUNS, changesOf, createWorld, playGolden, settingsOf } = golden;
  const table = {};
  let changed = 0;
  let played = 0;
  let seconds = 0;
  for (const run of ALL_RUNS) {
    const before = old[run.name];
    const isAsked = args.only ? run.name.includes(args.only) : args.full || !FULL_RUNS.includes(run);
    if (!isAsked) {
      if (before) table[run.name] = before;
      continue;
    }
    const start = process.cpuUsage();
    const world = await createWorld(settingsOf(run));
    table[run.name] = playGolden(world, run);
    world.dispose();
    played++;
    const { user, system } = process.cpuUsage(start);
    seconds += (user + system) / 1e6;
    if (args.times) console.log(`${((user + system) / 1e6).toFixed(2).padStart(8)} s  ${run.name}`);
    const changes = changesOf(run.name, before, table[run.name]);
    // At once: runs at full size take minutes, and what is written is kept if the command is stopped.
    if (changes && args.write) writeTable(golden, { ...old, ...table });
    if (changes) {
      console.log(changes);
      changed++;
    }
  }
  const gone = Object.keys(old).filter((name) => !ALL_RUNS.some((run) => run.name === name));
  for (const name of gone) console.log(`${name}: no longer played`);
  console.log(
    `golden: ${played} runs played in ${seconds.toFixed(0)} s of processor time, ${changed} differ from the table${gone.length ? `, ${gone.length} are gone` : ''}`,
  );
  return { table, isChanged: changed + gone.length > 0, isComplete: ALL_RUNS.every((run) => table[run.name]) };
}

/** Plays the table on several threads and in Chromium, by its tests. */
function playElsewhere() {
  const tests = ['tests/threads/same_bits.test.ts', 'tests/threads/chromium_bits.test.ts'];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, TALUS_GOLDEN: 'full' };
  return spawnSync(process.execPath, [vitest, 'run', ...tests], { cwd: root, env, stdio: 'inherit' }).status === 0;
}

async function main() {
  execFileSync(process.execPath, [join(root, 'scripts/build_wasm.mjs'), args.arm64 ? 'release' : 'all', '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (args.arm64) return playOnArm64(positionals);
  const folder = join(root, 'build/golden');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'command.mjs');
  writeFileSync(file, await bundle('tests/golden/command.ts'));
  const golden = await import(pathToFileURL(file).href);
  const old = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const { table, isChanged, isComplete } = await playAll(golden, old);
  if (args.write && isChanged) {
    writeTable(golden, table);
    console.log('written to tests/golden/hashes.json');
    if (!isComplete) console.log('runs at full size are missing: npm run golden -- --full --write');
  } else if (isChanged) {
    console.log(golden.ADVICE);
    return false;
  }
  return !args.full || playElsewhere();
}

process.exitCode = (await main()) ? 0 : 1;
