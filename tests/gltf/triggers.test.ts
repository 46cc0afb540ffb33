// Triggers of glTF files: single ones, compound ones, those that move with a body, and who is told of them.
import { beforeEach, expect, test } from 'vitest';
import { type GltfTriggerEvent, loadPhysics } from '../../src/gltf/index';
import { createWorld, type World } from '../../src/index';
import { box, khrFile, solid } from './files';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const load = (file: object) => loadPhysics(world, file, { warn: false });
const zone = (shape: number, more = {}) => ({ trigger: { geometry: { shape }, ...more } });
const steps = (n: number) => {
  for (let i = 0; i < n; i++) world.step();
};

test('a box falls through a trigger: it enters, it leaves, and nothing stops it', () => {
  const level = load(
    khrFile({
      nodes: [
        { name: 'zone', physics: zone(0) },
        { name: 'crate', translation: [0, 3, 0], children: [2], physics: { motion: { mass: 1 } } },
        { name: 'shell', physics: solid(1) },
      ],
      shapes: [box(2, 1, 2), box(0.5, 0.5, 0.5)],
    }),
  );
  const told: GltfTriggerEvent[] = [];
  const end = level.onTrigger((event) => told.push(event));
  steps(120);
  expect(told).toMatchObject([
    { kind: 'enter', trigger: 0, name: 'zone', node: 2, body: level.body('crate') },
    { kind: 'exit', trigger: 0, name: 'zone', node: 2, body: level.body('crate') },
  ]);
  expect((world.getPosition(level.body('crate'), [0, 0, 0]) as number[])[1]).toBeLessThan(-10);
  end();
  const ball = world.createShape({ type: 'sphere', radius: 0.2 });
  world.createBody({ shape: ball, position: [0, 1, 0] });
  steps(60);
  expect(told).toHaveLength(2);
});

test('a compound trigger is one: entered with its first part, left with its last', () => {
  const level = load(
    khrFile({
      nodes: [
        { name: 'gate', children: [1, 2], physics: { trigger: { nodes: [1, 2] } } },
        { name: 'low', physics: zone(0) },
        { name: 'high', translation: [0, 0.8, 0], physics: zone(0) },
      ],
      shapes: [box(2, 1, 2)],
    }),
  );
  expect(level.triggers.get(0)).toHaveLength(2);
  const told: string[] = [];
  level.onTrigger(({ kind, name, node }) => told.push(`${kind} ${name} ${node}`));
  const ball = world.createShape({ type: 'sphere', radius: 0.2 });
  world.createBody({ shape: ball, position: [0, 3, 0] });
  steps(120);
  expect(told).toEqual(['enter high -1', 'enter gate -1', 'enter low -1', 'exit high -1', 'exit low -1', 'exit gate -1']);
});

test('a trigger on a body moves with it and has no mass; its filter holds; two triggers do not tell each other', () => {
  const level = load(
    khrFile({
      nodes: [
        {
          name: 'scanner',
          translation: [-4, 0, 0],
          children: [1, 2],
          physics: { motion: { isKinematic: true, linearVelocity: [4, 0, 0] } },
        },
        { name: 'eye', physics: zone(0, { collisionFilter: 0 }) },
        { physics: zone(0, { collisionFilter: 0 }) },
        { name: 'seen', translation: [0, 0, 0], physics: { motion: { gravityFactor: 0 }, ...solid(1, { collisionFilter: 1 }) } },
        {
          name: 'hidden',
          translation: [1, 0, 0],
          physics: { motion: { gravityFactor: 0 }, ...solid(1, { collisionFilter: 2 }) },
        },
        { name: 'other', translation: [0, 0, 1], physics: zone(0) },
        { name: 'cart', translation: [0, 9, 0], physics: { motion: { gravityFactor: 0 }, ...solid(1), ...zone(0) } },
      ],
      shapes: [box(1, 1, 1), box(0.4, 0.4, 0.4)],
      filters: [
        { collisionSystems: ['scan'], collideWithSystems: ['visible'] },
        { collisionSystems: ['visible'] },
        { collisionSystems: ['secret'] },
      ],
    }),
  );
  expect(level.unsupported).toEqual([]);
  expect(world.getMass(level.body('cart'))).toBeCloseTo(1000 * 0.4 ** 3, 2);
  const told: string[] = [];
  level.onTrigger(({ kind, name, node }) => kind === 'enter' && told.push(`${name || 'twin'} ${level.nameOf(node)}`));
  steps(120);
  expect(told.sort()).toEqual(['eye seen', 'twin seen']);
});

test('a compound trigger that lists what has none is in the list', () => {
  const level = load(khrFile({ nodes: [{ children: [1], physics: { trigger: { nodes: [1] } } }, {}] }));
  expect(level.unsupported.map(({ effect }) => effect)).toEqual(['skipped', 'skipped']);
  expect(() => level.onTrigger(3 as never)).toThrow(/a function/);
});
