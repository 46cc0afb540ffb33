// Joints in the methods of the papers through the API: ragdolls come to rest with Tsuda's settings, the solver that runs is named,
// the two readings of aggressive sleep are options.
import { expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { Header } from '../../src/layout.generated';
import { createWorld, type WorldOptions } from '../../src/study/index';
import type { LinearMemory } from '../../src/wasm/memory';
import { sceneWorld } from '../helpers/scene_world';

const TSUDA: WorldOptions = {
  solver: 'pgs',
  integration: 'one-step',
  stabilization: 'baumgarte',
  linearSlop: 0.005,
  permutation: true,
  seed: 1,
  sleep: false,
};

test.each([
  ['10 iterations', { ...TSUDA, iterations: 10 }],
  ['10 iterations with heavier bodies below', { ...TSUDA, iterations: 10, weightAmplification: 1.4 }],
  ['colors in substeps', { solver: 'colored', sleep: false }],
  ['scalar splitting', { solver: 'scalar-split', sleep: false }],
  ['conjugate gradients', { ...TSUDA, permutation: false, solver: 'nncg', iterations: 20 }],
] as [string, WorldOptions][])('ragdolls come to rest in one piece: %s', async (_, options) => {
  const scene = buildScene('ragdolls150', { seed: 1, count: 2 });
  const world = await sceneWorld(scene, options);
  for (let i = 0; i < 600; i++) world.step();
  expect(world.measure().rmsSpeed).toBeLessThan(0.03);
  for (let slot = 0; slot < scene.bodies.count; slot++) {
    for (const joint of world.jointsOf(world.bodyAt(slot)!)) expect(world.getJoint(joint).gap).toBeLessThan(0.02);
  }
  world.dispose();
});

test('colors run on rows while there are joints, and say so', async () => {
  const world = await createWorld({ solver: 'colored' });
  const shape = world.createShape({ type: 'sphere', radius: 0.2 });
  const body = world.createBody({ shape, position: [0, 5, 0] });
  expect(world.activeSolver).toBe('colored');
  const joint = world.createJoint({ type: 'ball', bodyB: body, anchor: [0, 6, 0] });
  expect(world.activeSolver).toBe('color-order');
  for (let i = 0; i < 30; i++) world.step();
  expect(world.getBody(body).position[1]).toBeCloseTo(5, 2);
  world.removeJoint(joint);
  expect(world.activeSolver).toBe('colored');
  for (let i = 0; i < 30; i++) world.step();
  expect(world.getBody(body).position[1]).toBeLessThan(4.5);
  world.dispose();
});

test('aggressive sleep: off, ours, to the letter', async () => {
  const world = await createWorld();
  const { memory } = world as unknown as { memory: LinearMemory };
  expect(world.settings.aggressiveSleep).toBe(false);
  for (const [aggressiveSleep, code] of [
    [true, 1],
    ['literal', 2],
    [false, 0],
  ] as const) {
    world.set({ aggressiveSleep });
    expect(world.settings.aggressiveSleep).toBe(aggressiveSleep);
    expect(memory.headerU32(Header.aggressiveSleep)).toBe(code);
    expect(world.activeSolver).toBe(code > 0 ? 'pgs' : 'wide');
  }
  for (const wrong of ['letter', 1, null]) {
    expect(() => world.set({ aggressiveSleep: wrong as never })).toThrow(/aggressiveSleep/);
  }
  world.dispose();
});
