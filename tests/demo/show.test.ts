// The page as a visitor finds it: a picture with a title and three tools, all scenes as pictures, and the laboratory behind a button.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRIES } from '../../demo/src/catalog';
import { ORDER } from '../../demo/src/groups';
import { violations } from './axe';
import { built, DemoBrowser, report, step } from './browser';

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterAll(() => demo?.close());

test('every scene is in one group, and has a picture', () => {
  expect([...ORDER].sort()).toEqual(ENTRIES.map(({ name }) => name).sort());
  for (const name of ORDER) expect(existsSync(join(built, 'thumbnails', `${name}.webp`)), name).toBe(true);
});

test('opens with title, sentence and tools; the laboratory comes by a button and stays in the link', async () => {
  const page = await demo.open('?scene=wall&quality=low', { show: true });
  expect(await page.locator('#title').textContent()).toBe('Wall');
  expect(await page.locator('#lead').textContent()).toBe('30 layers of 10 bricks, just touching.');
  const names = await page.locator('#toolbar button:visible').allTextContents();
  expect(names).toEqual(['Restart', 'Pause', 'Scenes', '›', 'Lab']);
  expect(await page.locator('#panel').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Lab' }).click();
  expect(await page.locator('#panel').isVisible()).toBe(true);
  expect(await page.locator('#title').isVisible()).toBe(false);
  expect(new URL(page.url()).searchParams.get('lab')).toBe('1');
  await page.keyboard.press('l');
  expect(await page.locator('#panel').isVisible()).toBe(false);
  await page.close();
});

test.each([
  ['desktop', 1280, 800, false],
  ['desktop in the laboratory', 1280, 800, true],
  ['phone', 390, 844, false],
  ['phone in the laboratory', 390, 844, true],
] as const)('no brick of the wall is cut or covered on the %s', async (_name, width, height, lab) => {
  const page = await demo.open('?scene=wall&quality=low', { width, height, show: !lab });
  await step(page, 2);
  const outside = (await page.evaluate(`(() => {
    const { view, world } = window.talusDemo;
    const { free, width, height } = view.part(0);
    view.aim(view.part(0));
    view.camera.updateProjectionMatrix();
    let outside = 0;
    for (let slot = 1; slot < world.bodyCount; slot++) {
      const p = view.controls.target.clone().fromArray(world.positions, 4 * slot).project(view.camera);
      const [x, y] = [((p.x + 1) / 2) * width, ((1 - p.y) / 2) * height];
      if (x < free.x || x > free.x + free.width || y < free.y || y > free.y + free.height) outside++;
    }
    return outside;
  })()`)) as number;
  expect(outside).toBe(0);
  await page.close();
});

test.each([
  ['desktop', 1280, 800, false],
  ['phone', 390, 844, true],
] as const)('scenes are chosen by their pictures, or one after the other, on the %s', async (_name, width, height, dark) => {
  const page = await demo.open('?scene=slabs&quality=low', { width, height, dark, show: true });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Scenes', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Scenes' });
  await dialog.waitFor();
  expect(await dialog.locator('.card').count()).toBe(ENTRIES.length);
  await page.waitForFunction("document.querySelector('[aria-current] img').naturalWidth === 320");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Pulleys' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect((await report(page)).scene).toBe('pulley');
  await page.getByRole('button', { name: 'Next scene' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect((await report(page)).scene).toBe(ORDER[ORDER.indexOf('pulley') + 1]);
  expect(demo.errors).toEqual([]);
  await page.close();
});
