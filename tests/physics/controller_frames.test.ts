// Controllers at the pace of steps, whatever that of frames: the same way at every frame rate, motion in every frame, one moment for
// all that is drawn. And what a world does with its controllers: order, errors, restores, ends.
import { describe, expect, test } from 'vitest';
import { Character, type CharacterDesc, Vehicle } from '../../src/controllers/index';
import { type BodyId, createWorld, type ShapeDesc, type World } from '../../src/index';
import { createRagdoll } from '../../src/rigs/index';

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.6 };
const RATES = [24, 30, 60, 90, 144, 240];

async function level(): Promise<World> {
  const world = await createWorld({ warn: false });
  const shape = world.createShape({ type: 'box', halfExtents: [200, 1, 200] });
  world.createBody({ type: 'static', shape, position: [0, -1, 0] });
  return world;
}

const make = (world: World, desc: Partial<CharacterDesc> = {}) =>
  new Character(world, { shape: CAPSULE, position: [0, 0, 0], ...desc });

function carOf(world: World, x = 0): Vehicle {
  const shape = world.createShape({ type: 'box', halfExtents: [0.9, 0.3, 2] });
  const body = world.createBody({ shape, mass: 1200, position: [x, 0.8, 0] });
  const wheel = (side: number, z: number, more = {}) => ({ position: [side, -0.45, z], radius: 0.35, ...more });
  const steered = { steered: true };
  const driven = { driven: true };
  return new Vehicle(world, {
    body,
    drive: { torque: 1500 },
    wheels: [wheel(0.8, 1.3, steered), wheel(-0.8, 1.3, steered), wheel(0.8, -1.3, driven), wheel(-0.8, -1.3, driven)],
  });
}

const far = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]!));

describe('frames', () => {
  test('a character goes the same way at every frame rate, and moves in every frame', async () => {
    const ends: number[][] = [];
    for (const rate of RATES) {
      const world = await level();
      for (let i = 0; i < 6; i++) {
        const shape = world.createShape({ type: 'box', halfExtents: [2, 0.1 * (i + 1), 0.2] });
        world.createBody({ type: 'static', shape, position: [0, 0.1 * (i + 1), -2 - 0.4 * i] });
      }
      const who = make(world);
      let last = [0, 0, 0];
      let still = 0;
      for (let frame = 0; frame < 3 * rate; frame++) {
        who.walk({ velocity: [0.3, 0, -2], jump: frame === 0 ? 3 : 0 });
        world.advance(1 / rate);
        const now = who.getPose([0, 0, 0]);
        if (frame > rate / 10 && far(now, last) < 0.2 / rate) still++;
        last = now;
      }
      expect(still).toBe(0);
      ends.push(last);
    }
    for (const end of ends) expect(far(end, ends[0]!)).toBeLessThan(1e-4);
    expect(ends[0]![2]).toBeLessThan(-4);
  });

  test('a jump that is asked for between two steps is made', async () => {
    const world = await level();
    const who = make(world);
    for (let i = 0; i < 5; i++) world.step();
    for (let frame = 0; frame < 24; frame++) {
      who.walk({ velocity: [0, 0, 0], jump: frame === 1 ? 4 : 0 });
      world.advance(1 / 240);
    }
    expect(who.getPosition([0, 0, 0])[1]).toBeGreaterThan(0.2);
    // Once: it is not made again where it lands.
    for (let i = 0; i < 120; i++) world.step();
    expect(who.grounded).toBe(true);
    expect(who.getPosition([0, 0, 0])[1]).toBeCloseTo(0, 3);
  });

  test('a vehicle goes the same way at every frame rate; its wheels are drawn where its body is', async () => {
    const ends: number[][] = [];
    for (const rate of RATES) {
      const world = await level();
      const car = carOf(world);
      Object.assign(car.controls, { throttle: 1, steering: 0.3 });
      const place = [0.8, -0.45, 1.3];
      let still = 0;
      let off = 0;
      let last = [0, 0, 0];
      let angle = 0;
      for (let frame = 0; frame < 4 * rate; frame++) {
        world.advance(1 / rate);
        const [p, q, center, turn] = [
          [0, 0, 0],
          [0, 0, 0, 1],
          [0, 0, 0],
          [0, 0, 0, 1],
        ];
        world.getPose(car.body, p, q);
        car.getWheelPose(0, center, turn);
        // Into the frame of the body that is drawn: nothing is left but the travel of the spring.
        const [x, y, z, w] = [-q[0]!, -q[1]!, -q[2]!, q[3]!];
        const d = center.map((v, k) => v - p[k]!) as [number, number, number];
        const t = [2 * (y * d[2] - z * d[1]), 2 * (z * d[0] - x * d[2]), 2 * (x * d[1] - y * d[0])] as [number, number, number];
        const local = [
          d[0] + w * t[0] + y * t[2] - z * t[1],
          d[1] + w * t[1] + z * t[0] - x * t[2],
          d[2] + w * t[2] + x * t[1] - y * t[0],
        ];
        off = Math.max(off, Math.abs(local[0]! - place[0]!), Math.abs(local[2]! - place[2]!));
        if (frame > rate) {
          // On flat ground the lowest point of the wheel is on it, at any moment between two steps.
          off = Math.max(off, 0.1 * Math.abs(center[1]! - 0.35));
          if (far(p, last) < 0.5 / rate || turn.every((v, k) => v === (angle as never)[k])) still++;
        }
        last = p;
        angle = turn as never;
      }
      expect(off).toBeLessThan(1e-3);
      expect(still).toBe(0);
      ends.push([...last]);
    }
    for (const end of ends) expect(far(end, ends[0]!)).toBeLessThan(1e-4);
    expect(ends[0]![2]).toBeGreaterThan(8);
  });

  test('a ragdoll is read where its bodies are drawn', async () => {
    const world = await level();
    const doll = createRagdoll(world, { position: [0, 2, 0], linearVelocity: [1, 0, 0] });
    const pose = { positions: new Float32Array(3 * doll.bones.length), rotations: new Float32Array(4 * doll.bones.length) };
    let still = 0;
    let last = 0;
    for (let frame = 0; frame < 60; frame++) {
      world.advance(1 / 144);
      doll.readPose(pose);
      for (const [i, { body }] of doll.bones.entries()) {
        const [p, q] = [new Float32Array(3), new Float32Array(4)];
        world.getPose(body, p, q);
        expect([...pose.positions.subarray(3 * i, 3 * i + 3)]).toEqual([...p]);
        expect([...pose.rotations.subarray(4 * i, 4 * i + 4)]).toEqual([...q]);
      }
      if (frame > 3 && pose.positions[0] === last) still++;
      last = pose.positions[0]!;
    }
    expect(still).toBe(0);
    doll.readPose(pose, 1);
    const root = doll.bones[0]!.body;
    expect([...pose.positions.subarray(0, 3)]).toEqual([...world.getPosition(root, new Float32Array(3))]);
  });

  test('moving ground turns it evenly from frame to frame', async () => {
    const world = await level();
    const shape = world.createShape({ type: 'cylinder', radius: 3, halfHeight: 0.1 });
    world.createBody({ type: 'kinematic', shape, position: [0, 0.1, 0], angularVelocity: [0, 1, 0] });
    const who = make(world, { position: [1, 0.2, 0] });
    const turns: number[] = [];
    for (let frame = 0; frame < 288; frame++) {
      world.advance(1 / 144);
      turns.push(who.takeTurn());
    }
    for (const turn of turns.slice(10)) expect(turn).toBeCloseTo(1 / 144, 5);
  });

  test('steps by hand, one after the other or awaited, move it as frames do', async () => {
    const ends: number[][] = [];
    for (const way of ['step', 'async', 'advance'] as const) {
      const world = await level();
      const who = make(world);
      who.walk({ velocity: [0, 0, 3] });
      for (let i = 0; i < 30; i++) {
        if (way === 'step') world.step();
        else if (way === 'async') await world.stepAsync();
        else world.advance(1 / 60);
      }
      ends.push(who.getPosition([0, 0, 0]));
    }
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  });
});

describe('a world and its controllers', () => {
  test('it calls them in the order in which they came, around each step, before those who listen', async () => {
    const world = await level();
    const log: string[] = [];
    const one = world.addController({
      beforeStep: (dt) => log.push(`a before ${dt.toFixed(4)}`),
      afterStep: () => log.push('a after'),
    });
    world.addController({ afterStep: () => log.push(`b after ${world.stepCount}`) });
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [0, 0.5, 0] });
    world.on('begin', () => log.push('begin'));
    world.advance(1 / 60, { beforeStep: () => log.push('frame before'), afterStep: () => log.push('frame after') });
    expect(log).toEqual(['frame before', 'a before 0.0167', 'a after', 'b after 1', 'begin', 'frame after']);
    expect(world.controllers.length).toBe(2);
    one();
    log.length = 0;
    world.step();
    expect(log).toEqual(['b after 2']);
  });

  test('what they throw is thrown when the step is done, and all were called', async () => {
    const world = await level();
    let calls = 0;
    world.addController({
      beforeStep() {
        throw new Error('first');
      },
    });
    world.addController({ afterStep: () => calls++ });
    expect(() => world.step()).toThrow('first');
    expect([world.stepCount, calls]).toEqual([1, 1]);
    world.addController({
      afterStep() {
        world.step();
      },
    });
    expect(() => world.step()).toThrow(AggregateError);
    expect([world.stepCount, calls]).toEqual([2, 2]);
    for (const wrong of [null, {}, 3, { beforeStep: 1 }, { afterStep: () => 0, isMoving: true }])
      expect(() => world.addController(wrong as never)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test('one may go, and dispose the world, in a call', async () => {
    const world = await level();
    let calls = 0;
    const ends: (() => void)[] = [];
    world.addController({ afterStep: () => ends[0]?.() });
    ends.push(world.addController({ afterStep: () => calls++ }));
    world.step();
    expect(calls).toBe(0);
    world.addController({ afterStep: () => world.dispose() });
    world.addController({ afterStep: () => calls++ });
    world.step();
    expect(calls).toBe(0);
  });

  test('one that was disposed is moved no more and says so; a disposed world does not mind', async () => {
    const world = await level();
    const who = make(world);
    const car = carOf(world, 4);
    const { bodyCount } = world;
    who.dispose();
    who.dispose();
    expect(world.bodyCount).toBe(bodyCount - 1);
    expect(() => who.walk({ velocity: [1, 0, 0] })).toThrow(expect.objectContaining({ code: 'disposed' }));
    expect(() => who.teleport([0, 0, 0])).toThrow(expect.objectContaining({ code: 'disposed' }));
    car.dispose();
    expect(world.controllers).toEqual([]);
    car.controls.throttle = 1;
    for (let i = 0; i < 120; i++) world.step();
    // On its belly, asleep.
    expect(world.isAsleep(car.body)).toBe(true);
    const other = make(world);
    const another = carOf(world, -4);
    world.dispose();
    other.dispose();
    another.dispose();
  });

  test('switched off they rest, and go on later', async () => {
    const world = await level();
    const who = make(world);
    const car = carOf(world, 4);
    who.walk({ velocity: [0, 0, 3] });
    for (let i = 0; i < 30; i++) world.step();
    who.enabled = false;
    car.enabled = false;
    const at = who.getPosition([0, 0, 0]);
    for (let i = 0; i < 90; i++) world.step();
    expect(who.getPosition([0, 0, 0])).toEqual(at);
    expect(who.getPose([0, 0, 0], 0)).toEqual(at);
    expect(world.isEnabled(who.body!)).toBe(false);
    expect(world.getPosition(car.body, [0, 0, 0])[1]).toBeLessThan(0.35);
    who.enabled = true;
    car.enabled = true;
    world.wake(car.body);
    for (let i = 0; i < 30; i++) world.step();
    expect(who.getPosition([0, 0, 0])[2]).toBeCloseTo(at[2]! + 1.5, 1);
    expect(world.getPosition(car.body, [0, 0, 0])[1]).toBeGreaterThan(0.5);
  });

  test('in a world that goes back to a time before them they rest until they are disposed', async () => {
    const world = await level();
    const bytes = world.snapshot();
    const who = make(world);
    const car = carOf(world, 4);
    for (let i = 0; i < 10; i++) world.step();
    world.restore(bytes);
    const at = who.getPosition([0, 0, 0]);
    for (let i = 0; i < 10; i++) world.step();
    expect(who.getPosition([0, 0, 0])).toEqual(at);
    const again = make(world);
    who.dispose();
    car.dispose();
    world.step();
    expect(again.grounded).toBe(true);
    expect(world.bodyCount).toBe(2);
  });

  test('several on one world meet each other in an order that is always the same', async () => {
    const go = async () => {
      const world = await level();
      const all = [0, 1, 2, 3].map((i) => make(world, { position: [i, 0, 0.2 * i], presence: 'solid' }));
      const crate = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
      for (let i = 0; i < 4; i++) world.createBody({ shape: crate, mass: 30, position: [i, 0.3, 2] });
      const car = carOf(world, 8);
      car.controls.throttle = 1;
      for (let i = 0; i < 120; i++) {
        for (const [k, who] of all.entries()) who.walk({ velocity: [Math.sin(i / 20 + k), 0, 2] });
        world.step();
      }
      return [world.hash(), ...all.flatMap((who) => who.getPosition([0, 0, 0]))];
    };
    expect(await go()).toEqual(await go());
  });
});

describe('sensors', () => {
  test('a character sets them off by itself: it comes and goes; rays and bodies do not meet it', async () => {
    const world = await level();
    const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const door = world.createBody({ type: 'static', shape: box, position: [0, 0.5, 3], sensor: true });
    const who = make(world);
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.2 }), position: [0, 3, 0] });
    const log: [string, BodyId][] = [];
    for (const kind of ['sensor-begin', 'sensor-end'] as const)
      world.on(kind, ({ bodyA, bodyB }) => {
        if (bodyA === door || bodyB === door) log.push([kind, bodyA === door ? bodyB : bodyA]);
      });
    expect(world.castRay([0, 1, -2], [0, 0, 1], { maxDistance: 4 })).toBe(null);
    expect(world.castRay([0, 1, -2], [0, 0, 1], { maxDistance: 4, sensors: true })!.body).toBe(who.body);
    who.walk({ velocity: [0, 0, 3] });
    for (let i = 0; i < 120; i++) world.step();
    expect(log).toEqual([
      ['sensor-begin', who.body],
      ['sensor-end', who.body],
    ]);
    expect(world.getPosition(ball, [0, 0, 0])[1]).toBeCloseTo(0.2, 2);
    const ghost = make(world, { presence: 'none' });
    expect(ghost.body).toBe(null);
  });
});
