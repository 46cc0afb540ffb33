#!/usr/bin/env node
// Runs a TypeScript program of this folder: node demo/tools/run.mjs memory --seconds 600
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const [name, ...args] = process.argv.slice(2);
const { module } = await runnerImport(resolve(import.meta.dirname, `${name}.ts`), { configFile: false, logLevel: 'error' });
process.exit(await module.main(args));
