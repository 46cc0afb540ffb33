// Screenshots of the page with every scene, to be looked at: desktop and phone, light and dark, into build/shots.
// node demo/tools/run.mjs shots [--lab] [--coarse] [--rivals] [--only desktop-light,...] [scene ...]
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { FLAGS, findChromium, serve } from '../../tests/helpers/chromium';
import { ENTRIES } from '../src/catalog';

const root = resolve(import.meta.dirname, '../..');
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 }, hasTouch: false },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
};
const MOST = 600;

export async function main(args: readonly string[]): Promise<number> {
  const lab = args.includes('--lab');
  const at = args.indexOf('--only');
  const only = at < 0 ? [] : args[at + 1]!.split(',');
  const names = args.filter((arg, i) => !arg.startsWith('--') && (at < 0 || i !== at + 1));
  const out = resolve(root, 'build/shots');
  mkdirSync(out, { recursive: true });
  const server = await serve(resolve(process.env.TALUS_DEMO_OUT ?? resolve(root, 'build/demo')));
  const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
  for (const [device, options] of Object.entries(DEVICES)) {
    for (const theme of ['light', 'dark'] as const) {
      if (only.length > 0 && !only.includes(`${device}-${theme}`)) continue;
      const context = await browser.newContext({
        ...options,
        colorScheme: theme,
        reducedMotion: 'no-preference',
        deviceScaleFactor: args.includes('--coarse') ? 0.5 : 1,
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(String(error)));
      for (const { name, count } of ENTRIES) {
        if (names.length > 0 && !names.includes(name)) continue;
        const fewer = count && Math.min(count[2], MOST);
        await page.goto(
          `${server.url}?scene=${name}&quality=high${lab ? '&lab=1' : ''}${args.includes('--rivals') ? '&rivals=1' : ''}${fewer ? `&count=${fewer}` : ''}`,
        );
        await page.waitForFunction('window.talusDemo?.panel && window.talusDemo?.gpu');
        await page.evaluate('window.talusDemo.pause(true)');
        await page.evaluate('window.talusDemo.settled()');
        await page.evaluate('window.talusDemo.run(90)');
        await page.screenshot({ path: resolve(out, `${name}-${device}-${theme}${lab ? '-lab' : ''}.png`), timeout: 60_000 });
        console.log(`${name} ${device} ${theme}`);
      }
      await context.close();
    }
  }
  await browser.close();
  await server.close();
  return 0;
}
