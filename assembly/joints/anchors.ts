// The bodies of four joints as seen from their anchors: inverse inertia, relative velocity, and what impulses do to them.
// Inverse inertia is brought to columns once a turn of the rows: all passes then read it in a row.
// Input: columns of turn.ts, BodyRow, JointBody. Output: columns of the head and of the scratch, BodyRow.
import { addColumns, columnW, columnX, columnY, columnZ, differenceOf } from '../lanes/columns';
import { dotW, greaterW, maxW, mulW, subW } from '../math/lane';
import { col, crossAddW, crossW, setCol, symX } from './columns';
import {
  B_INVERSE,
  J_BEARS,
  J_BODY_A,
  J_BODY_B,
  J_INVERSE_A,
  J_INVERSE_B,
  J_LEVER_A,
  J_LEVER_B,
  J_MASSES,
  J_PEAK,
  J_ROW_A,
  J_ROW_B,
} from './layout';
import { jointScratch } from './state';

/**
 * Scratch columns: relative velocity of the anchors, linear 3, angular 3; a number for each locked row, 6; all ones where a load
 * has grown in the soft pass (loads.ts).
 */
export const S_RESPONSE: usize = 0;
export const S_ROWS: usize = 96;
export const S_GROWN: usize = 192;

/** Inverse inertia and masses to the head. */
export function loadBodies(g: usize): void {
  loadSide(g + J_BODY_A, g + J_INVERSE_A, g + J_MASSES);
  loadSide(g + J_BODY_B, g + J_INVERSE_B, g + J_MASSES + 16);
}

function loadSide(bodies: usize, to: usize, mass: usize): void {
  const p0: usize = <usize>load<u32>(bodies) + B_INVERSE,
    p1: usize = <usize>load<u32>(bodies, 4) + B_INVERSE,
    p2: usize = <usize>load<u32>(bodies, 8) + B_INVERSE,
    p3: usize = <usize>load<u32>(bodies, 12) + B_INVERSE;
  const s0: v128 = v128.load(p0),
    s1: v128 = v128.load(p1),
    s2: v128 = v128.load(p2),
    s3: v128 = v128.load(p3);
  const t0: v128 = v128.load(p0, 16),
    t1: v128 = v128.load(p1, 16),
    t2: v128 = v128.load(p2, 16),
    t3: v128 = v128.load(p3, 16);
  v128.store(to, columnX(s0, s1, s2, s3));
  v128.store(to, columnY(s0, s1, s2, s3), 16);
  v128.store(to, columnZ(s0, s1, s2, s3), 32);
  v128.store(to, columnW(s0, s1, s2, s3), 48);
  v128.store(to, columnX(t0, t1, t2, t3), 64);
  v128.store(to, columnY(t0, t1, t2, t3), 80);
  v128.store(mass, columnZ(t0, t1, t2, t3));
}

/** Response of the anchors, B - A, to turns (ax, ay, az) of A and (bx, by, bz) of B and to a linear one. */
export function respond(
  g: usize,
  s: usize,
  ax: v128,
  ay: v128,
  az: v128,
  bx: v128,
  by: v128,
  bz: v128,
  lx: v128,
  ly: v128,
  lz: v128,
): void {
  const px: v128 = col(g, J_LEVER_A, 0),
    py: v128 = col(g, J_LEVER_A, 1),
    pz: v128 = col(g, J_LEVER_A, 2);
  const qx: v128 = col(g, J_LEVER_B, 0),
    qy: v128 = col(g, J_LEVER_B, 1),
    qz: v128 = col(g, J_LEVER_B, 2);
  setCol(s, S_RESPONSE, 0, subW(crossAddW(by, qz, bz, qy, lx), crossW(ay, pz, az, py)));
  setCol(s, S_RESPONSE, 1, subW(crossAddW(bz, qx, bx, qz, ly), crossW(az, px, ax, pz)));
  setCol(s, S_RESPONSE, 2, subW(crossAddW(bx, qy, by, qx, lz), crossW(ax, py, ay, px)));
  setCol(s, S_RESPONSE, 3, subW(bx, ax));
  setCol(s, S_RESPONSE, 4, subW(by, ay));
  setCol(s, S_RESPONSE, 5, subW(bz, az));
}

/** Relative velocity of the anchors, B - A, linear and angular, to the response of the scratch. */
export function relativeVelocity(g: usize, s: usize): void {
  const a0: usize = <usize>load<u32>(g, J_ROW_A),
    a1: usize = <usize>load<u32>(g, J_ROW_A + 4),
    a2: usize = <usize>load<u32>(g, J_ROW_A + 8),
    a3: usize = <usize>load<u32>(g, J_ROW_A + 12);
  const b0: usize = <usize>load<u32>(g, J_ROW_B),
    b1: usize = <usize>load<u32>(g, J_ROW_B + 4),
    b2: usize = <usize>load<u32>(g, J_ROW_B + 8),
    b3: usize = <usize>load<u32>(g, J_ROW_B + 12);
  const wa0: v128 = v128.load(a0, 16),
    wa1: v128 = v128.load(a1, 16),
    wa2: v128 = v128.load(a2, 16),
    wa3: v128 = v128.load(a3, 16);
  const wb0: v128 = v128.load(b0, 16),
    wb1: v128 = v128.load(b1, 16),
    wb2: v128 = v128.load(b2, 16),
    wb3: v128 = v128.load(b3, 16);
  const v0: v128 = differenceOf(a0, b0),
    v1: v128 = differenceOf(a1, b1),
    v2: v128 = differenceOf(a2, b2),
    v3: v128 = differenceOf(a3, b3);
  respond(
    g,
    s,
    columnX(wa0, wa1, wa2, wa3),
    columnY(wa0, wa1, wa2, wa3),
    columnZ(wa0, wa1, wa2, wa3),
    columnX(wb0, wb1, wb2, wb3),
    columnY(wb0, wb1, wb2, wb3),
    columnZ(wb0, wb1, wb2, wb3),
    columnX(v0, v1, v2, v3),
    columnY(v0, v1, v2, v3),
    columnZ(v0, v1, v2, v3),
  );
}

/** I^-1 (x, y, z), added to the angular velocities of one side; `inverse`: J_INVERSE_A or B, rows: J_ROW_A or B. */
export function spinSide(g: usize, inverse: usize, rows: usize, x: v128, y: v128, z: v128): void {
  const xy: v128 = col(g, inverse, 3),
    xz: v128 = col(g, inverse, 4),
    yz: v128 = col(g, inverse, 5);
  addColumns(
    <usize>load<u32>(g + rows) + 16,
    <usize>load<u32>(g + rows, 4) + 16,
    <usize>load<u32>(g + rows, 8) + 16,
    <usize>load<u32>(g + rows, 12) + 16,
    symX(col(g, inverse, 0), xy, xz, x, y, z),
    symX(xy, col(g, inverse, 1), yz, x, y, z),
    symX(xz, yz, col(g, inverse, 2), x, y, z),
  );
}

/** |impulse|^2 of a group after a pass: of the last one the largest of the step is kept, else whether its load has grown. */
// @ts-ignore: decorator
@inline
export function noteImpulse(g: usize, square: v128, last: bool): void {
  if (last) {
    v128.store(g, maxW(v128.load(g, J_PEAK), square), J_PEAK);
    return;
  }
  const s: usize = jointScratch();
  v128.store(s, v128.or(v128.load(s, S_GROWN), greaterW(square, v128.load(g, J_BEARS))), S_GROWN);
}

/** v += z / m along the direction of three columns at `direction`, for the bodies of one side. */
export function pushSide(rows: usize, direction: usize, z: v128): void {
  const r0: usize = <usize>load<u32>(rows),
    r1: usize = <usize>load<u32>(rows, 4),
    r2: usize = <usize>load<u32>(rows, 8),
    r3: usize = <usize>load<u32>(rows, 12);
  const m: v128 = f32x4(load<f32>(r0, 12), load<f32>(r1, 12), load<f32>(r2, 12), load<f32>(r3, 12));
  const k: v128 = mulW(m, z);
  addColumns(r0, r1, r2, r3, mulW(k, v128.load(direction)), mulW(k, v128.load(direction, 16)), mulW(k, v128.load(direction, 32)));
}

/** Speed of four bodies along a direction, three columns at `direction`; part 0: of their centers, 16: angular. */
// @ts-ignore: decorator
@inline
export function speedAlong(rows: usize, part: usize, direction: usize): v128 {
  const r0: v128 = v128.load(<usize>load<u32>(rows) + part),
    r1: v128 = v128.load(<usize>load<u32>(rows, 4) + part),
    r2: v128 = v128.load(<usize>load<u32>(rows, 8) + part),
    r3: v128 = v128.load(<usize>load<u32>(rows, 12) + part);
  return dotW(
    columnX(r0, r1, r2, r3),
    columnY(r0, r1, r2, r3),
    columnZ(r0, r1, r2, r3),
    v128.load(direction),
    v128.load(direction, 16),
    v128.load(direction, 32),
  );
}
