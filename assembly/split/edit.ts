// Packs manifolds that are new or have changed for the GPU; shaders/edit.wgsl, the other end, stores them. The twin on the CPU
// reads manifolds directly.
// Input: Manifold, Header.changed. Output: SplitState.edits.
import { isHeld } from '../constraints/held';
import { isResting, manifoldAt, pointOf } from '../constraints/manifolds';
import {
  GPU_EDIT_STRIDE,
  GpuContact,
  GpuEdit,
  Manifold,
  ManifoldPoint,
  NONE,
  SPLIT_LINK_STRUCK,
  SplitState,
} from '../layout.generated';
import { withW3 } from '../math/vec3';
import { header } from '../memory/header';
import { splitRoom } from '../memory/split_state';
import { at32, putVector } from '../memory/words';
import { packImpulses } from './impulse_rows';
import { STEP_EDIT, memberAt, stepAt } from './packed';

/** Edits of all manifolds in the step that the GPU does not hold as they are. False without memory. */
export function collectEdits(s: SplitState): bool {
  const h = header();
  // Links come and go with the layout; otherwise only noted manifolds can have changed.
  const all: bool = s.heldLayout != s.layout || h.heldEpoch != s.heldEpoch;
  const most: u32 = all ? s.linkCount : h.changedCount;
  let n: u32 = 0;
  for (let i: u32 = 0; i < most; i++) if (isDue(all ? contactOf(i) : at32(h.changed, i))) n++;
  if (!splitRoom(offsetof<SplitState>('edits'), GPU_EDIT_STRIDE, n)) return false;
  n = 0;
  for (let i: u32 = 0; i < most; i++) {
    const index: u32 = all ? contactOf(i) : at32(h.changed, i);
    if (!isDue(index)) continue;
    writeEdit(s, n++, index);
    manifoldAt(index).held = h.heldEpoch;
  }
  h.changedCount = 0;
  s.heldEpoch = h.heldEpoch;
  s.editCount = n;
  stepAt(s.passCount + STEP_EDIT).count = n;
  return true;
}

/** Manifold of a member, NONE: it is a joint. */
function contactOf(member: u32): u32 {
  return memberAt(member).room == NONE ? NONE : memberAt(member).manifold;
}

/** Whether a manifold is in the step and the GPU does not hold it. */
function isDue(index: u32): bool {
  if (index == NONE) return false;
  const m: Manifold = manifoldAt(index);
  return m.count != 0 && !isHeld(m) && !isResting(m);
}

function writeEdit(s: SplitState, place: u32, index: u32): void {
  const m: Manifold = manifoldAt(index);
  const edit: usize = <usize>s.edits + <usize>place * GPU_EDIT_STRIDE;
  memory.fill(edit, 0, GPU_EDIT_STRIDE);
  const out: GpuContact = changetype<GpuContact>(edit);
  out.ids = i32x4(m.bodyA, m.bodyB, m.count | (m.struck != 0 ? SPLIT_LINK_STRUCK : 0), index);
  out.normal = withW3(m.n, m.friction);
  out.tangent = withW3(m.t, 1 - m.pushCut);
  out.radii = f32x4(m.twistRadius, m.rollArm, m.surface1, m.surface2);
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const arms: usize = edit + offsetof<GpuContact>('armA0') + ((<usize>i) << 5);
    putVector(arms, 0, withW3(p.ra, i == 0 ? m.surfaceTwist : 0));
    putVector(arms, 1, withW3(p.rb, 0));
  }
  out.armA1 = withW3(out.armA1, m.surfaceRate1);
  out.armA2 = withW3(out.armA2, m.surfaceRate2);
  // The GPU uses marked impulses as they are, and scales its own.
  packImpulses(s, index, edit + offsetof<GpuEdit>('impulses0'), -1);
}
