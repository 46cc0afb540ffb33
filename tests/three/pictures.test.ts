// Pictures in headless Chromium: all ways to draw bodies by WebGL, and instances on the GPU beside the same from the CPU.
import pixelmatch from 'pixelmatch';
import { expect, test } from 'vitest';
import { countColors, countPixels, keep, shoot, usePage } from '../helpers/pictures';
import type { Harness } from './page/main';

declare const talus: Harness;
const open = usePage('tests/three/page/main.ts');

test('meshes, instances and batches with the debug renderer', async () => {
  const found = await open.page.evaluate(() => talus.webgl());
  expect(found.bodies).toBe(89);
  expect(countColors(await shoot(open.page, 'three'))).toBeGreaterThan(200);
});

test('instances on the GPU are the picture that matrices from the CPU make', async () => {
  const { onGpu, onCpu, taken, backend, late } = await open.page.evaluate(() => talus.webgpu(30));
  const [a, b] = [keep(onGpu, 'three_gpu'), keep(onCpu, 'three_cpu')];
  const difference = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });
  expect(difference).toBeLessThan(40);
  expect(countPixels(a, (r, _g, blue) => r > 150 && blue < 90)).toBeGreaterThan(5000);
  expect(backend).toBe('webgpu');
  expect(taken.gpu).toBeGreaterThan(20);
  expect(late).toBe(true);
}, 180_000);
