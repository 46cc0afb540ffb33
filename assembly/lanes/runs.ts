// Runs: what the solver takes through all its substeps together. A run is a set of awake bodies that contacts move and the
// groups of their manifolds; no manifold couples two runs. So each has a number of substeps of its own, and small ones stay in
// the cache from their first substep to their last.
//
// Runs are laid out now and then from the islands of the world (run_layout.ts). In between they only merge: a manifold between
// two of them joins them, and a body that has none comes to one that is open to all. Joined runs are one set
// (math/union_find.ts); its root speaks for it.
// Input: bodies of manifolds that get a lane (lanes.ts), awake bodies. Output: lists of bodies and groups in the order of the
// runs, ranges of each run in them.
import { BODY_ROW_STRIDE, Header, NONE, SOLVER_WIDE } from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { isMoved } from '../bodies/rows';
import { join, rootOf, seenRootOf } from '../math/union_find';
import { allocate, ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { CLASSES, G_BODY_A, G_BODY_B, SEQUENTIAL, S_NEXT, colorList, groupPtr, groupsEnd, sidePtr } from './lane_layout';

/** Fewest substeps of a number that the core chooses (ordering/substeps.ts). */
export const LEAST: u32 = 6;

/** The stage's own block. Arrays are a base and a capacity each. */
@unmanaged
export class RunState {
  runOfBody: u32; // u32[] a body: its run (not the root), NONE if it has none
  runOfBodyCapacity: u32;
  parents: u32; // u32[] a run: sets of joined runs
  parentCapacity: u32;
  runs: u32; // Run[]
  runCapacity: u32;
  bodies: u32; // u32[]: awake bodies, run by run; behind them those that contacts do not move
  bodiesCapacity: u32;
  words: u32; // u32[]: groups, run by run, in the order in which they were opened
  wordsCapacity: u32;
  islands: u32; // scratch of run_layout.ts: Island[] a body
  islandsCapacity: u32;
  order: u32; // scratch of run_layout.ts: u32[] a lane
  orderCapacity: u32;
  batches: u32; // scratch of run_layout.ts: u32[65], runs with room for small islands, by substeps
  count: u32; // runs, joined ones included
  open: u32; // run of bodies that have none, NONE
  listed: u32; // bodies in runs: place of the first body that contacts do not move
  stale: u32; // 1: the lists are made anew before they are read
  awakeLists: u32; // Header.awakeLists of the lists
  changed: u32; // 1: runs were joined or groups opened since the last layout
  laidOut: u32; // step of the last layout
  incomplete: u32; // 1: memory gave out in the middle of a layout: some manifolds have no lane
  layouts: u32; // rises when a body comes to another run: runs are made anew or joined
}

@unmanaged
export class Run {
  substeps: u32;
  firstBody: u32; // in RunState.bodies; of roots, in fresh lists
  bodyEnd: u32;
  firstGroup: u32; // in RunState.words
  groupEnd: u32;
  open1: u32; // newest group with a free lane, of manifolds with one point (a list through S_NEXT), NONE
  open2: u32;
  open3: u32;
  open4: u32;
  wanted: u32; // substeps that its islands ask for (ordering/substeps.ts)
  peak: u32; // most of that since it was last lowered
  hides: u32; // substeps that all of its islands may give up at once
}
const RUN_BYTES: usize = 48;
if (offsetof<Run>() != RUN_BYTES) ERROR('Run: size');
/** Of RunState.batches: substeps are at most 64. */
export const BATCHES_BYTES: usize = 65 * 4;

export function runState(): RunState {
  return changetype<RunState>(<usize>header().runState);
}
export function runAt(i: u32): Run {
  return changetype<Run>(<usize>runState().runs + <usize>i * RUN_BYTES);
}

/** Part of initWorld. False without memory. */
export function initRuns(): bool {
  header().runState = <u32>allocate(offsetof<RunState>());
  if (header().runState == 0) return false;
  runState().open = NONE;
  runState().batches = <u32>allocate(BATCHES_BYTES);
  return runState().batches != 0;
}

/** Whether a solver works run by run. */
export function usesRuns(solver: u32): bool {
  return solver == SOLVER_WIDE;
}

/** Room for an entry a body in the array at `field`. False without memory. */
export function roomForBodies(field: usize, stride: usize): bool {
  const at: usize = changetype<usize>(runState()) + field;
  return ensureCapacity(at, at + 4, stride, header().bodyCapacity);
}

/** Room for the run and the substep length of each body. False without memory. */
export function reserveRuns(): bool {
  const h: Header = header();
  const s: RunState = runState();
  const known: u32 = s.runOfBodyCapacity;
  if (!roomForBodies(offsetof<RunState>('runOfBody'), 4)) return false;
  if (s.runOfBodyCapacity != known)
    memory.fill(<usize>s.runOfBody + ((<usize>known) << 2), 0xff, (<usize>(s.runOfBodyCapacity - known)) << 2);
  const at: usize = changetype<usize>(h) + offsetof<Header>('bodySubsteps');
  return ensureCapacity(at, changetype<usize>(h) + offsetof<Header>('bodySubstepCapacity'), 4, h.bodyCapacity);
}

/** A new run. NONE without memory. */
export function addRun(substeps: u32): u32 {
  const s: RunState = runState();
  const at: usize = changetype<usize>(s);
  const index: u32 = s.count;
  if (!ensureCapacity(at + offsetof<RunState>('runs'), at + offsetof<RunState>('runCapacity'), RUN_BYTES, index + 1)) return NONE;
  if (!ensureCapacity(at + offsetof<RunState>('parents'), at + offsetof<RunState>('parentCapacity'), 4, index + 1)) return NONE;
  put32(s.parents, index, index);
  memory.fill(changetype<usize>(runAt(index)), 0xff, RUN_BYTES);
  runAt(index).substeps = substeps;
  runAt(index).wanted = 0;
  runAt(index).peak = 0;
  s.count = index + 1;
  return index;
}

/** All runs go; bodies have none. */
export function dropRuns(): void {
  const s: RunState = runState();
  memory.fill(<usize>s.runOfBody, 0xff, (<usize>s.runOfBodyCapacity) << 2);
  s.count = 0;
  s.open = NONE;
  s.stale = 1;
  s.layouts++;
}

/** Substeps of what belongs to no run; nothing goes through fewer. */
export function leastSubsteps(): u32 {
  const h: Header = header();
  return h.autoSubsteps != 0 && usesRuns(h.solver) ? LEAST : h.substeps;
}

/** Run that a body was put into, NONE if it has none. */
function runOfBody(body: u32): u32 {
  const s: RunState = runState();
  return body >= s.runOfBodyCapacity ? NONE : at32(s.runOfBody, body);
}

/** Root of the run of a body, NONE if it has none. */
export function rootOfBody(body: u32): u32 {
  const run: u32 = runOfBody(body);
  return run == NONE ? NONE : rootOf(runState().parents, run);
}

/** Substeps that a body goes through in this step, as far as is known before its contacts are. Several threads may ask. */
export function substepsOf(body: u32): u32 {
  const h: Header = header();
  if (!usesRuns(h.solver)) return h.substeps;
  const run: u32 = runOfBody(body);
  return run == NONE ? leastSubsteps() : runAt(seenRootOf(runState().parents, run)).substeps;
}

/** Substeps a second that a pair of bodies goes through. */
export function substepRateOf(bodyA: u32, bodyB: u32): f32 {
  return <f32>max<u32>(max<u32>(substepsOf(bodyA), substepsOf(bodyB)), 1) / header().dt;
}

/** s: length of the substep that the impulses on a body belong to, 0 before its first step. */
export function impulseStepOf(body: u32): f32 {
  const h: Header = header();
  const own: f32 = body < h.bodySubstepCapacity ? load<f32>(<usize>h.bodySubsteps + ((<usize>body) << 2)) : <f32>0;
  return own > 0 ? own : h.impulseStep;
}

/** s: the same of a manifold; contacts move one of its bodies at least. */
export function impulseStepBetween(bodyA: u32, bodyB: u32): f32 {
  return impulseStepOf(isMoved(bodyA) ? bodyA : bodyB);
}

/** The run that is open to all. NONE without memory. */
function openRun(): u32 {
  const s: RunState = runState();
  if (s.open == NONE) s.open = addRun(leastSubsteps());
  return s.open == NONE ? NONE : rootOf(s.parents, s.open);
}

/** A run takes over another one that was joined to it: its open groups, and the larger number of substeps. */
function takeRun(root: u32, joined: u32): void {
  const run: Run = runAt(root);
  run.substeps = max<u32>(run.substeps, runAt(joined).substeps);
  run.wanted = max<u32>(run.wanted, runAt(joined).wanted);
  run.peak = max<u32>(run.peak, runAt(joined).peak);
  for (let k: u32 = 1; k <= CLASSES; k++) {
    const first: u32 = load<u32>(openGroups(joined, k));
    if (first == NONE) continue;
    let last: usize = openGroups(joined, k);
    while (load<u32>(last) != NONE) last = sidePtr(load<u32>(last)) + S_NEXT;
    store<u32>(last, load<u32>(openGroups(root, k)));
    store<u32>(openGroups(root, k), first);
  }
}

/** Root of the run for a manifold: those of its bodies become one. NONE: a body contacts do not move. NONE without memory. */
export function runFor(bodyA: u32, bodyB: u32): u32 {
  if (!reserveRuns()) return NONE;
  const s: RunState = runState();
  const a: u32 = bodyA == NONE ? NONE : rootOfBody(bodyA),
    b: u32 = bodyB == NONE ? NONE : rootOfBody(bodyB);
  let root: u32 = a == NONE ? b : a;
  if (root == NONE) root = openRun();
  if (root == NONE) return NONE;
  if (bodyA != NONE && a == NONE) put32(s.runOfBody, bodyA, root);
  if (bodyB != NONE && b == NONE) put32(s.runOfBody, bodyB, root);
  if (a == NONE || b == NONE || a == b) return root;
  join(s.parents, a, b);
  root = rootOf(s.parents, a);
  takeRun(root, root == a ? b : a);
  s.stale = 1;
  s.changed = 1;
  s.layouts++;
  return root;
}

/** Groups of the lists of open ones are in no list any more. */
export function closeRuns(): void {
  for (let i: u32 = 0; i < runState().count; i++) memory.fill(openGroups(i, 1), 0xff, 16);
}

/** Address of the newest open group of manifolds with k points of a run. */
export function openGroups(run: u32, k: u32): usize {
  return changetype<usize>(runAt(run)) + offsetof<Run>('open1') + ((<usize>(k - 1)) << 2);
}

/** The root of the run of a group, NONE if its bodies have none. */
export function rootOfGroup(group: usize): u32 {
  for (let k: usize = 0; k < 16; k += 4) {
    const a: u32 = load<u32>(group + k, G_BODY_A) / <u32>BODY_ROW_STRIDE,
      b: u32 = load<u32>(group + k, G_BODY_B) / <u32>BODY_ROW_STRIDE;
    if (isMoved(a)) return rootOfBody(a);
    if (isMoved(b)) return rootOfBody(b);
  }
  return NONE;
}

/** Lists of bodies and groups in the order of their runs, if anything has changed. False without memory (header error set). */
export function listRuns(): bool {
  const h: Header = header();
  const s: RunState = runState();
  if (s.stale == 0 && s.awakeLists == h.awakeLists) return true;
  const at: usize = changetype<usize>(s);
  if (!reserveRuns()) return false;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const body: u32 = awakeBody(k);
    if (!isMoved(body) || rootOfBody(body) != NONE) continue;
    const open: u32 = openRun();
    if (open == NONE) return false;
    put32(s.runOfBody, body, open);
  }
  const list: usize = colorList(SEQUENTIAL);
  const begin: usize = load<u32>(list),
    end: usize = groupsEnd(list);
  if (!roomForBodies(offsetof<RunState>('bodies'), 4)) return false;
  if (!ensureCapacity(at + offsetof<RunState>('words'), at + offsetof<RunState>('wordsCapacity'), 4, load<u32>(list, 8)))
    return false;
  for (let i: u32 = 0; i < s.count; i++) {
    const run: Run = runAt(i);
    run.bodyEnd = 0;
    run.groupEnd = 0;
  }
  for (let k: u32 = 0; k < h.awakeCount; k++) if (isMoved(awakeBody(k))) runAt(rootOfBody(awakeBody(k))).bodyEnd++;
  for (let word: usize = begin; word < end; word += 4) {
    const root: u32 = rootOfListed(load<u32>(word));
    if (root != NONE) runAt(root).groupEnd++;
  }
  let bodies: u32 = 0,
    groups: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    const run: Run = runAt(i);
    run.firstBody = bodies;
    run.firstGroup = groups;
    bodies += run.bodyEnd;
    groups += run.groupEnd;
    run.bodyEnd = run.firstBody;
    run.groupEnd = run.firstGroup;
  }
  s.listed = bodies;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const body: u32 = awakeBody(k);
    put32(s.bodies, isMoved(body) ? runAt(rootOfBody(body)).bodyEnd++ : bodies++, body);
  }
  for (let word: usize = begin; word < end; word += 4) {
    const root: u32 = rootOfListed(load<u32>(word));
    if (root != NONE) put32(s.words, runAt(root).groupEnd++, load<u32>(word));
  }
  s.stale = 0;
  s.awakeLists = h.awakeLists;
  return true;
}

/** The root of the run of the group that a word names, NONE of an empty one. */
function rootOfListed(word: u32): u32 {
  const group: usize = groupPtr(word);
  return load<u32>(group, G_BODY_A) == NONE ? NONE : rootOfGroup(group);
}
