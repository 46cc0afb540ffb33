// The 4-wide vocabulary: one value of four lanes, one operation an instruction. No fused multiply-add anywhere: results
// are the same on every machine.

/* eslint-disable */
export function splatW(x: f32): v128 {
  return f32x4.splat(x);
}
export function addW(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}
export function subW(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}
export function mulW(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}
export function divW(a: v128, b: v128): v128 {
  return f32x4.div(a, b);
}
export function negW(a: v128): v128 {
  return f32x4.neg(a);
}
export function sqrtW(a: v128): v128 {
  return f32x4.sqrt(a);
}
export function absW(a: v128): v128 {
  return f32x4.abs(a);
}
/** a > b ? a : b; one instruction (pmax) where max costs several for its NaN rules. */
export function maxW(a: v128, b: v128): v128 {
  return f32x4.pmax(a, b);
}
/** b < a ? b : a. */
export function minW(a: v128, b: v128): v128 {
  return f32x4.pmin(a, b);
}
/**
 * Limits the components, except the last, to within 1e6 of zero: linear velocities (m/s) far beyond every speed limit (settings),
 * as contradicting joints and contacts produce them. Without a bound each substep would multiply them until they are NaN. NaN
 * stays NaN: maxW and minW return the first operand then.
 */
export function boundW(v: v128): v128 {
  const most: v128 = f32x4(1e6, 1e6, 1e6, Infinity);
  return minW(maxW(v, f32x4.neg(most)), most);
}
/** The same for angular velocities (rad/s): what a step of any length turns by no more than a quaternion is made of (quat.ts). */
export function boundSpinW(w: v128): v128 {
  const most: v128 = f32x4(9e4, 9e4, 9e4, Infinity);
  return minW(maxW(w, f32x4.neg(most)), most);
}
/** a * b + c, rounded twice. */
export function mulAddW(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.mul(a, b), c);
}
/** c - a * b, rounded twice. */
export function mulSubW(a: v128, b: v128, c: v128): v128 {
  return f32x4.sub(c, f32x4.mul(a, b));
}
/** mask ? a : b, lane by lane. */
export function blendW(mask: v128, a: v128, b: v128): v128 {
  return v128.bitselect(a, b, mask);
}
export function lessW(a: v128, b: v128): v128 {
  return f32x4.lt(a, b);
}
export function greaterW(a: v128, b: v128): v128 {
  return f32x4.gt(a, b);
}
export function dotW(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

// 4x4 transpose in two levels: level 1 interleaves pairs of rows, level 2 makes columns. Callers keep the level-1 values
// in locals, so that eight shuffles serve four columns.
export function zipLowW(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}
export function zipHighW(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}
export function joinLowW(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}
export function joinHighW(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

// One v128 as a vector x y z _ .
/** Cross product of the first three lanes; lane 3 is 0 for finite input. */
export function cross3(a: v128, b: v128): v128 {
  const ayzx: v128 = v128.shuffle<f32>(a, a, 1, 2, 0, 3);
  const byzx: v128 = v128.shuffle<f32>(b, b, 1, 2, 0, 3);
  const c: v128 = f32x4.sub(f32x4.mul(a, byzx), f32x4.mul(ayzx, b));
  return v128.shuffle<f32>(c, c, 1, 2, 0, 3);
}
/** Dot product of the first three lanes. */
export function dot3(a: v128, b: v128): f32 {
  const p: v128 = f32x4.mul(a, b);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}
export function vec3W(x: f32, y: f32, z: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, x), 1, y), 2, z);
}
