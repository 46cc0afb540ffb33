// The file of a visitor's machine: what a profiling run becomes in it, what its check refuses and how it says so, the bars, and the
// address of the prepared issue. No clock, no browser.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { barsHtml, doubtsHtml, scaleOf } from '../../bench/visitors/bars';
import { issueLink, MOST_ISSUE_LENGTH } from '../../bench/visitors/issue';
import {
  probeDoubts,
  type VisitorFacts,
  visitorMatrix,
  visitorReport,
  visitorSize,
  visitorWords,
} from '../../bench/visitors/make';
import {
  checkVisitorReport,
  machineName,
  parseVisitorReport,
  VISITOR_SIZES,
  type VisitorReport,
  visitorFile,
  visitorText,
} from '../../bench/visitors/report';
import { checkMatrix } from '../../profiling/matrix';
import { summarize } from '../../profiling/statistics';
import type { Environment, Result } from '../../profiling/types';

const environment: Environment = {
  kind: 'browser',
  runtime: 'Firefox 150.0',
  cpu: 'processor unknown',
  cores: 8,
  memoryGb: 8,
  os: 'X11; Linux x86_64',
  version: '1.2.3',
  commit: 'abcdef0',
  adapter: { name: 'some vendor some GPU', software: false, driver: null, timestamps: false },
  reason: null,
  load: null,
  clock: 0.005,
};
const facts: VisitorFacts = {
  environment,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
  isolated: true,
  name: null,
  sizeBy: 'probe',
  probe: { before: 0.2, after: 0.2 },
  hidden: new Set(),
  short: false,
  date: new Date('2026-11-26T12:00:00Z'),
};
const matrix = visitorMatrix(1000);

/** A result of a run whose steps took these times. */
function result(scene: string, contender: string, series: number[], more: Partial<Result> = {}): Result {
  return {
    key: `${scene}|1000|${contender}`,
    scene,
    size: 1000,
    bodies: scene === 'ragdolls' ? 1001 : 1000,
    contender,
    complete: true,
    failed: null,
    skipped: null,
    warmup: 30,
    steps: series.length,
    wall: summarize(series),
    cpu: null,
    series,
    stages: null,
    gpu: null,
    createMs: 1,
    counts: null,
    calm: null,
    overlap: null,
    own: null,
    lost: 0,
    ...more,
  };
}
const steady = (ms: number, steps = 180) => Array.from({ length: steps }, (_, i) => ms * (1 + 0.01 * (i % 5)));
const all = () =>
  ['boxes', 'mixed', 'ragdolls'].flatMap((scene, i) => [
    result(scene, 'wasm:wide', steady(4 + i)),
    result(scene, 'wasm:wide:auto', steady(2 + i), { threads: { most: 8, used: 4 } }),
    result(scene, 'webgpu:cell-split', steady(3 + i)),
  ]);
const report = (results = all(), more: Partial<VisitorFacts> = {}) => visitorReport(matrix, results, { ...facts, ...more });
const copy = (data: VisitorReport) => JSON.parse(JSON.stringify(data));

describe('the run', () => {
  it('is a matrix that a profiling run takes, in full and in short, of every size', () => {
    for (const size of VISITOR_SIZES) {
      checkMatrix(visitorMatrix(size));
      checkMatrix(visitorMatrix(size, true));
    }
    expect(matrix.contenders.map(({ id, threads }) => [id, threads])).toEqual([
      ['wasm:wide', undefined],
      ['wasm:wide:auto', 'auto'],
      ['webgpu:cell-split', undefined],
    ]);
  });

  it('has the largest size that a machine does in time, and the smallest on the slowest', () => {
    const cost = (size: number) => size / 25;
    expect(visitorSize(0.1, cost)).toBe(4000);
    expect(visitorSize(0.2, cost)).toBe(1000);
    expect(visitorSize(1, cost)).toBe(250);
    expect(visitorSize(50, cost)).toBe(250);
  });

  it('says what it does in the words of the page', () => {
    expect(visitorWords('mixed, 1,000 bodies: wasm:wide:auto')).toBe('A pile of all shapes, 1,000 bodies: WASM, threads');
    expect(visitorWords('link to the GPU')).toBe('link to the GPU');
  });
});

describe('the report', () => {
  it('has a figure for each scene and way', () => {
    const { figures, machine, talus, doubts, size } = report();
    expect(figures.map(({ scene, way }) => `${scene} ${way}`)).toEqual(
      ['boxes', 'mixed', 'ragdolls'].flatMap((scene) => ['wasm', 'threads', 'webgpu'].map((way) => `${scene} ${way}`)),
    );
    expect(figures[1]).toMatchObject({ threads: 4, steps: 180, median: 2.04, missing: null, doubts: [] });
    expect(figures[6]!.bodies).toBe(1001);
    expect(machine).toMatchObject({ cores: 8, isolated: true, gpu: { name: 'some vendor some GPU', software: false } });
    expect({ talus, doubts, size }).toEqual({ talus: { version: '1.2.3', commit: 'abcdef0' }, doubts: [], size: 1000 });
  });

  it('says why there is no figure', () => {
    const results = all();
    results[1] = result('boxes', 'wasm:wide:auto', [], { wall: null, skipped: 'the page is not cross-origin isolated' });
    results[2] = result('boxes', 'webgpu:cell-split', [], { wall: null, failed: 'step 3: the device is lost' });
    const { figures } = report(results.slice(0, 6));
    expect(figures[1]).toMatchObject({ median: null, threads: null, steps: 0, missing: 'the page is not cross-origin isolated' });
    expect(figures[2]!.missing).toBe('step 3: the device is lost');
    expect(figures[8]!.missing).toBe('the run was ended before');
  });

  it('doubts what spoils figures', () => {
    const of = (results: Result[], more: Partial<VisitorFacts> = {}) => report(results, more).figures.map(({ doubts }) => doubts);
    expect(of(all(), { hidden: new Set(['mixed']) })[3]).toEqual(['hidden']);
    expect(of(all(), { hidden: new Set(['mixed']) })[0]).toEqual([]);
    expect(of(all(), { environment: { ...environment, clock: 1 } })[0]).toEqual(['clock']);
    expect(of([result('boxes', 'wasm:wide', steady(4, 12))])[0]).toEqual(['steps']);
    const late = steady(1).map((ms, i) => (i % 10 === 0 ? 20 : ms));
    expect(of([result('boxes', 'wasm:wide', late)])[0]).toEqual(['noise']);
    const wild = steady(1).map((ms, i) => (i % 2 === 0 ? 2 : 1) * ms);
    expect(of([result('boxes', 'wasm:wide', wild)])[0]).toEqual(['noise']);
    const software = { ...environment, adapter: { ...environment.adapter!, software: true } };
    expect(of(all(), { environment: software }).map((doubts) => doubts.join())).toEqual([
      '',
      '',
      'software',
      '',
      '',
      'software',
      '',
      '',
      'software',
    ]);
    expect(report(all(), { short: true }).doubts).toEqual(['short']);
  });

  it('sees a machine that slows down, and one that was busy before', () => {
    expect(probeDoubts({ before: 0.2, after: 0.24 })).toEqual([]);
    expect(probeDoubts({ before: 0.2, after: 0.3 })).toEqual(['throttled']);
    expect(probeDoubts({ before: 0.3, after: 0.2 })).toEqual(['uneven']);
  });

  it('takes names as one line, and none for nothing', () => {
    expect(report(all(), { name: '  My\nlaptop  ' }).machine.name).toBe('My laptop');
    expect(report(all(), { name: '   ' }).machine.name).toBeNull();
    expect(machineName(report(all(), { name: 'x'.repeat(200) }))).toHaveLength(80);
    expect(machineName(report())).toBe('Firefox 150.0, 8 cores, X11');
    expect(visitorFile(report(all(), { name: 'Größe / 12" <M2>' }))).toBe('2026-11-26_gr-e-12-m2_1000.json');
  });
});

describe('the check', () => {
  it('takes what the page writes', () => {
    expect(parseVisitorReport(visitorText(report()))).toEqual(report());
  });

  it.each<[string, (data: ReturnType<typeof copy>) => void]>([
    ["its format must be 'talus-visitor'", (data) => delete data.format],
    ['version 2 of the format; this talus reads version 1', (data) => (data.formatVersion = 2)],
    ['date must be a date such as', (data) => (data.date = 'yesterday')],
    ['machine.cores must be a whole number from 1 to 4096, not "8"', (data) => (data.machine.cores = '8')],
    ['machine.isolated is missing', (data) => delete data.machine.isolated],
    ['machine.mood is no field of the format', (data) => (data.machine.mood = 'good')],
    ['machine.gpu.software must be true or false', (data) => (data.machine.gpu = { name: 'x', software: 'no' })],
    ['machine.name must be a line of 1 to 80 characters', (data) => (data.machine.name = 'a\nb')],
    ['figures[2].median must be a number from', (data) => (data.figures[2].median = -1)],
    ['figures[2].p95 must be a number from', (data) => (data.figures[2].p95 = 'fast')],
    ['figures[0].doubts[0] must be one of hidden, clock', (data) => data.figures[0].doubts.push('witchcraft')],
    ['figures[0].scene must be one of boxes, mixed, ragdolls', (data) => (data.figures[0].scene = 'moon')],
    ['figures[1]: boxes with wasm is there twice', (data) => (data.figures[1] = data.figures[0])],
    ['figures: ragdolls with webgpu is missing', (data) => data.figures.pop()],
    ['figures[0] has neither figures nor a reason', (data) => (data.figures[0].median = null)],
    ['figures[0] has both figures and a reason', (data) => (data.figures[0].missing = 'tired')],
    ['figures[0]: the median must lie between low and high', (data) => (data.figures[0].p95 = 0.5)],
    ['probe.after must be a number from', (data) => (data.probe.after = 0)],
  ])('refuses: %s', (message, change) => {
    const data = copy(report());
    change(data);
    expect(() => checkVisitorReport(data)).toThrow(message);
  });

  it('refuses what is no JSON, no object, and other files', () => {
    expect(() => parseVisitorReport('{"format":')).toThrow('no JSON: ');
    for (const text of ['null', '[]', '3', '{"format":"talus-profile"}'])
      expect(() => parseVisitorReport(text)).toThrow('its format must be');
  });

  it('takes the files that are kept', () => {
    const folder = resolve(import.meta.dirname, '../../bench/results/visitors');
    for (const name of readdirSync(folder)) parseVisitorReport(readFileSync(join(folder, name), 'utf8'));
  });
});

describe('bars', () => {
  const rows = (data: VisitorReport) =>
    data.figures.slice(0, 3).map((figure) => ({ name: figure.way, figure, doubts: data.doubts }));

  it('have room for whiskers, and software adapters run out of it', () => {
    expect(scaleOf(rows(report()))).toBeCloseTo(4.16, 1);
    const software = report([...all().slice(0, 2), result('boxes', 'webgpu:cell-split', steady(900))], {
      environment: { ...environment, adapter: { ...environment.adapter!, software: true } },
    });
    expect(scaleOf(rows(software))).toBeLessThan(5);
    const html = barsHtml('Boxes', [{ title: '', rows: rows(software) }]);
    expect(html).toContain('class="cut"');
    expect(html).toContain('Bars with an open end');
    expect(doubtsHtml(rows(software))).toContain('A software adapter');
    expect(doubtsHtml(rows(report()))).toBe('');
  });

  it('write what strangers have written as text', () => {
    const data = report(all(), { name: '<script>alert(1)</script>' });
    data.figures[0]!.missing = '<img src=x onerror=alert(1)>';
    data.figures[0]!.median = null;
    const html = barsHtml('"Boxes"', [{ title: '', rows: [{ name: machineName(data), figure: data.figures[0]! }] }]);
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('the issue', () => {
  const bugs = 'https://example.org/talus/issues';

  it('opens with title and report', () => {
    const { url, isWhole } = issueLink(`${bugs}/`, report(all(), { name: 'Laptop & co' }));
    expect(isWhole).toBe(true);
    expect(url.length).toBeLessThanOrEqual(MOST_ISSUE_LENGTH);
    const { pathname, searchParams } = new URL(url);
    expect(pathname).toBe('/talus/issues/new');
    expect(searchParams.get('title')).toBe('Results of a visitor: Laptop & co, 1,000 bodies');
    const json = /```json\n([\s\S]*?)\n```/.exec(searchParams.get('body')!)![1]!;
    expect(parseVisitorReport(json)).toEqual(report(all(), { name: 'Laptop & co' }));
  });

  it('asks for the report where it would make the address too long', () => {
    const data = report();
    for (const figure of data.figures) {
      Object.assign(figure, {
        median: null,
        p95: null,
        low: null,
        high: null,
        threads: null,
        steps: 0,
        missing: 'ü'.repeat(300),
      });
    }
    checkVisitorReport(data);
    const { url, isWhole } = issueLink(bugs, data);
    expect(isWhole).toBe(false);
    expect(url.length).toBeLessThan(1000);
    expect(new URL(url).searchParams.get('body')).toContain('Press "Copy JSON"');
  });
});
