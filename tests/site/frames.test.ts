// Drawings and live examples in the guide: every chapter has them, and the frames behave as a part of the page: they follow its theme, rest
// out of sight, start again, and can be steered by fingers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { GUIDE } from '../../site/chapters.mjs';
import { onlyLong } from '../helpers/long';

const site = inject('site');
const chapters = (GUIDE as { chapters: { slug: string }[] }[]).flatMap(({ chapters }) => chapters.map(({ slug }) => slug));
/** Chapters about files, versions and words: nothing in them runs in a picture. */
const WITHOUT_LIVE = ['packaging', 'binary', 'changes', 'faq', 'methods', 'own-solver', 'host'];
const WITHOUT_DRAWING = ['changes', 'faq'];
const LIMIT = { timeout: 40_000 };

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.connect(inject('browser'));
});
afterAll(() => browser?.close());

test.each(chapters)('%s has a drawing, and a live example with its source', (slug) => {
  const { document } = parseHTML(readFileSync(join(site, `guide/${slug}.html`), 'utf8'));
  const drawings = document.querySelectorAll('main svg.drawing, main img[src$=".svg"]');
  if (!WITHOUT_DRAWING.includes(slug)) expect(drawings.length).toBeGreaterThan(0);
  const stages = [...document.querySelectorAll('main figure.stage')];
  if (!WITHOUT_LIVE.includes(slug)) expect(stages.length).toBeGreaterThan(0);
  for (const stage of stages) {
    const frame = stage.querySelector('iframe');
    const links = [...stage.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
    const [, name] = /^\.\.\/live\/(\w+)\.html$/.exec(frame?.getAttribute('src') ?? '') ?? [];
    expect(frame?.getAttribute('loading')).toBe('lazy');
    expect(stage.querySelector('button.again')?.textContent).toBe('Restart');
    expect(links).toEqual([
      ['Full screen', `../live/${name}.html`],
      ['Source', `../examples/${name}.html`],
    ]);
    for (const [, to] of links) expect(existsSync(join(site, 'guide', to!)), to!).toBe(true);
  }
});

/** The frame of an example in a page, scrolled to and running. */
async function run(page: Page, name: string): Promise<Frame> {
  await page.locator(`iframe[src$="/${name}.html"]`).scrollIntoViewIfNeeded();
  const find = () => page.frames().find((frame) => frame.url().endsWith(`/${name}.html`));
  await expect.poll(() => find() !== undefined, LIMIT).toBe(true);
  await find()!.waitForFunction('globalThis.talusWorlds?.[0]?.stepCount > 2', null, LIMIT);
  return find()!;
}
const STEPS = 'talusWorlds[0].stepCount';

test('a frame rests out of sight, goes on where it was, and starts again', async () => {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  await page.goto(`${inject('url')}guide/start.html`);
  const frame = await run(page, 'start_3_crates');
  await page.evaluate('scrollTo(0, 0)');
  await frame.waitForFunction('!talusStage.seen', null, LIMIT);
  const before = (await frame.evaluate(STEPS)) as number;
  await page.waitForTimeout(500);
  expect(await frame.evaluate(STEPS)).toBe(before);
  await run(page, 'start_3_crates');
  await frame.waitForFunction(`${STEPS} > ${before + 2}`, null, LIMIT);
  // No time has passed meanwhile: half a second of it would have been thirty steps at once.
  await page
    .locator('figure.stage', { has: page.locator('iframe[src$="/start_3_crates.html"]') })
    .locator('.again')
    .click();
  await frame.waitForFunction(`globalThis.talusWorlds?.[0] && ${STEPS} < ${before}`, null, LIMIT);
  await page.close();
});

/** Mean of the red, green and blue of a picture, 0 to 255. */
function brightness(png: Buffer): number {
  const { data } = PNG.sync.read(png);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum += data[i]! + data[i + 1]! + data[i + 2]!;
  return sum / (0.75 * data.length);
}

test.each(onlyLong('a frame and the drawings'))('%s follow the theme of the site', async () => {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 }, colorScheme: 'light' });
  await page.goto(`${inject('url')}guide/start.html`);
  await page.waitForLoadState('networkidle');
  const frame = await run(page, 'start_2_crate');
  const picture = page.locator('iframe[src$="/start_2_crate.html"]');
  const paper = () => page.evaluate('getComputedStyle(document.querySelector("svg.drawing .paper")).fill');
  expect(brightness(await picture.screenshot())).toBeGreaterThan(170);
  const light = await paper();
  await page.click('#site-theme');
  await frame.waitForFunction('document.documentElement.dataset.theme === "dark"', null, LIMIT);
  await expect.poll(async () => brightness(await picture.screenshot()), LIMIT).toBeLessThan(90);
  expect(await paper()).not.toBe(light);
  await page.close();
});

test('fingers steer the character; with a mouse there are no buttons', async () => {
  const pad = '.pad button[aria-label=Ahead]';
  const desktop = await browser.newPage();
  await desktop.goto(`${inject('url')}live/start_5_character.html`);
  expect(await desktop.locator(pad).isVisible()).toBe(false);
  await desktop.close();
  const context = await browser.newContext({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${inject('url')}live/start_5_character.html`);
  await page.waitForFunction('talusWorlds[0]?.controllers.length === 1', null, LIMIT);
  expect(await page.locator(pad).isVisible()).toBe(true);
  // The body that goes where the character goes was made last.
  const z = 'talusWorlds[0].getPosition(talusWorlds[0].bodyAt(talusWorlds[0].slotCount - 1), [0, 0, 0])[2]';
  const start = (await page.evaluate(z)) as number;
  await page.dispatchEvent(pad, 'pointerdown', { buttons: 1, pointerId: 5 });
  await page.waitForFunction(`${z} < ${start} - 0.5`, null, LIMIT);
  await page.dispatchEvent(pad, 'pointerup', { pointerId: 5 });
  await context.close();
});
