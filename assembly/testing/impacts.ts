// Test entry of the flight of free pairs.
import { begin, fly } from '../impacts/flight';
import { Flyer, ImpactLink } from '../layout.generated';
import { giveMet } from '../impacts/give_back';

export { forgetImpulses, forgetStep } from '../impacts/give_back';

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
