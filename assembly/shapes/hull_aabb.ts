// Exact bounds of a turned hull: the extremes of its vertices, four at a time.
import { Aabb, HullBlob } from '../layout.generated';
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
  const end: usize = at + <usize>h.vertexGroups * 48;
  const xx: v128 = splatW(load<f32>(columns));
  const xy: v128 = splatW(load<f32>(columns, 4));
  const xz: v128 = splatW(load<f32>(columns, 8));
  const yx: v128 = splatW(load<f32>(columns, 16));
  const yy: v128 = splatW(load<f32>(columns, 20));
  const yz: v128 = splatW(load<f32>(columns, 24));
  const zx: v128 = splatW(load<f32>(columns, 32));
  const zy: v128 = splatW(load<f32>(columns, 36));
  const zz: v128 = splatW(load<f32>(columns, 40));
  let lowX: v128 = splatW(Infinity);
  let lowY: v128 = lowX;
  let lowZ: v128 = lowX;
  let highX: v128 = splatW(-Infinity);
  let highY: v128 = highX;
  let highZ: v128 = highX;
  for (; at < end; at += 48) {
    const vx: v128 = v128.load(at);
    const vy: v128 = v128.load(at, 16);
    const vz: v128 = v128.load(at, 32);
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
