// The threads of one world: how many share each step, and access to its memory before and after. The counterpart of
// assembly/threads/team.ts.
import { TalusError } from '../checks/errors';
import { ERROR_LOST_THREAD, HEADER_PTR, Header, Team } from '../layout.generated';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';
import { renewSeat } from '../wasm/seats';
import { ThreadChoice } from './choose';
import { threadPool } from './pool';
import type { ThreadWorker } from './types';

/** Unregisters a garbage-collected world from the pool (boxed: the pool may renumber it). */
const dropped = new FinalizationRegistry<{ number: number }>((world) => threadPool().leave(world.number));

const LAYOUT = { team: HEADER_PTR + Header.team, bell: Team.bell, sleepers: Team.sleepers, left: Team.left, lost: Team.lost };

/** Clears the worker count copied with an image of memory: no thread runs on this memory yet. */
export function forgetTeam(memory: LinearMemory): void {
  const { u32 } = memory;
  const at = memory.headerU32(Header.team);
  for (const field of [Team.left, Team.sleepers, Team.lost]) u32[(at + field) >>> 2] = 0;
  memory.setHeaderU32(Header.threads, 1);
}

export class ThreadTeam {
  /** Number of threads that shared the last step. */
  used = 1;
  /** Largest number of threads: at the creation of the world, and by the setting. */
  readonly most: number;
  private readonly choice: ThreadChoice;
  private readonly world = { number: threadPool().join() };
  private isLost = false;
  private isClosed = false;
  private isIdle = false;
  private start = 0;

  constructor(
    private readonly memory: LinearMemory,
    private readonly core: CoreExports,
    private readonly module: WebAssembly.Module,
    count: number,
    private readonly isFixed: boolean,
    private readonly own: ThreadWorker | undefined,
    private readonly call = 'serve',
  ) {
    this.most = this.reserve(count);
    this.choice = new ThreadChoice(this.most);
    dropped.register(this, this.world);
  }

  /** Reserves scratch memory for threads; returns for how many there is room. */
  private reserve(count: number): number {
    this.core.reserveThreads(count);
    return Math.min(count, this.memory.u32[(this.memory.headerU32(Header.team) + Team.capacity) >>> 2]!);
  }

  /** Sets the largest number of threads from now on. */
  limit(threads: number): void {
    this.choice.most = Math.min(threads, this.most);
  }

  /** Number of threads that steps may be shared among. */
  get threads(): number {
    return threadPool().isBarren(this.own) ? 1 : this.choice.most;
  }

  /** Why there are fewer threads than requested; '' if there are not. */
  get reason(): string {
    return threadPool().isBarren(this.own) ? threadPool().trouble : '';
  }

  /** @throws TalusError `worker` after a thread was lost in the middle of a step */
  check(): void {
    if (!this.isLost) return;
    throw new TalusError(
      'worker',
      'a thread ended, or hung, in the middle of a step and left the state half done: restore a snapshot (world.restore), or make another world',
    );
  }

  /**
   * Call it before all of memory is read, scratch included: it waits until no thread uses it. Throws as `check`, also if a thread
   * hangs in it.
   */
  rest(): void {
    this.isLost ||= !threadPool().isQuiet(this.world.number);
    this.check();
  }

  /**
   * Call it before stages of a step. `isWhole`: their time decides the number of threads; otherwise as many as last time are
   * used.
   */
  open(isWhole: boolean): void {
    const { choice, memory } = this;
    const work = memory.headerU32(Header.awakeCount);
    this.isIdle = isWhole && !this.isFixed && this.used === 1 && choice.isIdle(work);
    if (this.isIdle) return;
    this.start = performance.now();
    let wanted = isWhole ? choice.next(work) : this.used;
    if (this.isFixed) wanted = choice.most;
    this.used = 1;
    if (wanted > 1) {
      const shared = { module: this.module, memory: memory.memory, layout: LAYOUT, call: this.call };
      if (threadPool().able(this.world.number, wanted, shared, this.own) > 1) this.used = wanted;
    }
    if (this.used === 1) return;
    memory.setHeaderU32(Header.threads, this.used);
    threadPool().open(this.world.number, this.used);
  }

  /** Call it after them. Throws as `check` if a thread was lost. */
  close(isWhole: boolean, error: number): void {
    if (this.used > 1) {
      const { memory } = this;
      memory.setHeaderU32(Header.threads, 1);
      threadPool().close();
      // Threads that sleep during the step.
      const cells = new Int32Array(memory.memory.buffer);
      const bell = (memory.headerU32(Header.team) + Team.bell) >>> 2;
      Atomics.add(cells, bell, 1);
      Atomics.notify(cells, bell);
    }
    if (isWhole && !this.isIdle) this.choice.took(this.used, performance.now() - this.start);
    if ((error & ERROR_LOST_THREAD) === 0) return;
    this.isLost = true;
    this.check();
  }

  /**
   * Call it before memory is overwritten: it waits until no thread uses it. If one hangs in it, the world moves to other memory
   * and the result is true.
   */
  clear(): boolean {
    if (!this.isLost && threadPool().isQuiet(this.world.number)) return false;
    const old = this.world.number;
    this.world.number = threadPool().join();
    threadPool().leave(old);
    renewSeat(this.memory.tenant);
    return true;
  }

  /** Call it after that. */
  settle(): void {
    this.isLost = false;
    this.reserve(this.most);
  }

  /** Closes the team with its world. */
  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    dropped.unregister(this);
    threadPool().leave(this.world.number);
  }
}
