// Bodies of joints in a substep against double precision: the motion by the implicit midpoint rule with one step of Newton's method,
// turned inertia, speeds out of hand, the places at the start of a step.
import { describe, expect, it } from 'vitest';
import {
  BODY_KINEMATIC,
  BodyCenter,
  BodyDelta,
  BodyRow,
  Header,
  JointBody,
  JointGroup,
  NONE,
} from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';
import { addJoint, ball } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';
import { jointPairs } from '../../helpers/joint_groups';
import { turnedInertia } from '../../helpers/joint_oracle';
import { seeded } from '../../helpers/random';
import {
  add,
  cross,
  dot,
  multiply,
  norm,
  rotationOf,
  scale,
  sub,
  timesSymmetric,
  turned,
  turnedBack,
  unit,
  type Vec,
} from '../../helpers/vectors';

const MOST = 25;

interface Setting {
  round?: boolean;
  still?: boolean;
  spin?: number;
  /** The body that spins beyond its limit. */
  fast?: number;
}

/** Eight JointBody of bodies with products of inertia; the third and the sixth have no mass. */
function bodies({ round = false, still = false, spin = 12, fast = 1 }: Setting = {}) {
  const world = coreBodies();
  world.setHeaderFloat(Header.maxAngularSpeed, MOST);
  world.setHeaderFloat(Header.maxLinearSpeed, 40);
  const random = seeded(round ? 3 : 4);
  const some = (size: number) => [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 2 * size * x);
  const first = world.room(8 * JointBody.STRIDE);
  const rows = world.room(8 * BodyRow.STRIDE);
  const put = (address: number, values: Vec) => new Float32Array(world.memory.buffer, address, values.length).set(values);
  const list = Array.from({ length: 8 }, (_, k) => {
    const moment = 0.2 + random();
    const one = {
      at: first + k * JointBody.STRIDE,
      row: rows + k * BodyRow.STRIDE,
      moved: k !== 2 && k !== 5,
      mass: 1 + k,
      inertia: round
        ? [moment, moment, moment, 0, 0, 0]
        : turnedInertia([0.3, 0.5, 0.7], rotationOf(some(3))).map((x) => x * 40 ** k),
      local: turnedInertia([3, 5, 7], rotationOf(some(3))),
      q: rotationOf(some(3)),
      v: some(5),
      w: still ? [0, 0, 0] : some(spin * (k === fast ? 6 : 1)),
      travel: some(1),
      gyro: some(1),
    };
    new Uint32Array(world.memory.buffer, one.at, JointBody.STRIDE / 4).fill(0);
    new Uint32Array(world.memory.buffer, one.at + JointBody.row, 2).set([one.row, NONE]);
    put(one.at + JointBody.rotation, one.q);
    put(one.at + JointBody.travel, one.travel);
    put(one.at + JointBody.gyro, one.gyro);
    put(one.at + JointBody.inertia, [...one.inertia, 0, 0]);
    put(one.at + JointBody.local, one.local);
    put(one.at + JointBody.invMass, [one.moved ? 1 / one.mass : 0, one.mass]);
    put(one.row, [...one.v, 99, ...one.w, 0]);
    return one;
  });
  const get = (k: number, field: number, count = 3) => world.readFloats(list[k]!.at + field, count);
  const row = (k: number) => world.readFloats(list[k]!.row, 8);
  return { world, core: world.core, first, end: first + 8 * JointBody.STRIDE, list, get, row, put };
}

const near = (found: Vec, expected: Vec, size: number, what: string) => {
  for (const [i, x] of expected.entries())
    expect(Math.abs(found[i]! - x), `${what} ${i}: ${found[i]} is not ${x}`).toBeLessThan(size * 2e-5);
};

/** Solves a 3x3 matrix by rows. */
function solve(m: Vec[], r: Vec): number[] {
  const columns = [0, 1, 2].map((k) => m.map((row) => row[k]!));
  const det = dot(columns[0]!, cross(columns[1]!, columns[2]!));
  return [0, 1, 2].map((k) => {
    const with3 = columns.map((column, i) => (i === k ? r : column));
    return dot(with3[0]!, cross(with3[1]!, with3[2]!)) / det;
  });
}

/** Spin in the frame of a body after h: one step of Newton's method for I (w' - w) + h m x I m = 0, from w' = w. */
function turnedSpin(inertia: Vec, w: Vec, h: number): number[] {
  const l = timesSymmetric(inertia, w);
  const rows = [0, 1, 2].map((i) =>
    [0, 1, 2].map((k) => {
      const e = [0, 1, 2].map((n) => (n === k ? 1 : 0));
      const column = add(cross(w, timesSymmetric(inertia, e)), cross(e, l));
      return timesSymmetric(inertia, e)[i]! + (h / 2) * column[i]!;
    }),
  );
  return sub(w, solve(rows, scale(cross(w, l), h)));
}

describe.each([
  ['bodies that tumble', {}],
  ['balls', { round: true }],
  ['bodies that hardly turn', { spin: 1e-4 }],
  ['bodies that do not turn', { still: true }],
] as [string, Setting][])('%s', (_, setting) => {
  it.each([1 / 60, 1 / 240])('move by a substep of %d s', (h) => {
    const at = bodies({ ...setting, fast: h < 0.01 ? 6 : 1 });
    const bound = at.core.testMoveJointBodies(at.first, at.end, h);
    let largest = 0;
    for (const [k, b] of at.list.entries()) {
      largest = Math.max(largest, ...b.v.map(Math.abs), ...b.w.map(Math.abs));
      near(at.get(k, JointBody.travel), add(b.travel, scale(b.v, h)), 2, `way of ${k}`);
      const most = Math.min(MOST * 0.999, 2.6 / h);
      const slow = scale(b.w, Math.min(1, most / Math.max(norm(b.w), 1e-30)));
      near(at.get(k, JointBody.spin), slow, 30, `spin of ${k}`);
      const local = turnedBack(b.q, slow);
      const after = setting.round || setting.spin ? local : turnedSpin(b.inertia, local, h);
      const q = multiply(b.q, rotationOf(scale(add(local, after), h / 2)));
      const found = at.get(k, JointBody.rotation, 4);
      near(dot(found, q) < 0 ? scale(found, -1) : found, q, 1, `rotation of ${k}`);
      const gyro = b.moved ? sub(turned(q, after), b.w) : [0, 0, 0];
      near(at.get(k, JointBody.gyro), setting.still ? [0, 0, 0] : gyro, 100, `gyro of ${k}`);
      near(at.row(k), [...b.v, 99, ...add(b.w, setting.still ? [0, 0, 0] : gyro)], 100, `row of ${k}`);
    }
    expect(bound / (2 * largest)).toBeCloseTo(1, 5);
  });
});

it('a motion that is tried leaves nothing behind', () => {
  const at = bodies();
  const kept = () => at.list.map((_, k) => [...at.get(k, 0, JointBody.raise / 4), ...at.get(k, JointBody.spin, 4), ...at.row(k)]);
  for (const b of at.list) at.put(b.at + JointBody.spin, [1, 2, 3]);
  const before = kept();
  const largest = Math.max(...at.list.flatMap(({ w }) => w.map(Math.abs)));
  expect(at.core.keepJointPoses(at.first, at.end) / (2 * largest)).toBeCloseTo(1, 5);
  at.core.testMoveJointBodies(at.first, at.end, 0.01);
  expect(kept()).not.toEqual(before);
  at.core.restoreJointPoses(at.first, at.end);
  // Linear velocities do not change in a motion.
  expect(kept()).toEqual(before);
});

it('what turns did to spins is taken back, and the bound of speeds is that of all', () => {
  const at = bodies({ spin: 3 });
  at.put(at.list[6]!.row, [-17, 2, 3]);
  expect(at.core.fastestOf(at.first, at.end)).toBeCloseTo(2 * Math.max(17, ...at.list.flatMap(({ w }) => w.map(Math.abs))), 4);
  const spins = at.list.map(({ w, gyro }) => sub(w, gyro));
  const bound = at.core.dropGyros(at.first, at.end);
  for (const [k, w] of spins.entries()) near(at.row(k).slice(4, 7), w, 10, `spin of ${k}`);
  expect(bound).toBeCloseTo(2 * Math.max(17, ...spins.flatMap((w) => w.map(Math.abs))), 4);
  // Of bodies before the end.
  expect(at.core.fastestOf(at.first, at.list[6]!.at)).toBeLessThan(30);
  at.put(at.list[6]!.row, [1, Number.NaN, 1]);
  expect(at.core.fastestOf(at.first, at.end)).toBe(Number.NaN);
});

it.each([false, true])('inertia turns with bodies, and with trees: %s, the masses of each alone are there', (trees) => {
  const at = bodies();
  for (const b of at.list)
    at.put(
      b.at + JointBody.mass0,
      Array.from({ length: 24 }, () => 77),
    );
  at.core.turnJointBodies(at.first, at.end, trees ? 1 : 0);
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const turn = (q: Vec, tensor: Vec) => {
    const rows = axes.map((axis) => turned(q, timesSymmetric(tensor, turnedBack(q, axis))));
    return [rows[0]![0]!, rows[1]![1]!, rows[2]![2]!, rows[0]![1]!, rows[0]![2]!, rows[1]![2]!];
  };
  for (const [k, b] of at.list.entries()) {
    near(at.get(k, JointBody.inverse, 8), [...turn(b.q, b.local), b.moved ? 1 / b.mass : 0, b.mass], 10, `inverse of ${k}`);
    const mass = at.get(k, JointBody.mass0, 21);
    if (!trees) {
      expect(new Set(mass)).toEqual(new Set([77]));
      continue;
    }
    const size = Math.max(...b.inertia);
    near(mass.slice(0, 15), [b.mass, b.mass, b.mass, ...Array.from({ length: 12 }, () => 0)], 1, `mass of ${k}`);
    near(scale(mass.slice(15), 1 / size), scale(turn(b.q, b.inertia), 1 / size), 1, `inertia of ${k}`);
  }
});

it('bodies out of hand are held within their limits, those that are none of numbers at rest', () => {
  const at = bodies();
  const { world } = at;
  const own = [0, 1, 2].map(() => world.body({}));
  const [fast, lost, calm] = at.list;
  for (const [k, b] of [fast!, lost!, calm!].entries())
    new Uint32Array(world.memory.buffer, b.at + JointBody.body, 1)[0] = own[k]!;
  world.setHeaderFloat(Header.dt, 1 / 50);
  at.put(fast!.row, [300, -400, 0, 0.5, 0, 70, -240, 0]);
  at.put(lost!.row, [Number.NaN, 2, 3, 0.5, 1, Infinity, 2, 0]);
  at.put(lost!.at + JointBody.rotation, [Number.NaN, 0, 0, 1]);
  world.set('delta', own[0]!, BodyDelta.dx, [3, 0, -4]);
  world.set('delta', own[2]!, BodyDelta.dx, [0.1, 0.2, -0.3]);
  const expected = world.get('rotation', own[1]!, 0, 4);
  const calmSpin = at.row(2).slice(4, 7);
  at.core.holdJointBodies(at.first, at.first + 3 * JointBody.STRIDE);
  near(at.row(0), [24, -32, 0, 0.5], 40, 'velocity');
  near(at.row(0).slice(4, 7), scale(unit([0, 70, -240]), MOST), 40, 'spin');
  near(at.row(1), [0, 2, 3, 0.5, 1, 0, 2], 3, 'lost');
  expect(at.get(1, JointBody.rotation, 4)).toEqual(expected);
  near(at.row(2).slice(0, 3), calm!.v, 5, 'calm');
  near(at.row(2).slice(4, 7), scale(calmSpin, Math.min(1, MOST / norm(calmSpin))), MOST, 'calm');
  near(at.get(0, JointBody.travel), [0.48, 0, -0.64], 1, 'way');
  near(world.get('delta', own[0]!, BodyDelta.dx), [0.48, 0, -0.64], 1, 'way');
  near(at.get(2, JointBody.travel), [0.1, 0.2, -0.3], 1, 'way');
  for (const k of [0, 1, 2]) for (const field of [JointBody.gyro, JointBody.spin]) expect(at.get(k, field)).toEqual([0, 0, 0]);
});

it('a body of a joint that nothing moves turns about its axis, not as its inertia would', () => {
  const world = boxWorld([]);
  const { core } = world;
  world.setHeaderFloat('gravityY', 0);
  const turning = core.createBody(BODY_KINEMATIC, 1, 20, 3, 0, 0, 0, 1) >>> 0;
  const hangs = core.createBody(2, 2, 20, 3, 0, 0, 0, 1) >>> 0;
  core.setMassProperties(hangs, 2, 0, 0, 0, 0.3, 0.5, 0.7, 0.05, 0, 0.02);
  const joint = addJoint(world, { ...ball, bodyA: turning, bodyB: hangs, anchorA: [1, 0, 0], anchorB: [0, 0, 0] });
  core.step();
  const words = (address: number) => new Uint32Array(world.memory.buffer, address, 1)[0]!;
  const group = core.testGroupOf(joint) >>> 0;
  const body = words(group + JointGroup.bodyA);
  const spin = [6, -4, 7];
  for (const side of [JointGroup.rowA, JointGroup.rowB])
    new Float32Array(world.memory.buffer, words(group + side) + BodyRow.wx, 3).set(spin);
  new Float32Array(world.memory.buffer, body, 4).set([0, 0, 0, 1]);
  core.testMoveJointBodies(core.testFirstJointBody(), core.testJointBodyEnd(), 1 / 60);
  near([...new Float32Array(world.memory.buffer, body, 4)], rotationOf(scale(spin, 1 / 60)), 1, 'rotation');
});

it('the start of a step sees whether bodies lie as the last one left them', () => {
  const at = jointPairs(ball);
  const { core, world } = at;
  core.step();
  const groups = core.testJointGroupEnd();
  const begin = () => core.beginGroupsOfJoints(0, groups, 1 / 720);
  const write = (body: number, field: number, value: number) => {
    new Float32Array(world.memory.buffer, world.header('bodyCenters') + at.index(body) * BodyCenter.STRIDE + field, 1)[0]! +=
      value;
  };
  const between = (pair: (typeof at.pairs)[0]) => at.get3(pair, JointGroup.betweenX);
  const start = at.pairs.map(between);
  for (const [i, pair] of at.pairs.entries()) {
    near(start[i]!, sub(at.bodies[pair.b]!.position, at.bodies[pair.a]!.position), 5, 'between');
  }
  expect(begin()).toBe(1);
  const { a, b } = at.pairs[2]!;
  for (const [body, field, value, same] of [
    [a, BodyCenter.y, 1e-3, 0],
    [b, BodyCenter.x, 4e-5, 0],
    [b, BodyCenter.lz, 2e-4, 0],
    [a, BodyCenter.lx, -3e-4, 0],
    [a, BodyCenter.lx, 4e-6, 1],
  ] as const) {
    write(body, field, value);
    expect(begin()).toBe(same);
    expect(begin()).toBe(1);
  }
  near(between(at.pairs[2]!), add(start[2]!, [4e-5 + 3e-4 - 4e-6, -1e-3, 2e-4]), 0.2, 'between');
  // What bodies have moved is between them.
  const travel = (side: number, v: Vec) =>
    new Float32Array(
      world.memory.buffer,
      at.scratch.readWords((core.testGroupOf(at.pairs[1]!.joint) >>> 0) + side, 1)[0]! + JointBody.travel,
      3,
    ).set(v);
  travel(JointGroup.bodyB, [1e-3, 0, 0]);
  expect(begin()).toBe(0);
  travel(JointGroup.bodyA, [1e-3, 0, 0]);
  expect(begin()).toBe(1);
});

it('the pose of a body after a step is the one that its joints were solved for', () => {
  const world = boxWorld([]);
  const { core } = world;
  const body = core.createBody(2, 2, 20, 3, ...rotationOf([0.3, -0.8, 0.5])) >>> 0;
  core.setMassProperties(body, 2, 0, 0, 0, 0.3, 0.5, 0.75, 0.05, 0, 0.02);
  core.setVelocity(body, 0, 0, 0, 14, -9, 17);
  const joint = addJoint(world, { ...ball, bodyA: null, bodyB: body, anchorA: [2, 20, 3], anchorB: [0, 0, 0] });
  for (let i = 0; i < 5; i++) {
    core.step();
    const at = new Uint32Array(world.memory.buffer, (core.testGroupOf(joint) >>> 0) + JointGroup.bodyB, 1)[0]!;
    const q = [...new Float32Array(world.memory.buffer, world.header('rotations') + 16 * body, 4)];
    const solved = [...new Float32Array(world.memory.buffer, at + JointBody.rotation, 4)];
    near(dot(q, solved) < 0 ? scale(q, -1) : q, solved, 0.2, 'rotation');
  }
});
