// A hash that is equal for two worlds in the same state.
//
// It covers every body, by slots: pose in full precision, velocities, mass, forces for the next step, type, sleep, number of
// colliders. Of the world it covers steps, counts, gravity and dt. No address, id, free slot or padding is in it. Stored impulses
// of contacts and joints are not: if they differ, velocities do after the next step.
// Each field has a lane of its own (multiply and rotate, by four), so that a body costs about as much as reading it.
// Source of the mixing: Y. Collet, xxHash (rounds of XXH32).
import { FLAG_ALIVE, FLAG_ASLEEP, FLAG_TYPE } from '../bodies/rows';
import {
  BODY_CENTER_STRIDE,
  BODY_COLD_STRIDE,
  BODY_ROW_STRIDE,
  BodyCenter,
  BodyCold,
  BodyRow,
  Header,
} from '../layout.generated';
import { header } from '../memory/header';

const PRIME1: i32 = 0x9e3779b1;
const PRIME2: i32 = 0x85ebca77;
const PRIME3: i32 = 0xc2b2ae3d;

// @ts-ignore: decorator
@inline
function round(sum: v128, word: v128): v128 {
  const s: v128 = i32x4.add(sum, i32x4.mul(word, i32x4.splat(PRIME2)));
  return i32x4.mul(v128.or(i32x4.shl(s, 13), i32x4.shr_u(s, 19)), i32x4.splat(PRIME1));
}

/** The hash: a whole number of 53 bits. */
export function hashState(): f64 {
  const h: Header = header();
  let a: v128 = i32x4(h.stepCount, h.bodyAlive, h.jointAlive, h.manifoldAlive),
    b: v128 = i32x4(h.sleepingCount, h.pairCount, reinterpret<i32>(h.dt), 0),
    c: v128 = f32x4(h.gravityX, h.gravityY, h.gravityZ, 0),
    d: v128 = i32x4.splat(1),
    e: v128 = d,
    f: v128 = d,
    g: v128 = d;
  let rows: usize = h.bodyRows,
    centers: usize = h.bodyCenters,
    rotations: usize = h.rotations,
    colds: usize = h.bodyColds;
  for (let body: u32 = 0; body < h.bodyCount; body++) {
    const flags: u32 = load<u32>(colds);
    if ((flags & FLAG_ALIVE) != 0) {
      // The fourth words are 1 / m, and zeros: here go the slot and what the body is.
      a = round(a, changetype<BodyRow>(rows).v);
      b = round(b, i32x4.replace_lane(changetype<BodyRow>(rows).w, 3, body));
      c = round(c, changetype<BodyCenter>(centers).xyz);
      d = round(d, i32x4.replace_lane(changetype<BodyCenter>(centers).l, 3, flags & (FLAG_TYPE | FLAG_ASLEEP)));
      e = round(e, v128.load(rotations));
      const colliders: u32 = changetype<BodyCold>(colds).colliderCount;
      f = round(f, i32x4.replace_lane(v128.load(colds, offsetof<BodyCold>('fx')), 3, colliders));
      g = round(g, i32x4.replace_lane(v128.load(colds, offsetof<BodyCold>('tx')), 3, 0));
    }
    rows += BODY_ROW_STRIDE;
    centers += BODY_CENTER_STRIDE;
    rotations += 16;
    colds += BODY_COLD_STRIDE;
  }
  const all: v128 = round(round(round(round(round(round(a, b), c), d), e), f), g);
  const low: u32 = mix(i32x4.extract_lane(all, 0), i32x4.extract_lane(all, 1)),
    high: u32 = mix(i32x4.extract_lane(all, 2) ^ low, i32x4.extract_lane(all, 3));
  return <f64>(high >> 11) * 4294967296 + <f64>mix(low, high);
}

/** One word of two (the end of XXH32). */
function mix(x: u32, y: u32): u32 {
  let s: u32 = x * <u32>PRIME1 + rotl<u32>(y * <u32>PRIME3, 17);
  s = (s ^ (s >> 15)) * <u32>PRIME2;
  s = (s ^ (s >> 13)) * <u32>PRIME3;
  return s ^ (s >> 16);
}
