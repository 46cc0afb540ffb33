// Threads beside WebGPU: what is left to the CPU is shared, uploads are from shared memory, and a world that moves to other memory takes
// its solver along.
import { expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { populate } from '../../scenes/stage';
import { createWorld, type World, type WorldOptions } from '../../src/index';
import { ERROR_LOST_THREAD } from '../../src/layout.generated';
import { useDevice } from '../helpers/gpu';

const gpu = useDevice();

async function pile(options: WorldOptions): Promise<World> {
  const world = await createWorld({ backend: 'webgpu', device: gpu.device, ...options });
  populate(world, buildScene('mixed', { seed: 1, count: 60 }));
  return world;
}

async function run(world: World, steps: number): Promise<number> {
  for (let i = 0; i < steps; i++) await world.stepAsync();
  return world.hash();
}

test('the same states as with one thread, and after a thread was lost', async () => {
  const one = await pile({});
  const two = await pile({ threads: 2, threadChoice: 'always' });
  expect(two.settings).toMatchObject({ threads: 2, threadsReason: '' });
  expect(await run(two, 20)).toBe(await run(one, 20));
  expect(two.profile.backend).toBe('webgpu');
  expect(two.profile.threads).toBe(2);
  const bytes = two.snapshot();
  const core = two['core' as keyof World] as unknown as { stepEnd(): number };
  const { stepEnd } = core;
  core.stepEnd = () => stepEnd() | ERROR_LOST_THREAD;
  await expect(two.stepAsync()).rejects.toMatchObject({ code: 'worker' });
  core.stepEnd = stepEnd;
  const { buffer } = two.positions;
  two.restore(bytes);
  expect(two.positions.buffer).not.toBe(buffer);
  expect(await run(two, 10)).toBe(await run(one, 10));
  expect(two.profile.backend).toBe('webgpu');
  one.dispose();
  two.dispose();
});
