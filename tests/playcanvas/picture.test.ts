// A picture of PlayCanvas in headless Chromium: a wall of crates, every kind of shape, a ball in a ring of triangles.
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
  host = await openPage('tests/playcanvas/page/main.ts');
}, 240_000);
afterAll(() => host?.close());

test('the wall stands, shapes lie on the floor, and are seen there', async () => {
  const { bodies, starts, distance } = await host.page.evaluate(() => page.draw(4));
  expect(bodies).toBe(43);
  expect(starts.length).toBeGreaterThan(0);
  expect(distance).toBeLessThan(1.5);
  const png = PNG.sync.read(await host.page.screenshot({ path: resolve(folder, 'playcanvas.png') }));
  const seen = { orange: 0, green: 0 };
  for (let i = 0; i < png.data.length; i += 4) {
    const [r, g, b] = [png.data[i]!, png.data[i + 1]!, png.data[i + 2]!];
    if (r > 120 && r > 1.5 * g && g > 1.5 * b) seen.orange++;
    if (g > r && g > 1.2 * b) seen.green++;
  }
  expect(seen.orange).toBeGreaterThan(3000);
  expect(seen.green).toBeGreaterThan(20_000);
});
