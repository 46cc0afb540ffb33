// Excess of impulses, carried between steps beside the manifolds: SplitState.pointSpikes, one PointSpikes a manifold, written
// only where there is any. For the scalar and the splitting solvers; wide.ts keeps its own in the lanes.
//
// The warm start of a substep repeats every impulse of the last one. An impulse that stopped a motion would start it again,
// backwards; so an impulse is repeated up to twice its value of the substep before, and the excess above that is left out.
// The contacts stage knows nothing of this: a point is found again by the bits of its impulse, which that stage carries; a
// point whose impulse comes from elsewhere is taken as a load that lasts.
import { Manifold, POINT_SPIKES_STRIDE, PointSpikes, SplitState } from '../layout.generated';
import { header } from '../memory/header';
import { splitRoom, splitState } from '../memory/split_state';
import { pointOf } from './manifolds';

/** Room for the records of all manifolds; false without memory. */
export function reserveSpikes(): bool {
  return splitRoom(offsetof<SplitState>('pointSpikes'), POINT_SPIKES_STRIDE, header().manifoldCapacity);
}

function recordOf(manifold: u32): usize {
  return <usize>splitState().pointSpikes + <usize>manifold * POINT_SPIKES_STRIDE;
}

/** Excess of point i of a manifold at the start of a step, N s. */
export function carriedExcess(manifold: u32, m: Manifold, i: u32): f32 {
  const s: SplitState = splitState();
  if (s.spikedLinks == 0) return 0;
  const record: usize = recordOf(manifold);
  if (load<u32>(record) != s.spikeStamp) return 0;
  // Another manifold may have the place by now.
  if (load<u32>(record, offsetof<PointSpikes>('bodyA')) != m.bodyA) return 0;
  if (load<u32>(record, offsetof<PointSpikes>('bodyB')) != m.bodyB) return 0;
  const bits: u32 = reinterpret<u32>(pointOf(m, i).impulse);
  if (bits << 1 == 0) return 0;
  const count: u32 = load<u32>(record, offsetof<PointSpikes>('count'));
  for (let j: u32 = 0; j < 4; j++) {
    const k: u32 = (i + j) & 3; // its own place first: points with equal impulses mostly stay where they are
    const at: usize = record + ((<usize>k) << 2);
    if (k < count && load<u32>(at, offsetof<PointSpikes>('impulse0')) == bits)
      return load<f32>(at, offsetof<PointSpikes>('excess0'));
  }
  return 0;
}

/** Forgets the records: before keepSpikes of a step. */
export function clearSpikes(): void {
  const s: SplitState = splitState();
  s.spikedLinks = 0;
  s.spikeStamp++;
}

/** Remembers the excess of a manifold's points; call when their impulses are final. */
export function keepSpikes(manifold: u32, m: Manifold, excess: v128): void {
  if (v128.any_true(excess)) writeSpikes(manifold, m, excess);
}

function writeSpikes(manifold: u32, m: Manifold, excess: v128): void {
  const s: SplitState = splitState();
  const record: usize = recordOf(manifold);
  store<u32>(record, s.spikeStamp);
  store<u32>(record, m.bodyA, offsetof<PointSpikes>('bodyA'));
  store<u32>(record, m.bodyB, offsetof<PointSpikes>('bodyB'));
  store<u32>(record, m.count, offsetof<PointSpikes>('count'));
  store<f32>(record, m.impulse0, offsetof<PointSpikes>('impulse0'));
  store<f32>(record, m.impulse1, offsetof<PointSpikes>('impulse0') + 4);
  store<f32>(record, m.impulse2, offsetof<PointSpikes>('impulse0') + 8);
  store<f32>(record, m.impulse3, offsetof<PointSpikes>('impulse0') + 12);
  v128.store(record, excess, offsetof<PointSpikes>('excess0'));
  s.spikedLinks++;
}
