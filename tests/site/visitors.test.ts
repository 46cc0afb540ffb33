// The page of results by visitors: what the builder makes of files, what it says without any, and which it refuses. The page as built is in
// site.test.ts too.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { VISITOR_SCENES, type VisitorReport } from '../../bench/visitors/report';
import { readVisitors, visitorsHtml } from '../../site/visitors.mjs';

const KEPT = resolve(import.meta.dirname, '../../bench/results/visitors');
const folder = mkdtempSync(join(tmpdir(), 'talus-visitors-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [first] = readdirSync(KEPT);
const kept = (): VisitorReport => JSON.parse(readFileSync(join(KEPT, first!), 'utf8'));
/** A machine that is so many times as fast as the kept one and has a real GPU. */
function machine(name: string, speed: number, change: (data: VisitorReport) => void = () => {}): VisitorReport {
  const data = kept();
  data.machine.name = name;
  data.machine.gpu = { name: `GPU of ${name}`, software: false };
  for (const figure of data.figures) {
    figure.doubts = [];
    for (const field of ['median', 'p95', 'low', 'high'] as const) if (figure[field] !== null) figure[field] /= speed;
  }
  change(data);
  return data;
}
const pageOf = (reports: VisitorReport[]) => {
  const { html } = visitorsHtml(reports.map((report, i) => ({ file: `${i}.json`, report })));
  return parseHTML(`<!doctype html><html><body>${html}</body></html>`).document;
};
/** Names of rows of the first figure, by group. */
const groups = (document: Document) =>
  [...document.querySelector('.bars')!.querySelectorAll('tbody')].map((body) =>
    [...body.querySelectorAll('th[scope=row]')].map((th) => th.firstChild!.textContent!.trim()),
  );

describe('the page', () => {
  test('says so where nobody has added a machine, and how to', () => {
    const document = pageOf([]);
    expect(document.body.textContent).toContain('Nobody has added a machine yet');
    expect(document.querySelector('.bars')).toBeNull();
    expect(document.querySelector('#add + ol a')!.getAttribute('href')).toBe('../demo/measure.html');
  });

  test('has bars by way, fast machines first, software adapters and machines without figures last', () => {
    const nothing = machine('None', 1, (data) => {
      const without = { median: null, p95: null, low: null, high: null, threads: null, steps: 0, missing: 'no WebGPU adapter' };
      for (const figure of data.figures) if (figure.way === 'webgpu') Object.assign(figure, without);
    });
    const software = machine('Soft', 50, (data) => {
      for (const figure of data.figures) if (figure.way === 'webgpu') figure.doubts = ['software'];
    });
    const document = pageOf([nothing, machine('Slow', 2), software, machine('Fast', 4)]);
    expect(groups(document)).toEqual([
      ['Soft', 'Fast', 'Slow', 'None'],
      ['Soft', 'Fast', 'Slow', 'None'],
      ['Fast', 'Slow', 'Soft', 'None'],
    ]);
    expect([...document.querySelectorAll('.bars .group')].slice(0, 3).map((row) => row.textContent)).toEqual([
      'WASM, one thread',
      'WASM, threads',
      'WebGPU',
    ]);
    expect(document.querySelectorAll('.bars').length).toBe(Object.keys(VISITOR_SCENES).length);
    expect(document.body.textContent).toContain('software adapter');
    expect(document.body.textContent).toContain('no WebGPU adapter');
    const note = document.querySelector('.bars th[scope=row] small')!.textContent;
    expect(note).toBe(`${kept().date.slice(0, 10)}, talus ${kept().talus.version}`);
  });

  test('puts machines beside each other only at the same number of bodies', () => {
    const large = machine('Large', 4, (data) => {
      data.size = 4000;
    });
    const headings = [...pageOf([machine('Small', 1), large]).querySelectorAll('h2')].map((h2) => h2.textContent);
    expect(headings).toEqual([`${kept().size.toLocaleString('en')} bodies`, '4,000 bodies', 'Machines', 'Add your machine']);
  });
});

describe('the files', () => {
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const refused = () => () => readVisitors(folder);

  test('are read in order; a folder that is not there has none', () => {
    put('b.json', JSON.stringify(machine('B', 1)));
    put('a.json', JSON.stringify(machine('A', 1)));
    put('readme.txt', 'no report');
    expect(readVisitors(folder).map(({ report }: { report: VisitorReport }) => report.machine.name)).toEqual(['A', 'B']);
    expect(readVisitors(join(folder, 'nowhere'))).toEqual([]);
  });

  test('that are not as the format says stop the build, by their name and field', () => {
    put('c.json', JSON.stringify({ ...machine('C', 1), size: 'many' }));
    expect(refused()).toThrow('bench/results/visitors/c.json: size must be a whole number from 1 to 1000000, not "many"');
    put('c.json', '{');
    expect(refused()).toThrow('bench/results/visitors/c.json: no JSON: ');
    put('c.json', JSON.stringify({ ...machine('C', 1), doubts: ['short'] }));
    expect(refused()).toThrow('bench/results/visitors/c.json: a short run');
  });
});

test('the built site has the page, in the menu and on the front page, with every kept machine', () => {
  const page = readFileSync(join(inject('site'), 'reports/visitors.html'), 'utf8');
  for (const { file } of readVisitors()) expect(page).toContain(file);
  expect(readFileSync(join(inject('site'), 'reports/index.html'), 'utf8')).toContain('href="visitors.html"');
  expect(readFileSync(join(inject('site'), 'index.html'), 'utf8')).toContain('href="demo/measure.html"');
});
