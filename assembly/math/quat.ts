// Unit quaternions and rotations. One v128 is x y z w; a rotation matrix in memory is three columns of 16 bytes.

const FULL_TURN: f32 = 6.2831855;
const TURNS: f32 = 0.15915494; // in a radian

export function quatMul(a: v128, b: v128): v128 {
  const ax: f32 = f32x4.extract_lane(a, 0),
    ay: f32 = f32x4.extract_lane(a, 1),
    az: f32 = f32x4.extract_lane(a, 2),
    aw: f32 = f32x4.extract_lane(a, 3);
  const bx: f32 = f32x4.extract_lane(b, 0),
    by: f32 = f32x4.extract_lane(b, 1),
    bz: f32 = f32x4.extract_lane(b, 2),
    bw: f32 = f32x4.extract_lane(b, 3);
  return f32x4(
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  );
}

/** The inverse of a unit quaternion. */
export function quatConjugate(q: v128): v128 {
  return f32x4.mul(q, f32x4(-1, -1, -1, 1));
}

export function quatNormalize(q: v128): v128 {
  const p: v128 = f32x4.mul(q, q);
  const lengthSquared: f32 =
    f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2) + f32x4.extract_lane(p, 3);
  return f32x4.mul(q, f32x4.splat(<f32>1 / sqrt<f32>(lengthSquared)));
}

/** Writes the rotation of a unit quaternion as three columns, 16 bytes each, to `out`. */
export function storeRotation(q: v128, out: usize): void {
  const x: f32 = f32x4.extract_lane(q, 0),
    y: f32 = f32x4.extract_lane(q, 1),
    z: f32 = f32x4.extract_lane(q, 2),
    w: f32 = f32x4.extract_lane(q, 3);
  const x2: f32 = x + x,
    y2: f32 = y + y,
    z2: f32 = z + z;
  const xx: f32 = x * x2,
    yy: f32 = y * y2,
    zz: f32 = z * z2;
  const xy: f32 = x * y2,
    xz: f32 = x * z2,
    yz: f32 = y * z2;
  const wx: f32 = w * x2,
    wy: f32 = w * y2,
    wz: f32 = w * z2;
  v128.store(out, f32x4(1 - (yy + zz), xy + wz, xz - wy, 0));
  v128.store(out, f32x4(xy - wz, 1 - (xx + zz), yz + wx, 0), 16);
  v128.store(out, f32x4(xz + wy, yz - wx, 1 - (xx + yy), 0), 32);
}

/** Rotates v (x y z _) by the columns at `columns`. */
export function rotate3(columns: usize, v: v128): v128 {
  const x: v128 = f32x4.splat(f32x4.extract_lane(v, 0));
  const y: v128 = f32x4.splat(f32x4.extract_lane(v, 1));
  const z: v128 = f32x4.splat(f32x4.extract_lane(v, 2));
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(columns), x), f32x4.mul(v128.load(columns, 16), y)),
    f32x4.mul(v128.load(columns, 32), z),
  );
}

/** Rotates v by the inverse of the columns at `columns`. */
export function inverseRotate3(columns: usize, v: v128): v128 {
  const a: v128 = f32x4.mul(v128.load(columns), v);
  const b: v128 = f32x4.mul(v128.load(columns, 16), v);
  const c: v128 = f32x4.mul(v128.load(columns, 32), v);
  return f32x4(
    f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2),
    f32x4.extract_lane(b, 0) + f32x4.extract_lane(b, 1) + f32x4.extract_lane(b, 2),
    f32x4.extract_lane(c, 0) + f32x4.extract_lane(c, 1) + f32x4.extract_lane(c, 2),
    0,
  );
}

/**
 * The unit quaternion of a rotation vector (rad): a series below a quarter radian, exact to f32 and free of cancellation;
 * larger angles are halved until they fit and the result is squared as often, whole turns are left out before. No tables, the
 * same bits everywhere. Finite for every vector whose square is.
 */
export function quatFromRotationVector(p: v128): v128 {
  let v: v128 = f32x4.replace_lane(p, 3, 0);
  let halvings: u32 = 0;
  let a2: f32 = squareSum(v);
  if (a2 > FULL_TURN * FULL_TURN) {
    const angle: f32 = sqrt<f32>(a2);
    const turns: f32 = angle * TURNS;
    v = f32x4.mul(v, f32x4.splat((FULL_TURN * (turns - floor<f32>(turns))) / angle));
    a2 = squareSum(v);
  }
  while (a2 > <f32>0.0625 && halvings < 16) {
    v = f32x4.mul(v, f32x4.splat(0.5));
    a2 *= <f32>0.25;
    halvings++;
  }
  const h2: f32 = a2 * <f32>0.25;
  const s: f32 = <f32>0.5 * (1 - h2 * (<f32>0.16666667 - h2 * (<f32>0.008333334 - h2 * <f32>0.0001984127)));
  const c: f32 = 1 - h2 * (<f32>0.5 - h2 * (<f32>0.041666668 - h2 * <f32>0.0013888889));
  let q: v128 = f32x4.replace_lane(f32x4.mul(v, f32x4.splat(s)), 3, c);
  for (; halvings != 0; halvings--) q = quatMul(q, q);
  return q;
}

/** The rotation vector (rad) of a quaternion of length 1, of the shorter way around: at most pi long. */
export function rotationVectorOf(q: v128): v128 {
  const w: f32 = f32x4.extract_lane(q, 3);
  const s: f32 = sqrt<f32>(squareSum(q));
  // angle / sin(angle / 2) -> 2 as the angle goes to 0.
  const k: f32 = s > <f32>1e-6 ? (<f32>2 * Mathf.atan2(s, abs<f32>(w))) / s : <f32>2;
  return f32x4.replace_lane(f32x4.mul(q, f32x4.splat(w < 0 ? -k : k)), 3, 0);
}

function squareSum(v: v128): f32 {
  const p: v128 = f32x4.mul(v, v);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}
