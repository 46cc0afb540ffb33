// The command line of the profiling runs: options, progress bar, cancelling and resuming, report files, comparison of two
// reports. profiling/run.ts measures.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import Table from 'cli-table3';
import { parseHTML } from 'linkedom';
import type { CreateWorld, EngineFactory } from '../engine';
import { compareHtml, crossoverWords, parseReport, reportHtml, short, warnings } from '../html';
import { checkMatrix, fullMatrix, PROFILE_SCENES, parseContender, quickMatrix, SOLVERS } from '../matrix';
import type { Table as ModelTable } from '../model/kernels';
import { deviceTable, largeTable, payoffTable } from '../model/payoff';
import { runProfile } from '../run';
import type { Matrix, ProfileReport } from '../types';
import { calibrate, calibrationSummary, calibrationTable } from './calibration';
import { nodeEnvironment, type OpenedAdapter } from './environment';

export interface Host {
  createWorld: CreateWorld;
  /** Folder with package.json. */
  root: string;
  openAdapter: () => Promise<OpenedAdapter>;
  /** Loads another engine; rejects if it is not installed. */
  engines: Record<string, () => Promise<EngineFactory>>;
  /** How this program is called. */
  command: string;
}

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  scene: { type: 'string', short: 's' },
  size: { type: 'string', short: 'n' },
  with: { type: 'string', short: 'w' },
  peers: { type: 'string' },
  preset: { type: 'string' },
  seed: { type: 'string' },
  steps: { type: 'string' },
  warmup: { type: 'string' },
  settle: { type: 'string' },
  limit: { type: 'string' },
  out: { type: 'string', short: 'o' },
  resume: { type: 'string' },
  compare: { type: 'boolean', default: false },
  'no-gpu': { type: 'boolean', default: false },
  model: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function usage(host: Host): string {
  return `Usage: ${host.command} [options]
  --quick      small sizes: one or two minutes on two cores
  --scene      one or more of ${Object.keys(PROFILE_SCENES).join(', ')} (comma-separated)
  --size       numbers of bodies, such as 1000,10k,100k
  --with       contenders: wasm:<solver>, webgpu; solvers are ${SOLVERS.join(', ')}; or wasm:all;
               with threads: wasm:<solver>:auto, wasm:<solver>:<number>
  --peers      other engines to compare with: ${Object.keys(host.engines).join(', ') || 'none here'}
  --preset     fast, balanced, high   [balanced]
  --steps      steps to measure
  --warmup     steps before them that do not count
  --settle     seconds of simulation before the first step
  --limit      seconds of measured steps per contender in each group
  --seed       seed of the scenes   [1]
  --no-gpu     do not look for a GPU
  --out        folder to write the report to   [profile-report]
  --resume     report (.json or .html) to continue, with its own scenes and options
  --compare    a.json b.json: compare two reports instead of measuring
  --model      print what the model of GPUs expects, and how far it is off, instead of measuring

Ctrl-C ends a run early and keeps its measurements; --resume continues it.`;
}

/** 2000, 2k, 0.1M. */
function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(k|M)?$/.exec(text.trim());
  if (!match) throw new Error(`--size: '${text}' is not a number of bodies`);
  return Math.round(Number(match[1]) * (match[2] === 'k' ? 1000 : match[2] === 'M' ? 1e6 : 1));
}

function positive(text: string, option: string, whole: boolean): number {
  const value = Number(text);
  if (!(value >= 0) || (whole && !Number.isInteger(value)))
    throw new Error(`--${option}: '${text}' is not a ${whole ? 'whole ' : ''}number`);
  return value;
}

type Arguments = ReturnType<typeof parse>['values'];

function parse(argv: string[]) {
  return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
}

/** The matrix that the options ask for. */
export function matrixOf(args: Arguments): Matrix {
  const matrix = args.quick ? quickMatrix() : fullMatrix();
  const list = (text: string) => text.split(',').map((word) => word.trim());
  if (args.scene !== undefined) matrix.scenes = list(args.scene);
  if (args.size !== undefined) matrix.sizes = list(args.size).map(parseSize);
  if (args.with !== undefined) {
    matrix.contenders = list(args.with)
      .flatMap((word) => (word === 'wasm:all' ? SOLVERS.map((solver) => `wasm:${solver}`) : [word]))
      .map(parseContender);
  }
  if (args['no-gpu']) matrix.contenders = matrix.contenders.filter((c) => c.backend !== 'webgpu');
  if (args.peers !== undefined) matrix.contenders.push(...list(args.peers).map(parseContender));
  if (args.preset !== undefined) {
    if (!['fast', 'balanced', 'high'].includes(args.preset))
      throw new Error(`--preset: '${args.preset}' is not one of fast, balanced, high`);
    matrix.preset = args.preset as Matrix['preset'];
  }
  if (args.seed !== undefined) matrix.seed = positive(args.seed, 'seed', true);
  if (args.steps !== undefined) matrix.steps = positive(args.steps, 'steps', true);
  if (args.warmup !== undefined) matrix.warmup = positive(args.warmup, 'warmup', true);
  if (args.settle !== undefined) matrix.settleSeconds = positive(args.settle, 'settle', false);
  if (args.limit !== undefined) matrix.contenderSeconds = positive(args.limit, 'limit', false);
  if (
    ['scene', 'size', 'with', 'peers', 'steps', 'warmup', 'settle', 'limit'].some(
      (key) => args[key as keyof Arguments] !== undefined,
    )
  ) {
    matrix.mode = `${matrix.mode}, changed`;
  }
  checkMatrix(matrix);
  return matrix;
}

/** Writes a file completely or not at all. */
function write(path: string, text: string): void {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

const emptyDocument = () => parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document;

function summary(report: ProfileReport): string {
  const table = new Table({
    head: ['scene', 'bodies', 'contender', 'ms', 'p95', 'solve', 'wait', 'rms mm/s', 'overlap p99 mm', 'steps'],
    style: { head: [], border: [], compact: true },
  });
  for (const r of report.results) {
    const name = [r.scene, r.bodies, r.contender];
    const why = r.skipped ?? r.failed;
    if (why !== null || !r.wall) {
      table.push([...name, { content: why ?? 'not measured', colSpan: 7 }]);
      continue;
    }
    const thousand = (value: number | undefined) => (value === undefined ? '–' : short(1000 * value));
    table.push([
      ...name,
      short(r.wall.median),
      short(r.wall.p95),
      short(r.stages?.solve),
      r.gpu ? short(r.stages?.wait) : '–',
      thousand(r.calm?.rmsSpeed),
      thousand(r.overlap?.p99),
      `${r.steps}${r.complete ? '' : ' (cut)'}`,
    ]);
  }
  const lines = [table.toString()];
  for (const { scene, contender, law } of report.analysis.fits) {
    lines.push(`${scene}, ${contender}: time ~ bodies^${law.slope.toFixed(2)} (R² ${law.r2.toFixed(3)})`);
  }
  for (const c of report.analysis.crossovers)
    lines.push(`${c.scene}: WebGPU is faster than ${c.holder} ${crossoverWords(c.crossover)}`);
  lines.push(...warnings(report).map((text) => `! ${text}`));
  return lines.join('\n');
}

/** `--compare a b`. */
function compare(files: string[], out: string | undefined): void {
  if (files.length !== 2) throw new Error('--compare needs two reports');
  const [a, b] = files.map((file) => parseReport(readFileSync(file, 'utf8')));
  const path = resolve(out ?? 'compare.html');
  write(path, compareHtml(a!, b!, emptyDocument()));
  console.log(`written to ${path}`);
}

/** `--model`: from how many bodies a GPU pays, steps of large scenes, and the calibration. */
function printModel(root: string): void {
  const print = (title: string, { head, rows }: ModelTable) => {
    const table = new Table({ head, style: { head: [], border: [], compact: true } });
    for (const row of rows) table.push(row);
    console.log(`\n${title}\n${table.toString()}`);
  };
  for (const scene of ['boxes', 'towers']) print(`From how many bodies a GPU pays: ${scene} at rest`, payoffTable(scene));
  print('Large scenes, ms', largeTable());
  print('Numbers of the model', deviceTable());
  // The portable package has no result files.
  if (!existsSync(resolve(root, 'bench/results'))) return;
  const groups = calibrate(root);
  print('Measured and by the model', calibrationTable(groups));
  print('By source', calibrationSummary(groups));
}

/** Measures, and writes `profile.json` after every group and `profile.html` at the end. */
async function measure(args: Arguments, host: Host): Promise<void> {
  const previous = args.resume === undefined ? undefined : parseReport(readFileSync(args.resume, 'utf8'));
  const matrix = previous?.matrix ?? matrixOf(args);
  const folder = resolve(args.out ?? (args.resume ? resolve(args.resume, '..') : 'profile-report'));
  const json = resolve(folder, 'profile.json');
  if (args.resume === undefined && existsSync(json)) {
    const old = parseReport(readFileSync(json, 'utf8'));
    if (old.state !== 'complete')
      throw new Error(`${json} is from an incomplete run. Continue it by --resume ${json}, or choose another folder by --out`);
  }
  mkdirSync(folder, { recursive: true });

  const engines: Record<string, EngineFactory> = {};
  for (const { engine } of matrix.contenders.filter((c) => c.backend === null)) {
    const load = host.engines[engine];
    if (!load) throw new Error(`--peers: '${engine}' is not one of ${Object.keys(host.engines).join(', ')}`);
    engines[engine] = await load();
  }
  const onGpu = matrix.contenders.some((c) => c.backend === 'webgpu');
  const { environment, requestDevice } = await nodeEnvironment(host.root, onGpu ? host.openAdapter : null);
  const { adapter } = environment;
  console.log(`${environment.cpu}, ${environment.cores} cores, ${environment.runtime}`);
  console.log(adapter ? `WebGPU: ${adapter.name}${adapter.software ? ' (software)' : ''}` : `no WebGPU: ${environment.reason}`);

  const controller = new AbortController();
  const stop = () => {
    // A second Ctrl-C ends the program at once, within a step.
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const bar = new cliProgress.SingleBar(
    {
      format: '{bar} {percentage}% | {duration_formatted} | {message}',
      hideCursor: true,
      gracefulExit: false,
      noTTYOutput: true,
      notTTYSchedule: 10_000,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1000, 0, { message: 'starting' });
  const cpuTime = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const options = { createWorld: host.createWorld, environment, engines, cpuTime, signal: controller.signal };
  let last: ProfileReport | undefined;
  try {
    for await (const { fraction, message, report, fresh, done } of runProfile(matrix, {
      ...options,
      ...(requestDevice ? { requestDevice } : {}),
      ...(previous ? { previous } : {}),
    })) {
      last = report;
      bar.update(Math.round(1000 * fraction), { message: message.padEnd(46).slice(0, 46) });
      if (fresh.length > 0 || done) write(json, `${JSON.stringify(report)}\n`);
    }
  } finally {
    bar.stop();
  }
  const html = resolve(folder, 'profile.html');
  write(html, reportHtml(last!, emptyDocument()));
  console.log(`\n${summary(last!)}\n\nwritten to ${json} and ${basename(html)}`);
  if (last!.state === 'cancelled') {
    console.log(`The run is incomplete. To continue it: ${host.command} --resume ${json}`);
    process.exitCode = 130;
  }
}

/** Runs the whole program and returns the exit status. */
export async function main(argv: string[], host: Host): Promise<number> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
    const { values, positionals } = parsed;
    if (values.help) {
      console.log(usage(host));
      return 0;
    }
    if (values.compare) compare(positionals, values.out);
    else if (values.model) printModel(host.root);
    else {
      if (positionals.length > 0) throw new Error(`unknown argument '${positionals[0]}': options start with --`);
      await measure(values, host);
    }
    return Number(process.exitCode ?? 0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
