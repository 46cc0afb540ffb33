// package.json: what is published can be imported and leaves nothing to the caller's tools; nothing names a registry.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));

test('the package is a module without side effects and without dependencies', () => {
  expect(manifest.type).toBe('module');
  expect(manifest.sideEffects).toBe(false);
  expect(manifest.dependencies).toBe(undefined);
  expect(Object.keys(manifest.exports)).toEqual([
    '.',
    './study',
    './rigs',
    './controllers',
    './worker',
    './worker-thread',
    './three',
    './three/webgpu',
    './react',
    './talus.wasm',
    './study.wasm',
    './package.json',
  ]);
  expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
  for (const { optional } of Object.values(manifest.peerDependenciesMeta) as { optional: boolean }[]) expect(optional).toBe(true);
  for (const entry of Object.keys(manifest.exports).filter((name) => !/\.(wasm|json)$/.test(name)))
    expect(Object.keys(manifest.exports[entry])[0]).toBe('types');
  expect(manifest.files).toContain('dist');
});

test('the lock file names no host', () => {
  const lock = readFileSync(resolve(root, 'package-lock.json'), 'utf8');
  expect(lock).not.toMatch(/"resolved": "https?:/);
});
