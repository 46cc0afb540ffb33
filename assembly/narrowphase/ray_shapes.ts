// Ray casts against convex shapes: sphere, capsule, box, hull, cylinder, cone.
//
// In: a Shape row and a Ray in the frame of the shape. Out: t and, for a hit, a RayHit. Convention for all ray casts:
// returns t in [0, maxT] in lengths of the direction, or -1 for a miss. A ray that starts strictly inside reports t = 0 and
// the normal against its direction. A start on the surface counts as a hit only if the ray goes in.
// Every shape first moves the origin to the point of the ray nearest the shape's center, so that the quadratics keep their
// digits however far away the ray starts; then takes the interval in which the ray is inside.
import {
  HullBlob,
  Ray,
  RayHit,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import { dot3, splatW, vec3W } from '../math/lane';
import { addScaled3, length3, scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';

/** Result of ray casts for a miss. */
export const RAY_MISS: f32 = -1;

// Writes the normal (lanes 0..2) and t, and returns t.
function hit(out: usize, n: v128, t: f32): f32 {
  const h = changetype<RayHit>(out);
  h.nx = x3(n);
  h.ny = y3(n);
  h.nz = z3(n);
  h.t = t;
  return t;
}

// How far outside of the shape a point is, in any monotone measure: negative strictly inside.
function outside(shape: usize, p: v128): f32 {
  const s = changetype<Shape>(shape);
  const a: f32 = s.p0,
    b: f32 = s.p1;
  const x: f32 = x3(p),
    y: f32 = y3(p),
    z: f32 = z3(p);
  switch (s.type) {
    case SHAPE_SPHERE:
      return x * x + y * y + z * z - a * a;
    case SHAPE_CAPSULE: {
      const e: f32 = y - max<f32>(-b, min<f32>(b, y));
      return x * x + e * e + z * z - a * a;
    }
    case SHAPE_BOX:
      return max<f32>(max<f32>(abs<f32>(x) - a, abs<f32>(y) - b), abs<f32>(z) - s.p2);
    case SHAPE_CYLINDER:
      return max<f32>(sqrt<f32>(x * x + z * z) - a, abs<f32>(y) - b);
    case SHAPE_CONE:
      return max<f32>(-b - y, sqrt<f32>(x * x + z * z) * 2 * b - a * (b - y));
    case SHAPE_HULL: {
      const h = changetype<HullBlob>(<usize>s.dataPtr);
      let at: usize = <usize>s.dataPtr + <usize>h.planesOffset;
      const end: usize = at + ((<usize>h.faceCount) << 4);
      let most: f32 = -Infinity;
      for (; at < end; at += 16) {
        const plane: v128 = v128.load(at);
        most = max<f32>(most, dot3(plane, p) - w3(plane));
      }
      return most;
    }
  }
  return Infinity;
}

// First t of the ray p + t d (d unit) on the ball of radius r about (0, y, 0), or Infinity.
function enterBall(p: v128, d: v128, y: f32, r: f32): f32 {
  const q: v128 = f32x4.sub(p, vec3W(0, y, 0));
  const b: f32 = dot3(q, d);
  const l: v128 = addScaled3(q, d, -b); // from the center to the nearest point of the line
  const disc: f32 = r * r - dot3(l, l);
  return disc >= 0 ? -b - sqrt<f32>(disc) : Infinity;
}

// Where the line p + t d enters a shape (d unit, p its point nearest to the origin of the shape): the outward normal there, t in
// lane 3; NaN in lane 3 where it passes by.
function passesBy(): v128 {
  return splatW(NaN);
}

function enterSphere(p: v128, d: v128, radius: f32): v128 {
  const disc: f32 = radius * radius - dot3(p, p);
  if (!(disc >= 0)) return passesBy();
  const enter: f32 = -sqrt<f32>(disc);
  const q: v128 = addScaled3(p, d, enter);
  return withW3(scale3(q, <f32>1 / max<f32>(length3(q), <f32>1e-30)), enter);
}

function enterBox(p: v128, d: v128, s: Shape): v128 {
  let enter: f32 = -Infinity;
  let exit: f32 = Infinity;
  let n: v128 = vec3W(0, 1, 0);
  for (let k: u32 = 0; k < 3; ++k) {
    const pk: f32 = k == 0 ? x3(p) : k == 1 ? y3(p) : z3(p);
    const dk: f32 = k == 0 ? x3(d) : k == 1 ? y3(d) : z3(d);
    const h: f32 = k == 0 ? s.p0 : k == 1 ? s.p1 : s.p2;
    if (dk == 0) {
      if (abs<f32>(pk) > h) return passesBy();
      continue;
    }
    const sign: f32 = dk > 0 ? 1 : -1;
    const near: f32 = (-h * sign - pk) / dk;
    const far: f32 = (h * sign - pk) / dk;
    if (near > enter) {
      enter = near;
      n = k == 0 ? vec3W(-sign, 0, 0) : k == 1 ? vec3W(0, -sign, 0) : vec3W(0, 0, -sign);
    }
    exit = min<f32>(exit, far);
  }
  return enter <= exit ? withW3(n, enter) : passesBy();
}

function enterHull(p: v128, d: v128, blob: usize): v128 {
  let enter: f32 = -Infinity;
  let exit: f32 = Infinity;
  let n: v128 = vec3W(0, 1, 0);
  const h = changetype<HullBlob>(blob);
  let at: usize = blob + <usize>h.planesOffset;
  const end: usize = at + ((<usize>h.faceCount) << 4);
  for (; at < end; at += 16) {
    const plane: v128 = v128.load(at);
    const speed: f32 = dot3(plane, d);
    const height: f32 = w3(plane) - dot3(plane, p);
    if (speed == 0) {
      if (height < 0) return passesBy();
      continue;
    }
    const t: f32 = height / speed;
    if (speed > 0) {
      exit = min<f32>(exit, t);
    } else if (t > enter) {
      enter = t;
      n = plane;
    }
  }
  return enter <= exit ? withW3(n, enter) : passesBy();
}

// A cone of radius a and half height b, for a ray that starts at t = `from`.
function enterCone(p: v128, d: v128, a: f32, b: f32, from: f32): v128 {
  const px: f32 = x3(p),
    py: f32 = y3(p),
    pz: f32 = z3(p);
  const dx: f32 = x3(d),
    dy: f32 = y3(d),
    dz: f32 = z3(d);
  let enter: f32 = Infinity;
  let n: v128 = vec3W(0, 1, 0);
  // rho = k (b - y): side hits between base and apex; of the two roots the nearer valid one.
  const k: f32 = a / (2 * b);
  const up: f32 = b - py;
  const qa: f32 = dx * dx + dz * dz - k * k * dy * dy;
  const qb: f32 = px * dx + pz * dz + k * k * up * dy;
  const qc: f32 = px * px + pz * pz - k * k * up * up;
  const slack: f32 = <f32>2e-6 * b;
  const disc: f32 = qb * qb - qa * qc;
  if (disc >= 0) {
    const q: f32 = -(qb + (qb >= 0 ? sqrt<f32>(disc) : -sqrt<f32>(disc)));
    for (let i: u32 = 0; i < 2; ++i) {
      // Roots q / qa and qc / q; one of them is not finite for a line along the side or through the apex.
      const t: f32 = i == 0 ? q / qa : qc / q;
      if (!(t < enter) || !(t > -Infinity)) continue;
      const y: f32 = py + dy * t;
      if (!(y >= -b - slack && y <= b + slack)) continue;
      // Entering only: the side's outward normal faces the ray.
      const x: f32 = px + dx * t,
        z: f32 = pz + dz * t;
      const rho: f32 = sqrt<f32>(x * x + z * z);
      const side: f32 = <f32>1 / sqrt<f32>(a * a + 4 * b * b);
      const radial: f32 = (2 * b * side) / rho;
      const m: v128 = rho > <f32>1e-6 * a ? vec3W(x * radial, a * side, z * radial) : vec3W(0, 1, 0);
      if (dot3(m, d) > 0 || t < from - slack) continue;
      enter = t;
      n = m;
    }
  }
  if (dy > 0) {
    const t: f32 = (-b - py) / dy;
    const x: f32 = px + dx * t,
      z: f32 = pz + dz * t;
    if (t < enter && t >= from - slack && x * x + z * z <= a * a * <f32>1.000004) {
      enter = t;
      n = vec3W(0, -1, 0);
    }
  }
  return enter < Infinity ? withW3(n, enter) : passesBy();
}

// Half the chord of the line in the infinite cylinder of radius a about y, and in lane 1 where its middle is; NaN if it passes
// by, infinity if it goes along the axis inside.
function chordOf(p: v128, d: v128, a: f32): v128 {
  const px: f32 = x3(p),
    pz: f32 = z3(p);
  const dx: f32 = x3(d),
    dz: f32 = z3(d);
  const qa: f32 = dx * dx + dz * dz;
  if (!(qa > <f32>1e-12)) return px * px + pz * pz > a * a ? passesBy() : f32x4(Infinity, 0, 0, 0);
  const mid: f32 = -(px * dx + pz * dz) / qa;
  const x: f32 = px + dx * mid,
    z: f32 = pz + dz * mid;
  const disc: f32 = a * a - x * x - z * z;
  return disc >= 0 ? f32x4(sqrt<f32>(disc / qa), mid, 0, 0) : passesBy();
}

function unitNormal(n: v128, enter: f32): v128 {
  return withW3(scale3(n, <f32>1 / max<f32>(length3(n), <f32>1e-30)), enter);
}

// A cylinder of radius a and half height b.
function enterCylinder(p: v128, d: v128, a: f32, b: f32): v128 {
  const chord: v128 = chordOf(p, d, a);
  const half: f32 = x3(chord);
  if (!(half >= 0)) return passesBy();
  const py: f32 = y3(p),
    dy: f32 = y3(d);
  let enter: f32 = y3(chord) - half;
  let exit: f32 = y3(chord) + half;
  const x: f32 = (x3(p) + x3(d) * enter) / a,
    z: f32 = (z3(p) + z3(d) * enter) / a;
  let n: v128 = vec3W(x, 0, z);
  if (dy != 0) {
    const sign: f32 = dy > 0 ? 1 : -1;
    const near: f32 = (-b * sign - py) / dy;
    const far: f32 = (b * sign - py) / dy;
    if (near > enter) {
      enter = near;
      n = vec3W(0, -sign, 0);
    }
    exit = min<f32>(exit, far);
  } else if (abs<f32>(py) > b) {
    return passesBy();
  }
  return enter <= exit ? unitNormal(n, enter) : passesBy();
}

// A capsule of radius a around a line from -b to b.
function enterCapsule(p: v128, d: v128, a: f32, b: f32): v128 {
  const chord: v128 = chordOf(p, d, a);
  const half: f32 = x3(chord);
  if (!(half >= 0)) return passesBy();
  const dy: f32 = y3(d);
  const enter: f32 = y3(chord) - half;
  const y: f32 = enter > -Infinity ? y3(p) + dy * enter : dy > 0 ? -Infinity : Infinity;
  if (abs<f32>(y) <= b) return unitNormal(vec3W((x3(p) + x3(d) * enter) / a, 0, (z3(p) + z3(d) * enter) / a), enter);
  const end: f32 = y > 0 ? b : -b;
  const ball: f32 = enterBall(p, d, end, a);
  if (ball == Infinity) return passesBy();
  return unitNormal(scale3(f32x4.sub(addScaled3(p, d, ball), vec3W(0, end, 0)), <f32>1 / a), ball);
}

function enterShape(s: Shape, p: v128, d: v128, from: f32): v128 {
  switch (s.type) {
    case SHAPE_SPHERE:
      return enterSphere(p, d, s.p0);
    case SHAPE_CAPSULE:
      return enterCapsule(p, d, s.p0, s.p1);
    case SHAPE_BOX:
      return enterBox(p, d, s);
    case SHAPE_HULL:
      return enterHull(p, d, s.dataPtr);
    case SHAPE_CYLINDER:
      return enterCylinder(p, d, s.p0, s.p1);
    case SHAPE_CONE:
      return enterCone(p, d, s.p0, s.p1, from);
  }
  return passesBy();
}

/**
 * Casts the Ray at `ray` against a sphere, capsule, box, hull, cylinder or cone, all in the frame of the shape. Returns t
 * (see the head of the file) and writes the RayHit at `out`, or returns RAY_MISS and writes nothing.
 */
export function rayShape(shape: usize, ray: usize, out: usize): f32 {
  const s = changetype<Shape>(shape);
  const r = changetype<Ray>(ray);
  const origin: v128 = vec3W(r.x, r.y, r.z);
  const direction: v128 = vec3W(r.dx, r.dy, r.dz);
  // Scaled before it is squared: a direction of 1e-25 or 1e25 is one, too.
  const largest: f32 = max<f32>(abs<f32>(r.dx), max<f32>(abs<f32>(r.dy), abs<f32>(r.dz)));
  if (!(largest > 0)) return RAY_MISS;
  const scaled: v128 = scale3(direction, <f32>1 / largest);
  const scaledLength: f32 = length3(scaled);
  const d: v128 = scale3(scaled, <f32>1 / scaledLength);
  const unitsPerT: f32 = scaledLength * largest;
  if (outside(shape, origin) < 0) return hit(out, f32x4.neg(d), 0);

  // Lengths along the unit direction from the point nearest the shape's origin.
  const shift: f32 = -dot3(origin, d);
  const n: v128 = enterShape(s, addScaled3(origin, d, shift), d, -shift);
  let t: f32 = w3(n) + shift;
  if (t != t) return RAY_MISS;
  if (t < 0) {
    // Behind the start; a start on the surface may be a rounding behind it.
    const size: f32 = max<f32>(abs<f32>(shift), s.extent);
    if (t < <f32>-4e-7 * size || !(dot3(n, d) < 0)) return RAY_MISS;
    t = 0;
  }
  t /= unitsPerT;
  if (!(t <= r.maxT)) return RAY_MISS;
  return hit(out, n, t);
}
