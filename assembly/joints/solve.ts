// Joints in the order of a run of the solver: what a solver with substeps calls, and when.
//
//   step:    prepareJoints once; breakJoints after it
//   run:     beginJoints behind the warm start of contacts; endJoints
//   substep: startJoints when velocities carry the warm start; solveJoints after the contacts of each pass; moveJoints when
//            bodies have moved, between the passes
// A batch of joints may be a task of its own (sweep/schedule.ts): what it changes is its own, its scratch that of the thread.
// Input, output: BodyRow, JointState.
import { BODY_ROW_STRIDE, Header, JointBatch, JointGroup, JointParameters } from '../layout.generated';
import { at32 } from '../memory/words';
import { header } from '../memory/header';
import { splatW } from '../math/lane';
import { beginGroupsOfJoints, clearGroupsOfJoints, endGroupsOfJoints } from './begin';
import { factorBlock, solveBlocks } from './block';
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
import { FORM_FLOATS } from './layout';
import { dropRaises, energyOf, raiseInertia, returnLent, weighLoads, weighRatios } from './loads';
import { storeJointParameters } from './parameters';
import { groundOf, jointBatchAt, jointParameters, jointScratch, jointState } from './state';
import { TREE_HOLD, TREE_MISS, TREE_RELAX, TREE_SOFT, TREE_SOFT_TURNING, factorTree, settleTrees, solveTrees } from './tree';
import { missOf, repeatUnits, turnGroup, warmJoints } from './turn';
import { solveUnits } from './units';

// Bodies at this many times the limits of speed of the world are out of hand: a substep makes no such speeds, but joints that no
// motion could meet.
const WILD_SPEED: f32 = 4;
const WILD_SPIN: f32 = 16;
// While the bodies of a batch have moved less than this (m, rad) its rows and masses stay.
const STILL: f32 = 3e-4;
// A turn in a substep (rad) whose anchors meet well enough by half of the centripetal motion.
const LEAST_TURN: f32 = 0.01;

/** No joints in a run. */
export const NO_JOINTS: u32 = 0xffffffff;

/** Before the runs of a step are listed: groups of now. False without memory (header error set). */
export function prepareJoints(runs: bool): bool {
  const h: Header = header();
  if (h.jointAlive == 0 && (h.jointState == 0 || jointState().groupCount == 0)) return true;
  return h.jointState == 0 || !areGroupsStale() || buildGroups(runs);
}

/** The joints of a run by its root, NONE without any: its first batch; a solver without runs asks for root 0. */
export function jointsOfRun(root: u32): u32 {
  if (header().jointState == 0 || jointState().groupCount == 0 || root >= jointState().headCount) return NO_JOINTS;
  return at32(jointState().heads, root);
}

function place(group: u32): usize {
  return <usize>jointState().order + ((<usize>group) << 2);
}

/** A run starts with substeps of h seconds, soft for those of `soft` seconds. */
export function beginJoints(first: u32, h: f32, soft: f32): void {
  storeJointParameters(jointParameters(), h, soft);
  for (let i: u32 = first; i != NO_JOINTS; i = jointBatchAt(i).next) beginBatch(i, h);
}

/** The joints of one batch. Parameters are those of this thread: a task of its own stores them first. */
export function beginBatch(index: u32, h: f32): void {
  const batch: JointBatch = jointBatchAt(index);
  // Nothing that went wrong may stay where all of its joints meet.
  memory.fill(groundOf(index), 0, 2 * BODY_ROW_STRIDE);
  beginGroupsOfJoints(batch.firstGroup, batch.groupEnd, h);
  beginJointBodies(batch.firstBody, batch.bodyEnd, h);
  turn(batch, true, false);
  batch.gained = 0;
  batch.raised = 0;
  if (raise(batch, h)) turn(batch, true, false);
}

/** Loads are weighed. Returns whether a body has more inertia now. */
function raise(batch: JointBatch, h: f32): bool {
  dropRaises(batch.firstBody, batch.bodyEnd);
  weighLoads(place(batch.firstGroup), place(batch.groupEnd), h);
  weighRatios(place(batch.firstTree), place(batch.groupEnd));
  if (!raiseInertia(batch.firstBody, batch.bodyEnd)) return false;
  batch.raised = 1;
  return true;
}

/** Start of a substep, when velocities repeat those of the last: `first`: of the first one, which gives all impulses. */
export function startJoints(index: u32, first: bool): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointBatchAt(i).next) startBatch(i, first);
}

export function startBatch(index: u32, first: bool): void {
  const batch: JointBatch = jointBatchAt(index);
  if (!first) tame(batch, dropGyros(batch.firstBody, batch.bodyEnd));
  const from: usize = place(batch.firstGroup),
    to: usize = place(batch.groupEnd);
  if (batch.turned != 0) warmJoints(from, to, first, batch.raised != 0);
  else repeatUnits(from, to);
  if (first) tame(batch, fastestOf(batch.firstBody, batch.bodyEnd));
  keep(batch);
}

/**
 * Joints whose bodies are out of hand, at a bound of their speeds: these are held within their limits, and the joints start from
 * nothing, or each substep would repeat what the last one did, and more.
 */
function tame(batch: JointBatch, speed: f32): void {
  const h: Header = header();
  if (speed < max<f32>(WILD_SPEED * h.maxLinearSpeed, WILD_SPIN * h.maxAngularSpeed)) return;
  holdJointBodies(batch.firstBody, batch.bodyEnd);
  clearGroupsOfJoints(batch.firstGroup, batch.groupEnd);
}

/** Bodies and rows at the poses of now, and their masses: all of a group while it is near. */
function turn(batch: JointBatch, first: bool, raised: bool): void {
  batch.moved = 0;
  batch.turned = 1;
  const trees: usize = place(batch.firstTree),
    end: usize = place(batch.groupEnd);
  turnJointBodies(batch.firstBody, batch.bodyEnd, trees != end);
  for (let list: usize = place(batch.firstGroup); list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    turnGroup(g, first, raised);
    factorBlock(g);
    if (list >= trees) factorTree(g);
  }
}

/** What locked axes of bodies have got is taken off. */
function keep(batch: JointBatch): void {
  if (header().anyLocks != 0) keepJointBodies(batch.firstBody, batch.bodyEnd);
}

/** The joints of a pass, trees last. */
export function solveJoints(index: u32, soft: bool): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointBatchAt(i).next) solveBatch(i, soft);
}

export function solveBatch(index: u32, soft: bool): void {
  const step: JointParameters = jointParameters();
  const batch: JointBatch = jointBatchAt(index);
  jointScratch().grown = splatW(0);
  if (batch.units != 0) {
    solveUnits(place(batch.firstGroup), place(batch.groupEnd), soft, step);
    keep(batch);
  }
  solveBlocks(place(batch.firstBlock), place(batch.firstTree), soft, step);
  keep(batch);
  const trees: usize = place(batch.firstTree),
    end: usize = place(batch.groupEnd);
  const turning: bool = batch.turned != 0;
  const pass: u32 = soft ? (turning ? TREE_SOFT_TURNING : TREE_SOFT) : TREE_RELAX;
  // Heavy loads on light links: what trees add to the energy of motion is counted (loads.ts).
  const watched: bool = batch.raised != 0 && trees != end;
  let energy: f64 = 0;
  if (watched) {
    energy = energyOf(batch.firstBody, batch.bodyEnd);
    if (soft) {
      solveTrees(trees, end, batch.firstBody, batch.bodyEnd, TREE_HOLD, step);
      energy = min<f64>(energy, energyOf(batch.firstBody, batch.bodyEnd));
    }
  }
  solveTrees(trees, end, batch.firstBody, batch.bodyEnd, pass, step);
  if (pass == TREE_SOFT_TURNING && trees != end) meetAnchors(batch, trees, end, step);
  if (watched) batch.gained += <f32>(energyOf(batch.firstBody, batch.bodyEnd) - energy);
  if (soft) batch.grown = v128.any_true(jointScratch().grown) ? 1 : 0;
  keep(batch);
}

/**
 * Trees after their soft pass: the motion is tried, and the anchors that would miss each other at its end are made to meet, by
 * impulses along the rows of its start. The half of the centripetal motion in that pass is of the spins of the last motion and
 * of the second order; what is left feeds as much energy into chains that whip as they have, in seconds. It is one step of
 * Newton's method for the impulses of RATTLE, which keep it.
 */
function meetAnchors(batch: JointBatch, trees: usize, end: usize, step: JointParameters): void {
  const h: v128 = step.h;
  const spin: f32 = keepPoses(batch.firstBody, batch.bodyEnd);
  if (!(spin * f32x4.extract_lane(h, 0) > LEAST_TURN)) return;
  moveJointBodies(batch.firstBody, batch.bodyEnd, h);
  for (let list: usize = trees; list < end; list += 4) {
    missOf(changetype<JointGroup>(load<u32>(list)), step);
  }
  restorePoses(batch.firstBody, batch.bodyEnd);
  solveTrees(trees, end, batch.firstBody, batch.bodyEnd, TREE_MISS, step);
}

/** Bodies have moved by a substep of h seconds: all turns with them, but what has hardly moved. */
export function moveJoints(index: u32, h: f32): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointBatchAt(i).next) moveBatch(i, h);
}

export function moveBatch(index: u32, h: f32): void {
  const batch: JointBatch = jointBatchAt(index);
  const speed: f32 = moveJointBodies(batch.firstBody, batch.bodyEnd, splatW(h));
  batch.moved += h * speed;
  tame(batch, speed);
  keep(batch);
  if (batch.rests != 0 && batch.moved < STILL) {
    batch.turned = 0;
    settleTrees(place(batch.firstTree), place(batch.groupEnd), jointParameters());
    return;
  }
  turn(batch, false, batch.grown != 0 && raise(batch, h));
}

/** Whether all of a batch are trees, each held by something that impulses do not move. */
function hangs(batch: JointBatch): bool {
  if (batch.firstTree != batch.firstGroup) return false;
  for (let list: usize = place(batch.firstTree); list < place(batch.groupEnd); list += 4) {
    if ((changetype<JointGroup>(load<u32>(list)).form & FORM_FLOATS) != 0) return false;
  }
  return true;
}

/** A run is at its end. */
export function endJoints(index: u32, h: f32): void {
  for (let i: u32 = index; i != NO_JOINTS; i = jointBatchAt(i).next) endBatch(i, h);
}

export function endBatch(index: u32, h: f32): void {
  const batch: JointBatch = jointBatchAt(index);
  endGroupsOfJoints(batch.firstGroup, batch.groupEnd, h);
  if (hangs(batch)) returnLent(batch.firstBody, batch.bodyEnd, batch.gained);
  endJointBodies(batch.firstBody, batch.bodyEnd);
}
