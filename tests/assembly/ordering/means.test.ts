// How often a substep brings the sub-bodies of shared bodies together (Header.oneMean): once where only piles lie, twice for what is
// tall, and never once where the number of substeps is fixed.
import { expect, it } from 'vitest';
import { SHAPE_BOX, SOLVER_CELL_SPLIT, SplitState } from '../../../src/layout.generated';
import { boxWorld, type CoreWorld, dropBoxes } from '../../helpers/core_world';
import type { Vec3 } from '../../helpers/manifold_builder';

type Boxes = { at: Vec3; half: Vec3 }[];

/** Columns of cubes of 1 m, so close that neighbours touch. */
function block(columns: number, height: number): Boxes {
  return Array.from({ length: columns * height }, (_, i) => ({
    at: [(i % columns) * 0.999, 0.5 + Math.floor(i / columns), 20],
    half: [0.5, 0.5, 0.5],
  }));
}

function autoWorld(boxes: Boxes): CoreWorld {
  const world = boxWorld(boxes);
  world.core.setSolver(SOLVER_CELL_SPLIT);
  world.setHeader('granularity', 40);
  world.setHeader('sweeps', 2);
  world.setHeader('autoSubsteps', 1);
  return world;
}

/** Header.oneMean of each of so many steps, and whether the passes are as many as it says. */
function means(world: CoreWorld, steps: number): number[] {
  return Array.from({ length: steps }, () => {
    world.core.step();
    const passes = new DataView(world.memory.buffer).getUint32(world.header('splitState') + SplitState.passCount, true);
    expect(passes).toBe(1 + world.header('substeps') * (2 - world.header('oneMean')));
    return world.header('oneMean');
  });
}

it('a pile takes one after a while', () => {
  const seen = means(autoWorld(dropBoxes(80, 2)), 200);
  expect(seen.slice(0, 16)).toEqual(Array(16).fill(0));
  expect(seen.slice(120)).toEqual(Array(80).fill(1));
});

it('what is tall and lies in several cells takes two, at once; a tower in one cell does not matter', () => {
  const world = autoWorld([...dropBoxes(30, 2), ...block(1, 14)]);
  expect(means(world, 60).slice(-30)).toEqual(Array(30).fill(1));
  expect(world.header('substeps')).toBe(10);
  const cube = world.core.createShape(SHAPE_BOX, 0.5, 0.5, 0.5, 0.87, 0, 0, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5) >>> 0;
  for (const { at } of block(6, 8)) {
    // A wall of 8 layers asks for 7.1 substeps.
    const body = world.core.createBody(2, at[0] + 3, at[1], at[2], 0, 0, 0, 1) >>> 0;
    world.core.setMassProperties(body, 1000, 0, 0, 0, 170, 170, 170, 0, 0, 0);
    world.core.createCollider(body, cube, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, 0xffffffff, 0xffffffff, 0, 1000);
  }
  expect(means(world, 60).slice(3)).toEqual(Array(57).fill(0));
});

it('a fixed number of substeps takes two', () => {
  const world = autoWorld(dropBoxes(40, 2));
  means(world, 40);
  expect(world.header('oneMean')).toBe(1);
  world.setHeader('autoSubsteps', 0);
  expect(means(world, 20)).toEqual(Array(20).fill(0));
});
