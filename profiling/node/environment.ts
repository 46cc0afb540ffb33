// What a run in Node is made on: machine, versions, WebGPU adapter (Dawn, npm `webgpu`) with its driver.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { resolve } from 'node:path';
import type { AdapterInfo, Environment } from '../types';

function run(file: string, args: string[], cwd?: string): string | null {
  try {
    const text = execFileSync(file, args, { cwd, encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Version of the driver of a GPU by that vendor, as far as the system tells. */
function driverVersion(vendor: string): string | null {
  if (!/nvidia/i.test(vendor)) return null;
  const asked = run('nvidia-smi', ['--query-gpu=name,driver_version', '--format=csv,noheader']);
  if (asked) return asked.split('\n')[0]!.split(',').at(-1)!.trim();
  return /Module +([\d.]+)/.exec(read('/proc/driver/nvidia/version') ?? '')?.[1] ?? null;
}

/** Smallest step of performance.now() seen, ms. */
export function clockStep(): number {
  let least = Infinity;
  for (let i = 0; i < 50; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}

/** What bench/lib/gpu.mjs answers. */
export interface OpenedAdapter {
  name: string | null;
  reason?: string;
  software?: boolean;
  requestDevice?: () => Promise<GPUDevice>;
}

/** The environment, and how to open a device in it. `root` is the folder with package.json; `open` null asks for no GPU. */
export async function nodeEnvironment(
  root: string,
  open: (() => Promise<OpenedAdapter>) | null,
): Promise<{ environment: Environment; requestDevice?: () => Promise<GPUDevice> }> {
  const load = os.loadavg()[0]!;
  const opened: OpenedAdapter = open ? await open() : { name: null, reason: 'not asked for' };
  let adapter: AdapterInfo | null = null;
  if (opened.name !== null && opened.requestDevice) {
    const device = await opened.requestDevice();
    const timestamps = device.features.has('timestamp-query');
    device.destroy();
    adapter = { name: opened.name, software: opened.software === true, driver: driverVersion(opened.name), timestamps };
  }
  // A packed copy has no repository: about.json says what it was packed from.
  const about = resolve(root, 'about.json');
  const commit = existsSync(about)
    ? (JSON.parse(readFileSync(about, 'utf8')).commit as string)
    : run('git', ['rev-parse', '--short', 'HEAD'], root);
  const cpus = os.cpus();
  const environment: Environment = {
    kind: 'node',
    runtime: `Node ${process.versions.node}`,
    cpu: cpus[0]?.model.trim() || 'unknown processor',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    os: `${os.type()} ${os.release().split('-')[0]} ${os.arch()}`,
    version: JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).version,
    commit,
    adapter,
    reason: opened.name === null ? (opened.reason ?? null) : null,
    load: Number(load.toFixed(2)),
    clock: clockStep(),
  };
  return opened.requestDevice ? { environment, requestDevice: opened.requestDevice } : { environment };
}
