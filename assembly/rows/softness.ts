// Soft contacts: a critically overdamped spring a contact, integrated implicitly over a substep h.
//   omega = 2 pi hertz, hertz = ratio / h (against static bodies 2 ratio / h), zeta = damping ratio
//   a1 = 2 zeta + h omega, a2 = h omega a1, bias rate = omega / a1, gamma = K / a2
// h omega = 2 pi ratio does not depend on h: stiffness rises with the substep rate, which is what keeps stacks straight. Where
// steps change their length, omega is that of the substeps of the longer ones (softLength), so that it stays.
// gamma takes the K of whole bodies also where bodies are split, so that the depth at rest does not depend on the cut.
import { softLength } from '../constraints/soft_step';
import { header } from '../memory/header';

const TWO_PI: f32 = 6.2831855;

/** A substep as a share of that which contacts are soft for. */
function softShare(h: f32): f32 {
  return h / softLength(max<u32>(header().substeps, 1));
}

function hOmega(isStatic: bool, h: f32): f32 {
  return TWO_PI * header().contactHertzRatio * softShare(h) * (isStatic ? <f32>2 : <f32>1);
}

/** gamma = K * this (1 / a2). h: substep. */
export function gammaScale(isStatic: bool, h: f32): f32 {
  const x: f32 = hOmega(isStatic, h);
  return <f32>1 / (x * (<f32>2 * header().dampingRatio + x));
}

/** Velocity that pushes out, per metre of depth, 1/s. h: substep. */
export function biasRate(isStatic: bool, h: f32): f32 {
  const x: f32 = hOmega(isStatic, h);
  return x / (h * (<f32>2 * header().dampingRatio + x));
}
