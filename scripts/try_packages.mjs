// `npm run try:packages [-- --fast] [--only NAME] [--keep] [--save FOLDER]`: the package as a user gets it, with each tool. Packs it,
// installs the tarball into an empty project a tool, builds a hello world without configuration and runs it: a page in headless
// Chromium, until 90 frames are drawn and a box lies where it should; a program until it has printed that. Prints a table: the
// version, seconds from `npm install` to the first frame, what the page loads, beside hello worlds of Rapier and Havok with the same
// tool. --fast: the part that CI runs. --only: trials whose name has that text. Needs dist/ (`npm run build`), a registry, Chromium.
// In: scripts/try_packages/. Out: the table; with --save FOLDER also packages.json and packages.md there. Exit code 1 if one fails.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { dirname, extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { FRAMES, OTHERS } from './try_packages/programs.mjs';
import { TRIALS } from './try_packages/tools.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const call = promisify(execFile);
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
/** Where the box lies. */
const HEIGHT = 0.5;
const BUILD_MS = 300_000;
const PAGE_MS = 60_000;
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PARCEL_WORKERS: '0', DO_NOT_TRACK: '1', NO_COLOR: '1', CI: '1' };

const { values: args } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    save: { type: 'string' },
  },
});

const base = mkdtempSync(join(tmpdir(), 'talus-packages-'));

/**
 * @param {string[]} command
 * @param {string} cwd
 */
async function run([command, ...rest], cwd) {
  return call(command, rest, { cwd, env, timeout: BUILD_MS, maxBuffer: 1 << 26 });
}

function pack() {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', base], { cwd: root, stdio: 'pipe' });
  return join(
    base,
    readdirSync(base).find((name) => name.endsWith('.tgz')),
  );
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** An import map of all entries of a package, in a page that imports main.js. */
function mapPage(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules/talus/package.json'), 'utf8'));
  const imports = {};
  for (const [entry, target] of Object.entries(exports))
    if (target.default) imports[`talus${entry.slice(1)}`] = `./node_modules/talus/${target.default.slice(2)}`;
  const map = JSON.stringify({ imports });
  return `<!doctype html><link rel="icon" href="data:,"><body><script type="importmap">${map}</script><script type="module" src="./main.js"></script></body>\n`;
}

/** What a page needs for shared memory. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

function serveFolder(folder, headers = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const file = normalize(join(folder, path === '/' ? 'index.html' : path));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers })
      .end(readFileSync(file));
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const close = async () => {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      };
      done({ url: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`, close });
    });
  });
}

/** The server of a tool, on a port that was free a moment ago. */
async function serveTool(command, folder) {
  const probe = await serveFolder(folder);
  const { port } = new URL(probe.url);
  await probe.close();
  const child = spawn(process.execPath, [binOf(folder, command[0]), ...command.slice(1), port], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/`;
  for (let i = 0; ; i++) {
    try {
      await fetch(url);
      break;
    } catch (error) {
      if (i === 300) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  return {
    url,
    async close() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill();
      await ended;
    },
  };
}

/** The script behind a command of node_modules/.bin, as its package names it. */
function binOf(folder, command) {
  return join(folder, 'node_modules/.bin', command);
}

let browser;

/** Opens the page; what it loaded, and when it drew first. */
async function openPage(url) {
  if (!browser?.isConnected())
    browser = await chromium.launch({
      executablePath: CHROMIUM.find(existsSync),
      args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    });
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors = [];
  const loads = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  context.on('response', (response) => {
    if (/\.(m?js|wasm)(\?|$)/.test(response.url()) && response.ok()) loads.push(response.body().catch(() => null));
  });
  try {
    await page.goto(url);
    const fine = `window.failure || (window.frames_drawn >= ${FRAMES} && Math.abs(window.box_height - ${HEIGHT}) < 0.02)`;
    await page.waitForFunction(fine, undefined, { timeout: PAGE_MS });
    /** @type {any} */
    const seen = await page.evaluate(
      '({ failure: window.failure, frames: window.frames_drawn, height: window.box_height, first: window.first_frame })',
    );
    if (seen.failure) throw new Error(seen.failure);
    const sizes = { raw: 0, gzip: 0, brotli: 0, files: 0 };
    for (const body of await Promise.all(loads)) {
      if (!body) continue;
      sizes.files++;
      sizes.raw += body.length;
      if (args.fast) continue; // compressing takes a second each
      sizes.gzip += gzipSync(body, { level: 9 }).length;
      sizes.brotli += brotliCompressSync(body).length;
    }
    return { ...seen, ...sizes };
  } catch (error) {
    throw new Error([error.message.split('\n')[0], ...errors].join(' | ').slice(0, 600));
  } finally {
    await context.close();
  }
}

/**
 * Builds a page in its project and opens it.
 * @returns {Promise<any>}
 */
async function tryPage(trial, folder, page, copies) {
  if (trial.build && trial.out) rmSync(join(folder, trial.out), { recursive: true, force: true });
  write(folder, { ...trial.files, [trial.at]: page, ...trial.extra });
  if (trial.map) write(folder, { 'index.html': mapPage(folder) });
  const start = performance.now();
  for (const [command, ...rest] of trial.build ?? []) await run([binOf(folder, command), ...rest], folder);
  for (const file of copies ?? []) cpSync(join(folder, 'node_modules', file), join(folder, trial.out, file.split('/').at(-1)));
  const build = performance.now() - start;
  const server = trial.serve
    ? await serveTool(trial.serve, folder)
    : await serveFolder(join(folder, trial.out), trial.isolated ? ISOLATED : {});
  try {
    return { build, ...(await openPage(server.url)) };
  } finally {
    await server.close();
  }
}

/** Path of a tool that is a binary: in a package for this platform, or moved from there into its own by an install script. */
function binaryOf(folder, name) {
  const isBinary = (path) => /[\\/](deno|bun)(\.exe)?$/.test(path) && statSync(path).size > 1e6;
  for (const parent of [name, '@deno', '@oven'].map((one) => join(folder, 'node_modules', one))) {
    if (!existsSync(parent)) continue;
    const found = readdirSync(parent, { recursive: true })
      .map((path) => join(parent, String(path)))
      .find(isBinary);
    if (found) return found;
  }
  throw new Error(`npm brought no ${name} for this machine`);
}

async function tryProgram(trial, folder) {
  let command = process.execPath;
  if (trial.binary) command = binaryOf(folder, trial.binary);
  else if (trial.node) command = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  const at = trial.at ?? 'main.mjs';
  write(folder, { [at]: trial.program });
  const start = performance.now();
  const { stdout } = await run(trial.run(command), folder);
  const height = Number(/^height (.*)$/m.exec(stdout)?.[1]);
  if (!(Math.abs(height - HEIGHT) < 0.02)) throw new Error(`the box lies at ${height}: ${stdout.slice(0, 200)}`);
  return { build: 0, first: performance.now() - start, height };
}

function versionOf(trial, folder) {
  if (trial.tool === 'Node') return process.versions.node;
  const name = trial.node
    ? `node-${process.platform}-${process.arch}`
    : trial.packages.find((one) => !one.startsWith('@') || trial.packages.length === 2);
  if (!name) return '';
  const path = join(folder, 'node_modules', name.replace(/(?<=.)@.*$/, ''), 'package.json');
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

const NPM = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const projects = new Map();

/** An empty project with the tarball and the packages of a tool, installed once. */
async function install(trial, tarball) {
  const packages = [...trial.packages];
  if (trial.node) packages.push(`node-${process.platform}-${process.arch}@${trial.node}`);
  const key = `${trial.tool} ${packages}`;
  let project = projects.get(key);
  if (!project) {
    const folder = join(base, trial.tool.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
    mkdirSync(folder, { recursive: true });
    write(folder, { 'package.json': '{ "name": "hello", "private": true }\n' });
    const start = performance.now();
    await run([...NPM, tarball, ...packages], folder);
    const seconds = (performance.now() - start) / 1000;
    project = { folder, seconds };
    projects.set(key, project);
  }
  return project;
}

/** A browser that went away by itself says nothing of the package: once more. */
async function again(what) {
  try {
    return await what();
  } catch (error) {
    if (!/has been closed|crashed/.test(error.message)) throw error;
    return what();
  }
}

async function tryOne(trial, tarball) {
  const result = { tool: trial.tool, use: trial.use, version: '', ok: false };
  try {
    const { folder, seconds } = await install(trial, tarball);
    result.version = versionOf(trial, folder);
    const made = trial.page ? await again(() => tryPage(trial, folder, trial.page, trial.copy)) : await tryProgram(trial, folder);
    Object.assign(result, { ok: true, install: seconds, ...made, build: made.build / 1000 });
  } catch (error) {
    result.error = `${error.message.slice(0, 500)} ${(error.stdout ?? '').slice(-500)} ${(error.stderr ?? '').slice(-500)}`;
  }
  return result;
}

/** Another engine with the same tool; with its binary copied where it does not come by itself. */
async function tryOther(trial, folder, other) {
  for (const copies of other.files.length > 0 && trial.out ? [[], other.files] : [[]]) {
    try {
      const made = await again(() => tryPage(trial, folder, other.page, copies));
      return { ok: true, asIs: copies.length === 0, ...made, build: made.build / 1000 };
    } catch (error) {
      if (copies.length > 0 || other.files.length === 0 || !trial.out) return { ok: false, error: error.message.slice(0, 300) };
    }
  }
  return { ok: false };
}

const kilo = (bytes) => (!bytes ? '' : (bytes / 1000).toFixed(0));
const beside = (other) => (other === undefined ? '' : other.ok ? `${kilo(other.brotli)}${other.asIs ? '' : ' (1)'}` : 'fails');

function table(results) {
  const head = [
    'tool',
    'version',
    'use',
    'ok',
    'install s',
    'build s',
    'run ms',
    'total s',
    'raw kB',
    'gzip',
    'brotli',
    'Rapier',
    'Havok',
  ];
  const rows = results.map((one) => [
    one.tool,
    one.version,
    one.use,
    one.ok ? 'yes' : 'NO',
    one.install?.toFixed(1) ?? '',
    one.build ? one.build.toFixed(1) : '',
    one.first?.toFixed(0) ?? '',
    one.ok ? (one.install + one.build + one.first / 1000).toFixed(1) : '',
    kilo(one.raw),
    kilo(one.gzip),
    kilo(one.brotli),
    beside(one.rapier),
    beside(one.havok),
  ]);
  const widths = head.map((text, i) => Math.max(text.length, ...rows.map((row) => row[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const NOTES = `Run ms: from opening the page to its first frame, or the whole run of a program. Total: from \`npm install\` to that. Sizes: all
scripts and binaries that the page loads, kB of 1000 bytes; Rapier (\`@dimforge/rapier3d-compat\`) and Havok (\`@babylonjs/havok\`): the same
scene with the same tool, brotli. (1): only with its .wasm copied beside the page by hand.`;

const results = [];

/** Keeps what is known so far; what was saved before and is not tried now stays. */
function save() {
  if (!args.save) return;
  const to = resolve(root, args.save);
  mkdirSync(to, { recursive: true });
  const path = join(to, 'packages.json');
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).results : [];
  const all = TRIALS.map(({ tool, use }) => [...results, ...before].find((one) => one.tool === tool && one.use === use)).filter(
    Boolean,
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores`;
  writeFileSync(path, `${JSON.stringify({ talus: version, machine, node: process.version, results: all }, null, 1)}\n`);
  const text = `# talus ${version} with each tool\n\n\`npm run try:packages\`, ${machine}.\n\n${table(all)}\n\n${NOTES}\n`;
  writeFileSync(join(to, 'packages.md'), text);
}

const isAsked = ({ tool, use, fast }) =>
  (!args.fast || fast) && (!args.only || `${tool} ${use}`.toLowerCase().includes(args.only.toLowerCase()));
try {
  const tarball = pack();
  const asked = TRIALS.filter(isAsked);
  for (const trial of asked) {
    const result = await tryOne(trial, tarball);
    results.push(result);
    save();
    const what = `${result.tool} ${result.version}, ${result.use}`;
    console.log(result.ok ? `ok      ${what}` : `FAILED  ${what}: ${result.error}`);
  }
  for (const [i, trial] of asked.entries()) {
    if (!trial.compare || args.fast || !results[i].ok) continue;
    const { folder } = await install(trial, tarball);
    await run([...NPM, ...Object.values(OTHERS).flatMap((other) => other.packages)], folder);
    for (const [name, other] of Object.entries(OTHERS)) results[i][name] = await tryOther(trial, folder, other);
    save();
  }
} finally {
  await browser?.close();
  if (args.keep) console.log(`kept: ${base}`);
  else rmSync(base, { recursive: true, force: true });
}
const failed = results.filter((one) => !one.ok).length;
console.log(`\n${table(results)}\n\n${NOTES}\n\ntry:packages: ${results.length - failed} of ${results.length} work`);
process.exit(failed > 0 || results.length === 0 ? 1 : 0);
