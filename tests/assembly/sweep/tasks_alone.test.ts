// Jobs that are offered to several threads while one of them does all the tasks: a step gives the bits of one that offers none, over
// every stage that shares its work.
import { expect, it } from 'vitest';
import { HEADER_PTR, Header, Team } from '../../../src/layout.generated';
import { addBody, addJoint, ball } from '../../helpers/core_joints';
import { boxWorld, type CoreWorld } from '../../helpers/core_world';
import type { Vec3 } from '../../helpers/manifold_builder';
import { seeded } from '../../helpers/random';

/** The core offers tasks to two threads from now on. */
function offer(world: CoreWorld): void {
  expect(world.core.reserveThreads(2)).toBe(1);
  world.setHeader('threads', 2);
}
const jobs = ({ core, memory }: CoreWorld) => new DataView(memory.buffer).getUint32((core.testTeam() >>> 0) + Team.number, true);
const fastest = ({ memory }: CoreWorld) => new DataView(memory.buffer).getFloat32(HEADER_PTR + Header.fastest, true);

/** Boxes in a loose block that falls on the floor. */
function heap(): CoreWorld {
  const random = seeded(4);
  const boxes = Array.from({ length: 540 }, (_, i) => ({
    at: [
      (i % 9) * 0.62 + 0.1 * random(),
      0.3 + 0.55 * Math.floor(i / 81),
      (Math.floor(i / 9) % 9) * 0.64 + 0.1 * random(),
    ] as Vec3,
    half: [0.3, 0.25, 0.28] as Vec3,
  }));
  return boxWorld(boxes);
}

/** A long chain of joints in the air, and boxes on the floor. */
function chains(): CoreWorld {
  const world = boxWorld(Array.from({ length: 8 }, (_, i) => ({ at: [3 * i, 0.3, 9] as Vec3, half: [0.3, 0.3, 0.4] as Vec3 })));
  let last: number | null = null;
  for (let i = 0; i < 260; i++) {
    const body = addBody(world, [0.3 * i, 30 + 0.02 * i, -0.01 * i], 1 + (i % 3), [0.1, 0.2, 0.15]);
    const [anchorA, anchorB]: [Vec3, Vec3] = [last === null ? [-0.15, 30, 0] : [0.15, 0.01, -0.005], [-0.15, -0.01, 0.005]];
    addJoint(world, { ...ball, bodyA: last, bodyB: body, anchorA, anchorB });
    last = body;
  }
  return world;
}

it.each([
  ['a heap of many boxes', heap, 6, 1],
  ['a chain of many joints', chains, 10, 1],
  ['a chain, with two sweeps', chains, 6, 2],
] as const)('%s', (_, make, steps, sweeps) => {
  const [plain, shared] = [make(), make()];
  for (const world of [plain, shared]) world.setHeader('sweeps', sweeps);
  offer(shared);
  for (let i = 0; i < steps; i++) {
    const before = jobs(shared);
    for (const world of [plain, shared]) expect(world.core.step()).toBe(0);
    // Nothing but the sweeps of the chain is worth a job, and these go one by one where there are several.
    if (sweeps === 1) expect(jobs(shared)).toBeGreaterThan(before);
    else expect(jobs(shared)).toBe(0);
    expect(fastest(shared)).toBe(fastest(plain));
    expect(shared.header('pairCount')).toBe(plain.header('pairCount'));
    if (i % 3 === 2) expect(shared.state()).toEqual(plain.state());
  }
  expect(shared.state()).toEqual(plain.state());
  expect(jobs(plain)).toBe(0);
});
