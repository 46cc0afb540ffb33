// Loads the test build of the core: a memory and its exports, internals included. One call is one independent world.
import { readFileSync } from 'node:fs';
import { inject } from 'vitest';

let module: WebAssembly.Module | undefined;

/** Exports of the test build: u32 results arrive as signed numbers (use `>>> 0`), bool as 0 or 1. */
// biome-ignore lint/suspicious/noExplicitAny: the exports are those of many small test entries
export type CoreExports = Record<string, any>;

/** A fresh core with an initialised memory. Views go stale when memory grows: make them after allocating. */
export function loadCore(): { core: CoreExports; memory: WebAssembly.Memory } {
  module ??= new WebAssembly.Module(readFileSync(inject('testWasm')));
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
  const core = new WebAssembly.Instance(module, {
    env: { memory },
    team: { nap: () => undefined },
    own: { solve: () => undefined },
  }).exports as CoreExports;
  if (core.initWorld) core.initWorld();
  else core.initMemory();
  return { core, memory };
}
