// Impulses that go from one fixed collider to the next against the records of the contacts, searched by hand.
import { expect, it } from 'vitest';
import { HEADER_PTR, Header, Manifold, NONE, PairCold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';

interface Point {
  manifold: number;
  pair: number;
  index: number;
  onA: number[];
  onB: number[];
  normal: number[];
  impulse: number;
}

/** All points of contact, with impulses of their lanes. */
function pointsOf(world: BoxWorld): Point[] {
  const points: Point[] = [];
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const view = new DataView(world.memory.buffer);
    const three = (offset: number) => [0, 4, 8].map((k) => view.getFloat32(at + offset + k, true));
    for (let index = 0; index < view.getUint32(at + Manifold.count, true); index++) {
      points.push({
        manifold: m,
        pair: view.getUint32(at + Manifold.pair, true),
        index,
        onA: three(Manifold.lax0 + 64 * index),
        onB: three(Manifold.lbx0 + 64 * index),
        normal: three(Manifold.nx),
        impulse: view.getFloat32(at + Manifold.impulse0 + 64 * index, true),
      });
    }
  }
  return points;
}
const collidersOf = (world: BoxWorld, pair: number) => {
  const view = new DataView(world.memory.buffer);
  const at = world.u32(Header.pairColds) + pair * PairCold.STRIDE;
  return [view.getUint32(at + PairCold.colliderA, true), view.getUint32(at + PairCold.colliderB, true)];
};
const pairOf = (world: BoxWorld, a: number, b: number) => world.core.testFindPair(a, b) >>> 0;

/** Two flush tiles of unlike sizes (colliders 0 and 1) that meet at x = 0.05, and on both of them a box or a ball (2); 3 s of rest. */
function onTiles(ball: boolean): BoxWorld {
  const world = new BoxWorld();
  world.box([-1.95, -1, 0.4], [2, 1, 3], { type: 0 });
  world.box([1.55, -0.5, -0.2], [1.5, 0.5, 2.5], { type: 0 });
  if (ball) world.sphere([-0.3, 0.2995, 0.1], 0.3);
  else world.box([0.1, 0.1995, 0.1], [0.4, 0.2, 0.3]);
  const view = new DataView(world.memory.buffer);
  view.setFloat32(HEADER_PTR + Header.gravityX, 0.4, true);
  if (ball) view.setFloat32(HEADER_PTR + Header.gravityX, 0, true);
  world.step(30);
  return world;
}

it('a point near a place is the nearest within reach with the same normal, on the side of the body', () => {
  const random = seeded(2);
  for (const ball of [false, true]) {
    const world = onTiles(ball);
    const points = pointsOf(world).filter((p) => p.pair === pairOf(world, ball ? 2 : 0, ball ? 0 : 2));
    expect(points.length).toBe(ball ? 1 : points.length);
    const end = 2 * points[0]!.pair + (ball ? 0 : 1);
    const up = [0, 1, 0];
    // The normal is from A to B: towards the body where it is B.
    expect(points[0]!.normal[1]).toBeCloseTo(ball ? -1 : 1, 4);
    let hits = 0;
    for (let i = 0; i < 60; i++) {
      const near = points[i % points.length]!;
      const at = (ball ? near.onA : near.onB).map((v) => v + 0.2 * (random() - 0.5));
      const reach = 0.15 * random();
      let [best, found] = [reach * reach, NONE];
      for (const p of points) {
        const e2 = (ball ? p.onA : p.onB).reduce((sum, v, k) => sum + (v - at[k]!) ** 2, 0);
        if (e2 < best) [best, found] = [e2, 4 * p.manifold + p.index];
      }
      expect(world.core.testPointNear(end, ...at, ...up, reach) >>> 0).toBe(found);
      if (found !== NONE) hits++;
      expect(world.core.testPointNear(end, ...at, 0, -1, 0, reach) >>> 0).toBe(NONE);
      // Within 8 degrees normals are the same, beyond they are others.
      const tilt = (angle: number) => [Math.sin(angle), Math.cos(angle), 0];
      expect(world.core.testPointNear(end, ...at, ...tilt(0.13), reach) >>> 0).toBe(found);
      expect(world.core.testPointNear(end, ...at, ...tilt(0.155), reach) >>> 0).toBe(NONE);
    }
    expect(hits).toBeGreaterThan(5);
  }
});

it('a body is only on one collider where it touches no other fixed one', () => {
  const both = onTiles(false);
  expect(pairOf(both, 0, 2)).not.toBe(NONE);
  expect(pairOf(both, 1, 2)).not.toBe(NONE);
  expect(both.core.testIsOnlyOn(2, 0)).toBe(0);
  expect(both.core.testIsOnlyOn(2, 1)).toBe(0);
  const world = new BoxWorld();
  world.box([-1.95, -1, 0.4], [2, 1, 3], { type: 0 });
  world.box([-1, 0.2, 0], [0.3, 0.2, 0.4]);
  world.box([-0.9, 0.55, 0.1], [0.2, 0.15, 0.3]);
  world.step(5);
  expect(pairOf(world, 1, 2)).not.toBe(NONE);
  // The second stands on a body that moves, which carries no surface on.
  expect(world.core.testIsOnlyOn(1, 0)).toBe(1);
  expect(world.core.testIsOnlyOn(2, 0)).toBe(1);
});

it('a point that another fixed collider has is taken from it, with its impulse; the others keep theirs', () => {
  const count = pointsOf(onTiles(false)).filter((p) => p.impulse > 0).length;
  expect(count).toBeGreaterThan(2);
  for (let k = 0; k < count; k++) {
    const world = onTiles(false);
    const before = pointsOf(world);
    const taken = before.filter((p) => p.impulse > 0)[k]!;
    const [fixed, body] = collidersOf(world, taken.pair);
    expect(body).toBe(2);
    const other = 1 - fixed!;
    // From the collider itself nothing is taken.
    const at = taken.onB.map((v, axis) => v + [0.003, -0.002, 0.004][axis]!);
    expect(world.core.testTransfer(2, fixed, ...at.map((v) => v + 0.05), 0, 1, 0)).toBe(0);
    expect(world.core.testTransfer(2, other, ...at, 0, -1, 0)).toBe(0);
    expect(world.core.testTransfer(2, other, ...at, 0, 1, 0)).toBe(taken.impulse);
    const key = (p: Point) => [p.pair, ...p.onB, p.impulse].join();
    expect(pointsOf(world).map(key).sort()).toEqual(
      before
        .filter((p) => p !== taken)
        .map(key)
        .sort(),
    );
    // It is gone.
    expect(world.core.testTransfer(2, other, ...at, 0, 1, 0)).toBe(0);
    world.step(3);
  }
});

it('what a pair offers waits for the collider, the place and the normal that it had, once and for one step', () => {
  for (const ball of [false, true]) {
    const world = onTiles(ball);
    const pair = pairOf(world, ball ? 2 : 0, ball ? 0 : 2);
    const points = pointsOf(world).filter((p) => p.pair === pair && p.impulse > 0);
    expect(points.length).toBeGreaterThan(0);
    const place = (p: Point) => (ball ? p.onA : p.onB).map((v, axis) => v + [0.001, 0.001, -0.002][axis]!);
    const offer = () => {
      world.core.testForgetOffers();
      for (const manifold of new Set(points.map((p) => p.manifold))) world.core.testOffer(pair, manifold);
    };
    offer();
    if (ball) expect(world.core.testIsOnlyOn(2, 0)).toBe(0);
    for (const p of points) {
      // Collider 0 has the pair: it is passed over, and only the offers are left. Those of the other tile are elsewhere.
      const away = place(p).map((v, axis) => v + (axis === 1 ? (ball ? 0.07 : 0.02) : 0));
      expect(world.core.testTransfer(2, 0, ...away, 0, 1, 0)).toBe(0);
      expect(world.core.testTransfer(2, 0, ...place(p), 0, -1, 0)).toBe(0);
      expect(world.core.testTransfer(2, 0, ...place(p), 0, 1, 0)).toBe(p.impulse);
      expect(world.core.testTransfer(2, 0, ...place(p), 0, 1, 0)).toBe(0);
    }
    offer();
    world.core.testForgetOffers();
    for (const p of points) expect(world.core.testTransfer(2, 0, ...place(p), 0, 1, 0)).toBe(0);
    if (ball) expect(world.core.testIsOnlyOn(2, 0)).toBe(1);
  }
});

it('bodies that move on each other offer nothing', () => {
  const world = new BoxWorld();
  world.box([-1.95, -1, 0.4], [2, 1, 3], { type: 0 });
  world.box([-1, 0.2, 0], [0.3, 0.2, 0.4]);
  world.box([-0.9, 0.55, 0.1], [0.2, 0.15, 0.3]);
  world.step(20);
  const pair = pairOf(world, 1, 2);
  const points = pointsOf(world).filter((p) => p.pair === pair);
  expect(points.some((p) => p.impulse > 0)).toBe(true);
  world.core.testForgetOffers();
  world.core.testOffer(pair, points[0]!.manifold);
  for (const p of points) expect(world.core.testTransfer(2, 1, ...p.onB, 0, 1, 0)).toBe(0);
});
