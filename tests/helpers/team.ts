// Worlds on several threads without the host's own: the core over shared memory, and threads beside that take its tasks as fast as
// they can, or with delays. For files that make one world at a time, and call shareMemory before the first.
import { Worker } from 'node:worker_threads';
import { HEADER_PTR, Header } from '../../src/layout.generated';
import type { CoreExports } from '../../src/wasm/core';

/** Flags of the import of memory follow these bytes; the bit of shared memory. */
const IMPORT = Buffer.from('\x03env\x06memory\x02', 'latin1');
const SHARED = 2;

/** What a thread beside does, with `delays` in short turns and with pauses between them. Word 0: 1 ends it; 1: threads at work. */
const BESIDE = `
const { module, memory, index, words, delays } = require('node:worker_threads').workerData;
const nap = (at, seen) => Atomics.wait(new Int32Array(memory.buffer), at >>> 2, seen, 0.1);
const { exports } = new WebAssembly.Instance(module, { env: { memory }, team: { nap }, own: { solve: nap } });
exports.joinTeam(index);
Atomics.add(words, 1, 1);
let seed = index;
while (Atomics.load(words, 0) === 0) {
  Atomics.add(words, 2, exports.serve(delays ? 2 : 500));
  if (!delays) continue;
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  for (let i = seed >>> 20; i > 0; i--) Atomics.load(words, 0);
}
`;

interface Made {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  exports: CoreExports & { reserveThreads(count: number): number };
}

/** The core that was made last. A world that is disposed leaves it to the next. */
let made: Made | undefined;

/** From now on every core gets shared memory. */
export function shareMemory(): void {
  const { Memory, compile, Instance } = WebAssembly;
  Object.assign(WebAssembly, {
    Memory: function memory({ initial }: { initial: number }) {
      return new Memory({ initial, maximum: 16384, shared: true });
    },
    compile: (bytes: Uint8Array) => {
      const copy = Buffer.from(bytes);
      const at = copy.indexOf(IMPORT) + IMPORT.length;
      copy[at] = copy[at]! | SHARED;
      return compile(copy);
    },
    Instance: function instance(module: WebAssembly.Module, imports: { env: { memory: WebAssembly.Memory } }) {
      const core = new Instance(module, imports as never);
      made = { module, memory: imports.env.memory, exports: core.exports as unknown as Made['exports'] };
      return core;
    },
  });
}

/** The world at hand goes on with so many threads, the stepping one among them. */
export class Team {
  private readonly words = new Int32Array(new SharedArrayBuffer(16));
  private readonly workers: Worker[] = [];

  async begin(threads: number, delays: boolean): Promise<void> {
    const { module, memory, exports } = made!;
    if (exports.reserveThreads(threads) === 0) throw new Error('no memory for threads');
    for (let index = 1; index < threads; index++) {
      const workerData = { module, memory, index, words: this.words, delays };
      this.workers.push(new Worker(BESIDE, { eval: true, workerData }));
    }
    while (Atomics.load(this.words, 1) < threads - 1) await new Promise((resolve) => setTimeout(resolve, 1));
    this.use(threads);
  }

  /** Threads that may take tasks from now on. */
  use(threads: number): void {
    new Uint32Array(made!.memory.buffer, HEADER_PTR + Header.threads, 1)[0] = threads;
  }

  /** Ends the threads. Returns the number of tasks that they have done. */
  async end(): Promise<number> {
    this.use(1);
    Atomics.store(this.words, 0, 1);
    await Promise.all(this.workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
    return Atomics.load(this.words, 2);
  }
}
