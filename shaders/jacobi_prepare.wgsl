// Before the first pass, one lane a body: its state. Twins: assembly/study/methods/jacobi_prepare.ts, joint_rows.ts (excess:
// growth_clamp.ts).
#import row
#import row_rope
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

// Speed, m/s or rad/s, at which errors of joints are taken out at most, and what stands for infinity.
const JOINT_PUSH = 10.0;
const JOINT_MOST = 1e30;

// Motion along a row since the start of the step.
fn motion_of(r: u32) -> f32 {
  if (has(FIRST)) { return 0.0; }
  let ids = rows[r].ids;
  let x = bodyStates[ids.y].d - bodyStates[ids.x].d;
  let pa = bodyStates[ids.x].p;
  let pb = bodyStates[ids.y].p;
  let d = rows[r].d;
  let a = rows[r].a;
  let b = rows[r].b;
  let way = d.x * x.x + d.y * x.y + d.z * x.z + (b.x * pb.x + b.y * pb.y + b.z * pb.z) - (a.x * pa.x + a.y * pa.y + a.z * pa.z);
  if (kind_of(ids) != PULLEY) { return way; }
  let e = rope_of(r);
  let da = bodyStates[ids.x].d;
  return way + (e.x * da.x + e.y * da.y + e.z * da.z);
}

// Bias and compliance that take out an error of a joint; `bend` is added to the bias.
fn push_of(r: u32, error: f32, bend: f32) -> vec2f {
  if (params.stabilization == 0u) {
    let push = params.jointRate * error;
    return vec2f(bound_row(push, JOINT_PUSH) + bend, select(rows[r].b.w * params.jointGamma, 0.0, abs(push) > JOINT_PUSH));
  }
  if (params.stabilization == 1u) { return vec2f(bound_row((params.factor * error) / params.h, JOINT_PUSH) + bend, 0.0); }
  return vec2f();
}

// Bias and compliance of a row of a joint. Twin: setJointBias in assembly/study/methods/joint_rows.ts.
fn joint_bias_of(r: u32, kind: u32) -> vec2f {
  let error = rows[r].more.z;
  if (kind == DRIVE) { return vec2f(-error, 0.0); }
  if (kind == LOAD) { return vec2f(); }
  let motion = motion_of(r);
  let way = error + motion;
  if (kind == SPRING) { return vec2f(rows[r].more.w * way, rows[r].b.w); }
  if (kind == LOCK) {
    let rate = rows[r].d.w;
    let middle = rows[r].more.w;
    let past = states[at(COUNT, r)] * params.h;
    let bend = rate * (past + 0.5 * params.h - middle);
    if (params.mode == MODE_RELAX) { return vec2f(bend, 0.0); }
    if (params.mode == MODE_PROJECT) { return vec2f((params.factor * way) / params.h, 0.0); }
    let bent = 0.5 * rate * past * (past - (middle + middle));
    return push_of(r, way + bent, bend);
  }
  var room = JOINT_MOST;
  if (kind == LIMIT) { room = rows[r].d.w; }
  let below = room - motion;
  let side = select(1.0, -1.0, below < way);
  states[at(COUNT, r)] = side;
  let gap = min(way, below);
  var bias = vec2f();
  if (gap > 0.0) {
    bias.x = min(gap, JOINT_MOST) / params.h;
  } else if (params.mode == MODE_PROJECT) {
    bias.x = (params.factor * gap) / params.h;
  } else if (params.mode == MODE_MAIN) {
    bias = push_of(r, gap, 0.0);
  }
  return vec2f(bias.x * side, bias.y);
}

fn length_of(v: vec3f) -> f32 { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// Whether gravity and the repeated impulses leave a body at rest; to the letter: whether it begins the step slowly.
fn at_rest(body: u32) -> bool {
  let extent = bodies[body].angularAccel.w;
  if (params.literal != 0u) { return length_of(bodies[body].v.xyz) + length_of(bodies[body].w.xyz) * extent < params.rest; }
  let v = bodyStates[body].v.xyz;
  let w = bodyStates[body].w.xyz;
  let speed = length_of(v) + length_of(w) * extent;
  let change = length_of(v - bodies[body].v.xyz) + length_of(w - bodies[body].w.xyz) * extent;
  return speed < params.rest && change < params.rest;
}

fn prepare_row(r: u32) {
  let kind = kind_of(rows[r].ids);
  let isNormal = kind == NORMAL;
  let isJoint = kind >= LOCK;
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
    states[at(COUNT, r)] = 0.0;
  }
  if (has(RESTORE)) { z = states[at(KEPT, r)]; }
  if (has(FIND_EXCESS) && isNormal) {
    let previous = states[at(PREVIOUS, r)];
    states[at(EXCESS, r)] = growth_excess(z, previous);
    states[at(PREVIOUS, r)] = z;
  }
  if (has(FIND_EXCESS) && isJoint) {
    let excess = growth_excess(abs(z), abs(states[at(PREVIOUS, r)]));
    states[at(EXCESS, r)] = select(excess, -excess, z < 0.0);
    states[at(PREVIOUS, r)] = z;
  }
  if (has(WARM)) {
    if (!has(FIRST)) {
      let total = states[at(TOTAL, r)];
      states[at(TOTAL, r)] = select(total + z, max(total, abs(z)), isJoint);
      if (kind == LOCK) { states[at(COUNT, r)] = states[at(COUNT, r)] + 1.0; }
    }
    if (isNormal) { z = max(z - states[at(EXCESS, r)], 0.0); }
    if (isJoint) { z = z - states[at(EXCESS, r)]; }
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
  if (params.mode == MODE_PROJECT) { solved = solved && (isNormal || kind == LOCK || kind == LIMIT || kind == PULLEY); }
  if (params.mode == MODE_RELAX) { solved = solved && kind != SPRING; }
  if (!solved) {
    states[at(GAMMA, r)] = -1.0;
    return;
  }
  var bias = vec2f();
  if (isNormal) { bias = bias_of(r); }
  if (isJoint) { bias = joint_bias_of(r, kind); }
  states[at(BIAS, r)] = bias.x;
  states[at(GAMMA, r)] = bias.y;
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  // The last one is the world.
  if (has(FIRST) && i <= params.bodyCount) {
    let v = vec4f(bodies[i].v.xyz, 0.0);
    let w = vec4f(bodies[i].w.xyz, 0.0);
    bodyStates[i] = JacobiBodyState(v, w, v, w, vec4f(), vec4f());
  }
  if (i < params.rowCount) { prepare_row(i); }
}
