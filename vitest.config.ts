// Tests of the core (test build of the WASM, internals exported), of the host (release build, inlined) and of the
// shaders (Dawn on the adapter that global_setup.ts finds).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
let releaseModule: string | undefined;

/** Source of src/wasm/binary.generated.ts, compiled first if the core has changed; once a run, only if a test asks. */
function releaseBinary(): string {
  if (releaseModule === undefined) {
    execFileSync(process.execPath, [resolve(root, 'scripts/build_wasm.mjs'), 'release', '--if-stale'], { stdio: 'pipe' });
    releaseModule = readFileSync(resolve(root, 'src/wasm/binary.generated.ts'), 'utf8');
  }
  return releaseModule;
}

export default defineConfig({
  plugins: [
    {
      name: 'talus:release-wasm',
      enforce: 'pre',
      resolveId(id) {
        return id.endsWith('/binary.generated') ? resolve(root, 'src/wasm/binary.generated.ts') : undefined;
      },
      load(id) {
        return id === resolve(root, 'src/wasm/binary.generated.ts') ? releaseBinary() : undefined;
      },
    },
  ],
  test: {
    include: ['tests/**/*.test.ts'],
    // Of the demo page only the smoke test: the rest is `npm run test:demo`.
    exclude: ['node_modules/**', 'tests/demo/!(smoke).test.ts'],
    globalSetup: ['tests/helpers/global_setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Dawn aborts if a worker thread ends while its device lives.
    pool: 'forks',
  },
});
