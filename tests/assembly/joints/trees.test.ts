// A pass over trees of joints against one exact pass in double precision (tests/helpers/joint_oracle.ts): what it adds to the speeds
// of locked axes is a share of their errors, half of the centripetal motion, or a given miss.
import { describe, expect, it } from 'vitest';
import { JointBody, JointGroup, JointUnit } from '../../../src/layout.generated';
import { ball, hinge } from '../../helpers/core_joints';
import { EXACT_KINDS, impulsesOf, type JointPairs, jointPairs, STEP } from '../../helpers/joint_groups';
import { type OracleRow, projectVelocities, rowsOf, rowVelocity } from '../../helpers/joint_oracle';
import { add, cross, dot, norm, scale, sub, turned, type Vec } from '../../helpers/vectors';

const [RELAX, SOFT, TURNING, MISS, HOLD, MEETING] = [0, 1, 2, 3, 4, 5];
const RATE = 0.28 / STEP;
const passes: [string, number][] = [
  ['relax', RELAX],
  ['hold', HOLD],
  ['soft', SOFT],
  ['soft and turning', TURNING],
  ['miss', MISS],
  ['meeting', MEETING],
];

function near(found: Vec, expected: Vec, size: number, what: string): void {
  for (const [i, x] of expected.entries())
    expect(Math.abs(found[i]! - x), `${what} ${i}: ${found[i]} is not ${x}`).toBeLessThan(size * 5e-5);
}
const wordOf = (at: JointPairs, address: number) => at.scratch.readWords(address, 1)[0]!;

/** Speeds that the rows of a pair have to get beside their own, by axis. */
function extra(at: JointPairs, pair: JointPairs['pairs'][0], pass: number, size: number): (row: OracleRow) => number {
  const rows = rowsOf(at.bodies, pair.oracle);
  const [a, b] = [at.bodies[pair.a]!, at.bodies[pair.b]!];
  const isRod = pair.oracle.kind === 'distance';
  const whole = (pair.oracle.locked & 7) === 7;
  // Errors.
  const errors = rows.map(() => size * (2 * at.random() - 1));
  const [gap] = impulsesOf(rows, errors);
  const angular = [0, 0, 0];
  for (const [k, row] of rows.entries()) if (row.axis >= 3) angular[row.axis - 3] = errors[k]!;
  const away = turned(pair.frame, [0, 0, whole ? 0 : pair.reach]);
  if (isRod) at.set(pair, JointGroup.rest, at.get(pair, JointGroup.swing) - errors[0]!);
  else at.set3(pair, JointGroup.gapX, add(away, gap));
  at.set3(pair, JointGroup.errorX, angular);
  const capped = (of: (axis: number) => boolean) => Math.min(RATE, 10 / norm(errors.filter((_, k) => of(rows[k]!.axis))));
  const [ofGap, ofTurn] = [capped((axis) => axis < 3), capped((axis) => axis >= 3)];
  // Spins of the last motion.
  const [spinA, spinB] = [at.some(5).map(Math.fround), at.some(5).map(Math.fround)];
  const group = at.core.testGroupOf(pair.joint) >>> 0;
  const put = (address: number, values: Vec) => new Float32Array(at.world.memory.buffer, address, 3).set(values);
  put(wordOf(at, group + JointGroup.bodyA) + JointBody.spin, spinA);
  put(wordOf(at, group + JointGroup.bodyB) + JointBody.spin, spinB);
  const armA = add(turned(a.rotation, pair.oracle.anchorA), away);
  const armB = turned(b.rotation, pair.oracle.anchorB);
  const inward = (w: Vec, r: Vec) => cross(w, cross(w, r));
  const pull = scale(sub(inward(spinB, armB), inward(spinA, armA)), STEP / 2);
  const turn = scale(cross(sub(spinB, spinA), spinA), STEP / 2);
  const miss = at.some(0.4).map(Math.fround);
  at.set3(pair, JointGroup.missX, miss);
  // A rod turns with its anchors: L'' = n . (change of the pulls of the anchors) + |speed across it|^2 / L.
  const anchorA = turned(a.rotation, pair.oracle.anchorA);
  const speed = add(
    sub(add(b.velocity, cross(b.spin, armB)), add(a.velocity, cross(a.spin, armA))),
    cross(spinA, sub(armA, anchorA)),
  );
  const ofAnchors = sub(inward(spinB, armB), inward(spinA, anchorA));
  return (row) => {
    const k = rows.findIndex((one) => one.axis === row.axis);
    const n = rows[k]!.linearB;
    let bias = 0;
    if (pass === SOFT || pass === TURNING || pass === MEETING) bias += (row.axis < 3 ? ofGap : ofTurn) * errors[k]!;
    if (pass === TURNING || pass === MEETING) {
      if (isRod) {
        const across = dot(speed, speed) - dot(speed, n) ** 2;
        bias += (STEP / 2) * (dot(n, ofAnchors) + across / Math.abs(pair.reach));
      } else bias += row.axis < 3 ? dot(n, pull) : dot(row.angularB, turn);
    }
    if ((pass === MEETING || pass === MISS) && row.axis < 3) bias += dot(n, miss);
    // Only the miss is made up for: the speed of the row stays beside it.
    if (pass === MISS)
      bias -= rowVelocity(
        row,
        at.bodies.flatMap((body) => [...body.velocity, ...body.spin]),
      );
    return bias;
  };
}

describe.each(EXACT_KINDS)('a tree with a %s', (_, kind, reach) => {
  describe.each(['tree', 'hung'] as const)('%s', (form) => {
    const at = jointPairs(kind, {}, reach, form);
    at.core.step();
    const rootsAt = at.pairs.map((pair) => pair.joint + 1);

    it.each(passes)('is solved exactly: %s', (_name, pass) => {
      for (const size of [1e-3, 0.4]) {
        at.throwAll(1, 2);
        const biases = new Map<string, (row: OracleRow) => number>();
        for (const pair of at.pairs) biases.set(`${pair.a} ${pair.b}`, extra(at, pair, pass, size));
        const old = at.pairs.map((pair) => {
          const rows = rowsOf(at.bodies, pair.oracle);
          const vectors = impulsesOf(
            rows,
            rows.map(() => 4 * at.random() - 2),
          );
          at.set3(pair, JointGroup.impulseX, vectors[0]);
          at.set3(pair, JointGroup.angularImpulseX, vectors[1]);
          at.set(pair, JointGroup.peak, 0);
          return vectors;
        });
        // The joints to the world: no errors, a spin, no miss.
        const first = new Map<number, (row: OracleRow) => number>();
        for (const [i, root] of at.roots.entries()) {
          const group = at.core.testGroupOf(rootsAt[i]) >>> 0;
          const put = (field: number, values: Vec) => {
            for (let k = 0; k < 3; k++) new Float32Array(at.world.memory.buffer, group + field + 16 * k, 1)[0] = values[k]!;
          };
          put(JointGroup.gapX, [0, 0, 0]);
          put(JointGroup.missX, [0, 0, 0]);
          const spin = [...new Float32Array(at.world.memory.buffer, wordOf(at, group + JointGroup.bodyB) + JointBody.spin, 3)];
          const arm = turned(at.bodies[root.bodyB]!.rotation, root.anchorB);
          const pull = scale(cross(spin, cross(spin, arm)), STEP / 2);
          first.set(root.bodyB, (row) => {
            const own = rowVelocity(
              row,
              at.bodies.flatMap((body) => [...body.velocity, ...body.spin]),
            );
            return (pass === TURNING || pass === MEETING ? dot(row.linearB, pull) : 0) - (pass === MISS ? own : 0);
          });
        }
        const joints = [...at.pairs.map(({ oracle }) => oracle), ...at.roots];
        const exact = projectVelocities(at.bodies, joints, (row) =>
          row.bodyA < 0 ? first.get(row.bodyB)!(row) : biases.get(`${row.bodyA} ${row.bodyB}`)!(row),
        );
        const list = at.core.testJointList(0);
        const end = at.core.testJointList(at.core.testJointGroupEnd());
        at.core.solveTrees(list, end, at.core.testFirstJointBody(), at.core.testJointBodyEnd(), pass, at.step);
        for (let body = 0; body < at.bodies.length; body++)
          near(at.velocity(body), [...exact.velocities.slice(6 * body, 6 * body + 6)], 40, `body ${body}`);
        let from = 0;
        for (const [i, pair] of at.pairs.entries()) {
          const rows = rowsOf(at.bodies, pair.oracle);
          const change = impulsesOf(rows, exact.impulses.slice(from, from + rows.length));
          from += rows.length;
          const linear = add(old[i]![0], change[0]);
          near(at.get3(pair, JointGroup.impulseX), linear, 30, 'impulse');
          if (kind !== ball) near(at.get3(pair, JointGroup.angularImpulseX), add(old[i]![1], change[1]), 30, 'angular impulse');
          if (pass === RELAX) expect(Math.sqrt(at.get(pair, JointGroup.peak)) / norm(linear)).toBeCloseTo(1, 3);
          else expect(at.get(pair, JointGroup.peak)).toBe(0);
        }
      }
    });
  });
});

it('where rows stay, what the soft pass took out of errors and of limits that hold is gone', () => {
  for (const form of ['tree', 'hung'] as const) {
    const at = jointPairs(hinge, { axes: { 5: { lower: -1, upper: 0.5 } } }, 0, form);
    at.core.step();
    const places = [-1.4, 0.8, 0.2, -1.3];
    for (const [i, pair] of at.pairs.entries()) {
      at.set3(pair, JointGroup.gapX, [1, 2, 3 + i]);
      at.set3(pair, JointGroup.errorX, [4, 5, 6 + i]);
      at.setUnit(pair, JointUnit.place, places[i]!);
      at.setUnit(pair, JointUnit.limit, i === 3 ? 0 : 2);
    }
    const end = at.core.testJointList(at.core.testJointGroupEnd());
    at.core.settleTrees(at.core.testJointList(0), end, at.step);
    for (const [i, pair] of at.pairs.entries()) {
      near(at.get3(pair, JointGroup.gapX), scale([1, 2, 3 + i], 0.72), 1, 'gap');
      near(at.get3(pair, JointGroup.errorX), [4 * 0.72, 5 * 0.72, 6 + i], 1, 'error');
      const exact = [-1 - 0.4 * 0.72, 0.5 + 0.3 * 0.72, 0.2, -1.3];
      near([at.getUnit(pair, JointUnit.place)], [exact[i]!], 1, 'place');
    }
  }
});
