// Which element a lane works on. A row of a dispatch in WebGPU has at most GROUPS workgroups: a larger dispatch has several rows
// in y (encode in gpu_solver.ts), and the last one may have lanes without an element.
override GROUPS: u32 = 65535u;

fn index_of(id: vec3u, lanes: u32) -> u32 {
  return id.x + id.y * GROUPS * lanes;
}
