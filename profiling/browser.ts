// Profiling runs in a page: a description of the environment, and a way to open devices. With these and run.ts a page has all it needs:
//
//   const { environment, requestDevice } = await browserEnvironment({ version, commit: null });
//   for await (const { fraction, message, report, done } of runProfile(quickMatrix(), { createWorld, environment, requestDevice })) ...
//   element.innerHTML = reportBody(report, document);
import type { Environment } from './types';

/** Smallest step of performance.now() seen, ms: 0.005 in pages that are cross-origin isolated, 0.1 or more in others. */
function clockStep(): number {
  let least = Infinity;
  for (let i = 0; i < 8; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}

/** Name of the browser, without what all of them call themselves. */
function browserName(agent: string): string {
  const found = /(Firefox|Edg|OPR|Chrome|Version)\/([\d.]+)/.exec(agent);
  if (!found) return agent;
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' };
  return `${names[found[1]!] ?? found[1]} ${found[2]}`;
}

/** The environment of this page; with `gpu` false no adapter is asked for. */
export async function browserEnvironment(
  about: Pick<Environment, 'version' | 'commit'>,
  gpu = true,
): Promise<{ environment: Environment; requestDevice?: () => Promise<GPUDevice> }> {
  const { userAgent, hardwareConcurrency } = navigator;
  const environment: Environment = {
    kind: 'browser',
    runtime: browserName(userAgent),
    // Browsers do not tell the processor.
    cpu: 'processor unknown',
    cores: hardwareConcurrency,
    memoryGb: (navigator as { deviceMemory?: number }).deviceMemory ?? null,
    os: /\(([^)]*)\)/.exec(userAgent)?.[1] ?? 'unknown',
    ...about,
    adapter: null,
    reason: gpu ? 'WebGPU is not available in this browser' : 'not asked for',
    load: null,
    clock: clockStep(),
  };
  if (!gpu || !navigator.gpu) return { environment };
  const ask = () => navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
  const adapter = await ask();
  if (!adapter) return { environment: { ...environment, reason: 'WebGPU found no adapter' } };
  const { vendor, architecture, device, description } = adapter.info;
  const name = [vendor, architecture, device, description].filter(Boolean).join(' ') || 'unnamed adapter';
  environment.reason = null;
  environment.adapter = {
    name,
    software: adapter.info.isFallbackAdapter === true || /swiftshader|llvmpipe|software|basic render/i.test(name),
    driver: null,
    timestamps: adapter.features.has('timestamp-query'),
  };
  const requestDevice = async () => {
    // A fresh adapter each time: one adapter gives one device.
    const fresh = await ask();
    if (!fresh) throw new Error('WebGPU found no adapter');
    const requiredLimits = Object.fromEntries(
      (['maxBufferSize', 'maxStorageBufferBindingSize'] as const).map((limit) => [limit, fresh.limits[limit]]),
    );
    return fresh.requestDevice({
      requiredLimits,
      requiredFeatures: fresh.features.has('timestamp-query') ? ['timestamp-query'] : [],
    });
  };
  return { environment, requestDevice };
}
