// Past poses are written within their room alone: a body without one has none to forget.
import { expect, it } from 'vitest';
import { Header, PastPose } from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';

it('a body beyond the room of past poses changes nothing behind it, the last one within it has none any more', () => {
  const world = coreBodies();
  for (let i = 0; i < 5; i++) world.body({ at: [i, 0, 0] });
  expect(world.core.keepPoses()).toBe(1);
  const [base, capacity] = [world.header(Header.pastPoses), world.header(Header.pastPosesCapacity)];
  const word = (body: number) => new Uint32Array(world.memory.buffer, base + body * PastPose.STRIDE + PastPose.step, 1);
  const kept = word(capacity)[0]!;
  for (const body of [capacity - 1, capacity]) word(body)[0] = 7;
  for (const body of [capacity - 1, capacity]) world.core.forgetPastPose(body);
  expect(word(capacity - 1)[0]).toBe(0);
  expect(word(capacity)[0]).toBe(7);
  word(capacity)[0] = kept;
});
