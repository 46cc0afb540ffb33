// The demo page in a minute: it builds, loads, runs, takes a throw, switches its solver, is accessible and says no error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './axe';
import { DemoBrowser, report, step } from './browser';

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
}, 240_000);
afterAll(() => demo?.close());

test('a scene runs, hands and switches work, nothing is lost', async () => {
  const page = await demo.open('?scene=cardhouse&quality=low');
  const before = await step(page, 30);
  expect(before).toMatchObject({ scene: 'cardhouse', bodies: 49, backend: 'wasm', finite: true });
  expect(before.steps).toBeGreaterThanOrEqual(30);
  expect(before.contacts).toBeGreaterThan(100);

  await page.getByRole('button', { name: 'Ball', exact: true }).click();
  await page.mouse.click(640, 400);
  expect((await report(page)).bodies).toBe(50);

  await page.getByLabel('Solver', { exact: true }).selectOption('cell-split');
  await page.evaluate('window.talusDemo.settled()');
  const after = await step(page, 30);
  expect(after.solver).toBe('cell-split');
  expect(after.steps).toBeGreaterThanOrEqual(before.steps + 30);
  expect(after.bodies).toBe(50);
  expect(after.finite).toBe(true);
  expect(new URL(page.url()).searchParams.get('solver')).toBe('cell-split');

  expect(await violations(page)).toEqual([]);
  expect(demo.errors).toEqual([]);
});
