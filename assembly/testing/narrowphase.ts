// Test entry of parts of the narrow phase that take or give vectors: results go to the address `out`.
import { GjkState, SUPPORT_ROW_STRIDE, SupportRow, Surface } from '../layout.generated';
import { vec3W } from '../math/lane';
import { closestOnTriangle, segmentTriangle } from '../narrowphase/closest';
import { addContacts, writeManifolds } from '../narrowphase/cluster';
import { castOf, setPair } from '../narrowphase/distance';
import { epa } from '../narrowphase/epa';
import { featureA, featureB, nearestFaceNormal } from '../narrowphase/features';
import { SOLIDS, gjkOn, gjkWitness, packDirection, setFrame, unpackDirection } from '../narrowphase/gjk';
import { nearlyParallel } from '../narrowphase/patch';
import { narrowState } from '../narrowphase/state';
import { innerRadius, supportCore, writeSupport, writeTriangleSupport } from '../narrowphase/support';
import { clampToEdge, edgeAllows, frameEdges, loadTriangle, outsideAround, surface } from '../narrowphase/surface';
import { capFeature, farthest, feature, reach, setShape, sideRadius } from '../narrowphase/surface_feature';

export { writePatch } from '../narrowphase/patch';
export { rayPlane } from '../narrowphase/plane';
export { initNarrowState, reserveNarrowStates } from '../narrowphase/state';
export { innerRadius };

/** Addresses of the state of this thread and of the triangle at hand. */
export function testNarrowState(): usize {
  return changetype<usize>(narrowState());
}
export function testSurfaceState(): usize {
  return changetype<usize>(surface());
}

// The solid of a shape, or of the triangle whose three rows lie at `triangle`.
function writeSolid(row: usize, shape: usize, triangle: usize): void {
  if (triangle != 0) writeTriangleSupport(row, triangle);
  else writeSupport(row, shape, false);
}
function writePair(shapeA: usize, shapeB: usize, rel: usize): usize {
  const g: usize = narrowState().roundScratch;
  setFrame(g, rel);
  writeSupport(g + SOLIDS, shapeA, false);
  writeSupport(g + SOLIDS + SUPPORT_ROW_STRIDE, shapeB, false);
  return g;
}

export function testFeatureA(shape: usize, triangle: usize, x: f32, y: f32, z: f32): u32 {
  const g: usize = narrowState().roundScratch;
  writeSolid(g + SOLIDS, shape, triangle);
  return featureA(g, vec3W(x, y, z));
}
export function testFeatureB(shape: usize, triangle: usize, rel: usize, x: f32, y: f32, z: f32): u32 {
  const g: usize = narrowState().roundScratch;
  setFrame(g, rel);
  writeSolid(g + SOLIDS + SUPPORT_ROW_STRIDE, shape, triangle);
  return featureB(g, vec3W(x, y, z));
}
export function testFaceNormal(shape: usize, triangle: usize, x: f32, y: f32, z: f32, out: usize): void {
  const g: usize = narrowState().roundScratch;
  writeSolid(g + SOLIDS, shape, triangle);
  v128.store(out, nearestFaceNormal(g + SOLIDS, vec3W(x, y, z)));
}
/** The farthest point of a core, and its margin in the lane behind. */
export function testSupport(shape: usize, triangle: usize, shrunk: bool, x: f32, y: f32, z: f32, out: usize): void {
  const row: usize = <usize>narrowState().roundScratch + SOLIDS;
  if (triangle != 0) writeTriangleSupport(row, triangle);
  else writeSupport(row, shape, shrunk);
  const margin: f32 = changetype<SupportRow>(row).margin;
  v128.store(out, f32x4.replace_lane(supportCore(row, vec3W(x, y, z)), 3, margin));
}

/** GJK on the solids: its result; the witness on A and the vector from B to A go to `out`. */
export function testGjk(shapeA: usize, shapeB: usize, rel: usize, out: usize): u32 {
  const g: usize = writePair(shapeA, shapeB, rel);
  const result: u32 = gjkOn(g, SOLIDS, changetype<GjkState>(g).t);
  if (result == 0) v128.store(out, gjkWitness(g));
  v128.store(out + 16, changetype<GjkState>(g).v);
  return result;
}
export function testEpa(shapeA: usize, shapeB: usize, rel: usize, out: usize): void {
  v128.store(out, epa(writePair(shapeA, shapeB, rel)));
}
export function testPackDirection(x: f32, y: f32, z: f32): u32 {
  return packDirection(vec3W(x, y, z));
}
export function testUnpackDirection(packed: u32, out: usize): void {
  v128.store(out, unpackDirection(packed));
}
export function testNearlyParallel(manifold: usize, x: f32, y: f32, z: f32, cosine: f32): bool {
  return nearlyParallel(manifold, vec3W(x, y, z), cosine);
}

// The triangle at hand is that of testSurfaceState().
export function testClosestOnTriangle(x: f32, y: f32, z: f32, out: usize): void {
  v128.store(out, closestOnTriangle(surface(), vec3W(x, y, z)));
}
export function testSegmentTriangle(h: f32): void {
  segmentTriangle(surface(), h);
}
export function testLoadTriangle(index: u32): bool {
  return loadTriangle(surface(), index);
}
export function testFrameEdges(): void {
  const c: Surface = surface();
  c.framed = 0;
  frameEdges(c);
}
export function testEdgeAllows(k: u32, x: f32, y: f32, z: f32): bool {
  return edgeAllows(surface(), k, vec3W(x, y, z));
}
export function testClampToEdge(k: u32, x: f32, y: f32, z: f32, out: usize): void {
  v128.store(out, clampToEdge(surface(), k, vec3W(x, y, z)));
}
export function testOutsideAround(): bool {
  return outsideAround(surface());
}
export function testSetShape(shape: usize): void {
  setShape(surface(), shape);
}
export function testReach(x: f32, y: f32, z: f32): f32 {
  return reach(surface(), vec3W(x, y, z));
}
export function testFarthest(x: f32, y: f32, z: f32, out: usize): void {
  v128.store(out, farthest(surface(), vec3W(x, y, z)));
}
export function testSurfaceFeature(x: f32, y: f32, z: f32): u32 {
  return feature(surface(), vec3W(x, y, z));
}
export function testCapFeature(up: bool, x: f32, y: f32, z: f32): u32 {
  return capFeature(surface(), up, vec3W(x, y, z));
}
export function testSideRadius(): f32 {
  return sideRadius(surface());
}
export function testAddContacts(x: f32, y: f32, z: f32, rows: usize, count: u32): void {
  addContacts(surface(), vec3W(x, y, z), rows, count);
}
export function testWriteManifolds(out: usize, cache: usize): u32 {
  return writeManifolds(surface(), out, cache);
}
/** Casts A against B along d x y z, with -y as a guess of the axis from A to B. */
export function testCast(
  a: usize,
  b: usize,
  rel: usize,
  out: usize,
  cache: usize,
  x: f32,
  y: f32,
  z: f32,
  most: f32,
  leaving: bool,
): f32 {
  setPair(a, b, 0, rel);
  return castOf(a, b, 0, rel, out, cache, vec3W(x, y, z), most, vec3W(0, -1, 0), leaving);
}
