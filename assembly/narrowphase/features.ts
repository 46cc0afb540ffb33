// Supporting features of convex shapes along a direction, as polygons for the manifold: a face (3 or more vertices), an edge
// or line on a round side (2), a point (1).
//
// Out: rows x y z 0 in the frame of A at the end of the GjkState's scratch (FEATURE_A, FEATURE_B) and the outward unit
// normal of the face (counterclockwise seen from outside; zero for edges and points). Round sides are exact: a line or a
// point of the surface. A cap or a base is a regular polygon of CAP_POINTS points fixed to the shape, plus the exact lowest
// point of the rim when the cap is tilted: so points stay put on a standing shape and move smoothly on a tilting one.
import {
  FEATURE_A,
  FEATURE_B,
  FEATURE_NORMALS,
  GjkState,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_SPHERE,
  SUPPORT_ROW_STRIDE,
  SupportRow,
} from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { rotate3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import { putVector, vectorAt } from '../memory/words';
import { SOLIDS, fromB, toB } from './gjk';
import { facePlane, facePolygon, supportFace } from './polyhedron';

/** Vertices of the regular polygon that stands for a cap. */
export const CAP_POINTS: u32 = 16;
/** Tilt (sine) from which the lowest point of a rim is added to the polygon. */
const RIM_TILT: f32 = 1e-4;

// The cap y = h of radius r, facing +y (up) or -y, counterclockwise from outside. n (unit) leans towards the lowest rim point.
function capPolygon(r: f32, h: f32, up: bool, n: v128, out: usize): u32 {
  // Turn by 22.5 degrees: cosine and sine of pi/8.
  const c: f32 = 0.92387953251,
    s0: f32 = 0.38268343236;
  const s: f32 = up ? -s0 : s0; // y up: counterclockwise seen from +y goes from z to x
  const nx: f32 = x3(n),
    nz: f32 = z3(n);
  const tilt2: f32 = nx * nx + nz * nz;
  const rim: bool = sqrt<f32>(tilt2) > RIM_TILT;
  const k: f32 = rim ? r / sqrt<f32>(tilt2) : 0;
  const rx: f32 = nx * k,
    rz: f32 = nz * k;
  let x: f32 = r,
    z: f32 = 0;
  let at: usize = out;
  for (let i: u32 = 0; i < CAP_POINTS; ++i) {
    v128.store(at, vec3W(x, h, z));
    at += 16;
    const nextX: f32 = x * c - z * s;
    const nextZ: f32 = x * s + z * c;
    if (rim) {
      // The rim point lies between this vertex and the next if it is on the inner side of neither.
      const fromThis: f32 = x * rz - z * rx;
      const toNext: f32 = rx * nextZ - rz * nextX;
      const turn: f32 = s < 0 ? -1 : 1;
      const weld: f32 = <f32>1e-3 * r * r;
      if (fromThis * turn > weld && toNext * turn > weld && x * rx + z * rz > 0) {
        v128.store(at, vec3W(rx, h, rz));
        at += 16;
      }
    }
    x = nextX;
    z = nextZ;
  }
  return <u32>((at - out) >> 4);
}

// Feature of the shape in `row` along the unit direction n, both in the frame of the shape.
function localFeature(row: usize, n: v128, out: usize, normalOut: usize): u32 {
  const r = changetype<SupportRow>(row);
  const p0: f32 = r.p0;
  const p1: f32 = r.p1;
  const nx: f32 = x3(n),
    ny: f32 = y3(n),
    nz: f32 = z3(n);
  v128.store(normalOut, splatW(0));
  switch (r.type) {
    case SHAPE_SPHERE: {
      v128.store(out, splatW(0));
      return 1;
    }
    case SHAPE_CAPSULE: {
      // Along the axis the far end is out of reach: the near one alone.
      if (abs<f32>(ny) > <f32>0.9) {
        v128.store(out, vec3W(0, ny > 0 ? p1 : -p1, 0));
        return 1;
      }
      putVector(out, 0, vec3W(0, -p1, 0));
      putVector(out, 1, vec3W(0, p1, 0));
      return 2;
    }
    case SHAPE_BOX: {
      const ax: f32 = abs<f32>(nx),
        ay: f32 = abs<f32>(ny),
        az: f32 = abs<f32>(nz);
      const p2: f32 = r.p2;
      // u x v = the face normal.
      let u: v128, v: v128, f: v128, h: f32;
      if (ax >= ay && ax >= az) {
        f = vec3W(nx >= 0 ? 1 : -1, 0, 0);
        h = p0;
        u = vec3W(0, p1, 0);
        v = vec3W(0, 0, nx >= 0 ? p2 : -p2);
      } else if (ay >= az) {
        f = vec3W(0, ny >= 0 ? 1 : -1, 0);
        h = p1;
        u = vec3W(0, 0, p2);
        v = vec3W(ny >= 0 ? p0 : -p0, 0, 0);
      } else {
        f = vec3W(0, 0, nz >= 0 ? 1 : -1);
        h = p2;
        u = vec3W(p0, 0, 0);
        v = vec3W(0, nz >= 0 ? p1 : -p1, 0);
      }
      const center: v128 = f32x4.mul(f, splatW(h));
      v128.store(normalOut, f);
      putVector(out, 0, f32x4.add(center, f32x4.add(u, v)));
      putVector(out, 1, f32x4.add(center, f32x4.sub(v, u)));
      putVector(out, 2, f32x4.sub(center, f32x4.add(u, v)));
      putVector(out, 3, f32x4.add(center, f32x4.sub(u, v)));
      return 4;
    }
    case SHAPE_HULL: {
      const blob: usize = r.data;
      const face: u32 = supportFace(blob, nx, ny, nz);
      v128.store(normalOut, withW3(facePlane(blob, face), 0));
      return facePolygon(blob, face, out);
    }
    case SHAPE_CYLINDER: {
      const rho: f32 = sqrt<f32>(nx * nx + nz * nz);
      if (abs<f32>(ny) >= rho) {
        const up: bool = ny > 0;
        v128.store(normalOut, withW3(vec3W(0, up ? 1 : -1, 0), rho > RIM_TILT ? 0 : 1));
        return capPolygon(p0, up ? p1 : -p1, up, n, out);
      }
      const k: f32 = p0 / rho;
      putVector(out, 0, vec3W(nx * k, -p1, nz * k));
      putVector(out, 1, vec3W(nx * k, p1, nz * k));
      return 2;
    }
    case SHAPE_CONE: {
      const apex: f32 = r.p2;
      const rho: f32 = sqrt<f32>(nx * nx + nz * nz);
      const height: f32 = apex - p1;
      const side: f32 = <f32>1 / sqrt<f32>(p0 * p0 + height * height);
      // Cosines of the angles of n to the normals of the side (height, radius) and of the base (0, -1).
      const toSide: f32 = (rho * height + ny * p0) * side;
      if (-ny >= toSide) {
        v128.store(normalOut, withW3(vec3W(0, -1, 0), rho > RIM_TILT ? 0 : 1));
        return capPolygon(p0, p1, false, n, out);
      }
      // More than about 25 degrees over the side's normal, or along the axis: the apex alone.
      if (rho < <f32>0.02 || (toSide < <f32>0.9 && ny * height > rho * p0)) {
        v128.store(out, vec3W(0, apex, 0));
        return 1;
      }
      const k: f32 = p0 / rho;
      putVector(out, 0, vec3W(nx * k, p1, nz * k));
      putVector(out, 1, vec3W(0, apex, 0));
      return 2;
    }
    default: {
      // Triangle, two-sided: wound and turned towards n.
      const at: usize = r.data;
      const a: v128 = vectorAt(at, 0),
        b: v128 = vectorAt(at, 1),
        c: v128 = vectorAt(at, 2);
      let f: v128 = cross3(f32x4.sub(b, a), f32x4.sub(c, a));
      const f2: f32 = dot3(f, f);
      f = f2 > 0 ? f32x4.mul(f, splatW(<f32>1 / sqrt<f32>(f2))) : splatW(0);
      const back: bool = dot3(f, n) < 0;
      v128.store(normalOut, back ? f32x4.neg(f) : f);
      putVector(out, 0, withW3(a, 0));
      putVector(out, 1, withW3(back ? c : b, 0));
      putVector(out, 2, withW3(back ? b : c, 0));
      return 3;
    }
  }
}

/** Feature of A along n (unit, frame of A) to FEATURE_A; returns its vertices. */
export function featureA(g: usize, n: v128): u32 {
  return localFeature(g + SOLIDS, n, g + FEATURE_A, g + FEATURE_NORMALS);
}

/** Feature of B against n (unit, frame of A) to FEATURE_B, in the frame of A; returns its vertices. */
export function featureB(g: usize, n: v128): u32 {
  const s = changetype<GjkState>(g);
  const normalOut: usize = g + FEATURE_NORMALS + 16;
  const out: usize = g + FEATURE_B;
  const count: u32 = localFeature(g + SOLIDS + SUPPORT_ROW_STRIDE, f32x4.neg(toB(g, n)), out, normalOut);
  const end: usize = out + ((<usize>count) << 4);
  for (let at: usize = out; at < end; at += 16) v128.store(at, fromB(g, v128.load(at)));
  const normal: v128 = v128.load(normalOut);
  v128.store(normalOut, withW3(rotate3(s.c0, s.c1, s.c2, normal), w3(normal)));
  return count;
}

/**
 * Outward unit normal of the face or round side of a shape that looks most along n (unit, frame of the shape); n itself
 * where there is neither. Lane 3 is 0 for a flat face, 1 otherwise.
 */
export function nearestFaceNormal(row: usize, n: v128): v128 {
  const r = changetype<SupportRow>(row);
  const nx: f32 = x3(n),
    ny: f32 = y3(n),
    nz: f32 = z3(n);
  switch (r.type) {
    case SHAPE_BOX: {
      const ax: f32 = abs<f32>(nx),
        ay: f32 = abs<f32>(ny),
        az: f32 = abs<f32>(nz);
      if (ax >= ay && ax >= az) return vec3W(nx >= 0 ? 1 : -1, 0, 0);
      if (ay >= az) return vec3W(0, ny >= 0 ? 1 : -1, 0);
      return vec3W(0, 0, nz >= 0 ? 1 : -1);
    }
    case SHAPE_HULL: {
      const blob: usize = r.data;
      return withW3(facePlane(blob, supportFace(blob, nx, ny, nz)), 0);
    }
    case SHAPE_CYLINDER: {
      const rho: f32 = sqrt<f32>(nx * nx + nz * nz);
      if (abs<f32>(ny) >= rho) return vec3W(0, ny > 0 ? 1 : -1, 0);
      return withW3(vec3W(nx / rho, 0, nz / rho), 1);
    }
    case SHAPE_CONE: {
      const rho: f32 = sqrt<f32>(nx * nx + nz * nz);
      const height: f32 = r.p2 - r.p1;
      const side: f32 = <f32>1 / sqrt<f32>(r.p0 * r.p0 + height * height);
      if (-ny >= (rho * height + ny * r.p0) * side) return vec3W(0, -1, 0);
      if (!(rho > <f32>1e-6)) return withW3(n, 1);
      const k: f32 = (height * side) / rho;
      return withW3(vec3W(nx * k, r.p0 * side, nz * k), 1);
    }
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE:
      return withW3(n, 1);
    default: {
      const at: usize = r.data;
      const a: v128 = vectorAt(at, 0);
      const f: v128 = cross3(f32x4.sub(vectorAt(at, 1), a), f32x4.sub(vectorAt(at, 2), a));
      const f2: f32 = dot3(f, f);
      if (!(f2 > <f32>1e-36)) return withW3(n, 1);
      const u: v128 = f32x4.mul(f, splatW(<f32>1 / sqrt<f32>(f2)));
      return withW3(dot3(u, n) < 0 ? f32x4.neg(u) : u, 0);
    }
  }
}
