// Convex shapes against a heightfield: the cells under the bounds of A, blocks of 8 x 8 cells whose heights miss A skipped,
// each triangle tested by triangle.ts. No tree: the grid tells where triangles are.
import { HEIGHT_RANGE_STRIDE, HeightRange, HeightfieldBlob, Surface } from '../layout.generated';
import { splatW } from '../math/lane';
import { writeManifolds } from './cluster';
import { GAP_FRACTION, beginSurface, boxDistance, endWithoutContact } from './mesh';
import { loadHeightfieldTriangle, sampleAt } from './surface';
import { collideTriangle, triangleBound } from './triangle';

// Cell that holds coordinate x (already relative to the origin, in cells), within 0..last. NaN gives 0.
function cellOf(x: f32, last: i32): i32 {
  return x > 0 ? (x < <f32>last ? <i32>x : last) : 0;
}

/** Contact pass (`bounding` false): tests every triangle within `grow` of A's box. Bound pass: lowers c.bound instead. */
function sweep(c: Surface, grow: f32, bounding: bool): void {
  const blob: usize = c.blob;
  const h = changetype<HeightfieldBlob>(blob);
  const reachB: v128 = f32x4.add(c.halfB, splatW(grow));
  const low: v128 = f32x4.sub(c.centerB, reachB);
  const high: v128 = f32x4.add(c.centerB, reachB);
  const lowX: f32 = f32x4.extract_lane(low, 0);
  const lowY: f32 = f32x4.extract_lane(low, 1);
  const lowZ: f32 = f32x4.extract_lane(low, 2);
  const highX: f32 = f32x4.extract_lane(high, 0);
  const highY: f32 = f32x4.extract_lane(high, 1);
  const highZ: f32 = f32x4.extract_lane(high, 2);
  const lastI: i32 = <i32>h.nx - 2;
  const lastJ: i32 = <i32>h.nz - 2;
  // A hair wider than the box: cell borders are rounded.
  const slackX: f32 = <f32>1e-3;
  const fromX: f32 = (lowX - h.originX) * h.invSpacingX - slackX;
  const toX: f32 = (highX - h.originX) * h.invSpacingX + slackX;
  const fromZ: f32 = (lowZ - h.originZ) * h.invSpacingZ - slackX;
  const toZ: f32 = (highZ - h.originZ) * h.invSpacingZ + slackX;
  if (toX < 0 || toZ < 0 || fromX > <f32>(lastI + 1) || fromZ > <f32>(lastJ + 1)) return;
  if (lowY > h.maxY || highY < h.minY) return;
  const i0: i32 = cellOf(fromX, lastI);
  const i1: i32 = cellOf(toX, lastI);
  const j0: i32 = cellOf(fromZ, lastJ);
  const j1: i32 = cellOf(toZ, lastJ);
  const blocks: usize = blob + h.blocksOffset;
  for (let bj: i32 = j0 >> 3; bj <= j1 >> 3; ++bj) {
    for (let bi: i32 = i0 >> 3; bi <= i1 >> 3; ++bi) {
      const block = changetype<HeightRange>(blocks + <usize>(<u32>bj * h.blocksX + <u32>bi) * HEIGHT_RANGE_STRIDE);
      if (!(block.low <= highY && block.high >= lowY)) continue;
      const endJ: i32 = min<i32>(j1, (bj << 3) + 7);
      const endI: i32 = min<i32>(i1, (bi << 3) + 7);
      for (let j: i32 = max<i32>(j0, bj << 3); j <= endJ; ++j) {
        for (let i: i32 = max<i32>(i0, bi << 3); i <= endI; ++i) {
          for (let half: u32 = 0; half < 2; ++half) {
            const a: v128 = sampleAt(blob, i, j);
            const b: v128 = sampleAt(blob, i + 1, j + 1);
            const d: v128 = half == 0 ? sampleAt(blob, i, j + 1) : sampleAt(blob, i + 1, j);
            const min3: v128 = f32x4.pmin(f32x4.pmin(a, b), d);
            const max3: v128 = f32x4.pmax(f32x4.pmax(a, b), d);
            const apart: v128 = v128.or(f32x4.gt(min3, high), f32x4.lt(max3, low));
            if ((i32x4.bitmask(apart) & 2) != 0) continue;
            if (!loadHeightfieldTriangle(c, i, j, half)) continue;
            if (bounding) c.bound = min<f32>(c.bound, max<f32>(boxDistance(c, min3, max3), triangleBound(c)));
            else collideTriangle(c);
          }
        }
      }
    }
  }
}

/**
 * Convex shape A (sphere, capsule, box, hull, cylinder, cone) against heightfield B: as collideConvexMesh;
 * ManifoldOut.feature is the triangle's index in the grid (HeightfieldBlob).
 */
export function collideConvexHeightfield(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const c = beginSurface(shapeA, shapeB, rel, cache, margin);
  sweep(c, margin, false);
  if (c.clusterCount != 0) return writeManifolds(c, out, cache);
  const grow: f32 = margin + GAP_FRACTION * c.extent;
  c.bound = grow;
  sweep(c, grow, true);
  return endWithoutContact(out, cache, c.bound);
}
