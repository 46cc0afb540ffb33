// The model of a GPU: its formula, the fit to measured passes, and what it makes of a report.
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../profiling/html';
import { fullMatrix, parseContender } from '../../profiling/matrix';
import { type DeviceClass, fitDevice, fitOf, needs, passOn, type Work, workOf } from '../../profiling/model';
import { summarize } from '../../profiling/statistics';
import { FORMAT, FORMAT_VERSION, type ProfileReport, type Result } from '../../profiling/types';

const device: DeviceClass = { name: 'a device', dispatch: 5, barrier: 1, workgroups: 100, bandwidth: 100, link: 1000 };
const work = (depth: number, bytes: number): Work => ({ dispatches: 10, depth, cells: 150, bytes });

describe('model', () => {
  it('adds dispatches, colors in turn for each wave of workgroups, and bytes', () => {
    // 10 * 5 us + 400 * 2 * 1 us + 1e8 / 1e11 s
    expect(passOn(device, work(400, 1e8))).toBeCloseTo(0.05 + 0.8 + 1, 9);
    expect(passOn(device, { ...work(400, 1e8), cells: 100 })).toBeCloseTo(0.05 + 0.4 + 1, 9);
  });

  it('finds the numbers of a device from passes, and says how far off it is', () => {
    const sample = (depth: number, bytes: number) => ({ work: work(depth, bytes), pass: 2e-3 * depth + 1e-8 * bytes });
    const fit = fitDevice([sample(100, 1e6), sample(200, 5e7), sample(300, 2e8)])!;
    expect(fit.perColor).toBeCloseTo(2e-3, 9);
    expect(fit.perByte * 1e8).toBeCloseTo(1, 6);
    expect(fit.worst).toBeCloseTo(1, 6);
  });

  it('never gives a device a negative cost', () => {
    const sample = (depth: number, bytes: number, pass: number) => ({ work: work(depth, bytes), pass });
    const fit = fitDevice([sample(300, 1e6, 1), sample(200, 1e7, 10), sample(100, 1e8, 100)])!;
    expect(fit.perColor).toBe(0);
    expect(fit.perByte * 1e6).toBeCloseTo(1, 6);
    expect(fitDevice([sample(1, 1, 1), sample(2, 2, 2)])).toBeNull();
  });
});

/** A report in which WASM takes 1 us a body, WebGPU 0.4 on this thread, and the pass 2 us a color. */
function reportOf(sizes: number[]): ProfileReport {
  const contenders = ['wasm:wide', 'webgpu'].map(parseContender);
  const base: Omit<Result, 'key' | 'contender' | 'size' | 'bodies' | 'wall' | 'stages' | 'gpu'> = {
    scene: 'boxes',
    complete: true,
    failed: null,
    skipped: null,
    warmup: 0,
    steps: 3,
    cpu: null,
    series: [],
    createMs: 0,
    counts: null,
    calm: null,
    overlap: null,
    own: null,
    lost: 0,
  };
  const results = sizes.flatMap((size): Result[] => {
    const at = (ms: number) => summarize([ms, ms, ms]);
    const stages = { broadphase: 0, contacts: 0, wait: 0, finish: 0 };
    const colors = 10 + size / 1000;
    return [
      {
        ...base,
        key: `boxes|${size}|wasm:wide`,
        contender: 'wasm:wide',
        size,
        bodies: size,
        wall: at(size / 1000),
        stages: { ...stages, solve: size / 1000 },
        gpu: null,
      },
      {
        ...base,
        key: `boxes|${size}|webgpu:cell-split`,
        contender: 'webgpu:cell-split',
        size,
        bodies: size,
        wall: at(size / 500),
        stages: { ...stages, solve: size / 2500, wait: size / 1000 },
        counts: { pairs: 0, contacts: 4 * size, colors, cells: size / 100, splitBodies: 0, memory: 0 },
        gpu: {
          dispatches: 17,
          bytesUp: 0,
          bytesDown: 64 * size,
          latency: at(size / 1000),
          pass: at(2e-3 * (1 + 2 * 6 * 2) * colors),
          tick: null,
          substeps: 6,
          sweeps: 2,
          parts: { partition: 0, pack: 0, upload: 0, encode: size / 5000, readback: 0, apply: size / 5000 },
        },
      },
    ];
  });
  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    started: '2026-01-01T00:00:00Z',
    finished: null,
    state: 'complete',
    matrix: { ...fullMatrix(), scenes: ['boxes'], sizes, contenders },
    environment: {
      kind: 'node',
      runtime: 'Node',
      cpu: 'a cpu',
      cores: 2,
      memoryGb: 1,
      os: 'none',
      version: '0',
      commit: null,
      adapter: null,
      reason: null,
      load: 0,
      clock: 0,
    },
    link: null,
    groups: sizes.map((size) => ({
      key: `boxes|${size}`,
      scene: 'boxes',
      size,
      title: 'boxes',
      bodies: size,
      triangles: 0,
      settleSteps: 0,
      settleMs: 0,
      rmsSpeed: 0,
    })),
    results,
    analysis: { fits: [], crossovers: [] },
  };
}

describe('what a GPU would need', () => {
  it('is the time of WASM less what the path costs this thread', () => {
    const report = reportOf([1000, 5000, 20000]);
    const list = needs(report);
    expect(list.map((n) => n.bodies)).toEqual([1000, 5000, 20000]);
    expect(list[1]!.left).toBeCloseTo(5 - 2, 9);
    expect(list[1]!.work).toEqual(workOf(report.results[3]!));
    expect(list[1]!.work.depth).toBe(25 * 15);
    for (const { step, pass } of list[1]!.classes) expect(step).toBeGreaterThan(2 + pass);
  });

  it('is fitted to a device that told its passes', () => {
    const fit = fitOf(reportOf([1000, 5000, 20000]))!;
    expect(fit.perColor).toBeCloseTo(2e-3, 6);
    expect(fit.worst).toBeLessThan(1.001);
    expect(fitOf(reportOf([1000]))).toBeNull();
  });

  it('stands in the report, with the parts of a step for each backend and size', () => {
    const document = parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document;
    const html = reportHtml(reportOf([1000, 5000, 20000]), document);
    expect(html).toContain('What a GPU would need');
    expect(html).toContain('Fitted to this device: 2 µs per color');
    expect(html).toContain('Parts of a step, for each backend and size');
    const old = reportOf([1000]);
    for (const r of old.results) if (r.gpu) for (const key of ['parts', 'substeps', 'sweeps'] as const) delete r.gpu[key];
    expect(reportHtml(old, document)).not.toContain('What a GPU would need');
  });
});
