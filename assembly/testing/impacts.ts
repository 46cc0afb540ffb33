// Test entry of the flight of free pairs.
import { begin, fly } from '../impacts/flight';
import { Flyer } from '../layout.generated';

/** Starts the flight of a body, whose velocity was kept, in a block of the size of a Flyer. */
export function testBeginFlight(at: usize, body: u32): void {
  begin(changetype<Flyer>(at), body);
}
export function testFly(at: usize, time: f32, h1: f32): void {
  fly(changetype<Flyer>(at), time, h1);
}
