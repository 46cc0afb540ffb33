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
