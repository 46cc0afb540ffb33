// Where a body meets a neighbor at its edge, as deep from above as from the side: the way that their own pair remembers decides whether
// the neighbor takes a contact over.
import { expect, it } from 'vitest';
import { Header, PairCold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

// Axes in the memory of two boxes (assembly/narrowphase/box_box.ts): faces of the first.
const [ALONG_X, ALONG_Y] = [1, 2];

it.each([
  [ALONG_Y, 0],
  [ALONG_X, 1],
])('with the axis %i of the neighbor, %i contacts are left', (axis, left) => {
  for (const before of [ALONG_X, ALONG_Y]) {
    const world = new BoxWorld();
    // The tile that the contact is of lies lower than its neighbor, which ends at x = 0.5.
    world.box([1.6, -0.51, 0.1], [1.1, 0.5, 2], { type: 0 });
    world.box([-0.75, -0.5, 0], [1.25, 0.5, 3], { type: 0 });
    world.box([0.89, 0.29, 0], [0.4, 0.3, 0.3]);
    expect(world.core.stepBroadphase()).toBe(0);
    expect(world.core.stepContacts()).toBe(0);
    const pair = world.core.testFindPair(1, 2) >>> 0;
    const view = new DataView(world.memory.buffer);
    const drop = (cache: number) => {
      view.setUint32(world.u32(Header.pairColds) + pair * PairCold.STRIDE + PairCold.cache, cache, true);
      const out = world.core.testOutputs() >>> 0;
      view.setUint32(out, 1, true);
      // A contact at the edge of the neighbor, whose normal leans over to it.
      const sine = Math.sqrt(1 - 0.5 * 0.5);
      const point = [0.498 - 1.6, -0.008 + 0.51, 0.05 - 0.1, -0.002];
      new Float32Array(world.memory.buffer, out + 16, 8).set([-sine, 0.5, 0, 0, ...point]);
      return world.core.testDropEdges(world.core.testFindPair(0, 2), 1, 0.02, 0.01) as number;
    };
    drop(before);
    expect(drop(axis)).toBe(left);
    expect(view.getUint32(world.u32(Header.pairColds) + pair * PairCold.STRIDE + PairCold.cache, true)).toBe(axis);
  }
});
