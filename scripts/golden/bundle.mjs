// Bundles a module of tests/golden into one file of JavaScript that runs without this repository.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Modules of the sources by the entry of the package that exports them. */
const ENTRIES = { 'src/index': 'talus', 'src/controllers/index': 'talus/controllers' };

/**
 * Returns the text of the bundle.
 * @param {string} entry Module, from the root of the repository.
 * @param {{ packaged?: boolean }} [options] `packaged`: it imports talus from an installed package, else it has the sources in it. Those
 * must have been compiled (scripts/build_wasm.mjs).
 */
export async function bundle(entry, { packaged = false } = {}) {
  const plugin = {
    name: 'talus-is-a-package',
    /** @type {'pre'} */
    enforce: 'pre',
    resolveId(id) {
      const found = Object.keys(ENTRIES).find((path) => id.endsWith(`/${path}`));
      return packaged && found ? { id: ENTRIES[found], external: true } : undefined;
    },
  };
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [plugin],
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
