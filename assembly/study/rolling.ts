// Rolling resistance for the solvers that walk manifolds: rows beside those of the contacts, swept after each of their relax
// sweeps (the soft ones start with what these ended with).
//
// A round body presses into what it rolls on, and the normal force acts a little ahead of the middle. A row is that torque: an
// angular impulse q about the two tangents of a manifold, equal and opposite on its bodies, that holds their relative spin
// about them and is bound by |q| <= rollArm N, with N the sum of the normal impulses at that moment. It is a row as friction
// is, carried and started with, so a ball rests on a slope below atan(rollingResistance). The same row is in wide_sweep.ts, and
// for splitting in split/solve.ts and split.wgsl.
// Input: manifolds with a rollArm, their normal impulses, BodyRow, BodyInertia. Output: spins in
// BodyRow, rollImpulse1 and 2 of the manifolds.
// Source: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Assessment of rolling resistance models in discrete element simulations,
// Powder Technology 206, 2011 (bound, rolling radius).
import {
  BODY_ROW_STRIDE,
  BodyInertia,
  BodyRow,
  Header,
  MANIFOLD_POINT_STRIDE,
  Manifold,
  ManifoldPoint,
  NONE,
  ROLL_ROW_STRIDE,
  RollRow,
} from '../layout.generated';
import { inertiaAt, inverseInertia } from '../bodies/rows';
import { isResting, manifoldAt, pointOf } from '../constraints/manifolds';
import { pairCold } from '../constraints/pair_rows';
import { dot3, vec3W } from '../math/lane';
import { w3, x3, y3, z3 } from '../math/vec3';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { oneCircleRow } from '../rows/row';
import { inverse } from '../rows/mass';

function rollAt(i: u32): RollRow {
  return changetype<RollRow>(<usize>header().rollRows + <usize>i * ROLL_ROW_STRIDE);
}

/** Lists the rows of the step. False without memory (nothing changed). */
export function prepareRolling(): bool {
  const h: Header = header();
  h.rollCount = 0;
  if (h.anyRolling == 0) return true;
  const at: usize = changetype<usize>(h);
  const asleep: bool = h.sleepingCount != 0;
  for (let i: u32 = 0; i < h.awakePairs; i++) {
    let k: u32 = pairCold(i).manifold;
    for (; k != NONE; k = manifoldAt(k).next) {
      const m: Manifold = manifoldAt(k);
      if (m.rollArm == 0 || (asleep && isResting(m))) continue;
      if (!ensureArray(at + offsetof<Header>('rollRows'), ROLL_ROW_STRIDE, h.rollCount + 1)) return false;
      fill(rollAt(h.rollCount++), k, m);
    }
  }
  return true;
}

function fill(row: RollRow, index: u32, m: Manifold): void {
  const rows: u32 = header().bodyRows + <u32>offsetof<BodyRow>('wx');
  row.manifold = index;
  row.spinA = rows + m.bodyA * <u32>BODY_ROW_STRIDE;
  row.spinB = rows + m.bodyB * <u32>BODY_ROW_STRIDE;
  row.impulse = <u32>(changetype<usize>(pointOf(m, 0)) + offsetof<ManifoldPoint>('impulse'));
  row.end = row.impulse + m.count * <u32>MANIFOLD_POINT_STRIDE;
  const a: BodyInertia = inertiaAt(m.bodyA),
    b: BodyInertia = inertiaAt(m.bodyB);
  const t: v128 = vec3W(m.tx, m.ty, m.tz);
  const u: v128 = vec3W(m.ny * m.tz - m.nz * m.ty, m.nz * m.tx - m.nx * m.tz, m.nx * m.ty - m.ny * m.tx);
  row.t = t;
  row.u = u;
  row.turnAt = inverseInertia(a, t);
  row.turnAu = inverseInertia(a, u);
  row.turnBt = inverseInertia(b, t);
  row.turnBu = inverseInertia(b, u);
  const k11: f32 = dot3(t, f32x4.add(row.turnAt, row.turnBt)),
    k12: f32 = dot3(t, f32x4.add(row.turnAu, row.turnBu)),
    k22: f32 = dot3(u, f32x4.add(row.turnAu, row.turnBu));
  const k: f32 = inverse(k11 * k22 - k12 * k12);
  row.block = f32x4(k22 * k, -k12 * k, k11 * k, m.rollArm);
  row.q1 = m.rollImpulse1;
  row.q2 = m.rollImpulse2;
}

function turn(row: RollRow, d1: f32, d2: f32): void {
  const a: usize = row.spinA,
    b: usize = row.spinB;
  const e1: v128 = f32x4.splat(d1),
    e2: v128 = f32x4.splat(d2);
  v128.store(a, f32x4.sub(v128.load(a), f32x4.add(f32x4.mul(row.turnAt, e1), f32x4.mul(row.turnAu, e2))));
  v128.store(b, f32x4.add(v128.load(b), f32x4.add(f32x4.mul(row.turnBt, e1), f32x4.mul(row.turnBu, e2))));
}

/** Applies the carried impulses. */
export function warmRolling(): void {
  const h: Header = header();
  const count: u32 = h.rollCount;
  for (let i: u32 = 0; i < count; i++) {
    const row: RollRow = rollAt(i);
    row.q1 *= h.warmStart;
    row.q2 *= h.warmStart;
    turn(row, row.q1, row.q2);
  }
}

/** One sweep over the rows, after a relax sweep over the contacts. */
export function sweepRolling(): void {
  const count: u32 = header().rollCount;
  for (let i: u32 = 0; i < count; i++) {
    const row: RollRow = rollAt(i);
    let borne: f32 = 0;
    for (let at: usize = row.impulse; at < <usize>row.end; at += MANIFOLD_POINT_STRIDE) borne += load<f32>(at);
    const old1: f32 = row.q1,
      old2: f32 = row.q2;
    if (borne == 0 && old1 == 0 && old2 == 0) continue;
    const spin: v128 = f32x4.sub(v128.load(<usize>row.spinB), v128.load(<usize>row.spinA));
    const w1: f32 = dot3(row.t, spin),
      w2: f32 = dot3(row.u, spin);
    const impulses: usize = changetype<usize>(row) + offsetof<RollRow>('q1');
    const block: v128 = row.block;
    oneCircleRow(impulses, x3(block), y3(block), z3(block), w1, w2, w3(block) * borne);
    turn(row, row.q1 - old1, row.q2 - old2);
  }
}

/** Impulses back to the manifolds. */
export function keepRolling(): void {
  const count: u32 = header().rollCount;
  for (let i: u32 = 0; i < count; i++) {
    const row: RollRow = rollAt(i);
    const m: Manifold = manifoldAt(row.manifold);
    m.rollImpulse1 = row.q1;
    m.rollImpulse2 = row.q2;
  }
}
