// Reads the cells of cell splitting as the core leaves them after a step, and checks against their definition all that must hold of a
// partition: each link once, lanes of a color share no sub-body, closed cells share no body, joints behind contacts.
import { expect } from 'vitest';
import {
  CELL_LANES,
  HEADER_PTR,
  Header,
  Joint,
  MANIFOLD_BLOCK,
  Manifold,
  NONE,
  OrderState,
  SPLIT_BODY_CAP,
  SplitMember,
  SplitSlot,
  SplitState,
} from '../../src/layout.generated';
import type { CoreWorld } from './core_world';
import { hold } from './hold';

/** Links that a sub-body takes. */
const LINK_CAP = 8;

export interface Cells {
  links: number;
  /** Links that are joints. */
  joints: number;
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
export function readCells(world: CoreWorld): Cells {
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
  const contacts = field('contactCount');
  expect(contacts + field('jointCount')).toBe(links);
  const active = new Uint32Array(world.memory.buffer, world.header('activeManifolds'), contacts);
  const joints = array('jointLinks', links - contacts);
  const contactColors = array('cellContactColors', cells);
  const blocks = new Uint32Array(world.memory.buffer, world.header('manifoldBlocks'), world.header('manifoldBlocksCapacity'));
  for (let l = 0; l < links; l++) {
    const row =
      l < contacts
        ? blocks[Math.floor(active[l]! / MANIFOLD_BLOCK)]! + (active[l]! % MANIFOLD_BLOCK) * Manifold.STRIDE
        : world.header('joints') + joints[l - contacts]! * Joint.STRIDE + Joint.bodyA;
    for (const side of [0, 1]) {
      const body = bodies[2 * l + side]!;
      if (body !== NONE) hold(view.getUint32(row + 4 * side, true) === body, `side ${side} of link ${l} is not of body ${body}`);
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
    const held = run.filter((l) => l >= contacts).length;
    if (c < field('plainCellCount')) expect(held).toBe(0);
    const linksOf = new Map<number, number>(); // of a slot in this cell
    const partsOf = new Map<number, Set<number>>();
    // Slots of the dynamic bodies of the i-th link of the cell.
    const slotsAt = (i: number) =>
      [0, 1].flatMap((side) => {
        const body = bodies[2 * run[i]! + side]!;
        const slot = view.getUint32(members + (starts[c]! + i) * SplitMember.STRIDE + SplitMember.slotA + 4 * side, true);
        if (body === NONE) return [];
        hold(
          view.getUint32(slots + slot * SplitSlot.STRIDE + SplitSlot.ids + 12, true) === body,
          `slot ${slot} is not of body ${body}`,
        );
        linksOf.set(slot, (linksOf.get(slot) ?? 0) + 1);
        for (const map of [slotsOf, partsOf]) map.set(body, (map.get(body) ?? new Set()).add(slot));
        return [slot];
      });
    const dynamic = (l: number) => [bodies[2 * l]!, bodies[2 * l + 1]!].filter((body) => body !== NONE);
    for (const body of run.flatMap(dynamic)) owners.set(body, (owners.get(body) ?? new Set()).add(c));
    let begin = 0;
    const ends = colorEnds.slice(colorStarts[c], colorStarts[c + 1]);
    for (const [k, end] of ends.entries()) {
      expect(run.slice(begin, end).every((l) => l >= contacts)).toBe(k >= contactColors[c]!);
      expect(run.slice(begin, end).some((l) => l >= contacts)).toBe(k >= contactColors[c]!);
      expect(end - begin).toBeLessThanOrEqual(CELL_LANES);
      const color = [...Array(end - begin).keys()].flatMap((i) => slotsAt(begin + i));
      expect(color.length).toBeGreaterThan(0);
      expect(new Set(color).size).toBe(color.length);
      begin = end;
    }
    expect(begin).toBe(run.length);
    // Joints are colored behind the contacts, so that each kind may leave lanes free.
    const fewest = Math.max(...linksOf.values(), Math.ceil(run.length / CELL_LANES));
    expect(ends.length).toBeLessThanOrEqual((held > 0 && held < run.length ? 2 : 1) * (fewest + 2));
    const kinematic = run.flatMap((l) =>
      [0, 1].flatMap((side) => (bodies[2 * l + side] === NONE ? [movers[2 * l + side]!] : [])),
    );
    expect(linksOf.size + new Set(kinematic.filter((body) => body !== NONE)).size).toBeLessThanOrEqual(SPLIT_BODY_CAP);
    for (const [body, parts] of partsOf) {
      const count = run.flatMap(dynamic).filter((other) => other === body).length;
      hold(parts.size === Math.ceil(count / LINK_CAP), `body ${body} has ${parts.size} slots for ${count} links`);
      // Shared out evenly.
      for (const slot of parts) hold(linksOf.get(slot)! <= Math.ceil(count / parts.size), `slot ${slot} has more than its part`);
      if (parts.size > 1) parted++;
      if (c < field('closedCellCount')) expect(count).toBeLessThanOrEqual(LINK_CAP);
    }
  }
  for (const [body, set] of slotsOf) {
    for (const slot of set) {
      const ids = slots + slot * SplitSlot.STRIDE + SplitSlot.ids;
      hold(view.getUint32(ids + 4, true) === set.size, `slot ${slot} does not know of ${set.size} slots`);
      hold(view.getUint32(ids + 12, true) === body, `slot ${slot} is not of body ${body}`);
    }
  }
  let shares = 0;
  for (const set of owners.values()) {
    shares += set.size;
    if ([...set].some((c) => c < field('closedCellCount'))) expect(set.size).toBe(1);
  }
  return {
    links,
    joints: links - contacts,
    cells,
    closed: field('closedCellCount'),
    shares: owners.size > 0 ? shares / owners.size : 1,
    largest,
    parted,
    changed: field('cellsChanged') !== 0,
    cut: field('cutStep'),
  };
}
