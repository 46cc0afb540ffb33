// What the last bits of a step's input make of its result. Contacts take decisions (touching or not, sliding or not, an impact or
// not), and a number that lies on the edge of one goes either way with its last bit. An adapter that fuses operations has other
// last bits, so a step that it solves may be as far from the twin as the twin is from itself.
import { BodyRow } from '../../src/layout.generated';
import { boxWorld, type CoreWorld } from './core_world';
import { random } from './manifold_builder';

/** Twice the spacing of numbers near 1. */
export const LAST_BITS = 2.4e-7;

/** Makes the state of a world that of another: the next step of both starts from the same bytes. */
export function copyWorld(from: CoreWorld, to: CoreWorld): void {
  const missing = from.memory.buffer.byteLength - to.memory.buffer.byteLength;
  if (missing > 0) to.memory.grow(missing / 65536);
  new Uint8Array(to.memory.buffer).set(new Uint8Array(from.memory.buffer));
}

/** Changes the velocities of moving bodies in their last bits. */
export function nudge(world: CoreWorld, seed: number): void {
  const next = random(seed);
  const stride = BodyRow.STRIDE / 4;
  const rows = new Float32Array(world.memory.buffer, world.header('bodyRows'), world.header('bodyCount') * stride);
  const change = (i: number) => {
    rows[i] += (2 * next() - 1) * LAST_BITS * (1 + Math.abs(rows[i]!));
  };
  for (let i = 0; i < rows.length; i += stride) {
    if (rows[i + BodyRow.invMass / 4] === 0) continue;
    for (const k of [0, 1, 2, 4, 5, 6]) change(i + k);
  }
}

/** Times the spread that a hardware adapter may be off: nudges are few, and find the edges of decisions by luck. */
export const SPREADS = 4;

/**
 * The largest difference that last bits make of a step: `step` is done by the world as it is and by `seeds` copies whose
 * velocities are nudged.
 */
export function spreadOf(world: CoreWorld, step: (copy: CoreWorld) => void, seeds = 8): number {
  const after = (seed: number) => {
    const copy = boxWorld([]);
    copyWorld(world, copy);
    if (seed > 0) nudge(copy, seed);
    step(copy);
    return copy.state();
  };
  const plain = after(0);
  let worst = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const other = after(seed);
    for (let i = 0; i < plain.length; i++) worst = Math.max(worst, Math.abs(plain[i]! - other[i]!));
  }
  return worst;
}
