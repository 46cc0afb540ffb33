// `npm run fuzz` and `npm run soak`: random worlds on the built package, by the driver of tests/robustness/fuzz. Bundles the driver to
// build/fuzz/driver.mjs, with the package in place of its sources, and runs it.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const HELP = `npm run fuzz -- [options]: random calls over the whole API of worlds; a world that fails is shrunk to a script.

  --seed N         first world; with a seed one world alone, if --calls says no more. Without one: drawn, and printed
  --calls M        how many calls in all, 1000 a world; default 1000000
  --narrowphase    compares the narrow phase with oracles in double precision instead, and prints the worst error of each pair of shapes
  --pairs P        pairs of shapes for each pair of types; default 10000

npm run soak -- [options]: long worlds; memory and counts must not grow.

  --minutes T      default 60
  --seed N         first world; without one: drawn, and printed

Both take --quick, for a run of seconds.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    calls: { type: 'string' },
    minutes: { type: 'string' },
    narrowphase: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** A number of the command line. */
function numberOf(name, fallback, least) {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`--${name} takes a number of at least ${least}, not ${values[name]}`);
  process.exit(2);
}

/** Entries of the package by the sources that they stand for. */
const PACKAGE = { 'src/index': 'index.js', 'src/controllers/index': 'controllers.js', 'src/rigs/index': 'rigs.js' };

/** Bundles a module of the tests; imports of the package's entries become those of dist/. */
async function bundle(entry, name) {
  const usePackage = {
    name: 'talus:use-package',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === 'vitest') return join(root, 'tests/robustness/fuzz/outside_vitest.ts');
      const path = importer && id.startsWith('.') ? resolve(dirname(importer), id) : '';
      const file = Object.entries(PACKAGE).find(([source]) => path === join(root, source))?.[1];
      return file && { id: pathToFileURL(join(root, 'dist', file)).href, external: true };
    },
  };
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [usePackage],
    build: {
      ssr: join(root, entry),
      outDir: join(root, 'build/fuzz'),
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return await import(pathToFileURL(join(root, `build/fuzz/${name}.mjs`)).href);
}

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const log = (line) => console.log(line);
let isSound;
if (values.narrowphase) {
  execFileSync(process.execPath, [join(root, 'scripts/build_wasm.mjs'), 'test', '--if-stale'], { stdio: 'inherit' });
  const { compareAll } = await bundle('tests/assembly/narrowphase/compare.ts', 'narrowphase');
  const seed = numberOf('seed', 1, 0);
  isSound = compareAll({ seed, pairs: values.quick ? 50 : numberOf('pairs', 10_000, 1), log });
} else {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('no built package: npm run build');
  const { fuzz, soak } = await bundle('tests/robustness/fuzz/main.ts', 'driver');
  const seed = numberOf('seed', randomInt(2 ** 31), 0);
  if (positionals[0] === 'soak') {
    // Memory is compared after a collection of garbage.
    setFlagsFromString('--expose-gc');
    globalThis.gc = runInNewContext('gc');
    isSound = await soak({ seed, root, log, minutes: values.quick ? 0.05 : numberOf('minutes', 60, 0) });
  } else {
    const calls = values.quick ? 3000 : numberOf('calls', values.seed === undefined ? 1_000_000 : 1, 1);
    isSound = await fuzz({ seed, root, log, calls });
  }
}
// Threads of the package must not keep the process.
process.exit(isSound ? 0 : 1);
