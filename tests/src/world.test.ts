// The API on small scenes with known answers.
import { describe, expect, test } from 'vitest';
import { type BodyId, createWorld, type ShapeId, TalusError, type World } from '../../src/index';

const close = (actual: number, expected: number, tolerance: number) =>
  expect(Math.abs(actual - expected)).toBeLessThan(tolerance);

async function groundWorld(options = {}): Promise<{ world: World; ground: BodyId; cube: ShapeId }> {
  const world = await createWorld(options);
  const ground = world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] }),
    position: [0, -0.5, 0],
  });
  return { world, ground, cube: world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }) };
}

describe('motion', () => {
  test('a free body falls as it should', async () => {
    const world = await createWorld({ substeps: 12 });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [1, 100, 2] });
    for (let i = 0; i < 60; i++) world.step();
    const p = world.getPosition(ball, [0, 0, 0]);
    // Constant acceleration per substep: symplectic Euler in substeps, exact to g dt h / 2 a second.
    close(p[1]!, 100 - 9.81 / 2, 0.011);
    expect(p[0]).toBe(1);
    expect(p[2]).toBe(2);
    close(world.getLinearVelocity(ball, [0, 0, 0])[1]!, -9.81, 1e-4);
    expect(world.stepCount).toBe(60);
  });

  test('a box comes to rest on the ground', async () => {
    const { world, cube } = await groundWorld();
    const box = world.createBody({ shape: cube, position: [0, 0.6, 0] });
    for (let i = 0; i < 180; i++) world.step();
    close(world.getPosition(box, [0, 0, 0])[1]!, 0.5, 1e-3);
    const measures = world.measure();
    expect(measures.rmsSpeed).toBeLessThan(1e-5);
    expect(measures.touchingCount).toBe(4);
    expect(measures.dynamicCount).toBe(1);
    expect(measures.penetrationMax).toBeLessThan(1e-3);
    expect(measures.penetrationP99).toBeLessThanOrEqual(measures.penetrationMax);
    expect(measures.residualMax).toBeLessThan(1e-3);
  });

  test('impulses, forces and torques change velocities by J / m, F dt / m, I^-1 L', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const body = world.createBody({ shape, mass: 2 });
    const inertia = 0.4 * 2 * 0.25;
    world.applyImpulse(body, [4, 0, 0]);
    close(world.getLinearVelocity(body, [0, 0, 0])[0]!, 2, 1e-6);
    world.applyImpulse(body, [0, 0, 2], [0.5, 0, 0]);
    close(world.getAngularVelocity(body, [0, 0, 0])[1]!, -1 / inertia, 1e-5);
    world.setVelocity(body, [0, 0, 0], [0, 0, 0]);
    world.addForce(body, [0, 6, 0], [0, 0, 0.5]);
    world.addTorque(body, [0, 0, 3]);
    world.step();
    close(world.getLinearVelocity(body, [0, 0, 0])[1]!, 3 / 60, 1e-6);
    const w = world.getAngularVelocity(body, [0, 0, 0]);
    close(w[0]!, -3 / inertia / 60, 1e-5);
    close(w[2]!, 3 / inertia / 60, 1e-5);
    world.step();
    close(world.getLinearVelocity(body, [0, 0, 0])[1]!, 3 / 60, 1e-6);
    world.applyAngularImpulse(body, [-w[0]! * inertia, 0, 0]);
    close(world.getAngularVelocity(body, [0, 0, 0])[0]!, 0, 1e-5);
  });

  test('damping and gravity scale', async () => {
    const world = await createWorld();
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const slow = world.createBody({ shape, linearVelocity: [6, 0, 0], linearDamping: 2, gravityScale: 0 });
    const rising = world.createBody({ shape, position: [5, 0, 0], gravityScale: -1 });
    world.step();
    const v = world.getLinearVelocity(slow, [0, 0, 0]);
    close(v[0]!, 6 / (1 + 2 / 60), 1e-5);
    expect(v[1]).toBe(0);
    close(world.getLinearVelocity(rising, [0, 0, 0])[1]!, 9.81 / 60, 1e-5);
    world.setGravityScale(rising, 0);
    world.setDamping(slow, 0, 0);
    world.step();
    close(world.getLinearVelocity(rising, [0, 0, 0])[1]!, 9.81 / 60, 1e-5);
    expect(world.getLinearVelocity(slow, [0, 0, 0])[0]).toBe(v[0]);
  });

  test('teleport keeps velocity and finds contacts anew', async () => {
    const { world, cube } = await groundWorld();
    const box = world.createBody({ shape: cube, position: [0, 0.5, 0] });
    for (let i = 0; i < 30; i++) world.step();
    world.teleport(box, [3, 5, 0], [0, 0, 2, 2]);
    expect([...world.getPosition(box, [0, 0, 0])]).toEqual([3, 5, 0]);
    close(world.getRotation(box, [0, 0, 0, 0])[2]!, Math.SQRT1_2, 1e-6);
    world.step();
    expect(world.measure().touchingCount).toBe(0);
    expect([...world.events].map((event) => event.kind)).toEqual(['end']);
    world.teleport(box, [0, 0.5, 0], [0, 0, 0, 1]);
    world.setVelocity(box, [0, 0, 0], [0, 0, 0]);
    world.step();
    expect(world.measure().touchingCount).toBe(4);
  });

  test('a kinematic body reaches its target at the end of the step and stays there', async () => {
    const world = await createWorld();
    const shape = world.createShape({ type: 'box', halfExtents: [1, 0.1, 1] });
    const lift = world.createBody({ type: 'kinematic', shape, position: [0, 1, 0] });
    const s = Math.sin(0.05);
    world.moveKinematic(lift, [0.1, 1.05, 0], [0, s, 0, Math.cos(0.05)]);
    world.step();
    const p = world.getPosition(lift, [0, 0, 0]);
    close(p[0]!, 0.1, 1e-6);
    close(p[1]!, 1.05, 1e-6);
    close(world.getRotation(lift, [0, 0, 0, 0])[1]!, s, 1e-6);
    world.step();
    expect(world.getPosition(lift, [0, 0, 0])).toEqual(p);
  });

  test('a kinematic lift carries a box', async () => {
    const { world, cube } = await groundWorld();
    const slab = world.createShape({ type: 'box', halfExtents: [2, 0.1, 2] });
    const lift = world.createBody({ type: 'kinematic', shape: slab, position: [0, 1, 0] });
    const box = world.createBody({ shape: cube, position: [0, 1.6, 0] });
    for (let i = 1; i <= 120; i++) {
      world.moveKinematic(lift, [i / 60, 1 + i / 120, 0]);
      world.step();
    }
    const p = world.getPosition(box, [0, 0, 0]);
    close(p[1]!, 2.6, 0.02);
    close(p[0]!, 2, 0.1);
  });
});

describe('bodies and colliders', () => {
  test('bulk creation is the same as one by one', async () => {
    const count = 20;
    const positions = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(i) * 5 + (i % 3 === 1 ? 8 : 0));
    const rotations = Float32Array.from({ length: 4 * count }, (_, i) => Math.cos(i) + (i % 4 === 3 ? 2 : 0));
    const one = await groundWorld();
    const many = await groundWorld();
    const single: BodyId[] = [];
    for (let i = 0; i < count; i++) {
      single.push(
        one.world.createBody({
          shape: one.cube,
          position: positions.subarray(3 * i, 3 * i + 3),
          rotation: rotations.subarray(4 * i, 4 * i + 4),
          density: 500,
          friction: 0.3,
        }),
      );
    }
    const ids = many.world.createBodies({ count, shape: many.cube, positions, rotations, density: 500, friction: 0.3 });
    // Worlds number their ids apart; slots are the same.
    expect(ids.map((id) => many.world.indexOf(id))).toEqual(single.map((id) => one.world.indexOf(id)));
    for (let i = 0; i < 60; i++) {
      one.world.step();
      many.world.step();
    }
    expect(many.world.positions).toEqual(one.world.positions);
    expect(many.world.getMass(ids[0]!)).toBe(500);
  });

  test('a compound has the mass and centre of its parts', async () => {
    const world = await createWorld();
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const body = world.createBody({
      colliders: [
        { shape: cube, position: [-1, 0, 0] },
        { shape: cube, position: [1, 0, 0], density: 3000 },
      ],
    });
    expect(world.getMass(body)).toBe(4000);
    expect(world.getCenterOfMass(body, [0, 0, 0])).toEqual([0.5, 0, 0]);
    const extra = world.addCollider(body, { shape: cube, position: [0, 0, 2], density: 4000 });
    expect(world.getMass(body)).toBe(8000);
    expect(world.getCenterOfMass(body, [0, 0, 0])).toEqual([0.25, 0, 1]);
    expect(world.collidersOf(body)).toHaveLength(3);
    expect(world.bodyOf(extra)).toBe(body);
    world.removeCollider(extra);
    expect(world.getMass(body)).toBe(4000);
    expect(world.getCenterOfMass(body, [0, 0, 0])).toEqual([0.5, 0, 0]);
    expect(() => world.bodyOf(extra)).toThrow(TalusError);
    // The origin stays where it was put while the centre moves.
    expect([...world.getPosition(body, [0, 0, 0])]).toEqual([0, 0, 0]);
  });

  test('mass can be given as a number or in full', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const body = world.createBody({ shape: cube, mass: 12 });
    expect(world.getMass(body)).toBe(12);
    world.applyAngularImpulse(body, [2, 0, 0]);
    close(world.getAngularVelocity(body, [0, 0, 0])[0]!, 1, 1e-6);
    world.setMass(body, { mass: 5, center: [0, 0.25, 0], inertia: [1, 2, 4, 0, 0, 0] });
    expect(world.getCenterOfMass(body, [0, 0, 0])[1]).toBe(0.25);
    world.setVelocity(body, [0, 0, 0], [0, 0, 0]);
    world.applyAngularImpulse(body, [0, 0, 2]);
    close(world.getAngularVelocity(body, [0, 0, 0])[2]!, 0.5, 1e-6);
    world.setMass(body, undefined);
    expect(world.getMass(body)).toBe(1000);
    expect(world.getCenterOfMass(body, [0, 0, 0])[1]).toBe(0);
  });

  test('types change and back', async () => {
    const { world, cube } = await groundWorld();
    const box = world.createBody({ shape: cube, position: [0, 5, 0], mass: 7 });
    world.setType(box, 'static');
    for (let i = 0; i < 10; i++) world.step();
    expect(world.getPosition(box, [0, 0, 0])[1]).toBe(5);
    expect(world.getMass(box)).toBe(0);
    world.setType(box, 'dynamic');
    expect(world.getMass(box)).toBe(7);
    expect(world.getType(box)).toBe('dynamic');
    for (let i = 0; i < 180; i++) world.step();
    close(world.getPosition(box, [0, 0, 0])[1]!, 0.5, 2e-3);
  });

  test('removed bodies leave, their slots are used again, old ids are stale', async () => {
    const { world, cube } = await groundWorld();
    const ids = world.createBodies({ count: 3, shape: cube, positions: [0, 0.5, 0, 3, 0.5, 0, 6, 0.5, 0] });
    world.step();
    const slot = world.indexOf(ids[1]!);
    world.removeBody(ids[1]!);
    expect(world.isAlive(ids[1]!)).toBe(false);
    expect(world.bodyCount).toBe(3);
    expect(world.bodyAt(slot)).toBe(null);
    expect([...world.positions.subarray(4 * slot, 4 * slot + 4)]).toEqual([0, 0, 0, 0]);
    expect(() => world.getPosition(ids[1]!, [])).toThrow(expect.objectContaining({ code: 'stale-handle' }));
    world.step();
    const fresh = world.createBody({ shape: cube, position: [3, 2, 0] });
    expect(world.indexOf(fresh)).toBe(slot);
    expect(fresh).not.toBe(ids[1]);
    expect(world.bodyAt(slot)).toBe(fresh);
    for (let i = 0; i < 120; i++) world.step();
    close(world.getPosition(fresh, [0, 0, 0])[1]!, 0.5, 2e-3);
  });

  test('a box loses its support when that is removed', async () => {
    const { world, ground, cube } = await groundWorld();
    const box = world.createBody({ shape: cube, position: [0, 0.5, 0] });
    for (let i = 0; i < 30; i++) world.step();
    world.removeBody(ground);
    for (let i = 0; i < 30; i++) world.step();
    expect(world.getPosition(box, [0, 0, 0])[1]).toBeLessThan(0);
  });

  test('shapes are freed when nothing uses them', async () => {
    const world = await createWorld();
    const points = [-1, -1, -1, 1, -1, -1, 0, 1, -1, 0, 0, 1];
    const hull = world.createShape({ type: 'hull', points });
    const body = world.createBody({ shape: hull });
    expect(() => world.removeShape(hull)).toThrow(expect.objectContaining({ code: 'in-use' }));
    world.removeBody(body);
    world.removeShape(hull);
    expect(() => world.createBody({ shape: hull })).toThrow(expect.objectContaining({ code: 'stale-handle' }));
    const before = world.profile.memory;
    world.step();
    for (let i = 0; i < 50; i++) world.removeShape(world.createShape({ type: 'hull', points }));
    world.step();
    expect(world.profile.memory - before).toBeLessThan(1e6);
  });
});

describe('materials and filters', () => {
  test('friction stops a box, without friction it slides on', async () => {
    const { world, ground, cube } = await groundWorld();
    const [floor] = world.collidersOf(ground);
    world.setMaterial(floor!, { friction: 1 });
    const rough = world.createBody({ shape: cube, position: [-5, 0.5, -5], linearVelocity: [3, 0, 0], friction: 0.25 });
    const smooth = world.createBody({ shape: cube, position: [-5, 0.5, 5], linearVelocity: [3, 0, 0], friction: 0 });
    for (let i = 0; i < 60; i++) world.step();
    // Geometric mean: mu = 0.5, so 3 m/s stop in 3 / (0.5 g) = 0.61 s after 0.917 m.
    close(world.getPosition(rough, [0, 0, 0])[0]!, -5 + 4.5 / 9.81 / 0.5, 0.03);
    close(world.getLinearVelocity(smooth, [0, 0, 0])[0]!, 3, 1e-3);
  });

  test('a ball bounces as high as restitution says', async () => {
    const { world } = await groundWorld({ dt: 1 / 240 });
    const ball = world.createBody({
      shape: world.createShape({ type: 'sphere', radius: 0.25 }),
      position: [0, 2.25, 0],
      restitution: 0.5,
    });
    let top = 0;
    let bounced = false;
    for (let i = 0; i < 480; i++) {
      world.step();
      const [, y] = world.getPosition(ball, [0, 0, 0]) as [number, number, number];
      if (world.getLinearVelocity(ball, [0, 0, 0])[1]! > 0.5) bounced = true;
      if (bounced) top = Math.max(top, y);
    }
    close(top, 0.25 + 2 * 0.25, 0.03);
  });

  test('categories and masks', async () => {
    const { world, ground, cube } = await groundWorld();
    const ghost = world.createBody({ shape: cube, position: [0, 0.5, 0], category: 2, mask: 4 });
    const box = world.createBody({ shape: cube, position: [5, 0.5, 0], category: 2 });
    for (let i = 0; i < 30; i++) world.step();
    expect(world.getPosition(ghost, [0, 0, 0])[1]).toBeLessThan(0);
    close(world.getPosition(box, [0, 0, 0])[1]!, 0.5, 1e-3);
    world.setMaterial(world.collidersOf(ground)[0]!, { mask: 1 });
    for (let i = 0; i < 30; i++) world.step();
    expect(world.getPosition(box, [0, 0, 0])[1]).toBeLessThan(0);
  });

  test('a sensor reports and does not push', async () => {
    const { world, cube } = await groundWorld();
    const zone = world.createBody({ type: 'static', shape: cube, sensor: true, position: [0, 2, 0] });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.2 }), position: [0, 4, 0] });
    const seen: string[] = [];
    for (let i = 0; i < 120; i++) {
      world.step();
      for (const event of world.events) {
        seen.push(event.kind);
        expect([event.bodyA, event.bodyB]).toContain(ball);
        if (event.kind.startsWith('sensor')) expect([event.bodyA, event.bodyB]).toContain(zone);
      }
    }
    expect(seen).toEqual(['sensor-begin', 'sensor-end', 'begin']);
    close(world.getPosition(ball, [0, 0, 0])[1]!, 0.2, 1e-3);
  });
});

describe('events', () => {
  test('one begin with point, normal and impulse, one end', async () => {
    const { world, ground, cube } = await groundWorld();
    const box = world.createBody({ shape: cube, position: [2, 1.2, 0] });
    const kinds: string[] = [];
    for (let i = 0; i < 90; i++) {
      world.step();
      for (const event of world.events) {
        kinds.push(event.kind);
        expect(new Set([event.bodyA, event.bodyB])).toEqual(new Set([ground, box]));
        const sign = event.bodyA === ground ? 1 : -1;
        close(event.normal[1], sign, 1e-5);
        close(event.point[1], 0, 0.05);
        close(Math.abs(event.point[0] - 2), 0.5, 0.01);
        expect(event.separation).toBeLessThan(0.01);
      }
    }
    world.applyImpulse(box, [0, 5000, 0]);
    for (let i = 0; i < 10; i++) {
      world.step();
      for (let k = 0; k < world.events.count; k++) kinds.push(world.events.kind(k));
    }
    expect(kinds).toEqual(['begin', 'end']);
  });

  test('removing a touching body sends the end with the next step, ids as they were', async () => {
    const { world, ground, cube } = await groundWorld();
    const box = world.createBody({ shape: cube, position: [0, 0.5, 0] });
    world.step();
    expect(world.events.count).toBe(1);
    world.removeBody(box);
    const other = world.createBody({ shape: cube, position: [0, 5, 0] });
    world.step();
    expect(world.events.count).toBe(1);
    expect(world.events.kind(0)).toBe('end');
    expect(new Set([world.events.bodyA(0), world.events.bodyB(0)])).toEqual(new Set([ground, box]));
    expect(world.isAlive(box)).toBe(false);
    expect(world.isAlive(other)).toBe(true);
    world.step();
    expect(world.events.count).toBe(0);
  });
});

describe('settings', () => {
  test('presets fit the solver, names win over presets', async () => {
    const world = await createWorld({ preset: 'fast', substeps: 3 });
    expect(world.settings).toMatchObject({ substeps: 3, sweeps: 1, preset: 'fast', solver: 'auto' });
    expect((await createWorld()).settings).toMatchObject({ substeps: 'auto', sweeps: 1, preset: 'balanced' });
    world.set({ solver: 'cell-split' });
    expect(world.settings).toMatchObject({ substeps: 3, sweeps: 2 });
    world.set({ preset: 'balanced' });
    expect(world.settings).toMatchObject({ substeps: 'auto', sweeps: 2 });
    world.set({ gravity: [0, -1, 0], dt: 0.01 });
    expect(world.settings.gravity).toEqual([0, -1, 0]);
    const shape = world.createShape({ type: 'sphere', radius: 1 });
    const ball = world.createBody({ shape });
    world.step();
    close(world.getLinearVelocity(ball, [0, 0, 0])[1]!, -0.01, 1e-6);
  });

  test('cells are cut anew to another size, from the next step on', async () => {
    const { world, cube } = await groundWorld({ solver: 'cell-split', granularity: 8, sleep: false });
    const rows = Array.from({ length: 60 }, (_, i) => [(i % 6) * 0.99 - 3, 0.5 + Math.floor(i / 6), 0.3 * (i % 3)]);
    world.createBodies({ count: 60, shape: cube, positions: Float32Array.from(rows.flat()) });
    const cells = [8, 24, 8].map((granularity) => {
      world.set({ granularity });
      world.step();
      return world.profile.cells;
    });
    expect(world.profile.splitBodies).toBeGreaterThan(0);
    expect(cells[1]).toBeLessThan(0.6 * cells[0]!);
    expect(cells[2]).toBeGreaterThan(1.6 * cells[1]!);
  });

  test('worlds are independent and deterministic', async () => {
    const run = async () => {
      const { world, cube } = await groundWorld();
      const positions = Float32Array.from({ length: 90 }, (_, i) => (i % 3 === 1 ? 1 + i / 20 : Math.sin(i * 7) * 2));
      world.createBodies({ count: 30, shape: cube, positions });
      for (let i = 0; i < 120; i++) world.step();
      return world.positions.slice();
    };
    const [first, second] = await Promise.all([run(), run()]);
    expect(second).toEqual(first);
  });

  test('a disposed world says so', async () => {
    const world = await createWorld();
    world.dispose();
    expect(() => world.step()).toThrow(expect.objectContaining({ code: 'disposed' }));
    expect(() => world.createShape({ type: 'sphere', radius: 1 })).toThrow(TalusError);
  });
});
