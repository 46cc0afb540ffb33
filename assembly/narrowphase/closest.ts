// Closest points of the triangle at hand to a point and to the core line of a capsule, with the feature of the triangle they
// lie on (Ericson 2005, Real-Time Collision Detection, 5.1.5 and 5.1.9). Frame of A.
//
// Results are in SurfaceWork: the points, and the feature of the triangle that the second one lies on.
import { Surface, SurfaceWork } from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { along, nextOf, vertexAt, workOf } from './surface';

export const REGION_FACE: u32 = 0;
export const REGION_EDGE: u32 = 1;
export const REGION_VERTEX: u32 = 2;

function region(work: SurfaceWork, kind: u32, index: u32, q: v128): v128 {
  work.region = kind;
  work.index = index;
  return q;
}

/** Point of the triangle nearest to p; its region and index go to SurfaceWork. */
export function closestOnTriangle(c: Surface, p: v128): v128 {
  const work: SurfaceWork = workOf(c);
  const a: v128 = c.v0;
  const b: v128 = c.v1;
  const d: v128 = c.v2;
  const ab: v128 = f32x4.sub(b, a);
  const ad: v128 = f32x4.sub(d, a);
  const ap: v128 = f32x4.sub(p, a);
  const d1: f32 = dot3(ab, ap);
  const d2: f32 = dot3(ad, ap);
  if (d1 <= 0 && d2 <= 0) return region(work, REGION_VERTEX, 0, a);
  const bp: v128 = f32x4.sub(p, b);
  const d3: f32 = dot3(ab, bp);
  const d4: f32 = dot3(ad, bp);
  if (d3 >= 0 && d4 <= d3) return region(work, REGION_VERTEX, 1, b);
  const dp: v128 = f32x4.sub(p, d);
  const d5: f32 = dot3(ab, dp);
  const d6: f32 = dot3(ad, dp);
  if (d6 >= 0 && d5 <= d6) return region(work, REGION_VERTEX, 2, d);
  // Inside or outside of each edge, by the side planes: products of dot products lose too many digits far from the triangle.
  const n: v128 = c.n;
  const bd: v128 = f32x4.sub(d, b);
  if (dot3(cross3(n, ab), ap) <= 0 && d1 >= 0 && d3 <= 0) return region(work, REGION_EDGE, 0, along(a, ab, d1 / (d1 - d3)));
  if (dot3(cross3(ad, n), ap) <= 0 && d2 >= 0 && d6 <= 0) return region(work, REGION_EDGE, 2, along(a, ad, d2 / (d2 - d6)));
  const e1: f32 = d4 - d3;
  const e2: f32 = d5 - d6;
  if (dot3(cross3(n, bd), bp) <= 0 && e1 >= 0 && e2 >= 0) return region(work, REGION_EDGE, 1, along(b, bd, e1 / (e1 + e2)));
  return region(work, REGION_FACE, 0, along(p, n, -dot3(n, ap)));
}

/** Closest points of the segment (0, -h, 0) to (0, h, 0) and the triangle, to SurfaceWork. */
export function segmentTriangle(c: Surface, h: f32): void {
  const work: SurfaceWork = workOf(c);
  const p0: v128 = vec3W(0, -h, 0);
  const p1: v128 = vec3W(0, h, 0);
  const h0: f32 = dot3(c.n, f32x4.sub(p0, c.v0));
  const h1: f32 = dot3(c.n, f32x4.sub(p1, c.v0));
  let best2: f32 = Infinity;
  let bestP: v128 = p0;
  let bestQ: v128 = p0;
  let bestRegion: u32 = REGION_FACE;
  let bestIndex: u32 = 0;
  if ((h0 < 0 && h1 > 0) || (h0 > 0 && h1 < 0)) {
    // Where the line cuts the plane.
    const p: v128 = along(p0, f32x4.sub(p1, p0), h0 / (h0 - h1));
    const q: v128 = closestOnTriangle(c, p);
    if (work.region == REGION_FACE) {
      work.point = p;
      work.found = p;
      return;
    }
    const e: v128 = f32x4.sub(p, q);
    best2 = dot3(e, e);
    bestP = p;
    bestQ = q;
    bestRegion = work.region;
    bestIndex = work.index;
  }
  for (let i: u32 = 0; i < 2; ++i) {
    const p: v128 = i == 0 ? p0 : p1;
    const q: v128 = closestOnTriangle(c, p);
    const e: v128 = f32x4.sub(p, q);
    const d2: f32 = dot3(e, e);
    if (d2 >= best2) continue;
    best2 = d2;
    bestP = p;
    bestQ = q;
    bestRegion = work.region;
    bestIndex = work.index;
  }
  for (let k: u32 = 0; k < 3; ++k) {
    const a: v128 = vertexAt(c, k);
    const edge: v128 = f32x4.sub(vertexAt(c, nextOf(k)), a);
    // Segment p0 + s axis against a + t edge; the axis is y.
    const length: f32 = 2 * h;
    const ee: f32 = dot3(edge, edge);
    const aa: f32 = length * length;
    const r: v128 = f32x4.sub(p0, a);
    const f: f32 = dot3(edge, r);
    const cc: f32 = length * f32x4.extract_lane(r, 1);
    const b: f32 = length * f32x4.extract_lane(edge, 1);
    const denominator: f32 = aa * ee - b * b;
    let s: f32 = 0;
    if (denominator > <f32>1e-6 * aa * ee) s = min<f32>(1, max<f32>(0, (b * f - cc * ee) / denominator));
    let t: f32 = (b * s + f) / ee;
    if (t < 0) {
      t = 0;
      s = aa > 0 ? min<f32>(1, max<f32>(0, -cc / aa)) : 0;
    } else if (t > 1) {
      t = 1;
      s = aa > 0 ? min<f32>(1, max<f32>(0, (b - cc) / aa)) : 0;
    }
    const p: v128 = vec3W(0, length * s - h, 0);
    const q: v128 = along(a, edge, t);
    const e: v128 = f32x4.sub(p, q);
    const d2: f32 = dot3(e, e);
    // The face keeps what an edge cannot clearly better.
    if (d2 >= best2 * (bestRegion == REGION_FACE ? <f32>0.9999 : <f32>1)) continue;
    best2 = d2;
    bestP = p;
    bestQ = q;
    bestRegion = t <= 0 || t >= 1 ? REGION_VERTEX : REGION_EDGE;
    bestIndex = t >= 1 ? nextOf(k) : k;
  }
  work.point = bestP;
  work.found = bestQ;
  region(work, bestRegion, bestIndex, splatW(0));
}
