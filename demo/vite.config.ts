// The demo page and the page that measures a visitor's machine: a static build that runs under any path (relative addresses only). Cross-origin isolation comes from
// headers in development and from a service worker (public/isolation.js) where a host sets none.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** What was built, for reports of profiling runs; null outside a repository. */
function commit(): string | null {
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '');
  } catch {
    return null;
  }
}

const { version, bugs } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8'));

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  define: {
    __TALUS_VERSION__: JSON.stringify(version),
    __TALUS_COMMIT__: JSON.stringify(commit()),
    __TALUS_BUGS__: JSON.stringify(bugs),
    // The builder of the site sets it.
    __TALUS_IN_SITE__: 'false',
  },
  server: { headers, fs: { allow: [resolve(import.meta.dirname, '..')] } },
  preview: { headers },
  build: {
    target: 'es2022',
    outDir: resolve(process.env.TALUS_DEMO_OUT ?? resolve(import.meta.dirname, '../build/demo')),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: { input: ['index.html', 'measure.html'].map((name) => resolve(import.meta.dirname, name)) },
  },
});
