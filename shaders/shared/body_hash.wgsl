// Hash of a GpuBody. A GpuMotion with another one belongs to an older state of the body, and is void. Twin:
// assembly/split/body_hash.ts.

fn body_hash(b: GpuBody, body: u32) -> vec4u {
  let hash = (bitcast<vec4u>(b.center) * 0x9e3779b1u)
    ^ (bitcast<vec4u>(b.centerLow) * 0x85ebca77u)
    ^ (bitcast<vec4u>(b.rotation) * 0xc2b2ae3du)
    ^ (bitcast<vec4u>(b.v) * 0x27d4eb2fu)
    ^ (bitcast<vec4u>(b.w) * 0x165667b1u);
  return vec4u(hash.x ^ (hash.w * 0x9e3779b1u), hash.y, hash.z, body);
}

fn hash_of(motion: GpuMotion) -> vec4u {
  return vec4u(motion.v.w, motion.w.w, motion.d.w, motion.p.w);
}
