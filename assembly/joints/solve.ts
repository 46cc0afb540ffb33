// Joints in the order of a run of the solver: what a solver with substeps calls, and when.
//
//   step:    prepareJoints once; breakJoints after it
//   run:     beginJoints behind the warm start of contacts; endJoints
//   substep: startJoints when velocities carry the warm start; solveJoints after the contacts of each pass; moveJoints when
//            bodies have moved, between the passes
// Input, output: BodyRow, JointState.
import { BODY_ROW_STRIDE, Header } from '../layout.generated';
import { header } from '../memory/header';
import { splatW } from '../math/lane';
import { beginGroupsOfJoints, endGroupsOfJoints } from './begin';
import { factorBlocks, solveBlocks } from './block';
import { beginJointBodies, dropGyros, endJointBodies, moveJointBodies, turnJointBodies } from './bodies';
import { areGroupsStale, buildGroups } from './build';
import { dropRaises, haveLoadsGrown, raiseInertia, weighLoads } from './loads';
import { storeJointParameters } from './parameters';
import { JointRun, jointRunAt, jointState } from './state';
import { factorTrees, solveTrees } from './tree';
import { turnGroups, warmJoints } from './turn';
import { solveUnits } from './units';

/** No joints in a run. */
export const NO_JOINTS: u32 = 0xffffffff;

/** Before the runs of a step are listed: groups of now. False without memory (header error set). */
export function prepareJoints(runs: bool): bool {
  const h: Header = header();
  if (h.jointAlive == 0 && (h.jointState == 0 || jointState().groupCount == 0)) return true;
  return h.jointState == 0 || !areGroupsStale() || buildGroups(runs);
}

/** The joints of a run by its root, NO_JOINTS without any; a solver without runs asks for root 0. */
export function jointsOfRun(root: u32): u32 {
  if (header().jointState == 0) return NO_JOINTS;
  const count: u32 = jointState().runCount;
  for (let i: u32 = 0; i < count; i++) if (jointRunAt(i).root == root) return i;
  return NO_JOINTS;
}

function place(group: u32): usize {
  return <usize>jointState().order + ((<usize>group) << 2);
}

/** A run starts with substeps of h seconds. */
export function beginJoints(index: u32, h: f32): void {
  const run: JointRun = jointRunAt(index);
  storeJointParameters(jointState().parameters, h);
  // Nothing that went wrong may stay where all joints meet.
  memory.fill(<usize>jointState().ground, 0, 2 * BODY_ROW_STRIDE);
  beginGroupsOfJoints(run.firstGroup, run.groupEnd, h);
  beginJointBodies(run.firstBody, run.bodyEnd);
  turnJointBodies(run.firstBody, run.bodyEnd);
  turnGroups(place(run.firstGroup), place(run.groupEnd), true, false);
  if (raise(run, h)) {
    turnJointBodies(run.firstBody, run.bodyEnd);
    turnGroups(place(run.firstGroup), place(run.groupEnd), true, false);
  }
  factor(run);
}

/** Loads are weighed. Returns whether a body has more inertia now. */
function raise(run: JointRun, h: f32): bool {
  dropRaises(run.firstBody, run.bodyEnd);
  weighLoads(place(run.firstGroup), place(run.groupEnd), h);
  return raiseInertia(run.firstBody, run.bodyEnd);
}

/** Start of a substep, when velocities repeat those of the last: `first`: of the first one, which gives all impulses. */
export function startJoints(index: u32, first: bool): void {
  const run: JointRun = jointRunAt(index);
  if (!first) dropGyros(run.firstBody, run.bodyEnd);
  warmJoints(place(run.firstGroup), place(run.groupEnd), first);
}

function factor(run: JointRun): void {
  factorBlocks(place(run.firstGroup), place(run.groupEnd));
  factorTrees(place(run.firstTree), place(run.groupEnd));
}

/** The joints of a pass, trees last. */
export function solveJoints(index: u32, soft: bool): void {
  const run: JointRun = jointRunAt(index);
  const step: usize = jointState().parameters;
  solveUnits(place(run.firstGroup), place(run.groupEnd), soft, step);
  solveBlocks(place(run.firstBlock), place(run.firstTree), soft, step);
  solveTrees(place(run.firstTree), place(run.groupEnd), run.firstBody, run.bodyEnd, soft, step);
}

/** Bodies have moved by a substep of h seconds: all turns with them. */
export function moveJoints(index: u32, h: f32): void {
  const run: JointRun = jointRunAt(index);
  moveJointBodies(run.firstBody, run.bodyEnd, splatW(h));
  const raised: bool = haveLoadsGrown(place(run.firstGroup), place(run.groupEnd)) && raise(run, h);
  turnJointBodies(run.firstBody, run.bodyEnd);
  turnGroups(place(run.firstGroup), place(run.groupEnd), false, raised);
  factor(run);
}

/** A run is at its end. */
export function endJoints(index: u32, h: f32): void {
  const run: JointRun = jointRunAt(index);
  endGroupsOfJoints(run.firstGroup, run.groupEnd, h);
  endJointBodies(run.firstBody, run.bodyEnd);
}
