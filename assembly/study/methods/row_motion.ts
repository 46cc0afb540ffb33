// The motion of bodies with the velocities of a pass. Twin: shaders/shared/row_motion.wgsl.
// Input: velocities. Output: BodyDelta, the velocities of the substep in BodyRow.
import { deltaAt, rowAt } from '../../bodies/rows';
import { BodyDelta, BodyRow, BodyVelocity, MethodState } from '../../layout.generated';
import { isMoving } from '../../ordering/state';
import { velocityAt } from './state';

/** d += h v; `keep`: this is also the velocity that the substep integrated. */
export function advance(s: MethodState, bodies: u32, dt: f32, velocities: usize, keep: bool): void {
  for (let b: u32 = 0; b < bodies; b++) {
    if (!isMoving(b)) continue;
    const v: BodyVelocity = velocityAt(velocities, b);
    const delta: BodyDelta = deltaAt(b);
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
