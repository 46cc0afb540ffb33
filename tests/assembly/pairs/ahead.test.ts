// Pairs that are tested ahead of the walk, as threads do it, against the plain walk: the same bits in every step. And what of them is
// committed beside the walk, by its kind.
import { describe, expect, it } from 'vitest';
import { BodyCenter, BodyRow, EventRow, Header, Manifold, PairCold, PairHot } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { unit } from '../../helpers/vectors';

/** Kinds of rows (assembly/scratch/tests.ts). */
const [HOLDS, STILL_APART, FILLED, RECYCLED, OWN] = [1, 3, 6, 7, 8];

type Quat = [number, number, number, number];

/** Boxes and balls above a floor of tiles, some asleep, some fixed in the air, and a plate that is at rest until it moves. */
function heap(seed: number, count: number) {
  const world = new BoxWorld();
  const random = seeded(seed);
  world.setU32(Header.sleep, 1);
  world.setF32(Header.gravityX, 0.7);
  for (let i = 0; i < 5; i++)
    for (let k = 0; k < 5; k++)
      world.box([1.1 * i - 2, -0.5 - 0.1 * ((i + 2 * k) % 3), 1.3 * k - 2.4], [0.55, 0.5 + 0.1 * ((i + 2 * k) % 3), 0.65], {
        type: 0,
      });
  const plate = world.box([0.2, 0.1, 0.3], [0.9, 0.05, 0.4], { type: 1 });
  const bodies: number[] = [];
  for (let i = 0; i < count; i++) {
    const at = [4 * random() - 1.9, 0.3 + (2.4 * i) / count, 4.4 * random() - 2.2];
    const rotation = unit([random() - 0.5, random() - 0.5, random() - 0.5, random()]) as Quat;
    const type = i % 23 === 7 ? 0 : 2;
    const body =
      i % 3 === 0
        ? world.sphere(at, 0.15 + 0.12 * random(), { type })
        : world.box(at, [0.12 + 0.15 * random(), 0.1 + 0.1 * random(), 0.15 + 0.1 * random()], { type, rotation });
    if (type === 2) bodies.push(body);
  }
  return { world, plate, bodies };
}

/** All that a step leaves of bodies, pairs and contacts. */
function stateOf(world: BoxWorld): Record<string, string | number> {
  const { buffer } = world.memory;
  const bytes = (at: number, length: number) => Buffer.from(new Uint8Array(buffer, at, length)).toString('base64');
  const rows = (field: keyof typeof Header, stride: number, n: number) => bytes(world.u32(Header[field]), stride * n);
  const [bodies, pairs, manifolds] = [world.u32(Header.bodyCount), world.u32(Header.pairCount), world.u32(Header.manifoldCount)];
  const view = new DataView(buffer);
  const contacts: string[] = [];
  for (let m = 0; m < manifolds; m++) {
    const at = world.core.readManifold(m) >>> 0;
    const count = view.getUint32(at + Manifold.count, true);
    if (count === 0) contacts.push('');
    else
      contacts.push(
        `${bytes(at, Manifold.lane)}${bytes(at + Manifold.count, 12)}${bytes(at + Manifold.nx, Manifold.STRIDE - 48)}`,
      );
  }
  return {
    rows: rows('bodyRows', BodyRow.STRIDE, bodies),
    centers: rows('bodyCenters', BodyCenter.STRIDE, bodies),
    rotations: rows('rotations', 16, bodies),
    pairs: rows('pairColds', PairCold.STRIDE, pairs),
    budgets: rows('pairHots', PairHot.STRIDE, pairs),
    contacts: contacts.join('\n'),
    events: rows('events', EventRow.STRIDE, world.u32(Header.eventCount)),
    pairVisits: world.u32(Header.pairVisits),
    fullTests: world.u32(Header.fullTests),
    deepVisits: world.u32(Header.deepVisits),
    contactCount: world.u32(Header.contactCount),
    awakePairs: world.u32(Header.awakePairs),
    sleeping: world.u32(Header.sleepingCount),
  };
}

function step(world: BoxWorld, ahead: boolean): void {
  world.setU32(Header.eventCount, 0);
  expect(world.core.stepBroadphase()).toBe(0);
  // One thread does all tasks of two.
  world.setU32(Header.threads, ahead ? 2 : 1);
  expect(world.core.stepContacts()).toBe(0);
  world.setU32(Header.threads, 1);
  expect(world.core.stepSolve()).toBe(0);
  expect(world.core.stepEnd()).toBe(0);
}

/** Kinds of the rows of all pairs, by their bodies. */
function kindsOf(world: BoxWorld): Map<string, number> {
  expect(world.core.testAhead()).toBe(1);
  const kinds = new Map<string, number>();
  const words = new Uint32Array(
    world.memory.buffer,
    world.u32(Header.pairHots),
    (world.u32(Header.awakePairs) * PairHot.STRIDE) / 4,
  );
  for (let pair = 0; pair < world.u32(Header.awakePairs); pair++)
    kinds.set(`${words[4 * pair]},${words[4 * pair + 1]}`, world.core.testKindOf(pair));
  return kinds;
}

describe('pairs that are tested ahead of the walk', () => {
  it('give the same bits as those of the plain walk', () => {
    const worlds = [heap(2, 110), heap(2, 110)];
    let most = 0;
    for (let k = 0; k < 30; k++) {
      for (const [i, { world, plate, bodies }] of worlds.entries()) {
        if (k === 9) world.core.setVelocity(plate, 0.3, 0.1, -0.2, 0, 0.8, 0);
        if (k === 15) for (const body of bodies.slice(0, 9)) world.core.sleepBody(body);
        if (k === 20) for (const body of bodies.slice(40, 44)) world.core.removeBody(body);
        if (k === 24) world.core.setVelocity(bodies[60], 60, -40, 30, 5, 2, 9);
        step(world, i === 1);
      }
      const [plain, ahead] = worlds.map(({ world }) => stateOf(world));
      for (const key of Object.keys(plain!)) if (plain![key] !== ahead![key]) throw new Error(`step ${k}: other ${key}`);
      most = Math.max(most, plain!.awakePairs as number);
    }
    expect(most).toBeGreaterThan(300);
  });

  it('concern no others where both bodies move, and they begin and end nothing', () => {
    const world = new BoxWorld();
    world.setF32(Header.gravityY, 0);
    let x = 0;
    const balls = (gap: number, type = 2): [number, number, (to: number) => void] => {
      x += 5;
      const at = x;
      const place = (d: number) => [at + 0.6 * (0.8 + d), 0.1 - 0.8 * (0.8 + d), 0];
      const a = world.sphere([at, 0.1, 0], 0.5, { type });
      const b = world.sphere(place(gap), 0.3, {});
      return [a, b, (to) => world.core.setPose(b, ...place(to), 0, 0, 0, 1)];
    };
    const touching = balls(-0.004);
    const held = balls(-0.004);
    const onFixed = balls(-0.004, 0);
    const parting = balls(-0.004);
    const watched = balls(0.006);
    const near = balls(0.3);
    const apart = balls(0.3);
    const beside = balls(-0.004);
    // A box on a box, flat and then on an edge: the number of points changes. And one that stays as it is.
    const boxes = [3, 6].map((z) => [
      world.box([0, 0.2, z], [0.5, 0.2, 0.4]),
      world.box([0.1, 0.549, z + 0.05], [0.3, 0.15, 0.2]),
    ]);
    world.step(3);
    for (const [, , move] of [touching, onFixed, beside]) move(-0.003);
    parting[2](0.004);
    watched[2](0.005);
    near[2](0.002);
    apart[2](0.29);
    const tilt: Quat = [0, 0, Math.sin(0.03), Math.cos(0.03)];
    world.core.setPose(boxes[0]![1]!, 0.1, 0.56, 3.05, ...tilt);
    world.core.setPose(boxes[1]![1]!, 0.1, 0.5495, 6.05, 0, 0, 0, 1);
    const view = new DataView(world.memory.buffer);
    expect(world.core.stepBroadphase()).toBe(0);
    for (let pair = 0; pair < world.u32(Header.pairCount); pair++) {
      const hot = world.u32(Header.pairHots) + pair * PairHot.STRIDE;
      const isHeld = view.getUint32(hot, true) === held[0];
      view.setFloat64(hot + PairHot.budget, isHeld ? 1e9 : -1, true);
    }
    const kinds = kindsOf(world);
    const kind = (pair: readonly unknown[]) => kinds.get(`${pair[0]},${pair[1]}`);
    expect(kind(touching)).toBe(OWN);
    expect(kind(beside)).toBe(OWN);
    expect(kind(boxes[1]!)).toBe(OWN);
    expect(kind(watched)).toBe(OWN);
    expect(kind(held)).toBe(HOLDS);
    expect(kind(apart)).toBe(STILL_APART);
    expect(kind(parting)).toBe(FILLED);
    expect(kind(near)).toBe(FILLED);
    expect(kind(boxes[0]!)).toBe(FILLED);
    expect([FILLED, RECYCLED]).toContain(kind(onFixed));
  });
});
