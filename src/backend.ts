// Where contacts are solved: keeps the GPU solver of a world alive (first device, loss, another device) and, for the backend
// 'auto', measures both ways on the running scene and says which to take. Decides; the world acts.
import { TalusError } from './errors';
import { openDevice } from './gpu/device';
import { type GpuCore, GpuSolver } from './gpu/gpu_solver';
import type { BackendName } from './options';

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

/** State of the GPU side of a world. */
export class Backend {
  /** What the world asked for last. */
  asked: BackendName;
  private readonly memory: WebAssembly.Memory;
  private readonly core: GpuCore;
  private given: GPUDevice | undefined;
  private gpu: GpuSolver | null = null;
  private retries = 0;
  private closed = false;
  private readonly onLoss: (message: string) => void;
  /** Trial of 'auto': milliseconds of each backend, and the contacts it was made with. */
  private wasmMs: number[] = [];
  private gpuMs: number[] = [];
  private trialContacts = 0;
  private preferGpu = false;
  private decided = false;

  constructor(
    asked: BackendName,
    device: GPUDevice | undefined,
    memory: WebAssembly.Memory,
    core: GpuCore,
    onLoss: (message: string) => void,
  ) {
    this.asked = asked;
    this.given = device;
    this.memory = memory;
    this.core = core;
    this.onLoss = onLoss;
  }

  /**
   * Opens the first device. For 'webgpu' it throws TalusError 'gpu' where there is none; for 'auto' it goes on in the
   * background and WASM does the work until then.
   */
  async open(): Promise<void> {
    if (this.asked === 'webgpu') await this.connect();
    else if (this.asked === 'auto') this.connect().catch(() => undefined);
  }

  /**
   * Takes another backend from the next step on; an open device is kept. Where 'webgpu' finds no device it throws TalusError
   * 'gpu' and leaves everything as it was.
   */
  async ask(backend: BackendName, device: GPUDevice | undefined): Promise<void> {
    const before = this.asked;
    this.decided = false;
    this.trialContacts = 0;
    if (backend === 'wasm' || this.gpu) {
      this.asked = backend;
      return;
    }
    this.given = device ?? this.given;
    this.retries = 0;
    this.asked = backend;
    try {
      await this.open();
    } catch (error) {
      this.asked = before;
      throw error;
    }
  }

  private async connect(): Promise<void> {
    const device = await openDevice(this.given ? { device: this.given } : {});
    if (this.asked === 'auto' && device.isSoftware) {
      if (device.isOwned) device.device.destroy();
      throw new TalusError('gpu', 'the WebGPU adapter is a software one, slower than WASM');
    }
    const solver = await GpuSolver.create(device, this.memory, this.core, { timestamps: true });
    if (this.closed) {
      solver.destroy();
      return;
    }
    solver.onLost = (loss) => this.lost(solver, loss.message || loss.reason);
    this.gpu = solver;
  }

  private lost(solver: GpuSolver, message: string): void {
    if (this.closed || this.gpu !== solver) return;
    this.gpu = null;
    this.onLoss(message);
    this.decided = false;
    // A caller's own device is the caller's to replace.
    if (this.given || this.retries >= RETRIES) return;
    this.retries++;
    this.connect().catch(() => undefined);
  }

  /** The GPU solver, if the next step should be solved there. */
  choose(contacts: number): GpuSolver | null {
    // The solver may learn of the loss by a refused map before the device tells.
    if (this.gpu?.poll() === 'lost') this.lost(this.gpu, 'the result of a step could not be read');
    if (!this.gpu || this.asked === 'wasm') return null;
    if (this.asked === 'webgpu') return this.gpu;
    if (contacts < TRIAL_CONTACTS) return null;
    const change = contacts / Math.max(this.trialContacts, 1);
    if (this.decided && change < TRIAL_CHANGE && change > 1 / TRIAL_CHANGE) return this.preferGpu ? this.gpu : null;
    if (this.decided || this.trialContacts === 0) {
      this.decided = false;
      this.trialContacts = contacts;
      this.wasmMs = [];
      this.gpuMs = [];
    }
    return this.wasmMs.length < TRIAL_STEPS ? null : this.gpu;
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
    this.gpu?.destroy();
    this.gpu = null;
  }
}
