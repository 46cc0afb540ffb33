// The loop of a helper thread: it runs tasks of the open job (threads/team.ts).
// Input: Team. Output: that of the tasks.
import { bodyTask } from './bodies/integrate';
import { findRange } from './constraints/find_pairs';
import { commitRange } from './pairs/commit';
import { testRange } from './pairs/test';
import { NONE } from './layout.generated';
import { askTask } from './queries/run';
import { prepareRange } from './sweep/lane_rows';
import { solveTask } from './sweep/schedule';
import {
  JOB_BEGIN,
  JOB_BOXES,
  JOB_COMMIT,
  JOB_FINISH,
  JOB_LANES,
  JOB_PAIRS,
  JOB_QUERIES,
  JOB_SOLVE,
  finishTask,
  pause,
  takeTask,
  tasksLeft,
  team,
} from './threads/team';

/**
 * Does tasks until there were none at `looks` looks in a row, some 50 ns each. Returns the number of tasks that it did. Called on
 * the instance of a thread of its own.
 */
export function serve(looks: u32): u32 {
  let done: u32 = 0;
  for (let idle: u32 = 0; idle < looks; idle++) {
    if (tasksLeft() == 0) {
      pause();
      continue;
    }
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      doTask(team().kind, task);
      finishTask();
      done++;
      idle = 0;
    }
  }
  return done;
}

function doTask(kind: u32, task: u32): void {
  switch (kind) {
    case JOB_SOLVE:
      solveTask(task);
      return;
    case JOB_PAIRS:
      testRange(task);
      return;
    case JOB_LANES:
      prepareRange(task);
      return;
    case JOB_BEGIN:
    case JOB_FINISH:
      bodyTask(kind, task);
      return;
    case JOB_BOXES:
      findRange(task);
      return;
    case JOB_QUERIES:
      askTask(task);
      return;
    case JOB_COMMIT:
      commitRange(task);
      return;
  }
}
