// A step on several threads: one thread steps, the others take tasks of its jobs. Each has an instance of the core, over one
// memory.
//
// A job is a number of tasks of one kind. The effect of a task depends on its number alone, never on the thread, the time or the
// number of threads; so the bits do not either. A stage opens a job, takes tasks itself, and closes it, which waits for tasks
// that others have taken. With one thread there are no jobs: the stage is a plain loop.
//   if (isAlone()) for (let i: u32 = 0; i < count; i++) doIt(i);
//   else {
//     openJob(JOB_IT, count);
//     for (let i: u32 = takeTask(); i != NONE; i = takeTask()) finishTask(doIt(i));
//     if (!closeJob()) return false;
//   }
// The other threads reach the same function by the kind of the job (assembly/serve.ts). A task allocates nothing, and changes
// nothing that several tasks share; scratch is that of the thread (threadBlock).
// A thread that waits for another's task polls, and naps between polls if that takes long: with more threads than free cores, the
// other thread needs the core. The thread that steps never naps, since the main thread of a page may not.
// Input: Header.threads. Output: Team, in shared memory. Source: docs/threads.md.
import { BLOCK_PAUSE, ERROR_LOST_THREAD, Header, NONE, TEAM_STRIDE, THREAD_BLOCK_STRIDE, Team } from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';

/** Kinds of jobs. */
export const JOB_SOLVE: u32 = 0;
export const JOB_PAIRS: u32 = 1;
export const JOB_LANES: u32 = 2;
export const JOB_BEGIN: u32 = 3;
export const JOB_FINISH: u32 = 4;
export const JOB_BOXES: u32 = 5;
export const JOB_QUERIES: u32 = 6;
export const JOB_COMMIT: u32 = 7;

// Looks at a word before naps begin, some 50 us; looks that a nap counts for.
const LOOKS: u32 = 1000;
const NAP: u32 = 2000;
// Looks at a word until the one who should have changed it is given up: some ten seconds.
const PATIENCE: u32 = 100_000_000;

/**
 * The number of this thread; 0: the one that steps. The only global of the core: instances over one memory differ in nothing
 * else.
 */
let own: u32 = 0;
if (offsetof<Team>('left') != 0 || offsetof<Team>('number') != 4) ERROR('Team: the word of 64 bits');

/** The host's: sleeps some 0.1 ms while the word at an address is this one, or not at all. */
declare function nap(at: usize, seen: u32): void;

export function team(): Team {
  return changetype<Team>(<usize>header().team);
}

/** Part of initWorld. False without memory. */
export function initTeam(): bool {
  header().threads = 1;
  return reserveThreads(1);
}

/** Room for the scratch of so many threads, while no other thread is at work. False without memory (header error set). */
export function reserveThreads(count: u32): bool {
  const h: Header = header();
  const had: u32 = h.team == 0 ? 0 : team().capacity;
  if (had >= count) return true;
  const block: usize = allocate(TEAM_STRIDE + <usize>count * THREAD_BLOCK_STRIDE);
  if (block == 0) return false;
  if (had != 0) release(h.team, TEAM_STRIDE + <usize>had * THREAD_BLOCK_STRIDE);
  h.team = <u32>block;
  team().capacity = count;
  return true;
}

/** Says which thread of the team this instance is. */
export function joinTeam(thread: u32): void {
  own = thread;
}

/** Number of this thread, below the capacity of the team. */
// @ts-ignore: decorator
@inline
export function thisThread(): u32 {
  return own;
}

/** Scratch of this thread, a ThreadBlock. */
// @ts-ignore: decorator
@inline
export function threadBlock(): usize {
  return <usize>header().team + TEAM_STRIDE + <usize>own * THREAD_BLOCK_STRIDE;
}

/** The block of any thread. */
export function blockOf(thread: u32): usize {
  return <usize>header().team + TEAM_STRIDE + <usize>thread * THREAD_BLOCK_STRIDE;
}

/** Whether there is only this thread. */
// @ts-ignore: decorator
@inline
export function isAlone(): bool {
  return header().threads <= 1;
}

/** Offers tasks 0 to count - 1 to all threads. All that they read has been written. */
export function openJob(kind: u32, count: u32): void {
  const t: Team = team();
  const at: usize = changetype<usize>(t);
  t.kind = kind;
  t.count = count;
  atomic.store<u32>(at + offsetof<Team>('done'), 0);
  atomic.store<u64>(at, ((<u64>t.number + 1) << 32) | <u64>count);
  // The order counts: who sleeps has said so before it looked at the bell.
  atomic.add<u32>(at + offsetof<Team>('bell'), 1);
  if (atomic.load<u32>(at + offsetof<Team>('sleepers')) != 0) atomic.notify(at + offsetof<Team>('bell'), -1);
}

/** The next task of the job that is open, NONE if there is none. Tasks are taken in ascending order. */
export function takeTask(): u32 {
  const at: usize = changetype<usize>(team());
  let word: u64 = atomic.load<u64>(at);
  while (<u32>word != 0) {
    const seen: u64 = atomic.cmpxchg<u64>(at, word, word - 1);
    // A job stays open while a thread has a task of it, so the count is that of this job.
    if (seen == word) return team().count - <u32>word;
    word = seen;
  }
  return NONE;
}

/** Finishes a task: its writes are visible to the thread that closes the job. */
export function finishTask(): void {
  atomic.add<u32>(changetype<usize>(team()) + offsetof<Team>('done'), 1);
}

/** After the last task was taken: waits until all are done. False (header error set) if a thread never ends its task. */
export function closeJob(): bool {
  const at: usize = changetype<usize>(team());
  if (waitFor(at + offsetof<Team>('done'), team().count)) return true;
  loseThread();
  return false;
}

/** Waits until the word at an address is at least `least`. False if a thread has waited in vain. */
export function waitFor(at: usize, least: u32): bool {
  let looks: u32 = 0;
  let seen: u32 = atomic.load<u32>(at);
  while (seen < least) {
    if (looks > PATIENCE || atomic.load<u32>(changetype<usize>(team()) + offsetof<Team>('lost')) != 0) return false;
    if (own != 0 && looks > LOOKS) {
      nap(at, seen);
      looks += NAP;
    } else {
      pause();
      looks++;
    }
    seen = atomic.load<u32>(at);
  }
  return true;
}

/** A thread has ended in the middle of a task, which is half done. */
export function loseThread(): void {
  const at: usize = changetype<usize>(team());
  atomic.store<u32>(at + offsetof<Team>('lost'), 1);
  header().error |= ERROR_LOST_THREAD;
}

/** Raises a word to at least a value, safely against other threads. */
export function raise(at: usize, value: u32): void {
  let has: u32 = atomic.load<u32>(at);
  while (has < value) has = atomic.cmpxchg<u32>(at, has, value);
}

/** Tasks of the open job that no thread has taken. */
export function tasksLeft(): u32 {
  return <u32>atomic.load<u64>(changetype<usize>(team()));
}

/** Waits some 50 ns and leaves the core to the other thread on it: the awaited task runs on another thread. */
export function pause(): void {
  const at: usize = threadBlock() + BLOCK_PAUSE;
  let x: f64 = load<f64>(at);
  for (let i: u32 = 0; i < 8; i++) x = Math.sqrt(x + 1.5);
  store<f64>(at, x);
}
