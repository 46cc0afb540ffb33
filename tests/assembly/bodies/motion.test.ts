// Accelerations at the begin of a step and poses at its end, with the gyroscopic turn, against double precision: closed forms,
// and a fine Runge-Kutta integration of free rotation.
import { expect, test } from 'vitest';
import {
  BODY_KINEMATIC,
  BODY_STATIC,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyRow,
  Header,
} from '../../../src/layout.generated';
import { coreBodies, type Symmetric } from '../../helpers/core_bodies';
import { farthest } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';
import { dot, multiply, rotationOf, solveSymmetric, timesSymmetric, turned, turnedBack, unit } from '../../helpers/vectors';

const f = Math.fround;
const INERTIA: Symmetric = [1.5, 2.25, 2.75, 0.25, -0.125, 0.375];
const vector = (random: () => number, size = 1) => [0, 0, 0].map(() => f((2 * random() - 1) * size));
const quaternion = (random: () => number) => unit([...vector(random), random() + 0.1]).map(f);

test('the world inverse inertia is that of the body turned', () => {
  const world = coreBodies();
  const random = seeded(51);
  for (let round = 0; round < 20; round++) {
    const q = quaternion(random);
    const body = world.body({ q, inertia: INERTIA, com: [0.2, 0.1, -0.4] });
    const l = vector(random);
    const expected = turned(q, solveSymmetric(INERTIA, turnedBack(q, l)));
    expect(farthest(timesSymmetric(world.get('inertia', body, 0, 6), l), expected)).toBeLessThan(1e-6);
    const out = world.room(16);
    world.core.testInverseInertia(body, world.floats([...l, 7]), out);
    expect(farthest(world.readFloats(out, 3), expected)).toBeLessThan(1e-6);
  }
});

test('accelerations are those of gravity, forces, torques and damping, of dynamic bodies alone', () => {
  const world = coreBodies();
  const { core } = world;
  const gravity = [0.5, -9, 2];
  for (const [i, field] of [Header.gravityX, Header.gravityY, Header.gravityZ].entries())
    world.setHeaderFloat(field, gravity[i]!);
  const dt = 0.02;
  world.setHeaderFloat(Header.dt, dt);
  const q = unit([0.3, -0.5, 0.2, 0.7]);
  const idle = world.body({ extent: 1 });
  const moved = world.body({ q, mass: 2.5, inertia: INERTIA, extent: 0.5 });
  const pushed = world.body({ q, mass: 4, inertia: INERTIA, extent: 3 });
  const carried = world.body({ type: BODY_KINEMATIC });
  const fixed = world.body({ type: BODY_STATIC });
  const [v, w] = [
    [1, -2, 3],
    [0.5, 0.75, -1.5],
  ] as [number[], number[]];
  const [force, torque] = [
    [7, -11, 5],
    [3, 2, -4],
  ] as [number[], number[]];
  core.setVelocity(moved, ...v, ...w);
  core.setVelocity(carried, ...v, ...w);
  core.setMotion(moved, 1.5, 0.4, 2.5);
  core.addForce(moved, ...force, ...torque);
  core.addForce(pushed, ...torque, ...force);
  core.addForce(pushed, 1, 2, 4, 8, 16, 32);
  for (const body of [idle, moved, pushed, carried]) world.set('delta', body, 0, new Array(8).fill(3));
  world.set('accel', carried, 0, new Array(8).fill(3));
  world.set('delta', fixed, 0, new Array(8).fill(3));
  core.listAwake();
  expect(world.header(Header.awakeCount)).toBe(4);
  core.beginBodies();
  const accel = (body: number) => [...world.get('accel', body), ...world.get('accel', body, BodyAccel.bx)];
  const spun = (t: number[]) => turned(q, solveSymmetric(INERTIA, turnedBack(q, t)));
  const pulled = v.map((x, i) => 1.5 * gravity[i]! + force[i]! / 2.5 - (0.4 / (1 + 0.4 * dt)) * x);
  const twisted = spun(torque).map((x, i) => x - (2.5 / (1 + 2.5 * dt)) * w[i]!);
  expect(farthest(accel(moved), [...pulled, ...twisted])).toBeLessThan(1e-5);
  const sum = (a: number[], b: number[]) => a.map((x, i) => x + b[i]!);
  const both = [
    sum(
      gravity,
      sum(torque, [1, 2, 4]).map((x) => x / 4),
    ),
    spun(sum(force, [8, 16, 32])),
  ] as [number[], number[]];
  expect(farthest(accel(pushed), both.flat())).toBeLessThan(1e-5);
  expect(accel(idle)).toEqual([...gravity, 0, 0, 0]);
  expect(accel(carried)).toEqual([0, 0, 0, 0, 0, 0]);
  for (const body of [idle, moved, pushed, carried]) expect(world.get('delta', body, 0, 8)).toEqual(new Array(8).fill(0));
  expect(world.get('delta', fixed, 0, 2)).toEqual([3, 3]);
  const hardest = Math.max(
    Math.hypot(...pulled) + 0.5 * Math.hypot(...twisted),
    Math.hypot(...both[0]) + 3 * Math.hypot(...both[1]),
  );
  expect(world.headerFloat(Header.hardest)).toBeCloseTo(hardest * dt, 4);
  // Forces act in one step; damping and a gravity of its own go on.
  core.beginBodies();
  expect(accel(pushed)).toEqual([...gravity, 0, 0, 0]);
  const damped = [
    ...v.map((x, i) => 1.5 * gravity[i]! - (0.4 / (1 + 0.4 * dt)) * x),
    ...w.map((x) => (-2.5 / (1 + 2.5 * dt)) * x),
  ];
  expect(farthest(accel(moved), damped)).toBeLessThan(1e-5);
  core.setMotion(moved, 1, 0, 0);
  core.beginBodies();
  core.beginBodies();
  expect(accel(moved)).toEqual([...gravity, 0, 0, 0]);
  expect(world.headerFloat(Header.hardest)).toBeCloseTo(Math.hypot(...gravity) * dt, 6);
});

test('the end of a step moves centers, rotations, inertia, origins and paths by the motion of the step', () => {
  const world = coreBodies();
  const random = seeded(52);
  const dt = 0.025;
  world.setHeaderFloat(Header.dt, dt);
  const bodies = Array.from({ length: 12 }, (_, i) => {
    const q = quaternion(random);
    const com = [0.3, -0.2, 0.5];
    const at = vector(random, 5);
    // Of one moment: no gyroscopic torque. Some are kinematic.
    const body = world.body({ type: i % 3 === 2 ? BODY_KINEMATIC : 2, q, at, com, inertia: [2, 2, 2, 0, 0, 0], extent: 0.4 + i });
    return {
      body,
      q,
      at,
      com,
      v: vector(random, 3),
      w: vector(random, 2),
      d: vector(random),
      p: vector(random),
    };
  });
  world.core.listAwake();
  world.core.beginBodies();
  for (const { body, v, w, d, p } of bodies) {
    world.set('row', body, BodyRow.vx, v);
    world.set('row', body, BodyRow.wx, w);
    world.set('delta', body, BodyDelta.dx, d);
    world.set('delta', body, BodyDelta.px, p);
    world.setDouble(Header.paths, body, 100 + body);
    world.setDouble(Header.turnPaths, body, 200 + body);
  }
  expect(world.core.finishBodies()).toBe(0);
  let fastest = 0;
  for (const [i, { body, q, at, com, v, w, d, p }] of bodies.entries()) {
    const extent = 0.4 + i;
    const center = turned(q, com).map((x, k) => x + at[k]! + d[k]!);
    const turn = multiply(rotationOf(p), q);
    expect(farthest(world.get('center', body), center)).toBeLessThan(2e-6);
    expect(farthest(world.get('rotation', body, 0, 4), turn)).toBeLessThan(1e-6);
    expect(
      farthest(
        world.get('position', body),
        center.map((x, k) => x - turned(turn, com)[k]!),
      ),
    ).toBeLessThan(2e-6);
    expect(world.get('position', body, 0, 4)[3]).toBe(1);
    expect([...world.get('row', body), ...world.get('row', body, BodyRow.wx)]).toEqual([...v, ...w]);
    const swing = Math.hypot(...p) * extent;
    const path = 100 + body + Math.hypot(...d) + swing;
    const speed = Math.hypot(...v) + Math.hypot(...w) * extent;
    expect(world.double(Header.paths, body)).toBeCloseTo(path, 5);
    expect(world.double(Header.turnPaths, body)).toBeCloseTo(200 + body + swing, 5);
    expect(world.double(Header.motions, body)).toBeCloseTo(path + speed * dt, 5);
    fastest = Math.max(fastest, speed);
  }
  expect(world.headerFloat(Header.fastest)).toBeCloseTo(fastest, 4);
});

test('motion far below one unit in the last place of a position adds up', () => {
  const world = coreBodies();
  const body = world.body({ at: [4096.5, -1000, 70000], com: [0.25, 0.5, -0.25] });
  const start = world.get('center', body);
  const d = [1e-6, -3e-6, 2e-5].map(f);
  world.core.listAwake();
  for (let i = 0; i < 500; i++) {
    world.core.beginBodies();
    world.set('delta', body, 0, d);
    world.core.finishBodies();
  }
  const [x, y, z, , lx, ly, lz] = world.get('center', body, 0, BodyCenter.STRIDE / 4) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  expect(
    farthest(
      [x + lx, y + ly, z + lz],
      start.map((s, i) => s + 500 * d[i]!),
    ),
  ).toBeLessThan(5e-8);
  expect([x, y, z]).toEqual([x + lx, y + ly, z + lz].map(f));
});

/** Free rotation for a time by Runge-Kutta of order four: the rotation at the end; the momentum in the world stays. */
function spin(q0: number[], momentum: number[], time: number, inertia = INERTIA): { q: number[]; w: number[] } {
  const velocity = (q: number[]) => turned(unit(q), solveSymmetric(inertia, turnedBack(unit(q), momentum)));
  const rate = (q: number[]) => multiply([...velocity(q), 0], q).map((x) => x / 2);
  const steps = Math.max(20, Math.ceil(400 * time));
  const h = time / steps;
  let q = q0;
  const ahead = (k: number[], s: number) => q.map((x, i) => x + s * k[i]!);
  for (let i = 0; i < steps; i++) {
    const a = rate(q);
    const b = rate(ahead(a, h / 2));
    const c = rate(ahead(b, h / 2));
    const d = rate(ahead(c, h));
    q = unit(q.map((x, k) => x + (h / 6) * (a[k]! + 2 * b[k]! + 2 * c[k]! + d[k]!)));
  }
  return { q, w: velocity(q) };
}

/** What the core makes of a rotation, a velocity and the turn that the solver has summed up. */
function turnOf(world: ReturnType<typeof coreBodies>, body: number, q: number[], w: number[], p: number[], dt: number) {
  const out = world.room(48);
  const angle = world.core.testTurnBody(body, world.floats(q), world.floats([...w, 0]), world.floats([...p, 0]), dt, out);
  const got = world.readFloats(out, 12);
  return {
    angle,
    q: got.slice(0, 4),
    w: [0, 1, 2].map((i) => got[4 + i]! + got[8 + i]!),
    high: got.slice(4, 7),
    low: got.slice(8, 11),
  };
}

test('free rotation follows a fine integration and keeps angular momentum and energy', () => {
  const world = coreBodies();
  const random = seeded(53);
  const body = world.body({ inertia: INERTIA });
  const worst = { short: 0, long: 0 };
  for (let round = 0; round < 16; round++) {
    const q = quaternion(random);
    const long = round % 2 === 1;
    const w = vector(random, 2);
    const dt = long ? f(1.1) : f(0.02);
    const momentum = turned(unit(q), timesSymmetric(INERTIA, turnedBack(unit(q), w)));
    const got = turnOf(
      world,
      body,
      q,
      w,
      w.map((x) => x * dt),
      dt,
    );
    const exact = spin(unit(q), momentum, dt);
    const off = Math.max(farthest(got.q, exact.q), farthest(got.w, exact.w));
    const key = long ? 'long' : 'short';
    worst[key] = Math.max(worst[key], off);
    const rotation = unit(got.q);
    const kept = turned(rotation, timesSymmetric(INERTIA, turnedBack(rotation, got.w)));
    expect(farthest(kept, momentum)).toBeLessThan(2e-6);
    expect(dot(got.w, kept)).toBeCloseTo(dot(w, momentum), 5);
    expect(got.high).toEqual(got.w.map(f));
    expect(got.angle).toBeGreaterThan(0.9 * dt * Math.hypot(...w));
    expect(got.angle).toBeLessThan(1.1 * dt * Math.hypot(...w));
  }
  expect(worst.short).toBeLessThan(2e-6);
  expect(worst.long).toBeLessThan(1e-2);
});

test('about a principal axis a body turns as far as its velocity says', () => {
  const world = coreBodies();
  const body = world.body({ inertia: [1, 2, 2.5, 0, 0, 0] });
  const q = unit([0.2, -0.4, 0.5, 0.7]).map(f);
  for (const [axis, speed] of [
    [0, 3],
    [1, -7],
    [2, 1.5],
  ] as [number, number][]) {
    const w = turned(
      unit(q),
      [0, 1, 2].map((i) => (i === axis ? speed : 0)),
    ).map(f);
    const dt = f(0.25);
    const got = turnOf(
      world,
      body,
      q,
      w,
      w.map((x) => x * dt),
      dt,
    );
    expect(farthest(got.q, multiply(rotationOf(w.map((x) => x * dt)), q))).toBeLessThan(5e-6);
    expect(farthest(got.w, w)).toBeLessThan(5e-6);
    expect(got.angle).toBeCloseTo(Math.abs(speed) * dt, 5);
  }
});

test('the turn by contacts comes after the free part, with the velocity of the same momentum within two bounds', () => {
  const world = coreBodies();
  const random = seeded(54);
  const body = world.body({ inertia: INERTIA });
  const seen = { free: 0, bounded: 0, calmed: 0 };
  const dt = f(0.02);
  for (let round = 0; round < 60; round++) {
    const q = quaternion(random);
    const w = vector(random, 2);
    // Less than all of the turn along w, against it, or more; and something across.
    const share = [0.5, -0.6, 1.7][round % 3]!;
    const across = vector(random, 0.03);
    const p = w.map((x, i) => f(x * dt * share + across[i]!));
    const time = Math.min(dt, Math.max(0, dot(p, w) / dot(w, w)));
    const c = p.map((x, i) => x - time * w[i]!);
    const momentum = turned(unit(q), timesSymmetric(INERTIA, turnedBack(unit(q), w)));
    const free = spin(unit(q), momentum, time);
    const end = unit(multiply(rotationOf(c), free.q));
    let change = turned(end, solveSymmetric(INERTIA, turnedBack(end, momentum))).map((x, i) => x - free.w[i]!);
    const most = Math.hypot(...c) * Math.hypot(...free.w);
    if (Math.hypot(...change) > most) {
      change = change.map((x) => (x * most) / Math.hypot(...change));
      seen.bounded++;
    } else seen.free++;
    let velocity = free.w.map((x, i) => x + change[i]!);
    const energy = (u: number[], r: number[]) => dot(turnedBack(r, u), timesSymmetric(INERTIA, turnedBack(r, u)));
    const grown = energy(velocity, end) / energy(w, unit(q));
    if (grown > 1) {
      velocity = velocity.map((x) => x / Math.sqrt(grown));
      seen.calmed++;
    }
    const got = turnOf(world, body, q, w, p, dt);
    expect(farthest(got.q, end)).toBeLessThan(3e-6);
    expect(farthest(got.w, velocity)).toBeLessThan(1e-5);
    expect(got.angle).toBeCloseTo(time * Math.hypot(...w) + Math.hypot(...c), 4);
  }
  expect(Math.min(seen.free, seen.calmed)).toBeGreaterThan(5);
});

test('the low part of a velocity counts as long as nobody has set the velocity since', () => {
  const world = coreBodies();
  const body = world.body({ inertia: INERTIA });
  const w = [2, -1, 1.5];
  const low = [1e-7, -5e-8, 4e-8].map(f);
  world.set('cold', body, BodyCold.wlx, low);
  const q = [0, 0, 0, 1];
  const dt = f(1e-6);
  const kept = turnOf(
    world,
    body,
    q,
    w,
    w.map((x) => x * dt),
    dt,
  ).w;
  expect(
    farthest(
      kept,
      w.map((x, i) => x + low[i]!),
    ),
  ).toBeLessThan(1e-5);
  world.set('cold', body, BodyCold.wlx, [0, 0, 0]);
  const plain = turnOf(
    world,
    body,
    q,
    w,
    w.map((x) => x * dt),
    dt,
  ).w;
  expect(
    farthest(
      kept.map((x, i) => x - plain[i]!),
      low,
    ),
  ).toBeLessThan(1e-9);
  // No rest of these: they are larger than half a unit in the last place.
  world.set('cold', body, BodyCold.wlx, [1e-3, -1e-3, 1e-3]);
  expect(
    turnOf(
      world,
      body,
      q,
      w,
      w.map((x) => x * dt),
      dt,
    ).w,
  ).toEqual(plain);
});

test('bodies without contacts fall, slow down and turn in whole steps as closed forms say', () => {
  const world = coreBodies();
  const { core } = world;
  const dt = world.headerFloat(Header.dt);
  const falling = world.body({ at: [1, 20, 3], inertia: [2, 2, 2, 0, 0, 0] });
  const damped = world.body({ at: [50, 0, -10], inertia: [2, 2, 2, 0, 0, 0] });
  const spun = world.body({ at: [-60, 9, 30], inertia: INERTIA, q: unit([0.1, 0.5, -0.3, 0.6]) });
  core.setVelocity(falling, 2, 3, -1, 0.5, -0.25, 0.75);
  core.setVelocity(damped, 4, -2, 1, 1, 2, -3);
  core.setMotion(damped, 0, 1.5, 3);
  core.setMotion(spun, 0, 0, 0);
  const w = [3, -2, 1];
  core.setVelocity(spun, 0, 0, 0, ...w);
  const q = world.get('rotation', spun, 0, 4);
  const steps = 30;
  for (let i = 0; i < steps; i++) expect(core.step()).toBe(0);
  const time = steps * dt;
  expect(farthest(world.get('row', falling), [2, 3 - 9.81 * time, -1])).toBeLessThan(1e-4);
  const height = 20 + 3 * time - (9.81 * time * time) / 2;
  expect(farthest(world.get('center', falling), [1 + 2 * time, height, 3 - time])).toBeLessThan(0.05);
  expect(farthest(world.get('rotation', falling, 0, 4), rotationOf([0.5, -0.25, 0.75].map((x) => x * time)))).toBeLessThan(1e-5);
  expect(
    farthest(
      world.get('row', damped),
      [4, -2, 1].map((x) => x / (1 + 1.5 * dt) ** steps),
    ),
  ).toBeLessThan(1e-5);
  expect(
    farthest(
      world.get('row', damped, BodyRow.wx),
      [1, 2, -3].map((x) => x / (1 + 3 * dt) ** steps),
    ),
  ).toBeLessThan(1e-5);
  const momentum = turned(unit(q), timesSymmetric(INERTIA, turnedBack(unit(q), w)));
  const exact = spin(unit(q), momentum, time);
  expect(farthest(world.get('rotation', spun, 0, 4), exact.q)).toBeLessThan(2e-3);
  expect(farthest(world.get('row', spun, BodyRow.wx), exact.w)).toBeLessThan(2e-3);
});

test('a kinematic body arrives at its pose in one step, along the shorter arc, and pushes on', () => {
  const world = coreBodies();
  const dt = world.headerFloat(Header.dt);
  const q = unit([0.4, -0.1, 0.3, 0.5]);
  const body = world.body({ type: BODY_KINEMATIC, at: [5, -2, 1], q });
  const goal = multiply(rotationOf([0.7, -1.1, 0.4]), q);
  for (const sign of [1, -1]) {
    world.core.setPose(body, 5, -2, 1, ...q);
    world.core.moveKinematic(body, 5.25, -1.5, 0.25, ...goal.map((x) => sign * x), dt);
    expect(
      farthest(
        world.get('row', body, BodyRow.wx),
        [0.7, -1.1, 0.4].map((x) => x / dt),
      ),
    ).toBeLessThan(1e-3);
    expect(
      farthest(
        world.get('row', body),
        [0.25, 0.5, -0.75].map((x) => x / dt),
      ),
    ).toBeLessThan(1e-3);
    world.core.step();
    expect(farthest(world.get('position', body), [5.25, -1.5, 0.25])).toBeLessThan(2e-6);
    expect(farthest(world.get('rotation', body, 0, 4), goal)).toBeLessThan(3e-6);
    world.core.step();
    expect(farthest(world.get('position', body), [5.5, -1, -0.5])).toBeLessThan(4e-6);
  }
});
