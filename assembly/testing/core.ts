// Test entry of the broad phase, the pair map and the lanes.
import { BoxTree, WordList } from '../layout.generated';
import { queryTree } from '../broadphase/bvh4';
import { broadphaseState } from '../broadphase/state';
import { nodeAt } from '../constraints/lists';
import { findPair } from '../constraints/pair_map';
import { groupAt, groupList, sideAt } from '../lanes/lane_layout';
import { rootOfBody, substepsOf } from '../lanes/batches';
import { LISTS, colorList } from '../study/colored_lanes';
import { at32 } from '../memory/words';

/** Colliders of the moving (0) or static (1) tree that overlap a box: count; indices in the hit buffer at hitsPtr(). */
export function testQueryTree(statics: u32, minX: f32, minY: f32, minZ: f32, maxX: f32, maxY: f32, maxZ: f32): u32 {
  const s = broadphaseState();
  const tree: BoxTree = changetype<BoxTree>(<usize>(statics != 0 ? s.statics : s.moving));
  return queryTree(tree, f32x4(minX, minY, minZ, 0), f32x4(maxX, maxY, maxZ, 0), s.hits);
}
export function hitsPtr(): u32 {
  return broadphaseState().hits;
}
export function testFindPair(a: u32, b: u32): u32 {
  return findPair(a, b);
}
/** A list of groups: a color, the overflow, then that of the sequential order. */
function listOf(list: u32): WordList {
  return list < LISTS ? colorList(list) : groupList();
}
/** Groups of a list, the word that names one, its address and that of its cold part. */
export function listLength(list: u32): u32 {
  return listOf(list).count;
}
export function listWord(list: u32, at: u32): u32 {
  return at32(listOf(list).words, at);
}
export function groupAddress(word: u32): u32 {
  return <u32>changetype<usize>(groupAt(word));
}
export function sideAddress(word: u32): u32 {
  return <u32>changetype<usize>(sideAt(word));
}
/** Bits of the colors of a body's manifolds. */
export function testColorsOf(body: u32): u32 {
  return nodeAt(body).colors;
}
/** The batch of a body (its root; -1: none) and the substeps of that. */
export function testBatchOf(body: u32): i32 {
  return <i32>rootOfBody(body);
}
export function testSubstepsOf(body: u32): u32 {
  return substepsOf(body);
}
