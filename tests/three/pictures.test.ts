// Pictures in headless Chromium: all ways to draw bodies by WebGL, and instances on the GPU beside the same from the CPU.
import pixelmatch from 'pixelmatch';
import type { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { countColors, countPixels, keep, shoot, usePage } from '../helpers/pictures';
import type { Harness } from './page/main';

declare const talus: Harness;
const open = usePage('tests/three/page/main.ts');

const difference = (a: PNG, b: PNG) => pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });

test('meshes, instances and batches with the debug renderer', async () => {
  const found = await open.page.evaluate(() => talus.webgl());
  expect(found.bodies).toBe(89);
  expect(countColors(await shoot(open.page, 'three'))).toBeGreaterThan(200);
});

test('instances on the GPU are the picture that matrices from the CPU make', async () => {
  const { onGpu, onCpu, taken, backend, late } = await open.page.evaluate(() => talus.webgpu(30));
  const [a, b] = [keep(onGpu, 'three_gpu'), keep(onCpu, 'three_cpu')];
  expect(difference(a, b)).toBeLessThan(40);
  expect(countPixels(a, (r, _g, blue) => r > 150 && blue < 90)).toBeGreaterThan(5000);
  expect(backend).toBe('webgpu');
  expect(taken.gpu).toBeGreaterThan(20);
  expect(late).toBe(true);
});

describe('instances on the GPU look like a mesh per body', () => {
  /** Keeps both pictures; returns them. */
  function both({ gpu, other }: { gpu: string; other: string }, name: string): [PNG, PNG] {
    return [keep(gpu, `three_material_${name}_gpu`), keep(other, `three_material_${name}`)];
  }

  test('with every class of material', async () => {
    const names = await open.page.evaluate(() => talus.materials());
    const pictures: PNG[] = [];
    for (const name of names) {
      const found = await open.page.evaluate((material) => talus.material(material), name);
      const [a, b] = both(found, name.replaceAll(' ', '_'));
      expect.soft(difference(a, b), name).toBeLessThan(30);
      pictures.push(a);
    }
    // No two materials are drawn alike, and none is missing.
    for (const [i, a] of pictures.entries()) {
      for (const [k, b] of pictures.slice(0, i).entries())
        expect.soft(difference(a, b), `${names[i]}, ${names[k]}`).toBeGreaterThan(1000);
    }
    expect(open.host.errors).toEqual([]);
  }, 600_000);

  test('with a color each, and a material that changes', async () => {
    const [a, b] = both(await open.page.evaluate(() => talus.changed()), 'changed');
    expect(difference(a, b)).toBeLessThan(30);
    expect(countPixels(a, (r, g, blue) => blue > 1.5 * r && blue > 1.5 * g)).toBeGreaterThan(150);
  }, 300_000);

  test('after the CPU has drawn the same mesh, and before', async () => {
    const { gpu, other } = await open.page.evaluate(() => talus.switched());
    for (let i = 0; i < 4; i++) {
      const [a, b] = both({ gpu: gpu.split(' ')[i]!, other: other.split(' ')[i]! }, `switched_${i}`);
      expect.soft(difference(a, b), `picture ${i}`).toBeLessThan(30);
    }
    expect(open.host.errors).toEqual([]);
  }, 300_000);

  test('with shadows that they cast and receive, from outside of the picture too', async () => {
    const lit = await open.page.evaluate(() => talus.shadows(false));
    const shaded = await open.page.evaluate(() => talus.shadows(true));
    const names = ['inside', 'received', 'outside', 'none'];
    const [dark, light] = [shaded, lit].map(({ gpu, other }, k) =>
      names.map((name, i) => both({ gpu: gpu.split(' ')[i]!, other: other.split(' ')[i]! }, `${k ? 'lit' : 'shadows'}_${name}`)),
    );
    for (const [i, name] of names.entries()) {
      expect.soft(difference(...dark![i]!), name).toBeLessThan(30);
      if (name !== 'none') expect.soft(difference(dark![i]![0], light![i]![0]), name).toBeGreaterThan(200);
    }
    const [[outside], [none]] = light!.slice(2) as [[PNG, PNG], [PNG, PNG]];
    expect(difference(outside, none)).toBe(0);
    expect(countPixels(dark![1]![0], (r, g, b) => r > 1.2 * g && b > 1.2 * g)).toBeGreaterThan(200);
  }, 300_000);

  test('with motion vectors', async () => {
    const [a, b] = both(await open.page.evaluate(() => talus.velocities()), 'velocities');
    expect(difference(a, b)).toBeLessThan(30);
    expect(countPixels(a, (r, g) => r + g > 40)).toBeGreaterThan(1000);
  }, 300_000);

  test('and are culled as a whole, by camera and light', async () => {
    const { seen, behind, shadow, moved, again } = await open.page.evaluate(() => talus.culling());
    // One draw call is the floor, where it is seen.
    expect({ behind: seen - behind, shadow: shadow - behind, moved: moved - behind, again: again - seen }).toEqual({
      behind: 1,
      shadow: 1,
      moved: 0,
      again: 0,
    });
  }, 300_000);
});
