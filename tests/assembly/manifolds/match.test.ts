// Old manifolds and points that are found again against brute force in double precision; impulses of boxes that go on in new contacts.
import { describe, expect, it } from 'vitest';
import { HEADER_PTR, Header, Manifold, NONE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';

// Offsets of OldManifold, in words: rows of four.
const [NORMAL, TANGENT, FRICTION, ROLLING, X, IMPULSE, EXCESS, GONE, TAKEN] = [0, 4, 8, 12, 16, 28, 32, 36, 40];

const floatsAt = (world: BoxWorld, at: number, n: number) => Array.from(new Float32Array(world.memory.buffer, at, n));

/** Random old manifolds: normals around an axis, points in a small block. */
function olds(count: number, random: () => number) {
  const world = new BoxWorld();
  const list = Array.from({ length: count }, (_, k) => {
    const n = [0.3 + 0.5 * (random() - 0.5), 0.9, -0.2 + 0.5 * (random() - 0.5)];
    const length = Math.hypot(...n);
    const old = {
      normal: n.map((v) => Math.fround(v / length)),
      points: Array.from({ length: 4 }, () => [random() - 0.2, 2 * random() + 1, 3 * random() - 2].map(Math.fround)),
      impulses: Array.from({ length: 4 }, () => Math.fround(1 + random())),
      excesses: Array.from({ length: 4 }, () => Math.fround(-1 - random())),
      gone: Array.from({ length: 4 }, (_, i) => i > (k + 1) % 4),
      taken: false,
    };
    const at = world.core.testOldManifold(k) >>> 0;
    const f = new Float32Array(world.memory.buffer, at, 44);
    const u = new Uint32Array(world.memory.buffer, at, 44);
    f.fill(0);
    f.set(old.normal, NORMAL);
    for (let i = 0; i < 4; i++) {
      for (let axis = 0; axis < 3; axis++) f[X + 4 * axis + i] = old.points[i]![axis]!;
      f[IMPULSE + i] = old.impulses[i]!;
      f[EXCESS + i] = old.excesses[i]!;
      u[GONE + i] = old.gone[i] ? NONE : 0;
    }
    return old;
  });
  return { world, list };
}

describe('old manifolds', () => {
  it('are alike where their normals are nearer than the cosine 0.9', () => {
    const random = seeded(31);
    for (let round = 0; round < 20; round++) {
      const { world, list } = olds(5, random);
      const n = list[0]!.normal.map((v, i) => v + [0.35, 0, -0.2][i]! * (random() - 0.2));
      const unit = n.map((v) => v / Math.hypot(...n));
      let bits = 0;
      const dots = list.map((old) => old.normal.reduce((sum, v, i) => sum + v * unit[i]!, 0));
      for (const [k, dot] of dots.entries()) if (dot > 0.9) bits |= 1 << k;
      if (dots.some((dot) => Math.abs(dot - 0.9) < 1e-5)) continue;
      expect(world.core.testAlike(5, ...unit)).toBe(bits);
      // Fewer were saved than lie there.
      expect(world.core.testAlike(2, ...unit)).toBe(bits & 3);
      // They are taken nearest first, each once.
      const order = [...dots.keys()].filter((k) => dots[k]! > 0.9).sort((a, b) => dots[b]! - dots[a]!);
      for (const k of order) expect(world.core.testTakeManifold(bits, ...unit) >>> 0).toBe(k);
      expect(world.core.testTakeManifold(bits, ...unit) >>> 0).toBe(NONE);
    }
  });

  it('give the point nearest to a place, each once, within the reach', () => {
    const random = seeded(77);
    for (let round = 0; round < 30; round++) {
      const { world, list } = olds(4, random);
      const bits = [0b1111, 0b1010, 0b0101, 0b1001][round % 4]!;
      for (let take = 0; take < 12; take++) {
        const p = [random() - 0.2, 2 * random() + 1, 3 * random() - 2];
        const reach2 = 0.2 + random();
        let [best, found] = [reach2, NONE];
        for (const [k, old] of list.entries()) {
          if ((bits & (1 << k)) === 0) continue;
          for (let i = 0; i < 4; i++) {
            const e2 = old.points[i]!.reduce((sum, v, axis) => sum + (v - p[axis]!) ** 2, 0);
            if (old.gone[i] || e2 >= best) continue;
            [best, found] = [e2, (k << 2) | i];
          }
        }
        expect(world.core.testTakePoint(bits, ...p, reach2) >>> 0).toBe(found);
        if (found === NONE) continue;
        const old = list[found >> 2]!;
        old.gone[found & 3] = true;
        expect(world.core.testOldImpulse(found)).toBe(old.impulses[found & 3]);
        expect(world.core.testOldExcess(found)).toBe(old.excesses[found & 3]);
      }
    }
  });
});

/** The record of the one manifold of a pair, with the state that its lane has. */
function record(world: BoxWorld, pair = 0) {
  let index = -1;
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const view = new DataView(world.memory.buffer);
    if (view.getUint32(at + Manifold.count, true) > 0 && view.getUint32(at + Manifold.pair, true) === pair) index = m;
  }
  const at = world.core.readManifold(index) >>> 0;
  const view = new DataView(world.memory.buffer);
  const count = view.getUint32(at + Manifold.count, true);
  return { at, count, impulses: Array.from({ length: count }, (_, i) => view.getFloat32(at + Manifold.impulse0 + 64 * i, true)) };
}
const settle = (world: BoxWorld) => {
  const view = new DataView(world.memory.buffer);
  view.setFloat32(HEADER_PTR + Header.gravityX, 1.3, true);
  view.setFloat32(HEADER_PTR + Header.gravityZ, -0.7, true);
  world.step(30);
};

describe('what a manifold passes on', () => {
  it.each([
    ['a box on a fixed box', (world: BoxWorld) => world.box([0.3, 0.199, -0.2], [0.3, 0.2, 0.45]), 208],
    ['a sphere on a fixed box', (world: BoxWorld) => world.sphere([0.3, 0.249, -0.2], 0.25), 192],
  ])('is its frame, friction, impulses and the anchors of what moves: %s', (_, add, anchors) => {
    const world = new BoxWorld();
    world.box([1, -1, 2], [5, 1, 6], { type: 0 });
    add(world);
    settle(world);
    const m = record(world);
    expect(m.count).toBeGreaterThan(0);
    expect(world.core.testSaveOld(0)).toBe(1);
    const at = world.core.testOldManifold(0) >>> 0;
    const old = floatsAt(world, at, 40);
    const from = floatsAt(world, m.at, Manifold.STRIDE / 4);
    const field = (name: keyof typeof Manifold) => from[Manifold[name] / 4]!;
    expect(old.slice(NORMAL, NORMAL + 3)).toEqual([field('lnx'), field('lny'), field('lnz')]);
    expect(old.slice(TANGENT, TANGENT + 3)).toEqual([field('ltx'), field('lty'), field('ltz')]);
    const friction = [field('tangentImpulse1'), field('tangentImpulse2'), field('twistImpulse')];
    expect(old.slice(FRICTION, FRICTION + 3)).toEqual(friction);
    expect(Math.hypot(...friction)).toBeGreaterThan(0);
    expect(old.slice(ROLLING, ROLLING + 2)).toEqual([field('rollImpulse1'), field('rollImpulse2')]);
    const words = new Uint32Array(world.memory.buffer, at, 44);
    expect(words[TAKEN]).toBe(0);
    for (let i = 0; i < 4; i++) {
      expect(words[GONE + i]).toBe(i < m.count ? 0 : NONE);
      if (i >= m.count) continue;
      expect(old[IMPULSE + i]).toBe(m.impulses[i]);
      expect(old[EXCESS + i]).toBe(from[Manifold.excess0 / 4 + i]);
      for (let axis = 0; axis < 3; axis++) expect(old[X + 4 * axis + i]).toBe(from[(anchors + 64 * i) / 4 + axis]);
    }
  });

  it('are the impulses of the same corners when a box has slid and turned, and none when it has turned over', () => {
    for (const [rotation, keeps] of [
      [[0, Math.sin(0.7), 0, Math.cos(0.7)], true],
      [[1, 0, 0, 0], false],
    ] as const) {
      const world = new BoxWorld();
      world.box([1, -1, 2], [5, 1, 6], { type: 0 });
      const box = world.box([0.3, 0.2, -0.2], [0.3, 0.2, 0.45]);
      settle(world);
      const before = record(world);
      expect(before.count).toBe(4);
      const corners = (m: { at: number; impulses: number[] }) =>
        m.impulses
          .map((impulse, i) => ({
            impulse,
            at: floatsAt(world, m.at + Manifold.lbx0 + 64 * i, 3)
              .map(Math.sign)
              .join(),
          }))
          .sort((a, b) => (a.at < b.at ? -1 : 1));
      const was = corners(before);
      world.core.setPose(box, 0.9, 0.1995, 0.4, ...rotation);
      world.core.stepBroadphase();
      world.core.stepContacts();
      const after = record(world);
      expect(after.count).toBe(4);
      if (keeps) expect(corners(after)).toEqual(was);
      else expect(after.impulses).toEqual([0, 0, 0, 0]);
      expect(before.impulses.every((impulse) => impulse > 0)).toBe(true);
    }
  });
});
