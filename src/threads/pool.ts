// The threads of this page, worker or process beside the one that steps: started when a world first wants them, shared by all worlds,
// ended with the worlds that they know. One world is at work at a time, for steps are synchronous. Between steps threads sleep in
// JavaScript; nobody here ever waits for one of them, but for a millisecond at most until it has left a world's memory.
import type { WorkerLike } from '../platform/scope';
import { startThread } from './start';
import type { ThreadWorker } from './types';

/** Words of all threads, and of each in a cache line of its own. */
const AT = { active: 0, count: 1, bell: 0, asleep: 1, posted: 2, taken: 3, inside: 4 } as const;
const LINE = 16;
/** Lines, used in turn: a thread that is about to end must not write into that of its successor. */
const LINES = 1024;
/** ms for a thread to begin. */
const START_MS = 10_000;
/** ms for a thread to leave a world; it takes one. */
const LEAVE_MS = 1000;
/** ms after which a thread that has ended by itself is started again; twice as long each time. */
const AGAIN_MS = 1000;

/** What threads get of a world. */
export interface Shared {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Addresses in memory: of the address of Team; in Team. */
  layout: { team: number; bell: number; sleepers: number; left: number; lost: number };
  /** The call of the core that does tasks. */
  call: string;
}

/** A thread that was started. */
interface Slot {
  worker: WorkerLike;
  since: number;
  /** Its line. */
  mine: number;
  /** By world: what `taken` is when it has it. */
  worlds: Map<number, number>;
}

export class Pool {
  /** What went wrong with a thread last. */
  trouble = '';
  private readonly words = new Int32Array(new SharedArrayBuffer(4 * LINE * LINES));
  /** By the number of the thread, from 1 on. */
  private slots: (Slot | undefined)[] = [];
  /** ms from which each may be started again, and how often it has ended. */
  private again: number[] = [];
  private ends: number[] = [];
  private starts = 0;
  private numbers = 0;
  private own: ThreadWorker | undefined;
  /** Worlds in which a thread hung. */
  private readonly broken = new Set<number>();

  /** A number for a world. */
  join(): number {
    return ++this.numbers;
  }

  /**
   * A world is gone. Threads that know it end, and their hold on its memory with them, which sleepers would not give up; others start
   * when they are wanted.
   */
  leave(world: number): void {
    this.broken.delete(world);
    for (const [i, slot] of this.slots.entries()) if (slot?.worlds.has(world)) this.end(i, slot);
  }

  /** Threads that may be at work for a world, of `count`, with the one that steps. Starts what is missing; until those are there, 1. */
  able(world: number, count: number, shared: Shared, own: ThreadWorker | undefined): number {
    if (own !== this.own) this.again = [];
    this.own = own;
    let able = 1;
    let waits = false;
    for (let i = 1; i < count; i++) {
      const slot = this.slots[i] ?? this.begin(i);
      if (!slot) continue;
      let has = slot.worlds.get(world);
      if (has === undefined) {
        has = this.post(slot, { ...shared, world });
        slot.worlds.set(world, has);
      }
      if (this.taken(slot) >= has) able++;
      else if (performance.now() - slot.since < START_MS) waits = true;
      else this.lose(i, slot, 'it did not begin within 10 s');
    }
    return waits ? 1 : able;
  }

  private taken(slot: Slot): number {
    return Atomics.load(this.words, slot.mine + AT.taken);
  }

  private begin(i: number): Slot | undefined {
    if (performance.now() < (this.again[i] ?? 0)) return;
    const { words } = this;
    const mine = LINE * (1 + (this.starts++ % (LINES - 1)));
    words.fill(0, mine, mine + LINE);
    try {
      const fail = (why: string) => {
        if (this.slots[i] === slot) this.lose(i, slot, why);
      };
      const slot: Slot = { worker: startThread(this.own, fail), since: performance.now(), mine, worlds: new Map() };
      this.slots[i] = slot;
      this.post(slot, { words, at: AT, thread: i, mine });
      return slot;
    } catch (error) {
      this.trouble = `a thread could not be started: ${String(error)}`;
      this.again[i] = Number.POSITIVE_INFINITY;
      return;
    }
  }

  /** A thread has ended by itself. What never began is not tried again. */
  private lose(i: number, slot: Slot, why: string): void {
    this.trouble = `a thread has ended: ${why}`;
    this.ends[i] = (this.ends[i] ?? 0) + 1;
    const began = this.taken(slot) > 0;
    this.again[i] = began ? performance.now() + AGAIN_MS * 2 ** Math.min(this.ends[i], 12) : Number.POSITIVE_INFINITY;
    Atomics.store(this.words, slot.mine + AT.inside, 0);
    this.end(i, slot);
  }

  private end(i: number, slot: Slot): void {
    // It goes to its message, which never comes: nothing is cut short.
    Atomics.add(this.words, slot.mine + AT.posted, 1);
    const world = this.hangsIn(slot, performance.now() + LEAVE_MS);
    if (world > 0) this.broken.add(world);
    this.slots[i] = undefined;
    slot.worker.terminate();
  }

  /** Waits until a thread is out of a world, or out of all. The world that it is still in at last, 0 if none. */
  private hangsIn(slot: Slot, end: number, world = -1): number {
    for (;;) {
      const inside = Atomics.load(this.words, slot.mine + AT.inside);
      if (inside === 0 || (world >= 0 && inside !== world)) return 0;
      if (performance.now() > end) return inside;
    }
  }

  /** Waits until no thread is at a world's memory, none being at work. False if one hangs there. */
  isQuiet(world: number): boolean {
    if (this.broken.has(world)) return false;
    const end = performance.now() + LEAVE_MS;
    return this.slots.every((slot) => !slot || this.hangsIn(slot, end, world) === 0);
  }

  /** Hands a thread a message, for which it leaves its sleep. Returns the number of it. */
  private post(slot: Slot, message: object): number {
    const number = Atomics.add(this.words, slot.mine + AT.posted, 1) + 1;
    slot.worker.postMessage(message);
    this.ring(slot);
    return number;
  }

  private ring({ mine }: Slot): void {
    const { words } = this;
    Atomics.add(words, mine + AT.bell, 1);
    if (Atomics.load(words, mine + AT.asleep) !== 0) Atomics.notify(words, mine + AT.bell);
  }

  /** A world is at work, with threads below `count`. */
  open(world: number, count: number): void {
    Atomics.store(this.words, AT.count, count);
    Atomics.store(this.words, AT.active, world);
    for (let i = 1; i < count; i++) {
      const slot = this.slots[i];
      if (slot) this.ring(slot);
    }
  }

  /** No world is. */
  close(): void {
    Atomics.store(this.words, AT.active, 0);
  }

  /** The workers there are. */
  get workers(): WorkerLike[] {
    return this.slots.flatMap((slot) => slot?.worker ?? []);
  }

  /** No thread was to be had in this way. */
  isBarren(own: ThreadWorker | undefined): boolean {
    return own === this.own && this.again.includes(Number.POSITIVE_INFINITY) && this.workers.length === 0;
  }
}

let pool: Pool | undefined;

/** The pool of this realm. */
export function threadPool(): Pool {
  pool ??= new Pool();
  return pool;
}
