// The front page as built: what it weighs and when it loads, what moves and when it stops, its words for previews and search engines, and
// that its figures are those of bench/results. The scenes themselves: tests/front.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ADDRESS } from '../../site/address.mjs';
import { labGroups } from '../../site/reports.mjs';
import { everyNth, onlyLong } from '../helpers/long';

const site = inject('site');
const root = resolve(import.meta.dirname, '../..');
/** Most bytes, gzipped, of all that the embed at the top loads. */
const EMBED_BYTES = 250_000;

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.connect(inject('browser'));
});
afterAll(() => browser?.close());

/** The front page, and the files of `front/` that it asked for. A low window: only the pile is in sight. */
async function open(
  options: BrowserContextOptions = {},
  script = '',
): Promise<{ page: Page; loaded: Set<string>; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 660 }, ...options });
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  const loaded = new Set<string>();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    const [, name] = /\/front\/([^?]*)/.exec(request.url()) ?? [];
    if (name) loaded.add(name);
  });
  await page.goto(`${inject('url')}index.html`);
  return { page, loaded, errors };
}
const running = (page: Page, id: string) =>
  page.waitForFunction(`document.getElementById('${id}').dataset.state === 'running'`, null, { timeout: 50_000 });
/** Computes the pile to its end, which software graphics would take a minute for. */
const REST = 'const { pile } = talusFront; while (!pile.isAtRest) { pile.pile.pour(); pile.world.step(); } pile.draw();';

describe('the pile', () => {
  test('weighs at most 250 kB gzipped with its WebAssembly, and nothing else is loaded with it', async () => {
    const { page, loaded, errors } = await open();
    await running(page, 'pile');
    const files = [...loaded].filter((name) => !name.endsWith('.webp'));
    expect(files.some((name) => name.endsWith('.wasm'))).toBe(true);
    expect(files.filter((name) => name.endsWith('.bin') || /^(claims|rollback)/.test(name))).toEqual([]);
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(site, 'front', name))).length, 0);
    expect(bytes).toBeLessThan(EMBED_BYTES);
    expect(bytes).toBeGreaterThan(100_000);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('steps while it is seen, rests out of sight, and stops for good once all stones sleep', async () => {
    const { page } = await open();
    await running(page, 'pile');
    const steps = () => page.evaluate('talusFront.pile.world.stepCount') as Promise<number>;
    await page.waitForFunction('talusFront.pile.world.stepCount > 5');
    await page.evaluate('scrollTo(0, 1e6)');
    await page.waitForFunction('talusFront.pile.seen === false && !talusFront.pile.request');
    const before = await steps();
    await page.waitForTimeout(300);
    expect(await steps()).toBe(before);
    await page.evaluate('scrollTo(0, 0)');
    await page.waitForFunction(`talusFront.pile.world.stepCount > ${before}`);
    await page.evaluate(REST);
    await page.waitForFunction('!talusFront.pile.request');
    expect(await page.textContent('#pile-line')).toMatch(/^All \d+ stones rest/);
    const rested = await steps();
    await page.waitForTimeout(300);
    expect(await steps()).toBe(rested);
    await page.context().close();
  });

  test('is pushed by a click, and poured again by its button', async () => {
    const { page } = await open();
    await running(page, 'pile');
    await page.evaluate(REST);
    await page.waitForFunction('!talusFront.pile.request');
    const box = (await page.locator('#pile').boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + 0.62 * box.height);
    await page.waitForFunction('talusFront.pile.world.sleepingCount < talusFront.pile.pile.count');
    await page.click('#pile-again');
    expect(await page.evaluate('talusFront.pile.pile.ids.length')).toBeLessThan(20);
    await page.context().close();
  });

  test.each(onlyLong('follows the theme'))('%s while it runs, and stands out in both', async () => {
    const { page } = await open();
    await running(page, 'pile');
    await page.evaluate(REST);
    // Luminance of the page in a corner, and of the darkest and brightest twentieth of the picture.
    const look = () =>
      page.evaluate(`(() => {
        const { stage, canvas } = talusFront.pile;
        talusFront.pile.draw();
        const { gl } = stage;
        const pixels = new Uint8Array(4 * canvas.width * canvas.height);
        gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        const light = [];
        for (let i = 0; i < pixels.length; i += 4) light.push(0.2126 * pixels[i] + 0.7152 * pixels[i + 1] + 0.0722 * pixels[i + 2]);
        const corner = light.at(-1);
        light.sort((a, b) => a - b);
        const at = (share) => light[Math.floor(share * (light.length - 1))];
        return { corner, dark: at(0.05), bright: at(0.95) };
      })()`) as Promise<{ corner: number; dark: number; bright: number }>;
    const light = await look();
    expect(light.corner).toBeGreaterThan(240);
    expect(light.corner - light.dark).toBeGreaterThan(90);
    await page.click('#site-theme');
    await page.waitForFunction("talusFront.pile.stage.colors.paper === '#14171b'");
    const dark = await look();
    expect(dark.corner).toBeLessThan(30);
    expect(dark.bright - dark.corner).toBeGreaterThan(90);
    await page.context().close();
  });

  const STILL: [string, BrowserContextOptions, string][] = [
    ['for who wants little motion', { reducedMotion: 'reduce' }, ''],
    ['without SIMD', {}, 'WebAssembly.validate = () => false'],
  ];
  test.each(everyNth(STILL, 2))('is a still picture %s', async (_, options, script) => {
    const { page, loaded } = await open(options, script);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1000);
    expect([...loaded].filter((name) => !name.endsWith('.webp'))).toEqual(['main.js']);
    const still = page.locator('.pile img.only-light');
    expect(await still.isVisible()).toBe(true);
    expect(await still.evaluate((image: unknown) => (image as { naturalWidth: number }).naturalWidth)).toBe(1120);
    expect(await page.locator('.pile img.only-dark').isVisible()).toBe(false);
    const button = page.locator('#pile-again');
    expect(await button.isVisible()).toBe(script === '');
    if (script === '') {
      await button.click();
      await running(page, 'pile');
      expect(await button.textContent()).toBe('Pour again');
    }
    await page.context().close();
  });
});

test('recorded claims run in sight, pause out of it and by their button', async () => {
  const { page, loaded, errors } = await open({ viewport: { width: 900, height: 600 } });
  await page.locator('#claim-chain').scrollIntoViewIfNeeded();
  await running(page, 'claim-chain');
  expect([...loaded]).toContain('chain.bin');
  const time = () => page.evaluate("talusFront['claim-chain'].time") as Promise<number>;
  await page.waitForFunction("talusFront['claim-chain'].time > 0.2");
  await page.click('[data-pauses="claim-chain"]');
  await page.waitForFunction("!talusFront['claim-chain'].request || !talusFront['claim-chain'].seen");
  await page.waitForTimeout(200);
  const paused = await time();
  await page.waitForTimeout(300);
  expect(await time()).toBe(paused);
  await page.click('[data-pauses="claim-chain"]');
  await page.waitForFunction(`talusFront['claim-chain'].time > ${paused}`);
  await page.evaluate('scrollTo(0, 0)');
  await page.waitForFunction("talusFront['claim-chain'].seen === false");
  await page.waitForTimeout(200);
  const away = await time();
  await page.waitForTimeout(300);
  expect(await time()).toBe(away);
  expect(errors).toEqual([]);
  await page.context().close();
});

test.each(onlyLong('the rollback'))('%s compares the hashes of both worlds', async () => {
  const { page, errors } = await open();
  await page.locator('#rollback').scrollIntoViewIfNeeded();
  await running(page, 'rollback');
  await page.evaluate('{ const { rollback } = talusFront; for (let i = 0; i < 400; i++) rollback.tick(); }');
  expect(await page.evaluate('talusFront.rollback.compared')).toBeGreaterThan(0);
  expect(await page.evaluate('talusFront.rollback.isSame')).toBe(true);
  expect(await page.textContent('#rollback-line')).toMatch(/the same bits|computing again/);
  expect(errors).toEqual([]);
  await page.context().close();
});

test.each(onlyLong('at 1280 x 900'))(
  '%s everything of the top is above the fold, and on a phone the pile begins there',
  async () => {
    const bottom = (page: Page, selector: string) =>
      page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().bottom`) as Promise<number>;
    const { page } = await open({ viewport: { width: 1280, height: 900 } });
    for (const selector of ['.hero h1', '.hero .lead', '.hero .install', '.hero .call.first', '.hero .works', '.pile figcaption'])
      expect(await bottom(page, selector), selector).toBeLessThan(900);
    const { x, width } = (await page.locator('.pile .moving').boundingBox())!;
    expect(x + width / 2).toBeGreaterThan(800);
    await page.context().close();
    const phone = await open({ viewport: { width: 390, height: 844 } });
    expect((await phone.page.locator('.pile .moving').boundingBox())!.y).toBeLessThan(844 - 150);
    await phone.page.context().close();
  },
);

test('says what talus is, how to get it and where it comes from; figures are those of bench/results', () => {
  const { document } = parseHTML(readFileSync(join(site, 'index.html'), 'utf8'));
  const text = document.querySelector('main')!.textContent!.replace(/\s+/g, ' ');
  const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(document.querySelector('.install pre')!.textContent).toBe('npm install talus');
  expect(document.querySelector('.call.first')!.textContent).toBe('Get started');
  for (const to of [
    'guide/start.html',
    'demo/index.html',
    'https://doi.org/10.1145/2185520.2185601',
    'reports/lab.html#tonge2012',
  ])
    expect(links).toContain(to);
  const newest = (file: string) => {
    const folder = join(root, 'bench/results');
    const has = (name: string) => statSync(join(folder, name)).isDirectory() && readdirSync(join(folder, name)).includes(file);
    const { results } = JSON.parse(readFileSync(join(folder, readdirSync(folder).sort().findLast(has)!, file), 'utf8'));
    return (engine: string) => results.find((result: { engine: string }) => result.engine === engine);
  };
  const [wall, chain] = [newest('wall.json'), newest('joints_hanging-chain_1000.json')];
  for (const engine of ['talus', 'rapier', 'havok'])
    expect(text).toContain(`${Math.round(100 * wall(engine).stands.end.within10cm)} %`);
  for (const engine of ['rapier', 'havok']) expect(text).toContain(`${Number((100 * chain(engine).gapMax).toPrecision(2))} cm`);
  expect(text).not.toMatch(/undefined|NaN|null/);
});

test('every page has an address, a picture and words for previews; the site map lists them all', () => {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const pages = files.filter((name) => !/^(live|demo)\//.test(name) && name !== '404.html');
  const address = (path: string) => ADDRESS + path.replace(/(^|\/)index\.html$/, '$1');
  for (const path of pages) {
    // Pages of the reference are long.
    const [head] = readFileSync(join(site, path), 'utf8').split('</head>');
    const { document } = parseHTML(`${head}</head><body></body></html>`);
    const meta = (name: string) =>
      document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content') ?? '';
    expect(document.querySelector('link[rel=canonical]')?.getAttribute('href'), path).toBe(address(path));
    expect(meta('og:url'), path).toBe(address(path));
    expect(meta('og:title'), path).toBe(document.title);
    expect(meta('twitter:card'), path).toBe('summary_large_image');
    expect(meta('og:image'), path).toBe(`${ADDRESS}assets/card.png`);
    expect(meta('twitter:image'), path).toBe(meta('og:image'));
    expect(meta('og:image:width') + meta('og:image:height'), path).toBe('1200630');
    expect(document.querySelector('link[rel=icon]')?.getAttribute('href'), path).toMatch(/assets\/icon\.svg$/);
  }
  const card = PNG.sync.read(readFileSync(join(site, 'assets/card.png')));
  expect([card.width, card.height]).toEqual([1200, 630]);
  expect(statSync(join(site, 'assets/card.png')).size).toBeLessThan(600_000);
  expect(readFileSync(join(site, 'assets/icon.svg'), 'utf8')).toContain('<svg');
  const listed = [...readFileSync(join(site, 'sitemap.xml'), 'utf8').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc);
  expect(listed.toSorted()).toEqual(pages.map(address).toSorted());
  expect(readFileSync(join(site, 'robots.txt'), 'utf8')).toContain(`Sitemap: ${ADDRESS}sitemap.xml`);
});

test('the page for what is not there leads on from any depth', async () => {
  const text = readFileSync(join(site, '404.html'), 'utf8');
  expect(text).toContain(`<base href="${new URL(ADDRESS).pathname}">`);
  expect(text).toContain('noindex');
  const { document } = parseHTML(text);
  expect(document.querySelector('h1')!.textContent).toBe('This page does not exist.');
  expect([...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))).toContain('guide/start.html');
});

test('the card of WebGPU says what it needs', () => {
  const { document } = parseHTML(readFileSync(join(site, 'examples/index.html'), 'utf8'));
  const card = [...document.querySelectorAll('.gallery li')].find(
    (item) => item.querySelector('a')!.getAttribute('href') === 'gpu.html',
  )!;
  expect(card.textContent).toContain('Needs WebGPU');
});

test('the menu of reports has each paper once, older runs are folded', () => {
  const { document } = parseHTML(readFileSync(join(site, 'reports/index.html'), 'utf8'));
  const menu = document.querySelector('.side nav')!;
  const older = menu.querySelector('details')!;
  expect(older.hasAttribute('open')).toBe(false);
  const folded = [...older.querySelectorAll('a')];
  const shown = [...menu.querySelectorAll('a')].filter((link) => !folded.includes(link)).map((link) => link.textContent);
  expect(new Set(shown).size).toBe(shown.length);
  const runs = labGroups().flatMap(({ runs }: { runs: { folder: string; name: string }[] }) => runs);
  expect(folded.length).toBe(runs.length - labGroups().length);
  for (const { id, runs } of labGroups() as { id: string; runs: { folder: string }[] }[])
    expect(
      runs.map(({ folder }) => folder),
      id,
    ).toEqual(
      runs
        .map(({ folder }) => folder)
        .toSorted()
        .reverse(),
    );
});
