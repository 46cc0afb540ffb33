// Impulses of the links in their order, for the CPU: one lane a link.
#import layout

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> impulses: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> results: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.count) { return; }
  let source = members[id.x].manifold * params.impulseStride;
  let to = id.x * params.impulseStride;
  for (var i = 0u; i < params.impulseStride; i++) { results[to + i] = impulses[source + i]; }
}
