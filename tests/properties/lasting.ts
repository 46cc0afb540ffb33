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
    const isUneven = scene.ground.some(({ parts }) => ['mesh', 'heightfield'].includes(parts[0]!.shape.type));
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
    figure('pairs', most.pairs / pairs);
    figure('contacts', most.contacts / (4 * pairs));
    figure('manifolds', most.manifolds / pairs);
    figure('colors', most.colors / scene.bodies.length);
    figure('bytes', bytes);
    figure('grow', used.slice(scene.steps / 2).filter((x, i, all) => i > 0 && x > all[i - 1]!).length);
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
    for (let round = 0; round < 4; round++) {
      const { ids, ground } = await play(scene, world);
      for (let i = 0; i < scene.steps; i++) world.step();
      const shapes = new Set([...ids, ...ground].flatMap((id) => world.collidersOf(id).map((one) => world.getCollider(one).shape)));
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
    return sizes[3]! > sizes[2]! ? `memory in use grows from round to round: ${sizes}` : null;
  },
};

export const LASTING: Property[] = [snapshots, cost, removal];
