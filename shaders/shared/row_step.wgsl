// A Jacobi step of one row, or of the two tangents of a manifold: impulse, bounds, change. Twin: assembly/study/methods/row.ts.
// Kernels declare `params`, `rows`, `states` (read_write) and `bodyStates`.
#import row
#import row_rope
#import rows

fn row_speed(r: u32) -> f32 {
  let ids = rows[r].ids;
  let v = bodyStates[ids.y].v - bodyStates[ids.x].v;
  let wa = bodyStates[ids.x].w;
  let wb = bodyStates[ids.y].w;
  let d = rows[r].d;
  let a = rows[r].a;
  let b = rows[r].b;
  let u = d.x * v.x + d.y * v.y + d.z * v.z + (b.x * wb.x + b.y * wb.y + b.z * wb.z) - (a.x * wa.x + a.y * wa.y + a.z * wa.z);
  if (kind_of(ids) != PULLEY) { return u; }
  let e = rope_of(r);
  let va = bodyStates[ids.x].v;
  return u + (e.x * va.x + e.y * va.y + e.z * va.z);
}

// Bound of a friction row from the impulses that load it, as they stand.
fn friction_limit(r: u32) -> f32 {
  let ids = rows[r].ids;
  let count = (ids.z >> 8u) & 0xffu;
  var total = 0.0;
  if (kind_of(ids) == LOAD) {
    for (var i = 0u; i < count; i++) {
      let z = states[params.zRead + ids.w + i];
      total = total + z * z;
    }
    // Adapters may flush smaller squares.
    return rows[r].d.w * sqrt(select(0.0, total, total > 1e-30)) + rows[r].more.w;
  }
  for (var i = 0u; i < count; i++) { total = total + states[params.zRead + ids.w + i]; }
  return rows[r].d.w * total;
}

// Half of the impulses that a step leaves from: with momentum the half that is written, since other lanes read the other one.
fn departure() -> u32 { return select(params.zRead, params.zWrite, has(MOMENTUM)); }

// The impulse moves on by a step.
fn move_row(r: u32, step: f32) {
  let z = states[departure() + r] + step;
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
  return params.part == 0u || (params.part == 2u) == is_friction(kind_of(rows[r].ids));
}

// Impulse that a scalar row takes after z at velocity u, with the step length `mass`.
fn scalar_row(r: u32, z: f32, u: f32, mass: f32) -> f32 {
  let share = mass * states[at(GAMMA, r)];
  let biased = u + states[at(BIAS, r)];
  let kind = kind_of(rows[r].ids);
  if (kind == NORMAL) { return normal_row(z, biased, mass, share); }
  let free = z - mass * biased - share * z;
  if (kind == LOCK) { return free; }
  if (kind == LIMIT || kind == PULLEY) {
    if (states[at(COUNT, r)] > 0.0) { return max(free, 0.0); }
    return min(free, 0.0);
  }
  if (kind == DRIVE || kind == SPRING) { return bound_row(free, rows[r].d.w); }
  return bound_row(free, friction_limit(r));
}

// Solves a row, or both tangents from the first of them, with velocities u1 and u2.
fn solve_row(r: u32, u1: f32, u2: f32) {
  let z = states[departure() + r];
  let kind = kind_of(rows[r].ids);
  let split = rows[r].a.w;
  if (kind == PAIR) {
    let second = states[departure() + r + 1u];
    let split2 = rows[r + 1u].a.w;
    let free = vec2f(z - params.omega * quotient(u1, split), second - params.omega * quotient(u2, split2));
    let slip = params.omega * quotient(1.0, max(split, split2));
    let next = in_circle(free, vec2f(z, second), slip, vec2f(u1, u2), friction_limit(r));
    move_row(r, next.x - z);
    move_row(r + 1u, next.y - second);
    return;
  }
  let gamma = states[at(GAMMA, r)];
  move_row(r, scalar_row(r, z, u1, params.omega * quotient(1.0, split + gamma)) - z);
}
