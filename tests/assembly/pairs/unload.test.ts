// Loads that a pile loses against sums from its top down; what a change of a body does to its pairs.
import { describe, expect, it } from 'vitest';
import { EventRow, Header, Manifold, PairCold, PairHot } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { add, cross, dot, scale } from '../../helpers/vectors';

type V = number[];

const gravity = [0.9, -9.5, -0.6];
// Heavy on light: the last is all the load, and what a body bears moves it far in a substep.
const masses = [0, 0.6, 0.9, 2, 40];
// Kind of an event (assembly/events/events.ts).
const EVENT_END = 2;

/** A tower of four boxes of unlike sizes and masses on a floor, which gravity pulls a little sideways, at rest. */
function tower() {
  const world = new BoxWorld();
  for (const [k, name] of (['gravityX', 'gravityY', 'gravityZ'] as const).entries()) world.setF32(Header[name], gravity[k]!);
  world.box([0.4, -1, 0.2], [3, 1, 4], { type: 0 });
  const halves = [
    [0.8, 0.2, 0.7],
    [0.7, 0.25, 0.75],
    [0.6, 0.15, 0.5],
    [0.5, 0.3, 0.4],
  ];
  let y = 0;
  for (const [i, half] of halves.entries()) {
    const density = masses[i + 1]! / (8 * half[0]! * half[1]! * half[2]!);
    world.box([0.02 * i, y + half[1]! - 0.001 * (i + 1), -0.03 * i], half, { density });
    y += 2 * half[1]! - 0.001;
  }
  world.step(60);
  return world;
}

/** Impulses of the contact of a body with the one below: of every point, and the impulse on the upper body. */
function under(world: BoxWorld, upper: number) {
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const words = new Uint32Array(world.memory.buffer, at, 12);
    const count = words[Manifold.count / 4]!;
    if (count === 0 || words[0] !== upper - 1 || words[1] !== upper) continue;
    const f = (offset: number, n: number) => Array.from(new Float32Array(world.memory.buffer, at + offset, n));
    const [n, t] = [f(Manifold.nx, 3), f(Manifold.tx, 3)];
    const points = Array.from({ length: count }, (_, i) => f(Manifold.impulse0 + 64 * i, 1)[0]!);
    const friction = f(Manifold.tangentImpulse1, 3);
    const normal = points.reduce((sum, p) => sum + p, 0);
    const onUpper = add(add(scale(n, normal), scale(t, friction[0]!)), scale(cross(n, t), friction[1]!));
    return { points, friction, onUpper, substeps: world.core.substepsOfManifold(m) as number };
  }
  return undefined;
}

/** Shares of their impulses that the contacts below `body` keep when it loses `loss`. `weights`: masses of the bodies, kg. */
function shares(before: Map<number, { onUpper: V; substeps: number }>, body: number, loss: V, weights: V): Map<number, number> {
  const kept = new Map<number, number>();
  let above: V[] = [];
  for (let b = body; b > 0; b--) {
    const size = Math.hypot(...loss);
    const along = scale(loss, 1 / size);
    const below = before.get(b)!;
    let rest = (Math.max(dot(along, gravity), 0) * weights[b]!) / 60 / below.substeps;
    for (const load of above) rest += Math.max(dot(load, along), 0);
    const keep = rest / (rest + size);
    kept.set(b, keep);
    above = [scale(below.onUpper, -keep)];
    loss = scale(below.onUpper, keep - 1);
  }
  return kept;
}
const all = (world: BoxWorld) =>
  new Map(
    [1, 2, 3, 4].flatMap((b) =>
      under(world, b) ? [[b, under(world, b)!] as [number, NonNullable<ReturnType<typeof under>>]] : [],
    ),
  );

describe('a pile that loses a load', () => {
  it('bears the loads of its bodies before', () => {
    const found = all(tower());
    expect(found.size).toBe(4);
    for (const [b, { onUpper, substeps }] of found) {
      const weight = masses.slice(b).reduce((sum, m) => sum + m, 0);
      for (let k = 0; k < 3; k++) expect((onUpper[k]! * 60 * substeps) / weight).toBeCloseTo(-gravity[k]!, 1);
    }
  });

  it('keeps of its impulses, body by body downwards, the share of what still presses on them', () => {
    const gone = 4;
    const world = tower();
    const before = all(world);
    world.core.removeBody(gone);
    const kept = shares(before, gone - 1, scale(before.get(gone)!.onUpper, -1), masses);
    const after = all(world);
    expect(after.has(gone)).toBe(false);
    for (let b = gone - 1; b > 0; b--) {
      expect(kept.get(b)).toBeLessThan(0.95);
      const [was, is] = [before.get(b)!, after.get(b)!];
      expect(is.points.length).toBe(was.points.length);
      for (const [i, p] of was.points.entries())
        expect(Math.abs(is.points[i]! - kept.get(b)! * p)).toBeLessThan(1e-5 * Math.abs(p) + 1e-6);
      for (const [i, p] of was.friction.entries())
        expect(Math.abs(is.friction[i]! - kept.get(b)! * p)).toBeLessThan(1e-5 * Math.abs(p) + 1e-6);
    }
  });

  it('and the same when a body of it becomes lighter', () => {
    const world = tower();
    const before = all(world);
    world.core.setMassProperties(4, 4, 0, 0, 0, 3, 5, 4, 0, 0, 0);
    const after = all(world);
    const kept = shares(before, 4, scale(gravity, 36 / 60 / before.get(4)!.substeps), masses.with(4, 4));
    expect(kept.get(4)).toBeCloseTo(0.1, 5);
    for (let b = 4; b > 0; b--) {
      for (const [i, p] of before.get(b)!.points.entries()) {
        expect(Math.abs(after.get(b)!.points[i]! - kept.get(b)! * p)).toBeLessThan(1e-5 * p + 1e-6);
      }
    }
  });

  it('does not follow losses that change speeds by less than 0.05 m/s in a substep; more weight changes nothing', () => {
    const substeps = all(tower()).get(4)!.substeps;
    // A loss of x kg of 40 is one of x g h / (40 - x).
    const limit = (0.05 * 60 * substeps) / Math.hypot(...gravity);
    for (const [share, follows] of [
      [0.97, false],
      [1.03, true],
    ] as const) {
      const world = tower();
      const before = all(world);
      const lost = (40 * share * limit) / (1 + share * limit);
      world.core.setMassProperties(4, 40 - lost, 0, 0, 0, 3, 5, 4, 0, 0, 0);
      const after = all(world);
      expect(after.get(4)!.points[0]! < 0.9 * before.get(4)!.points[0]!).toBe(follows);
      if (!follows) for (const b of [1, 2, 3, 4]) expect(after.get(b)!.points).toEqual(before.get(b)!.points);
    }
    const world = tower();
    const before = all(world);
    world.core.setMassProperties(2, 400, 0, 0, 0, 15, 19, 17, 0, 0, 0);
    for (const b of [1, 2, 3, 4]) expect(all(world).get(b)!.points).toEqual(before.get(b)!.points);
  });
});

const budgets = (world: BoxWorld) => {
  const view = new DataView(world.memory.buffer);
  const found = new Map<string, number>();
  for (let p = 0; p < world.u32(Header.pairCount); p++) {
    const cold = world.u32(Header.pairColds) + p * PairCold.STRIDE;
    const key = [view.getUint32(cold, true), view.getUint32(cold + 4, true)].join();
    found.set(key, view.getFloat64(world.u32(Header.pairHots) + p * PairHot.STRIDE + PairHot.budget, true));
  }
  return found;
};

describe('a change of a body', () => {
  it('makes the contacts of its pairs due, and leaves those of others', () => {
    const world = tower();
    // As if nothing were due.
    const view = new DataView(world.memory.buffer);
    for (let p = 0; p < world.u32(Header.pairCount); p++)
      view.setFloat64(world.u32(Header.pairHots) + p * PairHot.STRIDE + PairHot.budget, 1e6 + p, true);
    const before = budgets(world);
    world.core.setMassProperties(3, 95, 0, 0, 0, 5, 6, 7, 0, 0, 0);
    const after = budgets(world);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [key, budget] of after)
      expect([key, budget]).toEqual([key, key === '2,3' || key === '3,4' ? -1 : before.get(key)]);
  });

  it('of its center of mass moves its anchors the other way, with those of its neighbors in their places', () => {
    const world = tower();
    const anchors = (upper: number) => {
      for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
        const at = world.core.readManifold(m) >>> 0;
        const words = new Uint32Array(world.memory.buffer, at, 12);
        if (words[Manifold.count / 4] === 0 || words[0] !== upper - 1 || words[1] !== upper) continue;
        const drift = new Float32Array(world.memory.buffer, at + Manifold.maxDrift, 1)[0];
        const of = (offset: number) =>
          Array.from({ length: words[Manifold.count / 4]! }, (_, i) =>
            Array.from(new Float32Array(world.memory.buffer, at + offset + 64 * i, 3)),
          );
        return { drift, a: of(Manifold.lax0), b: of(Manifold.lbx0) };
      }
      throw new Error('no contact');
    };
    const before = [1, 2, 3, 4].map(anchors);
    const d = [0.05, -0.03, 0.08];
    world.core.setMassProperties(2, masses[2], ...d, 1.3, 1.5, 1.7, 0, 0, 0);
    const after = [1, 2, 3, 4].map(anchors);
    const back = (points: V[]) => points.map((p) => p.map((v, k) => v - d[k]!));
    const close = (found: V[], expected: V[]) => {
      for (const [i, p] of expected.entries()) for (const [k, v] of p.entries()) expect(found[i]![k]).toBeCloseTo(v, 5);
    };
    // Body 2 is B of the contact with 1, A of that with 3.
    expect(after[1]!.a).toEqual(before[1]!.a);
    close(after[1]!.b, back(before[1]!.b));
    close(after[2]!.a, back(before[2]!.a));
    expect(after[2]!.b).toEqual(before[2]!.b);
    for (const k of [0, 3]) expect(after[k]).toEqual(before[k]);
    for (const k of [1, 2]) expect(after[k]!.drift).toBe(-1);
  });

  it('that is removed ends its pairs, says so of those that touched, and of no others', () => {
    const world = tower();
    world.setU32(Header.eventCount, 0);
    const before = [...budgets(world).keys()];
    world.core.removeBody(3);
    expect([...budgets(world).keys()].sort()).toEqual(before.filter((key) => !key.split(',').includes('3')).sort());
    const view = new DataView(world.memory.buffer);
    const events = Array.from({ length: world.u32(Header.eventCount) }, (_, i) => {
      const at = world.u32(Header.events) + i * EventRow.STRIDE;
      return [EventRow.kind, EventRow.colliderA, EventRow.colliderB].map((k) => view.getUint32(at + k, true)).join();
    });
    expect(events.sort()).toEqual([`${EVENT_END},2,3`, `${EVENT_END},3,4`]);
  });
});
