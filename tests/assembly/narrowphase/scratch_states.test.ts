// The scratch of the narrow phase: one state for each thread in a block of its own, and results that do not depend on what was tested
// before.
import { describe, expect, it } from 'vitest';
import { HEADER_PTR, Header, ManifoldOut, NarrowState, SHAPE_HEIGHTFIELD, SHAPE_MESH } from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { convexHull } from '../../../src/shapes/hull';
import { cookMesh } from '../../../src/shapes/mesh';
import { loadCore } from '../../helpers/core';
import { coreConstant } from '../../helpers/core_layout';
import { gridMesh } from '../../helpers/surfaces';
import {
  box,
  capsule,
  cone,
  cylinder,
  Driver,
  extentOf,
  hullOf,
  mul,
  type Pose,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  type Solid,
  sphere,
} from './round_oracle';

const STRIDE = coreConstant('NARROW_STATE_STRIDE');

describe('the states of the threads', () => {
  const { core, memory } = loadCore();
  const word = (at: number): number => new DataView(memory.buffer).getUint32(at, true);
  const stateWord = (): number => word(HEADER_PTR + Header.narrowState);

  it('start in a block of their own, which a second start keeps', () => {
    expect(core.initNarrowPhase()).toBe(1);
    const at = stateWord();
    // Behind the header, where the allocator gives blocks.
    expect(at).toBeGreaterThanOrEqual(HEADER_PTR + coreConstant('HEADER_STRIDE'));
    expect(core.testNarrowState() >>> 0).toBe(at);
    const kept = [NarrowState.roundScratch, NarrowState.hullScratch, NarrowState.meshScratch].map((field) => word(at + field));
    for (const one of kept) expect(one).toBeGreaterThan(at);
    expect(new Set(kept).size).toBe(3);
    expect(core.initNarrowPhase()).toBe(1);
    core.initNarrowState();
    expect(stateWord()).toBe(at);
    expect([NarrowState.roundScratch, NarrowState.hullScratch, NarrowState.meshScratch].map((field) => word(at + field))).toEqual(
      kept,
    );
    expect(core.polygonBufferA() - coreConstant('POLYGON_A')).toBe(kept[1]);
  });

  it('move with all that they hold when more threads come, and the old block is free again', () => {
    const words = (count: number) => Array.from({ length: (count * STRIDE) / 4 }, (_, i) => word(stateWord() + 4 * i));
    const fill = (from: number, to: number) => {
      const view = new Uint32Array(memory.buffer, stateWord(), (to * STRIDE) / 4);
      for (let i = (from * STRIDE) / 4; i < view.length; i++) view[i] = 7919 * i + 3;
    };
    const one = words(1);
    expect(core.reserveNarrowStates(3, 1)).toBe(1);
    expect(words(1)).toEqual(one);
    fill(1, 3);
    const three = words(3);
    const old = stateWord();
    expect(core.reserveNarrowStates(5, 3)).toBe(1);
    expect(stateWord()).not.toBe(old);
    expect(words(3)).toEqual(three);
    for (const thread of [4, 1, 3, 0]) {
      core.joinTeam(thread);
      expect(core.testNarrowState() >>> 0).toBe(stateWord() + thread * STRIDE);
    }
    // The block of three states is given out again.
    expect(core.allocate(3 * STRIDE) >>> 0).toBe(old);
  });
});

/** Pairs of all types in random poses near touching, and shapes on surfaces. */
function cases(driver: Driver) {
  const rnd = random(77);
  const size = () => Math.fround(0.2 + rnd());
  const cloud = (): Solid =>
    hullOf(convexHull(Array.from({ length: 14 }, () => mul(randomDirection(rnd), size())).flatMap((p) => p.map(Math.fround))));
  const makers = [
    () => sphere(size()),
    () => capsule(size(), size()),
    () => box(size(), size(), size()),
    cloud,
    () => cylinder(size(), size()),
    () => cone(size(), size()),
  ];
  const list: { set: () => void; pose: Pose }[] = [];
  const grid = gridMesh(4, 2, (x, z) => 0.3 * Math.sin(2 * x) + 0.2 * z * z);
  const mesh = cookMesh(grid.positions, grid.indices);
  const heights = Array.from({ length: 35 }, () => 0.4 * rnd());
  const field = cookHeightfield(heights, { nx: 7, nz: 5, spacing: 0.6 });
  for (let i = 0; i < makers.length; i++) {
    for (let j = i; j < makers.length; j++) {
      for (let k = 0; k < 4; k++) {
        const [a, b] = [makers[i]!(), makers[j]!()];
        const far = (extentOf(a) + extentOf(b)) * (0.35 + 0.6 * rnd());
        const set = () => {
          driver.setShape(0, a);
          driver.setShape(1, b);
        };
        list.push({ set, pose: poseOf(...randomRotation(rnd), mul(randomDirection(rnd), far)) });
      }
    }
    for (let k = 0; k < 8; k++) {
      const a = makers[i]!();
      const set = () => {
        driver.setShape(0, a);
        if (k % 2 === 0) driver.setSurface(SHAPE_MESH, mesh);
        else driver.setSurface(SHAPE_HEIGHTFIELD, field);
      };
      // Upside down, so that the surface is turned in the frame of A, at heights of some extents.
      const [x, y, z, w] = randomRotation(rnd);
      const pose = poseOf(x, y, z, w, [0, 0, 0]);
      const center =
        k % 2 === 0 ? [2 * rnd() - 1, 0.6 * extentOf(a) * rnd(), 2 * rnd() - 1] : [3.6 * rnd(), extentOf(a) * rnd(), 2 * rnd()];
      const t = [0, 1, 2].map((r) => -(pose.c[0][r]! * center[0]! + pose.c[1][r]! * center[1]! + pose.c[2][r]! * center[2]!));
      list.push({ set, pose: { c: pose.c, t: t as unknown as Pose['t'] } });
    }
  }
  return list;
}

describe('results', () => {
  const MARGIN = 0.05;
  /** All that a test writes: number, gap, and the manifolds as far as their points go. */
  const written = (driver: Driver, name: string): number[] => {
    const { core, memory, shapeA, shapeB, rel, out, cache } = driver;
    const count = core[name](shapeA, shapeB, rel, out, cache, MARGIN) >>> 0;
    const u = new Uint32Array(memory.buffer, out, (Math.max(count, 1) * ManifoldOut.STRIDE) / 4);
    const words = [count, u[ManifoldOut.gap / 4]!];
    for (let m = 0; m < count; m++) {
      const at = (m * ManifoldOut.STRIDE) / 4;
      const points = u[at + ManifoldOut.count / 4]!;
      words.push(points, ...u.subarray(at + ManifoldOut.nx / 4, at + ManifoldOut.nx / 4 + 3));
      words.push(...u.subarray(at + ManifoldOut.x0 / 4, at + ManifoldOut.x0 / 4 + 4 * points));
    }
    return words;
  };

  it('are the same bits whatever was tested before', () => {
    const driver = new Driver();
    const list = cases(driver);
    const run = ({ set, pose }: (typeof list)[number]) => {
      set();
      driver.setPose(pose);
      driver.setCache(0);
      return written(driver, 'collide');
    };
    const forward = list.map(run);
    // Some touch, some do not.
    const touching = forward.filter(([count]) => count! > 0).length;
    expect(touching).toBeGreaterThan(40);
    expect(touching).toBeLessThan(list.length - 20);
    const backward = [...list].reverse().map(run).reverse();
    expect(backward).toEqual(forward);
    const mixed = list.map((_, i) => (i * 67) % list.length);
    for (const i of mixed) expect(run(list[i]!), `${i}`).toEqual(forward[i]);
  });

  it('of two convex shapes are those of the test of their types', () => {
    const driver = new Driver();
    const names = ['Sphere', 'Capsule', 'Box', 'Hull', 'Convex', 'Convex'];
    const testOf = (i: number, j: number): string => (j >= 4 ? 'collideConvexConvex' : `collide${names[i]}${names[j]}`);
    const list = cases(driver);
    let at = 0;
    for (let i = 0; i < 6; i++) {
      for (let j = i; j < 6; j++) {
        for (let k = 0; k < 4; k++) {
          const { set, pose } = list[at++]!;
          set();
          driver.setPose(pose);
          driver.setCache(0);
          const picked = written(driver, 'collide');
          driver.setCache(0);
          expect(written(driver, testOf(i, j)), `${i} ${j}`).toEqual(picked);
        }
      }
      at += 8;
    }
  });
});
