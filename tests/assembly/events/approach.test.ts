// Closing speeds of contacts against the velocities of their points in double precision.
import { expect, it } from 'vitest';
import { Header, Manifold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { cross, dot } from '../../helpers/vectors';

type V = number[];

/** A tilted box and a ball on a floor, a box on both: contacts of many points, with separations that differ. */
function contacts() {
  const world = new BoxWorld();
  world.box([0.3, -1, -0.2], [6, 1, 5], { type: 0 });
  world.box([-0.7, 0.21, 0.1], [0.6, 0.2, 0.5], { rotation: [0.008, 0.3, -0.011, 1] });
  world.sphere([0.8, 0.299, 0.2], 0.3);
  world.box([-0.4, 0.56, 0.2], [0.3, 0.15, 0.25], { rotation: [-0.01, 0.1, 0.02, 1] });
  world.core.stepBroadphase();
  world.core.stepContacts();
  const found: { index: number; a: number; b: number; n: V; points: { ra: V; rb: V; separation: number }[] }[] = [];
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const words = new Uint32Array(world.memory.buffer, at, 12);
    const f = (offset: number, n = 3) => Array.from(new Float32Array(world.memory.buffer, at + offset, n));
    const points = Array.from({ length: words[Manifold.count / 4]! }, (_, i) => {
      const [ra, rb] = [f(Manifold.rax0 + 64 * i), f(Manifold.rbx0 + 64 * i)];
      return { ra, rb, separation: f(Manifold.separation0 + 64 * i, 1)[0]! };
    });
    if (points.length > 0) found.push({ index: m, a: words[0]!, b: words[1]!, n: f(Manifold.nx), points });
  }
  return { world, found };
}

it('the speed of a point is that at which the bodies close in on each other there; that of before is of the velocities kept', () => {
  const { world, found } = contacts();
  expect(found.length).toBeGreaterThan(2);
  const random = seeded(6);
  const some = (n: number) => Array.from({ length: n }, () => 8 * random() - 4);
  const still = { v: [0, 0, 0], w: [0, 0, 0] };
  const set = () => [still, ...[1, 2, 3].map(() => ({ v: some(3), w: some(3) }))];
  const put = (motions: { v: V; w: V }[]) => {
    for (const body of [1, 2, 3]) world.core.setVelocity(body, ...motions[body]!.v, ...motions[body]!.w);
  };
  const [before, now] = [set(), set()];
  put(before);
  for (const body of [0, 1, 2, 3]) expect(world.core.testKeepVelocity(body)).toBe(1);
  put(now);
  let signs = 0;
  for (const m of found) {
    for (const [i, { ra, rb }] of m.points.entries()) {
      const speed = (motions: { v: V; w: V }[]) => {
        const at = (body: number, r: V) => cross(motions[body]!.w, r).map((c, k) => c + motions[body]!.v[k]!);
        return dot(m.n, at(m.a, ra)) - dot(m.n, at(m.b, rb));
      };
      expect(world.core.testSpeedNow(m.index, i)).toBeCloseTo(speed(now), 4);
      expect(world.core.testSpeedBefore(m.index, i)).toBeCloseTo(speed(before), 4);
      signs |= speed(now) > 0 ? 1 : 2;
    }
  }
  expect(signs).toBe(3);
  // Two bodies that come together have a positive one.
  const pile = found.find((m) => m.a === 1 && m.b === 3) ?? found.find((m) => m.a === 3 && m.b === 1)!;
  put([still, { v: [0, 1, 0], w: [0, 0, 0] }, still, { v: [0, -2, 0], w: [0, 0, 0] }]);
  expect(world.core.testSpeedNow(pile.index, 0)).toBeGreaterThan(2.5);
});

it('the deepest point of a contact is the one with the least separation', () => {
  const { world, found } = contacts();
  const places = new Set<number>();
  for (const m of found) {
    const separations = m.points.map((p) => p.separation);
    const least = separations.indexOf(Math.min(...separations));
    expect(world.core.testDeepestPoint(m.index)).toBe(least);
    places.add(least);
  }
  expect(places.size).toBeGreaterThan(1);
});
