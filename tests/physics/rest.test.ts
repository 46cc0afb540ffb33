// Rest: every shape on every static surface lies at its height and does not move, whatever solver; heavy loads and stacks.
import { describe, expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import type { BodyId, ShapeDesc, World } from '../../src/study/index';
import {
  flatHeightfield,
  flatMesh,
  groundWorld,
  position,
  rotate,
  SOLVERS,
  speed,
  spin,
  steps,
  turn,
  type V3,
} from '../helpers/ground';
import { sceneWorld } from '../helpers/scene_world';
import { createWorld } from '../helpers/worlds';

const sideways = turn([0, 0, 1], Math.PI / 2);
const points: number[] = [];
for (let i = 0; i < 8; i++) {
  const a = (Math.PI / 4) * i;
  points.push(0.5 * Math.cos(a), -0.4, 0.5 * Math.sin(a), 0.35 * Math.cos(a), 0.4, 0.35 * Math.sin(a));
}

/** Name, shape, rotation, height of the origin when it lies; how many points it stands on. */
const BODIES: [string, ShapeDesc, ArrayLike<number>, number, number][] = [
  ['sphere', { type: 'sphere', radius: 0.4 }, [0, 0, 0, 1], 0.4, 1],
  ['box', { type: 'box', halfExtents: [0.5, 0.3, 0.4] }, [0, 0, 0, 1], 0.3, 4],
  ['capsule on its side', { type: 'capsule', radius: 0.25, halfHeight: 0.4 }, sideways, 0.25, 2],
  ['cylinder on its base', { type: 'cylinder', radius: 0.4, halfHeight: 0.3 }, [0, 0, 0, 1], 0.3, 4],
  ['cylinder on its side', { type: 'cylinder', radius: 0.3, halfHeight: 0.4 }, sideways, 0.3, 2],
  ['cone on its base', { type: 'cone', radius: 0.4, halfHeight: 0.3 }, [0, 0, 0, 1], 0.3, 4],
  ['hull', { type: 'hull', points }, [0, 0, 0, 1], 0.4, 4],
  ['hull upside down', { type: 'hull', points }, turn([1, 0, 0], Math.PI), 0.4, 4],
];

const prism: number[] = [];
for (let i = 0; i < 6; i++) {
  const a = (Math.PI / 3) * i;
  prism.push(30 * Math.cos(a), 0, 30 * Math.sin(a), 28 * Math.cos(a), -3, 28 * Math.sin(a));
}

/** Surfaces with their top at y = 0. */
const GROUNDS: [string, ShapeDesc, number][] = [
  ['box', { type: 'box', halfExtents: [30, 1, 30] }, -1],
  ['hull', { type: 'hull', points: prism }, 0],
  ['mesh', flatMesh(12, 19), 0],
  ['heightfield', flatHeightfield(12, 19), 0],
];

async function lay(world: World, ground: ShapeDesc, y: number): Promise<BodyId[]> {
  world.createBody({ type: 'static', shape: world.createShape(ground), position: [0, y, 0] });
  return BODIES.map(([, desc, rotation, height], i) => {
    const at: V3 = [-7 + 2 * i + 0.1, height + 0.03, 0.137 * i];
    return world.createBody({ shape: world.createShape(desc), position: at, rotation });
  });
}

describe.each(GROUNDS)('on a %s', (_, ground, y) => {
  test.each(SOLVERS)('every shape lies still at its height with the solver %s', async (solver) => {
    const world = await createWorld({ solver });
    const ids = await lay(world, ground, y);
    steps(world, 240);
    ids.forEach((id, i) => {
      const [name, , , height] = BODIES[i]!;
      const depth = height - position(world, id)[1];
      expect(depth, name).toBeGreaterThan(-1e-4);
      expect(depth, name).toBeLessThan(1e-3);
      expect(speed(world, id), name).toBeLessThan(1e-4);
      // Where it was put, upright; a sphere may have turned.
      expect(Math.hypot(position(world, id)[0] - (-7 + 2 * i + 0.1), position(world, id)[2] - 0.137 * i), name).toBeLessThan(
        2e-3,
      );
      const up = rotate(world.getRotation(id, [0, 0, 0, 0]), [0, 1, 0]);
      const was = rotate(Array.from(BODIES[i]![2]), [0, 1, 0]);
      expect(Math.hypot(...up.map((x, k) => x - was[k]!)), name).toBeLessThan(5e-3);
    });
    expect(world.measure().touchingCount).toBe(BODIES.reduce((sum, body) => sum + body[4], 0));
  });
});

describe.each(SOLVERS)('%s', (solver) => {
  test('a stack of 20 stands within 1 cm of where it was put', async () => {
    const scene = buildScene('stack', { seed: 1 });
    const world = await sceneWorld(scene, { solver });
    const start = world.positions.slice();
    let sway = 0;
    let offset = 0;
    for (let i = 0; i < 600; i++) {
      world.step();
      const p = world.positions;
      offset = 0;
      for (let k = 0; k < world.slotCount; k++) {
        offset = Math.max(offset, Math.hypot(p[4 * k]! - start[4 * k]!, p[4 * k + 2]! - start[4 * k + 2]!));
      }
      sway = Math.max(sway, offset);
    }
    expect(offset).toBeLessThan(0.01);
    // While the boxes, which start without load, settle on each other.
    expect(sway).toBeLessThan(0.02);
    expect(world.measure().rmsSpeed).toBeLessThan(1e-3);
  });

  test('a block on five slabs of a hundredth of its mass stands, and the slabs carry it', async () => {
    const { world, cube } = await groundWorld({ solver });
    const slab = world.createShape({ type: 'box', halfExtents: [0.6, 0.05, 0.6] });
    const slabs = Array.from({ length: 5 }, (_, i) => world.createBody({ shape: slab, position: [0, 0.05 + 0.1 * i, 0] }));
    const block = world.createBody({ shape: cube, position: [0, 1, 0], mass: 100 * world.getMass(slabs[0]!) });
    steps(world, 600);
    // 14 tons on contacts as soft as slabs of 144 kg need them.
    expect(position(world, block)[1]).toBeGreaterThan(0.93);
    expect(Math.hypot(position(world, block)[0], position(world, block)[2])).toBeLessThan(5e-3);
    for (const id of slabs) expect(speed(world, id)).toBeLessThan(1e-3);
    expect(speed(world, block)).toBeLessThan(1e-3);
  });
});

test('a box at rest does not creep, turn or sink in a minute', async () => {
  const { world, cube } = await groundWorld();
  const box = world.createBody({ shape: cube, position: [0, 0.5, 0], rotation: turn([0, 1, 0], 0.3) });
  steps(world, 60);
  const p = position(world, box);
  const q = world.getRotation(box, [0, 0, 0, 0]);
  steps(world, 3600);
  expect(Math.hypot(...position(world, box).map((x, k) => x - p[k]!))).toBeLessThan(1e-5);
  expect(Math.hypot(...world.getRotation(box, [0, 0, 0, 0]).map((x, k) => x - q[k]!))).toBeLessThan(1e-5);
  expect(speed(world, box)).toBeLessThan(1e-6);
  expect(Math.hypot(...spin(world, box))).toBeLessThan(1e-6);
});
