// The solver for all impacts: of contacts that the substeps have met (bounce.ts) and of free pairs (meeting.ts). At every point
// that takes part, 0 <= Z, u + bias >= 0, one of them 0 (Moreau), by Gauss-Seidel over the links in their order. Z is the impulse
// of the whole impact: a point may give back an impulse of the substeps. Friction is bound by mu Z in the same sweeps, and left
// out where it would add energy. docs/impacts.md has the equations.
//
// Input: links with masses and biases, BodyRow. Output: impulses of the links, BodyRow.
// Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.
import { ImpactLink, Manifold, ManifoldPoint } from '../layout.generated';
import { pointOf } from '../constraints/manifolds';
import { x3, y3, z3 } from '../math/vec3';
import { at32 } from '../memory/words';
import { inverse } from '../rows/mass';
import { boundRow, oneCircleRow, rigidNormalRow, slipStep } from '../rows/row';
import { pointSpeed, push, rub, slipOf, sumOf } from './rows';
import { contactOf, valueOf } from './state';

// A contact that moves slower along the surface (m/s, rad/s) sticks: its friction has done no work.
const STICKS: f32 = 1e-3;

/**
 * Gives the links whose addresses lie at `list` the impulses of their impact. A sweep that changes no speed by more than
 * `settled` (m/s) is the last, or that of number `sweeps`.
 */
export function solveLinks(list: usize, count: u32, settled: f32, sweeps: u32): void {
  sweepAll(list, count, settled, sweeps);
  let dropped: bool = false;
  for (let i: u32 = 0; i < count; i++) dropped = dropFriction(at(list, i)) || dropped;
  if (dropped) sweepAll(list, count, settled, sweeps);
}

function at(list: usize, i: u32): ImpactLink {
  return changetype<ImpactLink>(<usize>at32(list, i));
}

function sweepAll(list: usize, count: u32, settled: f32, sweeps: u32): void {
  for (let k: u32 = 0; k < sweeps; k++) {
    let most: f32 = 0;
    for (let i: u32 = 0; i < count; i++) most = max<f32>(most, sweep(at(list, i)));
    if (!(most >= settled)) break;
  }
}

/** One sweep over the rows of a link. Returns the largest change of a speed. */
function sweep(link: ImpactLink): f32 {
  const m: Manifold = contactOf(link);
  let most: f32 = link.friction > 0 ? sweepFriction(link, m) : 0;
  for (let k: u32 = 0; k < m.count; k++) {
    if ((link.taking & (1 << k)) == 0) continue;
    const p: ManifoldPoint = pointOf(m, k);
    const row: usize = valueOf(link, 0, k);
    const mass: f32 = load<f32>(row, offsetof<ImpactLink>('mass0')),
      bias: f32 = load<f32>(row, offsetof<ImpactLink>('bias0')),
      old: f32 = load<f32>(row, offsetof<ImpactLink>('impulse0'));
    // No more than was given: by the point in a substep or its share, and by all points of the manifold in the step.
    let least: f32 = -load<f32>(row, offsetof<ImpactLink>('given0'));
    if ((link.ahead & (1 << k)) == 0) least = max<f32>(least, old - sumOf(link) - link.borne);
    const z: f32 = rigidNormalRow<f32>(old, pointSpeed(m, p) + bias, mass, least);
    const d: f32 = z - old;
    if (d == 0) continue;
    store<f32>(row, z, offsetof<ImpactLink>('impulse0'));
    push(m, p, d);
    most = max<f32>(most, abs<f32>(d) / mass);
  }
  return most;
}

/** Friction rows of a link, bound by its normal impulse as it stands. Returns the largest change of a speed. */
function sweepFriction(link: ImpactLink, m: Manifold): f32 {
  const limit: f32 = link.friction * max<f32>(link.borne + sumOf(link), 0);
  const slip: v128 = slipOf(link, m);
  const twistLimit: f32 = limit * m.twistRadius;
  const old1: f32 = link.tangent1,
    old2: f32 = link.tangent2;
  const impulses: usize = changetype<usize>(link) + offsetof<ImpactLink>('tangent1');
  oneCircleRow(impulses, link.block11, link.block12, link.block22, x3(slip), y3(slip), limit);
  const d1: f32 = link.tangent1 - old1,
    d2: f32 = link.tangent2 - old2,
    dw: f32 = boundRow<f32>(link.twist - link.twistMass * z3(slip), twistLimit) - link.twist;
  link.twist += dw;
  rub(link, m, d1, d2, dw);
  return max<f32>(abs<f32>(d1), abs<f32>(d2)) * inverse(slipStep<f32>(link.block11, link.block12, link.block22));
}

/**
 * Takes the friction of a link away where it has added energy: the impulses of an impact do the work Z (u- + u+) / 2. Where
 * sliding turns round that may be more than nothing (Kane and Levinson). Returns whether there was any.
 */
function dropFriction(link: ImpactLink): bool {
  if (link.friction <= 0) return false;
  const m: Manifold = contactOf(link);
  const slip: v128 = slipOf(link, m);
  const work: f32 =
    link.tangent1 * (link.came1 + x3(slip)) + link.tangent2 * (link.came2 + y3(slip)) + link.twist * (link.cameTwist + z3(slip));
  // A sticking contact only moves by the remaining error of the sweeps.
  if (work <= STICKS * (abs<f32>(link.tangent1) + abs<f32>(link.tangent2) + abs<f32>(link.twist))) return false;
  rub(link, m, -link.tangent1, -link.tangent2, -link.twist);
  link.tangent1 = 0;
  link.tangent2 = 0;
  link.twist = 0;
  link.friction = 0;
  return true;
}
