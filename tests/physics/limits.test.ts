// Speed limits and numbers beyond single precision: no call that is accepted takes a body out of the finite numbers or, in a
// step, farther than its limits allow.
import { describe, expect, test } from 'vitest';
import type { BodyId, World } from '../../src/study/index';
import { DT, length, position, SOLVERS, spin, steps, velocity } from '../helpers/ground';
import { everyNth } from '../helpers/long';
import { seeded } from '../helpers/random';
import { stepWork, sweepRounds } from '../helpers/step_work';
import { createWorld } from '../helpers/worlds';

function expectFinite(world: World, ids: readonly BodyId[]): void {
  for (const id of ids) {
    const numbers = [...position(world, id), ...world.getRotation(id, [0, 0, 0, 0]), ...velocity(world, id), ...spin(world, id)];
    for (const x of numbers) expect(Number.isFinite(x)).toBe(true);
    expect(Math.abs(Math.hypot(...world.getRotation(id, [0, 0, 0, 0])) - 1)).toBeLessThan(1e-5);
  }
}

describe('speed limits count before a body moves', () => {
  test.each(SOLVERS)('%s: velocity, impulse, force, torque', async (solver) => {
    const world = await createWorld({ gravity: [0, 0, 0], solver });
    const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.3, 0.1] });
    const at = (y: number) => world.createBody({ shape: box, position: [0, 5 * y, 0] });
    const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(at) as [BodyId, BodyId, BodyId, BodyId, BodyId, BodyId];
    world.setVelocity(a, [1e6, 0, 0]);
    world.applyImpulse(b, [1e15, 0, 0]);
    world.addForce(c, [1e15, 0, 0]);
    world.addTorque(d, [1e10, 7e9, 3e9]);
    world.setVelocity(e, [0, 0, 0], [0, 0, 9900]);
    world.setVelocity(f, [499, 0, 0], [0, 0, 149]);
    world.step();
    const far = world.settings.maxLinearSpeed * DT;
    expect(far).toBeCloseTo(500 / 60);
    for (const id of [a, b, c]) {
      expect(position(world, id)[0]).toBeLessThan(far * 1.00001);
      expect(position(world, id)[0]).toBeGreaterThan(far / 2);
      expect(length(velocity(world, id))).toBeCloseTo(500, 1);
    }
    // Free motion changes the spin of a body of unequal moments a little.
    for (const id of [d, e]) expect(Math.abs(length(spin(world, id)) / 150 - 1)).toBeLessThan(1e-3);
    expect(world.faults.speedLimited).toBe(5);
    expect(position(world, f)[0]).toBeCloseTo(499 / 60, 4);
    expect(velocity(world, f)).toEqual([499, 0, 0]);
    expect(spin(world, f)[2]).toBe(149);
    expect(world.faults.notFinite).toBe(false);
    expectFinite(world, [a, b, c, d, e, f]);
  });

  test('they are settings, and opposite impulses within a step cancel', async () => {
    const world = await createWorld({ gravity: [0, 0, 0], maxLinearSpeed: 20, maxAngularSpeed: 10 });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
    world.setVelocity(ball, [0, 30, 40], [0, 0, 30]);
    world.step();
    expect(length(position(world, ball))).toBeCloseTo(20 / 60, 5);
    expect(velocity(world, ball)[1]! / velocity(world, ball)[2]!).toBeCloseTo(0.75, 5);
    expect(spin(world, ball)[2]).toBeCloseTo(10, 3);
    world.set({ maxLinearSpeed: 5 });
    const before = position(world, ball);
    world.step();
    expect(length(position(world, ball).map((x, k) => x - before[k]!))).toBeCloseTo(5 / 60, 5);
    world.setVelocity(ball, [0, 0, 0]);
    world.applyImpulse(ball, [1e6, 0, 0]);
    world.applyImpulse(ball, [-1e6, 0, 0]);
    world.step();
    expect(length(velocity(world, ball))).toBeLessThan(1e-2);
    expect(() => world.set({ maxAngularSpeed: 0 })).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test('a kinematic body goes where it is sent', async () => {
    const world = await createWorld();
    const body = world.createBody({ type: 'kinematic', shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
    world.moveKinematic(body, [1000, 0, 0]);
    world.step();
    expect(position(world, body)[0]).toBeCloseTo(1000, 2);
    world.setVelocity(body, [0, 0, 0], [1e6, 1e6, 1e6]);
    steps(world, 3);
    expectFinite(world, [body]);
    expect(world.faults.notFinite).toBe(false);
  });
});

describe('no pose that is not a number', () => {
  test('a torque of 1e10 N m', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const body = world.createBody({ shape: world.createShape({ type: 'box', halfExtents: [0.5, 0.3, 0.1] }) });
    world.addTorque(body, [1e10, 7e9, 3e9]);
    steps(world, 5);
    expectFinite(world, [body]);
    expect(world.faults.notFinite).toBe(false);
  });

  test.each(SOLVERS)('%s: long boxes at 9,900 rad/s, a sheet of 1 mm that is pushed', async (solver) => {
    const world = await createWorld({ solver });
    const floor = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const long = world.createShape({ type: 'box', halfExtents: [0.7, 193, 0.55] });
    const sheet = world.createShape({ type: 'box', halfExtents: [0.5, 0.0005, 0.5] });
    const ids = [0, 1, 2].map((i) =>
      world.createBody({ shape: long, position: [3 * i, 3, 0], angularVelocity: [5000, 7000, 5000 * (i - 1)] }),
    );
    const thin = world.createBody({ shape: sheet, position: [-5, 0.5, 0] });
    ids.push(thin);
    for (let k = 0; k < 60; k++) {
      if (k < 10) world.addForce(thin, [2.5e4, 1e4, -2.5e4], [-4.6, 0.5, 0.3]);
      world.step();
      expectFinite(world, ids);
    }
    expect(world.faults.notFinite).toBe(false);
  });

  test.each(SOLVERS)('%s: a kinematic body sent 1e6 m away through spheres', async (solver) => {
    const world = await createWorld({ gravity: [0, 0, 0], solver });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const pusher = world.createBody({ type: 'kinematic', shape, position: [0, 0.1, 0] });
    const ids = Array.from({ length: 8 }, (_, i) => world.createBody({ shape, position: [1 + 0.99 * i, 0, 0.05 * (i % 2)] }));
    steps(world, 2);
    world.moveKinematic(pusher, [1e6, 0, 0]);
    for (let k = 0; k < 30; k++) {
      const before = ids.map((id) => position(world, id));
      world.step();
      expectFinite(world, [...ids, pusher]);
      ids.forEach((id, i) => {
        const moved = length(position(world, id).map((x, c) => x - before[i]![c]!));
        expect(moved).toBeLessThan(500 * DT * 1.001);
      });
    }
  });

  test.each(SOLVERS)('%s: what no number can move is stopped, and the world says which and why', async (solver) => {
    const world = await createWorld({ solver, substeps: 12 });
    const floor = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const speck = world.createShape({ type: 'sphere', radius: 0.001 });
    const stack = [0, 1, 2].map((i) => world.createBody({ shape: cube, position: [0, 0.5 + i, 0] }));
    const light = world.createBody({ shape: speck, position: [5, 1, 0], density: 1e-3 });
    steps(world, 30);
    const at = position(world, light);
    // 4e-12 kg: this spin has no number in single precision.
    for (let i = 0; i < 20; i++) world.addForce(light, [1e15, 1e15, 0], [5, 1e6, -1e6]);
    world.step();
    expect(world.faults.stops).toEqual([{ body: light, cause: 'force' }]);
    expect(length(position(world, light).map((x, k) => x - at[k]!))).toBeLessThan(500 * DT * 1.001);
    // This speed has: it is limited.
    const { speedLimited } = world.faults;
    world.addForce(light, [1e15, 1e15, 0]);
    world.step();
    expect(world.faults.speedLimited).toBeGreaterThan(speedLimited);
    expect(world.faults.stopped).toBe(1);
    // The same in the middle of a stack that rests.
    for (let i = 0; i < 3; i++) world.addForce(stack[1]!, [1e15, 0, 0]);
    expectFinite(world, [...stack, light]);
    steps(world, 60);
    expectFinite(world, [...stack, light]);
    expect(world.faults.stopped).toBe(1);
  });
});

// Bodies from 1 mm to 50 m and from specks to mountains, speeds to 1e6, forces and impulses to 1e15. A body may have to be stopped
// now and then, but contacts must not keep what is not a number and stop it in every step from then on.
test.each(everyNth([1, 2, 3, 4, 5, 6, 7, 8], 3))('random calls with extreme numbers, seed %i', async (seed) => {
  const random = seeded(seed);
  const between = (a: number, b: number) => Math.exp(Math.log(a) + random() * Math.log(b / a));
  const signed = () => 2 * random() - 1;
  const vector = (most: number): [number, number, number] => {
    const size = between(1e-2, most);
    return [signed() * size, signed() * size, signed() * size];
  };
  const place = (): [number, number, number] => [signed() * 5, random() * 8, signed() * 5];
  const world = await createWorld({ solver: SOLVERS[seed % SOLVERS.length]! });
  const floor = world.createShape({ type: 'box', halfExtents: [100, 1, 100] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const ids: BodyId[] = [];
  const create = () => {
    const size = () => between(1e-3, 50);
    const shape = world.createShape(
      random() < 0.5 ? { type: 'box', halfExtents: [size(), size(), size()] } : { type: 'sphere', radius: size() },
    );
    ids.push(
      world.createBody({
        type: random() < 0.15 ? 'kinematic' : 'dynamic',
        shape,
        position: place(),
        density: between(1e-3, 1e6),
        restitution: random(),
        linearVelocity: vector(1e4),
        angularVelocity: vector(1e4),
      }),
    );
  };
  for (let k = 0; k < 300; k++) {
    const kind = random();
    const id = ids[Math.floor(random() * ids.length)];
    if (id === undefined || (kind < 0.08 && ids.length < 15)) create();
    else if (world.getType(id) === 'dynamic' && kind < 0.4) {
      if (kind < 0.18) world.setVelocity(id, vector(1e6), vector(1e6));
      else if (kind < 0.25) world.addForce(id, vector(1e15));
      else if (kind < 0.3) world.addTorque(id, vector(1e15));
      else world.applyImpulse(id, vector(1e15), random() < 0.5 ? place() : undefined);
    } else if (world.getType(id) === 'kinematic' && kind < 0.4) world.moveKinematic(id, vector(1e6));
    else if (kind < 0.44) world.teleport(id, place());
    else world.step();
    expectFinite(world, ids);
  }
  expect(world.faults.stopped).toBeLessThan(20);
});

test('views show no dynamic body above its limits, whatever kinematic jumps and bullets do to it', async () => {
  for (let seed = 0; seed < 16; seed++) {
    const random = seeded(seed);
    const pm = (most: number) => (2 * random() - 1) * most;
    const vector = (most: number): [number, number, number] => [pm(most), pm(most), pm(most)];
    const turn = () => {
      const q = [pm(1), pm(1), pm(1), pm(1)];
      return q.map((x) => x / Math.hypot(...q)) as [number, number, number, number];
    };
    const world = await createWorld({ warn: false, sleep: false, solver: seed % 2 === 0 ? 'wide' : 'cell-split' });
    const shapes = [
      world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] }),
      world.createShape({ type: 'sphere', radius: 0.3 }),
      world.createShape({ type: 'capsule', radius: 0.1, halfHeight: 0.5 }),
      world.createShape({ type: 'box', halfExtents: [1, 0.05, 0.2] }),
    ];
    const shape = () => shapes[Math.floor(random() * shapes.length)]!;
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }), restitution: random() });
    const ids = Array.from({ length: 8 }, (_, k) => {
      const position = [pm(2), 0.5 + 3 * random(), pm(2)];
      const bounces = { restitution: random(), restitutionCombine: 'max', friction: random(), bullet: random() < 0.5 } as const;
      const limits = k < 2 ? { maxLinearSpeed: 60, maxAngularSpeed: 30 } : {};
      return world.createBody({
        shape: shape(),
        position,
        rotation: turn(),
        angularVelocity: vector(150),
        ...bounces,
        ...limits,
      });
    });
    const jumpers = [0, 1].map(() =>
      world.createBody({ type: 'kinematic', shape: shape(), position: [pm(4), 1 + 2 * random(), pm(4)], restitution: 1 }),
    );
    for (let k = 0; k < 40; k++) {
      for (const id of jumpers) if (random() < 0.4) world.moveKinematic(id, [pm(6), 3 * random(), pm(6)], turn());
      if (random() < 0.3) world.setVelocity(ids[Math.floor(random() * ids.length)]!, vector(600), vector(200));
      world.step();
      for (const id of ids) {
        const limits = world.getSpeedLimits(id);
        expect(length(velocity(world, id)), `seed ${seed}, step ${k}`).toBeLessThan(Math.min(500, limits.linear) * 1.00001);
        expect(length(spin(world, id)), `seed ${seed}, step ${k}`).toBeLessThan(Math.min(150, limits.angular) * 1.00001);
      }
    }
    world.dispose();
  }
});

test('the cost of a step does not rise with the spin of kinematic bodies beside surfaces', async () => {
  const costs = new Map<string, number>();
  for (const kind of ['rod', 'mesh', 'heightfield'] as const) {
    for (const omega of [100, 1e3, 1e4, 1e5, 1e6]) {
      const world = await createWorld({ warn: false, sleep: false });
      const heights = Array.from({ length: 21 }, (_, i) => Math.sin(i));
      const positions = [-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 1, 0];
      const shape = world.createShape(
        {
          rod: { type: 'cylinder', radius: 0.15, halfHeight: 0.98 } as const,
          mesh: { type: 'mesh', positions, indices: [0, 1, 2, 0, 1, 3, 1, 2, 3] } as const,
          heightfield: { type: 'heightfield', heights, nx: 7, nz: 3, spacing: [0.3, 0.7] } as const,
        }[kind],
      );
      const floor = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
      world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
      world.createBody({
        type: 'kinematic',
        shape,
        position: [0, 1.5, 0],
        angularVelocity: [0.3, 0.8, 0.5].map((x) => x * omega),
      });
      const [ball, box] = [
        world.createShape({ type: 'sphere', radius: 0.2 }),
        world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] }),
      ];
      for (let i = 0; i < 10; i++) {
        const position = [Math.sin(i * 2) * 1.2, 0.3 + 0.25 * i, Math.cos(i * 2) * 1.2];
        world.createBody({ shape: i % 2 ? ball : box, position });
      }
      let most = 0;
      for (let k = 0; k < 20; k++) {
        const before = sweepRounds(world);
        world.step();
        most = Math.max(most, stepWork(world, before));
      }
      costs.set(`${kind} ${omega}`, most);
      if (omega > 1e3) expect(most, `${kind} at ${omega} rad/s`).toBeLessThan(5 * costs.get(`${kind} 1000`)!);
      world.dispose();
    }
  }
});
