// An iteration, first half, one lane a row: its step from the velocities of its bodies (Datta 2017, approach 1, eq. 2-3). With
// atomic sums the lane also adds what the step does to both bodies (eq. 4). WGSL has no atomic addition of floats:
//   FIXED_POINT        atomicAdd of integers, JacobiBody.scales to the unit. Integers may be added in any order: the same
//                      sums every time. An addend that could take a sum beyond 32 bits sets sums[0]; then the step is void
//   COMPARE_EXCHANGE   a loop until nobody came between, as in the paper. The order of additions, and with it the last
//                      bits, are those of the moment
// With SEGMENTED sums the second half (jacobi_apply.wgsl) adds them body by body. Twin: assembly/study/methods/jacobi_rows.ts.
#import row_step
#import row_push

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

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let r = id.x;
  if (r >= params.rowCount) { return; }
  if (params.mode == MODE_SCATTER) {
    scatter(r);
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
  if (isPair) { u2 = row_speed(r + 1u); }
  solve_row(r, row_speed(r), u2);
  scatter(r);
  if (isPair) { scatter(r + 1u); }
}
