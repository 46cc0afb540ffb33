// Static colliders side by side are one surface: what slides or rolls over a floor of tiles goes as over one piece. And what
// is no part of that surface still stops things: walls, curbs, steps, corners, gaps.
import { describe, expect, test } from 'vitest';
import type { BodyDesc, BodyId, ShapeDesc, World } from '../../src/study/index';
import { GRAVITY, length, position, rotate, SOLVERS, steps, turn, type V3, velocity } from '../helpers/ground';
import { everyNth } from '../helpers/long';
import { createWorld } from '../helpers/worlds';

type Quat = [number, number, number, number];

const LYING: Quat = turn([1, 0, 0], Math.PI / 2);
const UPRIGHT: Quat = [0, 0, 0, 1];

/** Corners of a box; `narrow` is the width of the bottom as a share of the top's. */
function prism(x: number, y: number, z: number, narrow = 1): ShapeDesc {
  const points: number[] = [];
  for (const i of [-x, x]) for (const j of [-y, y]) for (const k of [-z, z]) points.push(j < 0 ? i * narrow : i, j, k);
  return { type: 'hull', points };
}

interface Mover {
  shape: ShapeDesc;
  /** Height of the origin above the floor, m. */
  height: number;
  rotation?: Quat;
  /** x of the places of several equal colliders. */
  places?: number[];
}

const MOVERS = {
  box: { shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, height: 0.5 },
  plate: { shape: { type: 'box', halfExtents: [0.3, 0.1, 0.2] }, height: 0.1 },
  sphere: { shape: { type: 'sphere', radius: 0.5 }, height: 0.5 },
  capsule: { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.4 }, height: 0.3, rotation: LYING },
  hull: { shape: prism(0.4, 0.4, 0.4), height: 0.4 },
  cylinder: { shape: { type: 'cylinder', radius: 0.4, halfHeight: 0.3 }, height: 0.3 },
  roller: { shape: { type: 'cylinder', radius: 0.4, halfHeight: 0.3 }, height: 0.4, rotation: LYING },
  cone: { shape: { type: 'cone', radius: 0.4, halfHeight: 0.4 }, height: 0.4 },
  compound: { shape: { type: 'box', halfExtents: [0.25, 0.1, 0.3] }, height: 0.1, places: [-0.3, 0.3] },
} satisfies Record<string, Mover>;
type MoverName = keyof typeof MOVERS;
const ALL = Object.keys(MOVERS) as MoverName[];

interface Floor {
  /**
   * `bodies`: a static body a tile; `colliders`: all of one body; `hulls`: trapezoids; `blocks`: hulls like boxes; `alternating`:
   * boxes and such hulls; `hexagons`: prisms, `size` from flat to flat. One collider: `piece`: a box; `mesh`; `heightfield`.
   */
  kind?: 'bodies' | 'colliders' | 'hulls' | 'blocks' | 'alternating' | 'hexagons' | 'piece' | 'mesh' | 'heightfield';
  rows?: number;
  /** Width of a tile, m; with `mixed` 0.3 to 1.7 of it, and other heights. */
  size?: number;
  mixed?: boolean;
  /** Distance of neighbors, and steps of their tops up and down, m. */
  gap?: number;
  step?: number;
  /** Where the row of tiles ends, m. */
  end?: number;
  friction?: number;
  /** The whole floor turned and moved. */
  frame?: Quat;
  at?: V3;
}

const IDENTITY: Quat = [0, 0, 0, 1];

/** Tiles from x = -2 on, tops at y = 0, in the middle of z. */
function layFloor(world: World, floor: Floor): void {
  const {
    kind = 'bodies',
    rows = 1,
    size = 1,
    gap = 0,
    step = 0,
    end = 20,
    friction = 0,
    frame = IDENTITY,
    at = [0, 0, 0],
  } = floor;
  if (kind === 'hexagons') {
    layHexagons(world, size, (rows * size) / 2);
    return;
  }
  if (kind === 'mesh' || kind === 'heightfield') {
    const [nx, nz] = [23 / size + 1, 2 * rows + 1];
    const z = -rows * size;
    const cells = Array.from({ length: (nx - 1) * (nz - 1) }, (_, c) => (c % (nx - 1)) + nx * Math.floor(c / (nx - 1)));
    const shape: ShapeDesc =
      kind === 'heightfield'
        ? { type: 'heightfield', nx, nz, spacing: size, origin: [-2, 0, z], heights: new Float32Array(nx * nz) }
        : {
            type: 'mesh',
            positions: Float32Array.from(
              Array.from({ length: nx * nz }, (_, i) => [size * (i % nx) - 2, 0, z + size * Math.floor(i / nx)]).flat(),
            ),
            indices: Uint32Array.from(cells.flatMap((a) => [a, a + nx, a + nx + 1, a, a + nx + 1, a + 1])),
          };
    world.createBody({ type: 'static', shape: world.createShape(shape), friction });
    return;
  }
  const parts: { center: V3; half: V3 }[] = [];
  for (let r = 0; r < rows; r++) {
    const z = (r - (rows - 1) / 2) * size;
    if (kind === 'piece') {
      if (r === 0) parts.push({ center: [(end - 2) / 2, -0.5, 0], half: [(end + 2) / 2, 0.5, (rows * size) / 2] });
      continue;
    }
    let x = -2;
    for (let i = 0; x < end - 1e-6; i++) {
      const width = floor.mixed ? size * (0.3 + 1.4 * ((i * 0.618 + r * 0.37) % 1)) : size;
      const half = floor.mixed ? 0.3 + 0.4 * ((i * 0.7 + r * 0.3) % 1) : 0.5;
      parts.push({ center: [x + width / 2, step * (((i + r) % 3) - 1) - half, z], half: [width / 2, half, size / 2] });
      x += width + gap;
    }
  }
  const shapeOf = (half: V3, i = 0) => {
    const hull = kind === 'hulls' || kind === 'blocks' || (kind === 'alternating' && i % 2 === 1);
    return world.createShape(hull ? prism(...half, kind === 'hulls' ? 0.7 : 1) : { type: 'box', halfExtents: half });
  };
  if (kind === 'colliders') {
    const colliders = parts.map(({ center, half }) => ({ shape: shapeOf(half), position: center, friction }));
    world.createBody({ type: 'static', position: at, rotation: frame, colliders });
    return;
  }
  for (const [i, { center, half }] of parts.entries()) {
    const p = rotate(frame, center).map((x, k) => x + at[k]!) as V3;
    world.createBody({ type: 'static', shape: shapeOf(half, i), position: p, rotation: frame, friction });
  }
}

/** Hexagonal prisms from x = -3 to 21, tops at y = 0, up to `reach` to both sides. */
function layHexagons(world: World, size: number, reach: number): void {
  const radius = size / Math.sqrt(3);
  const points: number[] = [];
  for (let k = 0; k < 6; k++)
    for (const y of [-0.5, 0.5])
      points.push(radius * Math.cos(((2 * k + 1) * Math.PI) / 6), y, radius * Math.sin(((2 * k + 1) * Math.PI) / 6));
  const shape = world.createShape({ type: 'hull', points });
  const rows = Math.ceil(reach / (1.5 * radius)) + 2;
  for (let r = -rows; r <= rows; r++)
    for (let x = -3; x < 21; x += size)
      world.createBody({ type: 'static', shape, position: [x + (r & 1 ? size / 2 : 0), -0.5, 1.5 * r * radius], friction: 0 });
}

/** Product of two quaternions x y z w. */
function times(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

interface Run extends Floor {
  speed?: number;
  /** Direction of the way from x towards z, rad. */
  heading?: number;
  z?: number;
  yaw?: number;
  spin?: number;
  rolling?: boolean;
  count?: number;
}

interface Ride {
  world: World;
  body: BodyId;
  /** Largest speed across the floor, and largest share of the speed along the way that was missing, after 20 steps. */
  vertical: number;
  lost: number;
  sideways: number;
}

async function ride(solver: (typeof SOLVERS)[number], name: MoverName, run: Run): Promise<Ride> {
  const { speed = 5, heading = 0, frame = IDENTITY, at = [0, 0, 0], friction = 0, count = 150 } = run;
  const mover: Mover = MOVERS[name];
  const up = rotate(frame, [0, 1, 0]);
  const along = rotate(frame, [Math.cos(heading), 0, Math.sin(heading)]);
  const axle = rotate(frame, [Math.sin(heading), 0, -Math.cos(heading)]);
  const world = await createWorld({ solver, substeps: 12, gravity: up.map((x) => -GRAVITY * x) });
  layFloor(world, run);
  const yaw = turn([0, 1, 0], (run.yaw ?? 0) - (mover.rotation ? heading : 0));
  const shape = world.createShape(mover.shape);
  const desc: BodyDesc = {
    position: rotate(frame, [0, mover.height, run.z ?? 0]).map((x, k) => x + at[k]!) as V3,
    rotation: times(frame, times(yaw, mover.rotation ?? UPRIGHT)),
    linearVelocity: along.map((x) => speed * x) as V3,
    angularVelocity: up.map((x, k) => (run.spin ?? 0) * x + (run.rolling ? (speed / mover.height) * axle[k]! : 0)) as V3,
    linearDamping: 0,
    angularDamping: 0,
    ...(mover.places
      ? { colliders: mover.places.map((x) => ({ shape, position: [x, 0, 0] as V3, friction })) }
      : { shape, friction, rollingResistance: 0 }),
  };
  const body = world.createBody(desc);
  const result: Ride = { world, body, vertical: 0, lost: 0, sideways: 0 };
  for (let i = 0; i < count; i++) {
    world.step();
    if (i < 20) continue;
    const v = velocity(world, body);
    const across = v[0] * up[0] + v[1] * up[1] + v[2] * up[2];
    const way = v[0] * along[0] + v[1] * along[1] + v[2] * along[2];
    result.vertical = Math.max(result.vertical, Math.abs(across));
    result.lost = Math.max(result.lost, Math.abs(1 - way / speed));
    result.sideways = Math.max(result.sideways, length(v.map((x, k) => x - across * up[k]! - way * along[k]!)));
  }
  return result;
}

/**
 * As over one piece: 1e-6 m/s, spheres far below it while they slide. What stands on a rim has its four points there chosen anew
 * now and then. `most` is for floors whose tiles are not one plane, or so small that four of them bear a body.
 */
function expectClean(name: string, { vertical, lost, sideways }: Ride, most = 0): void {
  const bound = name === 'cylinder' || name === 'cone' ? 1e-4 : 1e-6;
  expect(vertical, `${name} vertical`).toBeLessThan(Math.max(most, bound));
  expect(lost, `${name} lost`).toBeLessThan(1e-4);
  expect(sideways, `${name} sideways`).toBeLessThan(1e-3);
}

test.each(['box', 'sphere', 'capsule', 'hull'] as const)(
  'a %s slides over a row, and along a seam, as over a mesh',
  async (name) => {
    for (const run of [{}, { rows: 2 }, { kind: 'colliders' } as const])
      expect((await ride('wide', name, run)).vertical).toBeLessThan(1e-7);
  },
);

const WAYS: [string, Run][] = [
  ['straight on', { rows: 3 }],
  ['oblique', { rows: 9, heading: 0.2, z: -1.5 }],
  ['askew', { rows: 5, heading: 0.05, yaw: 0.5 }],
  ['spinning', { rows: 5, heading: 0.1, spin: 3 }],
  ['over tiles of 25 cm', { rows: 25, heading: 0.1, size: 0.25 }],
  ['spinning over tiles of 25 cm', { rows: 28, heading: 0.2, size: 0.25, z: -1, yaw: 1, spin: -2, speed: 4.3 }],
];

describe.each(WAYS)('%s', (_, run) => {
  // What rounding leaves over one collider is 4e-10 m/s for spheres, to 2e-7 for boxes and hulls, to 1e-6 for capsules and plates.
  const place = WAYS.findIndex(([, one]) => one === run);
  test.each(everyNth(['box', 'sphere', 'capsule', 'hull', 'plate'] as const, 2, place))(
    'a %s slides over all kinds of tiles as over one collider',
    async (name) => {
      let floor = name === 'sphere' ? 1e-9 : 1e-7;
      for (const kind of ['mesh', 'heightfield', 'piece'] as const)
        floor = Math.max(floor, (await ride('wide', name, { ...run, kind })).vertical);
      expect(floor).toBeLessThan(2e-6);
      for (const kind of ['bodies', 'colliders', 'blocks', 'alternating', 'hexagons'] as const) {
        const { vertical, lost, sideways } = await ride('wide', name, { ...run, kind });
        expect(vertical, kind).toBeLessThan(3 * floor);
        expect(lost, kind).toBeLessThan(1e-6);
        expect(sideways, kind).toBeLessThan(1e-6);
      }
    },
  );
});

test.each(['box', 'hull', 'capsule'] as const)('a %s slides out over the border of small tiles', async (name) => {
  for (const kind of ['bodies', 'blocks'] as const)
    expect((await ride('wide', name, { kind, rows: 13, heading: 0.1, size: 0.25 })).vertical).toBeLessThan(1e-6);
});

test('a plate of 10 m has four points on 1600 tiles', async () => {
  const world = await createWorld({ substeps: 12 });
  layFloor(world, { rows: 60, size: 0.25, end: 60 });
  const shape = world.createShape({ type: 'box', halfExtents: [5, 0.1, 5] });
  const plate = world.createBody({ shape, position: [4, 0.1, 0], linearVelocity: [1, 0, 0.3], friction: 0, linearDamping: 0 });
  for (let i = 0; i < 40; i++) {
    world.step();
    expect(world.profile.contactCount).toBe(4);
    expect(Math.abs(velocity(world, plate)[1])).toBeLessThan(1e-4);
  }
  expect(velocity(world, plate)[0]).toBeCloseTo(1, 6);
  expect(velocity(world, plate)[2]).toBeCloseTo(0.3, 6);
});

test.each(SOLVERS)('%s: a box and a ball slide over a row of tiles, a ball rolls over it', async (solver) => {
  expectClean('box', await ride(solver, 'box', {}));
  expectClean('sphere', await ride(solver, 'sphere', {}));
  expectClean('sphere', await ride(solver, 'sphere', { speed: 4, friction: 0.6, rolling: true, rows: 3, heading: 0.03 }));
});

const FLOORS: [string, Run, number?][] = [
  ['a row', {}],
  ['a row, slowly', { speed: 0.7 }],
  ['colliders of one body', { kind: 'colliders', rows: 5, heading: 0.1 }],
  ['a grid, oblique', { rows: 7, heading: 0.2, z: -1.5 }],
  ['a grid, along its diagonal', { rows: 9, heading: Math.PI / 4, z: -3, speed: 3.7, count: 100 }],
  ['along a seam', { rows: 2 }],
  ['askew to the way', { rows: 3, heading: 0.05, yaw: 0.5 }],
  ['spinning', { rows: 5, heading: 0.1, spin: 3 }],
  ['tiles of 25 cm', { rows: 13, heading: 0.1, size: 0.25 }, 2e-5],
  ['tiles of many sizes', { rows: 5, heading: 0.05, mixed: true }, 2e-5],
  ['gaps of 5 micrometers', { rows: 3, gap: 5e-6 }],
  ['overlaps of 5 micrometers', { rows: 3, gap: -5e-6 }],
  ['steps of 5 micrometers', { rows: 3, heading: 0.05, step: 5e-6 }, 1e-4],
  ['a slope, turned', { rows: 5, heading: 0.1, frame: times(turn([0, 1, 0], 0.7), turn([0, 0, 1], 0.3)) }],
  ['1.4 km from the origin', { rows: 5, heading: 0.1, at: [1000.3, 20.7, -999.1] }],
  ['hulls', { kind: 'hulls', rows: 5, heading: 0.1 }, 5e-4],
];

describe.each(FLOORS)('over %s', (_, run, most) => {
  const place = FLOORS.findIndex(([, one]) => one === run);
  test.each(everyNth(ALL, 2, place))('a %s slides', async (name) => {
    expectClean(name, await ride('wide', name, run), most);
  });
});

test.each(['sphere', 'capsule', 'roller'] as const)('a %s rolls', async (name) => {
  for (const kind of ['bodies', 'colliders'] as const)
    expectClean(name, await ride('wide', name, { kind, speed: 4, friction: 0.6, rolling: true, rows: 5, heading: 0.1 }), 1e-5);
});

/** The same obstacle on a floor of tiles and on a floor of one piece: where the body was farthest and highest, where it ends. */
async function compare(
  name: MoverName,
  build: (world: World) => void,
  run: Run & { start?: V3; velocity?: V3; rotation?: Quat },
) {
  const ends = [];
  for (const kind of ['bodies', 'piece'] as const) {
    const world = await createWorld({ substeps: 12 });
    layFloor(world, { rows: 5, ...run, kind });
    build(world);
    const mover: Mover = MOVERS[name];
    const body = world.createBody({
      shape: world.createShape(mover.shape),
      position: run.start ?? [0, mover.height, 0],
      rotation: run.rotation ?? mover.rotation ?? UPRIGHT,
      linearVelocity: run.velocity ?? [3, 0, 0],
      friction: run.friction ?? 0,
    });
    let [far, high] = [-Infinity, -Infinity];
    for (let i = 0; i < (run.count ?? 200); i++) {
      world.step();
      const p = position(world, body);
      far = Math.max(far, p[0]);
      high = Math.max(high, p[1] - mover.height);
    }
    ends.push({ far, high, end: position(world, body), velocity: velocity(world, body) });
  }
  return { tiles: ends[0]!, piece: ends[1]! };
}

function block(world: World, half: V3, center: V3): void {
  world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: half }), position: center });
}

describe('what rises above the tiles stops things', () => {
  const flat = ['box', 'sphere', 'capsule', 'hull', 'cylinder', 'roller'] as const;

  test.each(flat)('%s: a wall on the tiles, and one sunk between them', async (name) => {
    const mover: Mover = MOVERS[name];
    const front = mover.shape.type === 'box' ? 0.5 : mover.rotation === LYING ? mover.height : 0.4;
    const reach = name === 'sphere' ? 0.5 : front;
    for (const bottom of [0, -0.9]) {
      const { tiles, piece } = await compare(name, (w) => block(w, [0.25, 0.75, 3], [3.25, bottom + 0.75, 0]), {});
      expect(tiles.far).toBeLessThan(3 - reach + 1e-3);
      expect(tiles.far).toBeGreaterThan(3 - reach - 0.01);
      expect(tiles.high).toBeLessThan(Math.max(piece.high, 0) + 1e-3);
    }
  });

  test.each(flat)('%s: a curb of 2 mm and a curb of 5 cm act as on one piece', async (name) => {
    for (const height of [0.002, 0.05]) {
      const { tiles, piece } = await compare(name, (w) => block(w, [0.5, height / 2, 3], [3.5, height / 2, 0]), { count: 60 });
      // The hit itself; what tumbles after it is not compared.
      expect(Math.abs(tiles.far - piece.far)).toBeLessThan(0.1);
      expect(Math.abs(tiles.high - piece.high)).toBeLessThan(0.03);
    }
  });

  test('a step of 2 cm between tiles stops a small box and lifts a ball', async () => {
    const world = await createWorld({ substeps: 12 });
    layFloor(world, { rows: 1, end: 3 });
    for (let i = 3; i < 6; i++) block(world, [0.5, 0.5, 0.5], [i + 0.5, -0.48, 0]);
    const box = world.createBody({
      shape: world.createShape({ type: 'box', halfExtents: [0.1, 0.03, 0.1] }),
      position: [2, 0.03, 0.2],
      linearVelocity: [1, 0, 0],
      friction: 0,
    });
    const ball = world.createBody({
      shape: world.createShape({ type: 'sphere', radius: 0.2 }),
      position: [2, 0.2, -0.2],
      linearVelocity: [4, 0, 0],
      friction: 0,
    });
    let high = 0;
    for (let i = 0; i < 90; i++) {
      world.step();
      high = Math.max(high, position(world, ball)[1]);
      expect(position(world, box)[0]).toBeLessThan(2.901);
    }
    expect(high).toBeGreaterThan(0.219);
  });

  test('a stair goes down step by step', async () => {
    const world = await createWorld({ substeps: 12 });
    for (let i = -2; i < 6; i++) block(world, [0.5, 2, 1], [i + 0.5, -2 - 0.15 * Math.max(0, i), 0]);
    const shape = world.createShape({ type: 'sphere', radius: 0.3 });
    const ball = world.createBody({ shape, position: [-0.5, 0.3, 0], linearVelocity: [1.5, 0, 0], friction: 0 });
    let deepest = 0;
    for (let i = 0; i < 200; i++) {
      world.step();
      const [x, y] = position(world, ball);
      deepest = Math.max(deepest, -0.15 * Math.max(0, Math.floor(x)) + 0.3 - y);
      // Nothing but the edges of the steps touches it, and they push on.
      expect(velocity(world, ball)[0]).toBeGreaterThan(1.499);
    }
    expect(deepest).toBeLessThan(2e-3);
  });
});

describe('corners, borders, gaps', () => {
  test('a box that leans into the corner of floor and wall stays', async () => {
    const { tiles, piece } = await compare('box', (w) => block(w, [0.25, 1.5, 3], [1.25, 1.5, 0]), {
      start: [1 - 0.75, 0.72, 0],
      velocity: [0, 0, 0],
      rotation: turn([0, 0, 1], 0.5),
      friction: 0.3,
      count: 240,
    });
    // It slides down both ways and stops somewhere near: where exactly, the last impact decides.
    expect(length(tiles.end.map((x, k) => x - piece.end[k]!))).toBeLessThan(0.1);
    expect(length(tiles.velocity)).toBeLessThan(1e-6);
    expect(tiles.end[1]).toBeGreaterThan(0.499);
    expect(tiles.end[0]).toBeLessThan(0.501);
  });

  test('things fall off the border of the tiles as off that of one piece', async () => {
    for (const name of ['box', 'sphere', 'hull', 'roller'] as const) {
      const { tiles, piece } = await compare(name, () => {}, { end: 4, velocity: [2.5, 0, 0], count: 150 });
      expect(tiles.end[1], name).toBeLessThan(0);
      expect(length(tiles.end.map((x, k) => x - piece.end[k]!)), name).toBeLessThan(0.05);
    }
  });

  test('a ball that rolled into a gap of 30 cm stays in it', async () => {
    const world = await createWorld({ substeps: 12 });
    layFloor(world, { end: 3, friction: 0.5 });
    for (let i = 3; i < 6; i++) block(world, [0.5, 0.5, 0.5], [i + 0.8, -0.5, 0]);
    const shape = world.createShape({ type: 'sphere', radius: 0.3 });
    const ball = world.createBody({ shape, position: [2, 0.3, 0], linearVelocity: [1, 0, 0] });
    steps(world, 300);
    const p = position(world, ball);
    expect(Math.abs(p[0] - 3.15)).toBeLessThan(1e-3);
    expect(Math.abs(p[1] - Math.sqrt(0.3 ** 2 - 0.15 ** 2))).toBeLessThan(1e-3);
  });

  test('a box dropped with speed onto the meeting of four tiles slides on', async () => {
    const world = await createWorld({ substeps: 12 });
    layFloor(world, { rows: 4 });
    const shape = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    const box = world.createBody({ shape, position: [1, 0.8, 0], linearVelocity: [0.7, 0, 0.1], friction: 0 });
    steps(world, 240);
    expect(velocity(world, box)[0]).toBeCloseTo(0.7, 4);
    expect(velocity(world, box)[2]).toBeCloseTo(0.1, 4);
    expect(Math.abs(position(world, box)[1] - 0.3)).toBeLessThan(1e-4);
  });

  test('a tile that the body does not collide with is no neighbor', async () => {
    const world = await createWorld({ substeps: 12 });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    for (let i = -2; i < 6; i++) {
      const ghost = i === 1 ? { category: 2, mask: 2 } : {};
      world.createBody({ type: 'static', position: [i + 0.5, -0.5, 0], colliders: [{ shape, friction: 0, ...ghost }] });
    }
    const ball = world.createShape({ type: 'sphere', radius: 0.3 });
    const body = world.createBody({ position: [0, 0.3, 0], linearVelocity: [1, 0, 0], shape: ball });
    steps(world, 240);
    // It fell where the floor is only to be seen, against the side of the tile behind.
    expect(position(world, body)[1]).toBeLessThan(-1);
  });
});
