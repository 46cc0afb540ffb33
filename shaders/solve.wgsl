// One pass of the mass-splitting solver over the cells that share bodies: a workgroup a cell, a dispatch a pass.
#import split
#import groups

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let index = group.x + group.y * GROUPS;
  if (index >= params.count) { return; }
  let cell = params.firstCell + index;
  let firstSlot = cells[cell * 8u + 2u];
  let slotCount = cells[cell * 8u + 3u];
  clear_dummy(lane);
  for (var i = lane; i < slotCount; i += LANES) { load_body(firstSlot + i, i, params.mode, params.flags); }
  workgroupBarrier();
  sweep_cell(cell, firstSlot, lane, params.mode, params.flags);
  for (var i = lane; i < slotCount; i += LANES) { store_body(firstSlot + i, i); }
}
