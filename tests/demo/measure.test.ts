// The page that measures a visitor's machine, in its short form: it isolates itself, measures all ways to solve, draws bars, and hands out
// a report that passes the check; and what the demo makes of its probe on a first visit. No test looks at how long anything took.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseVisitorReport, VISITOR_SCENES, VISITOR_WAYS, visitorText } from '../../bench/visitors/report';
import { violations } from './axe';
import { DemoBrowser, report } from './browser';

/** ms for a run of a few steps; a software adapter compiles for a while first. */
const RUN = 100_000;

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterAll(() => demo?.close());

async function run(page: Page): Promise<string> {
  await page.locator('#start').click();
  await page.waitForFunction("window.talusMeasure.report || /ended/.test(document.querySelector('#now').textContent)", null, {
    timeout: RUN,
  });
  return page.evaluate('JSON.stringify(window.talusMeasure.report)');
}

/** What the page may write to the clipboard comes here. */
const CLIPBOARD =
  "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });";

describe('the page that measures', () => {
  test('measures on all ways, draws bars, and gives the report away', async () => {
    const page = await demo.openMeasure('?short=1', { init: CLIPBOARD });
    expect(await page.locator('#site-link').isVisible()).toBe(false);
    expect(await page.locator('#facts').textContent()).toMatch(/swiftshader.*software adapter.*yes: threads/i);
    await page.locator('#name').fill('A machine of tests');
    const found = parseVisitorReport(await run(page));
    expect(found.machine).toMatchObject({ name: 'A machine of tests', isolated: true, gpu: { software: true } });
    expect(found).toMatchObject({ size: 60, sizeBy: 'visitor' });
    expect(found.doubts).toContain('short');
    for (const { way, median, missing, threads, doubts } of found.figures) {
      expect(missing, way).toBeNull();
      expect(median).toBeGreaterThan(0);
      expect(threads).toBeGreaterThanOrEqual(1);
      expect(doubts.includes('software'), way).toBe(way === 'webgpu');
    }

    expect(await page.locator('.bars caption').count()).toBe(Object.keys(VISITOR_SCENES).length);
    expect(await page.locator('.bars tbody tr').count()).toBe(9);
    for (const words of Object.values(VISITOR_WAYS))
      expect(await page.locator('.bars tbody').first().textContent()).toContain(words);
    expect(await page.locator('#doubts').textContent()).toContain('A short run');

    await page.getByRole('button', { name: 'Copy JSON' }).click();
    await page.waitForFunction('window.copied');
    expect(await page.evaluate('window.copied')).toBe(visitorText(found));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d_a-machine-of-tests_60\.json$/);
    const { bugs } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const issue = new URL((await page.locator('#issue').getAttribute('href'))!);
    expect(issue.href.startsWith(`${bugs}/new?`)).toBe(true);
    expect(issue.searchParams.get('body')).toContain('"format": "talus-visitor"');
    expect(demo.errors).toEqual([]);
    await page.close();
  });

  test('cancels, and measures again', async () => {
    const page = await demo.openMeasure('?short=1&size=1000');
    expect(await page.locator('#size').inputValue()).toBe('1000');
    await page.locator('#start').click();
    await page.locator('#cancel').click();
    await page.waitForFunction("/^Cancelled/.test(document.querySelector('#now').textContent)", null, { timeout: RUN });
    expect(await page.evaluate('window.talusMeasure.report')).toBeNull();
    expect(await page.locator('#share').isVisible()).toBe(false);
    await page.waitForSelector('#start:enabled');
    await page.locator('#size').selectOption('60');
    expect(parseVisitorReport(await run(page)).size).toBe(60);
    expect(demo.errors).toEqual([]);
    await page.close();
  });

  test('says what is missing where there is no WebGPU, and measures the rest', async () => {
    const page = await demo.openMeasure('?short=1', { init: "Object.defineProperty(navigator, 'gpu', { value: undefined });" });
    const found = parseVisitorReport(await run(page));
    expect(found.machine.gpu).toBeNull();
    expect(found.machine.gpuReason).toContain('WebGPU is not available');
    for (const { way, median, missing } of found.figures) {
      expect(missing === null, way).toBe(way !== 'webgpu');
      expect(median === null, way).toBe(way === 'webgpu');
    }
    expect(await page.locator('tr.missing').count()).toBe(3);
    await page.close();
  });

  test('says how to get threads where the page is not isolated', async () => {
    const page = await demo.context.newPage();
    await page.addInitScript(
      "Object.defineProperty(window, 'crossOriginIsolated', { value: false }); sessionStorage.setItem('talus-isolation-reload', '1');",
    );
    await page.goto(`${demo.url}measure.html?short=1`);
    await page.waitForFunction("document.documentElement.classList.contains('ready')");
    expect(await page.locator('#facts').textContent()).toContain('no, so there are no threads here. Load the page again');
    await page.close();
  });

  test('waits while the tab is hidden, and doubts the scene during which it was', async () => {
    const page = await demo.openMeasure('?short=1', {
      init: `Object.defineProperty(navigator, 'gpu', { value: undefined });
        let hidden = false;
        Object.defineProperty(document, 'hidden', { get: () => hidden });
        window.hide = (on) => { hidden = on; document.dispatchEvent(new Event('visibilitychange')); };
        // In the first scene, as soon as the page says that it measures it.
        new MutationObserver((_, observer) => {
          if (!/^\\d+ % · Boxes/.test(document.querySelector('#now')?.textContent ?? '')) return;
          observer.disconnect();
          window.hide(true);
        }).observe(document, { childList: true, subtree: true });`,
    });
    await page.locator('#start').click();
    await page.waitForFunction("/^Waiting/.test(document.querySelector('#now').textContent)", null, { timeout: RUN });
    expect(await page.evaluate('window.talusMeasure.report')).toBeNull();
    await page.evaluate('window.hide(false)');
    await page.waitForFunction('window.talusMeasure.report', null, { timeout: RUN });
    const found = parseVisitorReport(await page.evaluate('JSON.stringify(window.talusMeasure.report)'));
    const doubtful = found.figures.filter(({ doubts }) => doubts.includes('hidden')).map(({ scene, way }) => `${scene} ${way}`);
    expect(doubtful).toEqual(['boxes wasm', 'boxes threads']);
    expect(await page.locator('#marks').textContent()).toContain('The tab was hidden');
    await page.close();
  });

  test('axe finds nothing and nothing is wider than the page, before and after a run', async () => {
    const page = await demo.openMeasure('?short=1');
    const check = async () => {
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          await page.waitForFunction(`document.documentElement.dataset.theme === '${colorScheme}'`);
          expect(await violations(page), `${width} ${colorScheme}`).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
        }
      }
    };
    await check();
    await run(page);
    await check();
    expect(demo.errors).toEqual([]);
    await page.close();
  });
});

describe('the probe on the demo', () => {
  const probed = (ms: number) => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    return `localStorage.setItem('talus-probe', '${JSON.stringify({ version, ms })}');`;
  };
  const marked = (page: Page) =>
    page
      .locator('#scene option')
      .evaluateAll((options) =>
        options.filter((o) => /slow here/.test(o.textContent!)).map((o) => (o as HTMLOptionElement).value),
      );

  test('a slow machine opens with few boxes and has slow scenes marked', async () => {
    const page = await demo.open('?quality=low', { init: probed(5) });
    expect(await report(page)).toMatchObject({ scene: 'boxes-small', bodies: 201 });
    expect(await page.locator('#text').textContent()).toMatch(/^200 boxes/);
    const slow = await marked(page);
    expect(slow).toContain('boxes');
    expect(slow).toContain('boxes-small');
    expect(slow).not.toContain('slabs');
    expect(slow).not.toContain('many');
    await page.close();
  });

  test('a fast machine opens with all boxes and has no marks', async () => {
    const page = await demo.open('?quality=low', { init: probed(0.002) });
    expect(await report(page)).toMatchObject({ scene: 'boxes', bodies: 5161 });
    expect(await marked(page)).toEqual([]);
    await page.close();
  });

  test('a link wins over the probe', async () => {
    const page = await demo.open('?scene=spheres&count=300&quality=low', { init: probed(50) });
    expect((await report(page)).scene).toBe('spheres');
    expect((await report(page)).bodies).toBeGreaterThanOrEqual(300);
    expect(await marked(page)).toContain('spheres');
    await page.close();
  });

  test('the scene that is opened is marked by the bodies that it has', async () => {
    const page = await demo.open('?quality=low', { init: probed(0.6) });
    expect(await report(page)).toMatchObject({ scene: 'boxes-small', bodies: 501 });
    expect(await marked(page)).not.toContain('boxes-small');
    expect(await marked(page)).toContain('boxes');
    await page.close();
  });

  test('a first visit probes and keeps what it finds; the page leads to the one that measures', async () => {
    const page = await demo.open('?scene=slabs&quality=low', { init: "localStorage.removeItem('talus-probe');" });
    expect(JSON.parse((await page.evaluate("localStorage.getItem('talus-probe')")) as string).ms).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'measure this machine' }).click();
    await page.waitForURL(/measure\.html$/);
    await page.close();
  });
});
