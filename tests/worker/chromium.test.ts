// TalusWorker in a page that Vite has built from the installed package, under a content security policy: with shared memory where
// the page is cross-origin isolated, with messages where it is not. The page itself has nothing of the core in it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAGS, findChromium, serve } from '../helpers/chromium';
import { makeProject, type Project } from '../helpers/worker_package';

const PAGE = '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script></body>';
const CODE = `
import { TalusWorker } from 'talus/worker';
window.isolated = window.crossOriginIsolated;
window.run = async (options) => {
  const world = await TalusWorker.create(options);
  const refused = [];
  world.onerror = (error, call) => refused.push(call + ': ' + error.code);
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const box = world.createBody({ shape: cube, position: [0, 3, 0] });
  const first = world.getPosition(box, [0, 0, 0])[1];
  for (let i = 0; i < 5; i++) world.step();
  await world.flushed();
  const five = world.getPosition(box, [0, 0, 0])[1];
  world.start();
  const heights = [];
  const matrices = new Float32Array(32);
  await new Promise((done) => {
    const frame = () => {
      world.frame();
      world.readMatrices(matrices);
      heights.push(matrices[16 + 13]);
      if (world.stepCount < 90) requestAnimationFrame(frame);
      else done();
    };
    frame();
  });
  const hit = await world.castRay([0, 10, 0], [0, -1, 0]);
  world.removeShape(cube);
  await world.stop();
  const events = world.takeEvents().flatMap((step) => step.contacts.map((event) => event.kind));
  const buffer = world.positions.buffer.constructor.name;
  world.dispose();
  return { first, five, heights, hit: hit.body === box, refused, events, buffer };
};
window.broken = async () => {
  try {
    await TalusWorker.create({ worker: () => new Worker('/nothing.js', { type: 'module' }) });
    return null;
  } catch (error) {
    return error.code + ': ' + error.message;
  }
};
window.loaded = true;
`;
const POLICY = "default-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

let project: Project;
let browser: Browser;

beforeAll(async () => {
  project = await makeProject();
  writeFileSync(join(project.folder, 'main.js'), CODE);
  writeFileSync(join(project.folder, 'index.html'), PAGE);
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'error',
    build: { reportCompressedSize: false },
    worker: { format: 'es' },
  });
  browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
});
afterAll(async () => {
  await browser?.close();
  project.remove();
});

test('the page has nothing of the core; the thread is a file of its own', () => {
  const assets = join(project.folder, 'dist/assets');
  const sizes = new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name)).length]));
  const [page] = [...sizes].filter(([name]) => name.startsWith('index'));
  const [thread] = [...sizes].filter(([name]) => name.startsWith('worker_thread'));
  expect(page![1]).toBeLessThan(40_000);
  expect(thread![1]).toBeGreaterThan(300_000);
  expect(sizes.size).toBe(2);
});

async function open(url: string, errors: string[]): Promise<Page> {
  const page = await browser.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url);
  await page.waitForFunction('window.loaded');
  return page;
}

interface Result {
  first: number;
  five: number;
  heights: number[];
  hit: boolean;
  refused: string[];
  events: string[];
  buffer: string;
}

describe.each([
  ['isolated', ISOLATED, '{}', 'SharedArrayBuffer'],
  ['isolated, messages asked for', ISOLATED, '{ shared: false }', 'ArrayBuffer'],
  ['not isolated', {}, '{}', 'ArrayBuffer'],
] as const)('%s', (_, headers, options, buffer) => {
  test('steps by request and by itself', async () => {
    const server = await serve(join(project.folder, 'dist'), '/', { 'content-security-policy': POLICY, ...headers });
    try {
      const errors: string[] = [];
      const page = await open(server.url, errors);
      const result = (await page.evaluate(`window.run(${options})`)) as Result;
      expect(result.first).toBe(3);
      expect(result.five).toBeCloseTo(3 - (9.81 * 25) / 2 / 3600, 2);
      expect(result.hit).toBe(true);
      expect(result.buffer).toBe(buffer);
      expect(result.refused).toEqual(['removeShape: in-use']);
      expect(result.events).toContain('begin');
      expect(result.heights.length).toBeGreaterThan(5);
      // It falls as the pictures go on, and never jumps back up.
      for (let i = 1; i < result.heights.length; i++) expect(result.heights[i]!).toBeLessThan(result.heights[i - 1]! + 1e-3);
      expect(result.heights.at(-1)).toBeCloseTo(0.5, 2);
      expect(await page.evaluate('window.broken()')).toMatch(/^worker: .*could not be loaded/);
      if (!('cross-origin-opener-policy' in headers)) {
        expect(await page.evaluate('window.isolated')).toBe(false);
        const refused = await page.evaluate('window.run({ shared: true }).catch((error) => error.code)');
        expect(refused).toBe('unsupported');
      }
      expect(errors).toEqual([]);
      await page.close();
    } finally {
      await server.close();
    }
  });
});

test('files that no bundler has touched run too', async () => {
  rmSync(join(project.folder, 'plain'), { recursive: true, force: true });
  const code = CODE.replace("'talus/worker'", "'/node_modules/talus/dist/worker.js'");
  writeFileSync(join(project.folder, 'plain.js'), code);
  writeFileSync(join(project.folder, 'plain.html'), PAGE.replace('main.js', 'plain.js'));
  const server = await serve(project.folder, '/', ISOLATED);
  try {
    const errors: string[] = [];
    const page = await open(`${server.url}plain.html`, errors);
    const result = (await page.evaluate('window.run({})')) as Result;
    expect(result.heights.at(-1)).toBeCloseTo(0.5, 2);
    expect(errors).toEqual([]);
    await page.close();
  } finally {
    await server.close();
  }
});
