// A four-way tree of boxes over colliders sorted along a Morton curve.
//
// Leaves lie in sorted order; four consecutive boxes share a node, four consecutive nodes a parent, and so on. The tree is
// implicit: building it is a radix sort and one sweep a level, refitting a leaf touches one node a level, and a query tests
// four boxes at once. A node is six v128: minX minY minZ maxX maxY maxZ of its four children; absent children have
// min = +inf, max = -inf and never overlap.
import {
  AABB_STRIDE,
  Aabb,
  BOX_NODE_STRIDE,
  BoxNode,
  BoxTree,
  BroadphaseState,
  COLLIDER_STRIDE,
  Collider,
  NONE,
  TREE_PLACE_STRIDE,
  TreePlace,
} from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { threadBlock } from '../threads/team';
import { broadphaseState } from './state';

const MORTON_BITS: u32 = 10;
// Boxes larger than this (m) are those of planes: the grid of the others does not know them.
const HUGE: f32 = 1e8;

function isHuge(box: usize): bool {
  return (i32x4.bitmask(f32x4.gt(f32x4.sub(v128.load(box, offsetof<Aabb>('maxX')), v128.load(box)), f32x4.splat(HUGE))) & 7) != 0;
}

function spread3(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

function clearNode(node: usize): void {
  const inf: v128 = f32x4.splat(f32.MAX_VALUE);
  const neg: v128 = f32x4.splat(-f32.MAX_VALUE);
  v128.store(node, inf);
  v128.store(node, inf, offsetof<BoxNode>('minY'));
  v128.store(node, inf, offsetof<BoxNode>('minZ'));
  v128.store(node, neg, offsetof<BoxNode>('maxX'));
  v128.store(node, neg, offsetof<BoxNode>('maxY'));
  v128.store(node, neg, offsetof<BoxNode>('maxZ'));
}

function setChild(node: usize, child: u32, min: v128, max: v128): void {
  const p: usize = node + ((<usize>child) << 2);
  store<f32>(p, f32x4.extract_lane(min, 0));
  store<f32>(p, f32x4.extract_lane(min, 1), offsetof<BoxNode>('minY'));
  store<f32>(p, f32x4.extract_lane(min, 2), offsetof<BoxNode>('minZ'));
  store<f32>(p, f32x4.extract_lane(max, 0), offsetof<BoxNode>('maxX'));
  store<f32>(p, f32x4.extract_lane(max, 1), offsetof<BoxNode>('maxY'));
  store<f32>(p, f32x4.extract_lane(max, 2), offsetof<BoxNode>('maxZ'));
}

/** Whether the box of a leaf is [min, max]. */
export function isLeafBox(tree: BoxTree, leaf: u32, min: v128, max: v128): bool {
  const p: usize = <usize>tree.nodes + <usize>(leaf >> 2) * BOX_NODE_STRIDE + ((<usize>(leaf & 3)) << 2);
  const low: v128 = f32x4(load<f32>(p), load<f32>(p, offsetof<BoxNode>('minY')), load<f32>(p, offsetof<BoxNode>('minZ')), 0),
    high: v128 = f32x4(
      load<f32>(p, offsetof<BoxNode>('maxX')),
      load<f32>(p, offsetof<BoxNode>('maxY')),
      load<f32>(p, offsetof<BoxNode>('maxZ')),
      0,
    );
  return (i32x4.bitmask(v128.and(f32x4.eq(low, min), f32x4.eq(high, max))) & 7) == 7;
}

function lowest(v: v128): f32 {
  const a: v128 = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return min<f32>(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
}

function highest(v: v128): f32 {
  const a: v128 = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return max<f32>(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
}

function pullUp(node: usize, parent: usize, child: u32): void {
  const p: usize = parent + ((<usize>child) << 2);
  store<f32>(p, lowest(v128.load(node)));
  store<f32>(p, lowest(v128.load(node, offsetof<BoxNode>('minY'))), offsetof<BoxNode>('minY'));
  store<f32>(p, lowest(v128.load(node, offsetof<BoxNode>('minZ'))), offsetof<BoxNode>('minZ'));
  store<f32>(p, highest(v128.load(node, offsetof<BoxNode>('maxX'))), offsetof<BoxNode>('maxX'));
  store<f32>(p, highest(v128.load(node, offsetof<BoxNode>('maxY'))), offsetof<BoxNode>('maxY'));
  store<f32>(p, highest(v128.load(node, offsetof<BoxNode>('maxZ'))), offsetof<BoxNode>('maxZ'));
}

/** Stable radix sort of n keys with their payload, 3 passes of 11 bits; keys and payload ping-pong into the second halves. */
function radixSort(keys: usize, items: usize, n: u32, histogram: usize): void {
  let fromK: usize = keys,
    fromI: usize = items;
  let toK: usize = keys + ((<usize>n) << 2),
    toI: usize = items + ((<usize>n) << 2);
  for (let pass: u32 = 0; pass < 3; pass++) {
    const shift: u32 = pass * 11;
    memory.fill(histogram, 0, 2048 * 4);
    for (let i: usize = 0; i < <usize>n; i++) {
      const p: usize = histogram + ((<usize>((load<u32>(fromK + (i << 2)) >> shift) & 2047)) << 2);
      store<u32>(p, load<u32>(p) + 1);
    }
    let sum: u32 = 0;
    for (let i: usize = 0; i < 2048; i++) {
      const p: usize = histogram + (i << 2);
      const c: u32 = load<u32>(p);
      store<u32>(p, sum);
      sum += c;
    }
    for (let i: usize = 0; i < <usize>n; i++) {
      const key: u32 = load<u32>(fromK + (i << 2));
      const p: usize = histogram + ((<usize>((key >> shift) & 2047)) << 2);
      const at: usize = load<u32>(p);
      store<u32>(p, <u32>at + 1);
      store<u32>(toK + (at << 2), key);
      store<u32>(toI + (at << 2), load<u32>(fromI + (i << 2)));
    }
    const k: usize = fromK;
    fromK = toK;
    toK = k;
    const j: usize = fromI;
    fromI = toI;
    toI = j;
  }
  // Three passes end in the second half.
  memory.copy(items, fromI, (<usize>n) << 2);
}

/** Sorts the colliders listed in the tree's leaves (holes dropped) and builds all levels. Returns false without memory. */
export function buildTree(tree: BoxTree): bool {
  const h = header();
  const s: BroadphaseState = broadphaseState();
  const boxes: usize = h.aabbs;
  const colliders: usize = h.colliders;
  const leaves: usize = tree.leaves;
  let n: u32 = 0;
  let lo: v128 = f32x4.splat(f32.MAX_VALUE),
    hi: v128 = f32x4.splat(-f32.MAX_VALUE);
  for (let i: u32 = 0; i < tree.leafCount; i++) {
    const c: u32 = load<u32>(leaves + ((<usize>i) << 2));
    if (c == NONE) continue;
    store<u32>(leaves + ((<usize>n) << 2), c);
    n++;
    const box: usize = boxes + <usize>c * AABB_STRIDE;
    if (isHuge(box)) continue;
    const center: v128 = f32x4.add(v128.load(box), v128.load(box, offsetof<Aabb>('maxX')));
    lo = f32x4.pmin(lo, center);
    hi = f32x4.pmax(hi, center);
  }
  tree.leafCount = n;
  tree.dirty = 0;
  tree.moved = 0;
  tree.empty = 0;
  tree.levelCount = 0;
  tree.built = 0;
  if (n == 0) return true;

  const keys: usize = s.keys,
    items: usize = keys + ((<usize>n) << 3);
  // Largest side of the cloud decides the grid so that cells are cubes.
  const size: v128 = f32x4.sub(hi, lo);
  const side: f32 = max<f32>(max<f32>(f32x4.extract_lane(size, 0), f32x4.extract_lane(size, 1)), f32x4.extract_lane(size, 2));
  const scale: v128 = f32x4.splat(side > 0 ? <f32>((1 << MORTON_BITS) - 1) / side : 0);
  for (let i: u32 = 0; i < n; i++) {
    const c: u32 = load<u32>(leaves + ((<usize>i) << 2));
    const box: usize = boxes + <usize>c * AABB_STRIDE;
    const cell: v128 = i32x4.trunc_sat_f32x4_u(
      f32x4.mul(f32x4.sub(f32x4.add(v128.load(box), v128.load(box, offsetof<Aabb>('maxX'))), lo), scale),
    );
    const key: u32 =
      spread3(i32x4.extract_lane(cell, 0) & 1023) |
      (spread3(i32x4.extract_lane(cell, 1) & 1023) << 1) |
      (spread3(i32x4.extract_lane(cell, 2) & 1023) << 2);
    store<u32>(keys + ((<usize>i) << 2), isHuge(box) ? 0 : key);
    store<u32>(items + ((<usize>i) << 2), c);
  }
  radixSort(keys, items, n, s.histogram);
  memory.copy(leaves, items, (<usize>n) << 2);

  let nodeCount: u32 = 0;
  let width: u32 = n;
  let levels: u32 = 0;
  do {
    store<u32>(<usize>tree.levels + ((<usize>levels) << 2), nodeCount);
    width = (width + 3) >> 2;
    nodeCount += width;
    levels++;
  } while (width > 1);
  tree.levelCount = levels;
  const treePtr: usize = changetype<usize>(tree);
  if (!ensureArray(treePtr + offsetof<BoxTree>('nodes'), BOX_NODE_STRIDE, nodeCount)) return false;
  const nodes: usize = tree.nodes;
  for (let i: u32 = 0; i < nodeCount; i++) clearNode(nodes + <usize>i * BOX_NODE_STRIDE);
  for (let i: u32 = 0; i < n; i++) {
    const c: u32 = load<u32>(leaves + ((<usize>i) << 2));
    changetype<Collider>(colliders + <usize>c * COLLIDER_STRIDE).leaf = i;
    const box: usize = boxes + <usize>c * AABB_STRIDE;
    setChild(nodes + <usize>(i >> 2) * BOX_NODE_STRIDE, i & 3, v128.load(box), v128.load(box, offsetof<Aabb>('maxX')));
  }
  refitLevels(tree);
  tree.built = n;
  return true;
}

/** Recomputes every level above the leaves' parents. */
export function refitLevels(tree: BoxTree): void {
  const nodes: usize = tree.nodes;
  let width: u32 = (tree.leafCount + 3) >> 2;
  for (let level: u32 = 1; level < tree.levelCount; level++) {
    const below: usize = nodes + <usize>load<u32>(<usize>tree.levels + ((<usize>(level - 1)) << 2)) * BOX_NODE_STRIDE;
    const here: usize = nodes + <usize>load<u32>(<usize>tree.levels + ((<usize>level) << 2)) * BOX_NODE_STRIDE;
    for (let i: u32 = 0; i < width; i++)
      pullUp(below + <usize>i * BOX_NODE_STRIDE, here + <usize>(i >> 2) * BOX_NODE_STRIDE, i & 3);
    width = (width + 3) >> 2;
  }
}

/** Writes the box of a leaf; `path` also refits its ancestors (few moved leaves), else the caller calls refitLevels. */
export function setLeaf(tree: BoxTree, leaf: u32, min: v128, max: v128, path: bool): void {
  const nodes: usize = tree.nodes;
  let index: u32 = leaf >> 2;
  setChild(nodes + <usize>index * BOX_NODE_STRIDE, leaf & 3, min, max);
  if (!path) return;
  for (let level: u32 = 1; level < tree.levelCount; level++) {
    const below: usize = nodes + <usize>(load<u32>(<usize>tree.levels + ((<usize>(level - 1)) << 2)) + index) * BOX_NODE_STRIDE;
    const child: u32 = index & 3;
    index >>= 2;
    pullUp(below, nodes + <usize>(load<u32>(<usize>tree.levels + ((<usize>level) << 2)) + index) * BOX_NODE_STRIDE, child);
  }
}

function placeOn(stack: usize, level: i32): TreePlace {
  return changetype<TreePlace>(stack + <usize>level * TREE_PLACE_STRIDE);
}

/**
 * Colliders of the tree whose boxes overlap [min, max]: written to `hits` (room for leafCount entries), count returned.
 * Order is the order of leaves.
 */
export function queryTree(tree: BoxTree, min: v128, max: v128, hits: usize): u32 {
  if (tree.leafCount == 0 || tree.levelCount == 0) return 0;
  const minX: v128 = f32x4.splat(f32x4.extract_lane(min, 0)),
    minY: v128 = f32x4.splat(f32x4.extract_lane(min, 1)),
    minZ: v128 = f32x4.splat(f32x4.extract_lane(min, 2));
  const maxX: v128 = f32x4.splat(f32x4.extract_lane(max, 0)),
    maxY: v128 = f32x4.splat(f32x4.extract_lane(max, 1)),
    maxZ: v128 = f32x4.splat(f32x4.extract_lane(max, 2));
  const nodes: usize = tree.nodes;
  const levels: usize = tree.levels;
  const leaves: usize = tree.leaves;
  let found: usize = hits;
  // Depth-first without a stack of addresses: per level the index of the node and the mask of children still to visit.
  const stack: usize = threadBlock() + 128; // at most 16 levels
  let level: i32 = <i32>tree.levelCount - 1;
  let index: u32 = 0;
  let node: usize = nodes + <usize>load<u32>(levels + ((<usize>level) << 2)) * BOX_NODE_STRIDE;
  let mask: u32 = overlapMask(node, minX, minY, minZ, maxX, maxY, maxZ);
  while (true) {
    if (level == 0) {
      while (mask != 0) {
        const child: u32 = ctz<u32>(mask);
        mask &= mask - 1;
        const c: u32 = load<u32>(leaves + ((<usize>((index << 2) + child)) << 2));
        if (c != NONE) {
          store<u32>(found, c);
          found += 4;
        }
      }
    }
    while (mask == 0) {
      level++;
      if (level >= <i32>tree.levelCount) return <u32>((found - hits) >> 2);
      index = placeOn(stack, level).node;
      mask = placeOn(stack, level).left;
    }
    const child: u32 = ctz<u32>(mask);
    placeOn(stack, level).node = index;
    placeOn(stack, level).left = mask & (mask - 1);
    index = (index << 2) + child;
    level--;
    node = nodes + <usize>(load<u32>(levels + ((<usize>level) << 2)) + index) * BOX_NODE_STRIDE;
    mask = overlapMask(node, minX, minY, minZ, maxX, maxY, maxZ);
  }
}

function overlapMask(node: usize, minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): u32 {
  const x: v128 = v128.and(f32x4.le(v128.load(node), maxX), f32x4.ge(v128.load(node, offsetof<BoxNode>('maxX')), minX));
  const y: v128 = v128.and(
    f32x4.le(v128.load(node, offsetof<BoxNode>('minY')), maxY),
    f32x4.ge(v128.load(node, offsetof<BoxNode>('maxY')), minY),
  );
  const z: v128 = v128.and(
    f32x4.le(v128.load(node, offsetof<BoxNode>('minZ')), maxZ),
    f32x4.ge(v128.load(node, offsetof<BoxNode>('maxZ')), minZ),
  );
  return <u32>i32x4.bitmask(v128.and(v128.and(x, y), z));
}
