// A row with Nesterov's momentum (momentum.wgsl): where it leaves from, and its share in the restart test. Kernels declare `params`,
// `rows` and `states` (read_write). Twin: assembly/study/methods/momentum.ts.
#import rows

// A row leaves from where momentum takes it: `to` is the half of the impulses that holds that.
fn move_on(r: u32, to: u32, factor: f32) -> f32 {
  let z = states[params.zRead + r];
  let before = select(states[at(BEFORE, r)], z, has(START));
  let y = z + factor * (z - before);
  states[at(BEFORE, r)] = z;
  states[to + r] = y;
  return y;
}

// Share of a row that has left from y: positive where its step and its motion point apart.
fn turn_of(r: u32, y: f32, z: f32) -> f32 { return rows[r].a.w * (y - z) * (z - states[at(BEFORE, r)]); }
