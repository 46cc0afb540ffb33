// The one cut into cells: parts are equal, near each other, in order, and cut again where they are too much.
import { describe, expect, it } from 'vitest';
import { HEADER_PTR, Header, OrderState } from '../../../src/layout.generated';
import { type CoreExports, loadCore } from '../../helpers/core';
import { Problem, plate, random, type Vec3 } from '../../helpers/manifold_builder';

interface Cut {
  core: CoreExports;
  begin: (bodies: number[], cells: number) => void;
  part: () => number[];
}

function cutOf(points: Vec3[]): Cut {
  const { core, memory } = loadCore();
  const problem = new Problem();
  for (const position of points) problem.addBody({ position, half: 0.1, mass: 1 });
  problem.write(core, memory);
  expect(core.roomToCut(points.length)).toBe(1);
  const list = () => new Uint32Array(memory.buffer, core.bodiesToCut() >>> 0, points.length);
  const field = (name: keyof typeof OrderState) => {
    const view = new DataView(memory.buffer);
    return view.getUint32(view.getUint32(HEADER_PTR + Header.orderState, true) + OrderState[name], true);
  };
  return {
    core,
    begin: (bodies, cells) => {
      list().set(bodies);
      core.beginCut(0, bodies.length, cells);
    },
    part: () => [...list().slice(field('partFirst'), field('partFirst') + field('partSize'))],
  };
}

function partsOf({ core, part }: Cut): number[][] {
  const parts: number[][] = [];
  while (core.nextPart()) parts.push(part());
  return parts;
}

describe('a cut', () => {
  it('of a line gives its pieces from left to right, of sizes that differ by one', () => {
    const cut = cutOf(Array.from({ length: 100 }, (_, i) => [(37 * i) % 100, 0, 0] as Vec3));
    for (const cells of [1, 2, 3, 7, 16, 100]) {
      cut.begin([...Array(100).keys()], cells);
      const parts = partsOf(cut);
      expect(parts.length).toBe(cells);
      const sizes = parts.map((part) => part.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      const along = parts.flatMap((part) => part.map((i) => (37 * i) % 100).sort((a, b) => a - b));
      expect(along).toEqual([...Array(100).keys()]);
    }
  });

  it('keeps parts of a heap together, whatever the order of its bodies', () => {
    const next = random(3);
    const points = Array.from({ length: 512 }, () => [8 * next(), 8 * next(), 8 * next()] as Vec3);
    const cut = cutOf(points);
    cut.begin([...Array(512).keys()], 16);
    const parts = partsOf(cut);
    for (const part of parts) {
      expect(part.length).toBe(32);
      for (const axis of [0, 1, 2]) {
        const along = part.map((i) => points[i]![axis]!);
        expect(Math.max(...along) - Math.min(...along)).toBeLessThan(5);
      }
    }
    const sorted = (part: number[]) => [...part].sort((a, b) => a - b);
    cut.begin([...Array(512).keys()].reverse(), 16);
    expect(partsOf(cut).map(sorted)).toEqual(parts.map(sorted));
  });

  it('takes what is too much apart, in its place, down to one body', () => {
    const cut = cutOf(Array.from({ length: 20 }, (_, i) => [i, 0, 0] as Vec3));
    cut.begin([...Array(20).keys()], 2);
    const parts: number[][] = [];
    while (cut.core.nextPart()) {
      const part = cut.part();
      if (part.length > 1 && part.includes(3)) cut.core.cutAgain();
      else parts.push(part.sort((a, b) => a - b));
    }
    expect(parts.flat()).toEqual([...Array(20).keys()]);
    expect(parts).toContainEqual([3]);
    expect(parts.at(-1)!.length).toBe(10);
  });
});

it('a body of more links than a cell takes has them where its neighbors are', () => {
  const { core, memory } = loadCore();
  const problem = plate(90);
  problem.write(core, memory);
  problem.setHeader('granularity', 16);
  core.buildGraph();
  core.partitionCells();
  const view = new DataView(memory.buffer);
  const order = view.getUint32(HEADER_PTR + Header.orderState, true);
  const array = (name: keyof typeof OrderState, count: number) =>
    new Uint32Array(memory.buffer, view.getUint32(order + OrderState[name], true), count);
  const cells = view.getUint32(order + OrderState.cellCount, true);
  const starts = array('cellStarts', cells + 1);
  const links = array('cellLinks', problem.manifolds.length);
  const owners = new Map<number, Set<number>>();
  for (let c = 0; c < cells; c++) {
    for (const l of links.slice(starts[c], starts[c + 1])) {
      const { bodyA, bodyB } = problem.manifolds[l]!;
      for (const body of [bodyA, bodyB]) {
        if (problem.bodies[body]!.mass > 0) owners.set(body, (owners.get(body) ?? new Set()).add(c));
      }
    }
  }
  // Of 180 links all but those in the cell of the plate itself are in the cells of their pillars.
  const split = [...owners.values()].filter((set) => set.size > 1).length;
  expect(cells).toBeLessThan(20);
  expect(split).toBeLessThanOrEqual(17);
});
