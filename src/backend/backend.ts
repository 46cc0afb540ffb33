// Chooses where contacts are solved. Keeps the GPU solver of a world alive (first device, errors, loss, another device), and for
// the backend 'auto' measures both ways on the running scene and says which to use. It decides; the world acts.
//
// 'auto' has three states:
// - wasm: steps are solved and timed there.
// - trial: some steps go to the GPU. The first does not count (everything is uploaded); a late one, or three that are slower than
//   WASM, end it.
// - gpu: steps are timed there. WASM takes over once they are slower than WASM was in the trial, in proportion to the contacts.
//   While the GPU is faster, WASM is not timed again.
//
// A GPU makes a step per answer, WASM as many as are due. So a faster GPU may still simulate less time. `pace` measures the share of
// the time passed to `advance` that each backend turns into steps, and the GPU is left if it falls behind WASM.

import { TalusError } from '../checks/errors';
import { messageOf } from '../checks/show';
import type { GpuDevice } from '../gpu/device';
import type { GpuHost } from '../gpu/host';
import type { StepSolver } from '../gpu/step_solver';
import type { BackendName } from '../options/options';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';
import type { BackendReport, GpuFaults } from './report';

/** Steps of each backend in its median, and steps of a trial. */
const WINDOW = 9;
/** Steps after which a trial may be lost. */
const FEWEST = 3;
/** Below this many contacts the CPU is done before a GPU has begun. */
const TRIAL_CONTACTS = 1000;
/** After a change of the number of contacts by this factor the GPU is tried again at once. */
const TRIAL_CHANGE = 2;
/** Steps until the next trial: at first, and at most; doubled by each trial. */
const WAIT = 600;
const MOST_WAIT = 9600;
/** How long a trial waits for results: this many times the median of WASM, and at least these milliseconds. */
const TRIAL_PATIENCE = [2, 25] as const;
const GPU_PATIENCE = [10, 250] as const;
/** How long a requested backend waits for results, milliseconds. */
const PATIENCE = 10_000;
const SOFTWARE_PATIENCE = 60_000;
/** The GPU is chosen if it is faster by this factor: it costs power and a copy of the scene. */
const GAIN = 1.15;
/** The GPU must turn this share of the time that WASM does into steps: both are measured to a step or so. */
const PACE = 0.8;
/** Steps due after which the pace of a backend is known: in a trial, and each time later on. */
const PACE_TRIAL = 9;
const PACE_LATER = 60;
/** Measurements in a row that show a slow GPU before it is left: one may contain a frame that hung. */
const PACE_FAILURES = 2;
const BEHIND = 'WebGPU makes fewer of the steps that are due than WASM';
/** Number of devices requested after losses before giving up. */
const RETRIES = 3;
/** Number of failed steps in a row before the GPU is given up. */
const FAILURES = 3;
/** A scene that was too large is tried again when its contacts have dropped to this share. */
const SMALLER = 0.8;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function keep(values: number[], value: number): void {
  if (values.push(value) > WINDOW) values.shift();
}

/** State of the GPU side of a world. A family is the set of solvers that one object runs: 'cells', and others in talus/study. */
export class Backend {
  /** The backend that the world requested last. */
  asked: BackendName;
  private readonly memory: LinearMemory;
  private readonly core: CoreExports;
  /** Returns the GPU host. Throws TalusError 'gpu' if there is none. */
  private readonly host: () => GpuHost;
  private given: GPUDevice | undefined;
  private device: GpuDevice | null = null;
  /** Solvers on that device, and solvers whose kernels are being compiled. */
  private readonly solvers = new Map<string, StepSolver>();
  private readonly compiling = new Map<string, Promise<void>>();
  /** Families that were given up on that device, and the number of contacts below which they are tried again. */
  private readonly blocked = new Map<string, number>();
  private retries = 0;
  private closed = false;
  private readonly faults: GpuFaults;
  private failures = 0;
  private lastError: string | null = null;
  /** What 'auto' does with the family that was timed last, and why. */
  private state: 'wasm' | 'trial' | 'gpu' = 'wasm';
  private reason = '';
  private family = '';
  /** Milliseconds of the last steps. */
  private wasmMs: number[] = [];
  private gpuMs: number[] = [];
  /**
   * Time (s) passed to `advance` and time it dropped since the last measurement, and steps that were overdue then and are now.
   */
  private pacedTime = 0;
  private lostTime = 0;
  private overdueBefore = 0;
  private overdue = 0;
  /**
   * Share of the time that WASM turned into steps at its last measurement, and number of measurements that found the GPU behind
   * it.
   */
  private wasmPace = 1;
  private slowPaces = 0;
  /** Whether the running call of `advance` has the length of a frame from the other backend. */
  private skipsCall = false;
  /** Contacts at the last trial, 0 before the first; and whether its first step is still to come. */
  private trialContacts = 0;
  private isFirst = false;
  /** Steps timed; their number at the next trial, and from the last trial to it. */
  private steps = 0;
  private next = 0;
  private wait = WAIT;

  constructor(
    asked: BackendName,
    device: GPUDevice | undefined,
    memory: LinearMemory,
    core: CoreExports,
    host: () => GpuHost,
    faults: GpuFaults,
  ) {
    this.asked = asked;
    this.given = device;
    this.memory = memory;
    this.core = core;
    this.host = host;
    this.faults = faults;
  }

  /**
   * Opens the first device, with the solver of a family. Throws TalusError 'gpu' without `talus/gpu`, and for 'webgpu' also if
   * there is no device. For 'auto' it continues in the background, and WASM solves the steps until then.
   */
  async open(family: string): Promise<void> {
    if (this.asked !== 'wasm') this.host();
    if (this.asked === 'webgpu') await this.connect(family);
    else if (this.asked === 'auto') this.try(family);
  }

  /**
   * Changes the backend from the next step on; an open device is kept. If 'webgpu' finds no device, it throws TalusError 'gpu'
   * and changes nothing.
   */
  async ask(backend: BackendName, device: GPUDevice | undefined, family: string): Promise<void> {
    const before = this.asked;
    this.restart();
    this.blocked.clear();
    if (backend === 'wasm' || this.solvers.has(family)) {
      this.asked = backend;
      return;
    }
    this.given = device ?? this.given;
    this.retries = 0;
    this.asked = backend;
    try {
      await this.open(family);
    } catch (error) {
      this.asked = before;
      throw error;
    }
  }

  private try(family: string): void {
    this.connect(family).catch((error: unknown) => {
      this.lastError = messageOf(error);
    });
  }

  private async connect(family: string): Promise<void> {
    if (!this.device) {
      const device = await this.host().openDevice(this.given ? { device: this.given } : {});
      const discard = () => {
        if (device.isOwned) device.device.destroy();
      };
      if (this.asked === 'auto' && device.isSoftware) {
        discard();
        throw new TalusError('gpu', 'the WebGPU adapter is a software one, slower than WASM');
      }
      // Another call may have been first.
      if (this.closed || this.device) discard();
      else this.device = device;
    }
    if (!this.closed) await this.compile(family);
  }

  /** Sets the solver of a family up on the open device, once. */
  private compile(family: string): Promise<void> {
    const { device } = this;
    const running = this.compiling.get(family);
    if (!device || running || this.solvers.has(family)) return running ?? Promise.resolve();
    const work = this.setUp(family, device).finally(() => this.compiling.delete(family));
    this.compiling.set(family, work);
    return work;
  }

  private async setUp(family: string, device: GpuDevice): Promise<void> {
    // The device is shared by all solvers and goes with the backend.
    const shared = { ...device, isOwned: false };
    const { memory } = this.memory;
    let solver: StepSolver;
    try {
      solver = await this.host().openSolver(family, shared, memory, this.core, { timestamps: true });
    } catch (error) {
      if (this.device === device) this.blocked.set(family, 0);
      throw error;
    }
    if (this.closed || this.device !== device || memory !== this.memory.memory) {
      solver.destroy();
      return;
    }
    solver.onLost = (loss) => this.lost(device, loss.message || loss.reason);
    this.solvers.set(family, solver);
    this.blocked.delete(family);
  }

  private lost(device: GpuDevice, message: string): void {
    if (this.closed || this.device !== device) return;
    const families = [...this.solvers.keys()];
    this.device = null;
    this.solvers.clear();
    this.compiling.clear();
    this.blocked.clear();
    this.lastError = message;
    this.faults.deviceLost = message;
    this.restart();
    // A caller's own device is the caller's to replace.
    if (this.given || this.retries >= RETRIES) return;
    this.retries++;
    for (const family of families) this.try(family);
  }

  /**
   * Returns the solver of a family if the GPU should solve the next step. Sets it up in the background if it is missing. You may
   * call it any number of times per step.
   */
  choose(contacts: number, family: string): StepSolver | null {
    let gpu = this.solvers.get(family);
    const status = gpu?.poll();
    // The solver may detect the loss by a refused map before the device reports it.
    if (status === 'lost') {
      if (this.device) this.lost(this.device, 'the result of a step could not be read');
      gpu = undefined;
    }
    if (this.asked === 'wasm') return null;
    if (!gpu) {
      if (this.device && contacts < (this.blocked.get(family) ?? Infinity)) this.try(family);
      return null;
    }
    if (status === 'hung') return null;
    if (this.asked === 'webgpu') {
      gpu.patience = this.device?.isSoftware ? SOFTWARE_PATIENCE : PATIENCE;
      return gpu;
    }
    if (this.state === 'wasm' || this.family !== family || contacts < TRIAL_CONTACTS / TRIAL_CHANGE) return null;
    const [times, least] = this.state === 'trial' ? TRIAL_PATIENCE : GPU_PATIENCE;
    gpu.patience = Math.max(times * median(this.wasmMs), least);
    return gpu;
  }

  /** Resolves when the setup that `choose` has started is done, or has failed. */
  async ready(family: string): Promise<void> {
    await this.compiling.get(family)?.catch(() => undefined);
  }

  /** Records the solver's time in the last step; on the GPU it includes the time until the result arrived. */
  report(onGpu: boolean, milliseconds: number, contacts: number, family: string): void {
    if (onGpu) this.failures = 0;
    if (this.asked === 'wasm') return;
    if (this.family !== family) this.restart();
    this.family = family;
    this.steps++;
    const { state } = this;
    if (onGpu && state === 'trial' && this.isFirst) {
      this.isFirst = false;
      this.restartPace();
      this.skipsCall = true;
      return;
    }
    // WASM is compared as it was at the trial; a step there during one is an exception.
    if (onGpu) keep(this.gpuMs, milliseconds);
    else if (state === 'wasm') keep(this.wasmMs, milliseconds);
    if (this.asked !== 'auto') return;
    if (state !== 'wasm') {
      if (contacts < TRIAL_CONTACTS / TRIAL_CHANGE) this.settle('wasm', 'there are few contacts');
      else if (onGpu) this.compare(contacts);
    } else if (this.solvers.get(family)?.poll() === 'idle') this.consider(contacts);
  }

  /** On WASM: starts a trial if it is time. */
  private consider(contacts: number): void {
    if (contacts < TRIAL_CONTACTS || this.wasmMs.length < WINDOW) return;
    const change = contacts / this.trialContacts;
    if (change >= TRIAL_CHANGE || change <= 1 / TRIAL_CHANGE) this.wait = WAIT;
    else if (this.steps < this.next) return;
    if (this.pacedTime > 0) this.wasmPace = this.measuredPace();
    this.restartPace();
    this.state = 'trial';
    this.trialContacts = contacts;
    this.isFirst = true;
    this.gpuMs = [];
  }

  /** On the GPU: compares it with WASM, during and after a trial. */
  private compare(contacts: number): void {
    const { length } = this.gpuMs;
    const gpu = median(this.gpuMs);
    const wasm = median(this.wasmMs);
    if (this.state === 'gpu') {
      if (length === WINDOW && gpu * this.trialContacts > wasm * contacts) this.settle('wasm', 'WebGPU has become slower');
    } else if (length === WINDOW && gpu * GAIN < wasm) {
      if (this.isBehind()) this.settle('wasm', BEHIND);
      else this.settle('gpu', 'WebGPU was faster');
    } else if (length === WINDOW || (length >= FEWEST && gpu > wasm)) {
      this.settle('wasm', 'WebGPU was not faster');
    }
  }

  /**
   * Records a call of `advance`: the seconds passed and dropped, and the seconds of whole steps that are still due. Without such
   * calls (`step`, `stepAsync`) callers set the pace themselves.
   */
  pace(seconds: number, dropped: number, overdue: number, dt: number): void {
    if (this.asked !== 'auto') return;
    this.pacedTime += seconds;
    this.lostTime += dropped;
    this.overdue = overdue;
    if (this.skipsCall) {
      this.skipsCall = false;
      this.restartPace();
      return;
    }
    const { state } = this;
    if (state === 'trial') {
      if (!this.isFirst && this.pacedTime >= PACE_TRIAL * dt && this.isBehind()) this.settle('wasm', BEHIND);
      return;
    }
    if (this.pacedTime < PACE_LATER * dt) return;
    if (state === 'wasm') this.wasmPace = this.measuredPace();
    else {
      this.slowPaces = this.isBehind() ? this.slowPaces + 1 : 0;
      if (this.slowPaces >= PACE_FAILURES) this.settle('wasm', BEHIND);
    }
    this.restartPace();
  }

  /** Returns the share of the time since the last measurement that became steps. */
  private measuredPace(): number {
    const lost = this.lostTime + this.overdue - this.overdueBefore;
    return this.pacedTime > 0 ? Math.min(Math.max(1 - lost / this.pacedTime, 0), 1) : 1;
  }

  private isBehind(): boolean {
    return this.pacedTime > 0 && this.measuredPace() < PACE * this.wasmPace;
  }

  private restartPace(): void {
    this.pacedTime = 0;
    this.lostTime = 0;
    this.overdueBefore = this.overdue;
  }

  private settle(state: 'wasm' | 'gpu', reason: string): void {
    // What WASM takes now is to be seen again.
    if (this.state === 'gpu') this.wasmMs = [];
    this.state = state;
    this.reason = reason;
    this.slowPaces = 0;
    this.restartPace();
    this.next = this.steps + this.wait;
    this.wait = Math.min(2 * this.wait, MOST_WAIT);
  }

  /** Forgets all measurements. */
  private restart(): void {
    this.state = 'wasm';
    this.reason = '';
    this.wasmMs = [];
    this.gpuMs = [];
    this.trialContacts = 0;
    this.wait = WAIT;
    this.failures = 0;
    this.wasmPace = 1;
    this.slowPaces = 0;
    this.restartPace();
  }

  /**
   * Records that a step of a solver failed and WASM has solved it. After three in a row, or for a scene that is too large, the
   * solver is given up: for good, or until the scene is smaller.
   */
  failed(gpu: StepSolver, contacts: number, family: string): void {
    const { fault } = gpu;
    if (this.asked === 'auto' && this.state !== 'wasm')
      this.settle('wasm', `WebGPU failed: ${fault?.message ?? 'a result was void'}`);
    if (!fault) return;
    this.lastError = fault.message;
    this.faults.gpuFailures++;
    this.faults.gpuError = fault.message;
    if (this.solvers.get(family) !== gpu) return;
    if (fault.kind !== 'limit' && ++this.failures < FAILURES) return;
    this.failures = 0;
    this.blocked.set(family, fault.kind === 'limit' || fault.kind === 'memory' ? SMALLER * contacts : 0);
    this.solvers.delete(family);
    gpu.destroy();
  }

  /** Returns the report. `stepCount` is that of the world; `barred` says why the world does not let WebGPU solve. */
  describe(contacts: number, family: string, stepCount: number, barred = ''): BackendReport {
    const { asked, state, lastError, device } = this;
    const active = !barred && this.choose(contacts, family) ? 'webgpu' : 'wasm';
    const isAuto = asked === 'auto' && !barred && this.solvers.has(family);
    const isDue = isAuto && state === 'wasm' && contacts >= TRIAL_CONTACTS;
    let reason = this.reason || 'WASM is being timed';
    if (asked === active) reason = 'it was asked for';
    else if (barred) reason = barred;
    else if (this.blocked.has(family)) reason = `WebGPU was given up: ${lastError}`;
    else if (!device) reason = lastError ? `there is no WebGPU device: ${lastError}` : 'there is no WebGPU device yet';
    else if (!this.solvers.has(family)) reason = 'WebGPU is being set up';
    else if (asked === 'webgpu') reason = `a result of WebGPU is late: ${lastError}`;
    else if (state === 'trial') reason = 'WebGPU is being timed';
    else if (contacts < TRIAL_CONTACTS && state === 'wasm') reason = `there are fewer than ${TRIAL_CONTACTS} contacts`;
    return {
      asked,
      active,
      isTrial: isAuto && state === 'trial',
      reason,
      wasmMs: median(this.wasmMs),
      gpuMs: median(this.gpuMs),
      wasmSteps: this.wasmMs.length,
      gpuSteps: this.gpuMs.length,
      nextTrial: isDue ? stepCount + Math.max(this.next - this.steps, WINDOW - this.wasmMs.length, 0) : null,
      lastError,
    };
  }

  /** Called when the world has other memory: solvers are set up on it again when needed. */
  moved(): void {
    for (const solver of this.solvers.values()) solver.destroy();
    this.solvers.clear();
    this.restart();
  }

  close(): void {
    this.closed = true;
    for (const solver of this.solvers.values()) solver.destroy();
    this.solvers.clear();
    if (this.device?.isOwned) this.device.device.destroy();
    this.device = null;
  }
}
