// Meshes, heightfields and planes on kinematic bodies: they carry, turn and push as a box of the same form does, and nothing passes
// them.
import { describe, expect, test } from 'vitest';
import type { BodyId, ShapeDesc, SolverName, World } from '../../src/study/index';
import { gridField, gridMesh } from '../helpers/grids';
import { DT, faultsOf, length, NO_FAULTS, position, steps, type V3, velocity } from '../helpers/ground';
import { isLong } from '../helpers/long';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

type Quat = [number, number, number, number];
const CUBE: ShapeDesc = { type: 'box', halfExtents: [0.25, 0.25, 0.25] };
const flat = () => 0.1;
/** The top of each is the square of 6 m at y = 0.1; the plane goes on. */
const PLATFORMS: Record<string, ShapeDesc> = {
  box: { type: 'box', halfExtents: [3, 0.1, 3] },
  mesh: gridMesh(12, 6, flat),
  heightfield: gridField(12, 6, flat),
  plane: { type: 'plane', offset: 0.1 },
};
const SURFACES = ['mesh', 'heightfield', 'plane'];

/** A point of the world in the frame of a body. */
function local(world: World, body: BodyId, point: V3): V3 {
  const p = position(world, body);
  const [x, y, z, w] = world.getRotation(body, [0, 0, 0, 1]) as Quat;
  const d = [point[0] - p[0], point[1] - p[1], point[2] - p[2]] as V3;
  const u = [-x, -y, -z];
  const c = [
    u[1]! * d[2] - u[2]! * d[1] + w * d[0],
    u[2]! * d[0] - u[0]! * d[2] + w * d[1],
    u[0]! * d[1] - u[1]! * d[0] + w * d[2],
  ];
  return [
    d[0] + 2 * (u[1]! * c[2]! - u[2]! * c[1]!),
    d[1] + 2 * (u[2]! * c[0]! - u[0]! * c[2]!),
    d[2] + 2 * (u[0]! * c[1]! - u[1]! * c[0]!),
  ];
}

/** Where a cube on a platform is, in the frame of the platform, after each of 240 steps of a smooth ride. */
async function ride(kind: string, by: 'velocity' | 'target', turns: boolean, solver: SolverName = 'wide'): Promise<V3[]> {
  const world = await createWorld({ solver });
  const platform = world.createBody({ type: 'kinematic', shape: world.createShape(PLATFORMS[kind]!) });
  const cube = world.createBody({ shape: world.createShape(CUBE), position: [0.8, 0.35, 0.2] });
  steps(world, 60);
  const places: V3[] = [];
  for (let i = 1; i <= 240; i++) {
    // From rest to rest: 2 m up, 1 m aside, and half a turn.
    const phase = (i: number) => 0.5 - 0.5 * Math.cos((Math.PI * i) / 240);
    const at = [phase(i), 2 * phase(i), 0];
    const angle = turns ? Math.PI * phase(i) : 0;
    if (by === 'target') world.moveKinematic(platform, at, [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]);
    else {
      const change = phase(i) - phase(i - 1);
      world.setVelocity(platform, [change / DT, (2 * change) / DT, 0], [0, turns ? (Math.PI * change) / DT : 0, 0]);
    }
    world.step();
    places.push(local(world, platform, position(world, cube)));
  }
  expect(faultsOf(world)).toEqual(NO_FAULTS);
  return places;
}

describe('what rides on a surface', () => {
  for (const kind of SURFACES) {
    for (const by of ['velocity', 'target'] as const) {
      test(`${kind} by ${by}: lifted, moved aside and turned as on a box, within a millimeter`, async () => {
        const [expected, found] = [await ride('box', by, true), await ride(kind, by, true)];
        for (const [i, place] of found.entries()) {
          for (let k = 0; k < 3; k++) expect(Math.abs(place[k]! - expected[i]![k]!)).toBeLessThan(1e-3);
          expect(Math.abs(place[1] - 0.35)).toBeLessThan(1e-3);
        }
      });
    }
  }

  test.each(['pgs', 'colored', 'cell-split', 'pair-split'] as const)('%s: a mesh lifts, too', async (solver) => {
    for (const place of await ride('mesh', 'target', false, solver)) {
      expect(length([place[0] - 0.8, place[1] - 0.35, place[2] - 0.2])).toBeLessThan(5e-3);
    }
  });

  test.each(SURFACES)('%s: a turntable carries at 1 rad/s for 10 s', async (kind) => {
    const world = await createWorld();
    world.createBody({ type: 'kinematic', shape: world.createShape(PLATFORMS[kind]!), angularVelocity: [0, 1, 0] });
    const place = { position: [1, 0.35, 0], linearVelocity: [0, 0, -1], angularVelocity: [0, 1, 0] };
    const cube = world.createBody({ shape: world.createShape(CUBE), ...place });
    for (let i = 1; i <= 600; i++) {
      world.step();
      const p = position(world, cube);
      expect(Math.abs(Math.hypot(p[0], p[2]) - 1)).toBeLessThan(5e-4);
      expect(Math.abs(p[1] - 0.35)).toBeLessThan(1e-3);
    }
    const p = position(world, cube);
    expect(Math.abs(Math.atan2(-p[2], p[0]) - Math.atan2(Math.sin(10), Math.cos(10)))).toBeLessThan(2e-3);
  });

  test('a ridge that turns past lifts a body that does not ride', async () => {
    // Without friction the body stays, and the surface goes by at 2 m/s: it follows the ridges.
    const world = await createWorld();
    const height = (x: number, z: number) => 0.1 + 0.1 * Math.cos(6 * Math.atan2(z, x)) * Math.min(1, Math.hypot(x, z));
    const shape = world.createShape(gridMesh(48, 6, height));
    const table = world.createBody({ type: 'kinematic', shape, angularVelocity: [0, 1, 0], friction: 0, frictionCombine: 'min' });
    const rail = world.createBody({
      shape: world.createShape({ type: 'sphere', radius: 0.3 }),
      position: [2, 0.6, 0],
      friction: 0,
      locks: { translation: 'xz' },
    });
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < 400; i++) {
      world.step();
      if (i < 60) continue;
      const p = position(world, rail);
      const [x, y, z] = local(world, table, p);
      // The ball never sinks in: its center is a radius above all of the surface around it.
      for (let a = -0.3; a <= 0.3; a += 0.05) {
        for (let b = -0.3; b <= 0.3; b += 0.05) {
          expect(Math.hypot(a, b, height(x + a, z + b) - y)).toBeGreaterThan(0.28);
        }
      }
      low = Math.min(low, p[1]);
      high = Math.max(high, p[1]);
    }
    expect(high - low).toBeGreaterThan(0.1);
  });

  test.each(SURFACES)('%s: what sleeps on it wakes when it moves, by either call', async (kind) => {
    for (const by of ['velocity', 'target'] as const) {
      const world = await createWorld();
      const platform = world.createBody({ type: 'kinematic', shape: world.createShape(PLATFORMS[kind]!) });
      const cube = world.createBody({ shape: world.createShape(CUBE), position: [0, 0.35, 0] });
      steps(world, 200);
      expect(world.isAsleep(cube)).toBe(true);
      if (by === 'velocity') world.setLinearVelocity(platform, [0, 0.6, 0]);
      else world.moveKinematic(platform, [0, 0.01, 0]);
      steps(world, 1);
      expect(world.isAsleep(cube)).toBe(false);
      expect(velocity(world, cube)[1]).toBeCloseTo(0.6, 1);
    }
  });
});

describe('bodies and types', () => {
  test.each(SURFACES)('%s: static, kinematic and back while something stands on it', async (kind) => {
    const world = await createWorld();
    const platform = world.createBody({ type: 'static', shape: world.createShape(PLATFORMS[kind]!) });
    const cube = world.createBody({ shape: world.createShape(CUBE), position: [0, 0.35, 0] });
    steps(world, 30);
    world.setType(platform, 'kinematic');
    world.setLinearVelocity(platform, [0, 1, 0]);
    steps(world, 60);
    expect(position(world, cube)[1]).toBeCloseTo(1.35, 2);
    world.setType(platform, 'static');
    steps(world, 60);
    expect(position(world, cube)[1]).toBeCloseTo(1.35, 2);
    expect(() => world.setType(platform, 'dynamic')).toThrow(/kinematic or static/);
    expect(world.getType(platform)).toBe('static');
  });

  test('a compound of a mesh and boxes, off its center, carries', async () => {
    const world = await createWorld();
    const [mesh, post] = [world.createShape(PLATFORMS.mesh!), world.createShape({ type: 'box', halfExtents: [0.1, 0.5, 0.1] })];
    const lift = world.createBody({
      type: 'kinematic',
      colliders: [
        { shape: mesh, position: [2, 0.5, 0] },
        { shape: post, position: [2, 1, 2] },
      ],
    });
    const cube = world.createBody({ shape: world.createShape(CUBE), position: [2, 0.85, 0] });
    world.setVelocity(lift, [0, 1, 0], [0, 0.5, 0]);
    steps(world, 120);
    const at = local(world, lift, position(world, cube));
    expect(Math.abs(at[1] - 0.85)).toBeLessThan(2e-3);
    expect(Math.hypot(at[0] - 2, at[2])).toBeLessThan(0.05);
  });

  test('kinematic surfaces make no contacts with what is kinematic or static', async () => {
    const world = await createWorld();
    const shapes = Object.values(PLATFORMS).map((desc) => world.createShape(desc));
    for (const type of ['kinematic', 'static'] as const) {
      for (const shape of shapes) world.createBody({ type, shape, position: [0, 0.05, 0] });
    }
    const mover = world.createBody({ type: 'kinematic', shape: shapes[1]!, linearVelocity: [0, 0.1, 0] });
    steps(world, 20);
    expect(world.readContacts().count).toBe(0);
    expect(position(world, mover)[1]).toBeCloseTo(20 * DT * 0.1, 5);
  });
});

const SMALL: ShapeDesc[] = [
  { type: 'sphere', radius: 0.08 },
  { type: 'box', halfExtents: [0.08, 0.06, 0.1] },
  { type: 'capsule', radius: 0.05, halfHeight: 0.08 },
  { type: 'cylinder', radius: 0.07, halfHeight: 0.06 },
  { type: 'cone', radius: 0.08, halfHeight: 0.08 },
  { type: 'hull', points: Array.from({ length: 36 }, (_, i) => 0.1 * Math.sin(7.3 * i * i + i)) },
];

describe('nothing passes', () => {
  const bowl = (x: number, z: number) => Math.max(0, 0.3 * (x * x + z * z) - 0.1);
  test.each([
    ['mesh', 'wide'],
    ['heightfield', 'wide'],
    ['mesh', 'cell-split'],
  ] as const)('200 bodies in a %s bowl that is shaken for 10 s (%s)', async (kind, solver) => {
    // A ball of 8 cm that is thrown out and rolls away turns at 150 rad/s, the usual limit.
    const world = await createWorld({ solver, maxAngularSpeed: 400 });
    const shape = world.createShape((kind === 'mesh' ? gridMesh : gridField)(24, 8, bowl));
    const body = world.createBody({ type: 'kinematic', shape });
    const random = seeded(7);
    const shapes = SMALL.map((desc) => world.createShape(desc));
    const ids = Array.from({ length: 200 }, (_, k) => {
      const at = [(random() - 0.5) * 3, 1 + random() * 3, (random() - 0.5) * 3];
      const rotation = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      return world.createBody({ shape: shapes[k % shapes.length]!, position: at, rotation });
    });
    for (let i = 1; i <= (isLong ? 600 : 240); i++) {
      const t = i / 60;
      const [tilt, yaw] = [0.3 * Math.sin(2.1 * t), 3 * Math.sin(0.7 * t)];
      const [s, c, u, v] = [Math.sin(tilt / 2), Math.cos(tilt / 2), Math.sin(yaw / 2), Math.cos(yaw / 2)];
      world.moveKinematic(body, [Math.sin(1.7 * t), 0.5 * Math.sin(3 * t), 0], [s * v, c * u, -s * u, c * v]);
      world.step();
    }
    expect(faultsOf(world)).toEqual(NO_FAULTS);
    let inside = 0;
    for (const id of ids) {
      const at = local(world, body, position(world, id));
      if (Math.abs(at[0]) > 4 || Math.abs(at[2]) > 4) continue; // over the rim
      expect(at[1]).toBeGreaterThan(bowl(at[0], at[2]) - 0.02);
      inside++;
    }
    expect(inside).toBeGreaterThan(190);
  });

  test.each([5, 20, 100])('a sheet of triangles at %d m/s against bodies that rest', async (speed) => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const random = seeded(speed);
    // Upright, across x.
    const sheet = world.createBody({
      type: 'kinematic',
      colliders: [{ shape: world.createShape(gridMesh(8, 6, () => 0)), rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }],
      position: [-2, 0, 0],
      linearVelocity: [speed, 0, 0],
    });
    const shapes = SMALL.map((desc) => world.createShape(desc));
    const ids = Array.from({ length: 60 }, (_, k) =>
      world.createBody({
        shape: shapes[k % shapes.length]!,
        position: [random() * 2, (random() - 0.5) * 3, (random() - 0.5) * 3],
        rotation: [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5],
      }),
    );
    for (let i = 0; i < Math.ceil((5 / speed) * 60) + 20; i++) {
      world.step();
      const x = position(world, sheet)[0];
      for (const id of ids) {
        const p = position(world, id);
        if (Math.abs(p[1]) < 2.5 && Math.abs(p[2]) < 2.5) expect(p[0]).toBeGreaterThan(x - 0.01);
      }
    }
  });

  test.each(['box', 'mesh'] as const)('a %s that turns at 5 rad/s past bodies that sleep: it takes them along', async (kind) => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const desc: ShapeDesc = kind === 'box' ? { type: 'box', halfExtents: [1.5, 0.01, 1.5] } : gridMesh(8, 3, () => 0);
    const blade = world.createBody({
      type: 'kinematic',
      colliders: [{ shape: world.createShape(desc), rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], position: [0, 0, 2.5] }],
    });
    const shapes = SMALL.map((one) => world.createShape(one));
    const ids = Array.from({ length: 12 }, (_, k) =>
      world.createBody({ shape: shapes[k % shapes.length]!, position: [2, 1.2 - 0.2 * k, 1.1 + 0.1 * (k % 8)] }),
    );
    steps(world, 60);
    for (const id of ids) expect(world.isAsleep(id)).toBe(true);
    world.setAngularVelocity(blade, [0, 5, 0]);
    const before = ids.map((id) => position(world, id));
    for (let i = 0; i < 24; i++) world.step();
    for (const [k, id] of ids.entries()) {
      expect(world.isAsleep(id)).toBe(false);
      expect(length(position(world, id).map((x, j) => x - before[k]![j]!))).toBeGreaterThan(0.5);
    }
  });

  test('fast bodies against a mesh that comes at them', async () => {
    for (const speed of [30, 200]) {
      const world = await createWorld({ gravity: [0, 0, 0] });
      const sheet = world.createBody({
        type: 'kinematic',
        shape: world.createShape(gridMesh(8, 6, () => 0)),
        linearVelocity: [0, speed / 2, 0],
        angularVelocity: [0, 3, 0],
      });
      const random = seeded(speed);
      const ids = SMALL.map((desc, k) =>
        world.createBody({
          shape: world.createShape(desc),
          position: [0.8 * Math.cos(k), 4 + random(), 0.8 * Math.sin(k)],
          linearVelocity: [0, -speed / 2, 0],
          angularVelocity: [20 * random(), 20 * random(), 20 * random()],
        }),
      );
      for (let i = 0; i < 40; i++) {
        world.step();
        for (const id of ids) expect(position(world, id)[1] - position(world, sheet)[1]).toBeGreaterThan(-0.01);
      }
    }
  });
});

describe('queries and state', () => {
  test('rays, casts and nearest points see it where it is', async () => {
    const world = await createWorld();
    const platform = world.createBody({
      type: 'kinematic',
      shape: world.createShape(PLATFORMS.mesh!),
      linearVelocity: [0, 3, 0],
    });
    const ball = world.createShape({ type: 'sphere', radius: 0.2 });
    for (let i = 0; i < 30; i++) {
      world.step();
      const top = position(world, platform)[1] + 0.1;
      expect(world.castRay([0.3, 9, 0.3], [0, -1, 0])!.distance).toBeCloseTo(9 - top, 4);
      expect(world.castShape(ball, [0.3, 9, 0.3], null, [0, -10, 0])!.distance).toBeCloseTo(9 - top - 0.2, 3);
      expect(world.closestPoint([0.3, 9, 0.3], { maxDistance: 20 })!.distance).toBeCloseTo(9 - top, 4);
    }
  });

  test('a snapshot of a ride goes on bit for bit', async () => {
    const run = async (restored: boolean) => {
      const world = await createWorld();
      const table = world.createBody({
        type: 'kinematic',
        shape: world.createShape(PLATFORMS.mesh!),
        angularVelocity: [0, 1, 0],
      });
      world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal: [0.1, 1, 0], offset: -3 }) });
      const cube = world.createShape(CUBE);
      for (let i = 0; i < 20; i++) world.createBody({ shape: cube, position: [i % 3, 0.5 + 0.6 * i, 0.2 * i - 2] });
      steps(world, 80);
      if (restored) world.restore(world.snapshot());
      world.moveKinematic(table, [0, 0.05, 0]);
      steps(world, 80);
      return world.hash();
    };
    expect(await run(true)).toEqual(await run(false));
  });
});
