// A disposed world: every call and every getter says so, but for those that are documented to answer.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../src/index';
import * as study from '../../src/study/index';
import { World as StudyWorld } from '../../src/study/world';
import { World } from '../../src/world/world';
import { prototypesOf, worldSources } from '../helpers/world_class';

/** Answer after `dispose`, or are no part of the API. */
const ANSWERS = new Set(['constructor', 'isAlive', 'dispose', 'open']);
const source = [...worldSources(), readFileSync(resolve(import.meta.dirname, '../../src/study/world.ts'), 'utf8')].join('\n');
const isPrivate = (name: string) => new RegExp(`(private|protected) (override )?(async |get )?${name}\\(`).test(source);

test.each([
  ['talus', createWorld, World],
  ['talus/study', study.createWorld, StudyWorld],
] as const)('%s: every call and getter throws, dispose may be called again', async (_, create, made) => {
  const world = await create();
  const shape = world.createShape({ type: 'sphere', radius: 1 });
  const body = world.createBody({ shape });
  const [collider] = world.collidersOf(body);
  world.step();
  world.dispose();
  world.dispose();
  expect(world.isAlive(body)).toBe(false);
  const args: Record<string, unknown[]> = {
    bodyAt: [0],
    bodyOf: [collider],
    removeCollider: [collider],
    setMaterial: [collider, {}],
    removeShape: [shape],
    createShape: [{ type: 'sphere', radius: 1 }],
    createBody: [{ shape }],
    createBodies: [{ count: 1, shape, positions: [0, 0, 0] }],
    castRay: [
      [0, 5, 0],
      [0, -1, 0],
    ],
    set: [{}],
    clone: [],
    setBackend: ['wasm'],
    readLabels: ['island'],
    orderingReport: ['colored'],
    step: [],
    stepAsync: [],
    snapshot: [],
    restore: [new Uint8Array(64)],
  };
  const members = prototypesOf(made).flatMap((prototype) => Object.entries(Object.getOwnPropertyDescriptors(prototype)));
  const api = members.filter(([name]) => !ANSWERS.has(name) && !isPrivate(name));
  expect(api.length).toBeGreaterThan(100);
  for (const [name, { get, value }] of api) {
    const call = async () => (get ? get.call(world) : value.apply(world, args[name] ?? [body, [0, 0, 0]]));
    await expect(call(), name).rejects.toMatchObject({ code: 'disposed' });
  }
});
