// Bodies that a call puts to sleep before a step has found their contacts: the contacts have points, and no place in the solver.
import { expect, it } from 'vitest';
import { Header, Manifold, NONE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

it.each([1, 2, 3])('contacts of %i sleepers are found and not solved; they get their lanes when the sleepers wake', (count) => {
  const world = new BoxWorld();
  world.setU32(Header.sleep, 1);
  world.box([0.4, -1, 0.2], [9, 1, 4], { type: 0 });
  const bodies = Array.from({ length: count }, (_, i) => world.box([2 * i - 3, 0.195, 0], [0.5, 0.2, 0.4]));
  for (const body of bodies) world.core.sleepBody(body);
  world.step(2);
  const lanes = () => {
    const view = new DataView(world.memory.buffer);
    const found: number[] = [];
    for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
      const at = world.core.manifoldAt(m) >>> 0;
      if (view.getUint32(at + Manifold.count, true) > 0) found.push(view.getUint32(at + Manifold.lane, true));
    }
    return found;
  };
  expect(lanes()).toEqual(bodies.map(() => NONE));
  for (const body of bodies) {
    expect(world.core.isAsleep(body)).toBe(1);
    expect([...world.linearVelocity(body), ...world.angularVelocity(body)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(world.position(body)[1]).toBe(Math.fround(0.195));
  }
  for (const body of bodies) world.core.wakeBody(body);
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(lanes().length).toBe(count);
  for (const lane of lanes()) expect(lane).not.toBe(NONE);
});
