// The threads of one world: how many each step is shared among, and the handing over of its memory before and after. The other side of
// assembly/threads/team.ts.
import { TalusError } from '../checks/errors';
import { ERROR_LOST_THREAD, HEADER_PTR, Header, Team } from '../layout.generated';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';
import { renewSeat } from '../wasm/seats';
import { ThreadChoice } from './choose';
import { threadPool } from './pool';
import type { ThreadWorker } from './types';

/** Worlds that were dropped: their number in the pool, which may change. */
const dropped = new FinalizationRegistry<{ number: number }>((world) => threadPool().leave(world.number));

const LAYOUT = { team: HEADER_PTR + Header.team, bell: Team.bell, sleepers: Team.sleepers, left: Team.left, lost: Team.lost };

/** Memory that was taken over from an image: nobody is at work in it, whoever was when the image was made. */
export function forgetTeam(memory: LinearMemory): void {
  const { u32 } = memory;
  const at = memory.headerU32(Header.team);
  for (const field of [Team.left, Team.sleepers, Team.lost]) u32[(at + field) >>> 2] = 0;
  memory.setHeaderU32(Header.threads, 1);
}

export class ThreadTeam {
  /** Threads that the last step was shared among. */
  used = 1;
  /** Threads there may be: as the world was made, and by the setting. */
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

  /** Room for the scratch of threads; as many as there is room for. */
  private reserve(count: number): number {
    this.core.reserveThreads(count);
    return Math.min(count, this.memory.u32[(this.memory.headerU32(Header.team) + Team.capacity) >>> 2]!);
  }

  /** The setting: at most so many from now on. */
  limit(threads: number): void {
    this.choice.most = Math.min(threads, this.most);
  }

  /** Threads that steps may be shared among. */
  get threads(): number {
    return threadPool().isBarren(this.own) ? 1 : this.choice.most;
  }

  /** Why those are fewer than were asked for; '' if they are not. */
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

  /** Before memory is read whole, scratch and all: no thread is in it. Throws as `check`, also if one hangs in it. */
  rest(): void {
    this.isLost ||= !threadPool().isQuiet(this.world.number);
    this.check();
  }

  /** Before stages of a step. `isWhole`: what they take says how many threads there should be; else as many as last. */
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

  /** After them. Throws as `check` if a thread was lost. */
  close(isWhole: boolean, error: number): void {
    if (this.used > 1) {
      const { memory } = this;
      memory.setHeaderU32(Header.threads, 1);
      threadPool().close();
      // Those that sleep in the step.
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

  /** Before memory is overwritten: no thread is in it. Where one hangs in it the world moves to other memory; true then. */
  clear(): boolean {
    if (!this.isLost && threadPool().isQuiet(this.world.number)) return false;
    const old = this.world.number;
    this.world.number = threadPool().join();
    threadPool().leave(old);
    renewSeat(this.memory.tenant);
    return true;
  }

  /** After that. */
  settle(): void {
    this.isLost = false;
    this.reserve(this.most);
  }

  /** The world is closed. */
  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    dropped.unregister(this);
    threadPool().leave(this.world.number);
  }
}
