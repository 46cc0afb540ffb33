// Torture scenes on the page: the closed form, talus's value beside it, and other engines that step with it when a visitor compares.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './axe';
import { DemoBrowser, report, step } from './browser';

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterAll(() => demo?.close());

const number = (text: string | undefined) => Number(/: (-?[\d.]+)/.exec(text ?? '')?.[1]);

test('an arch stands, and one thinner than theory demands falls', async () => {
  const page = await demo.open('?scene=arch&quality=low', { show: true });
  expect((await step(page, 300)).engines).toEqual([expect.stringMatching(/^talus: stands/)]);
  expect(await page.locator('#gauges').textContent()).toContain('closed formstands');
  await page.evaluate("window.talusDemo.choose('arch-thin')");
  await page.evaluate('window.talusDemo.settled()');
  expect((await step(page, 240)).engines).toEqual([expect.stringMatching(/^talus: falls/)]);
  expect(await page.locator('#gauges').textContent()).toContain('closed formfalls');
  // Scenes without a closed form have no table.
  await page.evaluate("window.talusDemo.choose('slabs')");
  await page.evaluate('window.talusDemo.settled()');
  expect(await page.locator('#gauges').isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Compare engines' }).isVisible()).toBe(false);
  await page.close();
});

test('nothing of the other engines is loaded before they are asked for; then they play the same scene, step by step', async () => {
  const page = await demo.open('?scene=gyroscope&quality=low', { show: true });
  const loaded = () =>
    page.evaluate(`performance.getEntriesByType('resource').map((r) => r.name).filter((n) => /rapier|havok/i.test(n)).length`);
  await step(page, 2);
  expect(await loaded()).toBe(0);
  await page.getByRole('button', { name: 'Compare engines' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect(await loaded()).toBeGreaterThanOrEqual(3);
  expect(new URL(page.url()).searchParams.get('rivals')).toBe('1');
  const { engines, bodies, finite } = await step(page, 120);
  expect(engines.map((text) => text.replace(/:.*/, ''))).toEqual(['talus', expect.stringMatching(/^Rapier \d/), 'Havok']);
  expect(bodies).toBe(1);
  expect(finite).toBe(true);
  // 2.354 rad/s in the closed form; the others go round as well, whatever they do then.
  expect(number(engines[0])).toBeCloseTo(2.354, 1);
  expect(await page.locator('#engines span').allTextContents()).toEqual([
    expect.stringContaining('talus'),
    expect.stringContaining('Rapier'),
    'Havok',
  ]);
  // Each of them has moved, and has its own place.
  const places = (await page.evaluate(
    `window.talusDemo.simulations[0].casts.slice(1).map((cast) => [...cast.positions.slice(0, 3)])`,
  )) as number[][];
  expect(places.flat().every(Number.isFinite)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Compare engines' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect((await report(page)).engines.length).toBe(1);
  expect(demo.errors).toEqual([]);
  await page.close();
});

test('a handle in free flight turns over as often as the closed form says', async () => {
  const page = await demo.open('?scene=racket&quality=low', { show: true });
  const { engines } = await step(page, 900);
  expect(number(engines[0])).toBeCloseTo(3.391, 1);
  await page.close();
});
