// The page with the solver on WebGPU and the picture on the same device: every scene, the same picture as with WebGL and WASM,
// poses that never pass through the CPU, and a device that is lost.
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DemoBrowser, report, walk } from './browser';
import { SCENES } from './scene_list';

let demo: DemoBrowser;
/** One page for all scenes: the kernels are compiled once. */
let page: Page;

beforeAll(async () => {
  demo = await DemoBrowser.start();
  page = await demo.open('?scene=slabs&quality=low&backend=webgpu&substeps=4');
});
afterEach(() => expect(demo.errors.splice(0)).toEqual([]));
afterAll(() => demo?.close());

test.each(SCENES)('%s loads and runs', async (name, count) => {
  await page.evaluate(`window.talusDemo.pause(true); window.talusDemo.choose('${name}', ${count})`);
  await page.evaluate('window.talusDemo.settled()');
  const result = await walk(page, 3);
  expect(result).toMatchObject({ scene: name, backend: 'webgpu', renderer: 'webgpu', finite: true, steps: 3 });
  expect(result.drawCalls).toBeLessThan(16);
  // Where the picture begins, poses come from the CPU.
  expect(result.poses.gpu).toBe(3);
  if (count) expect(result.bodies).toBeGreaterThanOrEqual(count);
});

test('poses come from the GPU as it runs; bodies that hands make come from the CPU, once', async () => {
  await page.evaluate("window.talusDemo.choose('slabs')");
  await page.evaluate('window.talusDemo.settled(); window.talusDemo.pause(false)');
  await page.waitForFunction('window.talusDemo.report.steps > 6');
  const before = await report(page);
  await page.waitForFunction(`window.talusDemo.report.steps > ${before.steps + 4}`);
  const after = await report(page);
  expect(after.poses.cpu).toBe(before.poses.cpu);
  expect(after.poses.gpu).toBeGreaterThan(before.poses.gpu + 3);

  await page.evaluate('window.talusDemo.hands.useHere("ball")');
  const { steps } = await report(page);
  await page.waitForFunction(`window.talusDemo.report.steps > ${steps + 4}`);
  const thrown = await report(page);
  expect(thrown.bodies).toBe(8);
  // Twice now and before, once more for the step that had begun without the ball.
  expect(thrown.poses.cpu - after.poses.cpu).toBeLessThanOrEqual(5);
  expect(thrown.poses.gpu).toBeGreaterThan(after.poses.gpu);

  // What the vertex shader reads is what the CPU knows.
  await page.evaluate('window.talusDemo.pause(true)');
  await walk(page, 1);
  const furthest = await page.evaluate(`(async () => {
    const { world, view } = window.talusDemo;
    const { sets } = view.panes[0].bodies.store;
    const { device } = sets;
    const staging = device.createBuffer({ size: sets.capacity * 32, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(sets.buffer, sets.now * sets.capacity * 32, staging, 0, sets.capacity * 32);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const poses = new Float32Array(staging.getMappedRange().slice(0));
    staging.destroy();
    let most = 0;
    for (let i = 0; i < world.bodyCount; i++) {
      for (let k = 0; k < 4; k++) {
        most = Math.max(most, Math.abs(poses[8 * i + k] - world.positions[4 * i + k]));
        most = Math.max(most, Math.abs(poses[8 * i + 4 + k] - world.rotations[4 * i + k]));
      }
    }
    return most;
  })()`);
  expect(furthest).toBeLessThan(1e-5);
});

test('a lost device: the simulation goes on with WASM and the picture with WebGL, and both come back when asked for', async () => {
  await page.evaluate("window.talusDemo.choose('slabs')");
  await page.evaluate('window.talusDemo.settled()');
  await walk(page, 2);
  await page.evaluate('window.talusDemo.pause(false); window.talusDemo.shared.open().then((device) => device.destroy())');
  await page.waitForFunction("window.talusDemo.report.renderer === 'webgl'");
  await page.evaluate('window.talusDemo.settled()');
  await page.waitForFunction('window.talusDemo.report.steps > 20');
  expect(await report(page)).toMatchObject({ backend: 'wasm', finite: true, bodies: 7 });
  expect(await page.locator('#toast').textContent()).toContain('device was lost');
  expect(await page.locator('#device').textContent()).toContain('Solves on WASM, draws with WebGL');
  expect(await page.locator('#view canvas').count()).toBe(1);
  expect(await page.getByLabel('Backend').inputValue()).toBe('wasm');
  const { steps } = await report(page);
  await page.getByLabel('Backend').selectOption('webgpu');
  await page.evaluate('window.talusDemo.settled()');
  await page.waitForFunction(`window.talusDemo.report.backend === 'webgpu' && window.talusDemo.report.steps > ${steps + 3}`);
  expect(await report(page)).toMatchObject({ renderer: 'webgpu', finite: true, bodies: 7 });

  // Back to WASM by hand: the same renderer takes poses from the CPU.
  await page.getByLabel('Backend').selectOption('wasm');
  await page.evaluate('window.talusDemo.settled()');
  const result = await walk(page, 10);
  expect(result).toMatchObject({ backend: 'wasm', renderer: 'webgpu', finite: true });
});

/** Share of pixels in which two pictures differ. */
function difference(a: Buffer, b: Buffer): number {
  const [left, right] = [PNG.sync.read(a), PNG.sync.read(b)];
  const pixels = left.width * left.height;
  return pixelmatch(left.data, right.data, undefined, left.width, left.height, { threshold: 0.1 }) / pixels;
}

/** The canvas alone, after some steps of a scene from its start. */
async function picture(on: Page, scene: string, count: number): Promise<Buffer> {
  await on.evaluate(`window.talusDemo.pause(true); window.talusDemo.choose('${scene}', ${count})`);
  await on.evaluate('window.talusDemo.settled()');
  await walk(on, 6);
  await on.waitForTimeout(500);
  await on.addStyleTag({ content: 'body > :not(#stage), #labels { visibility: hidden !important; }' });
  return on.screenshot({ timeout: 60_000 });
}

const small = { width: 640, height: 480 };
const common = '?theme=light&quality=low&substeps=4&color=cell&contacts=1&normals=1';

test('solved and drawn on WebGPU it looks as solved by the twin and drawn by WebGL', async () => {
  const other = await demo.open(`${common}&scene=cardhouse&solver=cell-split`, small);
  const expected = await picture(other, 'cardhouse', 0);
  await other.close();
  const own = await demo.open(`${common}&scene=cardhouse&backend=webgpu`, small);
  const actual = await picture(own, 'cardhouse', 0);
  expect(await report(own)).toMatchObject({ backend: 'webgpu', renderer: 'webgpu', poses: { gpu: 6 } });
  await own.close();
  expect(difference(actual, expected)).toBeLessThan(0.01);
});

test.each([
  ['rubble', 100, '&theme=dark&quality=low&color=speed&bounds=1&impulses=1&compare=pair-split'],
  ['mixed', 200, '&theme=light&quality=high&color=mass&impulses=1'],
] as const)('%s looks the same by WebGPU as by WebGL', async (scene, count, query) => {
  const shots: Buffer[] = [];
  for (const renderer of ['webgl', 'webgpu']) {
    const other = await demo.open(`?scene=slabs&substeps=4${query}&renderer=${renderer}`, small);
    shots.push(await picture(other, scene, count));
    expect((await report(other)).renderer).toBe(renderer);
    await other.close();
  }
  expect(difference(shots[0]!, shots[1]!)).toBeLessThan(0.01);
});

test('without WebGL it draws with WebGPU from the start', async () => {
  const other = await demo.open('?scene=slabs&quality=low', {
    ...small,
    init: `const getContext = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
      };`,
  });
  expect(await walk(other, 5)).toMatchObject({ backend: 'wasm', renderer: 'webgpu', finite: true });
  await other.close();
  // three says so itself, and nothing else is wrong.
  expect(demo.errors.splice(0).filter((text) => !text.includes('WebGL context'))).toEqual([]);
});
