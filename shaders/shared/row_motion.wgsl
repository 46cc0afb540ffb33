// The end of the iterations for a moving body: its motion, its stored velocities, and the change between velocities and the
// projection of positions (project in solve.ts). Kernels declare `params`, `bodyStates` and `saved`. Twin:
// assembly/study/methods/row_motion.ts.
#import rows

// Takes the velocities after an iteration.
fn move_body(body: u32, solvedV: vec3f, solvedW: vec3f) {
  var v = solvedV;
  var w = solvedW;
  if (has(ADVANCE)) {
    bodyStates[body].d = vec4f(bodyStates[body].d.xyz + params.h * v, 0.0);
    bodyStates[body].p = vec4f(bodyStates[body].p.xyz + params.h * w, 0.0);
  }
  if (has(SNAPSHOT)) {
    bodyStates[body].sv = vec4f(v, 0.0);
    bodyStates[body].sw = vec4f(w, 0.0);
  }
  if (has(SAVE)) {
    saved[body * 2u] = vec4f(v, 0.0);
    saved[body * 2u + 1u] = vec4f(w, 0.0);
    v = vec3f();
    w = vec3f();
  }
  if (has(RELOAD)) {
    v = saved[body * 2u].xyz;
    w = saved[body * 2u + 1u].xyz;
  }
  bodyStates[body].v = vec4f(v, 0.0);
  bodyStates[body].w = vec4f(w, 0.0);
}

// The same, or, between two iterations with momentum, the velocities that the next one leaves with.
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
