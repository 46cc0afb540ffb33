// Contact of any two convex shapes: GJK between rounded cores, SAT or EPA when the cores overlap, then a manifold from the
// supporting features. The test for cylinders and cones, for spheres and capsules against hulls, for capsules against boxes,
// for single triangles, and a slow oracle for every other pair.
//
// 1. The cached axis: if it separates the shapes by more than twice the margin, its separation is the answer.
// 2. Normal: GJK on cores (support.ts says why they are rounded); cores that overlap go to polyhedron SAT (point and segment
//    cores) or to EPA, whose coarse direction GJK then refines with B moved out along it.
// 3. The normal snaps to the nearest face normal of A or B where that separates no worse: resting contacts get the exact axis.
//    Every axis n gives a lower bound of the distance, axisSeparation(n), so the best one wins.
// 4. Manifold: the supporting features of both along n, projected along n and intersected; heights are taken along n.
//    The point of the closest features is added if the intersection does not hold a point as deep.
// cache: packDirection of the last normal, 0 at first.
import {
  FEATURE_A,
  FEATURE_B,
  FEATURE_NORMALS,
  FEATURE_WORK,
  GjkState,
  HULL_EDGE_STRIDE,
  HullBlob,
  HullEdge,
  ROUND_SCRATCH_STRIDE,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SUPPORT_ROW_STRIDE,
  Shape,
  SupportRow,
} from '../layout.generated';
import { cross3, dot3, vec3W } from '../math/lane';
import { addScaled3, rotate3, scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import { allocate } from '../memory/allocator';
import { vectorAt } from '../memory/words';
import { epa } from './epa';
import { CAP_POINTS, featureA, featureB, nearestFaceNormal } from './features';
import {
  CORES,
  GJK_APART,
  SOLIDS,
  axisSeparation,
  fromB,
  gjk,
  gjkOn,
  gjkWitness,
  packDirection,
  setFrame,
  supportA,
  toB,
  unpackDirection,
} from './gjk';
import { writeGap, writeHead, writeSingle } from './manifold_out';
import { nearOf, reducePoints } from './reduce';
import { initNarrowState, narrowState } from './state';
import { CORE_TRIANGLE, writeSupport, writeTriangleSupport } from './support';

/** Takes the scratch of this family of tests; once a world. False (header error set) without memory. */
export function initConvex(): bool {
  initNarrowState();
  const state = narrowState();
  if (state.roundScratch == 0) state.roundScratch = <u32>allocate(ROUND_SCRATCH_STRIDE);
  return state.roundScratch != 0;
}

// Deepest axis of the segment p0 p1 (frame of the polyhedron) against a hull, from A to B in that frame: face normals, and
// for a true segment the cross products with edges whose two face normals lie on different sides of the plane across it.
// Leaves the deepest point of the segment in the witness of the state.
function hullAxis(g: usize, blob: usize, p0: v128, p1: v128): v128 {
  const state = changetype<GjkState>(g);
  const h = changetype<HullBlob>(blob);
  const planes: usize = blob + <usize>h.planesOffset;
  const planesEnd: usize = planes + ((<usize>h.faceCount) << 4);
  let best: v128 = vec3W(0, 1, 0);
  let most: f32 = -Infinity;
  for (let at: usize = planes; at < planesEnd; at += 16) {
    const plane: v128 = v128.load(at);
    const s0: f32 = dot3(plane, p0);
    const s1: f32 = dot3(plane, p1);
    const s: f32 = min<f32>(s0, s1) - w3(plane);
    if (s > most) {
      most = s;
      best = plane;
      state.witness = s0 < s1 ? p0 : p1;
    }
  }
  const u: v128 = f32x4.sub(p1, p0);
  const u2: f32 = dot3(u, u);
  if (u2 > 0) {
    const vertices: usize = blob + <usize>h.verticesOffset;
    let edge: usize = blob + <usize>h.edgesOffset;
    const edgesEnd: usize = edge + <usize>h.edgeCount * HULL_EDGE_STRIDE;
    for (; edge < edgesEnd; edge += HULL_EDGE_STRIDE) {
      const ends = changetype<HullEdge>(edge);
      const left: v128 = vectorAt(planes, ends.left);
      const right: v128 = vectorAt(planes, ends.right);
      if (dot3(left, u) * dot3(right, u) >= 0) continue;
      const a: v128 = vectorAt(vertices, ends.a);
      const e: v128 = f32x4.sub(vectorAt(vertices, ends.b), a);
      let n: v128 = cross3(e, u);
      const n2: f32 = dot3(n, n);
      if (!(n2 > <f32>1e-8 * u2 * dot3(e, e))) continue;
      n = scale3(n, <f32>1 / sqrt<f32>(n2));
      if (dot3(n, f32x4.add(left, right)) < 0) n = f32x4.neg(n);
      const s: f32 = dot3(n, f32x4.sub(p0, a));
      // Faces first: an edge must be clearly better.
      if (s > most + <f32>1e-5 * abs<f32>(most)) {
        most = s;
        best = n;
        // Where the edge crosses the segment, seen along n.
        const t: f32 = dot3(n, cross3(f32x4.sub(a, p0), e)) / dot3(n, cross3(u, e));
        state.witness = addScaled3(p0, u, max<f32>(0, min<f32>(1, t)));
      }
    }
  }
  return f32x4.neg(withW3(best, 0));
}

// The same against a box of half extents h: three face axes, three cross products.
function boxAxis(h: v128, p0: v128, p1: v128): v128 {
  const mid: v128 = scale3(f32x4.add(p0, p1), 0.5);
  const half: v128 = scale3(f32x4.sub(p1, p0), 0.5);
  const depth: v128 = f32x4.sub(f32x4.add(h, f32x4.abs(half)), f32x4.abs(mid));
  let n: v128 = vec3W(1, 0, 0);
  let least: f32 = x3(depth);
  if (y3(depth) < least) {
    least = y3(depth);
    n = vec3W(0, 1, 0);
  }
  if (z3(depth) < least) {
    least = z3(depth);
    n = vec3W(0, 0, 1);
  }
  const u2: f32 = dot3(half, half);
  for (let k: u32 = 0; k < 3; ++k) {
    let c: v128 = cross3(k == 0 ? vec3W(1, 0, 0) : k == 1 ? vec3W(0, 1, 0) : vec3W(0, 0, 1), half);
    const c2: f32 = dot3(c, c);
    if (!(c2 > <f32>1e-8 * u2)) continue;
    c = scale3(c, <f32>1 / sqrt<f32>(c2));
    const d: f32 = dot3(h, f32x4.abs(c)) - abs<f32>(dot3(c, mid));
    if (d < least - <f32>1e-5 * abs<f32>(least)) {
      least = d;
      n = c;
    }
  }
  return dot3(n, mid) >= 0 ? f32x4.neg(n) : n;
}

// Outward unit normal of the side of a cylinder or cone on the half plane that holds the point p (frame of the shape).
function sideNormal(row: usize, p: v128): v128 {
  const x: f32 = x3(p),
    z: f32 = z3(p);
  const rho: f32 = sqrt<f32>(x * x + z * z);
  return nearestFaceNormal(row, rho > <f32>1e-12 ? vec3W(x / rho, 0, z / rho) : vec3W(1, 0, 0));
}

// gjk on `rows` with B moved out along the unit axis n until the cores are well apart: the true cores just touch after
// -(separation + margins), `size` gives the rest. False if the result has no direction; the pose is as before.
function gjkMovedOut(g: usize, rows: usize, n: v128, separation: f32, size: f32): bool {
  const s = changetype<GjkState>(g);
  const margins: f32 = changetype<SupportRow>(g + SOLIDS).margin + changetype<SupportRow>(g + SOLIDS + SUPPORT_ROW_STRIDE).margin;
  const t: v128 = s.t;
  s.t = addScaled3(t, n, <f32>0.02 * size - (separation + margins));
  const apart: bool = gjkOn(g, rows, n) == GJK_APART && s.distance > <f32>1e-4 * size;
  s.t = t;
  return apart;
}

// Clips `count` rows at src (frame of A, not projected) by the side planes of the polygon at ref that contain n, with `work`
// as second buffer; returns the address of the result and leaves its size in the count of the state, the number of cuts in
// its mask. Lines within `slack` (m) of a side plane stay, so that parallel edges do not flicker. The polygon at ref is
// counterclockwise seen against n, or along it if `turned`.
function clipAlong(
  g: usize,
  src: usize,
  count: u32,
  ref: usize,
  refCount: u32,
  n: v128,
  turned: bool,
  slack: f32,
  work: usize,
): usize {
  let from: usize = src;
  let to: usize = work;
  let left: u32 = count;
  let cuts: u32 = 0;
  let a: v128 = v128.load(ref + ((<usize>refCount - 1) << 4));
  const refEnd: usize = ref + ((<usize>refCount) << 4);
  for (let r: usize = ref; r < refEnd && left > 0; r += 16) {
    const b: v128 = v128.load(r);
    const edge: v128 = f32x4.sub(b, a);
    const side: v128 = turned ? cross3(n, edge) : cross3(edge, n);
    const keep: f32 = slack * sqrt<f32>(dot3(side, side));
    let out: usize = to;
    let p: v128 = v128.load(from + ((<usize>left - 1) << 4));
    let dp: f32 = dot3(side, f32x4.sub(p, a)) - keep;
    const end: usize = from + ((<usize>left) << 4);
    for (let at: usize = from; at < end; at += 16) {
      const q: v128 = v128.load(at);
      const dq: f32 = dot3(side, f32x4.sub(q, a)) - keep;
      // A segment is its own way back: its cut is written once.
      const cut: bool = dp > 0 != dq > 0 && (left > 2 || at == from + 16);
      if (cut) ++cuts;
      if (cut && dq > 0) {
        v128.store(out, addScaled3(p, f32x4.sub(q, p), dp / (dp - dq)));
        out += 16;
      } else if (cut) {
        v128.store(out, addScaled3(q, f32x4.sub(p, q), dq / (dq - dp)));
        out += 16;
      }
      if (!(dq > 0)) {
        v128.store(out, q);
        out += 16;
      }
      p = q;
      dp = dq;
    }
    left = <u32>((out - to) >> 4);
    const swap: usize = from;
    from = to;
    to = swap;
    a = b;
  }
  const s = changetype<GjkState>(g);
  s.count = left;
  s.mask = cuts;
  return from;
}

// Candidates x y z s from two segments p0 p1 (A) and q0 q1 (B), seen along n: the ends of their overlap if they are within
// about 3 degrees of parallel, else their crossing. Returns 0, 1 or 2.
function lineContacts(p0: v128, p1: v128, q0: v128, q1: v128, n: v128, mA: f32, mB: f32, out: usize): u32 {
  const d: v128 = f32x4.sub(p1, p0);
  const e: v128 = f32x4.sub(q1, q0);
  const area: f32 = dot3(n, cross3(d, e));
  const dn: f32 = dot3(d, n),
    en: f32 = dot3(e, n);
  const d2: f32 = dot3(d, d) - dn * dn;
  const e2: f32 = dot3(e, e) - en * en;
  if (!(d2 > <f32>1e-6 * dot3(d, d)) || !(e2 > <f32>1e-6 * dot3(e, e))) return 0;
  if (area * area > <f32>0.0025 * d2 * e2) {
    // They cross: where the lines meet, seen along n.
    const r: v128 = f32x4.sub(q0, p0);
    const t: f32 = dot3(n, cross3(r, e)) / area;
    const u: f32 = dot3(n, cross3(r, d)) / area;
    if (!(t >= 0 && t <= 1 && u >= 0 && u <= 1)) return 0;
    const p: v128 = addScaled3(p0, d, t);
    const s: f32 = dot3(n, f32x4.sub(addScaled3(q0, e, u), p)) - mA - mB;
    v128.store(out, withW3(addScaled3(p, n, mA), s));
    return 1;
  }
  // Directions across n along the line of A.
  const along: v128 = addScaled3(d, n, -dn);
  const t0: f32 = dot3(along, f32x4.sub(q0, p0)) / d2;
  const t1: f32 = dot3(along, f32x4.sub(q1, p0)) / d2;
  const low: f32 = max<f32>(0, min<f32>(t0, t1));
  const high: f32 = min<f32>(1, max<f32>(t0, t1));
  if (!(high - low > <f32>1e-3)) return 0;
  const slope: f32 = <f32>1 / (t1 - t0);
  for (let k: u32 = 0; k < 2; ++k) {
    const t: f32 = k == 0 ? low : high;
    const p: v128 = addScaled3(p0, d, t);
    const q: v128 = addScaled3(q0, e, (t - t0) * slope);
    const s: f32 = dot3(n, f32x4.sub(q, p)) - mA - mB;
    v128.store(out + ((<usize>k) << 4), withW3(addScaled3(p, n, mA), s));
  }
  return 2;
}

// Manifold along the unit normal n with axis separation `least`; `witness` is a point near the closest one of A.
function writeManifold(g: usize, n: v128, least: f32, witness: v128, out: usize, margin: f32): u32 {
  const s = changetype<GjkState>(g);
  const mA: f32 = changetype<SupportRow>(g + SOLIDS).margin;
  const mB: f32 = changetype<SupportRow>(g + SOLIDS + SUPPORT_ROW_STRIDE).margin;
  const top: f32 = dot3(n, supportA(g, SOLIDS, n)) + mA;
  // The witness in the supporting plane of A.
  const single: v128 = addScaled3(witness, n, top - dot3(n, witness));
  const countA: u32 = featureA(g, n);
  if (countA == 1) return writeSingle(out, n, addScaled3(v128.load(g + FEATURE_A), n, mA), least);
  const countB: u32 = featureB(g, n);
  if (countB == 1) {
    return writeSingle(out, n, addScaled3(v128.load(g + FEATURE_B), n, -(mB + least)), least);
  }

  const a: usize = g + FEATURE_A;
  const b: usize = g + FEATURE_B;
  let points: usize = g + FEATURE_WORK;
  let count: u32 = 0;
  const faceA: v128 = vectorAt(g + FEATURE_NORMALS, 0);
  const faceB: v128 = vectorAt(g + FEATURE_NORMALS, 1);
  const lookA: f32 = dot3(faceA, n);
  const lookB: f32 = -dot3(faceB, n);
  // A face seen at less than 6 degrees is no plane to measure heights on.
  const usableA: bool = countA >= 3 && lookA > <f32>0.1;
  const usableB: bool = countB >= 3 && lookB > <f32>0.1;
  if (countA == 2 && countB == 2) {
    count = lineContacts(vectorAt(a, 0), vectorAt(a, 1), vectorAt(b, 0), vectorAt(b, 1), n, mA, mB, points);
  } else if (usableA || usableB) {
    // The reference is the face with fewer sides; the other feature is cut.
    const refA: bool = usableA && (!usableB || countA <= countB);
    const ref: usize = refA ? a : b;
    const refCount: u32 = refA ? countA : countB;
    const refNormal: v128 = refA ? faceA : faceB;
    const origin: v128 = v128.load(ref);
    const span: v128 = f32x4.sub(vectorAt(ref, 2), origin);
    const slack: f32 = <f32>1e-5 * sqrt<f32>(dot3(span, span));
    points = clipAlong(g, refA ? b : a, refA ? countB : countA, ref, refCount, n, !refA, slack, points);
    let clipped: u32 = s.count;
    if (clipped != 0 && s.mask == 0 && w3(refA ? faceB : faceA) != 0) {
      // A whole level cap: four fixed points of its rim. Their order of depth is rounding, so a choice would flicker.
      clipped = 4;
      for (let i: usize = 1; i < 4; ++i) v128.store(points + (i << 4), v128.load(points + ((i * (CAP_POINTS / 4)) << 4)));
    }
    const k: f32 = <f32>1 / dot3(refNormal, n);
    const end: usize = points + ((<usize>clipped) << 4);
    let to: usize = points;
    for (let at: usize = points; at < end; at += 16) {
      const p: v128 = v128.load(at);
      const height: f32 = dot3(refNormal, f32x4.sub(p, origin)) * k;
      // Reference A: p lies on B, height is n . (p - plane of A). Reference B: p lies on A, below B by -height.
      const separation: f32 = (refA ? height : -height) - mA - mB;
      const onA: v128 = refA ? addScaled3(p, n, mA - height) : addScaled3(p, n, mA);
      v128.store(to, withW3(onA, separation));
      to += 16;
    }
    count = clipped;
  }

  // Within the margin only.
  let kept: u32 = 0;
  let deepest: f32 = Infinity;
  for (let i: u32 = 0; i < count; ++i) {
    const p: v128 = v128.load(points + ((<usize>i) << 4));
    // The slack of clipping reaches over an edge by a little: no point is deeper than the axis allows.
    const separation: f32 = max<f32>(w3(p), least);
    if (!(separation <= margin)) continue;
    deepest = min<f32>(deepest, separation);
    v128.store(points + ((<usize>kept) << 4), withW3(p, separation));
    ++kept;
  }
  if (kept == 0) return writeSingle(out, n, single, least);
  const size: f32 = sqrt<f32>(s.scale2);
  if (deepest > least + max<f32>(<f32>1e-5 * size, <f32>0.002 * margin)) {
    v128.store(points + ((<usize>kept) << 4), withW3(single, least));
    ++kept;
  }
  writeHead(out, kept, n, least);
  reducePoints(points, kept, out, nearOf(margin));
  return 1;
}

// Axis from A to B along which shapes that overlap do so least, separation in lane 3; the witness goes to the state. `edges`: the
// true shapes overlap, the rounded ones do not.
function deepAxis(g: usize, size: f32, edges: bool): v128 {
  const s = changetype<GjkState>(g);
  const coreA = changetype<SupportRow>(g + CORES);
  let n: v128;
  let separation: f32;
  const typeA: u32 = coreA.type;
  const typeB: u32 = changetype<SupportRow>(g + CORES + SUPPORT_ROW_STRIDE).type;
  if (typeA <= SHAPE_CAPSULE && (typeB == SHAPE_BOX || typeB == SHAPE_HULL)) {
    // The core of A in the frame of B.
    const h: f32 = typeA == SHAPE_CAPSULE ? coreA.p1 : 0;
    const p0: v128 = toB(g, f32x4.sub(vec3W(0, -h, 0), s.t));
    const p1: v128 = toB(g, f32x4.sub(vec3W(0, h, 0), s.t));
    const solid = changetype<SupportRow>(g + SOLIDS + SUPPORT_ROW_STRIDE);
    if (typeB == SHAPE_BOX) {
      n = rotate3(s.c0, s.c1, s.c2, boxAxis(vec3W(solid.p0, solid.p1, solid.p2), p0, p1));
      s.witness = supportA(g, SOLIDS, n);
    } else {
      n = rotate3(s.c0, s.c1, s.c2, hullAxis(g, solid.data, p0, p1));
      s.witness = fromB(g, s.witness);
    }
    separation = axisSeparation(g, n);
  } else {
    n = withW3(epa(g), 0);
    separation = axisSeparation(g, n);
    // Refine: with B moved out along n the nearest direction cannot be worse.
    for (let k: u32 = 0; k < 3; ++k) {
      if (!gjkMovedOut(g, CORES, n, separation, size)) break;
      const finer: v128 = scale3(s.v, <f32>-1 / s.distance);
      const better: f32 = axisSeparation(g, finer);
      if (!(better > separation)) break;
      n = finer;
      separation = better;
    }
    // Round sides: the side that looks at the center of the other shape is a minimum that facets find only roughly.
    if (typeB == SHAPE_CYLINDER || typeB == SHAPE_CONE) {
      const side: v128 = sideNormal(g + SOLIDS + SUPPORT_ROW_STRIDE, f32x4.neg(toB(g, s.t)));
      const axis: v128 = f32x4.neg(rotate3(s.c0, s.c1, s.c2, side));
      const value: f32 = axisSeparation(g, axis);
      if (value > separation) {
        n = withW3(axis, 0);
        separation = value;
      }
    }
    if (typeA == SHAPE_CYLINDER || typeA == SHAPE_CONE) {
      const axis: v128 = sideNormal(g + SOLIDS, s.t);
      const value: f32 = axisSeparation(g, axis);
      if (value > separation) {
        n = withW3(axis, 0);
        separation = value;
      }
    }
    s.witness = gjkMovedOut(g, edges ? SOLIDS : CORES, n, separation, size) ? gjkWitness(g) : supportA(g, SOLIDS, n);
  }
  return withW3(n, separation);
}

// The axis n, or of the nearest face of either, if it separates no worse: a flat one before a round side, a triangle before
// all, then A before B (the ground is often a box, and the lower type), unless the other is clearly better. Its separation in
// lane 3.
function preferFace(g: usize, n: v128, separation: f32, bias: f32): v128 {
  const s = changetype<GjkState>(g);
  const least: f32 = separation - bias;
  const nB: v128 = f32x4.neg(toB(g, n));
  const faceB: v128 = nearestFaceNormal(g + SOLIDS + SUPPORT_ROW_STRIDE, nB);
  const faceA: v128 = nearestFaceNormal(g + SOLIDS, n);
  let best: v128 = n;
  let bestSeparation: f32 = separation;
  let usesB: bool = false;
  if (dot3(faceB, nB) > <f32>0.9) {
    const axis: v128 = f32x4.neg(rotate3(s.c0, s.c1, s.c2, faceB));
    const value: f32 = axisSeparation(g, axis);
    if (value >= least) {
      best = axis;
      bestSeparation = value;
      usesB = true;
    }
  }
  if (dot3(faceA, n) > <f32>0.9) {
    const value: f32 = axisSeparation(g, faceA);
    const handicap: f32 =
      w3(faceA) > w3(faceB) || changetype<SupportRow>(g + CORES + SUPPORT_ROW_STRIDE).type == CORE_TRIANGLE ? bias : -bias;
    if (value >= least && (!usesB || value > bestSeparation + handicap)) {
      best = withW3(faceA, 0);
      bestSeparation = value;
    }
  }
  return withW3(best, bestSeparation);
}

// The test proper, on a GjkState whose frame and rows are set.
function collide(g: usize, out: usize, cache: usize, margin: f32): u32 {
  const s = changetype<GjkState>(g);
  const cached: u32 = load<u32>(cache);
  let start: v128;
  if (cached != 0) {
    start = unpackDirection(cached);
    const separation: f32 = axisSeparation(g, start);
    if (separation > margin + margin) return writeGap(out, separation);
  } else {
    start = s.t;
    if (!(dot3(start, start) > <f32>1e-24)) start = vec3W(0, 1, 0);
  }

  const coreA = changetype<SupportRow>(g + CORES);
  const coreB = changetype<SupportRow>(g + CORES + SUPPORT_ROW_STRIDE);
  const margins: f32 = coreA.margin + coreB.margin;
  const apart: bool = gjk(g, start) == GJK_APART;
  let n: v128 = start;
  let witness: v128 = start;
  let separation: f32 = 0;
  let deep: bool = false;
  let edges: bool = false;
  let size: f32 = sqrt<f32>(s.scale2);
  // The direction of a v this short is rounding.
  if (apart && s.distance > <f32>2e-5 * size && (s.distance > <f32>0.01 * margins || margins == 0)) {
    n = scale3(s.v, <f32>-1 / s.distance);
    witness = gjkWitness(g);
    separation = axisSeparation(g, n);
    const rounded: f32 = s.distance - margins;
    const bothShrunk: bool = coreA.margin > 0 && coreB.margin > 0 && coreA.type > SHAPE_CAPSULE;
    if (bothShrunk && separation < rounded - max<f32>(<f32>0.01 * rounded, <f32>1e-3 * size)) {
      // Rounding the edges cost some of the distance: ask the true shapes, from here.
      if (gjkOn(g, SOLIDS, n) == GJK_APART && s.distance > <f32>1e-4 * size) {
        const exact: v128 = scale3(s.v, <f32>-1 / s.distance);
        const better: f32 = axisSeparation(g, exact);
        if (better > separation) {
          n = exact;
          separation = better;
          witness = gjkWitness(g);
        }
      } else {
        // They overlap, at edges that the rounded ones do not have.
        deep = true;
        edges = true;
      }
    }
  } else {
    deep = true;
  }
  if (deep) {
    const axis: v128 = deepAxis(g, size, edges);
    n = withW3(axis, 0);
    separation = w3(axis);
    witness = s.witness;
  }
  size = max<f32>(size, sqrt<f32>(dot3(s.t, s.t)));
  const axis: v128 = preferFace(g, n, separation, <f32>4e-7 * size + (deep ? <f32>1e-4 * abs<f32>(separation) : <f32>0));
  n = withW3(axis, 0);
  separation = w3(axis);
  store<u32>(cache, packDirection(n));
  if (separation > margin) return writeGap(out, separation);
  return writeManifold(g, n, separation, witness, out, margin);
}

/**
 * Any two convex shapes (sphere, capsule, box, hull, cylinder, cone; any order of types): at most one manifold of up to 4
 * points. Contract of the narrow phase; `cache` keeps the last normal. initConvex() must have run.
 */
export function collideConvexConvex(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const g: usize = narrowState().roundScratch;
  // A ball or capsule brings a radius of its own: the other core then stays whole, and the result is exact.
  const round: bool = changetype<Shape>(shapeA).type <= SHAPE_CAPSULE || changetype<Shape>(shapeB).type <= SHAPE_CAPSULE;
  writeSupport(g + CORES, shapeA, !round);
  writeSupport(g + CORES + SUPPORT_ROW_STRIDE, shapeB, !round);
  writeSupport(g + SOLIDS, shapeA, false);
  writeSupport(g + SOLIDS + SUPPORT_ROW_STRIDE, shapeB, false);
  setFrame(g, rel);
  return collide(g, out, cache, margin);
}

/**
 * A convex shape A against a triangle B (three rows x y z _ at `triangle`, in the frame of B): contract of the narrow phase,
 * two-sided (the normal is the shortest way out; the caller knows which side counts). initConvex() must have run.
 */
export function collideConvexTriangle(shapeA: usize, triangle: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const g: usize = narrowState().roundScratch;
  writeSupport(g + CORES, shapeA, true); // no change to a ball or capsule
  writeSupport(g + SOLIDS, shapeA, false);
  writeTriangleSupport(g + CORES + SUPPORT_ROW_STRIDE, triangle);
  writeTriangleSupport(g + SOLIDS + SUPPORT_ROW_STRIDE, triangle);
  setFrame(g, rel);
  return collide(g, out, cache, margin);
}

/** Sphere A against hull B: one point. Core inside: out through the nearest face. */
export function collideSphereHull(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  return collideConvexConvex(shapeA, shapeB, rel, out, cache, margin);
}

/** Capsule A against box B: two points on a face or along an edge, else one. Core inside: nearest face or edge. */
export function collideCapsuleBox(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  return collideConvexConvex(shapeA, shapeB, rel, out, cache, margin);
}

/** Capsule A against hull B: two points on a face or along an edge, else one. Core inside: nearest face or edge. */
export function collideCapsuleHull(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  return collideConvexConvex(shapeA, shapeB, rel, out, cache, margin);
}
