// Joints in a world that changes: sleep and waking, bodies removed from the middle, switching on and off, random edits.
import { describe, expect, test } from 'vitest';
import { createChain, createNet, createRagdoll, createRope } from '../../src/rigs/index';
import { type BodyId, type JointDesc, type JointId, TalusError } from '../../src/study/index';
import { faultsOf, NO_FAULTS, position, steps, type V3, velocity } from '../helpers/ground';
import { ballMass, bar, boxMass, ghost, JOINT_SOLVERS, jointWorld, rmsSpeed } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  const line = (n: number, way = 0.2): V3[] => Array.from({ length: n + 1 }, (_, i) => [0, -way * i, 0]);

  test('a hanging chain, a rope, a net and a lever at rest fall asleep, and wake whole', async () => {
    const world = await jointWorld({ solver, sleep: true, substeps: 'auto' });
    const chain = createChain(world, { points: line(12), radius: 0.03, start: 'world' });
    const rope = createRope(world, {
      points: [
        [2, 0, 0],
        [2, -2, 0],
      ],
      segments: 10,
      radius: 0.02,
      start: 'world',
      style: 'beads',
    });
    const net = createNet(world, {
      corner: [4, 0, 0],
      right: [2, 0, 0],
      down: [0, -1, 0],
      columns: 5,
      rows: 4,
      radius: 0.03,
      pins: 'top',
    });
    const lever = ghost(world, [-2, 0, 0], boxMass(3, [0.5, 0.05, 0.05]));
    world.createJoint({ type: 'hinge', bodyB: lever, anchor: [-2.5, 0, 0], axis: [0, 0, 1], limit: { min: -0.4, max: 0 } });
    const all = [...chain.bodies, ...rope.bodies, ...net.bodies, lever];
    steps(world, 900);
    expect(all.filter((id) => !world.isAsleep(id)).length).toBe(0);
    const places = all.map((id) => position(world, id));
    steps(world, 600);
    all.forEach((id, i) => {
      expect(position(world, id)).toEqual(places[i]);
    });
    world.applyImpulse(chain.bodies.at(-1)!, [0.5, 0, 0]);
    expect(chain.bodies.some((id) => world.isAsleep(id))).toBe(false);
    expect(rope.bodies.every((id) => world.isAsleep(id))).toBe(true);
    steps(world, 20);
    expect(Math.abs(velocity(world, chain.bodies[5]!)[0])).toBeGreaterThan(1e-4);
  });

  test('a pendulum in motion does not sleep, and a joint wakes what it is made on', async () => {
    const world = await jointWorld({ solver, sleep: true, substeps: 'auto' });
    const [a, b] = [ghost(world, [0.3, -1, 0], ballMass(1, 0.1)), ghost(world, [3, -1, 0], ballMass(1, 0.1))];
    world.createJoint({ type: 'ball', bodyB: a, anchor: [0, 0, 0], frictionLever: 0 });
    const joint = world.createJoint({ type: 'ball', bodyB: b, anchor: [3, 0, 0] });
    steps(world, 300);
    expect(world.isAsleep(a)).toBe(false);
    expect(world.isAsleep(b)).toBe(true);
    world.setJoint(joint, { enabled: false });
    expect(world.isAsleep(b)).toBe(false);
    steps(world, 30);
    expect(velocity(world, b)[1]).toBeLessThan(-4);
  });

  test('what falls on a moving platform by its joint does not sleep while that moves', async () => {
    const world = await jointWorld({ solver, sleep: true, substeps: 'auto' });
    const cart = ghost(world, [0, 0, 0], boxMass(1, [0.5, 0.5, 0.5]), { type: 'kinematic' });
    const bob = ghost(world, [0, -1, 0], ballMass(1, 0.1));
    world.createJoint({ type: 'ball', bodyA: cart, bodyB: bob, anchor: [0, 0, 0] });
    steps(world, 300);
    expect(world.isAsleep(bob)).toBe(true);
    world.setVelocity(cart, [1, 0, 0]);
    steps(world, 60);
    expect(world.isAsleep(bob)).toBe(false);
    expect(Math.abs(position(world, bob)[0] - 1)).toBeLessThan(1.1);
    expect(position(world, bob)[0]).toBeGreaterThan(0.2);
  });

  test.each([13, 17] as const)('a ragdoll of %s bodies that falls on the ground comes to rest and sleeps', async (bodies) => {
    const world = await jointWorld({ solver, sleep: true, substeps: 'auto' });
    world.createBody({
      type: 'static',
      position: [0, -1, 0],
      shape: world.createShape({ type: 'box', halfExtents: [30, 1, 30] }),
    });
    const dolls = [0, 1, 2, 3].map((i) =>
      createRagdoll(world, { bodies, position: [4 * i, 1 + 0.5 * i, 0], rotation: [Math.sin(i), 0.3, 0, Math.cos(i)] }),
    );
    let asleep = -1;
    let gap = 0;
    for (let i = 0; i < 1800 && asleep < 0; i++) {
      world.step();
      if (i % 10 === 0) for (const doll of dolls) for (const id of doll.joints) gap = Math.max(gap, world.getJoint(id).gap);
      if (dolls.every((doll) => doll.bodies.every((id) => world.isAsleep(id)))) asleep = i / 60;
    }
    const all = dolls.flatMap((doll) => doll.bodies);
    bar(`ragdolls ${bodies}: rms speed at the end (m/s)`, rmsSpeed(world, all), 1e-3);
    bar(`ragdolls ${bodies}: largest gap (m)`, gap, 0.02);
    bar(`ragdolls ${bodies}: asleep after (s)`, asleep < 0 ? Infinity : asleep, 30);
    for (const id of all) expect(position(world, id)[1]).toBeGreaterThan(-0.05);
    // Limits hold at rest.
    let beyond = 0;
    for (const id of dolls.flatMap((doll) => doll.joints)) {
      const { swing, twist, settings } = world.getJoint(id);
      beyond = Math.max(beyond, twist - settings.limit!.max, settings.limit!.min - twist, swing - (settings.cone ?? Math.PI));
    }
    bar(`ragdolls ${bodies}: limits exceeded (rad)`, beyond, 2 * (Math.PI / 180));
  });

  test('a spinning body of a pair that a thin wall holds up goes along its arc: the joint stays closed', async () => {
    const worst = [];
    for (const start of [-2.5, -2.55]) {
      const world = await jointWorld({ solver, gravity: [0, 0, 0] });
      world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [0.02, 5, 5] }) });
      const shape = world.createShape({ type: 'box', halfExtents: [0.2, 0.04, 0.04] });
      const a = world.createBody({ shape, position: [start, 0, 0] });
      const b = world.createBody({ shape, position: [start + 0.4, 0, 0] });
      const joint = world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [start + 0.2, 0, 0] });
      world.setVelocity(a, [30, 0, 0], [0, 0, 0]);
      world.setVelocity(b, [30, 20, 0], [0, 0, 100]);
      let gap = 0;
      for (let i = 0; i < 12; i++) {
        world.step();
        gap = Math.max(gap, world.getJoint(joint).gap);
        expect(Math.max(position(world, a)[0], position(world, b)[0])).toBeLessThan(0);
      }
      worst.push(gap);
    }
    // The share of the chord of its arc left 32 mm.
    bar('pair at a wall: largest gap (m)', Math.max(...worst), 0.001);
  });

  test('a body removed from the middle of a chain takes its joints along; the rest hangs or falls', async () => {
    const world = await jointWorld({ solver });
    const chain = createChain(world, { points: line(10), radius: 0.03, start: 'world' });
    steps(world, 60);
    const [, fifth, sixth] = [chain.bodies[4]!, chain.bodies[5]!, chain.bodies[6]!];
    const gone = world.jointsOf(fifth);
    expect(gone).toHaveLength(2);
    expect(world.jointCount).toBe(10);
    world.removeBody(fifth);
    expect(world.jointCount).toBe(8);
    for (const id of gone) expect(world.hasJoint(id)).toBe(false);
    expect(() => world.getJoint(gone[0]!)).toThrow(TalusError);
    expect(() => world.setJoint(gone[0]!, { breakForce: 1 })).toThrow(expect.objectContaining({ code: 'stale-handle' }));
    expect(world.jointsOf(sixth)).toHaveLength(1);
    steps(world, 30);
    expect(velocity(world, sixth)[1]).toBeCloseTo(-9.81 * 0.5, 1);
    expect(Math.hypot(...velocity(world, chain.bodies[4]!))).toBeLessThan(1e-3);
    // Slots are used anew, old ids stay stale.
    const fresh = createChain(world, { points: line(3).map(([x, y]) => [x + 3, y, 0]), radius: 0.03, start: 'world' });
    for (const id of gone) expect(world.hasJoint(id)).toBe(false);
    steps(world, 30);
    expect(Math.hypot(...velocity(world, fresh.bodies.at(-1)!))).toBeLessThan(1e-2);
  });

  test('a sleeping chain wakes when one of its bodies goes', async () => {
    const world = await jointWorld({ solver, sleep: true, substeps: 'auto' });
    const chain = createChain(world, { points: line(8), radius: 0.03, start: 'world' });
    steps(world, 300);
    expect(chain.bodies.every((id) => world.isAsleep(id))).toBe(true);
    world.removeBody(chain.bodies[3]!);
    steps(world, 30);
    expect(velocity(world, chain.bodies[5]!)[1]).toBeLessThan(-4);
    expect(velocity(world, chain.bodies[1]!)[1]).toBeGreaterThan(-0.1);
  });

  test('bodies of a joint collide if it says so, and again when it is gone', async () => {
    for (const collide of [false, true]) {
      const world = await jointWorld({ solver });
      const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.1] });
      const a = world.createBody({ type: 'static', shape });
      const b = world.createBody({ shape, position: [0.8, 0.5, 0] });
      const joint = world.createJoint({ type: 'hinge', bodyA: a, bodyB: b, anchor: [0.8, 0.5, 0], axis: [0, 0, 1], collide });
      world.teleport(b, [0.8, 0.15, 0]);
      world.setJoint(joint, { anchorA: [0.8, 0.15, 0] });
      steps(world, 10);
      expect(world.profile.contactCount > 0).toBe(collide);
      world.setJoint(joint, { collide: !collide });
      steps(world, 2);
      expect(world.profile.contactCount > 0).toBe(!collide);
      world.removeJoint(joint);
      steps(world, 2);
      expect(world.profile.contactCount).toBeGreaterThan(0);
    }
  });

  test('a change of mass, type or pose of a joined body counts from the next step', async () => {
    const world = await jointWorld({ solver });
    const [a, b] = [ghost(world, [0, -1, 0], ballMass(1, 0.1)), ghost(world, [0, -2, 0], ballMass(1, 0.1))];
    world.createJoint({ type: 'ball', bodyB: a, anchor: [0, 0, 0] });
    const joint = world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [0, -1, 0] });
    steps(world, 60);
    world.setMass(b, ballMass(5, 0.1));
    steps(world, 60);
    bar('after setMass: force off', Math.abs(world.getJoint(joint).force[1] / (5 * 9.81) - 1), 0.01);
    world.setType(a, 'static');
    world.setType(b, 'static');
    steps(world, 10);
    expect(Math.hypot(...velocity(world, b))).toBe(0);
    world.setType(b, 'dynamic');
    world.setMass(b, ballMass(2, 0.1));
    steps(world, 60);
    bar('after setType: force off', Math.abs(world.getJoint(joint).force[1] / (2 * 9.81) - 1), 0.01);
    world.teleport(a, [1, -1, 0]);
    steps(world, 180);
    const [p, q] = [position(world, a), position(world, b)];
    expect(Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2])).toBeCloseTo(1, 2);
  });

  test('a thousand random edits of joints between steps leave a sound world', async () => {
    const world = await jointWorld({ solver, sleep: true, substeps: 'auto' });
    const random = seeded(99);
    const range = (low: number, high: number) => low + (high - low) * random();
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const vector = (size: number) => [range(-size, size), range(-size, size), range(-size, size)] as V3;
    const box = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
    world.createBody({
      type: 'static',
      position: [0, -1, 0],
      shape: world.createShape({ type: 'box', halfExtents: [20, 1, 20] }),
    });
    const bodies: BodyId[] = [];
    const joints: JointId[] = [];
    const dead: JointId[] = [];
    let [made, refused, broke] = [0, 0, 0];
    const axis = () => ({
      ...(random() < 0.5 ? { limit: { min: range(-1, 0), max: range(0, 1) } } : {}),
      ...pick([
        {},
        { motor: { velocity: range(-3, 3), maxForce: range(0, 100) } },
        { spring: { frequency: range(0.5, 8), dampingRatio: random() } },
      ]),
      ...(random() < 0.3 ? { friction: range(0, 5) } : {}),
    });
    const desc = (): JointDesc => {
      const bodyA = random() < 0.3 ? null : pick(bodies);
      const bodyB = pick(bodies);
      const at = { bodyA, bodyB, anchor: position(world, bodyB).map((x) => x + range(-0.5, 0.5)) as V3 };
      const common = { collide: random() < 0.3, ...(random() < 0.3 ? { breakForce: range(50, 5000) } : {}) };
      const z = { axis: vector(1) };
      switch (Math.floor(random() * 11)) {
        case 0:
          return { type: 'ball', ...at, ...common };
        case 1:
          return { type: 'hinge', ...at, ...z, ...axis(), ...common };
        case 2:
          return { type: 'fixed', ...at, ...common };
        case 3:
          return { type: 'slider', ...at, ...z, ...axis(), ...common };
        case 4:
          return { type: 'cylindrical', ...at, ...z, ...axis(), twist: axis(), ...common };
        case 5:
          return { type: 'cone-twist', ...at, ...z, ...axis(), cone: range(0, 2), ...common };
        case 6: {
          const { bodyA: a, bodyB: b } = at;
          return {
            type: 'distance',
            bodyA: a,
            bodyB: b,
            anchorA: vector(1),
            anchorB: vector(0.2),
            length: range(0.2, 2),
            ...common,
          };
        }
        case 7: {
          const axes = Object.fromEntries(
            ['x', 'y', 'z', 'swingX', 'swingY', 'twist'].map((key) => [key, random() < 0.4 ? { locked: true } : axis()]),
          );
          return { type: 'six-axis', ...at, axes, ...common };
        }
        case 8:
          return { type: 'wheel', ...at, ...z, suspensionAxis: [0, 1, 0], ...axis(), steering: range(-0.5, 0.5), ...common };
        case 9:
          return { type: 'gear', bodyA: pick(bodies), bodyB, ...z, ratio: range(-3, 3), ...common };
        default:
          return {
            type: 'pulley',
            bodyA: pick(bodies),
            bodyB,
            anchorA: [0, 0, 0],
            anchorB: [0, 0, 0],
            groundA: vector(5),
            groundB: vector(5),
            ratio: range(0.3, 3),
            ...common,
          };
      }
    };
    const attempt = (call: () => void) => {
      try {
        call();
      } catch (error) {
        expect(error).toBeInstanceOf(TalusError);
        expect((error as TalusError).code).toBe('invalid-argument');
        refused++;
      }
    };
    const alive = () => joints.filter((id) => world.hasJoint(id));
    for (let i = 0; i < 1000; i++) {
      while (bodies.length < 8)
        bodies.push(
          world.createBody({
            shape: box,
            position: [range(-2, 2), range(0.5, 3), range(-2, 2)],
            type: random() < 0.15 ? 'static' : 'dynamic',
          }),
        );
      const kind = random();
      const known = alive();
      if (kind < 0.35 && known.length < 60) {
        attempt(() => {
          joints.push(world.createJoint(desc()));
          made++;
        });
      } else if (kind < 0.5 && known.length > 0) {
        const id = pick(known);
        world.removeJoint(id);
        joints.splice(joints.indexOf(id), 1);
        dead.push(id);
      } else if (kind < 0.65 && known.length > 0) {
        const { type } = world.getJoint(known[0]!);
        const { type: _, bodyA: __, bodyB: ___, ...changes } = { ...desc(), type };
        attempt(() => world.setJoint(known[0]!, changes));
      } else if (kind < 0.75 && known.length > 0) world.setJoint(pick(known), { enabled: random() < 0.6 });
      else if (kind < 0.8 && known.length > 0) world.setJoint(pick(known), { collide: random() < 0.5 });
      else if (kind < 0.85) bodies.push(world.createBody({ shape: box, position: [range(-2, 2), range(0.5, 3), range(-2, 2)] }));
      else if (kind < 0.92) {
        const id = pick(bodies);
        bodies.splice(bodies.indexOf(id), 1);
        dead.push(...world.jointsOf(id));
        world.removeBody(id);
      } else if (kind < 0.95) world.setType(pick(bodies), pick(['static', 'kinematic', 'dynamic']));
      else if (kind < 0.97) world.teleport(pick(bodies), [range(-2, 2), range(0.5, 3), range(-2, 2)]);
      else if (dead.length > 0)
        expect(() => world.removeJoint(pick(dead))).toThrow(expect.objectContaining({ code: 'stale-handle' }));
      steps(world, 1 + Math.floor(3 * random()));
      broke += world.events.jointBreaks.length;
      const now = alive();
      expect(world.jointCount, `edit ${i}`).toBe(now.length);
      const ends = bodies.reduce((sum, id) => sum + world.jointsOf(id).length, 0);
      const worlds = now.filter((id) => world.getJoint(id).bodyA === null).length;
      expect(ends, `edit ${i}`).toBe(2 * now.length - worlds);
      for (const id of bodies) {
        const index = world.indexOf(id);
        for (let k = 0; k < 4; k++) expect(Number.isFinite(world.positions[4 * index + k]!), `edit ${i}`).toBe(true);
        for (let k = 0; k < 7; k++) expect(Number.isFinite(world.velocities[16 * index + k]!), `edit ${i}`).toBe(true);
      }
      const { speedLimited } = world.faults;
      expect(faultsOf(world), `edit ${i}`).toEqual({ ...NO_FAULTS, speedLimited });
    }
    expect(made).toBeGreaterThan(150);
    expect(refused).toBeGreaterThan(10);
    if (process.env.FIGURES) console.log(`FIGURE random edits: ${made} made, ${refused} refused, ${broke} broke`);
    for (const id of bodies) world.removeBody(id);
    expect(world.jointCount).toBe(0);
    steps(world, 2);
  });
});
