// Before the iterations of a pass: impulses that are repeated (without what growth_clamp.ts takes off), bias and compliance of
// the normals; those of joints are in joint_rows.ts. Twin: shaders/jacobi_prepare.wgsl. Aggressive sleep (Tsuda 2009): rows
// between two bodies at rest keep the impulse of the last step.
// Input: rows, BodyDelta, velocities. Output: impulses, bias and gamma of the rows, velocities.
import { coldAt, deltaAt, rowAt } from '../../bodies/rows';
import { pointOf } from '../../constraints/manifolds';
import {
  BodyDelta,
  BodyRow,
  BodyVelocity,
  Manifold,
  ManifoldPoint,
  MethodRow,
  MethodState,
  STABILIZE_BAUMGARTE,
  STABILIZE_SOFT,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { biasRate, gammaScale } from '../../rows/softness';
import { keepJointPeaks, setJointBias } from './joint_rows';
import { rowMethod } from './method';
import { PASS_MAIN, PASS_PROJECT } from './passes';
import { ROW_NORMAL, isFriction, pushRow } from './row';
import { isWorld, methodRow, velocityAt } from './state';

/** Adds the impulses of the substep that has ended to those of the step, in maxImpulse until finish adds the last ones. */
export function addImpulses(s: MethodState, first: bool): void {
  for (let l: u32 = 0; l < header().activeCount; l++) {
    const m: Manifold = manifoldOfLink(l);
    const normals: u32 = at32(s.linkRows, l + 1) - m.count;
    for (let i: u32 = 0; i < m.count; i++) {
      const p: ManifoldPoint = pointOf(m, i);
      p.maxImpulse = first ? 0 : p.maxImpulse + methodRow(normals + i).z;
    }
  }
  keepJointPeaks(s, first);
}

/** Applies the carried impulses. They act on whole bodies also where blocks work on their parts. */
export function warmStart(s: MethodState, factor: f32): void {
  const parts: bool = rowMethod().takesMean();
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.z *= factor;
    if (!parts) {
      pushRow(row, s.velocities, row.z);
      continue;
    }
    const pass: u32 = s.passes == 2 && isFriction(row.kind) ? 1 : 0;
    const scaleA: f32 = row.scaleA,
      scaleB: f32 = row.scaleB;
    row.scaleA = scaleA / <f32>max<u32>(at32(s.counts, row.bodyA * 2 + pass), 1);
    row.scaleB = scaleB / <f32>max<u32>(at32(s.counts, row.bodyB * 2 + pass), 1);
    pushRow(row, s.velocities, row.z);
    row.scaleA = scaleA;
    row.scaleB = scaleB;
  }
}

/** Separation of a normal row now: linear in the motion since the start of the step. */
export function separationNow(row: MethodRow): f32 {
  const a: BodyDelta = deltaAt(row.bodyA);
  const b: BodyDelta = deltaAt(row.bodyB);
  return (
    pointOf(manifoldOfLink(row.link), row.point).separation +
    (row.dx * (b.dx - a.dx) + row.dy * (b.dy - a.dy) + row.dz * (b.dz - a.dz)) +
    (row.bx * b.px + row.by * b.py + row.bz * b.pz) -
    (row.ax * a.px + row.ay * a.py + row.az * a.pz)
  );
}

/** Bias and compliance of the normals and of the rows of joints for a pass. */
export function setBias(s: MethodState, pass: u32, dt: f32): void {
  const h = header();
  setJointBias(s, pass, dt);
  for (let r: u32 = 0; r < s.contactRows; r++) {
    const row: MethodRow = methodRow(r);
    if (row.kind != ROW_NORMAL) continue;
    const gap: f32 = separationNow(row);
    row.gamma = 0;
    row.bias = 0;
    if (pass == PASS_PROJECT) {
      // The rest of the gap that the velocities have left, or the share of the overlap.
      row.bias = gap > 0 ? gap / dt : (h.stabilizationFactor * min<f32>(gap + h.linearSlop, 0)) / dt;
    } else if (gap > 0) {
      row.bias = gap / dt;
    } else if (pass == PASS_MAIN) {
      const depth: f32 = min<f32>(gap + h.linearSlop, 0);
      if (h.stabilization == STABILIZE_SOFT) {
        const isStatic: bool = rowAt(row.bodyA).invMass == 0 || rowAt(row.bodyB).invMass == 0;
        row.bias = max<f32>(biasRate(isStatic, dt) * depth, -h.pushSpeed) * (1 - manifoldOfLink(row.link).pushCut);
        row.gamma = row.k * gammaScale(isStatic, dt);
      } else if (h.stabilization == STABILIZE_BAUMGARTE) {
        row.bias = max<f32>((h.stabilizationFactor * depth) / dt, -h.pushSpeed) * (1 - manifoldOfLink(row.link).pushCut);
      }
    }
  }
}

/**
 * Rows between two bodies at rest keep their impulses, which the warm start has applied. A body that is merely slow is not at
 * rest: its last impulses have just made it so, from another speed. Repeated, they make the same difference again, and the
 * body swings between 0 and sleepSpeed for ever. Header.aggressiveSleep 2 is that, to the letter: every body that begins the
 * step below sleepSpeed counts as resting.
 */
export function fixRowsAtRest(s: MethodState): void {
  let fixed: u32 = 0;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    if (!isAtRest(s, row.bodyA) || !isAtRest(s, row.bodyB)) continue;
    row.active = 0;
    fixed++;
  }
  header().fixedRows = fixed;
}

/**
 * Whether gravity and the carried impulses leave a body at rest. Both its speed after them (of its fastest point) and its
 * change are to be below the speed that it would take to reach sleepSpeed within sleepTime at such a change every step.
 */
function isAtRest(s: MethodState, body: u32): bool {
  if (isWorld(body)) return true;
  const row: BodyRow = rowAt(body);
  const v: BodyVelocity = velocityAt(s.velocities, body);
  const extent: f32 = coldAt(body).extent;
  const limit: f32 = restLimit();
  if (header().aggressiveSleep == 2) {
    return lengthOf(row.vx, row.vy, row.vz) + lengthOf(row.wx, row.wy, row.wz) * extent < limit;
  }
  const speed: f32 = lengthOf(v.vx, v.vy, v.vz) + lengthOf(v.wx, v.wy, v.wz) * extent;
  const change: f32 =
    lengthOf(v.vx - row.vx, v.vy - row.vy, v.vz - row.vz) + lengthOf(v.wx - row.wx, v.wy - row.wy, v.wz - row.wz) * extent;
  return speed < limit && change < limit;
}

/** Speed, and change of speed in a substep, below which a body is at rest, m/s. */
export function restLimit(): f32 {
  const h = header();
  if (h.aggressiveSleep == 2) return h.sleepSpeed;
  return (h.sleepSpeed * h.dt) / (<f32>h.stepSubsteps * max<f32>(h.sleepTime, h.dt));
}

export function lengthOf(x: f32, y: f32, z: f32): f32 {
  return sqrt<f32>(x * x + y * y + z * z);
}
