// What a world keeps: snapshots go on to the bit, steps cost what the number of bodies allows, removed bodies leave nothing.
import { createWorld, type World } from '../../src/index';
import { Header } from '../../src/layout.generated';
import type { LinearMemory } from '../../src/wasm/memory';
import { figure } from './figures';
import type { Property } from './property';
import { Draw, drawScene, play, type Scene } from './scene';

const JOINTS = ['ball', 'hinge', 'slider', 'cone-twist', 'distance', 'six-axis', 'wheel'] as const;

const header = (world: World, field: keyof typeof Header): number =>
  (world as unknown as { memory: LinearMemory }).memory.headerU32(Header[field]);

const drawAny = (seed: number): Scene =>
  drawScene(seed, {
    grounds: ['plane', 'box', 'mesh', 'heightfield', 'room', 'none'],
    gravity: seed % 4 > 0,
    count: [5, 20],
    steps: [60, 90],
    sleep: true,
    filters: seed % 3 === 0,
    ...(seed % 2 ? { joints: JOINTS, drives: 'any' as const } : {}),
  });

/** A world restored from a snapshot of any step, and a clone of that step, go on to the same bits. */
const snapshots: Property = {
  name: 'snapshots',
  draw: drawAny,
  async check(scene) {
    const { world } = await play(scene);
    const at = new Draw(scene.seed).int(0, scene.steps - 10);
    for (let i = 0; i < at; i++) world.step();
    const bytes = world.snapshot();
    const restored = await createWorld(scene.options);
    restored.restore(bytes);
    const cloned = await world.clone();
    const worlds = [world, restored, cloned];
    let fault: string | null = null;
    for (let i = at; i < scene.steps && fault === null; i++) {
      for (const one of worlds) one.step();
      if (i % 10 > 0 && i < scene.steps - 1) continue;
      const [hash, again, clone] = worlds.map((one) => one.hash());
      if (again !== hash) fault = `restored at step ${at}, it differs at step ${i}`;
      else if (clone !== hash) fault = `cloned at step ${at}, it differs at step ${i}`;
    }
    // Back to the step of the snapshot in the world that has gone on.
    if (fault === null) {
      const last = world.hash();
      world.restore(bytes);
      for (let i = at; i < scene.steps; i++) world.step();
      if (world.hash() !== last) fault = `played again from step ${at}, it ends in other bits`;
    }
    for (const one of worlds) one.dispose();
    return fault;
  },
};

/** Manifolds of one body with uneven ground at most. */
const REGIONS = 4;
/** Memory of a world, bytes: of an empty one with its ground and pools, and of each collider with its body and contacts. */
const BASE_BYTES = 500_000;
const BODY_BYTES = 8_000;
/** Steps of the second half in which memory may grow. */
const LATE = 12;

/** Counts of a step, bounded by the number of bodies, and memory that stops growing. */
const cost: Property = {
  name: 'cost',
  draw(seed) {
    const scene = drawAny(seed);
    return { ...scene, steps: 2 * scene.steps, options: { ...scene.options, sleep: false } };
  },
  async check(scene) {
    const { world } = await play(scene);
    const moving = scene.bodies.reduce((sum, { parts }) => sum + parts.length, 0);
    const fixed = scene.ground.length;
    // Each collider with each other one and with the ground.
    const pairs = (moving * (moving - 1)) / 2 + moving * fixed;
    // Uneven ground has a manifold for each region of triangles that a body touches; a body spans a part of the cells alone.
    const isUneven = scene.ground.some(({ parts }) => ['mesh', 'heightfield'].includes(parts[0]!.shape.type));
    const manifolds = (moving * (moving - 1)) / 2 + moving * (isUneven ? REGIONS : fixed);
    let most = { pairs: 0, contacts: 0, colors: 0, manifolds: 0 };
    const used: number[] = [];
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      const { profile } = world;
      most = {
        pairs: Math.max(most.pairs, profile.pairs),
        contacts: Math.max(most.contacts, profile.contactCount),
        colors: Math.max(most.colors, profile.colors),
        manifolds: Math.max(most.manifolds, header(world, 'manifoldAlive')),
      };
      used.push(header(world, 'memoryUsed'));
    }
    const bytes = used.at(-1)!;
    world.dispose();
    // Pools grow by doubling: bytes of all bodies, and a number of blocks for whatever else there is.
    const mostBytes = BASE_BYTES + BODY_BYTES * moving;
    // Contacts of a steady state vary: a pool may still double once or twice in the second half, not in every few steps.
    const late = used.slice(scene.steps / 2).filter((x, i, all) => i > 0 && x > all[i - 1]!).length;
    figure('late', late);
    figure('bytes', bytes / mostBytes);
    if (most.pairs > pairs) return `${most.pairs} pairs of ${pairs}`;
    if (most.manifolds > manifolds) return `${most.manifolds} manifolds, more than ${manifolds}`;
    if (most.contacts > 4 * manifolds) return `${most.contacts} contacts, more than ${4 * manifolds}`;
    // A greedy coloring needs at most one color more than the sum of the degrees of two bodies, and a color per four lanes
    // besides.
    if (most.colors > 2 * moving + 2) return `${most.colors} colors for ${moving} colliders`;
    if (bytes > mostBytes) return `${bytes} bytes in use, more than ${mostBytes}`;
    if (late > LATE) return `memory grows in ${late} steps of the second half`;
    return null;
  },
};

/** Scenes built and removed again and again leave a world as empty, and as large, as after the first times. */
const removal: Property = {
  name: 'removal',
  draw: (seed) => ({ ...drawAny(seed), steps: 20 }),
  async check(scene) {
    const world = await createWorld(scene.options);
    const sizes: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { ids, ground } = await play(scene, world);
      for (let i = 0; i < scene.steps; i++) world.step();
      const shapes = new Set(
        [...ids, ...ground].flatMap((id) => world.collidersOf(id).map((one) => world.getCollider(one).shape)),
      );
      for (const id of [...ids, ...ground]) world.removeBody(id);
      for (const shape of shapes) world.removeShape(shape);
      world.step();
      const left = {
        bodies: world.bodyCount,
        joints: world.jointCount,
        manifolds: header(world, 'manifoldAlive'),
        pairs: header(world, 'pairCount'),
        contacts: header(world, 'contactCount'),
        touching: world.measure().contactCount,
      };
      for (const [what, count] of Object.entries(left)) if (count > 0) return `round ${round} leaves ${count} ${what}`;
      sizes.push(header(world, 'memoryUsed'));
    }
    world.dispose();
    // Arrays keep the capacity of the fullest moment so far, which a round may beat by a little; a leak grows in every round.
    const grows = sizes.slice(1).filter((size, i) => size > sizes[i]!).length;
    return grows === sizes.length - 1 ? `memory in use grows in every round: ${sizes}` : null;
  },
};

export const LASTING: Property[] = [snapshots, cost, removal];
