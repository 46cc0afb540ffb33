// The same as island.wgsl for cells of whole islands that joints hold together. It is a kernel of its own, which compiles when
// the first such island comes: it is much larger, and most worlds never need it. Twin: assembly/split/island.ts.
#import island_passes
#import joints
#import turn_joint

// A body by its place in the cell, where load_body has put it; SPLIT_BODY_CAP: the world.
fn share_of(place: u32, k: f32, mode: u32) -> Share {
  if (place == SPLIT_BODY_CAP) { return Share(Block(vec4f(), vec4f()), vec3f(), vec3f(), vec3f(), vec3f()); }
  let v = local[V + place];
  let w = local[W + place];
  let d = local[D + place];
  let p = local[P + place];
  let inertia = Block(local[INERTIA + place], vec4f(d.w, p.w, v.w, w.w));
  // The warm pass loads bodies at rest.
  if (mode == SPLIT_WARM) {
    return Share(inertia, vec3f(), vec3f(), slotStates[cellSlot + place].vStart.xyz, slotStates[cellSlot + place].wStart.xyz);
  }
  return Share(inertia, d.xyz, p.xyz, v.xyz, w.xyz);
}

var<private> cellSlot: u32;

// Turns the joints of a cell, each by the lane that sweeps it. Sweeps move bodies that others read here, so they wait behind a
// barrier.
fn turn_joints(cell: u32, firstSlot: u32, lane: u32, mode: u32) {
  let firstLink = cells[cell * 8u];
  let colorBase = cells[cell * 8u + 4u];
  let colors = cells[cell * 8u + 5u];
  let contactColors = cells[cell * 8u + 7u];
  cellSlot = firstSlot;
  var begin = 0u;
  if (contactColors > 0u) { begin = cells[colorBase + contactColors - 1u]; }
  for (var color = contactColors; color < colors; color++) {
    let end = cells[colorBase + color];
    for (var i = begin + lane; i < end; i += LANES) {
      let ids = links[firstLink + i].ids;
      turn_joint(ids.y, ids.x & LINK_BODY_MASK, (ids.x >> LINK_BODY_BITS) & LINK_BODY_MASK, 1.0, 1.0, mode);
    }
    begin = end;
  }
  workgroupBarrier();
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  solve_island(group.x + group.y * GROUPS, lane);
}
