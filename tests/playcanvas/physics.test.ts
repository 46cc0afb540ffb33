// The physics world of PlayCanvas under its own components, without a picture: by closed forms and by what its manual says.
import * as pc from 'playcanvas';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { installPhysics, TalusPhysicsWorld } from '../../src/playcanvas/index';
import { type Setup, start } from './app';

const NONE = new pc.Vec3();
const open: Setup[] = [];
async function make(gravity?: pc.Vec3): Promise<Setup> {
  const setup = await start(gravity);
  open.push(setup);
  return setup;
}
afterEach(() => {
  for (const { app } of open.splice(0)) app.destroy();
});
const at = (entity: pc.Entity): number[] => {
  const { x, y, z } = entity.getPosition();
  return [x, y, z];
};
const BOX = { type: 'box', halfExtents: new pc.Vec3(0.5, 0.5, 0.5) } as const;
const floor = ({ add }: Setup): pc.Entity =>
  add({ type: 'box', halfExtents: new pc.Vec3(50, 1, 50) }, { type: 'static' }, [0, -1, 0]);

test('a world that is not awaited is refused in words; one is enough', async () => {
  expect(() => new TalusPhysicsWorld({} as never)).toThrow(/await createWorld/);
  const { app, physics } = await make();
  expect(() => installPhysics(app, physics)).toThrow(/already/);
});

describe('bodies', () => {
  const shapes = [
    ['box', BOX, 0.5],
    ['sphere', { type: 'sphere', radius: 0.4 }, 0.4],
    ['capsule along x', { type: 'capsule', radius: 0.3, height: 2, axis: 0 }, 0.3],
    ['capsule along z', { type: 'capsule', radius: 0.3, height: 2, axis: 2 }, 0.3],
    ['cylinder', { type: 'cylinder', radius: 0.5, height: 1 }, 0.5],
    ['cone', { type: 'cone', radius: 0.5, height: 1 }, 0.5],
    ['box with an offset', { ...BOX, linearOffset: [0, 0.25, 0] }, 0.25],
  ] as const;
  test.each(shapes)('%s falls and lands', async (_name, collision, height) => {
    const setup = await make();
    floor(setup);
    const entity = setup.add(collision, { type: 'dynamic', mass: 2 }, [0, 2, 0]);
    setup.step(20);
    const t = 19 / 60; // drawn one step behind
    expect(Math.abs(at(entity)[1]! - (2 - 5 * t * t))).toBeLessThan(0.03);
    setup.step(100);
    expect(Math.abs(at(entity)[1]! - height)).toBeLessThan(0.02);
    expect(setup.physics.nativeWorld.getMass(setup.physics.bodyOf(entity)!)).toBe(2);
  });

  test('a capsule lies along its axis', async () => {
    const { add, app } = await make(NONE);
    add({ type: 'capsule', radius: 0.25, height: 4, axis: 0 }, { type: 'dynamic' });
    add({ type: 'cylinder', radius: 0.25, height: 4, axis: 2 }, { type: 'dynamic' }, [9, 0, 0]);
    const hit = (x: number, y: number, z: number) =>
      app.systems.rigidbody!.raycastFirst(new pc.Vec3(x, y, z), new pc.Vec3(x, -y, z));
    expect(hit(1.9, 5, 0)).not.toBeNull();
    expect(hit(0, 5, 1.9)).toBeNull();
    expect(hit(9, 5, 1.9)).not.toBeNull();
    expect(hit(10.9, 5, 0)).toBeNull();
  });

  test('forces, impulses, velocities, factors, damping', async () => {
    const { add, step, physics } = await make(NONE);
    const one = add(BOX, { type: 'dynamic', mass: 2 });
    const body = one.rigidbody!;
    body.applyImpulse(2, 0, 0);
    expect(body.linearVelocity.x).toBeCloseTo(1, 6);
    body.linearVelocity = new pc.Vec3(0, 0, 0);
    body.applyTorqueImpulse(0, 1, 0);
    expect(body.angularVelocity.y).toBeCloseTo(1 / ((2 * (1 + 1)) / 12), 4);
    body.angularVelocity = new pc.Vec3();
    for (const frame of [1 / 240, 1 / 60, 1 / 30]) {
      body.linearVelocity = new pc.Vec3();
      for (let t = 0; t < 1 - 1e-9; t += frame) {
        body.applyForce(0, 4, 0);
        step(1, frame);
      }
      expect(Math.abs(body.linearVelocity.y - 2)).toBeLessThan(0.09);
    }
    body.linearVelocity = new pc.Vec3(1, 1, 1);
    body.linearFactor = new pc.Vec3(1, 0, 1);
    body.angularFactor = new pc.Vec3(0, 0, 0);
    step(2);
    expect(Math.abs(body.linearVelocity.y)).toBeLessThan(1e-6);
    body.linearDamping = 0.5;
    step(60);
    expect(Math.abs(body.linearVelocity.x - 0.5)).toBeLessThan(0.02);
    body.mass = 5;
    step();
    expect(physics.nativeWorld.getMass(physics.bodyOf(one)!)).toBe(5);
    body.teleport(3, 4, 5);
    expect(at(one)).toEqual([3, 4, 5]);
    step();
    expect(at(one)[1]).toBeCloseTo(4, 3);
  });

  test('kinematic bodies follow their entities and carry what stands on them', async () => {
    const { add, step } = await make();
    const lift = add({ type: 'box', halfExtents: new pc.Vec3(2, 0.5, 2) }, { type: 'kinematic' });
    const load = add(BOX, { type: 'dynamic', friction: 1 }, [0, 1, 0]);
    lift.rigidbody!.friction = 1;
    step(20);
    for (let i = 1; i <= 60; i++) {
      lift.setPosition(i / 120, i / 60, 0);
      step();
    }
    step(40);
    expect(Math.abs(at(load)[1]! - 2)).toBeLessThan(0.03);
    expect(Math.abs(at(load)[0]! - 0.5)).toBeLessThan(0.1);
  });

  test('disabled entities rest out of the world; removed ones are gone; types change', async () => {
    const { add, step, physics, app } = await make();
    const one = add(BOX, { type: 'dynamic' }, [0, 5, 0]);
    step(5);
    const seen = () => app.systems.rigidbody!.raycastFirst(new pc.Vec3(0, 50, 0), new pc.Vec3(0, -50, 0));
    expect(seen()!.entity).toBe(one);
    one.enabled = false;
    const there = at(one)[1];
    step(10);
    expect(seen()).toBeNull();
    expect(at(one)[1]).toBe(there);
    one.enabled = true;
    step(10);
    expect(at(one)[1]).toBeLessThan(there!);
    one.rigidbody!.type = 'static';
    const fixed = at(one)[1];
    step(10);
    expect(at(one)[1]).toBe(fixed);
    one.destroy();
    step();
    expect(physics.nativeWorld.bodyCount).toBe(0);
  });

  test('they fall asleep and wake', async () => {
    const setup = await make();
    floor(setup);
    const one = setup.add(BOX, { type: 'dynamic' }, [0, 0.5, 0]);
    setup.step(90);
    expect(one.rigidbody!.isActive()).toBe(false);
    one.rigidbody!.activate();
    expect(one.rigidbody!.isActive()).toBe(true);
  });
});

describe('shapes', () => {
  test('compounds: children collide where they are, move, come and go', async () => {
    const { add, app, step, physics } = await make(NONE);
    const root = new pc.Entity('root', app);
    app.root.addChild(root);
    root.addComponent('collision', { type: 'compound' });
    root.addComponent('rigidbody', { type: 'dynamic', mass: 3 });
    const child = (x: number): pc.Entity => {
      const entity = new pc.Entity('child', app);
      entity.setLocalPosition(x, 0, 0);
      root.addChild(entity);
      entity.addComponent('collision', BOX);
      return entity;
    };
    const [left, right] = [child(-2), child(2)];
    step();
    const count = () => physics.nativeWorld.collidersOf(physics.bodyOf(root)!).length;
    const hit = (x: number) => app.systems.rigidbody!.raycastFirst(new pc.Vec3(x, 9, 0), new pc.Vec3(x, -9, 0))?.entity;
    expect(count()).toBe(2);
    expect([hit(-2), hit(0), hit(2)]).toEqual([root, undefined, root]);
    const { inertia } = physics.nativeWorld.getMassProperties(physics.bodyOf(root)!);
    expect(inertia[1]).toBeCloseTo(3 * (1 / 6 + 4), 3);
    left!.setLocalPosition(-4, 0, 0);
    step();
    expect([hit(-2), hit(-4)]).toEqual([undefined, root]);
    right!.collision!.type = 'sphere';
    step();
    expect([count(), hit(2.45)]).toEqual([2, root]);
    right!.destroy();
    step();
    expect(count()).toBe(1);
    root.destroy();
    step();
    expect(physics.nativeWorld.bodyCount).toBe(0);
    add(BOX, { type: 'static' });
  });

  test('render meshes: as surfaces, as hulls, at a scale', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { add, app, step } = await make();
    const mesh = pc.Mesh.fromGeometry(app.graphicsDevice, new pc.PlaneGeometry({ halfExtents: new pc.Vec2(5, 5) }));
    const ball = pc.Mesh.fromGeometry(app.graphicsDevice, new pc.SphereGeometry({ radius: 0.5 }));
    const ground = new pc.Entity('ground', app);
    ground.setLocalScale(2, 1, 2);
    app.root.addChild(ground);
    ground.addComponent('collision', { type: 'mesh', render: { meshes: [mesh] } });
    ground.addComponent('rigidbody', { type: 'static' });
    const one = add({ type: 'mesh', render: { meshes: [ball] }, convexHull: true }, { type: 'dynamic' }, [8, 1.5, 8]);
    const two = add({ type: 'mesh', render: { meshes: [ball] } }, { type: 'dynamic' }, [-8, 1.5, 8]);
    step(120);
    for (const entity of [one, two]) expect(Math.abs(at(entity)[1]! - 0.5)).toBeLessThan(0.03);
    const lines = warn.mock.calls.map(([text]) => String(text)).filter((text) => /convex hull/.test(text));
    expect(lines).toEqual([expect.stringMatching(/dynamic entity 'entity' .*decompose.*convexHull/)]);
    warn.mockRestore();
  });

  test('a library cuts the meshes of dynamic bodies into convex parts', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const decompose = vi.fn((positions: Float64Array) => [
      positions.filter((_, i) => i < 72),
      { positions: positions.slice(72) },
    ]);
    const { add, app, step } = await start(NONE, { decompose });
    const boxes = [-2, 2].map((x) => {
      const { positions, indices } = new pc.BoxGeometry() as unknown as { positions: number[]; indices: number[] };
      return { positions: positions.map((p, i) => p + (i % 3 === 0 ? x : 0)), indices };
    });
    const mesh = new pc.Mesh(app.graphicsDevice);
    mesh.setPositions(boxes.flatMap(({ positions }) => positions));
    mesh.setIndices(boxes.flatMap(({ indices }, i) => indices.map((index) => index + 24 * i)));
    mesh.update();
    const bridge = add({ type: 'mesh', render: { meshes: [mesh] } }, { type: 'dynamic', mass: 2 });
    step();
    const hit = (x: number) => app.systems.rigidbody!.raycastFirst(new pc.Vec3(x, 9, 0), new pc.Vec3(x, -9, 0))?.entity;
    expect([hit(-2), hit(0), hit(2)]).toEqual([bridge, undefined, bridge]);
    bridge.rigidbody!.applyTorqueImpulse(0, 1, 0);
    expect(bridge.rigidbody!.angularVelocity.y).toBeCloseTo(1 / (2 * (1 / 6 + 4)), 3);
    expect(decompose).toHaveBeenCalledTimes(1);
    expect(warn).not.toHaveBeenCalled();
    app.destroy();
    warn.mockRestore();
  });
});

describe('events', () => {
  test('collisionstart, contact and collisionend of both, with points and impulses', async () => {
    const setup = await make();
    const ground = floor(setup);
    const ball = setup.add({ type: 'sphere', radius: 0.5 }, { type: 'dynamic', mass: 2, restitution: 0.5 }, [0, 1.5, 0]);
    ground.rigidbody!.restitution = 1;
    const told: string[] = [];
    ball.rigidbody!.on('collisionstart', ({ other, contacts }: pc.ContactResult) => {
      expect(other).toBe(ground);
      const [contact] = contacts;
      if (told.length === 0) expect(Math.abs(contact!.impulse - 2 * 4.47 * 1.5)).toBeLessThan(0.8); // back at half the speed
      expect(contact!.normal.y).toBeCloseTo(1, 3); // out of the ground, towards the ball
      expect(Math.abs(contact!.pointOther.y)).toBeLessThan(0.05);
      expect(contact!.localPoint.y).toBeCloseTo(-0.5, 1);
      told.push('start');
    });
    ball.rigidbody!.on('contact', () => told.push('contact'));
    ball.rigidbody!.on('collisionend', (other: pc.Entity) => {
      expect(other).toBe(ground);
      told.push('end');
    });
    let below = 0;
    ground.collision!.on('collisionstart', ({ contacts }: pc.ContactResult) => {
      expect(contacts[0]!.normal.y).toBeCloseTo(-1, 3);
      below++;
    });
    setup.step(70);
    expect(told.filter((kind) => kind === 'start').length).toBeGreaterThan(0);
    expect(below).toBe(told.filter((kind) => kind === 'start').length);
    expect(told.indexOf('end')).toBeGreaterThan(told.indexOf('start'));
    expect(told).toContain('contact');
    const all: number[] = [];
    setup.app.systems.rigidbody!.on('contact', ({ impulse }: pc.SingleContactResult) => all.push(impulse));
    setup.step(120);
    expect(all.length).toBeGreaterThan(50);
    // What rests bears its weight.
    expect(all.at(-1)).toBeCloseTo((2 * 10) / 60, 1);
  });

  test('triggers see dynamic and kinematic bodies come and go', async () => {
    const { add, step } = await make();
    const zone = add({ type: 'box', halfExtents: new pc.Vec3(1, 1, 1) }, null, [0, 5, 0]);
    const told: string[] = [];
    zone.collision!.on('triggerenter', (other: pc.Entity) => told.push(`+${other.name}`));
    zone.collision!.on('triggerleave', (other: pc.Entity) => told.push(`-${other.name}`));
    const ball = add({ type: 'sphere', radius: 0.25 }, { type: 'dynamic' }, [0, 8, 0]);
    ball.name = 'ball';
    let own = 0;
    ball.rigidbody!.on('triggerenter', (other: pc.Entity) => {
      expect(other).toBe(zone);
      own++;
    });
    const platform = add(BOX, { type: 'kinematic' }, [4, 5, 0]);
    platform.name = 'platform';
    step(100);
    expect(told).toEqual(['+ball', '-ball']);
    expect(own).toBe(1);
    for (let i = 0; i <= 40; i++) {
      platform.setPosition(4 - i / 5, 5, 0);
      step();
    }
    step(5);
    expect(told).toEqual(['+ball', '-ball', '+platform', '-platform']);
  });

  test('one that is destroyed while it touches ends the collision of the other', async () => {
    const setup = await make();
    const ground = floor(setup);
    const one = setup.add(BOX, { type: 'dynamic' }, [0, 0.5, 0]);
    const told: string[] = [];
    ground.collision!.on('collisionstart', () => told.push('start'));
    ground.collision!.on('collisionend', () => told.push('end'));
    setup.step(10);
    one.enabled = false;
    setup.step(2);
    expect(told).toEqual(['start', 'end']);
  });
});

test('groups and masks; raycasts: first, all, filters, sorted', async () => {
  const { add, app, step } = await make();
  const names = ['a', 'b', 'c'].map((name, i) => {
    const entity = add(BOX, { type: 'static' }, [0, -3 * i, 0]);
    entity.name = name;
    entity.tags.add(i === 1 ? 'odd' : 'even');
    return entity;
  });
  names[0]!.rigidbody!.group = pc.BODYGROUP_USER_1;
  const system = app.systems.rigidbody!;
  const [from, to] = [new pc.Vec3(0, 10, 0), new pc.Vec3(0, -20, 0)];
  const first = system.raycastFirst(from, to)!;
  expect(first.entity.name).toBe('a');
  expect(first.point.y).toBeCloseTo(0.5, 5);
  expect(first.normal.y).toBeCloseTo(1, 5);
  expect(first.hitFraction).toBeCloseTo(9.5 / 30, 5);
  const all = (options: object): string =>
    system
      .raycastAll(from, to, options)
      .map(({ entity }) => entity.name)
      .join('');
  expect(all({ sort: true })).toBe('abc');
  expect(all({ filterCollisionMask: pc.BODYGROUP_STATIC })).toBe('bc');
  expect(all({ filterTags: ['even'] })).toBe('ac');
  expect(system.raycastFirst(from, to, { filterCallback: ({ name }: pc.Entity) => name === 'c' })!.entity.name).toBe('c');
  const ghost = add(BOX, { type: 'dynamic', group: 256, mask: 512 }, [0, 2, 0]);
  ghost.rigidbody!.group = 256;
  ghost.rigidbody!.mask = 512;
  step(60);
  expect(at(ghost)[1]).toBeLessThan(-1);
});

describe('joints', () => {
  async function pair(settings: object, withB: boolean) {
    const setup = await make(NONE);
    const a = setup.add(BOX, { type: 'dynamic', mass: 1 });
    const b = setup.add(BOX, { type: withB ? 'static' : 'kinematic' }, [3, 0, 0]);
    const holder = new pc.Entity('joint', setup.app);
    setup.app.root.addChild(holder);
    holder.addComponent('joint', { ...settings, entityA: a, ...(withB ? { entityB: b } : {}) });
    setup.step();
    return { ...setup, a, b, joint: holder.joint! };
  }
  const angleX = (entity: pc.Entity): number => {
    const q = entity.getRotation();
    return (2 * Math.atan2(q.x, q.w) * 180) / Math.PI;
  };

  test.each([true, false])('hinge: limits and motor turn A against B (B: %s)', async (withB) => {
    const { a, step, joint } = await pair(
      { type: 'hinge', enableLimits: true, limits: [-10, 60], motorSpeed: 90, maxMotorForce: 50 },
      withB,
    );
    step(30);
    expect(Math.abs(angleX(a) - 45)).toBeLessThan(4);
    step(60);
    expect(Math.abs(angleX(a) - 60)).toBeLessThan(1);
    joint.motorSpeed = -90;
    step(90);
    expect(Math.abs(angleX(a) + 10)).toBeLessThan(1);
    expect(at(a).every((x) => Math.abs(x) < 0.01)).toBe(true);
  });

  test.each([true, false])('slider: positive is B along x as A sees it (B: %s)', async (withB) => {
    const { a, step, joint } = await pair(
      { type: 'slider', enableLimits: true, limits: [-0.5, 2], motorSpeed: 1, maxMotorForce: 50 },
      withB,
    );
    step(31);
    expect(Math.abs(at(a)[0]! + 0.5)).toBeLessThan(0.05); // A goes the other way
    step(150);
    expect(Math.abs(at(a)[0]! + 2)).toBeLessThan(0.02);
    joint.motorSpeed = -1;
    step(240);
    expect(Math.abs(at(a)[0]! - 0.5)).toBeLessThan(0.02);
  });

  test('ball, fixed, 6dof with springs, breaking', async () => {
    const ball = await pair({ type: 'ball', enableLimits: true, twistLimit: 20, swingLimitY: 30, swingLimitZ: 40 }, true);
    for (let i = 0; i < 60; i++) {
      ball.a.rigidbody!.angularVelocity = new pc.Vec3(1, 0, 0);
      ball.step();
    }
    expect(Math.abs(angleX(ball.a) - 20)).toBeLessThan(2);
    const fixed = await pair({ type: 'fixed', breakImpulse: 2 }, true);
    let broken = 0;
    fixed.joint.on('break', () => broken++);
    fixed.a.rigidbody!.applyImpulse(0.1, 0, 0);
    fixed.step(5);
    expect(Math.abs(at(fixed.a)[0]!)).toBeLessThan(0.02);
    expect(broken).toBe(0);
    fixed.a.rigidbody!.applyImpulse(20, 0, 0);
    fixed.step(5);
    expect(broken).toBe(1);
    expect(fixed.joint.isBroken).toBe(true);
    fixed.a.rigidbody!.applyImpulse(-5, 0, 0);
    fixed.step(20);
    expect(at(fixed.a)[0]).toBeLessThan(-0.5);
    const spring = await pair(
      { type: '6dof', linearMotionY: 'free', linearStiffness: [0, 100, 0], linearDamping: [0, 20, 0] },
      true,
    );
    spring.app.systems.rigidbody!.gravity.set(0, -10, 0);
    spring.step(180);
    expect(at(spring.a)[1]).toBeCloseTo(-0.1, 2); // m g / k
    spring.joint.linearEquilibrium = new pc.Vec3(0, 0.3, 0); // B above A
    spring.step(180);
    expect(at(spring.a)[1]).toBeCloseTo(-0.4, 2);
    const count = spring.physics.nativeWorld.jointCount;
    spring.a.destroy();
    spring.step(2);
    expect(spring.physics.nativeWorld.jointCount).toBe(count - 1);
  });
});

test('frames of any length are steps of the same length, drawn between; the world goes with the application', async () => {
  const { add, step, physics, app } = await start(NONE);
  const one = add(BOX, { type: 'dynamic' });
  one.rigidbody!.linearVelocity = new pc.Vec3(1, 0, 0);
  let time = 0;
  for (const frame of [1 / 144, 1 / 90, 1 / 240, 1 / 37, 1 / 144, 1 / 30]) {
    step(1, frame);
    time += frame;
    expect(at(one)[0]).toBeCloseTo(Math.max(0, time - 1 / 60), 5);
  }
  expect(physics.nativeWorld.stepCount).toBe(Math.floor(time * 60));
  expect(physics.entityOf(physics.bodyOf(one)!)).toBe(one);
  app.destroy();
  expect(() => physics.nativeWorld.bodyCount).toThrow(/disposed/);
});
