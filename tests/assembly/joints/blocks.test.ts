// A pass over joints solved alone (blocks, load friction, motors) against one exact pass in double precision
// (tests/helpers/joint_oracle.ts), on pairs of bodies that differ in everything; and the parameters of a substep by their formulas.
import { describe, expect, it } from 'vitest';
import { JointGroup, JointParameters, JointUnit } from '../../../src/layout.generated';
import { ball, hinge, slider } from '../../helpers/core_joints';
import {
  EXACT_KINDS,
  impulsesOf,
  type JointPairs,
  jointPairs,
  momentum,
  pushRows,
  SOFT,
  STEP,
  twist,
} from '../../helpers/joint_groups';
import { projectVelocities, rowsOf } from '../../helpers/joint_oracle';
import { add, dot, norm, scale, solveSymmetric, sub, turned, type Vec } from '../../helpers/vectors';

const OMEGA = (2 * Math.PI * 0.25) / SOFT;
const FIRM = STEP * OMEGA * (4 + STEP * OMEGA);
const RATE = OMEGA / (4 + STEP * OMEGA);

function near(found: Vec, expected: Vec, size: number, what: string): void {
  for (const [i, x] of expected.entries())
    expect(Math.abs(found[i]! - x), `${what} ${i}: ${found[i]} is not ${x}`).toBeLessThan(size * 3e-5);
}
const oracleVelocity = (at: JointPairs, body: number) => [...at.bodies[body]!.velocity, ...at.bodies[body]!.spin];

function nearAll(at: JointPairs, what: string): void {
  for (let body = 0; body < at.bodies.length; body++)
    near(at.velocity(body), oracleVelocity(at, body), 30, `${what}, velocity of body ${body}`);
}

it('parameters of a substep are those of a damped implicit spring', () => {
  const { core, scratch } = jointPairs(ball);
  const step = scratch.room(JointParameters.STRIDE);
  for (const [h, soft] of [
    [STEP, SOFT],
    [1 / 90, 1 / 90],
    [1 / 1000, 1 / 60],
  ] as const) {
    core.storeJointParameters(step, h, soft);
    const omega = (2 * Math.PI * 0.25) / soft;
    const firm = h * omega * (4 + h * omega);
    const expected = [h, 1 / h, omega / (4 + h * omega), firm / (1 + firm), 1 / (1 + firm), 0.28 / h];
    const fields = ['h', 'invH', 'rate', 'massScale', 'impulseScale', 'treeRate'] as const;
    for (const [i, field] of fields.entries())
      for (const lane of scratch.readFloats(step + JointParameters[field], 4))
        expect(lane / expected[i]!, `${field} at ${h}`).toBeCloseTo(1, 5);
  }
});

describe.each(EXACT_KINDS)('the block of a %s', (_, kind, reach) => {
  const at = jointPairs(kind, { axes: {} }, reach);
  at.core.step();

  it('is solved exactly in the relax pass', () => {
    at.throwAll(3, 4);
    const before = at.pairs.map((pair) => {
      const rows = rowsOf(at.bodies, pair.oracle);
      const impulses = rows.map(() => 4 * at.random() - 2);
      const vectors = impulsesOf(rows, impulses);
      at.set3(pair, JointGroup.impulseX, vectors[0]);
      at.set3(pair, JointGroup.angularImpulseX, vectors[1]);
      at.set(pair, JointGroup.peak, 0);
      at.set(pair, JointGroup.angularPeak, 0);
      return vectors;
    });
    const exact = at.exact();
    at.core.factorBlock(at.head());
    at.core.solveJointBlock(at.head(), 0, at.step);
    for (let body = 0; body < at.bodies.length; body++)
      near(at.velocity(body), [...exact.velocities.slice(6 * body, 6 * body + 6)], 30, `body ${body}`);
    let from = 0;
    for (const [i, pair] of at.pairs.entries()) {
      const rows = rowsOf(at.bodies, pair.oracle);
      const change = impulsesOf(rows, exact.impulses.slice(from, from + rows.length));
      from += rows.length;
      const linear = add(before[i]![0], change[0]);
      const angular = add(before[i]![1], change[1]);
      near(at.get3(pair, JointGroup.impulseX), linear, 10, 'impulse');
      expect(Math.sqrt(at.get(pair, JointGroup.peak))).toBeCloseTo(norm(linear), 3);
      if (kind.locked === 7) continue;
      near(at.get3(pair, JointGroup.angularImpulseX), angular, 10, 'angular impulse');
      expect(Math.sqrt(at.get(pair, JointGroup.angularPeak))).toBeCloseTo(norm(angular), 3);
    }
  });

  it.each([0.02, 0.6])('is a spring in the soft pass, with a bounded push: errors of %d', (size) => {
    at.throwAll(3, 4);
    const rows = at.pairs.map(({ oracle }) => rowsOf(at.bodies, oracle));
    const old: number[][] = [];
    const biases = new Map<string, number>();
    for (const [i, pair] of at.pairs.entries()) {
      const errors = rows[i]!.map(() => size * (2 * at.random() - 1));
      const rate = Math.min(RATE, 10 / norm(errors));
      old.push(rows[i]!.map(() => 4 * at.random() - 2));
      const vectors = impulsesOf(rows[i]!, old[i]!);
      at.set3(pair, JointGroup.impulseX, vectors[0]);
      at.set3(pair, JointGroup.angularImpulseX, vectors[1]);
      at.set(pair, JointGroup.peak, 0);
      const angular = [0, 0, 0];
      for (const [k, row] of rows[i]!.entries()) {
        biases.set(`${row.bodyB} ${row.axis}`, rate * errors[k]!);
        if (row.axis >= 3) angular[row.axis - 3] = errors[k]!;
      }
      const [linear] = impulsesOf(rows[i]!, errors);
      const away = turned(pair.frame, [0, 0, pair.reach]);
      if (kind.locked === 1) at.set(pair, JointGroup.rest, at.get(pair, JointGroup.swing) - errors[0]!);
      else at.set3(pair, JointGroup.gapX, add(away, linear));
      at.set3(pair, JointGroup.errorX, angular);
    }
    const joints = at.pairs.map(({ oracle }) => oracle);
    const exact = projectVelocities(at.bodies, joints, (row) => biases.get(`${row.bodyB} ${row.axis}`)!);
    at.core.factorBlock(at.head());
    at.core.solveJointBlock(at.head(), 1, at.step);
    let from = 0;
    for (const [i, pair] of at.pairs.entries()) {
      const change = rows[i]!.map((_, k) => (FIRM * exact.impulses[from + k]! - old[i]![k]!) / (1 + FIRM));
      from += change.length;
      pushRows(at.bodies, rows[i]!, change);
      const all = impulsesOf(
        rows[i]!,
        change.map((x, k) => x + old[i]![k]!),
      );
      near(at.get3(pair, JointGroup.impulseX), all[0], 10, 'impulse');
      if (kind.locked !== 7) near(at.get3(pair, JointGroup.angularImpulseX), all[1], 10, 'angular impulse');
      // Peaks are those of the relax pass.
      expect(at.get(pair, JointGroup.peak)).toBe(0);
    }
    nearAll(at, 'soft pass');
  });
});

/** The impulse of friction by load: what stops the free turns, or as much as the load allows against them. */
function rub(at: JointPairs, pair: JointPairs['pairs'][0], old: Vec, load: number, free: Vec[] | null, lever: number): number[] {
  const [a, b] = [at.bodies[pair.a]!, at.bodies[pair.b]!];
  const bound = lever * load + STEP * 2.5;
  const mobility = (v: Vec) => add(solveSymmetric(a.inertia, v), solveSymmetric(b.inertia, v));
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const w = sub(b.spin, a.spin);
  let z: number[];
  if (free?.length === 1) {
    const n = free[0]!;
    z = scale(n, dot(old, n) - dot(w, n) / dot(n, mobility(n)));
  } else {
    const moves = free ? free.reduce<number[]>((sum, n) => add(sum, scale(n, dot(w, n))), [0, 0, 0]) : w;
    const columns = axes.map(mobility);
    const matrix = [columns[0]![0]!, columns[1]![1]!, columns[2]![2]!, columns[0]![1]!, columns[0]![2]!, columns[1]![2]!];
    z = sub(old, solveSymmetric(matrix, moves));
    if (norm(z) > bound) z = sub(old, scale(moves, 1 / (matrix[0]! + matrix[1]! + matrix[2]!)));
  }
  return scale(z, Math.min(1, bound / norm(z)));
}

const rubbing: [string, { kind: number; locked: number }, number[] | null][] = [
  ['ball', ball, null],
  ['hinge', hinge, [2]],
  ['universal joint', { kind: 0, locked: 0b100111 }, [0, 1]],
];

describe.each(rubbing)('friction by load of a %s', (_, kind, free) => {
  it.each([0.003, 3])('stops the free turns, or brakes them by its bound: lever %d', (lever) => {
    const at = jointPairs(kind, { frictionLever: lever, frictionTorque: 2.5 });
    at.core.step();
    at.throwAll(0.3, 1.5);
    const expected = at.pairs.map((pair, i) => {
      const load = at.some(2).map(Math.fround);
      const axes =
        free?.map((k) =>
          turned(
            pair.frame,
            [0, 1, 2].map((n) => (n === k ? 1 : 0)),
          ),
        ) ?? null;
      const along = at.some(0.01 + 0.01 * i);
      const old = axes ? axes.reduce<number[]>((sum, n) => add(sum, scale(n, dot(along, n))), [0, 0, 0]) : along;
      at.set3(pair, JointGroup.impulseX, load);
      at.set3(pair, JointGroup.angularImpulseX, [0, 0, 0]);
      at.set3(pair, JointGroup.frictionX, old);
      const z = rub(at, pair, old, norm(load), axes, lever);
      twist(at.bodies, pair, sub(z, old));
      return z;
    });
    if (kind === ball) {
      // Friction goes with the block of its anchors.
      const exact = at.exact();
      at.core.factorBlock(at.head());
      at.core.solveJointBlock(at.head(), 0, at.step);
      for (let body = 0; body < at.bodies.length; body++)
        near(at.velocity(body), [...exact.velocities.slice(6 * body, 6 * body + 6)], 10, `body ${body}`);
    } else {
      const list = at.scratch.words([at.head()]);
      at.core.solveUnits(list, list + 4, 0, at.step);
      nearAll(at, 'friction');
    }
    for (const [i, pair] of at.pairs.entries()) near(at.get3(pair, JointGroup.frictionX), expected[i]!, 10, 'friction');
  });
});

const driven: [string, { kind: number; locked: number }, number, number][] = [
  ['hinge', hinge, 5, 0],
  ['slider', slider, 2, 0.6],
  ['ball', ball, 5, 0],
];

describe.each(driven)('a motor of a %s', (_, kind, axis, reach) => {
  it('runs at its speed after the locked axes, and keeps momentum', () => {
    const at = jointPairs(kind, { axes: { [axis]: { motor: 0 } } }, reach);
    at.core.step();
    at.throwAll(3, 4);
    for (const pair of at.pairs) {
      at.setUnit(pair, JointUnit.target, 1.7);
      at.set3(pair, JointGroup.impulseX, [0, 0, 0]);
      at.set3(pair, JointGroup.angularImpulseX, [0, 0, 0]);
    }
    const before = at.pairs.map((pair) => momentum(at.bodies, (body) => oracleVelocity(at, body), pair));
    const list = at.scratch.words([at.head()]);
    at.core.turnGroup(at.head(), 1);
    at.core.factorBlock(at.head());
    at.core.solveUnits(list, list + 4, 0, at.step);
    at.core.solveJointBlock(at.head(), 0, at.step);
    for (const [i, pair] of at.pairs.entries()) {
      near(momentum(at.bodies, at.velocity, pair), before[i]!, 300, 'momentum');
      const locked =
        axis < 3 ? { ...pair.oracle, locked: kind.locked | (1 << axis) } : { ...pair.oracle, locked: kind.locked | 32 };
      for (const row of rowsOf(at.bodies, locked)) {
        const [a, b] = [at.velocity(pair.a), at.velocity(pair.b)];
        // All linear axes locked have another row: their gap is in the arm of A.
        const u =
          dot(row.linearA, a.slice(0, 3)) +
          dot(row.angularA, a.slice(3)) +
          dot(row.linearB, b.slice(0, 3)) +
          dot(row.angularB, b.slice(3));
        const gap = axis < 3 && row.axis < 3 ? dot(turnedSpeed(pair.frame, a.slice(3), pair.reach), row.linearB) : 0;
        expect(u - gap, `axis ${row.axis} of joint ${i}`).toBeCloseTo(row.axis === axis ? 1.7 : 0, 3);
      }
    }
  });
});

/** Speed of a point `reach` along z of a frame that turns. */
function turnedSpeed(frame: Vec, spin: Vec, reach: number): number[] {
  const [x, y, z] = turned(frame, [0, 0, reach]) as [number, number, number];
  return [spin[1]! * z - spin[2]! * y, spin[2]! * x - spin[0]! * z, spin[0]! * y - spin[1]! * x];
}

describe('a single axis', () => {
  /** Joints that lock nothing: the turn about z of the frame is driven. */
  const open = () => {
    const at = jointPairs({ kind: 0, locked: 0 }, { axes: { 5: { lower: -9, upper: 9 } } });
    at.core.step();
    at.throwAll(1, 3);
    const n = (pair: JointPairs['pairs'][0]) => turned(pair.frame, [0, 0, 1]);
    const mass = (pair: JointPairs['pairs'][0]) => {
      const [a, b] = [at.bodies[pair.a]!, at.bodies[pair.b]!];
      return 1 / (dot(n(pair), solveSymmetric(a.inertia, n(pair))) + dot(n(pair), solveSymmetric(b.inertia, n(pair))));
    };
    const speed = (pair: JointPairs['pairs'][0]) => dot(n(pair), sub(at.bodies[pair.b]!.spin, at.bodies[pair.a]!.spin));
    const solve = (soft: boolean) => {
      const list = at.scratch.words([at.head()]);
      at.core.solveUnits(list, list + 4, soft ? 1 : 0, at.step);
    };
    return { at, n, mass, speed, solve };
  };
  const FIELDS = [
    'place',
    'lower',
    'upper',
    'target',
    'stiffness',
    'damping',
    'mostForce',
    'mostFriction',
    'limit',
    'drive',
    'friction',
    'base',
  ] as const;
  type Fields = Partial<Record<(typeof FIELDS)[number], number>> & { motor?: boolean; spring?: boolean; byStiffness?: boolean };
  function fill(at: JointPairs, pair: JointPairs['pairs'][0], fields: Fields): void {
    const idle = { lower: -Infinity, upper: Infinity, mostForce: Infinity } as Fields;
    for (const field of FIELDS) at.setUnit(pair, JointUnit[field], fields[field] ?? idle[field] ?? 0);
    const unit = at.core.testUnitOf(pair.joint) >>> 0;
    const flag = (field: number, on = false) => {
      new Uint32Array(at.world.memory.buffer, unit + field, 1)[0] = on ? 0xffffffff : 0;
    };
    flag(JointUnit.turned, fields.motor);
    flag(JointUnit.sprung, fields.spring);
    flag(JointUnit.byStiffness, fields.byStiffness);
  }
  const clamp = (x: number, most: number) => Math.max(-most, Math.min(most, x));

  it.each([false, true])('runs by its motor and is braked by friction, each within its force; soft: %s', (soft) => {
    const { at, n, mass, speed, solve } = open();
    const cases: Fields[] = [
      { motor: true, target: 2, mostForce: 1e4, drive: 0.3 },
      { motor: true, target: -40, mostForce: 3, drive: 0.002 },
      { mostFriction: 0.7, friction: 0.001 },
      { motor: true, target: 1, mostForce: 5, mostFriction: 1e4, drive: -0.01 },
    ];
    const exact = at.pairs.map((pair, i) => {
      const c = cases[i]!;
      fill(at, pair, c);
      const m = mass(pair);
      let u = speed(pair);
      const rub = clamp((c.friction ?? 0) - m * u, STEP * (c.mostFriction ?? 0));
      u += (rub - (c.friction ?? 0)) / m;
      const drive = c.motor ? clamp((c.drive ?? 0) - m * (u - c.target!), STEP * c.mostForce!) : 0;
      const change = rub - (c.friction ?? 0) + drive - (c.drive ?? 0);
      twist(at.bodies, pair, scale(n(pair), change));
      return [rub, drive];
    });
    solve(soft);
    nearAll(at, 'motors');
    for (const [i, pair] of at.pairs.entries())
      near([at.getUnit(pair, JointUnit.friction), at.getUnit(pair, JointUnit.drive)], exact[i]!, 3, `impulses ${i}`);
  });

  it('swings by its spring as the exact motion does, and in the relax pass not at all', () => {
    const { at, n, mass, speed, solve } = open();
    const cases: Fields[] = [
      { spring: true, stiffness: 3, damping: 0.4, place: 0.3, target: -0.2, drive: 0.02 },
      { spring: true, stiffness: 40, damping: 0.7, place: 0.1, target: 0.6, drive: -0.01 },
      { spring: true, byStiffness: true, stiffness: 8, damping: 0.5, place: -0.4, target: 0.1, drive: 0.01 },
      { spring: true, stiffness: 5, damping: 0.3, place: 0.5, target: -0.5, mostForce: 0.4 },
    ];
    for (const [i, pair] of at.pairs.entries()) fill(at, pair, cases[i]!);
    solve(false);
    nearAll(at, 'relax pass');
    const exact = at.pairs.map((pair, i) => {
      const c = cases[i]!;
      const m = mass(pair);
      const w = 2 * Math.PI * c.stiffness! * STEP;
      const [square, d] = c.byStiffness
        ? [(STEP * STEP * c.stiffness!) / m, (0.5 * STEP * c.damping!) / m]
        : [w * w, w * c.damping!];
      const hold = m * (square < 0.25 && d < 0.25 ? Math.exp(2 * d) - 1 : 2 * d + square);
      const pull = (m * square * (c.place! - c.target!)) / STEP;
      const old = c.drive ?? 0;
      const z = clamp(old - (m * (pull + hold * speed(pair) + old)) / (m + hold), STEP * (c.mostForce ?? Infinity));
      twist(at.bodies, pair, scale(n(pair), z - old));
      return z;
    });
    solve(true);
    nearAll(at, 'soft pass');
    for (const [i, pair] of at.pairs.entries()) near([at.getUnit(pair, JointUnit.drive)], [exact[i]!], 3, `impulse ${i}`);
  });

  it('keeps its limits: a gap may close in the substep, what is passed is pushed out softly, the deeper the firmer', () => {
    for (const soft of [true, false]) {
      for (const places of [
        [-0.5 + 0.002, 0.3 - 0.004, -0.5 - 0.001, 0.3 + 0.01],
        [-0.5 - 0.02, 0.3 + 0.03, -0.5 - 0.2, 0.1],
      ]) {
        const { at, n, mass, speed, solve } = open();
        const exact = at.pairs.map((pair, i) => {
          const place = places[i]!;
          const sign = place + 0.5 < 0.3 - place ? 1 : -1;
          const old = i === 1 ? 0 : 0.05 * (i + 1);
          const base = 0.03 * i;
          fill(at, pair, { place, lower: -0.5, upper: 0.3, limit: sign * old, base: sign * base });
          const gap = Math.min(place + 0.5, 0.3 - place);
          const m = mass(pair);
          const u = sign * speed(pair);
          let [z, borne] = [0, base];
          if (soft) {
            const bias = gap > 0 ? gap / STEP : Math.max(RATE * gap, -10);
            const give = Math.min(1, Math.max(0, 1 + (gap + 0.015) / 0.03));
            const share = gap > 0 ? 1 : 1 + give * (FIRM / (1 + FIRM) - 1);
            const keep = gap > 0 ? 0 : give / (1 + FIRM);
            const lasting = Math.min(base, old);
            z = Math.max(0, old - m * share * (u + bias) - keep * (old - lasting));
            borne = Math.min(lasting + 0.02 * (0.95 * z - lasting), 0.95 * z);
          } else z = Math.max(0, old - m * (u + Math.max(gap, 0) / STEP));
          twist(at.bodies, pair, scale(n(pair), sign * (z - old)));
          return [sign * z, sign * borne];
        });
        solve(soft);
        nearAll(at, `limits, soft: ${soft}`);
        for (const [i, pair] of at.pairs.entries())
          near([at.getUnit(pair, JointUnit.limit), at.getUnit(pair, JointUnit.base)], exact[i]!, 2, `limit ${i} of ${places}`);
      }
    }
  });
});
