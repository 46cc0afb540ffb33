// The motion of bodies with the velocities of a pass. Twin: shaders/shared/row_motion.wgsl.
// Input: velocities. Output: BodyDelta, the velocities of the substep in BodyRow.
import { BODY_DELTA_STRIDE, BodyDelta, BodyRow, BodyVelocity, MethodState } from '../../layout.generated';
import { rowAt } from '../../bodies/rows';
import { header } from '../../memory/header';
import { isMoving } from '../../ordering/state';
import { velocityAt } from './state';

export function deltaOf(body: u32): BodyDelta {
  return changetype<BodyDelta>(<usize>header().bodyDeltas + <usize>body * BODY_DELTA_STRIDE);
}

/** d += h v; `keep`: this is also the velocity that the substep integrated. */
export function advance(s: MethodState, bodies: u32, dt: f32, velocities: usize, keep: bool): void {
  for (let b: u32 = 0; b < bodies; b++) {
    if (!isMoving(b)) continue;
    const v: BodyVelocity = velocityAt(velocities, b);
    const delta: BodyDelta = deltaOf(b);
    delta.dx += dt * v.vx;
    delta.dy += dt * v.vy;
    delta.dz += dt * v.vz;
    delta.px += dt * v.wx;
    delta.py += dt * v.wy;
    delta.pz += dt * v.wz;
    if (!keep) continue;
    const row: BodyRow = rowAt(b);
    row.svx = v.vx;
    row.svy = v.vy;
    row.svz = v.vz;
    row.swx = v.wx;
    row.swy = v.wy;
    row.swz = v.wz;
  }
}
