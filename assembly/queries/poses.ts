// Poses and matrices of many bodies at once, for renderers, between the last two steps; four bodies at a time. The host calls for a
// chunk and copies it to where it wants it, so that what is written here never leaves the cache.
// Input: poses, PastPose, places in Header.poseLists. Output: Header.poseChunk.
import { Header, NONE, PAST_POSE_STRIDE, POSE_CHUNK, PastPose } from '../layout.generated';
import { addW, blendW, divW, joinHighW, joinLowW, mulW, splatW, sqrtW, subW, zipHighW, zipLowW } from '../math/lane';
import { allocate, ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';

// Bytes of Header.scratch: positions of four bodies; their rotations, then those mixed, as lanes x y z w; rotations a step before.
const POSITIONS: usize = 0,
  ROTATIONS: usize = 64,
  BEFORE: usize = 128;

/** Room for lists of `count` bodies, and for a chunk. False without memory (header error set). */
export function reservePoseLists(count: u32): bool {
  const h: Header = header();
  if (h.poseChunk == 0) h.poseChunk = <u32>allocate((<usize>POSE_CHUNK) << 6);
  const base: usize = changetype<usize>(h) + offsetof<Header>('poseLists');
  return h.poseChunk != 0 && ensureCapacity(base, base + 4, 16, count);
}

/**
 * Poses of the bodies at four places from `place` on, those from `end` on left out: to the scratch. `back` is how far back from the
 * last step to the one before it.
 */
function mixFour(place: u32, end: u32, listed: bool, back: f32): usize {
  const h: Header = header();
  const out: usize = h.scratch;
  const positions: usize = h.positions,
    rotations: usize = h.rotations,
    list: usize = <usize>h.poseLists + ((<usize>place) << 2);
  const bodies: u32 = h.bodyCount,
    step: u32 = h.stepCount,
    kept: u32 = back == 0 ? 0 : min<u32>(h.pastPoseCapacity, bodies);
  const pasts: usize = h.pastPoses;
  const b: v128 = splatW(back);
  for (let k: u32 = 0; k < 4; k++) {
    const to: usize = out + ((<usize>k) << 4);
    let body: u32 = NONE;
    if (place + k < end) body = listed ? load<u32>(list + ((<usize>k) << 2)) : place + k;
    if (body >= bodies) {
      v128.store(to, splatW(0), POSITIONS);
      v128.store(to, splatW(0), ROTATIONS);
      v128.store(to, splatW(0), BEFORE);
      continue;
    }
    const p: v128 = v128.load(positions + ((<usize>body) << 4)),
      q: v128 = v128.load(rotations + ((<usize>body) << 4));
    v128.store(to, p, POSITIONS);
    v128.store(to, q, ROTATIONS);
    v128.store(to, q, BEFORE);
    const past: usize = pasts + <usize>body * PAST_POSE_STRIDE;
    if (body >= kept || changetype<PastPose>(past).step != step) continue;
    // From the later pose on, so that what stands still is where it is to the last bit.
    const mixed: v128 = addW(p, mulW(subW(v128.load(past), p), b));
    v128.store(to, v128.shuffle<f32>(mixed, p, 0, 1, 2, 7), POSITIONS);
    v128.store(to, v128.load(past, offsetof<PastPose>('rotation')), BEFORE);
  }
  let a0: v128 = v128.load(out, ROTATIONS),
    a1: v128 = v128.load(out, ROTATIONS + 16),
    a2: v128 = v128.load(out, ROTATIONS + 32),
    a3: v128 = v128.load(out, ROTATIONS + 48);
  let low: v128 = zipLowW(a0, a1),
    high: v128 = zipHighW(a0, a1),
    low2: v128 = zipLowW(a2, a3),
    high2: v128 = zipHighW(a2, a3);
  const x: v128 = joinLowW(low, low2),
    y: v128 = joinHighW(low, low2),
    z: v128 = joinLowW(high, high2),
    w: v128 = joinHighW(high, high2);
  a0 = v128.load(out, BEFORE);
  a1 = v128.load(out, BEFORE + 16);
  a2 = v128.load(out, BEFORE + 32);
  a3 = v128.load(out, BEFORE + 48);
  low = zipLowW(a0, a1);
  high = zipHighW(a0, a1);
  low2 = zipLowW(a2, a3);
  high2 = zipHighW(a2, a3);
  let px: v128 = joinLowW(low, low2),
    py: v128 = joinHighW(low, low2),
    pz: v128 = joinLowW(high, high2),
    pw: v128 = joinHighW(high, high2);
  const same: v128 = v128.and(v128.and(f32x4.eq(x, px), f32x4.eq(y, py)), v128.and(f32x4.eq(z, pz), f32x4.eq(w, pw)));
  // The shorter way around.
  const dot: v128 = addW(addW(mulW(x, px), mulW(y, py)), addW(mulW(z, pz), mulW(w, pw)));
  const side: v128 = v128.and(f32x4.lt(dot, splatW(0)), splatW(-0.0));
  px = addW(x, mulW(subW(v128.xor(px, side), x), b));
  py = addW(y, mulW(subW(v128.xor(py, side), y), b));
  pz = addW(z, mulW(subW(v128.xor(pz, side), z), b));
  pw = addW(w, mulW(subW(v128.xor(pw, side), w), b));
  const length2: v128 = addW(addW(mulW(px, px), mulW(py, py)), addW(mulW(pz, pz), mulW(pw, pw)));
  const unit: v128 = divW(splatW(1), sqrtW(f32x4.pmax(length2, splatW(<f32>1e-30))));
  v128.store(out + ROTATIONS, blendW(same, x, mulW(px, unit)));
  v128.store(out + ROTATIONS, blendW(same, y, mulW(py, unit)), 16);
  v128.store(out + ROTATIONS, blendW(same, z, mulW(pz, unit)), 32);
  v128.store(out + ROTATIONS, blendW(same, w, mulW(pw, unit)), 48);
  return out;
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
 * Positions, 16 bytes each, then from POSE_CHUNK of them on rotations, of the bodies at places from..from + count: those of the list,
 * else slots. `alpha` is 1 at the last step, 0 at the one before. What is no body is zeros.
 */
export function readPoses(from: u32, count: u32, listed: bool, alpha: f32): void {
  const chunk: usize = header().poseChunk;
  for (let i: u32 = 0; i < count; i += 4) {
    const four: usize = mixFour(from + i, from + count, listed, 1 - alpha);
    const out: usize = chunk + ((<usize>i) << 4);
    for (let k: usize = 0; k < 64; k += 16) v128.store(out + k, v128.load(four + k, POSITIONS));
    const r: usize = four + ROTATIONS;
    storeFour(v128.load(r), v128.load(r, 16), v128.load(r, 32), v128.load(r, 48), out + ((<usize>POSE_CHUNK) << 4), 16);
  }
}

/** The same as 4x4 matrices in columns, times the scales of the lists if `scaled`; of what is no body all zeros but the last. */
export function readMatrices(from: u32, count: u32, listed: bool, scaled: bool, alpha: f32): void {
  const h: Header = header();
  const chunk: usize = h.poseChunk;
  const one: v128 = splatW(1);
  for (let i: u32 = 0; i < count; i += 4) {
    const four: usize = mixFour(from + i, from + count, listed, 1 - alpha);
    const x: v128 = v128.load(four, ROTATIONS),
      y: v128 = v128.load(four, ROTATIONS + 16),
      z: v128 = v128.load(four, ROTATIONS + 32),
      w: v128 = v128.load(four, ROTATIONS + 48);
    const x2: v128 = addW(x, x),
      y2: v128 = addW(y, y),
      z2: v128 = addW(z, z);
    const xx: v128 = mulW(x, x2),
      yy: v128 = mulW(y, y2),
      zz: v128 = mulW(z, z2);
    const xy: v128 = mulW(x, y2),
      xz: v128 = mulW(x, z2),
      yz: v128 = mulW(y, z2);
    const wx: v128 = mulW(w, x2),
      wy: v128 = mulW(w, y2),
      wz: v128 = mulW(w, z2);
    const a: v128 = v128.load(four, POSITIONS),
      b: v128 = v128.load(four, POSITIONS + 16),
      c: v128 = v128.load(four, POSITIONS + 32),
      d: v128 = v128.load(four, POSITIONS + 48);
    // 1 for a body, 0 for nothing.
    let sx: v128 = joinHighW(zipHighW(a, b), zipHighW(c, d)),
      sy: v128 = sx,
      sz: v128 = sx;
    if (scaled) {
      const s: usize = <usize>h.poseLists + ((<usize>h.poseListCapacity) << 2) + <usize>(from + i) * 12;
      const s0: v128 = v128.load(s),
        s1: v128 = v128.load(s, 16),
        s2: v128 = v128.load(s, 32);
      sx = mulW(sx, v128.shuffle<f32>(v128.shuffle<f32>(s0, s1, 0, 3, 6, 6), s2, 0, 1, 2, 5));
      sy = mulW(sy, v128.shuffle<f32>(v128.shuffle<f32>(s0, s1, 1, 4, 7, 7), s2, 0, 1, 2, 6));
      sz = mulW(sz, v128.shuffle<f32>(v128.shuffle<f32>(s0, s1, 2, 5, 5, 5), s2, 0, 1, 4, 7));
    }
    const out: usize = chunk + ((<usize>i) << 6);
    const zero: v128 = splatW(0);
    storeFour(mulW(subW(one, addW(yy, zz)), sx), mulW(addW(xy, wz), sx), mulW(subW(xz, wy), sx), zero, out, 64);
    storeFour(mulW(subW(xy, wz), sy), mulW(subW(one, addW(xx, zz)), sy), mulW(addW(yz, wx), sy), zero, out + 16, 64);
    storeFour(mulW(addW(xz, wy), sz), mulW(subW(yz, wx), sz), mulW(subW(one, addW(xx, yy)), sz), zero, out + 32, 64);
    v128.store(out, f32x4.replace_lane(a, 3, 1), 48);
    v128.store(out, f32x4.replace_lane(b, 3, 1), 112);
    v128.store(out, f32x4.replace_lane(c, 3, 1), 176);
    v128.store(out, f32x4.replace_lane(d, 3, 1), 240);
  }
}
