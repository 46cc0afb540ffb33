// Reduction of contact candidates to at most four points of a manifold.
//
// In: rows x y z s (16 bytes each; position on A and separation, frame of A) and the normal already written to the
// manifold. Out: x0..s3 and count of a ManifoldOut. Rule: the deepest point, the farthest from it, then the point that
// spans the largest triangle with these two on either side of their line. If one side is empty the fourth point is the one
// that adds most area to the three; if all lie on one line, the deepest point and both ends stay. Dropping the deepest
// point would let a body rock on the points that remain, so it always stays. Near-duplicates are welded: no two points
// kept are closer than WELD times the size of the set. The points kept are written in the order of the candidates, which
// changes less from step to step than the order of selection.
import { ManifoldOut } from '../layout.generated';
import { cross3, dot3, splatW } from '../math/lane';

/** Points closer than this fraction of the size of the candidate set are one point. */
// @ts-ignore: decorator
@inline const WELD: f32 = 1e-4;

// @ts-ignore: decorator
@inline
function distance2(a: v128, b: v128): f32 {
  const d: v128 = f32x4.sub(a, b);
  return dot3(d, d);
}

/**
 * Chooses at most 4 of `count` candidates (any number; rows x y z s at `points`, may be reordered) and writes them and
 * their number to the manifold at `out`, whose nx ny nz must be set. Returns the number of points: 0 only for count 0.
 */
export function reducePoints(points: usize, count: u32, out: usize): u32 {
  const m = changetype<ManifoldOut>(out);
  if (count == 0) {
    m.count = 0;
    return 0;
  }
  const target: usize = out + offsetof<ManifoldOut>('x0');
  const end: usize = points + ((<usize>count) << 4);

  // Deepest; the first of equals.
  let first: usize = points;
  let deepest: f32 = load<f32>(points, 12);
  for (let at: usize = points + 16; at < end; at += 16) {
    const s: f32 = load<f32>(at, 12);
    if (s < deepest) {
      deepest = s;
      first = at;
    }
  }
  const p0: v128 = v128.load(first);

  // Farthest from it.
  let second: usize = first;
  let far2: f32 = 0;
  for (let at: usize = points; at < end; at += 16) {
    const d2: f32 = distance2(v128.load(at), p0);
    if (d2 > far2) {
      far2 = d2;
      second = at;
    }
  }
  v128.store(target, p0);
  if (second == first) {
    m.count = 1;
    return 1;
  }

  if (count <= 4) {
    // All of them, less near-duplicates; of two the earlier row stays, and the deepest always.
    const near2: f32 = far2 * (WELD * WELD);
    let kept: usize = target;
    for (let at: usize = points; at < end; at += 16) {
      const p: v128 = v128.load(at);
      let twin: bool = at != first && distance2(p, p0) <= near2;
      if (at != first) {
        for (let k: usize = target; k < kept && !twin; k += 16) twin = distance2(p, v128.load(k)) <= near2;
      }
      if (twin) continue;
      v128.store(kept, p);
      kept += 16;
    }
    m.count = <u32>((kept - target) >> 4);
    return m.count;
  }

  // Largest triangle on either side of the line p0 p1, sides seen along the normal.
  const line: v128 = f32x4.sub(v128.load(second), p0);
  const side: v128 = cross3(v128.load(out, offsetof<ManifoldOut>('nx')), line);
  let third: usize = 0;
  let fourth: usize = 0;
  let left: f32 = far2 * WELD;
  let right: f32 = -left;
  for (let at: usize = points; at < end; at += 16) {
    const area: f32 = dot3(side, f32x4.sub(v128.load(at), p0));
    if (area > left) {
      left = area;
      third = at;
    } else if (area < right) {
      right = area;
      fourth = at;
    }
  }

  if (third == 0 && fourth == 0) {
    // All on a line, with the deepest point somewhere between: the end on its other side carries too.
    const p1: v128 = v128.load(second);
    let span2: f32 = far2 * (1 + 2 * WELD);
    for (let at: usize = points; at < end; at += 16) {
      const d2: f32 = distance2(v128.load(at), p1);
      if (d2 > span2) {
        span2 = d2;
        third = at;
      }
    }
  }

  if ((third == 0) != (fourth == 0)) {
    // The first two lie on a side of the patch: the fourth point is the one that adds the largest triangle to the three.
    const apex: v128 = v128.load(third + fourth);
    const p1: v128 = v128.load(second);
    const turn: v128 = splatW(third != 0 ? -1 : 1); // outside of the sides p1 -> apex -> p0
    const n: v128 = f32x4.mul(v128.load(out, offsetof<ManifoldOut>('nx')), turn);
    const side1: v128 = cross3(n, f32x4.sub(apex, p1));
    const side2: v128 = cross3(n, f32x4.sub(p0, apex));
    let most: f32 = far2 * WELD;
    let other: usize = 0;
    for (let at: usize = points; at < end; at += 16) {
      const d: v128 = f32x4.sub(v128.load(at), apex);
      const area: f32 = max<f32>(dot3(side1, d), dot3(side2, d));
      if (area > most) {
        most = area;
        other = at;
      }
    }
    if (third == 0) third = other;
    else fourth = other;
  }

  let kept: usize = target;
  for (let at: usize = points; at < end; at += 16) {
    if (at != first && at != second && at != third && at != fourth) continue;
    v128.store(kept, v128.load(at));
    kept += 16;
  }
  m.count = <u32>((kept - target) >> 4);
  return m.count;
}
