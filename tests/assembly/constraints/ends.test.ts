// What constraints leave when they end, and stages that look at all joints, all moved colliders, all components of a field: against
// plain rules.
import { expect, it } from 'vitest';
import { BodyCold, BodyNode, HEADER_PTR, Header, Joint } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { addBody, addJoint, ball, recordOf } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';
import { seeded } from '../../helpers/random';

const KEPT = ['jx', 'jy', 'jz', 'tx', 'ty', 'tz', 'twist'] as const;

it.each(KEPT.flatMap((field) => [0, 1, 2].map((which) => [field, which] as const)))(
  'a joint whose %s is no number starts from nothing, be it number %d of three; others keep theirs',
  (field, which) => {
    const world = boxWorld([]);
    const joints = [0, 1, 2].map((i) => {
      const body = addBody(world, [4 * i, 20, 3], 2);
      return addJoint(world, { ...ball, bodyA: null, bodyB: body, anchorA: [4 * i, 20, 3], anchorB: [0, 0, 0] });
    });
    const view = new DataView(world.memory.buffer);
    const at = (joint: number, name: keyof typeof Joint) =>
      view.getUint32(HEADER_PTR + Header.joints, true) + joint * Joint.STRIDE + Joint[name];
    for (const joint of joints) for (const [k, name] of KEPT.entries()) view.setFloat32(at(joint, name), 1 + k + 8 * joint, true);
    for (const value of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      view.setFloat32(at(joints[which]!, field), value, true);
      world.core.dropStoppedJoints();
      for (const joint of joints) {
        const read = recordOf(world, joint);
        for (const [k, name] of KEPT.entries()) {
          if (joint !== joints[which] || (name === 'twist' && field !== 'twist')) expect(read(name)).toBe(1 + k + 8 * joint);
          else expect(read(name)).toBe(0);
        }
      }
    }
  },
);

/** Cuts of the island of a body. */
const cutsOf = (world: BoxWorld, body: number) =>
  new DataView(world.memory.buffer).getUint32(world.u32(Header.bodyNodes) + body * BodyNode.STRIDE + BodyNode.cuts, true);

it('a contact that ends is counted in its island, which a split then parts', () => {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  const [a, b, c] = [0, 1, 2].map((i) => world.box([1.5 + 0.6 * i, 2, 0], [0.301, 0.2, 0.25 + 0.1 * i])) as [
    number,
    number,
    number,
  ];
  world.step();
  expect([a, b, c].map((body) => world.core.testIslandOf(body))).toEqual([a, a, a]);
  expect(cutsOf(world, a)).toBe(0);
  world.core.setPose(c, 9, 9, 9, 0, 0, 0, 1);
  world.step();
  expect(cutsOf(world, a)).toBe(1);
  world.core.testSplitIslands();
  expect([a, b, c].map((body) => world.core.testIslandOf(body))).toEqual([a, a, c]);
});

it('a joint to the world cuts no island, whatever lies before the rows of bodies', () => {
  const world = boxWorld([]);
  const [a, b] = [addBody(world, [3, 9, 1]), addBody(world, [5, 9, 1])];
  const joint = addJoint(world, { ...ball, bodyA: null, bodyB: b, anchorA: [5, 9, 1], anchorB: [0, 0, 0] });
  const view = new DataView(world.memory.buffer);
  const flagsOf = (body: number) => world.header('bodyColds') + body * BodyCold.STRIDE + BodyCold.flags;
  const [before, root] = [flagsOf(-1), world.header('islandParents') - 4];
  const kept = [before, root].map((at) => view.getUint32(at, true));
  view.setUint32(before, view.getUint32(flagsOf(a), true), true);
  view.setUint32(root, a, true);
  world.core.setJointFlags(joint, 0);
  for (const [i, at] of [before, root].entries()) view.setUint32(at, kept[i]!, true);
  for (const body of [a, b])
    expect(view.getUint32(world.header('bodyNodes') + body * BodyNode.STRIDE + BodyNode.cuts, true)).toBe(0);
});

it('pairs are looked for of the colliders that moved alone: behind them the list holds none', () => {
  const world = new BoxWorld();
  const random = seeded(8);
  const boxes = Array.from({ length: 21 }, () => {
    const at = [0, 1, 2].map(() => 3 * random());
    return { at, body: world.box(at, [0.5, 0.4, 0.3]) };
  });
  world.setF32(Header.gravityY, 0);
  const list = world.core.testMovedList() >>> 2;
  const words = new Uint32Array(world.memory.buffer);
  const [base, capacity, count] = [words[list]!, words[list + 1]!, words[list + 2]!];
  expect(count).toBe(21);
  expect(capacity).toBeGreaterThan(21);
  words.fill(0x0f0f0f0f, (base >>> 2) + count, (base >>> 2) + capacity);
  world.core.stepBroadphase();
  // Boxes that overlap with all of their margins are pairs.
  for (let a = 0; a < 21; a++)
    for (let b = a + 1; b < 21; b++) {
      const gaps = [1, 0.8, 0.6].map((size, i) => Math.abs(boxes[a]!.at[i]! - boxes[b]!.at[i]!) - size);
      if (Math.max(...gaps) < 0) expect(world.core.testFindPair(a, b), `${a} ${b}`).toBeGreaterThanOrEqual(0);
      if (Math.max(...gaps) > 0.3) expect(world.core.testFindPair(a, b), `${a} ${b}`).toBe(-1);
    }
});

it.each([
  [0.02, 0, 0],
  [0, 0.02, 0],
  [0, 0, 0.02],
  [0.02, 0, -0.02],
  [0, 0, 0],
])('without weight a slow body does not fall asleep in a field (%d, %d, %d), but without one', (...force) => {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  world.setU32(Header.sleep, 1);
  world.setF32(Header.sleepSpeed, 5);
  world.setF32(Header.sleepTime, 0.05);
  world.box([0, 9, 0], [0.4, 0.3, 0.2]);
  for (let i = 0; i < 20; i++) {
    world.core.addField(0, ...force, 0, 0, 0);
    world.step();
  }
  expect(world.u32(Header.sleepingCount)).toBe(force.every((x) => x === 0) ? 1 : 0);
});

it.each([
  [-9, 0, 0],
  [0, -9, 0],
  [0, 0, 9],
  [-5, 6, 4],
])('under gravity (%d, %d, %d) a sleeping body wakes by a field of more than a hundredth of its weight', (...gravity) => {
  for (const share of [0.003, 0.03]) {
    const world = new BoxWorld();
    const size = Math.hypot(...gravity);
    const down = gravity.map((g) => g / size);
    for (const [i, field] of [Header.gravityX, Header.gravityY, Header.gravityZ].entries()) world.setF32(field, gravity[i]!);
    world.setU32(Header.sleep, 1);
    const body = world.box([1, 2, 3], [0.4, 0.2, 0.3]);
    world.step();
    world.core.sleepBody(body);
    const weight = 8 * 0.4 * 0.2 * 0.3 * 1000 * size;
    const step = (field: number[]) => {
      world.core.addField(body, ...field, 0, 0, 0);
      world.step();
      return world.u32(Header.sleepingCount);
    };
    for (let i = 0; i < 4; i++) expect(step([0, 0, 0])).toBe(1);
    expect(step(down.map((x) => x * weight * share))).toBe(share < 0.01 ? 1 : 0);
  }
});
