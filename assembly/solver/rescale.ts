// Impulses are carried per substep. When the length of a substep changes (dt, substeps, one step of many iterations), the carried
// ones are scaled with it, so that the forces stay: otherwise the first step would push many times too hard.
// Input: Header.impulseStep, the substep that the carried impulses belong to. Output: manifolds, lanes.
import { Manifold, NONE } from '../layout.generated';
import { manifoldAt, scaleImpulses } from '../contacts/manifolds';
import { header } from '../memory/header';
import { fetchLane, markLane } from './lanes';

/** Call before impulses are read in a step. */
export function rescaleImpulses(): void {
  const h = header();
  const substep: f32 = h.dt / <f32>max<u32>(h.substeps, 1);
  const old: f32 = h.impulseStep;
  h.impulseStep = substep;
  if (old == substep || old == 0) return;
  const factor: f32 = substep / old;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    fetchLane(i);
    scaleImpulses(m, factor);
    if (m.lane != NONE) markLane(i);
  }
}
