// A pile of 300 boxes that falls and comes to rest on the GPU path: as calm and as shallow as on WASM, and the same bits twice.
// bench/calm.mjs runs the long version.
import { expect, inject, test } from 'vitest';
import type { World, WorldOptions } from '../../src/study/index';
import { useDevice } from '../helpers/gpu';
import { isLong } from '../helpers/long';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

const gpu = useDevice();

/** 300 boxes in six loose layers in a tray of 5 m. */
async function pile(options: WorldOptions): Promise<World> {
  // All is read back, so that results are those of the twin to the bit.
  const world = await createWorld({ substeps: 12, readbackTolerance: 0, ...options });
  const box = (x: number, y: number, z: number) => world.createShape({ type: 'box', halfExtents: [x, y, z] });
  world.createBody({ type: 'static', shape: box(3.5, 1, 3.5), position: [0, -1, 0] });
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    const wall = box(x === 0 ? 3.5 : 0.5, 3, x === 0 ? 0.5 : 3.5);
    world.createBody({ type: 'static', shape: wall, position: [3 * x, 2, 3 * z] });
  }
  const random = seeded(300);
  for (let i = 0; i < 300; i++) {
    const half = [0.2 + 0.08 * random(), 0.2 + 0.08 * random(), 0.2 + 0.08 * random()];
    const place = (k: number) => (k - 3) * 0.66 + 0.05 * random();
    world.createBody({
      shape: box(half[0]!, half[1]!, half[2]!),
      position: [place(i % 7), 0.35 + 0.6 * Math.floor(i / 49), place(Math.floor(i / 7) % 7)],
      rotation: [0.1 * random(), 0.1 * random(), 0.1 * random(), 1],
    });
  }
  return world;
}

const REST = 450;

test('300 boxes end as calm and as shallow as on WASM', async () => {
  const software = inject('adapter').software;
  // In the short form the fall is the twin's: the GPU takes over before most boxes land.
  const fall = software && !isLong ? 24 : 0;
  const start = fall === 0 ? ({ backend: 'webgpu', device: gpu.device } as const) : ({ solver: 'cell-split' } as const);
  const world = await pile(start);
  const again = await pile(start);
  const twin = await pile({ solver: 'cell-split' });
  const wasm = await pile({});
  // A software adapter would need minutes for the whole run. It does what the twin does, bit by bit, and that is checked
  // through the fall and the landing of most boxes; from there the twin goes on in its place.
  const count = software ? 36 : REST;
  for (let i = 0; i < fall; i++) for (const one of [world, again, twin]) one.step();
  if (fall > 0) for (const one of [world, again]) await one.setBackend('webgpu', gpu.device);
  const twice = isLong ? 12 : fall + 4;
  for (let i = fall; i < count; i++) {
    await world.stepAsync();
    twin.step();
    if (i < twice) await again.stepAsync();
    if (i === twice - 1) expect(again.positions).toEqual(world.positions);
    if (software) expect(world.positions, `step ${i}`).toEqual(twin.positions);
  }
  expect(world.profile.backend).toBe('webgpu');
  expect(world.measure().touchingCount).toBeGreaterThan(600);
  for (let i = count; i < REST; i++) twin.step();
  for (let i = 0; i < REST; i++) wasm.step();
  const best = wasm.measure();
  for (const tested of software ? [twin] : [twin, world]) {
    const m = tested.measure();
    expect(m.touchingCount).toBeGreaterThan(1100);
    expect(m.rmsSpeed).toBeLessThan(1e-6);
    expect(best.rmsSpeed).toBeLessThan(1e-6);
    expect(m.penetrationMean).toBeLessThan(2 * best.penetrationMean);
    expect(m.penetrationMean).toBeLessThan(3e-4);
    expect(m.penetrationP99).toBeLessThan(1e-3);
    expect(m.penetrationMax).toBeLessThan(2e-3);
    expect(m.residualRms).toBeLessThan(1e-6);
  }
});
