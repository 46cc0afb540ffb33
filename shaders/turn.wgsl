// Joints before the sweeps of a pass, for all cells that solve.wgsl goes over: one lane per link. Twin: assembly/split/turn.ts.
#import layout
#import groups
#import turn_joint

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> slotStates: array<SplitSlotState>;
@group(0) @binding(3) var<storage, read> slots: array<SplitSlot>;
@group(0) @binding(4) var<storage, read> subs: array<SplitRow>;
@group(0) @binding(5) var<storage, read_write> joints: array<vec4f>;

// A body by its slot; NONE: the world.
fn share_of(slot: u32, k: f32, mode: u32) -> Share {
  if (slot == NONE) { return Share(Block(vec4f(), vec4f()), vec3f(), vec3f(), vec3f(), vec3f()); }
  let inertia = Block(k * slotStates[slot].inertia0, vec4f(k * slotStates[slot].inertia1.xyz, slotStates[slot].marks.y));
  if (mode == SPLIT_WARM) { return Share(inertia, vec3f(), vec3f(), slotStates[slot].vStart.xyz, slotStates[slot].wStart.xyz); }
  // As load_body moves it, by the mean of its sub-bodies.
  var v = slotStates[slot].v;
  var w = slotStates[slot].w;
  let ids = slots[slot].ids;
  if (ids.y > 1u) {
    let base = params.rowRead + ids.x;
    v = subs[base].v;
    w = subs[base].w;
    for (var j = 1u; j < ids.y; j++) {
      v = v + subs[base + j].v;
      w = w + subs[base + j].w;
    }
    v = v * slotStates[slot].inertia1.w;
    w = w * slotStates[slot].inertia1.w;
  }
  return Share(inertia, (slotStates[slot].d + params.h * v).xyz, (slotStates[slot].p + params.h * w).xyz, v.xyz, w.xyz);
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let link = params.firstLink + index_of(id, LANES);
  if (link >= params.linkCount) { return; }
  let member = members[link];
  if (member.room != NONE) { return; }
  turn_joint(member.manifold * GPU_JOINT_ROWS, member.slotA, member.slotB, member.kA, member.kB, params.mode);
}
