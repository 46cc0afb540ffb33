// Poses and matrices of many bodies at once, for renderers, between the last two steps; four bodies at a time. The host calls for
// a chunk and copies it to where it wants it, so that what is written here never leaves the cache.
// Input: poses, PastPose, places in Header.poseLists. Output: Header.poseChunk.
import { Header, NONE, PAST_POSE_STRIDE, POSE_CHUNK, POSE_MATRIX_STRIDE, PastPose, PoseMatrix } from '../layout.generated';
import { addW, blendW, divW, joinHighW, joinLowW, mulW, splatW, sqrtW, subW, zipHighW, zipLowW } from '../math/lane';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, putVector, vectorAt } from '../memory/words';

/** Room for lists of `count` bodies, and for a chunk. False without memory (header error set). */
export function reservePoseLists(count: u32): bool {
  const h: Header = header();
  if (h.poseChunk == 0) h.poseChunk = <u32>allocate((<usize>POSE_CHUNK) << 6);
  const base: usize = changetype<usize>(h) + offsetof<Header>('poseLists');
  return h.poseChunk != 0 && ensureArray(base, 16, count);
}

/** Writes the columns a b c d of four rows of lanes, `stride` bytes apart. */
function storeFour(a: v128, b: v128, c: v128, d: v128, out: usize, stride: usize): void {
  const low: v128 = zipLowW(a, b),
    high: v128 = zipHighW(a, b),
    low2: v128 = zipLowW(c, d),
    high2: v128 = zipHighW(c, d);
  v128.store(out, joinLowW(low, low2));
  v128.store(out + stride, joinHighW(low, low2));
  v128.store(out + 2 * stride, joinLowW(high, high2));
  v128.store(out + 3 * stride, joinHighW(high, high2));
}

/**
 * Writes the poses of bodies at places from..from + count to the chunk: those of the list, else slots. `alpha` is 1 at the last
 * step, 0 at the one before. Either positions, 16 bytes each, followed by rotations from POSE_CHUNK of them on; or, with
 * `matrices`, 4x4 matrices in columns, times the scales of the lists if `scaled`. Places without a body get zeros, except for the
 * last element of a matrix.
 */
export function readPoses(from: u32, count: u32, listed: bool, alpha: f32, matrices: bool, scaled: bool): void {
  const h: Header = header();
  const chunk: usize = h.poseChunk;
  const positions: usize = h.positions,
    rotations: usize = h.rotations,
    pasts: usize = h.pastPoses;
  const bodies: u32 = h.bodyCount,
    step: u32 = h.stepCount;
  // Before the first step there is none before it.
  const kept: u32 = alpha == 1 || step == 0 ? 0 : min<u32>(h.pastPosesCapacity, bodies);
  const zero: v128 = splatW(0),
    one: v128 = splatW(1),
    back: v128 = splatW(1 - alpha);
  for (let i: u32 = 0; i < count; i += 4) {
    const list: usize = <usize>h.poseLists + ((<usize>(from + i)) << 2);
    let b0: u32 = from + i,
      b1: u32 = b0 + 1,
      b2: u32 = b0 + 2,
      b3: u32 = b0 + 3;
    if (listed) {
      b0 = at32(list, 0);
      b1 = at32(list, 1);
      b2 = at32(list, 2);
      b3 = at32(list, 3);
    }
    if (i + 4 > count) {
      if (i + 1 >= count) b1 = NONE;
      if (i + 2 >= count) b2 = NONE;
      b3 = NONE;
    }
    // Written out: as a loop over four bodies it takes a third longer.
    let p0: v128 = zero,
      p1: v128 = zero,
      p2: v128 = zero,
      p3: v128 = zero;
    let q0: v128 = zero,
      q1: v128 = zero,
      q2: v128 = zero,
      q3: v128 = zero;
    let r0: v128 = zero,
      r1: v128 = zero,
      r2: v128 = zero,
      r3: v128 = zero;

    if (b0 < bodies) {
      // Interpolates from the later pose, so that a body at rest is at its place to the last bit.
      p0 = v128.load(positions + ((<usize>b0) << 4));
      q0 = r0 = v128.load(rotations + ((<usize>b0) << 4));
      const past: usize = pasts + <usize>b0 * PAST_POSE_STRIDE;
      if (b0 < kept && changetype<PastPose>(past).step == step) {
        const m: v128 = addW(p0, mulW(subW(v128.load(past), p0), back));
        p0 = v128.shuffle<f32>(m, p0, 0, 1, 2, 7);
        r0 = v128.load(past, offsetof<PastPose>('rotation'));
      }
    }
    if (b1 < bodies) {
      p1 = v128.load(positions + ((<usize>b1) << 4));
      q1 = r1 = v128.load(rotations + ((<usize>b1) << 4));
      const past: usize = pasts + <usize>b1 * PAST_POSE_STRIDE;
      if (b1 < kept && changetype<PastPose>(past).step == step) {
        const m: v128 = addW(p1, mulW(subW(v128.load(past), p1), back));
        p1 = v128.shuffle<f32>(m, p1, 0, 1, 2, 7);
        r1 = v128.load(past, offsetof<PastPose>('rotation'));
      }
    }
    if (b2 < bodies) {
      p2 = v128.load(positions + ((<usize>b2) << 4));
      q2 = r2 = v128.load(rotations + ((<usize>b2) << 4));
      const past: usize = pasts + <usize>b2 * PAST_POSE_STRIDE;
      if (b2 < kept && changetype<PastPose>(past).step == step) {
        const m: v128 = addW(p2, mulW(subW(v128.load(past), p2), back));
        p2 = v128.shuffle<f32>(m, p2, 0, 1, 2, 7);
        r2 = v128.load(past, offsetof<PastPose>('rotation'));
      }
    }
    if (b3 < bodies) {
      p3 = v128.load(positions + ((<usize>b3) << 4));
      q3 = r3 = v128.load(rotations + ((<usize>b3) << 4));
      const past: usize = pasts + <usize>b3 * PAST_POSE_STRIDE;
      if (b3 < kept && changetype<PastPose>(past).step == step) {
        const m: v128 = addW(p3, mulW(subW(v128.load(past), p3), back));
        p3 = v128.shuffle<f32>(m, p3, 0, 1, 2, 7);
        r3 = v128.load(past, offsetof<PastPose>('rotation'));
      }
    }
    let low: v128 = zipLowW(q0, q1),
      high: v128 = zipHighW(q0, q1),
      low2: v128 = zipLowW(q2, q3),
      high2: v128 = zipHighW(q2, q3);
    let x: v128 = joinLowW(low, low2),
      y: v128 = joinHighW(low, low2),
      z: v128 = joinLowW(high, high2),
      w: v128 = joinHighW(high, high2);
    low = zipLowW(r0, r1);
    high = zipHighW(r0, r1);
    low2 = zipLowW(r2, r3);
    high2 = zipHighW(r2, r3);
    const px: v128 = joinLowW(low, low2),
      py: v128 = joinHighW(low, low2),
      pz: v128 = joinLowW(high, high2),
      pw: v128 = joinHighW(high, high2);
    // The shorter way around.
    const dot: v128 = addW(addW(mulW(x, px), mulW(y, py)), addW(mulW(z, pz), mulW(w, pw)));
    const side: v128 = v128.and(f32x4.lt(dot, zero), splatW(-0.0));
    x = addW(x, mulW(subW(v128.xor(px, side), x), back));
    y = addW(y, mulW(subW(v128.xor(py, side), y), back));
    z = addW(z, mulW(subW(v128.xor(pz, side), z), back));
    w = addW(w, mulW(subW(v128.xor(pw, side), w), back));
    const length2: v128 = addW(addW(mulW(x, x), mulW(y, y)), addW(mulW(z, z), mulW(w, w)));
    if (!matrices) {
      const to: usize = chunk + ((<usize>i) << 4);
      putVector(to, 0, p0);
      putVector(to, 1, p1);
      putVector(to, 2, p2);
      putVector(to, 3, p3);
      // A rotation that was not mixed has length 1 except for rounding, and stays as it is.
      const mixed: v128 = f32x4.gt(f32x4.abs(subW(length2, one)), splatW(<f32>1e-6));
      const unit: v128 = blendW(mixed, divW(one, sqrtW(f32x4.pmax(length2, splatW(<f32>1e-30)))), one);
      storeFour(mulW(x, unit), mulW(y, unit), mulW(z, unit), mulW(w, unit), to + ((<usize>POSE_CHUNK) << 4), 16);
      continue;
    }
    // 2 / length^2 makes the rotation of a quaternion of any length.
    const twice: v128 = divW(splatW(2), f32x4.pmax(length2, splatW(<f32>1e-30)));
    const x2: v128 = mulW(x, twice),
      y2: v128 = mulW(y, twice),
      z2: v128 = mulW(z, twice);
    const xx: v128 = mulW(x, x2),
      yy: v128 = mulW(y, y2),
      zz: v128 = mulW(z, z2);
    const xy: v128 = mulW(x, y2),
      xz: v128 = mulW(x, z2),
      yz: v128 = mulW(y, z2);
    const wx: v128 = mulW(w, x2),
      wy: v128 = mulW(w, y2),
      wz: v128 = mulW(w, z2);
    // The w of a position: 1 for a body, 0 for nothing.
    let sx: v128 = joinHighW(zipHighW(p0, p1), zipHighW(p2, p3)),
      sy: v128 = sx,
      sz: v128 = sx;
    if (scaled) {
      const s: usize = <usize>h.poseLists + ((<usize>h.poseListsCapacity) << 2) + <usize>(from + i) * 12;
      const s0: v128 = vectorAt(s, 0),
        s1: v128 = vectorAt(s, 1),
        s2: v128 = vectorAt(s, 2);
      sx = mulW(sx, v128.shuffle<f32>(v128.shuffle<f32>(s0, s1, 0, 3, 6, 6), s2, 0, 1, 2, 5));
      sy = mulW(sy, v128.shuffle<f32>(v128.shuffle<f32>(s0, s1, 1, 4, 7, 7), s2, 0, 1, 2, 6));
      sz = mulW(sz, v128.shuffle<f32>(v128.shuffle<f32>(s0, s1, 2, 5, 5, 5), s2, 0, 1, 4, 7));
    }
    const out: usize = chunk + <usize>i * POSE_MATRIX_STRIDE;
    storeFour(mulW(subW(one, addW(yy, zz)), sx), mulW(addW(xy, wz), sx), mulW(subW(xz, wy), sx), zero, out, POSE_MATRIX_STRIDE);
    const outY: usize = out + offsetof<PoseMatrix>('axisY'),
      outZ: usize = out + offsetof<PoseMatrix>('axisZ');
    storeFour(mulW(subW(xy, wz), sy), mulW(subW(one, addW(xx, zz)), sy), mulW(addW(yz, wx), sy), zero, outY, POSE_MATRIX_STRIDE);
    storeFour(mulW(addW(xz, wy), sz), mulW(subW(yz, wx), sz), mulW(subW(one, addW(xx, yy)), sz), zero, outZ, POSE_MATRIX_STRIDE);
    v128.store(out, f32x4.replace_lane(p0, 3, 1), offsetof<PoseMatrix>('place'));
    v128.store(out + POSE_MATRIX_STRIDE, f32x4.replace_lane(p1, 3, 1), offsetof<PoseMatrix>('place'));
    v128.store(out + 2 * POSE_MATRIX_STRIDE, f32x4.replace_lane(p2, 3, 1), offsetof<PoseMatrix>('place'));
    v128.store(out + 3 * POSE_MATRIX_STRIDE, f32x4.replace_lane(p3, 3, 1), offsetof<PoseMatrix>('place'));
  }
}
