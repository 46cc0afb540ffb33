// Tests of the core (test build of the WASM, internals exported), of the host (release builds, inlined) and of the
// shaders (Dawn on the adapter that global_setup.ts finds).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
/** Generated modules with a core, by the target of the build that writes them. */
const CORES: Record<string, string> = {
  release: resolve(root, 'src/wasm/binary.generated.ts'),
  study: resolve(root, 'src/study/binary.generated.ts'),
};
const hashOf = (path: string) => path.replace('binary.generated', 'hash.generated');
const modules = new Map<string, string>();

/** Source of such a module, compiled first if the core has changed; once a run, only if a test asks. */
function coreModule(target: string): string {
  let text = modules.get(target);
  if (text === undefined) {
    execFileSync(process.execPath, [resolve(root, 'scripts/build_wasm.mjs'), target, '--if-stale'], { stdio: 'pipe' });
    text = readFileSync(CORES[target]!, 'utf8');
    modules.set(target, text);
  }
  return text;
}

/** Folder of the version of PlayCanvas that scripts/try_playcanvas.mjs tries. */
const playcanvas = process.env.TALUS_PLAYCANVAS;
// Of the demo page only the smoke test: the rest is `npm run test:demo`. The site: `npm run test:site`.
const ELSEWHERE = ['node_modules/**', 'tests/demo/!(smoke).test.ts', 'tests/site/**'];
/** Files of the long form alone (tests/helpers/long.ts); a file that is named runs. They compile a core or drive a browser for long. */
const LONG = ['tests/study/quick_build.test.ts', 'tests/profile/browser.test.ts'];
const isNamed = (path: string) => process.argv.some((word) => word.endsWith('.ts') && path.includes(word));
const left = process.env.TALUS_LONG === '1' ? [] : LONG.filter((path) => !isNamed(path));
/** Files whose tests have cores and nothing else. */
const CORES_ALONE = ['tests/{assembly,theory}/**/*.test.ts'];
/** Files whose tests have a WebGPU device. */
const onGpu = readdirSync(resolve(root, 'tests'), { recursive: true })
  .map((name) => `tests/${String(name).replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts') && readFileSync(resolve(root, path), 'utf8').includes("helpers/gpu'"));

export default defineConfig({
  plugins: [
    {
      name: 'talus:release-wasm',
      enforce: 'pre',
      resolveId(id, importer) {
        return /\/(binary|hash)\.generated$/.test(id) && importer ? resolve(dirname(importer), `${id}.ts`) : undefined;
      },
      load(id) {
        const target = Object.keys(CORES).find((name) => CORES[name] === id || hashOf(CORES[name]!) === id);
        if (!target) return undefined;
        const text = coreModule(target);
        return CORES[target] === id ? text : readFileSync(id, 'utf8');
      },
    },
  ],
  resolve: {
    alias: [
      // Files of the lab import the package by its name.
      { find: /^talus\/study$/, replacement: resolve(root, 'src/study/index.ts') },
      ...(playcanvas ? [{ find: 'playcanvas', replacement: resolve(playcanvas, 'build/playcanvas/src/index.js') }] : []),
    ],
  },
  test: {
    // Worlds of tests may ask for WebGPU.
    setupFiles: ['src/gpu/index.ts'],
    globalSetup: ['tests/helpers/global_setup.ts'],
    // Only what hangs: a busy machine takes several times as long as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Dawn aborts if a worker thread ends while its device lives.
    pool: 'forks',
    // One fewer than there are cores would be one file at a time on two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: { name: 'others', include: ['tests/**/*.test.ts'], exclude: [...ELSEWHERE, ...left, ...CORES_ALONE, ...onGpu] },
      },
      // These have cores alone, nothing that one file could leave for the next: a process for each would take a second.
      { extends: true, test: { name: 'core', include: CORES_ALONE, exclude: onGpu, isolate: false } },
      // Files of one process share its device (tests/helpers/gpu.ts): a software adapter takes ten seconds for the kernels of each.
      { extends: true, test: { name: 'gpu', include: onGpu, isolate: false } },
    ],
  },
});
