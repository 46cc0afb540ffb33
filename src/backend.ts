// Where contacts are solved: keeps the GPU solver of a world alive (first device, loss, another device) and, for the backend
// 'auto', measures both ways on the running scene and says which to take. Decides; the world acts.

import type { OpenSolver } from './edition';
import { TalusError } from './errors';
import { type GpuDevice, openDevice } from './gpu/device';
import type { StepSolver } from './gpu/step_solver';
import type { BackendName } from './options';
import type { CoreExports } from './wasm/core';

/** Steps of a trial on each backend; medians count. */
const TRIAL_STEPS = 9;
/** Below this many contacts the CPU is done before a GPU has begun. */
const TRIAL_CONTACTS = 1000;
/** A change of the number of contacts by this factor makes the last trial void. */
const TRIAL_CHANGE = 2;
/** The GPU must be faster by this factor to be taken: it costs power and a copy of the scene. */
const GAIN = 1.15;
/** Devices asked for after a loss before giving up. */
const RETRIES = 3;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Infinity;
}

/** State of the GPU side of a world. A family is what one solver object solves: 'cells', in talus/study also others. */
export class Backend {
  /** What the world asked for last. */
  asked: BackendName;
  private readonly memory: WebAssembly.Memory;
  private readonly core: CoreExports;
  private readonly openSolver: OpenSolver;
  private given: GPUDevice | undefined;
  private device: GpuDevice | null = null;
  /** Solvers on that device, those asked for; and those whose kernels are being compiled. */
  private readonly solvers = new Map<string, StepSolver>();
  private readonly compiling = new Map<string, Promise<void>>();
  /** Families that could not be set up on that device. */
  private readonly refused = new Set<string>();
  private retries = 0;
  private closed = false;
  private readonly onLoss: (message: string) => void;
  /** Trial of 'auto': milliseconds of each backend, and the contacts it was made with. */
  private wasmMs: number[] = [];
  private gpuMs: number[] = [];
  private trialContacts = 0;
  private trialFamily = '';
  private preferGpu = false;
  private decided = false;

  constructor(
    asked: BackendName,
    device: GPUDevice | undefined,
    memory: WebAssembly.Memory,
    core: CoreExports,
    openSolver: OpenSolver,
    onLoss: (message: string) => void,
  ) {
    this.asked = asked;
    this.given = device;
    this.memory = memory;
    this.core = core;
    this.openSolver = openSolver;
    this.onLoss = onLoss;
  }

  /**
   * Opens the first device, with the solver of a family. For 'webgpu' it throws TalusError 'gpu' where there is none; for
   * 'auto' it goes on in the background and WASM does the work until then.
   */
  async open(family: string): Promise<void> {
    if (this.asked === 'webgpu') await this.connect(family);
    else if (this.asked === 'auto') this.connect(family).catch(() => undefined);
  }

  /**
   * Takes another backend from the next step on; an open device is kept. Where 'webgpu' finds no device it throws TalusError
   * 'gpu' and leaves everything as it was.
   */
  async ask(backend: BackendName, device: GPUDevice | undefined, family: string): Promise<void> {
    const before = this.asked;
    this.decided = false;
    this.trialContacts = 0;
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

  private async connect(family: string): Promise<void> {
    if (!this.device) {
      const device = await openDevice(this.given ? { device: this.given } : {});
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
    let solver: StepSolver;
    try {
      solver = await this.openSolver(family, shared, this.memory, this.core, { timestamps: true });
    } catch (error) {
      if (this.device === device) this.refused.add(family);
      throw error;
    }
    if (this.closed || this.device !== device) {
      solver.destroy();
      return;
    }
    solver.onLost = (loss) => this.lost(device, loss.message || loss.reason);
    this.solvers.set(family, solver);
  }

  private lost(device: GpuDevice, message: string): void {
    if (this.closed || this.device !== device) return;
    const families = [...this.solvers.keys()];
    this.device = null;
    this.solvers.clear();
    this.compiling.clear();
    this.refused.clear();
    this.onLoss(message);
    this.decided = false;
    // A caller's own device is the caller's to replace.
    if (this.given || this.retries >= RETRIES) return;
    this.retries++;
    for (const family of families) this.connect(family).catch(() => undefined);
  }

  /** The solver of a family, if the next step should be solved on the GPU. Sets it up in the background where it is missing. */
  choose(contacts: number, family: string): StepSolver | null {
    let gpu = this.solvers.get(family);
    // The solver may learn of the loss by a refused map before the device tells.
    if (gpu?.poll() === 'lost') {
      if (this.device) this.lost(this.device, 'the result of a step could not be read');
      gpu = undefined;
    }
    if (this.asked === 'wasm') return null;
    if (!gpu) {
      if (this.device && !this.refused.has(family)) {
        this.compile(family).catch((error: unknown) => this.onLoss(error instanceof Error ? error.message : String(error)));
      }
      return null;
    }
    if (this.asked === 'webgpu') return gpu;
    if (contacts < TRIAL_CONTACTS) return null;
    const change = contacts / Math.max(this.trialContacts, 1);
    const same = this.trialFamily === family && change < TRIAL_CHANGE && change > 1 / TRIAL_CHANGE;
    if (this.decided && same) return this.preferGpu ? gpu : null;
    if (this.decided || this.trialContacts === 0 || this.trialFamily !== family) {
      this.decided = false;
      this.trialContacts = contacts;
      this.trialFamily = family;
      this.wasmMs = [];
      this.gpuMs = [];
    }
    return this.wasmMs.length < TRIAL_STEPS ? null : gpu;
  }

  /** Resolves when what `choose` has begun to set up is ready, or has failed. */
  async ready(family: string): Promise<void> {
    await this.compiling.get(family)?.catch(() => undefined);
  }

  /** What the solver of the last step took: on the GPU with the time until the result was there. */
  report(onGpu: boolean, milliseconds: number): void {
    if (this.asked !== 'auto' || this.decided || this.trialContacts === 0) return;
    (onGpu ? this.gpuMs : this.wasmMs).push(milliseconds);
    if (this.gpuMs.length < TRIAL_STEPS) return;
    this.preferGpu = median(this.gpuMs) * GAIN < median(this.wasmMs);
    this.decided = true;
  }

  close(): void {
    this.closed = true;
    for (const solver of this.solvers.values()) solver.destroy();
    this.solvers.clear();
    if (this.device?.isOwned) this.device.device.destroy();
    this.device = null;
  }
}
