// The eighteen examples as the site has them: short, and each runs, moves its bodies and says nothing on the console.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { countColors, shoot } from '../helpers/pictures';

const root = resolve(import.meta.dirname, '../..');
const files = readdirSync(join(root, 'examples')).filter((name) => /\.jsx?$/.test(name));
const names = files.map((name) => name.replace(/\..*/, ''));
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.connect(inject('browser'));
});
afterAll(() => browser?.close());

test('eighteen, of at most 80 lines or 125 with elements, each with a title and a sentence', () => {
  expect(names).toHaveLength(18);
  for (const name of files) {
    const source = readFileSync(join(root, `examples/${name}`), 'utf8');
    expect(source.trimEnd().split('\n').length, name).toBeLessThanOrEqual(name.endsWith('x') ? 125 : 80);
    expect(source, name).toMatch(/^\/\/ [A-Z][^:\n]*: .+\.\n/);
    const imports = [...source.matchAll(/^import .*?'([^']+)'/gm)].map(([, from]) => from!);
    for (const from of imports)
      expect(from).toMatch(
        /^(talus(\/(three|controllers|rigs|gpu|worker|react))?|three(\/addons\/.*)?|react(-dom\/client)?|@react-three\/fiber)$/,
      );
  }
});

/** Installed before the page: counts frames. */
const COUNT = `globalThis.frames_drawn = 0;
const request = globalThis.requestAnimationFrame.bind(globalThis);
globalThis.requestAnimationFrame = (call) => request((now) => { globalThis.frames_drawn++; call(now); });`;
const POSES = `globalThis.talusWorlds.map((world) => Array.from(world.positions)).flat()`;

test.each(names)('%s', async (name) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 200 } });
  try {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      // Of the software graphics: reading pixels for the screenshot waits; of a busy machine: steps run behind; and of React Three
      // Fiber, which has a clock that three.js wants to be rid of.
      if (
        ['error', 'warning'].includes(message.type()) &&
        !/GPU stall|software WebGL|WebGPU|has dropped time|THREE\.Clock/i.test(message.text())
      )
        errors.push(message.text());
    });
    await page.addInitScript(COUNT);
    await page.goto(`${inject('url')}live/${name}.html`);
    await page.waitForFunction('frames_drawn > 2 && talusWorlds[0]?.positions.length > 4', null, { timeout: 40_000 });
    const before = (await page.evaluate(POSES)) as number[];
    const frames = (await page.evaluate('frames_drawn')) as number;
    await page.waitForFunction(`frames_drawn > ${frames + 3}`, null, { timeout: 40_000 });
    // The wall stands for a second and a half.
    await expect
      .poll(
        async () => {
          const after = (await page.evaluate(POSES)) as number[];
          expect(after.every(Number.isFinite)).toBe(true);
          return after.some((value, i) => i % 4 < 3 && Math.abs(value - (before[i] ?? 0)) > 1e-3);
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    expect(countColors(await shoot(page, `examples/${name}`))).toBeGreaterThan(200);
    expect(errors).toEqual([]);
  } finally {
    await page.close();
  }
});

test('the rollback comes back to the same hash', async () => {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  await page.goto(`${inject('url')}live/rollback.html`);
  await page.waitForFunction("Number(document.querySelector('input').value) > 20", null, { timeout: 40_000 });
  const set = (value: number) =>
    page.evaluate(
      `(() => { const slider = document.querySelector('input'); slider.value = ${value}; slider.dispatchEvent(new Event('input')); return talusWorlds[0].hash(); })()`,
    );
  const at10 = await set(10);
  expect(await set(5)).not.toBe(at10);
  expect(await set(10)).toBe(at10);
  // From there the world goes on as it did.
  expect(await page.evaluate('(() => { talusWorlds[0].step(); return talusWorlds[0].hash(); })()')).toBe(await set(11));
  await page.close();
});
