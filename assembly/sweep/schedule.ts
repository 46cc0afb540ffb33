// The solver on several threads: the passes of wide_batch.ts as tasks, with the bits of the plain loop.
//
// A node is a cell of a large batch with its groups, or a chunk of its joints. A node owns the bodies that it comes to first in
// the order of the plain loop: cells by number, then chunks. A task is one pass of one node: its bodies, then its groups or
// joints. Pass by pass, every body must be processed by its nodes in that order. So for each of its bodies a pass of a node waits
// until the previous node has done this pass; the first node of a body waits until the last one has done the previous pass.
// Nobody else has to wait, there are no barriers, and the bits are those of the plain loop, whichever thread does what and when.
// Tasks are numbered pass by pass, node by node, and taken in this order. A task waits only for lower numbers, which are done or
// running, so there is no deadlock. Each small batch is one task with all passes of it.
// Input: batches, cells, lists, groups, chunks of joints. Output: as wide_batch.ts. Source: docs/threads.md.
import {
  BLOCK_STEP,
  Cell,
  ContactGroup,
  Header,
  JOINT_BODY_STRIDE,
  JointChunk,
  JointBody,
  NONE,
  SolverBatch,
  BatchState,
  SCHEDULE_NODE_STRIDE,
  SCHEDULE_SECTION_STRIDE,
  SCHEDULE_STRIDE,
  STEP_TIME,
  Schedule,
  ScheduleNode,
  ScheduleSection,
} from '../layout.generated';
import { isMoved } from '../bodies/rows';
import { NO_JOINTS, beginChunk, endChunk, jointsOfBatch, moveChunk, solveChunk, startChunk } from '../joints/solve';
import { softLength, substepsInStep } from '../constraints/soft_step';
import { storeJointParameters } from '../joints/parameters';
import { jointChunkAt, jointParameters, jointState } from '../joints/state';
import { bodyOfA, bodyOfB, groupAt } from '../lanes/lane_layout';
import { cellAt, batchAt, batchState } from '../lanes/batches';
import { splatW } from '../math/lane';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { JOB_SOLVE, closeJob, finishTask, loseThread, openJob, takeTask, threadBlock, waitFor } from '../threads/team';
import { moveBodies, repeatBodies, startBodies, storeParameters } from './wide_bodies';
import { isSpecial, isWatched, prepareBatch, solveWhole, startRows } from './wide_batch';
import { ADVANCE, LAST } from './solve_group';
import { BOUNCING, SPECIAL, WATCHED, markBounces, recordImpulses, relaxGroups, softGroups, warmGroups } from './wide_sweep';

// Batches with fewer nodes are solved whole.
const LEAST_NODES: u32 = 4;

function schedule(): Schedule {
  return changetype<Schedule>(<usize>batchState().schedule);
}
function nodeAt(i: u32): ScheduleNode {
  return changetype<ScheduleNode>(<usize>schedule().nodes + <usize>i * SCHEDULE_NODE_STRIDE);
}
function sectionAt(i: u32): ScheduleSection {
  return changetype<ScheduleSection>(<usize>schedule().sections + <usize>i * SCHEDULE_SECTION_STRIDE);
}
function room(field: usize, stride: usize, count: u32): bool {
  const at: usize = changetype<usize>(schedule()) + field;
  return ensureArray(at, stride, count);
}

/** All batches of the step, by all threads. False without memory (nothing was solved) or if a thread was lost (header error). */
export function solveTogether(): bool {
  const s: BatchState = batchState();
  if (s.schedule == 0) s.schedule = <u32>allocate(SCHEDULE_STRIDE);
  if (s.schedule == 0 || !makeNodes()) return false;
  const tasks: u32 = countTasks();
  openJob(JOB_SOLVE, tasks);
  for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
    solveTask(task);
    finishTask();
  }
  return closeJob();
}

/** Nodes of the present lists. False without memory. */
function makeNodes(): bool {
  const s: BatchState = batchState();
  const c: Schedule = schedule();
  const builds: u32 = header().jointState == 0 ? 0 : jointState().builds;
  if (c.nodes != 0 && c.lists == s.lists && c.claims == s.claims && c.builds == builds) return true;
  c.lists = s.lists - 1;
  c.nodeCount = 0;
  c.waitCount = 0;
  c.bodyCount = 0;
  c.sectionCount = 0;
  c.wholeCount = 0;
  if (!room(offsetof<Schedule>('touched'), 8, header().bodyCapacity)) return false;
  if (!room(offsetof<Schedule>('bodies'), 4, s.listed)) return false;
  if (!room(offsetof<Schedule>('whole'), 4, s.count)) return false;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    if (batch.bodyEnd == batch.firstBody) continue;
    let nodes: u32 = batch.cellEnd - batch.firstCell;
    for (let b: u32 = jointsOfBatch(i); b != NO_JOINTS; b = jointChunkAt(b).next) nodes++;
    if (nodes < LEAST_NODES) put32(c.whole, c.wholeCount++, i);
    else if (!addSection(i, nodes)) return false;
  }
  c.lists = s.lists;
  c.claims = s.claims;
  c.builds = builds;
  return true;
}

/** Adds the nodes of a large batch, with the nodes that they wait for. False without memory. */
function addSection(index: u32, nodes: u32): bool {
  const s: BatchState = batchState();
  const c: Schedule = schedule();
  const batch: SolverBatch = batchAt(index);
  const first: u32 = c.nodeCount;
  if (!room(offsetof<Schedule>('nodes'), SCHEDULE_NODE_STRIDE, first + nodes + 1)) return false;
  if (!room(offsetof<Schedule>('marks'), 4, first + nodes + 1)) return false;
  if (!room(offsetof<Schedule>('sections'), SCHEDULE_SECTION_STRIDE, c.sectionCount + 1)) return false;
  for (let k: u32 = batch.firstBody; k < batch.bodyEnd; k++)
    store<u64>(<usize>c.touched + ((<usize>at32(s.bodies, k)) << 3), ~(<u64>0));
  const section: ScheduleSection = sectionAt(c.sectionCount++);
  section.batch = index;
  section.firstNode = first;
  for (let k: u32 = batch.firstCell; k < batch.cellEnd; k++) {
    const node: u32 = addNode(at32(s.cellOrder, k), NONE);
    const cell: Cell = cellAt(at32(s.cellOrder, k));
    for (let g: u32 = cell.firstGroup; g < cell.groupEnd; g++) {
      const group: ContactGroup = groupAt(at32(s.words, g));
      for (let lane: usize = 0; lane < 4; lane++) if (!touch(node, bodyOfA(group, lane))) return false;
      for (let lane: usize = 0; lane < 4; lane++) if (!touch(node, bodyOfB(group, lane))) return false;
    }
    nodeAt(node).bodyEnd = c.bodyCount;
    nodeAt(node).beforeEnd = c.waitCount;
  }
  section.jointed = 0;
  for (let b: u32 = jointsOfBatch(index); b != NO_JOINTS; b = jointChunkAt(b).next) {
    const chunk: JointChunk = jointChunkAt(b);
    const node: u32 = addNode(NONE, b);
    section.jointed = 1;
    for (let at: usize = chunk.firstBody; at < <usize>chunk.bodyEnd; at += JOINT_BODY_STRIDE) {
      const body: u32 = changetype<JointBody>(at).body;
      if (body != NONE && !touch(node, body)) return false;
    }
    nodeAt(node).bodyEnd = c.bodyCount;
    nodeAt(node).beforeEnd = c.waitCount;
  }
  // Bodies that nothing couples.
  const free: u32 = addNode(NONE, NONE);
  for (let k: u32 = batch.firstBody; k < batch.bodyEnd; k++)
    if (firstOf(at32(s.bodies, k)) == NONE) put32(c.bodies, c.bodyCount++, at32(s.bodies, k));
  nodeAt(free).bodyEnd = c.bodyCount;
  nodeAt(free).beforeEnd = c.waitCount;
  section.nodeEnd = c.nodeCount;
  for (let node: u32 = first; node < free; node++) {
    const n: ScheduleNode = nodeAt(node);
    n.firstBehind = c.waitCount;
    for (let k: u32 = n.firstBody; k < n.bodyEnd; k++) {
      const last: u32 = lastOf(at32(c.bodies, k));
      if (last != node && !waitOn(node | 0x80000000, last)) return false;
    }
    n.behindEnd = c.waitCount;
  }
  return true;
}

function addNode(cell: u32, chunk: u32): u32 {
  const c: Schedule = schedule();
  const n: ScheduleNode = nodeAt(c.nodeCount);
  put32(c.marks, c.nodeCount, NONE);
  n.cell = cell;
  n.chunk = chunk;
  n.firstBody = c.bodyCount;
  n.bodyEnd = c.bodyCount;
  n.firstBefore = c.waitCount;
  n.beforeEnd = c.waitCount;
  n.firstBehind = 0;
  n.behindEnd = 0;
  return c.nodeCount++;
}

function firstOf(body: u32): u32 {
  return load<u32>(<usize>schedule().touched + ((<usize>body) << 3));
}
function lastOf(body: u32): u32 {
  return load<u32>(<usize>schedule().touched + ((<usize>body) << 3), 4);
}

/** A node has a body: it is the first, or waits for the one before. False without memory. */
function touch(node: u32, body: u32): bool {
  if (body >= header().bodyCount) return true;
  const c: Schedule = schedule();
  const at: usize = <usize>c.touched + ((<usize>body) << 3);
  const last: u32 = load<u32>(at, 4);
  if (last == node || !isMoved(body)) return true;
  store<u32>(at, node, 4);
  if (last != NONE) return waitOn(node, last);
  store<u32>(at, node);
  put32(c.bodies, c.bodyCount++, body);
  return true;
}

/** The list that is being made names a node, once. False without memory. */
function waitOn(mark: u32, other: u32): bool {
  const c: Schedule = schedule();
  if (at32(c.marks, other) == mark) return true;
  put32(c.marks, other, mark);
  if (!room(offsetof<Schedule>('waits'), 4, c.waitCount + 1)) return false;
  put32(c.waits, c.waitCount++, other);
  return true;
}

/** Sections and whole batches of this step are made ready. Returns the number of tasks. */
function countTasks(): u32 {
  const s: BatchState = batchState();
  const c: Schedule = schedule();
  let tasks: u32 = 0;
  for (let i: u32 = 0; i < c.sectionCount; i++) {
    const section: ScheduleSection = sectionAt(i);
    const batch: SolverBatch = batchAt(section.batch);
    for (let node: u32 = section.firstNode; node < section.nodeEnd; node++) nodeAt(node).done = 0;
    const substeps: u32 = substepsInStep(batch.substeps);
    section.substeps = substeps;
    section.h = header().dt / <f32>substeps;
    section.softLength = softLength(batch.substeps);
    section.firstTask = tasks;
    // Passes: the start; in each substep two, or four where joints come between bodies and groups; the end of joints.
    tasks += (section.nodeEnd - section.firstNode) * (section.jointed != 0 ? 4 * substeps + 2 : 2 * substeps + 1);
    section.taskEnd = tasks;
    const words: usize = <usize>s.words + ((<usize>batch.firstGroup) << 2),
      end: usize = <usize>s.words + ((<usize>batch.groupEnd) << 2);
    const bodies: usize = <usize>s.bodies + ((<usize>batch.firstBody) << 2);
    prepareBatch(section.h, bodies, batch.bodyEnd - batch.firstBody, words, end);
  }
  c.sectionTasks = tasks;
  return tasks + c.wholeCount;
}

/** A task of JOB_SOLVE, on any thread. */
export function solveTask(task: u32): void {
  const c: Schedule = schedule();
  if (task >= c.sectionTasks) {
    solveWhole(at32(c.whole, task - c.sectionTasks));
    return;
  }
  let i: u32 = 0;
  while (task >= sectionAt(i).taskEnd) i++;
  const section: ScheduleSection = sectionAt(i);
  const nodes: u32 = section.nodeEnd - section.firstNode;
  const pass: u32 = (task - section.firstTask) / nodes;
  const n: ScheduleNode = nodeAt(section.firstNode + ((task - section.firstTask) % nodes));
  if (!isDue(n, pass)) {
    loseThread();
    return;
  }
  if (section.jointed == 0) solvePass(n, pass, section);
  else if (n.chunk != NONE) solveJointPass(n, pass, section);
  else solvePassBesideJoints(n, pass, section);
  atomic.store<u32>(changetype<usize>(n), pass + 1);
}

/** Waits for the predecessors of a pass of a node. False in vain. */
function isDue(n: ScheduleNode, pass: u32): bool {
  const waits: usize = schedule().waits;
  if (!waitFor(changetype<usize>(n), pass)) return false;
  for (let k: u32 = n.firstBefore; k < n.beforeEnd; k++)
    if (!waitFor(changetype<usize>(nodeAt(at32(waits, k))), pass + 1)) return false;
  for (let k: u32 = n.firstBehind; k < n.behindEnd; k++)
    if (!waitFor(changetype<usize>(nodeAt(at32(waits, k))), pass)) return false;
  return true;
}

/** A pass of a cell where there are no joints: the start; then in each substep start and soft, move and relax. */
function solvePass(n: ScheduleNode, pass: u32, section: ScheduleSection): void {
  if (pass == 0) return startCell(n, section);
  const s: u32 = (pass - 1) >> 1;
  if ((pass & 1) != 0) {
    if (s != 0) repeatCell(n);
    softCell(n, s, section);
  } else {
    moveCell(n, section.h);
    relaxCell(n, s, section);
  }
}

/** The same beside joints, which are moved and turned between bodies and groups: four passes a substep. */
function solvePassBesideJoints(n: ScheduleNode, pass: u32, section: ScheduleSection): void {
  if (pass == 0) return startCell(n, section);
  const s: u32 = (pass - 1) >> 2;
  if (s == section.substeps) return;
  switch ((pass - 1) & 3) {
    case 0:
      if (s != 0) repeatCell(n);
      break;
    case 1:
      softCell(n, s, section);
      break;
    case 2:
      moveCell(n, section.h);
      break;
    default:
      relaxCell(n, s, section);
  }
}

/** A pass of a chunk of joints. */
function solveJointPass(n: ScheduleNode, pass: u32, section: ScheduleSection): void {
  const h: f32 = section.h;
  storeJointParameters(jointParameters(), h, section.softLength);
  // Bodies that no contact has come to.
  const bodies: usize = bodiesOf(n);
  const count: u32 = n.bodyEnd - n.firstBody;
  const hd: Header = header();
  const s: u32 = (pass - 1) >> 2;
  if (pass == 0) {
    startBodies(bodies, count, hd.bodyRows, startRows(), hd.bodyAccels, splatW(h));
    beginChunk(n.chunk, h);
  } else if (s == section.substeps) {
    endChunk(n.chunk, h);
  } else {
    switch ((pass - 1) & 3) {
      case 0:
        if (s != 0) repeatBodies(bodies, count, hd.bodyRows, startRows());
        startChunk(n.chunk, s == 0);
        break;
      case 1:
        solveChunk(n.chunk, true);
        break;
      case 2:
        moveBodies(bodies, count, hd.bodyRows, hd.bodyDeltas, splatW(h));
        moveChunk(n.chunk, h);
        break;
      default:
        solveChunk(n.chunk, false);
    }
  }
}

function bodiesOf(n: ScheduleNode): usize {
  return <usize>schedule().bodies + ((<usize>n.firstBody) << 2);
}
function groupsOf(n: ScheduleNode): usize {
  return n.cell == NONE ? 0 : <usize>batchState().words + ((<usize>cellAt(n.cell).firstGroup) << 2);
}
function groupsEndOf(n: ScheduleNode): usize {
  return n.cell == NONE ? 0 : <usize>batchState().words + ((<usize>cellAt(n.cell).groupEnd) << 2);
}

function startCell(n: ScheduleNode, section: ScheduleSection): void {
  const h: f32 = section.h;
  const hd: Header = header();
  const params: usize = threadBlock() + BLOCK_STEP;
  storeParameters(params, h, section.softLength);
  n.bouncing = markBounces(groupsOf(n), groupsEndOf(n)) ? 1 : 0;
  startBodies(bodiesOf(n), n.bodyEnd - n.firstBody, hd.bodyRows, startRows(), hd.bodyAccels, splatW(h));
  warmGroups(groupsOf(n), groupsEndOf(n), hd.bodyRows, params, isSpecial());
}

function repeatCell(n: ScheduleNode): void {
  repeatBodies(bodiesOf(n), n.bodyEnd - n.firstBody, header().bodyRows, startRows());
}

function softCell(n: ScheduleNode, s: u32, section: ScheduleSection): void {
  const h: f32 = section.h;
  const params: usize = threadBlock() + BLOCK_STEP;
  storeParameters(params, h, section.softLength);
  store<f32>(params, (<f32>s + 0.5) * h, STEP_TIME);
  softGroups(groupsOf(n), groupsEndOf(n), header().bodyRows, params, n.bouncing != 0, isSpecial());
  if (n.bouncing != 0) recordImpulses(groupsOf(n), groupsEndOf(n));
}

function moveCell(n: ScheduleNode, h: f32): void {
  moveBodies(bodiesOf(n), n.bodyEnd - n.firstBody, header().bodyRows, header().bodyDeltas, splatW(h));
}

function relaxCell(n: ScheduleNode, s: u32, section: ScheduleSection): void {
  const h: f32 = section.h;
  const params: usize = threadBlock() + BLOCK_STEP;
  storeParameters(params, h, section.softLength);
  store<f32>(params, (<f32>s + 0.5) * h, STEP_TIME);
  const left: usize = s + 1 < section.substeps ? startRows() : 0;
  let mode: u32 = ADVANCE | LAST;
  if (isWatched()) mode |= WATCHED;
  if (n.bouncing != 0) mode |= BOUNCING;
  if (isSpecial()) mode |= SPECIAL;
  relaxGroups(groupsOf(n), groupsEndOf(n), header().bodyRows, params, left, mode);
}
