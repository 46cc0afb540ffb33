// Loads the velocities of resident bodies into their slots at the start of a step: one lane a slot.
#import layout

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> slots: array<SplitSlot>;
@group(0) @binding(2) var<storage, read> bodies: array<GpuBody>;
@group(0) @binding(3) var<storage, read_write> slotStates: array<SplitSlotState>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.count) { return; }
  let body = slots[id.x].ids.w;
  let v = vec4f(bodies[body].v.xyz, 0.0);
  let w = vec4f(bodies[body].w.xyz, 0.0);
  slotStates[id.x] = SplitSlotState(v, w, v, w, vec4f(), vec4f(), vec4f());
}
