// A character at slopes that are too steep, of every shape, smooth and stepped; and where it is put on one that it may stand on.
import { describe, expect, test } from 'vitest';
import { Character, type CharacterDesc } from '../../src/controllers/index';
import { createWorld, type ShapeDesc, type World } from '../../src/index';
import { everyNth, isLong } from '../helpers/long';

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.6 };
/** x of the foot of each slope, m. */
const FOOT = 1;
const SIZE = 12;
/** Of stairs, m. */
const TOP = 2.5;
/** Step height of a character unless it is told another, m. */
const HIGHEST = 0.35;
/** Degrees. */
const ANGLES = isLong ? [51, 52, 54, 57, 60, 63, 64, 65, 67, 70, 75, 80, 84, 86, 88, 89] : [51, 60, 75, 89];

type Maker = (world: World, angle: number) => void;

const rad = (degrees: number) => (degrees * Math.PI) / 180;

async function level(): Promise<World> {
  const world = await createWorld({ warn: false });
  world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal: [0, 1, 0], offset: 0 }) });
  return world;
}

/** A block whose upper face is a slope that begins at the foot, so far along it and so high above it. */
function block(world: World, angle: number, from: number, to: number, lift: number, hull = false): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const half = [(to - from) / 2, 0.5, 4];
  const along = (from + to) / 2;
  const up = lift - 0.5;
  const points: number[] = [];
  for (const x of [-1, 1])
    for (const y of [-1, 1]) for (const z of [-1, 1]) points.push(x * half[0]!, y * half[1]!, z * half[2]!);
  world.createBody({
    type: 'static',
    shape: world.createShape(hull ? { type: 'hull', points } : { type: 'box', halfExtents: half }),
    position: [FOOT + along * c - up * s, along * s + up * c, 0],
    rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
  });
}

/** Stairs of boxes, as steep as the slope measured from edge to edge. */
const stairs =
  (rise: number): Maker =>
  (world, angle) => {
    const tread = rise / Math.tan(angle);
    for (let i = 0; i < TOP / rise; i++) {
      const height = (i + 1) * rise;
      const shape = world.createShape({ type: 'box', halfExtents: [4, height / 2, 6] });
      world.createBody({ type: 'static', shape, position: [FOOT + i * tread + 4, height / 2, 0] });
    }
  };

/** The same of one mesh, turned about the up direction. */
const meshStairs =
  (rise: number, turned = 0): Maker =>
  (world, angle) => {
    const tread = rise / Math.tan(angle);
    const count = Math.ceil(TOP / rise);
    const profile: [number, number][] = [];
    for (let i = 0; i < count; i++) profile.push([FOOT + i * tread, i * rise], [FOOT + i * tread, (i + 1) * rise]);
    profile.push([FOOT + count * tread + 4, count * rise]);
    const positions = profile.flatMap(([x, y]) => [x, y, -6, x, y, 6]);
    const indices = profile.slice(1).flatMap((_, i) => [0, 1, 2, 2, 1, 3].map((k) => k + 2 * i));
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'mesh', positions, indices }),
      rotation: [0, Math.sin(turned / 2), 0, Math.cos(turned / 2)],
    });
  };

const SLOPES: Record<string, Maker> = {
  plane: (world, angle) => {
    const normal = [-Math.sin(angle), Math.cos(angle), 0];
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal, offset: normal[0]! * FOOT }) });
  },
  box: (world, angle) => block(world, angle, -2, SIZE, 0),
  hull: (world, angle) => block(world, angle, -2, SIZE, 0, true),
  mesh: (world, angle) => {
    const [x, y] = [FOOT + SIZE * Math.cos(angle), SIZE * Math.sin(angle)];
    const positions = [FOOT, 0, -4, FOOT, 0, 4, x, y, -4, x, y, 4];
    world.createBody({ type: 'static', shape: world.createShape({ type: 'mesh', positions, indices: [0, 1, 2, 2, 1, 3] }) });
  },
  'closed mesh': (world, angle) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [x, y] = [FOOT + SIZE * c, SIZE * s];
    const [dx, dy] = [0.05 * s, -0.05 * c];
    const low = [FOOT, 0, x, y, x + dx, y + dy, FOOT + dx, dy];
    const positions = [-4, 4].flatMap((z) => [0, 1, 2, 3].flatMap((i) => [low[2 * i]!, low[2 * i + 1]!, z]));
    const quads = [
      [0, 4, 5, 1],
      [1, 5, 6, 2],
      [2, 6, 7, 3],
      [3, 7, 4, 0],
      [0, 1, 2, 3],
      [4, 7, 6, 5],
    ];
    const indices = quads.flatMap(([a, b, c2, d]) => [a!, b!, c2!, a!, c2!, d!]);
    world.createBody({ type: 'static', shape: world.createShape({ type: 'mesh', positions, indices }) });
  },
  heightfield: (world, angle) => {
    const [nx, nz, spacing] = [24, 24, 0.4];
    const heights = new Float32Array(nx * nz);
    for (let z = 0; z < nz; z++)
      for (let x = 0; x < nx; x++) heights[x + nx * z] = Math.max(x - 8, 0) * spacing * Math.tan(angle);
    const shape = world.createShape({ type: 'heightfield', nx, nz, spacing, heights });
    world.createBody({ type: 'static', shape, position: [FOOT - 8 * spacing, 0, -4.6] });
  },
  'adjoining boxes': (world, angle) => {
    for (let i = 0; i < 12; i++) block(world, angle, i === 0 ? -2 : i * 0.4, (i + 1) * 0.4, 0);
  },
  'boxes with ledges of 2 cm': (world, angle) => {
    for (let i = 0; i < 12; i++) block(world, angle, i === 0 ? -2 : i * 0.4, (i + 1) * 0.4, -0.02 * i);
  },
};

const STAIRS: Record<string, Maker> = Object.fromEntries(
  [0.05, 0.1, 0.2, HIGHEST].flatMap((rise) => [
    [`stairs of ${100 * rise} cm`, stairs(rise)],
    [`mesh of stairs of ${100 * rise} cm`, meshStairs(rise)],
  ]),
);
STAIRS['turned mesh of stairs of 15 cm'] = meshStairs(0.15, 0.3);

const SHAPES: Record<string, ShapeDesc> = {
  capsule: CAPSULE,
  cylinder: { type: 'cylinder', radius: 0.3, halfHeight: 0.9 },
  box: { type: 'box', halfExtents: [0.3, 0.9, 0.3] },
};

/** The highest that it comes within so many steps. */
function climb(world: World, desc: Partial<CharacterDesc>, speed: number, steps = 90): number {
  const who = new Character(world, { shape: CAPSULE, position: [0, 0, 0], ...desc });
  let top = 0;
  for (let i = 0; i < steps; i++) {
    who.walk({ velocity: [speed, 0, speed * 0.1 * Math.sin(i / 9)] });
    world.step();
    top = Math.max(top, who.getPosition([0, 0, 0])[1]!);
  }
  who.dispose();
  return top;
}

describe.each(Object.entries({ ...SLOPES, ...STAIRS }))('%s', (_, make) => {
  test('too steep: it comes no higher than a centimeter, at any speed, with and without steps', async () => {
    const higher: string[] = [];
    for (const degrees of ANGLES) {
      const world = await level();
      make(world, rad(degrees));
      for (const [kind, shape] of Object.entries(SHAPES)) {
        for (const speed of everyNth([1, 3.5, 6], 2)) {
          for (const [word, more] of Object.entries({ steps: {}, 'no steps': { stepHeight: 0 } })) {
            const top = climb(world, { shape, ...more }, speed);
            if (top >= 0.01) higher.push(`${kind}, ${degrees} degrees, ${speed} m/s, ${word}: ${top.toFixed(3)} m`);
          }
        }
      }
      world.dispose();
    }
    expect(higher).toEqual([]);
  });
});

describe.each(Object.entries(STAIRS))('%s', (_, make) => {
  test.each(everyNth([20, 30, 40, 45, 49], 2))('of a mean slope of %i degrees are climbed, at any speed', async (degrees) => {
    const angle = rad(degrees);
    const world = await level();
    make(world, angle);
    for (const [kind, shape] of Object.entries(SHAPES)) {
      for (const speed of everyNth([1, 3.5, 6], 2)) {
        // Half a second to start, and twice as long as a walk of that speed that goes round the edges.
        const steps = 60 * (0.5 + (2.2 * (FOOT + TOP / Math.tan(angle)) + 2 * TOP) / speed);
        const top = climb(world, { shape }, speed, Math.ceil(steps));
        expect(top, `${kind}, ${speed} m/s`).toBeGreaterThan(TOP - 0.01);
      }
    }
    world.dispose();
  });
});

test('a single step is climbed from a stand before it, whatever its height', async () => {
  for (const height of [0.02, 0.05, 0.1, 0.2, 0.3, HIGHEST]) {
    for (const turned of everyNth([0, 0.3, Math.PI / 4], 2)) {
      const world = await level();
      world.createBody({
        type: 'static',
        shape: world.createShape({ type: 'box', halfExtents: [2, height, 4] }),
        position: [2 * Math.cos(turned) + 0.45, 0, -2 * Math.sin(turned)],
        rotation: [0, Math.sin(turned / 2), 0, Math.cos(turned / 2)],
      });
      for (const shape of Object.values(SHAPES)) {
        for (const speed of [0.5, 3.5]) {
          expect(climb(world, { shape }, speed, 90)).toBeGreaterThan(height - 1e-3);
        }
      }
      world.dispose();
    }
  }
});

test('an edge that it only grazes does not stop it', async () => {
  const stopped: string[] = [];
  for (let degrees = 44; degrees < 49.5; degrees += isLong ? 0.25 : 1) {
    const world = await level();
    meshStairs(0.05, 0.3)(world, rad(degrees));
    for (const speed of everyNth([3, 3.5, 4, 5], 2)) {
      const who = new Character(world, { shape: CAPSULE, position: [0, 0, 0] });
      who.walk({ velocity: [speed, 0, 0] });
      let top = 0;
      for (let i = 0; i < 240; i++) {
        world.step();
        top = Math.max(top, who.getPosition([0, 0, 0])[1]!);
      }
      who.dispose();
      if (top < TOP - 0.01) stopped.push(`${degrees} degrees, ${speed} m/s: ${top.toFixed(3)} m`);
    }
    world.dispose();
  }
  expect(stopped).toEqual([]);
});

test('a wall behind a step stops nothing but what has no room before it', async () => {
  const world = await level();
  const box = (halfExtents: number[], position: number[]) =>
    world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents }), position });
  box([1, 0.3, 4], [FOOT + 1, 0, 0]);
  box([1, 2, 4], [FOOT + 1.4, 2, 0]);
  for (const shape of Object.values(SHAPES)) expect(climb(world, { shape }, 3)).toBeCloseTo(0.3, 3);
});

describe.each(['plane', 'box', 'hull', 'mesh', 'closed mesh', 'heightfield', 'adjoining boxes'])('%s', (name) => {
  test.each([0, 10, 20, 30, 35, 40, 45, 49])(
    'put on a slope of %i degrees it stands there from its first step on',
    async (degrees) => {
      const angle = rad(degrees);
      const world = await level();
      SLOPES[name]!(world, angle);
      // With the lowest point of its shape on the slope; with all of it above; a skin above that.
      const out = 0.3 * (1 / Math.cos(angle) - 1);
      const skin = 0.01 / Math.cos(angle);
      for (const above of [0, out, out + skin, out + 0.01 + skin]) {
        const position = [FOOT + 1.1, 1.1 * Math.tan(angle) + above, 0];
        const who = new Character(world, { shape: CAPSULE, position });
        world.step();
        expect(who.grounded).toBe(true);
        for (let i = 0; i < 4; i++) world.step();
        const first = who.getPosition([0, 0, 0]);
        for (let i = 0; i < 60; i++) {
          world.step();
          expect(who.grounded).toBe(true);
        }
        const last = who.getPosition([0, 0, 0]);
        expect(Math.hypot(...last.map((x, i) => x - first[i]!))).toBeLessThan(1e-4);
        expect(Math.abs(last[0]! - position[0]!)).toBeLessThan(0.02);
        // Likewise where it is put later on.
        who.teleport([FOOT + 2, 2 * Math.tan(angle) + above, 0]);
        world.step();
        expect(who.grounded).toBe(true);
        who.dispose();
      }
    },
  );
});
