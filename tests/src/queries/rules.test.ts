// What queries promise: filters, solid and hollow, features, edits since the last step, no change of the world, refusals.
import { expect, test } from 'vitest';
import {
  type BodyId,
  type ColliderId,
  createBatchHits,
  createQueryHit,
  createShapeContact,
  createWorld,
  type QueryHit,
  type ShapeDesc,
  TalusError,
  type World,
} from '../../../src/index';
import { useDevice } from '../../helpers/gpu';
import { isLong } from '../../helpers/long';
import { random, type V } from './oracle';
import { cloud, distanceTo, wavyMesh } from './scene';

const close = (actual: number, expected: number, tolerance = 1e-4) => expect(Math.abs(actual - expected)).toBeLessThan(tolerance);

/** Unit spheres on the x axis at 5, 10, ... */
async function row(count: number, desc: (i: number) => object = () => ({})): Promise<{ world: World; ids: BodyId[] }> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 1 });
  const ids = Array.from({ length: count }, (_, i) => world.createBody({ shape, position: [5 * i + 5, 0, 0], ...desc(i) }));
  return { world, ids };
}
const X = [1, 0, 0];
const O = [0, 0, 0];

test('filters: category and mask, bodies, colliders, types, sensors, and a function with the last word', async () => {
  const { world, ids } = await row(
    6,
    (i) =>
      [
        { type: 'static', category: 1 },
        { type: 'kinematic', category: 2, mask: 4 },
        { type: 'dynamic', category: 4 },
        { type: 'dynamic', sensor: true, category: 8, mass: { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] } },
        { type: 'static', category: 16, mask: 0 },
        { type: 'dynamic', category: 32 },
      ][i]!,
  );
  const hits: QueryHit[] = [];
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const touched: ColliderId[] = [];
  const bodies = (options: object) => {
    const list = hits
      .slice(0, world.castRayAll(O, X, { maxDistance: 100, ...options }, hits))
      .map((hit) => ids.indexOf(hit.body));
    expect(world.castShapeAll(ball, O, null, [100, 0, 0], options, hits)).toBe(list.length);
    expect(world.closestPointAll(O, { maxDistance: 100, ...options }, hits)).toBe(list.length);
    expect(world.overlapBounds(O, [100, 1, 1], options, touched)).toBe(list.length);
    expect(world.castRay(O, X, { maxDistance: 100, ...options })?.body).toBe(ids[list[0]!]);
    return list;
  };
  for (const step of [false, true]) {
    if (step) world.step();
    expect(bodies({})).toEqual([0, 1, 2, 4, 5]);
    expect(bodies({ mask: 6 })).toEqual([1, 2]);
    expect(bodies({ category: 4 })).toEqual([0, 1, 2, 5]);
    expect(bodies({ category: 2 })).toEqual([0, 2, 5]);
    expect(bodies({ excludeBody: ids[0] })).toEqual([1, 2, 4, 5]);
    expect(bodies({ excludeBody: null, excludeCollider: world.collidersOf(ids[1]!)[0] })).toEqual([0, 2, 4, 5]);
    expect(bodies({ types: ['dynamic'] })).toEqual([2, 5]);
    expect(bodies({ types: ['static', 'kinematic'] })).toEqual([0, 1, 4]);
    expect(bodies({ types: [] })).toEqual([]);
    expect(bodies({ sensors: true })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(bodies({ sensors: 'only' })).toEqual([3]);
    expect(bodies({ sensors: false, filter: (_: ColliderId, body: BodyId) => body !== ids[0] })).toEqual([1, 2, 4, 5]);
  }
  // A filter may ask, too, and what it throws comes through.
  const inner = createQueryHit();
  const outer = world.castRay(O, X, {
    filter: (collider) => {
      world.castRay([100, 0, 0], [-1, 0, 0], { filter: () => true }, inner);
      return world.bodyOf(collider) === ids[2];
    },
  });
  expect([outer!.body, inner.body]).toEqual([ids[2], ids[5]]);
  const stop = () => {
    throw new Error('stop');
  };
  expect(() => world.castRay(O, X, { filter: stop })).toThrow('stop');
  expect(world.castRay(O, X)!.body).toBe(ids[0]);
});

test('solid and hollow rays, backs of triangles, features', async () => {
  const world = await createWorld();
  const box = world.createShape({ type: 'box', halfExtents: [1, 2, 3] });
  world.createBody({ type: 'static', shape: box, position: [0, 50, 0] });
  const inside = [0.5, 50, 0];
  expect(world.castRay(inside, X)!.distance).toBe(0);
  const out = world.castRay(inside, X, { solid: false })!;
  close(out.distance, 0.5);
  close(out.normal[0], -1);
  close(out.point[0], 1);
  expect(out.feature).toBe(0);
  expect(world.castRay(inside, X, { solid: false, maxDistance: 0.4 })).toBe(null);
  const faces = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ].map((n) => {
    const start = n.map((x, k) => 10 * x + [0, 50, 0][k]!);
    return world.castRay(
      start,
      n.map((x) => -x),
    )!.feature;
  });
  expect(faces).toEqual([0, 1, 2, 3, 4, 5]);

  const mesh = wavyMesh();
  const ground = world.createBody({ type: 'static', shape: world.createShape({ type: 'mesh', ...mesh }) });
  const field = world.createShape({ type: 'heightfield', heights: new Float32Array(9), nx: 3, nz: 3, spacing: 2 });
  const flat = world.createBody({ type: 'static', shape: field, position: [20, 0, 0] });
  for (const [body, x, z] of [
    [ground, 2.3, 1.4],
    [flat, 21.3, 1.1],
  ] as [BodyId, number, number][]) {
    const down = world.castRay([x, 5, z], [0, -1, 0], { backFaces: false })!;
    expect(down.body).toBe(body);
    const up = world.castRay([x, -5, z], [0, 1, 0])!;
    expect(up.feature).toBe(down.feature);
    expect(up.normal[1]).toBeLessThan(0);
    expect(world.castRay([x, -5, z], [0, 1, 0], { backFaces: false, maxDistance: 10 })).toBe(null);
  }
  // The feature is the triangle as it was given: the point lies in it.
  for (let k = 0; k < 40; k++) {
    const hit = world.castRay([(k % 8) - 3.6, 5, k / 5 - 3.7], [0.1, -1, 0.05])!;
    const [a, b, c] = [0, 1, 2]
      .map((i) => mesh.indices[3 * hit.feature + i]!)
      .map((i) => mesh.positions.subarray(3 * i, 3 * i + 3));
    for (const axis of [0, 2]) {
      const values = [a![axis]!, b![axis]!, c![axis]!];
      expect(hit.point[axis]!).toBeGreaterThan(Math.min(...values) - 1e-4);
      expect(hit.point[axis]!).toBeLessThan(Math.max(...values) + 1e-4);
    }
  }
});

test('a cast that starts in an overlap says how deep; it may leave, if asked', async () => {
  const { world, ids } = await row(1);
  const ball = world.createShape({ type: 'sphere', radius: 1 });
  const start = [3.5, 0, 0];
  for (const way of [
    [-5, 0, 0],
    [5, 0, 0],
    [0, 0, 0],
  ]) {
    const hit = world.castShape(ball, start, null, way)!;
    expect([hit.body, hit.distance, hit.fraction]).toEqual([ids[0], 0, 0]);
    close(hit.penetration, 0.5);
    close(hit.normal[0], -1);
  }
  expect(world.castShape(ball, start, null, [-5, 0, 0], { stopAtPenetration: false })).toBe(null);
  close(world.castShape(ball, start, null, [5, 0, 0], { stopAtPenetration: false })!.penetration, 0.5);
  // Touching is no overlap: along the surface and away there is nothing to meet.
  const floor = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
  world.createBody({ type: 'static', shape: floor, position: [0, -11, 0] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  for (const shape of [ball, cube]) {
    const y = shape === ball ? -9 : -9.5;
    expect(world.castShape(shape, [0, y, 0], null, [4, 0, 3])).toBe(null);
    expect(world.castShape(shape, [0, y, 0], null, [1, 2, 3])).toBe(null);
    const down = world.castShape(shape, [0, y, 0], null, [1, -2, 3])!;
    expect([down.distance, down.penetration]).toEqual([0, 0]);
    close(down.normal[1], 1);
    close(world.castShape(shape, [0, y + 1, 0], null, [0, -2, 0])!.distance, 1);
  }
});

test('the point of a cast lies on the face that was met, however the faces lie', async () => {
  const world = await createWorld();
  const cube = world.createShape({ type: 'box', halfExtents: [0.3, 0.9, 0.3] });
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [4 * x, 0.175 * y, 8 * z])));
  const blocks: ShapeDesc[] = [
    { type: 'box', halfExtents: [4, 0.175, 8] },
    { type: 'box', halfExtents: [1, 0.175, 1] },
    { type: 'hull', points: corners.flat() },
  ];
  for (const desc of blocks) {
    const block = world.createBody({ type: 'static', shape: world.createShape(desc), position: [0, 0.175, 0] });
    for (const x of [0, 0.37, 0.9]) {
      for (const [above, way] of [
        [0.01, 0.36],
        [0.05, 0.36],
        [0.2, 0.3],
        [1, 2],
      ] as const) {
        const hit = world.castShape(cube, [x, 1.25 + above, 0], null, [0, -way, 0])!;
        close(hit.distance, above);
        close(hit.point[1]!, 0.35);
      }
    }
    world.removeBody(block);
  }
});

test('the point of a cast whose edge or corner meets a face lies in that face', async () => {
  const world = await createWorld();
  const cube = world.createShape({ type: 'box', halfExtents: [0.3, 0.9, 0.3] });
  const cylinder = world.createShape({ type: 'cylinder', radius: 0.3, halfHeight: 0.9 });
  const block = world.createShape({ type: 'box', halfExtents: [1, 3, 5] });
  for (const shape of [cube, cylinder]) {
    for (const angle of [0.05, 0.3, 0.6]) {
      for (const axis of [1, 2]) {
        const rotation = [0, 0, 0, Math.cos(angle / 2)];
        rotation[axis] = Math.sin(angle / 2);
        const id = world.createBody({ type: 'static', shape: block, position: [5, 0, 0], rotation });
        const hit = world.castShape(shape, [0, 0, 0], null, [9, 0, 0])!;
        const gap = hit.normal.reduce((sum, n, i) => sum + n * (hit.point[i]! - [5, 0, 0][i]!), -1);
        close(gap, 0);
        world.removeBody(id);
      }
    }
  }
});

test('edits since the last step are seen: new, moved, removed, changed', async () => {
  const { world, placed } = await cloud(21, 80, 6, true);
  const rng = random(22);
  const shape = world.createShape({ type: 'sphere', radius: 0.6 });
  let list = placed;
  const ids: ColliderId[] = [];
  const check = () => {
    for (let k = 0; k < (isLong ? 25 : 12); k++) {
      const p = rng.vector(7);
      const distances = list.map((thing) => distanceTo(thing, p));
      const expected = list.filter((_, i) => distances[i]! < 0).map((thing) => thing.collider);
      expect(ids.slice(0, world.overlapPoint(p, {}, ids)).sort()).toEqual(expected.sort());
      close(world.closestPoint(p)!.distance, Math.min(...distances), 1e-3);
    }
  };
  const edit = (round: number) => {
    const gone = list[round * 3]!;
    world.removeBody(world.bodyOf(gone.collider));
    list = list.filter((thing) => thing !== gone);
    const moved = list[round * 2 + 5]!;
    const p = rng.vector(6).map(Math.fround) as V;
    world.teleport(world.bodyOf(moved.collider), p, moved.q);
    list = list.map((thing) => (thing === moved ? { ...thing, p } : thing));
    const at = rng.vector(6).map(Math.fround) as V;
    const body = world.createBody({ type: round % 2 ? 'dynamic' : 'static', shape, position: at });
    list = [...list, { collider: world.collidersOf(body)[0]!, desc: { type: 'sphere', radius: 0.6 }, p: at, q: [0, 0, 0, 1] }];
    world.setType(body, 'kinematic');
    check();
    // Once more, now that the trees know of new ones: moved and removed.
    const again = rng.vector(6).map(Math.fround) as V;
    world.teleport(body, again);
    list = list.map((thing) => (world.bodyOf(thing.collider) === body ? { ...thing, p: again } : thing));
    check();
  };
  check();
  edit(0);
  world.step();
  // What is dynamic may have been pushed out of overlaps: poses are read anew.
  const refresh = () => {
    list = list.map((thing) => {
      const body = world.bodyOf(thing.collider);
      return { ...thing, p: world.getPosition(body, [0, 0, 0] as V), q: world.getRotation(body, [0, 0, 0, 1] as typeof thing.q) };
    });
  };
  for (let round = 1; round < 6; round++) {
    refresh();
    check();
    edit(round);
    for (let i = 0; i < 5; i++) world.step();
  }
});

test('queries change nothing: the same bits with and without them, and in a clone', async () => {
  const run = async (query: boolean) => {
    let world: World = await createWorld();
    const cube = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    const cone = world.createShape({ type: 'cone', radius: 0.4, halfHeight: 0.4 });
    const mesh = world.createShape({ type: 'mesh', ...wavyMesh() });
    world.createBody({ type: 'static', shape: mesh });
    const positions = Float32Array.from({ length: 150 }, (_, i) => (i % 3 === 1 ? 2 + i / 40 : Math.sin(i * 5) * 1.5));
    world.createBodies({ count: 50, shape: cube, positions });
    const hits: QueryHit[] = [];
    for (let i = 0; i < 90; i++) {
      if (i % 20 === 7) world.createBody({ shape: cone, position: [0, 6, i / 90] });
      if (query) {
        for (let k = 0; k < 3; k++) {
          world.castRayAll([k - 2, 10, 0], [0, -1, 0.1], {}, hits);
          world.castShape(cone, [k - 1, 9, 0], null, [0, -12, 0]);
          world.contactShape(cube, [k - 1, 1, 0], null, { maxDistance: 0.2 }, hits);
          world.closestToShape(cone, [k - 1, 1, 0.3], null);
          world.overlapBounds([-1, 0, -1], [1, k, 1], {}, []);
          world.contactPair(cone, [0, 1, 0], null, mesh, O, null, { maxDistance: 1 });
        }
        world.castRays([0, 9, 0, 1, 9, 0], [0, -1, 0, 0, -1, 0], {}, createBatchHits(2));
      }
      world.step();
      if (i === 45) world = await world.clone();
    }
    return world.positions.slice();
  };
  expect(await run(true)).toEqual(await run(false));
});

test('refusals name what is wrong and change nothing', async () => {
  const { world, ids } = await row(2);
  const ball = world.createShape({ type: 'sphere', radius: 1 });
  const mesh = world.createShape({ type: 'mesh', ...wavyMesh() });
  const gone = world.createBody({ shape: ball, position: [0, 100, 0] });
  const collider = world.collidersOf(gone)[0]!;
  world.removeBody(gone);
  const other = await createWorld();
  const foreign = other.createShape({ type: 'sphere', radius: 1 });
  const hits: QueryHit[] = [];
  const out = createBatchHits(2);
  const code = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(TalusError);
      return (error as TalusError).code;
    }
    return 'none';
  };
  const invalid: (() => unknown)[] = [
    () => world.castRay(O, [0, 0, 0]),
    () => world.castRay([Number.NaN, 0, 0], X),
    () => world.castRay([1e7, 0, 0], X),
    () => world.castRay(O, [Infinity, 0, 0]),
    () => world.castRay(O, X, { maxDistance: 0 }),
    () => world.castRay(O, X, { mask: 0.5 }),
    () => world.castRay(O, X, { types: 'static' as never }),
    () => world.castRay(O, X, { types: ['ghost' as never] }),
    () => world.castRay(O, X, { sensors: 'yes' as never }),
    () => world.castRay(O, X, { filter: 5 as never }),
    () => world.castRay(O, X, { solid: 1 as never }),
    () => world.castRay(O, X, { stopAtPenetration: true } as never),
    () => world.castRay(O, X, null as never),
    () => world.castRay(O, X, {}, {} as never),
    () => world.castRay(O, X, {}, 5 as never),
    () => world.castRayAll(O, X, {}, undefined as never),
    () => world.castShape(ball, O, [0, 0, 0, 0], X),
    () => world.castShape(ball, O, null, [1e8, 0, 0]),
    () => world.overlapBounds([1, 0, 0], [0, 1, 1], {}, []),
    () => world.closestPoint(O, { maxDistance: -1 }),
    () => world.contactPair(ball, O, null, ball, O, null, { mask: 1 } as never),
    () => world.castRays([0, 0], [1, 0], {}, out),
    () => world.castRays([0, 0, 0], [1, 0, 0, 0, 0, 0], {}, out),
    () => world.castRays([0, 0, 0], [0, 0, 0], {}, out),
    () => world.castRays([0, Number.NaN, 0], X, {}, out),
    () => world.castRays([0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0, 1, 0, 0], {}, out),
    () => world.castRays(O, X, { filter: () => true } as never, out),
    () => world.castRays(O, X, {}, {} as never),
    () => world.castShapes(ball, O, [0, 0, 0], X, {}, out),
    () => createBatchHits(-1),
  ];
  for (const call of invalid) expect([code(call), call.toString()]).toEqual(['invalid-argument', call.toString()]);
  const stale: (() => unknown)[] = [
    () => world.castRay(O, X, { excludeBody: gone }),
    () => world.castRay(O, X, { excludeCollider: collider }),
    () => world.castRay(O, X, { excludeCollider: ids[0] as never }),
    () => world.castShape(foreign, O, null, X),
    () => world.overlapShape(5 as never, O, null, {}, []),
    () => world.contactPair(ball, O, null, foreign, O, null),
  ];
  for (const call of stale) expect(code(call)).toBe('stale-handle');
  expect(code(() => world.castShape(mesh, O, null, X))).toBe('unsupported');
  expect(code(() => world.contactPair(mesh, O, null, mesh, O, null))).toBe('unsupported');
  expect(world.castRayAll(O, X, {}, hits)).toBe(2);
  // The largest and the least that is allowed.
  expect(world.castRay([1e6, 1e6, 1e6], [-1e15, 0, 0], { maxDistance: 2e6 })).toBe(null);
  close(world.castRay(O, [1e-30, 0, 0])!.distance, 4);
  expect(world.castShape(ball, [-1e6, 0, 0], null, [2e6, 0, 0])!.body).toBe(ids[0]);
  expect(world.contactPair(ball, O, null, ball, [1.5, 0, 0], null, {}, createShapeContact())!.distance).toBeCloseTo(-0.5, 5);
  world.dispose();
  expect(code(() => world.castRay(O, X))).toBe('disposed');
});

const gpu = useDevice();

test('on WebGPU: answers are those for the poses that the views show, also while a step is in flight', async () => {
  const world = await createWorld({ backend: 'webgpu', device: gpu.device });
  const radius = 0.4;
  const ball = world.createShape({ type: 'sphere', radius });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const count = 40;
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 1 + i / 12 : Math.sin(i * 3) * 1.5));
  const linearVelocities = Float32Array.from({ length: 3 * count }, (_, i) => Math.cos(i * 7) * 8);
  const ids = world.createBodies({ count, shape: ball, positions, linearVelocities });
  const p = [0, 0, 0];
  const check = () => {
    for (const id of ids) {
      world.getPosition(id, p);
      const hit = world.closestPoint(p, { types: ['dynamic'] })!;
      // Every center is inside of its own ball, by its radius; of two that overlap either may be nearest.
      expect(hit.distance).toBeLessThan(-radius + 1e-4);
      const from = [p[0]!, p[1]! + 0.7, p[2]!];
      const ray = world.castRay(from, [0, -1, 0], { filter: (_, body) => body === id })!;
      close(ray.distance, 0.7 - radius);
    }
  };
  for (let i = 0; i < 12; i++) {
    await world.stepAsync();
    check();
  }
  for (let i = 0; i < 12; i++) {
    while (!world.step()) await new Promise((resolve) => setTimeout(resolve, 1));
    check(); // in flight
    if (i === 6) {
      const fresh = world.createBody({ type: 'static', shape: ball, position: [5, 5, 5] });
      expect(world.castRay([5, 9, 5], [0, -1, 0])!.body).toBe(fresh);
    }
  }
  await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  check();
  world.dispose();
});
