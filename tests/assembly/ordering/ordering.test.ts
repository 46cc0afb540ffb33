// Ordering: properties that every solver relies on, on problems of different shape.
import { describe, expect, it } from 'vitest';
import { CELL_LANES, HEADER_PTR, Header, OrderState } from '../../../src/layout.generated';
import { loadCore } from '../../helpers/core';
import { type Problem, pile, plate, sphereHeap, stack, wall } from '../../helpers/manifold_builder';

interface Ordered {
  problem: Problem;
  core: ReturnType<typeof loadCore>['core'];
  field: (name: keyof typeof OrderState) => number;
  array: (name: keyof typeof OrderState, count: number) => Uint32Array;
}

function order(problem: Problem): Ordered {
  const { core, memory } = loadCore();
  problem.write(core, memory);
  expect(core.buildGraph()).toBe(1);
  const base = () => new DataView(memory.buffer).getUint32(HEADER_PTR + Header.orderState, true);
  const field = (name: keyof typeof OrderState) => new DataView(memory.buffer).getUint32(base() + OrderState[name], true);
  const array = (name: keyof typeof OrderState, count: number) =>
    new Uint32Array(memory.buffer.slice(field(name), field(name) + count * 4));
  return { problem, core, field, array };
}

/** Dynamic bodies of a link. */
function bodiesOf(problem: Problem, link: number): number[] {
  const m = problem.manifolds[link];
  return [m.bodyA, m.bodyB].filter((body) => problem.bodies[body].mass > 0);
}

const problems: [string, () => Problem][] = [
  ['stack', () => stack(20)],
  ['wall', () => wall(10, 30)],
  ['plate on 90 pillars', () => plate(90)],
  ['pile', () => pile(400, 3)],
  ['spheres', () => sphereHeap(300, 5)],
  ['nothing', () => pile(0, 1)],
];

describe.each(problems)('%s', (_, make) => {
  it('graph: body lists and contact blocks hold every link once, in ascending order', () => {
    const { problem, field, array } = order(make());
    const links = problem.manifolds.length;
    const starts = array('bodyStarts', problem.bodies.length + 1);
    const list = array('bodyLinks', starts[problem.bodies.length]);
    for (let body = 0; body < problem.bodies.length; body++) {
      const expected = problem.manifolds.flatMap((_, l) => (bodiesOf(problem, l).includes(body) ? [l] : []));
      expect([...list.slice(starts[body], starts[body + 1])]).toEqual(expected);
    }
    const blocks = field('blockCount');
    const blockStarts = array('blockStarts', blocks + 1);
    const blockLinks = array('blockLinks', links);
    expect([...blockLinks].sort((a, b) => a - b)).toEqual([...Array(links).keys()]);
    const pairOf = (l: number) => [problem.manifolds[l].bodyA, problem.manifolds[l].bodyB].sort((a, b) => a - b).join();
    const seen = new Set<string>();
    for (let k = 0; k < blocks; k++) {
      const run = [...blockLinks.slice(blockStarts[k], blockStarts[k + 1])];
      expect(run.length).toBeGreaterThan(0);
      expect(new Set(run.map(pairOf)).size).toBe(1);
      expect(run).toEqual([...run].sort((a, b) => a - b));
      expect(seen.has(pairOf(run[0]))).toBe(false);
      seen.add(pairOf(run[0]));
    }
    const bodyBlockStarts = array('bodyBlockStarts', problem.bodies.length + 1);
    const bodyBlocks = array('bodyBlocks', bodyBlockStarts[problem.bodies.length]);
    for (let body = 0; body < problem.bodies.length; body++) {
      for (const k of bodyBlocks.slice(bodyBlockStarts[body], bodyBlockStarts[body + 1])) {
        expect(bodiesOf(problem, blockLinks[blockStarts[k]])).toContain(body);
      }
    }
  });

  it('coloring: no two links of a color share a dynamic body, colors are greedy', () => {
    const { problem, core, field, array } = order(make());
    core.colorAll();
    const links = problem.manifolds.length;
    const colors = array('linkColors', links);
    const taken = new Map<number, Set<number>>();
    for (let l = 0; l < links; l++) {
      const used = bodiesOf(problem, l).map((body) => {
        if (!taken.has(body)) taken.set(body, new Set());
        return taken.get(body)!;
      });
      let smallest = 0;
      while (used.some((set) => set.has(smallest))) smallest++;
      expect(colors[l]).toBe(smallest);
      for (const set of used) set.add(smallest);
    }
    expect(field('colorCount')).toBe(links === 0 ? 0 : Math.max(...colors) + 1);
    // Tonge 2012, 3.4.1: at least Δ, and a greedy coloring takes at most 2 Δ - 1.
    const degree = new Map<number, number>();
    for (let l = 0; l < links; l++) for (const body of bodiesOf(problem, l)) degree.set(body, (degree.get(body) ?? 0) + 1);
    const most = Math.max(0, ...degree.values());
    expect(field('colorCount')).toBeGreaterThanOrEqual(most);
    expect(field('colorCount')).toBeLessThanOrEqual(Math.max(0, 2 * most - 1));
    expect(problem.header('colorCount')).toBe(field('colorCount'));
  });

  it.each([1, 16, 64])('cell-like ordering with granularity %i: blocks of a batch are independent', (granularity) => {
    const { problem, core, field, array } = order(make());
    core.orderCellLike(granularity);
    const links = problem.manifolds.length;
    const sequence = array('cellOrder', links);
    expect([...sequence].sort((a, b) => a - b)).toEqual([...Array(links).keys()]);
    const blocks = array('orderBlocks', field('orderBlockCount') + 1);
    const batches = array('orderBatches', field('orderBatchCount') + 1);
    expect(batches[field('orderBatchCount')]).toBe(field('orderBlockCount'));
    for (let i = 0; i < field('orderBatchCount'); i++) {
      expect(batches[i + 1]).toBeGreaterThan(batches[i]);
      const owner = new Map<number, number>();
      for (let k = batches[i]; k < batches[i + 1]; k++) {
        expect(blocks[k + 1] - blocks[k]).toBeGreaterThan(0);
        expect(blocks[k + 1] - blocks[k]).toBeLessThanOrEqual(granularity);
        for (const l of sequence.slice(blocks[k], blocks[k + 1])) {
          for (const body of bodiesOf(problem, l)) {
            expect(owner.get(body) ?? k).toBe(k);
            owner.set(body, k);
          }
        }
      }
    }
  });

  it.each([
    [224, 127],
    [128, 96],
    [32, 96],
    [128, 12],
    [4, 4],
    [1, 2],
  ])('cells of at most %i links and %i bodies', (granularity, cap) => {
    const made = make();
    const { problem, core, field, array } = order(made);
    problem.setHeader('granularity', granularity);
    problem.setHeader('cellBodyCap', cap);
    core.partitionCells();
    const links = problem.manifolds.length;
    const cells = field('cellCount');
    const list = array('cellLinks', links);
    const starts = array('cellStarts', cells + 1);
    const colorStarts = array('cellColorStarts', cells + 1);
    const colorEnds = array('cellColorEnds', colorStarts[cells]);
    expect([...list].sort((a, b) => a - b)).toEqual([...Array(links).keys()]);
    expect(starts[cells]).toBe(links);
    const cellsOfBody = new Map<number, Set<number>>();
    for (let c = 0; c < cells; c++) {
      const run = [...list.slice(starts[c], starts[c + 1])];
      expect(run.length).toBeGreaterThan(0);
      expect(run.length).toBeLessThanOrEqual(granularity);
      const members = new Set(run.flatMap((l) => bodiesOf(problem, l)));
      expect(members.size).toBeLessThanOrEqual(cap);
      for (const body of members) {
        if (!cellsOfBody.has(body)) cellsOfBody.set(body, new Set());
        cellsOfBody.get(body)!.add(c);
      }
      const busy = [...members].map((body) => run.filter((l) => bodiesOf(problem, l).includes(body)).length);
      const fewest = Math.max(...busy, Math.ceil(run.length / CELL_LANES));
      expect(colorStarts[c + 1] - colorStarts[c]).toBeLessThanOrEqual(fewest + 1);
      let begin = 0;
      for (const end of colorEnds.slice(colorStarts[c], colorStarts[c + 1])) {
        const color = run.slice(begin, end);
        expect(color.length).toBeGreaterThan(0);
        expect(color.length).toBeLessThanOrEqual(CELL_LANES);
        expect(color).toEqual([...color].sort((a, b) => a - b));
        const bodies = color.flatMap((l) => bodiesOf(problem, l));
        expect(new Set(bodies).size).toBe(bodies.length);
        begin = end;
      }
      expect(begin).toBe(run.length);
    }
    for (const owners of cellsOfBody.values()) {
      for (const c of owners) if (c < field('closedCellCount')) expect(owners.size).toBe(1);
    }
    expect(problem.header('cellCount')).toBe(cells);
  });

  it('pair cells are the contact blocks', () => {
    const { core, field, array, problem } = order(make());
    core.partitionPairs();
    const links = problem.manifolds.length;
    expect(field('cellCount')).toBe(field('blockCount'));
    expect([...array('cellStarts', field('cellCount') + 1)]).toEqual([...array('blockStarts', field('blockCount') + 1)]);
    expect([...array('cellLinks', links)]).toEqual([...array('blockLinks', links)]);
  });
});

it('more than 64 colors around one body', () => {
  const { core, field } = order(plate(90));
  core.colorAll();
  expect(field('colorCount')).toBe(91); // 90 on the plate; the first is taken by the floor
});

it('several manifolds of one body pair form one contact block', () => {
  const problem = stack(2);
  problem.addManifold({ ...problem.manifolds[1], bodyA: problem.manifolds[1].bodyB, bodyB: problem.manifolds[1].bodyA });
  const { field } = order(problem);
  expect(field('blockCount')).toBe(2);
});

it('few bodies are shared between cells', () => {
  const { core, field, array, problem } = order(wall(10, 30));
  core.partitionCells();
  const cells = field('cellCount');
  expect(cells).toBeLessThanOrEqual(9);
  const starts = array('cellStarts', cells + 1);
  const list = array('cellLinks', problem.manifolds.length);
  const owners = new Map<number, Set<number>>();
  for (let c = 0; c < cells; c++) {
    for (const l of list.slice(starts[c], starts[c + 1])) {
      for (const body of bodiesOf(problem, l)) owners.set(body, (owners.get(body) ?? new Set()).add(c));
    }
  }
  const slots = [...owners.values()].reduce((sum, set) => sum + set.size, 0);
  expect(slots / owners.size).toBeLessThan(1.35);
});
