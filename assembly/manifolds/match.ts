// Impulses that the old manifolds of a pair pass to the new ones: tangent and friction impulses from the manifold with the
// closest normal, and each normal impulse to the nearest new point.
//
// Points are matched by distance, in the frame of a moving body. So sliding corners, rolling points of round shapes, and points
// of a face that another test found on another triangle all keep their impulse. The old points of a manifold lie in columns, and
// a new point is compared with four at once.
// Input: manifolds of a pair, before they are filled again. Output: OldManifold[] in the contact scratch; which of their impulses
// were passed on.
import { isMoved } from '../bodies/rows';
import { manifoldAt } from '../constraints/manifolds';
import { columnX, columnY, columnZ } from '../lanes/columns';
import { excessesOf, frictionOf, impulsesOf, rollingOf, stateStride } from '../lanes/state';
import { MANIFOLD_POINT_STRIDE, Manifold, ManifoldPoint, NONE, OldManifold, PairCold } from '../layout.generated';
import { addW, blendW, dot3, minW, mulW, splatW, subW } from '../math/lane';
import { oldManifold } from '../scratch/contact_state';

// Least cosine between the normals of an old manifold and a new one that goes on with it.
const ALIKE: f32 = 0.9;

/** Saves what the manifolds of a pair pass on. Returns their number. */
export function saveOld(cold: PairCold): u32 {
  let k: u32 = 0;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const m: Manifold = manifoldAt(index);
    const from: usize = changetype<usize>(m);
    const old: OldManifold = oldManifold(k++);
    old.normal = m.ln;
    old.tangent = m.lt;
    old.friction = frictionOf(m);
    old.rolling = rollingOf(m);
    old.taken = 0;
    const anchors: usize = from + offsetof<Manifold>('lax0') + (isMoved(m.bodyA) ? 0 : offsetof<ManifoldPoint>('lbx'));
    // Missing points are not read: round shapes have one point, in one line of the cache.
    const p0: v128 = v128.load(anchors);
    let p1: v128 = p0,
      p2: v128 = p0,
      p3: v128 = p0;
    if (m.count > 1) p1 = v128.load(anchors + MANIFOLD_POINT_STRIDE);
    if (m.count > 2) p2 = v128.load(anchors + 2 * MANIFOLD_POINT_STRIDE);
    if (m.count > 3) p3 = v128.load(anchors + 3 * MANIFOLD_POINT_STRIDE);
    old.x = columnX(p0, p1, p2, p3);
    old.y = columnY(p0, p1, p2, p3);
    old.z = columnZ(p0, p1, p2, p3);
    const impulses: usize = impulsesOf(m),
      stride: usize = stateStride(m);
    for (let i: usize = 0; i < <usize>m.count; i++)
      store<f32>(changetype<usize>(old) + (i << 2), load<f32>(impulses + i * stride), offsetof<OldManifold>('impulse'));
    old.excess = excessesOf(m);
    old.gone = i32x4.ge_u(i32x4(0, 1, 2, 3), i32x4.splat(m.count));
  }
  return k;
}

/** Bits of the old manifolds whose normals, in the frame of body A, are near n. */
export function alike(count: u32, n: v128): u32 {
  let bits: u32 = 0;
  for (let k: u32 = 0; k < count; k++) if (dot3(n, oldManifold(k).normal) > ALIKE) bits |= 1 << k;
  return bits;
}

/** Takes the old manifold of `alike` whose normal is nearest to n and that was not taken yet; NONE without one. */
export function takeManifold(alike: u32, n: v128): u32 {
  let best: u32 = NONE,
    bestDot: f32 = ALIKE;
  for (let left: u32 = alike; left != 0; left &= left - 1) {
    const k: u32 = ctz<u32>(left);
    if (oldManifold(k).taken != 0) continue;
    const dot: f32 = dot3(n, oldManifold(k).normal);
    if (dot <= bestDot) continue;
    bestDot = dot;
    best = k;
  }
  if (best != NONE) oldManifold(best).taken = 1;
  return best;
}

/**
 * Takes the old point nearest to a place among those of `alike` that are left: manifold << 2 | point. NONE beyond the reach,
 * which is given squared.
 */
export function takePoint(alike: u32, place: v128, reach2: f32): u32 {
  const x: v128 = v128.shuffle<f32>(place, place, 0, 0, 0, 0),
    y: v128 = v128.shuffle<f32>(place, place, 1, 1, 1, 1),
    z: v128 = v128.shuffle<f32>(place, place, 2, 2, 2, 2);
  let nearest: f32 = reach2,
    found: u32 = NONE;
  for (let left: u32 = alike; left != 0; left &= left - 1) {
    const k: u32 = ctz<u32>(left);
    const old: OldManifold = oldManifold(k);
    const ex: v128 = subW(old.x, x),
      ey: v128 = subW(old.y, y),
      ez: v128 = subW(old.z, z);
    const squares: v128 = addW(addW(mulW(ex, ex), mulW(ey, ey)), mulW(ez, ez));
    const e2: v128 = blendW(old.gone, splatW(Infinity), squares);
    const pairs: v128 = minW(e2, v128.shuffle<f32>(e2, e2, 2, 3, 0, 1));
    const least: v128 = minW(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2));
    const squared: f32 = f32x4.extract_lane(least, 0);
    if (!(squared < nearest)) continue;
    nearest = squared;
    found = (k << 2) | ctz<u32>(i32x4.bitmask(f32x4.eq(e2, least)));
  }
  if (found != NONE)
    store<u32>(changetype<usize>(oldManifold(found >> 2)) + ((<usize>(found & 3)) << 2), ~0, offsetof<OldManifold>('gone'));
  return found;
}

/** N s: impulse of an old point, as takePoint names it. */
export function oldImpulse(point: u32): f32 {
  return load<f32>(changetype<usize>(oldManifold(point >> 2)) + ((<usize>(point & 3)) << 2), offsetof<OldManifold>('impulse'));
}
/** N s: and its excess. */
export function oldExcess(point: u32): f32 {
  return load<f32>(changetype<usize>(oldManifold(point >> 2)) + ((<usize>(point & 3)) << 2), offsetof<OldManifold>('excess'));
}
