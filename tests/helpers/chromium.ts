// Headless Chromium with software graphics, and a static server: what tests of pages share.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
};

/** Software everywhere. A WebGPU canvas comes on the screen only where WebGL and the compositor are on Vulkan too. */
export const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-unsafe-swiftshader',
  '--use-angle=swiftshader',
  '--use-vulkan=swiftshader',
  '--enable-features=Vulkan',
  // As in the tests of the shaders: compiles in a third of the time.
  '--enable-dawn-features=disable_workgroup_init',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

/** Path of the browser. */
export function findChromium(): string {
  const path = CHROMIUM.find(existsSync);
  if (!path) throw new Error('tests of pages need Chromium: apt-get install -y chromium');
  return path;
}

/** Serves a folder under a path on a port of this machine. */
export async function serve(
  folder: string,
  base = '/',
  headers: Record<string, string> = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = normalize(join(folder, path.startsWith(base) ? path.slice(base.length) || 'index.html' : '../nothing'));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers })
      .end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Calls with a page of Chromium that has `createWorld` of the package, built from its sources, as a global. */
export async function withPackagePage<T>(call: (page: Page) => Promise<T>): Promise<T> {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/page-'));
  try {
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
    );
    writeFileSync(join(folder, 'main.js'), "import { createWorld } from 'talus'; globalThis.createWorld = createWorld;");
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: { alias: { talus: join(root, 'src/index.ts') } },
      build: { minify: false, reportCompressedSize: false },
    });
    const server = await serve(join(folder, 'dist'));
    const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      await page.waitForFunction('globalThis.createWorld');
      return await call(page);
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
