// Once before all tests, for all projects of vitest.config.ts: compiles the test build of the core and finds a WebGPU adapter. Fails with a
// command that helps where there is none: tests of the shaders are never skipped in silence.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the test build of the core. */
    testWasm: string;
    /** The WebGPU adapter of this machine: what it is, and whether it is a software driver. */
    adapter: { vendor: string; architecture: string; description: string; software: boolean };
  }
}

type ProvidedAdapter = ProvidedContext['adapter'];

/** What the first project has found: the others ask in the same process. */
const known = globalThis as { talusAdapter?: { env: Record<string, string>; adapter: ProvidedAdapter } };

function prepare(root: string): { env: Record<string, string>; adapter: ProvidedAdapter } {
  const script = (name: string, ...args: string[]) =>
    execFileSync(process.execPath, [resolve(root, 'scripts', name), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  script('build_wasm.mjs', 'test', '--if-stale');
  const { env, ...adapter } = JSON.parse(script('find_adapter.mjs'));
  return { env, adapter };
}

export default function setup(project: TestProject): void {
  const { root } = project.config;
  known.talusAdapter ??= prepare(root);
  project.provide('testWasm', resolve(root, 'build/talus.test.wasm'));
  // Workers inherit it; the Vulkan loader reads it when Dawn starts.
  Object.assign(process.env, known.talusAdapter.env);
  project.provide('adapter', known.talusAdapter.adapter);
}
