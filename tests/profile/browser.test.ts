// The measuring core and the report in a page: built for the browser and run in headless Chromium with its software adapter.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'talus-profile-page-'));
let server: Server;
let browser: Browser;
let address = '';

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      lib: { entry: resolve(import.meta.dirname, 'page.ts'), formats: ['es'], fileName: 'page' },
    },
  });
  const script = readFileSync(join(folder, 'page.js'));
  server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? script
        : '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script type="module" src="page.js"></script>',
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const port = (server.address() as { port: number }).port;
  address = `http://127.0.0.1:${port}/`;
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--disable-background-networking'],
  });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

describe('in a browser', () => {
  it('measures on both backends and shows the report', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(address);
    const report = await page.evaluate(() => globalThis.profileReport);
    expect(errors).toEqual([]);
    expect(report.state).toBe('complete');
    expect(report.environment).toMatchObject({ kind: 'browser', adapter: { software: true } });
    expect(report.environment.runtime).toMatch(/^Chrome /);
    expect(report.results.map((r) => r.failed ?? r.skipped)).toEqual([null, null, null, null]);
    const gpu = report.results[1]!;
    expect(gpu.gpu!.bytesDown).toBeGreaterThan(0);
    expect(gpu.gpu!.dispatches).toBeGreaterThan(0);
    expect(await page.locator('figcaption').count()).toBeGreaterThanOrEqual(5);
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(8);
  });
});
