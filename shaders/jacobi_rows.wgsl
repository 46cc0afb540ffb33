// An iteration, first half, one lane a row: its step from the velocities of its bodies (Datta 2017, approach 1, eq. 2-3). With
// atomic sums the lane also adds what the step does to both bodies (eq. 4). WGSL has no atomic addition of floats:
//   FIXED_POINT        atomicAdd of integers, JacobiBody.scales to the unit. Integers may be added in any order: the same
//                      sums every time. An addend that could take a sum beyond 32 bits sets sums[0]; then the step is void
//   COMPARE_EXCHANGE   a loop until nobody came between, as in the paper. The order of additions, and with it the last
//                      bits, are those of the moment
// With SEGMENTED sums the second half (jacobi_apply.wgsl) adds them body by body. Twin: assembly/study/methods/jacobi_rows.ts.
#import row_step
#import row_push
#import row_momentum
#import momentum

const SEGMENTED = 0u;
const FIXED_POINT = 1u;
const COMPARE_EXCHANGE = 2u;
override ACCUMULATION: u32 = 0u;

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(3) var<storage, read> bodyStates: array<JacobiBodyState>;
@group(0) @binding(4) var<storage, read_write> states: array<f32>;
@group(0) @binding(5) var<storage, read_write> sums: array<atomic<i32>>;
// Restart test and factors of momentum.
@group(0) @binding(6) var<storage, read_write> momentum: array<f32>;

fn add_fixed(index: u32, x: f32, scale: f32, most: f32) {
  let count = round(x * scale);
  // Bits without the sign are in the order of the numbers, with infinity and NaN at the end; compilers may assume that floats
  // compared are numbers.
  if ((bitcast<u32>(count) & 0x7fffffffu) > bitcast<u32>(most)) {
    atomicStore(&sums[0], 1);
    return;
  }
  atomicAdd(&sums[index], i32(count));
}

fn add_float(index: u32, x: f32) {
  var old = atomicLoad(&sums[index]);
  loop {
    let result = atomicCompareExchangeWeak(&sums[index], old, bitcast<i32>(bitcast<f32>(old) + x));
    if (result.exchanged) { break; }
    old = result.old_value;
  }
}

fn add_change(body: u32, r: u32, dz: f32) {
  if (bodies[body].center.w == 0.0) { return; }
  let change = change_of(r, body, dz, 1.0);
  // Eight words a body, after eight of the flag.
  let first = 8u + body * 8u;
  if (ACCUMULATION == FIXED_POINT) {
    let scales = bodies[body].scales;
    for (var k = 0u; k < 3u; k++) {
      add_fixed(first + k, change.v[k], scales.x, scales.z);
      add_fixed(first + 4u + k, change.w[k], scales.y, scales.z);
    }
  } else {
    for (var k = 0u; k < 3u; k++) {
      add_float(first + k, change.v[k]);
      add_float(first + 4u + k, change.w[k]);
    }
  }
}

fn scatter(r: u32) {
  if (ACCUMULATION == SEGMENTED) { return; }
  let dz = states[at(STEP, r)];
  if (dz == 0.0) { return; }
  add_change(rows[r].ids.x, r, dz);
  add_change(rows[r].ids.y, r, dz);
}

// Solves the unit that begins with a row. Returns its share in the restart test.
fn solve_unit(r: u32, factor: f32) -> f32 {
  let kind = kind_of(rows[r].ids);
  if (kind == SECOND) { return 0.0; }
  let isPair = kind == PAIR;
  if (!takes_part(r)) {
    keep_row(r);
    if (isPair) { keep_row(r + 1u); }
    return 0.0;
  }
  var y = 0.0;
  var y2 = 0.0;
  if (has(MOMENTUM)) {
    y = move_on(r, params.zWrite, factor);
    if (isPair) { y2 = move_on(r + 1u, params.zWrite, factor); }
  }
  var u2 = 0.0;
  if (isPair) { u2 = row_speed(r + 1u); }
  solve_row(r, row_speed(r), u2);
  scatter(r);
  if (isPair) { scatter(r + 1u); }
  if (!has(MOMENTUM)) { return 0.0; }
  let share = turn_of(r, y, states[params.zWrite + r]);
  if (!isPair) { return share; }
  return share + turn_of(r + 1u, y2, states[params.zWrite + r + 1u]);
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let isRow = id.x < params.rowCount;
  if (params.mode == MODE_SCATTER) {
    if (isRow) { scatter(id.x); }
    return;
  }
  var factor = 0.0;
  if (has(MOMENTUM)) { factor = momentum_factor(); }
  var share = 0.0;
  if (isRow) { share = solve_unit(id.x, factor); }
  if (has(MOMENTUM)) { keep_shares(lane, group.x, share); }
}
