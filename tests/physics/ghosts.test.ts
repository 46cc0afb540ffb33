// Bevels whose rims are level with the floor: what slides or rolls over them meets nothing. A contact that lies ahead is made from a
// plane, and the plane goes on where the bevel ends.
import { describe, expect, test } from 'vitest';
import { buildScene, STRIP_SPEEDS } from '../../scenes/index';
import { populate } from '../../scenes/stage';
import type { BodyDesc, ColliderDesc, ShapeDesc, World } from '../../src/study/index';
import { position, velocity } from '../helpers/ground';
import { everyNth, isLong } from '../helpers/long';
import { createWorld } from '../helpers/worlds';

const INCH = 0.0254;
const WIDE = 1.6;
/** From beam to beam of the strip, m. */
const PERIOD = 60 * INCH;
/** x and y of the floor, inches: a pit with bevelled rims, a groove that no ball sinks into. */
const PIT: [number, number][] = [
  [-100, 0],
  [0, 0],
  [1.5, -1],
  [1.5, -24],
  [8.5, -24],
  [8.5, -1],
  [10, 0],
  [170, 0],
];
const GROOVE: [number, number][] = [
  [-100, 0],
  [0, 0],
  [1, -0.7],
  [2, 0],
  [170, 0],
];

function surface(profile: [number, number][]): ShapeDesc {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [x, y] of profile) positions.push(x * INCH, y * INCH, -WIDE, x * INCH, y * INCH, WIDE);
  for (let i = 0; i + 1 < profile.length; i++) {
    const a = 2 * i;
    indices.push(a, a + 1, a + 3, a, a + 3, a + 2);
  }
  return { type: 'mesh', positions, indices };
}

/** Blocks with tops at y = 0 from and to x, inches; `bevel` is the run of their rims. */
function block(from: number, to: number, left: number, right: number): ShapeDesc {
  const points: number[] = [];
  for (const z of [-WIDE, WIDE]) {
    for (const [x, y] of [
      [from, -24],
      [to, -24],
      [from, left > 0 ? -0.7 : 0],
      [to, right > 0 ? -0.7 : 0],
      [from + left, 0],
      [to - right, 0],
    ] as const) {
      points.push(x * INCH, y * INCH, z);
    }
  }
  return { type: 'hull', points };
}

/** Each lays a floor and answers its velocity along x, for a body at speed v. `round`: with a groove instead of a pit. */
const FLOORS: Record<string, (world: World, v: number, round: boolean) => number> = {
  mesh(world, _v, round) {
    world.createBody({ type: 'static', shape: world.createShape(surface(round ? GROOVE : PIT)) });
    return 0;
  },
  'moving mesh'(world, v, round) {
    const shape = world.createShape(surface(round ? GROOVE : PIT));
    world.createBody({ type: 'kinematic', linearVelocity: [-v / 2, 0, 0], shape });
    return -v / 2;
  },
  heightfield(world, _v, round) {
    const spacing = (round ? 1 : 1.5) * INCH;
    const [nx, nz, before] = [240, 60, 80];
    const heights = new Float32Array(nx * nz);
    for (let i = 1; i < (round ? 2 : 6); i++) for (let k = 0; k < nz; k++) heights[before + i + nx * k] = -spacing * 0.7;
    const shape = world.createShape({ type: 'heightfield', nx, nz, spacing, heights });
    world.createBody({ type: 'static', shape, position: [-before * spacing, 0, -30 * spacing] });
    return 0;
  },
  hulls(world, _v, round) {
    const [bevel, gap] = round ? [1, 0] : [1.5, 7];
    for (const shape of [
      block(-100, -50, 0, 0),
      block(-50, bevel, 0, bevel),
      block(bevel + gap, 60, bevel, 0),
      block(60, 170, 0, 0),
    ]) {
      world.createBody({ type: 'static', shape: world.createShape(shape) });
    }
    return 0;
  },
  boxes(world, _v, round) {
    for (const [from, to] of [
      [-100, -50],
      [-50, 0],
      [round ? 1 : 10, 60],
      [60, 170],
    ] as const) {
      const shape = world.createShape({ type: 'box', halfExtents: [((to - from) / 2) * INCH, 0.3, WIDE] });
      world.createBody({ type: 'static', shape, position: [((from + to) / 2) * INCH, -0.3, 0] });
    }
    return 0;
  },
};

const PRISM: number[] = [];
for (let i = 0; i < 8; i++) {
  for (const y of [-0.4, 0.4]) PRISM.push(0.5 * Math.cos((i * Math.PI) / 4), y, 0.5 * Math.sin((i * Math.PI) / 4));
}

interface Mover {
  shape: ShapeDesc;
  height: number;
  rotation?: [number, number, number, number];
  places?: number[];
  round?: boolean;
  /** Only with its rotation locked. */
  upright?: boolean;
}

const MOVERS: Record<string, Mover> = {
  'tall box': { shape: { type: 'box', halfExtents: [0.406, 0.914, 0.406] }, height: 0.914 },
  'flat box': { shape: { type: 'box', halfExtents: [0.5, 0.25, 0.406] }, height: 0.25 },
  hull: { shape: { type: 'hull', points: PRISM }, height: 0.4 },
  compound: { shape: { type: 'box', halfExtents: [0.25, 0.2, 0.3] }, height: 0.2, places: [-0.25, 0.25] },
  'lying capsule': {
    shape: { type: 'capsule', halfHeight: 0.5, radius: 0.406 },
    height: 0.406,
    rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  },
  // Free it falls over.
  'upright capsule': { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.406 }, height: 0.906, upright: true, round: true },
  sphere: { shape: { type: 'sphere', radius: 0.9 }, height: 0.9, round: true },
  'rolling capsule': {
    shape: { type: 'capsule', halfHeight: 0.3, radius: 0.9 },
    height: 0.9,
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    round: true,
  },
};

/** Launches (upwards above 0.2 m/s) of `passes`, and the largest change of the speed, as a share of it. */
async function slide(floor: string, mover: string, v: number, locked: boolean, passes: number) {
  const { shape, height, rotation, places, round } = MOVERS[mover] as Mover;
  let launched = 0;
  let change = 0;
  for (let k = 0; k < passes; k++) {
    const world = await createWorld({ gravity: [0, -10, 0], warn: false });
    const base = (FLOORS[floor] as (typeof FLOORS)[string])(world, v, round === true);
    const surface = { friction: 0, frictionCombine: 'min' } as const;
    const colliders: ColliderDesc[] = (places ?? [0]).map((x) => ({
      shape: world.createShape(shape),
      position: [x, 0, 0],
      ...surface,
    }));
    const desc: BodyDesc = {
      position: [-1.5 + (0.26 * k) / passes, height, 0],
      mass: 500,
      allowSleep: false,
      linearVelocity: [v + base, 0, 0],
      colliders,
    };
    if (rotation) desc.rotation = rotation;
    if (locked) desc.locks = { rotation: 'xyz' };
    const id = world.createBody(desc);
    let up = 0;
    for (let i = 0; i < (2.5 / v) * 60; i++) {
      world.step();
      up = Math.max(up, velocity(world, id)[1]);
    }
    if (up > 0.2) launched++;
    change = Math.max(change, Math.abs((velocity(world, id)[0] - base) / v - 1));
    world.dispose();
  }
  return { launched, change };
}

describe('level bevels launch nothing', () => {
  for (const [i, floor] of Object.keys(FLOORS).entries()) {
    for (const [k, mover] of Object.keys(MOVERS).entries()) {
      test.each(everyNth([1.5, 3, 5, 9], 2, i + k))(`${mover} over ${floor} at %d m/s`, async (v) => {
        for (const locked of MOVERS[mover]?.upright ? [true] : [true, false]) {
          const { launched, change } = await slide(floor, mover, v, locked, isLong ? 12 : 3);
          expect(launched, locked ? 'locked' : 'free').toBe(0);
          expect(change, locked ? 'locked' : 'free').toBeLessThan(0.01);
        }
      });
    }
  }

  // 60 s at these speeds, end to end, on a strip of 60 beams that is begun again where it ends.
  test('what slides over the strip keeps its height for a minute', async () => {
    const scene = buildScene('strip');
    const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, warn: false });
    const movers = populate(world, scene).bodies.filter((id) => world.getType(id) === 'dynamic');
    let launched = 0;
    const wasUp = movers.map(() => false);
    for (let step = 0; step < 3600; step++) {
      world.step();
      for (const [i, id] of movers.entries()) {
        const [, y] = velocity(world, id);
        if (y > 0.5 && !wasUp[i]) launched++;
        wasUp[i] = y > 0.5;
        const [x, ...rest] = position(world, id);
        if (x > 80) world.teleport(id, [x - PERIOD * 50, ...rest]);
      }
    }
    expect(launched).toBeLessThanOrEqual(2);
    for (const [i, id] of movers.entries()) {
      const speed = STRIP_SPEEDS[Math.floor(i / 3)] as number;
      expect(Math.abs(velocity(world, id)[0] / speed - 1)).toBeLessThan(0.01);
    }
    world.dispose();
  });
});
