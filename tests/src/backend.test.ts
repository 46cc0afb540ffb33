// What `auto` decides, on solvers that only have a time: trials begin and end, the faster one is taken, a GPU that slows down or fails
// is left, and the report says why.
import { beforeEach, describe, expect, test } from 'vitest';
import { Backend } from '../../src/backend/backend';
import type { GpuFaults } from '../../src/backend/report';
import { openDevice } from '../../src/gpu/device';
import type { SolverStatus, StepFault, StepSolver } from '../../src/gpu/step_solver';
import type { BackendName } from '../../src/options/options';

class FakeSolver {
  status: SolverStatus = 'idle';
  fault: StepFault | null = null;
  patience = 0;
  isDestroyed = false;
  onLost: ((loss: { reason: string; message: string }) => void) | null = null;
  poll(): SolverStatus {
    return this.status;
  }
  destroy(): void {
    this.isDestroyed = true;
  }
}

const CONTACTS = 2000;
let solvers: FakeSolver[] = [];
let faults: GpuFaults;
let stepCount: number;
/** Milliseconds a step of each backend takes now. */
let wasmMs: number;
let gpuMs: number;

beforeEach(() => {
  solvers = [];
  faults = { deviceLost: null, gpuFailures: 0, gpuError: null };
  stepCount = 0;
  wasmMs = 20;
  gpuMs = 5;
});

async function open(asked: BackendName, software = false): Promise<Backend> {
  const adapterInfo = { vendor: software ? 'swiftshader' : 'acme' };
  const device = { lost: new Promise(() => {}), adapterInfo, limits: {} } as unknown as GPUDevice;
  const openSolver = async () => {
    solvers.push(new FakeSolver());
    return solvers.at(-1) as unknown as StepSolver;
  };
  const backend = new Backend(asked, device, {} as never, undefined as never, () => ({ openDevice, openSolver }), faults);
  await backend.open('cells');
  // 'auto' opens in the background.
  for (let i = 0; i < 10; i++) await Promise.resolve();
  return backend;
}

/** Steps; returns a letter each: w on WASM, g on the GPU. */
function run(backend: Backend, steps: number, contacts = CONTACTS): string {
  let text = '';
  for (let i = 0; i < steps; i++) {
    const gpu = backend.choose(contacts, 'cells');
    backend.report(gpu !== null, gpu ? gpuMs : wasmMs, contacts, 'cells');
    stepCount++;
    text += gpu ? 'g' : 'w';
  }
  return text;
}

const reportOf = (backend: Backend, contacts = CONTACTS) => backend.describe(contacts, 'cells', stepCount);

describe('a GPU that is faster', () => {
  test('is taken after a trial, left when it slows down, and taken again', async () => {
    const backend = await open('auto');
    expect(run(backend, 4)).toBe('wwww');
    expect(reportOf(backend)).toEqual({
      asked: 'auto',
      active: 'wasm',
      isTrial: false,
      reason: 'WASM is being timed',
      wasmMs: 20,
      gpuMs: Number.NaN,
      wasmSteps: 4,
      gpuSteps: 0,
      nextTrial: 9,
      lastError: null,
    });
    expect(run(backend, 8)).toBe('wwwwwggg');
    expect(reportOf(backend)).toMatchObject({
      active: 'webgpu',
      isTrial: true,
      reason: 'WebGPU is being timed',
      gpuSteps: 2,
      nextTrial: null,
    });
    expect(run(backend, 1000)).toBe('g'.repeat(1000));
    expect(reportOf(backend)).toEqual({
      asked: 'auto',
      active: 'webgpu',
      isTrial: false,
      reason: 'WebGPU was faster',
      wasmMs: 20,
      gpuMs: 5,
      wasmSteps: 9,
      gpuSteps: 9,
      nextTrial: null,
      lastError: null,
    });
    gpuMs = 30;
    const slow = run(backend, 30);
    expect(slow).toBe('g'.repeat(5) + 'w'.repeat(25));
    expect(reportOf(backend)).toMatchObject({ active: 'wasm', reason: 'WebGPU has become slower', gpuMs: 30, wasmMs: 20 });
    gpuMs = 5;
    const { nextTrial } = reportOf(backend);
    expect(run(backend, nextTrial! - stepCount)).not.toContain('g');
    expect(run(backend, 20)).toBe('g'.repeat(20));
    expect(reportOf(backend).reason).toBe('WebGPU was faster');
  });

  test('stays while the scene grows: WASM would take longer in proportion', async () => {
    const backend = await open('auto');
    run(backend, 30);
    gpuMs = 35;
    expect(run(backend, 30, 2 * CONTACTS)).toBe('g'.repeat(30));
    expect(run(backend, 30, CONTACTS)).toContain('w');
  });

  test('is left when few contacts are left, and not in between', async () => {
    const backend = await open('auto');
    run(backend, 30);
    gpuMs = 0.1;
    expect(run(backend, 5, 600)).toBe('ggggg');
    expect(run(backend, 30, 400)).toBe('w'.repeat(30));
    expect(reportOf(backend, 400)).toMatchObject({ active: 'wasm', reason: 'there are fewer than 1000 contacts' });
  });

  test('one slow step changes nothing', async () => {
    const backend = await open('auto');
    run(backend, 30);
    gpuMs = 500;
    run(backend, 1);
    gpuMs = 5;
    expect(run(backend, 50)).toBe('g'.repeat(50));
  });
});

describe('a GPU that is slower', () => {
  test('three steps show it, after the first that does not count; later trials are rarer and rarer', async () => {
    const backend = await open('auto');
    gpuMs = 25;
    const steps = run(backend, 30_000);
    const trials = [...steps.matchAll(/g+/g)];
    expect(trials.map((trial) => trial[0].length)).toEqual(trials.map(() => 4));
    const gaps = trials.slice(1).map((trial, i) => trial.index - trials[i]!.index);
    expect(gaps.slice(0, 5)).toEqual([604, 1204, 2404, 4804, 9604]);
    expect(new Set(gaps.slice(4))).toEqual(new Set([9604]));
    expect(reportOf(backend)).toMatchObject({
      active: 'wasm',
      isTrial: false,
      reason: 'WebGPU was not faster',
      gpuMs: 25,
      gpuSteps: 3,
    });
  });

  test('a little faster is not enough, and takes all nine steps', async () => {
    const backend = await open('auto');
    gpuMs = 18;
    expect(run(backend, 100)).toBe(`${'w'.repeat(9)}${'g'.repeat(10)}${'w'.repeat(81)}`);
  });

  test('is tried again at once when the contacts have doubled or halved', async () => {
    const backend = await open('auto');
    gpuMs = 25;
    run(backend, 100);
    expect(run(backend, 20, 1.9 * CONTACTS)).not.toContain('g');
    wasmMs = 60;
    run(backend, 9, 1.9 * CONTACTS);
    expect(run(backend, 40, 2 * CONTACTS)).toBe(`w${'g'.repeat(39)}`);
    wasmMs = 1;
    expect(run(backend, 100, 1100).slice(-60)).toBe('w'.repeat(60));
  });
});

/**
 * A page that calls `advance(frame)` at its frame rate: WASM makes all steps that are due, or as many as its time allows; a GPU whose
 * answers take a frame one per call. Returns a letter per call, and the simulated seconds over the real ones.
 */
function page(backend: Backend, calls: number, frame: number, dt: number): { text: string; share: number } {
  let [text, real, made, rest] = ['', 0, 0, 0];
  let length = frame;
  let flying = false;
  for (let i = 0; i < calls; i++) {
    const most = Math.ceil(0.1 / dt - 1e-9);
    rest += length;
    real += length;
    let [busy, letter] = [0, 'w'];
    let steps = 0;
    for (; rest >= dt * (1 - 1e-6) && steps < most; steps++) {
      // A result of the GPU is there with the next call.
      if (flying) backend.report(true, gpuMs, CONTACTS, 'cells');
      flying = backend.choose(CONTACTS, 'cells') !== null;
      letter = flying ? 'g' : 'w';
      if (!flying) backend.report(false, wasmMs, CONTACTS, 'cells');
      rest -= dt;
      made += dt;
      if (flying) {
        steps++;
        break;
      }
      busy += wasmMs / 1000;
    }
    const bound = steps === most ? dt : most * dt;
    const kept = rest < bound ? rest : bound === dt ? rest % dt : bound;
    backend.pace(length, rest - kept, Math.floor(kept / dt + 1e-6) * dt, dt);
    rest = kept;
    length = Math.max(frame, Math.ceil(busy / frame) * frame);
    text += letter;
  }
  return { text, share: made / real };
}

describe('steps per second count, not milliseconds per step alone', () => {
  test.each([
    [60, 120],
    [60, 240],
    [30, 60],
    [24, 60],
    [75, 120],
    [144, 240],
  ])(
    '%i frames per second, %i steps: a GPU whose answers take a frame is not chosen where WASM keeps up',
    async (frames, steps) => {
      const backend = await open('auto');
      wasmMs = 2;
      gpuMs = 0.5;
      const first = page(backend, 600, 1 / frames, 1 / steps);
      expect(first.text.replaceAll('w', '').length).toBeLessThan(30);
      // What a trial leaves undone, WASM makes up for.
      expect(first.share).toBeGreaterThan(0.99);
      expect(reportOf(backend).reason).toMatch(/^WebGPU makes fewer of the steps that are due/);
      expect(page(backend, 3000, 1 / frames, 1 / steps).share).toBeGreaterThan(0.99);
    },
  );

  test.each([
    [60, 60],
    [144, 60],
    [144, 120],
    [240, 60],
    [60, 30],
  ])('%i frames per second, %i steps: it is chosen where it keeps up', async (frames, steps) => {
    const backend = await open('auto');
    page(backend, 200, 1 / frames, 1 / steps);
    expect(reportOf(backend).active).toBe('webgpu');
    expect(page(backend, 2000, 1 / frames, 1 / steps).share).toBeGreaterThan(0.99);
    expect(reportOf(backend).active).toBe('webgpu');
  });

  test('it is chosen at 120 steps per second, too, where WASM makes no more of them', async () => {
    const backend = await open('auto');
    wasmMs = 30;
    page(backend, 1000, 1 / 60, 1 / 120);
    expect(reportOf(backend)).toMatchObject({ active: 'webgpu', reason: 'WebGPU was faster' });
  });

  test('it is left when steps become shorter than frames, and taken when they are long again', async () => {
    const backend = await open('auto');
    wasmMs = 4;
    gpuMs = 1;
    page(backend, 100, 1 / 60, 1 / 60);
    expect(reportOf(backend).active).toBe('webgpu');
    const { text } = page(backend, 600, 1 / 60, 1 / 120);
    expect(text.lastIndexOf('g')).toBeLessThan(100);
    expect(reportOf(backend).reason).toMatch(/fewer of the steps/);
    page(backend, 1500, 1 / 60, 1 / 60);
    expect(reportOf(backend).active).toBe('webgpu');
  });

  test('one frame that hangs changes nothing', async () => {
    const backend = await open('auto');
    page(backend, 100, 1 / 60, 1 / 60);
    expect(reportOf(backend).active).toBe('webgpu');
    backend.pace(3, 3 - 1 / 60, 0, 1 / 60);
    expect(page(backend, 600, 1 / 60, 1 / 60).text).toBe('g'.repeat(600));
  });
});

test('a trial is bound in time: results are waited for twice as long as WASM takes, 25 ms at least', async () => {
  const backend = await open('auto');
  const [solver] = solvers as [FakeSolver];
  wasmMs = 2;
  run(backend, 9);
  expect(backend.choose(CONTACTS, 'cells')).toBe(solver);
  expect(solver.patience).toBe(25);
  solver.fault = { kind: 'late', message: 'no result in 41 ms' };
  solver.status = 'hung';
  backend.failed(solver as unknown as StepSolver, CONTACTS, 'cells');
  expect(run(backend, 700)).toBe('w'.repeat(700));
  expect(reportOf(backend)).toMatchObject({ reason: 'WebGPU failed: no result in 41 ms', lastError: 'no result in 41 ms' });
  // The trial that is due waits for the late result.
  solver.status = 'idle';
  gpuMs = 0.5;
  expect(run(backend, 12)).toBe(`w${'g'.repeat(11)}`);
  expect(solver.patience).toBe(250);

  const slow = await open('auto');
  wasmMs = 40;
  run(slow, 10);
  expect(solvers.at(-1)!.patience).toBe(80);
  run(slow, 10);
  expect(solvers.at(-1)!.patience).toBe(400);
});

test('asking changes nothing', async () => {
  const backend = await open('auto');
  for (let i = 0; i < 60; i++) {
    for (let k = 0; k < 5; k++) {
      backend.choose(CONTACTS, 'cells');
      reportOf(backend);
    }
    expect(run(backend, 1)).toBe(i < 9 ? 'w' : 'g');
  }
});

test('too few contacts: no trial', async () => {
  const backend = await open('auto');
  expect(run(backend, 2000, 900)).toBe('w'.repeat(2000));
  expect(reportOf(backend, 900)).toMatchObject({ reason: 'there are fewer than 1000 contacts', wasmSteps: 9, nextTrial: null });
});

test('a scene beyond the limits ends the trial; the GPU is set up again when it is smaller', async () => {
  const backend = await open('auto');
  const [solver] = solvers as [FakeSolver];
  run(backend, 9);
  expect(backend.choose(CONTACTS, 'cells')).toBe(solver);
  solver.fault = { kind: 'limit', message: 'too large' };
  backend.failed(solver as unknown as StepSolver, CONTACTS, 'cells');
  expect(solver.isDestroyed).toBe(true);
  expect(faults).toEqual({ deviceLost: null, gpuFailures: 1, gpuError: 'too large' });
  expect(reportOf(backend)).toMatchObject({
    active: 'wasm',
    isTrial: false,
    reason: 'WebGPU was given up: too large',
    nextTrial: null,
  });
  expect(run(backend, 3000)).toBe('w'.repeat(3000));
  expect(run(backend, 1, 1590)).toBe('w');
  for (let i = 0; i < 10; i++) await Promise.resolve();
  expect(solvers.length).toBe(2);
  expect(run(backend, 20, 1590)).toBe(`w${'g'.repeat(19)}`);
  expect(reportOf(backend, 1590).reason).toBe('WebGPU was faster');
});

describe.each(['auto', 'webgpu'] as const)('errors with %s', (asked) => {
  test('a step that is void in between is forgiven, three in a row are not', async () => {
    const backend = await open(asked);
    if (asked === 'auto') run(backend, 40);
    const [solver] = solvers as [FakeSolver];
    solver.fault = { kind: 'error', message: 'invalid' };
    const fail = () => backend.failed(solver as unknown as StepSolver, CONTACTS, 'cells');
    fail();
    fail();
    if (asked === 'webgpu') {
      expect(run(backend, 1)).toBe('g');
      fail();
      fail();
      expect(solver.isDestroyed).toBe(false);
    } else {
      // WASM goes on at once, and looks again later.
      expect(run(backend, 1)).toBe('w');
      expect(reportOf(backend).nextTrial).toBeGreaterThan(stepCount + 500);
    }
    fail();
    expect(solver.isDestroyed).toBe(true);
    expect(run(backend, 3000)).toBe('w'.repeat(3000));
    expect(run(backend, 1, 10)).toBe('w');
    expect(reportOf(backend).reason).toBe('WebGPU was given up: invalid');
    // Until somebody asks again.
    await backend.ask('webgpu', undefined, 'cells');
    expect(run(backend, 1)).toBe('g');
  });
});

test('without a device, and on a software adapter', async () => {
  const host = { openDevice, openSolver: undefined as never };
  const none = new Backend('auto', undefined, undefined as never, undefined as never, () => host, faults);
  await none.open('cells');
  await Promise.resolve();
  expect(run(none, 20)).toBe('w'.repeat(20));
  expect(reportOf(none)).toMatchObject({
    active: 'wasm',
    reason: expect.stringMatching(/^there is no WebGPU device: WebGPU /),
    nextTrial: null,
  });
  const software = await open('auto', true);
  expect(run(software, 20)).toBe('w'.repeat(20));
  expect(reportOf(software).reason).toMatch(/^there is no WebGPU device: .* slower than WASM$/);
  const plain = await open('wasm');
  expect(run(plain, 3)).toBe('www');
  expect(reportOf(plain)).toMatchObject({ asked: 'wasm', active: 'wasm', reason: 'it was asked for' });
});

test('a device that is lost in a trial ends it', async () => {
  const backend = await open('auto');
  run(backend, 11);
  solvers[0]!.status = 'lost';
  expect(run(backend, 100)).toBe('w'.repeat(100));
  expect(faults.deviceLost).not.toBeNull();
  expect(reportOf(backend)).toMatchObject({ isTrial: false, reason: `there is no WebGPU device: ${faults.deviceLost}` });
});
