// What a bundle of the package carries: no study, no WebGPU without `talus/gpu`, no inlined core with `talus/slim`, one engine and one
// class of errors whatever entries it is made of. Bundled by Rolldown from the built package; `npm run try:packages` has other tools.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesOf } from '../../scripts/figures/sizes.mjs';
import { FLAGS, findChromium, serve } from '../helpers/chromium';
import { makeProject, type Project } from '../helpers/worker_package';

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project?.remove());

/** All scripts that a program becomes. */
async function bundle(name: string, code: string): Promise<string> {
  writeFileSync(join(project.folder, `${name}.js`), code);
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: `out-${name}`,
      minify: true,
      reportCompressedSize: false,
      rolldownOptions: { input: join(project.folder, `${name}.js`) },
    },
  });
  const assets = join(project.folder, `out-${name}`, 'assets');
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
  return scripts.map((file) => readFileSync(join(assets, file), 'utf8')).join('\n');
}

const count = (text: string, what: RegExp) => [...text.matchAll(what)].length;
const brotli = (text: string) => brotliCompressSync(text).length;
const GPU = /@compute|requestAdapter|createComputePipeline/g;
const ERRORS = /class \w* ?extends Error/g;
/** The second half of the magic number and the version of a binary, as it is inlined: \0asm less 43. */
const CORE = /\+\u008c\u009e\u0098/g;
const HELLO = (entry: string) => `import { createWorld } from '${entry}';\ncreateWorld().then((world) => world.step());\n`;

test('a world without WebGPU carries none of it; `talus/gpu` brings it in', async () => {
  const plain = await bundle('plain', HELLO('talus'));
  const gpu = await bundle('gpu', `import 'talus/gpu';\n${HELLO('talus')}`);
  expect(plain).not.toMatch(GPU);
  expect(gpu).toMatch(GPU);
  // 17 kB of 171.
  expect(brotli(gpu) - brotli(plain)).toBeGreaterThan(14_000);
});

const reached = (entry: string) => filesOf(project.dist, entry);

test('without a bundler pages load no more than they use', () => {
  expect([...reached('index.js')].sort()).toEqual(['common.js', 'core.js', 'engine.js', 'index.js']);
  for (const entry of ['slim.js', 'slim_worker.js', 'slim_worker_thread.js']) {
    const files = reached(entry);
    expect(files, entry).not.toContain('core.js');
    expect(files, entry).not.toContain('webgpu.js');
  }
  expect([...reached('three.js')].sort()).toEqual(['common.js', 'meshes.js', 'three.js']);
});

test('`talus/slim` carries no core', async () => {
  const slim = await bundle('slim', HELLO('talus/slim'));
  expect(count(await bundle('full', HELLO('talus')), CORE)).toBe(1);
  expect(count(slim, CORE)).toBe(0);
  expect(slim.length).toBeLessThan(178_500);
  expect(slim).not.toMatch(GPU);
  expect(readdirSync(join(project.folder, 'out-slim/assets')).filter((file) => file.endsWith('.wasm'))).toHaveLength(1);
});

test('entries share one engine and one class of errors', async () => {
  const code = `
import { Character } from 'talus/controllers';
import { createRagdoll } from 'talus/rigs';
import 'talus/gpu';
console.log(Character, createRagdoll);
${HELLO('talus/slim')}`;
  const all = await bundle('all', code);
  expect(count(all, ERRORS)).toBe(1);
  // A class of the engine.
  expect(count(all, /stepBroadphase\(\)/g)).toBe(count(await bundle('one', HELLO('talus/slim')), /stepBroadphase\(\)/g));
  expect(count(all, CORE)).toBe(0);
});

test('the product has none of the methods of talus/study', () => {
  for (const file of readdirSync(project.dist)) {
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(join(project.dist, file), 'utf8');
    expect(text, file).not.toMatch(/pair-split|color-order|jacobi|baumgarte|'pyramid'|orderingReport|packRows\(|spectral/i);
  }
});

test('nothing evaluates text, and nothing but threads that are asked for is made of a blob', () => {
  let blobs = 0;
  for (const file of readdirSync(project.dist)) {
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(join(project.dist, file), 'utf8');
    expect(text, file).not.toMatch(/\beval\(|new Function\(|data:text\/javascript/);
    blobs += count(text, /createObjectURL/g);
  }
  // In the engine (src/threads/start.ts).
  expect(blobs).toBe(1);
});

test('`talus/slim` and its thread run in a page under a strict content security policy', async () => {
  const main = `
import { createWorld, TalusError } from 'talus/slim';
import { TalusWorker } from 'talus/slim/worker';
import { createChain } from 'talus/rigs';
window.run = async () => {
  const world = await createWorld();
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const box = world.createBody({ shape: cube, position: [0, 3, 0] });
  for (let i = 0; i < 30; i++) world.step();
  const far = await TalusWorker.create();
  const there = far.createBody({ shape: far.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }), position: [0, 3, 0] });
  for (let i = 0; i < 30; i++) far.step();
  await far.flushed();
  const given = await TalusWorker.create({ wasm: fetch(performance.getEntriesByType('resource').find((one) => one.name.endsWith('.wasm')).name) });
  given.dispose();
  let kind = '';
  try {
    createChain(world, {});
  } catch (error) {
    kind = String(error instanceof TalusError);
  }
  const lost = await createWorld({ wasm: './nothing.wasm' }).catch((error) => error.code + ': ' + error.message);
  return { here: world.getPosition(box, [0, 0, 0]), there: far.getPosition(there, [0, 0, 0]), kind, lost };
};
window.loaded = true;
`;
  writeFileSync(join(project.folder, 'page.js'), main);
  writeFileSync(
    join(project.folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  );
  await build({ root: project.folder, configFile: false, logLevel: 'error', build: { reportCompressedSize: false } });
  const policy = "default-src 'none'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
  const server = await serve(join(project.folder, 'dist'), '/', { 'content-security-policy': policy });
  const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(server.url);
    await page.waitForFunction('window.loaded');
    const result = (await page.evaluate('window.run()')) as { here: number[]; there: number[]; kind: string; lost: string };
    expect(result.here[1]).toBeCloseTo(3 - (9.81 * 30 * 31) / 2 / 3600, 1);
    expect(Array.from(result.there, Math.fround)).toEqual(Array.from(result.here, Math.fround));
    expect(result.kind).toBe('true');
    expect(result.lost).toMatch(/^unsupported: talus\.wasm .*status 404/);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});
