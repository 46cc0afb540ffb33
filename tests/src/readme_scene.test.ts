// README.md: what a user pastes first. The three.js scene is built by Vite in an empty project and drawn by Chromium on software
// graphics: nothing is thrown, and the crates are on the screen and move.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { FLAGS, findChromium, serve } from '../helpers/chromium';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** That of an empty project, without an icon to ask for. */
const PAGE = '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script></body>';
const WIDTH = 480;
const HEIGHT = 320;

/** Pixels that are clearly orange, and the mean height of them, from the top. */
function orange(png: Buffer): { count: number; height: number } {
  const { data } = PNG.sync.read(png);
  let count = 0;
  let sum = 0;
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    if (data[4 * i]! < 60 || data[4 * i]! < 1.5 * data[4 * i + 2]!) continue;
    count++;
    sum += Math.floor(i / WIDTH);
  }
  return { count, height: sum / count };
}

test('the user comes first: what it is, how to install it, a whole scene', () => {
  const [first] = /```\n([\s\S]*?)```/.exec(readme)!.slice(1);
  expect(first).toBe('npm install talus\n');
  expect(readme.indexOf('npm install talus')).toBeLessThan(500);
  expect(readme.indexOf('```javascript')).toBeLessThan(readme.indexOf('npm ci'));
});

test('the three.js scene runs as it is', async () => {
  const [, code] = /```javascript\n([\s\S]*?)```/.exec(readme)!;
  expect(code!.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(25);
  // Vite here has no plugin that compiles the core.
  execFileSync(process.execPath, [join(root, 'scripts/build_wasm.mjs'), 'release', '--if-stale'], { stdio: 'pipe' });
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/readme-'));
  try {
    writeFileSync(join(folder, 'main.js'), code!);
    writeFileSync(join(folder, 'index.html'), PAGE);
    const { build } = await import('vite');
    // The package by its source: `dist/` need not be built. `npm run check` builds the same with the packed one.
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: {
        alias: [
          { find: /^talus$/, replacement: join(root, 'src/index.ts') },
          { find: /^talus\/three$/, replacement: join(root, 'src/three/index.ts') },
        ],
      },
      build: { minify: false, reportCompressedSize: false },
    });
    const server = await serve(join(folder, 'dist'));
    const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
    try {
      const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(server.url);
      await page.waitForSelector('canvas');
      await page.waitForFunction('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
      const before = orange(await page.screenshot());
      expect(errors).toEqual([]);
      expect(before.count).toBeGreaterThan(WIDTH);
      // Crates of above have come down into view by then.
      await expect
        .poll(async () => orange(await page.screenshot()).height, { timeout: 20_000 })
        .toBeGreaterThan(before.height + 5);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
