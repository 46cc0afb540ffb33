// What decides about a pair against closed forms: how far it moves in a step, whether it stays apart, whether its contacts still hold;
// and the limits of crowds.
import { describe, expect, it } from 'vitest';
import { HEADER_PTR, Header, Manifold, PairCold, PairHot } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { columnsOf } from '../../helpers/random';
import { multiply, rotationOf } from '../../helpers/vectors';

const dt = 1 / 60;
const header = (world: BoxWorld, field: keyof typeof Header) => world.u32(Header[field]);
const f32 = (world: BoxWorld, at: number) => new DataView(world.memory.buffer).getFloat32(at, true);
const f64 = (world: BoxWorld, field: keyof typeof Header, index: number) =>
  new DataView(world.memory.buffer).getFloat64(header(world, field) + 8 * index, true);
const setF64 = (world: BoxWorld, field: keyof typeof Header, index: number, value: number) =>
  new DataView(world.memory.buffer).setFloat64(header(world, field) + 8 * index, value, true);

describe('the motion of a pair in a step', () => {
  const setting = (typeA: number, typeB: number) => {
    const world = new BoxWorld();
    const a = world.box([0, 5, 0], [0.3, 0.5, 0.2], { type: typeA });
    const b = world.box([3, 5, 1], [0.7, 0.4, 0.9], { type: typeB });
    if (typeA !== 0) world.core.setVelocity(a, 1, -2, 3, 0.5, 0.2, -0.9);
    if (typeB !== 0) world.core.setVelocity(b, -4, 1, 2, -3, 1, 0.4);
    const measured = (sensor: boolean) => {
      const at = world.core.testMeasureMotion(a, b, sensor) >>> 0;
      return { travel: f32(world, at), margin: f32(world, at + 4), extent: f32(world, at + 8) };
    };
    const passing = () =>
      new DataView(world.memory.buffer).getUint32((world.core.testMeasureMotion(a, b, false) >>> 0) + 12, true);
    return { world, a, b, measured, passing };
  };
  const margin = (world: BoxWorld) => f32(world, HEADER_PTR + Header.speculativeMargin);
  const extentA = Math.hypot(0.3, 0.5, 0.2);
  const extentB = Math.hypot(0.7, 0.4, 0.9);
  const [spinA, spinB] = [Math.hypot(0.5, 0.2, 0.9), Math.hypot(3, 1, 0.4)];

  it('is that of the centers and of the farthest points; the margin follows the centers of two free bodies', () => {
    const { world, measured, passing } = setting(2, 2);
    const speed = Math.hypot(5, 3, 1);
    const { travel, margin: has, extent } = measured(false);
    expect(travel).toBeCloseTo((speed + spinA * extentA + spinB * extentB) * dt, 5);
    expect(extent).toBeCloseTo(extentA, 5);
    expect(has).toBeCloseTo(margin(world) + speed * dt, 5);
    expect(measured(true).margin).toBe(0);
    expect(passing()).toBe(0);
  });

  it('and the whole motion, if one of them is fixed, or a bullet', () => {
    const { world, a, measured } = setting(2, 0);
    const travel = (Math.hypot(1, 2, 3) + spinA * extentA) * dt;
    expect(measured(false).travel).toBeCloseTo(travel, 5);
    expect(measured(false).margin).toBeCloseTo(margin(world) + travel, 5);
    expect(a).toBe(0);
    for (const bullet of [0, 1]) {
      const free = setting(2, 2);
      free.world.core.setBullet(bullet, 1);
      const found = free.measured(false);
      expect(found.margin).toBeCloseTo(margin(free.world) + found.travel, 5);
    }
  });

  it('has a margin of no more than the smaller extent, and two free bodies that go farther in a step may pass', () => {
    for (const [speed, passes] of [
      [0.98, 0],
      [1.02, 1],
    ] as const) {
      const { world, a, b, measured, passing } = setting(2, 2);
      world.core.setVelocity(a, 0, 0, 0, 0, 0, 0);
      world.core.setVelocity(b, 0, (extentA / dt) * speed, 0, 0, 0, 0);
      expect(passing()).toBe(passes);
      expect(measured(false).margin).toBeCloseTo(margin(world) + extentA * Math.min(speed, 1), 5);
      const fixed = setting(2, 0);
      fixed.world.core.setVelocity(fixed.a, 0, (extentA / dt) * speed, 0, 0, 0, 0);
      expect(fixed.passing()).toBe(0);
    }
  });

  it('counts against a budget as the motions of both bodies', () => {
    const world = new BoxWorld();
    world.box([0, -1, 0], [3, 1, 3], { type: 0 });
    world.box([0, 0.5, 0], [0.3, 0.5, 0.2]);
    world.step(2);
    const hot = header(world, 'pairHots');
    const words = new Uint32Array(world.memory.buffer, hot, PairHot.STRIDE / 4);
    setF64(world, 'motions', words[0]!, 0.375);
    setF64(world, 'motions', words[1]!, 2.25);
    expect(world.core.testMotionOf(0)).toBe(2.625);
  });
});

describe('a pair that was apart', () => {
  const apart = () => {
    const world = new BoxWorld();
    world.sphere([0, 5, 0], 0.5);
    world.sphere([1.08, 5.1, 0.1], 0.55);
    world.setF32(Header.gravityY, 0);
    world.step(2);
    // A step at which boxes of the pair are not looked at.
    world.setU32(Header.stepCount, 4);
    return world;
  };
  const budget = (world: BoxWorld) =>
    new DataView(world.memory.buffer).getFloat64(header(world, 'pairHots') + PairHot.budget, true);
  const setBudget = (world: BoxWorld, value: number) =>
    new DataView(world.memory.buffer).setFloat64(header(world, 'pairHots') + PairHot.budget, value, true);
  const motion = (world: BoxWorld) => f64(world, 'paths', 0) + f64(world, 'paths', 1);

  it('keeps its reach where both bodies go the same way, and loses it by what they come nearer', () => {
    const world = apart();
    const reach = world.core.testApartBudget(0, motion(world)) - motion(world);
    expect(budget(world)).toBeGreaterThanOrEqual(0);
    expect(reach).toBeGreaterThan(0);
    for (const body of [0, 1]) world.core.setVelocity(body, 3, 1, -2, 0, 0, 0);
    const path = motion(world) + 2 * dt * Math.hypot(3, 1, 2);
    // The motion of both is far beyond the reach, that against each other is 0.
    expect(path - motion(world)).toBeGreaterThan(reach);
    expect(world.core.testApartBudget(0, path)).toBeCloseTo(motion(world) + reach, 6);
    // Beside each other they have gone a part of it since.
    world.core.setVelocity(0, 0, 0, 0, 0, 0, 0);
    world.core.setVelocity(1, 0, 0, 0, 0, 0, 0);
    world.core.setPose(1, 1.08, 5.1 + 0.4 * reach, 0.1, 0, 0, 0, 1);
    setBudget(world, 1e9);
    expect(world.core.testApartBudget(0, motion(world)) - motion(world)).toBeCloseTo(0.6 * reach, 5);
  });

  it('is tested where the bodies may come within reach by the end of the step, by moving or by turning', () => {
    const world = apart();
    const still = motion(world);
    const reach = world.core.testApartBudget(0, still) - still;
    for (const [share, stays] of [
      [0.97, true],
      [1.03, false],
    ] as const) {
      const speed = (share * reach) / dt;
      world.core.setVelocity(1, -0.6 * speed, 0, 0.8 * speed, 0, 0, 0);
      world.core.setVelocity(0, 0, 0, 0, 0, 0, 0);
      expect(world.core.testApartBudget(0, still + speed * dt) >= 0).toBe(stays);
      world.core.setVelocity(1, 0, 0, 0, 0, 0, 0);
      world.core.setVelocity(0, 0, 0.6 * speed, 0.8 * speed, 0, 0, 0);
      expect(world.core.testApartBudget(0, still + speed * dt) >= 0).toBe(stays);
      // What the motion has beyond the speeds of the centers are turns.
      world.core.setVelocity(0, 0, 0, 0, 0, 0, 0);
      expect(world.core.testApartBudget(0, still + share * reach) >= 0).toBe(stays);
    }
    // Turns so far count as well.
    const turn = f64(world, 'turnPaths', 0);
    setF64(world, 'turnPaths', 0, turn + 0.5 * reach);
    expect(world.core.testApartBudget(0, still) - still).toBeCloseTo(0.5 * reach, 6);
    setF64(world, 'turnPaths', 1, f64(world, 'turnPaths', 1) + 0.6 * reach);
    expect(world.core.testApartBudget(0, still)).toBe(-1);
  });

  it('looks at its boxes in every eighth step', () => {
    const world = apart();
    const looks: number[] = [];
    for (let step = 1; step <= 24; step++) {
      world.setU32(Header.stepCount, step);
      if (world.core.testApartBudget(0, motion(world)) < 0) looks.push(step);
    }
    expect(looks).toEqual([8, 16, 24]);
  });
});

describe('contacts are kept', () => {
  /** A box at rest on a floor, in the scratch with its pose changed by a shift and a turn (rotation vector). */
  const kept = (shift: number[], turn: number[]) => {
    const world = new BoxWorld();
    world.box([0.5, -1, 0.3], [3, 1, 2], { type: 0 });
    world.box([0, 0.1995, 0], [0.3, 0.2, 0.5]);
    world.step(20);
    const words = new Uint32Array(world.memory.buffer, header(world, 'pairColds'), PairCold.STRIDE / 4);
    expect([words[0], words[1]]).toEqual([0, 1]);
    const at = world.core.manifoldAt(words[2]!) >>> 0;
    const rel = [0, 4, 8].map((k) => f32(world, at + Manifold.relX + k));
    const relQ = [0, 4, 8, 12].map((k) => f32(world, at + Manifold.relQx + k));
    const limit = Math.min(f32(world, at + Manifold.maxDrift), f32(world, HEADER_PTR + Header.recycleDistance));
    const q = multiply(relQ, rotationOf(turn));
    new Float32Array(world.memory.buffer, header(world, 'rotations') + 16, 4).set(q);
    const scratch = world.core.testContactState() >>> 0;
    const columns = [[0, 0, 0, 1], q].flatMap((turn) => columnsOf(turn).flatMap((c) => [...c, 0]));
    new Float32Array(world.memory.buffer, scratch, 24).set(columns);
    const scale = shift.map((v) => v * limit);
    return { keeps: world.core.testIsRecycled(0, ...rel.map((v, i) => v + scale[i]!)) === 1, limit };
  };
  const extent = Math.hypot(0.3, 0.2, 0.5);

  it('up to a shift of the limit in any direction', () => {
    for (const way of [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0.48, 0.6, -0.64],
    ]) {
      expect(
        kept(
          way.map((v) => 0.97 * v),
          [0, 0, 0],
        ).keeps,
      ).toBe(true);
      expect(
        kept(
          way.map((v) => 1.03 * v),
          [0, 0, 0],
        ).keeps,
      ).toBe(false);
    }
  });

  it('up to a turn that moves the farthest point of the smaller body by the limit, and both add up', () => {
    const { limit } = kept([0, 0, 0], [0, 0, 0]);
    expect(limit).toBeGreaterThan(0);
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, -1],
    ]) {
      const by = (share: number) => axis.map((v) => (v * share * limit) / extent);
      expect(kept([0, 0, 0], by(0.96)).keeps).toBe(true);
      expect(kept([0, 0, 0], by(1.04)).keeps).toBe(false);
      expect(kept([0.5, 0, 0], by(0.46)).keeps).toBe(true);
      expect(kept([0, 0, 0.5], by(0.54)).keeps).toBe(false);
    }
  });
});

describe('crowds', () => {
  it('are of bodies that overlap by more than a twentieth of their extent', () => {
    const { core } = new BoxWorld();
    expect(core.testIsDeep(-0.0501 * 0.7, 0.7)).toBe(1);
    expect(core.testIsDeep(-0.0499 * 0.7, 0.7)).toBe(0);
    expect(core.testIsDeep(0.06, 0.7)).toBe(0);
  });

  it('push each contact at the share of four of its number, and move no faster than four of them', () => {
    for (const n of [3, 5, 7]) {
      const world = new BoxWorld();
      world.setF32(Header.gravityY, 0);
      // One ball in the middle of n others that do not overlap each other, and a pair far off.
      world.sphere([0, 5, 0], 1);
      for (let i = 0; i < n; i++) {
        const angle = (2 * Math.PI * (i + 0.1)) / n;
        world.sphere([1.2 * Math.cos(angle), 5, 1.2 * Math.sin(angle)], 0.3);
      }
      world.sphere([20, 5, 0], 0.5);
      world.sphere([20.5, 5, 0.1], 0.5);
      world.core.stepBroadphase();
      world.core.stepContacts();
      const view = new DataView(world.memory.buffer);
      const cuts = new Map<string, number>();
      for (let m = 0; m < header(world, 'manifoldCount'); m++) {
        const at = world.core.readManifold(m) >>> 0;
        const bodies = [view.getUint32(at, true), view.getUint32(at + 4, true)].sort((a, b) => a - b);
        cuts.set(bodies.join(), view.getFloat32(at + Manifold.pushCut, true));
      }
      expect(cuts.size).toBe(n + 1);
      const crowd = n > 4;
      for (let i = 1; i <= n; i++) expect(cuts.get(`0,${i}`)).toBeCloseTo(crowd ? 1 - 4 / n : 0, 6);
      expect(cuts.get(`${n + 1},${n + 2}`)).toBe(0);
      if (!crowd) continue;
      const push = f32(world, HEADER_PTR + Header.pushSpeed);
      // Faster ones are held, slower ones and those beside the crowd are not.
      world.core.setVelocity(0, 3 * push, -4 * push, 12 * push, 1, 2, 3);
      world.core.setVelocity(1, 0.5 * push, push, -push, 0, 0, 0);
      const slow = world.linearVelocity(1);
      world.core.testHoldOverlap();
      const held = [3, -4, 12].map((v) => (v * 4 * push) / 13);
      for (const [i, v] of world.linearVelocity(0).entries()) expect(v).toBeCloseTo(held[i]!, 4);
      expect(world.angularVelocity(0)).toEqual([1, 2, 3]);
      expect(world.linearVelocity(1)).toEqual(slow);
    }
  });

  it('let a body that was faster before keep its speed', () => {
    const world = new BoxWorld();
    world.setF32(Header.gravityY, 0);
    world.sphere([0, 5, 0], 1);
    for (let i = 0; i < 5; i++) {
      const angle = (2 * Math.PI * (i + 0.1)) / 5;
      world.sphere([1.2 * Math.cos(angle), 5, 1.2 * Math.sin(angle)], 0.3);
    }
    const push = f32(world, HEADER_PTR + Header.pushSpeed);
    world.core.setVelocity(0, 0, 6 * push, 0, 0, 0, 0);
    world.core.stepBroadphase();
    world.core.stepContacts();
    world.core.setVelocity(0, 0, 0, 10 * push, 0, 0, 0);
    world.core.testHoldOverlap();
    expect(world.linearVelocity(0)[2]).toBeCloseTo(6 * push, 4);
  });
});
