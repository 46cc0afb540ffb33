// `node site/shots.mjs`: pictures of the examples for the gallery, into site/thumbnails, from the site in build/site. Software graphics
// will do.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';
import { EXAMPLES } from './chapters.mjs';

/** Seconds after which each looks best; others: 4. */
const MOMENTS = {
  start_1_floor: 1,
  start_2_crate: 2.5,
  start_3_crates: 7,
  start_4_push: 6,
  start_5_character: 6,
  wall: 2.6,
  bridge: 6,
  events: 3,
  ragdolls: 9,
  conveyor: 10,
  car: 5,
  instances: 5,
  worker: 5,
  gpu: 4,
  gltf: 5,
  rollback: 5,
  doors: 8,
  filters: 9,
  offscreen: 7,
  platforms: 5,
  skinned: 3.2,
  sounds: 5,
  wheels: 9,
  chain: 3,
  impacts: 2.5,
  friction: 7,
  bullets: 3,
  islands: 6,
  substeps: 5,
  threads: 6,
  babylon: 7,
  playcanvas: 6,
  react_connectors: 3,
  react_character: 6,
  react_car: 4.5,
};
const server = await createServer({
  root: join(import.meta.dirname, '../build/site'),
  configFile: false,
  logLevel: 'error',
  server: { port: 0 },
});
await server.listen();
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars'],
});
mkdirSync(join(import.meta.dirname, 'thumbnails'), { recursive: true });
const only = process.argv.slice(2);
for (const name of EXAMPLES.flatMap(([, names]) => names).filter((name) => !only.length || only.includes(name))) {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  page.on('pageerror', (error) => console.error(name, String(error)));
  page.on('console', (message) => message.type() === 'error' && console.error(name, message.text()));
  await page.goto(`${address}live/${name}.html`);
  await page.waitForTimeout(1000 * (MOMENTS[name] ?? 4));
  // These notes are about the machine that takes the picture.
  if (['gpu', 'threads'].includes(name)) await page.addStyleTag({ content: 'p { display: none }' });
  await page.screenshot({ path: join(import.meta.dirname, `thumbnails/${name}.jpg`), type: 'jpeg', quality: 82 });
  await page.close();
}
await browser.close();
await server.close();
