// All passes of a step for cells of whole islands without joints: a workgroup a cell, one dispatch. Twin:
// assembly/split/island.ts.
#import island_passes

fn kick_joint(l: u32) {}
fn solve_joint(l: u32, mode: u32, isLast: bool) {}
fn turn_joints(cell: u32, firstSlot: u32, lane: u32, mode: u32) {}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  solve_island(group.x + group.y * GROUPS, lane);
}
