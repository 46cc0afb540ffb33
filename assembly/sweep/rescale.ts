// Rescales stored impulses. Impulses are stored per substep. When the length of a substep changes (dt, substeps, one step of many
// iterations), stored impulses are scaled with it, so that the forces stay. Otherwise the first step would push many times too
// hard. The solver on lanes does so itself, batch by batch (rescaleGroups in wide_sweep.ts).
// Input: Header.impulseStep, the substep that the stored impulses belong to. Output: manifolds.
import { Header, Manifold } from '../layout.generated';
import { noteChange } from '../constraints/held';
import { isResting, manifoldAt } from '../constraints/manifolds';
import { usesLanes } from '../lanes/lanes';
import { scaleImpulses } from '../lanes/state';
import { impulseStepBetween } from '../lanes/batches';
import { header } from '../memory/header';

function substepLength(): f32 {
  return header().dt / <f32>header().stepSubsteps;
}

/** Call before impulses are read in a step. */
export function rescaleImpulses(): void {
  const h: Header = header();
  if (usesLanes(h.solver)) return;
  const substep: f32 = substepLength();
  const old: f32 = h.impulseStep;
  h.impulseStep = substep;
  h.impulseScale = 1;
  if (old == substep || old == 0) return;
  h.impulseScale = substep / old;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    if (manifoldAt(i).count == 0) continue;
    scaleImpulses(manifoldAt(i), h.impulseScale);
    // The GPU scales the impulses that it solves in this step.
    if (isResting(manifoldAt(i))) noteChange(i);
  }
}

/** Impulses that have come out of lanes, each of the substep of its batch, become those of one substep. */
export function uniteImpulses(): void {
  const h: Header = header();
  const substep: f32 = substepLength();
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    const old: f32 = impulseStepBetween(m.bodyA, m.bodyB);
    if (old > 0 && old != substep) scaleImpulses(m, substep / old);
  }
  h.impulseStep = substep;
  memory.fill(h.bodySubsteps, 0, (<usize>h.bodySubstepsCapacity) << 2);
}
