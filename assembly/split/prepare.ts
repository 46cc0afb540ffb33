// Rows of a step: link, points and impulses of a manifold. Effective masses take k times the inverse mass of each side, gamma
// that of whole bodies. Twin: shaders/prepare.wgsl, the same operations in the same order. With Header.reportChanges, impulses
// and gaps stay in SplitState.impulses from step to step, as on the GPU, until a manifold changes.
// Input: Manifold, BodyRow, BodyInertia, members. Output: SplitLink, SplitPoints, impulses.
import { locksOf } from '../bodies/locks';
import { rowAt } from '../bodies/rows';
import { isHeld } from '../constraints/held';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import { pointFriction } from '../constraints/point_friction';
import {
  Manifold,
  ManifoldPoint,
  PointImpulses,
  SPLIT_LINK_LOCKED,
  SPLIT_LINK_ROLLING,
  SPLIT_LINK_STATIC,
  SPLIT_LINK_STRUCK,
  SPLIT_LINK_SURFACE,
  SplitLink,
  SplitMember,
  SplitPoints,
  SplitState,
} from '../layout.generated';
import { cross3, dot3, mulW, splatW, subW, vec3W } from '../math/lane';
import { header } from '../memory/header';
import { frictionBlockAlong, meanArmA, meanArmB } from '../rows/friction_block';
import { effective, inverse, isBarred } from '../rows/mass';
import { gammaScale } from '../rows/softness';
import {
  linkMarks,
  packBlock0,
  packBlock1,
  packPlaces,
  packShare,
  packTangent,
  packTwist,
  packUnit,
  shareOfTurn,
  tangentOf,
  unitOf,
} from './link';
import { packImpulses, patchRow } from './impulse_rows';
import { impulsesOf, linkAt, pointsOf, rollRow } from './packed';

/** Number i of a row. */
function put(row: usize, i: u32, value: f32): void {
  store<f32>(row + ((<usize>i) << 2), value);
}

/** Mean of two vectors along d. */
function middle(a: v128, b: v128, d: v128): f32 {
  return 0.5 * (dot3(a, d) + dot3(b, d));
}

/** Link, points and impulses of a manifold: twin of prepare.wgsl. */
export function prepareLink(s: SplitState, l: u32, member: SplitMember): void {
  const manifold: u32 = member.manifold;
  const h = header();
  const m: Manifold = manifoldAt(manifold);
  const a: u32 = m.bodyA,
    b: u32 = m.bodyB;
  const count: u32 = m.count;
  const kA: f32 = member.kA;
  const kB: f32 = member.kB;
  const isStatic: bool = rowAt(a).invMass == 0 || rowAt(b).invMass == 0;
  const gamma: f32 = gammaScale(isStatic, h.dt / <f32>h.stepSubsteps);
  const impulses: usize = impulsesOf(s, manifold);
  const points: SplitPoints = pointsOf(s, l);
  memory.fill(changetype<usize>(points), 0, offsetof<SplitPoints>());
  const stays: bool = h.reportChanges != 0 && isHeld(m);
  if (!stays) packImpulses(s, manifold, impulses, 0);
  else if (h.impulseScale != 1) rescale(s, impulses);
  const rows = changetype<PointImpulses>(impulses);
  rows.largest = splatW(0);
  points.separation = rows.separation;
  const n: v128 = vec3W(m.nx, m.ny, m.nz);
  const turn: u32 = packTangent(n, m.t);
  const t: v128 = tangentOf(turn, n);
  const u: v128 = cross3(n, t);
  const rA: v128 = meanArmA(m);
  const rB: v128 = meanArmB(m);
  let hard: f32 = 0,
    soft: f32 = 0,
    farthest: f32 = 0;
  for (let j: u32 = 0; j < count; j++) {
    const p: ManifoldPoint = pointOf(m, j);
    const fromA: v128 = subW(p.ra, rA),
      fromB: v128 = subW(p.rb, rB);
    farthest = max<f32>(farthest, max<f32>(abs<f32>(middle(fromA, fromB, t)), abs<f32>(middle(fromA, fromB, u))));
    const wholeA: f32 = effective(a, p.ra, n, n);
    const wholeB: f32 = effective(b, p.rb, n, n);
    const k: f32 = kA * wholeA + kB * wholeB;
    hard += k;
    soft += (wholeA + wholeB) * gamma;
    const barred: bool = isBarred(m, k, kA, kB);
    put(changetype<usize>(points) + offsetof<SplitPoints>('mass'), j, barred ? 0 : inverse(k));
    if (barred) put(impulses + offsetof<PointImpulses>('impulse'), j, 0);
  }
  const unit: u32 = packUnit(farthest);
  for (let j: u32 = 0; j < count; j++) {
    const fromA: v128 = subW(pointOf(m, j).ra, rA),
      fromB: v128 = subW(pointOf(m, j).rb, rB);
    const places: u32 = packPlaces(middle(fromA, fromB, t), middle(fromA, fromB, u), unitOf(unit));
    store<u32>(changetype<usize>(points) + ((<usize>j) << 2), places);
  }
  const pointwise: bool = pointFriction().isOn();
  const moves: bool =
    !pointwise && (m.surface1 != 0 || m.surface2 != 0 || m.surfaceTwist != 0 || m.surfaceRate1 != 0 || m.surfaceRate2 != 0);
  if (moves) points.surface = f32x4(m.surface1, m.surface2, m.surfaceRate1, m.surfaceRate2);
  points.more = f32x4(m.surfaceTwist, m.rollArm, 0, 0);
  const out: SplitLink = linkAt(s, l);
  const flags: u32 =
    (isStatic ? SPLIT_LINK_STATIC : 0) |
    (locksOf(a) + locksOf(b) != 0 ? SPLIT_LINK_LOCKED : 0) |
    (moves ? SPLIT_LINK_SURFACE : 0) |
    (m.rollArm > 0 ? SPLIT_LINK_ROLLING : 0) |
    (m.struck != 0 ? SPLIT_LINK_STRUCK : 0);
  out.frame = n;
  const share: u32 = packShare(soft * inverse(hard + soft));
  out.turn = turn | unit | shareOfTurn(share);
  out.centerA = f32x4.replace_lane(rA, 3, m.friction);
  out.centerB = f32x4.replace_lane(rB, 3, packTwist(m.twistRadius, share));
  out.marks = linkMarks(member.locals, count, flags, 1 - m.pushCut);
  out.impulses = manifold * s.impulseStride;
  const block: v128 = frictionBlockAlong(m, kA, kB, rA, rB, t);
  out.block0 = packBlock0(block);
  out.block1 = packBlock1(block);
  const link: usize = patchRow(impulses);
  v128.store(link, f32x4.replace_lane(v128.load(link), 3, 0));
  if (!pointwise) return;
  pointFriction().prepare(s, l, member);
  if (stays) dropUnloaded(rows, link, count, h.impulseScale != 1);
}

/** Impulses that have stayed become those of a substep of another length; excesses belong to one length alone. */
function rescale(s: SplitState, impulses: usize): void {
  const scale: v128 = splatW(header().impulseScale);
  const rows = changetype<PointImpulses>(impulses);
  rows.impulse = mulW(rows.impulse, scale);
  rows.excess = splatW(0);
  const link: usize = patchRow(impulses);
  v128.store(link, mulW(v128.load(link), scale));
  const roll: usize = rollRow(s, impulses);
  v128.store(roll, mulW(v128.load(roll), scale));
}

/** Tangent impulses belong to points that have carried a load, and to substeps of one length. `link`: the row before them. */
function dropUnloaded(rows: PointImpulses, link: usize, count: u32, all: bool): void {
  const tangents: usize = link + ((<usize>1) << 4);
  for (let j: u32 = 0; j < 4; j++) {
    const isLoaded: bool = load<f32>(changetype<usize>(rows) + ((<usize>j) << 2)) != 0;
    if (all || j >= count || !isLoaded) store<u64>(tangents + ((<usize>j) << 3), 0);
  }
}
