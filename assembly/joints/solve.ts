// The calls by which a solver with substeps solves joints, in the order of a batch.
//
//   step:    prepareJoints once; breakJoints after it
//   batch:   beginJoints after the warm start of contacts; endJoints
//   substep: startJoints if velocities carry the warm start; solveJoints after the contacts of each pass; moveJoints between the
//            passes, after bodies have moved
// A chunk of joints may be a task of its own (sweep/schedule.ts): it changes only its own data, in the scratch of its thread.
// Input, output: BodyRow, JointState.
import { BODY_ROW_STRIDE, Header, JointChunk, JointGroup, JointParameters } from '../layout.generated';
import { at32 } from '../memory/words';
import { header } from '../memory/header';
import { splatW } from '../math/lane';
import { beginGroupsOfJoints, clearGroupsOfJoints, endGroupsOfJoints } from './begin';
import { factorBlock, solveBlock, solveBlocks } from './block';
import {
  beginJointBodies,
  dropGyros,
  endJointBodies,
  fastestOf,
  holdJointBodies,
  keepJointBodies,
  keepPoses,
  moveJointBodies,
  restorePoses,
  turnJointBodies,
} from './bodies';
import { areGroupsStale, buildGroups } from './build';
import { FORM_FLOATS, LIMITS_OR_DRIVES } from './layout';
import { dropRaises, energyOf, raiseInertia, returnLent, weighLoads, weighRatios } from './loads';
import { storeJointParameters } from './parameters';
import { groundOf, jointChunkAt, jointParameters, jointScratch, jointState } from './state';
import {
  TREE_HOLD,
  TREE_MEETING,
  TREE_MISS,
  TREE_RELAX,
  TREE_SOFT,
  TREE_SOFT_TURNING,
  factorTree,
  settleTrees,
  solveTrees,
} from './tree';
import { missOf, repeatUnits, turnGroup, warmJoints } from './turn';
import { solveUnits } from './units';

// Bodies at this many times the limits of speed of the world are out of hand: a substep makes no such speeds, but joints that no
// motion could meet.
const WILD_SPEED: f32 = 4;
const WILD_SPIN: f32 = 16;
// While the bodies of a chunk have moved less than this (m, rad) its rows and masses stay, from step to step.
const STILL: f32 = 3e-4;
// A turn in a substep (rad) whose anchors meet well enough by half of the centripetal motion.
const LEAST_TURN: f32 = 0.01;

/** No joints in a batch. */
export const NO_JOINTS: u32 = 0xffffffff;

/** Before the batches of a step are listed: updates the groups. False without memory (header error set). */
export function prepareJoints(batches: bool): bool {
  const h: Header = header();
  if (h.jointAlive == 0 && (h.jointState == 0 || jointState().groupCount == 0)) return true;
  return h.jointState == 0 || !areGroupsStale() || buildGroups(batches);
}

/** The joints of a batch by its root, NONE without any: its first chunk; a solver without batches asks for root 0. */
export function jointsOfBatch(root: u32): u32 {
  if (header().jointState == 0 || jointState().groupCount == 0 || root >= jointState().headCount) return NO_JOINTS;
  return at32(jointState().heads, root);
}

function place(group: u32): usize {
  return <usize>jointState().order + ((<usize>group) << 2);
}

/** A batch starts with substeps of h seconds, soft for those of `soft` seconds. */
export function beginJoints(first: u32, h: f32, soft: f32): void {
  storeJointParameters(jointParameters(), h, soft);
  for (let i: u32 = first; i != NO_JOINTS; i = jointChunkAt(i).next) beginChunk(i, h);
}

/** The joints of one chunk. Parameters are those of this thread: a task of its own stores them first. */
export function beginChunk(index: u32, h: f32): void {
  const chunk: JointChunk = jointChunkAt(index);
  // Nothing that went wrong may stay where all of its joints meet.
  memory.fill(groundOf(index), 0, 2 * BODY_ROW_STRIDE);
  const together: bool = beginGroupsOfJoints(chunk.firstGroup, chunk.groupEnd, h),
    unturned: bool = beginJointBodies(chunk.firstBody, chunk.bodyEnd, h);
  // Rows are still those of the last substep, unless something moved a body since.
  const near: bool = together && unturned && chunk.moved < STILL;
  if (chunk.ready == 0 || chunk.raised != 0 || !near) turn(chunk, true);
  chunk.gained = 0;
  chunk.raised = 0;
  if (raise(chunk, h)) turn(chunk, true);
}

/** Loads are weighed. Returns whether a body has more inertia now. */
function raise(chunk: JointChunk, h: f32): bool {
  dropRaises(chunk.firstBody, chunk.bodyEnd);
  weighLoads(place(chunk.firstGroup), place(chunk.groupEnd), h);
  weighRatios(place(chunk.firstTree), place(chunk.groupEnd));
  if (!raiseInertia(chunk.firstBody, chunk.bodyEnd)) return false;
  chunk.raised = 1;
  return true;
}

/** Start of a substep, when velocities repeat those of the last: `first`: of the first one, which gives all impulses. */
export function startJoints(index: u32, first: bool): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointChunkAt(i).next) startChunk(i, first);
}

export function startChunk(index: u32, first: bool): void {
  const chunk: JointChunk = jointChunkAt(index);
  if (!first) tame(chunk, dropGyros(chunk.firstBody, chunk.bodyEnd));
  const from: usize = place(chunk.firstGroup),
    to: usize = place(chunk.groupEnd);
  if (first || chunk.turned != 0) warmJoints(from, to, first, chunk.raised != 0);
  else repeatUnits(from, to);
  if (first) tame(chunk, fastestOf(chunk.firstBody, chunk.bodyEnd));
  keep(chunk);
}

/**
 * Joints whose bodies are out of hand, at a bound of their speeds: these are held within their limits, and the joints start from
 * nothing, or each substep would repeat what the last one did, and more.
 */
function tame(chunk: JointChunk, speed: f32): void {
  const h: Header = header();
  if (speed < max<f32>(WILD_SPEED * h.maxLinearSpeed, WILD_SPIN * h.maxAngularSpeed)) return;
  holdJointBodies(chunk.firstBody, chunk.bodyEnd);
  chunk.ready = 0;
  clearGroupsOfJoints(chunk.firstGroup, chunk.groupEnd);
}

/** Moves bodies to their present poses; their rows have to follow. */
function turnBodies(chunk: JointChunk): void {
  chunk.moved = 0;
  chunk.turned = 1;
  chunk.ready = 1;
  turnJointBodies(chunk.firstBody, chunk.bodyEnd, chunk.firstTree != chunk.groupEnd);
}

/** Updates bodies and rows to the present poses, and their masses: all of a group while it is in the cache. */
function turn(chunk: JointChunk, first: bool): void {
  turnBodies(chunk);
  const trees: usize = place(chunk.firstTree),
    end: usize = place(chunk.groupEnd);
  for (let list: usize = place(chunk.firstGroup); list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    turnGroup(g, first);
    const works: bool = factorBlock(g);
    if (list >= trees) factorTree(g, works);
  }
}

/** Applies axis locks of bodies. */
function keep(chunk: JointChunk): void {
  if (header().anyLocks != 0) keepJointBodies(chunk.firstBody, chunk.bodyEnd);
}

/** The joints of a pass, trees last. */
export function solveJoints(index: u32, soft: bool): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointChunkAt(i).next) solveChunk(i, soft);
}

export function solveChunk(index: u32, soft: bool): void {
  const step: JointParameters = jointParameters();
  const chunk: JointChunk = jointChunkAt(index);
  jointScratch().grown = splatW(0);
  const trees: usize = place(chunk.firstTree),
    end: usize = place(chunk.groupEnd);
  const turning: bool = chunk.turned != 0;
  const full: bool = soft && turning && trees != end;
  let pass: u32 = soft ? (turning ? TREE_SOFT_TURNING : TREE_SOFT) : TREE_RELAX;
  // Heavy loads on light links: the kinetic energy that trees add is counted (loads.ts).
  const watched: bool = chunk.raised != 0 && trees != end;
  // Units see the speeds that trees leave: a limb on its limit falls as fast as all that hangs from it lets it.
  const leads: bool = full && chunk.units == LIMITS_OR_DRIVES && !watched;
  if (chunk.units != 0) {
    if (leads) {
      solveTrees(trees, end, chunk.firstBody, chunk.bodyEnd, pass, step);
      if (tryMotion(chunk, trees, end, step)) pass = TREE_MEETING;
    }
    solveUnits(place(chunk.firstGroup), place(chunk.groupEnd), soft, step);
    keep(chunk);
  }
  if (chunk.due != 0) {
    chunk.due = 0;
    turnAndSolveBlocks(place(chunk.firstBlock), end, soft, step);
  } else {
    solveBlocks(place(chunk.firstBlock), trees, soft, step);
  }
  keep(chunk);
  let energy: f64 = 0;
  if (watched) {
    energy = energyOf(chunk.firstBody, chunk.bodyEnd);
    if (soft) {
      solveTrees(trees, end, chunk.firstBody, chunk.bodyEnd, TREE_HOLD, step);
      energy = min<f64>(energy, energyOf(chunk.firstBody, chunk.bodyEnd));
    }
  }
  solveTrees(trees, end, chunk.firstBody, chunk.bodyEnd, pass, step);
  if (full && !leads && tryMotion(chunk, trees, end, step))
    solveTrees(trees, end, chunk.firstBody, chunk.bodyEnd, TREE_MISS, step);
  if (watched) chunk.gained += <f32>(energyOf(chunk.firstBody, chunk.bodyEnd) - energy);
  if (soft) chunk.grown = v128.any_true(jointScratch().grown) ? 1 : 0;
  keep(chunk);
}

/**
 * Trees after a soft pass: tries the motion, to find by how much anchors would miss each other at its end (JointGroup.miss). A
 * second pass makes up for it, by impulses along the rows of the start. The half of the centripetal motion in the first pass uses
 * the spins of the last motion and is of second order; the error feeds as much energy into whipping chains as they have, in
 * seconds. This is one step of Newton's method for the impulses of RATTLE, which keep the energy. Returns false if bodies turn
 * too little to miss.
 */
function tryMotion(chunk: JointChunk, trees: usize, end: usize, step: JointParameters): bool {
  const h: v128 = step.h;
  const spin: f32 = keepPoses(chunk.firstBody, chunk.bodyEnd);
  if (!(spin * f32x4.extract_lane(h, 0) > LEAST_TURN)) return false;
  moveJointBodies(chunk.firstBody, chunk.bodyEnd, h);
  for (let list: usize = trees; list < end; list += 4) {
    missOf(changetype<JointGroup>(load<u32>(list)), step);
  }
  restorePoses(chunk.firstBody, chunk.bodyEnd);
  return true;
}

/** Updates joints after bodies have moved by a substep of h seconds, except those of bodies that have hardly moved. */
export function moveJoints(index: u32, h: f32): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointChunkAt(i).next) moveChunk(i, h);
}

export function moveChunk(index: u32, h: f32): void {
  const chunk: JointChunk = jointChunkAt(index);
  const speed: f32 = moveJointBodies(chunk.firstBody, chunk.bodyEnd, splatW(h));
  chunk.moved += h * speed;
  tame(chunk, speed);
  keep(chunk);
  if (chunk.rests != 0 && chunk.moved < STILL) {
    chunk.turned = 0;
    settleTrees(place(chunk.firstTree), place(chunk.groupEnd), jointParameters());
    return;
  }
  if (chunk.grown != 0) raise(chunk, h);
  if (chunk.units == 0 && chunk.firstTree == chunk.groupEnd) {
    turnBodies(chunk);
    chunk.due = 1;
  } else {
    turn(chunk, false);
  }
}

/** Blocks whose rows are still to be turned, which others do not ask for: a net passes through the cache once. */
function turnAndSolveBlocks(list: usize, end: usize, soft: bool, step: JointParameters): void {
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    turnGroup(g, false);
    factorBlock(g);
    solveBlock(g, soft, step);
  }
}

/** Whether all of a chunk are trees, each held by something that impulses do not move. */
function hangs(chunk: JointChunk): bool {
  if (chunk.firstTree != chunk.firstGroup) return false;
  for (let list: usize = place(chunk.firstTree); list < place(chunk.groupEnd); list += 4) {
    if ((changetype<JointGroup>(load<u32>(list)).form & FORM_FLOATS) != 0) return false;
  }
  return true;
}

/** A batch is at its end. */
export function endJoints(index: u32, h: f32): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointChunkAt(i).next) endChunk(i, h);
}

export function endChunk(index: u32, h: f32): void {
  const chunk: JointChunk = jointChunkAt(index);
  endGroupsOfJoints(chunk.firstGroup, chunk.groupEnd, h);
  if (hangs(chunk)) returnLent(chunk.firstBody, chunk.bodyEnd, chunk.gained);
  endJointBodies(chunk.firstBody, chunk.bodyEnd);
}
