// The step as a list of stages. The host may call begin, solve and end by themselves (to time them, or to let a GPU solve).
import {
  HEADER_SCRATCH_STRIDE,
  Header,
  NONE,
  SOLVER_CELL_SPLIT,
  SOLVER_EXTERNAL,
  SOLVER_WIDE,
  SPLIT_BODY_CAP,
} from './layout.generated';
import { listAwake } from './bodies/awake';
import { beginBodies, finishBodies } from './bodies/integrate';
import { limitSpeeds } from './bodies/limits';
import { growPastPoses, storePastPoses } from './bodies/past_poses';
import { updateBroadphase } from './broadphase/broadphase';
import { initBroadphaseState } from './broadphase/state';
import { dropFields, followFields } from './constraints/fields';
import { findPairs } from './constraints/find_pairs';
import { listActiveManifolds } from './constraints/manifolds';
import { followSettings } from './constraints/settings';
import { initSleep, updateSleep, wakeTouched } from './constraints/sleep';
import { countSubsteps, followStep } from './constraints/soft_step';
import { updateContacts } from './pairs/walk';
import { tellCrossings } from './ccd/crossings';
import { holdOverlap, limitOverlap } from './pairs/overlap_limiter';
import { beginFollowing, collectFollowed } from './events/follow';
import { beginImpacts, collectImpacts } from './events/impacts';
import { limitMeetings } from './ccd/against_moving';
import { limitMotion } from './ccd/against_static';
import { emitSleepEvents, emitWakeEvents } from './events/rest_events';
import { reserveContactStates } from './scratch/contact_state';
import { dropStopped, renewStopped } from './pairs/stopped';
import { initBodies } from './edits/bodies';
import { insertAllLanes, insertWoken, initLanes, removeAllLanes, removeSleepers, usesLanes } from './lanes/lanes';
import { initBatches, usesBatches } from './lanes/batches';
import { breakJoints } from './joints/begin';
import { allocate, initMemory } from './memory/allocator';
import { header } from './memory/header';
import { initNarrowPhase } from './narrowphase/dispatch';
import { chooseSubsteps, initSubsteps, raiseSubsteps } from './ordering/substeps';
import { initShapes } from './shapes/shapes';
import { initTeam } from './threads/team';
import { forgetGpu } from './split/gpu_pack';
import { solveImpacts } from './impacts/bounce';
import { findImpacts } from './impacts/find';
import { flyMeetings, listMeetings } from './impacts/meetings';
import { settleImpacts } from './impacts/settle';
import { rescaleImpulses, uniteImpulses } from './sweep/rescale';
import { chooseBatches, raiseWokenBatches } from './sweep/batch_layout';
import { stepSolver } from './solvers/step_solver';

/** Makes an empty world with default parameters. Returns false if there is not even memory for that. */
export function initWorld(): bool {
  initMemory();
  const h: Header = header();
  h.manifoldFree = NONE;
  h.jointFree = NONE;
  h.gravityY = <f32>-9.81;
  h.dt = <f32>(1.0 / 60.0);
  h.solver = SOLVER_WIDE;
  h.impulseScale = 1;
  h.substeps = 12;
  h.sweeps = 1;
  h.granularity = 224;
  h.cellBodyCap = SPLIT_BODY_CAP;
  h.contactHertzRatio = <f32>0.125;
  h.stepSubsteps = 12;
  h.dampingRatio = 10;
  h.pushSpeed = 3;
  h.speculativeMargin = <f32>0.02;
  h.recycleDistance = <f32>0.005;
  h.readbackTolerance = <f32>0.0001;
  h.restitutionThreshold = 1;
  h.warmStart = 1;
  h.maxLinearSpeed = 500;
  h.maxAngularSpeed = 150;
  h.seed = 1;
  h.fastest = Infinity;
  h.hitSpeed = Infinity;
  h.scratch = <u32>allocate(HEADER_SCRATCH_STRIDE);
  initBodies();
  initShapes();
  return (
    h.scratch != 0 &&
    initTeam() &&
    initBroadphaseState() &&
    reserveContactStates(1, 0) &&
    initNarrowPhase() &&
    initLanes() &&
    initSleep() &&
    initSubsteps() &&
    initBatches()
  );
}

/** Limits of what the host has set; broad phase: boxes, trees, pairs. Returns error bits. */
export function stepBroadphase(): u32 {
  const h: Header = header();
  h.error = 0;
  limitSpeeds();
  renewStopped();
  followSettings();
  followFields();
  followStep();
  if (growPastPoses() && listAwake() && updateBroadphase()) findPairs();
  return h.error;
}

/** Pair walk, narrow phase, manifolds, lanes; accelerations. Everything is ready for a solver. Returns error bits. */
export function stepContacts(): u32 {
  const h: Header = header();
  if (h.error != 0) return h.error;
  const batches: bool = usesBatches(h.solver);
  if (!(batches ? chooseBatches() : chooseSubsteps())) return h.error;
  countSubsteps();
  if (!updateContacts()) return h.error;
  wakeTouched();
  if (!emitWakeEvents() || !insertWoken() || !listAwake() || !beginImpacts() || !beginFollowing()) return h.error;
  if (!(batches ? raiseWokenBatches() : raiseSubsteps())) return h.error;
  countSubsteps();
  rescaleImpulses();
  if (!limitOverlap()) return h.error;
  beginBodies();
  dropFields();
  if (!listMeetings() || !findImpacts()) return h.error;
  if (!usesLanes(h.solver)) listActiveManifolds();
  return h.error;
}

/** The solver. Returns error bits. */
export function stepSolve(): u32 {
  const h: Header = header();
  if (h.error != 0) return h.error;
  // Its twin keeps what it has not reported, too.
  const keeps: bool = h.solver == SOLVER_CELL_SPLIT && h.reportChanges != 0;
  if (h.solver != SOLVER_EXTERNAL && !keeps) forgetGpu();
  stepSolver().solve(h.solver);
  return h.error;
}

/** Begins of touching; poses, inertia, view arrays. Returns error bits. */
export function stepEnd(): u32 {
  const h: Header = header();
  if (h.error != 0) return h.error;
  holdOverlap();
  flyMeetings();
  solveImpacts();
  collectImpacts();
  collectFollowed();
  if (h.jointAlive != 0) breakJoints();
  if (h.error != 0) return h.error;
  if (limitMotion()) limitMeetings();
  tellCrossings();
  if (h.error != 0) return h.error;
  storePastPoses();
  dropStopped(finishBodies());
  settleImpacts();
  const sleepers: u32 = h.sleepingCount;
  updateSleep();
  if (h.sleepingCount != sleepers) {
    if (usesLanes(h.solver)) removeSleepers();
    emitSleepEvents();
  }
  h.stepCount++;
  return h.error;
}

/** One whole step on the CPU. Returns error bits; on ERROR_OUT_OF_MEMORY no body was moved. */
export function step(): u32 {
  header().eventCount = 0;
  stepBroadphase();
  stepContacts();
  stepSolve();
  return stepEnd();
}

/** Lets another solver take over: impulses and separations go to where that solver looks for them. */
export function setSolver(solver: u32): void {
  const h: Header = header();
  if (h.solver == solver) return;
  forgetGpu();
  if (usesLanes(h.solver)) {
    removeAllLanes();
    uniteImpulses();
  }
  h.solver = solver;
  if (usesLanes(solver)) insertAllLanes();
}
