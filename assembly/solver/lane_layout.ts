// Layout of the lanes (lanes.ts): lists of groups, groups of four manifolds, points in a group.
//
// A group is a block of v128 fields, one manifold a lane. Unused lanes are zero and name the bodies of lane 0, whose rows are
// stored last. A list is a color, the overflow or the sequential order; the lists and what else the solver on lanes keeps from
// step to step lie in one block at header().coloredState.
import { header } from '../memory/header';

// @ts-ignore: decorator
@inline export const COLORS: u32 = 32;
// @ts-ignore: decorator
@inline export const OVERFLOW: u32 = 32;
// @ts-ignore: decorator
@inline export const SEQUENTIAL: u32 = 33;
// @ts-ignore: decorator
@inline export const LISTS: u32 = 34;
// @ts-ignore: decorator
@inline const LIST_STRIDE: usize = 16; // base, capacity (groups), lanes, unused

// Byte offsets of the fields of a group.
// @ts-ignore: decorator
@inline export const G_BODY_A: usize = 0; // byte offset of the body row, u32 a lane
// @ts-ignore: decorator
@inline export const G_BODY_B: usize = 16;
// @ts-ignore: decorator
@inline export const G_MANIFOLD: usize = 32;
// @ts-ignore: decorator
@inline export const G_COUNT: usize = 48; // points of the manifold, u32 a lane
// @ts-ignore: decorator
@inline export const G_NORMAL: usize = 64; // 3
// @ts-ignore: decorator
@inline export const G_TANGENT: usize = 112; // 3
// @ts-ignore: decorator
@inline export const G_STATIC: usize = 160; // all bits if one body has no mass: stiffer contact
// @ts-ignore: decorator
@inline export const G_FRICTION: usize = 176; // mu
// @ts-ignore: decorator
@inline export const G_TWIST_FRICTION: usize = 192; // mu * twistRadius
// @ts-ignore: decorator
@inline export const G_TANGENT_IMPULSE: usize = 208; // 2
// @ts-ignore: decorator
@inline export const G_TWIST_IMPULSE: usize = 240;
// @ts-ignore: decorator
@inline export const G_TANGENT_MASS: usize = 256; // inverse of the 2x2 block: 11 12 22
// @ts-ignore: decorator
@inline export const G_TWIST_MASS: usize = 304;
// @ts-ignore: decorator
@inline export const G_ARM_A1: usize = 320; // rA x t1, 3 each
// @ts-ignore: decorator
@inline export const G_ARM_B1: usize = 368;
// @ts-ignore: decorator
@inline export const G_ARM_A2: usize = 416;
// @ts-ignore: decorator
@inline export const G_ARM_B2: usize = 464;
// @ts-ignore: decorator
@inline export const G_TURN_A1: usize = 512; // I_A^-1 (rA x t1), 3 each
// @ts-ignore: decorator
@inline export const G_TURN_B1: usize = 560;
// @ts-ignore: decorator
@inline export const G_TURN_A2: usize = 608;
// @ts-ignore: decorator
@inline export const G_TURN_B2: usize = 656;
// @ts-ignore: decorator
@inline export const G_TURN_AN: usize = 704; // I_A^-1 n
// @ts-ignore: decorator
@inline export const G_TURN_BN: usize = 752;
// @ts-ignore: decorator
@inline export const G_POINTS: usize = 800;
// Fields of a point, from its start.
// @ts-ignore: decorator
@inline export const P_ARM_A: usize = 0; // rA x n, 3
// @ts-ignore: decorator
@inline export const P_ARM_B: usize = 48;
// @ts-ignore: decorator
@inline export const P_TURN_A: usize = 96; // I_A^-1 (rA x n), 3
// @ts-ignore: decorator
@inline export const P_TURN_B: usize = 144;
// @ts-ignore: decorator
@inline export const P_MASS: usize = 192; // 1 / K
// @ts-ignore: decorator
@inline export const P_SEPARATION: usize = 208;
// @ts-ignore: decorator
@inline export const P_IMPULSE: usize = 224;
// @ts-ignore: decorator
@inline export const P_PREVIOUS: usize = 240; // impulse at the end of the last substep
// @ts-ignore: decorator
@inline export const P_STRIDE: usize = 256;
// Behind the points, touched only where something bounces: restitution, then per point the largest impulse of the step.
// @ts-ignore: decorator
@inline export const G_RESTITUTION: usize = 1824;
// @ts-ignore: decorator
@inline export const G_MAX_IMPULSE: usize = 1840;
// Part of each point's impulse that the next warm start leaves out (4).
// @ts-ignore: decorator
@inline export const G_EXCESS: usize = 1904;
// Share of the speed of pushing out (Manifold.pushCut).
// @ts-ignore: decorator
@inline export const G_PUSH_SHARE: usize = 1968;
// Normal impulse of the step without restitution: sum over points and substeps, one number a lane, kept where a begin of
// touching is waited for (impacts.ts) and 0 between steps; -infinity where none is.
// @ts-ignore: decorator
@inline export const G_STEP_IMPULSE: usize = 2032;
// @ts-ignore: decorator
@inline export const GROUP_STRIDE: usize = 2048;
// Solver parameters and other addresses behind the lists of the solver's block.
// @ts-ignore: decorator
@inline export const PARAMS: usize = <usize>LISTS * LIST_STRIDE;
// @ts-ignore: decorator
@inline export const START_ROWS: usize = PARAMS + 192; // address and capacity of the rows v, w at the start of a substep
// @ts-ignore: decorator
@inline export const SPIKE_LIST: usize = START_ROWS + 16; // u32[]: groups with an excess; address, capacity
// @ts-ignore: decorator
@inline export const OPEN: usize = SPIKE_LIST + 16; // u32[]: sequential groups with free lanes; address, capacity, count
// @ts-ignore: decorator
@inline export const HIT_LIST: usize = OPEN + 16; // u32[]: groups whose sums have left 0 in this step; address, capacity, count
// @ts-ignore: decorator
@inline export const STATE_BYTES: usize = HIT_LIST + 16;

/** List of a color: base (u32), capacity in groups, lanes in use. */
// @ts-ignore: decorator
@inline
export function colorList(color: u32): usize {
  return <usize>header().coloredState + <usize>color * LIST_STRIDE;
}

/** Address behind the last group of a list. */
// @ts-ignore: decorator
@inline
export function groupsEnd(list: usize): usize {
  return <usize>load<u32>(list) + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE;
}

/** Address of lane `lane` of a color: field f of the lane lies at this address + f. */
// @ts-ignore: decorator
@inline
export function lanePtr(color: u32, lane: u32): usize {
  return <usize>load<u32>(colorList(color)) + <usize>(lane >> 2) * GROUP_STRIDE + ((<usize>(lane & 3)) << 2);
}
