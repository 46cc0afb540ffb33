// Symmetric 3x3 matrices in double precision.

/**
 * The inverse by cofactors, in single precision, to six floats at `out`: xx yy zz xy xz yz. Zeros unless the determinant is
 * positive.
 */
export function invertSymmetric(xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64, out: usize): void {
  const c0: f64 = yy * zz - yz * yz,
    c1: f64 = xz * yz - xy * zz,
    c2: f64 = xy * yz - xz * yy;
  const det: f64 = xx * c0 + xy * c1 + xz * c2;
  const k: f64 = det > 0 ? 1 / det : 0;
  store<f32>(out, <f32>(c0 * k));
  store<f32>(out, <f32>((xx * zz - xz * xz) * k), 4);
  store<f32>(out, <f32>((xx * yy - xy * xy) * k), 8);
  store<f32>(out, <f32>(c1 * k), 12);
  store<f32>(out, <f32>(c2 * k), 16);
  store<f32>(out, <f32>((xy * xz - xx * yz) * k), 20);
}
