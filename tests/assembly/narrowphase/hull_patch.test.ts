// Hulls with faces at very small angles: the deepest vertex has a contact whichever face the pair remembers, and nearly parallel
// faces that cross at edges have their patch as a manifold beside the crossing.
import { describe, expect, it } from 'vitest';
import { convexHull } from '../../../src/shapes/hull';
import { Collider } from '../../helpers/collide';
import { about, columns, type Vec } from '../../helpers/surfaces';

const MARGIN = 0.02;
const collider = new Collider();
const turned = (axis: Vec, angle: number) => {
  const [x, y, z] = columns(about(axis, angle));
  return [x, y, z] as [Vec, Vec, Vec];
};

describe('hull against hull', () => {
  it('has a contact at the deepest vertex when that slides from the remembered face to its twin', () => {
    // A: a block whose top slopes down along x from its edge at x = -0.3. B: a block with two bottom faces 0.6 mrad apart that
    // meet at x = 0. The edge of A comes from under the one and ends up under the other, most of A's top under the first still.
    const top = [-0.3, 0, -0.5, -0.3, 0, 0.5, 0.7, -0.1, -0.5, 0.7, -0.1, 0.5];
    collider.setHull(0, convexHull([...top, -0.3, -1, -0.5, -0.3, -1, 0.5, 0.7, -1, -0.5, 0.7, -1, 0.5]));
    const rise = 0.0003;
    const bottom = [-1, rise, -1, -1, rise, 1, 0, 0, -1, 0, 0, 1, 1, rise, -1, 1, rise, 1];
    collider.setHull(1, convexHull([...bottom, -1, 1, -1, -1, 1, 1, 1, 1, -1, 1, 1, 1]));
    collider.cache = 0;
    const depth = 0.02;
    for (let step = 0; step <= 40; step++) {
      const edge = 0.1 - 0.01 * step;
      collider.setPose(turned([0, 1, 0], 0), [-0.3 - edge, -depth, 0.05]);
      const { manifolds } = collider.run('collideHullHull', MARGIN);
      const exact = -depth + rise * Math.abs(edge);
      expect(Math.abs(collider.deepest(manifolds) - exact), `edge at ${edge}`).toBeLessThan(2.5e-4);
    }
  });

  it('keeps the patch of two slabs that cross at their edges at a small angle', () => {
    const block = (x: number, z: number) =>
      convexHull([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? x : -x, i & 2 ? 0.1 : -0.1, i & 4 ? z : -z]));
    collider.setHull(0, block(0.5, 0.1));
    collider.setHull(1, block(0.1, 0.5));
    collider.cache = 0;
    // Tilted about both axes: the slabs touch where two edges cross, at a corner of the square over which they are near each other.
    const a = turned([1, 0, 1], 0.003);
    collider.setPose(a, [0, 0.2 + 4e-4, 0]);
    const { manifolds, contacts } = collider.run('collideHullHull', MARGIN);
    expect(contacts.length).toBe(1);
    expect(manifolds).toBe(2);
  });
});
