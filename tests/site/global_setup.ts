// Once before all tests: builds the site, serves it deep under a path of its own and starts a browser.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { FLAGS, findChromium, serve } from '../helpers/chromium';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the built site. */
    site: string;
    /** Its address. */
    url: string;
    /** Of the browser. */
    browser: string;
  }
}

const root = resolve(import.meta.dirname, '../..');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const site = process.env.TALUS_SITE_OUT ? resolve(process.env.TALUS_SITE_OUT) : join(root, 'build/site');
  // `TALUS_SITE_BUILT=1` takes the site as it is.
  if (!process.env.TALUS_SITE_BUILT) execFileSync(process.execPath, [join(root, 'site/main.mjs')], { cwd: root, stdio: 'pipe' });
  const served = await serve(site, '/some/deep/path/');
  const browser = await chromium.launchServer({ executablePath: findChromium(), args: FLAGS, headless: true });
  project.provide('site', site);
  project.provide('url', served.url);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await served.close();
  };
}
