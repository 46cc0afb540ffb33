// Bundles a module of tests/golden into one file of JavaScript that runs without this repository.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Returns the text of the bundle, with the sources of talus in it. The cores must have been compiled (scripts/build_wasm.mjs).
 * @param {string} entry Module, from the root of the repository.
 */
export async function bundle(entry) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'golden' },
      rollupOptions: { external: [/^node:/], output: { codeSplitting: false } },
    },
  });
  const [{ output }] = /** @type {any} */ (built);
  return output[0].code;
}
