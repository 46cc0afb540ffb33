// The matrix A = J M^-1 J', sparse, one lane a row (Datta 2017, algorithm 2, first loop): an entry for every row that shares a
// dynamic body. `spans` holds the first entry of each row, made by the CPU from the lengths of the lists; its end comes from
// here. Rows that share both bodies stand in the list of each, and have one entry. Twin:
// assembly/study/methods/jacobi_assemble.ts.
#import row_rope
#import rows

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(3) var<storage, read> lists: array<u32>;
@group(0) @binding(4) var<storage, read_write> spans: array<vec2u>;
// Column and value.
@group(0) @binding(5) var<storage, read_write> entries: array<vec2u>;

// Direction of a row on one of its bodies.
fn direction_on(r: u32, ofB: bool) -> vec3f {
  if (kind_of(rows[r].ids) == PULLEY && !ofB) { return rows[r].d.xyz - rope_of(r); }
  return rows[r].d.xyz;
}

// Effect of an impulse on row q, by one body, on the velocity of row r.
fn entry(r: u32, q: u32, body: u32) -> f32 {
  let rB = rows[r].ids.y == body;
  let qB = rows[q].ids.y == body;
  let rs = select(-1.0, 1.0, rB);
  let qs = select(-rows[q].more.x, rows[q].more.y, qB);
  let d = direction_on(r, rB);
  let e = direction_on(q, qB);
  let l = select(rows[r].a.xyz, rows[r].b.xyz, rB);
  let k = select(rows[q].a.xyz, rows[q].b.xyz, qB);
  let i0 = bodies[body].inertia0;
  let i1 = bodies[body].inertia1;
  let linear = bodies[body].center.w * (d.x * e.x + d.y * e.y + d.z * e.z);
  let x = i0.x * k.x + i0.w * k.y + i1.x * k.z;
  let y = i0.w * k.x + i0.y * k.y + i1.y * k.z;
  let z = i1.x * k.x + i1.y * k.y + i0.z * k.z;
  return rs * qs * (linear + (l.x * x + l.y * y + l.z * z));
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let r = id.x;
  if (r >= params.rowCount) { return; }
  let ids = rows[r].ids;
  let base = params.bodyCount + 1u;
  let dynamicA = bodies[ids.x].center.w > 0.0;
  let dynamicB = bodies[ids.y].center.w > 0.0;
  var n = spans[r].x;
  for (var side = 0u; side < 2u; side++) {
    let body = select(ids.x, ids.y, side == 1u);
    let other = select(ids.y, ids.x, side == 1u);
    if (!select(dynamicA, dynamicB, side == 1u)) { continue; }
    let otherDynamic = select(dynamicB, dynamicA, side == 1u);
    let end = lists[body + 1u];
    for (var i = lists[body]; i < end; i++) {
      let q = lists[base + i];
      let both = otherDynamic && (rows[q].ids.x == other || rows[q].ids.y == other);
      if (side == 1u && both && dynamicA) { continue; }
      var value = entry(r, q, body);
      if (both) { value = value + entry(r, q, other); }
      entries[n] = vec2u(q, bitcast<u32>(value));
      n++;
    }
  }
  spans[r] = vec2u(spans[r].x, n);
}
