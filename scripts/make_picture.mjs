// Makes docs/talus.webp, the moving picture of README.md, from scripts/picture/main.js on the package in dist/:
//
//   npm run build && node scripts/make_picture.mjs
//
// Each frame is drawn and encoded by headless Chromium, at the pace of the simulation and not of the machine.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import webp from 'node-webpmux';
import { chromium } from 'playwright-core';
import { build, preview, runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [width, height] = [520, 292];
const FRAMES = 84;
/** Of 1/60 s: 15 frames a second. */
const STEPS = 4;
const QUALITY = 0.58;

const folder = join(root, 'build/picture');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><style>body{margin:0}</style><script type="module" src="${join(root, 'scripts/picture/main.js')}"></script>`,
);
const { module } = await runnerImport(join(root, 'tests/helpers/chromium.ts'));
/** @type {import('vite').InlineConfig} */
const settings = { root: folder, configFile: false, logLevel: 'error' };
await build({ ...settings, build: { target: 'es2022', reportCompressedSize: false, chunkSizeWarningLimit: 1e5 } });
const server = await preview({ ...settings, preview: { port: 0 } });
const browser = await chromium.launch({ executablePath: module.findChromium(), args: module.FLAGS, headless: true });
try {
  const page = await browser.newPage({ viewport: { width, height } });
  page.on('pageerror', (error) => console.error(error));
  await page.goto(server.resolvedUrls.local[0]);
  await page.waitForFunction('window.ready');
  const frames = [];
  for (let i = 0; i < FRAMES; i++) {
    const url = await page.evaluate(`window.frame(${i}, ${STEPS}, ${QUALITY})`);
    const image = new webp.Image();
    await image.load(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    frames.push(await webp.Image.generateFrame({ img: image, delay: i === FRAMES - 1 ? 1500 : Math.round((1000 * STEPS) / 60) }));
  }
  await webp.Image.save(join(root, 'docs/talus.webp'), { width, height, frames, loops: 0, bgColor: [255, 255, 255, 255] });
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
