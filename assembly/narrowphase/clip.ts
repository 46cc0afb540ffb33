// Clipping of convex polygons in scratch memory (Sutherland and Hodgman 1974).
//
// A polygon is an array of rows x y z w (16 bytes a vertex, 16-byte aligned), counterclockwise seen against its normal;
// w is carried along by interpolation. Clipping by k planes adds at most k vertices. The order of vertices is kept, so a
// slowly moving polygon gives its points in the same order step after step.
//
// clipPolygonByPlane  one half space                       src -> dst
// clipPolygonToFace   all side planes of a reference face  in place
// keepNearPlane       separations against the reference plane, points beyond the margin dropped, in place
import { cross3, dot3, splatW, vec3W } from '../math/lane';

/** Vertices this fraction of an edge's length outside of its side plane count as inside. */
export const CLIP_TOLERANCE: f32 = 1e-4;

/**
 * Clips a polygon: keeps the part with n . p <= d. n need not be unit length. src and dst may not overlap; dst must hold count +
 * 1 vertices. Returns the number of vertices at dst (0 if nothing is left).
 */
export function clipPolygonByPlane(src: usize, count: u32, dst: usize, nx: f32, ny: f32, nz: f32, d: f32): u32 {
  const n: v128 = vec3W(nx, ny, nz);
  return clip(src, count, dst, n, f32x4.mul(n, splatW(d / dot3(n, n))), 0);
}

// The half space n . (p - a) <= 0: a on the plane, near the polygon for the sake of rounding. Vertices up to `tolerance`
// outside stay as they are: an edge that runs along the plane must not be cut at a place that rounding picks.
function clip(src: usize, count: u32, dst: usize, n: v128, a: v128, tolerance: f32): u32 {
  if (count == 0) return 0;
  let out: usize = dst;
  let p: v128 = v128.load(src + ((<usize>count - 1) << 4));
  let dp: f32 = dot3(n, f32x4.sub(p, a));
  const end: usize = src + ((<usize>count) << 4);
  for (let at: usize = src; at < end; at += 16) {
    const q: v128 = v128.load(at);
    const dq: f32 = dot3(n, f32x4.sub(q, a));
    // Cut points run from the inner to the outer vertex whichever way the edge runs: two faces that share an edge get the
    // same point.
    if (dq > tolerance) {
      if (dp < 0) {
        v128.store(out, f32x4.add(p, f32x4.mul(f32x4.sub(q, p), splatW(dp / (dp - dq)))));
        out += 16;
      }
    } else {
      if (dp > tolerance && dq < 0) {
        v128.store(out, f32x4.add(q, f32x4.mul(f32x4.sub(p, q), splatW(dq / (dq - dp)))));
        out += 16;
      }
      v128.store(out, q);
      out += 16;
    }
    p = q;
    dp = dq;
  }
  return <u32>((out - dst) >> 4);
}

/**
 * Clips the polygon at `polygon` in place by the side planes of a reference face: the planes through the edges of the
 * polygon at `face` (faceCount vertices, counterclockwise seen from outside) that contain the face normal. `work` is a
 * second buffer; both must hold count + faceCount vertices. Vertices outside by less than CLIP_TOLERANCE times the length
 * of the edge count as inside. Returns the number of vertices left.
 */
export function clipPolygonToFace(
  polygon: usize,
  count: u32,
  face: usize,
  faceCount: u32,
  nx: f32,
  ny: f32,
  nz: f32,
  work: usize,
): u32 {
  const normal: v128 = vec3W(nx, ny, nz);
  let src: usize = polygon;
  let dst: usize = work;
  let left: u32 = count;
  let a: v128 = v128.load(face + ((<usize>faceCount - 1) << 4));
  const end: usize = face + ((<usize>faceCount) << 4);
  for (let at: usize = face; at < end; at += 16) {
    const b: v128 = v128.load(at);
    const side: v128 = cross3(f32x4.sub(b, a), normal);
    left = clip(src, left, dst, side, a, CLIP_TOLERANCE * dot3(side, side));
    if (left == 0) return 0;
    const swap: usize = src;
    src = dst;
    dst = swap;
    a = b;
  }
  if (src != polygon) memory.copy(polygon, src, (<usize>left) << 4);
  return left;
}

/**
 * Turns polygon vertices into contact candidates x y z s in place: s = n . p - d is the height over the plane (n unit);
 * those above `margin` are dropped. With `project` the point is moved onto the plane (the plane belongs to shape A and the
 * polygon to B), else it stays (the polygon belongs to A). Returns the number of candidates.
 */
export function keepNearPlane(polygon: usize, count: u32, nx: f32, ny: f32, nz: f32, d: f32, margin: f32, project: bool): u32 {
  const n: v128 = vec3W(nx, ny, nz);
  let out: usize = polygon;
  const end: usize = polygon + ((<usize>count) << 4);
  for (let at: usize = polygon; at < end; at += 16) {
    const p: v128 = v128.load(at);
    const s: f32 = dot3(n, p) - d;
    if (!(s <= margin)) continue;
    const q: v128 = project ? f32x4.sub(p, f32x4.mul(n, splatW(s))) : p;
    v128.store(out, f32x4.replace_lane(q, 3, s));
    out += 16;
  }
  return <u32>((out - polygon) >> 4);
}
