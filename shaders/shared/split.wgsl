// The mass-splitting kernel: bodies of one cell in workgroup memory, one lane a link, colors in turn.
// Twin: assembly/split/split.ts, the same operations in the same order. A change here is a change there.
//
// Storage is private inside a dispatch: states of a link and its points are touched by one lane only (the lane of the link
// within its color), states of a slot by the lane that loads and stores it. Other cells are seen through rows alone, read in
// one half and written in the other. Workgroup memory is ordered by barriers; their control flow hangs on uniform values.
#import layout
#import locks
#import row

override LANES: u32 = 32u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read> links: array<SplitLink>;
@group(0) @binding(3) var<storage, read> points: array<SplitPoint>;
// Rows of a manifold, params.impulseStride of them from ids.y of its link on. Of its four points: impulse, largest impulse,
// separation, excess. Then tangent and twist impulses, normal impulse of the step; with friction per point two rows of their
// tangent impulses; last the angular impulses of rolling resistance about the tangents.
@group(0) @binding(4) var<storage, read_write> impulses: array<vec4f>;
@group(0) @binding(5) var<storage, read> slots: array<SplitSlot>;
@group(0) @binding(6) var<storage, read_write> slotStates: array<SplitSlotState>;
@group(0) @binding(7) var<storage, read_write> rows: array<SplitRow>;

// The bodies of the cell, field by field: the velocity, the motion since the start of the step, k I^-1 and k / m. One array,
// because compilers of software adapters spend most time on zeroing workgroup memory.
const V = 0u;
const W = 161u;
const D = 322u;
const P = 483u;
const I0 = 644u;
const I1 = 805u;
var<workgroup> local: array<vec4f, 966>;

// Whether a lane found an excess in the last sweep of a relax pass; whether the cell has any.
var<workgroup> laneExcess: array<u32, LANES>;
var<workgroup> cellExcess: u32;
var<private> hasExcess: u32;
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
}

// I^-1 l of a body in the cell.
fn turned(body: u32, l: vec3f) -> vec3f {
  let i0 = local[I0 + body];
  let i1 = local[I1 + body];
  return vec3f(
    i0.x * l.x + i0.y * l.y + i0.z * l.z,
    i0.y * l.x + i0.w * l.y + i1.x * l.z,
    i0.z * l.x + i1.x * l.y + i1.y * l.z,
  );
}

fn load_pair(locals: u32) -> Pair {
  let a = locals & 0xffffu;
  let b = locals >> 16u;
  return Pair(a, b, local[V + a].xyz, local[W + a].xyz, local[V + b].xyz, local[W + b].xyz);
}

// k / m along x y z.
fn mass_of(body: u32) -> vec3f {
  let i1 = local[I1 + body];
  return i1.z * lock_shares(i1.w);
}

// Applies axis locks.
fn keep_pair(pair: ptr<function, Pair>) {
  let locksA = u32(local[I1 + (*pair).a].w);
  let locksB = u32(local[I1 + (*pair).b].w);
  (*pair).va = kept((*pair).va, locksA);
  (*pair).wa = kept((*pair).wa, locksA >> 3u);
  (*pair).vb = kept((*pair).vb, locksB);
  (*pair).wb = kept((*pair).wb, locksB >> 3u);
}

// Several lanes share static and kinematic bodies: those are never written.
fn store_pair(pair: Pair) {
  if (local[I1 + pair.a].z > 0.0) {
    local[V + pair.a] = vec4f(pair.va, 0.0);
    local[W + pair.a] = vec4f(pair.wa, 0.0);
  }
  if (local[I1 + pair.b].z > 0.0) {
    local[V + pair.b] = vec4f(pair.vb, 0.0);
    local[W + pair.b] = vec4f(pair.wb, 0.0);
  }
}

// Impulse on B at rB, its opposite on A at rA.
fn push_pair(pair: ptr<function, Pair>, rA: vec3f, rB: vec3f, impulse: vec3f) {
  (*pair).va = (*pair).va - impulse * mass_of((*pair).a);
  (*pair).wa = (*pair).wa - turned((*pair).a, cross(rA, impulse));
  (*pair).vb = (*pair).vb + impulse * mass_of((*pair).b);
  (*pair).wb = (*pair).wb + turned((*pair).b, cross(rB, impulse));
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
  let share = slotStates[slot].inertia1.w;
  local[I0 + place] = k * slotStates[slot].inertia0;
  local[I1 + place] = vec4f((k * slotStates[slot].inertia1).xyz, slotStates[slot].marks.y);
  if (mode == SPLIT_WARM) {
    // Links gather the carried impulses on bodies at rest.
    local[V + place] = vec4f();
    local[W + place] = vec4f();
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
  local[V + place] = v;
  local[W + place] = w;
  local[D + place] = slotStates[slot].d;
  local[P + place] = slotStates[slot].p;
}

// Between the soft and the relax sweeps of one pass: motion of one sub-body.
fn advance_body(slot: u32, place: u32) {
  let ids = slots[slot].ids;
  let v = local[V + place];
  let w = local[W + place];
  let d = local[D + place] + params.h * v;
  let p = local[P + place] + params.h * w;
  local[D + place] = d;
  local[P + place] = p;
  if (ids.y > 1u) {
    rows[params.rowWrite + params.softRows + ids.x + ids.z] = SplitRow(v, w);
  } else {
    slotStates[slot].d = d;
    slotStates[slot].p = p;
  }
}

// End of a pass for one sub-body.
fn store_body(slot: u32, place: u32) {
  let ids = slots[slot].ids;
  if (ids.y > 1u) {
    let row = params.rowWrite + ids.x + ids.z;
    rows[row].v = local[V + place];
    rows[row].w = local[W + place];
  } else {
    slotStates[slot].v = local[V + place];
    slotStates[slot].w = local[W + place];
  }
}

// Carried impulses of a link, without their excess.
fn warm_link(l: u32, flags: u32) {
  let ids = links[l].ids;
  var pair = load_pair(ids.x);
  let count = ids.z & 255u;
  let n = links[l].normal.xyz;
  let t1 = links[l].tangent.xyz;
  let t2 = cross(n, t1);
  if ((flags & SPLIT_POINT_FRICTION) != 0u) {
    for (var i = 0u; i < count; i++) {
      let at = ids.y + SPLIT_LINK_ROW + 1u + (i >> 1u);
      let z = impulses[at] * params.warmStart;
      let z1 = select(z.x, z.z, (i & 1u) != 0u);
      let z2 = select(z.y, z.w, (i & 1u) != 0u);
      if ((i & 1u) != 0u || i + 1u == count) { impulses[at] = z; }
      push_pair(&pair, points[4u * l + i].armA.xyz, points[4u * l + i].armB.xyz, t1 * z1 + t2 * z2);
    }
  } else {
    let z = impulses[ids.y + SPLIT_LINK_ROW] * params.warmStart;
    impulses[ids.y + SPLIT_LINK_ROW] = z;
    twist_pair(&pair, n * z.z);
    push_pair(&pair, links[l].centerA.xyz, links[l].centerB.xyz, t1 * z.x + t2 * z.y);
  }
  if ((flags & SPLIT_ROLLING) != 0u && links[l].block.w > 0.0) {
    let last = ids.y + params.impulseStride - 1u;
    let q = impulses[last] * params.warmStart;
    impulses[last] = q;
    twist_pair(&pair, t1 * q.x + t2 * q.y);
  }
  for (var i = 0u; i < count; i++) {
    let at = ids.y + i;
    let rA = points[4u * l + i].armA.xyz;
    let rB = points[4u * l + i].armB.xyz;
    let state = impulses[at];
    let z = max(state.x - state.w, 0.0) * params.warmStart;
    impulses[at] = vec4f(z, 0.0, state.z, state.x - z);
    push_pair(&pair, rA, rB, n * z);
  }
  if ((ids.z & SPLIT_LINK_LOCKED) != 0u) { keep_pair(&pair); }
  store_pair(pair);
}

// Takes the excess of a link's impulses off its bodies, which were started with all of it.
fn take_back_excess(l: u32) {
  let ids = links[l].ids;
  let count = ids.z & 255u;
  var pair: Pair;
  var isLoaded = false;
  for (var i = 0u; i < count; i++) {
    let at = ids.y + i;
    let state = impulses[at];
    if (state.w <= 0.0) { continue; }
    if (!isLoaded) {
      pair = load_pair(ids.x);
      isLoaded = true;
    }
    impulses[at].x = state.x - state.w;
    push_pair(&pair, points[4u * l + i].armA.xyz, points[4u * l + i].armB.xyz, links[l].normal.xyz * -state.w);
  }
  if (isLoaded) {
    if ((ids.z & SPLIT_LINK_LOCKED) != 0u) { keep_pair(&pair); }
    store_pair(pair);
  }
}

// Twist row and 2x2 block at the center of the points.
fn center_friction(l: u32, pair: ptr<function, Pair>, n: vec3f, first: u32, count: u32) {
  var total = 0.0;
  for (var i = 0u; i < count; i++) { total = total + impulses[first + i].x; }
  let limit = links[l].normal.w * total;
  let a = links[l].centerA;
  let b = links[l].centerB;
  let old = impulses[first + SPLIT_LINK_ROW];
  let twistLimit = limit * a.w;
  let moves = (links[l].ids.z & SPLIT_LINK_SURFACE) != 0u;
  var spin = dot(n, (*pair).wb - (*pair).wa);
  if (moves) { spin = spin + points[4u * l + 1u].masses.z; }
  let twist = bound_row(old.z - b.w * spin, twistLimit);
  twist_pair(pair, n * (twist - old.z));

  let t1 = links[l].tangent.xyz;
  let t2 = cross(n, t1);
  let slip = relative_at(pair, a.xyz, b.xyz);
  var v1 = dot(t1, slip);
  var v2 = dot(t2, slip);
  if (moves) {
    let rates = points[4u * l + 2u].masses;
    v1 = v1 + (points[4u * l].masses.z + time * rates.z);
    v2 = v2 + (points[4u * l].masses.w + time * rates.w);
  }
  let z = circle_row(old.xy, links[l].block.xyz, vec2f(v1, v2), limit);
  impulses[first + SPLIT_LINK_ROW] = vec4f(z, twist, old.w);
  push_pair(pair, a.xyz, b.xyz, t1 * (z.x - old.x) + t2 * (z.y - old.y));
}

// Pyramid a point.
fn point_friction(l: u32, pair: ptr<function, Pair>, n: vec3f, first: u32, count: u32) {
  let t1 = links[l].tangent.xyz;
  let t2 = cross(n, t1);
  let mu = links[l].normal.w;
  for (var i = 0u; i < count; i++) {
    let rA = points[4u * l + i].armA.xyz;
    let rB = points[4u * l + i].armB.xyz;
    let masses = points[4u * l + i].masses;
    let at = first + SPLIT_LINK_ROW + 1u + (i >> 1u);
    let odd = (i & 1u) != 0u;
    let old = impulses[at];
    let old1 = select(old.x, old.z, odd);
    let old2 = select(old.y, old.w, odd);
    let limit = mu * impulses[first + i].x;
    let v1 = dot(t1, relative_at(pair, rA, rB));
    let z1 = bound_row(old1 - masses.z * v1, limit);
    push_pair(pair, rA, rB, t1 * (z1 - old1));
    let v2 = dot(t2, relative_at(pair, rA, rB));
    let z2 = bound_row(old2 - masses.w * v2, limit);
    push_pair(pair, rA, rB, t2 * (z2 - old2));
    impulses[at] = select(vec4f(z1, z2, old.z, old.w), vec4f(old.x, old.y, z1, z2), odd);
  }
}

fn friction(l: u32, pair: ptr<function, Pair>, n: vec3f, first: u32, count: u32, flags: u32) {
  if ((flags & SPLIT_POINT_FRICTION) != 0u) {
    point_friction(l, pair, n, first, count);
  } else {
    center_friction(l, pair, n, first, count);
  }
}

// Rolling resistance: spins about the two tangents as a 2x2 block, bound by rollArm times the normal impulses.
fn roll_link(l: u32, pair: ptr<function, Pair>, n: vec3f, first: u32, count: u32) {
  var borne = 0.0;
  for (var i = 0u; i < count; i++) { borne = borne + impulses[first + i].x; }
  let last = first + params.impulseStride - 1u;
  let old = impulses[last];
  if (borne == 0.0 && old.x == 0.0 && old.y == 0.0) { return; }
  let t1 = links[l].tangent.xyz;
  let t2 = cross(n, t1);
  let a1 = turned((*pair).a, t1);
  let a2 = turned((*pair).a, t2);
  let b1 = turned((*pair).b, t1);
  let b2 = turned((*pair).b, t2);
  let k11 = dot(t1, a1 + b1);
  let k12 = dot(t1, a2 + b2);
  let k22 = dot(t2, a2 + b2);
  let det = k11 * k22 - k12 * k12;
  let inv = select(0.0, 1.0 / det, det > 0.0);
  let spin = (*pair).wb - (*pair).wa;
  let w1 = dot(t1, spin);
  let w2 = dot(t2, spin);
  let block = vec3f(k22 * inv, -k12 * inv, k11 * inv);
  let q = circle_row(old.xy, block, vec2f(w1, w2), links[l].block.w * borne);
  impulses[last] = vec4f(q, 0.0, 0.0);
  let d1 = q.x - old.x;
  let d2 = q.y - old.y;
  (*pair).wa = (*pair).wa - (a1 * d1 + a2 * d2);
  (*pair).wb = (*pair).wb + (b1 * d1 + b2 * d2);
}

// One sweep over the rows of a link: twist, friction, normals, rolling.
fn solve_link(l: u32, mode: u32, flags: u32, isFirst: bool, isLast: bool) {
  let ids = links[l].ids;
  var pair = load_pair(ids.x);
  let count = ids.z & 255u;
  let n = links[l].normal.xyz;
  // The relax pass of a single point goes backwards, normal first: friction so knows the impulse of an impact that this pass
  // has met.
  let backwards = mode == SPLIT_RELAX && count == 1u;
  if (!backwards) { friction(l, &pair, n, ids.y, count, flags); }
  let pushShare = links[l].tangent.w;
  // A relax pass is rigid and does not push.
  let soft = mode == SPLIT_SOFT;
  let rate = select(0.0, select(params.rate, params.rateStatic, (ids.z & 256u) != 0u), soft);
  var total = 0.0; // what this sweep adds to the impulse of the step
  for (var i = 0u; i < count; i++) {
    let at = ids.y + i;
    let a = points[4u * l + i].armA;
    let b = points[4u * l + i].armB;
    let masses = points[4u * l + i].masses;
    var state = impulses[at];
    if (isFirst) {
      let moved = (local[D + pair.b].xyz + cross(local[P + pair.b].xyz, b.xyz))
        - (local[D + pair.a].xyz + cross(local[P + pair.a].xyz, a.xyz));
      state.z = a.w + dot(n, moved);
    }
    let u = dot(n, relative_at(&pair, a.xyz, b.xyz));
    let bias = soft_bias(state.z, params.invH, rate, params.slop, -params.pushSpeed, pushShare);
    let z = soft_normal_row(state.z, state.x, u + bias, masses.y, select(masses.y, masses.x, soft), select(0.0, b.w, soft));
    if (mode == SPLIT_SOFT && isFirst) {
      // From here to the end of the substep: the impulse of the substep before, excess and all.
      state.w = state.x + state.w;
    } else if (mode == SPLIT_RELAX && isLast) {
      state.w = growth_excess(z, state.w);
      if (state.w > 0.0) { hasExcess = 1u; }
      total = total + z;
    }
    push_pair(&pair, a.xyz, b.xyz, n * (z - state.x));
    impulses[at] = vec4f(z, max(state.y, z), state.z, state.w);
  }
  if (mode == SPLIT_RELAX && isLast) {
    let at = ids.y + SPLIT_LINK_ROW;
    impulses[at].w = impulses[at].w + total;
  }
  if (backwards) { friction(l, &pair, n, ids.y, count, flags); }
  if (mode == SPLIT_RELAX && (flags & SPLIT_ROLLING) != 0u && links[l].block.w > 0.0) { roll_link(l, &pair, n, ids.y, count); }
  if ((ids.z & SPLIT_LINK_LOCKED) != 0u) { keep_pair(&pair); }
  store_pair(pair);
}

// Impulses (part 0) or largest impulses (1) of the points of a link, 0 beyond the last.
fn of_points(first: u32, count: u32, part: u32) -> vec4f {
  var all = vec4f();
  for (var i = 0u; i < count; i++) { all[i] = impulses[first + i][part]; }
  return all;
}

// One sweep over the rows of a link. Those of a link that is hit are repeated until its points agree: a sweep solves the points
// of a face one after the other, so the first one takes most of an impact and turns the body; the body moves before the next
// sweep and keeps that tilt. The intermediate sweeps do not count among the largest impulses.
fn sweep_link(l: u32, mode: u32, flags: u32, isFirst: bool, isLast: bool) {
  let ids = links[l].ids;
  let count = ids.z & 255u;
  var left = select(0u, FACE_SWEEPS, (ids.z & SPLIT_LINK_STRUCK) != 0u);
  var starts = isFirst;
  var largest = vec4f();
  if (left > 0u) { largest = of_points(ids.y, count, 1u); }
  // One loop, so that the sweep is compiled once; the last one is for the books.
  loop {
    let ends = left == 0u;
    var old = vec4f();
    if (!ends) { old = of_points(ids.y, count, 0u); }
    solve_link(l, mode, flags, starts, isLast && ends);
    if (ends) { break; }
    starts = false;
    let z = of_points(ids.y, count, 0u);
    left = select(0u, left - 1u, is_unsettled(z, old));
    if (left == 0u) {
      for (var i = 0u; i < count; i++) { impulses[ids.y + i].y = largest[i]; }
    }
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
  if (mode == SPLIT_SOFT && (flags & SPLIT_FIRST_SUBSTEP) == 0u && begins) {
    if (lane == 0u) { cellExcess = select(0u, 1u, slotStates[firstSlot].marks.x > 0.0); }
    if (workgroupUniformLoad(&cellExcess) != 0u) {
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
  hasExcess = 0u;
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
          sweep_link(firstLink + i, mode, flags, sweep == 0 && begins, sweep + 1 == sweeps && ends);
        }
      }
      begin = end;
      workgroupBarrier();
    }
  }
  if (mode == SPLIT_RELAX) {
    laneExcess[lane] = hasExcess;
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
    local[I0 + SPLIT_BODY_CAP] = vec4f();
    local[I1 + SPLIT_BODY_CAP] = vec4f();
  }
}
