// Axes, errors and masses of a joint from the frames and arms of its bodies. Twin: shaders/shared/joint_axes.wgsl, the same
// operations in the same order.
// Error angles: swing as a rotation vector, twist about the mean of both z axes (docs/joint_solver.md, "Six axes").
import {
  JOINT_ANGLES,
  JOINT_ANGULAR,
  JOINT_COLUMNS,
  JOINT_CONE,
  JOINT_COUPLED,
  JOINT_DISTANCE,
  JOINT_DRIVEN,
  JOINT_GAP,
  JOINT_LINEAR,
  JOINT_PLACES,
  JOINT_TURN,
  JointAngles,
  JointArms,
  JointBasis,
  Rotation,
  SYMMETRIC_ROWS_STRIDE,
  SymmetricRows,
} from '../layout.generated';
import { addW, cross3, dot3, mulW, negW, splatW, subW, vec3W } from '../math/lane';
import { storeRotation } from '../math/quat';
import { scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import {
  AxisZ,
  HeldTurn,
  SwingAxis,
  SwingRow,
  Turn,
  anglesOf,
  axisZ,
  hasSingularity,
  heldSwingX,
  heldSwingY,
  heldX,
  heldY,
  heldZ,
  inverseLength,
  isRegular,
  quatBetween,
  swingAxis,
  swingFactor,
  swingRowX,
  swingRowY,
  swingSine,
  swingSquare,
  turnFactor,
  turnOfQuat,
  twistAxisShare,
} from '../rows/joint_angles';
import { inverse } from '../rows/mass';
import { lengthOf, lockedOf, rootOf } from './joint_block';
import { symmetric, xyz } from './local_body';

function setBasis(axes: JointBasis, x: v128, y: v128, z: v128): void {
  axes.x = x;
  axes.y = y;
  axes.z = z;
}

/** Axes, places and errors of a joint with frames `qa`, `qb` in the world and anchor B at `e` from anchor A; to the scratch. */
export function measureAxes(t: usize, kind: u32, locked: u32, driven: u32, qa: v128, qb: v128, e: v128): void {
  const angular: u32 = locked >> 3;
  const linearAxes = changetype<JointBasis>(t + JOINT_LINEAR),
    angularAxes = changetype<JointBasis>(t + JOINT_ANGULAR);
  v128.store(t + JOINT_GAP, e);
  v128.store(t + JOINT_TURN, splatW(0));
  if (locked == 7 && driven == 0 && kind != JOINT_DISTANCE) {
    setBasis(linearAxes, vec3W(1, 0, 0), vec3W(0, 1, 0), vec3W(0, 0, 1));
    setBasis(angularAxes, vec3W(1, 0, 0), vec3W(0, 1, 0), vec3W(0, 0, 1));
    return;
  }
  storeRotation(qa, t + JOINT_COLUMNS);
  const frame = changetype<Rotation>(t + JOINT_COLUMNS);
  const x: v128 = frame.x,
    y: v128 = frame.y,
    z: v128 = frame.z;
  if (kind == JOINT_DISTANCE) {
    const length: f32 = lengthOf(e);
    const inverse: f32 = inverseLength<f32>(length);
    setBasis(linearAxes, inverse > 0 ? scale3(e, inverse) : vec3W(0, 1, 0), splatW(0), splatW(0));
    v128.store(t + JOINT_PLACES, vec3W(length, 0, 0));
  } else {
    const ex: f32 = dot3(x, e),
      ey: f32 = dot3(y, e),
      ez: f32 = dot3(z, e);
    setBasis(linearAxes, x, y, z);
    v128.store(t + JOINT_PLACES, vec3W(ex, ey, ez));
    if ((locked & 7) != 7) {
      v128.store(
        t + JOINT_GAP,
        addW(
          addW(scale3(x, (locked & 1) != 0 ? ex : 0), scale3(y, (locked & 2) != 0 ? ey : 0)),
          scale3(z, (locked & 4) != 0 ? ez : 0),
        ),
      );
    }
  }
  const g: v128 = quatBetween(qa, qb);
  const turn: Turn<f32> = turnOfQuat(g);
  const square: f32 = swingSquare<f32>(turn);
  const angles: v128 = anglesOf(g);
  const c: AxisZ<f32> = axisZ<f32>(turn, square);
  const sine: f32 = swingSine<f32>(c);
  const n: SwingAxis<f32> = swingAxis<f32>(c, inverseLength<f32>(sine));
  // 1 + c.z, whose constants an adapter may take together.
  const sum: f32 = 2 - 2 * square;
  v128.store(t + JOINT_CONE, withW3(negW(addW(scale3(x, n.x), scale3(y, n.y))), w3(angles)));
  v128.store(t + JOINT_ANGLES, withW3(angles, isRegular<f32>(sum)));
  if (driven >> 3 != 0) {
    // With one swing locked the other is an angle about its axis.
    let ofX: v128 = x,
      ofY: v128 = y;
    if ((angular & 3) == 0) {
      const factor: f32 = swingFactor<f32>(w3(angles), sine);
      const rowX: SwingRow<f32> = swingRowX<f32>(n, c, factor, y3(angles)),
        rowY: SwingRow<f32> = swingRowY<f32>(n, c, factor, x3(angles));
      ofX = inWorld(x, y, z, rowX.x, rowX.y, rowX.z);
      ofY = inWorld(x, y, z, rowY.x, rowY.y, rowY.z);
    }
    const mean: v128 = addW(z, inWorld(x, y, z, c.x, c.y, c.z));
    setBasis(changetype<JointBasis>(t + JOINT_DRIVEN), ofX, ofY, xyz(scale3(mean, twistAxisShare<f32>(sum))));
  }
  lockAngles(t, angular, turn, c, angles);
}

/** Basis and errors of the locked angles, in the frame that lies at JOINT_COLUMNS: their rows pass a swing of half a turn. */
function lockAngles(t: usize, angular: u32, turn: Turn<f32>, c: AxisZ<f32>, angles: v128): void {
  const angularAxes = changetype<JointBasis>(t + JOINT_ANGULAR);
  const frame = changetype<Rotation>(t + JOINT_COLUMNS);
  const x: v128 = frame.x,
    y: v128 = frame.y,
    z: v128 = frame.z;
  if (angular == 7) {
    const k: f32 = turnFactor<f32>(rootOf(swingSquare<f32>(turn) + turn.z * turn.z), turn.w);
    v128.store(t + JOINT_TURN, addW(addW(scale3(x, k * turn.x), scale3(y, k * turn.y)), scale3(z, k * turn.z)));
    setBasis(angularAxes, x, y, z);
  } else if (angular == 3) {
    v128.store(t + JOINT_TURN, addW(scale3(x, x3(angles)), scale3(y, y3(angles))));
    setBasis(angularAxes, x, y, z);
  } else if (angular == 1) {
    const held: HeldTurn<f32> = heldSwingX<f32>(c);
    const way: v128 = inWorld(x, y, z, held.x, held.y, held.z);
    v128.store(t + JOINT_TURN, scale3(way, held.error));
    setBasis(angularAxes, way, y, cross3(way, y));
  } else if (angular == 2) {
    const held: HeldTurn<f32> = heldSwingY<f32>(c);
    const way: v128 = inWorld(x, y, z, held.x, held.y, held.z);
    v128.store(t + JOINT_TURN, scale3(way, held.error));
    setBasis(angularAxes, x, way, cross3(x, way));
  } else if (angular != 0) {
    const twist: HeldTurn<f32> = heldZ<f32>(turn);
    const third: v128 = inWorld(x, y, z, twist.x, twist.y, twist.z);
    let error: v128 = scale3(third, twist.error);
    if (angular == 4) {
      // Any two at right angles: x or y of frame A, whichever is farther from it.
      const near: v128 = abs<f32>(twist.x) > abs<f32>(twist.y) ? y : x;
      const way: v128 = cross3(third, near);
      const second: v128 = scale3(way, inverseLength<f32>(lengthOf(way)));
      setBasis(angularAxes, cross3(second, third), second, third);
    } else if (angular == 5) {
      const held: HeldTurn<f32> = heldX<f32>(turn);
      const way: v128 = inWorld(x, y, z, held.x, held.y, held.z);
      error = addW(scale3(way, held.error), error);
      setBasis(angularAxes, way, cross3(third, way), third);
    } else {
      const held: HeldTurn<f32> = heldY<f32>(turn);
      const way: v128 = inWorld(x, y, z, held.x, held.y, held.z);
      error = addW(scale3(way, held.error), error);
      setBasis(angularAxes, cross3(way, third), way, third);
    }
    v128.store(t + JOINT_TURN, error);
  } else {
    setBasis(angularAxes, x, y, z);
  }
}

/** Whether axis u of a joint, as measured at `t`, has a place; else nothing limits or drives it. */
export function isRegularAt(t: usize, rows: usize, u: u32): bool {
  return changetype<JointAngles>(t + JOINT_ANGLES).regular > 0 || !hasSingularity(u, lockedOf(rows));
}

/** A direction along x, y, z of frame A. */
function inWorld(x: v128, y: v128, z: v128, ax: f32, ay: f32, az: f32): v128 {
  return xyz(addW(addW(scale3(x, ax), scale3(y, ay)), scale3(z, az)));
}

/** Determinant over the product of the diagonal below which rounding decides. */
const NEAR_SINGULAR: f32 = 1e-5;

/** Inverse of the symmetric matrix k0 k1 on the axes in `mask` of the basis at `basis`, zero across them; to `out`. */
export function invertBlock(k0: v128, k1: v128, basis: usize, mask: u32, out: usize): void {
  const axes = changetype<JointBasis>(basis);
  const a: v128 = xyz(axes.x),
    b: v128 = xyz(axes.y),
    c: v128 = xyz(axes.z);
  const ka: v128 = symmetric(k0, k1, a),
    kb: v128 = symmetric(k0, k1, b),
    kc: v128 = symmetric(k0, k1, c);
  const first: bool = (mask & 1) != 0,
    second: bool = (mask & 2) != 0,
    third: bool = (mask & 4) != 0;
  const m12: f32 = first && second ? dot3(a, kb) : 0,
    m13: f32 = first && third ? dot3(a, kc) : 0,
    m23: f32 = second && third ? dot3(b, kc) : 0;
  let m11: f32 = first ? dot3(a, ka) : 1,
    m22: f32 = second ? dot3(b, kb) : 1,
    m33: f32 = third ? dot3(c, kc) : 1;
  let c11: f32 = m22 * m33 - m23 * m23,
    c12: f32 = m13 * m23 - m12 * m33,
    c13: f32 = m12 * m23 - m13 * m22;
  let det: f32 = m11 * c11 + m12 * c12 + m13 * c13;
  if (!(det > NEAR_SINGULAR * (m11 * m22 * m33))) {
    // With arms of hundreds of times the size of a body the remainder is rounding, and may push the wrong way. A softer block
    // holds.
    m11 += NEAR_SINGULAR * m11;
    m22 += NEAR_SINGULAR * m22;
    m33 += NEAR_SINGULAR * m33;
    c11 = m22 * m33 - m23 * m23;
    c12 = m13 * m23 - m12 * m33;
    c13 = m12 * m23 - m13 * m22;
    det = m11 * c11 + m12 * c12 + m13 * c13;
  }
  const inv: f32 = inverse(det);
  const i11: f32 = first ? c11 * inv : 0,
    i12: f32 = c12 * inv,
    i13: f32 = c13 * inv,
    i22: f32 = second ? (m11 * m33 - m13 * m13) * inv : 0,
    i23: f32 = (m12 * m13 - m11 * m23) * inv,
    i33: f32 = third ? (m11 * m22 - m12 * m12) * inv : 0;
  const u: v128 = addW(addW(scale3(a, i11), scale3(b, i12)), scale3(c, i13)),
    v: v128 = addW(addW(scale3(a, i12), scale3(b, i22)), scale3(c, i23)),
    w: v128 = addW(addW(scale3(a, i13), scale3(b, i23)), scale3(c, i33));
  const col0: v128 = addW(addW(scale3(u, x3(a)), scale3(v, x3(b))), scale3(w, x3(c))),
    col1: v128 = addW(addW(scale3(u, y3(a)), scale3(v, y3(b))), scale3(w, y3(c)));
  const zz: f32 = z3(u) * z3(a) + z3(v) * z3(b) + z3(w) * z3(c);
  const inverted = changetype<SymmetricRows>(out);
  inverted.row0 = f32x4(x3(col0), y3(col0), z3(col0), y3(col1));
  inverted.row1 = f32x4(z3(col1), zz, 0, 0);
}

/** K of one body at an arm, (1 / m) 1 - [r] I^-1 [r], to `out`. */
export function anchorBlock(im: v128, i0: v128, i1: v128, r: v128, out: SymmetricRows): void {
  const x: v128 = vec3W(1, 0, 0),
    y: v128 = vec3W(0, 1, 0),
    z: v128 = vec3W(0, 0, 1);
  const c0: v128 = addW(cross3(symmetric(i0, i1, cross3(r, x)), r), mulW(x, im)),
    c1: v128 = addW(cross3(symmetric(i0, i1, cross3(r, y)), r), mulW(y, im)),
    c2: v128 = addW(cross3(symmetric(i0, i1, cross3(r, z)), r), mulW(z, im));
  out.row0 = f32x4(x3(c0), y3(c0), z3(c0), y3(c1));
  out.row1 = f32x4(z3(c1), z3(c2), 0, 0);
}

/** Velocity between the anchors from a torque impulse. */
export function slipOf(j: JointArms, torque: v128): v128 {
  return addW(
    cross3(symmetric(j.inertiaB0, j.inertiaB1, torque), j.armB),
    cross3(symmetric(j.inertiaA0, j.inertiaA1, torque), j.armA),
  );
}

/** Spin of B against A from a torque impulse. */
export function spinOfTorque(j: JointArms, torque: v128): v128 {
  return addW(symmetric(j.inertiaA0, j.inertiaA1, torque), symmetric(j.inertiaB0, j.inertiaB1, torque));
}

/** Spin of B against A from an impulse at the anchors. */
export function spinOf(j: JointArms, impulse: v128): v128 {
  return addW(
    symmetric(j.inertiaB0, j.inertiaB1, cross3(j.armB, impulse)),
    symmetric(j.inertiaA0, j.inertiaA1, cross3(j.armA, impulse)),
  );
}

/** Spin from a torque impulse while the linear axes hold; l0 l1: inverse block of these. */
function heldSpin(j: JointArms, l0: v128, l1: v128, torque: v128): v128 {
  return subW(spinOfTorque(j, torque), spinOf(j, symmetric(l0, l1, slipOf(j, torque))));
}

/** Computes the inverse of the rest of the locked angular axes when the linear ones hold; to JOINT_COUPLED. */
export function invertHeldSpins(j: JointArms, l0: v128, l1: v128, t: usize, angular: u32): void {
  if (angular == 0) {
    memory.fill(t + JOINT_COUPLED, 0, SYMMETRIC_ROWS_STRIDE);
    return;
  }
  const c0: v128 = heldSpin(j, l0, l1, vec3W(1, 0, 0)),
    c1: v128 = heldSpin(j, l0, l1, vec3W(0, 1, 0)),
    c2: v128 = heldSpin(j, l0, l1, vec3W(0, 0, 1));
  invertBlock(f32x4(x3(c0), y3(c0), z3(c0), y3(c1)), f32x4(z3(c1), z3(c2), 0, 0), t + JOINT_ANGULAR, angular, t + JOINT_COUPLED);
}
