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

/** Boxes that fly about in all directions. */
function swarm(): CoreWorld {
  const random = seeded(6);
  const place = () => [5 * random(), 3 + 5 * random(), 5 * random()] as Vec3;
  const world = boxWorld(Array.from({ length: 110 }, () => ({ at: place(), half: [0.1, 0.12, 0.15] as Vec3 })));
  const speed = () => 60 * (random() - 0.5);
  for (let body = 1; body <= 110; body++) world.core.setVelocity(body, speed(), speed(), speed(), 0, 0, 0);
  return world;
}

/** Many ropes of a few joints in the air, and boxes on the floor. */
function ropes(): CoreWorld {
  const world = boxWorld(Array.from({ length: 8 }, (_, i) => ({ at: [3 * i, 0.3, 9] as Vec3, half: [0.3, 0.3, 0.4] as Vec3 })));
  for (let rope = 0; rope < 50; rope++) {
    let last: number | null = null;
    for (let i = 0; i < 7; i++) {
      const body = addBody(world, [0.3 * i, 30 + 0.02 * i, 2 * rope], 1 + (i % 3), [0.1, 0.2, 0.15]);
      const anchorA: Vec3 = last === null ? [-0.15, 30, 2 * rope] : [0.15, 0.01, -0.005];
      addJoint(world, { ...ball, bodyA: last, bodyB: body, anchorA, anchorB: [-0.15, -0.01, 0.005] });
      last = body;
    }
  }
  return world;
}

it.each([
  ['a heap of many boxes', heap, 6, 1],
  ['boxes that fly about', swarm, 8, 1],
  ['ropes of many joints', ropes, 8, 1],
  ['ropes, with two sweeps', ropes, 6, 2],
] as const)('%s', (_, make, steps, sweeps) => {
  const [plain, shared] = [make(), make()];
  for (const world of [plain, shared]) world.setHeader('sweeps', sweeps);
  offer(shared);
  for (let i = 0; i < steps; i++) {
    const before = jobs(shared);
    for (const world of [plain, shared]) expect(world.core.step()).toBe(0);
    // Nothing but the sweeps of the ropes is worth a job, and these go one by one where there are several.
    if (sweeps === 1) expect(jobs(shared)).toBeGreaterThan(before);
    else expect(jobs(shared)).toBe(0);
    expect(fastest(shared)).toBe(fastest(plain));
    expect(shared.header('pairCount')).toBe(plain.header('pairCount'));
    if (i % 3 === 2) expect(shared.state()).toEqual(plain.state());
  }
  expect(shared.state()).toEqual(plain.state());
  expect(jobs(plain)).toBe(0);
});

it('pairs of many colliders that moved are looked for in a job of its own', () => {
  const world = swarm();
  offer(world);
  const before = jobs(world);
  expect(world.core.stepBroadphase()).toBe(0);
  expect(jobs(world)).toBe(before + 1);
  const few = boxWorld([{ at: [0, 2, 0], half: [0.1, 0.2, 0.3] }]);
  offer(few);
  expect(few.core.stepBroadphase()).toBe(0);
  expect(jobs(few)).toBe(0);
});
