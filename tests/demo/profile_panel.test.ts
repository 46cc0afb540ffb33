// The profiling runs on the page: a tiny matrix to a report on both backends, cancel and resume, a reload in the middle, files
// and comparison, keyboard, accessibility, and that none of it is loaded before it is asked for.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ProfileReport } from '../../profiling/types';
import { violations } from './axe';
import { DemoBrowser, report } from './browser';

const EARLIER = resolve(
  import.meta.dirname,
  '../../bench/results/2026-11-22_intel-xeon-2-cores/profile/quick_software-adapter.json',
);

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterEach(() => expect(demo.errors.splice(0)).toEqual([]));
afterAll(() => demo?.close());

interface Plan {
  scenes: string[];
  sizes: string[];
  wasm: string[];
  webgpu?: string[];
}

/** Opens the page with the panel on it and nothing kept. */
async function open(query = '', options: Parameters<DemoBrowser['open']>[1] = {}): Promise<Page> {
  const page = await demo.open(`?scene=slabs&quality=low${query}`, options);
  page.setDefaultTimeout(20_000);
  await page.keyboard.press('m');
  await page.getByRole('list', { name: 'Reports' }).getByRole('listitem').first().waitFor();
  const deletes = page.getByRole('button', { name: /^Delete: / });
  for (let left = await deletes.count(); left > 0; left--) {
    await deletes.first().click();
    await expect.poll(() => deletes.count(), { timeout: 20_000 }).toBe(left - 1);
  }
  return page;
}

/** Checks exactly these boxes. */
async function choose(page: Page, { scenes, sizes, wasm, webgpu = [] }: Plan): Promise<void> {
  await page.getByRole('checkbox', { name: 'WASM', exact: true }).check();
  for (const [legend, chosen] of [
    ['Scenes', scenes],
    ['Bodies', sizes],
    ['Solvers on WASM', wasm],
    ['Solvers on WebGPU', webgpu],
  ] as const) {
    const group = page.getByRole('group', { name: legend, exact: true });
    for (const label of await group.locator('label').all()) {
      await label.locator('input').setChecked(chosen.includes((await label.textContent())!));
    }
  }
}

const now = (page: Page) => page.locator('#profile .now').textContent();
const rows = (page: Page) => page.getByRole('list', { name: 'Reports' }).getByRole('listitem');

async function saved(file: Download): Promise<string> {
  const path = join(tmpdir(), `talus-download-${process.pid}`);
  await file.saveAs(path);
  return readFileSync(path, 'utf8');
}

/** The newest report, as the page downloads it. */
async function downloaded(page: Page): Promise<ProfileReport> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^JSON: / })
      .first()
      .click(),
  ]);
  return JSON.parse(await saved(file));
}

async function untilSaid(page: Page, what: RegExp): Promise<void> {
  await expect.poll(() => now(page), { timeout: 90_000, interval: 100 }).toMatch(what);
}

test('a tiny matrix on both backends becomes a report that opens and can be saved', async () => {
  const page = await open();
  const { steps } = await report(page);
  await page.waitForFunction(`window.talusDemo.report.steps > ${steps}`);
  await choose(page, { scenes: ['boxes'], sizes: ['100'], wasm: ['wide', 'pgs'], webgpu: ['cell-split'] });
  expect(await page.locator('#profile .amount').textContent()).toBe('1 scenes and sizes, 3 contenders');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  expect(await report(page)).toMatchObject({ held: true });
  const held = await report(page);
  await untilSaid(page, /^Done in/);
  const after = await report(page);
  expect(after.steps - held.steps).toBeLessThan(30);
  expect(after).toMatchObject({ held: false, finite: true });
  await page.waitForFunction(`window.talusDemo.report.steps > ${after.steps}`);
  expect(await now(page)).toContain('WebGPU is faster than wasm:wide');

  const data = await downloaded(page);
  expect(data).toMatchObject({ format: 'talus-profile', state: 'complete', matrix: { mode: 'quick, changed' } });
  expect(data.environment).toMatchObject({ kind: 'browser', version: '0.1.0', adapter: { software: true } });
  expect(data.results.map((r) => r.contender)).toEqual(['wasm:wide', 'webgpu:cell-split', 'wasm:pgs']);
  for (const result of data.results) {
    expect(result.failed).toBeNull();
    expect(result.wall!.median).toBeGreaterThan(0);
    expect(result.stages).not.toBeNull();
    expect(result.calm).not.toBeNull();
    expect(result.overlap).not.toBeNull();
  }
  expect(data.results[1]!.gpu!.bytesUp).toBeGreaterThan(0);
  expect(data.results[1]!.gpu!.bytesDown).toBeGreaterThan(0);

  const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: /^Open: / }).click()]);
  await tab.waitForLoadState();
  expect(await tab.title()).toContain('talus profile');
  expect(await tab.locator('figcaption').count()).toBeGreaterThanOrEqual(4);
  expect(await tab.locator('h2').allTextContents()).toContain('All numbers');
  expect(await violations(tab)).toEqual([]);
  await tab.close();

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^HTML: / }).click()]);
  expect(file.suggestedFilename()).toMatch(/^talus-profile-[\dT-]+\.html$/);
  const text = await saved(file);
  expect(text).toContain('<script type="application/json" id="talus-profile">');
  await page.close();
});

test('cancel keeps what was measured, resume measures the rest, closing cancels too', async () => {
  const page = await open();
  await choose(page, { scenes: ['boxes', 'towers'], sizes: ['100', '300', '1,000'], wasm: ['wide'] });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => rows(page).first().textContent(), { timeout: 60_000, interval: 30 }).toMatch(/ [1-5] of 6 /);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await untilSaid(page, /^Cancelled/);
  expect(await report(page)).toMatchObject({ held: false });
  const cut = await downloaded(page);
  expect(cut.state).toBe('cancelled');
  expect(cut.results.length).toBeGreaterThan(0);
  expect(cut.results.length).toBeLessThan(6);

  await page.getByRole('button', { name: /^Resume: / }).click();
  expect(await report(page)).toMatchObject({ held: true });
  // Closing the panel lets the scene go on at once.
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await report(page)).held, { timeout: 20_000 }).toBe(false);
  await page.keyboard.press('m');
  await page.getByRole('button', { name: /^Resume: / }).click();
  await untilSaid(page, /^Done in/);
  const whole = await downloaded(page);
  expect(whole).toMatchObject({ state: 'complete', started: cut.started });
  expect(whole.results.map((r) => r.complete)).toEqual(new Array(6).fill(true));
  expect(whole.results[0]!.series).toEqual(cut.results[0]!.series);
  expect(await page.getByRole('button', { name: /^Resume: / }).count()).toBe(0);
  await page.close();
});

test('a reload in the middle goes on where it was', async () => {
  const page = await open();
  await choose(page, { scenes: ['boxes', 'towers'], sizes: ['100', '300', '1,000'], wasm: ['wide'] });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => rows(page).first().textContent(), { timeout: 60_000, interval: 30 }).toMatch(/ [2-5] of 6 /);
  const before = await downloaded(page);
  expect(before.state).toBe('running');
  expect(new URL(page.url()).hash).toBe('#profile');
  await page.reload();
  await untilSaid(page, /^Done in/);
  const whole = await downloaded(page);
  expect(whole).toMatchObject({ state: 'complete', started: before.started });
  expect(whole.results).toHaveLength(6);
  expect(whole.results[0]!.series).toEqual(before.results[0]!.series);
  expect(await rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => new URL(page.url()).hash, { timeout: 20_000 }).toBe('');
  await page.close();
});

test('two reports from files are shown beside each other; what is no report is refused', async () => {
  const page = await open();
  expect(await page.getByRole('button', { name: 'Compare', exact: true }).last().isDisabled()).toBe(true);
  const earlier = JSON.parse(readFileSync(EARLIER, 'utf8')) as ProfileReport;
  const other = join(tmpdir(), `talus-other-${process.pid}.json`);
  writeFileSync(other, JSON.stringify({ ...earlier, started: '2026-01-02T03:04:05.000Z' }));
  const files = page.getByLabel('Load reports');
  await files.setInputFiles([EARLIER, other]);
  await expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(2);
  await untilSaid(page, /is loaded/);
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.locator('#profile').getByRole('button', { name: 'Compare', exact: true }).click(),
  ]);
  await tab.waitForLoadState();
  expect(await tab.locator('h1').textContent()).toBe('talus profile: A and B');
  expect(await tab.locator('tbody tr').count()).toBeGreaterThan(20);
  expect(await violations(tab)).toEqual([]);
  await tab.close();

  const nonsense = join(tmpdir(), `talus-nonsense-${process.pid}.json`);
  writeFileSync(nonsense, '{"no": "report"}');
  await files.setInputFiles(nonsense);
  await untilSaid(page, /this is not a profile report/);
  expect(await rows(page).count()).toBe(2);
  await page.close();
});

test('an empty choice cannot be started, and says why', async () => {
  const page = await open();
  await page.getByRole('checkbox', { name: 'WASM', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'WebGPU', exact: true }).uncheck();
  expect(await page.locator('#profile .amount').textContent()).toContain('no contenders');
  expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('radio', { name: /^full/ }).check();
  expect(await page.getByRole('checkbox', { name: '100,000' }).isChecked()).toBe(true);
  expect(await page.getByRole('button', { name: 'Start', exact: true }).isEnabled()).toBe(true);
  await page.close();
});

test.each([
  ['desktop', 1280, 800, false],
  ['desktop dark', 1280, 800, true],
  ['phone', 390, 844, false],
  ['phone dark', 390, 844, true],
] as const)(
  'on the %s axe finds nothing, nothing is wider than the screen, the keyboard suffices',
  async (_n, width, height, dark) => {
    const page = await open('', { width, height, dark });
    await page.getByLabel('Load reports').setInputFiles([EARLIER]);
    await expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(1);
    expect(await violations(page)).toEqual([]);
    const wide = await page.evaluate(`(() => {
    const dialog = document.getElementById('profile');
    return [...dialog.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML);
  })()`);
    expect(wide).toEqual([]);
    // Tab stays in the dialog, Escape leaves it, and the focus goes back to where it was.
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate("document.activeElement === document.body || document.activeElement.closest('#profile') !== null"),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.close();
  },
);

test('it is loaded when it is asked for, by the settings too, and opening it shifts nothing', async () => {
  const page = await demo.open('?scene=slabs&quality=low', {
    init: `window.shift = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`,
  });
  const loaded = () =>
    page.evaluate(
      "performance.getEntriesByType('resource').map((e) => e.name).filter((name) => /profile_panel/.test(name)).length",
    );
  expect(await loaded()).toBe(0);
  await page.getByRole('button', { name: /^Profile this device/ }).click();
  await page.getByRole('dialog').waitFor();
  expect(await loaded()).toBeGreaterThan(0);
  await page.waitForTimeout(800);
  expect(await page.evaluate('window.shift')).toBeLessThan(0.02);
  await page.close();
});
