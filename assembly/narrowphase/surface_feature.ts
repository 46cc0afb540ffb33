// What the triangle tests ask of the convex shape A, in its own frame: how far it reaches along a direction, and the face or
// line it turns towards one. All shapes but the sphere answer; a capsule answers for its core line, with featureRadius beside.
import {
  HullBlob,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  Shape,
  Surface,
} from '../layout.generated';
import { dot3, splatW, vec3W } from '../math/lane';
import { putVector } from '../memory/words';
import { facePlane, facePolygon, polyhedronOf, supportFace, supportMax } from './polyhedron';
import { featureBuffer } from './surface';

/** Vertices of the polygon that stands for a cap or base. */
const CAP_POINTS: u32 = 32;
/**
 * Below this tilt (sine) a cap's polygon stays fixed to the shape, above it one vertex is the lowest point of the rim. The lowest
 * point of a cap that rocks runs along the rim, past the points that are known: it would sink a little in every step, and be
 * pushed out.
 */
const RIM_TILT: f32 = 0.05;

function x3(a: v128): f32 {
  return f32x4.extract_lane(a, 0);
}
function y3(a: v128): f32 {
  return f32x4.extract_lane(a, 1);
}
function z3(a: v128): f32 {
  return f32x4.extract_lane(a, 2);
}

/** Prepares the surface state for shape A: the polyhedron of boxes and hulls, the inner ball, an empty feature. */
export function setShape(c: Surface, shape: usize): void {
  const s = changetype<Shape>(shape);
  const type: u32 = s.type;
  c.shape = shape;
  c.typeA = type;
  c.hull = 0;
  c.featureCount = 0;
  c.featureRadius = 0;
  c.featureDirection = splatW(0);
  if (type == SHAPE_SPHERE) {
    c.inner = s.p0;
  } else if (type == SHAPE_CAPSULE) {
    c.inner = s.p0;
    c.featureRadius = s.p0;
  } else if (type == SHAPE_CYLINDER) {
    c.inner = min<f32>(s.p0, s.p1);
  } else if (type == SHAPE_CONE) {
    c.inner = <f32>0.4 * min<f32>(s.p0, s.p1);
  } else {
    const blob: usize = polyhedronOf(shape, 0);
    c.hull = blob;
    c.inner = changetype<HullBlob>(blob).innerRadius;
  }
}

/** Radius of curvature across the side lines of a capsule, cylinder or cone: of a cone where it is largest, at the base. */
export function sideRadius(c: Surface): f32 {
  const s = changetype<Shape>(c.shape);
  const r: f32 = s.p0;
  return c.typeA == SHAPE_CONE ? (r * sqrt<f32>(4 * s.p1 * s.p1 + r * r)) / (2 * s.p1) : r;
}

/** Largest w . p over shape A, w unit. */
export function reach(c: Surface, w: v128): f32 {
  const s = changetype<Shape>(c.shape);
  switch (c.typeA) {
    case SHAPE_SPHERE:
      return s.p0;
    case SHAPE_CAPSULE:
      return abs<f32>(y3(w)) * s.p1 + s.p0;
    case SHAPE_BOX: {
      const h: v128 = vec3W(s.p0, s.p1, s.p2);
      return dot3(f32x4.abs(w), h);
    }
    case SHAPE_CYLINDER:
      return abs<f32>(y3(w)) * s.p1 + sqrt<f32>(x3(w) * x3(w) + z3(w) * z3(w)) * s.p0;
    case SHAPE_CONE:
      return max<f32>(y3(w) * s.p1, sqrt<f32>(x3(w) * x3(w) + z3(w) * z3(w)) * s.p0 - y3(w) * s.p1);
    default:
      return supportMax(c.hull, x3(w), y3(w), z3(w));
  }
}

/** A point of a cylinder, cone or capsule's core farthest along unit w (the middle of them on a flat cap or a side line). */
export function farthest(c: Surface, w: v128): v128 {
  const s = changetype<Shape>(c.shape);
  const rho: f32 = sqrt<f32>(x3(w) * x3(w) + z3(w) * z3(w));
  const k: f32 = rho > 1e-6 && c.typeA != SHAPE_CAPSULE ? s.p0 / rho : 0;
  const y: f32 = y3(w);
  if (c.typeA == SHAPE_CONE && y * s.p1 > rho * s.p0 - y * s.p1) return vec3W(0, s.p1, 0);
  const height: f32 = c.typeA == SHAPE_CONE ? -s.p1 : abs<f32>(y) < 1e-6 ? 0 : y > 0 ? s.p1 : -s.p1;
  return vec3W(x3(w) * k, height, z3(w) * k);
}

// The cap at y = h of radius r, facing +y or -y: a regular polygon, counterclockwise from outside.
function capPolygon(c: Surface, r: f32, h: f32, up: bool, w: v128, out: usize): u32 {
  const tilt: f32 = sqrt<f32>(x3(w) * x3(w) + z3(w) * z3(w));
  const aligned: bool = tilt > RIM_TILT;
  let x: f32 = aligned ? (x3(w) / tilt) * r : r;
  let z: f32 = aligned ? (z3(w) / tilt) * r : 0;
  const cosine: f32 = 0.98078528; // of 11.25 degrees
  const sine: f32 = up ? <f32>-0.19509032 : <f32>0.19509032;
  for (let i: u32 = 0; i < CAP_POINTS; ++i) {
    v128.store(out + ((<usize>i) << 4), vec3W(x, h, z));
    const turned: f32 = x * cosine - z * sine;
    z = x * sine + z * cosine;
    x = turned;
  }
  c.featurePlane = f32x4.replace_lane(vec3W(0, up ? 1 : -1, 0), 3, up ? h : -h);
  return CAP_POINTS;
}

/** Writes cap +y (up) or -y of a cylinder, or the base of a cone, to the feature buffer; returns its vertices. */
export function capFeature(c: Surface, up: bool, w: v128): u32 {
  const s = changetype<Shape>(c.shape);
  c.featureDirection = splatW(0);
  c.featureCount = capPolygon(c, s.p0, up ? s.p1 : -s.p1, up, w, featureBuffer(c));
  return c.featureCount;
}

/** Writes face `face` of the polyhedron to the feature buffer; returns its vertices. */
export function faceFeature(c: Surface, face: u32): u32 {
  c.featureDirection = splatW(0);
  c.featurePlane = facePlane(c.hull, face);
  c.featureCount = facePolygon(c.hull, face, featureBuffer(c));
  return c.featureCount;
}

/**
 * Writes the feature of A that looks most along unit w to the feature buffer: a face (3 or more vertices, counterclockwise
 * from outside, plane in featurePlane) or a line (2). Returns its vertices. Kept while w does not change.
 */
export function feature(c: Surface, w: v128): u32 {
  if (v128.all_true<i32>(i32x4.eq(c.featureDirection, w)) && c.featureCount != 0) return c.featureCount;
  const out: usize = featureBuffer(c);
  const s = changetype<Shape>(c.shape);
  let count: u32 = 2;
  switch (c.typeA) {
    case SHAPE_CAPSULE:
      putVector(out, 0, vec3W(0, -s.p1, 0));
      putVector(out, 1, vec3W(0, s.p1, 0));
      break;
    case SHAPE_CYLINDER:
      if (abs<f32>(y3(w)) > 0.7) {
        count = capPolygon(c, s.p0, y3(w) > 0 ? s.p1 : -s.p1, y3(w) > 0, w, out);
      } else {
        const k: f32 = s.p0 / sqrt<f32>(x3(w) * x3(w) + z3(w) * z3(w));
        putVector(out, 0, vec3W(x3(w) * k, -s.p1, z3(w) * k));
        putVector(out, 1, vec3W(x3(w) * k, s.p1, z3(w) * k));
      }
      break;
    case SHAPE_CONE: {
      // Between the normals of the base and of the side, whichever is nearer to w.
      const tilt: f32 = sqrt<f32>(x3(w) * x3(w) + z3(w) * z3(w));
      const slant: f32 = sqrt<f32>(4 * s.p1 * s.p1 + s.p0 * s.p0);
      if (-y3(w) > (tilt * 2 * s.p1 + y3(w) * s.p0) / slant) {
        count = capPolygon(c, s.p0, -s.p1, false, w, out);
      } else {
        const k: f32 = tilt > 1e-9 ? s.p0 / tilt : 0;
        putVector(out, 0, vec3W(tilt > 1e-9 ? x3(w) * k : s.p0, -s.p1, z3(w) * k));
        putVector(out, 1, vec3W(0, s.p1, 0));
      }
      break;
    }
    default: {
      const face: u32 = supportFace(c.hull, x3(w), y3(w), z3(w));
      c.featurePlane = facePlane(c.hull, face);
      count = facePolygon(c.hull, face, out);
    }
  }
  c.featureDirection = w;
  c.featureCount = count;
  return count;
}
