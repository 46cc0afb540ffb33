// What joints carry: forces and torques against statics, thresholds that break, momentum of what is free.
import { describe, expect, test } from 'vitest';
import { createRagdoll } from '../../src/rigs/index';
import type { JointDesc } from '../../src/study/index';
import { GRAVITY, position, steps, type V3, velocity } from '../helpers/ground';
import { ballMass, bar, boxMass, ghost, hash, JOINT_SOLVERS, jointWorld, totals } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  const HANGERS: [string, Partial<JointDesc> & { type: JointDesc['type'] }][] = [
    ['ball', { type: 'ball' }],
    ['hinge', { type: 'hinge', axis: [0, 0, 1] }],
    ['fixed', { type: 'fixed' }],
    ['cone-twist', { type: 'cone-twist', axis: [0, -1, 0], cone: 0.5 }],
    ['slider', { type: 'slider', axis: [1, 0, 0], limit: { min: 0, max: 0 } }],
    ['six-axis', { type: 'six-axis', axes: { x: { locked: true }, y: { locked: true }, z: { locked: true } } }],
  ];

  test.each(HANGERS)('the weight of a body on a %s is read within 1 %%', async (name, kind) => {
    const world = await jointWorld({ solver });
    const body = ghost(world, [0, 1, 0], boxMass(7, [0.2, 0.5, 0.3]));
    const joint = world.createJoint({ ...kind, bodyB: body, anchor: [0, 2, 0] });
    steps(world, 120);
    const { force, torque } = world.getJoint(joint);
    bar(`weight on ${name}: force off`, Math.abs(force[1] / (7 * GRAVITY) - 1), 0.01);
    bar(`weight on ${name}: force aside (share)`, Math.hypot(force[0], force[2]) / (7 * GRAVITY), 0.01);
    bar(`weight on ${name}: torque (N m)`, Math.hypot(...torque), 0.05);
  });

  test('a distance joint carries along its line', async () => {
    for (const more of [{ length: 1 }, { limit: { min: 0, max: 1 } }, { spring: { target: 1, frequency: 5 } }]) {
      const world = await jointWorld({ solver });
      const body = ghost(world, [0, -1, 0], ballMass(7, 0.2));
      const anchors = { anchorA: [0, 0, 0], anchorB: [0, 0, 0] };
      const joint = world.createJoint({ type: 'distance', bodyB: body, ...anchors, ...more });
      steps(world, 240);
      const { force, axisForce } = world.getJoint(joint);
      const carried = 'length' in more ? force[1] : Math.abs(axisForce);
      bar(`weight on a distance joint (${Object.keys(more)[0]}): off`, Math.abs(carried / (7 * GRAVITY) - 1), 0.01);
    }
  });

  test('a cantilever on a fixed joint carries force and torque', async () => {
    const world = await jointWorld({ solver });
    const beam = ghost(world, [1, 0, 0.3], boxMass(5, [1, 0.1, 0.1]));
    const joint = world.createJoint({ type: 'fixed', bodyB: beam, anchor: [0, 0, 0] });
    steps(world, 120);
    const { force, torque, swing, gap } = world.getJoint(joint);
    const weight = 5 * GRAVITY;
    bar('cantilever: force off', Math.abs(force[1] / weight - 1), 0.01);
    // On B, about its anchor: against r x weight, r = (1, 0, 0.3).
    bar('cantilever: torque z off', Math.abs(torque[2] / weight - 1), 0.01);
    bar('cantilever: torque x off', Math.abs(torque[0] / (-0.3 * weight) - 1), 0.01);
    bar('cantilever: bent (rad)', swing, 0.1 * (Math.PI / 180));
    bar('cantilever: gap (m)', gap, 1e-3);
    // A pull from outside, the other way round.
    world.addForce(beam, [30, 0, 0]);
    world.step();
    bar('cantilever pulled: force off', Math.abs(world.getJoint(joint).force[0] / -30 - 1), 0.01);
  });

  test('each joint of a chain carries what hangs below it', async () => {
    const world = await jointWorld({ solver });
    const masses = [1, 4, 0.5, 3, 2];
    const bodies = masses.map((mass, i) => ghost(world, [0, -0.5 - i, 0], boxMass(mass, [0.1, 0.4, 0.1])));
    const joints = bodies.map((bodyB, i) =>
      world.createJoint({ type: 'ball', bodyA: i === 0 ? null : bodies[i - 1]!, bodyB, anchor: [0, -i, 0] }),
    );
    steps(world, 240);
    joints.forEach((id, i) => {
      const below = masses.slice(i).reduce((sum, mass) => sum + mass, 0) * GRAVITY;
      bar(`chain, joint ${i}: force off`, Math.abs(world.getJoint(id).force[1] / below - 1), 0.01);
    });
  });

  test('a joint breaks above its force, with one event, and not below', async () => {
    for (const share of [1.05, 0.95]) {
      const world = await jointWorld({ solver });
      const body = ghost(world, [0, 0, 0], ballMass(3, 0.2));
      const other = ghost(world, [5, 0, 0], ballMass(3, 0.2));
      const joint = world.createJoint({ type: 'ball', bodyB: body, anchor: [0, 1, 0], breakForce: share * 3 * GRAVITY });
      world.createJoint({ type: 'ball', bodyB: other, anchor: [5, 1, 0] });
      const events: number[] = [];
      for (let i = 0; i < 120; i++) {
        world.step();
        for (const id of world.events.jointBreaks) {
          expect(id).toBe(joint);
          events.push(i);
        }
      }
      const { broken, enabled, force } = world.getJoint(joint);
      if (share > 1) {
        expect(events).toEqual([]);
        expect([broken, enabled]).toEqual([false, true]);
        expect(position(world, body)[1]).toBeCloseTo(0, 3);
      } else {
        expect(events).toHaveLength(1);
        expect(events[0]).toBeLessThan(3);
        expect([broken, enabled]).toEqual([true, false]);
        expect(Math.hypot(...force)).toBe(0);
        expect(velocity(world, body)[1]).toBeLessThan(-GRAVITY * 1.9);
        // Mended, it holds again where it is not too much.
        world.setVelocity(body, [0, 0, 0]);
        world.teleport(body, [0, 0, 0]);
        world.setJoint(joint, { enabled: true, breakForce: 1e6 });
        steps(world, 60);
        expect(world.getJoint(joint).broken).toBe(false);
        expect(position(world, body)[1]).toBeCloseTo(0, 3);
      }
      // The other one hangs on.
      expect(position(world, other)[1]).toBeCloseTo(0, 3);
    }
  });

  test('a joint breaks above its torque', async () => {
    for (const share of [1.05, 0.95]) {
      const world = await jointWorld({ solver });
      const beam = ghost(world, [1, 0, 0], boxMass(5, [1, 0.1, 0.1]));
      const joint = world.createJoint({ type: 'fixed', bodyB: beam, anchor: [0, 0, 0], breakTorque: share * 5 * GRAVITY });
      steps(world, 60);
      expect(world.getJoint(joint).broken).toBe(share < 1);
      expect(position(world, beam)[1] < -1).toBe(share < 1);
    }
  });

  test('a rope breaks when a fall is caught', async () => {
    const world = await jointWorld({ solver });
    const body = ghost(world, [0, -0.2, 0], ballMass(2, 0.1));
    const joint = world.createJoint({
      type: 'distance',
      bodyB: body,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      limit: { min: 0, max: 1 },
      breakForce: 10 * 2 * GRAVITY,
    });
    let broke = -1;
    for (let i = 0; i < 60 && broke < 0; i++) {
      world.step();
      if (world.events.jointBreaks.length > 0) broke = i;
    }
    // After a fall of 0.8 m: 0.404 s.
    expect(Math.abs(broke - Math.sqrt(1.6 / GRAVITY) * 60)).toBeLessThan(3);
    expect(world.getJoint(joint).broken).toBe(true);
  });

  test.each([13, 17] as const)('a free ragdoll of %s bodies keeps momentum and angular momentum', async (count) => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const doll = createRagdoll(world, { bodies: count });
    const random = seeded(count);
    const some = (size: number) => [0, 1, 2].map(() => size * (2 * random() - 1)) as V3;
    // Every body gets a push of its own, all of them one spin.
    for (const id of doll.bodies) {
      const p = position(world, id);
      const w: V3 = [1, 2, -1];
      const turned: V3 = [w[1] * p[2] - w[2] * p[1], w[2] * p[0] - w[0] * p[2], w[0] * p[1] - w[1] * p[0]];
      const push = some(0.5);
      world.setVelocity(id, turned.map((x, k) => x + push[k]! + 1) as V3, w.map((x, k) => x + some(1)[k]!) as V3);
    }
    const first = totals(world, doll.bodies);
    let [momentum, angular, most] = [0, 0, 0];
    const apart = (a: V3, b: V3) => Math.hypot(...a.map((x, k) => x - b[k]!)) / Math.hypot(...b);
    for (let i = 0; i < 600; i++) {
      world.step();
      const now = totals(world, doll.bodies);
      momentum = Math.max(momentum, apart(now.momentum, first.momentum));
      angular = Math.max(angular, apart(now.angular, first.angular));
      most = Math.max(most, now.kinetic / first.kinetic - 1);
    }
    bar(`free ragdoll ${count}: momentum lost`, momentum, 1e-3);
    bar(`free ragdoll ${count}: angular momentum lost`, angular, 0.01);
    bar(`free ragdoll ${count}: energy gained`, most, 0.01);
    const gaps = doll.joints.map((id) => world.getJoint(id).gap);
    bar(`free ragdoll ${count}: largest gap (m)`, Math.max(...gaps), 1e-3);
  });

  test('a driven ragdoll takes the pose asked for, gravity or not', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const doll = createRagdoll(world, { drive: { frequency: 6, dampingRatio: 1 } });
    const half = (axis: V3, angle: number) => [...axis.map((x) => x * Math.sin(angle / 2)), Math.cos(angle / 2)];
    const pose = {
      forearmL: half([0, -1, 0], 1.2),
      forearmR: half([0, 1, 0], 0.6),
      shinL: half([1, 0, 0], 1),
      upperArmL: half([0, 0, 1], -0.5),
      thighR: half([1, 0, 0], -0.6),
      head: half([0, 1, 0], 0.5),
      chest: half([0, 0, 1], 0.1),
    };
    doll.setPose(pose);
    steps(world, 180);
    const { locals } = doll.readPose({ locals: [] as number[] });
    for (const [name, target] of Object.entries(pose)) {
      const i = doll.bones.findIndex((bone) => bone.name === name);
      const cosine = Math.abs(target.reduce((sum, x, k) => sum + x * locals[4 * i + k]!, 0));
      bar(`pose: ${name} off (rad)`, 2 * Math.acos(Math.min(1, cosine)), 0.025);
    }
    bar('pose: spin it has given itself (kg m2/s)', Math.hypot(...totals(world, doll.bodies).angular), 0.1);
  });

  test('the same calls give the same bits', async () => {
    const make = async () => {
      const world = await jointWorld({ solver });
      world.createBody({
        type: 'static',
        position: [0, -1, 0],
        shape: world.createShape({ type: 'box', halfExtents: [20, 1, 20] }),
      });
      for (let i = 0; i < 4; i++) createRagdoll(world, { position: [0.3 * i, 0.5 + 2 * i, 0.1 * i], bodies: i % 2 ? 17 : 13 });
      const box = boxMass(2, [0.2, 0.3, 0.2]);
      const kinds: Omit<JointDesc, 'bodyB' | 'anchor'>[] = [
        { type: 'hinge', axis: [0, 0, 1], motor: { velocity: 2, maxForce: 10 } },
        { type: 'slider', axis: [0, 1, 0], limit: { min: -1, max: 1 }, spring: { frequency: 2 } },
        { type: 'cone-twist', axis: [1, 0, 0], cone: 0.5, limit: { min: -0.2, max: 0.2 } },
        { type: 'cylindrical', axis: [0, 1, 0], limit: { min: -0.5, max: 0 }, twist: { friction: 0.1 } },
        {
          type: 'six-axis',
          axes: { x: { locked: true }, y: { limit: { min: -0.3, max: 0.3 } }, twist: { spring: { frequency: 1 } } },
        },
        { type: 'wheel', axis: [0, 0, 1], spring: { frequency: 2 } },
        { type: 'fixed', breakForce: 15 },
      ];
      kinds.forEach((kind, i) => {
        const body = ghost(world, [3 * i, 8, 5], box);
        world.createJoint({ ...kind, bodyB: body, anchor: [3 * i + 0.4, 8, 5] } as JointDesc);
      });
      return world;
    };
    const [first, second] = [await make(), await make()];
    const hashes: number[] = [];
    for (let i = 0; i < 20; i++) {
      steps(first, 10);
      hashes.push(hash(first));
    }
    expect(new Set(hashes).size).toBe(20);
    let twin = await second.clone();
    for (let i = 0; i < 20; i++) {
      steps(second, 10);
      // Readings look and do not touch.
      for (const id of second.jointsOf(second.bodyAt(3)!)) second.getJoint(id);
      expect(hash(second), `step ${10 * i + 10}`).toBe(hashes[i]);
      steps(twin, 10);
      expect(hash(twin), `clone, step ${10 * i + 10}`).toBe(hashes[i]);
      if (i === 9) twin = await second.clone();
    }
  });
});
