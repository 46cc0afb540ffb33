#!/usr/bin/env node
// Runs a TypeScript program of this folder: node demo/tools/run.mjs memory --seconds 600
import { resolve } from 'node:path';
import { createServer } from 'vite';

const [name, ...args] = process.argv.slice(2);
// Stays open as long as the program runs: the demo imports some of its modules late.
const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
});
const module = await server.ssrLoadModule(resolve(import.meta.dirname, `${name}.ts`));
process.exit(await module.main(args));
