// The model of GPUs: bytes of the kernels, time of a pass, counts of a step, what it makes of a report, from how many bodies a GPU pays, and
// the times that were measured.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { describe, expect, it, vi } from 'vitest';
import { countStep } from '../../bench/lib/step_counts.mjs';
import { reportHtml } from '../../profiling/html';
import { fullMatrix, parseContender } from '../../profiling/matrix';
import { BAND, type Calibrated } from '../../profiling/model/calibration';
import { NO_CELLS, type StepCounts, scaled, visitsOf, withDispatches } from '../../profiling/model/counts';
import {
  BANDWIDTH_SHARE,
  CHROME,
  DEVICE_CLASSES,
  type DeviceClass,
  H200,
  M4_MAX,
  NODE,
  ROUND_CYCLES,
  residentGroups,
} from '../../profiling/model/devices';
import { stepOfResult } from '../../profiling/model/estimate';
import { kernelTable, kernelUses, visitBytes } from '../../profiling/model/kernels';
import { fitDevice, fitOf, needs } from '../../profiling/model/needs';
import { estimate, LARGE, MOST, paysFrom } from '../../profiling/model/payoff';
import { DATA, stepAt, timesAt } from '../../profiling/model/scenes';
import { answerOf, passOn, turns } from '../../profiling/model/time';
import { bytesOf, stepBytes, stepOf, trafficOf } from '../../profiling/model/traffic';
import { keptLinks, workgroupBytes } from '../../profiling/model/workgroup';
import { calibrate, calibrationSummary } from '../../profiling/node/calibration';
import { type Host, main } from '../../profiling/node/cli';
import { summarize } from '../../profiling/statistics';
import { FORMAT, FORMAT_VERSION, type ProfileReport, type Result } from '../../profiling/types';
import '../../src/gpu/index';
import { bindings } from '../../src/gpu/pipelines';
import { createWorld } from '../../src/index';
import * as layout from '../../src/layout.generated';

const root = join(import.meta.dirname, '../..');

/** 4 substeps in 9 passes, 10 rounds per sweep. */
const counts: StepCounts = {
  bodies: 100,
  links: 300,
  points: 600,
  joints: 0,
  impulseRows: 6,
  linkRows: 1,
  slots: 150,
  borderSlots: 100,
  borderReads: 200,
  edits: 0,
  substeps: 4,
  sweeps: 2,
  passes: { warm: 1, soft: 4, relax: 4, substep: 0 },
  dispatches: { spread: 1, prepare: 1, solve: 9, finalise: 1, collect: 1 },
  island: NO_CELLS,
  solve: { cells: 3, links: 300, slots: 150, colors: 10, rounds: 10, meanRounds: 8, lanes: 0.4 },
  bytesUp: 0,
  bytesDown: 1e6,
};

const step = stepOf(counts);

const device: DeviceClass = {
  name: 'a device',
  mhz: ROUND_CYCLES, // a round takes 1 us
  cores: 10,
  groupMemory: workgroupBytes('solve') / 1024,
  memory: 100,
  cache: 0,
  cacheBandwidth: 1000,
  dispatch: 5,
  cpu: 1,
  source: 'this test',
};

describe('traffic', () => {
  it('names exactly the buffers that a kernel binds', () => {
    for (const [kernel, touches] of Object.entries(trafficOf(counts))) {
      const bound = bindings[kernel as keyof typeof bindings].filter(([, access]) => access !== 'uniform');
      expect([...new Set(touches.map(({ buffer }) => buffer))].sort(), kernel).toEqual(bound.map(([name]) => name).sort());
      for (const [name, access] of bound) {
        if (access === 'read-only-storage')
          expect(
            touches.filter(({ buffer, write }) => buffer === name && write > 0),
            `${kernel} ${name}`,
          ).toEqual([]);
      }
    }
  });

  it('is records times the sizes of the structs', () => {
    const of = (kernel: 'spread' | 'prepare' | 'solve' | 'finalise', buffer: string) =>
      trafficOf(counts)[kernel].find((touch) => touch.buffer === buffer)!;
    const visits = 1 + 2 * (4 + 4);
    expect(visitsOf(counts.passes, counts.sweeps)).toBe(visits);
    expect(of('spread', 'slotStates').write).toBe(150 * layout.SplitSlotState.STRIDE);
    expect(of('prepare', 'links').write).toBe(300 * layout.SplitLink.STRIDE);
    expect(of('solve', 'links').read).toBe(300 * visits * layout.SplitLink.STRIDE);
    expect(of('finalise', 'poses').write).toBe(100 * layout.GpuPose.STRIDE);
    // Border sub-bodies write their row at the end of each of nine passes.
    expect(of('solve', 'rows')).toEqual({
      buffer: 'rows',
      read: 200 * 8 * layout.SplitRow.STRIDE,
      write: 100 * 9 * layout.SplitRow.STRIDE,
    });
  });

  it('of a sweep over a link is its record, its points, and a share of what its pass reads and writes', () => {
    const { SplitLink, SplitPoints } = layout;
    const [visits, parts] = [1 + 2 * 8, 1 + 8];
    const swept = SplitLink.STRIDE + (SplitPoints.separation - SplitPoints.places);
    // Cells have 100 links: those beyond the kept ones go to storage in every sweep.
    const kept = Math.min(1, keptLinks() / 100);
    const impulses = 2 * 16 * 4 * (kept * parts + (1 - kept) * visits);
    expect(visitBytes(counts)).toBeCloseTo(swept + (16 * (parts - 1) + impulses) / visits, 9);
  });

  it('stands in a table, kernel by kernel', () => {
    const { rows } = kernelTable(counts);
    expect(rows.map(([kernel]) => kernel)).toEqual(['spread', 'prepare', 'solve', 'finalise', 'collect', 'all']);
    expect(rows[2]).toEqual([
      'solve',
      '9',
      '3 cells, 300 links',
      expect.stringContaining('B'),
      expect.stringContaining('%'),
      '40 %',
    ]);
    const sum = kernelUses(counts).reduce((total, use) => total + use.bytes, 0);
    expect(sum).toBe(stepBytes(counts));
    expect(bytesOf(trafficOf(counts).edit)).toBe(0);
  });

  it('has the workgroup memory that shaders declare', () => {
    for (const kernel of ['solve', 'island', 'island_joints'] as const) {
      expect(workgroupBytes(kernel)).toBeGreaterThan(16 * layout.SPLIT_BODY_CAP);
      expect(workgroupBytes(kernel)).toBeLessThanOrEqual(16_384);
    }
    expect(workgroupBytes('prepare')).toBe(0);
  });
});

describe('time of a pass', () => {
  it('adds dispatches, rounds in turn, and bytes', () => {
    const { dispatches, chain, bytes, all } = passOn(device, step);
    expect(dispatches).toBeCloseTo((13 * 5) / 1e3, 9);
    // 17 sweeps of 10 rounds; each of 9 passes loads and stores.
    expect(turns(counts)).toBe(17 * 10 + 9);
    expect(chain).toBeCloseTo(0.179, 9);
    expect(bytes).toBeCloseTo(stepBytes(counts) / (BANDWIDTH_SHARE * 100) / 1e6, 9);
    expect(all).toBeCloseTo(dispatches + chain + bytes, 9);
  });

  it('repeats the rounds for cells that do not fit, and lengthens them at a low clock', () => {
    expect(residentGroups(device)).toBe(10);
    const many = { ...step, solve: { ...counts.solve, cells: 40 } };
    expect(passOn(device, many).chain).toBeCloseTo((17 * 4 * 8 + 9 * 4) / 1e3, 9);
    expect(passOn(device, step, device.mhz / 4).chain).toBeCloseTo(4 * 0.179, 9);
  });

  it('takes the bandwidth of the cache where the working set fits', () => {
    const roomy = { ...device, cache: (1.01 * step.workingSet) / 1e6 };
    const tight = { ...device, cache: (0.99 * step.workingSet) / 1e6 };
    expect(passOn(tight, step).bytes / passOn(roomy, step).bytes).toBeCloseTo(10, 6);
  });

  it('ends with an answer that depends on the runtime', () => {
    expect(answerOf(CHROME, 0, 0)).toBe(5);
    expect(answerOf(CHROME, 3e6, 1)).toBeCloseTo(16, 9);
    expect(answerOf(NODE, 0, 0)).toBeLessThan(0.1);
  });
});

describe('counts', () => {
  it('grow with the scene, but for the rounds', () => {
    const twice = scaled(step, 200);
    expect([twice.links, twice.solve.cells, twice.solve.rounds, twice.bytesDown]).toEqual([600, 6, 10, 2e6]);
  });

  it('know the passes from the number of dispatches', () => {
    expect(withDispatches(step, 4 + 5).passes).toEqual({ warm: 1, soft: 0, relax: 0, substep: 4 });
    expect(withDispatches(step, 4 + 9).passes).toEqual(counts.passes);
    expect(withDispatches(step, 4 + 9 + 1).dispatches.edit).toBe(1);
    const whole = withDispatches({ ...step, island: counts.solve, solve: NO_CELLS }, 5);
    expect([whole.dispatches.island, whole.dispatches.solve, whole.passes.warm]).toEqual([1, 0, 0]);
  });

  it('are those that a world uploads', async () => {
    const world = await createWorld({ sleep: false, warn: false });
    const floor = world.createShape({ type: 'plane' });
    world.createBody({ type: 'static', shape: floor });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    // Three stacks of four; each is an island, and all fit one cell.
    for (let i = 0; i < 12; i++) world.createBody({ shape, position: [2 * Math.floor(i / 4), 0.5 + (i % 4), 0] });
    for (let i = 0; i < 20; i++) world.step();
    // Names of WebGPU that Node has not.
    const bits = new Proxy({}, { get: () => 1 });
    for (const name of ['GPUBufferUsage', 'GPUMapMode', 'GPUShaderStage']) if (!(name in globalThis)) vi.stubGlobal(name, bits);
    const found: StepCounts = await countStep(world, layout, 3);
    expect([found.bodies, found.links, found.points]).toEqual([13, 12, 48]);
    expect(found.island.links + found.solve.links).toBe(found.links);
    expect(found.island.slots + found.solve.slots).toBe(found.slots);
    // Two colors of six links.
    expect([found.island.colors, found.island.rounds, found.island.lanes]).toEqual([2, 2, 6 / 32]);
    expect(found.dispatches).toEqual({ spread: 1, prepare: 1, island: 1, finalise: 1, collect: 1 });
    expect(found.bytesDown).toBe(world.profile.bytesDown);
    world.dispose();
    vi.unstubAllGlobals();
  });
});

describe('counts of islands with joints', () => {
  it('are apart from those without, and so are their dispatches, bytes and rounds', async () => {
    const world = await createWorld({ sleep: false, warn: false });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }) });
    for (let i = 0; i < 4; i++) world.createBody({ shape, position: [0, 0.5 + i, 0] });
    for (let i = 0; i < 5; i++) {
      const body = world.createBody({ shape, position: [10 + 3 * i, 8, 0] });
      world.createJoint({ type: 'ball', bodyB: body, anchor: [10 + 3 * i, 9, 0] });
    }
    for (let i = 0; i < 20; i++) world.step();
    const bits = new Proxy({}, { get: () => 1 });
    for (const name of ['GPUBufferUsage', 'GPUMapMode', 'GPUShaderStage']) if (!(name in globalThis)) vi.stubGlobal(name, bits);
    const found: StepCounts = await countStep(world, layout, 3);
    expect([found.links, found.joints]).toEqual([4, 5]);
    expect([found.island.links, found.islandJoints?.links, found.islandJoints?.joints, found.solve.cells]).toEqual([4, 5, 5, 0]);
    expect(found.dispatches).toMatchObject({ island: 1, island_joints: 1, joint: 1 });
    expect(found.dispatches.turn).toBeUndefined();
    expect(kernelUses(found).map(({ kernel }) => kernel)).toContain('island_joints');
    expect(bytesOf(trafficOf(found).turn)).toBe(0);
    expect(bytesOf(trafficOf(found).island_joints)).toBeGreaterThan(bytesOf(trafficOf(found).island));
    const twice = scaled(stepOf(found), 2 * found.bodies);
    expect([twice.islandJoints?.joints, twice.islandJoints?.links]).toEqual([10, 10]);
    world.dispose();
    vi.unstubAllGlobals();
  });
});

describe('the measured times', () => {
  const groups = calibrate(root);
  const off = ({ ratio }: Calibrated) => Math.max(ratio, 1 / ratio);

  it.each(groups.map(({ what, source, rows }) => ({ what: `${what}: ${source}`, rows })))('$what', ({ rows }) => {
    expect(rows.length).toBeGreaterThan(1);
    for (const one of rows) expect(off(one), `${one.device}, ${one.scene}, ${one.what}`).toBeLessThanOrEqual(BAND);
  });

  it('are of three devices, and the summary has a line for each source', () => {
    const devices = new Set(groups.flatMap(({ rows }) => rows.map((one) => one.device)));
    expect([...devices].sort()).toEqual(['Apple M1 Pro', 'Apple M4 Max', 'NVIDIA H100', 'NVIDIA H200']);
    expect(calibrationSummary(groups).rows).toHaveLength(groups.length);
  });

  it('are not met by a model that is three times too kind', () => {
    const pass = groups[0]!.rows;
    for (const one of pass) expect(off({ ...one, ratio: one.ratio / 3 })).toBeGreaterThan(BAND);
  });
});

describe('from how many bodies a GPU pays', () => {
  it('takes steps of the newest measurement', () => {
    const folder = readdirSync(join(root, 'bench/results'))
      .sort()
      .findLast((name) => existsSync(join(root, 'bench/results', name, 'gpu-clock.json')));
    expect(DATA.measured.from).toBe(`bench/results/${folder}/gpu-clock.json`);
    const { results } = JSON.parse(readFileSync(join(root, DATA.measured.from), 'utf8'));
    for (const { scene, bodies, wasm, threads, main: own } of DATA.measured.steps) {
      const of = (way: string) =>
        results.find(
          (r: { scene: string; bodies: number; way: string }) => r.scene === scene && r.bodies === bodies && r.way === way,
        );
      expect([wasm, threads, own]).toEqual([of('WASM, 1 thread').step, of('WASM, 8 threads').step, of('WebGPU, awake').main]);
      expect(timesAt(scene, bodies).wasm).toBeCloseTo(wasm, 6);
    }
  });

  it('is a size at which the step is faster, and at a smaller one it is not', () => {
    for (const [runtime, end] of [
      [NODE, 0],
      [CHROME, 1],
    ] as const) {
      const from = paysFrom('boxes', H200, runtime, end, 'wasm')!;
      const at = (bodies: number) => estimate('boxes', bodies, H200, runtime);
      expect(at(from).step[end]).toBeLessThan(at(from).wasm);
      expect(at(0.9 * from).step[end]).toBeGreaterThan(at(0.9 * from).wasm);
    }
    expect(paysFrom('boxes', { ...H200, dispatch: 1e6 }, NODE, 0, 'wasm')).toBeNull();
  });

  it('is what was measured on the NVIDIA H200', () => {
    // docs/gpu.md, "On hardware": boxes from 1,200 against one thread and from 1,300 against eight.
    const near = (size: number | null, measured: number) =>
      expect(Math.abs(Math.log(size! / measured))).toBeLessThan(Math.log(BAND));
    near(paysFrom('boxes', H200, NODE, 0, 'wasm'), 1200);
    near(paysFrom('boxes', H200, NODE, 0, 'threads'), 1300);
    near(paysFrom('towers', H200, NODE, 0, 'threads'), 5000);
  });

  it('is later in Chrome than in Node, and later against eight threads than against one', () => {
    for (const one of DEVICE_CLASSES) {
      const of = (...rest: [typeof NODE, 0 | 1, 'wasm' | 'threads']) => paysFrom('boxes', one, ...rest) ?? 2 * MOST;
      expect(of(CHROME, 0, 'wasm')).toBeGreaterThanOrEqual(of(NODE, 0, 'wasm'));
      expect(of(NODE, 0, 'threads')).toBeGreaterThanOrEqual(of(NODE, 0, 'wasm'));
      expect(of(NODE, 1, 'wasm')).toBeGreaterThanOrEqual(of(NODE, 0, 'wasm'));
    }
  });

  it('knows large scenes', () => {
    for (const [scene, bodies] of LARGE) {
      expect(stepAt(scene, bodies).links).toBeGreaterThan(bodies);
      const { main: own, pass, step } = estimate(scene, bodies, M4_MAX, NODE);
      expect(step[0]).toBeGreaterThan(own + pass.all);
      expect(step[1]).toBeGreaterThan(step[0]);
    }
    expect(() => stepAt('nothing', 1)).toThrow(/not counted; one of boxes/);
  });

  it('is printed by the command line', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(await main(['--model'], { root } as Host)).toBe(0);
    const text = log.mock.calls.flat().join('\n');
    log.mockRestore();
    for (const word of ['From how many bodies a GPU pays', '110,000 bricks', 'Apple M4 Max', 'Brick ring 110k'])
      expect(text).toContain(word);
  });
});

describe('a fit', () => {
  const sample = (depth: number, bytes: number, pass = 2e-3 * depth + 1e-8 * bytes) => ({ turns: depth, bytes, pass });

  it('finds the numbers of a device from passes, and says how far off it is', () => {
    const fit = fitDevice([sample(100, 1e6), sample(200, 5e7), sample(300, 2e8)])!;
    expect(fit.perTurn).toBeCloseTo(2e-3, 9);
    expect(fit.perByte * 1e8).toBeCloseTo(1, 6);
    expect(fit.worst).toBeCloseTo(1, 6);
  });

  it('never gives a device a negative cost', () => {
    const fit = fitDevice([sample(300, 1e6, 1), sample(200, 1e7, 10), sample(100, 1e8, 100)])!;
    expect(fit.perTurn).toBe(0);
    expect(fit.perByte * 1e6).toBeCloseTo(1, 6);
    expect(fitDevice([sample(1, 1), sample(2, 2)])).toBeNull();
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
          pass: at(2e-3 * (25 * colors + 13)),
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
    expect(list[1]!.counts).toEqual(stepOfResult(report.results[3]!));
    expect(list[1]!.dispatches).toBe(17);
    for (const { step, pass } of list[1]!.classes) {
      expect(step[0]).toBeGreaterThan(2 + pass);
      expect(step[1]).toBeGreaterThan(step[0]);
    }
  });

  it('is fitted to a device that told its passes', () => {
    const report = reportOf([1000, 5000, 20000]);
    const list = needs(report);
    for (const [i, r] of report.results.filter(({ gpu }) => gpu).entries()) {
      const ms = 2e-3 * list[i]!.turns + 1e-9 * list[i]!.bytes;
      r.gpu!.pass = summarize([ms, ms, ms]);
    }
    const fit = fitOf(report)!;
    expect(fit.perTurn).toBeCloseTo(2e-3, 6);
    expect(fit.worst).toBeLessThan(1.001);
    expect(fitOf(reportOf([1000]))).toBeNull();
  });

  it('stands in the report, with the parts of a step for each backend and size', () => {
    const document = parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document;
    const html = reportHtml(reportOf([1000, 5000, 20000]), document);
    for (const title of ['What a GPU would need', 'From how many bodies a GPU pays', 'Large scenes', 'Numbers of the model'])
      expect(html).toContain(title);
    expect(html).toContain('Fitted to this device:');
    expect(html).toContain('Parts of a step, for each backend and size');
    const old = reportOf([1000]);
    for (const r of old.results) if (r.gpu) for (const key of ['parts', 'substeps', 'sweeps'] as const) delete r.gpu[key];
    expect(reportHtml(old, document)).not.toContain('What a GPU would need');
  });
});
