// Bodies that the solver has left out. On the GPU, and in its twin, bodies that have hardly moved do not report
// (split/finalise.ts); then Header.someQuiet is set, and the end of a step has nothing to do for them. Whatever else moves or
// pushes such a body, in the same step, makes it an ordinary one.
// Input: BodyRow, BodyDelta, flags of BodyCold.
import { BodyDelta, BodyRow } from '../layout.generated';
import { header } from '../memory/header';
import { FLAG_HELD, FLAG_LONE, coldAt, deltaAt, rowAt } from './rows';

/** In a step with someQuiet: whether pose, path and motion of a body hold; what it moves unseen is far below the budgets. */
export function isUnmoved(body: u32): bool {
  const row: BodyRow = rowAt(body);
  const delta: BodyDelta = deltaAt(body);
  const pushed: v128 = v128.or(v128.xor(row.v, row.sv), v128.xor(row.w, row.sw));
  const moved: v128 = v128.or(v128.or(pushed, delta.d), delta.p);
  if (v128.any_true(f32x4.replace_lane(moved, 3, 0))) return false;
  // These flags are taken back at the end of the step; where nobody has them, their row need not be read.
  return header().someMarked == 0 || (coldAt(body).flags & (FLAG_HELD | FLAG_LONE)) == 0;
}
