// One pass of the mass-splitting solver over the cells that share bodies: a workgroup a cell, a dispatch a pass.
// A pass of a whole substep is soft and relax sweeps with one mean, before the soft ones. Twin: assembly/split/solve.ts.
#import split
#import joints
#import groups

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let index = group.x + group.y * GROUPS;
  if (index >= params.count) { return; }
  let cell = params.firstCell + index;
  let firstSlot = cells[cell * 8u + 2u];
  let slotCount = cells[cell * 8u + 3u];
  let parts = select(1u, 2u, params.mode == SPLIT_SUBSTEP);
  var mode = select(params.mode, SPLIT_SOFT, params.mode == SPLIT_SUBSTEP);
  clear_dummy(lane);
  time = params.time;
  isWhole = params.mode == SPLIT_SUBSTEP;
  for (var i = lane; i < slotCount; i += LANES) { load_body(firstSlot + i, i, mode, params.flags); }
  workgroupBarrier();
  // One loop, so that the kernel is compiled once.
  for (var part = 0u; part < parts; part++) {
    if (part == 1u) {
      for (var i = lane; i < slotCount; i += LANES) { advance_body(firstSlot + i, i); }
      workgroupBarrier();
      mode = SPLIT_RELAX;
    }
    sweep_cell(cell, firstSlot, lane, mode, params.flags);
  }
  for (var i = lane; i < slotCount; i += LANES) { store_body(firstSlot + i, i); }
}
