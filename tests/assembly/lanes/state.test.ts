// The state of a manifold through its lane: what its record holds arrives there and comes back, largest impulses and hits, where
// groups lie, columns added to rows, numbers of batches that become one.
import { expect, it } from 'vitest';
import { Header, Manifold, SOLVER_WIDE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { coreBodies } from '../../helpers/core_bodies';
import { coreMemory } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';

const POINT = Manifold.rax1 - Manifold.rax0;
const STATE = ['tangentImpulse1', 'tangentImpulse2', 'twistImpulse', 'rollImpulse1', 'rollImpulse2'] as const;

/** Boxes and balls on a floor, with the solver on lanes: some manifolds share a group. */
function onLanes() {
  const world = new BoxWorld();
  world.core.setSolver(SOLVER_WIDE);
  world.box([0, -0.5, 0], [40, 0.5, 40], { type: 0 });
  for (let i = 0; i < 6; i++) world.box([3 * i, 0.399, 0], [0.3, 0.4, 0.5]);
  for (let i = 0; i < 3; i++) world.sphere([3 * i, 0.449, 5], 0.45);
  world.step(2);
  expect(world.u32(Header.manifoldCount)).toBe(9);
  const at = (index: number, field: number) => ((world.core.manifoldAt(index) >>> 0) + field) >>> 2;
  const words = () => new Uint32Array(world.memory.buffer);
  const floats = () => new Float32Array(world.memory.buffer);
  const image = world.core.allocate(Manifold.STRIDE) >>> 0;
  return {
    world,
    count: (index: number) => words()[at(index, Manifold.count)]!,
    lane: (index: number) => words()[at(index, Manifold.lane)]!,
    set: (index: number, field: number, value: number) => {
      floats()[at(index, field)] = value;
    },
    /** The state of a manifold, wherever it lies. */
    state: (index: number) => {
      new Uint8Array(world.memory.buffer, image, Manifold.STRIDE).fill(0);
      world.core.testCopyState(index, image);
      return (field: number) => floats()[(image + field) >>> 2]!;
    },
  };
}

it('all of a record becomes the state of the lane, and of no other one', () => {
  const { world, count, lane, set, state } = onLanes();
  world.setU32(Header.anyRolling, 1);
  const manifolds = Array.from({ length: 9 }, (_, i) => i);
  const value = (index: number, k: number) => Math.fround(0.25 + index + k / 64);
  for (const index of manifolds) {
    for (const [k, field] of STATE.entries()) set(index, Manifold[field], value(index, k));
    for (let i = 0; i < 4; i++) {
      set(index, Manifold.impulse0 + i * POINT, value(index, 8 + i));
      set(index, Manifold.separation0 + i * POINT, -value(index, 16 + i));
    }
  }
  expect(new Set(manifolds.map((index) => lane(index) >>> 2)).size).toBeLessThan(manifolds.length);
  for (const index of [4, 0, 7]) world.core.testStoreState(index);
  for (const index of manifolds) {
    const read = state(index);
    const stored = [4, 0, 7].includes(index);
    for (const [k, field] of STATE.entries()) {
      if (stored) expect(read(Manifold[field]), field).toBe(value(index, k));
      else expect(read(Manifold[field]), field).not.toBe(value(index, k));
    }
    for (let i = 0; i < count(index); i++) {
      const [impulse, separation] = [read(Manifold.impulse0 + i * POINT), read(Manifold.separation0 + i * POINT)];
      if (stored) expect([impulse, separation]).toEqual([value(index, 8 + i), -value(index, 16 + i)]);
      else expect(impulse).not.toBe(value(index, 8 + i));
    }
  }
});

it('the largest impulse of a point is its present one or one of before; a hit raises that of the first point and closes its gap', () => {
  const { world, set, state } = onLanes();
  const { core } = world;
  const index = 2;
  for (let i = 0; i < 4; i++) {
    set(index, Manifold.impulse0 + i * POINT, 1 + i);
    set(index, Manifold.separation0 + i * POINT, i === 0 ? 0.125 : -0.25);
  }
  core.testStoreState(index);
  for (let i = 0; i < 4; i++) expect(core.testLargestImpulse(index, i)).toBeGreaterThanOrEqual(1 + i);
  core.testHit(index, 1e4);
  expect(core.testLargestImpulse(index, 0)).toBe(1e4);
  expect(core.testLargestImpulse(index, 3)).toBeLessThan(1e4);
  expect(state(index)(Manifold.separation0)).toBe(0);
  core.testHit(index, 10);
  expect(core.testLargestImpulse(index, 0)).toBe(1e4);
  // An impulse beyond those of before.
  set(index, Manifold.impulse0, 2e4);
  set(index, Manifold.separation0, -0.5);
  core.testStoreState(index);
  expect(core.testLargestImpulse(index, 0)).toBe(2e4);
  core.testHit(index, 10);
  expect(state(index)(Manifold.separation0)).toBe(-0.5);
});

it('groups of any number of points lie at columns of 16 bytes each', () => {
  const { core } = coreMemory();
  for (let k = 1; k <= 4; k++) expect(core.groupStride(k) % 16).toBe(0);
});

it('columns are added to rows, a lane to each', () => {
  const { core, floats, readFloats } = coreMemory();
  const random = seeded(3);
  const rows = Array.from({ length: 16 }, () => Math.fround(random()));
  const columns = Array.from({ length: 12 }, () => Math.fround(random()));
  const at = floats(rows);
  core.testAddColumns(at, floats(columns));
  const expected = rows.map((x, i) => (i % 4 === 3 ? x : Math.fround(x + columns[4 * (i % 4) + Math.floor(i / 4)]!)));
  expect(readFloats(at, 16)).toEqual(expected);
});

it.each([
  [
    [10, 9, 8],
    [6, 7, 3],
  ],
  [
    [6, 2, 9],
    [12, 8, 4],
  ],
] as const)('batches %j and %j that a manifold joins are one, with the larger of each number', (first, second) => {
  const world = coreBodies();
  const [a, b] = [world.body(), world.body({ at: [5, 0, 0] })];
  const batches = [world.core.testAddBatch(a, ...first), world.core.testAddBatch(b, ...second)];
  expect(batches[1]).not.toBe(batches[0]);
  const root = world.core.batchFor(b, a);
  const out = world.room(16);
  world.core.testBatchNumbers(root, out);
  expect(world.readWords(out, 3)).toEqual(first.map((x, i) => Math.max(x, second[i]!)));
  expect(world.core.batchFor(a, b)).toBe(root);
});
