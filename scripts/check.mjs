// `npm run check`: everything that can be checked without running a test, each step with its time, stopping at the first
// that fails: layout, format and lint, the plain rules of the AssemblyScript and WGSL sources, what reads what, build, types, the public
// types (api_report.mjs), and the package as its users get it (check_package.mjs). Types and public types run beside the steps between the
// build and them.
import { exec, execSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { checkPackage } from './check_package.mjs';
import { checkDrawings } from './drawings.mjs';
import { checkFigures } from './figures.mjs';
import { checkProse } from './prose.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const COLUMNS = 130;
/**
 * Of the product, without `talus/study`. Joints are 34 kB of it: on WASM about 17, on WebGPU 12, the rest host code; what controls bodies
 * 8, queries 7, snapshots 4, events and frames 2 each; threads and cells about 12.
 */
const PACKAGE_BYTES = 215_900;
/** By its path: two versions are installed, and the command is that of either. */
const TSC = 'node node_modules/typescript/bin/tsc';
/** It parses with the TypeScript that has an API, and would guess where it finds none. */
const CRUISE =
  'node --import ./scripts/old_typescript.mjs node_modules/dependency-cruiser/bin/dependency-cruise.mjs --config .dependency-cruiser.mjs';

/** What formatters do not see: head comments of core and shaders, line length of comments and WGSL. One line a finding. */
function checkText() {
  const findings = [];
  for (const [folder, extension] of [
    ['assembly', '.ts'],
    ['shaders', '.wgsl'],
  ]) {
    for (const name of readdirSync(join(root, folder), { recursive: true }).map(String).sort()) {
      if (!name.endsWith(extension) || name.includes('.generated.')) continue;
      const text = readFileSync(join(root, folder, name), 'utf8');
      const report = (line, what) => findings.push(`${folder}/${name}:${line}: ${what}`);
      if (!text.startsWith('//')) report(1, 'no head comment');
      if (!text.endsWith('\n') || text.endsWith('\n\n')) report(1, 'must end with one newline');
      text.split('\n').forEach((line, i) => {
        if (line.length > COLUMNS) report(i + 1, `${line.length} columns, at most ${COLUMNS}`);
        if (/[ \t]$/.test(line)) report(i + 1, 'white space at the end');
        if (/\t/.test(line)) report(i + 1, 'tab');
      });
    }
  }
  return findings;
}

/** `talus` with `talus/gpu`, core and shaders included, as a server would send it. */
function checkSize() {
  const names = ['index', 'core', 'engine', 'common', 'gpu', 'webgpu'];
  const sizes = names.map((name) => brotliCompressSync(readFileSync(join(root, `dist/${name}.js`))).length);
  const size = sizes.reduce((sum, one) => sum + one);
  return size <= PACKAGE_BYTES ? [] : [`dist/{${names}}.js: ${size} bytes with brotli, at most ${PACKAGE_BYTES}`];
}

/** @type {[string, string | (() => string[] | Promise<string[]>)][]} */
const steps = [
  ['layout', 'node scripts/gen_layout.mjs --check'],
  ['format and lint', 'npx --no-install biome ci --colors=off --error-on-warnings .'],
  ['format of the core', 'node scripts/format_assembly.mjs --check'],
  ['text of core and shaders', checkText],
  ['what reads what', `${CRUISE} "assembly/**/*.ts" "src/**/*.ts" "demo/src/**/*.ts"`],
  ['build', 'npm run --silent build'],
  ['size', checkSize],
  ['figures in the docs', checkFigures],
  ['drawings of the docs', checkDrawings],
  ['words of docs and docstrings', checkProse],
  ['types', `${TSC} -p tsconfig.json && ${TSC} -p tsconfig.scripts.json && ${TSC} -p tests/react/demos/tsconfig.json`],
  ['api', 'node scripts/api_report.mjs --check'],
  ['package', checkPackage],
];

const options = { cwd: root, encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 26 };
const runAside = promisify(exec);

/**
 * Commands that run beside the steps before them, one after the other, from the end of the build on: most of those take one processor. By
 * their name what they print if they fail, null if they do not.
 */
const BESIDE = ['types', 'api'];
/** @type {Map<string, Promise<string | null>>} */
const beside = new Map();
function startBeside() {
  /** @type {Promise<unknown> | undefined} */
  let last;
  for (const [name, step] of steps) {
    if (typeof step !== 'string' || !BESIDE.includes(name)) continue;
    const run = () =>
      runAside(`${step} 2>&1`, options).then(
        () => null,
        (error) => error.stdout ?? `${error}`,
      );
    // At once: the step after the build may not let anything else begin.
    const ended = last ? last.then(run) : run();
    beside.set(name, ended);
    last = ended;
  }
}

for (const [name, step] of steps) {
  const start = performance.now();
  let output = '';
  let failed = false;
  if (typeof step === 'function') {
    output = (await step()).join('\n');
    failed = output !== '';
  } else if (beside.has(name)) {
    const said = await beside.get(name);
    output = said ?? '';
    failed = said !== null;
  } else {
    try {
      execSync(`${step} 2>&1`, options);
    } catch (error) {
      output = error.stdout;
      failed = true;
    }
  }
  if (name === 'build' && !failed) startBeside();
  console.log(`${failed ? 'FAILED' : 'ok'}  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  if (failed) {
    console.log(output);
    process.exit(1);
  }
}
