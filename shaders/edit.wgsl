// Stores manifolds that are new or have changed, from the CPU: one lane per edit. Contacts and impulses lie at the place of the
// manifold's index for its life. Rows are copied as bits. The CPU knows such a manifold as it is, and hears of it after this
// step. Packed by assembly/split/edit.ts.
#import layout
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> edits: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> contacts: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> impulses: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> reported: array<vec4u>;

// Far from all impulses and gaps: the manifold has changed.
const UNREPORTED = vec4u(bitcast<u32>(1e15f));

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = index_of(id, LANES);
  if (at >= params.count) { return; }
  let source = at * GPU_EDIT_ROWS;
  let manifold = edits[source].w;
  for (var i = 0u; i < GPU_CONTACT_ROWS; i++) { contacts[manifold * GPU_CONTACT_ROWS + i] = edits[source + i]; }
  for (var i = 0u; i < GPU_REPORTED_ROWS; i++) { reported[manifold * GPU_REPORTED_ROWS + i] = UNREPORTED; }
  for (var i = 0u; i < params.impulseStride; i++) {
    impulses[manifold * params.impulseStride + i] = edits[source + GPU_CONTACT_ROWS + i];
  }
}
