// The lists of pairs of every collider against a walk over all pairs, after random histories of everything that makes, drops
// and moves pairs.
import { expect, test } from 'vitest';
import { Random } from '../../../scenes/random';
import { BODY_STATIC, Collider, Header, Manifold, NONE, PairCold, PairHot } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { hold } from '../../helpers/hold';
import { isLong } from '../../helpers/long';

/** Every end is in the list of its collider once, links point both ways, nothing else is in any list. */
function checkLists(world: BoxWorld): void {
  const words = new Uint32Array(world.memory.buffer);
  const starts = new Map<number, number>();
  const at = (base: number, stride: number, i: number) => {
    const start = starts.get(base) ?? world.u32(base);
    starts.set(base, start);
    return (start + i * stride) >>> 2;
  };
  const count = world.u32(Header.pairCount);
  const expected = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const cold = at(Header.pairColds, PairCold.STRIDE, i);
    const hot = at(Header.pairHots, PairHot.STRIDE, i);
    for (let side = 0; side < 2; side++) {
      const collider = words[cold + side]!;
      const body = words[at(Header.colliders, Collider.STRIDE, collider) + Collider.body / 4];
      hold(body === words[hot + side], `side ${side} of pair ${i} is of body ${body}`);
      const list = expected.get(collider) ?? [];
      list.push(2 * i + side);
      expected.set(collider, list);
    }
    for (let m = words[cold + PairCold.manifold / 4]!; m !== NONE; ) {
      const manifold = (world.core.manifoldAt(m) as number) >>> 2;
      hold(words[manifold + Manifold.pair / 4] === i, `manifold ${m} is of another pair than ${i}`);
      m = words[manifold + Manifold.next / 4]!;
    }
  }
  const links = world.u32(Header.pairLinks) >>> 2;
  const colliders = world.u32(Header.colliderCount);
  for (let c = 0; c < colliders; c++) {
    const collider = at(Header.colliders, Collider.STRIDE, c);
    if (words[collider + Collider.body / 4] === NONE) continue;
    const found: number[] = [];
    let previous = NONE;
    for (let end = words[collider + Collider.firstPair / 4]!; end !== NONE; end = words[links + 2 * end]!) {
      hold(end >>> 1 < count, `collider ${c} has end ${end} of ${count} pairs`);
      hold(words[links + 2 * end + 1] === previous, `end ${end} of collider ${c} does not point back to ${previous}`);
      found.push(end);
      previous = end;
      hold(found.length <= 2 * count, `the list of collider ${c} does not end`);
    }
    const all = `${(expected.get(c) ?? []).sort((a, b) => a - b)}`;
    hold(`${found.sort((a, b) => a - b)}` === all, `the list of collider ${c}: ${found}, not ${all}`);
  }
}

test('lists of pairs hold through motion, removal, filters, types and reuse of slots', () => {
  const world = new BoxWorld();
  const random = new Random(5);
  const place = () => [random.range(-4, 4), random.range(-4, 4), random.range(-4, 4)];
  const size = () => [random.range(0.2, 0.8), random.range(0.2, 0.8), random.range(0.2, 0.8)];
  const alive: number[] = [];
  const create = () => alive.push(world.box(place(), size(), { type: random.unit() < 0.3 ? BODY_STATIC : 2 }));
  for (let i = 0; i < 120; i++) create();
  const colliderOf = (body: number) => {
    const words = new Uint32Array(world.memory.buffer);
    const base = world.u32(Header.colliders);
    for (let c = 0; ; c++) if (words[(base + c * Collider.STRIDE + Collider.body) >>> 2] === body) return c;
  };
  for (let step = 0; step < (isLong ? 80 : 40); step++) {
    for (let i = alive.length; i-- > 0; ) {
      const body = alive[i]!;
      const r = random.unit();
      if (r < 0.05) {
        world.core.removeBody(body);
        alive.splice(i, 1);
      } else if (r < 0.1) {
        world.core.setPose(body, ...place(), 0, 0, 0, 1);
      } else if (r < 0.15) {
        world.core.setCollider(
          colliderOf(body),
          0.5,
          0,
          0,
          0,
          1 + Math.floor(3 * random.unit()),
          1 + Math.floor(3 * random.unit()),
        );
      } else if (r < 0.2) {
        const type = Math.floor(3 * random.unit());
        world.core.setBodyType(body, type);
        if (type === 2) world.core.setMassProperties(body, 1, 0.01, 0, 0, 1, 1, 1, 0, 0, 0);
      }
    }
    checkLists(world);
    while (alive.length < 160) create();
    world.step();
    checkLists(world);
  }
  expect(world.u32(Header.pairCount)).toBeGreaterThan(100);
  for (const [i, body] of alive.entries()) {
    world.core.removeBody(body);
    if (isLong || i % 8 === 0) checkLists(world);
  }
  checkLists(world);
  expect(world.u32(Header.pairCount)).toBe(0);
});
