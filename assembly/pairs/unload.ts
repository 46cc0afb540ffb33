// Takes lost loads off contacts. Impulses are carried from step to step, and a contact under a heavy body carries its weight. If
// that body is removed, or becomes light, everything on its way to the ground would still push back with all of that weight. The
// sweeps of one substep do not remove it, and the pile jumps. So a lost load is taken off the contacts that carried it, body by
// body downwards, before they warm-start anything.
//
// A body that lost a load L (N s per substep, along gravity) is supported by the contacts that push against L. They carried L,
// the weight W of the body, and A, everything that still presses along L. So they keep (A + W) / (A + W + |L|) of their impulses,
// a ratio that needs no difference of large numbers. The part they give up is in turn a lost load of the bodies under them.
// Losses that could not throw a body are left to the solver, so an ordinary removal looks only at its neighbors.
import { coldAt, rowAt } from '../bodies/rows';
import { noteChange } from '../constraints/held';
import { firstConstraint, nextConstraint, otherBody } from '../constraints/lists';
import { manifoldAt } from '../constraints/manifolds';
import { impulseStepOf } from '../lanes/batches';
import { frictionOf, impulseOf, scaleImpulses } from '../lanes/state';
import { BodyCold, Header, LOSSES, MAX_LOSSES, Manifold, NONE } from '../layout.generated';
import { dot3 } from '../math/lane';
import { header } from '../memory/header';
import { contactState } from '../scratch/contact_state';
import { voidTest } from '../scratch/tests';
import { commitWalked } from './commit';

// Least change of speed (m/s) that makes a loss worth following.
const KICK: f32 = 0.05;

function gravityOf(body: u32): v128 {
  const h: Header = header();
  const scale: f32 = coldAt(body).gravityScale;
  return f32x4.mul(f32x4(h.gravityX, h.gravityY, h.gravityZ, 0), f32x4.splat(scale));
}

/** Impulse of a manifold on its body B, a substep. */
export function impulseOnB(m: Manifold): v128 {
  const n: v128 = f32x4.replace_lane(m.n, 3, 0);
  const t: v128 = f32x4.replace_lane(m.t, 3, 0);
  let normal: f32 = 0;
  for (let i: u32 = 0; i < m.count; i++) normal += impulseOf(m, i);
  const u: v128 = f32x4(m.ny * m.tz - m.nz * m.ty, m.nz * m.tx - m.nx * m.tz, m.nx * m.ty - m.ny * m.tx, 0);
  const friction: v128 = frictionOf(m);
  const slide: v128 = f32x4.add(
    f32x4.mul(t, v128.shuffle<f32>(friction, friction, 0, 0, 0, 0)),
    f32x4.mul(u, v128.shuffle<f32>(friction, friction, 1, 1, 1, 1)),
  );
  return f32x4.add(f32x4.mul(n, f32x4.splat(normal)), slide);
}

/** Puts a loss at the end of the queue if it could throw the body. Returns the losses in the queue. */
function queueLoss(count: u32, body: u32, loss: v128): u32 {
  if (count == MAX_LOSSES) return count;
  const invMass: f32 = rowAt(body).invMass;
  // A loss that is not a number compares false.
  if (!(dot3(loss, loss) * invMass * invMass > KICK * KICK) || !(dot3(loss, gravityOf(body)) > 0)) return count;
  v128.store(contactState() + LOSSES + ((<usize>count) << 4), f32x4.replace_lane(loss, 3, reinterpret<f32>(body)));
  return count + 1;
}

/** A body lost a load: an impulse a substep that pressed on it, or a part of its own weight. */
export function unload(body: u32, loss: v128): void {
  let count: u32 = queueLoss(0, body, loss);
  for (let i: u32 = 0; i < count; i++) {
    const entry: v128 = v128.load(contactState() + LOSSES + ((<usize>i) << 4));
    const at: u32 = reinterpret<u32>(f32x4.extract_lane(entry, 3));
    count = unloadBody(at, f32x4.replace_lane(entry, 3, 0), count);
  }
}

/**
 * Takes a loss off the contacts that support a body, and queues the losses of the bodies under it. Returns the losses in the
 * queue.
 */
function unloadBody(body: u32, loss: v128, queued: u32): u32 {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  const size: f32 = sqrt<f32>(dot3(loss, loss));
  const along: v128 = f32x4.mul(loss, f32x4.splat(1 / size));
  let rest: f32 = max<f32>(dot3(along, gravityOf(body)), 0) * cold.mass * impulseStepOf(body);
  let keep: f32 = 1;
  // First what still presses on the body, then the contacts that bear it.
  for (let round: u32 = 0; round < 2; round++) {
    for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) {
      const index: u32 = end >> 1;
      const m: Manifold = manifoldAt(index);
      commitWalked(m.pair);
      const onBody: v128 = f32x4.mul(impulseOnB(m), f32x4.splat((end & 1) != 0 ? 1 : -1));
      const part: f32 = dot3(onBody, along);
      if (round == 0) {
        rest += max<f32>(part, 0);
      } else if (part < 0) {
        scaleImpulses(m, keep);
        noteChange(index);
        voidTest(m.pair);
        queued = queueLoss(queued, otherBody(end), f32x4.mul(onBody, f32x4.splat(keep - 1)));
      }
    }
    keep = rest / (rest + size);
  }
  return queued;
}

/** A dynamic body has become lighter by `mass` (kg). */
export function unloadWeight(body: u32, mass: f32): void {
  unload(body, f32x4.mul(gravityOf(body), f32x4.splat(mass * impulseStepOf(body))));
}
