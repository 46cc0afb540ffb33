// Pictures of all scenes for the grid of the page, as small webp files in demo/public/thumbnails: builds the page, opens every scene in
// headless Chromium with few bodies, steps it and keeps the canvas. node demo/tools/run.mjs thumbnails [scene ...]
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { FLAGS, findChromium, serve } from '../../tests/helpers/chromium';
import { ENTRIES } from '../src/catalog';

const root = resolve(import.meta.dirname, '../..');
const out = resolve(import.meta.dirname, '../public/thumbnails');
const SIZE = { width: 480, height: 300 };
const KEPT = { width: 320, height: 200 };
/** Share of the standard number of bodies, and the most of them. */
const SHARE = 0.4;
const MOST = 1500;
/** Steps after which a scene shows its subject; 60 elsewhere. */
const STEPS: Readonly<Record<string, number>> = {
  boxes: 200,
  'boxes-small': 200,
  chess: 160,
  mixed: 200,
  spheres: 160,
  rubble: 200,
  heap: 200,
  ragdolls150: 150,
  'cardhouse-hit': 55,
  fracture: 45,
  'capsule-chain': 90,
  'joint-grid': 70,
  domino: 110,
  many: 150,
  bullets: 130,
  strip: 80,
  conveyor: 300,
  course: 240,
  circuit: 240,
  slopes: 90,
  'euler-disc': 60,
};

export async function main(names: readonly string[]): Promise<number> {
  execFileSync('npm', ['run', '--silent', 'build:demo'], { cwd: root, stdio: 'pipe' });
  mkdirSync(out, { recursive: true });
  const server = await serve(resolve(process.env.TALUS_DEMO_OUT ?? resolve(root, 'build/demo')));
  const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS, headless: true });
  const page = await browser.newPage({ viewport: SIZE });
  for (const { name, count } of ENTRIES) {
    if (names.length > 0 && !names.includes(name)) continue;
    const fewer = count && Math.min(Math.round(SHARE * count[2]), MOST);
    await page.goto(`${server.url}?scene=${name}&theme=light&quality=high${fewer ? `&count=${fewer}` : ''}`);
    await page.waitForFunction('window.talusDemo?.panel && window.talusDemo?.gpu');
    const picture = (await page.evaluate(`(async () => {
      const demo = window.talusDemo;
      demo.pause(true);
      await demo.settled();
      // The whole picture is free: no title, no tools.
      demo.view.setInsets({ left: 0, right: 0, top: 0, bottom: 0 });
      demo.run(${STEPS[name] ?? 60});
      const small = new OffscreenCanvas(${KEPT.width}, ${KEPT.height});
      const context = small.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(document.querySelector('#view canvas'), 0, 0, small.width, small.height);
      const blob = await small.convertToBlob({ type: 'image/webp', quality: 0.8 });
      let text = '';
      for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
      return btoa(text);
    })()`)) as string;
    const bytes = Buffer.from(picture, 'base64');
    writeFileSync(resolve(out, `${name}.webp`), bytes);
    console.log(`${name}: ${bytes.length} bytes`);
  }
  await browser.close();
  await server.close();
  return 0;
}
