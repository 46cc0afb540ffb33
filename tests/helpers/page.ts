// A page of a test, built from its sources and opened in headless Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { FLAGS, findChromium, serve } from './chromium';

const root = resolve(import.meta.dirname, '../..');

export interface TestPage {
  page: Page;
  /** What the console said of warnings and errors, and what was thrown. */
  errors: string[];
  close(): Promise<void>;
}

/** The package, from its sources. */
const alias = [
  ['talus/gpu', 'src/gpu/index.ts'],
  ['talus/three/webgpu', 'src/three_webgpu/index.ts'],
  ['talus/three', 'src/three/index.ts'],
  ['talus/react', 'src/react/index.ts'],
  ['talus/babylon', 'src/babylon/index.ts'],
  ['talus/playcanvas', 'src/playcanvas/index.ts'],
  ['talus/gltf', 'src/gltf/index.ts'],
  ['talus', 'src/index.ts'],
].map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: join(root, path!) }));

/** `entry`: a module, from the root of the repository. */
export async function openPage(
  entry: string,
  { width = 640, height = 400, headers = {} as Record<string, string> } = {},
): Promise<TestPage> {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/page-'));
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><link rel="icon" href="data:,"><style>html,body,#root{margin:0;height:100%}</style><div id="root"></div><script type="module" src="${join(root, entry)}"></script>`,
  );
  const out = join(folder, 'out');
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    resolve: { alias },
    oxc: { jsx: { runtime: 'automatic' } },
    define: { 'process.env.NODE_ENV': '"development"' },
    // Which files have side effects package.json says of dist/, not of the sources.
    plugins: [
      {
        name: 'gpu-is-kept',
        transform: (code: string, id: string) =>
          id.endsWith('/src/gpu/index.ts') ? { code, map: null, moduleSideEffects: true } : null,
      },
    ],
    build: {
      outDir: out,
      minify: false,
      reportCompressedSize: false,
      target: 'es2022',
      chunkSizeWarningLimit: 1e5,
    },
  });
  const server = await serve(out, '/', headers);
  const browser: Browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 1 });
  const errors: string[] = [];
  page.on('console', (message) => {
    // That steps run behind is said of a busy machine.
    if (!['error', 'warning'].includes(message.type()) || /has dropped time/.test(message.text())) return;
    errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(server.url);
  return {
    page,
    errors,
    async close() {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
