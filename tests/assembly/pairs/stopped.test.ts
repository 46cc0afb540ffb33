// What is left of contacts and rows once bodies were stopped, against the records written by hand before.
import { describe, expect, it } from 'vitest';
import { BodyCold, BodyRow, ERROR_NOT_FINITE, EventRow, Header, Manifold, SOLVER_PGS } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

/** Bits of BodyCold.flags (assembly/bodies/rows.ts) and the kind of an event (assembly/events/events.ts). */
const STOPPED = 1 << 13;
const BY_SHIFT = 30;
const EVENT_STOPPED = 10;

/** Two piles on a floor, a fixed ball, a ball in the air and a plate that an animation moves; impulses are in the records. */
function piles() {
  const world = new BoxWorld();
  world.core.reserveBodies(20);
  world.box([0.4, -1, 0.2], [6, 1, 4], { type: 0 });
  world.box([0, 0.2, 0], [0.5, 0.2, 0.4]);
  world.box([0.1, 0.55, 0.05], [0.3, 0.15, 0.2], { density: 3000 });
  world.box([2, 0.3, 0], [0.5, 0.3, 0.6]);
  world.sphere([2.1, 0.8, 0.1], 0.2);
  world.sphere([-9, 4, 1], 0.3, { type: 0 });
  world.sphere([-9, 9, 1], 0.3);
  world.box([-9, 15, 1], [1, 0.1, 2], { type: 1 });
  world.setF32(Header.gravityX, 0.8);
  world.setF32(Header.gravityZ, 0.3);
  world.step(12);
  world.core.setSolver(SOLVER_PGS);
  world.setU32(Header.eventCount, 0);
  const view = new DataView(world.memory.buffer);
  const row = (body: number) => world.u32(Header.bodyRows) + body * BodyRow.STRIDE;
  const cold = (body: number) => world.u32(Header.bodyColds) + body * BodyCold.STRIDE;
  return {
    world,
    view,
    row,
    stop(body: number, why: number) {
      view.setUint32(cold(body), (view.getUint32(cold(body), true) | STOPPED | (why << BY_SHIFT)) >>> 0, true);
      world.setU32(Header.stoppedCount, 1);
    },
    isStopped: (body: number) => (view.getUint32(cold(body), true) & (STOPPED | (3 << BY_SHIFT))) !== 0,
    numbers: (body: number) => Array.from(new Float32Array(world.memory.buffer, row(body), 8)),
    events: () =>
      Array.from({ length: world.u32(Header.eventCount) }, (_, i) => {
        const at = world.u32(Header.events) + i * EventRow.STRIDE;
        return [EventRow.kind, EventRow.colliderA, EventRow.colliderB].map((k) => view.getUint32(at + k, true));
      }),
    contact(a: number, b: number) {
      for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
        const at = world.core.manifoldAt(m) >>> 0;
        const bodies = [view.getUint32(at, true), view.getUint32(at + 4, true)];
        if (view.getUint32(at + Manifold.count, true) > 0 && bodies.includes(a) && bodies.includes(b)) return at;
      }
      throw new Error(`no contact of ${a} and ${b}`);
    },
  };
}
type Piles = ReturnType<typeof piles>;

const pairs = [
  [0, 1],
  [1, 2],
  [0, 3],
  [3, 4],
] as const;
/** Sum of the impulses of a contact. */
function pressure({ view, contact }: Piles, [a, b]: readonly [number, number]): number {
  const at = contact(a, b);
  const names = ['tangentImpulse1', 'tangentImpulse2', 'twistImpulse', 'rollImpulse1', 'rollImpulse2'] as const;
  let sum = 0;
  for (const name of names) sum += Math.abs(view.getFloat32(at + Manifold[name], true));
  for (let i = 0; i < view.getUint32(at + Manifold.count, true); i++)
    sum += view.getFloat32(at + Manifold.impulse0 + 64 * i, true);
  return sum;
}

describe('after bodies were stopped', () => {
  it.each([
    [2, 2, [[1, 2]]],
    [
      1,
      0,
      [
        [0, 1],
        [1, 2],
      ],
    ],
    [4, 1, [[3, 4]]],
  ] as const)(
    'the contacts of body %i start from nothing, and no others; it is reported once, with the reason',
    (body, why, own) => {
      const p = piles();
      const before = pairs.map((pair) => pressure(p, pair));
      for (const sum of before) expect(sum).toBeGreaterThan(0.1);
      p.stop(body, why);
      p.world.core.testDropStopped(0);
      for (const [i, pair] of pairs.entries()) {
        const isOwn = own.some((one) => one.join() === pair.join());
        expect([pair, pressure(p, pair)]).toEqual([pair, isOwn ? 0 : before[i]]);
      }
      expect(p.events()).toEqual([[EVENT_STOPPED, body, why]]);
      expect(p.isStopped(body)).toBe(false);
      expect(p.world.u32(Header.error) & ERROR_NOT_FINITE).toBe(ERROR_NOT_FINITE);
    },
  );

  it('slots behind the last body are left as they are', () => {
    const p = piles();
    const behind = p.world.u32(Header.bodyCount);
    p.stop(behind, 0);
    p.stop(2, 0);
    p.world.core.testDropStopped(0);
    expect(p.events()).toEqual([[EVENT_STOPPED, 2, 0]]);
    expect(p.isStopped(behind)).toBe(true);
  });

  it('nothing happens without one', () => {
    const p = piles();
    p.view.setFloat32(p.contact(0, 3) + Manifold.tangentImpulse1, Number.POSITIVE_INFINITY, true);
    const before = pairs.map((pair) => pressure(p, pair));
    p.world.setU32(Header.error, 0);
    p.world.core.testDropStopped(0);
    expect(pairs.map((pair) => pressure(p, pair))).toEqual(before);
    expect(p.events()).toEqual([]);
  });
});

describe('after a step that was too fast to square', () => {
  const fields = ['tangentImpulse1', 'tangentImpulse2', 'twistImpulse', 'rollImpulse1', 'rollImpulse2'] as const;
  const places = [
    ...fields,
    ...([0, 1, 2, 3] as const).flatMap((i) => [`impulse${i}`, `separation${i}`, `maxImpulse${i}`] as const),
  ];
  it.each(places)('a contact whose %s is no number starts from nothing, the others go on', (name) => {
    for (const wrong of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      const p = piles();
      p.world.setU32(Header.anyRolling, 1);
      p.world.setU32(Header.error, 0);
      const at = p.contact(0, 3);
      expect(p.view.getUint32(at + Manifold.count, true)).toBe(4);
      p.view.setFloat32(at + Manifold.separation1, -0.0123, true);
      const before = pairs.map((pair) => pressure(p, pair));
      p.view.setFloat32(at + Manifold[name as keyof typeof Manifold], wrong, true);
      p.world.core.testDropStopped(1);
      expect(pairs.map((pair) => pressure(p, pair))).toEqual(before.map((sum, i) => (i === 2 ? 0 : sum)));
      const separation = p.view.getFloat32(at + Manifold.separation1, true);
      if (name === 'separation1') expect(separation).toBe(0);
      else expect(separation).toBeCloseTo(-0.0123, 7);
      expect(p.events()).toEqual([]);
      expect(p.world.u32(Header.error)).toBe(0);
    }
  });

  it('bodies that nothing moves lose numbers that are none, and dynamic ones get the mobility of their mass back', () => {
    const p = piles();
    const [plate, fixed, ball] = [7, 5, 6];
    p.world.core.setVelocity(plate, 1, 2, 3, 4, 5, 6);
    p.world.core.setVelocity(ball, -3, 2, 1, 0.5, 0.6, 0.7);
    p.view.setFloat32(p.row(plate) + BodyRow.vy, Number.NaN, true);
    p.view.setFloat32(p.row(plate) + BodyRow.wz, Number.POSITIVE_INFINITY, true);
    p.view.setFloat32(p.row(fixed) + BodyRow.wx, Number.NEGATIVE_INFINITY, true);
    const [still, was] = [p.numbers(3), p.numbers(ball)];
    p.view.setFloat32(p.row(ball) + BodyRow.invMass, Number.POSITIVE_INFINITY, true);
    p.world.core.testDropStopped(1);
    expect(p.numbers(plate)).toEqual([1, 0, 3, 0, 4, 5, 0, 0]);
    expect(p.numbers(fixed)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    // The ball's row lies behind that of the fixed one.
    expect(p.numbers(ball).slice(0, 3)).toEqual(was.slice(0, 3));
    expect(p.numbers(ball)[3]).toBeCloseTo(1 / ((4 / 3) * Math.PI * 27), 8);
    expect(p.numbers(ball).slice(4)).toEqual(was.slice(4));
    expect(p.numbers(3)).toEqual(still);
  });
});
