// Lists of the solver on lanes end where they end: what lies behind the last batch, body or group is not touched. Neighbors of cells
// against all manifolds, and a bounce elsewhere, which changes nothing for contacts without one.
import { expect, it } from 'vitest';
import { BodyRow, ContactSide, Header, Manifold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { coreBodies } from '../../helpers/core_bodies';
import { boxWorld, type CoreWorld, dropBoxes } from '../../helpers/core_world';

/** Falling boxes in the air and on the floor. */
const falling = () => boxWorld(dropBoxes(24, 3));

it('what lies behind the last batch is not solved', () => {
  const [plain, poked] = [falling(), falling()];
  for (let i = 0; i < 6; i++) for (const world of [plain, poked]) expect(world.core.step()).toBe(0);
  let behind = 0;
  while (poked.core.testCopyBatch(0, behind + 1) === 1) behind++;
  expect(behind).toBeGreaterThan(0);
  for (let i = 0; i < 3; i++) for (const world of [plain, poked]) expect(world.core.step()).toBe(0);
  expect(poked.state()).toEqual(plain.state());
});

it('bodies that no contact moves go through the step as far as their list goes', () => {
  const world = coreBodies();
  const bodies = [0, 1, 2, 3].map((i) => world.body({ at: [2 * i, 0, i] }));
  world.core.beginBodies();
  for (const body of bodies) {
    world.set('row', body, BodyRow.vx, [1 + body, 2, -3]);
    world.set('accel', body, 0, [0.5, -9, body]);
  }
  const h = world.headerFloat(Header.dt);
  world.core.moveFixed(world.words([3, 1, 2, 0]), 2);
  for (const body of bodies) {
    const moved = body === 3 || body === 1;
    const v = [1 + body + (moved ? 0.5 * h : 0), 2 - (moved ? 9 * h : 0), -3 + (moved ? body * h : 0)];
    for (const [i, x] of world.get('row', body).entries()) expect(x).toBeCloseTo(v[i]!, 5);
    for (const [i, x] of world.get('delta', body).entries()) expect(x).toBeCloseTo(moved ? h * v[i]! : 0, 6);
  }
});

it('impulses of one group follow another length of substeps, those of the next do not', () => {
  const world = boxWorld(Array.from({ length: 12 }, (_, i) => ({ at: [2 * i, 0.299, i], half: [0.3, 0.3, 0.4] })));
  for (let i = 0; i < 10; i++) expect(world.core.step()).toBe(0);
  const { core } = world;
  expect(core.testBeginTasks()).toBe(12);
  expect(core.testTaskGroups()).toBe(3);
  const states = () =>
    [0, 1, 2].map((g) => {
      const side = core.sideAddress(core.testTaskGroup(g)) >>> 0;
      const manifold = new Uint32Array(world.memory.buffer, side + ContactSide.manifold, 1)[0]!;
      const image = core.allocate(Manifold.STRIDE) >>> 0;
      core.testCopyState(manifold, image);
      return new Float32Array(world.memory.buffer, image, Manifold.STRIDE / 4)[Manifold.impulse0 / 4]!;
    });
  const before = states();
  for (const x of before) expect(x).toBeGreaterThan(0.1);
  const length = 1 / 60 / world.header('stepSubsteps');
  core.testRescaleGroup(1, 1.5 * length);
  const after = states();
  expect(after[0]).toBe(before[0]);
  expect(after[1]! / before[1]!).toBeCloseTo(1.5, 4);
  expect(after[2]).toBe(before[2]);
});

/** Pairs of cells of old with manifolds between them, by the cells that they have become, and what was known of neighbors. */
function neighbors(world: CoreWorld): { exact: Set<string>; found: string[]; cells: number } {
  const { core } = world;
  const words = new Uint32Array(world.memory.buffer);
  const rows = new Float32Array(world.memory.buffer, world.header('bodyRows'));
  const isMoved = (body: number) => rows[(body * BodyRow.STRIDE) / 4 + 3]! > 0;
  const cells = core.testCellCount();
  const exact = new Set<string>();
  for (let i = 0; i < world.header('manifoldCount'); i++) {
    const m = (core.manifoldAt(i) >>> 0) / 4;
    const [a, b] = [words[m + Manifold.bodyA / 4]!, words[m + Manifold.bodyB / 4]!];
    if (words[m + Manifold.count / 4] === 0 || !isMoved(a) || !isMoved(b)) continue;
    const [x, y] = [core.testCellOf(a), core.testCellOf(b)];
    if (x !== y) for (const key of [`${x} ${y}`, `${y} ${x}`]) exact.add(key);
  }
  // Of a cell: the number of its neighbors, the neighbors, color, new number.
  const links = (core.testLinksOfCuts() >>> 0) / 4;
  const [most, stride] = [32, 35];
  const number = (cell: number) => words[links + cell * stride + most + 2]!;
  const found: string[] = [];
  for (let cell = 0; cell < cells; cell++)
    for (let k = 1; k <= words[links + cell * stride]!; k++)
      found.push(`${number(cell)} ${number(words[links + cell * stride + k]!)}`);
  return { exact, found, cells };
}

it('cells know each of their neighbors once', () => {
  const boxes = Array.from({ length: 400 }, (_, i) => ({
    at: [(i % 10) * 0.6, 0.25 + 0.499 * Math.floor(i / 40), (Math.floor(i / 10) % 4) * 0.6] as [number, number, number],
    half: [0.3, 0.25, 0.3] as [number, number, number],
  }));
  const world = boxWorld(boxes);
  let cells = 0;
  for (let i = 0; i < 40 && cells < 4; i++) {
    expect(world.core.step()).toBe(0);
    cells = world.core.testCellCount();
  }
  const { exact, found } = neighbors(world);
  expect(cells).toBeGreaterThan(4);
  expect(exact.size).toBeGreaterThan(2 * cells - 2);
  expect(found.length).toBe(new Set(found).size);
  for (const pair of exact) expect(found).toContain(pair);
});

it('a ball that bounces elsewhere changes nothing for boxes that do not', () => {
  const [alone, beside] = [true, false].map((isAlone) => {
    const world = new BoxWorld();
    world.box([0, -0.5, 0], [50, 0.5, 50], { type: 0 });
    for (let i = 0; i < 5; i++)
      world.box([0.1 * i, 0.31 + 0.62 * i, 0.05 * i], [0.5, 0.3, 0.4], { rotation: [0, 0.02 * i, 0, 1 - 2e-4 * i * i] });
    world.core.setVelocity(3, 0.5, -3, 0.2, 0.4, 0, 0.3);
    if (isAlone) world.box([20, 9, 20], [0.3, 0.3, 0.3]);
    else world.sphere([20, 0.5, 20], 0.3, { restitution: 0.9 });
    world.core.setVelocity(6, 0, isAlone ? 0 : -9, 0, 0, 0, 0);
    return world;
  }) as [BoxWorld, BoxWorld];
  for (let i = 0; i < 20; i++) {
    for (const world of [alone, beside]) world.step();
    for (let body = 1; body <= 5; body++) {
      expect(beside.position(body), `step ${i}, box ${body}`).toEqual(alone.position(body));
      expect(beside.angularVelocity(body), `step ${i}, box ${body}`).toEqual(alone.angularVelocity(body));
    }
  }
  expect(beside.linearVelocity(6)[1]!).toBeGreaterThan(1);
});
