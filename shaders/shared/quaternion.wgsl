// Unit quaternions x y z w; the same formulas as its twin, assembly/math/quat.ts.

const FULL_TURN = 6.2831855f;

fn quat_mul(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(
    a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  );
}

fn quat_normalize(q: vec4f) -> vec4f {
  let square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return q * (1.0 / sqrt(square));
}

// The rotation of a rotation vector: a series below a quarter radian, larger angles by halving and squaring, without whole turns.
fn quat_from_rotation_vector(p: vec3f) -> vec4f {
  var v = p;
  var halvings = 0u;
  var a2 = v.x * v.x + v.y * v.y + v.z * v.z;
  if (a2 > FULL_TURN * FULL_TURN) {
    let angle = sqrt(a2);
    let turns = angle * 0.15915494;
    v = v * ((FULL_TURN * (turns - floor(turns))) / angle);
    a2 = v.x * v.x + v.y * v.y + v.z * v.z;
  }
  while (a2 > 0.0625 && halvings < 16u) {
    v = v * 0.5;
    a2 = a2 * 0.25;
    halvings++;
  }
  let h2 = a2 * 0.25;
  let s = 0.5 * (1.0 - h2 * (0.16666667 - h2 * (0.008333334 - h2 * 0.0001984127)));
  let c = 1.0 - h2 * (0.5 - h2 * (0.041666668 - h2 * 0.0013888889));
  var q = vec4f(v * s, c);
  for (; halvings != 0u; halvings--) { q = quat_mul(q, q); }
  return q;
}

// Columns of the matrix of a rotation.
struct Columns {
  c0: vec3f,
  c1: vec3f,
  c2: vec3f,
}

fn quat_columns(q: vec4f) -> Columns {
  let d = q.xyz + q.xyz;
  let xx = q.x * d.x;
  let yy = q.y * d.y;
  let zz = q.z * d.z;
  let xy = q.x * d.y;
  let xz = q.x * d.z;
  let yz = q.y * d.z;
  let wx = q.w * d.x;
  let wy = q.w * d.y;
  let wz = q.w * d.z;
  return Columns(
    vec3f(1.0 - (yy + zz), xy + wz, xz - wy),
    vec3f(xy - wz, 1.0 - (xx + zz), yz + wx),
    vec3f(xz + wy, yz - wx, 1.0 - (xx + yy)),
  );
}

fn columns_rotate(r: Columns, v: vec3f) -> vec3f {
  return r.c0 * v.x + r.c1 * v.y + r.c2 * v.z;
}

// Rotates v by a unit quaternion, through the columns of its matrix.
fn quat_rotate(q: vec4f, v: vec3f) -> vec3f {
  return columns_rotate(quat_columns(q), v);
}
