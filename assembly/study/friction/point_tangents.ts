// Friction impulses of single points (frictionModel 1), carried between steps beside the manifolds: SplitState.pointTangents,
// one PointTangents a manifold. The contacts stage knows nothing of them: a point is found again by the bits of its normal
// impulse, which that stage carries; a point whose impulse is new or zero starts without friction.
import { Manifold, POINT_TANGENTS_STRIDE, SplitState } from '../../layout.generated';
import { manifoldAt, pointOf } from '../../constraints/manifolds';
import { header } from '../../memory/header';
import { splitRoom, splitState } from '../../memory/split_state';

/** Room for the tangents of all manifolds; false without memory. */
export function reservePointTangents(): bool {
  return splitRoom(offsetof<SplitState>('pointTangents'), POINT_TANGENTS_STRIDE, header().manifoldCapacity);
}

/** Address of the 4 pairs (t1, t2) of a manifold, brought up to date with its points. */
export function pointTangents(manifold: u32): usize {
  const m: Manifold = manifoldAt(manifold);
  const record: usize = <usize>splitState().pointTangents + <usize>manifold * POINT_TANGENTS_STRIDE;
  const tangents: usize = record + 32;
  const known: u32 = load<u32>(record) == m.bodyA && load<u32>(record, 8) == m.bodyB ? load<u32>(record, 4) : 0;
  // The old pairs move aside: 0 for points that nothing was remembered of.
  const old: usize = header().scratch;
  memory.copy(old, tangents, 32);
  memory.fill(tangents, 0, 32);
  for (let i: u32 = 0; i < m.count; i++) {
    const bits: u32 = reinterpret<u32>(pointOf(m, i).impulse);
    if (bits << 1 == 0) continue;
    for (let j: u32 = 0; j < 4; j++) {
      const k: u32 = (i + j) & 3; // its own place first: points with equal impulses mostly stay where they are
      if (k >= known || load<u32>(record + ((<usize>k) << 2), 16) != bits) continue;
      memory.copy(tangents + ((<usize>i) << 3), old + ((<usize>k) << 3), 8);
      break;
    }
  }
  return tangents;
}

/** Remembers which points the tangents belong to: call when the normal impulses of the manifold are final. */
export function keepPointTangents(manifold: u32): void {
  const m: Manifold = manifoldAt(manifold);
  const record: usize = <usize>splitState().pointTangents + <usize>manifold * POINT_TANGENTS_STRIDE;
  store<u32>(record, m.bodyA);
  store<u32>(record, m.bodyB, 8);
  store<u32>(record, m.count, 4);
  store<f32>(record, m.impulse0, 16);
  store<f32>(record, m.impulse1, 20);
  store<f32>(record, m.impulse2, 24);
  store<f32>(record, m.impulse3, 28);
}
