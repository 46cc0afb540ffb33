// What `npm run try:packages` tries: each tool with the packages it is installed from, the files of its project as its own first steps
// give them, without configuration, and how it is built and run.
import {
  moduleProgram,
  ownWorkerPage,
  ownWorkerThread,
  requireProgram,
  serviceWorker,
  serviceWorkerPage,
  talusPage,
  talusWorkerPage,
  threadProgram,
  threadsPage,
  threadsProgram,
} from './programs.mjs';

const html = (script, type = 'module') =>
  `<!doctype html><html><head><link rel="icon" href="data:,"></head><body><script ${type ? `type="${type}"` : 'defer'} src="${script}"></script></body></html>\n`;

/** Tools that make a page of one module. `out`: the folder that is served. */
const vite = {
  packages: ['vite'],
  at: 'main.js',
  files: { 'index.html': html('/main.js') },
  build: [['vite', 'build']],
  out: 'dist',
};
const webpack = {
  packages: ['webpack', 'webpack-cli'],
  at: 'src/index.js',
  files: { 'dist/index.html': html('main.js', '') },
  build: [['webpack', '--mode', 'production']],
  out: 'dist',
};
const rspack = {
  packages: ['@rspack/core', '@rspack/cli'],
  at: 'src/index.js',
  files: { 'dist/index.html': html('main.js', '') },
  build: [['rspack', 'build', '--mode', 'production']],
  out: 'dist',
};
const esbuild = {
  packages: ['esbuild'],
  at: 'main.js',
  files: { 'dist/index.html': html('main.js') },
  build: [['esbuild', 'main.js', '--bundle', '--format=esm', '--minify', '--outfile=dist/main.js']],
  out: 'dist',
};
const rollup = {
  packages: ['rollup', '@rollup/plugin-node-resolve'],
  at: 'main.js',
  files: { 'dist/index.html': html('main.js') },
  build: [['rollup', 'main.js', '--plugin', 'node-resolve', '--format', 'es', '--file', 'dist/main.js']],
  out: 'dist',
};
const parcel = {
  packages: ['parcel'],
  at: 'main.js',
  files: { 'index.html': html('main.js') },
  build: [['parcel', 'build', 'index.html', '--no-cache']],
  out: 'dist',
};
const next = {
  packages: ['next', 'react', 'react-dom'],
  at: 'app/scene.js',
  files: {
    'app/layout.js':
      'export default function Layout({ children }) {\n  return (\n    <html lang="en">\n      <body>{children}</body>\n    </html>\n  );\n}\n',
    'app/page.js':
      "'use client';\nimport { useEffect } from 'react';\nexport default function Page() {\n  useEffect(() => {\n    import('./scene.js');\n  }, []);\n  return <main>talus</main>;\n}\n",
  },
  build: [['next', 'build']],
  serve: ['next', 'start', '--port'],
};
const isolatedNext =
  "const headers = [\n  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },\n  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },\n];\nexport default { headers: async () => [{ source: '/(.*)', headers }] };\n";
/** No tool: the folder itself is served. */
const importMap = {
  packages: [],
  at: 'main.js',
  files: {},
  map: true,
  out: '.',
};

const onNode = { packages: [], run: (node) => [node, 'main.mjs'] };

/**
 * `fast`: part of what CI runs. `compare`: the other engines too. `isolated`: served with the headers for shared memory.
 * @type {any[]}
 */
export const TRIALS = [
  { tool: 'Vite', use: 'talus', ...vite, page: talusPage(), compare: true, fast: true },
  { tool: 'Vite', use: 'talus/slim', ...vite, page: talusPage('talus/slim'), fast: true },
  { tool: 'Vite', use: 'own worker', ...vite, page: ownWorkerPage, extra: { 'thread.js': ownWorkerThread } },
  { tool: 'Vite', use: 'talus/worker', ...vite, page: talusWorkerPage(), fast: true },
  { tool: 'Vite', use: 'talus/slim/worker', ...vite, page: talusWorkerPage('talus/slim/worker') },
  { tool: 'Vite', use: 'threads', ...vite, page: threadsPage(), isolated: true, fast: true },
  { tool: 'Vite', use: 'talus/slim, threads', ...vite, page: threadsPage('talus/slim'), isolated: true },
  { tool: 'Vite 7', use: 'talus', ...vite, packages: ['vite@7'], page: talusPage() },
  {
    tool: 'Vite 7',
    use: 'own worker',
    ...vite,
    packages: ['vite@7'],
    page: ownWorkerPage,
    extra: { 'thread.js': ownWorkerThread },
  },
  { tool: 'webpack', use: 'talus', ...webpack, page: talusPage(), compare: true },
  { tool: 'webpack', use: 'talus/slim', ...webpack, page: talusPage('talus/slim') },
  { tool: 'webpack', use: 'own worker', ...webpack, page: ownWorkerPage, extra: { 'src/thread.js': ownWorkerThread } },
  { tool: 'webpack', use: 'talus/worker', ...webpack, page: talusWorkerPage() },
  { tool: 'webpack', use: 'talus/slim/worker', ...webpack, page: talusWorkerPage('talus/slim/worker') },
  { tool: 'webpack', use: 'threads', ...webpack, page: threadsPage(), isolated: true },
  { tool: 'esbuild', use: 'talus', ...esbuild, page: talusPage(), compare: true, fast: true },
  { tool: 'esbuild', use: 'threads', ...esbuild, page: threadsPage(), isolated: true, fast: true },
  {
    tool: 'esbuild',
    use: 'talus/slim, its .wasm copied',
    ...esbuild,
    page: talusPage('talus/slim'),
    copy: ['talus/dist/talus.wasm'],
    fast: true,
  },
  {
    tool: 'esbuild',
    use: 'talus/slim, loader file',
    ...esbuild,
    page: `import wasm from 'talus/talus.wasm';\n${talusPage('talus/slim', '{ wasm }')}`,
    build: [[...esbuild.build[0], '--loader:.wasm=file']],
  },
  { tool: 'Rollup', use: 'talus', ...rollup, page: talusPage(), compare: true, fast: true },
  { tool: 'Rollup', use: 'threads', ...rollup, page: threadsPage(), isolated: true },
  {
    tool: 'Rollup',
    use: 'talus/slim, its .wasm copied',
    ...rollup,
    page: talusPage('talus/slim'),
    copy: ['talus/dist/talus.wasm'],
  },
  { tool: 'Rspack', use: 'talus', ...rspack, page: talusPage() },
  { tool: 'Rspack', use: 'talus/slim', ...rspack, page: talusPage('talus/slim') },
  { tool: 'Rspack', use: 'talus/worker', ...rspack, page: talusWorkerPage() },
  { tool: 'Rspack', use: 'threads', ...rspack, page: threadsPage(), isolated: true },
  { tool: 'Parcel', use: 'talus', ...parcel, page: talusPage() },
  { tool: 'Parcel', use: 'talus/slim', ...parcel, page: talusPage('talus/slim') },
  { tool: 'Parcel', use: 'threads', ...parcel, page: threadsPage(), isolated: true },
  { tool: 'Parcel', use: 'talus/worker', ...parcel, page: talusWorkerPage() },
  { tool: 'Next.js', use: 'talus', ...next, page: talusPage() },
  { tool: 'Next.js', use: 'talus/slim', ...next, page: talusPage('talus/slim') },
  { tool: 'Next.js', use: 'talus/worker', ...next, page: talusWorkerPage() },
  { tool: 'Next.js', use: 'threads', ...next, page: threadsPage(), extra: { 'next.config.mjs': isolatedNext } },
  { tool: 'import map', use: 'talus', ...importMap, page: talusPage(), fast: true },
  { tool: 'import map', use: 'talus/slim', ...importMap, page: talusPage('talus/slim'), fast: true },
  { tool: 'import map', use: 'talus/worker', ...importMap, page: talusWorkerPage(), fast: true },
  { tool: 'import map', use: 'talus/slim/worker', ...importMap, page: talusWorkerPage('talus/slim/worker') },
  { tool: 'import map', use: 'talus/single', ...importMap, page: talusPage('talus/single') },
  { tool: 'import map', use: 'threads', ...importMap, page: threadsPage(), isolated: true, fast: true },
  {
    tool: 'service worker',
    use: 'module, no tool',
    ...importMap,
    page: serviceWorkerPage('module'),
    extra: { 'service.js': serviceWorker('./node_modules/talus/dist/index.js') },
    fast: true,
  },
  {
    tool: 'service worker',
    use: 'classic, by esbuild',
    ...esbuild,
    page: serviceWorkerPage('classic'),
    extra: { 'service.src.js': serviceWorker() },
    build: [esbuild.build[0], ['esbuild', 'service.src.js', '--bundle', '--format=iife', '--outfile=dist/service.js']],
  },
  { tool: 'Node', use: 'import', ...onNode, program: moduleProgram(), fast: true },
  { tool: 'Node', use: 'talus/slim', ...onNode, program: moduleProgram('talus/slim'), fast: true },
  { tool: 'Node', use: 'talus/worker', ...onNode, program: threadProgram(), fast: true },
  { tool: 'Node', use: 'talus/slim/worker', ...onNode, program: threadProgram('talus/slim/worker') },
  { tool: 'Node', use: 'threads', ...onNode, program: threadsProgram(), fast: true },
  { tool: 'Node', use: 'talus/slim, threads', ...onNode, program: threadsProgram('talus/slim') },
  { tool: 'Node 22', use: 'threads', ...onNode, node: '22', program: threadsProgram() },
  { tool: 'Node, newest', use: 'threads', ...onNode, node: 'latest', program: threadsProgram() },
  { tool: 'Node 22', use: 'import', ...onNode, node: '22', program: moduleProgram() },
  {
    tool: 'Node 22',
    use: 'require',
    node: '22',
    packages: [],
    run: (node) => [node, 'main.cjs'],
    program: requireProgram,
    at: 'main.cjs',
  },
  { tool: 'Node, newest', use: 'import', ...onNode, node: 'latest', program: moduleProgram() },
  {
    tool: 'Node, newest',
    use: 'require',
    node: 'latest',
    packages: [],
    run: (node) => [node, 'main.cjs'],
    program: requireProgram,
    at: 'main.cjs',
  },
  {
    tool: 'Deno',
    use: 'import',
    packages: ['deno'],
    binary: 'deno',
    run: (deno) => [deno, 'run', '-A', 'main.mjs'],
    program: moduleProgram(),
  },
  {
    tool: 'Deno',
    use: 'talus/slim',
    packages: ['deno'],
    binary: 'deno',
    run: (deno) => [deno, 'run', '-A', 'main.mjs'],
    program: moduleProgram('talus/slim'),
  },
  {
    tool: 'Deno',
    use: 'talus/worker',
    packages: ['deno'],
    binary: 'deno',
    run: (deno) => [deno, 'run', '-A', 'main.mjs'],
    program: threadProgram(),
  },
  {
    tool: 'Deno',
    use: 'threads',
    packages: ['deno'],
    binary: 'deno',
    run: (deno) => [deno, 'run', '-A', 'main.mjs'],
    program: threadsProgram(),
  },
  { tool: 'Bun', use: 'import', packages: ['bun'], binary: 'bun', run: (bun) => [bun, 'main.mjs'], program: moduleProgram() },
  {
    tool: 'Bun',
    use: 'require',
    packages: ['bun'],
    binary: 'bun',
    run: (bun) => [bun, 'main.cjs'],
    program: requireProgram,
    at: 'main.cjs',
  },
  {
    tool: 'Bun',
    use: 'talus/slim',
    packages: ['bun'],
    binary: 'bun',
    run: (bun) => [bun, 'main.mjs'],
    program: moduleProgram('talus/slim'),
  },
  {
    tool: 'Bun',
    use: 'talus/worker',
    packages: ['bun'],
    binary: 'bun',
    run: (bun) => [bun, 'main.mjs'],
    program: threadProgram(),
  },
  {
    tool: 'Bun',
    use: 'threads',
    packages: ['bun'],
    binary: 'bun',
    run: (bun) => [bun, 'main.mjs'],
    program: threadsProgram(),
  },
];
