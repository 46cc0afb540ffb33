// Bodies that joints connect to a body that is held up are held up with it, so that no joint opens. All of them turn by the same
// share of their rotation and move where their joints lead them. (A center that swings about an anchor moves along an arc, so a
// share of the straight motion would open the joint. And the body that is held up may have moved on with the body it met.)
// Input: a body that against_static.ts or against_moving.ts has held up. Output: BodyDelta of the connected bodies, FLAG_HELD.
import { FLAG_ASLEEP, FLAG_HELD, FLAG_MET, coldAt, deltaAt, isDynamic } from '../bodies/rows';
import { firstJoint, isEnabled, jointAt, nextJoint, otherSide } from '../constraints/joints';
import { BodyDelta, NONE } from '../layout.generated';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { anchorAt, holdsAnchors, turnedAfter } from './speculative';

/** How far the turn of a body takes the anchor at its end of a joint. */
function swingOf(body: u32, end: u32): v128 {
  const r: v128 = anchorAt(body, end);
  return f32x4.sub(turnedAfter(deltaAt(body).p, 1, r), r);
}

/** All that enabled joints connect with a body, directly or through others, goes the share k of its motion. */
export function holdJointed(body: u32, k: f32): void {
  if (firstJoint(body) == NONE) return;
  const queue: u32 = header().islandMembers;
  const share: v128 = f32x4.splat(k);
  let count: u32 = 1;
  put32(queue, 0, body);
  coldAt(body).flags |= FLAG_MET;
  for (let i: u32 = 0; i < count; i++) {
    const from: u32 = at32(queue, i);
    for (let end: u32 = firstJoint(from); end != NONE; end = nextJoint(end)) {
      const other: u32 = otherSide(end);
      if (other == NONE || !isEnabled(end >> 1) || !isDynamic(other)) continue;
      if ((coldAt(other).flags & (FLAG_MET | FLAG_ASLEEP)) != 0) continue;
      coldAt(other).flags |= FLAG_MET | FLAG_HELD;
      put32(queue, count++, other);
      const delta: BodyDelta = deltaAt(other);
      delta.p = f32x4.mul(delta.p, share);
      let way: v128 = f32x4.mul(delta.d, share);
      if (holdsAnchors(jointAt(end >> 1)))
        way = f32x4.sub(f32x4.add(deltaAt(from).d, swingOf(from, end)), swingOf(other, end ^ 1));
      delta.d = way;
    }
  }
  for (let i: u32 = 0; i < count; i++) coldAt(at32(queue, i)).flags &= ~FLAG_MET;
}
