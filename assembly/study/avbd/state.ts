// Address book of AVBD at Header.avbdState, its arrays, and how a constraint (a set of rows) is found.
// A constraint is a contact (number = place in activeManifolds) or, behind those, a joint (place in OrderState.jointLinks).
import {
  AVBD_BODY_STRIDE,
  AVBD_JOINT_STRIDE,
  AVBD_MANIFOLD_STRIDE,
  AVBD_ROW_STRIDE,
  AVBD_STATE_STRIDE,
  AvbdBody,
  AvbdJoint,
  AvbdManifold,
  AvbdRow,
  AvbdState,
  NONE,
} from '../../layout.generated';
import { allocate, ensureArray } from '../../memory/allocator';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';

/** Bytes of AvbdState.block: the system of a body, and behind it a record that moves aside (carry.ts). */
const BLOCK_BYTES: u32 = 1024;

/** Allocates the state; harmless when it exists. Returns false (header error set) without memory. */
export function initAvbd(): bool {
  if (header().avbdState == 0) header().avbdState = <u32>allocate(AVBD_STATE_STRIDE);
  return header().avbdState != 0 && avbdRoom(offsetof<AvbdState>('block'), 1, BLOCK_BYTES);
}

export function avbdState(): AvbdState {
  return changetype<AvbdState>(<usize>header().avbdState);
}

/** Room for `needed` elements of `stride` bytes in the array whose base is the field at `offset`. */
export function avbdRoom(offset: usize, stride: usize, needed: u32): bool {
  return ensureArray(<usize>header().avbdState + offset, stride, needed);
}

/** A body; NONE, the world: the one behind the last. */
export function avbdBody(body: u32): AvbdBody {
  const place: u32 = body == NONE ? header().bodyCount : body;
  return changetype<AvbdBody>(<usize>avbdState().bodies + <usize>place * AVBD_BODY_STRIDE);
}

export function avbdManifold(manifold: u32): AvbdManifold {
  return changetype<AvbdManifold>(<usize>avbdState().manifolds + <usize>manifold * AVBD_MANIFOLD_STRIDE);
}

export function avbdJoint(joint: u32): AvbdJoint {
  return changetype<AvbdJoint>(<usize>avbdState().joints + <usize>joint * AVBD_JOINT_STRIDE);
}

export function avbdRow(row: u32): AvbdRow {
  return changetype<AvbdRow>(<usize>avbdState().rows + <usize>row * AVBD_ROW_STRIDE);
}

/** First row of a constraint; of the one behind the last, the end of the rows. */
export function firstRow(set: u32): u32 {
  return at32(avbdState().setStarts, set);
}
