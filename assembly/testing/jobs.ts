// Tests of jobs and tasks (threads/team.ts): a job whose tasks count themselves, and the loop of a helper thread for it.
// Input: an array of counts. Output: the same, each increased by one; the thread that did it. Source: docs/threads.md.
import { NONE } from '../layout.generated';
import { header } from '../memory/header';
import { closeJob, finishTask, isAlone, openJob, pause, takeTask, tasksLeft, thisThread } from '../threads/team';

const JOB_COUNT: u32 = 1000;

/** In Header.scratch. */
@unmanaged
class Counting {
  counts: u32;
  doers: u32;
  pauses: u32;
  /** The task in which threads beside break down, NONE: in none. */
  broken: u32;
}

function counting(): Counting {
  return changetype<Counting>(<usize>header().scratch);
}

function count(task: u32): void {
  const c: Counting = counting();
  if (task == c.broken && thisThread() != 0) unreachable();
  // No two take as long.
  for (let i: u32 = (task * 2654435761) >> 16; i < 65536; i += 65536 / (c.pauses + 1)) pause();
  const at: usize = <usize>c.counts + ((<usize>task) << 2);
  store<u32>(at, load<u32>(at) + 1);
  store<u32>(<usize>c.doers + ((<usize>task) << 2), thisThread());
}

/** A job of `tasks` tasks. Returns error bits. */
export function runCounting(counts: u32, doers: u32, tasks: u32, pauses: u32, broken: u32): u32 {
  const c: Counting = counting();
  header().error = 0;
  c.counts = counts;
  c.doers = doers;
  c.pauses = pauses;
  c.broken = broken;
  if (isAlone()) for (let i: u32 = 0; i < tasks; i++) count(i);
  else {
    openJob(JOB_COUNT, tasks);
    for (let i: u32 = takeTask(); i != NONE; i = takeTask()) {
      count(i);
      finishTask();
    }
    closeJob();
  }
  return header().error;
}

/** As `serve` of assembly/serve.ts. */
export function serveCounting(looks: u32): u32 {
  let done: u32 = 0;
  for (let idle: u32 = 0; idle < looks; idle++) {
    if (tasksLeft() == 0) {
      pause();
      continue;
    }
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      count(task);
      finishTask();
      done++;
      idle = 0;
    }
  }
  return done;
}
