// Frame pacing: intervals between frames (requestAnimationFrame) and what the main thread does in each, on a desktop and on a
// phone, beside a page that does nothing. Times depend on the machine and on what else it does, so that only what holds
// anywhere is asserted; SAVE_PACING=1 keeps the numbers in bench/results/<date>_<machine>/demo-pacing.json and .csv.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provenance, save } from '../../bench/lib/report.mjs';
import { DemoBrowser, report } from './browser';

const SECONDS = 4;

interface Pacing {
  name: string;
  frames: number;
  /** Intervals, ms. */
  median: number;
  p95: number;
  longest: number;
  /** Processor time of the main thread in a frame, ms: not lengthened by other programs. */
  cpu: number;
  /** Simulated seconds in a second. */
  pace: number;
}

let demo: DemoBrowser;
const rows: Pacing[] = [];

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterAll(async () => {
  if (process.env.SAVE_PACING && rows.length > 0) save('demo-pacing', provenance('SAVE_PACING=1 npm run test:demo'), rows);
  await demo?.close();
});

async function pacing(page: Page, name: string, steps: () => Promise<number>): Promise<Pacing> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find((m) => m.name === 'TaskDuration')!.value;
  };
  const [before, started] = [await cpu(), await steps()];
  const intervals = (await page.evaluate(`new Promise((done) => {
    const times = [];
    const frame = (now) => {
      times.push(now);
      if (now - times[0] < ${1000 * SECONDS}) requestAnimationFrame(frame);
      else done(times.slice(1).map((time, i) => time - times[i]));
    };
    requestAnimationFrame(frame);
  })`)) as number[];
  const [after, ended] = [await cpu(), await steps()];
  const sorted = intervals.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const row = {
    name,
    frames: intervals.length,
    median: at(0.5),
    p95: at(0.95),
    longest: sorted.at(-1)!,
    cpu: (after - before) / intervals.length,
    pace: (ended - started) / 60 / SECONDS,
  };
  rows.push(row);
  await session.detach();
  return row;
}

test('a page that does nothing, for comparison', async () => {
  const page = await demo.context.newPage();
  await page.goto('about:blank');
  const row = await pacing(page, 'nothing', async () => 0);
  expect(row.frames).toBeGreaterThan(10 * SECONDS);
  await page.close();
});

test.each([
  ['wall, desktop', 'wall', 1280, 800],
  ['boxes-small of 300, desktop', 'boxes-small&count=300', 1280, 800],
  ['card house, phone', 'cardhouse', 390, 844],
] as const)('%s', async (name, scene, width, height) => {
  const page = await demo.open(`?scene=${scene}&quality=low`, { width, height });
  const steps = async () => (await report(page)).steps;
  const row = await pacing(page, name, steps);
  expect(demo.errors).toEqual([]);
  // It draws and it steps, no frame is a pause, and the main thread would hold 60 frames a second by itself.
  expect(row.frames).toBeGreaterThan(2 * SECONDS);
  expect(row.pace).toBeGreaterThan(0.05);
  expect(row.longest).toBeLessThan(2000);
  expect(row.cpu).toBeLessThan(1000 / 60);
  await page.close();
});
