// From a profiling run to the report of a visitor's machine: which runs are asked for, and what becomes of their results. Pure
// functions; the page that measures (demo/src/measure.ts) adds what only it knows.
import { parseContender, quickMatrix } from '../../profiling/matrix';
import type { Environment, Matrix, Result } from '../../profiling/types';
import {
  checkVisitorReport,
  type Doubt,
  VISITOR_FORMAT,
  VISITOR_FORMAT_VERSION,
  VISITOR_SCENES,
  VISITOR_SIZES,
  VISITOR_WAYS,
  type VisitorFigure,
  type VisitorReport,
  type VisitorScene,
  type VisitorWay,
} from './report';

/** What each way is to a profiling run. */
const CONTENDERS: Record<VisitorWay, string> = {
  wasm: 'wasm:wide',
  threads: 'wasm:wide:auto',
  webgpu: 'webgpu:cell-split',
};

const SCENES = Object.keys(VISITOR_SCENES) as VisitorScene[];
const WAYS = Object.keys(VISITOR_WAYS) as VisitorWay[];

/** A clock that is coarser than this share of a step spoils it. */
const CLOCK_SHARE = 0.05;
/** Bounds of a median that lie farther apart than this share of it. The scenes come to rest meanwhile, which alone makes a tenth or two. */
const NOISE_SHARE = 0.4;
/** Landing takes about four times as long as resting; steps that take longer than this many medians were interrupted. */
const NOISE_P95 = 8;
/** The same work takes this much longer at one end of the run. */
const PROBE_RATIO = 1.3;

/** The run that is asked for: about a minute at most. `short` is for trying the page out. */
export function visitorMatrix(size: number, short = false): Matrix {
  const matrix: Matrix = {
    ...quickMatrix(),
    mode: 'visitor',
    scenes: SCENES,
    sizes: [size],
    contenders: WAYS.map((way) => parseContender(CONTENDERS[way])),
    // Things have fallen for two seconds and land; then they come to rest, and the world chooses its threads, as in a game.
    settleSeconds: 2,
    warmup: 30,
    steps: 180,
    contenderSeconds: 6,
    leastSteps: 30,
    budgetSeconds: 60,
    depthLimit: 0,
    // A software adapter takes seconds for a step of more, and they would be missing elsewhere.
    softwareLimit: 1000,
    engineLimits: {},
  };
  if (!short) return matrix;
  return { ...matrix, mode: 'visitor, short', settleSeconds: 0.2, warmup: 2, steps: 6, contenderSeconds: 1, leastSteps: 3 };
}

/**
 * The largest size of which a run takes a minute at most. `probeMs` is a step of the probe (demo/src/probe.ts); a step of the most
 * expensive scene takes `stepCost(size)` such steps.
 */
export function visitorSize(probeMs: number, stepCost: (size: number) => number, mostMs = 25): number {
  return VISITOR_SIZES.findLast((size) => stepCost(size) * probeMs <= mostMs) ?? VISITOR_SIZES[0];
}

/** What a profiling run says of its progress, in the words of the page. */
export function visitorWords(message: string): string {
  const way = WAYS.find((one) => message.endsWith(`: ${CONTENDERS[one]}`));
  const text = way ? message.replace(`: ${CONTENDERS[way]}`, `: ${VISITOR_WAYS[way]}`) : message;
  const scene = SCENES.find((one) => text.startsWith(`${one}, `));
  return scene ? VISITOR_SCENES[scene] + text.slice(scene.length) : text;
}

export interface VisitorFacts {
  environment: Environment;
  userAgent: string;
  isolated: boolean;
  name: string | null;
  sizeBy: VisitorReport['sizeBy'];
  probe: VisitorReport['probe'];
  /** Scenes during which the tab was hidden. */
  hidden: ReadonlySet<string>;
  short: boolean;
  date: Date;
}

/** Four significant digits: more would be noise, and files stay small. */
const digits = (value: number) => Number(value.toPrecision(4));
const line = (text: string, most: number) => text.replace(/\s+/g, ' ').trim().slice(0, most);

function figureOf(result: Result, way: VisitorWay, steps: number, { environment, hidden }: VisitorFacts): VisitorFigure {
  const { scene, bodies, wall } = result;
  const shared = { scene: scene as VisitorScene, way, bodies };
  if (!wall) {
    const missing = line(result.skipped ?? result.failed ?? 'not measured', 300);
    return { ...shared, threads: null, steps: 0, median: null, p95: null, low: null, high: null, missing, doubts: [] };
  }
  const { median, p95, low, high } = wall;
  const doubts: Doubt[] = [];
  if (hidden.has(scene)) doubts.push('hidden');
  if (environment.clock > CLOCK_SHARE * median) doubts.push('clock');
  if (high - low > NOISE_SHARE * median || p95 > NOISE_P95 * median) doubts.push('noise');
  if (result.steps < steps) doubts.push('steps');
  if (way === 'webgpu' && environment.adapter?.software) doubts.push('software');
  // A coarse clock may show steps that took no time at all.
  const [m, p, l, h] = [median, p95, low, high].map((value) => digits(Math.max(value, 1e-3))) as [number, number, number, number];
  return {
    ...shared,
    threads: result.threads?.used ?? 1,
    steps: result.steps,
    median: m,
    p95: p,
    low: l,
    high: h,
    missing: null,
    doubts,
  };
}

/** What a probe before and after says of the machine. */
export function probeDoubts({ before, after }: VisitorReport['probe']): Doubt[] {
  if (after > PROBE_RATIO * before) return ['throttled'];
  return before > PROBE_RATIO * after ? ['uneven'] : [];
}

/** The report of a run that has ended; cells that were not reached are missing in it. */
export function visitorReport(matrix: Matrix, results: readonly Result[], facts: VisitorFacts): VisitorReport {
  const { environment, probe } = facts;
  const { adapter } = environment;
  const figures = SCENES.flatMap((scene) =>
    WAYS.map((way): VisitorFigure => {
      const found = results.find((result) => result.scene === scene && result.contender === CONTENDERS[way]);
      if (found) return figureOf(found, way, matrix.steps, facts);
      const none = { threads: null, steps: 0, median: null, p95: null, low: null, high: null };
      return { scene, way, bodies: matrix.sizes[0]!, ...none, missing: 'the run was ended before', doubts: [] };
    }),
  );
  return checkVisitorReport({
    format: VISITOR_FORMAT,
    formatVersion: VISITOR_FORMAT_VERSION,
    date: facts.date.toISOString(),
    talus: { version: environment.version, commit: environment.commit },
    machine: {
      name: facts.name && line(facts.name, 80) ? line(facts.name, 80) : null,
      browser: line(environment.runtime, 120) || 'unknown',
      os: line(environment.os, 200) || 'unknown',
      userAgent: line(facts.userAgent, 500) || 'unknown',
      cores: environment.cores,
      memoryGb: environment.memoryGb,
      isolated: facts.isolated,
      clock: digits(environment.clock),
      gpu: adapter && { name: line(adapter.name, 200), software: adapter.software },
      gpuReason: environment.reason && line(environment.reason, 300),
    },
    size: matrix.sizes[0]!,
    sizeBy: facts.sizeBy,
    probe: { before: digits(probe.before), after: digits(probe.after) },
    doubts: [...probeDoubts(probe), ...(facts.short ? (['short'] as const) : [])],
    figures,
  });
}
