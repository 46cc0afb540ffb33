// Impacts of contacts, after the solver and in its frozen frame. Listed contacts (find.ts) that carried an impulse leave with e
// times their impact speed, have friction for their whole impulse, and add no energy. The solver has already stopped them (u >=
// 0); this stage adds the bounce. Z is the impulse of the whole step, so a point may give back what the solver gave it: the
// points of one face, and of all bodies in one impact, then agree on one bounce.
// Input: links, manifolds after the solver, BodyRow. Output: BodyRow; impulses of the links.
import { Header, IMPACT_BODY_STRIDE, IMPACT_SWEEPS, ImpactBody, ImpactLink, ImpactState, Manifold } from '../layout.generated';
import { rowAt } from '../bodies/rows';
import { impulseOf, largestImpulseOf, separationOf, stepImpulse } from '../lanes/state';
import { substepRateOf } from '../lanes/batches';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { endSums, setFriction } from './find';
import { giveBack } from './give_back';
import { alignArms, moveRest } from './passing';
import { takeFriction, takePoint } from './rows';
import { keepEnergies } from './settle';
import { solveLinks } from './solve';
import { bodyAt, contactOf, impactState, linkAt, takenAt, valueOf } from './state';

// A sweep that changes no speed by more than this was the last, m/s.
const SETTLED: f32 = 1e-5;
// Bias of a row that takes all back that was given (m/s): no impulse of a number that is finite is left.
const ALL: f32 = f32.MAX_VALUE;

/** Velocities of BodyRow only. */
export function solveImpacts(): void {
  const h: Header = header();
  if (h.impactState == 0) return;
  const s: ImpactState = impactState();
  if (s.linkCount == 0) return;
  if (takeHits(s)) {
    takeBeside(s);
    for (let l: u32 = 0; l < s.linkCount; l++) {
      const link: ImpactLink = linkAt(s, l);
      if (link.taking != 0) put32(s.taken, s.takenCount++, <u32>changetype<usize>(link));
    }
    moveRest(s, -1);
    solveLinks(s.taken, s.takenCount, SETTLED, IMPACT_SWEEPS);
    moveRest(s, 1);
    for (let i: u32 = 0; i < s.takenCount; i++) giveBack(takenAt(s, i));
    keepEnergies(s);
  }
  endSums(s);
}

/** Links with a point that came in fast and was hit. Returns whether there are any. */
function takeHits(s: ImpactState): bool {
  let any: bool = false;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: ImpactLink = linkAt(s, l);
    if (link.fast == 0) continue;
    const m: Manifold = contactOf(link);
    if (link.friction > 0) setFriction(link.manifold, link.friction);
    take(link, m);
    if ((link.fast & link.taking) == 0 && (link.friction <= 0 || link.taking == 0)) continue;
    any = true;
    mark(s, m.bodyA, link.restA);
    mark(s, m.bodyB, link.restB);
  }
  return any;
}

/** Adds the other contacts of their bodies. */
function takeBeside(s: ImpactState): void {
  const hit: u32 = s.bodyCount;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: ImpactLink = linkAt(s, l);
    if ((link.fast & link.taking) != 0 || link.friction > 0) continue;
    const m: Manifold = contactOf(link);
    const a: u32 = at32(s.marks, m.bodyA),
      b: u32 = at32(s.marks, m.bodyB);
    if ((a == 0 || a > hit) && (b == 0 || b > hit)) {
      link.taking = 0;
      continue;
    }
    if (link.fast == 0) take(link, m);
    if (link.taking == 0) continue;
    mark(s, m.bodyA, 0);
    mark(s, m.bodyB, 0);
  }
}

/** Marks a body as one that bounces, and goes on so for `rest` of the step. */
function mark(s: ImpactState, body: u32, rest: f32): void {
  if (rowAt(body).invMass == 0) return;
  const known: u32 = at32(s.marks, body);
  if (known != 0) {
    bodyAt(s, known - 1).rest = min<f32>(bodyAt(s, known - 1).rest, rest);
    return;
  }
  const entry: ImpactBody = bodyAt(s, s.bodyCount++);
  memory.fill(changetype<usize>(entry), 0, IMPACT_BODY_STRIDE);
  entry.body = body;
  entry.rest = rest;
  put32(s.marks, body, s.bodyCount);
}

/** Rows of a link: impulses and arms as the solver left them, of the points that carried load in the step. */
function take(link: ImpactLink, m: Manifold): void {
  alignArms(link, m);
  let sum: f32 = 0;
  for (let k: u32 = 0; k < m.count; k++) sum += max<f32>(largestImpulseOf(m, k), 0);
  link.borne = stepImpulse(m);
  link.taking = 0;
  const rate: f32 = substepRateOf(m.bodyA, m.bodyB);
  for (let k: u32 = 0; k < m.count; k++) {
    const most: f32 = largestImpulseOf(m, k);
    if (most <= 0) continue;
    takePoint(link, m, k);
    setBias(link, m, k, rate);
    // The last relax pass brakes a body ahead of an impact in a later step: this removes that impulse.
    const ahead: bool = (link.ahead & (1 << k)) != 0;
    // Only the sum over all points is known; each may give back its share, or its impulse of one substep.
    const given: f32 = ahead ? impulseOf(m, k) : most * max<f32>(link.borne / sum, 1);
    store<f32>(valueOf(link, offsetof<ImpactLink>('given0'), k), given);
  }
  if (link.friction > 0) takeFriction(link, m);
}

/** A point of a link leaves with what restitution gives it, comes in again as it parted, or closes its gap within a substep. */
function setBias(link: ImpactLink, m: Manifold, k: u32, rate: f32): void {
  const came: f32 = load<f32>(valueOf(link, offsetof<ImpactLink>('approach0'), k));
  let bias: f32 = max<f32>(separationOf(m, k), 0) * rate;
  if ((link.ahead & (1 << k)) != 0) bias = ALL;
  else if ((link.fast & (1 << k)) != 0) bias = m.restitution * came;
  else if (came > 0) bias = came;
  store<f32>(valueOf(link, offsetof<ImpactLink>('bias0'), k), bias);
}
