// Four boxes at once against what asks: a box about a point that stays, or moves along a line. Boxes are widened by its half
// sides instead (Minkowski sum). Keys order the boxes: where a moving box enters them, or the squared distance.
// Boxes turned inside out (absent children) are never met: the plane that comes first is chosen by the direction.

// Slab tests are rounded: boxes are taken this much (relative) longer along the line.
const WIDEN: f32 = 1.0000005;
// Stands for 1 / 0, small enough that no product with a coordinate overflows.
const HUGE: f32 = 1e30;

/** 1 / x of a direction. */
export function inverse(x: f32): f32 {
  return abs<f32>(x) > 1 / HUGE ? 1 / x : HUGE;
}

/** Where in a node the planes lie that come first along 1 / direction i; the others are that much before or behind 48. */
export function nearPlane(i: f32): usize {
  return i < 0 ? 48 : 0;
}

/**
 * Lanes whose box (six rows at `node`) is entered before `best`; where, to `keys`. Along each axis: byte offset n of the planes
 * that come first, start s less and e plus half of the sides, along the way, 1 / direction i.
 */
// @ts-ignore: decorator
@inline
export function entered(
  node: usize,
  nx: usize,
  ny: usize,
  nz: usize,
  sx: v128,
  sy: v128,
  sz: v128,
  ex: v128,
  ey: v128,
  ez: v128,
  ix: v128,
  iy: v128,
  iz: v128,
  best: f32,
  keys: usize,
): u32 {
  const enterX: v128 = f32x4.mul(f32x4.sub(v128.load(node + nx), sx), ix);
  const enterY: v128 = f32x4.mul(f32x4.sub(v128.load(node + ny, 16), sy), iy);
  const enterZ: v128 = f32x4.mul(f32x4.sub(v128.load(node + nz, 32), sz), iz);
  const leaveX: v128 = f32x4.mul(f32x4.sub(v128.load(node + 48 - nx), ex), ix);
  const leaveY: v128 = f32x4.mul(f32x4.sub(v128.load(node + 48 - ny, 16), ey), iy);
  const leaveZ: v128 = f32x4.mul(f32x4.sub(v128.load(node + 48 - nz, 32), ez), iz);
  const enter: v128 = f32x4.pmax(f32x4.pmax(enterX, enterY), f32x4.pmax(enterZ, f32x4.splat(0)));
  const leave: v128 = f32x4.pmin(f32x4.pmin(leaveX, leaveY), leaveZ);
  v128.store(keys, enter);
  return <u32>i32x4.bitmask(f32x4.le(enter, f32x4.pmin(f32x4.mul(leave, f32x4.splat(WIDEN)), f32x4.splat(best))));
}

/** Lanes whose box is at most the root of `best2` away; the squared distances to `keys`. */
// @ts-ignore: decorator
@inline
export function near(node: usize, ox: v128, oy: v128, oz: v128, hx: v128, hy: v128, hz: v128, best2: f32, keys: usize): u32 {
  const zero: v128 = f32x4.splat(0);
  const x: v128 = f32x4.pmax(
    f32x4.pmax(f32x4.sub(f32x4.sub(v128.load(node), ox), hx), f32x4.sub(f32x4.sub(ox, v128.load(node, 48)), hx)),
    zero,
  );
  const y: v128 = f32x4.pmax(
    f32x4.pmax(f32x4.sub(f32x4.sub(v128.load(node, 16), oy), hy), f32x4.sub(f32x4.sub(oy, v128.load(node, 64)), hy)),
    zero,
  );
  const z: v128 = f32x4.pmax(
    f32x4.pmax(f32x4.sub(f32x4.sub(v128.load(node, 32), oz), hz), f32x4.sub(f32x4.sub(oz, v128.load(node, 80)), hz)),
    zero,
  );
  const d2: v128 = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
  v128.store(keys, d2);
  return <u32>i32x4.bitmask(f32x4.le(d2, f32x4.splat(best2)));
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
