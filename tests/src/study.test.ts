// The two entries of the package: the solvers that both have give the same bits in both cores; what only talus/study has is
// not in the product.
import { expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import * as product from '../../src/index';
import { Header } from '../../src/layout.generated';
import * as study from '../../src/study/index';
import type { LinearMemory } from '../../src/wasm/memory';
import { sceneWorld } from '../helpers/scene_world';

const createProduct = product.createWorld as unknown as typeof study.createWorld;

test.each(['wide', 'cell-split'] as const)('%s: the same bits in both cores', async (solver) => {
  const scene = buildScene('mixed', { scale: 0.1, seed: 3 });
  const [own, studied] = [
    await sceneWorld(scene, { solver }, createProduct),
    await sceneWorld(scene, { solver }, study.createWorld),
  ];
  for (let i = 0; i < 90; i++) {
    own.step();
    studied.step();
    expect(own.events.count).toBe(studied.events.count);
  }
  expect(own.profile.contactCount).toBeGreaterThan(50);
  expect(own.positions).toEqual(studied.positions);
  expect(own.rotations).toEqual(studied.rotations);
  expect(own.velocities).toEqual(studied.velocities);
  expect(own.measure()).toEqual(studied.measure());
});

test('what talus/study does in another way is hooked in by four words, which the product leaves 0', async () => {
  const hooks = ['laneOrder', 'pointFriction', 'stepSolver', 'gapBias'] as const;
  const words = (world: unknown) => {
    const { memory } = world as { memory: LinearMemory };
    return hooks.map((hook) => memory.headerU32(Header[hook]));
  };
  expect(words(await product.createWorld())).toEqual([0, 0, 0, 0]);
  const ids = words(await study.createWorld());
  expect(ids).not.toContain(0);
  expect(new Set(ids).size).toBe(4);
});

test('both entries export the same names, talus/study also those for solvers of your own', () => {
  const own = ['Rows', 'applyRow', 'defineSolver', 'rowSpeed'];
  expect(Object.keys(study).sort()).toEqual([...Object.keys(product), ...own].sort());
  expect(study.TalusError).toBe(product.TalusError);
});

test('the settings of the product are among those of talus/study, which adds its methods', async () => {
  const own = Object.keys((await product.createWorld()).settings);
  const studied = Object.keys((await study.createWorld()).settings);
  expect(studied).toEqual(expect.arrayContaining(own));
  expect(studied.filter((key) => !own.includes(key)).sort()).toEqual([
    'accumulation',
    'aggressiveSleep',
    'avbdByMass',
    'avbdDecay',
    'avbdErrorKept',
    'avbdPostStabilize',
    'avbdRamp',
    'frictionModel',
    'integration',
    'iterations',
    'mean',
    'nesterov',
    'omega',
    'permutation',
    'relax',
    'shockPropagation',
    'spectralRadius',
    'stabilization',
    'stabilizationFactor',
    'weightAmplification',
  ]);
});

test('a clone is a world of the same entry', async () => {
  const world = await study.createWorld({ solver: 'pair-split' });
  const twin = await world.clone();
  expect(twin.activeSolver).toBe('pair-split');
  expect(twin.orderingReport('geometric').batches).toBe(0);
  expect('orderingReport' in (await (await product.createWorld()).clone())).toBe(false);
});

test('the core of one entry is refused by talus/study where it lacks calls', async () => {
  const { bytesOf } = await import('../../src/wasm/load');
  const { wasmText } = await import('../../src/wasm/binary.generated');
  await expect(study.createWorld({ wasm: bytesOf(wasmText) })).rejects.toMatchObject({ code: 'unsupported' });
});
