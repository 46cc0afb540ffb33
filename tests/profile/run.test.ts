// Profiling runs end to end on tiny matrices: everything that was asked for is answered, cancelling keeps what was done,
// going on adds the rest, and reports open again from their files. Nothing here looks at how long anything took.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { analyze, pairsOf } from '../../profiling/analysis';
import type { EngineFactory } from '../../profiling/engine';
import { compareHtml, parseReport, reportHtml, warnings } from '../../profiling/html';
import { buildProfileScene, fullMatrix, groupsOf, PROFILE_SCENES, parseContender, quickMatrix } from '../../profiling/matrix';
import { type Host, main } from '../../profiling/node/cli';
import { type ProfileOptions, type Progress, runProfile } from '../../profiling/run';
import type { Environment, Matrix, ProfileReport } from '../../profiling/types';
import { createWorld } from '../../src/study/index';

const environment: Environment = {
  kind: 'node',
  runtime: 'Node 0',
  cpu: 'a processor',
  cores: 1,
  memoryGb: 1,
  os: 'none',
  version: '0.0.0',
  commit: null,
  adapter: null,
  reason: 'no adapter in this test',
  load: 0,
  clock: 0.001,
};

const tiny: Matrix = {
  ...quickMatrix(),
  mode: 'test',
  scenes: ['boxes', 'towers'],
  sizes: [90, 30],
  contenders: ['wasm:wide', 'wasm:cell-split', 'webgpu'].map(parseContender),
  settleSeconds: 0.5,
  warmup: 2,
  steps: 8,
  leastSteps: 3,
  contenderSeconds: 100,
  budgetSeconds: null,
};

async function run(matrix: Matrix, options: Partial<ProfileOptions> = {}, watch: (p: Progress) => void = () => {}) {
  let last: Progress | undefined;
  const fresh: string[] = [];
  for await (const progress of runProfile(matrix, { createWorld, environment, ...options })) {
    if (last) expect(progress.fraction).toBeGreaterThanOrEqual(last.fraction - 1e-9);
    last = progress;
    fresh.push(...progress.fresh.map((r) => r.key));
    watch(progress);
  }
  expect(last!.done).toBe(true);
  return { report: last!.report, fresh };
}

const copy = (report: ProfileReport): ProfileReport => JSON.parse(JSON.stringify(report));
const newDocument = () => parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document;

describe('matrix', () => {
  it('builds every scene with about the bodies that were asked for', () => {
    for (const name of Object.keys(PROFILE_SCENES)) {
      const { dynamicCount } = buildProfileScene(name, 400).checks;
      expect(Math.abs(dynamicCount / 400 - 1), name).toBeLessThan(0.15);
    }
  });

  it('runs small groups first and leaves out what a scene cannot be', () => {
    const sizes = groupsOf(fullMatrix()).map((g) => g.size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(groupsOf({ ...fullMatrix(), scenes: ['pyramid'] }).at(-1)!.size).toBe(10_000);
  });

  it('reads contenders', () => {
    expect(parseContender('webgpu')).toEqual({
      id: 'webgpu:cell-split',
      engine: 'talus',
      backend: 'webgpu',
      solver: 'cell-split',
    });
    expect(parseContender('rapier')).toEqual({ id: 'rapier', engine: 'rapier', backend: null, solver: null });
    expect(() => parseContender('wasm:magic')).toThrow("unknown solver 'magic'");
    expect(parseContender('wasm:wide:auto')).toMatchObject({ id: 'wasm:wide:auto', solver: 'wide', threads: 'auto' });
    expect(parseContender('wasm:wide:4')).toMatchObject({ id: 'wasm:wide:4', threads: 4 });
    for (const id of ['wasm:wide:0', 'wasm:wide:many', 'wasm:wide:2:2'])
      expect(() => parseContender(id)).toThrow("threads are 'auto' or a number");
  });

  it.each([
    [{ scenes: ['moon'] }, "unknown profile scene 'moon'"],
    [{ sizes: [1.5] }, 'a size must be a whole number'],
    [{ sizes: [] }, 'no sizes'],
    [{ steps: 0 }, 'steps must be'],
    [{ contenders: ['wasm:wide', 'wasm:wide'].map(parseContender) }, 'contenders named twice'],
  ])('refuses %j', async (change, message) => {
    await expect(run({ ...tiny, ...change })).rejects.toThrow(message);
  });
});

describe('run', () => {
  it('gives threads to contenders that ask for them, and joints to every solver', async () => {
    const contenders = ['wasm:wide', 'wasm:wide:2', 'wasm:colored'].map(parseContender);
    const { report } = await run({ ...tiny, scenes: ['ragdolls'], sizes: [39], contenders });
    const [one, two, colored] = report.results;
    expect([one!.bodies, one!.failed, one!.skipped, one!.threads]).toEqual([39, null, null, undefined]);
    expect([two!.failed, two!.skipped, two!.steps]).toEqual([null, null, 8]);
    expect(two!.threads!.most).toBe(2);
    expect(two!.threads!.used).toBeGreaterThanOrEqual(1);
    expect([colored!.failed, colored!.skipped]).toEqual([null, null]);
  });

  it('leaves out threads where there are none, and says why', async () => {
    const contenders = ['wasm:wide', 'wasm:wide:2'].map(parseContender);
    vi.stubGlobal('SharedArrayBuffer', undefined);
    const { report } = await run({ ...tiny, sizes: [30], scenes: ['boxes'], contenders });
    vi.unstubAllGlobals();
    expect(report.results[0]!.wall!.count).toBe(8);
    expect(report.results[1]!.wall).toBeNull();
    expect(report.results[1]!.skipped).toContain('there is no shared memory');
  });

  it('answers every cell of the matrix', async () => {
    const { report, fresh } = await run(tiny);
    expect(report.state).toBe('complete');
    expect(report.groups.map((g) => g.key)).toEqual(['boxes|30', 'towers|30', 'boxes|90', 'towers|90']);
    expect(report.results).toHaveLength(12);
    expect(fresh).toEqual(report.results.map((r) => r.key));
    for (const r of report.results) {
      expect(r.complete).toBe(true);
      if (r.contender.startsWith('webgpu')) {
        expect(r.skipped).toBe('no adapter in this test');
        continue;
      }
      expect(r.failed).toBeNull();
      expect(r.steps).toBe(8);
      expect(r.warmup).toBe(2);
      expect(r.series).toHaveLength(8);
      expect(r.wall!.count).toBe(8);
      expect(r.wall!.median).toBeGreaterThan(0);
      expect(r.cpu).toBeNull();
      expect(r.stages!.wait).toBe(0);
      expect(r.stages!.solve).toBeGreaterThan(0);
      expect(r.counts!.pairs).toBeGreaterThan(0);
      expect(r.calm!.rmsSpeed).toBeGreaterThan(0);
      expect(r.overlap).not.toBeNull();
      expect(r.own!.penetrationMean).toBeGreaterThanOrEqual(0);
      expect(r.lost).toBe(0);
    }
  });

  it('measures worlds that do not sleep', async () => {
    const sleep: boolean[] = [];
    const create: ProfileOptions['createWorld'] = async (options) => {
      const world = await createWorld(options);
      sleep.push(world.settings.sleep);
      return world;
    };
    await run({ ...tiny, sizes: [30], scenes: ['towers'] }, { createWorld: create });
    expect(sleep).toEqual([false, false, false]);
  });

  it('measures other engines by the same rules, and reports what fails', async () => {
    const { create } = await import('../../bench/engines/rapier.mjs');
    const broken: EngineFactory = async () => ({
      version: '0',
      step() {
        throw new Error('gave up');
      },
      read() {},
      dispose() {},
    });
    const matrix = {
      ...tiny,
      scenes: ['boxes'],
      sizes: [30],
      contenders: ['wasm:wide', 'rapier', 'broken', 'absent'].map(parseContender),
    };
    const { report } = await run(matrix, { engines: { rapier: create, broken } });
    const [, rapier, failed, absent] = report.results;
    expect(rapier!.wall!.count).toBe(8);
    expect(rapier!.stages).toBeNull();
    expect(rapier!.calm!.rmsSpeed).toBeGreaterThan(0);
    expect(failed!.failed).toBe('step 1: gave up');
    expect(failed!.wall).toBeNull();
    expect(absent!.skipped).toContain('not available');
  });

  it('stops a slow contender after its time, having done the least', async () => {
    const matrix = { ...tiny, scenes: ['boxes'], sizes: [30], contenderSeconds: 0, leastSteps: 3 };
    const { report } = await run(matrix);
    expect(report.results[0]!.steps).toBe(3);
    expect(report.results[0]!.complete).toBe(true);
  });

  it('does the least of every group when the budget of the run is spent', async () => {
    const { report } = await run({ ...tiny, budgetSeconds: 0, leastSteps: 2 });
    expect(report.state).toBe('complete');
    expect(report.results.filter((r) => r.wall).map((r) => r.steps)).toEqual(Array(8).fill(2));
  });

  it('keeps what was done when cancelled and goes on from there', async () => {
    const controller = new AbortController();
    const { report } = await run(tiny, { signal: controller.signal }, ({ report }) => {
      if (report.groups.length >= 2) controller.abort();
    });
    expect(report.state).toBe('cancelled');
    const done = report.results.filter((r) => r.complete && r.wall).map((r) => r.key);
    expect(done.length).toBeGreaterThanOrEqual(2);
    expect(report.results.length).toBeLessThan(12);

    const previous = copy(report);
    const { report: whole, fresh } = await run(tiny, { previous });
    expect(whole.state).toBe('complete');
    expect(whole.started).toBe(previous.started);
    expect(whole.results).toHaveLength(12);
    expect(new Set(whole.results.map((r) => r.key)).size).toBe(12);
    // The first group was whole: its numbers are those of the first run.
    expect(fresh).not.toContain('boxes|30|wasm:wide');
    expect(whole.results[0]).toEqual(previous.results[0]);
  });

  it('refuses to go on with what does not fit', async () => {
    const { report } = await run({ ...tiny, scenes: ['boxes'], sizes: [30], steps: 2 });
    const previous = copy(report);
    await expect(run(tiny, { previous })).rejects.toThrow('another matrix');
    const other = { ...environment, cpu: 'another processor' };
    await expect(run(previous.matrix, { previous, environment: other })).rejects.toThrow('another cpu');
  });
});

describe('report', () => {
  let report: ProfileReport;
  const made = async () => {
    report ??= (await run({ ...tiny, sizes: [20, 40, 90], settleSeconds: 0.2, steps: 4 })).report;
    return report;
  };

  it('opens, holds the data and the plots, and asks for nothing outside', async () => {
    const html = reportHtml(await made(), newDocument());
    const { document } = parseHTML(html);
    expect(document.querySelector('h1')!.textContent).toContain('a processor');
    expect(document.querySelectorAll('figcaption').length).toBeGreaterThanOrEqual(4);
    const rows = [...document.querySelectorAll('tbody tr')].map((tr) => tr.textContent);
    expect(rows.filter((text) => text!.includes('wasm:wide')).length).toBeGreaterThanOrEqual(6);
    expect(html).not.toMatch(/(src|href)="?https?:/);
    expect([...document.querySelectorAll('script')].every((s) => s.getAttribute('type') === 'application/json')).toBe(true);
    expect(parseReport(html)).toEqual(copy(report));
    expect(parseReport(JSON.stringify(report))).toEqual(copy(report));
  });

  it('has fits for each contender on each scene', async () => {
    const { fits } = analyze(await made());
    expect(fits.map((f) => `${f.scene} ${f.contender}`)).toContain('boxes wasm:wide');
    expect(fits).toEqual(report.analysis.fits);
  });

  it('warns of software adapters, busy machines, coarse clocks and cut runs', async () => {
    const adapter = { name: 'x', software: true, driver: null, timestamps: false };
    const bad: ProfileReport = {
      ...(await made()),
      state: 'cancelled',
      environment: { ...environment, adapter, load: 3, clock: 0.1 },
    };
    expect(warnings(bad)).toHaveLength(4);
    expect(warnings(report)).toHaveLength(0);
  });

  it('shows a text in the data as text', async () => {
    const evil = copy(await made());
    evil.environment.cpu = '<script>alert(1)</script>';
    const html = reportHtml(evil, newDocument());
    expect(html).not.toContain('<script>alert');
    expect(parseReport(html)).toEqual(evil);
  });

  it('compares two reports where they have measurements in common', async () => {
    const a = copy(await made());
    const b = copy(a);
    b.results = b.results.filter((r) => r.scene === 'boxes');
    for (const r of a.results) if (r.wall) r.wall.low = r.wall.high = r.wall.median;
    for (const r of b.results) if (r.wall) r.wall.median = r.wall.low = r.wall.high = 100 * r.wall.median;
    const pairs = pairsOf(a, b);
    expect(pairs).toHaveLength(6);
    for (const pair of pairs) {
      expect(pair.scene).toBe('boxes');
      expect(pair.ratio).toBeCloseTo(100, 6);
      expect(pair.apart).toBe(true);
    }
    expect(pairsOf(a, a).every((pair) => pair.ratio === 1 && !pair.apart)).toBe(true);
    const { document } = parseHTML(compareHtml(a, b, newDocument()));
    expect(document.querySelectorAll('figcaption')).toHaveLength(1);
    expect(document.querySelectorAll('script[type="application/json"]')).toHaveLength(2);
  });

  it('finds where a GPU would win', async () => {
    const gpu = copy(await made());
    for (const r of gpu.results) {
      const law = r.contender.startsWith('webgpu') ? 10 * Math.sqrt(r.bodies / 60) : (10 * r.bodies) / 60;
      r.skipped = null;
      r.wall = { count: 9, median: law, low: law, high: law, p95: law, min: law, max: law, mean: law };
    }
    const { crossovers } = analyze(gpu);
    const boxes = crossovers.find((c) => c.scene === 'boxes' && c.holder === 'wasm:wide')!;
    expect(boxes.crossover.kind === 'at' && boxes.crossover.size).toBeCloseTo(60, 6);
    expect(reportHtml({ ...gpu, analysis: analyze(gpu) }, newDocument())).toContain('from about 60 bodies on');
  });

  it('refuses files that are no reports', () => {
    expect(() => parseReport('hello')).toThrow('not a profile report');
    expect(() => parseReport('{"format":"other"}')).toThrow('not a profile report');
    expect(() => parseReport('{"format":"talus-profile","formatVersion":9}')).toThrow('format version 9');
  });
});

describe('command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'talus-profile-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const host: Host = {
    createWorld,
    root: resolve(import.meta.dirname, '../..'),
    openAdapter: async () => ({ name: null, reason: 'not in this test' }),
    engines: {},
    command: 'profile',
  };
  const call = async (...argv: string[]) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const status = await main(argv, host);
    const text = [...log.mock.calls, ...error.mock.calls].flat().join('\n');
    log.mockRestore();
    error.mockRestore();
    return { status, text };
  };

  it('explains itself', async () => {
    const { status, text } = await call('--help');
    expect(status).toBe(0);
    for (const word of ['--quick', '--resume', '--compare', 'towers', 'cell-split']) expect(text).toContain(word);
  });

  it.each([
    [['--scene', 'moon'], "unknown profile scene 'moon'"],
    [['--size', 'many'], "--size: 'many' is not a number"],
    [['--with', 'wasm:magic'], "unknown solver 'magic'"],
    [['--peers', 'bullet'], "'bullet' is not one of"],
    [['--steps', '1.5'], '--steps'],
    [['--compare', 'one.json'], 'needs two'],
    [['--resume', '/no/such/file'], 'no such file'],
    [['fast'], 'options start with --'],
  ])('refuses %j', async (argv, message) => {
    const { status, text } = await call('--out', join(folder, 'refused'), ...argv);
    expect(status).toBe(1);
    expect(text).toContain(message);
  });

  it('writes a report, goes on with it and compares it', async () => {
    const out = join(folder, 'report');
    const few = ['--quick', '--scene', 'boxes', '--size', '30', '--with', 'wasm:wide,webgpu', '--steps', '3', '--settle', '0.1'];
    const first = await call(...few, '--out', out);
    expect(first.text).toContain('not in this test');
    expect(first.status).toBe(0);
    const json = join(out, 'profile.json');
    const report = parseReport(readFileSync(json, 'utf8'));
    expect(report.state).toBe('complete');
    expect(report.results.map((r) => r.steps)).toEqual([3, 0]);
    expect(parseReport(readFileSync(join(out, 'profile.html'), 'utf8'))).toEqual(report);
    const again = await call('--resume', json);
    expect(again.status).toBe(0);
    expect(parseReport(readFileSync(json, 'utf8')).results).toEqual(report.results);
    const compared = join(folder, 'compare.html');
    expect((await call('--compare', json, join(out, 'profile.html'), '--out', compared)).status).toBe(0);
    expect(readFileSync(compared, 'utf8')).toContain('Time, B over A');
  });
});
