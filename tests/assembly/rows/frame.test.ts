// Rows of a manifold in its own frame against vectors in double precision: the speed of a point, what one point's impulse changes at
// another, what friction changes at a row.
import { expect, it } from 'vitest';
import { coreMemory } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';
import { dot, timesSymmetric } from '../../helpers/vectors';

const { core, floats, room, readFloats } = coreMemory();
const random = seeded(9);
const some = (count: number) => Array.from({ length: count }, () => Math.fround(4 * random() - 2));
const near = (found: number, expected: number) => expect(Math.abs(found - expected)).toBeLessThan(2e-5);

it('a point moves along the normal with the middle and by the spins about t and u', () => {
  for (let k = 0; k < 20; k++) {
    const [a, b, vn, w1, w2] = some(5) as [number, number, number, number, number];
    // n . (v + w x r) with r = a t + b u, and t x u = n.
    near(core.testPointSpeed(a, b, vn, w1, w2), vn + (w1 * b - w2 * a));
  }
});

it('friction changes a row by the sum of its couplings', () => {
  for (let k = 0; k < 20; k++) {
    const couplings = some(12);
    const at = floats(couplings);
    const impulses = some(3);
    const of = (lane: number) => [0, 1, 2].map((i) => couplings[4 * i + lane]!);
    near(core.testFrictionChange(at, ...impulses), dot(of(0), impulses));
    const four = some(12);
    const out = room(16);
    const rows = floats(four);
    core.testFrictionChange4(at, rows, rows + 16, rows + 32, out);
    for (const [lane, found] of readFloats(out, 4).entries())
      near(
        found,
        dot(
          of(lane),
          [0, 1, 2].map((i) => four[4 * i + lane]!),
        ),
      );
  }
});

it('points are coupled by the response of the middle to both rows', () => {
  for (let k = 0; k < 20; k++) {
    const [a, b, c, d] = some(4) as [number, number, number, number];
    const [nn, n1, n2, t11, t12, t22] = some(6) as [number, number, number, number, number, number];
    const row = (x: number, y: number) => [1, y, -x];
    // Rows (n, w_t, w_u) of (a, b) and (c, d), W as a symmetric matrix.
    const exact = dot(row(a, b), timesSymmetric([nn, t11, t22, n1, n2, t12], row(c, d)));
    near(core.testPointCoupling(a, b, c, d, nn, n1, n2, t11, t12, t22), exact);
  }
});
