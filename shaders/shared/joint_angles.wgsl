// Where a joint stands: swing, twist and rotation vector of frame B in frame A, and the axes of swing and twist. Twin:
// assembly/rows/joint_angles.ts, with its arctangent, the same operations in the same order, the same names.
#import quaternion

const LEAST_SWING = 1e-6; // sine of a swing, or half of a turn, below which its axis is not known; also a length of a rod, m
const NEAR_HALF_TURN = 0.1; // 1 + the cosine of a swing: with less, swing and twist count as singular

// Angle of (c, s) in 0 to pi / 2 for s, c >= 0.
fn angle_of(s: f32, c: f32) -> f32 {
  let t = min(s, c) / max(max(s, c), 1e-30);
  let t2 = t * t;
  var p = 0.0028662257 * t2 + -0.0161657367;
  p = p * t2 + 0.0429096138;
  p = p * t2 + -0.07528964;
  p = p * t2 + 0.1065626393;
  p = p * t2 + -0.1420889944;
  p = p * t2 + 0.1999355085;
  p = p * t2 + -0.3333314528;
  let a = t + t * (t2 * p);
  return select(a, 1.5707964 - a, s > c);
}

// Frame b in frame a by the shorter way around: w >= 0.
fn quat_between(a: vec4f, b: vec4f) -> vec4f {
  let g = quat_mul(vec4f(-a.xyz, a.w), b);
  return select(g, -g, g.w < 0.0);
}

// Angle between the z axes of both frames, of g.x^2 + g.y^2.
fn swing_of(g: vec4f, square: f32) -> f32 {
  return 2.0 * angle_of(sqrt(square), sqrt(g.z * g.z + g.w * g.w));
}

// The same for any sign of s, with the sign of s.
fn signed_angle_of(s: f32, c: f32) -> f32 {
  let angle = angle_of(abs(s), c);
  return select(angle, -angle, s < 0.0);
}

// Angle about the mean of both z axes.
fn twist_of(g: vec4f) -> f32 {
  return 2.0 * signed_angle_of(g.z, g.w);
}

// z of frame B in frame A.
fn axis_z(g: vec4f, square: f32) -> vec3f {
  return vec3f(2.0 * (g.x * g.z + g.w * g.y), 2.0 * (g.y * g.z - g.w * g.x), 1.0 - 2.0 * square);
}

// The swing divided by its sine: the factor that makes -c.y and c.x the swing vector.
fn swing_factor(swing: f32, sine: f32) -> f32 {
  return select(1.0, swing / max(sine, LEAST_SWING), sine > LEAST_SWING);
}

// 1 / the sine of a swing or the length of a rod; 0 where that has no direction.
fn inverse_length(size: f32) -> f32 {
  return select(0.0, 1.0 / max(size, LEAST_SWING), size > LEAST_SWING);
}

// The axis of the swing along x and y of frame A.
fn swing_axis(c: vec3f, inverse: f32) -> vec2f {
  return vec2f(select(1.0, -(c.y * inverse), inverse > 0.0), c.x * inverse);
}

// The sum of both z axes, whose product with z of A is `sum`, times this is the twist axis.
fn twist_axis_share(sum: f32) -> f32 {
  return 1.0 / max(sum, NEAR_HALF_TURN);
}

// A twist with the whole turns that bring it nearest to the last one.
fn counted_twist(twist: f32, last: f32) -> f32 {
  return round((last - twist) * 0.15915494) * 6.2831855 + twist;
}

// The factor that makes xyz of a rotation, of length s, its rotation vector.
fn turn_factor(s: f32, w: f32) -> f32 {
  let angle = 2.0 * angle_of(s, w);
  return select(2.0, angle / max(s, LEAST_SWING), s > LEAST_SWING);
}

// Whether the angle of axis 3 to 5 is singular at a swing of half a turn.
fn has_singularity(axis: u32, locked: u32) -> bool {
  return axis == 5u || ((axis == 3u || axis == 4u) && (locked & 24u) == 0u);
}

// Whether a swing is away from half a turn, by z of A times the sum of both z axes.
fn is_regular(sum: f32) -> bool {
  return sum > NEAR_HALF_TURN;
}

// The rows of the swing about x and y of frame A.
fn swing_row_x(n: vec2f, c: vec3f, factor: f32, swingY: f32) -> vec3f {
  let k = factor * c.z;
  return vec3f(n.x * n.x + k * (n.y * n.y), (n.x * n.y) * (1.0 - k), -swingY);
}
fn swing_row_y(n: vec2f, c: vec3f, factor: f32, swingX: f32) -> vec3f {
  let k = factor * c.z;
  return vec3f((n.x * n.y) * (1.0 - k), n.y * n.y + k * (n.x * n.x), swingX);
}

fn over_length(x: f32, size: f32, other: f32) -> f32 {
  return select(other, x / max(size, LEAST_SWING), size > LEAST_SWING);
}

// Rows that hold a locked angle: direction in frame A, error. Of components of the turn.
fn held_x(g: vec4f) -> vec4f {
  let rest = sqrt((g.y * g.y + g.z * g.z) + g.w * g.w);
  return vec4f(
    over_length(g.w, rest, 1.0), over_length(g.z, rest, 0.0), -over_length(g.y, rest, 0.0), 2.0 * signed_angle_of(g.x, rest),
  );
}
fn held_y(g: vec4f) -> vec4f {
  let rest = sqrt((g.x * g.x + g.z * g.z) + g.w * g.w);
  return vec4f(
    -over_length(g.z, rest, 0.0), over_length(g.w, rest, 1.0), over_length(g.x, rest, 0.0), 2.0 * signed_angle_of(g.y, rest),
  );
}
fn held_z(g: vec4f) -> vec4f {
  let rest = sqrt((g.x * g.x + g.y * g.y) + g.w * g.w);
  return vec4f(
    over_length(g.y, rest, 0.0), -over_length(g.x, rest, 0.0), over_length(g.w, rest, 1.0), 2.0 * signed_angle_of(g.z, rest),
  );
}
// Of z of B in the plane of x and z of A, of y and z.
fn held_swing_x(c: vec3f) -> vec4f {
  let size = sqrt(c.x * c.x + c.z * c.z);
  return vec4f(over_length(c.z, size, 1.0), 0.0, -over_length(c.x, size, 0.0), -signed_angle_of(c.y, size));
}
fn held_swing_y(c: vec3f) -> vec4f {
  let size = sqrt(c.y * c.y + c.z * c.z);
  return vec4f(0.0, over_length(c.z, size, 1.0), -over_length(c.y, size, 0.0), signed_angle_of(c.x, size));
}
