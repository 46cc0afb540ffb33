// Signed distance of two convex shapes with the two nearest points: GJK on the true shapes where they are apart, the normal of
// the contact test where they overlap. Also where a shape that is moved along a line, without turning, first touches another.
//
// The cast is conservative advancement (advance.ts) without the turn: the shapes are apart by f along an axis n, and along n
// they come nearer at a constant rate, so nothing happens for f over that rate. Seen from A only the place of B changes, so a
// round costs one GJK. Distances are those of the true shapes; the normal of the end is that of shrunk cores, which is good to
// the last.
//
// In: a GjkState with its frame and both pairs of rows (setPair). Out: a ManifoldOut of one point, in the frame of A.
import { GjkState, ManifoldOut, SHAPE_CAPSULE, SUPPORT_ROW_STRIDE, Shape, SupportRow } from '../layout.generated';
import { dot3, vec3W } from '../math/lane';
import { addScaled3, scale3, w3 } from '../math/vec3';
import { collideConvexConvex, collideConvexTriangle } from './convex';
import { CORES, GJK_APART, SOLIDS, axisSeparation, gjkOn, gjkWitness, setFrame, supportA } from './gjk';
import { writeGap, writeSingle } from './manifold_out';
import { narrowState } from './state';
import { writeSupport, writeTriangleSupport } from './support';

/** No meeting. */
export const CAST_MISS: f32 = -1;
const MAX_ROUNDS: u32 = 48;
const ROUNDS_OUT: u32 = 4;
/** Distances below this share of the size of the two are measured as overlaps: the direction of so short a way is rounding. */
const NEAR: f32 = 1e-4;
/** A cast ends this near (share of the extent of A, of the distance of the origins). */
const TOUCH: f32 = 1e-5;
const TOUCH_FAR: f32 = 2e-7;

function marginsOf(g: usize, rows: usize): f32 {
  return changetype<SupportRow>(g + rows).margin + changetype<SupportRow>(g + rows + SUPPORT_ROW_STRIDE).margin;
}

/** Writes rows and frame of A against B, or, where shapeB is 0, against the triangle whose rows lie at `triangle`. */
export function setPair(shapeA: usize, shapeB: usize, triangle: usize, rel: usize): void {
  const g: usize = narrowState().roundScratch;
  const round: bool =
    changetype<Shape>(shapeA).type <= SHAPE_CAPSULE || (shapeB != 0 && changetype<Shape>(shapeB).type <= SHAPE_CAPSULE);
  writeSupport(g + CORES, shapeA, !round);
  writeSupport(g + SOLIDS, shapeA, false);
  const b: usize = SUPPORT_ROW_STRIDE;
  if (shapeB != 0) {
    writeSupport(g + CORES + b, shapeB, !round);
    writeSupport(g + SOLIDS + b, shapeB, false);
  } else {
    writeTriangleSupport(g + CORES + b, triangle);
    writeTriangleSupport(g + SOLIDS + b, triangle);
  }
  setFrame(g, rel);
}

function startOf(g: usize): v128 {
  const t: v128 = changetype<GjkState>(g).t;
  return dot3(t, t) > <f32>1e-24 ? t : vec3W(0, 1, 0);
}

/** Whether the shapes of setPair touch. */
export function touches(): bool {
  const g: usize = narrowState().roundScratch;
  const margins: f32 = marginsOf(g, SOLIDS);
  return gjkOn(g, SOLIDS, startOf(g)) != GJK_APART || changetype<GjkState>(g).distance <= margins;
}

// A normal may be that of shrunk shapes, or of a slightly earlier pose. B is moved out along it until the true shapes are a
// little apart. The vector between their nearest points is then a better normal, if there is one: then v is the normal,
// `distance` the separation, `witness` the point of A.
function refined(g: usize, n: v128, separation: f32, size: f32): bool {
  const s = changetype<GjkState>(g);
  const start: v128 = s.t;
  const least: f32 = separation;
  for (let k: u32 = 0; k < ROUNDS_OUT; ++k) {
    s.t = addScaled3(start, n, (k < 2 ? <f32>0.02 : <f32>2e-3) * size - separation);
    const apart: bool = gjkOn(g, SOLIDS, n) == GJK_APART && s.distance > NEAR * size;
    s.t = start;
    if (!apart) continue;
    const finer: v128 = scale3(s.v, <f32>-1 / s.distance);
    const value: f32 = axisSeparation(g, finer);
    if (!(value > separation + <f32>1e-6 * size)) continue;
    n = finer;
    separation = value;
    s.witness = addScaled3(gjkWitness(g), n, changetype<SupportRow>(g + SOLIDS).margin);
  }
  s.v = n;
  s.distance = separation;
  return separation > least;
}

/**
 * Signed distance of the shapes of setPair (the same arguments) along the normal, negative inside; the ManifoldOut at `out` has
 * the normal and the point of A that is nearest to B, or deepest in it. More than `most` is only said to be more.
 */
export function distanceOf(shapeA: usize, shapeB: usize, triangle: usize, rel: usize, out: usize, cache: usize, most: f32): f32 {
  const g: usize = narrowState().roundScratch;
  const s = changetype<GjkState>(g);
  if (gjkOn(g, SOLIDS, startOf(g)) == GJK_APART && s.distance > NEAR * sqrt<f32>(s.scale2)) {
    const separation: f32 = s.distance - marginsOf(g, SOLIDS);
    if (separation > most) {
      writeGap(out, separation);
      return separation;
    }
    const n: v128 = scale3(s.v, <f32>-1 / s.distance);
    writeSingle(out, n, addScaled3(gjkWitness(g), n, changetype<SupportRow>(g + SOLIDS).margin), separation);
    return separation;
  }
  store<u32>(cache, 0);
  const size: f32 = sqrt<f32>(s.scale2);
  const margin: f32 = <f32>0.01 + <f32>2e-3 * size;
  if (shapeB != 0) collideConvexConvex(shapeA, shapeB, rel, out, cache, margin);
  else collideConvexTriangle(shapeA, triangle, rel, out, cache, margin);
  setPair(shapeA, shapeB, triangle, rel);
  const m = changetype<ManifoldOut>(out);
  if (m.count == 0) return m.gap;
  let deepest: v128 = v128.load(out, offsetof<ManifoldOut>('x0'));
  for (let i: u32 = 1; i < m.count; ++i) {
    const p: v128 = v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
    if (w3(p) < w3(deepest)) deepest = p;
  }
  let n: v128 = f32x4.replace_lane(v128.load(out, offsetof<ManifoldOut>('nx')), 3, 0);
  let separation: f32 = w3(deepest);
  if (refined(g, n, separation, size)) {
    n = s.v;
    separation = s.distance;
    deepest = s.witness;
  }
  writeSingle(out, n, deepest, separation);
  return separation;
}

/**
 * Returns the first t in [0, most] at which the shapes of setPair touch while B moves along the unit vector d (frame of A) by t,
 * CAST_MISS if there is none. `guess` is a unit axis from A to B. The ManifoldOut gets the normal and the point of A at that
 * moment, with separation 0, or the depth of an overlap at the start. If `leaving` is false, an overlap at the start from which
 * the shapes move apart counts as a hit. Touching alone is not overlap.
 */
export function castOf(
  shapeA: usize,
  shapeB: usize,
  triangle: usize,
  rel: usize,
  out: usize,
  cache: usize,
  d: v128,
  most: f32,
  guess: v128,
  leaving: bool,
): f32 {
  const g: usize = narrowState().roundScratch;
  const s = changetype<GjkState>(g);
  const start: v128 = s.t;
  const margins: f32 = marginsOf(g, SOLIDS);
  const touch: f32 = TOUCH * max<f32>(changetype<Shape>(shapeA).extent, <f32>0.01) + TOUCH_FAR * sqrt<f32>(dot3(start, start));
  let n: v128 = guess;
  let t: f32 = 0;
  // If the first axis already decides, GJK is not needed.
  let gap: f32 = axisSeparation(g, n);
  let rate: f32 = -dot3(n, d);
  if (gap > touch) {
    if (!(rate * most > gap - touch)) return CAST_MISS;
    t = max<f32>(0, (gap - touch) / rate);
    s.t = addScaled3(start, d, t);
  }
  for (let round: u32 = 0; round < MAX_ROUNDS; ++round) {
    const apart: bool = gjkOn(g, SOLIDS, n) == GJK_APART;
    gap = apart ? s.distance - margins : -Infinity;
    if (apart && s.distance > NEAR * sqrt<f32>(s.scale2)) n = scale3(s.v, <f32>-1 / s.distance);
    if (gap <= touch) break;
    rate = -dot3(n, d);
    if (!(rate * (most - t) > gap - touch)) {
      s.t = start;
      return CAST_MISS;
    }
    t += (gap - touch * <f32>0.5) / rate;
    s.t = addScaled3(start, d, t);
  }
  if (t == 0) {
    // At the start: how deep, and whether they part.
    const depth: f32 = -distanceOf(shapeA, shapeB, triangle, rel, out, cache, Infinity);
    n = v128.load(out, offsetof<ManifoldOut>('nx'));
    rate = -dot3(n, d);
    if (depth > 2 * touch ? leaving && rate <= 0 : !(rate > <f32>1e-4)) return CAST_MISS;
    changetype<ManifoldOut>(out).s0 = depth > 2 * touch ? -depth : 0;
    return 0;
  }
  // The normal: of round cores the one at hand, else of shrunk ones, or better.
  const size: f32 = sqrt<f32>(s.scale2);
  let onA: v128 = supportA(g, SOLIDS, n);
  if (margins > 0 && gap > -Infinity) {
    onA = gjkWitness(g);
    gap = axisSeparation(g, n);
  } else {
    gap = axisSeparation(g, n);
    if (gjkOn(g, CORES, n) == GJK_APART && s.distance > NEAR * size) {
      const rounded: v128 = scale3(s.v, <f32>-1 / s.distance);
      const value: f32 = axisSeparation(g, rounded);
      onA = gjkWitness(g);
      if (value >= gap) {
        gap = value;
        n = rounded;
      }
    }
    if (gap < -2 * touch && refined(g, n, gap, size)) {
      n = s.v;
      gap = s.distance;
      onA = s.witness;
    }
  }
  rate = -dot3(n, d);
  if (gap > 0 && rate > <f32>0.01) t += min<f32>(gap, touch) / rate;
  // The point is one of a core: from there onto the plane that the shapes meet in.
  const plane: f32 = dot3(n, supportA(g, SOLIDS, n)) + changetype<SupportRow>(g + SOLIDS).margin;
  writeSingle(out, n, addScaled3(onA, n, plane - dot3(n, onA)), 0);
  s.t = start;
  return min<f32>(t, most);
}
