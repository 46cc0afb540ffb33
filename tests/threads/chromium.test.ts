// Threads in pages of Chromium, from the installed package as Vite builds it: isolated and not, with and without a policy that allows
// no Blob, in a TalusWorker; and in files that no bundler has touched.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLAGS, findChromium, serve } from '../helpers/chromium';
import { makeProject, type Project } from '../helpers/worker_package';

const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const STRICT = "default-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const PAGE = '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script></body>';

const CODE = `
import { createWorld } from 'talus';
import { TalusWorker } from 'talus/worker';
import address from 'talus/thread?url';
const frame = () => new Promise((done) => setTimeout(done, 4));
function fill(world) {
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  for (let i = 0; i < 200; i++)
    world.createBody({ shape: cube, position: [i % 5, 1 + 1.1 * Math.floor(i / 25), (Math.floor(i / 5) % 5) + 0.01 * (i % 7)] });
}
window.run = async (options, way) => {
  if (way === 'address') options.threadWorker = address;
  if (way === 'file') options.threadWorker = () => new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
  const world = await createWorld(options);
  const empty = world.snapshot();
  for (let i = 0; i < 500; i++) {
    world.step();
    if (world.settings.threads === 1 || world.profile.threads === options.threads) break;
    await frame();
  }
  const used = world.profile.threads;
  world.restore(empty);
  fill(world);
  const shared = world.positions.buffer.constructor.name;
  for (let i = 0; i < 150; i++) {
    world.step();
    if (i % 25 === 0) await frame();
  }
  const { threads, threadsReason } = world.settings;
  const copy = structuredClone(world.snapshot());
  const result = { used, threads, threadsReason, shared, hash: world.hash(), bytes: copy.buffer.constructor.name };
  world.dispose();
  return result;
};
window.far = async (options) => {
  const world = await TalusWorker.create(options);
  fill(world);
  let used = 1;
  for (let i = 0; i < 1000 && used === 1; i++) {
    await world.step();
    await new Promise((done) => setTimeout(done, 5));
    used = (await world.profile).threads;
  }
  const { threads, threadsReason } = await world.settings;
  world.dispose();
  return { used, threads, threadsReason };
};
window.loaded = true;
`;

interface Result {
  used: number;
  threads: number;
  threadsReason: string;
  shared: string;
  hash: number;
  bytes: string;
}

let project: Project;
let browser: Browser;

beforeAll(async () => {
  project = await makeProject();
  writeFileSync(join(project.folder, 'main.js'), CODE);
  writeFileSync(join(project.folder, 'thread.js'), "import 'talus/thread';\n");
  writeFileSync(join(project.folder, 'index.html'), PAGE);
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'error',
    build: { reportCompressedSize: false, assetsInlineLimit: 0 },
    worker: { format: 'es' },
  });
  browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
});
afterAll(async () => {
  await browser?.close();
  project.remove();
});

/** Answers of calls in a page, with the errors that it had. */
async function ask(
  headers: Record<string, string>,
  calls: string[],
  path = '',
): Promise<{ results: Result[]; errors: string[] }> {
  const server = await serve(path === '' ? join(project.folder, 'dist') : project.folder, '/', headers);
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  try {
    await page.goto(server.url + path);
    await page.waitForFunction('window.loaded');
    const results: Result[] = [];
    for (const call of calls) results.push((await page.evaluate(call)) as Result);
    return { results, errors };
  } finally {
    await page.close();
    await server.close();
  }
}

test('isolated: shared memory, the same bits with 1, 2 and 4 threads, and by the clock', async () => {
  const { results, errors } = await ask(ISOLATED, [
    'run({})',
    "run({ threads: 2, threadChoice: 'always' })",
    "run({ threads: 4, threadChoice: 'always' })",
    'run({ threads: 2 })',
  ]);
  const [one, two, four, measured] = results;
  expect(one).toMatchObject({ used: 1, threads: 1, threadsReason: '', shared: 'ArrayBuffer' });
  expect(two).toMatchObject({ used: 2, threads: 2, threadsReason: '', shared: 'SharedArrayBuffer', bytes: 'ArrayBuffer' });
  expect(four).toMatchObject({ used: 4, threads: 4 });
  expect(new Set([one, two, four, measured].map((result) => result!.hash)).size).toBe(1);
  expect(errors).toEqual([]);
});

test('not isolated: one thread, and why', async () => {
  const { results, errors } = await ask({}, ['run({})', "run({ threads: 'auto' })", 'run({ threads: 4 })']);
  expect(results[2]).toMatchObject({ used: 1, threads: 1, shared: 'ArrayBuffer', hash: results[0]!.hash });
  expect(results[2]!.threadsReason).toMatch(/cross-origin isolated/);
  expect(errors).toEqual([]);
});

test('a policy without blob: one thread and the reason; the file of talus/thread by its address or a worker of one’s own', async () => {
  const headers = { ...ISOLATED, 'content-security-policy': STRICT };
  const { results, errors } = await ask(headers, [
    "run({ threads: 2, threadChoice: 'always' })",
    "run({ threads: 2, threadChoice: 'always' }, 'address')",
    "run({ threads: 3, threadChoice: 'always' }, 'file')",
  ]);
  expect(results[0]).toMatchObject({ used: 1, threads: 1 });
  expect(results[0]!.threadsReason).toMatch(/content security policy/);
  expect(results[1]).toMatchObject({ used: 2, threads: 2, threadsReason: '', hash: results[0]!.hash });
  expect(results[2]).toMatchObject({ used: 3, threads: 3, hash: results[0]!.hash });
  expect(errors).toEqual([]);
});

test('a world in a TalusWorker has threads of its own', async () => {
  const { results, errors } = await ask(ISOLATED, ["far({ threads: 3, threadChoice: 'always' })"]);
  expect(results[0]).toEqual({ used: 3, threads: 3, threadsReason: '' });
  const { results: plain } = await ask({}, ['far({ threads: 3 })']);
  expect(plain[0]).toMatchObject({ used: 1, threads: 1 });
  expect(plain[0]!.threadsReason).toMatch(/cross-origin isolated/);
  expect(errors).toEqual([]);
});

test('files that no bundler has touched', async () => {
  const code = CODE.replace("'talus'", "'/node_modules/talus/dist/index.js'")
    .replace("'talus/worker'", "'/node_modules/talus/dist/worker.js'")
    .replace("import address from 'talus/thread?url'", "const address = '/node_modules/talus/dist/thread.js'");
  writeFileSync(join(project.folder, 'plain.js'), code);
  writeFileSync(join(project.folder, 'plain.html'), PAGE.replace('main.js', 'plain.js'));
  const calls = ["run({ threads: 2, threadChoice: 'always' })", "run({ threads: 2, threadChoice: 'always' }, 'address')"];
  const { results, errors } = await ask(ISOLATED, calls, 'plain.html');
  for (const result of results) expect(result).toMatchObject({ used: 2, threads: 2 });
  expect(errors).toEqual([]);
});

test('the service worker of docs/threads.md isolates a page whose server does not', async () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/threads.md'), 'utf8');
  const code = /^if \(typeof window[\s\S]*?(?=^```)/m.exec(text)![0];
  writeFileSync(join(project.folder, 'dist/isolate.js'), code);
  writeFileSync(
    join(project.folder, 'dist/isolated.html'),
    '<!doctype html><link rel="icon" href="data:,"><script src="isolate.js"></script>',
  );
  const server = await serve(join(project.folder, 'dist'), '/');
  const page = await browser.newPage();
  try {
    await page.goto(`${server.url}isolated.html`);
    await page.waitForFunction('crossOriginIsolated');
    await page.reload();
    expect(await page.evaluate('crossOriginIsolated && typeof SharedArrayBuffer')).toBe('function');
  } finally {
    await page.close();
    await server.close();
  }
});
