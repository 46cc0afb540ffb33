// Steps of changing length. Header.softStep is the length of the longer ones of recent steps. Contacts and joints have the
// softness of its substeps, and a shorter step has fewer substeps, of about the same length.
//
// Why: how far a contact gives way is proportional to the square of the substep. With the softness of its own substeps, a short
// step would push out the overlap that a longer step before it allowed. And stored impulses are scaled with the substep, but the
// impulses on which a structure rests in substeps of one length are slightly different in another: a wall of bricks was shaken at
// every change.
// Input: Header.dt, substeps. Output: Header.softStep, stepSubsteps.
import { Header } from '../layout.generated';
import { header } from '../memory/header';

// softStep follows steps that are longer in ATTACK steps, shorter ones in RELEASE.
const ATTACK: f32 = 8;
const RELEASE: f32 = 256;
// It is dt where they differ by less than this share.
const SAME: f32 = 1e-3;

/**
 * At the start of a step. A single long step among short ones changes little, and where steps have one length, softStep is
 * theirs to the bit.
 */
export function followStep(): void {
  const h: Header = header();
  const more: f32 = h.dt - h.softStep;
  const step: f32 = h.softStep + more / (more > 0 ? ATTACK : RELEASE);
  h.softStep = h.softStep == 0 || abs<f32>(h.dt - step) < SAME * h.dt ? h.dt : step;
}

/** Substeps of this step, for a number of `substeps` in a step of softStep; the same number in a longer step. */
export function substepsInStep(substeps: u32): u32 {
  const h: Header = header();
  if (h.dt >= h.softStep) return substeps;
  return max<u32>(min<u32>(<u32>ceil<f32>(<f32>substeps * (h.dt / h.softStep)), substeps), 1);
}

/** Length (s) of the substeps that contacts and joints are soft for, for a number of `substeps` in a step of softStep. */
export function softLength(substeps: u32): f32 {
  return header().softStep / <f32>substeps;
}

/** Sets the substeps of this step for solvers whose bodies all have one number. */
export function countSubsteps(): void {
  header().stepSubsteps = substepsInStep(max<u32>(header().substeps, 1));
}
