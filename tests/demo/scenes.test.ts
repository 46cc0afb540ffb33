// Every scene of the page loads and runs on WASM, with few bodies where the scene takes a number.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DemoBrowser, step } from './browser';
import { SCENES } from './scene_list';

/** Scenes without a contact in the first 90 steps: joints alone hold them, or only characters walk there. */
const CONTACTLESS = [
  'hanging-chain',
  'joint-grid',
  'arm',
  'four-bar',
  'gear-train',
  'pulley',
  'cradle',
  'slopes',
  'gyroscope',
  'wrecking-ball',
  'racket',
];

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterAll(() => demo?.close());

describe('scenes', () => {
  test('the list is complete', async () => {
    const page = await demo.open('?scene=slabs&quality=low');
    const names = await page
      .locator('#scene option')
      .evaluateAll((options) => options.map((o) => (o as HTMLOptionElement).value));
    expect([...names].sort()).toEqual(SCENES.map(([name]) => name).sort());
    await page.close();
  });

  test.each(SCENES)('%s loads and runs', async (name, count) => {
    const page = await demo.open(`?scene=${name}&quality=low${count ? `&count=${count}` : ''}`);
    const result = await step(page, 90);
    expect(result.scene).toBe(name);
    expect(result.finite).toBe(true);
    expect(result.steps).toBeGreaterThanOrEqual(60);
    if (!CONTACTLESS.includes(name)) expect(result.contacts).toBeGreaterThan(0);
    expect(result.drawCalls).toBeLessThan(16);
    if (count) expect(result.bodies).toBeGreaterThanOrEqual(count);
    expect(demo.errors).toEqual([]);
    await page.close();
  });
});
