// Overlap limiter for crowds: many bodies inside each other at one place, for example all created at the same point.
//
// Each deep contact pushes its two bodies apart at a speed of its own. If a body has n of them, and the bodies it overlaps have
// as many, those speeds add up along the crowd, which would burst at n times the speed of one contact. So contacts of a body with
// more than CROWD deep manifolds push at the share CROWD / n of their speed. And no body of a crowd gets faster than CROWD
// contacts could push it, since single contacts do not know the sum along a chain of overlaps. Piles are never limited: at rest
// nothing is deep.
//
//   limitOverlap   before the solver. Input: Header.deepVisits (walk.ts), manifolds. Output: Manifold.pushCut (0 outside of
//                  crowds), lanes
//   holdOverlap    after the solver. Output: linear velocities in BodyRow
import { FLAG_TYPE, coldAt, rowAt } from '../bodies/rows';
import { noteChange } from '../constraints/held';
import { manifoldAt } from '../constraints/manifolds';
import { markDirty } from '../lanes/lanes';
import { separationOf } from '../lanes/state';
import { BODY_DYNAMIC, BodyRow, Header, Manifold, OVERLAPS_STRIDE, Overlaps } from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';

// Deep manifolds of a body from which on it is in a crowd.
const CROWD: u32 = 4;
// Overlap that is deep, as a share of the smaller body's extent.
const DEEP_FRACTION: f32 = 0.05;

/** Whether a separation is a deep overlap for bodies whose smaller extent this is. */
export function isDeep(separation: f32, extent: f32): bool {
  return separation < -DEEP_FRACTION * extent;
}

function isDeepManifold(m: Manifold): bool {
  let least: f32 = f32.MAX_VALUE;
  for (let i: u32 = 0; i < m.count; i++) least = min<f32>(least, separationOf(m, i));
  return isDeep(least, min<f32>(coldAt(m.bodyA).extent, coldAt(m.bodyB).extent));
}

function overlapsAt(body: u32): Overlaps {
  return changetype<Overlaps>(<usize>header().overlapCounts + <usize>body * OVERLAPS_STRIDE);
}

/** Slows pushing out down in crowds. Returns false without memory (header error set). */
export function limitOverlap(): bool {
  const h: Header = header();
  h.overlapBodies = 0;
  // Room goes with the bodies: memory does not hang on whether there ever is a crowd.
  const base: usize = changetype<usize>(h);
  if (!ensureArray(base + offsetof<Header>('overlapCounts'), OVERLAPS_STRIDE, h.bodyCount)) return false;
  if (h.deepVisits <= CROWD && h.overlapping == 0) return true;
  memory.fill(<usize>h.overlapCounts, 0, <usize>h.bodyCount * OVERLAPS_STRIDE);
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    if (!isDeepManifold(m)) continue;
    overlapsAt(m.bodyA).count++;
    overlapsAt(m.bodyB).count++;
  }
  // Once there is a crowd, all that is deep belongs to it until nothing is.
  if (h.deepVisits == 0) h.overlapping = 0;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    const n: u32 = max<u32>(overlapsOf(m.bodyA), overlapsOf(m.bodyB));
    const cut: f32 = n > CROWD && isDeepManifold(m) ? 1 - <f32>CROWD / <f32>n : 0;
    if (cut > 0) h.overlapping = 1;
    if (cut == m.pushCut) continue;
    m.pushCut = cut;
    noteChange(i);
    if (!markDirty(m)) return false;
  }
  if (h.overlapping == 0) return true;
  h.overlapBodies = h.bodyCount;
  const limit: f32 = <f32>CROWD * h.pushSpeed;
  for (let b: u32 = 0; b < h.bodyCount; b++) {
    if (overlapsOf(b) != 0) overlapsAt(b).limit = max<f32>(limit, speedOf(b));
  }
  return true;
}

function speedOf(body: u32): f32 {
  const row: BodyRow = rowAt(body);
  return sqrt<f32>(row.vx * row.vx + row.vy * row.vy + row.vz * row.vz);
}

/** Limits bodies of crowds to CROWD times the speed of pushing out, or to their speed before the step if that was higher. */
export function holdOverlap(): void {
  const h: Header = header();
  for (let b: u32 = 0; b < h.overlapBodies; b++) {
    const limit: f32 = overlapsAt(b).limit;
    if (overlapsOf(b) == 0) continue;
    const speed: f32 = speedOf(b);
    if (speed <= limit) continue;
    const row: BodyRow = rowAt(b);
    const factor: f32 = limit / speed;
    row.vx *= factor;
    row.vy *= factor;
    row.vz *= factor;
  }
  h.overlapBodies = 0;
}

/** Deep manifolds of a dynamic body; a floor may have as many as it likes. */
function overlapsOf(body: u32): u32 {
  return (coldAt(body).flags & FLAG_TYPE) == BODY_DYNAMIC ? overlapsAt(body).count : 0;
}
