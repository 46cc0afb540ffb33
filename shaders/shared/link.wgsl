// How a link is packed into the 64 bytes that every sweep reads. Twin: assembly/split/link.ts, the same operations in the same
// order.

const LINK_BODY_BITS = 7u;
const LINK_BODY_MASK = 127u;
const LINK_COUNT_SHIFT = 14u;
const LINK_PUSH_SHIFT = 22u;
const LINK_PUSH_MOST = 1023u;
const LINK_UNIT_SHIFT = 11u;
const LINK_UNIT_MOST = 31;
// Exponent of the range of places that unit 0 stands for: 2^-20 m.
const LEAST_RANGE = 20;
// A share has 23 bits: 11 of the turn, 12 behind the twist radius.
const LINK_SHARE_BITS = 12u;
const LINK_SHARE_LOW = 0xfffu;
const LINK_SHARE_HIGH = 0x7ffu;
const LINK_SHARE_MOST = 0x7fffffu;
const ONE_BITS = 0x3f800000u;

// Rows of a link in `points` (SplitPoints, SplitPointFriction), from params.pointRows times its number on.
const POINTS_MASS = 1u;
const POINTS_SEPARATION = 2u;
const POINTS_SURFACE = 3u;
const POINTS_MORE = 4u;
const POINTS_FRICTION = 5u;
const POINTS_HEIGHTS = 7u;

// Rows of the impulses of a link (PointImpulses).
const IMPULSE_LARGEST = 1u;
const IMPULSE_SEPARATION = 2u;
const IMPULSE_EXCESS = 3u;

// 1 / k, or 0 where nothing can move.
fn inverse(k: f32) -> f32 {
  return select(0.0, 1.0 / max(k, 1e-35), k > 0.0);
}

// The nearest whole number to x from 0 to `most`; 0 for NaN.
fn whole(x: f32, most: f32) -> u32 {
  let q = x + 0.5;
  return u32(select(0.0, select(most, q, q < most), q >= 1.0));
}

// A share of 0 to 1 by its exponent and a few bits behind it, `drop` of 23 dropped; 1 is exact, and 0 the last code.
fn pack_part(share: f32, drop: u32, most: u32) -> u32 {
  return min((ONE_BITS - min(bitcast<u32>(share), ONE_BITS)) >> drop, most);
}

// SplitLink.marks: `locals` as in SplitMember, the number of points, SPLIT_LINK_*, share of the speed of pushing out.
fn link_marks(locals: u32, count: u32, flags: u32, pushShare: f32) -> u32 {
  let push = pack_part(pushShare, 18u, LINK_PUSH_MOST);
  return (locals & 0xffffu) | ((locals >> 16u) << LINK_BODY_BITS) | (count << LINK_COUNT_SHIFT) | flags
    | (push << LINK_PUSH_SHIFT);
}

fn count_of(marks: u32) -> u32 {
  return (marks >> LINK_COUNT_SHIFT) & 7u;
}

// Share of the speed of pushing out.
fn push_share_of(marks: u32) -> f32 {
  return bitcast<f32>(ONE_BITS - ((marks >> LINK_PUSH_SHIFT) << 18u));
}

// First of two unit vectors that follow from the unit normal n and stand at right angles to it.
fn first_axis(n: vec3f) -> vec3f {
  let side = select(-1.0, 1.0, n.z >= 0.0);
  let a = -1.0 / (side + n.z);
  let b = n.x * n.y * a;
  return vec3f(1.0 + side * (n.x * n.x * a), side * b, -(side * n.x));
}

// High half of SplitLink.turn: the unit tangent t of the normal n.
fn pack_tangent(n: vec3f, t: vec3f) -> u32 {
  let first = first_axis(n);
  let c = dot(t, first);
  let s = dot(t, cross(n, first));
  // Along the sides of a square instead of a circle: -2 to 2, where whole numbers are the axes.
  let bend = 1.0 - c / (abs(c) + abs(s));
  let way = select(-bend, bend, s >= 0.0);
  return (whole((way + 2.0) * 16384.0, 65536.0) & 0xffffu) << 16u;
}

// The share that softness takes of an impulse, 0 to 1, in the bits that it has.
fn pack_share(share: f32) -> u32 {
  return pack_part(share, 4u, LINK_SHARE_MOST);
}

// Fourth number of SplitLink.centerB: the twist radius, its last bits those of the share.
fn pack_twist(radius: f32, share: u32) -> f32 {
  // A radius of 0 would be no normal number with these bits.
  return bitcast<f32>((bitcast<u32>(max(radius, 1e-30)) & ~LINK_SHARE_LOW) | (share & LINK_SHARE_LOW));
}

// The twist radius in there.
fn twist_radius_of(packed: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(packed) & ~LINK_SHARE_LOW);
}

// Bits between: the unit of places that reach as far as `farthest` (m).
fn pack_unit(farthest: f32) -> u32 {
  let exponent = i32(bitcast<u32>(farthest) >> 23u) - 126; // 2^exponent is beyond it
  return u32(clamp(exponent + LEAST_RANGE, 0, LINK_UNIT_MOST)) << LINK_UNIT_SHIFT;
}

// Unit of the places of points, m: 2^-15 of their range.
fn unit_of(turn: u32) -> f32 {
  return bitcast<f32>((((turn >> LINK_UNIT_SHIFT) & u32(LINK_UNIT_MOST)) + u32(127 - LEAST_RANGE - 15)) << 23u);
}

// A place in 16 bits, in units of `unit`.
fn pack_place(x: f32, unit: f32) -> u32 {
  let size = whole(abs(x) / unit, 32767.0);
  return select(size, 0u - size, x < 0.0) & 0xffffu;
}

// SplitPoints.places of a point.
fn pack_places(x: f32, y: f32, unit: f32) -> u32 {
  return pack_place(x, unit) | (pack_place(y, unit) << 16u);
}

// Places of four points along the first tangent.
fn places_x(places: vec4u, unit: f32) -> vec4f {
  return vec4f(bitcast<vec4i>(places << vec4u(16u)) >> vec4u(16u)) * unit;
}

// Along the second one.
fn places_y(places: vec4u, unit: f32) -> vec4f {
  return vec4f(bitcast<vec4i>(places) >> vec4u(16u)) * unit;
}

// Share that softness takes of an impulse.
fn soft_share_of(turn: u32, packed: f32) -> f32 {
  let low = bitcast<u32>(packed) & LINK_SHARE_LOW;
  return bitcast<f32>(ONE_BITS - ((((turn & LINK_SHARE_HIGH) << LINK_SHARE_BITS) | low) << 4u));
}

// First tangent of a link with the normal n.
fn tangent_of(turn: u32, n: vec3f) -> vec3f {
  let way = f32(turn >> 16u) * (1.0 / 16384.0) - 2.0;
  let c = 1.0 - abs(way);
  let rest = 1.0 - abs(c);
  let s = select(-rest, rest, way >= 0.0);
  let unit = 1.0 / sqrt(c * c + s * s);
  let first = first_axis(n);
  return first * (c * unit) + cross(n, first) * (s * unit);
}

// A symmetric 2x2 block 11 12 22 as numbers of 21 bits; 11 and 22 are not negative.
fn pack_block(block: vec3f) -> vec2u {
  let bits = bitcast<vec3u>(block);
  return vec2u(
    ((bits.x << 1u) & 0xfffff800u) | ((bits.y >> 11u) & 0x7ffu),
    ((bits.z << 1u) & 0xfffff800u) | (bits.y >> 22u),
  );
}

fn block_of(words: vec2u) -> vec3f {
  return bitcast<vec3f>(vec3u(
    (words.x >> 1u) & 0x7ffffc00u,
    ((words.y & 0x7ffu) << 22u) | ((words.x & 0x7ffu) << 11u),
    (words.y >> 1u) & 0x7ffffc00u,
  ));
}
