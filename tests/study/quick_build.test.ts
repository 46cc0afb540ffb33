// The quick build of the study's core (scripts/build_wasm.mjs study --quick) computes the bits of the release build.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { createWorld, type WorldOptions } from '../../src/study/index';
import { sceneWorld } from '../helpers/scene_world';

const root = resolve(import.meta.dirname, '../..');
const out = 'build/talus.study.quick.wasm';
let wasm: Uint8Array<ArrayBuffer>;
beforeAll(() => {
  execFileSync(process.execPath, [resolve(root, 'scripts/build_wasm.mjs'), 'study', '--quick', '--if-stale', '--out', out]);
  wasm = Uint8Array.from(readFileSync(resolve(root, out)));
});

test.each([
  {},
  { solver: 'cell-split' },
  { solver: 'pair-split' },
  { solver: 'pgs', integration: 'one-step', frictionModel: 'pyramid-staggered' },
  { solver: 'jacobi-spectral', spectralRadius: 'power' },
  { solver: 'colored' },
] as WorldOptions[])('%o', async (options) => {
  const scene = buildScene('mixed', { scale: 0.1, seed: 3 });
  const [quick, full] = [
    await sceneWorld(scene, { ...options, wasm }, createWorld),
    await sceneWorld(scene, options, createWorld),
  ];
  for (let i = 0; i < 60; i++) {
    quick.step();
    full.step();
  }
  expect(full.profile.contactCount).toBeGreaterThan(50);
  expect(quick.hash()).toBe(full.hash());
  expect(quick.velocities).toEqual(full.velocities);
});

test('--quick is for the study alone', () => {
  const build = () =>
    execFileSync(process.execPath, [resolve(root, 'scripts/build_wasm.mjs'), 'release', '--quick'], { stdio: 'pipe' });
  expect(build).toThrow(/--quick is for the target study/);
});
