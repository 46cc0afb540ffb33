// The rows of a contact: what impulse each takes, given the velocity that it sees. All solvers of the shaders call these.
// Twin: assembly/rows/row.ts, the same operations in the same order, the same names. A change here is a change there.

// Impulse of a normal row of effective mass `mass`: u with its bias; `share`: the share that softness takes of the old impulse.
fn normal_row(old: f32, u: f32, mass: f32, share: f32) -> f32 {
  return max(0.0, old - mass * u - share * old);
}

// Returns the bias of a soft normal row: a gap may close within the substep; overlap beyond `slop` is pushed out.
fn soft_bias(s: f32, invH: f32, rate: f32, slop: f32, push: f32, pushShare: f32) -> f32 {
  let pushed = max(rate * min(s + slop, 0.0), push);
  return select(pushed * pushShare, s * invH, s > 0.0);
}

// Soft normal row; `softMass` and `share` are those of its spring, which acts where the point is not apart.
fn soft_normal_row(s: f32, old: f32, u: f32, mass: f32, softMass: f32, share: f32) -> f32 {
  return normal_row(old, u, select(softMass, mass, s > 0.0), select(share, 0.0, s > 0.0));
}

// The part of impulse z above twice that of the substep before: a warm start leaves it out.
fn growth_excess(z: f32, before: f32) -> f32 {
  return max(0.0, z - (before + before));
}

// The same of four points.
fn growth_excesses(z: vec4f, before: vec4f) -> vec4f {
  return max(vec4f(), z - (before + before));
}

// Share of an impulse that the last sweep over the rows of a face that is struck may still change (FACE_SWEEPS).
const FACE_SETTLED = 1e-6;

// Whether a sweep over such a face has changed the impulse of a point from `old` to z by more than that.
fn is_unsettled(z: vec4f, old: vec4f) -> bool {
  return any(abs(z - old) > FACE_SETTLED * max(z, old));
}

// z within -bound to bound.
fn bound_row(z: f32, bound: f32) -> f32 {
  return max(-bound, min(bound, z));
}

// Step length for friction that slips: the smaller eigenvalue of the inverse of its 2x2 block K.
fn slip_step(m11: f32, m12: f32, m22: f32) -> f32 {
  let d = m11 - m22;
  return max(0.0, 0.5 * (m11 + m22 - sqrt(d * d + 4.0 * (m12 * m12))));
}

// Factor that brings an impulse of this length back to `bound`; 1 within it.
fn bounded_share(size: f32, bound: f32) -> f32 {
  return min(1.0, bound / max(size, 1e-30)); // 1e-30 keeps 0 / 0 away
}

// A slipping row: old impulses less `slip` times the motion, in the circle of radius `bound`.
fn slide(old: vec2f, slip: f32, v: vec2f, bound: f32) -> vec2f {
  let s = old - slip * v;
  return s * bounded_share(sqrt(s.x * s.x + s.y * s.y), bound);
}

// z in the circle of radius `bound`, else the impulse of a slipping row.
fn in_circle(z: vec2f, old: vec2f, slip: f32, v: vec2f, bound: f32) -> vec2f {
  if (z.x * z.x + z.y * z.y > bound * bound) { return slide(old, slip, v, bound); }
  return z;
}

// Returns new impulses of a circle row: those that end the motion v, with the inverse (11, 12, 22) of its block K, bound by the
// circle.
fn circle_row(old: vec2f, block: vec3f, v: vec2f, bound: f32) -> vec2f {
  let z = vec2f(old.x - (block.x * v.x + block.y * v.y), old.y - (block.y * v.x + block.z * v.y));
  if (z.x * z.x + z.y * z.y > bound * bound) { return slide(old, slip_step(block.x, block.y, block.z), v, bound); }
  return z;
}
