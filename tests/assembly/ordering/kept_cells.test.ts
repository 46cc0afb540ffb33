// Cells that live from step to step: what mending makes of them is a partition like a fresh one, in every step of a world in
// which boxes fall, come, go, and stand, also where joints hold some of them.
import { describe, expect, it } from 'vitest';
import { CELL_LANES, SOLVER_CELL_SPLIT, SPLIT_BODY_CAP } from '../../../src/layout.generated';
import { addJoint, ball } from '../../helpers/core_joints';
import { boxWorld, type CoreWorld, dropBoxes } from '../../helpers/core_world';
import { isLong } from '../../helpers/long';
import { random } from '../../helpers/manifold_builder';
import { readCells } from '../../helpers/read_cells';

function configure(world: CoreWorld, granularity: number): void {
  world.core.setSolver(SOLVER_CELL_SPLIT);
  world.setHeader('granularity', granularity);
  world.setHeader('cellBodyCap', SPLIT_BODY_CAP);
}

describe('kept cells', () => {
  it.each(
    isLong
      ? [
          [16, 1],
          [40, 2],
          [128, 3],
        ]
      : [[40, 2]],
  )('of at most %i links hold through falls, removals and new bodies', (granularity, seed) => {
    const world = boxWorld(dropBoxes(150, seed));
    configure(world, granularity);
    const next = random(seed + 50);
    const alive = Array.from({ length: 150 }, (_, i) => i + 1);
    let mended = 0;
    let parted = 0;
    for (let i = 0; i < 200; i++) {
      if (i > 60 && i % 9 === 0) world.core.removeBody(alive.splice(Math.floor(alive.length * next()), 1)[0]!);
      if (i > 60 && i % 13 === 0) {
        const body = alive[Math.floor(alive.length * next())]!;
        world.core.setVelocity(body, 4 * next() - 2, 3, 0, 0, 0, 0);
      }
      world.core.step();
      const cells = readCells(world);
      expect(cells.largest).toBeLessThanOrEqual(granularity + (granularity >> 2));
      if (cells.changed && cells.cut !== world.header('stepCount') - 1) mended++;
      parted = Math.max(parted, cells.parted);
    }
    expect(mended).toBeGreaterThan(10);
    expect(parted).toBeGreaterThan(0);
  });

  it('stay as they are while nothing comes or goes, and are as good as fresh ones', () => {
    const world = boxWorld(dropBoxes(150, 5));
    configure(world, 32);
    for (let i = 0; i < 300; i++) world.core.step();
    let kept = 0;
    let shares = 0;
    for (let i = 0; i < 60; i++) {
      world.core.step();
      const cells = readCells(world);
      if (!cells.changed) kept++;
      shares = Math.max(shares, cells.shares);
    }
    expect(kept).toBeGreaterThan(40);
    // Cut anew: the same settings, told to the core as others in between.
    configure(world, 33);
    world.core.step();
    configure(world, 32);
    world.core.step();
    const fresh = readCells(world);
    expect(fresh.changed).toBe(true);
    expect(shares).toBeLessThan(1.15 * fresh.shares);
  });
});

it('another size takes effect at once, and only then', () => {
  const world = boxWorld(dropBoxes(150, 5));
  configure(world, 32);
  for (let i = 0; i < 300; i++) world.core.step();
  const counts = [16, 64, 16].map((granularity) => {
    configure(world, granularity);
    world.core.step();
    const cells = readCells(world);
    expect(cells.changed).toBe(true);
    expect(cells.cut).toBe(world.header('stepCount') - 1);
    expect(cells.largest).toBeLessThanOrEqual(granularity + (granularity >> 3));
    configure(world, granularity);
    world.core.step();
    expect(readCells(world).cut).toBe(cells.cut);
    return cells.cells;
  });
  expect(counts[1]).toBeLessThan(counts[0]!);
  expect(counts[2]).toBeGreaterThan(counts[1]!);
});

it('small islands share a cell only as long as they add no rounds of lanes', () => {
  const boxes = Array.from({ length: 300 }, (_, i) => {
    const tower = Math.floor(i / 3);
    const at: [number, number, number] = [3 * (tower % 10) - 15, 0.5 + (i % 3), 3 * Math.floor(tower / 10) - 15];
    return { at, half: [0.5, 0.5, 0.5] as [number, number, number] };
  });
  const world = boxWorld(boxes);
  configure(world, 256);
  for (let i = 0; i < 3; i++) world.core.step();
  const cells = readCells(world);
  expect(cells.links).toBe(300);
  expect(cells.closed).toBe(cells.cells);
  // A box has two links, and two colors hold 64.
  expect(cells.largest).toBeLessThanOrEqual(2 * CELL_LANES);
  expect(cells.cells).toBe(5);
});

it.each([
  [16, 1],
  [224, 3],
])('cells of at most %i links on random graphs of contacts and joints, which come and go', (granularity, seed) => {
  const boxes = dropBoxes(120, seed);
  const world = boxWorld(boxes);
  configure(world, granularity);
  const next = random(seed + 90);
  const places = boxes.map(({ at }) => at);
  /** A ball joint half way between two boxes as they are at the start. */
  const tie = (a: number, b: number): number => {
    const [from, to] = [places[a]!, places[b]!];
    const half = (p: number, q: number) => (q - p) / 2;
    const anchor = from.map((x, i) => half(x, to[i]!)) as [number, number, number];
    const other = anchor.map((x) => -x) as [number, number, number];
    return addJoint(world, { ...ball, bodyA: a + 1, bodyB: b + 1, anchorA: anchor, anchorB: other });
  };
  const apart = (a: number, b: number) => Math.hypot(...places[a]!.map((x, i) => x - places[b]![i]!));
  const near = (a: number) => places.map((_, b) => b).filter((b) => b !== a && apart(a, b) < 2.2);
  const tied: number[] = [];
  // Chains and trees by chance, and one body that holds all around it.
  for (let a = 1; a < places.length; a++) {
    const around = near(a).filter((b) => b < a);
    if (around.length > 0 && next() < 0.5) tied.push(tie(around[Math.floor(around.length * next())]!, a));
  }
  const hub = places.map((_, a) => a).sort((a, b) => near(b).length - near(a).length)[0]!;
  for (const b of near(hub)) tied.push(tie(hub, b));
  let most = 0;
  let shared = 1;
  for (let i = 0; i < (isLong ? 120 : 20); i++) {
    if (i % 7 === 3 && tied.length > 20) world.core.removeJoint(tied.splice(Math.floor(tied.length * next()), 1)[0]!);
    world.core.step();
    const cells = readCells(world);
    expect(cells.joints).toBe(tied.length);
    most = Math.max(most, cells.links - cells.joints);
    shared = Math.max(shared, cells.shares);
  }
  expect(most).toBeGreaterThan(100);
  if (granularity < 100) expect(shared).toBeGreaterThan(1.05);
});
