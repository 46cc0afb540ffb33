// Axes, errors and masses of a joint from the frames and arms of its bodies. Twin: assembly/split/joint_axes.ts, the same
// operations in the same order.
#import quaternion
#import joint_angles
#import joint_block

// Basis of the linear axes (0-2), the angular axes that are limited or driven (3-5), the direction in which the cone pushes (6),
// basis of the angular axes (7-9): those locked, others at right angles to them.
struct Axes {
  basis: array<vec3f, 10>,
  regular: bool, // away from a swing of half a turn
  swing: f32,
  places: array<f32, 6>,
  gap: vec3f, // errors of the locked axes, linear and angular
  turn: vec3f,
}

fn measure_axes(kind: u32, locked: u32, driven: u32, qa: vec4f, qb: vec4f, e: vec3f) -> Axes {
  let angular = locked >> 3u;
  var out: Axes;
  out.gap = e;
  out.turn = vec3f();
  out.regular = true;
  if (locked == 7u && driven == 0u && kind != JOINT_DISTANCE) {
    for (var i = 0u; i < 10u; i += 7u) {
      out.basis[i] = vec3f(1.0, 0.0, 0.0);
      out.basis[i + 1u] = vec3f(0.0, 1.0, 0.0);
      out.basis[i + 2u] = vec3f(0.0, 0.0, 1.0);
    }
    return out;
  }
  let r = quat_columns(qa);
  let x = r.c0;
  let y = r.c1;
  let z = r.c2;
  if (kind == JOINT_DISTANCE) {
    let size = length_of(e);
    let inverse = inverse_length(size);
    out.basis[0] = select(vec3f(0.0, 1.0, 0.0), e * inverse, inverse > 0.0);
    out.basis[1] = vec3f();
    out.basis[2] = vec3f();
    out.places[0] = size;
  } else {
    let ex = dot(x, e);
    let ey = dot(y, e);
    let ez = dot(z, e);
    out.basis[0] = x;
    out.basis[1] = y;
    out.basis[2] = z;
    out.places[0] = ex;
    out.places[1] = ey;
    out.places[2] = ez;
    if ((locked & 7u) != 7u) {
      out.gap = (x * select(0.0, ex, bit(locked, 0u)) + y * select(0.0, ey, bit(locked, 1u)))
        + z * select(0.0, ez, bit(locked, 2u));
    }
  }
  let turn = quat_between(qa, qb);
  let square = turn.x * turn.x + turn.y * turn.y;
  let swing = swing_of(turn, without_flushed(square));
  let c = axis_z(turn, square);
  let sine = sqrt(c.x * c.x + c.y * c.y);
  let factor = swing_factor(swing, sine);
  let swingX = -(factor * c.y);
  let swingY = factor * c.x;
  let n = swing_axis(c, inverse_length(sine));
  let twist = twist_of(turn);
  // 1 + c.z, whose constants an adapter may take together.
  let sum = 2.0 - 2.0 * square;
  out.basis[6] = -(x * n.x + y * n.y);
  out.swing = swing;
  out.places[3] = swingX;
  out.places[4] = swingY;
  out.places[5] = twist;
  out.regular = is_regular(sum);
  if ((driven >> 3u) != 0u) {
    out.basis[3] = x;
    out.basis[4] = y;
    if ((angular & 3u) == 0u) {
      out.basis[3] = in_world(x, y, z, swing_row_x(n, c, factor, swingY));
      out.basis[4] = in_world(x, y, z, swing_row_y(n, c, factor, swingX));
    }
    out.basis[5] = (z + in_world(x, y, z, c)) * twist_axis_share(sum);
  }
  var a0 = x;
  var a1 = y;
  var a2 = z;
  if (angular == 7u) {
    let k = turn_factor(root_of(square + turn.z * turn.z), turn.w);
    out.turn = (x * (k * turn.x) + y * (k * turn.y)) + z * (k * turn.z);
  } else if (angular == 3u) {
    out.turn = x * swingX + y * swingY;
  } else if (angular == 1u) {
    let held = held_swing_x(c);
    a0 = in_world(x, y, z, held.xyz);
    out.turn = a0 * held.w;
    a2 = cross(a0, y);
  } else if (angular == 2u) {
    let held = held_swing_y(c);
    a1 = in_world(x, y, z, held.xyz);
    out.turn = a1 * held.w;
    a2 = cross(x, a1);
  } else if (angular != 0u) {
    let held = held_z(turn);
    a2 = in_world(x, y, z, held.xyz);
    out.turn = a2 * held.w;
    if (angular == 4u) {
      let way = cross(a2, select(x, y, abs(held.x) > abs(held.y)));
      a1 = way * inverse_length(length_of(way));
      a0 = cross(a1, a2);
    } else if (angular == 5u) {
      let other = held_x(turn);
      a0 = in_world(x, y, z, other.xyz);
      out.turn = a0 * other.w + out.turn;
      a1 = cross(a2, a0);
    } else {
      let other = held_y(turn);
      a1 = in_world(x, y, z, other.xyz);
      out.turn = a1 * other.w + out.turn;
      a0 = cross(a1, a2);
    }
  }
  out.basis[7] = a0;
  out.basis[8] = a1;
  out.basis[9] = a2;
  return out;
}

// A direction along x, y, z of frame A.
fn in_world(x: vec3f, y: vec3f, z: vec3f, a: vec3f) -> vec3f {
  return (x * a.x + y * a.y) + z * a.z;
}

// Determinant over the product of the diagonal below which rounding decides.
const NEAR_SINGULAR = 1e-5;

// Inverse of a block on the axes in `mask` of the basis a b c, zero across them.
fn invert_block(k: Block, a: vec3f, b: vec3f, c: vec3f, mask: u32) -> Block {
  let ka = symmetric(k, a);
  let kb = symmetric(k, b);
  let kc = symmetric(k, c);
  let first = bit(mask, 0u);
  let second = bit(mask, 1u);
  let third = bit(mask, 2u);
  let m12 = select(0.0, dot(a, kb), first && second);
  let m13 = select(0.0, dot(a, kc), first && third);
  let m23 = select(0.0, dot(b, kc), second && third);
  var m11 = select(1.0, dot(a, ka), first);
  var m22 = select(1.0, dot(b, kb), second);
  var m33 = select(1.0, dot(c, kc), third);
  var c11 = m22 * m33 - m23 * m23;
  var c12 = m13 * m23 - m12 * m33;
  var c13 = m12 * m23 - m13 * m22;
  var det = m11 * c11 + m12 * c12 + m13 * c13;
  if (!(det > NEAR_SINGULAR * (m11 * m22 * m33))) {
    m11 += NEAR_SINGULAR * m11;
    m22 += NEAR_SINGULAR * m22;
    m33 += NEAR_SINGULAR * m33;
    c11 = m22 * m33 - m23 * m23;
    c12 = m13 * m23 - m12 * m33;
    c13 = m12 * m23 - m13 * m22;
    det = m11 * c11 + m12 * c12 + m13 * c13;
  }
  let inv = inverse_of(det);
  let i11 = select(0.0, c11 * inv, first);
  let i12 = c12 * inv;
  let i13 = c13 * inv;
  let i22 = select(0.0, (m11 * m33 - m13 * m13) * inv, second);
  let i23 = (m12 * m13 - m11 * m23) * inv;
  let i33 = select(0.0, (m11 * m22 - m12 * m12) * inv, third);
  let u = (a * i11 + b * i12) + c * i13;
  let v = (a * i12 + b * i22) + c * i23;
  let w = (a * i13 + b * i23) + c * i33;
  let col0 = (u * a.x + v * b.x) + w * c.x;
  let col1 = (u * a.y + v * b.y) + w * c.y;
  let zz = u.z * a.z + v.z * b.z + w.z * c.z;
  return Block(vec4f(col0, col1.y), vec4f(col1.z, zz, 0.0, 0.0));
}

// K of one body at an arm.
fn anchor_block(im: vec3f, inertia: Block, r: vec3f) -> Block {
  let x = vec3f(1.0, 0.0, 0.0);
  let y = vec3f(0.0, 1.0, 0.0);
  let z = vec3f(0.0, 0.0, 1.0);
  let c0 = cross(symmetric(inertia, cross(r, x)), r) + x * im;
  let c1 = cross(symmetric(inertia, cross(r, y)), r) + y * im;
  let c2 = cross(symmetric(inertia, cross(r, z)), r) + z * im;
  return Block(vec4f(c0, c1.y), vec4f(c1.z, c2.z, 0.0, 0.0));
}

// The two bodies of a joint.
struct Coupling {
  a: Block,
  b: Block,
  rA: vec3f,
  rB: vec3f,
}

// Velocity between the anchors from a torque impulse; spin of B against A from an impulse at the anchors.
fn slip_of(c: Coupling, torque: vec3f) -> vec3f {
  return cross(symmetric(c.b, torque), c.rB) + cross(symmetric(c.a, torque), c.rA);
}
fn spin_of(c: Coupling, impulse: vec3f) -> vec3f {
  return symmetric(c.b, cross(c.rB, impulse)) + symmetric(c.a, cross(c.rA, impulse));
}
// Spin from a torque impulse while the linear axes hold.
fn held_spin(c: Coupling, linear: Block, torque: vec3f) -> vec3f {
  let held = symmetric(linear, slip_of(c, torque));
  return (symmetric(c.a, torque) + symmetric(c.b, torque)) - spin_of(c, held);
}
// Inverse of the rest of the locked angular axes (of the basis a, b, c) when the linear ones hold.
fn invert_held_spins(pair: Coupling, linear: Block, a: vec3f, b: vec3f, c: vec3f, angular: u32) -> Block {
  if (angular == 0u) { return Block(vec4f(), vec4f()); }
  let c0 = held_spin(pair, linear, vec3f(1.0, 0.0, 0.0));
  let c1 = held_spin(pair, linear, vec3f(0.0, 1.0, 0.0));
  let c2 = held_spin(pair, linear, vec3f(0.0, 0.0, 1.0));
  return invert_block(Block(vec4f(c0, c1.y), vec4f(c1.z, c2.z, 0.0, 0.0)), a, b, c, angular);
}
