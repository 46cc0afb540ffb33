// Headless Chromium on the built page: builds it, serves it under a path of its own (the page must run under any), and
// collects what the console says. `npm run test:demo` does so once for all files (global_setup.ts); a file that is run otherwise
// does it for itself.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { FLAGS, findChromium, serve } from '../helpers/chromium';

const root = resolve(import.meta.dirname, '../..');
/** `TALUS_DEMO_OUT` names another folder, so that two test runs do not build over each other. */
export const built = resolve(process.env.TALUS_DEMO_OUT ?? join(root, 'build/demo'));
const BASE = '/some/path/';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What the page finds of an earlier visit: a machine on which it opens with 1,000 boxes. */
const KEPT_PROBE = JSON.stringify({ version, ms: 0.2 });

/** What `window.talusDemo` offers to tests. */
export interface Report {
  scene: string;
  bodies: number;
  steps: number;
  contacts: number;
  backend: 'wasm' | 'webgpu';
  solver: string;
  substeps: number;
  finite: boolean;
  asleep: number;
  views: number;
  drawCalls: number;
  renderer: 'webgl' | 'webgpu';
  /** How often the picture has taken poses from the solver's buffer on the GPU, and from the CPU. */
  poses: { gpu: number; cpu: number };
  /** What the scene says of itself. */
  act: string;
  paused: boolean;
  /** A profiling run has the device. */
  held: boolean;
  busyMs: number;
  /** Of scenes that are judged: engines with their values. */
  engines: string[];
  memory: number;
}

/** Where a browser and the page are to be had. */
export interface Host {
  /** DevTools of the browser. */
  browser: string;
  page: string;
  close(): Promise<void>;
}

/** Environment variables by which a host is told to the processes that run test files. */
export const HOST_VARIABLES = { browser: 'TALUS_DEMO_BROWSER', page: 'TALUS_DEMO_PAGE' };

/** Builds and serves the page and starts a browser. */
export async function openHost(): Promise<Host> {
  execFileSync('npm', ['run', '--silent', 'build:demo'], { cwd: root, stdio: 'pipe' });
  const executablePath = findChromium();
  const server = await serve(built, BASE);
  const profile = mkdtempSync(join(tmpdir(), 'talus-demo-'));
  // A port of its own choice, which it writes down in its profile.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...FLAGS, '--remote-debugging-port=0'],
    headless: true,
  });
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return {
    browser: `http://127.0.0.1:${port}`,
    page: server.url,
    async close() {
      await context.close();
      await server.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

export interface OpenOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  reducedMotion?: boolean;
  touch?: boolean;
  /** As a visitor finds it: without the laboratory. */
  show?: boolean;
  /** Runs in the page before anything else. */
  init?: string;
}

export class DemoBrowser {
  readonly errors: string[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly context: BrowserContext,
    /** Address of the page. */
    readonly url: string,
    /** Where it is this object's own. */
    private readonly host: Host | null,
  ) {}

  static async start(options: OpenOptions = {}): Promise<DemoBrowser> {
    const { [HOST_VARIABLES.browser]: address, [HOST_VARIABLES.page]: url } = process.env;
    const host = address && url ? null : await openHost();
    const browser = await chromium.connectOverCDP(host?.browser ?? address!);
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      deviceScaleFactor: 1,
      hasTouch: options.touch ?? false,
      colorScheme: options.dark ? 'dark' : 'light',
      reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    });
    // As on a second visit: what the page opens with follows from no clock.
    await context.addInitScript({
      content: `try { localStorage.getItem('talus-probe') || localStorage.setItem('talus-probe', '${KEPT_PROBE}'); } catch {}`,
    });
    return new DemoBrowser(browser, context, host?.page ?? url!, host);
  }

  /** Opens the page with a query and waits until all of it is there; its laboratory is open, unless only the show is asked for. */
  async open(query: string, options: OpenOptions = {}): Promise<Page> {
    const page = await this.newPage(options);
    const lab = options.show || query.includes('lab=') ? '' : `${query ? '&' : '?'}lab=1`;
    await page.goto(this.url + query + lab);
    await page.waitForFunction('window.talusDemo?.panel && window.talusDemo?.gpu');
    await page.evaluate('window.talusDemo.settled()');
    return page;
  }

  /** Opens the page that measures and waits until it is isolated, which takes a reload, and ready. */
  async openMeasure(query: string, options: OpenOptions = {}): Promise<Page> {
    const page = await this.newPage(options);
    await page.goto(`${this.url}measure.html${query}`);
    await page.waitForFunction("crossOriginIsolated && document.documentElement.classList.contains('ready')", null, {
      timeout: 60_000,
    });
    return page;
  }

  private async newPage(options: OpenOptions): Promise<Page> {
    const page = await this.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
    if (options.width) await page.setViewportSize({ width: options.width, height: options.height ?? 800 });
    if (options.dark !== undefined) await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light' });
    if (options.reducedMotion !== undefined) {
      await page.emulateMedia({ reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference' });
    }
    if (options.init) await page.addInitScript(options.init);
    return page;
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.browser.close();
    await this.host?.close();
  }
}

export function report(page: Page): Promise<Report> {
  return page.evaluate('window.talusDemo.report') as Promise<Report>;
}

/** Pauses the page and does that many steps at once: the same picture on every machine. */
export async function step(page: Page, steps: number): Promise<Report> {
  await page.evaluate(`window.talusDemo.pause(true); window.talusDemo.run(${steps})`);
  return report(page);
}

/** As `step`, on any backend. */
export async function walk(page: Page, steps: number): Promise<Report> {
  await page.evaluate(`(async () => { window.talusDemo.pause(true); await window.talusDemo.walk(${steps}); })()`);
  return report(page);
}

/** Waits until the world has done that many steps. */
export async function runTo(page: Page, steps: number, timeout = 60_000): Promise<Report> {
  await page.waitForFunction(`window.talusDemo.report.steps >= ${steps}`, null, { timeout });
  return report(page);
}
