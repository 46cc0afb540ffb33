// Test entry of the mathematics: vectors and quaternions are at addresses (16 bytes each), so is the result.
import { Rotation } from '../layout.generated';
import { angleOf, cosineW, signedAngleOf, sincW } from '../math/angle';
import {
  add,
  anyGreater,
  div,
  flipBy,
  ifGreater,
  inverseOf,
  keepNumber,
  least,
  magnitude,
  most,
  mul,
  nearestOf,
  neg,
  numberAt,
  numberOf,
  root,
  sub,
} from '../math/number';
import {
  inverseRotate3,
  quatConjugate,
  quatFromRotationVector,
  quatMul,
  quatNormalize,
  rotate3 as rotateAt,
  rotationVectorOf,
  storeRotation,
} from '../math/quat';
import { movedBy } from '../math/shift';
import { addScaled3, length3, perpendicular3, rotate3, rotateInverse3, scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';

export { splitAt } from '../math/bisect';
export { invertSymmetric } from '../math/symmetric';
export { join as joinSets, rootOf as rootOfSet, seenRootOf as seenRootOfSet } from '../math/union_find';

/** An operation of number.ts or angle.ts on a and b; x and y are what it may choose from. */
function numberResult<T>(operation: u32, a: T, b: T, x: T, y: T): T {
  switch (operation) {
    case 0:
      return add<T>(a, b);
    case 1:
      return sub<T>(a, b);
    case 2:
      return mul<T>(a, b);
    case 3:
      return div<T>(a, b);
    case 4:
      return neg<T>(a);
    case 5:
      return root<T>(a);
    case 6:
      return magnitude<T>(a);
    case 7:
      return most<T>(a, b);
    case 8:
      return least<T>(a, b);
    case 9:
      return ifGreater<T>(a, b, x, y);
    case 10:
      return flipBy<T>(a, b);
    case 11:
      return nearestOf<T>(a);
    case 12:
      return inverseOf<T>(a);
    case 13:
      return numberOf<T>(anyGreater<T>(a, b) ? 1 : 0);
    case 14:
      return angleOf<T>(a, b);
    default:
      return signedAngleOf<T>(a, b);
  }
}

/** The operation on four columns behind each other at `at`: of all lanes at once, and of each lane alone. */
export function testNumbers(operation: u32, at: usize, out: usize): void {
  keepNumber<v128>(
    out,
    numberResult<v128>(operation, numberAt<v128>(at), numberAt<v128>(at + 16), numberAt<v128>(at + 32), numberAt<v128>(at + 48)),
  );
}
export function testNumber(operation: u32, at: usize, out: usize): void {
  keepNumber<f32>(
    out,
    numberResult<f32>(operation, numberAt<f32>(at), numberAt<f32>(at + 16), numberAt<f32>(at + 32), numberAt<f32>(at + 48)),
  );
}
export function testSinc(at: usize, out: usize): void {
  v128.store(out, sincW(v128.load(at)));
}
export function testCosine(at: usize, out: usize): void {
  v128.store(out, cosineW(v128.load(at)));
}

export function testQuatMul(a: usize, b: usize, out: usize): void {
  v128.store(out, quatMul(v128.load(a), v128.load(b)));
}
export function testQuatConjugate(q: usize, out: usize): void {
  v128.store(out, quatConjugate(v128.load(q)));
}
export function testQuatNormalize(q: usize, out: usize): void {
  v128.store(out, quatNormalize(v128.load(q)));
}
export function testStoreRotation(q: usize, out: usize): void {
  storeRotation(v128.load(q), out);
}
export function testRotateAt(columns: usize, v: usize, out: usize): void {
  v128.store(out, rotateAt(columns, v128.load(v)));
}
export function testInverseRotateAt(columns: usize, v: usize, out: usize): void {
  v128.store(out, inverseRotate3(columns, v128.load(v)));
}
export function testQuatFromRotationVector(p: usize, out: usize): void {
  v128.store(out, quatFromRotationVector(v128.load(p)));
}
export function testRotationVectorOf(q: usize, out: usize): void {
  v128.store(out, rotationVectorOf(v128.load(q)));
}

/** Lanes of a, in reverse order. */
export function testLanes3(a: usize, out: usize): void {
  const v: v128 = v128.load(a);
  v128.store(out, f32x4(w3(v), z3(v), y3(v), x3(v)));
}
export function testScale3(a: usize, s: f32, out: usize): void {
  v128.store(out, scale3(v128.load(a), s));
}
export function testAddScaled3(a: usize, b: usize, s: f32, out: usize): void {
  v128.store(out, addScaled3(v128.load(a), v128.load(b), s));
}
/** a with its length as lane 3. */
export function testLength3(a: usize, out: usize): void {
  v128.store(out, withW3(v128.load(a), length3(v128.load(a))));
}
export function testRotate3(columns: usize, v: usize, out: usize): void {
  const r = changetype<Rotation>(columns);
  v128.store(out, rotate3(r.x, r.y, r.z, v128.load(v)));
}
export function testRotateInverse3(columns: usize, v: usize, out: usize): void {
  const r = changetype<Rotation>(columns);
  v128.store(out, rotateInverse3(r.x, r.y, r.z, v128.load(v)));
}
export function testPerpendicular3(n: usize, out: usize): void {
  v128.store(out, perpendicular3(v128.load(n)));
}
export function testMovedBy(point: usize, by: usize, out: usize): void {
  v128.store(out, movedBy(v128.load(point), by));
}
