// A picture of PlayCanvas in headless Chromium: a wall of crates, every kind of shape, a ball in a ring of triangles.
import { expect, test } from 'vitest';
import { countPixels, isGreen, isOrange, shoot, usePage } from '../helpers/pictures';
import type { Page } from './page/main';

declare const page: Page;
const open = usePage('tests/playcanvas/page/main.ts');

test('the wall stands, shapes lie on the floor, and are seen there', async () => {
  const { bodies, starts, distance } = await open.page.evaluate(() => page.draw(4));
  expect(bodies).toBe(43);
  expect(starts.length).toBeGreaterThan(0);
  expect(distance).toBeLessThan(1.5);
  const picture = await shoot(open.page, 'playcanvas');
  expect(countPixels(picture, isOrange)).toBeGreaterThan(3000);
  expect(countPixels(picture, isGreen)).toBeGreaterThan(20_000);
});
