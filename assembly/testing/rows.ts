// Test entry of rows: softness and angles of joints, settled faces, rows that locks bar.
import { manifoldAt } from '../constraints/manifolds';
import { swingAxis, swingFactor, swingOf, swingRowX, swingRowY, swingSine, swingSquare } from '../rows/joint_angles';
import { AxisZ, SwingAxis, SwingRow, Turn, axisZ, inverseLength, isRegular, turnOfQuat } from '../rows/joint_angles';
import { cappedRate } from '../rows/joint_softness';
import { isBarred } from '../rows/mass';
import { isUnsettled } from '../rows/row';

export { jointFirmness, jointOmega, jointRate } from '../rows/joint_softness';

export function testCappedRate(rate: f32, square: f32): f32 {
  return cappedRate<f32>(rate, square);
}
export function testIsRegular(sum: f32): f32 {
  return isRegular<f32>(sum);
}
/** Rows of the swing about x and y of the turn at an address: three floats each, 16 bytes apart. */
export function testSwingRows(q: usize, out: usize): void {
  const g: Turn<f32> = turnOfQuat(v128.load(q));
  const square: f32 = swingSquare<f32>(g),
    swing: f32 = swingOf<f32>(g, square);
  const c: AxisZ<f32> = axisZ<f32>(g, square);
  const sine: f32 = swingSine<f32>(c);
  const factor: f32 = swingFactor<f32>(swing, sine);
  const n: SwingAxis<f32> = swingAxis<f32>(c, inverseLength<f32>(sine));
  const x: SwingRow<f32> = swingRowX<f32>(n, c, factor, swing * n.y),
    y: SwingRow<f32> = swingRowY<f32>(n, c, factor, swing * n.x);
  v128.store(out, f32x4(x.x, x.y, x.z, 0));
  v128.store(out + 16, f32x4(y.x, y.y, y.z, 0));
}
/** The same of four impulses each. */
export function testIsUnsettled(z: usize, old: usize): bool {
  return isUnsettled<v128>(v128.load(z), v128.load(old));
}
export function testIsBarred(manifold: u32, k: f32, kA: f32, kB: f32): bool {
  return isBarred(manifoldAt(manifold), k, kA, kB);
}
