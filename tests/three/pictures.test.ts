// Pictures in headless Chromium: all ways to draw bodies by WebGL, and instances on the GPU beside the same from the CPU.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, type TestPage } from '../helpers/page';
import type { Harness } from './page/main';

declare const talus: Harness;
let host: TestPage;
const folder = resolve(import.meta.dirname, '../../build/screenshots');

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  host = await openPage('tests/three/page/main.ts');
}, 240_000);
afterAll(() => host?.close());

test('meshes, instances and batches with the debug renderer', async () => {
  const found = await host.page.evaluate(() => talus.webgl());
  expect(found.bodies).toBe(89);
  const png = PNG.sync.read(await host.page.screenshot({ path: resolve(folder, 'three.png') }));
  const colors = new Set<number>();
  for (let i = 0; i < png.data.length; i += 4) colors.add((png.data[i]! << 16) | (png.data[i + 1]! << 8) | png.data[i + 2]!);
  expect(colors.size).toBeGreaterThan(200);
});

test('instances on the GPU are the picture that matrices from the CPU make', async () => {
  const { onGpu, onCpu, taken, backend, late } = await host.page.evaluate(() => talus.webgpu(30));
  const [a, b] = [onGpu, onCpu].map((text) => PNG.sync.read(Buffer.from(text, 'base64')));
  writeFileSync(resolve(folder, 'three_gpu.png'), PNG.sync.write(a!));
  writeFileSync(resolve(folder, 'three_cpu.png'), PNG.sync.write(b!));
  const difference = pixelmatch(a!.data, b!.data, undefined, a!.width, a!.height, { threshold: 0.1 });
  expect(difference).toBeLessThan(40);
  let orange = 0;
  for (let i = 0; i < a!.data.length; i += 4) if (a!.data[i]! > 150 && a!.data[i + 2]! < 90) orange++;
  expect(orange).toBeGreaterThan(5000);
  expect(backend).toBe('webgpu');
  expect(taken.gpu).toBeGreaterThan(20);
  expect(late).toBe(true);
}, 180_000);
