// State of every slot at the start of a step, from its body: one lane a slot. A body that has not reported since its GpuBody
// was set has its velocity in its GpuMotion. Twin: assembly/split/spread.ts.
#import layout
#import body_hash
#import locks
#import quaternion
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> slots: array<SplitSlot>;
@group(0) @binding(2) var<storage, read> bodies: array<GpuBody>;
@group(0) @binding(3) var<storage, read> traits: array<GpuTraits>;
@group(0) @binding(4) var<storage, read> motions: array<GpuMotion>;
@group(0) @binding(5) var<storage, read_write> slotStates: array<SplitSlotState>;

// Takes axis a out; b and c are the others: moments, then the products a b, a c, b c.
fn lock_axis(
  a: ptr<function, f32>,
  b: ptr<function, f32>,
  c: ptr<function, f32>,
  ab: ptr<function, f32>,
  ac: ptr<function, f32>,
  bc: ptr<function, f32>,
) {
  let k = select(0.0, 1.0 / *a, *a > 0.0);
  *b = *b - *ab * *ab * k;
  *c = *c - *ac * *ac * k;
  *bc = *bc - *ab * *ac * k;
  *a = *a * LOCK_SHARE;
  *ab = 0.0;
  *ac = 0.0;
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = index_of(id, LANES);
  if (at >= params.count) { return; }
  let ids = slots[at].ids;
  let body = ids.w;
  let j0 = traits[body].inertia0;
  let j1 = traits[body].inertia1;
  // World inverse inertia R J R': columns of R J, then of (R J) R'.
  let r = quat_columns(bodies[body].rotation);
  let b0 = r.c0 * j0.x + r.c1 * j0.y + r.c2 * j0.z;
  let b1 = r.c0 * j0.y + r.c1 * j0.w + r.c2 * j1.x;
  let b2 = r.c0 * j0.z + r.c1 * j1.x + r.c2 * j1.y;
  let w0 = b0 * r.c0.x + b1 * r.c1.x + b2 * r.c2.x;
  let w1 = b0 * r.c0.y + b1 * r.c1.y + b2 * r.c2.y;
  let zz = b0.z * r.c0.z + b1.z * r.c1.z + b2.z * r.c2.z;
  var xx = w0.x;
  var yy = w1.y;
  var z2 = zz;
  var xy = w0.y;
  var xz = w0.z;
  var yz = w1.z;
  // Locked rotations are taken out, one after the other (lockInertia in assembly/bodies/locks.ts).
  let locks = u32(j1.z);
  if ((locks & 8u) != 0u) { lock_axis(&xx, &yy, &z2, &xy, &xz, &yz); }
  if ((locks & 16u) != 0u) { lock_axis(&yy, &xx, &z2, &xy, &yz, &xz); }
  if ((locks & 32u) != 0u) { lock_axis(&z2, &xx, &yy, &xz, &yz, &xy); }
  let motion = motions[body];
  let isQuiet = all(body_hash(bodies[body], body) == hash_of(motion));
  // Of another pose alone, as by another rounding on the CPU, the CPU need not hear.
  let hasVelocity = all(bitcast<vec3u>(bodies[body].v.xyz) == motion.v.xyz);
  let isPlaced = hasVelocity && all(bitcast<vec3u>(bodies[body].w.xyz) == motion.w.xyz);
  let v = vec4f(select(bodies[body].v.xyz, bitcast<vec3f>(motion.v.xyz), isQuiet), 0.0);
  let w = vec4f(select(bodies[body].w.xyz, bitcast<vec3f>(motion.w.xyz), isQuiet), 0.0);
  slotStates[at] = SplitSlotState(
    v,
    w,
    v,
    w,
    vec4f(),
    vec4f(),
    vec4f(0.0, j1.z, j1.w, select(select(0.0, 2.0, isPlaced), 1.0, isQuiet)),
    vec4f(xx, xy, xz, yy),
    vec4f(yz, z2, bodies[body].center.w, 1.0 / f32(max(ids.y, 1u))),
    traits[body].accel,
    traits[body].angularAccel,
  );
}
