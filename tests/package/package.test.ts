// package.json: what is published can be imported and leaves nothing to the caller's tools; nothing names a registry.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));

test('the package is a module without side effects and without dependencies', () => {
  expect(manifest.type).toBe('module');
  // What runs for what it does; bundlers drop the rest where it is not used.
  expect(manifest.sideEffects).toEqual([
    './dist/gpu.js',
    './dist/single.js',
    './dist/worker_thread.js',
    './dist/slim_worker_thread.js',
    './dist/thread.js',
  ]);
  expect(manifest.dependencies).toBe(undefined);
  expect(Object.keys(manifest.exports)).toEqual([
    '.',
    './gpu',
    './slim',
    './slim/worker',
    './slim/worker-thread',
    './single',
    './study',
    './rigs',
    './controllers',
    './worker',
    './worker-thread',
    './thread',
    './three',
    './three/webgpu',
    './react',
    './babylon',
    './playcanvas',
    './gltf',
    './talus.wasm',
    './study.wasm',
    './layout.json',
    './package.json',
  ]);
  for (const [entry, target] of Object.entries(manifest.exports))
    if (!entry.endsWith('.json')) expect(Object.keys(target as object)[0]).toBe('types');
  expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
  for (const { optional } of Object.values(manifest.peerDependenciesMeta) as { optional: boolean }[]) expect(optional).toBe(true);
  expect(manifest.files).toContain('dist');
  // Folders of the entries, for tools that do not read `exports` (scripts/build_types.mjs).
  const ignored = readFileSync(resolve(root, '.gitignore'), 'utf8');
  for (const [entry, target] of Object.entries(manifest.exports as Record<string, { default?: string }>)) {
    if (entry === '.' || !target.default?.endsWith('.js')) continue;
    const folder = entry.split('/')[1]!;
    expect(manifest.files, entry).toContain(folder);
    expect(ignored, entry).toContain(`\n/${folder}/\n`);
  }
  expect(manifest.main).toBe(manifest.exports['.'].default);
});

test('the lock file names no host', () => {
  const lock = readFileSync(resolve(root, 'package-lock.json'), 'utf8');
  expect(lock).not.toMatch(/"resolved": "https?:/);
});
