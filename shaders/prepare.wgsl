// Rows of a step from contacts that stay here: one lane a link. Effective masses follow from the inertia of the bodies and the
// shares of the cells; the impulses and separations of the last step become those of this one.
// Twin: assembly/split/prepare.ts.
#import layout
#import locks
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> contacts: array<vec4u>;
@group(0) @binding(3) var<storage, read> slotStates: array<SplitSlotState>;
@group(0) @binding(4) var<storage, read_write> links: array<SplitLink>;
@group(0) @binding(5) var<storage, read_write> points: array<SplitPoint>;
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

fn inverse(k: f32) -> f32 {
  return select(0.0, 1.0 / max(k, 1e-35), k > 0.0);
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
  let t = tangent.xyz;
  let a = mass_of(member.slotA);
  let b = mass_of(member.slotB);
  let kA = member.kA;
  let kB = member.kB;
  let isStatic = a.inertia1.z == 0.0 || b.inertia1.z == 0.0;
  let gamma = select(params.gammaScale, params.gammaScaleStatic, isStatic);
  let s = cross(n, t);
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
    let armA = bitcast<vec3f>(contacts[base + 4u + 2u * i].xyz);
    let armB = bitcast<vec3f>(contacts[base + 5u + 2u * i].xyz);
    sumA = sumA + armA;
    sumB = sumB + armB;
    let state = impulses[first + i];
    let wholeA = effective(a, armA, n, n);
    let wholeB = effective(b, armB, n, n);
    let k = kA * wholeA + kB * wholeB;
    let soft = (wholeA + wholeB) * gamma;
    let softMass = inverse(k + soft);
    let barred = k < LOCK_DROP * (kA * a.inertia1.z + kB * b.inertia1.z);
    var tangent1 = 0.0;
    var tangent2 = 0.0;
    if (pointwise) {
      tangent1 = inverse(kA * effective(a, armA, t, t) + kB * effective(b, armB, t, t));
      tangent2 = inverse(kA * effective(a, armA, s, s) + kB * effective(b, armB, s, s));
    }
    if (moves && i == 0u) {
      tangent1 = radii.z;
      tangent2 = radii.w;
    }
    if (moves && i == 1u) { tangent1 = twistSpeed; }
    if (moves && i == 2u) {
      tangent1 = rate1;
      tangent2 = rate2;
    }
    points[4u * link + i] = SplitPoint(
      vec4f(armA, state.z),
      vec4f(armB, soft * softMass),
      vec4f(select(softMass, 0.0, barred), select(inverse(k), 0.0, barred), tangent1, tangent2),
    );
    impulses[first + i] = vec4f(select(state.x * scale, 0.0, barred), 0.0, state.z, select(0.0, state.w, isKept));
  }
  if (moves && count < 2u) { points[4u * link + 1u].masses = vec4f(0.0, 0.0, twistSpeed, 0.0); }
  if (moves && count < 3u) { points[4u * link + 2u].masses = vec4f(0.0, 0.0, rate1, rate2); }
  let share = 1.0 / f32(max(count, 1u));
  let centerA = sumA * share;
  let centerB = sumB * share;
  let k11 = kA * effective(a, centerA, t, t) + kB * effective(b, centerB, t, t);
  let k12 = kA * effective(a, centerA, t, s) + kB * effective(b, centerB, t, s);
  let k22 = kA * effective(a, centerA, s, s) + kB * effective(b, centerB, s, s);
  let inv = inverse(k11 * k22 - k12 * k12);
  let twist = inverse(kA * inertia_dot(a, n, n) + kB * inertia_dot(b, n, n));
  let surface = select(0u, SPLIT_LINK_SURFACE, moves);
  let more = surface | select(0u, 256u, isStatic) | select(0u, SPLIT_LINK_LOCKED, a.locks + b.locks > 0.0);
  links[link] = SplitLink(
    vec4u(member.locals, first, ids.z | more, member.manifold),
    normal,
    tangent,
    vec4f(centerA, radii.x),
    vec4f(centerB, twist),
    vec4f(k22 * inv, -k12 * inv, k11 * inv, radii.y),
  );
  impulses[first + SPLIT_LINK_ROW] = vec4f(old.xyz * scale, 0.0);
  let last = first + params.impulseStride - 1u;
  if (pointwise) {
    // Tangent impulses belong to points that have carried a load, and to substeps of one length.
    for (var i = 0u; i < 2u; i++) {
      let t0 = 2u * i < count && impulses[first + 2u * i].x != 0.0 && isKept;
      let t1 = 2u * i + 1u < count && impulses[first + 2u * i + 1u].x != 0.0 && isKept;
      let at = first + SPLIT_LINK_ROW + 1u + i;
      impulses[at] = select(vec4f(), impulses[at], vec4<bool>(t0, t0, t1, t1));
    }
  }
  impulses[last] = impulses[last] * scale;
}
