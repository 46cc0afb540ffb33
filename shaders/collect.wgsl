// End of a step, one lane per link: reports manifolds whose impulses or gaps have changed by more than a tolerance since their
// last report, and the state of all joints. Twin: assembly/split/collect.ts.
#import layout
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> slotStates: array<SplitSlotState>;
@group(0) @binding(3) var<storage, read> impulses: array<vec4f>;
@group(0) @binding(4) var<storage, read> joints: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> reported: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> jointResults: array<vec4f>;

// A report: its manifold, the four rows of its points, the others.
struct LinkReports {
  count: atomic<u32>,
  pad0: u32,
  pad1: u32,
  pad2: u32,
  list: array<u32>,
}
@group(0) @binding(7) var<storage, read_write> reports: LinkReports;

fn inverse_mass(slot: u32) -> f32 {
  if (slot == NONE) { return 0.0; }
  return slotStates[slot].inertia1.z;
}

// Whether impulses are as reported, in each lane: within a change of speed by the tolerance, or a share of themselves.
fn is_same(now: vec4f, old: vec4f, speeds: vec4f) -> bool {
  let change = now - old;
  let speed = change * speeds;
  let share = old * GPU_REPORT_SHARE;
  let limit = vec4f(params.reportSpeed * params.reportSpeed);
  return all((speed * speed <= limit) | (change * change <= share * share));
}

fn write_row(at: u32, row: vec4f) {
  let words = bitcast<vec4u>(row);
  for (var i = 0u; i < 4u; i++) { reports.list[at + i] = words[i]; }
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = index_of(id, LANES);
  if (at >= params.count) { return; }
  let member = members[at];
  if (member.room == NONE) {
    let rows = member.manifold * GPU_JOINT_ROWS + JOINT_ROW_IMPULSES;
    for (var i = 0u; i < JOINT_STATE_ROWS; i++) { jointResults[member.result + i] = joints[rows + i]; }
    return;
  }
  let source = member.manifold * params.impulseStride;
  let points = impulses[source];
  // Their second row is the largest impulse of the step.
  let gaps = impulses[source + 2u];
  let patch_row = impulses[source + SPLIT_LINK_ROW];
  let to = member.manifold * GPU_REPORTED_ROWS;
  let mass = inverse_mass(member.slotA) + inverse_mass(member.slotB);
  let each = mass * f32(params.substeps);
  let moved = gaps - reported[to + 1u];
  let isStill = all(moved * moved <= vec4f(params.reportDistance * params.reportDistance));
  let isQuiet = params.reportDistance >= 0.0 && isStill && is_same(points, reported[to], vec4f(each))
    && is_same(patch_row, reported[to + 2u], vec4f(each, each, each, mass));
  if (isQuiet) { return; }
  reported[to] = points;
  reported[to + 1u] = gaps;
  reported[to + 2u] = patch_row;
  let others = params.impulseStride - SPLIT_LINK_ROW - select(1u, 0u, (params.flags & SPLIT_ROLLING) != 0u);
  let first = atomicAdd(&reports.count, 1u) * (1u + 4u * (SPLIT_LINK_ROW + others));
  reports.list[first] = member.manifold;
  for (var i = 0u; i < SPLIT_LINK_ROW + others; i++) { write_row(first + 1u + 4u * i, impulses[source + i]); }
}
