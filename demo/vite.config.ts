// The demo page: a static build that runs under any path (relative addresses only). Cross-origin isolation comes from
// headers in development and from a service worker (public/isolation.js) where a host sets none.
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  server: { headers, fs: { allow: [resolve(import.meta.dirname, '..')] } },
  preview: { headers },
  build: {
    target: 'es2022',
    outDir: resolve(import.meta.dirname, '../build/demo'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1500,
  },
});
