// `npm run measure`: runs the page "Measure this machine" in headless Chromium with software graphics and keeps its report among the results of
// visitors, for the page of results (site/visitors.mjs). Run it on an idle machine.
//
//   npm run measure -- --name "AMD EPYC, 2 cores, SwiftShader"
//
// --size 1000 names the number of bodies; without it the page's probe does. --out names another folder; --short tries it out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DOUBTS, parseVisitorReport, VISITOR_WAYS, visitorFile, visitorText } from '../../bench/visitors/report';
import { DemoBrowser } from '../../tests/demo/browser';

const RESULTS = resolve(import.meta.dirname, '../../bench/results/visitors');
/** ms. A run takes a minute, and longer on a busy machine. */
const PATIENCE = 600_000;

export async function main(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      name: { type: 'string' },
      size: { type: 'string' },
      out: { type: 'string' },
      short: { type: 'boolean', default: false },
    },
  });
  const load = loadavg()[0]!;
  if (load > 0.5)
    console.warn(
      `The load average is ${load.toFixed(2)}: other programs are running, and the times will be longer than they should.`,
    );
  const demo = await DemoBrowser.start();
  try {
    const query = new URLSearchParams({ ...(values.size ? { size: values.size } : {}), ...(values.short ? { short: '1' } : {}) });
    const page = await demo.openMeasure(`?${query}`);
    if (values.name) await page.locator('#name').fill(values.name);
    await page.locator('#start').click();
    let said = '';
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const now = (await page.locator('#now').textContent()) ?? '';
      if (now !== said && process.stdout.isTTY) process.stdout.write(`\r\x1b[K${now}`);
      said = now;
      if (await page.evaluate('window.talusMeasure.report !== null')) break;
      if (/has ended|Another tab|Cancelled/.test(now) || Date.now() > deadline) throw new Error(now);
      await new Promise((done) => setTimeout(done, 500));
    }
    console.log(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${said}`);
    const report = parseVisitorReport(JSON.stringify(await page.evaluate('window.talusMeasure.report')));
    for (const figure of report.figures) {
      const numbers =
        figure.median === null
          ? figure.missing
          : `${figure.median} ms, 95 %: ${figure.p95} ms, ${figure.steps} steps, ${figure.threads} threads`;
      console.log(
        `${figure.scene}, ${figure.bodies} bodies, ${VISITOR_WAYS[figure.way]}: ${numbers}${figure.doubts.length > 0 ? ` (${figure.doubts.join(', ')})` : ''}`,
      );
    }
    for (const doubt of report.doubts) console.log(`! ${DOUBTS[doubt]}`);
    for (const error of demo.errors.splice(0)) console.log(`console: ${error}`);
    const folder = values.out ? resolve(values.out) : RESULTS;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, visitorFile(report));
    writeFileSync(file, visitorText(report));
    console.log(`written to ${file}`);
    return 0;
  } finally {
    await demo.close();
  }
}
