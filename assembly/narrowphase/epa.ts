// Depth and direction of deep overlap by the expanding polytope algorithm (van den Bergen 2001) in f32, without allocation,
// at most EPA_MAX_VERTICES supports.
//
// The polytope lies inside C = A - B (true cores of a GjkState: SOLIDS) and grows at its face of least signed distance from
// the origin; the start tetrahedron need not contain the origin, since such a face has a negative distance and goes first.
// Every face normal n that was tried gives the upper bound n . support(n) of the depth, and the least of these is the
// result: it stays valid whatever rounding does to the polytope. New faces come from the directed edges of the visible
// faces whose reverse is not among them, so no adjacency has to be kept.
// Scratch: RoundScratch, of which g is the first.
import {
  EPA_EDGES,
  EPA_FACES,
  EPA_FACE_STRIDE,
  EPA_MAX_EDGES,
  EPA_MAX_FACES,
  EPA_MAX_VERTICES,
  EPA_VERTICES,
  EpaFace,
  GjkState,
} from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { perpendicular3, w3, withW3 } from '../math/vec3';
import { putVector } from '../memory/words';
import { SOLIDS, supportA, supportB } from './gjk';

/** The search ends when a face is this share of the size of C, or of its distance, below the support plane. */
const TOLERANCE: f32 = 1e-5;
const TOLERANCE_OF_DEPTH: f32 = 1e-3;

function supportC(g: usize, d: v128): v128 {
  return withW3(f32x4.sub(supportA(g, SOLIDS, d), supportB(g, SOLIDS, f32x4.neg(d))), 0);
}

function vertex(g: usize, i: u32): v128 {
  return v128.load(g + ((<usize>i) << 4), EPA_VERTICES);
}

// Writes face `at`: outward unit normal and distance of its plane; a needle gets an infinite distance, so it is never chosen.
function writeFace(g: usize, at: usize, i: u32, j: u32, k: u32): void {
  const a: v128 = vertex(g, i),
    b: v128 = vertex(g, j),
    c: v128 = vertex(g, k);
  const ab: v128 = f32x4.sub(b, a),
    ac: v128 = f32x4.sub(c, a),
    bc: v128 = f32x4.sub(c, b);
  const ac2: f32 = dot3(ac, ac),
    bc2: f32 = dot3(bc, bc);
  const n: v128 = bc2 < ac2 ? cross3(ab, bc) : cross3(ab, ac);
  const n2: f32 = dot3(n, n);
  if (n2 > <f32>1e-10 * dot3(ab, ab) * min<f32>(ac2, bc2) && n2 > <f32>1e-36) {
    const u: v128 = f32x4.mul(n, splatW(<f32>1 / sqrt<f32>(n2)));
    v128.store(at, withW3(u, dot3(u, a)));
  } else {
    v128.store(at, withW3(splatW(0), Infinity));
  }
  const face: EpaFace = changetype<EpaFace>(at);
  face.vertex0 = i;
  face.vertex1 = j;
  face.vertex2 = k;
}

/**
 * Unit direction from A to B along which the true cores of the GjkState (without their margins) overlap least, in lanes
 * 0..2, and the depth along it (m, an upper bound of the true depth, negative if the axis separates) in lane 3.
 */
export function epa(g: usize): v128 {
  const vertices: usize = g + EPA_VERTICES;
  // Start: a tetrahedron as large as supports in both senses of three directions make it.
  const s = changetype<GjkState>(g);
  let d: v128 = s.t;
  let d2: f32 = dot3(d, d);
  d = d2 > <f32>1e-24 ? f32x4.mul(d, splatW(<f32>1 / sqrt<f32>(d2))) : vec3W(0, 1, 0);
  const p0: v128 = supportC(g, d);
  const p1: v128 = supportC(g, f32x4.neg(d));
  let best: v128 = withW3(d, dot3(d, p0));
  if (-dot3(d, p1) < w3(best)) best = withW3(f32x4.neg(d), -dot3(d, p1));
  const line: v128 = f32x4.sub(p1, p0);
  const line2: f32 = dot3(line, line);
  if (!(line2 > <f32>1e-30)) return best;
  const e: v128 = perpendicular3(f32x4.mul(line, splatW(<f32>1 / sqrt<f32>(line2))));
  let p2: v128 = supportC(g, e);
  const other: v128 = supportC(g, f32x4.neg(e));
  if (dot3(e, f32x4.sub(p0, other)) > dot3(e, f32x4.sub(p2, p0))) p2 = other;
  let n: v128 = cross3(line, f32x4.sub(p2, p0));
  const n2: f32 = dot3(n, n);
  const along: v128 = f32x4.mul(line, splatW(<f32>1 / sqrt<f32>(line2)));
  n = n2 > <f32>1e-36 ? f32x4.mul(n, splatW(<f32>1 / sqrt<f32>(n2))) : cross3(e, along);
  let p3: v128 = supportC(g, n);
  const below: v128 = supportC(g, f32x4.neg(n));
  putVector(vertices, 0, p0);
  const up: bool = dot3(n, f32x4.sub(p3, p0)) >= dot3(n, f32x4.sub(p0, below));
  if (!up) p3 = below;
  // Outward faces: with p3 above the plane p0 p1 p2 (seen along n) the base turns away from it.
  putVector(vertices, 1, up ? p1 : p2);
  putVector(vertices, 2, up ? p2 : p1);
  putVector(vertices, 3, p3);
  const faces: usize = g + EPA_FACES;
  writeFace(g, faces, 0, 2, 1);
  writeFace(g, faces + EPA_FACE_STRIDE, 0, 1, 3);
  writeFace(g, faces + 2 * EPA_FACE_STRIDE, 1, 2, 3);
  writeFace(g, faces + 3 * EPA_FACE_STRIDE, 2, 0, 3);
  let faceEnd: usize = faces + 4 * EPA_FACE_STRIDE;
  let vertexCount: u32 = 4;
  const size: f32 = sqrt<f32>(max<f32>(line2, max<f32>(dot3(p2, p2), dot3(p3, p3))));

  while (vertexCount < EPA_MAX_VERTICES) {
    // The face nearest the origin.
    let near: usize = faces;
    let least: f32 = Infinity;
    for (let f: usize = faces; f < faceEnd; f += EPA_FACE_STRIDE) {
      const distance: f32 = changetype<EpaFace>(f).distance;
      if (distance < least) {
        least = distance;
        near = f;
      }
    }
    if (least == Infinity) break;
    n = v128.load(near);
    const w: v128 = supportC(g, n);
    const height: f32 = dot3(n, w);
    if (height < w3(best)) best = withW3(n, height);
    // `least` is a lower bound of the depth once the polytope holds the origin.
    const slack: f32 = max<f32>(TOLERANCE * size, TOLERANCE_OF_DEPTH * abs<f32>(least));
    if (height - least <= slack || w3(best) - least <= slack) break;
    v128.store(vertices + ((<usize>vertexCount) << 4), w);

    // Visible faces go; the edges that only one of them has form the horizon.
    const edges: usize = g + EPA_EDGES;
    let edgeEnd: usize = edges;
    const seen: f32 = <f32>1e-7 * size;
    let keep: usize = faces;
    for (let f: usize = faces; f < faceEnd; f += EPA_FACE_STRIDE) {
      const face: v128 = v128.load(f);
      const distance: f32 = w3(face);
      // A needle has no side of its own: it stays.
      const visible: bool = f == near || (distance < Infinity && dot3(face, w) - distance > seen);
      if (!visible) {
        if (keep != f) {
          changetype<EpaFace>(keep).n = face;
          changetype<EpaFace>(keep).corners = changetype<EpaFace>(f).corners;
        }
        keep += EPA_FACE_STRIDE;
        continue;
      }
      for (let k: usize = 0; k < 3; ++k) {
        const i: u32 = load<u32>(f + (k << 2), offsetof<EpaFace>('vertex0'));
        const j: u32 = load<u32>(f + ((k == 2 ? 0 : k + 1) << 2), offsetof<EpaFace>('vertex0'));
        const reverse: u32 = (j << 16) | i;
        let at: usize = edges;
        while (at < edgeEnd && load<u32>(at) != reverse) at += 4;
        if (at < edgeEnd) {
          edgeEnd -= 4;
          store<u32>(at, load<u32>(edgeEnd));
        } else if (edgeEnd < edges + <usize>EPA_MAX_EDGES * 4) {
          store<u32>(edgeEnd, (i << 16) | j);
          edgeEnd += 4;
        }
      }
    }
    faceEnd = keep;
    if (faceEnd + ((edgeEnd - edges) >> 2) * EPA_FACE_STRIDE > faces + <usize>EPA_MAX_FACES * EPA_FACE_STRIDE) break;
    for (let at: usize = edges; at < edgeEnd; at += 4) {
      const edge: u32 = load<u32>(at);
      writeFace(g, faceEnd, edge >> 16, edge & 0xffff, vertexCount);
      faceEnd += EPA_FACE_STRIDE;
    }
    ++vertexCount;
    if (faceEnd == faces) break;
  }
  return best;
}
