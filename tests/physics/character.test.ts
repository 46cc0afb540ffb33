// The character mover on a course: stairs, slopes, corners, crates, lifts, low ceilings, by heights, times and momentum.
import { beforeEach, describe, expect, test } from 'vitest';
import { Character, type CharacterDesc } from '../../src/controllers/index';
import { type BodyId, createWorld, type ShapeDesc, type World } from '../../src/index';

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.6 };
const SKIN = 0.01;
let world: World;

beforeEach(async () => {
  world = await createWorld();
  box([100, 1, 100], [0, -1, 0]);
});

function box(halfExtents: number[], position: number[], more: object = {}): BodyId {
  return world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents }), position, ...more });
}

const about = ([x, y, z]: number[], angle: number) => {
  const s = Math.sin(angle / 2);
  return [x! * s, y! * s, z! * s, Math.cos(angle / 2)];
};

/** A slope that begins at z = `from` and rises along z. */
function slope(angle: number, from: number): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  box([2, 0.5, 6], [0, 6 * s - 0.5 * c, from + 6 * c + 0.5 * s], { rotation: about([1, 0, 0], -angle) });
}

const make = (desc: Partial<CharacterDesc> = {}) => new Character(world, { shape: CAPSULE, position: [0, 0, 0], ...desc });

function run(who: Character, steps: number, velocity: number[] = [0, 0, 0]): void {
  for (let i = 0; i < steps; i++) {
    who.walk({ velocity });
    world.step();
  }
}

const at = (who: Character) => who.getPosition([0, 0, 0]);

describe('on the ground', () => {
  test('it falls as a stone and lands on its feet', () => {
    const who = make({ position: [0, 3, 0] });
    for (let i = 1; i <= 40; i++) {
      world.step();
      expect(at(who)[1]).toBeCloseTo(3 - 0.5 * 9.81 * (i / 60) ** 2, 5);
    }
    expect(who.grounded).toBe(false);
    run(who, 20);
    expect(who.grounded).toBe(true);
    expect(at(who)[1]).toBeCloseTo(0, 4);
    expect(who.velocity.every((v) => Math.abs(v) < 1e-6)).toBe(true);
  });

  test('it walks at the speed it is told', () => {
    const who = make();
    run(who, 60, [0, 0, 3]);
    const before = at(who)[2]!;
    run(who, 60, [0, 0, 3]);
    expect(at(who)[2]! - before).toBeCloseTo(3, 4);
  });

  test('a jump rises to v2 / 2g', () => {
    const who = make();
    run(who, 5);
    let top = 0;
    who.walk({ jump: 4 });
    for (let i = 0; i < 61; i++) {
      world.step();
      top = Math.max(top, at(who)[1]!);
    }
    expect(Math.abs(top - 8 / 9.81)).toBeLessThan(0.002);
    expect(who.grounded).toBe(true);
  });

  test.each([10, 30, 45])('it walks up and down a slope of %i degrees at its speed and stands on it', (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    slope(angle, 1);
    const who = make();
    run(who, 90, [0, 0, 2]);
    const up = at(who);
    run(who, 30, [0, 0, 2]);
    const higher = at(who);
    expect(Math.hypot(higher[1]! - up[1]!, higher[2]! - up[2]!)).toBeCloseTo(1, 3);
    expect(higher[1]! - up[1]!).toBeCloseTo(Math.sin(angle), 3);
    run(who, 20);
    const stood = at(who);
    run(who, 60);
    expect(Math.hypot(...at(who).map((x, i) => x - stood[i]!))).toBeLessThan(1e-5);
    run(who, 30, [0, 0, -2]);
    run(who, 30, [0, 0, -2]);
    expect(who.grounded).toBe(true);
  });

  test('it does not climb what is too steep', () => {
    slope((60 * Math.PI) / 180, 1);
    const who = make();
    for (let i = 0; i < 120; i++) {
      run(who, 1, [0, 0, 3]);
      expect(at(who)[1]).toBeLessThan(0.02);
    }
  });

  test.each([
    [0.1, 0.3],
    [0.2, 0.3],
    [0.3, 0.4],
  ])('stairs of %f m up and down, %f m deep', (height, depth) => {
    for (let i = 0; i < 10; i++) box([1, (height * (i + 1)) / 2, depth / 2], [0, (height * (i + 1)) / 2, 1 + depth * (i + 0.5)]);
    box([1, 5 * height, 3], [0, 5 * height, 1 + 10 * depth + 3]);
    const who = make();
    let steps = 0;
    while (at(who)[2]! < 1 + 10 * depth + 0.5 && steps++ < 600) run(who, 1, [0, 0, 3]);
    expect(at(who)[1]).toBeCloseTo(10 * height, 3);
    // As fast as a walk along the edges would be, or faster.
    expect(steps / 60).toBeLessThan((1 + 0.5) / 3 + (10 * Math.hypot(height, depth)) / 3 + 0.4);
    while (at(who)[2]! > 0 && steps++ < 1200) {
      run(who, 1, [0, 0, -3]);
      expect(who.grounded).toBe(true);
    }
    expect(at(who)[1]).toBeCloseTo(0, 3);
  });

  test('a step higher than its own stops it', () => {
    box([1, 0.25, 1], [0, 0.25, 2]);
    const who = make();
    run(who, 120, [0, 0, 3]);
    expect(at(who)[1]).toBeCloseTo(0, 3);
    expect(at(who)[2]).toBeLessThan(1 - 0.3);
  });
});

describe('walls', () => {
  test('it slides along a wall and stops in a corner', () => {
    box([0.5, 2, 10], [1, 2, 0]);
    box([10, 2, 0.5], [0, 2, 5]);
    const who = make();
    run(who, 60, [3, 0, 3]);
    expect(at(who)[2]).toBeGreaterThan(2.5);
    run(who, 60, [3, 0, 3]);
    const [x, , z] = at(who) as [number, number, number];
    expect(Math.abs(x - (0.5 - 0.3))).toBeLessThan(2 * SKIN);
    expect(Math.abs(z - (4.5 - 0.3))).toBeLessThan(2 * SKIN);
    run(who, 60, [3, 0, 3]);
    expect(Math.hypot(at(who)[0]! - x, at(who)[2]! - z)).toBeLessThan(1e-3);
  });

  test('it is never in a wall, whatever its way through a maze', () => {
    const random = (() => {
      let s = 7;
      return () => {
        s = (s * 1103515245 + 12345) & 0x7fffffff;
        return s / 0x7fffffff;
      };
    })();
    for (let i = 0; i < 60; i++)
      box([0.2 + random(), 1, 0.2 + random()], [20 * random() - 10, 1, 20 * random() - 10], {
        rotation: about([0, 1, 0], 3 * random()),
      });
    const shape = world.createShape({ type: 'capsule', radius: 0.3, halfHeight: 0.6 });
    const start = [0, 0, 0];
    while (world.overlapShapeAny(shape, [start[0]!, 0.92, start[2]!], null)) start[0]! += 0.1;
    const who = make({ position: start });
    for (let i = 0; i < 600; i++) {
      run(who, 1, [4 * Math.sin(i / 30), 0, 4 * Math.cos(i / 47)]);
      const [x, y, z] = at(who) as [number, number, number];
      expect(world.overlapShapeAny(shape, [x, y + 0.9 + SKIN, z], null)).toBe(false);
    }
  });

  test('a moving wall pushes it', () => {
    const wall = box([0.2, 1, 1], [-1, 1, 0], { type: 'kinematic' });
    const who = make();
    for (let i = 1; i <= 120; i++) {
      world.moveKinematic(wall, [-1 + i / 60, 1, 0]);
      run(who, 1);
    }
    expect(at(who)[0]).toBeGreaterThan(1 + 0.2 + 0.3 - SKIN);
    expect(at(who)[0]).toBeLessThan(1 + 0.2 + 0.3 + 2 * SKIN);
  });

  test('it stands up only where there is room', () => {
    box([1, 0.5, 1], [0, 1.9, 3]); // its underside is at 1.4 m
    const who = make();
    run(who, 120, [0, 0, 2]);
    expect(at(who)[2]).toBeLessThan(2);
    expect(who.setShape({ type: 'capsule', radius: 0.3, halfHeight: 0.25 })).toBe(true);
    run(who, 60, [0, 0, 2]);
    expect(at(who)[2]).toBeGreaterThan(3);
    expect(who.setShape(CAPSULE)).toBe(false);
    run(who, 60, [0, 0, 2]);
    expect(who.setShape(CAPSULE)).toBe(true);
    expect(at(who)[1]).toBeCloseTo(0, 3);
  });
});

describe('bodies', () => {
  const crate = (mass: number) =>
    world.createBody({ shape: world.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] }), mass, position: [0, 0.4, 1] });

  test('momentum goes from it to what it meets, once', () => {
    world.set({ gravity: [0, 0, 0] });
    const body = world.createBody({
      shape: world.createShape({ type: 'sphere', radius: 0.5 }),
      mass: 20,
      position: [0, 0.9, 2],
      friction: 0,
      linearDamping: 0,
    });
    const who = make({ airAcceleration: 0, pushForce: 1e9, position: [0, 0.2, 0] });
    who.velocity[2] = 3;
    for (let i = 0; i < 60; i++) world.step();
    const v = world.getLinearVelocity(body, [0, 0, 0]);
    expect(80 * who.velocity[2]! + 20 * v[2]!).toBeCloseTo(240, 2);
    expect(v[2]).toBeCloseTo(2.4, 2);
  });

  test('it pushes a crate ahead of it, steadily, and does not move what is heavy', () => {
    const body = crate(40);
    const who = make();
    run(who, 60, [0, 0, 2]);
    const speeds: number[] = [];
    for (let i = 0; i < 30; i++) {
      run(who, 1, [0, 0, 2]);
      speeds.push(world.getLinearVelocity(body, [0, 0, 0])[2]!);
    }
    expect(Math.min(...speeds)).toBeGreaterThan(1.8);
    expect(Math.max(...speeds) - Math.min(...speeds)).toBeLessThan(0.05);
    world.removeBody(body);
    const heavy = crate(4000);
    who.teleport([0, 0, 0]);
    run(who, 120, [0, 0, 2]);
    expect(world.getPosition(heavy, [0, 0, 0])[2]).toBeCloseTo(1, 2);
  });

  test('its weight lies on what it stands on', () => {
    // A plank on a fulcrum with a counterweight: it tips under the character only.
    const scale = world.createBody({
      shape: world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.5] }),
      mass: 20,
      position: [0, 2, 0],
    });
    const spring = world.createJoint({
      type: 'slider',
      bodyB: scale,
      anchor: [0, 2, 0],
      axis: [0, 1, 0],
      spring: { stiffness: 20000, damping: 2000 },
    });
    const who = make({ position: [0, 2.1, 0] });
    run(who, 240);
    const bare = (20 * 9.81) / 20000;
    const loaded = (100 * 9.81) / 20000;
    expect(world.getJoint(spring).place).toBeCloseTo(-loaded, 3);
    who.teleport([10, 0, 0]);
    run(who, 240);
    expect(world.getJoint(spring).place).toBeCloseTo(-bare, 3);
  });

  test('it rides on what moves and turns, and leaves it with its speed', () => {
    const lift = box([1.5, 0.1, 1.5], [0, 0.1, 0], { type: 'kinematic' });
    const who = make({ position: [0.5, 0.21, 0.3] });
    run(who, 10);
    for (let i = 1; i <= 120; i++) {
      const t = i / 60;
      world.moveKinematic(lift, [t, 0.1 + 0.5 * t, 0], about([0, 1, 0], 0.5 * t));
      run(who, 1);
    }
    const [c, s] = [Math.cos(1), Math.sin(1)];
    const [x, y, z] = at(who) as [number, number, number];
    expect(Math.hypot(x - (2 + 0.5 * c + 0.3 * s), y - 1.2, z - (0.3 * c - 0.5 * s))).toBeLessThan(2e-3);
    expect(who.takeTurn()).toBeCloseTo(1, 5);
    expect(who.takeTurn()).toBe(0);
    const ground = who.getGroundVelocity([0, 0, 0]);
    expect(ground[1]).toBeCloseTo(0.5, 3);
    for (const k of [0, 1, 2]) expect(who.velocity[k]).toBeCloseTo(ground[k]!, 3);
    world.moveKinematic(lift, [2 + 1 / 60, 1.1 + 0.5 / 60, 0], about([0, 1, 0], 1));
    who.walk({ jump: 4 });
    world.step();
    expect(who.velocity[0]).toBeGreaterThan(0.9);
    expect(who.getGroundVelocity([1, 1, 1])).toEqual([0, 0, 0]);
  });

  test('its body is seen by sensors, and a ground that goes away lets it fall', () => {
    const ground = box([1, 0.5, 1], [0, 4.5, 0]);
    box([0.5, 0.5, 0.5], [0, 5.5, 0], { sensor: true });
    const who = make({ position: [0, 5, 0], presence: 'sensor' });
    run(who, 5);
    expect(who.groundBody).toBe(ground);
    world.removeBody(ground);
    run(who, 30);
    expect(who.grounded).toBe(false);
    expect(who.groundBody).toBe(null);
    who.dispose();
    expect(world.bodyCount).toBe(2);
  });
});

describe('saved', () => {
  test('it goes on in the same way after a restore, in a clone and in another world, and makes nothing there', async () => {
    const desc = { shape: CAPSULE, position: [0, 0, 0], presence: 'solid' } as const;
    const who = new Character(world, desc);
    world.createBody({
      type: 'kinematic',
      shape: world.createShape({ type: 'cylinder', radius: 3, halfHeight: 0.1 }),
      position: [0, 0.1, 3.6],
      angularVelocity: [0, 1, 0],
    });
    run(who, 60, [0, 0, 1.8]);
    expect(who.setShape({ type: 'capsule', radius: 0.3, halfHeight: 0.3 })).toBe(true);
    run(who, 30, [0, 0, 0.2]);
    expect(who.body).not.toBe(null);
    const saved = who.save();
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    const bytes = world.snapshot();
    const copy = await world.clone();
    const twin = who.clone(copy);
    expect(copy.hash()).toBe(world.hash());
    const go = (w: World, one: Character) =>
      Array.from({ length: 60 }, (_, i) => {
        one.walk({ velocity: [0.3, 0, 0.2], jump: i === 20 ? 3 : 0 });
        w.step();
        return [...at(one), w.hash()];
      });
    const expected = go(world, who);
    expect(go(copy, twin)).toEqual(expected);
    world.restore(bytes);
    expect(go(world, who)).toEqual(expected);
    const other = await createWorld();
    other.restore(bytes);
    expect(go(other, new Character(other, desc, saved))).toEqual(expected);
    const before = at(who);
    for (const wrong of [null, {}, [...saved, 1], saved.map((x, i) => (i === 1 ? NaN : x))]) {
      expect(() => who.load(wrong as never)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
    }
    expect(at(who)).toEqual(before);
  });
});

describe('refused', () => {
  test.each([
    [{ shape: { type: 'mesh', positions: [], indices: [] } }, /character\.shape/],
    [{ stepHeight: -1 }, /stepHeight/],
    [{ positon: [0, 0, 0] }, /positon/],
    [{ position: [0, Number.NaN, 0] }, /character\.position/],
    [{ up: [0, 0, 0] }, /character\.up/],
    [{ presence: 'ghost' }, /presence/],
  ])('%o', (wrong, message) => {
    const count = world.bodyCount;
    expect(() => make(wrong as object)).toThrow(message);
    expect(world.bodyCount).toBe(count);
    const who = make();
    expect(() => who.walk({ velocity: [1, Number.NaN, 0] })).toThrow(/walk\.velocity/);
    expect(() => who.walk({ leap: 3 } as object)).toThrow(/leap/);
  });
});
