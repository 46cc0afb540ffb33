// `npm run try:playcanvas [-- VERSION...]`: talus/playcanvas with each version of PlayCanvas that is published and supported, betas
// included: the tests of tests/playcanvas that need no picture, and the types of src/playcanvas. A version is 100 MB installed, so none
// but the newest is a dependency: what the tests need of it (11 MB) is unpacked into build/try_playcanvas, once. Needs a registry.
// Out: a table. Exit code 1 if a version fails, or if there is none.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const base = join(root, 'build/try_playcanvas');
/** The first with `AppOptions.physicsWorld`. */
const OLDEST = [2, 23];
const TESTS = ['contract', 'physics', 'heightfields'].map((name) => `tests/playcanvas/${name}.test.ts`);
/** Of the package: modules and declarations. */
const PARTS = ['package/package.json', 'package/build/playcanvas', 'package/build/playcanvas.d.ts'];
const TIMEOUT = 600_000;

function versions() {
  const answer = execFileSync('npm', ['view', 'playcanvas', 'versions', '--json'], { encoding: 'utf8', timeout: TIMEOUT });
  return JSON.parse(answer).filter((version) => {
    const [major, minor] = version.split('.').map(Number);
    return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  });
}

/** @param {string} version @returns {string} folder of the package, as it would be installed */
function unpack(version) {
  const folder = join(base, version, 'node_modules/playcanvas');
  if (existsSync(folder)) return folder;
  const work = mkdtempSync(join(tmpdir(), 'talus-playcanvas-'));
  /** @type {import('node:child_process').ExecFileSyncOptions} */
  const options = { cwd: work, timeout: TIMEOUT, stdio: 'pipe' };
  execFileSync('npm', ['pack', `playcanvas@${version}`, '--silent'], options);
  const [file] = readdirSync(work);
  mkdirSync(dirname(folder), { recursive: true });
  const half = mkdtempSync(join(base, 'half-'));
  execFileSync('tar', ['-xzf', join(work, file), '-C', half, ...PARTS], options);
  renameSync(join(half, 'package'), folder);
  rmSync(half, { recursive: true });
  rmSync(work, { recursive: true });
  return folder;
}

/** Whether src/playcanvas compiles against the declarations of a version; prints what does not. */
function checkTypes(version, folder) {
  const config = join(base, version, 'tsconfig.json');
  const paths = { playcanvas: [join(folder, 'build/playcanvas.d.ts')] };
  const options = { noEmit: true, incremental: false, paths };
  const include = [join(root, 'src/playcanvas/**/*.ts')];
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, include, exclude: [] }));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { cwd: root, stdio: 'pipe' });
    return true;
  } catch (error) {
    console.error(`${error.stdout}`);
    return false;
  }
}

async function runTests(folder) {
  // vitest.config.ts has its tests take it.
  process.env.TALUS_PLAYCANVAS = folder;
  const vitest = await startVitest('test', TESTS, { root, run: true, watch: false, silent: true });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const isGood = modules.length === TESTS.length && modules.every((module) => module.state() === 'passed');
  await vitest.close();
  return { text: `${passed} of ${tests.length}`, isGood };
}

const asked = process.argv.slice(2);
const list = asked.length > 0 ? asked : versions();
mkdirSync(base, { recursive: true });
const rows = [];
for (const version of list) {
  const folder = unpack(version);
  const types = checkTypes(version, folder);
  const { text, isGood } = await runTests(folder);
  rows.push({ PlayCanvas: version, tests: text, types: types ? 'ok' : 'errors', result: types && isGood ? 'ok' : 'FAILED' });
}
console.table(rows);
process.exitCode = rows.length > 0 && rows.every(({ result }) => result === 'ok') ? 0 : 1;
