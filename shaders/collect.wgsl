// Impulses of the links in their order, for the CPU: one lane per link. Twin: assembly/split/collect.ts.
#import layout
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> impulses: array<vec4f>;
@group(0) @binding(3) var<storage, read> joints: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> results: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = index_of(id, LANES);
  if (at >= params.count) { return; }
  let source = members[at].manifold * params.impulseStride;
  let to = members[at].result;
  let room = members[at].room;
  if (room == NONE) {
    let rows = members[at].manifold * GPU_JOINT_ROWS + JOINT_ROW_IMPULSES;
    for (var i = 0u; i < JOINT_STATE_ROWS; i++) { results[to + i] = joints[rows + i]; }
    return;
  }
  // Number by number of the points there, point by point here.
  let ofPoints = transpose(
    mat4x4f(impulses[source], impulses[source + 1u], impulses[source + 2u], impulses[source + 3u]),
  );
  for (var i = 0u; i < room; i++) { results[to + i] = ofPoints[i]; }
  let rolls = (params.flags & SPLIT_ROLLING) != 0u;
  let others = params.impulseStride - SPLIT_LINK_ROW - select(1u, 0u, rolls);
  for (var i = 0u; i < others; i++) { results[to + room + i] = impulses[source + SPLIT_LINK_ROW + i]; }
}
