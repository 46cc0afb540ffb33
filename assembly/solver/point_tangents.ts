// Friction impulses of single points (frictionModel 1), carried between steps beside the manifolds: SplitState.pointTangents,
// one PointTangents a manifold. The contacts stage knows nothing of them: a point is found again by the bits of its normal
// impulse, which that stage carries; a point whose impulse is new or zero starts without friction.
import { Manifold, POINT_TANGENTS_STRIDE, SplitState } from '../layout.generated';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import { header } from '../memory/header';
import { splitRoom, splitState } from './state';

/** Room for the tangents of all manifolds; false without memory. */
export function reservePointTangents(): bool {
  return splitRoom(offsetof<SplitState>('pointTangents'), POINT_TANGENTS_STRIDE, header().manifoldCapacity);
}

/** Address of the 4 pairs (t1, t2) of a manifold, brought up to date with its points. */
export function pointTangents(manifold: u32): usize {
  const m: Manifold = manifoldAt(manifold);
  const record: usize = <usize>splitState().pointTangents + <usize>manifold * POINT_TANGENTS_STRIDE;
  const tangents: usize = record + 32;
  const old0: f64 = load<f64>(tangents);
  const old1: f64 = load<f64>(tangents, 8);
  const old2: f64 = load<f64>(tangents, 16);
  const old3: f64 = load<f64>(tangents, 24);
  const known: u32 = load<u32>(record) == m.pair ? load<u32>(record, 4) : 0;
  for (let i: u32 = 0; i < 4; i++) {
    let value: f64 = 0;
    if (i < m.count) {
      const bits: u32 = reinterpret<u32>(pointOf(m, i).impulse);
      if (bits << 1 != 0) {
        if (known > 0 && load<u32>(record, 16) == bits) value = old0;
        else if (known > 1 && load<u32>(record, 20) == bits) value = old1;
        else if (known > 2 && load<u32>(record, 24) == bits) value = old2;
        else if (known > 3 && load<u32>(record, 28) == bits) value = old3;
      }
    }
    store<f64>(tangents + ((<usize>i) << 3), value);
  }
  return tangents;
}

/** Remembers which points the tangents belong to: call when the normal impulses of the manifold are final. */
export function keepPointTangents(manifold: u32): void {
  const m: Manifold = manifoldAt(manifold);
  const record: usize = <usize>splitState().pointTangents + <usize>manifold * POINT_TANGENTS_STRIDE;
  store<u32>(record, m.pair);
  store<u32>(record, m.count, 4);
  store<f32>(record, m.impulse0, 16);
  store<f32>(record, m.impulse1, 20);
  store<f32>(record, m.impulse2, 24);
  store<f32>(record, m.impulse3, 28);
}
