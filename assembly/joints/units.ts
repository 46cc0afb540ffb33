// Driven and limited axes and friction by load: what a joint does beside holding its locked axes, before these in every pass.
//
// A limit is a contact: rigid while it is apart, soft where it is passed (relax: rigid, without push). A drive by velocity is a
// row with a bounded impulse in both passes; a spring is solved in the soft pass alone, implicitly, with the stiffness for which
// that is the exact step of a free spring; relax keeps its impulse. All of them see the mass and the speed that the axis has
// while the locked ones hold (block.ts). Dry friction opposes the motion of an axis up to its force; friction
// by load does so for the free angular axes, up to lever times the impulse of the locked axes: what lets ragdolls rest. It comes
// first (of balls solved alone: ball.ts), then axis by axis dry friction, drive, limit. A gear is a row held both ways, a pulley
// one with an upper limit.
// Input: columns of turn.ts. Output: impulses, BodyRow.
import { addColumns, columnX, columnY, columnZ, differenceOf } from '../lanes/columns';
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import { S_RESPONSE, pushSide, relativeVelocity, speedAlong, spinSide } from './anchors';
import { col, setCol, solve3 } from './columns';
import {
  FORM_GEAR,
  FORM_HELD,
  FORM_LOCKED,
  FORM_RUB,
  HEAD_BYTES,
  J_AXES,
  J_FORM,
  J_IMPULSE,
  J_INVERSE_A,
  J_INVERSE_B,
  J_PEAK,
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
  U_BASE,
  U_BY_STIFFNESS,
  U_DAMPING,
  U_DRIVE,
  U_LOCKED_SHARE,
  U_LIMIT,
  U_LINEAR_A,
  U_LINEAR_B,
  U_LOWER,
  U_MASS_HELD,
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
  isCoupling,
  isPlain,
} from './layout';
import { jointScratch } from './state';
import { JOINT_H, JOINT_INV_H, JOINT_IMPULSE_SCALE, JOINT_MASS_SCALE, JOINT_RATE, PUSH } from './parameters';

const TWO_PI: f32 = 6.2831855;
// A limit that twice the speed of now and this much more (m/s, rad/s) would not reach in a substep does nothing in this pass.
const REACH: f32 = 5;
// Speed (rad/s) at which a limit may come nearer.
const FASTEST: f32 = 150;
// What a limit bears for long: this share of its impulse, followed by this share of the difference in a substep.
const BORNE: f32 = 0.95;
const FOLLOWS: f32 = 0.02;

/** A pass over the units of the groups named in [list, end). */
export function solveUnits(list: usize, end: usize, soft: bool, step: usize): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_RUB) != 0 && !isPlain(form)) solveRub(g, form, step);
    let unit: usize = g + HEAD_BYTES;
    for (let k: u32 = load<u32>(g, J_FORM + 4); k != 0; k--) {
      solveUnit(g, unit, form, soft, step);
      unit += UNIT_BYTES;
    }
  }
}

function solveUnit(g: usize, unit: usize, form: u32, soft: bool, step: usize): void {
  const linear: bool = (driven(form) & 7) != 0 || isCoupling(form);
  const h: v128 = v128.load(step, JOINT_H);
  if (!linear && isFar(unit, mulW(h, splatW(FASTEST)))) return;
  let u: v128 = subW(speedAlong(g + J_ROW_B, 16, unit + U_ANGULAR_B), speedAlong(g + J_ROW_A, 16, unit + U_ANGULAR_A));
  if (linear) {
    u = addW(u, subW(speedAlong(g + J_ROW_B, 0, unit + U_LINEAR_B), speedAlong(g + J_ROW_A, 0, unit + U_LINEAR_A)));
  }
  const zero: v128 = splatW(0);
  if ((form & FORM_HELD) != 0) {
    // The speed that the axis would have if the locked ones held.
    const s: usize = jointScratch();
    relativeVelocity(g, s);
    u = subW(
      u,
      addW(
        dotW(
          col(unit, U_LOCKED_SHARE, 0),
          col(unit, U_LOCKED_SHARE, 1),
          col(unit, U_LOCKED_SHARE, 2),
          col(s, S_RESPONSE, 0),
          col(s, S_RESPONSE, 1),
          col(s, S_RESPONSE, 2),
        ),
        dotW(
          col(unit, U_LOCKED_SHARE, 3),
          col(unit, U_LOCKED_SHARE, 4),
          col(unit, U_LOCKED_SHARE, 5),
          col(s, S_RESPONSE, 3),
          col(s, S_RESPONSE, 4),
          col(s, S_RESPONSE, 5),
        ),
      ),
    );
  }
  const mass: v128 = v128.load(unit, U_MASS_HELD);
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
    const most: v128 = mulW(h, v128.load(unit, U_MOST));
    const rub: v128 = mulW(h, v128.load(unit, U_RUB_MOST));
    if (v128.any_true(f32x4.ne(rub, zero))) {
      const old: v128 = v128.load(unit, U_RUB);
      const z: v128 = maxW(negW(rub), minW(mulSubW(mass, u, old), rub));
      v128.store(unit, z, U_RUB);
      const d: v128 = subW(z, old);
      change = addW(change, d);
      u = addW(u, gain(d, mass));
    }
    const turned: v128 = v128.load(unit, U_VELOCITY);
    if (v128.any_true(turned)) {
      const old: v128 = v128.load(unit, U_DRIVE);
      const z: v128 = maxW(negW(most), minW(mulSubW(mass, subW(u, v128.load(unit, U_TARGET)), old), most));
      const d: v128 = v128.and(subW(z, old), turned);
      v128.store(unit, addW(old, d), U_DRIVE);
      change = addW(change, d);
      u = addW(u, gain(d, mass));
    }
    const sprung: v128 = v128.load(unit, U_SPRING);
    if (soft && v128.any_true(sprung)) {
      // x = omega h and d = zeta omega h, of stiffness and damping by the mass.
      const byStiffness: v128 = v128.load(unit, U_BY_STIFFNESS);
      const inverse: v128 = divW(splatW(1), maxW(mass, splatW(1e-30)));
      const x0: v128 = mulW(mulW(splatW(TWO_PI), h), v128.load(unit, U_STIFFNESS));
      const x2: v128 = blendW(byStiffness, mulW(mulW(h, h), mulW(inverse, v128.load(unit, U_STIFFNESS))), mulW(x0, x0));
      const half: v128 = mulW(mulW(splatW(0.5), h), mulW(inverse, v128.load(unit, U_DAMPING)));
      const d1: v128 = blendW(byStiffness, half, mulW(x0, v128.load(unit, U_DAMPING)));
      // h^2 k / m is what it is, so that the place of rest is; h (c + h k) / m is e^(2 d) - 1, which damps as much as the exact
      // motion does. Where the substep is long for the spring: implicit Euler.
      const e1: v128 = mulW(d1, mulAddW(d1, mulAddW(d1, mulAddW(d1, splatW(1 / 24), splatW(1 / 6)), splatW(0.5)), splatW(1)));
      const exact: v128 = v128.and(f32x4.lt(x2, splatW(0.25)), f32x4.lt(d1, splatW(0.25)));
      const k2: v128 = mulW(mass, x2);
      const stiff: v128 = mulW(mass, blendW(exact, mulW(e1, addW(e1, splatW(2))), mulAddW(splatW(2), d1, x2)));
      // z' = z - (u + h k gamma C + gamma z) / (K + gamma), gamma = 1 / stiff; written without dividing by it.
      const old: v128 = v128.load(unit, U_DRIVE);
      const away: v128 = mulW(v128.load(step, JOINT_INV_H), subW(place, v128.load(unit, U_TARGET)));
      const pull: v128 = mulAddW(k2, away, addW(mulW(stiff, u), old));
      const z: v128 = subW(old, divW(mulW(mass, pull), maxW(addW(mass, stiff), splatW(1e-30))));
      const bounded: v128 = maxW(negW(most), minW(z, most));
      const d: v128 = v128.and(subW(bounded, old), sprung);
      v128.store(unit, addW(old, d), U_DRIVE);
      change = addW(change, d);
      u = addW(u, gain(d, mass));
    }
    // The limit comes last: no drive is stronger.
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
        // Soft against changes of its load, not against what it bears for long.
        const base: v128 = minW(maxW(mulW(sign, v128.load(unit, U_BASE)), zero), old);
        z = maxW(zero, subW(mulSubW(mulW(mass, share), addW(speed, bias), old), mulW(scale, subW(old, base))));
        const most: v128 = mulW(splatW(BORNE), z);
        v128.store(unit, mulW(sign, minW(mulAddW(splatW(FOLLOWS), subW(most, base), base), most)), U_BASE);
      } else {
        const bias: v128 = mulW(maxW(gap, zero), v128.load(step, JOINT_INV_H));
        z = maxW(zero, mulSubW(mass, addW(speed, bias), old));
      }
      z = mulW(sign, z);
      change = addW(change, subW(z, before));
      // A motor that runs against its limit would push ever harder, and the limit with it: what cancels is forgotten.
      const drive: v128 = v128.and(v128.load(unit, U_DRIVE), turned);
      const forth: v128 = minW(maxW(drive, zero), maxW(negW(z), zero)),
        back: v128 = minW(maxW(negW(drive), zero), maxW(z, zero));
      const both: v128 = subW(forth, back);
      v128.store(unit, subW(v128.load(unit, U_DRIVE), both), U_DRIVE);
      v128.store(unit, addW(z, both), U_LIMIT);
    }
  }
  if (linear && !soft) {
    const all: v128 = addW(v128.load(unit, U_LIMIT), v128.load(unit, U_DRIVE));
    const x: v128 = col(unit, U_LINEAR_B, 0),
      y: v128 = col(unit, U_LINEAR_B, 1),
      z: v128 = col(unit, U_LINEAR_B, 2);
    v128.store(g, maxW(v128.load(g, J_PEAK), mulW(mulW(all, all), dotW(x, y, z, x, y, z))), J_PEAK);
  }
  if (!v128.any_true(f32x4.ne(change, zero))) return;
  if (linear) {
    pushSide(g + J_ROW_A, unit + U_LINEAR_A, negW(change));
    pushSide(g + J_ROW_B, unit + U_LINEAR_B, change);
  }
  turnSide(g + J_ROW_A, unit + U_SPIN_A, negW(change));
  turnSide(g + J_ROW_B, unit + U_SPIN_B, change);
}

/** Whether the axis of a unit is driven by nothing and `reach` and more away from its limits. */
function isFar(unit: usize, reach: v128): bool {
  const place: v128 = v128.load(unit, U_PLACE);
  const gap: v128 = minW(subW(place, v128.load(unit, U_LOWER)), subW(v128.load(unit, U_UPPER), place));
  const works: v128 = v128.or(
    v128.or(v128.load(unit, U_VELOCITY), v128.load(unit, U_SPRING)),
    v128.or(v128.load(unit, U_RUB_MOST), v128.load(unit, U_LIMIT)),
  );
  return !v128.any_true(v128.or(works, v128.not(greaterW(gap, reach))));
}

/** w += z times the columns at `spin`, for the bodies of one side. */
function turnSide(rows: usize, spin: usize, z: v128): void {
  addColumns(
    <usize>load<u32>(rows) + 16,
    <usize>load<u32>(rows, 4) + 16,
    <usize>load<u32>(rows, 8) + 16,
    <usize>load<u32>(rows, 12) + 16,
    mulW(z, v128.load(spin)),
    mulW(z, v128.load(spin, 16)),
    mulW(z, v128.load(spin, 32)),
  );
}

/** Change of speed by an impulse d on a row of the mass m. */
// @ts-ignore: decorator
@inline
function gain(d: v128, m: v128): v128 {
  return divW(d, maxW(m, splatW(1e-30)));
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
    const s: usize = jointScratch();
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
  spinSide(g, J_INVERSE_A, J_ROW_A, negW(zx), negW(zy), negW(zz));
  spinSide(g, J_INVERSE_B, J_ROW_B, zx, zy, zz);
}
