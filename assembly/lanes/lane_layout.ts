// Layout of the lanes (lanes.ts): groups of four manifolds in solver form, and lists that order groups.
//
// A group is a block of v128 fields, one manifold per lane, all four with the same number of points: its class. Groups of a class
// lie in an array of their own, so that a group is only as long as its points need. Data that only some passes read (previous
// impulses, restitution) lie in a second array. The list of groups orders them: its words name groups by class and index. Unused
// lanes are zero and name the bodies of lane 0. Everything is reached from the solver's block at header().laneState.
import {
  BODY_ROW_STRIDE,
  CONTACT_GROUP_STRIDE,
  CONTACT_POINTS_STRIDE,
  CONTACT_ROWS_STRIDE,
  CONTACT_SIDE_POINTS_STRIDE,
  CONTACT_SIDE_STRIDE,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  ContactSidePoints,
  GROUP_CLASSES,
  GROUP_CLASS_STRIDE,
  GROUP_LIST,
  GroupClass,
  HIT_GROUPS,
  LaneState,
  MARKED_GROUPS,
  NONE,
  WordList,
} from '../layout.generated';
import { header } from '../memory/header';

/** Numbers of points that a manifold can have: classes 0 to 3 hold manifolds of 1 to 4 points. */
export const CLASSES: u32 = 4;

// A group: ContactGroup, without the last six columns where manifolds have one point; then ContactPoints, one a point; then the
// effective masses, with offsets along t and u (ContactRows) where there are several points; then the couplings of normal rows,
// i > j, at i (i - 1) / 2 + j.

/** Bytes of the head of a group with k points. */
// @ts-ignore: decorator
@inline
function headBytes(k: u32): usize {
  return k == 1 ? offsetof<ContactGroup>('couplingT1') : CONTACT_GROUP_STRIDE;
}
/** Point i of the manifolds of a group with k points. */
// @ts-ignore: decorator
@inline
export function pointsOf(g: ContactGroup, k: u32, i: u32 = 0): ContactPoints {
  return changetype<ContactPoints>(changetype<usize>(g) + headBytes(k) + <usize>i * CONTACT_POINTS_STRIDE);
}
// @ts-ignore: decorator
@inline
export function nextPoints(p: ContactPoints): ContactPoints {
  return changetype<ContactPoints>(changetype<usize>(p) + CONTACT_POINTS_STRIDE);
}
/** Bytes from one normal row to the next. */
// @ts-ignore: decorator
@inline
function rowBytes(k: u32): usize {
  return k == 1 ? offsetof<ContactRows>('alongT') : CONTACT_ROWS_STRIDE;
}
/** Normal rows i of a group with k points. */
// @ts-ignore: decorator
@inline
export function rowsOf(g: ContactGroup, k: u32, i: u32 = 0): ContactRows {
  return changetype<ContactRows>(changetype<usize>(pointsOf(g, k, k)) + <usize>i * rowBytes(k));
}
/** The next ones where there are several. */
// @ts-ignore: decorator
@inline
export function nextRows(r: ContactRows): ContactRows {
  return changetype<ContactRows>(changetype<usize>(r) + CONTACT_ROWS_STRIDE);
}
/** Address of the couplings of normal rows, a column each. */
// @ts-ignore: decorator
@inline
export function couplingsOf(g: ContactGroup, k: u32): usize {
  return changetype<usize>(rowsOf(g, k, k));
}
/** Beside point i. */
// @ts-ignore: decorator
@inline
export function sidePointsOf(side: ContactSide, i: u32 = 0): ContactSidePoints {
  return changetype<ContactSidePoints>(changetype<usize>(side) + CONTACT_SIDE_STRIDE + <usize>i * CONTACT_SIDE_POINTS_STRIDE);
}
// @ts-ignore: decorator
@inline
export function nextSidePoints(q: ContactSidePoints): ContactSidePoints {
  return changetype<ContactSidePoints>(changetype<usize>(q) + CONTACT_SIDE_POINTS_STRIDE);
}
/** Byte offset of the BodyRow of body A of a lane; that of B. */
// @ts-ignore: decorator
@inline
export function rowOfA(g: ContactGroup, lane: usize): u32 {
  return load<u32>(changetype<usize>(g) + (lane << 2), offsetof<ContactGroup>('bodyA'));
}
// @ts-ignore: decorator
@inline
export function rowOfB(g: ContactGroup, lane: usize): u32 {
  return load<u32>(changetype<usize>(g) + (lane << 2), offsetof<ContactGroup>('bodyB'));
}
/** The bodies themselves. */
export function bodyOfA(g: ContactGroup, lane: usize): u32 {
  return rowOfA(g, lane) / <u32>BODY_ROW_STRIDE;
}
export function bodyOfB(g: ContactGroup, lane: usize): u32 {
  return rowOfB(g, lane) / <u32>BODY_ROW_STRIDE;
}
/** The manifold of a lane, NONE in one that is not in use; the used ones are the first. */
export function manifoldOf(side: ContactSide, lane: usize): u32 {
  return load<u32>(changetype<usize>(side) + (lane << 2), offsetof<ContactSide>('manifold'));
}
/** Lanes in use. */
export function lanesUsed(side: ContactSide): u32 {
  return ctz<u32>(~i32x4.bitmask(i32x4.ne(side.manifold, i32x4.splat(NONE))));
}
/** Whether a group holds nothing: groups that have been left stay in their list, open. */
// @ts-ignore: decorator
@inline
export function isEmpty(g: ContactGroup): bool {
  return rowOfA(g, 0) == NONE;
}
/** Bytes of a group with k points. */
export function groupStride(k: u32): usize {
  return headBytes(k) + <usize>k * (CONTACT_POINTS_STRIDE + rowBytes(k)) + <usize>(k * (k - 1)) * 8;
}
/** Bytes beside a group with k points. */
export function sideStride(k: u32): usize {
  return CONTACT_SIDE_STRIDE + <usize>k * CONTACT_SIDE_POINTS_STRIDE;
}

export function laneState(): LaneState {
  return changetype<LaneState>(<usize>header().laneState);
}

/** The groups of manifolds with k points. */
export function classOf(k: u32): GroupClass {
  return changetype<GroupClass>(<usize>header().laneState + GROUP_CLASSES + <usize>(k - 1) * GROUP_CLASS_STRIDE);
}

/** The list of groups. */
export function groupList(): WordList {
  return changetype<WordList>(<usize>header().laneState + GROUP_LIST);
}

/** Groups whose rows are computed again before the next solve. */
export function markedGroups(): WordList {
  return changetype<WordList>(<usize>header().laneState + MARKED_GROUPS);
}

/** Groups whose sums have left 0 in this step. */
export function hitGroups(): WordList {
  return changetype<WordList>(<usize>header().laneState + HIT_GROUPS);
}

/** Address behind the last word of a list. */
export function groupsEnd(list: WordList): usize {
  return <usize>list.words + ((<usize>list.count) << 2);
}

/** Points a manifold of a group has, from the word that names the group. */
export function pointsOfGroup(word: u32): u32 {
  return (word & 3) + 1;
}

/** The word that names a group: its place in the array of its class. */
export function groupWord(k: u32, index: u32): u32 {
  return (index << 2) | (k - 1);
}

/**
 * Set in the words of the solver's lists while a step is solved: something in the group bounces, or a fast impact is awaited in
 * it. So sweeps know it without a look at the group's side.
 */
export const BOUNCES: u32 = 1 << 31;

/** The place of a group in the array of its class. */
// @ts-ignore: decorator
@inline
function indexOf(word: u32): usize {
  return <usize>((word & ~BOUNCES) >> 2);
}

/** The group that a word names. */
export function groupAt(word: u32): ContactGroup {
  const k: u32 = pointsOfGroup(word);
  return changetype<ContactGroup>(<usize>classOf(k).groups + indexOf(word) * groupStride(k));
}

/** The cold part of a group. */
export function sideAt(word: u32): ContactSide {
  const k: u32 = pointsOfGroup(word);
  return changetype<ContactSide>(<usize>classOf(k).sides + indexOf(word) * sideStride(k));
}
