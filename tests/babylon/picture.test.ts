// A picture of Babylon.js in headless Chromium: hills, thin instances, every kind of shape, a chain, the debug viewer.
import { expect, test } from 'vitest';
import { countPixels, isGreen, isOrange, shoot, usePage } from '../helpers/pictures';
import type { Page } from './page/main';

declare const page: Page;
const open = usePage('tests/babylon/page/main.ts');

test('everything lies in the bowl, and is seen there', async () => {
  const { bodies, lowest, joints } = await open.page.evaluate(() => page.draw(4));
  expect(bodies).toBe(72);
  expect(joints).toBe(6);
  expect(lowest).toBeGreaterThan(-0.7);
  const picture = await shoot(open.page, 'babylon');
  expect(countPixels(picture, isOrange)).toBeGreaterThan(3000);
  expect(countPixels(picture, isGreen)).toBeGreaterThan(20_000);
});
