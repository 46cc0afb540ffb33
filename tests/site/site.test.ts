// The built site: every link leads somewhere, also under a deep path; accessible in both themes on a desktop and a phone; search,
// theme and keys work.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseHTML } from 'linkedom';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { violations } from '../demo/axe';
import { everyNth } from '../helpers/long';

const site = inject('site');
let browser: Browser;
beforeAll(async () => {
  browser = await chromium.connect(inject('browser'));
});
afterAll(() => browser?.close());

const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

test('links are relative and lead to files and headings', () => {
  const ids = new Map<string, Set<string>>();
  const links: { file: string; to: string }[] = [];
  for (const file of files) {
    const text = readFileSync(join(site, file), 'utf8');
    ids.set(file, new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)));
    // The base of 404.html is the published address.
    for (const [, to] of text.replace(/<base [^>]*>/, '').matchAll(/\s(?:href|src|data-src)="([^"]*)"/g))
      links.push({ file, to: to! });
  }
  expect(links.length).toBeGreaterThan(5000);
  const broken = new Set<string>();
  for (const { file, to } of links) {
    if (/^(https?:|data:)/.test(to)) continue;
    const [address, hash] = to.replaceAll('&amp;', '&').split('#') as [string, string?];
    const path = address.split('?')[0]!;
    const target = path ? posix.normalize(posix.join(posix.dirname(file), path)) : file;
    const good = !to.startsWith('/') && existsSync(join(site, target)) && statSync(join(site, target)).isFile();
    if (!good || (hash && ids.has(target) && !ids.get(target)!.has(decodeURIComponent(hash)))) broken.add(`${file}: ${to}`);
  }
  expect([...broken]).toEqual([]);
});

test('every page has a title, a language, one main heading and one place for the text', () => {
  // Of the reference, whose pages are made alike, a quarter in the short form.
  const isReference = (name: string) => name.startsWith('reference/');
  const pages = files.filter((name) => !/^(live|demo)\//.test(name));
  const others = pages.filter((name) => !isReference(name));
  for (const file of [...others, ...everyNth(pages.filter(isReference), 4)]) {
    const { document } = parseHTML(readFileSync(join(site, file), 'utf8'));
    expect(document.querySelectorAll('h1').length, file).toBe(1);
    expect(document.querySelectorAll('main#main').length, file).toBe(1);
    expect(document.title.length, file).toBeGreaterThan(4);
    expect(document.documentElement.getAttribute('lang'), file).toBe('en');
    const ids = [...document.querySelectorAll('[id]')].map((node) => (node as unknown as { id: string }).id);
    expect(new Set(ids).size, `${file}: an id twice`).toBe(ids.length);
  }
});

test('all sections of the guide and all calls of a world are found', () => {
  const text = readFileSync(join(site, 'search.json'), 'utf8');
  for (const id of ['guide/joints.html#joints', 'guide/migrate.html#rapier', 'examples/hello.html', 'reports/bench.html#boxes']) {
    expect(text).toContain(`"${id}"`);
  }
  expect(text).toContain('"reference/index/interfaces/World.html#castray"');
});

test('llms.txt lists every chapter and example as Markdown, whose links lead somewhere', () => {
  const list = readFileSync(join(site, 'llms.txt'), 'utf8');
  const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
  const pages = files.filter((name) => /^(guide|examples)\/(?!index)[\w-]+\.html$/.test(name));
  const alone = ['reference/index.md', 'reference/index/interfaces/World.md', 'skill.md'];
  expect(listed.toSorted()).toEqual([...pages.map((name) => name.replace(/html$/, 'md')), ...alone].toSorted());
  expect(list).toMatch(/^# talus\n\n> talus is a 3D rigid-body physics engine/);
  const reference = files.filter((name) => name.startsWith('reference/')).map((name) => name.replace(/html$/, 'md'));
  for (const path of new Set([...listed, ...reference])) {
    const text = readFileSync(join(site, path), 'utf8');
    expect(text, path).toMatch(/^# /);
    const prose = text.replaceAll(/```[\s\S]*?```/g, '');
    for (const [, to] of prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (!/^https?:/.test(to!)) expect(existsSync(join(site, dirname(path), to!)), `${path}: ${to}`).toBe(true);
    }
  }
});

const PAGES = [
  'index.html',
  'guide/start.html',
  'guide/shapes.html',
  'guide/joints.html',
  'guide/pipeline.html',
  'examples/index.html',
  'examples/hello.html',
  'reference/controllers/classes/Vehicle.html',
  'reference/index.html',
  'reports/bench.html',
  'reports/lab.html',
  'reports/visitors.html',
];
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('%s', (size) => {
  // In the short form a quarter of the pages on a desktop in light, another one on a phone in dark.
  const half = size === 'phone' ? 1 : 0;
  test.each(everyNth(['light', 'dark'] as const, 2, half))(
    'axe finds nothing, nothing is wider than the page: %s',
    async (colorScheme) => {
      const context = await browser.newContext({ viewport: SIZES[size], colorScheme, hasTouch: size === 'phone' });
      const page = await context.newPage();
      // The pages in frames have tests of their own; they would only take time here.
      await page.route(/\/(demo|live)\//, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><html lang="en"><title>x</title><p>x</p>' }),
      );
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      for (const path of everyNth(PAGES, 4, 2 * half)) {
        await page.goto(inject('url') + path, { waitUntil: 'load' });
        await page.waitForTimeout(50);
        expect(await violations(page), path).toEqual([]);
        const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        expect(wide, path).toBe(0);
        const broken =
          "[...document.images].filter((image) => image.loading !== 'lazy' && image.naturalWidth === 0).map((image) => image.src)";
        expect(await page.evaluate(broken), path).toEqual([]);
        const shot = join(
          site,
          `../screenshots/site/${path.replaceAll('/', '_').replace('.html', '')}-${size}-${colorScheme}.png`,
        );
        await page.screenshot({ path: shot });
      }
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});

async function open(path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(inject('url') + path);
  await page.waitForFunction('document.querySelector("#site-find")');
  return page;
}

test('search by keys: slash, text, arrow, enter', async () => {
  const page = await open('guide/concepts.html');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('/');
  await page.keyboard.type('castRay');
  await page.waitForSelector('#site-hits li');
  expect(await page.getAttribute('#site-query', 'aria-activedescendant')).toBe('hit-0');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  expect(await page.getAttribute('#hit-1', 'aria-selected')).toBe('true');
  const to = await page.getAttribute('#hit-1', 'data-to');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${to}`);
  await page.close();
});

test('the theme is kept', async () => {
  const page = await open('guide/concepts.html');
  await page.waitForLoadState('networkidle');
  const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const light = await paper();
  await page.click('#site-theme');
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.goto(`${inject('url')}guide/joints.html`);
  expect(await paper()).toBe(dark);
  await page.close();
});

test('an example says how many bodies it has', async () => {
  const page = await browser.newPage();
  await page.goto(`${inject('url')}examples/wall.html`);
  await page.waitForFunction("document.querySelector('.stats').textContent.startsWith('241 bodies')", null, { timeout: 40_000 });
  await page.close();
});
