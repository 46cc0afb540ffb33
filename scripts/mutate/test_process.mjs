// A process that runs test files for scripts/mutate/tests.mjs with one warm Vitest: `node scripts/mutate/test_process.mjs TREE CORES`.
// Input: messages { file, changed }: a test file to run, and the sources that changed since the last run. Output: a message { failure }
// each: name and message of the first failed test, null where none failed; with a core that marks, marked.json in CORES. TREE: the root
// of the copy of the repository. CORES: a folder with the binaries, test.wasm for tests of the core and the study, release.wasm for the
// host. Each test file runs in a new process.
import { join, resolve } from 'node:path';
import { createVitest } from 'vitest/node';

const [tree, cores] = process.argv.slice(2).map((path) => resolve(path));

/** The generated modules of the host, with the binary as it lies there when a test starts (scripts/build_wasm.mjs, inlineWasm). */
const binary = {
  name: 'mutate:core',
  enforce: 'pre',
  resolveId(id, importer) {
    if (!/\/(binary|hash)\.generated$/.test(id)) return undefined;
    return importer?.includes('/study/') ? '\0core:test' : '\0core:release';
  },
  load(id) {
    if (!id.startsWith('\0core:')) return undefined;
    const path = join(cores, `${id.slice('\0core:'.length)}.wasm`);
    return `import { readFileSync } from 'node:fs';
const codes = readFileSync(${JSON.stringify(path)}).map((byte) => (byte + 43) & 255);
export const wasmText = Buffer.from(codes).toString('latin1');
export const wasmHash = 1;`;
  },
};

const vitest = await createVitest(
  'test',
  {
    root: tree,
    config: false,
    watch: false,
    reporters: [{}],
    include: ['tests/**/*.test.ts'],
    setupFiles: ['src/gpu/index.ts', join(import.meta.dirname, 'marks_setup.mjs')],
    // The limit of a file (tests.mjs) ends tests that hang.
    testTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
    bail: 1,
  },
  {
    plugins: [binary],
    resolve: { alias: [{ find: /^talus\/study$/, replacement: join(tree, 'src/study/index.ts') }] },
    server: { watch: null },
    logLevel: 'silent',
  },
);
await vitest.standalone();
/** @type {any} its keys are declared for tests alone */
const project = vitest.getRootProject();
project.provide('testWasm', join(cores, 'test.wasm'));
project.provide('cores', cores);
project.provide('adapter', { vendor: '', architecture: '', description: '', software: true });

/** Name and message of the first failed test of a module; what else failed in it. */
function failureOf(module) {
  for (const test of module.children.allTests('failed')) {
    const [message] = (test.result().errors?.[0]?.message ?? '').split('\n');
    return { test: test.fullName, message };
  }
  if (module.errors().length === 0 && module.state() !== 'failed') return null;
  return { test: 'the file as a whole', message: module.errors()[0]?.message ?? '' };
}

process.on('message', async (/** @type {{ file: string, changed: string[] }} */ { file, changed }) => {
  for (const source of changed) vitest.invalidateFile(join(tree, source));
  // Failures of the last run would end this one.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const specification = project.createSpecification(join(tree, file));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  const failure =
    testModules.map(failureOf).find((name) => name !== null) ??
    (unhandledErrors.length > 0 ? { test: 'an unhandled error', message: `${unhandledErrors[0]}` } : null);
  const tests = testModules.flatMap((module) => [...module.children.allTests()]).length;
  const none = tests === 0 ? { test: 'no test ran', message: '' } : null;
  process.send?.({ failure: failure ?? none });
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
