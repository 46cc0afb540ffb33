// A picture of Babylon.js in headless Chromium: hills, thin instances, every kind of shape, a chain, the debug viewer.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, type TestPage } from '../helpers/page';
import type { Page } from './page/main';

declare const page: Page;
let host: TestPage;
const folder = resolve(import.meta.dirname, '../../build/screenshots');

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  host = await openPage('tests/babylon/page/main.ts');
}, 240_000);
afterAll(() => host?.close());

test('everything lies in the bowl, and is seen there', async () => {
  const { bodies, lowest, joints } = await host.page.evaluate(() => page.draw(4));
  expect(bodies).toBe(72);
  expect(joints).toBe(6);
  expect(lowest).toBeGreaterThan(-0.7);
  const png = PNG.sync.read(await host.page.screenshot({ path: resolve(folder, 'babylon.png') }));
  const seen = { orange: 0, green: 0 };
  for (let i = 0; i < png.data.length; i += 4) {
    const [r, g, b] = [png.data[i]!, png.data[i + 1]!, png.data[i + 2]!];
    if (r > 120 && r > 1.5 * g && g > 1.5 * b) seen.orange++;
    if (g > r && g > 1.2 * b) seen.green++;
  }
  expect(seen.orange).toBeGreaterThan(3000);
  expect(seen.green).toBeGreaterThan(20_000);
});
