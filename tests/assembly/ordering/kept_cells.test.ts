// Cells that live from step to step: what mending makes of them is a partition like a fresh one, in every step of a world in
// which boxes fall, come, go, and stand.
import { describe, expect, it } from 'vitest';
import {
  CELL_LANES,
  HEADER_PTR,
  Header,
  MANIFOLD_BLOCK,
  Manifold,
  NONE,
  OrderState,
  SOLVER_CELL_SPLIT,
  SPLIT_BODY_CAP,
  SplitMember,
  SplitSlot,
  SplitState,
} from '../../../src/layout.generated';
import { boxWorld, type CoreWorld, dropBoxes } from '../../helpers/core_world';
import { random } from '../../helpers/manifold_builder';

/** Links that a sub-body takes. */
const LINK_CAP = 8;

interface Cells {
  links: number;
  cells: number;
  closed: number;
  /** Cells a moving body with links. */
  shares: number;
  /** Most links of a cell. */
  largest: number;
  /** Bodies that have several sub-bodies in one cell. */
  parted: number;
  changed: boolean;
  cut: number;
}

/** Reads the cells of the last step and checks all that must hold of them. */
function readCells(world: CoreWorld): Cells {
  const view = new DataView(world.memory.buffer);
  const order = view.getUint32(HEADER_PTR + Header.orderState, true);
  const field = (name: keyof typeof OrderState) => view.getUint32(order + OrderState[name], true);
  const array = (name: keyof typeof OrderState, count: number) => new Uint32Array(world.memory.buffer, field(name), count);
  const links = field('linkCount');
  const cells = field('cellCount');
  const bodies = array('linkBodies', 2 * links);
  const movers = array('linkMovers', 2 * links);
  const list = array('cellLinks', links);
  const starts = array('cellStarts', cells + 1);
  const colorStarts = array('cellColorStarts', cells + 1);
  const colorEnds = array('cellColorEnds', colorStarts[cells]!);
  expect([...list].sort((a, b) => a - b)).toEqual([...Array(links).keys()]);
  const active = new Uint32Array(world.memory.buffer, world.header('activeManifolds'), links);
  const blocks = new Uint32Array(world.memory.buffer, world.header('manifoldBlocks'), world.header('manifoldBlocksCapacity'));
  for (let l = 0; l < links; l++) {
    const m = blocks[Math.floor(active[l]! / MANIFOLD_BLOCK)]! + (active[l]! % MANIFOLD_BLOCK) * Manifold.STRIDE;
    for (const side of [0, 1]) {
      const body = bodies[2 * l + side]!;
      if (body !== NONE) expect(view.getUint32(m + 4 * side, true)).toBe(body);
    }
  }
  const split = view.getUint32(HEADER_PTR + Header.splitState, true);
  const slots = view.getUint32(split + SplitState.slots, true);
  const members = view.getUint32(split + SplitState.members, true);
  const slotsOf = new Map<number, Set<number>>();
  const owners = new Map<number, Set<number>>();
  let largest = 0;
  let parted = 0;
  for (let c = 0; c < cells; c++) {
    const run = [...list.slice(starts[c], starts[c + 1])];
    expect(run.length).toBeGreaterThan(0);
    largest = Math.max(largest, run.length);
    const linksOf = new Map<number, number>(); // of a slot in this cell
    const partsOf = new Map<number, Set<number>>();
    // Slots of the dynamic bodies of the i-th link of the cell.
    const slotsAt = (i: number) =>
      [0, 1].flatMap((side) => {
        const body = bodies[2 * run[i]! + side]!;
        const slot = view.getUint32(members + (starts[c]! + i) * SplitMember.STRIDE + SplitMember.slotA + 4 * side, true);
        if (body === NONE) return [];
        expect(view.getUint32(slots + slot * SplitSlot.STRIDE + SplitSlot.ids + 12, true)).toBe(body);
        linksOf.set(slot, (linksOf.get(slot) ?? 0) + 1);
        for (const map of [slotsOf, partsOf]) map.set(body, (map.get(body) ?? new Set()).add(slot));
        return [slot];
      });
    const dynamic = (l: number) => [bodies[2 * l]!, bodies[2 * l + 1]!].filter((body) => body !== NONE);
    for (const body of run.flatMap(dynamic)) owners.set(body, (owners.get(body) ?? new Set()).add(c));
    let begin = 0;
    const ends = colorEnds.slice(colorStarts[c], colorStarts[c + 1]);
    for (const end of ends) {
      expect(end - begin).toBeLessThanOrEqual(CELL_LANES);
      const color = [...Array(end - begin).keys()].flatMap((i) => slotsAt(begin + i));
      expect(color.length).toBeGreaterThan(0);
      expect(new Set(color).size).toBe(color.length);
      begin = end;
    }
    expect(begin).toBe(run.length);
    expect(ends.length).toBeLessThanOrEqual(Math.max(...linksOf.values(), Math.ceil(run.length / CELL_LANES)) + 2);
    const kinematic = run.flatMap((l) =>
      [0, 1].flatMap((side) => (bodies[2 * l + side] === NONE ? [movers[2 * l + side]!] : [])),
    );
    expect(linksOf.size + new Set(kinematic.filter((body) => body !== NONE)).size).toBeLessThanOrEqual(SPLIT_BODY_CAP);
    for (const [body, parts] of partsOf) {
      const count = run.flatMap(dynamic).filter((other) => other === body).length;
      expect(parts.size).toBe(Math.ceil(count / LINK_CAP));
      // Shared out evenly.
      for (const slot of parts) expect(linksOf.get(slot)).toBeLessThanOrEqual(Math.ceil(count / parts.size));
      if (parts.size > 1) parted++;
      if (c < field('closedCellCount')) expect(count).toBeLessThanOrEqual(LINK_CAP);
    }
  }
  for (const [body, set] of slotsOf) {
    for (const slot of set) {
      expect(view.getUint32(slots + slot * SplitSlot.STRIDE + SplitSlot.ids + 4, true)).toBe(set.size);
      expect(view.getUint32(slots + slot * SplitSlot.STRIDE + SplitSlot.ids + 12, true)).toBe(body);
    }
  }
  let shares = 0;
  for (const set of owners.values()) {
    shares += set.size;
    if ([...set].some((c) => c < field('closedCellCount'))) expect(set.size).toBe(1);
  }
  return {
    links,
    cells,
    closed: field('closedCellCount'),
    shares: owners.size > 0 ? shares / owners.size : 1,
    largest,
    parted,
    changed: field('cellsChanged') !== 0,
    cut: field('cutStep'),
  };
}

function configure(world: CoreWorld, granularity: number): void {
  world.core.setSolver(SOLVER_CELL_SPLIT);
  world.setHeader('granularity', granularity);
  world.setHeader('cellBodyCap', SPLIT_BODY_CAP);
}

describe('kept cells', () => {
  it.each([
    [16, 1],
    [40, 2],
    [128, 3],
  ])('of at most %i links hold through falls, removals and new bodies', (granularity, seed) => {
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
