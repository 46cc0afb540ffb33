// In place of `vitest` where helpers of tests run outside of it (scripts/fuzz.mjs).
import { resolve } from 'node:path';

/** Returns the path of the test build of the core, as `inject('testWasm')` does in a test; scripts run in the root. */
export function inject(name: 'testWasm'): string {
  if (name !== 'testWasm') throw new Error(`nothing provides ${name}`);
  return resolve('build/talus.test.wasm');
}
