// Rows of a step: link, points and impulses of a manifold. Effective masses take k times the inverse mass of each side, gamma
// that of whole bodies. Twin: shaders/prepare.wgsl, the same operations in the same order. With Header.reportChanges, impulses and
// gaps stay in SplitState.impulses from step to step, as on the GPU, until a manifold changes.
// Input: Manifold, BodyRow, BodyInertia, members. Output: SplitLink, SplitPoint, impulses.
import { locksOf } from '../bodies/locks';
import { rowAt } from '../bodies/rows';
import { isHeld } from '../constraints/held';
import { excessIn, manifoldAt, pointOf } from '../constraints/manifolds';
import { pointFriction } from '../constraints/point_friction';
import {
  Manifold,
  ManifoldPoint,
  PointImpulse,
  SPLIT_LINK_LOCKED,
  SPLIT_LINK_ROW,
  SPLIT_LINK_STRIDE,
  SPLIT_LINK_STRUCK,
  SPLIT_LINK_SURFACE,
  SPLIT_POINT_STRIDE,
  SplitLink,
  SplitMember,
  SplitPoint,
  SplitState,
} from '../layout.generated';
import { mulW, splatW, vec3W } from '../math/lane';
import { header } from '../memory/header';
import { frictionBlock, meanArmA, meanArmB, twistMass } from '../rows/friction_block';
import { effective, inverse, isBarred } from '../rows/mass';
import { gammaScale } from '../rows/softness';
import { impulsesOf, rollRow } from './packed';

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
  const stays: bool = h.reportChanges != 0 && isHeld(m);
  if (!stays) loadImpulses(s, manifold, impulses);
  else if (h.impulseScale != 1) rescale(s, impulses);
  const n: v128 = v128.load(changetype<usize>(m), offsetof<Manifold>('nx'));
  for (let j: u32 = 0; j < count; j++) {
    const p: ManifoldPoint = pointOf(m, j);
    const wholeA: f32 = effective(a, p.ra, n, n);
    const wholeB: f32 = effective(b, p.rb, n, n);
    const k: f32 = kA * wholeA + kB * wholeB;
    const barred: bool = isBarred(m, k, kA, kB);
    const soft: f32 = (wholeA + wholeB) * gamma;
    const at: SplitPoint = changetype<SplitPoint>(<usize>s.points + <usize>(4 * l + j) * SPLIT_POINT_STRIDE);
    const state: usize = impulses + ((<usize>j) << 4);
    const row = changetype<PointImpulse>(state);
    at.armA = f32x4(p.rax, p.ray, p.raz, row.separation);
    const softMass: f32 = inverse(k + soft);
    at.armB = f32x4(p.rbx, p.rby, p.rbz, soft * softMass);
    at.masses = f32x4(barred ? 0 : softMass, barred ? 0 : inverse(k), 0, 0);
    row.impulse = barred ? 0 : row.impulse;
    row.largest = 0;
  }
  const moves: bool = m.surface1 != 0 || m.surface2 != 0 || m.surfaceTwist != 0 || m.surfaceRate1 != 0 || m.surfaceRate2 != 0;
  const pointwise: bool = pointFriction().isOn();
  if (pointwise) {
    pointFriction().prepare(s, l, member);
  } else if (moves) {
    // Velocities of moving surfaces go to the free lanes of the points (SplitPoint.masses).
    const points: usize = <usize>s.points + <usize>(4 * l) * SPLIT_POINT_STRIDE;
    const surface = changetype<SplitPoint>(points),
      rates = changetype<SplitPoint>(points + 2 * SPLIT_POINT_STRIDE);
    surface.tangent1 = m.surface1;
    surface.tangent2 = m.surface2;
    changetype<SplitPoint>(points + SPLIT_POINT_STRIDE).tangent1 = m.surfaceTwist;
    rates.tangent1 = m.surfaceRate1;
    rates.tangent2 = m.surfaceRate2;
  }
  const rA: v128 = meanArmA(m);
  const rB: v128 = meanArmB(m);
  const out: SplitLink = changetype<SplitLink>(<usize>s.links + <usize>l * SPLIT_LINK_STRIDE);
  out.locals = member.locals;
  out.impulses = manifold * s.impulseStride;
  out.flags =
    count |
    (isStatic ? 256 : 0) |
    (locksOf(a) + locksOf(b) != 0 ? SPLIT_LINK_LOCKED : 0) |
    (moves ? SPLIT_LINK_SURFACE : 0) |
    (m.struck != 0 ? SPLIT_LINK_STRUCK : 0);
  out.manifold = manifold;
  out.normal = f32x4(m.nx, m.ny, m.nz, m.friction);
  out.tangent = f32x4(m.tx, m.ty, m.tz, 1 - m.pushCut);
  out.centerA = f32x4.replace_lane(rA, 3, m.twistRadius);
  out.centerB = f32x4.replace_lane(rB, 3, twistMass(m, kA, kB));
  out.block = f32x4.replace_lane(frictionBlock(m, kA, kB, rA, rB), 3, m.rollArm);
  const link: usize = impulses + ((<usize>SPLIT_LINK_ROW) << 4);
  v128.store(link, f32x4.replace_lane(v128.load(link), 3, 0));
  if (pointwise && stays) dropUnloaded(impulses, count, h.impulseScale != 1);
}

/** The impulses and gaps that the manifold knows. */
function loadImpulses(s: SplitState, manifold: u32, impulses: usize): void {
  const m: Manifold = manifoldAt(manifold);
  for (let j: u32 = 0; j < m.count; j++) {
    const p: ManifoldPoint = pointOf(m, j);
    v128.store(impulses + ((<usize>j) << 4), f32x4(p.impulse, 0, p.separation, load<f32>(excessIn(m, j))));
  }
  const link: usize = impulses + ((<usize>SPLIT_LINK_ROW) << 4);
  v128.store(link, vec3W(m.tangentImpulse1, m.tangentImpulse2, m.twistImpulse));
  v128.store(rollRow(s, impulses), f32x4(m.rollImpulse1, m.rollImpulse2, 0, 0));
  if (pointFriction().isOn()) pointFriction().carry(manifold, link);
}

/** Impulses that have stayed become those of a substep of another length; excesses belong to one length alone. */
function rescale(s: SplitState, impulses: usize): void {
  const scale: f32 = header().impulseScale;
  for (let i: u32 = 0; i < 4; i++) {
    const row = changetype<PointImpulse>(impulses + ((<usize>i) << 4));
    row.impulse *= scale;
    row.excess = 0;
  }
  const link: usize = impulses + ((<usize>SPLIT_LINK_ROW) << 4);
  v128.store(link, mulW(v128.load(link), splatW(scale)));
  const roll: usize = rollRow(s, impulses);
  v128.store(roll, mulW(v128.load(roll), splatW(scale)));
}

/** Tangent impulses belong to points that have carried a load, and to substeps of one length. */
function dropUnloaded(impulses: usize, count: u32, all: bool): void {
  const tangents: usize = impulses + ((<usize>(SPLIT_LINK_ROW + 1)) << 4);
  for (let j: u32 = 0; j < 4; j++) {
    const isLoaded: bool = j < count && changetype<PointImpulse>(impulses + ((<usize>j) << 4)).impulse != 0;
    if (all || !isLoaded) store<u64>(tangents + ((<usize>j) << 3), 0);
  }
}
