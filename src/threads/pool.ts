// The helper threads of this page, worker or process: started when a world first wants them, shared by all worlds, ended with the
// worlds that they know. Only one world works at a time, since steps are synchronous. Between steps threads sleep in JavaScript.
// Nobody here ever waits for one of them, except for at most a millisecond until it has left a world's memory.
import type { WorkerLike } from '../platform/scope';
import { startThread } from './start';
import type { ThreadWorker } from './types';

/** Words of all threads together, and words of each thread in a cache line of its own. */
const AT = { active: 0, count: 1, bell: 0, asleep: 1, posted: 2, taken: 3, inside: 4 } as const;
const LINE = 16;
/** Number of lines, used in turn: a thread that is about to end must not write into the line of its successor. */
const LINES = 1024;
/** Milliseconds for a thread to start. */
const START_MS = 10_000;
/** Milliseconds for a thread to leave a world; one is enough. */
const LEAVE_MS = 1000;
/** Milliseconds after which a thread that ended by itself is started again; doubled each time. */
const AGAIN_MS = 1000;

/** The data of a world that threads get. */
export interface Shared {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Addresses in memory: the address of the pointer to Team; offsets in Team. */
  layout: { team: number; bell: number; sleepers: number; left: number; lost: number };
  /** The call of the core that runs tasks. */
  call: string;
}

/** A thread that was started. */
interface Slot {
  worker: WorkerLike;
  since: number;
  /** Index of its line. */
  mine: number;
  /** By world: the value of `taken` from which on the thread has the world. */
  worlds: Map<number, number>;
}

export class Pool {
  /** The last problem with a thread. */
  trouble = '';
  private readonly words = new Int32Array(new SharedArrayBuffer(4 * LINE * LINES));
  /** Threads by number, from 1 on. */
  private slots: (Slot | undefined)[] = [];
  /** Time (ms) from which each may be started again, and how often it has ended. */
  private again: number[] = [];
  private ends: number[] = [];
  private starts = 0;
  private numbers = 0;
  private own: ThreadWorker | undefined;
  /** Worlds in which a thread hung. */
  private readonly broken = new Set<number>();

  /** Returns a number for a world. */
  join(): number {
    return ++this.numbers;
  }

  /**
   * Removes a world. Threads that know it are ended, since sleeping threads would keep its memory alive; others start when
   * needed.
   */
  leave(world: number): void {
    this.broken.delete(world);
    for (const [i, slot] of this.slots.entries()) if (slot?.worlds.has(world)) this.end(i, slot);
  }

  /**
   * Returns how many threads, of `count`, can work for a world, including the thread that steps. Starts missing ones; until they
   * are ready, it returns 1.
   */
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

  /** Handles a thread that has ended by itself. A thread that never started is not tried again. */
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

  /** Waits until a thread is out of a world, or out of all. Returns the world that it is still in at the end, or 0. */
  private hangsIn(slot: Slot, end: number, world = -1): number {
    for (;;) {
      const inside = Atomics.load(this.words, slot.mine + AT.inside);
      if (inside === 0 || (world >= 0 && inside !== world)) return 0;
      if (performance.now() > end) return inside;
    }
  }

  /** Waits until no thread uses a world's memory, while none is at work. Returns false if one hangs there. */
  isQuiet(world: number): boolean {
    if (this.broken.has(world)) return false;
    const end = performance.now() + LEAVE_MS;
    return this.slots.every((slot) => !slot || this.hangsIn(slot, end, world) === 0);
  }

  /** Posts a message to a thread, which wakes up for it. Returns the number of the message. */
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

  /** Opens a world for work, by threads below `count`. */
  open(world: number, count: number): void {
    Atomics.store(this.words, AT.count, count);
    Atomics.store(this.words, AT.active, world);
    for (let i = 1; i < count; i++) {
      const slot = this.slots[i];
      if (slot) this.ring(slot);
    }
  }

  /** Closes the open world. */
  close(): void {
    Atomics.store(this.words, AT.active, 0);
  }

  /** The workers that exist. */
  get workers(): WorkerLike[] {
    return this.slots.flatMap((slot) => slot?.worker ?? []);
  }

  /** Returns whether no thread could be started in this way. */
  isBarren(own: ThreadWorker | undefined): boolean {
    return own === this.own && this.again.includes(Number.POSITIVE_INFINITY) && this.workers.length === 0;
  }
}

let pool: Pool | undefined;

/** Returns the pool of this realm. */
export function threadPool(): Pool {
  pool ??= new Pool();
  return pool;
}
