// Loads of joints, the inertia that they ask for and the energy that it lends, against the formulas of assembly/joints/loads.ts in
// double precision: geometric stiffness, articulated mass, kinetic energy.
import { describe, expect, it } from 'vitest';
import { BODY_STATIC, BodyRow, JointBody, JointGroup, JointUnit, NONE } from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';
import { ball, hinge, slider } from '../../helpers/core_joints';
import { type JointPairs, jointPairs, STEP } from '../../helpers/joint_groups';
import { type OracleBody, turnedInertia } from '../../helpers/joint_oracle';
import { seeded } from '../../helpers/random';
import {
  add,
  cross,
  dot,
  norm,
  rotationOf,
  scale,
  solveSymmetric,
  timesSymmetric,
  turned,
  turnedBack,
  type Vec,
} from '../../helpers/vectors';

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const trace = (body: OracleBody) => AXES.reduce((sum, axis, i) => sum + solveSymmetric(body.inertia, axis)[i]!, 0);
type Pair = JointPairs['pairs'][0];

const arm = (at: JointPairs, pair: Pair, ofB: boolean) => {
  const body = at.bodies[ofB ? pair.b : pair.a]!;
  return turned(body.rotation, ofB ? pair.oracle.anchorB : pair.oracle.anchorA);
};
/** Address of the JointBody of a side of a joint. */
const bodyOf = (at: JointPairs, pair: Pair, ofB: boolean) =>
  at.scratch.readWords((at.core.testGroupOf(pair.joint) >>> 0) + (ofB ? JointGroup.bodyB : JointGroup.bodyA), 1)[0]!;
const float = (memory: WebAssembly.Memory, address: number) => new Float32Array(memory.buffer, address, 1);

/** Half the trace of inverse inertia times the stiffness of an impulse on an arm, times the substep. */
function swingOf(body: OracleBody, impulse: Vec, r: Vec): number {
  const along = dot(impulse, r);
  // Stiffness (F.r) 1 - (F r' + r F') / 2, row by row.
  const sum = AXES.reduce((total, axis, i) => {
    const row = AXES.map((_, k) => (i === k ? along : 0) - (impulse[i]! * r[k]! + r[i]! * impulse[k]!) / 2);
    return total + dot(solveSymmetric(body.inertia, axis), row);
  }, 0);
  return 0.5 * STEP * sum;
}

describe.each([
  ['ball', ball, undefined, 0],
  ['slider with a motor', slider, { 2: { motor: 0 } }, 0.6],
] as const)('weighed loads of a %s', (_, kind, axes, reach) => {
  it('are those of the geometric stiffness, of A and of B', () => {
    const at = jointPairs(kind, axes ? { axes } : {}, reach);
    at.core.step();
    const list = at.scratch.words([at.head(), at.head()]);
    const expected = at.pairs.map((pair, i) => {
      const impulse = at.some(30 * (i + 1)).map(Math.fround);
      at.set3(pair, JointGroup.impulseX, impulse);
      at.set3(pair, JointGroup.angularImpulseX, at.some(3));
      let force: Vec = impulse;
      if (axes) {
        at.setUnit(pair, JointUnit.drive, 17 - 9 * i);
        force = add(impulse, turned(pair.frame, [0, 0, 17 - 9 * i]));
      }
      const gap = turned(pair.frame, [0, 0, pair.reach]);
      const [r, s] = [add(arm(at, pair, false), gap), arm(at, pair, true)];
      const [a, b] = [at.bodies[pair.a]!, at.bodies[pair.b]!];
      const swings = [Math.max(0, -swingOf(a, force, r)), Math.max(0, swingOf(b, force, s))];
      const least = 0.125 / STEP / Math.max(trace(a) * norm(r), trace(b) * norm(s));
      return { swings, bears: Math.max(4 * dot(impulse, impulse), least * least) };
    });
    // Some loads pull, some push.
    expect(expected.some(({ swings }) => swings[0]! > 0) && expected.some(({ swings }) => swings[1]! > 0)).toBe(true);
    for (const [count, h] of [
      [0, STEP],
      [1, STEP],
      [2, STEP],
      [2, 2 * STEP],
    ] as const) {
      at.core.dropRaises(at.core.testFirstJointBody(), at.core.testJointBodyEnd());
      at.core.weighLoads(list, list + 4 * count, h);
      for (const [i, pair] of at.pairs.entries()) {
        for (const ofB of [false, true]) {
          const raise = float(at.world.memory, bodyOf(at, pair, ofB) + JointBody.raise)[0]!;
          const exact = (expected[i]!.swings[ofB ? 1 : 0]! * count * h) / STEP;
          expect(Math.abs(raise - exact), `${raise} is not ${exact}`).toBeLessThan(1e-4 * exact + 1e-5);
        }
        if (count > 0 && h === STEP) expect(at.get(pair, JointGroup.bears) / expected[i]!.bears).toBeCloseTo(1, 4);
      }
    }
  });
});

/** Trace of the linear mass of a body at an anchor, the angular axes given free. */
function handed(body: OracleBody, r: Vec, free: Vec[]): number {
  // Momentum at the anchor by its velocity and the spin.
  const times = (u: Vec, w: Vec) => {
    const p = scale(add(u, cross(r, w)), body.mass);
    return [...p, ...add(timesSymmetric(body.inertia, w), cross(p, r))];
  };
  let rows = [0, 1, 2, 3, 4, 5].map((i) => {
    const unit = [0, 1, 2, 3, 4, 5].map((k) => (k === i ? 1 : 0));
    return times(unit.slice(0, 3), unit.slice(3));
  });
  for (const n of free) {
    const s = [0, 0, 0, ...n];
    const column = rows.map((row) => dot(row, s));
    const pivot = dot(column, s);
    rows = rows.map((row, i) => row.map((x, k) => x - (column[i]! * column[k]!) / pivot));
  }
  return rows[0]![0]! + rows[1]![1]! + rows[2]![2]!;
}

describe.each([
  ['ball', ball],
  ['hinge', hinge],
] as const)('carried masses at a %s', (_, kind) => {
  it('ask of the parent at least their share of its resistance to a turn', () => {
    const at = jointPairs(kind, {}, 0, 'hung');
    at.core.step();
    const end = at.core.testJointGroupEnd();
    const [from, to] = [at.core.testJointList(0), at.core.testJointList(end)];
    const head = at.head();
    const sides = at.pairs.map((pair) => at.get(pair, JointGroup.side));
    // A is the parent in some, B in others.
    expect(new Set(sides)).toEqual(new Set([1, -1]));
    const roots = [...at.scratch.readWords(from, end)].filter((group) => group !== head);
    const list = at.scratch.words([head, head]);
    for (const [lower, start] of [
      [0, from],
      [1, list],
    ] as const) {
      at.core.dropRaises(at.core.testFirstJointBody(), at.core.testJointBodyEnd());
      // One parent needs more for its loads.
      const needs = 1e6;
      if (lower === 1) float(at.world.memory, bodyOf(at, at.pairs[1]!, sides[1] === -1) + JointBody.raise)[0] = needs;
      at.core.weighRatios(start, start === list ? list + 4 : to);
      for (const [i, pair] of at.pairs.entries()) {
        const childIsB = sides[i] === 1;
        const [child, parent] = [at.bodies[childIsB ? pair.b : pair.a]!, at.bodies[childIsB ? pair.a : pair.b]!];
        const free = kind === ball ? AXES : [turned(pair.frame, [0, 0, 1])];
        const carried = handed(child, arm(at, pair, childIsB), free);
        const r = arm(at, pair, !childIsB);
        const turns = dot(r, r) * trace(parent) - dot(r, solveSymmetric(parent.inertia, r));
        const share = lower === 1 && i === 1 ? needs : 1e-4 * carried * turns;
        const raise = float(at.world.memory, bodyOf(at, pair, !childIsB) + JointBody.raise)[0]!;
        expect(raise / share, `share ${i}`).toBeCloseTo(1, 4);
        expect(float(at.world.memory, bodyOf(at, pair, childIsB) + JointBody.raise)[0]).toBe(0);
      }
    }
    // The groups of the list alone: those of the joints to the world ask nothing.
    at.core.dropRaises(at.core.testFirstJointBody(), at.core.testJointBodyEnd());
    const others = at.scratch.words([...roots, head]);
    at.core.weighRatios(others, others + 4 * roots.length);
    for (const pair of at.pairs)
      for (const ofB of [false, true]) expect(float(at.world.memory, bodyOf(at, pair, ofB) + JointBody.raise)[0]).toBe(0);
  });
});

/**
 * JointBody blocks of bodies with products of inertia, turned any way; the third does not move, the fourth is none. Behind the end is
 * one more.
 */
function heavyBodies() {
  const world = coreBodies();
  const random = seeded(5);
  const some = (size: number) => [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 2 * size * x);
  const first = world.room(5 * JointBody.STRIDE);
  const rows = world.room(5 * BodyRow.STRIDE);
  const all = [0, 1, 2, 3, 4].map((k) => {
    const mass = 1 + 2 * random();
    const inertia = turnedInertia([0.3, 0.5, 0.7], rotationOf(some(3))).map((x) => x * (1 + k));
    const body = k === 3 ? NONE : world.body(k === 2 ? { type: BODY_STATIC } : {});
    const rotation = rotationOf(some(3));
    const [v, w] = k === 2 ? [some(0), some(0)] : [some(2), some(3)];
    return { body, mass, inertia, rotation, v, w, at: first + k * JointBody.STRIDE, row: rows + k * BodyRow.STRIDE };
  });
  const put = (address: number, values: Vec) => new Float32Array(world.memory.buffer, address, values.length).set(values);
  for (const b of all) {
    const words = new Uint32Array(world.memory.buffer, b.at, JointBody.STRIDE / 4).fill(0);
    words[JointBody.row / 4] = b.row;
    words[JointBody.body / 4] = b.body;
    put(b.at + JointBody.rotation, b.rotation);
    put(b.at + JointBody.inertia, [...b.inertia.slice(0, 4), ...b.inertia.slice(4), 0, 0]);
    put(b.at + JointBody.local, [2, 3, 4, 0.5, 0.25, 0.125]);
    put(b.at + JointBody.mass, [b.mass]);
    put(b.row, [...b.v, 0.75, ...b.w, 0]);
  }
  const bodies = all.slice(0, 4);
  const behind = all[4]!;
  put(behind.at + JointBody.raise, [7, 3]);
  put(behind.at + JointBody.lent, [0.25]);
  const untouched = () => [...world.readFloats(behind.at, JointBody.STRIDE / 4), ...world.readFloats(behind.row, 8)];
  const get = (k: number, field: number, count = 1) => world.readFloats(bodies[k]!.at + field, count);
  const spinEnergy = (k: number) => {
    const local = turnedBack(bodies[k]!.rotation, bodies[k]!.w);
    return 0.5 * dot(local, timesSymmetric(bodies[k]!.inertia, local));
  };
  const set = (k: number, field: number, value: number) => put(bodies[k]!.at + field, [value]);
  return { world, first, end: first + 4 * JointBody.STRIDE, bodies, untouched, get, set, spinEnergy, put };
}

it('inertia is raised by what loads ask for, up to a thousandfold, and the energy that it adds is lent', () => {
  const { world, first, end, bodies, untouched, get, set, spinEnergy } = heavyBodies();
  const behind = untouched();
  const asked = [2.5, 0.9, 1, 40];
  const before = [0, 3, 0, 100];
  for (const [k, x] of asked.entries()) {
    set(k, JointBody.raise, x);
    set(k, JointBody.raised, before[k]!);
    set(k, JointBody.lent, 0.125);
  }
  const old = bodies.map((_, k) => get(k, JointBody.inertia, 6));
  expect(world.core.raiseInertia(first, end)).toBe(1);
  for (const [k, x] of asked.entries()) {
    const had = Math.max(1, before[k]!);
    const raise = x > 1 ? Math.min(x, 1000 / had) : 1;
    const factors = get(k, JointBody.inertia, 6).map((i, n) => i / old[k]![n]!);
    for (const factor of factors) expect(factor).toBeCloseTo(raise, 5);
    const local = get(k, JointBody.local, 6).map((i, n) => i / [2, 3, 4, 0.5, 0.25, 0.125][n]!);
    for (const factor of local) expect(factor).toBeCloseTo(1 / raise, 5);
    expect(get(k, JointBody.raised)[0]).toBeCloseTo(x > 1 ? had * raise : before[k]!, 3);
    // The present energy is that of inertia which is raised already.
    const lent = x > 1 ? had * (raise - 1) * (spinEnergy(k) / had) : 0;
    expect(get(k, JointBody.lent)[0]! - 0.125, `lent ${k}`).toBeCloseTo(lent, 3);
  }
  for (const k of bodies.keys()) set(k, JointBody.raise, 1);
  expect(world.core.raiseInertia(first, end)).toBe(0);
  expect(untouched()).toEqual(behind);
  set(3, JointBody.raise, 2);
  world.core.dropRaises(first, end - JointBody.STRIDE);
  expect([0, 1, 2, 3].map((k) => get(k, JointBody.raise)[0])).toEqual([0, 0, 0, 2]);
});

it('energy is that of moving bodies with the inertia of now', () => {
  const { world, first, end, bodies, spinEnergy } = heavyBodies();
  const exact = [0, 1].reduce((sum, k) => sum + 0.5 * bodies[k]!.mass * dot(bodies[k]!.v, bodies[k]!.v) + spinEnergy(k), 0);
  expect(world.core.energyOf(first, end)).toBeCloseTo(exact, 4);
});

describe('lent energy', () => {
  /** Energy of a body with its own inertia, by its row. */
  function energies(at: ReturnType<typeof heavyBodies>, raised: readonly number[]) {
    return [0, 1].map((k) => {
      const row = at.world.readFloats(at.bodies[k]!.row, 8);
      const local = turnedBack(at.bodies[k]!.rotation, row.slice(4, 7));
      const spin = dot(local, timesSymmetric(at.bodies[k]!.inertia, local)) / Math.max(1, raised[k]!);
      return 0.5 * (at.bodies[k]!.mass * dot(row.slice(0, 3), row.slice(0, 3)) + spin);
    });
  }
  const cases: [string, number, number[], number][] = [
    ['is returned', 0, [0.8, 1.3], 1],
    ['is returned with what trees have added', 0.7, [0.8, 1.3], 1],
    ['is returned without what trees have taken', -0.7, [0.8, 1.3], 1],
    ['takes no more than nearly all', 0, [900, 30], 0],
    ['gives no more than three times what is there', 0, [-900, -30], 0],
  ];
  it.each(cases)('%s', (_, gained, lent, isExact) => {
    const at = heavyBodies();
    const behind = at.untouched();
    const raised = [1.7, 0];
    for (const k of [0, 1]) {
      at.set(k, JointBody.raised, raised[k]!);
      at.set(k, JointBody.lent, lent[k]!);
    }
    const all = energies(at, raised).reduce((a, b) => a + b);
    const owed = lent[0]! + lent[1]! + Math.max(0, gained) - (0.7 * at.spinEnergy(0)) / 1.7;
    at.world.core.returnLent(at.first, at.end, gained);
    const left = energies(at, raised).reduce((a, b) => a + b);
    if (isExact) expect(left).toBeCloseTo(all - owed, 4);
    else expect(left / all).toBeCloseTo(owed > 0 ? 0.01 : 4, 4);
    for (const k of [0, 1]) {
      const row = at.world.readFloats(at.bodies[k]!.row, 8);
      const share = Math.sqrt(left / all);
      for (const i of [0, 1, 2]) {
        expect(row[i]! / at.bodies[k]!.v[i]!).toBeCloseTo(share, 4);
        expect(row[4 + i]! / at.bodies[k]!.w[i]!).toBeCloseTo(share, 4);
      }
      expect(row[3]).toBe(0.75);
    }
    expect(at.untouched()).toEqual(behind);
    // What is no body keeps its velocity.
    expect(at.world.readFloats(at.bodies[3]!.row, 3)).toEqual(at.bodies[3]!.v.map(Math.fround));
  });

  it.each(['nothing is raised', 'one of its ends is moved'])('stays where %s', (why) => {
    const at = heavyBodies();
    at.set(0, JointBody.lent, 1);
    if (why !== 'nothing is raised') {
      at.set(1, JointBody.raised, 2);
      at.put(at.bodies[2]!.row + BodyRow.wx, [0, 0.5]);
    }
    const before = [0, 1].map((k) => at.world.readFloats(at.bodies[k]!.row, 8));
    at.world.core.returnLent(at.first, at.end, 0.3);
    expect([0, 1].map((k) => at.world.readFloats(at.bodies[k]!.row, 8))).toEqual(before);
  });
});
