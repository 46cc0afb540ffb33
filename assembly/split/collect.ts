// End of a step: impulses and end separations of the links to manifolds and joints. With Header.reportChanges, manifolds whose
// impulses and gaps have hardly changed keep those of their last report, as on the GPU. Twin: shaders/collect.wgsl.
// Input: SplitState.impulses, joints. Output: Manifold, Joint, SplitState.reported.
import { rowAt } from '../bodies/rows';
import { isHeld } from '../constraints/held';
import { manifoldAt } from '../constraints/manifolds';
import {
  GPU_REPORTED_ROWS,
  GPU_REPORT_SHARE,
  Header,
  JOINT_ROW_IMPULSES,
  Manifold,
  NONE,
  PointImpulses,
  REPORTED_CONTACT_STRIDE,
  ReportedContact,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { mulW, splatW, subW } from '../math/lane';
import { header } from '../memory/header';
import { patchRow, unpackImpulses } from './impulse_rows';
import { jointRows, unpackJoint } from './joint_rows';
import { STEP_COLLECT, impulsesOf, memberAt, stepAt } from './packed';

/** Impulses and end separations of the links. */
export function collectImpulses(s: SplitState): void {
  const h: Header = header();
  s.linkReports = 0;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const manifold: u32 = memberAt(l).manifold;
    if (memberAt(l).room == NONE) {
      unpackJoint(manifold, jointRows(manifold) + ((<usize>JOINT_ROW_IMPULSES) << 4));
      continue;
    }
    const impulses: usize = impulsesOf(s, manifold);
    if (h.reportChanges != 0) {
      if (isUnchanged(s, manifold, impulses)) continue;
      s.linkReports++;
      keepReported(s, manifold, impulses);
      manifoldAt(manifold).held = h.heldEpoch;
    }
    unpackImpulses(manifold, impulses);
  }
}

if (REPORTED_CONTACT_STRIDE != (<usize>GPU_REPORTED_ROWS) << 4) ERROR('ReportedContact: rows');

/** What was reported last of a manifold. */
function reportedOf(s: SplitState, manifold: u32): ReportedContact {
  return changetype<ReportedContact>(<usize>s.reported + <usize>manifold * REPORTED_CONTACT_STRIDE);
}

function rowsAt(impulses: usize): PointImpulses {
  return changetype<PointImpulses>(impulses);
}
function keepReported(s: SplitState, manifold: u32, impulses: usize): void {
  const reported: ReportedContact = reportedOf(s, manifold);
  reported.points = rowsAt(impulses).impulse;
  reported.gaps = rowsAt(impulses).separation;
  reported.patch = v128.load(patchRow(impulses));
}

/** Whether the impulses and gaps of a manifold are as reported last. */
function isUnchanged(s: SplitState, manifold: u32, impulses: usize): bool {
  const m: Manifold = manifoldAt(manifold);
  const step: SplitStep = stepAt(s.passCount + STEP_COLLECT);
  if (!isHeld(m) || step.reportDistance < 0) return false;
  const reported: ReportedContact = reportedOf(s, manifold);
  const moved: v128 = subW(rowsAt(impulses).separation, reported.gaps);
  const still: v128 = f32x4.le(mulW(moved, moved), splatW(step.reportDistance * step.reportDistance));
  if (!i32x4.all_true(still)) return false;
  const mass: f32 = rowAt(m.bodyA).invMass + rowAt(m.bodyB).invMass;
  const each: f32 = mass * <f32>step.substeps;
  return (
    isSame(step, rowsAt(impulses).impulse, reported.points, splatW(each)) &&
    isSame(step, v128.load(patchRow(impulses)), reported.patch, f32x4(each, each, each, mass))
  );
}

/** Whether impulses are as reported, in each lane: within a change of speed by the tolerance, or a share of themselves. */
function isSame(step: SplitStep, now: v128, old: v128, speeds: v128): bool {
  const change: v128 = subW(now, old);
  const speed: v128 = mulW(change, speeds);
  const share: v128 = mulW(old, splatW(GPU_REPORT_SHARE));
  const slow: v128 = f32x4.le(mulW(speed, speed), splatW(step.reportSpeed * step.reportSpeed)),
    small: v128 = f32x4.le(mulW(change, change), mulW(share, share));
  return i32x4.all_true(v128.or(slow, small));
}
