// Locked axes of bodies, six bits: translation along x y z of the world, rotation about them. Twin: assembly/bodies/locks.ts.
const LOCK_SHARE = 1e-4;
const LOCK_DROP = 2e-3;

fn locked_axes(locks: u32) -> vec3<bool> {
  return vec3<bool>((locks & 1u) != 0u, (locks & 2u) != 0u, (locks & 4u) != 0u);
}

// Shares of the inverse mass along x y z.
fn lock_shares(locks: f32) -> vec3f {
  return select(vec3f(1.0), vec3f(LOCK_SHARE), locked_axes(u32(locks)));
}

// Returns a vector without its locked axes.
fn kept(v: vec3f, locks: u32) -> vec3f {
  return select(v, vec3f(), locked_axes(locks));
}
