// Layout of the lanes (lanes.ts): groups of four manifolds in solver form, lists that put groups in an order.
//
// A group is a block of v128 fields, one manifold a lane, all four with the same number of points: its class. Groups of a
// class lie in an array of their own, so that a group is as long as its points need; what only some passes read (previous
// impulses, restitution) lies in a second array beside it. A list is a color, the overflow or the sequential order: words that
// name groups by class and index. Unused lanes are zero and name the bodies of lane 0. Everything hangs on the solver's block
// at header().laneState.
//
// Fields follow docs/solvers.md, "A manifold in its own frame": n, t and u = n x t at the mean point of the contact, points
// as offsets along t and u from there.
import { STUDY } from '../edition';
import { header } from '../memory/header';

export const COLORS: u32 = 32;
export const OVERFLOW: u32 = 32;
export const SEQUENTIAL: u32 = STUDY ? 33 : 0;
export const LISTS: u32 = SEQUENTIAL + 1;
/** Numbers of points that a manifold can have: classes 0 to 3 hold manifolds of 1 to 4 points. */
export const CLASSES: u32 = 4;

// Byte offsets of the fields of a group.
export const G_BODY_A: usize = 0; // byte offset of the body row, u32 a lane
export const G_BODY_B: usize = 16;
export const G_NORMAL: usize = 32; // 3
export const G_TANGENT: usize = 80; // 3
export const G_LEVERS: usize = 128; // rB - rA at the mean point, 3
export const G_LEVER_B: usize = 176; // mean point from B, 3
export const G_TANGENT_MASS: usize = 224; // inverse of the 2x2 block: 11 12 22
export const G_TWIST_MASS: usize = 272;
export const G_FRICTION: usize = 288; // mu
export const G_TWIST_FRICTION: usize = 304; // mu * twistRadius
export const G_TANGENT_IMPULSE: usize = 320; // 2
export const G_TWIST_IMPULSE: usize = 352;
export const G_INERTIA_A: usize = 368; // world inverse inertia, xx yy zz xy xz yz
export const G_INERTIA_B: usize = 464;
export const G_STATIC: usize = 560; // all bits if one body has no mass: stiffer contact
export const G_PUSH_SHARE: usize = 576; // of the speed of pushing out (Manifold.pushCut)
export const G_ROLL_LEVER: usize = 592; // m (Manifold.rollLever); 0 where nothing resists rolling
/** Response of the normal speed to unit friction impulses along t, u and about n; with more points also of w . t and w . u. */
export const G_COUPLING: usize = 608;

// Points, from pointsOf(k): separation and impulse of each; then effective masses (with offsets along t and u); then the
// couplings of normal rows, i > j, at i (i - 1) / 2 + j.
export const P_SEPARATION: usize = 0;
export const P_IMPULSE: usize = 16;
export const P_STRIDE: usize = 32;
export const R_MASS: usize = 0;
export const R_ALONG_T: usize = 16;
export const R_ALONG_U: usize = 32;

// Beside a group: byte offsets of what the sweep of a resting pile hardly reads.
export const S_MANIFOLD: usize = 0; // u32 a lane, NONE if the lane is not in use
export const S_MARK: usize = 16; // all bits in lanes whose manifold was made anew since they were written
export const S_RESTITUTION: usize = 32;
// Normal impulse of the step without restitution: sum over points and substeps, one number a lane, kept where a begin of
// touching is waited for (impacts.ts) and 0 between steps; -infinity where none is.
export const S_STEP_IMPULSE: usize = 48;
// Rolling resistance, where G_ROLL_LEVER is not 0.
export const S_ROLL_IMPULSE: usize = 64; // 2
export const S_ROLL_MASS: usize = 96; // inverse of the 2x2 block: 11 12 22
/** Velocity of the surfaces along t, u and about n, 3. */
export const S_SURFACE: usize = 144;
export const S_RATE: usize = 192; // how the first two change, m/s2, 2
export const S_NEXT: usize = 224; // u32: word of the next open group of its cell (runs.ts), NONE
export const S_LOCKED: usize = 228; // u32: bits of lanes whose body A (0-3), B (4-7) has locked axes
export const S_LISTED: usize = 232; // u32: 1 while the group is in the list of those with marked lanes, once
export const S_STRUCK: usize = 236; // u32: bits of lanes in whose manifolds a fast impact is awaited in this step (setStruck)
export const S_POINTS: usize = 240;
// Fields of a point, from its start.
export const S_PREVIOUS: usize = 0; // impulse at the end of the last substep
export const S_EXCESS: usize = 16; // part of the impulse that the next warm start leaves out
export const S_MAX_IMPULSE: usize = 32; // largest impulse of the step, where something bounces
export const S_STRIDE: usize = 48;

/** Offset of the points of a group with k points. */
export function pointsAt(k: u32): usize {
  return k == 1 ? G_COUPLING + 48 : G_COUPLING + 144;
}
/** Offset of the effective masses: 16 bytes with one point, with more 48 a point. */
export function rowsAt(k: u32): usize {
  return pointsAt(k) + <usize>k * P_STRIDE;
}
/** Bytes from one effective mass to the next. */
export function rowStride(k: u32): usize {
  return k == 1 ? 16 : 48;
}
/** Offset of the couplings of normal rows. */
export function couplingsAt(k: u32): usize {
  return rowsAt(k) + <usize>k * rowStride(k);
}
/** Bytes of a group with k points. */
export function groupStride(k: u32): usize {
  return couplingsAt(k) + <usize>(k * (k - 1)) * 8;
}
/** Bytes beside a group with k points. */
export function sideStride(k: u32): usize {
  return S_POINTS + <usize>k * S_STRIDE;
}

// The solver's block: classes, lists.
// A class: address and capacity of its groups, address and capacity of what lies beside them, number of groups.
const CLASS_STRIDE: usize = 32;
export const C_GROUPS: usize = 0;
export const C_SIDES: usize = 8;
export const C_COUNT: usize = 16;
// A list: its groups in order (u32[]: address, capacity, count), then for each class the groups of the list with free lanes;
// those of the sequential order have theirs with their runs.
const LIST_STRIDE: usize = 64;
export const L_OPEN: usize = 12;
const OPEN_STRIDE: usize = 12;
const LISTS_AT: usize = <usize>CLASSES * CLASS_STRIDE;
export const START_ROWS: usize = LISTS_AT + <usize>LISTS * LIST_STRIDE; // v, w by body, start of a substep; address, capacity
export const MARKED: usize = START_ROWS + 16; // u32[]: groups with marked lanes; address, capacity, count
export const HIT_LIST: usize = MARKED + 16; // u32[]: groups whose sums have left 0 in this step; address, capacity, count
export const LANES_USED: usize = HIT_LIST + 12; // lanes in use
export const STATE_BYTES: usize = HIT_LIST + 16;

/** The record of a class (C_*); k = points of its manifolds. */
export function classOf(k: u32): usize {
  return <usize>header().laneState + <usize>(k - 1) * CLASS_STRIDE;
}

/** The list of a color: address, capacity and count of the words that name its groups. */
export function colorList(color: u32): usize {
  return <usize>header().laneState + LISTS_AT + <usize>color * LIST_STRIDE;
}

/** Groups of a list with k points and a free lane: address, capacity, count of the words that name them. */
export function openList(color: u32, k: u32): usize {
  return colorList(color) + L_OPEN + <usize>(k - 1) * OPEN_STRIDE;
}

/** Address behind the last word of a list. */
export function groupsEnd(list: usize): usize {
  return <usize>load<u32>(list) + ((<usize>load<u32>(list, 8)) << 2);
}

/** Points a manifold of a group has, from the word that names the group. */
export function pointsOfGroup(word: u32): u32 {
  return (word & 3) + 1;
}

/** The word that names a group: its place in the array of its class. */
export function groupWord(k: u32, index: u32): u32 {
  return (index << 2) | (k - 1);
}

/** Address of a group. */
export function groupPtr(word: u32): usize {
  const k: u32 = pointsOfGroup(word);
  return <usize>load<u32>(classOf(k), C_GROUPS) + <usize>(word >> 2) * groupStride(k);
}

/** Address of what lies beside a group. */
export function sidePtr(word: u32): usize {
  const k: u32 = pointsOfGroup(word);
  return <usize>load<u32>(classOf(k), C_SIDES) + <usize>(word >> 2) * sideStride(k);
}
