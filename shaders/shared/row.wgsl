// A Jacobi step of one row, or of the two tangents of a manifold: impulse, bounds, change (assembly/solver/methods/row.ts).
// Kernels declare `params`, `rows`, `states` (read_write) and `bodyStates`.
#import rows

fn row_speed(r: u32) -> f32 {
  let ids = rows[r].ids;
  let v = bodyStates[ids.y].v - bodyStates[ids.x].v;
  let wa = bodyStates[ids.x].w;
  let wb = bodyStates[ids.y].w;
  let d = rows[r].d;
  let a = rows[r].a;
  let b = rows[r].b;
  return d.x * v.x + d.y * v.y + d.z * v.z + (b.x * wb.x + b.y * wb.y + b.z * wb.z) - (a.x * wa.x + a.y * wa.y + a.z * wa.z);
}

// Bound of a friction row from the normal impulses as they stand.
fn friction_limit(r: u32) -> f32 {
  let ids = rows[r].ids;
  let count = (ids.z >> 8u) & 0xffu;
  var total = 0.0;
  for (var i = 0u; i < count; i++) { total = total + states[params.zRead + ids.w + i]; }
  return rows[r].d.w * total;
}

// The impulse moves on by a step.
fn move_row(r: u32, step: f32) {
  let z = states[params.zRead + r] + step;
  states[params.zWrite + r] = z;
  states[at(STEP, r)] = step;
  if (kind_of(rows[r].ids) == NORMAL) { states[at(MOST, r)] = max(states[at(MOST, r)], z); }
}

fn keep_row(r: u32) {
  states[params.zWrite + r] = states[params.zRead + r];
  states[at(STEP, r)] = 0.0;
}

// Whether a row is solved in this pass.
fn takes_part(r: u32) -> bool {
  if (states[at(GAMMA, r)] < 0.0) { return false; }
  return params.part == 0u || (params.part == 1u) == (kind_of(rows[r].ids) == NORMAL);
}

// Solves a row, or both tangents from the first of them, with velocities u1 and u2.
fn solve_row(r: u32, u1: f32, u2: f32) {
  let z = states[params.zRead + r];
  let kind = kind_of(rows[r].ids);
  let split = rows[r].a.w;
  if (kind == PAIR) {
    let second = states[params.zRead + r + 1u];
    let split2 = rows[r + 1u].a.w;
    var z1 = z - params.omega * quotient(u1, split);
    var z2 = second - params.omega * quotient(u2, split2);
    let limit = friction_limit(r);
    if (z1 * z1 + z2 * z2 > limit * limit) {
      // What slips is held against its motion: one step length for both tangents.
      let slip = params.omega * quotient(1.0, max(split, split2));
      z1 = z - slip * u1;
      z2 = second - slip * u2;
      let scale = min(limit / max(sqrt(z1 * z1 + z2 * z2), 1e-30), 1.0);
      z1 = z1 * scale;
      z2 = z2 * scale;
    }
    move_row(r, z1 - z);
    move_row(r + 1u, z2 - second);
    return;
  }
  let gamma = states[at(GAMMA, r)];
  var next = z - params.omega * quotient(u1 + states[at(BIAS, r)] + gamma * z, split + gamma);
  if (kind == NORMAL) {
    next = max(next, 0.0);
  } else {
    let limit = friction_limit(r);
    next = min(max(next, -limit), limit);
  }
  move_row(r, next - z);
}
