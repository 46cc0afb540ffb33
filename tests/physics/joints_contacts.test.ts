// Joints and contacts that load each other: a wrecking ball, a chain over a beam, crates on a rope bridge, a ball in a net.
import { describe, expect, test } from 'vitest';
import { createChain } from '../../src/rigs/index';
import type { BodyId, JointId, WorldOptions } from '../../src/study/index';
import { groundWorld, position, rotate, type V3 } from '../helpers/ground';
import { bar } from '../helpers/joint_worlds';
import { everyNth } from '../helpers/long';
import type { AnyWorld } from '../helpers/worlds';

/** Density of a ball, and of a capsule whose caps are `length` apart, of this mass. */
const ballDensity = (mass: number, radius: number) => mass / ((4 / 3) * Math.PI * radius ** 3);
const capsuleDensity = (mass: number, radius: number, length: number) =>
  mass / (Math.PI * radius ** 2 * (length + (4 / 3) * radius));

const gaps = (world: AnyWorld, joints: readonly JointId[]) => joints.map((id) => world.getJoint(id).gap);
const widest = (world: AnyWorld, joints: readonly JointId[]) => Math.max(...gaps(world, joints));

test('a wrecking ball of 2 t on 20 links of 5 kg knocks a wall down and does not stretch its chain', async () => {
  const { world } = await groundWorld({ sleep: false });
  const [links, link, radius] = [20, 0.4, 0.6];
  const top: V3 = [0, 10, 0];
  const along = (way: number): V3 => [-Math.sin(Math.PI / 3) * way, 10 - Math.cos(Math.PI / 3) * way, 0];
  const thickness = 0.05;
  const chain = createChain(world, {
    points: Array.from({ length: links + 1 }, (_, i) => along(link * i)),
    radius: thickness,
    density: capsuleDensity(5, thickness, link - 2 * thickness),
    start: 'world',
  });
  expect(world.getMass(chain.bodies[0]!)).toBeCloseTo(5, 1);
  const sphere = world.createShape({ type: 'sphere', radius });
  const ball = world.createBody({
    shape: sphere,
    position: along(link * links + radius),
    density: ballDensity(2000, radius),
  });
  const last = world.createJoint({ type: 'ball', bodyA: chain.bodies.at(-1)!, bodyB: ball, anchor: along(link * links) });
  const joints = [...chain.joints, last];
  const shape = world.createShape({ type: 'box', halfExtents: [0.25, 0.25, 0.5] });
  const bricks = Array.from({ length: 60 }, (_, i) => {
    const layer = Math.floor(i / 6);
    const z = (i % 6) - 2.5 + (layer % 2 === 1 ? 0.25 : -0.25);
    return world.createBody({ shape, position: [1.2, 0.25 + 0.5 * layer, z] });
  });
  const start = bricks.map((brick) => position(world, brick));
  let stretch = 0;
  let reach = 0;
  for (let i = 0; i < 600; i++) {
    world.step();
    stretch = Math.max(stretch, gaps(world, joints).reduce((sum, gap) => sum + gap, 0) / (links * link));
    reach = Math.max(reach, Math.hypot(...position(world, ball).map((x, k) => x - top[k]!)));
  }
  bar('stretch', stretch, 1e-3);
  bar('reach over length', reach / (links * link + radius) - 1, 1e-3);
  const moved = bricks.filter((brick, i) => Math.hypot(...position(world, brick).map((x, k) => x - start[i]![k]!)) > 0.1);
  expect(moved.length).toBeGreaterThan(20);
});

/**
 * A chain of 40 capsules of 1 kg with a load at either end, laid level over a fixed capsule of 0.5 m: its loads fall, swing and hang.
 * Largest gap and depth (m) on the way and in the last second.
 */
async function overBeam(load: number, options: WorldOptions) {
  const { world } = await groundWorld({ sleep: false, ...options });
  const [links, link, thickness, beam, height] = [40, 0.2, 0.04, 0.5, 6];
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'capsule', radius: beam, halfHeight: 1.5 }),
    position: [0, height, 0],
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  });
  const y = height + beam + thickness + 1e-3;
  const shape = world.createShape({ type: 'capsule', radius: thickness, halfHeight: link / 2 - thickness });
  const bodies: BodyId[] = [];
  const joints: JointId[] = [];
  const join = (bodyA: BodyId, bodyB: BodyId, x: number) =>
    joints.push(world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [x, y, 0] }));
  for (let i = 0; i < links; i++) {
    const x = (i - links / 2 + 0.5) * link;
    bodies.push(
      world.createBody({
        shape,
        position: [x, y, 0],
        rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2],
        density: capsuleDensity(1, thickness, link - 2 * thickness),
      }),
    );
    if (i > 0) join(bodies[i - 1]!, bodies[i]!, x - link / 2);
  }
  const sphere = world.createShape({ type: 'sphere', radius: 0.2 });
  for (const [way, end] of [
    [-1, bodies[0]!],
    [1, bodies.at(-1)!],
  ] as const) {
    const x = (way * links * link) / 2;
    const ball = world.createBody({
      shape: sphere,
      position: [x + 0.2 * way, y, 0],
      density: ballDensity(load, 0.2),
    });
    join(end, ball, x);
    bodies.push(ball);
  }
  /** Depth of the deepest link in the beam. */
  const depth = () => {
    let deepest = 0;
    for (const body of bodies.slice(0, links)) {
      const [px, py] = position(world, body);
      const [ax, ay] = rotate(world.getRotation(body, [0, 0, 0, 1]), [0, 1, 0]);
      const reach = link / 2 - thickness;
      const t = Math.max(-reach, Math.min(reach, (-px * ax + (height - py) * ay) / (ax * ax + ay * ay)));
      deepest = Math.max(deepest, beam + thickness - Math.hypot(px + t * ax, py + t * ay - height));
    }
    return deepest;
  };
  const most = { gap: 0, depth: 0, restGap: 0, restDepth: 0 };
  for (let i = 0; i < 900; i++) {
    world.step();
    const [gap, deep] = [widest(world, joints), depth()];
    most.gap = Math.max(most.gap, gap);
    most.depth = Math.max(most.depth, deep);
    if (i < 840) continue;
    most.restGap = Math.max(most.restGap, gap);
    most.restDepth = Math.max(most.restDepth, deep);
  }
  return { ...most, lowest: Math.min(...bodies.map((body) => position(world, body)[1])) };
}

describe('a chain over a beam', () => {
  const cases: [number, WorldOptions, number, number][] = [
    [5, {}, 0.01, 1e-3],
    [20, {}, 0.05, 1e-3],
    [100, {}, 0.01, 1e-3],
    [300, {}, 0.01, 1e-3],
    [20, { substeps: 12 }, 0.02, 5e-4],
    [50, { preset: 'high' }, 2e-3, 5e-4],
    [100, { preset: 'high' }, 2e-3, 5e-4],
  ];
  test.each(everyNth(cases, 2))('with %s times the mass of a link at its ends, %o', async (load, options, landing, rest) => {
    const most = await overBeam(load, options);
    bar('largest gap (m)', most.gap, 1e-3);
    bar('largest depth (m)', most.depth, landing);
    bar('gap at rest (m)', most.restGap, 1e-4);
    bar('depth at rest (m)', most.restDepth, rest);
    expect(most.lowest).toBeGreaterThan(2);
  });
});

test.each<[WorldOptions, number, number]>([
  [{}, 0.07, 0.03],
  [{ preset: 'high' }, 0.02, 0.006],
])('a bridge of 20 planks on two ropes bears ten crates of 100 kg: %o', async (options, landing, rest) => {
  const { world } = await groundWorld({ sleep: false, ...options });
  const [count, length, height] = [20, 0.5, 6];
  const shape = world.createShape({ type: 'box', halfExtents: [0.22, 0.04, 0.6] });
  const planks = Array.from({ length: count }, (_, i) =>
    world.createBody({ shape, position: [(i - count / 2 + 0.5) * length, height, 0], density: 10 / (0.44 * 0.08 * 1.2) }),
  );
  const joints: JointId[] = [];
  for (let i = 0; i <= count; i++) {
    const [bodyA, bodyB] = i < count ? [planks[i - 1] ?? null, planks[i]!] : [null, planks.at(-1)!];
    for (const z of [-0.5, 0.5]) {
      joints.push(world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [(i - count / 2) * length, height, z] }));
    }
  }
  const crate = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
  const crates = Array.from({ length: 10 }, (_, i) =>
    world.createBody({ shape: crate, position: [0.9 * (i - 4.5), height + 1.5, 0], density: 100 / 0.6 ** 3 }),
  );
  let [most, last] = [0, 0];
  for (let i = 0; i < 900; i++) {
    world.step();
    last = widest(world, joints);
    most = Math.max(most, last);
  }
  bar('largest gap (m)', most, landing);
  bar('gap at rest (m)', last, rest);
  expect(Math.min(...crates.map((body) => position(world, body)[1]))).toBeGreaterThan(4.5);
});

const NETS: [WorldOptions, number][] = [
  [{}, 0.1],
  [{ preset: 'high' }, 0.06],
];
test.each(everyNth(NETS, 2))('a net of 14 x 14 catches a ball of 400 times the mass of a knot: %o', async (options, landing) => {
  const { world } = await groundWorld({ sleep: false, ...options });
  const [side, spacing, height] = [14, 0.3, 6];
  const shape = world.createShape({ type: 'sphere', radius: 0.06 });
  const bodies: BodyId[] = [];
  const joints: JointId[] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const at: V3 = [(column - (side - 1) / 2) * spacing, height, (row - (side - 1) / 2) * spacing];
      const held = (row === 0 || row === side - 1) && (column === 0 || column === side - 1);
      const knot = ballDensity(0.5, 0.06);
      const body = world.createBody({ ...(held ? { type: 'static' } : { density: knot }), shape, position: at });
      const join = (bodyA: BodyId, anchor: V3) => joints.push(world.createJoint({ type: 'ball', bodyA, bodyB: body, anchor }));
      if (column > 0) join(bodies.at(-1)!, [at[0] - spacing / 2, height, at[2]]);
      if (row > 0) join(bodies.at(-side)!, [at[0], height, at[2] - spacing / 2]);
      bodies.push(body);
    }
  }
  const sphere = world.createShape({ type: 'sphere', radius: 0.6 });
  const ball = world.createBody({ shape: sphere, position: [0, height + 1.7, 0], density: ballDensity(200, 0.6) });
  // A net throws its ball up again, each time lower than before.
  const start = position(world, ball)[1];
  const peaks = [start];
  let most = 0;
  let [last, rising] = [start, false];
  for (let i = 0; i < 600; i++) {
    world.step();
    most = Math.max(most, widest(world, joints));
    const y = position(world, ball)[1];
    if (rising && y < last) peaks.push(last);
    rising = y > last;
    last = y;
  }
  bar('largest gap (m)', most, landing);
  for (let i = 1; i < peaks.length; i++) expect(peaks[i]).toBeLessThan(peaks[i - 1]! + 0.01);
  expect(peaks.length).toBeGreaterThan(3);
  const [x, y, z] = position(world, ball);
  expect(y).toBeGreaterThan(4);
  expect(Math.hypot(x, z)).toBeLessThan(0.5);
});
