// The core of the measurement: walks a matrix group by group and yields progress. No Node, no DOM: the command line, the demo page and
// the portable package use it alike.
//
// A group is one scene at one size. It is settled once (WASM, default solver). Then every contender starts from that same state, and
// they take turns of a few steps in rotating order, so other programs on the machine slow all of them alike.
import type { Scene } from '../scenes/index';
import { JOINT_SOLVERS } from '../src/study/solvers';
import { analyze } from './analysis';
import { createMotion, createState, type Motion, overlapOf, type Sample } from './bench';
import { type CreateWorld, continued, type Engine, type EngineFactory, openTalus, type State } from './engine';
import { probeLink } from './link';
import { buildProfileScene, checkMatrix, groupsOf } from './matrix';
import { summarize } from './statistics';
import {
  type Contender,
  type Environment,
  FORMAT,
  FORMAT_VERSION,
  GPU_PARTS,
  type GpuPart,
  type Group,
  type Matrix,
  type ProfileReport,
  type Result,
  STAGES,
  type Stage,
} from './types';

/** Longest time between two yields, if steps are shorter, ms. */
const BREATH = 60;
/** Share of `contenderSeconds` that warm-up may take. */
const WARMUP_SHARE = 0.4;
/** Steps that suffice where each takes seconds: a software adapter, after which nobody asks for digits. */
const SOFTWARE_STEPS = 3;
/** Solver that brings scenes to the state that all start from. */
const SETTLER = { backend: 'wasm', solver: 'wide' } as const;

export interface ProfileOptions {
  createWorld: CreateWorld;
  environment: Environment;
  /** Opens a device: one for the run, another if that is lost; they are destroyed here. Without it WebGPU is left out. */
  requestDevice?: () => Promise<GPUDevice>;
  /** Processor time that this process has used so far, ms. */
  cpuTime?: () => number;
  /** Other engines by name. */
  engines?: Record<string, EngineFactory>;
  /** Cancels between two steps: the report then has what was finished. */
  signal?: AbortSignal;
  /** A report of the same matrix on the same machine: its complete results are not measured again. */
  previous?: ProfileReport;
}

export interface Progress {
  /** 0..1, by work expected. */
  fraction: number;
  /** The current work, in words. */
  message: string;
  /** Grows in place from yield to yield. */
  report: ProfileReport;
  /** Results that are new since the last yield. */
  fresh: Result[];
  done: boolean;
}

/** The device of a run. One for all groups: pipelines are compiled once, which takes seconds on a software adapter. */
class SharedDevice {
  private device: Promise<GPUDevice> | null = null;

  constructor(private readonly request: () => Promise<GPUDevice>) {}

  get(): Promise<GPUDevice> {
    if (this.device) return this.device;
    const device = this.request();
    const forget = () => {
      if (this.device === device) this.device = null;
    };
    device.then((opened) => opened.lost.then(forget), forget);
    this.device = device;
    return device;
  }

  async close(): Promise<void> {
    const device = await this.device?.catch(() => null);
    device?.destroy();
  }
}

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** A contender at work in a group. */
interface Runner {
  contender: Contender;
  engine: Engine;
  createMs: number;
  /** Steps that it does however long they take. */
  least: number;
  warm: number;
  warmMs: number;
  warming: boolean;
  series: number[];
  cpu: number[];
  spentMs: number;
  finished: boolean;
  closed: boolean;
  failed: string | null;
  stages: Record<Stage, number[]>;
  latency: number[];
  pass: number[];
  parts: Record<GpuPart, number[]>;
  up: number[];
  down: number[];
  threads: number[];
  samples: Sample[];
}

const words = (error: unknown) => (error instanceof Error ? error.message : String(error));
const middle = (values: number[]) => (values.length > 0 ? summarize(values).median : 0);
/** Microseconds are enough, and keep files small. */
const rounded = (value: number) => Math.round(value * 1e4) / 1e4;

function emptyResult(group: Group, contender: Contender): Result {
  return {
    key: `${group.key}|${contender.id}`,
    scene: group.scene,
    size: group.size,
    bodies: group.bodies,
    contender: contender.id,
    complete: true,
    failed: null,
    skipped: null,
    warmup: 0,
    steps: 0,
    wall: null,
    cpu: null,
    series: [],
    stages: null,
    gpu: null,
    createMs: 0,
    counts: null,
    calm: null,
    overlap: null,
    own: null,
    lost: 0,
  };
}

/** Why a contender does not take part in a group, or null. */
function whySkipped(contender: Contender, scene: Scene, size: number, matrix: Matrix, options: ProfileOptions): string | null {
  const { backend, solver } = contender;
  if (backend && solver && scene.joints && !JOINT_SOLVERS[backend].includes(solver)) return 'this solver takes no joints';
  if (contender.backend === 'webgpu') {
    const { adapter, reason } = options.environment;
    if (!adapter || !options.requestDevice) return reason ?? 'no WebGPU adapter';
    if (adapter.software && size > matrix.softwareLimit)
      return `a software adapter is only given up to ${matrix.softwareLimit} bodies`;
  }
  if (contender.engine !== 'talus') {
    if (!options.engines?.[contender.engine]) return 'this engine is not available here';
    const limit = matrix.engineLimits[contender.engine] ?? Infinity;
    if (size > limit) return `only given up to ${limit} bodies`;
  }
  return null;
}

/** Why a contender that asks for threads has none, or null. */
function whyNoThreads({ contender, engine }: Runner): string | null {
  const { settings } = engine.world ?? {};
  if (!contender.threads || contender.threads === 1 || !settings || settings.threads > 1) return null;
  return settings.threadsReason || 'this machine has one core';
}

/** Does one step of a runner and notes what it cost. */
async function stepOnce(runner: Runner, matrix: Matrix, limitMs: number, cpuTime?: () => number): Promise<void> {
  const { engine } = runner;
  const cpu = cpuTime?.() ?? 0;
  const start = performance.now();
  const pending = engine.step();
  if (pending) await pending;
  const ms = performance.now() - start;
  const cpuMs = (cpuTime?.() ?? Number.NaN) - cpu;
  const world = engine.world;
  const onGpu = runner.contender.backend === 'webgpu';
  if (world && onGpu && world.profile.backend !== 'webgpu') {
    const { lastError } = world.backendReport;
    throw new Error(`the step was solved on WASM${lastError ? `: ${lastError}` : ''}`);
  }
  if (runner.warming) {
    runner.warm++;
    runner.warmMs += ms;
    const tired = runner.warm >= runner.least / 3 && runner.warmMs > WARMUP_SHARE * limitMs;
    runner.warming = runner.warm < matrix.warmup && !tired;
    return;
  }
  runner.series.push(ms);
  runner.cpu.push(cpuMs);
  runner.spentMs += ms;
  if (world) {
    const { profile } = world;
    runner.stages.broadphase.push(profile.broadphase);
    runner.stages.contacts.push(profile.contacts);
    runner.stages.solve.push(profile.solve);
    runner.stages.finish.push(profile.finish);
    runner.stages.wait.push(onGpu ? Math.max(0, ms - profile.total) : 0);
    runner.threads.push(profile.threads);
    if (onGpu) {
      runner.latency.push(profile.gpu);
      runner.pass.push(profile.gpuPass);
      for (const part of GPU_PARTS) runner.parts[part].push(profile[part]);
      runner.up.push(profile.bytesUp);
      runner.down.push(profile.bytesDown);
    }
  }
  const steps = runner.series.length;
  const spent = runner.spentMs > limitMs;
  runner.finished = steps >= matrix.steps || (spent && steps >= runner.least);
}

function close(runner: Runner): void {
  if (runner.closed) return;
  runner.closed = true;
  runner.engine.dispose();
}

/** What a runner measured. Reads its last state and gives its world back. */
function conclude(runner: Runner, group: Group, matrix: Matrix, scene: Scene, motion: Motion, state: State): Result {
  const { contender, engine, series } = runner;
  const result = emptyResult(group, contender);
  result.createMs = runner.createMs;
  result.warmup = runner.warm;
  result.steps = series.length;
  result.series = series.map(rounded);
  result.failed = runner.failed;
  result.complete = runner.finished || runner.failed !== null;
  if (series.length > 0 && runner.failed === null) {
    result.wall = summarize(series);
    const cpu = summarize(runner.cpu);
    if (cpu.count > 0) result.cpu = cpu;
    engine.read(state);
    if (runner.samples.length === 0) {
      motion.samples = runner.samples;
      motion.sample(state);
    }
    motion.samples = runner.samples.slice(runner.samples.length >> 1);
    const { rmsSpeed, maxSpeed, energyMean } = motion.calm();
    result.calm = { rmsSpeed, maxSpeed, energyMean };
    result.lost = motion.lost(state);
    if (result.complete && group.bodies <= matrix.depthLimit) result.overlap = overlapOf(scene, state);
    const { world } = engine;
    if (world) {
      const { profile } = world;
      result.stages = Object.fromEntries(STAGES.map((stage) => [stage, middle(runner.stages[stage])])) as Record<Stage, number>;
      const { pairs, contactCount: contacts, colors, cells, splitBodies, memory } = profile;
      if (contender.threads) result.threads = { most: world.settings.threads, used: Math.round(middle(runner.threads)) };
      result.counts = { pairs, contacts, colors, cells, splitBodies, memory };
      const { penetrationMean, penetrationP99, penetrationMax, residualRms } = world.measure();
      result.own = { penetrationMean, penetrationP99, penetrationMax, residualRms };
      if (contender.backend === 'webgpu') {
        const pass = summarize(runner.pass);
        result.gpu = {
          dispatches: profile.dispatches,
          bytesUp: middle(runner.up),
          bytesDown: middle(runner.down),
          latency: summarize(runner.latency),
          pass: pass.count > 0 ? pass : null,
          tick: pass.count > 0 ? profile.gpuTick : null,
          substeps: profile.substeps,
          sweeps: world.settings.sweeps,
          parts: Object.fromEntries(GPU_PARTS.map((part) => [part, middle(runner.parts[part])])) as Record<GpuPart, number>,
        };
      }
    }
  }
  close(runner);
  return result;
}

async function openRunner(
  contender: Contender,
  scene: Scene,
  matrix: Matrix,
  options: ProfileOptions,
  gpu: SharedDevice | null,
): Promise<Runner> {
  const start = performance.now();
  const software = contender.backend === 'webgpu' && options.environment.adapter?.software === true;
  let device: GPUDevice | undefined;
  let engine: Engine;
  if (contender.engine === 'talus') {
    if (contender.backend === 'webgpu') device = await gpu!.get();
    engine = await openTalus(options.createWorld, scene, contender, matrix.preset, device);
  } else engine = await options.engines![contender.engine]!(scene);
  return {
    contender,
    engine,
    createMs: performance.now() - start,
    least: software ? Math.min(SOFTWARE_STEPS, matrix.leastSteps) : matrix.leastSteps,
    warm: 0,
    warmMs: 0,
    warming: matrix.warmup > 0,
    series: [],
    cpu: [],
    spentMs: 0,
    finished: false,
    closed: false,
    failed: null,
    stages: { broadphase: [], contacts: [], solve: [], wait: [], finish: [] },
    latency: [],
    pass: [],
    parts: { partition: [], pack: [], upload: [], encode: [], readback: [], apply: [] },
    up: [],
    down: [],
    threads: [],
    samples: [],
  };
}

/** Throws if a report cannot be gone on with here. */
function checkPrevious(previous: ProfileReport, matrix: Matrix, environment: Environment): void {
  if (JSON.stringify(previous.matrix) !== JSON.stringify(matrix)) throw new Error('the earlier report has another matrix');
  for (const key of ['kind', 'runtime', 'cpu', 'version', 'commit'] as const) {
    const [before, now] = [previous.environment[key], environment[key]];
    if (before !== now) throw new Error(`the earlier report is of another ${key}: '${before}', here '${now}'`);
  }
  const [before, now] = [previous.environment.adapter?.name, environment.adapter?.name];
  if (before !== now) throw new Error(`the earlier report is of another adapter: '${before}', here '${now}'`);
}

/**
 * Runs a matrix. Yields at least every few steps, having let other tasks have their turn; the last yield is `done`.
 * Throws an Error for a matrix that is wrong or an earlier report that does not fit.
 */
export async function* runProfile(matrix: Matrix, options: ProfileOptions): AsyncGenerator<Progress, void> {
  checkMatrix(matrix);
  const { environment, previous, signal } = options;
  if (previous) checkPrevious(previous, matrix, environment);
  const kept = previous?.results.filter((r) => r.complete) ?? [];
  const report: ProfileReport = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    started: previous?.started ?? new Date().toISOString(),
    finished: null,
    state: 'running',
    matrix,
    environment,
    link: previous?.link ?? null,
    groups: [],
    results: [],
    analysis: { fits: [], crossovers: [] },
  };
  const plan = groupsOf(matrix);
  const settleSteps = Math.round(matrix.settleSeconds * 60);
  const weightOf = (size: number) => size * (settleSteps + matrix.contenders.length * (matrix.warmup + matrix.steps));
  const total = plan.reduce((sum, { size }) => sum + weightOf(size), 0);
  const begun = performance.now();
  let before = 0;
  let fresh: Result[] = [];
  const tell = (fraction: number, message: string, done = false): Progress => {
    const progress = { fraction: Math.min(1, fraction), message, report, fresh, done };
    fresh = [];
    return progress;
  };

  const wantsGpu = matrix.contenders.some((c) => c.backend === 'webgpu');
  const gpu = wantsGpu && options.requestDevice && environment.adapter ? new SharedDevice(options.requestDevice) : null;
  if (!report.link && gpu) {
    yield tell(0, 'link to the GPU');
    try {
      report.link = await probeLink(await gpu.get());
    } catch {
      // The contenders will say what is wrong with the device.
    }
  }

  try {
    for (const { key, scene: name, size } of plan) {
      const here = `${name}, ${size.toLocaleString('en')} bodies`;
      const known = matrix.contenders.map((c) => kept.find((r) => r.key === `${key}|${c.id}`));
      const knownGroup = previous?.groups.find((g) => g.key === key);
      if (knownGroup && known.every((r) => r !== undefined)) {
        report.groups.push(knownGroup);
        report.results.push(...(known as Result[]));
        before += weightOf(size);
        continue;
      }
      // Cancelled: what an earlier report has of this group and of later ones is kept, half measured or not.
      const keepEarlier = () => {
        if (!knownGroup) return;
        report.groups.push(knownGroup);
        report.results.push(...previous!.results.filter((r) => r.key.startsWith(`${key}|`)));
      };
      if (signal?.aborted) {
        keepEarlier();
        continue;
      }
      yield tell(before / total, `${here}: building`);
      await later();
      const scene = buildProfileScene(name, size, matrix.seed);
      const state = createState(scene.bodies.count);
      const motion = createMotion(scene);
      const group: Group = {
        key,
        scene: name,
        size,
        title: scene.title,
        bodies: scene.checks.dynamicCount,
        triangles: scene.checks.triangles,
        settleSteps,
        settleMs: 0,
        rmsSpeed: 0,
      };
      const share = (part: number) => (before + part * weightOf(size)) / total;
      const settleShare = settleSteps / (settleSteps + matrix.contenders.length * (matrix.warmup + matrix.steps));

      let breath = performance.now();
      const settler = await openTalus(options.createWorld, scene, SETTLER, matrix.preset);
      for (let i = 0; i < settleSteps && !signal?.aborted; i++) {
        const start = performance.now();
        await settler.step();
        group.settleMs += performance.now() - start;
        if (performance.now() - breath < BREATH) continue;
        yield tell(share((settleShare * i) / settleSteps), `${here}: settling`);
        await later();
        breath = performance.now();
      }
      if (signal?.aborted) {
        settler.dispose();
        keepEarlier();
        continue;
      }
      settler.read(state);
      settler.dispose();
      motion.samples = [];
      motion.sample(state);
      group.rmsSpeed = motion.calm().rmsSpeed;
      const settled = continued(scene, state);
      report.groups.push(group);

      const runners: Runner[] = [];
      const results = new Map<string, Result>();
      try {
        for (const contender of matrix.contenders) {
          const skipped = whySkipped(contender, scene, size, matrix, options);
          const leaveOut = (why: string) => results.set(contender.id, { ...emptyResult(group, contender), skipped: why });
          try {
            if (skipped !== null) {
              leaveOut(skipped);
              continue;
            }
            const runner = await openRunner(contender, settled, matrix, options, gpu);
            const noThreads = whyNoThreads(runner);
            if (noThreads === null) runners.push(runner);
            else {
              close(runner);
              leaveOut(noThreads);
            }
          } catch (error) {
            results.set(contender.id, { ...emptyResult(group, contender), failed: `not created: ${words(error)}` });
          }
        }
        const left = 1000 * (matrix.budgetSeconds ?? Infinity) - (performance.now() - begun);
        const due = (Math.max(left, 0) * weightOf(size)) / Math.max(total - before, 1) / Math.max(runners.length, 1);
        const limitMs = Math.min(1000 * matrix.contenderSeconds, due);
        const planned = Math.max(1, runners.length * (matrix.warmup + matrix.steps));
        const active = () => runners.filter((r) => !r.finished && r.failed === null);
        for (let round = 0; active().length > 0 && !signal?.aborted; round++) {
          const turn = active();
          for (let k = 0; k < turn.length && !signal?.aborted; k++) {
            const runner = turn[(round + k) % turn.length]!;
            try {
              for (let i = 0; i < matrix.block && !runner.finished && !signal?.aborted; i++) {
                await stepOnce(runner, matrix, limitMs, options.cpuTime);
                if (performance.now() - breath < BREATH) continue;
                const steps = runners.reduce(
                  (sum, r) => sum + (r.finished ? matrix.warmup + matrix.steps : r.warm + r.series.length),
                  0,
                );
                yield tell(share(settleShare + ((1 - settleShare) * steps) / planned), `${here}: ${runner.contender.id}`);
                await later();
                breath = performance.now();
              }
              if (!runner.warming) {
                runner.engine.read(state);
                motion.samples = runner.samples;
                motion.sample(state);
              }
            } catch (error) {
              runner.failed = `step ${runner.warm + runner.series.length + 1}: ${words(error)}`;
            }
          }
        }
        for (const runner of runners) {
          results.set(runner.contender.id, conclude(runner, group, matrix, scene, motion, state));
          yield tell(share(1), `${here}: overlap and calm`);
          await later();
        }
      } finally {
        // Also when the caller leaves the loop early.
        runners.forEach(close);
      }
      for (const contender of matrix.contenders) {
        const result = results.get(contender.id)!;
        report.results.push(result);
        fresh.push(result);
      }
      report.analysis = analyze(report);
      before += weightOf(size);
      yield tell(before / total, `${here}: done`);
    }
  } finally {
    await gpu?.close();
  }
  report.state = signal?.aborted ? 'cancelled' : 'complete';
  report.finished = new Date().toISOString();
  report.analysis = analyze(report);
  yield tell(signal?.aborted ? before / total : 1, report.state, true);
}
