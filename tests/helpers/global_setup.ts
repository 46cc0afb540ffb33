// Once before all tests: compiles the test build of the core and finds a WebGPU adapter. Fails with a command that helps
// where there is none: tests of the shaders are never skipped in silence.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the test build of the core. */
    testWasm: string;
    /** The WebGPU adapter of this machine: what it is, and whether it is a software driver. */
    adapter: { vendor: string; architecture: string; description: string; software: boolean };
  }
}

export default function setup(project: TestProject): void {
  const script = (name: string, ...args: string[]) =>
    execFileSync(process.execPath, [resolve(project.config.root, 'scripts', name), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  script('build_wasm.mjs', 'test', '--if-stale');
  project.provide('testWasm', resolve(project.config.root, 'build/talus.test.wasm'));
  const { env, ...adapter } = JSON.parse(script('find_adapter.mjs'));
  // Workers inherit it; the Vulkan loader reads it when Dawn starts.
  Object.assign(process.env, env);
  project.provide('adapter', adapter);
}
