// How a link is packed into the 64 bytes that every sweep reads. Twin: shaders/shared/link.wgsl, the same operations in the same
// order. Whatever only sets the pace of the sweeps (masses of friction), a limit of speed or the direction of the first tangent
// is rounded; arms, normals and masses of normal rows are not.
import { LocalBody, SplitLink, SplitState } from '../layout.generated';
import { addW, cross3, dot3, mulW, splatW, subW, vec3W } from '../math/lane';
import { x3, y3, z3 } from '../math/vec3';
import { localBody, xyz } from './local_body';

const BODY_BITS: u32 = 7;
const BODY_MASK: u32 = 127;
const COUNT_SHIFT: u32 = 14;
const PUSH_SHIFT: u32 = 22;
const PUSH_MOST: u32 = 1023;
const ONE_BITS: u32 = 0x3f800000;
const UNIT_SHIFT: u32 = 11;
const UNIT_MOST: i32 = 31;
/** Exponent of the range of places that UNIT 0 stands for: 2^-20 m. */
const LEAST_RANGE: i32 = 20;
/** A share has 23 bits: 11 of the turn, 12 behind the twist radius. */
const SHARE_BITS: u32 = 12;
const SHARE_LOW: u32 = 0xfff;
const SHARE_HIGH: u32 = 0x7ff;
const SHARE_MOST: u32 = 0x7fffff;

/** The nearest whole number to x from 0 to `most`; 0 for NaN. */
function whole(x: f32, most: f32): u32 {
  const q: f32 = x + 0.5;
  return q >= 1 ? <u32>(q < most ? q : most) : 0;
}

/** A share of 0 to 1 by its exponent and a few bits behind it, `drop` of 23 dropped; 1 is exact, and 0 the last code. */
function packPart(share: f32, drop: u32, most: u32): u32 {
  return min<u32>((ONE_BITS - min<u32>(reinterpret<u32>(share), ONE_BITS)) >> drop, most);
}

/** SplitLink.marks: `locals` as in SplitMember, the number of points, SPLIT_LINK_*, share of the speed of pushing out. */
export function linkMarks(locals: u32, count: u32, flags: u32, pushShare: f32): u32 {
  const push: u32 = packPart(pushShare, 18, PUSH_MOST);
  return (locals & 0xffff) | ((locals >> 16) << BODY_BITS) | (count << COUNT_SHIFT) | flags | (push << PUSH_SHIFT);
}

/** Points of a link. */
export function countOf(marks: u32): u32 {
  return (marks >> COUNT_SHIFT) & 7;
}

/** Share of the speed of pushing out. */
export function pushShareOf(marks: u32): f32 {
  return reinterpret<f32>(ONE_BITS - ((marks >> PUSH_SHIFT) << 18));
}

export function bodyA(link: SplitLink): LocalBody {
  return localBody(link.marks & BODY_MASK);
}

export function bodyB(link: SplitLink): LocalBody {
  return localBody((link.marks >> BODY_BITS) & BODY_MASK);
}

/** Rows of a joint that is a link. */
export function rowsOfJoint(s: SplitState, link: SplitLink): usize {
  return <usize>s.joints + ((<usize>link.impulses) << 4);
}

/** First of two unit vectors that follow from the unit normal n and stand at right angles to it. */
function firstAxis(n: v128): v128 {
  const side: f32 = z3(n) >= 0 ? 1 : -1;
  const a: f32 = -1 / (side + z3(n));
  const b: f32 = x3(n) * y3(n) * a;
  return vec3W(1 + side * (x3(n) * x3(n) * a), side * b, -(side * x3(n)));
}

/** High half of SplitLink.turn: the unit tangent t of the normal n. */
export function packTangent(n: v128, t: v128): u32 {
  const first: v128 = firstAxis(n);
  const c: f32 = dot3(t, first);
  const s: f32 = dot3(t, cross3(n, first));
  // Along the sides of a square instead of a circle: -2 to 2, where whole numbers are the axes.
  const bend: f32 = 1 - c / (abs<f32>(c) + abs<f32>(s));
  const way: f32 = s >= 0 ? bend : -bend;
  return (whole((way + 2) * 16384, 65536) & 0xffff) << 16;
}

/** The share that softness takes of an impulse, 0 to 1, in the bits that it has. */
export function packShare(share: f32): u32 {
  return packPart(share, 4, SHARE_MOST);
}

/** What of it belongs to the lowest bits of SplitLink.turn. */
export function shareOfTurn(share: u32): u32 {
  return share >> SHARE_BITS;
}

/** Fourth number of SplitLink.centerB: the twist radius, its last bits those of the share. */
export function packTwist(radius: f32, share: u32): f32 {
  // A radius of 0 would be no normal number with these bits.
  return reinterpret<f32>((reinterpret<u32>(max<f32>(radius, 1e-30)) & ~SHARE_LOW) | (share & SHARE_LOW));
}

/** The twist radius in there, m. */
export function twistRadiusOf(packed: f32): f32 {
  return reinterpret<f32>(reinterpret<u32>(packed) & ~SHARE_LOW);
}

/** Bits between: the unit of places that reach as far as `farthest` (m). */
export function packUnit(farthest: f32): u32 {
  const exponent: i32 = <i32>(reinterpret<u32>(farthest) >> 23) - 126; // 2^exponent is beyond it
  return (<u32>min<i32>(max<i32>(exponent + LEAST_RANGE, 0), UNIT_MOST)) << UNIT_SHIFT;
}

/** Unit of the places of points, m: 2^-15 of their range. */
export function unitOf(turn: u32): f32 {
  return reinterpret<f32>((((turn >> UNIT_SHIFT) & UNIT_MOST) + (127 - LEAST_RANGE - 15)) << 23);
}

/** A place in 16 bits, in units of `unit`. */
function packPlace(x: f32, unit: f32): u32 {
  const size: u32 = whole(abs<f32>(x) / unit, 32767);
  return (x < 0 ? 0 - size : size) & 0xffff;
}

/** SplitPoints.places of a point. */
export function packPlaces(x: f32, y: f32, unit: f32): u32 {
  return packPlace(x, unit) | (packPlace(y, unit) << 16);
}

/** Place along the first tangent. */
export function placeX(places: u32, unit: f32): f32 {
  return <f32>(<i32>(places << 16) >> 16) * unit;
}

/** Along the second one. */
export function placeY(places: u32, unit: f32): f32 {
  return <f32>(<i32>places >> 16) * unit;
}

/** Share that softness takes of an impulse. */
export function softShareOf(link: SplitLink): f32 {
  const low: u32 = reinterpret<u32>(f32x4.extract_lane(link.centerB, 3)) & SHARE_LOW;
  return reinterpret<f32>(ONE_BITS - ((((link.turn & SHARE_HIGH) << SHARE_BITS) | low) << 4));
}

/** First tangent of a link with the normal n. */
export function tangentOf(turn: u32, n: v128): v128 {
  const way: f32 = <f32>(turn >> 16) * (1 / <f32>16384) - 2;
  const c: f32 = 1 - abs<f32>(way);
  const rest: f32 = 1 - abs<f32>(c);
  const s: f32 = way >= 0 ? rest : -rest;
  const unit: f32 = 1 / sqrt<f32>(c * c + s * s);
  const first: v128 = firstAxis(n);
  return addW(mulW(first, splatW(c * unit)), mulW(cross3(n, first), splatW(s * unit)));
}

/** First word of a symmetric 2x2 block 11 12 22 of numbers of 21 bits; 11 and 22 are not negative. */
export function packBlock0(block: v128): u32 {
  return ((reinterpret<u32>(x3(block)) << 1) & 0xfffff800) | ((reinterpret<u32>(y3(block)) >> 11) & 0x7ff);
}

/** Its second word. */
export function packBlock1(block: v128): u32 {
  return ((reinterpret<u32>(z3(block)) << 1) & 0xfffff800) | (reinterpret<u32>(y3(block)) >> 22);
}

/** The block, 0 in the fourth lane. */
export function blockOf(link: SplitLink): v128 {
  const w0: u32 = link.block0,
    w1: u32 = link.block1;
  return vec3W(
    reinterpret<f32>((w0 >> 1) & 0x7ffffc00),
    reinterpret<f32>(((w1 & 0x7ff) << 22) | ((w0 & 0x7ff) << 11)),
    reinterpret<f32>((w1 >> 1) & 0x7ffffc00),
  );
}

/** Unit normal of a link, 0 in the fourth lane. */
export function normalOf(link: SplitLink): v128 {
  return xyz(link.frame);
}

/** What the arm of a point from the center adds to the cross product of that arm and the normal. */
export function lever(t1: v128, t2: v128, places: u32, unit: f32): v128 {
  return subW(mulW(t1, splatW(placeY(places, unit))), mulW(t2, splatW(placeX(places, unit))));
}
