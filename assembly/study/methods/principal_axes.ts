// Principal axes of the matrix K of locked axes, so that scalar rows along them do not disturb each other: a body on a long arm
// has a hundred times the mobility across the arm that it has along it, and rows at an angle to both would hardly converge. They
// would be soft in the wrong direction too, as the compliance of a row follows its own K.
// Method: cyclic Jacobi rotations.
import { addW, dot3, splatW } from '../../math/lane';
import { scale3 } from '../../math/vec3';
import { symmetric, xyz } from '../../split/local_body';

/** Bytes of the scratch at `m`: K on the axes, then the rotation, three rows of three each. */
export const PRINCIPAL_BYTES: u32 = 72;
const SWEEPS: u32 = 5;
/** Coupling over the product of the diagonal below which two axes count as principal. */
const NONE_LEFT: f32 = 1e-12;

function at(m: usize, i: u32, j: u32): usize {
  return m + ((<usize>(3 * i + j)) << 2);
}

/** Finds the axes as a rotation of the `mask` axes (16 bytes each) at `basis`; k0 k1: K, xx xy xz yy, yz zz. */
export function findPrincipal(m: usize, basis: usize, mask: u32, k0: v128, k1: v128): void {
  for (let i: u32 = 0; i < 3; i++) {
    const k: v128 = symmetric(k0, k1, axisIn(basis, i));
    for (let j: u32 = 0; j < 3; j++) {
      const both: bool = ((mask >> i) & 1) != 0 && ((mask >> j) & 1) != 0;
      store<f32>(at(m, i, j), both ? dot3(axisIn(basis, j), k) : 0);
      store<f32>(at(m + 36, i, j), i == j ? 1 : 0);
    }
  }
  for (let sweep: u32 = 0; sweep < SWEEPS; sweep++) {
    rotate(m, 0, 1);
    rotate(m, 0, 2);
    rotate(m, 1, 2);
  }
}

/** Turns axes p and q so that K has no part between them. */
function rotate(m: usize, p: u32, q: u32): void {
  const pp: f32 = load<f32>(at(m, p, p)),
    qq: f32 = load<f32>(at(m, q, q)),
    pq: f32 = load<f32>(at(m, p, q));
  if (!(pq * pq > NONE_LEFT * pp * qq)) return;
  const half: f32 = (qq - pp) / (2 * pq);
  const t: f32 = (half < 0 ? <f32>-1 : <f32>1) / (abs<f32>(half) + sqrt<f32>(half * half + 1));
  const c: f32 = 1 / sqrt<f32>(t * t + 1),
    s: f32 = t * c;
  for (let k: u32 = 0; k < 3; k++) {
    const x: f32 = load<f32>(at(m, k, p)),
      y: f32 = load<f32>(at(m, k, q));
    store<f32>(at(m, k, p), c * x - s * y);
    store<f32>(at(m, k, q), s * x + c * y);
  }
  turn(m, p, q, c, s);
  turn(m + 36, p, q, c, s);
}

/** Rows p and q of a matrix, turned. */
function turn(m: usize, p: u32, q: u32, c: f32, s: f32): void {
  for (let k: u32 = 0; k < 3; k++) {
    const x: f32 = load<f32>(at(m, p, k)),
      y: f32 = load<f32>(at(m, q, k));
    store<f32>(at(m, p, k), c * x - s * y);
    store<f32>(at(m, q, k), s * x + c * y);
  }
}

function axisIn(basis: usize, i: u32): v128 {
  return xyz(v128.load(basis + ((<usize>i) << 4)));
}

/** Axis i, of those at `basis`. */
export function principalAxis(m: usize, basis: usize, i: u32): v128 {
  let axis: v128 = splatW(0);
  for (let j: u32 = 0; j < 3; j++) axis = addW(axis, scale3(axisIn(basis, j), load<f32>(at(m + 36, i, j))));
  return xyz(axis);
}

/** Coordinate i of a vector with the coordinates (x, y, z) on the axes that were there. */
export function principalPart(m: usize, i: u32, x: f32, y: f32, z: f32): f32 {
  return load<f32>(at(m + 36, i, 0)) * x + load<f32>(at(m + 36, i, 1)) * y + load<f32>(at(m + 36, i, 2)) * z;
}
