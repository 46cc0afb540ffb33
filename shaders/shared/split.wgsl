// The mass-splitting kernel: bodies of one cell in workgroup memory, one lane a link, colors in turn.
// Twin: assembly/split/split.ts, the same operations in the same order. A change here is a change there.
//
// Storage is private inside a dispatch: states of a link and its points are touched by one lane only (the lane of the link
// within its color), states of a slot by the lane that loads and stores it. Other cells are seen through rows alone, read in
// one half and written in the other. Workgroup memory is ordered by barriers; their control flow hangs on uniform values.
//
// Bytes decide the time of large scenes (docs/gpu.md, "Bytes of a sweep"). A sweep reads a link (64 bytes) and the numbers of
// its points (48). Impulses and friction of the first KEPT links stay in workgroup memory for a pass, or a substep where soft
// and relax sweeps follow each other here.
#import layout
#import link
#import locks
#import row

override LANES: u32 = 32u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read> links: array<SplitLink>;
@group(0) @binding(3) var<storage, read> points: array<vec4u>;
// Rows of a manifold, params.impulseStride of them from ids.y of its link on (PointImpulses, PatchImpulse, with friction per
// point two rows of tangent impulses, RollImpulse).
@group(0) @binding(4) var<storage, read_write> impulses: array<vec4f>;
@group(0) @binding(5) var<storage, read> slots: array<SplitSlot>;
@group(0) @binding(6) var<storage, read_write> slotStates: array<SplitSlotState>;
@group(0) @binding(7) var<storage, read_write> rows: array<SplitRow>;

// The bodies of the cell, field by field: velocity and k / m; spin and locks; the motion since the start of the step, with yz and
// zz of k I^-1; its xx xy xz yy. Then of its first links the impulses of the points and the friction. One array, because
// compilers of software adapters spend most time on zeroing workgroup memory.
const V = 0u;
const W = 128u;
const D = 256u;
const P = 384u;
const INERTIA = 512u;
const KEPT = 187u;
const KEPT_Z = 640u;
const KEPT_F = 827u;
var<workgroup> local: array<vec4f, 1014>;

// Whether a lane found an excess in the last sweep of a relax pass; whether the cell has any.
var<workgroup> laneExcess: array<u32, LANES>;
var<workgroup> cellExcess: u32;
var<private> hasExcess: bool;
// Whether the cell may have had one at the start of the pass.
var<private> hadExcess: bool;
// Soft and relax sweeps of a substep follow each other in this dispatch.
var<private> isWhole: bool;
// Middle of the substep since the start of the step.
var<private> time: f32;

// The two bodies of the link a lane works on; written back after the link.
struct Pair {
  a: u32,
  b: u32,
  va: vec3f,
  wa: vec3f,
  vb: vec3f,
  wb: vec3f,
  // k / m, locks
  traitsA: vec2f,
  traitsB: vec2f,
}

// I^-1 l of a body in the cell.
fn turned(body: u32, l: vec3f) -> vec3f {
  let i = local[INERTIA + body];
  let yz = local[D + body].w;
  let zz = local[P + body].w;
  return vec3f(
    i.x * l.x + i.y * l.y + i.z * l.z,
    i.y * l.x + i.w * l.y + yz * l.z,
    i.z * l.x + yz * l.y + zz * l.z,
  );
}

fn load_pair(marks: u32) -> Pair {
  let a = marks & LINK_BODY_MASK;
  let b = (marks >> LINK_BODY_BITS) & LINK_BODY_MASK;
  let va = local[V + a];
  let wa = local[W + a];
  let vb = local[V + b];
  let wb = local[W + b];
  return Pair(a, b, va.xyz, wa.xyz, vb.xyz, wb.xyz, vec2f(va.w, wa.w), vec2f(vb.w, wb.w));
}

// k / m along x y z.
fn mass_of(traits: vec2f) -> vec3f {
  return traits.x * lock_shares(traits.y);
}

// Applies axis locks.
fn keep_pair(pair: ptr<function, Pair>) {
  let locksA = u32((*pair).traitsA.y);
  let locksB = u32((*pair).traitsB.y);
  (*pair).va = kept((*pair).va, locksA);
  (*pair).wa = kept((*pair).wa, locksA >> 3u);
  (*pair).vb = kept((*pair).vb, locksB);
  (*pair).wb = kept((*pair).wb, locksB >> 3u);
}

// Several lanes share static and kinematic bodies: those are never written.
fn store_pair(pair: Pair) {
  if (pair.traitsA.x > 0.0) {
    local[V + pair.a] = vec4f(pair.va, pair.traitsA.x);
    local[W + pair.a] = vec4f(pair.wa, pair.traitsA.y);
  }
  if (pair.traitsB.x > 0.0) {
    local[V + pair.b] = vec4f(pair.vb, pair.traitsB.x);
    local[W + pair.b] = vec4f(pair.wb, pair.traitsB.y);
  }
}

// Impulse on B at rB, its opposite on A at rA.
fn push_pair(pair: ptr<function, Pair>, rA: vec3f, rB: vec3f, impulse: vec3f) {
  (*pair).va = (*pair).va - impulse * mass_of((*pair).traitsA);
  (*pair).wa = (*pair).wa - turned((*pair).a, cross(rA, impulse));
  (*pair).vb = (*pair).vb + impulse * mass_of((*pair).traitsB);
  (*pair).wb = (*pair).wb + turned((*pair).b, cross(rB, impulse));
}

// Impulse z on B along n and its opposite on A, at arms whose cross products with n are jA and jB.
fn push_along(pair: ptr<function, Pair>, n: vec3f, jA: vec3f, jB: vec3f, z: f32) {
  let impulse = n * z;
  (*pair).va = (*pair).va - impulse * mass_of((*pair).traitsA);
  (*pair).wa = (*pair).wa - turned((*pair).a, jA) * z;
  (*pair).vb = (*pair).vb + impulse * mass_of((*pair).traitsB);
  (*pair).wb = (*pair).wb + turned((*pair).b, jB) * z;
}

fn twist_pair(pair: ptr<function, Pair>, impulse: vec3f) {
  (*pair).wa = (*pair).wa - turned((*pair).a, impulse);
  (*pair).wb = (*pair).wb + turned((*pair).b, impulse);
}

// Velocity of B against A at the arms.
fn relative_at(pair: ptr<function, Pair>, rA: vec3f, rB: vec3f) -> vec3f {
  return ((*pair).vb + cross((*pair).wb, rB)) - ((*pair).va + cross((*pair).wa, rA));
}

// The mean of a body's sub-bodies, in row order, or the slot's own velocity.
fn mean_v(slot: u32, ids: vec4u, share: f32, rowRead: u32) -> vec4f {
  if (ids.y < 2u) { return slotStates[slot].v; }
  let base = rowRead + ids.x;
  var sum = rows[base].v;
  for (var j = 1u; j < ids.y; j++) { sum = sum + rows[base + j].v; }
  return sum * share;
}

fn mean_w(slot: u32, ids: vec4u, share: f32, rowRead: u32) -> vec4f {
  if (ids.y < 2u) { return slotStates[slot].w; }
  let base = rowRead + ids.x;
  var sum = rows[base].w;
  for (var j = 1u; j < ids.y; j++) { sum = sum + rows[base + j].w; }
  return sum * share;
}

// As boundW and boundSpinW of the core: far beyond every limit of speed.
const MOST_SPEED = vec4f(1e6, 1e6, 1e6, 1e38);
const MOST_SPIN = vec4f(9e4, 9e4, 9e4, 1e38);

// Start of a pass for one sub-body.
fn load_body(slot: u32, place: u32, mode: u32, flags: u32) {
  let ids = slots[slot].ids;
  let k = f32(max(ids.y, 1u));
  let state1 = slotStates[slot].inertia1;
  let share = state1.w;
  let inertia1 = (k * state1).xyz;
  let locks = slotStates[slot].marks.y;
  local[INERTIA + place] = k * slotStates[slot].inertia0;
  if (mode == SPLIT_WARM) {
    // Links gather the carried impulses on bodies at rest.
    local[V + place] = vec4f(0.0, 0.0, 0.0, inertia1.z);
    local[W + place] = vec4f(0.0, 0.0, 0.0, locks);
    local[D + place] = vec4f(0.0, 0.0, 0.0, inertia1.x);
    local[P + place] = vec4f(0.0, 0.0, 0.0, inertia1.y);
    return;
  }
  var v = mean_v(slot, ids, share, params.rowRead);
  var w = mean_w(slot, ids, share, params.rowRead);
  if ((flags & SPLIT_CONTINUED) != 0u) {
    // The substep has begun.
  } else if (mode == SPLIT_SOFT) {
    if ((flags & SPLIT_FIRST_SUBSTEP) != 0u) {
      v = (slotStates[slot].vStart + params.h * slotStates[slot].accel) + v;
      w = (slotStates[slot].wStart + params.h * slotStates[slot].angularAccel) + w;
    } else {
      if (ids.y > 1u && params.softRows != 0u) {
        // The body moves by the mean velocity that its sub-bodies had after the soft sweeps.
        let soft = params.rowRead + params.softRows;
        slotStates[slot].d = slotStates[slot].d + params.h * mean_v(slot, ids, share, soft);
        slotStates[slot].p = slotStates[slot].p + params.h * mean_w(slot, ids, share, soft);
      }
      let vEnd = clamp(v, -MOST_SPEED, MOST_SPEED);
      let wEnd = clamp(w, -MOST_SPIN, MOST_SPIN);
      v = vEnd + (vEnd - slotStates[slot].vStart);
      w = wEnd + (wEnd - slotStates[slot].wStart);
      slotStates[slot].vStart = vEnd;
      slotStates[slot].wStart = wEnd;
    }
  } else if (mode == SPLIT_RELAX) {
    slotStates[slot].d = slotStates[slot].d + params.h * v;
    slotStates[slot].p = slotStates[slot].p + params.h * w;
  }
  local[V + place] = vec4f(v.xyz, inertia1.z);
  local[W + place] = vec4f(w.xyz, locks);
  local[D + place] = vec4f(slotStates[slot].d.xyz, inertia1.x);
  local[P + place] = vec4f(slotStates[slot].p.xyz, inertia1.y);
}

// Between the soft and the relax sweeps of one pass: motion of one sub-body.
fn advance_body(slot: u32, place: u32) {
  let ids = slots[slot].ids;
  let v = vec4f(local[V + place].xyz, 0.0);
  let w = vec4f(local[W + place].xyz, 0.0);
  let d = local[D + place] + params.h * v;
  let p = local[P + place] + params.h * w;
  local[D + place] = d;
  local[P + place] = p;
  if (ids.y > 1u) {
    rows[params.rowWrite + params.softRows + ids.x + ids.z] = SplitRow(v, w);
  } else {
    slotStates[slot].d = vec4f(d.xyz, 0.0);
    slotStates[slot].p = vec4f(p.xyz, 0.0);
  }
}

// End of a pass for one sub-body.
fn store_body(slot: u32, place: u32) {
  let ids = slots[slot].ids;
  let v = vec4f(local[V + place].xyz, 0.0);
  let w = vec4f(local[W + place].xyz, 0.0);
  if (ids.y > 1u) {
    rows[params.rowWrite + ids.x + ids.z] = SplitRow(v, w);
  } else {
    slotStates[slot].v = v;
    slotStates[slot].w = w;
  }
}

// A link as it lies in storage, with the numbers of its points.
struct Fetched {
  link: SplitLink,
  places: vec4u,
  mass: vec4f,
  start: vec4f,
}

fn points_at(row: u32) -> vec4f {
  return bitcast<vec4f>(points[row]);
}

fn fetch_link(l: u32) -> Fetched {
  let at = l * params.pointRows;
  return Fetched(links[l], points[at], points_at(at + POINTS_MASS), points_at(at + POINTS_SEPARATION));
}

// A link as it is worked on.
struct Link {
  marks: u32,
  count: u32,
  n: vec3f,
  t1: vec3f,
  t2: vec3f,
  centerA: vec3f,
  centerB: vec3f,
  // centers x n
  leverA: vec3f,
  leverB: vec3f,
  friction: f32,
  twistRadius: f32,
  block: vec3f,
  share: f32,
  x: vec4f,
  y: vec4f,
  mass: vec4f,
  // separations at the start of the step
  start: vec4f,
  // rows of impulses and of points
  first: u32,
  points: u32,
}

fn unpack_link(l: u32, f: Fetched) -> Link {
  let n = bitcast<vec3f>(f.link.frame.xyz);
  let t1 = tangent_of(f.link.frame.w, n);
  let a = f.link.centerA;
  let b = f.link.centerB;
  let ids = f.link.ids;
  let unit = unit_of(f.link.frame.w);
  return Link(
    ids.x, count_of(ids.x), n, t1, cross(n, t1), a.xyz, b.xyz, cross(a.xyz, n), cross(b.xyz, n),
    a.w, twist_radius_of(b.w), block_of(ids.zw), soft_share_of(f.link.frame.w, b.w),
    places_x(f.places, unit), places_y(f.places, unit), f.mass, f.start, ids.y, l * params.pointRows,
  );
}

// What the arm of point i from the center adds to the cross product of that arm and the normal.
fn lever_of(k: Link, i: u32) -> vec3f {
  return k.t1 * k.y[i] - k.t2 * k.x[i];
}

// Arm of point i of a link with friction per point; `heights`: row of the heights of its points.
fn arm_of(k: Link, i: u32, center: vec3f, heights: u32) -> vec3f {
  return (center + k.t1 * k.x[i]) + (k.t2 * k.y[i] + k.n * points_at(k.points + heights)[i]);
}

// Carried impulses of a link, without their excess.
fn warm_link(l: u32, flags: u32) {
  let k = unpack_link(l, fetch_link(l));
  var pair = load_pair(k.marks);
  if ((flags & SPLIT_POINT_FRICTION) != 0u) {
    for (var i = 0u; i < k.count; i++) {
      let at = k.first + SPLIT_LINK_ROW + 1u + (i >> 1u);
      let z = impulses[at] * params.warmStart;
      let z1 = select(z.x, z.z, (i & 1u) != 0u);
      let z2 = select(z.y, z.w, (i & 1u) != 0u);
      if ((i & 1u) != 0u || i + 1u == k.count) { impulses[at] = z; }
      let rA = arm_of(k, i, k.centerA, POINTS_HEIGHTS);
      let rB = arm_of(k, i, k.centerB, POINTS_HEIGHTS + 1u);
      push_pair(&pair, rA, rB, k.t1 * z1 + k.t2 * z2);
    }
  } else {
    let z = impulses[k.first + SPLIT_LINK_ROW] * params.warmStart;
    impulses[k.first + SPLIT_LINK_ROW] = z;
    twist_pair(&pair, k.n * z.z);
    push_pair(&pair, k.centerA, k.centerB, k.t1 * z.x + k.t2 * z.y);
  }
  if ((k.marks & SPLIT_LINK_ROLLING) != 0u) {
    let last = k.first + params.impulseStride - 1u;
    let q = impulses[last] * params.warmStart;
    impulses[last] = q;
    twist_pair(&pair, k.t1 * q.x + k.t2 * q.y);
  }
  let carried = impulses[k.first];
  let z = max(carried - impulses[k.first + IMPULSE_EXCESS], vec4f()) * params.warmStart;
  impulses[k.first] = z;
  impulses[k.first + IMPULSE_LARGEST] = vec4f();
  impulses[k.first + IMPULSE_EXCESS] = carried - z;
  push_points(k, &pair, z);
  if ((k.marks & SPLIT_LINK_LOCKED) != 0u) { keep_pair(&pair); }
  store_pair(pair);
}

// Impulses of all points of a link.
fn push_points(k: Link, pair: ptr<function, Pair>, z: vec4f) {
  for (var i = 0u; i < k.count; i++) {
    let arm = lever_of(k, i);
    push_along(pair, k.n, k.leverA + arm, k.leverB + arm, z[i]);
  }
}

// Takes the excess of a link's impulses off its bodies, which were started with all of it.
fn take_back_excess(l: u32) {
  let first = links[l].ids.y;
  let excess = impulses[first + IMPULSE_EXCESS];
  if (!any(excess > vec4f())) { return; }
  let k = unpack_link(l, fetch_link(l));
  var pair = load_pair(k.marks);
  impulses[first] = impulses[first] - excess;
  push_points(k, &pair, -excess);
  if ((k.marks & SPLIT_LINK_LOCKED) != 0u) { keep_pair(&pair); }
  store_pair(pair);
}

// What a pass changes of a link: impulses of its points; tangent impulses, twist impulse, normal impulse of the step. Separations
// follow anew from the motion of the bodies in every sweep, which takes less room than to keep them.
struct State {
  z: vec4f,
  f: vec4f,
}

// Twist row and 2x2 block at the center of the points.
fn center_friction(k: Link, pair: ptr<function, Pair>, state: ptr<function, State>) {
  let z = (*state).z;
  let old = (*state).f;
  let limit = k.friction * (z.x + z.y + z.z + z.w);
  let turnA = turned((*pair).a, k.n);
  let turnB = turned((*pair).b, k.n);
  let moves = (k.marks & SPLIT_LINK_SURFACE) != 0u;
  var spin = dot(k.n, (*pair).wb - (*pair).wa);
  if (moves) { spin = spin + points_at(k.points + POINTS_MORE).x; }
  let mass = inverse(dot(k.n, turnA + turnB));
  let twist = bound_row(old.z - mass * spin, limit * k.twistRadius);
  let turn = twist - old.z;
  (*pair).wa = (*pair).wa - turnA * turn;
  (*pair).wb = (*pair).wb + turnB * turn;

  let slip = relative_at(pair, k.centerA, k.centerB);
  var v1 = dot(k.t1, slip);
  var v2 = dot(k.t2, slip);
  if (moves) {
    let surface = points_at(k.points + POINTS_SURFACE);
    v1 = v1 + (surface.x + time * surface.z);
    v2 = v2 + (surface.y + time * surface.w);
  }
  let q = circle_row(old.xy, k.block, vec2f(v1, v2), limit);
  (*state).f = vec4f(q, twist, old.w);
  push_pair(pair, k.centerA, k.centerB, k.t1 * (q.x - old.x) + k.t2 * (q.y - old.y));
}

// Pyramid a point.
fn point_friction(k: Link, pair: ptr<function, Pair>, state: ptr<function, State>) {
  let masses1 = points_at(k.points + POINTS_FRICTION);
  let masses2 = points_at(k.points + POINTS_FRICTION + 1u);
  for (var i = 0u; i < k.count; i++) {
    let rA = arm_of(k, i, k.centerA, POINTS_HEIGHTS);
    let rB = arm_of(k, i, k.centerB, POINTS_HEIGHTS + 1u);
    let at = k.first + SPLIT_LINK_ROW + 1u + (i >> 1u);
    let odd = (i & 1u) != 0u;
    let old = impulses[at];
    let old1 = select(old.x, old.z, odd);
    let old2 = select(old.y, old.w, odd);
    let limit = k.friction * (*state).z[i];
    let v1 = dot(k.t1, relative_at(pair, rA, rB));
    let z1 = bound_row(old1 - masses1[i] * v1, limit);
    push_pair(pair, rA, rB, k.t1 * (z1 - old1));
    let v2 = dot(k.t2, relative_at(pair, rA, rB));
    let z2 = bound_row(old2 - masses2[i] * v2, limit);
    push_pair(pair, rA, rB, k.t2 * (z2 - old2));
    impulses[at] = select(vec4f(z1, z2, old.z, old.w), vec4f(old.x, old.y, z1, z2), odd);
  }
}

fn friction(k: Link, pair: ptr<function, Pair>, state: ptr<function, State>, flags: u32) {
  if ((flags & SPLIT_POINT_FRICTION) != 0u) {
    point_friction(k, pair, state);
  } else {
    center_friction(k, pair, state);
  }
}

// Rolling resistance: spins about the two tangents as a 2x2 block, bound by rollArm times the normal impulses.
fn roll_link(k: Link, pair: ptr<function, Pair>, z: vec4f) {
  let borne = z.x + z.y + z.z + z.w;
  let last = k.first + params.impulseStride - 1u;
  let old = impulses[last];
  if (borne == 0.0 && old.x == 0.0 && old.y == 0.0) { return; }
  let a1 = turned((*pair).a, k.t1);
  let a2 = turned((*pair).a, k.t2);
  let b1 = turned((*pair).b, k.t1);
  let b2 = turned((*pair).b, k.t2);
  let k11 = dot(k.t1, a1 + b1);
  let k12 = dot(k.t1, a2 + b2);
  let k22 = dot(k.t2, a2 + b2);
  let inv = inverse(k11 * k22 - k12 * k12);
  let spin = (*pair).wb - (*pair).wa;
  let block = vec3f(k22 * inv, -k12 * inv, k11 * inv);
  let arm = points_at(k.points + POINTS_MORE).y;
  let q = circle_row(old.xy, block, vec2f(dot(k.t1, spin), dot(k.t2, spin)), arm * borne);
  impulses[last] = vec4f(q, 0.0, 0.0);
  let d1 = q.x - old.x;
  let d2 = q.y - old.y;
  (*pair).wa = (*pair).wa - (a1 * d1 + a2 * d2);
  (*pair).wb = (*pair).wb + (b1 * d1 + b2 * d2);
}

// Separation of point i, whose arms have these cross products with the normal.
fn separation_of(k: Link, pair: Pair, jA: vec3f, jB: vec3f, i: u32) -> f32 {
  let d = local[D + pair.b].xyz - local[D + pair.a].xyz;
  let moved = (dot(k.n, d) + dot(jB, local[P + pair.b].xyz)) - dot(jA, local[P + pair.a].xyz);
  return k.start[i] + moved;
}

// One sweep over the rows of a link: twist, friction, normals, rolling.
fn solve_link(k: Link, pair: ptr<function, Pair>, state: ptr<function, State>, mode: u32, flags: u32) {
  // The relax pass of a single point goes backwards, normal first: friction so knows the impulse of an impact that this pass
  // has met.
  let backwards = mode == SPLIT_RELAX && k.count == 1u;
  if (!backwards) { friction(k, pair, state, flags); }
  // A relax pass is rigid and does not push.
  let soft = mode == SPLIT_SOFT;
  let pushShare = push_share_of(k.marks);
  let rate = select(0.0, select(params.rate, params.rateStatic, (k.marks & SPLIT_LINK_STATIC) != 0u), soft);
  let share = select(0.0, k.share, soft);
  let softMass = k.mass - k.mass * share;
  // All four: numbers beyond the last point are zero, and nothing comes of them. So the loop has no data of its own to wait for.
  for (var i = 0u; i < 4u; i++) {
    let arm = lever_of(k, i);
    let jA = k.leverA + arm;
    let jB = k.leverB + arm;
    let s = separation_of(k, *pair, jA, jB, i);
    let old = (*state).z[i];
    let u = (dot(k.n, (*pair).vb - (*pair).va) + dot(jB, (*pair).wb)) - dot(jA, (*pair).wa);
    let bias = soft_bias(s, params.invH, rate, params.slop, -params.pushSpeed, pushShare);
    let z = soft_normal_row(s, old, u + bias, k.mass[i], softMass[i], share);
    (*state).z[i] = z;
    push_along(pair, k.n, jA, jB, z - old);
  }
  if (backwards) { friction(k, pair, state, flags); }
  if (mode == SPLIT_RELAX && (k.marks & SPLIT_LINK_ROLLING) != 0u) { roll_link(k, pair, (*state).z); }
  if ((k.marks & SPLIT_LINK_LOCKED) != 0u) { keep_pair(pair); }
}

// One sweep over the rows of link `place` of the cell. Those of a link that is hit are repeated until its points agree: a sweep
// solves the points of a face one after the other, so the first one takes most of an impact and turns the body; the body moves
// before the next sweep and keeps that tilt.
fn sweep_link(
  l: u32, place: u32, fetched: Fetched, mode: u32, flags: u32, isFirst: bool, isLast: bool, reads: bool, writes: bool,
) {
  let k = unpack_link(l, fetched);
  let isKept = place < KEPT;
  var state: State;
  if (reads || !isKept) {
    state.z = impulses[k.first];
    state.f = impulses[k.first + SPLIT_LINK_ROW];
  } else {
    state = State(local[KEPT_Z + place], local[KEPT_F + place]);
  }
  // Storage then has the impulse of the substep before until its relax sweeps end; elsewhere it is put by, excess and all.
  let isStored = isWhole && isKept;
  if (mode == SPLIT_SOFT && isFirst && !isStored) {
    impulses[k.first + IMPULSE_EXCESS] = state.z + impulses[k.first + IMPULSE_EXCESS];
  }
  var pair = load_pair(k.marks);
  var left = select(0u, FACE_SWEEPS, (k.marks & SPLIT_LINK_STRUCK) != 0u);
  // One loop, so that the sweep is compiled once; the last one is for the books.
  loop {
    let old = state.z;
    solve_link(k, &pair, &state, mode, flags);
    if (left == 0u) { break; }
    left = select(0u, left - 1u, is_unsettled(state.z, old));
  }
  store_pair(pair);
  if (isLast && mode == SPLIT_RELAX) {
    let largest = impulses[k.first + IMPULSE_LARGEST];
    if (any(state.z > largest)) { impulses[k.first + IMPULSE_LARGEST] = max(largest, state.z); }
    var before = impulses[k.first + select(IMPULSE_EXCESS, 0u, isStored)];
    if (isStored && hadExcess) { before = before + impulses[k.first + IMPULSE_EXCESS]; }
    let excess = growth_excesses(state.z, before);
    let isFound = any(excess > vec4f());
    if (isFound || hadExcess || !isStored) { impulses[k.first + IMPULSE_EXCESS] = excess; }
    hasExcess = hasExcess || isFound;
    if ((flags & SPLIT_LAST) != 0u) {
      var ends = vec4f();
      for (var i = 0u; i < k.count; i++) {
        let arm = lever_of(k, i);
        ends[i] = separation_of(k, pair, k.leverA + arm, k.leverB + arm, i);
      }
      impulses[k.first + IMPULSE_SEPARATION] = ends;
    }
    state.f.w = state.f.w + (state.z.x + state.z.y + state.z.z + state.z.w);
  }
  if (writes || !isKept) {
    impulses[k.first] = state.z;
    impulses[k.first + SPLIT_LINK_ROW] = state.f;
  } else {
    local[KEPT_Z + place] = state.z;
    local[KEPT_F + place] = state.f;
  }
}

// The colors of a cell, contacts before joints, swept once (warm) or params.sweeps times. Before the soft sweeps of a
// later substep the excess of impulses is taken back, where the relax pass before has found any: the first slot of the cell
// remembers. Joints are those of kick_joint and
// solve_joint, which the kernel has.
fn sweep_cell(cell: u32, firstSlot: u32, lane: u32, mode: u32, flags: u32) {
  let base = cell * 8u;
  let firstLink = cells[base];
  let colorBase = cells[base + 4u];
  let colors = cells[base + 5u];
  let contactColors = cells[base + 7u];
  let sweeps = i32(select(params.sweeps, 1u, mode == SPLIT_WARM));
  let begins = (flags & SPLIT_CONTINUED) == 0u;
  let ends = (flags & SPLIT_UNFINISHED) == 0u;
  var sweep = 0;
  // The warm pass may have left some, whatever the step before has found.
  if (mode == SPLIT_SOFT && (flags & SPLIT_FIRST_SUBSTEP) != 0u) { hadExcess = true; }
  if (mode == SPLIT_SOFT && (flags & SPLIT_FIRST_SUBSTEP) == 0u && begins) {
    if (lane == 0u) { cellExcess = select(0u, 1u, slotStates[firstSlot].marks.x > 0.0); }
    let isExcess = workgroupUniformLoad(&cellExcess) != 0u;
    hadExcess = isExcess;
    if (isExcess) {
      var begin = 0u;
      for (var color = 0u; color < contactColors; color++) {
        let end = cells[colorBase + color];
        for (var i = begin + lane; i < end; i += LANES) { take_back_excess(firstLink + i); }
        begin = end;
        workgroupBarrier();
      }
    }
    // Joints have turned: a sweep of their own before the others. In the first substep it was in the warm pass.
    if (contactColors < colors) { sweep = -1; }
  }
  hasExcess = false;
  // The link that the lane has in the next color is on its way while it works on this one.
  let sweeping = mode != SPLIT_WARM && contactColors > 0u;
  var ahead: Fetched;
  if (sweeping && lane < cells[colorBase]) { ahead = fetch_link(firstLink + lane); }
  for (; sweep < sweeps; sweep++) {
    let turns = mode == SPLIT_WARM || sweep < 0;
    var begin = 0u;
    var color = 0u;
    if (sweep < 0) {
      color = contactColors;
      if (color > 0u) { begin = cells[colorBase + color - 1u]; }
    }
    for (; color < colors; color++) {
      let end = cells[colorBase + color];
      let current = ahead;
      if (sweeping && color < contactColors) {
        let wraps = color + 1u == contactColors;
        let place = select(end, 0u, wraps) + lane;
        let isNext = place < cells[colorBase + select(color + 1u, 0u, wraps)];
        if (isNext && (!wraps || sweep + 1 < sweeps)) { ahead = fetch_link(firstLink + place); }
      }
      for (var i = begin + lane; i < end; i += LANES) {
        if (color >= contactColors) {
          if (turns) {
            kick_joint(firstLink + i);
          } else {
            solve_joint(firstLink + i, mode, sweep + 1 == sweeps && ends);
          }
        } else if (mode == SPLIT_WARM) {
          warm_link(firstLink + i, flags);
        } else {
          let isFirst = sweep == 0;
          let isLast = sweep + 1 == sweeps;
          let reads = isFirst && (mode == SPLIT_SOFT || !isWhole);
          let writes = isLast && (mode == SPLIT_RELAX || !isWhole);
          var fetched = current;
          if (i >= begin + LANES) { fetched = fetch_link(firstLink + i); }
          sweep_link(firstLink + i, i, fetched, mode, flags, isFirst && begins, isLast && ends, reads, writes);
        }
      }
      begin = end;
      workgroupBarrier();
    }
  }
  if (mode == SPLIT_RELAX) {
    laneExcess[lane] = select(0u, 1u, hasExcess);
    workgroupBarrier();
    if (lane == 0u) {
      var found = 0u;
      for (var i = 0u; i < LANES; i++) { found |= laneExcess[i]; }
      slotStates[firstSlot].marks.x = f32(found);
    }
  }
}

fn clear_dummy(lane: u32) {
  if (lane == 0u) {
    local[V + SPLIT_BODY_CAP] = vec4f();
    local[W + SPLIT_BODY_CAP] = vec4f();
    local[D + SPLIT_BODY_CAP] = vec4f();
    local[P + SPLIT_BODY_CAP] = vec4f();
    local[INERTIA + SPLIT_BODY_CAP] = vec4f();
  }
}
