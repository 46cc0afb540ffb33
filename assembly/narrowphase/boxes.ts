// Four boxes at once against what asks: a box about a point that stays, or moves along a line; and the walk over a tree of them,
// nearest boxes first. Boxes are widened by the half sides of what asks instead (Minkowski sum).
//
// Entries of a walk (WalkEntry) are read as i64: the child is the low half, its key the high half. Keys are never negative, so
// entries are in the order of their keys.
// Boxes turned inside out (absent children) are never entered: the plane that comes first is chosen by the direction.
import { BoxNode, BoxWalk, NONE, VectorLanes, WalkEntry } from '../layout.generated';

// Slab tests are rounded: boxes are taken this much (relative) longer along the line (Ize 2013, Robust BVH Ray Traversal).
const WIDEN: f32 = 1.0000005;
// Stands for 1 / 0, small enough that no product with a coordinate overflows.
const HUGE: f32 = 1e30;
/** No box is left. */
export const NOTHING: i64 = i64.MAX_VALUE;

/** 1 / d for each component of a direction, row x y z _. */
export function inverse(d: v128): v128 {
  // Components that are too small, and the fourth word, which may be anything, are kept out of the division: subnormal numbers
  // are slow.
  const good: v128 = f32x4.gt(f32x4.abs(d), f32x4.splat(1 / HUGE));
  return f32x4.div(f32x4.splat(1), v128.bitselect(d, f32x4.splat(1 / HUGE), good));
}

function splat(row: v128, to: usize): void {
  const v = changetype<VectorLanes>(to);
  v.x = v128.shuffle<f32>(row, row, 0, 0, 0, 0);
  v.y = v128.shuffle<f32>(row, row, 1, 1, 1, 1);
  v.z = v128.shuffle<f32>(row, row, 2, 2, 2, 2);
}

/** Starts a walk with an empty stack: a box with half sides `half` at o, `along` a line of 1 / direction i. Rows x y z _. */
export function beginWalk(w: BoxWalk, along: bool, o: v128, i: v128, half: v128, stack: usize): void {
  const at: usize = changetype<usize>(w);
  // The planes that come first are half of the sides nearer, the others that much farther.
  const ahead: v128 = v128.xor(half, v128.and(i, i32x4.splat(0x80000000)));
  splat(along ? f32x4.add(o, ahead) : o, at + offsetof<BoxWalk>('sx'));
  splat(along ? f32x4.sub(o, ahead) : half, at + offsetof<BoxWalk>('ex'));
  splat(i, at + offsetof<BoxWalk>('ix'));
  splat(f32x4.mul(i, f32x4.splat(WIDEN)), at + offsetof<BoxWalk>('lx'));
  const far: v128 = i32x4.splat(<i32>offsetof<BoxNode>('maxX'));
  v128.store(at, v128.and(f32x4.lt(i, f32x4.splat(0)), far), offsetof<BoxWalk>('nx'));
  w.stack = <u32>stack;
  w.top = <u32>stack;
}

/** Lanes whose box (six rows at `node`) is entered before `best`; where, to `keys`. */
// @ts-ignore: decorator
@inline
export function entered(w: BoxWalk, node: usize, best: f32, keys: usize): u32 {
  const nx: usize = w.nx,
    ny: usize = w.ny,
    nz: usize = w.nz;
  const enterX: v128 = f32x4.mul(f32x4.sub(v128.load(node + nx, offsetof<BoxNode>('minX')), w.sx), w.ix);
  const enterY: v128 = f32x4.mul(f32x4.sub(v128.load(node + ny, offsetof<BoxNode>('minY')), w.sy), w.iy);
  const enterZ: v128 = f32x4.mul(f32x4.sub(v128.load(node + nz, offsetof<BoxNode>('minZ')), w.sz), w.iz);
  const leaveX: v128 = f32x4.mul(f32x4.sub(v128.load(node - nx, offsetof<BoxNode>('maxX')), w.ex), w.lx);
  const leaveY: v128 = f32x4.mul(f32x4.sub(v128.load(node - ny, offsetof<BoxNode>('maxY')), w.ey), w.ly);
  const leaveZ: v128 = f32x4.mul(f32x4.sub(v128.load(node - nz, offsetof<BoxNode>('maxZ')), w.ez), w.lz);
  const enter: v128 = f32x4.pmax(f32x4.pmax(enterX, enterY), f32x4.pmax(enterZ, f32x4.splat(0)));
  const leave: v128 = f32x4.pmin(f32x4.pmin(leaveX, leaveY), f32x4.pmin(leaveZ, f32x4.splat(best)));
  v128.store(keys, enter);
  return <u32>i32x4.bitmask(f32x4.le(enter, leave));
}

/** Lanes whose box is at most the root of `best2` away; the squared distances to `keys`. */
// @ts-ignore: decorator
@inline
export function near(w: BoxWalk, node: usize, best2: f32, keys: usize): u32 {
  const b = changetype<BoxNode>(node);
  const zero: v128 = f32x4.splat(0);
  const ox: v128 = w.sx,
    oy: v128 = w.sy,
    oz: v128 = w.sz;
  const hx: v128 = w.ex,
    hy: v128 = w.ey,
    hz: v128 = w.ez;
  const x: v128 = f32x4.pmax(f32x4.pmax(f32x4.sub(f32x4.sub(b.minX, ox), hx), f32x4.sub(f32x4.sub(ox, b.maxX), hx)), zero);
  const y: v128 = f32x4.pmax(f32x4.pmax(f32x4.sub(f32x4.sub(b.minY, oy), hy), f32x4.sub(f32x4.sub(oy, b.maxY), hy)), zero);
  const z: v128 = f32x4.pmax(f32x4.pmax(f32x4.sub(f32x4.sub(b.minZ, oz), hz), f32x4.sub(f32x4.sub(oz, b.maxZ), hz)), zero);
  const d2: v128 = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
  v128.store(keys, d2);
  return <u32>i32x4.bitmask(f32x4.le(d2, f32x4.splat(best2)));
}

/**
 * Of the children in `hits` (u32 each at `children`, keys in the walk) the nearest; the others go on the stack. NOTHING if all
 * are NONE.
 */
export function nearestOf(w: BoxWalk, children: usize, hits: u32): i64 {
  const keys: usize = changetype<usize>(w) + offsetof<BoxWalk>('keys0');
  const base: usize = w.top;
  let top: usize = base;
  let nearest: i64 = NOTHING;
  for (; hits != 0; hits &= hits - 1) {
    const lane: usize = (<usize>ctz<u32>(hits)) << 2;
    const child: u32 = load<u32>(children + lane);
    if (child == NONE) continue;
    const entry: i64 = ((<i64>load<i32>(keys + lane)) << 32) | <i64>child;
    const later: i64 = max<i64>(entry, nearest);
    nearest = min<i64>(entry, nearest);
    if (later == NOTHING) continue;
    // Insert, nearest on top.
    let place: usize = top;
    while (place > base && load<i64>(place - 8) < later) {
      store<i64>(place, load<i64>(place - 8));
      place -= 8;
    }
    store<i64>(place, later);
    top += 8;
  }
  w.top = <u32>top;
  return nearest;
}

/** The next entry of the stack with a key of at most `best`, or NOTHING. */
export function nextOf(w: BoxWalk, best: f32): i64 {
  let entry: i64 = NOTHING;
  let top: usize = w.top;
  while (top > <usize>w.stack && entry == NOTHING) {
    top -= 8;
    if (changetype<WalkEntry>(top).key <= best) entry = load<i64>(top);
  }
  w.top = <u32>top;
  return entry;
}

/** Key of a box low..high (rows x y z _) that is entered before `best`, else -1. */
export function enteredBox(low: v128, high: v128, o: v128, i: v128, h: v128, best: f32): f32 {
  const back: v128 = f32x4.lt(i, f32x4.splat(0));
  const l: v128 = f32x4.sub(low, h),
    u: v128 = f32x4.add(high, h);
  const a: v128 = f32x4.mul(f32x4.sub(v128.bitselect(u, l, back), o), i);
  const b: v128 = f32x4.mul(f32x4.sub(v128.bitselect(l, u, back), o), i);
  const enter: f32 = max<f32>(
    max<f32>(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1)),
    max<f32>(f32x4.extract_lane(a, 2), 0),
  );
  const leave: f32 = min<f32>(f32x4.extract_lane(b, 0), min<f32>(f32x4.extract_lane(b, 1), f32x4.extract_lane(b, 2)));
  return enter <= min<f32>(leave * WIDEN, best) ? enter : <f32>-1;
}

/** Squared distance of a box low..high from the box about o with half sides h. */
export function boxDistance2(low: v128, high: v128, o: v128, h: v128): f32 {
  const g: v128 = f32x4.pmax(f32x4.pmax(f32x4.sub(f32x4.sub(low, o), h), f32x4.sub(f32x4.sub(o, high), h)), f32x4.splat(0));
  const p: v128 = f32x4.mul(g, g);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}
