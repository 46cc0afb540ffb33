// Exact bounds of a turned hull: the extremes of its vertices, four at a time.
import { Aabb, HullBlob, Rotation, VECTOR_LANES_STRIDE, VectorLanes } from '../layout.generated';
import { dotW, splatW } from '../math/lane';

function least(v: v128): f32 {
  return min<f32>(
    min<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    min<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}
function most(v: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max<f32>(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

/**
 * Bounds of a hull turned by a rotation, relative to the shape origin (no translation). `blob` is a HullBlob; `columns`
 * points at the images of x, y, z (16 bytes each, the fourth float is not read, so a RelPose will do); `out` is an Aabb.
 */
export function hullBounds(blob: usize, columns: usize, out: usize): void {
  const h = changetype<HullBlob>(blob);
  let at: usize = blob + h.verticesWOffset;
  const end: usize = at + <usize>h.vertexGroups * VECTOR_LANES_STRIDE;
  const r = changetype<Rotation>(columns);
  const xx: v128 = splatW(r.xx);
  const xy: v128 = splatW(r.xy);
  const xz: v128 = splatW(r.xz);
  const yx: v128 = splatW(r.yx);
  const yy: v128 = splatW(r.yy);
  const yz: v128 = splatW(r.yz);
  const zx: v128 = splatW(r.zx);
  const zy: v128 = splatW(r.zy);
  const zz: v128 = splatW(r.zz);
  let lowX: v128 = splatW(Infinity);
  let lowY: v128 = lowX;
  let lowZ: v128 = lowX;
  let highX: v128 = splatW(-Infinity);
  let highY: v128 = highX;
  let highZ: v128 = highX;
  for (; at < end; at += VECTOR_LANES_STRIDE) {
    const four = changetype<VectorLanes>(at);
    const vx: v128 = four.x;
    const vy: v128 = four.y;
    const vz: v128 = four.z;
    const x: v128 = dotW(xx, yx, zx, vx, vy, vz);
    const y: v128 = dotW(xy, yy, zy, vx, vy, vz);
    const z: v128 = dotW(xz, yz, zz, vx, vy, vz);
    lowX = f32x4.pmin(lowX, x);
    lowY = f32x4.pmin(lowY, y);
    lowZ = f32x4.pmin(lowZ, z);
    highX = f32x4.pmax(highX, x);
    highY = f32x4.pmax(highY, y);
    highZ = f32x4.pmax(highZ, z);
  }
  const o = changetype<Aabb>(out);
  o.minX = least(lowX);
  o.minY = least(lowY);
  o.minZ = least(lowZ);
  o.maxX = most(highX);
  o.maxY = most(highY);
  o.maxZ = most(highZ);
}
