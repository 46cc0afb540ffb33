// `node site/shots.mjs [names]`: pictures of the examples for the gallery, into site/thumbnails, from the site in build/site. `front` among
// the names, or no names: the still pictures of the front page (site/front/stills) and that of previews (site/card.png), too. Software
// graphics will do.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  gpu: 12,
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
const only = process.argv.slice(2);

/** Still pictures of what moves on the front page, in both themes, and the card of previews. */
async function shootFront() {
  const folder = join(import.meta.dirname, 'front/stills');
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  page.on('pageerror', (error) => console.error('front', String(error)));
  await page.goto(`${address}index.html`);
  /** A picture of a canvas as it is after `ready`, an expression of its `state`. */
  const shoot = async (id, name, [width, height], ready) => {
    await page.evaluate(`document.getElementById('${id}').scrollIntoView({ block: 'center' })`);
    await page.waitForFunction(`window.talusFront?.['${id}']`, null, { timeout: 60_000 });
    for (const theme of ['light', 'dark']) {
      const url = await page.evaluate(`(() => {
        const state = talusFront['${id}'];
        const { canvas } = state;
        state.setSeen(false);
        state.stage.resize = () => Object.assign(canvas, { width: ${width}, height: ${height} });
        ${ready};
        state.setTheme('${theme}');
        return canvas.toDataURL('image/webp', 0.82);
      })()`);
      writeFileSync(join(folder, `${name}-${theme}.webp`), Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    }
  };
  await shoot('pile', 'pile', [1120, 960], 'while (!state.isAtRest) { state.pile.pour(); state.world.step(); }');
  for (const name of ['wall', 'chain']) await shoot(`claim-${name}`, name, [960, 540], 'state.time = state.seconds');
  await shoot('rollback', 'rollback', [960, 540], 'while (state.sides[0].world.stepCount < 320) state.tick()');
  await page.close();
  const still = readFileSync(join(folder, 'pile-light.webp')).toString('base64');
  const card = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await card.setContent(`<!doctype html><style>
    body { margin: 0; height: 630px; background: #fbfaf7; color: #1d2229; position: relative; overflow: hidden; font: 34px/1.4 sans-serif }
    img { position: absolute; right: -40px; top: 22px; width: 740px; mask-image: linear-gradient(to right, transparent, #000 12%) }
    div { position: absolute; left: 70px; top: 130px; width: 520px }
    h1 { font: 600 104px/1.1 Palatino, "URW Palladio L", Georgia, serif; margin: 0 0 20px; letter-spacing: -0.02em }
    p { margin: 0; color: #545b66 } svg { width: 84px; display: block; margin-bottom: 18px }</style>
    <img src="data:image/webp;base64,${still}"><div>${readFileSync(join(import.meta.dirname, 'icon.svg'), 'utf8')}<h1>talus</h1>
    <p>3D rigid-body physics<br>for the web. Piles that<br>come to rest.</p></div>`);
  await card.waitForFunction('document.images[0].complete');
  await card.screenshot({ path: join(import.meta.dirname, 'card.png') });
  await card.close();
}

if (!only.length || only.includes('front')) await shootFront();
mkdirSync(join(import.meta.dirname, 'thumbnails'), { recursive: true });
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
