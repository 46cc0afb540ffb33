// A step by Augmented Vertex Block Descent: bodies move one after the other, each by one Newton step of its own 6x6 system, to
// where its inertia and all its constraints agree; after each pass the constraints adapt their forces and penalties.
//
// A substep of h seconds (AVBD algorithm 1; the paper takes one a step, with `iterations` passes):
//   forces and penalties of before, times alpha gamma and gamma                      (eq. 19)
//   targets x + h v + h^2 a; start values                                            (eq. 2)
//   passes: for each body (6x6) x -= H^-1 g; for each row lambda, penalty            (eq. 4-6, 11, 13, 16, 17)
//   v = (x - x before) / h
// An error that was there before costs velocity, so a substep takes out only 1 - alpha of it (eq. 18). With post-stabilization
// the passes take out none, forces are carried whole, and one more pass behind the velocities takes out all of it: an option of
// the authors' public demos.
// Bodies move in the order of their numbers (Gauss-Seidel). On a GPU one would color them; on one thread that gains nothing.
// Input: active manifolds, joints, BodyRow, BodyAccel. Output: velocities, BodyDelta, impulses and end separations, as the other
// solvers leave them.
import { awakeBody } from '../../bodies/awake';
import { AvbdBody, AvbdState } from '../../layout.generated';
import { header } from '../../memory/header';
import { initSplit } from '../../memory/split_state';
import { at32 } from '../../memory/words';
import { lockBlock, solutionOf, solveBlock, startBlock } from './block';
import { findVelocities, finishBodiesOfAvbd, startBodies, startSubstep, stepShare } from './bodies';
import { endContact, fillContact, keepContact, measureContact, stampContact, updateContact } from './contacts';
import { endJoint, fillJoint, keepJoint, measureJoint, placeJoint, reserveJoints, stampJoint, updateJoint } from './joints';
import { PENALTY_MIN, PENALTY_MIN_BY_MASS, startRow } from './row';
import { jointOfSet, listSets, sortSets } from './sets';
import { avbdBody, avbdRow, avbdState, initAvbd } from './state';

/** One step. Returns without effect (header error set) where memory is out. */
export function solveAvbd(): void {
  if (!initSplit() || !initAvbd() || !listSets() || !reserveJoints()) return;
  const head = header();
  const s: AvbdState = avbdState();
  const substeps: u32 = head.stepSubsteps;
  const h: f32 = head.dt / <f32>substeps;
  const post: bool = head.avbdPostStabilize != 0;
  const alpha: f64 = head.avbdErrorKept;
  s.h = h;
  // Errors of a substep shrink with its square: so scaled, penalties grow as fast per second in shorter ones.
  s.ramp = <f64>head.avbdRamp * (head.avbdByMass != 0 ? sqrt<f64>(stepShare()) : 1);
  s.errorKept = post ? 1 : alpha;
  s.leastPenalty = head.avbdByMass != 0 ? PENALTY_MIN_BY_MASS : PENALTY_MIN;
  startBodies(h);
  sortSets();
  for (let set: u32 = 0; set < s.sets; set++) {
    if (set < s.links) fillContact(set, h);
    else fillJoint(set, jointOfSet(set), h);
  }
  const decay: f64 = head.avbdDecay;
  const carried: f64 = post ? 1 : alpha * decay;
  for (let substep: u32 = 0; substep < substeps; substep++) {
    for (let set: u32 = s.links; set < s.sets; set++) placeJoint(set, jointOfSet(set));
    for (let r: u32 = 0; r < s.rowCount; r++) {
      startRow(avbdRow(r), substep == 0 ? carried * <f64>head.warmStart : carried, decay, s.leastPenalty);
    }
    startSubstep(h);
    for (let i: u32 = max<u32>(head.sweeps, 1); i != 0; i--) {
      moveBodies();
      for (let set: u32 = 0; set < s.sets; set++) updateSet(set);
    }
    findVelocities(h);
    if (post) {
      s.errorKept = 0;
      moveBodies();
      s.errorKept = 1;
    }
    for (let set: u32 = 0; set < s.sets; set++) {
      if (set < s.links) endContact(set);
      else endJoint(set, jointOfSet(set));
    }
  }
  for (let set: u32 = 0; set < s.sets; set++) {
    if (set < s.links) keepContact(set);
    else keepJoint(set, jointOfSet(set));
  }
  finishBodiesOfAvbd();
}

/** Dual update of a constraint. */
function updateSet(set: u32): void {
  if (set < avbdState().links) {
    measureContact(set);
    updateContact(set);
  } else {
    measureJoint(set, jointOfSet(set));
    updateJoint(set, jointOfSet(set));
  }
}

/** A pass over all bodies. */
function moveBodies(): void {
  const count: u32 = header().awakeCount;
  avbdState().residual = 0;
  for (let k: u32 = 0; k < count; k++) {
    const b: u32 = awakeBody(k);
    if (avbdBody(b).mass > 0) moveBody(b, avbdBody(b));
  }
}

/** The Newton step of one body. */
function moveBody(b: u32, body: AvbdBody): void {
  const s: AvbdState = avbdState();
  startBlock(body);
  const end: u32 = at32(s.bodyStarts, b + 1);
  for (let i: u32 = at32(s.bodyStarts, b); i < end; i++) {
    const entry: u32 = at32(s.bodySets, i);
    const set: u32 = entry >> 1;
    if (set < s.links) {
      measureContact(set);
      stampContact(set, entry & 1);
    } else {
      measureJoint(set, jointOfSet(set));
      stampJoint(set, jointOfSet(set), entry & 1);
    }
  }
  if (body.locks != 0) lockBlock(body.locks);
  if (!solveBlock()) return;
  const dx: f64 = solutionOf(0),
    dy: f64 = solutionOf(1),
    dz: f64 = solutionOf(2);
  body.dx += dx;
  body.dy += dy;
  body.dz += dz;
  body.px += solutionOf(3);
  body.py += solutionOf(4);
  body.pz += solutionOf(5);
  s.residual += body.mass * s.h * s.h * (dx * dx + dy * dy + dz * dz);
}
