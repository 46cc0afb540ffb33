// What the stage of impacts looks at (assembly/impacts/find.ts, bounce.ts): contacts that come in fast and what touches their
// bodies, and nothing else, however much moves in the world; and what it leaves to the next step.
import { describe, expect, test } from 'vitest';
import { type BodyId, createWorld, type World } from '../../src/index';
import { Header, ImpactState, Manifold } from '../../src/layout.generated';
import type { LinearMemory } from '../../src/wasm/memory';
import { speed } from '../helpers/ground';

const memoryOf = (world: World) => (world as unknown as { memory: LinearMemory }).memory;

/** Manifolds that were listed in the last step. */
function listed(world: World): number {
  const memory = memoryOf(world);
  const state = memory.headerU32(Header.impactState);
  return state === 0 ? 0 : memory.u32[(state + ImpactState.linkCount) >>> 2]!;
}

/** A word of the first manifold, as a float. */
function ofFirst(world: World, offset: number): number {
  const memory = memoryOf(world);
  return memory.f32[(memory.u32[memory.headerU32(Header.manifoldBlocks) >>> 2]! + offset) >>> 2]!;
}

async function floorWorld(solver: 'wide' | 'cell-split'): Promise<World> {
  const world = await createWorld({ solver, sleep: false });
  const shape = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
  world.createBody({ type: 'static', shape, position: [0, -1, 0], friction: 0, frictionCombine: 'min' });
  return world;
}

describe.each(['wide', 'cell-split'] as const)('%s', (solver) => {
  test.each([0, 0.5])('a hit lists its own contact beside hundreds that are near each other, restitution %f', async (e) => {
    const world = await floorWorld(solver);
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    // Rows that glide side by side, 5 mm apart: pairs with manifolds that never touch.
    for (let i = 0; i < 100; i++) {
      const place = [(i % 10) * 1.005 - 20, 0.5, Math.floor(i / 10) * 1.005] as [number, number, number];
      world.createBody({ shape: cube, position: place, linearVelocity: [3, 0, 0], friction: 0, frictionCombine: 'min' });
    }
    const ball = world.createShape({ type: 'sphere', radius: 0.25 });
    const falls: BodyId = world.createBody({ shape: ball, position: [20, 1.5, 0], restitution: e });
    let most = 0,
      met = false;
    for (let i = 0; i < 60 && !met; i++) {
      const before = speed(world, falls);
      world.step();
      most = Math.max(most, listed(world));
      met = speed(world, falls) < before;
    }
    expect(met).toBe(true);
    expect(most).toBe(1);
  });

  test('rolling resistance of an impact does not start the next step', async () => {
    const world = await floorWorld(solver);
    const ball = world.createShape({ type: 'sphere', radius: 0.5 });
    const id = world.createBody({
      shape: ball,
      position: [0, 1, 0],
      linearVelocity: [3, -4, 0],
      angularVelocity: [0, 0, -6],
      friction: 1,
      frictionCombine: 'max',
      rollingResistance: 0.5,
      rollingResistanceCombine: 'max',
    });
    for (let i = 0; i < 30; i++) {
      const before = world.getLinearVelocity(id, [0, 0, 0])[1]!;
      world.step();
      if (world.getLinearVelocity(id, [0, 0, 0])[1]! <= before) continue;
      expect(ofFirst(world, Manifold.rollImpulse1)).toBe(0);
      expect(ofFirst(world, Manifold.rollImpulse2)).toBe(0);
      expect(ofFirst(world, Manifold.impulse0)).toBe(0);
      return;
    }
    throw new Error('it has not landed');
  });
});
