// Where a joint stands: swing, twist and rotation vector of frame B in frame A, and the axes of swing and twist. T is f32 for one
// joint, v128 for four (math/number.ts), with the same bits. Twin: shaders/shared/joint_angles.wgsl, the same names.
//
// Not here, since the two solvers differ: `wide` makes three axes at right angles where the twist alone is locked, and lets the
// twist fade near a swing of half a turn (joints/turn.ts); `cell-split` keeps the twist axis as it is long (split/joint_axes.ts).
// Source: docs/joint_solver.md, "Six axes".
import { angleOf, signedAngleOf } from '../math/angle';
import { add, div, flipBy, ifGreater, most, mul, nearestOf, neg, numberOf, root, sub } from '../math/number';
import { w3, x3, y3, z3 } from '../math/vec3';

const FULL_TURN: f32 = 6.2831855;
/** Sine of a swing, or half of a turn, below which its axis is not known; that of frame A does. */
const LEAST_SWING: f32 = 1e-6;
/** A twist axis is divided by no less: near a swing of half a turn it is not known. */
const LEAST_TWIST_AXIS: f32 = 0.05;

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

/** One quaternion x y z w. */
export function turnOfQuat(q: v128): Turn<f32> {
  return new Turn<f32>(x3(q), y3(q), z3(q), w3(q));
}

/** Frame b in frame a: the product of the conjugate of a and b. */
export function turnBetween<T>(a: Turn<T>, b: Turn<T>): Turn<T> {
  return new Turn<T>(
    sub<T>(sub<T>(mul<T>(a.w, b.x), mul<T>(a.x, b.w)), sub<T>(mul<T>(a.y, b.z), mul<T>(a.z, b.y))),
    sub<T>(sub<T>(mul<T>(a.w, b.y), mul<T>(a.y, b.w)), sub<T>(mul<T>(a.z, b.x), mul<T>(a.x, b.z))),
    sub<T>(sub<T>(mul<T>(a.w, b.z), mul<T>(a.z, b.w)), sub<T>(mul<T>(a.x, b.y), mul<T>(a.y, b.x))),
    add<T>(mul<T>(a.w, b.w), add<T>(add<T>(mul<T>(a.x, b.x), mul<T>(a.y, b.y)), mul<T>(a.z, b.z))),
  );
}

/** The same turn by the shorter way around: w >= 0. */
export function shorterTurn<T>(g: Turn<T>): Turn<T> {
  return new Turn<T>(flipBy<T>(g.x, g.w), flipBy<T>(g.y, g.w), flipBy<T>(g.z, g.w), flipBy<T>(g.w, g.w));
}

/** Square of the sine of half the swing of a turn. */
// @ts-ignore: decorator
@inline
export function swingSquare<T>(g: Turn<T>): T {
  return add<T>(mul<T>(g.x, g.x), mul<T>(g.y, g.y));
}

/** Angle between the z axes of both frames (rad, 0 to pi), of the swingSquare of a turn. */
// @ts-ignore: decorator
@inline
export function swingOf<T>(g: Turn<T>, square: T): T {
  return mul<T>(numberOf<T>(2), angleOf<T>(root<T>(square), root<T>(add<T>(mul<T>(g.z, g.z), mul<T>(g.w, g.w)))));
}

/** Angle about the mean of both z axes, -pi to pi rad. */
// @ts-ignore: decorator
@inline
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

/** The swing over its sine: what makes the swing vector, -c.y and c.x along x and y of frame A, as long as the angle. */
// @ts-ignore: decorator
@inline
export function swingFactor<T>(swing: T, sine: T): T {
  const least: T = numberOf<T>(LEAST_SWING);
  return ifGreater<T>(sine, least, div<T>(swing, most<T>(sine, least)), numberOf<T>(1));
}

/** The axis of the swing along x and y of frame A: x of A where it is not known. */
@value
export class SwingAxis<T> {
  constructor(
    public x: T,
    public y: T,
  ) {}
}

/** `inverse`: inverseSine of the sine of the swing. */
export function swingAxis<T>(c: AxisZ<T>, sine: T, inverse: T): SwingAxis<T> {
  return new SwingAxis<T>(
    ifGreater<T>(sine, numberOf<T>(LEAST_SWING), neg<T>(mul<T>(c.y, inverse)), numberOf<T>(1)),
    ifGreater<T>(sine, numberOf<T>(LEAST_SWING), mul<T>(c.x, inverse), numberOf<T>(0)),
  );
}

// @ts-ignore: decorator
@inline
export function inverseSine<T>(sine: T): T {
  return div<T>(numberOf<T>(1), most<T>(sine, numberOf<T>(LEAST_SWING)));
}

/** The sum of both z axes, whose product with z of A is `sum`, times this is the twist axis: its speed is that of the twist. */
// @ts-ignore: decorator
@inline
export function twistAxisShare<T>(sum: T): T {
  return div<T>(numberOf<T>(1), most<T>(sum, numberOf<T>(LEAST_TWIST_AXIS)));
}

/** A twist with the whole turns that bring it nearest to the last one. */
// @ts-ignore: decorator
@inline
export function countedTwist<T>(twist: T, last: T): T {
  const turns: T = nearestOf<T>(mul<T>(sub<T>(last, twist), numberOf<T>(1 / FULL_TURN)));
  return add<T>(mul<T>(turns, numberOf<T>(FULL_TURN)), twist);
}

/** What makes (x, y, z) of a turn of the length s, with w >= 0, its rotation vector. */
// @ts-ignore: decorator
@inline
export function turnFactor<T>(s: T, w: T): T {
  const angle: T = mul<T>(numberOf<T>(2), angleOf<T>(s, w));
  const least: T = numberOf<T>(LEAST_SWING);
  return ifGreater<T>(s, least, div<T>(angle, most<T>(s, least)), numberOf<T>(2));
}
