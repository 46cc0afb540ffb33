// Limits of speeds, locked axes, and bodies whose motion is no number, against the bounds that they promise.
import { expect, test } from 'vitest';
import { BODY_KINEMATIC, BODY_STATIC, BodyAccel, BodyDelta, BodyRow, Header, LOCK_SHIFT } from '../../../src/layout.generated';
import { type CoreBodies, coreBodies } from '../../helpers/core_bodies';
import { farthest } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';
import { multiply, rotationOf, solveSymmetric, timesSymmetric, turned, turnedBack, unit } from '../../helpers/vectors';

const INERTIA = [1.5, 2.25, 2.75, 0.25, -0.125, 0.375] as const;
const EMPTY = [0, 0, 0];
const linear = (world: CoreBodies, body: number) => world.get('row', body, BodyRow.vx);
const angular = (world: CoreBodies, body: number) => world.get('row', body, BodyRow.wx);
const scaledTo = (v: readonly number[], length: number) => v.map((x) => (x * length) / Math.hypot(...v));

/** A world with limits of 30 m/s and 8 rad/s. */
function limited(): CoreBodies {
  const world = coreBodies();
  world.setHeaderFloat(Header.maxLinearSpeed, 30);
  world.setHeaderFloat(Header.maxAngularSpeed, 8);
  return world;
}

test('a vector is scaled down to a length where it is longer', () => {
  const world = coreBodies();
  const out = world.room(16);
  const to = (v: number[], limit: number) => {
    world.core.testLimitedTo(world.floats(v), limit, out);
    return world.readFloats(out, 4);
  };
  expect(farthest(to([2, -3, 6, 1], 3.5), [1, -1.5, 3, 0.5])).toBeLessThan(1e-6);
  expect(to([2, -3, 6, 100], 7.5)).toEqual([2, -3, 6, 100]);
  expect(to([2, -3, 6, 100], 7)).toEqual([2, -3, 6, 100]);
  expect(farthest(to([2e30, -3e30, 6e30, 0], 14), [4, -6, 12, 0])).toBeLessThan(1e-5);
});

test('velocities that were set are limited at the start of a step, by the limits of the world and of the body', () => {
  const world = limited();
  const { core } = world;
  const [v, w] = [
    [20, -30, 60],
    [6, 3, -6],
  ] as [number[], number[]];
  const [fast, slow, own, wide, carried, spun] = [2, 2, 2, 2, BODY_KINEMATIC, 2].map((type) => world.body({ type })) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  core.setVelocity(fast, ...v, ...w);
  core.setVelocity(slow, 2, 3, -29, 1, -2, 7);
  core.setVelocity(own, ...v, ...w);
  core.limitBody(own, 14, 3);
  core.setVelocity(wide, ...v, ...w);
  core.limitBody(wide, 1000, 500);
  core.setVelocity(carried, ...v, ...w);
  core.setVelocity(spun, 1, 2, 3, ...w);
  expect(world.header(Header.speedsSet)).toBe(1);
  core.limitSpeeds();
  expect(world.header(Header.speedsSet)).toBe(0);
  expect(world.headerFloat(Header.fastest)).toBe(Number.POSITIVE_INFINITY);
  expect(world.header(Header.limitedCount)).toBe(4);
  expect(world.header(Header.stoppedCount)).toBe(0);
  for (const [body, speed, spin] of [
    [fast, 30, 8],
    [own, 14, 3],
    [wide, 30, 8],
  ] as const) {
    expect(farthest(linear(world, body), scaledTo(v, speed))).toBeLessThan(1e-4);
    expect(farthest(angular(world, body), scaledTo(w, spin))).toBeLessThan(1e-4);
    expect(Math.hypot(...linear(world, body))).toBeLessThan(speed);
    expect(Math.hypot(...angular(world, body))).toBeLessThan(spin);
    // The velocity that the last substep integrated is the same.
    expect(world.get('row', body, BodyRow.svx)).toEqual(linear(world, body));
    expect(world.get('row', body, BodyRow.swx)).toEqual(angular(world, body));
  }
  expect([...linear(world, slow), ...angular(world, slow)]).toEqual([2, 3, -29, 1, -2, 7]);
  expect([...linear(world, carried), ...angular(world, carried)]).toEqual([...v, ...w]);
  expect(linear(world, spun)).toEqual([1, 2, 3]);
  expect(farthest(angular(world, spun), scaledTo(w, 8))).toBeLessThan(1e-4);
  // Without another call of the host nothing is looked at.
  world.set('row', fast, BodyRow.vx, v);
  core.limitSpeeds();
  expect(linear(world, fast)).toEqual(v);
  expect(world.header(Header.limitedCount)).toBe(0);
});

test('accelerations are cut so that the velocity at the end of the step is within the limits', () => {
  const world = limited();
  const { core } = world;
  const dt = world.headerFloat(Header.dt);
  const pushed = world.body({ mass: 2, inertia: [2, 2, 2, 0, 0, 0], extent: 1 });
  const turned = world.body({ mass: 2, inertia: [2, 2, 2, 0, 0, 0] });
  const [v, w] = [
    [5, -4, 3],
    [1, 2, -1],
  ] as [number[], number[]];
  for (const body of [pushed, turned]) {
    core.setVelocity(body, ...v, ...w);
    core.setMotion(body, 0, 0, 0);
  }
  core.addForce(pushed, 9000, -3000, 6000, 0, 1, 0);
  core.addForce(turned, 0, 1, 0, -700, 2000, 900);
  core.listAwake();
  core.limitSpeeds();
  core.beginBodies();
  const end = (body: number) => [
    linear(world, body).map((x, i) => x + dt * world.get('accel', body)[i]!),
    angular(world, body).map((x, i) => x + dt * world.get('accel', body, BodyAccel.bx)[i]!),
  ];
  const free = (start: number[], force: number[]) => start.map((x, i) => x + (dt * force[i]!) / 2);
  expect(farthest(end(pushed)[0]!, scaledTo(free(v, [9000, -3000, 6000]), 30))).toBeLessThan(1e-4);
  expect(farthest(end(pushed)[1]!, free(w, [0, 1, 0]))).toBeLessThan(1e-5);
  expect(farthest(end(turned)[1]!, scaledTo(free(w, [-700, 2000, 900]), 8))).toBeLessThan(1e-4);
  expect(farthest(end(turned)[0]!, free(v, [0, 1, 0]))).toBeLessThan(1e-5);
  expect(world.header(Header.limitedCount)).toBe(2);
});

test('a body is stopped where forces, velocities or motions are no numbers, at its pose, once', () => {
  const world = limited();
  const { core } = world;
  const make = (k: number) => world.body({ at: [k, 2 * k, -k], q: unit([0.1, 0.2, k, 1]), mass: 4 });
  const [calm, forced, set, moved] = [1, 2, 3, 4].map(make) as [number, number, number, number];
  const pose = (body: number) => [
    ...world.get('center', body),
    ...world.get('rotation', body, 0, 4),
    ...world.get('position', body),
  ];
  const before = [calm, forced, set, moved].map(pose);
  const huge = 3e38;
  core.setVelocity(forced, 1, 2, 3, 4, 5, 6);
  core.addForce(forced, huge, 0, 0, 0, 0, 0);
  core.addForce(forced, huge, 0, 0, 0, 0, 0);
  core.setVelocity(set, 1, Number.POSITIVE_INFINITY, 3, 4, 5, 6);
  core.limitSpeeds();
  expect([world.header(Header.stoppedCount), world.header(Header.stoppedBody)]).toEqual([1, set]);
  core.listAwake();
  core.beginBodies();
  expect([world.header(Header.stoppedCount), world.header(Header.stoppedBody)]).toEqual([2, forced]);
  world.set('delta', moved, BodyDelta.px, [0.1, Number.NaN, 0.2]);
  world.set('row', moved, BodyRow.vx, [1, 2, 3]);
  core.finishBodies();
  expect([world.header(Header.stoppedCount), world.header(Header.stoppedBody)]).toEqual([3, moved]);
  for (const body of [forced, set, moved]) {
    expect(world.get('row', body, 0, 16)).toEqual([0, 0, 0, 0.25, ...new Array(12).fill(0)]);
    expect(world.get('delta', body, 0, 8)).toEqual(new Array(8).fill(0));
    if (body !== moved) expect(world.get('accel', body, BodyAccel.bx)).toEqual(EMPTY);
  }
  // Normalized again, which rounds.
  expect(farthest([calm, forced, set, moved].flatMap(pose), before.flat())).toBeLessThan(1e-6);
  // The cause in the last two bits: the velocity, the forces, the motion.
  expect([set, forced, moved].map((body) => world.flags(body) >>> 30)).toEqual([0, 1, 2]);
  expect([calm, forced, set, moved].map((body) => (world.flags(body) >>> 13) & 1)).toEqual([0, 1, 1, 1]);
});

test('no dynamic body moves or turns farther in a step than its limits allow', () => {
  const world = limited();
  const { core } = world;
  const dt = world.headerFloat(Header.dt);
  const [d, p, v, w] = [
    [3, -2, 6],
    [1, 0.5, -0.7],
    [40, 10, -70],
    [-3, 9, 4],
  ] as [number[], number[], number[], number[]];
  const own = world.body({ inertia: [2, 2, 2, 0, 0, 0] });
  const plain = world.body({ inertia: [2, 2, 2, 0, 0, 0] });
  const carried = world.body({ type: BODY_KINEMATIC });
  const calm = world.body({ inertia: [2, 2, 2, 0, 0, 0] });
  core.limitBody(own, 12, 6);
  core.limitBody(calm, 12, 6);
  core.listAwake();
  core.limitSpeeds();
  core.beginBodies();
  for (const body of [own, plain, carried]) {
    world.set('row', body, BodyRow.vx, v);
    world.set('row', body, BodyRow.wx, w);
    world.set('delta', body, BodyDelta.dx, d);
    world.set('delta', body, BodyDelta.px, p);
  }
  world.set('row', calm, BodyRow.vx, [11.9, 0, 0]);
  world.set('delta', calm, BodyDelta.px, [0, 5.9 * dt, 0]);
  expect(core.finishBodies()).toBe(1);
  expect(world.header(Header.limitedCount)).toBe(2);
  for (const [body, speed, spin] of [
    [own, 12, 6],
    [plain, 30, 8],
  ] as const) {
    expect(farthest(linear(world, body), scaledTo(v, speed))).toBeLessThan(1e-4);
    expect(farthest(angular(world, body), scaledTo(w, spin))).toBeLessThan(1e-5);
    expect(farthest(world.get('center', body), scaledTo(d, speed * dt))).toBeLessThan(1e-6);
    expect(farthest(world.get('rotation', body, 0, 4), rotationOf(scaledTo(p, spin * dt)))).toBeLessThan(1e-6);
    expect(world.get('row', body, BodyRow.invMass, 1)).toEqual([0.5]);
  }
  expect(world.get('center', carried)).toEqual(d);
  expect(linear(world, carried)).toEqual(v);
  expect(linear(world, calm)[0]).toBeCloseTo(11.9, 5);
  expect(farthest(world.get('rotation', calm, 0, 4), rotationOf([0, 5.9 * dt, 0]))).toBeLessThan(1e-6);
});

test('later changes of a velocity are limited too, and counted where they are', () => {
  const world = limited();
  const body = world.body({ mass: 4 });
  const carried = world.body({ type: BODY_KINEMATIC });
  world.set('row', carried, BodyRow.vx, [50, 60, 70]);
  world.core.limitVelocity(carried);
  expect(linear(world, carried)).toEqual([50, 60, 70]);
  world.set('row', body, BodyRow.vx, [20, -30, 60]);
  world.set('row', body, BodyRow.wx, [1, 2, 3]);
  world.core.limitVelocity(body);
  expect(farthest(linear(world, body), scaledTo([20, -30, 60], 30))).toBeLessThan(1e-5);
  expect([...angular(world, body), ...world.get('row', body, BodyRow.invMass, 1)]).toEqual([1, 2, 3, 0.25]);
  world.set('row', body, BodyRow.vx, [1, 2, 3]);
  world.set('row', body, BodyRow.wx, [6, 3, -6]);
  world.core.limitVelocity(body);
  expect(farthest(angular(world, body), scaledTo([6, 3, -6], 8))).toBeLessThan(1e-5);
  expect(linear(world, body)).toEqual([1, 2, 3]);
  world.core.limitVelocity(body);
  expect(world.header(Header.limitedCount)).toBe(2);
});

test('a sweep ends where the spin does and makes at most two revolutions', () => {
  const world = coreBodies();
  const out = world.room(16);
  const swept = (w: number[], time: number) => {
    world.core.testSweptSpin(world.floats([...w, 0]), time, out);
    return world.readFloats(out, 3);
  };
  const axis = unit([2, -3, 6]);
  const time = 0.25;
  for (const angle of [0.5, 6, 12.5, 12.6, 14, 20, 700.25]) {
    const w = axis.map((x) => (x * angle) / time);
    const got = swept(w, time);
    const gone = Math.hypot(...got) * time;
    expect(farthest(unit(got), axis)).toBeLessThan(1e-6);
    if (angle < 4 * Math.PI) expect(gone).toBeCloseTo(angle, 5);
    expect(gone).toBeLessThan(4 * Math.PI + 1e-4);
    if (angle > 4 * Math.PI) expect(gone).toBeGreaterThan(2 * Math.PI - 1e-4);
    expect(Math.cos(gone - angle)).toBeCloseTo(1, 6);
    expect(Math.abs(Math.sin(gone - angle))).toBeLessThan(1e-4);
  }
});

test('the inverse inertia of a body with locked turns is that of its free axes', () => {
  const world = coreBodies();
  const inverse = [0, 1, 2].map((k) =>
    solveSymmetric(
      INERTIA,
      [0, 1, 2].map((i) => (i === k ? 1 : 0)),
    ),
  );
  for (let locks = 0; locks < 64; locks++) {
    const at = world.floats([
      inverse[0]![0]!,
      inverse[1]![1]!,
      inverse[2]![2]!,
      inverse[0]![1]!,
      inverse[0]![2]!,
      inverse[1]![2]!,
      0,
      0,
    ]);
    world.core.testLockInertia(at, locks);
    const got = world.readFloats(at, 6);
    // Moments about locked axes as if they were endless: the inverse leaves the block of the free ones.
    const stiff = [...INERTIA];
    for (let k = 0; k < 3; k++) if (locks & (8 << k)) stiff[k]! += 1e9;
    const random = seeded(locks + 61);
    const torque = [random(), random(), random()].map((x, k) => (locks & (8 << k) ? 0 : x));
    const free = timesSymmetric(got, torque);
    expect(farthest(free, solveSymmetric(stiff, torque))).toBeLessThan(1e-6);
    // Along a locked axis a small share is left, which couples with nothing.
    for (let k = 0; k < 3; k++) {
      if (!(locks & (8 << k))) continue;
      const row = timesSymmetric(
        got,
        [0, 1, 2].map((i) => (i === k ? 1 : 0)),
      );
      expect(row[k]).toBeGreaterThan(1e-6);
      expect(row[k]).toBeLessThan(1.01e-4 * inverse[k]![k]!);
      expect(row.filter((x) => x !== 0).length).toBe(1);
    }
    const out = world.room(48);
    world.core.testLockLanes(locks, out);
    const bit = (i: number) => ((locks >> i) & 1) === 1;
    const words = world.readWords(out, 8);
    expect(words).toEqual([
      ...[0, 1, 2].map((i) => (bit(i) ? 0 : 0xffffffff)),
      0xffffffff,
      ...[3, 4, 5].map((i) => (bit(i) ? 0 : 0xffffffff)),
      0,
    ]);
    expect(world.readFloats(out + 32, 4)).toEqual([...[0, 1, 2].map((i) => (bit(i) ? Math.fround(1e-4) : 1)), 1]);
  }
});

test('a dynamic body neither moves along locked axes nor turns about them, and others do not care', () => {
  const q = unit([0.3, -0.2, 0.5, 0.8]);
  for (let locks = 0; locks < 64; locks++) {
    const world = coreBodies();
    const { core } = world;
    const body = world.body({ at: [1, 2, 3], q, mass: 2, inertia: INERTIA });
    const carried = world.body({ type: BODY_KINEMATIC });
    const free = (v: number[], from = 0) => v.map((x, k) => (locks & (1 << (k + from)) ? 0 : x));
    core.setVelocity(body, 1, 2, 3, 0.4, 0.5, 0.6);
    core.setLocks(body, locks);
    core.setLocks(carried, locks);
    expect(world.flags(body) >>> LOCK_SHIFT).toBe(locks);
    expect(linear(world, body)).toEqual(free([1, 2, 3]));
    expect(world.get('row', body, BodyRow.svx)).toEqual(free([1, 2, 3]));
    expect(farthest(angular(world, body), free([0.4, 0.5, 0.6], 3))).toBeLessThan(1e-7);
    core.setVelocity(carried, 1, 2, 3, 0.4, 0.5, 0.6);
    expect(linear(world, carried)).toEqual([1, 2, 3]);
    core.addForce(body, 4, 6, 8, 0, 0, 0);
    core.listAwake();
    core.beginBodies();
    expect(farthest(world.get('accel', body), free([2, 3 - 9.81, 4]))).toBeLessThan(1e-6);
    // What a solver may have left there goes, too.
    for (const moving of [body, carried]) {
      world.set('row', moving, BodyRow.vx, [5, 6, 7]);
      world.set('row', moving, BodyRow.wx, [0.1, 0.2, 0.3]);
      world.set('delta', moving, BodyDelta.dx, [0.5, 0.25, 0.125]);
      world.set('delta', moving, BodyDelta.px, [0.03, 0.02, 0.01]);
    }
    core.keepBody(body);
    expect(linear(world, body)).toEqual(free([5, 6, 7]));
    world.set('row', body, BodyRow.vx, [5, 6, 7]);
    core.finishBodies();
    expect(linear(world, body)).toEqual(free([5, 6, 7]));
    expect(
      farthest(
        world.get('center', body),
        free([0.5, 0.25, 0.125]).map((x, k) => x + k + 1),
      ),
    ).toBeLessThan(1e-6);
    expect(farthest(world.get('center', carried), [0.5, 0.25, 0.125])).toBeLessThan(1e-6);
    expect(farthest(world.get('rotation', carried, 0, 4), rotationOf([0.03, 0.02, 0.01]))).toBeLessThan(1e-6);
    const turn = multiply(rotationOf(free([0.03, 0.02, 0.01], 3)), q);
    expect(farthest(world.get('rotation', body, 0, 4), turn)).toBeLessThan(locks < 8 ? 1e-2 : 1e-6);
    if (locks >= 8) expect(farthest(angular(world, body), free([0.1, 0.2, 0.3], 3))).toBeLessThan(1e-7);
    if (locks >= 56) expect(world.get('rotation', body, 0, 4)).toEqual(q.map(Math.fround));
    // The inertia is that of the new pose: torques along free axes.
    const torque = free([1, -2, 3], 3);
    const rotation = unit(world.get('rotation', body, 0, 4));
    const out = world.room(16);
    core.testInverseInertia(body, world.floats([...torque, 0]), out);
    if (locks < 8)
      expect(
        farthest(world.readFloats(out, 3), turned(rotation, solveSymmetric(INERTIA, turnedBack(rotation, torque)))),
      ).toBeLessThan(1e-5);
    else for (let k = 0; k < 3; k++) if (locks & (8 << k)) expect(world.readFloats(out, 3)[k]).toBe(0);
  }
});

test('motions foresee the next step at the velocity of now', () => {
  const world = coreBodies();
  const dt = world.headerFloat(Header.dt);
  const body = world.body({ extent: 2.5 });
  world.setDouble(Header.paths, body, 1000);
  world.set('row', body, BodyRow.vx, [2, -3, 6]);
  world.set('row', body, BodyRow.wx, [1, 2, -2]);
  world.core.foreseeMotion(body);
  expect(world.double(Header.motions, body)).toBeCloseTo(1000 + (7 + 3 * 2.5) * dt, 5);
  expect(world.double(Header.paths, body)).toBe(1000);
});

test('the list of a step has the bodies that are enabled, awake and not static, in ascending order', () => {
  const world = coreBodies();
  const { core } = world;
  const bodies = [2, BODY_STATIC, 2, BODY_KINEMATIC, 2, 2].map((type) => world.body({ type }));
  const listed = () => {
    core.listAwake();
    return world.readWords(world.header(Header.awakeBodies), world.header(Header.awakeCount));
  };
  const but = (...gone: number[]) => bodies.filter((body) => body !== bodies[1] && !gone.includes(body));
  expect(listed()).toEqual(but());
  core.enableBody(bodies[2], 0);
  expect(listed()).toEqual(but(bodies[2]!));
  expect(core.sleepBody(bodies[4])).toBe(1);
  expect(listed()).toEqual(but(bodies[2]!, bodies[4]!));
  core.enableBody(bodies[2], 1);
  core.removeBody(bodies[0]);
  expect(listed()).toEqual(but(bodies[0]!, bodies[4]!));
  core.wakeBody(bodies[4]);
  core.setBodyType(bodies[5], BODY_STATIC);
  expect(listed()).toEqual(but(bodies[0]!, bodies[5]!));
  expect(bodies.map((body) => core.isMoved(body))).toEqual([0, 0, 1, 0, 1, 0]);
});

test('a body that the solver has left out stays as it is unless something else moves or pushes it', () => {
  const world = coreBodies();
  const { core } = world;
  const changes: ((body: number) => void)[] = [
    () => undefined,
    (body) => world.set('row', body, BodyRow.vz, [3]),
    (body) => world.set('row', body, BodyRow.wy, [3]),
    (body) => world.set('delta', body, BodyDelta.dy, [0.5]),
    (body) => world.set('delta', body, BodyDelta.px, [0.5]),
  ];
  const bodies = changes.map(() => world.body({ inertia: [2, 2, 2, 0, 0, 0], extent: 1 }));
  for (const body of bodies) core.setVelocity(body, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06);
  core.listAwake();
  core.limitSpeeds();
  core.beginBodies();
  world.setHeader(Header.someQuiet, 1);
  for (const [i, body] of bodies.entries()) {
    world.setDouble(Header.motions, body, -1);
    changes[i]!(body);
  }
  core.finishBodies();
  expect(bodies.map((body) => world.double(Header.motions, body) === -1)).toEqual([true, false, false, false, false]);
  const least = (2 * world.headerFloat(Header.readbackTolerance)) / world.headerFloat(Header.dt);
  expect(world.headerFloat(Header.fastest)).toBeGreaterThanOrEqual(least * 0.999);
});
