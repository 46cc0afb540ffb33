// What neighbors leave of contacts, with outputs written by hand; seams of tiles that lie on any of their sides, of unlike materials, and
// under bodies that have sunk in.
import { describe, expect, it } from 'vitest';
import { HEADER_PTR, Header, Manifold, NONE, PairCold, PairGap, PairHot, SHAPE_CYLINDER } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { add, dot, multiply, norm, rotationOf, sub, turned, unit } from '../../helpers/vectors';

type V = number[];
type Q = [number, number, number, number];

const walk = (world: BoxWorld) => {
  expect(world.core.stepBroadphase()).toBe(0);
  expect(world.core.stepContacts()).toBe(0);
};
/** Everything is tested anew. */
const walkAnew = (world: BoxWorld, collider: number) => {
  world.core.testForbidRecycling(collider);
  const view = new DataView(world.memory.buffer);
  for (let pair = 0; pair < world.u32(Header.pairCount); pair++)
    view.setFloat64(world.u32(Header.pairHots) + pair * PairHot.STRIDE + PairHot.budget, -1, true);
  walk(world);
};
const pairOf = (world: BoxWorld, a: number, b: number) => {
  const pair = world.core.testFindPair(a, b) >>> 0;
  expect(pair).not.toBe(NONE);
  return pair;
};
/** Points of the contacts of a body with fixed ones: the other body, normal towards the body, separation, arm from its center. */
function contactsOf(world: BoxWorld, body: number) {
  const found: { other: number; n: V; separation: number; arm: V }[] = [];
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const words = new Uint32Array(world.memory.buffer, at, 12);
    const f = (offset: number, n = 3) => Array.from(new Float32Array(world.memory.buffer, at + offset, n));
    const isA = words[0] === body;
    for (let i = 0; i < words[Manifold.count / 4]!; i++)
      found.push({
        other: words[isA ? 1 : 0]!,
        n: f(Manifold.nx).map((v) => (isA ? -v : v)),
        separation: f(Manifold.separation0 + 64 * i, 1)[0]!,
        arm: f((isA ? Manifold.rax0 : Manifold.rbx0) + 64 * i),
      });
  }
  return found;
}

describe('outputs of a pair beside a neighbor that the body lies on', () => {
  /**
   * The collider T (0) a little below the top of its neighbor K at y = 0, and a box on K that reaches over to T. The box stands on one of
   * its sides. The outputs: points of T in world axes, and a normal.
   */
  const setup = (round: boolean) => {
    const world = new BoxWorld();
    const tilt = rotationOf([0, 0.3, 0]) as Q;
    world.box([1.6, -0.51, 0.1], [1.1, 0.5, 2], { type: 0, rotation: tilt });
    const turn = multiply(rotationOf([0, 0.7, 0]), rotationOf([Math.PI / 2, 0, 0])) as Q;
    if (round) {
      const { core } = world;
      const shape = core.createShape(SHAPE_CYLINDER, 2, 0.5, 0, Math.hypot(2, 0.5), 0, 0, -2, -0.5, -2, 2, 0.5, 2) >>> 0;
      const k = core.createBody(0, -1.5, -0.5, 0, 0, 0, 0, 1) >>> 0;
      core.createCollider(k, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, -1, -1, 0, 1000);
    } else world.box([-0.75, -0.5, 0], [1.25, 0.5, 3], { type: 0 });
    world.box([0.2, 0.299, 0], [0.5, 0.4, 0.3], { rotation: turn });
    walk(world);
    const drop = (n: V, points: V[]) => {
      const out = world.core.testOutputs() >>> 0;
      const words = new Uint32Array(world.memory.buffer, out, 24);
      const f = new Float32Array(world.memory.buffer, out, 24);
      const back = (v: V) => turned([-tilt[0], -tilt[1], -tilt[2], tilt[3]], v);
      words[0] = points.length;
      words[3] = 0;
      f.set(back(n), 4);
      for (const [i, p] of points.entries()) f.set([...back(sub(p, [1.6, -0.51, 0.1])), -0.002], 8 + 4 * i);
      const left = world.core.testDropEdges(pairOf(world, 0, 2), 1, 0.02, 0.0123) as number;
      return { left, n: turned(tilt, Array.from(f.subarray(4, 7))), gap: f[1]! };
    };
    return { world, drop };
  };
  /** A normal with this cosine to up, whose plane K rises above. */
  const leaning = (cosine: number) => {
    const sine = Math.sqrt(1 - cosine * cosine);
    return [-sine * Math.cos(0.3), cosine, sine * Math.sin(0.3)];
  };
  const on = [0.42, -0.008, 0.1];
  const off = [0.66, -0.01, 0.2];

  it.each([false, true])('go where all of their points lie on it, whatever the angle; round neighbor: %s', (round) => {
    for (const cosine of [0.99, 0.9, 0.72, 0.6, 0.2]) {
      const { left, gap } = setup(round).drop(leaning(cosine), [on]);
      expect([cosine, left]).toEqual([cosine, 0]);
      expect(gap).toBeCloseTo(0.0123, 7);
    }
  });

  it.each([false, true])(
    'stay where a point lies beyond it, unless the normal is farther off than the cosine 0.7; round: %s',
    (round) => {
      for (const [cosine, left] of [
        [0.99, 1],
        [0.76, 1],
        [0.72, 1],
        [0.68, 0],
        [0.5, 0],
      ] as const) {
        const { drop } = setup(round);
        const n = leaning(cosine);
        const found = drop(n, [off, on]);
        expect([cosine, found.left]).toEqual([cosine, left]);
        if (left) expect(norm(sub(found.n, n))).toBeLessThan(1e-5);
      }
    },
  );

  it.each([false, true])('stay where none of their points lies on it; round: %s', (round) => {
    expect(setup(round).drop(leaning(0.8), [off, [0.7, -0.01, 0]]).left).toBe(1);
    expect(setup(round).drop(leaning(0.5), [off]).left).toBe(1);
  });

  it.each([false, true])('get its normal where theirs is that but for a milliradian; round: %s', (round) => {
    const found = setup(round).drop(leaning(Math.cos(0.001)), [off, on]);
    expect(found.left).toBe(1);
    expect(norm(sub(found.n, [0, 1, 0]))).toBeLessThan(2e-5);
  });

  it('stay where they are above it', () => {
    // It does not rise above a plane whose normal leans the other way.
    const away = leaning(0.9).map((v, k) => (k === 1 ? v : -v));
    expect(setup(false).drop(away, [on]).left).toBe(1);
  });
});

describe('a floor of tiles', () => {
  /** Rotations that lay the axes x, -x, z, -y of a tile upwards. */
  const sides: [string, V][] = [
    ['x', [0, 0, Math.PI / 2]],
    ['-x', [0, 0, -Math.PI / 2]],
    ['z', [-Math.PI / 2, 0, 0]],
    ['-y', [Math.PI, 0, 0]],
  ];
  it.each(sides)('that lie with %s upwards bears bodies as one plane', (_, side) => {
    const random = seeded(17);
    for (let round = 0; round < 14; round++) {
      const frame = unit([random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]) as Q;
      const lay = rotationOf(side);
      const up = turned(frame, [0, 1, 0]);
      const world = new BoxWorld();
      const yaw = rotationOf([0, 6 * random(), 0]);
      const isBall = round % 4 === 3;
      const at = [0.9 * random() - 0.4, 0.249, 1.1 * random() - 0.5];
      if (isBall) world.sphere(turned(frame, at), 0.25);
      else world.box(turned(frame, at), [0.3, 0.25, 0.45], { rotation: multiply(frame, yaw) as Q });
      const xs = [-2, -0.3, 0.2, 2];
      const zs = [-2, -0.15, 0.35, 2];
      for (let i = 0; i < 3; i++) {
        for (let k = 0; k < 3; k++) {
          const half = [(xs[i + 1]! - xs[i]!) / 2, 0.3 + 0.1 * k, (zs[k + 1]! - zs[k]!) / 2];
          const own = sides.findIndex(([name]) => name === _);
          // In the axes of the tile.
          const local = [[half[1]!, half[0]!, half[2]!], [half[1]!, half[0]!, half[2]!], [half[0]!, half[2]!, half[1]!], half][
            own
          ]!;
          const place = [(xs[i]! + xs[i + 1]!) / 2, -half[1]!, (zs[k]! + zs[k + 1]!) / 2];
          world.box(turned(frame, place), local, { type: 0, rotation: multiply(frame, lay) as Q });
        }
      }
      walk(world);
      const found = contactsOf(world, 0);
      const corners = isBall
        ? [[0, -0.25, 0]]
        : [-1, 1].flatMap((x) => [-1, 1].map((z) => turned(yaw, [0.3 * x, -0.25, 0.45 * z])));
      expect(found.length).toBe(corners.length);
      for (const p of found) {
        expect(dot(p.n, up)).toBeGreaterThan(0.99999);
        expect(p.separation).toBeCloseTo(-0.001, 4);
      }
      for (const corner of corners) {
        const gap = Math.min(...found.map((p) => norm(sub(p.arm, turned(frame, corner)))));
        expect(gap).toBeLessThan(2e-3);
      }
    }
  });

  it('of unlike materials bears a ball on a seam, however the floor is turned', () => {
    const random = seeded(8);
    for (let round = 0; round < 90; round++) {
      const frame = unit([random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]) as Q;
      const world = new BoxWorld();
      const far = [20 * random(), 30 * random(), 10 * random()];
      world.sphere(add(far, turned(frame, [0, 0.249, 0.3 * random()])), 0.25);
      const [left, right] = [1 + random(), 1 + random()];
      world.box(add(far, turned(frame, [-left, -0.5, 0])), [left, 0.5, 2], { type: 0, rotation: frame, friction: 0.3 });
      world.box(add(far, turned(frame, [right, -0.7, 0])), [right, 0.7, 2], { type: 0, rotation: frame, friction: 0.8 });
      walk(world);
      const found = contactsOf(world, 0);
      expect([round, found.length > 0]).toEqual([round, true]);
      for (const p of found) expect(dot(p.n, turned(frame, [0, 1, 0]))).toBeGreaterThan(0.9999);
    }
  });

  it('has its tiles bear the corners that lie on them, of a box that has sunk in as well', () => {
    for (const sink of [0.001, 0.004, 0.012, 0.02]) {
      const world = new BoxWorld();
      world.setF32(Header.gravityY, 0);
      world.box([-1.05, -0.5, 0.1], [1.05, 0.5, 2], { type: 0 });
      world.box([1.2, -0.6, -0.1], [1.2, 0.6, 2], { type: 0 });
      // Its side is 7 mm beyond the seam at x = 0.
      const body = world.box([-0.293, 0.3 - sink, 0.05], [0.3, 0.3, 0.4]);
      for (let k = 0; k < 3; k++) {
        if (k === 0) walk(world);
        else walkAnew(world, body);
        const found = contactsOf(world, body);
        expect([sink, k, found.length]).toEqual([sink, k, 4]);
        for (const p of found) {
          expect(p.n[1]).toBeGreaterThan(0.9999);
          expect(p.separation).toBeCloseTo(-sink, 5);
          if (k === 2) expect([sink, p.other]).toEqual([sink, p.arm[0]! > 0 ? 1 : 0]);
        }
        for (const x of [-0.3, 0.3])
          for (const z of [-0.4, 0.4])
            expect(Math.min(...found.map((p) => Math.hypot(p.arm[0]! - x, p.arm[2]! - z)))).toBeLessThan(2e-3);
      }
    }
  });

  it('looks again at pairs whose contacts neighbors took, after the same way as at contacts', () => {
    const random = seeded(23);
    let taken = 0;
    for (let round = 0; round < 20; round++) {
      const world = new BoxWorld();
      const ball = world.sphere([0.004 * random(), 0.249, 0.4 * random()], 0.25);
      world.box([-1, -0.5, 0], [1, 0.5, 2], { type: 0 });
      world.box([1.2, -0.6, 0], [1.2, 0.6, 2], { type: 0 });
      walk(world);
      const view = new DataView(world.memory.buffer);
      for (const tile of [1, 2]) {
        const pair = pairOf(world, ball, tile);
        if (view.getUint32(world.u32(Header.pairColds) + pair * PairCold.STRIDE + PairCold.manifold, true) !== NONE) continue;
        taken++;
        const gap = view.getUint32(world.u32(Header.pairGapBlocks), true) + pair * PairGap.STRIDE;
        expect(view.getFloat32(gap + PairGap.reach, true)).toBeCloseTo(5e-4, 8);
      }
    }
    expect(taken).toBeGreaterThan(10);
  });
});

it('a contact that gave a point to another tile is tested again, not recycled', () => {
  const world = new BoxWorld();
  world.box([-1.95, -1, 0.4], [2, 1, 3], { type: 0 });
  world.box([1.55, -0.5, -0.2], [1.5, 0.5, 2.5], { type: 0 });
  world.box([0.1, 0.1995, 0.1], [0.4, 0.2, 0.3]);
  new DataView(world.memory.buffer).setFloat32(HEADER_PTR + Header.gravityX, 0.4, true);
  world.step(30);
  const view = new DataView(world.memory.buffer);
  const budgets = () => {
    for (let pair = 0; pair < world.u32(Header.pairCount); pair++)
      view.setFloat64(world.u32(Header.pairHots) + pair * PairHot.STRIDE + PairHot.budget, -1, true);
  };
  budgets();
  walk(world);
  expect(world.u32(Header.fullTests)).toBe(0);
  const [p] = contactsOf(world, 2).filter((one) => one.other === 1);
  expect(world.core.testTransfer(2, 0, ...p!.arm, 0, 1, 0)).toBeGreaterThan(0);
  budgets();
  walk(world);
  expect(world.u32(Header.fullTests)).toBe(1);
});
