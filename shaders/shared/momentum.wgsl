// Nesterov's momentum on the iterations of a method: where the rows and the bodies leave from, and the test that begins it anew. The
// kernels of rows write the sum of each workgroup; those of bodies, the next dispatch, add them up, each workgroup for itself and all
// in the same order. Twin: assembly/study/methods/momentum.ts.
//
// `momentum` is one array of numbers: for even and odd iterations the iterations since it began and the factor of the next one, then
// sums of the workgroups, those of friction after those of normals where they are solved in turn.
// Kernels declare `params` and `momentum` (read_write).
#import rows

const MOMENTUM_HEAD = 4u;

var<workgroup> laneSums: array<f32, LANES>;

// Sum over the lanes of the workgroup, by halves.
fn sum_lanes(lane: u32, x: f32) -> f32 {
  laneSums[lane] = x;
  for (var width = LANES / 2u; width > 0u; width = width / 2u) {
    workgroupBarrier();
    if (lane < width) { laneSums[lane] = laneSums[lane] + laneSums[lane + width]; }
  }
  workgroupBarrier();
  return laneSums[0];
}

// Of this iteration and of the next one.
fn momentum_head(next: bool) -> u32 { return select(0u, 2u, has(ODD) != next); }

// Factor of this iteration.
fn momentum_factor() -> f32 {
  if (has(START)) { return 0.0; }
  return momentum[momentum_head(false) + 1u];
}

// What a workgroup of rows has found, of the lane's rows each.
fn keep_shares(lane: u32, group: u32, share: f32) {
  let sum = sum_lanes(lane, share);
  let first = select(0u, params.groups, params.part == 2u);
  if (lane == 0u) { momentum[MOMENTUM_HEAD + first + group] = sum; }
}

// Share of the change of velocities that the next iteration leaves with.
fn next_factor(lane: u32, group: u32) -> f32 {
  var sum = 0.0;
  for (var part = 0u; part < params.passes; part++) {
    let first = MOMENTUM_HEAD + part * params.groups;
    for (var g = lane; g < params.groups; g += LANES) { sum = sum + momentum[first + g]; }
  }
  let uphill = sum_lanes(lane, sum) > 0.0;
  var age = 1.0;
  if (!has(START)) { age = momentum[momentum_head(false)]; }
  if (uphill) { age = 1.0; }
  let factor = (age - 1.0) / (age + 2.0);
  if (group == 0u && lane == 0u) {
    momentum[momentum_head(true)] = age + 1.0;
    momentum[momentum_head(true) + 1u] = factor;
  }
  return factor;
}
