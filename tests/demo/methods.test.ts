// The settings of published methods: each switches as the scene runs and loses nothing, stands in the link and comes back from
// it; what a backend has not is said.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { METHOD_KEYS, METHODS } from '../../demo/src/methods';
import { DemoBrowser, report, step } from './browser';

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterEach(() => expect(demo.errors.splice(0)).toEqual([]));
afterAll(() => demo?.close());

/** What the link keeps, but for the laboratory, which is open in all of these. */
const query = (url: string) => {
  const { lab: _lab, ...rest } = Object.fromEntries(new URL(url).searchParams);
  return rest;
};

test('every method switches live, without losing a body or a step, and stands in the link', { timeout: 240_000 }, async () => {
  const page = await demo.open('?scene=cardhouse&quality=low');
  page.setDefaultTimeout(20_000);
  let { steps } = await step(page, 10);
  const folder = page.getByRole('button', { name: 'Published methods' });
  expect(await folder.getAttribute('aria-expanded')).toBe('false');
  await folder.click();
  const inForce = (key: string) => page.evaluate(`window.talusDemo.world.settings['${key}']`);
  for (const key of METHOD_KEYS) {
    // Only WebGPU has a choice there.
    if (key === 'accumulation') continue;
    const { text, words, slider } = METHODS[key];
    const standard = await inForce(key);
    const values = words
      ? words.filter((word) => word !== standard)
      : slider
        ? [slider[standard === slider[1] ? 0 : 1]]
        : [!standard];
    const control = page.getByLabel(text, { exact: true });
    for (const value of values) {
      if (words) await control.selectOption(value as string);
      else if (slider) {
        await control.fill(String(value));
        await control.press('Enter');
      } else await control.setChecked(value as boolean);
      await page.evaluate('window.talusDemo.settled()');
      expect(await inForce(key), key).toBe(value);
      const link = query(page.url())[key];
      expect(link, key).toBe(typeof value === 'boolean' ? String(Number(value)) : String(value));
      const now = await step(page, 2);
      expect(now, key).toMatchObject({ bodies: 49, finite: true, steps: steps + 2 });
      steps = now.steps;
    }
    await page.getByRole('button', { name: 'All methods to standard' }).click();
    await page.evaluate('window.talusDemo.settled()');
    expect(await inForce(key)).toBe(standard);
  }
  expect(query(page.url())).toEqual({ scene: 'cardhouse', quality: 'low' });
  await page.close();
});

test('methods come back from a link, with those that follow from others; nonsense is ignored', async () => {
  const page = await demo.open(
    '?scene=slabs&quality=low&solver=pgs&stabilization=projection&permutation=1&warmStart=0.5&shockPropagation=7&frictionModel=glue&integration=one-step&iterations=40',
  );
  expect(await page.evaluate('window.talusDemo.world.settings')).toMatchObject({
    solver: 'pgs',
    stabilization: 'projection',
    stabilizationFactor: 0.8,
    relax: false,
    permutation: true,
    warmStart: 0.5,
    shockPropagation: 0,
    frictionModel: 'patch',
    integration: 'one-step',
    iterations: 40,
  });
  expect(await step(page, 30)).toMatchObject({ finite: true, bodies: 7 });
  // The second view solves by the same methods.
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect(await page.evaluate('window.talusDemo.simulations[1].world.settings.stabilization')).toBe('projection');
  await page.close();
});

test('a method that only WASM has brings the scene there, and a backend without it brings it back to its standard', async () => {
  const page = await demo.open('?scene=slabs&quality=low');
  page.setDefaultTimeout(20_000);
  await step(page, 3);
  await page.getByLabel('Backend').selectOption('webgpu');
  await page.evaluate('window.talusDemo.settled()');
  await page.getByRole('button', { name: 'Published methods' }).click();
  await page.getByLabel('Random order').check();
  await page.evaluate('window.talusDemo.settled()');
  expect(await page.locator('#toast').textContent()).toContain('Only WASM');
  expect(query(page.url())).toEqual({ scene: 'slabs', quality: 'low', permutation: '1' });
  expect(await step(page, 3)).toMatchObject({ backend: 'wasm', bodies: 7, finite: true });
  await page.getByLabel('Backend').selectOption('webgpu');
  await page.evaluate('window.talusDemo.settled()');
  expect(await page.locator('#toast').textContent()).toContain('random order');
  expect(query(page.url())).toEqual({ scene: 'slabs', quality: 'low', backend: 'webgpu' });
  expect(await page.getByLabel('Random order').isChecked()).toBe(false);
  expect(await report(page)).toMatchObject({ bodies: 7, finite: true });
  await page.close();
});

test('Jacobi on WebGPU: its own choice of sums, given up on WASM and in a second view', async () => {
  const page = await demo.open('?scene=slabs&quality=low&backend=webgpu&solver=jacobi-accumulate&accumulation=fixed-point');
  page.setDefaultTimeout(20_000);
  const settings = (index = 0) => page.evaluate(`window.talusDemo.simulations[${index}].world.settings`);
  expect(await settings()).toMatchObject({ solver: 'jacobi-accumulate', accumulation: 'fixed-point' });
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect(await settings(1)).toMatchObject({ accumulation: 'segmented' });
  expect(await settings()).toMatchObject({ accumulation: 'fixed-point' });
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.keyboard.press('r');
  await page.evaluate('window.talusDemo.settled()');
  expect(await settings()).toMatchObject({ solver: 'jacobi-accumulate', accumulation: 'fixed-point' });
  await page.getByLabel('Backend').selectOption('wasm');
  await page.evaluate('window.talusDemo.settled()');
  expect(await page.locator('#toast').textContent()).toContain('no choice of sums on the gpu on WASM');
  expect(await settings()).toMatchObject({ solver: 'jacobi-accumulate', accumulation: 'segmented' });
  expect(query(page.url())).toEqual({ scene: 'slabs', quality: 'low', solver: 'jacobi-accumulate' });
  expect(await step(page, 5)).toMatchObject({ backend: 'wasm', bodies: 7, finite: true });
  await page.close();
});
