// Test entry of the team of threads.
import {
  blockOf,
  closeJob,
  finishTask,
  isAlone,
  openJob,
  raise,
  takeTask,
  tasksLeft,
  team,
  thisThread,
  threadBlock,
} from '../threads/team';
import { loseThread, reserveThreads, waitFor } from '../threads/team';

export function testTeam(): usize {
  return changetype<usize>(team());
}
export function testReserveThreads(count: u32): bool {
  return reserveThreads(count);
}
export function testOpenJob(kind: u32, count: u32): void {
  openJob(kind, count);
}
export function testTakeTask(): u32 {
  return takeTask();
}
export function testFinishTask(): void {
  finishTask();
}
export function testCloseJob(): bool {
  return closeJob();
}
export function testTasksLeft(): u32 {
  return tasksLeft();
}
export function testThreadBlock(): usize {
  return threadBlock();
}
export function testBlockOf(thread: u32): usize {
  return blockOf(thread);
}
export function testThisThread(): u32 {
  return thisThread();
}
export function testIsAlone(): bool {
  return isAlone();
}
export function testRaise(at: usize, value: u32): void {
  raise(at, value);
}
export function testWaitFor(at: usize, least: u32): bool {
  return waitFor(at, least);
}
export function testLoseThread(): void {
  loseThread();
}
