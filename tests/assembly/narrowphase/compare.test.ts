// Every pair of types of convex shapes, and every type on triangles, against the oracle in double precision: distance, depth, normal, the
// deepest point on both surfaces. `npm run fuzz -- --narrowphase --pairs 1000000` compares more, and prints the worst errors.
import { beforeAll, describe, expect, test } from 'vitest';
import { comparePair, compareTriangles, excessOf, FAMILIES, PAIRS, TYPES } from './compare';
import { signedDistance } from './depth_oracle';
import { box, capsule, cylinder, Driver, poseOf, sphere } from './round_oracle';

let driver: Driver;
beforeAll(() => {
  driver = new Driver();
});

describe('the oracle', () => {
  const turned = (t: [number, number, number]) => poseOf(0, 0, 0, 1, t);
  test.each([
    ['two boxes apart at an edge', box(1, 1, 1), box(1, 1, 1), turned([3, 3, 0]), Math.SQRT2],
    ['two boxes that overlap by the least', box(1, 1, 1), box(1, 2, 1), turned([1.9, 0.3, 0.2]), -0.1],
    ['coinciding boxes', box(1, 2, 3), box(1, 2, 3), turned([0, 0, 0]), -2],
    ['a sphere in a box', sphere(0.5), box(1, 1, 1), turned([0, 0.8, 0]), -0.7],
    ['crossing capsules', capsule(0.25, 1), capsule(0.25, 1), poseOf(Math.SQRT1_2, 0, 0, Math.SQRT1_2, [0.4, 0, 0]), -0.1],
    ['coinciding spheres', sphere(1), sphere(0.5), turned([0, 0, 0]), -1.5],
    ['cylinders side by side', cylinder(1, 1), cylinder(1, 1), turned([1.9, 0.5, 0]), -0.1],
    ['a cylinder in a cylinder', cylinder(1, 1), cylinder(0.5, 0.25), turned([0.25, 0, 0]), -1.25],
  ] as const)('%s', (_, a, b, pose, wanted) => {
    const { least, most } = signedDistance(a, b, pose);
    expect(least).toBeLessThanOrEqual(most + 1e-12);
    expect(least).toBeCloseTo(wanted, 6);
    expect(most).toBeCloseTo(wanted, 6);
  });
});

/** Pairs of each two types: some of each family. */
const COUNT = 40 * FAMILIES.length;

test.each(PAIRS)('%s on %s', (a, b) => {
  const worst = comparePair(driver, a, b, a === 'sphere' && b === 'hull' ? COUNT / 2 : COUNT, 7);
  expect(excessOf(a, b, worst)).toEqual([]);
});

test.each(TYPES)('%s on triangles', (type) => {
  expect(excessOf(type, 'triangles', compareTriangles(type, COUNT, 8))).toEqual([]);
});

test('a cone beside the border of a surface, whose side looks at the border from below, has no contact with it', () => {
  // Among these is a cone whose apex is above the surface and whose base is below it, beside it all the same.
  expect(excessOf('cone', 'triangles', compareTriangles('cone', 180, 1))).toEqual([]);
});
