// PGS on lanes, four manifolds at once: sequential (SOLVER_WIDE, the default on the CPU) or graph-coloured (SOLVER_COLORED).
//
// Soft contacts in substeps, each with one soft and one relax pass; friction per manifold at the mean of its points with a
// circular bound, and a twist row; all rows frozen during the step (docs/solvers.md). The four lanes of a group share no
// dynamic body; the groups of one color do not either.
// Because rows, masses and accelerations are frozen, the impulses that a substep ended with act on a body exactly as
// v_end - v_start of that substep did: the warm start of the next substep is u = v_end + (v_end - v_start), a pass over
// bodies instead of one over contacts.
// Input: lanes (lanes.ts), BodyRow, BodyAccel. Output: BodyRow, BodyDelta, impulses and separations in the lanes.
import {
  BODY_ACCEL_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_ROW_STRIDE,
  BOUNCE_SWEEPS,
  Header,
  SOLVER_COLORED,
} from '../layout.generated';
import { ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import {
  addW,
  blendW,
  divW,
  dotW,
  greaterW,
  joinHighW,
  joinLowW,
  maxW,
  minW,
  mulAddW,
  mulSubW,
  mulW,
  negW,
  splatW,
  sqrtW,
  subW,
  zipHighW,
  zipLowW,
} from '../math/lane';
import {
  G_APPROACH,
  G_ARM_A1,
  G_ARM_A2,
  G_ARM_B1,
  G_ARM_B2,
  G_BODY_A,
  G_BODY_B,
  G_COUNT,
  G_EXCESS,
  G_FRICTION,
  G_MAX_IMPULSE,
  G_NORMAL,
  G_POINTS,
  G_RESTITUTION,
  G_STATIC,
  G_TANGENT,
  G_TANGENT_IMPULSE,
  G_TANGENT_MASS,
  G_TURN_A1,
  G_TURN_A2,
  G_TURN_AN,
  G_TURN_B1,
  G_TURN_B2,
  G_TURN_BN,
  G_TWIST_FRICTION,
  G_TWIST_IMPULSE,
  G_TWIST_MASS,
  GROUP_STRIDE,
  LISTS,
  OVERFLOW,
  PARAMS,
  P_ARM_A,
  P_ARM_B,
  P_IMPULSE,
  P_MASS,
  P_PREVIOUS,
  P_SEPARATION,
  P_STRIDE,
  P_TURN_A,
  P_TURN_B,
  SEQUENTIAL,
  SPIKED,
  SPIKE_LIST,
  START_ROWS,
  colorList,
} from './lanes';

/** Most points in any lane of a group. */
// @ts-ignore: decorator
@inline
function groupPoints(g: usize): u32 {
  return max<u32>(
    max<u32>(load<u32>(g, G_COUNT), load<u32>(g, G_COUNT + 4)),
    max<u32>(load<u32>(g, G_COUNT + 8), load<u32>(g, G_COUNT + 12)),
  );
}

/** Applies the stored impulses of all groups in [g, end), scaled by `factor`. */
function warmGroups(g: usize, end: usize, rows: usize, factor: v128): void {
  const zero: v128 = splatW(0);
  for (; g < end; g += GROUP_STRIDE) {
    const points: u32 = groupPoints(g);
    const ar0: usize = rows + <usize>load<u32>(g, G_BODY_A);
    const ar1: usize = rows + <usize>load<u32>(g + 4, G_BODY_A);
    const ar2: usize = rows + <usize>load<u32>(g + 8, G_BODY_A);
    const ar3: usize = rows + <usize>load<u32>(g + 12, G_BODY_A);
    const br0: usize = rows + <usize>load<u32>(g, G_BODY_B);
    const br1: usize = rows + <usize>load<u32>(g + 4, G_BODY_B);
    const br2: usize = rows + <usize>load<u32>(g + 8, G_BODY_B);
    const br3: usize = rows + <usize>load<u32>(g + 12, G_BODY_B);
    const avxL0: v128 = v128.load(ar0, 0),
      avxL1: v128 = v128.load(ar1, 0),
      avxL2: v128 = v128.load(ar2, 0),
      avxL3: v128 = v128.load(ar3, 0);
    const avxZ0: v128 = zipLowW(avxL0, avxL1),
      avxZ1: v128 = zipLowW(avxL2, avxL3),
      avxZ2: v128 = zipHighW(avxL0, avxL1),
      avxZ3: v128 = zipHighW(avxL2, avxL3);
    let avx: v128 = joinLowW(avxZ0, avxZ1);
    let avy: v128 = joinHighW(avxZ0, avxZ1);
    let avz: v128 = joinLowW(avxZ2, avxZ3);
    const am: v128 = joinHighW(avxZ2, avxZ3);
    const awxL0: v128 = v128.load(ar0, 16),
      awxL1: v128 = v128.load(ar1, 16),
      awxL2: v128 = v128.load(ar2, 16),
      awxL3: v128 = v128.load(ar3, 16);
    const awxZ0: v128 = zipLowW(awxL0, awxL1),
      awxZ1: v128 = zipLowW(awxL2, awxL3),
      awxZ2: v128 = zipHighW(awxL0, awxL1),
      awxZ3: v128 = zipHighW(awxL2, awxL3);
    let awx: v128 = joinLowW(awxZ0, awxZ1);
    let awy: v128 = joinHighW(awxZ0, awxZ1);
    let awz: v128 = joinLowW(awxZ2, awxZ3);
    const bvxL0: v128 = v128.load(br0, 0),
      bvxL1: v128 = v128.load(br1, 0),
      bvxL2: v128 = v128.load(br2, 0),
      bvxL3: v128 = v128.load(br3, 0);
    const bvxZ0: v128 = zipLowW(bvxL0, bvxL1),
      bvxZ1: v128 = zipLowW(bvxL2, bvxL3),
      bvxZ2: v128 = zipHighW(bvxL0, bvxL1),
      bvxZ3: v128 = zipHighW(bvxL2, bvxL3);
    let bvx: v128 = joinLowW(bvxZ0, bvxZ1);
    let bvy: v128 = joinHighW(bvxZ0, bvxZ1);
    let bvz: v128 = joinLowW(bvxZ2, bvxZ3);
    const bm: v128 = joinHighW(bvxZ2, bvxZ3);
    const bwxL0: v128 = v128.load(br0, 16),
      bwxL1: v128 = v128.load(br1, 16),
      bwxL2: v128 = v128.load(br2, 16),
      bwxL3: v128 = v128.load(br3, 16);
    const bwxZ0: v128 = zipLowW(bwxL0, bwxL1),
      bwxZ1: v128 = zipLowW(bwxL2, bwxL3),
      bwxZ2: v128 = zipHighW(bwxL0, bwxL1),
      bwxZ3: v128 = zipHighW(bwxL2, bwxL3);
    let bwx: v128 = joinLowW(bwxZ0, bwxZ1);
    let bwy: v128 = joinHighW(bwxZ0, bwxZ1);
    let bwz: v128 = joinLowW(bwxZ2, bwxZ3);
    const nx: v128 = v128.load(g, G_NORMAL),
      ny: v128 = v128.load(g, G_NORMAL + 16),
      nz: v128 = v128.load(g, G_NORMAL + 32);
    const tx: v128 = v128.load(g, G_TANGENT),
      ty: v128 = v128.load(g, G_TANGENT + 16),
      tz: v128 = v128.load(g, G_TANGENT + 32);
    const ux: v128 = subW(mulW(ny, tz), mulW(nz, ty)),
      uy: v128 = subW(mulW(nz, tx), mulW(nx, tz)),
      uz: v128 = subW(mulW(nx, ty), mulW(ny, tx));
    const d1: v128 = mulW(v128.load(g, G_TANGENT_IMPULSE), factor),
      d2: v128 = mulW(v128.load(g, G_TANGENT_IMPULSE + 16), factor),
      d3: v128 = mulW(v128.load(g, G_TWIST_IMPULSE), factor);
    v128.store(g, d1, G_TANGENT_IMPULSE);
    v128.store(g, d2, G_TANGENT_IMPULSE + 16);
    v128.store(g, d3, G_TWIST_IMPULSE);
    const ix: v128 = addW(mulW(tx, d1), mulW(ux, d2)),
      iy: v128 = addW(mulW(ty, d1), mulW(uy, d2)),
      iz: v128 = addW(mulW(tz, d1), mulW(uz, d2));
    avx = mulSubW(ix, am, avx);
    avy = mulSubW(iy, am, avy);
    avz = mulSubW(iz, am, avz);
    bvx = mulAddW(ix, bm, bvx);
    bvy = mulAddW(iy, bm, bvy);
    bvz = mulAddW(iz, bm, bvz);
    awx = subW(
      awx,
      addW(
        addW(mulW(v128.load(g, G_TURN_A1 + 0), d1), mulW(v128.load(g, G_TURN_A2 + 0), d2)),
        mulW(v128.load(g, G_TURN_AN + 0), d3),
      ),
    );
    awy = subW(
      awy,
      addW(
        addW(mulW(v128.load(g, G_TURN_A1 + 16), d1), mulW(v128.load(g, G_TURN_A2 + 16), d2)),
        mulW(v128.load(g, G_TURN_AN + 16), d3),
      ),
    );
    awz = subW(
      awz,
      addW(
        addW(mulW(v128.load(g, G_TURN_A1 + 32), d1), mulW(v128.load(g, G_TURN_A2 + 32), d2)),
        mulW(v128.load(g, G_TURN_AN + 32), d3),
      ),
    );
    bwx = addW(
      bwx,
      addW(
        addW(mulW(v128.load(g, G_TURN_B1 + 0), d1), mulW(v128.load(g, G_TURN_B2 + 0), d2)),
        mulW(v128.load(g, G_TURN_BN + 0), d3),
      ),
    );
    bwy = addW(
      bwy,
      addW(
        addW(mulW(v128.load(g, G_TURN_B1 + 16), d1), mulW(v128.load(g, G_TURN_B2 + 16), d2)),
        mulW(v128.load(g, G_TURN_BN + 16), d3),
      ),
    );
    bwz = addW(
      bwz,
      addW(
        addW(mulW(v128.load(g, G_TURN_B1 + 32), d1), mulW(v128.load(g, G_TURN_B2 + 32), d2)),
        mulW(v128.load(g, G_TURN_BN + 32), d3),
      ),
    );
    for (let i: u32 = 0; i < points; i++) {
      const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
      const d: v128 = mulW(subW(v128.load(p, P_IMPULSE), v128.load(g + ((<usize>i) << 4), G_EXCESS)), factor);
      v128.store(p, d, P_IMPULSE);
      v128.store(g + ((<usize>i) << 4), zero, G_EXCESS);
      const ex: v128 = mulW(nx, d),
        ey: v128 = mulW(ny, d),
        ez: v128 = mulW(nz, d);
      avx = mulSubW(ex, am, avx);
      avy = mulSubW(ey, am, avy);
      avz = mulSubW(ez, am, avz);
      bvx = mulAddW(ex, bm, bvx);
      bvy = mulAddW(ey, bm, bvy);
      bvz = mulAddW(ez, bm, bvz);
      awx = mulSubW(v128.load(p, P_TURN_A), d, awx);
      awy = mulSubW(v128.load(p, P_TURN_A + 16), d, awy);
      awz = mulSubW(v128.load(p, P_TURN_A + 32), d, awz);
      bwx = mulAddW(v128.load(p, P_TURN_B), d, bwx);
      bwy = mulAddW(v128.load(p, P_TURN_B + 16), d, bwy);
      bwz = mulAddW(v128.load(p, P_TURN_B + 32), d, bwz);
    }
    const avxS0: v128 = zipLowW(avx, avy),
      avxS1: v128 = zipLowW(avz, am),
      avxS2: v128 = zipHighW(avx, avy),
      avxS3: v128 = zipHighW(avz, am);
    v128.store(ar3, joinHighW(avxS2, avxS3), 0);
    v128.store(ar2, joinLowW(avxS2, avxS3), 0);
    v128.store(ar1, joinHighW(avxS0, avxS1), 0);
    v128.store(ar0, joinLowW(avxS0, avxS1), 0);
    const awxS0: v128 = zipLowW(awx, awy),
      awxS1: v128 = zipLowW(awz, zero),
      awxS2: v128 = zipHighW(awx, awy),
      awxS3: v128 = zipHighW(awz, zero);
    v128.store(ar3, joinHighW(awxS2, awxS3), 16);
    v128.store(ar2, joinLowW(awxS2, awxS3), 16);
    v128.store(ar1, joinHighW(awxS0, awxS1), 16);
    v128.store(ar0, joinLowW(awxS0, awxS1), 16);
    const bvxS0: v128 = zipLowW(bvx, bvy),
      bvxS1: v128 = zipLowW(bvz, bm),
      bvxS2: v128 = zipHighW(bvx, bvy),
      bvxS3: v128 = zipHighW(bvz, bm);
    v128.store(br3, joinHighW(bvxS2, bvxS3), 0);
    v128.store(br2, joinLowW(bvxS2, bvxS3), 0);
    v128.store(br1, joinHighW(bvxS0, bvxS1), 0);
    v128.store(br0, joinLowW(bvxS0, bvxS1), 0);
    const bwxS0: v128 = zipLowW(bwx, bwy),
      bwxS1: v128 = zipLowW(bwz, zero),
      bwxS2: v128 = zipHighW(bwx, bwy),
      bwxS3: v128 = zipHighW(bwz, zero);
    v128.store(br3, joinHighW(bwxS2, bwxS3), 16);
    v128.store(br2, joinLowW(bwxS2, bwxS3), 16);
    v128.store(br1, joinHighW(bwxS0, bwxS1), 16);
    v128.store(br0, joinLowW(bwxS0, bwxS1), 16);
  }
}

/**
 * One pass over the groups in [g, end). T = u32: soft pass at the separations in the lanes. T = f32: relax pass, which first
 * (T = f32 and `advance`) moves the separations by what the bodies have just integrated.
 */
function solveGroups<T>(g: usize, end: usize, rows: usize, params: usize, advance: bool, last: bool): void {
  const zero: v128 = splatW(0),
    one: v128 = splatW(1),
    tiny: v128 = splatW(1e-30);
  const h: v128 = v128.load(params),
    invH: v128 = v128.load(params, 16);
  const rate: v128 = v128.load(params, 32),
    massScale: v128 = v128.load(params, 48),
    impulseScale: v128 = v128.load(params, 64);
  const rateStatic: v128 = v128.load(params, 80),
    massScaleStatic: v128 = v128.load(params, 96),
    impulseScaleStatic: v128 = v128.load(params, 112);
  const push: v128 = v128.load(params, 128),
    slop: v128 = v128.load(params, 144);
  let spiked: usize = load<u32>(params, SPIKED);
  for (; g < end; g += GROUP_STRIDE) {
    const points: u32 = groupPoints(g);
    const ar0: usize = rows + <usize>load<u32>(g, G_BODY_A);
    const ar1: usize = rows + <usize>load<u32>(g + 4, G_BODY_A);
    const ar2: usize = rows + <usize>load<u32>(g + 8, G_BODY_A);
    const ar3: usize = rows + <usize>load<u32>(g + 12, G_BODY_A);
    const br0: usize = rows + <usize>load<u32>(g, G_BODY_B);
    const br1: usize = rows + <usize>load<u32>(g + 4, G_BODY_B);
    const br2: usize = rows + <usize>load<u32>(g + 8, G_BODY_B);
    const br3: usize = rows + <usize>load<u32>(g + 12, G_BODY_B);
    const avxL0: v128 = v128.load(ar0, 0),
      avxL1: v128 = v128.load(ar1, 0),
      avxL2: v128 = v128.load(ar2, 0),
      avxL3: v128 = v128.load(ar3, 0);
    const avxZ0: v128 = zipLowW(avxL0, avxL1),
      avxZ1: v128 = zipLowW(avxL2, avxL3),
      avxZ2: v128 = zipHighW(avxL0, avxL1),
      avxZ3: v128 = zipHighW(avxL2, avxL3);
    let avx: v128 = joinLowW(avxZ0, avxZ1);
    let avy: v128 = joinHighW(avxZ0, avxZ1);
    let avz: v128 = joinLowW(avxZ2, avxZ3);
    const am: v128 = joinHighW(avxZ2, avxZ3);
    const awxL0: v128 = v128.load(ar0, 16),
      awxL1: v128 = v128.load(ar1, 16),
      awxL2: v128 = v128.load(ar2, 16),
      awxL3: v128 = v128.load(ar3, 16);
    const awxZ0: v128 = zipLowW(awxL0, awxL1),
      awxZ1: v128 = zipLowW(awxL2, awxL3),
      awxZ2: v128 = zipHighW(awxL0, awxL1),
      awxZ3: v128 = zipHighW(awxL2, awxL3);
    let awx: v128 = joinLowW(awxZ0, awxZ1);
    let awy: v128 = joinHighW(awxZ0, awxZ1);
    let awz: v128 = joinLowW(awxZ2, awxZ3);
    const bvxL0: v128 = v128.load(br0, 0),
      bvxL1: v128 = v128.load(br1, 0),
      bvxL2: v128 = v128.load(br2, 0),
      bvxL3: v128 = v128.load(br3, 0);
    const bvxZ0: v128 = zipLowW(bvxL0, bvxL1),
      bvxZ1: v128 = zipLowW(bvxL2, bvxL3),
      bvxZ2: v128 = zipHighW(bvxL0, bvxL1),
      bvxZ3: v128 = zipHighW(bvxL2, bvxL3);
    let bvx: v128 = joinLowW(bvxZ0, bvxZ1);
    let bvy: v128 = joinHighW(bvxZ0, bvxZ1);
    let bvz: v128 = joinLowW(bvxZ2, bvxZ3);
    const bm: v128 = joinHighW(bvxZ2, bvxZ3);
    const bwxL0: v128 = v128.load(br0, 16),
      bwxL1: v128 = v128.load(br1, 16),
      bwxL2: v128 = v128.load(br2, 16),
      bwxL3: v128 = v128.load(br3, 16);
    const bwxZ0: v128 = zipLowW(bwxL0, bwxL1),
      bwxZ1: v128 = zipLowW(bwxL2, bwxL3),
      bwxZ2: v128 = zipHighW(bwxL0, bwxL1),
      bwxZ3: v128 = zipHighW(bwxL2, bwxL3);
    let bwx: v128 = joinLowW(bwxZ0, bwxZ1);
    let bwy: v128 = joinHighW(bwxZ0, bwxZ1);
    let bwz: v128 = joinLowW(bwxZ2, bwxZ3);
    const nx: v128 = v128.load(g, G_NORMAL),
      ny: v128 = v128.load(g, G_NORMAL + 16),
      nz: v128 = v128.load(g, G_NORMAL + 32);

    // Friction: 2x2 block at the mean of the points, clamped to the circle of radius mu N; then spin about the normal.
    let load4: v128 = zero;
    for (let i: u32 = 0; i < points; i++) load4 = addW(load4, v128.load(g + G_POINTS + <usize>i * P_STRIDE, P_IMPULSE));
    const tx: v128 = v128.load(g, G_TANGENT),
      ty: v128 = v128.load(g, G_TANGENT + 16),
      tz: v128 = v128.load(g, G_TANGENT + 32);
    const ux: v128 = subW(mulW(ny, tz), mulW(nz, ty)),
      uy: v128 = subW(mulW(nz, tx), mulW(nx, tz)),
      uz: v128 = subW(mulW(nx, ty), mulW(ny, tx));
    const p1x: v128 = v128.load(g, G_ARM_A1),
      p1y: v128 = v128.load(g, G_ARM_A1 + 16),
      p1z: v128 = v128.load(g, G_ARM_A1 + 32);
    const q1x: v128 = v128.load(g, G_ARM_B1),
      q1y: v128 = v128.load(g, G_ARM_B1 + 16),
      q1z: v128 = v128.load(g, G_ARM_B1 + 32);
    const p2x: v128 = v128.load(g, G_ARM_A2),
      p2y: v128 = v128.load(g, G_ARM_A2 + 16),
      p2z: v128 = v128.load(g, G_ARM_A2 + 32);
    const q2x: v128 = v128.load(g, G_ARM_B2),
      q2y: v128 = v128.load(g, G_ARM_B2 + 16),
      q2z: v128 = v128.load(g, G_ARM_B2 + 32);
    const dx: v128 = subW(bvx, avx),
      dy: v128 = subW(bvy, avy),
      dz: v128 = subW(bvz, avz);
    const v1: v128 = addW(
      dotW(tx, ty, tz, dx, dy, dz),
      subW(dotW(q1x, q1y, q1z, bwx, bwy, bwz), dotW(p1x, p1y, p1z, awx, awy, awz)),
    );
    const v2: v128 = addW(
      dotW(ux, uy, uz, dx, dy, dz),
      subW(dotW(q2x, q2y, q2z, bwx, bwy, bwz), dotW(p2x, p2y, p2z, awx, awy, awz)),
    );
    const m12: v128 = v128.load(g, G_TANGENT_MASS + 16);
    const old1: v128 = v128.load(g, G_TANGENT_IMPULSE),
      old2: v128 = v128.load(g, G_TANGENT_IMPULSE + 16);
    let z1: v128 = subW(old1, addW(mulW(v128.load(g, G_TANGENT_MASS), v1), mulW(m12, v2)));
    let z2: v128 = subW(old2, addW(mulW(m12, v1), mulW(v128.load(g, G_TANGENT_MASS + 32), v2)));
    const bound: v128 = mulW(v128.load(g, G_FRICTION), load4);
    const slips: v128 = f32x4.gt(addW(mulW(z1, z1), mulW(z2, z2)), mulW(bound, bound));
    if (v128.any_true(slips)) {
      // What slips is held against its motion: one step length for both directions ends there, the block would not.
      const m11: v128 = v128.load(g, G_TANGENT_MASS),
        m22: v128 = v128.load(g, G_TANGENT_MASS + 32);
      const d: v128 = subW(m11, m22);
      const root: v128 = sqrtW(addW(mulW(d, d), mulW(splatW(4), mulW(m12, m12))));
      const step: v128 = mulW(splatW(0.5), subW(addW(m11, m22), root));
      const s1: v128 = subW(old1, mulW(step, v1)),
        s2: v128 = subW(old2, mulW(step, v2));
      // tiny keeps 0 / 0 away.
      const length: v128 = sqrtW(addW(mulW(s1, s1), mulW(s2, s2)));
      const scale: v128 = minW(splatW(1), divW(bound, maxW(length, tiny)));
      z1 = v128.bitselect(mulW(s1, scale), z1, slips);
      z2 = v128.bitselect(mulW(s2, scale), z2, slips);
    }
    v128.store(g, z1, G_TANGENT_IMPULSE);
    v128.store(g, z2, G_TANGENT_IMPULSE + 16);
    const d1: v128 = subW(z1, old1),
      d2: v128 = subW(z2, old2);
    const vt: v128 = dotW(nx, ny, nz, subW(bwx, awx), subW(bwy, awy), subW(bwz, awz));
    const twistBound: v128 = mulW(v128.load(g, G_TWIST_FRICTION), load4);
    const oldTwist: v128 = v128.load(g, G_TWIST_IMPULSE);
    const twist: v128 = maxW(negW(twistBound), minW(twistBound, subW(oldTwist, mulW(v128.load(g, G_TWIST_MASS), vt))));
    v128.store(g, twist, G_TWIST_IMPULSE);
    const d3: v128 = subW(twist, oldTwist);
    const ix: v128 = addW(mulW(tx, d1), mulW(ux, d2)),
      iy: v128 = addW(mulW(ty, d1), mulW(uy, d2)),
      iz: v128 = addW(mulW(tz, d1), mulW(uz, d2));
    avx = mulSubW(ix, am, avx);
    avy = mulSubW(iy, am, avy);
    avz = mulSubW(iz, am, avz);
    bvx = mulAddW(ix, bm, bvx);
    bvy = mulAddW(iy, bm, bvy);
    bvz = mulAddW(iz, bm, bvz);
    awx = subW(
      awx,
      addW(
        addW(mulW(v128.load(g, G_TURN_A1 + 0), d1), mulW(v128.load(g, G_TURN_A2 + 0), d2)),
        mulW(v128.load(g, G_TURN_AN + 0), d3),
      ),
    );
    awy = subW(
      awy,
      addW(
        addW(mulW(v128.load(g, G_TURN_A1 + 16), d1), mulW(v128.load(g, G_TURN_A2 + 16), d2)),
        mulW(v128.load(g, G_TURN_AN + 16), d3),
      ),
    );
    awz = subW(
      awz,
      addW(
        addW(mulW(v128.load(g, G_TURN_A1 + 32), d1), mulW(v128.load(g, G_TURN_A2 + 32), d2)),
        mulW(v128.load(g, G_TURN_AN + 32), d3),
      ),
    );
    bwx = addW(
      bwx,
      addW(
        addW(mulW(v128.load(g, G_TURN_B1 + 0), d1), mulW(v128.load(g, G_TURN_B2 + 0), d2)),
        mulW(v128.load(g, G_TURN_BN + 0), d3),
      ),
    );
    bwy = addW(
      bwy,
      addW(
        addW(mulW(v128.load(g, G_TURN_B1 + 16), d1), mulW(v128.load(g, G_TURN_B2 + 16), d2)),
        mulW(v128.load(g, G_TURN_BN + 16), d3),
      ),
    );
    bwz = addW(
      bwz,
      addW(
        addW(mulW(v128.load(g, G_TURN_B1 + 32), d1), mulW(v128.load(g, G_TURN_B2 + 32), d2)),
        mulW(v128.load(g, G_TURN_BN + 32), d3),
      ),
    );

    if (isInteger<T>()) {
      const fixed: v128 = v128.load(g, G_STATIC);
      const softRate: v128 = blendW(fixed, rateStatic, rate),
        softMass: v128 = blendW(fixed, massScaleStatic, massScale),
        softImpulse: v128 = blendW(fixed, impulseScaleStatic, impulseScale);
      for (let i: u32 = 0; i < points; i++) {
        const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
        const px: v128 = v128.load(p, P_ARM_A),
          py: v128 = v128.load(p, P_ARM_A + 16),
          pz: v128 = v128.load(p, P_ARM_A + 32);
        const qx: v128 = v128.load(p, P_ARM_B),
          qy: v128 = v128.load(p, P_ARM_B + 16),
          qz: v128 = v128.load(p, P_ARM_B + 32);
        const vn: v128 = addW(
          dotW(nx, ny, nz, subW(bvx, avx), subW(bvy, avy), subW(bvz, avz)),
          subW(dotW(qx, qy, qz, bwx, bwy, bwz), dotW(px, py, pz, awx, awy, awz)),
        );
        const s: v128 = v128.load(p, P_SEPARATION);
        const old: v128 = v128.load(p, P_IMPULSE);
        const apart: v128 = greaterW(s, zero);
        const bias: v128 = blendW(apart, mulW(s, invH), maxW(mulW(softRate, minW(addW(s, slop), zero)), push));
        const mass: v128 = mulW(v128.load(p, P_MASS), blendW(apart, one, softMass));
        // New impulse = old - mass (vn + bias) - impulseScale * old.
        const z: v128 = maxW(zero, subW(subW(old, mulW(mass, addW(vn, bias))), mulW(v128.andnot(softImpulse, apart), old)));
        const d: v128 = subW(z, old);
        v128.store(p, z, P_IMPULSE);
        const ex: v128 = mulW(nx, d),
          ey: v128 = mulW(ny, d),
          ez: v128 = mulW(nz, d);
        avx = mulSubW(ex, am, avx);
        avy = mulSubW(ey, am, avy);
        avz = mulSubW(ez, am, avz);
        bvx = mulAddW(ex, bm, bvx);
        bvy = mulAddW(ey, bm, bvy);
        bvz = mulAddW(ez, bm, bvz);
        awx = mulSubW(v128.load(p, P_TURN_A), d, awx);
        awy = mulSubW(v128.load(p, P_TURN_A + 16), d, awy);
        awz = mulSubW(v128.load(p, P_TURN_A + 32), d, awz);
        bwx = mulAddW(v128.load(p, P_TURN_B), d, bwx);
        bwy = mulAddW(v128.load(p, P_TURN_B + 16), d, bwy);
        bwz = mulAddW(v128.load(p, P_TURN_B + 32), d, bwz);
      }
    } else {
      if (advance) {
        const asxL0: v128 = v128.load(ar0, 32),
          asxL1: v128 = v128.load(ar1, 32),
          asxL2: v128 = v128.load(ar2, 32),
          asxL3: v128 = v128.load(ar3, 32);
        const asxZ0: v128 = zipLowW(asxL0, asxL1),
          asxZ1: v128 = zipLowW(asxL2, asxL3),
          asxZ2: v128 = zipHighW(asxL0, asxL1),
          asxZ3: v128 = zipHighW(asxL2, asxL3);
        const asx: v128 = joinLowW(asxZ0, asxZ1);
        const asy: v128 = joinHighW(asxZ0, asxZ1);
        const asz: v128 = joinLowW(asxZ2, asxZ3);
        const atxL0: v128 = v128.load(ar0, 48),
          atxL1: v128 = v128.load(ar1, 48),
          atxL2: v128 = v128.load(ar2, 48),
          atxL3: v128 = v128.load(ar3, 48);
        const atxZ0: v128 = zipLowW(atxL0, atxL1),
          atxZ1: v128 = zipLowW(atxL2, atxL3),
          atxZ2: v128 = zipHighW(atxL0, atxL1),
          atxZ3: v128 = zipHighW(atxL2, atxL3);
        const atx: v128 = joinLowW(atxZ0, atxZ1);
        const aty: v128 = joinHighW(atxZ0, atxZ1);
        const atz: v128 = joinLowW(atxZ2, atxZ3);
        const bsxL0: v128 = v128.load(br0, 32),
          bsxL1: v128 = v128.load(br1, 32),
          bsxL2: v128 = v128.load(br2, 32),
          bsxL3: v128 = v128.load(br3, 32);
        const bsxZ0: v128 = zipLowW(bsxL0, bsxL1),
          bsxZ1: v128 = zipLowW(bsxL2, bsxL3),
          bsxZ2: v128 = zipHighW(bsxL0, bsxL1),
          bsxZ3: v128 = zipHighW(bsxL2, bsxL3);
        const bsx: v128 = joinLowW(bsxZ0, bsxZ1);
        const bsy: v128 = joinHighW(bsxZ0, bsxZ1);
        const bsz: v128 = joinLowW(bsxZ2, bsxZ3);
        const btxL0: v128 = v128.load(br0, 48),
          btxL1: v128 = v128.load(br1, 48),
          btxL2: v128 = v128.load(br2, 48),
          btxL3: v128 = v128.load(br3, 48);
        const btxZ0: v128 = zipLowW(btxL0, btxL1),
          btxZ1: v128 = zipLowW(btxL2, btxL3),
          btxZ2: v128 = zipHighW(btxL0, btxL1),
          btxZ3: v128 = zipHighW(btxL2, btxL3);
        const btx: v128 = joinLowW(btxZ0, btxZ1);
        const bty: v128 = joinHighW(btxZ0, btxZ1);
        const btz: v128 = joinLowW(btxZ2, btxZ3);
        const sdx: v128 = subW(bsx, asx),
          sdy: v128 = subW(bsy, asy),
          sdz: v128 = subW(bsz, asz);
        const base: v128 = dotW(nx, ny, nz, sdx, sdy, sdz);
        for (let i: u32 = 0; i < points; i++) {
          const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
          const px: v128 = v128.load(p, P_ARM_A),
            py: v128 = v128.load(p, P_ARM_A + 16),
            pz: v128 = v128.load(p, P_ARM_A + 32);
          const qx: v128 = v128.load(p, P_ARM_B),
            qy: v128 = v128.load(p, P_ARM_B + 16),
            qz: v128 = v128.load(p, P_ARM_B + 32);
          const moved: v128 = addW(base, subW(dotW(qx, qy, qz, btx, bty, btz), dotW(px, py, pz, atx, aty, atz)));
          v128.store(p, mulAddW(h, moved, v128.load(p, P_SEPARATION)), P_SEPARATION);
        }
      }
      let spikes: v128 = zero;
      for (let i: u32 = 0; i < points; i++) {
        const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
        const px: v128 = v128.load(p, P_ARM_A),
          py: v128 = v128.load(p, P_ARM_A + 16),
          pz: v128 = v128.load(p, P_ARM_A + 32);
        const qx: v128 = v128.load(p, P_ARM_B),
          qy: v128 = v128.load(p, P_ARM_B + 16),
          qz: v128 = v128.load(p, P_ARM_B + 32);
        const vn: v128 = addW(
          dotW(nx, ny, nz, subW(bvx, avx), subW(bvy, avy), subW(bvz, avz)),
          subW(dotW(qx, qy, qz, bwx, bwy, bwz), dotW(px, py, pz, awx, awy, awz)),
        );
        const old: v128 = v128.load(p, P_IMPULSE);
        const bias: v128 = mulW(maxW(v128.load(p, P_SEPARATION), zero), invH);
        const z: v128 = maxW(zero, subW(old, mulW(v128.load(p, P_MASS), addW(vn, bias))));
        const d: v128 = subW(z, old);
        v128.store(p, z, P_IMPULSE);
        if (last) {
          const before: v128 = v128.load(p, P_PREVIOUS);
          const excess: v128 = maxW(zero, subW(z, addW(before, before)));
          v128.store(g + ((<usize>i) << 4), excess, G_EXCESS);
          v128.store(p, z, P_PREVIOUS);
          spikes = v128.or(spikes, excess);
        }
        const ex: v128 = mulW(nx, d),
          ey: v128 = mulW(ny, d),
          ez: v128 = mulW(nz, d);
        avx = mulSubW(ex, am, avx);
        avy = mulSubW(ey, am, avy);
        avz = mulSubW(ez, am, avz);
        bvx = mulAddW(ex, bm, bvx);
        bvy = mulAddW(ey, bm, bvy);
        bvz = mulAddW(ez, bm, bvz);
        awx = mulSubW(v128.load(p, P_TURN_A), d, awx);
        awy = mulSubW(v128.load(p, P_TURN_A + 16), d, awy);
        awz = mulSubW(v128.load(p, P_TURN_A + 32), d, awz);
        bwx = mulAddW(v128.load(p, P_TURN_B), d, bwx);
        bwy = mulAddW(v128.load(p, P_TURN_B + 16), d, bwy);
        bwz = mulAddW(v128.load(p, P_TURN_B + 32), d, bwz);
      }
      if (last && v128.any_true(spikes)) {
        store<u32>(spiked, <u32>g);
        spiked += 4;
      }
    }
    const avxS0: v128 = zipLowW(avx, avy),
      avxS1: v128 = zipLowW(avz, am),
      avxS2: v128 = zipHighW(avx, avy),
      avxS3: v128 = zipHighW(avz, am);
    v128.store(ar3, joinHighW(avxS2, avxS3), 0);
    v128.store(ar2, joinLowW(avxS2, avxS3), 0);
    v128.store(ar1, joinHighW(avxS0, avxS1), 0);
    v128.store(ar0, joinLowW(avxS0, avxS1), 0);
    const awxS0: v128 = zipLowW(awx, awy),
      awxS1: v128 = zipLowW(awz, zero),
      awxS2: v128 = zipHighW(awx, awy),
      awxS3: v128 = zipHighW(awz, zero);
    v128.store(ar3, joinHighW(awxS2, awxS3), 16);
    v128.store(ar2, joinLowW(awxS2, awxS3), 16);
    v128.store(ar1, joinHighW(awxS0, awxS1), 16);
    v128.store(ar0, joinLowW(awxS0, awxS1), 16);
    const bvxS0: v128 = zipLowW(bvx, bvy),
      bvxS1: v128 = zipLowW(bvz, bm),
      bvxS2: v128 = zipHighW(bvx, bvy),
      bvxS3: v128 = zipHighW(bvz, bm);
    v128.store(br3, joinHighW(bvxS2, bvxS3), 0);
    v128.store(br2, joinLowW(bvxS2, bvxS3), 0);
    v128.store(br1, joinHighW(bvxS0, bvxS1), 0);
    v128.store(br0, joinLowW(bvxS0, bvxS1), 0);
    const bwxS0: v128 = zipLowW(bwx, bwy),
      bwxS1: v128 = zipLowW(bwz, zero),
      bwxS2: v128 = zipHighW(bwx, bwy),
      bwxS3: v128 = zipHighW(bwz, zero);
    v128.store(br3, joinHighW(bwxS2, bwxS3), 16);
    v128.store(br2, joinLowW(bwxS2, bwxS3), 16);
    v128.store(br1, joinHighW(bwxS0, bwxS1), 16);
    v128.store(br0, joinLowW(bwxS0, bwxS1), 16);
  }
  if (!isInteger<T>()) store<u32>(params, <u32>spiked, SPIKED);
}

/**
 * Takes back what an impact left in the warm start. The warm start of a substep repeats every impulse of the last one; an
 * impulse that stopped a motion would start it again, backwards, and one sweep does not undo that where several contacts
 * share a body: boxes then rattle between their supports for ever. So an impulse is repeated up to twice its value of the
 * substep before; a load that stays is back one substep later.
 */
function takeBackSpikes(list: usize, end: usize, rows: usize): void {
  const zero: v128 = splatW(0);
  for (; list < end; list += 4) {
    const g: usize = load<u32>(list);
    const points: u32 = groupPoints(g);
    const ar0: usize = rows + <usize>load<u32>(g, G_BODY_A);
    const ar1: usize = rows + <usize>load<u32>(g + 4, G_BODY_A);
    const ar2: usize = rows + <usize>load<u32>(g + 8, G_BODY_A);
    const ar3: usize = rows + <usize>load<u32>(g + 12, G_BODY_A);
    const br0: usize = rows + <usize>load<u32>(g, G_BODY_B);
    const br1: usize = rows + <usize>load<u32>(g + 4, G_BODY_B);
    const br2: usize = rows + <usize>load<u32>(g + 8, G_BODY_B);
    const br3: usize = rows + <usize>load<u32>(g + 12, G_BODY_B);
    const avxL0: v128 = v128.load(ar0, 0),
      avxL1: v128 = v128.load(ar1, 0),
      avxL2: v128 = v128.load(ar2, 0),
      avxL3: v128 = v128.load(ar3, 0);
    const avxZ0: v128 = zipLowW(avxL0, avxL1),
      avxZ1: v128 = zipLowW(avxL2, avxL3),
      avxZ2: v128 = zipHighW(avxL0, avxL1),
      avxZ3: v128 = zipHighW(avxL2, avxL3);
    let avx: v128 = joinLowW(avxZ0, avxZ1);
    let avy: v128 = joinHighW(avxZ0, avxZ1);
    let avz: v128 = joinLowW(avxZ2, avxZ3);
    const am: v128 = joinHighW(avxZ2, avxZ3);
    const awxL0: v128 = v128.load(ar0, 16),
      awxL1: v128 = v128.load(ar1, 16),
      awxL2: v128 = v128.load(ar2, 16),
      awxL3: v128 = v128.load(ar3, 16);
    const awxZ0: v128 = zipLowW(awxL0, awxL1),
      awxZ1: v128 = zipLowW(awxL2, awxL3),
      awxZ2: v128 = zipHighW(awxL0, awxL1),
      awxZ3: v128 = zipHighW(awxL2, awxL3);
    let awx: v128 = joinLowW(awxZ0, awxZ1);
    let awy: v128 = joinHighW(awxZ0, awxZ1);
    let awz: v128 = joinLowW(awxZ2, awxZ3);
    const bvxL0: v128 = v128.load(br0, 0),
      bvxL1: v128 = v128.load(br1, 0),
      bvxL2: v128 = v128.load(br2, 0),
      bvxL3: v128 = v128.load(br3, 0);
    const bvxZ0: v128 = zipLowW(bvxL0, bvxL1),
      bvxZ1: v128 = zipLowW(bvxL2, bvxL3),
      bvxZ2: v128 = zipHighW(bvxL0, bvxL1),
      bvxZ3: v128 = zipHighW(bvxL2, bvxL3);
    let bvx: v128 = joinLowW(bvxZ0, bvxZ1);
    let bvy: v128 = joinHighW(bvxZ0, bvxZ1);
    let bvz: v128 = joinLowW(bvxZ2, bvxZ3);
    const bm: v128 = joinHighW(bvxZ2, bvxZ3);
    const bwxL0: v128 = v128.load(br0, 16),
      bwxL1: v128 = v128.load(br1, 16),
      bwxL2: v128 = v128.load(br2, 16),
      bwxL3: v128 = v128.load(br3, 16);
    const bwxZ0: v128 = zipLowW(bwxL0, bwxL1),
      bwxZ1: v128 = zipLowW(bwxL2, bwxL3),
      bwxZ2: v128 = zipHighW(bwxL0, bwxL1),
      bwxZ3: v128 = zipHighW(bwxL2, bwxL3);
    let bwx: v128 = joinLowW(bwxZ0, bwxZ1);
    let bwy: v128 = joinHighW(bwxZ0, bwxZ1);
    let bwz: v128 = joinLowW(bwxZ2, bwxZ3);
    const nx: v128 = v128.load(g, G_NORMAL),
      ny: v128 = v128.load(g, G_NORMAL + 16),
      nz: v128 = v128.load(g, G_NORMAL + 32);
    for (let i: u32 = 0; i < points; i++) {
      const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
      const excess: v128 = v128.load(g + ((<usize>i) << 4), G_EXCESS);
      const d: v128 = negW(excess);
      v128.store(p, subW(v128.load(p, P_IMPULSE), excess), P_IMPULSE);
      const ex: v128 = mulW(nx, d),
        ey: v128 = mulW(ny, d),
        ez: v128 = mulW(nz, d);
      avx = mulSubW(ex, am, avx);
      avy = mulSubW(ey, am, avy);
      avz = mulSubW(ez, am, avz);
      bvx = mulAddW(ex, bm, bvx);
      bvy = mulAddW(ey, bm, bvy);
      bvz = mulAddW(ez, bm, bvz);
      awx = mulSubW(v128.load(p, P_TURN_A), d, awx);
      awy = mulSubW(v128.load(p, P_TURN_A + 16), d, awy);
      awz = mulSubW(v128.load(p, P_TURN_A + 32), d, awz);
      bwx = mulAddW(v128.load(p, P_TURN_B), d, bwx);
      bwy = mulAddW(v128.load(p, P_TURN_B + 16), d, bwy);
      bwz = mulAddW(v128.load(p, P_TURN_B + 32), d, bwz);
    }
    const avxS0: v128 = zipLowW(avx, avy),
      avxS1: v128 = zipLowW(avz, am),
      avxS2: v128 = zipHighW(avx, avy),
      avxS3: v128 = zipHighW(avz, am);
    v128.store(ar3, joinHighW(avxS2, avxS3), 0);
    v128.store(ar2, joinLowW(avxS2, avxS3), 0);
    v128.store(ar1, joinHighW(avxS0, avxS1), 0);
    v128.store(ar0, joinLowW(avxS0, avxS1), 0);
    const awxS0: v128 = zipLowW(awx, awy),
      awxS1: v128 = zipLowW(awz, zero),
      awxS2: v128 = zipHighW(awx, awy),
      awxS3: v128 = zipHighW(awz, zero);
    v128.store(ar3, joinHighW(awxS2, awxS3), 16);
    v128.store(ar2, joinLowW(awxS2, awxS3), 16);
    v128.store(ar1, joinHighW(awxS0, awxS1), 16);
    v128.store(ar0, joinLowW(awxS0, awxS1), 16);
    const bvxS0: v128 = zipLowW(bvx, bvy),
      bvxS1: v128 = zipLowW(bvz, bm),
      bvxS2: v128 = zipHighW(bvx, bvy),
      bvxS3: v128 = zipHighW(bvz, bm);
    v128.store(br3, joinHighW(bvxS2, bvxS3), 0);
    v128.store(br2, joinLowW(bvxS2, bvxS3), 0);
    v128.store(br1, joinHighW(bvxS0, bvxS1), 0);
    v128.store(br0, joinLowW(bvxS0, bvxS1), 0);
    const bwxS0: v128 = zipLowW(bwx, bwy),
      bwxS1: v128 = zipLowW(bwz, zero),
      bwxS2: v128 = zipHighW(bwx, bwy),
      bwxS3: v128 = zipHighW(bwz, zero);
    v128.store(br3, joinHighW(bwxS2, bwxS3), 16);
    v128.store(br2, joinLowW(bwxS2, bwxS3), 16);
    v128.store(br1, joinHighW(bwxS0, bwxS1), 16);
    v128.store(br0, joinLowW(bwxS0, bwxS1), 16);
  }
}

/** Approach speeds at the start of the step of groups in which something bounces; largest impulses to zero. */
function recordApproach(g: usize, end: usize, rows: usize): void {
  for (; g < end; g += GROUP_STRIDE) {
    if (!v128.any_true(v128.load(g, G_RESTITUTION))) continue;
    const points: u32 = groupPoints(g);
    const ar0: usize = rows + <usize>load<u32>(g, G_BODY_A);
    const ar1: usize = rows + <usize>load<u32>(g + 4, G_BODY_A);
    const ar2: usize = rows + <usize>load<u32>(g + 8, G_BODY_A);
    const ar3: usize = rows + <usize>load<u32>(g + 12, G_BODY_A);
    const br0: usize = rows + <usize>load<u32>(g, G_BODY_B);
    const br1: usize = rows + <usize>load<u32>(g + 4, G_BODY_B);
    const br2: usize = rows + <usize>load<u32>(g + 8, G_BODY_B);
    const br3: usize = rows + <usize>load<u32>(g + 12, G_BODY_B);
    const avxL0: v128 = v128.load(ar0, 0),
      avxL1: v128 = v128.load(ar1, 0),
      avxL2: v128 = v128.load(ar2, 0),
      avxL3: v128 = v128.load(ar3, 0);
    const avxZ0: v128 = zipLowW(avxL0, avxL1),
      avxZ1: v128 = zipLowW(avxL2, avxL3),
      avxZ2: v128 = zipHighW(avxL0, avxL1),
      avxZ3: v128 = zipHighW(avxL2, avxL3);
    let avx: v128 = joinLowW(avxZ0, avxZ1);
    let avy: v128 = joinHighW(avxZ0, avxZ1);
    let avz: v128 = joinLowW(avxZ2, avxZ3);
    const am: v128 = joinHighW(avxZ2, avxZ3);
    const awxL0: v128 = v128.load(ar0, 16),
      awxL1: v128 = v128.load(ar1, 16),
      awxL2: v128 = v128.load(ar2, 16),
      awxL3: v128 = v128.load(ar3, 16);
    const awxZ0: v128 = zipLowW(awxL0, awxL1),
      awxZ1: v128 = zipLowW(awxL2, awxL3),
      awxZ2: v128 = zipHighW(awxL0, awxL1),
      awxZ3: v128 = zipHighW(awxL2, awxL3);
    let awx: v128 = joinLowW(awxZ0, awxZ1);
    let awy: v128 = joinHighW(awxZ0, awxZ1);
    let awz: v128 = joinLowW(awxZ2, awxZ3);
    const bvxL0: v128 = v128.load(br0, 0),
      bvxL1: v128 = v128.load(br1, 0),
      bvxL2: v128 = v128.load(br2, 0),
      bvxL3: v128 = v128.load(br3, 0);
    const bvxZ0: v128 = zipLowW(bvxL0, bvxL1),
      bvxZ1: v128 = zipLowW(bvxL2, bvxL3),
      bvxZ2: v128 = zipHighW(bvxL0, bvxL1),
      bvxZ3: v128 = zipHighW(bvxL2, bvxL3);
    let bvx: v128 = joinLowW(bvxZ0, bvxZ1);
    let bvy: v128 = joinHighW(bvxZ0, bvxZ1);
    let bvz: v128 = joinLowW(bvxZ2, bvxZ3);
    const bm: v128 = joinHighW(bvxZ2, bvxZ3);
    const bwxL0: v128 = v128.load(br0, 16),
      bwxL1: v128 = v128.load(br1, 16),
      bwxL2: v128 = v128.load(br2, 16),
      bwxL3: v128 = v128.load(br3, 16);
    const bwxZ0: v128 = zipLowW(bwxL0, bwxL1),
      bwxZ1: v128 = zipLowW(bwxL2, bwxL3),
      bwxZ2: v128 = zipHighW(bwxL0, bwxL1),
      bwxZ3: v128 = zipHighW(bwxL2, bwxL3);
    let bwx: v128 = joinLowW(bwxZ0, bwxZ1);
    let bwy: v128 = joinHighW(bwxZ0, bwxZ1);
    let bwz: v128 = joinLowW(bwxZ2, bwxZ3);
    const nx: v128 = v128.load(g, G_NORMAL),
      ny: v128 = v128.load(g, G_NORMAL + 16),
      nz: v128 = v128.load(g, G_NORMAL + 32);
    for (let i: u32 = 0; i < points; i++) {
      const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
      const px: v128 = v128.load(p, P_ARM_A),
        py: v128 = v128.load(p, P_ARM_A + 16),
        pz: v128 = v128.load(p, P_ARM_A + 32);
      const qx: v128 = v128.load(p, P_ARM_B),
        qy: v128 = v128.load(p, P_ARM_B + 16),
        qz: v128 = v128.load(p, P_ARM_B + 32);
      v128.store(
        g + ((<usize>i) << 4),
        addW(
          dotW(nx, ny, nz, subW(bvx, avx), subW(bvy, avy), subW(bvz, avz)),
          subW(dotW(qx, qy, qz, bwx, bwy, bwz), dotW(px, py, pz, awx, awy, awz)),
        ),
        G_APPROACH,
      );
      v128.store(g + ((<usize>i) << 4), splatW(0), G_MAX_IMPULSE);
    }
  }
}

/** Keeps the largest impulse of every bouncing point. */
function recordImpulses(g: usize, end: usize): void {
  for (; g < end; g += GROUP_STRIDE) {
    if (!v128.any_true(v128.load(g, G_RESTITUTION))) continue;
    const points: u32 = groupPoints(g);
    for (let i: u32 = 0; i < points; i++) {
      const q: usize = g + ((<usize>i) << 4);
      v128.store(q, maxW(v128.load(q, G_MAX_IMPULSE), v128.load(g + G_POINTS + <usize>i * P_STRIDE, P_IMPULSE)), G_MAX_IMPULSE);
    }
  }
}

function recordAll(): void {
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = colorList(c);
    const base: usize = load<u32>(list);
    recordImpulses(base, base + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE);
  }
}

/** Restitution: points that carried load and approached faster than the threshold leave with e times that speed. */
function bounceGroups(g: usize, end: usize, rows: usize, threshold: v128): void {
  const zero: v128 = splatW(0);
  for (; g < end; g += GROUP_STRIDE) {
    const restitution: v128 = v128.load(g, G_RESTITUTION);
    if (!v128.any_true(restitution)) continue;
    const points: u32 = groupPoints(g);
    const ar0: usize = rows + <usize>load<u32>(g, G_BODY_A);
    const ar1: usize = rows + <usize>load<u32>(g + 4, G_BODY_A);
    const ar2: usize = rows + <usize>load<u32>(g + 8, G_BODY_A);
    const ar3: usize = rows + <usize>load<u32>(g + 12, G_BODY_A);
    const br0: usize = rows + <usize>load<u32>(g, G_BODY_B);
    const br1: usize = rows + <usize>load<u32>(g + 4, G_BODY_B);
    const br2: usize = rows + <usize>load<u32>(g + 8, G_BODY_B);
    const br3: usize = rows + <usize>load<u32>(g + 12, G_BODY_B);
    const avxL0: v128 = v128.load(ar0, 0),
      avxL1: v128 = v128.load(ar1, 0),
      avxL2: v128 = v128.load(ar2, 0),
      avxL3: v128 = v128.load(ar3, 0);
    const avxZ0: v128 = zipLowW(avxL0, avxL1),
      avxZ1: v128 = zipLowW(avxL2, avxL3),
      avxZ2: v128 = zipHighW(avxL0, avxL1),
      avxZ3: v128 = zipHighW(avxL2, avxL3);
    let avx: v128 = joinLowW(avxZ0, avxZ1);
    let avy: v128 = joinHighW(avxZ0, avxZ1);
    let avz: v128 = joinLowW(avxZ2, avxZ3);
    const am: v128 = joinHighW(avxZ2, avxZ3);
    const awxL0: v128 = v128.load(ar0, 16),
      awxL1: v128 = v128.load(ar1, 16),
      awxL2: v128 = v128.load(ar2, 16),
      awxL3: v128 = v128.load(ar3, 16);
    const awxZ0: v128 = zipLowW(awxL0, awxL1),
      awxZ1: v128 = zipLowW(awxL2, awxL3),
      awxZ2: v128 = zipHighW(awxL0, awxL1),
      awxZ3: v128 = zipHighW(awxL2, awxL3);
    let awx: v128 = joinLowW(awxZ0, awxZ1);
    let awy: v128 = joinHighW(awxZ0, awxZ1);
    let awz: v128 = joinLowW(awxZ2, awxZ3);
    const bvxL0: v128 = v128.load(br0, 0),
      bvxL1: v128 = v128.load(br1, 0),
      bvxL2: v128 = v128.load(br2, 0),
      bvxL3: v128 = v128.load(br3, 0);
    const bvxZ0: v128 = zipLowW(bvxL0, bvxL1),
      bvxZ1: v128 = zipLowW(bvxL2, bvxL3),
      bvxZ2: v128 = zipHighW(bvxL0, bvxL1),
      bvxZ3: v128 = zipHighW(bvxL2, bvxL3);
    let bvx: v128 = joinLowW(bvxZ0, bvxZ1);
    let bvy: v128 = joinHighW(bvxZ0, bvxZ1);
    let bvz: v128 = joinLowW(bvxZ2, bvxZ3);
    const bm: v128 = joinHighW(bvxZ2, bvxZ3);
    const bwxL0: v128 = v128.load(br0, 16),
      bwxL1: v128 = v128.load(br1, 16),
      bwxL2: v128 = v128.load(br2, 16),
      bwxL3: v128 = v128.load(br3, 16);
    const bwxZ0: v128 = zipLowW(bwxL0, bwxL1),
      bwxZ1: v128 = zipLowW(bwxL2, bwxL3),
      bwxZ2: v128 = zipHighW(bwxL0, bwxL1),
      bwxZ3: v128 = zipHighW(bwxL2, bwxL3);
    let bwx: v128 = joinLowW(bwxZ0, bwxZ1);
    let bwy: v128 = joinHighW(bwxZ0, bwxZ1);
    let bwz: v128 = joinLowW(bwxZ2, bwxZ3);
    const nx: v128 = v128.load(g, G_NORMAL),
      ny: v128 = v128.load(g, G_NORMAL + 16),
      nz: v128 = v128.load(g, G_NORMAL + 32);
    for (let i: u32 = 0; i < points; i++) {
      const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
      const q: usize = g + ((<usize>i) << 4);
      const px: v128 = v128.load(p, P_ARM_A),
        py: v128 = v128.load(p, P_ARM_A + 16),
        pz: v128 = v128.load(p, P_ARM_A + 32);
      const qx: v128 = v128.load(p, P_ARM_B),
        qy: v128 = v128.load(p, P_ARM_B + 16),
        qz: v128 = v128.load(p, P_ARM_B + 32);
      const vn: v128 = addW(
        dotW(nx, ny, nz, subW(bvx, avx), subW(bvy, avy), subW(bvz, avz)),
        subW(dotW(qx, qy, qz, bwx, bwy, bwz), dotW(px, py, pz, awx, awy, awz)),
      );
      const approach: v128 = v128.load(q, G_APPROACH);
      const bounces: v128 = v128.and(
        v128.and(greaterW(restitution, zero), greaterW(v128.load(q, G_MAX_IMPULSE), zero)),
        greaterW(negW(threshold), approach),
      );
      const old: v128 = v128.load(p, P_IMPULSE);
      const z: v128 = maxW(zero, subW(old, mulW(v128.load(p, P_MASS), addW(vn, mulW(restitution, approach)))));
      const d: v128 = v128.and(bounces, subW(z, old));
      v128.store(p, addW(old, d), P_IMPULSE);
      const ex: v128 = mulW(nx, d),
        ey: v128 = mulW(ny, d),
        ez: v128 = mulW(nz, d);
      avx = mulSubW(ex, am, avx);
      avy = mulSubW(ey, am, avy);
      avz = mulSubW(ez, am, avz);
      bvx = mulAddW(ex, bm, bvx);
      bvy = mulAddW(ey, bm, bvy);
      bvz = mulAddW(ez, bm, bvz);
      awx = mulSubW(v128.load(p, P_TURN_A), d, awx);
      awy = mulSubW(v128.load(p, P_TURN_A + 16), d, awy);
      awz = mulSubW(v128.load(p, P_TURN_A + 32), d, awz);
      bwx = mulAddW(v128.load(p, P_TURN_B), d, bwx);
      bwy = mulAddW(v128.load(p, P_TURN_B + 16), d, bwy);
      bwz = mulAddW(v128.load(p, P_TURN_B + 32), d, bwz);
    }
    const avxS0: v128 = zipLowW(avx, avy),
      avxS1: v128 = zipLowW(avz, am),
      avxS2: v128 = zipHighW(avx, avy),
      avxS3: v128 = zipHighW(avz, am);
    v128.store(ar3, joinHighW(avxS2, avxS3), 0);
    v128.store(ar2, joinLowW(avxS2, avxS3), 0);
    v128.store(ar1, joinHighW(avxS0, avxS1), 0);
    v128.store(ar0, joinLowW(avxS0, avxS1), 0);
    const awxS0: v128 = zipLowW(awx, awy),
      awxS1: v128 = zipLowW(awz, zero),
      awxS2: v128 = zipHighW(awx, awy),
      awxS3: v128 = zipHighW(awz, zero);
    v128.store(ar3, joinHighW(awxS2, awxS3), 16);
    v128.store(ar2, joinLowW(awxS2, awxS3), 16);
    v128.store(ar1, joinHighW(awxS0, awxS1), 16);
    v128.store(ar0, joinLowW(awxS0, awxS1), 16);
    const bvxS0: v128 = zipLowW(bvx, bvy),
      bvxS1: v128 = zipLowW(bvz, bm),
      bvxS2: v128 = zipHighW(bvx, bvy),
      bvxS3: v128 = zipHighW(bvz, bm);
    v128.store(br3, joinHighW(bvxS2, bvxS3), 0);
    v128.store(br2, joinLowW(bvxS2, bvxS3), 0);
    v128.store(br1, joinHighW(bvxS0, bvxS1), 0);
    v128.store(br0, joinLowW(bvxS0, bvxS1), 0);
    const bwxS0: v128 = zipLowW(bwx, bwy),
      bwxS1: v128 = zipLowW(bwz, zero),
      bwxS2: v128 = zipHighW(bwx, bwy),
      bwxS3: v128 = zipHighW(bwz, zero);
    v128.store(br3, joinHighW(bwxS2, bwxS3), 16);
    v128.store(br2, joinLowW(bwxS2, bwxS3), 16);
    v128.store(br1, joinHighW(bwxS0, bwxS1), 16);
    v128.store(br0, joinLowW(bwxS0, bwxS1), 16);
  }
}

// First substep: v_start = v, v += h a.
function startBodies(rows: usize, starts: usize, accels: usize, count: u32, h: v128): void {
  for (let i: u32 = 0; i < count; i++) {
    const v: v128 = v128.load(rows),
      w: v128 = v128.load(rows, 16);
    v128.store(starts, v);
    v128.store(starts, w, 16);
    v128.store(rows, mulAddW(h, v128.load(accels), v));
    v128.store(rows, mulAddW(h, v128.load(accels, 16), w), 16);
    rows += BODY_ROW_STRIDE;
    starts += 32;
    accels += BODY_ACCEL_STRIDE;
  }
}

// Later substeps: gravity, forces and the impulses of the last substep at once.
function repeatBodies(rows: usize, starts: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const v: v128 = v128.load(rows),
      w: v128 = v128.load(rows, 16);
    v128.store(rows, addW(v, subW(v, v128.load(starts))));
    v128.store(rows, addW(w, subW(w, v128.load(starts, 16))), 16);
    v128.store(starts, v);
    v128.store(starts, w, 16);
    rows += BODY_ROW_STRIDE;
    starts += 32;
  }
}

// Positions: the velocity is kept in the row for the relax pass, the motion is summed in the delta.
function moveBodies(rows: usize, deltas: usize, count: u32, h: v128): void {
  const xyz: v128 = i32x4(-1, -1, -1, 0);
  for (let i: u32 = 0; i < count; i++) {
    const v: v128 = v128.and(v128.load(rows), xyz),
      w: v128 = v128.load(rows, 16);
    v128.store(rows, v, 32);
    v128.store(rows, w, 48);
    v128.store(deltas, mulAddW(h, v, v128.load(deltas)));
    v128.store(deltas, mulAddW(h, w, v128.load(deltas, 16)), 16);
    rows += BODY_ROW_STRIDE;
    deltas += BODY_DELTA_STRIDE;
  }
}

/** Soft-contact coefficients for angular frequency omega: bias rate, mass scale, impulse scale. */
function storeSoftness(params: usize, omega: f32, zeta: f32, h: f32): void {
  const a1: f32 = 2 * zeta + h * omega;
  const a2: f32 = h * omega * a1;
  v128.store(params, splatW(omega / a1));
  v128.store(params, splatW(a2 / (1 + a2)), 16);
  v128.store(params, splatW(1 / (1 + a2)), 32);
}

function softPass(rows: usize, params: usize): void {
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = colorList(c == 0 ? OVERFLOW : c == SEQUENTIAL ? c : c - 1);
    const base: usize = load<u32>(list);
    solveGroups<u32>(base, base + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE, rows, params, false, false);
  }
}

function relaxPass(rows: usize, params: usize, advance: bool, last: bool): void {
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = colorList(c == 0 ? OVERFLOW : c == SEQUENTIAL ? c : c - 1);
    const base: usize = load<u32>(list);
    solveGroups<f32>(base, base + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE, rows, params, advance, last);
  }
}

/** Runs all substeps of a step. Returns false without memory (nothing was solved). */
export function solveLanes(): bool {
  const hd: Header = header();
  const state: usize = hd.coloredState;
  const count: u32 = hd.bodyCount;
  if (!ensureCapacity(state + START_ROWS, state + START_ROWS + 4, 32, count)) return false;
  let groups: u32 = 0;
  for (let c: u32 = 0; c < LISTS; c++) groups += (load<u32>(colorList(c), 8) + 3) >> 2;
  if (!ensureCapacity(state + SPIKE_LIST, state + SPIKE_LIST + 4, 4, groups)) return false;
  const rows: usize = hd.bodyRows,
    starts: usize = load<u32>(state, START_ROWS),
    deltas: usize = hd.bodyDeltas;
  const substeps: u32 = hd.substeps,
    sweeps: u32 = hd.sweeps;
  const h: f32 = hd.dt / <f32>substeps;
  const hW: v128 = splatW(h);
  const params: usize = state + PARAMS;
  v128.store(params, hW);
  v128.store(params, splatW(1 / h), 16);
  const omega: f32 = (<f32>6.2831853 * hd.contactHertzRatio) / h;
  storeSoftness(params + 32, omega, hd.dampingRatio, h);
  storeSoftness(params + 80, 2 * omega, hd.dampingRatio, h);
  v128.store(params, splatW(-hd.pushSpeed), 128);
  v128.store(params, splatW(hd.linearSlop), 144);

  let colors: u32 = 0,
    bouncing: bool = false;
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = colorList(c);
    const base: usize = load<u32>(list);
    const end: usize = base + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE;
    if (end == base) continue;
    colors++;
    for (let g: usize = base; g < end && !bouncing; g += GROUP_STRIDE) bouncing = v128.any_true(v128.load(g, G_RESTITUTION));
    if (bouncing) recordApproach(base, end, rows);
  }
  hd.colorCount = hd.solver == SOLVER_COLORED ? colors : 0;

  startBodies(rows, starts, hd.bodyAccels, count, hW);
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = colorList(c);
    const base: usize = load<u32>(list);
    warmGroups(base, base + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE, rows, splatW(hd.warmStart));
  }
  for (let s: u32 = 0; s < substeps; s++) {
    const spikes: usize = load<u32>(state, SPIKE_LIST);
    if (s != 0) {
      repeatBodies(rows, starts, count);
      takeBackSpikes(spikes, load<u32>(params, SPIKED), rows);
    }
    store<u32>(params, <u32>spikes, SPIKED);
    for (let k: u32 = 0; k < sweeps; k++) softPass(rows, params);
    if (bouncing) recordAll();
    moveBodies(rows, deltas, count, hW);
    for (let k: u32 = 0; k < sweeps; k++) relaxPass(rows, params, k == 0, k == sweeps - 1);
    // An impact may be met by a relax pass alone: its impulse is out of the warm start before the next soft pass.
    if (bouncing) recordAll();
  }
  if (bouncing) {
    for (let k: u32 = 0; k < BOUNCE_SWEEPS; k++) {
      for (let c: u32 = 0; c < LISTS; c++) {
        const list: usize = colorList(c);
        const base: usize = load<u32>(list);
        bounceGroups(base, base + <usize>((load<u32>(list, 8) + 3) >> 2) * GROUP_STRIDE, rows, splatW(hd.restitutionThreshold));
      }
    }
  }
  return true;
}
