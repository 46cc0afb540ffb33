// The effect of a step of a row on one of its bodies: M^-1 J' dz times the factor of that side (twin: pushRow in
// assembly/study/methods/row.ts). `parts` is the number of sub-bodies of the body if the factor is that of a sub-body and the
// whole body is meant, else 1. Kernels declare `params`, `rows` and `bodies`.
#import row_rope
#import rows

struct Change {
  v: vec3f,
  w: vec3f,
}

fn change_of(r: u32, body: u32, dz: f32, parts: f32) -> Change {
  let isB = rows[r].ids.y == body;
  let scale = select(rows[r].more.x, rows[r].more.y, isB) / parts;
  if (scale == 0.0) { return Change(vec3f(), vec3f()); }
  let d = rows[r].d.xyz * dz;
  let l = select(-rows[r].a.xyz, rows[r].b.xyz, isB) * dz;
  var push = select(-d, d, isB);
  if (kind_of(rows[r].ids) == PULLEY && !isB) { push = rope_of(r) * dz - d; }
  let m = bodies[body].center.w * scale;
  let i0 = bodies[body].inertia0;
  let i1 = bodies[body].inertia1;
  return Change(
    push * m,
    scale * vec3f(
      i0.x * l.x + i0.w * l.y + i1.x * l.z,
      i0.w * l.x + i0.y * l.y + i1.y * l.z,
      i1.x * l.x + i1.y * l.y + i0.z * l.z,
    ),
  );
}
