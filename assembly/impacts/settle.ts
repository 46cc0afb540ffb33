// Corrects energy at the end of the impacts of contacts, after rotations were advanced. Angular momentum is kept there, but the
// rotation belongs to the spin before the impact, so the new inertia does not fit the new spin. The energy that this has added or
// lost is corrected along the impulses of restitution, so that momentum stays. Stopping impulses of bodies that nothing touched
// before are dropped.
// Input: links after bounce.ts, rotations of the end of the step. Output: BodyRow.
import { limitVelocity } from '../bodies/limits';
import { foreseeMotion } from '../bodies/motions';
import { FLAG_ANISOTROPIC, coldAt, inertiaAt, rowAt } from '../bodies/rows';
import { pointOf } from '../constraints/manifolds';
import { BodyCold, BodyRow, Header, ImpactBody, ImpactLink, ImpactState, Manifold, ManifoldPoint } from '../layout.generated';
import { addW, cross3, dot3, mulW, negW, splatW, subW } from '../math/lane';
import { inverseRotate3, storeRotation } from '../math/quat';
import { x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { inertiaDot } from '../rows/mass';
import { forgetImpulses } from './give_back';
import { apply, normalOf, spinOf } from './rows';
import { bodyAt, contactOf, impactState, takenAt, valueOf } from './state';

/**
 * Energy of rotation of a body with unequal moments of inertia, w.I(q) w / 2; 0 for others, whose rotation does not change it.
 */
function spinEnergy(body: u32): f32 {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & FLAG_ANISOTROPIC) == 0) return 0;
  const columns: usize = h.scratch;
  storeRotation(v128.load(<usize>h.rotations + ((<usize>body) << 4)), columns);
  const w: v128 = inverseRotate3(columns, rowAt(body).w);
  const x: f32 = x3(w),
    y: f32 = y3(w),
    z: f32 = z3(w);
  return (
    <f32>0.5 * (cold.ixx * x * x + cold.iyy * y * y + cold.izz * z * z) + cold.ixy * x * y + cold.ixz * x * z + cold.iyz * y * z
  );
}

/** Behind the solver of impacts, before the bodies turn. */
export function keepEnergies(s: ImpactState): void {
  for (let i: u32 = 0; i < s.bodyCount; i++) bodyAt(s, i).energy = spinEnergy(bodyAt(s, i).body);
}

/** Takes off the energy that advancing rotations has added; ends the impacts of the step. */
export function settleImpacts(): void {
  const h: Header = header();
  if (h.impactState == 0) return;
  const s: ImpactState = impactState();
  if (s.bodyCount == 0) return;
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const entry: ImpactBody = bodyAt(s, i);
    const gain: f32 = spinEnergy(entry.body) - entry.energy;
    entry.gain = abs<f32>(gain) < <f32>1e30 ? gain : 0;
  }
  for (let i: u32 = 0; i < s.takenCount; i++) {
    const link: ImpactLink = takenAt(s, i);
    settle(s, link);
    // An impulse that stopped a body that nothing touched is not a load.
    if (link.whole != 0) forgetImpulses(link.manifold);
  }
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const body: u32 = bodyAt(s, i).body;
    put32(s.marks, body, 0);
    limitVelocity(body);
    foreseeMotion(body);
  }
  s.bodyCount = 0;
  s.takenCount = 0;
}

/** Lengthens or shortens the impulses of restitution of a link by one factor, so that they take off the gain of its bodies. */
function settle(s: ImpactState, link: ImpactLink): void {
  const m: Manifold = contactOf(link);
  if (m.restitution <= 0) return;
  const markA: u32 = at32(s.marks, m.bodyA),
    markB: u32 = at32(s.marks, m.bodyB);
  const gain: f32 = (markA != 0 ? bodyAt(s, markA - 1).gain : 0) + (markB != 0 ? bodyAt(s, markB - 1).gain : 0);
  if (gain == 0) return;
  let total: f32 = 0;
  let ra: v128 = splatW(0),
    rb: v128 = splatW(0);
  for (let k: u32 = 0; k < 4; k++) {
    const z: f32 = load<f32>(valueOf(link, offsetof<ImpactLink>('impulse0'), k));
    const at: usize = changetype<usize>(pointOf(m, k));
    total += z;
    ra = addW(ra, mulW(v128.load(at, offsetof<ManifoldPoint>('rax')), splatW(z)));
    rb = addW(rb, mulW(v128.load(at, offsetof<ManifoldPoint>('rbx')), splatW(z)));
  }
  if (total <= 0) return;
  // Impulses, and angular impulses r x n z.
  const p: v128 = mulW(normalOf(m), splatW(total)),
    la: v128 = cross3(ra, normalOf(m)),
    lb: v128 = cross3(rb, normalOf(m));
  const a: BodyRow = rowAt(m.bodyA),
    b: BodyRow = rowAt(m.bodyB);
  const u: f32 =
    dot3(p, subW(v128.load(changetype<usize>(b)), v128.load(changetype<usize>(a)))) +
    dot3(lb, spinOf(m.bodyB)) -
    dot3(la, spinOf(m.bodyA));
  const k: f32 = total * total * (a.invMass + b.invMass) + turning(m.bodyA, la) + turning(m.bodyB, lb);
  if (u <= 0 || k <= 0) return;
  // u f + k f^2 / 2 = -gain; the root near 0, or the f that takes off the most.
  const root: f32 = u * u - 2 * k * gain;
  if (!(abs<f32>(root) < Infinity)) return; // squares beyond single precision
  const f: f32 = min<f32>(root > 0 ? (-2 * gain) / (u + sqrt<f32>(root)) : -u / k, 1);
  const factor: v128 = splatW(f);
  apply(m.bodyA, negW(mulW(p, factor)), negW(mulW(la, factor)));
  apply(m.bodyB, mulW(p, factor), mulW(lb, factor));
  const rest: f32 = gain + (u + <f32>0.5 * k * f) * f;
  if (markA != 0) bodyAt(s, markA - 1).gain = rest;
  if (markB != 0) bodyAt(s, markB - 1).gain = markA != 0 ? <f32>0 : rest;
}

/** l.I^-1 l */
function turning(body: u32, l: v128): f32 {
  return inertiaDot(inertiaAt(body), l, l);
}
