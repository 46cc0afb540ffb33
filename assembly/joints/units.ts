// Driven and limited axes and friction by load: what a joint does beside holding its locked axes, before these in every pass.
//
// A limit is a contact: rigid while it is apart, soft where it is passed (relax: rigid, without push). A drive by velocity is a
// row with a bounded impulse in both passes; a spring is solved in the soft pass alone, implicitly, by the mass that moves when
// the locked axes hold (block.ts); relax keeps its impulse. Dry friction opposes the motion of an axis up to its force; friction
// by load does so for the free angular axes, up to lever times the impulse of the locked axes: what lets ragdolls rest.
// Input: columns of turn.ts. Output: impulses, BodyRow.
import { addColumns, columnW, columnX, columnY, columnZ, differenceOf } from '../lanes/columns';
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import { col, setCol, solve3, symX } from './columns';
import {
  B_INVERSE,
  FORM_GEAR,
  FORM_LOCKED,
  FORM_RUB,
  HEAD_BYTES,
  J_AXES,
  J_BODY_A,
  J_BODY_B,
  J_FORM,
  J_IMPULSE,
  J_ROW_A,
  J_ROW_B,
  J_RUB,
  J_RUB_LEVER,
  J_RUB_MASS,
  J_RUB_STEP,
  J_RUB_TORQUE,
  J_TWIST,
  UNIT_BYTES,
  U_ANGULAR_A,
  U_ANGULAR_B,
  U_BY_STIFFNESS,
  U_DAMPING,
  U_DRIVE,
  U_LIMIT,
  U_LINEAR_A,
  U_LINEAR_B,
  U_LOWER,
  U_MASS,
  U_MASS_FREE,
  U_MOST,
  U_PLACE,
  U_RUB,
  U_RUB_MOST,
  U_SPIN_A,
  U_SPIN_B,
  U_SPRING,
  U_STIFFNESS,
  U_TARGET,
  U_UPPER,
  U_VELOCITY,
  driven,
} from './layout';
import { jointState } from './state';
import { JOINT_H, JOINT_INV_H, JOINT_IMPULSE_SCALE, JOINT_MASS_SCALE, JOINT_RATE, PUSH } from './parameters';

const TWO_PI: f32 = 6.2831855;
// A limit this far (m, rad) from being reached at twice the speed of now, and 5 more, does nothing in this pass.
const REACH: f32 = 5;

/** A pass over the units of the groups named in [list, end). */
export function solveUnits(list: usize, end: usize, soft: bool, step: usize): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_RUB) != 0) solveRub(g, form, step);
    let unit: usize = g + HEAD_BYTES;
    for (let k: u32 = load<u32>(g, J_FORM + 4); k != 0; k--) {
      solveUnit(g, unit, form, soft, step);
      unit += UNIT_BYTES;
    }
  }
}

function solveUnit(g: usize, unit: usize, form: u32, soft: bool, step: usize): void {
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
  let u: v128 = subW(
    dotW(
      columnX(wb0, wb1, wb2, wb3),
      columnY(wb0, wb1, wb2, wb3),
      columnZ(wb0, wb1, wb2, wb3),
      col(unit, U_ANGULAR_B, 0),
      col(unit, U_ANGULAR_B, 1),
      col(unit, U_ANGULAR_B, 2),
    ),
    dotW(
      columnX(wa0, wa1, wa2, wa3),
      columnY(wa0, wa1, wa2, wa3),
      columnZ(wa0, wa1, wa2, wa3),
      col(unit, U_ANGULAR_A, 0),
      col(unit, U_ANGULAR_A, 1),
      col(unit, U_ANGULAR_A, 2),
    ),
  );
  const linear: bool = (driven(form) & 7) != 0 || driven(form) == 0;
  if (linear) {
    const va0: v128 = v128.load(a0),
      va1: v128 = v128.load(a1),
      va2: v128 = v128.load(a2),
      va3: v128 = v128.load(a3);
    const vb0: v128 = v128.load(b0),
      vb1: v128 = v128.load(b1),
      vb2: v128 = v128.load(b2),
      vb3: v128 = v128.load(b3);
    const alongB: v128 = dotW(
      columnX(vb0, vb1, vb2, vb3),
      columnY(vb0, vb1, vb2, vb3),
      columnZ(vb0, vb1, vb2, vb3),
      col(unit, U_LINEAR_B, 0),
      col(unit, U_LINEAR_B, 1),
      col(unit, U_LINEAR_B, 2),
    );
    const alongA: v128 = dotW(
      columnX(va0, va1, va2, va3),
      columnY(va0, va1, va2, va3),
      columnZ(va0, va1, va2, va3),
      col(unit, U_LINEAR_A, 0),
      col(unit, U_LINEAR_A, 1),
      col(unit, U_LINEAR_A, 2),
    );
    u = addW(u, subW(alongB, alongA));
  }
  const zero: v128 = splatW(0);
  const h: v128 = v128.load(step, JOINT_H);
  const mass: v128 = v128.load(unit, U_MASS);
  const place: v128 = v128.load(unit, U_PLACE);
  let change: v128 = zero;
  if ((form & FORM_GEAR) != 0) {
    // Held both ways; the error is what its speed added up to.
    if (soft) {
      change = negW(mulW(mass, mulAddW(v128.load(step, JOINT_RATE), place, u)));
      u = addW(u, divW(change, maxW(mass, splatW(1e-30))));
      setCol(g, J_TWIST, 0, mulAddW(h, u, place));
    } else {
      change = negW(mulW(mass, u));
    }
    v128.store(unit, addW(v128.load(unit, U_LIMIT), change), U_LIMIT);
  } else {
    const free: v128 = v128.load(unit, U_MASS_FREE);
    const most: v128 = mulW(h, v128.load(unit, U_MOST));
    const rub: v128 = mulW(h, v128.load(unit, U_RUB_MOST));
    if (v128.any_true(f32x4.ne(rub, zero))) {
      const old: v128 = v128.load(unit, U_RUB);
      const z: v128 = maxW(negW(rub), minW(mulSubW(free, u, old), rub));
      v128.store(unit, z, U_RUB);
      const d: v128 = subW(z, old);
      change = addW(change, d);
      u = addW(u, respond(d, free));
    }
    const before: v128 = v128.load(unit, U_LIMIT);
    const lower: v128 = subW(place, v128.load(unit, U_LOWER)),
      upper: v128 = subW(v128.load(unit, U_UPPER), place);
    const reach: v128 = mulW(h, addW(addW(f32x4.abs(u), f32x4.abs(u)), splatW(REACH)));
    const near: v128 = v128.or(f32x4.lt(minW(lower, upper), reach), f32x4.ne(before, zero));
    if (v128.any_true(near)) {
      // The nearer side: s is the gap there, `sign` is 1 at the lower end.
      const atUpper: v128 = greaterW(lower, upper);
      const gap: v128 = minW(lower, upper);
      const sign: v128 = blendW(atUpper, splatW(-1), splatW(1));
      const old: v128 = maxW(zero, mulW(sign, before));
      const apart: v128 = greaterW(gap, zero);
      const speed: v128 = mulW(sign, u);
      let z: v128;
      if (soft) {
        const pushed: v128 = maxW(mulW(v128.load(step, JOINT_RATE), gap), splatW(-PUSH));
        const bias: v128 = blendW(apart, mulW(gap, v128.load(step, JOINT_INV_H)), pushed);
        const share: v128 = blendW(apart, splatW(1), v128.load(step, JOINT_MASS_SCALE));
        const scale: v128 = v128.andnot(v128.load(step, JOINT_IMPULSE_SCALE), apart);
        z = maxW(zero, subW(mulSubW(mulW(mass, share), addW(speed, bias), old), mulW(scale, old)));
      } else {
        const bias: v128 = mulW(maxW(gap, zero), v128.load(step, JOINT_INV_H));
        z = maxW(zero, mulSubW(mass, addW(speed, bias), old));
      }
      z = mulW(sign, z);
      v128.store(unit, z, U_LIMIT);
      const d: v128 = subW(z, before);
      change = addW(change, d);
      u = addW(u, respond(d, mass));
    }
    const turned: v128 = v128.load(unit, U_VELOCITY);
    if (v128.any_true(turned)) {
      const old: v128 = v128.load(unit, U_DRIVE);
      const z: v128 = maxW(negW(most), minW(mulSubW(free, subW(u, v128.load(unit, U_TARGET)), old), most));
      const d: v128 = v128.and(subW(z, old), turned);
      v128.store(unit, addW(old, d), U_DRIVE);
      change = addW(change, d);
      u = addW(u, respond(d, free));
    }
    const sprung: v128 = v128.load(unit, U_SPRING);
    if (soft && v128.any_true(sprung)) {
      const omega: v128 = mulW(splatW(TWO_PI), v128.load(unit, U_STIFFNESS));
      const byStiffness: v128 = v128.load(unit, U_BY_STIFFNESS);
      const c1: v128 = mulW(mulW(splatW(2), free), mulW(v128.load(unit, U_DAMPING), omega));
      const k: v128 = blendW(byStiffness, v128.load(unit, U_STIFFNESS), mulW(free, mulW(omega, omega))),
        c: v128 = blendW(byStiffness, v128.load(unit, U_DAMPING), c1);
      // z' = z - (u + h k gamma C + gamma z) / (K + gamma), gamma = 1 / (h (c + h k)); written without dividing by k and c.
      const stiff: v128 = mulW(h, mulAddW(h, k, c));
      const old: v128 = v128.load(unit, U_DRIVE);
      const pull: v128 = mulAddW(mulW(h, k), subW(place, v128.load(unit, U_TARGET)), addW(mulW(stiff, u), old));
      const z: v128 = subW(old, divW(mulW(free, pull), maxW(addW(free, stiff), splatW(1e-30))));
      const bounded: v128 = maxW(negW(most), minW(z, most));
      const d: v128 = v128.and(subW(bounded, old), sprung);
      v128.store(unit, addW(old, d), U_DRIVE);
      change = addW(change, d);
    }
  }
  if (!v128.any_true(f32x4.ne(change, zero))) return;
  if (linear) {
    pushSide(a0, a1, a2, a3, unit + U_LINEAR_A, negW(change));
    pushSide(b0, b1, b2, b3, unit + U_LINEAR_B, change);
  }
  const away: v128 = negW(change);
  addColumns(
    a0 + 16,
    a1 + 16,
    a2 + 16,
    a3 + 16,
    mulW(away, col(unit, U_SPIN_A, 0)),
    mulW(away, col(unit, U_SPIN_A, 1)),
    mulW(away, col(unit, U_SPIN_A, 2)),
  );
  addColumns(
    b0 + 16,
    b1 + 16,
    b2 + 16,
    b3 + 16,
    mulW(change, col(unit, U_SPIN_B, 0)),
    mulW(change, col(unit, U_SPIN_B, 1)),
    mulW(change, col(unit, U_SPIN_B, 2)),
  );
}

/** Change of speed by an impulse d on a row of the mass m. */
// @ts-ignore: decorator
@inline
function respond(d: v128, m: v128): v128 {
  return divW(d, maxW(m, splatW(1e-30)));
}

/** v += impulse / m along the direction at `direction`. */
function pushSide(r0: usize, r1: usize, r2: usize, r3: usize, direction: usize, z: v128): void {
  const m: v128 = f32x4(load<f32>(r0, 12), load<f32>(r1, 12), load<f32>(r2, 12), load<f32>(r3, 12));
  const k: v128 = mulW(m, z);
  addColumns(r0, r1, r2, r3, mulW(k, v128.load(direction)), mulW(k, v128.load(direction, 16)), mulW(k, v128.load(direction, 32)));
}

/** I^-1 (x, y, z) times sign, added to the angular velocities of one side. */
export function spinSide(g: usize, bodies: usize, rows: usize, x: v128, y: v128, z: v128): void {
  const p0: usize = <usize>load<u32>(g + bodies) + B_INVERSE,
    p1: usize = <usize>load<u32>(g + bodies, 4) + B_INVERSE,
    p2: usize = <usize>load<u32>(g + bodies, 8) + B_INVERSE,
    p3: usize = <usize>load<u32>(g + bodies, 12) + B_INVERSE;
  const s0: v128 = v128.load(p0),
    s1: v128 = v128.load(p1),
    s2: v128 = v128.load(p2),
    s3: v128 = v128.load(p3);
  const t0: v128 = v128.load(p0, 16),
    t1: v128 = v128.load(p1, 16),
    t2: v128 = v128.load(p2, 16),
    t3: v128 = v128.load(p3, 16);
  const xy: v128 = columnW(s0, s1, s2, s3),
    xz: v128 = columnX(t0, t1, t2, t3),
    yz: v128 = columnY(t0, t1, t2, t3);
  addColumns(
    <usize>load<u32>(g + rows) + 16,
    <usize>load<u32>(g + rows, 4) + 16,
    <usize>load<u32>(g + rows, 8) + 16,
    <usize>load<u32>(g + rows, 12) + 16,
    symX(columnX(s0, s1, s2, s3), xy, xz, x, y, z),
    symX(xy, columnY(s0, s1, s2, s3), yz, x, y, z),
    symX(xz, yz, columnZ(s0, s1, s2, s3), x, y, z),
  );
}

function solveRub(g: usize, form: u32, step: usize): void {
  const a0: usize = <usize>load<u32>(g, J_ROW_A) + 16,
    a1: usize = <usize>load<u32>(g, J_ROW_A + 4) + 16,
    a2: usize = <usize>load<u32>(g, J_ROW_A + 8) + 16,
    a3: usize = <usize>load<u32>(g, J_ROW_A + 12) + 16;
  const b0: usize = <usize>load<u32>(g, J_ROW_B) + 16,
    b1: usize = <usize>load<u32>(g, J_ROW_B + 4) + 16,
    b2: usize = <usize>load<u32>(g, J_ROW_B + 8) + 16,
    b3: usize = <usize>load<u32>(g, J_ROW_B + 12) + 16;
  const d0: v128 = differenceOf(a0, b0),
    d1: v128 = differenceOf(a1, b1),
    d2: v128 = differenceOf(a2, b2),
    d3: v128 = differenceOf(a3, b3);
  let wx: v128 = columnX(d0, d1, d2, d3),
    wy: v128 = columnY(d0, d1, d2, d3),
    wz: v128 = columnZ(d0, d1, d2, d3);
  const ix: v128 = col(g, J_IMPULSE, 0),
    iy: v128 = col(g, J_IMPULSE, 1),
    iz: v128 = col(g, J_IMPULSE, 2);
  const load0: v128 = sqrtW(dotW(ix, iy, iz, ix, iy, iz));
  const bound: v128 = mulAddW(v128.load(g, J_RUB_LEVER), load0, mulW(v128.load(step, JOINT_H), v128.load(g, J_RUB_TORQUE)));
  const ox: v128 = col(g, J_RUB, 0),
    oy: v128 = col(g, J_RUB, 1),
    oz: v128 = col(g, J_RUB, 2);
  const locked: u32 = (form & FORM_LOCKED) >> 3;
  let zx: v128, zy: v128, zz: v128;
  let mass: v128 = v128.load(g, J_RUB_STEP);
  if (locked == 3) {
    // A hinge: one row along its axis.
    const nx: v128 = col(g, J_AXES, 6),
      ny: v128 = col(g, J_AXES, 7),
      nz: v128 = col(g, J_AXES, 8);
    const u: v128 = dotW(wx, wy, wz, nx, ny, nz);
    const old: v128 = dotW(ox, oy, oz, nx, ny, nz);
    const along: v128 = mulSubW(mass, u, old);
    zx = mulW(along, nx);
    zy = mulW(along, ny);
    zz = mulW(along, nz);
  } else {
    if (locked != 0) {
      for (let axis: usize = 0; axis < 3; axis++) {
        if ((locked & (1 << (<u32>axis))) == 0) continue;
        const nx: v128 = col(g, J_AXES, 3 * axis),
          ny: v128 = col(g, J_AXES, 3 * axis + 1),
          nz: v128 = col(g, J_AXES, 3 * axis + 2);
        const u: v128 = dotW(wx, wy, wz, nx, ny, nz);
        wx = mulSubW(u, nx, wx);
        wy = mulSubW(u, ny, wy);
        wz = mulSubW(u, nz, wz);
      }
    }
    const s: usize = jointState().scratch;
    solve3(g + J_RUB_MASS, s, wx, wy, wz);
    zx = subW(ox, v128.load(s));
    zy = subW(oy, v128.load(s, 16));
    zz = subW(oz, v128.load(s, 32));
    const slips: v128 = greaterW(dotW(zx, zy, zz, zx, zy, zz), mulW(bound, bound));
    zx = blendW(slips, mulSubW(mass, wx, ox), zx);
    zy = blendW(slips, mulSubW(mass, wy, oy), zy);
    zz = blendW(slips, mulSubW(mass, wz, oz), zz);
  }
  mass = sqrtW(dotW(zx, zy, zz, zx, zy, zz));
  const share: v128 = minW(splatW(1), divW(bound, maxW(mass, splatW(1e-30))));
  zx = mulW(zx, share);
  zy = mulW(zy, share);
  zz = mulW(zz, share);
  setCol(g, J_RUB, 0, zx);
  setCol(g, J_RUB, 1, zy);
  setCol(g, J_RUB, 2, zz);
  zx = subW(zx, ox);
  zy = subW(zy, oy);
  zz = subW(zz, oz);
  if (!v128.any_true(f32x4.ne(v128.or(zx, v128.or(zy, zz)), splatW(0)))) return;
  spinSide(g, J_BODY_A, J_ROW_A, negW(zx), negW(zy), negW(zz));
  spinSide(g, J_BODY_B, J_ROW_B, zx, zy, zz);
}
