// Material of a manifold: combined friction, restitution and rolling resistance of two colliders.
// Input: colliders, their shapes, contact rules (which replace the combined values); depths. Output: Manifold.friction,
// restitution, rollArm, twistRadius, surface1, surface2, surfaceTwist; Header.anyRolling.
// Arms are frozen for a step. On a turntable, bodies would therefore drift off along the tangent, by (w dt)^2 / 2 of their radius
// per step. So the surface velocity that friction follows changes from substep to substep (surfaceRate1, 2).
// Source of rolling resistance: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Assessment of rolling resistance models in discrete
// element simulations, Powder Technology 206, 2011.
import { locksOf } from '../bodies/locks';
import { coldAt, isMoved, rotationOf, rowAt, typeOf } from '../bodies/rows';
import { firstJoint, isOneRig, jointAt, nextJoint, otherSide } from '../constraints/joints';
import { pointOf } from '../constraints/manifolds';
import {
  AXIS_VELOCITY,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  COLLIDER_SURFACE,
  COMBINE_GEOMETRIC,
  COMBINE_MAX,
  COMBINE_MIN,
  COMBINE_MULTIPLY,
  CONTACT_RULE_STRIDE,
  Collider,
  ContactRule,
  JOINT_ENABLED,
  Joint,
  Manifold,
  ManifoldPoint,
  NONE,
  RULE_FRICTION,
  RULE_GROUPS,
  RULE_RESTITUTION,
  RULE_ROLLING,
  RULE_SPINNING,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import { cross3, dot3 } from '../math/lane';
import { quatFromRotationVector, quatMul, quatNormalize, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { putXyz } from '../memory/words';
import { shapeAt } from '../shapes/shapes';
import { threadBlock } from '../threads/team';

// A body that turns freely about a fixed point is a turntable above this speed (rad/s).
const SPINS: f32 = 0.3;
// Depth, as a share of the extent of the smaller body, from which parts of a rig slip on each other, and at which nothing
// holds them.
const EASES: f32 = 0.05;
const SLIDES: f32 = 0.1;
// Locks of a body, and axes of a joint, that hold a point in its place.
const PLACE: u32 = 7;

function combine(rule: u32, a: f32, b: f32): f32 {
  if (rule == COMBINE_MULTIPLY) return a * b;
  if (rule == COMBINE_MIN) return min<f32>(a, b);
  if (rule == COMBINE_MAX) return max<f32>(a, b);
  if (rule == COMBINE_GEOMETRIC) return sqrt<f32>(a * b);
  return (a + b) * <f32>0.5;
}

/** 1 / radius of the round side of a shape, 0 for flat ones. */
function curvature(c: Collider): f32 {
  const shape: Shape = shapeAt(c.shape);
  const type: u32 = shape.type;
  const round: bool = type == SHAPE_SPHERE || type == SHAPE_CAPSULE || type == SHAPE_CYLINDER || type == SHAPE_CONE;
  return round ? 1 / shape.p0 : 0;
}

/** 1 / rolling radius of two shapes, 0 where both are flat. */
export function rollingCurvature(ca: Collider, cb: Collider): f32 {
  return curvature(ca) + curvature(cb);
}

/**
 * Arm of the normal force against rolling (m): the combined coefficient times the rolling radius 1 / (1 / r_A + 1 / r_B) (Ai
 * et al. 2011); 0 where both shapes are flat. Not more than friction can pass on: without friction nothing rolls.
 */
function rollArm(ca: Collider, cb: Collider, friction: f32): f32 {
  const k: f32 = rollingCurvature(ca, cb);
  if (k == 0) return 0;
  const rule: u32 = max<u32>((ca.combine >> 16) & 0xff, (cb.combine >> 16) & 0xff);
  let rolling: f32 = combine(rule, ca.rollingResistance, cb.rollingResistance);
  const at: usize = ruleOf(ca, cb);
  if (at != 0 && (changetype<ContactRule>(at).flags & RULE_ROLLING) != 0) rolling = changetype<ContactRule>(at).rollingResistance;
  return min<f32>(rolling, friction) / k;
}

/** The rule of two groups, 0 without rules. */
function ruleOf(ca: Collider, cb: Collider): usize {
  const base: usize = header().rules;
  const low: u32 = min<u32>(ca.group, cb.group),
    high: u32 = max<u32>(ca.group, cb.group);
  return base == 0 ? 0 : base + <usize>(low * RULE_GROUPS + high) * CONTACT_RULE_STRIDE;
}

/**
 * Once its points are known: the arm of the twist row, to which spinning friction adds as much as friction can pass on, and the
 * velocity of the surface of B against that of A at the mean point. World-frame data must be there.
 */
export function takeSurface(m: Manifold, ca: Collider, cb: Collider): void {
  m.twistRadius = m.patchRadius;
  const n: v128 = f32x4.replace_lane(m.n, 3, 0);
  const wa: v128 = carriedSpin(ca.body, n),
    wb: v128 = carriedSpin(cb.body, n);
  if (header().anySurface == 0) {
    if (!v128.any_true(v128.or(wa, wb))) return;
    header().anySurface = 1;
  }
  let arm: f32 = combine(max<u32>(ca.combine >> 24, cb.combine >> 24), ca.spinningFriction, cb.spinningFriction);
  const at: usize = ruleOf(ca, cb);
  if (at != 0 && (changetype<ContactRule>(at).flags & RULE_SPINNING) != 0) arm = changetype<ContactRule>(at).spinningFriction;
  if (arm > 0 && m.friction > 0) m.twistRadius += arm / m.friction;
  let v: v128 = f32x4.splat(0),
    w: v128 = f32x4.splat(0);
  // Points of a body that goes round are accelerated by w x (w x r).
  let rate: v128 = f32x4.sub(goRound(m, wb, offsetof<ManifoldPoint>('rbx')), goRound(m, wa, offsetof<ManifoldPoint>('rax')));
  // Their arms are those of the middle of the step.
  v = f32x4.mul(rate, f32x4.splat(<f32>-0.5 * header().dt));
  if (((ca.flags | cb.flags) & COLLIDER_SURFACE) != 0) {
    const va: v128 = surfaceOf(ca, m, offsetof<ManifoldPoint>('rax')),
      vb: v128 = surfaceOf(cb, m, offsetof<ManifoldPoint>('rbx'));
    v = f32x4.add(v, f32x4.sub(vb, va));
    w = f32x4.sub(spinOf(cb), spinOf(ca));
    // The same for the velocity of a body that moves with a turning surface.
    rate = f32x4.add(rate, f32x4.sub(cross3(spinOf(cb), vb), cross3(spinOf(ca), va)));
  }
  const t: v128 = m.t;
  m.surface1 = dot3(t, v);
  m.surface2 = dot3(cross3(n, t), v);
  m.surfaceTwist = dot3(n, w);
  m.surfaceRate1 = dot3(t, rate);
  m.surfaceRate2 = dot3(cross3(n, t), rate);
}

/**
 * Acceleration w x (w x r) of the points of a body that moves round at w, whose arms lie at `field` and become those of the
 * middle of the step: forces that hold a body on a turntable then have no moment about its axis.
 */
function goRound(m: Manifold, w: v128, field: usize): v128 {
  if (!v128.any_true(w)) return w;
  const columns: usize = header().scratch;
  storeRotation(quatNormalize(quatFromRotationVector(f32x4.mul(w, f32x4.splat(<f32>0.5 * header().dt)))), columns);
  for (let i: u32 = 0; i < m.count; i++) {
    const at: usize = changetype<usize>(pointOf(m, i)) + field;
    putXyz(at, rotate3(columns, v128.load(at)));
  }
  return cross3(w, cross3(w, meanOf(m, field)));
}

/** Rotation of the shape of a collider. */
function turnOf(c: Collider): v128 {
  return quatMul(rotationOf(c.body), c.q);
}

/** Angular velocity of a surface, world. */
function spinOf(c: Collider): v128 {
  if ((c.flags & COLLIDER_SURFACE) == 0) return f32x4.splat(0);
  const columns: usize = threadBlock();
  storeRotation(turnOf(c), columns);
  return rotate3(columns, f32x4.replace_lane(c.surfaceW, 3, 0));
}

/**
 * Angular velocity at which the points of a body move round in the step: of a kinematic body, and of one that a motor turns on
 * something fixed. Of one that turns freely on something fixed it is that about the normal n, if it is fast: a rolling body has
 * none at its contact. 0 for others.
 */
function carriedSpin(body: u32, n: v128): v128 {
  const w: v128 = f32x4.replace_lane(rowAt(body).w, 3, 0);
  if (typeOf(body) == BODY_KINEMATIC) return w;
  if (typeOf(body) != BODY_DYNAMIC) return f32x4.splat(0);
  const along: f32 = dot3(n, w);
  let turns: bool = (locksOf(body) & PLACE) == PLACE;
  for (let end: u32 = header().jointAlive == 0 ? NONE : firstJoint(body); end != NONE; end = nextJoint(end)) {
    const joint: Joint = jointAt(end >> 1);
    const other: u32 = otherSide(end);
    if ((joint.flags & JOINT_ENABLED) == 0 || (other != NONE && isMoved(other))) continue;
    if (((joint.mode3 | joint.mode4 | joint.mode5) & AXIS_VELOCITY) != 0) return w;
    if ((joint.locked & PLACE) == PLACE) turns = true;
  }
  return turns && abs<f32>(along) > SPINS ? f32x4.mul(n, f32x4.splat(along)) : f32x4.splat(0);
}

/** Whether one of two bodies may have a moving surface, whatever the normal: takeSurface says so in Header.anySurface. */
export function carriesSurface(ca: Collider, cb: Collider): bool {
  return mayCarry(ca.body) || mayCarry(cb.body);
}

function mayCarry(body: u32): bool {
  if (typeOf(body) == BODY_KINEMATIC) return true;
  if (typeOf(body) != BODY_DYNAMIC) return false;
  if ((locksOf(body) & PLACE) == PLACE) return true;
  for (let end: u32 = header().jointAlive == 0 ? NONE : firstJoint(body); end != NONE; end = nextJoint(end)) {
    const other: u32 = otherSide(end);
    if (other == NONE || !isMoved(other)) return true;
  }
  return false;
}

/** Mean of the arms at `field` of the points of a manifold. */
function meanOf(m: Manifold, field: usize): v128 {
  let sum: v128 = f32x4.splat(0);
  for (let i: u32 = 0; i < m.count; i++) sum = f32x4.add(sum, v128.load(changetype<usize>(pointOf(m, i)) + field));
  return f32x4.mul(sum, f32x4.splat(<f32>1 / <f32>m.count));
}

/** Velocity of a surface at the mean of the points of a manifold, whose arms lie at `field`; world. */
function surfaceOf(c: Collider, m: Manifold, field: usize): v128 {
  if ((c.flags & COLLIDER_SURFACE) == 0) return f32x4.splat(0);
  const mean: v128 = meanOf(m, field);
  const spin: v128 = spinOf(c);
  const columns: usize = threadBlock();
  storeRotation(rotationOf(c.body), columns);
  const arm: v128 = f32x4.sub(mean, rotate3(columns, c.xyz));
  storeRotation(turnOf(c), columns);
  const linear: v128 = rotate3(columns, c.surface);
  return f32x4.replace_lane(f32x4.add(linear, cross3(spin, arm)), 3, 0);
}

/** Direction in which bodies pass a collider that is open to one side, world. */
export function openSide(c: Collider): v128 {
  const columns: usize = threadBlock();
  storeRotation(turnOf(c), columns);
  return rotate3(columns, c.open);
}

/**
 * Reduces the friction of parts of one rig that are pressed into each other, from full at an overlap of EASES to none at SLIDES
 * of the extent of the smaller one. Otherwise friction on both sides would hold a limb that a fall drove into the chest, braced
 * by joints with many times its weight. Friction between other bodies stays, or loads would slip off their supports.
 */
export function easeFriction(m: Manifold, a: u32, b: u32, separations: usize, stride: usize): void {
  const extent: f32 = min<f32>(coldAt(a).extent, coldAt(b).extent);
  let deepest: f32 = -EASES * extent;
  for (let i: u32 = 0; i < m.count; i++) deepest = min<f32>(deepest, load<f32>(separations + <usize>i * stride));
  if (deepest >= -EASES * extent || !isOneRig(a, b)) return;
  m.friction *= max<f32>(0, (deepest + SLIDES * extent) / ((SLIDES - EASES) * extent));
}

/** Material of a manifold from its two surfaces. */
export function takeMaterial(m: Manifold, ca: Collider, cb: Collider): void {
  m.friction = combine(max<u32>(ca.combine & 0xff, cb.combine & 0xff), ca.friction, cb.friction);
  m.restitution = combine(max<u32>((ca.combine >> 8) & 0xff, (cb.combine >> 8) & 0xff), ca.restitution, cb.restitution);
  const at: usize = ruleOf(ca, cb);
  if (at != 0) {
    const rule: ContactRule = changetype<ContactRule>(at);
    if ((rule.flags & RULE_FRICTION) != 0) m.friction = rule.friction;
    if ((rule.flags & RULE_RESTITUTION) != 0) m.restitution = rule.restitution;
  }
  m.rollArm = rollArm(ca, cb, m.friction);
  if (m.rollArm > 0) header().anyRolling = 1;
}
