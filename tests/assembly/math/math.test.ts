// Numbers, angles, quaternions and vectors of the core against double precision, one lane and four.
import { expect, test } from 'vitest';
import { coreMemory, farthest } from '../../helpers/core_memory';
import { columnsOf, seeded } from '../../helpers/random';
import { multiply } from '../../helpers/vectors';

const at = coreMemory();
const { core } = at;
const f = Math.fround;

/** The same of four lanes at once and of each lane alone, by the bits. */
function lanes(operation: number, a: number[], b = [1, 2, 3, 4], x = [11, 12, 13, 14], y = [21, 22, 23, 24]): number[] {
  const operands = at.floats([...a, ...b, ...x, ...y]);
  const out = at.room(16);
  core.testNumbers(operation, operands, out);
  const four = at.readWords(out, 4);
  const one = [0, 1, 2, 3].map((lane) => {
    core.testNumber(operation, operands + 4 * lane, out);
    return at.readWords(out, 1)[0]!;
  });
  if (operation !== 13) expect(one).toEqual(four);
  return Array.from(new Float32Array(Uint32Array.from(one).buffer));
}

/** The result of an entry whose operands are vectors (lists) and numbers. */
function call(name: string, ...operands: (number[] | number)[]): number[] {
  const given = operands.map((o) => (typeof o === 'number' ? o : at.floats(o)));
  const out = at.room(48);
  core[name](...given, out);
  return at.readFloats(out, name === 'testStoreRotation' ? 12 : 4);
}

function turned(columns: number[][], v: number[]): number[] {
  return [0, 1, 2].map((i) => columns[0]![i]! * v[0]! + columns[1]![i]! * v[1]! + columns[2]![i]! * v[2]!);
}
function turnedBack(columns: number[][], v: number[]): number[] {
  return columns.map((c) => c[0]! * v[0]! + c[1]! * v[1]! + c[2]! * v[2]!);
}
const flat = (columns: number[][]) => columns.flatMap((c) => [...c, 0]);

function unitQuaternion(random: () => number): number[] {
  const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
  const length = Math.hypot(...q);
  return q.map((k) => f(k / length));
}

test('operations on one number and on four round once and agree by the bits', () => {
  const a = [3.7, -2.3, 0.4, -0];
  const b = [-1.9, -5.1, 6.5, 0.25];
  const [af, bf] = [a.map(f), b.map(f)] as [number[], number[]];
  expect(lanes(0, a, b)).toEqual(af.map((x, i) => f(x + bf[i]!)));
  expect(lanes(1, a, b)).toEqual(af.map((x, i) => f(x - bf[i]!)));
  expect(lanes(2, a, b)).toEqual(af.map((x, i) => f(x * bf[i]!)));
  expect(lanes(3, a, b)).toEqual(af.map((x, i) => f(x / bf[i]!)));
  expect(lanes(4, a)).toEqual(af.map((x) => -x));
  expect(lanes(5, [2, 0.3, 7, 0])).toEqual([2, 0.3, 7, 0].map((x) => f(Math.sqrt(f(x)))));
  expect(lanes(6, a)).toEqual(af.map(Math.abs));
  expect(lanes(7, a, b)).toEqual([f(3.7), f(-2.3), 6.5, 0.25]);
  expect(lanes(8, a, b)).toEqual([f(-1.9), f(-5.1), f(0.4), -0]);
  expect(lanes(10, [5, 6, -7, -8], [-0, 3, -2, 0])).toEqual([-5, 6, 7, -8]);
  expect(lanes(11, [2.5, 3.5, -1.4, -1.6])).toEqual([2, 4, -1, -2]);
});

test('the greater and the least keep the first operand where one is no number or both are equal', () => {
  const nan = Number.NaN;
  expect(lanes(7, [nan, 1, 0, -0], [1, nan, -0, 0])).toEqual([nan, 1, 0, -0]);
  expect(lanes(8, [nan, 1, 0, -0], [1, nan, -0, 0])).toEqual([nan, 1, 0, -0]);
});

test('a choice takes the second where a is not greater, and any lane that is greater counts', () => {
  expect(lanes(9, [2, 1, 5, -3], [1, 2, 5, -4])).toEqual([11, 22, 23, 14]);
  for (let lane = 0; lane < 4; lane++) {
    const a = [1, 1, 1, 1];
    a[lane] = 1.5;
    const operands = at.floats([...a, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    const out = at.room(16);
    core.testNumbers(13, operands, out);
    expect(at.readFloats(out, 4)).toEqual([1, 1, 1, 1]);
    expect(lanes(13, a, [1, 1, 1, 1])).toEqual([0, 1, 2, 3].map((i) => (i === lane ? 1 : 0)));
  }
  const none = at.floats(new Array(16).fill(1));
  core.testNumbers(13, none, none);
  expect(at.readFloats(none, 4)).toEqual([0, 0, 0, 0]);
});

test('the inverse is 0 of what is not positive, and that of 1e-35 of what is less', () => {
  expect(lanes(12, [4, -4, 0, 3])).toEqual([0.25, 0, 0, f(1 / 3)]);
  const least = f(1 / f(1e-35));
  expect(lanes(12, [1e-36, 1e-35, 1e-34, Number.NaN])).toEqual([least, least, f(1 / f(1e-34)), 0]);
});

test('angles are those of atan2 within 3e-7 rad, with the sign of the sine', () => {
  let most = 0;
  for (let i = 0; i <= 400; i++) {
    const angle = ((i / 400) * Math.PI) / 2;
    const length = 0.01 + (i % 7) * 3;
    const [s, c] = [f(length * Math.sin(angle)), f(Math.max(0, length * Math.cos(angle)))];
    const unsigned = lanes(14, [s, c, s, 0], [c, s, c, 3]);
    most = Math.max(most, farthest(unsigned, [Math.atan2(s, c), Math.atan2(c, s), Math.atan2(s, c), 0]));
    const signed = lanes(15, [s, -s, -s, s], [c, c, c, c]);
    most = Math.max(
      most,
      farthest(
        signed,
        [s, -s, -s, s].map((x) => Math.atan2(x, c)),
      ),
    );
  }
  expect(most).toBeLessThan(3e-7);
  expect(lanes(14, [0, 0, 2, 1e-6], [0, 2, 0, 1])).toEqual([0, 0, f(1.5707964), f(1e-6)]);
});

test('the series of sine and cosine hold up to 1.6 rad', () => {
  for (let i = 0; i < 64; i++) {
    const x = [0, 0.4, 0.8, 1.2].map((base) => base + (0.4 * i) / 63);
    const squares = x.map((k) => f(k * k));
    const exact = squares.map((k) => Math.sqrt(k));
    expect(
      farthest(
        call('testSinc', squares),
        exact.map((k) => (k === 0 ? 1 : Math.sin(k) / k)),
      ),
    ).toBeLessThan(2e-7);
    expect(farthest(call('testCosine', squares), exact.map(Math.cos))).toBeLessThan(2e-7);
  }
});

test('products, conjugates and lengths of quaternions are those of double precision', () => {
  const random = seeded(11);
  for (let i = 0; i < 50; i++) {
    const [a, b] = [unitQuaternion(random), unitQuaternion(random)];
    expect(farthest(call('testQuatMul', a, b), multiply(a, b))).toBeLessThan(2e-7);
    expect(call('testQuatConjugate', a)).toEqual([-a[0]!, -a[1]!, -a[2]!, a[3]!]);
    const long = b.map((k) => f(k * (0.1 + 5 * random())));
    const length = Math.hypot(...long);
    expect(
      farthest(
        call('testQuatNormalize', long),
        long.map((k) => k / length),
      ),
    ).toBeLessThan(2e-7);
  }
});

test('columns of a rotation turn a vector, and their transpose turns it back', () => {
  const random = seeded(12);
  for (let i = 0; i < 50; i++) {
    const q = unitQuaternion(random);
    const columns = columnsOf(q);
    expect(farthest(call('testStoreRotation', q), flat(columns))).toBeLessThan(5e-7);
    const v = [random() * 4 - 2, random() * 4 - 2, random() * 4 - 2].map(f);
    for (const name of ['testRotateAt', 'testRotate3']) {
      expect(farthest(call(name, flat(columns), [...v, 9]).slice(0, 3), turned(columns, v))).toBeLessThan(2e-6);
    }
    for (const name of ['testInverseRotateAt', 'testRotateInverse3']) {
      expect(farthest(call(name, flat(columns), [...v, 9]), [...turnedBack(columns, v), 0])).toBeLessThan(2e-6);
    }
  }
});

test('a rotation vector of any length makes its quaternion', () => {
  const random = seeded(13);
  const lengths = [0, 1e-6, 0.1, 0.2499, 0.2501, 0.6, 1.3, 3, Math.PI, 4, 6.2, 6.3, 9, 25, 400];
  for (const length of lengths) {
    const d = [random() - 0.4, random() - 0.7, random() - 0.2];
    const p = d.map((k) => f((k / Math.hypot(...d)) * length));
    const angle = Math.hypot(...p);
    const k = angle === 0 ? 0.5 : Math.sin(angle / 2) / angle;
    const exact = [p[0]! * k, p[1]! * k, p[2]! * k, Math.cos(angle / 2)];
    const got = call('testQuatFromRotationVector', [...p, 55]);
    const sign = Math.sign(got.reduce((sum, x, i) => sum + x * exact[i]!, 0));
    expect(
      farthest(
        got,
        exact.map((x) => sign * x),
      ),
    ).toBeLessThan(length > 6.29 ? 3e-6 * Math.max(1, length / 6.3) : 1.5e-6);
    if (length < 0.25) expect(farthest(got, exact)).toBeLessThan(6.1e-8);
    if (length < 6) expect(sign).toBe(1);
  }
});

test('the rotation vector of a quaternion is of the shorter way, of either sign', () => {
  const random = seeded(14);
  for (const length of [1e-7, 1e-4, 0.3, 1.5, 2.9, 3.1]) {
    const d = [random() - 0.3, random() - 0.8, random() - 0.4];
    const p = d.map((k) => (k / Math.hypot(...d)) * length);
    const k = Math.sin(length / 2) / length;
    const q = [p[0]! * k, p[1]! * k, p[2]! * k, Math.cos(length / 2)];
    expect(farthest(call('testRotationVectorOf', q), [...p, 0])).toBeLessThan(1e-6 * length + 1e-12);
    expect(
      farthest(
        call(
          'testRotationVectorOf',
          q.map((x) => -x),
        ),
        [...p, 0],
      ),
    ).toBeLessThan(1e-6 * length + 1e-12);
  }
});

test('vectors are scaled, added, measured and taken apart lane by lane', () => {
  const a = [1.5, -2.25, 4, 7];
  const b = [-3, 0.5, 2, 11];
  expect(call('testLanes3', a)).toEqual([7, 4, -2.25, 1.5]);
  expect(call('testScale3', a, -2)).toEqual([-3, 4.5, -8, -14]);
  expect(call('testAddScaled3', a, b, 4)).toEqual([-10.5, -0.25, 12, 51]);
  expect(call('testLength3', [2, -3, 6, 100])).toEqual([2, -3, 6, 7]);
});

test('a perpendicular is of length 1, also to axes and to diagonals', () => {
  const random = seeded(15);
  const normals = [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [1, 1, 0],
    [0.02, 1, 0.01],
    [0.01, 0.02, -1],
  ];
  for (let i = 0; i < 40; i++) normals.push([random() - 0.5, random() - 0.5, random() - 0.5]);
  for (const normal of normals) {
    const n = normal.map((k) => f(k / Math.hypot(...normal)));
    const p = call('testPerpendicular3', [...n, 0]);
    expect(Math.hypot(p[0]!, p[1]!, p[2]!)).toBeCloseTo(1, 6);
    expect(Math.abs(p[0]! * n[0]! + p[1]! * n[1]! + p[2]! * n[2]!)).toBeLessThan(2e-7);
    // It is at right angles to an axis that n has the smallest share of, too.
    const least = Math.min(...n.map(Math.abs));
    expect([0, 1, 2].some((i) => p[i] === 0 && Math.abs(n[i]!) === least)).toBe(true);
  }
});

test('a point moves by an offset of doubles and is rounded once', () => {
  const point = [1e6 + 0.5, -2e5, 3.3, 8];
  const offset = [-1e6 - 0.2512345678, 2e5 + 0.0001220703, -3.299999];
  const moved = call('testMovedBy', point, at.doubles([...offset, 0]));
  expect(moved).toEqual([...[0, 1, 2].map((i) => f(f(point[i]!) + offset[i]!)), 8]);
});
