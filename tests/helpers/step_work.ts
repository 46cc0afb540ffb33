// What a step costs, without a clock: counts of the core, the same on every machine.
import { Header, NarrowState } from '../../src/layout.generated';
import type { LinearMemory } from '../../src/wasm/memory';

/** The call has the world in its memory, which worlds share where there are many (src/wasm/seats.ts). */
function memoryOf(world: { readonly stepCount: number }): LinearMemory {
  if (world.stepCount < 0) throw new Error('no world');
  return (world as unknown as { memory: LinearMemory }).memory;
}

/** Rounds of conservative advancement since the world was made. */
export function sweepRounds(world: { readonly stepCount: number }): number {
  const memory = memoryOf(world);
  return memory.u32[(memory.headerU32(Header.narrowState) + NarrowState.rounds) >>> 2]!;
}

/**
 * Work of the last step, in rounds of advancement or what takes about as long; `before`: sweepRounds before it. A full test of two
 * shapes counts as eight; a solver's work on a body as four, and some work is done in any step.
 */
export function stepWork(world: { readonly stepCount: number }, before: number): number {
  const memory = memoryOf(world);
  const rounds = (sweepRounds(world) - before) >>> 0;
  const count = (offset: number) => memory.headerU32(offset);
  return 50 + 4 * count(Header.awakeCount) + count(Header.pairVisits) + 8 * count(Header.fullTests) + rounds;
}
