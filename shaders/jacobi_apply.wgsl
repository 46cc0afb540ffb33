// An iteration, second half, one lane a body: adds what the steps of its rows do to it, in the order of the rows
// (SEGMENTED: the same bits every time, and those of the twin) or from the atomic sums of jacobi_rows.wgsl; then what follows
// the iteration: gravity before it, motion after it. The warm start of Gauss-Seidel and its motion too. Twin:
// assembly/study/methods/jacobi_apply.ts.
#import row_push
#import row_motion
#import momentum

const SEGMENTED = 0u;
const FIXED_POINT = 1u;
override ACCUMULATION: u32 = 0u;

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(3) var<storage, read_write> bodyStates: array<JacobiBodyState>;
@group(0) @binding(4) var<storage, read> states: array<f32>;
// First entry of each body and the end of the last, then rows.
@group(0) @binding(5) var<storage, read> lists: array<u32>;
@group(0) @binding(6) var<storage, read_write> sums: array<atomic<i32>>;
// Velocities while positions are projected, two a body; then, with momentum, those after the last iteration.
@group(0) @binding(7) var<storage, read_write> saved: array<vec4f>;
// Restart test and factors of momentum.
@group(0) @binding(8) var<storage, read_write> momentum: array<f32>;

fn step_of(r: u32) -> f32 {
  if (has(DIFFERENCE)) { return states[params.zRead + r] - states[at(BEFORE, r)]; }
  return states[at(STEP, r)];
}

// Takes a sum and leaves zero for the next iteration.
fn take_sum(index: u32, count: f32) -> f32 {
  let sum = atomicLoad(&sums[index]);
  atomicStore(&sums[index], 0);
  if (ACCUMULATION == FIXED_POINT) { return f32(sum) / count; }
  return bitcast<f32>(sum);
}

// Takes the velocities after an iteration, or, between two iterations with momentum, the velocities that the next one leaves with.
fn leave_body(body: u32, v: vec3f, w: vec3f, factor: f32) {
  if (!has(EXTRAPOLATE)) {
    move_body(body, v, w);
    return;
  }
  let last = (params.bodyCount + body) * 2u;
  var lastV = v;
  var lastW = w;
  if (!has(START)) {
    lastV = saved[last].xyz;
    lastW = saved[last + 1u].xyz;
  }
  saved[last] = vec4f(v, 0.0);
  saved[last + 1u] = vec4f(w, 0.0);
  bodyStates[body].v = vec4f(v + factor * (v - lastV), 0.0);
  bodyStates[body].w = vec4f(w + factor * (w - lastW), 0.0);
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  var factor = 0.0;
  if (has(EXTRAPOLATE)) { factor = next_factor(lane, group.x); }
  let body = id.x;
  if (body >= params.bodyCount) { return; }
  let isDynamic = bodies[body].center.w > 0.0;
  let isMoving = bodies[body].inertia1.z > 0.0;
  if (!isMoving) { return; }
  var v = bodyStates[body].v.xyz;
  var w = bodyStates[body].w.xyz;
  if (isDynamic) {
    if (has(ACCELERATE)) {
      v = v + params.h * bodies[body].accel.xyz;
      w = w + params.h * bodies[body].angularAccel.xyz;
    }
    if (has(SOLVED)) {
      // Nothing to add.
    } else if (ACCUMULATION == SEGMENTED || has(DIFFERENCE)) {
      let parts = bodies[body].scales.w;
      let base = params.bodyCount + 1u;
      let end = lists[body + 1u];
      for (var i = lists[body]; i < end; i++) {
        let r = lists[base + i];
        let dz = step_of(r);
        if (dz == 0.0) { continue; }
        let change = change_of(r, body, dz, parts);
        v = v + change.v;
        w = w + change.w;
      }
    } else {
      let first = 8u + body * 8u;
      let scales = bodies[body].scales;
      v = v + vec3f(take_sum(first, scales.x), take_sum(first + 1u, scales.x), take_sum(first + 2u, scales.x));
      w = w + vec3f(take_sum(first + 4u, scales.y), take_sum(first + 5u, scales.y), take_sum(first + 6u, scales.y));
    }
  }
  leave_body(body, v, w, factor);
}
