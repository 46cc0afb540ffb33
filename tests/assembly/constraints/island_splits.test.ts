// An island that is split, against what is coupled; the room of its members holds nothing else.
import { expect, test } from 'vitest';
import { BodyNode, Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

/** The bodies of the ring that a body is in. */
function ringOf(world: BoxWorld, body: number): number[] {
  const ring = [body];
  for (let at = world.core.testNextInIsland(body); at !== body && ring.length < 9; at = world.core.testNextInIsland(at))
    ring.push(at);
  return ring;
}

test('a split looks at the members of its island alone', () => {
  const world = new BoxWorld();
  for (let i = 0; i < 5; i++) world.box([3 * i, 9, -i], [0.2, 0.3, 0.4]);
  const couple = () => {
    for (const [a, b] of [
      [0, 3],
      [4, 3],
      [1, 2],
    ] as const)
      world.core.testCouple(a, b);
  };
  couple();
  expect([0, 1, 2, 3, 4].map((body) => world.core.testIslandOf(body))).toEqual([0, 1, 1, 0, 0]);
  const node = (body: number, field: number) => (world.u32(Header.bodyNodes) + body * BodyNode.STRIDE + field) >>> 2;
  const words = new Uint32Array(world.memory.buffer);
  // Behind the members of an island there is no body.
  words.fill(
    0x0f0f0f0f,
    world.u32(Header.islandMembers) >>> 2,
    (world.u32(Header.islandMembers) >>> 2) + world.u32(Header.bodyCapacity),
  );
  words[node(0, BodyNode.cuts)] = 1;
  world.core.testSplitIslands();
  // Nothing couples them: there are no constraints.
  expect([0, 1, 2, 3, 4].map((body) => world.core.testIslandOf(body))).toEqual([0, 1, 1, 3, 4]);
  expect([0, 3, 4].map((body) => words[node(body, BodyNode.cuts)])).toEqual([0, 0, 0]);
  for (const body of [0, 3, 4]) expect(ringOf(world, body)).toEqual([body]);
  expect(ringOf(world, 2).sort()).toEqual([1, 2]);
});
