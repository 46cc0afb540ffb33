// Vectors and rotations as single v128 values x y z _ : lane 3 is free and may hold anything finite. Adds to lane.ts what
// scalar-ish geometry needs; every helper is one value, so nothing is allocated.
import { cross3, dot3, vec3W } from './lane';

export function x3(a: v128): f32 {
  return f32x4.extract_lane(a, 0);
}
export function y3(a: v128): f32 {
  return f32x4.extract_lane(a, 1);
}
export function z3(a: v128): f32 {
  return f32x4.extract_lane(a, 2);
}
/** Lane 3. */
export function w3(a: v128): f32 {
  return f32x4.extract_lane(a, 3);
}
export function scale3(a: v128, s: f32): v128 {
  return f32x4.mul(a, f32x4.splat(s));
}
/** a + b * s, rounded twice. */
export function addScaled3(a: v128, b: v128, s: f32): v128 {
  return f32x4.add(a, f32x4.mul(b, f32x4.splat(s)));
}
export function length3(a: v128): f32 {
  return sqrt<f32>(dot3(a, a));
}
/** x y z with lane 3 = w. */
export function withW3(a: v128, w: f32): v128 {
  return f32x4.replace_lane(a, 3, w);
}

/** R p for the columns c0 c1 c2 of R. */
export function rotate3(c0: v128, c1: v128, c2: v128, p: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(c0, v128.shuffle<f32>(p, p, 0, 0, 0, 0)), f32x4.mul(c1, v128.shuffle<f32>(p, p, 1, 1, 1, 1))),
    f32x4.mul(c2, v128.shuffle<f32>(p, p, 2, 2, 2, 2)),
  );
}

/** Transpose of R times p for the columns c0 c1 c2 of R: the coordinates of p along these columns. */
export function rotateInverse3(c0: v128, c1: v128, c2: v128, p: v128): v128 {
  return vec3W(dot3(c0, p), dot3(c1, p), dot3(c2, p));
}

/** A unit vector at right angles to the unit vector n. */
export function perpendicular3(n: v128): v128 {
  // The axis with the smallest share of n leaves a cross product of at least sqrt(2/3).
  const ax: f32 = abs<f32>(x3(n)),
    ay: f32 = abs<f32>(y3(n)),
    az: f32 = abs<f32>(z3(n));
  const axis: v128 = ax <= ay && ax <= az ? vec3W(1, 0, 0) : ay <= az ? vec3W(0, 1, 0) : vec3W(0, 0, 1);
  const p: v128 = cross3(n, axis);
  return scale3(p, <f32>1 / length3(p));
}
