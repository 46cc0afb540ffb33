// A point that the origin moves away from: single floats plus an offset of doubles, rounded once.
import { OriginOffset } from '../layout.generated';

/** x y z _ moved by the OriginOffset at `by`; lane 3 is rounded as it is. */
export function movedBy(point: v128, by: usize): v128 {
  const xy: v128 = f64x2.add(f64x2.promote_low_f32x4(point), v128.load(by)),
    z: v128 = f64x2.add(
      f64x2.promote_low_f32x4(v128.shuffle<f32>(point, point, 2, 3, 2, 3)),
      v128.load(by, offsetof<OriginOffset>('z')),
    );
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z), 0, 1, 4, 5);
}
