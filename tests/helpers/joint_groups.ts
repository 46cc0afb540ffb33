// Pairs of bodies in joints of one kind on the raw exports of the core, at rest: tests write velocities, impulses and errors into
// the groups, run one function on them, and compare with bodies in double precision.
import { BodyRow, HEADER_PTR, Header, JOINT_FREE, Joint, SOLVER_WIDE } from '../../src/layout.generated';
import { addBody, addJoint, ball, fixed, hinge, type JointFields, type Quat, rod, slider } from './core_joints';
import { coreMemory } from './core_memory';
import { boxWorld } from './core_world';
import { type OracleBody, type OracleJoint, type OracleRow, projectVelocities, turnedInertia } from './joint_oracle';
import type { Vec3 } from './manifold_builder';
import { seeded } from './random';
import {
  add,
  conjugate,
  cross,
  multiply,
  rotationOf,
  scale,
  solveSymmetric,
  sub,
  timesSymmetric,
  turned,
  type Vec,
} from './vectors';

/** Of the substep, s; and of the substeps that joints are soft for. */
export const STEP = 1 / 240;
export const SOFT = 1 / 190;

/** Kinds of joints that blocks and trees solve exactly: name, form, gap of the anchors along z of the frame (m). */
export const EXACT_KINDS: [string, { kind: number; locked: number }, number][] = [
  ['ball', ball, 0],
  ['hinge', hinge, 0],
  ['fixed', fixed, 0],
  ['slider', slider, 0.6],
  ['universal joint', { kind: 0, locked: 0b100111 }, 0],
  ['rod', rod, 1.3],
  ['point on a line', { kind: 0, locked: 0b000011 }, 0.6],
];

export interface Pair {
  a: number;
  b: number;
  joint: number;
  oracle: OracleJoint;
  frame: Quat;
  /** Place of B along z of the frame of A, m. */
  reach: number;
}

/**
 * Pairs of bodies whose frames lie on each other, of unequal masses, moments and arms; `reach`: gap of the anchors along z of the
 * frame (m). The fields of the joint are the same for all, and in every second pair the other body is A. Joints are solved alone,
 * or as trees: of the two bodies, or hung from the world by a ball at the first of them (A, in every second pair B).
 */
export function jointPairs(
  kind: { kind: number; locked: number },
  more: Partial<JointFields> = {},
  reach = 0,
  form: 'alone' | 'tree' | 'hung' = 'alone',
) {
  const random = seeded(kind.kind * 7 + 3);
  const some = (size: number): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => x * 2 * size) as Vec3;
  const world = boxWorld([]);
  world.core.setSolver(SOLVER_WIDE);
  world.setHeaderFloat('gravityY', 0);
  const { core, memory } = world;
  const scratch = coreMemory({ core, memory });
  const bodies: OracleBody[] = [];
  const moments: Vec[] = [];
  const first = world.header('bodyCount');
  const addLink = (position: Vec3, rotation: Quat, mass: number) => {
    moments.push([0.05, 0.08, 0.11].map((x) => x * mass * (0.6 + random())));
    addBody(world, position, mass, moments.at(-1) as Vec3, rotation);
    const inertia = turnedInertia(moments.at(-1)!, rotation);
    bodies.push({ mass, inertia, position, rotation, velocity: [0, 0, 0], spin: [0, 0, 0] });
  };
  const pairs: Pair[] = [];
  const roots: OracleJoint[] = [];
  for (let i = 0; i < 4; i++) {
    const frame = rotationOf(some(2)) as Quat;
    const [rotationA, rotationB] = [rotationOf(some(2)) as Quat, rotationOf(some(2)) as Quat];
    const [anchorA, anchorB] = [some(0.7), some(0.9)];
    const positionA = add([5 * i, 20, -3 * i], some(1)) as Vec3;
    const gap = turned(frame, [0, 0, reach]);
    const positionB = sub(add(add(positionA, turned(rotationA, anchorA)), gap), turned(rotationB, anchorB)) as Vec3;
    addLink(positionA, rotationA, 1 + 3 * random());
    addLink(positionB, rotationB, 0.3 + random());
    const [frameA, frameB] = [rotationA, rotationB].map((q) => multiply(conjugate(q), frame) as Quat) as [Quat, Quat];
    const [a, b] = i % 2 === 0 ? [2 * i, 2 * i + 1] : [2 * i + 1, 2 * i];
    const swap = <T>(x: T, y: T): [T, T] => (i % 2 === 0 ? [x, y] : [y, x]);
    const [one, other] = swap({ anchor: anchorA, frame: frameA }, { anchor: anchorB, frame: frameB });
    const ends = { anchorA: one.anchor, anchorB: other.anchor, frameA: one.frame, frameB: other.frame };
    const joint = addJoint(world, {
      ...kind,
      ...ends,
      bodyA: first + a,
      bodyB: first + b,
      flags: form === 'alone' ? JOINT_FREE : 0,
      ...more,
    });
    const isRod = kind.locked === 1;
    if (isRod) {
      const view = new DataView(memory.buffer);
      view.setFloat32(view.getUint32(HEADER_PTR + Header.joints, true) + joint * Joint.STRIDE + Joint.target0, reach, true);
    }
    const oracle: OracleJoint = { ...kind, ...ends, kind: isRod ? 'distance' : undefined, bodyA: a, bodyB: b };
    if (form === 'hung') {
      const anchorB = some(0.8);
      const anchorA = add(positionA, turned(rotationA, anchorB)) as Vec3;
      addJoint(world, { ...ball, bodyA: null, bodyB: first + 2 * i, anchorA, anchorB });
      roots.push({ locked: ball.locked, bodyA: -1, bodyB: 2 * i, anchorA, anchorB });
    }
    pairs.push({ a, b, joint, oracle, frame, reach: i % 2 === 0 ? reach : -reach });
  }
  const floats = () => new Float32Array(memory.buffer);
  const row = (body: number) => (world.header('bodyRows') + (first + body) * BodyRow.STRIDE) / 4;
  const group = (pair: Pair) => core.testGroupOf(pair.joint) >>> 0;
  const step = scratch.room(96);
  core.storeJointParameters(step, STEP, SOFT);
  return {
    world,
    core,
    scratch,
    bodies,
    moments,
    pairs,
    /** The joints to the world. */
    roots,
    random,
    some,
    step,
    /** Address of the group of all pairs. */
    head: () => group(pairs[0]!) & ~15,
    get: (pair: Pair, field: number) => floats()[(group(pair) + field) / 4]!,
    set: (pair: Pair, field: number, value: number) => {
      floats()[(group(pair) + field) / 4] = value;
    },
    /** A field of the first driven axis. */
    setUnit: (pair: Pair, field: number, value: number) => {
      floats()[((core.testUnitOf(pair.joint) >>> 0) + field) / 4] = value;
    },
    getUnit: (pair: Pair, field: number) => floats()[((core.testUnitOf(pair.joint) >>> 0) + field) / 4]!,
    get3: (pair: Pair, field: number) => [0, 16, 32].map((k) => floats()[(group(pair) + field + k) / 4]!),
    set3: (pair: Pair, field: number, v: Vec) => {
      for (let k = 0; k < 3; k++) floats()[(group(pair) + field) / 4 + 4 * k] = v[k]!;
    },
    /** Velocities of a body of the core: 6 numbers. */
    velocity: (body: number) => [0, 1, 2, 4, 5, 6].map((k) => floats()[row(body) + k]!),
    /** Gives all bodies velocities, those of the core and of the oracle. */
    throwAll: (speed: number, spin: number) => {
      for (const [i, body] of bodies.entries()) {
        body.velocity = some(speed).map(Math.fround);
        body.spin = some(spin).map(Math.fround);
        floats().set(body.velocity, row(i));
        floats().set(body.spin, row(i) + 4);
      }
    },
    /** The velocities after one exact pass over the joints of all pairs. */
    exact: () =>
      projectVelocities(
        bodies,
        pairs.map(({ oracle }) => oracle),
      ),
    /** Body of the core by its number here. */
    index: (body: number) => first + body,
  };
}

export type JointPairs = ReturnType<typeof jointPairs>;

/** Adds impulses along rows to the velocities of bodies. */
export function pushRows(bodies: readonly OracleBody[], rows: readonly OracleRow[], impulses: ArrayLike<number>): void {
  for (const [i, row] of rows.entries()) {
    for (const [body, linear, angular] of [
      [bodies[row.bodyA]!, row.linearA, row.angularA],
      [bodies[row.bodyB]!, row.linearB, row.angularB],
    ] as const) {
      body.velocity = add(body.velocity, scale(linear, impulses[i]! / body.mass));
      body.spin = add(body.spin, solveSymmetric(body.inertia, scale(angular, impulses[i]!)));
    }
  }
}

/** An angular impulse on B, and against it on A. */
export function twist(bodies: readonly OracleBody[], pair: Pair, impulse: Vec): void {
  const [a, b] = [bodies[pair.a]!, bodies[pair.b]!];
  a.spin = sub(a.spin, solveSymmetric(a.inertia, impulse));
  b.spin = add(b.spin, solveSymmetric(b.inertia, impulse));
}

/** The impulses of rows as vectors: linear, angular. */
export function impulsesOf(rows: readonly OracleRow[], impulses: ArrayLike<number>): [number[], number[]] {
  let [linear, angular] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (const [i, row] of rows.entries()) {
    if (row.axis < 3) linear = add(linear, scale(row.linearB, impulses[i]!));
    else angular = add(angular, scale(row.angularB, impulses[i]!));
  }
  return [linear, angular];
}

/** Linear and angular momentum of a pair about the origin. */
export function momentum(bodies: readonly OracleBody[], velocities: (body: number) => Vec, pair: Pair): number[] {
  const sums = [0, 0, 0, 0, 0, 0];
  for (const k of [pair.a, pair.b]) {
    const { mass, inertia, position } = bodies[k]!;
    const at = velocities(k);
    const [v, w] = [at.slice(0, 3), at.slice(3)];
    const turn = add(scale(cross(position, v), mass), timesSymmetric(inertia, w));
    for (let i = 0; i < 3; i++) {
      sums[i]! += mass * v[i]!;
      sums[3 + i]! += turn[i]!;
    }
  }
  return sums;
}
