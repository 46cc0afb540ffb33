// Where a joint stands: swing, twist and rotation vector of frame B in frame A, and the axes of swing and twist. T is f32 for one
// joint, v128 for four (math/number.ts), with the same bits. Twin: shaders/shared/joint_angles.wgsl, the same names.
//
// Swing and twist are singular at a swing of half a turn. What is locked is held by rows that pass it (HeldTurn). What is
// limited or driven is released near it (isRegular), and turns of the twist are not counted there.
// Source: docs/joint_solver.md, "Six axes".
import { angleOf, signedAngleOf } from '../math/angle';
import { negW } from '../math/lane';
import { add, div, ifGreater, most, mul, nearestOf, neg, numberOf, root, sub } from '../math/number';
import { quatConjugate, quatMul } from '../math/quat';
import { w3, x3, y3, z3 } from '../math/vec3';

const FULL_TURN: f32 = 6.2831855;
/** Sine of a swing, or half of a turn, below which its axis is not known; also a length of a rod, m. */
const LEAST_SWING: f32 = 1e-6;
/** 1 + the cosine of a swing: with less, within 26 degrees of half a turn, swing and twist count as singular. */
const NEAR_HALF_TURN: f32 = 0.1;

/** A unit quaternion. */
@value
export class Turn<T> {
  constructor(
    public x: T,
    public y: T,
    public z: T,
    public w: T,
  ) {}
}

/** Frame b in frame a by the shorter way around, w >= 0; both x y z w. */
export function quatBetween(a: v128, b: v128): v128 {
  const g: v128 = quatMul(quatConjugate(a), b);
  return w3(g) < 0 ? negW(g) : g;
}

/** One quaternion x y z w. */
export function turnOfQuat(q: v128): Turn<f32> {
  return new Turn<f32>(x3(q), y3(q), z3(q), w3(q));
}

/** Square of the sine of half the swing of a turn. */
// @ts-ignore: decorator
@inline
export function swingSquare<T>(g: Turn<T>): T {
  return add<T>(mul<T>(g.x, g.x), mul<T>(g.y, g.y));
}

/** Angle between the z axes of both frames (rad, 0 to pi), of the swingSquare of a turn. */
export function swingOf<T>(g: Turn<T>, square: T): T {
  return mul<T>(numberOf<T>(2), angleOf<T>(root<T>(square), root<T>(add<T>(mul<T>(g.z, g.z), mul<T>(g.w, g.w)))));
}

/** Angle about the mean of both z axes, -pi to pi rad. */
export function twistOf<T>(g: Turn<T>): T {
  return mul<T>(numberOf<T>(2), signedAngleOf<T>(g.z, g.w));
}

/** z of frame B in frame A; its cross product with z of A is the axis of the swing. */
@value
export class AxisZ<T> {
  constructor(
    public x: T,
    public y: T,
    public z: T,
  ) {}
}

/** z of frame B by the turn of its frame and the swingSquare of that. */
export function axisZ<T>(g: Turn<T>, square: T): AxisZ<T> {
  return new AxisZ<T>(
    mul<T>(numberOf<T>(2), add<T>(mul<T>(g.x, g.z), mul<T>(g.w, g.y))),
    mul<T>(numberOf<T>(2), sub<T>(mul<T>(g.y, g.z), mul<T>(g.w, g.x))),
    sub<T>(numberOf<T>(1), mul<T>(numberOf<T>(2), square)),
  );
}

/** Sine of the swing. */
// @ts-ignore: decorator
@inline
export function swingSine<T>(c: AxisZ<T>): T {
  return root<T>(add<T>(mul<T>(c.x, c.x), mul<T>(c.y, c.y)));
}

/**
 * The swing divided by its sine: the factor that makes the swing vector, -c.y and c.x along x and y of frame A, as long as the
 * angle.
 */
export function swingFactor<T>(swing: T, sine: T): T {
  const least: T = numberOf<T>(LEAST_SWING);
  return ifGreater<T>(sine, least, div<T>(swing, most<T>(sine, least)), numberOf<T>(1));
}

/** Returns a square; 0 where adapters of the GPU may flush it: such a short vector has no direction. */
export function withoutFlushed(square: f32): f32 {
  return square > <f32>1e-30 ? square : 0;
}

/** Angles of one joint by the turn of its frames: swing about x and y, twist about z, swing in all; rad. */
export function anglesOf(g: v128): v128 {
  const turn: Turn<f32> = turnOfQuat(g);
  const square: f32 = swingSquare<f32>(turn);
  const swing: f32 = swingOf<f32>(turn, withoutFlushed(square));
  const c: AxisZ<f32> = axisZ<f32>(turn, square);
  const factor: f32 = swingFactor<f32>(swing, swingSine<f32>(c));
  return f32x4(-(factor * c.y), factor * c.x, twistOf<f32>(turn), swing);
}

/** 1 / the sine of a swing or the length of a rod (m); 0 where that has no direction. */
export function inverseLength<T>(length: T): T {
  const least: T = numberOf<T>(LEAST_SWING);
  return ifGreater<T>(length, least, div<T>(numberOf<T>(1), most<T>(length, least)), numberOf<T>(0));
}

/** The axis of the swing along x and y of frame A: x of A where it is not known. */
@value
export class SwingAxis<T> {
  constructor(
    public x: T,
    public y: T,
  ) {}
}

/** `inverse`: inverseLength of the sine of the swing. */
export function swingAxis<T>(c: AxisZ<T>, inverse: T): SwingAxis<T> {
  return new SwingAxis<T>(
    ifGreater<T>(inverse, numberOf<T>(0), neg<T>(mul<T>(c.y, inverse)), numberOf<T>(1)),
    mul<T>(c.x, inverse),
  );
}

/** The sum of both z axes, whose product with z of A is `sum`, times this is the twist axis: its speed is that of the twist. */
// @ts-ignore: decorator
@inline
export function twistAxisShare<T>(sum: T): T {
  return div<T>(numberOf<T>(1), most<T>(sum, numberOf<T>(NEAR_HALF_TURN)));
}

/** A twist with the whole turns that bring it nearest to the last one. */
// @ts-ignore: decorator
@inline
export function countedTwist<T>(twist: T, last: T): T {
  const turns: T = nearestOf<T>(mul<T>(sub<T>(last, twist), numberOf<T>(1 / FULL_TURN)));
  return add<T>(mul<T>(turns, numberOf<T>(FULL_TURN)), twist);
}

/** The factor that makes (x, y, z) of a rotation, of length s, with w >= 0, its rotation vector. */
// @ts-ignore: decorator
@inline
export function turnFactor<T>(s: T, w: T): T {
  const angle: T = mul<T>(numberOf<T>(2), angleOf<T>(s, w));
  const least: T = numberOf<T>(LEAST_SWING);
  return ifGreater<T>(s, least, div<T>(angle, most<T>(s, least)), numberOf<T>(2));
}

/**
 * Whether the angle of axis 3 to 5 is singular at a swing of half a turn. `locked`: a bit per axis. With one swing locked the
 * other is an angle about its axis, which is regular everywhere.
 */
export function hasSingularity(axis: u32, locked: u32): bool {
  return axis == 5 || ((axis == 3 || axis == 4) && (locked & 24) == 0);
}

/** 1 away from a swing of half a turn, else 0. `sum`: z of A times the sum of both z axes. */
// @ts-ignore: decorator
@inline
export function isRegular<T>(sum: T): T {
  return ifGreater<T>(sum, numberOf<T>(NEAR_HALF_TURN), numberOf<T>(1), numberOf<T>(0));
}

/** A direction in frame A: the speed of B against A along it is that of an angle of the swing. */
@value
export class SwingRow<T> {
  constructor(
    public x: T,
    public y: T,
    public z: T,
  ) {}
}

/**
 * The row of the swing about x of frame A. With swing vector s n, n of length 1 in the plane of x and y, a turn along n changes
 * s, one along m = z x n or along z turns n: spin w changes s n by n (n . w) + m (s cot(s) (m . w) + s (z . w)). `n`: swingAxis;
 * `factor`: swingFactor; `swingY`: s n.y.
 */
export function swingRowX<T>(n: SwingAxis<T>, c: AxisZ<T>, factor: T, swingY: T): SwingRow<T> {
  const k: T = mul<T>(factor, c.z);
  return new SwingRow<T>(
    add<T>(mul<T>(n.x, n.x), mul<T>(k, mul<T>(n.y, n.y))),
    mul<T>(mul<T>(n.x, n.y), sub<T>(numberOf<T>(1), k)),
    neg<T>(swingY),
  );
}

/** The row of the swing about y of frame A; `swingX`: s n.x. */
export function swingRowY<T>(n: SwingAxis<T>, c: AxisZ<T>, factor: T, swingX: T): SwingRow<T> {
  const k: T = mul<T>(factor, c.z);
  return new SwingRow<T>(
    mul<T>(mul<T>(n.x, n.y), sub<T>(numberOf<T>(1), k)),
    add<T>(mul<T>(n.y, n.y), mul<T>(k, mul<T>(n.x, n.x))),
    swingX,
  );
}

/** A row that holds a locked angle, however large the others are: its direction in frame A, of length 1, and the error (rad). */
@value
export class HeldTurn<T> {
  constructor(
    public x: T,
    public y: T,
    public z: T,
    public error: T,
  ) {}
}

/** A component over a length; `other` where the length is nothing. */
// @ts-ignore: decorator
@inline
function overLength<T>(x: T, length: T, other: f32): T {
  const least: T = numberOf<T>(LEAST_SWING);
  return ifGreater<T>(length, least, div<T>(x, most<T>(length, least)), numberOf<T>(other));
}

// With the twist locked, alone or with one swing, the turn has no z, and no x or no y. The speed of twice the arcsine of a
// component is a row of length 1, at right angles to those of other components that are 0.
/** Keeps x of the turn at 0. */
export function heldX<T>(g: Turn<T>): HeldTurn<T> {
  const rest: T = root<T>(add<T>(add<T>(mul<T>(g.y, g.y), mul<T>(g.z, g.z)), mul<T>(g.w, g.w)));
  return new HeldTurn<T>(
    overLength<T>(g.w, rest, 1),
    overLength<T>(g.z, rest, 0),
    neg<T>(overLength<T>(g.y, rest, 0)),
    mul<T>(numberOf<T>(2), signedAngleOf<T>(g.x, rest)),
  );
}

/** Keeps y of the turn at 0. */
export function heldY<T>(g: Turn<T>): HeldTurn<T> {
  const rest: T = root<T>(add<T>(add<T>(mul<T>(g.x, g.x), mul<T>(g.z, g.z)), mul<T>(g.w, g.w)));
  return new HeldTurn<T>(
    neg<T>(overLength<T>(g.z, rest, 0)),
    overLength<T>(g.w, rest, 1),
    overLength<T>(g.x, rest, 0),
    mul<T>(numberOf<T>(2), signedAngleOf<T>(g.y, rest)),
  );
}

/** Keeps z of the turn at 0: no twist. */
export function heldZ<T>(g: Turn<T>): HeldTurn<T> {
  const rest: T = root<T>(add<T>(swingSquare<T>(g), mul<T>(g.w, g.w)));
  return new HeldTurn<T>(
    overLength<T>(g.y, rest, 0),
    neg<T>(overLength<T>(g.x, rest, 0)),
    overLength<T>(g.w, rest, 1),
    mul<T>(numberOf<T>(2), signedAngleOf<T>(g.z, rest)),
  );
}

/** Swing about x alone is locked: z of B lies in the plane of x and z of A. */
export function heldSwingX<T>(c: AxisZ<T>): HeldTurn<T> {
  const length: T = root<T>(add<T>(mul<T>(c.x, c.x), mul<T>(c.z, c.z)));
  return new HeldTurn<T>(
    overLength<T>(c.z, length, 1),
    numberOf<T>(0),
    neg<T>(overLength<T>(c.x, length, 0)),
    neg<T>(signedAngleOf<T>(c.y, length)),
  );
}

/** Swing about y alone is locked: z of B lies in the plane of y and z of A. */
export function heldSwingY<T>(c: AxisZ<T>): HeldTurn<T> {
  const length: T = root<T>(add<T>(mul<T>(c.y, c.y), mul<T>(c.z, c.z)));
  return new HeldTurn<T>(
    numberOf<T>(0),
    overLength<T>(c.z, length, 1),
    neg<T>(overLength<T>(c.y, length, 0)),
    signedAngleOf<T>(c.x, length),
  );
}
