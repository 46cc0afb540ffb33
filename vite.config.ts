// The library build: one ES module with the compiled core and the shaders inlined; dist/talus.wasm beside it for hosts
// that would rather load the binary themselves.
import { copyFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: { entry: resolve(import.meta.dirname, 'src/index.ts'), formats: ['es'], fileName: 'index' },
  },
  plugins: [
    {
      name: 'talus:copy-wasm',
      closeBundle() {
        copyFileSync(resolve(import.meta.dirname, 'build/talus.wasm'), resolve(import.meta.dirname, 'dist/talus.wasm'));
      },
    },
  ],
});
