// Offsets in the packed buffers of SplitState (pack.ts).
import {
  SPLIT_LINK_STRIDE,
  SPLIT_MEMBER_STRIDE,
  SPLIT_STEP_SLOT,
  SplitLink,
  SplitMember,
  SplitPoints,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { splitState } from '../memory/split_state';

/** Link l as a member of its cell. */
export function memberAt(l: u32): SplitMember {
  return changetype<SplitMember>(<usize>splitState().members + <usize>l * SPLIT_MEMBER_STRIDE);
}

export function linkAt(s: SplitState, l: u32): SplitLink {
  return changetype<SplitLink>(<usize>s.links + <usize>l * SPLIT_LINK_STRIDE);
}

/** Points of link l. */
export function pointsOf(s: SplitState, l: u32): SplitPoints {
  return changetype<SplitPoints>(<usize>s.points + ((<usize>(l * s.pointRows)) << 4));
}

// Steps behind the solve passes, relative to passCount.
export const STEP_EDIT: u32 = 0;
export const STEP_SPREAD: u32 = 1;
export const STEP_PREPARE: u32 = 2;
export const STEP_ISLAND: u32 = 3;
export const STEP_ISLAND_JOINTS: u32 = 4;
export const STEP_FINALISE: u32 = 5;
export const STEP_COLLECT: u32 = 6;

/** A parameter block of this step. */
export function stepAt(index: u32): SplitStep {
  return changetype<SplitStep>(<usize>splitState().steps + <usize>index * <usize>SPLIT_STEP_SLOT);
}

/** Address of the impulses of a manifold. */
export function impulsesOf(s: SplitState, manifold: u32): usize {
  return <usize>s.impulses + ((<usize>(manifold * s.impulseStride)) << 4);
}

/** Address of the angular impulses of rolling resistance, the last row. */
export function rollRow(s: SplitState, impulses: usize): usize {
  return impulses + ((<usize>(s.impulseStride - 1)) << 4);
}
