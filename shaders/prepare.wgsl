// Rows of a step from contacts that stay here: one lane a link. Effective masses follow from the inertia of the bodies and the
// shares of the cells; the impulses and separations of the last step become those of this one.
// Twin: assembly/split/prepare.ts.
#import layout
#import link
#import locks
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> contacts: array<vec4u>;
@group(0) @binding(3) var<storage, read> slotStates: array<SplitSlotState>;
@group(0) @binding(4) var<storage, read_write> links: array<SplitLink>;
@group(0) @binding(5) var<storage, read_write> points: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> impulses: array<vec4f>;

// Inverse mass and inertia of a body, its locks; zero without a slot.
struct Mass {
  inertia0: vec4f,
  inertia1: vec4f,
  locks: f32,
}

fn mass_of(slot: u32) -> Mass {
  if (slot == NONE) { return Mass(vec4f(), vec4f(), 0.0); }
  return Mass(slotStates[slot].inertia0, slotStates[slot].inertia1, slotStates[slot].marks.y);
}

fn inertia_dot(m: Mass, a: vec3f, b: vec3f) -> f32 {
  let x = m.inertia0.x * b.x + m.inertia0.y * b.y + m.inertia0.z * b.z;
  let y = m.inertia0.y * b.x + m.inertia0.w * b.y + m.inertia1.x * b.z;
  let z = m.inertia0.z * b.x + m.inertia1.x * b.y + m.inertia1.y * b.z;
  return a.x * x + a.y * y + a.z * z;
}

// One body's part of K between directions d and e at arm r.
fn effective(m: Mass, r: vec3f, d: vec3f, e: vec3f) -> f32 {
  let s = lock_shares(m.locks);
  return m.inertia1.z * (s.x * d.x * e.x + s.y * d.y * e.y + s.z * d.z * e.z) + inertia_dot(m, cross(r, d), cross(r, e));
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let link = index_of(id, LANES);
  if (link >= params.count) { return; }
  let member = members[link];
  if (member.room == NONE) { return; }
  let base = member.manifold * GPU_CONTACT_ROWS;
  let ids = contacts[base];
  let count = ids.z & 255u;
  let normal = bitcast<vec4f>(contacts[base + 1u]);
  let tangent = bitcast<vec4f>(contacts[base + 2u]);
  let radii = bitcast<vec4f>(contacts[base + 3u]);
  let n = normal.xyz;
  let turn = pack_tangent(n, tangent.xyz);
  let t = tangent_of(turn, n);
  let u = cross(n, t);
  let a = mass_of(member.slotA);
  let b = mass_of(member.slotB);
  let kA = member.kA;
  let kB = member.kB;
  let isStatic = a.inertia1.z == 0.0 || b.inertia1.z == 0.0;
  let gamma = select(params.gammaScale, params.gammaScaleStatic, isStatic);
  let pointwise = (params.flags & SPLIT_POINT_FRICTION) != 0u;

  // Impulses that the CPU has uploaded in this step are used as they are; those on the GPU are scaled to the substeps of this
  // step.
  let first = member.manifold * params.impulseStride;
  let old = impulses[first + SPLIT_LINK_ROW];
  let isTold = old.w == -1.0;
  let scale = select(params.impulseScale, 1.0, isTold);
  let isKept = scale == 1.0; // what belongs to substeps of one length
  let twistSpeed = bitcast<f32>(contacts[base + 4u].w);
  let rate1 = bitcast<f32>(contacts[base + 6u].w);
  let rate2 = bitcast<f32>(contacts[base + 8u].w);
  let still = radii.z == 0.0 && radii.w == 0.0 && twistSpeed == 0.0 && rate1 == 0.0 && rate2 == 0.0;
  let moves = !still && !pointwise;
  var sumA = vec3f();
  var sumB = vec3f();
  for (var i = 0u; i < count; i++) {
    sumA = sumA + bitcast<vec3f>(contacts[base + 4u + 2u * i].xyz);
    sumB = sumB + bitcast<vec3f>(contacts[base + 5u + 2u * i].xyz);
  }
  let share = 1.0 / f32(max(count, 1u));
  let centerA = sumA * share;
  let centerB = sumB * share;
  var x = vec4f();
  var y = vec4f();
  var masses = vec4f();
  var masses1 = vec4f();
  var masses2 = vec4f();
  var heightsA = vec4f();
  var heightsB = vec4f();
  var hard = 0.0;
  var soft = 0.0;
  var isOpen = vec4<bool>();
  for (var i = 0u; i < count; i++) {
    let armA = bitcast<vec3f>(contacts[base + 4u + 2u * i].xyz);
    let armB = bitcast<vec3f>(contacts[base + 5u + 2u * i].xyz);
    let fromA = armA - centerA;
    let fromB = armB - centerB;
    x[i] = 0.5 * (dot(fromA, t) + dot(fromB, t));
    y[i] = 0.5 * (dot(fromA, u) + dot(fromB, u));
    let wholeA = effective(a, armA, n, n);
    let wholeB = effective(b, armB, n, n);
    let k = kA * wholeA + kB * wholeB;
    hard = hard + k;
    soft = soft + (wholeA + wholeB) * gamma;
    isOpen[i] = !(k < LOCK_DROP * (kA * a.inertia1.z + kB * b.inertia1.z));
    masses[i] = select(0.0, inverse(k), isOpen[i]);
    if (pointwise) {
      masses1[i] = inverse(kA * effective(a, armA, t, t) + kB * effective(b, armB, t, t));
      masses2[i] = inverse(kA * effective(a, armA, u, u) + kB * effective(b, armB, u, u));
      heightsA[i] = dot(fromA, n);
      heightsB[i] = dot(fromB, n);
    }
  }
  let isPoint = vec4u(0u, 1u, 2u, 3u) < vec4u(count);
  let separations = select(vec4f(), impulses[first + IMPULSE_SEPARATION], isPoint);
  let excesses = select(vec4f(), impulses[first + IMPULSE_EXCESS], isPoint);
  let normals = select(vec4f(), impulses[first] * scale, isOpen);
  let rows = link * params.pointRows;
  let farthest = max(abs(x), abs(y));
  let unit = pack_unit(max(max(farthest.x, farthest.y), max(farthest.z, farthest.w)));
  let metres = unit_of(unit);
  points[rows] = vec4u(
    pack_places(x.x, y.x, metres), pack_places(x.y, y.y, metres), pack_places(x.z, y.z, metres), pack_places(x.w, y.w, metres),
  );
  points[rows + POINTS_MASS] = bitcast<vec4u>(masses);
  points[rows + POINTS_SEPARATION] = bitcast<vec4u>(separations);
  if (moves) { points[rows + POINTS_SURFACE] = bitcast<vec4u>(vec4f(radii.zw, rate1, rate2)); }
  if (moves || radii.y > 0.0) { points[rows + POINTS_MORE] = bitcast<vec4u>(vec4f(twistSpeed, radii.y, 0.0, 0.0)); }
  if (pointwise) {
    points[rows + POINTS_FRICTION] = bitcast<vec4u>(masses1);
    points[rows + POINTS_FRICTION + 1u] = bitcast<vec4u>(masses2);
    points[rows + POINTS_HEIGHTS] = bitcast<vec4u>(heightsA);
    points[rows + POINTS_HEIGHTS + 1u] = bitcast<vec4u>(heightsB);
  }
  impulses[first] = normals;
  impulses[first + IMPULSE_LARGEST] = vec4f();
  impulses[first + IMPULSE_SEPARATION] = separations;
  impulses[first + IMPULSE_EXCESS] = select(vec4f(), excesses, isKept);
  let k11 = kA * effective(a, centerA, t, t) + kB * effective(b, centerB, t, t);
  let k12 = kA * effective(a, centerA, t, u) + kB * effective(b, centerB, t, u);
  let k22 = kA * effective(a, centerA, u, u) + kB * effective(b, centerB, u, u);
  let inv = inverse(k11 * k22 - k12 * k12);
  let flags = (ids.z & SPLIT_LINK_STRUCK) | select(0u, SPLIT_LINK_STATIC, isStatic)
    | select(0u, SPLIT_LINK_LOCKED, a.locks + b.locks > 0.0) | select(0u, SPLIT_LINK_SURFACE, moves)
    | select(0u, SPLIT_LINK_ROLLING, radii.y > 0.0);
  let taken = pack_share(soft * inverse(hard + soft));
  links[link] = SplitLink(
    vec4u(bitcast<vec3u>(n), turn | unit | (taken >> LINK_SHARE_BITS)),
    vec4f(centerA, normal.w),
    vec4f(centerB, pack_twist(radii.x, taken)),
    vec4u(link_marks(member.locals, count, flags, tangent.w), first, pack_block(vec3f(k22 * inv, -k12 * inv, k11 * inv))),
  );
  impulses[first + SPLIT_LINK_ROW] = vec4f(old.xyz * scale, 0.0);
  let last = first + params.impulseStride - 1u;
  if (pointwise) {
    // Tangent impulses belong to points that have carried a load, and to substeps of one length.
    let loaded = (normals != vec4f()) & vec4<bool>(isKept) & isPoint;
    for (var i = 0u; i < 2u; i++) {
      let at = first + SPLIT_LINK_ROW + 1u + i;
      let pair = select(loaded.xxyy, loaded.zzww, i == 1u);
      impulses[at] = select(vec4f(), impulses[at], pair);
    }
  }
  impulses[last] = impulses[last] * scale;
}
