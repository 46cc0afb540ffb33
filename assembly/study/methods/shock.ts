// Shock propagation (Guendelman, Bridson, Fedkiw 2003) with the blend of two solutions that gives back the feeling of weight
// (Tsuda 2009, "The Weight Feeling Problem"): one with the true masses, one, from the ground up, in which the lower body of
// every contact has infinite mass. Level of a body: contacts and joints between it and the nearest body that impulses do not
// move. At a joint the body of the lower level is the one that bears it (supportSide of build.ts).
// The blend is one of velocities, v = (1 - c) v0 + c v1. The slides blend impulses; but those of the second solution carry
// only what lies directly on them, and with true masses they would not hold a pile up. The carried impulses are those of
// the first solution.
import { BodyVelocity, MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { orderState } from '../../ordering/state';
import { setMasses } from './build';
import { linkLevel } from './levels';
import { ROW_SECOND, solveRow } from './row';
import { methodRow, methodState, velocityAt } from './state';

/**
 * The second solution and the blend. The velocities are those of the first solution; `start` those before any contact
 * impulse of the substep. `sweeps`: Gauss-Seidel sweeps of each level.
 */
export function blendShock(start: usize, sweeps: u32): void {
  const h = header();
  const s: MethodState = methodState();
  const bodies: u32 = h.bodyCount;
  const links: u32 = orderState().linkCount;
  const share: f32 = h.shockPropagation;
  memory.copy(s.subs, start, (<usize>bodies) << 5);
  setMasses(true);
  // Impulses start from zero: those of the first solution bear loads that this one does not know.
  let top: u32 = 0;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.kept = row.z;
    row.z = 0;
    top = max<u32>(top, linkLevel(s, row.link));
  }
  for (let level: u32 = 0; level <= top; level++) {
    for (let sweep: u32 = 0; sweep < sweeps; sweep++) {
      for (let l: u32 = 0; l < links; l++) {
        const link: u32 = at32(s.linkOrder, l);
        if (linkLevel(s, link) != level) continue;
        const end: u32 = at32(s.linkRows, link + 1);
        for (let r: u32 = at32(s.linkRows, link); r < end; r++) {
          const row: MethodRow = methodRow(r);
          if (row.kind != ROW_SECOND && row.active == 1) solveRow(row, s.subs);
        }
      }
    }
  }
  setMasses(false);
  for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).z = methodRow(r).kept;
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(s.velocities, b);
    const u: BodyVelocity = velocityAt(s.subs, b);
    v.vx += share * (u.vx - v.vx);
    v.vy += share * (u.vy - v.vy);
    v.vz += share * (u.vz - v.vz);
    v.wx += share * (u.wx - v.wx);
    v.wy += share * (u.wy - v.wy);
    v.wz += share * (u.wz - v.wz);
  }
}
