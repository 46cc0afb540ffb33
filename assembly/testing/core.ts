// Test entry of the broad phase, the pair map and the lanes.
import { Tree, broadphaseState } from '../broadphase/state';
import { queryTree } from '../broadphase/bvh4';
import { findPair } from '../broadphase/pair_map';
import { colorList } from '../solver/lane_layout';

/** Colliders of the moving (0) or static (1) tree that overlap a box: count; indices in the hit buffer at hitsPtr(). */
export function testQueryTree(statics: u32, minX: f32, minY: f32, minZ: f32, maxX: f32, maxY: f32, maxZ: f32): u32 {
  const s = broadphaseState();
  const tree: Tree = changetype<Tree>(<usize>(statics != 0 ? s.statics : s.moving));
  return queryTree(tree, f32x4(minX, minY, minZ, 0), f32x4(maxX, maxY, maxZ, 0), s.hits);
}
export function hitsPtr(): u32 {
  return broadphaseState().hits;
}
export function testFindPair(a: u32, b: u32): u32 {
  return findPair(a, b);
}
/** Base address of a color's groups, its lanes in use, the color masks of bodies. */
export function colorBase(color: u32): u32 {
  return load<u32>(colorList(color));
}
export function colorLanes(color: u32): u32 {
  return load<u32>(colorList(color), 8);
}
export function colorMasks(): u32 {
  return broadphaseState().colorMasks;
}
