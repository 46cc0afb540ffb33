// Support functions of convex cores: what GJK and EPA see of a shape.
//
// A shape is the Minkowski sum of a core and a ball of radius `margin`. Spheres and capsules are a point and a segment with
// their true radius. Flat-faced and conical shapes may be shrunk by a small margin (SHRINK of their least inner radius):
// then touching shapes have cores apart by both margins, and the normal between the cores is well conditioned in f32. The
// rounded shape lies inside the true one; depths are always measured on the true one (shrink 0).
//
// SupportRow (32 bytes in scratch): type, margin, blob or vertex address, unused, p0 p1 p2 p3:
//   segment p1 = half height; box p0 p1 p2 = half extents; cylinder p0 = radius, p1 = half height;
//   cone p0 = radius, p1 = y of the base, p2 = y of the apex; hull p0 p1 p2 = offset, p3 = scale of the vertices;
//   triangle: three rows of 16 bytes at the address.
import {
  HullBlob,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_SPHERE,
  Shape,
  SupportRow,
  VECTOR_LANES_STRIDE,
  VectorLanes,
} from '../layout.generated';
import { dotW, splatW, vec3W } from '../math/lane';
import { scale3, x3, y3, z3 } from '../math/vec3';
import { vectorAt } from '../memory/words';

/** Core type of a triangle, beside the shape types. */
export const CORE_TRIANGLE: u32 = 16;
/** Share of the least inner radius that cores are shrunk by. */
const SHRINK: f32 = 0.1;

/** Writes the core of a convex shape to `row`; `shrunk` asks for the rounded core, else the shape is taken as it is. */
export function writeSupport(row: usize, shape: usize, shrunk: bool): void {
  writeCore(row, shape, shrunk, SHRINK);
}

/** The same with a core that is shrunk by `share` of the least inner radius. */
export function writeShrunk(row: usize, shape: usize, share: f32): void {
  writeCore(row, shape, true, share);
}

/** Radius of a ball that fits into a convex shape: the most that writeShrunk could take away. */
export function innerRadius(shape: usize): f32 {
  const s = changetype<Shape>(shape);
  switch (s.type) {
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE:
      return s.p0;
    case SHAPE_BOX:
      return min<f32>(s.p0, min<f32>(s.p1, s.p2));
    case SHAPE_HULL:
      return changetype<HullBlob>(<usize>s.dataPtr).innerRadius;
    case SHAPE_CYLINDER:
      return min<f32>(s.p0, s.p1);
    case SHAPE_CONE:
      return (2 * s.p0 * s.p1) / (s.p0 + sqrt<f32>(s.p0 * s.p0 + 4 * s.p1 * s.p1));
    default:
      return 0;
  }
}

function writeCore(row: usize, shape: usize, shrunk: bool, share: f32): void {
  const s = changetype<Shape>(shape);
  const r = changetype<SupportRow>(row);
  const type: u32 = s.type;
  const p0: f32 = s.p0;
  const p1: f32 = s.p1;
  r.type = type;
  r.data = s.dataPtr;
  r.p0 = p0;
  r.p1 = p1;
  r.p2 = s.p2;
  r.p3 = 0;
  r.margin = 0;
  switch (type) {
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE: {
      r.margin = p0;
      r.p0 = 0;
      break;
    }
    case SHAPE_BOX: {
      if (shrunk) {
        const m: f32 = share * min<f32>(p0, min<f32>(p1, s.p2));
        r.margin = m;
        r.p0 = p0 - m;
        r.p1 = p1 - m;
        r.p2 = s.p2 - m;
      }
      break;
    }
    case SHAPE_HULL: {
      r.p0 = 0;
      r.p1 = 0;
      r.p2 = 0;
      r.p3 = 1;
      if (shrunk) {
        // Scaled about the centroid: every face moves in by at least share * innerRadius.
        const h = changetype<HullBlob>(<usize>s.dataPtr);
        r.margin = share * h.innerRadius;
        r.p0 = share * h.centroidX;
        r.p1 = share * h.centroidY;
        r.p2 = share * h.centroidZ;
        r.p3 = 1 - share;
      }
      break;
    }
    case SHAPE_CYLINDER: {
      if (shrunk) {
        const m: f32 = share * min<f32>(p0, p1);
        r.margin = m;
        r.p0 = p0 - m;
        r.p1 = p1 - m;
      }
      break;
    }
    case SHAPE_CONE: {
      const side: f32 = sqrt<f32>(p0 * p0 + 4 * p1 * p1);
      // Inscribed ball: r h / (r + side) with h = 2 p1.
      const m: f32 = shrunk ? (share * 2 * p0 * p1) / (p0 + side) : 0;
      r.margin = m;
      r.p1 = -p1 + m;
      r.p2 = p1 - (m * side) / p0; // the sides move in by m: the apex by m over the sine of the half angle
      r.p0 = ((r.p2 - r.p1) * p0) / (2 * p1);
      break;
    }
  }
}

/** Writes a triangle (three rows x y z _ at `vertices`, in the frame of its shape) to `row`: no margin. */
export function writeTriangleSupport(row: usize, vertices: usize): void {
  const r = changetype<SupportRow>(row);
  r.type = CORE_TRIANGLE;
  r.margin = 0;
  r.data = <u32>vertices;
}

// Ties go to the lowest lane of the earliest group; copies behind the last vertex are the last vertex.
function hullSupport(blob: usize, d: v128): v128 {
  const h = changetype<HullBlob>(blob);
  const start: usize = blob + <usize>h.verticesWOffset;
  const end: usize = start + <usize>h.vertexGroups * VECTOR_LANES_STRIDE;
  const x: v128 = v128.shuffle<f32>(d, d, 0, 0, 0, 0);
  const y: v128 = v128.shuffle<f32>(d, d, 1, 1, 1, 1);
  const z: v128 = v128.shuffle<f32>(d, d, 2, 2, 2, 2);
  let best: v128 = splatW(-Infinity);
  let where: v128 = i32x4.splat(<i32>start);
  for (let at: usize = start; at < end; at += VECTOR_LANES_STRIDE) {
    const v = changetype<VectorLanes>(at);
    const s: v128 = dotW(x, y, z, v.x, v.y, v.z);
    const more: v128 = f32x4.gt(s, best);
    where = v128.bitselect(i32x4.splat(<i32>at), where, more);
    best = v128.bitselect(s, best, more);
  }
  let most: f32 = f32x4.extract_lane(best, 0);
  let at: usize = <usize>i32x4.extract_lane(where, 0);
  const s1: f32 = f32x4.extract_lane(best, 1);
  if (s1 > most) {
    most = s1;
    at = <usize>i32x4.extract_lane(where, 1) + 4;
  }
  const s2: f32 = f32x4.extract_lane(best, 2);
  if (s2 > most) {
    most = s2;
    at = <usize>i32x4.extract_lane(where, 2) + 8;
  }
  const s3: f32 = f32x4.extract_lane(best, 3);
  if (s3 > most) at = <usize>i32x4.extract_lane(where, 3) + 12;
  const x0: f32 = load<f32>(at, offsetof<VectorLanes>('x'));
  return vec3W(x0, load<f32>(at, offsetof<VectorLanes>('y')), load<f32>(at, offsetof<VectorLanes>('z')));
}

/** Farthest point of a core along d (any length, not zero), both in the frame of the shape. Without the margin. */
export function supportCore(row: usize, d: v128): v128 {
  const r = changetype<SupportRow>(row);
  switch (r.type) {
    case SHAPE_SPHERE:
      return splatW(0);
    case SHAPE_CAPSULE: {
      const h: f32 = r.p1;
      return vec3W(0, y3(d) >= 0 ? h : -h, 0);
    }
    case SHAPE_BOX:
      return v128.or(v128.load(row, offsetof<SupportRow>('p0')), v128.and(d, i32x4.splat(0x80000000)));
    case SHAPE_HULL:
      return f32x4.add(v128.load(row, offsetof<SupportRow>('p0')), scale3(hullSupport(r.data, d), r.p3));
    case SHAPE_CYLINDER: {
      const x: f32 = x3(d),
        z: f32 = z3(d);
      const h: f32 = r.p1;
      const length: f32 = sqrt<f32>(x * x + z * z);
      // A direction along the axis meets a whole cap: its center keeps the simplex small.
      const k: f32 = length > 1e-15 ? r.p0 / length : 0;
      return vec3W(x * k, y3(d) >= 0 ? h : -h, z * k);
    }
    case SHAPE_CONE: {
      const x: f32 = x3(d),
        y: f32 = y3(d),
        z: f32 = z3(d);
      const length: f32 = sqrt<f32>(x * x + z * z);
      const radius: f32 = r.p0;
      const base: f32 = r.p1;
      const apex: f32 = r.p2;
      if (y * (apex - base) > length * radius) return vec3W(0, apex, 0);
      const k: f32 = length > 1e-15 ? radius / length : 0;
      return vec3W(x * k, base, z * k);
    }
    default: {
      const v: usize = r.data;
      const a: v128 = vectorAt(v, 0),
        b: v128 = vectorAt(v, 1),
        c: v128 = vectorAt(v, 2);
      const sa: f32 = x3(a) * x3(d) + y3(a) * y3(d) + z3(a) * z3(d);
      const sb: f32 = x3(b) * x3(d) + y3(b) * y3(d) + z3(b) * z3(d);
      const sc: f32 = x3(c) * x3(d) + y3(c) * y3(d) + z3(c) * z3(d);
      return sa >= sb && sa >= sc ? a : sb >= sc ? b : c;
    }
  }
}
