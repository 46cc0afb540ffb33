// What hangs on a body by joints is held up with it: all of it goes the same share of its motion, so that no joint opens.
// Input: a body that limit_motion.ts has held up. Output: BodyDelta of what joints connect it with, FLAG_HELD.
import { BODY_DELTA_STRIDE, NONE } from '../layout.generated';
import { FLAG_ASLEEP, FLAG_HELD, FLAG_MET, coldAt, isDynamic } from '../bodies/rows';
import { firstJoint, isEnabled, nextJoint, otherSide } from '../constraints/joints';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';

/** All that enabled joints connect with a body, directly or through others, goes the share k of its motion. */
export function holdJointed(body: u32, k: f32): void {
  if (firstJoint(body) == NONE) return;
  const queue: u32 = header().islandMembers;
  let count: u32 = 1;
  put32(queue, 0, body);
  coldAt(body).flags |= FLAG_MET;
  for (let i: u32 = 0; i < count; i++) {
    for (let end: u32 = firstJoint(at32(queue, i)); end != NONE; end = nextJoint(end)) {
      const other: u32 = otherSide(end);
      if (other == NONE || !isEnabled(end >> 1) || !isDynamic(other)) continue;
      if ((coldAt(other).flags & (FLAG_MET | FLAG_ASLEEP)) != 0) continue;
      coldAt(other).flags |= FLAG_MET;
      put32(queue, count++, other);
    }
  }
  const share: v128 = f32x4.splat(k);
  for (let i: u32 = 0; i < count; i++) {
    const other: u32 = at32(queue, i);
    coldAt(other).flags &= ~FLAG_MET;
    if (i == 0) continue; // it has its own
    coldAt(other).flags |= FLAG_HELD;
    const delta: usize = <usize>header().bodyDeltas + <usize>other * BODY_DELTA_STRIDE;
    v128.store(delta, f32x4.mul(v128.load(delta), share));
    v128.store(delta, f32x4.mul(v128.load(delta, 16), share), 16);
  }
}
