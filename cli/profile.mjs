#!/usr/bin/env node
// `npm run profile`: profiling runs on this machine (profiling/). Loads the built package, the TypeScript of profiling/
// through Vite's module runner, and the adapters of other engines on demand.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runnerImport } from 'vite';
import { openAdapter } from '../bench/lib/gpu.mjs';

const root = resolve(import.meta.dirname, '..');
if (!existsSync(resolve(root, 'dist/study.js'))) {
  console.error('dist/ is missing: run `npm run build` first');
  process.exit(1);
}
const { createWorld } = await import('../dist/study.js');
const { module } = await runnerImport(resolve(root, 'profiling/node/cli.ts'), { configFile: false, logLevel: 'error' });
const peer = (name) => async () => (await import(`../bench/engines/${name}.mjs`)).create;
const engines = { rapier: peer('rapier'), havok: peer('havok'), jolt: peer('jolt'), cannon: peer('cannon') };
const status = await module.main(process.argv.slice(2), {
  createWorld,
  root,
  openAdapter,
  engines,
  command: 'npm run profile --',
});
// Otherwise Dawn's threads would keep the process alive.
process.exit(status);
