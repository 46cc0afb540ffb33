// An iteration on the assembled matrix, one lane a row: its velocity is that without impulses plus its row of A times the
// impulses (Datta 2017, algorithm 2, second loop). One dispatch an iteration: impulses alternate between their two halves, and
// the bodies see them at the end (jacobi_apply.wgsl). MODE_FREE, before the iterations: the velocity without impulses.
// Twin: assembly/study/methods/jacobi_product.ts.
#import row_step

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodyStates: array<JacobiBodyState>;
@group(0) @binding(3) var<storage, read_write> states: array<f32>;
@group(0) @binding(4) var<storage, read> spans: array<vec2u>;
@group(0) @binding(5) var<storage, read> entries: array<vec2u>;

fn product(r: u32) -> f32 {
  var sum = 0.0;
  let end = spans[r].y;
  for (var i = spans[r].x; i < end; i++) { sum = sum + bitcast<f32>(entries[i].y) * states[params.zRead + entries[i].x]; }
  return sum;
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let r = id.x;
  if (r >= params.rowCount) { return; }
  if (params.mode == MODE_FREE) {
    states[at(FREE, r)] = row_speed(r) - product(r);
    states[at(BEFORE, r)] = states[params.zRead + r];
    return;
  }
  let kind = kind_of(rows[r].ids);
  if (kind == SECOND) { return; }
  let isPair = kind == PAIR;
  if (!takes_part(r)) {
    keep_row(r);
    if (isPair) { keep_row(r + 1u); }
    return;
  }
  var u2 = 0.0;
  if (isPair) { u2 = states[at(FREE, r + 1u)] + product(r + 1u); }
  solve_row(r, states[at(FREE, r)] + product(r), u2);
}
