// Contacts on a floor of tiles, upright and tilted, against those of the one plane that they make; steps between tiles stay steps.
import { describe, expect, it } from 'vitest';
import { Header, Manifold, SHAPE_BOX, SHAPE_CAPSULE, SHAPE_SPHERE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { dot, multiply, turned, unit } from '../../helpers/vectors';

type V = number[];
type Q = [number, number, number, number];

/** Tiles of unlike widths and depths whose tops are at the heights given, in a frame turned by q. */
function floor(q: Q, heights: (i: number, j: number) => number, bodyFirst: (world: BoxWorld) => void) {
  const world = new BoxWorld();
  bodyFirst(world);
  const xs = [-3, -1.1, -0.2, 0.35, 1.4, 3];
  const zs = [-3, -0.9, 0.15, 0.7, 3];
  for (let i = 0; i + 1 < xs.length; i++) {
    for (let j = 0; j + 1 < zs.length; j++) {
      const depth = 0.3 + 0.1 * ((i + 2 * j) % 4);
      const at = [(xs[i]! + xs[i + 1]!) / 2, heights(i, j) - depth, (zs[j]! + zs[j + 1]!) / 2];
      world.box(turned(q, at), [(xs[i + 1]! - xs[i]!) / 2, depth, (zs[j + 1]! - zs[j]!) / 2], { type: 0, rotation: q });
    }
  }
  return world;
}

/** Points of all contacts of body 0: normal towards the body, separation, arm from the center of the body. */
function contacts(world: BoxWorld) {
  world.core.stepBroadphase();
  world.core.stepContacts();
  const found: { n: V; separation: number; arm: V }[] = [];
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const words = new Uint32Array(world.memory.buffer, at, 12);
    const f = (offset: number, n = 3) => Array.from(new Float32Array(world.memory.buffer, at + offset, n));
    const isA = words[0] === 0;
    for (let i = 0; i < words[Manifold.count / 4]!; i++) {
      const n = f(Manifold.nx).map((v) => (isA ? -v : v));
      found.push({
        n,
        separation: f(Manifold.separation0 + 64 * i, 1)[0]!,
        arm: f((isA ? Manifold.rax0 : Manifold.rbx0) + 64 * i),
      });
    }
  }
  return found;
}

/** A body of a type at a place. */
function add(world: BoxWorld, type: number, at: V, q: Q): void {
  if (type === SHAPE_SPHERE) world.sphere(at, 0.25, { rotation: q });
  else if (type === SHAPE_BOX) world.box(at, [0.3, 0.25, 0.45], { rotation: q });
  else {
    const shape = world.core.createShape(SHAPE_CAPSULE, 0.25, 0.4, 0, 0.65, 0, 0, -0.25, -0.65, -0.25, 0.25, 0.65, 0.25) >>> 0;
    const body = world.core.createBody(2, ...at, ...q) >>> 0;
    world.core.setMassProperties(body, 3, 0, 0, 0, 0.2, 0.1, 0.2, 0, 0, 0);
    world.core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, -1, -1, 0, 1000);
  }
}

const level: Q = [0, 0, 0, 1];
const tilted = unit([0.3, -0.5, 0.25, 0.8]) as Q;
/** A quarter turn that lays a capsule on its side. */
const lying: Q = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

describe.each([
  ['level', level],
  ['tilted', tilted],
] as const)('a floor of tiles, %s', (_, frame) => {
  const up = turned(frame, [0, 1, 0]);

  it.each([
    ['a ball', SHAPE_SPHERE, 1],
    ['a box', SHAPE_BOX, 4],
    ['a capsule that lies', SHAPE_CAPSULE, 2],
  ] as const)('bears %s as one plane, wherever it is', (_, type, corners) => {
    const random = seeded(type + 40);
    for (let round = 0; round < 18; round++) {
      const height = 0.25 + [-0.0015, 0.003, -0.004][round % 3]!;
      const yaw = random() * 6;
      const turn: Q = [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
      const local = type === SHAPE_CAPSULE ? multiply(turn, lying) : turn;
      const at = [1.6 * random() - 0.9, height, 1.6 * random() - 0.8];
      const world = floor(
        frame,
        () => 0,
        (w) => add(w, type, turned(frame, at), multiply(frame, local) as Q),
      );
      const found = contacts(world);
      expect(found.length).toBeGreaterThanOrEqual(corners);
      for (const p of found) {
        expect([round, dot(p.n, up) > 0.99999]).toEqual([round, true]);
        expect(Math.abs(p.separation - (height - 0.25))).toBeLessThan(2e-5);
      }
      // Every lowest point of the body is one of them.
      const lowest =
        type === SHAPE_SPHERE
          ? [[0, -0.25, 0]]
          : type === SHAPE_BOX
            ? [-1, 1].flatMap((x) => [-1, 1].map((z) => [0.3 * x, -0.25, 0.45 * z]))
            : [-1, 1].map((y) => [0, 0.4 * y, 0]);
      for (const p of lowest) {
        let place = turned(multiply(frame, local), p);
        if (type === SHAPE_CAPSULE) place = place.map((v, k) => v - 0.25 * up[k]!);
        const gap = Math.min(...found.map((c) => Math.hypot(...c.arm.map((v, k) => v - place[k]!))));
        expect([round, gap < 2e-3]).toEqual([round, true]);
      }
    }
  });

  it.each([0.3, 0.2])('stops a ball at tiles that stand out by %f m: at their side, or at the edge on top of it', (step) => {
    const at = [0.35 - 0.249, 0.249, 0.4];
    const world = floor(
      frame,
      (i) => (i > 2 ? step : 0),
      (w) => add(w, SHAPE_SPHERE, turned(frame, at), frame),
    );
    const found = contacts(world);
    const above = Math.max(0.249 - step, 0);
    const n = turned(frame, unit([-0.249, above, 0]));
    const side = found.filter((p) => dot(p.n, n) > 0.9999);
    const below = found.filter((p) => dot(p.n, up) > 0.9999);
    expect(below.length).toBeGreaterThan(0);
    expect(side.length).toBeGreaterThan(0);
    expect(side.length + below.length).toBe(found.length);
    for (const p of side) expect(p.separation).toBeCloseTo(Math.hypot(0.249, above) - 0.25, 4);
    for (const p of below) expect(p.separation).toBeCloseTo(-0.001, 4);
  });
});

it('at the end of a floor, a ball meets the edge', () => {
  const at = [3.15, 0.198, 0.3];
  const world = floor(
    level,
    () => 0,
    (w) => add(w, SHAPE_SPHERE, at, level),
  );
  const found = contacts(world);
  expect(found.length).toBeGreaterThan(0);
  const n = unit([0.15, 0.198, 0]);
  for (const p of found) for (let k = 0; k < 3; k++) expect(p.n[k]!).toBeCloseTo(n[k]!, 3);
  expect(Math.min(...found.map((p) => p.separation))).toBeCloseTo(Math.hypot(0.15, 0.198) - 0.25, 4);
});
