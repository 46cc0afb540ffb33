// Friction impulses of single points (frictionModel 1), carried between steps beside the manifolds: SplitState.pointTangents,
// one PointTangents a manifold. The contacts stage knows nothing of them: a point is found again by the bits of its normal
// impulse, which that stage carries; a point whose impulse is new or zero starts without friction.
import { manifoldAt, pointOf } from '../../constraints/manifolds';
import {
  Manifold,
  POINT_TANGENTS_STRIDE,
  PointTangents,
  SplitState,
  TANGENT_PAIR_STRIDE,
  TangentPair,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { splitRoom, splitState } from '../../memory/split_state';

/** Room for the tangents of all manifolds; false without memory. */
export function reservePointTangents(): bool {
  return splitRoom(offsetof<SplitState>('pointTangents'), POINT_TANGENTS_STRIDE, header().manifoldCapacity);
}

function recordOf(manifold: u32): PointTangents {
  return changetype<PointTangents>(<usize>splitState().pointTangents + <usize>manifold * POINT_TANGENTS_STRIDE);
}

/** Pair i of those at an address. */
export function tangentsAt(tangents: usize, i: u32): TangentPair {
  return changetype<TangentPair>(tangents + <usize>i * TANGENT_PAIR_STRIDE);
}

/** Address of the 4 pairs of a manifold as they were kept. */
export function keptTangents(manifold: u32): usize {
  return changetype<usize>(recordOf(manifold)) + offsetof<PointTangents>('t10');
}

/** Address of the 4 pairs of a manifold, brought up to date with its points. */
export function pointTangents(manifold: u32): usize {
  const m: Manifold = manifoldAt(manifold);
  const record: PointTangents = recordOf(manifold);
  const tangents: usize = keptTangents(manifold);
  const known: u32 = record.bodyA == m.bodyA && record.bodyB == m.bodyB ? record.count : 0;
  const impulses: usize = changetype<usize>(record) + offsetof<PointTangents>('impulse0');
  // The old pairs move aside: 0 for points that nothing was remembered of.
  const old: usize = header().scratch;
  memory.copy(old, tangents, 32);
  memory.fill(tangents, 0, 32);
  for (let i: u32 = 0; i < m.count; i++) {
    const bits: u32 = reinterpret<u32>(pointOf(m, i).impulse);
    if (bits << 1 == 0) continue;
    for (let j: u32 = 0; j < 4; j++) {
      const k: u32 = (i + j) & 3; // its own place first: points with equal impulses mostly stay where they are
      if (k >= known || load<u32>(impulses + ((<usize>k) << 2)) != bits) continue;
      memory.copy(changetype<usize>(tangentsAt(tangents, i)), changetype<usize>(tangentsAt(old, k)), TANGENT_PAIR_STRIDE);
      break;
    }
  }
  return tangents;
}

/** Remembers which points the tangents belong to: call when the normal impulses of the manifold are final. */
export function keepPointTangents(manifold: u32): void {
  const m: Manifold = manifoldAt(manifold);
  const record: PointTangents = recordOf(manifold);
  record.bodyA = m.bodyA;
  record.bodyB = m.bodyB;
  record.count = m.count;
  record.impulse0 = m.impulse0;
  record.impulse1 = m.impulse1;
  record.impulse2 = m.impulse2;
  record.impulse3 = m.impulse3;
}
