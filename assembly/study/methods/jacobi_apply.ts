// An iteration of Jacobi, second half: what the steps of the rows do to impulses and velocities; gravity before it. Twin:
// shaders/jacobi_apply.wgsl.
// Input: MethodRow.step. Output: impulses of the rows, velocities.
import { BODY_ACCEL_STRIDE, BodyAccel, BodyVelocity, MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { applyStep } from './row';
import { methodRow, velocityAt } from './state';

/** v += h a. */
export function accelerate(s: MethodState, bodies: u32, dt: f32): void {
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(s.velocities, b);
    if (v.invMass == 0) continue;
    const a: BodyAccel = changetype<BodyAccel>(<usize>header().bodyAccels + <usize>b * BODY_ACCEL_STRIDE);
    v.vx += dt * a.ax;
    v.vy += dt * a.ay;
    v.vz += dt * a.az;
    v.wx += dt * a.bx;
    v.wy += dt * a.by;
    v.wz += dt * a.bz;
  }
}

/** Impulses and velocities after the steps of the units [from, to), each times alpha. */
export function applySteps(s: MethodState, from: u32, to: u32, alpha: f32): void {
  const velocities: usize = s.velocities;
  for (let u: u32 = from; u < to; u++) {
    const row: MethodRow = methodRow(at32(s.units, u));
    if (row.active == 1) applyStep(row, velocities, alpha);
  }
}
