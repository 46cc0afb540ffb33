// Test entry of impacts: the flight of free pairs, links that a test writes.
import { begin, fly } from '../impacts/flight';
import { Flyer, IMPACT_BLOCK, IMPACT_LINK_STRIDE, ImpactLink, ImpactState } from '../layout.generated';
import { giveMet } from '../impacts/give_back';
import { keepSlip, rub, slipOf, takeFriction, takePoint } from '../impacts/rows';
import { keepEnergies } from '../impacts/settle';
import { contactOf, impactState, linkAt, reserveState } from '../impacts/state';
import { ensureBlocks } from '../memory/blocks';

export { forgetImpulses, forgetStep } from '../impacts/give_back';
export { settleImpacts } from '../impacts/settle';
export { solveLinks } from '../impacts/solve';

/** Starts the flight of a body, whose velocity was kept, in a block of the size of a Flyer. */
export function testBeginFlight(at: usize, body: u32): void {
  begin(changetype<Flyer>(at), body);
}
export function testFly(at: usize, time: f32, h1: f32): void {
  fly(changetype<Flyer>(at), time, h1);
}
/** The block has the size of an ImpactLink. */
export function testGiveMet(link: usize): void {
  giveMet(changetype<ImpactLink>(link));
}

/** The state of impacts; 0 without memory. */
export function testImpactState(): usize {
  return reserveState() ? changetype<usize>(impactState()) : 0;
}
/** A new link, cleared; 0 without memory. */
export function testAddLink(): usize {
  const s: ImpactState = impactState();
  if (!ensureBlocks(changetype<usize>(s), s.linkCount + 1, IMPACT_BLOCK, IMPACT_LINK_STRIDE)) return 0;
  const link: usize = changetype<usize>(linkAt(s, s.linkCount++));
  memory.fill(link, 0, IMPACT_LINK_STRIDE);
  return link;
}
export function testKeepEnergies(): void {
  keepEnergies(impactState());
}
/** Links have the size of an ImpactLink; their contacts are written by the test. */
export function testTakeLinkPoint(link: usize, k: u32): void {
  const l: ImpactLink = changetype<ImpactLink>(link);
  takePoint(l, contactOf(l), k);
}
export function testTakeFriction(link: usize): void {
  const l: ImpactLink = changetype<ImpactLink>(link);
  keepSlip(l, contactOf(l));
  takeFriction(l, contactOf(l));
}
export function testSlipOf(link: usize, out: usize): void {
  const l: ImpactLink = changetype<ImpactLink>(link);
  v128.store(out, slipOf(l, contactOf(l)));
}
export function testRub(link: usize, d1: f32, d2: f32, dw: f32): void {
  const l: ImpactLink = changetype<ImpactLink>(link);
  rub(l, contactOf(l), d1, d2, dw);
}
