// Poses before the last step, for interpolation. They are recorded from the first time that the host asks for them, for the
// bodies that a step moves. A body that does not move, or was teleported, has none and is drawn at its present pose.
// Input: the list of awake bodies, positions, rotations. Output: PastPose.
import { Header, PAST_POSE_STRIDE, PastPose } from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { awakeBody } from './awake';
import { isUnmoved } from './unmoved';

/** Room for the past poses of all bodies; from now on steps keep them. False without memory (header error set). */
export function keepPoses(): bool {
  const h: Header = header();
  const base: usize = changetype<usize>(h) + offsetof<Header>('pastPoses');
  return ensureArray(base, PAST_POSE_STRIDE, max<u32>(h.bodyCapacity, 1));
}

/** The same for bodies made since, if they are kept at all. */
export function growPastPoses(): bool {
  return header().pastPoses == 0 || keepPoses();
}

/** Before the step moves bodies: remembers where they are. */
export function storePastPoses(): void {
  const h: Header = header();
  const pasts: usize = h.pastPoses;
  if (pasts == 0) return;
  const step: u32 = h.stepCount + 1;
  for (let k: u32 = 0, count: u32 = h.awakeCount; k < count; k++) {
    const body: usize = awakeBody(k);
    if (h.someQuiet != 0 && isUnmoved(<u32>body)) continue;
    const past: usize = pasts + body * PAST_POSE_STRIDE;
    v128.store(past, v128.load(<usize>h.positions + (body << 4)));
    v128.store(past, v128.load(<usize>h.rotations + (body << 4)), offsetof<PastPose>('rotation'));
    changetype<PastPose>(past).step = step;
  }
}

/** A body is new, or was teleported: it is not interpolated. */
export function forgetPastPose(body: u32): void {
  const h: Header = header();
  if (body < h.pastPosesCapacity) changetype<PastPose>(<usize>h.pastPoses + <usize>body * PAST_POSE_STRIDE).step = 0;
}
