// Which element a lane works on. WebGPU takes GROUPS workgroups in a row at most: a dispatch of more goes on in rows of y (encode
// in gpu_solver.ts), the last of which may be longer than what is left.
override GROUPS: u32 = 65535u;

fn index_of(id: vec3u, lanes: u32) -> u32 {
  return id.x + id.y * GROUPS * lanes;
}
