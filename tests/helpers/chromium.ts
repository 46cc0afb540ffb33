// Headless Chromium with software graphics, and a static server: what tests of pages share.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
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
