// Before the first pass, one lane a body: its state. Twin: assembly/study/methods/jacobi_prepare.ts (excess: growth_clamp.ts).
#import row
#import rows

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(3) var<storage, read_write> bodyStates: array<JacobiBodyState>;
@group(0) @binding(4) var<storage, read_write> states: array<f32>;

// Separation of a normal row: linear in the motion since the start of the step.
fn separation_of(r: u32) -> f32 {
  let start = rows[r].more.z;
  // In the first pass nothing has moved, and other lanes are writing the states of the bodies.
  if (has(FIRST)) { return start; }
  let ids = rows[r].ids;
  let x = bodyStates[ids.y].d - bodyStates[ids.x].d;
  let pa = bodyStates[ids.x].p;
  let pb = bodyStates[ids.y].p;
  let d = rows[r].d;
  let a = rows[r].a;
  let b = rows[r].b;
  return start + (d.x * x.x + d.y * x.y + d.z * x.z) + (b.x * pb.x + b.y * pb.y + b.z * pb.z)
    - (a.x * pa.x + a.y * pa.y + a.z * pa.z);
}

// Bias and compliance of a normal row.
fn bias_of(r: u32) -> vec2f {
  let gap = separation_of(r);
  if (gap > 0.0) { return vec2f(gap / params.h, 0.0); }
  let depth = min(gap + params.slop, 0.0);
  if (params.mode == MODE_PROJECT) { return vec2f((params.factor * depth) / params.h, 0.0); }
  if (params.mode == MODE_RELAX) { return vec2f(); }
  if (params.stabilization == 0u) {
    let isStatic = (rows[r].ids.z & STATIC_SIDE) != 0u;
    let rate = select(params.rate, params.rateStatic, isStatic);
    let gamma = select(params.gamma, params.gammaStatic, isStatic);
    return vec2f(max(rate * depth, -params.pushSpeed) * rows[r].more.w, rows[r].b.w * gamma);
  }
  if (params.stabilization == 1u) {
    return vec2f(max((params.factor * depth) / params.h, -params.pushSpeed) * rows[r].more.w, 0.0);
  }
  return vec2f();
}

fn length_of(v: vec3f) -> f32 { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// Whether gravity and the repeated impulses leave a body at rest.
fn at_rest(body: u32) -> bool {
  let extent = bodies[body].angularAccel.w;
  let v = bodyStates[body].v.xyz;
  let w = bodyStates[body].w.xyz;
  let speed = length_of(v) + length_of(w) * extent;
  let change = length_of(v - bodies[body].v.xyz) + length_of(w - bodies[body].w.xyz) * extent;
  return speed < params.rest && change < params.rest;
}

fn prepare_row(r: u32) {
  let kind = kind_of(rows[r].ids);
  let isNormal = kind == NORMAL;
  if (params.mode == MODE_REST) {
    if (at_rest(rows[r].ids.x) && at_rest(rows[r].ids.y)) {
      states[at(REST, r)] = 1.0;
      states[at(GAMMA, r)] = -1.0;
    }
    return;
  }
  var z = states[params.zRead + r];
  if (has(FIRST)) {
    states[at(MOST, r)] = 0.0;
    states[at(TOTAL, r)] = 0.0;
    states[at(REST, r)] = 0.0;
    states[at(PREVIOUS, r)] = z;
  }
  if (has(RESTORE)) { z = states[at(KEPT, r)]; }
  if (has(FIND_EXCESS) && isNormal) {
    let previous = states[at(PREVIOUS, r)];
    states[at(EXCESS, r)] = growth_excess(z, previous);
    states[at(PREVIOUS, r)] = z;
  }
  if (has(WARM)) {
    if (!has(FIRST)) { states[at(TOTAL, r)] = states[at(TOTAL, r)] + z; }
    if (isNormal) { z = max(z - states[at(EXCESS, r)], 0.0); }
    z = z * params.warmStart;
    states[at(STEP, r)] = z;
  }
  if (has(KEEP)) {
    states[at(KEPT, r)] = z;
    z = 0.0;
  }
  states[params.zRead + r] = z;
  if (params.mode == MODE_NONE) { return; }
  var solved = states[at(REST, r)] == 0.0;
  if (params.mode == MODE_PROJECT) { solved = solved && isNormal; }
  if (!solved) {
    states[at(GAMMA, r)] = -1.0;
    return;
  }
  var bias = vec2f();
  if (isNormal) { bias = bias_of(r); }
  states[at(BIAS, r)] = bias.x;
  states[at(GAMMA, r)] = bias.y;
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (has(FIRST) && i < params.bodyCount) {
    let v = vec4f(bodies[i].v.xyz, 0.0);
    let w = vec4f(bodies[i].w.xyz, 0.0);
    bodyStates[i] = JacobiBodyState(v, w, v, w, vec4f(), vec4f());
  }
  if (i < params.rowCount) { prepare_row(i); }
}
