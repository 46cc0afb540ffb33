// The 6x6 system of one body: H x = r with H = M / h^2 + sum k J J' + G, r = M / h^2 (target - now) + sum J z (AVBD eq. 4-6, 17).
// Unknown: change of position and of rotation vector. H is symmetric and positive definite, so an LDL' factorization solves it.
// In double precision: penalties are up to 10^6 times the inertia. Rows of the lower triangle are made even, so that two numbers
// are added at once; what lies above the diagonal is not read.
// Input: AvbdBody, rows with forces. Output: AvbdState.block, and in it the solution.
import { AvbdBody } from '../../layout.generated';
import { vectorAt } from '../../memory/words';
import { avbdState } from './state';

/** Byte offset of the right side behind the triangle. */
const RIGHT: usize = 24 * 8;

// @ts-ignore: decorator
@inline
function add(at: usize, offset: usize, value: f64): void {
  store<f64>(at + offset, load<f64>(at + offset) + value);
}

/** Place of an element of the lower triangle, bytes: rows begin at 0, 2, 4, 8, 12, 18 numbers. */
// @ts-ignore: decorator
@inline
function place(i: u32, j: u32): usize {
  const pair: u32 = i >> 1;
  return (<usize>(2 * (pair + 1) * (pair + (i & 1)) + j)) << 3;
}

/** Adds to two numbers. */
// @ts-ignore: decorator
@inline
function addPair(at: usize, value: v128): void {
  v128.store(at, f64x2.add(v128.load(at), value));
}

/** Begins with inertia alone. */
export function startBlock(body: AvbdBody): void {
  const at: usize = avbdState().block;
  memory.fill(at, 0, 30 * 8);
  const m: f64 = body.mass;
  for (let i: u32 = 0; i < 3; i++) store<f64>(at + place(i, i), m);
  store<f64>(at + place(3, 3), body.ixx);
  store<f64>(at + place(4, 3), body.ixy);
  store<f64>(at + place(4, 4), body.iyy);
  store<f64>(at + place(5, 3), body.ixz);
  store<f64>(at + place(5, 4), body.iyz);
  store<f64>(at + place(5, 5), body.izz);
  store<f64>(at, m * (body.targetDx - body.dx), RIGHT);
  store<f64>(at, m * (body.targetDy - body.dy), RIGHT + 8);
  store<f64>(at, m * (body.targetDz - body.dz), RIGHT + 16);
  const x: f64 = body.targetPx - body.px,
    y: f64 = body.targetPy - body.py,
    z: f64 = body.targetPz - body.pz;
  store<f64>(at, body.ixx * x + body.ixy * y + body.ixz * z, RIGHT + 24);
  store<f64>(at, body.ixy * x + body.iyy * y + body.iyz * z, RIGHT + 32);
  store<f64>(at, body.ixz * x + body.iyz * y + body.izz * z, RIGHT + 40);
}

/** Adds a row with the gradient of this body at `gradient` (6 numbers), stiffness k and force z. */
export function stampRow(gradient: usize, k: f64, z: f64): void {
  const at: usize = avbdState().block;
  const g0: v128 = vectorAt(gradient, 0),
    g1: v128 = vectorAt(gradient, 1),
    g2: v128 = vectorAt(gradient, 2);
  const stiffness: v128 = f64x2.splat(k),
    force: v128 = f64x2.splat(z);
  const k0: v128 = f64x2.mul(g0, stiffness),
    k1: v128 = f64x2.mul(g1, stiffness),
    k2: v128 = f64x2.mul(g2, stiffness);
  const r0: v128 = v128.shuffle<f64>(k0, k0, 0, 0),
    r1: v128 = v128.shuffle<f64>(k0, k0, 1, 1),
    r2: v128 = v128.shuffle<f64>(k1, k1, 0, 0),
    r3: v128 = v128.shuffle<f64>(k1, k1, 1, 1),
    r4: v128 = v128.shuffle<f64>(k2, k2, 0, 0),
    r5: v128 = v128.shuffle<f64>(k2, k2, 1, 1);
  addPair(at, f64x2.mul(r0, g0));
  addPair(at + 16, f64x2.mul(r1, g0));
  addPair(at + 32, f64x2.mul(r2, g0));
  addPair(at + 48, f64x2.mul(r2, g1));
  addPair(at + 64, f64x2.mul(r3, g0));
  addPair(at + 80, f64x2.mul(r3, g1));
  addPair(at + 96, f64x2.mul(r4, g0));
  addPair(at + 112, f64x2.mul(r4, g1));
  addPair(at + 128, f64x2.mul(r4, g2));
  addPair(at + 144, f64x2.mul(r5, g0));
  addPair(at + 160, f64x2.mul(r5, g1));
  addPair(at + 176, f64x2.mul(r5, g2));
  addPair(at + RIGHT, f64x2.mul(force, g0));
  addPair(at + RIGHT + 16, f64x2.mul(force, g1));
  addPair(at + RIGHT + 32, f64x2.mul(force, g2));
}

/** Adds to the diagonal. */
export function stampDiagonal(i: u32, value: f64): void {
  add(avbdState().block, place(i, i), value);
}

/**
 * Adds the geometric stiffness of a force f at the arm r of this body: the lengths of the columns of (f r' + r f') / 2 - (f.r) 1
 * on the diagonal, which keeps H positive (AVBD sec. 3.5).
 */
export function stampGeometry(fx: f64, fy: f64, fz: f64, rx: f64, ry: f64, rz: f64): void {
  const dot: f64 = fx * rx + fy * ry + fz * rz;
  const xy: f64 = 0.5 * (fx * ry + fy * rx),
    xz: f64 = 0.5 * (fx * rz + fz * rx),
    yz: f64 = 0.5 * (fy * rz + fz * ry);
  const xx: f64 = fx * rx - dot,
    yy: f64 = fy * ry - dot,
    zz: f64 = fz * rz - dot;
  stampDiagonal(3, sqrt<f64>(xx * xx + xy * xy + xz * xz));
  stampDiagonal(4, sqrt<f64>(xy * xy + yy * yy + yz * yz));
  stampDiagonal(5, sqrt<f64>(xz * xz + yz * yz + zz * zz));
}

/** Takes locked axes (bits 0-5) out of the system: they do not move. */
export function lockBlock(locks: u32): void {
  const at: usize = avbdState().block;
  for (let i: u32 = 0; i < 6; i++) {
    if (((locks >> i) & 1) == 0) continue;
    for (let j: u32 = 0; j < 6; j++) store<f64>(at + (j <= i ? place(i, j) : place(j, i)), 0);
    store<f64>(at + place(i, i), 1);
    store<f64>(at + RIGHT + ((<usize>i) << 3), 0);
  }
}

/** Solves the system: the right side becomes the solution. Returns false if H is singular; the right side then means nothing. */
export function solveBlock(): bool {
  const at: usize = avbdState().block;
  // H = L D L', L below the diagonal, D on it.
  for (let j: u32 = 0; j < 6; j++) {
    let d: f64 = load<f64>(at + place(j, j));
    for (let k: u32 = 0; k < j; k++) {
      const l: f64 = load<f64>(at + place(j, k));
      d -= l * l * load<f64>(at + place(k, k));
    }
    if (!(d > 0)) return false;
    store<f64>(at + place(j, j), d);
    for (let i: u32 = j + 1; i < 6; i++) {
      let x: f64 = load<f64>(at + place(i, j));
      for (let k: u32 = 0; k < j; k++) {
        x -= load<f64>(at + place(i, k)) * load<f64>(at + place(j, k)) * load<f64>(at + place(k, k));
      }
      store<f64>(at + place(i, j), x / d);
    }
  }
  const r: usize = at + RIGHT;
  for (let i: u32 = 0; i < 6; i++) {
    let x: f64 = load<f64>(r + ((<usize>i) << 3));
    for (let k: u32 = 0; k < i; k++) x -= load<f64>(at + place(i, k)) * load<f64>(r + ((<usize>k) << 3));
    store<f64>(r + ((<usize>i) << 3), x);
  }
  for (let i: u32 = 5; i < 6; i--) {
    let x: f64 = load<f64>(r + ((<usize>i) << 3)) / load<f64>(at + place(i, i));
    for (let k: u32 = i + 1; k < 6; k++) x -= load<f64>(at + place(k, i)) * load<f64>(r + ((<usize>k) << 3));
    store<f64>(r + ((<usize>i) << 3), x);
  }
  return true;
}

/** Number i of the solution. */
export function solutionOf(i: u32): f64 {
  return load<f64>(<usize>avbdState().block + RIGHT + ((<usize>i) << 3));
}
