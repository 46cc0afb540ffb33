// A body inside a cell of the splitting solver: what the GPU keeps in workgroup memory. Mass and inertia are those of the share
// of the body that the cell has.
import { LOCAL_BODY_STRIDE, LocalBody } from '../layout.generated';
import { addW, cross3, mulW, subW } from '../math/lane';
import { z3 } from '../math/vec3';
import { splitState } from '../memory/split_state';

/** A body of the cell that is solved. */
export function localBody(local: u32): LocalBody {
  return changetype<LocalBody>(<usize>splitState().localBodies + <usize>local * LOCAL_BODY_STRIDE);
}

/** Applies axis locks. */
export function keepLocal(body: LocalBody): void {
  body.v = v128.and(body.v, body.free);
  body.w = v128.and(body.w, body.freeTurn);
}

/** Applies the axis locks of two bodies. */
export function keepPair(a: LocalBody, b: LocalBody): void {
  keepLocal(a);
  keepLocal(b);
}

export function xyz(value: v128): v128 {
  return f32x4.replace_lane(value, 3, 0);
}

export function invMass(body: LocalBody): f32 {
  return z3(body.inertia1);
}

/** S l for a symmetric matrix xx xy xz yy, yz zz. */
export function symmetric(i0: v128, i1: v128, l: v128): v128 {
  const c0: v128 = xyz(i0); // xx xy xz
  const c1: v128 = xyz(v128.shuffle<f32>(i0, i1, 1, 3, 4, 0)); // xy yy yz
  const c2: v128 = xyz(v128.shuffle<f32>(i0, i1, 2, 4, 5, 0)); // xz yz zz
  const x: v128 = v128.shuffle<f32>(l, l, 0, 0, 0, 0);
  const y: v128 = v128.shuffle<f32>(l, l, 1, 1, 1, 1);
  const z: v128 = v128.shuffle<f32>(l, l, 2, 2, 2, 2);
  return addW(addW(mulW(c0, x), mulW(c1, y)), mulW(c2, z));
}

/** I^-1 l. */
export function turned(body: LocalBody, l: v128): v128 {
  return symmetric(body.inertia0, body.inertia1, l);
}

/** Impulse P on B at rB, -P on A at rA. */
export function pushPair(a: LocalBody, b: LocalBody, rA: v128, rB: v128, impulse: v128): void {
  a.v = subW(a.v, mulW(impulse, a.mass));
  a.w = subW(a.w, turned(a, cross3(rA, impulse)));
  b.v = addW(b.v, mulW(impulse, b.mass));
  b.w = addW(b.w, turned(b, cross3(rB, impulse)));
}

/** Angular impulse on B, its opposite on A. */
export function twistPair(a: LocalBody, b: LocalBody, impulse: v128): void {
  a.w = subW(a.w, turned(a, impulse));
  b.w = addW(b.w, turned(b, impulse));
}

/** Velocity of B against A at the arms. */
export function relative(a: LocalBody, b: LocalBody, rA: v128, rB: v128): v128 {
  return subW(addW(b.v, cross3(b.w, rB)), addW(a.v, cross3(a.w, rA)));
}
