// All passes of a step for a cell of whole islands, which shares no body with other cells. Between passes a body goes through its
// own slot, touched by one lane only; results equal the passes of solve.wgsl. Kernels define kick_joint(), solve_joint() and
// turn_joints(). Twin: assembly/split/island.ts.
#import split
#import groups

fn cell_pass(cell: u32, lane: u32, mode: u32, flags: u32) {
  let firstSlot = cells[cell * 8u + 2u];
  let slotCount = cells[cell * 8u + 3u];
  for (var i = lane; i < slotCount; i += LANES) { load_body(firstSlot + i, i, mode, flags); }
  workgroupBarrier();
  // The first substep goes on from the warm pass, which has turned them.
  if (mode != SPLIT_SOFT || (flags & SPLIT_FIRST_SUBSTEP) == 0u) { turn_joints(cell, firstSlot, lane, mode); }
  sweep_cell(cell, firstSlot, lane, mode, flags);
  for (var i = lane; i < slotCount; i += LANES) { store_body(firstSlot + i, i); }
}

fn solve_island(index: u32, lane: u32) {
  if (index >= params.count) { return; }
  let cell = params.firstCell + index;
  let shared_flags = params.flags & (SPLIT_POINT_FRICTION | SPLIT_ROLLING);
  clear_dummy(lane);
  isWhole = true;
  // warm, then soft and relax a substep: one loop, so that the kernel is compiled once.
  let last = 2u * params.substeps;
  for (var i = 0u; i <= last; i++) {
    var mode = SPLIT_WARM;
    var flags = shared_flags;
    if (i > 0u) {
      mode = select(SPLIT_RELAX, SPLIT_SOFT, (i & 1u) != 0u);
      flags |= select(0u, SPLIT_FIRST_SUBSTEP, i <= 2u) | select(0u, SPLIT_LAST, i == last);
    }
    time = (f32((max(i, 1u) - 1u) >> 1u) + 0.5) * params.h;
    cell_pass(cell, lane, mode, flags);
  }
}
