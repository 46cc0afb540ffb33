// Cuts of point sets, disjoint sets and inverses of symmetric matrices against plain walks in double precision.
import { expect, test } from 'vitest';
import { coreMemory, farthest } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';

const at = coreMemory();
const { core } = at;

/** The numbers after a cut of these points, in the order that the core leaves them in. */
function cut(part: number[], points: number[][], left: number): number[] {
  const numbers = at.words(part);
  const places = at.floats(points.flatMap((p) => [...p, 1e9]));
  core.splitAt(numbers, part.length, left, places, at.room(8 * part.length));
  return at.readWords(numbers, part.length);
}

test('a cut puts the smallest along the longest axis in front, ties by number', () => {
  const random = seeded(21);
  for (let round = 0; round < 150; round++) {
    const size = 1 + Math.floor(random() * 60);
    const long = round % 3;
    const second = (long + 1 + (round % 2)) % 3;
    const points = Array.from({ length: size + 9 }, () => {
      const p = [0, 0, 0].map((_, axis) => (random() - 0.5) * (axis === long ? 8 : axis === second ? 6 : 1));
      if (round % 4 === 0) p[long] = Math.round(p[long]!) + 0; // many of the same
      return p.map(Math.fround);
    });
    // Not all of the points, and not in order.
    const part = points.map((_, i) => i).sort((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101));
    part.length = size;
    const extent = [0, 1, 2].map(
      (k) => Math.max(...part.map((i) => points[i]![k]!)) - Math.min(...part.map((i) => points[i]![k]!)),
    );
    const axis = extent[0]! >= extent[1]! && extent[0]! >= extent[2]! ? 0 : extent[1]! >= extent[2]! ? 1 : 2;
    const left = Math.floor(random() * (size + 1));
    const sorted = [...part].sort((a, b) => points[a]![axis]! - points[b]![axis]! || a - b);
    const got = cut(part, points, left);
    const ascending = (list: number[]) => [...list].sort((a, b) => a - b);
    expect(ascending(got.slice(0, left))).toEqual(ascending(sorted.slice(0, left)));
    expect(ascending(got.slice(left))).toEqual(ascending(sorted.slice(left)));
  }
});

test('of equal extents the first axis is cut, and -0 is as large as 0', () => {
  const points = [
    [0, 1, 1],
    [1, 0, 0],
  ];
  expect(cut([1, 0], points, 1)).toEqual([0, 1]);
  expect(
    cut(
      [1, 0],
      points.map(([x, y, z]) => [0.5 * x!, y!, z!]),
      1,
    ),
  ).toEqual([1, 0]);
  expect(
    cut(
      [0, 1],
      [
        [0, 0, 0],
        [-0, 0, 0],
      ],
      1,
    ),
  ).toEqual([0, 1]);
});

test('sets have their smallest member as root, in whatever order they are joined', () => {
  const random = seeded(22);
  const count = 80;
  const parents = at.words(Array.from({ length: count }, (_, i) => i));
  const sets = Array.from({ length: count }, (_, i) => new Set([i]));
  for (let round = 0; round < 70; round++) {
    const a = Math.floor(random() * count);
    const b = Math.floor(random() * count);
    core.joinSets(parents, a, b);
    if (sets[a] !== sets[b]) {
      const union = new Set([...sets[a]!, ...sets[b]!]);
      for (const i of union) sets[i] = union;
    }
    const before = at.readWords(parents, count);
    const roots = sets.map((set) => Math.min(...set));
    expect(roots.map((_, i) => core.seenRootOfSet(parents, i))).toEqual(roots);
    expect(at.readWords(parents, count)).toEqual(before);
    if (round % 5 === 0) {
      expect(roots.map((_, i) => core.rootOfSet(parents, i))).toEqual(roots);
      expect(roots.map((_, i) => core.seenRootOfSet(parents, i))).toEqual(roots);
    }
  }
});

test('a walk to the root halves the path', () => {
  const parents = at.words([0, 0, 1, 2, 3, 4, 5, 6, 7]);
  expect(core.rootOfSet(parents, 8)).toBe(0);
  expect(at.readWords(parents, 9)).toEqual([0, 0, 0, 2, 2, 4, 4, 6, 6]);
});

test('the inverse of a symmetric matrix times the matrix is one', () => {
  const random = seeded(23);
  const out = at.room(32);
  for (let round = 0; round < 60; round++) {
    // A positive matrix: B B' of some B, and something on the diagonal.
    const b = Array.from({ length: 9 }, () => random() * 2 - 1);
    const entry = (i: number, j: number) =>
      b[3 * i]! * b[3 * j]! + b[3 * i + 1]! * b[3 * j + 1]! + b[3 * i + 2]! * b[3 * j + 2]! + (i === j ? 0.3 + 0.2 * i : 0);
    core.invertSymmetric(entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2), out);
    const [xx, yy, zz, xy, xz, yz] = at.readFloats(out, 6) as [number, number, number, number, number, number];
    const inverse = [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ];
    for (let i = 0; i < 3; i++) {
      const row = [0, 1, 2].map((j) => [0, 1, 2].reduce((sum, k) => sum + entry(i, k) * inverse[k]![j]!, 0));
      expect(
        farthest(
          row,
          [0, 1, 2].map((j) => (i === j ? 1 : 0)),
        ),
      ).toBeLessThan(2e-5);
    }
  }
  core.invertSymmetric(1, 1, 1, 1, 1, 1, out);
  expect(at.readFloats(out, 6)).toEqual([0, 0, 0, 0, 0, 0]);
  core.invertSymmetric(-1, 2, 3, 0, 0, 0, out);
  expect(at.readFloats(out, 6).map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
});
